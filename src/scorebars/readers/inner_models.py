"""Models that stand one level down in the records of JSON: taken for one model, they would be pooled."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from scorebars.engines.headers import ALIASES, mapped, normal
from scorebars.readers.columns import UnclearError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scorebars.engines.duckdb import Engine
    from scorebars.readers.columns import Layout
    from scorebars.readers.sources import Source

_ROWS: Final = 50
_SHOWN: Final = 3


def refuse_inner_models(layout: Layout, source: Source, engine: Engine) -> None:
    """Raise an UnclearError where no column holds the model and a member of one names several."""
    if "model" in layout.roles:
        return
    members = list(_members(source, engine))
    used = {name for names in layout.roles.values() for name in names}
    for name in (name for name in members if normal(name.rpartition(".")[2]) in ALIASES["model"]):
        models = _different(name, source, engine) if name not in used else []
        if len(models) > 1:
            item = next((one for one in members if normal(one.rpartition(".")[2]) in ALIASES["item"]), None)
            guess = {"model": name} | ({"item": item} if item and "item" not in layout.roles else {})
            shown = ", ".join(f"'{model}'" for model in models[:_SHOWN]) + (", …" if len(models) > _SHOWN else "")
            raise UnclearError(
                f"no column is the model, and '{name}' holds several ({shown}), which would be one: if it is the "
                f"model, {mapped({'model': name})}; if it is another, such as a judge, {mapped({'variant': name})}",
                guess,
            )


def _members(source: Source, engine: Engine) -> Iterator[str]:
    """'column.key' of the objects in the first rows."""
    names = [name for name in source.names if name]
    if not names:
        return
    rows = engine.query(f"SELECT * FROM ({source.scan(names)}) LIMIT {_ROWS}")
    for place, name in enumerate(names):
        keys = dict.fromkeys(key for cell in rows[f"w{place}"].tolist() for key in _keys(cell))
        yield from (f"{name}.{key}" for key in keys)


def _keys(cell: Any) -> Sequence[str]:
    if not isinstance(cell, str) or not cell.startswith("{"):
        return ()
    try:
        value = json.loads(cell)
    except (ValueError, RecursionError):
        return ()
    return list(value) if isinstance(value, dict) else ()


def _different(name: str, source: Source, engine: Engine) -> list[str]:
    """The texts of a member in all rows."""
    return engine.distinct(f"SELECT nullif(trim(w0), '') AS model FROM ({source.scan([name])})", "model")
