"""Settings with several runs each are no items: asked about in files and frames, with commands that work."""

from __future__ import annotations

import itertools
import re
import shlex
from ast import literal_eval

import pandas as pd
import pytest

import scorebars as sb
from scorebars.errors import ReadError, ScoresError
from scorebars.readers.read import read


def table(**columns):
    """Each value of a column beside each of the others, with a graded score."""
    rows = [dict(zip(columns, values, strict=True)) for values in itertools.product(*columns.values())]
    return [row | {"accuracy": 0.5 + 0.003 * ((37 * n) % 100)} for n, row in enumerate(rows)]


MODELS, SEEDS, RATES = ["a", "b"], [0, 1, 2, 3], [0.1, 0.01, 0.001]
SWEEPS = {
    "seed": table(model=MODELS, lr=RATES, seed=SEEDS),
    "trial": table(model=MODELS, temperature=[0, 1], trial=SEEDS),
    "no model": table(learning_rate=RATES, seed=SEEDS),
    "several": table(model=MODELS, lr=RATES, batch_size=[16, 32], seed=SEEDS),
    "tasks": table(model=MODELS, env=["x", "y"], weight_decay=RATES, seed=SEEDS),
    "unknown run": table(model=MODELS, lr=RATES, replicate=SEEDS),
    "folds": table(model=MODELS, lr=RATES, fold=SEEDS),
    "seeds and folds": table(model=MODELS, lr=RATES, seed=[0, 1], fold=SEEDS),
    "gaps": [row for n, row in enumerate(table(model=MODELS, lr=RATES, seed=SEEDS)) if n not in {3, 17}],
}
ITEMS = {
    "tasks": table(model=MODELS, env=["x", "y"], seed=SEEDS),
    "levels": table(model=MODELS, level=[1, 2, 3], seed=SEEDS),
    "own runs": [row | {"lr": [0.1, 0.01][row["seed"] % 2]} for row in table(model=["a"], seed=SEEDS)],
    "one value": [row | {"lr": 0.1} for row in table(model=MODELS, level=[1, 2, 3], seed=SEEDS)],
    "one row each": table(model=MODELS, temperature=[0, 0.5, 1, 1.5], seed=[0]),
}


@pytest.mark.parametrize("name", SWEEPS)
def test_settings_are_asked_about_and_all_that_is_proposed_works(tmp_path, name):
    path = tmp_path / "sweep.csv"
    pd.DataFrame(SWEEPS[name]).to_csv(path, index=False)
    with pytest.raises(ReadError, match=r"no column is known as the item, and each .* would count as items") as caught:
        read(path)
    commands = re.findall(r"--map [^()]+?(?=\)|;|$)", str(caught.value))
    assert len(commands) == (2 if name == "several" else 4)
    for command in commands:
        _, typed, *choice = shlex.split(command)
        scores = read(path, columns=dict(pair.split("=") for pair in typed.split(",")))
        scores = scores.select(variant=choice[1]) if choice else scores
        assert len(sb.estimate(scores, interval=sb.intervals.StudentT())) >= 1


@pytest.mark.parametrize("name", SWEEPS)
def test_a_frame_is_asked_the_same(tmp_path, name):
    frame = pd.DataFrame(SWEEPS[name])
    frame.to_csv(tmp_path / "sweep.csv", index=False)
    with pytest.raises(ReadError) as of_file:
        read(tmp_path / "sweep.csv")
    with pytest.raises(ScoresError) as of_frame:
        sb.Scores(frame)
    of_file, of_frame = (str(one.value).rpartition(".csv: ")[2].partition("': ")[0] for one in (of_file, of_frame))
    if name != "trial":  # a frame has '1', and its file '1.0'
        assert of_frame.partition(" would")[0] == of_file.partition(" would")[0]


def test_what_a_frame_is_told_can_be_written():
    frame = pd.DataFrame(SWEEPS["unknown run"])
    with pytest.raises(ScoresError) as caught:
        sb.Scores(frame)
    ways = re.findall(r"((?:\w+=(?:'[^']*'|\('[^)]*\))(?:, )?)+)", str(caught.value))
    assert len(ways) >= 4
    for way in ways:
        roles = {role: literal_eval(text) for role, text in re.findall(r"(\w+)=('[^']*'|\([^()]*\))", way)}
        if "run" in roles:
            assert sb.Scores(frame, **roles).models


def test_each_setting_is_a_model_of_its_own(tmp_path):
    """What is proposed first gives the mean of the four seeds of each model and rate."""
    path = tmp_path / "sweep.csv"
    frame = pd.DataFrame(SWEEPS["seed"])
    frame.to_csv(path, index=False)
    means = frame.groupby(["model", "lr"])["accuracy"].mean()
    found = {one.model: one.answer.value for one in sb.estimate(read(path, columns={"model": "model+lr"}))}
    assert found == {f"{model}+{rate}": pytest.approx(mean) for (model, rate), mean in means.items()}


@pytest.mark.parametrize("name", [name for name in ITEMS if name != "own runs"])
def test_other_rows_are_items_as_before(tmp_path, name):
    path = tmp_path / "rows.csv"
    pd.DataFrame(ITEMS[name]).to_csv(path, index=False)
    assert read(path).models == ("a", "b")


def test_a_setting_of_runs_of_its_own_is_asked_about_as_that(tmp_path):
    path = tmp_path / "rows.csv"
    pd.DataFrame(ITEMS["own runs"]).to_csv(path, index=False)
    with pytest.raises(ReadError, match=r"each 'lr' .* has 'seed's of its own"):
        read(path)
