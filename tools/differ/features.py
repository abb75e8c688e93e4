"""What may act on links in a plane, in names that every chart has (planar.py)."""
from draw import text


def any_link(draw, plan):
    return draw.randrange(len(plan.links))


def between(plan, i, law):
    """LAW is a torque on link i and its opposite on what carries it; {w} in it is the turning of the joint"""
    parent = plan.links[i].parent
    turning = f"w[{i}]" if parent < 0 else f"(w[{i}] - w[{parent}])"
    torque = law.replace("{w}", turning)
    plan.torques.append((i, torque))
    if parent >= 0:
        plan.torques.append((parent, f"-({torque})"))


# ---- smooth ------------------------------------------------------------------------------------------------------


def joint_spring(draw, plan):
    i = any_link(draw, plan)
    k, rest, parent = draw.number(1, 12), draw.number(-1, 1), plan.links[i].parent
    cosine = f"c[{i}]" if parent < 0 else f"(c[{i}]*c[{parent}] + s[{i}]*s[{parent}])"
    sine = f"s[{i}]" if parent < 0 else f"(s[{i}]*c[{parent}] - c[{i}]*s[{parent}])"
    plan.lines.append(f"potential -{text(k)}*({cosine}*cos({text(rest)}) + {sine}*sin({text(rest)}))")


def joint_damper(draw, plan):
    between(plan, any_link(draw, plan), f"-{text(draw.number(0.05, 0.6))}*{{w}}")


def drive(draw, plan):
    between(plan, any_link(draw, plan), f"{text(draw.either(0.3, 3))}*sin({text(draw.number(1, 7))}*t + {text(draw.number(0, 3))})")


def end_spring(draw, plan):
    i = any_link(draw, plan)
    k, x, y = draw.number(1, 15), draw.number(-1.5, 1.5), draw.number(-1.5, 1.5)
    plan.lines.append(f"potential {text(k)}/2*((pos(E[{i}]).x - {text(x)})^2 + (pos(E[{i}]).y - {text(y)})^2)")


def air(draw, plan):
    i, d = any_link(draw, plan), text(draw.number(0.05, 0.5))
    plan.lines.append(f"force (-{d}*vel(E[{i}]).x, -{d}*vel(E[{i}]).y, 0) in world at E[{i}]")


def push(draw, plan):
    i = any_link(draw, plan)
    plan.lines.append(f"force ({text(draw.either(0.3, 3))}*cos({text(draw.number(0.5, 6))}*t), {text(draw.either(0.1, 2))}, 0) "
                      f"in world at {draw.choice('EG')}[{i}]")


SMOOTH = (joint_spring, joint_damper, drive, end_spring, air, push)


def smooth(draw, plan, few=False):
    for feature in draw.sample(SMOOTH, draw.randrange(0, 3 if few else 4)):
        feature(draw, plan)


# ---- what switches -----------------------------------------------------------------------------------------------


def joint_friction(draw, plan):
    between(plan, any_link(draw, plan), f"-{text(draw.number(0.1, 2.5))}*sign({{w}})")


def end_friction(draw, plan):
    i = any_link(draw, plan)
    plan.lines.append(f"force (-{text(draw.number(0.2, 2.5))}*sign(vel(E[{i}]).x), 0, 0) in world at E[{i}]")


def rough_air(draw, plan):
    i, d = any_link(draw, plan), text(draw.number(0.05, 0.5))
    plan.lines.append(f"force (-{d}*abs(vel(E[{i}]).x)*vel(E[{i}]).x, -{d}*abs(vel(E[{i}]).y)*vel(E[{i}]).y, 0) in world at E[{i}]")


def one_sided_spring(draw, plan):
    i = any_link(draw, plan)
    end = plan.heads()[1][i]
    wall = text(round(end[1] - draw.number(-0.2, 0.5), 2))
    plan.lines.append(f"force (0, {text(draw.number(10, 90))}*max(0, {wall} - pos(E[{i}]).y), 0) in world at E[{i}]")


def switched_push(draw, plan):
    i = any_link(draw, plan)
    plan.lines.append(f"force (if(pos(E[{i}]).x > {text(draw.number(-1, 1))}, {text(draw.either(0.5, 4))}, {text(draw.either(0.5, 4))}), 0, 0) "
                      f"in world at E[{i}]")


def told(draw, plan):
    i, axis = any_link(draw, plan), draw.choice("xy")
    level = round(plan.heads()[1][i][axis == "y"] + draw.either(0.05, 0.6), 2)
    way = draw.choice(("", " rising", " falling"))
    plan.lines.append(f"event told{len(plan.lines)}: pos(E[{i}]).{axis} = {text(level)}{way} report")


