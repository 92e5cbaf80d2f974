"""From one JSON value that was loaded whole to records, one row of a table each.

The shapes, in this order:

* an object with one list of records under a key, at any depth; plain members 'model' and 'task' beside or above it hold
  for all its records;
* an object of such lists: its keys are the models, or the tasks where the records name their model;
* an object of equally long lists, one a column;
* model -> {item -> score}, item -> record, model -> {item -> record}: the keys become the columns 'key', 'inner_key';
* model -> list of scores: 'key' and 'position';
* records deeper down: :mod:`scorebars.readers.json_nested`.

Those columns can be given other roles by name, as any other (``--map task=key,run=position``).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from scorebars.engines.headers import ALIASES, SECOND_ITEMS, normal
from scorebars.readers.columns import is_score
from scorebars.readers.files import shown
from scorebars.readers.json_nested import Leaf, Nested, leaves, nested
from scorebars.readers.json_values import Record, holds_score, is_records, is_scalar, kind
from scorebars.readers.sources import NoScores

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from scorebars.contracts import FileHead

_PARTS: Final = frozenset(
    {
        *("train", "training", "dev", "valid", "validation", "val", "test", "split"),
        *("passed", "failed", "errors", "error", "skipped", "correct", "incorrect", "success", "failure"),
    }
)
"""Keys of lists that are neither models nor tasks: splits and outcomes."""


@dataclass(frozen=True, slots=True)
class Shaped:
    """Records, the roles that the shape gives, and what to say about it."""

    records: list[Record]
    defaults: Mapping[str, str] = field(default_factory=dict)
    """Role -> column."""
    said: tuple[tuple[str, str], ...] = ()
    levels: tuple[str, ...] = ()
    """Columns of keys, each of which must have a role."""


def records_of(value: Any, head: FileHead) -> Shaped:
    """The records of a JSON value; a NoScores where it is in none of the shapes."""
    if isinstance(value, list):
        return _from_list(value, head)
    if not isinstance(value, dict):
        raise NoScores(f"{shown(head.path)} holds one {kind(value)}; a table of scores is needed")
    if not value:
        raise NoScores(f"{shown(head.path)} is an empty JSON object; no scores are in it")
    lists = {key: inner for key, inner in value.items() if is_records(inner)}
    if lists:
        return _from_lists_of_records(value, lists, head)
    if all(isinstance(inner, list) for inner in value.values()):
        return _from_lists(value, head)
    if all(isinstance(inner, dict) for inner in value.values()):
        shaped = _from_objects(value)
        if shaped is not None:
            return shaped
    return _from_below(value, head)


def _from_list(value: list[Any], head: FileHead) -> Shaped:
    if not value:
        raise NoScores(f"{shown(head.path)} is an empty list; no scores are in it")
    if not all(is_scalar(inner) for inner in value):
        raise NoScores(f"{shown(head.path)} is a list of {kind(value[0])}s; a list of records (objects) is needed")
    return Shaped(_positioned({}, value), {"item": "position"})


def _from_lists_of_records(value: Record, lists: Mapping[str, list[Record]], head: FileHead) -> Shaped:
    """An object with its records under a key; of several lists the only one that has scores, or one list a model."""
    scored = [key for key, records in lists.items() if holds_score(records)]
    chosen = list(lists) if len(lists) == 1 else scored
    if len(chosen) == 1:
        return _member(lists[chosen[0]], [value], f"'{chosen[0]}'")
    parts = [key for key in chosen if normal(key) in _PARTS]
    if len(chosen) > 1 and not parts:
        return _groups({key: lists[key] for key in chosen}, value, head)
    listed = ", ".join(f"'{key}'" for key in parts or lists)
    raise NoScores(
        f"{shown(head.path)} has several lists of records ({listed}); "
        "save the one with the scores as a file of its own (JSON Lines or CSV)"
    )


def _member(records: Sequence[Record], above: Sequence[Record], where: str) -> Shaped:
    """The records of one list, with the model and task that stand beside or above it."""
    said = [("records", f"the list {where}")]
    names = {normal(name) for record in records for name in record}
    constants: Record = {}
    for role in ("model", "task"):
        if names & set(ALIASES[role]):
            continue
        for members in reversed(above):  # what stands nearest counts
            found = [key for key, inner in members.items() if normal(key) in ALIASES[role] and _is_name(inner)]
            if found:
                constants[found[0]] = members[found[0]]
                said.append((role, f"'{found[0]}' beside the list"))
                break
    return Shaped([constants | record for record in records], {}, tuple(said))


def _is_name(value: Any) -> bool:
    return value is not None and is_scalar(value) and not isinstance(value, bool)


def _groups(lists: Mapping[str, list[Record]], value: Record, head: FileHead) -> Shaped:
    """One list a key: the keys are the models, or the tasks where the records say which model they are of."""
    named = {normal(name) for records in lists.values() for record in records for name in record}
    role = next((role for role in ("model", "task") if not named & set(ALIASES[role])), None)
    if role is None:
        listed = ", ".join(f"'{key}'" for key in lists)
        raise NoScores(
            f"{shown(head.path)} has several lists of records ({listed}) whose records name their model and task; "
            "save the one with the scores as a file of its own (JSON Lines or CSV)"
        )
    others = [key for key in value if key not in lists]
    said = [("records", "the lists " + ", ".join(f"'{key}'" for key in list(lists)[:6]))]
    if others:
        said.append(("left out", ", ".join(f"'{key}'" for key in others[:6]) + " beside the lists"))
    records = [{"key": key} | record for key, members in lists.items() for record in members]
    return Shaped(records, {role: "key"}, tuple(said))


def _from_lists(value: Mapping[str, list[Any]], head: FileHead) -> Shaped:
    """Columns, if a key is the name of one; else each key's list holds its scores."""
    flat = all(is_scalar(cell) for inner in value.values() for cell in inner)
    if not any(_is_header(key) for key in value):
        if not flat or not any(value.values()):
            raise NoScores(unknown_shape(dict(value), head))
        records = [record for key, inner in value.items() for record in _positioned({"key": key}, inner)]
        return Shaped(records, {"model": "key", "item": "position"})
    lengths = {key: len(inner) for key, inner in value.items()}
    if len(set(lengths.values())) > 1:
        listed = ", ".join(f"'{key}': {length:,}" for key, length in lengths.items())
        raise NoScores(f"{shown(head.path)} has columns of unequal length ({listed})")
    if not all(lengths.values()):
        listed = ", ".join(f"'{key}'" for key in value)
        raise NoScores(f"{shown(head.path)} has an empty list under {listed}; no scores are in it")
    return Shaped([dict(zip(value, row, strict=True)) for row in zip(*value.values(), strict=True)])


