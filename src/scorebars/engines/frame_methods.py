"""A column of words that tells the rows of a task and run of a frame without items apart: asked about as in files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scorebars.engines.coding import combined
from scorebars.engines.frame_cells import Cells, is_few, keys_of
from scorebars.engines.row_numbers import are_texts
from scorebars.engines.telling import CROSSED, METHODS
from scorebars.engines.unknown_headers import may_be_method, may_be_samples, names_method, names_run
from scorebars.errors import ScoresError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scorebars.sample import Column, IntArray, ScoreTable


def refuse_methods(
    unknown: Sequence[str], mapping: Mapping[str, tuple[str, ...]], table: ScoreTable, cells: Cells
) -> None:
    """Raise a ScoresError where no column is the model or the item, and one of words is crossed with tasks and runs.

    Args:
        unknown: Columns without a role.
        mapping: Role -> columns.
        table: The rows under our names.
        cells: The columns.
    """
    runs = [] if "run" in mapping else [name for name in unknown if names_run(name) and is_few(name, cells)]
    runs = [name for name in runs if not _are_samples(name, cells)][:1]
    beside = [*mapping.get("task", ()), *mapping.get("run", ()), *runs]
    maybe = [name for name in unknown if may_be_method(name) and is_few(name, cells)]
    keys = keys_of(table, ("task", "run"))
    for run in runs:
        column = cells.of(run)
        keys = keys if column is None else combined(keys, column.codes, column.n_labels)
    for name in maybe if beside else ():
        column = cells.of(name)
        if column is None or not are_texts(list(map(str, column.labels))):
            continue
        times = _times(np.unique(keys, return_inverse=True)[1].astype(np.int64), column)
        apart = times == 1 and bool(runs or "run" in mapping) and (column.n_labels <= METHODS or names_method(name))
        if apart or (times > 1 and names_method(name)):
            raise _method(name, beside, runs, apart=apart)


def _are_samples(name: str, cells: Cells) -> bool:
    """Whether a column that is called like a run has so many values that they are those of a data set."""
    column = cells.of(name) if may_be_samples(name) else None
    return column is not None and column.n_labels > METHODS


def _times(keys: IntArray, column: Column) -> int:
    """In how many rows each pair of the two stands, if they are crossed and it is the same number; else 0."""
    n_keys = int(keys.max()) + 1
    _, times = np.unique(combined(keys, column.codes, column.n_labels), return_counts=True)
    crossed = n_keys > 1 < column.n_labels and len(times) >= CROSSED * n_keys * column.n_labels
    return int(times[0]) if crossed and times.max() == times.min() else 0


def _method(name: str, beside: Sequence[str], runs: Sequence[str], *, apart: bool) -> ScoresError:
    run = f", run={runs[0]!r}" if runs else ""
    listed = " and ".join(f"'{column}'" for column in beside)
    told = f"tells the rows of one {listed} apart" if apart else f"takes the same values in each {listed}"
    item = f", or the item (item={name!r})" if apart else ""
    return ScoresError(f"no column is the model, and '{name}' {told}: it is the model (model={name!r}{run}){item}")
