import numpy as np
import pytest

import scorebars as sb
from scorebars.engines.arrays import encode
from scorebars.engines.scale import is_unit_metric, known_range
from scorebars.errors import ScoresError
from scorebars.sample import Source

METRIC = ("model", "item", "score", "metric")


def ranges(scores, by=()):
    return {(*(text for _, text in cut.group), cut.sample.model): cut.sample.range for cut in scores.cuts(by).cuts}


def rows(*models):
    return [(model, f"q{i}", score) for model, scores in models for i, score in enumerate(scores)]


def test_01_data_lie_in_0_1_and_graded_data_in_no_range(table):
    assert ranges(table(rows(("a", [1, 0, 1]), ("b", [0, 0, 0])))) == {("a",): (0.0, 1.0), ("b",): (0.0, 1.0)}
    assert ranges(table(rows(("a", [1, 0.5, 1])))) == {("a",): None}


def test_one_model_of_zeros_and_ones_among_graded_ones_has_no_range(table):
    assert ranges(table(rows(("a", [1, 0, 1]), ("b", [3, 4, 5])))) == {("a",): None, ("b",): None}


def test_a_task_of_zeros_and_ones_has_its_range_where_the_cut_is_by_task(table):
    scores = table(
        [("a", "1", 1, "t"), ("a", "2", 0, "t"), ("a", "3", 4, "u"), ("a", "4", 5, "u")],
        ("model", "item", "score", "task"),
    )

    assert ranges(scores, by="task") == {("t", "a"): (0.0, 1.0), ("u", "a"): None}
    assert ranges(scores) == {("a",): None}


def test_the_callers_range_comes_first_and_holds(table):
    assert ranges(table(rows(("a", [1, 0, 1])), range=(0, 10))) == {("a",): (0.0, 10.0)}
    with pytest.raises(ScoresError, match=r"score 11 of model 'a', item 'q1' is outside the range 0 to 10 \(1 of 2"):
        table(rows(("a", [1, 11]))).with_options(range=(0, 10)).cuts()


@pytest.mark.parametrize("metric", ["acc", "acc_norm", "Exact_Match", "pass@1", "pass^3", "f1", "mean_acc", "resolved"])
def test_a_metric_known_to_lie_in_0_1_has_that_range_if_it_fits(table, metric):
    fits = [("a", "p", 0.5, metric), ("a", "q", 0.7, metric)]
    not_so = [("a", "p", 0.5, metric), ("a", "q", 7, metric)]

    assert is_unit_metric(metric)
    assert ranges(table(fits, METRIC)) == {("a",): (0.0, 1.0)}
    assert ranges(table(not_so, METRIC)) == {("a",): None}


@pytest.mark.parametrize("metric", ["reward", "score", "bleu", "perplexity", "pass", ""])
def test_other_metrics_are_not_guessed(metric):
    assert is_unit_metric(metric) == (metric == "pass")


@pytest.mark.parametrize(
    "models",
    [
        [("a", [0.9, 1, 0, 85, 90, 100])],
        [("a", [1, 0, 1, 0, 100, 0, 100])],
        [("a", [0.5, 0.7, 80])],
        [("a", [0.8, 0.7, 0.9, 0.4]), ("b", [80, 75, 95, 35])],
        [("a", [1, 0, 1, 1, 0, 1]), ("b", [100, 0, 100, 5, 2, 80])],
        [("a", [score for i in range(30) for score in (13 * i % 100, 13 * i % 100 / 100)])],
    ],
)
def test_fractions_beside_percentages_are_refused(table, models):
    with pytest.raises(ScoresError, match=r"mixed scale: .* on 0-1 and on 0-100: .*range=\(0, 100\)"):
        table(rows(*models)).cuts()


