"""Random smooth models for the referee: draw(seed) gives the kind and the text of one.

Each kind is a mechanism of the textbooks with numbers drawn from decent ranges; numbers have few decimals, so that the
text says exactly what is meant.
"""
import random


class Dice(random.Random):
    """numbers as text, of three decimals"""

    def x(self, low, high):
        return f"{self.uniform(low, high):.3f}"

    def sign(self, low, high):
        return self.choice(["", "-"]) + self.x(low, high)


def until(d, low, high):
    return f"run 0 .. {d.x(low, high)}"


def start(d, names, places, speeds):
    lines = []
    for name in names:
        lines += [f"initial {name} = {d.x(-places, places)}", f"initial {name}' = {d.x(-speeds, speeds)}"]
    return lines


# ---- mechanisms ------------------------------------------------------------------------------------------------------

def chain_in_angles(d):
    """rods on hinges, each angle beside the one before; dampers and springs in some, the hook may be shaken"""
    n = d.randint(1, 3)
    names = [f"a{i}" for i in range(1, n + 1)]
    hook = f" at ({d.x(0, 0.2)}*sin({d.x(1, 6)}*t), 0, 0)" if d.random() < 0.4 else ""
    lines = [f"coord {', '.join(names)} [rad]", "gravity (0, -9.81, 0)", f"frame F1 = world{hook} rotated z(a1)"]
    lengths = [d.x(0.3, 1.2) for _ in names]
    for i in range(1, n):
        lines.append(f"frame F{i + 1} = F{i} at ({lengths[i - 1]}, 0, 0) rotated z(a{i + 1})")
    for i, l in enumerate(lengths, 1):
        lines.append(f"rod r{i} mass {d.x(0.3, 3)} from (0, 0, 0) to ({l}, 0, 0) in F{i}")
        if d.random() < 0.4:
            lines.append(f"force a{i} = -{d.x(0.01, 0.5)}*a{i}'")
        if d.random() < 0.4:
            lines.append(f"potential {d.x(0.5, 20)}/2*a{i}^2")
    return lines + start(d, names, 2, 2) + [until(d, 0.3, 5 / n**2)]


def chain_of_particles(d):
    """particles in the plane or in space, each held by a rod to the one before"""
    n, space = d.randint(1, 3), d.random() < 0.4
    axes = "xyz" if space else "xy"
    lines, last = ["gravity (0, -9.81, 0)"], ["0"] * 3
    for i in range(1, n + 1):
        names = [f"{a}{i}" for a in axes]
        lines += [f"coord {', '.join(names)} [m]",
                  f"particle p{i} mass {d.x(0.3, 3)} = ({', '.join(names + ['0'] * (3 - len(names)))}) in world"]
        far = [f"({name} - {old})^2" for name, old in zip(names, last)]
        lines.append(f"constraint rod{i}: {' + '.join(far)} = {d.x(0.5, 1.2)}^2")
        # a direction of its own, not upright, so that the last coordinate is determined
        lines.append(f"initial x{i} = {last[0]} + {d.sign(0.1, 0.45)}")
        lines.append(f"initial y{i} ~ {last[1]} - 0.8")
        lines.append(f"initial x{i}' = {d.x(-1, 1)}")
        if space:
            lines += [f"initial z{i} = {last[2]} + {d.x(-0.2, 0.2)}", f"initial z{i}' = {d.x(-1, 1)}"]
        last = names
    return lines + [until(d, 0.5, 6 / n)]


def blade(d):
    """a sledge on a blade with its mass off the blade, pulled, damped, turned by a moment"""
    lines = ["coord x, y [m]", "coord theta [rad]", "frame sledge = world at (x, y, 0) rotated z(theta)",
             f"body load mass {d.x(0.5, 4)} inertia (1, 1, {d.x(0.1, 1)}) at ({d.x(-0.5, 0.5)}, {d.x(-0.3, 0.3)}, 0) in sledge",
             "constraint edge: vel(sledge, sledge).y = 0",
             f"force theta = {d.x(-1, 1)}*sin({d.x(0.3, 4)}*t) - {d.x(0, 0.3)}*theta'"]
    if d.random() < 0.5:
        lines.append(f"gravity ({d.x(-5, 5)}, {d.x(-5, 5)}, -9)")
    if d.random() < 0.5:
        lines.append(f"potential {d.x(0.5, 10)}/2*(x^2 + y^2)")
    return lines + [f"initial theta = {d.x(-3, 3)}", f"initial theta' = {d.x(-2, 2)}",
                    f"initial vel(sledge, sledge).x = {d.x(-2, 2)}", until(d, 0.5, 8)]


