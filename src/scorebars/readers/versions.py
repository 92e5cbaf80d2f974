"""Versions that files say they are of: one that is newer than what is known is noted, and the file read all the same.

A program's own version is looked at as far as it has changed its files before: its major version, or below 1 its minor.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from scorebars.notes import note
from scorebars.readers.document import kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorebars.notes import Note

_NUMBERS: Final = re.compile(r"v?(\d+(?:\.\d+)*)")
_LONGEST: Final = 40
"""Letters of a version that are shown."""


def newer_version(path: str, said: object, newest: str, what: str) -> Iterator[Note]:
    """``unknown-version`` where a file is of a newer version than the newest that is known, or of none that is one.

    Args:
        path: The file, as messages name it.
        said: What it says: a number, text such as '0.4.13', or None where it says nothing.
        newest: The newest version that is known, in as many parts as matter ('0.4').
        what: What it says it is, with its article.
    """
    if said is None:
        return
    text = str(said) if isinstance(said, str | int | float) and not isinstance(said, bool) else kind(said)
    parts = _parts(text)
    if parts is None or parts[: len(_parts(newest) or ())] > (_parts(newest) or ()):
        yield note("unknown-version", path=path, version=text[:_LONGEST], newest=newest, what=what)


def _parts(text: str) -> tuple[int, ...] | None:
    """The numbers of a version at its beginning; None where there are none."""
    found = _NUMBERS.match(text)
    return tuple(map(int, found[1].split("."))) if found else None
