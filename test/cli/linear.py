#!/usr/bin/env python3
"""Linear models in numbers and symbols: cart and pole, quadrotor, the bicycle against its published matrices. Prints TAP.

linear.py PROGRAM ROOT
"""
import json, math, os, subprocess, sys, tempfile

PROGRAM, ROOT = os.path.abspath(sys.argv[1]), sys.argv[2]


def linear(text, folder, *options):
    model = os.path.join(folder, "m.zw")
    open(model, "w", encoding="utf8").write(text)
    done = subprocess.run([PROGRAM, "linearise", model, "--symbolic", "--format", "json", *options], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def entry(page, matrix, row, column):
    names = {"A": ("states", "states"), "B": ("states", "inputs"), "C": ("outputs", "states"), "D": ("outputs", "inputs")}[matrix]
    i, j = page[names[0]].index(row), page[names[1]].index(column)
    return page[matrix][i][j], page["symbolic"][matrix][i][j]


def value(symbols, **names):
    return eval(symbols.replace("^", "**"), {"sin": math.sin, "cos": math.cos, "tan": math.tan, "sqrt": math.sqrt, "pi": math.pi}, names)


def near(x, want, digits=12):
    assert abs(x - want) <= 10.0**-digits * max(1, abs(want)), (x, want)


CARTPOLE = """param M = 2 [kg], m = 0.5 [kg], l = 0.7 [m], g = 9.81 [m/s^2]
input u [N] = 0
coord x [m]
coord th [rad]
particle cart mass M = (x, 0, 0)
particle pole mass m = (x + l*sin(th), l*cos(th), 0)
gravity (0, -g, 0)
force x = u
initial th = {}
output tip = x + l*sin(th)
"""


def cart_and_pole(folder):
    for start, sign, options in (("0", 1, ()), ("pi", -1, ()), ("0.1", 1, ("--at", "th ~ 0.1", "--rest"))):
        page = linear(CARTPOLE.format(start), folder, *options)
        want = {("A", "x'", "th"): lambda M, m, l, g: -m * g / M, ("A", "th'", "th"): lambda M, m, l, g: sign * g * (M + m) / (M * l),
                ("B", "x'", "u"): lambda M, m, l, g: 1 / M, ("B", "th'", "u"): lambda M, m, l, g: -sign / (M * l),
                ("C", "tip", "th"): lambda M, m, l, g: sign * l}
        for (matrix, row, column), law in want.items():
            number, symbols = entry(page, matrix, row, column)
            near(number, law(2, 0.5, 0.7, 9.81))
            # the symbols hold for other params, too
            near(value(symbols, M=3.1, m=0.2, l=1.7, g=1.62), law(3.1, 0.2, 1.7, 1.62))
        assert entry(page, "A", "x'", "x")[1] == "0" and entry(page, "D", "tip", "u")[1] == "0"


def pole_held_aside(folder):
    """a state that is no simple number stays a symbol"""
    page = linear(CARTPOLE.format("0"), folder, "--at", "th = 0.123456789")
    number, symbols = entry(page, "B", "x'", "u")
    near(number, 1 / (2 + 0.5 * math.sin(0.123456789) ** 2))
    near(value(symbols, M=2, m=0.5, l=0.7, g=9.81, th=0.4), 1 / (2 + 0.5 * math.sin(0.4) ** 2))


def quadrotor(folder):
    page = linear("""param m = 1.2 [kg], l = 0.25 [m], Ix = 0.015 [kg*m^2], Iy = 0.016 [kg*m^2], Iz = 0.028 [kg*m^2], k = 0.02 [m], g = 9.81 [m/s^2]
body hull mass m inertia (Ix, Iy, Iz)
joint fly: free hull on world
gravity (0, 0, -g)
input f1 [N] = 0, f2 [N] = 0, f3 [N] = 0, f4 [N] = 0
let hover = m*g/4
point r1 = (l, 0, 0) in hull
point r2 = (0, l, 0) in hull
point r3 = (-l, 0, 0) in hull
point r4 = (0, -l, 0) in hull
force (0, 0, hover + f1) in hull at r1
force (0, 0, hover + f2) in hull at r2
force (0, 0, hover + f3) in hull at r3
force (0, 0, hover + f4) in hull at r4
torque (0, 0, k*(f1 - f2 + f3 - f4)) in hull on hull
""", folder)
    assert page["inputs"] == ["f1", "f2", "f3", "f4"], page["inputs"]
    assert len(page["states"]) == 12, page["states"]
    near(entry(page, "A", "fly.x'", "fly.qy")[0], 2 * 9.81)
    near(entry(page, "A", "fly.y'", "fly.qx")[0], -2 * 9.81)
    for i in range(4):
        near(entry(page, "B", "fly.z'", f"f{i + 1}")[0], 1 / 1.2)
        near(entry(page, "B", "fly.qx'", f"f{i + 1}")[0], (0, 1, 0, -1)[i] * 0.25 / (2 * 0.015))
        near(entry(page, "B", "fly.qy'", f"f{i + 1}")[0], (-1, 0, 1, 0)[i] * 0.25 / (2 * 0.016))
        near(entry(page, "B", "fly.qz'", f"f{i + 1}")[0], (1, -1, 1, -1)[i] * 0.02 / (2 * 0.028))


# Meijaard, Papadopoulos, Ruina and Schwab (2007): M q'' + v C1 q' + (g K0 + v^2 K2) q = 0, q = (lean, steer)
M = ((80.81722, 2.31941332208709), (2.31941332208709, 0.29784188199686))
K0 = ((-80.95, -2.59951685249872), (-2.59951685249872, -0.80329488458618))
K2 = ((0, 76.59734589573222), (0, 2.65431523794604))
C1 = ((0, 33.86641391492494), (-0.85035641456978, 1.68540397397560))


def bicycle(folder):
    """in symbols at one speed, evaluated at others and under another gravity"""
    text = open(os.path.join(ROOT, "models", "whipple_bicycle.zw"), encoding="utf8").read().replace("initial phi = 0.02", "initial phi = 0")
    page = linear(text, folder, "--outputs", "phi")
    names = dict(w=1.02, c=0.08, lam=math.pi / 10, rR=0.3, mR=2, IRxx=0.0603, IRyy=0.12, xB=0.3, zB=-0.9, mB=85, IBxx=9.2, IByy=11, IBzz=2.8, IBxz=2.4,
                 xH=0.9, zH=-0.7, mH=4, IHxx=0.05892, IHyy=0.06, IHzz=0.00708, IHxz=-0.00756, rF=0.35, mF=3, IFxx=0.1405, IFyy=0.28)
    det = M[0][0] * M[1][1] - M[0][1] * M[1][0]
    inverse = ((M[1][1] / det, -M[0][1] / det), (-M[1][0] / det, M[0][0] / det))
    for v, g in ((5, 9.81), (2.3, 9.81), (9, 1.62)):
        for i, row in enumerate(("phi'", "delta'")):
            for j, column in enumerate(("phi", "delta")):
                place = -sum(inverse[i][k] * (g * K0[k][j] + v * v * K2[k][j]) for k in range(2))
                speed = -sum(inverse[i][k] * v * C1[k][j] for k in range(2))
                near(value(entry(page, "A", row, column)[1], v=v, g=g, **names), place)
                near(value(entry(page, "A", row, column + "'")[1], v=v, g=g, **names), speed)
                if v == 5:
                    near(entry(page, "A", row, column)[0], place)
                    near(entry(page, "A", row, column + "'")[0], speed)


def main():
    cases = [cart_and_pole, pole_held_aside, quadrotor, bicycle]
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
