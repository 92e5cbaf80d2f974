"""An object of objects: its keys, and theirs, are models, items or columns."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from scorebars.engines.headers import names_role
from scorebars.engines.unknown_headers import names_configuration, names_item, names_run
from scorebars.readers.columns import is_score
from scorebars.readers.json_columns import is_header
from scorebars.readers.json_nested import leaves
from scorebars.readers.json_odd import may_be_record, patterns
from scorebars.readers.json_records import Shaped
from scorebars.readers.json_values import Number, Record, is_scalar

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


MANY: Final = 20
"""Numbered keys from which on they are items beside few others inside them, or of right and wrong."""
TIMES: Final = 5
"""How many times those inside them they are."""
FEWEST: Final = 5
"""Numbered keys of scores from which on they are items."""
_NUMBER: Final = re.compile(r"(.*?)[0-9]+", re.DOTALL)


def of_objects(value: Mapping[str, Record]) -> Shaped | None:
    """Column -> {row -> cell}, item -> record, model -> {item -> score or record}; None for what lies deeper."""
    if _is_by_row(value):
        return Shaped(_by_row(value))
    if any(_is_record(inner) for inner in value.values()):
        below = [leaf for inner in value.values() for leaf in leaves(inner) if leaf.path]
        # A data frame by rows has numbers of rows for keys, and the items inside.
        defaults = {} if all(map(_has_item, value.values())) else {"item": "key"}
        return None if below else Shaped([{"key": key} | inner for key, inner in value.items()], defaults)
    cells = list(_inner(value))
    both = {"model": "key", "item": "inner_key"}
    if cells and all(is_scalar(cell) for _, _, cell in cells):
        records = [{"key": key, "inner_key": inner, "score": cell} for key, inner, cell in cells]
    elif cells and _are_records(cells):
        records = [{"key": key, "inner_key": inner} | cell for key, inner, cell in cells]
    else:
        return None
    outer, within = list(value), list(dict.fromkeys(inner for _, inner, _ in cells))
    crossed = _crossed(outer, within)
    if crossed and len(outer) >= max(MANY, TIMES * len(within)) and _stem_is_item(outer):
        return Shaped(records, {"model": "inner_key", "item": "key"})
    return Shaped(records, both, crossed=crossed)


def of_scores(value: Record) -> Shaped | None:
    """Item -> score, where the keys are numbered as items are: 'q1', 'q2'; of another text, many of right and wrong.

    None for anything else: settings, metrics, what each of several runs scored.
    """
    keys, cells = list(value), list(value.values())
    if len(keys) < FEWEST or not _are_numbered(keys) or not all(map(_may_be_score, cells)):
        return None
    stem, binary = _stem(keys[0]), all(cell is None or isinstance(cell, bool) or cell in {"0", "1"} for cell in cells)
    other = names_run(stem) or names_configuration(stem)
    if not (names_item(stem) or (binary and len(keys) >= (FEWEST if not stem else MANY) and not other)):
        return None
    return Shaped([{"key": key, "score": cell} for key, cell in value.items()], {"item": "key"})


def _may_be_score(cell: Any) -> bool:
    return cell is None or isinstance(cell, bool | Number)


def _stem(key: str) -> str:
    """What stands before the number of a key."""
    match = _NUMBER.fullmatch(key)
    return match[1].rstrip(" _-./#:") if match else key


def _stem_is_item(keys: Sequence[str]) -> bool:
    """Whether the text before the numbers is a word of an item, or there is none."""
    stem = _stem(keys[0])
    return not stem or names_item(stem)


def _is_record(value: Record) -> bool:
    return any(is_score(name) and not isinstance(inner, dict) for name, inner in value.items())


def _has_item(record: Record) -> bool:
    return any(names_role("item", name) and is_scalar(cell) and cell is not None for name, cell in record.items())


def _are_records(cells: Sequence[tuple[str, str, Any]]) -> bool:
    """Whether all are objects with a score, or without one as a record that failed."""
    if not all(isinstance(cell, dict) for _, _, cell in cells):
        return False
    scored = [(inner, cell) for _, inner, cell in cells if _is_record(cell)]
    last, names = patterns({inner for inner, _ in scored}), {name for _, cell in scored for name in cell}
    return bool(scored) and all(
        _is_record(cell) or (bool(last) and may_be_record(inner, cell, last, names)) for _, inner, cell in cells
    )


def _inner(value: Mapping[str, Record]) -> Iterator[tuple[str, str, Any]]:
    return ((key, inner, cell) for key, members in value.items() for inner, cell in members.items())


def _crossed(outer: Sequence[str], inner: Sequence[str]) -> str:
    """Why the outer keys may be items and the inner ones models: they are more, and numbered as items are."""
    if not may_be_crossed(outer, inner) or not _are_numbered(outer) or _are_numbered(inner):
        return ""
    shown_outer, shown_inner = (", ".join(f"'{key}'" for key in keys[:3]) for keys in (outer, inner))
    return (
        f"its {len(outer):,} keys ({shown_outer}, …) are numbered as items are, and those inside ({shown_inner}"
        f"{', …' * (len(inner) > 3)}) are not"
    )


def may_be_crossed(outer: Sequence[str], inner: Sequence[str]) -> bool:
    """Whether keys that are taken for models are more than those inside, and these are not numbered as items are."""
    return len(outer) > len(inner) and (_are_numbered(outer) or not _are_numbered(inner))


def _are_numbered(keys: Sequence[str]) -> bool:
    """Whether all keys are one text and a number: 'q1', 'q2'."""
    found = [_NUMBER.fullmatch(key) for key in keys]
    return all(found) and len({match[1] for match in found if match}) == 1


def _is_by_row(value: Mapping[str, Record]) -> bool:
    """Whether the keys are columns, and those of each the same running numbers of rows.

    A model has scores alone, and the name of none of the roles: numbers beside text, or such a name, are columns.
    """
    first = next(iter(value.values()))
    if not first or any(inner.keys() != first.keys() for inner in value.values()):
        return False
    if not all(key.isdecimal() for key in first):
        return False
    kinds = {isinstance(cell, str | list) for inner in value.values() for cell in inner.values() if cell is not None}
    return len(kinds) > 1 or any(map(is_header, value))


def _by_row(value: Mapping[str, Record]) -> list[Record]:
    return [{key: inner[row] for key, inner in value.items()} for row in next(iter(value.values()))]
