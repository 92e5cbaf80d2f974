"""Columns of criteria beside the one that is called after a metric: a note names them, and what to type reads them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import scorebars as sb
from scorebars.readers.read import read

RNG = np.random.default_rng(7)


def frame(n_items, header="accuracy", *, low=1, high=5, **more):
    """Two models, three criteria on one scale."""
    n = 2 * n_items
    drawn = {name: RNG.integers(low, high + 1, n) for name in ("helpfulness", header, "style")}
    ids = {"model": np.repeat(["a", "b"], n_items), "id": np.tile([f"q{k}" for k in range(n_items)], 2)}
    return pd.DataFrame({**ids, **drawn, **more})


def written(tmp_path, table):
    path = tmp_path / "criteria.csv"
    table.to_csv(path, index=False)
    return path


def said(scores):
    return [note.message for note in sb.estimate(scores).notes if note.code == "other-scores"]


@pytest.mark.parametrize("n_items", [40, 120_000])
def test_criteria_are_named_and_the_remedies_read_them(tmp_path, n_items):
    table = frame(n_items)
    path = written(tmp_path, table)
    (message,) = said(read(path))
    assert message == (
        "column 'accuracy' alone is taken for the score, and 'helpfulness', 'style' may be scores too, by their "
        "numbers; if another is meant, name it (--map score=helpfulness), or several, each a metric "
        "(--map score=accuracy+helpfulness+style)"
    )
    found = sb.estimate(read(path, columns={"score": "helpfulness"}))
    assert found[0].value == pytest.approx(table.helpfulness[:n_items].mean())
    assert not [note for note in found.notes if note.code == "other-scores"]
    several = read(path, columns={"score": "accuracy+helpfulness+style"}, metric="style")
    assert sb.estimate(several)[0].value == pytest.approx(table["style"][:n_items].mean())


def test_frames_are_told_alike():
    table = frame(40)
    (message,) = said(sb.Scores(table))
    assert message.endswith("if another is meant, name it (score='helpfulness')")
    found = sb.estimate(sb.Scores(table, score="helpfulness"))
    assert found[0].value == pytest.approx(table.helpfulness[:40].mean())
    assert not said(sb.Scores(table, score="accuracy"))


@pytest.mark.parametrize("header", ["correctness", "f1", "rating", "Accuracy"])
def test_any_metric_may_be_one_of_several(tmp_path, header):
    table = frame(40, header)
    assert said(read(written(tmp_path, table)))
    assert said(sb.Scores(table))


MEASURED = {
    "tokens": np.arange(80) % 5 + 1,
    "n_tokens": np.arange(80) % 5 + 1,
    "cost": np.linspace(1, 5, 80),
    "latency": np.linspace(1, 5, 80),
    "latency_ms": np.linspace(1, 5, 80),
    "sampling_seed": np.arange(80) % 5 + 1,
    "user_id": np.arange(80) % 5 + 1,
    "row_id": np.arange(80) % 5 + 1,
    "temperature": np.linspace(1, 5, 80),
    "difficulty": np.arange(80) % 5 + 1,
    "level": np.arange(80) % 5 + 1,
    "n_turns": np.arange(80) % 5 + 1,
    "pages": np.linspace(100, 500, 80),
    "fraction": np.linspace(0, 1, 80),
    "flagged_by_me": np.arange(80) % 2,
    "comment": ["good"] * 80,
    "constant": [3] * 80,
}


@pytest.mark.parametrize("name", MEASURED)
def test_other_columns_are_no_scores(tmp_path, name):
    table = frame(40).drop(columns=["helpfulness", "style"]).assign(**{name: MEASURED[name]})
    assert not said(read(written(tmp_path, table)))
    assert not said(sb.Scores(table))


@pytest.mark.parametrize("header", ["score", "correct"])
def test_the_score_by_its_name_is_the_score(tmp_path, header):
    table = frame(40, header)
    assert not said(read(written(tmp_path, table)))
    assert not said(sb.Scores(table))


def test_right_and_wrong_beside_flags(tmp_path):
    table = frame(40, low=0, high=1)
    assert not said(read(written(tmp_path, table)))
    assert not said(sb.Scores(table))
