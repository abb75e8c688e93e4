#!/usr/bin/env python3
"""Drawings of mechanisms: what is drawn follows from what is said, and touches where it should. Prints TAP.
usage: run.py ZWANG ROOT"""
import math, os, re, subprocess, sys, tempfile
import xml.etree.ElementTree as tree

SVG = "{http://www.w3.org/2000/svg}"
zwang, root = sys.argv[1:3]
folder = tempfile.TemporaryDirectory()


def draw(text, t):
    """the drawing of a model, its text or its name in the gallery, at a time: groups of each class"""
    path = os.path.join(root, "models", text + ".zw")
    if "\n" in text:
        path = os.path.join(folder.name, "model.zw")
        open(path, "w", encoding="utf8").write(text)
    out = os.path.join(folder.name, "out.svg")
    subprocess.run([zwang, "view", path, "--film", out, "--frame", repr(t), "--size", "640x480", "--every", "0.002", "--quiet"], check=True)
    groups = {}
    for g in tree.parse(out).getroot().findall(SVG + "g"):
        groups.setdefault(g.get("class").split()[0], []).append(g)
    return groups


def lines(g):
    return [tuple(float(e.get(k)) for k in ("x1", "y1", "x2", "y2", "stroke-width")) for e in g.iter(SVG + "line")]


def circles(g):
    return [tuple(float(e.get(k)) for k in ("cx", "cy", "r")) for e in g.iter(SVG + "circle")]


def distance(p, s):
    """of a point from a segment"""
    (x, y), (a, b, c, d) = p[:2], s[:4]
    long = math.hypot(c - a, d - b) ** 2
    k = max(0, min(1, ((x - a) * (c - a) + (y - b) * (d - b)) / long)) if long else 0
    return math.hypot(x - a - k * (c - a), y - b - k * (d - b))


def bodies(groups):
    """places of bodies and how far they reach: circles, ends of rods, feet of spokes"""
    for kind in ("particle", "ball", "disc"):
        for g in groups.get(kind, []):
            yield from circles(g)
    for g in groups.get("particle", []):
        for block in g.iter(SVG + "polygon"):
            at = [tuple(map(float, p.split(","))) for p in block.get("points").split()]
            yield (sum(x for x, _ in at) / 4, sum(y for _, y in at) / 4, min(math.dist(a, b) for a, b in zip(at, at[1:])) / 2)
    for kind in ("rod", "spokes"):
        for g in groups.get(kind, []):
            for x1, y1, x2, y2, width in lines(g):
                reach = width / 2 if kind == "rod" else 0
                yield from ((x1, y1, reach), (x2, y2, reach))


def ground(groups):
    """lines of the ground, without the strokes behind it"""
    for g in groups.get("ground", []):
        yield lines(g)[0:1]
    for g in groups.get("curve", []):
        yield [s for s in lines(g) if s[4] > 1]


def all_touch(text, end):
    """each ground is touched by a body to a pixel, and none is under it, at ten instants"""
    for i in range(1, 11):
        groups = draw(text, end * i / 10)
        all_bodies, grounds = list(bodies(groups)), list(ground(groups))
        if not grounds:
            return "there is no ground"
        for g in grounds:
            off = min((min(distance(b, s) for s in g) - b[2] for b in all_bodies), key=abs)
            if not abs(off) < 1:
                return f"at t = {end * i / 10:g} the nearest body is {off:.2f} pixels off the ground"
    return ""


INCLINE = """model "A block on an incline"
coord x, y
particle block mass 2 = (x, y, 0) in world
gravity (-3, -9, 0)
constraint plane: 3*y - x = 0.5
initial x = 0.2
initial y ~ 0.2
initial x' = 2
run 0 .. 1
"""
DISC = """model "A disc on a floor"
param r = 0.3
coord x, y, a
frame F = world at (x, y, 0) rotated z(-a)
disc D mass 1 radius r normal (0, 0, 1) at (0, 0, 0) in F
gravity (0, -9.81, 0)
constraint floor: pos(D).y >= r
constraint roll: x' = r*a'
initial y = r
initial x' = 1
run 0 .. 2
"""
HILLS = """model "A ball slides in a valley"
coord x, y
particle ball mass 1 = (x, y, 0) in world
gravity (0, -9.81, 0)
constraint hill: y >= x^2/2
initial x = 0.5
initial y = 0.125
run 0 .. 2
"""
SHELF = """model "A ball as large as it is shown"
coord x, y
particle ball mass 1 = (x, y, 0) in world
gravity (0, -9.81, 0)
constraint shelf: 0.5 - y <= 0
show ball radius 0.2 at ball
initial y = 0.5
initial x' = 1
run 0 .. 1
"""


