"""JSON as people write it: records under keys, lists of runs, objects of models; what is unclear is refused."""

from __future__ import annotations

import gzip
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.readers.real import means
from tests.readers.test_table import read, rows, write

from scorebars.engines.duckdb import Engine
from scorebars.errors import ArgumentError, ReadError, ScoresError
from scorebars.readers.read import read as read_all


@pytest.fixture(scope="module")
def engine():
    with Engine() as made:
        yield made


def record(correct, **more):
    return {"correct": correct, **more}


# One list a model; records far down.


@pytest.mark.parametrize(
    ("beside", "model"),
    [
        ({"metadata": {"model": "gpt", "n": 3}}, "gpt"),
        ({"config": {"model_name": "gpt"}, "model": "other"}, "other"),
        ({"judge": {"model": "gpt"}}, "a"),
        ({"metadata": {"model": "gpt"}, "config": {"model": "other"}}, "a"),
        ({"metadata": {"model": {"id": "gpt"}}}, "a"),
    ],
)
def test_settings_beside_the_records_name_the_model(tmp_path, engine, beside, model):
    path = write(tmp_path, json.dumps(beside | {"results": [{"id": 1, "correct": True}]}), "a.json")
    assert rows(path, engine, roles=("model", "item", "score")) == [(model, "1", "true")]


def test_one_list_of_records_a_model(tmp_path, engine):
    value = {"gpt": [{"id": 1, "score": 1}], "claude": [{"id": 1, "score": 0}, {"id": 2, "score": 1}], "when": "now"}
    path = write(tmp_path, json.dumps(value), "a.json")
    assert rows(path, engine, roles=("model", "item", "score")) == [
        ("gpt", "1", "1"),
        ("claude", "1", "0"),
        ("claude", "2", "1"),
    ]
    assert read(path, engine)[1]["left out"] == "'when' beside the lists"


@pytest.mark.parametrize("ends", ["\n", ","])
def test_records_that_name_a_model_and_hold_its_records(tmp_path, engine, ends):
    value = [
        {"model": "gpt", "seed": 3, "accuracy": 0.5, "results": [{"id": 1, "score": 1}, {"id": 2, "score": 0}]},
        {"model": "claude", "seed": 4, "config": {}, "results": [{"id": 1, "score": 0.25}]},
    ]
    text = ends.join(map(json.dumps, value))
    path = write(tmp_path, f"[{text}]" if ends == "," else text, "a.json" if ends == "," else "a.jsonl")
    assert rows(path, engine, roles=("model", "item", "run", "score")) == [
        ("gpt", "1", "3", "1"),
        ("gpt", "2", "3", "0"),
        ("claude", "1", "4", "0.25"),
    ]
    assert read(path, engine)[1]["left out"] == "'accuracy', 'config' beside the lists"


def test_records_that_hold_no_records_are_named(tmp_path):
    value = [{"model": "gpt", "results": [{"id": 1, "score": 1}]}, {"model": "claude", "results": []}]
    path = write(tmp_path, json.dumps(value), "a.json")
    with pytest.raises(ReadError, match="record 2 has no list of records under 'results', as record 1 has"):
        read_all(path)


def test_an_item_that_holds_its_attempts_is_no_model(tmp_path, engine):
    value = [{"model": "gpt", "id": i, "score": 1, "calls": [{"id": 1, "score": 0}]} for i in range(2)]
    path = write(tmp_path, json.dumps(value), "a.json")
    assert rows(path, engine, roles=("model", "item", "score")) == [("gpt", "0", "1"), ("gpt", "1", "1")]
    unnamed = [{name: cell for name, cell in each.items() if name != "id"} for each in value]
    path = write(tmp_path, json.dumps(unnamed), "b.json")
    assert rows(path, engine, roles=("model", "item", "score")) == [("gpt", "1", "1"), ("gpt", "2", "1")]


