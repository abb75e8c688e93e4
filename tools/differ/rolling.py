"""Balls and discs that roll: by the statement `roll`, and by hand with quaternions or angles and the no-slip condition as constraints."""
import math

from draw import System, text


class Plan:
    def __init__(self, draw):
        self.mass, self.radius = draw.number(0.4, 2), draw.number(0.15, 0.5)
        self.moments = [draw.number(0.3, 0.45) * self.mass * self.radius ** 2 for _ in range(3)]
        self.moments = [round(J, 5) for J in self.moments]
        self.place = (draw.number(-0.5, 0.5), draw.number(-0.5, 0.5))
        self.speed = (draw.number(-1.5, 1.5), draw.number(-1.5, 1.5))
        self.spin = draw.number(-3, 3)
        self.attitude = (draw.number(-2, 2), draw.number(0.6, 1.3), draw.number(-2, 2))
        self.lines, self.smooth = [], True
        self.gravity = 9.81
        # what it rolls on: at rest, or a table that turns
        self.table = draw.number(-1.5, 1.5) if draw.chance(0.4) else 0.0
        self.tilt = draw.number(0.1, 1.5) if draw.chance(0.3) else 0.0


def common(plan):
    a, b, c = (text(u) for u in plan.attitude)
    return [f"frame T = world rotated z({text(plan.table)}*t)" if plan.table else "frame T = world",
            f"initial rotation(B) = z({a}) x({b}) z({c})",
            f"initial pos(B).x = {text(plan.place[0])}", f"initial pos(B).y = {text(plan.place[1])}",
            f"initial vel(B).x = {text(plan.speed[0])} + nudge", f"initial vel(B).y = {text(plan.speed[1])}",
            f"initial omega(B).z = {text(plan.spin)}"]


def ball_inertia(plan):
    return ", ".join(text(J) for J in plan.moments)


def weight(plan):
    return [f"gravity ({text(plan.tilt)}, 0, -{text(plan.gravity)})"]


def ball_rolls(plan):
    R = text(plan.radius)
    return common(plan) + weight(plan) + [
        f"body B mass {text(plan.mass)} inertia ({ball_inertia(plan)})",
        f"roll B as sphere({R}) on {'T' if plan.table else 'world'} as plane at c with hold"]


def no_slip(plan, foot):
    """the velocity of the body's point at FOOT from B is that of the table there"""
    om = text(plan.table)
    return [f"let foot = vel(B) + cross(omega(B), {foot})", f"let under = pos(B) + {foot}",
            f"constraint gripx: foot.x + {om}*under.y = 0", f"constraint gripy: foot.y - {om}*under.x = 0"]


def ball_quaternion(plan):
    R = text(plan.radius)
    return common(plan) + weight(plan) + ["coord x, y", "orientation Q", f"frame B = world at (x, y, {R}) rotated by Q",
                                          f"body M mass {text(plan.mass)} inertia ({ball_inertia(plan)}) in B"] + no_slip(plan, f"(0, 0, -{R})")


def ball_free(plan):
    """the height a coordinate, held by a constraint; the grip said in all three directions, one of them twice"""
    R = text(plan.radius)
    return common(plan) + weight(plan) + ["coord x, y, z", "orientation Q", "frame B = world at (x, y, z) rotated by Q",
                                          f"body M mass {text(plan.mass)} inertia ({ball_inertia(plan)}) in B",
                                          f"constraint floor: z = {R}", "initial z ~ 1", "constraint twice: foot.z = 0"] + no_slip(plan, f"(0, 0, -{R})")


def ball_angles(plan):
    R = text(plan.radius)
    lines = [f"initial {name} ~ {text(value)}" for name, value in zip(("ps", "th", "ph"), plan.attitude)]
    return common(plan) + weight(plan) + lines + [
        "coord x, y, ps, th, ph", f"frame B = world at (x, y, {R}) rotated z(ps) x(th) z(ph)",
        f"body M mass {text(plan.mass)} inertia ({ball_inertia(plan)}) in B"] + no_slip(plan, f"(0, 0, -{R})")


# ---- discs -------------------------------------------------------------------------------------------------------


def disc_start(plan):
    a, b, c = (text(u) for u in plan.attitude)
    return [f"initial rotation(B) = z({a}) x({b}) z({c})",
            f"initial pos(B).x = {text(plan.place[0])}", f"initial pos(B).y = {text(plan.place[1])}",
            f"initial omega(B) = ({text(plan.speed[0])} + nudge, {text(plan.speed[1])}, {text(plan.spin)})"]


