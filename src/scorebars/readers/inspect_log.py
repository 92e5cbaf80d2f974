"""Inspect AI logs (``.eval`` zips and ``.json``): one row for each metric of each sample and epoch.

model = ``eval.model``, task = ``eval.task``, item = ``sample.id`` as text, run = ``epoch``, metric = the scorer's name,
or ``scorer.key`` where a score is a dict and ``scorer[i]`` where it is a list. Scores come from ``samples/`` alone.
Samples that ended in an error have no scores; Inspect drops them, and so does this reader's default.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from scorebars.contracts import FileHead, Part, Request
from scorebars.errors import ReadError
from scorebars.notes import note
from scorebars.readers.files import shown
from scorebars.readers.inspect_fields import FIELDS, Picker
from scorebars.readers.inspect_header import (
    METADATA,
    Wanted,
    cluster_of,
    created,
    object_of,
    plain,
    results_of,
    role_text,
    scorers,
    settings,
    wanted_of,
)
from scorebars.readers.inspect_json import read_json
from scorebars.readers.inspect_notes import notes_on, unfinished, words_left_out
from scorebars.readers.inspect_samples import RawLog, RawSample, read_eval
from scorebars.readers.inspect_scores import MARKS, MetricColumn, flatten, scorer_of
from scorebars.readers.unfinished import is_blank

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

_ZIP: Final = b"PK\x03\x04"
_ZIP_NAMES: Final = (b"_journal/", b"header.json", b"samples/")
_EVAL_OBJECT: Final = re.compile(rb'"eval"\s*:\s*\{')
_EVAL_KEYS: Final = (b'"task"', b'"model"', b'"dataset"', b'"created"', b'"run_id"', b'"task_id"')


@dataclass(frozen=True, slots=True)
class Attempt:
    """What is kept of a sample."""

    item: str
    run: str
    values: tuple[tuple[str, Any], ...]
    """(metric, value), as the log has them."""
    failed: bool
    invalidated: bool
    """Marked invalid by a person, after the run."""
    cluster: str | None


@dataclass(frozen=True, slots=True)
class InspectReader:
    """Reads Inspect logs without Inspect."""

    @property
    def name(self) -> str:
        """As on the command line and in notes."""
        return "inspect"

    def claims(self, head: FileHead) -> bool:
        """A zip with a log's members (or named ``.eval``), or a JSON object with the ``eval`` block of a log."""
        if head.head.startswith(_ZIP):
            return head.suffixes[-1:] == (".eval",) or any(name in head.head for name in _ZIP_NAMES)
        if head.suffixes[-1:] == (".eval",):
            return True
        return is_json_log(head.head)

    def read(self, heads: Sequence[FileHead], request: Request) -> Iterator[Part]:
        """One part a log. Logs without a score are an error if there is no other, else empty parts with a note.

        A log of errors alone whose header names no scorer has the metrics of the other logs of its task.
        """
        wanted = wanted_of(request)
        picker = Picker(request.engine, FIELDS if wanted.cluster is None else (*FIELDS, "metadata"))
        empty: list[Part] = []
        unnamed: list[RawLog] = []
        metrics: dict[str, dict[str, None]] = {}
        found = False
        for head in heads:
            log = _load(head, wanted.cluster, picker)
            if _is_unnamed(log):
                unnamed.append(log)
                continue
            part = _part(log, wanted)
            if part.mapping:
                found = True
                metrics.setdefault(role_text(log, wanted, "task"), {}).update(dict.fromkeys(_metrics_of(part)))
                yield part
            else:
                empty.append(part)
        for log in unnamed:
            found = True
            yield _part(log, wanted, tuple(metrics.get(role_text(log, wanted, "task"), ())))
        if empty and not found:
            raise ReadError(empty[0].notes[0].message)
        yield from empty


def is_json_log(head: bytes) -> bool:
    """Whether the first bytes of a JSON file are those of an Inspect log."""
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")
    if not start.startswith(b"{"):
        return False
    block = _EVAL_OBJECT.search(start)
    return block is not None and sum(key in start[block.end() :] for key in _EVAL_KEYS) >= 3


def _load(head: FileHead, field: str | None, picker: Picker) -> RawLog:
    def keep(sample: RawSample) -> Attempt:
        return _attempt(sample, field, head.path)

    if head.head.startswith(_ZIP):
        return read_eval(head.path, keep, picker)
    if is_blank(head):
        raise ReadError(f"{shown(head.path)} is empty: nothing of its run was written; run it again")
    if not head.head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        raise ReadError(f"{shown(head.path)}: named .eval, but neither a zip file nor JSON: not an Inspect log")
    return read_json(head, keep, picker.fields)


