#!/usr/bin/env python3
"""Published and closed-form numbers, met by the program. Prints TAP.

run.py PROGRAM ROOT [--slow] [part of a file name]...

A problem is test/papers/NAME.json: title, source, note (conversions of sign and scale), model, and runs. A run:
  options    further words of the command line
  tolerance  of the integration; 1e-12 unless said, null for the model's own
  rows       wanted values of columns at times; numbers as texts, with the digits the source trusts
  events     wanted events in their order: name, time `t` or time `after` the one wanted before, values there,
             and `impulse.NAME` of an impact
  among      the same, with others between them
  quiet      true: nothing happens
  ends       wanted values of the last row, its time among them
  residual   an upper bound for every level of every constraint
  command    "eval" compares accelerations and reactions at one state: `values`; "geometry" compares tensors at a
             point: `values` by paths into its JSON, words as they are, numbers as texts; "stability" the same
  text       the model itself, in place of the file
  digits     wanted significant digits, 9 unless said; near zero they count from 1e-4 of the column's largest
             wanted value
  why        where digits is less than 9: the reason
"""
import concurrent.futures, csv, json, os, sys, tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools"))
import calls

SECONDS = 60


class Wrong(Exception):
    pass


def call(words, seconds, folder):
    done = calls.run(words, seconds, cwd=folder, text=True, errors="replace")
    if done.fault:
        raise Wrong(done.fault)
    if done.status != 0:
        raise Wrong(f"exit status {done.status}\n{done.err}")
    return done.out


class Comparison:
    """wanted against got; keeps the worst in units of what is allowed"""

    def __init__(self, digits):
        self.allowance, self.faults, self.worst, self.count = 10.0**-digits, [], (0.0, ""), 0

    def value(self, what, got, want, scale):
        allowed = self.allowance * max(abs(want), 1e-4 * scale, 1e-300)
        off = abs(got - want)
        self.count += 1
        ratio = off / allowed if off == off else float("inf")
        self.worst = max(self.worst, (ratio, what))
        if not ratio <= 1.0:
            self.faults.append(f"{what}: got {got!r}, want {want!r}, off by {off:.3g}, allowed {allowed:.3g}")


def scales_of(rows):
    scale = {}
    for row in rows:
        for key, text in row.items():
            if key not in ("t", "event"):
                scale[key] = max(scale.get(key, 0.0), abs(float(text)))
    return scale


def compare_rows(rows, columns, c):
    scale = scales_of(rows)
    for key in scale:
        if key not in columns:
            raise Wrong(f"the table has no column {key}: it has {', '.join(columns)}")
    times = [float(t) for t in columns["t"]]
    for row in rows:
        t = float(row["t"])
        if t not in times:
            raise Wrong(f"the table has no row at t = {row['t']}")
        # two rows at one instant: a stage or an event changed something there; the last is meant
        at = len(times) - 1 - times[::-1].index(t)
        for key, want in row.items():
            if key != "t":
                c.value(f"{key} at {row['t']}", float(columns[key][at]), float(want), scale[key])


def of_event(key, got, before):
    if key == "t":
        return got["t"]
    if key == "after":
        return got["t"] - before
    if key.startswith("impulse."):
        return got["impulses"][key[8:]]
    return got["values"][key]


def compare_event(n, want, got, before, c):
    for key, text in want.items():
        if key != "event":
            c.value(f"{key} at event {n}", of_event(key, got, before), float(text), abs(float(text)))


def compare_events(wanted, happened, c):
    if [w["event"] for w in wanted] != [h["name"] for h in happened][: len(wanted)]:
        raise Wrong(f"events {[h['name'] for h in happened]}, want {[w['event'] for w in wanted]}")
    before = 0.0
    for n, (want, got) in enumerate(zip(wanted, happened), 1):
        compare_event(n, want, got, before, c)
        before = got["t"]


def compare_among(wanted, happened, c):
    left = iter(happened)
    before = 0.0
    for n, want in enumerate(wanted, 1):
        got = next((h for h in left if h["name"] == want["event"]), None)
        if got is None:
            raise Wrong(f"`{want['event']}` is not among the events {[h['name'] for h in happened]}")
        compare_event(n, want, got, before, c)
        before = got["t"]


def compare_residuals(bound, residuals, c):
    for name, levels in residuals.items():
        for level, value in levels.items():
            c.count += 1
            if value is not None and not value < bound:
                c.faults.append(f"{level} residual of {name}: got {value!r}, want below {bound!r}")


