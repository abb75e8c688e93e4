#!/usr/bin/env python3
"""Newton's and Euler's equations of every body of every machine, with the printed forces and moments of its joints.

usage: newton_euler.py ZWANG [MACHINE.zw ...]      without machines: all beside this file and in the folders there

Of each body  sum of forces = m a  of its centre of mass  and  sum of moments about that = d(J w)/dt.  The forces and moments of joints are what zwang prints (`reaction(NAME)`, `moment(NAME)`); masses, weights,
springs, bushings, ropes, tyres, gears and contacts are worked out here from what is written (anatomy.py). The accelerations that zwang prints are held against differences of the velocities that it prints, and
along the ways that a joint leaves free its force and moment must be what is written along its coordinates: motors, torsion springs, gears; without them nothing. All this also of the twin, in which each joint is a constraint.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

import anatomy
import twin

ALLOWED = 1e-8
SAMPLES = 7
STEP = 2e-4  # of the differences, in seconds
ALONE = ("published", "kinds")  # folders of machines without twins; `kinds` has joints and loads of every kind, also where a machine would not
TURN = 0.03  # the most that a body may turn in one
# of the first derivative by the four values before and behind, of order eight
WEIGHTS = {1: 4 / 5, 2: -1 / 5, 3: 4 / 105, 4: -1 / 280}
FREE = {  # turns and ways that joints leave, by the letters of their axes: c along that of A and B, a of A alone, b of B alone, * all
    "weld": ("", ""), "hinge": ("c", ""), "slider": ("", "c"), "cylindrical": ("c", "c"), "universal": ("ab", ""), "spherical": ("*", ""),
    "planar": ("c", "-"), "free": ("*", "*"), "distance": ("*", "-line"), "point": ("*", None), "screw": (None, None),
}


def add(*vectors):
    return [sum(c) for c in zip(*vectors)]


def times(k, v):
    return [k * c for c in v]


def less(a, b):
    return [x - y for x, y in zip(a, b)]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def size(v):
    return dot(v, v)**0.5


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def unit(v):
    return times(1 / size(v), v)


def outer(a, b):
    return [[x * y for y in b] for x in a]


def applied(M, v):
    return [dot(row, v) for row in M]


def summed(*matrices):
    return [add(*rows) for rows in zip(*matrices)]


def scaled(k, M):
    return [times(k, row) for row in M]


ONE = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]


class Made:
    """a statement in its place: a thing of a part with its prefix, a row of numbers to read from"""

    def __init__(self, machine, s, prefix, index):
        self.machine, self.s, self.prefix, self.index = machine, s, prefix, index
        self.kind = s.text.split(" ")[0]

    def has(self, key):
        return key in self.s.asked

    def get(self, row, key, otherwise=None):
        if key not in self.s.asked:
            return otherwise
        name = self.prefix + self.s.asked[key][0] + (f"[{self.index[1]}]" if self.index else "")
        return float(row[name]) if name in row else [float(row[f"{name}.{axis}"]) for axis in "xyz"]

    def named(self, text):
        """what a name means where the statement stands"""
        name = anatomy.indexed(text.strip(), self.index)
        prefix = self.prefix
        while prefix and prefix + name not in self.machine.carrier and prefix + name not in self.machine.joints:
            prefix = re.sub(r"[^.]+\.$", "", prefix)
        return prefix + name

    def place(self, row, thing, at):
        """a place given in the axes of a thing, in the world's"""
        if thing == "world":
            return at
        where = self.machine.where[thing]
        return add(where.get(row, "pos"), *(times(c, where.get(row, axis)) for c, axis in zip(at, "xyz")))

    def along(self, row, thing, direction):
        if thing == "world":
            return direction
        return add(*(times(c, self.machine.where[thing].get(row, axis)) for c, axis in zip(direction, "xyz")))


