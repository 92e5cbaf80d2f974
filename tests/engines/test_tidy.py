from __future__ import annotations

import csv
import json

import numpy as np
import pytest

from scorebars.contracts import Part
from scorebars.engines.duckdb import Engine
from scorebars.engines.tidy import kind_of, write_columns
from scorebars.errors import OutputError, ScoresError
from scorebars.scores import Scores

ITEMS = [str(i) for i in range(8)]


def lists(scores: Scores) -> dict[str, list[object]]:
    return {name: column.tolist() for name, column in scores.tidy().items()}


def test_roles_that_the_data_lack_are_left_out():
    assert lists(Scores({"model": ["a", "b"], "item": ["x", "x"], "score": ["85%", "0.5"]})) == {
        "model": ["a", "b"],
        "item": ["x", "x"],
        "score": [0.85, 0.5],
    }


def test_repeats_without_a_run_column_are_numbered():
    scores = Scores({"model": ["a"] * 3, "item": ["x", "y", "x"], "score": [1, 1, 0]})
    assert lists(scores)["run"] == ["1", "1", "2"]


def test_copies_are_left_out():
    scores = Scores({"model": ["a"] * 3, "item": ["x", "y", "x"], "run": ["1"] * 3, "score": [1, 0, 1]})
    assert lists(scores)["item"] == ["x", "y"]


def test_conflicts_are_refused_or_settled():
    scores = Scores({"model": ["a"] * 2, "item": ["x"] * 2, "run": ["1"] * 2, "score": [1, 0]})
    with pytest.raises(ScoresError, match="twice with different scores"):
        scores.tidy()
    assert lists(scores.with_options(duplicates="last"))["score"] == [0.0]


def test_attempts_without_a_score_stay_with_their_status():
    columns = {"model": ["a"] * 3, "item": ["x", "y", "z"], "score": [1, np.nan, 0], "status": ["ok", "Timeout", "ok"]}
    scores = Scores(columns)
    tidy = lists(scores)
    assert tidy["status"] == ["ok", "error", "ok"]
    assert np.isnan(tidy["score"][1])
    assert lists(scores.with_options(on_error="drop"))["item"] == ["x", "z"]
    assert lists(scores.with_options(on_error="wrong"))["score"] == [1.0, 0.0, 0.0]


def test_the_producers_rule_is_kept():
    rows = {
        "model": np.array(["a"] * 2, dtype=object),
        "item": np.array(["x", "y"], dtype=object),
        "score": np.array([1.0, np.nan]),
        "status": np.array(["ok", "error"], dtype=object),
    }
    part = Part(path=None, reader="test", rows=rows, on_error="wrong", score_range=(0.0, 1.0))
    assert lists(Scores.from_parts([part]))["score"] == [1.0, 0.0]


def test_all_metrics_are_in_one_table():
    scores = Scores({"metric": ["acc", "f1", "acc"], "model": ["a"] * 3, "item": ["x", "x", "y"], "score": [1, 0.5, 0]})
    tidy = lists(scores)
    assert sorted(zip(tidy["metric"], tidy["item"], tidy["score"], strict=True)) == [
        ("acc", "x", 1.0),
        ("acc", "y", 0.0),
        ("f1", "x", 0.5),
    ]


@pytest.mark.parametrize("name", ["a.csv", "A.TSV", "a.parquet", "a.jsonl", "a.ndjson"])
def test_files(tmp_path, name):
    columns = {
        "item": np.array(["1.10", 'say "é", ok', "a\nb"], dtype=object),
        "score": np.array([1 / 3, np.nan, 1e-300]),
    }
    path = tmp_path / name
    write_columns(columns, path, kind_of(path))
    assert read_back(path) == [("1.10", 1 / 3), ('say "é", ok', None), ("a\nb", 1e-300)]


def read_back(path):
    if path.suffix in {".jsonl", ".ndjson"}:
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        return [(row["item"], row["score"]) for row in rows]
    if path.suffix == ".parquet":
        with Engine() as engine:
            found = engine.query(f"SELECT item, score, isnan(coalesce(score, 0)) AS nan FROM read_parquet('{path}')")
        assert not found["nan"].any()
        return [(i, None if np.isnan(s) else s) for i, s in zip(found["item"], found["score"].tolist(), strict=True)]
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t" if path.suffix.lower() == ".tsv" else ","))
    return [(row["item"], float(row["score"]) if row["score"] else None) for row in rows]


def test_an_unknown_ending(tmp_path):
    with pytest.raises(OutputError, match=r"did you mean '\.parquet'.*\.jsonl"):
        kind_of(tmp_path / "a.parqet")
