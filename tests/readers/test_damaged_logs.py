"""Damaged logs: whatever is cut or overwritten, the answer is rows or one sentence, never another exception."""

from __future__ import annotations

import json
import re
import struct
import zipfile
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.readers import inspect_by_hand, lm_eval_by_hand

from scorebars.errors import ReadError, ScorebarsError
from scorebars.readers.files import head_of
from scorebars.readers.inspect_log import InspectReader
from scorebars.readers.lm_eval import LmEvalReader
from scorebars.readers.read import read

EXAMPLES = Path(__file__).parents[2] / "examples"
FILES = {
    "zstandard": EXAMPLES / "inspect" / "sums_careful.eval",
    "deflate": EXAMPLES / "inspect" / "sums_hasty.eval",
    "json": EXAMPLES / "inspect" / "sums_guessing.json",
    "samples": next((EXAMPLES / "lm_eval" / "hasty").glob("samples_sums_easy_*")),
    "results": next((EXAMPLES / "lm_eval" / "hasty").glob("results_*")),
}
settings.register_profile(
    "damage", max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
DAMAGE = st.lists(
    st.tuples(st.sampled_from(["cut", "overwrite", "insert", "remove"]), st.floats(0, 1), st.binary(max_size=12)),
    min_size=1,
    max_size=3,
)


def damaged(data, damages):
    """The bytes after each damage at a relative place."""
    for kind, place, extra in damages:
        at = int(place * len(data))
        rest = {"cut": b"", "overwrite": extra + data[at + len(extra) :], "insert": extra + data[at:]}
        data = data[:at] + rest.get(kind, data[at + 1 + len(extra) :])
    return data


def rows_or_sentence(path):
    """Read a file with whichever of the two readers claims it."""
    if not path.stat().st_size:
        return
    sentence = None
    try:
        head = head_of(path)
        if InspectReader().claims(head):
            inspect_by_hand.read_all(path)
        elif LmEvalReader().claims(head):
            lm_eval_by_hand.read_all(path)
    except ReadError as error:
        sentence = str(error)

    assert sentence is None or str(path.parent) in sentence
    assert "\n" not in (sentence or "")


@pytest.mark.parametrize("name", FILES)
@settings(settings.get_profile("damage"))
@given(damages=DAMAGE)
def test_damage_gives_rows_or_one_sentence(tmp_path, name, damages):
    path = tmp_path / FILES[name].name
    path.write_bytes(FILES[name].read_bytes())
    whole = attempts(path)
    path.write_bytes(damaged(FILES[name].read_bytes(), damages))

    rows_or_sentence(path)
    found = attempts(path)
    if found is None or not found[0]:
        return
    if name in ("zstandard", "deflate"):  # each member has its checksum
        assert found[0] == whole[0] or found[1] - whole[1]
    else:
        assert sum(found[0].values()) == sum(whole[0].values()) or found[1] - whole[1]


def attempts(path):
    """The attempts of a damaged file, each with its score, and what is said of them; None where it is refused."""
    try:
        scores = read(path)
        made = scores.tidy()
        said = {one.code for part in scores.parts for one in part.notes}
    except ScorebarsError:
        return None
    return Counter(map(repr, zip(made["item"], made["score"], strict=True))), said


LEAF = st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=3) | st.just("C")
KEYS = st.sampled_from(["a", "b", "name", "scorer", "metrics", "value"])
FLAT = st.lists(LEAF, max_size=3) | st.dictionaries(KEYS, LEAF, max_size=3)
JSON = LEAF | FLAT | st.lists(FLAT, max_size=2) | st.dictionaries(KEYS, FLAT, max_size=2)


@settings(settings.get_profile("damage"))
@given(value=JSON, epoch=JSON, item=JSON, metadata=JSON, error=JSON)
def test_inspect_fields_of_any_type(tmp_path, value, epoch, item, metadata, error):
    odd = inspect_by_hand.sample(1, s=value) | {"id": item, "epoch": epoch, "metadata": metadata, "error": error}
    path = inspect_by_hand.write_json(tmp_path / "a.json", [inspect_by_hand.sample(1, s="C"), odd])

    rows_or_sentence(path)