class Machine:
    def __init__(self, lines):
        self.text = anatomy.Text(lines)
        self.text.ask_all()
        self.bodies, self.where, self.carrier, self.joints, self.acting = {}, {}, {"world": None}, {}, []
        for s, prefix, index in self.text.instances():
            self.enter(Made(self, s, prefix, index))

    def enter(self, made):
        text, kind = made.s.text, made.kind
        rest = text.partition(" ")[2]
        if kind in anatomy.SOLIDS:
            name = made.prefix + anatomy.indexed(rest.split(" ")[0], made.index)
            self.bodies[name] = self.where[name] = made
            self.carrier[name] = name
        elif kind in ("frame", "point"):
            name, _, what = rest.partition("=")
            ps = anatomy.pieces(what, anatomy.WORDS["place"])
            name = made.prefix + anatomy.indexed(name.strip(), made.index)
            self.where[name] = made
            self.carrier[name] = self.carrier[made.named(ps[0][1] if kind == "frame" else dict(ps).get("in", "world"))]
        elif kind == "put":
            on = dict(anatomy.pieces(rest, ("on", "at", "rotated", "as")))
            base = made.prefix + anatomy.indexed(on["as"], made.index) + ".base"
            self.carrier[base] = self.carrier[made.named(on.get("on", "world"))]
        elif text == "base":
            self.where[made.prefix + "base"] = made
        elif kind == "joint":
            self.joints[made.prefix + anatomy.indexed(rest.partition(":")[0].strip(), made.index)] = Joint(made)
        elif kind in ACTING:
            self.acting.append(made)
        elif kind not in ("model", "param", "let", "curve", "surface", "state", "rate", "initial", "run", "stage", "output", "show", "tolerance"):
            raise RuntimeError(f"what does `{text}` do to bodies?")


class Joint:
    def __init__(self, made):
        self.made = made
        self.kind, self.b, ps = anatomy.joint_pieces(made.s.text.partition(":")[2])
        self.a = next((what for word, what in ps if word == "on"), "world")
        self.along = {}  # coordinate -> [function of a row], what is written along it

    def frames(self):
        guide = re.match(r"(?:curve|surface) \S+(?: of (\S+))?", self.a)
        return self.made.named(self.b), self.made.named((guide.group(1) or "world") if guide else self.a)

    def act(self, row):
        """on B the force and moment, on A the opposite, both at the place on B"""
        b, a = self.frames()
        at = self.made.place(row, b, self.made.get(row, ("b", "at"), [0, 0, 0]))
        F, M = self.made.get(row, "force"), self.made.get(row, "moment")
        carrier = self.made.machine.carrier
        return [(carrier[b], F, at, M), (carrier[a], times(-1, F), at, times(-1, M))]

    def moving(self, row):
        """velocity of the place on B against A, angular velocity against A; both of B alone"""
        b, a = self.frames()
        at = self.made.place(row, b, self.made.get(row, ("b", "at"), [0, 0, 0]))
        def of(thing):
            if thing == "world":
                return [0, 0, 0], [0, 0, 0]
            where = self.made.machine.where[thing]
            w = where.get(row, "om")
            return add(where.get(row, "vel"), cross(w, less(at, where.get(row, "pos")))), w
        return [less(x, y) for x, y in zip(of(b), of(a))] + list(of(b))

    def axes(self, row):
        b, a = self.frames()
        said = {side: self.made.get(row, (side, "axis")) for side in "ab"}
        plain = [0, 0, 1]
        axis = {side: unit(self.made.along(row, thing, said[side] or ([1, 0, 0] if self.kind == "universal" and side == "b" else plain)))
                for side, thing in (("a", a), ("b", b))}
        return {"a": axis["a"], "b": axis["b"], "c": axis["b"] if said["b"] or not said["a"] else axis["a"]}

    def idle(self, row):
        """[(what the joint does along a free way, what is written there)]; of screws and guides see their power"""
        turns, ways = FREE[self.kind]
        F, M = self.made.get(row, "force"), self.made.get(row, "moment")
        axis = self.axes(row)
        out = []
        def written(coordinate):
            return sum(f(row) for f in self.along.get(coordinate, ()))
        names = {"universal": {"a": "a", "b": "b"}}.get(self.kind, {"c": "angle"})
        for letter in turns or "":
            if letter == "*":
                out += [(c, 0) for c in M]
            else:
                out.append((dot(M, axis[letter]), written(names[letter])))
        if ways == "c":
            out.append((dot(F, axis["c"]), written("s")))
        elif ways == "*" and not self.along:
            out += [(c, 0) for c in F]
        elif ways == "-" and not {"x", "y"} & self.along.keys():
            out += [(c, 0) for c in less(F, times(dot(F, axis["c"]), axis["c"]))]
        elif ways == "-line":
            b, a = self.frames()
            line = unit(less(*(self.made.place(row, thing, self.made.get(row, (side, "at"), [0, 0, 0])) for side, thing in (("b", b), ("a", a)))))
            out += [(c, 0) for c in less(F, times(dot(F, line), line))]
        return out


