"""Rows without their clusters, where the user says that items are unrelated (``--cluster none``)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from scorebars.contracts import Part
    from scorebars.engines.duckdb import Engine

NO_CLUSTER: Final = "none"
"""In place of a column; one that is called so is named by the mapping, ``cluster=none``."""


def without_clusters(part: Part, engine: Engine) -> Part:
    """The same part, its items in no cluster."""
    has = "cluster" in (engine.columns(part.rows) if isinstance(part.rows, str) else part.rows)
    if not has:
        return part
    if isinstance(part.rows, str):
        rows = f"SELECT * EXCLUDE (cluster) FROM ({part.rows})"
        return replace(part, rows=rows, mapping=_said(part))
    kept = {role: cells for role, cells in part.rows.items() if role != "cluster"}
    return replace(part, rows=kept, mapping=_said(part))


def _said(part: Part) -> tuple[tuple[str, str], ...]:
    return (*(pair for pair in part.mapping if pair[0] != "cluster"), ("cluster", "none, as asked"))
