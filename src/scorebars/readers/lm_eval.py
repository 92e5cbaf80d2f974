"""lm-evaluation-harness: ``samples_<task>_<date>.jsonl`` (``--log_samples``), one row a document, filter and metric.

model = ``model_name`` of the results file beside it, task = from the file's name, item = ``doc_id``, variant = the
filter, metric = each name in ``metrics``. Values that are no numbers (tuples that only an aggregation understands) are
not scores. A results file alone holds averages, from which no interval can be made.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from scorebars.contracts import FileHead, Part, Request
from scorebars.engines.duckdb import literal, quote
from scorebars.errors import ReadError, counted, typed
from scorebars.notes import Note, note
from scorebars.readers.columns import NoColumnError
from scorebars.readers.files import shown
from scorebars.readers.lm_eval_answers import UnmarkedError, answered, answers_part
from scorebars.readers.lm_eval_averages import check_averages, group_notes, task_origin
from scorebars.readers.lm_eval_documents import Texts
from scorebars.readers.lm_eval_results import Results, created, load_results, samples_beside, sibling, task_of
from scorebars.readers.lm_eval_table import VERDICTS, Kinds, SampleTable, load_samples, place_of
from scorebars.readers.naming import from_path
from scorebars.readers.records import refuse_mapping
from scorebars.readers.versions import newer_version

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path
    from types import UnionType

BOUNDED: Final = frozenset(
    {"acc", "acc_norm", "acc_mutual_info", "acc_bytes", "exact_match", "em", "brier", "mc1", "mc2"}
    | {"prompt_level_strict_acc", "prompt_level_loose_acc", "pass@1", "pass_at_1"}
)
"""Metrics whose score of one document lies in [0, 1] by definition."""
NEWEST: Final = "0.4"
"""Newest version of lm-eval whose files are known."""
_START: Final = b"\xef\xbb\xbf \t\r\n"
_SAMPLE: Final = re.compile(rb'^\[?\s*\{\s*"doc_id"\s*:')
_SAMPLE_KEYS: Final = (b'"filtered_resps"', b'"doc_hash"', b'"prompt_hash"', b'"resps"')
_RESULTS: Final = re.compile(rb'^\{\s*"results"\s*:\s*(\{|\[\s*\{\s*"task_name")')
_RESULTS_KEYS: Final = (b'_stderr"', b"_stderr,", b'"alias"', b'"group_subtasks"', b'"versions"', b'"lm_eval_version"')
_ANSWERS: Final = (b'"model_answer', b'"model_output', b'"correctness"', b'"run_stats"')
"""What evalchemy's own benchmarks keep in their results, beside the examples."""


@dataclass(frozen=True, slots=True)
class LmEvalReader:
    """Reads what ``lm_eval --log_samples`` writes."""

    @property
    def name(self) -> str:
        """As on the command line and in notes."""
        return "lm-eval"

    def claims(self, head: FileHead) -> bool:
        """A line of ``doc_id`` with responses, or an object of ``results`` with standard errors."""
        return is_samples(head) or is_results(head)

    def read(self, heads: Sequence[FileHead], request: Request) -> Iterator[Part]:
        """One part a samples file; results files only lend their names. Averages alone are an error."""
        cluster = _cluster_field(request)
        known: dict[Path, Results] = {}
        texts = Texts(request.engine)
        empty: list[Part] = []
        found = False
        told: set[Path] = set()
        for head in heads:
            part = _samples_part(head, request, cluster, known, texts) if is_samples(head) else _averages(head, heads)
            if part is not None and part.mapping and not isinstance(part.rows, str):
                refuse_mapping(request, "results of evalchemy")
                found = True
                yield part
            elif part is not None and part.mapping:
                found = True
                yield replace(part, notes=(*part.notes, *_group_notes(head.path, heads, known, told)))
            elif part is not None:
                empty.append(part)
        if empty and not found:
            first = empty[0].notes[0].data
            raise ReadError(f"{first['path']}: {first['reason']}")
        yield from empty


def _group_notes(
    path: Path, heads: Sequence[FileHead], known: dict[Path, Results], told: set[Path]
) -> tuple[Note, ...]:
    """What a results file says of the group that all tasks read of its run make up; said with the first of them."""
    results = sibling(path, known)
    if results is None or results.path in told or not results.groups:
        return ()
    told.add(results.path)
    own = [head.path for head in heads if is_samples(head) and head.path.parent == path.parent]
    read = {task_of(one, results) for one in own if sibling(one, known) is results}
    metrics = {key.partition(",")[0]: None for group in results.groups for key in results.values.get(group, {})}
    return tuple(group_notes(results, read, list(metrics)))


