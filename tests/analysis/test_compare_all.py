"""All pairs of a table are what each pair is by itself."""

import json

import numpy as np
import pytest

import scorebars as sb

RNG = np.random.default_rng(7)
BINARY = {name: (RNG.random(60) < rate) * 1.0 for name, rate in (("a", 0.7), ("b", 0.6), ("c", 0.6), ("d", 0.3))}
TIES = {"a": BINARY["a"], "b": BINARY["a"], "c": np.ones(60), "d": np.ones(60), "e": np.zeros(60)}
GRADED = {name: np.round(RNG.random(40), 2) for name in "abc"}
RUNS = {name: RNG.random((12, 3)) for name in "abc"}


def ragged():
    """Three models of which each has items that others lack, in tasks and clusters."""
    rows = {"model": [], "task": [], "cluster": [], "item": [], "score": []}
    for shift, model in enumerate("abc"):
        for item in range(shift, 30 + 2 * shift):
            values = (model, f"t{item % 3}", f"c{item % 8}", f"q{item}", float(RNG.random() < 0.5))
            for column, value in zip(rows, values, strict=True):
                rows[column].append(value)
    return sb.Scores(rows)


WIDE = np.random.default_rng(8)
FIVE = {name: WIDE.random(50) for name in "abcde"}
GRADES = {name: np.round(x, 1) for name, x in FIVE.items()}
ALIKE = FIVE | {"f": FIVE["a"], "g": np.where(np.arange(50) < 4, 0.5, FIVE["b"]), "h": FIVE["b"] + 0.25}
SCALES = FIVE | {"p": 300 * FIVE["a"], "q": 300 * FIVE["b"]}


def same(found, alone):
    """Whether two records agree, their numbers to 1e-9 of what they say."""
    if isinstance(alone, dict):
        return found.keys() == alone.keys() and all(same(found[key], alone[key]) for key in alone)
    if isinstance(alone, list):
        return len(found) == len(alone) and all(map(same, found, alone))
    if isinstance(alone, float):
        return found == pytest.approx(alone, rel=1e-9, abs=1e-12)
    return found == alone


