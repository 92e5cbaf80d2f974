"""An object with lists of records under its keys: one of them is read, or each is that of a model or a task."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from scorebars.engines.headers import ALIASES, names_role, normal
from scorebars.notes import note
from scorebars.readers.files import shown
from scorebars.readers.json_beside import names_beside, role_of_keys, said_beside, with_names_above
from scorebars.readers.json_holders import (
    are_told_apart,
    attempt_records,
    attempts_under,
    held_records,
    held_under,
    names_attempts,
    names_holders,
)
from scorebars.readers.json_nested import leaves
from scorebars.readers.json_odd import left_beside_lists, refuse_list_in_place
from scorebars.readers.json_records import Shaped
from scorebars.readers.json_values import Record, holds_score, is_records
from scorebars.readers.scoreless import in_sql
from scorebars.readers.sources import NoScores

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scorebars.contracts import FileHead
    from scorebars.notes import Note


_PARTS: Final = frozenset(
    {
        *("train", "training", "dev", "valid", "validation", "val", "test", "split"),
        *("passed", "failed", "errors", "error", "skipped", "correct", "incorrect", "success", "failure"),
        *("results", "result", "records", "data", "rows", "items", "samples", "examples", "predictions", "outputs"),
        *("responses", "entries", "details", "instances", "runs", "trials", "attempts", "more"),
    }
)
"""Keys of lists that are neither models nor tasks: splits, outcomes, and words for any list."""
_NUMBERED: Final = re.compile(
    r"(run|seed|trial|rep|repeat|attempt|epoch|fold|split|part|shard|chunk|batch|page)s?_?\d+"
)
"""Keys of the pieces of one list."""


def of_lists_of_records(value: Record, lists: Mapping[str, list[Record]], head: FileHead) -> Shaped:
    """An object with its records under a key; of several lists the only one that has scores, or one list a model.

    Raises:
        NoScores: Several lists of which none is the one, or whose keys are parts of one.
    """
    scored = [key for key, records in lists.items() if holds_score(records)]
    chosen = list(lists) if len(lists) == 1 else scored
    if len(chosen) == 1:
        return _only_list(chosen[0], value, lists, head)
    parts = [key for key in chosen or lists if is_part(key)]
    if chosen and not parts:
        return _groups({key: lists[key] for key in chosen}, value, head)
    raise NoScores(several_lists(parts + [key for key in chosen or lists if key not in parts], head))


def is_part(key: str) -> bool:
    """Whether a key is that of a split, an outcome or a piece of a list, so neither a model nor a task."""
    return normal(key) in _PARTS or _NUMBERED.fullmatch(normal(key)) is not None


def several_lists(keys: Sequence[str], head: FileHead, what: str = "") -> str:
    """The refusal of several lists, with how to read one."""
    path = shown(head.path)
    listed = ", ".join(f"'{key}'" for key in keys[:6]) + (", …" if len(keys) > 6 else "")
    one = "" if path.startswith("<") else f"read one of them ('{path}#{keys[0]}'), or "
    return f"{path} has several lists of records ({listed}){what}; {one}save the right one as a file of its own"


def _only_list(key: str, value: Record, lists: Mapping[str, list[Record]], head: FileHead) -> Shaped:
    """The list with the scores; another one with scores deeper down, or with more items, is refused."""
    deeper = [".".join(leaf.path) for leaf in leaves(value) if isinstance(leaf.value, list) and leaf.path != (key,)]
    more = [other for other in lists if other != key and _has_other_items(lists[other], lists[key])]
    if deeper:
        raise NoScores(several_lists([key, *deeper], head))
    if more:
        raise NoScores(several_lists([key, *more], head, f", and '{more[0]}' has items without a known score"))
    refuse_list_in_place(value, (key,), head)
    shaped = of_list(lists[key], [value], f"'{key}'", head)
    left = tuple(_left_out(other, key, lists[other], head) for other in lists if other != key)
    return replace(shaped, notes=left, queried=_queried(key, value, lists[key], shaped.records))


def _queried(key: str, value: Record, records: Sequence[Record], made: Sequence[Record]) -> str:
    """What stands for the records of one list in a query, with what stands beside it for all of them."""
    beside = [name for name in made[0] if name not in records[0]]
    if len(made) != len(records) or not all(name in value for name in beside):
        return ""
    columns = [*map(in_sql, beside), f"unnest({in_sql(key)}, max_depth := 2)"]
    return f"(SELECT {', '.join(columns)} FROM data)"


def _has_other_items(records: Sequence[Record], known: Sequence[Record]) -> bool:
    """Whether records have ids of items, and some that the known ones lack."""
    header = next((name for name in records[0] if names_role("item", name)), None)
    if header is None:
        return False
    ids = {str(inner) for record in known for name, inner in record.items() if names_role("item", name)}
    return any(str(record.get(header)) not in ids for record in records)


def _left_out(key: str, chosen: str, records: Sequence[Record], head: FileHead) -> Note:
    n = f"{len(records):,} record" + "s" * (len(records) != 1)
    why = f"'{chosen}' has the scores, and '{key}' no known one (to read it: {shown(head.path)}#{key})"
    return note("left-out", path=shown(head.path), rows=f"the list '{key}' ({n})", why=why)


def _groups(lists: Mapping[str, list[Record]], value: Record, head: FileHead) -> Shaped:
    """One list a key: the keys are the models, or the tasks where something else says which model they are of."""
    headers = {normal(name) for records in lists.values() for record in records for name in record}
    open_roles = [role for role in ("model", "task") if not headers & set(ALIASES[role])]
    beside = names_beside(value, open_roles)
    role = role_of_keys(lists, [role for role in open_roles if role not in beside])
    if not role:
        raise NoScores(several_lists(list(lists), head, " whose records name their model and task"))
    others = [key for key in value if key not in lists and key not in beside.values()]
    said = [("records", "the lists " + ", ".join(f"'{key}'" for key in list(lists)[:6])), *said_beside(beside)]
    if others:
        said.append(("left out", ", ".join(f"'{key}'" for key in others[:6]) + " beside the lists"))
    constants = {key: value[key] for key in beside.values()}
    records = [constants | {"key": key} | record for key, members in lists.items() for record in members]
    notes = tuple(
        _left_out(key, next(iter(lists)), inner, head)
        for key, inner in value.items()
        if is_records(inner) and key not in lists
    )
    notes += left_beside_lists(value, [*lists, *beside.values()], head)
    return Shaped(records, {role: "key"}, tuple(said), notes=notes)


def of_list(records: Sequence[Record], above: Sequence[Record], where: str, head: FileHead) -> Shaped:
    """The records of one list, or inside them, with the model and task that stand beside or above it."""
    said = [("records", f"the list {where}")]
    records, defaults = list(records), dict[str, str]()
    if hold_records(records):
        records, more = held_records(records, head)
        said += more
    elif names_attempts(records[0]) and attempts_under(records[0]):
        made = attempt_records(records, head)
        records, defaults = made.records, dict(made.defaults)
        said += made.said
    return with_names_above(Shaped(records, defaults, tuple(said)), above, "list")


def hold_records(records: Sequence[Record]) -> bool:
    """Whether each of the records names a model, or a task, and holds a list of records with scores."""
    return names_holders(records[0]) and bool(held_under(records[0])) and are_told_apart(records)
