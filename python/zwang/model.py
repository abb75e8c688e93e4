"""Models: read, derived, studied, run."""
from __future__ import annotations

import ctypes as c
import difflib
import inspect
import json
import os
import tempfile
from typing import Any, Callable, Iterator, Mapping, Sequence

import numpy as np

from ._library import (PROGRESS, Error, Handle, ModelError, Notes, RunError, RunOptions, Watch, lib, number, take_text, text_list,
                       whole, words)
from .track import Track, track_of


def examples() -> list[str]:
    """Names of the models that come with zwang.

    >>> "pendulum" in examples()
    True
    """
    return list(_listed(lib.zw_example_name))


def example(name: str) -> str:
    """The text of one of them."""
    text = lib.zw_example_text(words(name))
    if text is None:
        raise KeyError(f"there is no example `{name}`")
    return text.decode()


def methods() -> dict[str, str]:
    """Methods of integration, and a line on each."""
    return {name: lib.zw_method_summary(i).decode() for i, name in enumerate(_listed(lib.zw_method_name))}


def _listed(of: Any) -> Iterator[str]:
    i = 0
    while (name := of(i)) is not None:
        yield name.decode()
        i += 1


class Report:
    """A text of the program, and the same as data: ``str(r)``, ``r.data``, ``r["key"]``."""

    def __init__(self, write: Callable[[str], str]):
        self._write = write
        self._text: dict[str, str] = {}

    def style(self, name: str) -> str:
        if name not in self._text:
            self._text[name] = self._write(name)
        return self._text[name]

    def __getstate__(self) -> dict[str, Any]:
        """its texts; styles that it cannot have are left out"""
        for name in self._styles:
            try:
                self.style(name)
            except Error:
                pass
        return {**self.__dict__, "_write": _not_of_copies}

    _styles: tuple[str, ...] = ("text", "json")

    def __str__(self) -> str:
        return self.style("text")

    __repr__ = __str__

    @property
    def json(self) -> str:
        return self.style("json")

    @property
    def data(self) -> Any:
        return json.loads(self.json)

    @property
    def latex(self) -> str:
        return self.style("latex")

    @property
    def csv(self) -> str:
        return self.style("csv")

    def __getitem__(self, key: str) -> Any:
        return self.data[key]


class Equations(Report):
    """Equations of motion: ``str()`` is the text, ``.latex`` a document, ``.c`` a function in C; typeset in a notebook."""

    def __init__(self, write: Callable[[str], str], coords: list[str]):
        super().__init__(write)
        self._coords = coords

    _styles = ("text", "json", "latex", "c")

    @property
    def c(self) -> str:
        return self.style("c")

    def _repr_latex_(self) -> str:
        lines = [f"{e['left_latex']} &= {e['right_latex']}" for e in self.data["equations"]]
        return "$$\\begin{aligned}" + " \\\\ ".join(lines) + "\\end{aligned}$$"

    def sympy(self) -> list[Any]:
        """As equations of SymPy, coordinates being functions of the time t; abbreviations of the text are put in."""
        from .symbols import equations
        return equations(self.data, self._coords)


class Point:
    """Accelerations and reactions at one state: ``p["x''"]``, ``p["reaction.rod"]``."""

    def __init__(self, model: "Model", state: str | Mapping[str, float] | None, form: str | None):
        at = lib.zw_eval(model._system(), words(form), _state(state), model._notes.at)
        if not at:
            model._notes.tell(RunError, "there is no such state")
        model._notes.tell()
        self._handle = Handle(at, lib.zw_point_free)
        self._made_of = (model, state, form)

    def __reduce__(self) -> Any:
        return Point, self._made_of

    def __getitem__(self, name: str) -> float:
        value = lib.zw_point_value(self._handle.at, words(name))
        if np.isnan(value):
            raise KeyError(f"there is no value of `{name}` at this state")
        return value

    def __str__(self) -> str:
        return take_text(lib.zw_point_text(self._handle.at, b"text", False))

    __repr__ = __str__

    @property
    def data(self) -> Any:
        return json.loads(take_text(lib.zw_point_text(self._handle.at, b"json", False)))


def _state(state: str | Mapping[str, float] | None) -> bytes | None:
    if state is None or isinstance(state, str):
        return words(state)
    return ", ".join(f"{name}={number(name, value)!r}" for name, value in state.items()).encode()


