"""Known ids that only number the rows: two files in two orders are not paired by them."""

from __future__ import annotations

import gzip
import json
import random
import uuid

import pandas as pd
import pytest

import scorebars as sb
from scorebars.errors import ScoresError
from scorebars.readers.read import read

QUESTIONS = [f"Who wrote book {n}?" for n in range(40)]
TRUTH = {(model, n): (7 * n + 3 * len(model) * (n % 5)) % 11 % 2 for model in ("A", "BB") for n in range(40)}
EXPECTED = sum(TRUTH["A", n] - TRUTH["BB", n] for n in range(40)) / 40
DIFFERENT = sum(TRUTH["A", n] != TRUTH["BB", n] for n in range(40))


def order(seed):
    places = list(range(40))
    if seed:
        random.Random(seed).shuffle(places)
    return places


def rows(model, seed, start=0):
    return [(str(start + place), model, QUESTIONS[n], TRUTH[model, n]) for place, n in enumerate(order(seed))]


def table(path, some, header="id,model,prompt,score"):
    text = "\n".join([header, *(",".join(map(str, row)) for row in some), ""])
    if path.suffix == ".gz":
        path.write_bytes(gzip.compress(text.encode()))  # which the database reads
    else:
        path.write_text(text)
    return path


def lines(path, some, names=("id", "model", "prompt", "score")):
    path.write_text("".join(json.dumps(dict(zip(names, row, strict=True))) + "\n" for row in some))
    return path


@pytest.mark.parametrize("header", ["id", "index", "question_id", "item"])
@pytest.mark.parametrize("name", ["a.csv", "a.csv.gz"])
@pytest.mark.parametrize("start", [0, 1])
def test_two_models_of_one_file(tmp_path, header, name, start):
    path = table(tmp_path / name, rows("A", 1, start) + rows("BB", 2, start), f"{header},model,prompt,score")
    scores = read(path)
    assert len(sb.estimate(scores)) == 2  # each by itself is right
    for compare in (lambda: sb.compare(scores, "A", "BB"), lambda: sb.compare_all(scores)):
        with pytest.raises(ScoresError) as caught:
            compare()
        said = str(caught.value)
        assert f"'{header}' only numbers the rows, and 'prompt' has the same texts in 'A' and 'BB' under other" in said
        assert said.endswith(f"(--map item=prompt), or say that the numbers are right (--map item={header})")
    found = sb.compare(read(path, columns={"item": "prompt"}), "A", "BB")
    assert found.answer.value == pytest.approx(EXPECTED)
    assert len(found.disagreements) == DIFFERENT
    assert sb.compare(read(path, columns={"item": header}), "A", "BB").n_shared == 40


@pytest.mark.parametrize("names", [("a.csv", "b.csv"), ("a.csv.gz", "b.csv"), ("a.jsonl", "b.csv.gz")])
@pytest.mark.parametrize("starts", [(0, 0), (0, 1), (0, 1000), (1000, 1040)])
def test_two_files(tmp_path, names, starts):
    for name, model, seed, start in zip(names, ("A", "BB"), (0, 2), starts, strict=True):
        (lines if name.endswith("jsonl") else table)(tmp_path / name, rows(model, seed, start))
    one, other = (read(tmp_path / name) for name in names)
    with pytest.raises(ScoresError, match="'id' only numbers the rows"):
        sb.compare(one, other)
    both = read([tmp_path / name for name in names])
    with pytest.raises(ScoresError, match="'id' only numbers the rows"):
        sb.compare(both, "A", "BB")
    assert {"rows-as-items"} <= {finding.code for finding in sb.doctor(both).findings}


def test_numbers_that_go_on_over_the_models_are_seen_too(tmp_path):
    some = [(str(n), *row[1:]) for n, row in enumerate(rows("A", 1) + rows("BB", 2))]
    for name in ("a.csv", "a.csv.gz"):
        with pytest.raises(ScoresError, match=r"under other numbers \(40 of 40\)"):
            sb.compare(read(table(tmp_path / name, some)), "A", "BB")


@pytest.mark.parametrize("name", ["a.csv", "a.csv.gz"])
def test_numbers_that_agree_with_the_texts_are_right(tmp_path, name):
    scores = read(table(tmp_path / name, rows("A", 1) + rows("BB", 1)))
    assert sb.compare(scores, "A", "BB").answer.value == pytest.approx(
        sum(TRUTH["A", n] - TRUTH["BB", n] for n in range(40)) / 40
    )


@pytest.mark.parametrize("name", ["a.csv", "a.csv.gz"])
def test_ids_that_do_not_number_the_rows_are_right(tmp_path, name):
    some = [
        (str(n), model, QUESTIONS[n], TRUTH[model, n]) for model, seed in (("A", 1), ("BB", 2)) for n in order(seed)
    ]
    assert sb.compare(read(table(tmp_path / name, some)), "A", "BB").answer.value == pytest.approx(EXPECTED)


