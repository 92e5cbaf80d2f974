"""Formats that hold learning curves: DreamerV3's lists, Dopamine's without a run, long CSV as of DrQ-v2."""

from __future__ import annotations

import csv
import gzip
import json
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest

import scorebars as sb
from scorebars.errors import ScorebarsError
from scorebars.readers.read import read

SHARED = Path(__file__).parents[3] / "shared" / "data"
needs_shared = pytest.mark.skipif(not SHARED.is_dir(), reason="../shared/data is not here")
DREAMER = {"task": "atari_pong", "method": "a", "seed": 0, "xs": [0, 10, 20], "ys": [None, 1.5, 2]}
DRQ = ",agent,task,seed,frame,episode_reward,hour\n"


def codes(scores):
    return [note.code for note in scores.cuts().notes]


def table(scores):
    """(model, task, run) -> score."""
    found = scores.tidy()
    keys = zip(found["model"], found["task"], found["run"], strict=True)
    return dict(zip(keys, found["score"].tolist(), strict=True))


@pytest.fixture
def write(tmp_path):
    def write(name, value):
        path = tmp_path / name
        path.write_text(value if isinstance(value, str) else json.dumps(value))
        return path

    return write


def test_a_list_of_curves(write):
    early = DREAMER | {"seed": 1, "xs": [0, 10], "ys": [0.5, 1]}
    path = write("a.json", [DREAMER, early])
    with pytest.raises(ScorebarsError, match=r"a\.json holds learning curves of 2 runs, which have no one score"):
        read(path)
    scores = read(path, at="final")
    assert table(scores) == {("a", "atari_pong", "0"): 2.0, ("a", "atari_pong", "1"): 1.0}
    assert codes(scores) == ["curve-ends"]
    assert table(read(path, at="mean:2", normalize="ale57"))["a", "Pong", "0"] == pytest.approx(22.45 / 35.3)


def test_a_record_longer_than_the_head_is_recognised(write):
    long = DREAMER | {"xs": list(range(20_000)), "ys": [0.5] * 20_000}
    assert read(write("a.json", [long]), at="final").parts[0].reader == "dreamer"


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"ys": [1, 2]}, r"record 2 has 3 steps \(xs\) and 2 values"),
        ({"ys": [1, "x", 2]}, "'ys', value 2 is text, not a number"),
        ({"ys": [1, True, 2]}, "'ys', value 2 is a truth value"),
        ({"ys": [1, 1e999, 2]}, "'ys', value 2 is infinite"),
        ({"ys": 3}, "'ys' is a number, not a list of numbers"),
        ({"xs": [0, None, 2]}, "'xs' has a step that is null"),
        ({"xs": [0, 20, 10]}, "go back from 20 to 10"),
        ({"seed": None}, "'seed' is null"),
        ({"task": None}, "'task' is null"),
    ],
)
def test_damaged_curves(write, change, sentence):
    path = write("a.json", [DREAMER, DREAMER | {"seed": 1} | change])
    with pytest.raises(ScorebarsError, match=sentence) as caught:
        read(path, at="final")
    assert "a.json" in str(caught.value)


def dopamine(counts, agent="DQN"):
    return [
        {"Iteration": iteration, "Value": 10.0 * iteration + run, "Agent": agent}
        for iteration, count in enumerate(counts)
        for run in range(count)
    ]


def test_runs_by_order_of_appearance(write):
    scores = read(write("pong.json", dopamine([3, 3, 3]) + dopamine([2, 2], "C51")), at="final")
    assert table(scores) == {
        **{("DQN", "pong", str(run)): 20.0 + run for run in range(3)},
        **{("C51", "pong", str(run)): 10.0 + run for run in range(2)},
    }
    assert "duplicate-attempts" not in codes(scores)


def test_what_follows_the_game_is_a_variant(write):
    scores = read(write("ms_pacman_CNN.json", dopamine([2, 2])), at="mean:2")
    assert (scores.tasks, scores.variants) == (("ms_pacman",), ("CNN",))
    assert read(write("mygame.json", dopamine([2])), at="final").tasks == ("mygame",)


def test_an_iteration_without_one_of_the_runs_is_refused(write):
    path = write("pong.json", dopamine([3, 2, 3]))
    with pytest.raises(ScorebarsError, match=r"pong\.json: agent 'DQN' has 2 values at iteration 1 and 3 at others"):
        read(path, at="final")


