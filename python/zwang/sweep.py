"""Sweeps into arrays."""
from __future__ import annotations

import ctypes as c
from typing import Any, Mapping, Sequence

import numpy as np

from ._library import BAD_INPUT, NO_ROOM, SWEEP_PROGRESS, UNFINISHED, RunError, SweepProgress, Watch, address, floats, lib, take_text, text_list, words
from .model import Model
from .notebook import shown_by


def _axis(name: str, values: Any) -> tuple[str, Any]:
    """as --over has it, or a name and its values"""
    if isinstance(values, str):
        return f"{name}={values}", None
    numbers = np.atleast_1d(floats(values))
    if numbers.ndim != 1 or not len(numbers) or not np.isfinite(numbers).all():
        raise ValueError(f"the values of `{name}` are a list of finite numbers")
    return name, numbers


def sweep(model: Model, options: Mapping[str, Any], results: str | Sequence[str] | None, axes: Mapping[str, Any], threads: int,
          samples: int, sobol: int, seed: int, progress: Any) -> Any:
    if not axes:
        raise TypeError("a sweep varies something: p.sweep(k=[1, 2, 3])")
    odd = set(options) - {"until", "tol", "method", "step", "every", "points"}
    if odd:
        raise TypeError(f"sweeps do not take {', '.join(sorted(odd))}")
    over = [_axis(name, values) for name, values in axes.items()]
    wanted = results if results is None or isinstance(results, str) else ", ".join(results)
    o = lib.zw_sweep_defaults()
    o.over, o.over_count = text_list([text for text, _ in over]), len(over)
    o.over_values = (c.c_void_p * len(over))(*[None if x is None else address(x) for _, x in over])
    o.over_counts = (c.c_longlong * len(over))(*[0 if x is None else len(x) for _, x in over])
    o.random, o.sobol, o.seed, o.threads, o.results = samples, sobol, seed, threads, words(wanted)
    if options.get("until") is not None:
        o.until = options["until"]
    o.tolerance, o.step, o.every = options.get("tol") or 0, options.get("step") or 0, options.get("every") or 0
    o.method, o.points = words(options.get("method")), options.get("points") or 0
    watch = Watch(SWEEP_PROGRESS, (lambda p: progress(p.done, p.total)) if callable(progress) else shown_by(progress))
    o.progress = watch.call
    # what is varied is not set
    return _into_array(model.without(list(axes)), o, watch)


def _into_array(model: Model, o: Any, watch: Watch) -> Any:
    notes = model._notes
    runs = c.c_longlong()
    labels = lib.zw_sweep_plan(model._model.at, c.byref(o), c.byref(runs), notes.at)
    if not labels:
        notes.tell(RunError, "the sweep could not be made")
    fields = take_text(labels).split("\n")
    table = np.empty((runs.value, len(fields)))
    o.table, o.table_room = address(table), runs.value
    report = SweepProgress()
    with watch:
        status = lib.zw_sweep(model._model.at, c.byref(o), c.byref(report), notes.at)
    if status in (BAD_INPUT, NO_ROOM, UNFINISHED):
        notes.tell(RunError, "the sweep could not be made")
    notes.tell()
    return table[:report.done].view([(name, float) for name in fields]).reshape(-1)
