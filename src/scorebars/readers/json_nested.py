"""Records under keys, several levels down: model -> 'per_document' -> name -> 'per_field' -> name -> {correct, f1}.

A level whose key never varies ('per_document') only names the next one. The levels that vary become columns: named by
such a key before them, or by a member of their object that repeats the key ('model': 'gpt-4'), else 'key', 'inner_key',
'third_key'. Two levels are model and item; three are model, cluster or task, and item only where their names say so.
Sums beside the records ('aggregates') are left out, and said; records at two depths are not guessed at.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from scorebars.engines.headers import ALIASES, names_role, normal
from scorebars.readers.columns import is_score
from scorebars.readers.files import shown
from scorebars.readers.json_beside import role_of_keys, with_names_above
from scorebars.readers.json_odd import SUMS, left_beside, with_scoreless
from scorebars.readers.json_records import Shaped
from scorebars.readers.json_values import Record, holds_score, is_records

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from scorebars.contracts import FileHead

_NAMES: Final = ("key", "inner_key", "third_key", "fourth_key", "fifth_key", "sixth_key")
_BEFORE: Final = ("per_", "by_", "each_")
_ROLES: Final = ("model", "task", "item", "cluster", "run")
"""What the name of a level can be."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """A record with a score, or a list of such records, and the keys that lead to it."""

    path: tuple[str, ...]
    value: Any


def leaves(value: Record, path: tuple[str, ...] = ()) -> Iterator[Leaf]:
    """Every object with a score among its own members, and every list of records with scores; not inside lists."""
    if any(is_score(name) and not isinstance(inner, dict) for name, inner in value.items()):
        yield Leaf(path, value)
    for key, inner in value.items():
        if isinstance(inner, dict):
            yield from leaves(inner, (*path, key))
        elif is_records(inner) and holds_score(inner):
            yield Leaf((*path, key), inner)


def nested(value: Record, found: Sequence[Leaf], head: FileHead) -> Shaped | str:
    """The records behind the leaves; else why not, '' where there is nothing to say."""
    sums = [leaf for leaf in found if any(normal(key) in SUMS for key in leaf.path)]
    rest = [leaf for leaf in found if leaf not in sums and leaf.path]
    depths = Counter(len(leaf.path) for leaf in rest)
    if len(rest) < 2:
        return ""
    if len(depths) > 1 or any(isinstance(leaf.value, list) for leaf in rest):
        return _several(rest, head)
    depth = next(iter(depths))
    rest = [Leaf(*one) for one in with_scoreless(value, {leaf.path: leaf.value for leaf in rest}).items()]
    keys = [list(dict.fromkeys(leaf.path[level] for leaf in rest)) for level in range(depth)]
    varying = [level for level in range(depth) if len(keys[level]) > 1]
    names = _level_names(value, rest, varying)
    said = [("records", f"objects {depth} keys down, such as '{'.'.join(rest[0].path)}'")]
    if sums:
        said.append(("left out", f"{len(sums)} sums, such as '{'.'.join(sums[0].path)}'"))
    records = [
        dict(zip(names, (leaf.path[level] for level in varying), strict=True)) | _own(leaf.value, names)
        for leaf in rest
    ]
    notes = left_beside(value, [leaf.path for leaf in rest], varying, head)
    shaped = _with_roles(records, names, said)
    return replace(_with_names(shaped, value, rest), notes=notes)


def _with_names(shaped: Shaped, value: Record, rest: Sequence[Leaf]) -> Shaped:
    """The same with the model and the task that stand beside or above all of the records, nearest first."""
    above, shared = [value], 0
    while shared < len(rest[0].path) - 1 and len({leaf.path[shared] for leaf in rest}) == 1:
        above.append(above[-1][rest[0].path[shared]])
        shared += 1
    return with_names_above(shaped, above, "records")


def under_keys(value: Record, lists: Sequence[Leaf], beside: Record, head: FileHead) -> Shaped | None:
    """Lists of records at one depth, with the keys that lead to them; None where depths differ or roles are taken.

    What stands ``beside`` them all holds for each record.
    """
    depths = {len(leaf.path) for leaf in lists}
    if len(depths) > 1:
        return None
    varying = [level for level in range(depths.pop()) if len({leaf.path[level] for leaf in lists}) > 1]
    names = _level_names(value, lists, varying)
    records = [
        beside | dict(zip(names, (leaf.path[level] for level in varying), strict=True)) | _own(record, names)
        for leaf in lists
        for record in leaf.value
    ]
    headers = {normal(name) for record in records for name in record if name not in names}
    own = {role: name for name in names for role in ("model", "task") if names_role(role, name)}
    open_roles = [role for role in ("model", "task") if role not in own and not headers & set(ALIASES[role])]
    free = [name for name in names if name not in own.values()]
    if len(free) > len(open_roles):
        return None
    # The keys of one level are the models, as those of an object of lists are; of two levels the user says which.
    keys = {leaf.path[level] for leaf in lists for level, name in zip(varying, names, strict=True) if name in free}
    defaults = {role_of_keys(keys, open_roles): free[0]} if len(free) == 1 else {}
    said = (("records", f"{len(lists):,} lists, such as '{'.'.join(lists[0].path)}'"),)
    notes = left_beside(value, [leaf.path for leaf in lists], varying, head)
    return Shaped(records, defaults, said, tuple(names), notes)


def _several(rest: Sequence[Leaf], head: FileHead) -> str:
    """The refusal of records in several places."""
    examples = {len(leaf.path): ".".join(leaf.path) for leaf in rest}
    listed = ", ".join(f"'{example}'" for example in list(examples.values())[:3])
    lists = [".".join(leaf.path) for leaf in rest if isinstance(leaf.value, list)]
    one = f"read one list ('{shown(head.path)}#{lists[0]}'), or " if lists and head.path.name[:1] != "<" else ""
    return (
        f"{shown(head.path)} has scores at several places (such as {listed}), which may sum up one another; "
        f"{one}save the ones of single attempts as a file of its own (JSON Lines or CSV)"
    )


def _own(record: Record, names: Sequence[str]) -> Record:
    """The members of a record; one that is called like a level gives way to the key."""
    return {name: inner for name, inner in record.items() if name not in names}


def _level_names(value: Record, rest: Sequence[Leaf], varying: Sequence[int]) -> list[str]:
    names: list[str] = []
    for place, level in enumerate(varying):
        before = {leaf.path[level - 1] for leaf in rest} if level else set()
        name = _before(next(iter(before))) if len(before) == 1 and level - 1 not in varying else ""
        name = name or _repeated(value, rest, level)
        fallback = _NAMES[min(place, len(_NAMES) - 1)]
        names.append(name if name and name not in names else fallback)
    return names


def _before(key: str) -> str:
    """'document' of 'per_document'; '' of a key that only names a container."""
    word = normal(key)
    for start in _BEFORE:
        if word.startswith(start):
            return word.removeprefix(start)
    single = word.removesuffix("s")
    return single if any(single in ALIASES[role] for role in _ROLES) else ""


def _repeated(value: Record, rest: Sequence[Leaf], level: int) -> str:
    """The member of the objects at a level that repeats their key, if all of them have it."""
    candidates: set[str] | None = None
    for path in dict.fromkeys(leaf.path[: level + 1] for leaf in rest):
        inner: Any = value
        for key in path:
            inner = inner[key]
        if not isinstance(inner, dict):  # the list itself
            return ""
        same = {name for name, member in inner.items() if isinstance(member, str) and member == path[-1]}
        candidates = same if candidates is None else candidates & same
    return min(candidates or (), default="", key=lambda name: (not names_role("model", name), name))


def _with_roles(records: list[Record], names: Sequence[str], said: list[tuple[str, str]]) -> Shaped:
    """What the levels are: their own names decide, else their number, else the user."""
    own = {
        role: name for name in names for role in ("model", "task", "item", "cluster", "run") if names_role(role, name)
    }
    defaults = _defaults(names, own)
    if "cluster" in own and "item" in defaults:
        # Field 'title' of two documents is two items.
        inner, outer = defaults["item"], own["cluster"]
        joined = f"{outer}+{inner}"
        for record in records:
            record[joined] = f"{record[outer]}+{record[inner]}"
        defaults["item"] = joined
        names = [name for name in names if name != inner]
    return Shaped(records, defaults, tuple(said), tuple(names))


def _defaults(names: Sequence[str], own: Mapping[str, str]) -> dict[str, str]:
    """The roles of levels whose names do not say them, where only one reading makes sense."""
    free = [name for name in names if name not in own.values()]
    if len(names) == 1 and free:
        return {"item": free[0]}
    if len(names) == 2 and not own:
        return {"model": names[0], "item": names[1]}
    if len(free) != 1 or ("item" in own and "model" in own):
        return {}
    if "item" in own:
        return {"model": free[0]} if free[0] == names[0] else {}
    return {"item": free[0]} if free[0] == names[-1] else {}
