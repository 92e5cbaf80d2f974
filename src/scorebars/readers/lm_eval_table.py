"""A samples file of lm-evaluation-harness as a small table in DuckDB, and what kind of values each metric has.

Lines carry the whole document, prompt and answers, often kilobytes of them; only ids, the filter and the metrics are
taken out, in one pass, so that memory does not grow with the file.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from scorebars.engines.duckdb import literal, quote
from scorebars.engines.unknown_headers import kind_of, may_tell
from scorebars.errors import ReadError, counted, near_miss, typed
from scorebars.readers.added_keys import MODELS, AddedKeys, refuse_settings
from scorebars.readers.document import kind, load, node
from scorebars.readers.files import bad_byte, check_whole, plain_bytes, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from scorebars.contracts import FileHead
    from scorebars.engines.duckdb import Engine

LINE_SIZES: Final = (16 * 1024**2, 64 * 1024**2)
"""Largest line, in bytes; the second is tried where the first is not enough (it costs twice that much a thread)."""
LARGEST_ARRAY: Final = 512 * 1024**2
"""Bytes of a JSON array that are looked at for its first element."""
FIXED: Final = frozenset(
    {"doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics"}
    | {"doc_hash", "prompt_hash", "target_hash", "task_name", "idx"}
    | {"input", "input_media", "token_counts", "raw_filtered_resps", "submission"}
)
"""Keys of a line that are no metric, for versions that do not list their metrics."""
VERDICTS: Final = ("score", "acc", "accuracy", "exact_match", "correct", "is_correct", "match", "hit")
"""Keys of a metric that is an object (lmms-eval) which hold the score of one document; the others describe it."""
_NUMBERS: Final = "('DOUBLE', 'UBIGINT', 'BIGINT', 'HUGEINT', 'UHUGEINT', 'BOOLEAN')"
_TOO_LONG: Final = "a line is longer than {:,} bytes, the most that is read"
_LINE: Final = re.compile(r"in line (\d+)")
_CODECS: Final = {"gz": "gzip", "zst": "zstd", None: "uncompressed"}


@dataclass(frozen=True, slots=True)
class Kinds:
    """How many values of a metric are of which kind."""

    numbers: int
    nested: int
    """Lists and objects: (log-likelihood, words) or (gold, prediction) pairs that only mean something together."""
    texts: int
    within_unit: bool
    """Whether no number lies outside [0, 1]."""


@dataclass(frozen=True, slots=True)
class SampleTable:
    """The table: one row a document and filter, columns item, variant, text_hash, cluster and one a metric."""

    name: str
    metrics: dict[str, str]
    """Metric -> the SQL of its value, as JSON; 'metric.key' where the value is an object that holds the score."""
    kinds: dict[str, Kinds]
    rows: int
    documents: int
    duplicates: int
    """Documents whose text (``doc_hash``) an earlier one already has."""
    has_filter: bool
    has_cluster: bool
    model: str | None = None
    """The key of the model, where the lines name several; the column model then has them."""
    added: tuple[str, ...] = ()
    """Keys that lm-eval does not write, which are the columns added_0, added_1, …"""

    def value(self, metric: str) -> str:
        """The SQL of a metric's value as a number; NULL where it is none."""
        return f"TRY_CAST({self.metrics[metric]} AS DOUBLE)"


def load_samples(head: FileHead, engine: Engine, cluster: str | None) -> SampleTable:
    """Read a samples file into the engine."""
    check_whole(head)
    first = _first_record(head)
    model = next((key for key in MODELS if isinstance(first.get(key), str)), None)
    metrics = tuple(metric for metric in _metrics_of(first) if metric != model)
    added = _added(first, metrics, model)
    metrics = tuple(metric for metric in metrics if metric not in added)
    name = _create(head, engine, metrics, cluster, model, added)
    listed = tuple(
        engine.distinct(f"SELECT unnest(listed) AS metric FROM (SELECT DISTINCT listed FROM {name})", "metric")
    )
    unseen = [metric for metric in listed if metric not in metrics]
    if unseen:
        metrics = (*metrics, *unseen)
        added = tuple(key for key in added if key not in unseen)
        name = _create(head, engine, metrics, cluster, model, added)
    columns = {metric: f"metric_{index}" for index, metric in enumerate(metrics)}
    table = _described(name, columns | _inside(name, columns, engine), engine, cluster is not None)
    table = replace(table, added=added)
    _check_ids(head, engine, table, first, cluster)
    if table.rows > table.documents:  # filters, repeats, or other documents of the same id
        _check_texts(head, engine, table)
    if model is not None and _names_several(head, engine, table, model):
        table = replace(table, model=model)
    if table.added and table.rows > table.documents:
        _check_added(head, engine, table)
    return table


