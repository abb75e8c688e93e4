"""Points in a line or a plane: friction, contacts, clutches, controls, laws of time, in straight, mixed, bent and moving coordinates.

Each point i has places x[i] (and y[i] in the plane). A chart says what these are made of; everything else is said of
the particles P[i].
"""
from draw import System, text


class Plan:
    def __init__(self, count, plane):
        self.count, self.plane = count, plane
        self.mass, self.place, self.speed = [], [], []
        self.lines, self.smooth, self.runs = [], True, []
        self.axes = "xy" if plane else "x"

    def names(self):
        return [f"{axis}[{i}]" for i in range(self.count) for axis in self.axes]


def straight(draw, plan):
    return [f"coord {name}" for name in plan.names()], []


def mixed(draw, plan):
    """new coordinates, and places as linear combinations of them: lower triangular, so one to one"""
    lines, names = [], plan.names()
    for k, name in enumerate(names):
        lines.append(f"coord z[{k}]")
        others = "".join(f" + {text(draw.either(0.2, 1.5))}*z[{j}]" for j in range(k) if draw.chance(0.6))
        lines.append(f"let {name} = {text(draw.either(0.5, 2))}*z[{k}]{others}")
    return lines, guesses(plan, names)


def bent(draw, plan):
    """the same with sines in them: still one to one, as each slope stays positive"""
    lines, names = [], plan.names()
    for k, name in enumerate(names):
        lines.append(f"coord z[{k}]")
        others = "".join(f" + {text(draw.either(0.2, 0.8))}*sin(z[{j}])" for j in range(k) if draw.chance(0.6))
        lines.append(f"let {name} = {text(draw.number(0.8, 2))}*z[{k}] + {text(draw.number(0.1, 0.5))}*sin(z[{k}]){others}")
    return lines, guesses(plan, names)


def gaps(draw, plan):
    """distances from one point to the next"""
    lines = []
    for axis in plan.axes:
        for i in range(plan.count):
            lines += [f"coord d{axis}[{i}]", f"let {axis}[{i}] = d{axis}[{i}]" + (f" + {axis}[{i - 1}]" if i else "")]
    return lines, []


def held(draw, plan):
    """one coordinate more than needed, and a constraint that says what it is"""
    lines = [f"coord {name}" for name in plan.names()]
    name = draw.choice(plan.names())
    lines += ["coord extra", f"constraint copy: extra = {text(draw.either(0.5, 2))}*{name} + {text(draw.number(-1, 1))}"]
    return lines, []


def moving(draw, plan):
    """places against a base that moves by a law of time, in the plane one that turns"""
    law = [f"{text(draw.either(0.1, 0.6))}*t + {text(draw.number(0.05, 0.3))}*sin({text(draw.number(1, 4))}*t)" for _ in range(2)]
    lines = []
    if not plan.plane:
        for i in range(plan.count):
            lines += [f"coord r[{i}]", f"let x[{i}] = r[{i}] + {law[0]}"]
        return lines, []
    rate = text(draw.either(0.2, 1.5))
    for i in range(plan.count):
        lines += [f"coord r[{i}], p[{i}]",
                  f"let x[{i}] = {law[0]} + r[{i}]*cos({rate}*t) - p[{i}]*sin({rate}*t)",
                  f"let y[{i}] = {law[1]} + r[{i}]*sin({rate}*t) + p[{i}]*cos({rate}*t)"]
    return lines, []


def polar(draw, plan):
    """distance and angle from a place that no point comes near to"""
    lines, guess = [], []
    for i in range(plan.count):
        lines += [f"coord r[{i}], phi[{i}]", f"let x[{i}] = r[{i}]*cos(phi[{i}]) - 7", f"let y[{i}] = r[{i}]*sin(phi[{i}]) - 3"]
        guess += [f"initial r[{i}] ~ 7.6", f"initial phi[{i}] ~ 0.4"]
    return lines, guess


