"""What is said of a frame names arguments, not options of the command line."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import scorebars as sb
from scorebars.engines.python_words import in_python
from scorebars.errors import ScoresError
from scorebars.readers.read import read

FRAME = pd.DataFrame({
    "model": ["a"] * 60 + ["b"] * 60,
    "item": [f"q{n}" for n in range(60)] * 2,
    "score": [float(n % 3 > 0) for n in range(60)] + [float(n % 2) for n in range(60)],
})  # fmt: skip


@pytest.mark.parametrize(
    ("option", "argument"),
    [
        ("name it with --map item=COLUMN if", "name it with item='COLUMN' if"),
        ("(--map 'item=Question Number')", "(item='Question Number')"),
        ("(--map task=COLUMN,run=COLUMN);", "(task='COLUMN', run='COLUMN');"),
        ("(--map model=size+name), or", "(model=('size', 'name')), or"),
        ("(--map file={model}/{run})", "(--map file={model}/{run})"),
        ("give it (--range LOW,HIGH), or", "give it (range=(LOW, HIGH)), or"),
        ("the range (--range -99,1.5)", "the range (range=(-99, 1.5))"),
        (
            "; choose with --on-error wrong|drop|fail",
            "; choose with with_options(on_error='wrong' or 'drop' or 'fail')",
        ),
        ("(--duplicates first)", "(with_options(duplicates='first'))"),
        ("with --run-crosses-items, else", "with with_options(run_crosses_items=True), else"),
        ("with --cluster COLUMN, or", "with cluster='COLUMN', or"),
        ("(--cluster none if unrelated)", "(leave the column of clusters out of the frame if unrelated)"),
        ("each counts: --category good=NUMBER,bad=NUMBER …)", "each counts: numbers in their place in the frame)"),
        (
            "choose one (--metric 'a b') or show each (estimate --by metric)",
            "choose one (select(metric='a b')) or show each (by='metric')",
        ),
        ("out (--model a --model 'b c'), or", "out (select(model=['a', 'b c'])), or"),
        ("pool the tasks (--pool-tasks)", "pool the tasks (pooled())"),
        ("nothing to type", "nothing to type"),
    ],
)
def test_options_become_arguments(option, argument):
    assert in_python(option) == argument


def changed(places, score):
    frame = FRAME.copy()
    frame.loc[places, "score"] = score
    return frame


FRAMES = {
    "rows-as-items": (FRAME.drop(columns="item"), "item='COLUMN'"),
    "repeats-as-runs": (pd.concat([FRAME, FRAME.assign(score=1 - FRAME["score"])]), "run='COLUMN'"),
    "stray-scores": (changed([0, 1], 2.0), "range=(0, 2)"),
    "sentinel-scores": (changed([5, 6, 7], -99.0), "range=(-99, 1)"),
    "missing-scores": (changed([3], np.nan), "with_options(on_error="),
}


@pytest.mark.parametrize(("code", "frame", "argument"), [(code, *each) for code, each in FRAMES.items()], ids=FRAMES)
def test_notes_and_findings_on_a_frame_name_arguments(code, frame, argument, tmp_path):
    scores = sb.Scores(frame)
    notes = {note.code: note.message for one in sb.estimate(scores) for note in one.notes}
    notes |= {note.code: note.message for note in scores.cuts().notes}
    notes |= {note.code: note.message for cut in scores.cuts().cuts for note in cut.notes}
    findings = {one.code: f"{one.message} {one.remedy}" for one in sb.doctor(scores).findings}

    assert argument in notes[code]
    assert argument in findings[code]
    assert not [text for text in (*notes.values(), *findings.values()) if "--" in text]

    frame.to_csv(tmp_path / "scores.csv", index=False)
    of_file = read(tmp_path / "scores.csv").cuts()  # as the command line reads it
    assert "--" in "".join(
        note.message for notes in (of_file.notes, *(cut.notes for cut in of_file.cuts)) for note in notes
    )


def test_the_remedies_work():
    stray, _ = FRAMES["stray-scores"]
    missing, _ = FRAMES["missing-scores"]
    twice = pd.concat([FRAME.assign(run=1), FRAME.iloc[:1].assign(run=1, score=1.0)])

    assert not [note for note in sb.Scores(stray, range=(0, 2)).cuts().notes if note.code == "stray-scores"]
    assert sb.estimate(sb.Scores(missing).with_options(on_error="wrong"))[0].value == 40 / 60
    with pytest.raises(ScoresError, match=r"\(with_options\(duplicates='first' or 'last'\)\).*\(run='COLUMN'\)"):
        sb.estimate(sb.Scores(twice))
    assert sb.estimate(sb.Scores(twice).with_options(duplicates="last"))[0].value == 41 / 60


def test_errors_of_a_frame_name_arguments():
    with pytest.raises(ScoresError, match=r"what each counts: numbers in their place in the frame\)$"):
        sb.Scores(FRAME.assign(score="nice"))
    with pytest.raises(ScoresError, match=r"\(score='COLUMN'\)$"):
        sb.estimate(sb.Scores(FRAME.assign(score=np.nan)))
