"""JSON as a table: lines, arrays of records, and the objects that people write by hand.

Lines and arrays are streamed by DuckDB, so they may be larger than memory. Any other shape is one JSON value; it is
loaded whole and brought into records by :mod:`scorebars.readers.json_shapes`.
"""

from __future__ import annotations

import json
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from scorebars.engines.duckdb import literal, quote
from scorebars.engines.headers import ALIASES, normal
from scorebars.errors import ReadError
from scorebars.readers.document import fault as describe
from scorebars.readers.document import lines, load
from scorebars.readers.files import check_whole, last_byte, plain_bytes, shown, text_head
from scorebars.readers.json_holders import (
    are_told_apart,
    attempt_records,
    attempts_under,
    held_records,
    held_under,
    names_attempts,
    names_holders,
)
from scorebars.readers.json_records import Shaped
from scorebars.readers.json_values import Number, Record
from scorebars.readers.sources import NoScores, Source, compression, field_of, file_literal, named, row_hash

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scorebars.contracts import FileHead
    from scorebars.engines.duckdb import Engine

_KINDS: Final = {"NULL": "null", "VARCHAR": "text", "ARRAY": "a list", "BOOLEAN": "a truth value"}
"""What DuckDB calls a value that is no object, in our words; others are numbers."""
_EMPTY: Final = "{}\x1f"
"""What stands for the keys of an object that has none."""
_SHORT: Final = 10
"""Bytes below which an object may be empty, whatever blanks are in it."""
_FIRST_LINE: Final = 64 << 20
SAMPLED_FROM: Final = 64 << 20
"""Bytes from which the keys of JSON lines are looked for in the first records only, at first."""
SAMPLED_RECORDS: Final = 1_000


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


def keys_are_sampled(head: FileHead) -> bool:
    """Whether a file is so large that a pass over all records only for their keys is worth avoiding."""
    return head.size >= SAMPLED_FROM and json_shape(head) == "lines"


def json_source(head: FileHead, engine: Engine, *, sampled: bool = False, asked: Sequence[str] = ()) -> Source:
    """The records of a JSON file.

    Args:
        head: The file.
        engine: What reads it.
        sampled: Keys are those of the first records. A later record with a key that is a role's header stops the
            reading with an error, as does whatever else cannot be known so: then it is read again with all keys.
        asked: What the user says the score to be; a file that is one object with such a member is one record.
    """
    shape = json_shape(head)
    if head.member and shape != "value":
        raise ReadError(
            f"{shown(head.path)} is a list of records, so '#{head.member}' names nothing in it; leave it out"
        )
    check_whole(head)
    if shape == "value":
        return _loaded(head, engine, asked)
    if shape == "array" and last_byte(head) != b"]":  # DuckDB takes one that was cut after a comma for a whole one
        load(head, Number)
        raise ReadError(f"{shown(head.path)} is not valid JSON: its list is not closed")
    layout = "newline_delimited" if shape == "lines" else "array"
    relation = f"read_json_objects({file_literal(head.path)}, format = '{layout}', compression = {compression(head)})"
    unit = "line" if shape == "lines" else "record"
    try:
        keys = _first_keys(head) if sampled else _keys(relation, engine, head, unit)
    except ReadError as error:
        if "Malformed JSON" in str(error):
            raise _malformed(head, shape, error) from error
        raise
    if not sampled and names_holders(keys) and (holders := _holders(relation, engine)):
        records, said = held_records(holders, head)
        return _registered(Shaped(records, said=said), head, engine)
    if not sampled and names_attempts(keys) and attempts_under(*_records(relation, engine, "LIMIT 1")):
        return _registered(attempt_records(_records(relation, engine), head), head, engine)
    names = named(keys, head.path)
    places = dict(zip(names, keys, strict=True))
    typed = f"{file_literal(head.path)}, format = '{layout}', compression = {compression(head)}"
    lowered = {key.lower() for key in keys}
    distinct = len(lowered) == len(keys)
    late = _late(keys) if sampled else []

    def scan(wanted: Sequence[str], *, hashed: bool = False) -> str:
        plain = distinct and not hashed and all(name and places.get(name) == name for name in wanted)
        if sampled and not plain:
            raise ReadError("the keys of all records are needed")
        return _typed_scan(typed, wanted, late) if plain else _json_scan(relation, wanted, places, hashed=hashed)

    return Source(names, scan, unit, fields=lambda: _fields(relation, keys, engine))


def _holders(relation: str, engine: Engine) -> list[Record]:
    """The records, loaded whole, where the first holds a list of records with scores; none elsewhere."""
    if not held_under(*_records(relation, engine, "LIMIT 1")):
        return []
    holders = _records(relation, engine)
    return holders if are_told_apart(holders) else []


