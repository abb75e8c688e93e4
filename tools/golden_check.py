#!/usr/bin/env python3
"""What `zwang check` finds on small models whose answers are known. Prints TAP.

golden_check.py PROGRAM FILE

FILE is a JSON list of cases: a title, the lines of a model, and the fields of `zwang check --format json` that
must come out. Growth vectors were computed apart from zwang, with SymPy's kernels and Lie brackets.
"""
import json, os, sys, tempfile

import calls

SECONDS = 60


def fault_of(case, program, folder):
    path = os.path.join(folder, "model.zw")
    with open(path, "w", encoding="utf8") as model:
        model.write("\n".join(case["model"]) + "\n")
    done = calls.run([program, "check", "--format", "json", path], SECONDS, text=True)
    if done.fault or done.status:
        return done.fault or done.err
    found = json.loads(done.out)
    for field, wanted in case.items():
        if field in ("title", "model"):
            continue
        got = found[field]
        if field == "constraints":
            # a potential that is not named must not be there
            keys = ("name", "order", "linear", "integrable", "redundant", "potential")
            got = [{k: c[k] for k in keys if k in c} for c in got]
        if got != wanted:
            return f"{field}: wanted {json.dumps(wanted)}\n{field}: got    {json.dumps(got)}"
    return None


def main():
    program, path = os.path.abspath(sys.argv[1]), sys.argv[2]
    cases = json.load(open(path, encoding="utf8"))
    print(f"1..{len(cases)}")
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        program = calls.held(program, folder)
        for i, case in enumerate(cases, 1):
            fault = fault_of(case, program, folder)
            for line in (fault or "").splitlines():
                print("#   " + line)
            print(f"{'not ok' if fault else 'ok'} {i} - {case['title']}")
            bad += bool(fault)
    return bad != 0


sys.exit(main())