def rolling_disc(d):
    r = d.x(0.1, 0.6)
    lines = ["coord q1, q2, q3 [rad]", "coord x, y [m]", "frame yaw = world at (x, y, 0) rotated z(q1)",
             "frame lean = yaw rotated x(q2)", f"frame spin = lean at (0, 0, {r}) rotated y(q3)",
             f"disc coin mass {d.x(0.3, 4)} radius {r} normal (0, 1, 0) at (0, 0, 0) in spin", "gravity (0, 0, -9.81)",
             "let slip = vel(spin) + cross(omega(spin), (x, y, 0) - pos(spin))", "constraint gx: slip.x = 0",
             "constraint gy: slip.y = 0", f"initial q1 = {d.x(-3, 3)}", f"initial q2 = {d.x(-0.4, 0.4)}",
             f"initial omega(spin, spin) = ({d.x(-0.5, 0.5)}, {d.sign(4, 12)}, {d.x(-0.5, 0.5)})"]
    return lines + [until(d, 0.3, 2)]


def springs(d):
    """particles joined by springs, to each other and to the ground, some of them stiffening"""
    n = d.randint(1, 4)
    lines, names = [], []
    for i in range(1, n + 1):
        lines += [f"coord x{i}, y{i} [m]", f"particle p{i} mass {d.x(0.3, 3)} = (x{i}, y{i}, 0) in world"]
        names += [f"x{i}", f"y{i}"]
        lines.append(f"potential {d.x(1, 30)}/2*(hypot(x{i} - {d.x(2, 4)}, y{i} + {d.x(2, 4)}) - {d.x(0.3, 1)})^2")
        lines.append(f"potential {d.x(0, 5)}*(x{i}^2 + y{i}^2)^2")
    for i in range(1, n):
        lines.append(f"potential {d.x(1, 30)}/2*(hypot(x{i} - x{i + 1}, y{i} - y{i + 1} + 3) - {d.x(0.3, 1)})^2")
    if d.random() < 0.4:
        lines.append(f"force x1 = {d.x(0.5, 5)}*cos({d.x(0.5, 5)}*t) - {d.x(0, 0.4)}*x1'")
    return lines + start(d, names, 0.6, 1) + [until(d, 0.5, 5)]


def top(d):
    """a heavy top in one of three orders of angles, not near its poles, with or without products of inertia"""
    angles = d.choice(["z(a) x(b) z(c)", "z(a) y(b) x(c)", "x(a) z(b) y(c)"])
    far = d.x(0.7, 1.3)
    more = f", {d.x(-0.02, 0.02)}, {d.x(-0.02, 0.02)}, {d.x(-0.02, 0.02)}" if d.random() < 0.5 else ""
    lines = ["coord a, b, c [rad]", f"frame top = world rotated {angles}",
             f"body rigid mass {d.x(0.5, 3)} inertia ({d.x(0.2, 0.3)}, {d.x(0.2, 0.3)}, {d.x(0.2, 0.3)}{more})"
             f" at (0, 0, {d.x(0.05, 0.5)}) in top", "gravity (0, 0, -9.81)",
             f"initial b = {far if angles.startswith('z(a) x') else d.x(-0.3, 0.3)}",
             f"initial omega(top, top) = ({d.x(-1, 1)}, {d.x(-1, 1)}, {d.sign(5, 30)})"]
    return lines + [until(d, 0.2, 1.5)]


def body_by_quaternion(d):
    """a rigid body held at a point or free, moved by a moment that changes in time"""
    lines = ["orientation Q", "frame B = world rotated by Q",
             f"body rigid mass {d.x(0.5, 3)} inertia ({d.x(0.2, 0.3)}, {d.x(0.2, 0.3)}, {d.x(0.2, 0.3)})"
             f" at ({d.x(-0.2, 0.2)}, 0, {d.x(-0.3, 0.3)}) in B", f"gravity (0, 0, -{d.x(0, 9.81)})"]
    for axis in "xyz":
        lines.append(f"initial Q.w{axis} = {d.x(-6, 6)}")
    return lines + [until(d, 0.3, 2)]


def shaken(d):
    """a cart on a stiffening spring with a pendulum, driven"""
    lines = ["coord x [m]", "coord a [rad]", "frame rod = world at (x, 0, 0) rotated z(a)",
             f"particle cart mass {d.x(0.5, 3)} = (x, 0, 0) in world",
             f"particle bob mass {d.x(0.2, 2)} = ({d.x(0.3, 1.2)}, 0, 0) in rod", "gravity (0, -9.81, 0)",
             f"potential {d.x(2, 40)}/2*x^2 + {d.x(0, 20)}*x^4",
             f"force x = {d.x(0, 8)}*sin({d.x(0.5, 8)}*t + {d.x(0, 3)}) - {d.x(0, 0.5)}*x'"]
    return lines + start(d, ["x", "a"], 1, 2) + [until(d, 0.5, 10)]


