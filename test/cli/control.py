#!/usr/bin/env python3
"""Controllers, filters, delays, tables against closed forms and an integration of their own, to nine digits. Prints TAP.

control.py PROGRAM

The integration of its own is Gragg's rule, extrapolated (Bulirsch and Stoer), in plain Python; delays are followed by
the method of steps in exact polynomials.
"""
import csv, math, os, subprocess, sys, tempfile
from fractions import Fraction

PROGRAM = os.path.abspath(sys.argv[1])


def end_of(text, folder, *options, files=(), expect=0):
    """the last row of a run"""
    model, out = os.path.join(folder, "m.zw"), os.path.join(folder, "m.csv")
    open(model, "w", encoding="utf8").write(text)
    for name, content in files:
        open(os.path.join(folder, name), "w", encoding="utf8").write(content)
    done = subprocess.run([PROGRAM, "run", model, "--out", out, "--points", "2", *options], capture_output=True, text=True)
    assert done.returncode == expect, done.stderr
    if expect:
        return done.stderr
    rows = list(csv.DictReader(open(out, encoding="utf8")))
    row = {k: float(v) for k, v in rows[-1].items() if k not in ("stage", "event") and v}
    balance = [line for line in done.stderr.splitlines() if line.startswith("  balance")]
    row["balance"] = float(balance[0].split("(")[1].split()[0]) if balance else 0
    return row


def near(value, want, digits=9):
    assert abs(value - want) <= 10.0**-digits * max(1, abs(want)), (value, want)


def gragg(f, t, y, h):
    """one long step by midpoint steps, extrapolated in their squares"""
    table = []
    for k in range(1, 11):
        n = 2 * k
        s = h / n
        a, b = list(y), [u + s * d for u, d in zip(y, f(t, y))]
        for i in range(1, n):
            a, b = b, [u + 2 * s * d for u, d in zip(a, f(t + i * s, b))]
        row = [[(u + v + s * d) / 2 for u, v, d in zip(a, b, f(t + h, b))]]
        for j in range(1, k):
            ratio = (n / (n - 2.0 * j)) ** 2 - 1
            row.append([u + (u - v) / ratio for u, v in zip(row[-1], table[-1][j - 1])])
        table.append(row)
    return table[-1][-1]


def integrate(f, t, y, to, step=0.05):
    n = max(1, math.ceil((to - t) / step - 1e-9))
    h = (to - t) / n
    for i in range(n):
        y = gragg(f, t + i * h, y, h)
    return y


def pid(folder):
    """m x'' = F - kp x - ki s - kd x', s' = x with the roots -1, -2, -3: x = sum of exponentials"""
    end = end_of("""param m = 1, kp = 11, ki = 6, kd = 6, F = 0.7
coord x
kinetic m/2*x'^2
state s = 0
rate s = x
force x = F - kp*x - ki*s - kd*x'
initial x = 1
run 0 .. 3
""", folder)
    # s''' + 6 s'' + 11 s' + 6 s = F with s = 0, s' = 1, s'' = 0
    F, T = 0.7, 3
    c0 = F / 6
    # c1 + c2 + c3 = -c0, c1 + 2 c2 + 3 c3 = -1, c1 + 4 c2 + 9 c3 = 0
    c3 = (3 - 2 * c0) / 2
    c2 = -1 + c0 - 2 * c3
    c1 = -c0 - c2 - c3
    near(end["s"], c0 + c1 * math.exp(-T) + c2 * math.exp(-2 * T) + c3 * math.exp(-3 * T))
    near(end["x"], -c1 * math.exp(-T) - 2 * c2 * math.exp(-2 * T) - 3 * c3 * math.exp(-3 * T))


def state_feedback(folder):
    """a cart with an inverted pendulum, nonlinear, held by u = -K (x, x', phi, phi')"""
    K, M, m, l, g = (-3.0, -5.0, 60.0, 14.0), 2.0, 0.3, 0.6, 9.81
    end = end_of(f"""param M = {M}, m = {m}, l = {l}, g = {g}
coord x, phi
particle cart mass M = (x, 0, 0)
particle bob mass m = (x + l*sin(phi), l*cos(phi), 0)
gravity (0, -g, 0)
input u = 0
force x = {-K[0]}*x + {-K[1]}*x' + {K[2]}*phi + {K[3]}*phi' + u
initial phi = 0.3
initial x = 0.1
run 0 .. 2
""", folder)

    def f(t, y):
        x, p, v, w = y
        u = -K[0] * x - K[1] * v + K[2] * p + K[3] * w
        # (M + m) a + m l cos p b = u + m l sin p w^2; m l cos p a + m l^2 b = m g l sin p
        c, s = math.cos(p), math.sin(p)
        r1, r2 = u + m * l * s * w * w, m * g * l * s
        det = (M + m) * m * l * l - (m * l * c) ** 2
        return [v, w, (r1 * m * l * l - m * l * c * r2) / det, ((M + m) * r2 - m * l * c * r1) / det]
    want = integrate(f, 0, [0.1, 0.3, 0, 0], 2)
    for name, value in zip(("x", "phi", "x'", "phi'"), want):
        near(end[name], value)


