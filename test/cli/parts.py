#!/usr/bin/env python3
"""The parts that come with the program: every one can be put, and what is known of their motion in closed form. Prints TAP.

parts.py PROGRAM ROOT
"""
import csv, json, math, os, subprocess, sys, tempfile

PROGRAM, ROOT = os.path.abspath(sys.argv[1]), sys.argv[2]
G = 9.81


def zwang(*words, **more):
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True, **more)


def end_of(text, folder, *options):
    """the last row of a run"""
    model = os.path.join(folder, "m.zw")
    open(model, "w", encoding="utf8").write(text)
    out = os.path.join(folder, "m.csv")
    done = zwang("run", model, "--out", out, "--quiet", "--points", "2", *options)
    assert done.returncode == 0, done.stderr
    rows = list(csv.DictReader(open(out, encoding="utf8")))
    return {k: float(v) for k, v in rows[-1].items() if k not in ("stage", "event") and v}


def near(value, want, digits=9):
    assert abs(value - want) <= 10.0**-digits * max(1, abs(want)), (value, want)


def files():
    return json.loads(zwang("parts", "--format", "json").stdout)["files"]


def every_part_can_be_put(folder):
    seen = 0
    for f in files():
        assert zwang("parts", f["name"]).stdout == open(os.path.join(ROOT, "share/parts", f["name"] + ".zw"), encoding="utf8").read()
        for part in f["parts"]:
            given = ", ".join(f"{p['name']} = {p['value']}" + (f" [{p['unit']}]" if p["unit"] else "") for p in part["params"])
            model = f"""use std "{f['name']}"
gravity (0, 0, -{G})
coord X, Y, Z, A
frame cart = world at (X, Y, 0.3 + Z) rotated z(A)
body chassis mass 20 inertia (1, 2, 3) at (0, 0, 0) in cart
force Z = -20000*Z - 100*Z'
put {part['name']}({given}) on cart at (0.1, 0.2, 0) as p
initial X' = 1
output E = energy()
run 0 .. 0.2
"""
            a = end_of(model, folder)
            b = end_of(model.replace(f"({given})", "()"), folder, "--method", "dop853")
            for k in a:
                near(a[k], b[k], 8)
            assert part["told"] and all(p["note"] for p in part["params"]), part["name"]
            seen += 1
    assert seen >= 22, seen


def all_at_once(folder):
    end_of("use std\nuse std \"gears\"\nput Pair() on world as p\ninitial p.a.angle' = 1\nrun 0 .. 1\n", folder)


def gears_turn_as_one(folder):
    end = end_of("""use std "gears"
put Pair() on world as p
put Planetary() on world at (1, 0, 0) as q
put Differential() on world at (2, 0, 0) as d
put Rack() on world at (3, 0, 0) as r
put Belt() on world at (4, 0, 0) as b
force p.a.angle = 0.03
force r.a.angle = 0.2
initial q.s.angle' = 3
initial d.a.angle' = 2
initial d.b.angle' = -1
initial b.a.angle' = 4
run 0 .. 2
""", folder)
    inertia = 1 * 0.1**2 / 2 + 4 * 0.2**2 / 2 * (0.1 / 0.2) ** 2
    near(end["p.a.angle"], 0.03 / inertia * 2)
    near(end["p.b.angle"], -end["p.a.angle"] / 2)
    near(end["q.c.angle'"], 3 * 0.1 / (2 * (0.1 + 0.05)))
    near(end["d.c.angle"], 1)
    near(end["r.b.s"], -0.1 * 0.2 / (0.1**2 / 2 + 3 * 0.1**2) * 2)
    near(end["b.b.angle"], 4)


def wheels_roll(folder):
    """a loaded axle with two Rollers down a slope: the wheels count by their inertia"""
    end = end_of(f"""use std "wheels"
param al = 0.2
gravity ({G}*sin(al), 0, -{G}*cos(al))
coord s
frame cart = world at (s, 0, 0)
particle load mass 7 = (0, 0, 0) in cart
put Wheel() on cart at (0, 0.5, 0) as l
constraint grip: vel(l.base).x = l.r*l.hub.angle'
put Wheel() on cart at (0, -0.5, 0) as r
constraint grip2: vel(r.base).x = r.r*r.hub.angle'
run 0 .. 1.5
""", folder)
    near(end["s"], G * math.sin(0.2) * 17 / (17 + 2 * 2.5) * 1.5**2 / 2)


