#!/usr/bin/env python3
"""What happens while bounces come to their end is met when it does. Prints TAP.

meanwhile.py PROGRAM [--first N] [--count N] [--jobs J] [--show SEED] [--slow]

A particle bounces on a floor, smooth or rough, in the plane or along a line in space, and its bounces end at a time T. Something else happens within
the last of them, as near to T as is drawn: it strikes a wall, or the floor ends its slip; an event reports, or sets a force; a stage ends, and the next
one sets it; the run ends; or another particle lands that knows nothing of it. Between impacts it flies along a parabola, and each impact takes a part
of its speeds: here it is followed bounce by bounce with 60 digits, until no bounce is left. The program takes the last of them together. It must tell
what happens at its own instant, and the rest at T, count what the contacts take, and go on as the exact motion does.
"""
import json, math, os, random, sys, tempfile
from decimal import Decimal, DefaultContext, setcontext

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "tools"))
import calls, drawn

# each thread has a context of its own, made from this one
DefaultContext.prec = 60
setcontext(DefaultContext)
NOTHING = Decimal(10) ** -45     # a speed of no bounce, or of no slip
CLOSE = 3e-9                     # of places, speeds and instants, which are about 1
# of the largest place: lower bounces cannot be told from none. What such a one rubs before and behind what happens is known as well as its speed
LOW = 3e-12
REST = 0.02                      # of the time since the last impact that is told: how well the rest is known
SECONDS = 20
PLAIN = 48                       # systems of a plain test
KINDS = ("wall", "wall", "wall", "slip", "told", "set", "stage", "end", "neighbour", "nothing")
CHARTS = ("straight", "far", "polar", "space")
FAR = 7                          # from the origin of the coordinates
BEHIND = Decimal("0.03")         # s: how long the motion is followed behind the rest


def sign(x):
    return (x > 0) - (x < 0)


def root_of(gap, v, a):
    """when v t + a t^2/2 = GAP >= 0 is passed upwards first, after now; infinity: never"""
    inside = v * v + 2 * a * gap
    if inside < 0 or (v <= 0 and a <= 0):
        return Decimal("inf")
    if v > 0:
        return 2 * gap / (v + inside.sqrt()) if gap > 0 else Decimal(0)
    return (inside.sqrt() - v) / a


class Exact:
    """the motion along the floor, from an impact at t = 0 on, after which it leaves with s.up"""

    def __init__(self, s):
        self.s, self.t, self.x, self.v, self.up, self.a = s, Decimal(0), Decimal(0), s.v, s.up, s.a
        self.landing = 2 * s.up / s.g
        self.wall, self.level, self.instant = None, None, None
        self.struck, self.passed, self.rest, self.pushed = [], None, None, Decimal(0)

    def along(self):
        """acceleration along the floor"""
        if self.rest is None:
            return self.a
        most = self.s.mu * self.s.g
        if self.v == 0:
            return Decimal(0) if abs(self.a) <= most else self.a - sign(self.a) * most
        return self.a - sign(self.v) * most

    def land(self):
        """one impact; what it leaves may be no bounce any more"""
        blow = self.s.mu * (1 + self.s.e) * self.up
        self.v = Decimal(0) if abs(self.v) <= blow else self.v - sign(self.v) * blow
        self.up *= self.s.e
        self.landing = self.t + 2 * self.up / self.s.g
        if self.up < NOTHING:
            self.rest = self.t

    def go(self, until):
        while self.t < until:
            a = self.along()
            times = {"until": until, "landing": self.landing if self.rest is None else Decimal("inf")}
            if self.rest is not None and self.v != 0 and a * self.v < 0:
                times["stop"] = self.t - self.v / a
            if self.wall is not None:
                times["wall"] = self.t + root_of(self.wall - self.x, self.v, a)
            if self.level is not None and self.passed is None:
                times["level"] = self.t + root_of(self.level - self.x, self.v, a)
            if self.instant is not None and self.passed is None:
                times["instant"] = self.instant
            what = min(times, key=times.get)
            dt = times[what] - self.t
            way = dt * (self.v + dt * a / 2)
            self.x += way
            self.pushed += self.a * way
            self.v += dt * a
            self.t += dt
            if what == "landing":
                self.land()
            elif what == "stop":
                self.v = Decimal(0)
            elif what == "wall":
                self.x, self.v = self.wall, -self.s.bounce * self.v
                self.struck.append(self.t)
            elif what in ("level", "instant"):
                self.passed, self.a = self.t, self.s.later
        return self