def pendulum(constraint):
    return f"""model "A pendulum"
param L = 1.5, c = 0.25
coord x, y
particle P mass 1 = (x, y, 0) in world
gravity (0, -9.81, 0)
constraint held: {constraint}
initial x = 1.45
initial y ~ -0.9
run 0 .. 1
"""


def is_rod(constraint):
    """one rod from a support to the bob, of its length"""
    spans = []
    for t in (0.1, 0.4, 0.9):
        groups = draw(pendulum(constraint), t)
        if len(groups.get("link", [])) != 1 or len(groups.get("hinge", [])) != 1:
            return f"{len(groups.get('link', []))} rods and {len(groups.get('hinge', []))} hinges"
        x1, y1, x2, y2, _ = lines(groups["link"][0])[0]
        ends = [circles(groups["hinge"][0])[-1], circles(groups["particle"][0])[0]]
        if groups["hinge"][0].get("class") != "hinge fixed":
            return "the hinge is not on the world"
        if max(math.hypot(x1 - ends[0][0], y1 - ends[0][1]), math.hypot(x2 - ends[1][0], y2 - ends[1][1])) > 0.1:
            return "the rod does not go from the support to the bob"
        spans.append(math.hypot(x2 - x1, y2 - y1))
    return "" if max(spans) - min(spans) < 0.1 else f"the rod changes its length: {spans}"


def string_hangs():
    text = pendulum("x^2 + y^2 <= L^2").replace("initial x = 1.45", "initial x = 0.5").replace("y ~ -0.9", "y = 0.2")
    sags = []
    for t in (0, 0.2):
        path = next(draw(text, t)["string"][0].iter(SVG + "path")).get("d")
        x1, y1, _, y2, _, y3 = map(float, re.findall(r"-?[\d.]+", path))
        sags.append(y2 - (y1 + y3) / 2)
    taut = pendulum("x^2 + y^2 <= L^2").replace("y ~ -0.9", "y = -sqrt(L^2 - 1.45^2)")
    x1, y1, x2, y2, x3, y3 = map(float, re.findall(r"-?[\d.]+", next(draw(taut, 0.1)["string"][0].iter(SVG + "path")).get("d")))
    if not min(sags) > 5:
        return f"a slack string does not hang: {sags}"
    return "" if abs(y2 - (y1 + y3) / 2) < 1 else "a taut string hangs"


def spring(law):
    text = f"""model "A spring"
param k = 20, l = 0.6
coord x, y
particle P mass 1 = (x, y, 0) in world
gravity (0, -9.81, 0)
{law}
initial x = 0.5
initial y = -1
run 0 .. 1
"""
    groups = draw(text, 0.5)
    if len(groups.get("spring", [])) != 1:
        return f"{len(groups.get('spring', []))} springs"
    points = next(groups["spring"][0].iter(SVG + "polyline")).get("points").split()
    end, bob = tuple(map(float, points[-1].split(","))), circles(groups["particle"][0])[0]
    return "" if math.hypot(end[0] - bob[0], end[1] - bob[1]) < 0.1 else "the spring does not end at the mass"


def nothing_invented():
    """what speaks of no place is not drawn"""
    groups = draw("""model "Two angles"
coord a, b
frame A = world rotated z(a)
frame B = world at (2, 0, 0) rotated z(b)
particle P mass 1 = (1, 0, 0) in A
particle Q mass 1 = (1, 0, 0) in B
potential a^2 - a*b + b^2
constraint gear: a + 2*b = 0
initial a = 1
run 0 .. 1
""", 0.5)
    found = [k for k in ("ground", "spring", "string", "curve", "round", "blade") if k in groups]
    return f"drawn: {found}" if found else ""


def wheel_rolls():
    groups = draw(DISC, 1)
    return "" if len(lines(groups["disc"][0])) >= 1 and "ground" in groups else "no disc on the ground"


