#!/usr/bin/env python3
"""A gas of hard discs, event by event: the time of an impact, beside the same written by hand in C.

Writes models of N discs that bounce in a box without loss (`contacts among`), runs them with the method flights over some
1e5 impacts, and the program bench/gas_hand from the same start. Processor time of one core, the way to the first step taken
away; the two gases part after some impacts of each disc, as any two do that differ by a rounding.

  bench/gas.py [path of zwang [path of gas_hand]]
"""
import json
import math
import os
import resource
import statistics
import subprocess
import sys
import tempfile

from common import processor, say, spread

ROUNDS = 7


def model(n):
    side = math.ceil(math.sqrt(n))
    places = "\n".join(f"initial x[{i + 1}] = {(i % side + 0.5) / side!r}\ninitial y[{i + 1}] = {(i // side + 0.5) / side!r}"
                       for i in range(n))
    return f"""param r = {0.25 / side!r}
for i in 1..{n} {{
  coord x[i], y[i]
  particle d[i] mass 1 = (x[i], y[i], 0) in world
  initial x[i]' = sin(3*i)
  initial y[i]' = cos(7*i)
}}
{places}
frame floor = world at (0, 0, 0)
frame top = world at (0, 1, 0) rotated z(pi)
frame left = world at (0, 0, 0) rotated z(-pi/2)
frame right = world at (1, 0, 0) rotated z(pi/2)
contacts gas: among d[*] as circle(r) and floor as segment and top as segment and left as segment and right as segment with restitution 1
integral E = energy()
method flights
"""


def run(zwang, path, until, out):
    """Processor time of one run; a table of plain rows is written without a second pass that tells its digits."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run([zwang, "run", path, "--until", repr(until), "--points", "2", "--out", out, "--quiet"], check=True, timeout=600)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def measure(zwang, hand, folder, n, until):
    path, out = os.path.join(folder, f"gas{n}.zw"), os.path.join(folder, "track.json")
    with open(path, "w", encoding="utf8") as f:
        f.write(model(n))
    run(zwang, path, until, out)
    with open(out, encoding="utf8") as f:
        found = json.load(f)["statistics"]
    each, theirs, plain = [], [], os.path.join(folder, "track.csv")
    for _ in range(ROUNDS):
        each.append(1e6 * (run(zwang, path, until, plain) - run(zwang, path, 1e-6, plain)) / found["impacts"])
        done = subprocess.run([hand, str(n), repr(until)], capture_output=True, text=True, check=True, timeout=600)
        theirs.append([float(word) for word in done.stdout.split()])
    ratio = statistics.median(a / b[1] for a, b in zip(each, theirs))
    say(f"{n:5} discs {found['impacts']:7} impacts: {spread(each, 2, ' us')} an impact, energy off by {found['energy']['relative']:.1e}; "
        f"by hand {spread([b[1] for b in theirs], 2, ' us')}, {max(abs(b[2]) for b in theirs):.1e}; ratio {ratio:.1f}")


def main():
    zwang = sys.argv[1] if len(sys.argv) > 1 else "build/zwang"
    hand = sys.argv[2] if len(sys.argv) > 2 else os.path.join(os.path.dirname(zwang), "bench", "gas_hand")
    say(f"Gas of hard discs, impact by impact, on {processor()}")
    with tempfile.TemporaryDirectory() as folder:
        for n, until in ((10, 3000.0), (100, 100.0), (1000, 3.5)):
            measure(zwang, hand, folder, n, until)


if __name__ == "__main__":
    main()
