"""Stable-Baselines3: parallel environments are one seed, episodes of an evaluation are none."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest

import scorebars as sb
from scorebars.errors import ScorebarsError
from scorebars.readers.read import read

SB3 = Path(__file__).parents[3] / "shared" / "data" / "sb3"
needs_shared = pytest.mark.skipif(not SB3.is_dir(), reason="../shared/data is not here")


def monitor(path, episodes, start=100.0, env="CartPole-v1"):
    """As Monitor writes it: a comment, the header, and return, length and seconds since the start."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = "".join(f"{r},{length},{t}\n" for r, length, t in episodes)
    path.write_text("#" + json.dumps({"t_start": start, "env_id": env}) + "\nr,l,t\n" + lines)
    return path


def evaluations(path, steps, results, **others):
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez(path, timesteps=steps, results=results, ep_lengths=np.ones_like(results), **others)
    return path


def table(scores):
    found = scores.tidy()
    keys = zip(found["model"], found.get("task", found["model"]), found["run"], strict=True)
    return dict(zip(keys, found["score"].tolist(), strict=True))


def test_parallel_environments_are_one_run_in_the_order_of_time(tmp_path):
    folder = tmp_path / "ppo"
    monitor(folder / "0.monitor.csv", [(1, 10, 1.0), (2, 10, 3.0)])
    monitor(folder / "1.monitor.csv", [(3, 20, 1.5), (4, 20, 9.0)], start=99.0)
    assert table(read(folder, at="final")) == {("ppo", "CartPole-v1", "1"): 4}
    # 1 ends second (101 s, step 30), 3 first (100.5 s, step 20), then 2 (103 s, 40) and 4 (108 s, 60).
    for step, expected in ((20, 3), (30, 1), (40, 2), (59, 2), (60, 4)):
        assert table(read(folder, at=f"step:{step}")) == {("ppo", "CartPole-v1", "1"): expected}
    assert table(read(folder, at="mean:4")) == {("ppo", "CartPole-v1", "1"): 2.5}


def test_one_of_two_environments_is_a_part_of_the_run(tmp_path):
    for number in range(2):
        path = monitor(tmp_path / "ppo" / f"{number}.monitor.csv", [(1, 10, 1.0)])
    [note] = read(path, at="final").cuts().notes
    assert note.code == "partial-log"
    assert "'0.monitor.csv' beside it is not read" in note.message
    assert not read(path.parent, at="final").cuts().notes


def test_runs_by_the_folders_of_the_zoo(tmp_path):
    for algorithm in ("a2c", "ppo"):
        for run in (1, 2):
            monitor(tmp_path / algorithm / f"Acrobot-v1_{run}" / "0.monitor.csv", [(run, 10, 1.0)], env="Acrobot-v1")
    scores = read(tmp_path, at="final")
    assert scores.models == ("a2c", "ppo")
    assert table(scores)["ppo", "Acrobot-v1", "2"] == 2


def test_runs_by_folders_of_seeds(tmp_path):
    for seed in range(3):
        evaluations(tmp_path / "sac" / f"seed{seed}" / "evaluations.npz", [10, 20], [[1, 2], [3 + seed, 4 + seed]])
    scores = read(tmp_path, at="final")
    assert (scores.models, table(scores)["sac", "sac", "seed2"]) == (("sac",), 5.5)
    [found] = sb.estimate(scores, resample=sb.Resample("run"), interval=sb.Percentile(50))
    assert (found.value, found.n_runs) == (4.5, (3, 3))


def test_the_episodes_of_an_evaluation_are_one_score(tmp_path):
    path = evaluations(tmp_path / "ppo" / "evaluations.npz", [10, 20, 30], [[0, 2], [4, 6], [8, 9]])
    with pytest.raises(ScorebarsError, match=r"holds a learning curve, which has no one score; .* step 30"):
        read(path)
    assert list(table(read(path, at="final")).values()) == [8.5]
    assert list(table(read(path, at="mean:2")).values()) == [6.75]
    assert list(table(read(path, at="step:25")).values()) == [5]


