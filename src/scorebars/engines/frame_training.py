"""Frames whose rows are points of a training, learning curves without items or epochs in strides: asked as of files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scorebars.engines.frame_cells import Cells, keys_of, shown_values, ways_of
from scorebars.engines.training import FEWEST, are_points, in_strides, names_epoch, names_step, names_stride
from scorebars.errors import ScoresError, either

if TYPE_CHECKING:
    from collections.abc import Container, Mapping, Sequence

    from scorebars.sample import Column, FloatArray, IntArray, ScoreTable


def refuse_training(
    unknown: Sequence[str],
    mapping: Mapping[str, tuple[str, ...]],
    table: ScoreTable,
    cells: Cells,
    *,
    named: Container[str],
) -> None:
    """Raise a ScoresError where rows are points of a training.

    Args:
        unknown: Columns without a role.
        mapping: Role -> columns.
        table: The rows under our names.
        cells: The columns.
        named: Roles that the user named.
    """
    runs = () if "run" in named else mapping.get("run", ())
    epoch = next(filter(names_epoch, runs), "")
    if "item" in mapping:
        if epoch and table.run is not None and in_strides(table.run.labels.tolist()):
            raise _strides(epoch, table.run, mapping)
        return
    step = epoch or next(filter(names_step, unknown), "") or _stride(unknown, cells)
    column = table.run if epoch else cells.of(step) if step else None
    if column is None or not table.n_rows:
        return
    curves = np.unique(keys_of(table, ("model", "task", *(() if epoch else ("run",)))), return_inverse=True)[1]
    graded = int(np.count_nonzero((table.score != 0.0) & (table.score != 1.0) & ~np.isnan(table.score)))
    points = np.bincount(curves)
    if are_points(len(points), int(np.count_nonzero(points >= FEWEST)), rising=_rise(column, curves), graded=graded):
        raise _curves(step, mapping, is_epoch=names_epoch(step), has_run="run" in mapping and not epoch)


def _stride(unknown: Sequence[str], cells: Cells) -> str:
    """The column that says how far a training had come by its numbers, which go up in strides; '' if none does."""
    found = ((name, cells.of(name)) for name in unknown if names_stride(name))
    return next((name for name, column in found if column is not None and in_strides(column.labels.tolist())), "")


def _rise(column: Column, curves: IntArray) -> bool:
    """Whether the steps of each curve only go up from row to row."""
    try:
        numbers: FloatArray = np.array([float(text) for text in column.labels.tolist()])
    except ValueError:
        return False
    order = np.argsort(curves, kind="stable")
    steps, curve = numbers[column.codes][order], curves[order]
    return bool(np.all((np.diff(steps) > 0) | (np.diff(curve) > 0)))


def _curves(step: str, mapping: Mapping[str, tuple[str, ...]], *, is_epoch: bool, has_run: bool) -> ScoresError:
    after_all = f"if each '{step}' is an item after all, item={step!r}"
    after_all += f"; if each is a repeat of one evaluation, run={step!r}" if is_epoch and not has_run else ""
    groups = [name for role in ("model", "task", "run") for name in mapping.get(role, ()) if name != step]
    each = f" of each {'+'.join(groups)!r}" if groups else ""
    do = (
        "keep the rows of one point of each"
        if has_run
        else "one row an attempt, or the curves of several runs, is needed"
    )
    return ScoresError(
        f"there is one row for each '{step}'{each} and no item, as learning curves have, whose points are no attempts: "
        f"{do} ({after_all})"
    )


def _strides(name: str, column: Column, mapping: Mapping[str, tuple[str, ...]]) -> ScoresError:
    roles = {role: names for role, names in mapping.items() if names != (name,)}
    ways = ways_of(name, "setting", column, roles, {}, apart=True)
    return ScoresError(
        f"'{name}' ({shown_values(column)}) goes up in strides, as epochs of a training do and repeats do not: it is "
        f"{either(ways)}"
    )
