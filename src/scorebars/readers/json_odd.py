"""What is no record among records: it is refused with its place, or a note says that it was left out.

A record that failed may have no score: below keys, where records are told by their scores, it is one all the same if it
is empty, says an error, or has the keys or the place of the others.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, TypeVar

from scorebars.engines.headers import ALIASES, may_be_model, normal
from scorebars.errors import ReadError
from scorebars.notes import note
from scorebars.readers.files import shown
from scorebars.readers.json_holders import SETTINGS, names_attempts, names_holders, odd_entry
from scorebars.readers.json_values import (
    Number,
    Record,
    a_kind,
    holds_inner_score,
    holds_score,
    is_scalar,
    kind,
    objects_of,
    odd_place,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from scorebars.contracts import FileHead
    from scorebars.notes import Note

    Path = tuple[str, ...]

_Key = TypeVar("_Key", str, int)

SUMS: Final = frozenset(
    {"aggregate", "aggregates", "summary", "overall", "average", "averages", "avg", "mean", "total", "totals"}
    | {"macro", "micro", "stats", "statistics"}
)
"""Keys of what sums up other records."""
_FAILED: Final = frozenset({"err", "error", "errors", "exception", "traceback", "failure", "failed", "timeout"})
"""Words of keys that say why a record has no score."""
_SHOWN: Final = 3
_LEAST: Final = 5
"""Numbers from which on something else among them is odd."""
_DIGITS: Final = re.compile("[0-9]+")


def refuse_odd_entries(value: Mapping[str, Any], head: FileHead, path: Path = ()) -> None:
    """Raise a ReadError for a list of records with scores, below keys, one of whose entries is no object."""
    for key, inner in value.items():
        where = (*path, key)
        if isinstance(inner, dict):
            refuse_odd_entries(inner, head, where)
        elif (objects := objects_of(inner)) and (place := odd_place(inner)) and _may_hold_scores(objects):
            raise ReadError(odd_entry(inner, place, f"'{'.'.join(where)}'", head))


def _may_hold_scores(objects: Sequence[Record]) -> bool:
    """Whether a score stands in records, one level down in them, or in lists of records that they hold."""
    if holds_score(objects) or holds_inner_score(objects):
        return True
    holders = names_holders(objects[0]) or names_attempts(objects[0])
    return holders and any(holds_score(objects_of(inner)) for one in objects for inner in one.values())


def with_scoreless(value: Record, scored: Mapping[Path, Record]) -> dict[Path, Record]:
    """Records that have scores, and those beside them that have none, in the order of the file."""
    first = next(iter(scored))
    depth = len(first)
    others = [(path, inner) for path, inner in _at(value, depth) if path not in scored]
    if not others:
        return dict(scored)
    parents = {path[:-1] for path in scored}
    fixed = {level: first[level] for level in range(depth - 1) if len({path[level] for path in scored}) == 1}
    names = {name for record in scored.values() for name in record}
    last = {_pattern(path[-1]) for path in scored}
    made = set(scored)
    below: dict[Path, dict[Path, Record]] = {}
    for path, inner in others:
        if not isinstance(inner, dict) or any(normal(key) in SUMS | SETTINGS for key in path):
            continue
        if path[:-1] not in parents:
            below.setdefault(path[:-1], {})[path] = inner
        elif may_be_record(path[-1], inner, last, names):
            made.add(path)
    for parent, records in below.items():
        other = any(parent[level] != key for level, key in fixed.items())
        if all(says_error(one) or (not other and _is_alike(one, names)) for one in records.values()):
            made |= records.keys()
    return {path: inner for path, inner in _at(value, depth) if path in made}


def may_be_record(key: str, record: Record, last: Collection[str], names: Collection[str]) -> bool:
    """Whether an object without a score beside records is one too.

    Args:
        key: Its key.
        record: The object.
        last: Patterns of the keys of the others.
        names: Their members.
    """
    return not record or says_error(record) or _pattern(key) in last or _is_alike(record, names)


def says_error(record: Record) -> bool:
    """Whether a key says that there was an error."""
    names = {normal(name) for name in record}
    return bool(names & set(ALIASES["status"])) or any(_FAILED & set(name.split("_")) for name in names)


def patterns(keys: Collection[str]) -> set[str]:
    """The keys with their numbers made alike."""
    return {_pattern(key) for key in keys}


def left_beside(value: Record, paths: Sequence[Path], varying: Sequence[int], head: FileHead) -> tuple[Note, ...]:
    """The note on members beside records, or lists of them, that are none and hold none.

    Args:
        value: The whole.
        paths: The keys that lead to each record or list.
        varying: The levels whose keys differ: models, items.
        head: The file.

    Raises:
        ReadError: One stands where a record is due: its key is numbered as the others are, or known beside others.
    """
    odd: list[str] = []
    for level in varying:
        others = _beside(value, paths, level)
        keys = {path[level] for path in paths} if others else set()
        due = keys | {_pattern(key) for key in keys if _DIGITS.search(key)}
        for path, inner in others.items():
            if {path[-1], _pattern(path[-1])} & due:
                kinds = "is a record" if level + 1 == len(paths[0]) else "holds records"
                raise ReadError(_in_place(".".join(path), inner, kinds, head))
            if _may_be_meant(path[-1]):
                odd.append(f"'{'.'.join(path)}' ({a_kind(inner)})")
    return _left(odd, head)


def _beside(value: Record, paths: Sequence[Path], level: int) -> dict[Path, Any]:
    """The members at a level that lead to none of the paths; no sums."""
    known = {path[: level + 1] for path in paths}
    return {
        (*parent, key): inner
        for parent in dict.fromkeys(path[:-1] for path in known)
        for key, inner in _member(value, parent).items()
        if (*parent, key) not in known and normal(key) not in SUMS
    }


def refuse_list_in_place(value: Record, path: Path, head: FileHead) -> None:
    """Raise a ReadError for the only list of records where a record is due: as many keys lead to others with its key.

    Args:
        value: The whole.
        path: The keys that lead to the list.
        head: The file.
    """
    key = _pattern(path[-1])
    beside = [inner for other, inner in _at(value, len(path)) if other != path and _pattern(other[-1]) == key]
    if any(isinstance(inner, dict) and holds_score([inner]) for inner in beside):
        raise ReadError(_in_place(".".join(path), [], "is a record", head))
    if len(beside) >= _LEAST and all(isinstance(inner, Number | bool) or inner is None for inner in beside):
        raise ReadError(_in_place(".".join(path), [], "is a score", head))


def _in_place(where: str, inner: Any, others: str, head: FileHead) -> str:
    what = f"'{where}' is {a_kind(inner)}, and what stands beside it {others}"
    return f"{shown(head.path)}: {what}; leave the key out, or give its scores"


def only_odd_member(value: Record, path: Path = ()) -> str:
    """'m2' is text, and the others beside it lists: the only member of another kind than the others; '' without one.

    It is a plain one among objects or lists, or no number among those of keys that are numbered alike, or of a list.
    """
    members = {key: inner for key, inner in value.items() if _may_be_meant(key)}
    odd, usual = _only_odd(members)
    numbered = len(members) >= _LEAST and len(patterns(members)) == 1
    if odd is not None and (is_scalar(members[odd]) if usual in {"object", "list"} else numbered):
        return f"'{'.'.join((*path, odd))}' is {a_kind(members[odd])}, and the others beside it are {usual}s"
    for key, inner in value.items():
        where = (*path, key)
        if isinstance(inner, dict) and (found := only_odd_member(inner, where)):
            return found
        if isinstance(inner, list) and len(inner) >= _LEAST:
            place, usual = _only_odd(dict(enumerate(inner)))
            if place is not None and usual in {"number", "truth value"}:
                return (
                    f"record {place + 1} of '{'.'.join(where)}' is {a_kind(inner[place])}, and the others are {usual}s"
                )
    return ""


def _only_odd(members: Mapping[_Key, Any]) -> tuple[_Key | None, str]:
    """The key of the only member of another kind than all others, of three or more; and their kind."""
    kinds = {key: kind(inner) for key, inner in members.items()}
    usual = max(kinds.values(), key=list(kinds.values()).count, default="")
    odd = [key for key in kinds if kinds[key] != usual]
    alike = len(kinds) > 2 and usual in {"object", "list", "number", "truth value"}
    return (odd[0] if len(odd) == 1 and alike else None), usual


def left_beside_lists(value: Record, lists: Collection[str], head: FileHead) -> tuple[Note, ...]:
    """The same beside lists of records whose keys are models or tasks; plain members say what holds for all of them."""
    odd = [
        f"'{key}' ({a_kind(inner)})"
        for key, inner in value.items()
        if key not in lists and _may_be_meant(key) and (not _is_plain(inner) or _DIGITS.search(key) is not None)
    ]
    return _left(odd, head)


def _left(odd: Sequence[str], head: FileHead) -> tuple[Note, ...]:
    if not odd:
        return ()
    rows = ", ".join(odd[:_SHOWN]) + (f" and {len(odd) - _SHOWN:,} more" if len(odd) > _SHOWN else "")
    return (note("left-out", path=shown(head.path), rows=rows, why="what stands beside holds records, and this none"),)


def _may_be_meant(key: str) -> bool:
    """Whether a member may be what failed of a model or an item, and not what is said of all."""
    roles = {name for names in ALIASES.values() for name in names}
    return normal(key) not in roles | SETTINGS and may_be_model(key)


def _is_plain(inner: Any) -> bool:
    """Whether a value may say something of all: a number, a truth value, text that is no error's."""
    if isinstance(inner, Number | bool):
        return True
    return isinstance(inner, str) and not set(re.findall("[a-z]+", inner.lower())) & _FAILED


def _is_alike(record: Record, names: Collection[str]) -> bool:
    """Whether half of the keys are those of records."""
    return bool(record) and 2 * len(set(record) & set(names)) >= len(record)


def _pattern(key: str) -> str:
    return _DIGITS.sub("0", key)


def _at(value: Any, depth: int, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """What stands so many keys down, through objects alone."""
    if not depth:
        yield path, value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _at(inner, depth - 1, (*path, key))


def _member(value: Record, path: Path) -> Record:
    for key in path:
        value = value[key]
    return value
