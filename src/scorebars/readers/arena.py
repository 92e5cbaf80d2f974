"""Battles of two models (Chatbot Arena, arena-rank): ``model_a``, ``model_b``, ``winner``, one row a battle.

A battle is one attempt of each side against the other: 1 for the winner, 0 for the loser, .5 each for a tie. What a
model scored depends on whom it met, so the opponent is the variant: ``--variant "vs gpt-4"`` chooses a baseline. No
rating is fitted: Elo and Bradley-Terry scores are not means over battles.

Without a winner, ``score_a`` and ``score_b`` (or ``rating_a``, …) are what the two models of the row scored,
whatever the side on which each stands.
"""

from __future__ import annotations

import math
import os
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from scorebars.errors import ReadError
from scorebars.readers.delimited import delimiter_of, rows_of
from scorebars.readers.document import Node, lines, load, node, records
from scorebars.readers.files import shown, text_head
from scorebars.readers.json_table import json_shape
from scorebars.readers.records import Rows, each, in_unit, refuse_mapping
from scorebars.readers.sniff import kind_of, outline
from scorebars.readers.unclustered import available

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from scorebars.contracts import FileHead, Part, Request
    from scorebars.readers.sources import Source

LARGE: Final = 1 << 20
"""Bytes from which on the battles of a table are left in the database."""
LONGEST_SCHEMA: Final = 1 << 18
"""Bytes of a Parquet file's footer that are looked at."""
SIDES: Final = (("model_a", "model_b"), ("model_1", "model_2"), ("model_left", "model_right"))
"""The keys of the two models."""
WINNERS: Final = ("winner", "preferred", "preference", "preferred_model", "winning_model", "vote")
"""The key of the one that won: the name of its key, or its own."""
ONE_HOT: Final = ("winner_model_a", "winner_model_b", "winner_tie")
"""The same as three columns of 0 and 1, in the order of WINS."""
TIES: Final = frozenset(
    {
        *(
            "tie",
            "tie (bothbad)",
            "both_bad",
            "bothbad",
            "both bad",
            "tie (both bad)",
            "draw",
            "equal",
            "same",
            "neither",
        ),
        *("both", "none"),
    }
)
"""Words, in lower case, for a battle that nobody won."""
GRADED: Final = ("score", "rating", "grade", "reward", "points", "correct")
"""Before the end of a side ('score_a', 'score_left'): what each of the models scored."""
IDS: Final = ("question_id", "conversation_id", "id")
TEXTS: Final = ("prompt_id", "item_id", "item", "prompt", "question", "instruction")
"""Columns of a table that say what was asked, where there is no id."""
JUDGES: Final = ("judge", "user_id", "judge_id", "evaluator")
"""Keys of whoever voted."""
_CLUSTER: Final = "--cluster judge"


@dataclass(frozen=True, slots=True)
class Keys:
    """Where the battles of a file have their parts."""

    sides: tuple[str, str]
    winner: str
    """'' for three columns of 0 and 1."""
    scores: tuple[str, ...] = ()
    """Where there is no winner, what each of the models scored."""


@dataclass(frozen=True, slots=True)
class ArenaReader:
    """Reads battles as JSON, JSON Lines, CSV or Parquet."""

    @property
    def name(self) -> str:
        """As on the command line and in notes."""
        return "arena"

    def claims(self, head: FileHead) -> bool:
        """Records with two models and a winner, or with a score each."""
        return keys_of(_names(head)) is not None

    def read(self, heads: Sequence[FileHead], request: Request) -> Iterator[Part]:
        """One part a file, two rows a battle."""
        refuse_mapping(request, "a list of battles", cluster=_CLUSTER)
        return each(heads, lambda head: _part(head, request))


def _names(head: FileHead) -> Collection[str]:
    """The keys of the records or the headers of the columns, as far as the head shows them."""
    kind = kind_of(head)
    if kind == "json":
        return outline(head).top
    if kind == "parquet":
        names = (*ONE_HOT, *WINNERS, *(side for pair in SIDES for side in (*pair, *_graded(pair))))
        # Its length stands before each name: 'winner' is no part of 'winner_model_a'.
        schema = parquet_schema(head)
        return {name for name in names if bytes([len(name)]) + name.encode() in schema}
    if kind != "delimited":
        return ()
    text = text_head(head).lstrip("\r\n")
    return {cell.strip() for row in rows_of(text, delimiter_of(text, head.suffixes), 1) for cell in row}


def parquet_schema(head: FileHead) -> bytes:
    """The bytes of a Parquet file that its schema is among: all of a small one, the start of a large one's footer."""
    if head.compression is not None or head.size <= len(head.head):
        return head.head
    with head.path.open("rb") as stream:
        stream.seek(-8, os.SEEK_END)
        footer = min(int.from_bytes(stream.read(4), "little"), head.size - 8)
        stream.seek(-8 - footer, os.SEEK_END)
        return stream.read(min(footer, LONGEST_SCHEMA))


