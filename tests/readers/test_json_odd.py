"""One entry of another kind among records of JSON: it is refused with its place, or named in a note; none is lost."""

from __future__ import annotations

import json

import pytest
from tests.readers.formats import FIXTURES
from tests.readers.real import means

from scorebars.errors import ReadError
from scorebars.readers import json_table
from scorebars.readers.read import read

ODD = {"null": None, "text": "Traceback: boom", "a number": 7, "a list": [1, 2]}
"""What it is called -> what stands where a record is due."""


def write(folder, value):
    path = folder / "a.json"
    path.write_text(json.dumps(value))
    return path


def records(scores):
    return [{"id": f"q{number}", "score": score} for number, score in enumerate(scores)]


def keyed(scores):
    return {f"q{number}": {"score": score, "time": 1} for number, score in enumerate(scores)}


def listed(odd, place=10, n=20):
    made = records([number % 2 for number in range(n)])
    made[place] = odd
    return made


def refused(path, **options):
    with pytest.raises(ReadError) as error:
        read(path, **options).cuts()
    return str(error.value)


def codes(path):
    return [note.code for note in read(path).cuts().notes]


GOOD = records([1, 0, 1, 1])


@pytest.mark.parametrize(("what", "odd"), ODD.items())
@pytest.mark.parametrize(
    ("value", "where"),
    [
        (lambda odd: {"gpt": GOOD, "claude": listed(odd), "llama": GOOD}, "record 11 of 'claude'"),
        (lambda odd: {"gpt": GOOD, "claude": listed(odd)}, "record 11 of 'claude'"),
        (lambda odd: {"meta": {"n": 3}, "results": listed(odd), "warmup": GOOD}, "record 11 of 'results'"),
        (lambda odd: {"model": "m", "results": listed(odd), "examples": GOOD}, "record 11 of 'results'"),
        (lambda odd: {"model": "m", "results": listed(odd)}, "record 11 of 'results'"),
        (lambda odd: {"out": {"results": {"gpt": GOOD, "claude": listed(odd)}}}, "of 'out.results.claude'"),
        (lambda odd: {"results": [{"id": 1, "grade": {"score": 1}}, odd]}, "record 2 of 'results'"),
        (listed, "record 11 is"),
        (
            lambda odd: [{"model": "gpt", "results": GOOD}, {"model": "claude", "results": listed(odd)}],
            "record 11 of 'results' of record 2",
        ),
        (
            lambda odd: [{"model": "claude", "results": listed(odd)}, {"model": "gpt", "results": GOOD}],
            "record 11 of 'results' of record 1",
        ),
        (
            lambda odd: [
                {"model": "gpt", "id": "q1", "attempts": [{"correct": True}, {"correct": False}]},
                {"model": "gpt", "id": "q2", "attempts": [{"correct": True}, odd]},
            ],
            "record 2 of 'attempts' of record 2",
        ),
    ],
)
def test_an_entry_of_a_list_of_records_that_is_none_is_named(tmp_path, value, where, what, odd):
    said = refused(write(tmp_path, value(odd)))
    assert where in said
    assert f"is no object but {what}" in said


@pytest.mark.parametrize("what", ["null", "text", "a number"])
def test_so_is_the_first_one(tmp_path, what):
    said = refused(write(tmp_path, {"results": listed(ODD[what], place=0)}))
    assert f"record 1 of 'results' is no object but {what}" in said
    assert f"record 1 is no object but {what}" in refused(write(tmp_path, listed(ODD[what], place=0)))


def test_lists_of_other_things_may_mix_kinds(tmp_path):
    value = {"model": "m", "results": GOOD, "stages": ["fetch", {"run": 1}], "messages": [{"role": "user"}, None]}
    assert means(read(write(tmp_path, value))) == {"m": (4, 0.75)}


@pytest.mark.parametrize("odd", [None, [], {}, "Traceback: boom"])
def test_a_model_that_is_no_list_beside_lists_of_models_is_noted(tmp_path, odd):
    path = write(tmp_path, {"gpt": GOOD, "claude": odd, "llama": GOOD})
    [note] = [note for note in read(path).cuts().notes if note.code == "left-out"]
    assert "'claude'" in str(note)
    path = write(tmp_path, {"results": {"gpt": GOOD, "claude": odd, "llama": GOOD}})
    assert "left-out" in codes(path)


