"""The shared library: where it is, what its functions take, notes as exceptions."""
from __future__ import annotations

import ctypes as c
import operator
import os
import signal
import threading
import time
import warnings
import weakref
from typing import Any, Callable

try:
    import numpy as np
except ImportError as fault:  # a clear word instead of a trace through our files
    raise ImportError("zwang needs numpy: install it, as by `apt install python3-numpy` or `pip install numpy`") from fault


class Error(Exception):
    """What zwang says where it cannot do what is asked, as the program says it."""


class ModelError(Error):
    """A model that is wrong: file, line, column, the line itself, the reason and a way out."""


class RunError(Error):
    """A run, step or study that could not be made."""


class ZwangWarning(UserWarning):
    """What zwang warns of."""


OK, STOPPED, INTERRUPTED, UNFINISHED, BAD_INPUT, NO_ROOM, DOUBTFUL = 0, 1, 2, -1, -2, -3, -4


# structs below are laid out as in this version of the library: another one has another name
NAME = "libzwang.so.0.3"


def _places() -> list[str]:
    here = os.path.dirname(os.path.abspath(__file__))
    named = os.environ.get("ZWANG_LIBRARY")
    built = os.path.join(here, "..", "..", "build", NAME)
    return [x for x in (named, os.path.join(here, NAME), built) if x and os.path.exists(x)] + [NAME]


def _open() -> c.CDLL:
    reasons = []
    for place in _places():
        try:
            return c.CDLL(place)
        except OSError as fault:
            reasons.append(str(fault))
    raise ImportError("the shared library of zwang is not found; `make` builds it, ZWANG_LIBRARY says where it is ("
                      + "; ".join(reasons) + ")")


lib = _open()


class Progress(c.Structure):
    _fields_ = [("t", c.c_double), ("t_from", c.c_double), ("t_to", c.c_double), ("step", c.c_double),
                ("residual", c.c_double), ("steps", c.c_long)]


PROGRESS = c.CFUNCTYPE(c.c_bool, c.c_void_p, c.POINTER(Progress))


class RunOptions(c.Structure):
    _fields_ = [("until", c.c_double), ("tolerance", c.c_double), ("method", c.c_char_p), ("step", c.c_double),
                ("contact_solver", c.c_char_p), ("contacts", c.c_char_p), ("at", c.POINTER(c.c_double)), ("at_count", c.c_int),
                ("every", c.c_double), ("points", c.c_int), ("curves", c.c_bool), ("scene", c.c_bool), ("keep", c.c_char_p),
                ("resume", c.c_bool), ("progress", PROGRESS), ("progress_context", c.c_void_p), ("cookie", c.c_int),
                ("estimate", c.c_bool), ("estimate_within", c.c_double), ("digits", c.c_double), ("beyond", c.c_char_p)]


class SweepProgress(c.Structure):
    _fields_ = [("first", c.c_longlong), ("done", c.c_longlong), ("total", c.c_longlong), ("failed", c.c_longlong),
                ("doubtful", c.c_longlong), ("seconds", c.c_double), ("rank", c.c_int)]


SWEEP_PROGRESS = c.CFUNCTYPE(c.c_bool, c.c_void_p, c.POINTER(SweepProgress))


class SweepOptions(c.Structure):
    _fields_ = [("over", c.POINTER(c.c_char_p)), ("over_count", c.c_int), ("random", c.c_longlong), ("sobol", c.c_longlong),
                ("seed", c.c_ulonglong), ("results", c.c_char_p), ("basin", c.POINTER(c.c_char_p)), ("basin_count", c.c_int),
                ("until", c.c_double), ("tolerance", c.c_double), ("step", c.c_double), ("every", c.c_double),
                ("method", c.c_char_p), ("points", c.c_int), ("out", c.c_char_p), ("plot", c.c_char_p), ("resume", c.c_bool),
                ("threads", c.c_int), ("device", c.c_char_p), ("progress", SWEEP_PROGRESS), ("progress_context", c.c_void_p),
                ("cookie", c.c_int), ("table", c.c_void_p), ("table_room", c.c_longlong),
                ("over_values", c.POINTER(c.c_void_p)), ("over_counts", c.POINTER(c.c_longlong))]