def keys_of(names: Collection[str]) -> Keys | None:
    """The keys of two models and the winner, or their scores; None where they are not there."""
    sides = next((pair for pair in SIDES if set(pair) <= set(names)), None)
    winner = next((key for key in WINNERS if key in names), "")
    if sides is None:
        return None
    if winner or set(ONE_HOT) <= set(names):
        return Keys(sides, winner)
    pairs = zip(*[iter(_graded(sides))] * 2, strict=True)
    scores = next((pair for pair in pairs if set(pair) <= set(names)), None)
    return None if scores is None else Keys(sides, "", scores)


def _graded(sides: Sequence[str]) -> list[str]:
    """The keys of the scores that may stand beside these of models, pair by pair: 'score_a', 'score_b'."""
    return [f"{word}{side.removeprefix('model')}" for word in GRADED for side in sides]


def _battles(head: FileHead, request: Request) -> Iterable[Node]:
    if kind_of(head) == "json":
        return lines(head) if json_shape(head) == "lines" else records(load(head), shown(head.path))
    return _rows(head, request)


def _rows(head: FileHead, request: Request) -> list[Node]:
    """The rows of a table as records: the columns that play a role, empty cells as null."""
    with opened(head, request) as source:
        names = role_columns(source, request)
        found = request.engine.query(source.scan(names))
        cells = zip(*(found[f"w{place}"].tolist() for place in range(len(names))), strict=True)
        rows = ([cell if cell and cell.strip() else None for cell in row] for row in cells)
        return [
            node(dict(zip(names, row, strict=True)), f"{shown(head.path)}: {source.unit} {number}")
            for number, row in enumerate(rows, start=2 if source.unit == "line" else 1)
            if any(cell is not None for cell in row)
        ]


@contextmanager
def opened(head: FileHead, request: Request) -> Iterator[Source]:
    """The columns of a table."""
    from scorebars.readers.columnar import columnar_source
    from scorebars.readers.delimited import delimited_source
    from scorebars.readers.faults import located
    from scorebars.readers.nul_bytes import refuse_nul_bytes
    from scorebars.readers.sources import Scratch

    with Scratch() as scratch:
        try:
            if kind_of(head) == "parquet":
                yield columnar_source("parquet", head, request.engine, scratch)
            else:
                refuse_nul_bytes(head)
                yield delimited_source(head, scratch)
        except ReadError as error:
            raise located(error, head) from error


def role_columns(source: Source, request: Request) -> list[str]:
    """The columns that play a role."""
    known = {*ONE_HOT, *WINNERS, *IDS, *TEXTS, *JUDGES, cluster_of(request)}
    known |= {side for pair in SIDES for side in (*pair, *_graded(pair))}
    return [name for name in source.names if name in known]


def cluster_of(request: Request) -> str | None:
    """The key that was asked for as the cluster."""
    return request.cluster or request.columns.get("cluster")


def _part(head: FileHead, request: Request) -> Part:
    if _is_large(head):
        from scorebars.readers.battle_table import large_part

        if (part := large_part(head, request)) is not None:
            return part
    cluster = cluster_of(request)
    rows = Rows()
    found = list(_battles(head, request))
    is_table = kind_of(head) != "json"
    keys = keys_of(found[0].value.keys() | _names(head) if found else _names(head))
    if keys is None:
        raise ReadError(f"{shown(head.path)}: the first battle has no two models and winner")
    if keys.scores:
        return _graded_part(head, request, found, keys, is_table=is_table)
    item_key = next((key for key in (*IDS, *(TEXTS * is_table)) if found and found[0].has(key)), None)
    for number, battle in enumerate(found, start=1):
        item, names, score = judged(battle, keys, item_key, number)
        for place, side in enumerate(names):
            rows.add(
                model=side,
                item=item,
                metric="win_rate",
                variant=f"vs {names[1 - place]}",
                score=1 - score if place else score,
                cluster=None if cluster is None else battle.text(cluster),
            )
    notes = available("battles", JUDGES, found) if cluster is None else ()
    mapping = mapping_of(keys, item_key, cluster)
    return rows.part(head.path, "arena", mapping, score_range=(0.0, 1.0), notes=[*notes])


def judged(battle: Node, keys: Keys, item_key: str | None, number: int) -> tuple[str, list[str], float]:
    """The item, the models and the score of the first of them.

    Raises:
        ReadError: A model that meets itself.
    """
    item = _item(battle, item_key, number)
    names = [battle.text(side) for side in keys.sides]
    score = _score(battle, keys, names)
    if names[0] == names[1]:
        raise ReadError(f"{battle.where}: '{names[0]}' meets itself; leave such battles out")
    return item, names, score


def mapping_of(keys: Keys, item_key: str | None, cluster: str | None) -> dict[str, str]:
    """Where each role of a battle came from."""
    mapping = {
        "model": ", ".join(keys.sides),
        "item": item_key or "the battle's number",
        "variant": "the other model of the battle",
        "score": f"{keys.winner or ', '.join(ONE_HOT)} (a tie is .5 for both)",
    }
    return mapping if cluster is None else mapping | {"cluster": cluster}


def _is_large(head: FileHead) -> bool:
    """Whether the battles of a table are left in the database."""
    return kind_of(head) != "json" and head.size > LARGE