def _records(relation: str, engine: Engine, some: str = "") -> list[Record]:
    """The records, loaded whole; or some of them."""
    texts = engine.query(f"SELECT json::VARCHAR AS json FROM {relation} {some}")["json"].tolist()
    return [json.loads(text, parse_int=Number, parse_float=Number) for text in texts]


def _late(keys: Sequence[str]) -> list[str]:
    """Headers of roles that the first records do not fill; of errors there may be several columns."""
    filled = {normal(key) for key in keys}
    lowered = {key.lower() for key in keys}
    open_roles = (names for role, names in ALIASES.items() if role == "status" or filled.isdisjoint(names))
    return [name for names in open_roles for name in names if name not in lowered]


def _fields(relation: str, keys: Sequence[str], engine: Engine) -> dict[str, tuple[str, ...]]:
    """The members of the objects in each column, over all records; one pass over the file."""
    paths, names = (", ".join(map(literal, each)) for each in ([f"/{_escaped(key)}" for key in keys], keys))
    found = engine.query(
        "SELECT key, field, min(place) AS first FROM (SELECT key, unnest(fields) AS field, unnest(range(len(fields))) "
        f"AS place FROM (SELECT unnest(json_keys(json, [{paths}])) AS fields, unnest([{names}]) AS key "
        f"FROM {relation})) GROUP BY key, field ORDER BY key, first, field"
    )
    members: dict[str, list[str]] = {}
    for key, name in zip(found["key"].tolist(), found["field"].tolist(), strict=True):
        members.setdefault(key, []).append(name)
    return {key: tuple(members[key]) for key in keys if key in members}


def _first_keys(head: FileHead) -> list[str]:
    """Keys of the first records, in the order of :func:`_keys`; the database would read tens of megabytes for them."""
    records = [record.value for record in islice(lines(head), SAMPLED_RECORDS)]
    first = list(records[0])
    return first + sorted({key for record in records for key in record} - set(first))


def _keys(relation: str, engine: Engine, head: FileHead, unit: str) -> list[str]:
    """Keys of all records: the first record's in their order, then the others sorted. One pass over the file."""
    # Looked at only where the text is short: lists of keys are not compared.
    empty = f"strlen(json::VARCHAR) < {_SHORT} AND json_type(json) = 'OBJECT' AND json_keys(json) = []"
    found = engine.query(
        f"SELECT key, count(*) AS n FROM (SELECT unnest(CASE WHEN {empty} THEN [{literal(_EMPTY)}] "
        "WHEN json_type(json) = 'OBJECT' THEN json_keys(json) "
        f"ELSE [NULL] END) AS key FROM {relation}) GROUP BY key ORDER BY key"
    )
    listed = found["key"].tolist()
    keys = [key for key in listed if key is not None and key != _EMPTY]
    if None in listed:
        raise NoScores(_no_object(relation, engine, head, unit))
    if not keys:
        raise NoScores(f"{shown(head.path)} holds no record")
    if _EMPTY in listed:
        raise ReadError(_empty(relation, engine, head, unit))
    first = engine.query(f"SELECT unnest(json_keys(json)) AS key FROM (SELECT json FROM {relation} LIMIT 1)")
    ordered = [*dict.fromkeys(first["key"].tolist())]
    return ordered + [key for key in keys if key not in set(ordered)]


def _malformed(head: FileHead, shape: str, error: ReadError) -> ReadError:
    """Where the JSON is broken, found again by the standard library: DuckDB's line is off by one."""
    if shape == "array":
        load(head, Number)
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
    kind = _KINDS.get(bad["kind"][0], "a number")
    place = _place_of(int(bad["n"][0]), head, unit)
    return f"{shown(head.path)}: {unit} {place} is no object but {kind}; one object a {unit}"


def _empty(relation: str, engine: Engine, head: FileHead, unit: str) -> str:
    bad = engine.query(
        f"SELECT n FROM (SELECT row_number() OVER () AS n, json_keys(json) AS keys FROM {relation}) "
        "WHERE keys = [] LIMIT 1"
    )
    place = _place_of(int(bad["n"][0]), head, unit)
    return f"{shown(head.path)}: {unit} {place} is an empty object; give its item and score, or leave it out"


def _place_of(number: int, head: FileHead, unit: str) -> int:
    """The place of a record: of one on a line of its own the line, since blank ones are no records."""
    if unit != "line":
        return number
    with plain_bytes(head) as stream:
        filled = (place for place, line in enumerate(stream, start=1) if line.strip(b" \t\r\n\xef\xbb\xbf"))
        return next(islice(filled, number - 1, None), number)


