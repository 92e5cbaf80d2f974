"""lighteval details: Parquet with columns of structs, in the three generations of the format."""

from __future__ import annotations

import json
import math
import shutil
from pathlib import Path

import pytest
from tests.readers.parts_by_hand import cells, part_of

import scorebars as sb
from scorebars.errors import ReadError, ScorebarsError
from scorebars.readers.read import read

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

WRITTEN = Path(__file__).parents[1] / "fixtures" / "lighteval" / "details.parquet"
OWN = {"em": 1.0, "avg@n:n=2": 0.6666666666666666, "pass@k:k=1&n=4": 0.6666666666666666, "f1": 1.0}
"""The averages that lighteval gave of it."""
DATE = "2025-01-02T03-04-05.678901"
RESULTS = {"config_general": {"model_name": "org/model"}, "results": {"lighteval|gsm8k|0": {"em": 0.5}}, "versions": {}}


def write(folder, columns, task="lighteval|gsm8k|0", model="org/model", date=DATE):
    below = folder / "details" / model / date
    below.mkdir(parents=True, exist_ok=True)
    path = below / f"details_{task}_{date}.parquet"
    pq.write_table(pa.table(columns), path)
    return path


def documents(n, ids=None):
    return [{"query": "?", "choices": ["1"], "gold_index": 0, "id": str(place)} for place in ids or range(n)]


def details(metrics, ids=None):
    answers = [{"text": ["2"], "logprobs": []}] * len(metrics)
    return {"__doc__": documents(len(metrics), ids), "__metric__": metrics, "__model_response__": answers}


def test_structs_become_metrics_and_the_path_names_model_and_task(tmp_path):
    part = part_of(write(tmp_path, details([{"em": 1.0, "f1": 0.5}, {"em": 0.0, "f1": math.nan}])))
    assert cells(part, "model", "task", "item", "metric", "status") == [
        ("org/model", "lighteval|gsm8k|0", "0", "em", "ok"),
        ("org/model", "lighteval|gsm8k|0", "0", "f1", "ok"),
        ("org/model", "lighteval|gsm8k|0", "1", "em", "ok"),
        ("org/model", "lighteval|gsm8k|0", "1", "f1", "missing"),
    ]
    assert part.created == "2025-01-02T03:04:05.678901"


def test_the_means_of_a_real_file_are_lightevals_own(tmp_path):
    date = "2026-11-30T08-47-38.617033"
    path = tmp_path / "details" / "org" / "mine" / date / f"details_sums|0_{date}.parquet"
    path.parent.mkdir(parents=True)
    shutil.copyfile(WRITTEN, path)
    beside = tmp_path / "results" / "org" / "mine" / f"results_{date}.json"
    beside.parent.mkdir(parents=True)
    beside.write_text(json.dumps(RESULTS | {"results": {"sums|0": OWN | {"bleu": 0.0}, "all": OWN}}))

    scores = read(tmp_path)

    assert (scores.models, scores.tasks, scores.metrics) == (("org/mine",), ("sums|0",), tuple(sorted(OWN)))
    for metric, value in OWN.items():
        [estimate] = sb.estimate(scores.select(metric=metric))
        assert (estimate.value, estimate.n_items) == (pytest.approx(value), 12)
    part = part_of(path)
    assert "header-disagrees" not in {note.code for note in part.notes}
    assert dict(part.unusable)["bleu"].startswith("12 of its values are lists")
    beside.write_text(beside.read_text().replace("0.6666666666666666", "0.7", 1))
    assert "header-disagrees" in {note.code for note in part_of(path).notes}


def test_tasks_of_a_folder_are_tasks_and_averages_are_left_out(tmp_path):
    write(tmp_path, details([{"em": 1.0}, {"em": 0.0}]), task="a|b|0")
    write(tmp_path, details([{"em": 1.0}]), task="c|d|5")
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "results_x.json").write_text(json.dumps(RESULTS))
    scores = read(tmp_path)
    assert scores.tasks == ("a|b|0", "c|d|5")
    assert [part.path.suffix for part in scores.parts] == [".parquet", ".parquet"]


