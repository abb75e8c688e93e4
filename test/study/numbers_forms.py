"""Further rows of the table of numbers.py: normal forms, states at turning points, sums of exponents and what they may be off by, structures."""
import math

from numbers_kept import BALL as ROLLING, ROUTH, SNAKEBOARD, count, measure
from numbers_lines import DOUBLE, HEILES, UEDA, WELLS, impact
from numbers_models import APEX, BELT, DUFFING, FORCED, HILL, IMPACT, LIBRATION, NORMAL, PENDULUM, POL, ROTOR, SERIES, SWING, TORQUE, ZIEGLER, special
from numbers_more import curve_point
from numbers_orbits import LEAVING

# the pendulum of TORQUE by the place of its mass, which is held: the same normal form, as x is the angle but for its cube
HELD = """param tau = 0.9, c0 = -0.3, c1 = 1
coord x, y
kinetic (x'^2 + y'^2)/2
constraint rod: x^2 + y^2 = 1
let turn = tau - x - (c0 - c1*y)*(x'*y*(-1) + y'*x)
force x = -y*turn
force y = x*turn
initial x = sin(1.1)
initial y = -cos(1.1)
"""
BODY = """coord th, ps, ph
let w1 = ps'*sin(th)*sin(ph) + th'*cos(ph)
let w2 = ps'*sin(th)*cos(ph) - th'*sin(ph)
let w3 = ps'*cos(th) + ph'
initial th = 0.5
initial ps = 0.7
initial ph = 0.9
constraint c: w3 = 0
"""
SUSLOV = BODY + "kinetic (w1^2 + 1.7*w2^2 + 2.3*w3^2)/2 + 0.3*w1*w3 + 0.2*w2*w3\n"
PRINCIPAL = BODY + "kinetic (w1^2 + 1.7*w2^2 + 2.3*w3^2)/2\n"
SLEIGH = """coord x, y, f
kinetic ((x' - 0.4*sin(f)*f')^2 + (y' + 0.4*cos(f)*f')^2)/2 + 0.15*f'^2
constraint b: x'*sin(f) - y'*cos(f) = 0
initial f = 0.9
"""
ROLLER = """coord x, y, ps, th, ph
kinetic (x'^2 + y'^2 + (cos(th)*th')^2)/2 + 0.125*(th'^2 + (sin(th)*ps')^2) + 0.25*(ph' + ps'*cos(th))^2
potential sin(th)
constraint a: x'*cos(ps) + y'*sin(ps) + ph' + ps'*cos(th) = 0
constraint b: -x'*sin(ps) + y'*cos(ps) - th'*sin(th) = 0
initial th = 1.1
"""
LINEAR = """coord x
kinetic x'^2/2
potential x^2/2
force x = -0.1*x' + cos(2*t)
initial x = 1
"""
CASCADE = ["--over", "A=1.065..1.0822", "--all", "--points", "10"]
DOUBLE_ZERO = ["--over", "tau=0.5..1.2", "--and", "c0=-0.6..0.1"]


def hopf(name):
    return special("hopf", what=name)


def extreme(which, of, name):
    return lambda x: x[which][of][name]


def doublings(o):
    A = [special("doubling", branch=k)(o) for k in range(3)]
    return (A[1] - A[0]) / (A[2] - A[1])


def cycles(o):
    """square of the amplitude of the first coordinate over the param on the branch of cycles, against what is told at the Hopf point, by the line through it"""
    at = [s for s in o["branches"][0]["special"] if s["kind"] == "hopf"][0]
    near = sorted((abs(p["p"] - at["p"]), p["amplitude"]["a"] ** 2 / (p["p"] - at["p"]) / at["squares"]["a"]) for p in o["branches"][1]["points"] if abs(p["p"] - at["p"]) > 1e-5)
    (x, y), (z, w) = near[0], next(n for n in near if n[0] > 2 * near[0][0])
    return y - x * (w - y) / (z - x) - 1


def off(number, exact):
    """how many errors an exponent is off, of those that are told; an error may not be larger than a tenth"""
    def take(o):
        got = o["exponents"][number]
        return abs(got["value"] - exact) / got["error"] if got["error"] < 0.1 * (1 + abs(exact)) else math.inf
    return take


def frequencies(o):
    return sorted(e[1] for e in o["eigenvalues"] if e[1] > 1e-9)


def fold_loads(o):
    return sorted({round(s["p"], 10) for s in o["branches"][0]["special"] if s["kind"] == "fold"})


