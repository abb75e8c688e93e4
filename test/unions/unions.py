#!/usr/bin/env python3
"""Systems that nothing couples, put into one model, move as each does alone. Prints TAP.

unions.py PROGRAM [--all] [--triples N] [--seed S] [--table FILE] [--renew] [SYSTEM...]

systems/NAME.zw is one small system for one kind of statement, a model of its own that ends at t = 1. All its names
end in `_`; in a union they get the name of the system, `x_` becoming `x_blade`, so that any systems, and copies of
one, can stand side by side. Every column at every instant, every event, its time, values and impulses must be those
of the separate run, to 1e-8 of the column's size.

known.txt lists the unions that are known to fail, with the kind of failure:
  refused    nothing was computed
  stopped    the run ended early
  near       a number is just outside of its bound
  different  a number, or what happened, is not that of the separate run
  warned     the numbers are right, but a warning is given that no system has alone
  crashes    ended by a signal
  hangs      it takes more seconds of the processor than SECONDS
A union that fails and is not listed is a failure of the test, and so is one that is listed and passes: the list can
only shrink. --renew writes it anew, after showing the difference.

Without options a selection is tried: every system alone and some of all unions, drawn by the bytes of the program,
so that each new program is tried with others and the same one with the same; listed ones are tried before others.
--all tries every pair, every system beside its own copy, and triples; with names only unions of those. --table
writes what failed, one line each, the reason behind it.
"""
import argparse, concurrent.futures, hashlib, itertools, json, math, os, random, re, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "tools"))
import calls, known

TOLERANCE = "1e-11"              # of the runs
ALLOWED = 1e-8                   # of a column's size
NEAR = 1.05                      # times what is allowed: another order of additions may make it right
SECONDS = 12                     # of the processor for one union, which is run twice: the second pass tells its digits
SLOW, FEWER = 20, 4              # a program that checks itself has more of them, for every fourth union
# between what happens in the systems; some instants of theirs coincide on purpose (0.5)
INSTANTS = [0.11, 0.23, 0.41, 0.62, 0.87, 1]
# a column that is zero but for rounding is measured by the others of its kind, and by the systems' own size, which is 1
SMALL_OF_KIND = 1e-3
SMALL_OF_SYSTEM = 1e-3
KNOWN = os.path.join(HERE, "known.txt")
CHOSEN = 40                      # unions of a plain test
CHOSEN_TRIPLES = 5


class Failure(Exception):
    def __init__(self, kind, reason):
        super().__init__(reason)
        self.kind, self.reason = kind, reason


class Systems:
    """the fragments, by name; copies are called NAME#2"""

    def __init__(self, folder):
        self.text = {}
        for file in sorted(os.listdir(folder)):
            if file.endswith(".zw"):
                lines = open(os.path.join(folder, file), encoding="utf8").read().splitlines()
                self.text[file[:-3]] = [line for line in lines if not line.startswith(("#", "run "))]

    def names(self):
        return list(self.text)

    def join(self, labels):
        """one model of several systems; stages bring their own end; a method that one asks for is that of all"""
        lines = []
        for label in labels:
            lines += [renamed(line, label) for line in self.text[label.split("#")[0]]]
        methods = [line for line in lines if line.startswith("method ")]
        lines = [line for line in lines if not line.startswith("method ")] + methods[:1]
        staged = any(line.startswith("stage ") for line in lines)
        return "\n".join(lines + ([] if staged else ["run 0 .. 1"])) + "\n"


def renamed(text, label):
    return re.sub(r"\b([A-Za-z]\w*)_(?!\w)", lambda m: f"{m[1]}_{label.replace('#', '')}", text)


def labels_of(union):
    """a second system of one name is a copy"""
    seen, labels = {}, []
    for name in union:
        seen[name] = seen.get(name, 0) + 1
        labels.append(name if seen[name] == 1 else f"{name}#{seen[name]}")
    return labels


