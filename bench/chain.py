#!/usr/bin/env python3
"""Long chains of rods: cost per step and body, and Simbody beside it at equal error of the energy.

  bench/chain.py ZWANG MODEL [SIMBODY]

MODEL is models/hanging_chain.zw, SIMBODY the program of chain_simbody.cpp where Simbody was found. Times are
processor seconds, the least of three runs; the cost of a step is the difference of a long and a short run.
"""
import csv
import io
import os
import re
import resource
import subprocess
import sys

ZWANG, MODEL = sys.argv[1:3]
SIMBODY = sys.argv[3] if len(sys.argv) > 3 else None
SCALE = 5 * 9.81 * 5  # J: the whole chain falling by half its length
out = []


def say(text):
    print(text, flush=True)
    out.append(text)


def cpu(command):
    """processor seconds and what was printed"""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done


def chain(n, until, points=2, *options):
    return cpu([ZWANG, "run", MODEL, "--set", f"N={n}", "--until", str(until), "--points", str(points), "--out", "-", *options])


def steps_of(done):
    return int(re.search(r"steps +(\d+)", done.stderr)[1])


def cost(n, until):
    """microseconds per step and body"""
    short, long = [[chain(n, t) for _ in range(3)] for t in (0.02, until)]
    seconds = min(t for t, _ in long) - min(t for t, _ in short)
    return seconds / (steps_of(long[0][1]) - steps_of(short[0][1])) / n * 1e6


def energy_error(done):
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    energy = [float(r["E"]) for r in rows]
    return max(abs(e - energy[0]) for e in energy) / SCALE


say("Chains of rods in maximal coordinates, let go from the horizontal (models/hanging_chain.zw)")
costs = {n: cost(n, until) for n, until in ((100, 2.02), (300, 0.42), (1000, 0.12))}
for n, c in costs.items():
    say(f"{n:5} rods: {c:.2f} us per step and body")
say(f"1000 rods cost {costs[1000] / costs[100]:.2f} x as much per step and body as 100")

seconds, done = chain(1000, 1, 21)
residuals = [float(x) for line in done.stderr.splitlines() for x in re.findall(r"\s(\d[\d.e+-]*)", line)
             if "hinge" in line or "others" in line or "hook" in line]
say(f"1000 rods (3000 coordinates, 2000 constraints), 1 s of motion at 1e-10: {seconds:.1f} s, {steps_of(done)} steps, "
    f"energy off by {energy_error(done):.1e}, residuals up to {max(r for r in residuals if r < 1e-6):.1e}")

if SIMBODY:
    ours, theirs = [], []
    for _ in range(3):
        theirs.append(subprocess.run([SIMBODY, "256", "1e-6", "2"], capture_output=True, text=True, check=True).stdout.split())
        ours.append(chain(256, 2, 21, "--tol", "5e-4"))
    peer = min(float(t[0]) for t in theirs)
    mine = min(t for t, _ in ours)
    say(f"256 rods, 2 s: Simbody 3.7 at 1e-6 {peer:.2f} s, energy off by {float(theirs[0][1]):.1e}; zwang at 5e-4 {mine:.2f} s, "
        f"all included, energy off by {energy_error(ours[0][1]):.1e}: {peer / mine:.1f} x faster")
else:
    say("Simbody: absent here (bench/setup.sh)")
if os.environ.get("ZWANG_RESULTS"):
    with open(os.environ["ZWANG_RESULTS"], "w", encoding="utf8") as file:
        file.write("\n".join(out) + "\nProcessor time of one core, the least of three runs; the machine was busy.\n")
