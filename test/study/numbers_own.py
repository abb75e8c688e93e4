"""Further rows of the table of numbers.py: closed forms where several things happen at once, or next to each other; where symmetry
makes families of any size; and branches whose verdict is one all along."""
import math
from pathlib import Path

from numbers_models import special

# where p goes through zero and d, the one and the other coordinate buckles
TWO = """param p = -0.5, d = 0
coord x, y
kinetic (x'^2 + y'^2)/2
potential -p*x^2/2 - (p - d)*y^2/2 + (x^4 + y^4)/4 + 0.25*x^2*y^2
force x = -0.1*x'
force y = -0.1*y'
"""
# at p = 0 all three buckle, those of equal sizes first: faces, edges and corners of a cube; the corners are stable
CUBE = """param p = -0.5
coord x, y, z
kinetic (x'^2 + y'^2 + z'^2)/2
potential -p*(x^2 + y^2 + z^2)/2 + (x^4 + y^4 + z^4)/4 + 0.25*(x^2*y^2 + y^2*z^2 + z^2*x^2)
force x = -0.2*x'
force y = -0.2*y'
force z = -0.2*z'
"""
# a triangle: arms x = -1/2 -+ sqrt(1/4 + p) turned by thirds, with folds at p = -1/4
TRIANGLE = TWO.replace("-p*x^2/2 - (p - d)*y^2/2 + (x^4 + y^4)/4 + 0.25*x^2*y^2", "-p*(x^2 + y^2)/2 + (x^3 - 3*x*y^2)/3 + (x^2 + y^2)^2/4")
ROUND = TWO.replace("(x^4 + y^4)/4 + 0.25*x^2*y^2", "(x^2 + y^2)^2/4")
# two oscillators that are excited from p = 0 and p = d on
EXCITED = """param p = -0.5, d = 0
coord x, y
kinetic (x'^2 + y'^2)/2
potential x^2/2 + y^2
force x = (p - x^2)*x'
force y = (p - d - y^2)*y'
"""
# V = x (1 - x)^2 at equilibrium: a fold at x = 1/3, and a pole at x = 1
PLATES = """param V = 0
coord x
kinetic x'^2/2
potential x^2/2 - V/(1 - x)
force x = -0.1*x'
"""
RING = """param R = 0.02
coord x, y
kinetic (x'^2 + y'^2)/2
potential 3*(x^2 + y^2 - R^2)^2/4
force x = -0.1*x'
force y = -0.1*y'
initial x = R
"""
MORSE = """coord x
kinetic x'^2/2
potential (1 - exp(-x))^2/2
initial x = 0.5
"""
KEPLER = """coord x, y
kinetic (x'^2 + y'^2)/2
potential -1/sqrt(x^2 + y^2)
initial x = 1
initial y' = 1.1
"""
EXCITABLE = """param mu = 0.5
coord x
kinetic x'^2/2
potential x^2/2
force x = mu*(1 - x^2)*x'
initial x = 2
"""
# a force that jumps with the side: half a swing of amplitude A takes sqrt(8 A)
RELAY = """coord x
kinetic x'^2/2
potential abs(x)
initial x = 1
"""
# driven, with dry friction, never at rest: Den Hartog's amplitude, his phase solved with
RUBBED = """param w = 0.7, f = 0.1
coord x
kinetic x'^2/2
potential x^2/2
force x = cos(w*t) - f*sign(x')
initial x = 1.5
"""
BICYCLE = (Path(__file__).resolve().parents[2] / "models" / "whipple_rolling.zw").read_text()
MODES = """coord x1, x2
kinetic (x1'^2 + x2'^2)/2
potential (x1^2 + x2^2 + (x1 - x2)^2)/2 + x1^4/8
initial x1 = 0.6
initial x2 = 0.637
"""
OVER = ["--over", "p=-0.5111..1"]


def known(o, kind, branch=0):
    return len([s for s in o["branches"][branch]["special"] if s["kind"] == kind])


def stable(o, verdict):
    """how many branches but the first are so at all their points"""
    return sum(all(p["stable"] is verdict for p in b["points"]) for b in o["branches"][1:])


def states(o, number, name):
    return [abs(b["points"][-1]["state"][name]) for b in o["branches"][1:]][number]


def unlike(o, verdict):
    return sum(p["stable"] is not verdict for p in o["branches"][0]["points"])


def rubbed(w, f):
    """x'' + x = cos(w t) - f sign(x'): the greatest x"""
    reach, lost = 1 / (1 - w * w), math.sin(math.pi / w) / (w * (1 + math.cos(math.pi / w)))
    return math.sqrt(reach**2 - (f * lost) ** 2)


def last_period(o):
    return o["branches"][0]["points"][-1]["period"]


