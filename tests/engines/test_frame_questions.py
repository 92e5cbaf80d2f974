"""Frames are asked the same as files: columns without a role that say what repeated or unnamed rows are."""

from __future__ import annotations

import random
import re
from ast import literal_eval

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import scorebars as sb
from scorebars.errors import ReadError, ScoresError
from scorebars.readers.read import read

QUESTIONS = [f"Who wrote book {n}?" for n in range(24)]


def repeated(header, values, per_item=1):
    """A row for each model, item and value; its score is its place among the values (0 or 1)."""
    return [
        {"model": model, "item": f"i{item}", header: value, "score": place % 2}
        for place, value in enumerate(values)
        for model in "AB"
        for item in range(12)
        for _ in range(per_item)
    ]


def graded(rater, document, people=("ann", "bob", "cy")):
    return [
        {rater: person, "model": model, document: f"d{n}", "rating": (n + len(person)) % 5}
        for model in "AB" for n in range(15) for person in people
    ]  # fmt: skip


def prompts(times, header="prompt"):
    return [{"model": model, header: text, "score": n % 2}
            for model in "AB" for n in range(times) for text in QUESTIONS]  # fmt: skip


def ordered(*, ids=None):
    rows = []
    for model in "AB":
        order = QUESTIONS[:]
        random.Random(model).shuffle(order)
        for place, text in enumerate(order):
            known = {ids: place} if ids else {}
            rows.append({**known, "model": model, "prompt": text, "score": (len(text) + len(rows)) % 2})
    return rows


