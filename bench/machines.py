#!/usr/bin/env python3
"""Machines of many parts: how much faster than the clock they run, beside Simbody and MuJoCo where they can.

  bench/machines.py ZWANG FOLDER [simbody=PROGRAM] [mujoco=PROGRAM]    (FOLDER: bench/machines)

Processor seconds of whole programs, the least of three; set-up is what `zwang check` takes. Runs are timed with --quiet:
otherwise each is made a second time to tell how many digits are good. The real-time factor is seconds of motion over
processor seconds without set-up; above one the machine runs ahead of the clock. The programs are those of
machines_simbody.cpp and machines_mujoco.c; their time is that of the motion alone, and what they are off by at the end is
measured, as zwang's own, against zwang at a thousandth of its tolerance. Beside each peer stands zwang at the loosest
tolerance, of powers of ten, at which it is off by no more than the peer: times of motions as good as each other, but for what zwang
is better.
"""
import csv
import io
import os
import re
import resource
import subprocess
import sys
import types

from common import say

ZWANG, FOLDER = sys.argv[1:3]
PEERS = dict(p.split("=", 1) for p in sys.argv[3:])
# model, seconds of motion, what it is, the column compared at the end, and peers with their words
MACHINES = [
    ("cloth", 1, "cloth, 32 by 32 particles, springs along and across", "z[32][32]",
     [("MuJoCo", ["32", "5e-4", "1"]), ("MuJoCo", ["32", "1e-4", "1"])]),
    ("beam", 0.2, "beam of 500 elements, stiff at its hinges", "sag",
     [("Simbody", ["beam", "500", "1e-4", "0.2"]), ("Simbody", ["beam", "500", "1e-6", "0.2"])]),
    ("vehicle", 2, "car on four sprung wheels with tyres that slip", "height", []),
    ("closed_chain", 1, "closed chain of 200 links in maximal coordinates", "low",
     [("Simbody", ["closed", "200", "1e-6", "1"]), ("Simbody", ["closed", "200", "1e-8", "1"])]),
]


def cpu(command, model, *options):
    """processor seconds, and what was put out and said"""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([ZWANG, command, os.path.join(FOLDER, model + ".zw"), *options], capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        sys.exit(model + ": " + done.stdout + done.stderr)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout, done.stderr


def run(model, until, *options):
    return cpu("run", model, "--until", repr(until), "--points", "2", "--out", "-", *options)


def end_of(done, column):
    return float(list(csv.DictReader(io.StringIO(done[1])))[-1][column])


def timed(machine, *options):
    """the least processor seconds of three runs, without set-up, and what it is off by at the end"""
    least = min((run(machine.model, machine.until, "--quiet", *options) for _ in range(3)), key=lambda done: done[0])
    return least[0] - machine.short, abs(end_of(least, machine.column) - machine.truth)


def as_good(machine, off):
    """tolerance, seconds and what it is off by, at the loosest tolerance at which it is off by no more"""
    for power in range(2, 13):
        if power not in machine.by_power:
            machine.by_power[power] = timed(machine, "--tol", f"1e-{power}")
        if machine.by_power[power][1] <= off:
            return power, *machine.by_power[power]
    return None


def beside(machine, name, words):
    if name.lower() not in PEERS:
        say(f"    {name}: absent here")
        return
    until = machine.until
    took, steps, end = subprocess.run([PEERS[name.lower()], *words], capture_output=True, text=True, check=True).stdout.split()
    off = abs(float(end) - machine.truth)
    say(f"    {name} at {words[-2]}: {float(took):.2f} s ({steps} steps), off by {off:.1e} at the end, "
        f"real-time factor {until / float(took):.3g}")
    like = as_good(machine, off)
    if like:
        say(f"      zwang as good as that: {like[1]:.2f} s at 1e-{like[0]}, off by {like[2]:.1e}, real-time factor "
            f"{until / like[1]:.3g}, {float(took) / like[1]:.3g} times as fast")


say("\nMachines of many parts, seconds of motion a processor second")
for model, until, what, column, peers in MACHINES:
    short = min(cpu("check", model)[0] for _ in range(3))
    told = run(model, until)[2]
    method = re.search(r"method +(\w+)", told)[1]
    steps = re.search(r"steps +(\d+)", told)[1]
    tolerance = float(re.search(r"tolerance ([\d.e+-]+)", told)[1])
    truth = end_of(run(model, until, "--quiet", "--tol", repr(tolerance / 1000)), column)
    machine = types.SimpleNamespace(model=model, until=until, column=column, short=short, truth=truth, by_power={})
    seconds, off = timed(machine)
    say(f"  {what}: set-up {short:.2f} s, {until:g} s of motion at {tolerance:g} in {seconds:.2f} s ({method}, {steps} steps), "
        f"off by {off:.1e} at the end, real-time factor {until / seconds:.3g}")
    for name, words in peers:
        beside(machine, name, words)
