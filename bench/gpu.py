#!/usr/bin/env python3
"""Sweeps on a GPU beside one core and all cores of the same machine; agreement, speed, share of the peak.

gpu.py PROGRAM MODELS [PEAK [BENCH]]   folder of models, double-precision peak of the GPU in TFLOP/s, and bench_sweep for
the rate of one core without files
"""
import csv, os, re, subprocess, sys, tempfile, time

PROGRAM, MODELS = os.path.abspath(sys.argv[1]), sys.argv[2]
PEAK = float(sys.argv[3]) if len(sys.argv) > 3 else None
BENCH = os.path.abspath(sys.argv[4]) if len(sys.argv) > 4 else None
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


def sweep(model, words, *more):
    began = time.time()
    done = subprocess.run([PROGRAM, "sweep", model, *words, *more], text=True, capture_output=True)
    took = time.time() - began
    if done.returncode:
        sys.exit(done.stderr)
    return done, took


def rows(model, words, *more):
    done, _ = sweep(model, words, *more, "--out", "-", "--quiet")
    return list(csv.DictReader(done.stdout.splitlines()))


def agreement(model, words):
    worst = 0
    for a, b in zip(rows(model, words, "--device", "gpu"), rows(model, words)):
        for name in a:
            if name not in ("quality", "reason") and a[name] != b[name]:
                worst = max(worst, abs(float(a[name]) - float(b[name])) / (1 + abs(float(b[name]))))
    return worst


def processor_rate(model, words, threads):
    """runs a second with CSV, the start of the program taken off"""
    more = ["--threads", str(threads), "--out", os.devnull]
    start = min(sweep(model, [*words, "--sobol", "100"], *more)[1] for _ in range(3))
    runs, took = 1000, 0
    while took < 0.5:
        runs *= 4
        took = min(sweep(model, [*words, "--sobol", str(runs)], *more)[1] for _ in range(2)) - start
    return runs / took


def compare(title, model, words, state, count):
    """state: components of the state, for the number of operations of a step"""
    print(f"\n{title}")
    print(f"  largest difference between GPU and processor in 1000 runs, relative: {agreement(model, [*words, '--sobol', '1000']):.2g}")
    one, all_cores = processor_rate(model, words, 1), processor_rate(model, words, os.cpu_count())
    done, took = sweep(model, [*words, "--sobol", str(count)], "--device", "gpu", "--out", os.devnull)
    told = re.search(r"(.*): program made in ([\d.e+-]+) s, runs in ([\d.e+-]+) s, (\d+) steps tried, (\d+) operations", done.stderr)
    name, made, seconds, steps, operations = told.group(1), *map(float, told.groups()[1:])
    name = name.split("note: ")[-1]
    rate = count / seconds
    print(f"  {name}: program made in {made:.2f} s; {count} runs in {seconds:.4g} s of the GPU, {took:.3g} s in all with CSV")
    print(f"  {rate:.4g} trajectories a second on the GPU, {count / took:.4g} end to end")
    print(f"  processor of the same machine with CSV: one core {one:.4g} a second, all {os.cpu_count()} {all_cores:.4g}")
    print(f"  end to end against one core: {count / took / one:.1f} times")
    # a trial: twelve rates (an operation of the tape counted as one, sine and cosine too), and for each
    # component 111 operations of the stages, 29 of the sum, 40 of the error
    work = steps * (12 * operations + 180 * state)
    share = f", {100 * work / seconds / PEAK / 1e12:.1f} % of {PEAK:g}" if PEAK else ""
    print(f"  {steps / count:.1f} steps tried a run; at least {work / seconds / 1e12:.3g} TFLOP/s{share}", flush=True)
    return rate


def against_one_core(rate):
    """the skater on one core without files, as bench_sweep times it"""
    with tempfile.TemporaryDirectory() as folder:
        text = subprocess.run([BENCH, skater, folder], text=True, capture_output=True).stdout
    took, unit = re.search(r"zwang, lanes.*quickest ([\d.]+) (us|ms)", text).groups()
    core = 500 / (float(took) * (1e-6 if unit == "us" else 1e-3))
    print(f"  without files: one core {core:.4g} a second; the GPU's own time against it: {rate / core:.0f} times", flush=True)


skater = os.path.join(MODELS, "skater_benchmark.zw")
rate = compare("Skater, 15 s, tolerance 1e-7 (true error below 1e-8)", skater,
        ["--over", "m=5..9", "--over", "k1=0.2..1", "--results", "xi,eta,theta", "--tol", "1e-7"], 5, 20000000)
if BENCH:
    against_one_core(rate)
compare("Double pendulum, 1 s, tolerance 1e-8", os.path.join(MODELS, "double_pendulum.zw"),
        ["--over", "L=0.4..0.6", "--over", "g=9..10", "--results", "phi1,phi2", "--tol", "1e-8", "--until", "1"], 4, 5000000)
with tempfile.TemporaryDirectory() as folder:
    swing = os.path.join(folder, "swing.zw")
    with open(swing, "w") as file:
        file.write(SWING)
    compare("Pendulum with events located, 4 s, tolerance 1e-8", swing,
            ["--over", "L=0.3..0.7", "--over", "c=0.1..0.3", "--results", "phi,time(low,2),time(turn,3),count(turn)", "--tol", "1e-8"],
            2, 5000000)
# plain stretches on the GPU, starts, happenings and ends on the processor
for title, name, words, state, count in (
        ("Rolling disc, 10 s, in convoy", "rolling_disc", ["--over", "m=3..4", "--until", "10"], 12, 100000),
        ("Pendulum with a constraint, 10 s, in convoy", "pendulum", ["--over", "m=1..2"], 4, 100000),
        ("Ball that bounces, in convoy", "bouncing_ball", ["--over", "g=9..10"], 2, 100000),
        ("Ball on a turntable, in convoy", "turntable", ["--over", "m=1..2"], 14, 50000)):
    compare(title, os.path.join(MODELS, name + ".zw"), words, state, count)


def taken():
    """how many models the GPU takes: those with a param or a coordinate to vary of which it does not say that they do not suit"""
    count, refused = 0, []
    for name in sorted(os.listdir(MODELS)):
        model = os.path.join(MODELS, name)
        with open(model) as file:
            text = file.read()
        axes = [f"{n}={v},{1.001 * float(v)}" for n, v in re.findall(r"^param (\w+) *= *([\d.]+)", text, re.M) if float(v)]
        axes += [f"{n}=0.1,0.11" for n in re.findall(r"^coord (\w+)", text, re.M)]
        said = ""
        for axis in axes[:3]:
            done = subprocess.run([PROGRAM, "sweep", model, "--over", axis, "--until", "0.1", "--device", "gpu", "--out", os.devnull],
                                  text=True, capture_output=True)
            said = done.stderr
            if done.returncode != 2:
                break
        fine = bool(axes) and "does not suit" not in said and "one by one" not in said and done.returncode != 2
        count += fine
        if not fine:
            refused.append(f"{name[:-3]}: {said.strip().splitlines()[0] if said.strip() else 'nothing to vary'}")
    print(f"\n{count} of {count + len(refused)} models of the gallery are taken; not:")
    print("  " + "\n  ".join(refused))


taken()
