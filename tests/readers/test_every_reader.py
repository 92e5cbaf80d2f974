"""What every reader must do, on a small file of its format: read it, and meet every damage with one sentence.

Chance plays no part but in the last test, whose damages hypothesis chooses: any is answered by rows or a sentence.
"""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.readers.formats import FIXTURES

from scorebars.errors import ScorebarsError
from scorebars.readers import READERS, without_score
from scorebars.readers.read import read

DOCS = Path(__file__).parents[2] / "docs"


def table(path, fixture):
    """All attempts that are read of a path."""
    scores = read(path, **dict(fixture.options))
    return scores, sum(len(cut.sample.score) for cut in scores.with_options(on_error="wrong").cuts().cuts)


def paths(path, fixture):
    """The file, with those that must be named beside it."""
    return [path, *(path.parent / name for name in fixture.beside)]


def sentence(path, fixture):
    """What reading a damaged file says; None if rows came out."""
    try:
        read(paths(path, fixture), **dict(fixture.options)).cuts()
    except ScorebarsError as error:
        return str(error)
    return None


@pytest.fixture(params=list(READERS))
def fixture(request):
    return FIXTURES[request.param]


@pytest.fixture
def path(fixture, tmp_path):
    return fixture.write(tmp_path)


def test_every_reader_has_a_fixture_and_a_page():
    assert list(FIXTURES) == list(READERS)
    page = (DOCS / "reading-files.md").read_text()
    for name, entry in READERS.items():
        assert entry.example.startswith("scorebars "), name
        if name != "table":
            assert f"formats/{name}.md" in page, name
            assert (DOCS / "formats" / f"{name}.md").is_file(), name


@pytest.mark.parametrize("name", list(READERS))
def test_what_the_official_tool_does_with_errors_is_on_the_page_too(name):
    page = (DOCS / "formats" / f"{name}.md").read_text().replace("`", "")
    page = " ".join(page.replace("τ²-bench", "tau2-bench").replace("τ-bench", "tau-bench").split())
    said = without_score(READERS[name].on_error, READERS[name].official)
    assert f"{said[0].upper()}{said[1:]}." in page


@pytest.mark.parametrize("name", list(READERS))
def test_each_file_says_what_the_official_tool_does_with_errors(name, tmp_path):
    fixture = FIXTURES[name]
    explained = read(paths(fixture.write(tmp_path), fixture), **dict(fixture.options)).explain()
    for file in explained["files"]:
        assert file["official"] == READERS[name].official
        assert file["official"][-1] not in "., "
        assert file["on_error"] == READERS[name].on_error


@pytest.mark.parametrize("name", list(READERS))
def test_the_fixture_is_read_by_its_reader(name, tmp_path):
    fixture = FIXTURES[name]
    scores = read(paths(fixture.write(tmp_path), fixture), **dict(fixture.options))
    assert {part.reader for part in scores.parts} == {name}
    assert scores.models == fixture.models
    assert sum(scores._state.rows.counts("model").values()) == fixture.rows


def test_a_folder_and_gzip_give_the_same(fixture, tmp_path, path):
    counts = read(paths(path, fixture), **dict(fixture.options))._state.rows.counts("item")
    assert read(path.parent, **dict(fixture.options))._state.rows.counts("item") == counts
    if path.suffix not in {".eval", ".npz", ".xlsx"}:  # archives are compressed already
        packed = path.with_name(path.name + ".gz")
        packed.write_bytes(gzip.compress(path.read_bytes()))
        path.unlink()
        assert read(paths(packed, fixture), **dict(fixture.options))._state.rows.counts("item") == counts


@pytest.mark.parametrize("share", [0.25, 0.5, 0.9])
def test_a_truncated_file_is_not_a_shorter_one(fixture, path, share):
    if fixture.lines == "text":
        pytest.skip("a line that was cut may look whole: see test_every_damage.py")
    data = path.read_bytes()
    cut = data[: int(share * len(data))]
    if fixture.lines:  # in the middle of a line, as a full disk leaves it
        last = cut.rfind(b"\n") + 1
        cut = cut[:last] + data[last : last + max(1, (data.find(b"\n", last) - last) // 2)]
    path.write_bytes(cut)
    said = sentence(path, fixture)
    assert said is not None, "read as a shorter file"
    assert path.name in said
    assert "\n" not in said


def test_an_empty_file_says_so(fixture, path):
    path.write_bytes(b"")
    said = sentence(path, fixture)
    assert said is not None
    assert path.name in said


def test_other_bytes_than_utf8_are_named(fixture, path):
    data = path.read_bytes()
    if data[:2] == b"PK" or data[:6] == b"\x93NUMPY" or data[:4] == b"PAR1" or b"brain.Event" in data[:64]:
        pytest.skip("the format is binary")
    middle = data.find(b'"', len(data) // 2) + 1 or len(data) // 2
    path.write_bytes(data[:middle] + b"\xe9\xe8" + data[middle:])
    said = sentence(path, fixture)
    assert said is not None
    assert path.name in said
    assert "UTF-8" in said


def test_a_corrupted_middle_is_an_error(fixture, path):
    data = path.read_bytes()
    if data[:1] not in b"[{":
        pytest.skip("not JSON: see test_every_damage.py, and the tests of archives, Parquet, XML and event files")
    middle = data.find(b":", len(data) // 2)
    path.write_bytes(data[:middle] + b";" + data[middle + 1 :])
    said = sentence(path, fixture)
    assert said is not None
    assert path.name in said
    line = data[:middle].count(b"\n") + 1
    assert re.search(rf"line {line}\b", said), said


def test_the_same_file_twice_counts_once(fixture, path):
    once = read(paths(path, fixture), **dict(fixture.options))._state.rows.counts("item")
    again = read([path, *paths(path, fixture)], **dict(fixture.options))._state.rows.counts("item")
    assert again == once


def test_a_link_that_loops_is_followed_once(fixture, path):
    (path.parent / "loop").symlink_to(path.parent, target_is_directory=True)
    assert read(path.parent, **dict(fixture.options)).models == fixture.models


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=4,
)


def places(value, found=()):
    """Every place in a JSON value, as its path of keys and numbers."""
    yield found
    if isinstance(value, dict):
        for key in value:
            yield from places(value[key], (*found, key))
    elif isinstance(value, list):
        for number, each in enumerate(value[:3]):
            yield from places(each, (*found, number))


def replaced(value, place, new):
    if not place:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[place[0]] = replaced(value[place[0]], place[1:], new)
    return copy


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_field_of_any_type_gives_rows_or_a_sentence(fixture, path, data):
    original = path.read_bytes()
    try:
        if original[:1] not in b"[{":
            lines = None
            value = None
        elif fixture.lines:
            lines = original.decode().splitlines()
            value = json.loads(lines[0])
        else:
            lines, value = None, json.loads(original)
        if value is None:
            at = data.draw(st.integers(0, len(original) - 1))
            damage = data.draw(st.binary(max_size=8))
            path.write_bytes(original[:at] + damage + original[at + data.draw(st.integers(0, 8)) :])
        else:
            place = data.draw(st.sampled_from(list(places(value))))
            changed = json.dumps(replaced(value, place, data.draw(JSON)))
            path.write_text("\n".join([changed, *(lines or [""])[1:]]) + "\n")
        said = sentence(path, fixture)
        if said is None:  # what it may not be is in test_every_damage.py
            scores = read(paths(path, fixture), **dict(fixture.options))
            assert sum(scores._state.rows.counts("model").values()) > 0
        else:
            assert "\n" not in said
    finally:
        path.write_bytes(original)
