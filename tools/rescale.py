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

from dimensioned import Expressions, family
from dimensions import (ENERGY, FORCE, LENGTH, MASS, ONE, RATE, TIME, Dim, System, Unreadable, unit_dim)

BASES = ("mass", "length", "time")
RUBS = {("friction",): ONE, ("viscous", "friction"): MASS * RATE, ("rolling", "friction"): LENGTH,
        ("pivoting", "friction"): LENGTH, ("viscous", "rolling", "friction"): ENERGY * TIME,
        ("viscous", "pivoting", "friction"): ENERGY * TIME, ("restitution",): ONE}


class Model(Expressions):
    """a whole model: its statements, the dimensions they leave, and its text in other units"""

    def __init__(self, text, orders):
        super().__init__(text, orders)
        self.constraints, self.dropped = set(), []
        self.read()
        self.solve()

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
        sizes = {"mass": MASS, "radius": LENGTH, "length": LENGTH, "size": LENGTH, "inertia": ENERGY * TIME**2, "=": equal, "normal": None, "axis": None}
        while True:
            word = self.accept("mass", "radius", "length", "size", "inertia", "=", "normal", "axis", "corners", "from", "to", "at", "in", "on", "rotated")
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

    read_point = read_particle = read_rod = read_plate = read_disc = read_ball = read_box = read_cylinder = read_body

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
        if words == ("friction",) and self.accept("over"):
            self.expect("radius")
            self.alike(self.value(), LENGTH)
            self.accept("hertz", "uniform")
            self.accept("rational")
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

    def read_curve(self):
        name = self.name()
        self.expect("(")
        self.locals[self.name()] = self.of_surface(name)[0]
        self.expect(")")
        self.expect("=")
        self.alike(self.value(), LENGTH)

    def read_joint(self):
        name = self.name()
        self.expect(":")
        kind, guide = self.name(), None
        self.name()
        while self.peek().kind != "newline":
            word = self.next().text
            if word in ("curve", "surface"):
                guide = self.name()
            elif word == "at":
                self.place()
            elif word in ("length", "pitch"):
                self.alike(self.value(), LENGTH)
            elif word in ("axis", "normal") and self.peek().text == "(":
                self.value()
        self.joints[name] = (kind, guide)

    def read_spring(self):
        self.name()
        self.expect(":")
        stiffness = {"stiffness": FORCE / LENGTH, "length": LENGTH, "damping": FORCE / LENGTH * TIME, "preload": FORCE}
        while self.peek().kind != "newline":
            word = self.next().text
            if word in ("from", "to"):
                self.place()
            else:
                self.alike(self.value(), stiffness[word])

    def a_surface(self):
        name = self.name()
        if self.accept("("):
            self.alike(self.value(), ONE if name == "cone" else LENGTH)
            while self.accept(","):
                self.alike(self.value(), LENGTH)
            self.expect(")")

    def a_shape(self):
        """NAME or NAME[*] as SHAPE, its sizes in one pair of brackets or in several"""
        self.name()
        if self.peek().kind == "unit":
            self.next()
        self.expect("as")
        self.name()
        while self.accept("("):
            self.alike(self.value(), LENGTH)
            while self.accept(","):
                self.alike(self.value(), LENGTH)
            self.expect(")")

    def read_contact(self):
        self.alike(self.unknown(("reaction", family(self.name()))), FORCE)
        self.expect(":")
        self.accept("among")
        self.a_shape()
        while self.accept(",", "and"):
            self.a_shape()
        while self.accept("with"):
            self.one_with()

    read_contacts = read_contact

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

    def rescaled(self, base, power, radix=10):
        """the text with its lengths, masses or times multiplied by RADIX^POWER"""
        at = BASES.index(base)
        edits = [(a, b, None) for a, b in self.dropped]
        for v, (start, end) in self.span.items():
            exponent = self.dimension(Dim(unknown={v: Fraction(1)}))[at] * power
            if exponent and not any(a <= start < b for a, b in self.dropped):
                edits.append((start, end, exponent))
        return apply(self.text, edits, radix)


def factor(exponent, radix):
    if exponent.denominator == 1:
        return f"1e{exponent}" if radix == 10 else f"{radix}^({exponent})"
    return repr(float(radix) ** float(exponent))


def apply(text, edits, radix):
    """brackets and a factor around each piece; pieces lie in each other or apart"""
    opens, closes = {}, {}
    dropped = [(a, b) for a, b, exponent in edits if exponent is None]
    for start, end, exponent in edits:
        if exponent is not None:
            opens.setdefault(start, []).append((-end, "("))
            closes.setdefault(end, []).append((-start, f"*{factor(exponent, radix)})"))
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
