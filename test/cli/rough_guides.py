#!/usr/bin/env python3
"""Friction of what cannot let go: points on curves and surfaces, equations in the plane and in space. Prints TAP.

rough_guides.py PROGRAM

The normal force of a point on a curve is the length of its whole reaction. Closed forms: a circle slows down by v' = -mu v^2/R, a helix by
v' = -g sin(a) - mu sqrt(k^2 v^4 + g^2 cos(a)^2) with the curvature k, integrated here by Gauss's rule.
"""
import json, math, os, subprocess, sys, tempfile

PROGRAM = os.path.abspath(sys.argv[1])


def run(text, folder, *options, expect=0):
    """rows at the end, and the events"""
    model, out = os.path.join(folder, "m.zw"), os.path.join(folder, "m.json")
    open(model, "w", encoding="utf8").write(text)
    if os.path.exists(out):
        os.unlink(out)
    done = subprocess.run([PROGRAM, "run", model, "--out", out, *options], capture_output=True, text=True)
    assert done.returncode == expect, (done.returncode, done.stderr)
    if expect == 2:
        return done.stderr, None
    got = json.load(open(out, encoding="utf8"))
    return {name: column[-1] for name, column in got["columns"].items()}, got["events"] if expect == 0 else done.stderr


def near(value, want, digits=9):
    assert abs(value - want) <= 10.0**-digits * max(1, abs(want)), (value, want)


def gauss(f, a, b, parts=200):
    """Gauss's rule of three points on many parts"""
    h, r = (b - a) / parts, math.sqrt(3 / 5)
    return sum(h / 18 * (5 * f(m - h / 2 * r) + 8 * f(m) + 5 * f(m + h / 2 * r)) for m in (a + h * (i + 0.5) for i in range(parts)))


CIRCLE = """param R = 0.4 [m], mu = 0.25, v = 3 [m/s]
coord x, y, z [m]
coord u
particle b mass 0.7 = (x, y, z) in world
{}
initial u = 0.3
initial u' = v/R
run 0 .. 2
"""


def circle_by_equations(folder):
    """without weight, about the z axis, and the same circle lying askew"""
    for centre in ("(R*cos(u), R*sin(u), 0)", "(R*cos(u), 0.6*R*sin(u), 0.8*R*sin(u))"):
        end, _ = run(CIRCLE.format(f"constraint wire: pos(b) = {centre} with friction mu\noutput s = slip(wire)\noutput L = loss(wire)"), folder)
        near(end["u"], 0.3 + math.log(1 + 0.25 * 3 * 2 / 0.4) / 0.25)
        near(end["s"], 3 / (1 + 0.25 * 3 * 2 / 0.4))
        near(end["L"], 0.7 / 2 * (9 - end["s"]**2))


def circle_by_a_joint(folder):
    """of a ball, whose own turning the wire does not feel"""
    end, _ = run("""param R = 0.4 [m], mu = 0.25, v = 3 [m/s]
curve ring(u) = (R*cos(u), R*sin(u), 0)
ball b mass 0.7 radius 0.01
joint wire: point b on curve ring with friction mu
initial wire.u = 0.3
initial wire.u' = v/R
initial omega(b) = (1, 2, 3)
run 0 .. 2
""", folder)
    near(end["wire.u"], 0.3 + math.log(1 + 0.25 * 3 * 2 / 0.4) / 0.25)