def test_what_holds_for_all_models_is_no_such_thing(tmp_path):
    value = {"date": "2026-11-30", "n": 4, "config": {"temperature": 0}, "gpt": GOOD, "llama": GOOD}
    assert "left-out" not in codes(write(tmp_path, value))


@pytest.mark.parametrize("odd", [None, "failed"])
def test_a_sentence_on_an_unknown_shape_names_the_only_odd_member(tmp_path, odd):
    kind = "null" if odd is None else "text"
    said = refused(write(tmp_path, {"gpt": [1, 0, 1], "claude": odd, "llama": [0, 0, 1]}))
    assert f"('claude' is {kind}, and the others beside it are lists)" in said
    said = refused(write(tmp_path, {"m1": {"q1": 1, "q2": 0}, "m2": odd, "m3": {"q1": 0, "q2": 1}}))
    assert f"('m2' is {kind}, and the others beside it are objects)" in said


# Records under keys: one that has no score is one all the same.


def failing(scores, failed, one):
    made = keyed(scores)
    for place in failed:
        made[f"q{place}"] = one
    return made


SCORES = [number % 2 for number in range(30)]
FAILED = (3, 5, 7, 9, 11)
"""All of them are right ones: 10 of 25 are left, and 10 of 30 with the failed ones as wrong."""


def total(path, policy, **options):
    """Attempts of the model gpt, and how many of them are right."""
    cuts = [cut for cut in read(path, on_error=policy, **options).cuts().cuts if cut.sample.model == "gpt"]
    return sum(len(cut.sample.score) for cut in cuts), sum(float(cut.sample.score.sum()) for cut in cuts)


@pytest.mark.parametrize(
    "one", [{"error": "timeout"}, {}, {"time": 1}, {"score": None}, {"status": "error", "log": ""}]
)
@pytest.mark.parametrize(
    ("value", "options"),
    [
        (lambda one: {"model": "gpt", "results": one}, {}),
        (lambda one: {"config": {"model": "gpt"}, "results": one}, {}),
        (lambda one: {"model": "gpt", "n": 30, "evals": {"math": {"items": one}}}, {}),
        (lambda one: {"gpt": one, "claude": keyed(SCORES)}, {}),
        (lambda one: {"date": "x", "evals": {"gpt": one, "claude": keyed(SCORES)}}, {}),
        (lambda one: {"model": "gpt", "tasks": {"math": one, "code": keyed([0])}}, {}),
        (lambda one: {"model": "gpt", "results": {"math": one, "code": keyed([0])}}, {}),
        (lambda one: {"gpt": {"math": one}, "claude": {"math": keyed(SCORES)}}, {}),
        (
            lambda one: {"gpt": {"math": one, "code": keyed([0])}, "claude": {"math": keyed(SCORES)}},
            {"columns": {"model": "key", "task": "inner_key", "item": "third_key"}},
        ),
        (
            lambda one: {key: {"gpt": one[key], "claude": {"score": 1}} for key in one},
            {"columns": {"model": "inner_key", "item": "key"}},
        ),
    ],
)
def test_records_without_a_score_below_keys_are_attempts_without_one(tmp_path, value, options, one):
    path = write(tmp_path, value(failing(SCORES, FAILED, one)))
    more = "code" in path.read_text()  # one wrong item of another task
    assert total(path, "drop", **options) == (25 + more, 10)
    assert total(path, "wrong", **options) == (30 + more, 10)


def test_a_model_whose_every_record_failed_is_one_all_the_same(tmp_path):
    failed = {f"q{number}": {"error": "timeout"} for number in range(30)}
    for value in (
        {"gpt": failed, "claude": keyed(SCORES)},
        {"date": "x", "out": {"gpt": failed, "claude": keyed(SCORES)}},
    ):
        assert total(write(tmp_path, value), "wrong") == (30, 0)


