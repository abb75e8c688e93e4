"""What a machine is made of, read from its text: bodies with their masses, and all that acts on them.

zwang is asked for numbers only: `instrumented()` is the text with an `output` for every expression that is written in it (a mass, a corner, a stiffness, a force) and for the places, axes and rates of its things.
What these numbers mean for a body, which force acts where and which moment, is worked out here, so that it can be held against what zwang says of its joints.
"""
import itertools
import os
import re

LIBRARY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "share", "parts")
SOLIDS = ("body", "rod", "disc", "ball", "plate", "box", "cylinder")
WORDS = {
    "solid": ("mass", "density", "inertia", "at", "in", "from", "to", "corners", "size", "radius", "length", "normal", "axis"),
    "joint": ("at", "axis", "normal", "on", "length", "pitch", "as"),
    "spring": ("from", "to", "stiffness", "length", "damping", "preload"),
    "bushing": ("at", "on", "stiffness", "turning", "damping"),
    "torsion": ("on", "stiffness", "angle", "damping"),
    "force": ("in", "at"), "torque": ("in", "on"), "place": ("in", "at", "rotated"),
    "rope": ("length", "with"), "constraint": ("with",),
}


def pieces(text, words):
    """[(word, what follows)], split at those words outside of brackets; the first word is empty"""
    out, depth, start, word = [], 0, 0, ""
    for m in re.finditer(r"[()\[\]]|[A-Za-z_]\w*(?:'+)?", text):
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(m.group(), 0)
        a_name = word in ("on", "in", "from", "to") and not text[start:m.start()].strip()
        if depth == 0 and m.group() in words and not a_name and text[m.start() - 1:m.start()] not in (".", ","):
            out.append((word, text[start:m.start()].strip()))
            word, start = m.group(), m.end()
    return out + [(word, text[start:].strip())]


def joint_pieces(text):
    """of what stands behind the name of a joint: its kind, the first body, and the pieces; bodies may be called as words are"""
    kind, b, rest = (text.split(None, 2) + [""])[:3]
    return kind, b, pieces(rest, WORDS["joint"])


def tuples(text):
    """the bracketed lists of a text, one by one"""
    out, depth, start = [], 0, 0
    for i, c in enumerate(text):
        if c == "(":
            start = i if depth == 0 else start
            depth += 1
        elif c == ")":
            depth -= 1
            if depth == 0:
                out.append(text[start:i + 1])
    return out


def listed(text):
    """the parts between commas outside of brackets"""
    out, depth, start = [], 0, 0
    for i, c in enumerate(text):
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(c, 0)
        if c == "," and depth == 0:
            out.append(text[start:i].strip())
            start = i + 1
    return out + [text[start:].strip()]


class Statement:
    def __init__(self, text, loop):
        self.text, self.loop = text, loop   # loop: (name, first, last) of a `for` around it
        self.asked = {}                      # what is asked for -> the name of an output

    def ask(self, count, key, what):
        """asks for the value of an expression"""
        if what is not None and key not in self.asked:
            self.asked[key] = (f"ne{next(count)}", what)


