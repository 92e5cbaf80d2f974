"""lighteval: ``details_<task>_<date>.parquet`` (``--save-details``), a row a document with a struct of its metrics.

The columns are ``__doc__``, ``__model_response__`` and ``__metric__`` (without the underscores from 0.13 on; one column
``metrics`` before 0.10). task and model come from the path, item = the document's id or the row's number. The
``results_<date>.json`` of the run holds averages.
"""

from __future__ import annotations

import ast
import json
import math
import re
import shutil
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from scorebars.engines.duckdb import quote
from scorebars.errors import ReadError
from scorebars.readers.added_keys import AddedKeys, refuse_added
from scorebars.readers.document import id_text, kind, load, node
from scorebars.readers.faults import located
from scorebars.readers.files import head_of, opened, plain_bytes, shown, stem
from scorebars.readers.naming import from_path
from scorebars.readers.other_settings import flat
from scorebars.readers.records import Rows, each, refuse_mapping
from scorebars.readers.repeated import date_text
from scorebars.readers.sniff import outline
from scorebars.readers.sources import NoScores, Scratch, file_literal
from scorebars.readers.totals import Total, disagreements, mean

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scorebars.contracts import FileHead, Part, Request, Settings
    from scorebars.engines.duckdb import Engine
    from scorebars.notes import Note

