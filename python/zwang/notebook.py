"""Where there is a notebook or a terminal: progress bars, pages inline, the magic %%zw."""
from __future__ import annotations

import html
import sys
import time
from typing import Any, Callable


def in_notebook() -> bool:
    try:
        from IPython import get_ipython
    except ImportError:
        return False
    shell = get_ipython()
    return shell is not None and type(shell).__name__ == "ZMQInteractiveShell"


def inline_page(path: str) -> Any:
    """The page as it is shown in a notebook; None where there is none."""
    if not in_notebook():
        return None
    from IPython.display import HTML
    with open(path, encoding="utf8") as f:
        page = html.escape(f.read())
    return HTML(f'<div><iframe srcdoc="{page}" style="width:100%;height:560px;border:0"></iframe></div>')


def shown_by(progress: Any) -> Callable[[Any], Any] | None:
    """A function of the user's, a bar, or nothing. Not said: a bar for what takes long, where somebody can see it."""
    if callable(progress):
        return lambda p: progress(p.t, p.t_from, p.t_to)
    if progress is None:
        return Bar(patience=1.0) if in_notebook() or sys.stderr.isatty() else None
    return Bar() if progress else None


class Bar:
    """How far a run or a sweep is, told five times a second: a line of a terminal that is written over, a bar in a notebook."""

    def __init__(self, patience: float = 0.0):
        self._patience, self._draw = patience, _in_cell() if in_notebook() else _in_terminal
        self.begin()

    def begin(self) -> None:
        self._shown = False
        self._last = time.monotonic() + self._patience - 0.2

    def end(self) -> None:
        """what is written next starts a new line"""
        if self._shown:
            self._draw(None, "")

    def __call__(self, p: Any) -> None:
        now = time.monotonic()
        if now - self._last < 0.2:
            return
        self._last, self._shown = now, True
        if hasattr(p, "total"):
            self._draw(p.done / p.total if p.total else 0.0, f"{p.done} of {p.total} runs")
        else:
            known = p.t_from < p.t_to < float("inf")
            self._draw((p.t - p.t_from) / (p.t_to - p.t_from) if known else 0.0, f"t = {p.t:.6g}")


def _in_terminal(share: float | None, text: str) -> None:
    if share is None:
        sys.stderr.write("\n")
    else:
        filled = int(30 * min(max(share, 0), 1))
        sys.stderr.write(f"\r[{'#' * filled}{'.' * (30 - filled)}] {text:<24}")
    sys.stderr.flush()


def _in_cell() -> Callable[[float | None, str], None]:
    """one display of the cell, which changes, and is gone at the end"""
    from IPython.display import HTML, display
    shown: list[Any] = []

    def draw(share: float | None, text: str) -> None:
        page = HTML("" if share is None else f'<progress max="1" value="{share:.4f}"></progress> {html.escape(text)}')
        if shown:
            shown[0].update(page)
        elif share is not None:
            shown.append(display(page, display_id=True))
        if share is None:
            shown.clear()

    return draw


def load_ipython_extension(shell: Any) -> None:
    """%load_ext zwang: `%%zw NAME` makes the model in the cell and calls it NAME."""
    from .model import Model

    def zw(line: str, cell: str) -> Any:
        name = line.strip()
        if not name.isidentifier():
            raise ValueError("%%zw needs a name for the model, as in `%%zw skater`")
        model = Model(text=cell, name=f"{name}.zw")
        shell.push({name: model})
        return model

    shell.register_magic_function(zw, "cell", "zw")