def test_a_chart_is_no_data(write, tmp_path):
    chart = {"$schema": "https://vega.github.io/schema/vega-lite/v3.json", "data": {"url": "data/pong.json"}}
    path = write("pong.vg.json", chart)
    with pytest.raises(
        ScorebarsError, match=r"is a Vega chart, .*; its values are in 'data/pong\.json': read that file"
    ):
        read(path)
    write("pong.json", dopamine([2]))
    scores = read(tmp_path, at="final")
    assert scores.models == ("DQN",)
    assert codes(scores) == ["skipped-file"]


def test_long_csv(write):
    rows = "0,A,walker_walk,1,0,5.5,0\n0,A,walker_walk,1,100,6.5,0\n0,A,cup_catch,1,0,1,0\n0,A,cup_catch,1,80,,0\n"
    path = write("a.csv", DRQ + rows)
    scores = read(path, at="final")
    assert table(scores) == {("A", "walker_walk", "1"): 6.5, ("A", "cup_catch", "1"): 1.0}
    assert scores.cuts().cuts[0].sample.range == (0, 1000)
    assert table(read(path, at="final", normalize="dmc"))["A", "walker_walk", "1"] == 0.0065


@pytest.mark.parametrize("header", ["algo,env_id,seed,global_step,episodic_return", "Seed,Env Steps,Eval Return"])
def test_other_headers_of_long_csv(write, header):
    cells = "A,Hopper-v4,1,10,3" if "algo" in header else "1,10,3"
    scores = read(write("A.csv", f"{header}\n{cells}\n"), at="final")
    assert (scores.parts[0].reader, scores.models) == ("drqv2", ("A",))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("0,A,t,1,0,x,0\n", "line 2: 'x' is not a number"),
        ("0,A,t,1,0,inf,0\n", "line 2: 'inf' is infinite"),
        ("0,A,t,,0,1,0\n", r"line 2 has no run \('seed' is empty\)"),
        ("0,A,t,1,0,1\n", "line 2 has 6 cells, the header has 7"),
        ("0,A,t,1,5,1,0\n0,A,t,1,3,1,0\n", "go back from 5 to 3"),
        ("", "no learning curve"),
    ],
)
def test_damaged_csv(write, text, sentence):
    with pytest.raises(ScorebarsError, match=sentence) as caught:
        read(write("a.csv", DRQ + text), at="final")
    assert "a.csv" in str(caught.value)


def test_other_tables_are_no_curves(write):
    assert read(write("a.csv", "model,task,seed,score\nA,t,1,1\n")).parts[0].reader == "table"
    with pytest.raises(
        ScorebarsError, match=r"--at does nothing for these files \(read as 'table', such as .*b\.csv\)"
    ):
        read(write("b.csv", "seed,step,return,episode_return\n1,1,1,1\n"), at="final")  # which is the return?


def dreamer_log(folder, returns, settings=None):
    """A run of DreamerV3, as ``elements.logger.JSONOutput`` 3.22 writes it."""
    folder.mkdir(parents=True)
    scores = [{"step": 1000 * (n + 1), "episode/score": value} for n, value in enumerate(returns)]
    lines = [{"step": 500, "train/loss": 1.0}, *(one | {"episode/length": 100.0, "train/loss": 0.5} for one in scores)]
    for name, content in (("scores.jsonl", scores), ("metrics.jsonl", lines)):
        (folder / name).write_text("".join(json.dumps(line) + "\n" for line in content))
    if settings is not None:
        (folder / "config.yaml").write_text(settings)
    return folder


def test_the_logs_of_dreamer_are_a_run_each(tmp_path):
    for seed, last in enumerate((-15.0, -14.0)):
        settings = f"logdir: x\ntask: atari_pong\nseed: {seed}\nreplay:\n  seed: 9\n"
        dreamer_log(tmp_path / "small" / f"2024010{seed}T120000", [-20.0, -19.0, last], settings)
    assert table(read(tmp_path, at="final")) == {
        ("small", "atari_pong", "0"): -15.0,
        ("small", "atari_pong", "1"): -14.0,
    }
    assert set(table(read(tmp_path, at="mean:2")).values()) == {-17.0, -16.5}
    with pytest.raises(ScorebarsError, match=r"scores\.jsonl holds a learning curve, .* --at final"):
        read(tmp_path)


