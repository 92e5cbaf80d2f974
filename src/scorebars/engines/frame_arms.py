"""Groups in a frame that are arms of an experiment, and were taken for clusters by their header: asked as of files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorebars.engines.arms import may_be_arms, of_columns
from scorebars.engines.frame_cells import shown_values, ways_of
from scorebars.errors import ScoresError, either

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scorebars.sample import Column, ScoreTable


def refuse_arms(mapping: Mapping[str, tuple[str, ...]], table: ScoreTable) -> None:
    """Raise a ScoresError where groups, whose header alone makes them clusters, are none of items.

    Args:
        mapping: Role -> columns.
        table: The rows under our names.
    """
    names, group = mapping.get("cluster", ()), table.cluster
    if group is None or "item" not in mapping or not any(map(may_be_arms, names)):
        return
    coded = {"task": table.task, "item": table.item, "cluster": group, "model": table.model}
    kind = of_columns(names[0], coded)
    if kind == "models":
        raise ScoresError(
            f"each model has one {names[0]!r} ({shown_values(group)}), and the same items stand in several, so that "
            "these are groups of models and no clusters of items: leave the column out of the frame, or say that they "
            f"are clusters (cluster={names[0]!r})"
        )
    if kind:
        raise ScoresError(_sentence(names[0], kind, group, mapping))


def _sentence(name: str, kind: str, group: Column, mapping: Mapping[str, tuple[str, ...]]) -> str:
    """What arms may be, and what to write."""
    ways = ways_of(name, "setting", group, mapping, {}, apart=False)
    why = (
        f"each item stands in each '{name}' ({shown_values(group)}), and an item belongs to one cluster"
        if kind == "crossed"
        else f"'{name}' has names of what is compared ({shown_values(group)})"
    )
    again = "if they are clusters in which ids start again" if kind == "crossed" else "if they are clusters"
    return f"{why}: '{name}' is {either(ways)}; {again}, cluster={name!r}"
