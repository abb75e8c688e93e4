#!/usr/bin/env python3
"""States at which something is to be decided: the exported C must do as `zwang eval` does, or tell its code.

usage: states.py ZWANG [NAME]
"""
import ctypes
import json
import math
import os
import subprocess
import sys
import tempfile

from exported import orders

# name: model, then states with the code that is wanted; the accelerations of code 0 are those of `zwang eval`
CASES = {
    "dry friction by sign": ("""
coord x [m]
kinetic x'^2/2
potential 2*x^2
force x = -0.5*sign(x')""", [("x=0.1, x'=0", 0), ("x=0.4, x'=0", 0), ("x=-0.4, x'=0", 0), ("x=0.1, x'=1", 0), ("x=0.1, x'=-1", 0)]),
    "two blocks rub on each other and on the floor": ("""
coord x, y [m]
kinetic x'^2/2 + y'^2
force x = 1.2 - 0.4*sign(x' - y')
force y = 0.4*sign(x' - y') - 0.5*sign(y')""",
        [("x'=0, y'=0", 0), ("x'=1, y'=1", 0), ("x'=1, y'=0", 0), ("x'=-1, y'=0", 0), ("x'=0, y'=-1", 0)]),
    "a force jumps at a place": ("""
coord x [m]
kinetic x'^2/2
force x = -sign(x)""", [("x=0, x'=1", 2), ("x=1, x'=0", 0)]),
    "a force jumps by a condition": ("""
coord x [m]
kinetic x'^2/2
force x = if(x' > 0, -1, 1)""", [("x=0, x'=0", 2), ("x=0, x'=-1", 0)]),
    "block on a rough slope": ("""
param mu = 0.6, phi = 0.5, g = 9.81
coord x, y [m]
particle P mass 2 = (x, y, 0) in world
gravity (g*sin(phi), -g*cos(phi), 0)
force x = 1
constraint floor: y >= 0 with friction mu
initial x = 0""", [("x=0, y=0, x'=0, y'=0", 0), ("x=0, y=0, x'=1, y'=0", 0), ("x=0, y=0, x'=-1, y'=0", 0), ("x=0, y=0.1, x'=0, y'=0", 0),
                   ("x=0, y=0, x'=0, y'=1", 0)]),
    "ball on a floor, met with a velocity": ("""
coord x, y [m]
particle P mass 2 = (x, y, 0) in world
gravity (0, -9.81, 0)
constraint floor: y >= 0 with restitution 0.5""", [("y=0, y'=-1", 3), ("y=0, y'=0", 0), ("y=0, y'=1", 0), ("y=0.5, y'=-1", 0)]),
    "bead in a corner": ("""
coord x, y [m]
particle P mass 1 = (x, y, 0) in world
gravity (-3, -9.81, 0)
constraint floor: y >= 0
constraint wall: x >= 0""", [("x=0, y=0", 0), ("x=0.1, y=0", 0), ("x=0, y=0.1", 0)]),
    "puck at rest on a rough floor in space": ("""
param p = 1
coord x, y, z [m]
particle P mass 1 = (x, y, z) in world
gravity (0, 0, -10)
force x = p
constraint floor: z >= 0 with friction 0.3""", [("x=0, y=0, z=0", 0), ("x=0, y=0, z=0, x'=1, y'=2", 0)]),
    "puck that is pulled off": ("""
coord x, y, z [m]
particle P mass 1 = (x, y, z) in world
gravity (0, 0, -10)
force x = 5
constraint floor: z >= 0 with friction 0.3""", [("x=0, y=0, z=0", 4), ("x=0, y=0, z=0, y'=2", 0)]),
    "sleeve with dry friction in its guide": ("""
coord x, y [m]
particle P mass 1 = (x, y, 0) in world
gravity (0, -10, 0)
force x = 2
constraint guide: y = 0 with friction 0.3""", [("x=0, y=0", 0), ("x'=1", 0), ("x'=-1", 0)]),
    "sleeve that is drawn harder": ("""
coord x, y [m]
particle P mass 1 = (x, y, 0) in world
gravity (0, -10, 0)
force x = -4
constraint guide: y = 0 with friction 0.3""", [("x=0, y=0", 0), ("x'=1", 0)]),
    "a servo holds a distance": ("""
coord x, y [m]
kinetic x'^2/2 + y'^2
potential (x - y)^2
constraint path: y = sin(t) by x
initial y = 0
initial y' = 1""", [("", 0)]),
    "a table is left": ("""
table law(x) = (0, 0), (1, 1), (2, 4) cubic
coord x [m]
kinetic x'^2/2
force x = -law(x)
initial x = 1""", [("x=1", 0), ("x=1.5, x'=1", 0)]),
    "Painleve's rod": ("""
param mu = 3
coord x, y [m]
coord phi [rad]
frame R = world at (x, y, 0) rotated z(phi)
rod bar mass 1 from (-1, 0, 0) to (1, 0, 0) in R
point tip = (-1, 0, 0) in R
gravity (0, -9.81, 0)
constraint floor: pos(tip).y >= 0 with friction mu
initial phi = 0.9
initial x = 0
initial x' = -1
initial pos(tip).y = 0""", [("phi=0.3, x=0, y=0.29552020666133955, x'=1, y'=0, phi'=0", 0)]),
}