ENERGY = ["--over", "energy=0.01..0.49", "--orbit"]
TABLE = [
    ("two crossings at once", TWO, "continue", OVER + ["--all"], special("branch"), 0, 1e-12, 0),
    ("two crossings at once, their form", TWO, "continue", OVER + ["--all"], lambda o: special("branch", what="form")(o) == "multiple", 1, 0, 0),
    ("two crossings at once, no Hopf point", TWO, "continue", OVER + ["--all"], lambda o: known(o, "hopf"), 0, 0, 0),
    ("two crossings at once, arms", TWO, "continue", OVER + ["--all"], lambda o: len(o["branches"]) - 1, 8, 0, 0),
    ("two crossings at once, stable arms", TWO, "continue", OVER + ["--all"], lambda o: stable(o, True), 4, 0, 0),
    ("two crossings at once, where stable arms lead", TWO, "continue", OVER + ["--all"], lambda o: min(max(states(o, i, "x"), states(o, i, "y")) for i in range(8)), math.sqrt(2 / 3), 1e-10, 0),
    ("two crossings at once, where the others lead", TWO, "continue", OVER + ["--all"], lambda o: max(states(o, i, "x") for i in range(8)), 1, 1e-10, 0),
    ("three crossings at once, arms", CUBE, "continue", OVER + ["--all"], lambda o: len(o["branches"]) - 1, 26, 0, 0),
    ("three crossings at once, stable arms", CUBE, "continue", OVER + ["--all"], lambda o: stable(o, True), 8, 0, 0),
    ("three crossings at once, where", CUBE, "continue", OVER + ["--all"], special("branch"), 0, 1e-12, 0),
    ("triangle, arms", TRIANGLE, "continue", OVER + ["--all"], lambda o: len(o["branches"]) - 1, 6, 0, 0),
    ("triangle, folds", TRIANGLE, "continue", OVER + ["--all"], lambda o: sum(s["p"] for b in o["branches"] for s in b["special"] if s["kind"] == "fold"), -0.75, 1e-10, 0),
    ("all ways at once, one branch", ROUND, "continue", OVER + ["--all"], lambda o: len(o["branches"]) - 1, 1, 0, 0),
    ("all ways at once, stable", ROUND, "continue", OVER + ["--all"], lambda o: stable(o, True), 1, 0, 0),
    *[(f"two crossings, {d} apart, the second", TWO, "continue", ["--set", f"d={d}"] + OVER, special("branch", 1), d, 1e-12, 0) for d in (0.01, 1e-3, 1e-5, 1e-7)],
    *[(f"two crossings, {d} apart, no Hopf point", TWO, "continue", ["--set", f"d={d}"] + OVER, lambda o: known(o, "hopf"), 0, 0, 0) for d in (0.01, 1e-5)],
    *[(f"two Hopf points, {d} apart, number {k + 1}", EXCITED, "continue", ["--set", f"d={d}", "--points", "30"] + OVER,
       lambda o, k=k: sorted(s["p"] for s in o["branches"][0]["special"] if s["kind"] == "hopf")[k], k * d, 1e-12, 0) for d in (0, 1e-3) for k in (0, 1)],
    ("two Hopf points at once, frequencies", EXCITED, "continue", ["--points", "30"] + OVER, lambda o: sum(s["imaginary"] for s in o["branches"][0]["special"] if s["kind"] == "hopf"), 1 + math.sqrt(2), 1e-9, 0),
    ("plates, fold", PLATES, "continue", ["--over", "V=0..0.3"], special("fold"), 4 / 27, 1e-12, 0),
    ("plates, no motions behind the pole", PLATES, "continue", ["--over", "V=0..0.3"], lambda o: max(p["state"]["x"] for p in o["branches"][0]["points"]) > 1 or known(o, "fold") > 1, 0, 0, 0),
    *[(f"ring of radius {R}, stable", RING, "stability", ["--set", f"R={R}"], lambda o: o["verdict"] == "stable" and o["zeros"] == 1, 1, 0, 0) for R in (1, 0.02, 1e-3)],
    ("Morse, period", MORSE, "continue", ENERGY, last_period, 2 * math.pi / math.sqrt(0.02), 1e-7, 0),
    ("Morse, not decided all along", MORSE, "continue", ENERGY, lambda o: unlike(o, None), 0, 0, 0),
    ("Kepler, not decided all along", KEPLER, "continue", ["--over", "energy=-0.6..-0.2", "--orbit"], lambda o: unlike(o, None), 0, 0, 0),
    ("Kepler, period", KEPLER, "continue", ["--over", "energy=-0.6..-0.2", "--orbit"], last_period, 2 * math.pi * 2.5**1.5, 1e-8, 0),
    ("van der Pol, stable all along", EXCITABLE, "continue", ["--over", "mu=0.1..20", "--orbit"], lambda o: unlike(o, True), 0, 0, 0),
    ("relay, amplitude", RELAY, "stability", ["--period", "5.6"], lambda o: 8 * o["most"]["x"] - (o["period"] / 2) ** 2, 0, 1e-9, 0),
    ("relay, no ignorable coordinate, not decided", RELAY, "stability", ["--period", "5.6"], lambda o: len(o["ignorable"]) + (o["verdict"] != "marginal"), 0, 0, 0),
    ("dry friction, amplitude", RUBBED, "stability", [], lambda o: o["most"]["x"], rubbed(0.7, 0.1), 1e-12, 0),
    ("dry friction, mean", RUBBED, "stability", [], lambda o: o["mean"]["x"], 0, 1e-11, 0),
    *[(f"driven, a period of {digits} digits", RUBBED, "stability", ["--period", f"{2 * math.pi / 0.7:.{digits - 1}f}"], lambda o: o["period"], 2 * math.pi / 0.7, 1e-12, 0) for digits in (5, 8, 12)],
    ("bicycle, one crossing of its circles", BICYCLE, "continue", ["--over", "v=1..10", "--all"], lambda o: known(o, "branch", 1), 1, 0, 0),
    ("normal modes, one crossing of the arms", MODES, "continue", ["--over", "period=4.8..6.2", "--period", "6.09", "--all"], lambda o: known(o, "branch", 1), 1, 0, 0),
]
