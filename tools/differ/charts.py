"""Links in a plane, written in several coordinates.

relative    angles of the joints, frame on frame
absolute    angles against the world, frames at places written out
energy      the same angles, T and V by hand, no body at all
points      places of the ends with lengths between them, T and V by hand
maximal     every link for itself in the plane, joints as constraints
quaternion  every link for itself in space, joints as constraints that also hold it in the plane
Each gives the common names of planar.py, a law for torques, and guesses for what constraints decide.
"""
import math

from draw import System, text


def base_lines(plan, chart):
    """the place O that carries what has no parent"""
    free = {"cart": ["X"], "free": ["X", "Y"]}.get(plan.base, [])
    place = {"cart": "(X, 0, 0)", "free": "(X, Y, 0)", "moved": f"({plan.law[0]}, {plan.law[1]}, 0)", "fixed": "(0, 0, 0)"}[plan.base]
    lines = []
    if chart in ("maximal", "quaternion") and plan.base in ("cart", "moved"):
        # the base is a place like others, held by constraints
        free, place = ["X", "Y"], "(X, Y, 0)"
        if plan.base == "cart":
            lines.append("constraint rail: Y = 0")
        else:
            lines += [f"constraint ledx: X = {plan.law[0]}", f"constraint ledy: Y = {plan.law[1]}", "initial X ~ 0", "initial Y ~ 0"]
    if free:
        lines.append("coord " + ", ".join(free))
    lines.append(f"point O = {place} in world")
    if plan.base in ("cart", "free"):
        lines.append(f"kinetic {text(plan.cart)}/2*(vel(O).x^2 + vel(O).y^2)")
        if plan.base == "free" and plan.gravity:
            lines.append(f"potential {text(plan.cart * plan.gravity)}*pos(O).y")
    return lines, place


def base_start(plan):
    lines = []
    for name, place, speed in zip("XY", plan.start, plan.speed):
        if name == "X" and plan.base in ("cart", "free") or name == "Y" and plan.base == "free":
            lines.append(f"initial {name} = {text(place)}")
            # what a blade leaves open is not given
            if name == "X" or plan.free_rates is None:
                lines.append(f"initial {name}' = {text(speed)}")
    return lines


def angle_start(plan, angle, rate):
    """ANGLE and RATE are names with {i}; what constraints decide is a guess"""
    lines = []
    rates = plan.free_angles if plan.free_rates is None else plan.free_rates
    for i, link in enumerate(plan.links):
        lines.append(f"initial {angle.format(i=i)} {'=' if i < plan.free_angles else '~'} {text(link.angle)}")
        if i < rates:
            lines.append(f"initial {rate.format(i=i)} = {text(link.rate)}{' + nudge' if i == 0 else ''}")
    return lines


def direction_start(plan):
    """without a coordinate for the angle: the direction is given by its sine and cosine, guesses say which of both"""
    lines = []
    rates = plan.free_angles if plan.free_rates is None else plan.free_rates
    for i, link in enumerate(plan.links):
        if i < plan.free_angles:
            lines.append(f"initial s[{i}]*cos({text(link.angle)}) = c[{i}]*sin({text(link.angle)})")
        if i < rates:
            lines.append(f"initial w[{i}] = {text(link.rate)}{' + nudge' if i == 0 else ''}")
    return lines


def in_frame(i, link, head, centre, end):
    """points and mass of a link in its frame F[i]; the place of each along it"""
    return [f"point H[{i}] = ({text(head)}, 0, 0) in F[{i}]", f"point E[{i}] = ({text(end)}, 0, 0) in F[{i}]",
            f"point G[{i}] = ({text(centre)}, 0, 0) in F[{i}]"]


def body(i, link, centre):
    J = text(link.inertia)
    return f"body B[{i}] mass {text(link.mass)} inertia ({J}, {J}, {J}) at ({text(centre)}, 0, 0) in F[{i}]"


def angles(i):
    return [f"let c[{i}] = cos(a[{i}])", f"let s[{i}] = sin(a[{i}])", f"let w[{i}] = a[{i}]'"]


def gravity(plan):
    return [f"gravity (0, -{text(plan.gravity)}, 0)"] if plan.gravity else []


def torques_on_frames(plan):
    return [f"torque (0, 0, {law}) in world on F[{i}]" for i, law in plan.torques]


