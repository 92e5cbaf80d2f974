"""Weights & Biases: the history of a run as CSV, and the lines of a chart as CSV.

A history (``_step``, ``_runtime``, ``_timestamp`` and a column a metric) is one run without its name; most cells are
empty, since metrics are logged at different times. A chart has ``RUN - METRIC`` with ``…__MIN`` and ``…__MAX`` beside
it, which are no standard errors: where they differ from each other, the value is a mean over grouped runs, and the runs
are gone.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from scorebars.errors import ReadError, near_miss
from scorebars.readers.csv_rows import csv_rows, header_of, number_of
from scorebars.readers.curves import Curve, curve_part
from scorebars.readers.files import shown
from scorebars.readers.records import each
from scorebars.readers.run_files import RunNames, run_names
from scorebars.readers.sources import NoScores

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scorebars.contracts import FileHead, Part, Request
    from scorebars.sample import FloatArray

STEP: Final = "_step"
MIN: Final = "__MIN"
MAX: Final = "__MAX"
_CLOCKS: Final = ("_runtime", "_timestamp")
_BETWEEN: Final = " - "


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
        names = run_names(heads, request, "an export of W&B", steps=True)
        return each(heads, lambda head: self._part(head, request, names))

    def _part(self, head: FileHead, request: Request, names: RunNames) -> Part:
        table = _table(head)
        if _is_history(table.header):
            return _history(head, request, names, table)
        return _chart(head, request, names, table)


@dataclass(frozen=True, slots=True)
class _Table:
    """The cells of a file, by column."""

    path: str
    header: list[str]
    lines: list[int]
    columns: list[tuple[str, ...]]

    def numbers(self, place: int) -> FloatArray:
        """A column as numbers, NaN where it is empty."""
        cells = zip(self.lines, self.columns[place], strict=True)
        return np.array([number_of(cell, f"{self.path}: line {line}") for line, cell in cells], dtype=np.float64)


def _is_history(header: Sequence[str]) -> bool:
    return STEP in header and any(clock in header for clock in _CLOCKS)


def _lines(header: Sequence[str]) -> list[str]:
    """The columns of a chart that are its lines."""
    names = set(header)
    return [name for name in header if name + MIN in names and name + MAX in names]


def _table(head: FileHead) -> _Table:
    rows = csv_rows(head)
    header = [cell.strip() for cell in next(rows, (0, []))[1]]
    found = list(rows)
    if not header or not found:
        raise NoScores(f"{shown(head.path)} has no row below its header; no scores are in it")
    return _Table(
        shown(head.path), header, [line for line, _ in found], list(zip(*(row for _, row in found), strict=True))
    )


def _steps(table: _Table, name: str) -> FloatArray:
    if name not in table.header:
        raise ReadError(f"{table.path} has no column '{name}'{near_miss(name, table.header)}")
    steps = table.numbers(table.header.index(name))
    if np.isnan(steps).any():
        line = table.lines[int(np.argmax(np.isnan(steps)))]
        raise ReadError(f"{table.path}: line {line} has no '{name}'; each value needs its step")
    return steps


def _history(head: FileHead, request: Request, names: RunNames, table: _Table) -> Part:
    """One curve a metric; columns of text are listed as no scores."""
    model, run = names.of(head.path)
    step = names.step or STEP
    steps = _steps(table, step)
    curves: list[Curve] = []
    unusable: list[tuple[str, str]] = []
    for place, name in enumerate(table.header):
        if name.startswith("_") or name == step:
            continue
        try:
            values = table.numbers(place)
        except ReadError as error:
            unusable.append((name, f"it is no number ({error})"))
            continue
        if np.isnan(values).all():
            unusable.append((name, "it has no value"))
        else:
            curves.append(Curve(model, run, steps, values, metric=name, until=float(steps.max())))
    said = names.told(head.path) | {"metric": "the headers", "score": f"the cells over '{step}'"}
    part = curve_part(head, "wandb", curves, request.options, said)
    return replace(part, unusable=(*part.unusable, *unusable))


def _chart(head: FileHead, request: Request, names: RunNames, table: _Table) -> Part:
    """One curve a line of the chart; lines that are means over runs are refused."""
    lines = _lines(table.header)
    step = names.step or table.header[0]
    steps = _steps(table, step)
    curves = [_line(head, names, table, name, steps) for name in lines]
    said = {"model": "the columns' names", "run": "the columns' names", "score": f"the cells over '{step}'"}
    return curve_part(head, "wandb", curves, request.options, said)


def _line(head: FileHead, names: RunNames, table: _Table, name: str, steps: FloatArray) -> Curve:
    values, low, high = (table.numbers(table.header.index(name + end)) for end in ("", MIN, MAX))
    apart = (low != high) & ~np.isnan(low) & ~np.isnan(high)
    if apart.any():
        line = table.lines[int(np.argmax(apart))]
        raise ReadError(
            f"{table.path}: line {line}: '{name}' is a mean over values from {low[apart][0]:g} to {high[apart][0]:g} "
            "(grouped runs): the runs behind it are not in the file, and least and largest are no error bars; "
            "export the chart without grouping"
        )
    run, _, metric = name.rpartition(_BETWEEN)
    model, run = names.of(head.path, run or None)
    return Curve(model, run, steps, values, metric=metric)
