"""Where results go: the terminal, a pipe, or a file that appears whole or not at all."""

from __future__ import annotations

import os
import shutil
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from scorebars.errors import OutputError, near_miss

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorebars.outputs.view import View

BY_ENDING: Final = {
    ".json": "json",
    ".csv": "csv",
    ".md": "markdown",
    ".tex": "latex",
    ".html": "html",
    ".txt": "table",
}
PIPE_WIDTH: Final = 100
"""Columns of a table where no terminal says how many there are."""


@dataclass(frozen=True, slots=True)
class Target:
    """The file to write, checked before anything is read; None is standard output."""

    path: Path | None
    force: bool = False

    @classmethod
    def checked(cls, output: str | None, *, force: bool) -> Target:
        """The target, or an OutputError that says why it cannot be written."""
        target = cls(None if output is None else Path(output), force)
        target.check()
        return target

    @classmethod
    def of_result(cls, output: str | None, form: str | None, *, force: bool) -> Target:
        """The target of a result, whose format is known: given by name or by the file's ending."""
        target = cls.checked(output, force=force)
        target.format(form)
        return target

    def check(self) -> None:
        """Raise an OutputError where the file must not or cannot be written."""
        if self.path is None:
            return
        try:
            self.path.is_dir()
        except OSError as error:  # a name that no file system takes
            raise OutputError(f"cannot write '{self.path}': {(error.strerror or str(error)).lower()}") from error
        folder = self.path.parent
        if self.path.is_dir():
            raise OutputError(f"'{self.path}' is a folder; give a file name")
        if not folder.is_dir():
            raise OutputError(f"the folder '{folder}' of '{self.path}' does not exist; make it first")
        if self.path.exists() and not self.path.is_file():
            raise OutputError(f"'{self.path}' is not a regular file; leave -o out to print")
        if self.path.exists() and not self.force:
            raise OutputError(f"'{self.path}' exists and is kept; write to another file, or replace it with --force")
        if not os.access(folder, os.W_OK):
            raise OutputError(f"no permission to write in the folder '{folder}'")

    def format(self, asked: str | None) -> str:
        """The format asked for, else the one of the file's ending, else a table; an OutputError for an unknown one."""
        ending = "" if self.path is None else self.path.suffix.lower()
        if asked is None and ending and ending not in BY_ENDING:
            raise OutputError(
                f"'{ending}' is the ending of no format{near_miss(ending, BY_ENDING)}; name one with --format"
            )
        return asked or BY_ENDING.get(ending, "table")

    def write(self, text: str) -> None:
        """Write text, to the file or to standard output."""
        if self.path is None:
            print_text(text)
            return
        with self.replaced() as temporary:
            temporary.write_text(text, encoding="utf-8", errors="backslashreplace", newline="\n")

    @contextmanager
    def replaced(self) -> Iterator[Path]:
        """A file beside the target that takes its place at the end, and is removed where anything goes wrong."""
        if self.path is None:
            raise OutputError("no file to write; give one with -o FILE")
        temporary = self.path.with_name(f".{os.getpid()}-{self.path.name}")
        try:
            yield temporary
            self.check()
            temporary.replace(self.path)
        except OutputError:
            raise
        except OSError as error:
            raise OutputError(f"cannot write '{self.path}': {error.strerror or error}") from error
        finally:
            temporary.unlink(missing_ok=True)


def print_text(text: str) -> None:
    """Text to standard output; a BrokenPipeError or a full disk is for the entry point."""
    if sys.stdout is None:
        raise OutputError("standard output is closed; write to a file with -o FILE")
    sys.stdout.write(text)
    sys.stdout.flush()


def show(view: View, target: Target, form: str | None) -> None:
    """Write a view in the format asked for."""
    chosen = target.format(form)
    if chosen != "table":
        from scorebars.outputs import render_with

        _as_utf8(target)
        target.write(render_with(chosen)(view))
    elif target.path is None and _is_terminal(sys.stdout):
        _draw(view)
    else:
        from scorebars.outputs.text import render

        target.write(render(view, width=width(), whole_headline=True))


def _as_utf8(target: Target) -> None:
    """JSON, CSV and the like are UTF-8 in a pipe as in a file, whatever the locale says."""
    if target.path is None and not _is_terminal(sys.stdout) and hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")


def _draw(view: View) -> None:
    """On a terminal: lines where its encoding has them, colours unless NO_COLOR."""
    from scorebars.outputs.text import render

    unicode = _knows_lines(sys.stdout.encoding)
    text = render(view, width=width(), unicode=unicode)
    if wants_colour():
        from scorebars.cli.colour import print_coloured

        print_coloured(text, headline=bool(view.headline), width=width())
    else:
        print_text(text)


def wants_colour() -> bool:
    """Whether a terminal should be coloured (https://no-color.org)."""
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _is_terminal(stream: object) -> bool:
    isatty = getattr(stream, "isatty", None)
    return bool(isatty and isatty())


def width() -> int:
    """Columns of the terminal, or of a table in a pipe."""
    return shutil.get_terminal_size((PIPE_WIDTH, 24)).columns


def _knows_lines(encoding: str | None) -> bool:
    try:
        "├─●┤−∞".encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