def helix(folder):
    """climbs, stops, is held; with less friction it slides back"""
    R, h, g, rate = 0.5, 0.1, 9.81, 2.0
    L = math.hypot(R, h)
    k, sine, cosine = R / L**2, h / L, R / L
    for mu in (0.3, 0.1):
        text = f"""param R = {R} [m], h = {h} [m], mu = {mu}, g = {g} [m/s^2]
curve wire(u) = (R*cos(u), R*sin(u), h*u)
ball b mass 0.1 radius 0.01
joint w: point b on curve wire with friction mu
gravity (0, 0, -g)
initial w.u' = {rate}
output F = friction(w)
output S = state(w)
output L = loss(w)
run 0 .. 1
"""
        end, events = run(text, folder)
        N = lambda v: mu * math.sqrt(k**2 * v**4 + (g * cosine)**2)
        up = lambda v: g * sine + N(v)
        stop, top = gauss(lambda v: 1 / up(v), 0, rate * L), gauss(lambda v: v / up(v), 0, rate * L) / L
        assert events and events[0]["name"] == ("sticking of w" if mu > 0.2 else "slipping of w"), events
        near(events[0]["t"], stop)
        near(events[0]["values"]["w.u"], top)
        if mu > 0.2:
            near(end["w.u"], top)
            near(end["F"], 0.1 * g * sine)
            assert end["S"] == 1, end["S"]
        else:
            down = lambda v: g * sine - N(v)
            near(gauss(lambda v: 1 / down(v), 0, -end["w.u'"] * L), 1 - stop, 8)
            assert end["S"] == 2, end["S"]
        near(end["L"], 0.1 * ((rate * L)**2 / 2 - (end["w.u'"] * L)**2 / 2 - g * h * end["w.u"]))


def wire_on_a_body(folder):
    """a bead on a straight wire that a free car carries: momenta are kept, the bead comes to rest on it. N = m g"""
    end, events = run("""param m = 0.5 [kg], M = 2 [kg], mu = 0.2, g = 10 [m/s^2]
coord X, x, z [m]
coord u [m]
frame car = world at (X, 0, 0)
particle c mass M = (X, 0, 0) in world
particle b mass m = (x, 0, z) in world
gravity (0, 0, -g)
constraint wire: pos(b, car) = (u, 0, 0.1) with friction mu
initial x' = 3
initial X' = 0
run 0 .. 3
""", folder)
    near(end["X'"], 0.5 * 3 / 2.5)
    near(end["x'"], 0.5 * 3 / 2.5)
    # |slip|' = -mu g - mu m g/M
    stop = 3 / (0.2 * 10 * (1 + 0.25))
    assert [e["name"] for e in events] == ["sticking of wire"], events
    near(events[0]["t"], stop)
    near(end["u"], 3 * stop / 2)


def wire_that_moves(folder):
    """a straight wire through the origin turns at w about z; slip is what the wire sees. r'' = w^2 r - 2 mu w |r'|, without weight"""
    w, mu = 3.0, 0.4
    end, _ = run(f"""param w = {w} [1/s], mu = {mu}
coord x, y [m]
coord r [m]
particle b mass 1 = (x, y, 0) in world
constraint rod: pos(b) = (r*cos(w*t), r*sin(w*t), 0) with friction mu
initial r = 0.1
initial r' = 0.5
run 0 .. 1
""", folder)
    root = math.sqrt(1 + mu**2)
    p, q = w * (-mu + root), w * (-mu - root)
    b = (0.5 - p * 0.1) / (q - p)
    near(end["r"], (0.1 - b) * math.exp(p) + b * math.exp(q))


def wire_that_runs(folder):
    """a straight wire runs along itself and takes the bead with it: slip is what the wire sees"""
    end, events = run("""param V = 2 [m/s], mu = 0.25, g = 10 [m/s^2]
coord x, z [m]
coord u [m]
particle b mass 0.3 = (x, 0, z) in world
gravity (0, 0, -g)
constraint wire: pos(b) = (u + V*t, 0, 0) with friction mu
initial x' = 0
run 0 .. 1
""", folder)
    assert [e["name"] for e in events] == ["sticking of wire"], events
    near(events[0]["t"], 2 / 2.5)
    near(end["x'"], 2)
    near(end["u"], -4 / 5)


INCLINE = """param mu = {}, g = 10 [m/s^2], m = 2 [kg], al = 0.2
{}
gravity (0, 0, -g)
output F = friction(on)
output S = state(on)
run 0 .. 3
"""


