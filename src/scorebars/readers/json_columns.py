"""Parallel lists under plural keys ('ids', 'scores', 'labels'): each is a column, and none is a model's scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from scorebars.engines.headers import ALIASES, SECOND_ITEMS, normal
from scorebars.engines.unknown_headers import GOLD, PREDICTED
from scorebars.errors import typed as in_shell
from scorebars.readers.columns import is_score
from scorebars.readers.files import shown
from scorebars.readers.scoreless import in_sql
from scorebars.readers.sources import NoScores

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scorebars.contracts import FileHead
    from scorebars.readers.json_values import Record

_SCORES: Final = frozenset({"results", "outcomes", "verdicts", "passes"})
"""Plural keys of scores that are no plural of a header of one."""


def headers_of(lists: Mapping[str, list[Any]]) -> dict[str, str]:
    """Key -> header, of two or more lists of which a key is the plural of a header; none for others.

    Lists of unequal length are columns where two keys are such plurals: they are refused below.

    >>> headers_of({"ids": [1, 2], "scores": [0, 1], "latencies": [8, 9]})
    {'ids': 'id', 'scores': 'score', 'latencies': 'latency'}
    >>> headers_of({"gpt": [1, 0], "claude": [0, 1]})
    {}
    """
    lengths = {len(cells) for cells in lists.values()}
    plurals = sum(map(_is_plural, lists))
    if len(lists) < 2 or lengths == {0} or plurals < min(2, len(lengths)):
        return {}
    headers = {key: _singular(key) for key in lists}
    return headers if len(set(headers.values())) == len(headers) else {key: key for key in lists}


def column_records(lists: Mapping[str, list[Any]], headers: Mapping[str, str], head: FileHead) -> list[Record]:
    """The records whose columns are such lists.

    Raises:
        NoScores: They hold what was predicted and what is right, and no score, or are not of one length.
    """
    if len({len(cells) for cells in lists.values()}) > 1:
        listed = ", ".join(f"'{key}': {len(cells):,}" for key, cells in lists.items())
        raise NoScores(f"{shown(head.path)} has columns of unequal length ({listed})")
    names = {normal(header): key for key, header in headers.items()}
    gold, predicted = (next((names[name] for name in known if name in names), "") for known in (GOLD, PREDICTED))
    if gold and predicted and gold != predicted and not any(map(is_score, headers.values())):
        pairs = f"SELECT unnest({in_sql(predicted)}) AS said, unnest({in_sql(gold)}) AS gold FROM data"
        query = f"SELECT (said = gold)::INT AS score FROM ({pairs})"
        raise NoScores(
            f"{shown(head.path)} holds no score, but lists of right answers ('{gold}') and predictions "
            f"('{predicted}'): score them, where a prediction is right if it is the same ({in_shell('--sql', query)})"
        )
    return [dict(zip(headers.values(), row, strict=True)) for row in zip(*lists.values(), strict=True)]


def is_header(key: str) -> bool:
    """Whether a key is the header of a score or of a role."""
    return is_score(key) or any(normal(key) in (*names, *SECOND_ITEMS) for names in ALIASES.values())


def said_of(headers: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """What to say of lists that are columns."""
    return (("columns", "the lists " + ", ".join(f"'{key}'" for key in headers)),)


def _is_plural(key: str) -> bool:
    name = normal(key)
    return name in _SCORES or (name.endswith("s") and (_is_known(name[:-1]) or name in (*GOLD, *PREDICTED)))


def _singular(key: str) -> str:
    """A key without its plural, where it is then the name of a column; else as it is."""
    name = normal(key)
    if name in _SCORES:
        return "score"
    if name.endswith("ies"):
        return f"{name.removesuffix('ies')}y"
    return name[:-1] if name.endswith("s") and _is_known(name[:-1]) else key


def _is_known(header: str) -> bool:
    """Whether a header is that of a role or a score, or of answers and their right ones."""
    return is_header(header) or header in GOLD or header in PREDICTED
