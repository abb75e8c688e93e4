"""Programs: a model compiled once; runs, sweeps, rates, steps."""
from __future__ import annotations

import ctypes as c
import threading
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, Callable, Iterator, Mapping, MutableMapping, Sequence

import numpy as np

from ._library import BAD_INPUT, NO_ROOM, PROGRESS, UNFINISHED, Handle, Notes, RunError, Watch, address, floats, lib, number
from .model import Model, Options
from .notebook import shown_by
from .track import Columns, Event, Track, _events

if TYPE_CHECKING:
    import numpy.typing as npt


_DOUBLE = np.dtype(np.float64)
_rates = lib.zw_state_rates  # looked up once: a call is to cost little more than the function


def _set(at: int, handle: int, name: str, value: Any) -> None:
    try:
        status = lib.zw_state_set(at, handle, value)
    except c.ArgumentError:
        raise TypeError(f"`{name}` is a number, not {value!r}") from None
    if status != 0:
        raise ValueError(f"`{name}` cannot be {value}")


def _places(coords: list[str], columns: Columns) -> list[int]:
    """Columns of the state: of each coordinate, then of each velocity; -1: a state of the first order has no place of its own,
    and is found among the velocities."""
    whole = [name + "'" in columns.index for name in coords]
    return ([columns.index[name] if both else -1 for name, both in zip(coords, whole)]
            + [columns.index[name + "'" if both else name] for name, both in zip(coords, whole)])


def _no_time(t: Any) -> TypeError:
    return TypeError(f"the time is a number, not {t!r}")


def _is_main() -> bool:
    return threading.current_thread() is threading.main_thread()


class _Compiled:
    """A program of the library, for the inputs named."""

    def __init__(self, model: Model, inputs: Sequence[str], watched: bool, options: dict[str, Any]):
        notes = Notes()
        self.watch = Watch(PROGRESS, shown_by(None)) if watched else None
        self.options = Options(self.watch, **options)
        at = lib.zw_program_new(model._system(), ",".join(inputs).encode() or None, c.byref(self.options.o), notes.at)
        if not at:
            notes.tell(RunError, "the program could not be made")
        self.handle = Handle(at, lib.zw_program_free)
        self.inputs = {name: lib.zw_program_input(at, name.encode()) for name in inputs}
        count = lib.zw_program_columns(at)
        self.columns = Columns([lib.zw_program_column_name(at, i).decode() for i in range(count)],
                               [lib.zw_program_column_unit(at, i).decode() for i in range(count)])
        self.coords: int = lib.zw_program_coords(at)
        self.places = _places(model.coords, self.columns)


class _State:
    """The memory of one run of it."""

    def __init__(self, program: _Compiled):
        self.program = program
        self.notes = Notes()
        self.handle = Handle(lib.zw_state_new(program.handle.at, self.notes.at), lib.zw_state_free)
        self.at, self.notes_at = self.handle.at, self.notes.at
        self.y, self.rates = np.empty(2 * program.coords), np.empty(2 * program.coords)
        self.y_at, self.rates_at, self.shape = address(self.y), address(self.rates), self.y.shape

    def set(self, values: Mapping[str, float]) -> None:
        for name, value in values.items():
            _set(self.at, self.program.inputs[name], name, value)


