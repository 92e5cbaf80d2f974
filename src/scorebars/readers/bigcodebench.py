"""BigCodeBench: ``*_eval_results.json``, the statuses of each task's samples, with ``*_pass_at_k.json`` beside it.

item = the key in ``eval``, run = the number of the sample, score = the status, variant = the split (``instruct``,
``complete``) that the file's name or the sibling says. The model is the sibling's ``model``, else stands in the name.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from scorebars.readers.added_keys import AddedKeys, refuse_added
from scorebars.readers.document import load, node, records
from scorebars.readers.evalplus import verdict
from scorebars.readers.files import head_of, shown
from scorebars.readers.naming import model_names
from scorebars.readers.records import Rows, each, refuse_mapping
from scorebars.readers.sniff import outline
from scorebars.readers.sources import NoScores
from scorebars.readers.totals import Total, disagreements, mean_of_items

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from scorebars.contracts import FileHead, Part, Request
    from scorebars.readers.document import Node

ENDING: Final = r"(--bigcodebench-.*)?[-_.]?eval_results"
SPLITS: Final = ("instruct", "complete")
_AVERAGES: Final = frozenset({"model", "split", "subset"})
_WRITTEN: Final = frozenset({"task_id", "solution", "status", "details"})
"""The keys of a sample."""
_RATE: Final = re.compile(r"pass@\d+")


@dataclass(frozen=True, slots=True)
class BigCodeBenchReader:
    """Reads what ``bigcodebench.evaluate`` writes."""

    @property
    def name(self) -> str:
        """As on the command line and in notes."""
        return "bigcodebench"

    def claims(self, head: FileHead) -> bool:
        """An object with ``eval`` and in it samples with a status; or the averages beside it."""
        keys = outline(head)
        is_results = {"date", "eval"} <= keys.top and {"task_id", "status"} <= keys.anywhere
        return not keys.is_list and (is_results or _is_averages(head))

    def read(self, heads: Sequence[FileHead], request: Request) -> Iterator[Part]:
        """One part a file of results; averages give none."""
        refuse_mapping(request, "a BigCodeBench results file")
        results = [head.path for head in heads if not _is_averages(head)]
        names = model_names(results, ENDING, apart=False)
        return each(heads, lambda head: _part(head, *names[head.path]) if head.path in names else _none(head, results))


def _is_averages(head: FileHead) -> bool:
    top = outline(head).top
    return top >= _AVERAGES and any(map(_RATE.fullmatch, top))


def _none(head: FileHead, results: Sequence[Path]) -> None:
    if not any(_sibling(path) == head.path for path in results):
        results_path = head.path.with_name(head.path.name.replace("pass_at_k", "eval_results"))
        remedy = f"read '{results_path.name}' beside it"
        if results_path == head.path or not results_path.is_file():
            remedy = "an interval needs the verdict of each sample: the …_eval_results.json that was written beside it"
        raise NoScores(f"{shown(head.path)} holds averages (pass@k), without the samples; {remedy}")


def _sibling(results: Path) -> Path:
    return results.with_name(results.name.replace("eval_results", "pass_at_k"))


def _part(head: FileHead, name: str, origin: str) -> Part:
    whole = node(load(head), shown(head.path))
    said = _said(head.path)
    model = said.text("model", name)
    split = _split(head.path, said)
    rows = Rows()
    block = whole.node("eval")
    added, items = AddedKeys(_WRITTEN), list[str]()
    for item, listed in block.value.items():
        samples = records(listed, f"{block.where}: '{item}'")
        if not samples:  # a problem without a sample is missing, not absent
            rows.add(model=model, item=item, run="1", variant=split, score=math.nan)
        for number, sample in enumerate(samples, start=1):
            added.add(sample)
            items.append(item)
            score = verdict(sample.get("status"), f"{sample.where}: 'status'")
            rows.add(model=model, item=item, run=str(number), variant=split, score=score)
    refuse_added(added, items, head.path)
    mapping = {"model": f"model in {_sibling(head.path).name}" if said.has("model") else origin}
    mapping |= {"item": "the key in 'eval'", "run": "the order of the samples", "score": "status"}
    mapping |= {"variant": "the split"} if split else {}
    counted = [0.0 if math.isnan(score) else score for score in rows.cells["score"]]  # as BigCodeBench does
    own = mean_of_items(rows.cells["item"], counted)
    notes = [*disagreements(shown(_sibling(head.path)), [Total("pass@1", said.value.get("pass@1"), own)])]
    return rows.part(head.path, "bigcodebench", mapping, on_error="wrong", score_range=(0.0, 1.0), notes=notes)


def _said(path: Path) -> Node:
    """The averages beside a file of results; empty where there are none."""
    sibling = _sibling(path)
    there = sibling != path and sibling.is_file()
    return node(load(head_of(sibling)), shown(sibling)) if there else node({}, shown(path))


def _split(path: Path, said: Node) -> str | None:
    if said.has("split"):
        return said.text("split")
    return next((split for split in SPLITS if f"bigcodebench-{split}" in path.name), None)