class Text:
    """statements of the model, and of the parts that it puts"""

    def __init__(self, lines):
        self.top, self.parts, self.count = [], {}, itertools.count()
        self.read(lines)

    def read(self, lines):
        into = self.top
        for line in joined(lines):
            text = line.strip()
            if not text:
                continue
            use, part, loop = (re.match(p, text) for p in (r'use std "(\w+)"', r"part (\w+)\s*\(", r"for (\w+) in (\w+)\.\.(\w+)\s*\{(.*)\}$"))
            if use:
                with open(os.path.join(LIBRARY, use.group(1) + ".zw"), encoding="utf-8") as f:
                    self.read(f.read().splitlines())
            elif part:
                into = self.parts.setdefault(part.group(1), [])
                into.append(text)
            elif text == "}":
                into = self.top
            elif loop:
                into.append(Statement(loop.group(4).strip(), loop.groups()[:3]))
            else:
                into.append(Statement(text, None))

    def ask_all(self):
        for statements in (self.top, *self.parts.values()):
            for s in statements:
                if isinstance(s, Statement):
                    ask(s, self.count)
            if statements is not self.top:
                base = Statement("base", None)
                for key, what in placed("base").items():
                    base.ask(self.count, key, what)
                statements.append(base)

    def instrumented(self):
        lines = []
        for name, statements in [*self.parts.items(), ("", self.top)]:
            if name:
                lines.append(statements[0])
            for s in statements[1 if name else 0:]:
                extra = [f"output {n}{'[' + s.loop[0] + ']' if s.loop else ''} = {what}" for n, what in s.asked.values()]
                if s.loop:
                    head = f"for {s.loop[0]} in {s.loop[1]}..{s.loop[2]} {{ "
                    lines += [head + x + " }" for x in [s.text, *extra]]
                else:
                    lines += [s.text] * (s.text != "base") + extra
            if name:
                lines.append("}")
        return lines

    def instances(self, statements=None, prefix=""):
        """(statement, prefix, what an index is) of everything that is there, parts by parts; what they stand on first"""
        for s in self.top if statements is None else statements[1:]:
            first, last = (int(x) for x in s.loop[1:]) if s.loop else (0, 0)
            for i in range(first, last + 1):
                index = (s.loop[0], i) if s.loop else None
                yield s, prefix, index
                put = re.match(r"put (\w+)\s*\(", s.text)
                if put:
                    name = indexed(s.text.rsplit(" as ", 1)[1].strip(), index)
                    yield from self.instances(self.parts[put.group(1)], f"{prefix}{name}.")


def joined(lines):
    """lines with those that go on in the next put together"""
    out, open_ = [], 0
    for line in lines:
        text = line.split("#")[0]
        if open_ > 0:
            out[-1] += " " + text.strip()
        else:
            out.append(text)
        open_ += text.count("(") - text.count(")")
    return out


def indexed(name, index):
    if not index:
        return name
    return re.sub(r"\[([^\]]+)\]", lambda m: f"[{eval(m.group(1), {}, {index[0]: index[1]})}]", name)


def placed(name):
    """where a thing is, how it lies, how it moves"""
    out = {"pos": f"pos({name})", "vel": f"vel({name})", "acc": f"acc({name})", "om": f"omega({name})", "al": f"alpha({name})"}
    return out | {axis: f"axis({name}, {axis})" for axis in "xyz"}


def ask(s, count):
    """asks for all numbers that stand in a statement"""
    kind, _, rest = s.text.partition(" ")
    if kind in SOLIDS:
        ps = pieces(rest, WORDS["solid"])
        for word, what in ps[1:]:
            if word in ("inertia", "corners"):
                for i, x in enumerate(listed(what[1:-1]) if word == "inertia" else tuples(what)):
                    s.ask(count, (word, i), x)
            elif word != "in":
                s.ask(count, word, what)
        for key, what in placed(ps[0][1]).items():
            s.ask(count, key, what)
    elif kind in ("frame", "point"):
        for key, what in placed(rest.split("=")[0].strip()).items():
            if kind == "frame" or key in ("pos", "vel"):
                s.ask(count, key, what)
    elif kind == "joint":
        name, _, rest = rest.partition(":")
        s.ask(count, "force", f"reaction({name})")
        s.ask(count, "moment", f"moment({name})")
        s.ask(count, "power", f"power({name})")
        side = "b"
        for word, what in joint_pieces(rest)[2][1:]:
            side = "a" if word == "on" else side
            if word in ("at", "axis"):
                s.ask(count, (side, word), signed(what))
    elif kind in ("spring", "pull", "bushing", "torsion"):
        ask_spring(s, count, kind, rest)
    elif kind == "force" and not rest.startswith("(") and "=" in rest and "at" not in dict(pieces(rest, WORDS["force"])):
        s.ask(count, "value", rest.split("=", 1)[1])
    elif kind in ("force", "torque"):
        s.ask(count, "value", pieces(rest, WORDS[kind])[0][1])
    elif kind == "gravity":
        s.ask(count, "value", rest)
    elif kind == "rope":
        s.ask(count, "tension", f"reaction({rest.partition(':')[0]})")
        for i, p in enumerate(listed(pieces(rest.partition(":")[2], WORDS["rope"])[0][1])):
            s.ask(count, ("place", i), p if p.startswith("(") else f"pos({p})")
    elif kind in ("constraint", "couple"):
        ask_constraint(s, count, rest)
    elif kind == "contact":
        name = rest.partition(":")[0]
        for key, what in (("reaction", f"reaction({name})"), ("friction", f"friction({name})"), ("slip", f"slip({name})"), ("radius", BALL.match(s.text)[2])):
            s.ask(count, key, what)


