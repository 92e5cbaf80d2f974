"""Weights of rows without ids: rows of one place that have other weights are no pairs."""

import json

import numpy as np
import pandas as pd
import pytest

import scorebars as sb
from scorebars.cli.main import main
from scorebars.errors import ScoresError

A = ([1.5, 2, 0.5, 3, 1, 2.5], [3, 4, 5, 2, 4, 1])
B = ([1, 3, 2.5, 0.5, 2, 4, 1.5], [2, 4, 1, 5, 3, 3, 2])


def survey(a=A, b=B):
    """(weights, scores) of each model, one row a respondent."""
    rows = [("a", *row) for row in zip(*a, strict=True)] + [("b", *row) for row in zip(*b, strict=True)]
    return pd.DataFrame(rows, columns=["model", "weight", "score"])


def files(tmp_path, frame):
    frame.to_csv(tmp_path / "both.csv", index=False)
    for name, own in frame.groupby("model"):
        own.drop(columns="model").to_csv(tmp_path / f"{name}.csv", index=False)
    return [["both.csv"], ["a.csv", "b.csv"]]


MEANS = [np.average(scores, weights=weights) for weights, scores in (A, B)]


@pytest.mark.parametrize("which", [0, 1])
def test_models_with_other_weights_are_unrelated_samples(tmp_path, which, monkeypatch, capsys):
    """One file of both, or a file each; with as many rows or not."""
    paths = files(tmp_path, survey())[which]
    monkeypatch.chdir(tmp_path)
    assert main(["estimate", *paths, "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [one["value"] for one in found["results"]] == pytest.approx(MEANS)
    assert "unrelated-rows" in json.dumps(found)
    assert main(["compare", *paths, "--format", "json"]) == 0
    (result,) = json.loads(capsys.readouterr().out)["results"]
    assert (result["value"], result["n_shared"], result["paired"]) == (pytest.approx(MEANS[0] - MEANS[1]), 0, False)
    main(["doctor", *paths, "--format", "json"])
    found = json.loads(capsys.readouterr().out)
    codes = {one["code"] for one in found["results"]}
    assert "refused" not in codes
    assert "rows-as-items" not in codes
    assert main(["convert", *paths, "-o", "tidy.csv"]) == 0
    assert [one.value for one in sb.estimate(sb.read("tidy.csv"))] == pytest.approx(MEANS)
    for command in found["commands"]:
        assert main(command.split()[1:]) == 0


def test_the_same_in_a_frame():
    scores = sb.Scores(survey())
    assert [one.value for one in sb.estimate(scores)] == pytest.approx(MEANS)
    (said,) = [one.message for one in sb.compare(scores, "a", "b").notes if one.code == "unrelated-rows"]
    assert said.startswith("without ids, rows at the same place of 'a' and 'b' have other weights")
    assert "item='COLUMN'" in said


def test_rows_with_the_same_weights_pair_by_their_place():
    scores = sb.Scores(survey(A, (A[0], [2, 4, 4, 2, 5, 2])))
    result = sb.compare(scores, "a", "b")
    assert (result.paired, result.n_shared) == (True, 6)


def test_a_slip_in_a_weight_is_refused():
    weights = [*A[0][:-1], 9]
    with pytest.raises(ScoresError, match=r"weight 9 of model 'b', item '6' .*another weight"):
        sb.estimate(sb.Scores(survey(A, (weights, A[1]))))


def test_known_ids_with_other_weights_are_refused():
    frame = survey(A, (B[0][:6], B[1][:6])).assign(item=[f"q{i % 6}" for i in range(12)])
    with pytest.raises(ScoresError, match="an item has one weight"):
        sb.estimate(sb.Scores(frame))
