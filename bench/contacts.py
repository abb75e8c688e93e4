#!/usr/bin/env python3
"""Cost per step of time-stepping with many contacts.

Writes scenes of N contacts as model text, runs them with --method moreau, and prints the
cost of a step and of the way to the first one. The column is then given to ODE (QuickStep, contacts handed over) and its
contact problem to Siconos, where bench/contacts_ode and contacts_siconos were built beside zwang (they need libode-dev and
libsiconos-numerics-dev); else they are named as absent.

  bench/contacts.py [path of zwang]
"""
import json
import math
import os
import resource
import subprocess
import sys
import tempfile

from common import say, spread

STARTS = 8                       # of a pile


def column(n):
    """n balls stand on one another: n contacts, all pressed, the lowest by n weights."""
    z = [f"z{i}" for i in range(1, n + 1)]
    lines = ["param g = 9.81", "coord " + ", ".join(z),
             "kinetic (" + " + ".join(f"{a}'^2" for a in z) + ")/2", "potential g*(" + " + ".join(z) + ")"]
    for i, a in enumerate(z):
        below = f"z{i} - 1" if i else "1/2"
        lines += [f"constraint c{i + 1}: {a} - {below} >= 0", f"initial {a} = {i} + 1/2"]
    return lines, n


def line(n):
    """n + 1 balls in a row with gaps, struck from the left: impacts run through it."""
    x = [f"x{i}" for i in range(n + 1)]
    lines = ["coord " + ", ".join(x), "kinetic (" + " + ".join(f"{a}'^2" for a in x) + ")/2", "initial x0' = 1"]
    for i in range(1, n + 1):
        lines += [f"constraint c{i}: x{i} - x{i - 1} - 1 >= 0 with restitution 1/2", f"initial x{i} = {i}*1.001"]
    return lines, n


def pile(wide, high, start=0):
    """Discs of diameter 1 in a box, closely packed in rows, thrown a little to the right: a heap in the plane. From each start it
    goes another way, with other contacts: costs are to be compared as means over several."""
    place, lines, pairs = {}, ["param g = 9.81"], []
    for row in range(high):
        for k in range(wide - row % 2):
            place[row, k] = (0.5 + k + 0.5 * (row % 2), 0.5 + row * math.sqrt(3) / 2)
    name = {key: f"{key[0]}_{key[1]}" for key in place}
    coords = [f"{c}{name[key]}" for key in place for c in "xy"]
    lines += ["coord " + ", ".join(coords), "gravity (0, -g, 0)"]
    count = 0
    for key, (x, y) in place.items():
        row, k = key
        me = name[key]
        lines.append(f"particle p{me} mass 1 = (x{me}, y{me}, 0) in world")
        lines += [f"initial x{me} = {x!r}", f"initial y{me} = {y * 1.0000001!r}", f"initial x{me}' = {0.1 * math.sin(row + k + 0.7 * start)!r}"]
        near = [(row, k + 1), (row + 1, k - 1 + row % 2), (row + 1, k + row % 2)]
        for other in near:
            if other not in place:
                continue
            you = name[other]
            count += 1
            lines.append(f"constraint c{count}: sqrt((x{you} - x{me})^2 + (y{you} - y{me})^2) - 1 >= 0")
        if row == 0:
            count += 1
            lines.append(f"constraint c{count}: pos(p{me}).y - 1/2 >= 0 with friction 0.3")
        if k == 0:
            count += 1
            lines.append(f"constraint c{count}: x{me} - 1/2 >= 0")
        if k == wide - row % 2 - 1:
            count += 1
            lines.append(f"constraint c{count}: {wide} - 1/2 - x{me} >= 0")
    return lines, count


def run(zwang, path, out, h, steps):
    return subprocess.run([zwang, "run", path, "--method", "moreau", "--step", repr(h), "--until", repr(steps * h),
                           "--points", "2", "--out", out, "--quiet"], capture_output=True, text=True, timeout=900)


