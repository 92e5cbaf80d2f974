"""LiveCodeBench: ``…_eval_all.json``, a list of questions, each with the verdicts of its samples in ``graded_list``.

item = ``question_id`` (with the test in the scenarios that have several a question), run = the place in
``graded_list``, cluster = the contest. ``--dates`` keeps the questions of contests in a window. The model is the
name of the folder, unless the questions name several.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from scorebars.errors import ReadError
from scorebars.readers.added_keys import AddedKeys, told_by_records
from scorebars.readers.document import kind, load, records
from scorebars.readers.files import head_of, shown
from scorebars.readers.naming import model_names
from scorebars.readers.records import Rows, each, refuse_mapping
from scorebars.readers.sniff import outline
from scorebars.readers.sources import NoScores
from scorebars.readers.totals import Total, disagreements, mean, mean_of_items

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scorebars.contracts import FileHead, Part, Request
    from scorebars.notes import Note
    from scorebars.readers.document import Node

ENDING: Final = r"(Scenario\.)?[a-z]+_\d+_[\d.]+(_cot)?(_eval_all)?"
"""'Scenario.codegeneration_10_0.2_eval_all': scenario, samples and temperature, in the folder of the model."""
_QUESTION: Final = frozenset({"question_id", "contest_id", "contest_date"})
_WRITTEN: Final = _QUESTION | {
    *("question_title", "question_content", "platform", "starter_code", "difficulty", "test_id", "id", "metadata"),
    *("output_list", "code_list", "pred_list", "graded_list", "pass@1", "function_name", "input", "output"),
}
"""All keys of a question, of all scenarios."""
_AS_TABLE: Final = {"item": "question_id", "score": "graded_list"}
_AVERAGES: Final = frozenset({"pass@1", "detail"})


@dataclass(frozen=True, slots=True)
class LiveCodeBenchReader:
    """Reads what ``lcb_runner --evaluate`` writes."""

    @property
    def name(self) -> str:
        """As on the command line and in notes."""
        return "livecodebench"

    def claims(self, head: FileHead) -> bool:
        """A list of questions with their contests; or averages (to refuse them)."""
        keys = outline(head)
        return keys.is_list and (keys.top >= _QUESTION or keys.top >= _AVERAGES or "graded_list" in keys.top)

    def read(self, heads: Sequence[FileHead], request: Request) -> Iterator[Part]:
        """One part a file."""
        refuse_mapping(request, "a LiveCodeBench file")
        names = model_names([head.path for head in heads], ENDING, folder=True)
        return each(heads, lambda head: _part(head, *names[head.path], request.options.dates))


def _part(head: FileHead, model: str, origin: str, dates: tuple[str, str] | None) -> Part:
    if outline(head).top >= _AVERAGES:
        raise NoScores(
            f"{shown(head.path)} holds averages of LiveCodeBench (…_eval.json); read the …_eval_all.json beside it"
        )
    questions = records(load(head), shown(head.path))
    if questions and not any("graded_list" in question.value for question in questions):
        raise NoScores(
            f"{shown(head.path)} holds answers of LiveCodeBench that were not graded; run lcb_runner with --evaluate "
            "and read the …_eval_all.json"
        )
    inside = [question for question in questions if dates is None or _is_inside(question, dates)]
    if questions and not inside and dates:
        raise NoScores(f"{shown(head.path)}: none of its {len(questions):,} questions is of {_window(dates)}")
    rows, added = Rows(), AddedKeys(_WRITTEN)
    for question in inside:
        for number, score in enumerate(_verdicts(question), start=1):
            contest = question.text("contest_id", question.text("question_id"))
            rows.add(model=model, item=_item(question), run=str(number), score=score, cluster=contest)
            added.add(question)
    mapping = {"model": origin, "item": "question_id", "run": "the place in graded_list", "score": "graded_list"}
    mapping |= {"cluster": "contest_id"}
    mapping |= told_by_records(added, rows, head.path, _AS_TABLE)
    left_out = {f"questions outside the days {_window(dates)}": len(questions) - len(inside)} if dates else {}
    notes = [*_totals(head, inside, None if dates else rows)]
    return rows.part(head.path, "livecodebench", mapping, score_range=(0.0, 1.0), dropped=left_out, notes=notes)


def _totals(head: FileHead, questions: Sequence[Node], rows: Rows | None) -> Iterator[Note]:
    """Notes where pass@1 of a question, or of all (in the file beside it), is not what the samples give."""
    found = (
        Total(f"pass@1 of question '{question.text('question_id')}'", question.value.get("pass@1"), own)
        for question in questions
        if not math.isnan(own := mean(_verdicts(question)))
    )
    yield from disagreements(shown(head.path), found)
    beside = head.path.with_name(head.path.name.replace("_eval_all.json", "_eval.json"))
    if rows is not None and beside != head.path and beside.is_file():
        said = load(head_of(beside))
        first = said[0] if isinstance(said, list) and said and isinstance(said[0], dict) else {}
        own = mean_of_items(rows.cells["item"], rows.cells["score"])
        yield from disagreements(shown(beside), [Total("pass@1", first.get("pass@1"), own)])


def _item(question: Node) -> str:
    """The question; the scenarios about tests and about executions have several items a question."""
    item = question.text("question_id")
    part = next((question.text(key) for key in ("test_id", "id") if question.has(key)), "")
    return f"{item}/{part}" if part else item


def _verdicts(question: Node) -> Iterator[float]:
    """1, 0, or NaN for null, of each sample."""
    graded = question.get("graded_list")
    if not isinstance(graded, list):
        raise ReadError(f"{question.where}: 'graded_list' is {kind(graded)}, not a list of verdicts")
    if not graded:  # a question without a sample is missing, not absent
        return iter([math.nan])
    return (_verdict(value, f"{question.where}: 'graded_list', sample {n}") for n, value in enumerate(graded, start=1))


def _verdict(value: Any, where: str) -> float:
    if value is None:
        return math.nan
    if not isinstance(value, bool):
        raise ReadError(f"{where} is {kind(value)}, not true or false")
    return float(value)


def _is_inside(question: Node, dates: tuple[str, str]) -> bool:
    """Whether the contest was in the window; a month as a bound is the whole month."""
    day = question.text("contest_date")
    first, last = dates
    return day[: len(first)] >= first and (not last or day[: len(last)] <= last)


def _window(dates: tuple[str, str]) -> str:
    return "..".join(dates)
