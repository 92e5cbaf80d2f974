"""Scores of models, with their intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, overload

from scorebars.outputs import numbers
from scorebars.outputs.view import Column, Fact, Grid, Row, View
from scorebars.results import describe
from scorebars.results.answered import Answered
from scorebars.results.printed import Printed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from scorebars.notes import Note
    from scorebars.outputs.numbers import Scale
    from scorebars.outputs.view import Axis, Bar
    from scorebars.results.answer import Answer


@dataclass(frozen=True, slots=True, repr=False)
class Estimate(Answered):
    """The score of one model (in one group), with its interval."""

    model: str
    answer: Answer
    task: str | None = None
    """The task, where rows are tasks or the table has just one; None for an average over several."""
    metric: str | None = None
    group: tuple[tuple[str, str], ...] = ()

    @property
    def notes(self) -> tuple[Note, ...]:
        """Remarks on this estimate."""
        return self.answer.notes

    def view(self) -> View:
        """Everything that an output prints."""
        return _view((self,), ())

    @property
    def record(self) -> dict[str, object]:
        """The estimate in full precision, nested."""
        return {
            "model": self.model,
            "task": self.task,
            "metric": self.metric,
            "group": dict(self.group),
            **describe.bounds_record(self.answer),
            **describe.answer_record(self.answer),
        }


@dataclass(frozen=True, slots=True, repr=False)
class Estimates(Printed, Sequence[Estimate]):
    """The estimates of one call, in the order of their groups and models. A sequence; prints as one table."""

    rows: tuple[Estimate, ...]
    notes: tuple[Note, ...] = ()
    """Notes on the whole table."""

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Estimate]:
        return iter(self.rows)

    @overload
    def __getitem__(self, index: int) -> Estimate: ...
    @overload
    def __getitem__(self, index: slice) -> Estimates: ...
    def __getitem__(self, index: int | slice) -> Estimate | Estimates:
        if isinstance(index, slice):
            return Estimates(self.rows[index], self.notes)
        return self.rows[index]

    def view(self) -> View:
        """Everything that an output prints."""
        return _view(self.rows, self.notes)


Label = tuple[str, "Callable[[Estimate], str]"]
"""A heading and the text under it."""


def _view(rows: tuple[Estimate, ...], notes: tuple[Note, ...]) -> View:
    scales = _scales(rows)
    labels, counts = _labels(rows), _count_columns(rows)
    names = _names(rows, labels)
    bars = [describe.bar(row.answer) for row in rows]
    unit = " %" if len({scale.percent for scale in scales}) > 1 else ""
    cells = [
        (
            *(text(row) for _, text in labels),
            scale.number(row.answer.value) + unit * scale.percent,
            describe.interval_cell(row.answer, scale) + unit * scale.percent,
            *(text(row) for _, text in counts),
        )
        for row, scale in zip(rows, scales, strict=True)
    ]
    answers = [(name, row.answer) for name, row in zip(names, rows, strict=True)]
    told = [("", notes), *((name, answer.notes) for name, answer in answers)]
    every_note = describe.note_facts(told, n_rows=len(rows))
    return View(
        kind="estimates",
        table=Grid(_columns(rows, scales, labels, counts), tuple(Row(c, b) for c, b in zip(cells, bars, strict=True))),
        axis=None if unit else _axis(bars, scales),
        facts=(*_head_facts(rows, labels), *describe.common_facts(answers, scales, counts=not counts)),
        notes=describe.few_notes(every_note, len(rows)),
        every_note=every_note,
        records=tuple(row.record for row in rows),
    )


def _scales(rows: tuple[Estimate, ...]) -> list[Scale]:
    """How the numbers of each row are written: alike, but that fractions among other scores are in percent."""
    percents = [numbers.is_fraction(row.answer.score_range) for row in rows]
    widths: dict[bool, list[float]] = {}
    for row, percent in zip(rows, percents, strict=True):
        widths.setdefault(percent, []).append(row.answer.half_width)
    made = {percent: numbers.choose_scale(alike, percent=percent) for percent, alike in widths.items()}
    return [made[percent] for percent in percents]


def _axis(bars: list[Bar], scales: list[Scale]) -> Axis | None:
    """The axis of rows in one unit."""
    scale = scales[0] if scales else numbers.choose_scale([], percent=False)
    return describe.axis(bars, scale, also=(0.0, 1.0) if scale.percent and len(bars) == 1 else ())


def _columns(
    rows: tuple[Estimate, ...], scales: list[Scale], labels: list[Label], counts: list[Label]
) -> tuple[Column, ...]:
    units = {scale.unit for scale in scales}
    unit = units.pop() if len(units) == 1 else ""
    estimators = {row.answer.estimator for row in rows}
    value = estimators.pop() if len(estimators) == 1 else "score"
    levels = {row.answer.level for row in rows}
    interval = f"{numbers.percent_text(levels.pop())} interval" if len(levels) == 1 else "interval"
    return (
        *(Column(heading) for heading, _ in labels),
        Column(f"{value}, {unit}" if unit else value, numeric=True),
        Column(interval, numeric=True),
        *(Column(heading, numeric=True) for heading, _ in counts),
    )


def _labels(rows: tuple[Estimate, ...]) -> list[Label]:
    """The model, and what else tells the rows apart."""
    keys = list(dict.fromkeys(key for row in rows for key, _ in row.group))
    candidates: list[Label] = [("task", lambda row: row.task or "")] if "task" not in keys else []
    candidates += [(key, lambda row, key=key: dict(row.group).get(key, "")) for key in keys]  # type: ignore[misc]
    redrawn = [("redraws", lambda row: " + ".join(row.answer.resample) or "nothing")] if "redrawn" not in keys else []
    candidates += [("metric", lambda row: row.metric or "")] if "metric" not in keys else []
    candidates += [
        ("estimator", lambda row: row.answer.estimator),
        *redrawn,
    ]
    told = [label for label in candidates if label[0] in keys or len({label[1](row) for row in rows}) > 1]
    return [("model", lambda row: row.model), *told]


def _count_columns(rows: tuple[Estimate, ...]) -> list[Label]:
    """Columns of counts where the rows rest on different ones; none where one line below the table says it."""
    columns: list[Label] = [
        ("items", lambda row: f"{row.answer.n_items:,}"),
        ("runs", lambda row: "–".join(f"{n:,}" for n in dict.fromkeys(row.answer.n_runs))),
        ("clusters", lambda row: "" if row.answer.n_clusters is None else f"{row.answer.n_clusters:,}"),
        ("tasks", lambda row: f"{row.answer.n_tasks:,}"),
    ]
    shown = [column for column in columns if {column[1](row) for row in rows} not in ({""}, {"1"})]
    return shown if len({describe.rests_on(row.answer) for row in rows}) > 1 else []


def _head_facts(rows: tuple[Estimate, ...], labels: list[Label]) -> list[Fact]:
    """Metric and task, where all rows share them."""
    headings = {heading for heading, _ in labels}
    facts = []
    for name, values in (("metric", {row.metric for row in rows}), ("task", {row.task for row in rows})):
        only = next(iter(values)) if len(values) == 1 else None
        if only and name not in headings:
            facts.append(Fact(name, only))
    return facts


def _names(rows: tuple[Estimate, ...], labels: list[Label]) -> list[str]:
    """What facts and notes call the rows: as few labels as tell them apart."""
    names: list[str] = []
    for used in range(1, len(labels) + 1):
        names = [" / ".join(text for _, tell in labels[:used] if (text := tell(row))) for row in rows]
        if len(set(names)) == len(rows):
            break
    return names
