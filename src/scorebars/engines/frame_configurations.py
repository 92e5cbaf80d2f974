"""Several models or configurations in a frame that would be pooled as one: asked about as in files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from scorebars.engines.arms import are_arms
from scorebars.engines.frame_cells import Cells, keys_of, n_different, shown_values, ways_of
from scorebars.engines.frame_claims import standing_of
from scorebars.engines.own_checkpoints import are_of_runs, names_checkpoint
from scorebars.engines.row_numbers import are_texts
from scorebars.engines.telling import METHODS
from scorebars.engines.unknown_headers import (
    are_configurations,
    may_be_left_empty,
    names_arm,
    names_configuration,
    names_method,
    names_setting,
)
from scorebars.errors import ScoresError, either

MOST_SHARED: Final = 0.5
"""Share of the items from which on rows with and without a value are arms, and no value was lost by chance."""
NAMED_RUNS: Final = 20
"""Runs that may be what is compared."""

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scorebars.sample import Column, ScoreTable


def refuse_configurations(
    unknown: Sequence[str], mapping: Mapping[str, tuple[str, ...]], table: ScoreTable, cells: Cells, *, run_named: bool
) -> None:
    """Raise a ScoresError where a model would be of several values of a column that names what is compared.

    Args:
        unknown: Columns without a role.
        mapping: Role -> columns.
        table: The rows under our names.
        cells: The columns.
        run_named: Whether the user named the run, so that settings of runs are known to be of one model.
    """
    for name in (name for name in unknown if names_configuration(name) or names_arm(name)):
        column = _several(name, table, cells)
        if column is not None and (names_configuration(name) or are_arms(column.labels.tolist())):
            if names_checkpoint(name) and _is_of_runs(column, table):
                continue
            stands = standing_of(name, mapping, cells.frame) if names_configuration(name) else None
            if stands is not None and stands.is_of_items:
                continue
            known = "+".join(mapping.get("model", ()))
            beside = f"rows of one '{known}' have" if known else "no column is the model, and rows have"
            one = f"if '{known}' alone is the model, model={known!r}" if known else "if all are of one, constants="
            one += "" if known else "{'model': 'NAME'}"
            if stands is not None and stands.in_one_each:
                one = f"each item stands in one alone: if '{name}' is a category of items, model={known!r}"
            raise ScoresError(
                f"{beside} several '{name}' ({shown_values(column)}), which would be pooled: '{name}' is "
                f"{_ways(name, column, mapping)}; {one}"
            )
    _refuse_partly_filled(unknown, mapping, table, cells)
    if table.run is None or "run" not in mapping or run_named:
        return
    if "model" not in mapping and table.run.n_labels <= NAMED_RUNS and are_configurations(table.run.labels.tolist()):
        runs = "+".join(mapping["run"])
        raise ScoresError(
            f"no column is the model, and '{runs}' holds names of what is compared ({shown_values(table.run)}), which "
            f"would be pooled: it is the model (model={runs!r}); if all are runs of one, run={runs!r}"
        )
    for name in filter(names_setting, unknown):
        column = _several(name, table, cells)
        if column is not None and _holds_runs(column, table):
            runs = "+".join(mapping["run"])
            raise ScoresError(
                f"each '{name}' ({shown_values(column)}) has '{runs}'s of its own, which would be pooled: '{name}' is "
                f"{_ways(name, column, mapping)}; if all are runs of one model, run={runs!r}"
            )


def _one(names: Sequence[str]) -> str | tuple[str, ...]:
    return names[0] if len(names) == 1 else tuple(names)


def _refuse_partly_filled(
    unknown: Sequence[str], mapping: Mapping[str, tuple[str, ...]], table: ScoreTable, cells: Cells
) -> None:
    """Raise a ScoresError where most items of a model have rows with a setting, or a system, and rows without one."""
    for name in filter(may_be_left_empty, unknown):
        blank = cells.blank(name, METHODS) if "item" in mapping else None
        if blank is None or len(blank) != table.n_rows or blank.all() or not blank.any():
            continue
        items = np.unique(keys_of(table, ("model", "task", "item")), return_inverse=True)[1]
        n, empty = np.bincount(items), np.bincount(items[blank], minlength=int(items.max()) + 1)
        if np.mean((empty > 0) & (empty < n)) >= MOST_SHARED:
            known = mapping.get("model", ())
            join = f"a part of the model (then model={(*known, name)!r})" if known else f"the model (model={name!r})"
            other = f"model={_one(known)!r}" if known else "leave the column out of the frame"
            raise ScoresError(
                f"rows of one item have '{name}' or none, which would be pooled: fill the empty cells, if '{name}' is "
                f"{join}; if it is none, {other}"
            )


def refuse_pooled_methods(unknown: Sequence[str], table: ScoreTable, cells: Cells) -> None:
    """Raise a ScoresError where no column is the model, and rows have several words of what is tried out."""
    for name in (name for name in unknown if names_method(name) and not names_arm(name)):
        column = _several(name, table, cells)
        if column is not None and are_texts(list(map(str, column.labels))):
            raise ScoresError(
                f"no column is the model, and rows have several '{name}' ({shown_values(column)}), which would be "
                f"pooled: '{name}' is {_ways(name, column, {})}; if all are of one, constants={{'model': 'NAME'}}"
            )


def _ways(name: str, column: Column, mapping: Mapping[str, tuple[str, ...]]) -> str:
    return either(ways_of(name, "setting", column, mapping, {}, apart=False))


def _several(name: str, table: ScoreTable, cells: Cells) -> Column | None:
    """A column of few values, of which some model has several; None for any other."""
    column = cells.of(name)
    if column is None or not 1 < column.n_labels <= table.n_rows // 2:
        return None
    models = keys_of(table, ("model",))
    return column if n_different(models, column) > n_different(models) else None


def _is_of_runs(column: Column, table: ScoreTable) -> bool:
    """Whether a column holds the checkpoint of each run, by the number of that."""
    if table.run is None:
        return False
    codes = np.unique(np.stack([table.model.codes, table.run.codes, column.codes]), axis=1)
    texts = [
        [str(one.labels[code]) for code in own]
        for one, own in zip((table.model, table.run, column), codes.tolist(), strict=True)
    ]
    return are_of_runs(*texts)


def _holds_runs(column: Column, table: ScoreTable) -> bool:
    """Whether each run has one value, and each value several runs."""
    models, runs = keys_of(table, ("model",)), keys_of(table, ("model", "run"))
    n_runs = n_different(runs)
    return n_different(runs, column) == n_runs and 2 * n_different(models, column) <= n_runs