def _graded_part(head: FileHead, request: Request, found: Sequence[Node], keys: Keys, *, is_table: bool) -> Part:
    """The part of rows with a score of each of two models; among more than two the other one is the variant."""
    rows, cluster = Rows(), cluster_of(request)
    item_key = next((key for key in (*IDS, *(TEXTS * is_table)) if found[0].has(key)), None)
    several = len({row.text(side) for row in found for side in keys.sides}) > len(keys.sides)
    for number, row in enumerate(found, start=1):
        item, names, scores = graded(row, keys, item_key, number)
        for name, other, score in zip(names, reversed(names), scores, strict=True):
            rows.add(
                model=name,
                item=item,
                variant=f"vs {other}" if several else None,
                score=score,
                cluster=None if cluster is None else row.text(cluster),
            )
    notes = available("battles", JUDGES, found) if cluster is None else ()
    mapping = mapping_of_graded(keys, item_key, cluster, several=several)
    return in_unit(rows.part(head.path, "arena", mapping, notes=[*notes]))


def graded(row: Node, keys: Keys, item_key: str | None, number: int) -> tuple[str, list[str], list[float]]:
    """The item, the two models and the score of each.

    Raises:
        ReadError: A model that meets itself.
    """
    names = [row.text(side) for side in keys.sides]
    if names[0] == names[1]:
        raise ReadError(f"{row.where}: '{names[0]}' meets itself; leave such rows out")
    item = _item(row, item_key, number)
    return item, names, [_number(row, score) for score in keys.scores]


def mapping_of_graded(keys: Keys, item_key: str | None, cluster: str | None, *, several: bool) -> dict[str, str]:
    """Where each role of a row with two scores came from."""
    mapping = {
        "model": ", ".join(keys.sides),
        "item": item_key or "the row's number",
        "score": f"{', '.join(keys.scores)}, each that of the model on its side",
    }
    mapping |= {"variant": "the other model of the row"} if several else {}
    return mapping if cluster is None else mapping | {"cluster": cluster}


def _number(row: Node, key: str) -> float:
    """A score, as a number or, in a table, as its text."""
    value = row.value.get(key)
    if not isinstance(value, str):
        return row.number(key)
    word = value.strip().lower()
    try:
        score = {"true": 1.0, "false": 0.0, "nan": math.nan}.get(word)
        score = float(word) if score is None else score
    except ValueError:
        raise ReadError(f"{row.where}: '{key}' is '{value}', not a number") from None
    if math.isinf(score):
        raise ReadError(f"{row.where}: '{key}' is infinite; a score is a finite number (empty if there is none)")
    return score


def _item(battle: Node, key: str | None, number: int) -> str:
    """The id of the battle, under the key that the first one has; without one, its number."""
    if key is not None and battle.value.get(key) is None:
        raise ReadError(
            f"{battle.where}: its '{key}' is null or missing, and the battles before it have one; battles are told "
            "apart by it, so give it to all or to none"
        )
    given = next((one for one in IDS if key is None and battle.has(one)), None)
    if given is not None:
        raise ReadError(
            f"{battle.where} has a '{given}', and the first battle has none; battles are told apart by it, so give it "
            "to all or to none"
        )
    return str(number) if key is None else battle.text(key)


def _score(battle: Node, keys: Keys, names: Sequence[str]) -> float:
    """What the first model won; a battle without a winner has not been judged."""
    if not keys.winner:
        return _one_hot(battle)
    if not battle.has(keys.winner):
        return math.nan
    winner = battle.text(keys.winner).strip()
    # A model may be called 'tie' or 'model_b': then its name goes before the word.
    words = dict(zip((*_short(keys, names, winner), *keys.sides, *names), (1.0, 0.0) * 3, strict=True))
    if winner not in words and winner.lower() not in TIES:
        known = ", ".join(dict.fromkeys((*keys.sides, *names, "tie")))
        raise ReadError(f"{battle.where}: the {keys.winner} '{winner}' is none of {known}")
    return words.get(winner, 0.5)


def _short(keys: Keys, names: Sequence[str], winner: str) -> tuple[str, str]:
    """The sides by their last words, 'A' for model_a; spelled as the winner is, if no model is called so."""
    first, second = (side.rpartition("_")[2] for side in keys.sides)
    if winner.lower() in {name.lower() for name in names} or winner.lower() not in {first, second}:
        return first, second
    return (winner, second) if winner.lower() == first else (first, winner)


def _one_hot(battle: Node) -> float:
    """The same where three columns say it, one of them 1."""
    texts = [battle.text(key, "0").strip().lower() for key in ONE_HOT]
    said = [
        1.0 if text in {"1", "1.0", "true"} else 0.0 if text in {"0", "0.0", "false"} else math.nan for text in texts
    ]
    if sum(said) == 1.0:
        return said[0] + said[2] / 2.0
    if all(not battle.has(key) for key in ONE_HOT):
        return math.nan
    raise ReadError(f"{battle.where}: one of {', '.join(ONE_HOT)} is to be 1 and the others 0, not {', '.join(texts)}")
