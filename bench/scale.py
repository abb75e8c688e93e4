#!/usr/bin/env python3
"""How sweeps scale over threads and ranks on one machine: best of three, what a sweep of 100 runs takes (the start of the
program and of the ranks) taken off, and the speed-up over one. Beside them as many programs of one thread as there would be
threads, each with its share of the runs: they have nothing in common but the machine, and what they do not gain is its doing.

scale.py PROGRAM SKATER [MOST]   (at most so many threads or ranks; all cores unless said)
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


def apart(title, runs, words):
    counts = [n for n in (1, 2, 4, 8, 16, 32, 64) if n <= MOST]
    print(f"{title}: {runs} runs in all, a program of one thread for each share")
    with tempfile.TemporaryDirectory() as folder:
        took = {}
        for n in counts:
            for share in (100, runs // n):
                least = float("inf")
                for _ in range(3):
                    began = time.time()
                    each = [subprocess.Popen([PROGRAM, "sweep", SKATER, *words, "--sobol", str(share), "--threads", "1", "--quiet",
                                              "--out", os.path.join(folder, f"{k}.csv")], env=ENV) for k in range(n)]
                    if any([p.wait() for p in each]):
                        sys.exit("a sweep failed")
                    least = min(least, time.time() - began)
                took[n, share == 100] = least
            t, one = took[n, False] - took[n, True], took[1, False] - took[1, True]
            print(f"  {n:3d}: {t:7.3f} s behind a start of {took[n, True]:.3f} s, speed-up {one / t:.2f}", flush=True)


def table(title, runs, words, layout):
    counts = [n for n in (1, 2, 4, 8, 16, 32, 64) if n <= MOST]
    with tempfile.TemporaryDirectory() as folder:
        start = {n: best(*layout(n, [*words, "--sobol", "100"]), folder)[0] for n in counts}
        took = {n: best(*layout(n, [*words, "--sobol", str(runs)]), folder) for n in counts}
    size = took[counts[0]][1]
    print(f"{title}: {runs} runs, {size / runs:.0f} bytes a run")
    for n in counts:
        t = took[n][0] - start[n]
        one = took[counts[0]][0] - start[counts[0]]
        print(f"  {n:3d}: {t:7.3f} s behind a start of {start[n]:.3f} s, {runs / t:10.4g} runs/s, {size / t / 1e6:6.1f} MB/s, "
              f"speed-up {one / t:.2f}", flush=True)


def threads(n, words):
    return [], [*words, "--threads", str(n)]


def ranks(n, words):
    return ["mpirun", "-n", str(n)], [*words, "--threads", "1"]


apart("lanes", 2000000, LANES)
apart("one by one (gauss16)", ONE_BY_ONE, [*LANES, "--method", "gauss16"])
table("lanes, threads", 2000000, LANES, threads)
table("one by one (taylor), threads", ONE_BY_ONE, [*LANES, "--method", "taylor"], threads)
table("one by one (gauss16), threads", ONE_BY_ONE, [*LANES, "--method", "gauss16"], threads)
if shutil.which("mpirun"):
    table("lanes, ranks of one thread", 2000000, LANES, ranks)
    table("one by one (taylor), ranks of one thread", ONE_BY_ONE, [*LANES, "--method", "taylor"], ranks)