def test_a_list_of_records_whose_scores_stand_in_an_object_is_read_at_any_depth(tmp_path, engine):
    samples = [{"id": i, "scores": {"f1": i / 4, "em": i % 2}} for i in range(3)]
    whole = {"model": "gpt", "details": {"n": 3, "samples": samples}}
    path = write(tmp_path, json.dumps(whole), "a.json")
    assert rows(path, engine, roles=("model", "item", "metric", "score"))[:3] == [
        ("gpt", "0", "f1", "0.0"),
        ("gpt", "0", "em", "0"),
        ("gpt", "1", "f1", "0.25"),
    ]
    path = write(tmp_path, json.dumps(whole | {"more": {"samples": samples}}), "b.json")
    with pytest.raises(ReadError, match=r"several lists of records \('details.samples', 'more.samples'\)"):
        read_all(path)


@pytest.mark.parametrize("cell", [1, {"score": 1}])
def test_numbered_keys_around_names_are_asked_about(tmp_path, cell):
    value = {f"q{i}": {"gpt": cell, "claude": cell} for i in range(12)}
    path = write(tmp_path, json.dumps(value), "a.json")
    with pytest.raises(ReadError, match=r"12 keys \('q0', 'q1', 'q2', …\) are numbered as items are") as caught:
        read_all(path)
    assert "--map model=inner_key,item=key" in caught.value.__notes__[0]
    assert read_all(path, columns={"model": "inner_key", "item": "key"}).models == ("claude", "gpt")
    assert len(read_all(path, columns={"model": "key", "item": "inner_key"}).models) == 12


def numbered(stem, n, models=("gpt", "claude")):
    return {f"{stem}{i}": {model: int((i + place) % 3 > 0) for place, model in enumerate(models)} for i in range(n)}


@pytest.mark.parametrize("stem", ["q", "Question ", "item_", ""])
def test_many_numbered_keys_of_items_around_few_names_are_items(tmp_path, stem):
    path = write(tmp_path, json.dumps(numbered(stem, 30)), "a.json")
    scores = read_all(path)
    assert scores.models == ("claude", "gpt")
    expected = {"gpt": sum(i % 3 > 0 for i in range(30)), "claude": sum((i + 1) % 3 > 0 for i in range(30))}
    tidy = scores.tidy()
    assert {
        m: sum(s for x, s in zip(tidy["model"], tidy["score"], strict=True) if x == m) for m in expected
    } == expected
    assert "keys-crossed" not in {note.code for note in scores.cuts().notes}


@pytest.mark.parametrize(
    "value",
    [
        numbered("q", 19),
        numbered("q", 30, tuple("abcdefg")),
        numbered("checkpoint-", 30),
        numbered("m", 30),
    ],
)
def test_numbered_keys_that_may_be_models_or_are_few_are_asked_about(tmp_path, value):
    with pytest.raises(ReadError, match="numbered as items are, and those inside"):
        read_all(write(tmp_path, json.dumps(value), "a.json"))


@pytest.mark.parametrize(("stem", "n", "cell"), [
    ("q", 5, lambda i: i % 2),
    ("Question ", 6, lambda i: i / 10),
    ("", 7, lambda i: i % 2 == 0),
    ("HumanEval/", 20, lambda i: i % 3 > 0),
])  # fmt: skip
def test_numbered_keys_of_single_scores_are_items_of_one_model(tmp_path, stem, n, cell):
    value = {f"{stem}{i}": cell(i) for i in range(n)}
    (part,) = read_all(write(tmp_path, json.dumps(value), "a.json")).parts
    scores = read_all(part.path)
    assert scores.models == ("a",)
    tidy = scores.tidy()
    assert dict(zip(tidy["item"], tidy["score"], strict=True)) == {key: float(score) for key, score in value.items()}


@pytest.mark.parametrize("value", [
    {f"seed_{i}": i % 2 for i in range(30)},
    {f"checkpoint-{i}": i % 2 for i in range(30)},
    {f"layer{i}": i / 10 for i in range(30)},
    {f"run{i}": True for i in range(30)},
    {str(i): i / 7 for i in range(30)},
    {f"q{i}": "text" for i in range(30)},
    {f"q{i}": 1 for i in range(4)},
    {f"HumanEval/{i}": True for i in range(19)},
])  # fmt: skip
def test_numbered_keys_of_anything_else_are_not_taken_for_items(tmp_path, value):
    with pytest.raises(ReadError, match="in no shape"):
        read_all(write(tmp_path, json.dumps(value), "a.json"))