def solid(made, row):
    """mass, centre and tensor of inertia about it, in the axes of the body; S is the integral of r r' dm about the centre, and the tensor tr S - S"""
    kind, get = made.kind, lambda key, otherwise=None: made.get(row, key, otherwise)
    centre = get("at", [0, 0, 0])
    if kind == "body":
        I = [get(("inertia", i), 0) for i in range(6)]
        return get("mass"), centre, [[I[0], I[3], I[4]], [I[3], I[1], I[5]], [I[4], I[5], I[2]]]
    if kind == "rod":
        d = less(get("to"), get("from"))
        centre, per = times(0.5, add(get("to"), get("from"))), scaled(1 / 12, outer(d, d))
    elif kind == "plate":
        a, b, c = (get(("corners", i)) for i in range(3))
        u, v = less(b, a), less(c, a)
        centre, per = add(a, times(0.5, add(u, v))), scaled(1 / 12, summed(outer(u, u), outer(v, v)))
    elif kind == "box":
        per = [[get("size")[i]**2 / 12 if i == j else 0 for j in range(3)] for i in range(3)]
    elif kind == "ball":
        per = scaled(get("radius")**2 / 5, ONE)
    else:
        n = unit(get("normal" if kind == "disc" else "axis", [0, 0, 1]))
        length = get("length", 0)
        per = summed(scaled(get("radius")**2 / 4, summed(ONE, scaled(-1, outer(n, n)))), scaled(length**2 / 12, outer(n, n)))
    volume = {"box": lambda: get("size")[0] * get("size")[1] * get("size")[2]}
    m = get("mass") if made.has("mass") else get("density") * volume[kind]()
    trace = sum(per[i][i] for i in range(3))
    return m, centre, scaled(m, summed(scaled(trace, ONE), scaled(-1, per)))


def inertia_forces(made, row):
    """m a of the centre of mass and d(J w)/dt, J turning with the body; the centre; its velocity and the angular velocity"""
    m, centre, tensor = solid(made, row)
    axes = [made.get(row, axis) for axis in "xyz"]
    turn = [[axes[j][i] for j in range(3)] for i in range(3)]
    r, w, al = applied(turn, centre), made.get(row, "om"), made.get(row, "al")
    def J(v):
        return applied(turn, applied(tensor, applied(axes, v)))
    acceleration = add(made.get(row, "acc"), cross(al, r), cross(w, cross(w, r)))
    return m, times(m, acceleration), add(J(al), cross(w, J(w))), add(made.get(row, "pos"), r)


def spring(made, row):
    p, q = made.get(row, "from"), made.get(row, "to")
    way = less(q, p)
    long = size(way)
    rate = dot(less(made.get(row, ("to", "vel")), made.get(row, ("from", "vel"))), way) / long
    if made.kind == "pull":
        f = made.get(row, "law")
    else:
        f = made.get(row, "stiffness", 0) * (long - made.get(row, "length", 0)) + made.get(row, "damping", 0) * rate + made.get(row, "preload", 0)
    if abs(f - made.get(row, "force")) > 1e-9 * max(1, abs(f)):
        raise RuntimeError(f"{made.s.text}: prints the force {made.get(row, 'force')}, its law says {f}")
    ps = dict(anatomy.pieces(made.s.text.partition(":")[2].partition("=")[0], anatomy.WORDS["spring"]))
    F = times(f / long, way)
    on = [None if ps[end].startswith("(") else made.machine.carrier[made.named(ps[end])] for end in ("from", "to")]
    return [(on[0], F, p, [0, 0, 0]), (on[1], times(-1, F), q, [0, 0, 0])]