def timed(zwang, path, out, h, steps):
    """One run: its statistics, or why it failed. Timed is a run with a plain table: one with statistics makes a second pass,
    which tells how many digits are good."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    plain = run(zwang, path, out + ".csv", h, steps)
    cpu = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    told = run(zwang, path, out, h, steps)
    if plain.returncode or told.returncode:
        return None, (plain.stderr or told.stderr).strip()[:200]
    statistics = json.load(open(out))["statistics"]
    statistics["cpu"] = cpu
    return statistics, ""


def cost_of(zwang, folder, label, scene, steps, h):
    """The cost of a step is that of a run of `steps` steps beyond a run of one, over their number; None with why."""
    lines, contacts = scene
    path = os.path.join(folder, label.replace(" ", "_") + ".zw")
    with open(path, "w") as f:
        f.write("\n".join(lines) + "\n")
    out = os.path.join(folder, "track.json")
    one, why = timed(zwang, path, out, h, 1)
    if one:
        again, why = timed(zwang, path, out, h, 1)
        one = min(one, again, key=lambda x: x["cpu"])
    all_of_them, why = timed(zwang, path, out, h, steps) if one else (None, why)
    if not all_of_them:
        return None, why
    deep = max(c["position"] or 0 for c in all_of_them["residuals"].values())
    return (max(0, all_of_them["cpu"] - one["cpu"]) / (steps - 1), one["cpu"], deep, abs(all_of_them["energy"]["relative"])), ""


def measure(zwang, folder, label, scenes, steps, h):
    """Means of the costs over the scenes, and what is worst of the others."""
    found = []
    for scene in scenes:
        one, why = cost_of(zwang, folder, label, scene, steps, h)
        if not one:
            say(f"{label:24} {scene[1]:8} failed: {why}")
            return
        found.append(one)
    cost, before = (sum(one[i] for one in found) / len(found) for i in (0, 1))
    deep, balance = (max(one[i] for one in found) for i in (2, 3))
    say(f"{label:24} {scenes[0][1]:8} {steps:6} {1e3 * cost:10.2f} {before:10.2f} {deep:12.1e} {balance:10.1e}")


def peer(build, name, arguments):
    program = os.path.join(build, "bench", name)
    if not os.path.exists(program):
        return None
    done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, timeout=300)
    return done.stdout.split() if done.returncode == 0 else None


def peers(build):
    """The column of 1000 in other programs."""
    for iterations in (20, 200):
        runs = [peer(build, "contacts_ode", (1000, 50, iterations)) for _ in range(7)]
        if None in runs:
            say("ODE: absent here")
            break
        say(f"ODE, QuickStep, {iterations} iterations, column of 1000: {spread([float(r[0]) for r in runs], 3, ' ms')} a step; "
            f"sinks {runs[0][1]} m in 50 steps")
    for n, solver in ((300, "newtonmin"), (300, "lemke"), (1000, "lemke")):
        answer = peer(build, "contacts_siconos", (n, solver))
        if answer is None:
            say("Siconos: absent here")
            break
        say(f"Siconos, {solver}, contact problem of a column of {n}: {answer[0]} ms, reaction off by {answer[1]}, "
            f"status {answer[2]}")


def main():
    zwang = next((a for a in sys.argv[1:] if not a.startswith("--")), "build/zwang")
    say("Time-stepping with many contacts (--method moreau)")
    say(f"{'scene':24} {'contacts':>8} {'steps':>6} {'ms a step':>10} {'s before':>10} {'penetration':>12} {'balance':>10}")
    with tempfile.TemporaryDirectory() as folder:
        for n in (10, 100, 300, 1000):
            measure(zwang, folder, f"column of {n}", [column(n)], 400, 1e-3)
        for n in (100, 1000):
            measure(zwang, folder, f"line of {n} struck", [line(n)], 200, 1e-3)
        for wide, high in ((6, 5), (12, 10), (19, 18)):
            measure(zwang, folder, f"pile {wide} by {high}", [pile(wide, high, k) for k in range(STARTS)], 200, 1e-3)
    say("s before: reading, derivation, kernels, initial state, the first step; processor time of one core; balance: of energy, relative; piles: means over "
        f"{STARTS} starts, the worst of penetration and balance")
    peers(os.path.dirname(zwang))


if __name__ == "__main__":
    main()
