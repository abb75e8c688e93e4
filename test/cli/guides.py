#!/usr/bin/env python3
"""Points on curves and surfaces: against closed forms, and as loops against the same written as constraints. Prints TAP.

guides.py PROGRAM
"""
import csv, math, os, subprocess, sys, tempfile

PROGRAM = os.path.abspath(sys.argv[1])
G = 9.81


def end_of(text, folder, *options):
    """the last row of a run"""
    model, out = os.path.join(folder, "m.zw"), os.path.join(folder, "m.csv")
    open(model, "w", encoding="utf8").write(text)
    done = subprocess.run([PROGRAM, "run", model, "--out", out, "--points", "2", "--quiet", *options], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    rows = list(csv.DictReader(open(out, encoding="utf8")))
    return {k: float(v) for k, v in rows[-1].items() if k not in ("stage", "event") and v}


def near(value, want, digits=9):
    assert abs(value - want) <= 10.0**-digits * max(1, abs(want)), (value, want)


HELIX = f"""param R = 0.2 [m], h = 0.05 [m], m = 0.3 [kg]
curve helix(u) = (R*cos(u), R*sin(u), h*u)
gravity (0, 0, -{G})
"""


def bead_on_a_helix(folder):
    """u'' = -g h/(R^2 + h^2); the force is m (acceleration - gravity)"""
    end = end_of(HELIX + """body bead mass m inertia (1e-4, 2e-4, 3e-4)
joint wire: point bead on curve helix
initial wire.u' = 7
output N = reaction(wire)
run 0 .. 0.8
""", folder)
    a, u1 = -G * 0.05 / (0.04 + 0.0025), 7 - G * 0.05 / (0.04 + 0.0025) * 0.8
    u = 7 * 0.8 + a * 0.32
    near(end["wire.u"], u)
    near(end["N.x"], 0.3 * 0.2 * (-math.cos(u) * u1**2 - math.sin(u) * a))
    near(end["N.y"], 0.3 * 0.2 * (-math.sin(u) * u1**2 + math.cos(u) * a))
    near(end["N.z"], 0.3 * (0.05 * a + G))


def the_same_as_a_loop(folder):
    """a particle with places of its own, held to the helix: the parameter has no mass"""
    end = end_of(HELIX + """coord x, y, z [m]
frame F = world at (x, y, z)
particle P mass m = (0, 0, 0) in F
joint wire: point F on curve helix
initial wire.u' = 7
initial wire.u = 0
output N = reaction(wire)
run 0 .. 0.8
""", folder)
    a = -G * 0.05 / (0.04 + 0.0025)
    u = 7 * 0.8 + a * 0.32
    near(end["wire.u"], u, 8)
    near(end["z"], 0.05 * u, 8)
    near(end["N.z"], 0.3 * (0.05 * a + G), 8)


def built_in_sphere(folder):
    """energy stays, and so does the distance from the centre"""
    end = end_of(f"""gravity (0, 0, -{G})
body P mass 2 inertia (0.01, 0.01, 0.02)
joint bowl: point P on surface sphere(0.7)
initial bowl.u' = 1.5
initial bowl.v = 0.6
output r = norm(pos(P))
integral E = energy()
run 0 .. 1.5
""", folder)
    near(end["r"], 0.7, 12)


def point_on_a_sphere(folder):
    """a spherical pendulum: the joint on a surface against two angles"""
    end = end_of(f"""gravity (0, 0, -{G})
body P mass 2 inertia (0.01, 0.01, 0.02)
surface ball(u, v) = (0.7*cos(v)*cos(u), 0.7*cos(v)*sin(u), 0.7*sin(v))
joint bowl: point P on surface ball
initial bowl.u' = 1.5
initial bowl.v = -0.6
output z = pos(P).z
output x = pos(P).x
run 0 .. 1.5
""", folder)
    other = end_of(f"""gravity (0, 0, -{G})
coord u, v
particle P mass 2 = (0.7*cos(v)*cos(u), 0.7*cos(v)*sin(u), 0.7*sin(v))
initial u' = 1.5
initial v = -0.6
output z = pos(P).z
output x = pos(P).x
run 0 .. 1.5
""", folder)
    near(end["z"], other["z"])
    near(end["x"], other["x"])


def guide_on_a_moving_body(folder):
    """a slot in a turntable that turns freely: momentum and energy stay, and the other spelling is the same"""
    text = """cylinder table radius 0.5 length 0.02 mass 3
joint axle: hinge table on world
curve slot(u) = (u, 0.1 + 0.3*u^2, 0)
body pin mass 0.4 inertia (1e-5, 1e-5, 1e-5)
joint j: point pin on {} 
initial axle.angle' = 2
initial j.u = -0.2
initial j.u' = 0.3
output L = angmomentum().z
output E = energy()
run 0 .. 1
"""
    one = end_of(text.format("curve slot of table"), folder)
    other = end_of(text.format("table as slot"), folder)
    u, v, w, c = -0.2, 0.3, 2.0, 0.1 + 0.3 * 0.04
    px, py = u, c
    vx, vy = v - w * py, 0.6 * u * v + w * px
    inertia = 3 * 0.25 / 2
    # the pin turns with the table at the start
    near(one["L"], (inertia + 1e-5) * w + 0.4 * (px * vy - py * vx))
    near(one["E"], (inertia + 1e-5) * w * w / 2 + 0.2 * (vx * vx + vy * vy))
    for k in one:
        near(one[k], other[k], 12)


def main():
    cases = [bead_on_a_helix, the_same_as_a_loop, built_in_sphere, point_on_a_sphere, guide_on_a_moving_body]
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