def _attempt(sample: RawSample, field: str | None, path: Path) -> Attempt:
    """The part of a sample that scores need; a sample without an id, or with scores of another shape, is an error."""
    fields = sample.fields
    if fields.get("id") is None:
        lacks = "an 'id' of null" if "id" in fields else "no 'id'"
        raise ReadError(f"{shown(path)}: {sample.where} has {lacks}: not a sample of an Inspect log")
    scores = fields.get("scores")
    if scores is None:
        scores = {"score": fields["score"]} if fields.get("score") is not None else {}
    if not isinstance(scores, dict):
        raise ReadError(
            f"{shown(path)}: {sample.where}: 'scores' is a {type(scores).__name__}, not an object of scorers"
        )
    item = plain(fields["id"])
    run = plain(1 if fields.get("epoch") is None else fields["epoch"])
    for name, text, rule, fits in (
        ("id", item, "a text or a number", not isinstance(fields["id"], list | dict | bool)),
        ("epoch", run, "a whole number", run.isdecimal()),
    ):
        if not fits:
            raise ReadError(f"{shown(path)}: {sample.where}: '{name}' is {text[:60]}, not {rule}")
    return Attempt(
        item=item,
        run=run,
        values=tuple(flatten(scores)),
        failed=fields.get("error") is not None,
        invalidated=fields.get("invalidation") is not None,
        cluster=None if field is None else cluster_of(sample, field, shown(path)),
    )


def _nothing_in(log: RawLog) -> str | None:
    """Why a log holds no row; None if it does."""
    kept = len(log.samples)
    if not kept and not log.complete:
        return "the run ended before the first sample was written (only its start is there): nothing to read"
    if not kept:
        return (
            f"only the header is there, no samples (status '{log.header.get('status')}'): "
            "intervals need the score of each sample; use the log with its samples, not a header-only copy"
        )
    failed = sum(attempt.failed for attempt in log.samples)
    if failed == kept or any(attempt.values for attempt in log.samples):
        return None
    if results_of(log):
        none = "the only kept sample holds no" if kept == 1 else f"none of the {kept} kept samples holds a"
        return f"the header has results, but {none} score: the file was thinned out"
    samples = "1 sample" if kept == 1 else f"{kept} samples"
    errors = f" ({failed} in error)" if failed else ""
    return f"{samples}{errors} and no scores: no scorer ran; score the log first (inspect score {log.path.name})"


def _is_unnamed(log: RawLog) -> bool:
    """Whether nothing in a log says what its samples would be scored by: all ended in an error."""
    return _nothing_in(log) is None and not any(attempt.values for attempt in log.samples) and not scorers(log)


def _part(log: RawLog, wanted: Wanted, metrics: Sequence[str] = ()) -> Part:
    """The rows of a log; ``metrics``: those of a log that names none."""
    reason = _nothing_in(log)
    if reason is not None:
        return _empty_part(log.path, reason, {})
    columns = _metric_columns(log, wanted, metrics)
    unusable = {name: why for name, column in columns.items() if (why := column.unusable)} | _artefacts(log, columns)
    usable = {name: column for name, column in columns.items() if name not in unusable}
    if not usable:
        name, reason = next(iter(unusable.items()))
        return _empty_part(log.path, f"metric '{name}' is no score: {reason}", unusable)
    return Part(
        path=log.path,
        reader="inspect",
        rows=_rows(log, usable, wanted),
        mapping=_mapping(wanted),
        dropped=(("older copies of a sample", log.rewritten),) if log.rewritten else (),
        notes=(*notes_on(log, usable), *words_left_out(columns, unusable)),
        on_error="drop",
        score_range=_range(log, usable),
        unusable=tuple(unusable.items()),
        created=created(log),
        unfinished=unfinished(log),
        words=_words(columns, wanted),
        settings=((_of(log, wanted), settings(log)),),
    )


def _metrics_of(part: Part) -> list[str]:
    return [] if isinstance(part.rows, str) else list(dict.fromkeys(part.rows["metric"].tolist()))


def _of(log: RawLog, wanted: Wanted) -> tuple[str, ...]:
    """The model, task and asked variant of a log."""
    roles = ("model", "task", "variant") if "variant" in wanted.roles else ("model", "task")
    return tuple(role_text(log, wanted, role) for role in roles)


def _words(columns: dict[str, MetricColumn], wanted: Wanted) -> tuple[str, ...]:
    """Words that scores are, if the caller gave numbers to some."""
    if not wanted.categories:
        return ()
    met = {word for column in columns.values() for word in (*column.texts, *column.words)}
    return tuple(sorted(met))


