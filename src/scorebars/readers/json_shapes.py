"""From one JSON value that was loaded whole to records, one row of a table each.

The shapes, in this order:

* an object with one list of records under a key, at any depth; plain members 'model' and 'task' beside or above it, or
  in an object 'metadata' or 'config' beside it, hold for all its records;
* an object of such lists: its keys are the models, or the tasks where the records, or a member beside the lists, name
  their model; ``FILE#key`` reads one of them;
* an object of equally long lists, one a column, also under plural keys ('ids', 'scores'); one of objects, from row
  number to cell (pandas' ``to_json()``); the members 'columns' and 'data' (``to_json(orient="split")``);
* model -> {item -> score}, item -> record, model -> {item -> record}: the keys become the columns 'key', 'inner_key';
* model -> list of scores: 'key' and 'position'; task -> list of scores beside a member 'model';
* records deeper down: :mod:`scorebars.readers.json_nested`;
* one object of single values, the record of a file that holds one, where the user names its score.

Those columns can be given other roles by name, as any other (``--map task=key,run=position``).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from scorebars.engines.headers import ALIASES, SECOND_ITEMS, less_is_better, mapped, may_be_model, normal
from scorebars.errors import ReadError, near_miss
from scorebars.notes import note
from scorebars.readers.columns import is_score
from scorebars.readers.files import shown, stem
from scorebars.readers.json_columns import column_records, headers_of, said_of
from scorebars.readers.json_holders import SETTINGS, are_told_apart, held_records, held_under, names_holders
from scorebars.readers.json_nested import Leaf, Nested, leaves, nested, under_keys
from scorebars.readers.json_values import Number, Record, holds_inner_score, holds_score, is_records, is_scalar, kind
from scorebars.readers.sources import NoScores

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

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
_NUMBER: Final = re.compile(r"(.*?)[0-9]+", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Shaped:
    """Records, the roles that the shape gives, and what to say about it."""

    records: list[Record]
    defaults: Mapping[str, str] = field(default_factory=dict)
    """Role -> column."""
    said: tuple[tuple[str, str], ...] = ()
    levels: tuple[str, ...] = ()
    """Columns of keys, each of which must have a role."""
    notes: tuple[Note, ...] = ()
    crossed: str = ""
    """Why keys that would be models may be items."""


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
        return Shaped(_split(value)) if _is_split(value) else _from_lists(value, head)
    if all(is_scalar(inner) or isinstance(inner, list) for inner in value.values()):
        return _beside_lists(value, head)
    if all(isinstance(inner, dict) for inner in value.values()):
        shaped = Shaped(_by_row(value)) if _is_by_row(value) else _from_objects(value)
        if shaped is not None:
            return shaped
    return _from_below(value, head)


def _from_list(value: list[Any], head: FileHead) -> Shaped:
    if not value:
        raise NoScores(f"{shown(head.path)} is an empty list; no scores are in it")
    if not all(is_scalar(inner) for inner in value):
        raise NoScores(f"{shown(head.path)} is a list of {kind(value[0])}s; a list of records (objects) is needed")
    return Shaped(_positioned({}, value), {"item": "position"})


def member_of(value: Any, head: FileHead) -> Shaped:
    """The records below the key that the user named (``FILE#key``), with the model and task beside or above it."""
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
    return _member(inner, above, where, head) if is_records(inner) else records_of(inner, head)


def _from_lists_of_records(value: Record, lists: Mapping[str, list[Record]], head: FileHead) -> Shaped:
    """An object with its records under a key; of several lists the only one that has scores, or one list a model."""
    scored = [key for key, records in lists.items() if holds_score(records)]
    chosen = list(lists) if len(lists) == 1 else scored
    if len(chosen) == 1:
        return _only_list(chosen[0], value, lists, head)
    parts = [key for key in chosen or lists if normal(key) in _PARTS or _NUMBERED.fullmatch(normal(key))]
    if chosen and not parts:
        return _groups({key: lists[key] for key in chosen}, value, head)
    raise NoScores(_several(parts + [key for key in chosen or lists if key not in parts], head))


def _several(keys: Sequence[str], head: FileHead, what: str = "") -> str:
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
        raise NoScores(_several([key, *deeper], head))
    if more:
        raise NoScores(_several([key, *more], head, f", and '{more[0]}' has items without a known score"))
    shaped = _member(lists[key], [value], f"'{key}'", head)
    left = tuple(_left_out(other, key, lists[other], head) for other in lists if other != key)
    return replace(shaped, notes=left)


def _has_other_items(records: Sequence[Record], known: Sequence[Record]) -> bool:
    """Whether records have ids of items, and some that the known ones lack."""
    header = next((name for name in records[0] if normal(name) in ALIASES["item"]), None)
    if header is None:
        return False
    ids = {str(inner) for record in known for name, inner in record.items() if normal(name) in ALIASES["item"]}
    return any(str(record.get(header)) not in ids for record in records)


def _left_out(key: str, chosen: str, records: Sequence[Record], head: FileHead) -> Note:
    n = f"{len(records):,} record" + "s" * (len(records) != 1)
    why = f"'{chosen}' has the scores, and '{key}' no known one (to read it: {shown(head.path)}#{key})"
    return note("left-out", path=shown(head.path), rows=f"the list '{key}' ({n})", why=why)


def _member(records: Sequence[Record], above: Sequence[Record], where: str, head: FileHead) -> Shaped:
    """The records of one list, or inside them, with the model and task that stand beside or above it."""
    said = [("records", f"the list {where}")]
    if _hold(records):
        records, more = held_records(records, head)
        said += more
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
        else:
            settings = _of_settings(above[0], role) if above else {}
            constants |= {key: inner for (_, key), inner in settings.items()}
            said += [(role, f"'{where}.{key}' beside the list") for where, key in settings]
    return Shaped([constants | record for record in records], {}, tuple(said))


def _hold(records: Sequence[Record]) -> bool:
    """Whether each of the records names a model, or a task, and holds a list of records with scores."""
    return names_holders(records[0]) and bool(held_under(records[0])) and are_told_apart(records)


def _of_settings(whole: Record, role: str) -> dict[tuple[str, str], Any]:
    """The model or task that an object of settings beside the records names; none where two do, or two are named."""
    found = {
        (where, key): inner
        for where, members in whole.items()
        if normal(where) in SETTINGS and isinstance(members, dict)
        for key, inner in members.items()
        if normal(key) in ALIASES[role] and _is_name(inner)
    }
    return found if len(found) == 1 else {}


def _is_name(value: Any) -> bool:
    return value is not None and is_scalar(value) and not isinstance(value, bool)


def _groups(lists: Mapping[str, list[Record]], value: Record, head: FileHead) -> Shaped:
    """One list a key: the keys are the models, or the tasks where something else says which model they are of."""
    headers = {normal(name) for records in lists.values() for record in records for name in record}
    open_roles = [role for role in ("model", "task") if not headers & set(ALIASES[role])]
    beside = _beside(value, open_roles)
    role = next((role for role in open_roles if role not in beside), None)
    if role is None:
        raise NoScores(_several(list(lists), head, " whose records name their model and task"))
    others = [key for key in value if key not in lists and key not in beside.values()]
    said = [("records", "the lists " + ", ".join(f"'{key}'" for key in list(lists)[:6])), *_said_beside(beside)]
    if others:
        said.append(("left out", ", ".join(f"'{key}'" for key in others[:6]) + " beside the lists"))
    constants = {key: value[key] for key in beside.values()}
    records = [constants | {"key": key} | record for key, members in lists.items() for record in members]
    notes = tuple(
        _left_out(key, next(iter(lists)), inner, head)
        for key, inner in value.items()
        if is_records(inner) and key not in lists
    )
    return Shaped(records, {role: "key"}, tuple(said), notes=notes)


def _beside(value: Record, roles: Sequence[str]) -> dict[str, str]:
    """Role -> the member beside lists that says it for all of them."""
    named = [key for key, inner in reversed(value.items()) if _is_name(inner)]  # the first one stands
    return {role: key for role in roles for key in named if _is(role, key)}


def _is(role: str, key: str) -> bool:
    return normal(key) in ALIASES[role]


def _said_beside(beside: Mapping[str, str]) -> list[tuple[str, str]]:
    return [(role, f"'{key}' beside the lists") for role, key in beside.items()]


def _beside_lists(value: Record, head: FileHead) -> Shaped:
    """Lists of scores beside a plain member that names their model: the keys are tasks (models, where it is the task).

    Lists of anything else, and lists beside no such name, are no scores: files of settings and histories have them.
    """
    lists = {key: inner for key, inner in value.items() if isinstance(inner, list)}
    beside = _beside(value, ("model", "task"))
    others = [key for key in value if key not in lists and key not in beside.values()]
    said = _said_beside(beside)
    said += [("left out", ", ".join(f"'{key}'" for key in others[:6]) + " beside the lists")] if others else []
    if headers := headers_of(lists):
        constants = {key: value[key] for key in beside.values()}
        records = [constants | record for record in column_records(lists, headers, head)]
        return Shaped(records, said=(*said, *said_of(headers)))
    if not lists or not beside or not all(map(_is_list_of_scores, lists.values())):
        return _from_below(value, head)
    _refuse_empty(lists, head)
    role = next((role for role in ("model", "task") if role not in beside), None)
    if any(map(_is_header, lists)) or not all(map(may_be_model, lists)) or role is None:
        listed = ", ".join(f"'{key}'" for key in lists)
        raise NoScores(
            f"{shown(head.path)} has the {' and the '.join(beside)} beside the lists {listed}, which are no names of "
            'what is left to name; write a list of records such as {"model": …, "item": …, "score": …}, or JSON Lines'
        )
    constants = {key: value[key] for key in beside.values()}
    records = [record for key, inner in lists.items() for record in _positioned(constants | {"key": key}, inner)]
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


def _from_lists(value: Mapping[str, list[Any]], head: FileHead) -> Shaped:
    """Columns, if a key is the name of one; else each key's list holds its scores."""
    flat = all(is_scalar(cell) for inner in value.values() for cell in inner)
    if headers := headers_of(value):
        return Shaped(column_records(value, headers, head), said=said_of(headers))
    if not any(_is_header(key) for key in value):
        if not flat:
            raise NoScores(unknown_shape(dict(value), head))
        _refuse_empty(value, head)
        _refuse_measurements(value, head)
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


def _is_split(value: Mapping[str, list[Any]]) -> bool:
    """Whether an object of lists has the names of columns apart from the rows, each as long as they are."""
    if not {"columns", "data"} <= value.keys() <= {"columns", "data", "index"} or not value["data"]:
        return False
    names = value["columns"]
    named = all(isinstance(name, str) for name in names) and len(set(names)) == len(names)
    return named and all(isinstance(row, list) and len(row) == len(names) for row in value["data"])


def _split(value: Mapping[str, list[Any]]) -> list[Record]:
    return [dict(zip(value["columns"], row, strict=True)) for row in value["data"]]


def _is_by_row(value: Mapping[str, Record]) -> bool:
    """Whether the keys are columns, and those of each the same running numbers of rows.

    A model has scores alone, and the name of none of the roles: numbers beside text, or such a name, are columns.
    """
    first = next(iter(value.values()))
    if not first or any(inner.keys() != first.keys() for inner in value.values()):
        return False
    if not all(key.isdecimal() for key in first):
        return False
    kinds = {isinstance(cell, str | list) for inner in value.values() for cell in inner.values() if cell is not None}
    return len(kinds) > 1 or any(map(_is_header, value))


def _by_row(value: Mapping[str, Record]) -> list[Record]:
    return [{key: inner[row] for key, inner in value.items()} for row in next(iter(value.values()))]


def _refuse_measurements(value: Mapping[str, list[Any]], head: FileHead) -> None:
    """Raise a NoScores for a key that names a measurement or a flag among keys that are models."""
    odd = [key for key in value if not may_be_model(key)]
    if odd:
        listed = ", ".join(f"'{key}'" for key in odd)
        raise NoScores(
            f"{shown(head.path)} is an object of lists, whose keys are models, and {listed} names a measurement; "
            "leave it out, or write records with the keys model, item and score"
        )


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
        records = [{"key": key, "inner_key": inner, "score": cell} for key, inner, cell in cells]
    elif cells and all(isinstance(cell, dict) and _is_record(cell) for _, _, cell in cells):
        records = [{"key": key, "inner_key": inner} | cell for key, inner, cell in cells]
    else:
        return None
    return Shaped(records, both, crossed=_crossed(list(value), list(dict.fromkeys(inner for _, inner, _ in cells))))


def _crossed(outer: Sequence[str], inner: Sequence[str]) -> str:
    """Why the outer keys may be items and the inner ones models: they are more, and numbered as items are."""
    if not may_be_crossed(outer, inner) or not _are_numbered(outer) or _are_numbered(inner):
        return ""
    shown_outer, shown_inner = (", ".join(f"'{key}'" for key in keys[:3]) for keys in (outer, inner))
    return (
        f"its {len(outer):,} keys ({shown_outer}, …) are numbered as items are, and those inside ({shown_inner}"
        f"{', …' * (len(inner) > 3)}) are not"
    )


def may_be_crossed(outer: Sequence[str], inner: Sequence[str]) -> bool:
    """Whether keys that are taken for models are more than those inside, and these are not numbered as items are."""
    return len(outer) > len(inner) and (_are_numbered(outer) or not _are_numbered(inner))


def _are_numbered(keys: Sequence[str]) -> bool:
    """Whether all keys are one text and a number: 'q1', 'q2'."""
    found = [_NUMBER.fullmatch(key) for key in keys]
    return all(found) and len({match[1] for match in found if match}) == 1


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
        return _member(records, _above(value, lists[0]), "'" + ".".join(lists[0].path) + "'", head)
    inner = [] if found else [leaf for leaf in _lists(value) if holds_inner_score(leaf.value) or _hold(leaf.value)]
    if len(inner) == 1:
        return _member(inner[0].value, _above(value, inner[0]), "'" + ".".join(inner[0].path) + "'", head)
    if inner:
        raise NoScores(_several([".".join(leaf.path) for leaf in inner], head))
    if not found and (shaped := _unscored(value, head)) is not None:
        return shaped
    listed = _lists_under_keys(value, lists) if len(lists) == len(found) else None
    made = listed or nested(value, found, head)
    if isinstance(made, Nested):
        return Shaped(made.records, made.defaults, made.said, made.levels)
    raise NoScores(made or unknown_shape(value, head))


def _lists_under_keys(value: Record, lists: Sequence[Leaf]) -> Nested | None:
    """Lists of records at one depth, below keys that are no splits, outcomes or pieces of a list; None for others."""
    keys = {normal(key) for leaf in lists for place, key in enumerate(leaf.path) if _varies(lists, place)}
    if len(lists) < 2 or any(key in _PARTS or _NUMBERED.fullmatch(key) for key in keys):
        return None
    beside: dict[str, str] = {}
    for role in ("model", "task"):
        named = [members for leaf in lists for members in _above(value, leaf) if _beside(members, (role,))]
        if named or _of_settings(value, role):
            beside[role] = role
    return None if beside else under_keys(value, lists)


def _varies(lists: Sequence[Leaf], place: int) -> bool:
    return len({leaf.path[place] for leaf in lists if place < len(leaf.path)}) > 1


def _unscored(value: Record, head: FileHead) -> Shaped | None:
    """Lists of records with ids of items, at one depth, whose score has no known header: a mapping may name it."""
    lists = [leaf for leaf in _lists(value) if any(_is("item", key) for key in leaf.value[0])]
    if not lists or len(lists) != len(list(_lists(value))):
        return None
    if len(lists) == 1:
        return _member(lists[0].value, _above(value, lists[0]), "'" + ".".join(lists[0].path) + "'", head)
    made = _lists_under_keys(value, lists)
    return None if made is None else Shaped(made.records, made.defaults, made.said, made.levels)


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


def unknown_shape(value: Record, head: FileHead) -> str:
    """The sentence for an object in none of the shapes."""
    keys = ", ".join(f"'{key}'" for key in list(value)[:6]) + (", …" if len(value) > 6 else "")
    empty = [key for key, inner in value.items() if inner in ([], {})]
    if empty and all(is_scalar(inner) or inner in ([], {}) for inner in value.values()):
        what = "list" if value[empty[0]] == [] else "object"
        return f"{shown(head.path)} has an empty {what} under '{empty[0]}'; no scores are in it"
    return (
        f"{shown(head.path)} is a JSON object (keys {keys}) in no shape that holds one score an attempt; "
        f"{_of_one_run(value, head)}"
        'write a list of records such as {"model": …, "item": …, "score": …}, or JSON Lines'
    )


def is_one_record(value: Any, asked: Sequence[str]) -> bool:
    """Whether a value is one object of single values, some of which the user says to be the score."""
    return isinstance(value, dict) and not value.keys().isdisjoint(asked) and all(map(is_scalar, value.values()))


def _of_one_run(value: Record, head: FileHead) -> str:
    """What to type where an object may be the results of one of several runs, whose names say which it is."""
    from scorebars.engines.file_runs import FILE, pattern_of

    found = [key for key, inner in value.items() if isinstance(inner, Number) and _may_be_score(key)]
    pattern = pattern_of(head.path.absolute().parts[1:-1], stem(head.path)) if head.path.name[:1] != "<" else None
    if not found or pattern is None or not all(map(is_scalar, value.values())):
        return ""
    typed = mapped({"score": found[0], FILE: pattern})
    return f"if it is the result of one run, of files that hold one each: {typed}; else "


def _may_be_score(key: str) -> bool:
    """Whether a key, or a part of it, is the header of a score: 'eval_accuracy', 'test/f1'."""
    words = re.split(r"[_/.]", normal(key))
    parts = {"_".join(words[place:]) for place in range(len(words))}
    return any(map(is_score, parts)) and not less_is_better(key)
