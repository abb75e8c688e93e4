"""Bodies in space on spherical joints: tops and chains of two, by Euler's angles, Cardan's, quaternions, axes, and with every joint a constraint.

Body i turns about its head, O or the end of the body before it. Common names: the points E[i] (end, on its axis), S[i]
(beside it) and the vector om[i], its angular velocity in world axes.
"""
import math

from draw import System, text


class Body:
    def __init__(self, draw):
        self.mass = draw.number(0.4, 2)
        self.moments = [draw.number(0.05, 0.3, 3) for _ in range(3)]
        # those of a body that exists: no moment larger than the sum of the others
        self.moments[2] = round(min(self.moments[2], 0.95 * (self.moments[0] + self.moments[1])), 3)
        low = abs(self.moments[0] - self.moments[1])
        self.moments[2] = round(max(self.moments[2], low + 0.02), 3)
        self.centre, self.length = draw.number(0.2, 0.5), draw.number(0.5, 0.9)
        self.side = draw.number(0.2, 0.5)
        self.attitude = (draw.number(-2, 2), draw.number(0.5, 2.4), draw.number(-2, 2))
        self.omega = [draw.number(-3, 3) for _ in range(3)]


class Plan:
    def __init__(self, draw):
        self.bodies = [Body(draw) for _ in range(draw.choice((1, 1, 1, 2)))]
        self.gravity = draw.choice((0.0, 9.81, 9.81))
        self.law = "(0, 0, 0)"
        if draw.chance(0.25):
            self.law = f"({text(draw.number(0.05, 0.2))}*sin({text(draw.number(1, 5))}*t), 0, {text(draw.number(0.05, 0.2))}*t^2)"
        self.lines, self.smooth = [], True


def rotation(body):
    """axes of the body in the world: z(a) x(b) z(c)"""
    a, b, c = body.attitude

    def about_z(u):
        return [[math.cos(u), -math.sin(u), 0], [math.sin(u), math.cos(u), 0], [0, 0, 1]]

    about_x = [[1, 0, 0], [0, math.cos(b), -math.sin(b)], [0, math.sin(b), math.cos(b)]]
    return product(product(about_z(a), about_x), about_z(c))


def product(A, B):
    return [[sum(A[i][k] * B[k][j] for k in range(3)) for j in range(3)] for i in range(3)]


def attitude(body):
    a, b, c = (text(u) for u in body.attitude)
    return f"z({a}) x({b}) z({c})"


def inertia(body):
    return ", ".join(text(J) for J in body.moments)


def spin(body, i):
    w = [text(u) for u in body.omega]
    return f"initial om[{i}] = ({w[0]}{' + nudge' if i == 0 else ''}, {w[1]}, {w[2]})"


def with_frames(plan, turned, coords, guess):
    """each body turned by TURNED about its head; {i} is its number"""
    lines = [f"point O = {plan.law} in world"]
    if plan.gravity:
        lines.append(f"gravity (0, 0, -{text(plan.gravity)})")
    for i, body in enumerate(plan.bodies):
        head = "O" if i == 0 else f"E[{i - 1}]"
        lines += [coords.format(i=i), f"frame F[{i}] = world at pos({head}) rotated {turned.format(i=i)}"]
        lines += [f"body B[{i}] mass {text(body.mass)} inertia ({inertia(body)}) at (0, 0, {text(body.centre)}) in F[{i}]",
                  f"point E[{i}] = (0, 0, {text(body.length)}) in F[{i}]", f"point S[{i}] = ({text(body.side)}, 0, {text(body.centre)}) in F[{i}]",
                  f"let om[{i}] = omega(F[{i}])", f"initial rotation(F[{i}]) = {attitude(body)}", spin(body, i)]
        if guess:
            lines += [f"initial {name}[{i}] ~ {text(value)}" for name, value in zip(("ps", "th", "ph"), body.attitude)]
    return lines


def euler(plan):
    return with_frames(plan, "z(ps[{i}]) x(th[{i}]) z(ph[{i}])", "coord ps[{i}], th[{i}], ph[{i}]", True)


def cardan(plan):
    return with_frames(plan, "x(al[{i}]) y(be[{i}]) z(ga[{i}])", "coord al[{i}], be[{i}], ga[{i}]", False)


def quaternion(plan):
    return with_frames(plan, "by Q{i}", "orientation Q{i}", False)


def jointed(plan):
    """the centre of each body in space, the joint a constraint"""
    lines = [f"point O = {plan.law} in world"]
    if plan.gravity:
        lines.append(f"gravity (0, 0, -{text(plan.gravity)})")
    for i, body in enumerate(plan.bodies):
        head, beyond = "O" if i == 0 else f"E[{i - 1}]", text(round(body.length - body.centre, 6))
        lines += [f"coord x[{i}], y[{i}], z[{i}]", f"orientation Q{i}",
                  f"frame F[{i}] = world at (x[{i}], y[{i}], z[{i}]) rotated by Q{i}",
                  f"body B[{i}] mass {text(body.mass)} inertia ({inertia(body)}) at (0, 0, 0) in F[{i}]",
                  f"point K[{i}] = (0, 0, -{text(body.centre)}) in F[{i}]", f"constraint joint{i}: pos(K[{i}]) = pos({head})",
                  f"point E[{i}] = (0, 0, {beyond}) in F[{i}]", f"point S[{i}] = ({text(body.side)}, 0, 0) in F[{i}]",
                  f"let om[{i}] = omega(F[{i}])", f"initial rotation(F[{i}]) = {attitude(body)}", spin(body, i)]
    return lines


