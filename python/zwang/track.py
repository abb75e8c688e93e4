"""The track of a run: rows, events, what is known of its quality."""
from __future__ import annotations

import ctypes as c
import fnmatch
import os
import tempfile
import webbrowser
from typing import TYPE_CHECKING, Any, Callable, NamedTuple, Sequence

import numpy as np

from ._library import Handle, Notes, RunError, Runs, address, lib, take_text, words

if TYPE_CHECKING:
    import numpy.typing as npt

_STATUS = {0: "done", 1: "stopped", 2: "interrupted", -1: "unfinished", -4: "doubtful"}


class Event(NamedTuple):
    """Something that happened on the way."""
    name: str
    time: float


class Track:
    """Rows by columns. ``track["x"]`` is a column as an array; arrays of a run of a model are the library's own memory.

    ``status`` is "done", "stopped" (by an event of the model), "interrupted", "unfinished" or "doubtful"; ``reason`` and
    ``doubt`` say why.
    """

    def __init__(self, at: int, columns: "Columns", owner: Any, copy: bool, scene: Callable[[], "Track"] | None):
        self._columns = columns
        self.columns = columns.names
        self.units = columns.units
        self.values: npt.NDArray[np.float64] = _table(at, lib.zw_track_rows(at), len(columns.names), owner, copy)
        self.status = _STATUS.get(lib.zw_track_status(at), "unfinished")
        self.reason: str = lib.zw_track_reason(at).decode()
        self.doubt: str = lib.zw_track_doubt(at).decode()
        self.events: list[Event] = _events(at)
        self.residuals: float = lib.zw_track_residual(at)
        self.energy: float = lib.zw_track_energy_balance(at)
        self._owner = None if copy else owner
        self._at = None if copy else at
        self._scene = scene
        self._told: tuple[str, float] | None = None  # of a copy, whose run is gone: its summary and digits

    def __getstate__(self) -> dict[str, Any]:
        """the numbers and words; not the run itself, which is the library's"""
        return {**self.__dict__, "_told": (self.summary, self.digits), "_owner": None, "_at": None, "_scene": None}

    @property
    def summary(self) -> str:
        """What the program says of the run."""
        if self._at is not None:
            return take_text(lib.zw_track_summary(self._at))
        return self._told[0] if self._told else repr(self)

    @property
    def t(self) -> "npt.NDArray[np.float64]":
        return self.values[:, 0]

    def __getitem__(self, name: str | Sequence[str]) -> "npt.NDArray[np.float64]":
        """A column; of a list of names an array with these columns."""
        if isinstance(name, (list, tuple)):
            return self.values[:, [self._place(one) for one in name]]
        return self.values[:, self._place(name)]

    def _place(self, name: Any) -> int:
        index = self._columns.index.get(name)
        if index is None:
            raise KeyError(f"the run has no column `{name}`; it has {', '.join(self.columns)}")
        return index

    def keys(self) -> list[str]:
        """The columns: dict(track) has them by name."""
        return self.columns

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> "npt.NDArray[Any]":
        return np.array(self.values, dtype=dtype) if copy else np.asarray(self.values, dtype=dtype)

    def __contains__(self, name: object) -> bool:
        return name in self._columns.index

    def __len__(self) -> int:
        return len(self.values)

    def __iter__(self) -> Any:
        return iter(self.columns)

    def __repr__(self) -> str:
        return f"<Track: {len(self)} rows of {len(self.columns)} columns, {self.status}>"

    @property
    def digits(self) -> float:
        """How many digits of the last row are good, where the run was asked for it: m.run(estimate=True); else not a number."""
        if self._at is not None:
            return lib.zw_track_digits(self._at, None)
        return self._told[1] if self._told else np.nan

    def _chosen(self, columns: Sequence[str]) -> list[str]:
        """names of columns, `*` for any letters; none: all but the time"""
        if not columns:
            return self.columns[1:]
        out: list[str] = []
        for wish in columns:
            found = [name for name in self.columns if fnmatch.fnmatchcase(name, wish)] if "*" in wish else [wish]
            if not found or found[0] not in self._columns.index:
                self[wish]  # says which there are
            out += [name for name in found if name not in out]
        return out

    def frame(self, *columns: str) -> Any:
        """As a pandas frame, the time as its index; all columns, or those named."""
        import pandas
        chosen = self._chosen(columns)
        places = [self._columns.index[name] for name in chosen]
        return pandas.DataFrame(self.values[:, places], columns=chosen, index=pandas.Index(self.t, name="t"))

    def _label(self, name: str) -> str:
        return f"{name} [{self.units[name]}]" if self.units[name] else name

    def plot(self, *columns: str, over: str = "t", ax: Any = None, **style: Any) -> Any:
        """Columns over time, or over another one, by matplotlib; its axes. `style` goes to matplotlib."""
        if ax is None:
            import matplotlib.pyplot as plot
            ax = plot.gca()
        for name in self._chosen(columns):
            ax.plot(self[over], self[name], **{"label": self._label(name), **style})
        for event in self.events if over == "t" else []:
            ax.axvline(event.time, color="0.8", linewidth=0.8, zorder=0)
        ax.set_xlabel(self._label(over))
        if len(ax.lines) == 1:
            ax.set_ylabel(ax.lines[0].get_label())
        else:
            ax.legend()
        return ax

    def save(self, path: str | os.PathLike[str], columns: str | Sequence[str] | None = None, units: bool = False) -> None:
        """As .csv, .json or .h5: all columns or those named, `*` for any letters; heads of .csv with their units."""
        wanted = columns if columns is None or isinstance(columns, str) else ",".join(columns)
        self._write(lib.zw_table_write, path, wanted, units)

    def save_plot(self, path: str | os.PathLike[str]) -> None:
        """The plots of the model, as `zwang run --plot` draws them: .svg, .png, .pdf, or .gp for gnuplot."""
        self._write(lib.zw_plot_write, path)

    def view(self, path: str | os.PathLike[str] | None = None, show: bool = True) -> Any:
        """The moving picture: an HTML page at `path`, shown in the notebook or in a browser."""
        if self._scene is None:
            raise RunError("the moving picture is made of runs of a model, as by m.run(); not of those of a program, nor of copies")
        moving = self._scene()
        kept = path is not None
        page = os.fspath(path) if path is not None else tempfile.mkstemp(suffix=".html", prefix="zwang-")[1]
        options = lib.zw_view_defaults()
        moving._write(lambda runs, where, notes: lib.zw_view_write(runs, c.byref(options), where, notes), page)
        if not show:
            return page
        from .notebook import inline_page
        shown = inline_page(page)
        if shown is None:
            webbrowser.open("file://" + os.path.abspath(page))
        elif not kept:
            os.unlink(page)
        return shown if shown is not None else page

    def _write(self, how: Callable[[Any, Any, Any], int], path: Any, columns: str | None = None, units: bool = False) -> None:
        if self._at is None:
            raise RunError("runs of a program, and copies, have their arrays alone: m.run() makes one that can be written")
        tracks = (c.c_void_p * 1)(self._at)
        runs = Runs(tracks, 1, None, None, words(columns), units)
        notes = Notes()
        if how(c.byref(runs), words(os.fspath(path)), notes.at) != 0:
            notes.tell(RunError, f"{path} could not be written")
        notes.tell()