def guesses(plan, names):
    return [f"initial z[{k}] ~ 0.1" for k in range(len(names))]


# ---- what acts ---------------------------------------------------------------------------------------------------


def force(plan, i, fx, fy="0"):
    plan.lines.append(f"force ({fx}, {fy}, 0) in world at P[{i}]")


def spring(draw, plan):
    i = draw.randrange(plan.count)
    j = draw.choice([None] + [k for k in range(plan.count) if k != i])
    k = text(draw.number(2, 40))
    for axis in plan.axes:
        other = f"{axis}[{j}]" if j is not None else text(draw.number(-1, 1))
        plan.lines.append(f"potential {k}/2*({axis}[{i}] - {other})^2")


def hard_spring(draw, plan):
    i = draw.randrange(plan.count)
    plan.lines.append(f"potential {text(draw.number(0.5, 5))}/4*x[{i}]^4")


def damper(draw, plan):
    i, d = draw.randrange(plan.count), text(draw.number(0.05, 0.8))
    force(plan, i, f"-{d}*x[{i}]'", f"-{d}*y[{i}]'" if plan.plane else "0")


def shaker(draw, plan):
    i = draw.randrange(plan.count)
    force(plan, i, f"{text(draw.either(0.5, 5))}*sin({text(draw.number(1, 8))}*t)")


def law_of_time(draw, plan):
    """one point is led, on a line that is free"""
    i = draw.randrange(plan.count)
    if plan.place[i][0] is None:
        return
    plan.lines.append(f"constraint led: x[{i}] = {text(plan.place[i][0])} + {text(plan.speed[i][0])}*t + {text(draw.either(0.1, 0.5))}*t^2")
    plan.speed[i][0] = None
    plan.place[i][0] = None


def tie(draw, plan):
    """two points at a fixed ratio, sometimes said twice"""
    if plan.count < 2:
        return
    i, j = draw.sample(range(plan.count), 2)
    if None in (plan.place[i][0], plan.place[j][0]):
        return
    ratio = draw.either(0.5, 2)
    plan.lines.append(f"constraint geared: x[{i}] - {text(plan.place[i][0])} = {text(ratio)}*(x[{j}] - {text(plan.place[j][0])})")
    plan.place[i][0] = plan.speed[i][0] = None
    if draw.chance(0.3):
        plan.lines.append(f"constraint twice: x[{i}]' = {text(ratio)}*x[{j}]'")


def dry(draw, plan):
    i = draw.randrange(plan.count)
    force(plan, i, f"-{text(draw.number(0.3, 4))}*sign(x[{i}]')")


def dry_between(draw, plan):
    if plan.count < 2:
        return dry(draw, plan)
    i, j = draw.sample(range(plan.count), 2)
    law = f"{text(draw.number(0.3, 3))}*sign(x[{i}]' - x[{j}]')"
    force(plan, i, f"-{law}")
    force(plan, j, law)


def drag(draw, plan):
    i = draw.randrange(plan.count)
    force(plan, i, f"-{text(draw.number(0.1, 1))}*abs(x[{i}]')*x[{i}]'")


def belt(draw, plan):
    """dry friction against a belt that moves"""
    i, v = draw.randrange(plan.count), text(draw.either(0.2, 1.2))
    force(plan, i, f"-{text(draw.number(0.5, 4))}*sign(x[{i}]' - {v})")


def dead_band(draw, plan):
    i, w = draw.randrange(plan.count), text(draw.number(0.1, 0.5))
    k = text(draw.number(5, 40))
    force(plan, i, f"-{k}*(max(0, x[{i}] - {w}) + min(0, x[{i}] + {w}))")


def told(draw, plan):
    i = draw.randrange(plan.count)
    what = draw.choice((f"x[{i}]", f"x[{i}]'"))
    plan.lines.append(f"event told{len(plan.lines)}: {what} = {text(draw.number(-1, 1))}{draw.choice(('', ' rising', ' falling'))} report")


