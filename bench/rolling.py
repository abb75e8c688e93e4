#!/usr/bin/env python3
"""rolling.py ZWANG MODEL [NAME=PROGRAM ...]: a ball rolls down a slope for 2 s, beside MuJoCo, ODE and Simbody where they
were found; the error is that of the distance against its closed form. Processor time, in turns:
of the peers the steps alone, of zwang the whole process from the text to the table."""
import json, math, os, platform, resource, subprocess, sys, tempfile

from common import processor, ratio, say, spread

ROUNDS, END = 9, 2.0
EXACT = 5 / 14 * 9.81 * math.sin(0.3) * END ** 2
# how the peers are asked: their step, or the accuracy of Simbody
ASK = {"mujoco": ("step", (1e-2, 1e-3, 1e-4)), "ode": ("step", (1e-2, 1e-3, 1e-4)),
       "simbody": ("accuracy", (1e-3, 1e-6, 1e-9))}


def zwang(program, model, folder):
    """processor seconds of the whole process, and the distance"""
    out = os.path.join(folder, "track.json")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([program, "run", model, "--points", "2", "--out", out, "--quiet"], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    with open(out, encoding="utf8") as f:
        x = json.load(f)["columns"]["x"][-1]
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, x


def peer(program, asked):
    words = subprocess.run([program, repr(asked), repr(END)], check=True, capture_output=True, text=True).stdout.split()
    return float(words[0]), float(words[1])


def main(program, model, *peers):
    say("\nA ball rolls down a slope, 2 s")
    say(f"  {processor()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    with tempfile.TemporaryDirectory(prefix="zwang-bench-") as folder:
        ours, x = zip(*(zwang(program, model, folder) for _ in range(ROUNDS)))
        say(f"    {'zwang':<26} off by {abs(x[0] - EXACT):.1e} m   {spread([1e3 * t for t in ours], 3, ' ms')}")
        for name, found in (p.split("=", 1) for p in peers):
            what, list_asked = ASK[name]
            for asked in list_asked:
                theirs, ours, x = [], [], EXACT
                for _ in range(ROUNDS):
                    seconds, x = peer(found, asked)
                    theirs.append(seconds)
                    ours.append(zwang(program, model, folder)[0])
                say(f"    {f'{name}, {what} {asked:g}':<26} off by {abs(x - EXACT):.1e} m   "
                    f"{spread([1e3 * t for t in theirs], 3, ' ms')}, {ratio(theirs, ours, 2)}")
    for name in ASK:
        if not any(p.startswith(name + "=") for p in peers):
            say(f"    {name}: absent here")


main(*sys.argv[1:])
