"""A list of records that each name a model, or a task, and hold its records; or an item, and hold its attempts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from scorebars.engines.headers import ALIASES, SECOND_ITEMS, normal
from scorebars.engines.unknown_headers import names_run
from scorebars.errors import ReadError, counted, typed
from scorebars.readers.columns import is_score
from scorebars.readers.files import shown
from scorebars.readers.json_records import Shaped
from scorebars.readers.json_values import (
    Record,
    a_kind,
    holds_inner_score,
    holds_score,
    is_scalar,
    objects_of,
    odd_place,
)
from scorebars.readers.sources import NoScores

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scorebars.contracts import FileHead


SETTINGS: Final = frozenset({"metadata", "meta", "config", "configuration", "settings", "info", "run_info", "args"})
"""Keys of objects that describe the run whose records stand beside them."""
_ROLES: Final = ("model", "task", "run", "variant")
_LISTS: Final = frozenset({"results", "records", "samples", "items", "examples", "instances", "details"})
"""Keys of lists of records, whose holders may be told apart by what has no known name ('temperature')."""


_WRONG: Final = frozenset({"False", "0", "0.0", "None", "fail", "failed", "incorrect", "false", "no"})
"""What a score that is not right looks like."""


def names_holders(keys: Iterable[str]) -> bool:
    """Whether records with these keys may be of a model, task or run, each with a list of records: no id of an item."""
    names = {normal(key) for key in keys}
    roles = {name for role in _ROLES for name in ALIASES[role]}
    return bool(names & (roles | _LISTS)) and not names & {*ALIASES["item"], *SECOND_ITEMS}


def held_under(record: Record) -> str:
    """The key of the one list with records that have scores in a record; '' where there is none, or are several."""
    found = [
        key
        for key, inner in record.items()
        if (some := objects_of(inner)) and (holds_score(some) or holds_inner_score(some))
    ]
    return found[0] if len(found) == 1 else ""


def names_attempts(keys: Iterable[str]) -> bool:
    """Whether records with these keys may be of an item, each with the list of its attempts, and no score beside it.

    >>> names_attempts(["id", "attempts"]), names_attempts(["id", "steps"]), names_attempts(["id", "runs", "score"])
    (True, False, False)
    """
    names = list(keys)
    items = {*ALIASES["item"], *SECOND_ITEMS}
    return (
        any(map(_names_attempts, names))
        and any(normal(name) in items for name in names)
        and not any(map(is_score, names))
    )


def _names_attempts(key: str) -> bool:
    """Whether a key is that of a list of attempts; samples may be anything, and iterations are steps of one attempt."""
    return names_run(key) and key.endswith("s") and normal(key) not in {"samples", "iterations", "iters"}


def attempts_under(record: Record) -> str:
    """The key of the list of attempts, each with a score and no id of an item; '' where there is none, or several."""
    key = held_under(record)
    attempts = objects_of(record[key]) if _names_attempts(key) else []
    if not holds_score(attempts):
        return ""
    taken = {*ALIASES["item"], *SECOND_ITEMS, *ALIASES["model"]}
    return "" if any(normal(name) in taken for inner in attempts for name in inner) else key


def attempt_records(value: Sequence[Record], head: FileHead) -> Shaped:
    """The attempts inside records of items: each is a run, numbered in its list, with what stands beside the list.

    Raises:
        NoScores: A record without such a list; or lists that end with the first attempt that was right.
    """
    key = attempts_under(value[0])
    column = key.removesuffix("s")
    records: list[Record] = []
    for number, item in enumerate(value, start=1):
        if attempts_under(item) != key:
            raise NoScores(
                f"{shown(head.path)}: record {number} has no list of attempts with scores under '{key}', as record 1 "
                "has; leave it out, or give its scores"
            )
        _refuse_odd_entry(item[key], key, number, head)
        beside = {name: cell for name, cell in item.items() if is_scalar(cell)}
        records += [
            beside | {column: str(place)} | {name: cell for name, cell in attempt.items() if name != column}
            for place, attempt in enumerate(item[key], start=1)
        ]
    _refuse_retries([item[key] for item in value], key, head)
    said = (("records", f"the lists '{key}' of {counted(len(value), 'record')}, a run each"),)
    has_run = any(normal(name) in ALIASES["run"] for name in records[0])
    return Shaped(records, {} if has_run else {"run": column}, said)


def _refuse_odd_entry(entries: Sequence[Any], key: str, number: int, head: FileHead) -> None:
    """Raise a ReadError for what is no object in the list of a record."""
    if place := odd_place(entries):
        raise ReadError(odd_entry(entries, place, f"'{key}' of record {number}", head))


def odd_entry(entries: Sequence[Any], place: int, where: str, head: FileHead) -> str:
    """The sentence for an entry that is no object; ``where`` says of which list."""
    record, n = f"{shown(head.path)}: record {place:,}{f' of {where}' if where else ''}", len(objects_of(entries))
    if entries[place - 1] == {}:
        return f"{record} is an empty object; give its item and score, or leave it out"
    return f"{record} is no object but {a_kind(entries[place - 1])}, among {n:,} that are; mend it, or leave it out"


def _refuse_retries(lists: Sequence[Sequence[Record]], key: str, head: FileHead) -> None:
    """Raise a NoScores for lists of different lengths in which only the last is ever right: those are retries."""
    score = next(name for name in lists[0][0] if is_score(name))
    right = [[str(attempt.get(score)) not in _WRONG for attempt in attempts] for attempts in lists]
    if len(set(map(len, lists))) < 2 or any(any(some[:-1]) for some in right) or not any(some[-1] for some in right):
        return
    query = f'SELECT * EXCLUDE ("{key}"), "{key}"[{{}}]."{score}" AS score FROM data'
    raise NoScores(
        f"{shown(head.path)}: the lists under '{key}' end with the first attempt that was right, so that these are no "
        f"repeats: count the first ({typed('--sql', query.format(1))}) or the last ({typed('--sql', query.format(-1))})"
    )


def are_told_apart(value: Sequence[Record]) -> bool:
    """Whether model, task, run and variant are no two records' own; else each may be an attempt on an item.

    Where the records inside have ids of items, anything else may tell the holders apart: what it is is asked later.
    """
    roles = {name for role in _ROLES for name in ALIASES[role]}
    ids = {tuple((name, str(cell)) for name, cell in holder.items() if normal(name) in roles) for holder in value}
    if len(ids) == len(value):
        return True
    inner = objects_of(value[0].get(held_under(value[0])))
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
        inner = holder.get(key) or []
        if not objects_of(inner):
            raise NoScores(
                f"{shown(head.path)}: record {number} has no list of records under '{key}', as record 1 has; leave it "
                "out, or give its scores"
            )
        _refuse_odd_entry(inner, key, number, head)
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