def _names(names: str | Sequence[str] | None) -> bytes | None:
    return words(names) if names is None or isinstance(names, str) else ",".join(names).encode()


class Options:
    """The options of a run as the library takes them, with all they point to."""

    def __init__(self, watch: Watch | None, until: float | None = None, tol: float | None = None, method: str | None = None,
                 points: int | None = None, every: float | None = None, at: Sequence[float] | None = None,
                 step: float | None = None, contacts: str | None = None, contact_solver: str | None = None,
                 beyond: str | None = None, digits: float | None = None, estimate: bool = False, curves: bool = False,
                 scene: bool = False):
        self.watch = watch
        o = self.o = lib.zw_run_defaults()
        if until is not None:
            o.until = number("until", until)
        o.tolerance, o.every, o.step = (number(name, x or 0) for name, x in (("tol", tol), ("every", every), ("step", step)))
        o.method, o.contacts, o.contact_solver, o.beyond = map(words, (method, contacts, contact_solver, beyond))
        o.points, o.digits, o.scene = whole("points", points or 0), number("digits", digits or 0), scene
        o.estimate, o.curves = estimate, curves
        if at is not None:
            times = [number("at", x) for x in np.atleast_1d(np.asarray(at, dtype=object)).ravel()]
            if not times:
                raise ValueError("`at` has no times")
            self._at = (c.c_double * len(times))(*times)
            o.at, o.at_count = self._at, len(times)
        if watch:
            o.progress = watch.call


