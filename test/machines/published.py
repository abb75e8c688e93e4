#!/usr/bin/env python3
"""Machines written with joints against numbers that others have published, or exact ones.

usage: published.py ZWANG [MACHINE.zw ...]      without machines: all in the folder `published`

A comment `# at T: EXPRESSION = VALUE` is what a machine must show at that time, to nine digits of the largest, or as far as `within X` says.
"""
import csv
import io
import os
import re
import subprocess
import sys
import tempfile

WANTED = re.compile(r"^# at (\S+): (.*) = (\S+?)(?: within (\S+))?$")
DIGITS = 1e-9


def judge(program, path):
    with open(path, encoding="utf-8") as f:
        lines = f.read().splitlines()
    wanted = [m.groups() for m in map(WANTED.match, lines) if m]
    text = [line for line in lines if not WANTED.match(line)]
    written = [line for line in text if line and not line.startswith("#")]
    if not wanted or len(written) > 25:
        return False, f"{len(wanted)} numbers, {len(written)} lines"
    with tempfile.TemporaryDirectory() as folder:
        at = os.path.join(folder, os.path.basename(path))
        with open(at, "w", encoding="utf-8") as f:
            f.write("\n".join(text + [f"output wanted_{i} = {what}" for i, (_, what, _, _) in enumerate(wanted)]) + "\n")
        times = sorted({float(t) for t, *_ in wanted})
        p = subprocess.run([program, "run", at, "--quiet", "--tol", "1e-13", "--until", repr(max(times) or 1.0), "--at", ",".join(map(repr, times)), "--out", "-"], capture_output=True,
                           text=True, timeout=120, check=False)
    if p.returncode:
        return False, p.stderr[:600]
    rows = {float(row["t"]): row for row in csv.DictReader(io.StringIO(p.stdout))}
    worst = 0
    for i, (t, what, value, within) in enumerate(wanted):
        off = abs(float(rows[float(t)][f"wanted_{i}"]) - float(value)) / max(1, abs(float(value)))
        if off > float(within or DIGITS):
            return False, f"at {t}: {what} is {rows[float(t)][f'wanted_{i}']} instead of {value}"
        worst = max(worst, off if not within else 0)
    return True, f"{len(wanted)} numbers, off by {worst:.0e} at most"


def main():
    program, paths = sys.argv[1], sys.argv[2:]
    here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "published")
    paths = paths or sorted(os.path.join(here, name) for name in os.listdir(here) if name.endswith(".zw"))
    failed = 0
    print(f"1..{len(paths)}")
    for i, path in enumerate(paths, 1):
        good, text = judge(program, path)
        failed += not good
        text = text.replace("\n", " ")
        print(f"{'ok' if good else 'not ok'} {i} - {os.path.basename(path)} # {text}")
    print(f"# {len(paths) - failed} passed, {failed} failed, 0 skipped")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
