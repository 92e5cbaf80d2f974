"""Several values an attempt: named columns of a frame, and metrics put side by side."""

import numpy as np
import pytest

from scorebars.errors import ArgumentError, ScoresError
from scorebars.scores import Scores

FRAME = {"id": ["q1", "q2", "q3"], "y": [1, 0, 1], "p": [0.9, 0.2, 0.4], "ok": ["pass", "fail", "pass"]}
LONG = {
    "model": ["a"] * 7,
    "item": ["1", "1", "2", "2", "3", "3", "4"],
    "metric": ["cost", "resolved"] * 3 + ["cost"],
    "score": [2.5, 1, 1.5, 0, 0.5, 1, 9.0],
}


def values(scores, *columns, by=()):
    return [{n: c.tolist() for n, c in cut.sample.values.items()} for cut in scores.cuts(by, columns).cuts]


def test_named_columns_need_no_score():
    scores = Scores(FRAME, item="id", values={"label": "y", "score": "p"})
    assert values(scores, "label", "score") == [{"label": [1.0, 0.0, 1.0], "score": [0.9, 0.2, 0.4]}]
    assert values(scores, "score") == [{"score": [0.9, 0.2, 0.4]}]
    assert dict(scores.columns)["label"] == "y"


def test_a_score_column_is_one_of_the_values():
    scores = Scores(FRAME, item="id", score="p", values={"label": "y", "passed": "ok"})
    assert values(scores, "passed", "score") == [{"passed": [1.0, 0.0, 1.0], "score": [0.9, 0.2, 0.4]}]


def test_without_a_score_there_is_no_score():
    scores = Scores(FRAME, item="id", values={"label": "y", "prediction": "p"})
    with pytest.raises(ScoresError, match=r"no column is called 'score'; known: 'label', 'prediction'; name it when"):
        scores.cuts()
    with pytest.raises(ScoresError, match=r"no column is called 'predicton'; did you mean 'prediction'"):
        scores.cuts(columns=("label", "predicton"))


@pytest.mark.parametrize(
    ("named", "error", "message"),
    [
        ({"label": "z"}, ScoresError, "no column 'z' for the value 'label'"),
        ({"item": "y"}, ArgumentError, r"'item' is a role of its own \(item=…\)"),
    ],
)
def test_bad_names(named, error, message):
    with pytest.raises(error, match=message):
        Scores(FRAME, values=named)


def test_an_attempt_that_lacks_a_value_is_dropped_and_counted():
    frame = FRAME | {"y": [1, None, 1]}
    [cut] = Scores(frame, item="id", values={"label": "y", "guess": "p"}).cuts(columns=("label", "guess")).cuts
    assert cut.sample.values["guess"].tolist() == [0.9, 0.4]
    assert cut.dropped == (("no score", 1),)
    wrong = Scores(frame, item="id", values={"label": "y", "guess": "p"}).with_options(on_error="wrong", range=(0, 1))
    with pytest.raises(ScoresError, match="a missing value of several columns cannot count as wrong"):
        wrong.cuts(columns=("label", "guess"))


def test_infinite_values_are_refused():
    with pytest.raises(ScoresError, match=r"'guess' of .*item 'q2' is infinite"):
        Scores(FRAME | {"p": [0.1, np.inf, 0.2]}, item="id", values={"label": "y", "guess": "p"})


def test_copies_have_the_same_values_throughout():
    frame = {"item": [1, 1, 2], "run": [0, 0, 0], "y": [1, 1, 0], "p": [0.5, 0.6, 0.7]}
    scores = Scores(frame, values={"label": "y", "guess": "p"})
    with pytest.raises(ScoresError, match=r"item '1', run '0' is there twice with different values of 'guess'"):
        scores.cuts(columns=("label", "guess"))
    same = Scores(frame | {"p": [0.5, 0.5, 0.7]}, values={"label": "y", "guess": "p"})
    assert values(same, "label", "guess") == [{"label": [1.0, 0.0], "guess": [0.5, 0.7]}]


def test_metrics_side_by_side():
    [cut] = Scores(LONG).cuts(columns=("cost", "resolved")).cuts
    assert {n: c.tolist() for n, c in cut.sample.values.items()} == {"cost": [2.5, 1.5, 0.5], "resolved": [1, 0, 1]}
    assert cut.dropped == (("not all of 'cost', 'resolved'", 1),)
    assert cut.group == ()
    assert cut.sample.range is None


def test_metrics_side_by_side_by_task_and_run():
    frame = {
        "task": ["s", "s", "t", "t", "t", "t"],
        "item": ["1", "1", "1", "1", "1", "1"],
        "run": [0, 0, 0, 0, 1, 1],
        "metric": ["cost", "resolved"] * 3,
        "score": [1, 0, 2, 1, 3, 1],
    }
    assert values(Scores(frame), "resolved", "cost", by="task") == [
        {"resolved": [0.0], "cost": [1.0]},
        {"resolved": [1.0, 1.0], "cost": [2.0, 3.0]},
    ]


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (("cost", "resolvd"), r"no metric is called 'resolvd'; did you mean 'resolved'\?; name the wanted"),
        (("cost", "resolved", "x"), "no metric is called 'x'"),
    ],
)
def test_unknown_metrics(columns, message):
    with pytest.raises(ScoresError, match=message):
        Scores(LONG).cuts(columns=columns)


def test_a_model_without_one_of_the_metrics():
    frame = {
        name: [*column, other] for (name, column), other in zip(LONG.items(), ("b", "1", "cost", 1.0), strict=True)
    }
    with pytest.raises(ScoresError, match=r"model 'b' has no value of 'resolved'; 'cost', 'resolved' are needed"):
        Scores(frame).cuts(columns=("cost", "resolved"))


def test_metrics_without_a_common_attempt():
    frame = {"item": ["1", "2"], "metric": ["cost", "resolved"], "score": [1, 0]}
    with pytest.raises(ScoresError, match="no attempt of model 'model' has all of 'cost', 'resolved'"):
        Scores(frame).cuts(columns=("cost", "resolved"))


def test_by_metric_contradicts_side_by_side():
    with pytest.raises(ArgumentError, match="by='metric' splits what cost, resolved put side by side"):
        Scores(LONG).cuts("metric", ("cost", "resolved"))


def test_values_survive_selection_concatenation_and_tidying():
    frame = {"model": ["a", "b"], "item": [1, 1], "y": [1, 0], "p": [0.1, 0.2]}
    scores = Scores(frame, values={"label": "y", "guess": "p"})
    a, b = (scores.select(model=name) for name in "ab")
    assert values(b, "label", "guess") == [{"label": [0.0], "guess": [0.2]}]
    assert values(Scores.concat(a, b), "guess") == [{"guess": [0.1]}, {"guess": [0.2]}]
    assert scores.tidy()["guess"].tolist() == [0.1, 0.2]


def test_all_metrics_are_joined_on_request():
    other = LONG | {"model": ["b"] * 7}
    both = Scores.concat(Scores(LONG), Scores(other), every_metric=True)
    assert values(both, "cost") == [{"cost": [2.5, 1.5, 0.5, 9.0]}] * 2
