"""The shipped example data against what their sources publish, and against the scripts that made them."""

from __future__ import annotations

import csv
import gzip
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
SHARED_TRIALS = ROOT / "../shared/data/chi_bench/chi_bench_trials.csv"

# Workflows solved in 0, 1, 2, 3 of 3 trials; the rates they give are those of the leaderboard's own results.csv.
SOLVED = {
    ("claude-code", "claude-haiku-4-5"): (67, 4, 2, 2),
    ("claude-code", "claude-opus-4-7"): (44, 15, 8, 8),
    ("claude-code", "claude-sonnet-4-6"): (44, 12, 10, 9),
    ("codex", "gpt-5.5"): (52, 6, 10, 7),
    ("hermes", "glm-5.1"): (54, 8, 5, 8),
    ("openai-agents", "glm-5.1"): (55, 7, 4, 9),
    ("openclaw", "grok-4.3"): (74, 1, 0, 0),
}


def trials():
    with gzip.open(EXAMPLES / "chi_bench/trials.csv.gz", "rt", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def predictions(folder, name):
    with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_chi_bench_has_the_published_counts():
    rows = trials()
    passes = defaultdict(Counter)
    for row in rows:
        passes[row["agent"], row["model"]][row["item"]] += row["reward"] == "1"
    counts = {cell: tuple(Counter(items.values())[k] for k in range(4)) for cell, items in passes.items()}

    assert (len(rows), len(counts)) == (6600, 30)
    assert {cell: counts[cell] for cell in SOLVED} == SOLVED
    assert counts["claude-code", "claude-opus-4-6"] == (54, 21, 0, 0)
    assert sum(row["reward"] == "" for row in rows) == 33


def test_chi_bench_runs_are_numbered_within_the_workflow():
    keys = Counter((row["agent"], row["model"], row["domain"], row["item"], row["run"]) for row in trials())
    assert set(keys.values()) == {1}
    assert {key[-1] for key in keys} == {"1", "2", "3"}


@pytest.mark.shared_data
@pytest.mark.skipif(not SHARED_TRIALS.exists(), reason="the per-trial rewards (../shared/data/chi_bench) are not here")
def test_chi_bench_table_is_what_its_script_cuts(tmp_path):
    made = tmp_path / "trials.csv.gz"
    subprocess.run([sys.executable, EXAMPLES / "chi_bench/make.py", SHARED_TRIALS, made], check=True)
    shipped = EXAMPLES / "chi_bench/trials.csv.gz"
    assert gzip.decompress(made.read_bytes()) == gzip.decompress(shipped.read_bytes())


@pytest.mark.parametrize(("model", "right"), [("svm", 884), ("knn", 885), ("forest", 875), ("logistic", 866)])
def test_classifier_files(model, right):
    rows = predictions(EXAMPLES / "classifiers", model)
    assert {row["model"] for row in rows} == {model}
    assert len({row["item"] for row in rows}) == len(rows) == 899
    assert all((row["label"] == row["prediction"]) == (row["correct"] == "1") for row in rows)
    assert sum(row["correct"] == "1" for row in rows) == right


@pytest.mark.slow
def test_classifier_script_makes_the_files(tmp_path):
    pytest.importorskip("sklearn")
    subprocess.run([sys.executable, EXAMPLES / "classifiers/make.py", tmp_path], check=True)
    for model in ("svm", "knn", "forest", "logistic"):
        made, shipped = predictions(tmp_path, model), predictions(EXAMPLES / "classifiers", model)
        assert [(row["item"], row["label"]) for row in made] == [(row["item"], row["label"]) for row in shipped]
        # Another scikit-learn may decide a few borderline images differently.
        assert sum(m["prediction"] != s["prediction"] for m, s in zip(made, shipped, strict=True)) <= 9