def kalman(folder):
    """an oscillator, measured with noise, and its Kalman-Bucy filter with the Riccati equation beside it"""
    noise = "0.1*sin(17*t) + 0.05*cos(31*t)"
    end = end_of(f"""param w = 2, q = 0.3, r = 0.1
coord x
kinetic x'^2/2
potential w^2*x^2/2
let y = x + {noise}
state a = 0
state b = 0
state p11 = 1
state p12 = 0
state p22 = 1
rate a = b + p11/r*(y - a)
rate b = -w^2*a + p12/r*(y - a)
rate p11 = 2*p12 - p11^2/r
rate p12 = p22 - w^2*p11 - p11*p12/r
rate p22 = -2*w^2*p12 + q - p12^2/r
initial x = 1
run 0 .. 4
""", folder)

    def f(t, s):
        x, v, a, b, p11, p12, p22 = s
        y = x + 0.1 * math.sin(17 * t) + 0.05 * math.cos(31 * t)
        return [v, -4 * x, b + p11 / 0.1 * (y - a), -4 * a + p12 / 0.1 * (y - a),
                2 * p12 - p11**2 / 0.1, p22 - 4 * p11 - p11 * p12 / 0.1, -8 * p12 + 0.3 - p12**2 / 0.1]
    want = integrate(f, 0, [1, 0, 0, 0, 1, 0, 1], 4, 0.02)
    for name, value in zip(("x", "x'", "a", "b", "p11", "p12", "p22"), want):
        near(end[name], value)


def sampled(folder):
    """a double integrator under u = -kp x - kd x', held between samples: exact from sample to sample"""
    T, kp, kd = 0.05, 3.0, 2.0
    end = end_of(f"""coord x
kinetic x'^2/2
memory u = 0
memory n = 0
force x = u
sample control every {T} {{ u = -{kp}*x - {kd}*x'; n = n + 1 }}
initial x = 1
output count = n
run 0 .. 2.02
""", folder)
    x, v, t = 1.0, 0.0, 0.0
    for k in range(41):
        u = -kp * x - kd * v
        h = T if k < 40 else 0.02
        x, v = x + v * h + u * h * h / 2, v + u * h
    near(end["x"], x)
    near(end["x'"], v)
    assert end["count"] == 41, end["count"]


class Piecewise:
    """polynomials in exact numbers on pieces of one length, the value at the start before"""

    def __init__(self, h, before):
        self.h, self.pieces, self.before = h, [], before

    def piece(self, k):
        """coefficients in t - k h"""
        return self.pieces[k] if k >= 0 else [self.before]


def value_of(c, t):
    return sum(a * t**i for i, a in enumerate(c))


def integral_of(c, start):
    return [start] + [a / (i + 1) for i, a in enumerate(c)]


def delayed_state(folder):
    """z' = -z(t - 1), z = 1 before: polynomials"""
    end = end_of("state z = 1\nrate z = -delay(z, T)\nparam T = 1 [s]\ncoord w\nkinetic w'^2/2\nrun 0 .. 7.5\n", folder)
    z = Piecewise(Fraction(1), Fraction(1))
    for k in range(8):
        start = value_of(z.piece(k - 1), z.h) if k else Fraction(1)
        z.pieces.append(integral_of([-a for a in z.piece(k - 1)], start))
    near(end["z"], float(value_of(z.pieces[7], Fraction(1, 2))), 12)


def delayed_spring(folder, method=()):
    """x'' = -2 x(t - 0.4) - 0.3 x'(t - 0.3) + 0.1 x(t - 0.7): polynomials on pieces of 0.1"""
    end = end_of("""coord x
kinetic x'^2/2
force x = -2*delay(x, 0.4) - 0.3*delay(x, 0.3)' + 0.1*delay(delay(x, 0.3), 0.4)
initial x = 1
initial x' = 0.5
run 0 .. 5.05
""", folder, *method)
    h = Fraction(1, 10)
    x, v = Piecewise(h, Fraction(1)), Piecewise(h, Fraction(0))
    a, b = Fraction(1), Fraction(1, 2)
    for k in range(51):
        parts = [(-2, x.piece(k - 4)), (Fraction(-3, 10), v.piece(k - 3)), (Fraction(1, 10), x.piece(k - 7))]
        force = [sum(f * c[i] for f, c in parts if i < len(c)) for i in range(max(len(c) for _, c in parts))]
        v.pieces.append(integral_of(force, b))
        x.pieces.append(integral_of(v.pieces[-1], a))
        a, b = value_of(x.pieces[-1], h), value_of(v.pieces[-1], h)
    near(end["x"], float(value_of(x.pieces[50], h / 2)), 9)
    near(end["x'"], float(value_of(v.pieces[50], h / 2)), 9)


