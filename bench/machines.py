#!/usr/bin/env python3
"""Machines of many parts: how much faster than the clock they run.

  bench/machines.py ZWANG FOLDER    (FOLDER: bench/machines)

Processor seconds of whole programs, the least of three; set-up is what `zwang check` takes.
The real-time factor is seconds of motion over processor seconds without set-up; above one the machine runs ahead of the clock.
"""
import os
import re
import resource
import subprocess
import sys

from common import say

ZWANG, FOLDER = sys.argv[1:3]
# model, seconds of motion, what it is
MACHINES = [
    ("cloth", 1, "cloth, 32 by 32 particles, springs along and across"),
    ("beam", 0.2, "beam of 500 elements, stiff at its hinges"),
    ("vehicle", 2, "car on four sprung wheels with tyres that slip"),
    ("closed_chain", 1, "closed chain of 200 links in maximal coordinates"),
]


def cpu(command, model, *options):
    """processor seconds, and what was said"""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([ZWANG, command, os.path.join(FOLDER, model + ".zw"), *options], capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    text = done.stdout + done.stderr
    if done.returncode:
        sys.exit(model + ": " + text)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, text


say("\nMachines of many parts, seconds of motion a processor second")
for model, until, what in MACHINES:
    short = min(cpu("check", model)[0] for _ in range(3))
    runs = [cpu("run", model, "--until", repr(until), "--points", "2", "--out", os.devnull) for _ in range(3)]
    seconds, text = min(runs)
    method = re.search(r"method +(\w+)", text)[1]
    steps = re.search(r"steps +(\d+)", text)[1]
    passes = 2 if re.search(r"digits +\d", text) else 1
    say(f"  {what}: set-up {short:.2f} s, {until:g} s of motion in {seconds - short:.2f} s ({method}, {steps} steps, "
        f"{'made twice for its digits' if passes == 2 else 'made once'}), real-time factor {until / (seconds - short):.3g}")
