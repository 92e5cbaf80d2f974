"""Which rows of a score table were chosen: models, tasks, and one metric and variant."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from scorebars.engines.choosing import refuse_several
from scorebars.engines.clustering import without_empty_clusters
from scorebars.engines.coding import NoRowsError
from scorebars.engines.cutting import Rules
from scorebars.errors import ScoresError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorebars.contracts import Listing, Part
    from scorebars.engines.coding import Rows
    from scorebars.sample import Column, ScoreTable

CHOICES: Final = ("metric", "variant")
"""Roles of which a sample has one: several without a choice are refused."""


@dataclass(frozen=True, slots=True)
class View:
    """Everything about a table of scores but its rows."""

    rules: Rules = field(default_factory=Rules)
    models: tuple[str, ...] | None = None
    """Names as in the rows; None: all."""
    tasks: tuple[str, ...] | None = None
    chosen: tuple[tuple[str, str], ...] = ()
    """(metric or variant, which)."""
    names: tuple[tuple[str, str], ...] = ()
    """(model as in the rows, as shown)."""
    columns: tuple[tuple[str, str], ...] = ()
    parts: tuple[Part, ...] = ()
    listings: tuple[Listing, ...] = ()
    """Those of a frame; what readers found is in the parts."""
    is_read_in_python: bool = False
    """Whether they are from ``sb.read``, whose caller knows arguments and no options."""


def of_models(table: ScoreTable, models: Sequence[str]) -> ScoreTable:
    """The rows of these models; the table itself where there are no others."""
    wanted = np.isin(table.model.labels, models)
    return table if wanted.all() else table.take(wanted[table.model.codes])


def selected(rows: Rows, view: View, several: tuple[str, ...]) -> ScoreTable:
    """The selected rows, with one metric and one variant, but for the roles of which several are wanted.

    Raises:
        ScoresError: No row meets all choices, or there are several metrics or variants where one is wanted.
    """
    from scorebars.engines.joining import renamed_models

    table = _chosen(rows, view)
    if table is None:
        raise ScoresError(_nothing(rows, view))
    for role in CHOICES:
        if role not in several:
            refuse_several(role, table, view.parts, CHOICES)
    table = without_empty_clusters(table)
    return renamed_models(table, dict(view.names)) if view.names else table


def _chosen(rows: Rows, view: View) -> ScoreTable | None:
    """The rows of the models, tasks, metric and variant of a view; None where there are none."""
    try:
        table = rows.table(dict(view.chosen))
    except NoRowsError:
        return None
    for role, wanted in (("model", view.models), ("task", view.tasks)):
        column: Column = getattr(table, role)
        if wanted is not None and column.n_labels > 1:
            table = table.take(np.isin(column.labels, wanted)[column.codes])
    return table if table.n_rows else None


def _nothing(rows: Rows, view: View) -> str:
    """The sentence for choices that no row meets together, with what the last of them could be."""
    from scorebars.engines.joining import used_texts

    wanted = {"model": view.models, "task": view.tasks} | {role: (text,) for role, text in view.chosen}
    said = " and ".join(f"{role} {', '.join(map(repr, names))}" for role, names in wanted.items() if names is not None)
    for role in reversed([role for role, names in wanted.items() if names is not None]):
        others = replace(view, chosen=tuple(pair for pair in view.chosen if pair[0] != role))
        if role == "model":
            others = replace(others, models=None)
        elif role == "task":
            others = replace(others, tasks=None)
        table = _chosen(rows, others)
        found = [] if table is None else used_texts(getattr(table, role))
        if found:
            return f"no row has {said}; with the others, the {role} is {', '.join(map(repr, found[:12]))}"
    return f"no row has {said}" if said else "there are no rows; a score table needs at least one attempt"
