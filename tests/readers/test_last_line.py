"""A number at the end of a file that has no last line break: cut short, odd, or whole."""

from __future__ import annotations

import pytest

import scorebars as sb
from scorebars.errors import ReadError
from scorebars.readers.read import read

ROWS = "".join(f"A,q{place},0.{place:02d}\n" for place in range(11, 41))
HEADER = "model,item,score\n"


def codes(scores):
    return [note.code for part in scores.parts for note in part.notes]


def file_of(folder, text, name="a.csv"):
    path = folder / name
    path.write_bytes(text.encode())
    return path


def padded(text, large):
    """The same table as one that the database reads: with line ends that small tables do not have."""
    return text.replace("\n", "\r\n") if large else text


@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize("number", ["0.", "1e-", "1.5e", "-", "."])
def test_a_number_that_is_not_whole_is_refused(tmp_path, large, number):
    path = file_of(tmp_path, padded(HEADER + ROWS + f"A,q50,{number}", large))
    with pytest.raises(ReadError, match=r"ends with '.*' and has no line break: it was cut short"):
        read(path)


@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize("number", ["0.6", "0", "1"])
def test_a_number_of_fewer_decimals_than_all_others_is_said(tmp_path, large, number):
    path = file_of(tmp_path, padded(HEADER + ROWS + f"A,q50,{number}", large))
    scores = read(path)
    assert codes(scores) == ["cut-number"]
    sentence = scores.parts[0].notes[0].message
    assert f"ends with {number}, where the 30 numbers above it have 2 decimals" in sentence
    value = (sum(place / 100 for place in range(11, 41)) + float(number)) / 31
    assert sb.estimate(scores)[0].value == pytest.approx(value, abs=1e-12)


def test_ten_numbers_are_enough(tmp_path):
    rows = "".join(f"A,q{place},{place}.25\n" for place in range(10))
    assert codes(read(file_of(tmp_path, HEADER + rows + "A,q10,4"))) == ["cut-number"]


@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize(
    "text",
    [
        HEADER + ROWS + "A,q50,0.61",
        HEADER + ROWS + "A,q50,0.6\n",
        HEADER + ROWS + "A,q50,0.\n",
        HEADER + "".join(f"A,q{place},{place % 2}\n" for place in range(30)) + "A,q50,1",
        HEADER + "".join(f"A,q{place},{place / 4}\n" for place in range(30)) + "A,q50,1",
        "model,score,item\n" + "".join(f"A,0.{place:02d},q{place}\n" for place in range(11, 41)) + "A,0.6,q50",
        HEADER + "A,q1,0.25\nA,q2,0.75\nA,q3,0.5",
    ],
)
def test_a_whole_table_without_a_last_line_break_is_read_without_a_word(tmp_path, large, text):
    assert "cut-number" not in codes(read(file_of(tmp_path, padded(text, large))))


def test_a_list_of_scores(tmp_path):
    lines = "".join(f"{place}.5\n" for place in range(30))
    assert codes(read(file_of(tmp_path, lines + "16", "a.txt"))) == ["cut-number"]
    assert codes(read(file_of(tmp_path, lines + "16.2", "a.txt"))) == []
    with pytest.raises(ReadError, match=r"line 31 is '16\.', not a score"):
        read(file_of(tmp_path, lines + "16.", "a.txt"))


def test_the_last_line_of_a_training_log_is_left_out(tmp_path):
    text = "epoch,loss,val_accuracy\n" + "".join(f"{epoch},{1 / (epoch + 1)},0.{epoch + 50}\n" for epoch in range(9))
    path = file_of(tmp_path, text + "9,0.1,0.")
    scores = read(path, metric="val_accuracy", at="final")
    assert codes(scores) == ["left-out"]
    assert sb.estimate(scores)[0].value == pytest.approx(0.58)
    assert codes(read(file_of(tmp_path, text), metric="val_accuracy", at="final")) == []


def test_the_last_line_of_a_history_of_wandb_is_left_out(tmp_path):
    text = "_step,_runtime,eval/return\n" + "".join(f"{step},{step}.5,{step}.25\n" for step in range(9))
    scores = read(file_of(tmp_path, text + "9,9.5,2"), metric="eval/return", at="final")
    assert codes(scores) == ["left-out"]
    assert sb.estimate(scores)[0].value == pytest.approx(8.25)


def test_the_last_line_of_mqm_scores_is_left_out(tmp_path):
    text = "system mqm_avg_score seg_id\n" + "".join(f"A\t-0.5 {seg}\n" for seg in range(1, 13))
    scores = read(file_of(tmp_path, text + "A\t-3.0 1", "mqm.avg_seg_scores.tsv"))
    assert codes(scores) == ["left-out"]
    estimate = sb.estimate(scores)[0]
    assert (estimate.value, estimate.n_items, estimate.n_runs) == (-0.5, 12, (1, 1))
