"""Logs of a training as CSV: Keras' ``CSVLogger``, Lightning's ``metrics.csv``, fastai's history, Trainer's log.

A row is an epoch (or a step) of one run, and a column a metric: a learning curve, whose points are no attempts of their
own. The file does not say which run it is; its name or ``--map file=…`` does.
"""

from __future__ import annotations

import math
from array import array
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from scorebars.engines.file_runs import FILE
from scorebars.engines.headers import ALIASES, SECOND_ITEMS, is_unnamed, mapped, normal
from scorebars.errors import ReadError
from scorebars.readers.csv_rows import csv_rows, header_of
from scorebars.readers.curves import Curve, curve_part
from scorebars.readers.delimited import rows_of
from scorebars.readers.file_names import Named, by_name
from scorebars.readers.files import names_for, shown
from scorebars.readers.last_line import unended_note
from scorebars.readers.records import each
from scorebars.readers.sources import NoScores, named

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scorebars.contracts import FileHead, Part, Request
    from scorebars.sample import FloatArray

STEPS: Final = ("step", "global_step", "epoch")
"""Columns of the steps; the first one that is filled in every row counts."""
_PHASES: Final = frozenset({"train", "val", "valid", "validation", "eval", "test"})
_NO_SCORES: Final = frozenset({"", "loss", "lr", "learning", "time", "elapsed", "runtime", "grad"})
"""Words of columns that are no scores: a log that has no other is none of scores."""
_OTHERS: Final = frozenset(
    name for role in ("model", "task", "item", "run", "cluster", "metric", "variant") for name in ALIASES[role]
) - {"epoch"} | frozenset(SECOND_ITEMS)
"""Headers of tables of attempts."""
_ROWS: Final = 200
"""Rows that say whether a table is a log."""


class TrainingLogReader:
    """Reads logs of trainings."""

    @property
    def name(self) -> str:
        """As on the command line and in notes."""
        return "training-log"

    def claims(self, head: FileHead) -> bool:
        """A header with an epoch or step and losses, or metrics of two phases; numbers below it, of ever new steps."""
        header = [normal(cell) for cell in header_of(head)]
        return _is_header(header) and _is_logged(head, header)

    def read(self, heads: Sequence[FileHead], request: Request) -> Iterator[Part]:
        """One part a file, one score a metric."""
        roles = [role for role in request.columns if role != FILE] + ["cluster"] * bool(request.cluster)
        if roles:
            raise ReadError(
                f"'{roles[0]}' cannot be mapped in the log of a training: a file is one run, --at chooses its point "
                f"and --metric its column; model and run are in the files' names ({mapped({FILE: '{model}/{run}/*'})}, "
                "or as they are)"
            )
        names = names_for(head.path for head in heads)
        return each(heads, lambda head: _part(head, request, names[head.path]))


def _is_header(header: Sequence[str]) -> bool:
    words = [set(name.replace("/", "_").replace(".", "_").split("_")) for name in header]
    phases = {phase for some in words for phase in some & _PHASES}
    is_trained = any("loss" in some for some in words) or len(phases) > 1
    is_scored = any(name not in STEPS and not some & _NO_SCORES for name, some in zip(header, words, strict=True))
    return is_trained and is_scored and bool(set(STEPS) & set(header)) and not _OTHERS & set(header)


def _is_logged(head: FileHead, header: Sequence[str]) -> bool:
    """Whether all cells are numbers, and most rows have a step of their own."""
    rows = rows_of(head.head.decode("utf-8-sig", errors="replace"), ",", _ROWS + 1)[1:]
    rows = [row for row in rows if len(row) == len(header)]
    steps = {tuple(cell for name, cell in zip(header, row, strict=True) if name in STEPS) for row in rows}
    return bool(rows) and 2 * len(steps) >= len(rows) and all(_is_number(cell) for row in rows for cell in row)


def _is_number(cell: str) -> bool:
    try:
        return not cell.strip() or bool(float(cell) or True)
    except ValueError:
        return False


def _part(head: FileHead, request: Request, name: str) -> Part:
    origin = by_name(head.path, request.columns)
    cut: list[str] = []
    columns = _columns(head, cut)
    step = next((own for own in STEPS if own in columns and not np.isnan(columns[own][1]).any()), "")
    if not step:
        own = next(own for own in STEPS if own in columns)
        raise ReadError(f"{shown(head.path)}: row {int(np.argmax(np.isnan(columns[own][1]))) + 1} has no '{own}'")
    header, steps = columns[step]
    model, where = origin.model(name)
    curves, empty = [], []
    for key, (metric, values) in columns.items():
        if key in STEPS or is_unnamed(metric):
            continue
        if np.isnan(values).all():
            empty.append((metric, "it has no value"))
        else:
            curves.append(_curve(origin, model, name, metric, steps, values))
    said = {"model": where, "run": f"the file's name ('{name}')"}
    said |= {role[1:-1]: "the file's name, as asked" for role in origin.texts}
    said |= {"metric": "the headers", "score": f"the cells over '{header}'"}
    part = curve_part(head, "training-log", curves, request.options, said, unit="epoch" if step == "epoch" else "step")
    notes = (*part.notes, *(unended_note(head, line) for line in cut))
    return replace(part, unusable=(*part.unusable, *empty), notes=notes)


def _curve(origin: Named, model: str, name: str, metric: str, steps: FloatArray, values: FloatArray) -> Curve:
    text = origin.texts.get
    model, run = text("{model}", model), text("{run}", name)
    return Curve(model, run, steps, values, text("{task}"), metric, text("{variant}"), until=float(np.nanmax(steps)))


def _columns(head: FileHead, cut: list[str]) -> dict[str, tuple[str, FloatArray]]:
    """Normal header -> header and cells, NaN where a cell is empty; a last line without a line break goes into cut."""
    rows = csv_rows(head, cut)
    names = named(next(rows, (0, []))[1], head.path)
    cells = [array("d") for _ in names]
    for line, row in rows:
        for name, column, cell in zip(names, cells, row, strict=True):
            column.append(_number(cell, f"{shown(head.path)}: line {line}", name))
    if not cells or not cells[0]:
        raise NoScores(f"{shown(head.path)} has no row below its header; no scores are in it")
    return {normal(name): (name, np.array(column)) for name, column in zip(names, cells, strict=True)}


def _number(cell: str, where: str, name: str) -> float:
    try:
        value = float(cell) if cell.strip() else math.nan
    except ValueError:
        value = math.inf
    if math.isinf(value):
        raise ReadError(f"{where}: '{cell}' is not a finite number, in the column '{name}'")
    return value
