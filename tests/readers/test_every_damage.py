"""Damage to one record or line of every format: a sentence with the place, or rows of which none is lost unsaid."""

from __future__ import annotations

import json
import re
import struct
from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.readers.formats import FIXTURES
from tests.readers.test_every_reader import JSON, paths, places, replaced, sentence

from scorebars.errors import ScorebarsError
from scorebars.readers.read import read

ROLES = ("model", "task", "item", "run", "metric", "variant", "score")

RECORDS = {
    "promptfoo": ("results", "results"),
    "deepeval": ("testCases",),
    "opencompass": ("details",),
    "mmlu-pro": (),
    "hal": ("results", "failed_tasks"),
    "simple-evals": ("metadata", "example_level_metadata"),
    "helm": (),
    "swe-bench": ("resolved_ids",),
    "evalplus": ("eval",),
    "bigcodebench": ("eval",),
    "livecodebench": (),
    "terminal-bench": ("results",),
    "tau-bench": (),
    "tau2-bench": ("simulations",),
    "alpaca-eval": (),
    "mteb": ("scores", "test"),
    "rl-runs": (),
    "dreamer": (),
    "dopamine": (),
}
"""Where the records of a format stand that is one JSON value."""
ALONE = {"harbor"}
"""Formats of one record a file."""
LINES = [name for name, fixture in FIXTURES.items() if fixture.lines == "json"]
TEXTS = [name for name, fixture in FIXTURES.items() if fixture.lines == "text"]
BY_CUT = {"wmt-ratings", "trec-run", "stable-baselines", "wandb", "tensorboard", "drqv2", "training-log", "tfevents"}
"""Formats of which an attempt is more than a line: what is above a cut gives another number."""


def table(path, fixture):
    """All attempts as a multiset of their fields, and what is said of them."""
    scores = read(paths(path, fixture), **dict(fixture.options))
    made = scores.tidy()
    rows = Counter(map(repr, zip(*(list(made[role]) for role in ROLES if role in made), strict=True)))
    cuts = scores.cuts()
    said = [*cuts.notes, *(one for part in (*scores.parts, *cuts.cuts) for one in part.notes)]
    return rows, {str(one) for one in said}


def outcome(path, fixture):
    """(rows, notes, None) or (None, None, what is said)."""
    try:
        return *table(path, fixture), None
    except ScorebarsError as error:
        said = str(error)
        assert "\n" not in said
        return None, None, said


def test_every_format_of_json_says_where_its_records_stand(tmp_path):
    whole = {
        name
        for name, fixture in FIXTURES.items()
        if not fixture.lines and fixture.write(tmp_path).read_bytes()[:1] in b"[{"
    }
    assert whole == {*RECORDS, *ALONE}