class Runner:
    """a program, the folder it works in, and how long it may take"""

    def __init__(self, program, folder, seconds):
        self.program, self.folder, self.seconds = program, folder, seconds

    def compute(self, text, tag, more=()):
        """the JSON of a run; raises Failure"""
        model, out = os.path.join(self.folder, tag + ".zw"), os.path.join(self.folder, tag + ".json")
        with open(model, "w", encoding="utf8") as file:
            file.write(text)
        at = ",".join(str(t) for t in INSTANTS)
        words = [self.program, "run", model, "--tol", TOLERANCE, "--at", at, "--out", out, *more]
        done = calls.run(words, self.seconds, text=True, errors="replace")
        if done.fault:
            raise Failure("hangs", f"used more than {SECONDS} s of the processor")
        if done.status < 0:
            raise Failure("crashes", f"ended by signal {-done.status}")
        if done.status != 0 or not os.path.exists(out):
            raise Failure("stopped" if os.path.exists(out) else "refused", reason_of(done.err))
        with open(out, encoding="utf8") as file:
            got = json.load(file)
        os.unlink(out)
        os.unlink(model)
        return got


def reason_of(text):
    """the line that says why"""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    told = [re.sub(r"^\S+\.zw:(\d+):(\d+): ", "", line) for line in lines if ": error:" in line or line.startswith("zwang:")]
    return (told or lines or ["without a word"])[0]


class Alone:
    """the separate run: columns at the instants and what happened, with sizes to compare by"""

    def __init__(self, got):
        self.rows = rows_of(got)
        self.events = got["events"]
        self.warnings = got["warnings"]
        columns = [c for c in got["columns"] if c not in ("t", "stage", "event")]
        largest = {c: max(abs(row[c]) for row in self.rows) for c in columns}
        for event in self.events:
            for c, value in event["values"].items():
                if c in largest:
                    largest[c] = max(largest[c], abs(value))
        of_kind = {}
        for c in columns:
            of_kind[kind_of(c)] = max(of_kind.get(kind_of(c), 0.0), largest[c])
        self.size = {c: max(largest[c], SMALL_OF_KIND * of_kind[kind_of(c)], SMALL_OF_SYSTEM) for c in columns}


def kind_of(column):
    """numbers of one kind can be compared in size: forces, speeds, places, outputs of one vector"""
    if column.startswith(("reaction.", "control.", "moment.")):
        return "force"
    return "speed" if column.endswith("'") else re.sub(r"\.[xyz]$", "", column) if column.endswith((".x", ".y", ".z")) else "place"


def rows_of(got):
    """the last row at each instant"""
    times = got["columns"]["t"]
    rows = []
    for t in INSTANTS:
        at = max((i for i, s in enumerate(times) if s == t), default=None)
        if at is None:
            raise Failure("different", f"the table has no row at t = {t}")
        rows.append({name: values[at] for name, values in got["columns"].items()})
    return rows


def off_by(what, got, want):
    off = abs(got - want) if isinstance(got, (int, float)) else float("nan")
    # between the axes of two surfaces: the same after a turn
    return abs(math.remainder(off, 2 * math.pi)) if re.search(r"\.angle\b", what) else off


def compare_number(what, got, want, size):
    off = off_by(what, got, want)
    if not off <= ALLOWED * size:
        raise Failure("near" if off <= NEAR * ALLOWED * size else "different", f"{what}: {want:.12g} alone, {got!r} together, off by {off / size:.2g} of its size")


def compare_events(label, alone, together):
    """TOGETHER are those of this system, in their order"""
    def told(event):
        return f"{event['name']} at {event['t']:.10g}"

    for i, (want, got) in enumerate(itertools.zip_longest(alone.events, together)):
        if want is None or got is None or renamed(want["name"], label) != got["name"]:
            raise Failure("different", f"event {i + 1} of {label}: {told(want) if want else 'none'} alone, "
                                       f"{told(got) if got else 'none'} together")
        compare_number(f"time of {told(got)}", got["t"], want["t"], INSTANTS[-1])
        for column, size in alone.size.items():
            if column in want["values"]:
                compare_number(f"{column} at {told(got)}", got["values"].get(renamed(column, label)),
                               want["values"][column], size)
        impulses = want.get("impulses", {})
        size = max([abs(p) for e in alone.events for p in e.get("impulses", {}).values()], default=1.0)
        for name, value in impulses.items():
            compare_number(f"impulse of {name} at {told(got)}", got.get("impulses", {}).get(renamed(name, label)), value, size)


