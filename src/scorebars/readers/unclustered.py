"""Rows that are in no cluster: because the user says so (``--cluster none``), or because no field was named for it."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from scorebars.errors import typed
from scorebars.notes import note

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scorebars.contracts import Part
    from scorebars.engines.duckdb import Engine
    from scorebars.notes import Note
    from scorebars.readers.document import Node

NO_CLUSTER: Final = "none"
"""In place of a column; one that is called so is named by the mapping, ``cluster=none``."""


def without_clusters(part: Part, engine: Engine) -> Part:
    """The same part, its items in no cluster."""
    part = replace(part, notes=tuple(one for one in part.notes if one.code != "clusters-available"))
    has = "cluster" in (engine.columns(part.rows) if isinstance(part.rows, str) else part.rows)
    if not has:
        return part
    if isinstance(part.rows, str):
        rows = f"SELECT * EXCLUDE (cluster) FROM ({part.rows})"
        return replace(part, rows=rows, mapping=_said(part))
    kept = {role: cells for role, cells in part.rows.items() if role != "cluster"}
    return replace(part, rows=kept, mapping=_said(part))


def available(units: str, keys: Sequence[str], found: Sequence[Node]) -> Iterator[Note]:
    """A note on a field that groups the records of a file and that could be their cluster.

    Args:
        units: What a record is, in the plural.
        keys: The fields that could be it; the first that every record has.
        found: All records.
    """
    for key in keys:
        values = {json.dumps(one.value.get(key)) for one in found}
        if "null" not in values and 1 < len(values) < len(found):
            yield note("clusters-available", units=units, k=len(values), field=key, remedy=typed("--cluster", key))
            return


def _said(part: Part) -> tuple[tuple[str, str], ...]:
    return (*(pair for pair in part.mapping if pair[0] != "cluster"), ("cluster", "none, as asked"))
