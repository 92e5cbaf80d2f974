"""Rows without a known item that are grades of documents by several people: asked, not counted as so many items."""

from __future__ import annotations

import random
import shlex
from itertools import product

import numpy as np
import pytest

import scorebars as sb
from scorebars.cli.main import main
from scorebars.errors import ReadError
from scorebars.intervals.student_t import StudentT
from scorebars.readers.read import read

DOCUMENTS = [f"d{n}" for n in range(20)]
PEOPLE = ["ann", "bob", "cy"]
MODELS = ["A", "B"]


def grade(model, document, person):
    return 1 + (len(document) * 7 + int(document[1:]) * 3 + PEOPLE.index(person) * 2 + MODELS.index(model)) % 5


def everybody(_):
    return PEOPLE


def table(header, cell=str, people=everybody):
    rows = (
        f"{cell(person)},{model},{document},{grade(model, document, person)}"
        for model in MODELS
        for document in DOCUMENTS
        for person in people(document)
    )
    return "\n".join([f"{header},rating", *rows, ""])


def some(document):
    return [person for person in PEOPLE if person != PEOPLE[int(document[1:]) % 3]]


def refusal(path, text):
    path.write_text(text)
    with pytest.raises(ReadError) as caught:
        read(path)
    return str(caught.value), shlex.split(caught.value.__notes__[0].splitlines()[-1])


CASES = [
    table("annotator,system,doc"),
    table("rater_id,system,doc", lambda person: str(PEOPLE.index(person))),
    table("annotator,system,doc", people=some),  # two of the three for each document
    table("judge,model,document"),
    table("Expert,model,thing"),
    table("who,model,article"),
    table("attempt,model,story", lambda person: str(PEOPLE.index(person))),
]


@pytest.mark.parametrize("text", CASES)
def test_grades_of_one_document_are_asked_about(tmp_path, text):
    said, _ = refusal(tmp_path / "a.csv", text)
    person, _, document, _ = text.splitlines()[0].split(",")
    assert f"no column is known as the item, and each of the 20 texts of '{document}' stands in rows of several" in said
    assert f"'{document}' is the item and '{person}' the run (--map item={document},run={person})" in said


@pytest.mark.parametrize("text", CASES)
def test_what_is_proposed_first_makes_the_documents_items(tmp_path, text):
    path = tmp_path / "a.csv"
    _, command = refusal(path, text)
    columns = dict(pair.split("=") for pair in command[-1].split(","))
    rows = [line.split(",") for line in text.splitlines()[1:]]
    for one in sb.estimate(read(path, columns=columns), interval=StudentT()):
        means = [
            np.mean([int(row[3]) for row in rows if row[1] == one.model and row[2] == document])
            for document in DOCUMENTS
        ]
        assert one.answer.n_items == 20
        assert one.answer.value == pytest.approx(np.mean(means))


def test_everything_that_is_proposed_can_be_typed(tmp_path, capsys):
    path = tmp_path / "a.csv"
    said, _ = refusal(path, CASES[0])
    ways = [part.split(")")[0] for part in said.split("(--map ")[1:]]
    assert [way.partition(" ")[0] for way in ways] == [
        "item=doc,run=annotator",
        "item=doc,variant=annotator",
        "item=doc,model=system+annotator",
        "item=doc+annotator,cluster=doc",
    ]
    for way in ways:
        assert main(["estimate", str(path), "--map", *shlex.split(way), "--interval", "student-t"]) == 0
    assert "20 clusters" in capsys.readouterr().out


def test_without_a_model_column_the_annotator_is_no_model(tmp_path):
    lines = [",".join(line.split(",")[0::2]) + f",{n % 5}" for n, line in enumerate(CASES[0].splitlines()[1:61])]
    said, command = refusal(tmp_path / "a.csv", "\n".join(["annotator,doc,rating", *lines, ""]))
    assert "name them (--map item=doc,run=annotator)" in said
    assert command[-1] == "item=doc,run=annotator"


def test_wide_tables_are_asked_about_too(tmp_path):
    rows = [f"{person},{document},{grade('A', document, person)},{grade('B', document, person)}"
            for person in PEOPLE for document in DOCUMENTS]  # fmt: skip
    _, command = refusal(tmp_path / "a.csv", "\n".join(["annotator,doc,gpt,llama", *rows, ""]))
    assert main(command[1:]) == 0


def test_numbered_questions_of_a_document_are_items_of_their_own(tmp_path):
    rows = [f"{document},{number},{model},{number % 2}" for document in DOCUMENTS for number in range(1, 6)
            for model in MODELS]  # fmt: skip
    _, command = refusal(tmp_path / "a.csv", "\n".join(["doc,question_no,model,correct", *rows, ""]))
    assert command[-1] == "item=doc+question_no,cluster=doc"
    assert main(command[1:]) == 0


CLEAN = {
    "annotator,model,doc,rating": "{person},{model},{document}-{n}",
    "annotator,model,lang,rating": "{person},{model},{lang}",
    "topic,model,doc,rating": "{topic},{model},{document}",
    "prompt,model,doc,rating": "{document} {n},{model},{document}",
    "seconds,model,doc,rating": "{seconds},{model},{document}",
}


@pytest.mark.parametrize("header", CLEAN)
def test_rows_that_are_no_such_grades_are_not_asked_about(tmp_path, header):
    rng = random.Random(1)
    rows = []
    for model, document, n in product(MODELS, DOCUMENTS, range(3)):
        by_chance = {"person": rng.choice(PEOPLE), "lang": rng.choice(["de", "en"]), "topic": rng.choice("xyz")}
        row = CLEAN[header].format(model=model, document=document, n=n, seconds=rng.random(), **by_chance)
        rows.append(f"{row},{n % 2}")
    path = tmp_path / "a.csv"
    path.write_text("\n".join([header, *rows, ""]))
    assert [one.answer.n_items for one in sb.estimate(read(path), interval=StudentT())] == [60, 60]
