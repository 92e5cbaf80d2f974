"""Real tables: rows, models and means against a few lines over the raw file that share nothing with the readers."""

from __future__ import annotations

import csv
import gzip
import json
from collections import defaultdict
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from scorebars.errors import ReadError
from scorebars.readers.read import read

SHARED = Path(__file__).parents[3] / "shared" / "data"
TABLES = SHARED / "small_tables"
pytestmark = [
    pytest.mark.shared_data,
    pytest.mark.skipif(not SHARED.is_dir(), reason="the shared real files are not beside the repository"),
]


def means(scores):
    """Mean over all attempts of each model, without regard to tasks or runs."""
    found = defaultdict(list)
    for cut in scores.cuts().cuts:
        found[cut.sample.model].extend(cut.sample.score.tolist())
    return {model: (len(values), pytest.approx(float(np.mean(values)))) for model, values in found.items()}


def different(codes):
    return len(np.unique(codes))


def plain(cells):
    return {model: (len(values), sum(values) / len(values)) for model, values in cells.items()}


def test_clinical_rag_fields_of_documents():
    value = json.loads((TABLES / "clinical-rag.results.json").read_text())
    for metric in ("correct", "f1", "precision", "recall"):
        expected = {
            model: [float(one[metric]) for doc in top["per_document"].values() for one in doc["per_field"].values()]
            for model, top in value.items()
        }
        scores = read(TABLES / "clinical-rag.results.json", metric=metric)
        assert means(scores) == plain(expected)
        for cut in scores.cuts().cuts:
            assert (different(cut.sample.item), different(cut.sample.cluster)) == (90, 3)


def test_gsm8k_objects_of_models():
    with gzip.open(SHARED / "wide" / "gsm8k_example_model_solutions.jsonl.gz", "rt") as file:
        lines = [json.loads(line) for line in file]
    models = [key for key, inner in lines[0].items() if isinstance(inner, dict)]
    expected = {model: [float(line[model]["is_correct"]) for line in lines] for model in models}
    scores = read(SHARED / "wide" / "gsm8k_example_model_solutions.jsonl.gz")
    assert means(scores) == plain(expected)
    assert {different(cut.sample.item) for cut in scores.cuts().cuts} == {1319}


@pytest.mark.parametrize("name", ["langchain_data_tool_use_FULL.csv", "matharena_aime_II.csv"])
def test_wide_tables(name):
    with (TABLES / name).open(newline="", encoding="utf-8-sig") as file:
        lines = list(csv.DictReader(file))
    models = [key for key in lines[0] if key not in {"index", "reference output", "Question"}]
    scores = read(TABLES / name)
    assert means(scores) == plain({model: [float(line[model]) for line in lines] for model in models})
    assert {different(cut.sample.item) for cut in scores.cuts().cuts} == {len(lines)}


def test_livebench_parquet():
    frame = pl.read_parquet(TABLES / "livebench_13012025.parquet")
    expected = {
        model: (n, mean) for model, n, mean in frame.group_by("model").agg(pl.len(), pl.col("score").mean()).iter_rows()
    }
    scores = read(TABLES / "livebench_13012025.parquet")
    assert means(scores) == expected
    assert len(expected) == 93
    assert set(scores.tasks) == set(frame["task"])


def test_tau_bench_rewards():
    with (SHARED / "tau_bench" / "gpt-4o-airline_rewards.csv").open() as file:
        lines = list(csv.DictReader(file))
    scores = read(SHARED / "tau_bench" / "gpt-4o-airline_rewards.csv")
    assert means(scores) == plain({"gpt-4o-airline_rewards": [float(line["reward"]) for line in lines]})
    (cut,) = scores.cuts().cuts
    assert (different(cut.sample.item), len(cut.sample.score)) == (50, 200)


def test_chi_bench():
    with (SHARED / "chi_bench" / "chi_bench_trials.csv").open() as file:
        lines = list(csv.DictReader(file))
    cells = defaultdict(list)
    for line in lines:
        cells[f"{line['agent']}+{line['model']}"].append(float(line["reward"] or 0))
    columns = {"model": "agent+model", "item": "task", "task": "domain"}
    scores = read(SHARED / "chi_bench" / "chi_bench_trials.csv", columns=columns, on_error="wrong")
    assert means(scores.pooled()) == plain(cells)
    assert len(lines) == 7750


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("small_tables/arena_hard_leaderboard_20240731.csv", "'rating_q025', 'rating_q975', 'CI' beside 'score'"),
        ("alpaca_eval/alpaca_eval_gpt4_leaderboard.csv", "'standard_error', 'n_wins', 'n_total' beside 'win_rate'"),
        ("openrlbenchmark/cleanrl_vs_baselines_atari.csv", "such as '1705.80 ± 439.74'"),
        ("swe_bench/agentless_lite_classifications.csv", "it holds no scores"),
    ],
)
def test_summaries_and_descriptions_are_refused(path, sentence):
    with pytest.raises(ReadError) as caught:
        read(SHARED / path)
    assert sentence in str(caught.value)
    assert str(caught.value).startswith(str(SHARED / path))
    assert "\n" not in str(caught.value)
