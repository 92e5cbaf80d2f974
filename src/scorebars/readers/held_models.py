"""Scores two levels down in the records of JSON, one a model: 'answers' -> 'gpt-4o' -> 'score'."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from scorebars.engines.duckdb import literal
from scorebars.engines.headers import mapped
from scorebars.errors import typed
from scorebars.readers.columns import JOINED, is_score
from scorebars.readers.scoreless import ScorelessError, in_sql

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorebars.readers.cells import Cells
    from scorebars.readers.columns import Layout

SHOWN: Final = 3


def refuse_held_models(layout: Layout, cells: Cells) -> None:
    """Raise an error with what to type where the members of a column's objects are objects with one score each."""
    if "model" in layout.roles:
        return
    for name, members in cells.source.fields().items():
        score = _score_in(name, cells) if len(members) > 1 else ""
        if score:
            raise _named(name, members, score)


def _named(name: str, members: Sequence[str], score: str) -> ScorelessError:
    listed = ", ".join(f"'{member}'" for member in members[:SHOWN]) + ", …" * (len(members) > SHOWN)
    start = f"no column is known to hold the score, but '{name}' holds one '{score}' for each of {listed}: "
    if not any(sign in member for member in members for sign in ".,+*="):
        mapping = {"model": JOINED.join(f"{name}.{member}.{score}" for member in members)}
        return ScorelessError(f"{start}if these are the models, say so ({mapped(mapping)})", mapping)
    # A name with a dot in it is no path of fields.
    query = (
        f"SELECT * EXCLUDE (e), e.key AS model, e.value->>{literal(score)} AS score FROM (SELECT * EXCLUDE "
        f"({in_sql(name)}), unnest(map_entries(to_json({in_sql(name)})::MAP(VARCHAR, JSON))) AS e FROM data)"
    )
    sentence = f"{start}if these are the models, make each a row ({typed('--sql', query)})"
    return ScorelessError(sentence, {}, options={"--sql": query})


def _score_in(name: str, cells: Cells) -> str:
    """The score that each member of the first object has, '' where it is none, or another one in each."""
    rows = f"SELECT w0 FROM ({cells.source.scan([name])})"
    found = cells.engine.query(f"{rows} WHERE w0 LIKE '{{%' LIMIT 1")["w0"].tolist()
    members: dict[str, Any] = json.loads(found[0]) if found else {}
    inner = [value for value in members.values() if value is not None]
    if not inner or not all(isinstance(value, dict) for value in inner):
        return ""
    scores = {key for value in inner for key in value if is_score(key)}
    return scores.pop() if len(scores) == 1 and all(scores & value.keys() for value in inner) else ""