def test_more_keys_than_inside_them_are_noted(tmp_path):
    def notes(value, **asked):
        parts = read_all(write(tmp_path, json.dumps(value), "a.json"), **asked).parts
        return [said.code for part in parts for said in part.notes]

    value = {f"{name}-question": {"gpt": 1, "claude": 0} for name in ("first", "second", "third")}
    assert notes(value) == ["keys-crossed"]
    assert notes(value, columns={"model": "inner_key", "item": "key"}) == []
    assert notes({model: {"q1": 1, "q2": 0} for model in ("gpt", "claude", "llama")}) == []
    assert notes({f"gpt-{i}": {"q1": 1, "q2": 0} for i in range(3)}) == ["keys-crossed"]
    assert notes({model: {"a": 1, "b": 0, "c": 1} for model in ("gpt", "claude")}) == []


def test_lists_whose_records_name_their_model_are_tasks(tmp_path, engine):
    value = {"sums": [{"model": "M", "id": 1, "score": 1}], "words": [{"model": "M", "id": 1, "score": 0}]}
    path = write(tmp_path, json.dumps(value), "a.json")
    assert rows(path, engine, roles=("model", "task", "score")) == [("M", "sums", "1"), ("M", "words", "0")]


@pytest.mark.parametrize("keys", [("train", "test"), ("passed", "failed"), ("valid", "other")])
def test_splits_and_outcomes_are_no_models(tmp_path, engine, keys):
    value = {key: [{"id": 1, "score": 1}] for key in keys}
    with pytest.raises(ReadError, match=rf"several lists of records \('{keys[0]}'"):
        read(write(tmp_path, json.dumps(value), "a.json"), engine)


WITH_MODEL = {"model": "M", "easy": [record(1, id=1), record(0, id=2)], "hard": [record(1, id=1)], "n": 3}


def test_a_model_beside_lists_makes_them_tasks(tmp_path, engine):
    path = write(tmp_path, json.dumps(WITH_MODEL), "a.json")
    expected = [("M", "easy", "1", "1"), ("M", "easy", "2", "0"), ("M", "hard", "1", "1")]
    assert rows(path, engine, roles=("model", "task", "item", "score")) == expected
    assert read(path, engine)[1]["left out"] == "'n' beside the lists"


def test_a_task_beside_lists_makes_them_models(tmp_path, engine):
    value = {"task": "T", "gpt": [record(1, id=1)], "claude": [record(0, id=1)]}
    path = write(tmp_path, json.dumps(value), "a.json")
    assert rows(path, engine, roles=("model", "task", "score")) == [("gpt", "T", "1"), ("claude", "T", "0")]


def test_a_model_beside_lists_of_scores(tmp_path, engine):
    path = write(tmp_path, '{"model": "M", "easy": [1, 0.5], "hard": [true, null, 0], "date": "now"}', "a.json")
    assert rows(path, engine, roles=("model", "task", "item", "score")) == [
        *(("M", "easy", "1", "1"), ("M", "easy", "2", "0.5")),
        *(("M", "hard", "1", "true"), ("M", "hard", "2", None), ("M", "hard", "3", "0")),
    ]


@pytest.mark.parametrize(("value", "sentence"), [
    ({"model": "M", "task": "T", "a": [1], "b": [0]}, "has the model and the task beside the lists 'a', 'b'"),
    ({"model": "M", "wall_time": [1.5], "easy": [0]}, "has the model beside the lists 'wall_time', 'easy'"),
    ({"model": "M", "easy": [1], "hard": []}, "has an empty list under 'hard'"),
    ({"model": "M", "ids": ["a"], "easy": [1]}, "no column is known to hold the score"),
    ({"date": "now", "easy": [1], "hard": [0]}, "in no shape"),
    ({"model": "M", "task": "T", "a": [record(1)], "b": [record(0)]}, "several lists .* name their model and"),
    ({"gpt": [1, 0], "empty one": []}, "has an empty list under 'empty one'; .*: leave the key out, or give them"),
    ({"gpt": [1, 0], "latency": [9, 8]}, "whose keys are models, and 'latency' names a measurement"),
])  # fmt: skip
def test_keys_that_may_be_anything_are_refused(tmp_path, engine, value, sentence):
    with pytest.raises(ReadError, match=sentence):
        read(write(tmp_path, json.dumps(value), "a.json"), engine)


