#!/usr/bin/env python3
"""Exported C against the program: accelerations and reactions at states of a run, and a short run of its own.

usage: exported.py ZWANG MODEL.zw ... [--keep FOLDER]

Each model is written as C, compiled alone and strictly, and asked for the accelerations at the rows of a run of the program up to where
something first happens there. From the first row it goes by the classical method of fourth order, put back on its constraints after
every step, and is compared at the last. A code other than 0 is an answer, too, and is told; a wrong number never is.
"""
import csv
import io
import json
import os
import re
import subprocess
import sys
import tempfile

ROWS, ALLOWED_RATE, ALLOWED_REACTION, ALLOWED_RUN = 7, 1e-9, 1e-8, 1e-6
STEPS, SHORT = 1000, 0.005

DRIVER = r"""
#include <stdio.h>
#include "motion.c"
static double q[COORDS], v[COORDS], a[COORDS], lambda[ROWS + 1];
static int rates(double t, const double* y, double* d)
{
  int i, code = zwang_accelerations(t, y, y + COORDS, 0, d + COORDS, 0);
  for (i = 0; i < COORDS; i++) d[i] = y[COORDS + i];
  return code;
}
static int step(double t, double h, double* y)
{
  double k[4][2 * COORDS], z[2 * COORDS];
  static const double at[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
  int i, s, code;
  for (s = 0; s < 4; s++) {
    for (i = 0; i < 2 * COORDS; i++) z[i] = y[i] + (s ? at[s] * h * k[s - 1][i] : 0);
    if ((code = rates(t + at[s] * h, z, k[s])) != 0) return code;
  }
  for (s = 0; s < 4; s++)
    for (i = 0; i < 2 * COORDS; i++) y[i] += h / 6 * weight[s] * k[s][i];
  return zwang_project(t + h, y, y + COORDS, 0, 0) ? 100 : 0;
}
int main(void)
{
  char what;
  double t, end, y[2 * COORDS];
  int i, n, code;
  while (scanf(" %c %lf %lf %d", &what, &t, &end, &n) == 4) {
    for (i = 0; i < COORDS; i++) if (scanf("%lf", &q[i]) != 1) return 1;
    for (i = 0; i < COORDS; i++) if (scanf("%lf", &v[i]) != 1) return 1;
    if (what == 'e') {
      code = zwang_accelerations(t, q, v, 0, a, lambda);
      printf("%d", code);
      for (i = 0; i < COORDS; i++) printf(" %.17g", code ? 0 : a[i]);
      for (i = 0; i < ROWS; i++) printf(" %.17g", code ? 0 : lambda[i]);
    } else {
      for (i = 0; i < COORDS; i++) y[i] = q[i], y[COORDS + i] = v[i];
      for (code = i = 0; i < n && !code; i++) code = step(t + (end - t) * i / n, (end - t) / n, y);
      printf("%d", code);
      for (i = 0; i < 2 * COORDS; i++) printf(" %.17g", y[i]);
    }
    printf("\n");
  }
  return 0;
}
"""


class Wrong(Exception):
    pass


def run(words, **more):
    return subprocess.run(words, capture_output=True, text=True, timeout=240, check=False, **more)


def orders(source):
    """names of coordinates (with whether they are states) and of reactions, from the comment of the file"""
    coords, rows, at = [], [], None
    for line in source.splitlines():
        if line.startswith("/* order of q"):
            at = coords
        elif "order of lambda:" in line:
            at = rows
        elif line.startswith("*/") and at is not None:
            break
        elif at is not None:
            name = re.sub(r"^ +\d+  ", "", line)
            at.append((re.sub(r" \[.*|, a state:.*", "", name), ", a state:" in line))
    return coords, rows


def compiled(program, model, folder):
    p = run([program, "derive", model, "--as", "c"])
    if p.returncode:
        return None, p.stderr.strip().splitlines()[0]
    for name, text in (("motion.c", p.stdout), ("driver.c", DRIVER)):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
            f.write(text)
    strict = ["cc", "-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O1"]
    for words in (["-c", "-o", f"{folder}/motion.o", f"{folder}/motion.c"], ["-o", f"{folder}/driver", f"{folder}/driver.c", "-lm"]):
        c = run(strict + words)
        if c.returncode:
            raise Wrong(f"it does not compile: {c.stderr[:600]}")
    return p.stdout, ""