def is_samples(head: FileHead) -> bool:
    """Whether a file is a list of samples, as JSON lines or (0.4.0) one JSON array."""
    start = head.head.lstrip(_START)
    if _SAMPLE.match(start) is None:
        return False
    # A document may be longer than the head; then the name has to do.
    return any(key in start for key in _SAMPLE_KEYS) or head.path.name.startswith("samples_")


def is_results(head: FileHead) -> bool:
    """Whether a file is a results file, of 0.3 or 0.4."""
    start = head.head.lstrip(_START)
    answers = b'"examples"' in start and any(key in start for key in _ANSWERS)
    known = answers or any(key in start for key in _RESULTS_KEYS)
    return known and _RESULTS.match(start) is not None


def _cluster_field(request: Request) -> str | None:
    others = sorted(set(request.columns) - {"cluster"})
    if others:
        raise NoColumnError(
            f"'{others[0]}' cannot be mapped in lm-eval samples: their roles are fixed by the format; "
            "only the cluster is open (--cluster doc.FIELD)",
            others[0],
        )
    return request.cluster or request.columns.get("cluster")


def _averages(head: FileHead, heads: Sequence[FileHead]) -> Part | None:
    """None where the run's samples are read too; else an empty part that says what is missing."""
    results = load_results(head.path)
    beside = samples_beside(head.path)
    if {path.resolve() for path in beside} & {other.path.resolve() for other in heads}:
        return None
    tasks = "1 task" if len(results.tasks) == 1 else f"{len(results.tasks)} tasks"
    what = f"averages of {tasks} (lm-eval {results.version}), no per-item scores"
    if beside:
        remedy = f"the samples are beside it: read '{beside[0].name}', or the whole folder"
    elif answered(results):
        try:
            return answers_part(results, results.model)
        except UnmarkedError as error:
            remedy = str(error)
    else:
        remedy = "an interval needs the score of each document: run lm_eval again with --log_samples (0.4)"
    return _empty_part(head.path, f"{what}; {remedy}", {})


def _empty_part(path: Path, reason: str, unusable: dict[str, str]) -> Part:
    nothing = np.array([], dtype=object)
    rows = {**dict.fromkeys(("model", "task", "item", "metric", "status"), nothing), "score": np.array([])}
    remark = note("skipped-file", path=shown(path), reason=reason)
    return Part(path, "lm-eval", rows, notes=(remark,), unusable=tuple(unusable.items()))


def _samples_part(
    head: FileHead, request: Request, cluster: str | None, known: dict[Path, Results], texts: Texts
) -> Part:
    results = sibling(head.path, known)
    task = task_of(head.path, results)
    table = load_samples(head, request.engine, cluster)
    unusable = {metric: why for metric in table.metrics if (why := _no_score(metric, table, head))}
    usable = [metric for metric in table.metrics if metric not in unusable]
    if not usable:
        return _empty_part(head.path, _nothing_usable(task, unusable), unusable)
    model, source = _model(head.path, results) if table.model is None else ("", f"'{table.model}' of the lines")
    unnamed = "no results file of the same date names it" if source.startswith("the folder") else ""
    return Part(
        path=head.path,
        reader="lm-eval",
        rows=_rows_sql(table, usable, model, task),
        mapping=_mapping(source, task_origin(task, results, usable), table, cluster),
        notes=(
            *_notes(head.path, task, table, results, grouped=cluster == "doc_hash"),
            *(check_averages(task, table, usable, results, request.engine) if table.model is None else ()),
            *texts.compared(head.path, task, table),
            *([from_path(model, "its folder", unnamed)] if unnamed else []),
        ),
        on_error="drop",
        score_range=_range(table, usable),
        unusable=tuple(unusable.items()),
        created=created(head.path),
        settings=(((model, task), results.settings[task]),) if results and model and task in results.settings else (),
    )


def _no_score(metric: str, table: SampleTable, head: FileHead) -> str | None:
    """Why a metric's values are no scores; None if they are."""
    kinds = table.kinds[metric]
    inner = next((f"{metric}.{key}" for key in VERDICTS if _is_score(f"{metric}.{key}", table)), None)
    if kinds.nested and inner is not None:
        return f"{kinds.nested} of its values are objects; the score in them is the metric '{inner}'"
    if metric == "bypass":
        return "the run was made with --predict_only: it has answers and no scores; run it again without"
    if kinds.nested:
        return (
            f"{kinds.nested} of its values are lists or objects{_first(metric, kinds, head, list | dict)} (such as "
            "log-likelihood and words, or gold and prediction), which lm-eval only aggregates over all documents: one "
            "document has no score of its own"
        )
    if kinds.texts:
        column = metric if metric.isidentifier() else quote(metric)
        query = typed("--sql", f"SELECT doc_id AS item, {column} AS score FROM data")
        return (
            f"{kinds.texts} of its values are text, not numbers{_first(metric, kinds, head, str)}; write numbers, or "
            f"read this file alone as a table, which takes '1' and words for right and wrong: {query}"
        )
    return None if kinds.numbers else "it is null for every document"


