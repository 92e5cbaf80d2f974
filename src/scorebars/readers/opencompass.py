"""OpenCompass: ``results/<model>/<dataset>.json`` with its ``details`` (``--dump-eval-details``); averages are refused.

model = the folder's name, task = the file's, item = the key of the detail, score = ``correct``. Details are an object
by number, or (since evaluations can be repeated) a list in which each field holds a value for each of n runs. The
averages beside them are in percent. Where no detail has a verdict, predictions that equal their references are right if
that gives the file's own accuracy (its plain evaluator compares them so).
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from scorebars.errors import ReadError
from scorebars.readers.added_keys import AddedKeys, refuse_added
from scorebars.readers.document import Node, kind, load, node
from scorebars.readers.files import shown, stem, text_head
from scorebars.readers.records import Rows, each, refuse_mapping
from scorebars.readers.repeats import repeats
from scorebars.readers.sniff import kind_of, outline
from scorebars.readers.sources import NoScores
from scorebars.readers.totals import Total, disagreements, mean

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from scorebars.contracts import FileHead, Part, Request
    from scorebars.notes import Note

VERDICTS: Final = ("correct", "is_correct", "cascade_correct", "model_extract_correct")
"""Fields of a detail that say whether it is right: the first that is there is the score."""
SECOND: Final = "model_extract_correct"
"""The verdict on what another model extracted: a metric of its own beside the first."""
_ASKED: Final = ("origin_prompt", "prompt")
_GOLD: Final = ("references", "gold", "answer")
_WRITTEN: Final = frozenset({*VERDICTS, *_ASKED, *_GOLD, "predictions", "pred", "example_abbr"})
"""The keys of a detail, as far as all data sets have them."""
SUMMARY: Final = "dataset,version,metric,mode,"
DIGITS: Final = 1
"""Decimals of the file's own accuracy, in percent, that are held against its details."""
_DETAIL: Final = ({"predictions", "references"}, {"pred", "answer"}, {"pred", "correct"}, {"correct", "answer"})
_NUMBERED: Final = re.compile(rb'"details"\s*:\s*\{(\s*"type"\s*:[^"]*("[^"]*"[^"]*)?,)?\s*"\d+"\s*:')
"""Details under numbers; the first of them may be damaged."""


@dataclass(frozen=True, slots=True)
class OpenCompassReader:
    """Reads what OpenCompass writes with ``--dump-eval-details``."""

    @property
    def name(self) -> str:
        """As on the command line and in notes."""
        return "opencompass"

    def claims(self, head: FileHead) -> bool:
        """An object with details of predictions, or the summary of a run."""
        if kind_of(head) == "delimited":
            return text_head(head).lstrip("\ufeff").startswith(SUMMARY)
        if kind_of(head) != "json":
            return False
        keys = outline(head)
        numbered = _NUMBERED.search(head.head) is not None and any(fields <= keys.anywhere for fields in _DETAIL)
        return not keys.is_list and "details" in keys.top and (numbered or "example_abbr" in keys.anywhere)

    def read(self, heads: Sequence[FileHead], request: Request) -> Iterator[Part]:
        """One part a file of details; a summary is an error."""
        refuse_mapping(request, "OpenCompass results")
        return each(heads, _part)


def _part(head: FileHead) -> Part:
    if kind_of(head) == "delimited":
        raise NoScores(
            f"{shown(head.path)} is an OpenCompass summary: one average in percent a data set, no score of an item; "
            "run with --dump-eval-details and read the files below results/"
        )
    top = node(load(head), shown(head.path))
    details = _details(top)
    _refuse_added(details, head.path)
    verdict = next((key for key in VERDICTS if any(key in detail.value for _, detail in details)), None)
    if verdict is None and (part := _by_equality(top, details, head)) is not None:
        return part
    if verdict is None:
        raise NoScores(
            f"{shown(head.path)} has {len(details)} details with predictions and none says whether it is right "
            f"({', '.join(VERDICTS)}), nor is its accuracy the share of predictions that equal their references: its "
            "evaluator only gives the average"
        )
    second = SECOND if verdict != SECOND and any(SECOND in detail.value for _, detail in details) else None
    rows = Rows()
    model, task = head.path.absolute().parent.name, stem(head.path)
    for item, detail in details:
        for key in (verdict, second) if second else (verdict,):
            scores, several = _scores(detail, key)
            for run, score in enumerate(scores, start=1):
                rows.add(
                    model=model, task=task, item=item, run=str(run) if several else None, score=score,
                    metric=key if second else None,
                )  # fmt: skip
    mapping = {"model": "the folder's name", "task": "the file's name", "item": "the detail's key, or example_abbr"}
    if "run" in rows.columns():
        mapping["run"] = "the place in the detail's lists"
    mapping["score"] = verdict
    notes = list(_disagreement(top, details, verdict, head))
    return rows.part(head.path, "opencompass", mapping, on_error="drop", score_range=(0.0, 1.0), notes=notes)


