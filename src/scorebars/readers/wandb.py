"""Weights & Biases: the history of a run as CSV, and the lines of a chart as CSV.

A history (``_step``, ``_runtime``, ``_timestamp`` and a column a metric) is one run without its name; most cells are
empty, since metrics are logged at different times; or several such runs below each other, told apart by columns that
the user names. A chart has ``RUN - METRIC`` with ``…__MIN`` and ``…__MAX`` beside
it, which are no standard errors: where they differ from each other, the value is a mean over grouped runs, and the runs
are gone.
"""

from __future__ import annotations

import math
from array import array
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from scorebars.engines.file_runs import run_pattern
from scorebars.engines.headers import is_unnamed, mapped
from scorebars.errors import ReadError, near_miss
from scorebars.notes import note
from scorebars.readers.csv_rows import csv_rows, header_of
from scorebars.readers.curves import Curve, curve_part
from scorebars.readers.files import shown
from scorebars.readers.last_line import unended_note
from scorebars.readers.records import each
from scorebars.readers.run_files import RunNames, run_names
from scorebars.readers.sources import NoScores, named
from scorebars.readers.wandb_runs import MOVED, RENAMED, drawn, refuse_several, runs_of, told

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scorebars.contracts import FileHead, Part, Request
    from scorebars.notes import Note
    from scorebars.sample import FloatArray

STEP: Final = "_step"
MIN: Final = "__MIN"
MAX: Final = "__MAX"
_CLOCKS: Final = ("_runtime", "_timestamp")
_BETWEEN: Final = " - "
_SHOWN: Final = 3


class WandbReader:
    """Reads exports of W&B."""

    @property
    def name(self) -> str:
        """As on the command line and in notes."""
        return "wandb"

    def claims(self, head: FileHead) -> bool:
        """A header with _step beside a clock, or with columns for the least and the largest value."""
        header = header_of(head)
        return _is_history(header) or bool(_lines(header))

    def read(self, heads: Sequence[FileHead], request: Request) -> Iterator[Part]:
        """One part a file, one score a run and metric."""
        names = run_names(heads, request, "an export of W&B", steps=True, by_row=True)
        said = _of_files(names)
        for part in each(heads, lambda head: self._part(head, request, names)):
            yield replace(part, notes=(*part.notes, *said))
            said = ()

    def _part(self, head: FileHead, request: Request, names: RunNames) -> Part:
        header = header_of(head)
        if names.columns and not _is_history(header):
            role, column = next(iter(names.columns.items()))
            what = f"a chart, a column a run, so that no column says the {role} ('{column}')"
            raise ReadError(f"{shown(head.path)} is {what}; {RENAMED}")
        cut: list[str] = []
        table = _table(head, cut, frozenset(name for text in names.columns.values() for name in text.split("+")))
        made = _history if _is_history(header) else _chart
        part = made(head, request, names, table)
        return replace(part, notes=(*part.notes, *(unended_note(head, line) for line in cut)))


@dataclass(slots=True)
class _Column:
    """A column as numbers, NaN where it is empty; or the first cell that is none."""

    values: array[float] = field(default_factory=lambda: array("d"))
    text: str | None = None
    """Why it is no column of numbers."""
    cells: list[str] | None = None
    """Its cells as text, where they are asked for."""

    def add(self, cell: str, line: int) -> None:
        """One more cell; after the first that is no finite number no more numbers are kept."""
        if self.cells is not None:
            self.cells.append(cell)
        if self.text is None:
            try:
                value = float(cell) if cell else math.nan
            except ValueError:
                value = math.nan if not cell.strip() else math.inf
            if math.isinf(value):
                self.text = f"line {line}: '{cell}' is not a finite number"
            self.values.append(value)


@dataclass(frozen=True, slots=True)
class _Table:
    """The numbers of a file, by column."""

    path: str
    columns: dict[str, _Column]
    lines: array[int]

    def numbers(self, name: str) -> FloatArray:
        """A column, which must hold numbers."""
        column = self.columns[name]
        if column.text is not None:
            raise ReadError(f"{self.path}: {column.text}, in the column '{name}'")
        return np.array(column.values, dtype=np.float64)

    def texts(self) -> dict[str, list[str]]:
        """The columns that were asked for as text."""
        return {name: column.cells for name, column in self.columns.items() if column.cells is not None}


def _of_files(names: RunNames) -> tuple[Note, ...]:
    """``drawn-names`` where each file is a model, and the names of all were drawn."""
    if names.is_by_folder or names.pattern is not None or "model" in names.columns:
        return ()
    return drawn(list(dict.fromkeys(names.stems.values())), "files", MOVED)


def _is_history(header: Sequence[str]) -> bool:
    return STEP in header and any(clock in header for clock in _CLOCKS)


def _lines(header: Sequence[str]) -> list[str]:
    """The columns of a chart that are its lines."""
    names = set(header)
    return [name for name in header if name + MIN in names and name + MAX in names]