@pytest.mark.parametrize(
    "models",
    [
        [("a", [0, 0, 0, 100, 100])],  # all or nothing in percent
        [("a", [1, 2, 3, 5, 10])],  # a judge's grades
        [("a", [0, 1, 1, 2, 10, 7])],
        [("a", [0.5, 12, 33, 7, 4, 61, 20])],  # one small percentage among large ones
        [("a", [1, 30, 45, 60, 80, 90, 95])],
        [("a", [0.1, 0.2, 90, 250])],  # no percentages
        [("a", [-0.5, 0.5, 50])],
        [("a", [0.01, 0.02, 0.01, 90, 95])],  # their sizes do not agree
        [("a", [0.2, 0.1, 0.3, 0.4]), ("b", [3, 5, 4, 10])],
    ],
)
def test_graded_scores_are_left_alone(table, models):
    assert len(table(rows(*models)).cuts().cuts) == len(models)


def test_runs_without_items_may_return_anything(table):
    scores = table([("a", str(i), s) for i, s in enumerate([0.5, 0.7, 80, 90])], ("model", "run", "score"))

    np.testing.assert_array_equal(scores.cuts().cuts[0].sample.score, [0.5, 0.7, 80.0, 90.0])


def test_tasks_on_different_scales_are_no_mixture(table):
    by_task = {"t": [0.5, 0.7, 0.9], "u": [50, 70, 90]}
    given = [("a", f"q{i}", score, task) for task, scores in by_task.items() for i, score in enumerate(scores)]

    found = table(given, ("model", "item", "score", "task"))

    assert found.cuts().cuts[0].sample.n_attempts == 6
    (said,) = found.cuts().notes
    assert said.code == "mixed-scale"
    assert "those of task 't' lie within 0 and 1, those of task 'u' reach 90: a mean over tasks" in said.message
    assert found.cuts("task").notes == ()
    assert found.with_options(range=(0, 100)).cuts().notes == ()


@pytest.mark.parametrize("seed", range(20))
def test_one_scale_however_it_is_spread_is_left_alone(table, seed):
    rng = np.random.default_rng(seed)
    spreads = [
        10 ** rng.uniform(-2, 2, 200),  # evenly spread orders of magnitude
        rng.exponential(3, 200).clip(0, 100),
        rng.beta(0.3, 0.3, 200) * 100,
        rng.lognormal(1, 1.5, 200).clip(0, 100),
        np.round(rng.beta(0.5, 1.5, 200) * 100),
    ]
    for spread in spreads:
        assert table(rows(("a", spread.tolist()))).cuts().cuts


def test_evenly_spread_scores_on_two_scales_are_told_in_spite_of_chance(table):
    # Of 200 such tables 38 % were told apart without an allowance for chance; simulated: 91 %.
    told = 0
    for seed in range(200):
        rng = np.random.default_rng(seed)
        mixed = np.concatenate([rng.random(40), 100 * rng.random(40)]).round(2)
        try:
            table(rows(("a", mixed.tolist()))).cuts()
        except ScoresError as error:
            told += "mixed scale" in str(error)
    assert told > 165


@pytest.mark.parametrize("spread", [(0.3, 0.3), (0.2, 0.5), (0.15, 0.3), (1.0, 1.0)])
def test_few_percentages_near_both_ends_are_left_alone(table, spread):
    told = 0
    for seed in range(200):
        scores = (100 * np.random.default_rng(seed).beta(*spread, 60)).round(2)
        try:
            table(rows(("a", scores.tolist()))).cuts()
        except ScoresError:
            told += 1
    assert told <= 2


def test_a_range_settles_the_scale(table):
    scores = table(rows(("a", [0.5, 0.7, 80])), range=(0, 100))

    assert ranges(scores) == {("a",): (0.0, 100.0)}


@pytest.mark.parametrize("given", [(1, 1), (2, 1), (0, float("inf")), (float("nan"), 1), (1,), "0,1", 5])
def test_a_senseless_range_is_refused(table, given):
    with pytest.raises(ValueError, match="is not a range"):
        table(rows(("a", [1])), range=given)


def notes_on_returns(**tasks):
    scores = sb.Scores.from_arrays({"a": tasks})
    return [note.code for note in scores.cuts().notes]


def test_returns_of_tasks_far_apart_are_noted():
    assert notes_on_returns(pong=[20.0, 18.0], qbert=[12000.0, 900.0]) == ["raw-scores"]
    assert notes_on_returns(pong=[1.2, 0.9], qbert=[0.01, 3.1]) == []
    assert notes_on_returns(walk=[900.0, 950.0], run=[80.0, 120.0]) == []
    assert notes_on_returns(qbert=[12000.0, 900.0]) == []


