"""JSON as a table: lines, arrays of records, and the objects that people write by hand.

Lines and arrays are streamed by DuckDB, so they may be larger than memory. Any other shape is one JSON value; it is
loaded whole and brought into records:

* an object with one list of records under a key (its other plain members 'model' and 'task' hold for all records);
* an object of equally long lists, one a column;
* model -> {item -> score}, item -> record, model -> {item -> record}: the keys become the columns 'key', 'inner_key';
* model -> list of scores: 'key' and 'position'.

Those columns can be given other roles by name, as any other (``--map task=key,run=position``).
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from scorebars.engines.duckdb import literal, quote
from scorebars.engines.headers import ALIASES, normal
from scorebars.errors import ReadError
from scorebars.readers.columns import is_score
from scorebars.readers.document import fault as describe
from scorebars.readers.document import load
from scorebars.readers.files import check_whole, plain_bytes, shown, text_head
from scorebars.readers.sources import NoScores, Source, compression, file_literal, named

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from scorebars.contracts import FileHead
    from scorebars.engines.duckdb import Engine

_FIRST_LINE: Final = 64 << 20

Record = dict[str, Any]


def json_shape(head: FileHead) -> str:
    """'lines', 'array' (of records) or 'value' (anything else, loaded whole)."""
    text = text_head(head).lstrip()
    if text.startswith("["):
        return "array" if text[1:].lstrip().startswith("{") else "value"
    if ".jsonl" in head.suffixes or ".ndjson" in head.suffixes:
        return "lines"
    return "lines" if _second_line_starts_object(head) else "value"


def _second_line_starts_object(head: FileHead) -> bool:
    """Whether the first line is a whole object and another follows; the first may be longer than the head."""
    with plain_bytes(head) as stream:
        first = b""
        while not first.strip():
            first = stream.readline(_FIRST_LINE)
            if not first:
                return False
        second = stream.readline(64).lstrip()
    return second.startswith(b"{") and first.rstrip().endswith(b"}")


def json_source(head: FileHead, engine: Engine) -> Source:
    """The records of a JSON file."""
    shape = json_shape(head)
    check_whole(head)
    if shape == "value":
        return _loaded(head, engine)
    layout = "newline_delimited" if shape == "lines" else "array"
    relation = f"read_json_objects({file_literal(head.path)}, format = '{layout}', compression = {compression(head)})"
    unit = "line" if shape == "lines" else "record"
    try:
        keys = _keys(relation, engine, head, unit)
    except ReadError as error:
        if "Malformed JSON" in str(error):
            raise _malformed(head, shape, error) from error
        raise
    return Source(named(keys, head.path), lambda wanted: _json_scan(relation, wanted, keys), unit)


def _keys(relation: str, engine: Engine, head: FileHead, unit: str) -> list[str]:
    """Keys of all records: the first record's in their order, then the others sorted. One pass over the file."""
    found = engine.query(
        "SELECT key, count(*) AS n FROM (SELECT unnest(CASE WHEN json_type(json) = 'OBJECT' THEN json_keys(json) "
        f"ELSE [NULL] END) AS key FROM {relation}) GROUP BY key ORDER BY key"
    )
    keys = [key for key in found["key"].tolist() if key is not None]
    if len(keys) < len(found["key"]):
        raise NoScores(_no_object(relation, engine, head, unit))
    if not keys:
        raise NoScores(f"{shown(head.path)} holds no record")
    first = engine.query(f"SELECT unnest(json_keys(json)) AS key FROM (SELECT json FROM {relation} LIMIT 1)")
    ordered = [*dict.fromkeys(first["key"].tolist())]
    return ordered + [key for key in keys if key not in set(ordered)]


def _malformed(head: FileHead, shape: str, error: ReadError) -> ReadError:
    """Where the JSON is broken, found again by the standard library: DuckDB's line is off by one."""
    if shape == "array":
        load(head, _Number)
        return error
    with plain_bytes(head) as stream:
        for number, line in enumerate(stream, start=1):
            try:
                json.loads(line.decode("utf-8-sig") if line.strip() else "0")
            except json.JSONDecodeError as fault:
                where = f"{describe(fault)} at column {fault.pos + 1}"
                return ReadError(f"{shown(head.path)}: line {number} is not valid JSON ({where})")
            except UnicodeDecodeError:
                return ReadError("a byte is not UTF-8")
    return error


