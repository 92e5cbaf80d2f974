"""Battles: a row for each side, the opponent as the variant; Arena-Hard's two games."""

from __future__ import annotations

import json

import pytest
from tests.readers.real import means

from scorebars.errors import ReadError, ScoresError
from scorebars.readers.read import read

BATTLES = [
    {"question_id": 1, "model_a": "A", "model_b": "B", "winner": "model_a", "judge": "u1"},
    {"question_id": 2, "model_a": "B", "model_b": "A", "winner": "model_a", "judge": "u1"},
    {"question_id": 3, "model_a": "A", "model_b": "C", "winner": "tie (bothbad)", "judge": "u2"},
    {"question_id": 4, "model_a": "A", "model_b": "B", "winner": "tie", "judge": "u3"},
    {"question_id": 5, "model_a": "A", "model_b": "B", "winner": None, "judge": "u3"},
]


def write(folder, battles=BATTLES, name="battles.json"):
    path = folder / name
    path.write_text(json.dumps(battles))
    return path


def test_each_battle_is_an_attempt_of_both_sides(tmp_path):
    scores = read(write(tmp_path))
    assert scores.variants == ("vs A", "vs B", "vs C")
    assert means(scores.select(variant="vs A")) == {"B": (3, 0.5), "C": (1, 0.5)}
    assert means(scores.select(variant="vs B")) == {"A": (3, 0.5)}
    with pytest.raises(ScoresError, match="vs A"):  # a baseline must be chosen
        scores.cuts()


def test_judges_are_clusters_on_request(tmp_path):
    (cut,) = read(write(tmp_path), cluster="judge", variant="vs B").cuts().cuts
    assert len(set(cut.sample.cluster.tolist())) == 2  # the battle of u3 with a score, and u1's two


def test_without_ids_battles_are_numbered(tmp_path):
    path = write(tmp_path, [{key: one[key] for key in ("model_a", "model_b", "winner")} for one in BATTLES])
    assert list(read(path)._state.rows.counts("item")) == ["1", "2", "3", "4", "5"]


@pytest.mark.parametrize("first", [{"question_id": None}, {}])
def test_battles_of_which_some_have_no_id_are_refused(tmp_path, first):
    without = {key: value for key, value in BATTLES[1].items() if key != "question_id"} | first
    with pytest.raises(ReadError, match="record 2: its 'question_id' is null or missing, and the battles before it"):
        read(write(tmp_path, [BATTLES[0], without]))
    with pytest.raises(ReadError, match="record 2 has a 'question_id', and the first battle has none"):
        read(write(tmp_path, [without, BATTLES[0]]))


def test_judges_that_are_not_used_are_said_until_they_are(tmp_path):
    path = write(tmp_path)
    (said,) = read(path).parts[0].notes
    assert said.message.startswith("the battles have 3 different values of 'judge', which is not used")
    assert said.message.endswith("--cluster judge (--cluster none if they are unrelated)")
    for cluster in ("judge", "none"):
        assert read(path, cluster=cluster).parts[0].notes == ()
    for change in ({"judge": "u"}, {"judge": None}):  # one judge, or one who is not known: no clusters
        assert read(write(tmp_path, [BATTLES[0], BATTLES[1] | change])).parts[0].notes == ()
    users = [{key: one[key] for key in ("model_a", "model_b", "winner")} | {"user_id": "u"} for one in BATTLES]
    users[0]["user_id"] = 7
    (said,) = read(write(tmp_path, users)).parts[0].notes
    assert "2 different values of 'user_id'" in said.message


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"winner": "A"}, "record 1: the winner 'A' is none of model_a, model_b, tie"),
        ({"model_b": "A"}, "'A' meets itself"),
        ({"model_a": None}, "'model_a' is null"),
        ({"winner": 1}, "the winner '1' is none of"),
    ],
)
def test_what_is_no_battle_is_refused(tmp_path, change, sentence):
    with pytest.raises(ReadError, match=sentence):
        read(write(tmp_path, [BATTLES[0] | change]))


def judgments(folder, *lines):
    path = folder / "mine.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def test_arena_hards_games_are_seen_from_the_model(tmp_path):
    first = {"question_id": "q1", "model": "m", "judge": "j", "games": [{"score": "B>>A"}, {"score": "A>B"}]}
    second = {"question_id": "q2", "model": "m", "judge": "j", "games": [{"score": "A>B"}, {"score": "A=B"}]}
    third = {"question_id": "q3", "model": "m", "judge": "j", "games": [{"score": None}, None]}
    (cut,) = read(judgments(tmp_path, first, second, third)).with_options(on_error="wrong").cuts().cuts
    assert cut.sample.score.tolist() == [1, 1, 0, 0.5, 0, 0]


def test_arena_hard_of_version_two(tmp_path):
    line = {"uid": "u", "category": "hard_prompt", "judge": "j", "model": "m", "baseline": "o3", "games": []}
    games = [{"score": "B>A", "judgment": {}, "prompt": []}, {"score": "A>B", "judgment": {}, "prompt": []}]
    scores = read(judgments(tmp_path, line | {"games": games}))
    assert (scores.tasks, scores.variants, scores.models) == (("hard_prompt",), ("vs o3, by j",), ("m",))


@pytest.mark.parametrize("games", ["A>B", [{"score": "A"}], [["A>B"]], [{"score": 1}]])
def test_what_is_no_game_is_refused(tmp_path, games):
    with pytest.raises(ReadError, match="line 1"):
        read(judgments(tmp_path, {"question_id": "q", "model": "m", "games": games}))
