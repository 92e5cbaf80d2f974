"""Parts under the label that the user gave their files."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from scorebars.contracts import Part, with_models
from scorebars.engines.duckdb import literal

if TYPE_CHECKING:
    from scorebars.engines.duckdb import Engine


def labelled(label: str, parts: list[Part], engine: Engine) -> list[Part]:
    """The parts with the label as their model's name, or before it where the label holds several models."""
    models = {model for part in parts for model in _models(part, engine)}
    return [_renamed(part, label, alone=len(models) < 2) for part in parts]


def _models(part: Part, engine: Engine) -> list[str]:
    if isinstance(part.rows, str):
        return engine.distinct(part.rows, "model")
    return sorted({str(model) for model in part.rows.get("model", ())})


def _renamed(part: Part, label: str, *, alone: bool) -> Part:
    said = (*part.mapping, ("model", f"labelled '{label}'"))
    part = replace(part, notes=tuple(one for one in part.notes if one.code != "model-from-path"))
    part = with_models(part, {one.model: label if alone else f"{label}/{one.model}" for one in part.listings})
    if isinstance(part.rows, str):
        name = literal(label) if alone else f"{literal(label + '/')} || model"
        return replace(part, rows=f"SELECT * REPLACE ({name} AS model) FROM ({part.rows})", mapping=said)
    rows: dict[str, Any] = dict(part.rows)
    if "model" not in rows:  # a log without a single score: only its notes count
        return part
    names = np.empty(len(rows["model"]), dtype=object)
    names[:] = [label if alone else f"{label}/{model}" for model in rows["model"]]
    return replace(part, rows=rows | {"model": names}, mapping=said)
