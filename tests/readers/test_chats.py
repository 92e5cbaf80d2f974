"""Chat logs without ids: a question is the same item under all models, whatever they answer."""

from __future__ import annotations

import csv
import gzip
import json
import random

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import scorebars as sb
from scorebars.engines.duckdb import Engine
from scorebars.errors import ReadError, ScoresError
from scorebars.readers.chats import asked_in, question
from scorebars.readers.read import read

QUESTIONS = [f"What is {n} + {n}?" for n in range(40)]
TRUTH = {(model, n): (7 * n + 3 * len(model) * (n % 5)) % 11 % 2 for model in ("A", "BB") for n in range(40)}


def chat(question, answer, *, names=("role", "content"), who=("system", "user", "assistant")):
    said = ["Be brief.", question, answer]
    return [dict(zip(names, pair, strict=True)) for pair in zip(who, said, strict=True)]


def records(seeds=(1, 2), **more):
    rng = random.Random(5)
    made = []
    for model, seed in zip(("A", "BB"), seeds, strict=True):
        order = list(range(40))
        random.Random(seed).shuffle(order)
        made += [{"model": model, "messages": chat(QUESTIONS[n], f"{rng.random()}", **more), "score": TRUTH[model, n]}
                 for n in order]  # fmt: skip
    return made


def jsonl(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def array(path, rows):
    path.write_text(json.dumps(rows))


def nested(path, rows):
    path.write_text(json.dumps({"results": rows}))


def text_cells(write):
    def made(path, rows):
        with path.open("w", newline="") as stream:
            table = csv.writer(stream)
            table.writerow(["model", "messages", "score"])
            table.writerows([row["model"], write(row["messages"]), row["score"]] for row in rows)

    return made


def parquet(path, rows):
    pq.write_table(pa.Table.from_pylist(rows), path)


WAYS = [(jsonl, {}), (jsonl, {"names": ("from", "value"), "who": ("system", "human", "gpt")}), (array, {}),
        (nested, {}), (text_cells(json.dumps), {}), (text_cells(str), {}), (parquet, {})]  # fmt: skip


@pytest.mark.parametrize(("write", "more"), WAYS)
def test_other_answers_in_another_order_are_no_pairs_by_place(tmp_path, write, more):
    write(tmp_path / "a", records(**more))
    with pytest.raises(ScoresError, match=r"'messages' has the same texts in 'A' and 'BB', in another order") as caught:
        sb.compare(read(tmp_path / "a"), "A", "BB")
    assert str(caught.value).endswith("name it (--map item=messages)")


@pytest.mark.parametrize(("write", "more"), WAYS)
def test_as_the_item_they_pair_by_their_questions(tmp_path, write, more):
    write(tmp_path / "a", records(**more))
    found = sb.compare(read(tmp_path / "a", columns={"item": "messages"}), "A", "BB")
    assert found.n_shared == 40
    assert found.disagreements
    for _, item, a, b in found.disagreements:
        (n,) = (n for n, question in enumerate(QUESTIONS) if question in item)
        assert (a, b) == (TRUTH["A", n], TRUTH["BB", n])


def test_of_two_files_too(tmp_path):
    rows = records()
    jsonl(tmp_path / "a.jsonl", [{"messages": row["messages"], "grade": row["score"]} for row in rows[:40]])
    jsonl(tmp_path / "b.jsonl", [{"messages": row["messages"], "grade": row["score"]} for row in rows[40:]])
    with pytest.raises(ScoresError, match=r"name it \(--map item=messages\)"):
        sb.compare(read(tmp_path / "a.jsonl"), read(tmp_path / "b.jsonl"))
    one, other = (read(tmp_path / name, columns={"item": "messages"}) for name in ("a.jsonl", "b.jsonl"))
    assert sb.compare(one, other).n_shared == 40


def test_several_answers_to_a_question_are_attempts(tmp_path):
    jsonl(tmp_path / "a.jsonl", records(seeds=(1, 2)) + records(seeds=(3, 4)) + records(seeds=(5, 6)))
    with pytest.raises(ReadError, match=r"each of the 40 texts of 'messages' stands in 3 rows of a model"):
        read(tmp_path / "a.jsonl")


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz"])
def test_beside_ids_that_only_number_the_rows_too(tmp_path, name):
    rows = [{"id": n % 40, **row} for n, row in enumerate(records())]
    jsonl(tmp_path / "a.jsonl", rows)
    if name.endswith("gz"):  # which the database reads
        (tmp_path / name).write_bytes(gzip.compress((tmp_path / "a.jsonl").read_bytes()))
    with pytest.raises(ScoresError, match="'id' only numbers the rows, and 'messages' has the same texts"):
        sb.compare(read(tmp_path / name), "A", "BB")


@pytest.mark.parametrize("content", ['Hi, "you"', [{"type": "text", "text": "Grüße, a"}], 7, None, ""])
@pytest.mark.parametrize("names", [("role", "content"), ("from", "value")])
def test_both_ways_to_read_a_cell_agree(content, names):
    for who in (["user"], ["system", "human"], ["assistant"], ["user", "gpt", "user"]):
        cell = json.dumps([dict(zip(names, (one, content), strict=True)) for one in who])
        with Engine() as engine:
            engine.register("cells", {"cell": np.array([cell], dtype=object)})
            assert engine.query(f"SELECT {question('cell')} AS text FROM cells")["text"][0] == asked_in(cell)


def test_what_several_people_said_belongs_to_the_question(tmp_path):
    talk = [{"role": who, "content": f"{who} {n}"} for n in range(2) for who in ("user", "assistant")]
    rows = [{"messages": [*talk, {"role": "tool", "content": "no"}], "item": 1, "score": 1}]
    rows.append({"messages": [{"role": "assistant", "content": "alone"}], "item": 2, "score": 0})
    jsonl(tmp_path / "a.jsonl", rows)
    scores = read(tmp_path / "a.jsonl", columns={"item": "messages"})
    assert set(scores.cuts().item_keys[2]) == {"user 0\n\nuser 1", '[{"role":"assistant","content":"alone"}]'}
