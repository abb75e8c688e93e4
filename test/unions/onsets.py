#!/usr/bin/env python3
"""Balls that are dragged over rough ground: slip that ends and begins again in space. Prints TAP.

onsets.py PROGRAM [--first N] [--count N] [--jobs J] [--show SEED] [--slow]

A ball on a tilted plane, or on a sphere, is held by a spring whose end moves along a curve: it rolls, slips, rolls again,
and the way of its slip turns from its first moment on. The ground is written as a surface to slide on, as a contact of
shapes, as an inequality and as an equation. The roads to their friction are different, the motion is the same: places,
spins and the energy taken must agree to 1e-8 of their size, at the default tolerance and at a tighter one. What leaves the
ground is followed until then: an inequality lets it go, an equation does not.
"""
import json, math, os, random, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "tools"))
import drawn

CLOSE = 1e-8
SENSITIVE = 30                   # times what another tolerance changes
SECONDS = 120
PLAIN = 6                        # systems of a plain test
# and those that failed once: slip that begins slowly beside motion that changes fast; speeds chosen for the slip that pass zero as it begins
FOUND = [1186, 1200033]
COLUMNS = ["b.x", "b.y", "b.z", "b.wx", "b.wy", "b.wz", "E", "L"]


class System:
    def __init__(self, seed):
        draw = random.Random(seed)
        number = lambda a, b: f"{draw.uniform(a, b):.4g}"
        self.until = draw.choice([1, 1.5])
        self.round = draw.random() < 0.4
        radius, self.big = 0.1, draw.uniform(4, 8)
        self.friction = number(0.1, 0.5)
        if draw.random() < 0.3:
            self.friction = f"{self.friction}*(1 + {number(0.1, 0.5)}*exp(-norm(vel(b))/{number(0.2, 1)}))"
        stiff = draw.uniform(20, 60)
        follow = [f"{number(0.2, 0.6)}*sin({number(1, 4)}*t)*{draw.choice(['1', 't'])}",
                  f"{number(0.2, 0.6)}*sin({number(1, 4)}*t)*{draw.choice(['1', 't'])}"]
        top = self.big + radius if self.round else radius
        self.text = [f"param r = {radius} [m]",
                     f"gravity ({number(-2, 2)}, {number(-2, 2)}, -9.81)", f"ball b mass {number(0.5, 2)} radius r",
                     f"potential {stiff:.4g}*((pos(b).x - {follow[0]})^2 + (pos(b).y - {follow[1]})^2)",
                     f"initial pos(b) = (0, 0, {top:.10g})", "initial vel(b) = (0, 0, 0)",
                     f"initial omega(b) = (0, 0, {number(-3, 3)})", "output E = energy()", f"run 0 .. {self.until}"]

    def ground(self):
        return f"sphere({self.big:.10g})" if self.round else "plane"

    def gap(self):
        return f"norm(pos(b)) - {self.big:.10g} - r" if self.round else "pos(b).z - r"

    def written(self):
        """the ground in four ways"""
        law = f"with friction {self.friction}"
        yield "surface", f"slide b as sphere(r) on world as {self.ground()} at c {law}"
        yield "shapes", f"contact c: b as sphere(r), world as {self.ground()} {law}"
        yield "inequality", f"constraint c: {self.gap()} >= 0 {law}"
        yield "equation", f"constraint c: {self.gap()} = 0 {law}"


class Failure(Exception):
    pass


def rows(program, system, name, ground, tolerance):
    at = ",".join(f"{system.until * k / 8:.10g}" for k in range(1, 9))
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "m.zw")
        open(path, "w").write("\n".join(system.text + [ground, "output L = loss(c)"]) + "\n")
        try:
            done = subprocess.run([program, "run", path, "--tol", tolerance, "--until", f"{system.until:.10g}", "--at", at, "--columns", ",".join(COLUMNS),
                                   "--out", "-", "--quiet"], capture_output=True, text=True, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            raise Failure(f"{name}: no end")
    if done.returncode:
        raise Failure(f"{name}: {(done.stderr.strip().splitlines() or ['?'])[0]}")
    table = [line.split(",") for line in done.stdout.strip().splitlines()]
    where = [table[0].index(column) for column in COLUMNS]
    return [[float(row[k]) for k in where] for row in table[1:]]


def follow_to_the_end_of_contact(program, system, name, ground):
    with tempfile.TemporaryDirectory() as folder:
        path, table = os.path.join(folder, "m.zw"), os.path.join(folder, "m.json")
        open(path, "w").write("\n".join(system.text + [ground]) + "\n")
        try:
            subprocess.run([program, "run", path, "--tol", "1e-8", "--points", "2", "--out", table, "--quiet"], capture_output=True, timeout=SECONDS)
            left = [event["t"] for event in json.load(open(table))["events"] if event["name"] == "loosening of c"]
        except (subprocess.TimeoutExpired, OSError):
            return                   # told by the run that is judged
    if left:
        system.until = 0.999 * left[0]


def apart(a, b):
    """of the size of each column, or of one"""
    if len(a) != len(b):
        return math.inf
    most = 0.0
    for k in range(len(COLUMNS)):
        size = max(1.0, max(abs(row[k]) for row in a))
        most = max(most, max(abs(p[k] - q[k]) for p, q in zip(a, b)) / size)
    return most


def judge(program, seed):
    system = System(seed)
    written = list(system.written())
    if system.round:
        follow_to_the_end_of_contact(program, system, *written[2])
    try:
        exact = rows(program, system, *written[0], "1e-12")
        allowed = max(CLOSE, SENSITIVE * 1e-2 * apart(exact, rows(program, system, *written[0], "1e-8")))
        for name, ground in written[1:]:
            for tolerance in ("1e-10", "1e-12"):
                off = apart(exact, rows(program, system, name, ground, tolerance))
                if not off <= allowed:
                    raise Failure(f"{name} at {tolerance} is {off:.1e} from the surface (allowed {allowed:.1e})")
    except Failure as failure:
        return seed, str(failure)
    return seed, None


def main():
    options = drawn.parser(PLAIN).parse_args()
    if options.show is not None:
        system = System(options.show)
        for name, ground in system.written():
            print(f"# {name}", *system.text, ground, "output L = loss(c)", "", sep="\n")
        return 0
    seeds = list(range(options.first, options.first + (2 if options.slow else options.count)))
    if options.first == 1 and not options.slow:
        seeds += FOUND
    return drawn.told(drawn.judged(options, judge, seeds), "dragged balls move alike on ground written in four ways")


if __name__ == "__main__":
    sys.exit(main())
