#!/usr/bin/env python3
"""A motion knows no units: lengths, masses, times a million times larger or smaller, the same motion. Prints TAP.

scales.py PROGRAM ROOT [--all] [--power N] [--table FILE] [--renew] [--slow] [MODEL...]

Every model of the gallery is rewritten (tools/rescale.py) with its lengths, masses or times multiplied by 10^6 and by
10^-6, and run at default options. Every column at eleven instants and every event must be those of the model itself,
multiplied by the power of ten that their dimension says, to ten tolerances of the run: of the column's largest value,
and not less than SMALL of what a quantity of its dimension is like in this motion. Where the motion itself is less
exact than its tolerance, as seen by a tenth of it, ten times its own error is allowed.

In steps of time many impacts at once make much of a rounding. Such models are multiplied by a power of two near that of
ten: their roundings stay what they were, and so must the motion.

Without --all two of the six ways are tried for each model, drawn by the bytes of the program, so that each new
program is tried with others and the same one with the same. --power tries other powers of ten than six.

scales_known.txt lists what is known to fail, model:base+power; see tools/known.py.
"""
import argparse, concurrent.futures, hashlib, json, math, os, random, sys, tempfile
from fractions import Fraction

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "tools"))
import calls, known, rescale

KNOWN = os.path.join(HERE, "scales_known.txt")
TOLERANCES = 10                  # of the run, of a column's size
NEAR = 2                         # times what is allowed: another order of additions may make it right
ROWS = 10                        # intervals between the instants compared
SECONDS = 6
SLOW = 20                        # times as much for a program that checks itself
IN_STEPS = ("moreau",)            # methods in steps of time
SMALL = 0.1                      # a column that is zero but for rounding is measured by others of its dimension


class Differs(Exception):
    pass


def run(program, path, instants, seconds, more=()):
    """the JSON of a run"""
    out = path + ".json"
    rows = ["--at", ",".join(instants)] if instants else ["--points", "2"]
    done = calls.run([program, "run", path, *rows, "--out", out, *more], seconds, text=True, errors="replace")
    if done.fault:
        raise Differs("hangs: " + done.fault)
    if done.status not in (0, 1) or not os.path.exists(out):
        told = [line for line in done.err.splitlines() if line.strip()] or ["without a word"]
        raise Differs(f"exit status {done.status}: {told[0].split('.zw:')[-1]}")
    with open(out, encoding="utf8") as file:
        got = json.load(file)
    os.unlink(out)
    return got


class Reference:
    """the model as it is: its run, its own error, the dimensions and sizes of its columns"""

    def __init__(self, program, path, seconds):
        self.model = rescale.read(program, path)
        with tempfile.TemporaryDirectory() as folder:
            copy = os.path.join(folder, "model.zw")
            with open(path, encoding="utf8") as file, open(copy, "w", encoding="utf8") as out:
                out.write(file.read())
            told = run(program, copy, None, seconds)["statistics"]
            first, last = Fraction(told["t_from"]), Fraction(told["t_reached"])
            self.instants = [first + (last - first) * k / ROWS for k in range(ROWS + 1)]
            # a run that ends where something happens ends a little elsewhere in other units
            if told["t_to"] is None or told["t_reached"] < told["t_to"]:
                self.instants.pop()
            at = [repr(float(t)) for t in self.instants]
            self.got = run(program, copy, at, seconds)
            finer = run(program, copy, at, seconds, ["--tol", repr(told["tolerance"] / 10)])
        self.tolerance = told["tolerance"]
        self.in_steps = told["method"] in IN_STEPS
        self.columns = [c for c in self.got["columns"] if c not in ("t", "stage", "event")]
        self.dimension = {c: self.model.column(c) for c in self.columns}
        self.rows = rows_at(self.got, [float(t) for t in self.instants])
        self.size = self.sizes(float(last - first))
        better = rows_at(finer, [float(t) for t in self.instants])
        self.error = {c: max((abs(a[c] - b[c]) for a, b in zip(self.rows, better) if None not in (a[c], b[c])), default=0.0)
                      for c in self.columns}

    def sizes(self, span):
        """the largest of each column, or SMALL of the largest of its dimension; where all of them are zero, of what
        length, speed and energy of this motion make"""
        largest = {c: max((abs(row[c]) for row in self.rows if row[c] is not None), default=0.0) for c in self.columns}
        alike = {}
        for c in self.columns:
            alike[self.dimension[c]] = max(alike.get(self.dimension[c], 0.0), largest[c])
        energy = self.got["statistics"]["energy"]["scale"] or 1.0
        length = alike.get((0, 1, 0)) or 1.0
        speed = alike.get((0, 1, -1)) or (alike.get((0, 0, -1)) or 1 / span) * length
        time = length / speed
        base = (energy / speed**2, length, time)

        def like(dimension):
            made = 1.0
            for unit, power in zip(base, dimension):
                made *= unit ** float(power)
            return max(made, alike[dimension])

        return {c: max(largest[c], SMALL * like(self.dimension[c])) for c in self.columns}

    def allowed(self, column):
        return TOLERANCES * max(self.tolerance * self.size[column], self.error[column])


