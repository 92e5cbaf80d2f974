"""From one JSON value that was loaded whole to records, one row of a table each.

The shapes, in this order:

* an object with one list of records under a key, at any depth; plain members 'model' and 'task' beside or above it, or
  in an object 'metadata' or 'config' beside it, hold for all its records;
* an object of such lists: its keys are the models, or the tasks where the records, or a member beside the lists, name
  their model; ``FILE#key`` reads one of them;
* an object of equally long lists, one a column, also under plural keys ('ids', 'scores'); one of objects, from row
  number to cell (pandas' ``to_json()``); the members 'columns' and 'data' (``to_json(orient="split")``);
* model -> {item -> score}, item -> record, model -> {item -> record}: the keys become the columns 'key', 'inner_key';
  many numbered keys of items ('q1') around few others are the items; such keys of single scores are items of one model;
* model -> list of scores: 'key' and 'position'; task -> list of scores beside a member 'model';
* records deeper down: :mod:`scorebars.readers.json_nested`;
* one object of single values, the record of a file that holds one, where the user names its score.

Those columns can be given other roles by name, as any other (``--map task=key,run=position``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scorebars.errors import ReadError, near_miss
from scorebars.readers.files import shown
from scorebars.readers.json_below import from_below
from scorebars.readers.json_beside import with_names_above
from scorebars.readers.json_holders import odd_entry
from scorebars.readers.json_keyed import of_objects, of_scores
from scorebars.readers.json_lists_of_records import of_list, of_lists_of_records
from scorebars.readers.json_lists_of_scores import of_lists, of_lists_beside, positioned
from scorebars.readers.json_odd import refuse_odd_entries
from scorebars.readers.json_records import Shaped
from scorebars.readers.json_values import is_records, is_scalar, kind, objects_of, odd_place
from scorebars.readers.sources import NoScores

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorebars.contracts import FileHead


def records_of(value: Any, head: FileHead) -> Shaped:
    """The records of a JSON value; a NoScores where it is in none of the shapes."""
    if isinstance(value, list):
        return _from_list(value, head)
    if not isinstance(value, dict):
        raise NoScores(f"{shown(head.path)} holds one {kind(value)}; a table of scores is needed")
    if not value:
        raise NoScores(f"{shown(head.path)} is an empty JSON object; no scores are in it")
    refuse_odd_entries(value, head)
    lists = {key: inner for key, inner in value.items() if is_records(inner)}
    if lists:
        return of_lists_of_records(value, lists, head)
    shaped = None
    if all(isinstance(inner, list) for inner in value.values()):
        shaped = of_lists(value, head)
    elif all(map(is_scalar, value.values())):
        shaped = of_scores(value)
    elif all(is_scalar(inner) or isinstance(inner, list) for inner in value.values()):
        shaped = of_lists_beside(value, head)
    elif all(isinstance(inner, dict) for inner in value.values()):
        shaped = of_objects(value)
    return from_below(value, head) if shaped is None else shaped


def _from_list(value: list[Any], head: FileHead) -> Shaped:
    if not value:
        raise NoScores(f"{shown(head.path)} is an empty list; no scores are in it")
    if objects_of(value) and (place := odd_place(value)):
        raise ReadError(odd_entry(value, place, "", head))
    if not all(is_scalar(inner) for inner in value):
        raise NoScores(f"{shown(head.path)} is a list of {kind(value[0])}s; a list of records (objects) is needed")
    return Shaped(positioned({}, value), {"item": "position"})


def member_of(value: Any, head: FileHead) -> Shaped:
    """The records below the key that the user named (``FILE#key``), with the model and task beside or above it.

    Raises:
        ReadError: No such key.
        NoScores: What is there is in none of the shapes.
    """
    where, above = f"'{head.member}'", []
    inner, path = value, head.member
    while path:
        if not isinstance(inner, dict):
            raise ReadError(f"{shown(head.path)} has nothing under {where}: {kind(inner)} is no object with keys")
        above.append(inner)
        key = path if path in inner else path.partition(".")[0]
        if key not in inner:
            raise ReadError(f"{shown(head.path)} has no key {where}{near_miss(key, inner)}")
        inner, path = inner[key], path[len(key) + 1 :]
    if is_records(inner):
        return of_list(inner, above, where, head)
    return with_names_above(records_of(inner, head), above, "records")


def is_one_record(value: Any, asked: Sequence[str]) -> bool:
    """Whether a value is one object of single values, some of which the user says to be the score."""
    return isinstance(value, dict) and not value.keys().isdisjoint(asked) and all(map(is_scalar, value.values()))
