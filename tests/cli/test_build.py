from __future__ import annotations

import pytest

from scorebars.cli import build
from scorebars.errors import ArgumentError


def test_estimators():
    assert build.estimator(None) is None
    assert build.estimator("mean").name == "mean"
    assert build.estimator("pass^3").name == "pass^3"


def test_ranges():
    assert build.score_range(None) is None
    assert build.score_range("1,10") == (1.0, 10.0)
    assert build.score_range(" -1 , 1e2") == (-1.0, 100.0)


@pytest.mark.parametrize("text", ["1", "1,2,3", "low,high", "", "1;2"])
def test_a_range_is_two_numbers(text):
    with pytest.raises(ArgumentError, match=r"as in --range 1,10"):
        build.score_range(text)


def test_columns():
    assert build.columns([]) is None
    assert build.columns(["item=qid,model=agent+model", "run=seed"]) == {
        "item": "qid",
        "model": "agent+model",
        "run": "seed",
    }
    assert build.columns(["item=a=b"]) == {"item": "a=b"}


@pytest.mark.parametrize("text", ["item", "item=", "=qid"])
def test_a_mapping_has_two_sides(text):
    with pytest.raises(ArgumentError, match=r"as in --map"):
        build.columns([text])


def test_two_columns_for_one_role_are_joined_on_purpose():
    with pytest.raises(ArgumentError, match=r"--map model=agent\+llm"):
        build.columns(["model=agent,model=llm"])


def test_labels():
    assert build.labels([], ["a.csv"]) == {}
    assert build.labels(["base=a.csv"], ["a.csv", "b.csv"]) == {"base": "a.csv"}


@pytest.mark.parametrize(
    ("texts", "sentence"),
    [
        (["base"], "as in --label base=a.csv"),
        (["base=a.cvs"], "did you mean 'a.csv'"),
        (["base=a.csv", "cand=a.csv"], "has a name already"),
        (["base=a.csv", "base=b.csv"], "the name 'base' is taken by 'a.csv'"),
    ],
)
def test_labels_that_cannot_be(texts, sentence):
    with pytest.raises(ArgumentError, match=sentence):
        build.labels(texts, ["a.csv", "b.csv"])