class GeometryOptions(c.Structure):
    _fields_ = [("at", c.c_char_p), ("region", c.c_char_p), ("embed", c.c_bool), ("plot", c.c_char_p),
                ("curvature", c.c_bool), ("energy", c.c_char_p), ("geodesic", c.c_double), ("map", c.c_char_p), ("cookie", c.c_int)]


class StabilityOptions(c.Structure):
    _fields_ = [("state", c.c_char_p), ("period", c.c_double), ("orbit", c.c_int), ("over", c.c_char_p), ("points", c.c_int),
                ("all", c.c_int), ("plot", c.c_char_p), ("cookie", c.c_int)]


class LineariseOptions(c.Structure):
    _fields_ = [("state", c.c_char_p), ("where", c.c_int), ("inputs", c.c_char_p), ("outputs", c.c_char_p), ("symbolic", c.c_int),
                ("cookie", c.c_int)]


class ContinueOptions(c.Structure):
    _fields_ = [("over", c.c_char_p), ("second", c.c_char_p), ("state", c.c_char_p), ("period", c.c_double), ("orbit", c.c_int),
                ("points", c.c_int), ("tolerance", c.c_double), ("all", c.c_int), ("plot", c.c_char_p), ("cookie", c.c_int)]


class StructureOptions(c.Structure):
    _fields_ = [("at", c.c_char_p), ("cookie", c.c_int)]


class ChaosOptions(c.Structure):
    _fields_ = [("state", c.c_char_p), ("until", c.c_double), ("tolerance", c.c_double), ("section", c.c_char_p),
                ("manifolds", c.c_int), ("period", c.c_double), ("out", c.c_char_p), ("plot", c.c_char_p), ("cookie", c.c_int)]


class Runs(c.Structure):
    _fields_ = [("track", c.POINTER(c.c_void_p)), ("count", c.c_int), ("varied", c.c_char_p), ("value", c.POINTER(c.c_double)),
                ("columns", c.c_char_p), ("units", c.c_bool)]


class ViewOptions(c.Structure):
    _fields_ = [("form", c.c_char_p), ("live", c.c_bool), ("cookie", c.c_int)]