def rows_of(program, model, coords, folder):
    """rows of a run with accelerations, up to where something happens"""
    with open(model, encoding="utf-8") as f:
        text = f.read()
    at = os.path.join(folder, "asked.zw")
    text += "\n" + "".join(f"output acceleration_{i} = {name}{chr(39) if state else chr(39) * 2}\n" for i, (name, state) in enumerate(coords))
    # files that it takes in lie beside it
    beside = os.path.dirname(os.path.abspath(model))
    for name in os.listdir(beside):
        link = os.path.join(folder, name)
        if not os.path.exists(link):
            os.symlink(os.path.join(beside, name), link)
    with open(at, "w", encoding="utf-8") as f:
        f.write(text)
    out = os.path.join(folder, "run.json")
    p = run([program, "run", at, "--quiet", "--tol", "1e-12", "--out", out])
    if not os.path.exists(out):
        raise Wrong(f"the run fails: {p.stderr[:300]}")
    with open(out, encoding="utf-8") as f:
        told = json.load(f)
    happened = [e["t"] for e in told.get("events", [])]
    columns = told["columns"] if "columns" in told else told["data"]
    start = columns["t"][0]
    stages = columns.get("stage", [""])
    happened += [t for t, stage in zip(columns["t"], stages) if stage != stages[0]]
    end = min([t for t in happened if t > start] + [columns["t"][-1]])
    # the second is where the short run ends
    places = [start, start + (end - start) * SHORT] + [start + (end - start) * 0.97 * i / (ROWS - 1) for i in range(1, ROWS)]
    p = run([program, "run", at, "--quiet", "--tol", "1e-12", "--at", ",".join(map(repr, places)), "--out", "-"])
    return list(csv.DictReader(io.StringIO(p.stdout))), happened and happened[0] <= start


def judge(program, model, folder):
    source, why = compiled(program, model, folder)
    if source is None:
        return f"refused: {why}"
    coords, reactions = orders(source)
    rows, at_once = rows_of(program, model, coords, folder)
    if not rows:
        raise Wrong("no rows")
    states = []
    for row in rows:
        q = [row[name] if not state else "0" for name, state in coords]
        v = [row[name if state else name + "'"] for name, state in coords]
        states.append((row["t"], q, v))
    asked = [f"e {t} 0 0 {' '.join(q)} {' '.join(v)}" for t, q, v in states]
    first, last = states[0], states[1]
    asked.append(f"r {first[0]} {last[0]} {STEPS} {' '.join(first[1])} {' '.join(first[2])}")
    p = run([os.path.join(folder, "driver")], input="\n".join(asked) + "\n")
    answers = [list(map(float, line.split())) for line in p.stdout.splitlines()]
    if len(answers) != len(asked):
        raise Wrong(f"{len(answers)} answers of {len(asked)}: {p.stderr}")
    n, worst, codes = len(coords), {"rate": 0, "reaction": 0}, []
    for row, found in zip(rows, answers):
        codes.append(int(found[0]))
        if found[0]:
            continue
        # the row of an instant at which params were set shows what was before
        if at_once and row is rows[0]:
            continue
        want = [float(row[f"acceleration_{i}"]) for i in range(n)]
        scale = max([1] + [abs(x) for x in want])
        worst["rate"] = max([worst["rate"]] + [abs(x - y) / scale for x, y in zip(found[1:], want)])
        shown = [(i, row[f"{kind}.{name}"]) for i, (name, _) in enumerate(reactions) for kind in ("reaction", "control") if f"{kind}.{name}" in row]
        scale = max([1] + [abs(float(x)) for _, x in shown if x])
        worst["reaction"] = max([worst["reaction"]] + [abs(found[1 + n + i] - float(x)) / scale for i, x in shown if x])
    text = f"rates {worst['rate']:.0e} reactions {worst['reaction']:.0e} codes {codes}"
    found, code = answers[-1][1:], int(answers[-1][0])
    codes.append(code)
    off = 0
    if code == 0 and not at_once:
        want = [0 if state else float(x) for (_, state), x in zip(coords, last[1])] + [float(x) for x in last[2]]
        scale = max([1] + [abs(x) for x in want])
        off = max(abs(x - y) / scale for i, (x, y) in enumerate(zip(found, want)) if not (i < n and coords[i][1]))
    text += f"; run {off:.0e} code {code}"
    if worst["rate"] > ALLOWED_RATE or worst["reaction"] > ALLOWED_REACTION or off > ALLOWED_RUN:
        raise Wrong(text)
    return text


def main():
    words, keep = sys.argv[1:], None
    if "--keep" in words:
        at = words.index("--keep")
        keep = words[at + 1]
        del words[at:at + 2]
    program, models = words[0], words[1:]
    failed = 0
    print(f"1..{len(models)}")
    for i, model in enumerate(models, 1):
        with tempfile.TemporaryDirectory() as folder:
            if keep:
                folder = os.path.join(keep, os.path.basename(model)[:-3])
                os.makedirs(folder, exist_ok=True)
            try:
                text, good = judge(program, model, folder), True
            except (Wrong, subprocess.TimeoutExpired, KeyError, ValueError) as e:
                text, good = f"{type(e).__name__} {e}", False
        failed += not good
        print(f"{'ok' if good else 'not ok'} {i} - {os.path.basename(model)} # {text}".replace("\n", " "), flush=True)
    print(f"# {len(models) - failed} passed, {failed} failed, 0 skipped")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