def _is_header(key: str) -> bool:
    return is_score(key) or any(normal(key) in (*names, *SECOND_ITEMS) for names in ALIASES.values())


def _positioned(start: Record, scores: Sequence[Any]) -> list[Record]:
    return [start | {"position": str(place), "score": score} for place, score in enumerate(scores, start=1)]


def _from_objects(value: Mapping[str, Record]) -> Shaped | None:
    """Item -> record, model -> {item -> score} or model -> {item -> record}; None for what lies deeper."""
    if any(_is_record(inner) for inner in value.values()):
        below = [leaf for inner in value.values() for leaf in leaves(inner) if leaf.path]
        return None if below else Shaped([{"key": key} | inner for key, inner in value.items()], {"item": "key"})
    cells = list(_inner(value))
    both = {"model": "key", "item": "inner_key"}
    if cells and all(is_scalar(cell) for _, _, cell in cells):
        return Shaped([{"key": key, "inner_key": inner, "score": cell} for key, inner, cell in cells], both)
    if cells and all(isinstance(cell, dict) and _is_record(cell) for _, _, cell in cells):
        return Shaped([{"key": key, "inner_key": inner} | cell for key, inner, cell in cells], both)
    return None


def _is_record(value: Record) -> bool:
    return any(is_score(name) and not isinstance(inner, dict) for name, inner in value.items())


def _inner(value: Mapping[str, Record]) -> Iterator[tuple[str, str, Any]]:
    return ((key, inner, cell) for key, members in value.items() for inner, cell in members.items())


def _from_below(value: Record, head: FileHead) -> Shaped:
    """One list of records somewhere below, or records under keys."""
    found = list(leaves(value))
    lists = [leaf for leaf in found if isinstance(leaf.value, list)]
    if len(lists) == 1:
        records: list[Record] = lists[0].value
        return _member(records, _above(value, lists[0]), "'" + ".".join(lists[0].path) + "'")
    made = nested(value, found, head)
    if isinstance(made, Nested):
        return Shaped(made.records, made.defaults, made.said, made.levels)
    raise NoScores(made or unknown_shape(value, head))


def _above(value: Record, leaf: Leaf) -> list[Record]:
    """The objects on the way to a leaf, outermost first."""
    objects = [value]
    for key in leaf.path[:-1]:
        objects.append(objects[-1][key])
    return objects


def unknown_shape(value: Record, head: FileHead) -> str:
    """The sentence for an object in none of the shapes."""
    keys = ", ".join(f"'{key}'" for key in list(value)[:6]) + (", …" if len(value) > 6 else "")
    empty = [key for key, inner in value.items() if inner in ([], {})]
    if empty and all(is_scalar(inner) or inner in ([], {}) for inner in value.values()):
        what = "list" if value[empty[0]] == [] else "object"
        return f"{shown(head.path)} has an empty {what} under '{empty[0]}'; no scores are in it"
    return (
        f"{shown(head.path)} is a JSON object (keys {keys}) in no shape that holds one score an attempt; "
        'write a list of records such as {"model": …, "item": …, "score": …}, or JSON Lines'
    )
