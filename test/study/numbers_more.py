"""Further rows of the table of numbers.py: forks and double zeros, discs and tops in steady motion, single orbits, returns."""
import math

from numbers_models import TONGUES, TORQUE

HOOP = """param W = 0.8, eps = 0
coord th
kinetic th'^2/2
force th = W*(eps + sin(th))*cos(th) - sin(th) - 0.1*th'
"""
KOITER = """param P = 0.3
coord th
kinetic th'^2/2
force th = P*sin(th) - (1 - sqrt(2)/sqrt(2 + 2*sin(th)))*cos(th) - 0.1*th'
"""
LATERAL = """param P = 0.5
coord th
kinetic th'^2/2
force th = P*sin(th) - sin(th)*cos(th) - 0.1*th'
"""
FOLLOWER = """param P = 1.45, al = 0.6
coord a, b
kinetic (3*a'^2 + 2*cos(a-b)*a'*b' + b'^2)/2
potential (a^2 + (b-a)^2)/2
force a = -0.2*a' + 0.1*b' + P*sin(a - al*b)
force b = -0.1*(b' - a') + P*sin((1 - al)*b)
"""
# sharp disc, m = r = g = 1, moments 1/4 and 1/2; th: axis against the vertical, n: rate about the axis
DISC = """param P = 1, n = 1, th0 = 60
coord x, y, z [m]
coord psi, th, phi [rad]
frame D = world at (x, y, z) rotated z(psi) x(th)
frame W = D rotated z(phi)
body B mass 1 inertia (1/4, 1/4, 1/2) at (0, 0, 0) in W
gravity (0, 0, -1)
roll W as circle(1) on world as plane at c
initial th = th0*pi/180
initial th' = 0
initial psi' ~ P
initial phi' + psi'*cos(th) = n
"""
TOP = """param n = 10, P = 0.7
coord psi, th, phi [rad]
kinetic (th'^2 + sin(th)^2*psi'^2)/4 + 0.15*(phi' + cos(th)*psi')^2
potential 2*cos(th)
initial th = pi/3
initial psi' ~ P
initial phi' + psi'*cos(th) = n
"""
# a disc that is told to turn at P; rolling straight; spinning about its vertical diameter
TURNING = DISC.replace("psi' ~ P", "psi' = P").replace("th = th0", "th ~ th0")
STRAIGHT = DISC.replace("psi' ~ P", "psi' = 0")
SPINNING = DISC.replace("psi' ~ P", "psi' = P").replace("phi' + psi'*cos(th) = n", "phi' = 0")
CLUTCH = """param M = 5.2
coord th
kinetic th'^2/2
force th = -0.5*th' + if(cos(2*pi*(t - 1.5)/5) > cos(0.6*pi), M*sign(10 - th'), 0)
initial th' = 4
run 0 .. 40
"""
DUFFING = """param w = 1.5
coord x
kinetic x'^2/2
potential x^2/2 + x^4/4
force x = -0.1*x' + 0.3*cos(w*t)
"""
NORMAL = """coord x1, x2
kinetic (x1'^2 + x2'^2)/2
potential (x1^2 + x2^2 + (x1 - x2)^2)/2 + x1^4/8
"""
HILL = """coord x, y, z
kinetic (x'^2 + y'^2 + z'^2)/2
force x = 2*y' + 3*x - x/hypot(x, y, z)^3
force y = -2*x' - y/hypot(x, y, z)^3
force z = -z - z/hypot(x, y, z)^3
initial x = 0.6
initial y' = 0.5658123974020882394
"""
GALLOP = """param mu = -0.05
coord x
kinetic x'^2/2
potential x^2/2
force x = (mu + x^2 - x^4)*x'
"""


def special(kind, number=0, branch=0, what="p"):
    def take(o):
        x = [s for s in o["branches"][branch]["special"] if s["kind"] == kind][number]
        return x[what] if isinstance(what, str) else what(x)
    return take


def curve_point(kind, what):
    def take(o):
        return [s for c in o["curves"] for s in c["special"] if s["kind"] == kind][0][what]
    return take


def speed(name):
    return lambda o: o["steady"][name + "'"]


def square(o):
    """of the frequency of the only pair"""
    return max(e[1] for e in o["eigenvalues"]) ** 2


def multiplier(re, im=0.0):
    return lambda o: min(math.hypot(m[0] - re, m[1] - im) for m in o["multipliers"])


