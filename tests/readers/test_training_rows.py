"""Rows that are points of a training: no attempts where there is no item, and no repeats where epochs go in strides."""

from __future__ import annotations

import json
import shlex

import pandas as pd
import pytest
from tests.readers.tables_by_hand import KINDS, refusal, written

import scorebars as sb
from scorebars import Scores
from scorebars.cli.main import main
from scorebars.engines.training import in_strides, names_step, names_stride
from scorebars.errors import ReadError, ScoresError
from scorebars.readers.read import read

STEPS = ["step", "global_step", "Training Step", "checkpoint", "timesteps", "env_steps", "iteration", "epoch"]


def curves(step="step", strides=100, **of):
    """A curve of five points for each combination; the last point of the n-th ends in n thousandths."""
    groups = [{}]
    for name, values in of.items():
        groups = [{**one, name: value} for one in groups for value in values]
    return [
        {**one, step: point * strides, "accuracy": round(0.1 * point + number / 1000, 3)}
        for number, one in enumerate(groups)
        for point in range(1, 6)
    ]


def items(header, values, **more):
    """Twelve items, each with a row for each value; a score is whether the value's place is odd."""
    return [
        {"item": f"q{k}", **more, header: value, "score": (place + k) % 2}
        for k in range(12)
        for place, value in enumerate(values)
    ]


def notes(scores):
    return {one.code: one.message for one in scores.cuts().notes}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("step", [name for name in STEPS if name != "epoch"])
def test_of_curves_of_several_runs_the_last_points_are_taken(tmp_path, capsys, kind, step):
    rows = curves(step, model=["A", "B"], seed=[1, 2, 3])
    path = written(tmp_path, rows, kind)
    said, command = refusal(path)
    assert f"it has one row for each '{step}' of each 'model+seed' and no item" in said
    assert main([*shlex.split(command)[1:], "-o", str(tmp_path / "out.csv")]) == 0, capsys.readouterr().err
    sql = shlex.split(command)[-1]
    found = {cut.sample.model: cut.sample.score for cut in read(path, sql=sql).cuts().cuts}
    assert {model: pytest.approx(score) for model, score in found.items()} == {
        "A": [0.5, 0.501, 0.502], "B": [0.503, 0.504, 0.505],
    }  # fmt: skip


def test_runs_that_end_at_other_steps_give_their_own_last_points(tmp_path):
    rows = [row for row in curves(seed=[1, 2, 3]) if not (row["seed"] == 2 and row["step"] > 300)]
    path = written(tmp_path, [{**row, "step": str(row["step"])} for row in rows], "jsonl")
    _, command = refusal(path)
    (cut,) = read(path, sql=shlex.split(command)[-1]).cuts().cuts
    assert cut.sample.score.tolist() == [0.5, 0.301, 0.502]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("step", ["step", "frames", "episode"])
@pytest.mark.parametrize("gone", [slice(17, 18), slice(0, 1), slice(1, 3)])
def test_curves_of_three_points_with_a_gap_are_curves(tmp_path, capsys, kind, step, gone):
    """The last points are of 30 steps, but for the run that stopped before: their means, not those of all points."""
    rows = [
        {"model": model, "seed": seed, step: steps, "reward": steps + seed}
        for model in "AB" for seed in (1, 2, 3) for steps in (10, 20, 30)
    ]  # fmt: skip
    del rows[gone]
    path = written(tmp_path, rows, kind)
    said, command = refusal(path)
    assert f"it has one row for each '{step}' of each 'model+seed' and no item" in said
    assert main(shlex.split(command)[1:]) == 0, capsys.readouterr().err
    ends = {}
    for row in rows:
        ends[row["model"], row["seed"]] = row["reward"]
    found = sb.estimate(read(path, sql=shlex.split(command)[-1]))
    assert [row.value for row in found] == [
        pytest.approx(sum(end for (name, _), end in ends.items() if name == model) / 3) for model in "AB"
    ]
    with pytest.raises(ScoresError, match=f"one row for each '{step}' of each 'model[+]seed' and no item"):
        Scores(pd.DataFrame(rows))