@pytest.mark.parametrize("header", ["response", "category", "latency", "note"])
@pytest.mark.parametrize("name", ["a.csv", "a.csv.gz"])
def test_answers_and_categories_say_nothing(tmp_path, header, name):
    rng = random.Random(3)
    texts = {"category": lambda: rng.choice(["x", "y"]), "latency": rng.random}
    some = [(row[0], row[1], texts.get(header, lambda: f"{rng.random()} s")(), row[3])
            for row in rows("A", 0) + rows("BB", 0)]  # fmt: skip
    scores = read(table(tmp_path / name, some, f"id,model,{header},score"))
    assert sb.compare(scores, "A", "BB").answer.value == pytest.approx(EXPECTED)


def test_a_data_frames_index_is_not_proposed_as_the_item(tmp_path):
    path = table(tmp_path / "a.csv", rows("A", 1), "Unnamed: 0,model,prompt,score")
    (note,) = (note for note in sb.estimate(read(path)).notes if note.code == "rows-as-items")
    assert note.message.endswith("if 'prompt' says which item a row is: --map item=prompt")


IDS = {
    "batch": lambda rng: f"batch_req_{rng.getrandbits(128):032x}",
    "response": lambda rng: f"resp_{rng.getrandbits(200):050x}",
    "completion": lambda rng: "chatcmpl-" + "".join(rng.choices("aB3cD4eF5", k=29)),
    "uuid": lambda rng: str(uuid.UUID(int=rng.getrandbits(128))),
}


@pytest.mark.parametrize("drawn", IDS)
@pytest.mark.parametrize("names", [("a.jsonl", "b.jsonl"), ("a.csv.gz", "b.csv")])
def test_an_id_that_was_drawn_for_each_row_beside_one_that_two_files_share(tmp_path, drawn, names):
    """As in the output of a batch, whose lines come in any order."""
    rng = random.Random(5)
    for name, model, seed in zip(names, ("A", "BB"), (1, 2), strict=True):
        some = [(IDS[drawn](rng), f"request-{n}", TRUTH[model, n]) for n in order(seed)]
        header = ("id", "custom_id", "score")
        path = tmp_path / name
        lines(path, some, header) if name.endswith("jsonl") else table(path, some, ",".join(header))
    paths = [tmp_path / name for name in names]
    remedy = "pair by it (--map item=custom_id), or say that the ids are right (--map item=id)"
    with pytest.raises(ScoresError) as caught:
        sb.compare(*map(read, paths))
    assert "'custom_id' has the same texts in" in str(caught.value)
    assert str(caught.value).endswith(remedy)
    (finding,) = (one for one in sb.doctor(read(paths)).findings if one.code == "rows-as-items")
    assert finding.remedy == remedy
    found = sb.compare(*(read(path, columns={"item": "custom_id"}) for path in paths))
    assert (found.answer.value, found.n_shared) == (pytest.approx(EXPECTED), 40)


@pytest.mark.parametrize(
    "made", ["math_{n}", "astropy__astropy-1290{n}", "question-number-{n}-of-the-set", "gsm8k-{n:030}"]
)
def test_ids_that_are_known_elsewhere_are_none_that_were_drawn(tmp_path, made):
    some = [(made.format(n=n), model, f"x{model}{n}", TRUTH[model, n]) for model in ("A", "BB") for n in order(3)]
    scores = read(table(tmp_path / "a.csv", some, "id,model,custom_id,score"))
    assert not scores.listings
    assert sb.compare(scores, "A", "BB").answer.value == pytest.approx(EXPECTED)


@pytest.mark.parametrize("made", ["q{n}", "{model}-{n:03}", "run 3, line {n}"])
@pytest.mark.parametrize("names", [("a.csv", "b.jsonl"), ("a.csv.gz", "b.csv.gz")])
def test_numbers_of_rows_behind_a_text(tmp_path, made, names):
    for name, model, seed in zip(names, ("A", "BB"), (1, 2), strict=True):
        some = [
            (made.format(model=model, n=place).replace(",", " "), model, f"{QUESTIONS[n]}", TRUTH[model, n])
            for place, n in enumerate(order(seed))
        ]
        (lines if name.endswith("jsonl") else table)(tmp_path / name, some)
    paths = [tmp_path / name for name in names]
    with pytest.raises(ScoresError, match=r"'prompt' has the same texts in 'A' and 'BB' under other ids \(.* of 40\)"):
        sb.compare(*map(read, paths))
    found = sb.compare(*(read(path, columns={"item": "prompt"}) for path in paths))
    assert found.answer.value == pytest.approx(EXPECTED)


@pytest.mark.parametrize("name", ["a.csv", "a.csv.gz"])
def test_ids_of_a_data_set_in_its_order_are_right(tmp_path, name):
    some = [(f"gsm8k_{n}", model, QUESTIONS[n], TRUTH[model, n]) for model in ("A", "BB") for n in range(40)]
    assert sb.compare(read(table(tmp_path / name, some)), "A", "BB").answer.value == pytest.approx(EXPECTED)


def test_numbers_behind_a_text_in_a_frame():
    some = [
        (f"{model}-{place}", model, QUESTIONS[n], TRUTH[model, n])
        for model, seed in (("A", 1), ("BB", 2))
        for place, n in enumerate(order(seed))
    ]
    scores = sb.Scores(pd.DataFrame(some, columns=["id", "model", "prompt", "score"]))
    with pytest.raises(ScoresError, match="'prompt' has the same texts in 'A' and 'BB' under other ids"):
        sb.compare(scores, "A", "BB")