def blade_lies_along():
    """a sleigh's blade has the direction of its velocity"""
    for t in (0.5, 3):
        blade = lines(draw("chaplygin_sleigh", t)["blade"][0])
        if len(blade) != 1:
            return "no blade"
    return ""


def polygon(g):
    points = next(g.iter(SVG + "polygon")).get("points").split()
    return [tuple(map(float, p.split(","))) for p in points]


def inside(p, corners):
    """of a polygon that bulges"""
    turns = []
    for (a, b), (c, d) in zip(corners, corners[1:] + corners[:1]):
        turns.append((c - a) * (p[1] - b) - (d - b) * (p[0] - a))
    return all(x > 0 for x in turns) or all(x < 0 for x in turns)


def rolls_on_a_sheet():
    """in space the lowest point of a disc lies on its sheet, whose height does not follow it"""
    corners = []
    for t in (0.2, 0.9, 1.7):
        groups = draw("rolling_disc", t)
        if len(groups.get("floor", [])) != 1:
            return f"{len(groups.get('floor', []))} floors at t = {t}"
        corners.append(polygon(groups["floor"][0]))
        rim = polygon(groups["disc"][0])
        if not inside(max(rim, key=lambda p: p[1]), corners[-1]):
            return f"the disc does not touch its sheet at t = {t}"
    off = max(math.dist(a, b) for a, b in zip(corners[0], corners[-1]))
    return "" if off < 0.1 else f"the sheet moves by {off:.1f} pixels"


def bicycle_has_its_wheels():
    """wheels as large as their rolling says, 0.3 and 0.35 m, not as their inertia would have them, on one sheet"""
    groups = draw("whipple_bicycle", 1)
    if len(groups.get("disc", [])) != 2 or len(groups.get("floor", [])) != 1:
        return f"{len(groups.get('disc', []))} wheels, {len(groups.get('floor', []))} floors"
    sheet, wide = polygon(groups["floor"][0]), []
    for g in groups["disc"]:
        rim = polygon(g)
        wide.append(max(math.dist(a, b) for a in rim for b in rim))
        if not inside(max(rim, key=lambda p: p[1]), sheet):
            return "a wheel is not on the sheet"
    return "" if abs(max(wide) / min(wide) - 0.35 / 0.3) < 0.01 else f"the wheels are {wide} pixels wide"


def tube(constraint, wide):
    """one tube about an upright axis, of the radius it has at the time"""
    text = f"""model "In a tube"
param R = 0.8
coord x, y, z
particle P mass 1 = (x, y, z) in world
gravity (0, 0, -9.81)
constraint wall: {constraint}
initial x = 0.8
initial y ~ 0
initial z = 0
initial y' ~ 1
run 0 .. 0.5
"""
    radii = []
    for t in (0, 0.5):
        groups = draw(text, t)
        if len(groups.get("tube", [])) != 1:
            return f"{len(groups.get('tube', []))} tubes"
        rings = [[tuple(map(float, p.split(","))) for p in e.get("points").split()] for e in groups["tube"][0].iter(SVG + "polygon")]
        spans = [max(x for x, _ in r) - min(x for x, _ in r) for r in rings]
        if max(spans) - min(spans) > 0.1:
            return f"rings of {spans} pixels"
        radii.append(spans[0])
    return "" if abs(radii[1] / radii[0] - wide) < 0.002 else f"the tube widens by {radii[1] / radii[0]:.4f}, not by {wide}"


def on_a_wire():
    """beads of one wire are on one line, at ten instants, also where the wire is turned and carried"""
    for t in [0.2 * i for i in range(1, 11)]:
        groups = draw("bead_on_helix", t)
        drawn = [e for g in groups.get("wire", []) for e in g.iter(SVG + "polyline")]
        if len(drawn) != 1:
            return f"{len(drawn)} wires"
        wire = [tuple(map(float, p.split(","))) for p in drawn[0].get("points").split()]
        beads = [c for g in groups["ball"] for c in circles(g)]
        if len(beads) != 2:
            return f"{len(beads)} beads"
        for bead in beads:
            off = min(distance(bead, a + b) for a, b in zip(wire, wire[1:]))
            if off > 1:
                return f"a bead is {off:.1f} pixels off the wire at {t}"
    return ""