def _first(metric: str, kinds: Kinds, head: FileHead, wrong: type | UnionType) -> str:
    """Where the first value of another kind stands, if others are numbers, so that it is damage."""
    if not kinds.numbers:
        return ""
    top, _, key = metric.rpartition(".")

    def is_meant(record: dict[str, Any]) -> bool:
        inner = record.get(top)
        return isinstance(inner.get(key) if isinstance(inner, dict) else record.get(metric), wrong)

    where = place_of(head, is_meant)
    return f", the first in {where}"


def _is_score(metric: str, table: SampleTable) -> bool:
    kinds = table.kinds.get(metric)
    return kinds is not None and bool(kinds.numbers) and not (kinds.nested or kinds.texts)


def _nothing_usable(task: str, unusable: dict[str, str]) -> str:
    if not unusable:
        return f"task '{task}' has no metric"
    metric, reason = next(iter(unusable.items()))
    return f"task '{task}', metric '{metric}': {reason}"


def _model(path: Path, results: Results | None) -> tuple[str, str]:
    """The model's name and where it came from."""
    if results is not None and results.model is not None:
        return results.model, f"model_name in {results.path.name}"
    if str(path) != shown(path):
        return "standard input", "nothing in the input names it: --label NAME=-"
    return path.absolute().parent.name, "the folder's name (no results file of the same date beside it)"


def _rows_sql(table: SampleTable, metrics: Sequence[str], model: str, task: str) -> str:
    """One SELECT a metric, in file order; scores as text, NaN as missing."""
    return " UNION ALL ".join(_metric_sql(table, metric, model, task) for metric in metrics)


def _metric_sql(table: SampleTable, metric: str, model: str, task: str) -> str:
    value = table.value(metric)
    score = f"CASE WHEN isnan({value}) THEN NULL ELSE CAST({value} AS VARCHAR) END"
    parts = [
        f"{literal(model)} AS model" if table.model is None else "model",
        f"{literal(task)} AS task",
        "item",
        *(["variant"] if table.has_filter else []),
        f"{literal(metric)} AS metric",
        f"{score} AS score",
        f"CASE WHEN {value} IS NULL OR isnan({value}) THEN 'missing' ELSE 'ok' END AS status",
        *(["cluster"] if table.has_cluster else []),
    ]
    return f"SELECT {', '.join(parts)} FROM {table.name}"


def _mapping(source: str, task: str, table: SampleTable, cluster: str | None) -> tuple[tuple[str, str], ...]:
    found = [("model", source), ("task", task), ("item", "doc_id")]
    if table.has_filter:
        found.append(("variant", "filter"))
    found += [("metric", "metrics"), ("score", "the key of the metric's name")]
    if cluster is not None:
        found.append(("cluster", cluster))
    return tuple(found)


def _range(table: SampleTable, metrics: Sequence[str]) -> tuple[float, float] | None:
    bounded = all(metric in BOUNDED and table.kinds[metric].within_unit for metric in metrics)
    return (0.0, 1.0) if bounded else None


def _notes(path: Path, task: str, table: SampleTable, results: Results | None, *, grouped: bool) -> Iterator[Note]:
    """What is odd about the documents; ``grouped``: those of one text are one cluster."""
    if table.duplicates and not grouped:
        yield note("duplicate-documents", n=table.duplicates, documents=table.documents, task=task)
    if results is not None:
        yield from newer_version(shown(results.path), results.said, NEWEST, "a results file of lm-eval")
    if results is None or task not in results.counts:
        return
    original, effective = results.counts[task]
    if effective < original:
        detail = f"{path.name}: {effective} of {original} documents of task '{task}' were evaluated (--limit)"
        yield note("partial-log", detail=f"{detail}: they are its first ones, not a random choice")
    if effective != table.documents:
        said = f"the results file counts {counted(effective, 'document')}, the samples file has {table.documents}"
        detail = f"{path.name}: {said}"
        yield note("header-disagrees", detail=f"{detail}; these are used")