class Wrong(Exception):
    pass


def export(program, text, folder):
    # a library is opened once under its name
    folder = tempfile.mkdtemp(dir=folder)
    path = os.path.join(folder, "m.zw")
    with open(path, "w", encoding="utf-8") as f:
        f.write(text + "\n")
    p = subprocess.run([program, "derive", path, "--as", "c"], capture_output=True, text=True, timeout=60, check=False)
    if p.returncode:
        raise Wrong(p.stderr)
    with open(os.path.join(folder, "m.c"), "w", encoding="utf-8") as f:
        f.write(p.stdout)
    c = subprocess.run(["cc", "-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O1", "-shared", "-fPIC", "-o", f"{folder}/m.so",
                        f"{folder}/m.c", "-lm"], capture_output=True, text=True, check=False)
    if c.returncode:
        raise Wrong(c.stderr)
    return path, ctypes.CDLL(f"{folder}/m.so"), p.stdout


def ask(program, path, state):
    words = [program, "eval", path, "--format", "json", "--quiet"] + (["--state", state] if state else [])
    p = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
    return json.loads(p.stdout) if p.returncode == 0 else None


def array(values, kind=ctypes.c_double):
    return (kind * max(1, len(values)))(*values)


def judge(program, text, states, folder):
    path, library, source = export(program, text, folder)
    for state, code in states:
        told = ask(program, path, state)
        if told is None and not code:
            raise Wrong(f"{state}: zwang eval has no answer")
        names = [name for name, _ in orders(source)[0]]
        at = dict(told["state"]) if told else dict.fromkeys(names + [n + "'" for n in names], 0.0)
        if code:
            # what `zwang eval` would mend first, as an impact, is asked for as it is
            at = {**dict.fromkeys(at, 0.0), **{n: float(x) for n, x in (part.split("=") for part in state.replace(" ", "").split(","))}}
        q, v = array([at[n] for n in names]), array([at[n + "'"] for n in names])
        a, reactions = array([7.0] * len(names)), array([0.0] * 20)
        found = library.zwang_accelerations(ctypes.c_double(at.get("t", 0)), q, v, None, a, reactions)
        if found != code:
            raise Wrong(f"{state}: code {found} instead of {code}")
        if code:
            if any(x != 7 for x in a):
                raise Wrong(f"{state}: code {code}, and yet numbers")
            continue
        for i, n in enumerate(names):
            want = told["accelerations"][n]
            if abs(a[i] - want) > 1e-9 * max(1, abs(want)):
                raise Wrong(f"{state}: {n}'' = {a[i]}, zwang eval says {want}")


