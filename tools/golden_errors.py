#!/usr/bin/env python3
"""Wrong inputs and what zwang says to them. Prints TAP.

golden_errors.py PROGRAM FOLDER [--renew] [--slow] [part of a name]

A case is FOLDER/NAME.zw, given to `zwang check`, or FOLDER/NAME.cmd, a command line for the shell in which
`zwang` is PROGRAM (NAME.zw beside it is then its model). FOLDER/NAME.err holds what is expected: a first line
`exit N`, then stderr. The commands run in a copy of FOLDER, each within 10 s of the processor and 4 GiB; a case that crashes,
hangs, or writes to stdout although its input is wrong (exit 2), fails whatever the file says.
--renew shows how the answers differ and writes them; --slow is for programs with checks built in, which need
more time and address space. Cases called mistake_... are typical ones: their answer has to name a place, a cause and a way out. Models that are only parts of a case belong in folders below FOLDER.
"""
import argparse, concurrent.futures, difflib, os, re, shutil, sys, tempfile

import calls

SECONDS, BYTES = 10, 4 << 30


def cases_of(folder):
    names = sorted(os.listdir(folder))
    commands = {n[:-4] for n in names if n.endswith(".cmd")}
    models = {n[:-3] for n in names if n.endswith(".zw")}
    return sorted(commands | models)


def run_case(case, folder, program, slow):
    """the answer as text, and what is wrong with it in itself"""
    command = os.path.join(folder, case + ".cmd")
    line = open(command, encoding="utf8").read() if os.path.exists(command) else f"zwang check {case}.zw"
    here = dict(os.environ, PATH=os.path.dirname(program) + os.pathsep + os.environ["PATH"], LC_ALL="C.UTF-8")
    done = calls.run(["bash", "-o", "pipefail", "-c", line], SECONDS * (10 if slow else 1), None if slow else BYTES, cwd=folder, env=here)
    if done.fault:
        return "", done.fault
    status = done.status
    answer = f"exit {status}\n" + done.err.decode("utf8", "backslashreplace").replace(folder, "FOLDER")
    if status < 0 or status > 3:
        return answer, f"ended with status {status}, a crash"
    if status == 0:
        return answer, "was accepted"
    if status == 2 and done.out:
        return answer, f"wrote {len(done.out)} bytes to stdout although the input is wrong"
    if case.startswith("mistake_") and not (re.search(rf"^{case}\.zw:\d+:\d+: error: .", answer, re.M) and "\nhelp: " in answer):
        return answer, "does not name the place, the cause and a way out"
    return answer, None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("folder")
    parser.add_argument("part", nargs="?", default="")
    parser.add_argument("--renew", action="store_true")
    parser.add_argument("--slow", action="store_true")
    o = parser.parse_args()
    cases = [c for c in cases_of(o.folder) if o.part in c] if os.path.isdir(o.folder) else []
    if not cases:
        print("1..0 # SKIP no cases")
        return 0
    with tempfile.TemporaryDirectory() as temporary:
        copy = os.path.join(os.path.realpath(temporary), "errors")
        shutil.copytree(o.folder, copy)
        program = calls.held(o.program, os.path.realpath(temporary))
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            answers = list(pool.map(lambda c: run_case(c, copy, program, o.slow), cases))

    print(f"1..{len(cases)}")
    bad = 0
    for i, (case, (answer, fault)) in enumerate(zip(cases, answers), 1):
        golden = os.path.join(o.folder, case + ".err")
        wanted = open(golden, encoding="utf8").read() if os.path.exists(golden) else ""
        differs = answer != wanted
        if differs or fault:
            print(f"#   {fault}" if fault else "#   answers differently" if wanted else "#   has no answer yet: --renew")
            for line in difflib.unified_diff(wanted.splitlines(), answer.splitlines(), "wanted", "got", lineterm=""):
                print("#   " + line)
        if o.renew and differs and not fault:
            open(golden, "w", encoding="utf8").write(answer)
            differs = False
        bad += bool(differs or fault)
        print(f"{'not ok' if differs or fault else 'ok'} {i} - {case}")
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
