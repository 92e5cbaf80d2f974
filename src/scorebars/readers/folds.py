"""Tables with one row a fold: the fold is the item, so that models are paired by its number and not by their rows.

A fold that failed for one model would otherwise move all that follow to another place.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from scorebars.engines.duckdb import literal
from scorebars.engines.headers import SPLITS, normal
from scorebars.readers.cells import trimmed_cells

if TYPE_CHECKING:
    from scorebars.engines.duckdb import Engine
    from scorebars.readers.columns import Layout
    from scorebars.readers.sources import Source

_APART: Final = ("model", "task", "run", "metric", "variant")


def with_folds(layout: Layout, source: Source, engine: Engine) -> Layout:
    """The layout with the fold as the item, where a table without items has one row of each model and run a fold.

    Args:
        layout: Which column plays which role.
        source: The cells of the file.
        engine: What counts them.
    """
    if layout.has_item or layout.spread or layout.lists:
        return layout
    names = [name for name in (*layout.ignored, *layout.no_models) if normal(name) in SPLITS]
    name = next((name for name in names if _is_one_a_row(name, layout, source, engine)), "")
    if not name:
        return layout
    ignored, no_models = (
        tuple(other for other in names if other != name) for names in (layout.ignored, layout.no_models)
    )
    said = (*layout.said, ("item", f"column '{name}', of which each model has one row"))
    roles = {**layout.roles, "item": (name,)}
    return replace(layout, roles=roles, said=said, ignored=ignored, no_models=no_models)


def _is_one_a_row(name: str, layout: Layout, source: Source, engine: Engine) -> bool:
    """Whether a column is filled, and another in every row of a model and run, some of which have several."""
    known = [column for role in _APART for column in layout.roles.get(role, ())]
    wanted = [name, *known, *(layout.only[:1] if layout.only else ())]
    cells = trimmed_cells(len(wanted))
    group, both = (", ".join(["''", *cells[start : 1 + len(known)]]) for start in (1, 0))
    kept = f" WHERE {cells[-1]} = {literal(layout.only[1])}" if layout.only else ""
    found = engine.query(
        f"SELECT count(*) AS n, coalesce(bool_and({cells[0]} <> ''), false) AS filled, "
        f"count(DISTINCT hash({group})) AS groups, count(DISTINCT hash({both})) AS rows "
        f"FROM ({source.scan(wanted)}){kept}"
    )
    n = int(found["n"][0])
    return bool(found["filled"][0]) and int(found["groups"][0]) < n == int(found["rows"][0])
