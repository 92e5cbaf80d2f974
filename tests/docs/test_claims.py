"""Figures that the documentation states in prose."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import scorebars as sb
from scorebars.engines.headers import ALIASES, METRICS, SECOND_ITEMS
from scorebars.intervals import Percentile

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def trials():
    path = ROOT / "examples/chi_bench/trials.csv.gz"
    scores = sb.read(path, columns={"model": "agent+model"}, on_error="wrong")
    return scores, [model for model in scores.models if model != "claude-code+claude-opus-4-6"]


def bounds(scores):
    return {e.model: (e.low, e.high) for e in sb.estimate(scores, interval=Percentile())}


def test_stratified_by_domain_21_of_29_pairs_get_other_bounds(trials):
    scores, models = trials
    pooled, stratified = bounds(scores.pooled()), bounds(scores)
    other = [model for model in models if stratified[model] != pytest.approx(pooled[model], abs=1e-9)]
    assert (len(other), len(models)) == (21, 29)
    assert "21 of the 29" in (ROOT / "docs/questions.md").read_text(encoding="utf-8")


def test_svm_leads_forest_by_as_much_as_forest_leads_logistic():
    folder = ROOT / "examples/classifiers"
    scores = sb.read([folder / f"{name}.csv" for name in ("svm", "forest", "logistic")])
    first, second = sb.compare(scores, "svm", "forest"), sb.compare(scores, "forest", "logistic")
    assert first.value == pytest.approx(second.value)
    assert (first.significant, second.significant) == (True, False)
    assert len(first.disagreements) < len(second.disagreements)


def test_fifty_right_of_fifty_are_compatible_with_93_percent():
    [estimate] = sb.estimate(sb.Scores.from_arrays({"A": [1.0] * 50}, axes=("item",)), interval=Percentile())
    assert estimate.instead.low == pytest.approx(0.9289, abs=5e-5)


def test_headers_of_each_role_are_those_that_are_taken():
    page = (ROOT / "docs/reading-files.md").read_text(encoding="utf-8")
    table = page.split("| role | headers |")[1].split("\n\n")[0]
    rows = re.findall(r"^\| (\w+) \| (.+) \|$", table, flags=re.MULTILINE)
    others = {"item": SECOND_ITEMS, "score": METRICS}
    expected = {role: (*names, *others.get(role, ())) for role, names in ALIASES.items()}
    assert {role: tuple(re.findall(r"`(\w+)`", headers)) for role, headers in rows} == expected
