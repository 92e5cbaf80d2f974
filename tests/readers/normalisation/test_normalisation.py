"""Reference scores: the built-in tables against what others print, names across spellings, tables of one's own."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from scorebars.contracts import Part, ReadOptions
from scorebars.errors import ArgumentError, ReadError
from scorebars.readers.normalisation import ale57, on_one_scale, procgen, reference, suite_of
from scorebars.readers.normalisation.names import key

SHARED = Path(__file__).parents[4] / "shared" / "data"
AGENT57 = {
    "Berzerk": (2630, 124), "Bowling": (161, 23), "DemonAttack": (1971, 152), "Enduro": (861, 0),
    "FishingDerby": (-39, -92), "Frostbite": (4335, 65), "Gravitar": (3351, 173), "Kangaroo": (3035, 52),
    "NameThisGame": (8049, 2292), "Phoenix": (7243, 761), "Qbert": (13455, 164), "Seaquest": (42055, 68),
    "SpaceInvaders": (1669, 148), "StarGunner": (10250, 664), "TimePilot": (5229, 3568),
}  # fmt: skip
"""(human, random), rounded, of the Agent57 paper, as reprinted in Table 3 of doi:10.1007/s10458-021-09497-8."""


def part(tasks, scores, **others):
    rows = {"model": np.array(["m"] * len(tasks), object), "task": np.array(tasks, object)}
    return Part(Path("a.json"), "rl-runs", rows | {"score": np.array(scores, float), **others})


@pytest.mark.shared_data
@pytest.mark.skipif(not SHARED.is_dir(), reason="../shared/data is not here")
def test_the_26_games_of_atari_100k():
    theirs = json.loads((SHARED / "atari_100k" / "random_human.json").read_text())
    for game, human in theirs["HUMAN_SCORES"].items():
        assert ale57.GAMES[game] == (theirs["RANDOM_SCORES"][game], human)


def test_the_games_that_another_paper_prints():
    for game, (human, random) in AGENT57.items():
        low, high = ale57.GAMES[game]
        assert abs(high - human) <= 0.5
        assert abs(low - random) <= 0.5


def test_the_tables_are_whole():
    assert len(ale57.GAMES) == 57
    assert len({key(game) for game in ale57.GAMES}) == 57
    assert procgen.EASY.keys() == procgen.HARD.keys()
    assert len(procgen.EASY) == 16
    assert all(low < high for table in (ale57.GAMES, procgen.EASY, procgen.HARD) for low, high in table.values())


@pytest.mark.parametrize(
    ("name", "spellings"),
    [
        ("MsPacman", "ms_pacman mspacman Ms.Pac-Man ALE/MsPacman-v5 MsPacmanNoFrameskip-v4 atari_ms_pacman"),
        ("Qbert", "q*bert atari-qbert QbertDeterministic-v0"),
        ("MontezumaRevenge", "montezuma_revenge Montezuma'sRevenge"),
        ("UpNDown", "up_n_down UpAndDown Up-n-Down"),
        ("Hero", "H.E.R.O. hero"),
    ],
)
def test_one_game_in_many_spellings(name, spellings):
    table = reference("ale57")
    for spelling in spellings.split():
        assert table.of(spelling) == ale57.GAMES[name]


@pytest.mark.parametrize(
    ("tasks", "suite"),
    [
        (["atari_pong", "Alien"], "ale57"),
        (["procgen:procgen-bigfish-v0", "coinrun"], "procgen"),
        (["dmc_walker_walk", "cup_catch", "ball_in_cup_catch"], "dmc"),
        (["HalfCheetah-v4", "Hopper-v4"], "gym"),
        (["pong", "walker_walk"], ""),
        (["dmc_dog_jump", "dm_control/fish_hide"], "dmc"),
        (["dog_jump", "fish_hide"], ""),
        (["gpt-v1", "gpt-v2"], ""),
        (["arc", "mmlu"], ""),
        ([], ""),
    ],
)
def test_the_benchmark_of_tasks(tasks, suite):
    assert suite_of(tasks) == suite


def test_human_normalised_scores_have_that_metric():
    found = on_one_scale(part(["atari_pong", "Alien"], [14.6, 227.8]), ReadOptions(normalize="ale57"))
    np.testing.assert_allclose(found.rows["score"], [1, 0], atol=1e-12)
    assert found.rows["metric"].tolist() == ["HNS", "HNS"]
    assert dict(found.mapping)["normalised"].startswith("(score - low) / (high - low) by 'ale57'")


def test_the_game_on_which_tables_differ_is_noted():
    found = on_one_scale(part(["video_pinball"], [17667.9]), ReadOptions(normalize="ale57"))
    assert [note.code for note in found.notes] == ["reference-scores"]
    assert not on_one_scale(part(["pong"], [1]), ReadOptions(normalize="ale57")).notes


def test_procgen_has_two_difficulties():
    with pytest.raises(ArgumentError, match="procgen-easy or procgen-hard"):
        reference("procgen")
    easy, hard = (
        on_one_scale(part(["procgen_starpilot"], [35.0]), ReadOptions(normalize=f"procgen-{mode}")).rows["score"][0]
        for mode in ("easy", "hard")
    )
    assert (easy, hard) == (pytest.approx(32.5 / 61.5), 1.0)


def test_control_returns_have_a_range():
    raw = on_one_scale(part(["walker_walk"], [900.0]), ReadOptions())
    assert (raw.score_range, raw.own_scales) == ((0, 1000), "")
    found = on_one_scale(part(["dmc_walker_walk"], [900.0]), ReadOptions(normalize="dmc"))
    assert (found.rows["score"][0], found.score_range) == (0.9, (0, 1))
    with pytest.raises(ReadError, match=r"has the score 1200, but returns .* between 0 and 1,000"):
        on_one_scale(part(["walker_walk"], [1200.0]), ReadOptions(normalize="dmc"))


@pytest.mark.parametrize(
    ("tasks", "scores", "remedy"),
    [
        (["Alien", "Pong"], [700.0, -20], "--normalize ale57"),
        (["Alien", "Pong"], [0.3, 1.2], ""),
        (["coinrun", "starpilot"], [8.0, 20.0], "--normalize procgen-easy or procgen-hard"),
        (["coinrun", "starpilot"], [0.8, 0.2], ""),
        (["Hopper-v4", "Reacher-v4"], [3000.0, -5.0], "--normalize FILE"),
    ],
)
def test_raw_scores_are_told_from_normalised_ones(tasks, scores, remedy):
    found = on_one_scale(part(tasks, scores), ReadOptions())
    assert found.own_scales == (f"bring them to one scale ({remedy})" if remedy else "")


CSV = "game,random,human\nPong,-20,20\n"
SHAPES = [
    {"Pong": [-20, 20]},
    {"Pong": {"low": -20, "high": 20}},
    [{"task": "Pong", "min": -20, "max": 20}],
    {"RANDOM_SCORES": {"Pong": -20}, "HUMAN_SCORES": {"Pong": 20}},
]


@pytest.mark.parametrize("text", [CSV, *map(json.dumps, SHAPES)])
def test_a_table_of_ones_own(tmp_path, text):
    path = tmp_path / "reference.txt"
    path.write_text(text)
    assert reference(str(path)).of("ALE/Pong-v5") == (-20, 20)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "is empty"),
        ("task,low\nPong,1\n", "one of high, human, max, upper is needed, and there is none"),
        ("task,low,high\nPong,1,1\n", "'Pong' are 1 and 1; two different numbers"),
        ("task,low,high\nPong,a,1\n", "line 2 has no task with a low and a high number"),
        ("task,low,high\n", "holds no reference score"),
        ("task,low,high\nPong,1,2\nPong,1,3\n", "line 3 gives 'Pong' other scores than a line before"),
        ('{"Pong": [1, 2], "Pong": [1, 3]}', "the key 'Pong' twice"),
        (
            '{"Ms. Pac-Man": [1, 2], "ms_pacman": [1, 3]}',
            "has 'Ms. Pac-Man' and 'ms_pacman', two spellings of one task",
        ),
        ('{"Pong": 3}', "'Pong' is a number; its low and high score"),
        ('{"Pong": [1, null]}', "'Pong' is a list"),
        ('{"Pong": [1, 1e999]}', "infinite"),
        ('{"random": {"Pong": 1}, "human": {"Alien": 1}}', "has only one of its low and high score"),
        ("[1]", "record 1 is a number"),
    ],
)
def test_a_file_that_is_no_table(tmp_path, text, sentence):
    path = tmp_path / "reference.csv"
    path.write_text(text)
    with pytest.raises(ReadError, match=sentence):
        reference(str(path))


def test_unknown_names_and_tasks():
    with pytest.raises(ArgumentError, match="did you mean 'ale57'"):
        reference("ale-57")
    with pytest.raises(ReadError, match="no task 'atari_pongg'; did you mean 'Pong'"):
        reference("ale57").of("atari_pongg")
    with pytest.raises(ReadError, match=r"a\.json: .* have no task 'Chess'"):
        on_one_scale(part(["Chess"], [1]), ReadOptions(normalize="ale57"))
