import numpy as np
import pytest

from scorebars.errors import ArgumentError, ScoresError
from scorebars.readers.read import read
from scorebars.scores import Scores

COLUMNS = {"model": ["b", "a", "a", "b"], "item": [1, 2, 1, 2], "score": [1, 0, 1, 1]}
LONG = {
    "model": ["a"] * 4 + ["b"] * 2,
    "item": [1, 1, 2, 2, 1, 2],
    "metric": ["acc", "f1", "acc", "f1", "acc", "acc"],
    "variant": ["strict"] * 6,
    "score": [1, 0.5, 0, 0.25, 1, 1],
}


def by_model(scores, by=()):
    return {cut.sample.model: cut.sample for cut in scores.cuts(by).cuts}


def test_samples_are_sorted_and_share_their_unit_codes():
    samples = by_model(Scores(COLUMNS))

    assert list(samples) == ["a", "b"]
    np.testing.assert_array_equal(samples["a"].score, [1.0, 0.0])
    np.testing.assert_array_equal(samples["a"].item, samples["b"].item)
    assert samples["a"].range == (0.0, 1.0)


def test_cuts_are_made_once():
    scores = Scores(COLUMNS)

    assert scores.cuts() is scores.cuts(())
    assert scores.cuts("task") is scores.cuts(["task"])


def test_columns_are_named_or_bear_the_name_of_their_role():
    frame = {"qid": ["p", "q"], "agent": ["x", "x"], "model": ["m", "m"], "correct": ["C", "I"], "task": ["t", "t"]}

    scores = Scores(frame, item="qid", model=("agent", "model"), score="correct")

    assert scores.models == ("x+m",)
    assert scores.tasks == ("t",)
    assert dict(scores.columns) == {"model": "agent+model", "task": "task", "item": "qid", "score": "correct"}


def test_constants_fill_a_role_and_outrank_a_column_of_its_name():
    assert Scores(COLUMNS, constants={"model": "gpt"}).with_options(duplicates="first").models == ("gpt",)
    assert Scores({"item": [1], "score": [1]}).models == ("model",)


@pytest.mark.parametrize(
    ("options", "error", "said"),
    [
        ({"item": "itme"}, ScoresError, "no column 'itme' for item; did you mean 'item'"),
        ({"model": ("model", "agnt")}, ScoresError, "no column 'agnt' for model"),
        ({"constants": {"modle": "gpt"}}, ArgumentError, "did you mean 'model'"),
        ({"constants": {"model": "gpt"}, "model": "model"}, ArgumentError, "model is given twice"),
    ],
)
def test_an_unknown_column_or_role_is_refused_with_the_nearest(options, error, said):
    with pytest.raises(error, match=said):
        Scores(COLUMNS, **options)


def test_a_frame_without_a_score_says_how_to_name_it():
    with pytest.raises(ScoresError, match=r"score=….*did you mean 'scores'"):
        Scores({"item": [1], "scores": [1]})


def test_several_metrics_without_a_choice_are_listed_with_their_rows():
    scores = Scores(LONG)

    assert scores.metrics == ("acc", "f1")
    assert scores.variants == ("strict",)
    with pytest.raises(
        ScoresError,
        match=r"2 metrics: 'acc' \(4 rows\), 'f1' \(2 rows\); choose one .*'acc'\)\) or .*\(by='metric'\)",
    ):
        scores.cuts()


def test_a_choice_a_split_or_a_selection_with_one_metric_settles_it():
    scores = Scores(LONG)

    chosen = scores.select(metric="f1")
    assert by_model(chosen)["a"].score.tolist() == [0.5, 0.25]
    assert chosen.metrics == ("f1",)
    assert [cut.group for cut in scores.cuts("metric").cuts] == [
        (("metric", "acc"),),
        (("metric", "acc"),),
        (("metric", "f1"),),
    ]
    assert by_model(scores.select(model="b"))["b"].score.tolist() == [1.0, 1.0]


@pytest.mark.parametrize("n", [2, 60_000])
def test_rows_without_a_variant_are_chosen_by_the_empty_name_that_is_offered(tmp_path, n):
    """As arrays and in the database: files of runs with perturbations beside files of runs without."""
    some, rest = tmp_path / "some.csv", tmp_path / "rest.csv"
    some.write_text("model,task,item,score,variant\n" + "".join(f"A,t,{i},1,{v}\n" for v in "xy" for i in range(n)))
    rest.write_text("model,task,item,score\n" + "".join(f"A,u,{i},0\n" for i in range(n)))
    scores = read([some, rest])
    with pytest.raises(ScoresError, match=rf"3 variants: none named \({n:,} rows\), .* or --variant '' for th"):
        scores.cuts()
    [cut] = scores.select(variant="").cuts().cuts
    assert (len(cut.sample.score), set(cut.sample.score)) == (n, {0.0})
    with pytest.raises(ScoresError, match="no variant is called 'z'; known: 'x', 'y'"):
        scores.select(variant="z")


