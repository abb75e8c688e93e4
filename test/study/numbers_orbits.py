"""Further rows of the table of numbers.py: how far periodic motions swing, families over their energy, what steady ones have beside."""
import math

from numbers_lines import CHART, SLEEPING, between, exponent, impact, phase, state
from numbers_models import (APEX, BALL, BELT, COLUMN, DUFFING, HOOP, IMPACT, LIBRATION, NORMAL, PENDULUM, POL, ROTOR, SERIES, SWING, WALKER, WHEEL, ZIEGLER, happening,
                            multiplier, special)
from numbers_more import DISC, DUFFING as DUFFING_AT, KOITER, critical, curve_point, trace_of_others


def figure(name, of="x"):
    """of a motion: least, most, mean, amplitude, lag"""
    return lambda x: x[name][of]


def last(read, branch=0):
    return lambda o: read(o["branches"][branch]["points"][-1])


def duffing(name, number, **want):
    return [(f"Duffing, {name} fold, {what}", DUFFING, "continue", ["--over", "w=0.8..2.5"], special("fold", number, what=figure(what)), value, 2e-12, 0) for what, value in want.items()]


def duffing_at(x, v, **want):
    return [(f"Duffing, w = 1.5, x = {x}, {what}", DUFFING_AT, "stability", ["--state", f"x={x}, x'={v}"], figure(what), value, 2e-12, 0) for what, value in want.items()]


def normal(name, start, period, x1, x2, frequency, energy, trace):
    """the mode of an energy: at rest both coordinates are farthest out"""
    options = ["--state", start, "--over", f"energy=0.1..{energy}", "--period", period]
    far = "most" if x2 > 0 else "least"
    return [(f"normal modes, {name}, {x1}, {what}", NORMAL, "continue", options, last(read), want, off, 0) for what, read, want, off in (
        ("x1", figure("most", "x1"), x1, 1e-11), ("x2", figure(far, "x2"), x2, 1e-11), ("frequency", lambda p: 2 * math.pi / p["period"], frequency, 1e-11),
        ("others", trace_of_others, trace, 1e-9))]


def hill(x, rate, period, C, larger):
    """along these orbits the coordinate x is least where they cross the axis, and the speed there is y'"""
    options = ["--state", "x=0.65, y'=0.2745625892735509183" if x < 0.63 else "x=0.66, y'=0.2137", "--over", f"energy=-2.15..{-C / 2!r}", "--period", "3.0412", "--points", "20"]
    return [(f"Hill, C = {C:.6f}, {what}", LIBRATION, "continue", options, last(read), want, off, 0) for what, read, want, off in (
        ("x", figure("least"), x, 1e-11), ("period", lambda p: p["period"], period, 1e-11), ("larger multiplier", lambda p: max(m[0] for m in p["multipliers"]), larger, 1e-6))]


def doubled(number, A, x, v, rounds):
    options = ["--set", f"A={A!r}", "--state", f"x={x:.6f}, x'={v:.6f}", "--period", repr(3 * math.pi * rounds)]
    return [(f"pendulum, doubling {number}, {what}", PENDULUM, "stability", options, read, want, off, 0) for what, read, want, off in (
        ("place", lambda o: o["steady"]["x"], x, 1e-10), ("speed", lambda o: o["steady"]["x'"], v, 1e-10), ("multiplier", multiplier(-1), 0, 1e-7))]


def crossings(value):
    """how often the first branch comes to this value of the param"""
    return lambda o: sum((a["p"] - value) * (b["p"] - value) < 0 for p in [o["branches"][0]["points"]] for a, b in zip(p, p[1:]))


def bend(o):
    """slope of the param over the coordinate on the second branch where it leaves the first, by the line through its points nearest on both sides, three each"""
    points = sorted(o["branches"][1]["points"], key=lambda x: abs(x["state"]["th"]))[:6]
    total = 0
    for i, x in enumerate(points):
        at = [p["state"]["th"] for p in points]
        share = sum(math.prod(-at[k] for k in range(6) if k not in (i, j)) / math.prod(at[i] - at[k] for k in range(6) if k not in (i, j)) / (at[i] - at[j]) for j in range(6) if j != i)
        total += share * x["p"]
    return total


def trace(o):
    return sum(m[0] for m in o["multipliers"])