def kicked(draw, plan):
    i = any_link(draw, plan)
    name = f"kick{len(plan.lines)}"
    level = round(plan.heads()[1][i][0] + draw.either(0.05, 0.5), 2)
    plan.lines += [f"param {name} = 0", f"force (0, {name}, 0) in world at E[{i}]",
                   f"event on{name}: pos(E[{i}]).x = {text(level)}{draw.choice(('', ' rising'))} {{ set {name} = {text(draw.either(1, 6))} }}"]


def stopped(draw, plan):
    i = any_link(draw, plan)
    plan.lines.append(f"event ends: vel(E[{i}]).x = {text(draw.number(-1, 1))} stop")


def staged(draw, plan):
    i = any_link(draw, plan)
    first = draw.number(0.2, 0.6)
    force, later = draw.either(0.5, 4), draw.either(0.5, 4)
    over = f" over {text(draw.number(0.1, 0.4))}" if draw.chance(0.5) else ""
    plan.lines += [f"param pull = {text(force)}", f"force (pull, 0, 0) in world at E[{i}]"]
    plan.runs = [f"stage first {{ until t >= {text(first)} }}", f"stage second {{ set pull = {text(later)}{over}; until t >= 9 }}"]


def floor(draw, plan):
    """a floor below the end of a link, with or without friction"""
    i = any_link(draw, plan)
    level = round(plan.heads()[1][i][1] - draw.number(0.05, 0.6), 2)
    law = f" with restitution {text(draw.number(0.2, 0.9))}" if draw.chance(0.7) else ""
    rough = f" with friction {text(draw.number(0.1, 0.6))}" if draw.chance(0.4) else ""
    plan.lines.append(f"constraint floor: pos(E[{i}]).y >= {text(level)}{law}{rough}")


def catch(draw, plan):
    """one-way clutch in a joint"""
    i = any_link(draw, plan)
    parent = plan.links[i].parent
    turning = f"w[{i}]" if parent < 0 else f"w[{i}] - w[{parent}]"
    rate = plan.links[i].rate - (plan.links[parent].rate if parent >= 0 else 0)
    plan.lines.append(f"constraint clutch: {turning} >= {text(round(rate - draw.number(0.2, 1.5), 2))}")


SWITCHING = (joint_friction, end_friction, rough_air, one_sided_spring, switched_push, told, kicked, stopped, staged)
TOUCHING = (floor, floor, catch)


def switching(draw, plan, contacts=True):
    plan.smooth = False
    chosen = draw.sample(SWITCHING, draw.choice((1, 1, 2)))
    if contacts and draw.chance(0.4):
        chosen.append(draw.choice(TOUCHING))
    for feature in chosen:
        feature(draw, plan)


# ---- constraints -------------------------------------------------------------------------------------------------


def opened(draw, plan):
    """angles of a chain that is neither stretched nor folded"""
    turn = draw.choice((-1, 1))
    angle = draw.number(0.3, 2.8)
    for link in plan.links:
        link.angle = round(angle, 2)
        angle += turn * draw.number(0.6, 1.8)


def close(draw, plan):
    """hold the end of the last link where it is, or lead it from there"""
    n = len(plan.links)
    end = plan.heads()[1][-1]
    place = [text(round(end[0], 3)), text(round(end[1], 3))]
    if draw.chance(0.3):
        place[draw.randrange(2)] += f" + {text(draw.number(0.02, 0.1))}*sin({text(draw.number(1, 5))}*t)"
    plan.lines += [f"constraint shut{axis}: pos(E[{n - 1}]).{axis} = {at}" for axis, at in zip("xy", place)]
    plan.free_angles = n - 2
    if draw.chance(0.25) and "t" not in "".join(place):
        plan.lines.append(f"constraint again: {text(draw.number(0.5, 3))}*vel(E[{n - 1}]).x + {text(draw.either(0.5, 3))}*vel(E[{n - 1}]).y = 0")


def blades(draw, plan):
    """a blade along the first link, at a place of it; another one along the last, behind its joint"""
    first = plan.links[0]
    first.angle = draw.number(-1.1, 1.1)
    place = round(first.length * draw.choice((0, 0.3, 0.5)), 3)
    plan.lines.append(f"constraint blade: c[0]*(vel(H[0]).y + {text(place)}*w[0]*c[0]) - s[0]*(vel(H[0]).x - {text(place)}*w[0]*s[0]) = 0")
    plan.free_rates = len(plan.links)
    if len(plan.links) > 1 and draw.chance(0.6):
        k = len(plan.links) - 1
        plan.links[k].angle = round(first.angle + draw.number(-0.9, 0.9), 2)
        plan.lines.append(f"constraint trailer: c[{k}]*vel(E[{k}]).y - s[{k}]*vel(E[{k}]).x = 0")
        plan.free_rates = k