def stars(d):
    """two or three bodies in a plane that attract each other, not too near"""
    n = d.randint(2, 3)
    lines, names = [], []
    for i in range(1, n + 1):
        lines += [f"coord x{i}, y{i}", f"particle p{i} mass {d.x(0.5, 2)} = (x{i}, y{i}, 0) in world",
                  f"initial x{i} = {2 * i} + {d.x(-0.3, 0.3)}", f"initial y{i} = {d.x(-1, 1)}",
                  f"initial x{i}' = {d.x(-0.3, 0.3)}", f"initial y{i}' = {d.x(-0.6, 0.6)}"]
        lines += [f"potential -{d.x(0.5, 2)}/hypot(x{i} - x{j}, y{i} - y{j})" for j in range(1, i)]
    return lines + [until(d, 0.5, 4)]


def loop(d):
    """four bars that close: two hinged rods whose end stays on a circle about a second hook"""
    far = float(d.x(1.0, 1.4))
    lines = ["coord a, b, c [rad]", "frame A = world rotated z(a)", f"frame B = A at ({d.x(0.5, 0.7)}, 0, 0) rotated z(b)",
             f"frame C = world at ({far}, 0, 0) rotated z(c)", "gravity (0, -9.81, 0)"]
    crank, coupler = lines[2].split("(")[1].split(",")[0], d.x(0.9, 1.2)
    rocker = d.x(0.8, 1.0)
    lines += [f"rod r1 mass {d.x(0.3, 2)} from (0, 0, 0) to ({crank}, 0, 0) in A",
              f"rod r2 mass {d.x(0.3, 2)} from (0, 0, 0) to ({coupler}, 0, 0) in B",
              f"rod r3 mass {d.x(0.3, 2)} from (0, 0, 0) to ({rocker}, 0, 0) in C",
              f"point P = ({coupler}, 0, 0) in B", f"point R = ({rocker}, 0, 0) in C",
              "constraint cx: pos(P).x = pos(R).x", "constraint cy: pos(P).y = pos(R).y",
              f"initial a = {d.x(1.3, 1.9)}", "initial b ~ -1.2", "initial c ~ 1.8", f"initial a' = {d.x(-0.5, 0.5)}",
              f"force a = -{d.x(0, 1)}*a'"]
    return lines + [until(d, 0.2, 1)]


def upright_disc(d):
    """a disc that stays upright, rolls and is steered, on a springy tether"""
    lines = ["coord x, y [m]", "coord phi, theta [rad]",
             f"kinetic {d.x(0.5, 3)}/2*(x'^2 + y'^2) + {d.x(0.05, 0.5)}/2*phi'^2 + {d.x(0.05, 0.5)}/2*theta'^2"]
    r = d.x(0.2, 0.8)
    lines += [f"constraint rx: x' = {r}*cos(phi)*theta'", f"constraint ry: y' = {r}*sin(phi)*theta'",
              f"potential {d.x(0, 3)}/2*((x - 1)^2 + y^2)", f"force phi = {d.x(-0.5, 0.5)}*cos({d.x(0.5, 5)}*t)"]
    return lines + [f"initial phi = {d.x(-3, 3)}", f"initial phi' = {d.x(-2, 2)}", f"initial theta' = {d.x(-4, 4)}",
                    until(d, 0.5, 8)]


def bicycle_of_blades(d):
    """two blades on one frame, the front one steered in time"""
    l = d.x(0.5, 2)
    lines = ["coord x, y [m]", "coord psi, phi [rad]", "frame car = world at (x, y, 0) rotated z(psi)",
             f"frame front = car at ({l}, 0, 0) rotated z({d.x(0.1, 0.5)}*sin({d.x(0.5, 3)}*t))",
             f"frame trailer = car at (-{d.x(0.2, 0.6)}, 0, 0) rotated z(phi)",
             f"body chassis mass {d.x(1, 4)} inertia (1, 1, {d.x(0.3, 2)}) at ({d.x(0, 0.5)}, 0, 0) in car",
             f"body load mass {d.x(0.5, 2)} inertia (1, 1, {d.x(0.2, 1)}) at (-{d.x(0.3, 1)}, 0, 0) in trailer",
             "constraint rear: vel(car, car).y = 0", "constraint fore: vel(front, front).y = 0",
             f"force ({d.x(-2, 2)}, 0, 0) in car at car", f"force phi = -{d.x(0, 0.5)}*phi'"]
    return lines + [f"initial vel(car, car).x = {d.x(0.5, 3)}", f"initial phi = {d.x(-0.5, 0.5)}",
                    f"initial phi' = {d.x(-1, 1)}", until(d, 0.5, 5)]


KINDS = [chain_in_angles, chain_of_particles, blade, rolling_disc, springs, top, body_by_quaternion, shaken, stars, loop,
         upright_disc, bicycle_of_blades]


def draw(seed):
    d = Dice(seed)
    kind = KINDS[seed % len(KINDS)]
    return kind.__name__, "\n".join([f'model "{kind.__name__} {seed}"'] + kind(d)) + "\n"


if __name__ == "__main__":
    import sys
    print(draw(int(sys.argv[1]))[1], end="")