@pytest.mark.parametrize("header", ["frames", "episode"])
def test_episodes_that_count_one_by_one_are_attempts(tmp_path, header):
    rows = [
        {"model": model, "seed": seed, header: k, "reward": k / 7 + seed}
        for model in "AB" for seed in (1, 2, 3) for k in range(5)
    ]  # fmt: skip
    assert sb.estimate(read(written(tmp_path, rows)))[0].n_runs == (3, 3)


def test_a_return_beside_steps_is_the_score_and_the_whole_command_is_proposed(tmp_path, capsys):
    rows = [
        {"agent": agent, "env": env, "seed": seed, "timestep": steps, "episode_return": steps * seed / 10}
        for agent in ("ppo", "sac") for env in "xy" for seed in (1, 2, 3) for steps in (10, 20, 30)
    ]  # fmt: skip
    path = written(tmp_path, rows[:-1])
    said, command = refusal(path)
    assert (
        "no column is known to hold the score; name it with --map score=episode_return; if so, it has one row" in said
    )
    assert main([*shlex.split(command)[1:], "--format", "json"]) == 0
    found = {row["model"]: row["value"] for row in json.loads(capsys.readouterr().out)["results"]}
    assert found == {"ppo": pytest.approx((3 + 6 + 9) / 3), "sac": pytest.approx((18 + 3 + 6 + 6) / 6)}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("of", [{}, {"model": ["A", "B"]}, {"task": ["x", "y"]}])
def test_a_lone_curve_is_no_table_of_attempts(tmp_path, kind, step, of):
    rows = curves(step, strides=1, **of)
    path = written(tmp_path, rows, kind)
    said, _ = refusal(path)
    assert f"it has one row for each '{step}'" in said
    assert f"--map {shlex.quote(f'item={step}')}" in said
    assert ("if each is a repeat of one evaluation" in said) == (step in {"epoch", "iteration"})
    assert len(read(path, columns={"item": step}).cuts().cuts[0].sample.score) == len(rows) // len(of.get("model", "A"))
    if step in {"epoch", "iteration"}:
        assert sb.estimate(read(path, columns={"run": step}))[0].n_runs == (5, 5)
    with pytest.raises(ScoresError, match=f"there is one row for each '{step}'"):
        Scores(pd.DataFrame(rows), score="accuracy")
    assert Scores(pd.DataFrame(rows), score="accuracy", item=step)


def test_two_columns_of_runs_and_curves_are_asked_about_at_once(tmp_path, capsys):
    path = written(tmp_path, curves("epoch", strides=1, model=["A", "B"], seed=[1, 2]))
    said, command = refusal(path)
    assert "'seed', 'epoch' could each be the run" in said
    assert "if so, it has one row for each 'epoch'" in said
    assert main(shlex.split(command)[1:]) == 0, capsys.readouterr().err


@pytest.mark.parametrize("rows", [
    [{"step": k, "correct": k % 2} for k in range(20)],  # right or wrong: attempts that are numbered
    [{"steps": (7 * k) % 20, "score": k / 20} for k in range(20)],  # steps that an agent took
    [{"step": k % 4, "score": k / 20} for k in range(20)],
    [{"item": k, "step": k, "score": k / 20} for k in range(20)],
    [{"step": f"s{k}", "score": k / 20} for k in range(20)],
    [{"frame": k, "score": k / 20} for k in range(20)],  # frames of a video
    [{"model": f"m{k // 2}", "item": f"q{k % 2}", "checkpoint": k, "score": k / 20} for k in range(20)],
])  # fmt: skip
def test_other_rows_are_left_alone(tmp_path, rows):
    for kind in KINDS:
        assert read(written(tmp_path, rows, kind)).models
    assert Scores(pd.DataFrame(rows), score=next(iter(reversed(rows[0])))).models


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("header", ["epoch", "iteration", "Epochs", "iter"])
def test_numbers_in_strides_are_no_count_of_repeats(tmp_path, kind, header):
    rows = items(header, [10, 20, 30], model="A")
    path = written(tmp_path, rows, kind)
    said, command = refusal(path)
    assert f"'{header}' ('10', '20', '30')" in said
    assert shlex.split(command)[-2:] == ["--map", f"model=model+{header}"]
    assert read(path, columns={"model": f"model+{header}"}).models == ("A+10", "A+20", "A+30")
    assert sb.estimate(read(path, columns={"run": header}))[0].n_runs == (3, 3)
    with pytest.raises(ScoresError, match=rf"'{header}' \('10', '20', '30'\)"):
        Scores(pd.DataFrame(rows))
    assert Scores(pd.DataFrame(rows), run=header).models == ("A",)


