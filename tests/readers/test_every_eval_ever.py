"""every_eval_ever: samples, several results of one sample, the averages beside them."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import pytest
from tests.readers.logs_by_hand import EVERY_EVAL_EVER
from tests.readers.parts_by_hand import cells, part_of

from scorebars.errors import ReadError
from scorebars.readers.read import read

SHARED = Path(__file__).parents[3] / "shared" / "data" / "every_eval_ever"
needs_shared = pytest.mark.skipif(not SHARED.is_dir(), reason="../shared/data is not here")
AGGREGATE = {"schema_version": "0.3.0", "evaluation_id": "e", "evaluation_results": [{}, {}]}


def write(folder, samples=EVERY_EVAL_EVER, name="1_samples.jsonl"):
    path = folder / name
    path.write_text("".join(json.dumps(sample) + "\n" for sample in samples))
    return path


def with_each(**fields):
    return [sample | fields for sample in copy.deepcopy(EVERY_EVAL_EVER)]


def test_a_sample_of_several_results_has_a_metric_for_each(tmp_path):
    both = with_each(evaluation_result_id="sums.em") + with_each(evaluation_result_id="sums.f1")
    assert read(write(tmp_path, both)).metrics == ("sums.em", "sums.f1")


def test_is_correct_is_a_metric_where_it_differs(tmp_path):
    graded = with_each(evaluation={"score": 0.4, "is_correct": False})
    scores = read(write(tmp_path, graded))
    assert scores.metrics == ("is_correct", "score")
    assert read(write(tmp_path)).metrics == ()


def test_an_error_row_keeps_its_score(tmp_path):
    samples = copy.deepcopy(EVERY_EVAL_EVER)
    samples[0] |= {"error": "timeout"}
    samples[1] |= {"error": "timeout", "evaluation": {"score": None, "is_correct": None}}
    part = part_of(write(tmp_path, samples))
    assert part.rows["status"].tolist() == ["error", "error", "ok", "ok"]
    assert part.rows["score"].tolist()[0] == 0.0


def test_the_cluster_is_a_field_of_the_metadata(tmp_path):
    part = part_of(write(tmp_path, with_each(metadata={"subject": "law"})), cluster="metadata.subject")
    assert set(part.rows["cluster"]) == {"law"}
    with pytest.raises(ReadError, match=r"no field 'metadata.subjekt'.*did you mean 'metadata.subject'"):
        read(write(tmp_path, with_each(metadata={"subject": "law"})), cluster="metadata.subjekt")


def test_averages_are_skipped_beside_their_samples_and_refused_alone(tmp_path):
    write(tmp_path)
    path = tmp_path / "1.json"
    path.write_text(json.dumps(AGGREGATE))
    scores = read(tmp_path)
    assert [(part.path.name, part.notes) for part in scores.parts] == [("1_samples.jsonl", ())]
    named = AGGREGATE | {"detailed_evaluation_results": {"file_path": "data/x/1_samples.jsonl"}}
    path.write_text(json.dumps(named))
    with pytest.raises(ReadError, match="2 averages and no score of a sample; its samples are in 'data/x/1_samples"):
        read(path)


@needs_shared
@pytest.mark.shared_data
def test_the_real_samples_are_read():
    part = part_of(SHARED / "f3a1c0de-4b2e-4c1a-9f6d-1b7e5a2c8d40_samples.jsonl", cluster="metadata.subject")
    assert cells(part, "model", "task", "item", "score", "cluster") == [
        ("demo-org/demo-model", "demo-source.demo_bench", "demo_0001", 1.0, "arithmetic")
    ]


@needs_shared
@pytest.mark.shared_data
def test_the_real_averages_are_refused():
    with pytest.raises(ReadError, match="6 averages and no score of a sample; it names no file of samples"):
        read(SHARED / "98ea850e-7019-4728-a558-8b1819ec47c2.json")
