#!/usr/bin/env python3
"""Whether runs know how many digits of their end are good: random models against the referee. Prints TAP.

estimates.py PROGRAM REFEREE [--first SEED] [--count N] [--jobs J] [--table FILE] [--slow] [RUN OPTION...]

Each model is run with an estimate, and the referee says how many digits are good. Both count the digits of the number
that is known least, beside its size along the run. A model fails whose estimate is better than the truth by more than
HOPE digits, or has none. How estimates and truth compare is told at the end, and put into a table.
"""
import argparse, collections, json, math, os, sys, tempfile
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, ".."))
import calls, draw

PATIENCE = 120                   # seconds of the processor
SLOW = 40                        # times as much for programs that check themselves
HOPE = 1.0                       # digits
EXACT = 14.5                     # the most that a run says of itself


def true_digits(columns, sizes, judged):
    digits = math.inf
    for line in judged.splitlines():
        name, value, _ = line.split(",")
        off = abs(Decimal(value) - Decimal(columns[name][-1]))
        if off:
            digits = min(digits, -math.log10(off / Decimal(sizes[name])))
    return digits


def judge(options, seed):
    """seed, kind, estimate, truth; and what went wrong"""
    kind, text = draw.draw(seed)
    patience = PATIENCE * (SLOW if options.slow else 1)
    with tempfile.TemporaryDirectory() as folder:
        model, table = os.path.join(folder, "drawn.zw"), os.path.join(folder, "drawn.json")
        with open(model, "w", encoding="utf8") as file:
            file.write(text)
        run = calls.run([options.program, "run", model, "--points", "2", "--out", table, "--quiet"] + options.options,
                        patience, text=True)
        if run.fault or run.status:
            return seed, kind, None, None, "the run did not end: " + (run.fault or run.err.strip())
        with open(table, encoding="utf8") as file:
            told = json.load(file)
        columns, digits = told["columns"], told["statistics"]["digits"]
        if digits["good"] is None:
            return seed, kind, None, None, "not known: " + digits["why"]
        with open(os.path.join(folder, "first.csv"), "w+", encoding="utf8") as first:
            first.write(",".join(columns) + "\n" + ",".join(repr(c[0]) for c in columns.values()) + "\n")
            first.seek(0)
            judged = calls.run([options.referee, model, "--until", repr(columns["t"][-1]), "--digits", "25"], patience,
                               stdin=first, text=True)
        if judged.fault or judged.status:
            return seed, kind, digits["good"], None, "not judged: " + (judged.fault or judged.err.strip())
        return seed, kind, digits["good"], true_digits(columns, digits["sizes"], judged.out), ""


def summary(rows):
    off = sorted(min(truth, EXACT) - said for _, _, said, truth, _ in rows if truth is not None and said is not None)
    hope = sorted(said - truth for _, _, said, truth, _ in rows if truth is not None and said is not None)
    if not off:
        return
    bars = collections.Counter(math.floor(2 * x) / 2 for x in hope)
    print("# estimate - truth, in digits, and how many models")
    for low in sorted(bars):
        print(f"# {low:5.1f} .. {low + 0.5:4.1f}  {bars[low]}")
    print(f"# models {len(hope)}, most hopeful {hope[-1]:.2f}, median {hope[len(hope) // 2]:.2f}, "
          f"most cautious, of {EXACT} digits at most, {-off[-1]:.2f}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("referee")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=24)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--table")
    parser.add_argument("--slow", action="store_true", help="programs that check themselves")
    options, options.options = parser.parse_known_args()
    seeds = range(options.first, options.first + options.count)
    print(f"1..{len(seeds)}", flush=True)
    bad, rows = 0, []
    with ThreadPoolExecutor(options.jobs) as pool:
        for row in pool.map(lambda seed: judge(options, seed), seeds):
            seed, kind, said, truth, wrong = row
            rows.append(row)
            if not wrong and said - truth > HOPE:
                wrong = "too hopeful"
            bad += bool(wrong)
            told = f"{said:.2f} digits said" if said is not None else "no word"
            told += f", {truth:.2f} good" if truth is not None else ""
            print(f"{'not ok' if wrong else 'ok'} {len(rows)} - {kind} {seed}: {told}" + (f"\n#   {wrong}" if wrong else ""),
                  flush=True)
    summary(rows)
    if options.table:
        with open(options.table, "w", encoding="utf8") as file:
            json.dump(rows, file)
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