def bushing(made, row):
    ps = anatomy.pieces(made.s.text.partition(":")[2], anatomy.WORDS["bushing"])
    b, a = made.named(ps[0][1]), made.named(dict(ps)["on"])
    def three(key):
        value = made.get(row, key, 0)
        return value if isinstance(value, list) else [value] * 3
    def state(thing, at):
        if thing == "world":
            return at, [0, 0, 0], [0, 0, 0], ONE
        where = made.machine.where[thing]
        place, w = made.place(row, thing, at), where.get(row, "om")
        return place, add(where.get(row, "vel"), cross(w, less(place, where.get(row, "pos")))), w, [where.get(row, axis) for axis in "xyz"]
    pb, vb, wb, Rb = state(b, made.get(row, ("b", "at"), [0, 0, 0]))
    pa, va, wa, Ra = state(a, made.get(row, ("a", "at"), [0, 0, 0]))
    way = less(pb, pa)
    d, rate, turn = applied(Ra, way), applied(Ra, less(less(vb, va), cross(wa, way))), applied(Ra, less(wb, wa))
    R = [[dot(Ra[i], Rb[j]) for j in range(3)] for i in range(3)]
    k, c, kt, ct = three("stiffness"), three("damping"), three("turning"), three(("turning", "damping"))
    f = [-k[i] * d[i] - c[i] * rate[i] for i in range(3)]
    # a turn by e about the axis n of A changes R by e n x R, and the energy sum kt_i/2 (1 + R_ii - R_jj - R_kk) by -e M_n
    M = []
    for n in range(3):
        grown = [cross(ONE[n], [R[i][j] for i in range(3)])[j] for j in range(3)]
        M.append(-sum(kt[i] / 2 * (2 * grown[i] - sum(grown)) for i in range(3)) - ct[n] * turn[n])
    F, M = made.along(row, a, f), made.along(row, a, M)
    carrier = made.machine.carrier
    return [(carrier[b], F, pb, M), (carrier[a], times(-1, F), pb, times(-1, M))]


def force(made, row):
    ps = anatomy.pieces(made.s.text.partition(" ")[2], anatomy.WORDS[made.kind])
    words = dict(ps)
    where = words.get("at" if made.kind == "force" else "on")
    if where is None:
        return []
    value, thing = made.along(row, made.named(words.get("in", "world")), made.get(row, "value")), made.named(where)
    body = made.machine.carrier[thing]
    at = made.machine.where[thing].get(row, "pos") if thing != "world" else [0, 0, 0]
    return [(body, value, at, [0, 0, 0]) if made.kind == "force" else (body, [0, 0, 0], at, value)]


def rope(made, row):
    names = anatomy.listed(anatomy.pieces(made.s.text.partition(":")[2], anatomy.WORDS["rope"])[0][1])
    places, T = [made.get(row, ("place", i)) for i in range(len(names))], made.get(row, "tension")
    out = []
    for (p, at), (q, to) in zip(list(zip(names, places)), list(zip(names, places))[1:]):
        F = times(T, unit(less(to, at)))
        for name, place, sign in ((p, at, 1), (q, to, -1)):
            out.append((None if name.startswith("(") else made.machine.carrier[made.named(name)], times(sign, F), place, [0, 0, 0]))
    return out


def constraint(made, row):
    """the reaction along the gradient: a force at the point of `pos` and `vel`, a moment for `omega`; `pos(P, F)` pushes F back at the same place"""
    out, last = [], None
    for i, m in enumerate(anatomy.terms(made.s)[0]):
        if m["joint"]:
            continue
        share = made.get(row, "reaction") * made.get(row, ("coefficient", i))
        thing, by = made.named(m["of"]), made.named(m["by"] or "world")
        F = times(share, made.along(row, by, ONE["xyz".index(m["axis"])]))
        carrier, at = made.machine.carrier, made.machine.where[thing].get(row, "pos")
        if m["what"] == "omega":
            out.append((carrier[thing], [0, 0, 0], at, F))
            continue
        out.append((carrier[thing], F, at, [0, 0, 0]))
        if m["what"] == "pos" and m["by"]:
            out.append((carrier[by], times(-1, F), at, [0, 0, 0]))
        last = thing
    if made.get(row, "friction", 0):
        # its size, against the slip of the place that touches; all here touch level ground and slip
        slip = made.machine.where[last].get(row, "vel")
        out.append((made.machine.carrier[last], times(-made.get(row, "friction"), unit(slip)), made.machine.where[last].get(row, "pos"), [0, 0, 0]))
    return out


def contact(made, row):
    """of a ball on level ground, in a machine that moves in the plane of x and z: the size of friction is printed; it is against the slip, and where the ball grips it may be either way"""
    ball = made.named(anatomy.BALL.match(made.s.text)[1])
    where, down = made.machine.where[ball], [0, 0, -made.get(row, "radius")]
    slip = add(where.get(row, "vel"), cross(where.get(row, "om"), down))
    way = -1 if slip[0] > 0 else 1
    if made.get(row, "friction") and not made.get(row, "slip") > 1e-9:
        others = sum(F[0] for joint in made.machine.joints.values() for body, F, _, _ in joint.act(row) if body == ball)
        others += sum(F[0] for m in made.machine.acting if m is not made for body, F, _, _ in ACTING[m.kind](m, row) if body == ball)
        way = 1 if inertia_forces(made.machine.bodies[ball], row)[1][0] > others else -1
    return [(made.machine.carrier[ball], [way * made.get(row, "friction"), 0, made.get(row, "reaction")], add(where.get(row, "pos"), down), [0, 0, 0])]


