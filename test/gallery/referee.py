#!/usr/bin/env python3
"""How many digits of the gallery's end states are right: every smooth model against the referee. Prints TAP.

referee.py PROGRAM REFEREE ROOT [--renew] [--all] [--slow] [MODEL...]

The referee computes the end of a motion in long arithmetic, with code of its own for everything behind the equations.
digits.json keeps for each model that it takes how many digits of the end state, at default options, are right (the
error beside the larger of 1 and the number itself), and the time it took; of the others why not. A model fails that has
a digit less than it had, is refused for another reason, or is not in the list. Those on which the referee needs
more than QUICK seconds are left to --all. --renew shows what has changed and writes it into the list.
"""
import argparse, csv, io, json, math, os, sys, tempfile
from decimal import Decimal

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "tools"))
import calls

GOLDEN = os.path.join(HERE, "digits.json")
QUICK, PATIENCE = 1.0, 15        # seconds of the processor
SLOW = 40                        # times as much for programs that check themselves
LESS, MORE = 1.0, 2.0            # digits that may be lost, or won, unsaid
EXACT = 17                       # more are not to be had of a double


def models(root, wanted):
    names = sorted(f[:-3] for f in os.listdir(os.path.join(root, "models")) if f.endswith(".zw"))
    unknown = [w for w in wanted if w not in names]
    if unknown:
        sys.exit(f"no such model: {', '.join(unknown)}")
    return wanted or names


def reason(text):
    """the first line that says why, without the place"""
    for line in text.splitlines():
        if "error: " in line:
            return line.split("error: ", 1)[1]
    return "without a word"


def figures(program, referee, root, name, patience):
    """what the list keeps of one model"""
    model = os.path.join(root, "models", name + ".zw")
    run = calls.run([program, "run", model, "--points", "2", "--out", "-", "--quiet"], patience, text=True,
                    errors="replace")
    rows = list(csv.reader(io.StringIO(run.out)))
    if run.fault or run.status or len(rows) < 3:
        return {"none": "the run did not end"}
    end = dict(zip(rows[0], rows[-1]))
    before = os.times()
    with tempfile.TemporaryFile("w+") as table:
        table.write(run.out)
        table.seek(0)
        judged = calls.run([referee, model, "--until", end["t"], "--digits", "25"], patience, stdin=table, text=True,
                           errors="replace")
    after = os.times()
    if judged.fault:
        return {"none": "the referee does not get on", "quick": False}
    if judged.status:
        return {"none": reason(judged.err)}
    digits = EXACT
    for line in judged.out.splitlines():
        column, value, _ = line.split(",")
        off = abs(Decimal(value) - Decimal(end[column])) / max(1, abs(Decimal(value)))
        if off:
            digits = min(digits, -math.log10(off))
    spent = after.children_user - before.children_user
    return {"digits": round(digits, 1), "quick": spent < QUICK}


def difference(want, got):
    if want is None:
        return "not in the list"
    if "none" in want or "none" in got:
        return "" if want.get("none") == got.get("none") else f"was {json.dumps(want)}, is {json.dumps(got)}"
    change = got["digits"] - want["digits"]
    return "" if -LESS <= change <= MORE else f"was {want['digits']} digits, is {got['digits']}"


def renew(golden, got, everything):
    fresh = {name: told for name, told in golden.items() if name in got or not everything}
    for name, told in got.items():
        change = difference(golden.get(name), told)
        if change:
            print(f"{name}: {change}")
            fresh[name] = told
    with open(GOLDEN, "w", encoding="utf8") as file:
        rows = ",\n".join(f"  {json.dumps(name)}: {json.dumps(fresh[name])}" for name in sorted(fresh))
        file.write("{\n" + rows + "\n}\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("referee")
    parser.add_argument("root")
    parser.add_argument("--renew", action="store_true")
    parser.add_argument("--all", action="store_true", help="those that take long as well")
    parser.add_argument("--slow", action="store_true", help="programs that check themselves")
    parser.add_argument("models", nargs="*")
    options = parser.parse_intermixed_args()
    names = models(options.root, options.models)
    golden = json.load(open(GOLDEN, encoding="utf8")) if os.path.exists(GOLDEN) else {}
    if not (options.all or options.renew or options.models):
        names = [n for n in names if golden.get(n, {}).get("quick", True)]
    patience = PATIENCE * (SLOW if options.slow else 1)
    # one after the other: the time of each is that of the children
    got = {n: figures(options.program, options.referee, options.root, n, patience) for n in names}
    if options.renew:
        renew(golden, got, not options.models)
        return 0
    print(f"1..{len(names)}")
    bad = 0
    for i, name in enumerate(names, 1):
        change = difference(golden.get(name), got[name])
        if change:
            print("#   " + change)
        told = got[name]
        print(f"{'not ok' if change else 'ok'} {i} - {name}: "
              + (f"{told['digits']} digits" if "digits" in told else f"not judged, {told['none']}"))
        bad += bool(change)
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
