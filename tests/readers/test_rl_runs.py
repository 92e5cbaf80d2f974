"""Scores of reinforcement learning as JSON: dictionaries of runs, and lists that are normalised already."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import scorebars as sb
from scorebars.errors import ReadError, ScorebarsError
from scorebars.readers.read import read

ATARI = Path(__file__).parents[3] / "shared" / "data" / "atari_100k"
needs_shared = pytest.mark.skipif(not ATARI.is_dir(), reason="../shared/data is not here")
RUNS, FEW = sb.Resample("run"), sb.Percentile(20)
RAW = {"Alien": [227.8, 7127.7, 3677.75], "Pong": [-20.7, 14.6, -3.05]}


@pytest.fixture
def write(tmp_path):
    def write(name, value):
        path = tmp_path / name
        path.write_text(json.dumps(value))
        return path

    return write


def codes(scores):
    return [note.code for note in scores.cuts().notes]


def values(scores, estimator=None):
    found = sb.estimate(scores, estimator=estimator or sb.Mean(), resample=RUNS, interval=FEW, rng=1)
    return {each.model: each.value for each in found}


def test_game_to_runs(write):
    scores = read(write("DER.json", RAW), normalize="ale57")
    assert (scores.models, scores.tasks, scores.metrics) == (("DER",), ("Alien", "Pong"), ("HNS",))
    np.testing.assert_allclose(scores.tidy()["score"], [0, 1, 0.5, 0, 1, 0.5], atol=1e-12)


def test_the_same_as_arrays_in_memory(write):
    arrays = {game: np.array(runs) for game, runs in RAW.items()}
    memory, file = sb.Scores.from_arrays({"DER": arrays}), read(write("DER.json", RAW))
    for one, other in zip(memory.cuts().cuts, file.cuts().cuts, strict=True):
        for name in ("score", "task", "item", "run"):
            np.testing.assert_array_equal(getattr(one.sample, name), getattr(other.sample, name))
        assert one.sample.task_labels == other.sample.task_labels
    again = sb.estimate(memory, interval=sb.Percentile(200), resample=sb.Resample("run"))[0]
    found = sb.estimate(file, interval=sb.Percentile(200), resample=sb.Resample("run"))[0]
    assert (again.value, again.low, again.high) == (found.value, found.low, found.high)


def test_models_as_outer_keys_and_unequal_runs(write):
    scores = read(write("all.json", {"A": RAW, "B": {"Alien": [1, 2], "Pong": [3, None, 5, 7]}}))
    assert scores.models == ("A", "B")
    assert [cut.sample.n_attempts for cut in scores.cuts().cuts] == [6, 5]


def test_a_number_is_one_run(write):
    scores = read(write("MuZero.json", {"Alien": 7127.7, "Pong": -20.7, "MsPacman": 307.3}), normalize="ale57")
    assert scores.parts[0].reader == "rl-runs"
    np.testing.assert_allclose(scores.tidy()["score"], [1, 0, 0], atol=1e-12)


def test_raw_scores_of_several_games_are_not_averaged_in_silence(write):
    scores = read(write("DER.json", RAW))
    assert codes(scores) == ["raw-scores"]
    assert "--normalize ale57" in scores.cuts().notes[0].message
    assert "raw-scores" not in [note.code for note in scores.cuts(by="task").notes]
    assert codes(scores.select(task="Pong")) == []
    assert codes(read(write("DER.json", RAW), normalize="ale57")) == []


def test_arrays_of_runs_by_tasks(write):
    found = {"A": [[1, 2, 3], [4, 5, 6]], "B": [[2, 1, 1], [3, 3, None]]}
    scores = read(write("arrays.json", found))
    assert codes(scores) == ["array-axes"]
    assert "2 × 3 is read as runs × tasks" in scores.cuts().notes[0].message
    assert values(scores)["A"] == 3.5
    one, other = scores.cuts(), sb.Scores.from_arrays({name: np.array(a, float) for name, a in found.items()}).cuts()
    for first, second in zip(one.cuts, other.cuts, strict=True):
        np.testing.assert_array_equal(first.sample.score, second.sample.score)
    swapped = read(write("arrays.json", found), columns={"run": "axis1", "item": "axis0"})
    assert codes(swapped) == []
    assert [one.code for cut in swapped.cuts().cuts for one in cut.notes] == ["missing-scores"]
    assert len(swapped.tasks) == 0


def test_normalised_records_have_two_metrics_and_float_seeds(write):
    rows = [{"game": "Alien", "seed": float(seed), "HNS": seed / 10, "Max HNS": seed / 5} for seed in (1, 2)]
    path = write("CURL.json", rows)
    with pytest.raises(ScorebarsError, match=r"2 metrics: 'HNS' .*, 'Max HNS'"):
        read(path).cuts()
    scores = read(path, metric="HNS")
    assert values(scores) == {"CURL": pytest.approx(0.15)}
    assert scores.tidy()["run"].tolist() == ["1", "2"]
    with pytest.raises(ReadError, match="human-normalised already; leave --normalize out"):
        read(path, normalize="ale57")


def test_normalised_files_stand_beside_raw_ones(write, tmp_path):
    write("CURL.json", [{"game": "Pong", "seed": 1.0, "HNS": 0.5, "Max HNS": 0.6}])
    write("DER.json", {"Pong": [14.6]})
    write("table.json", {"RANDOM_SCORES": {"Pong": -20.7}, "HUMAN_SCORES": {"Pong": 14.6}})
    scores = read(tmp_path, normalize="ale57", metric="HNS")
    assert {cut.sample.model: cut.sample.score.tolist() for cut in scores.cuts().cuts} == {"CURL": [0.5], "DER": [1.0]}
    assert "holds reference scores, not those of a model" in scores.cuts().notes[0].message


@pytest.mark.parametrize(
    ("value", "options", "sentence"),
    [
        ({"Alien": [1, "x"], "Pong": [1]}, {}, r"'Alien', run 1: 'score' is text, not a number"),
        ({"Alien": [1], "Pong": []}, {}, "'Pong' is an empty list; .* \\(leave the task out if it was not run"),
        ({"Alien": [], "Pong": [1, 2]}, {}, "'Alien' is an empty list"),
        ({"DQN": {"Alien": [], "Pong": [1, 2]}}, {}, "'Alien' is an empty list"),
        ({"Alien": [1], "Pong": True}, {}, "'Pong' is a truth value; a list with one score a run"),
        ({"Alien": [1], "Pong": "3"}, {}, "'Pong' is text; a list with one score a run"),
        ({"Alien": [1], "Pong": [1e999]}, {}, "is infinite"),
        ({"A": [[[1, 2], [3, 4]]]}, {}, "holds arrays with checkpoints; save them as .npz"),
        ({"Alien": [1], "Pong": [1]}, {"columns": {"task": "key"}}, "cannot be mapped in a dictionary of runs"),
        ({"Alien": [1], "Qbert": [2], "Pongg": [1]}, {"normalize": "ale57"}, "no task 'Pongg'; did you mean 'Pong'"),
        ({"A": [[1, 2], [3]]}, {}, "rows of unequal length"),
        ({"A": [[1, 2], 3]}, {}, "unequal length|a number where"),
        ({"A": [[1, 2], [3, 4]]}, {"normalize": "ale57"}, "have no names to normalise them by"),
        ({"A": [[1, 2], [3, 4]]}, {"columns": {"run": "axis7"}}, "has 2 axes, so 'run=axis7' does not fit"),
        ({"A": [[1, 2], [3, 4]]}, {"columns": {"run": "axis0"}}, "array of 2 × 2, and axis 1 may be anything"),
        ({"A": [[1, 2], [3, 4]]}, {"columns": {"model": "axis0"}}, "cannot be mapped in an array"),
        ({"RANDOM_SCORES": {"Pong": 1}, "HUMAN_SCORES": {"Pong": 2}}, {}, "holds reference scores"),
    ],
)
def test_what_is_no_table_of_runs(write, value, options, sentence):
    with pytest.raises(ScorebarsError, match=sentence) as caught:
        read(write("a.json", value), **options).cuts()
    assert ("a.json" in str(caught.value)) != ("cannot be mapped" in sentence)


def test_one_game_in_two_spellings_is_one_task(write):
    runs = write("SPR.json", {"MsPacman": [307.3, 6951.6], "Pong": [14.6, 14.6]})
    curve = {"task": "atari_ms_pacman", "method": "dreamerv3", "seed": 0, "xs": [0, 1], "ys": [0, 6951.6]}
    curves = write("curves.json", [curve, curve | {"task": "atari_pong", "ys": [0, -20.7]}])
    scores = read([runs, curves], at="final", normalize="ale57")
    assert scores.tasks == ("MsPacman", "Pong")
    found = sb.compare(scores, "SPR", "dreamerv3", resample=sb.Resample("task"))
    assert (found.n_shared, found.value) == (2, pytest.approx(0.25))
    kept = read(write("a.json", {"Pong": [1], "ALE/Pong-v5": [2], "Alien": [3]}), normalize="ale57")
    assert kept.tasks == ("ALE/Pong-v5", "Alien", "Pong")


def test_a_game_that_is_there_twice_is_not_overwritten(tmp_path):
    path = tmp_path / "a.json"
    path.write_text('{"Alien": [1, 2], "Pong": [3], "Alien": [4, 5]}')
    with pytest.raises(ReadError, match=r"a\.json has the key 'Alien' twice in one object"):
        read(path)


def test_one_score_a_run_is_the_final_one(write):
    path = write("a.json", RAW)
    assert read(path, at="final").tidy()["score"].tolist() == read(path).tidy()["score"].tolist()
    with pytest.raises(ScorebarsError, match=r"a\.json holds one score a run .* no 'step:1e6' in it; only --at final"):
        read(path, at="step:1e6")


@pytest.mark.parametrize(
    "value",
    [
        {"A": [1, 0, 1], "B": [0, 0, 1]},
        {"model": ["A", "A"], "item": [1, 2], "score": [1, 0]},
        {"random": {"q1": 0.1, "q2": 0.2}, "human": {"q1": 1, "q2": 1}},
        {"gpt-v1": [1, 0, 1], "gpt-v2": [0, 0, 1]},
        {"fish_pictures": [1, 0, 1], "dog_pictures": [0, 0, 1]},
        {"hero": [1, 0, 1], "villain": [0, 0, 1]},
    ],
)
def test_other_dictionaries_stay_tables(write, value):
    assert read(write("a.json", value)).parts[0].reader == "table"


PUBLISHED = {
    "DER": (0.18936086395020874, 0.18315194969318593, 0.35030497562762936),
    "OTRainbow": (0.12959095869061166, 0.11671133999442326, 0.21705284786438742),
    "DrQ": (0.21197693941542933, 0.22359457462098214, 0.36912351496348683),
    "DrQ(eps)": (0.312901399063074, 0.27964692908526456, 0.4647412513971657),
    "SPR": (0.39562938291779215, 0.33664931949376936, 0.6157957428691673),
    "SimPLe": (0.13405558483729887, 0.12958780305057785, 0.3319978533732483),
    "CURL_10_evals": (0.09234861529, 0.11279172743615386, 0.26148856121438463),
}
"""Median, IQM and mean of human-normalised scores; median and mean as printed in rliable's notebook."""