def _typed_scan(file: str, wanted: Sequence[str], late: Sequence[str]) -> str:
    """Members of the records alone, which DuckDB takes from the text in one go; a late key stops it.

    Late keys are read as true or false, whose columns are a sixteenth of those of texts: what is neither is an error
    too.
    """
    kinds = dict.fromkeys(late, "BOOLEAN") | dict.fromkeys(wanted, "VARCHAR")
    columns = ", ".join(f"{literal(name)}: '{kinds[name]}'" for name in dict.fromkeys((*wanted, *late)))
    chosen = ", ".join(f"{quote(name)} AS w{place}" for place, name in enumerate(wanted))
    unseen = " AND ".join(f"{quote(name)} IS NULL" for name in late)
    stop = f" WHERE CASE WHEN {unseen} THEN true ELSE error('a key that the first records lack') END" if late else ""
    return f"SELECT {chosen} FROM read_json({file}, columns = {{{columns}}}){stop}"


def _json_scan(relation: str, wanted: Sequence[str], keys: Mapping[str, str], *, hashed: bool) -> str:
    """Members and what is inside them, by their paths in each record."""
    paths = ", ".join(literal(_pointer(name, keys)) for name in wanted)
    chosen = [f"v[{place}] AS w{place - 1}" for place in range(1, len(wanted) + 1)]
    found = [f"json_extract_string(json, [{paths}]) AS v"]
    if hashed:
        chosen.append("row_hash")
        found.append(row_hash(["json"]))
    return f"SELECT {', '.join(chosen)} FROM (SELECT {', '.join(found)} FROM {relation})"


def _pointer(name: str, keys: Mapping[str, str]) -> str:
    """A column, or a dotted field inside one, as a JSON pointer. ``keys``: a column's name -> its key in the file."""
    column, field = (name, "") if name in keys else field_of(name, list(keys))
    key = keys.get(column, column)
    steps = [key, *field.split(".")] if field else [key]
    return "".join("/" + _escaped(step) for step in steps)


def _escaped(step: str) -> str:
    return step.replace("~", "~0").replace("/", "~1")


def _loaded(head: FileHead, engine: Engine, asked: Sequence[str]) -> Source:
    """A JSON value of another shape, brought into records and handed to the engine as text columns."""
    from scorebars.readers.json_shapes import is_one_record, member_of, records_of

    value = load(head, Number, unique=True)
    if is_one_record(value, asked) and not head.member:
        return _registered(
            Shaped([value], said=(("records", "the object, which is one"),), queried="data"), head, engine
        )
    return _registered(member_of(value, head) if head.member else records_of(value, head), head, engine)


def _registered(shaped: Shaped, head: FileHead, engine: Engine) -> Source:
    records = shaped.records
    names = list(dict.fromkeys(key for record in records for key in record))
    if not names:
        raise NoScores(f"{shown(head.path)} holds no record; no scores are in it")
    headers = named(names, head.path)
    columns = {f"c{place}": _text_column(records, name) for place, name in enumerate(names)}
    table = engine.fresh_name("json")
    engine.register(table, columns)

    def scan(wanted: Sequence[str], *, hashed: bool = False) -> str:
        places = [_place(name, headers) for name in wanted]
        chosen = [f"{expression} AS w{number}" for number, expression in enumerate(places)]
        chosen += [row_hash(columns)] if hashed else []
        return f"SELECT {', '.join(chosen)} FROM {quote(table)}"

    def fields() -> dict[str, tuple[str, ...]]:
        return {name: members for name in names if (members := _members(records, name))}

    return Source(
        headers,
        scan,
        "record",
        defaults=shaped.defaults,
        said=shaped.said,
        fields=fields,
        notes=shaped.notes,
        levels=shaped.levels,
        crossed=shaped.crossed,
        queried=shaped.queried,
    )


def _members(records: Sequence[Record], name: str) -> tuple[str, ...]:
    """The members of the objects in a column."""
    inner = (record.get(name) for record in records)
    return tuple(dict.fromkeys(key for cell in inner if isinstance(cell, dict) for key in cell))


def _place(name: str, names: Sequence[str]) -> str:
    """SQL of a column of the registered table, or of a dotted field inside one."""
    if name in names:
        return f"c{names.index(name)}"
    column, field = field_of(name, names)
    steps = "".join("/" + _escaped(step) for step in field.split("."))
    return f"json_extract_string(c{names.index(column)}, {literal(steps)})"


def _text_column(records: Sequence[Record], name: str) -> np.ndarray[Any, np.dtype[np.object_]]:
    column = np.empty(len(records), dtype=object)
    column[:] = [text_of(record.get(name)) for record in records]
    return column


def text_of(value: Any) -> str | None:
    """A JSON value as text; numbers are already the text that stands in the file."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    return json.dumps(value, ensure_ascii=False)
