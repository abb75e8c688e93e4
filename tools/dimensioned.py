"""The expressions of a model's text, read for the dimensions of what they are made of (see rescale.py)."""
import re
from fractions import Fraction

from dimensions import ENERGY, FORCE, LENGTH, MASS, ONE, RATE, TIME, Dim, Unreadable

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


# ---- expressions --------------------------------------------------------------------------------------

SURFACES = {"plane": (LENGTH, LENGTH), "sphere": (ONE, ONE), "ellipsoid": (ONE, ONE), "cylinder": (ONE, LENGTH),
            "cone": (ONE, LENGTH), "torus": (ONE, ONE), "circle": (ONE, ONE), "paraboloid": (LENGTH, LENGTH)}
PURE = {"sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "log"}
ALIKE = {"min", "max", "hypot", "abs", "norm"}
KINEMATIC = {"pos": LENGTH, "vel": LENGTH * RATE, "acc": LENGTH * RATE**2, "omega": RATE, "alpha": RATE**2,
             "energy": ENERGY, "kinetic": ENERGY, "potential": ENERGY, "momentum": MASS * LENGTH * RATE,
             "angmomentum": ENERGY * TIME, "moment": ENERGY, "power": ENERGY * RATE,
             "gap": LENGTH, "friction": FORCE, "slip": LENGTH * RATE, "state": ONE, "loss": ENERGY}
FREE_BODY = {**dict.fromkeys("xyz", LENGTH), **dict.fromkeys(("qw", "qx", "qy", "qz"), ONE),
             **dict.fromkeys(("wx", "wy", "wz"), RATE)}
QUATERNION = {**dict.fromkeys("wxyz", ONE), **dict.fromkeys(("wx", "wy", "wz"), RATE)}
JOINT = {"angle": ONE, "a": ONE, "b": ONE, "s": LENGTH, "x": LENGTH, "y": LENGTH, "z": LENGTH, **FREE_BODY}
CONTACT = {**dict.fromkeys(("angle", "bx", "by", "bz"), ONE), "sigma": RATE, "tau": RATE, "n": RATE}


class Expressions:
    """a reader that keeps what must be alike; statements are its heirs'"""

    def __init__(self, text, orders):
        self.text, self.orders = text, orders      # of constraints, by name
        self.token, self.at = tokens_of(text), 0
        self.hard, self.arguments, self.terms, self.numbers = [], [], [], []
        self.rank = self.terms                     # where unwritten factors are kept
        self.coords, self.speeds, self.indices, self.contacts, self.orientations = set(), set(), set(), {}, set()
        self.joints = {}
        self.locals, self.outputs = {}, set()      # names of one statement; of columns
        self.span = {}                             # unknown -> what it multiplies
        self.unknowns = 0
        self.survey()

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
        if name in self.joints:
            # of a point on a curve its parameter; of a spherical joint, and of such a point, a quaternion
            kind, guide = self.joints[name]
            return self.of_surface(guide)["uv".index(field)] if guide and field in "uv" else (QUATERNION if kind in ("point", "spherical") else JOINT).get(field)
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
        if name in self.contacts or name in self.joints:
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
        if word == "delay":
            self.expect(",")
            self.alike(self.value(), TIME)
            self.expect(")")
            return first
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