class Columns:
    """Names and units, which all runs of a program share."""

    def __init__(self, names: list[str], units: list[str]):
        self.names = names
        self.units = dict(zip(names, units))
        self.index = {name: i for i, name in enumerate(names)}


def _table(at: int, rows: int, columns: int, owner: Any, copy: bool) -> "npt.NDArray[np.float64]":
    where = lib.zw_track_values(at)
    if not rows or not where:
        return np.empty((0, columns))
    if copy:
        out = np.empty((rows, columns))
        c.memmove(address(out), where, out.nbytes)
        return out
    memory = (c.c_double * (rows * columns)).from_address(where)
    memory._owner = owner  # as long as an array looks at it the track stays
    table = np.frombuffer(memory, dtype=np.float64).reshape(rows, columns)
    table.flags.writeable = False
    return table


def _events(at: int) -> list[Event]:
    time = c.c_double()
    out = []
    for i in range(lib.zw_track_events(at)):
        name = lib.zw_track_event(at, i, c.byref(time))
        out.append(Event(name.decode(), time.value))
    return out


def track_of(at: int, scene: Callable[[], Track] | None) -> Track:
    """of a run of its own: the arrays are its memory"""
    count = lib.zw_track_columns(at)
    columns = Columns([lib.zw_track_name(at, i).decode() for i in range(count)],
                      [lib.zw_track_unit(at, i).decode() for i in range(count)])
    return Track(at, columns, Handle(at, lib.zw_track_free), False, scene)