def surface_by_a_joint(folder):
    """across an incline, round and elliptic cones: a joint with a surface as a plane by its equation"""
    for mu in ("0.3", "(0.3, 0.5)"):
        joint, told = run(INCLINE.format(mu, """surface inc(u, v) = (u*cos(al), v, -u*sin(al))
ball b mass m radius 0.01
joint on: point b on surface inc with friction mu
initial on.u' = 0
initial on.v' = 3""").replace("param mu = (0.3, 0.5), ", "param ").replace("friction mu", f"friction {mu}"), folder)
        plane, _ = run(INCLINE.format(mu, """frame inc = world rotated y(al)
coord x, y, z [m]
particle b mass m = (x, y, z) in inc
constraint on: pos(b, inc).z = 0 with friction mu
initial x' = 0
initial y' = 3""").replace("param mu = (0.3, 0.5), ", "param ").replace("friction mu", f"friction {mu}"), folder)
        near(joint["on.u"], plane["x"])
        near(joint["on.v"], plane["y"])
        near(joint["F"], plane["F"])
        near(joint["reaction.on"], plane["reaction.on"])
        assert [e["name"] for e in told] == ["sticking of on"], told
        assert joint["S"] == plane["S"] == 1


def bowl(folder):
    """on the equator of a sphere without weight it is the rough circle; askew it is one, too"""
    end, _ = run("""param R = 0.4 [m], mu = 0.25, v = 3 [m/s]
ball b mass 0.7 radius 0.01
joint in: point b on surface sphere(R) with friction mu
initial in.u = 0.3
initial in.v = 0.2
initial in.u' = v/R
initial in.v' = 1 [1/s]
output s = slip(in)
run 0 .. 2
""", folder)
    v = math.hypot(3 * math.cos(0.2), 0.4)
    near(end["s"], v / (1 + 0.25 * v * 2 / 0.4))


def held_rail(folder):
    """an equation in the plane: force, state and energy while it is held, and where it slips on; its gradient is 2"""
    end, events = run("""param g = 10 [m/s^2], mu = 0.3
coord x, y [m]
particle b mass 1 = (x, y, 0) in world
gravity (0, -g, 0)
constraint rail: 2*pos(b).y = 0 with friction mu
force (1.5 + t, 0, 0) in world at b
output F = friction(rail)
output S = state(rail)
output L = loss(rail)
initial x' = 1
run 0 .. 1.25
""", folder)
    assert [e["name"] for e in events] == ["sticking of rail"], events
    near(events[0]["t"], 1)
    near(end["F"], 2.75)
    assert end["S"] == 1
    # mu m g x(1)
    near(end["L"], 3 * (1 - 1.5 / 2 + 1 / 6))


STRUCK = """param mu = 0.3
coord x, y, z, p, q, r
particle a mass 1 = (x, y, z) in world
particle b mass 1 = (p, q, r) in world
constraint plane: pos(a).z {} 0 with friction mu
constraint hit: (x - p) + (r - z) >= 0.5
initial p = -0.5
initial r = 0.5
initial p' = 1
initial r' = -1
run 0 .. 0.3
"""


def struck(folder):
    """a puck that is held on its plane is struck as one that only lies on it, friction and all; along a line alike"""
    held, events = run(STRUCK.format("="), folder)
    # 1 - P = P(1 - mu)/... : x' = P (1 - mu), p' = 1 - P, r' = -1 + P, and the gap stands: x' - p' + r' = 0
    P = 2 / (3 - 0.3)
    near(held["x'"], 0.7 * P)
    near(held["p'"], 1 - P)
    near(events[0]["impulses"]["plane.friction"], 0.3 * P)
    loose, _ = run(STRUCK.format(">="), folder)
    near(loose["x'"], held["x'"])
    line = STRUCK.format("=").replace("coord x, y, z, p, q, r", "coord x, z, p, r").replace("(x, y, z)", "(x, 0, z)").replace("(p, q, r)", "(p, 0, r)")
    alike, _ = run(line, folder)
    near(alike["x'"], held["x'"])
    near(alike["p'"], held["p'"])