def switched(draw, plan):
    i, name = draw.randrange(plan.count), f"f{len(plan.lines)}"
    plan.lines += [f"param {name} = {text(draw.either(0.5, 4))}"]
    force(plan, i, name)
    plan.lines.append(f"event turn{name}: x[{i}]' = {text(draw.number(-0.5, 0.5))} {{ set {name} = {text(draw.either(0.5, 4))} }}")


def staged(draw, plan):
    i = draw.randrange(plan.count)
    over = f" over {text(draw.number(0.1, 0.4))}" if draw.chance(0.5) else ""
    plan.lines.append(f"param pull = {text(draw.either(0.5, 4))}")
    force(plan, i, "pull")
    until = f"x[{i}] >= {text(draw.number(0.5, 1.5))}" if draw.chance(0.3) else f"t >= {text(draw.number(0.2, 0.6))}"
    plan.runs = [f"stage first {{ until {until} }}", f"stage second {{ set pull = {text(draw.either(0.5, 5))}{over}; until t >= 9 }}"]


def wall(draw, plan):
    i, side = draw.randrange(plan.count), draw.choice((-1, 1))
    if plan.place[i][0] is None:
        return
    level = round(plan.place[i][0] + side * draw.number(0.1, 0.7), 2)
    law = f" with restitution {text(draw.number(0.1, 0.95))}" if draw.chance(0.75) else ""
    plan.lines.append(f"constraint wall{len(plan.lines)}: x[{i}] {'<=' if side > 0 else '>='} {text(level)}{law}")
    # what drives it there
    force(plan, i, text(side * draw.number(1, 8)))


def floor(draw, plan):
    if not plan.plane:
        return wall(draw, plan)
    i = draw.randrange(plan.count)
    if plan.place[i][1] is None:
        return None
    level = round(plan.place[i][1] - draw.choice((0, draw.number(0.05, 0.6))), 2)
    law = f" with restitution {text(draw.number(0.1, 0.9))}" if draw.chance(0.6) else ""
    rough = f" with friction {text(draw.number(0.1, 0.7))}" if draw.chance(0.6) else ""
    force(plan, i, "0", text(-draw.number(4, 12)))
    plan.lines.append(f"constraint floor{len(plan.lines)}: pos(P[{i}]).y >= {text(level)}{law}{rough}")
    return None


def meeting(draw, plan):
    """two points on a line that cannot pass each other"""
    if plan.count < 2 or plan.plane or None in (plan.place[0][0], plan.place[1][0]):
        return wall(draw, plan)
    i, j = (0, 1) if plan.place[0][0] < plan.place[1][0] else (1, 0)
    plan.lines.append(f"constraint meet: x[{j}] - x[{i}] >= 0 with restitution {text(draw.number(0.1, 0.95))}")
    force(plan, i, text(draw.number(1, 6)))
    return None


def limiter(draw, plan):
    i = draw.randrange(plan.count)
    if plan.speed[i][0] is None:
        return
    plan.lines.append(f"constraint limit: x[{i}]' <= {text(round(plan.speed[i][0] + draw.number(0.1, 1), 2))}")
    force(plan, i, f"{text(draw.number(1, 6))}*cos({text(draw.number(0.5, 5))}*t)")


SMOOTH = (spring, spring, hard_spring, damper, shaker, tie, law_of_time)
SWITCHING = (dry, dry, dry_between, drag, belt, dead_band, told, switched, staged)
TOUCHING = (wall, wall, floor, floor, meeting, limiter)


def draw_plan(draw, plane):
    plan = Plan(draw.choice((1, 2, 2, 3)), plane)
    for _ in range(plan.count):
        plan.mass.append(draw.number(0.3, 3))
        plan.place.append([draw.number(-1, 1) for _ in plan.axes])
        plan.speed.append([draw.number(-1.5, 1.5) for _ in plan.axes])
    return plan


