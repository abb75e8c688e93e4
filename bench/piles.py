#!/usr/bin/env python3
"""Piles of shapes with friction: steps per second, how deep shapes overlap, and how far the laws of contacts are obeyed, beside other
programs in one run.

  bench/piles.py [--large | --all] [--only=PART OF A NAME,...] [path of zwang] [ode=PROGRAM] [mujoco=PROGRAM] [box2d=PROGRAM]

Spheres and boxes are poured into a box without a lid; a stack, dominoes, a house of cards and a block on a wedge stand in the plane.
Spheres resist rolling and pivoting, too, by a fiftieth of their radius: without it those on the floor roll on for ever. --large: 1,000 spheres
and 300 boxes, which takes a quarter of an hour; --all: these after the small piles. With --contact-solver siconos the contact problems of the same steps
are Siconos's, in a tenth of them and without rolling friction, which it is not asked for. Overlaps are the deepest at the end of any step, over the size of a body. Laws: of zwang the largest fault of a
step, of the velocities in it; of others, read from their own forces and velocities in the last tenth of the run, the largest velocity by which a
gap closes, a push moves apart, or friction goes beyond its bound, over that of a fall in one step (piles_scene.h)."""
import json
import math
import os
import resource
import subprocess
import sys
import tempfile

from common import processor, say

MU, G = 0.4, 9.81
ROLLING = 0.001  # of spheres, against rolling and against pivoting: a length
PEER_LIMIT = 150  # seconds
SPHERE, BOX = [0.05], [0.08, 0.07, 0.06]
# kind, size, count, bodies along a side of a layer, their distance, step, end
SMALL = (("sphere", SPHERE, 60, 4, 0.125, 2e-3, 2.0), ("box", BOX, 16, 4, 0.125, 2e-3, 1.0))
LARGE = (("sphere", SPHERE, 1000, 10, 0.109, 4e-3, 2.0), ("box", BOX, 300, 10, 0.11, 4e-3, 2.4))