def json_path(path: Path) -> str:
    """A path as DuckDB reads it: characters that it takes for patterns stand in brackets of their own."""
    return literal(re.sub(r"([\[*?])", r"[\1]", str(path)))


def _first_record(head: FileHead) -> dict[str, Any]:
    """The first record, parsed; of a JSON array (0.4.0, which wrote small files) its first element."""
    with plain_bytes(head) as stream:
        if _layout(head) == "array":
            line = stream.read(LARGEST_ARRAY)
        else:
            line = next((line for line in iter(partial(stream.readline, LINE_SIZES[-1]), b"") if line.strip()), b"")
            if len(line) == LINE_SIZES[-1]:
                raise ReadError(f"{shown(head.path)}: {_TOO_LONG.format(LINE_SIZES[-1])}")
    text = line.decode("utf-8", "replace").lstrip("\ufeff[ \t\r\n")
    try:
        record, _ = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError) as error:
        raise ReadError(f"{shown(head.path)}: line 1 is not valid JSON ({error}): truncated or damaged") from error
    return record if isinstance(record, dict) else {}


def _metrics_of(record: dict[str, Any]) -> tuple[str, ...]:
    """The metrics that a record lists, else every key that is not known to be something else."""
    listed = record.get("metrics")
    if isinstance(listed, list) and listed:
        return tuple(dict.fromkeys(str(metric) for metric in listed))
    return tuple(key for key in record if key not in FIXED)


def _added(record: dict[str, Any], metrics: Sequence[str], model: str | None) -> tuple[str, ...]:
    """Keys of a record that lm-eval does not write, and that may tell the lines of a document apart.

    A version that does not list its metrics has all keys as such: of these a setting is none.
    """
    listed = bool(record.get("metrics"))
    return tuple(
        key
        for key, value in record.items()
        if key not in FIXED
        and key != model
        and isinstance(value, str | bool | int | float)
        and may_tell(key)
        and (key not in metrics if listed else kind_of(key) == "setting")
    )


def _create(
    head: FileHead, engine: Engine, metrics: Sequence[str], cluster: str | None, model: str | None, added: Sequence[str]
) -> str:
    name = engine.fresh_name("lm_eval")
    for size in LINE_SIZES:
        try:
            engine.execute(f"CREATE TEMP TABLE {name} AS {_select(head, metrics, cluster, model, added, size)}")
        except ReadError as error:
            if "maximum_object_size" in str(error) and size != LINE_SIZES[-1]:
                continue
            told = _located(head, str(error))
            where = "" if told.startswith(str(shown(head.path))) else f"{shown(head.path)}: "
            raise ReadError(f"{where}{told}") from error
        return name
    raise AssertionError(LINE_SIZES)


def _select(
    head: FileHead, metrics: Sequence[str], cluster: str | None, model: str | None, added: Sequence[str], size: int
) -> str:
    """The one pass: ids, filter, listed metrics, hash, the cluster's field, and each metric as JSON."""
    top = None if cluster is None else cluster.split(".")[0]
    types = {"doc_id": "VARCHAR", "filter": "VARCHAR", "metrics": "VARCHAR[]", "doc_hash": "VARCHAR"}
    types |= dict.fromkeys(metrics, "JSON") | ({} if model is None else {model: "VARCHAR"})
    types |= dict.fromkeys(added, "VARCHAR")
    if top is not None and top not in types:
        types[top] = "JSON"
    columns = ", ".join(f"{literal(key)}: {literal(kind)}" for key, kind in types.items())
    values = "".join(f", {quote(metric)} AS metric_{index}" for index, metric in enumerate(metrics))
    values += "" if model is None else f", {quote(model)} AS model"
    values += "".join(f", {quote(key)} AS added_{index}" for index, key in enumerate(added))
    group = "" if cluster is None else f", {_field(cluster, types)} AS cluster"
    return (
        "SELECT doc_id AS item, filter AS variant, metrics AS listed, "
        f"CASE WHEN doc_hash IS NOT NULL THEN hash(doc_hash) END AS text_hash{values}{group} "
        f"FROM read_json({json_path(head.path)}, format = '{_layout(head)}', columns = {{{columns}}}, "
        f"compression = '{_CODECS[head.compression]}', maximum_object_size = {size}, hive_partitioning = false)"
    )


