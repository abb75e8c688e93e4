#!/usr/bin/env python3
"""A model in other units: its lengths, masses or times multiplied by a power of ten, the same motion otherwise.

rescale.py PROGRAM MODEL length|mass|time POWER       the rewritten model
rescale.py PROGRAM MODEL                              the dimension of every column

Every number of a model has a dimension, M^a L^b T^c, though the text does not say it: units are optional, and a bare
number fits everything. The dimensions are the unknowns of a linear system. Its equations: both sides of a sum, an
equation or a comparison are alike; an energy is M L^2 T^-2, a place L, the argument of a sine 1; declared units hold.
What stands between, as in sin(t), is an unwritten factor 1 that has a dimension, too. Where the equations leave a
choice, whatever is consistent is right; preferred, in this order, are arguments of functions without such a factor,
coordinates that are lengths, sums without such factors, numbers without dimension.

To multiply the lengths by 10^k, every number of dimension M^a L^b T^c is multiplied by 10^(k b). The motion of the new
model is the old one, each column multiplied by 10^(k b) with its own b.
"""
import json, re, subprocess, sys
from fractions import Fraction

BASES = ("mass", "length", "time")


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


# ---- words of the text ------------------------------------------------------------------------------

TOKEN = re.compile(r"""(?P<space>[ \t\r]+|\#[^\n]*)|(?P<newline>\n)|(?P<text>"[^"\n]*")
  |(?P<number>(?:\d+(?:\.(?!\.)\d*)?|\.\d+)(?:[eE][+-]?\d+)?)
  |(?P<name>[^\W\d]\w*(?:\[[^\]\n]*\])*)|(?P<unit>\[[^\]\n]*\])
  |(?P<sign>\.\.|<=|>=|[-+*/^()<>=~,:;{}.'²³])""", re.X)


class Token:
    def __init__(self, kind, text, start, end):
        self.kind, self.text, self.start, self.end = kind, text, start, end


def tokens_of(text):
    """a newline counts where no bracket is open and the line does not end in an operator or a comma"""
    found, at, depth = [], 0, 0
    while at < len(text):
        m = TOKEN.match(text, at)
        if not m:
            raise Unreadable(f"`{text[at:at + 10]}`")
        at = m.end()
        kind = m.lastgroup
        if kind == "space":
            continue
        if kind == "newline":
            goes_on = depth or not found or found[-1].kind == "newline" or found[-1].text in list("+-*/^,=")
            if goes_on:
                continue
        if m[0] in "()":
            depth += 1 if m[0] == "(" else -1
        if kind == "name":
            found += split_unit(m)
        else:
            found.append(Token(kind, m[0], m.start(), m.end()))
    found.append(Token("newline", "", len(text), len(text)))
    return found


def split_unit(m):
    """`x[m]` of a declaration is a name and a unit: an index holds numbers and names that are no units alone"""
    cut = m[0].find("[")
    if cut >= 0 and m[0][cut:] in ("[m]", "[kg]", "[s]", "[rad]", "[N]", "[deg]"):
        return [Token("name", m[0][:cut], m.start(), m.start() + cut), Token("unit", m[0][cut:], m.start() + cut, m.end())]
    return [Token("name", m[0], m.start(), m.end())]


def family(name):
    """x[3] and x[i-1] are of one family, and alike"""
    return re.sub(r"\[.*\]", "", name)


# ---- the model --------------------------------------------------------------------------------------

SURFACES = {"plane": (LENGTH, LENGTH), "sphere": (ONE, ONE), "ellipsoid": (ONE, ONE), "cylinder": (ONE, LENGTH),
            "cone": (ONE, LENGTH), "torus": (ONE, ONE), "circle": (ONE, ONE), "paraboloid": (LENGTH, LENGTH)}