# Parallel lists.


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"ids": ["x", "y"], "scores": [1, 0]}, [("a", "x", "1"), ("a", "y", "0")]),
        ({"ids": ["x", "y"], "scores": [1, 0], "latencies": [8.5, 9.5]}, [("a", "x", "1"), ("a", "y", "0")]),
        ({"scores": [1, 0], "latencies": [0.5, 0.25]}, [("a", "1", "1"), ("a", "2", "0")]),
        ({"models": ["M", "N"], "ids": ["x", "x"], "results": [1, 0]}, [("M", "x", "1"), ("N", "x", "0")]),
        ({"model": "M", "ids": ["x", "y"], "scores": [1, 0], "n": 2}, [("M", "x", "1"), ("M", "y", "0")]),
    ],
)
def test_lists_under_plural_keys_are_columns(tmp_path, engine, value, expected):
    path = write(tmp_path, json.dumps(value), "a.json")
    assert rows(path, engine, roles=("model", "item", "score")) == expected


def test_lists_of_predictions_and_labels_are_no_models(tmp_path):
    value = {"predictions": [0, 1, 1, 2], "labels": [0, 1, 2, 2]}
    path = write(tmp_path, json.dumps(value), "a.json")
    with pytest.raises(ReadError, match=r"right answers \('labels'\) and predictions \('predictions'\)") as caught:
        read_all(path)
    query = str(caught.value).partition("--sql '")[2].partition("'")[0]
    (cut,) = read_all(path, sql=query).cuts().cuts
    assert sorted(cut.sample.score.tolist()) == [0, 1, 1, 1]


def test_columns_of_unequal_length_are_no_models(tmp_path):
    path = write(tmp_path, json.dumps({"ids": [1, 2, 3], "scores": [1, 0]}), "a.json")
    with pytest.raises(ReadError, match=r"columns of unequal length \('ids': 3, 'scores': 2\)"):
        read_all(path)


# Several lists, of which one is read.


@pytest.mark.parametrize(("value", "keys"), [
    ({"results": [record(1, id=1)], "others": [{"id": 2, "verdict": 1}]}, ("results", "others")),
    ({"results": [record(1, id=1)], "samples": [record(0, id=2)]}, ("results", "samples")),
    ({"seed_1": [record(1, id=1)], "seed_2": [record(0, id=1)]}, ("seed_1", "seed_2")),
    ({"results": [record(1, id=1)], "more": {"rows": [record(0, id=1)]}}, ("results", "more.rows")),
    ({"train": {"rows": [record(1, id=1)]}, "test": {"rows": [record(0, id=1)]}}, ("train.rows", "test.rows")),
    ({"train": [record(1, id=1)], "test": [record(0, id=1)]}, ("train", "test")),
])  # fmt: skip
def test_the_remedy_for_several_lists_works(tmp_path, value, keys):
    path = write(tmp_path, json.dumps(value), "a.json")
    with pytest.raises(ReadError) as caught:
        read_all(path)
    assert f"{path}#{keys[0]}'" in str(caught.value)
    assert repr(keys[1]) in str(caught.value)
    for key in keys:
        mapping = {"score": "verdict"} if key == "others" else None
        assert read_all(f"{path}#{key}", columns=mapping).tidy()["score"].tolist() == [
            1.0 if key in {keys[0], "others"} else 0.0
        ]


def test_one_list_has_what_stands_beside_and_above_it(tmp_path):
    path = write(tmp_path, json.dumps({"model": "M", "by": {"task": "T", **WITH_MODEL, "model": 7}}), "a.json")
    assert read_all(f"{path}#by.easy").models == ("7",)
    assert read_all(f"{path}#by.easy").tasks == ("T",)