@settings(settings.get_profile("damage"))
@given(block=st.sampled_from(["eval", "results", "plan", "samples", "status"]), value=JSON)
def test_inspect_header_of_any_type(tmp_path, block, value):
    path = inspect_by_hand.write_json(tmp_path / "a.json", [inspect_by_hand.sample(1, s="C")], total=1)
    content = json.loads(path.read_text())
    inner = {"scores": value, "total_samples": value, "task": value, "dataset": value, "config": value}
    path.write_text(json.dumps(content | {block: value}))
    rows_or_sentence(path)
    path.write_text(json.dumps(content | {"results": inner, "eval": content["eval"] | inner}))
    rows_or_sentence(path)


@settings(settings.get_profile("damage"))
@given(
    value=JSON, item=JSON, key=st.sampled_from(["filter", "metrics", "doc_hash", "acc", "doc", "acc;--", 'a"c', "Acc"])
)
def test_lm_eval_fields_of_any_type(tmp_path, value, item, key):
    odd = lm_eval_by_hand.line(item, acc=0.5) | {key: value}
    if key not in ("filter", "metrics", "doc_hash", "doc"):
        odd["metrics"] = ["acc", key]
    path = lm_eval_by_hand.write_samples(tmp_path, [lm_eval_by_hand.line(0, acc=1.0), odd])

    rows_or_sentence(path)


@settings(settings.get_profile("damage"))
@given(key=st.sampled_from(["results", "n-samples", "config", "configs", "model_name", "lm_eval_version"]), value=JSON)
def test_lm_eval_results_of_any_type(tmp_path, key, value):
    lm_eval_by_hand.write_results(tmp_path, **{key: value})
    path = lm_eval_by_hand.write_samples(tmp_path, [lm_eval_by_hand.line(0, acc=1.0)])

    rows_or_sentence(path)


def one_sentence(path, **options):
    """What reading a path says, through the same door as users."""
    with pytest.raises(ScorebarsError) as error:
        read(path, **options).cuts()
    said = str(error.value)
    assert "\n" not in said
    return said


def inspect_json(folder):
    return inspect_by_hand.write_json(folder / "log.json", [inspect_by_hand.sample(i, s="C") for i in range(20)])


def inspect_eval(folder):
    return inspect_by_hand.write_eval(folder / "log.eval", [inspect_by_hand.sample(i, s="C") for i in range(20)])


def lm_eval(folder):
    lm_eval_by_hand.write_results(folder, counts={"toy": {"original": 20, "effective": 20}})
    return lm_eval_by_hand.write_samples(folder, [lm_eval_by_hand.line(i, acc=1.0) for i in range(20)])


WRITERS = {"inspect .json": inspect_json, "inspect .eval": inspect_eval, "lm-eval": lm_eval}


@pytest.fixture(params=WRITERS)
def whole(request, tmp_path):
    return WRITERS[request.param](tmp_path)


@pytest.mark.parametrize("share", [0.02, 0.3, 0.6, 0.97])
def test_truncated_files_are_named(whole, share):
    data = whole.read_bytes()
    whole.write_bytes(data[: int(share * len(data))])

    assert whole.name in one_sentence(whole)


def test_copies_under_two_names_are_named(whole):
    for path in list(whole.parent.iterdir()):  # an lm-eval file with the results file that names its model
        copy = path.with_name(path.name.replace("log", "copy").replace("2026-01-21", "2026-01-22"))
        copy.write_bytes(path.read_bytes())
    copy = next(path for path in whole.parent.iterdir() if path.suffix == whole.suffix and path != whole)
    said = one_sentence(whole.parent)

    assert whole.name in said
    assert copy.name in said
    assert "--label" in said


def test_one_corrupted_record_in_the_middle_is_named(tmp_path):
    path = inspect_json(tmp_path)
    path.write_text(path.read_text().replace('"id": 9,', '"id": 9;'))
    assert "line " in one_sentence(path)
    path = lm_eval(tmp_path)
    path.write_text(path.read_text().replace('"doc_id": 9,', '"doc_id": 9;'))
    assert "line 10 is not valid JSON" in one_sentence(path)


def test_unknown_version_is_said(tmp_path):
    path = inspect_json(tmp_path)
    assert not [note for note in read(path).cuts().notes if note.code == "unknown-version"]
    for version in (9, "2.1", None, [3]):
        content = json.loads(path.read_text()) | {"version": version}
        path.write_text(json.dumps(content, indent=2))
        (said,) = [note for note in read(path).cuts().notes if note.code == "unknown-version"]
        assert f"version {version if version is not None else 'null'}," in said.message


