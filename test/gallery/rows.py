#!/usr/bin/env python3
"""Rows are read from a motion, they never change it: 2, 11, 101 or 5001 of them, the same steps. Prints TAP.

rows.py PROGRAM ROOT [--table FILE] [--renew] [--slow] [MODEL...]

Every model of the gallery, and the systems of test/unions, at default options but --points. The numbers of steps, of rejected ones and of new starts,
the shortest and the longest step, the events with their times and every number at the end of a run that gets there must be the
same to the last bit. Evaluations are not compared: reading reactions for a row is one.

Where there are many rows, places must change from row to row as the velocities beside them say: what is read between
the ends of steps, or of a stretch behind which a contact slips, belongs to the same motion.

rows_known.txt lists the models that are known to fail. One that fails and is not listed, or is listed and passes,
fails the test. --renew writes the list anew, after showing the difference; --table writes what failed.
"""
import argparse, concurrent.futures, json, os, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "tools"))
import calls, known

POINTS = (2, 11, 101, 5001)
SECONDS = 10
SLOW = 20                        # times as much for a program that checks itself
COUNTS = ("steps", "rejected", "restarts", "basis_changes", "smallest_step", "largest_step", "t_from", "t_reached")
REFUSED = "exit status 2"
CHARTS = tuple(f".{c}{side}" for c in ("u", "v", "angle") for side in ("", "a", "b"))
ZERO = 1e-11                     # of any number beside it: rounding
NOISE = 1e-7                     # of the largest velocity: rows are as exact as the run


def broken(columns, jumps, overlap=0.0):
    """the first place that does not change as its velocity says, or None: the mean velocity between two rows is one of
    those there, up to how they bend. Left out: rows beside an instant at which something jumps, and where points of
    surfaces are, in charts that change and angles that begin anew. Steps of time put places back by what shapes
    overlap, without a velocity"""
    t = columns["t"]
    any_speed = max((abs(x) for name in columns if name.endswith("'") for x in columns[name] if x is not None), default=0)
    for name in columns:
        v = columns.get(name + "'")
        q = columns[name]
        if v is None or len(t) < 100 or None in q or None in v or name.endswith(CHARTS):
            continue
        fastest, farthest = max(map(abs, v)), max(map(abs, q))
        for k in range(1, len(t) - 2):
            h = t[k + 1] - t[k]
            if h <= 0 or any(t[k - 1] <= at <= t[k + 2] for at in jumps):
                continue
            bend = sum(abs(v[j + 1] - v[j]) for j in (k - 1, k, k + 1))
            mean = (q[k + 1] - q[k]) / h
            if not abs(mean - (v[k] + v[k + 1]) / 2) <= bend + NOISE * fastest + ZERO * (any_speed + farthest / h) + overlap / h:
                return f"{name} changes by {mean:.6g} a second behind t = {t[k]:.6g}, where its velocity is {v[k]:.6g}"
    return None


def walked(program, model, points, duration, folder, seconds):
    """what of the run must not depend on rows, by name; numbers as parsed, so to the last bit. Points need an end that is
    known before; where a stage finds it, its DURATION says how often"""
    out = os.path.join(folder, f"{os.path.basename(model)}.{points}.json")
    rows = ["--every", repr(duration / (points - 1))] if duration else ["--points", str(points)]
    done = calls.run([program, "run", model, *rows, "--out", out], seconds, text=True, errors="replace")
    if done.fault or not os.path.exists(out):
        return {"run": done.fault or f"exit status {done.status}"}
    with open(out, encoding="utf8") as file:
        got = json.load(file)
    os.unlink(out)
    told = {"status": got["status"], "method": got["statistics"]["method"]}
    told.update({key: got["statistics"][key] for key in COUNTS})
    told["events"] = len(got["events"])
    for i, event in enumerate(got["events"], 1):
        told[f"event {i}"] = event["name"]
        told[f"time of event {i}"] = event["t"]
    if points == POINTS[-1]:
        overlap = (got["statistics"].get("contacts") or {}).get("overlap") or 0.0
        told["broken"] = broken(got["columns"], [event["t"] for event in got["events"]], overlap)
    # a run that ends early has its last row where the rows are
    for column, values in got["columns"].items() if got["status"] != "unfinished" else ():
        told[f"{column} at the end"] = values[-1] if values else None
    return told


def fault_of(program, model, folder, seconds):
    """the first thing that depends on the rows, or None"""
    first = walked(program, model, POINTS[0], None, folder, seconds)
    if "run" in first:
        return f"{POINTS[0]} rows: {first['run']}"
    duration = None
    for points in POINTS[1:]:
        other = walked(program, model, points, duration, folder, seconds)
        if other.get("run") == REFUSED and not duration:
            duration = first["t_reached"] - first["t_from"]
            other = walked(program, model, points, duration, folder, seconds)
        if other.get("broken"):
            return other.pop("broken")
        other.pop("broken", None)
        for key in list(first) + [k for k in other if k not in first]:
            if first.get(key) != other.get(key):
                return f"{key}: {first.get(key)} with {POINTS[0]} rows, {other.get(key, other.get('run'))} with {points}"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("root")
    parser.add_argument("--table")
    parser.add_argument("--renew", action="store_true")
    parser.add_argument("--slow", action="store_true", help="a program that checks itself")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("models", nargs="*")
    options = parser.parse_intermixed_args()
    places = {}
    for place in (os.path.join("test", "unions", "systems"), "models"):
        for file in sorted(os.listdir(os.path.join(options.root, place))):
            if file.endswith(".zw"):
                places[file[:-3]] = os.path.join(options.root, place, file)
    names = options.models or sorted(places)
    seconds = SECONDS * (SLOW if options.slow else 1)
    with tempfile.TemporaryDirectory() as folder:
        held = calls.held(os.path.abspath(options.program), folder)
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            faults = dict(zip(names, pool.map(
                lambda n: fault_of(held, places[n], folder, seconds), names)))
    return known.conclude(os.path.join(HERE, "rows_known.txt"), faults, "{} makes the same steps for any rows", options)


if __name__ == "__main__":
    sys.exit(main())