def middle(name, data):
    """The file as one JSON value, and the place of its middle record."""
    value = json.loads(data)
    holder = value
    for key in RECORDS[name]:
        holder = holder[key]
    keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
    keys = [key for key in keys if not (name == "opencompass" and key == "type")]
    return value, (*RECORDS[name], keys[len(keys) // 2])


KINDS = {"null": None, "text": "boom", "number": 7, "list": [], "object": {}}
MAY_BE_EMPTY = {
    *(("deepeval", "object"), ("opencompass", "object"), ("mteb", "object")),
    *(("simple-evals", "object"), ("simple-evals", "null"), ("evalplus", "list"), ("bigcodebench", "list")),
}
"""Records that may be empty: that one is without a score, or that the file's own totals are others, is said."""
WHOLE = {("rl-runs", "number"), *((name, kind) for name in ("hal", "swe-bench") for kind in ("text", "number"))}
"""What is no damage there: the score of a game's only run, and ids of tasks."""
OF_KINDS = [(name, kind) for name in RECORDS for kind in KINDS if (name, kind) not in WHOLE]


@pytest.mark.parametrize(("name", "kind"), OF_KINDS)
def test_a_record_of_another_kind_in_the_middle_is_named(name, kind, tmp_path):
    fixture = FIXTURES[name]
    path = fixture.write(tmp_path)
    whole, known = table(path, fixture)
    value, place = middle(name, path.read_bytes())
    path.write_text(json.dumps(replaced(value, place, KINDS[kind])))
    rows, notes, said = outcome(path, fixture)
    if (name, kind) in MAY_BE_EMPTY and said is None:
        assert notes - known
        assert sum((whole - rows).values()) <= 1
        return
    assert rows is None, rows
    assert path.name in said
    key = place[-1]
    if (name, kind) == ("rl-runs", "object"):
        key = "Alien"  # an object of objects is another form, in which the other game has no place
    assert f"'{key}'" in said if isinstance(key, str) else re.search(rf"(record|entry|example) {key + 1}\b", said), said


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", LINES)
def test_a_line_of_another_kind_in_the_middle_is_named(name, kind, tmp_path):
    fixture = FIXTURES[name]
    path = fixture.write(tmp_path)
    lines = path.read_text().splitlines()
    at = len(lines) // 2
    path.write_text("\n".join([*lines[:at], json.dumps(KINDS[kind]), *lines[at + 1 :]]) + "\n")
    said = sentence(path, fixture)
    assert said is not None
    assert path.name in said
    assert re.search(rf"line {at + 1}\b", said), said


@pytest.mark.parametrize("name", [name for name in TEXTS if name != "tfevents"])
def test_a_line_of_something_else_in_the_middle_is_named(name, tmp_path):
    fixture = FIXTURES[name]
    path = fixture.write(tmp_path)
    lines = ["0.25"] * 40_000 if name == "sacrebleu" else path.read_text().splitlines()  # that it is one, the first say
    at = len(lines) // 2
    path.write_text("\n".join([*lines[:at], "?! ; Traceback", *lines[at + 1 :]]) + "\n")
    said = sentence(path, fixture)
    assert said is not None
    assert path.name in said
    assert re.search(rf"(line|row) ({at + 1}|{at})\b", said), said


def ends(name, data):
    """Where a file may stop without anybody seeing it: at the end of a line, or of a record of an event file."""
    if name == "tfevents":
        found, at = set(), 0
        while at < len(data):
            at += 16 + struct.unpack("<Q", data[at : at + 8])[0]
            found.add(at)
        return found
    found = {at for at in range(1, len(data)) if data[at - 1 : at] == b"\n" or not data[at:].split(b"\n")[0].strip()}
    if name == "trec-run":  # the run's name in the only line may be any
        found |= set(range(data.index(b"\n")))
    if name == "sacrebleu":  # that a number was cut is seen by the decimals of ten others
        found |= {at for at in range(len(data)) if data[:at].count(b"\n") <= 10}
    return found


def check_cut(name, path, data, places):
    """Every cut is refused, noted, or leaves a shorter file; how many do that."""
    fixture, unseen, silent = FIXTURES[name], ends(name, data), 0
    path.write_bytes(data)
    whole, known = table(path, fixture)
    for at in places:
        path.write_bytes(data[:at])
        rows, notes, said = outcome(path, fixture)
        if said is not None:
            assert path.name in said or "no score" in said, said
            continue
        assert notes - known or at in unseen, f"read as a whole file: {data[:at][-40:]}"
        if not notes - known:
            silent += 1
            assert name in BY_CUT or not rows - whole or at in unseen, rows - whole
            assert sum(rows.values()) <= sum(whole.values())
    return silent


def text_of(name, path):
    """The fixture; of plain numbers more than that."""
    return "".join(f"{n}.{n}5\n" for n in range(10, 29)).encode() if name == "sacrebleu" else path.read_bytes()


@pytest.mark.parametrize("name", TEXTS)
def test_text_that_is_cut_is_refused_noted_or_a_shorter_file(name, tmp_path):
    path = FIXTURES[name].write(tmp_path)
    data = text_of(name, path)
    last = data[:-1].rfind(b"\n") + 1
    near = {*range(last, last + 12), *range(len(data) - 12, len(data)), *range(20, len(data), 1 + len(data) // 20)}
    check_cut(name, path, data, sorted(at for at in near if at < len(data)))


@pytest.mark.slow
@pytest.mark.parametrize("name", TEXTS)
def test_text_that_is_cut_anywhere_is_refused_noted_or_a_shorter_file(name, tmp_path):
    path = FIXTURES[name].write(tmp_path)
    data = text_of(name, path)
    assert check_cut(name, path, data, range(1, len(data))) > 0


def test_a_member_of_another_kind_is_named(tmp_path):
    """The records of a zipped log are its members."""
    import zipfile

    fixture = FIXTURES["inspect"]
    path = fixture.write(tmp_path)
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    odd = sorted(name for name in members if name.startswith("samples/"))[1]
    for kind in KINDS.values():
        with zipfile.ZipFile(path, "w") as archive:
            for name, data in members.items():
                archive.writestr(name, json.dumps(kind) if name == odd else data)
        assert odd in sentence(path, fixture)


@pytest.mark.parametrize("name", [name for name in RECORDS if name not in {"hal", "swe-bench", "rl-runs", "dopamine"}])
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_what_one_record_holds_changes_no_other_attempt(name, tmp_path_factory, data):
    """Whatever stands in the middle record, the attempts of the others are read, or something is said."""
    fixture = FIXTURES[name]
    path = fixture.write(tmp_path_factory.mktemp("record"))
    value, at = middle(name, path.read_bytes())
    whole, known = table(path, fixture)
    record = value
    for key in at:
        record = record[key]
    place = data.draw(st.sampled_from(list(places(record))))
    path.write_text(json.dumps(replaced(value, (*at, *place), data.draw(JSON))))
    rows, notes, said = outcome(path, fixture)
    if said is None and not notes - known:
        most = -(-sum(whole.values()) // 3) if name in {"mteb", "dreamer"} else 2  # runs, or metrics, of one record
        assert sum((whole - rows).values()) <= most, whole - rows
        assert sum((rows - whole).values()) <= most, rows - whole


@pytest.mark.parametrize("name", [name for name in TEXTS if name not in BY_CUT])
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(place=st.floats(0, 1), new=st.binary(max_size=8), cut=st.integers(0, 8))
def test_damage_below_the_header_changes_the_lines_that_it_touches(name, tmp_path_factory, place, new, cut):
    fixture = FIXTURES[name]
    path = fixture.write(tmp_path_factory.mktemp("text"))
    data = path.read_bytes()
    first = 0 if name in {"sacrebleu", "trec-eval"} else data.index(b"\n") + 1
    last = data.index(b"runid") if name == "trec-eval" else len(data)  # below it stands the model of all lines
    at = min(first + int(place * (last - first)), last - 1)
    old = data[at : min(at + cut, last)]
    whole, known = table(path, fixture)
    path.write_bytes(data[:at] + new + data[at + len(old) :])
    rows, notes, said = outcome(path, fixture)
    moved = new.count(b"\n") != old.count(b"\n") and name == "sacrebleu"  # items are the places of lines
    if said is None and not notes - known and not moved:
        a_line = -(-sum(whole.values()) // (data.count(b"\n") - bool(first)))
        touched = a_line * (1 + old.count(b"\n"))
        assert sum((whole - rows).values()) <= touched, whole - rows
        assert sum((rows - whole).values()) <= touched + a_line * len(new), rows - whole