def in_a_bowl():
    """the surface that a joint holds a point on is drawn, and moves with its body"""
    text = """model "In a bowl"
surface bowl(u, v) = (u, v, u^2 + v^2)
cylinder dish radius 0.5 length 0.05 mass 2
joint lift: slider dish axis x on world axis x
ball pea mass 0.1 radius 0.02
joint rolls: point pea on surface bowl of dish
gravity (0, 0, -9.81)
initial rolls.u = 0.3
initial lift.s' = 1
run 0 .. 0.5
"""
    middles = []
    for t in (0, 0.5):
        surfaces = draw(text, t).get("surface", [])
        if len(surfaces) != 1:
            return f"{len(surfaces)} surfaces"
        rim = polygon(surfaces[0])
        middles.append(sum(x for x, _ in rim) / len(rim))
    return "" if abs(middles[1] - middles[0]) > 10 else "the bowl stays where its dish goes"


def axes_are_named():
    """axes where nothing falls, and only there: two in the plane, three in space, none through the edge"""
    for name, wanted in (("constant_speed", 2), ("constant_speed_space", 3), ("pendulum", 0)):
        groups = draw(name, 0.5)
        if len(groups.get("axis", [])) != wanted or ("gravity" in groups) == bool(wanted):
            return f"{name}: {len(groups.get('axis', []))} axes"
        for g in groups.get("axis", []):
            if not max(map(float, re.findall(r"[ML](-?[\d.]+)", next(g.iter(SVG + "path")).get("d")))) < 640:
                return f"{name}: an axis leaves the picture"
    return ""


def skates_on_ice():
    """the sheet lies under the blade, not under the head, which is round and lies always at one height"""
    groups = draw("skater_stages", 1)
    blade, sheet = lines(groups["blade"][0])[0], polygon(groups["floor"][0])
    head = min((c for g in groups["ball"] for c in circles(g)), key=lambda c: c[1])
    feet = [p for g in groups["rod"] for x1, y1, x2, y2, _ in lines(g) for p in ((x1, y1), (x2, y2))]
    if not min(distance(f, blade) for f in feet) < 2:
        return "no foot stands on the blade"
    if not inside(((blade[0] + blade[2]) / 2, (blade[1] + blade[3]) / 2), sheet):
        return "the blade is not on the ice"
    return "" if head[1] < min(y for _, y in sheet) else "the ice is as high as the head"


def nearer_is_before():
    """a ball in front of a globe is drawn behind it in the file, one at its back before it, whatever is said first"""
    for ball, globe in (("show ball radius 0.1 at P\n", "show ball radius 1 at world\n"), ("", "show ball radius 1 at world\nshow ball radius 0.1 at P\n")):
        for y, wanted in ((-1.1, [1, 0.1]), (1.1, [0.1, 1])):
            text = ('model "Around a globe"\ncoord x, y, z\nparticle P mass 1 = (x, y, z) in world\ngravity (0, 0, -9.81)\n'
                    f"initial y = {y}\ninitial x' = 1\nrun 0 .. 0.01\n{ball}{globe}")
            radii = [r for g in draw(text, 0)["ball"] for _, _, r in circles(g)]
            if [r / max(radii) > 0.5 for r in radii] != [r > 0.5 for r in wanted]:
                return f"at y = {y} radii in turn: {radii}"
    return ""


def block_slides():
    """what slides on ground is a block with a side along it"""
    groups = draw(INCLINE, 0.2)
    block = polygon(groups["particle"][0])
    x1, y1, x2, y2, _ = next(iter(ground(groups)))[0]
    slant = [abs((b - a) * (y2 - y1) - (d - c) * (x2 - x1)) / math.hypot(b - a, d - c) / math.hypot(x2 - x1, y2 - y1)
             for (a, c), (b, d) in zip(block, block[1:])]
    return "" if len(block) == 4 and min(slant) < 0.01 < 0.9 < max(slant) else f"{len(block)} corners, aslant by {slant}"


def nothing_carries_a_centre():
    """what is round and rests in the middle of a motion lies on nothing"""
    return "a floor is invented" if "floor" in draw("constant_speed_space", 3) else ""