COLUMNS: Final = (("__metric__", "__doc__"), ("metric", "doc"), ("metrics", "full_prompt"))
"""The column of metrics and one that stands beside it, of each generation of the format."""
FOOTER: Final = 1 << 20
"""Bytes at the end of a file in which Parquet names its columns."""
_PLAIN: Final = ("VARCHAR", "BOOLEAN", "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "FLOAT", "DOUBLE")
_WRITTEN: Final = frozenset(
    {"example", "instruction", "full_prompt", "metrics", "predictions", "gold", "specifics", "truncated", "padded"}
    | {"num_effective_few_shots", "num_asked_few_shots", "choices", "gold_index", "input_tokens", "cont_tokens"}
    | {"pred_logits"}
)
"""Columns that versions of lighteval have written; since 0.9 all are objects."""
NO_FOLDER: Final = "the folder's name (no folder 'details' above the file)"
_NAME: Final = re.compile(r"^details_(?P<task>.+)_(?P<date>\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}(\.\d+)?)$")
_AGGREGATE: Final = frozenset({"config_general", "results"})


@dataclass(frozen=True, slots=True)
class LightevalReader:
    """Reads what ``lighteval … --save-details`` writes."""

    @property
    def name(self) -> str:
        """As on the command line and in notes."""
        return "lighteval"

    def claims(self, head: FileHead) -> bool:
        """Parquet with a column of metrics beside one of documents, or the averages of a run."""
        if head.head.startswith(b"PAR1"):
            return _NAME.match(stem(head.path)) is not None or _has_columns(head)
        keys = outline(head)
        return not keys.is_list and (keys.top >= _AGGREGATE or "config_general" in keys.top)

    def read(self, heads: Sequence[FileHead], request: Request) -> Iterator[Part]:
        """One part a file of details; averages are an error where no details are read."""
        refuse_mapping(request, "lighteval details")
        some = any(head.head.startswith(b"PAR1") for head in heads)

        def part(head: FileHead) -> Part | None:
            if head.head.startswith(b"PAR1"):
                return _part(head, request.engine)
            if some:
                return None
            raise NoScores(
                f"{shown(head.path)} holds averages of a lighteval run, no score of a document; run lighteval with "
                "--save-details and read the details_*.parquet files"
            )

        return each(heads, part)


def _has_columns(head: FileHead) -> bool:
    """Whether the file's own list of columns, which is at its end, has those of details."""
    if head.compression is None:
        with opened(head.path) as stream:
            stream.seek(max(0, head.size - FOOTER))
            end = stream.read()
    else:
        with plain_bytes(head) as packed:
            end = packed.read()[-FOOTER:]
    return any(all(_spelt(name) in end for name in names) for names in COLUMNS)


def _spelt(name: str) -> bytes:
    """A name as the footer has it: its length before it."""
    return bytes([len(name)]) + name.encode()


def _part(head: FileHead, engine: Engine) -> Part:
    with Scratch() as scratch:
        path = head.path
        if head.compression is not None:
            path = scratch.path("details.parquet")
            with plain_bytes(head) as stream, path.open("wb") as target:
                shutil.copyfileobj(stream, target)
        try:
            relation = f"read_parquet({file_literal(path)}, hive_partitioning = false)"
            ids, values = _columns(relation, engine, head)
            _refuse_added(head, relation, engine, ids)
        except ReadError as error:
            raise located(error, head) from error
    return _rows(head, ids, [_metrics(value, number, head) for number, value in enumerate(values, start=1)])


def _refuse_added(head: FileHead, relation: str, engine: Engine, ids: Sequence[Any]) -> None:
    """Refuse rows of several models or settings, under columns of plain values that lighteval does not write."""
    types = engine.columns(f"SELECT * FROM {relation}")
    names = [name for name, kind in types.items() if kind in _PLAIN and name not in _WRITTEN]
    if not names:
        return
    chosen = ", ".join(f"CAST({quote(name)} AS VARCHAR) AS c{place}" for place, name in enumerate(names))
    found = engine.query(f"SELECT {chosen} FROM {relation}")
    added = AddedKeys(_WRITTEN)
    for number, cells in enumerate(zip(*(column.tolist() for column in found.values()), strict=True), start=1):
        added.add(node(dict(zip(names, cells, strict=True)), f"{shown(head.path)}: row {number}"))
    refuse_added(added, [str(place) if one is None else str(one) for place, one in enumerate(ids)], head.path)


def _columns(relation: str, engine: Engine, head: FileHead) -> tuple[list[Any], list[str | None]]:
    """The documents' ids (None where there are none) and their metrics as JSON text."""
    types = engine.columns(f"SELECT * FROM {relation}")
    names = next((names for names in COLUMNS if set(names) <= set(types)), None)
    if names is None:
        raise NoScores(f"{shown(head.path)} has no column of metrics ({', '.join(types)}); no scores are in it")
    metric, document = names
    text = quote(metric) if types[metric] == "VARCHAR" else f"CAST(to_json({quote(metric)}) AS VARCHAR)"
    item = _id_of(document, relation, engine)
    found = engine.query(f"SELECT {item} AS item, {text} AS metrics FROM {relation}")
    return found["item"].tolist(), found["metrics"].tolist()


def _id_of(document: str, relation: str, engine: Engine) -> str:
    """SQL of the document's id; NULL where documents have none, as those that are text."""
    item = f"CAST({quote(document)}.id AS VARCHAR)"
    try:
        engine.columns(f"SELECT {item} AS item FROM {relation}")
    except ReadError:
        return "CAST(NULL AS VARCHAR)"
    return item


def _metrics(text: str | None, number: int, head: FileHead) -> dict[str, Any]:
    """The metrics of a row; where a run could not be stored as it was, lighteval wrote Python's own text of it."""
    where = f"{shown(head.path)}: row {number}"
    if text is None:
        return {}
    try:
        value = json.loads(text)
    except ValueError:
        value = _literal(text, where)
    if not isinstance(value, dict):
        raise ReadError(f"{where}: its metrics are {kind(value)}, not an object")
    return value


def _literal(text: str, where: str) -> Any:
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError) as error:
        raise ReadError(f"{where}: its metrics are '{text[:60]}', which is no object of numbers") from error


def _rows(head: FileHead, ids: Sequence[Any], table: Sequence[dict[str, Any]]) -> Part:
    if not table:
        raise NoScores(f"{shown(head.path)} has no rows; no scores are in it")
    metrics = list(dict.fromkeys(name for values in table for name in values))
    unusable = {metric: why for metric in metrics if (why := _no_score([values.get(metric) for values in table]))}
    usable = [metric for metric in metrics if metric not in unusable]
    if not usable:
        listed = "; ".join(f"'{metric}': {why}" for metric, why in unusable.items())
        raise NoScores(f"{shown(head.path)} has no metric with a score ({listed or 'no metric at all'})")
    numbered = len({*ids}) < len(ids) or any(not item for item in ids)
    model, source = _model(head.path)
    name = _NAME.match(stem(head.path))
    task = name["task"] if name else stem(head.path).removeprefix("details_")
    rows = Rows()
    for number, (item, values) in enumerate(zip(ids, table, strict=True)):
        for metric in usable:
            score = values.get(metric)
            rows.add(
                model=model, task=task, item=str(number) if numbered else id_text(item, shown(head.path)),
                metric=metric, score=math.nan if score is None else float(score),
            )  # fmt: skip
    mapping = {"model": source, "task": "the file's name"}
    mapping["item"] = "the row's number (ids are missing or repeat)" if numbered else "the document's id"
    mapping |= {"metric": "the fields of the metrics", "score": "their values"}
    notes = [*(_averages(head.path, task, name["date"], rows) if name else ())]
    if source == NO_FOLDER:
        notes.append(from_path(model, "its folder", "no folder 'details' or 'details_…' above the file names it"))
    part = rows.part(head.path, "lighteval", mapping, on_error="drop", unusable=unusable, notes=notes)
    if not name:
        return part
    settings = _settings(_results_of(head.path, name["date"]))
    return replace(
        part, created=date_text(_date(name["date"])), settings=(((model, task), settings),) if settings else ()
    )


