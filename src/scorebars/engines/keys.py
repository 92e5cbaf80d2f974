"""Columns whose headers call them no ids: their values may say that they are keys all the same.

An ``image``, a ``topic`` or a ``year`` that is another in every row of a model, and the same in two models in another
order, says which rows belong together, whatever it is called. Texts do not agree so by chance; numbers of a small range
and times may, so that of these all have to be the same, and most in another place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from scorebars.engines.headers import is_unnamed
from scorebars.engines.unknown_headers import MEASURED, OUTPUTS, TIMES, names_run, words_of

if TYPE_CHECKING:
    from collections.abc import Sequence

_IDS: Final = frozenset(
    {"id", "ids", "idx", "index", "no", "nr", "num", "number", "key", "name", "path", "file", "uid", "uuid", "guid"}
)
"""Words of headers of ids, beside one of what they are of: 'image_no'."""
_HASHES: Final = frozenset({"hash", "uuid", "guid", "checksum", "sha"})
_RANKS: Final = frozenset({"rank", "ranking", "ranked", "percentile", "quantile"})
"""Words of numbers that are the same in all models, each in an order of its own."""


def may_be_key(header: str) -> bool:
    """Whether a column that may be no item by its header may be a key by its values.

    What a model said, the numbers of attempts and ranks are none; an id of what it said may be.

    >>> may_be_key("image_path"), may_be_key("year"), may_be_key("answer_id"), may_be_key("answer"), may_be_key("rank")
    (True, True, True, False, False)
    """
    words = words_of(header)
    return not (is_unnamed(header) or names_run(header) or words & _RANKS or (words & OUTPUTS and not words & _IDS))


def keys_among(names: Sequence[str], likely: Sequence[str], most: int) -> list[str]:
    """Such columns, besides those that are likely the item by their headers; ids first."""
    found = [name for name in names if name not in likely and may_be_key(name)]
    return sorted(found, key=lambda name: not words_of(name) & _IDS)[:most]


def must_be_same(header: str, *, numbers: bool) -> bool:
    """Whether only exactly the same values on both sides say that a column is a key.

    >>> must_be_same("image_no", numbers=True), must_be_same("year", numbers=True), must_be_same("topic", numbers=False)
    (False, True, False)
    >>> must_be_same("started_at", numbers=False), must_be_same("prompt_hash", numbers=False)
    (True, False)
    """
    words = words_of(header)
    if numbers and not words & _IDS:
        return True
    return bool(words & (TIMES | MEASURED) - _HASHES)