class Program:
    """A model compiled once. Inputs are params, or coordinates and velocities ("x", "x'") for their start; what is named in a
    call is an input of the program that it is made with, which is kept.

    >>> m = Model(text="param k = 1\\ncoord x\\nkinetic x'^2/2\\npotential k*x^2/2\\ninitial x = 1\\nrun 0 .. 1")
    >>> p = m.program()
    >>> round(float(p.run(k=4)["x"][-1]), 9) == round(float(np.cos(2)), 9)
    True
    """

    def __init__(self, model: Model, options: dict[str, Any]):
        self.model = model
        self._options = options
        self._compiled: dict[tuple[tuple[str, ...], bool], _Compiled] = {}
        self._own = threading.local()  # states of each thread
        self._lock = threading.Lock()
        first = self._program((), _is_main())
        self.columns = first.columns.names
        # coordinates, then velocities, as the equations take them
        self.size = 2 * first.coords

    def __reduce__(self) -> Any:
        """Copies are compiled anew, so that work can be given to other processes."""
        return Program, (self.model, self._options)

    def __repr__(self) -> str:
        return f"<Program of {self.model!r}: {', '.join(self.columns)}>"

    def _program(self, names: tuple[str, ...], watched: bool) -> _Compiled:
        """Whole runs are watched for Ctrl-C, which comes to the main thread alone; others never ask for Python's lock on the
        way. Steps are short."""
        with self._lock:
            key = (names, watched)
            if key not in self._compiled:
                self._compiled[key] = _Compiled(self.model, names, watched, self._options)
            return self._compiled[key]

    def _state(self, inputs: Mapping[str, float]) -> _State:
        """this thread's, for these inputs"""
        names = tuple(sorted(inputs)) if inputs else ()
        states: dict[Any, _State] = self._own.__dict__
        state = states.get(names)
        if state is None:
            state = states[names] = _State(self._program(names, _is_main()))
        if inputs:
            state.set(inputs)
        return state

    def _plain(self) -> _State:
        """without inputs"""
        try:
            return self._own.plain
        except AttributeError:
            state = self._own.plain = self._state({})
            return state

    # ---- runs -----------------------------------------------------------------------------------

    def run(self, until: float | None = None, **inputs: float) -> Track:
        """A run with these inputs. Names that are no Python names: p.run(**{"x'": 2})."""
        s = self._state(inputs)
        end = np.nan if until is None else number("until", until)
        with s.program.watch or nullcontext():
            status = lib.zw_state_run(s.at, end, None, 0, s.notes.at)
        if status in (BAD_INPUT, NO_ROOM):
            s.notes.tell(RunError, "the run could not be made")
        s.notes.tell()
        return Track(lib.zw_state_track(s.at), s.program.columns, s.handle, True, None)

    def sweep(self, results: str | Sequence[str] | None = None, *, threads: int = 0, samples: int = 0, sobol: int = 0,
              seed: int = 0, progress: Any = None, **axes: Any) -> "npt.NDArray[Any]":
        """Runs for every combination of the values, on all cores: a record array with a field for each axis and result.

        An axis is an array of values, or a text as of `zwang sweep --over`, as "0..1" to be sampled. Results are columns at the
        end, "max(x)", "min(x)", "time(EVENT)", "count(EVENT)"; nothing said: every column at the end. The field `quality` is 0,
        1 where a run is not to be trusted, -1 where it failed and its results are not numbers. `progress` is True for a bar, or a
        function of (done, total), False of which ends the sweep; what it has is kept, as with Ctrl-C.
        """
        from .sweep import sweep
        return sweep(self.model, self._options, results, axes, threads, samples, sobol, seed, progress)

    # ---- the equations --------------------------------------------------------------------------

    def rates(self, t: float, y: Any, **inputs: float) -> "npt.NDArray[np.float64]":
        """y' at (t, y), y = (coordinates, velocities): of one state, or of k as an array of shape (2n, k)."""
        s = self._state(inputs) if inputs else self._plain()
        # one state goes through arrays whose addresses are known: asking an array for its own costs more than the function
        if type(y) is np.ndarray and y.shape == s.shape:
            if y.dtype is not _DOUBLE:
                y = floats(y)
            s.y[:] = y
            try:
                status = _rates(s.at, 1, t, s.y_at, s.rates_at, s.notes_at)
            except c.ArgumentError:
                raise _no_time(t) from None
            if status != 0:
                s.notes.tell(RunError, "there are no accelerations at this state")
            return s.rates.copy()
        y = floats(y)
        shape = y.shape
        if not shape or shape[0] != self.size or len(shape) > 2:
            raise ValueError(f"a state has {self.size} numbers, many states are an array of shape ({self.size}, k)")
        out = np.empty(shape)
        count = shape[1] if len(shape) == 2 else 1
        try:
            if count and _rates(s.at, count, t, address(y), address(out), s.notes_at) != 0:
                s.notes.tell(RunError, "there are no accelerations at this state")
        except c.ArgumentError:
            raise _no_time(t) from None
        return out

    def _at(self, of: Callable[..., int], shape: tuple[int, ...], t: float, y: Any, inputs: Mapping[str, float]) -> Any:
        s = self._state(inputs)
        y = floats(y)
        if y.shape != (self.size,):
            raise ValueError(f"a state has {self.size} numbers")
        out = np.zeros(shape)
        if of(s.at, number("t", t), address(y), address(out), s.notes.at) != 0:
            s.notes.tell(RunError, "there are no accelerations at this state")
        return out

    def jacobian(self, t: float, y: Any, **inputs: float) -> "npt.NDArray[np.float64]":
        """dy'/dy, exact."""
        return self._at(lib.zw_state_jacobian, (self.size, self.size), t, y, inputs)

    def mass(self, t: float, y: Any, **inputs: float) -> "npt.NDArray[np.float64]":
        """M of M a = F + A^T Lambda."""
        return self._at(lib.zw_state_mass, (self.size // 2, self.size // 2), t, y, inputs)

    def forces(self, t: float, y: Any, **inputs: float) -> "npt.NDArray[np.float64]":
        """F of it."""
        return self._at(lib.zw_state_forces, (self.size // 2,), t, y, inputs)

    def reactions(self, t: float, y: Any, **inputs: float) -> "npt.NDArray[np.float64]":
        """Lambda of it, one for each constraint."""
        return self._at(lib.zw_state_reactions, (len(self.model.constraints),), t, y, inputs)

    def start(self, **inputs: float) -> "npt.NDArray[np.float64]":
        """The state y that runs start from."""
        s = self.stepper(**inputs)
        return s.state.copy()

    def stepper(self, *names: str, **inputs: float) -> "Stepper":
        """A run that goes on when it is told to; inputs by name, or with their first values."""
        return Stepper(self, {*names, *inputs}, inputs)


class Inputs(MutableMapping[str, float]):
    """Values of the inputs, by name. A name that is new becomes an input, as long as no step has been made."""

    def __init__(self, stepper: "Stepper"):
        self._stepper = stepper
        self._see()

    def _see(self) -> None:
        self._at = self._stepper._at
        self._handle = self._stepper._state.program.inputs

    def __getitem__(self, name: str) -> float:
        if name not in self._handle:
            self._stepper._more_inputs(name)
        return lib.zw_state_get(self._at, self._handle[name])

    def __setitem__(self, name: str, value: float) -> None:
        if name not in self._handle:
            self._stepper._more_inputs(name)
        _set(self._at, self._handle[name], name, value)

    def __delitem__(self, name: str) -> None:
        raise TypeError("inputs stay")

    def __iter__(self) -> Iterator[str]:
        return iter(self._handle)

    def __len__(self) -> int:
        return len(self._handle)


class Stepper:
    """Goes on step by step: ``s.inputs["u"] = 0.1; s.step(0.01); s["x"]``.

    >>> m = Model(text="param u = 0\\ncoord x\\nkinetic x'^2/2\\nforce x = u")
    >>> s = m.program().stepper("u")
    >>> s.inputs["u"] = 2
    >>> s.step(0.5)
    True
    >>> bool(abs(s["x"] - 0.25) < 1e-12)
    True
    """

    def __init__(self, program: Program, names: set[str], inputs: Mapping[str, float]):
        self.program = program
        self._take(names, inputs)
        self.inputs = Inputs(self)
        self.status = "done"

    def _take(self, names: set[str], inputs: Mapping[str, float]) -> None:
        program = self.program._program(tuple(sorted(names)), False)
        self._state = _State(program)
        self._state.set(inputs)
        self.columns = program.columns.names
        self._row = np.empty(len(self.columns))
        self._row_at = address(self._row)
        self._at, self._notes_at = self._state.at, self._state.notes.at
        places = program.places
        self._plain = places == list(range(1, 1 + len(places)))
        self._places = np.array(places)
        self._index = program.columns.index

    def _more_inputs(self, name: str) -> None:
        if not np.isnan(lib.zw_state_time(self._at)):
            raise KeyError(f"`{name}` is no input of these steps, which have begun: name it in p.stepper({name!r}), "
                           f"or set it before the first step")
        self._take({*self.inputs, name}, dict(self.inputs))
        self.inputs._see()

    def __reduce__(self) -> Any:
        """A copy goes on by itself, to the same bits."""
        saved = None if np.isnan(self.t) else self.save()
        return _stepper_of, (self.program, dict(self.inputs), saved, self.status)

    def __repr__(self) -> str:
        return f"<Stepper at t = {self.t:.6g}, {self.status}>"

    def step(self, dt: float) -> bool:
        """Go on by dt; False where the run has come to its end."""
        try:
            status = lib.zw_state_step(self._at, dt, self._notes_at)
        except c.ArgumentError:
            raise TypeError(f"a step is a number, not {dt!r}") from None
        return status == 0 or self._end(status)

    def _end(self, status: int) -> bool:
        s = self._state
        if status in (BAD_INPUT, NO_ROOM, UNFINISHED):
            track = lib.zw_state_track(self._at)
            s.notes.tell(RunError, lib.zw_track_reason(track).decode() if track else "the step could not be made")
        s.notes.tell()
        self.status = "stopped"
        return False

    @property
    def row(self) -> "npt.NDArray[np.float64]":
        """The columns now; the array is the same with every call."""
        if lib.zw_state_row(self._at, self._row_at, self._notes_at) != 0:
            self._state.notes.tell(RunError, "the state could not be evaluated")
        return self._row

    @property
    def state(self) -> "npt.NDArray[np.float64]":
        """Coordinates and velocities now, out of the row."""
        row = self.row
        if self._plain:
            return row[1:1 + len(self._places)]
        return np.where(self._places < 0, 0.0, row[self._places])

    @property
    def t(self) -> float:
        return lib.zw_state_time(self._at)

    def __getitem__(self, name: str) -> float:
        try:
            return self.row[self._index[name]]
        except KeyError:
            raise KeyError(f"the run has no column `{name}`; it has {', '.join(self.columns)}") from None

    @property
    def events(self) -> list[Event]:
        track = lib.zw_state_track(self._at)
        return _events(track) if track else []

    def restart(self) -> None:
        """Back to the start, the inputs as they are."""
        lib.zw_state_restart(self._at)
        self.status = "done"

    def reset(self) -> None:
        """Back to the start, the inputs as the model has them."""
        lib.zw_state_reset(self._at)
        self.status = "done"

    def save(self) -> bytes:
        """All that the run goes on from."""
        size = c.c_size_t()
        at = lib.zw_state_save(self._at, c.byref(size), self._notes_at)
        if not at:
            self._state.notes.tell(RunError, "the run cannot be saved here")
        out = c.string_at(at, size.value)
        lib.zw_text_free(at)
        return out

    def load(self, saved: bytes) -> None:
        """Go on from what was saved, to the same bits."""
        saved = bytes(memoryview(saved))
        if lib.zw_state_load(self._at, saved, len(saved), self._notes_at) != 0:
            self._state.notes.tell(RunError, "this is not what was saved")
        self.status = "done"


def _stepper_of(program: Program, inputs: dict[str, float], saved: bytes | None, status: str) -> Stepper:
    out = program.stepper(**inputs)
    if saved is not None:
        out.load(saved)
    out.status = status
    return out


class Environment:
    """A model as an environment of reinforcement learning, in the shape of gymnasium's: `reset` and `step`.

    `action`: inputs that are set in each step; `observation`: columns; `reward(env)` and `ended(env)` are functions of it.
    """

    def __init__(self, program: Program, action: Sequence[str], observation: Sequence[str], dt: float,
                 reward: Callable[["Environment"], float] | None = None, ended: Callable[["Environment"], bool] | None = None,
                 most_steps: int | None = None, start: Callable[[Any], Mapping[str, float]] | None = None,
                 starts: Sequence[str] = ()):
        self.stepper = program.stepper(*action, *starts)
        self.dt, self.action = dt, list(action)
        self._places = [self.stepper._index[name] for name in observation]
        self._reward, self._ended, self._most, self._start = reward, ended, most_steps, start
        self.steps = 0
        self.random = np.random.default_rng()

    def observe(self) -> "npt.NDArray[np.float64]":
        return self.stepper.row[self._places]

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        if seed is not None:
            self.random = np.random.default_rng(seed)
        self.stepper.reset()
        for name, value in (self._start(self.random) if self._start else {}).items():
            self.stepper.inputs[name] = value
        self.steps = 0
        return self.observe(), {}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        for name, value in zip(self.action, np.atleast_1d(action)):
            self.stepper.inputs[name] = float(value)
        goes_on = self.stepper.step(self.dt)
        self.steps += 1
        seen = self.observe()
        over = not goes_on or bool(self._ended and self._ended(self))
        cut = self._most is not None and self.steps >= self._most
        return seen, float(self._reward(self)) if self._reward else 0.0, over, cut, {}