class Model:
    """A model, from a file or a text; params as keywords.

    >>> m = Model(text="param k = 2\\ncoord x\\nkinetic x'^2/2\\npotential k*x^2/2\\ninitial x = 1", k=4)
    >>> m.coords, m.params["k"]
    (['x'], 4.0)
    >>> Model(text="coord x\\nkinetic y'^2")
    Traceback (most recent call last):
    ...
    zwang._library.ModelError: ...
    """

    def __init__(self, path: str | os.PathLike[str] | None = None, *, text: str | None = None, name: str = "model.zw",
                 **params: Any):
        if (path is None) == (text is None):
            raise TypeError("a model is read from a path, or from a text by text=...")
        self._notes = Notes()
        self._sets = {key: value if isinstance(value, str) else repr(number(key, value)) for key, value in params.items()}
        self._path = None if path is None else os.path.abspath(os.fspath(path))
        self._source = {"path": path} if text is None else {"text": text, "name": name}
        at = self._read()
        if not at:
            self._notes.tell(ModelError, "the model cannot be read")
        self._model = Handle(at, lib.zw_model_free)
        self._notes.tell()
        self._derived: Handle | None = None
        self.params = Params(self)

    def _read(self) -> int | None:
        sets = [f"{key}={value}" for key, value in self._sets.items()]
        rest = (text_list(sets), len(sets), self._notes.at)
        if self._path is not None:
            return lib.zw_model_read(os.fsencode(os.fspath(self._source["path"])), *rest)
        text = self._source["text"]
        # what is no text is told by the library, with its place
        data = text if isinstance(text, bytes) else str(text).encode("utf8", "surrogatepass")
        return lib.zw_model_read_text(os.fsencode(self._source["name"]), data, len(data), *rest)

    def _again(self, sets: Mapping[str, Any]) -> "Model":
        """read anew, also from another folder than the first time"""
        source = dict(self._source)
        if self._path is not None and os.path.abspath(os.fspath(source["path"])) != self._path:
            source["path"] = self._path
        return Model(**source, **sets)  # type: ignore[arg-type]

    def __reduce__(self) -> Any:
        """Copies, in this process or another, are read anew: of a text the same, of a file what it holds by then."""
        source = {"path": self._path} if self._path is not None else self._source
        return _model_of, (source, self._sets)

    def __repr__(self) -> str:
        return f"<Model: {self.title or 'without a title'}>"

    @property
    def title(self) -> str:
        return (lib.zw_model_title(self._model.at) or b"").decode()

    @property
    def coords(self) -> list[str]:
        return [lib.zw_model_coord(self._model.at, i).decode() for i in range(lib.zw_model_coords(self._model.at))]

    @property
    def constraints(self) -> list[str]:
        at = self._model.at
        return [lib.zw_model_constraint(at, i).decode() for i in range(lib.zw_model_constraints(at))]

    def with_params(self, **params: Any) -> "Model":
        """The same model with other params."""
        return self._again({**self._sets, **params})

    def without(self, names: Sequence[str]) -> "Model":
        """The same model with these params as its text has them."""
        if not any(name in self._sets for name in names):
            return self
        kept = {name: value for name, value in self._sets.items() if name not in names}
        return self._again(kept)

    def with_conserved(self) -> "Model":
        """The same model with the integrals that `structure` finds as formulas declared: runs watch how far they drift."""
        made = self._again(dict(self._sets))
        at = lib.zw_derive_watching(made._model.at, made._notes.at)
        if not at:
            made._notes.tell(ModelError, "the integrals could not be declared")
        made._derived = Handle(at, lib.zw_system_free)
        made._notes.tell()
        return made

    # ---- equations ------------------------------------------------------------------------------

    def _system(self) -> int:
        if self._derived is None:
            at = lib.zw_derive(self._model.at, self._notes.at)
            if not at:
                self._notes.tell(ModelError, "the equations could not be derived")
            self._derived = Handle(at, lib.zw_system_free)
            self._notes.tell()
        return self._derived.at

    def _text(self, of: Callable[[int, bytes, int], int | None], kind: type[Error] = Error) -> Callable[[str], str]:
        def write(style: str) -> str:
            at = of(self._system(), style.encode(), self._notes.at)
            if not at:
                self._notes.tell(kind, "this could not be done")
            self._notes.tell()
            return take_text(at)
        return write

    def equations(self, form: str = "lagrange") -> Equations:
        """The equations of motion in a form: "lagrange", "maggi", "appell", ... (`forms` lists them)."""
        out = Equations(self._text(lambda s, style, n: lib.zw_equations(s, words(form), style, n)), self.coords)
        out.style("json")
        return out

    def derive(self, form: str = "lagrange", style: str = "text") -> str:
        """The same as a text: "text", "latex", "c" or "json"."""
        return self.equations(form).style(style)

    def functions(self, names: str = "T,V") -> Report:
        """Functions that forms are made from: "T,V,T',T'',S,R,g,gamma"."""
        return _made(self._text(lambda s, style, n: lib.zw_functions(s, _names(names), style, n)))

    def forms(self) -> Report:
        """Which forms suit the model, and why others do not."""
        return _made(self._text(lambda s, style, n: lib.zw_forms(s, style, n)))

    def check(self) -> Report:
        """What the model is: degrees of freedom, constraints, integrability, the initial state."""
        return _made(self._text(lambda s, style, n: lib.zw_check(s, style, n)))

    def verify(self, states: int = 0) -> Report:
        """Every form against the common problem and Gauss's principle; ``["ok"]`` or ``.ok`` says whether all agree."""
        ok = c.c_bool()
        out = _made(self._text(lambda s, style, n: lib.zw_verify(s, states, style, c.byref(ok), n)))
        out.ok = ok.value  # type: ignore[attr-defined]
        return out

    def eval(self, state: str | Mapping[str, float] | None = None, form: str | None = None) -> Point:
        """Accelerations and reactions at a state, as "x=1, x'=2" or {"x": 1, "x'": 2}."""
        return Point(self, state, form)

    def geometry(self, at: str | Mapping[str, float] | None = None, region: str | None = None, embed: bool = False,
                 curvature: bool = False, energy: float | str | None = None, geodesic: float = 0,
                 map: str | None = None) -> Report:
        """The kinetic energy as a metric: Christoffel symbols, curvature, factors, embedding; curvature=True: without the
        embedding; energy=E or "start": the Jacobi metric; geodesic=L: along the velocity at the point; map="name.c" or
        "name.json": a file for the map of the embedding."""
        o = lib.zw_geometry_defaults()
        o.map = words(map)
        o.at, o.region, o.embed, o.curvature, o.geodesic = _state(at), words(region), embed, curvature, geodesic
        o.energy = words(None if energy is None else energy if isinstance(energy, str) else repr(float(energy)))
        return _made(self._text(lambda s, style, n: lib.zw_geometry(s, c.byref(o), style, n)))

    def stability(self, state: str | Mapping[str, float] | None = None, period: float = 0, over: str | None = None,
                  points: int = 0, all: bool = False, orbit: bool = False) -> Report:
        """The steady or periodic motion near a state, its eigenvalues, whether it is stable; over="v=0..10" along a param."""
        o = lib.zw_stability_defaults()
        o.state, o.period, o.over, o.points, o.all = _state(state), period, words(over), points, int(all)
        o.orbit = int(orbit)
        return _made(self._text(lambda s, style, n: lib.zw_stability(s, c.byref(o), style, n), RunError))

    def linearise(self, inputs: str | Sequence[str] | None = None, outputs: str | Sequence[str] | None = None,
                  state: str | Mapping[str, float] | None = None, where: str = "state") -> Report:
        """z' = A z + B u, y = C z + D u about a state, or where="rest" or "steady" near it; ``["A"]`` and so on are its data."""
        places = {"state": 0, "rest": 1, "steady": 2}
        if where not in places:
            raise ValueError(f"where is one of {', '.join(places)}")
        o = lib.zw_linearise_defaults()
        o.state, o.where, o.inputs, o.outputs = _state(state), places[where], _names(inputs), _names(outputs)
        return _made(self._text(lambda s, style, n: lib.zw_linearise(s, c.byref(o), style, n), RunError))

    def branches(self, over: str, state: str | Mapping[str, float] | None = None, period: float = 0, points: int = 0,
                 all: bool = False, second: str | None = None, orbit: bool = False,
                 tolerance: float = 0) -> Report:
        """The branch of steady (or periodic) motions over a param, as "v=0..10", with its folds, forks and Hopf points; what
        `zwang continue` says. ``.csv`` is its points as a table. Over a second param, as second="h=1..2", special points are
        followed as curves; orbit=True starts from a periodic motion of whatever period. ``tolerance`` is how exact periodic motions
        are, relative (1e-12 unless told).

        >>> m = Model(text="param a = -1\\ncoord x\\nkinetic x'^2/2\\npotential x^4/4 - a*x^2/2\\nforce x = -x'\\ninitial x = 0")
        >>> [point["kind"] for point in m.branches("a=-1..1")["branches"][0]["special"]]
        ['branch']
        """
        o = lib.zw_continue_defaults()
        o.over, o.state, o.period, o.points, o.all = words(over), _state(state), period, points, int(all)
        o.second, o.orbit, o.tolerance = words(second), int(orbit), tolerance
        return _made(self._text(lambda s, style, n: lib.zw_continue(s, c.byref(o), style, n), RunError))

    continue_ = branches

    def structure(self, at: str | Mapping[str, float] | None = None) -> Report:
        """What the motion keeps: symmetries, integrals linear and quadratic in the velocities, an invariant measure."""
        o = lib.zw_structure_defaults()
        o.at = _state(at)
        return _made(self._text(lambda s, style, n: lib.zw_structure(s, c.byref(o), style, n)))

    def chaos(self, until: float | None = None, state: str | Mapping[str, float] | None = None, tol: float | None = None,
              section: str | None = None, out: str | os.PathLike[str] | None = None, manifolds: bool = False,
              period: float = 0) -> Report:
        """Lyapunov exponents with their errors, the dimension of the attractor; points of a section, as "x = 0", go to `out`.
        With manifolds=True, the stable and unstable manifolds of the steady (or, with a period, periodic) motion near the state."""
        o = lib.zw_chaos_defaults()
        o.state, o.section, o.tolerance = _state(state), words(section), tol or 0
        o.manifolds, o.period = int(manifolds), period
        o.out = None if out is None else os.fsencode(os.fspath(out))
        if until is not None:
            o.until = until
        return _made(self._text(lambda s, style, n: lib.zw_chaos(s, c.byref(o), style, n), RunError))

    def inverse(self, motion: Mapping[str, Any], along: str | Sequence[str] | None = None) -> dict[str, Any]:
        """The forces along coordinates that make a motion, given as columns: {"t": ..., "x": ...}, and "x'", "x''" where they are
        known. Columns of the answer by name; a track is such a motion, too.

        >>> m = Model(text="coord x\\nkinetic x'^2/2")
        >>> t = np.linspace(0, 1, 101)
        >>> forces = m.inverse({"t": t, "x": t**2, "x'": 2*t, "x''": 2 + 0*t})
        >>> bool(np.allclose(forces["force.x"], 2))
        True
        """
        names = list(motion)
        table = np.column_stack([np.asarray(motion[name], dtype=float) for name in names])
        handle, path = tempfile.mkstemp(suffix=".csv", prefix="zwang-")
        try:
            with os.fdopen(handle, "w") as f:
                f.write(",".join(names) + "\n")
                f.writelines(",".join(map(repr, row)) + "\n" for row in table.tolist())
            written = self._text(lambda s, style, n: lib.zw_inverse(s, os.fsencode(path), _names(along), style, n), RunError)
            head, *rows = written("csv").splitlines()
        finally:
            os.unlink(path)
        values = np.array([[float(x) for x in row.split(",")] for row in rows])
        return {name: values[:, i] for i, name in enumerate(head.split(","))}

    # ---- runs -----------------------------------------------------------------------------------

    def run(self, until: float | None = None, tol: float | None = None, *, progress: Any = None, **options: Any) -> Track:
        """A run. Options: method, points, every, at, step, contacts, contact_solver, beyond, digits, estimate, curves.

        `progress` is True for a bar, or a function of (t, t_from, t_to); Ctrl-C ends the run, and what it has is kept; twice
        within a second it raises KeyboardInterrupt, as anywhere.
        """
        return self._run(dict(self._known(options), until=until, tol=tol), progress)

    def _known(self, options: dict[str, Any]) -> dict[str, Any]:
        """refuses what is no option, and says what was probably meant"""
        for name in options:
            if name in self.params or name.rstrip("'") in self.coords:
                raise TypeError(f"`{name}` is of the model: m.with_params({name}=...) is the model with another one, and programs "
                                f"take it with each run, m.program().run(**{{{name!r}: ...}})")
            if name not in _OPTIONS:
                near = difflib.get_close_matches(name, _OPTIONS, 1, 0.4)
                raise TypeError(f"a run has no option `{name}`" + (f"; did you mean `{near[0]}`?" if near else
                                                                   f"; it has {', '.join(_OPTIONS)}"))
        return options

    def _run(self, options: dict[str, Any], progress: Any = None) -> Track:
        from .notebook import shown_by
        watch = Watch(PROGRESS, shown_by(progress))
        o = Options(watch, **options)
        system = self._system()
        with watch:
            at = lib.zw_run(system, c.byref(o.o), self._notes.at)
        if not at:
            self._notes.tell(RunError, "the run could not be made")
        self._notes.tell()
        return track_of(at, lambda: self._run(dict(options, scene=True)))

    def program(self, **options: Any) -> Any:
        """Compiled once, to be run, stepped, swept and asked many times; options as of `run`."""
        from .program import Program
        return Program(self, self._known(options))


