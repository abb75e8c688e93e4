#!/usr/bin/env python3
"""Multipliers of random systems with events, against saltation matrices by another integrator.

usage: saltation.py ZWANG [SEED [SYSTEMS]]

Oscillators in one and two coordinates, linear or not, driven or not, with events that mirror, damp, kick or turn velocities where
a place, a moving place or a velocity is reached, or that switch a param. zwang finds a periodic motion. From its start the motion
and its variations are followed here, by extrapolated midpoint rules, and each event multiplies the variations by
    S = DR + (f+ - DR f- - R_t) grad g/(g_t + grad g f-)
(Aizerman, Gantmakher 1958). The characteristic polynomials agree; and so does the matrix with differences of the whole map.
"""
import json
import math
import random
import subprocess
import sys
import tempfile
from pathlib import Path

ZWANG = sys.argv[1]
SEED = int(sys.argv[2]) if len(sys.argv) > 2 else 1958
SYSTEMS = int(sys.argv[3]) if len(sys.argv) > 3 else 20
LEVELS = 7  # of extrapolation
EXACT = 2e-8  # coefficients of the polynomials, relative


# ---- numbers with derivatives -------------------------------------------------------------------

class Dual:
    """a value and its derivatives by the state and time"""
    __slots__ = ("x", "d")

    def __init__(self, x, d):
        self.x, self.d = x, d

    def __add__(self, o):
        return Dual(self.x + o.x, [a + b for a, b in zip(self.d, o.d)]) if isinstance(o, Dual) else Dual(self.x + o, self.d)

    def __mul__(self, o):
        return Dual(self.x * o.x, [self.x * b + a * o.x for a, b in zip(self.d, o.d)]) if isinstance(o, Dual) else Dual(self.x * o, [a * o for a in self.d])

    __radd__, __rmul__ = __add__, __mul__

    def __neg__(self):
        return self * -1

    def __sub__(self, o):
        return self + (-o)

    def __rsub__(self, o):
        return -self + o

    def __pow__(self, k):
        return Dual(self.x ** k, [k * self.x ** (k - 1) * a for a in self.d])


def through(f, slope):
    return lambda a: Dual(f(a.x), [slope(a.x) * b for b in a.d]) if isinstance(a, Dual) else f(a)


FUNCTIONS = {"cos": through(math.cos, lambda x: -math.sin(x)), "sin": through(math.sin, math.cos), "sqrt": through(math.sqrt, lambda x: 0.5 / math.sqrt(x)), "pi": math.pi}


def evaluate(code, names, params):
    return eval(code, {"__builtins__": {}, **FUNCTIONS, **params}, names)  # what the generator below wrote itself


# ---- systems ------------------------------------------------------------------------------------

