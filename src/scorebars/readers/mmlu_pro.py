"""MMLU-Pro: the JSON list that the official scripts save, a record a question with the letter that was extracted.

item = ``question_id``, score = ``pred == answer``. Where no letter could be extracted ``pred`` is null: the official
script puts a letter in its place that is the same random one each time; here the attempt has no score and counts as
wrong unless asked otherwise.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING, Final

from scorebars.errors import ReadError, near_miss
from scorebars.readers.added_keys import AddedKeys, told_by_records
from scorebars.readers.columns import is_score
from scorebars.readers.document import Node, load, node, records
from scorebars.readers.files import head_of, shown, stem
from scorebars.readers.naming import model_names
from scorebars.readers.records import Rows, each, refuse_mapping
from scorebars.readers.sniff import outline
from scorebars.readers.sources import NoScores
from scorebars.readers.totals import Total, disagreements

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from scorebars.contracts import FileHead, Part, Request

SEED: Final = 12345
"""Seed that the official script sets anew before each letter that it draws."""
_KEYS: Final = frozenset({"question_id", "answer", "pred"})
_BESIDE: Final = frozenset({"answer_index", "cot_content", "model_outputs", "src"})
_WRITTEN: Final = _KEYS | _BESIDE | {"question", "options", "category"}
"""All keys of a question."""
_FOLDERS: Final = frozenset({"CoT", "cot", "all"})


@dataclass(frozen=True, slots=True)
class MmluProReader:
    """Reads what MMLU-Pro's ``evaluate_from_local.py`` and ``evaluate_from_api.py`` save."""

    @property
    def name(self) -> str:
        """As on the command line and in notes."""
        return "mmlu-pro"

    def claims(self, head: FileHead) -> bool:
        """A list of questions with extracted letters, or the counts of each category."""
        keys = outline(head)
        if keys.is_list:
            return keys.top >= _KEYS and bool(keys.top & _BESIDE) and not any(is_score(key) for key in keys.top)
        return keys.anywhere - keys.top == {"corr", "wrong", "acc"}

    def read(self, heads: Sequence[FileHead], request: Request) -> Iterator[Part]:
        """One part a file of questions; counts are an error where they stand alone."""
        refuse_mapping(request, "MMLU-Pro results", cluster="--cluster src")
        cluster = request.cluster or request.columns.get("cluster")
        some = any(outline(head).is_list for head in heads)
        names = model_names([head.path for head in heads if outline(head).is_list], "")

        def part(head: FileHead) -> Part | None:
            if outline(head).is_list:
                return _part(head, cluster, names[head.path])
            if some:
                return None
            raise NoScores(
                f"{shown(head.path)} holds MMLU-Pro's counts of right and wrong answers, no score of a question; "
                "read the list of questions beside it"
            )

        return each(heads, part)


def _part(head: FileHead, cluster: str | None, named: tuple[str, str]) -> Part:
    questions = records(load(head), shown(head.path))
    rows, added = Rows(), AddedKeys(_WRITTEN)
    model, source = _model(head.path, questions, named)
    for question in questions:
        score = _score(question)
        added.add(question)
        rows.add(
            model=model, item=question.text("question_id"), score=score,
            cluster=None if cluster is None else _field(question, cluster),
        )  # fmt: skip
    mapping = {"model": source, "item": "question_id", "score": "pred is answer"}
    # A question without a letter counts as wrong in the query too.
    score_sql = "CASE WHEN pred = answer THEN 1 ELSE 0 END"
    mapping |= told_by_records(added, rows, head.path, {"item": "question_id", "score": score_sql})
    if cluster is not None:
        mapping["cluster"] = cluster
    without = [question for question in questions if not question.value.get("pred")]
    if without:
        mapping["status"] = f"pred, null in {len(without):,} of {len(questions):,}{_official(questions)}"
    notes = [*disagreements(*_totals(head.path, questions))]
    return rows.part(head.path, "mmlu-pro", mapping, on_error="wrong", score_range=(0.0, 1.0), notes=notes)


def _totals(path: Path, questions: Sequence[Node]) -> tuple[str, list[Total]]:
    """The counts of the summary beside a file of results, of each category.

    Right answers are only compared where every letter was extracted: for the others the script drew one.
    """
    beside = path.with_name(path.name.replace("_result.json", "_summary.json"))
    if beside == path or not beside.is_file():
        return shown(beside), []
    summary = node(load(head_of(beside)), shown(beside))
    of_category: dict[str, list[float]] = {}
    for question in questions:
        of_category.setdefault(question.text("category", ""), []).append(_score(question))
    found: list[Total] = []
    for name, scores in of_category.items():
        said = summary.node(name)
        right, wrong = said.number("corr"), said.number("wrong")
        found.append(Total(f"the number of questions of '{name}'", right + wrong, len(scores)))
        found.append(Total(f"'corr' of '{name}'", right, math.fsum(scores)))  # NaN where a letter is missing
    return shown(beside), found


def _score(question: Node) -> float:
    """1 where the extracted letter is the answer; NaN where there is none."""
    answer = question.text("answer")
    if not question.value.get("pred"):
        return math.nan
    return float(question.text("pred") == answer)


def _field(question: Node, name: str) -> str:
    if not question.has(name):
        raise ReadError(
            f"{question.where} has no field '{name}' to take the cluster from{near_miss(name, question.value)}"
        )
    return question.text(name)


def _official(questions: Sequence[Node]) -> str:
    """What the official script makes of the file; nothing where the options are left out of it."""
    right = 0
    for question in questions:
        if question.value.get("pred"):
            right += question.value["pred"] == question.value["answer"]
            continue
        options = question.value.get("options")
        if not isinstance(options, list) or not options or "answer_index" not in question.value:
            return "; the official script draws a letter for each (random.seed(12345))"
        drawn = random.Random(SEED).randint(0, len(options) - 1)  # noqa: S311 - the script's own draw, to name its number
        right += drawn == question.value["answer_index"]
    return f"; with the letter that the official script draws for each, its accuracy is {right / len(questions):.4f}"


def _model(path: Path, questions: Sequence[Node], named: tuple[str, str]) -> tuple[str, str]:
    """From the file's name, or its path where another has that name; one named by its category stands in a folder."""
    name = stem(path)
    categories = {question.text("category", "").replace(" ", "_") for question in questions}
    if name.removesuffix("_result").replace(" ", "_") in categories:
        above = [folder for folder in PurePath(path.absolute()).parent.parts[1:] if folder not in _FOLDERS]
        if above:
            return above[-1], "the folder's name"
    return named[0].removeprefix("model_outputs_"), named[1]
