"""OpenAI evals: the JSON Lines that ``oaieval`` records: a spec, events, and a final report at any place among them.

model = the first of ``spec.completion_fns``, task = ``spec.eval_name``, item = ``sample_id``. Events of the type match
score as ``data.correct``, events of the type metrics as each number in ``data``; a sample may have several, which are
its runs. A sample of which only an error was recorded has no score.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from scorebars.errors import ReadError
from scorebars.notes import note
from scorebars.readers.added_keys import MODELS, AddedKeys, refuse_added
from scorebars.readers.document import Node, lines
from scorebars.readers.files import shown
from scorebars.readers.other_settings import flat
from scorebars.readers.records import Rows, each, refuse_mapping
from scorebars.readers.repeated import date_text
from scorebars.readers.sniff import outline
from scorebars.readers.sources import NoScores
from scorebars.readers.totals import Total, disagreements, mean

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from scorebars.contracts import FileHead, Part, Request, Settings
    from scorebars.notes import Note

MATCH: Final = "match"
"""The metric of match events: whether the sampled answer is one of the expected ones."""
SHOWN: Final = 3
_COMPLETION: Final = re.compile(r"--completion_args[= ](\S+)")
_WRITTEN: Final = frozenset({"run_id", "event_id", "sample_id", "type", "data", "created_by", "created_at"})
"""The keys of an event."""
_MAPPING: Final = {
    "task": "spec.eval_name",
    "item": "sample_id",
    "metric": f"'{MATCH}' for events of that type, the keys of data for metrics",
    "score": "data.correct, or the number in data",
}


@dataclass(frozen=True, slots=True)
class OpenAiEvalsReader:
    """Reads what ``oaieval`` records."""

    @property
    def name(self) -> str:
        """As on the command line and in notes."""
        return "openai-evals"

    def claims(self, head: FileHead) -> bool:
        """The first line is the specification of a run."""
        keys = outline(head)
        return not keys.is_list and keys.top == {"spec"}

    def read(self, heads: Sequence[FileHead], request: Request) -> Iterator[Part]:
        """One part a file."""
        refuse_mapping(request, "an OpenAI evals log")
        return each(heads, _part)


@dataclass(slots=True)
class _Log:
    """What the events of one file say."""

    spec: Node | None = None
    report: Node | None = None
    """The last final report."""
    scores: dict[str, dict[str, list[float]]] = field(default_factory=dict)
    """Sample -> metric -> its scores, in the order of the events; a sample without a score has none."""
    failed: set[str] = field(default_factory=set)
    words: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """Metric -> values that are no numbers."""
    runs: dict[str, None] = field(default_factory=dict)
    """The ids of the runs that the scores are of."""
    added: AddedKeys = field(default_factory=lambda: AddedKeys(_WRITTEN))
    samples: list[str] = field(default_factory=list)
    """The sample of each score."""

    def add(self, line: Node) -> None:
        """Take one line."""
        if "spec" in line.value:
            if self.spec is not None:
                raise ReadError(f"{line.where} begins a second log; split the file before it")
            self.spec = line.node("spec")
        elif "final_report" in line.value:
            self.report = line.node("final_report")
        else:
            self._event(line)

    def _event(self, line: Node) -> None:
        sample = self.scores.setdefault(line.text("sample_id"), defaultdict(list))
        kind = line.text("type")
        if kind == "error":
            self.failed.add(line.text("sample_id"))
        elif kind in ("match", "metrics"):
            self._scored(line, sample, line.node("data"))

    def _scored(self, line: Node, sample: dict[str, list[float]], data: Node) -> None:
        self.runs[line.text("run_id", "")] = None
        said = {key: data.value[key] for key in MODELS if key in data.value}
        self.added.add(Node(said | line.value, line.where))
        self.samples.append(line.text("sample_id"))
        if line.text("type") == "match":
            if not isinstance(data.get("correct"), bool | int):
                raise ReadError(f"{data.where}: 'correct' is neither true nor false")
            sample[MATCH].append(data.number("correct"))
        else:
            self._metrics(sample, data)

    def _metrics(self, sample: dict[str, list[float]], data: Node) -> None:
        for key, value in data.value.items():
            if value is None or isinstance(value, bool | int | float):
                sample[key].append(data.number(key))
            else:
                self.words[key].add(str(value))


def _part(head: FileHead) -> Part:
    log = _Log()
    for line in lines(head):
        log.add(line)
    if log.spec is None:
        raise ReadError(f"{shown(head.path)} has no 'spec', so that its model is not known")
    refuse_added(log.added, log.samples, head.path)
    if len(log.runs) > 1:
        listed = ", ".join(f"'{run}'" for run in list(log.runs)[:SHOWN])
        raise ReadError(
            f"{shown(head.path)} has the events of {len(log.runs):,} runs (run_id {listed}), and all would count as "
            "runs of one model; write a file for each, with its own 'spec'"
        )
    model, source = _model(log.spec)
    task = log.spec.text("eval_name", "") or log.spec.text("base_eval")
    unusable = {metric: _words(values) for metric, values in log.words.items()}
    metrics = {metric: None for sample in log.scores.values() for metric in sample if metric not in unusable}
    if not metrics:
        raise NoScores(_nothing(log, head))
    repeated = any(len(sample[metric]) > 1 for sample in log.scores.values() for metric in metrics if metric in sample)
    rows = Rows()
    for item, sample in log.scores.items():
        status = "error" if item in log.failed else None
        for metric in metrics:
            for place, score in enumerate(sample.get(metric) or [math.nan], start=1):
                rows.add(
                    model=model, task=task, item=item, run=str(place) if repeated else None, metric=metric,
                    score=score, status=status if math.isnan(score) else None,
                )  # fmt: skip
    mapping = {"model": source} | _MAPPING
    if repeated:
        mapping["run"] = "the place among the sample's events of that metric"
    known = set(metrics) == {MATCH}
    own = (_unfinished(head),) if log.report is None else (*_totals(log, log.report, metrics, head),)
    part = rows.part(
        head.path, "openai-evals", mapping, on_error="drop", notes=(*_several(log, metrics), *own),
        unusable=unusable, score_range=(0.0, 1.0) if known else None,
    )  # fmt: skip
    unfinished = "it has no final report" if log.report is None else ""
    created, settings = date_text(log.spec.value.get("created_at")), (((model, task), _settings(log.spec)),)
    return replace(part, created=created, unfinished=unfinished, settings=settings)


def _settings(spec: Node) -> Settings:
    """The arguments of the eval, without the file of its samples, and those of the completion on the command line."""
    run = spec.node("run_config")
    found = _COMPLETION.search(run.text("command", ""))
    arguments = run.node("eval_spec").node("args").value
    return flat({"args": arguments, "completion_args": found[1] if found else None}, {"samples_jsonl"})


def _model(spec: Node) -> tuple[str, str]:
    """The first completion function; a model that grades stands after it."""
    names: Any = spec.value.get("completion_fns")
    if isinstance(names, list) and names:
        first = Node({"completion_fns": names[0]}, spec.where).text("completion_fns")
        rest = ", ".join(f"'{name}'" for name in names[1:])
        return first, "spec.completion_fns" + (f", the first; the others ({rest}) grade" if rest else "")
    return spec.text("model_name"), "spec.model_name"


def _words(values: set[str]) -> str:
    listed = ", ".join(f"'{value[:40]}'" for value in sorted(values)[:6])
    return f"its values are words, not numbers ({listed})"


def _nothing(log: _Log, head: FileHead) -> str:
    found = f"{len(log.scores):,} samples" if log.scores else "no sample"
    if log.words:
        metric, values = next(iter(log.words.items()))
        return f"{shown(head.path)}: metric '{metric}' is no score: {_words(values)}"
    return (
        f"{shown(head.path)} has {found} and no event of the type match or metrics: this eval records no score a sample"
    )


def _totals(log: _Log, report: Node, metrics: Iterable[str], head: FileHead) -> Iterator[Note]:
    """A note where the final report's accuracy, or a mean that it calls as its metric, is not that of the events."""
    found = []
    for metric in metrics:
        values = [score for sample in log.scores.values() for score in sample.get(metric, ())]
        key = "accuracy" if metric == MATCH else metric
        said = report.value.get(key)
        if isinstance(said, int | float) and values and min(values) <= 0 <= said > max(values):
            continue  # a sum or a count of that name
        found.append(Total(f"'{key}' of the final report", said, mean(values)))
    return disagreements(shown(head.path), found)


def _several(log: _Log, metrics: Iterable[str]) -> Iterator[Note]:
    """A note where a sample was scored several times: attempts of it, if not steps or graders."""
    n = sum(any(len(sample.get(metric, ())) > 1 for metric in metrics) for sample in log.scores.values())
    if n:
        remedy = "check that its events are attempts of their own, and not steps or graders of one"
        yield note("repeats-as-runs", n=n, remedy=remedy)


def _unfinished(head: FileHead) -> Note:
    return note("partial-log", detail=f"{head.path.name} has no final report: the run did not finish")
