#!/usr/bin/env python3
"""Sweeps on a GPU beside all cores of the same machine, both into binary tables: agreement, speed, share of the peak.

gpu.py PROGRAM MODELS [PEAK [FOLDER]]   folder of models, double-precision peak of the GPU in TFLOP/s, folder for tables (20 GB)

Tables of hundreds of millions of runs are limited by how fast the folder gives pages of memory; a tmpfs mounted with huge=always gives
them many times faster than one without. What the folder is is told first.
"""
import os, re, shutil, struct, subprocess, sys, tempfile, time

PROGRAM, MODELS = os.path.abspath(sys.argv[1]), sys.argv[2]
PEAK = float(sys.argv[3]) if len(sys.argv) > 3 else None
FOLDER = sys.argv[4] if len(sys.argv) > 4 else None
CORES = len(os.sched_getaffinity(0))
SWING = """model "Swing"
param L = 1, g = 9.81, c = 0.2
coord phi
frame arm = world rotated z(phi)
particle bob mass 1 = (0, -L, 0) in arm
gravity (0, -g, 0)
force phi = -c*phi'
initial phi = 1
event low: phi = 0 rising report
event turn: phi' = 0 report
event enough: t = 4 rising stop
run 0 .. 10
"""


def sweep(folder, model, words, *more):
    """what was told, the time it took, and where the table is"""
    path = os.path.join(folder, "table.npy")
    began = time.time()
    done = subprocess.run([PROGRAM, "sweep", model, *words, *more, "--out", path], text=True, capture_output=True)
    took = time.time() - began
    if done.returncode:
        sys.exit(done.stderr)
    return done.stderr, took, path


def numbers(folder, model, words, *more):
    _, _, path = sweep(folder, model, words, *more)
    with open(path, "rb") as file:
        bytes = file.read()
    os.unlink(path)
    before = 10 + struct.unpack("<H", bytes[8:10])[0]
    return struct.unpack(f"<{(len(bytes) - before) // 8}d", bytes[before:])


def agreement(folder, model, words):
    worst = 0
    for a, b in zip(numbers(folder, model, words, "--device", "gpu"), numbers(folder, model, words)):
        if a != b and not (a != a and b != b):
            worst = max(worst, abs(a - b) / (1 + abs(b)))
    return worst


def quickest(folder, model, words, count, *more):
    """of two sweeps: what was told, and the time"""
    best = None
    for _ in range(2):
        told, took, path = sweep(folder, model, [*words, "--sobol", str(count)], *more)
        os.unlink(path)
        if best is None or took < best[1]:
            best = told, took
    return best


COUNTED = {"dadd": 1, "dmul": 1, "dfma": 2}
PIPE = "sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_elapsed"


