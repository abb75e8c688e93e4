#!/usr/bin/env python3
"""Every model of the gallery as a sweep: which go side by side, on the processor and on a GPU, and why others do not. Prints TAP.

lanes.py PROGRAM ROOT STAND_IN [--renew] [MODEL...]

STAND_IN is a library that stands in for a GPU's driver and compiler (test/sweep/stand_in.c).

lanes.json keeps for each model what was varied, the way its runs took (`side by side`, `in convoy`, or why they went one
by one), and the same on the GPU. A model fails that takes another way, or whose runs end elsewhere than those made one by
one do. So does the gallery when fewer models go side by side than LANES, or on the GPU than GPU.

--renew shows what has changed, then writes it into the list.
"""
import argparse, concurrent.futures, csv, io, json, math, os, re, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "tools"))
import calls

GOLDEN = os.path.join(HERE, "lanes.json")
LANES, GPU = 100, 100            # models at least
RUNS = 9                         # more than there are lanes
SHARE = 1.02                     # how far what is varied goes
UNTIL = 0.5                      # s, where the model's own run takes no less
SECONDS = 60
FAR = 3e-8                       # of 1 + |x|: differences of tolerances that motions have made larger
BY_ROWS = "max(t)"               # a result for which runs go one by one


def axes(text):
    """what may be varied: params, then coordinates"""
    found = [(n, float(v)) for n, v in re.findall(r"^\s*param\s+(\w+)\s*=\s*([-\d.e]+)", text, re.M) if float(v)]
    return found[:3] + [(n, 0.1) for n in re.findall(r"^\s*coord\s+(\w+)", text, re.M)][:1]


def end_of(text):
    """of the runs"""
    own = re.search(r"^run\s+[-\d.e]+\s*\.\.\s*([-\d.e]+)", text, re.M)
    return min(UNTIL, float(own[1])) if own else UNTIL


def sweep(program, model, over, until, more=(), env=None):
    words = [program, "sweep", model, "--over", over, "--until", str(until), "--threads", "1", *more]
    return calls.run(words, SECONDS, text=True, errors="replace", env=env)


def way(err):
    """how the runs went, from what was told"""
    some = re.search(r"(\d+) of (\d+) runs were made one by one: (.*)", err)
    if some:
        return "one by one: " + some[3]
    told = re.search(r"(?:runs are made one by one|--device gpu does not suit): (.*)", err)
    return "one by one: " + told[1] if told else "side by side"


def table(text):
    rows = list(csv.reader(io.StringIO(text)))
    return rows[0], rows[1:]


def differ(one, other):
    """the largest difference of cells with the same name"""
    names, rows = table(one)
    others, their = table(other)
    worst, where = 0, ""
    if len(rows) != len(their):
        return math.inf, "rows"
    for a, b in zip(rows, their):
        for name, x in zip(names, a):
            y = b[others.index(name)]
            if x == y or name == "quality":
                continue
            try:
                d = abs(float(x) - float(y)) / (1 + abs(float(y)))
            except ValueError:
                return math.inf, f"{name}: {x} {y}"
            if not d <= worst:
                worst, where = d, name
    return worst, where


def look(program, root, name, stand_in):
    model = os.path.join(root, "models", name + ".zw")
    with open(model, encoding="utf8") as file:
        text = file.read()
    until = end_of(text)
    got, faults = {"over": "", "lanes": "nothing to vary", "gpu": "nothing to vary"}, []
    for axis, value in axes(text):
        over = f"{axis}={value!r}..{value * SHARE!r}:{RUNS}"
        done = sweep(program, model, over, until)
        if done.fault or done.status != 2:
            break
    else:
        return got, faults
    got["over"] = axis
    if done.fault:
        got["lanes"] = got["gpu"] = "does not get on"
        return got, faults
    got["lanes"] = way(done.err)
    names, _ = table(done.out)
    results = ",".join(names[1:-2] + [BY_ROWS])
    alone = sweep(program, model, over, until, ["--results", results])
    if alone.fault or alone.status == 2:
        faults.append(f"one by one: {alone.fault or alone.err.strip()}")
    elif got["lanes"] == "side by side":
        worst, where = differ(done.out, alone.out)
        if not worst <= FAR:
            faults.append(f"{where} is off by {worst:.1e} of those made one by one")
    env = dict(os.environ, LD_LIBRARY_PATH=stand_in)
    there = sweep(program, model, over, until, ["--device", "gpu"], env)
    got["gpu"] = "does not get on" if there.fault else way(there.err)
    if got["gpu"] == "side by side":
        worst, where = differ(there.out, done.out)
        if not worst <= FAR:
            faults.append(f"{where} is off by {worst:.1e} of those of the processor")
    return got, faults


def names_of(root, wanted):
    names = sorted(f[:-3] for f in os.listdir(os.path.join(root, "models")) if f.endswith(".zw"))
    unknown = [w for w in wanted if w not in names]
    if unknown:
        sys.exit(f"no such model: {', '.join(unknown)}")
    return wanted or names


def main():
    read = argparse.ArgumentParser()
    read.add_argument("program")
    read.add_argument("root")
    read.add_argument("stand_in")
    read.add_argument("--renew", action="store_true")
    read.add_argument("model", nargs="*")
    a = read.parse_args()
    names = names_of(a.root, a.model)
    golden = {}
    if os.path.exists(GOLDEN):
        with open(GOLDEN, encoding="utf8") as file:
            golden = json.load(file)
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        program = calls.held(os.path.abspath(a.program), folder)
        for link in ("libcuda.so.1", "libnvrtc.so.13"):
            os.symlink(os.path.abspath(a.stand_in), os.path.join(folder, link))
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            made = pool.map(lambda n: look(program, a.root, n, folder), names)
            print(f"1..{len(names) + (not a.model)}")
            for number, (name, (got, faults)) in enumerate(zip(names, made), 1):
                found[name] = got
                if got != golden.get(name) and not a.renew:
                    faults = faults + [f"was {golden.get(name)}, is {got}"]
                if got != golden.get(name) and a.renew:
                    print(f"# {name}: {golden.get(name)} becomes {got}")
                print(f"{'not ' if faults else ''}ok {number} - {name}: {got['lanes']}", flush=True)
                for fault in faults:
                    print(f"# {fault}")
    if not a.model:
        lanes = sum(g["lanes"] == "side by side" for g in found.values())
        gpu = sum(g["gpu"] == "side by side" for g in found.values())
        fine = lanes >= LANES and gpu >= GPU
        print(f"{'' if fine else 'not '}ok {len(names) + 1} - {lanes} of {len(names)} go side by side, {gpu} on a GPU")
    if a.renew:
        golden.update(found)
        with open(GOLDEN, "w", encoding="utf8") as file:
            json.dump(golden, file, indent=1, sort_keys=True, ensure_ascii=False)
            file.write("\n")


main()