def delayed_spring_by_other_methods(folder):
    for method in ("dop853", "gauss16", "dop853 1e-12"):
        words = method.split()
        delayed_spring(folder, ("--method", words[0], *(("--tol", words[1]) if len(words) > 1 else ())))


def delayed_jump(folder):
    """a kick at t = 1 comes back at 1.3: a force that is a delayed velocity"""
    end = end_of("""coord x, y
kinetic x'^2/2 + y'^2/2
event kick: t = 1 { set x' = 3 }
force y = delay(x', 0.3)
initial x' = 1
run 0 .. 2
""", folder)
    near(end["y'"], 1.3 * 1 + 0.7 * 3, 11)
    near(end["y"], 1.3**2 / 2 + 1.3 * 0.7 + 3 * 0.7**2 / 2, 11)


def delayed_bounce(folder):
    """the velocity of a ball that bounces, a little later, in a rate"""
    end = end_of("""coord h
particle b mass 1 = (0, 0, h)
gravity (0, 0, -10)
constraint floor: h >= 0 with restitution 0.5
state s = 0
rate s = delay(h, 0.25)
initial h = 5
run 0 .. 2.25
""", folder)
    # h integrated up to t = 2 with h = 5 before: falls for 1 s, comes up with 5 m/s
    near(end["s"], 0.25 * 5 + (5 - 5 / 3) + (2.5 - 5 / 3), 10)


def delayed_onset_of_slip(folder):
    """a ball drawn ever harder rolls up to t = 0.5, then slips; beside it a quick oscillator. Both are read 0.3 s later, the first stretch of slip,
    which is one step of its own, with the others"""
    end = end_of("""ball b mass 1 radius 0.1
slide b as sphere(0.1) on world as plane at c with friction 0.2
force (2.8*t, 0, -2) in world at b
initial vel(b) = (0, 0, 0)
initial omega(b) = (0, 0, 0)
coord z
kinetic z'^2/2
potential 200*z^2
initial z = 1
state s = 0, r = 0
rate s = delay(z, 0.3)
rate r = delay(dot(vel(b), (1, 0, 0)), 0.3)
run 0 .. 1
""", folder)
    # z = cos(20 t), and 1 before
    near(end["s"], 0.3 + math.sin(20 * 0.7) / 20, 10)
    # 2 t up to 0.5, there friction comes to 0.2 * 2; then 2.8 t - 0.4
    near(end["r"], 0.5**3 / 3 + 0.25 * 0.2 + 1.4 * ((0.7**3 - 0.5**3) / 3 - 0.25 * 0.2) - 0.4 * 0.2**2 / 2, 10)


def tyre(folder):
    """a wheel that is steered: s a' + v a = -vy builds up over the relaxation length"""
    s, v, C, m, J, d = 0.5, 12.0, 900.0, 40.0, 3.0, 0.4
    end = end_of(f"""param s = {s} [m], v = {v} [m/s], C = {C} [N], m = {m} [kg], J = {J} [kg*m^2], d = {d} [m]
coord y [m]
coord psi [rad]
kinetic m*y'^2/2 + J*psi'^2/2
state a = 0
rate a = (v*psi - y' - v*a)/s
force y = C*a
force psi = -C*a*d - 20*psi
initial psi = 0.1
run 0 .. 1.5
""", folder)

    def f(t, q):
        y, psi, w, u, a = q
        return [w, u, C * a / m, (-C * a * d - 20 * psi) / J, (v * psi - w - v * a) / s]
    want = integrate(f, 0, [0, 0.1, 0, 0, 0], 1.5, 0.02)
    for name, value in zip(("y", "psi", "y'", "psi'", "a"), want):
        near(end[name], value)


