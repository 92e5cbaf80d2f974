"""The mean over items is told where it lies outside the interval of the mean over tasks."""

import numpy as np
import pytest

import scorebars as sb


def table(sizes, rates, model="A", first=0):
    return [
        (model, f"t{task}", f"q{first + place}", float(place < rate * n))
        for task, (n, rate) in enumerate(zip(sizes, rates, strict=True))
        for place in range(n)
    ]


def scores(*tables):
    model, task, item, score = zip(*(row for rows in tables for row in rows), strict=True)
    return sb.Scores({"model": model, "task": task, "item": item, "score": np.array(score)})


def said(result):
    return [note for note in result.answer.notes if note.code == "task-weights"]


def test_the_mean_over_items_is_told_where_it_is_outside():
    found = scores(table((90, 10), (0.85, 0.1)))
    (estimate,) = sb.estimate(found)
    (note,) = said(estimate)
    over_items = (77 + 1) / 100
    assert not estimate.low <= over_items <= estimate.high
    assert note.data["over_items"] == "78.0"
    assert "has 10 items or 90 items;" in note.message
    assert "it would be 78.0 %, which is outside this interval" in note.message
    (pooled,) = sb.estimate(found.pooled())
    assert pooled.value == pytest.approx(over_items)
    assert said(pooled) == []


@pytest.mark.parametrize(
    ("sizes", "rates"),
    [((50, 50), (0.9, 0.1)), ((60, 40), (0.5, 0.6)), ((100,), (0.5,)), ((1, 1, 1, 1, 1, 1), (1, 0, 1, 0, 0, 1))],
)
def test_nothing_is_said_where_it_does_not_matter(sizes, rates):
    assert said(sb.estimate(scores(table(sizes, rates)))[0]) == []


@pytest.mark.parametrize("first", [0, 1000])
def test_comparisons_say_it_of_their_difference(first):
    """Paired, and of unrelated items."""
    found = scores(table((400, 20), (0.9, 0.5)), table((400, 20), (0.5, 0.5), "B", first))
    result = sb.compare(found, "A", "B")
    (note,) = said(result)
    assert float(str(note.data["value"])) == pytest.approx(370 / 420 - 210 / 420)
    assert not result.low <= 370 / 420 - 0.5 <= result.high
    assert sb.compare(found.pooled(), "A", "B").value == pytest.approx(370 / 420 - 0.5)