def a_blade_turns(folder):
    """a body on one Blade below its centre: the speed along it stays, the heading turns evenly"""
    end = end_of("""use std "wheels"
box b size (1, 1, 1) mass 2
joint floor: planar b on world
put Blade() on b as k
initial floor.angle' = 0.7
initial floor.x' = 1.3
run 0 .. 2
""", folder)
    near(end["floor.x"], 1.3 / 0.7 * math.sin(1.4))
    near(end["floor.y"], 1.3 / 0.7 * (1 - math.cos(1.4)))


def pendulums_swing(folder):
    """the period by the arithmetic-geometric mean, from rest at an angle a: T = 2 pi sqrt(l/g)/agm(1, cos(a/2))"""
    def period(l, a):
        x, y = 1, math.cos(a / 2)
        for _ in range(8):
            x, y = (x + y) / 2, math.sqrt(x * y)
        return 2 * math.pi * math.sqrt(l / G) / x
    for put, angle, l in (("Pendulum(l = 0.7)", "p.angle", 0.7), ("Rod(l = 0.9)", "p.pivot.angle", 0.6), ("Chain(N = 1, l = 0.3)", "p.hinge[1].angle", 0.2)):
        end = end_of(f"""use std "pendulums"
gravity (0, 0, -{G})
put {put} on world as p
initial {angle} = 1.1
run 0 .. {period(l, 1.1)!r}
""", folder)
        near(end[angle], 1.1)
        near(end[angle + "'"], 0)


def tyres_relax(folder):
    """a SideTyre on a carriage that runs at v with the sideways speed u: a = -(u/v) (1 - exp(-v t/s))"""
    end = end_of("""use std "tyres"
frame carriage = world at (20*t, 0.4*t, 0)
put SideTyre(s = 0.5) on carriage as tyre
coord w
kinetic w'^2/2
run 0 .. 0.05
""", folder)
    near(end["tyre.a"], -0.02 * (1 - math.exp(-20 * 0.05 / 0.5)))


def tyres_carry(folder):
    """a Tyre that stands carries its load by k times the sink, with the frequency of its spring before"""
    end = end_of(f"""use std "tyres"
gravity (0, 0, -{G})
coord z
frame hub = world at (0, 0, 0.28 + z)
particle load mass 300 = (0, 0, 0) in hub
put Tyre(m = 15, k = 150000, c = 0) on hub as tyre
initial z = 0.001
run 0 .. 0.3
""", folder)
    rest = -315 * G / 150000 + 0.02
    near(end["z"], rest + (0.001 - rest) * math.cos(math.sqrt(150000 / 315) * 0.3))


def coordinates_may_be_called_as_their_joints(folder):
    """in a part, too: `s.s` is the way of the slider `s`, whatever the part calls its own"""
    inside = """box b size (0.1, 0.1, 0.1) mass 2
joint s: slider b axis x on base axis x
box c size (0.1, 0.2, 0.3) mass 1 at (0, 0, 0.2)
joint a: universal c axis y on b axis x
memory u = 0
sample k every 0.05 { u = 1 - 3*s.s - s.s' }
event e: s.s = 0.1 rising { s.s' = 0.5*s.s'; a.a' = 0 }
force s.s = u
force a.a = -a.a - 0.1*a.b'
box d size (0.1, 0.1, 0.1) mass 1
joint v: slider d axis z on base axis z
constraint lead: v.s = 0.1*sin(3*t) by v.s
initial a.a = 0.3, a.b' = 1
"""
    flat = end_of(inside.replace("base", "world") + "run 0 .. 2", folder)
    part = end_of("part P() {\n" + inside + "}\nfor i in 1..2 { put P() on world at (0, i, 0) as p[i] }\nrun 0 .. 2", folder)
    assert len(flat) == 10, flat
    for k, v in flat.items():
        near(part[k if k == "t" else "control.p[2].lead" if k == "control.lead" else f"p[2].{k}"], v)


def main():
    cases = [every_part_can_be_put, all_at_once, gears_turn_as_one, wheels_roll, a_blade_turns, pendulums_swing, tyres_relax, tyres_carry, coordinates_may_be_called_as_their_joints]
    print(f"1..{len(cases)}")
    failed = 0
    for i, case in enumerate(cases, 1):
        with tempfile.TemporaryDirectory() as folder:
            try:
                case(folder)
                print(f"ok {i} - {case.__name__}")
            except AssertionError as e:
                failed += 1
                print(f"not ok {i} - {case.__name__}\n# {str(e)[:2000]}")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
