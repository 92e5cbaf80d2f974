"""Plain tables of returns are normalised too, and their raw means are not taken in silence."""

from __future__ import annotations

import numpy as np
import pytest

from scorebars.errors import ScorebarsError
from scorebars.readers.read import read

RAW = "agent,game,seed,score\nA,Pong,1,14.6\nA,Pong,2,-20.7\nA,ms_pacman,1,6951.6\nA,ms_pacman,2,NA\n"


@pytest.fixture
def write(tmp_path):
    def write(text, name="a.csv"):
        path = tmp_path / name
        path.write_text(text)
        return path

    return write


def codes(scores):
    return [note.code for note in scores.cuts().notes]


def test_a_row_a_run(write):
    scores = read(write(RAW), normalize="ale57")
    found = scores.tidy()
    order = np.lexsort((found["run"], found["task"]))
    np.testing.assert_allclose(found["score"][order], [1, np.nan, 1, 0], atol=1e-12)
    assert scores.tasks == ("MsPacman", "Pong")
    assert scores.metrics == ("HNS",)
    assert "raw-scores" not in codes(scores)


def test_raw_returns_are_noted(write):
    scores = read(write(RAW))
    assert codes(scores)[0] == "raw-scores"
    assert "--normalize ale57" in scores.cuts().notes[0].message
    assert "raw-scores" not in codes(scores.select(task="Pong"))
    assert "raw-scores" not in codes(read(write(RAW.replace("6951.6", "0.7").replace("20.7", "0.2"))))


def test_items_of_large_scores_are_no_returns(write):
    text = "model,task,item,seed,score\nA,Pong,1,1,500\nA,Alien,2,1,20\n"
    assert "raw-scores" not in codes(read(write(text)))


def test_wide_tables_and_other_metrics(write, tmp_path):
    (tmp_path / "own.csv").write_text("task,low,high\nx,0,50\ny,10,20\n")
    wide = read(write("task,item,A,B\nx,1,25,50\ny,1,10,15\n"), normalize=str(tmp_path / "own.csv"))
    assert {cut.sample.model: cut.sample.score.tolist() for cut in wide.cuts().cuts} == {"A": [0.5, 0], "B": [1, 0.5]}
    metrics = read(write("model,game,seed,metric,score\nA,Pong,1,return,14.6\n"), normalize="ale57")
    assert metrics.metrics == ("return",)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (RAW.replace("14.6", "85%"), "the score '85%' is no number, so it cannot be normalised"),
        (RAW.replace("Pong", "Chess"), "have no task 'Chess'"),
        (RAW.replace("A,Pong,1", "A,,1"), "has rows without a task"),
        ("model,seed,score\nA,1,3\n", "has no task, so its scores cannot be normalised by 'ale57'"),
    ],
)
def test_what_cannot_be_normalised(write, text, sentence):
    with pytest.raises(ScorebarsError, match=sentence) as caught:
        read(write(text), normalize="ale57").cuts()
    assert "a.csv" in str(caught.value)


def test_a_key_that_is_no_game_is_named(tmp_path):
    path = tmp_path / "runs.json"
    path.write_text('{"Alien": [1.0, 2.0, 3.0], "Zork": [1.0, 2.0, 3.0]}')
    sentence = r"its key 'Alien' is a task of the reference scores 'ale57' and 'Zork' is none; correct the name or l"
    with pytest.raises(ScorebarsError, match=sentence):
        read(path, normalize="ale57")
    path.write_text('{"Alien": [1.0, 2.0, 3.0], "Pongg": [1.0, 2.0, 3.0]}')
    with pytest.raises(ScorebarsError, match=r"'Pongg' is none \(did you mean 'Pong'\?\); correct the name"):
        read(path, normalize="ale57")
    own = tmp_path / "own.csv"
    own.write_text("task,low,high\nAlien,0,10\nZork,1,3\n")
    path.write_text('{"Alien": [1.0, 2.0, 3.0], "Zork": [1.0, 2.0, 3.0]}')
    scores = read(path, columns={"task": "key", "run": "position"}, normalize=str(own))  # as it says
    assert scores.tidy()["score"].tolist() == pytest.approx([0.1, 0.2, 0.3, 0.0, 0.5, 1.0])