class System:
    def __init__(self, seed):
        draw = random.Random(seed)
        number = lambda low, high: Decimal(str(round(draw.uniform(low, high), 3)))
        self.kind, self.chart = draw.choice(KINDS), draw.choice(CHARTS)
        self.g, self.e, self.up = number(1, 12), number(0.15, 0.9), number(0.5, 1.5)
        self.mu = Decimal(0) if draw.random() < 0.3 and self.kind != "slip" else number(0.1, 0.6)
        self.v, self.a, self.later, self.bounce = number(1, 3), number(-1, 1), number(-2, 2), number(0, 0.8)
        if self.kind == "wall":
            # it is struck once
            self.a = -abs(self.a)
        self.mass, self.turn = number(0.5, 2), draw.uniform(0, 6)
        self.limit = 2 * self.up / (self.g * (1 - self.e))
        self.at = Decimal(float(self.limit * (1 - Decimal(10) ** number(-6.5, -4))))
        self.end = Decimal(float(self.limit + BEHIND))
        # along the floor it goes on until then, with nothing to stop it
        self.v += abs(self.a) * self.limit
        if self.mu:
            # what is left of the slip: some at the instant, or none
            self.rub(draw)
        self.exact = self.solve()

    def rub(self, draw):
        up, t, rubbed = self.up, Decimal(0), Decimal(0)
        while t + 2 * up / self.g < self.at:
            t += 2 * up / self.g
            last = self.mu * (1 + self.e) * up
            rubbed += last
            up *= self.e
        if self.kind == "slip":
            # the last impact before takes some of its friction to end it, and what pushes does not begin it again
            self.a = Decimal(0)
            self.v = Decimal(float(rubbed - last * Decimal(str(round(draw.uniform(0.05, 0.95), 3)))))
        else:
            self.v = Decimal(float(rubbed + self.v))

    def solve(self):
        """the exact motion, and the numbers by which it meets what is drawn"""
        place = Decimal(float(Exact(self).go(self.at).x))
        exact = Exact(self)
        if self.kind == "wall":
            exact.wall = place
        elif self.kind in ("told", "set"):
            exact.level = place
            if self.kind == "told":
                self.later = self.a
        elif self.kind == "stage":
            exact.instant = self.at
        elif self.kind == "end":
            self.end = self.at
        self.place = place
        return exact.go(self.end)

    def lost(self):
        """energy that the contacts have taken until the end, behind the rest"""
        return self.mass * ((self.v ** 2 + self.up ** 2 - self.exact.v ** 2) / 2 + self.exact.pushed)

    def low(self):
        """speed of bounces that cannot be told, where that of the instant is one"""
        height = LOW * (FAR if self.chart in ("far", "polar") else 1) * max(1.0, float(abs(self.place)))
        left = float((self.limit - self.at) / self.limit)
        return math.sqrt(2 * float(self.g) * height) if float(self.up) ** 2 * left ** 2 / (2 * float(self.g)) < height else 0.0

    def allowed(self):
        return CLOSE + 2 * float(self.mu) * self.low()

    def text(self):
        d = (math.cos(self.turn), math.sin(self.turn)) if self.chart == "space" else (1.0, 0.0)
        up = "z" if self.chart == "space" else "y"
        s = f"({d[0]!r}*x + {d[1]!r}*y)" if self.chart == "space" else "x"
        lines = [f"param push = {self.a}"]
        if self.chart == "space":
            lines += ["coord x, y, z", f"particle p mass {self.mass} = (x, y, z) in world",
                      f"force ({self.mass}*push*{d[0]!r}, {self.mass}*push*{d[1]!r}, -{self.mass}*{self.g}) in world at p",
                      f"initial x' = {float(self.v) * d[0]!r}", f"initial y' = {float(self.v) * d[1]!r}", f"initial z' = {self.up}"]
        else:
            charts = {"straight": ["coord x, y"], "far": [f"coord q, y\nlet x = q - {FAR}", f"initial q = {FAR}"],
                      "polar": [f"coord r, phi\nlet x = r*cos(phi) - {FAR}\nlet y = r*sin(phi)", f"initial r ~ {FAR}", "initial phi ~ 0", "initial x = 0", "initial y = 0"]}
            lines += charts[self.chart] + [f"particle p mass {self.mass} = (x, y, 0) in world", f"force ({self.mass}*push, -{self.mass}*{self.g}, 0) in world at p",
                                           f"initial x' = {float(self.v)!r}", f"initial y' = {self.up}"]
        lines.append(f"constraint floor: pos(p).{up} >= 0 with restitution {self.e}" + (f" with friction {self.mu}" if self.mu else ""))
        lines.append(f"output s = {s}\noutput u = s'\noutput taken = loss(floor){' + loss(wall)' if self.kind == 'wall' else ''}")
        place, at, end = float(self.place), float(self.at), float(self.end)
        if self.kind == "wall":
            lines.append(f"constraint wall: {s} <= {place!r} with restitution {self.bounce}")
        elif self.kind == "told":
            lines.append(f"event mark: {s} = {place!r} rising report")
        elif self.kind == "set":
            lines.append(f"event mark: {s} = {place!r} rising {{ set push = {self.later} }}")
        elif self.kind == "neighbour":
            lines += ["coord h", "kinetic h'^2/2", "force h = -1", f"constraint ground: h >= 0 with restitution 0.5", f"initial h' = {at / 2!r}"]
        if self.kind == "stage":
            lines.append(f"stage one {{ until t >= {at!r} }}\nstage two {{ set push = {self.later}; until t >= {end!r} }}")
        else:
            lines.append(f"run 0 .. {end!r}")
        return "\n".join(lines) + "\n"


