"""Standard errors that a file of results prints: which are exactly 0, and which are no number at all.

Such a file holds one number a score, so it is not read as scores; what it says of its own uncertainty is looked at all
the same, because it is what gets published.
"""

from __future__ import annotations

import json
import math
import re
from typing import TYPE_CHECKING, Any, Final

from scorebars.contracts.diagnoses import PublishedErrors
from scorebars.errors import ReadError
from scorebars.readers.delimited import delimiter_of, rows_of
from scorebars.readers.files import head_of, plain_bytes, shown, text_head
from scorebars.readers.sniff import DELIMITED_SUFFIXES, kind_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from scorebars.contracts import FileHead

LARGEST: Final = 16 << 20
"""Bytes of the largest JSON file that is looked through."""
_NAME: Final = re.compile(r"^(.*?)[_\s-]?(?:stderr|std_err|standard_error|std_error|sem)(,.*|$)", re.IGNORECASE)
_SIGN: Final = (b"stderr", b"std_err", b"standard_error", b"std_error")
_NO_NUMBER: Final = frozenset({"", "n/a", "na", "nan", "none", "null"})

Found = tuple[str, float | None, float]
"""(name, standard error or None, score or NaN)."""


def published_errors(path: Path) -> PublishedErrors | None:
    """The standard errors of a JSON or CSV file, those that are 0 or no number by name; None where it has none."""
    try:
        head = head_of(path)
        found = list(_found(head)) if any(sign in head.head.lower() for sign in _SIGN) else []
    except (ReadError, ValueError, RecursionError, OSError):
        return None  # what is wrong with it is said where it is read
    zero = tuple((name, score) for name, error, score in found if error == 0.0)
    undefined = tuple(name for name, error, _ in found if error is None)
    return PublishedErrors(shown(path), len(found), zero, undefined) if found else None


def _found(head: FileHead) -> Iterator[Found]:
    kind = kind_of(head)
    if kind == "json" and head.size <= LARGEST and head.head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        with plain_bytes(head) as stream:
            document = json.loads(stream.read(LARGEST).decode("utf-8-sig"))
        yield from _in_object(document, ())
    elif kind == "delimited" and set(head.suffixes) & DELIMITED_SUFFIXES:
        yield from _in_table(rows_of(text_head(head).lstrip("\r\n"), delimiter_of(text_head(head), head.suffixes)))


def _in_object(value: Any, place: tuple[str, ...]) -> Iterator[Found]:
    """The pairs of a score and its error in nested objects; lists hold records, not results."""
    if not isinstance(value, dict):
        return
    for key, part in value.items():
        match = _NAME.match(str(key))
        if match and not isinstance(part, dict | list):
            own = match[1] + match[2]
            yield " ".join((*place[-1:], own)).strip(), _number(part), _score(value.get(own))
        elif isinstance(part, dict):
            yield from _in_object(part, (*place, str(key)))


def _in_table(rows: Sequence[Sequence[str]]) -> Iterator[Found]:
    if not rows:
        return
    headers = rows[0]
    for place, header in enumerate(headers):
        match = _NAME.match(header.strip())
        if match is None:
            continue
        beside = [other for other, name in enumerate(headers) if match[1] and name.strip() == match[1] + match[2]]
        for row in rows[1:]:
            if len(row) == len(headers):
                yield f"{row[0]} {header}".strip(), _number(row[place]), _score(row[beside[0]] if beside else None)


def _number(cell: Any) -> float | None:
    """A standard error; None for 'N/A' and its kind."""
    if isinstance(cell, str) and cell.strip().lower() in _NO_NUMBER:
        return None
    try:
        number = float(cell)
    except (TypeError, ValueError):
        return None
    return None if math.isnan(number) else number


def _score(cell: Any) -> float:
    number = _number(cell)
    return math.nan if number is None else number