def test_a_list_that_is_not_there_is_refused_with_the_nearest(tmp_path):
    path = write(tmp_path, json.dumps(WITH_MODEL), "a.json")
    with pytest.raises(ReadError, match=r"has no key 'eassy'; did you mean 'easy'"):
        read_all(f"{path}#eassy")
    with pytest.raises(ReadError, match=r"has nothing under 'model\.x': text is no object with keys"):
        read_all(f"{path}#model.x")
    with pytest.raises(ReadError, match=r"is a list of records, so '#easy' names nothing in it"):
        read_all(f"{write(tmp_path, json.dumps([record(1, id=1)]), 'b.json')}#easy")
    with pytest.raises(ArgumentError, match=r"--sql reads .* as a whole; leave '#easy' out"):
        read_all(f"{path}#easy", sql="SELECT 1 AS score, 1 AS item")


def test_a_list_without_a_known_score_is_left_out_with_a_note(tmp_path):
    value = {"results": [record(1, id=1)], "settings": [{"k": 3}], "items": [{"id": 1, "level": 2}]}
    (part,) = read_all(write(tmp_path, json.dumps(value), "a.json")).parts
    assert [note.code for note in part.notes] == ["left-out", "left-out"]
    assert "the list 'items' (1 record) left out: 'results' has the scores, and 'items' no known one" in str(
        part.notes[1]
    )


def test_lists_whose_records_name_model_and_task_are_not_guessed_at(tmp_path, engine):
    value = {key: [{"model": "M", "task": "t", "id": 1, "score": 1}] for key in "ab"}
    with pytest.raises(ReadError, match="whose records name their model and task"):
        read(write(tmp_path, json.dumps(value), "a.json"), engine)


def test_the_only_list_of_records_at_any_depth(tmp_path, engine):
    value = {"run": {"model": "M", "task": "outer", "output": {"task": "t", "rows": [{"id": 7, "score": 1}]}}, "v": 2}
    path = write(tmp_path, json.dumps(value), "a.json")
    assert rows(path, engine, roles=("model", "task", "item", "score")) == [("M", "t", "7", "1")]
    assert read(path, engine)[1]["records"] == "the list 'run.output.rows'"


def clinical(models=("A", "B"), documents=("d1", "d2"), fields=("name", "age")):
    """model -> per_document -> document -> per_field -> field -> record, with sums beside the records."""
    return {
        model: {
            "model": model,
            "per_document": {
                document: {
                    "doc_id": document,
                    "per_field": {name: record(name == "age", f1=0.5, field=name) for name in fields},
                    "aggregates": {"f1": 0.5},
                }
                for document in documents
            },
            "aggregates": {"f1": 0.5, "n_documents": 2},
        }
        for model in models
    }


def test_fields_of_documents_of_models(tmp_path, engine):
    path = write(tmp_path, json.dumps(clinical()), "a.json")
    roles = ("model", "cluster", "item", "metric", "score")
    found = rows(path, engine, roles=roles)
    assert found[:3] == [
        ("A", "d1", "d1+name", "correct", "false"),
        ("A", "d1", "d1+name", "f1", "0.5"),
        ("A", "d1", "d1+age", "correct", "true"),
    ]
    assert len(found) == len(set(found)) == 2 * 2 * 2 * 2
    said = read(path, engine)[1]
    assert said["left out"] == "6 sums, such as 'A.per_document.d1.aggregates'"


def test_levels_without_a_name_are_not_guessed_at(tmp_path, engine):
    value = {model: {part: {item: record(1) for item in "xy"} for part in "pq"} for model in "AB"}
    path = write(tmp_path, json.dumps(value), "a.json")
    columns = {"model": "key", "task": "inner_key", "item": "third_key"}
    assert rows(path, engine, columns, ("model", "task", "item", "score"))[:2] == [
        ("A", "p", "x", "1"),
        ("A", "p", "y", "1"),
    ]
    with pytest.raises(ReadError, match=r"a\.json: .*three levels of keys.*--map") as caught:
        read(path, engine)
    assert "third_key" in caught.value.__notes__[0]


