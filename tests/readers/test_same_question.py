"""Rows of one question with other choices, contexts or images are asked about: they are no attempts at one item.

Beside each, the case next to it in which rows of one question are attempts, and are read as such.
"""

from __future__ import annotations

import pandas as pd
import pytest

import scorebars as sb
from scorebars.errors import ReadError, ScoresError
from scorebars.readers.read import read

N, TEXTS = 80, 60
"""Items, and texts of their questions: the first twenty stand there twice."""


def table(beside, models=("a", "b"), n=N, texts=TEXTS, times=1, **kept):
    """Each model's rows; ``beside`` maps a header to what stands there in (model, item, attempt)."""
    rows = [
        {
            "model": model,
            "question": f"What is said in part {i % texts}?",
            **{name: make(model, i, attempt) for name, make in beside.items()},
            "correct": int((i + attempt) % (2 + number) == 0),
            **kept,
        }
        for number, model in enumerate(models)
        for i in range(n)
        for attempt in range(times)
    ]
    return pd.DataFrame(rows)


def own(model, i, attempt):
    """Of the item, the same for every model and attempt."""
    return f"a{i}, b{i}"


def said(model, i, attempt):
    """Of the model and the attempt."""
    return f"I, {model}, say {7 * i + attempt}"


def both(frame, tmp_path):
    """What the file and the frame say, and their reading with a mapping."""
    path = tmp_path / "t.csv"
    frame.to_csv(path, index=False)
    with pytest.raises(ReadError) as of_file:
        read(path)
    with pytest.raises(ScoresError) as of_frame:
        sb.Scores(frame)
    (proposed,) = of_file.value.__notes__
    return path, str(of_file.value), str(of_frame.value), proposed.options


def means(scores):
    return {one.model: one.value for one in sb.estimate(scores)}


def n_items(scores):
    return sb.estimate(scores)[0].answer.n_items


@pytest.mark.parametrize("header", ["choices", "options", "context", "image_path", "answer", "unheard_of"])
def test_other_choices_are_other_items(tmp_path, header):
    frame = table({header: own})
    path, sentence, of_frame, options = both(frame, tmp_path)
    assert f"rows of one 'question' have other '{header}'" in sentence
    assert f"item=('question', '{header}')" in of_frame
    assert options == {"--map": f"item=question+{header}"}
    expected = frame.groupby("model").correct.mean().to_dict()
    named = read(path, columns={"item": f"question+{header}"})
    assert n_items(named) == N
    assert means(named) == pytest.approx(expected)
    assert means(sb.Scores(frame, item=("question", header))) == pytest.approx(expected)
    pooled = frame.groupby(["model", "question"]).correct.mean().groupby("model").mean().to_dict()
    assert means(read(path, columns={"item": "question"})) == pytest.approx(pooled)
    assert means(sb.Scores(frame, item="question")) == pytest.approx(pooled)


def test_choices_in_columns_go_together(tmp_path):
    frame = table(dict.fromkeys("ABCD", own))
    path, _, _, options = both(frame, tmp_path)
    assert options == {"--map": "item=question+A+B+C+D"}
    assert n_items(read(path, columns={"item": "question+A+B+C+D"})) == N


def test_few_templates_of_questions_about_many_images(tmp_path):
    _, _, _, options = both(table({"image": own}, texts=3, n=78), tmp_path)
    assert options == {"--map": "item=question+image"}


@pytest.mark.parametrize(
    "frame",
    [
        table({"choices": own}, texts=N),
        table({"response": said, "choices": own}, texts=N, times=3),
        table({"choices": said}, texts=N, times=3),
        table({"response": own}, models=("a",)),
        table({"note": lambda _, i, attempt: f"x{attempt}{i}"}, texts=N, times=3),
        table({"note": said}),
    ],
    ids=["no repeats", "one list of choices", "shuffled for each model", "a response", "evenly", "other in each model"],
)
def test_attempts_at_one_question_are_read(tmp_path, frame):
    path = tmp_path / "t.csv"
    frame.to_csv(path, index=False)
    expected = frame.groupby(["model", "question"]).correct.mean().groupby("model").mean().to_dict()
    assert means(read(path)) == pytest.approx(expected)
    assert means(sb.Scores(frame)) == pytest.approx(expected)


def test_questions_within_a_cluster_are_items_already(tmp_path):
    path = tmp_path / "t.csv"
    table({"passage": own}).to_csv(path, index=False)
    assert n_items(read(path)) == N


def test_an_id_or_a_run_says_what_rows_are(tmp_path):
    path = tmp_path / "t.csv"
    table({"question_id": lambda _model, i, _attempt: i, "choices": own}).to_csv(path, index=False)
    assert n_items(read(path)) == N
    table({"choices": own, "attempt": lambda _model, i, _attempt: i // TEXTS}).to_csv(path, index=False)
    assert n_items(read(path)) == TEXTS
