"""Surveys of respondents × questions × models with a weight a respondent: no runs, but clusters of items."""

import json
import random
import shlex

import numpy as np
import pandas as pd
import pytest

from scorebars.cli.main import main
from scorebars.errors import ReadError
from scorebars.readers.read import read


def survey(weights=None, n=20):
    drawn = random.Random(5)
    weights = weights or [round(drawn.uniform(0.3, 4), 2) for _ in range(n)]
    rows = [
        (f"r{k}", weights[k], question, model, drawn.randint(1, 5))
        for k in range(n)
        for question in ("q1", "q2", "q3")
        for model in "ab"
    ]
    return pd.DataFrame(rows, columns=["respondent", "weight", "question", "model", "rating"])


@pytest.mark.parametrize("verb", ["estimate", "compare"])
def test_the_proposal_takes_respondents_as_clusters(tmp_path, verb, monkeypatch, capsys):
    table = survey()
    table.to_csv(tmp_path / "s.csv", index=False)
    monkeypatch.chdir(tmp_path)
    assert main([verb, "s.csv"]) == 2
    err = capsys.readouterr().err
    assert "'respondent' tells them apart and has a weight a value ('weight')" in err
    command = err.splitlines()[-1]
    assert command == f"  scorebars {verb} s.csv --map item=respondent+question,cluster=respondent"
    assert main([*shlex.split(command)[1:], "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)["results"]
    a, b = (np.average(own["rating"], weights=own["weight"]) for _, own in table.groupby("model"))
    assert [one["value"] for one in found] == pytest.approx([a, b] if verb == "estimate" else [a - b])
    assert {one["n_clusters"] for one in found} == {20}


def test_weights_of_questions_are_those_of_items(tmp_path):
    table = survey().assign(weight=lambda table: table["question"].map({"q1": 1, "q2": 2, "q3": 3}))
    table.to_csv(tmp_path / "s.csv", index=False)
    with pytest.raises(ReadError, match=r"it is the run \(--map run=respondent\)"):
        read(tmp_path / "s.csv")


def test_where_respondents_are_said_to_be_runs_the_refusal_says_what_they_are(tmp_path, monkeypatch, capsys):
    survey().to_csv(tmp_path / "s.csv", index=False)
    monkeypatch.chdir(tmp_path)
    assert main(["estimate", "s.csv", "--map", "run=respondent"]) == 2
    assert "an item has one weight; of runs that are people" in (err := capsys.readouterr().err)
    assert "--map item=PERSON+QUESTION,cluster=PERSON, without run" in err