def test_levels_with_the_names_of_roles(tmp_path, engine):
    value = {"models": {m: {"tasks": {t: {"items": {i: record(1) for i in "xy"}} for t in "pq"}} for m in "AB"}}
    path = write(tmp_path, json.dumps(value), "a.json")
    assert rows(path, engine, roles=("model", "task", "item"))[:3] == [
        ("A", "p", "x"),
        ("A", "p", "y"),
        ("A", "q", "x"),
    ]


def test_scores_at_two_depths_are_not_guessed_at(tmp_path, engine):
    value = {model: {"accuracy": 0.5, "items": {i: record(1) for i in "xy"}} for model in "AB"}
    with pytest.raises(ReadError, match="scores at several places"):
        read(write(tmp_path, json.dumps(value), "a.json"), engine)


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ({"results": []}, "has an empty list under 'results'; no scores are in it"),
        ({"results": {}, "model": "M"}, "has an empty object under 'results'; no scores are in it"),
        ({}, "is an empty JSON object; no scores are in it"),
        ({"lr": 0.1, "layers": {"a": 1}}, "in no shape"),
        ({"item": [], "score": []}, "has an empty list under 'item', 'score'"),
    ],
)
def test_nothing_in_it(tmp_path, engine, value, sentence):
    with pytest.raises(ReadError, match=sentence):
        read(write(tmp_path, json.dumps(value), "a.json"), engine)


# Lists of scores in a cell.

GRPO = [
    {"question": "2+2", "answers": ["4", "5", "4"], "correctness": [True, False, True]},
    {"question": "1+1", "answers": [], "correctness": []},
    {"question": "3+3", "answers": ["6"], "correctness": [None]},
]
RUNS = [("2+2", "1", "true"), ("2+2", "2", "false"), ("2+2", "3", "true"), ("1+1", "1", None), ("3+3", "1", None)]


@pytest.mark.parametrize("orient", ["columns", "split", "index", "records", "table"])
def test_frames_are_read_however_pandas_wrote_them(tmp_path, orient):
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"model": ["A", "A", "B", "B"], "item": [1, 2, 1, 2], "score": [1.0, 0.0, 1.0, 1.0]})
    path = tmp_path / "scores.json"
    frame[frame["item"] > 0].to_json(path, orient=orient)
    assert means(read_all(path)) == {"A": (2, 0.5), "B": (2, 1.0)}


def test_numbers_by_row_are_columns_beside_text_and_models_else(tmp_path):
    """pandas' to_json() of a wide table (a column a model) and of a table with columns that no role is called like."""
    wide, named = tmp_path / "wide.json", tmp_path / "named.json"
    wide.write_text(json.dumps({"A": {"0": 1.0, "1": 0.0}, "B": {"0": 1.0, "1": 1.0}}))
    assert means(read_all(wide)) == {"A": (2, 0.5), "B": (2, 1.0)}
    named.write_text(json.dumps({"q": {"0": "a", "1": "b"}, "grade": {"0": 1.0, "1": 0.0}}))
    assert means(read_all(named, columns={"item": "q", "score": "grade"})) == {"named": (2, 0.5)}
    named.write_text(json.dumps({"q": {"0": "a", "1": "b"}, "grade": {"0": 1.0}}))
    with pytest.raises(ScoresError, match="score 'a' in row 1"):
        read_all(named)


@pytest.mark.parametrize("kind", ["array", "lines", "member", "columns", "parquet"])
def test_lists_in_a_cell_are_runs(tmp_path, engine, kind):
    path = tmp_path / "a.json"
    if kind == "parquet":
        pq.write_table(pa.Table.from_pylist(GRPO), path)
    else:
        text = {
            "array": json.dumps(GRPO),
            "lines": "\n".join(map(json.dumps, GRPO)),
            "member": json.dumps({"rows": GRPO}),
            "columns": json.dumps({key: [row[key] for row in GRPO] for key in GRPO[0]}),
        }[kind]
        path.write_text(text)
    found = rows(path, engine, roles=("item", "run", "score"))
    assert [(item, run, score if str(score).lower() != "null" else None) for item, run, score in found] == RUNS
    assert read(path, engine)[1]["run"] == "the position in the lists of 'correctness'"


