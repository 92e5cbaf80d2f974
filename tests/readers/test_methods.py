"""A column of words crossed with seeds or trials, in a table without items or models: its rows are never pooled."""

from __future__ import annotations

import itertools
import shlex

import pandas as pd
import pytest

from scorebars import Scores
from scorebars.cli.main import main
from scorebars.errors import ReadError, ScoresError
from scorebars.readers.read import read

TASKS = ("pick", "place", "push")
HEADERS = ["policy", "method", "approach", "Pipeline", "solver", "robot"]


def crossed(header, values=("pi0", "openvla"), tasks=TASKS, runs=5, run="trial", **more):
    """Of the first value each run is a success, of the others each second is."""
    rows = itertools.product(values, tasks, range(runs))
    named = {"task": "task", run: run} if tasks != ("",) else {run: run}
    made = [
        {header: value, "task": task, run: k, **more, "success": int(value == values[0] or k % 2 == 0)}
        for value, task, k in rows
    ]
    return [{key: cell for key, cell in row.items() if key in {header, *named, *more, "success"}} for row in made]


def written(folder, rows, name="a.csv"):
    pd.DataFrame(rows).to_csv(folder / name, index=False)
    return folder / name


def refusals(path, **more):
    """What is said of a file, without its name, and of the frame in it; and the command."""
    with pytest.raises(ReadError) as file:
        read(path, **more)
    with pytest.raises(ScoresError) as frame:
        Scores(pd.read_csv(path))
    return str(file.value).removeprefix(f"{path}: "), str(frame.value), file.value.__notes__[0].splitlines()[-1]


def means(scores):
    return {cut.sample.model: float(cut.sample.score.mean()) for cut in scores.cuts().cuts}


@pytest.mark.parametrize("header", HEADERS)
@pytest.mark.parametrize("tasks", [TASKS, ("",)])
def test_methods_beside_runs_are_asked_about(tmp_path, header, tasks):
    path = written(tmp_path, crossed(header, tasks=tasks))
    said, of_frame, command = refusals(path)
    beside = "'task' and 'trial'" if tasks == TASKS else "'trial'"
    expected = f"no column is the model, and '{header}' tells the rows of one {beside} apart: it is the model "
    assert said.startswith(expected)
    assert of_frame.startswith(f"{expected}(model='{header}')")
    assert shlex.split(command)[-2:] == ["--map", f"model={header}"]
    for scores in (read(path, columns={"model": header}), Scores(pd.read_csv(path), model=header)):
        assert means(scores) == pytest.approx({"pi0": 1.0, "openvla": 0.6})


def test_the_command_that_is_proposed_can_be_typed(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    written(tmp_path, crossed("policy"))
    assert main(["estimate", "a.csv"]) == 2
    command = capsys.readouterr().err.splitlines()[-1]
    assert main(shlex.split(command)[1:]) == 0
    assert "openvla" in capsys.readouterr().out


def test_a_method_is_asked_about_where_nothing_counts_the_trials(tmp_path):
    path = written(tmp_path, [{k: v for k, v in row.items() if k != "trial"} for row in crossed("policy")])
    said, of_frame, _ = refusals(path)
    told = "no column is the model, and 'policy' takes the same values in each 'task': it is the model "
    assert said == f"{told}(--map model=policy)"
    assert of_frame == f"{told}(model='policy')"


@pytest.mark.parametrize("header", ["difficulty", "category", "prompt", "level", "answer"])
def test_categories_beside_runs_are_items_by_their_place_as_before(tmp_path, header):
    path = written(tmp_path, crossed(header))
    assert read(path).models == ("a",)
    assert len(Scores(pd.read_csv(path)).models) == 1


def test_so_are_many_words_that_may_be_items(tmp_path):
    path = written(tmp_path, crossed("robot", values=[f"w{k}x" for k in range(21)]))
    assert read(path).models == ("a",)
    assert len(Scores(pd.read_csv(path)).models) == 1


def test_words_that_are_not_crossed_with_the_runs_are_not_asked_about(tmp_path):
    rows = [{**row, "weather": "sun" if k < 9 else "rain"} for k, row in enumerate(crossed("model"))]
    path = written(tmp_path, [{k: v for k, v in row.items() if k != "model"} for row in rows if row["model"] == "pi0"])
    assert read(path).models == ("a",)