def test_several_variants_are_refused_within_the_chosen_metric_only():
    columns = LONG | {"variant": ["strict", "a", "strict", "b", "strict", "strict"]}

    assert len(Scores(columns).select(metric="acc").cuts().cuts) == 2
    with pytest.raises(ScoresError, match="2 variants: 'a'"):
        Scores(columns).select(metric="f1").cuts()
    assert by_model(Scores(columns).select(metric="f1", variant="b"))["a"].score.tolist() == [0.25]


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ({"model": "aa"}, "no model is called 'aa'; "),
        ({"model": ["a", "c"]}, "no model is called 'c'"),
        ({"metric": "accc"}, "no metric is called 'accc'; did you mean 'acc'"),
        ({"variant": "strct"}, "did you mean 'strict'"),
        ({"task": "math"}, "no task is called 'math'"),
        ({"model": []}, "an empty selection of models"),
    ],
)
def test_an_unknown_name_is_refused_with_the_nearest(wanted, said):
    with pytest.raises(ValueError, match=said):
        Scores(LONG).select(**wanted)


def test_a_choice_leaves_the_original_alone():
    scores = Scores(COLUMNS)

    scores.select(model="a").relabel({"a": "z"}).pooled().with_options(on_error="fail")

    assert scores.models == ("a", "b")
    assert list(by_model(scores)) == ["a", "b"]


def test_models_get_other_names_and_another_order():
    scores = Scores(COLUMNS).relabel({"a": "z"})

    assert scores.models == ("b", "z")
    assert by_model(scores)["z"].score.tolist() == [1.0, 0.0]
    assert by_model(scores.select(model="z").relabel({"z": "y"}))["y"].score.tolist() == [1.0, 0.0]


def test_two_models_cannot_become_one():
    with pytest.raises(ScoresError, match="both be called 'b'"):
        Scores(COLUMNS).relabel({"a": "b"})


def test_names_can_be_exchanged():
    samples = by_model(Scores(COLUMNS).relabel({"a": "b", "b": "a"}))

    assert samples["b"].score.tolist() == [1.0, 0.0]
    assert samples["a"].score.tolist() == [1.0, 1.0]


@pytest.mark.parametrize("by", ["model", "item", "tsk"])
def test_by_what_cannot_be_split_on(by):
    with pytest.raises(ArgumentError, match="cannot be split on"):
        Scores(COLUMNS).cuts(by)


def test_by_cluster_needs_clusters():
    with pytest.raises(ScoresError, match="--cluster"):
        Scores(COLUMNS).cuts("cluster")


def test_options_that_are_not_given_stay():
    scores = Scores(COLUMNS, range=(0, 2)).with_options(on_error="wrong").with_options(run_crosses_items=True)

    assert scores.explain()["options"] == {
        "on_error": "wrong",
        "duplicates": "fail",
        "range": (0.0, 2.0),
        "cluster_crosses_tasks": False,
        "run_crosses_items": True,
        "pooled": False,
    }


def test_explain_is_plain_data():
    import json

    told = Scores(LONG).explain()

    assert json.loads(json.dumps(told))["models"] == ["a", "b"]
    assert told["metrics"] == ["acc", "f1"]
    assert ["score", "score"] in told["columns"]


def test_it_says_how_much_it_holds():
    assert repr(Scores(COLUMNS)) == "Scores(2 models)"