def test_averages_alone_are_refused(tmp_path):
    path = tmp_path / "results_x.json"
    path.write_text(json.dumps(RESULTS))
    with pytest.raises(ReadError, match=r"averages of a lighteval run.*--save-details"):
        read(path)


def test_a_metric_of_the_whole_corpus_has_no_score_of_a_document(tmp_path):
    rows = [
        {"em": 1.0, "bleu": {"golds": ["a"], "preds": ["b"]}},
        {"em": 0.0, "bleu": {"golds": ["a"], "preds": ["a"]}},
    ]
    path = write(tmp_path, details(rows))
    assert sb.estimate(read(path))[0].value == 0.5
    with pytest.raises(ScorebarsError, match="'bleu' is no score: 2 of its values are lists or objects"):
        read(path, metric="bleu")


def test_documents_with_null_columns_and_nested_ids_are_read(tmp_path):
    plain = [{"query": "?", "images": None, "specific": {"id": "inner"}}] * 2
    part = part_of(write(tmp_path, details([{"em": 1.0}, {"em": 0.0}]) | {"__doc__": plain}))
    assert part.rows["item"].tolist() == ["0", "1"]


def test_ids_that_repeat_are_not_used(tmp_path):
    part = part_of(write(tmp_path, details([{"em": 1.0}, {"em": 0.0}], ids=[7, 7])))
    assert part.rows["item"].tolist() == ["0", "1"]
    assert "ids are missing or repeat" in dict(part.mapping)["item"]


def test_columns_without_underscores_and_the_older_ones_are_read(tmp_path):
    new = {"doc": documents(1, [3]), "metric": [{"em": 1.0}], "model_response": [{"text": ["2"]}]}
    assert cells(part_of(write(tmp_path, new, task="new")), "item", "score") == [("3", 1.0)]
    old = {"example": ["?"], "full_prompt": ["? "], "metrics": [{"acc": 0.0}], "predictions": [["2"]]}
    assert cells(part_of(write(tmp_path, old, task="old")), "item", "metric", "score") == [("0", "acc", 0.0)]


def test_what_was_stored_as_pythons_text_is_read(tmp_path):
    """lighteval stores every column as text where a run cannot be stored as it is."""
    texts = {"__doc__": ["Doc(…)"] * 2, "__metric__": ["{'em': 1.0}", "{'em': 0}"], "__model_response__": ["…"] * 2}
    assert part_of(write(tmp_path, texts)).rows["score"].tolist() == [1.0, 0.0]
    texts["__metric__"][1] = "{'em': object()}"
    with pytest.raises(ReadError, match=r"row 2: its metrics are '\{'em': object\(\)\}', which is no object"):
        read(write(tmp_path, texts))


def test_a_details_data_set_of_the_hub_names_the_model(tmp_path):
    path = write(tmp_path, details([{"em": 1.0}]))
    folder = tmp_path / "details_org__some_model_private" / DATE
    folder.mkdir(parents=True)
    moved = path.rename(folder / path.name)
    scores = read(moved)
    assert (scores.models, scores.parts[0].notes) == (("org/some_model",), ())
    (tmp_path / "else").mkdir()
    (said,) = read(moved.rename(tmp_path / "else" / path.name)).parts[0].notes
    assert said.message.startswith("model 'else' is named after its folder, because no folder 'details' or 'details_")


def test_other_parquet_is_a_table(tmp_path):
    path = tmp_path / "scores.parquet"
    pq.write_table(pa.table({"model": ["A", "A"], "item": ["1", "2"], "score": [1.0, 0.0]}), path)
    assert read(path).parts[0].reader == "table"


@pytest.mark.parametrize(
    ("columns", "sentence"),
    [
        (details([{"em": "high"}]), "no metric with a score \\('em': 1 of its values are text"),
        (details([{"em": None}]), "no metric with a score \\('em': it is null"),
        (details([{"em": math.inf}]), "no metric with a score \\('em': .*infinite"),
        ({"text": ["a"]}, "has no column of metrics"),
    ],
)
def test_what_cannot_be_read_says_why(tmp_path, columns, sentence):
    with pytest.raises(ReadError, match=sentence):
        read(write(tmp_path, columns))
