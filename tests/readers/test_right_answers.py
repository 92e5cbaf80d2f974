"""A score called 'correct' that may be the right answer: what was predicted holds the same words beside it."""

from __future__ import annotations

import gzip
import json

import pandas as pd
import pytest

import scorebars as sb
from scorebars.errors import ReadError, ScoresError
from scorebars.readers.read import read

GOLD = [(n * 7 + 3) % 5 % 2 for n in range(30)]
SAID = [(n * 5 + 1) % 7 % 2 for n in range(30)]
EQUAL = sum(gold == said for gold, said in zip(GOLD, SAID, strict=True)) / 30
SHARE = sum(GOLD) / 30


def records(words, header="predicted", said_words=None, **more):
    own = said_words or words
    return [
        {"question": f"q{n}", "correct": words[GOLD[n]], header: own[SAID[n]], **more} for n in range(30)
    ]  # fmt: skip


def written(path, rows):
    if path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        return path
    text = "\n".join([",".join(rows[0]), *(",".join(map(str, row.values())) for row in rows), ""])
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return path


def query(error):
    (proposal,) = error.__notes__
    return proposal.partition("--sql '")[2].rstrip("'")


@pytest.mark.parametrize("name", ["a.csv", "a.csv.gz", "a.jsonl"])
@pytest.mark.parametrize("header", ["predicted", "model_answer", "Prediction", "response", "answer"])
@pytest.mark.parametrize(
    ("words", "said_words"),
    [(("False", "True"), None), (("no", "yes"), None), ((0, 1), None), (("No", "Yes"), ("no", "yes")),
     ((False, True), None), (("A", "B"), None)],
)  # fmt: skip
def test_the_query_that_is_proposed_counts_what_is_equal(tmp_path, name, header, words, said_words):
    path = written(tmp_path / name, records(words, header, said_words))
    with pytest.raises(ReadError) as caught:
        read(path)
    said = str(caught.value)
    assert f"'correct' and '{header}' hold the same words (" in said
    assert said.endswith("or says whether that was right (--map score=correct)")
    assert sb.estimate(read(path, sql=query(caught.value)))[0].value == pytest.approx(EQUAL)
    if words[0] != "A":
        assert sb.estimate(read(path, columns={"score": "correct"}))[0].value == pytest.approx(SHARE)


@pytest.mark.parametrize("more", [{"gold": "no"}, {"label": "1"}, {"reference": "x"}])
def test_right_answers_of_their_own_say_that_it_is_a_score(tmp_path, more):
    rows = records(("no", "yes"), **more)
    assert sb.estimate(read(written(tmp_path / "a.csv", rows)))[0].value == pytest.approx(SHARE)
    assert sb.estimate(sb.Scores(pd.DataFrame(records((0, 1), **more))))[0].value == pytest.approx(SHARE)


@pytest.mark.parametrize(
    ("header", "said_words"), [("predicted", ("A", "B")), ("passed_before", ("no", "yes")), ("predicted", ("no", "no"))]
)
def test_other_words_and_other_headers_are_no_answers(tmp_path, header, said_words):
    rows = records(("no", "yes"), header, said_words)
    assert sb.estimate(read(written(tmp_path / "a.csv", rows)))[0].value == pytest.approx(SHARE)


def test_another_header_of_a_score_is_one(tmp_path):
    rows = [{"question": row["question"], "is_correct": row["correct"], "predicted": row["predicted"]}
            for row in records(("no", "yes"))]  # fmt: skip
    assert sb.estimate(read(written(tmp_path / "a.csv", rows)))[0].value == pytest.approx(SHARE)


@pytest.mark.parametrize("words", [(False, True), (0, 1)])
def test_frames_are_asked_the_same(words):
    frame = pd.DataFrame(records(words))
    with pytest.raises(ScoresError, match=r"'correct' and 'predicted' hold the same words .* \(score='correct'\)"):
        sb.Scores(frame)
    assert sb.estimate(sb.Scores(frame, score="correct"))[0].value == pytest.approx(SHARE)
    frame["equal"] = (frame["correct"] == frame["predicted"]).astype(int)
    assert sb.estimate(sb.Scores(frame, score="equal"))[0].value == pytest.approx(EQUAL)
