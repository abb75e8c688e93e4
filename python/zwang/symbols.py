"""To and from SymPy, where it is."""
from __future__ import annotations

import re
from typing import Any

_PRIMED = re.compile(r"([^\W\d][\w.]*)('+)")


def equation(left: str, right: str) -> Any:
    """An equation of a model's text as SymPy's; coordinates are functions of the time t, primes derivatives."""
    import sympy
    return sympy.Eq(expression(left), expression(right))


def expression(text: str) -> Any:
    """A term of the language; names with primes are functions of t, everywhere where they occur."""
    import sympy
    t = sympy.Symbol("t")
    names: dict[str, Any] = {}

    def plain(name: str) -> str:
        key = "v_" + re.sub(r"\W", "_", name)
        names.setdefault(key, sympy.Symbol(name))
        return key

    def rate(found: re.Match[str]) -> str:
        key = "d_" + re.sub(r"\W", "_", found[1]) + f"_{len(found[2])}"
        names[key] = sympy.Derivative(sympy.Function(found[1])(t), (t, len(found[2])))
        return key

    moving = {m[1] for m in _PRIMED.finditer(text)}
    text = re.sub(r"reaction\(([^()]*)\)", lambda m: plain(f"Lambda_{m[1]}"), text)
    text = _PRIMED.sub(rate, text).replace("^", "**")

    def word(found: re.Match[str]) -> str:
        name = found[0]
        if name in names or (hasattr(sympy, name) and text[found.end():found.end() + 1] == "("):
            return name
        return plain(name)

    text = re.sub(r"[^\W\d][\w.]*", word, text)
    for name in moving:
        names["v_" + re.sub(r"\W", "_", name)] = sympy.Function(name)(t)
    return sympy.sympify(text, locals=names)


def written(x: Any) -> str:
    """An expression of SymPy as a term of the language."""
    import sympy

    def rate(d: Any) -> Any:
        return sympy.Symbol(f"{d.expr.func.__name__}" + "'" * int(d.derivative_count))

    x = sympy.sympify(x)
    x = x.replace(lambda e: isinstance(e, sympy.Derivative), rate)
    x = x.replace(lambda e: isinstance(e, sympy.core.function.AppliedUndef), lambda e: sympy.Symbol(e.func.__name__))
    return str(x).replace("**", "^")