def released(folder):
    """a joint that closes a loop is let go by a stage: it flies on along the tangent"""
    end, _ = run("""curve ring(u) = (0.4*cos(u), 0.4*sin(u), 0)
coord x, y, z [m]
frame F = world at (x, y, z)
particle b mass 1 = (0, 0, 0) in F
joint rod: distance F on world length 0.4
stage held { until t >= 1 }
stage free { release rod; until t >= 2 }
initial x = 0.4
initial y' = 1
""".replace("curve ring(u) = (0.4*cos(u), 0.4*sin(u), 0)\n", ""), folder)
    a = 1 / 0.4
    near(end["x"], 0.4 * math.cos(a) - math.sin(a))
    near(end["y"], 0.4 * math.sin(a) + math.cos(a))


def floor_and_wall(folder):
    """min(a, b) >= c with friction is two rough walls: as two inequalities, in the plane and in space"""
    plane = """coord x, y [m]
particle b mass 1 = (x, y, 0) in world
gravity (0, -10, 0)
force (-4*t, 0, 0) in world at b
{}
initial x = 1
initial x' = -1
run 0 .. 2
"""
    space = """coord x, y, z [m]
particle b mass 1 = (x, y, z) in world
gravity (-3, 0, -10)
{}
initial x = 0.2
initial x' = -1
initial y' = 4
run 0 .. 0.8
"""
    cases = ((plane, "min(pos(b).y, pos(b).x) >= 0", ("pos(b).x >= 0", "pos(b).y >= 0")),
             (plane, "max(-2*x, -y) <= 0", ("-2*x <= 0", "-y <= 0")),
             (space, "min(pos(b).z, 2*pos(b).x - pos(b).y/10) >= 0", ("pos(b).z >= 0", "2*pos(b).x - pos(b).y/10 >= 0")))
    for text, one, two in cases:
        end, told = run(text.format(f"constraint c: {one} with friction 0.3"), folder)
        want, known = run(text.format("\n".join(f"constraint c{i}: {f} with friction 0.3" for i, f in enumerate(two))), folder)
        for name in ("x", "y", "x'", "y'"):
            near(end[name], want[name], 11)
        assert len(told) == len(known) > 0, (told, known)


def refused(folder):
    text, _ = run("ball b mass 1 radius 0.1\njoint j: hinge b on world with friction 0.2\nrun 0 .. 1\n", folder, expect=2)
    assert "friction is that of a point on a curve or surface" in text and "2:41" in text, text
    free = "coord x, y, z, u, v [m]\nparticle b mass 1 = (x, y, z) in world\n"
    text, _ = run(free + "constraint c: pos(b) = (u, v, 0 [m]) with friction 0.2\nrun 0 .. 1\n", folder, expect=2)
    assert "guides its point along no curve" in text, text
    text, _ = run(free + "kinetic u'^2/2 + v'^2/2\nconstraint c: pos(b) = (u, 0 [m], 0 [m]) with friction 0.2\nrun 0 .. 1\n", folder, expect=2)
    assert "has a mass of its own" in text, text


def main():
    cases = [circle_by_equations, circle_by_a_joint, helix, wire_on_a_body, wire_that_moves, wire_that_runs, surface_by_a_joint, bowl, held_rail, struck, released, floor_and_wall, refused]
    print(f"1..{len(cases)}")
    failed = 0
    for i, case in enumerate(cases, 1):
        with tempfile.TemporaryDirectory() as folder:
            try:
                case(folder)
                print(f"ok {i} - {case.__name__}", flush=True)
            except (AssertionError, KeyError) as e:
                failed += 1
                print(f"not ok {i} - {case.__name__}\n#   " + repr(e)[:2000].replace("\n", "\n#   "), flush=True)
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
