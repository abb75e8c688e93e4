"""Further rows of the table of numbers.py: states, frequencies, phases and times beside the values of the params."""
import math

from numbers_models import (APEX, BALL, BELT, COLUMN, DUFFING, FORCED, GALLOP, HILL, HOOP, IMPACT, KOITER, LATERAL, LIBRATION, NORMAL, PENDULUM, POL,
                            ROTOR, SWING, TONGUES, TORQUE, TRUSS, WALKER, WHEEL, WHEELSET, ZIEGLER, happening, multiplier, period, special)
from numbers_more import DISC, DUFFING as DUFFING_AT, TOP, critical, curve_point, speed, square

PERFECT = COLUMN.replace("th0 = 0.01", "th0 = 0").replace("initial th = -1.2", "initial th = 0").replace("P = 1.3", "P = 0.5")
RIGHT = HOOP.replace("eps = 0.01", "eps = 0").replace("W = 1.3", "W = 2").replace("initial th = -0.7", "initial th = 1")
CHART = TONGUES.replace("a = 0.5", "a = 0.5, q = 1").replace("2*cos", "2*q*cos")
SLEEPING = """param n = 5
coord a, b, c
kinetic 0.25*((a'*cos(b))^2 + b'^2) + 0.15*(c' + a'*sin(b))^2
potential 2*cos(a)*cos(b)
initial c' = n
"""
UEDA = """coord x
kinetic x'^2/2
potential x^4/4
force x = -0.05*x' + 7.5*cos(t)
initial x = 1
"""
WELLS = """coord x
kinetic x'^2/2
potential x^4/4 - x^2/2
force x = -0.25*x' + 0.3*cos(t)
initial x = 0.1
initial x' = 0.1
"""
DOUBLE = """coord a, b
kinetic a'^2 + a'*b'*cos(a - b) + b'^2/2
potential -9.81*(2*cos(a) + cos(b))
initial a = 2
initial b = 2
"""
HEILES = """coord x, y
kinetic (x'^2 + y'^2)/2
potential (x^2 + y^2)/2 + x^2*y - y^3/3
initial y = -0.1
initial x' = 0.5
initial y' = 0.1
"""
GRAZING = ["--state", "x=0, x'=0", "--points", "10"]
FEET = {0.005: "th=0.165,ph=0.33,th'=-0.167,ph'=-0.009", 0.014: "th=0.2314,ph=0.4628,th'=-0.2271,ph'=-0.0236", 0.004: "th=0.14878,ph=0.29756,th'=-0.1588,ph'=-0.00686"}


def state(name):
    return lambda x: x["state"][name]


def slope(kind, number=0):
    """of the real part of the rightmost eigenvalue next to the special point, by the points on both sides of it"""
    def take(o):
        b = o["branches"][0]
        at = [s for s in b["special"] if s["kind"] == kind][number]["p"]
        near = sorted(b["points"], key=lambda x: abs(x["p"] - at))[:6]
        total = 0
        for i, x in enumerate(near):
            share = sum(math.prod((at - z["p"]) for k, z in enumerate(near) if k not in (i, j)) / (x["p"] - y["p"]) /
                        math.prod(x["p"] - z["p"] for k, z in enumerate(near) if k not in (i, j)) for j, y in enumerate(near) if j != i)
            total += share * max(e[0] for e in x["eigenvalues"])
        return total
    return take


def phase(w):
    return lambda o: (w * (o["t"] + o["happenings"][0]["t"])) % (2 * math.pi)


def exponent(want, off, least):
    """how many errors the largest exponent is off, of what is known and of what is told"""
    def take(o):
        got = o["exponents"][0]
        return (got["value"] - want) / math.hypot(got["error"], off) if got["error"] < least else math.inf
    return take


def between(first, second):
    """time from one happening to another, over the period"""
    def take(o):
        t = {h["name"]: h["t"] for h in o["happenings"]}
        return (t[second] - t[first]) % o["period"]
    return take


def impact(w, s, r, more=()):
    return ["--set", f"w={w}", "--set", f"s={s}", "--set", f"r={r}", *more]


def walker(ga, period_about):
    return ["--set", f"ga={ga}", "--state", FEET[ga], "--period", str(period_about)]


