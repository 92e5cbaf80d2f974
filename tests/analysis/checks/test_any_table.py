"""Whatever table is given, the doctor answers: no check raises, and no sentence has a hole in it."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import scorebars as sb
from scorebars.outputs import FORMATS, render_with

IDS = st.sampled_from(["1", "1.1", "1.2", "q1", "Q1", "a/q1", "q_1", "x\ny", "é", "001", "q1_run0", "q1_run1"])
SCORE = st.sampled_from([0.0, 1.0, 0.5, 37.0, 100.0, -1e9, 1e-12, float("nan")])
ROW = st.tuples(st.sampled_from(["a", "A", "b", "o/b", "c.1"]), IDS, IDS, IDS, IDS, IDS, SCORE)
ROLES = ("model", "task", "item", "run", "cluster", "metric")


def columns(rows, roles, without):
    wanted = [role for role in roles if role not in without]
    made = {
        role: np.array([row[place] for row in rows], dtype=object) for place, role in enumerate(roles) if role in wanted
    }
    return made | {"score": np.array([row[-1] for row in rows])}


@settings(max_examples=100, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.lists(ROW, min_size=1, max_size=25), st.sets(st.sampled_from(ROLES)))
def test_every_table_is_answered(rows, without):
    found = sb.doctor(sb.Scores(columns(rows, ROLES, without)))
    for finding in found.findings:
        assert not re.search(r"\bnan\b|\bNone\b|np\.|<class", finding.message)
    for form in FORMATS:
        assert render_with(form)(found.view())
    json.loads(found.to_json())


@settings(max_examples=50, deadline=None)
@given(st.integers(1, 6), st.integers(1, 6), st.integers(0, 2**32 - 1))
def test_every_array_is_answered(runs, tasks, seed):
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 3, (runs, tasks)) / 2
    assert sb.doctor(sb.Scores.from_arrays({"a": values, "b": values[:, ::-1]})).holdings


@pytest.mark.parametrize("duplicates", ["first", "last", "fail"])
@pytest.mark.parametrize("on_error", [None, "wrong", "drop", "fail"])
@pytest.mark.parametrize("pooled", [False, True])
def test_every_rule_is_answered(duplicates, on_error, pooled):
    table = {"model": ["a", "a", "b", "b"], "item": [1, 1, 1, 2], "run": [1, 1, 1, 1], "score": [0.0, 1.0, np.nan, 1.0]}
    scores = sb.Scores(table).with_options(duplicates=duplicates, on_error=on_error)
    found = sb.doctor(scores.pooled() if pooled else scores)
    assert ("refused" in {finding.code for finding in found.findings}) == (duplicates == "fail" or on_error == "fail")


def test_columns_of_values_beside_the_score():
    rng = np.random.default_rng(11)
    table = {
        "model": ["a"] * 40,
        "item": range(40),
        "label": rng.integers(0, 2, 40),
        "prediction": rng.integers(0, 2, 40),
    }
    scores = sb.Scores(table, values={"label": "label", "prediction": "prediction"})
    found = sb.doctor(scores)
    assert (found.metrics, found.findings) == (("label", "prediction"), ())


def test_a_million_rows_are_no_matter():
    rng = np.random.default_rng(12)
    n = 250_000
    table = {
        "model": np.repeat(["a", "b"], n),
        "item": np.tile(np.arange(n // 2).repeat(2), 2),
        "score": rng.integers(0, 2, 2 * n).astype(float),
    }
    assert [finding.code for finding in sb.doctor(sb.Scores(table)).findings] == ["repeats-as-runs"]