def linear_table(folder):
    """a mass in a potential of straight pieces: parabolas between the corners; the energy stays"""
    end = end_of("""coord x
kinetic x'^2/2
table V(x) = (-1, 1), (0, 0), (1, 0.5), (3, 0.7) outside extend
potential V(x)
initial x = 2
run 0 .. 9
""", folder)
    x, v, t, slopes = 2.0, 0.0, 0.0, lambda x, v: -1.0 if x < 0 or (x == 0 and v < 0) else 0.5 if x < 1 or (x == 1 and v < 0) else 0.1
    while t < 9:
        a = -slopes(x, v)
        best = 9 - t
        at = None
        for corner in (0.0, 1.0):
            # x + v h + a h^2/2 = corner
            disc = v * v - 2 * a * (x - corner)
            if disc < 0 or x == corner and v * a >= 0:
                continue
            for root in ((-v + math.sqrt(disc)) / a, (-v - math.sqrt(disc)) / a):
                if 1e-12 < root < best:
                    best, at = root, corner
        x, v, t = x + v * best + a * best**2 / 2, v + a * best, t + best
        if at is not None:
            x = at
    near(end["x"], x)
    near(end["x'"], v)
    assert abs(end["balance"]) < 1e-12, end["balance"]


def cubic_table(folder):
    """a spline goes through polynomials of the third degree exactly, inside and, extended, outside"""
    knots = ", ".join(f"({x}, {x**3 - 2*x})" for x in (-2, -1, 0, 1, 2, 3))
    end = end_of(f"""coord x
kinetic x'^2/2
table F(x) = {knots} cubic outside extend
force x = -F(x)
initial x = 1.2
initial x' = 2.5
run 0 .. 3
""", folder)
    want = integrate(lambda t, y: [y[1], -(y[0] ** 3 - 2 * y[0])], 0, [1.2, 2.5], 3)
    near(end["x"], want[0])
    near(end["x'"], want[1])


def map_table(folder):
    """a grid of two arguments, bilinear: x v itself; cubic: a product of polynomials"""
    grid = "x,v,F\n" + "".join(f"{x},{v},{x*v}\n" for x in (-4, -1, 0.5, 4) for v in (-9, -2, 1, 9))
    bent = "x,v,F\n" + "".join(f"{x},{v},{(x*x - 1)*(v**3 - v)}\n" for x in (-4, -2, 0, 1, 4) for v in (-9, -5, -1, 2, 9))
    for rows, how, law in ((grid, "", lambda x, v: x * v), (bent, "cubic", lambda x, v: (x * x - 1) * (v**3 - v))):
        end = end_of(f"""coord x
kinetic x'^2/2
table F(x, v) = "map.csv" {how}
force x = -4*x - 0.1*F(x, x')
initial x = 1
run 0 .. 2
""", folder, files=[("map.csv", rows)])
        want = integrate(lambda t, y: [y[1], -4 * y[0] - 0.1 * law(*y)], 0, [1.0, 0.0], 2, 0.02)
        near(end["x"], want[0])
        near(end["x'"], want[1])


def outside_of_tables(folder):
    """held, extended, refused with the place"""
    model = """coord x
kinetic x'^2/2
table F(x) = (0, 0), (1, 2) {}
force x = F(x)
initial x = 0.5
initial x' = 1
run 0 .. {}
"""
    # x'' = 2 x inside; leaves at x = 1
    w = math.sqrt(2)
    leave = 0.0
    for _ in range(60):
        leave -= (0.5 * math.cosh(w * leave) + math.sinh(w * leave) / w - 1) / (0.5 * w * math.sinh(w * leave) + math.cosh(w * leave))
    v = 0.5 * w * math.sinh(w * leave) + math.cosh(w * leave)
    end = end_of(model.format("outside hold", leave + 0.5), folder)
    near(end["x"], 1 + v * 0.5 + 2 * 0.125)
    end = end_of(model.format("outside extend", 1), folder)
    near(end["x"], 0.5 * math.cosh(w) + math.sinh(w) / w)
    told = end_of(model.format("", 1), folder, expect=1)
    assert "table `F`" in told and "above 1, the end of its range" in told and f"{leave:.6g}"[:7] in told, told


def main():
    cases = [pid, state_feedback, kalman, sampled, delayed_state, delayed_spring, delayed_spring_by_other_methods, delayed_jump, delayed_bounce, delayed_onset_of_slip, tyre,
             linear_table, cubic_table, map_table, outside_of_tables]
    print(f"1..{len(cases)}")
    failed = 0
    for i, case in enumerate(cases, 1):
        with tempfile.TemporaryDirectory() as folder:
            try:
                case(folder)
                print(f"ok {i} - {case.__name__}", flush=True)
            except AssertionError as e:
                failed += 1
                print(f"not ok {i} - {case.__name__}\n#   " + str(e)[:2000].replace("\n", "\n#   "), flush=True)
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
