"""every_eval_ever: ``*_samples.jsonl``, one line a sample and result; the ``.json`` beside it holds averages.

model = ``model_id``, task = ``evaluation_name``, item = ``sample_id``, score = ``evaluation.score``. A task with
several results has one metric each (``evaluation_result_id``). ``is_correct`` is a metric of its own where it differs
from the score.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Final

from scorebars.errors import ReadError, near_miss
from scorebars.readers.document import Node, lines, load, node
from scorebars.readers.files import shown, stem
from scorebars.readers.records import Rows, each, refuse_mapping
from scorebars.readers.sniff import outline
from scorebars.readers.sources import NoScores
from scorebars.readers.versions import newer_version

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scorebars.contracts import FileHead, Part, Request

CLUSTER: Final = "--cluster metadata.FIELD"
_SAMPLE: Final = frozenset({"evaluation_id", "model_id", "sample_id", "evaluation_name"})
_AGGREGATE: Final = frozenset({"evaluation_id", "evaluation_results"})


NEWEST: Final = "0.3"
"""Newest ``schema_version`` of samples that is known."""
_WHAT: Final = "a file of samples of Every Eval Ever"


@dataclass(frozen=True, slots=True)
class EveryEvalEverReader:
    """Reads samples in the shared schema of the Every Eval Ever project."""

    @property
    def name(self) -> str:
        """As on the command line and in notes."""
        return "every-eval"

    def claims(self, head: FileHead) -> bool:
        """Lines of samples, or an object of averages."""
        keys = outline(head)
        return not keys.is_list and (keys.top >= _SAMPLE or keys.top >= _AGGREGATE)

    def read(self, heads: Sequence[FileHead], request: Request) -> Iterator[Part]:
        """One part a file of samples; averages are an error where their samples are not read too."""
        refuse_mapping(request, "every_eval_ever samples", cluster=CLUSTER)
        cluster = request.cluster or request.columns.get("cluster")
        stems = {stem(head.path) for head in heads}

        def part(head: FileHead) -> Part | None:
            if outline(head).top >= _AGGREGATE:
                if f"{stem(head.path)}_samples" in stems:
                    return None
                raise NoScores(_averages(head))
            return _part(head, cluster)

        return each(heads, part)


def _averages(head: FileHead) -> str:
    """The sentence for averages alone: where their samples would be."""
    top = node(load(head), shown(head.path))
    results = top.nodes("evaluation_results")
    named = top.node("detailed_evaluation_results").text("file_path", "")
    remedy = f"its samples are in '{named}': read that" if named else "it names no file of samples"
    what = f"an every_eval_ever aggregate: {len(results)} averages and no score of a sample"
    return f"{shown(head.path)} is {what}; {remedy}"


@dataclass(frozen=True, slots=True)
class _Sample:
    """What one line says."""

    model: str
    task: str
    item: str
    evaluation: str
    result: str
    score: float
    correct: float
    failed: bool
    cluster: str | None


def _sample(line: Node, cluster: str | None) -> _Sample:
    evaluation = line.node("evaluation")
    return _Sample(
        model=line.text("model_id"),
        task=line.text("evaluation_name"),
        item=line.text("sample_id"),
        evaluation=line.text("evaluation_id"),
        result=line.text("evaluation_result_id", ""),
        score=evaluation.number("score"),
        correct=evaluation.number("is_correct"),
        failed=bool(line.text("error", "")),
        cluster=None if cluster is None else _field(line, cluster),
    )


def _field(line: Node, name: str) -> str:
    """A field of the line, or one inside its metadata."""
    outer, _, inner = name.partition(".")
    place = line.node(outer) if inner else line
    if not place.has(inner or outer):
        known = [*(f"metadata.{key}" for key in line.node("metadata").value), "sample_hash"]
        raise ReadError(f"{line.where} has no field '{name}' to take the cluster from{near_miss(name, known)}")
    return place.text(inner or outer)


def _part(head: FileHead, cluster: str | None) -> Part:
    samples, versions = list[_Sample](), list[object]()
    for line in lines(head):
        samples.append(_sample(line, cluster))
        if not versions or line.value.get("schema_version") != versions[-1]:
            versions.append(line.value.get("schema_version"))
    results: defaultdict[str, set[str]] = defaultdict(set)
    for sample in samples:
        results[sample.task].add(sample.result)
    several = any(len(ids) > 1 for ids in results.values())
    graded = any(not math.isnan(s.correct) and s.correct != s.score for s in samples)
    rows = Rows()
    for sample in samples:
        result = sample.result or sample.task if several else None
        _add(rows, sample, result or ("score" if graded else None), sample.score)
        if graded:
            _add(rows, sample, "is_correct" if result is None else f"{result}.is_correct", sample.correct)
    mapping = {"model": "model_id", "task": "evaluation_name", "item": "sample_id", "score": "evaluation.score"}
    if several or graded:
        mapping["metric"] = "evaluation_result_id" if several else "'score', or 'is_correct'"
    if cluster is not None:
        mapping["cluster"] = cluster
    part = rows.part(head.path, "every-eval", mapping, score_range=None if graded else _range(samples))
    newer = (said for one in versions for said in newer_version(shown(head.path), one, NEWEST, _WHAT))
    part = replace(part, notes=(*part.notes, *islice(newer, 1)))
    made = dict.fromkeys((sample.model, sample.task, sample.evaluation) for sample in samples)
    return replace(part, settings=tuple(((model, task), (("evaluation_id", one),)) for model, task, one in made))


def _add(rows: Rows, sample: _Sample, metric: str | None, score: float) -> None:
    rows.add(
        model=sample.model, task=sample.task, item=sample.item, metric=metric, cluster=sample.cluster,
        score=score, status="error" if sample.failed else None,
    )  # fmt: skip


def _range(samples: Sequence[_Sample]) -> tuple[float, float] | None:
    """[0, 1] where every score is 0 or 1, as ``is_correct`` is."""
    return (0.0, 1.0) if all(sample.score in (0.0, 1.0) for sample in samples) else None