_P, _S, _I, _D = c.c_void_p, c.c_char_p, c.c_int, c.c_double
_FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "zw_version": (_S, []), "zw_text_free": (None, [_P]), "zw_status_text": (_S, [_I]),
    "zw_notes_new": (_P, []), "zw_notes_free": (None, [_P]), "zw_notes_count": (_I, [_P]), "zw_notes_level": (_I, [_P, _I]),
    "zw_notes_text": (_S, [_P, _I]),
    "zw_model_read": (_P, [_S, c.POINTER(_S), _I, _P]),
    "zw_model_read_text": (_P, [_S, _S, c.c_size_t, c.POINTER(_S), _I, _P]),
    "zw_model_free": (None, [_P]), "zw_model_title": (_S, [_P]), "zw_model_coords": (_I, [_P]), "zw_model_coord": (_S, [_P, _I]),
    "zw_model_constraints": (_I, [_P]), "zw_model_constraint": (_S, [_P, _I]), "zw_model_param": (_D, [_P, _S]),
    "zw_model_params": (_I, [_P]), "zw_model_param_name": (_S, [_P, _I]),
    "zw_derive": (_P, [_P, _P]), "zw_derive_watching": (_P, [_P, _P]), "zw_system_free": (None, [_P]),
    "zw_equations": (_P, [_P, _S, _S, _P]), "zw_functions": (_P, [_P, _S, _S, _P]), "zw_forms": (_P, [_P, _S, _P]),
    "zw_check": (_P, [_P, _S, _P]),
    "zw_eval": (_P, [_P, _S, _S, _P]), "zw_point_free": (None, [_P]), "zw_point_value": (_D, [_P, _S]),
    "zw_point_text": (_P, [_P, _S, c.c_bool]),
    "zw_verify": (_P, [_P, _I, _S, c.POINTER(c.c_bool), _P]),
    "zw_geometry_defaults": (GeometryOptions, []), "zw_geometry": (_P, [_P, c.POINTER(GeometryOptions), _S, _P]),
    "zw_stability_defaults": (StabilityOptions, []), "zw_stability": (_P, [_P, c.POINTER(StabilityOptions), _S, _P]),
    "zw_linearise_defaults": (LineariseOptions, []), "zw_linearise": (_P, [_P, c.POINTER(LineariseOptions), _S, _P]),
    "zw_continue_defaults": (ContinueOptions, []), "zw_continue": (_P, [_P, c.POINTER(ContinueOptions), _S, _P]),
    "zw_structure_defaults": (StructureOptions, []), "zw_structure": (_P, [_P, c.POINTER(StructureOptions), _S, _P]),
    "zw_chaos_defaults": (ChaosOptions, []), "zw_chaos": (_P, [_P, c.POINTER(ChaosOptions), _S, _P]),
    "zw_inverse": (_P, [_P, _S, _S, _S, _P]),
    "zw_linearise_save": (c.c_bool, [_P, c.POINTER(LineariseOptions), _S, _P]),
    "zw_run_defaults": (RunOptions, []), "zw_run": (_P, [_P, c.POINTER(RunOptions), _P]),
    "zw_track_free": (None, [_P]), "zw_track_status": (_I, [_P]), "zw_track_reason": (_S, [_P]), "zw_track_doubt": (_S, [_P]),
    "zw_track_rows": (_I, [_P]), "zw_track_columns": (_I, [_P]), "zw_track_name": (_S, [_P, _I]),
    "zw_track_unit": (_S, [_P, _I]), "zw_track_values": (_P, [_P]),
    "zw_track_events": (_I, [_P]), "zw_track_event": (_S, [_P, _I, c.POINTER(_D)]), "zw_track_residual": (_D, [_P]),
    "zw_track_energy_balance": (_D, [_P]), "zw_track_digits": (_D, [_P, c.POINTER(_S)]), "zw_track_summary": (_P, [_P]),
    "zw_program_new": (_P, [_P, _S, c.POINTER(RunOptions), _P]), "zw_program_free": (None, [_P]),
    "zw_program_input": (_I, [_P, _S]), "zw_program_columns": (_I, [_P]), "zw_program_column_name": (_S, [_P, _I]),
    "zw_program_column_unit": (_S, [_P, _I]), "zw_program_coords": (_I, [_P]),
    "zw_state_new": (_P, [_P, _P]), "zw_state_free": (None, [_P]), "zw_state_set": (_I, [_P, _I, _D]),
    "zw_state_get": (_D, [_P, _I]), "zw_state_restart": (None, [_P]), "zw_state_reset": (None, [_P]),
    "zw_state_run": (_I, [_P, _D, _P, _I, _P]), "zw_state_rows": (_I, [_P]), "zw_state_track": (_P, [_P]),
    "zw_state_step": (_I, [_P, _D, _P]), "zw_state_time": (_D, [_P]), "zw_state_row": (_I, [_P, _P, _P]),
    "zw_state_save": (_P, [_P, c.POINTER(c.c_size_t), _P]), "zw_state_load": (_I, [_P, _S, c.c_size_t, _P]),
    "zw_state_rates": (_I, [_P, _I, _D, _P, _P, _P]),
    "zw_state_jacobian": (_I, [_P, _D, _P, _P, _P]), "zw_state_mass": (_I, [_P, _D, _P, _P, _P]),
    "zw_state_forces": (_I, [_P, _D, _P, _P, _P]), "zw_state_reactions": (_I, [_P, _D, _P, _P, _P]),
    "zw_sweep_defaults": (SweepOptions, []),
    "zw_sweep_plan": (_P, [_P, c.POINTER(SweepOptions), c.POINTER(c.c_longlong), _P]),
    "zw_sweep": (_I, [_P, c.POINTER(SweepOptions), c.POINTER(SweepProgress), _P]),
    "zw_table_write": (_I, [c.POINTER(Runs), _S, _P]), "zw_plot_write": (_I, [c.POINTER(Runs), _S, _P]),
    "zw_view_defaults": (ViewOptions, []), "zw_view_write": (_I, [c.POINTER(Runs), c.POINTER(ViewOptions), _S, _P]),
    "zw_method_name": (_S, [_I]), "zw_method_summary": (_S, [_I]),
    "zw_example_name": (_S, [_I]), "zw_example_title": (_S, [_I]), "zw_example_text": (_S, [_S]),
}
for _name, (_result, _arguments) in _FUNCTIONS.items():
    _f = getattr(lib, _name)
    _f.restype, _f.argtypes = _result, _arguments


