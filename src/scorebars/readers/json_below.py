"""Records deeper down in an object: one list of them, or records under keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorebars.engines.headers import names_role
from scorebars.readers.json_beside import names_beside, of_settings
from scorebars.readers.json_holders import attempts_under, names_attempts
from scorebars.readers.json_lists_of_records import hold_records, is_part, of_list, several_lists
from scorebars.readers.json_nested import Leaf, leaves, nested, under_keys
from scorebars.readers.json_odd import refuse_list_in_place
from scorebars.readers.json_records import Shaped
from scorebars.readers.json_unknown import unknown_shape
from scorebars.readers.json_values import Record, holds_inner_score, is_records
from scorebars.readers.sources import NoScores

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scorebars.contracts import FileHead


def from_below(value: Record, head: FileHead) -> Shaped:
    """One list of records somewhere below, or records under keys; a NoScores where neither is found."""
    found = list(leaves(value))
    lists = [leaf for leaf in found if isinstance(leaf.value, list)]
    if len(lists) == 1:
        return _only(lists[0], value, head)
    inner = [] if found else [leaf for leaf in _lists(value) if _may_be_read(leaf.value)]
    if len(inner) == 1:
        return _only(inner[0], value, head)
    if inner:
        raise NoScores(several_lists([".".join(leaf.path) for leaf in inner], head))
    if not found and (shaped := _unscored(value, head)) is not None:
        return shaped
    listed = _lists_under_keys(value, lists, head) if len(lists) == len(found) else None
    made = listed or nested(value, found, head)
    if isinstance(made, Shaped):
        return made
    raise NoScores(made or unknown_shape(value, head))


def _only(leaf: Leaf, value: Record, head: FileHead) -> Shaped:
    """The records of the one list, wherever it is."""
    refuse_list_in_place(value, leaf.path, head)
    return of_list(leaf.value, _above(value, leaf), "'" + ".".join(leaf.path) + "'", head)


def _may_be_read(records: Sequence[Record]) -> bool:
    """Whether records without a score of their own have one in an object, or hold records that have."""
    attempts = names_attempts(records[0]) and attempts_under(records[0])
    return holds_inner_score(records) or hold_records(records) or bool(attempts)


def _lists_under_keys(value: Record, lists: Sequence[Leaf], head: FileHead) -> Shaped | None:
    """Lists of records at one depth, below keys that are no splits, outcomes or pieces of a list; None for others."""
    keys = {key for leaf in lists for place, key in enumerate(leaf.path) if _varies(lists, place)}
    if len(lists) < 2 or any(map(is_part, keys)):
        return None
    beside = _said_of_all(value, lists)
    if beside is None or keys & {str(name) for name in beside.values()}:
        return None
    return under_keys(value, lists, beside, head)


def _said_of_all(value: Record, lists: Sequence[Leaf]) -> Record | None:
    """The model or the task that the whole file names; None where both are named, or something inside it names one."""
    roles = ("model", "task")
    inside = [members for leaf in lists for members in _above(value, leaf)[1:]]
    own = {role: {key: value[key]} for role, key in names_beside(value, roles).items()}
    settings = {
        role: {key: name for (_, key), name in found.items()} for role in roles if (found := of_settings(value, role))
    }
    named = settings | own
    if len(named) > 1 or any(names_beside(members, roles) for members in inside):
        return None
    return next(iter(named.values()), {})


def _varies(lists: Sequence[Leaf], place: int) -> bool:
    return len({leaf.path[place] for leaf in lists if place < len(leaf.path)}) > 1


def _unscored(value: Record, head: FileHead) -> Shaped | None:
    """Lists of records with ids of items, at one depth, whose score has no known header: a mapping may name it."""
    lists = [leaf for leaf in _lists(value) if any(names_role("item", key) for key in leaf.value[0])]
    if not lists or len(lists) != len(list(_lists(value))):
        return None
    if len(lists) == 1:
        return _only(lists[0], value, head)
    return _lists_under_keys(value, lists, head)


def _lists(value: Record, path: tuple[str, ...] = ()) -> Iterator[Leaf]:
    """Every list of records; not inside lists."""
    for key, inner in value.items():
        if isinstance(inner, dict):
            yield from _lists(inner, (*path, key))
        elif is_records(inner):
            yield Leaf((*path, key), inner)


def _above(value: Record, leaf: Leaf) -> list[Record]:
    """The objects on the way to a leaf, outermost first."""
    objects = [value]
    for key in leaf.path[:-1]:
        objects.append(objects[-1][key])
    return objects