def compare(union, alone, got):
    rows = rows_of(got)
    labels = labels_of(union)
    for name, label in zip(union, labels):
        single = alone[name]
        for t, row, want in zip(INSTANTS, rows, single.rows):
            for column, size in single.size.items():
                compare_number(f"{renamed(column, label)} at {t}", row.get(renamed(column, label)), want[column], size)
        ends = re.compile(rf"_{label.replace('#', '')}(?!\w)")
        compare_events(label, single, [e for e in got["events"] if ends.search(e["name"])])
    told = [w for name in union for w in alone[name].warnings]
    fresh = [w for w in got["warnings"] if not told]
    if fresh:
        raise Failure("warned", str(fresh[0]).splitlines()[0])


def try_union(runner, systems, alone, union):
    """None, or how it fails"""
    try:
        got = runner.compute(systems.join(labels_of(union)), "+".join(labels_of(union)))
        compare(union, alone, got)
    except Failure as failure:
        return f"{failure.kind}: {failure.reason}"
    return None


def runs_alone(runner, systems, names):
    """the separate runs, and what was wrong with those that need to be asked for another method to end"""
    alone, wrong = {}, {}
    for name in names:
        text = systems.join([name]).replace(f"_{name}", "_")
        wrong[name] = None
        try:
            alone[name] = Alone(runner.compute(text, name))
        except Failure as failure:
            wrong[name] = f"{failure.kind}: {failure.reason}"
            alone[name] = Alone(runner.compute(text, name, ["--method", "dop853"]))
    return alone, wrong


def unions_of(names, triples, seed):
    """every pair, every system with its copy, and triples drawn at random; stages have no copies: they follow each other"""
    pairs = list(itertools.combinations(names, 2)) + [(name, name) for name in names if name != "stages"]
    every = list(itertools.combinations(names, 3))
    return pairs, sorted(random.Random(seed).sample(every, min(triples, len(every))))


def chosen(pairs, triples, listed, program):
    """a selection for this program: up to half of it known failures that end, the rest others"""
    with open(program, "rb") as file:
        draw = random.Random(hashlib.sha256(file.read()).hexdigest())
    failing = [u for u in pairs if not listed.get("+".join(u), "hangs").startswith("hangs")]
    failing = draw.sample(failing, min(CHOSEN // 2, len(failing)))
    rest = [u for u in pairs if "+".join(u) not in listed]
    picked = failing + draw.sample(rest, min(CHOSEN - len(failing), len(rest)))
    free = [u for u in triples if "+".join(u) not in listed]
    return picked + draw.sample(free, min(CHOSEN_TRIPLES, len(free)))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--triples", type=int, default=100)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--table")
    parser.add_argument("--renew", action="store_true")
    parser.add_argument("--slow", action="store_true", help="a program that checks itself")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("systems", nargs="*")
    options = parser.parse_intermixed_args()
    systems = Systems(os.path.join(HERE, "systems"))
    names = sorted(options.systems) or systems.names()
    with tempfile.TemporaryDirectory() as folder:
        program = calls.held(os.path.abspath(options.program), folder)
        runner = Runner(program, folder, SECONDS * (SLOW if options.slow else 1))
        alone, faults = runs_alone(runner, systems, names)
        pairs, triples = unions_of(names, options.triples, options.seed)
        everything = options.all or options.systems
        unions = pairs + triples if everything else chosen(pairs, triples, known.read(KNOWN), program)
        if options.slow:
            unions = unions[::FEWER]
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            found = pool.map(lambda u: try_union(runner, systems, alone, u), unions)
            faults.update(zip(map("+".join, unions), found))
    return known.conclude(KNOWN, faults, "{}: as alone", options)


if __name__ == "__main__":
    sys.exit(main())
