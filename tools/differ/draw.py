"""Random numbers as models hold them, and the system that a generator draws.

Numbers are short decimals: exact in the text, the same in every chart, readable where a finding is shown.
"""
import random


class Draw(random.Random):
    """a stream of choices that depends on its seed alone"""

    def __init__(self, *seed):
        super().__init__("/".join(str(part) for part in seed))

    def number(self, low, high, digits=2):
        return round(self.uniform(low, high), digits)

    def either(self, low, high, digits=2):
        """a number of that size with either sign"""
        return self.number(low, high, digits) * self.choice((-1, 1))

    def chance(self, p):
        return self.random() < p


class System:
    """One physical system, written in several coordinates.

    family  who drew it
    charts  name -> text of a model; the first is the one that others are compared with
    outputs what is compared: names of `output` statements that all charts have, of the same physical quantity
    smooth  nothing in it switches, jumps or has a corner
    Every model has a param `nudge`, 0 unless set, that moves the start a little: how far results move by it is how
    much of an error a run may make of a rounding.
    """

    def __init__(self, family, seed, charts, outputs, smooth, span):
        self.family, self.seed = family, seed
        self.charts, self.outputs, self.smooth, self.span = charts, outputs, smooth, span

    def name(self):
        return f"{self.family}/{self.seed}"


def text(number):
    """a number for a model; nothing with an exponent, brackets around what is negative"""
    written = f"{number:.12f}".rstrip("0").rstrip(".")
    if written in ("-0", ""):
        return "0"
    return f"({written})" if written.startswith("-") else written
