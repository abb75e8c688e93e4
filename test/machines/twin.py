#!/usr/bin/env python3
"""Machines written with joints against their twins, in which every joint is a set of equations.

usage: twin.py ZWANG [MACHINE.zw ...] [--keep FOLDER]        without machines: all beside this file

In the twin each `joint` that places a body is written `as constraint`; the bodies then have six freedoms of their own, and start where
those of the machine do; `use std` is replaced by the parts themselves, so that theirs are, too. A line with `# twin: TEXT` at its end is
replaced by TEXT (several lines with `# and:` between): what a motor along a coordinate of a joint is between
bodies. Places and velocities of all bodies, forces and moments of all joints must agree. A motor belongs to the moment of its joint,
and is not part of that of the twin: there the moments may differ along the axis about which the joint turns. How redundant joints share
their load is not determined: of a machine with `# redundant` only the motion is compared.
"""
import csv
import io
import json
import math
import os
import re
import subprocess
import sys
import tempfile

ALLOWED = 1e-10
POINTS = 11
BODY = re.compile(r"^\s*(body|rod|disc|ball|plate|box|cylinder|cone|shell)\s+(\w+)\b")
USE = re.compile(r'^\s*use\s+std\s+"(\w+)"')
LIBRARY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "share", "parts")
JOINT = re.compile(r"^\s*joint\s+(\w+)\s*:\s*(\w+)\s+(\w+)\b.*\bon\s+(\w+)")


def ident(name):
    """a name of a thing in a part, as one word"""
    return re.sub(r"\W", "_", name)


class Machine:
    def __init__(self, program, path):
        with open(path, encoding="utf-8") as f:
            self.lines = f.read().splitlines()
        self.joints = [(j["name"], j["kind"], j["body"], j["on"]) for j in checked(program, path)]
        self.bodies = list(dict.fromkeys([b for _, _, b, _ in self.joints if b != "world"] + [
            m.group(2) for m in map(BODY.match, self.lines) if m and not m.string.startswith(" ") and " in " not in m.string.split("#")[0]]))
        self.driven = {name for line in self.lines if "# twin:" in line
                       for name in re.findall(r"(\w+)\.(?:angle|s)\b", line.split("# twin:")[0])}
        self.redundant = any("# redundant" in line for line in self.lines)

    def axis(self, name, kind, b, a):
        """along which a driven joint does not carry the same as its twin: that of its turning, or of its way"""
        if kind == "slider":
            line = next((line for line in self.lines if re.match(rf"\s*joint {name}:", line)), "")
            letters = re.findall(r"axis ([xyz])\b", line)
            return f"axis({a}, {letters[-1] if letters else 'z'})"
        return f"omega({b})" + ("" if a == "world" else f" - omega({a})")

    def outputs(self):
        text = []
        for b in self.bodies:
            i = ident(b)
            text += [f"output pos_{i} = pos({b})", f"output vel_{i} = vel({b})", f"output om_{i} = omega({b})",
                     f"point {i}_X = (1, 0, 0) in {b}", f"point {i}_Y = (0, 1, 0) in {b}", f"point {i}_Z = (0, 0, 1) in {b}"]
            text += [f"output {axis}_{i} = pos({i}_{axis}) - pos({b})" for axis in "XYZ"]
        for name, kind, b, a in self.joints:
            i = ident(name)
            text += [f"output R_{i} = reaction({name})", f"output M_{i} = moment({name})"]
            if name in self.driven:
                text.append(f"output W_{i} = {self.axis(name, kind, b, a)}")
        return text

    def written_out(self):
        """the lines, with parts of the library in the place of `use`"""
        for line in self.lines:
            m = USE.match(line)
            if not m:
                yield line
                continue
            with open(os.path.join(LIBRARY, m.group(1) + ".zw"), encoding="utf-8") as f:
                yield from f.read().splitlines()

    def twin(self, start):
        text = []
        for line in self.written_out():
            if "# twin:" in line:
                text += [part.strip() for part in line.split("# twin:")[1].split("# and:")]
                continue
            m = JOINT.match(line)
            if line.strip().startswith("initial"):
                continue
            if m and m.group(2) not in ("distance", "free", "screw") and "as constraint" not in line:
                line = line.split("#")[0].rstrip() + " as constraint"
            text.append(line)
        free = {b: name for name, kind, b, _ in self.joints if kind == "free"}
        kept = {b for _, kind, b, _ in self.joints if kind == "screw"}
        for b in self.bodies:
            if b in kept:
                continue
            i = ident(b)
            for axis in "xyz":
                text += [f"initial pos({b}).{axis} ~ {start[f'pos_{i}.' + axis]}", f"initial vel({b}).{axis} ~ {start[f'vel_{i}.' + axis]}",
                         f"initial omega({b}).{axis} ~ {start[f'om_{i}.' + axis]}"]
            R = [[float(start[f"{column}_{i}.{row}"]) for column in "XYZ"] for row in "xyz"]
            text += [f"initial {free.get(b, b)}.{part} ~ {value!r}" for part, value in zip(("qw", "qx", "qy", "qz"), quaternion(R))]
        return text