def nothing(_made, _row):
    return []


ACTING = {"spring": spring, "pull": spring, "bushing": bushing, "force": force, "torque": force, "rope": rope, "constraint": constraint, "couple": constraint,
          "contact": contact, "torsion": nothing, "gravity": nothing}


def tell_joints(machine):
    """what is written along the coordinates of joints: motors, torsion springs, gears and stops"""
    for made in machine.acting:
        rest = made.s.text.partition(" ")[2]
        if made.kind == "force" and made.s.asked and "at" not in dict(anatomy.pieces(rest, anatomy.WORDS["force"])):
            name, _, coordinate = rest.split("=")[0].strip().rpartition(".")
            machine.joints[made.named(name)].along.setdefault(coordinate, []).append(lambda row, made=made: made.get(row, "value"))
        elif made.kind == "torsion":
            joint = dict(anatomy.pieces(rest, anatomy.WORDS["torsion"]))["on"]
            machine.joints[made.named(joint)].along.setdefault("angle", []).append(
                lambda row, made=made: -made.get(row, "stiffness", 0) * (made.get(row, "now") - made.get(row, "angle", 0)) - made.get(row, "damping", 0) * made.get(row, "rate"))
        elif made.kind in ("couple", "constraint"):
            for i, m in enumerate(anatomy.terms(made.s)[0]):
                if m["joint"]:
                    machine.joints[made.named(m["joint"])].along.setdefault(m["coordinate"], []).append(
                        lambda row, made=made, i=i: made.get(row, "reaction") * made.get(row, ("coefficient", i)))


class Worst:
    def __init__(self):
        self.off = {}

    def note(self, kind, which, off, scale):
        worst, of, largest = self.off.get((kind, which), (0, 0, 0))
        self.off[(kind, which)] = (max(worst, off), off, max(largest, scale))

    def shares(self):
        """of each kind the worst over the scale of the body or joint, or of all where it carries next to nothing"""
        out = {}
        for kind in sorted({kind for kind, _ in self.off}):
            own = {which: (worst, scale) for (k, which), (worst, _, scale) in self.off.items() if k == kind}
            least = 1e-3 * max(scale for _, scale in own.values())
            share = {which: worst / max(scale, least, 1e-300) for which, (worst, scale) in own.items()}
            at = max(share, key=share.get)
            out[kind] = (share[at], at)
        return out


def equations(machine, row, worst):
    total = {name: ([], []) for name in machine.bodies}
    centres = {}
    g = next((made.get(row, "value") for made in machine.acting if made.kind == "gravity"), [0, 0, 0])
    for name, made in machine.bodies.items():
        m, ma, spin, centre = inertia_forces(made, row)
        total[name][0].extend([times(-1, ma), times(m, g)])
        total[name][1].append((times(-1, spin), size(spin)))
        centres[name] = centre
    acts = [act for made in machine.acting for act in ACTING[made.kind](made, row)]
    acts += [act for joint in machine.joints.values() for act in joint.act(row)]
    for body, F, at, M in acts:
        if body is not None:
            total[body][0].append(F)
            lever = less(at, centres[body])
            total[body][1].append((add(cross(lever, F), M), size(lever) * size(F) + size(M)))
    for name, (F, M) in total.items():
        worst.note("newton", name, size(add(*F)), sum(map(size, F)))
        worst.note("euler", name, size(add(*(moment for moment, _ in M))), sum(large for _, large in M))
    for name, joint in machine.joints.items():
        F, M = joint.made.get(row, "force"), joint.made.get(row, "moment")
        for there, written in joint.idle(row):
            worst.note("along", name, abs(there - written), size(F) + size(M) + abs(written))
        v, w, whole_v, whole_w = joint.moving(row)
        power, scale = dot(F, v) + dot(M, w), size(F) * size(whole_v) + size(M) * size(whole_w)
        worst.note("power", name, abs(joint.made.get(row, "power") - power), scale)
        if joint.kind in ("screw", "point") and not joint.along:
            worst.note("power", name, abs(power), scale)


