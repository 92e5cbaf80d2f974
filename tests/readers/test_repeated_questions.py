"""Known ids that are another in every row, beside questions that repeat: attempts do not count as items unasked."""

from __future__ import annotations

import gzip
import json
import random
import uuid
from itertools import pairwise

import pandas as pd
import pytest

import scorebars as sb
from scorebars.errors import ReadError, ScoresError
from scorebars.readers.read import read

N, TIMES = 12, 4
TEXTS = {
    "short": [f"What is {n}+{n}?" for n in range(N)],
    "long": [f"Who wrote the book with the number {n}?" for n in range(N)],
    "coded": [f"Q{n}" for n in range(N)],
    "numbers": [str(n) for n in range(N)],
}


def right(model, n, attempt):
    return (7 * n + 3 * attempt + 5 * len(model)) % 11 % 2


def drawn(seed):
    chance = random.Random(seed)
    while True:
        yield str(uuid.UUID(int=chance.getrandbits(128)))


def hashed(seed):
    chance = random.Random(seed)
    while True:
        yield f"{chance.getrandbits(160):040x}"


def of(scores, model="A"):
    return next(one for one in sb.estimate(scores) if one.model == model)


def counted(_seed):
    yield from range(10_000)


def records(ids=drawn, texts="short", models=("A", "BB"), times=TIMES, header="question", more=None):
    made, own = [], ids(1)
    for model in models:
        for attempt in range(times):
            for n, text in enumerate(TEXTS[texts]):
                beside = {name: told(n, attempt) for name, told in (more or {}).items()}
                row = {"id": next(own), "model": model, header: text, **beside}
                made.append({**row, "score": right(model, n, attempt)})
    return made


def written(path, rows):
    if path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        return path
    text = "\n".join([",".join(rows[0]), *(",".join(map(str, row.values())) for row in rows), ""])
    if path.suffix == ".gz":
        path.write_bytes(gzip.compress(text.encode()))  # which the database reads
    else:
        path.write_text(text)
    return path


@pytest.mark.parametrize("name", ["a.csv", "a.csv.gz", "a.jsonl"])
@pytest.mark.parametrize("ids", [drawn, hashed, counted])
@pytest.mark.parametrize("texts", list(TEXTS))
def test_attempts_are_asked_about_and_the_proposal_counts_questions(tmp_path, name, ids, texts):
    path = written(tmp_path / name, records(ids, texts))
    with pytest.raises(ReadError) as caught:
        read(path)
    said = str(caught.value)
    assert f"'id' is another in every row, and each of the {N} texts of 'question' stands in {TIMES} rows" in said
    assert "item with several attempts (--map item=question)" in said
    assert said.endswith("or these are different items (--map item=id)")
    assert "--map item=question" in "".join(caught.value.__notes__)
    found = of(read(path, columns={"item": "question"}))
    assert found.value == pytest.approx(sum(right("A", n, t) for n in range(N) for t in range(TIMES)) / N / TIMES)
    assert (found.n_items, found.n_runs) == (N, (TIMES, TIMES))
    assert of(read(path, columns={"item": "id"})).n_items == N * TIMES


@pytest.mark.parametrize("header", ["Prompt", "problem", "input", "question_text", "Frage"])
def test_headers_of_what_was_asked(tmp_path, header):
    with pytest.raises(ReadError, match=f"texts of '{header}' stands in 4 rows"):
        read(written(tmp_path / "a.csv", records(header=header)))
    with pytest.raises(ScoresError, match=rf"texts of '{header}' stands in 4 rows of a model.*\(item='{header}'\)"):
        sb.Scores(pd.DataFrame(records(header=header)))


@pytest.mark.parametrize("header", ["answer", "prompt_length", "num_questions", "question_type", "key", "topic"])
def test_headers_of_something_else(tmp_path, header):
    rows = records(header=header)
    assert of(read(written(tmp_path / "a.csv", rows))).n_items == N * TIMES
    assert of(sb.Scores(pd.DataFrame(rows))).n_items == N * TIMES


def test_ids_that_start_again_in_each_model_number_rows(tmp_path):
    rows = records(counted)
    for row in rows:
        row["id"] %= N * TIMES
    with pytest.raises(ReadError, match="'id' is another in every row"):
        read(written(tmp_path / "a.csv", rows))
    with pytest.raises(ScoresError, match="'id' is another in every row"):
        sb.Scores(pd.DataFrame(rows))