# a bounce in each period of the table, in the mean: exponents are those of a bounce over 2 pi
BOUNCING = BALL.replace("Gam = 1.2", "Gam = 1.75").replace("y = 2", "y = Gam*sin(0.8)").replace("y' = 3", "y' = 3.1").replace("run 0 ..", "run 0.8 ..")
# the motor turns at 10; closed for 3, open for 2
TIMETABLE = """param M = 8, on = 1
coord th
kinetic th'^2/2
force th = -0.5*th' + on*M
constraint lock: th' = 10
stage slip { release lock }
event catch: th' - 10 = 0 rising { impose lock }
event open: cos(2*pi*(t - 1.5)/5) - cos(0.6*pi) = 0 falling { release lock; set on = 0 }
event close: cos(2*pi*(t - 1.5)/5) - cos(0.6*pi) = 0 rising { set on = 1 }
initial th' = 4
run 0 .. 40
"""
ENGAGEMENT = """param free = 1
coord a, b
state heat
rate heat = 5*free*(a' - b')
kinetic a'^2/2 + b'^2
force a = 1 - 5*free
force b = -0.3 + 5*free
constraint lock: a' - b' = 0
stage slip { release lock }
event catch: a' - b' = 0 falling { impose lock; set free = 0 }
initial a' = 10
initial b' = 0
run 0 .. 4
"""


def at(name, side, of):
    """of the happening of this name"""
    return lambda o: [h for h in o["happenings"] if h["name"] == name][0][side][of]


def endless(o):
    """the param where the period becomes infinite as a motion passes a saddle with the rate 1: p is smooth in exp(-T) there"""
    points = sorted((math.exp(-p["period"]), p["p"]) for p in o["branches"][0]["points"])
    nodes = points[:1]
    for p in points:
        if p[0] >= 2 * nodes[-1][0] and len(nodes) < 4:
            nodes.append(p)
    return sum(p * math.prod(y / (y - x) for y, _ in nodes if y != x) for x, p in nodes)