def test_items_far_apart_are_no_returns(table):
    apart = [("a", f"q{i}", score, task) for i, (score, task) in enumerate([(1, "t"), (2, "t"), (5000, "u")])]
    found = table(apart, ("model", "item", "score", "task")).cuts().notes
    assert "raw-scores" not in [note.code for note in found]


def test_the_range_is_said_by_the_sources_that_the_rows_are_from():
    sources = (Source("a", 0, score_range=(0.0, 100.0)), Source("b", 2, score_range=(0.0, 1.0)))
    table = encode({"item": np.arange(4), "score": np.array([30.0, 50.0, 0.2, 0.4])}, sources)
    assert known_range(table, None, "") is None
    assert known_range(table.take(np.array([True, True, False, False])), None, "") == (0.0, 100.0)
    assert known_range(table.take(np.array([False, False, True, True])), None, "") == (0.0, 1.0)


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        (["85%", "40 %", "", "0%"], (0.0, 1.0)),
        (["85%", "120%"], None),
        (["85%", "-3%"], None),
        (["85%", "0.5"], None),
        ([0.85, 0.5], None),
    ],
)
def test_percent_signs_say_the_range_where_all_scores_have_one_and_fit(table, scores, expected):
    assert ranges(table(rows(("a", scores)))) == {("a",): expected}


SIGNED = ["85%", "40 %", "90%"]


@pytest.mark.parametrize(
    "models",
    [
        [("a", [*SIGNED, "62", "0.4"])],
        [("a", SIGNED), ("b", [62, 3, 80])],
        [("a", SIGNED), ("b", ["0.2", "0.4", "1.5"])],
        [("a", ["0.5%", "2"])],
    ],
)
@pytest.mark.parametrize("given", [{}, {"range": (0, 100)}])
def test_a_percent_sign_beside_numbers_above_1_is_refused(table, models, given):
    with pytest.raises(ScoresError, match=r"^mixed scale: scores with a percent sign .*; write the sign in every cell"):
        table(rows(*models), **given).cuts()


def test_both_cells_and_their_rows_are_named(table):
    sentence = (
        r"'85%', which is 0\.85, in row 1 \(model 'a', item 'q0'\), and 62 in row 5 \(model 'b', item 'q1'\); "
        r"write the sign in every cell or in none \(3 of 5 have it\)"
    )
    with pytest.raises(ScoresError, match=sentence):
        table(rows(("a", SIGNED), ("b", [0, 62]))).cuts()


@pytest.mark.parametrize(
    "models",
    [
        [("a", SIGNED), ("b", ["62%", "150%", "n/a"])],
        [("a", SIGNED), ("b", [0.62, 0, 1, None])],
        [("a", SIGNED), ("b", ["pass", "fail"])],
    ],
)
def test_percent_signs_everywhere_or_beside_fractions_are_one_scale(table, models):
    assert next(cut.sample.score.max() for cut in table(rows(*models)).cuts().cuts) == 0.9


def test_each_metric_and_task_has_its_own_way_of_writing(table):
    given = [("a", "q1", "85%", "t", "acc"), ("a", "q2", "62", "u", "acc"), ("a", "q1", "4", "t", "grade")]
    found = table(given, ("model", "item", "score", "task", "metric"))

    (said,) = [note for note in found.select(metric="acc").cuts().notes if note.code == "mixed-scale"]
    assert "those of task 't' have a percent sign ('85%' is 0.85), those of task 'u' have none and reach 62" in str(
        said
    )
    assert len(found.cuts("metric").cuts) == 2
    assert "mixed-scale" not in [note.code for note in found.cuts(("metric", "task")).notes]


def test_two_tables_are_put_together_with_their_signs(table):
    a, b = table(rows(("a", SIGNED))), table(rows(("b", [62, 3, 80])))
    for one, other in ((a, b), (b, a)):
        with pytest.raises(ScoresError, match="percent sign"):
            sb.compare(one, other)
    assert sb.compare(a, table(rows(("b", [0.62, 0.3, 0.8])))).value_b == pytest.approx(np.mean([0.62, 0.3, 0.8]))