def test_lists_as_python_writes_them_into_csv(tmp_path, engine):
    path = write(tmp_path, "item,scores\n1,\"[True, False]\"\n2,\"['0.5', 'nan']\"\n")
    assert rows(path, engine, roles=("item", "run", "score")) == [
        ("1", "1", "True"),
        ("1", "2", "False"),
        ("2", "1", "0.5"),
        ("2", "2", "nan"),
    ]


def test_lists_beside_a_run_and_without_an_item(tmp_path, engine):
    lines = [{"seed": 5, "rewards": [1, 2]}, {"seed": 5, "rewards": [3]}, {"seed": 6, "rewards": [4]}]
    path = write(tmp_path, "\n".join(map(json.dumps, lines)), "a.jsonl")
    assert rows(path, engine, roles=("item", "run", "score")) == [
        ("1", "5+1", "1"),
        ("1", "5+2", "2"),
        ("2", "5+1", "3"),
        ("1", "6+1", "4"),
    ]


def test_a_list_in_a_list_is_no_score(tmp_path):
    from scorebars.errors import ScoresError
    from scorebars.readers.read import read as read_all

    path = write(tmp_path, json.dumps([{"id": 1, "score": [[1, 0], [1]]}, {"id": 2, "score": [[1]]}]), "a.json")
    with pytest.raises(ScoresError, match=r"score '\[1' in row 1"):
        read_all(path).cuts()


# Objects in a cell.


@pytest.mark.parametrize("kind", ["lines", "array", "member", "parquet"])
def test_objects_of_models(tmp_path, engine, kind):
    values = [
        {"question": "q1", "gpt-4.1": {"is_correct": True, "text": "a"}, "x": {"is_correct": False, "text": "b"}},
        {"question": "q2", "gpt-4.1": {"is_correct": False, "text": "a"}, "x": {"is_correct": True, "text": "b"}},
    ]
    path = tmp_path / "a.json"
    if kind == "parquet":
        pq.write_table(pa.Table.from_pylist(values), path)
    else:
        text = {"lines": "\n".join(map(json.dumps, values)), "array": json.dumps(values)}
        path.write_text(text.get(kind, json.dumps({"rows": values})))
    assert rows(path, engine, roles=("item", "model", "score")) == [
        ("q1", "gpt-4.1", "true"),
        ("q1", "x", "false"),
        ("q2", "gpt-4.1", "false"),
        ("q2", "x", "true"),
    ]
    assert read(path, engine)[1]["model"] == "the headers of 'gpt-4.1', 'x'"


def test_objects_of_models_with_several_metrics(tmp_path, engine):
    values = [{"id": 1, "A": {"f1": 0.5, "em": 1}, "B": {"f1": 0.25, "em": 0}}]
    path = write(tmp_path, json.dumps(values), "a.json")
    assert rows(path, engine, roles=("model", "metric", "score")) == [
        ("A", "f1", "0.5"),
        ("A", "em", "1"),
        ("B", "f1", "0.25"),
        ("B", "em", "0"),
    ]


def test_objects_of_some_of_the_models(tmp_path, engine):
    values = [{"id": n, "A": {"correct": n % 2}, "B": {"correct": 1}, "C": {"correct": 0}} for n in range(4)]
    path = write(tmp_path, json.dumps(values), "a.json")
    assert set(rows(path, engine, {"model": "A+C"}, roles=("model", "score"))) == {("A", "0"), ("A", "1"), ("C", "0")}


def test_one_object_holds_the_score_or_the_metrics(tmp_path, engine):
    path = write(tmp_path, json.dumps([{"id": 1, "model": "M", "verdict": {"score": 0.5, "why": "x"}}]), "a.json")
    assert rows(path, engine, roles=("model", "item", "score")) == [("M", "1", "0.5")]
    path = write(tmp_path, json.dumps([{"id": 1, "model": "M", "scores": {"helpful": 4, "harmless": 5}}]), "a.json")
    assert rows(path, engine, roles=("metric", "score")) == [("helpful", "4"), ("harmless", "5")]