class System:
    def __init__(self, n, params, forces, events, start, period, driven):
        self.n, self.params, self.forces, self.events, self.start, self.period, self.driven = n, params, forces, events, start, period, driven
        self.code = [compile(self.plain(f), "force", "eval") for f in forces]
        self.at = [(compile(self.plain(g), "event", "eval"), way, [(self.plain(to), compile(self.plain(what), "set", "eval")) for to, what in sets]) for _, g, way, sets in events]

    @staticmethod
    def plain(text):
        return text.replace("x'", "u").replace("y'", "z").replace("^", "**")

    def text(self):
        c = "xy"[:self.n]
        lines = ["param " + ", ".join(f"{k} = {v!r}" for k, v in self.params.items()), "coord " + ", ".join(c), "kinetic (" + " + ".join(f"{q}'^2" for q in c) + ")/2"]
        lines += [f"force {q} = {f}" for q, f in zip(c, self.forces)]
        lines += [f"event {name}: {g} = 0 {'rising' if way > 0 else 'falling'} {{ " + "; ".join(f"set {to} = {what}" for to, what in sets) + " }" for name, g, way, sets in self.events]
        lines += [f"initial {k} = {v!r}" for k, v in self.start.items()] + ["run 0 .. 1e6"]
        return "\n".join(lines) + "\n"

    def names(self, state, t, dual=False):
        keys = ["x", "u"] if self.n == 1 else ["x", "y", "u", "z"]
        if not dual:
            return {**dict(zip(keys, state)), "t": t}
        wide = 2 * self.n + 1
        unit = lambda k: [float(i == k) for i in range(wide)]
        return {**{k: Dual(v, unit(i)) for i, (k, v) in enumerate(zip(keys, state))}, "t": Dual(t, unit(wide - 1))}

    def rates(self, y, t, params):
        """of the state, and of the variations behind it"""
        n, N = self.n, 2 * self.n
        if len(y) == N:
            names = self.names(y, t)
            return list(y[n:]) + [evaluate(c, names, params) for c in self.code]
        names = self.names(y[:N], t, True)
        a = [evaluate(c, names, params) for c in self.code]
        X = [y[N + i * N:N + (i + 1) * N] for i in range(N)]
        out = list(y[n:N]) + [f.x for f in a]
        for i in range(n):
            out += X[n + i]
        for f in a:
            out += [sum(f.d[j] * X[j][k] for j in range(N)) for k in range(N)]
        return out

    def step(self, y, t, h, params):
        table = []
        for k in range(1, LEVELS + 1):
            parts = 2 * k
            d = h / parts
            a, b = y, [p + d * q for p, q in zip(y, self.rates(y, t, params))]
            for i in range(1, parts):
                f = self.rates(b, t + i * d, params)
                a, b = b, [p + 2 * d * q for p, q in zip(a, f)]
            f = self.rates(b, t + h, params)
            row = [[(p + q + d * r) / 2 for p, q, r in zip(a, b, f)]]
            for j in range(1, k):
                factor = (k / (k - j)) ** 2 - 1
                row.append([p + (p - q) / factor for p, q in zip(row[j - 1], table[-1][j - 1])])
            table.append(row)
        return table[-1][-1]

    def happen(self, y, t, k, params):
        """the state behind event k, its variations, and the params"""
        N = 2 * self.n
        _, _, sets = self.at[k]
        dual = self.names(y[:N], t, True)
        keys = list(dual)[:N]
        after, behind = dict(dual), dict(params)
        for to, code in sets:
            # in order: what is set is known to those that follow
            value = evaluate(code, after, behind)
            if to in behind:
                behind[to] = value.x if isinstance(value, Dual) else value
            else:
                after[to] = value if isinstance(value, Dual) else Dual(value, [0.0] * (N + 1))
        out = [after[q].x for q in keys]
        if len(y) > N:
            g = evaluate(self.at[k][0], dual, params)
            before, back = self.rates(y[:N], t, params), self.rates(out, t, behind)
            rate = g.d[N] + sum(g.d[j] * before[j] for j in range(N))
            S = [[after[q].d[j] + (back[i] - sum(after[q].d[h] * before[h] for h in range(N)) - after[q].d[N]) * g.d[j] / rate for j in range(N)] for i, q in enumerate(keys)]
            X = [y[N + i * N:N + (i + 1) * N] for i in range(N)]
            for i in range(N):
                out += [sum(S[i][h] * X[h][j] for h in range(N)) for j in range(N)]
        return out, behind

    def first(self, y, t, h, params):
        """the first event within a step: its instant and number"""
        N, best = 2 * self.n, None
        value = lambda k, s: evaluate(self.at[k][0], self.names(self.step(y[:N], t, s, params) if s else y[:N], t + s), params)
        for k, (_, way, _) in enumerate(self.at):
            low, high = 0.0, h
            f, g = value(k, low) * way, value(k, high) * way
            if not (f < -1e-11 and g >= 0):
                continue
            for _ in range(60):
                s = (low * g - high * f) / (g - f)
                m = value(k, s) * way
                if m < 0:
                    low, f = s, m
                    g = g / 2
                else:
                    high, g = s, m
                    f = f / 2
                if high - low < 1e-15 * (1 + t) or abs(m) < 1e-16:
                    break
            if best is None or s < best[0]:
                best = (s, k)
        return best

    def fly(self, y, t, period, params):
        end, count = t + period, 0
        while end - t > 1e-13 * (1 + end):
            h = min(period / 80, end - t)
            found = self.first(y, t, h, params)
            if found is None:
                y, t = self.step(y, t, h, params), t + h
                continue
            y = self.step(y, t, found[0], params)
            t += found[0]
            y, params = self.happen(y, t, found[1], params)
            count += 1
        return y, count, params


# ---- the class ----------------------------------------------------------------------------------

def draw_system(draw):
    u = draw.uniform
    n, driven = draw.choice((1, 1, 2)), draw.random() < 0.7
    w, c = round(u(0.8, 2.2), 4), round(u(0.05, 0.4), 4)
    cubic = round(draw.choice((0, 0, u(0.1, 0.5))), 4)
    params = {"k": round(u(0.7, 1.5), 4), "w": w}
    drive = f" + {round(u(0.6, 1.6), 4)}*cos(w*t)" if driven else ""
    forces = [f"-k*x - {c}*x' - {cubic}*x^3{drive}"]
    start = {"x": 0.1, "x'": round(u(0.3, 0.8), 3)}
    if n == 2:
        bond = round(u(0.1, 0.5), 4)
        forces = [forces[0] + f" - {bond}*(x - y)", f"-{round(u(0.8, 1.6), 4)}*y - {round(u(0.1, 0.4), 4)}*y' - {bond}*(y - x)"]
    s, r = round(u(0.05, 0.35), 4), round(u(0.4, 0.9), 4)
    sway = f" - {round(u(0.02, 0.1), 4)}*sin(w*t)" if driven and draw.random() < 0.4 else ""
    hits = [("set", [("x'", f"-{r}*x'")])] if n == 1 else [("set", [("y'", f"y' + {round(u(-0.3, 0.3), 4)}*x'"), ("x'", f"-{r}*x'")])]
    if not driven:  # a clock: what a kick gives, damping takes
        events = [("kick", "x", 1, [("x'", f"sqrt(x'^2 + {round(u(0.2, 0.6), 4)})")])]
        if draw.random() < 0.5:
            events.append(("turn", f"x' - {round(u(-0.1, 0.1), 4)}", -1, [("k", "1.3"), ("x'", "x'")]))
            events.append(("back", f"x' + {round(u(0.0, 0.1), 4)}", 1, [("k", repr(params["k"])), ("x'", "x'")]))
        return System(n, params, forces, events, start, 2 * math.pi / math.sqrt(params["k"]), False)
    kind = draw.randrange(4)
    if kind == 0:
        events = [("hit", f"x - {s}{sway}", 1, hits[0][1])]
    elif kind == 1:
        events = [("slow", f"x - {s}{sway}", draw.choice((1, -1)), [("x'", f"{r}*x' + {round(u(-0.2, 0.2), 4)}")])]
    elif kind == 2:
        events = [("stiff", f"x - {s}{sway}", 1, [("k", "2.1")]), ("soft", f"x - {s}{sway}", -1, [("k", repr(params["k"]))])]
    else:
        events = [("top", f"x' - {round(u(0.02, 0.2), 4)}*x{sway}", -1, [("x'", f"{round(u(-0.5, 0.5), 4)}*x + {r}*x'*cos(w*t)")])]
    return System(n, params, forces, events, start, 2 * math.pi / w, True)


