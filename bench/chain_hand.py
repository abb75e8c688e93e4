#!/usr/bin/env python3
"""Chains of rods in the angles between neighbours beside C written by hand, both in proportion to their number.

  bench/chain_hand.py ZWANG MODEL PROGRAM [N ...]

MODEL is bench/chain_relative.zw, PROGRAM that of chain_hand.c (order 8). For tolerances from 1e-7 on each gives a time and an
error of the end state, against a run of zwang at 1e-13; compared is the least time whose error is at most 1e-9. Times are
processor seconds of the motion: of zwang the difference of a run and one of a moment, which is the set-up, shown beside it.
"""
import csv, io, resource, subprocess, sys

from common import processor, say

ZWANG, MODEL, PROGRAM = sys.argv[1:4]
SIZES = [int(n) for n in sys.argv[4:]] or [16, 64, 256]
TOLERANCES = ["1e-7", "1e-8", "1e-9", "1e-10", "1e-11"]
ROUNDS = 5


def run(n, tolerance, until):
    """processor seconds, the end state"""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run([ZWANG, "run", MODEL, "--set", f"N={n}", "--until", until, "--tol", tolerance, "--points", "2", "--out", "-",
                           "--quiet"], capture_output=True, text=True, check=True)
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    rows = list(csv.reader(io.StringIO(done.stdout)))
    end = dict(zip(rows[0], rows[-1]))
    return seconds, [float(end[f"q[{i}]"]) for i in range(1, n + 1)]


def ours(n, tolerance):
    short = min(run(n, tolerance, "1e-6")[0] for _ in range(ROUNDS))
    long = [run(n, tolerance, "1") for _ in range(ROUNDS)]
    return max(min(t for t, _ in long) - short, 0), long[0][1], short


def theirs(n, tolerance):
    done = subprocess.run([PROGRAM, str(n), "1", tolerance, str(ROUNDS)], capture_output=True, text=True, check=True).stdout.split()
    return float(done[0]), [float(x) for x in done[2:2 + n]]


def apart(a, b):
    return max(abs(x - y) for x, y in zip(a, b))


say(f"\nChains of rods in the angles between neighbours, one second from the horizontal, to 1e-9; {processor()}")
for n in SIZES:
    true = run(n, "1e-13", "1")[1]
    best = {}
    for tolerance in TOLERANCES:
        mine, hand = ours(n, tolerance), theirs(n, tolerance)
        for who, got in (("zwang", mine), ("C", hand)):
            if apart(got[1], true) <= 1e-9 and got[0] < best.get(who, (float("inf"),))[0]:
                best[who] = (got[0], tolerance, got[2] if len(got) > 2 else 0)
    if len(best) < 2:
        say(f"  {n:4} rods: one of both does not reach 1e-9")
        continue
    a, b = best["zwang"], best["C"]
    say(f"  {n:4} rods: zwang {1e3 * a[0]:.1f} ms (at {a[1]}; set-up {1e3 * a[2]:.0f} ms), C {1e3 * b[0]:.1f} ms (at {b[1]}): "
        f"{a[0] / b[0]:.2f} times")
