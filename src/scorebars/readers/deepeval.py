"""DeepEval: a test run (``.deepeval/.latest_run_full.json``, or the files of a results folder), one object.

item = the test case, metric = each metric's name, score = its score, status = error where the metric could not be
computed. ``success`` (the whole test case) and ``NAME.success`` (the score against its threshold) are metrics too. The
model is not in the file but for a hyperparameter of that name; ``evaluationModel`` is the judge.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from scorebars.errors import ReadError
from scorebars.readers.added_keys import AddedKeys, refuse_added
from scorebars.readers.document import Node, load, node
from scorebars.readers.files import shown
from scorebars.readers.naming import model_names
from scorebars.readers.other_settings import flat
from scorebars.readers.records import Rows, each, in_unit, refuse_mapping
from scorebars.readers.repeats import Repeats, repeats
from scorebars.readers.sniff import outline
from scorebars.readers.sources import NoScores
from scorebars.readers.totals import Total, disagreements

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from scorebars.contracts import FileHead, Part, Request

CASES: Final = ("testCases", "conversationalTestCases")
SUCCESS: Final = "success"
"""The metric of a whole test case; of one metric it is 'NAME.success'."""
_TELLING: Final = frozenset({"metricsData", "metricsMetadata", "metricsScores", "actualOutput", "testFile", "turns"})
_METRICS: Final = ("metricsData", "metricsMetadata")
_CONTENT: Final = ("input", "expectedOutput", "context", "scenario", "expectedOutcome", "turns")
_METADATA: Final = ("additionalMetadata", "metadata")
_WRITTEN: Final = frozenset(
    {"name", "input", "actualOutput", "expectedOutput", "success", "order", "runDuration", "evaluationCost", "comments"}
    | {"completionTime", "tokenCost", "traceId", "scenario", "expectedOutcome", "userDescription", "chatbotRole"}
    | {"multimodal", "context", "turns", "tags", *_METRICS, *_METADATA}
)
"""The keys of a test case."""
_MODEL_KEYS: Final = ("model", "Model", "model_name", "llm")


@dataclass(frozen=True, slots=True)
class DeepEvalReader:
    """Reads what ``deepeval test run`` and ``evaluate`` save."""

    @property
    def name(self) -> str:
        """As on the command line and in notes."""
        return "deepeval"

    def claims(self, head: FileHead) -> bool:
        """An object with test cases, or one around it."""
        keys = outline(head)
        if keys.is_list or not _TELLING & keys.anywhere:
            return False
        return bool(set(CASES) & keys.top) or ("testRunData" in keys.top and bool(set(CASES) & keys.anywhere))

    def read(self, heads: Sequence[FileHead], request: Request) -> Iterator[Part]:
        """One part a file."""
        refuse_mapping(request, "a DeepEval test run")
        names = model_names([head.path for head in heads], "")
        return each(heads, lambda head: _part(head, names[head.path]))


@dataclass(slots=True)
class _Case:
    """One test case: its names and its numbers."""

    number: str
    name: str
    content: Any
    values: dict[str, float] = field(default_factory=dict)
    failed: frozenset[str] = frozenset()
    """Metrics that could not be computed."""
    strict: frozenset[str] = frozenset()


def _part(head: FileHead, named: tuple[str, str]) -> Part:
    top = node(load(head), shown(head.path))
    run = top.node("testRunData") if top.has("testRunData") else top
    nodes = [case for key in CASES for case in run.nodes(key)]
    cases = [_case(case, str(number)) for number, case in enumerate(nodes)]
    metrics = list(dict.fromkeys(metric for case in cases for metric in case.values))
    if not any(not math.isnan(value) for case in cases for value in case.values.values()):
        raise NoScores(f"{shown(head.path)} is a DeepEval test run of {len(cases)} test cases without a single score")
    items, same = _items(cases)
    _refuse_added(nodes, [items[case.number] for case in cases], head.path)
    model, source = _model(run, named)
    rows = Rows()
    for case in cases:
        for metric in metrics:
            score = case.values.get(metric, math.nan)
            status = "error" if math.isnan(score) and metric in case.failed else None
            rows.add(
                model=model, item=items[case.number], run=same.run(case.number), metric=metric, score=score,
                status=status,
            )  # fmt: skip
    mapping = {"model": source, "item": "the test case's name, or its number where names repeat"}
    if same.found:
        mapping["run"] = "test cases of the same content (--repeat)"
    mapping |= {"metric": f"the metric's name; '{SUCCESS}' is the whole test case", "score": "score, or success"}
    strict = sorted({metric for case in cases for metric in case.strict})
    if strict:
        mapping["score"] += f"; that of {', '.join(strict)} is 0 or 1 by its threshold (strictMode)"
    notes = [*disagreements(shown(head.path), _totals(run, nodes))]
    part = in_unit(rows.part(head.path, "deepeval", mapping, on_error="drop", notes=notes))
    return replace(part, settings=(((model,), flat(run.node("hyperparameters").value, _MODEL_KEYS)),))


def _refuse_added(cases: Sequence[Node], items: Sequence[str], path: Path) -> None:
    """Refuse test cases of several models or settings, which they, or their metadata, may name."""
    added = AddedKeys(_WRITTEN)
    for case in cases:
        said = {key: value for where in _METADATA for key, value in case.node(where).value.items()}
        added.add(node(said | case.value, case.where))
    refuse_added(added, items, path)


def _totals(run: Node, cases: Sequence[Node]) -> Iterator[Total]:
    """The run's own counts of test cases, and of each metric's verdicts."""
    verdicts = [case.truth(SUCCESS) for case in cases]
    yield Total("testPassed", run.value.get("testPassed"), verdicts.count(1.0))
    yield Total("testFailed", run.value.get("testFailed"), verdicts.count(0.0))
    metrics: dict[str, list[Node]] = {}
    for case in cases:
        for metric in case.nodes(next((key for key in _METRICS if case.has(key)), _METRICS[0])):
            metrics.setdefault(metric.text("name", "") or metric.text("metric"), []).append(metric)
    for said in run.nodes("metricsScores"):
        name = said.text("metric", "")
        scored = [one for one in metrics.get(name, ()) if one.has("score")]
        for key, verdict in (("passes", 1.0), ("fails", 0.0)):
            own = sum(one.truth(SUCCESS) == verdict for one in scored)
            yield Total(f"{key} of '{name}'", said.value.get(key), own)


def _model(run: Node, named: tuple[str, str]) -> tuple[str, str]:
    """A hyperparameter that is called so; else the name of the file, or its path where another has that name."""
    hyper = run.node("hyperparameters")
    for key in _MODEL_KEYS:
        if isinstance(hyper.value.get(key), str):
            return hyper.text(key), f"hyperparameters.{key}"
    return named[0], f"{named[1]} (the model is not in the file: evaluationModel is the judge; use --label)"


def _case(case: Node, number: str) -> _Case:
    key = next((key for key in _METRICS if case.has(key)), _METRICS[0])
    found = _Case(number, case.text("name", ""), {key: case.value[key] for key in _CONTENT if case.has(key)})
    failed, open_, decided = set(), False, False
    for metric in case.nodes(key):
        name = metric.text("name", "") or metric.text("metric")
        passed = f"{name}.{SUCCESS}"
        if name in found.values:
            raise ReadError(f"{case.where} has the metric '{name}' twice; give one of them a name of its own")
        found.values[name] = metric.number("score")
        unknown = math.isnan(found.values[name])
        found.values[passed] = math.nan if unknown else metric.truth(SUCCESS)
        broken = unknown and bool(metric.text("error", ""))
        failed |= {name, passed} if broken else set()
        if metric.value.get("flaky") is not True:  # flaky metrics never decide a test case
            decided = decided or found.values[passed] == 0.0
            open_ = open_ or broken
        found.strict |= {name} if metric.value.get("strictMode") is True else set()
    if found.values:
        found.values[SUCCESS] = math.nan if open_ and not decided else case.truth(SUCCESS)
    found.failed = frozenset({*failed, SUCCESS} if open_ else failed)
    return found


def _items(cases: Sequence[_Case]) -> tuple[dict[str, str], Repeats]:
    """Number -> item: the test case's own name where it is one of a kind, else with its number behind it."""
    same = repeats((case.number, case.content) for case in cases)
    firsts = {case.number: case.name for case in cases if same.item(case.number) == case.number}
    names = Counter(firsts.values())
    named = {
        number: name if name and names[name] == 1 else f"{name or 'test_case'}#{number}"
        for number, name in firsts.items()
    }
    return {case.number: named[same.item(case.number)] for case in cases}, same
