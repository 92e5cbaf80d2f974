"""Battles of two models (Chatbot Arena, arena-rank): ``model_a``, ``model_b``, ``winner``, one row a battle.

A battle is one attempt of each side against the other: 1 for the winner, 0 for the loser, .5 each for a tie. What a
model scored depends on whom it met, so the opponent is the variant: ``--variant "vs gpt-4"`` chooses a baseline. No
rating is fitted: Elo and Bradley-Terry scores are not means over battles.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from scorebars.errors import ReadError
from scorebars.readers.document import Node, lines, load, records
from scorebars.readers.files import shown
from scorebars.readers.json_table import json_shape
from scorebars.readers.records import Rows, each, refuse_mapping
from scorebars.readers.sniff import kind_of, outline
from scorebars.readers.unclustered import available

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from scorebars.contracts import FileHead, Part, Request

WINS: Final = {"model_a": 1.0, "model_b": 0.0, "tie": 0.5, "tie (bothbad)": 0.5, "both_bad": 0.5, "bothbad": 0.5}
"""Winner -> the score of model_a."""
KEYS: Final = frozenset({"model_a", "model_b", "winner"})
_ITEM: Final = ("question_id", "conversation_id", "id")
_JUDGES: Final = ("judge", "user_id", "judge_id", "evaluator")
"""Keys of whoever voted."""
_CLUSTER: Final = "--cluster judge"


@dataclass(frozen=True, slots=True)
class ArenaReader:
    """Reads battles as JSON or JSON Lines."""

    @property
    def name(self) -> str:
        """As on the command line and in notes."""
        return "arena"

    def claims(self, head: FileHead) -> bool:
        """Records with two models and a winner."""
        return kind_of(head) == "json" and outline(head).top >= KEYS

    def read(self, heads: Sequence[FileHead], request: Request) -> Iterator[Part]:
        """One part a file, two rows a battle."""
        refuse_mapping(request, "a list of battles", cluster=_CLUSTER)
        cluster = request.cluster or request.columns.get("cluster")
        return each(heads, lambda head: _part(head, cluster))


def _battles(head: FileHead) -> Iterable[Node]:
    return lines(head) if json_shape(head) == "lines" else records(load(head), shown(head.path))


def _part(head: FileHead, cluster: str | None) -> Part:
    rows = Rows()
    found = list(_battles(head))
    item_key = next((key for key in _ITEM if found and found[0].has(key)), None)
    for number, battle in enumerate(found, start=1):
        item = _item(battle, item_key, number)
        score = _score(battle)
        names = [battle.text("model_a"), battle.text("model_b")]
        if names[0] == names[1]:
            raise ReadError(f"{battle.where}: '{names[0]}' meets itself; leave such battles out")
        for place, side in enumerate(names):
            rows.add(
                model=side,
                item=item,
                metric="win_rate",
                variant=f"vs {names[1 - place]}",
                score=1 - score if place else score,
                cluster=None if cluster is None else battle.text(cluster),
            )
    mapping = {
        "model": "model_a, model_b",
        "item": item_key or "the battle's number",
        "variant": "the other model of the battle",
        "score": "winner (a tie is .5 for both)",
    }
    if cluster is not None:
        mapping["cluster"] = cluster
    notes = available("battles", _JUDGES, found) if cluster is None else ()
    return rows.part(head.path, "arena", mapping, score_range=(0.0, 1.0), notes=[*notes])


def _item(battle: Node, key: str | None, number: int) -> str:
    """The id of the battle, under the key that the first one has; without one, its number."""
    if key is not None and battle.value.get(key) is None:
        raise ReadError(
            f"{battle.where}: its '{key}' is null or missing, and the battles before it have one; battles are told "
            "apart by it, so give it to all or to none"
        )
    given = next((one for one in _ITEM if key is None and battle.has(one)), None)
    if given is not None:
        raise ReadError(
            f"{battle.where} has a '{given}', and the first battle has none; battles are told apart by it, so give it "
            "to all or to none"
        )
    return str(number) if key is None else battle.text(key)


def _score(battle: Node) -> float:
    """What model_a won; a battle without a winner has not been judged."""
    if not battle.has("winner"):
        return float("nan")
    winner = battle.text("winner")
    if winner not in WINS:
        known = ", ".join(WINS)
        raise ReadError(f"{battle.where}: the winner '{winner}' is none of {known}")
    return WINS[winner]