def masses(draw, seed, smooth):
    plan = draw_plan(draw, draw.chance(0.5))
    for feature in draw.sample(SMOOTH, draw.randrange(1, 4)):
        feature(draw, plan)
    if not smooth:
        plan.smooth = False
        for feature in draw.sample(SWITCHING, draw.choice((0, 1, 1, 2))) + draw.sample(TOUCHING, draw.choice((0, 1, 1))):
            feature(draw, plan)
    return write(draw, "masses", seed, plan)


def contact(draw, seed, smooth):
    """always something that touches"""
    plan = draw_plan(draw, draw.chance(0.6))
    for feature in draw.sample((spring, damper, shaker), draw.randrange(0, 3)) + draw.sample(TOUCHING, draw.choice((1, 2))):
        feature(draw, plan)
    if draw.chance(0.3):
        draw.choice(SWITCHING)(draw, plan)
    plan.smooth = False
    return write(draw, "contact", seed, plan)


def start(plan):
    lines = []
    for i in range(plan.count):
        for axis, place, speed in zip(plan.axes, plan.place[i], plan.speed[i]):
            if place is not None:
                lines.append(f"initial {axis}[{i}] = {text(place)}")
            if speed is not None:
                lines.append(f"initial {axis}[{i}]' = {text(speed)}" + (" + nudge" if i == plan.count - 1 and axis == plan.axes[-1] else ""))
    return lines


def write(draw, family, seed, plan):
    outputs, common = [], list(plan.lines)
    for i in range(plan.count):
        y = f"y[{i}]" if plan.plane else "0"
        common.append(f"particle P[{i}] mass {text(plan.mass[i])} = (x[{i}], {y}, 0) in world")
        common += [f"output place{i} = pos(P[{i}])", f"output speed{i} = vel(P[{i}])", f"output push{i} = acc(P[{i}])"]
        outputs += [f"{what}{i}.{axis}" for what in ("place", "speed", "push") for axis in plan.axes]
    common += ["output kin = kinetic()"] + start(plan)
    span = draw.number(0.8, 2)
    common += plan.runs + [f"run 0 .. {text(span)}"]
    kinds = [straight, mixed, bent, gaps, held, moving] + ([polar] if plan.plane else [])
    draw.shuffle(kinds)
    made = {}
    for kind in kinds:
        lines, guess = kind(draw, plan)
        made[kind.__name__] = "\n".join(["param nudge = 0"] + lines + guess + common) + "\n"
    return System(family, seed, made, outputs + ["kin"], plan.smooth, span)


def servo(draw, seed, smooth):
    """a control at the first point leads the last one through springs"""
    plan = Plan(draw.choice((1, 2, 2)), False)
    for _ in range(plan.count):
        plan.mass.append(draw.number(0.3, 3))
        plan.place.append([None])
        plan.speed.append([None])
    for i in range(1, plan.count):
        plan.lines.append(f"potential {text(draw.number(20, 80))}/2*(x[{i}] - x[{i - 1}])^2")
    last, a, b = plan.count - 1, text(draw.either(0.1, 0.8)), text(draw.number(0.5, 3))
    plan.lines += ["quasi lead = x[0]'", f"constraint path: x[{last}] = {text(draw.number(-1, 1))} + {a}*sin({b}*t) + nudge*t by lead",
                   "output effort = control(path)"]
    if draw.chance(0.6):
        # one that is not led
        k = plan.count
        plan.count += 1
        plan.mass.append(draw.number(0.3, 3))
        plan.place.append([draw.number(-1, 1)])
        plan.speed.append([draw.number(-1, 1)])
        plan.lines.append(f"potential {text(draw.number(5, 40))}/2*(x[{k}] - x[{draw.randrange(k)}])^2")
    if not smooth:
        plan.smooth = False
        draw.choice((told, staged, dead_band, dry) if plan.place[-1][0] is not None else (told, told))(draw, plan)
    system = write(draw, "servo", seed, plan)
    system.outputs.append("effort")
    return system