def trace_of_others(o):
    """of the multipliers without the two that are one"""
    return sum(m[0] for m in sorted(o["multipliers"], key=lambda m: math.hypot(m[0] - 1, m[1]))[2:])


def critical(number):
    return lambda o: o["over"]["critical"][number]["value"]


def disc(th, n, P, frequency):
    options = ["--set", f"th0={th}", "--set", f"n={n}", "--set", f"P={P:.4f}"]
    return [(f"disc, {th} deg, n = {n}, turning at {P:.3f}, rate", DISC, "stability", options, speed("psi"), P, 1e-9, 0),
            (f"disc, {th} deg, n = {n}, turning at {P:.3f}, frequency", DISC, "stability", options, square, frequency, 1e-8 * frequency, 0)]


TABLE = [
    ("hoop, fork", HOOP, "continue", ["--over", "W=0.5..1.5"], special("branch"), 1, 1e-12, 0),
    ("hoop, fork, which", HOOP, "continue", ["--over", "W=0.5..1.5"], special("branch", what=lambda x: x["form"] == "pitchfork" and x["criticality"] == "super"), True, 0, 0),
    ("hoop, cusp", HOOP, "continue", ["--set", "eps=0.01", "--state", "th=-0.7", "--set", "W=1.3", "--over", "W=0.9..1.4", "--and", "eps=-0.02..0.02"], curve_point("cusp", "p"), 1, 1e-9, 0),
    ("lateral spring, fork", LATERAL, "continue", ["--over", "P=0.5..1.5"], special("branch"), 1, 1e-12, 0),
    ("lateral spring, fork, which", LATERAL, "continue", ["--over", "P=0.5..1.5"], special("branch", what=lambda x: x["form"] == "pitchfork" and x["criticality"] == "sub"), True, 0, 0),
    ("Koiter's column, perfect", KOITER, "continue", ["--over", "P=0.3..0.7"], special("branch"), 0.5, 1e-12, 0),
    ("Koiter's column, perfect, which", KOITER, "continue", ["--over", "P=0.3..0.7"], special("branch", what=lambda x: x["form"] == "transcritical"), True, 0, 0),
    ("pendulum with torque, the other sign, l1", TORQUE, "continue", ["--set", "c0=0.3", "--set", "c1=-1", "--over", "tau=0.9..0.98"], special("hopf", what="l1"), -1.170347345096508789, 1e-8, 0),
    ("pendulum with torque, double zero", TORQUE, "continue", ["--over", "tau=0.5..1.2", "--and", "c0=-0.6..0.1"], curve_point("bogdanov-takens", "p"), 1, 1e-9, 0),
    ("partial follower, double zero, load", FOLLOWER, "continue", ["--over", "P=1.2..1.6", "--and", "al=0.5..0.7"], curve_point("bogdanov-takens", "p"), 1.5, 1e-9, 0),
    ("partial follower, double zero, share", FOLLOWER, "continue", ["--over", "P=1.2..1.6", "--and", "al=0.5..0.7"], curve_point("bogdanov-takens", "and"), 5 / 9, 1e-9, 0),
    *disc(60, 1, 12.373288174366274968, 127.12232572392724927), *disc(60, 1, -0.37328817436627496768, 2.2058775063482599038),
    *disc(60, -0.5, 0.69036612729916082998, 0.68130759137186652014), *disc(60, -0.5, -6.69036612729916083, 36.846895638903642654),
    *disc(30, 0.3, 4.0525343192051990992, 9.2063654837511759451), *disc(30, 0.3, -1.974073350122546347, 3.5696345162488240549),
    ("disc, fold of its turns at rate 3", TURNING, "continue", ["--set", "P=3", "--set", "n=0.1", "--set", "th0=55", "--over", "n=-0.5..0.3"], special("fold", 1), 0.13493700149364944809, 1e-11, 0),
    ("disc, fold of its turns at rate 3, lean", TURNING, "continue", ["--set", "P=3", "--set", "n=0.1", "--set", "th0=55", "--over", "n=-0.5..0.3"],
     special("fold", 1, what=lambda x: x["state"]["th"]), 0.86816257706128783319, 1e-7, 0),
    ("disc, rolling straight", STRAIGHT, "stability", ["--set", "th0=90", "--over", "n=0.3..1"], critical(0), 1 / math.sqrt(3), 1e-9, 0),
    ("disc, spinning", SPINNING, "stability", ["--set", "th0=90", "--over", "P=0.5..2"], critical(0), math.sqrt(0.8), 1e-9, 0),
    ("disc, 80 deg, becomes unstable", DISC, "stability", ["--set", "th0=80", "--set", "P=0.5", "--set", "n=-0.3", "--over", "n=-0.8..-0.05"], critical(0), -0.54077842924458485756, 1e-9, 0),
    ("disc, 80 deg, is stable again", DISC, "stability", ["--set", "th0=80", "--set", "P=0.5", "--set", "n=-0.3", "--over", "n=-0.8..-0.05"], critical(1), -0.11254232598502771949, 1e-9, 0),
    ("clutch that slips, speed", CLUTCH, "stability", ["--period", "5"], speed("th"), 3.2380582058671629, 1e-10, 0),
    ("clutch that slips, multiplier", CLUTCH, "stability", ["--period", "5"], multiplier(math.exp(-2.5)), 0, 1e-9, 0),
    ("clutch that sticks, speed", CLUTCH, "stability", ["--set", "M=8", "--period", "5"], speed("th"), 10 / math.e, 1e-9, 0),
    ("clutch that sticks, multiplier", CLUTCH, "stability", ["--set", "M=8", "--period", "5"], multiplier(0), 0, 1e-9, 0),
    ("top, slow precession", TOP, "stability", [], speed("psi"), 0.708497377870818819, 1e-11, 0),
    ("top, slow precession, nutation", TOP, "stability", [], square, 28.376476400837369371, 1e-10, 0),
    ("top, fast precession", TOP, "stability", ["--set", "P=11"], speed("psi"), 11.291502622129181181, 1e-10, 0),
    ("top, fast precession, nutation", TOP, "stability", ["--set", "P=11"], square, 123.62352359916263063, 1e-9, 0),
    ("top, precessions meet", TOP, "continue", ["--over", "n=4.5..12"], special("fold"), 4.7140452079103168293, 1e-10, 0),
    ("Duffing, w = 1.5, large", DUFFING, "stability", ["--state", "x=0.967, x'=1.512"], multiplier(0.546876958391, 0.598923501961), 0, 1e-11, 0),
    ("Duffing, w = 1.5, middle", DUFFING, "stability", ["--state", "x=-0.938, x'=1.122"], multiplier(1.817000105827), 0, 1e-11, 0),
    ("Duffing, w = 1.5, small", DUFFING, "stability", ["--state", "x=-0.2455, x'=0.046"], multiplier(-0.269684996663, 0.764888077692), 0, 1e-11, 0),
    ("Duffing, upper fold, speed", DUFFING, "continue", ["--set", "w=1.2", "--state", "x=0.1", "--over", "w=0.8..2.5"], special("fold", what=lambda x: x["state"]["x'"]), 2.716817465384177654, 1e-10, 0),
    ("galloping, fold of cycles, period", GALLOP, "continue", ["--over", "mu=-0.3..0.1", "--all", "--points", "40"], special("fold", branch=1, what="period"), 6.285231102807082074, 1e-11, 0),
    *[(f"normal modes, {x1}", NORMAL, "stability", ["--state", f"x1={x1}, x2={x2}", "--period", str(2 * math.pi / w)], trace_of_others, want, 1e-8, 0)
      for x1, x2, w, want in ((1, 1.180692918523180977, 1.080600902502024276, -0.5704376339098858821), (1.5, 2.158177098912652687, 1.152625359392756390, -0.3992685547185758752),
                              (1.5, -0.9896135608105190641, 1.871223841989581698, -0.9289604316116460917), (3, -0.8201937285532691359, 2.360234372172625006, -1.713580062513738991))],
    *[(f"Mathieu, border {k} of those with multiplier 1", TONGUES, "continue", ["--over", "a=-1..27"], special("branch", k), want, 1e-10, 0)
      for k, want in enumerate((-0.4551386041074135, 3.917024772998471, 4.371300982735086))],
    ("Hill, x = 0.6, larger multiplier", HILL, "stability", ["--period", "3.067529723826584684"], lambda o: max(m[0] for m in o["multipliers"]), 1803.84393412216306, 1e-6, 0),
    ("Hill, x = 0.55, larger multiplier", HILL, "stability", ["--state", "x=0.55, y'=0.8401439724651610937", "--period", "3.109478517909623946"], lambda o: max(m[0] for m in o["multipliers"]), 1593.10306096017969, 1e-6, 0),
]
