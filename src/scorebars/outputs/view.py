"""The view: everything that an output prints, in words and rounded numbers, with nothing left to compute.

Results fill a :class:`View`; the formats beside this module turn it into text. The typography is that of a page
("−", "∞", "–"); a format that cannot show it translates it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@dataclass(frozen=True, slots=True)
class Column:
    """One column of the table."""

    heading: str
    numeric: bool = False
    """Numbers stand to the right."""


@dataclass(frozen=True, slots=True)
class Bar:
    """What is drawn beside a row: NaN where there is no bound, infinite where only the other was asked for."""

    low: float
    value: float
    high: float


@dataclass(frozen=True, slots=True)
class Row:
    """One row: a text for each column, and its bar (None: no bar is drawn)."""

    cells: tuple[str, ...]
    bar: Bar | None = None


@dataclass(frozen=True, slots=True)
class Fact:
    """One line below the table: what the numbers rest on, or a note with its code as the name."""

    name: str
    text: str
    rows: tuple[str, ...] = ()
    """The rows that it concerns; empty where it concerns all."""

    @property
    def sentence(self) -> str:
        """The text, led by the rows that it concerns."""
        return f"{_listing(self.rows)}: {self.text}" if self.rows else self.text


@dataclass(frozen=True, slots=True)
class Advice:
    """One finding of a diagnosis."""

    heading: str
    """Under which it stands, with others."""
    name: str
    """Its code."""
    text: str
    """What was found."""
    remedy: str
    """What to do."""
    rows: tuple[str, ...] = ()
    """The metrics that it concerns; empty where it concerns all."""

    @property
    def sentence(self) -> str:
        """The text, led by what it concerns."""
        return f"{_listing(self.rows)}: {self.text}" if self.rows else self.text


@dataclass(frozen=True, slots=True)
class Axis:
    """The common axis of the bars, with its ends as text."""

    low: float
    high: float
    low_text: str
    high_text: str
    mark: float | None = None
    """Where a vertical line is drawn (0 for a difference)."""


@dataclass(frozen=True, slots=True)
class Grid:
    """A plain table."""

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class View:
    """A result, ready to be printed."""

    kind: str
    """'estimates', 'comparison', 'comparisons' or 'diagnosis'."""
    table: Grid
    axis: Axis | None
    facts: tuple[Fact, ...]
    notes: tuple[Fact, ...] = ()
    """The notes as people read them: many alike are put into one."""
    every_note: tuple[Fact, ...] = ()
    """All of them, for programs."""
    headline: str = ""
    """The verdict of a comparison or a diagnosis, in words; empty elsewhere."""
    items: Grid | None = None
    """The items on which two sides disagree, where they were asked for."""
    item_records: tuple[Mapping[str, object], ...] = field(default=(), repr=False)
    """The same items in full precision."""
    advice: tuple[Advice, ...] = ()
    """What a diagnosis found, sorted by heading."""
    commands: tuple[str, ...] = ()
    """What to type next."""
    extra: Mapping[str, object] = field(default_factory=dict, repr=False)
    """What JSON holds beside the results."""
    records: tuple[Mapping[str, object], ...] = field(default=(), repr=False)
    """The same results in full precision, nested, NaN as NaN: what JSON and CSV are made of."""


def headed(advice: Sequence[Advice]) -> list[tuple[str, list[Advice]]]:
    """The findings under each heading."""
    blocks: dict[str, list[Advice]] = {}
    for one in advice:
        blocks.setdefault(one.heading, []).append(one)
    return list(blocks.items())


def _listing(names: tuple[str, ...], limit: int = 4) -> str:
    """'A, B, C, D and 3 more'."""
    more = f" and {len(names) - limit} more" if len(names) > limit else ""
    return ", ".join(names[:limit]) + more