TABLES = {
    "binary": lambda: sb.Scores.from_arrays(BINARY, axes=("item",)),
    "ties": lambda: sb.Scores.from_arrays(TIES, axes=("item",), range=(0, 2)),
    "few": lambda: sb.Scores.from_arrays({name: x[:7] for name, x in BINARY.items()}, axes=("item",)),
    "graded": lambda: sb.Scores.from_arrays(GRADED, axes=("item",)),
    "five": lambda: sb.Scores.from_arrays(FIVE, axes=("item",)),
    "grades": lambda: sb.Scores.from_arrays(GRADES, axes=("item",), range=(0, 1)),
    "alike": lambda: sb.Scores.from_arrays(ALIKE, axes=("item",)),
    "scales": lambda: sb.Scores.from_arrays(SCALES, axes=("item",)),
    "runs": lambda: sb.Scores.from_arrays(RUNS, axes=("item", "run")),
    "ragged": ragged,
}


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("interval", [None, sb.Tango(), sb.Percentile(), sb.BCa(), sb.Percentile(n_boot=200)])
def test_each_pair_is_what_compare_answers(table, interval):
    if isinstance(interval, sb.Tango) and table not in {"binary", "ties", "few"}:
        pytest.skip("not a table that Tango takes")
    scores = TABLES[table]()
    found = sb.compare_all(scores, interval=interval, rng=3)
    names = scores.models
    assert [(pair.a, pair.b) for pair in found] == [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
    for pair in found:
        alone = sb.compare(scores, pair.a, pair.b, interval=interval, rng=3)
        assert same(json.loads(pair.to_json()), json.loads(alone.to_json()))
        assert tuple(pair.disagreements) == tuple(alone.disagreements)


@pytest.mark.parametrize("side", sb.Side)
@pytest.mark.parametrize("level", [0.5, 0.99])
def test_other_levels_and_sides(side, level):
    scores = TABLES["ties"]()
    for pair in sb.compare_all(scores, side=side, level=level):
        assert pair.to_json() == sb.compare(scores, pair.a, pair.b, side=side, level=level).to_json()


@pytest.mark.parametrize("side", sb.Side)
@pytest.mark.parametrize(
    "interval", [None, sb.StudentT(), sb.Normal(), sb.Percentile(draws=sb.Draws.N_MINUS_1), sb.Basic()]
)
def test_methods_and_sides_of_graded_pairs(side, interval):
    for table in ("five", "alike"):
        scores = TABLES[table]()
        for pair in sb.compare_all(scores, interval=interval, side=side, level=0.9):
            alone = sb.compare(scores, pair.a, pair.b, interval=interval, side=side, level=0.9)
            assert same(json.loads(pair.to_json()), json.loads(alone.to_json()))
            assert tuple(pair.disagreements) == tuple(alone.disagreements)


def test_what_was_dropped_is_said_of_each_pair():
    frame = {"model": ["a"] * 30 + ["b"] * 30 + ["c"] * 30, "item": list(range(30)) * 3}
    frame["score"] = np.where(RNG.random(90) < 0.5, 1.0, 0.0)
    frame["score"][31] = np.nan
    scores = sb.Scores(frame).with_options(on_error="wrong")
    for pair in sb.compare_all(scores):
        assert pair.to_json() == sb.compare(scores, pair.a, pair.b).to_json()


def test_effects_estimators_and_tests_reach_every_pair():
    scores = TABLES["binary"]()
    way = {"effect": sb.OddsRatio(), "level": 0.9, "side": sb.Side.LOWER}
    found = sb.compare_all(scores, **way)
    assert found[1].to_json() == sb.compare(scores, "a", "c", **way).to_json()
    assert sb.compare_all(scores, test=sb.McNemar())[0].test == sb.McNemar().name


def test_all_against_a_baseline_are_other_minus_baseline():
    scores = TABLES["binary"]()
    found = sb.compare_all(scores, "b")
    assert [(pair.a, pair.b) for pair in found] == [("a", "b"), ("c", "b"), ("d", "b")]
    assert found[0].value == pytest.approx(BINARY["a"].mean() - BINARY["b"].mean())


def test_the_table_shows_a_row_a_pair_and_says_that_nothing_is_corrected():
    found = sb.compare_all(TABLES["binary"]())
    assert [note.code for note in found.notes] == ["not-corrected"]
    lines = str(found).splitlines()
    assert lines[0].split()[:5] == ["A", "B", "difference,", "points", "95"]
    assert [line.split()[:2] for line in lines[1:7]] == [list(pair) for pair in ("ab", "ac", "ad", "bc", "bd", "cd")]
    assert "6 comparisons" in str(found).replace("\n", " ")
    assert len(found.to_dicts()) == len(found) == 6
    assert json.loads(found.to_json())["kind"] == "comparisons"
    assert isinstance(found[:2], sb.Comparisons)
    assert sb.compare_all(TABLES["binary"]().select(model=["a", "b"])).notes == ()


def test_one_model_or_an_unknown_baseline_is_an_error():
    scores = TABLES["binary"]()
    with pytest.raises(sb.ArgumentError, match="two models or more, and the table has 'a' alone"):
        sb.compare_all(scores.select(model="a"))
    with pytest.raises(sb.ArgumentError, match="no model is called 'e'"):
        sb.compare_all(scores, "e")


def apart(tasks):
    """Models whose tasks are given: ten items with two runs in each."""
    rng = np.random.default_rng(11)
    rows = [
        (model, task, f"{task}{item}", run, float(rng.random()))
        for model, names in tasks.items()
        for task in names
        for item in range(10)
        for run in range(2)
    ]
    return sb.Scores(dict(zip(("model", "task", "item", "run", "score"), zip(*rows, strict=True), strict=True)))


@pytest.mark.parametrize("effect", [sb.ProbabilityOfImprovement(), sb.Difference(), sb.RelativeDifference()])
def test_a_pair_without_a_common_task_does_not_stop_the_others(effect):
    scores = apart({"a": "xy", "b": "xy", "c": "z", "d": "yz"})
    with pytest.raises(sb.ScorebarsError, match=r"no task in common|share none"):
        sb.compare(scores, "a", "c", effect=effect)
    found = sb.compare_all(scores, effect=effect)
    lone = {("a", "c"), ("b", "c")}
    for pair in found:
        if (pair.a, pair.b) not in lone:
            assert pair.to_json() == sb.compare(scores, pair.a, pair.b, effect=effect).to_json()
            continue
        assert all(np.isnan([pair.value, pair.answer.low, pair.answer.high, pair.answer.standard_error, pair.p_value]))
        (said,) = pair.notes
        assert said.code == pair.answer.reason == "undefined"
        assert f"'x' of {pair.a}, 'z' of c" in said.message
        alone = {row.model: row.value for row in sb.estimate(scores)}
        assert (pair.value_a, pair.value_b) == pytest.approx((alone[pair.a], alone[pair.b]))
        assert (pair.answer.n_items, pair.answer.n_boot, pair.decision, pair.significant) == (0, None, "", False)
        assert json.loads(pair.to_json())["results"][0]["value"] is None
    assert found.notes[0].data == {"n": 4}
    assert "- (undefined)" in str(found)
    assert [(pair.a, np.isnan(pair.value)) for pair in sb.compare_all(scores, "c", effect=effect)] == [
        ("a", True),
        ("b", True),
        ("d", False),
    ]


def test_where_no_pair_has_a_common_task_all_are_refused():
    with pytest.raises(sb.ScoresError, match="no task in common"):
        sb.compare_all(apart({"a": "x", "b": "y", "c": "z"}))


@pytest.mark.parametrize("side", [sb.Side.LOWER, sb.Side.UPPER])
def test_one_sided_pairs_of_zeros_and_ones_have_the_width_that_compare_says(side):
    rng = np.random.default_rng(0)
    scores = sb.Scores.from_arrays(
        {m: (rng.random(40) < p).astype(float) for m, p in zip("abc", (0.5, 0.6, 0.7), strict=True)}, axes=("item",)
    )
    for pair in sb.compare_all(scores, side=side):
        assert pair.unpaired_width == sb.compare(scores, pair.a, pair.b, side=side).unpaired_width == np.inf


def without_scores():
    """Two models with scores among two without a single one."""
    nothing = np.full(60, np.nan)
    return sb.Scores.from_arrays({"a": BINARY["a"], "lost": nothing, "b": BINARY["b"], "gone": nothing}, axes=("item",))


def test_models_without_a_score_are_left_out_and_said():
    known = sb.Scores.from_arrays({name: BINARY[name] for name in "ab"}, axes=("item",))
    for found, alone in (
        (sb.compare_all(without_scores())[0], sb.compare_all(known)[0]),
        (sb.compare(without_scores()), sb.compare(known)),
        (sb.compare(without_scores(), "a", "b"), sb.compare(known, "a", "b")),
    ):
        assert (found.a, found.b, found.value, found.answer.shown) == (
            alone.a,
            alone.b,
            alone.value,
            alone.answer.shown,
        )
    for notes in (sb.compare_all(without_scores()).notes, sb.compare(without_scores()).notes):
        (said,) = [one.message for one in notes if one.code == "models-left-out"]
        assert said == (
            "left out, because no attempt has a score: 'gone' (60 attempts), 'lost' (60 attempts) (to count such "
            "attempts as wrong: with_options(on_error='wrong'))"
        )
    assert len(sb.compare_all(without_scores().with_options(on_error="wrong"))) == 6
    with pytest.raises(sb.ScorebarsError, match="'gone' has no score in any attempt"):
        sb.compare(without_scores(), "a", "gone")
    with pytest.raises(sb.ScorebarsError, match=r"leave the model out \(select\(model=\['a', 'b'\]\)\), or count"):
        sb.estimate(without_scores())


def refused(verb, *given, **options):
    with pytest.raises(sb.ScoresError) as caught:
        verb(*given, **options)
    return str(caught.value)


def test_a_side_without_a_score_is_not_to_be_left_out_of_its_comparison():
    scores, wrong = without_scores(), "count them wrong (with_options(on_error='wrong'))"
    lost, gone = (f"model '{name}' has no score in any attempt (60 attempts); {wrong}" for name in ("lost", "gone"))
    assert refused(sb.compare, scores, "a", "gone") == f"{gone} or compare 'a' with 'b'"
    assert refused(sb.compare, scores, "lost", "b") == f"{lost} or compare 'b' with 'a'"
    assert refused(sb.compare, scores, "lost", "lost") == (
        f"{lost} or compare two of those with scores, such as 'a' and 'b'"
    )
    assert refused(sb.compare, scores.select(model=["a", "lost"])) == lost
    assert refused(sb.compare, scores.select(model="a"), scores.select(model="lost")) == lost
    assert refused(
        sb.compare, sb.Scores.concat(scores.select(model="a"), scores.select(model="lost"), ("a", "lost"))
    ) == (lost)
    assert refused(sb.compare_all, scores.select(model=["a", "lost"])) == lost
    assert refused(sb.compare_all, scores, "gone") == f"{gone} or compare with another baseline: 'a' or 'b'"
    assert sb.compare(scores.with_options(on_error="wrong"), "a", "gone").value_b == 0.0


def test_which_two_of_several_models_is_said_as_python_is_written():
    three = sb.Scores.from_arrays(dict.fromkeys(("it's", "b", "c"), BINARY["a"]), axes=("item",))
    with pytest.raises(sb.ScorebarsError) as caught:
        sb.compare(three)
    *_, call = str(caught.value).partition("as in ")[2].partition("compare")
    assert "--" not in str(caught.value)
    assert eval(f"compare{call}", {"compare": sb.compare, "scores": three}).a == three.models[0]  # noqa: S307
    with pytest.raises(sb.ScorebarsError, match=r"and the table has 1 \('b'\); give the table of the other one too"):
        sb.compare(three.select(model="b"))
