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
    return HTML(f'<iframe srcdoc="{page}" style="width:100%;height:560px;border:0"></iframe>')


def shown_by(progress: Any) -> Callable[[Any], Any] | None:
    """None, a bar, or a function of the user's."""
    if not progress:
        return None
    if callable(progress):
        return lambda p: progress(p.t, p.t_from, p.t_to)
    return Bar()


class Bar:
    """A line that is written over, five times a second."""

    def __init__(self) -> None:
        self._last = time.monotonic()

    def __call__(self, p: Any) -> None:
        now = time.monotonic()
        share = (p.t - p.t_from) / (p.t_to - p.t_from) if p.t_to > p.t_from else 0
        if now - self._last < 0.2 and share < 1:
            return
        self._last = now
        filled = int(30 * min(max(share, 0), 1))
        sys.stderr.write(f"\r[{'#' * filled}{'.' * (30 - filled)}] t = {p.t:.6g}")
        if share >= 1:
            sys.stderr.write("\n")
        sys.stderr.flush()


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
