"""JSON values as they are loaded: what is one cell, what is a record, what holds a score."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from scorebars.readers.columns import is_score

if TYPE_CHECKING:
    from collections.abc import Sequence

Record: TypeAlias = dict[str, Any]


class Number(str):
    """The text of a JSON number, told apart from a JSON string."""

    __slots__ = ()


def is_scalar(value: Any) -> bool:
    """Whether a value is one cell: text, a number, true, false or null."""
    return value is None or isinstance(value, str | bool)


def is_records(value: Any) -> bool:
    """Whether a value is a list of objects, at least one."""
    return isinstance(value, list) and bool(value) and all(isinstance(inner, dict) for inner in value)


def objects_of(value: Any) -> list[Record]:
    """The objects of a list; none of anything else."""
    return [inner for inner in value if isinstance(inner, dict)] if isinstance(value, list) else []


def odd_place(entries: Sequence[Any]) -> int:
    """The place of the first entry that is no object, or an empty one; 0 where all are records."""
    return next((place for place, inner in enumerate(entries, start=1) if not isinstance(inner, dict) or not inner), 0)


def holds_score(records: Sequence[Record]) -> bool:
    """Whether a key of some record is one of a score."""
    return any(is_score(name) for record in records for name in record)


def holds_inner_score(records: Sequence[Record]) -> bool:
    """Whether a key of some object in a record is one of a score."""
    objects = (inner for record in records for inner in record.values() if isinstance(inner, dict))
    return any(is_score(name) for inner in objects for name in inner)


def a_kind(value: Any) -> str:
    """The same with its article."""
    name = kind(value)
    return name if name in {"null", "text"} else f"{'an' if name == 'object' else 'a'} {name}"


def kind(value: Any) -> str:
    """What a value is called in messages."""
    if isinstance(value, Number):
        return "number"
    names = {dict: "object", list: "list", str: "text", bool: "truth value", type(None): "null"}
    return names.get(type(value), "value")