def _results_of(details: Path, date: str) -> Path | None:
    """The results of the run that details are of: ``results/<model>/results_<date>.json``."""
    folders = details.absolute().parent.parts
    if "details" not in folders[:-1]:
        return None
    start = len(folders) - 1 - folders[::-1].index("details")
    path = Path(*folders[:start], "results", *folders[start + 1 : -1], f"results_{date}.json")
    return path if path.is_file() else None


_SETTINGS: Final = ("generation_parameters", "system_prompt", "dtype", "revision", "use_chat_template", "chat_template")
"""What of a model's configuration says how its answers were made."""


def _settings(path: Path | None) -> Settings:
    """How the answers of a run were made, as the configuration in its results says."""
    if path is None:
        return ()
    general = node(load(head_of(path)), shown(path)).node("config_general")
    config = general.value | general.node("model_config").value
    return flat({name: config.get(name) for name in _SETTINGS})


def _averages(details: Path, task: str, date: str, rows: Rows) -> Iterator[Note]:
    """A note where the results of the run, ``results/<model>/results_<date>.json``, give other means."""
    path = _results_of(details, date)
    if path is None:
        return
    results = node(load(head_of(path)), shown(path)).node("results")
    said = next((results.node(key) for key in results.value if _plain(key) == _plain(task)), None)
    own: dict[str, list[float]] = {}
    for metric, score in zip(rows.cells["metric"], rows.cells["score"], strict=True):
        own.setdefault(metric, []).append(score)
    if said is not None:
        found = [Total(f"'{metric}' of '{task}'", said.value.get(metric), mean(own[metric])) for metric in own]
        yield from disagreements(shown(path), found)


def _plain(task: str) -> str:
    """A task's name without the signs that differ between a key and a file's name."""
    return re.sub(r"[^A-Za-z0-9]+", " ", task).strip()


def _no_score(values: Sequence[Any]) -> str | None:
    """Why a metric's values are no scores; None if they are."""
    nested = sum(isinstance(value, list | dict) for value in values)
    if nested:
        return (
            f"{nested} of its values are lists or objects, which lighteval only aggregates over all documents: one "
            "document has no score of its own"
        )
    words = [value for value in values if isinstance(value, str)]
    if words:
        return f"{len(words)} of its values are text, not numbers ('{words[0][:30]}')"
    numbers = [float(value) for value in values if value is not None]
    if any(math.isinf(number) for number in numbers):
        return "some of its values are infinite"
    return None if any(not math.isnan(number) for number in numbers) else "it is null for every document"


def _model(path: Path) -> tuple[str, str]:
    """From ``details/<model>/<date>/``; a data set of the hub is called ``details_<model>``."""
    folders = path.absolute().parent.parts
    if "details" in folders[:-1]:
        start = len(folders) - 1 - folders[::-1].index("details")
        between = folders[start + 1 : -1] or folders[start + 1 :]
        return "/".join(between), "the folders between 'details' and the date"
    for folder in reversed(folders):
        if folder.startswith("details_"):
            name = folder.removeprefix("details_").removesuffix("_private")
            return name.replace("__", "/", 1), f"the folder '{folder}'"
    name = folders[-2] if len(folders) > 2 and re.match(r"\d{4}-\d{2}-\d{2}T", folders[-1]) else folders[-1]
    return name, NO_FOLDER


def _date(text: str) -> str:
    """'2025-01-02T03-04-05.678' as ISO writes it."""
    day, _, time = text.partition("T")
    return f"{day}T{time.replace('-', ':')}"
