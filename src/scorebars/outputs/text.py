"""Plain text for terminals and pipes: a verdict, a table with interval bars, the facts, the notes.

The width decides the layout, in this order: table with bars; table without bars; one block of lines a row. Names are
never cut, because two cut names can look the same.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from unicodedata import combining, east_asian_width

from scorebars.outputs.characters import visible
from scorebars.outputs.numbers import axis_column
from scorebars.outputs.view import headed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorebars.outputs.view import Advice, Axis, Bar, Fact, Grid, View

GAP: Final = 2
MIN_BAR: Final = 15
MAX_BAR: Final = 41
UNITS: Final = re.compile(r"(\d) %")
"""A number and its sign stay on one line."""
NAME_WIDTH: Final = 12
"""Room for the names of facts."""
CODE_WIDTH: Final = 21
"""Room for the codes of findings."""
NARROWEST: Final = 33
"""Columns that a sentence needs beside its lead."""
NEXT: Final = "WHAT YOU CAN DO WITH THIS"

ASCII: Final = str.maketrans(
    {
        "–": "-",
        "−": "-",
        "—": "-",
        "∞": "inf",
        "×": "x",
        "±": "+-",
        "≤": "<=",
        "≥": ">=",
        "→": "->",
        "…": "...",
        "·": "|",
        "²": "^2",
        "ₑ": "e",
        "√": "sqrt",
        "α": "alpha",
        "“": '"',
        "”": '"',
        "’": "'",
    }
)
"""Typography that a pipe or an old terminal need not know."""


@dataclass(frozen=True, slots=True)
class Pen:
    """The characters that bars are drawn with."""

    left: str
    line: str
    right: str
    point: str
    mark: str
    open_left: str
    open_right: str


UNICODE_PEN: Final = Pen("├", "─", "┤", "●", "┊", "◂", "▸")
ASCII_PEN: Final = Pen("|", "-", "|", "o", ":", "<", ">")


def render(view: View, *, width: int = 100, unicode: bool = False, whole_headline: bool = False) -> str:
    """The view as text that fits ``width`` columns where its names allow; ``unicode`` draws lines, else plain ASCII.

    ``whole_headline`` keeps the first line in one piece, so that ``head -1`` prints the verdict.

    Example:
        >>> render(view, width=60)  # doctest: +SKIP
    """
    headline = plain(view.headline, unicode=unicode)
    blocks = [[headline] if whole_headline else _wrapped(headline, width)] if headline else []
    if view.table.rows or not headline:
        blocks.append(_table(view.table, view.axis, width, unicode=unicode))
    blocks.append([line for fact in view.facts for line in _fact(fact, width, unicode=unicode)])
    if view.notes:
        blocks.append([line for note in view.notes for line in _note(note, width, unicode=unicode)])
    blocks += _advice(view.advice, width, unicode=unicode)
    if view.commands:
        blocks.append([NEXT, *(f"  {visible(command)}" for command in view.commands)])
    if view.items is not None:
        blocks.append(_table(view.items, None, width, unicode=unicode))
    blocks = [block for block in blocks if block]
    return "\n\n".join("\n".join(line.rstrip() for line in block) for block in blocks) + "\n"


def _advice(advice: Sequence[Advice], width: int, *, unicode: bool) -> list[list[str]]:
    """A block a heading: each finding beside its code, and below it what to do."""
    blocks = []
    for heading, found in headed(advice):
        lines = [heading.upper()]
        for one in found:
            lines += _hanging(f"  {one.name:<{CODE_WIDTH}} ", plain(one.sentence, unicode=unicode), width)
            lead = " " * (CODE_WIDTH + 3) if width - CODE_WIDTH >= NARROWEST else "    "
            lines += _wrapped(plain(f"→ {one.remedy}", unicode=unicode), width, lead, f"{lead}   ")
        blocks.append(lines)
    return blocks


def cell_width(text: str) -> int:
    """Columns that a text takes on a terminal."""
    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)


def plain(text: str, *, unicode: bool) -> str:
    """The text with its typography made ASCII unless ``unicode``; letters of names stay as they are."""
    shown = visible(text)
    return shown if unicode else shown.translate(ASCII)


def _table(grid: Grid, axis: Axis | None, width: int, *, unicode: bool) -> list[str]:
    heads = [plain(column.heading, unicode=unicode) for column in grid.columns]
    rows = [
        [
            _cell(cell, numeric=column.numeric, unicode=unicode)
            for cell, column in zip(row.cells, grid.columns, strict=True)
        ]
        for row in grid.rows
    ]
    widths = [max(map(cell_width, column)) for column in zip(heads, *rows, strict=True)]
    used = sum(widths) + GAP * (len(widths) - 1)
    if used > width:
        return _stacked(heads, rows, width)
    numeric = [column.numeric for column in grid.columns]
    lines = [_line(cells, widths, numeric) for cells in [heads, *rows]]
    room = min(MAX_BAR, width - used - GAP)
    pen = UNICODE_PEN if unicode else ASCII_PEN
    if axis is not None and room < MIN_BAR <= width:
        # One bar alone finds room below.
        below, drawn = min(MAX_BAR, width), [row.bar for row in grid.rows if row.bar is not None]
        single = [_axis_line(axis, below, unicode=unicode), _bar(drawn[0], axis, below, pen)] if len(drawn) == 1 else []
        return [*lines, *single]
    if axis is None or room < MIN_BAR:
        return lines
    bars = [_axis_line(axis, room, unicode=unicode), *(_bar(row.bar, axis, room, pen) for row in grid.rows)]
    return [f"{line}{' ' * GAP}{bar}" for line, bar in zip(lines, bars, strict=True)]


def _cell(text: str, *, numeric: bool, unicode: bool) -> str:
    """Numbers are typeset; names are printed as they are, except for what would move the cursor."""
    return plain(text, unicode=unicode) if numeric else visible(text)


def _line(cells: list[str], widths: list[int], numeric: list[bool]) -> str:
    return (" " * GAP).join(_pad(*cell) for cell in zip(cells, widths, numeric, strict=True))


def _pad(text: str, width: int, right: bool) -> str:
    space = " " * (width - cell_width(text))
    return space + text if right else text + space


def _stacked(heads: list[str], rows: list[list[str]], width: int) -> list[str]:
    """One block a row: its first cell, then its other cells beside their headings."""
    room = max(map(cell_width, heads[1:]), default=0)
    lines: list[str] = []
    for first, *others in rows:
        lines.append(first)
        lines += [_beside(head, cell, room, width) for head, cell in zip(heads[1:], others, strict=True) if cell]
    return lines


def _beside(head: str, cell: str, room: int, width: int) -> str:
    """A heading and its cell, without the heading where both do not fit."""
    line = f"  {_pad(head, room, right=False)}  {cell}"
    return line if cell_width(line) <= width else f"  {cell}"


def _axis_line(axis: Axis, room: int, *, unicode: bool) -> str:
    low, high = plain(axis.low_text, unicode=unicode), plain(axis.high_text, unicode=unicode)
    return low + " " * max(1, room - len(low) - len(high)) + high


def _bar(bar: Bar | None, axis: Axis, room: int, pen: Pen) -> str:
    """One bar: bounds, the line between them, the value on top; the axis' mark where nothing else is drawn."""
    cells = [" "] * room
    if axis.mark is not None:
        cells[axis_column(axis.mark, axis.low, axis.high, room)] = pen.mark
    if bar is None:
        return "".join(cells)
    if not (math.isnan(bar.low) or math.isnan(bar.high)):
        low = axis_column(bar.low, axis.low, axis.high, room)
        high = axis_column(bar.high, axis.low, axis.high, room)
        cells[low : high + 1] = [pen.line] * (high + 1 - low)
        cells[low] = pen.open_left if math.isinf(bar.low) else pen.left
        cells[high] = pen.open_right if math.isinf(bar.high) else pen.right
    if not math.isnan(bar.value):
        cells[axis_column(bar.value, axis.low, axis.high, room)] = pen.point
    return "".join(cells)


def _fact(fact: Fact, width: int, *, unicode: bool) -> list[str]:
    lead = f"{fact.name:<{NAME_WIDTH}} "
    return _hanging(lead, plain(fact.sentence, unicode=unicode), width)


def _note(note: Fact, width: int, *, unicode: bool) -> list[str]:
    return _hanging("note  ", plain(f"{note.name}: {note.sentence}", unicode=unicode), width)


def _hanging(lead: str, text: str, width: int) -> list[str]:
    """The text wrapped beside its lead, or below it where little room is left."""
    indent = " " * (len(lead) if width - len(lead) >= 30 else 2)
    return _wrapped(text, width, lead, indent)


def _wrapped(text: str, width: int, lead: str = "", indent: str = "") -> list[str]:
    """Greedy filling by the columns that words take, which textwrap does not know; words are never broken."""
    lines, line = [], lead
    for word in UNITS.sub("\\1\0%", " ".join(text.split())).split(" "):
        space = "" if line in (lead, indent) else " "
        if line.strip() and cell_width(line) + len(space) + cell_width(word) > width:
            lines.append(line)
            line, space = indent, ""
        line += space + word
    return [line.replace("\0", " ") for line in (*lines, line)]
