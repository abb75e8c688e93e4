#!/usr/bin/env python3
"""Results of contacts, event by event and by steps of time, against the mechanics they are results of. Prints TAP.

results.py PROGRAM [--first N] [--count N] [--show SEED]

A particle on a random plane, in the plane or in space, that presses from one side or holds both ways, at rest or led by time, with one coefficient
of friction, two, or one that falls with the slip, and with a restitution. Event by event friction(c) is what is left of m a without the other forces,
slip(c) the speed along the plane against it, state(c) as both say, and where the plane is at rest energy() and loss(c) make a constant sum. By steps
of time all of them come nearer to that with the step.
"""
import argparse, concurrent.futures, csv, io, math, os, random, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "tools"))
import calls

CLOSE = 1e-7                     # event by event, of the size of each result
STEP = 4e-4
TIMES = 6                        # what half the step changes
COARSE = 2e-2                    # by steps, however little half the step changes
SECONDS = 60


class Drawn:
    def __init__(self, seed):
        draw = random.Random(seed)
        self.space = draw.random() < 0.6
        self.led = draw.random() < 0.3
        self.sense = draw.choice([">=", ">=", "<=", "="])
        self.until = 1.0
        m, g = draw.choice([1, 2, 0.5]), [draw.uniform(-2, 2), draw.uniform(-2, 2) if self.space else -10, -10 if self.space else 0]
        up = 2 if self.space else 1
        # f = k (height - slope . place - what leads it)
        k, slope = draw.choice([1, 3, 0.5]), [draw.uniform(-0.3, 0.3) for _ in range(up)]
        sign = -1 if self.sense == "<=" else 1
        height, level = "xyz"[up], " + ".join(f"{s:.3g}*pos(b).{c}" for s, c in zip(slope, "xyz"))
        lead = f" + {draw.uniform(0.02, 0.1):.3g}*sin({draw.uniform(2, 6):.3g}*t)" if self.led else ""
        normal = [-float(f"{s:.3g}") for s in slope] + [1.0] + ([] if self.space else [0.0])
        two = self.space and draw.random() < 0.4
        mu = [round(draw.uniform(0.1, 0.5), 3) for _ in range(2)]
        kind = "two" if two else draw.choice(["one", "falling"])
        friction = {"one": f"{mu[0]}", "two": f"({mu[0]}, {mu[1]})", "falling": f"{mu[0]} + {mu[1]}*exp(-slip(c)/0.3)"}[kind]
        bounce = "" if self.sense == "=" else f" with restitution {draw.choice([0, 0.3, 0.6])}"
        start = 0 if self.sense == "=" else draw.choice([0, 0.2])
        vec = lambda v: "(" + ", ".join(f"{x:.4g}" for x in v) + ")"
        size = math.sqrt(sum(x * x for x in normal))
        unit = "(" + ", ".join(repr(x / size) for x in normal) + ")"
        self.text = "\n".join([
            "coord x, y" + (", z" if self.space else ""),
            f"particle b mass {m} = (x, y, {'z' if self.space else '0'})", f"gravity {vec([x * sign if i == up else x for i, x in enumerate(g)])}",
            f"constraint c: {k}*(pos(b).{height} - ({level}){lead.replace('+', '-', 1)}) {self.sense} 0 with friction {friction}{bounce}",
            f"let h = {lead.lstrip(' +') or '0'}",
            f"initial x = 0\ninitial {height} = {start * sign} + h", *([f"initial y = 0"] if self.space else []),
            *[f"initial {q}' = {draw.uniform(-2, 2):.3g}" for q in "xy"[:up]],
            # nothing is struck at the start
            f"initial {height}' = h' + " + " + ".join(f"{s:.3g}*{c}'" for s, c in zip(slope, "xyz")), f"run 0 .. {self.until}",
            "output F = friction(c)", "output s = slip(c)", "output how = state(c)", "output lost = loss(c)", "output E = energy()",
            f"let rest = {m}*acc(b) - {m}*{vec([x * sign if i == up else x for i, x in enumerate(g)])} - {k}*reaction(c)*{vec(normal)}",
            "let v = vel(b)",  # a plane that is led moves along its normal
            "output D = norm(rest)", f"output u = norm(v - dot(v, {unit})*{unit})", "output N = reaction(c)"])


class Failure(Exception):
    pass


def rows(program, drawn, options):
    at = ",".join(f"{drawn.until * k / 7:.6g}" for k in range(1, 8))
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "m.zw")
        open(path, "w").write(drawn.text + "\n")
        try:
            done = subprocess.run([program, "run", path, "--at", at, "--out", "-", "--quiet", *options], capture_output=True, text=True, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            raise Failure("no end")
    if done.returncode:
        raise Failure((done.stderr.strip().splitlines() or ["?"])[0])
    table = list(csv.DictReader(io.StringIO(done.stdout)))
    wanted = [f"{float(t):.6g}" for t in at.split(",")]
    return [next(r for r in reversed(table) if f"{float(r['t']):.6g}" == t) for t in wanted]


def compare(name, got, want, allowed):
    if not abs(got - want) <= allowed:
        raise Failure(f"{name}: {got:.10g}, should be {want:.10g}, allowed {allowed:.1e}")


def judge(program, seed):
    drawn = Drawn(seed)
    try:
        exact = rows(program, drawn, [])
        start = None
        for row in exact:
            r = {k: float(v) for k, v in row.items() if k not in ("event",) and v != ""}
            if abs(r["N"]) > 0:
                compare("friction", r["F"], r["D"], CLOSE * (1 + r["D"]))
                compare("slip", r["s"], r["u"], CLOSE * (1 + r["u"]))
                compare("state", r["how"], 2 if r["u"] > 1e-9 else 1, 0)
            else:
                compare("state", r["how"], 0, 0)
            start = r["E"] + r["lost"] if start is None else start
            if not drawn.led:
                compare("energy and loss", r["E"] + r["lost"], start, CLOSE * (1 + abs(start)))
        coarse, fine = (rows(program, drawn, ["--method", "moreau", "--step", f"{h:g}"]) for h in (STEP, STEP / 2))
        last = [{k: float(t[-1][k]) for k in ("F", "s", "lost", "x", "y")} for t in (exact, coarse, fine)]
        for k in last[0]:
            compare(f"{k} by steps", last[2][k], last[0][k], max(TIMES * abs(last[1][k] - last[2][k]), COARSE * (1 + abs(last[0][k]))))
    except Failure as failure:
        return seed, str(failure)
    return seed, ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--slow", action="store_true", help="the program checks itself")
    parser.add_argument("--show", type=int)
    options = parser.parse_args()
    if options.show is not None:
        print(Drawn(options.show).text)
        return 0
    seeds = range(options.first, options.first + (4 if options.slow else options.count))
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        program = calls.held(options.program, folder)
        verdicts = list(pool.map(lambda seed: judge(program, seed), seeds))
    wrong = [v for v in verdicts if v[1]]
    print("1..1")
    print(f"{'not ' if wrong else ''}ok 1 - results of {len(verdicts)} contacts are those of their mechanics")
    for seed, why in wrong:
        print(f"#   {seed}: {why}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