ASKED = {
    "metric": repeated("metric_name", ["em", "f1"]),
    "what": repeated("what", ["exact_match", "f1"]),
    "shots": repeated("num_fewshot", [0, 5]),
    "category": repeated("category", ["law", "math"]),
    "crossed": repeated("category", ["law", "math"], per_item=2),
    "split": repeated("split", ["dev", "test"]),
    "rater": repeated("annotator", ["ann1", "ann2"]),
    "foo": repeated("foo", ["x", "y"]),
    "graded": graded("annotator", "doc"),
    "judged": graded("judge", "article"),
    "who": graded("who", "doc"),
    "attempts": prompts(3),
    "named": prompts(2, "question_text"),
}
FRAMES = {"dict": lambda rows: {key: [row[key] for row in rows] for key in rows[0]},
          "pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.Table.from_pylist}  # fmt: skip


TYPED = re.compile(r"\((--map|--split|[a-z]+=|keep)[^()]*(\([^()]*\)[^()]*)*\)")


def plain(sentence):
    """A refusal without its file, and without what is typed in its brackets."""
    return TYPED.sub("()", sentence.partition(".csv: ")[2] or sentence)


@pytest.mark.parametrize("kind", FRAMES)
@pytest.mark.parametrize("name", ASKED)
def test_a_frame_is_refused_with_the_sentence_of_its_file(tmp_path, kind, name):
    path = tmp_path / "a.csv"
    pd.DataFrame(ASKED[name]).to_csv(path, index=False)
    with pytest.raises(ReadError) as of_file:
        read(path)
    with pytest.raises(ScoresError) as of_frame:
        sb.Scores(FRAMES[kind](ASKED[name]))
    assert plain(str(of_frame.value)) == plain(str(of_file.value))


def written(text):
    """Keywords as a sentence writes them."""
    return {role: literal_eval(value) for role, value in re.findall(r"(\w+)=('[^']*'|\([^()]*\))", text)}


@pytest.mark.parametrize("name", [name for name in ASKED if name != "split"])
def test_all_that_is_proposed_can_be_written(name):
    frame = pd.DataFrame(ASKED[name])
    with pytest.raises(ScoresError) as caught:
        sb.Scores(frame)
    ways = re.findall(r"\(((?:[a-z]+=(?:'[^']*'|\([^()]*\))(?:, )?)+)(, then \.select\((.*?)\))?\)", str(caught.value))
    assert len(ways) >= 2
    for roles, _, choice in ways:
        scores = sb.Scores(frame, **written(roles))
        if choice:
            scores = scores.select(**written(choice))
        assert len(sb.estimate(scores, interval=sb.intervals.StudentT())) >= 1


@pytest.mark.parametrize("kind", FRAMES)
def test_rows_in_two_orders_are_no_pairs(kind):
    scores = sb.Scores(FRAMES[kind](ordered()))
    assert len(sb.estimate(scores)) == 2
    with pytest.raises(ScoresError, match=r"'prompt' has the same texts in 'A' and 'B', in another order"):
        sb.compare(scores)
    with pytest.raises(ScoresError, match="in another order"):
        sb.compare(scores.relabel({"A": "new"}), "new", "B")
    assert {finding.code for finding in sb.doctor(scores).findings} >= {"rows-as-items"}
    assert sb.compare(sb.Scores(FRAMES[kind](ordered()), item="prompt")).n_shared == 24


@pytest.mark.parametrize("labels", [None, ("x", "y")])
@pytest.mark.parametrize("ids", [None, "id"])
def test_nor_are_those_of_two_frames(tmp_path, labels, ids):
    rows = [{key: value for key, value in row.items() if key != "model"} for row in ordered(ids=ids)]
    one, other = sb.Scores(pd.DataFrame(rows[:24])), sb.Scores(pd.DataFrame(rows[24:]))
    with pytest.raises(ScoresError, match="'prompt' has the same texts"):
        sb.compare(one, other, labels=labels)
    pd.DataFrame(rows[24:]).to_csv(tmp_path / "b.csv", index=False)
    with pytest.raises(ScoresError, match="'prompt' has the same texts"):
        sb.compare(one, read(tmp_path / "b.csv"))


def test_numbers_of_rows_are_kept_to_where_the_item_is_named():
    frame = pd.DataFrame(ordered(ids="id"))
    with pytest.raises(ScoresError, match="'id' only numbers the rows, and 'prompt' has the same texts in 'A' and 'B'"):
        sb.compare(sb.Scores(frame))
    assert sb.compare(sb.Scores(frame, item="id")).n_shared == 24


CLEAN = {
    "attempts": repeated("attempt", [0, 1]),
    "answers": [row | {"response": f"{n}"} for n, row in enumerate(repeated("latency", [0.25, 0.5]))],
    "chance": [row | {"foo": random.Random(n).choice("xy")} for n, row in enumerate(repeated("run", [0, 1, 2, 3]))],
    "told": [row | {"category": "law"} for row in repeated("seed", [0, 1])],
    "lists": [row | {"tags": ["x", "y"]} for row in repeated("run", [0, 1])],
    "holes": [row | {"foo": None if n % 2 else "x"} for n, row in enumerate(repeated("response", ["a", "b"]))],
}


@pytest.mark.parametrize("kind", FRAMES)
@pytest.mark.parametrize("name", CLEAN)
def test_other_frames_are_not_asked(kind, name):
    scores = sb.Scores(FRAMES[kind](CLEAN[name]))
    assert scores.listings == ()
    assert [one.answer.n_items for one in sb.estimate(scores)] == [12, 12]


def test_large_frames_are_asked_about_some_attempts():
    n = 150_000
    frame = {"model": np.array(["a"] * (2 * n), dtype=object), "item": np.tile(np.arange(n), 2),
             "shots": np.repeat([0, 5], n), "score": np.tile([0, 1], n)}  # fmt: skip
    with pytest.raises(ScoresError, match=r"'shots' \('0', '5'\) tells them apart"):
        sb.Scores(frame)


def test_a_lazy_frame_is_computed_once():
    rows = pl.DataFrame(repeated("metric_name", ["em", "f1"]))
    assert sb.Scores(rows.lazy()).models == ("A", "B")
