"""Links in a plane: chains and trees of rigid links on a base that is fixed, moved, free or a cart.

A plan is drawn first, without coordinates; charts.py writes it. Features (springs, drives, friction, contacts, events
…) are statements in names that every chart has. For each link i these are the points H[i] (head), E[i] (end) and
G[i] (centre of mass), the cosine c[i] and sine s[i] of its absolute angle, and its turning w[i].
"""
import math

from draw import text
import charts, features

G = 9.81


class Link:
    """parent -1: the base; at: how far along the parent; centre: of mass, from the head"""

    def __init__(self, parent, at, length, mass, centre, inertia, angle, rate):
        self.parent, self.at, self.length = parent, at, length
        self.mass, self.centre, self.inertia = mass, centre, inertia
        self.angle, self.rate = angle, rate


class Plan:
    """what is there, and how it starts"""

    def __init__(self, base, links, gravity, cart=1.0, start=(0.0, 0.0), speed=(0.0, 0.0), law=("0", "0")):
        self.base, self.links, self.gravity, self.cart = base, links, gravity, cart
        self.start, self.speed, self.law = start, speed, law
        self.lines = []            # statements in the common names
        self.torques = []          # (link, or -1 for the base; expression)
        self.free_angles = len(links)   # angles and turnings that the start gives; the rest follow from constraints
        self.free_rates = None
        self.smooth = True
        self.runs = []             # stages
        self.outputs = []

    def heads(self):
        """places at the start, for guesses: heads and ends of all links"""
        head, end = [], []
        for link in self.links:
            if link.parent < 0:
                place = self.start
            else:
                above = self.links[link.parent]
                place = (head[link.parent][0] + link.at * math.cos(above.angle),
                         head[link.parent][1] + link.at * math.sin(above.angle))
            head.append(place)
            end.append((place[0] + link.length * math.cos(link.angle), place[1] + link.length * math.sin(link.angle)))
        return head, end


def draw_links(draw, count, tree):
    links = []
    for i in range(count):
        parent = i - 1 if not tree or i < 2 else draw.randrange(-1, i)
        length = draw.number(0.4, 1.3)
        mass = draw.number(0.3, 2.5)
        centre = round(length * draw.number(0.3, 0.8), 3)
        inertia = round(mass * length ** 2 * draw.number(0.04, 0.15, 3), 4) + 0.002
        at = 0.0 if parent < 0 else draw.choice((links[parent].length, round(links[parent].length * 0.6, 3)))
        links.append(Link(parent, at, length, mass, centre, round(inertia, 4), draw.number(-3, 3), draw.number(-2, 2)))
    return links


def draw_plan(draw, kinds, count, tree):
    base = draw.choice(kinds)
    gravity = 0.0 if base == "free" and draw.chance(0.7) else G
    plan = Plan(base, draw_links(draw, count, tree), gravity)
    if base in ("cart", "free"):
        plan.cart = draw.number(0.5, 3)
        plan.start = (draw.number(-1, 1), 0.0 if base == "cart" else draw.number(-1, 1))
        plan.speed = (draw.number(-1, 1), 0.0 if base == "cart" else draw.number(-1, 1))
    if base == "moved":
        plan.law = (f"{text(draw.number(0.05, 0.4))}*sin({text(draw.number(1, 6))}*t)",
                    f"{text(draw.number(0.02, 0.2))}*(1 - cos({text(draw.number(1, 6))}*t))")
    return plan


def tree(draw, seed, smooth):
    """chains and trees with springs, drives and dampers; where not smooth also friction, events, stages, contacts"""
    plan = draw_plan(draw, ("fixed", "cart", "free", "moved"), draw.choice((1, 2, 2, 2, 3, 3, 4)), draw.chance(0.5))
    features.smooth(draw, plan)
    if not smooth:
        features.switching(draw, plan)
    return charts.write(draw, "tree", seed, plan)


def loop(draw, seed, smooth):
    """chains whose last end is held, at rest or by a law of time; sometimes with a constraint said twice"""
    count = draw.choice((3, 3, 3, 4, 4, 5))
    plan = draw_plan(draw, ("fixed",), count, False)
    for i, link in enumerate(plan.links):
        link.at = 0.0 if i == 0 else plan.links[i - 1].length
    features.opened(draw, plan)
    features.close(draw, plan)
    features.smooth(draw, plan, few=True)
    if not smooth:
        features.switching(draw, plan, contacts=False)
    return charts.write(draw, "loop", seed, plan)


def blade(draw, seed, smooth):
    """sledges and trailers on blades, in a horizontal or tilted plane"""
    plan = draw_plan(draw, ("free",), draw.choice((1, 1, 2, 2, 3)), False)
    plan.gravity = draw.choice((0.0, 0.0, 2.0))
    features.blades(draw, plan)
    features.smooth(draw, plan, few=True)
    if not smooth:
        features.switching(draw, plan, contacts=False)
    return charts.write(draw, "blade", seed, plan)