def events(program, folder):
    """a ball that bounces, counts, and is stopped: against the closed form"""
    text = """
param k = 0
coord x, y [m]
particle P mass 2 = (x, y, 0) in world
gravity (0, -10, 0)
constraint floor: y >= 0 with restitution 0.5
constraint rail: x = 0.25*y
event top: y' = 0 falling { set k = k + 1; release rail }
event far: y - 100 = 0 rising stop
sample tick every 0.5 { k = 2*k }
output height = 3*y
output load = reaction(floor)""".replace("param k", "memory k")
    _, library, source = export(program, text, folder)
    library.zwang_sample_next.restype = ctypes.c_double
    number = ctypes.c_double
    q, v, g, y = array([0.25, 1.0]), array([0.5, 2.0]), array([0.0] * 3), array([0.0] * 2)
    hold = array([1, 1], ctypes.c_int)
    param = array([5.0])
    names = (ctypes.c_char_p * 3).in_dll(library, "zwang_event_name")
    if [n.decode() for n in names] != ["top", "far", "tick"]:
        raise Wrong(f"events {list(names)}")
    if library.zwang_events(number(0), q, v, param, hold, g) or (g[0], g[1]) != (2.0, -99.0):
        raise Wrong(f"events have the values {list(g)}")
    if library.zwang_outputs(number(0), q, v, param, hold, y) or list(y) != [3.0, 0.0]:
        raise Wrong(f"outputs {list(y)}")
    if library.zwang_sample_next(2, number(1.2), q, v, param) != 1.5 or not math.isinf(library.zwang_sample_next(0, number(0), q, v, param)):
        raise Wrong("samples come at other times")
    if library.zwang_event_happens(0, number(0), q, v, param, hold) or param[0] != 6 or list(hold) != [1, 0]:
        raise Wrong(f"the event sets {param[0]} {list(hold)}")
    # met at 2 m/s downwards, along the rail: the velocity along it turns back by half
    q, v, hold = array([0.0, 0.0]), array([-0.5, -2.0]), array([1, 1], ctypes.c_int)
    if library.zwang_impact(number(0), q, v, param, hold) or abs(v[1] - 1) > 1e-12 or abs(v[0] - 0.25) > 1e-12:
        raise Wrong(f"the impact leaves {list(v)}")
    return source


def reduced(program, folder):
    """a sleigh in its speed and spin: the rates of both as by hand, and a spring that pulls late"""
    _, library, _ = export(program, """
param m = 2, J = 0.5, s = 0.3
coord x, y [m]
coord phi [rad]
frame S = world at (x, y, 0) rotated z(phi)
body B mass m inertia (J, J, J) at (s, 0, 0) in S
constraint blade: vel(S, S).y = 0
quasi u = vel(S, S).x
quasi w = phi'""", folder)
    number, q = ctypes.c_double, array([0.1, 0.2, 0.7])
    dq, du, u = array([0.0] * 3), array([0.0] * 2), array([0.0] * 2)
    v = array([3 * math.cos(0.7), 3 * math.sin(0.7), 1.5])
    library.zwang_speeds(number(0), q, v, None, u)
    code = library.zwang_reduced(number(0), q, u, None, dq, du)
    # u' = s w^2, (J + m s^2) w' = -m s u w
    want = [0.3 * 1.5 ** 2, -2 * 0.3 * 3 * 1.5 / (0.5 + 2 * 0.3 ** 2)]
    near = all(abs(x - y) < 1e-12 for x, y in zip([*u, *dq, *du], [3, 1.5, *v, *want]))
    if code or not near:
        raise Wrong(f"code {code}: u {list(u)}, rates {list(dq)} {list(du)} instead of {want}")
    _, library, _ = export(program, "coord x\nkinetic x'^2/2\nforce x = -3*delay(x, 0.2)\n", folder)
    a = array([7.0])
    if library.zwang_accelerations(number(0), array([1.0]), array([0.0]), None, a, None) != 1 or a[0] != 7:
        raise Wrong("a value of some time ago is not known, and yet a number comes")
    if library.zwang_accelerations(number(0), array([1.0]), array([0.0]), array([2.0]), a, None) or a[0] != -6:
        raise Wrong(f"the value of some time ago is given, and x'' = {a[0]}")


OTHERS = {"what happens": events, "reduced form, and a delay": reduced}


def main():
    failed = 0
    chosen = [name for name in CASES if len(sys.argv) < 3 or sys.argv[2] in name]
    print(f"1..{len(chosen) + len(OTHERS)}")
    for i, name in enumerate(chosen + list(OTHERS), 1):
        with tempfile.TemporaryDirectory() as folder:
            try:
                if name in CASES:
                    judge(sys.argv[1], *CASES[name], folder)
                else:
                    OTHERS[name](sys.argv[1], folder)
                print(f"ok {i} - {name}")
            except Wrong as e:
                failed += 1
                print(f"not ok {i} - {name} # {e}")
    print(f"# {len(chosen) + len(OTHERS) - failed} passed, {failed} failed, 0 skipped")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
