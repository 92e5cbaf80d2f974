"""Progress: on a terminal, on standard error, and only when a step is slow."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from threading import Lock, Timer
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

PATIENCE: Final = 1.5
"""Seconds before anything is drawn."""


class _Spinner:
    """A spinner of rich that appears after a while."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._lock = Lock()
        self._status: Any = None
        self._over = False
        self._timer = Timer(PATIENCE, self._start)
        self._timer.daemon = True
        self._timer.start()

    def reading(self, done: int, files: int, path: Path) -> None:
        """Name the file that is being read."""
        text = f"reading {path.name} ({done} of {files} files done)"
        with self._lock:
            self._text = text
            if self._status is not None:
                self._status.update(_literal(text))

    def stop(self) -> None:
        """Remove the spinner."""
        self._timer.cancel()
        with self._lock:
            self._over = True
            if self._status is not None:
                self._status.stop()

    def _start(self) -> None:
        from rich.console import Console

        with self._lock:
            if not self._over:
                self._status = Console(stderr=True).status(_literal(self._text))
                self._status.start()


@contextmanager
def progress() -> Iterator[Callable[[int, int, Path], None] | None]:
    """A function to be told (files done, files, path) of a read, or None where nobody watches."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    spinner = _Spinner("reading")
    try:
        yield spinner.reading
    finally:
        spinner.stop()


def _literal(text: str) -> Any:
    """The text as it stands; brackets in a file name are no markup, and control characters do nothing."""
    from rich.text import Text

    from scorebars.outputs.characters import visible

    return Text(visible(text))