def _layout(head: FileHead) -> str:
    return "array" if head.head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"[") else "newline_delimited"


def _field(cluster: str, types: dict[str, str]) -> str:
    """The SQL text of a field such as ``doc.subject``."""
    top, *steps = cluster.split(".")
    if types[top] != "JSON":
        return f"CAST({quote(top)} AS VARCHAR)"
    path = "$" + "".join(f'."{step}"' for step in steps)
    return f"json_extract_string({quote(top)}, {literal(path)})"


def _inside(name: str, columns: dict[str, str], engine: Engine) -> dict[str, str]:
    """Scores inside metrics that are objects: 'metric.key' -> SQL."""
    found: dict[str, str] = {}
    for metric, column in columns.items():
        keys = engine.distinct(
            f"SELECT unnest(json_keys({column})) AS key FROM {name} WHERE json_type({column}) = 'OBJECT'", "key"
        )
        inner = {f"{metric}.{key}": f"json_extract({column}, '$.{key}')" for key in VERDICTS if key in keys}
        found |= {one: sql for one, sql in inner.items() if one not in columns}
    return found


def _described(name: str, metrics: dict[str, str], engine: Engine, has_cluster: bool) -> SampleTable:
    parts = ["count(*) AS n", "count(DISTINCT item) AS documents", "count(variant) AS filters"]
    parts.append("count(DISTINCT text_hash) AS texts")
    for index, column in enumerate(metrics.values()):
        kind, value = f"json_type({column})", f"TRY_CAST({column} AS DOUBLE)"
        parts += [
            f"count(*) FILTER ({kind} IN {_NUMBERS}) AS numbers_{index}",
            f"count(*) FILTER ({kind} IN ('ARRAY', 'OBJECT')) AS nested_{index}",
            f"count(*) FILTER ({kind} = 'VARCHAR') AS texts_{index}",
            f"count(*) FILTER ({kind} IN {_NUMBERS} AND NOT ({value} BETWEEN 0 AND 1)) AS outside_{index}",
        ]
    found = {key: int(column[0]) for key, column in engine.query(f"SELECT {', '.join(parts)} FROM {name}").items()}
    kinds = {
        metric: Kinds(found[f"numbers_{i}"], found[f"nested_{i}"], found[f"texts_{i}"], found[f"outside_{i}"] == 0)
        for i, metric in enumerate(metrics)
    }
    return SampleTable(
        name=name,
        metrics=metrics,
        kinds=kinds,
        rows=found["n"],
        documents=found["documents"],
        duplicates=max(0, found["documents"] - found["texts"]) if found["texts"] else 0,
        has_filter=found["filters"] > 0,
        has_cluster=has_cluster,
    )


def _check_ids(head: FileHead, engine: Engine, table: SampleTable, first: dict[str, Any], cluster: str | None) -> None:
    """No document without an id, and none without the cluster that was asked for."""
    missing = "count(*) FILTER (item IS NULL) AS items"
    if cluster is not None:
        missing += ", count(*) FILTER (cluster IS NULL) AS clusters"
    found = engine.query(f"SELECT {missing} FROM {table.name}")
    if int(found["items"][0]):
        absent = int(found["items"][0])
        where = place_of(head, lambda record: not isinstance(record, dict) or record.get("doc_id") is None)
        raise ReadError(
            f"{shown(head.path)}: 'doc_id' is missing in {absent} of {table.rows} lines (the first is {where}): not "
            "lm-eval samples"
        )
    if cluster is not None and int(found["clusters"][0]):
        raise ReadError(
            f"{shown(head.path)}: {int(found['clusters'][0])} of {table.rows} lines have no field '{cluster}' "
            f"to take the cluster from{near_miss(cluster, _fields(first))}"
        )


def _names_several(head: FileHead, engine: Engine, table: SampleTable, model: str) -> bool:
    """Whether the lines name several models, in a key that was added to them; a line without is an error then."""
    found = engine.query(f"SELECT count(DISTINCT model) AS several, count(model) AS n FROM {table.name}")
    if int(found["several"][0]) < 2:
        return False
    if (n := int(found["n"][0])) < table.rows:
        raise ReadError(
            f"{shown(head.path)} names a '{model}' in {n:,} of {table.rows:,} lines; write it in each, or in none"
        )
    return True