def disc_inertia(plan):
    J = plan.moments[0]
    return f"({text(J)}, {text(J)}, {text(round(2 * J, 6))})"


def disc_rolls(plan):
    return disc_start(plan) + weight(plan) + [f"body B mass {text(plan.mass)} inertia {disc_inertia(plan)}",
                                              f"roll B as circle({text(plan.radius)}) on world as plane at c with hold"]


def disc_by_hand(plan, frame, coords):
    R = text(plan.radius)
    return disc_start(plan) + weight(plan) + coords + [
        frame, f"body M mass {text(plan.mass)} inertia {disc_inertia(plan)} in B",
        "let foot = vel(B) + cross(omega(B), low)", "constraint gripx: foot.x = 0", "constraint gripy: foot.y = 0"]


def disc_angles(plan):
    R = text(plan.radius)
    guess = [f"initial {name} ~ {text(value)}" for name, value in zip(("ps", "th", "ph"), plan.attitude)]
    return disc_by_hand(plan, f"frame B = world at (x, y, {R}*sin(th)) rotated z(ps) x(th) z(ph)",
                        ["coord x, y, ps, th, ph", f"let low = -{R}*(-sin(ps)*cos(th), cos(ps)*cos(th), sin(th))"] + guess)


def disc_quaternion(plan):
    """the axis n of the disc by a point on it; the lowest place lies along n cross (n cross up)"""
    R = text(plan.radius)
    return disc_by_hand(plan, "frame B = world at (x, y, z) rotated by Q",
                        ["coord x, y, z", "orientation Q", "point N = (0, 0, 1) in B", "let n = pos(N) - pos(B)", "let level = sqrt(n.x^2 + n.y^2)",
                         f"let low = -{R}/level*(-n.x*n.z, -n.y*n.z, level^2)", f"constraint floor: z = {R}*level",
                         f"initial z ~ {text(plan.radius * math.sin(plan.attitude[1]))}"])


# ---- what acts ---------------------------------------------------------------------------------------------------


def push(draw, plan):
    plan.lines.append(f"force ({text(draw.either(0.1, 1))}*sin({text(draw.number(1, 5))}*t), {text(draw.either(0.1, 1))}, 0) in world at B")


def air(draw, plan):
    d = text(draw.number(0.05, 0.4))
    plan.lines.append(f"force (-{d}*vel(B).x, -{d}*vel(B).y, -{d}*vel(B).z) in world at B")


def spring(draw, plan):
    plan.lines.append(f"potential {text(draw.number(0.5, 5))}/2*(pos(B).x^2 + pos(B).y^2)")


def dry(draw, plan):
    plan.lines.append(f"torque (0, 0, -{text(draw.number(0.005, 0.05, 3))}*sign(omega(B).z)) in world on B")


def rough_air(draw, plan):
    plan.lines.append(f"force (-{text(draw.number(0.1, 0.6))}*abs(vel(B).x)*vel(B).x, 0, 0) in world at B")


def told(draw, plan):
    plan.lines.append(f"event passed: pos(B).{draw.choice('xy')} = {text(draw.number(-0.8, 0.8))} report")


SMOOTH, SWITCHING = (push, air, spring), (dry, rough_air, told)


def rolling(draw, seed, smooth):
    plan = Plan(draw)
    kinds = draw.choice(([ball_rolls, ball_quaternion, ball_free, ball_angles], [disc_rolls, disc_angles, disc_quaternion]))
    if disc_rolls in kinds:
        plan.table = 0.0
        plan.spin = abs(plan.spin) + 1
    kinds = list(kinds)
    for feature in draw.sample(SMOOTH, draw.randrange(0, 3)):
        feature(draw, plan)
    if not smooth:
        plan.smooth = False
        for feature in draw.sample(SWITCHING, draw.choice((1, 1, 2))):
            feature(draw, plan)
    span = draw.number(0.5, 1.2)
    outputs = [f"{name}.{axis}" for name in ("place", "speed", "turning", "push") for axis in "xyz"] + ["kin"]
    more = plan.lines + ["output place = pos(B)", "output speed = vel(B)", "output turning = omega(B)", "output push = acc(B)",
                         "output kin = kinetic()", f"run 0 .. {text(span)}"]
    draw.shuffle(kinds)
    made = {kind.__name__: "\n".join(["param nudge = 0"] + kind(plan) + more) + "\n" for kind in kinds}
    return System("rolling", seed, made, outputs, plan.smooth, span)
