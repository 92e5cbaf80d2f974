"""EvalPlus: ``*_eval_results.json`` of HumanEval+ and MBPP+ in both of its formats, and EvalPerf's results.

item = the key in ``eval``, task = the part of it before the slash, run = the number of the sample, metrics = ``base``
and ``plus``. A sample passes ``plus`` only if it passes ``base`` too. The model stands in the path only.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from scorebars.errors import ReadError, counted
from scorebars.readers.added_keys import AddedKeys, refuse_added
from scorebars.readers.document import kind, load, node
from scorebars.readers.files import shown
from scorebars.readers.humaneval import lacking_note, split_id
from scorebars.readers.naming import model_names
from scorebars.readers.records import Rows, each, refuse_mapping
from scorebars.readers.sniff import outline
from scorebars.readers.totals import Total, disagreements, mean_of_items

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from scorebars.contracts import FileHead, Part, Request
    from scorebars.notes import Note
    from scorebars.readers.document import Node

ENDING: Final = r"(^|(^|[-_.])samples)?[-_.]?(eval_results|evalperf_results(\.brief)?)"
PASSED: Final = frozenset({"pass", "success"})
FAILED: Final = frozenset({"fail", "failed", "timeout", "timed out"})
_WRITTEN: Final = frozenset({"task_id", "solution", "base_status", "plus_status", "base_fail_tests", "plus_fail_tests"})
"""The keys of a sample."""
PERF: Final = ("dps", "dps_norm", "pass@1")


@dataclass(frozen=True, slots=True)
class EvalPlusReader:
    """Reads what ``evalplus.evaluate`` and ``evalplus.evalperf`` write."""

    @property
    def name(self) -> str:
        """As on the command line and in notes."""
        return "evalplus"

    def claims(self, head: FileHead) -> bool:
        """An object with ``eval``, and in it statuses of base tests or performance scores."""
        keys = outline(head)
        inside = {"base_status", "dps_norm"} & keys.anywhere or {"nfiles", "base"} <= keys.anywhere
        return not keys.is_list and "eval" in keys.top and bool(inside)

    def read(self, heads: Sequence[FileHead], request: Request) -> Iterator[Part]:
        """One part a file."""
        refuse_mapping(request, "an EvalPlus results file")
        names = model_names([head.path for head in heads], ENDING)
        return each(heads, lambda head: _part(head, *names[head.path]))


def _part(head: FileHead, model: str, origin: str) -> Part:
    whole = node(load(head), shown(head.path))
    perf = "dps_norm" in outline(head).anywhere
    _refuse_added(whole, head.path)
    rows = Rows()
    if perf:
        for item, place, value in _tasks(whole):
            _add_perf(rows, model, item, node(value, place))
    else:
        found = {item: list(_samples(value, place)) for item, place, value in _tasks(whole)}
        # A file of base tests alone has no plus; beside others, a sample without it has lost its verdict.
        with_plus = any(plus is not None for samples in found.values() for _, plus in samples)
        for item, samples in found.items():
            _add_samples(rows, model, item, samples, with_plus=with_plus)
    mapping = {"model": origin, "item": "the key in 'eval'"}
    if perf:
        mapping |= {"metric": ", ".join(PERF), "score": "the metric's value, 0 to 100"}
        return rows.part(head.path, "evalplus", mapping, on_error="drop", score_range=(0.0, 100.0))
    mapping |= {
        "task": "the key in 'eval' before the slash",
        "run": "the order of the samples",
        "metric": "base, plus",
        "score": "the status",
    }
    notes = [*_header_notes(whole, rows, head), *lacking_note(head, set(rows.cells["item"]))]
    return rows.part(head.path, "evalplus", mapping, on_error="wrong", score_range=(0.0, 1.0), notes=notes)


def _tasks(whole: Node) -> Iterator[tuple[str, str, Any]]:
    """(item, where it stands, what is under it)."""
    block = whole.node("eval")
    return ((str(item), f"{block.where}: '{item}'", value) for item, value in block.value.items())


def _refuse_added(whole: Node, path: Path) -> None:
    """Refuse samples of several models or settings."""
    added, items = AddedKeys(_WRITTEN), list[str]()
    for item, place, value in _tasks(whole):
        for one in value if isinstance(value, list) else ():
            if isinstance(one, dict):
                added.add(node(one, place))
                items.append(item)
    refuse_added(added, items, path)


def _add_perf(rows: Rows, model: str, item: str, task: Node) -> None:
    """One value a problem; without enough correct samples none was measured, and the means leave it out.

    EvalPerf is one benchmark of problems of both data sets, so that they are no tasks of their own.
    """
    for metric in PERF:
        score = task.number(metric)
        status = "unscored" if math.isnan(score) else None
        rows.add(model=model, item=item, metric=metric, score=score, status=status)


def _samples(value: Any, place: str) -> Iterator[tuple[float, float | None]]:
    """(base, plus) of each sample of a task; plus None where it was not run."""
    if isinstance(value, dict):
        block = node(value, place)
        base, plus = _old(block, "base"), _old(block, "plus") if block.has("plus") else []
        if plus and len(plus) != len(base):
            raise ReadError(
                f"{place} has {counted(len(base), 'sample')} in 'base' and {len(plus)} in 'plus'; evaluate it again"
            )
        yield from ((score, plus[number] if plus else None) for number, score in enumerate(base or [math.nan]))
        return
    if not isinstance(value, list):
        raise ReadError(f"{place} is {kind(value)}, not a list of samples")
    if not value:  # a problem without a sample is missing, not absent
        yield math.nan, None
    for number, each_sample in enumerate(value, start=1):
        sample = node(each_sample, f"{place}: sample {number}")
        base_score = verdict(sample.get("base_status"), f"{sample.where}: 'base_status'")
        has_plus = sample.has("plus_status")
        yield base_score, verdict(sample.get("plus_status"), f"{sample.where}: 'plus_status'") if has_plus else None


def _old(block: Node, key: str) -> list[float]:
    """The verdicts of the format before 0.3: ``[[status, details], …]``."""
    value = block.get(key)
    if not isinstance(value, list) or not all(isinstance(one, list) and one for one in value):
        raise ReadError(f"{block.where}: '{key}' is not a list of [status, details]")
    return [verdict(one[0], f"{block.where}: '{key}', sample {number}") for number, one in enumerate(value, start=1)]


def verdict(status: Any, where: str) -> float:
    """1 for a status that means passed, 0 for one that means failed, NaN for null.

    Raises:
        ReadError: Any other status.
    """
    if status is None:
        return math.nan
    if isinstance(status, str) and status in PASSED | FAILED:
        return float(status in PASSED)
    said = f"'{status}'" if isinstance(status, str) else kind(status)
    raise ReadError(f"{where} is {said}; known are {', '.join(sorted(PASSED | FAILED))}")


def _add_samples(
    rows: Rows, model: str, item: str, samples: Sequence[tuple[float, float | None]], *, with_plus: bool
) -> None:
    for number, (base, plus) in enumerate(samples, start=1):
        passed = base if base != 1.0 else math.nan if plus is None else plus
        for metric, score in (("base", base), ("plus", passed)):
            if metric == "base" or with_plus:
                rows.add(model=model, task=split_id(item), item=item, run=str(number), metric=metric, score=score)


def _header_notes(whole: Node, rows: Rows, head: FileHead) -> Iterator[Note]:
    """A note where the file's own pass@1 is another than its samples give."""
    own: dict[str, tuple[list[str], list[float]]] = {}
    for metric, item, score in zip(rows.cells["metric"], rows.cells["item"], rows.cells["score"], strict=True):
        items, scores = own.setdefault(metric, ([], []))
        items.append(item)
        scores.append(0.0 if math.isnan(score) else score)  # as EvalPlus counts a status of null
    said = whole.node("pass_at_k")
    totals = [
        Total(f"pass@1 of {metric}", said.node(metric).value.get("pass@1"), mean_of_items(items, scores))
        for metric, (items, scores) in own.items()
    ]
    return disagreements(shown(head.path), totals)