def relative(plan):
    lines, place = base_lines(plan, "relative")
    lines += gravity(plan) + [f"frame base = world at {place}"]
    for i, link in enumerate(plan.links):
        lines.append(f"coord q[{i}]")
        above = f"a[{link.parent}] + " if link.parent >= 0 else ""
        lines.append(f"let a[{i}] = {above}q[{i}]")
        lines += angles(i)
        on = f"F[{link.parent}] at ({text(link.at)}, 0, 0)" if link.parent >= 0 else "base"
        lines.append(f"frame F[{i}] = {on} rotated z(q[{i}])")
        lines.append(body(i, link, link.centre))
        lines += in_frame(i, link, 0, link.centre, link.length)
    return lines + torques_on_frames(plan) + base_start(plan) + angle_start(plan, "a[{i}]", "w[{i}]")


def heads_by_angles(plan, place):
    """hx[i], hy[i]: the head of each link by absolute angles"""
    lines = []
    x, y = place.strip("()").split(", ")[:2]
    for i, link in enumerate(plan.links):
        p = link.parent
        lines.append(f"let hx[{i}] = " + (f"hx[{p}] + {text(link.at)}*cos(a[{p}])" if p >= 0 else x))
        lines.append(f"let hy[{i}] = " + (f"hy[{p}] + {text(link.at)}*sin(a[{p}])" if p >= 0 else y))
    return lines


def absolute(plan):
    lines, _ = base_lines(plan, "absolute")
    lines += gravity(plan) + heads_by_angles(plan, "(pos(O).x, pos(O).y, 0)")
    for i, link in enumerate(plan.links):
        lines += [f"coord a[{i}]"] + angles(i)
        lines.append(f"frame F[{i}] = world at (hx[{i}], hy[{i}], 0) rotated z(a[{i}])")
        lines.append(body(i, link, link.centre))
        lines += in_frame(i, link, 0, link.centre, link.length)
    return lines + torques_on_frames(plan) + base_start(plan) + angle_start(plan, "a[{i}]", "a[{i}]'")


def by_hand(i, link, plan):
    """T and V of a link by the places hx, hy of its head and c, s, w"""
    lines = [f"let gx[{i}] = hx[{i}] + {text(link.centre)}*c[{i}]", f"let gy[{i}] = hy[{i}] + {text(link.centre)}*s[{i}]",
             f"kinetic {text(link.mass)}/2*(gx[{i}]'^2 + gy[{i}]'^2) + {text(link.inertia)}/2*w[{i}]^2"]
    if plan.gravity:
        lines.append(f"potential {text(link.mass * plan.gravity)}*gy[{i}]")
    return lines


def energy(plan):
    lines, _ = base_lines(plan, "energy")
    lines += heads_by_angles(plan, "(pos(O).x, pos(O).y, 0)")
    for i, link in enumerate(plan.links):
        lines += [f"coord a[{i}]"] + angles(i) + by_hand(i, link, plan)
        lines += [f"point H[{i}] = (hx[{i}], hy[{i}], 0) in world", f"point G[{i}] = (gx[{i}], gy[{i}], 0) in world",
                  f"point E[{i}] = (hx[{i}] + {text(link.length)}*c[{i}], hy[{i}] + {text(link.length)}*s[{i}], 0) in world"]
    lines += [f"force a[{i}] = {law}" for i, law in plan.torques]
    return lines + base_start(plan) + angle_start(plan, "a[{i}]", "a[{i}]'")


def points(plan):
    lines, _ = base_lines(plan, "points")
    ends = plan.heads()[1]
    for i, link in enumerate(plan.links):
        p, L = link.parent, text(link.length)
        share = text(round(link.at / plan.links[p].length, 12)) if p >= 0 else ""
        lines.append(f"coord u[{i}], v[{i}]")
        lines.append(f"let hx[{i}] = " + (f"hx[{p}] + {share}*(u[{p}] - hx[{p}])" if p >= 0 else "pos(O).x"))
        lines.append(f"let hy[{i}] = " + (f"hy[{p}] + {share}*(v[{p}] - hy[{p}])" if p >= 0 else "pos(O).y"))
        lines += [f"let c[{i}] = (u[{i}] - hx[{i}])/{L}", f"let s[{i}] = (v[{i}] - hy[{i}])/{L}",
                  f"let w[{i}] = c[{i}]*s[{i}]' - s[{i}]*c[{i}]'",
                  f"constraint rod{i}: (u[{i}] - hx[{i}])^2 + (v[{i}] - hy[{i}])^2 = {L}^2",
                  f"point H[{i}] = (hx[{i}], hy[{i}], 0) in world", f"point E[{i}] = (u[{i}], v[{i}], 0) in world"]
        lines += by_hand(i, link, plan)
        lines.append(f"point G[{i}] = (gx[{i}], gy[{i}], 0) in world")
        lines += [f"initial u[{i}] ~ {text(ends[i][0])}", f"initial v[{i}] ~ {text(ends[i][1])}"]
    for i, law in plan.torques:
        # a couple at both ends
        L = text(plan.links[i].length)
        lines += [f"force (-s[{i}]*({law})/{L}, c[{i}]*({law})/{L}, 0) in world at E[{i}]",
                  f"force (s[{i}]*({law})/{L}, -c[{i}]*({law})/{L}, 0) in world at H[{i}]"]
    return lines + base_start(plan) + direction_start(plan)