def test_objects_beside_a_model_column_are_not_guessed_at(tmp_path, engine):
    values = [{"id": 1, "model": "M", "judge": {"score": 1}, "human": {"score": 0}}]
    path = write(tmp_path, json.dumps(values), "a.json")
    with pytest.raises(ReadError, match=r"'judge\.score', 'human\.score' could each be the score") as caught:
        read(path, engine)
    assert "--map score=judge.score" in caught.value.__notes__[0]
    assert rows(path, engine, {"score": "human.score"}, ("score",)) == [("0",)]


# Ids.


@pytest.mark.parametrize("column", ["id", "seed"])
def test_whole_numbers_that_a_data_frame_wrote_as_floats(tmp_path, engine, column):
    role = {"id": "item", "seed": "run"}[column]
    lines = [{column: 1.0, "score": 1}, {column: 2.0, "score": 0}]
    path = write(tmp_path, "\n".join(map(json.dumps, lines)), "a.jsonl")
    assert rows(path, engine, roles=(role, "score")) == [("1", "1"), ("2", "0")]
    csv = write(tmp_path, f"{column},score\n1.0,1\n2.0,0\n")
    assert rows(csv, engine, roles=(role, "score")) == [("1", "1"), ("2", "0")]


def test_versions_keep_their_zero(tmp_path, engine):
    path = write(tmp_path, "id,score\n1.0,1\n1.1,0\n")
    assert rows(path, engine, roles=("item", "score")) == [("1.0", "1"), ("1.1", "0")]


def test_keys_that_may_be_models_or_tasks_are_said(tmp_path):
    path = tmp_path / "runs.json"
    path.write_text('{"CartPole-v1": [500, 500, 440], "MyEnv-v0": [3, 4, 5]}')
    scores = read_all(path)
    assert scores.models == ("CartPole-v1", "MyEnv-v0")
    assert "keys-as-models" in {note.code for note in scores.cuts().notes}
    tasks = read_all(path, columns={"task": "key", "run": "position"})
    assert (tasks.models, tasks.tasks) == (("runs",), ("CartPole-v1", "MyEnv-v0"))
    assert "keys-as-models" not in {note.code for note in tasks.cuts().notes}
    (cut,) = tasks.cuts().cuts
    assert sorted(cut.sample.score.tolist()) == [3, 4, 5, 440, 500, 500]


TWICE = '{"model": "A", "item": 1, "score": 1, "score": 0}'
ONCE = '{"model": "A", "item": 2, "score": 0}'


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("a.json", f"[{TWICE}, {ONCE}]", "record 1 has the key 'score' twice, of which only one can count; rename or"),
        ("a.jsonl", f"{ONCE}\n{TWICE}\n", "line 2 has the key 'score' twice"),
        ("a.json", f'{{"model": "B", "results": [{ONCE}, {TWICE}]}}', "has the key 'score' twice in one object"),
        ("a.json", '{"A": {"q1": 1, "q2": 1, "q1": 0}, "B": {"q1": 1, "q2": 0}}', "has the key 'q1' twice"),
    ],
)
@pytest.mark.parametrize("packed", [False, True])
def test_a_key_twice_in_one_object_is_refused(tmp_path, name, text, told, packed):
    path = tmp_path / (f"{name}.gz" if packed else name)
    path.write_bytes(gzip.compress(text.encode()) if packed else text.encode())
    with pytest.raises(ReadError, match=told):
        read_all(path)


def test_a_frame_by_rows_has_its_items_inside(tmp_path):
    rows = {str(n): {"model": "ab"[n // 4], "item": f"q{n % 4}", "score": n % 2} for n in range(8)}
    (tmp_path / "a.json").write_text(json.dumps(rows))
    [a, b] = read_all(tmp_path / "a.json").cuts().cuts
    assert a.sample.item.tolist() == b.sample.item.tolist() == [0, 1, 2, 3]
    keyed = {key: {name: cell for name, cell in row.items() if name != "item"} for key, row in rows.items()}
    (tmp_path / "a.json").write_text(json.dumps(keyed))
    [a, b] = read_all(tmp_path / "a.json").cuts().cuts
    assert not set(a.sample.item.tolist()) & set(b.sample.item.tolist())
