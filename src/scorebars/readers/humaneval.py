"""HumanEval: ``<samples>_results.jsonl``, one line a sample with ``task_id``, ``result`` and ``passed``.

item = ``task_id``, task = the part of it before the slash, run = the number of the sample among those of its task,
score = ``passed``. The model stands in the file's name, unless the lines name several. Files that hold nothing but
``pass@k`` are averages.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from scorebars.notes import Note, note
from scorebars.readers.added_keys import AddedKeys, told_by_records
from scorebars.readers.document import lines
from scorebars.readers.files import shown
from scorebars.readers.naming import model_names
from scorebars.readers.records import Rows, each, refuse_mapping
from scorebars.readers.sniff import outline
from scorebars.readers.sources import NoScores

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from scorebars.contracts import FileHead, Part, Request
    from scorebars.readers.document import Node

ENDING: Final = r"((^|[-_.])samples)?(\.jsonl)?[-_.]?results"
"""What HumanEval's own names end in; a model never does."""
FAULTS: Final = ("(<string>, line", "unexpected indent", "invalid syntax")
"""What Python says of a text that is no program; errors of a program that runs name no line of a '<string>'."""
PROBLEMS: Final = 164
"""Of HumanEval and HumanEval+, numbered from 0."""
_PROBLEM: Final = re.compile(r"HumanEval/\d+")
_SHOWN: Final = 3
HALF: Final = 0.5
_AVERAGES: Final = re.compile(rb'^\s*\{(\s*"pass@\d+"\s*:[^,{}\[\]]*,?)+\}\s*$')
_KEYS: Final = frozenset({"task_id", "completion", "result", "passed"})


@dataclass(frozen=True, slots=True)
class HumanEvalReader:
    """Reads what ``evaluate_functional_correctness`` writes."""

    @property
    def name(self) -> str:
        """As on the command line and in notes."""
        return "humaneval"

    def claims(self, head: FileHead) -> bool:
        """Lines with a task, its result and whether it passed; or averages (to refuse them)."""
        keys = outline(head)
        is_results = {"task_id", "passed"} <= keys.top and bool({"result", "completion"} & keys.top)
        return (is_results and not keys.is_list) or _AVERAGES.match(head.head) is not None

    def read(self, heads: Sequence[FileHead], request: Request) -> Iterator[Part]:
        """One part a file."""
        refuse_mapping(request, "a HumanEval results file")
        names = model_names([head.path for head in heads], ENDING)
        return each(heads, lambda head: _part(head, *names[head.path]))


def split_id(task_id: str) -> str | None:
    """'HumanEval' of 'HumanEval/0'; None of an id without a slash."""
    return task_id.partition("/")[0] if "/" in task_id else None


def _part(head: FileHead, model: str, origin: str) -> Part:
    if _AVERAGES.match(head.head):
        raise NoScores(
            f"{shown(head.path)} holds averages (pass@k), without the samples; read the file of results beside it, one "
            "line a sample"
        )
    rows, count, messages, extra = Rows(), Counter[str](), Counter[str](), dict[str, str]()
    added = AddedKeys(_KEYS)
    for sample in lines(head):
        item = sample.text("task_id")
        count[item] += 1
        score = sample.truth("passed")
        if score == 0:
            messages[sample.text("result", "")] += 1
        extra |= _extra(sample)
        added.add(sample)
        rows.add(model=model, task=split_id(item), item=item, run=str(count[item]), score=score)
    mapping = {"model": origin, "task": "task_id before the slash", "item": "task_id", "run": "the order of the lines"}
    mapping |= told_by_records(added, rows, head.path, {"item": "task_id", "score": "passed"}, numbered=True)
    return rows.part(
        head.path,
        "humaneval",
        mapping | {"score": "passed"},
        score_range=(0.0, 1.0),
        notes=[*_fault_note(head, messages, len(rows)), *_lacking(head, rows)],
        unusable=extra,
    )


def _lacking(head: FileHead, rows: Rows) -> Iterator[Note]:
    """The notes on problems that a model lacks; its name is said where there are several."""
    items: dict[str, set[str]] = {}
    for model, item in zip(rows.cells["model"], rows.cells["item"], strict=True):
        items.setdefault(model, set()).add(item)
    for model, own in items.items():
        yield from lacking_note(head, own, f" by '{model}'" if len(items) > 1 else "")


def lacking_note(head: FileHead, items: Collection[str], whose: str = "") -> Iterator[Note]:
    """``partial-log`` where HumanEval's problems are not all there: its programs score no file that lacks one."""
    if not items or any(_PROBLEM.fullmatch(item) is None for item in items):
        return
    absent = [name for number in range(PROBLEMS) if (name := f"HumanEval/{number}") not in items]
    if absent:
        listed = ", ".join(absent[:_SHOWN]) + (", …" if len(absent) > _SHOWN else "")
        detail = (
            f"{shown(head.path)} has no sample{whose} of {len(absent)} of HumanEval's {PROBLEMS} problems ({listed}): "
            "its own program scores no such file, so it was cut short or thinned out, and the score is of the rest"
        )
        yield note("partial-log", detail=detail)


def _extra(sample: Node) -> dict[str, str]:
    """Numbers that HumanEval does not write, and why they are not read."""
    why = "HumanEval does not write it, so what it measures is not known; write it to a table, one metric a column"
    return {key: why for key, value in sample.value.items() if isinstance(value, float) and key not in _KEYS}


def _fault_note(head: FileHead, messages: Mapping[str, int], total: int) -> Iterator[Note]:
    """A note where half of the samples could not even be run: the code was cut out of the answers wrongly."""
    faults = Counter({text: n for text, n in messages.items() if any(word in text.lower() for word in FAULTS)})
    n = sum(faults.values())
    if total > 1 and n >= HALF * total:
        message, times = faults.most_common(1)[0]
        yield note("broken-code", where=shown(head.path), n=n, total=total, message=message[:80], times=times)
