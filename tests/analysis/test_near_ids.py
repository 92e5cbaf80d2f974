"""Items that do not pair because two files spell their ids in two ways: said with their number, and no chance."""

from __future__ import annotations

import random

import pytest

import scorebars as sb
from scorebars.analysis.near_ids import near

IDS = [f"q_{n:03d}" for n in range(40)]


def scores(model, ids):
    rng = random.Random(model)
    return sb.Scores({"model": [model] * len(ids), "item": ids, "score": [rng.randint(0, 1) for _ in ids]})


def said(ids_a, ids_b):
    found = sb.compare(scores("A", ids_a), scores("B", ids_b))
    return [note.message for note in found.answer.notes if note.code == "near-items"]


WAYS = {
    "only in case": str.upper,
    "only in blanks": lambda text: f"{text} ",
    "only in leading zeros": lambda text: f"q_{int(text[2:])}",
    "only in case, blanks, hyphens or leading zeros": lambda text: text.replace("_", "-"),
    "only in 'q_' before them": lambda text: text[2:],
    "only in '.json' behind them": lambda text: f"{text}.json",
    "only in 'ds/' before them and '-v2' behind them": lambda text: f"ds/{text}-v2",
}


@pytest.mark.parametrize("how", WAYS)
@pytest.mark.parametrize("n_alike", [0, 10])
def test_ids_in_two_spellings_are_said_with_their_number(how, n_alike):
    others = [*IDS[:n_alike], *map(WAYS[how], IDS[n_alike:])]
    changed = sum(one != other for one, other in zip(IDS, others, strict=True))
    for one, other in ((IDS, others), (others, IDS)):
        (message,) = said(one, other)
        assert message.startswith(f"{changed} items of 'A' and 'B' did not pair and differ {how}, such as ")


@pytest.mark.parametrize("other", [
    IDS,
    IDS[:30],
    [f"q_{n}" for n in range(100, 140)],
    [str(n) for n in range(40)],
    [f"x{n}" for n in range(40)],
])  # fmt: skip
def test_other_items_are_not(other):
    plain = [str(n) for n in range(100, 140)] if other[0] == "0" else IDS
    assert said(plain, other) == []


def test_half_of_the_smaller_side_must_agree_with_one_addition():
    assert near([f"q{n}" for n in "abcd"], ["a", "b", "c", "x", "y", "z"]) is not None
    assert near([f"q{n}" for n in "abcdefgh"], ["a", "b", "c", "x", "y", "z", "u", "v"]) is None


def test_two_ids_of_one_side_that_are_alike_are_no_pair_of_either():
    found = near(["a", "A", "b"], ["a ", "B"])
    assert found is not None
    assert found.pairs == (("b", "B"),)


def test_tasks_are_looked_at_one_by_one():
    rows = [("A", "x", "q1"), ("A", "x", "q2"), ("A", "y", "q1"), ("B", "x", "Q1"), ("B", "x", "q2"), ("B", "y", "q1")]
    table = sb.Scores({
        "model": [row[0] for row in rows],
        "task": [row[1] for row in rows],
        "item": [row[2] for row in rows],
        "score": [1, 0, 1, 0, 0, 1],
    })  # fmt: skip
    for found in (sb.compare(table, "A", "B"), sb.compare_all(table)[0]):
        (note,) = (note for note in found.answer.notes if note.code == "near-items")
        assert note.message.startswith(
            "1 item of 'A' and 'B' did not pair and differ only in case, such as 'q1' and 'Q"
        )