def checked(program, path):
    p = subprocess.run([program, "check", path, "--format", "json"], capture_output=True, text=True, timeout=120, check=False)
    if p.returncode:
        raise RuntimeError(f"{path}: {p.stderr[:1000]}")
    return json.loads(p.stdout)["joints"]


def quaternion(R):
    q = [math.sqrt(max(0, 1 + R[0][0] + R[1][1] + R[2][2])) / 2] + [
        math.sqrt(max(0, 1 + 2 * R[i][i] - R[0][0] - R[1][1] - R[2][2])) / 2 for i in range(3)]
    k = max(range(4), key=lambda i: q[i])
    products = [[0, R[2][1] - R[1][2], R[0][2] - R[2][0], R[1][0] - R[0][1]], [0, 0, R[0][1] + R[1][0], R[0][2] + R[2][0]],
                [0, 0, 0, R[1][2] + R[2][1]]]
    for i in range(4):
        if i != k:
            q[i] = products[min(i, k)][max(i, k)] / (4 * q[k])
    return q


def run(program, text, name, keep, options):
    folder = keep or tempfile.mkdtemp()
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as f:
        f.write("\n".join(text) + "\n")
    p = subprocess.run([program, "run", path, "--out", "-", *options], capture_output=True, text=True, timeout=120, check=False)
    if p.returncode:
        raise RuntimeError(f"{name}: status {p.returncode}\n{p.stderr[:1000]}")
    return list(csv.DictReader(io.StringIO(p.stdout)))


def vector(row, name):
    return [float(row[f"{name}.{axis}"]) for axis in "xyz"]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def compare(machine, rows, others):
    """the largest differences over the scale of each kind of quantity"""
    off = {}
    def note(kind, x, y):
        worst, scale = off.get(kind, (0, 0))
        off[kind] = (max(worst, max(abs(u - v) for u, v in zip(x, y))), max(scale, max(map(abs, x))))
    for row, other in zip(rows, others):
        for b in machine.bodies:
            for kind in ("pos", "vel", "om", "X", "Y"):
                note(kind, vector(row, f"{kind}_{ident(b)}"), vector(other, f"{kind}_{ident(b)}"))
        for name, what, *_ in () if machine.redundant else machine.joints:
            i = ident(name)
            R, Q = vector(row, f"R_{i}"), vector(other, f"R_{i}")
            M, N = vector(row, f"M_{i}"), vector(other, f"M_{i}")
            if name in machine.driven:
                axis = vector(row, f"W_{i}")
                if what == "slider":
                    R, Q = cross(R, axis), cross(Q, axis)
                else:
                    M, N = cross(M, axis), cross(N, axis)
            note("force", R, Q)
            note("moment", M, N)
    return off


def judge(program, path, keep):
    machine = Machine(program, path)
    base = os.path.basename(path)
    options = ["--points", str(POINTS), "--tol", "1e-13", "--quiet"]
    rows = run(program, machine.lines + machine.outputs(), base, keep, options)
    others = run(program, machine.twin(rows[0]) + machine.outputs(), base.replace(".zw", "_twin.zw"), keep, options)
    # events have rows of their own, and a machine whose contact has four corners in the plane has eight in its twin
    at, other_at = ({row["t"]: row for row in table} for table in (rows, others))
    common = [t for t in at if t in other_at]
    if len(common) < POINTS:
        return False, f"{len(rows)} rows and {len(others)}"
    off = compare(machine, [at[t] for t in common], [other_at[t] for t in common])
    # a length of nothing has no scale of its own
    share = {kind: worst / max(1, scale) for kind, (worst, scale) in off.items()}
    text = " ".join(f"{kind} {x:.0e}" for kind, x in share.items())
    return max(share.values()) <= ALLOWED, text


def main():
    words = sys.argv[1:]
    keep = None
    if "--keep" in words:
        at = words.index("--keep")
        keep = words[at + 1]
        del words[at:at + 2]
    if len(words) == 1:
        here = os.path.dirname(os.path.abspath(__file__))
        words += sorted(os.path.join(here, name) for name in os.listdir(here) if name.endswith(".zw"))
    failed = 0
    print(f"1..{len(words) - 1}")
    for i, path in enumerate(words[1:], 1):
        try:
            good, text = judge(words[0], path, keep)
        except (RuntimeError, subprocess.TimeoutExpired, KeyError) as e:
            good, text = False, str(e).replace("\n", "\n# ")
        failed += not good
        print(f"{'ok' if good else 'not ok'} {i} - {os.path.basename(path)} # {text}")
    print(f"# {len(words) - 1 - failed} passed, {failed} failed, 0 skipped")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
