"""An object of lists: each is a column, or holds the scores of a model or a task."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scorebars.engines.headers import may_be_model
from scorebars.readers.files import shown
from scorebars.readers.json_beside import names_beside, role_of_keys, said_beside
from scorebars.readers.json_columns import column_records, headers_of, is_header, said_of
from scorebars.readers.json_records import Shaped
from scorebars.readers.json_unknown import unknown_shape
from scorebars.readers.json_values import Number, Record, is_scalar
from scorebars.readers.sources import NoScores

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scorebars.contracts import FileHead


def of_lists(value: Mapping[str, list[Any]], head: FileHead) -> Shaped:
    """Rows, where the names of columns stand apart; columns, if a key is the name of one; else each is of a model.

    Raises:
        NoScores: Lists of unequal length or without a score, or keys that name no models.
    """
    if _is_split(value):
        return Shaped(_split(value))
    flat = all(is_scalar(cell) for inner in value.values() for cell in inner)
    if headers := headers_of(value):
        return Shaped(column_records(value, headers, head), said=said_of(headers))
    if not any(is_header(key) for key in value):
        if not flat:
            raise NoScores(unknown_shape(dict(value), head))
        _refuse_empty(value, head)
        _refuse_measurements(value, head)
        records = [record for key, inner in value.items() for record in positioned({"key": key}, inner)]
        return Shaped(records, {role_of_keys(value, ("model", "task")): "key", "item": "position"})
    lengths = {key: len(inner) for key, inner in value.items()}
    if len(set(lengths.values())) > 1:
        listed = ", ".join(f"'{key}': {length:,}" for key, length in lengths.items())
        raise NoScores(f"{shown(head.path)} has columns of unequal length ({listed})")
    if not all(lengths.values()):
        listed = ", ".join(f"'{key}'" for key in value)
        raise NoScores(f"{shown(head.path)} has an empty list under {listed}; no scores are in it")
    return Shaped([dict(zip(value, row, strict=True)) for row in zip(*value.values(), strict=True)])


def of_lists_beside(value: Record, head: FileHead) -> Shaped | None:
    """Lists of scores beside a plain member that names their model: the keys are tasks (models, where it is the task).

    None for lists of anything else, and lists beside no such name: files of settings and histories have them.

    Raises:
        NoScores: Lists without a score, or keys that are no names of what is left to name.
    """
    lists = {key: inner for key, inner in value.items() if isinstance(inner, list)}
    beside = names_beside(value, ("model", "task"))
    others = [key for key in value if key not in lists and key not in beside.values()]
    said = said_beside(beside)
    said += [("left out", ", ".join(f"'{key}'" for key in others[:6]) + " beside the lists")] if others else []
    if headers := headers_of(lists):
        constants = {key: value[key] for key in beside.values()}
        records = [constants | record for record in column_records(lists, headers, head)]
        return Shaped(records, said=(*said, *said_of(headers)))
    if not lists or not beside or not all(map(_is_list_of_scores, lists.values())):
        return None
    _refuse_empty(lists, head)
    role = next((role for role in ("model", "task") if role not in beside), None)
    if any(map(is_header, lists)) or not all(map(may_be_model, lists)) or role is None:
        listed = ", ".join(f"'{key}'" for key in lists)
        raise NoScores(
            f"{shown(head.path)} has the {' and the '.join(beside)} beside the lists {listed}, which are no names of "
            'what is left to name; write a list of records such as {"model": …, "item": …, "score": …}, or JSON Lines'
        )
    constants = {key: value[key] for key in beside.values()}
    records = [record for key, inner in lists.items() for record in positioned(constants | {"key": key}, inner)]
    return Shaped(records, {role: "key", "item": "position"}, tuple(said))


def _is_list_of_scores(cells: Sequence[Any]) -> bool:
    """Whether a list holds numbers, truth values and nulls alone; also an empty one."""
    return all(cell is None or isinstance(cell, bool | Number) for cell in cells)


def _refuse_empty(lists: Mapping[str, Sequence[Any]], head: FileHead) -> None:
    empty = ", ".join(f"'{key}'" for key, inner in lists.items() if not inner)
    if empty:
        raise NoScores(
            f"{shown(head.path)} has an empty list under {empty}; no scores are in it: leave the key out, or give them"
        )


def _refuse_measurements(value: Mapping[str, list[Any]], head: FileHead) -> None:
    """Raise a NoScores for a key that names a measurement or a flag among keys that are models."""
    odd = [key for key in value if not may_be_model(key)]
    if odd:
        listed = ", ".join(f"'{key}'" for key in odd)
        raise NoScores(
            f"{shown(head.path)} is an object of lists, whose keys are models, and {listed} names a measurement; "
            "leave it out, or write records with the keys model, item and score"
        )


def positioned(start: Record, scores: Sequence[Any]) -> list[Record]:
    """A record a score of a list, with its place."""
    return [start | {"position": str(place), "score": score} for place, score in enumerate(scores, start=1)]


def _is_split(value: Mapping[str, list[Any]]) -> bool:
    """Whether an object of lists has the names of columns apart from the rows, each as long as they are."""
    if not {"columns", "data"} <= value.keys() <= {"columns", "data", "index"} or not value["data"]:
        return False
    names = value["columns"]
    named = all(isinstance(name, str) for name in names) and len(set(names)) == len(names)
    return named and all(isinstance(row, list) and len(row) == len(names) for row in value["data"])


def _split(value: Mapping[str, list[Any]]) -> list[Record]:
    return [dict(zip(value["columns"], row, strict=True)) for row in value["data"]]