PURE = {"sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "log"}
ALIKE = {"min", "max", "hypot", "abs", "norm"}
KINEMATIC = {"pos": LENGTH, "vel": LENGTH * RATE, "acc": LENGTH * RATE**2, "omega": RATE, "alpha": RATE**2,
             "energy": ENERGY, "kinetic": ENERGY, "potential": ENERGY, "momentum": MASS * LENGTH * RATE,
             "angmomentum": ENERGY * TIME, "moment": ENERGY, "power": ENERGY * RATE}
FREE_BODY = {**dict.fromkeys("xyz", LENGTH), **dict.fromkeys(("qw", "qx", "qy", "qz"), ONE),
             **dict.fromkeys(("wx", "wy", "wz"), RATE)}
QUATERNION = {**dict.fromkeys("wxyz", ONE), **dict.fromkeys(("wx", "wy", "wz"), RATE)}
CONTACT = {**dict.fromkeys(("angle", "bx", "by", "bz"), ONE), "sigma": RATE, "tau": RATE, "n": RATE}
RUBS = {("friction",): ONE, ("viscous", "friction"): MASS * RATE, ("rolling", "friction"): LENGTH,
        ("pivoting", "friction"): LENGTH, ("viscous", "rolling", "friction"): ENERGY * TIME,
        ("viscous", "pivoting", "friction"): ENERGY * TIME, ("restitution",): ONE}


class Model:
    """the dimensions of a model's text; ORDERS are those of its constraints"""

    def __init__(self, text, orders):
        self.text, self.orders = text, orders
        self.token, self.at = tokens_of(text), 0
        self.hard, self.arguments, self.terms, self.numbers = [], [], [], []
        self.rank = self.terms                     # where unwritten factors are kept
        self.coords, self.speeds, self.indices, self.contacts, self.orientations = set(), set(), set(), {}, set()
        self.locals = {}                           # names of one statement
        self.constraints, self.outputs, self.dropped = set(), set(), []
        self.span = {}                             # unknown -> what it multiplies
        self.unknowns = 0
        self.survey()
        self.read()
        self.solve()

    # -- names that must be known before they are used

    def survey(self):
        for a, b, c in zip(self.token, self.token[1:], self.token[2:]):
            if b.kind == "name" and c.text == "in" and a.text in ("for", "("):
                self.indices.add(b.text)
            first = a.kind == "newline" or a is self.token[0] or a.text in ("{", ";")
            if first and b.text == "orientation":
                self.orientations.add(c.text)
            if b.text in ("quasi",):
                self.speeds.add(c.text)
        text = re.sub(r"#[^\n]*", "", self.text)
        for body, base, name in re.findall(r"^\s*(?:roll|slide)\s.*?\bas\s+(\w+).*?\bas\s+(\w+).*?\bat\s+(\w+)", text, re.M):
            self.contacts[name] = (body, base)

    # -- tokens

    def peek(self):
        return self.token[self.at]

    def next(self):
        self.at += 1
        return self.token[self.at - 1]

    def accept(self, *texts):
        if self.peek().kind != "text" and self.peek().text in texts:
            return self.next()
        return None

    def expect(self, *texts):
        found = self.accept(*texts)
        if not found:
            raise Unreadable(f"`{self.peek().text}` where `{texts[0]}` is expected")
        return found

    def name(self):
        if self.peek().kind != "name":
            raise Unreadable(f"`{self.peek().text}` where a name is expected")
        name = self.next().text
        while self.peek().text == "." and self.token[self.at + 1].kind == "name":
            self.next()
            name += "." + self.next().text
        return name

    # -- unknowns and equations

    def unknown(self, name=None):
        if name is None:
            self.unknowns += 1
            name = ("", self.unknowns)
        return Dim(unknown={name: Fraction(1)})

    def alike(self, a, b):
        self.hard.append((a / b, self.text.count("\n", 0, self.peek().start) + 1))

    def factor(self, start, end):
        """an unwritten factor of what stands between"""
        d = self.unknown()
        v = next(iter(d.unknown))
        self.rank.append(v)
        self.span[v] = (start, end)
        return d

    # -- expressions

    def value(self):
        d = self.term()
        while self.accept("+", "-"):
            self.alike(d, self.term())
        return d

    def condition(self):
        d = self.value()
        if self.accept("<", "<=", ">", ">="):
            self.alike(d, self.value())
            return ONE
        return d

    def term(self):
        start = self.peek().start
        d = self.signed()
        while True:
            if self.accept("*"):
                d = d * self.signed()
            elif self.accept("/"):
                d = d / self.signed()
            else:
                return d * self.factor(start, self.token[self.at - 1].end)

    def argument(self):
        """of a function of numbers"""
        outside, self.rank = self.rank, self.arguments
        self.alike(self.value(), ONE)
        self.rank = outside

    def signed(self):
        while self.accept("+", "-"):
            pass
        d = self.postfix()
        if self.accept("^"):
            d = self.powered(d)
        return d

    def powered(self, d):
        """the exponent is a number, or both it and what it raises are pure"""
        begin = self.at
        try:
            return d ** self.constant()
        except Unreadable:
            self.at = begin
        while self.accept("+", "-"):
            pass
        self.alike(self.postfix(), ONE)
        self.alike(d, ONE)
        return ONE

    def constant(self):
        """a number, or one in brackets, perhaps a quotient"""
        sign = -1 if self.accept("-") else 1
        if self.accept("("):
            inner = self.constant()
            if self.accept("/"):
                inner /= self.constant()
            self.expect(")")
            return sign * inner
        if self.peek().kind != "number":
            raise Unreadable("an exponent that is no number")
        return sign * Fraction(self.next().text)

    def postfix(self):
        d = self.primary()
        while True:
            if self.accept("'"):
                d = d * RATE
            elif self.accept("²"):
                d = d**2
            elif self.accept("³"):
                d = d**3
            elif self.peek().text == "." and self.token[self.at + 1].text in ("x", "y", "z"):
                self.at += 2
            else:
                return d

    def primary(self):
        t = self.peek()
        if t.kind == "number":
            self.next()
            d = self.unknown()
            v = next(iter(d.unknown))
            self.numbers.append(v)
            if Fraction(t.text):
                self.span[v] = (t.start, t.end)
            return d
        if self.accept("("):
            d = self.condition()
            while self.accept(","):
                self.alike(d, self.value())
            self.expect(")")
            return d
        if self.token[self.at + 1].text == "(" and t.kind == "name":
            return self.call()
        return self.of_name(self.name_of_value())

    def name_of_value(self):
        """a name with the fields that belong to it, not those of a vector"""
        name = self.next()
        if name.kind != "name":
            raise Unreadable(f"`{name.text}` where a value is expected")
        if self.peek().text == "." and self.token[self.at + 1].kind == "name":
            field = self.token[self.at + 1].text
            if self.field(family(name.text), field):
                self.at += 2
                return f"{name.text}.{field}"
        return name.text

    def field(self, name, field):
        """the dimension of a coordinate or speed that a statement makes"""
        if name in self.orientations:
            return QUATERNION.get(field)
        if name in self.contacts:
            body, base = self.contacts[name]
            if field in ("u", "v", "ub", "vb"):
                return self.of_surface(base if len(field) == 2 else body)["uv".index(field[0])]
            return CONTACT.get(field)
        known = name in self.coords or name in self.speeds or name in self.locals or name in self.outputs
        return None if known or self.declared("param", name) or self.declared("let", name) else FREE_BODY.get(field)

    def declared(self, kind, name):
        return re.search(rf"\b{kind}\b[^\n]*\b{re.escape(name)}\s*=", self.text) is not None

    def of_surface(self, name):
        return SURFACES.get(name) or (self.unknown(("surface u", name)), self.unknown(("surface v", name)))

    def of_name(self, name):
        if name in self.locals:
            return self.locals[name]
        if name == "t":
            return TIME
        if name == "pi" or name in self.indices:
            return ONE
        if "." in name:
            head, field = name.rsplit(".", 1)
            return self.field(family(head), field)
        return self.unknown(("name", family(name)))

    def call(self):
        word = self.next().text
        self.expect("(")
        if word in KINEMATIC:
            while not self.accept(")"):
                self.next()
            return KINEMATIC[word]
        if word in ("reaction", "control"):
            name = self.name()
            self.expect(")")
            return self.of_force(word, name)
        if word == "sum":
            while not self.accept(":"):
                self.next()
            d = self.value()
            self.expect(")")
            return d
        return self.function(word)

    def of_force(self, word, name):
        if name in self.contacts:
            return FORCE
        if name not in self.orders and name.rsplit(".", 1)[0] in self.orders:
            name = name.rsplit(".", 1)[0]
        return self.unknown((word, family(name)))

    def function(self, word):
        if word in PURE:
            self.argument()
            self.expect(")")
            return ONE
        if word == "if":
            self.condition()
            self.expect(",")
            return self.arguments_alike()
        first = self.value()
        if word in ("sign", "step"):
            self.expect(")")
            return ONE
        if word == "sqrt":
            self.expect(")")
            return first ** Fraction(1, 2)
        if word in ("dot", "cross"):
            self.expect(",")
            d = first * self.value()
            self.expect(")")
            return d
        if word not in ALIKE and word not in ("atan2", "smoothstep"):
            raise Unreadable(f"function `{word}`")
        while self.accept(","):
            self.alike(first, self.value())
        self.expect(")")
        return first if word in ALIKE else ONE

    def arguments_alike(self):
        d = self.value()
        while self.accept(","):
            self.alike(d, self.value())
        self.expect(")")
        return d

    # -- statements

    def read(self):
        while self.at < len(self.token):
            if self.peek().kind == "newline" or self.peek().text in (";", "}"):
                self.next()
                continue
            self.statement()

    def statement(self):
        word = self.next()
        reader = getattr(self, "read_" + word.text, None)
        if word.kind != "name" or not reader:
            raise Unreadable(f"statement `{word.text}`")
        reader()
        self.locals = {}
        if self.peek().kind != "newline" and self.peek().text not in (";", "}", "{"):
            raise Unreadable(f"`{self.peek().text}` behind a statement `{word.text}`")

    def skip(self):
        while self.peek().kind != "newline":
            self.next()

    read_model = read_tolerance = read_method = skip

    def drop(self):
        """what is only drawn"""
        start = self.token[self.at - 1].start
        self.skip()
        self.dropped.append((start, self.peek().start))

    read_plot = read_show = read_trace = drop

    def read_for(self):
        self.name()
        self.expect("in")
        self.bound()
        self.expect("..")
        self.bound()
        self.expect("{")
        self.at -= 1
        self.next()

    def bound(self):
        """whole numbers: pure, and never rewritten"""
        before = len(self.numbers)
        self.alike(self.value(), ONE)
        for v in self.numbers[before:]:
            self.alike(Dim(unknown={v: Fraction(1)}), ONE)

    def read_param(self):
        while True:
            d = self.of_name(self.name())
            self.expect("=")
            self.alike(d, self.value())
            if self.peek().kind == "unit":
                self.alike(d, unit_dim(self.next().text[1:-1]))
            if self.peek().kind == "text":
                self.next()
            if not self.accept(","):
                return

    def read_coord(self):
        bare = []
        while True:
            name = family(self.name())
            self.coords.add(name)
            bare.append(self.of_name(name))
            if self.peek().kind == "unit":
                d = unit_dim(self.next().text[1:-1])
                for coord in bare:
                    self.alike(coord, d)
                bare = []
            if not self.accept(","):
                return

    def read_orientation(self):
        while True:
            self.name()
            if not self.accept(","):
                return

    def named(self):
        d = self.of_name(self.name())
        self.expect("=")
        self.alike(d, self.condition())

    def read_output(self):
        self.outputs.add(family(self.peek().text))
        self.named()

    read_let = read_quasi = named
    read_integral = read_output

    def rotations(self):
        if self.accept("by"):
            self.name()
            return
        while self.accept("x", "y", "z"):
            self.expect("(")
            self.argument()
            self.expect(")")

    def clauses(self, equal=LENGTH):
        sizes = {"mass": MASS, "radius": LENGTH, "inertia": ENERGY * TIME**2, "=": equal, "normal": None}
        while True:
            word = self.accept("mass", "radius", "inertia", "=", "normal", "corners", "from", "to", "at", "in", "on", "rotated")
            if not word:
                return
            if word.text in ("in", "on"):
                self.name()
            elif word.text == "rotated":
                self.rotations()
            elif word.text in sizes:
                d = self.value()
                if sizes[word.text]:
                    self.alike(d, sizes[word.text])
            else:
                for _ in range(3 if word.text == "corners" else 1):
                    self.place()

    def place(self):
        """a vector, or the name of a point"""
        if self.peek().text == "(":
            self.alike(self.value(), LENGTH)
        else:
            self.name()

    def read_frame(self):
        self.name()
        self.expect("=")
        self.name()
        self.clauses()

    def read_body(self):
        self.name()
        self.clauses()

    read_point = read_particle = read_rod = read_plate = read_disc = read_ball = read_body

    def read_kinetic(self):
        self.alike(self.value(), ENERGY)

    read_potential = read_kinetic

    def read_gravity(self):
        self.alike(self.value(), LENGTH * RATE**2)

    def read_force(self):
        if self.peek().kind == "name":
            name = self.name()
            self.expect("=")
            self.alike(self.value(), ENERGY / self.of_name(name))
            return
        self.alike(self.value(), FORCE)
        self.clauses()

    def read_torque(self):
        self.alike(self.value(), ENERGY)
        self.clauses()

    def label(self):
        if self.peek().kind == "name" and self.token[self.at + 1].text == ":":
            name = self.name()
            self.expect(":")
            return name
        self.constraints.add(f"c{len(self.constraints) + 1}")
        return f"c{len(self.constraints)}"

    def read_constraint(self):
        name = self.label()
        self.constraints.add(name)
        d = self.value()
        self.expect("=", "<=", ">=")
        self.alike(d, self.value())
        order = self.orders.get(name, self.orders.get(family(name)))
        if order is None:
            raise Unreadable(f"the order of `{name}` is not known")
        # the reaction does work on what the constraint is made of: force x df/dq^(k) is a force on q
        self.alike(self.unknown(("reaction", family(name))), ENERGY / (d * TIME**order))
        self.withs(name)

    def withs(self, name):
        while True:
            if self.accept("with"):
                self.one_with()
            elif self.accept("by"):
                self.alike(self.unknown(("control", family(name))), self.along(self.name()))
            elif self.accept("while"):
                self.name()
            else:
                return

    def one_with(self):
        if self.accept("release", "hold"):
            return
        words = ()
        while self.peek().text in ("friction", "viscous", "rolling", "pivoting", "restitution"):
            words += (self.next().text,)
        if words not in RUBS:
            raise Unreadable(f"`with {' '.join(words)}`")
        self.alike(self.value(), RUBS[words])
        if words == ("restitution",):
            self.accept("newton", "poisson", "moreau", "sequential")
        if self.accept("along"):
            self.name()
            while self.accept(","):
                self.name()

    def along(self, name):
        """a generalised force along a coordinate, or along a quasi-velocity"""
        return ENERGY / self.of_name(name) / (TIME if name in self.speeds else ONE)

    def read_resist(self):
        self.name()
        self.expect("=")
        d = self.value()
        self.expect("along")
        self.alike(d, self.along(self.name()))

    def read_surface(self):
        name = self.name()
        self.expect("(")
        self.locals[self.name()] = self.of_surface(name)[0]
        self.expect(",")
        self.locals[self.name()] = self.of_surface(name)[1]
        self.expect(")")
        self.expect("=")
        self.alike(self.value(), LENGTH)

    def a_surface(self):
        name = self.name()
        if self.accept("("):
            self.alike(self.value(), ONE if name == "cone" else LENGTH)
            while self.accept(","):
                self.alike(self.value(), LENGTH)
            self.expect(")")

    def read_roll(self):
        self.name()
        self.expect("as")
        self.a_surface()
        self.expect("on")
        self.name()
        self.expect("as")
        self.a_surface()
        self.accept("inside")
        self.expect("at")
        self.name()
        while self.accept("with"):
            self.one_with()

    read_slide = read_roll

    def read_initial(self):
        if self.peek().text == "rotation":
            while not self.accept("=", "~"):
                self.next()
            self.rotations()
            return
        d = self.value()
        self.expect("=", "~")
        self.alike(d, self.value())

    def read_event(self):
        self.name()
        self.expect(":")
        d = self.value()
        self.expect("=", "<=", ">=", "<", ">")
        self.alike(d, self.value())
        self.accept("rising", "falling")
        if not self.accept("stop", "report"):
            self.block()

    def read_stage(self):
        if self.peek().kind == "name":
            self.name()
        self.block()

    def block(self):
        self.expect("{")
        while not self.accept("}"):
            if self.accept(";") or self.peek().kind == "newline":
                self.at += self.peek().kind == "newline"
                continue
            self.item()

    def item(self):
        word = self.next().text
        if word == "set":
            while True:
                d = self.postfix()
                self.expect("=")
                self.alike(d, self.value())
                if self.accept("over"):
                    self.alike(self.value(), TIME)
                if not self.accept(","):
                    return
        elif word == "until":
            self.condition()
        elif word in ("carry", "release", "impose"):
            self.name()
            while self.accept(","):
                self.name()
        else:
            raise Unreadable(f"`{word}` in braces")

    def read_run(self):
        self.alike(self.value(), TIME)
        self.expect("..")
        self.alike(self.value(), TIME)

    # -- the answer

    def solve(self):
        self.system = System()
        for d, line in self.hard:
            if not self.system.demand(d):
                raise Unreadable(f"the dimensions contradict each other in line {line}")
        lengths = [Dim(unknown={("name", c): Fraction(1)}) / LENGTH for c in sorted(self.coords)]
        softly = [Dim(unknown={v: Fraction(1)}) for v in self.arguments] + lengths
        softly += [Dim(unknown={v: Fraction(1)}) for v in self.terms + self.numbers]
        for d in softly:
            self.system.demand(d)
        left = {v for row in self.system.rows.values() for v in row.unknown} | {v for d, _ in self.hard for v in d.unknown}
        for v in sorted(left, key=str):
            self.system.demand(Dim(unknown={v: Fraction(1)}))

    def dimension(self, dim):
        for v in dim.unknown:
            self.system.demand(Dim(unknown={v: Fraction(1)}))
        return self.system.value(dim)

    def column(self, name):
        """exponents of mass, length and time of a column of the table"""
        bare = name.rstrip("'")
        primes = len(name) - len(bare)
        head, _, rest = bare.partition(".")
        if head in ("reaction", "control", "moment") and rest:
            d = self.of_column_force(head, rest)
        elif "." in bare and self.field(family(head), rest):
            d = self.field(family(head), rest)
        else:
            d = self.of_name(head if rest in ("x", "y", "z") else bare)
        return self.dimension(d * RATE**primes)

    def of_column_force(self, head, name):
        if re.sub(r"\.[xyz]$", "", name) in self.contacts:
            return ENERGY if head == "moment" else FORCE
        return self.of_force(head, name)

    def rescaled(self, base, power):
        """the text with its lengths, masses or times multiplied by 10^POWER"""
        at = BASES.index(base)
        edits = [(a, b, None) for a, b in self.dropped]
        for v, (start, end) in self.span.items():
            tens = self.dimension(Dim(unknown={v: Fraction(1)}))[at] * power
            if tens and not any(a <= start < b for a, b in self.dropped):
                edits.append((start, end, tens))
        return apply(self.text, edits)


def apply(text, edits):
    """brackets and a factor around each piece; pieces lie in each other or apart"""
    opens, closes = {}, {}
    dropped = [(a, b) for a, b, tens in edits if tens is None]
    for start, end, tens in edits:
        if tens is not None:
            whole = f"1e{tens}" if tens.denominator == 1 else repr(10.0 ** float(tens))
            opens.setdefault(start, []).append((-end, "("))
            closes.setdefault(end, []).append((-start, f"*{whole})"))
    out = []
    for i in range(len(text) + 1):
        out += [s for _, s in sorted(closes.get(i, []))] + [s for _, s in sorted(opens.get(i, []))]
        if i < len(text) and not any(a <= i < b for a, b in dropped):
            out.append(text[i])
    return "".join(out)


def read(program, path):
    """the Model of a file; the program itself says of what order its constraints are"""
    told = subprocess.run([program, "check", "--format", "json", path], capture_output=True, text=True, timeout=60)
    if told.returncode:
        raise Unreadable(told.stderr.strip().splitlines()[0])
    orders = {}
    for constraint in json.loads(told.stdout)["constraints"]:
        orders[constraint["name"]] = orders[re.sub(r"\.[xyz]$", "", constraint["name"])] = constraint["order"]
        orders[family(constraint["name"])] = constraint["order"]
    with open(path, encoding="utf8") as file:
        return Model(file.read(), orders)


def main():
    model = read(sys.argv[1], sys.argv[2])
    if len(sys.argv) == 5:
        sys.stdout.write(model.rescaled(sys.argv[3], int(sys.argv[4])))
        return
    done = subprocess.run([sys.argv[1], "run", sys.argv[2], "--points", "2", "--quiet", "--out", "-"], capture_output=True,
                          text=True, timeout=60)
    for name in done.stdout.splitlines()[0].split(","):
        if name not in ("stage", "event"):
            powers = " ".join(f"{letter}^{p}" for letter, p in zip("MLT", model.column(name)) if p)
            print(f"{name:24} {powers or '1'}")


if __name__ == "__main__":
    main()