# a ball on level ground
BALL = re.compile(r"contact \w+: (\S+) as sphere\((.*?)\), world as plane\b")


def ask_spring(s, count, kind, rest):
    name, _, rest = rest.partition(":")
    if kind == "pull":
        rest, _, law = rest.partition("=")
        s.ask(count, "law", law)
    ps = pieces(rest, WORDS["spring" if kind == "pull" else kind])
    side, turning = "b", False
    for word, what in ps[1:]:
        if word in ("from", "to"):
            s.ask(count, word, what if what.startswith("(") else f"pos({what})")
            s.ask(count, (word, "vel"), "(0, 0, 0)" if what.startswith("(") else f"vel({what})")
        elif kind == "bushing" and word in ("at", "on"):
            side = "a" if word == "on" else side
            if word == "at":
                s.ask(count, (side, "at"), what)
        elif word == "turning" and not what:
            turning = True
        elif word != "on":
            s.ask(count, ("turning", word) if turning else word, what)
            turning = False
    if kind != "bushing":
        s.ask(count, "force", f"{name}.force")
    if kind == "torsion":
        joint = dict(ps)["on"]
        s.ask(count, "now", f"{joint}.angle")
        s.ask(count, "rate", f"{joint}.angle'")


# what a constraint may be between: places and rates of things, and coordinates of joints
TERM = re.compile(r"(?P<what>pos|vel|omega)\((?P<of>[^(),]+)(?:,\s*(?P<by>[^(),]+))?\)\.(?P<axis>[xyz])"
                  r"|\b(?P<joint>[A-Za-z_][\w\[\].]*)\.(?P<coordinate>angle|s|a|b|x|y|z)\b'?")


def terms(s):
    """of a constraint: the terms of left - right, and that text cut at them"""
    text = pieces(s.text.partition(":")[2], WORDS["constraint"])[0][1]
    left, right = re.split(r">=|<=|=", text)
    whole = f"{left} - ({right})"
    found = list(TERM.finditer(whole))
    return found, [whole[a:b] for a, b in zip([0, *(m.end() for m in found)], [*(m.start() for m in found), len(whole)])]


def ask_constraint(s, count, rest):
    """all here are linear in their terms: with one of them 1 and the others 0 stands its coefficient"""
    name, _, rest = rest.partition(":")
    s.ask(count, "reaction", f"reaction({name})")
    if any(word == "with" and what.startswith("friction") for word, what in pieces(rest, WORDS["constraint"])):
        s.ask(count, "friction", f"friction({name})")
    found, between = terms(s)
    def having(i):
        return "(" + "".join(itertools.chain(*itertools.zip_longest(between, ("1" if i == k else "0" for k in range(len(found))), fillvalue=""))) + ")"
    for i in range(len(found)):
        s.ask(count, ("coefficient", i), f"{having(i)} - {having(-1)}")


def signed(direction):
    letter = re.fullmatch(r"(-?)([xyz])", direction)
    if not letter:
        return direction
    one = "-1" if letter.group(1) else "1"
    return "(" + ", ".join(one if axis == letter.group(2) else "0" for axis in "xyz") + ")"