def lying(path, method, claimed):
    """A member that says it is smaller than it is, as a bomb does."""
    with zipfile.ZipFile(path, "w", method) as archive:
        archive.writestr("header.json", json.dumps(inspect_by_hand.header()))
        archive.writestr("samples/1_epoch_1.json", json.dumps(inspect_by_hand.sample(1, s="C")) + " " * 100_000)
    data = path.read_bytes()
    with zipfile.ZipFile(path) as archive:
        size = archive.getinfo("samples/1_epoch_1.json").file_size
    packed, small = struct.pack("<L", size), struct.pack("<L", claimed)
    assert data.count(packed) >= 2  # of the member's own header and of the directory
    path.write_bytes(data.replace(packed, small))
    return path


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED])
def test_member_that_is_larger_than_it_says_is_refused(tmp_path, method):
    said = one_sentence(lying(tmp_path / "bomb.eval", method, 200))

    assert "member 'samples/1_epoch_1.json' is damaged" in said


def test_zstandard_member_that_is_larger_than_it_says_is_refused(tmp_path):
    source = inspect_by_hand.write_eval(tmp_path / "a.eval", [inspect_by_hand.sample(1, s="x" * 50_000)])
    path = inspect_by_hand.to_zstandard(source, tmp_path / "bomb.eval")
    data = path.read_bytes()
    with zipfile.ZipFile(path) as archive:
        size = archive.getinfo("samples/1_epoch_1.json").file_size
    path.write_bytes(data.replace(struct.pack("<L", size), struct.pack("<L", 200)))

    assert "member 'samples/1_epoch_1.json' is damaged" in one_sentence(path)


def test_encrypted_member_is_refused(tmp_path):
    path = inspect_eval(tmp_path)
    data = bytearray(path.read_bytes())
    with zipfile.ZipFile(path) as archive:
        place = archive.start_dir
    while (place := data.find(b"PK\x01\x02", place)) >= 0:  # the flag of encryption, in the directory
        data[place + 8] |= 1
        place += 4
    path.write_bytes(data)

    assert "is damaged" in one_sentence(path)


@pytest.mark.parametrize("name", ["samples/../../evil.json", "/samples/evil.json", "../../evil_1_epoch_1.json"])
def test_a_member_that_leads_out_of_the_archive_is_refused(tmp_path, name):
    inner = tmp_path / "logs"
    inner.mkdir()
    path = inspect_by_hand.write_eval(
        inner / "a.eval", [inspect_by_hand.sample(1, s="C")], extra={name: inspect_by_hand.sample(2, s="I")}
    )
    with pytest.raises(ReadError, match=f"member '{re.escape(name)}' leads outside of the archive"):
        read(path)

    assert sorted(found.name for found in tmp_path.rglob("*")) == ["a.eval", "logs"]


@pytest.mark.parametrize("name", ["samples/C:\\evil.json", "samples/a..b_epoch_1.json", "samples/.._epoch_1.json"])
def test_odd_names_inside_the_archive_are_names(tmp_path, name):
    path = inspect_by_hand.write_eval(
        tmp_path / "a.eval", [inspect_by_hand.sample(1, s="C")], extra={name: inspect_by_hand.sample(2, s="I")}
    )
    assert len(read(path).tidy()["score"]) == 2


def test_folder_that_links_to_itself_is_read_once(whole):
    (whole.parent / "loop").symlink_to(whole.parent, target_is_directory=True)
    (whole.parent / "dangling.eval").symlink_to(whole.parent / "nowhere")

    assert len(read(whole.parent).tidy()["score"]) == 20


@pytest.mark.slow
def test_one_value_of_200_megabytes(tmp_path):
    text = "x" * 200_000_000
    big = inspect_by_hand.sample(2, s="I") | {"store": {"text": text}}
    samples = [inspect_by_hand.sample(1, s="C"), big]
    for path in (
        inspect_by_hand.write_eval(tmp_path / "a.eval", samples),
        inspect_by_hand.write_json(tmp_path / "a.json", samples),
    ):
        assert read(path).tidy()["score"].tolist() == [1.0, 0.0]
    short, long = lm_eval_by_hand.line(0, acc=1.0), lm_eval_by_hand.line(1, doc={"text": text}, acc=1.0)
    for lines in ([long], [short, long]):
        path = lm_eval_by_hand.write_samples(tmp_path, lines)
        assert "a line is longer than 67,108,864 bytes, the most that is read" in one_sentence(path)
    (tmp_path / "value.json").write_text(
        json.dumps({"eval": {"model": "m", "task": "t", "dataset": {}, "created": text}})
    )
    assert "value.json" in one_sentence(tmp_path / "value.json")
