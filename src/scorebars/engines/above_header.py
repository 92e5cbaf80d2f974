"""Lines above a table's header: a title, a comment, blank lines, as spreadsheets and people write them.

A line is above the header where it cannot be the header itself: it has one filled cell, and the lines below have more,
one of them no number first. They are left out, and the mapping says so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST: Final = 12
"""Lines above the header, at most."""
LINES: Final = 24
"""Lines that are looked at."""
BELOW: Final = 4
"""Lines below a title that say how wide the table is."""


def n_above(rows: Sequence[Sequence[str]]) -> int:
    """How many of the first rows stand above the header; blank rows before it among them.

    Args:
        rows: The first rows, blank ones too; a row's cells as they are cut.

    >>> n_above([["Results"], [], ["id", "gpt", "llama"], ["0", "1", "1"]])
    2
    >>> n_above([["id", "gpt"], ["0", "1"]]), n_above([["score"], ["1"], ["0"]])
    (0, 0)
    """
    above = 0
    for place, row in enumerate(rows[: MOST + 1]):
        if not any(cell.strip() for cell in row):
            continue
        if not _is_title(row, [each for each in rows[place + 1 :] if any(map(str.strip, each))]):
            return place if above else 0
        above += 1
    return 0


def _is_title(row: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
    """Whether a row is a title or comment above the others."""
    filled = [cell for cell in row if cell.strip()]
    # The next row may be a title too; the table is what the last rows look like.
    width = max((len(each) for each in below[-BELOW:]), default=0)
    if width < 2 or not row[0].strip():
        return False
    if row[0].lstrip().startswith("#") and row[0].strip() != "#":  # of the same width it may be the header ('# id')
        return len(row) != width or _are_headers(below, above_numbers=True)
    return len(filled) == 1 and _are_headers(below, above_numbers=len(row) == 2)


def _are_headers(below: Sequence[Sequence[str]], *, above_numbers: bool) -> bool:
    """Whether a row of several cells, none of them a number, comes next after further titles; and numbers below it."""
    for place, row in enumerate(below):
        filled = [cell for cell in row if cell.strip()]
        if len(filled) > 1:
            plain = len(filled) >= len(row) - 1 and not any(map(_is_number, filled))
            data = below[place + 1] if place + 1 < len(below) else ()
            return plain and (not above_numbers or any(map(_is_number, data)))
    return False


def _is_number(cell: str) -> bool:
    try:
        float(cell.strip().rstrip("%"))
    except ValueError:
        return False
    return True