def test_every_way_out_of_strides_works(tmp_path, capsys):
    path = written(tmp_path, items("epoch", [10, 20, 30], model="A"))
    said, _ = refusal(path)
    ways = ["--map" + part.split(")")[0] for part in said.split("(--map")[1:]]
    assert "--map variant=epoch --variant 30" in ways
    assert "--map run=epoch" in ways
    for way in ways:
        assert main(["estimate", str(path), *shlex.split(way)]) == 0, capsys.readouterr().err


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("header", ["epoch", "iteration"])
def test_epochs_that_count_one_by_one_are_runs_and_a_note_says_so(tmp_path, kind, header):
    rows = items(header, [1, 2, 3], model="A")
    path = written(tmp_path, rows, kind)
    scores = read(path)
    assert sb.estimate(scores)[0].n_runs == (3, 3)
    said = notes(scores)["epochs-as-runs"]
    assert said.startswith(f"'{header}' ('1', '2', '3') counts the runs")
    assert f"(--map model=model+{header}) or the variant (--map variant={header} --variant 3)" in said
    assert "epochs-as-runs" not in notes(read(path, columns={"run": header}))
    left = read(path, columns={"variant": header}, variant="3")
    assert [row.value for row in sb.estimate(left)] == [0.5]
    assert read(path, columns={"model": f"model+{header}"}).models == ("A+1", "A+2", "A+3")
    assert Scores(pd.DataFrame(rows)).models == ("A",)


@pytest.mark.parametrize("header", ["run", "seed", "trial", "rep"])
def test_other_runs_may_have_any_numbers(tmp_path, header):
    path = written(tmp_path, items(header, [10, 20, 30]))
    assert "epochs-as-runs" not in notes(read(path))


def test_one_epoch_is_no_news(tmp_path):
    assert "epochs-as-runs" not in notes(read(written(tmp_path, items("epoch", [1]))))


def test_small_files_beside_others_are_asked_as_well(tmp_path):
    for name in "ab":
        written(tmp_path, items("epoch", [10, 20], model=name), name=name)
    with pytest.raises(ReadError, match="goes up in strides"):
        read(tmp_path)
    for name in "ab":
        written(tmp_path, items("iteration", [10, 20], model=name), name=name)
    with pytest.raises(ReadError, match=r"'iteration' .* tells them apart"):
        read(tmp_path)


@pytest.mark.parametrize(("texts", "strides"), [
    ("1 2 3", False), ("0 1", False), ("3 4 7", False), ("1 3", True), ("0.5 1", True), ("1", False),
    ("1e3 2e3", True), ("a b", False), ("nan 2 4", False), ("1 1.0", False),
])  # fmt: skip
def test_which_numbers_go_up_in_strides(texts, strides):
    assert in_strides(texts.split()) == strides


def test_headers_of_steps():
    assert all(map(names_step, [*STEPS, "env_frames"]))
    assert all(map(names_stride, ["frames", "Episode"]))
    assert not any(map(names_step, ["step_id", "agent_steps", "n_steps", "stepwise", "epoch_time", "run", "frame"]))