def carried(plan, i):
    """where the head of link i has to be"""
    link = plan.links[i]
    return (f"J[{i}]", [f"point J[{i}] = ({text(link.at - plan.links[link.parent].centre)}, 0, 0) in F[{link.parent}]"]) if link.parent >= 0 else ("O", [])


def maximal(plan):
    lines, _ = base_lines(plan, "maximal")
    lines += gravity(plan)
    heads = plan.heads()[0]
    for i, link in enumerate(plan.links):
        lines += [f"coord x[{i}], y[{i}], a[{i}]"] + angles(i)
        lines.append(f"frame F[{i}] = world at (x[{i}], y[{i}], 0) rotated z(a[{i}])")
        lines.append(body(i, link, 0))
        lines += in_frame(i, link, -link.centre, 0, link.length - link.centre)
        on, more = carried(plan, i)
        lines += more + [f"constraint joint{axis}{i}: pos(H[{i}]).{axis} = pos({on}).{axis}" for axis in "xy"]
        lines += [f"initial x[{i}] ~ {text(heads[i][0] + link.centre * math.cos(link.angle))}",
                  f"initial y[{i}] ~ {text(heads[i][1] + link.centre * math.sin(link.angle))}"]
    return lines + torques_on_frames(plan) + base_start(plan) + angle_start(plan, "a[{i}]", "a[{i}]'")


def quaternion(plan):
    lines, _ = base_lines(plan, "quaternion")
    lines += gravity(plan)
    heads = plan.heads()[0]
    for i, link in enumerate(plan.links):
        L, half = text(link.length), link.angle / 2
        lines += [f"coord x[{i}], y[{i}], z[{i}]", f"orientation Q{i}",
                  f"frame F[{i}] = world at (x[{i}], y[{i}], z[{i}]) rotated by Q{i}", body(i, link, 0)]
        lines += in_frame(i, link, -link.centre, 0, link.length - link.centre)
        lines += [f"point Z[{i}] = (0, 0, 1) in F[{i}]", f"let w[{i}] = omega(F[{i}]).z",
                  f"let c[{i}] = (pos(E[{i}]).x - pos(H[{i}]).x)/{L}", f"let s[{i}] = (pos(E[{i}]).y - pos(H[{i}]).y)/{L}"]
        on, more = carried(plan, i)
        lines += more + [f"constraint joint{i}: pos(H[{i}]) = pos({on})"]
        lines += [f"constraint flat{axis}{i}: pos(Z[{i}]).{axis} - {axis}[{i}] = 0" for axis in "xy"]
        lines += [f"initial x[{i}] ~ {text(heads[i][0] + link.centre * math.cos(link.angle))}",
                  f"initial y[{i}] ~ {text(heads[i][1] + link.centre * math.sin(link.angle))}",
                  f"initial Q{i}.w ~ {text(math.cos(half))}", f"initial Q{i}.z ~ {text(math.sin(half))}"]
    return lines + torques_on_frames(plan) + base_start(plan) + direction_start(plan)


ALL = (relative, absolute, energy, points, maximal)
IN_SPACE = 2                     # links that are also tried with quaternions


def write(draw, family, seed, plan):
    """the system of a plan in all its charts, in an order that is drawn"""
    n = len(plan.links)
    outputs, common = [], list(plan.lines)
    for i in range(n):
        common += [f"output place{i} = pos(E[{i}])", f"output speed{i} = vel(E[{i}])", f"output turning{i} = w[{i}]"]
        outputs += [f"place{i}.x", f"place{i}.y", f"speed{i}.x", f"speed{i}.y", f"turning{i}"]
    common += ["output kin = kinetic()", f"output push = acc(E[{n - 1}])"]
    outputs += ["kin", "push.x", "push.y"]
    span = draw.number(0.8, 2)
    common += plan.runs + [f"run 0 .. {text(span)}"]
    kinds = list(ALL) + ([quaternion] if n <= IN_SPACE else [])
    draw.shuffle(kinds)
    made = {kind.__name__: "\n".join(["param nudge = 0"] + kind(plan) + common) + "\n" for kind in kinds}
    return System(family, seed, made, outputs, plan.smooth, span)