def test_ids_that_two_models_share_are_those_of_items(tmp_path):
    rows = records(counted)
    for row in rows:
        row["id"] = f"q{row['id'] % (N * TIMES)}"
    assert of(read(written(tmp_path / "a.csv", rows))).n_items == N * TIMES
    assert of(sb.Scores(pd.DataFrame(rows))).n_items == N * TIMES


@pytest.mark.parametrize("beside", ["passage_text", "image", "chapter", "topic"])
def test_a_question_about_several_documents_is_several_items(tmp_path, beside):
    rows = records(more={beside: lambda _, attempt: f"d{attempt}"})
    assert of(read(written(tmp_path / "a.csv", rows))).n_items == N * TIMES
    assert of(sb.Scores(pd.DataFrame(rows))).n_items == N * TIMES
    rows = records(more={beside: lambda n, _: f"d{n // 3}"})  # each question is about one
    with pytest.raises(ReadError, match="'id' is another in every row"):
        read(written(tmp_path / "a.csv", rows))
    with pytest.raises(ScoresError, match="'id' is another in every row"):
        sb.Scores(pd.DataFrame(rows))


def test_few_templates_and_categories_are_no_items(tmp_path):
    some = [row for row in records(times=40, models=("A",)) if int(row["question"].split("+")[0][8:]) < 3]
    assert of(read(written(tmp_path / "a.csv", some))).n_items == 120
    words = records(times=40, models=("A",))
    for row, word in zip(words, ["refund", "booking", "login", "address", "goodbye", "greeting"] * 80, strict=True):
        row["question"] = word
    assert of(read(written(tmp_path / "b.csv", words))).n_items == 480


def test_attempts_that_are_missing_leave_the_question(tmp_path):
    rows = records(times=10, texts="long")
    random.Random(3).shuffle(rows)
    with pytest.raises(ReadError, match=r"stands in mostly \d+ rows of a model"):
        read(written(tmp_path / "a.csv", rows[:200]))
    once = [row for n, row in enumerate(records(times=2)) if n % 24 < 18]  # half of the questions stand once
    assert of(read(written(tmp_path / "b.csv", once))).n_items == 18


def test_the_number_of_an_attempt_is_proposed_as_the_run(tmp_path):
    path = written(tmp_path / "a.csv", records(more={"sample_no": lambda _, attempt: attempt}))
    with pytest.raises(ReadError, match="--map item=question,run=sample_no"):
        read(path)
    path = written(tmp_path / "b.csv", records(more={"sample_no": lambda n, attempt: n + N * attempt}))
    with pytest.raises(ReadError, match=r"--map item=question\)"):
        read(path)


@pytest.mark.parametrize("names", [("a.csv", "b.csv"), ("a.csv.gz", "b.csv")])
@pytest.mark.parametrize("ids", [drawn, hashed])
def test_ids_drawn_anew_share_nothing_and_the_question_is_named(tmp_path, names, ids):
    paths = []
    for place, (name, model) in enumerate(zip(names, ("A", "BB"), strict=True)):
        own = ids(place)
        rows = [{**row, "id": next(own)} for row in records(ids, times=1, models=(model,))]
        paths.append(written(tmp_path / name, rows))
    for compare in (lambda: sb.compare(*map(read, paths)), lambda: sb.compare(read(paths), "A", "BB")):
        with pytest.raises(ScoresError) as caught:
            compare()
        said = str(caught.value)
        assert "'id' is another in every row, and 'question' has the same texts in 'A' and 'BB' under other ids" in said
        assert said.endswith("pair by it (--map item=question), or say that the ids are right (--map item=id)")
    found = sb.compare(*(read(path, columns={"item": "question"}) for path in paths))
    assert found.n_shared == N
    expected = sum(right("A", n, 0) - right("BB", n, 0) for n in range(N)) / N
    assert found.answer.value == pytest.approx(expected)
    alone = sb.compare(*(read(path, columns={"item": "id"}) for path in paths))
    assert "nothing-shared" in {one.code for one in alone.notes}


def test_the_same_drawn_ids_on_both_sides_are_those_of_items(tmp_path):
    rows = records(times=1, models=("A",))
    both = rows + [{**row, "model": "BB", "score": 1 - row["score"]} for row in reversed(rows)]
    assert all(one["id"] != other["id"] for one, other in pairwise(rows))
    assert sb.compare(read(written(tmp_path / "a.csv", both)), "A", "BB").n_shared == N
    assert sb.compare(sb.Scores(pd.DataFrame(both)), "A", "BB").n_shared == N