def rows_at(got, instants):
    """the last row at each instant, which was met exactly"""
    times = got["columns"]["t"]
    rows = []
    for t in instants:
        at = max((i for i, s in enumerate(times) if s == t), default=None)
        if at is None:
            raise Differs(f"no row at t = {t}; the run ends at {times[-1] if times else 'its start'}: {got['reason']}")
        rows.append({name: values[at] for name, values in got["columns"].items()})
    return rows


def compare(what, got, want, allowed):
    if want is None or got is None:
        if got is not want:
            raise Differs(f"{what}: {want} before, {got} after")
        return 0.0
    off = abs(got - want)
    if ".angle " in what:
        # between the axes of two surfaces: the same after a turn
        off = abs(math.remainder(off, 2 * math.pi))
    if not off <= allowed:
        near = "near: " if off <= NEAR * allowed else ""
        raise Differs(f"{near}{what}: {want:.12g} before, {got:.12g} after, off by {off / allowed:.2g} of what is allowed")
    return off / allowed


def compare_runs(reference, got, instants, factor, span):
    """FACTOR of a dimension: what its numbers were multiplied by"""
    if got["status"] != reference.got["status"]:
        raise Differs(f"ends {got['status']} ({got['reason']}), {reference.got['status']} before")
    told = [e["name"] for e in reference.got["events"]], [e["name"] for e in got["events"]]
    for i, (before, after) in enumerate(zip(reference.got["events"], got["events"]), 1):
        if before["name"] != after["name"]:
            raise Differs(f"event {i}: {before['name']} before, {after['name']} after")
        compare(f"time of event {i}, {before['name']}", after["t"] / factor((0, 0, 1)), before["t"],
                TOLERANCES * reference.tolerance * span)
    if len(told[0]) != len(told[1]):
        raise Differs(f"{len(told[0])} events before, {len(told[1])} after")
    for t, before, after in zip(reference.instants, reference.rows, rows_at(got, instants)):
        for c in reference.columns:
            value = after.get(c)
            value = None if value is None else value / factor(reference.dimension[c])
            compare(f"{c} at {float(t):g}", value, before[c], reference.allowed(c))


def fault_of(program, reference, base, power, seconds):
    """how the run in other units differs, or None"""
    at = rescale.BASES.index(base)
    radix, exponent = (2, round(power * math.log2(10))) if reference.in_steps else (10, power)

    def factor(dimension):
        return float(radix) ** float(dimension[at] * exponent)

    instants = [float(t * Fraction(radix) ** exponent) if base == "time" else float(t) for t in reference.instants]
    span = float(reference.instants[-1] - reference.instants[0]) or 1.0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.zw")
        with open(path, "w", encoding="utf8") as file:
            file.write(reference.model.rescaled(base, exponent, radix))
        try:
            got = run(program, path, [repr(t) for t in instants], seconds)
            compare_runs(reference, got, instants, factor, span)
        except Differs as difference:
            return str(difference)
    return None


def faults_of(program, path, ways, seconds):
    name = os.path.basename(path)[:-3]
    try:
        reference = Reference(program, path, seconds)
    except (Differs, rescale.Unreadable) as reason:
        return {name: f"not compared: {reason}"}
    return {f"{name}:{base}{power:+d}": fault_of(program, reference, base, power, seconds) for base, power in ways}


def drawn(name, every, listed, draw, count):
    """some of all ways, none of those known to take too long"""
    ending = [(base, power) for base, power in every if not listed.get(f"{name}:{base}{power:+d}", "").startswith("hangs")]
    return draw.sample(ending, min(count, len(ending)))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("root")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--power", type=int, default=6)
    parser.add_argument("--table")
    parser.add_argument("--renew", action="store_true")
    parser.add_argument("--slow", action="store_true", help="a program that checks itself")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("models", nargs="*")
    options = parser.parse_intermixed_args()
    gallery = os.path.join(options.root, "models")
    names = options.models or sorted(f[:-3] for f in os.listdir(gallery) if f.endswith(".zw"))
    every = [(base, sign * options.power) for base in rescale.BASES for sign in (1, -1)]
    seconds = SECONDS * (SLOW if options.slow else 1)
    with tempfile.TemporaryDirectory() as folder:
        held = calls.held(os.path.abspath(options.program), folder)
        with open(held, "rb") as file:
            draw = random.Random(hashlib.sha256(file.read()).hexdigest())
        listed = known.read(KNOWN)
        whole = options.all or options.models
        ways = {n: every if whole else drawn(n, every, listed, draw, 1 if options.slow else 2) for n in names}
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            found = pool.map(lambda n: faults_of(held, os.path.join(gallery, n + ".zw"), ways[n], seconds), names)
            faults = {key: fault for one in found for key, fault in one.items()}
    return known.conclude(KNOWN, faults, "{} is the same motion", options)


if __name__ == "__main__":
    sys.exit(main())