@pytest.mark.shared_data
@needs_shared
def test_atari_100k():
    scores = read(ATARI, normalize="ale57", metric="HNS")
    assert len(scores.models) == 8
    counts = scores._state.rows.counts("model")
    assert counts["DER"] == counts["SPR"] == 2600
    assert (counts["SimPLe"], counts["PlayVirtual"]) == (130, 390)
    reference = json.loads((ATARI / "random_human.json").read_text())
    for path in sorted(ATARI.glob("*.json")):
        data = json.loads(path.read_text())
        if "Alien" in data:
            low, high = reference["RANDOM_SCORES"], reference["HUMAN_SCORES"]
            mean = np.mean([(np.mean(runs) - low[game]) / (high[game] - low[game]) for game, runs in data.items()])
            assert values(scores.select(model=path.stem)) == {path.stem: pytest.approx(mean, rel=1e-12)}
    for model, expected in PUBLISHED.items():
        alone = scores.select(model=model)
        found = [values(alone, each)[model] for each in (sb.Median(), sb.IQM(), sb.Mean())]
        assert found == pytest.approx(expected, rel=1e-10), model


@pytest.mark.shared_data
@needs_shared
def test_the_table_beside_the_scores_is_the_built_in_one():
    own = read(ATARI / "SPR.json", normalize=str(ATARI / "random_human.json"))
    built_in = read(ATARI / "SPR.json", normalize="ale57")
    np.testing.assert_array_equal(own.tidy()["score"], built_in.tidy()["score"])


@pytest.mark.shared_data
@needs_shared
def test_best_of_ten_evaluations():
    best = read(ATARI / "CURL_10_evals.json", metric="Max HNS")
    found = [values(best, each)["CURL_10_evals"] for each in (sb.Median(), sb.Mean())]
    assert found == pytest.approx([0.15117693067850002, 0.3226518632387308], abs=1e-12)
