"""Models that stand one level down in the records of JSON: taken for one model, they would be pooled."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final

from scorebars.engines.headers import ALIASES, mapped, normal
from scorebars.readers.columns import UnclearError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scorebars.contracts import FileHead
    from scorebars.engines.duckdb import Engine
    from scorebars.readers.columns import Layout
    from scorebars.readers.sources import Source

_ROWS: Final = 50
_SHOWN: Final = 3
_TRIED: Final = 10
_LONGEST: Final = 60
_NAMES: Final = ("name", "model_name", "model", "id", "model_id", "label", "slug")
"""Keys of the name in an object that is a model, the surest first."""
_ASKED: Final = frozenset({"messages", "contents", "custom_id", "inputs", "question_text"})
"""Keys of what a model was asked, or of the id of that; those with a word of an item are some too."""


def refuse_inner_models(layout: Layout, source: Source, head: FileHead, engine: Engine) -> None:
    """Raise an UnclearError where no column holds the model and a member of one names several, or it holds objects."""
    if "model" in layout.roles:
        named = layout.roles["model"]
        if "model" not in layout.asked and len(named) == 1 and _may_hold_objects(named[0], head):
            _refuse_objects(named[0], source, engine)
        return
    members = list(_members(source, engine))
    used = {name for names in layout.roles.values() for name in names}
    for name in (name for name in members if normal(name.rpartition(".")[2]) in ALIASES["model"]):
        models = _different(name, source, engine) if name not in used else []
        if len(models) > 1:
            item = "" if "item" in layout.roles else _item(name, [*layout.ignored, *members], source, engine)
            guess = {"model": name} | ({"item": item} if item else {})
            shown = ", ".join(f"'{model}'" for model in models[:_SHOWN]) + (", …" if len(models) > _SHOWN else "")
            raise UnclearError(
                f"no column is the model, and '{name}' holds several ({shown}), which would be one: if it is the "
                f"model, {mapped({'model': name})}; if it is another, such as a judge, {mapped({'variant': name})}",
                guess,
            )


def _may_hold_objects(column: str, head: FileHead) -> bool:
    """Whether an object stands under this key in the first bytes, or the key does not: a query takes longer."""
    key = rf'"{re.escape(column)}"\s*:\s*'.encode()
    return re.search(key, head.head) is None or re.search(key + rb'"?\{', head.head) is not None


def _refuse_objects(column: str, source: Source, engine: Engine) -> None:
    """Raise an UnclearError where models are objects: of their texts the order of keys would make two models of one."""
    rows = engine.query(f"SELECT * FROM ({source.scan([column])}) LIMIT {_ROWS}") if column in source.names else {}
    cells = [cell for cell in rows["w0"].tolist() if cell] if rows else []
    keys = list(dict.fromkeys(key for cell in cells for key in _keys(cell)))
    if not keys or not all(_keys(cell) for cell in cells):
        return
    keys.sort(key=lambda key: _NAMES.index(normal(key)) if normal(key) in _NAMES else len(_NAMES))
    name = f"{column}.{keys[0]}"
    several = f", or several of them ({mapped({'model': f'{name}+{column}.{keys[1]}'})})" if len(keys) > 1 else ""
    raise UnclearError(
        f"'{column}' holds objects, such as {_short(cells[0])}, and no names: say which of their values is the model "
        f"({mapped({'model': name})}){several}",
        {"model": name},
    )


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _item(model: str, names: Sequence[str], source: Source, engine: Engine) -> str:
    """What may be the item: an id, or else what was asked, whose texts stand beside several models; '' if none may be.

    Where models share no text of any, the first id it is: an id of the answer ('response.id') is another in each row,
    and would leave nothing to pair.
    """
    from scorebars.engines.unknown_headers import names_item

    last = {name: normal(name.rpartition(".")[2]) for name in names}
    ids = [name for name in names if last[name] in ALIASES["item"]]
    asked = [name for name in names if name not in ids and (last[name] in _ASKED or names_item(last[name]))]
    tried = list(dict.fromkeys([*ids, *asked]))[:_TRIED]
    if not tried:
        return ""
    cells = ", ".join(f"nullif(trim(w{place}), '') AS t{place}" for place in range(1, len(tried) + 1))
    counts = ", ".join(
        f"count(DISTINCT t{place}) AS n{place}, "
        f"count(DISTINCT hash(model, t{place})) FILTER (t{place} IS NOT NULL) AS pairs{place}"
        for place in range(1, len(tried) + 1)
    )
    rows = f"SELECT trim(w0) AS model, {cells} FROM ({source.scan([model, *tried])})"
    found = engine.query(f"SELECT {counts} FROM ({rows})")
    shared = (name for place, name in enumerate(tried, 1) if found[f"pairs{place}"][0] > found[f"n{place}"][0] > 1)
    return next(shared, ids[0] if ids else "")


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