def axes(plan):
    """the three axes of each body as coordinates, their lengths and angles constraints; T and V by hand"""
    lines = [f"point O = {plan.law} in world"]
    for i, body in enumerate(plan.bodies):
        head = "O" if i == 0 else f"E[{i - 1}]"
        A, B, C = body.moments
        R = rotation(body)
        for k, e in enumerate("def"):
            lines += [f"coord {e}x[{i}], {e}y[{i}], {e}z[{i}]", f"let {e}[{i}] = ({e}x[{i}], {e}y[{i}], {e}z[{i}])"]
            lines += [f"initial {e}{axis}[{i}] ~ {text(R[row][k])}" for row, axis in enumerate("xyz")]
            lines.append(f"constraint unit{e}{i}: dot({e}[{i}], {e}[{i}]) = 1")
        a, b, _ = (text(u) for u in body.attitude)
        # the axis of the body, and what is then left: two of its parts are enough beside the constraints
        lines += [f"initial fx[{i}] = sin({a})*sin({b})", f"initial fy[{i}] = -cos({a})*sin({b})",
                  f"initial dot(d[{i}], (cos({a}), sin({a}), 0)) = cos({text(body.attitude[2])})"]
        lines += [f"constraint right{u}{v}{i}: dot({u}[{i}], {v}[{i}]) = 0" for u, v in ("de", "ef", "fd")]
        lines += [f"let om[{i}] = 0.5*(cross(d[{i}], d[{i}]') + cross(e[{i}], e[{i}]') + cross(f[{i}], f[{i}]'))",
                  f"point E[{i}] = pos({head}) + {text(body.length)}*f[{i}] in world",
                  f"point S[{i}] = pos({head}) + {text(body.centre)}*f[{i}] + {text(body.side)}*d[{i}] in world",
                  f"let g[{i}] = pos({head}) + {text(body.centre)}*f[{i}]",
                  f"kinetic {text(body.mass)}/2*dot(g[{i}]', g[{i}]')", spin(body, i)]
        for e, share in zip("def", ((B + C - A) / 2, (C + A - B) / 2, (A + B - C) / 2)):
            lines.append(f"kinetic {text(share)}/2*dot({e}[{i}]', {e}[{i}]')")
        if plan.gravity:
            lines.append(f"potential {text(body.mass * plan.gravity)}*g[{i}].z")
    return lines


# ---- what acts ---------------------------------------------------------------------------------------------------


def push(draw, plan):
    plan.lines.append(f"force ({text(draw.either(0.2, 2))}, {text(draw.either(0.2, 2))}*sin({text(draw.number(1, 5))}*t), 0) in world at S[0]")


def air(draw, plan):
    d = text(draw.number(0.05, 0.4))
    plan.lines.append(f"force (-{d}*vel(S[0]).x, -{d}*vel(S[0]).y, -{d}*vel(S[0]).z) in world at S[0]")


def spring(draw, plan):
    k, x, y = (text(draw.number(low, high)) for low, high in ((1, 9), (-1, 1), (-1, 1)))
    plan.lines.append(f"potential {k}/2*((pos(E[0]).x - {x})^2 + (pos(E[0]).y - {y})^2 + pos(E[0]).z^2)")


def dry(draw, plan):
    plan.lines.append(f"force (0, 0, -{text(draw.number(0.3, 2))}*sign(vel(E[0]).z)) in world at E[0]")


def told(draw, plan):
    level = round(plan.bodies[0].length * math.cos(plan.bodies[0].attitude[1]) + draw.either(0.02, 0.2), 2)
    plan.lines.append(f"event passed: pos(E[0]).z = {text(level)} report")


def rough_air(draw, plan):
    d = text(draw.number(0.05, 0.6))
    plan.lines.append(f"force (-{d}*abs(vel(S[0]).x)*vel(S[0]).x, 0, 0) in world at S[0]")


def floor(draw, plan):
    level = round(plan.bodies[0].length * math.cos(plan.bodies[0].attitude[1]) - draw.number(0.03, 0.2), 2)
    law = f" with restitution {text(draw.number(0.2, 0.9))}" if draw.chance(0.7) else ""
    plan.lines.append(f"constraint floor: pos(E[0]).z >= {text(level)}{law}")


SMOOTH, SWITCHING = (push, air, spring), (dry, told, rough_air, floor)


def spatial(draw, seed, smooth):
    plan = Plan(draw)
    for feature in draw.sample(SMOOTH, draw.randrange(0, 3)):
        feature(draw, plan)
    if not smooth:
        plan.smooth = False
        for feature in draw.sample(SWITCHING, draw.choice((1, 1, 2))):
            feature(draw, plan)
    return write(draw, seed, plan)


def write(draw, seed, plan):
    outputs, common = [], list(plan.lines)
    for i in range(len(plan.bodies)):
        for name, what in (("end", f"pos(E[{i}])"), ("speed", f"vel(E[{i}])"), ("side", f"vel(S[{i}])"), ("turning", f"om[{i}]")):
            common.append(f"output {name}{i} = {what}")
            outputs += [f"{name}{i}.{axis}" for axis in "xyz"]
    common.append(f"output push = acc(E[{len(plan.bodies) - 1}])")
    outputs += ["push.x", "push.y", "push.z"]
    span = draw.number(0.6, 1.5)
    common += ["output kin = kinetic()", f"run 0 .. {text(span)}"]
    kinds = [euler, cardan, quaternion, jointed, axes]
    draw.shuffle(kinds)
    made = {kind.__name__: "\n".join(["param nudge = 0"] + kind(plan) + common) + "\n" for kind in kinds}
    return System("spatial", seed, made, outputs + ["kin"], plan.smooth, span)
