"""Building models in Python: what is built is a text, which can be saved, read and shown."""
from __future__ import annotations

from typing import Any

from .model import Model


class Term:
    """An expression of a model: names and numbers with + - * / ** and functions."""

    # how strongly it binds: 0 sum, 1 product, 2 power, 3 whole
    def __init__(self, text: str, binds: int = 3):
        self.text, self._binds = text, binds

    def _in(self, least: int) -> str:
        return self.text if self._binds >= least else f"({self.text})"

    def _behind(self) -> str:
        """behind a sign"""
        text = self._in(1)
        return f"({text})" if text.startswith("-") else text

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<{self.text}>"

    @property
    def dt(self) -> "Term":
        """Its rate: x.dt is x'."""
        if self._binds < 3 or not self.text.rstrip("'").replace(".", "_").isidentifier():
            raise ValueError(f"only coordinates have a rate by themselves, not {self.text}")
        return Term(self.text + "'")

    def __add__(self, other: Any) -> "Term":
        return Term(f"{self._in(0)} + {term(other)._behind()}", 0)

    def __radd__(self, other: Any) -> "Term":
        return term(other) + self

    def __sub__(self, other: Any) -> "Term":
        return Term(f"{self._in(0)} - {term(other)._behind()}", 0)

    def __rsub__(self, other: Any) -> "Term":
        return term(other) - self

    def __mul__(self, other: Any) -> "Term":
        return Term(f"{self._in(1)}*{term(other)._in(2)}", 1)

    def __rmul__(self, other: Any) -> "Term":
        return term(other) * self

    def __truediv__(self, other: Any) -> "Term":
        return Term(f"{self._in(1)}/{term(other)._in(2)}", 1)

    def __rtruediv__(self, other: Any) -> "Term":
        return term(other) / self

    def __pow__(self, other: Any) -> "Term":
        return Term(f"{self._in(3)}^{term(other)._in(3)}", 2)

    def __neg__(self) -> "Term":
        return Term(f"-{self._behind()}", 1)


def term(x: Any) -> Term:
    """A number, a text, a term, or an expression of SymPy."""
    if isinstance(x, Term):
        return x
    if isinstance(x, str):
        return Term(x, 3 if x.replace(".", "_").rstrip("'").isidentifier() else 0)
    if hasattr(x, "free_symbols"):
        from .symbols import written
        return Term(written(x), 0)
    number = repr(float(x)).removesuffix(".0")
    return Term(number, 3 if float(x) >= 0 else 1)


def _function(name: str) -> Any:
    def call(x: Any) -> Term:
        return Term(f"{name}({term(x).text})")
    call.__name__, call.__doc__ = name, f"{name} of a term"
    return call


sin, cos, tan, sqrt, exp, log = map(_function, ("sin", "cos", "tan", "sqrt", "exp", "log"))


class Builder:
    """Writes a model.

    >>> b = Builder("Pendulum")
    >>> m, l, g = b.param("m", 3, "kg"), b.param("l", 2, "m"), b.param("g", 9.81, "m/s^2")
    >>> phi = b.coord("phi", "rad")
    >>> b.kinetic(m*l**2*phi.dt**2/2)
    >>> b.potential(-m*g*l*cos(phi))
    >>> b.initial(phi, 0.5)
    >>> b.run(0, 3)
    >>> print(b.text)
    model "Pendulum"
    param m = 3 [kg]
    param l = 2 [m]
    param g = 9.81 [m/s^2]
    coord phi [rad]
    kinetic m*l^2*phi'^2/2
    potential -m*g*l*cos(phi)
    initial phi = 0.5
    run 0 .. 3
    <BLANKLINE>
    >>> b.model().coords
    ['phi']
    """

    sin, cos, tan, sqrt, exp, log = map(staticmethod, (sin, cos, tan, sqrt, exp, log))

    def __init__(self, title: str | None = None):
        self._lines: list[str] = []
        if title:
            self.line(f'model "{title}"')

    def line(self, text: str) -> None:
        """Any statement of the language."""
        self._lines.append(text)

    @property
    def text(self) -> str:
        return "\n".join(self._lines) + "\n"

    def param(self, name: str, value: Any, unit: str | None = None) -> Term:
        self.line(f"param {name} = {term(value)}" + (f" [{unit}]" if unit else ""))
        return Term(name)

    def coord(self, name: str, unit: str | None = None) -> Term:
        self.line(f"coord {name}" + (f" [{unit}]" if unit else ""))
        return Term(name)

    def let(self, name: str, value: Any) -> Term:
        self.line(f"let {name} = {term(value)}")
        return Term(name)

    def kinetic(self, energy: Any) -> None:
        self.line(f"kinetic {term(energy)}")

    def potential(self, energy: Any) -> None:
        self.line(f"potential {term(energy)}")

    def force(self, along: Any, value: Any) -> None:
        self.line(f"force {term(along)} = {term(value)}")

    def constraint(self, name: str, left: Any, right: Any = 0) -> None:
        self.line(f"constraint {name}: {term(left)} = {term(right)}")

    def inequality(self, name: str, left: Any, right: Any = 0) -> None:
        """left >= right"""
        self.line(f"constraint {name}: {term(left)} >= {term(right)}")

    def event(self, name: str, left: Any, right: Any = 0, action: str = "report") -> None:
        self.line(f"event {name}: {term(left)} = {term(right)} {action}")

    def output(self, name: str, value: Any) -> None:
        self.line(f"output {name} = {term(value)}")

    def initial(self, of: Any, value: Any, guess: bool = False) -> None:
        self.line(f"initial {term(of)} {'~' if guess else '='} {term(value)}")

    def run(self, start: float, end: float) -> None:
        self.line(f"run {term(start)} .. {term(end)}")

    def model(self, **params: Any) -> Model:
        return Model(text=self.text, **params)

    def save(self, path: str) -> None:
        with open(path, "w", encoding="utf8") as f:
            f.write(self.text)
