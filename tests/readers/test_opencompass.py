"""OpenCompass: details by number, details of repeated runs, and averages."""

from __future__ import annotations

import copy
import json

import pytest
from tests.readers.logs_by_hand import OPENCOMPASS
from tests.readers.parts_by_hand import cells, part_of

import scorebars as sb
from scorebars.errors import ReadError
from scorebars.readers.read import read


def write(folder, content, name="gsm8k.json", model="qwen2-7b"):
    below = folder / "results" / model
    below.mkdir(parents=True, exist_ok=True)
    path = below / name
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


def test_the_path_names_model_and_task_and_the_mean_is_the_accuracy(tmp_path):
    scores = read(write(tmp_path, OPENCOMPASS))
    assert (scores.models, scores.tasks) == (("qwen2-7b",), ("gsm8k",))
    assert 100 * sb.estimate(scores)[0].value == pytest.approx(OPENCOMPASS["accuracy"])
    assert scores.parts[0].notes == ()


def test_an_accuracy_that_the_details_do_not_give_is_noted(tmp_path):
    [remark] = part_of(write(tmp_path, OPENCOMPASS | {"accuracy": 70.0})).notes
    assert remark.code == "header-disagrees"
    assert "accuracy is given as 70, and its rows give 75" in remark.message


def test_details_in_lists_are_runs(tmp_path):
    rows = [
        {"example_abbr": f"main_{place}", "pred": ["1", "2"], "answer": ["2", "2"], "correct": [False, place == 0]}
        for place in range(2)
    ]
    part = part_of(write(tmp_path, {"accuracy (2 runs average)": 25.0, "details": rows}))
    assert cells(part, "item", "run", "score") == [
        ("main_0", "1", 0.0), ("main_0", "2", 1.0), ("main_1", "1", 0.0), ("main_1", "2", 0.0),
    ]  # fmt: skip


def test_the_verdict_on_another_models_extraction_is_a_metric(tmp_path):
    content = copy.deepcopy(OPENCOMPASS)
    for place in "0123":
        content["details"][place]["model_extract_correct"] = True
    scores = read(write(tmp_path, content))
    assert scores.metrics == ("correct", "model_extract_correct")


def plain(*predictions, runs=1, **more):
    """Details as AccEvaluator of 0.5.4 leaves them: of each run the same prompts, one after the other."""
    details = {
        str(place): {"prompt": f"Q: {place % (len(predictions) // runs)}", "origin_prediction": one, "predictions": one}
        | {"references": "yes"}
        for place, one in enumerate(predictions)
    }
    last = predictions[-(len(predictions) // runs) :]
    accuracy = 100 * sum(one == "yes" for one in last) / len(last)
    return {"accuracy": accuracy, "details": {"type": "GEN", **details}} | more


def test_predictions_that_equal_their_references_are_right_where_that_gives_the_accuracy(tmp_path):
    part = part_of(write(tmp_path, plain("yes", "no", "yes")))
    assert cells(part, "item", "score") == [("0", 1.0), ("1", 0.0), ("2", 1.0)]
    assert "gives the file's own accuracy" in dict(part.mapping)["score"]
    with pytest.raises(ReadError, match=r"none says whether it is right .*, nor is its accuracy the share"):
        read(write(tmp_path, plain("yes", "no", "yes", accuracy=66.7)))


def test_runs_without_verdicts_are_runs_though_the_accuracy_is_of_the_last(tmp_path):
    part = part_of(write(tmp_path, plain("yes", "yes", "no", "yes", runs=2)))
    assert cells(part, "item", "run", "score") == [
        ("0", "1", 1.0), ("1", "1", 1.0), ("0", "2", 0.0), ("1", "2", 1.0),
    ]  # fmt: skip
    assert dict(part.mapping)["score"].endswith("(that of the last of 2 runs)")


def test_other_details_are_not_claimed(tmp_path):
    own = {"model": "A", "details": [{"question_id": "q1", "correct": True}, {"question_id": "q2", "correct": False}]}
    assert read(write(tmp_path, own)).parts[0].reader == "table"


@pytest.mark.parametrize(
    ("content", "name", "sentence"),
    [
        (
            {"score": 1, "details": {"0": {"predictions": "a", "references": "b"}}},
            "a.json",
            "none says whether it is right",
        ),
        ({"details": {"0": {"pred": "a", "correct": 40}}}, "a.json", "'0': 'correct' is 40, not between 0 and 1"),
        ({"details": {"0": {"pred": "a", "correct": "yes"}}}, "a.json", "'correct' is text, not a number"),
        ("dataset,version,metric,mode,m\ngsm8k,1d7,accuracy,gen,40.5\n", "summary.csv", "is an OpenCompass summary"),
    ],
)
def test_what_holds_no_score_says_why(tmp_path, content, name, sentence):
    with pytest.raises(ReadError, match=sentence):
        read(write(tmp_path, content, name))
