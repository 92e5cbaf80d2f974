"""A first record that is longer than what detection looks at, or damaged: the reader of the format keeps the file.

It reads the same scores, or says in one sentence what is wrong; another reader would make other numbers of it.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from tests.readers.formats import FIXTURES

from scorebars.errors import ScorebarsError
from scorebars.readers.files import HEAD, head_of
from scorebars.readers.read import read
from scorebars.readers.sniff import outline
from scorebars.readers.wider_head import wider_head

RECORDS = {
    "promptfoo": ("results", "results"),
    "deepeval": ("testCases",),
    "opencompass": ("details",),
    "hal": ("raw_eval_results",),
    "simple-evals": ("metadata", "example_level_metadata"),
    "evalplus": ("eval",),
    "bigcodebench": ("eval",),
    "terminal-bench": ("results",),
    "tau2-bench": ("simulations",),
    "mteb": ("scores", "test"),
    "swe-bench": ("resolved_ids",),
    "rl-runs": (),
}
"""Where the records of a format stand that is neither a list of them nor lines."""
TEXT = "x" * (100 << 10)
BROKEN = {"null": None, "text": "Traceback (most recent call last): boom", "nothing": {}}


def is_json(name, folder):
    return FIXTURES[name].write(folder).read_bytes()[:1] in (b"[", b"{")


@pytest.fixture(params=list(FIXTURES))
def name(request, tmp_path_factory):
    if not is_json(request.param, tmp_path_factory.mktemp("any")):
        pytest.skip("the format is no JSON")
    return request.param


@pytest.fixture
def path(name, tmp_path):
    return FIXTURES[name].write(tmp_path)


def rows(path, name):
    """The readers, how many attempts there are, and how often each score was read."""
    fixture = FIXTURES[name]
    scores = read([path, *(path.parent / other for other in fixture.beside)], **dict(fixture.options))
    found = scores.with_options(on_error="drop").tidy()["score"]
    attempts = sum(scores._state.rows.counts("model").values())
    return {part.reader for part in scores.parts}, attempts, Counter(found[~np.isnan(found)].tolist())


def change(path, name, new):
    """The file with ``new`` of the first record in its place."""
    text = path.read_text()
    lines = text.splitlines(keepends=True) if FIXTURES[name].lines else []
    if lines:
        path.write_text("".join((json.dumps(new(json.loads(lines[0]))) + "\n", *lines[1:])))
        return
    whole = {"all": json.loads(text)}
    holder, key = whole, "all"
    for step in RECORDS.get(name, ()):
        holder, key = holder[key], step
    if name in RECORDS or isinstance(holder[key], list):
        holder, key = holder[key], first_of(holder[key])
    holder[key] = new(holder[key])
    path.write_text(json.dumps(whole["all"]))


def first_of(records):
    """The place of the first record; OpenCompass has the type of all before it."""
    return 0 if isinstance(records, list) else next(key for key in records if key != "type")


def with_text(record):
    """A record with a long text behind its first key."""
    if isinstance(record, list):
        return [with_text(record[0]), *record[1:]] if record and isinstance(record[0], dict) else record
    if not isinstance(record, dict):
        return record
    if "spec" in record:  # the header of a log, in which nothing stands beside it
        return {"spec": with_text(record["spec"])}
    (key, value), *others = record.items()
    return {key: value, "transcript": TEXT, **dict(others)}


def longest(value, place=()):
    """The place of the longest text in a record, None where it has none."""
    if isinstance(value, str):
        return place
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    places = [found for key, inner in members if (found := longest(inner, (*place, key))) is not None]
    return max(places, key=lambda found: len(at(value, found[len(place) :])), default=None)


def at(value, place):
    for key in place:
        value = value[key]
    return value


def longer(record):
    """A record whose longest text is longer still."""
    place = longest(record)
    if not place:
        return record
    at(record, place[:-1])[place[-1]] += f" {TEXT}"
    return record


def test_a_long_text_in_the_first_record_changes_nothing(name, path):
    before = rows(path, name)
    change(path, name, with_text)
    assert rows(path, name) == before


def sentence_or_rows(path, name):
    """What reading says, else the rows, those of several metrics and variants only where they were chosen."""
    fixture = FIXTURES[name]
    try:
        read([path, *(path.parent / other for other in fixture.beside)], **dict(fixture.options)).cuts()
    except ScorebarsError as error:
        return str(error)
    return rows(path, name)


def test_a_long_text_that_counts_gives_the_same_scores_or_a_sentence(name, path):
    before = rows(path, name)
    change(path, name, longer)
    found = sentence_or_rows(path, name)
    assert found == before if isinstance(found, tuple) else "\n" not in found


@pytest.mark.parametrize("damage", BROKEN)
def test_a_damaged_first_record_is_no_other_number(name, path, damage):
    readers, attempts, before = rows(path, name)
    change(path, name, lambda _: BROKEN[damage])
    found = sentence_or_rows(path, name)
    if isinstance(found, str):
        assert "\n" not in found
        assert path.name in found
    else:
        assert found[:2] == (readers, attempts)
        assert found[2] <= before or name == "hal"  # whose own lists of solved tasks are the scores then


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("ragas", r"\n([^,]*),", rf'\n"\1 {TEXT}",'),
        ("wmt-ratings", "\tr1\tx\t", f"\tr1\t{TEXT}\t"),
        ("junit", "</properties>", f"</properties><system-out>{TEXT}</system-out>"),
    ],
)
def test_a_long_text_in_the_first_line_changes_nothing(name, old, new, tmp_path):
    path = FIXTURES[name].write(tmp_path)
    before = rows(path, name)
    path.write_text(re.sub(old, new, path.read_text(), count=1))
    assert len(path.read_bytes()) > HEAD
    assert rows(path, name) == before


def test_the_type_of_opencompass_details_is_nothing_that_counts(tmp_path):
    path = FIXTURES["opencompass"].write(tmp_path)
    before = rows(path, "opencompass")
    value = json.loads(path.read_text())
    for other in (None, {}, [], 7, ["GEN"]):
        path.write_text(json.dumps(value | {"details": value["details"] | {"type": other}}))
        assert rows(path, "opencompass") == before


def head(tmp_path, text):
    path = tmp_path / "a.json"
    path.write_text(text, encoding="utf-8")
    return head_of(path)


def test_a_wider_head_has_the_keys_behind_a_long_text(tmp_path):
    value = [{"a": f'q "{letter}" é\\n\n' * 40_000, "ids": list(range(30_000)), "b": 1} for letter in "xyz"]
    for text in (json.dumps(value), json.dumps(value, ensure_ascii=False), json.dumps(value, indent=2)):
        wide = wider_head(head(tmp_path, text))
        assert len(wide.head) < 2_000
        assert outline(wide).top == {"a", "ids", "b"}
        assert wide.head.endswith(b"]")


@pytest.mark.parametrize("length", range((1 << 20) - 12, (1 << 20) + 4))
def test_a_text_that_ends_near_the_end_of_a_block_ends_where_it_ends(tmp_path, length):
    text = json.dumps({"a": "x" * (length - 10) + '"\\', "b": "\\", "c": 1}, indent=None)
    assert outline(wider_head(head(tmp_path, text))).top == {"a", "b", "c"}


def test_a_head_without_long_texts_is_left_alone(tmp_path):
    for text in (
        json.dumps([{"model": "m", "item": place, "score": 1} for place in range(9_000)]),
        json.dumps([{"a": 'say "yes" ' * 100} for _ in range(90)]),
        "x,y\n" * 20_000,
        "",
    ):
        one = head(tmp_path, text)
        assert wider_head(one) is one


def test_records_without_keys_are_passed_over(tmp_path):
    for start in ("null\n", '"Traceback: {boom}"\r\n', "{}\n7\n", "\ufeff{ }\n[]\n"):
        assert wider_head(head(tmp_path, start + '{"a": 1}\n')).head == b'{"a": 1}\n'
    assert wider_head(head(tmp_path, '[null, {}, "x", {"a": 1}]')).head == b'[{"a": 1}]'
    for text in ("null\n", "[null, 1]", "7,8\n{,}\n", '{}{"a": 1}', "{}\n[1]"):
        one = head(tmp_path, text)
        assert wider_head(one) is one


def test_a_long_record_of_a_table_in_a_folder_speaks_of_scores(tmp_path):
    lines = [{"prompt": TEXT, "model": "m", "item": place, "score": place % 2} for place in range(4)]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert len((tmp_path / "a.jsonl").read_bytes()) > HEAD
    assert read(tmp_path).tidy()["score"].tolist() == [0, 1, 0, 1]


def test_the_reader_is_handed_the_head_by_which_it_knows_the_file(tmp_path):
    one = head(tmp_path, json.dumps({"a": TEXT, "b": 1}))
    assert replace(wider_head(one), head=one.head) == one
