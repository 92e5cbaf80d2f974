"""A column of what is compared that some rows leave empty: those with nothing in it are an arm of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from scorebars.engines.duckdb import literal
from scorebars.engines.headers import mapped
from scorebars.engines.telling import METHODS
from scorebars.engines.unknown_headers import may_be_left_empty
from scorebars.readers.cells import trimmed_cells
from scorebars.readers.columns import JOINED, UnclearError
from scorebars.readers.told_apart import SHOWN, Told, listed_values

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorebars.engines.duckdb import Engine
    from scorebars.readers.columns import Layout
    from scorebars.readers.sources import Source

MOST_SHARED: Final = 0.5
"""Share of the items from which on rows with and without a value are arms, and no value was lost by chance."""
COLUMNS: Final = 5


def refuse_partly_filled(layout: Layout, source: Source, engine: Engine) -> None:
    """Raise an UnclearError where most items of a model have rows with a setting, or a system, and rows without one.

    Args:
        layout: Which column plays which role.
        source: The cells of the file.
        engine: What counts them.
    """
    items = layout.roles.get("item", ())
    inside = {name.partition(".")[0] for names in layout.roles.values() for name in names}
    unknown = [name for name in layout.ignored if name not in inside]
    names = list(filter(may_be_left_empty, unknown))[:COLUMNS]
    if not names or not items or layout.wide or "model" in layout.asked:
        return
    known = [name for role in ("model", "task", "item") for name in layout.roles.get(role, ())]
    for name in _partly_filled(names, source, engine):
        if _is_in_most(name, known, layout, source, engine):
            raise _error(name, layout, source, engine)


def _partly_filled(names: Sequence[str], source: Source, engine: Engine) -> list[str]:
    """The columns with one of a few values in some rows, and none in others."""
    cells = trimmed_cells(len(names))
    few = f"BETWEEN 2 AND {METHODS + 1}"
    filled = ", ".join(f"bool_or({cell} = '') AND count(DISTINCT {cell}) {few} AS b{n}" for n, cell in enumerate(cells))
    found = engine.query(f"SELECT {filled} FROM ({source.scan(names)})")
    return [name for n, name in enumerate(names) if found[f"b{n}"][0]]


def _is_in_most(name: str, known: Sequence[str], layout: Layout, source: Source, engine: Engine) -> bool:
    """Whether most items of a model have rows with a value and rows without one."""
    wanted = [name, *known, *(layout.only[:1] if layout.only else ())]
    cells = trimmed_cells(len(wanted))
    kept = f" WHERE {cells[-1]} = {literal(layout.only[1])}" if layout.only else ""
    both = f"bool_or({cells[0]} = '') AND bool_or({cells[0]} <> '')"
    of_items = ", ".join(cells[1 : 1 + len(known)])
    found = engine.query(
        f"SELECT avg(mixed::INT) AS share FROM (SELECT {both} AS mixed "
        f"FROM (SELECT * FROM ({source.scan(wanted)}){kept}) GROUP BY {of_items})"
    )
    return bool((found["share"][0] or 0.0) >= MOST_SHARED)


def _error(name: str, layout: Layout, source: Source, engine: Engine) -> UnclearError:
    (cell,) = trimmed_cells(1)
    found = engine.query(f"SELECT DISTINCT {cell} AS value FROM ({source.scan([name])}) WHERE {cell} <> '' ORDER BY 1")
    values = tuple(found["value"].tolist())
    held = f"'{name}' ({listed_values(Told(name, 'setting', values[:SHOWN], len(values), apart=False))}) or none"
    models = layout.roles.get("model", ())
    if not models:
        return UnclearError(
            f"no column is the model, and rows of one item have {held}, which would be pooled: if '{name}' is the "
            f"model, write a name where there is none; if all are of one, {mapped({'file': '{model}'})}",
            {},
        )
    known, guess = JOINED.join(models), {"model": JOINED.join((*models, name))}
    return UnclearError(
        f"rows of one '{known}' and item have {held}, which would be pooled: '{name}' is a part of the model "
        f"({mapped(guess)}); if '{known}' alone is the model, {mapped({'model': known})}",
        guess,
    )