def _refuse_added(details: Sequence[tuple[str, Node]], path: Path) -> None:
    """Refuse details of several models or settings, those of one question under several numbers too."""
    added, items = AddedKeys(_WRITTEN), list[str]()
    for item, detail in details:
        added.add(detail)
        asked = next((detail.value[key] for key in _ASKED if detail.value.get(key)), None)
        items.append(json.dumps([asked, *map(detail.value.get, _GOLD)]) if asked else item)
    refuse_added(added, items, path, kinds=("setting",))


def _by_equality(top: Node, details: Sequence[tuple[str, Node]], head: FileHead) -> Part | None:
    """The rows of details without verdicts, if the file's accuracy is the share of predictions that are the reference.

    Details of the same prompt and reference are runs of one item; the accuracy is then that of the last run alone, as
    OpenCompass writes it.
    """
    pairs = [(detail.value.get("predictions"), detail.value.get("references")) for _, detail in details]
    if not all(isinstance(cell, str) for pair in pairs for cell in pair):
        return None
    right = [float(prediction == reference) for prediction, reference in pairs]
    same = repeats((item, [detail.value.get("prompt"), detail.value["references"]]) for item, detail in details)
    runs = max(int(same.run(item) or 1) for item, _ in details)
    if not _is_share(top.value.get("accuracy"), right[-(len(right) // runs) :]):
        return None
    rows = Rows()
    for (item, _), score in zip(details, right, strict=True):
        rows.add(
            model=head.path.absolute().parent.name, task=stem(head.path), item=same.item(item), run=same.run(item),
            score=score,
        )  # fmt: skip
    mapping = {"model": "the folder's name", "task": "the file's name", "item": "the detail's key"}
    mapping["score"] = "whether the prediction equals its reference, which gives the file's own accuracy"
    if same.found:
        mapping["run"] = "details of the same prompt and reference"
        mapping["score"] += f" (that of the last of {runs} runs)"
    return rows.part(head.path, "opencompass", mapping, on_error="drop", score_range=(0.0, 1.0))


def _is_share(said: object, right: Sequence[float]) -> bool:
    """Whether an accuracy in percent is the share of what is right, to the last digit."""
    return isinstance(said, int | float) and math.isclose(said, 100 * mean(right), rel_tol=1e-9, abs_tol=1e-9)


def _details(top: Node) -> list[tuple[str, Node]]:
    """(item, detail) of each; what else stands among them, such as their type, is left out."""
    value = top.get("details")
    where = f"{top.where}: 'details'"
    if isinstance(value, list):
        found = top.nodes("details")
        return [(one.text("example_abbr", str(place)), one) for place, one in enumerate(found)]
    if not isinstance(value, dict):
        raise ReadError(f"{where} is {kind(value)}, not an object or a list")
    return [(key, node(one, f"{where}: '{key}'")) for key, one in value.items() if key != "type"]


def _scores(detail: Node, key: str) -> tuple[list[float], bool]:
    """The verdicts of a detail, and whether it can have several."""
    value: Any = detail.value.get(key)
    if isinstance(value, list):
        each_run = [Node({key: one}, detail.where) for one in value]
        return [_verdict(one, key) for one in each_run] or [math.nan], True  # an item without a run is missing
    return [_verdict(detail, key)], False


def _verdict(detail: Node, key: str) -> float:
    score = detail.number(key)
    if not (math.isnan(score) or 0.0 <= score <= 1.0):
        raise ReadError(f"{detail.where}: '{key}' is {score:g}, not between 0 and 1")
    return score


def _disagreement(top: Node, details: list[tuple[str, Node]], verdict: str, head: FileHead) -> Iterator[Note]:
    """A note where the file's own accuracy (in percent, mostly rounded) is not the mean of its details."""
    own = mean(score for _, detail in details for score in _scores(detail, verdict)[0])
    return disagreements(head.path.name, [Total("accuracy", top.value.get("accuracy"), 100 * own, DIGITS)])