def test_settings_and_texts_beside_records_are_none(tmp_path):
    value = {"results": keyed(SCORES), "prompts": {f"q{n}": {"text": "?"} for n in range(30)}, "date": "x"}
    assert means(read(write(tmp_path, value))) == {"a": (30, 0.5)}
    value = {"date": "x", "results": keyed(SCORES) | {"config": {"temperature": 1}}}
    assert means(read(write(tmp_path, value))) == {"a": (30, 0.5)}


@pytest.mark.parametrize(("what", "odd"), ODD.items())
@pytest.mark.parametrize(
    ("value", "where"),
    [
        (lambda one: {"model": "gpt", "results": one}, "results.q7"),
        (lambda one: one, "q7"),
        (lambda one: {"gpt": keyed(SCORES), "claude": one}, "claude.q7"),
        (lambda one: {"gpt": {"math": one}, "claude": {"math": keyed(SCORES)}}, "gpt.math.q7"),
    ],
)
def test_what_stands_in_the_place_of_a_record_is_named(tmp_path, value, where, what, odd):
    said = refused(write(tmp_path, value(failing(SCORES, [7], odd))))
    assert f"'{where}' is {what}, and what stands beside it is a record" in said


def test_a_list_of_a_record_in_its_place_is_not_the_only_list(tmp_path):
    value = failing(SCORES, [7], [{"score": 1}])
    assert "'q7' is a list" in refused(write(tmp_path, value))
    assert "'results.q7' is a list" in refused(write(tmp_path, {"model": "gpt", "results": value}))


@pytest.mark.parametrize("odd", [None, "boom", [], {}])
def test_what_has_a_key_of_its_own_beside_records_is_noted(tmp_path, odd):
    value = {"date": "x", "out": {"gpt": keyed(SCORES), "claude": odd, "llama": keyed(SCORES)}}
    path = write(tmp_path, value)
    assert "'out.claude'" in str(next(note for note in read(path).cuts().notes if note.code == "left-out"))


def test_the_model_above_holds_where_one_key_is_read(tmp_path):
    path = write(tmp_path, {"model": "gpt", "results": keyed(SCORES), "other": keyed(SCORES)})
    assert means(read(f"{path}#results")) == {"gpt": (30, 0.5)}


# A record that is empty: it is no row without a word.


@pytest.mark.parametrize("place", [0, 3, 7])
@pytest.mark.parametrize("large", [False, True])
def test_an_empty_line_of_json_is_named(tmp_path, monkeypatch, place, large):
    if large:
        monkeypatch.setattr(json_table, "SAMPLED_FROM", 1)
        monkeypatch.setattr(json_table, "SAMPLED_RECORDS", 3)
    lines = [json.dumps({"model": "A", "item": f"q{n}", "score": n % 2}) for n in range(7)]
    assert means(read(saved(tmp_path, lines))) == {"A": (7, pytest.approx(3 / 7))}
    lines[place:place] = ["", "{ }"]
    assert f"line {place + 2} is an empty object" in refused(saved(tmp_path, lines))
    if place:
        lines[place + 1] = "null"
        assert f"line {place + 2} is no object but null" in refused(saved(tmp_path, lines))


def saved(folder, lines):
    path = folder / "a.jsonl"
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.mark.parametrize(
    ("value", "where"),
    [
        (listed, "record 11 is"),
        (lambda odd: {"results": listed(odd)}, "record 11 of 'results' is"),
        (lambda odd: {"gpt": GOOD, "claude": listed(odd)}, "record 11 of 'claude' is"),
        (lambda odd: [{"model": "gpt", "results": listed(odd)}], "record 11 of 'results' of record 1 is"),
    ],
)
def test_an_empty_record_is_named(tmp_path, value, where):
    assert f"{where} an empty object; give its item and score, or leave it out" in refused(write(tmp_path, value({})))


@pytest.mark.parametrize("name", ["lm-eval", "mt-bench"])
def test_a_log_that_begins_with_an_empty_line_is_refused_with_it(tmp_path, name):
    path = FIXTURES[name].write(tmp_path)
    path.write_bytes(b"{}\n" + path.read_bytes())
    assert "line 1" in refused(path)
