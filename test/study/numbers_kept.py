"""Further rows of the table of numbers.py: integrals of bodies that roll, and of the snakeboard; what a run keeps of them."""
from pathlib import Path

MODELS = Path(__file__).resolve().parents[2] / "models"
# axisymmetric, mass centre beside that of the ball: Jellett's and Routh's integrals
ROUTH = """param I1 = 0.4, I3 = 0.5, a = 0.3, g = 2
coord x, y, z
coord ps, th, ph
frame B = world at (x, y, z) rotated z(ps) x(th) z(ph)
body ball mass 1 inertia (I1, I1, I3) at (0, 0, 0) in B
gravity (0, 0, -g)
frame S = B at (0, 0, a)
constraint height: pos(S).z = 1
let slip = vel(S) + cross(omega(B), (0, 0, -1))
constraint gripx: slip.x = 0
constraint gripy: slip.y = 0
let w = omega(B, B)
let v = (sin(th)*sin(ph), sin(th)*cos(ph), cos(th))
let rho = (0, 0, a) - v
let M = (I1*w.x, I1*w.y, I3*w.z) + cross(rho, cross(w, rho))
output jellett = dot(M, rho)
output routh = w.z^2*(I1*I3 + I1*(1 - cos(th)^2) + I3*(a - cos(th))^2)
output energy = kinetic() + potential()
initial th = pi/6
initial ph = atan2(0.3, 0.4)
initial ps = 0
initial x = 0
initial y = 0
initial omega(B, B) = (0.7, -0.4, 2)
run 0 .. 10
"""
BALL = (MODELS / "chaplygin_ball.zw").read_text()
# wheels turned against each other, no torques; J + Jr + 2 Jw = m l^2
SNAKEBOARD = "".join(line + "\n" for line in (MODELS / "snakeboard.zw").read_text().splitlines() if not line.startswith(("constraint twist", "constraint steer", "initial", "run", "plot")))
SNAKEBOARD = SNAKEBOARD.replace("J = 0.4", "J = 0").replace("Jr = 0.3", "Jr = 0.26") + "initial theta = 0.2\ninitial phi = 0.4\ninitial psi = 0.1\n"


def count(kind, what="dimension"):
    return lambda o: o[kind][what]


def measure(o):
    return o["measure"]["exists"] == "yes"


def kept(name, when):
    return lambda o: o["columns"][name][when]


def is_basis(*formulas):
    """are these among the formulas of linear integrals?"""
    return lambda o: all(any(f in str(x).replace(" ", "") for x in o["linear_integrals"]["basis"]) for f in formulas)


TABLE = [
    ("Routh's sphere, linear integrals", ROUTH, "structure", [], count("linear_integrals"), 2, 0, 0),
    ("Routh's sphere, the energy", ROUTH, "structure", [], count("quadratic_integrals", "beyond_products"), 1, 0, 0),
    ("Routh's sphere, measure", ROUTH, "structure", [], measure, True, 0, 0),
    *[(f"Routh's sphere, {name}, at {t}", ROUTH, "run", ["--at", "0,10"], kept(name, k), want, 1e-10, 0) for k, t in ((0, 0), (1, 10))
      for name, want in (("jellett", -0.5860254038), ("routh", 1.8407695155), ("energy", 3.2379072636))],
    ("Chaplygin's ball, linear integrals", BALL, "structure", [], count("linear_integrals"), 3, 0, 0),
    ("Chaplygin's ball, measure", BALL, "structure", [], measure, True, 0, 0),
    ("snakeboard, rotor and wheels", SNAKEBOARD, "structure", [], is_basis("theta'+psi'", "phi'"), True, 0, 0),
    ("snakeboard, measure", SNAKEBOARD, "structure", [], measure, True, 0, 0),
]