def run_motion(program, model, run, seconds, folder, c):
    rows = run.get("rows", [])
    words = [program, "run", model, *run.get("options", [])]
    if run.get("tolerance", "1e-12") is not None:
        words += ["--tol", run.get("tolerance", "1e-12")]
    if rows and "ends" not in run:
        words += ["--at", ",".join(row["t"] for row in rows)]
    table = os.path.join(folder, "table.csv")
    if any(key in run for key in ("events", "among", "quiet", "residual")):
        table = os.path.join(folder, "table.json")
    call(words + ["--out", table], seconds, folder)
    if table.endswith(".json"):
        answer = json.load(open(table, encoding="utf8"))
        columns = answer["columns"]
        compare_events(run.get("events", []), answer["events"], c)
        compare_among(run.get("among", []), answer["events"], c)
        if run.get("quiet"):
            c.count += 1
            if answer["events"]:
                raise Wrong(f"events {[h['name'] for h in answer['events']]}, want none")
        if "residual" in run:
            compare_residuals(float(run["residual"]), answer["statistics"]["residuals"], c)
    else:
        lines = list(csv.reader(open(table, encoding="utf8")))
        columns = dict(zip(lines[0], zip(*lines[1:])))
    compare_rows(rows, columns, c)
    for key, want in run.get("ends", {}).items():
        c.value(f"{key} at the end", float(columns[key][-1]), float(want), abs(float(want)))


def run_state(program, model, run, seconds, folder, c):
    answer = json.loads(call([program, "eval", model, *run["options"], "--format", "json"], seconds, folder))
    for group, values in run["values"].items():
        got = answer
        for part in group.split("."):
            got = got[part]
        for key, want in values.items():
            c.value(f"{group} of {key}", float(got[key]), float(want), abs(float(want)))


def run_shape(program, model, run, seconds, folder, c):
    answer = json.loads(call([program, run["command"], model, *run["options"], "--format", "json"], seconds, folder))
    for path, want in run["values"].items():
        got = answer
        for key in path.split("."):
            got = got[int(key) if isinstance(got, list) else key]
        if isinstance(got, str):
            c.count += 1
            if got != want:
                c.faults.append(f"{path}: got {got!r}, want {want!r}")
        elif want.startswith("<"):
            c.count += 1
            if not got <= float(want[1:]):
                c.faults.append(f"{path}: got {got!r}, want below {want[1:]}")
        else:
            c.value(path, float(got), float(want), abs(float(want)))


def run_one(program, name, problem, run, root, seconds):
    c = Comparison(run.get("digits", 9))
    model = os.path.join(root, problem.get("model", ""))
    with tempfile.TemporaryDirectory() as folder:
        try:
            if "text" in run:
                model = os.path.join(folder, "model.zw")
                open(model, "w", encoding="utf8").write("\n".join(run["text"]) + "\n")
            command = {"eval": run_state, "geometry": run_shape, "stability": run_shape}.get(run.get("command"), run_motion)
            command(program, model, run, seconds, folder, c)
        except (Wrong, KeyError, ValueError, OSError) as error:
            c.faults.append(str(error) or repr(error))
    return f"{name}: {problem['title']}, {run['name']}", c


def main():
    slow = "--slow" in sys.argv
    program, root, *parts = [a for a in sys.argv[1:] if a != "--slow"]
    folder = os.path.join(root, "test", "papers")
    jobs = []
    for file in sorted(os.listdir(folder)):
        if file.endswith(".json") and (not parts or any(p in file for p in parts)):
            problem = json.load(open(os.path.join(folder, file), encoding="utf8"))
            for run in problem["runs"]:
                jobs.append((file[:-5], problem, run, os.path.abspath(root), SECONDS * (10 if slow else 1)))
    print(f"1..{len(jobs)}", flush=True)
    bad = 0
    with tempfile.TemporaryDirectory() as place, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        program = calls.held(program, place)
        for i, (name, c) in enumerate(pool.map(lambda job: run_one(program, *job), jobs), 1):
            for fault in c.faults:
                print("".join(f"#   {line}\n" for line in fault.splitlines()), end="")
            if not c.faults and c.worst[1]:
                print(f"#   {c.count} values, nearest to its limit: {c.worst[1]}, at {c.worst[0]:.2g} of it")
            bad += bool(c.faults)
            print(f"{'not ok' if c.faults else 'ok'} {i} - {name}", flush=True)
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
