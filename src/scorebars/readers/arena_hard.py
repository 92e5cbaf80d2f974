"""Arena-Hard judgments: one line a question and model, two games with the sides swapped, each with a verdict.

The first game puts the baseline at A, the second puts the model there. A verdict is 1, .5 or 0 for the model; the two
games are two runs of the question. Arena-Hard itself counts a strong verdict (A>>B) three times and fits a
Bradley-Terry curve; its printed win rate is therefore near the mean here, and not equal to it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from scorebars.errors import ReadError
from scorebars.readers.document import Node, lines, node
from scorebars.readers.files import stem
from scorebars.readers.records import Rows, each, refuse_mapping
from scorebars.readers.sniff import outline

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scorebars.contracts import FileHead, Part, Request

VERDICTS: Final = {"A>>B": 1.0, "A>B": 1.0, "A=B": 0.5, "B=A": 0.5, "B>A": 0.0, "B>>A": 0.0, "A<B": 0.0, "A<<B": 0.0}
"""Verdict -> the score of side A."""
_IDS: Final = ("question_id", "uid")
"""Key of the question, in version 0.1 and 2."""
_MAPPING: Final = {
    "model": "model (else the file's name)",
    "task": "category (version 2)",
    "item": "question_id, or uid in version 2",
    "run": "the game (1: the baseline is A, 2: the model is A)",
    "variant": "baseline and judge",
    "score": "the game's verdict, from the model's side",
}


@dataclass(frozen=True, slots=True)
class ArenaHardReader:
    """Reads what arena-hard-auto's ``gen_judgment.py`` writes."""

    @property
    def name(self) -> str:
        """As on the command line and in notes."""
        return "arena-hard"

    def claims(self, head: FileHead) -> bool:
        """Lines of a question with its games."""
        keys = outline(head)
        return not keys.is_list and "games" in keys.top and bool(keys.top.intersection(_IDS))

    def read(self, heads: Sequence[FileHead], request: Request) -> Iterator[Part]:
        """One part a file."""
        refuse_mapping(request, "Arena-Hard judgments")
        return each(heads, _part)


def _part(head: FileHead) -> Part:
    rows = Rows()
    for line in lines(head):
        games = line.get("games")
        if not isinstance(games, list):
            raise ReadError(f"{line.where}: 'games' is no list of games")
        key = "uid" if line.has("uid") else "question_id"
        for number, game in enumerate(games or [None], start=1):  # a question without a game is missing, not absent
            rows.add(
                model=line.text("model", stem(head.path)),
                task=line.text("category", "arena-hard"),
                item=line.text(key),
                run=str(number),
                variant=_variant(line),
                score=_score(game, number, line),
            )
    return rows.part(head.path, "arena-hard", _MAPPING, score_range=(0.0, 1.0))


def _variant(line: Node) -> str | None:
    named = [word + line.text(key) for word, key in (("vs ", "baseline"), ("by ", "judge")) if line.has(key)]
    return ", ".join(named) or None


def _score(game: object, number: int, line: Node) -> float:
    """The model's score; a game without a verdict is missing, as the official script leaves it out."""
    if game is None:
        return math.nan
    verdict = node(game, f"{line.where}: game {number}").value.get("score")
    if verdict is None:
        return math.nan
    if not isinstance(verdict, str) or verdict not in VERDICTS:
        raise ReadError(
            f"{line.where}: game {number} has the verdict {verdict!r}, which is none of {', '.join(VERDICTS)}"
        )
    return VERDICTS[verdict] if number % 2 == 0 else 1 - VERDICTS[verdict]
