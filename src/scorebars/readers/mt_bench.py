"""MT-Bench judgments (FastChat's ``llm_judge``): grades of single answers, and pairs that were judged both ways round.

Each question has two turns, and the second builds on the first: a turn is an item, its question the cluster of both.
The mean over all turns is the average that ``show_result.py`` prints. There a grade of −1 is no grade (the judge's
answer had none in it), and a pair counts half for both sides unless the same one won both games.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from scorebars.errors import ReadError
from scorebars.readers.document import Node, id_text, lines
from scorebars.readers.records import Rows, each, refuse_mapping
from scorebars.readers.sniff import outline

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scorebars.contracts import FileHead, Part, Request

SINGLE: Final = frozenset({"question_id", "model", "judge", "judgment", "score", "turn"})
PAIR: Final = frozenset({"question_id", "model_1", "model_2", "g1_winner", "g2_winner"})
SCALE: Final = (1.0, 10.0)
"""What the judge is asked for."""
NO_GRADE: Final = -1.0
_WINNERS: Final = {"model_1": 1.0, "model_2": 0.0, "tie": 0.5, "error": math.nan}
"""Winner of a game -> the score of model_1."""
_ITEM: Final = {
    "item": "question_id and turn",
    "cluster": "question_id",
}


@dataclass(frozen=True, slots=True)
class MtBenchReader:
    """Reads what FastChat's ``gen_judgment.py`` writes, ``model_judgment/*_single.jsonl`` and ``*_pair.jsonl``."""

    @property
    def name(self) -> str:
        """As on the command line and in notes."""
        return "mt-bench"

    def claims(self, head: FileHead) -> bool:
        """Lines of a question with a judge's grade, or with the winners of two games."""
        keys = outline(head)
        return not keys.is_list and (keys.top >= SINGLE or keys.top >= PAIR)

    def read(self, heads: Sequence[FileHead], request: Request) -> Iterator[Part]:
        """One part a file."""
        refuse_mapping(request, "MT-Bench judgments")
        return each(heads, lambda head: _pairs(head) if outline(head).top >= PAIR else _grades(head))


def _grades(head: FileHead) -> Part:
    rows = Rows()
    for line in lines(head):
        score = line.number("score")
        graded = score != NO_GRADE
        rows.add(
            model=line.text("model"),
            **_place(line),
            variant=_named(line),
            score=score if graded else math.nan,
            status=None if graded else "unscored",
        )
    known = np.array([score for score in rows.cells["score"] if not math.isnan(score)])
    inside = bool(len(known) and known.min() >= SCALE[0] and known.max() <= SCALE[1])
    mapping = {"model": "model", **_ITEM, "variant": "judge", "score": "score (-1 is no grade)"}
    return rows.part(head.path, "mt-bench", mapping, score_range=SCALE if inside else None)


def _pairs(head: FileHead) -> Part:
    rows = Rows()
    for line in lines(head):
        names = [line.text("model_1"), line.text("model_2")]
        if names[0] == names[1]:
            raise ReadError(f"{line.where}: '{names[0]}' meets itself; leave such pairs out")
        won = _won(line)
        for place, name in enumerate(names):
            rows.add(
                model=name,
                **_place(line),
                metric="win_rate",
                variant=_named(line, f"vs {names[1 - place]}"),
                score=1.0 - won if place else won,
                status="unscored" if math.isnan(won) else None,
            )
    mapping = {
        "model": "model_1, model_2",
        **_ITEM,
        "variant": "the other model and the judge",
        "score": "the winner of both games (.5 where they differ)",
    }
    return rows.part(head.path, "mt-bench", mapping, score_range=(0.0, 1.0))


def _place(line: Node) -> dict[str, Any]:
    """The item and its cluster; a pair of single grades is of the first turn, and does not say so."""
    question = line.text("question_id")
    turn = line.whole("turn", 1)
    return {"item": f"{question} turn {turn}", "cluster": question}


def _named(line: Node, start: str = "") -> str | None:
    """Whom a model met and who judged it: 'vs gpt-3.5-turbo, by gpt-4'; the prompt's name goes with the question."""
    judge = line.value.get("judge")
    if isinstance(judge, list):
        judge = judge[0] if judge else None
    by = "" if judge is None else "by " + id_text(judge, f"{line.where}: 'judge'")
    return ", ".join(filter(None, (start, by))) or None


def _won(line: Node) -> float:
    """The score of model_1: of a side that won both games 1, else .5; NaN where a game has no verdict."""
    games = []
    for key in ("g1_winner", "g2_winner"):
        winner = line.text(key)
        if winner not in _WINNERS:
            raise ReadError(f"{line.where}: '{key}' is '{winner}', which is none of {', '.join(_WINNERS)}")
        games.append(_WINNERS[winner])
    if any(map(math.isnan, games)):
        return math.nan
    return games[0] if games[0] == games[1] else 0.5
