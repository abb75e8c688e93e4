#!/usr/bin/env python3
"""Long chains of rods: cost per step and body, and Simbody and MuJoCo beside it at equal error of the energy.

  bench/chain.py ZWANG MODEL [simbody=PROGRAM] [mujoco=PROGRAM]

MODEL is models/hanging_chain.zw, the programs are those of chain_simbody.cpp and chain_mujoco.c where Simbody and
MuJoCo were found. Times are processor seconds; the cost of a step is the difference of a long and a short run, the
least of three each. Runs are timed with --quiet: otherwise each is made a second time to tell how many digits are good,
and that pass is in the time but not among the steps. MuJoCo reads chains of fewer than 100 bodies.
"""
import csv
import io
import os
import re
import resource
import subprocess
import sys

from common import ratio

ZWANG, MODEL = sys.argv[1:3]
PEERS = dict(p.split("=", 1) for p in sys.argv[3:])
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


def cost(n, until, short=0.02):
    """microseconds per step and body, and per body and millisecond of motion"""
    least = {t: min(chain(n, t, 2, "--quiet")[0] for _ in range(3)) for t in (short, until)}
    steps = {t: steps_of(chain(n, t)[1]) for t in least}
    each = (least[until] - least[short]) / n * 1e6
    return each / (steps[until] - steps[short]), each / (until - short) / 1e3


def energy_error(done):
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    energy = [float(r["E"]) for r in rows]
    return max(abs(e - energy[0]) for e in energy) / SCALE


say("Chains of rods in maximal coordinates, let go from the horizontal (models/hanging_chain.zw)")
costs = {n: cost(n, until) for n, until in ((100, 2.02), (300, 0.42), (1000, 0.12))}
for n, (step, motion) in costs.items():
    say(f"{n:5} rods: {step:.2f} us per step and body, {motion:.2f} us per millisecond of motion and body")
say(f"1000 rods cost {costs[1000][0] / costs[100][0]:.2f} x as much per step and body as 100")

setup = min(chain(10000, 1e-7, 2, "--quiet")[0] for _ in range(3))
say(f"10000 rods: {setup:.2f} s from the text to the first step")

seconds, done = chain(1000, 1, 21, "--quiet")[0], chain(1000, 1, 21)[1]
residuals = [float(x) for line in done.stderr.splitlines() for x in re.findall(r"\s(\d[\d.e+-]*)", line)
             if "hinge" in line or "others" in line or "hook" in line]
say(f"1000 rods (3000 coordinates, 2000 constraints), 1 s of motion at 1e-10: {seconds:.1f} s, {steps_of(done)} steps, "
    f"energy off by {energy_error(done):.1e}, residuals up to {max(r for r in residuals if r < 1e-6):.1e}")



def beside(name, asked, rods, seconds, tolerance, rounds):
    """a peer and zwang in turns, at tolerances where zwang's energy is no worse"""
    if name.lower() not in PEERS:
        say(f"{name}: absent here")
        return
    theirs, ours = [], []
    for _ in range(rounds):
        words = [PEERS[name.lower()], str(rods), asked, str(seconds)]
        theirs.append(subprocess.run(words, capture_output=True, text=True, check=True).stdout.split())
        ours.append(chain(rods, seconds, 21, "--tol", tolerance, "--quiet"))
    took, mine = [float(t[0]) for t in theirs], [t for t, _ in ours]
    say(f"{rods} rods, {seconds} s: {name} at {asked} {min(took):.3f} s, energy off by {float(theirs[0][1]):.1e}; zwang at {tolerance} "
        f"{min(mine):.3f} s, all included, energy off by {energy_error(ours[0][1]):.1e}: {ratio(took, mine)}")


beside("Simbody", "1e-6", 256, 2, "5e-4", 3)
beside("Simbody", "1e-8", 32, 2, "1e-6", 5)
beside("MuJoCo", "1e-3", 32, 2, "1e-5", 5)
beside("MuJoCo", "5e-4", 80, 2, "1e-4", 5)
if os.environ.get("ZWANG_RESULTS"):
    with open(os.environ["ZWANG_RESULTS"], "w", encoding="utf8") as file:
        file.write("\n".join(out) + "\nProcessor time of one core.\n")
