"""Rules without effect are said, and only those."""

from __future__ import annotations

import pytest

import scorebars as sb

ONE_OF_EACH = {"model": ["a"] * 4, "task": ["t"] * 4, "item": [1, 2, 3, 4], "run": ["1"] * 4, "score": [1, 0, 1, 1]}
TWO_OF_EACH = {
    "model": ["a"] * 5,
    "task": ["t", "t", "u", "u", "u"],
    "item": [1, 2, 3, 4, 4],
    "run": ["1", "2", "1", "2", "2"],
    "cluster": ["c", "d", "c", "d", "d"],
    "score": [1, 0, 1, None, None],
}
OPTIONS = {
    "duplicates": ("last", "no attempt is there twice"),
    "cluster_crosses_tasks": (True, "the table has no clusters"),
    "run_crosses_items": (True, "every item has the same one run"),
}


def said(scores):
    return [note.message for note in sb.estimate(scores).notes if note.code == "no-effect"]


@pytest.mark.parametrize("name", OPTIONS)
def test_an_option_that_changes_nothing_is_said(name):
    value, why = OPTIONS[name]
    [message] = said(sb.Scores(ONE_OF_EACH).with_options(**{name: value}))
    assert message.endswith(f"changed nothing: {why}")
    assert f"(with_options({name}={value!r}))" in message
    assert said(sb.Scores(TWO_OF_EACH).with_options(**{name: value})) == []


def test_pooling_one_task():
    assert said(sb.Scores(ONE_OF_EACH).pooled()) == ["pooling tasks (pooled()) changed nothing: there is only one task"]
    assert said(sb.Scores(TWO_OF_EACH).pooled()) == []
    assert len(said(sb.Scores(TWO_OF_EACH).select(task="u").pooled())) == 1


def test_defaults_say_nothing():
    assert said(sb.Scores(ONE_OF_EACH)) == said(sb.Scores(TWO_OF_EACH)) == []


def test_a_seed_that_draws_nothing_is_a_fact():
    scores = sb.Scores.from_arrays({"a": [1, 0, 1, 1], "b": [0, 0, 1, 1]}, axes=("item",))
    assert "none needed: the interval is a formula; seed 3 changes nothing" in str(sb.estimate(scores, rng=3))
    assert "changes nothing" not in str(sb.estimate(scores))
    drawn = sb.estimate(scores, interval=sb.Percentile(n_boot=50), rng=3)
    assert "seed 3" in str(drawn)
    assert "changes nothing" not in str(drawn)
    assert "seed 3 changes nothing" in str(sb.compare(scores, "a", "b", rng=3))


def test_a_seed_of_a_drawn_test_is_used():
    a = [(number * 7919 % 1000) / 1000 for number in range(60)]
    b = [(number * 104729 % 1000) / 1000 for number in range(60)]
    scores = sb.Scores.from_arrays({"a": a, "b": b}, axes=("item",))
    plain = sb.compare(scores, "a", "b", rng=3)
    tested = sb.compare(scores, "a", "b", rng=3, test=sb.ApproximateRandomization())
    assert "changes nothing" in str(plain)
    assert "changes nothing" not in str(tested)
