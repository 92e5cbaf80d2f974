"""A list of records that each name a model, or a task, and hold the list of its records."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from scorebars.engines.headers import ALIASES, SECOND_ITEMS, normal
from scorebars.errors import counted
from scorebars.readers.columns import is_score
from scorebars.readers.files import shown
from scorebars.readers.json_values import Record, holds_inner_score, holds_score, is_records, is_scalar
from scorebars.readers.sources import NoScores

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scorebars.contracts import FileHead


SETTINGS: Final = frozenset({"metadata", "meta", "config", "configuration", "settings", "info", "run_info", "args"})
"""Keys of objects that describe the run whose records stand beside them."""
_ROLES: Final = ("model", "task", "run", "variant")
_LISTS: Final = frozenset({"results", "records", "samples", "items", "examples", "instances", "details"})
"""Keys of lists of records, whose holders may be told apart by what has no known name ('temperature')."""


def names_holders(keys: Iterable[str]) -> bool:
    """Whether records with these keys may be of a model, task or run, each with a list of records: no id of an item."""
    names = {normal(key) for key in keys}
    roles = {name for role in _ROLES for name in ALIASES[role]}
    return bool(names & (roles | _LISTS)) and not names & {*ALIASES["item"], *SECOND_ITEMS}


def held_under(record: Record) -> str:
    """The key of the one list of records with scores in a record; '' where there is none, or are several."""
    found = [
        key for key, inner in record.items() if is_records(inner) and (holds_score(inner) or holds_inner_score(inner))
    ]
    return found[0] if len(found) == 1 else ""


def are_told_apart(value: Sequence[Record]) -> bool:
    """Whether model, task, run and variant are no two records' own; else each may be an attempt on an item.

    Where the records inside have ids of items, anything else may tell the holders apart: what it is is asked later.
    """
    roles = {name for role in _ROLES for name in ALIASES[role]}
    ids = {tuple((name, str(cell)) for name, cell in holder.items() if normal(name) in roles) for holder in value}
    if len(ids) == len(value):
        return True
    inner = value[0].get(held_under(value[0]), [])
    if not any(normal(name) in ALIASES["item"] for record in inner[:1] for name in record):
        return False
    beside = {tuple((name, str(cell)) for name, cell in _beside(holder).items()) for holder in value}
    return len(beside) == len(value)


def _beside(holder: Record) -> Record:
    """What is said of all records of a holder: its plain members but for scores, and those of its settings."""
    settings = [inner for name, inner in holder.items() if normal(name) in SETTINGS and isinstance(inner, dict)]
    others = {alias for role, names in ALIASES.items() if role not in _ROLES for alias in names}
    told = {name: cell for one in settings for name, cell in one.items() if normal(name) not in others}
    return {name: cell for name, cell in (told | holder).items() if is_scalar(cell) and not is_score(name)}


def held_records(value: Sequence[Record], head: FileHead) -> tuple[list[Record], tuple[tuple[str, str], ...]]:
    """The records inside records, and what to say of them.

    What stands beside them holds for each, but for scores, which sum them up.

    Raises:
        NoScores: A record without such a list.
    """
    key = held_under(value[0])
    records: list[Record] = []
    left: dict[str, None] = {}
    for number, holder in enumerate(value, start=1):
        inner = holder.get(key)
        if not isinstance(inner, list) or not is_records(inner):
            raise NoScores(
                f"{shown(head.path)}: record {number} has no list of records under '{key}', as record 1 has; leave it "
                "out, or give its scores"
            )
        names = {normal(name) for record in inner for name in record}
        taken = names.union(*(aliases for aliases in ALIASES.values() if names & set(aliases)))
        beside = {name: cell for name, cell in _beside(holder).items() if normal(name) not in taken}
        left |= dict.fromkeys(
            name
            for name, cell in holder.items()
            if name != key
            and name not in beside
            and not (isinstance(cell, dict) and cell and cell.keys() <= beside.keys())
        )
        records += [beside | record for record in inner]
    said = [("records", f"the lists '{key}' of {counted(len(value), 'record')}")]
    if left:
        said.append(("left out", ", ".join(f"'{name}'" for name in list(left)[:6]) + " beside the lists"))
    return records, tuple(said)