def poured(kind, count, layer, size, gap):
    """count bodies in layers of layer by layer, each a little off its place; spheres over the gaps of the layer below, or they would stand as
    columns for a while, boxes with a spin, so that they tumble: (kind, size, place, spin), and half the width of the box"""
    aside = gap / 2 if kind == "sphere" else 0.0
    bodies, half = [], (layer * gap + aside) / 2
    for i in range(count):
        level, k = divmod(i, layer * layer)
        shift = 0.5 * gap - half + level % 2 * aside
        place = [k % layer * gap + shift, k // layer * gap + shift, 0.06 + level * gap]
        spin = [8 * math.sin(3 * i), 8 * math.cos(2 * i), 8 * math.sin(5 * i + 1)] if kind == "box" else [0.0] * 3
        bodies.append((kind, size, [place[0] + 0.004 * math.sin(7 * i), place[1] + 0.004 * math.cos(5 * i), place[2]], spin))
    return bodies, half


def inertia(kind, size):
    if kind == "sphere":
        return [0.4 * size[0] ** 2] * 3
    a, b, c = (x * x for x in size)
    return [(b + c) / 12, (a + c) / 12, (a + b) / 12]


def model_in_space(bodies, half, until, rolling=0.0):
    lines = [f"param w = {half!r}", f"gravity (0, 0, -{G})", "frame left = world at (-w, 0, 0) rotated y(pi/2)",
             "frame right = world at (w, 0, 0) rotated y(-pi/2)", "frame front = world at (0, -w, 0) rotated x(-pi/2)",
             "frame back = world at (0, w, 0) rotated x(pi/2)"]
    for i, (kind, size, at, spin) in enumerate(bodies, 1):
        lines += [f"body b[{i}] mass 1 inertia ({', '.join(map(repr, inertia(kind, size)))})",
                  f"initial pos(b[{i}]) = ({', '.join(map(repr, at))})", f"initial vel(b[{i}]) = (0, 0, 0)",
                  f"initial omega(b[{i}]) = ({', '.join(map(repr, spin))})"]
    shape = f"{bodies[0][0]}({', '.join(map(repr, bodies[0][1]))})"
    lines += [f"contacts c: among b[*] as {shape} and world as plane and left as plane and right as plane and front as plane "
              f"and back as plane with friction {MU}" +
              (f" with rolling friction {rolling} with pivoting friction {rolling}" if rolling else ""), "output E = energy()", f"run 0 .. {until!r}"]
    return lines


def rectangle(w, h):
    return [(-w / 2, -h / 2), (w / 2, -h / 2), (w / 2, h / 2), (-w / 2, h / 2)]


def spread(corners):
    """the moment of inertia of a uniform convex polygon of mass one about its centre"""
    twice = moment = 0.0
    for (a, b), (c, d) in zip(corners, corners[1:] + corners[:1]):
        cross = a * d - b * c
        twice += cross
        moment += cross * (a * a + a * c + c * c + b * b + b * d + d * d)
    return moment / (6 * twice)


def model_in_plane(bodies, until):
    """bodies: (corners, x, y, angle, spin); those with the same corners are one list"""
    lines, shapes, count = [f"gravity (0, -{G}, 0)"], [], []
    for i, (corners, x, y, a, spin) in enumerate(bodies, 1):
        if corners not in shapes:
            shapes.append(corners)
            count.append(0)
        k = shapes.index(corners)
        count[k] += 1
        J = spread(corners)
        lines += [f"coord x{i}, y{i}, a{i}", f"frame F{i} = world at (x{i}, y{i}, 0) rotated z(a{i})",
                  f"body s{k}[{count[k]}] mass 1 inertia ({J!r}, {J!r}, {J!r}) at (0, 0, 0) in F{i}", f"initial x{i} = {x!r}",
                  f"initial y{i} = {y!r}", f"initial a{i} = {a!r}", f"initial a{i}' = {spin!r}"]
    all_shapes = [f"s{k}[*] as polygon {' '.join(f'({x!r}, {y!r})' for x, y in c)}" for k, c in enumerate(shapes)]
    lines += [f"contacts c: among {' and '.join(all_shapes)} and world as segment with friction {MU}", "output E = energy()",
              f"run 0 .. {until!r}"]
    return lines


def stack(count):
    box = rectangle(1.0, 0.5)
    return [(box, 0.02 * math.sin(3 * i), 0.5 * (i + 0.5) + 0.002 * (i + 1), 0.0, 0.0) for i in range(count)]


def dominoes(count):
    box = rectangle(0.1, 1.0)
    return [(box, 0.4 * i, 0.5, 0.0, -3.0 if i == 0 else 0.0) for i in range(count)]


def card_house(levels):
    """pairs of cards that lean on each other, a plate on each level but the last"""
    long, thick, lean, apart, slack = 1.0, 0.02, math.radians(15), 0.8, 1e-6
    card, bodies, floor = rectangle(thick, long), [], 0.0
    # of half a card: what it reaches upwards, and where the corner stands at which two of them meet
    high = math.sin(lean) * thick / 2 + math.cos(lean) * long / 2
    corner = math.cos(lean) * thick / 2 + math.sin(lean) * long / 2
    for level in range(levels, 0, -1):
        for k in range(level):
            x = apart * (k - (level - 1) / 2)
            bodies += [(card, x + side * (corner + slack), floor + high + slack, side * lean, 0.0) for side in (-1, 1)]
        floor += 2 * (high + slack)
        if level > 1:
            bodies.append((rectangle(apart * (level - 1) + 0.3, thick), 0.0, floor + thick / 2 + slack, 0.0, 0.0))
            floor += thick + slack
    return bodies


def wedge():
    """a block on a wedge of 30 degrees, from which it slides down onto the floor"""
    slope, length, wide, high = math.radians(30), 2.0, 0.3, 0.2
    top = length * math.tan(slope)
    corners = [(-length / 3, -top / 3), (2 * length / 3, -top / 3), (-length / 3, 2 * top / 3)]
    # its middle is half of its height from the slope, at 0.6 of the way up
    x = (2 / 3 - 0.6) * length + high / 2 * math.sin(slope)
    y = 0.6 * top + high / 2 * math.cos(slope)
    return [(corners, 0.0, top / 3, 0.0, 0.0), (rectangle(wide, high), x, y, -slope, 0.0)]


def run_zwang(zwang, folder, lines, step, until, more=()):
    path, out = os.path.join(folder, "pile.zw"), os.path.join(folder, "pile.json")
    with open(path, "w", encoding="utf8") as f:
        f.write("\n".join(lines) + "\n")
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    try:
        done = subprocess.run([zwang, "run", path, "--step", repr(step), "--until", repr(until), "--points", str(round(until / step) + 1),
                               "--out", out, "--quiet", *more], capture_output=True, text=True, timeout=PEER_LIMIT if more else None)
    except subprocess.TimeoutExpired:
        return None, f"not done after {PEER_LIMIT} s"
    if done.returncode:
        return None, done.stderr.strip()[:300]
    track = json.load(open(out, encoding="utf8"))
    track["cpu"] = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    return track, ""


def fastest(columns):
    """the largest and the middle speed of a body at the end"""
    names = [c[:-2] for c in columns if c.endswith(".x'")]
    groups = [[f"{n}{a}'" for a in "xyz"] for n in names] or \
        [[f"x{i}'", f"y{i}'"] for i in range(1, len(columns)) if f"x{i}'" in columns]
    speeds = sorted(math.sqrt(sum(columns[c][-1] ** 2 for c in group)) for group in groups)
    return speeds[-1], speeds[len(speeds) // 2]


def tell_zwang(label, zwang, folder, lines, size, step, until, more=()):
    first, why = run_zwang(zwang, folder, lines, step, step, more)
    track, why = run_zwang(zwang, folder, lines, step, until, more) if first else (None, why)
    if not track:
        say(f"{label:22} {'zwang ' + ' '.join(more):18} failed: {why}")
        return
    contacts, steps = track["statistics"]["contacts"], round(until / step)
    spent = max(track["cpu"] - first["cpu"], 1e-9)
    energy = track["columns"]["E"]
    grows = max(b - a for a, b in zip(energy, energy[1:])) / max(map(abs, energy))
    fast, middle = fastest(track["columns"])
    rest = f"at rest from {contacts['rest']:.3g} s on" if contacts["rest"] is not None else \
        f"fastest body at the end {fast:.1e} m/s, the middle one {middle:.1e} m/s"
    say(f"{label:22} {'zwang ' + ' '.join(more):18} {(steps - 1) / spent:10.1f} {spent:9.1f} {contacts['overlap'] / size:10.1e} "
        f"{contacts['fault']:10.1e}   {rest}; largest step of the energy upwards {max(grows, 0):.1e} of it; "
        f"up to {contacts['rows']} rows, {contacts['unsolved']} of {steps} steps not to 1e-9")


def tell_peer(label, name, program, folder, scene, size, step, steps, *options):
    if not program:
        say(f"{label:22} {name:18} absent here")
        return
    path = os.path.join(folder, "pile.txt")
    with open(path, "w", encoding="utf8") as f:
        f.write(scene)
    try:
        # MuJoCo leaves a log where it is started
        done = subprocess.run([os.path.abspath(program), path, *map(str, options)], capture_output=True, text=True,
                              timeout=PEER_LIMIT, cwd=folder)
    except subprocess.TimeoutExpired:
        say(f"{label:22} {name:18} not done after {PEER_LIMIT} s")
        return
    if done.returncode:
        say(f"{label:22} {name:18} failed: {done.stderr.strip()[:200]}")
        return
    seconds, deep, laws, speed = map(float, done.stdout.split())
    say(f"{label:22} {name:18} {steps / seconds:10.1f} {seconds:9.1f} {deep / size:10.1e} {laws / (G * step):10.1e}   "
        f"fastest body at the end {speed:.1e} m/s")


def in_space(label, zwang, peers, folder, bodies, half, size, step, until):
    steps = round(until / step)
    rolling = ROLLING if bodies[0][0] == "sphere" else 0.0
    tell_zwang(label, zwang, folder, model_in_space(bodies, half, until, rolling), size, step, until)
    tell_zwang(label, zwang, folder, model_in_space(bodies, half, until), size, step, 0.1 * until, ("--contact-solver", "siconos"))
    scene = f"{step!r} {steps} {MU} {rolling!r} {half!r}\n" + "".join(
        f"{kind} {' '.join(map(repr, s + at + spin))}\n" for kind, s, at, spin in bodies)
    for iterations in (20, 500):
        tell_peer(label, f"ODE, {iterations}", peers.get("ode"), folder, scene, size, step, steps, iterations)
    # its Newton has a dense matrix of all freedoms
    solver = "Newton" if len(bodies) <= 30 else "CG"
    tell_peer(label, f"MuJoCo, {solver}", peers.get("mujoco"), folder, scene, size, step, steps, 100, solver)


def in_plane(label, zwang, peers, folder, bodies, size, step, until, siconos=False):
    steps = round(until / step)
    lines = model_in_plane(bodies, until)
    tell_zwang(label, zwang, folder, lines, size, step, until)
    if siconos:
        tell_zwang(label, zwang, folder, lines, size, step, 0.1 * until, ("--contact-solver", "siconos"))
    scene = f"{step!r} {steps} {MU}\n" + "".join(
        f"polygon {x!r} {y!r} {a!r} {spin!r} {len(corners)} {' '.join(f'{u!r} {v!r}' for u, v in corners)}\n"
        for corners, x, y, a, spin in bodies)
    for many in ((8, 3), (100, 50)):
        tell_peer(label, f"Box2D, {many[0]} and {many[1]}", peers.get("box2d"), folder, scene, size, step, steps, *many)


def wanted(label, only):
    return not only or any(part in label for part in only)


def main():
    words = [a for a in sys.argv[1:] if not a.startswith("--")]
    peers = dict(a.split("=", 1) for a in words if "=" in a)
    zwang = next((a for a in words if "=" not in a), "build/zwang")
    only = [part for a in sys.argv if a.startswith("--only=") for part in a[7:].split(",")]
    piles = SMALL + LARGE if "--all" in sys.argv else LARGE if "--large" in sys.argv else SMALL
    say(f"Piles with friction {MU}, of spheres against rolling and pivoting {ROLLING} m, on {processor()}; processor time of one core")
    say(f"{'scene':22} {'program':18} {'steps/s':>10} {'s':>9} {'overlap':>10} {'laws':>10}")
    with tempfile.TemporaryDirectory() as folder:
        in_the_plane = (("stack of 10 boxes", stack(10), 0.5, 1.0, True), ("100 dominoes", dominoes(100), 0.1, 16.0, False),
                        ("house of 12 cards", card_house(3), 0.02, 3.0, True), ("block on a wedge", wedge(), 0.2, 3.0, True))
        for label, bodies, size, until, siconos in in_the_plane:
            if wanted(label, only):
                in_plane(label, zwang, peers, folder, bodies, size, 2e-3, until, siconos)
        for kind, size, count, layer, gap, step, until in piles:
            label = f"{count} {'spheres' if kind == 'sphere' else 'boxes'}"
            if not wanted(label, only):
                continue
            bodies, half = poured(kind, count, layer, size, gap)
            in_space(label, zwang, peers, folder, bodies, half, 2 * size[0] if kind == "sphere" else min(size), step, until)


if __name__ == "__main__":
    main()
