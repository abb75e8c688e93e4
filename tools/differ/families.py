"""All families of systems, and one system for a seed."""
import masses, planar, rolling, spatial
from draw import Draw

# how often each is drawn; the second number is the share of smooth ones among them
FAMILIES = {
    "tree": (planar.tree, 5, 0.35), "loop": (planar.loop, 3, 0.5), "blade": (planar.blade, 3, 0.5), "masses": (masses.masses, 3, 0.2),
    "contact": (masses.contact, 4, 0.0), "servo": (masses.servo, 1, 0.6), "spatial": (spatial.spatial, 3, 0.5), "rolling": (rolling.rolling, 3, 0.5),
}


def make(family, seed, smooth=None):
    """the system that FAMILY draws for SEED"""
    draw = Draw(family, seed)
    usual = draw.chance(FAMILIES[family][2])
    return FAMILIES[family][0](draw, seed, usual if smooth is None else smooth)


def any_system(seed):
    names = list(FAMILIES)
    family = Draw("family", seed).choices(names, [FAMILIES[name][1] for name in names])[0]
    return make(family, seed)


def random_smooth(seed):
    """the text of one smooth model: nothing in it switches, jumps or has a corner, and nothing is held by a control"""
    draw = Draw("smooth", seed)
    family = draw.choice(("tree", "loop", "blade", "masses", "spatial", "rolling"))
    system = make(family, seed, smooth=True)
    return system.charts[draw.choice(sorted(system.charts))]