def differences(machine, rows, step, worst):
    """printed accelerations against differences of printed velocities"""
    middle = rows[len(rows) // 2]
    for name, made in machine.bodies.items():
        for rate, kind in (("vel", "acc"), ("om", "al")):
            slope = [0, 0, 0]
            for k, weight in WEIGHTS.items():
                before, behind = rows[len(rows) // 2 - k], rows[len(rows) // 2 + k]
                slope = add(slope, times(weight / step, less(made.get(behind, rate), made.get(before, rate))))
            there = made.get(middle, kind)
            w = made.get(middle, "om")
            worst.note("differences", kind + " " + name, size(less(slope, there)), size(there) + size(w) * size(made.get(middle, rate)))


def simulated(program, machine, name, folder, step):
    """nine rows about each sample: those whose nine lie in one stretch of the motion"""
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as f:
        f.write("\n".join(machine.text.instrumented()) + "\n")
    ends = next((re.match(r"run (\S+) \.\. (\S+)", s.text).groups() for s in machine.text.top if s.text.startswith("run")), ("0", "0.03"))
    start, end = map(float, ends)
    samples = [start + (end - start) * (i + 0.5) / SAMPLES for i in range(SAMPLES)]
    times_ = [t + k * step for t in samples for k in range(-4, 5)]
    out = os.path.join(folder, "track.json")
    p = subprocess.run([program, "run", path, "--tol", "1e-14", "--quiet", "--until", repr(end), "--at", ",".join(map(repr, times_)), "--out", out],
                       capture_output=True, text=True, timeout=300, check=False)
    if p.returncode:
        raise RuntimeError(f"{name}: status {p.returncode}\n{p.stderr[:1000]}")
    with open(out, encoding="utf-8") as f:
        track = json.load(f)
    columns = track["columns"]
    rows = {values[0]: dict(zip(columns, values)) for values in zip(*columns.values())}
    events = [e["t"] for e in track["events"]]
    groups = [[rows[t] for t in times_[9 * i:9 * i + 9]] for i in range(SAMPLES)]
    return [g for g in groups if not any(g[0]["t"] <= t <= g[-1]["t"] for t in events)]


def judge(program, lines, name):
    machine = Machine(lines)
    tell_joints(machine)
    with tempfile.TemporaryDirectory() as folder:
        step = STEP
        groups = simulated(program, machine, name, folder, step)
        fastest = max(size(made.get(rows[4], "om")) for made in machine.bodies.values() for rows in groups)
        if fastest * step > TURN:
            step = TURN / fastest
            groups = simulated(program, machine, name, folder, step)
    if len(groups) < SAMPLES // 2:
        return False, f"{len(groups)} samples"
    worst = Worst()
    for rows in groups:
        equations(machine, rows[4], worst)
        differences(machine, rows, step, worst)
    shares = worst.shares()
    text = f"{len(machine.bodies)} bodies, {len(machine.joints)} joints: " + ", ".join(f"{kind} {off:.0e} ({which})" for kind, (off, which) in shares.items())
    return max(off for off, _ in shares.values()) <= ALLOWED, text


def forms(program, path):
    """the machine as written, and its twin where it has one"""
    with open(path, encoding="utf-8") as f:
        lines = f.read().splitlines()
    if os.path.basename(os.path.dirname(path)) in ALONE:
        yield os.path.basename(path), lines
        return
    made = twin.Machine(program, path)
    yield os.path.basename(path), made.lines
    with tempfile.TemporaryDirectory() as folder:
        start = twin.run(program, made.lines + made.outputs(), os.path.basename(path), folder, ["--points", "2", "--tol", "1e-13", "--quiet"])[0]
    yield os.path.basename(path).replace(".zw", "_twin.zw"), made.twin(start)


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    program, paths = sys.argv[1], sys.argv[2:]
    own = not paths
    for folder in (here, *(os.path.join(here, name) for name in ALONE)) if own else ():
        paths += sorted(os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".zw"))
    failed, count = 0, 0
    for path in paths:
        texts = forms(program, path)
        for name, lines in texts:
            count += 1
            try:
                good, text = judge(program, lines, name)
            except (RuntimeError, subprocess.TimeoutExpired) as e:
                good, text = False, str(e).replace("\n", "\n# ")
            failed += not good
            print(f"{'ok' if good else 'not ok'} {count} - {name} # {text}", flush=True)
    print(f"1..{count}")
    print(f"# {count - failed} passed, {failed} failed, 0 skipped")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
