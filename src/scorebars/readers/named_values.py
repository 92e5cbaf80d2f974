"""Lists of named scores in a cell, ``[{"name": "accuracy", "value": 1}, …]``: each is a row of its own, by a query."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from scorebars.readers.scoreless import ScorelessError, in_sql

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorebars.readers.cells import Cells

_NAMES: Final = ("name", "metric", "key", "scorer", "evaluator", "id")
_VALUES: Final = ("value", "score", "result", "number")


def refuse_named_values(name: str, cells: Cells) -> None:
    """Raise a ScorelessError with the query that makes rows of the scores in a column of such lists."""
    texts = cells.engine.query(
        f"SELECT w0 AS cell FROM (SELECT w0 FROM ({cells.source.scan([name])}) WHERE trim(w0) LIKE '[%{{%') LIMIT 1"
    )["cell"].tolist()
    found = _members(texts[0]) if texts else None
    if found is None:
        return
    metric, value, first = found
    column = in_sql(name)
    query = (
        f"SELECT * EXCLUDE ({column}, named), named.{in_sql(metric)} AS metric, named.{in_sql(value)} AS score "
        f"FROM (SELECT *, unnest({column}) AS named FROM data)"
    )
    raise ScorelessError(
        f"'{name}' holds lists of named scores, such as '{first}' under '{metric}' with its '{value}': make each a row "
        "of its own, with --sql",
        {},
        options={"--sql": query},
    )


def _members(text: str) -> tuple[str, str, str] | None:
    """The members that are the name and the value of each object of a list, and the first name; None if none are."""
    try:
        objects: Any = json.loads(text)
    except ValueError:
        return None
    if not isinstance(objects, list) or not objects or not all(isinstance(each, dict) for each in objects):
        return None
    metric = _member(objects, _NAMES, (str,))
    value = _member(objects, _VALUES, (int, float))
    return (metric, value, objects[0][metric]) if metric and value else None


def _member(objects: Sequence[dict[str, Any]], names: Sequence[str], kinds: tuple[type, ...]) -> str:
    """The first of these members that all objects have, and that are of such a kind."""
    fits = (name for name in names if all(isinstance(each.get(name), kinds) for each in objects))
    return next(fits, "")
