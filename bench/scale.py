#!/usr/bin/env python3
"""How sweeps scale over threads and ranks on one machine: best of three, what a sweep of 100 runs takes (the start of the
program and of the ranks) taken off, and the speed-up over one.

scale.py PROGRAM SKATER [MOST]   (at most so many threads or ranks; all cores unless said)

Cores of one machine share clock rate and caches with each other and with strangers. So beside the threads stand as many
programs of one thread each, started together, with the same runs divided among them: they share nothing that is ours, and
what they gain is what the machine gives.
"""
import os, shutil, subprocess, sys, tempfile, time

PROGRAM, SKATER = (os.path.abspath(a) for a in sys.argv[1:3])
MOST = int(sys.argv[3]) if len(sys.argv) > 3 else os.cpu_count()
ONE_BY_ONE = 100000  # a tenth of a second on many cores
LANES = ["--over", "m=5..9", "--results", "xi", "--tol", "1e-7"]
ENV = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1")


def best(before, words, folder):
    least = float("inf")
    for _ in range(3):
        out = os.path.join(folder, "t.csv")
        if os.path.exists(out):
            os.remove(out)
        began = time.time()
        subprocess.run([*before, PROGRAM, "sweep", SKATER, *words, "--quiet", "--out", out], env=ENV, check=True)
        least = min(least, time.time() - began)
    return least, os.path.getsize(out)


def apart(n, words, runs, folder):
    """seconds of n programs at once, each with its part of the runs"""
    least = float("inf")
    for _ in range(3):
        began = time.time()
        beside = [subprocess.Popen([PROGRAM, "sweep", SKATER, *words, "--sobol", str(runs // n), "--threads", "1", "--quiet",
                                    "--out", os.path.join(folder, f"t{i}.csv")]) for i in range(n)]
        if any([program.wait() for program in beside]):
            sys.exit("a sweep failed")
        least = min(least, time.time() - began)
    return least


def table(title, runs, words, layout):
    counts = [n for n in (1, 2, 4, 8, 16, 32, 64) if n <= MOST]
    with tempfile.TemporaryDirectory() as folder:
        start = {n: best(*layout(n, [*words, "--sobol", "100"]), folder)[0] for n in counts}
        took = {n: best(*layout(n, [*words, "--sobol", str(runs)]), folder) for n in counts}
        programs = {n: apart(n, words, runs, folder) for n in counts} if layout is threads else {}
    size = took[counts[0]][1]
    print(f"{title}: {runs} runs, {size / runs:.0f} bytes a run")
    for n in counts:
        t = took[n][0] - start[n]
        one = took[counts[0]][0] - start[counts[0]]
        gain = f", of {n} programs apart {programs[counts[0]] / programs[n]:.2f}" if n in programs else ""
        print(f"  {n:3d}: {t:7.3f} s behind a start of {start[n]:.3f} s, {runs / t:10.4g} runs/s, {size / t / 1e6:6.1f} MB/s, "
              f"speed-up {one / t:.2f}{gain}", flush=True)


def threads(n, words):
    return [], [*words, "--threads", str(n)]


def ranks(n, words):
    return ["mpirun", "-n", str(n)], [*words, "--threads", "1"]


table("lanes, threads", 2000000, LANES, threads)
table("one by one (taylor), threads", ONE_BY_ONE, [*LANES, "--method", "taylor"], threads)
table("one by one (gauss16), threads", ONE_BY_ONE, [*LANES, "--method", "gauss16"], threads)
if shutil.which("mpirun"):
    table("lanes, ranks of one thread", 2000000, LANES, ranks)
    table("one by one (taylor), ranks of one thread", ONE_BY_ONE, [*LANES, "--method", "taylor"], ranks)
