"""Many comparisons of one call, as one table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, overload

from scorebars.outputs import numbers
from scorebars.outputs.view import Column, Grid, Row, View
from scorebars.results import describe
from scorebars.results import effect_words as words
from scorebars.results.comparison import Comparison
from scorebars.results.printed import Printed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorebars.notes import Note
    from scorebars.outputs.numbers import Scale


@dataclass(frozen=True, slots=True, repr=False)
class Comparisons(Printed, Sequence[Comparison]):
    """The comparisons of one call, in the order of their sides. A sequence; prints as one table."""

    rows: tuple[Comparison, ...]
    notes: tuple[Note, ...] = ()
    """Notes on the whole table."""

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Comparison]:
        return iter(self.rows)

    @overload
    def __getitem__(self, index: int) -> Comparison: ...
    @overload
    def __getitem__(self, index: slice) -> Comparisons: ...
    def __getitem__(self, index: int | slice) -> Comparison | Comparisons:
        if isinstance(index, slice):
            return Comparisons(self.rows[index], self.notes)
        return self.rows[index]

    def view(self) -> View:
        """Everything that an output prints."""
        rows = self.rows
        scale = _scale(rows)
        bars = [describe.bar(row.answer) for row in rows]
        names = [f"{row.a} against {row.b}" for row in rows]
        answers = [(name, row.answer) for name, row in zip(names, rows, strict=True)]
        told = [("", self.notes), *((name, answer.notes) for name, answer in answers)]
        every_note = describe.note_facts(told, n_rows=len(rows), by_side=True)
        return View(
            kind="comparisons",
            table=Grid(_columns(rows, scale), tuple(map(Row, (_cells(row, scale) for row in rows), bars))),
            axis=describe.axis(bars, scale, mark=rows[0].null if rows else None),
            facts=tuple(describe.common_facts(answers, [scale] * len(rows), counts=True)),
            notes=describe.few_notes(every_note, len(rows)),
            every_note=every_note,
            records=tuple(row.record for row in rows),
        )


def _scale(rows: tuple[Comparison, ...]) -> Scale:
    """How all effects are written: as the widest of them is alone."""
    widest = max(rows, key=lambda row: row.answer.half_width if row.answer.half_width >= 0.0 else -1.0, default=None)
    return numbers.choose_scale([], percent=False) if widest is None else words.effect_scale(widest)


def _columns(rows: tuple[Comparison, ...], scale: Scale) -> tuple[Column, ...]:
    heading = words.heading(rows[0], scale) if rows else "difference"
    level = f"{numbers.percent_text(rows[0].level)} interval" if rows else "interval"
    columns = (Column("A"), Column("B"), Column(heading, numeric=True), Column(level, numeric=True))
    return (*columns, Column("p-value", numeric=True))


def _cells(row: Comparison, scale: Scale) -> tuple[str, ...]:
    value = scale.number(row.value, signed=words.is_signed(row))
    p = numbers.p_value(row.p_value).removeprefix("p ").removeprefix("= ")
    return row.a, row.b, value, describe.interval_cell(row.answer, scale), p
