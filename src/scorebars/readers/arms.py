"""Groups of a table that are arms of an experiment or groups of models, and were taken for clusters of items."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from scorebars.engines.arms import MOST_NAMED, Crossing, why_no_clusters
from scorebars.engines.headers import mapped
from scorebars.errors import typed
from scorebars.readers.columns import UnclearError
from scorebars.readers.told_apart import as_told, listed_values, told_of, ways

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorebars.engines.arms import Kind
    from scorebars.engines.duckdb import Engine
    from scorebars.readers.columns import Layout
    from scorebars.readers.filling import Filled
    from scorebars.readers.sources import Source

_IDENTITY: Final = ("task", "item")


def refuse_arms(
    layout: Layout, filled: Filled, source: Source, table: str, engine: Engine, *, no_clusters: bool
) -> None:
    """Raise an UnclearError where groups, whose header alone makes them clusters, are none of items.

    Args:
        layout: Which column plays which role.
        filled: What is known of the rows under our names.
        source: The cells of the file.
        table: The rows under our names.
        engine: Where the table is.
        no_clusters: Whether clusters are left out, so that arms would be repeats of one thing.
    """
    names = layout.roles.get("cluster", ())
    if len(names) != 1 or "cluster" not in filled.roles:
        return
    kind = _kind(names[0], filled.roles, table, engine)
    if kind == "models" and not no_clusters:
        raise _of_models(names[0], source, engine)
    if kind in {"crossed", "named"}:
        raise _arms(names[0], kind, layout, source, engine, no_clusters=no_clusters)


def _kind(name: str, roles: Sequence[str], table: str, engine: Engine) -> Kind:
    """Why the groups are no clusters of items, '' if they may be."""
    item = ", ".join(role for role in _IDENTITY if role in roles)
    found = engine.query(
        f"SELECT count(DISTINCT hash({item})) AS items, count(DISTINCT cluster) AS groups, "
        "count(DISTINCT model) AS models, "
        f"count(DISTINCT hash({item}, cluster)) AS in_groups, count(DISTINCT hash(model, cluster)) AS of_models "
        f"FROM {table} WHERE cluster IS NOT NULL"
    )
    counts = Crossing(**{name: int(column[0]) for name, column in found.items()})
    few = engine.query(f"SELECT DISTINCT cluster FROM {table} WHERE cluster IS NOT NULL LIMIT {MOST_NAMED + 1}")
    return why_no_clusters(name, counts, few["cluster"].tolist())


def _of_models(name: str, source: Source, engine: Engine) -> UnclearError:
    """The error on groups of models."""
    told = told_of(name, "setting", source, engine, apart=False)
    return UnclearError(
        f"each model has one '{name}' ({listed_values(told)}), and the same items stand in several, so that these are "
        f"groups of models and no clusters of items: leave them out ({typed('--cluster', 'none')}), or say that they "
        f"are clusters ({mapped({'cluster': name})})",
        {},
        options={"--cluster": "none"},
    )


def _arms(name: str, kind: Kind, layout: Layout, source: Source, engine: Engine, *, no_clusters: bool) -> UnclearError:
    """The error on groups that each item stands in, or whose names are those of arms."""
    told = told_of(name, "setting", source, engine, apart=False)
    found = ways(told, "", layout, {})
    _, guess, options = found[0]
    if kind == "crossed" and all(map(str.isdecimal, told.values)) and not no_clusters:
        guess, options = {"cluster": name}, {}
    why = (
        f"each item stands in each '{name}' ({listed_values(told)}), and an item belongs to one cluster"
        if kind == "crossed"
        else f"'{name}' has names of what is compared ({listed_values(told)})"
    )
    if no_clusters:
        items = layout.roles.get("item", ())
        rest = f"; if ids start again in each, {mapped({'item': '+'.join((name, *items))})}" if items else ""
    else:
        again = "if they are clusters in which ids start again" if kind == "crossed" else "if they are clusters"
        rest = f"; {again}, {mapped({'cluster': name})}"
    return UnclearError(f"{why}: '{name}' is {as_told(found)}{rest}", guess, options=options)