def fold(model, options, name, value, off=1e-6):
    return (f"{name}, where", model, "continue", options, special("fold", what=state("th" if "coord th" in model else "y")), value, off, 0)


TABLE = [
    ("hoop, W = 2, angle", RIGHT, "stability", [], lambda o: o["steady"]["th"], math.pi / 3, 1e-13, 0),
    fold(HOOP, ["--over", "W=0.9..1.4"], "hoop beside the centre, fold", -0.2171459408465138157),
    ("perfect column, fork", PERFECT, "continue", ["--over", "P=0.5..1.5"], special("branch", what=lambda x: (x["form"], x["criticality"]) == ("pitchfork", "super") and x["p"]), 1, 1e-12, 0),
    ("imperfect column, cusp", COLUMN, "continue", ["--over", "P=0.9..1.4", "--and", "th0=-0.02..0.02"], curve_point("cusp", "p"), 1, 1e-9, 0),
    fold(COLUMN, ["--over", "P=0.9..1.4"], "imperfect column, fold", -0.306772547185126074),
    fold(LATERAL, ["--over", "P=0.1..1.2"], "lateral spring, fold", math.asin(0.01 ** (1 / 3))),
    fold(KOITER, ["--over", "P=0.1..0.6"], "Koiter's column, fold", 0.1174785381448269991),
    fold(TRUSS, ["--over", "P=-0.1..0.1"], "truss, h = 0.5", 0.2778800910751647585),
    fold(TRUSS, ["--set", "h=1", "--over", "P=-0.5..0.5"], "truss, h = 1", 0.5098245285339585981),
    ("free apex, symmetry breaks, height", APEX, "continue", ["--over", "P=0..3"], special("branch", what=state("y")), 2.552654671281254523, 1e-8, 0),
    ("free apex, second crossing, height", APEX, "continue", ["--over", "P=0..3"], special("branch", 1, what=state("y")), 0.8381131084502894, 1e-8, 0),
    ("free apex, flat, no crossing", APEX, "continue", ["--set", "h=2.39", "--over", "P=0..3"], lambda o: sum(s["kind"] == "branch" for s in o["branches"][0]["special"][:2]), 0, 0, 0),
    ("pendulum with torque, fold", TORQUE, "continue", ["--over", "tau=0.9..1.2"], special("fold"), 1, 1e-11, 0),
    ("pendulum with torque, Hopf, angle", TORQUE, "continue", ["--over", "tau=0.9..0.98"], special("hopf", what=state("th")), 1.266103672779499111, 1e-10, 0),
    ("pendulum with torque, Hopf, frequency", TORQUE, "continue", ["--over", "tau=0.9..0.98"], special("hopf", what="imaginary"), 0.5477225575051661135, 1e-10, 0),
    ("pendulum with torque, double zero, damping", TORQUE, "continue", ["--over", "tau=0.5..1.2", "--and", "c0=-0.6..0.1"], curve_point("bogdanov-takens", "and"), 0, 1e-9, 0),
    ("Ziegler, c = 0.1, frequency", ZIEGLER, "continue", ["--over", "P=1..2"], special("hopf", what="imaginary"), math.sqrt(2 / 7), 1e-11, 0),
    ("Ziegler, c = 0.1, growth", ZIEGLER, "continue", ["--over", "P=1.4..1.55"], slope("hopf"), 0.0229449088056941, 1e-8, 0),
    ("Ziegler, c = 0.5, growth", ZIEGLER, "continue", ["--set", "c=0.5", "--over", "P=1.5..1.7"], slope("hopf"), 0.0828052386987748, 1e-8, 0),
    ("Ziegler, c = 0, frequency", ZIEGLER, "continue", ["--set", "c=0", "--over", "P=1..3"], special("krein", what="imaginary"), 2 ** -0.25, 1e-5, 0),
    ("rotor, speed", ROTOR, "continue", ["--over", "Om=2..4"], special("hopf"), 3, 1e-11, 0),
    ("rotor, growth", ROTOR, "continue", ["--over", "Om=2.9..3.1"], slope("hopf"), 0.0248601615910503, 1e-8, 0),
    ("wheelset, frequency", WHEELSET, "continue", ["--over", "V=30..50"], special("hopf", what="imaginary"), 22.780502543860282962, 1e-9, 0),
    ("galloping, b = 0.5, fold of cycles, period", GALLOP, "continue", ["--set", "b=0.5", "--over", "mu=-0.1..0.02", "--all", "--points", "40"], special("fold", branch=1, what="period"), 6.283313140819040070, 1e-9, 0),
    ("galloping, b = 0.5, fold of cycles, amplitude", GALLOP, "continue", ["--set", "b=0.5", "--over", "mu=-0.1..0.02", "--all", "--points", "40"],
     special("fold", branch=1, what=lambda x: x["most"]["x"]), 0.7071088192598733197, 1e-8, 0),
    ("disc, its centre at rest", DISC, "stability", ["--set", "th0=60", "--set", "n=0", "--set", "P=2.1"], speed("psi"), 2 / 0.75 ** 0.25, 1e-9, 0),
    ("disc, its centre at rest, frequency", DISC, "stability", ["--set", "th0=60", "--set", "n=0", "--set", "P=2.1"], square, 4 / math.sqrt(0.75) * (3 / 16 + 0.75) / 1.25, 1e-8, 0),
    ("disc, straight and 71 deg, stable", DISC, "stability", ["--set", "th0=71", "--set", "P=0.5", "--set", "n=-0.3", "--over", "n=-0.8..-0.1"], lambda o: len(o["over"]["critical"]), 0, 0, 0),
    ("top, precessions meet, rate", TOP, "continue", ["--over", "n=4.5..12"], special("fold", what=state("psi'")), 2.8284271247461900976, 1e-6, 0),
    ("sleeping top", SLEEPING, "stability", ["--over", "n=4..10"], critical(0), 20 / 3, 1e-9, 0),
    ("Duffing, upper fold, place", DUFFING, "continue", ["--over", "w=0.8..2.5"], special("fold", what=state("x")), -0.06456116852652050736, 1e-10, 0),
    ("Duffing, upper fold, largest", DUFFING, "continue", ["--over", "w=0.8..2.5"], special("fold", what=lambda x: x["most"]["x"]), 1.722252019352, 1e-9, 0),
    ("Duffing, upper fold, other multiplier", DUFFING, "continue", ["--over", "w=0.8..2.5"], special("fold", what=lambda x: x["multipliers"][0][0]), 0.7025465842318023455, 1e-11, 0),
    ("Duffing, lower fold, place", DUFFING, "continue", ["--over", "w=0.8..2.5"], special("fold", 1, what=state("x")), -0.5713905748050993645, 1e-10, 0),
    ("Duffing, lower fold, speed", DUFFING, "continue", ["--over", "w=0.8..2.5"], special("fold", 1, what=state("x'")), 0.2135440319248570633, 1e-10, 0),
    ("Duffing, lower fold, largest", DUFFING, "continue", ["--over", "w=0.8..2.5"], special("fold", 1, what=lambda x: x["most"]["x"]), 0.592832191095, 1e-10, 0),
    ("Duffing, lower fold, other multiplier", DUFFING, "continue", ["--over", "w=0.8..2.5"], special("fold", 1, what=lambda x: x["multipliers"][0][0]), 0.6222108991519103875, 1e-11, 0),
    *[(f"Duffing, w = 1.5, x = {x}", DUFFING_AT, "stability", ["--state", f"x={x:.3f}, x'={v:.3f}"], lambda o, k=k: o["steady"][k], want, 1e-11, 0)
      for x, v in ((0.96693483356669, 1.51203771882340), (-0.93784044081121, 1.12209545317344), (-0.24551941596905, 0.04618598899815)) for k, want in (("x", x), ("x'", v))],
    ("pendulum, symmetry breaks, place", SWING, "continue", ["--over", "A=0.95..1.05"], special("branch", what=state("x")), -1.071954314878035636, 1e-8, 0),
    ("pendulum, first doubling, place", PENDULUM, "continue", ["--over", "A=1.06..1.07", "--points", "10"], special("doubling", what=state("x")), -0.2214748998169565190, 1e-8, 0),
    ("pendulum, first doubling, speed", PENDULUM, "continue", ["--over", "A=1.06..1.07", "--points", "10"], special("doubling", what=state("x'")), 1.959659933219510306, 1e-8, 0),
    ("van der Pol, mu = 0.1, multiplier", POL, "stability", ["--set", "mu=0.1", "--period", "6.28"], lambda o: math.log(min(m[0] for m in o["multipliers"])), -0.6291039210260195956, 1e-10, 0),
    *[(f"Mathieu, border {k} of those with multiplier -1", TONGUES, "continue", ["--over", "a=-1..27"], special("doubling", k), want, 1e-11, 0) for k, want in ((0, -0.1102488169920952), (3, 9.078368847203102))],
    # by the matrices of its Fourier coefficients; a row of a chart knows its borders as a scan by itself
    *[(f"Mathieu's chart, q = 0.4, border {k}", CHART, "stability", ["--over", "a=-1..27, q=0..8"], lambda o, k=k: o["chart"]["rows"][1]["critical"][k]["value"], want, 1e-9, 0)
      for k, want in enumerate((-0.0786492878, 0.5809806072, 1.3789867370))],
    ("Mathieu's chart, stable between tongues", CHART, "stability", ["--over", "a=-1..27, q=0..8"], lambda o: o["chart"]["rows"][1]["verdicts"].count("marginal") + o["over"]["verdicts"].count("marginal"), 0, 0, 0),
    ("forced van der Pol, torus, place", FORCED, "continue", ["--over", "F=0.5..1"], special("torus", what=state("x")), -1.374653334007476373, 1e-10, 0),
    ("forced van der Pol, torus, speed", FORCED, "continue", ["--over", "F=0.5..1"], special("torus", what=state("x'")), -0.4082160221224984069, 1e-10, 0),
    ("forced van der Pol, torus, angle", FORCED, "continue", ["--over", "F=0.5..1"], special("torus", what=lambda x: x["imaginary"] / (2 * math.pi)), 0.1618607883264970697, 1e-10, 0),
    ("normal modes over the energy, place", NORMAL, "continue", ["--over", "energy=0.1..31.12867070770847253", "--period", "6.09"], lambda o: max(abs(x) for x in [o["branches"][0]["points"][-1]["most"]["x1"]]), 2.5, 1e-8, 0),
    ("normal modes, out of phase, over the energy, frequency", NORMAL, "continue", ["--state", "x1=0.7, x2=-0.637", "--over", "energy=0.1..22.25829893801792114", "--period", "3.57"],
     lambda o: 2 * math.pi / o["branches"][0]["points"][-1]["period"], 2.360234372172625006, 1e-10, 0),
    *[(f"Hill, x = {x}, up and down", HILL, "stability", ["--state", f"x={x}, y'={v}", "--period", str(T)], lambda o, w=tz: min(abs(2 * m[0] - w) for m in o["multipliers"]) if w < 2 else
       min(abs(m[0] + 1 / m[0] - w) for m in o["multipliers"] if m[1] == 0), 0, 1e-8, 0)
      for x, v, T, tz in ((0.65, 0.2745625892735509183, 3.041230464527963755, 1.96123546064534927), (0.6, 0.5658123974020882394, 3.067529723826584684, 1.98685489981087748),
                          (0.55, 0.8401439724651610937, 3.109478517909623946, 2.02561723294662189))],
    ("Hill, halo orbits branch off, period", LIBRATION, "continue", ["--over", "energy=-2.2..-1.9", "--period", "3.0412", "--points", "20"], special("branch", what="period"), 3.081442502480419090, 1e-8, 0),
    ("impact oscillator, phase", IMPACT, "stability", [], phase(1.5), 0.5022566306146282425, 1e-10, 0),
    ("impact oscillator, w = 2, speed", IMPACT, "stability", impact(2, 0.2, 0.8), happening(0, "before", "x'"), 3.069362340555782858, 1e-10, 0),
    ("impact oscillator, w = 2, phase", IMPACT, "stability", impact(2, 0.2, 0.8), phase(2), 2.169877907539472975, 1e-10, 0),
    ("impact oscillator, w = 2.5, speed", IMPACT, "stability", impact(2.5, 0, 0.8, ("--state", "x=-0.3")), happening(0, "before", "x'"), 0.6363581959994683601, 1e-10, 0),
    ("impact oscillator, w = 2.5, phase", IMPACT, "stability", impact(2.5, 0, 0.8, ("--state", "x=-0.3")), phase(2.5), 2.894933342200032343, 1e-10, 0),
    ("impact oscillator, doubling, other multiplier", IMPACT, "continue", impact(2.5, 0, 0.8, ("--state", "x=-0.3", "--over", "w=2.45..2.7", "--points", "15")),
     special("doubling", what=lambda x: max(m[0] for m in x["multipliers"])), -0.50530343376, 1e-8, 0),
    ("impact oscillator, grazing, w = 2", IMPACT, "continue", ["--set", "w=2", "--set", "s=1", "--over", "s=0.2..1.2", *GRAZING], special("grazing"), 0.3325950526188696520, 1e-12, 0),
    ("impact oscillator, grazing over the frequency", IMPACT, "continue", ["--set", "w=3", "--over", "w=1.2..4", *GRAZING], special("grazing"), math.sqrt((1.99 + math.sqrt(1.99 ** 2 + 12)) / 2), 1e-12, 0),
    ("rimless wheel, speed behind", WHEEL, "stability", ["--period", "3"], happening(0, "after", "th'"), 0.34975436743250966048, 1e-11, 0),
    ("rimless wheel, speed before", WHEEL, "stability", ["--period", "3"], happening(0, "before", "th'"), 0.49462736992227790433, 1e-11, 0),
    *[(f"walker, {ga}, {what}", WALKER, "stability", walker(ga, about), read, want, 1e-9, 0) for ga, about, th, rate, T in (
        (0.005, 3.86, 0.1651071853212263219, -0.1672683906639558470, 3.859237607341429467), (0.014, 3.907, 0.2314491370649004030, -0.2270996928404410951, 3.907370565557224158),
        (0.004, 3.1, 0.1487783869696196473, -0.1588066734576056531, 3.116505598348014025))
      for what, read, want in (("angle", happening(0, "after", "th"), th), ("speed", happening(0, "after", "th'"), rate), ("time of a step", period, T))],
    ("walker, 0.014, other multiplier", WALKER, "stability", walker(0.014, 3.907), multiplier(-0.4348031969610533), 0, 1e-9, 0),
    ("walker, 0.004, other multiplier", WALKER, "stability", walker(0.004, 3.1), multiplier(0.5915522469844745), 0, 1e-9, 0),
    ("walker, 0.010, time of a step", WALKER, "stability", ["--period", "3.88"], period, 3.887724576181585831, 1e-10, 0),
    ("walker, first doubling, time of a step", WALKER, "continue", ["--over", "ga=0.01..0.016", "--period", "3.88", "--points", "20"], special("doubling", what="period"), 3.912409212480498353, 1e-9, 0),
    ("ball, e = 0.8, born", BALL, "continue", ["--set", "e=0.8", "--set", "Gam=0.8", "--over", "Gam=0.3..0.9", "--points", "15"], special("fold"), 0.34906585039886591538, 1e-9, 0),
    ("stick-slip, time that it sticks", BELT, "stability", ["--period", "8.5"], between("catch", "break"), 5, 1e-10, 0),
    ("stick-slip, time that it slips", BELT, "stability", ["--period", "8.5"], between("break", "catch"), 3.9026054078145230111, 1e-10, 0),
    # long runs in another program; told with its error, which has to be small
    *[(f"largest exponent, {name}, over its error", model, "chaos", options, exponent(want, off, least), 0, 4, 0) for name, model, options, want, off, least in (
        ("Ueda", UEDA, [], 0.10347, 0.00016, 0.005), ("pendulum", SWING, ["--set", "A=1.15"], 0.09951, 0.00023, 0.005), ("two wells", WELLS, [], 0.11736, 0.00018, 0.005),
        ("double pendulum", DOUBLE, [], 1.3394, 0.0010, 0.05), ("Henon and Heiles", HEILES, [], 0.0635, 0.003, 0.01))],
    ("dimension, Ueda", UEDA, "chaos", [], lambda o: o["dimension"], 1.674, 0.02, 0),
    ("dimension, pendulum", SWING, "chaos", ["--set", "A=1.15"], lambda o: o["dimension"], 1.166, 0.01, 0),
    ("dimension, two wells", WELLS, "chaos", [], lambda o: o["dimension"], 1.319, 0.02, 0),
]
