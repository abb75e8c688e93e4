"""To and from SymPy, where it is."""
from __future__ import annotations

import re
from typing import Any, Iterable, Mapping

_NAME = r"[^\W\d][\w.]*(?:\[[\d, ]+\])*'*"
_TOKEN = re.compile(rf"(?P<number>\d+\.?\d*(?:[eE][-+]?\d+)?)|(?:reaction|control|moment|power|gap|friction|slip|state|loss|holds|delay)\([^()]*\)|{_NAME}")
_SAME = ("sqrt", "exp", "log", "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "sign")


class Reader:
    """Texts of the language as expressions: names that move are functions of the time t, primes their derivatives, names that
    were defined stand for what they are."""

    def __init__(self, moving: Iterable[str]):
        import sympy
        self.t = sympy.Symbol("t")
        self.moving = set(moving)
        self.defined: dict[str, Any] = {}
        self._functions: dict[str, Any] = {name: getattr(sympy, name) for name in _SAME}
        self._functions |= {"abs": sympy.Abs, "min": sympy.Min, "max": sympy.Max,
                            "hypot": lambda *x: sympy.sqrt(sum(y**2 for y in x)),
                            "if": lambda when, a, b: sympy.Piecewise((a, when), (b, True))}

    def _value(self, token: str) -> Any:
        import sympy
        name = token.rstrip("'")
        primes = len(token) - len(name)
        if token in self.defined:
            return self.defined[token]
        if token in ("pi", "t"):
            return sympy.pi if token == "pi" else self.t
        if name in self.moving or primes:
            x = sympy.Function(name)(self.t)
            return sympy.Derivative(x, (self.t, primes)) if primes else x
        if "(" in name:
            head, _, of = name.rstrip(")").partition("(")
            name = f"{'Lambda' if head == 'reaction' else head}_{of}"
        return sympy.Symbol(name)

    def expression(self, text: str) -> Any:
        import sympy
        values: dict[str, Any] = {}

        def word(found: re.Match[str]) -> str:
            token = found[0]
            if found["number"]:
                return token
            is_call = token in self._functions and text.startswith("(", found.end())
            key = f"f_{token}" if is_call else f"v_{len(values)}"
            values[key] = self._functions[token] if is_call else self._value(token)
            return key

        return sympy.sympify(_TOKEN.sub(word, text).replace("^", "**"), locals=values)

    def equation(self, left: str, right: str) -> Any:
        import sympy
        return sympy.Eq(self.expression(left), self.expression(right), evaluate=False)


def equations(data: Mapping[str, Any], coords: Iterable[str]) -> list[Any]:
    """What is defined on the way is put in, but for names that are differentiated, as quasi-velocities are: these are functions
    of the time, like coordinates."""
    texts = [e[side] for part in ("definitions", "equations") for e in data[part] for side in ("left", "right")]
    rates = {found[0].rstrip("'") for text in texts for found in _TOKEN.finditer(text) if found[0].endswith("'")}
    reader = Reader({*coords, *rates})
    for e in data["definitions"]:
        if e["left"] not in rates and re.fullmatch(_NAME, e["left"]) and not e["left"].endswith("'"):
            reader.defined[e["left"]] = reader.expression(e["right"])
    return [reader.equation(e["left"], e["right"]) for e in data["equations"]]


def written(x: Any) -> str:
    """An expression of SymPy as a term of the language: functions of the time are coordinates, derivatives by it their rates."""
    import sympy
    from sympy.printing.precedence import PRECEDENCE
    from sympy.printing.str import StrPrinter

    class Writer(StrPrinter):
        def _print_Derivative(self, d: Any) -> str:
            if not isinstance(d.expr, sympy.core.function.AppliedUndef) or any(by != sympy.Symbol("t") for by in d.variables):
                raise TypeError(f"only derivatives of coordinates by the time t can be written, not {d}")
            return d.expr.func.__name__ + "'" * len(d.variables)

        def _print_Function(self, f: Any) -> str:
            name = f.func.__name__
            if isinstance(f, sympy.core.function.AppliedUndef):
                if f.args != (sympy.Symbol("t"),):
                    raise TypeError(f"only functions of the time t can be written, as coordinates, not {f}")
                return name
            name = {"Abs": "abs", "Min": "min", "Max": "max"}.get(name, name)
            if name not in (*_SAME, "abs", "min", "max"):
                raise TypeError(f"the language has no function {name}")
            return f"{name}({', '.join(map(self._print, f.args))})"

        _print_Abs = _print_Min = _print_Max = _print_Function

        def _print_Heaviside(self, f: Any) -> str:
            return f"step({self._print(f.args[0])})"

        def _print_Piecewise(self, p: Any) -> str:
            (value, when), *others = p.args
            if when == sympy.true:
                return self._print(value)
            if not others:
                raise TypeError("a Piecewise needs a last piece that is true elsewhere")
            return f"if({self._print(when)}, {self._print(value)}, {self._print(sympy.Piecewise(*others, evaluate=False))})"

        def _print_Pow(self, p: Any, rational: bool = False) -> str:
            if p.exp == sympy.Rational(1, 2):
                return f"sqrt({self._print(p.base)})"
            if p.exp.could_extract_minus_sign():
                return f"1/{self.parenthesize(1 / p, PRECEDENCE['Mul'], strict=False)}"
            return f"{self.parenthesize(p.base, PRECEDENCE['Pow'])}^{self.parenthesize(p.exp, PRECEDENCE['Pow'])}"

        def _print_Float(self, number: Any) -> str:
            return repr(float(number))

        def _print_Exp1(self, number: Any) -> str:
            return "exp(1)"

    x = sympy.sympify(x)
    known = (sympy.Symbol, sympy.Rational, sympy.Float, type(sympy.pi), type(sympy.E), sympy.Add, sympy.Mul, sympy.Pow, sympy.Function,
             sympy.Max, sympy.Min, sympy.Derivative, sympy.Piecewise, sympy.functions.elementary.piecewise.ExprCondPair,
             sympy.core.relational.Relational, type(sympy.true), sympy.Tuple)
    for part in sympy.preorder_traversal(x):
        if not isinstance(part, known):
            raise TypeError(f"{part} cannot be written in the language")
    return Writer({"order": None}).doprint(x)