# ---- comparison ---------------------------------------------------------------------------------

def polynomial_of_matrix(M):
    """Faddeev and LeVerrier"""
    n, c, A = len(M), [1.0], [row[:] for row in M]
    for k in range(1, n + 1):
        c.append(-sum(A[i][i] for i in range(n)) / k)
        B = [[A[i][j] + (c[k] if i == j else 0) for j in range(n)] for i in range(n)]
        A = [[sum(M[i][h] * B[h][j] for h in range(n)) for j in range(n)] for i in range(n)]
    return c


def polynomial_of_roots(roots):
    c = [1 + 0j]
    for z in roots:
        c = [a - z * b for a, b in zip(c + [0], [0] + c)]
    return [a.real for a in c]


def compare(system, found):
    """how far the polynomials, and the matrices, are apart; how many events were met"""
    N = 2 * system.n
    keys = ["x", "x'"] if system.n == 1 else ["x", "y", "x'", "y'"]
    x, t, T = [found["steady"][k] for k in keys], found["t"], found["period"]
    params = dict(system.params)
    for name in params:  # the mode at the start is that at the end of the flight
        params[name] = system.fly(x, t, T, params)[2][name]
    identity = [float(i == j) for i in range(N) for j in range(N)]
    y, count, _ = system.fly(x + identity, t, T, params)
    closes = max(abs(a - b) / (1 + abs(b)) for a, b in zip(y[:N], x))
    X = [y[N + i * N:N + (i + 1) * N] for i in range(N)]
    mine, told = polynomial_of_matrix(X), polynomial_of_roots([complex(*m) for m in found["multipliers"]])
    size = max(1.0, max(abs(a) for a in mine))
    off = max(abs(a - b) for a, b in zip(mine, told)) / size
    by = 0.0
    for j in range(N):
        ends = [system.fly([v + s * 1e-5 * (i == j) for i, v in enumerate(x)], t, T, params)[0] for s in (1, -1)]
        by = max(by, max(abs((ends[0][i] - ends[1][i]) / 2e-5 - X[i][j]) for i in range(N)) / max(1.0, max(abs(X[i][j]) for i in range(N))))
    return closes, off, by, count


def main():
    draw, done, tried, refused, failed = random.Random(SEED), 0, 0, 0, 0
    print(f"1..{SYSTEMS}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.zw"
        while done < SYSTEMS and tried < 20 * SYSTEMS:
            tried += 1
            system = draw_system(draw)
            path.write_text(system.text())
            ran = subprocess.run([ZWANG, "stability", str(path), "--period", repr(system.period), "--format", "json"], capture_output=True, text=True)
            found = json.loads(ran.stdout) if ran.returncode == 0 and ran.stdout else None
            if not found or not found.get("happenings"):
                refused += found is None
                print(f"# {tried}: {'nothing happens along it' if found else ran.stderr.strip().splitlines()[0] if ran.stderr.strip() else ran.returncode}")
                continue
            done += 1
            closes, off, by, count = compare(system, found)
            fine = closes < 1e-9 and off < EXACT and by < 1e-4 and count == len(found["happenings"])
            failed += not fine
            print(f"{'ok' if fine else 'not ok'} {done} - {tried}: {'driven' if system.driven else 'clock'}, {system.n} coordinates, {count} events: closes to {closes:.1e}, polynomials {off:.1e}, differences {by:.1e}", flush=True)
            if not fine:
                print("".join(f"#   {line}\n" for line in system.text().splitlines()), end="")
    return 1 if failed or done < SYSTEMS else 0


if __name__ == "__main__":
    sys.exit(main())
