#!/usr/bin/env python3
"""Every model of the gallery at default options: by which method, in how many steps. Prints TAP.

defaults.py PROGRAM ROOT [--renew] [--slow] [MODEL...]

defaults.json keeps for each model how its run ended, the method (and the one it changed to on the way), steps,
rejected steps, evaluations of the equations, events and warnings. A run fails that
  - ends otherwise, or takes more than SECONDS of the processor (what does not get on, though it may end one day);
  - takes another method, or falls back to one that is not expected;
  - needs a fifth more or fewer steps, rejections or evaluations: fewer are good news, to be written down;
  - ends with energy that no work accounts for, more than BALANCE tolerances of the largest energy met;
  - tells a shortest step that is none, a longest that is less than the mean, fewer new starts than
    changes of velocities, or guesses moved by nothing;
  - leaves a cell of its table without a value and does not say so.
A run that is listed with a `fault` fails today, in the way said; when it no longer does, the list must say so.

--renew shows what has changed by more than that, then writes it into the list.
"""
import argparse, concurrent.futures, json, os, re, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "tools"))
import calls

GOLDEN = os.path.join(HERE, "defaults.json")
SECONDS = 4
SLOW = 40                        # times as much for a program that checks itself
SHARE = 0.2                      # of a count that may change unsaid
FEW = 4                          # so many steps more or less are nothing
BALANCE = 10
EXACT = ("status", "method", "events", "warnings")
COUNTS = ("steps", "rejected", "evaluations")


def models(root, wanted):
    names = sorted(f[:-3] for f in os.listdir(os.path.join(root, "models")) if f.endswith(".zw"))
    unknown = [w for w in wanted if w not in names]
    if unknown:
        sys.exit(f"no such model: {', '.join(unknown)}")
    return wanted or names


def figures(program, root, name, folder, seconds):
    """what the list keeps of one run"""
    out = os.path.join(folder, name + ".json")
    words = [program, "run", os.path.join(root, "models", name + ".zw"), "--out", out]
    done = calls.run(words, seconds, text=True, errors="replace")
    if done.fault:
        # the limit itself is no figure: it is another for a program that checks itself
        return {"fault": "does not get on"}
    if not os.path.exists(out):
        return {"fault": f"exit status {done.status}: {(done.err.splitlines() or ['without a word'])[0]}"}
    with open(out, encoding="utf8") as file:
        got = json.load(file)
    told = got["statistics"]
    changed = re.match(r"changed from (\w+)", told["method_why"])
    method = f"{changed[1]}, {told['method']}" if changed else told["method"]
    return {"status": got["status"], "method": method, **{c: told[c] for c in COUNTS},
            "events": len(got["events"]), "warnings": len(got["warnings"]),
            "unbalanced": told["energy"]["relative"] / told["tolerance"],
            "odd": odd(told) or silent(got)}


def odd(told):
    """what cannot be, in words, or None"""
    steps, span, shortest = told["steps"], told["t_reached"] - told["t_from"], told["smallest_step"]
    if any(not abs(g["by"]) > 0 for g in told["guesses_moved"]):
        return "a guess is told as moved, by nothing"
    # other velocities are a new start
    if told["restarts"] < told["basis_changes"]:
        return f"{told['restarts']} new starts and {told['basis_changes']} changes of velocities"
    # what happens within a step ends it, but does not make it shorter here
    if steps and not (0 < shortest <= told["largest_step"] and span / steps <= told["largest_step"] * (1 + 1e-9)):
        return f"{steps} steps between {shortest:g} and {told['largest_step']:g} in {span:g}"
    return None


def silent(got):
    """columns with cells that have no value, unsaid, or None"""
    gaps = [name for name, cells in got["columns"].items()
            if name not in ("stage", "event") and any(x is None or x != x or abs(x) == float("inf") for x in cells)]
    said = any("left empty" in text for text in got["warnings"])
    return None if said or not gaps else f"no value, and no word of it: {', '.join(gaps)}"


def difference(want, got):
    """lines; none where all is as expected"""
    if want is None:
        return ["not in the list"]
    if "fault" in want or "fault" in got:
        return [] if want == got else [f"was {json.dumps(want)}", f"is  {json.dumps(got)}"]
    lines = [f"{key}: was {want[key]}, is {got[key]}" for key in EXACT if want[key] != got[key]]
    for key in COUNTS:
        # rejections are a share of all steps, not of themselves
        size = want["steps"] if key == "rejected" else want[key]
        if abs(got[key] - want[key]) > max(FEW, SHARE * size):
            lines.append(f"{key}: was {want[key]}, is {got[key]}")
    if not got["unbalanced"] <= BALANCE:
        lines.append(f"energy is off its balance by {got['unbalanced']:.3g} tolerances")
    if got["odd"]:
        lines.append(got["odd"])
    return lines


def measured(program, root, names, seconds, jobs):
    with tempfile.TemporaryDirectory() as folder:
        held = calls.held(os.path.abspath(program), folder)
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            return dict(zip(names, pool.map(lambda n: figures(held, root, n, folder, seconds), names)))


def listed():
    if not os.path.exists(GOLDEN):
        return {}
    with open(GOLDEN, encoding="utf8") as file:
        return json.load(file)


def renew(golden, got, everything):
    """what is as expected stays as it is: small changes cannot add up unseen"""
    fresh = {name: told for name, told in golden.items() if name in got or not everything}
    for name, told in got.items():
        if difference(golden.get(name), told):
            print(f"{name}\n  was {json.dumps(golden.get(name))}\n  is  {json.dumps(told)}")
            fresh[name] = {key: value for key, value in told.items() if key not in ("unbalanced", "odd")}
    for name in sorted(set(golden) - set(fresh)):
        print(f"{name}\n  is gone")
    with open(GOLDEN, "w", encoding="utf8") as file:
        rows = ",\n".join(f"  {json.dumps(name)}: {json.dumps(fresh[name])}" for name in sorted(fresh))
        file.write("{\n" + rows + "\n}\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("root")
    parser.add_argument("--renew", action="store_true")
    parser.add_argument("--slow", action="store_true", help="a program that checks itself")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("models", nargs="*")
    options = parser.parse_intermixed_args()
    names = models(options.root, options.models)
    golden = listed()
    got = measured(options.program, options.root, names, SECONDS * (SLOW if options.slow else 1), options.jobs)
    if options.renew:
        renew(golden, got, not options.models)
        return 0
    gone = [] if options.models else sorted(set(golden) - set(names))
    print(f"1..{len(names) + len(gone)}")
    bad = 0
    for i, name in enumerate(names + gone, 1):
        lines = difference(golden.get(name), got[name]) if name in got else ["in the list, but not in the gallery"]
        for line in lines:
            print("#   " + line)
        print(f"{'not ok' if lines else 'ok'} {i} - {name} runs as expected at default options")
        bad += bool(lines)
    if bad:
        print("# where that is right: defaults.py PROGRAM ROOT --renew")
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