def _no_object(relation: str, engine: Engine, head: FileHead, unit: str) -> str:
    bad = engine.query(
        f"SELECT n, kind FROM (SELECT row_number() OVER () AS n, json_type(json) AS kind FROM {relation}) "
        "WHERE kind <> 'OBJECT' LIMIT 1"
    )
    return f"{shown(head.path)}: {unit} {bad['n'][0]} is no object but {bad['kind'][0].lower()}; one object a {unit}"


def _json_scan(relation: str, wanted: Sequence[str], keys: Sequence[str]) -> str:
    paths = ", ".join(literal(_pointer(name, keys)) for name in wanted)
    chosen = [f"v[{place}] AS w{place - 1}" for place in range(1, len(wanted) + 1)]
    return (
        f"SELECT {', '.join((*chosen, 'row_hash'))} FROM (SELECT json_extract_string(json, [{paths}]) AS v, "
        f"CAST(hash(json) AS VARCHAR) AS row_hash FROM {relation})"
    )


def _pointer(name: str, keys: Sequence[str]) -> str:
    """A column, or a dotted field inside one, as a JSON pointer."""
    steps = [name] if name in keys else name.split(".")
    return "".join("/" + step.replace("~", "~0").replace("/", "~1") for step in steps)


def _loaded(head: FileHead, engine: Engine) -> Source:
    """A JSON value of another shape, brought into records and handed to the engine as text columns."""
    value = load(head, _Number)
    records, defaults, said = records_of(value, head)
    names = list(dict.fromkeys(key for record in records for key in record))
    if not names:
        raise NoScores(f"{shown(head.path)} holds no record; no scores are in it")
    columns = {f"c{place}": _text_column(records, name) for place, name in enumerate(names)}
    table = engine.fresh_name("json")
    engine.register(table, columns)

    def scan(wanted: Sequence[str]) -> str:
        places = [_place(name, names) for name in wanted]
        chosen = [f"{expression} AS w{number}" for number, expression in enumerate(places)]
        whole = ", ".join(columns)
        return f"SELECT {', '.join((*chosen, f'CAST(hash({whole}) AS VARCHAR) AS row_hash'))} FROM {quote(table)}"

    return Source(named(names, head.path), scan, "record", defaults, said)


def _place(name: str, names: Sequence[str]) -> str:
    """SQL of a column of the registered table, or of a dotted field inside one."""
    if name in names:
        return f"c{names.index(name)}"
    column = next(known for known in names if known and name.startswith(f"{known}."))
    return f"json_extract_string(c{names.index(column)}, {literal(_pointer(name[len(column) + 1 :], ()))})"


def _text_column(records: Sequence[Record], name: str) -> np.ndarray[Any, np.dtype[np.object_]]:
    column = np.empty(len(records), dtype=object)
    column[:] = [_text(record.get(name)) for record in records]
    return column