def directions_are_seen():
    """the sheet of permitted directions holds the velocity: the arrow lies along it"""
    for name in ("nonholonomic_particle", "appell_springs"):
        g = draw(name, 1)["force"][0]
        sheets = [p for p in g.iter(SVG + "polygon") if len(p.get("points").split()) == 4]
        if len(sheets) < 4 or len(lines(g)) != 1:
            return f"{name}: {len(sheets)} sheets, {len(lines(g))} arrows"
        (ax, ay), (bx, by) = [tuple(map(float, p.split(","))) for p in sheets[-1].get("points").split()[:2]]
        x1, y1, x2, y2, _ = lines(g)[0]
        slant = abs((bx - ax) * (y2 - y1) - (by - ay) * (x2 - x1)) / math.hypot(bx - ax, by - ay) / math.hypot(x2 - x1, y2 - y1)
        if slant > 0.02:
            return f"{name}: the arrow leaves its sheet"
    return ""


def wheel_of_a_top_is_round():
    """a body of which the inertia alone is known has a thickness and an area from aside"""
    rim = polygon(draw("heavy_top", 0.5)["body"][0])
    area = abs(sum(a * d - b * c for (a, b), (c, d) in zip(rim, rim[1:] + rim[:1]))) / 2
    wide = max(x for x, _ in rim) - min(x for x, _ in rim)
    return "" if len(rim) > 8 and area > 0.2 * wide * wide else f"{len(rim)} corners, area {area:.0f}"


TESTS = {
    "a block on an incline touches it": lambda: all_touch(INCLINE, 0.3),
    "a disc touches its floor": lambda: all_touch(DISC, 2),
    "a ball touches uneven ground": lambda: all_touch(HILLS, 2),
    "a ball as large as it is shown touches its shelf": lambda: all_touch(SHELF, 1),
    "a ladder touches wall and floor": lambda: all_touch("sliding_ladder", 0.5),
    "the feet of a wheel without a rim touch the slope": lambda: all_touch("rimless_wheel", 3),
    "a distance is a rod, as squares": lambda: is_rod("(x - c)^2 + y^2 = L^2"),
    "a distance is a rod, as a norm": lambda: is_rod("norm(pos(P) - (c, 0, 0)) = L"),
    "a distance is a rod, multiplied out": lambda: is_rod("3*L^2 = 3*x^2 - 6*c*x + 3*c^2 + 3*y^2"),
    "a slack string hangs": string_hangs,
    "a spring by its potential": lambda: spring("potential k/2*(hypot(x, y) - l)^2"),
    "a spring by its statement": lambda: spring("spring s: from world to P stiffness k length l"),
    "a spring without a length": lambda: spring("potential k/2*(x^2 + y^2)"),
    "what speaks of no place is not drawn": nothing_invented,
    "a disc is drawn on its ground": wheel_rolls,
    "a sleigh has a blade": blade_lies_along,
    "a disc rolls on a sheet in space": rolls_on_a_sheet,
    "a bicycle has its wheels, on the ground": bicycle_has_its_wheels,
    "a distance from an axis is a tube": lambda: tube("x^2 + y^2 = R^2", 1),
    "a tube as a bound, multiplied by something": lambda: tube("2*R^2 - 2*x^2 - 2*y^2 >= 0", 1),
    "a tube widens with time": lambda: tube("x^2 + y^2 = R^2*(1 + t)^2", 1.5),
    "beads are on their wire": on_a_wire,
    "a bowl goes with its dish": in_a_bowl,
    "axes are named where nothing falls": axes_are_named,
    "a skater skates on ice": skates_on_ice,
    "what is nearer is drawn before what is behind": nearer_is_before,
    "a block slides": block_slides,
    "nothing carries a centre": nothing_carries_a_centre,
    "directions that a constraint permits are seen": directions_are_seen,
    "the wheel of a top is round": wheel_of_a_top_is_round,
}

print(f"1..{len(TESTS)}")
failed = 0
for number, (name, test) in enumerate(TESTS.items(), 1):
    try:
        fault = test()
    except (subprocess.CalledProcessError, KeyError, IndexError, ValueError, StopIteration) as e:
        fault = f"{type(e).__name__}: {e}"
    if fault:
        failed += 1
        print("\n".join("#   " + line for line in fault.splitlines()))
    print(f"{'not ok' if fault else 'ok'} {number} - {name}", flush=True)
sys.exit(failed != 0)