def test_a_log_of_dreamer_without_settings_is_named_by_its_folders(tmp_path):
    dreamer_log(tmp_path / "mine" / "seed=3", [1.0, 2.0])
    (tmp_path / "mine" / "seed=3" / "scores.jsonl").unlink()
    found = read(tmp_path, at="final")
    assert (found.models, found.tidy()["run"].tolist(), found.tidy()["score"].tolist()) == (("mine",), ["3"], [2.0])


def test_a_score_of_dreamer_without_its_step_is_refused(tmp_path):
    path = dreamer_log(tmp_path / "mine", [1.0, 2.0]) / "scores.jsonl"
    path.write_text(path.read_text() + '{"episode/score": 3.0}\n')
    with pytest.raises(ScorebarsError, match=r"scores\.jsonl has a score without its 'step'"):
        read(path, at="final")


@pytest.mark.shared_data
@needs_shared
@pytest.mark.parametrize("name", ["atari100k-dreamerv3", "dmc_vision-drqv2"])
def test_dreamer_files(name):
    path = SHARED / "dreamerv3" / f"{name}.json.gz"
    raw = json.loads(gzip.decompress(path.read_bytes()))
    final = {(r["method"], r["task"], str(r["seed"])): r["ys"][-1] for r in raw}
    assert table(read(path, at="final")) == final
    means = {(r["method"], r["task"], str(r["seed"])): np.mean(r["ys"][-10:]) for r in raw}
    assert table(read(path, at="mean:10")) == pytest.approx(means, rel=1e-12)
    reached = {
        (r["method"], r["task"], str(r["seed"])): [y for x, y in zip(r["xs"], r["ys"], strict=True) if x <= 300_000][-1]
        for r in raw
    }
    assert table(read(path, at="step:300000")) == reached


@pytest.mark.shared_data
@needs_shared
def test_dreamer_runs_that_stop_early():
    atari = SHARED / "dreamerv3" / "atari100k-dreamerv3.json.gz"
    scores = read(atari, at="step:400000", normalize="ale57")
    # All runs log until their last episode before 400,000; two of Up'n Down stop long before.
    assert codes(scores)[0] == "curve-without-value"
    assert scores.cuts().cuts[0].sample.n_attempts < 130
    with pytest.raises(ScorebarsError, match="no run has a value at 'step:1e8'"):
        read(atari, at="step:1e8")


@pytest.mark.shared_data
@needs_shared
def test_dreamer_seeds_are_unequal():
    scores = read(SHARED / "dreamerv3" / "dmc_vision-drqv2.json.gz", at="final", normalize="dmc")
    seeds = defaultdict(set)
    for _, task, run in table(scores):
        seeds[task].add(run)
    assert sorted({len(found) for found in seeds.values()}) == [8, 9, 10]
    [found] = sb.estimate(scores, resample=sb.Resample("run"))
    assert (found.n_runs, len(scores.tasks)) == ((8, 10), 20)


@pytest.mark.shared_data
@needs_shared
def test_drqv2_files():
    expected = {}
    for path in sorted((SHARED / "drqv2").glob("*.csv")):
        with path.open() as stream:
            for row in csv.DictReader(stream):
                expected[row["agent"], row["task"], row["seed"]] = float(row["episode_reward"])
    scores = read(SHARED / "drqv2", at="final")
    assert len(expected) == 18
    assert table(scores) == expected
    assert "raw-scores" not in codes(scores)


@pytest.mark.shared_data
@needs_shared
def test_dopamine_files():
    path = SHARED / "dopamine" / "pong_CNN.json"
    raw = json.loads(path.read_text())
    last = [record for record in raw if record["Iteration"] == 199]
    scores = read(path, at="final")
    assert scores.models == ("C51", "DQN", "IQN", "QR-DQN", "Rainbow")
    for model in scores.models:
        theirs = [record["Value"] for record in last if record["Agent"] == model]
        assert [value for (name, *_), value in table(scores).items() if name == model] == theirs
    means = defaultdict(list)
    for record in raw:
        if record["Iteration"] >= 195:
            means[record["Agent"]].append(record["Value"])
    found = {each.model: each.value for each in sb.estimate(read(path, at="mean:5"), resample=sb.Resample("run"))}
    assert found == pytest.approx({model: np.mean(values) for model, values in means.items()}, rel=1e-12)
    with pytest.raises(ScorebarsError, match="is a Vega chart"):
        read(SHARED / "dopamine" / "airraid.vg.json")