class Handle:
    """An object of the library, freed with this one."""

    def __init__(self, at: int, free: Callable[[int], None]):
        self.at = at
        self._free = weakref.finalize(self, free, at)

    # its address means nothing in another process, and two of them would free it twice
    def __reduce__(self) -> Any:
        raise TypeError("an object of the library can be neither copied nor pickled by itself")


class Notes(Handle):
    """What the library tells; each is told once."""

    def __init__(self) -> None:
        super().__init__(lib.zw_notes_new(), lib.zw_notes_free)
        self.told = 0

    def news(self) -> list[tuple[int, str]]:
        count = lib.zw_notes_count(self.at)
        if count == self.told:
            return []
        out = [(lib.zw_notes_level(self.at, i), lib.zw_notes_text(self.at, i).decode()) for i in range(self.told, count)]
        self.told = count
        return out

    def tell(self, kind: type[Error] | None = None, otherwise: str = "") -> None:
        """Warnings become Python's; errors an exception of that kind."""
        errors = []
        for level, text in self.news():
            if level == 2:
                errors.append(text.rstrip())
            elif level == 1:
                warnings.warn(text.rstrip(), ZwangWarning, stacklevel=4)
        if kind:
            raise kind("\n".join(errors) or otherwise)


def take_text(at: int | None) -> str:
    text = c.string_at(at).decode()
    lib.zw_text_free(at)
    return text


def words(text: Any) -> bytes | None:
    return None if text is None else str(text).encode()


def text_list(items: list[str]) -> Any:
    return (c.c_char_p * max(len(items), 1))(*[x.encode() for x in items])


class Watch:
    """Around work of the library: Ctrl-C ends it, and what was computed is kept; a second one soon after it is raised as any
    other, so that loops of many runs can be left. With a function, that is asked on the way."""

    SOON = 1.0  # seconds
    _last = -SOON

    def __init__(self, of: Any, shown: Callable[[Any], Any] | None):
        self._broken = False
        self._fault: BaseException | None = None
        self._shown = shown
        self._before: Any = None
        self.call = of(self._ask)

    def _ask(self, context: Any, progress: Any) -> bool:
        try:
            if self._shown and self._shown(progress.contents) is False:
                self._broken = True
        except BaseException as fault:
            self._fault = fault
            self._broken = True
        return not self._broken

    def _stop(self, number: int, frame: Any) -> None:
        self._broken = True
        now = time.monotonic()
        if now - Watch._last < self.SOON:
            self._fault = KeyboardInterrupt()
        Watch._last = now

    # Python calls handlers between two of its own instructions: in _ask, where none may be raised
    def __enter__(self) -> None:
        self._broken = False
        if hasattr(self._shown, "begin"):
            self._shown.begin()
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGINT, self._stop)

    def __exit__(self, *raised: Any) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)
            self._before = None
        if hasattr(self._shown, "end"):
            self._shown.end()
        fault, self._fault = self._fault, None
        if fault is not None:
            raise fault


def floats(values: Any) -> "np.ndarray[Any, np.dtype[np.float64]]":
    if np.iscomplexobj(values):
        raise TypeError("numbers of a state are real, these are complex")
    return np.ascontiguousarray(values, dtype=np.float64)


def number(name: str, value: Any) -> float:
    """as a float; what is none is told by its name"""
    try:
        out = float(value) if not isinstance(value, (str, bytes)) else None
    except (TypeError, ValueError):
        out = None
    if out is None:
        raise TypeError(f"`{name}` is a number, not {value!r}")
    if not np.isfinite(out):
        raise ValueError(f"`{name}` cannot be {out}")
    return out


def whole(name: str, value: Any) -> int:
    """as an int that the library can take"""
    try:
        out = operator.index(value)
    except TypeError:
        raise TypeError(f"`{name}` is a whole number, not {value!r}") from None
    if abs(out) >= 2**31:
        raise ValueError(f"`{name}` cannot be {out}")
    return out


def address(array: Any) -> int:
    return array.__array_interface__["data"][0]