class Failure(Exception):
    pass


def run(program, system):
    with tempfile.TemporaryDirectory() as folder:
        model, out = os.path.join(folder, "m.zw"), os.path.join(folder, "m.json")
        with open(model, "w", encoding="utf8") as file:
            file.write(system.text())
        done = calls.run([program, "run", model, "--at", repr(float(system.end)), "--out", out, "--quiet"], SECONDS, text=True)
        if done.fault or done.status != 0:
            raise Failure(done.fault or (done.err.strip().splitlines() or [f"status {done.status}"])[0])
        with open(out, encoding="utf8") as file:
            return json.load(file)


def near(what, got, want, allowed):
    if not abs(got - float(want)) <= allowed:
        raise Failure(f"{what} is {got!r}, not {float(want)!r}: off by {abs(got - float(want)):.2g}, allowed {allowed:.2g}")


def once(events, name):
    times = [e["t"] for e in events if e["name"] == name]
    if len(times) != 1:
        raise Failure(f"`{name}` is told {len(times)} times, not once")
    return times[0]


def compare(system, got):
    exact, events, allowed = system.exact, got["events"], system.allowed()
    if got.get("doubt"):
        raise Failure(got["doubt"])
    if system.kind == "wall":
        times = [e["t"] for e in events if e["name"] == "impact of wall"]
        if len(times) != len(exact.struck):
            raise Failure(f"`impact of wall` is told {len(times)} times, not {len(exact.struck)}")
        for t, want in zip(times, exact.struck):
            near("time of an impact of wall", t, want, CLOSE + (allowed - CLOSE if want != exact.struck[0] else 0))
    elif system.kind in ("told", "set"):
        near("time of the event", once(events, "mark"), exact.passed, CLOSE)
    elif system.kind == "neighbour":
        near("time of the other's impact", min([e["t"] for e in events if e["name"] == "impact of ground"], default=math.nan), system.at, CLOSE)
    near("end of the run", got["statistics"]["t_reached"], system.end, 0)
    if system.kind != "end":
        hits = [e["t"] for e in events if e["name"] == "impact of floor"]
        near("time of the rest", once(events, "rest of floor"), system.limit, REST * (float(system.limit) - hits[-1]) if hits else 0)
        near("the energy taken", got["columns"]["taken"][-1], system.lost(), float(system.mass) * (10 * CLOSE + float(system.v) * allowed))
    near("the place at the end", got["columns"]["s"][-1], exact.x, CLOSE + float(BEHIND) * allowed)
    near("the speed at the end", got["columns"]["u"][-1], exact.v, allowed)


def judge(program, seed):
    system = System(seed)
    try:
        compare(system, run(program, system))
    except Failure as failure:
        return seed, f"{system.kind}, {system.chart}, {'rough' if system.mu else 'smooth'}, {float(system.limit - system.at):.2g} s before the rest: {failure}"
    return seed, None


def main():
    options = drawn.parser(PLAIN).parse_args()
    if options.show is not None:
        system = System(options.show)
        print(f"# {system.kind} at {float(system.at)!r}, rest at {float(system.limit)!r}; struck {[float(t) for t in system.exact.struck]}")
        print(f"# at the end: {float(system.exact.x)!r}, {float(system.exact.v)!r}; allowed {system.allowed():.2g}")
        print(system.text(), end="")
        return 0
    seeds = range(options.first, options.first + (8 if options.slow else options.count))
    return drawn.told(drawn.judged(options, judge, seeds), "things that happen while bounces come to their end are met when they do")


if __name__ == "__main__":
    sys.exit(main())
