"""RAGAS tables: what the judge did not return, who is no column, and averages."""

from __future__ import annotations

import csv
import json
import math
from pathlib import Path

import pytest
from tests.readers.logs_by_hand import RAGAS
from tests.readers.parts_by_hand import cells, part_of

import scorebars as sb
from scorebars.errors import ReadError, ScorebarsError
from scorebars.readers.read import read

SHARED = Path(__file__).parents[3] / "shared" / "data" / "ragas" / "pulsevent.ragas_results.csv"
needs_shared = pytest.mark.skipif(not SHARED.is_file(), reason="../shared/data is not here")


def write(folder, text=RAGAS, name="samples.csv"):
    path = folder / name
    path.write_text(text)
    return path


def test_an_empty_cell_is_missing_and_an_empty_column_no_metric(tmp_path):
    scores = read(write(tmp_path))
    assert scores.metrics == ("answer_relevancy", "faithfulness")
    part = part_of(write(tmp_path))
    faithful = [row[1:] for row in cells(part, "metric", "item", "score", "status") if row[0] == "faithfulness"]
    assert [row[::2] for row in faithful] == [("1", "ok"), ("2", "missing"), ("3", "ok")]
    with pytest.raises(ScorebarsError, match="'context_precision' is no score: it is empty in all 3 rows"):
        read(write(tmp_path), metric="context_precision")


def test_the_mean_is_over_the_cells_that_are_filled_as_in_ragas(tmp_path):
    estimate = sb.estimate(read(write(tmp_path), metric="faithfulness"))[0]
    assert estimate.value == pytest.approx((1.0 + 0.5) / 2)
    assert estimate.n_items == 2


def test_a_byte_order_mark_changes_nothing(tmp_path):
    path = tmp_path / "bom.csv"
    path.write_bytes(b"\xef\xbb\xbf" + RAGAS.encode())
    assert cells(part_of(path), "item", "metric") == cells(part_of(write(tmp_path)), "item", "metric")


def test_rows_are_items_and_that_is_noted_unless_a_column_is_named(tmp_path):
    assert [remark.code for remark in part_of(write(tmp_path)).notes] == ["rows-as-items"]
    part = part_of(write(tmp_path), columns={"item": "user_input"})
    assert part.notes == ()
    assert set(part.rows["item"]) == {"Who?", "When?", "Where?"}


def test_a_column_named_model_or_id_is_taken(tmp_path):
    lines = RAGAS.splitlines()
    text = "\n".join([f"id,model,{lines[0]}", *(f"q{n},gpt,{line}" for n, line in enumerate(lines[1:]))])
    part = part_of(write(tmp_path, text))
    assert set(part.rows["model"]) == {"gpt"}
    assert part.rows["item"].tolist()[::2] == ["q0", "q1", "q2"]


def test_metrics_of_ones_own_and_modes_are_metrics_and_text_is_none(tmp_path):
    text = "user_input,response,faithfulness,factual_correctness(mode=f1),my_rubric,comment\na,b,1,0.5,4,fine\n"
    part = part_of(write(tmp_path, text))
    assert part.rows["metric"].tolist() == ["faithfulness", "factual_correctness(mode=f1)", "my_rubric"]
    assert dict(part.unusable)["comment"] == "it has cells that are no numbers ('fine' in row 1)"
    assert part.score_range is None


def test_records_and_the_names_before_0_2_are_read(tmp_path):
    record = {"question": "a", "answer": "b", "contexts": ["c"], "ground_truth": "b", "faithfulness": 0.5}
    assert cells(part_of(write(tmp_path, json.dumps([record]), "a.json")), "metric", "score") == [("faithfulness", 0.5)]
    lines = "".join(json.dumps(record | {"faithfulness": score}) + "\n" for score in (0.25, None))
    part = part_of(write(tmp_path, lines, "a.jsonl"))
    assert part.rows["status"].tolist() == ["ok", "missing"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('{"faithfulness": 0.8, "answer_relevancy": 0.9}', "scores.json"),
        ("faithfulness,answer_relevancy\n0.8,0.9\n", "ragas_results.csv"),
    ],
)
def test_averages_are_refused_with_what_is_missing(tmp_path, text, name):
    with pytest.raises(ReadError, match=r"averages of RAGAS metrics, no score of a sample; save the table of samples"):
        read(write(tmp_path, text, name))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("user_input,response,faithfulness\n", "a header and no rows"),
        (
            "user_input,response,faithfulness\na,b,\n",
            "no metric with a score \\('faithfulness': it is empty in the only row",
        ),
        ("user_input,response,faithfulness\na,b,inf\n", "no metric with a score.*no numbers \\('inf' in row 1\\)"),
        ("id,user_input,response,faithfulness\n,b,c,1\n", "row 1 has an empty cell in id"),
        ("user_input,response,faithfulness\na,b,1,2\n", "line 2 has 4 cells"),
    ],
)
def test_what_cannot_be_read_says_why(tmp_path, text, sentence):
    with pytest.raises(ReadError, match=sentence):
        read(write(tmp_path, text))


def test_scores_are_not_mapped(tmp_path):
    with pytest.raises(ReadError, match="'score' cannot be mapped in a RAGAS table"):
        read(write(tmp_path), columns={"score": "faithfulness"})


def test_everyones_metrics_alone_are_a_plain_table(tmp_path):
    text = "model,question,answer,exact_match\nA,q1,x,1\nA,q2,y,0\n"
    assert read(write(tmp_path, text)).parts[0].reader == "table"


@needs_shared
@pytest.mark.shared_data
def test_the_real_table_has_the_means_of_its_filled_cells():
    with SHARED.open(encoding="utf-8-sig", newline="") as stream:
        records = list(csv.DictReader(stream))
    scores = read(SHARED)
    assert (scores.models, len(records)) == (("pulsevent.ragas_results",), 6)
    assert scores.metrics == ("context_precision", "context_recall")
    assert set(dict(scores.parts[0].unusable)) == {"faithfulness", "answer_relevancy"}
    for metric in scores.metrics:
        own = [float(record[metric]) for record in records if record[metric]]
        estimate = sb.estimate(scores.select(metric=metric))[0]
        assert math.isclose(estimate.value, sum(own) / len(own), abs_tol=1e-12)
        assert estimate.n_items == len(own) < 6