TABLE = [
    *[(f"{name}, double zero, {what}", model, "continue", options, curve_point("bogdanov-takens", what), want, 1e-8, 0)
      for name, model, options, b in (("pendulum with torque", TORQUE, DOUBLE_ZERO, 1), ("pendulum on a rod", HELD, DOUBLE_ZERO, 1),
                                      ("pendulum with torque, c1 = -2.5", TORQUE, ["--set", "c1=-2.5", "--set", "c0=0.3", "--over", "tau=0.5..1.2", "--and", "c0=-0.1..0.6"], -2.5))
      for what, want in (("a", 0.5), ("b", b))],
    *[(f"{name}, growth, told", model, "continue", options, hopf("growth"), want, 1e-10, 0) for name, model, options, want in (
        ("Ziegler, c = 0.1", ZIEGLER, ["--over", "P=1..2"], 0.0229449088056941), ("Ziegler, c = 0.5", ZIEGLER, ["--set", "c=0.5", "--over", "P=1..2"], 0.0828052386987748),
        ("rotor", ROTOR, ["--over", "Om=2..4"], 0.0248601615910503))],
    *[(f"rotor, square of its radius over the speed, {x}", ROTOR, "continue", ["--over", "Om=2..4"], hopf(lambda s, x=x: s["squares"][x]), 2 / 3, 1e-8, 0) for x in "xy"],
    # |z|^2 = -Re(lambda') (P - Pc)/(w l1), from cycles at some P: l1 = -0.016796564, -0.062075114
    *[(f"Ziegler, c = {c}, squares of amplitudes", ZIEGLER, "continue", ["--set", f"c={c}", "--over", f"P={at - 0.01}..{at + 0.01}", "--all", "--points", "60"], cycles, 0, 1e-4, 0)
      for c, at in ((0.1, 2057 / 1400), (0.5, 89 / 56))],
    ("pendulum, ratio of its doublings", PENDULUM, "continue", CASCADE, doublings, 4.671050130853624, 1e-7, 0),
    ("pendulum, first doubling, period", PENDULUM, "continue", ["--over", "A=1.06..1.07", "--points", "10"], special("doubling", what="period"), 3 * math.pi, 1e-12, 0),
    *[(f"two trusses, fold {k} of four", SERIES, "continue", ["--over", "P=-0.4..0.4"], lambda o, k=k: fold_loads(o)[k] if len(fold_loads(o)) == 4 else math.nan, want, 1e-9, 0)
      for k, want in enumerate((-0.2650282534374104805, -0.04291432573122468769, 0.04291432573122468769, 0.2650282534374104805))],
    ("free apex, hill-top, height", APEX, "continue", ["--over", "P=0..3", "--and", "h=2.4..3.2"], lambda o: [s for c in o["curves"] for s in c["special"] if s["kind"] == "hill-top"][0]["state"]["y"], 1, 1e-6, 0),
    ("forced van der Pol, torus, trace", FORCED, "continue", ["--over", "F=0.5..1"], special("torus", what=lambda x: sum(m[0] for m in x["multipliers"])), 1.051837575320931208, 1e-9, 0),
    *[(f"normal modes, linear frequency {k}", NORMAL, "stability", ["--state", "x1=0, x2=0"], lambda o, k=k: frequencies(o)[k], want, 1e-12, 0) for k, want in enumerate((1, math.sqrt(3)))],
    ("Hill, small orbits, frequency", LIBRATION, "stability", ["--state", "x=0.7, y'=0"], lambda o: frequencies(o)[-1], math.sqrt(math.sqrt(28) - 1), 1e-10, 0),
    ("Hill, halo orbits branch off, y'", LIBRATION, "continue", ["--over", "energy=-2.2..-1.9", "--period", "3.0412", "--points", "20"],
     special("branch", what=extreme("at_least", "x", "y'")), 0.6701242930827404036, 1e-9, 0),
    *[(f"Hill, x = {x}, {name}", HILL, "stability", ["--state", f"x={x}, y'={v}", "--period", str(T)], extreme("at_least", "x", name), want, 1e-10, 0)
      for x, v, T in ((0.65, 0.2745625892735509183, 3.041230464527963755), (0.6, 0.5658123974020882394, 3.067529723826584684), (0.55, 0.8401439724651610937, 3.109478517909623946))
      for name, want in (("x", x), ("y'", v), ("x'", 0), ("y", 0))],
    ("impact oscillator, doubling, phase", IMPACT, "continue", impact(2.5, 0, 0.8, ("--state", "x=-0.3", *LEAVING)),
     special("doubling", what=lambda x: (x["p"] * (x["t"] + x["happenings"][0]["t"])) % (2 * math.pi)), 2.952745729017386264, 1e-8, 0),
    ("impact oscillator, product of multipliers", IMPACT, "stability", [], lambda o: math.prod(math.hypot(*m) for m in o["multipliers"]), 0.49 * math.exp(-0.1 * 2 * math.pi / 1.5), 1e-11, 0),
    ("stick-slip, speed at its greatest", BELT, "stability", ["--period", "8.5"], extreme("at_most", "x", "x'"), 0, 1e-9, 0),
    # what small volumes shrink by is known
    *[(f"sum of exponents, {name}", model, "chaos", options, lambda o: o["sum"], want, off_by, 0) for name, model, options, want, off_by in (
        ("Ueda", UEDA, [], -0.05, 1e-8), ("pendulum", SWING, ["--set", "A=1.15"], -0.5, 1e-8), ("two wells", WELLS, [], -0.25, 1e-8), ("Henon and Heiles", HEILES, [], 0, 1e-8),
        # with velocities in the place of momenta volumes change with det M, which stays between bounds
        ("double pendulum", DOUBLE, [], 0, 2e-4))],
    *[(f"next exponent, {name}, over its error", model, "chaos", [], off(1, 0), 0, 4, 0) for name, model in (("double pendulum", DOUBLE), ("Henon and Heiles", HEILES))],
    *[(f"energy, {name}", model + "output E = kinetic() + potential()\nrun 0 .. 1\n", "run", ["--at", "0,1", "--tol", "1e-12"], lambda o: o["columns"]["E"][1], want, 1e-10, 0)
      for name, model, want in (("double pendulum", DOUBLE, -3 * 9.81 * math.cos(2)), ("Henon and Heiles", HEILES, 0.13533333333333333))],
    # of periodic motions exponents are known: those told have to lie within their errors, however short the run
    *[(f"exponent {k}, {name}, to {until}, over its error", model, "chaos", ["--until", str(until), *options], off(k, want), 0, 3, 0)
      for until in (30, 70, 200) for name, model, options, exponents in (
          ("van der Pol", POL, [], (0, -7.058932808798959179 / 6.663286859323130189700)), ("linear", LINEAR, [], (-0.05, -0.05)),
          ("Duffing", DUFFING, ["--set", "w=1.5", "--state", "x=0.967, x'=1.512"], (-0.05, -0.05))) for k, want in enumerate(exponents)],
    ("stick-slip, largest exponent, over its error", BELT, "chaos", ["--until", "300"], off(0, 0), 0, 3, 0),
    ("stick-slip, other exponent, lost", BELT, "chaos", ["--until", "300"], lambda o: o["exponents"][1]["value"] is None and o["dimension"], 1, 0, 0),
    *[(f"Suslov, {what}", SUSLOV, "structure", [], read, want, 0, 0) for what, read, want in (
        ("linear integrals", count("linear_integrals"), 0), ("the energy", count("quadratic_integrals"), 1), ("measure", measure, False))],
    # with the angles there are five; of the reduced system w1 and w2 are
    *[(f"Suslov, principal axis, {what}", PRINCIPAL, "structure", [], read, want, 0, 0) for what, read, want in (
        ("linear integrals", count("linear_integrals"), 5), ("of w1 and w2 alone", count("linear_integrals", "kept_by_symmetries"), 2),
        ("quadratic integrals", count("quadratic_integrals"), 14), ("measure", measure, True))],
    # cos(s f) and sin(s f) on the line of the angle; of the reduced system none
    *[(f"Chaplygin's sleigh, {what}", SLEIGH, "structure", [], read, want, 0, 0) for what, read, want in (
        ("linear integrals", count("linear_integrals"), 2), ("of v and w alone", count("linear_integrals", "kept_by_symmetries"), 0), ("quadratic integrals", count("quadratic_integrals"), 3),
        ("the energy", count("quadratic_integrals", "kept_by_symmetries"), 1), ("measure", measure, False))],
    *[(f"rolling disc, {what}", ROLLER, "structure", [], read, want, 0, 0) for what, read, want in (
        ("linear integrals of the lean", count("linear_integrals", "kept_by_symmetries"), 2), ("quadratic integrals of the lean", count("quadratic_integrals", "kept_by_symmetries"), 4))],
    ("Routh's sphere, quadratic integrals", ROUTH, "structure", [], count("quadratic_integrals"), 4, 0, 0),
    # cos b is that of the angles; det S = det(J + D) (1 - D g.(J + D)^-1 g) but for the choice of velocities
    *[(f"Chaplygin's ball, {what}", ROLLING, "structure", [], read, want, 0, 0) for what, read, want in (
        ("quadratic integrals", lambda o: o["quadratic_integrals"]["certain"] and o["quadratic_integrals"]["dimension"], 7), ("the energy", count("quadratic_integrals", "beyond_products"), 1),
        ("about the vertical", count("linear_integrals", "kept_by_symmetries"), 1), ("density", lambda o: (o["measure"]["density"], o["measure"]["density_power_of_det_S"]) == ("cos(b)", 0.5), True))],
    # rotor, wheels, the momentum along the board as it follows the wheels, and the angle that follows it
    *[(f"snakeboard, {what}", SNAKEBOARD, "structure", [], read, want, 0, 0) for what, read, want in (
        ("linear integrals of both angles", lambda o: o["linear_integrals"]["kept_by_shifts"]["certain"] and o["linear_integrals"]["kept_by_shifts"]["dimension"], 4),
        ("quadratic integrals of both angles", lambda o: o["quadratic_integrals"]["kept_by_shifts"]["certain"] and o["quadratic_integrals"]["kept_by_shifts"]["dimension"], 10))],
]
