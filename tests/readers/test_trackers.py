"""Exports of Weights & Biases and of TensorBoard: a file is a run, the metric is chosen, the point too."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest

import scorebars as sb
from scorebars.analysis.doctor import doctor
from scorebars.errors import ScorebarsError
from scorebars.readers.read import read

WANDB = Path(__file__).parents[3] / "shared" / "data" / "wandb"
needs_shared = pytest.mark.skipif(not WANDB.is_dir(), reason="../shared/data is not here")
HISTORY = "_step,eval/return,train/loss,global_step,_runtime,note\n"
CHART = '"Step","a-1 - eval/return","a-1 - eval/return__MIN","a-1 - eval/return__MAX"'
MORE = ',"b - c - eval/return","b - c - eval/return__MIN","b - c - eval/return__MAX"\n'


@pytest.fixture
def write(tmp_path):
    def write(name, text):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        return path

    return write


def scores_of(scores):
    return {cut.sample.model: cut.sample.score.tolist() for cut in scores.cuts().cuts}


def codes(scores):
    return [note.code for note in scores.cuts().notes]


def test_the_history_of_a_run_is_sparse(write):
    path = write("ppo.csv", HISTORY + "0,1.5,9,100,0.1,x\n1,,8,200,0.2,\n2,2.5,7,300,0.3,y\n3,,6,400,0.4,\n")
    with pytest.raises(ScorebarsError, match=r"learning curves of 1 run in 3 metrics, .* at steps 2 to 3"):
        read(path)
    with pytest.raises(ScorebarsError, match="3 metrics: 'eval/return'"):
        read(path, at="final").cuts()
    scores = read(path, at="final", metric="eval/return")
    assert scores_of(scores) == {"ppo": [2.5]}
    assert codes(scores) == ["curve-stale"]
    assert codes(read(path, at="final", metric="train/loss")) == ["less-is-better"]
    assert dict(scores.parts[0].unusable)["note"] == "line 2: 'x' is not a finite number"
    with pytest.raises(ScorebarsError, match="metric 'note' is no score: line 2: 'x' is not a finite number"):
        read(path, at="final", metric="note")


def test_a_bad_cell_of_the_only_metric_is_named_with_its_line(write):
    path = write("ppo.csv", "eval/return,_step,_runtime\n" + "".join(f"{n}.5,{n},{n}\n" for n in range(5)))
    path.write_text(path.read_text().replace("3.5,3,3", "abc,3,3"))
    said = r"has no column with numbers only \('eval/return': line 5: 'abc' is not a finite number\); mend the line"
    with pytest.raises(ScorebarsError, match=said):
        read(path, at="final")


def test_an_index_without_a_name_is_no_metric(write):
    assert read(write("ppo.csv", ",_step,_runtime,loss\n0,0,0,1.5\n"), at="final").metrics == ("loss",)


def test_another_column_is_the_step(write):
    path = write("ppo.csv", HISTORY + "0,1.5,9,100,0,\n1,2.5,8,200,0,\n2,3.5,7,300,0,\n")
    assert scores_of(read(path, at="step:200", columns={"step": "global_step"}, metric="eval/return")) == {"ppo": [2.5]}
    with pytest.raises(ScorebarsError, match="no column 'globalstep'; did you mean 'global_step'"):
        read(path, at="final", columns={"step": "globalstep"})


def test_files_of_a_folder_are_models_until_they_are_said_to_be_runs(write, tmp_path):
    for seed in range(3):
        write(f"ppo/s{seed}.csv", f"_step,eval/return,_runtime\n0,{seed},1\n")
    assert read(tmp_path, at="final").models == ("s0", "s1", "s2")
    scores = read(tmp_path, at="final", columns={"model": "folder"})
    assert scores_of(scores) == {"ppo": [0, 1, 2]}
    [found] = sb.estimate(scores, resample=sb.Resample("run"), interval=sb.Percentile(50))
    assert (found.value, found.n_runs) == (1, (3, 3))
    with pytest.raises(ScorebarsError, match="'item' cannot be mapped in an export of W&B: a file is one run"):
        read(tmp_path, at="final", columns={"item": "x"})


def test_the_lines_of_a_chart_are_runs(write):
    scores = read(write("chart.csv", CHART + MORE + "0,1,1,1,,,\n10,2,2,2,5,5,5\n20,,,,6,6,6\n"), at="final")
    assert scores_of(scores) == {"a-1": [2], "b - c": [6]}
    assert scores.metrics == ("eval/return",)


def chart(*runs):
    """A line a run: 1 and then its place among them."""
    cells = [f'"{run} - acc{end}"' for run in runs for end in ("", "__MIN", "__MAX")]
    rows = ["0" + ",1,1,1" * len(runs), "10" + "".join(f",{k},{k},{k}" for k in range(len(runs)))]
    return "\n".join([",".join(['"Step"', *cells]), *rows, ""])


SEEDS = ("ppo_seed0", "ppo_seed1", "sac_seed0", "sac_seed1", "sac_seed2")


def test_the_runs_of_a_chart_are_grouped_into_models_by_their_names(write):
    path = write("chart.csv", chart(*SEEDS))
    alone = read(path, at="final")
    assert len(alone.models) == 5
    (said,) = [one.message for one in alone.cuts().notes if one.code == "repeats-as-models"]
    assert said.startswith("the 5 lines have the names of runs ('ppo_seed0', 'ppo_seed1', …)")
    assert said.endswith("--map 'run={model}_seed{run}'")
    scores = read(path, at="final", columns={"run": "{model}_seed{run}"})
    assert scores_of(scores) == {"ppo": [0, 1], "sac": [2, 3, 4]}
    assert scores.tidy()["run"].tolist() == ["0", "1", "0", "1", "2"]
    assert "repeats-as-models" not in codes(scores)
    found = {row.model: (row.value, row.n_runs) for row in sb.estimate(scores)}
    assert found == {"ppo": (0.5, (2, 2)), "sac": (3, (3, 3))}


def test_doctor_says_how_the_runs_of_a_chart_are_grouped(write):
    even = write("chart.csv", chart("a-seed1", "a-seed2", "b-seed1", "b-seed2"))
    found = {one.code: one.remedy for one in doctor(read(even, at="final")).findings}
    assert found["repeats-as-models"] == "make them runs: --map 'run={model}-seed{run}'"
    assert read(even, at="final", columns={"run": "{model}-seed{run}"}).models == ("a", "b")


def test_names_that_are_drawn_say_nothing(write):
    path = write("chart.csv", chart("fluffy-wind-1", "happy-tree-2", "crazy-cat-3"))
    assert "repeats-as-models" not in codes(read(path, at="final"))


def test_histories_are_runs_by_their_names_too(write, tmp_path):
    for seed in range(3):
        write(f"x/ppo_s{seed}.csv", f"_step,eval/return,_runtime\n0,{seed},1\n")
    scores = read(tmp_path, at="final", columns={"run": "{model}_s{run}", "step": "_step"})
    assert scores_of(scores) == {"ppo": [0, 1, 2]}
    assert scores_of(read(tmp_path, at="final", columns={"run": "ppo_s{run}"})) == {"x": [0, 1, 2]}


@pytest.mark.parametrize(("columns", "said"), [
    ({"run": "{model}-{run}"}, "the run's name 'ppo_seed0' does not fit --map 'run={model}-{run}'"),
    ({"run": "{task}_seed{run}"}, "a run's name gives no 'task'"),
    ({"run": "{model}"}, "must say which part is the run"),
    ({"run": "{modl}_seed{run}"}, "did you mean 'model'"),
    ({"run": "{model}_seed{run}", "model": "folder"}, "gives the model by the run's name and by 'folder'"),
    ({"run": "seed"}, r"no column says the run \('seed'\); call the columns .* \(--map 'run={model}_seed{run}'\)"),
])  # fmt: skip
def test_patterns_of_runs_that_do_not_fit(write, columns, said):
    with pytest.raises(ScorebarsError, match=said):
        read(write("chart.csv", chart(*SEEDS)), at="final", columns=columns)


def test_a_name_that_fits_in_two_ways_is_refused(write):
    path = write("chart.csv", chart("a_x_b", "a_y_b"))
    with pytest.raises(ScorebarsError, match="in two ways"):
        read(path, at="final", columns={"run": "{model}_{run}"})


def test_the_mean_of_grouped_runs_is_no_run(write):
    path = write("chart.csv", CHART + "\n0,1,1,1\n10,2,1.5,3\n")
    with pytest.raises(ScorebarsError, match=r"line 3: 'a-1 - eval/return' is a mean over values from 1\.5 to 3"):
        read(path, at="final")


def test_a_chart_without_a_run_is_named_by_its_file(write):
    path = write("helium.csv", "Step,loss,loss__MIN,loss__MAX\n0,1,1,1\n5,2,2,2\n")
    assert scores_of(read(path, at="final")) == {"helium": [2]}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (HISTORY + ",1,1,1,1,\n", "line 2 has no '_step'"),
        (HISTORY, "no row below its header"),
        ("_step,loss,_runtime,loss\n0,1,1,1\n", "has the header 'loss' more than once"),
        (HISTORY + "0,1\n", "line 2 has 2 cells, the header has 6"),
        (HISTORY + "5,1,1,1,1,\n3,1,1,1,1,\n", "goes back from 5 to 3"),
        (
            HISTORY + "5,x,x,x,1,\n",
            r"has no column with numbers only \('eval/return': line 2: 'x' is not a finite number; ",
        ),
        (CHART + "\n0,x,1,1\n", "line 2: 'x' is not a finite number, in the column 'a-1 - eval/return'"),
    ],
)
def test_damaged_exports(write, text, sentence):
    with pytest.raises(ScorebarsError, match=sentence) as caught:
        read(write("a.csv", text), at="final")
    assert "a.csv" in str(caught.value)


POINTS = [[1654943296.25, 0, 1.5], [1654943297.5, 10, "NaN"], [1654943298, 20, 3.5], [1654943299, 30, 2.5]]


DRAWN = {"fluffy-dog-12": ("ppo", 0, 5), "brave-cat-3": ("ppo", 1, 6), "wild-moon-9": ("sac", 0, 7)}
LOGGED = [(step, name, *DRAWN[name]) for name in DRAWN for step in (0, 9)]


def concatenated(rows):
    """Histories below each other, as people save them with a column of the configuration."""
    lines = [f"{step},1,2,{ret * step / 9},{name},{algo},{seed},0.1" for step, name, algo, seed, ret in rows]
    return "\n".join(["_step,_runtime,_timestamp,ret,name,algo,seed,lr", *lines, ""])


@pytest.mark.parametrize("rows", [LOGGED, sorted(LOGGED)], ids=["below each other", "by step"])
@pytest.mark.parametrize(
    "columns", [{"model": "algo", "run": "name"}, {"model": "algo", "run": "seed"}, {"model": "algo", "run": "seed+lr"}]
)
def test_columns_say_the_model_and_run_of_histories_in_one_file(write, rows, columns):
    scores = read(write("runs.csv", concatenated(rows)), at="final", columns=columns, metric="ret")
    expected = {"ppo": {5.0, 6.0}, "sac": {7.0}}
    assert {model: set(found) for model, found in scores_of(scores).items()} == expected
    assert "drawn-names" not in codes(scores)


@pytest.mark.parametrize(
    ("rows", "line"),
    [(LOGGED, "line 4: '_step' goes back from 9 to 0"), (sorted(LOGGED), "line 3: '_step' is 0 again")],
)
def test_rows_of_several_runs_are_never_one_curve(write, rows, line):
    path = write("runs.csv", concatenated(rows))
    for columns in (None, {"model": "algo"}):
        with pytest.raises(ScorebarsError) as caught:
            read(path, at="final", columns=columns)
        assert line in str(caught.value)
        assert str(caught.value).endswith("and 'algo' may be the model: --map model=algo,run=name")
    without = "\n".join(",".join(row.split(",")[:4] + row.split(",")[5:7]) for row in concatenated(rows).splitlines())
    with pytest.raises(ScorebarsError, match="'algo' and 'seed' tell them apart: --map model=algo,run=seed"):
        read(write("seeds.csv", without + "\n"), at="final")
    bare = "\n".join(",".join(row.split(",")[:4]) for row in concatenated(rows).splitlines())
    with pytest.raises(ScorebarsError, match=r"name the columns that tell them apart .* or save a file a run"):
        read(write("bare.csv", bare + "\n"), at="final")
    with pytest.raises(ScorebarsError, match=r"as the run \(--map run=name\), or .* as that \(--map model=name\)"):
        read(write("named.csv", concatenated(rows).replace("ppo", "x").replace("sac", "x")), at="final")


def test_columns_of_a_history_that_are_not_there(write):
    path = write("runs.csv", concatenated(LOGGED).replace("sac", "", 1))
    with pytest.raises(ScorebarsError, match="has no column 'algoo'; did you mean 'algo'"):
        read(path, at="final", columns={"model": "algoo"})
    with pytest.raises(ScorebarsError, match="line 6 has no 'algo'"):
        read(path, at="final", columns={"model": "algo", "run": "name"})


def test_drawn_names_are_said_with_what_groups_the_runs(write, tmp_path):
    scores = read(write("chart/chart.csv", chart(*DRAWN)), at="final")
    (said,) = [one.message for one in scores.cuts().notes if one.code == "drawn-names"]
    assert said.startswith("the 3 lines have names that Weights & Biases drew ('fluffy-dog-12', 'brave-cat-3', …)")
    table = "Name,State,Tags,Created,Runtime,Group,eval/return\n" + "".join(
        f"{name},finished,,2026-01-01T00:00:00.000Z,9,{algo},{ret}\n" for name, (algo, _, ret) in DRAWN.items()
    )
    mapping = {"model": "Group", "run": "Name", "score": "eval/return"}
    found = scores_of(read(write("table/runs.csv", table), columns=mapping))
    assert {model: set(each) for model, each in found.items()} == {"ppo": {5.0, 6.0}, "sac": {7.0}}

    for name, (algo, _, ret) in DRAWN.items():
        write(f"h/{name}.csv", f"_step,ret,_runtime,algo\n0,{ret},1,{algo}\n")
        write(f"{algo}/{name}.csv", f"_step,ret,_runtime,algo\n0,{ret},1,{algo}\n")
    alone = read(tmp_path / "h", at="final")
    (said,) = [one.message for one in alone.cuts().notes if one.code == "drawn-names"]
    assert "(--map model=folder)" in said
    assert "(--map model=COLUMN)" in said
    assert [finding.code for finding in doctor(alone).findings].count("drawn-names") == 1
    grouped = (
        read(tmp_path / "h", at="final", columns={"model": "algo"}),
        read([tmp_path / "ppo", tmp_path / "sac"], at="final", columns={"model": "folder"}),
    )
    for scores in grouped:
        assert {model: set(found) for model, found in scores_of(scores).items()} == {"ppo": {5.0, 6.0}, "sac": {7.0}}
        assert "drawn-names" not in codes(scores)


def test_a_chart_has_no_column_of_models(write):
    with pytest.raises(ScorebarsError, match=r"chart.csv is a chart, .* no column says the model \('algo'\); call the"):
        read(write("chart.csv", chart(*DRAWN)), at="final", columns={"model": "algo"})


def tensorboard_csv(points=POINTS):
    return "Wall time,Step,Value\n" + "".join(f"{t},{step},{value}\n" for t, step, value in points)


@pytest.mark.parametrize("ending", ["csv", "json"])
def test_a_scalar_of_tensorboard(write, ending):
    text = tensorboard_csv() if ending == "csv" else json.dumps(POINTS)
    scores = read(write(f"run-PPO_1-tag-rollout_ep_rew_mean.{ending}", text), at="final")
    assert (scores.parts[0].reader, scores_of(scores)) == ("tensorboard", {"PPO_1": [2.5]})
    assert scores.metrics == ("rollout_ep_rew_mean",)
    assert scores_of(read(write(f"PPO_2.{ending}", text), at="step:25")) == {"PPO_2": [3.5]}
    with pytest.raises(ScorebarsError, match=r"holds a learning curve, .* at step 30"):
        read(write(f"b.{ending}", text))


def test_runs_of_tensorboard_by_folder(write, tmp_path):
    for seed in (1, 2):
        write(f"ppo/run-PPO_{seed}-tag-reward.csv", tensorboard_csv([[1654943296, 0, seed]]))
    assert read(tmp_path, at="final").models == ("PPO_1", "PPO_2")
    assert scores_of(read(tmp_path, at="final", columns={"model": "folder"})) == {"ppo": [1, 2]}


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("a.csv", tensorboard_csv([[1654943296, 5, 1], [1654943297, 3, 1]]), "go back from 5 to 3"),
        ("a.csv", tensorboard_csv([[1654943296, "", 1]]), "a.csv: line 2 has no step"),
        ("a.json", json.dumps([[1654943296, 1, 1], [1654943297, None, 1]]), "point 2 has no step"),
        ("a.csv", tensorboard_csv([[1654943296, 1, "x"]]), "line 2: 'x' is not a number"),
        ("a.csv", "Wall time,Step,Value\n", "no value|without a single value"),
        ("a.json", json.dumps([[1654943296, 1, 2], [1654943296, 1]]), "point 2 has 2 numbers"),
        ("a.json", json.dumps([[1654943296, 1, 2], [1654943296, 1, "x"]]), "point 2, value 3 is text"),
        ("a.json", json.dumps([[1654943296, 1, 2], 5]), "point 2 is a number, not a list"),
    ],
)
def test_damaged_scalars(write, name, text, sentence):
    with pytest.raises(ScorebarsError, match=sentence) as caught:
        read(write(name, text), at="final")
    assert name in str(caught.value)


@pytest.mark.shared_data
@needs_shared
def test_real_exports():
    metric = "eval/reward/episode_reward_mean"
    expected = {}
    for path in sorted(WANDB.glob("*.csv")):
        with path.open() as stream:
            expected[path.stem] = [[float(row[metric]) for row in csv.DictReader(stream) if row[metric]][-1]]
    scores = read(WANDB, at="final", metric=metric)
    assert scores_of(scores) == expected
    assert codes(scores) == ["curve-stale"]  # of one export, which was logged at step 0 only
    path = WANDB / "ds-marl.wandb_export.csv"
    with path.open() as stream:
        rows = list(csv.DictReader(stream))
    assert len(read(path, at="final").metrics) == len(rows[0]) - 3 == 67
    values = [float(row[metric]) for row in rows if row[metric]]
    assert scores_of(read(path, at="mean:10", metric=metric)) == {path.stem: [pytest.approx(np.mean(values[-10:]))]}
    reached = [float(row[metric]) for row in rows if row[metric] and float(row["_step"]) <= 100]
    assert scores_of(read(path, at="step:100", metric=metric)) == {path.stem: [reached[-1]]}
