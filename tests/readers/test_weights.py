"""Weights that are none are named with their row, and every command that is printed leaves them out."""

import json
import re
import shlex
from itertools import pairwise

import pandas as pd
import pytest

import scorebars as sb
from scorebars.cli.main import main
from scorebars.errors import ReadError, ScoresError
from scorebars.readers.read import read

ROWS = [("a", 1, "2", 1), ("b", 1, "2", 0), ("a", 2, "1", 0), ("b", 2, "1", 1), ("a", 3, "1", 1), ("b", 3, "1", 1)]
"""(model, item, weight, score)."""
MEANS = [0.75, 0.5]
UNWEIGHTED = [2 / 3, 2 / 3]


def frame(bad=None):
    """The rows, and a fourth item with another weight."""
    more = [] if bad is None else [("a", 4, bad, 1), ("b", 4, bad, 1)]
    return pd.DataFrame([*ROWS, *more], columns=["model", "item", "weight", "score"])


def written(tmp_path, table, name):
    if name.endswith("jsonl"):
        lines = [{key: value for key, value in row.items() if value != ""} for row in table.to_dict("records")]
        (tmp_path / name).write_text("".join(json.dumps(line) + "\n" for line in lines))
    else:
        table.to_csv(tmp_path / name, index=False)
    return name


def values(call, capsys):
    assert main([*call, "--format", "json"]) == 0
    return {one["model"]: one["value"] for one in json.loads(capsys.readouterr().out)["results"]}


@pytest.mark.parametrize("name", ["t.csv", "t.jsonl"])
@pytest.mark.parametrize("bad", ["", "nan", "inf", "-2", "high", "50%", "1,5"])
def test_the_row_is_named_and_each_command_works(tmp_path, name, bad, monkeypatch, capsys):
    written(tmp_path, frame(bad), name)
    monkeypatch.chdir(tmp_path)
    assert main(["estimate", name]) == 2
    err = capsys.readouterr().err
    held = f"has the weight '{bad}'" if bad else "has no weight"
    assert f"{name}: row 7 {held} (it is taken from 'weight', 2 of 8 rows have none that counts)" in err
    lines = err.splitlines()
    found = {lead: line for lead, line in pairwise(lines) if line.startswith("  scorebars")}
    commands = {lead: shlex.split(line)[1:] for lead, line in found.items()}
    assert values(commands["without such rows:"], capsys) == pytest.approx({"a": 0.75, "b": 0.5})
    assert values(commands["without weights:"], capsys) == pytest.approx({"a": 0.75, "b": 0.75})
    assert ("if its comma is a decimal one:" in commands) == (bad == "1,5")
    if bad == "1,5":
        turned = values(commands["if its comma is a decimal one:"], capsys)
        assert turned == pytest.approx({"a": 4.5 / 5.5, "b": 3.5 / 5.5})


def test_a_comparison_gets_its_own_commands(tmp_path, monkeypatch, capsys):
    written(tmp_path, frame(""), "t.csv")
    monkeypatch.chdir(tmp_path)
    assert main(["compare", "t.csv", "--a", "a", "--b", "b"]) == 2
    lines = [line for line in capsys.readouterr().err.splitlines() if line.startswith("  scorebars compare")]
    assert len(lines) == 2
    assert [main(shlex.split(line)[1:]) for line in lines] == [0, 0]


def test_of_a_column_that_a_mapping_names_the_mapping_is_left_out(tmp_path, monkeypatch, capsys):
    written(tmp_path, frame("x").rename(columns={"weight": "how much"}), "t.csv")
    monkeypatch.chdir(tmp_path)
    asked = ["estimate", "t.csv", "--map", "weight=how much"]
    assert main(asked) == 2
    err = capsys.readouterr().err
    assert "or leave such rows or the weights out (then without --map 'weight=how much')" in err
    (line,) = [line for line in err.splitlines() if line.startswith("  scorebars")]
    assert values(shlex.split(line)[1:], capsys) == pytest.approx({"a": 0.75, "b": 0.5})


def test_where_every_weight_is_none_only_the_column_is_left_out(tmp_path):
    written(tmp_path, frame().assign(weight="heavy"), "t.csv")
    with pytest.raises(ReadError, match=r"row 1 has the weight 'heavy' .*6 of 6 rows") as caught:
        read(tmp_path / "t.csv")
    assert [str(said).partition(":")[0] for said in caught.value.__notes__] == ["without weights"]


def test_a_column_of_weights_without_any_is_none(tmp_path):
    written(tmp_path, frame().assign(weight=""), "t.csv")
    assert [one.value for one in sb.estimate(read(tmp_path / "t.csv"))] == pytest.approx(UNWEIGHTED)


def test_frames_say_what_to_do_too():
    with pytest.raises(ScoresError, match=r"weight nan of model 'a', item '4' .*leave such rows out, or the weights"):
        sb.estimate(sb.Scores(frame(float("nan")).astype({"weight": float})))


@pytest.mark.parametrize("name", ["survey_weight", "sample_weight", "wt", "Weights"])
@pytest.mark.parametrize("more", [{}, {"region": "n"}])
def test_other_names_of_weights_are_noted(tmp_path, name, more, monkeypatch, capsys):
    table = frame().rename(columns={"weight": name}).assign(**more)
    written(tmp_path, table, "t.csv")
    monkeypatch.chdir(tmp_path)
    assert main(["estimate", "t.csv"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert f"unused-weights: column '{name}' may hold weights, and plays no role" in said
    (mapping,) = re.findall(rf"--map weight={name}", said)
    assert values(["estimate", "t.csv", *shlex.split(mapping)], capsys) == pytest.approx({"a": 0.75, "b": 0.5})
    numbers = table.astype({name: float})
    (said,) = [one.message for one in sb.estimate(sb.Scores(numbers)).notes if one.code == "unused-weights"]
    assert said.endswith(f"weight='{name}'")
    assert [one.value for one in sb.estimate(sb.Scores(numbers, weight=name))] == pytest.approx(MEANS)


@pytest.mark.parametrize("cells", [["1"] * 6, ["kg"] * 6, ["-1", "2", "3", "-1", "2", "3"]])
def test_columns_that_are_no_weights_are_not_noted(tmp_path, cells):
    written(tmp_path, frame().drop(columns="weight").assign(wt=cells), "t.csv")
    assert "unused-weights" not in {one.code for one in sb.estimate(read(tmp_path / "t.csv")).notes}