def by_counters(folder, model, words, runs=1000000):
    """operations in double precision of a run as the GPU counts them, and the share of its double pipe's time that launches
    take one at a time; None without NVIDIA's ncu"""
    ncu = shutil.which("ncu")
    if not ncu:
        return None
    names = {f"smsp__sass_thread_inst_executed_op_{op}_pred_on.sum": weight for op, weight in COUNTED.items()}
    path = os.path.join(folder, "counted.npy")
    done = subprocess.run([ncu, "--clock-control", "none", "--metrics", ",".join([*names, PIPE]), PROGRAM, "sweep", model, *words,
                           "--sobol", str(runs), "--device", "gpu", "--quiet", "--out", path], text=True, capture_output=True)
    if done.returncode:
        return None
    os.unlink(path)
    sums, busy = 0, []
    for name, value in re.findall(r"^ +(s\w+\.[\w.]+) +\S+ +([\d.,]+) *$", done.stdout, re.M):
        value = float(value.replace(",", ""))
        sums += names.get(name, 0) * value
        busy += [value] if name == PIPE else []
    return sums / runs, sorted(busy)[len(busy) // 2]


def tell_counted(folder, model, words, runs_a_second):
    counted = by_counters(folder, model, words)
    if not counted:
        print("  operations not counted by the GPU itself: ncu is not to be had here", flush=True)
        return
    rate = counted[0] * runs_a_second / 1e12
    share = f", {100 * rate / PEAK:.1f} % of {PEAK:g}" if PEAK else ""
    print(f"  by the GPU's own counters {counted[0]:.0f} additions and multiplications a run: {rate:.3g} TFLOP/s{share}; its double "
          f"pipe is busy {counted[1]:.0f} % of a launch", flush=True)


def compare(folder, title, name, words, counts, state):
    """counts: runs on the GPU and on the processor; state: components of the state"""
    model = name if os.path.isabs(name) else os.path.join(MODELS, name + ".zw")
    on_gpu, on_cores = counts
    print(f"\n{title}")
    worst = agreement(folder, model, [*words, "--sobol", "20000"])
    print(f"  largest difference between GPU and processor in 20000 runs, relative: {worst:.2g}")
    told, took = quickest(folder, model, words, on_gpu, "--device", "gpu")
    _, cores = quickest(folder, model, words, on_cores)
    _, start = quickest(folder, model, words, 1000, "--device", "gpu")
    say = re.search(r"program made in ([\d.e+-]+) s, runs in ([\d.e+-]+) s, (\d+) steps tried, (\d+) operations", told)
    made, seconds, steps, operations = map(float, say.groups())
    print(f"  {on_gpu} runs in {took:.3g} s into a binary table, {on_gpu / took:.4g} a second end to end (of it {start:.2g} s to start)")
    print(f"  {CORES} cores: {on_cores} runs in {cores:.3g} s, {on_cores / cores:.4g} a second; ratio {on_gpu / took / (on_cores / cores):.1f}")
    print(f"  in the kernel: made in {made:.2g} s, {seconds:.4g} s, {on_gpu / seconds:.4g} runs a second, {steps / on_gpu:.1f} steps tried a run")
    # a trial: twelve rates, and for each component 111 operations of the stages, 29 of the sum, 40 of the error
    work = steps * (12 * operations + 180 * state)
    share = f", {100 * work / seconds / PEAK / 1e12:.1f} % of {PEAK:g}" if PEAK else ""
    print(f"  at least {work / seconds / 1e12:.3g} TFLOP/s{share}, each sine with its cosine as one operation", flush=True)
    tell_counted(folder, model, words, on_gpu / seconds)


def mounted(folder):
    """the line of /proc/mounts that the folder lies in"""
    with open("/proc/mounts", encoding="utf8") as file:
        lines = [line.split() for line in file]
    path = os.path.realpath(folder)
    inside = [words for words in lines if (path + "/").startswith(words[1].rstrip("/") + "/")]
    return " ".join(max(inside, key=lambda words: len(words[1]))[2:4])


with tempfile.TemporaryDirectory(dir=FOLDER) as place:
    print(f"Tables in {mounted(place)}")
    swing = os.path.join(place, "swing.zw")
    with open(swing, "w") as model_file:
        model_file.write(SWING)
    compare(place, "Skater, 15 s, tolerance 1e-7 (true error below 1e-8)", "skater_benchmark",
            ["--over", "m=5..9", "--over", "k1=0.2..1", "--results", "xi,eta,theta", "--tol", "1e-7"], (400000000, 20000000), 5)
    compare(place, "Double pendulum, 1 s, tolerance 1e-8", "double_pendulum",
            ["--over", "L=0.4..0.6", "--over", "g=9..10", "--results", "phi1,phi2", "--tol", "1e-8", "--until", "1"], (50000000, 3000000), 4)
    compare(place, "Pendulum with events located, 4 s, tolerance 1e-8", swing,
            ["--over", "L=0.3..0.7", "--over", "c=0.1..0.3", "--results", "phi,time(low,2),time(turn,3),count(turn)", "--tol", "1e-8"],
            (20000000, 50000), 2)
    compare(place, "Rolling disc, 2 s", "rolling_disc", ["--over", "m=3..4", "--results", "q1,q2,q3,x,y"], (10000000, 200000), 8)
    compare(place, "Pendulum with a constraint, 10 s", "pendulum", ["--over", "m=1..2", "--results", "x,y"], (10000000, 400000), 4)
    compare(place, "Ball that bounces, 6 s", "bouncing_ball", ["--over", "g=9..10", "--results", "h"], (20000000, 100000), 2)
