"""Dimensions M^a L^b T^c with unknown exponents, the linear equations between them, and units as zwang writes them."""
import re
from fractions import Fraction


class Unreadable(Exception):
    """a statement this reader does not know, or dimensions that contradict each other"""


# ---- dimensions: constants and unknowns -----------------------------------------------------------

class Dim:
    """M^a L^b T^c times unknowns to powers"""

    def __init__(self, m=0, l=0, t=0, unknown=None):
        self.known = tuple(Fraction(x) for x in (m, l, t))
        self.unknown = unknown or {}

    def __mul__(self, other):
        unknown = dict(self.unknown)
        for v, k in other.unknown.items():
            unknown[v] = unknown.get(v, 0) + k
        return Dim(*(a + b for a, b in zip(self.known, other.known)), {v: k for v, k in unknown.items() if k})

    def __pow__(self, n):
        n = Fraction(n)
        return Dim(*(a * n for a in self.known), {v: k * n for v, k in self.unknown.items()} if n else {})

    def __truediv__(self, other):
        return self * other**-1


ONE, MASS, LENGTH, TIME = Dim(), Dim(m=1), Dim(l=1), Dim(t=1)
RATE = TIME**-1
FORCE = MASS * LENGTH / TIME**2
ENERGY = FORCE * LENGTH


class System:
    """linear equations between exponents, the same for mass, length and time but for the right side"""

    def __init__(self):
        self.rows = {}

    def reduced(self, dim):
        known, left = list(dim.known), dict(dim.unknown)
        while True:
            v = next((v for v in left if v in self.rows), None)
            if v is None:
                return known, left
            k = left.pop(v)
            row = self.rows[v]
            known = [a + k * b for a, b in zip(known, row.known)]
            for w, c in row.unknown.items():
                left[w] = left.get(w, 0) + k * c
                if not left[w]:
                    del left[w]

    def demand(self, dim):
        """DIM is 1; false where that contradicts what was demanded before"""
        known, left = self.reduced(dim)
        if not left:
            return not any(known)
        v, k = next(iter(left.items()))
        rest = {w: -c / k for w, c in left.items() if w != v}
        self.rows[v] = Dim(*(-a / k for a in known), rest)
        return True

    def value(self, dim):
        known, left = self.reduced(dim)
        assert not left
        return tuple(known)


# ---- units ------------------------------------------------------------------------------------------

UNITS = {"m": LENGTH, "g": MASS, "s": TIME, "N": FORCE, "J": ENERGY, "W": ENERGY / TIME, "Pa": FORCE / LENGTH**2,
         "Hz": RATE, "rad": ONE, "sr": ONE, "min": TIME, "h": TIME, "deg": ONE, "°": ONE, "rpm": RATE,
         "bar": FORCE / LENGTH**2, "L": LENGTH**3, "l": LENGTH**3, "1": ONE}
PREFIXES = ("Y", "Z", "E", "P", "T", "G", "M", "k", "h", "da", "d", "c", "m", "u", "µ", "μ", "n", "p", "f", "a", "z", "y")


def unit_named(name):
    if name in UNITS:
        return UNITS[name]
    for prefix in PREFIXES:
        if name.startswith(prefix) and name[len(prefix):] in UNITS:
            return UNITS[name[len(prefix):]]
    raise Unreadable(f"unit `{name}`")


def unit_dim(text):
    parts = re.findall(r"[A-Za-zµμ°]+|\d+|[*/^()-]", text)

    def atom():
        if parts[0] == "(":
            parts.pop(0)
            d = product()
            parts.pop(0)
            return d
        return unit_named(parts.pop(0))

    def exponent():
        bracket = parts[0] == "("
        if bracket:
            parts.pop(0)
        sign = -1 if parts[0] == "-" else 1
        if sign < 0:
            parts.pop(0)
        n = Fraction(sign * int(parts.pop(0)))
        if bracket and parts[0] == "/":
            parts.pop(0)
            n /= int(parts.pop(0))
        if bracket:
            parts.pop(0)
        return n

    def power():
        d = atom()
        if parts and parts[0] == "^":
            parts.pop(0)
            d = d ** exponent()
        return d

    def product():
        d = power()
        while parts and parts[0] in "*/":
            d = d * power() if parts.pop(0) == "*" else d / power()
        return d

    return product()