def _text(value: Any) -> str | None:
    """A JSON value as text; numbers are already the text that stands in the file."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    return json.dumps(value, ensure_ascii=False)


class _Number(str):
    """The text of a JSON number, told apart from a JSON string."""

    __slots__ = ()


def records_of(value: Any, head: FileHead) -> tuple[list[Record], dict[str, str], tuple[tuple[str, str], ...]]:
    """Records, the roles that the shape gives, and what to say about it."""
    if isinstance(value, list):
        return _from_list(value, head)
    if not isinstance(value, dict):
        raise NoScores(f"{shown(head.path)} holds one {_kind(value)}; a table of scores is needed")
    lists = {key: inner for key, inner in value.items() if _is_records(inner)}
    if lists:
        return _from_member(value, lists, head)
    if value and all(isinstance(inner, list) for inner in value.values()):
        return _from_lists(value, head)
    if value and all(isinstance(inner, dict) for inner in value.values()):
        return _from_objects(value, head)
    raise NoScores(_unknown_shape(value, head))


def _from_list(value: list[Any], head: FileHead) -> tuple[list[Record], dict[str, str], tuple[tuple[str, str], ...]]:
    if not value:
        raise NoScores(f"{shown(head.path)} is an empty list; no scores are in it")
    if not all(_is_scalar(inner) for inner in value):
        raise NoScores(f"{shown(head.path)} is a list of {_kind(value[0])}s; a list of records (objects) is needed")
    return _positioned({}, value), {"item": "position"}, ()


def _from_member(
    value: Record, lists: Mapping[str, list[Record]], head: FileHead
) -> tuple[list[Record], dict[str, str], tuple[tuple[str, str], ...]]:
    """An object with its records under a key; of several lists the only one that has scores."""
    chosen = list(lists)
    if len(chosen) > 1:
        chosen = [key for key, records in lists.items() if any(is_score(name) for name in records[0])]
    if len(chosen) != 1:
        listed = ", ".join(f"'{key}'" for key in lists)
        raise NoScores(
            f"{shown(head.path)} has several lists of records ({listed}); "
            "save the one with the scores as a file of its own (JSON Lines or CSV)"
        )
    records = lists[chosen[0]]
    said = [("records", f"the list '{chosen[0]}'")]
    names = {normal(name) for record in records for name in record}
    constants: Record = {}
    for key, inner in value.items():
        role = next((role for role in ("model", "task") if normal(key) in ALIASES[role]), None)
        if role and _is_scalar(inner) and inner is not None and not names & set(ALIASES[role]):
            constants[key] = inner
            said.append((role, f"'{key}' beside the list"))
    return [constants | record for record in records], {}, tuple(said)


def _from_lists(
    value: Mapping[str, list[Any]], head: FileHead
) -> tuple[list[Record], dict[str, str], tuple[tuple[str, str], ...]]:
    """Columns, if a key is the name of one; else each key's list holds its scores."""
    if not all(_is_scalar(cell) for inner in value.values() for cell in inner):
        raise NoScores(_unknown_shape(dict(value), head))
    if not any(normal(key) in ALIASES[role] for key in value for role in ALIASES):
        records = [record for key, inner in value.items() for record in _positioned({"key": key}, inner)]
        return records, {"model": "key", "item": "position"}, ()
    lengths = {key: len(inner) for key, inner in value.items()}
    if len(set(lengths.values())) > 1:
        listed = ", ".join(f"'{key}': {length:,}" for key, length in lengths.items())
        raise NoScores(f"{shown(head.path)} has columns of unequal length ({listed})")
    return [dict(zip(value, row, strict=True)) for row in zip(*value.values(), strict=True)], {}, ()


def _positioned(start: Record, scores: Sequence[Any]) -> list[Record]:
    return [start | {"position": str(place), "score": score} for place, score in enumerate(scores, start=1)]


def _from_objects(
    value: Mapping[str, Record], head: FileHead
) -> tuple[list[Record], dict[str, str], tuple[tuple[str, str], ...]]:
    """Item -> record, model -> {item -> score} or model -> {item -> record}."""
    if any(is_score(name) for inner in value.values() for name in inner):
        return [{"key": key} | inner for key, inner in value.items()], {"item": "key"}, ()
    cells = list(_inner(value))
    both = {"model": "key", "item": "inner_key"}
    if cells and all(_is_scalar(cell) for _, _, cell in cells):
        return [{"key": key, "inner_key": inner, "score": cell} for key, inner, cell in cells], both, ()
    if cells and all(isinstance(cell, dict) and any(is_score(name) for name in cell) for _, _, cell in cells):
        return [{"key": key, "inner_key": inner} | cell for key, inner, cell in cells], both, ()
    raise NoScores(_unknown_shape(dict(value), head))


def _inner(value: Mapping[str, Record]) -> Iterator[tuple[str, str, Any]]:
    return ((key, inner, cell) for key, members in value.items() for inner, cell in members.items())


def _is_records(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(inner, dict) for inner in value)


def _is_scalar(value: Any) -> bool:
    return value is None or isinstance(value, str | bool)


def _kind(value: Any) -> str:
    if isinstance(value, _Number):
        return "number"
    names = {dict: "object", list: "list", str: "text", bool: "truth value", type(None): "null"}
    return names.get(type(value), "value")


def _unknown_shape(value: Record, head: FileHead) -> str:
    if not value:
        return f"{shown(head.path)} is an empty JSON object; no scores are in it"
    keys = ", ".join(f"'{key}'" for key in list(value)[:6]) + (", …" if len(value) > 6 else "")
    return (
        f"{shown(head.path)} is a JSON object (keys {keys}) in no shape that holds one score an attempt; "
        'write a list of records such as {"model": …, "item": …, "score": …}, or JSON Lines'
    )