def _texts(head: FileHead, table: _Table) -> dict[str, list[str]]:
    """All columns as text, which takes reading the file again."""
    return _table(head, [], frozenset(table.columns)).texts()


def _table(head: FileHead, cut: list[str], kept: frozenset[str]) -> _Table:
    """The numbers below the header, and the text of ``kept``; a last line without a line break goes into ``cut``."""
    rows = csv_rows(head, cut)
    names = named(next(rows, (0, []))[1], head.path)
    if lacking := next((name for name in kept if name not in names), None):
        raise ReadError(f"{shown(head.path)} has no column '{lacking}'{near_miss(lacking, names)}")
    columns = {name: _Column(cells=[] if name in kept else None) for name in names}
    lines = array("q")
    for line, row in rows:
        lines.append(line)
        for column, cell in zip(columns.values(), row, strict=True):
            column.add(cell, line)
    if not lines:
        raise NoScores(f"{shown(head.path)} has no row below its header; no scores are in it")
    return _Table(shown(head.path), columns, lines)


def _steps(table: _Table, name: str) -> FloatArray:
    if name not in table.columns:
        raise ReadError(f"{table.path} has no column '{name}'{near_miss(name, table.columns)}")
    steps = table.numbers(name)
    if np.isnan(steps).any():
        line = table.lines[int(np.argmax(np.isnan(steps)))]
        raise ReadError(f"{table.path}: line {line} has no '{name}'; each value needs its step")
    return steps


def _history(head: FileHead, request: Request, names: RunNames, table: _Table) -> Part:
    """One curve a run and metric; columns of text are listed as no scores."""
    step = names.step or STEP
    steps = _steps(table, step)
    runs = runs_of(names, head.path, table.texts(), table.lines, table.path)
    if why := refuse_several(runs, table.numbers(STEP), lambda: _texts(head, table), table.lines):
        raise ReadError(f"{table.path}: {why}")
    curves: list[Curve] = []
    unusable: list[tuple[str, str]] = []
    for name, column in table.columns.items():
        if name.startswith("_") or name == step or is_unnamed(name) or column.cells is not None:
            continue
        if column.text is not None:
            unusable.append((name, column.text))
        elif np.isnan(values := table.numbers(name)).all():
            unusable.append((name, "it has no value"))
        else:
            curves += [
                Curve(
                    run.model, run.run, at := steps[run.rows], values[run.rows], run.task, name, until=float(at.max())
                )
                for run in runs
            ]
    if not curves and unusable:
        why = "; ".join(f"'{name}': {reason}" for name, reason in unusable[:_SHOWN])
        more = f"; and {len(unusable) - _SHOWN:,} more" if len(unusable) > _SHOWN else ""
        raise NoScores(f"{table.path} has no column with numbers only ({why}{more}); mend the line, or clear the cell")
    said = told(names, head.path) | {"metric": "the headers", "score": f"the cells over '{step}'"}
    part = curve_part(head, "wandb", curves, request.options, said)
    return replace(part, unusable=(*part.unusable, *unusable))


def _chart(head: FileHead, request: Request, names: RunNames, table: _Table) -> Part:
    """One curve a line of the chart; lines that are means over runs are refused."""
    lines = _lines(list(table.columns))
    step = names.step or next(iter(table.columns))
    steps = _steps(table, step)
    curves = [_line(head, names, table, name, steps) for name in lines]
    said = {"model": "the columns' names", "run": "the columns' names", "score": f"the cells over '{step}'"}
    part = curve_part(head, "wandb", curves, request.options, said)
    return part if names.pattern else replace(part, notes=(*part.notes, *_as_models(curves)))


def _as_models(curves: Sequence[Curve]) -> tuple[Note, ...]:
    """``repeats-as-models`` where the runs of a chart are called like repeats of fewer models."""
    runs = list(dict.fromkeys(curve.model for curve in curves))
    pattern = run_pattern(runs) if len(runs) > 1 else None
    if pattern is None:
        return drawn(runs, "lines", RENAMED)
    listed = f"'{runs[0]}', '{runs[1]}'"
    remedy = mapped({"run": pattern})
    return (note("repeats-as-models", n=len(runs), what="lines", names=listed, remedy=remedy),)


def _line(head: FileHead, names: RunNames, table: _Table, name: str, steps: FloatArray) -> Curve:
    values, low, high = (table.numbers(name + end) for end in ("", MIN, MAX))
    apart = (low != high) & ~np.isnan(low) & ~np.isnan(high)
    if apart.any():
        line = table.lines[int(np.argmax(apart))]
        raise ReadError(
            f"{table.path}: line {line}: '{name}' is a mean over values from {low[apart][0]:g} to {high[apart][0]:g} "
            "(grouped runs): the runs behind it are not in the file, and least and largest are no error bars; "
            "export the chart without grouping, or the table of the runs, and read it with --map "
            "model=COLUMN,run=Name,score=METRIC"
        )
    run, _, metric = name.rpartition(_BETWEEN)
    model, run = names.of(head.path, run or None)
    return Curve(model, run, steps, values, metric=metric)
