#!/usr/bin/env python3
"""Unions by time-stepping: systems that nothing couples move under --method moreau as each does alone. Prints TAP.

leaps.py PROGRAM [--all] [--seed S] [SYSTEM...]

The systems and the unions are those of unions.py; what the method does not take alone, or does not trust at these steps, it says so, and
it is left out. Steps are
fixed, and what happens in one system divides a step of the others. So numbers are compared to the error of the method
itself: a few times what half the step changes in the separate run. A union must be taken wherever all its
systems are, must tell the events that they tell, and warn of no more than they do. leaps_known.txt, where there is one, lists what is known to fail.
"""
import argparse, concurrent.futures, hashlib, itertools, json, os, random, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "tools"))
import calls, known, unions

KNOWN = os.path.join(HERE, "leaps_known.txt")
# what says that a system is none for steps of time
NOT_TAKEN = ("the method `moreau` does not take", "are decided event by event, as the method in the model asks for")

STEP = 1e-3
TIMES = 4                        # the error of the separate run
LEAST = 1e-7                     # of a column's size: the error may be zero by chance
CHOSEN = 30                      # unions of a plain test, drawn for each program
ALWAYS = [("delay", "rail"), ("rail", "stages")]  # what happened to one told of a slip in the other


class Runner(unions.Runner):
    def compute(self, text, tag, step):
        # the tolerance of the event-driven runs says nothing here, and is warned of
        try:
            got = super().compute(text, tag, ["--method", "moreau", "--step", repr(step)])
        except unions.Failure as failure:
            raise unions.Failure("doubted", self.doubt(tag)) if self.doubt(tag) else failure
        got["warnings"] = [w for w in got["warnings"] if "--tol does not steer" not in str(w)]
        return got

    def doubt(self, tag):
        """what a run that came to its end says against itself"""
        try:
            with open(os.path.join(self.folder, tag + ".json"), encoding="utf8") as file:
                return json.load(file).get("doubt")
        except OSError:
            return None


class Alone(unions.Alone):
    """the separate run, and how exact it is"""

    def __init__(self, got, finer):
        super().__init__(got)
        fine = unions.rows_of(finer)
        self.error = {c: max(unions.off_by(c, a[c], b[c]) for a, b in zip(self.rows, fine)) for c in self.size}
        self.late = max([abs(a["t"] - b["t"]) for a, b in zip(got["events"], finer["events"])], default=0.0)

    def allowed(self, column):
        return TIMES * self.error[column] + LEAST * self.size[column]


def compare_row(label, single, t, row, want):
    for column in single.size:
        got = row.get(unions.renamed(column, label))
        off = unions.off_by(column, got, want[column])
        if not off <= single.allowed(column):
            raise unions.Failure("different", f"{unions.renamed(column, label)} at {t}: {want[column]:.10g} alone, {got!r} "
                                              f"together, off by {off:.2g}, allowed {single.allowed(column):.2g}")


def compare_events(label, single, together):
    want = [(unions.renamed(e["name"], label), e["t"]) for e in single.events]
    got = [(e["name"], e["t"]) for e in together]
    for a, b in itertools.zip_longest(want, got):
        if not a or not b or a[0] != b[0] or not abs(a[1] - b[1]) <= TIMES * single.late + LEAST:
            raise unions.Failure("different", f"of {label}: {a or 'nothing'} alone, {b or 'nothing'} together")


def try_union(runner, systems, alone, union):
    """None, or how it fails"""
    labels = unions.labels_of(union)
    try:
        got = runner.compute(systems.join(labels), "+".join(labels), STEP)
        for name, label in zip(union, labels):
            for t, row, want in zip(unions.INSTANTS, unions.rows_of(got), alone[name].rows):
                compare_row(label, alone[name], t, row, want)
            ends = f"_{label.replace('#', '')}"
            compare_events(label, alone[name], [e for e in got["events"] if e["name"].endswith(ends)])
        if got["warnings"] and not any(alone[name].warnings for name in union):
            raise unions.Failure("warned", str(got["warnings"][0]).splitlines()[0])
    except unions.Failure as failure:
        return f"{failure.kind}: {failure.reason}"
    return None


def runs_alone(runner, systems, names):
    """those that it takes; what is wrong with others"""
    alone, wrong = {}, {}
    for name in names:
        text = systems.join([name]).replace(f"_{name}", "_")
        try:
            alone[name] = Alone(runner.compute(text, name, STEP), runner.compute(text, name, STEP / 2))
        except unions.Failure as failure:
            if failure.kind != "doubted" and not any(text in failure.reason for text in NOT_TAKEN):
                wrong[name] = f"{failure.kind}: {failure.reason}"
    return alone, wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--slow", action="store_true", help="a program that checks itself")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("systems", nargs="*")
    options = parser.parse_intermixed_args()
    systems = unions.Systems(os.path.join(HERE, "systems"))
    with tempfile.TemporaryDirectory() as folder:
        program = calls.held(os.path.abspath(options.program), folder)
        runner = Runner(program, folder, unions.SECONDS * (unions.SLOW if options.slow else 1))
        alone, faults = runs_alone(runner, systems, sorted(options.systems) or systems.names())
        pairs, triples = unions.unions_of(list(alone), 10, options.seed)
        tried = pairs + triples
        if not options.all and not options.systems:
            with open(program, "rb") as file:
                draw = random.Random(hashlib.sha256(file.read()).hexdigest())
            tried = ALWAYS + [u for u in draw.sample(tried, min(CHOSEN, len(tried))) if u not in ALWAYS]
        if options.slow:
            tried = tried[::unions.FEWER]
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            faults.update(zip(map("+".join, tried), pool.map(lambda u: try_union(runner, systems, alone, u), tried)))
    print(f"1..{len(faults)}\n# taken alone: {' '.join(alone)}")
    listed = known.read(KNOWN)
    for name in set(faults) & set(listed):
        faults[name] = None if faults[name] else f"is known to fail, and passes: take it out of {os.path.basename(KNOWN)}"
    for number, (name, fault) in enumerate(faults.items(), 1):
        print(f"{'not ok' if fault else 'ok'} {number} - {name}: as alone, step by step")
        if fault:
            print(f"#   {fault}")
    return 1 if any(faults.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
