#!/usr/bin/env python3
"""Piles of shapes with friction: steps per second, how deep shapes overlap, and how far the laws of contacts are obeyed, beside other
programs in one run.

  bench/piles.py [--large] [path of zwang] [ode=PROGRAM] [mujoco=PROGRAM] [box2d=PROGRAM]

Spheres and boxes are poured into a box without a lid; a stack and dominoes stand in the plane. --large: 1,000 spheres and 300 boxes, which
takes some minutes. With --contact-solver siconos the contact problems of the same steps are Siconos's, in a tenth of them. Overlaps are the deepest at the end of any step, over the size of a body. Laws: of zwang the largest fault of a
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
PEER_LIMIT = 300  # seconds
SPHERE, BOX = [0.05], [0.08, 0.07, 0.06]
# kind, size, count, bodies along a side of a layer, their distance, step, end
SMALL = (("sphere", SPHERE, 60, 4, 0.125, 2e-3, 1.0), ("box", BOX, 16, 4, 0.125, 2e-3, 1.0))
LARGE = (("sphere", SPHERE, 1000, 10, 0.109, 4e-3, 0.6), ("box", BOX, 300, 10, 0.11, 4e-3, 0.6))


def poured(kind, count, layer, size, gap):
    """count bodies in layers of layer by layer, each a little off its place: (kind, size, place), and half the width of the box"""
    bodies, half = [], layer * gap / 2
    for i in range(count):
        level, k = divmod(i, layer * layer)
        place = [(k % layer + 0.5) * gap - half, (k // layer + 0.5) * gap - half, 0.06 + level * gap]
        bodies.append((kind, size, [place[0] + 0.004 * math.sin(7 * i), place[1] + 0.004 * math.cos(5 * i), place[2]]))
    return bodies, half


def inertia(kind, size):
    if kind == "sphere":
        return [0.4 * size[0] ** 2] * 3
    a, b, c = (x * x for x in size)
    return [(b + c) / 12, (a + c) / 12, (a + b) / 12]


def model_in_space(bodies, half, until):
    lines = [f"param w = {half!r}", f"gravity (0, 0, -{G})", "frame left = world at (-w, 0, 0) rotated y(pi/2)",
             "frame right = world at (w, 0, 0) rotated y(-pi/2)", "frame front = world at (0, -w, 0) rotated x(-pi/2)",
             "frame back = world at (0, w, 0) rotated x(pi/2)"]
    for i, (kind, size, at) in enumerate(bodies, 1):
        lines += [f"body b[{i}] mass 1 inertia ({', '.join(map(repr, inertia(kind, size)))})",
                  f"initial pos(b[{i}]) = ({', '.join(map(repr, at))})", f"initial vel(b[{i}]) = (0, 0, 0)",
                  f"initial omega(b[{i}]) = (0, 0, 0)"]
    shape = f"{bodies[0][0]}({', '.join(map(repr, bodies[0][1]))})"
    lines += [f"contacts c: among b[*] as {shape} and world as plane and left as plane and right as plane and front as plane "
              f"and back as plane with friction {MU}", "output E = energy()", f"run 0 .. {until!r}"]
    return lines


def model_in_plane(boxes, until):
    """boxes: (width, height, x, y, angle, spin)"""
    lines = [f"gravity (0, -{G}, 0)"]
    for i, (w, h, x, y, a, spin) in enumerate(boxes, 1):
        J = (w * w + h * h) / 12
        lines += [f"coord x{i}, y{i}, a{i}", f"frame F{i} = world at (x{i}, y{i}, 0) rotated z(a{i})",
                  f"body b[{i}] mass 1 inertia ({J!r}, {J!r}, {J!r}) at (0, 0, 0) in F{i}", f"initial x{i} = {x!r}",
                  f"initial y{i} = {y!r}", f"initial a{i} = {a!r}", f"initial a{i}' = {spin!r}"]
    lines += [f"contacts c: among b[*] as box({boxes[0][0]!r}, {boxes[0][1]!r}) and world as segment with friction {MU}",
              "output E = energy()", f"run 0 .. {until!r}"]
    return lines


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
    say(f"{label:22} {'zwang ' + ' '.join(more):18} {(steps - 1) / spent:10.1f} {spent:9.1f} {contacts['overlap'] / size:10.1e} "
        f"{contacts['fault']:10.1e}   largest step of the energy upwards {max(grows, 0):.1e} of it; "
        f"up to {contacts['rows']} rows, {contacts['unsolved']} of {steps} steps not to 1e-9")


def tell_peer(label, name, program, folder, scene, size, step, steps, *options):
    if not program:
        say(f"{label:22} {name:18} absent here")
        return
    path = os.path.join(folder, "pile.txt")
    with open(path, "w", encoding="utf8") as f:
        f.write(scene)
    try:
        done = subprocess.run([program, path, *map(str, options)], capture_output=True, text=True, timeout=PEER_LIMIT)
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
    lines = model_in_space(bodies, half, until)
    tell_zwang(label, zwang, folder, lines, size, step, until)
    tell_zwang(label, zwang, folder, lines, size, step, 0.1 * until, ("--contact-solver", "siconos"))
    scene = f"{step!r} {steps} {MU} {half!r}\n" + "".join(
        f"{kind} {' '.join(map(repr, s))} {' '.join(map(repr, at))}\n" for kind, s, at in bodies)
    for iterations in (20, 500):
        tell_peer(label, f"ODE, {iterations}", peers.get("ode"), folder, scene, size, step, steps, iterations)
    # its Newton has a dense matrix of all freedoms
    solver = "Newton" if len(bodies) <= 100 else "CG"
    tell_peer(label, f"MuJoCo, {solver}", peers.get("mujoco"), folder, scene, size, step, steps, 100, solver)


def in_plane(label, zwang, peers, folder, boxes, size, step, until, siconos=False):
    steps = round(until / step)
    lines = model_in_plane(boxes, until)
    tell_zwang(label, zwang, folder, lines, size, step, until)
    if siconos:
        tell_zwang(label, zwang, folder, lines, size, step, 0.1 * until, ("--contact-solver", "siconos"))
    scene = f"{step!r} {steps} {MU}\n" + "".join(f"box {' '.join(map(repr, b))}\n" for b in boxes)
    for many in ((8, 3), (100, 50)):
        tell_peer(label, f"Box2D, {many[0]} and {many[1]}", peers.get("box2d"), folder, scene, size, step, steps, *many)


def main():
    words = [a for a in sys.argv[1:] if not a.startswith("--")]
    peers = dict(a.split("=", 1) for a in words if "=" in a)
    zwang = next((a for a in words if "=" not in a), "build/zwang")
    large = "--large" in sys.argv
    say(f"Piles with friction {MU} on {processor()}; processor time of one core")
    say(f"{'scene':22} {'program':18} {'steps/s':>10} {'s':>9} {'overlap':>10} {'laws':>10}")
    with tempfile.TemporaryDirectory() as folder:
        stack = [(1.0, 0.5, 0.02 * math.sin(3 * i), 0.5 * (i + 0.5) + 0.002 * (i + 1), 0.0, 0.0) for i in range(10)]
        in_plane("stack of 10 boxes", zwang, peers, folder, stack, 0.5, 2e-3, 1.0, siconos=True)
        row = [(0.1, 1.0, 0.4 * i, 0.5, 0.0, -3.0 if i == 0 else 0.0) for i in range(100)]
        in_plane("100 dominoes", zwang, peers, folder, row, 0.1, 2e-3, 4.0)
        for kind, size, count, layer, gap, step, until in LARGE if large else SMALL:
            bodies, half = poured(kind, count, layer, size, gap)
            name = "spheres" if kind == "sphere" else "boxes"
            in_space(f"{count} {name}", zwang, peers, folder, bodies, half, 2 * size[0] if kind == "sphere" else min(size), step, until)


if __name__ == "__main__":
    main()