LEAVING = ["--over", "w=2.45..2.7", "--points", "15"]
TABLE = [
    *duffing("upper", 0, most=1.722252019352, amplitude=1.670640253413, lag=1.612354107263),
    *duffing("lower", 1, most=0.592832191095, amplitude=0.589226125008, lag=2.878385912266),
    *duffing_at(0.967, 1.512, most=1.391188143800, amplitude=1.352603886353, lag=0.749133512187),
    *duffing_at(-0.938, 1.122, most=1.189987934827, amplitude=1.166457686752, lag=2.516360565797),
    *duffing_at(-0.2455, 0.046, most=0.247430895995, amplitude=0.247233640633, lag=3.017658101652),
    ("Duffing, w = 1.5, middle, other multiplier", DUFFING_AT, "stability", ["--state", "x=-0.938, x'=1.122"], multiplier(0.362016362415), 0, 1e-11, 0),
    *[(f"van der Pol, mu = {mu}, greatest", POL, "stability", ["--set", f"mu={mu}", "--orbit"], figure("most"), want, 1e-13, 0)
      for mu, want in ((0.1, 2.000103979872795923818), (1, 2.008619860874843136510), (5, 2.021508061562321323839))],
    ("pendulum, symmetry breaks, speed", SWING, "continue", ["--over", "A=0.95..1.05"], special("branch", what=state("x'")), 1.897231733280578216, 1e-8, 0),
    *doubled(2, 1.079313905903715506, -0.09881002998565798033, 1.892099356873974747, 2), *doubled(3, 1.082084384294223475, -0.08173152521986286740, 1.874759548196575956, 4),
    *normal("in phase", "x1=0.6, x2=0.637", "6.09", 0.6, 0.6371460710485872381, 1.031909794900242806, 0.3998674732234990339, -0.4198061572637647712),
    *normal("in phase", "x1=0.6, x2=0.637", "6.09", 1, 1.180692918523180977, 1.080600902502024276, 1.338342849327605896, -0.5704376339098858821),
    *normal("in phase", "x1=0.6, x2=0.637", "6.09", 1.5, 2.158177098912652687, 1.152625359392756390, 4.303275241902054829, -0.3992685547185758752),
    *normal("in phase", "x1=0.6, x2=0.637", "6.09", 2.5, 5.893097910631270817, 1.268937080600052410, 31.12867070770847253, 1.625988491158224803),
    *normal("out of phase", "x1=0.6, x2=-0.56", "3.6", 0.7, -0.6373103717768932033, 1.759501945741754225, 1.372294270218227075, -1.499660856384217761),
    *normal("out of phase", "x1=0.7, x2=-0.637", "3.57", 1.5, -0.9896135608105190641, 1.871223841989581698, 5.346567840955853510, -0.9289604316116460917),
    *normal("out of phase", "x1=0.7, x2=-0.637", "3.57", 3, -0.8201937285532691359, 2.360234372172625006, 22.25829893801792114, -1.713580062513738991),
    *hill(0.65, 0.2745625892735509183, 3.041230464527963755, 4.269038461494480305, 1960.23628475510603),
    *hill(0.6, 0.5658123974020882394, 3.067529723826584684, 4.093189664279434703, 1803.84393412216306),
    *hill(0.55, 0.8401439724651610937, 3.109478517909623946, 3.838021741894095002, 1593.10306096017969),
    *[(f"Hill, halo orbits branch off, {points} points", LIBRATION, "continue", ["--over", "energy=-2.15..-1.7", "--period", "3.0412", "--points", points], special("branch"), -4.005312653139099013 / 2, 1e-10, 0)
      for points in ("10", "20", "40", "80")],
    *[(f"Hill, over the period, {points} points", LIBRATION, "continue", ["--over", "period=3.035..3.2", "--period", "3.0412", "--points", points], read, want, 1e-10, 0) for points in ("10", "40")
      for read, want in ((special("branch"), 3.081442502480419090), (lambda o: o["branches"][0]["points"][0]["p"], 3.035))],
    # a4, b4 = 16 + q^2/30 + 433 q^4/864000 - 5701 q^6/2721600000 ..., -317, +10049 (McLachlan 1947)
    *[(f"Mathieu, fourth tongue at q = {q}, {what}", CHART, command, ["--set", f"q={q}", "--over", "a=10..22"], read, 16 + q ** 2 / 30 + c4 * q ** 4 / 864000 + c6 * q ** 6 / 2721600000, off, 0)
      for q, off in ((0.4, 1e-9), (0.1, 1e-10)) for k, what, c4, c6 in ((0, "begins", -317, 10049), (1, "ends", 433, -5701)) for command, read in (("continue", special("branch", k)), ("stability", critical(k)))],
    ("Hill, halo orbits branch off, x", LIBRATION, "continue", ["--over", "energy=-2.2..-1.9", "--period", "3.0412", "--points", "20"], special("branch", what=figure("least")), 0.5812646711618153349, 1e-9, 0),
    ("stick-slip, greatest", BELT, "stability", ["--period", "8.5"], figure("most"), 1 + math.hypot(0.5, 0.2), 1e-13, 0),
    ("rimless wheel, least slope", WHEEL, "continue", ["--over", "ga=0.06..0.09", "--period", "3", "--points", "30"], endless, 0.068229452452287159228, 1e-11, 0),
    *[(f"clutch that sticks, {what}", TIMETABLE, "stability", ["--period", "5"], read, want, 1e-11, 0) for what, read, want in (
        ("speed at closing", at("close", "before", "th'"), 10 / math.e), ("time until it sticks", between("close", "catch"), 2 * math.log((16 - 10 / math.e) / 6)), ("multiplier", multiplier(0), 0))],
    *[(f"clutch that slips, {what}", TIMETABLE, "stability", ["--set", "M=5.2", "--period", "5"], read, want, 1e-11, 0) for what, read, want in (
        ("speed at closing", at("close", "before", "th'"), 3.2380582058671629), ("speed at opening", at("open", "before", "th'"), 8.8019547805014072), ("multiplier, by events", multiplier(math.exp(-2.5)), 0))],
    *[(f"one engagement, {what}", ENGAGEMENT, "run", [], read, want, 1e-12, 0) for what, read, want in (
        ("instant", lambda o: o["events"][0]["t"], 10 / 6.35), ("speed", lambda o: o["events"][0]["values"]["a'"], 3.7007874015748031), ("heat", lambda o: o["events"][0]["values"]["heat"], 39.370078740157480),
        ("acceleration behind", lambda o: (o["columns"]["a'"][-1] - o["events"][0]["values"]["a'"]) / (4 - o["events"][0]["t"]), 0.7 / 3))],
    *[(f"impact oscillator, grazing where it impacts, {points} points", IMPACT, "continue", ["--over", "w=1.4..3", "--points", points], special("grazing"), math.sqrt((1.99 + math.sqrt(1.99 ** 2 + 12)) / 2), 2e-9, 0) for points in ("20", "40")],
    *[(f"ball, exponents, {what}", BOUNCING, "chaos", [], read, want, off, 0) for what, read, want, off in (
        ("largest, over its error", exponent(0.36870 / (2 * math.pi), 0.00010 / (2 * math.pi), 0.001), 0, 4), ("sum", lambda o: o["sum"], math.log(0.25) / (2 * math.pi), 2e-4), ("dimension", lambda o: o["dimension"], 1.210, 0.01))],
    ("free apex, limit load, height", APEX, "continue", ["--over", "P=0..3"], special("fold", what=state("y")), 1.074446224820899876, 1e-7, 0),
    *[(f"free apex, hill-top, {what}", APEX, "continue", ["--over", "P=0..3", "--and", "h=2.4..3.2"], curve_point("hill-top", what), want, 1e-8, 0) for what, want in (("p", 2), ("and", math.sqrt(7)))],
    ("free apex, one point on its folds", APEX, "continue", ["--over", "P=0..3", "--and", "h=2.4..3.2"], lambda o: len(o["curves"][0]["special"]), 1, 0, 0),
    ("two trusses, states at a load between", SERIES, "continue", ["--over", "P=-0.4..0.4"], crossings(0.15), 3, 0, 0),
    ("two trusses, states at a larger load", SERIES, "continue", ["--over", "P=-0.4..0.4"], crossings(0.3), 1, 0, 0),
    ("hoop, cusp, offset", HOOP, "continue", ["--over", "W=0.9..1.4", "--and", "eps=-0.02..0.02"], curve_point("cusp", "and"), 0, 1e-9, 0),
    ("imperfect column, cusp, angle", COLUMN, "continue", ["--over", "P=0.9..1.4", "--and", "th0=-0.02..0.02"], curve_point("cusp", "and"), 0, 1e-9, 0),
    ("Koiter's column, slope of the bent branch", KOITER, "continue", ["--over", "P=0.3..0.7", "--all", "--points", "100"], bend, -3 / 8, 1e-7, 0),
    ("Ziegler, c = 0.5, frequency", ZIEGLER, "continue", ["--set", "c=0.5", "--over", "P=1..2"], special("hopf", what="imaginary"), math.sqrt(2 / 7), 1e-11, 0),
    ("Ziegler, hardly damped", ZIEGLER, "continue", ["--set", "c=1e-4", "--over", "P=1..2"], special("hopf"), 41 / 28 + 5e-9, 1e-10, 0),
    ("rotor, radius of its whirl at twice the speed", ROTOR, "continue", ["--over", "Om=2..4", "--all"], last(figure("most"), 1), math.sqrt(7) / 3, 1e-10, 0),
    *[(f"disc, 80 deg, {what}, turning", DISC, "continue", ["--set", "th0=80", "--set", "P=0.5", "--set", "n=-0.3", "--over", "n=-0.8..-0.05"], special("branch", k, what=state("psi'")), want, 1e-8, 0)
      for k, what, want in ((0, "becomes unstable", 0.21490264943665530759), (1, "is stable again", 0.85605374070151593493))],
    ("sleeping top, frequency", SLEEPING, "stability", ["--over", "n=4..10"], lambda o: o["over"]["critical"][0]["imaginary"], 2, 1e-5, 0),
    *[(f"impact oscillator, w = {w}, trace", IMPACT, "stability", options, trace, want, 1e-9, 0) for w, options, want in (
        (1.5, [], 0.3843314546932704874), (2, impact(2, 0.2, 0.8), 1.365900757067313915), (2.5, impact(2.5, 0, 0.8, ("--state", "x=-0.3")), -0.2908692996552637009))],
    ("impact oscillator, doubling, speed", IMPACT, "continue", impact(2.5, 0, 0.8, ("--state", "x=-0.3", *LEAVING)), special("doubling", what=lambda x: x["happenings"][0]["before"]["x'"]), 0.4405739544173387368, 1e-9, 0),
    ("walker, 0.010, speed", WALKER, "stability", ["--period", "3.88"], happening(0, "after", "th'"), -0.2061308452387521481, 1e-11, 0),
    *[(f"walker, first doubling, {what}", WALKER, "continue", ["--over", "ga=0.01..0.016", "--period", "3.88", "--points", "20"], special("doubling", what=read), want, off, 0) for what, read, want, off in (
        ("angle", lambda x: x["happenings"][0]["after"]["th"], 0.2371658635915790961, 1e-10), ("speed", lambda x: x["happenings"][0]["after"]["th'"], -0.2319270764240143086, 1e-10),
        ("other multiplier", lambda x: min(abs(m[0] + 0.2976213616849635) for m in x["multipliers"]), 0, 1e-9))],
    ("ball, e = 0.5, phase", BALL, "stability", [], phase(1), math.acos(math.pi / 3 / 1.2), 1e-10, 0),
    ("ball, e = 0.5, trace", BALL, "stability", [], trace, 1.25 - 2.25 * math.sqrt(1.44 - math.pi ** 2 / 9), 1e-9, 0),
    ("ball, e = 0.5, determinant", BALL, "stability", [], lambda o: math.prod(math.hypot(*m) for m in o["multipliers"]), 0.25, 1e-9, 0),
]