def _empty_part(path: Path, reason: str, unusable: dict[str, str]) -> Part:
    nothing = np.array([], dtype=object)
    rows = {**dict.fromkeys(("model", "task", "item", "run", "metric", "status"), nothing), "score": np.array([])}
    remark = note("header-only", detail=f"{shown(path)}: {reason}")
    return Part(path, "inspect", rows, notes=(remark,), unusable=tuple(unusable.items()))


def _mapping(wanted: Wanted) -> tuple[tuple[str, str], ...]:
    marks = ", ".join(f"{mark} = {value:g}" for mark, value in MARKS.items())
    roles = {"model": "eval.model", "task": "eval.task", **wanted.roles}
    samples = {
        "item": "sample.id",
        "run": "sample.epoch",
        "metric": "the scorer's name (scorer.key, scorer[i])",
        "score": f"score.value ({marks})",
        "status": "sample.error",
    }
    if wanted.cluster is not None:
        samples["cluster"] = f"sample.metadata.{wanted.cluster.removeprefix(METADATA)}"
    return tuple({**roles, **samples}.items())


def _metric_columns(log: RawLog, wanted: Wanted, metrics: Sequence[str]) -> dict[str, MetricColumn]:
    """Every metric of the log; where all samples failed, the scorers of the header, without a value."""
    columns: dict[str, MetricColumn] = {}
    for index, attempt in enumerate(log.samples):
        for metric, value in attempt.values:
            if metric not in columns:
                columns[metric] = MetricColumn(wanted.categories)
            columns[metric].put(index, value)
    if not columns:
        columns = {name: MetricColumn() for name in scorers(log) or metrics or ["score"]}
    for column in columns.values():
        column.pad(len(log.samples))
    return columns


def _artefacts(log: RawLog, columns: dict[str, MetricColumn]) -> dict[str, str]:
    """Scorers among several that have no metrics in the results and one value throughout: records, not scores."""
    measured = {str(score.get("scorer")) for score in results_of(log) if score.get("metrics")}
    if not measured:
        return {}
    known = {name for attempt in log.samples for name, _ in attempt.values} | measured
    constant = [
        name
        for name, column in columns.items()
        if scorer_of(name, known) not in measured and len({v for v in column.values if not math.isnan(v)}) == 1
    ]
    reason = "one value throughout and no metrics in the log's results: a record of the run, not a score"
    return dict.fromkeys(constant, reason) if len(constant) < len(columns) else {}


def _rows(log: RawLog, columns: dict[str, MetricColumn], wanted: Wanted) -> dict[str, NDArray[Any]]:
    """One row a metric and sample, metric after metric."""
    samples: list[Attempt] = log.samples
    times = len(columns)
    length = times * len(samples)
    rows = {
        role: _repeated(role_text(log, wanted, role), length)
        for role in ("model", "task", *(["variant"] if "variant" in wanted.roles else []))
    }
    rows |= {
        "item": np.tile(_text_column([attempt.item for attempt in samples]), times),
        "run": np.tile(_text_column([attempt.run for attempt in samples]), times),
        "metric": np.repeat(_text_column(list(columns)), len(samples)),
        "score": np.concatenate([np.array(column.values, dtype=np.float64) for column in columns.values()]),
        "status": np.concatenate([_status(samples, column) for column in columns.values()]),
    }
    if any(attempt.cluster is not None for attempt in samples):
        rows["cluster"] = np.tile(_text_column([attempt.cluster or "" for attempt in samples]), times)
    return rows


def _status(samples: Sequence[Attempt], column: MetricColumn) -> NDArray[Any]:
    """error: the sample broke; unscored: the scorer ran and gave nothing, or NaN; missing: no scorer saw it."""

    def status(attempt: Attempt, value: float) -> str:
        if attempt.failed:
            return "error"
        if not math.isnan(value):
            return "ok"
        return "unscored" if attempt.values else "missing"

    return _text_column([status(attempt, value) for attempt, value in zip(samples, column.values, strict=True)])


def _text_column(texts: list[str]) -> NDArray[Any]:
    column = np.empty(len(texts), dtype=object)
    column[:] = texts
    return column


def _repeated(text: str, length: int) -> NDArray[Any]:
    column = np.empty(length, dtype=object)
    column[:] = text
    return column


def _range(log: RawLog, columns: dict[str, MetricColumn]) -> tuple[float, float] | None:
    """[0, 1] where every metric is made of marks, or has Inspect's ``accuracy``, which is a share of right answers."""
    accurate = {str(score.get("scorer")) for score in results_of(log) if "accuracy" in object_of(score, "metrics")}
    bounded = all(
        column.marks_only or (scorer_of(name, accurate) in accurate and column.within_unit)
        for name, column in columns.items()
    )
    return (0.0, 1.0) if bounded else None