_OPTIONS = [name for name in inspect.signature(Options.__init__).parameters if name not in ("self", "watch", "scene")]


def _model_of(source: dict[str, Any], sets: dict[str, str]) -> Model:
    return Model(**source, **sets)


def _not_of_copies(style: str) -> str:
    raise Error(f"a copy of a report has the texts alone that it was copied with, not `{style}`")


class Params(Mapping[str, float]):
    """Values of the params in SI, by name, in the order of the text.

    >>> dict(Model(text="param k = 2, l = 30 [cm]\\ncoord x\\nkinetic x'^2/2").params)
    {'k': 2.0, 'l': 0.3}
    """

    def __init__(self, model: Model):
        self._model = model._model

    def __getitem__(self, name: str) -> float:
        value = lib.zw_model_param(self._model.at, words(name))
        if np.isnan(value):
            raise KeyError(f"the model has no param `{name}`; it has {', '.join(self) or 'none'}")
        return value

    def __contains__(self, name: object) -> bool:
        return name in list(self)

    def __setitem__(self, name: str, value: Any) -> None:
        raise TypeError(f"params of a model stay as they are: m.with_params({name}={value!r}) is another model")

    def __iter__(self) -> Iterator[str]:
        for i in range(lib.zw_model_params(self._model.at)):
            yield lib.zw_model_param_name(self._model.at, i).decode()

    def __len__(self) -> int:
        return lib.zw_model_params(self._model.at)

    def __repr__(self) -> str:
        return repr(dict(self))


def _made(write: Callable[[str], str]) -> Report:
    """errors are raised where it is asked for, not where it is shown"""
    out = Report(write)
    out.style("text")
    return out