def _check_added(head: FileHead, engine: Engine, table: SampleTable) -> None:
    """No key that lm-eval does not write and that tells the lines of a document apart, as the temperature would."""
    columns = {f"added_{index}": key for index, key in enumerate(table.added)}
    model = "coalesce(model, '')" if table.model else "''"
    found = engine.query(
        f"SELECT concat(item, ' ', variant) AS item, {model} AS model, {', '.join(columns)} FROM {table.name}"
    )
    added = AddedKeys(FIXED)
    for number, cells in enumerate(zip(*(found[column].tolist() for column in columns), strict=True), start=1):
        added.add(node(dict(zip(columns.values(), cells, strict=True)), f"{shown(head.path)}: line {number}"))
    query = {} if table.model is None else {"model": table.model}
    query |= {"item": "doc_id", "score": _score_sql(table)}
    refuse_settings(added, list(zip(found["model"].tolist(), found["item"].tolist(), strict=True)), head.path, query)


def _score_sql(table: SampleTable) -> str:
    """The score of a line in SQL over the file."""
    metric = next((name for name in table.metrics if table.kinds[name].numbers), next(iter(table.metrics), "score"))
    return metric if metric.isidentifier() else ".".join(map(quote, metric.split(".")))


def _check_texts(head: FileHead, engine: Engine, table: SampleTable) -> None:
    """No id that stands for two documents, as where the samples of several tasks were written into one file."""
    found = engine.query(
        "SELECT count(*) AS n, min(item) AS item, any_value(filters) AS filters FROM "
        f"(SELECT item, (SELECT count(DISTINCT variant) FROM {table.name}) AS filters "
        f"FROM {table.name} GROUP BY item HAVING min(text_hash) <> max(text_hash))"
    )
    n = int(found["n"][0])
    if not n:
        return
    column = _score_sql(table)
    variant = ', "filter" AS variant' if int(found["filters"][0]) > 1 else ""
    query = typed("--sql", f"SELECT doc_hash AS item{variant}, {column} AS score FROM data")
    raise ReadError(
        f"{shown(head.path)}: {n:,} of {counted(table.documents, 'id')} (such as doc_id {found['item'][0]}) stand for "
        "documents of different texts (doc_hash), as where samples of several tasks are in one file, and they would "
        "count as runs of one item; read the file that lm_eval wrote for each task, or this one as a table in which "
        f"each text is an item: {query}"
    )


def place_of(head: FileHead, is_meant: Callable[[Any], bool]) -> str:
    """The place of the first record that is meant, 'line 3'; read again, for a sentence about what is wrong with it."""
    if _layout(head) == "array":
        return f"record {next((n for n, one in enumerate(load(head), start=1) if is_meant(one)), 1):,}"
    with plain_bytes(head) as stream:
        for number, line in enumerate(stream, start=1):
            if line.strip() and is_meant(json.loads(line)):
                return f"line {number:,}"
    return "no line that is found again"


def _fields(record: dict[str, Any]) -> list[str]:
    """Fields that a cluster can be taken from."""
    document = record.get("doc")
    inner = [f"doc.{key}" for key in document] if isinstance(document, dict) else []
    return [*inner, *(key for key in record if key.endswith("hash"))]


def _located(head: FileHead, message: str) -> str:
    """DuckDB's message with the line that is at fault, which it counts from the line after in some cases."""
    if "UTF-8" in message:
        return bad_byte(head) or message
    if "maximum_object_size" in message:
        return _TOO_LONG.format(LINE_SIZES[-1])
    found = _LINE.search(message)
    line, what = (None, "") if found is None else _bad_line(head, int(found[1]))
    if line is None:
        return message
    return f"line {line:,} is {what}; write the file again (a line less is an item less)"


def _bad_line(head: FileHead, near: int) -> tuple[int | None, str]:
    """The first line that is no JSON or no object, among those around the one that DuckDB names, and what it is."""
    with plain_bytes(head) as stream:
        for number, line in enumerate(stream, start=1):
            if number >= near - 2 and line.strip():
                try:
                    value = json.loads(line.removeprefix(b"\xef\xbb\xbf"))
                except (ValueError, RecursionError):
                    return number, "not valid JSON: truncated or damaged"
                if not isinstance(value, dict):
                    return number, f"{kind(value)}, not an object"
            if number > near:
                break
    return None, ""