def test_successes_are_a_metric_of_their_own(tmp_path):
    path = evaluations(tmp_path / "ppo" / "evaluations.npz", [10], [[3, 5]], successes=np.array([[True, False]]))
    with pytest.raises(ScorebarsError, match=r"2 metrics: 'evaluation' .*, 'evaluation success'"):
        read(path, at="final").cuts()
    assert list(table(read(path, at="final", metric="evaluation success")).values()) == [0.5]


def test_training_and_evaluation_are_two_metrics_of_one_task(tmp_path):
    monitor(tmp_path / "ppo" / "monitor.csv", [(1, 10, 1.0)])
    evaluations(tmp_path / "ppo" / "evaluations.npz", [10], [[3, 5]])
    assert table(read(tmp_path, at="final", metric="evaluation")) == {("ppo", "CartPole-v1", "1"): 4}
    assert table(read(tmp_path, at="final", metric="training")) == {("ppo", "CartPole-v1", "1"): 1}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('#{"t_start": 1, "env_id": "A-v1"\nr,l,t\n1,1,1\n', "line 1 is not the JSON comment"),
        ('#{"t_start": null}\nr,l,t\n1,1,1\n', "'t_start' is null"),
        ('#{"t_start": 1}\nr,t\n1,1\n', "line 2 names the columns r, t; r, l and t are needed"),
        ('#{"t_start": 1}\nr,l,t\n', "holds no episode"),
        ('#{"t_start": 1}\nr,l,t\n1,1,1\n1,1\n', "line 4 has 2 cells, the header has 3"),
        ('#{"t_start": 1}\nr,l,t\n1,x,1\n', "line 3: '1,x,1' is no episode"),
        ('#{"t_start": 1}\nr,l,t\ninf,1,1\n', "not finite"),
        ('#{"t_start": 1}\nr,l,t\n1,1,1\n', "holds a learning curve"),
    ],
)
def test_damaged_monitors(tmp_path, text, sentence):
    path = tmp_path / "0.monitor.csv"
    path.write_text(text)
    with pytest.raises(ScorebarsError, match=sentence) as caught:
        read(path)
    assert "0.monitor.csv" in str(caught.value)


@pytest.mark.parametrize(
    ("arrays", "sentence"),
    [
        ({"timesteps": [1, 2], "results": [[1, 2]]}, r"'results' has the shape \(1, 2\), and there are \(2,\)"),
        ({"timesteps": [1, 2]}, "has no array 'results'"),
        ({"timesteps": [1], "results": np.array([[1, 2], [3]], object)}, "holds pickled Python objects"),
        ({"timesteps": [2, 1], "results": [[1], [2]]}, "go back from 2 to 1"),
    ],
)
def test_damaged_evaluations(tmp_path, arrays, sentence):
    np.savez(tmp_path / "evaluations.npz", **arrays)
    with pytest.raises(ScorebarsError, match=sentence):
        read(tmp_path / "evaluations.npz", at="final")


@pytest.mark.shared_data
@needs_shared
def test_real_files():
    theirs = np.load(SB3 / "evaluations.npz")
    assert list(table(read(SB3 / "evaluations.npz", at="final")).items()) == [
        (("sb3", "Acrobot-v1", "1"), theirs["results"][-1].mean())
    ]
    place = list(theirs["timesteps"]).index(250_000)
    [value] = table(read(SB3, at="step:250000", metric="evaluation")).values()
    assert value == theirs["results"][place].mean()
    episodes = []
    for path in SB3.glob("*.monitor.csv"):
        with path.open() as stream:
            start = json.loads(stream.readline().lstrip("#"))["t_start"]
            rows = list(csv.DictReader(stream))
            episodes += [(start + float(row["t"]), float(row["r"])) for row in rows]
    assert len(episodes) == 343 + 344  # as the files have lines of episodes
    [value] = table(read(SB3, at="mean:100", metric="training")).values()
    assert value == pytest.approx(np.mean([r for _, r in sorted(episodes)[-100:]]), rel=1e-12)