def test_a_number_of_hundreds_of_digits_is_infinite(write):
    path = write("a.json", [DREAMER])
    path.write_text(path.read_text().replace("1.5", "1" + "0" * 350))
    with pytest.raises(ScorebarsError, match="'ys', value 2 is infinite"):
        read(path, at="final")


MONITOR = '#{"t_start": 100.0, "env_id": "CartPole-v1"}\r\nr,l,t\r\n7.5,10,1.0\r\n123.4,12,2.5\r\n'
CURVE = "task,agent,seed,frame,episode_reward\nwalk,A,1,0,3.5\nwalk,A,1,20,7.5\nwalk,A,1,40,123.4\n"
SCALAR = "Wall time,Step,Value\r\n1654943296.1,1,7.5\r\n1654943296.2,2,123.4\r\n"


@pytest.mark.parametrize(("name", "text"), [("monitor.csv", MONITOR), ("c.csv", CURVE), ("run-p-tag-r.csv", SCALAR)])
def test_a_last_line_that_was_cut_short_is_left_out(write, name, text):
    """Wherever it was cut, the value is that of the line before; the whole file, and one less a line, say nothing."""
    end = len(text.rstrip("\r\n"))
    start = text.rstrip("\r\n").rfind("\n") + 1
    for place in range(start, end + 1):
        scores = read(write(name, text[:place]), at="final")
        assert scores.tidy()["score"].tolist() == [7.5]
        said = [str(one) for one in scores.cuts().notes if one.code == "left-out"]
        assert len(said) == (place > start)
        assert place == start or f"{name}: the last line, '{text[start:place]}', left out: it has no line b" in said[0]
    for place in range(end + 1, len(text) + 1):
        scores = read(write(name, text[:place]), at="final")
        assert (scores.tidy()["score"].tolist(), "left-out" in codes(scores)) == ([123.4], False)


def test_a_compressed_file_may_have_been_cut_before(tmp_path):
    (tmp_path / "c.csv.gz").write_bytes(gzip.compress(CURVE[:-2].encode()))
    scores = read(tmp_path / "c.csv.gz", at="final")
    assert (scores.tidy()["score"].tolist(), "left-out" in codes(scores)) == ([7.5], True)


LOG = (
    "episode,episode_length,episode_reward,frame,step,total_time\r\n"
    "0.0,500.0,3.5,0,0,1.5\r\n20.0,500.0,7.5,20000,10000,9.5\r\n"
)
LAST = "40.0,500.0,123.4,40000,20000,19.5\r\n"


def test_logs_of_drqv2_are_runs_that_their_folders_name(tmp_path):
    for seed in (1, 2):
        folder = tmp_path / "mine" / "2021.10.01" / f"12000{seed}_task=walker_walk,seed={seed}"
        folder.mkdir(parents=True)
        (folder / "eval.csv").write_text(LOG + LAST.replace("123.4", f"{seed}.5"))
    scores = read(tmp_path, at="final")
    assert table(scores) == {("mine", "walker_walk", "1"): 1.5, ("mine", "walker_walk", "2"): 2.5}
    assert scores.tidy()["metric"].tolist() == ["evaluation"] * 2
    assert read(tmp_path, at="step:20000").tidy()["score"].tolist() == [7.5, 7.5]
    train = tmp_path / "ppo" / "train.csv"
    train.parent.mkdir()
    header = LOG.splitlines()[0]
    header = header.replace("episode,", "buffer_size,episode,").replace("frame", "fps,frame")
    train.write_text(f"{header}\r\n9,0.0,500.0,4.5,60.0,0,0,1.5\r\n")
    scores = read(train, at="final")
    assert (scores.models, scores.tidy()["metric"].tolist(), scores.tidy()["score"].tolist()) == (
        ("ppo",),
        ["training"],
        [4.5],
    )


def test_a_log_of_drqv2_that_was_cut_short_keeps_its_whole_lines(tmp_path):
    (tmp_path / "eval.csv").write_text(LOG + LAST[: LAST.index("3.4")])  # '123.4' as '12'
    scores = read(tmp_path / "eval.csv", at="final")
    assert scores.tidy()["score"].tolist() == [7.5]
    assert "the last line, '40.0,500.0,12', left out" in " ".join(str(one) for one in scores.cuts().notes)