class TestConcat:
    def test_units_with_the_same_ids_are_shared(self):
        a = Scores({"item": ["q", "p", "r"], "score": [1, 0, 1]})
        b = Scores({"item": ["r", "q", "x"], "score": [0, 1, 1]})

        samples = by_model(Scores.concat(a, b, ("A", "B")))

        assert samples["A"].score.tolist() == [0, 1, 1]
        assert samples["B"].score.tolist() == [1, 0, 1]
        assert set(samples["A"].item) & set(samples["B"].item) == {1, 2}

    def test_arrays_are_paired_by_position_whatever_their_length(self):
        a = Scores.from_arrays({"model": np.arange(5.0)}, axes=("item",))
        b = Scores.from_arrays({"model": np.arange(9.0)}, axes=("item",))

        samples = by_model(Scores.concat(a, b, ("A", "B")))

        assert samples["A"].item.tolist() == samples["B"].item.tolist()[:5]

    def test_sides_of_one_table_can_be_put_side_by_side(self):
        scores = Scores(LONG).select(metric="acc")

        samples = by_model(Scores.concat(scores.select(model="b"), scores.select(model="a")))

        assert {name: sample.score.tolist() for name, sample in samples.items()} == {"a": [1, 0], "b": [1, 1]}

    def test_a_side_without_run_ids_gets_running_numbers(self):
        a = Scores({"item": ["q", "q"], "score": [1, 0], "run": ["1", "2"]})
        b = Scores({"item": ["q", "q"], "score": [0, 0]})

        samples = by_model(Scores.concat(a, b, ("A", "B")))

        assert samples["A"].run.tolist() == samples["B"].run.tolist()

    def test_each_side_keeps_its_metric(self):
        scores = Scores(LONG).select(model="a")

        joint = Scores.concat(scores.select(metric="acc"), scores.select(metric="f1"), ("acc", "f1"))

        assert by_model(joint)["f1"].score.tolist() == [0.5, 0.25]

    def test_rows_of_both_sides_are_named_as_they_were(self):
        a = Scores({"item": ["q"], "score": [1], "run": ["1"]})
        b = Scores({"item": ["p", "q", "q"], "score": [1, 0, 1], "run": ["1", "1", "1"]})

        with pytest.raises(ScoresError, match="rows 2 and 3"):
            Scores.concat(a, b, ("A", "B")).cuts()

    def test_options_of_one_side_hold_for_both(self):
        a = Scores({"item": ["q", "r"], "score": [1, None]}).with_options(on_error="wrong")
        b = Scores({"item": ["q", "r"], "score": [None, 1]})

        samples = by_model(Scores.concat(a, b, ("A", "B")))

        assert samples["B"].score.tolist() == [0, 1]
        with pytest.raises(ScoresError, match="on_error='wrong' and 'drop'"):
            Scores.concat(a, b.with_options(on_error="drop"), ("A", "B"))

    @pytest.mark.parametrize(
        ("b", "labels", "said"),
        [
            (Scores(COLUMNS), None, "both sides have a model 'a'"),
            (Scores(COLUMNS), ("A", "B"), "one side has 2 models, 'a', 'b'"),
            (Scores(COLUMNS).select(model="b"), ("A", "A"), "both sides have a model 'A'"),
            (Scores({"item": [1], "score": [1], "cluster": ["c"]}), None, "the first of the two has no clusters"),
            (Scores({"item": [1], "score": [1], "weight": [1]}), None, "item weights"),
        ],
    )
    def test_sides_that_do_not_go_together_are_refused(self, b, labels, said):
        with pytest.raises(ScoresError, match=said):
            Scores.concat(Scores(COLUMNS).select(model="a"), b, labels)


def test_no_more_than_a_millisecond_over_the_arrays():
    import time

    array = np.random.default_rng(0).integers(0, 2, 1000).astype(float)

    def seconds():
        start = time.perf_counter()
        Scores.from_arrays({"A": array}, axes=("item",)).cuts()
        return time.perf_counter() - start

    assert min(seconds() for _ in range(20)) < 0.002


def test_it_says_how_much_it_holds_in_words_that_agree():
    assert repr(Scores({"model": ["a"], "task": ["t"], "item": [1], "score": [1]})) == "Scores(1 model, 1 task)"
    assert repr(Scores({"model": ["a", "b"], "item": [1, 1], "score": [1, 0]})) == "Scores(2 models)"


@pytest.mark.parametrize("n", [2, 70_000])
def test_choices_that_no_row_meets_together_say_which_are_met(tmp_path, n):
    """As arrays and in the database."""
    path = tmp_path / "a.csv"
    some = (("acc", "none", "t"), ("em", "strict", "u"), ("em", "loose", "u"))
    path.write_text(
        "model,item,metric,variant,task,score\n"
        + "".join(f"A,{i},{metric},{variant},{task},1\n" for metric, variant, task in some for i in range(n))
    )
    scores = read(path)
    for chosen, sentence in (
        ({"metric": "acc", "variant": "strict"}, "no row has metric 'acc' and variant 'strict'; .* variant is 'none'"),
        ({"metric": "em", "task": "t"}, "no row has task 't' and metric 'em'; with the others, the metric is 'acc'"),
    ):
        with pytest.raises(ScoresError, match=sentence):
            scores.select(**chosen).cuts()
