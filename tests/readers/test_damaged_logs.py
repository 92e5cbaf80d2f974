"""Damaged logs: whatever is cut or overwritten, the answer is rows or one sentence, never another exception."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.readers import inspect_by_hand, lm_eval_by_hand

from scorebars.errors import ReadError
from scorebars.readers.files import head_of
from scorebars.readers.inspect_log import InspectReader
from scorebars.readers.lm_eval import LmEvalReader

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
    path.write_bytes(damaged(FILES[name].read_bytes(), damages))

    rows_or_sentence(path)


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
