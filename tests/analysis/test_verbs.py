"""The verbs on small tables: the notes that belong to the data, one side twice, arguments of the wrong kind."""

from dataclasses import replace

import numpy as np
import pytest

import scorebars as sb
from scorebars import (
    ArgumentError,
    Basic,
    BCa,
    Difference,
    Mean,
    PassHatK,
    Percentile,
    Resample,
    Scores,
    Side,
    Wilson,
    compare,
    estimate,
)
from scorebars.analysis.design_notes import CROSSED_P, _least_f
from scorebars.readers.read import read


def codes(result):
    return {note.code for note in result.answer.notes}


def seeds(effect, n=40, k=5):
    """Scores of k runs of n items, with an effect of the run over all items."""
    rng = np.random.default_rng(1)
    scores = rng.normal(size=(n, 1)) + rng.normal(size=(n, k)) * 0.3 + effect * rng.normal(size=k)
    rows = [(f"q{i:02d}", f"seed{j}", float(scores[i, j])) for i in range(n) for j in range(k)]
    item, run, score = zip(*rows, strict=True)
    return Scores({"model": ["m"] * len(rows), "item": item, "run": run, "score": score})


def test_training_seeds_that_move_all_items_are_noticed():
    [crossed] = estimate(seeds(1.0), resample=Resample("run"))
    [strangers] = estimate(seeds(0.0), resample=Resample("run"))
    told = estimate(seeds(1.0).with_options(run_crosses_items=True), resample=Resample("run"))[0]
    assert "crossed-runs" in codes(crossed)
    assert "crossed-runs" not in codes(strangers) | codes(told)
    assert told.high - told.low > 3 * (crossed.high - crossed.low)


def test_training_seeds_are_noticed_where_items_alone_are_redrawn():
    """No redrawing of items sees what a seed does to all of them."""
    [crossed] = estimate(seeds(1.0))
    [strangers] = estimate(seeds(0.0))
    [told] = estimate(seeds(1.0).with_options(run_crosses_items=True))
    assert "crossed-runs" in codes(crossed)
    assert "crossed-runs" not in codes(strangers) | codes(told)
    assert "run" not in crossed.answer.redrawn
    assert told.high - told.low > crossed.high - crossed.low


@pytest.mark.parametrize("k", [2, 3, 5, 10, 30, 300])
@pytest.mark.parametrize("n", [10, 100, 10_000])
def test_no_effect_of_runs_is_missed_for_the_sake_of_speed(n, k):
    """F is looked up where its p-value may be below the limit, and never taken for 1 there."""
    from scipy.stats import f

    df = k - 1
    assert _least_f(df) < f.isf(CROSSED_P, df, (n - 1) * df)


def test_identical_runs_are_noticed():
    scores = Scores.from_arrays({"m": [[1, 1, 1], [0, 0, 0], [1, 1, 1], [1, 1, 1]]}, axes=("item", "run"))
    different = Scores.from_arrays({"m": [[1, 1, 0], [0, 0, 0], [1, 1, 1], [1, 1, 1]]}, axes=("item", "run"))
    assert "identical-runs" in codes(estimate(scores)[0])
    assert "identical-runs" not in codes(estimate(different)[0])


def test_one_item_tasks_are_collapsed_and_named():
    tasks = ["a", "b", "c", "d", "d", "d"]
    table = Scores({"model": ["m"] * 6, "task": tasks, "item": list("123456"), "score": [1, 0, 1, 1, 0, 1]})
    [row] = estimate(table, resample=Resample("item"))
    [said] = [note for note in row.answer.notes if note.code == "collapsed-strata"]
    assert "3 tasks with a single item (a, b, c)" in said.message


def test_one_model_on_both_sides():
    table = Scores.from_arrays({"m": [1, 0, 1]}, axes=("item",))
    other = Scores.from_arrays({"m": [1, 1, 1]}, axes=("item",))
    same = compare(table, "m", "m")
    assert (same.value, same.significant) == (0.0, False)
    assert {"same-model", "identical-files"} <= codes(same)
    two = compare(table, other)
    assert (two.a, two.b) == ("m (A)", "m (B)")
    assert "same-model" in codes(two)
    assert (compare(table, other, labels=("old", "new")).a) == "old"


def test_sides_on_different_scales_are_noticed():
    table = Scores({"model": ["A", "A", "B", "B"], "item": list("1212"), "score": [0.5, 0.7, 3.0, 75.0]})
    [said] = [note for note in compare(table).answer.notes if note.code == "mixed-scale"]
    assert "those of 'A' lie within 0 and 1, those of 'B' reach 75" in said.message
    alike = Scores({"model": ["A", "A", "B", "B"], "item": list("1212"), "score": [0.5, 0.7, 0.6, 0.75]})
    assert "mixed-scale" not in codes(compare(alike))


def test_thirds_that_cancel_are_no_difference():
    a = [[1, 1, 0], [1, 0, 0], [0, 0, 0]]
    b = [[1, 0, 0], [1, 1, 0], [0, 0, 0]]
    found = compare(Scores.from_arrays({"A": a, "B": b}, axes=("item", "run")))
    assert found.value == 0.0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"interval": Wilson}, r"interval=Wilson is a class; pass an object of it, as in interval=sb\.Wilson\(\)"),
        ({"interval": "wilson"}, r"interval='wilson': must be an object, as in interval=sb\.Wilson\(\)"),
        ({"interval": "Student_T"}, r"as in interval=sb\.StudentT\(\)$"),
        ({"interval": "bootstrapped"}, r"as in interval=sb\.Wilson\(\)$"),
        ({"estimator": "iqm"}, r"estimator='iqm': must be an object, as in estimator=sb\.IQM\(\)$"),
        ({"estimator": "IQM"}, r"as in estimator=sb\.IQM\(\)$"),
        ({"estimator": "Medain"}, r"as in estimator=sb\.Median\(\)$"),
        ({"estimator": "pass^4"}, r"as in estimator=sb\.PassHatK\(4\)$"),
        ({"estimator": "passatk"}, r"as in estimator=sb\.PassAtK\(k=…\)$"),
        ({"estimator": "ratio:cost/ok"}, r"as in estimator=sb\.Ratio\('cost', 'ok'\)$"),
        ({"estimator": sb.IQM}, r"estimator=IQM is a class; pass an object of it, as in estimator=sb\.IQM\(\)$"),
        ({"resample": "Item"}, r'as in resample=sb\.Resample\("item"\)$'),
        ({"estimator": "pass^3"}, r"as in estimator=sb\.PassHatK\(3\)"),
        ({"resample": "item"}, r'as in resample=sb\.Resample\("item"\)'),
        ({"level": 95}, r"level = 95: must lie strictly between 0 and 1, such as 0\.95; did you mean 0\.95\?"),
        ({"level": 1.5}, r"level = 1\.5: must lie strictly between 0 and 1"),
    ],
)
def test_arguments_of_the_wrong_kind_get_the_right_spelling(options, message):
    with pytest.raises(ArgumentError, match=message):
        estimate(Scores.from_arrays({"m": [1, 0]}, axes=("item",)), **options)


@pytest.mark.parametrize(
    ("test", "message"),
    [
        ("mcnemar", r"test='mcnemar': must be an object, as in test=sb\.McNemar\(\)$"),
        ("Wilcoxn", r"as in test=sb\.Wilcoxon\(\)$"),
        (sb.SignFlip, r"test=SignFlip is a class; pass an object of it, as in test=sb\.SignFlip\(\)$"),
        (5, r"test=5: must be an object"),
    ],
)
def test_a_test_of_the_wrong_kind_gets_the_right_spelling(test, message):
    scores = Scores.from_arrays({"A": [1, 0], "B": [1, 1]}, axes=("item",))
    with pytest.raises(ArgumentError, match=message):
        compare(scores, "A", "B", test=test)


def test_arrays_without_the_names_of_their_models_are_refused():
    with pytest.raises(ArgumentError, match=r"takes a dictionary {model: array}, and was given a list; write {'A'"):
        Scores.from_arrays([[1, 0], [1, 1]], axes=("item",))


@pytest.mark.parametrize(("scores", "how"), [("two.csv", r"sb\.read\(path\)"), ({"a": [1]}, r"sb\.Scores\(frame\)")])
def test_scores_of_the_wrong_kind_are_told_how_to_become_scores(scores, how):
    with pytest.raises(ArgumentError, match=how):
        estimate(scores)
    with pytest.raises(ArgumentError, match=how):
        compare(scores)


def test_objects_of_the_right_kind_pass():
    table = Scores.from_arrays({"A": [[1, 1], [0, 1]], "B": [[1, 0], [0, 0]]}, axes=("item", "run"))
    found = compare(table, effect=Difference(), estimator=PassHatK(2), resample=Resample("item"))
    assert found.value == 0.5
    assert estimate(table, estimator=Mean())[0].value == 0.75


def test_models_that_do_not_exist_get_a_near_miss():
    table = Scores.from_arrays({"gpt-a": [1, 0], "gpt-b": [1, 1]}, axes=("item",))
    with pytest.raises(ArgumentError, match="no model is called 'gpt-aa'; did you mean 'gpt-a'"):
        compare(table, "gpt-aa", "gpt-b")
    with pytest.raises(ArgumentError, match="needs two sides"):
        compare(table, "gpt-a")


def test_declared_seeds_are_what_is_redrawn():
    [row] = estimate(seeds(1.0).with_options(run_crosses_items=True))
    assert row.resample == ("run",)
    assert "other runs, such as training seeds" in row.question


def test_runs_without_a_partner_are_said():
    rows = [("A", f"q{i}", f"s{j}", float((i * 7 + j * 3) % 4 > 1)) for i in range(6) for j in range(4)]
    rows += [("B", f"q{i}", f"s{j}", float((i * 5 + j) % 3 > 0)) for i in range(6) for j in range(1, 4)]
    model, item, run, score = zip(*rows, strict=True)
    table = Scores({"model": model, "item": item, "run": run, "score": score})
    found = compare(table, resample=Resample("run", paired=True))
    assert dict(found.answer.dropped) == {"run that only one side has": 6}


def test_one_bound_prints_and_its_p_value_says_that_it_is_two_sided():
    a, b = [1] * 40 + [0] * 10, [1] * 30 + [0] * 20
    table = Scores.from_arrays({"A": a, "B": b}, axes=("item",))
    text = str(compare(table, side=Side.LOWER))
    assert "two-sided" in text
    assert "two-sided" not in str(compare(table))


ONE_RUN = Scores.from_arrays({"A": [1, 0, 1, 1], "B": [1, 0, 0, 1]}, axes=("item",))


@pytest.mark.parametrize("method", [Percentile(), Basic(), BCa(), Percentile(n_boot=500)], ids=lambda m: m.name)
@pytest.mark.parametrize(("level", "code"), [("run", "one-run"), ("task", "one-unit")])
def test_a_single_unit_has_no_interval_by_any_method(method, level, code):
    rows = [*estimate(ONE_RUN, resample=Resample(level), interval=method)]
    rows.append(compare(ONE_RUN, resample=Resample(level), interval=method))
    for row in rows:
        assert np.isnan([row.low, row.high]).all()
        assert row.instead is None
        assert code in codes(row)


def test_one_resample_is_no_interval():
    [row, _] = estimate(ONE_RUN, interval=Percentile(n_boot=1))
    assert np.isnan([row.low, row.high]).all()
    assert "draw more" in str(row)


def test_equal_scores_without_a_range_are_not_shown_as_certain():
    table = Scores.from_arrays({"m": [0.7] * 20}, axes=("item",))
    [row] = estimate(table, interval=Percentile())
    assert (row.low, row.high) == (0.7, 0.7)
    assert np.isnan(row.shown.low)
    assert "all-equal-no-range" in str(row)
    assert "[0.7" not in str(row)


def test_absurd_numbers_of_resamples_are_refused():
    with pytest.raises(ArgumentError, match="at most 100,000,000 resamples"):
        Percentile(n_boot=10**15)


def test_half_a_bound_is_no_significance():
    found = compare(Scores.from_arrays({"A": [1] * 30 + [0] * 5, "B": [0] * 30 + [1] * 5}, axes=("item",)))
    half = replace(found, answer=replace(found.answer, high=float("nan")))
    assert found.significant
    assert not half.significant


def test_models_on_different_items_are_noticed():
    table = Scores({"model": list("aaabb"), "item": list("12323"), "score": [1, 0, 1, 1, 1]})
    [said] = [note for note in estimate(table).notes if note.code == "attrition"]
    assert "2 to 3, 2 in common" in said.message
    same = Scores({"model": list("aabb"), "item": list("1212"), "score": [1, 0, 1, 1]})
    assert "attrition" not in {note.code for note in estimate(same).notes}


@pytest.mark.parametrize(
    ("n_lost", "is_row", "noted"), [(1, True, False), (2, True, False), (3, True, True), (1, False, True)]
)
def test_a_few_attempts_without_a_score_are_said_once(n_lost, is_row, noted):
    """Of 40 items 1 or 2 are 5 % at most; items whose rows are not in the table are noted, however few."""
    rows = [
        (model, n, None if n < n_lost and model == "a" else float((n + place) % 3 > 0))
        for place, model in enumerate("ab")
        for n in range(40)
    ]
    kept = [row for row in rows if is_row or row[2] is not None]
    model, item, score = zip(*kept, strict=True)
    said = estimate(Scores({"model": model, "item": item, "score": score}))
    codes = {note.code for row in said for note in row.notes} | {note.code for note in said.notes}
    assert ("attrition" in codes) is noted
    assert ("missing-scores" in codes) is is_row


@pytest.mark.parametrize(("wrong", "noted"), [(0, False), (1, True)])
def test_two_models_that_have_everything_right_are_no_copies(wrong, noted):
    scores = [0] * wrong + [1] * (60 - wrong)
    found = compare(Scores.from_arrays({"A": scores, "B": scores}, axes=("item",)))
    assert ("identical-files" in {note.code for note in found.notes}) is noted


def test_the_best_of_many_is_no_surprise():
    rng = np.random.default_rng(0)
    many = Scores.from_arrays({f"m{i}": rng.integers(0, 2, 20) for i in range(5)}, axes=("item",))
    assert "winner" in {note.code for note in estimate(many).notes}
    assert "winner" not in {note.code for note in estimate(many.select(model=["m0", "m1"])).notes}


@pytest.mark.parametrize(
    ("text", "call"),
    [("Odds_Ratio", "OddsRatio"), ("improvment", "ProbabilityOfImprovement"), ("RELATIVE", "RelativeDifference")],
)
def test_an_effect_in_words_is_answered_with_the_object(text, call):
    scores = sb.Scores.from_arrays({"A": [1, 0], "B": [0, 1]}, axes=("item",))
    with pytest.raises(sb.ArgumentError, match=rf"as in effect=sb\.{call}\(\)$"):
        sb.compare(scores, effect=text)
    assert sb.compare(scores, effect=getattr(sb, call)()).effect


@pytest.mark.parametrize("family", ["estimators", "intervals", "effects"])
def test_every_spelling_of_the_command_line_finds_its_class(family):
    from importlib import import_module

    from scorebars.analysis.spelled import as_object

    module = import_module(f"scorebars.{family}")
    for spelling, member in getattr(module, "INTERVALS" if family == "intervals" else "SPELLINGS").items():
        name = member.__name__ if isinstance(member, type) else member.partition(":")[2]
        for text in (spelling.partition(":")[0], spelling.partition(":")[0].upper(), name, name.lower()):
            assert as_object(family[:-1], text).startswith(f"sb.{name}("), text


def test_programs_are_told_the_weights_too():
    table = Scores({"item": list("abcd"), "score": [1, 0, 1, 1], "weight": [0.5, 1, 3, 1]})
    [row] = estimate(table).to_dicts()
    assert (row["weights_min"], row["weights_max"]) == (0.5, 3.0)
    [row] = estimate(Scores({"item": list("abcd"), "score": [1, 0, 1, 1]})).to_dicts()
    assert row["weights_min"] is None


def test_models_that_share_nothing_are_not_to_be_compared_on_what_they_share():
    table = Scores({"model": list("aabb"), "item": list("1234"), "score": [1, 0, 1, 1]})
    [said] = [note for note in estimate(table).notes if note.code == "attrition"]
    assert "0 in common" in said.message
    assert said.message.endswith("no two of them share an item, so check that the item ids mean the same")


def test_few_clusters_are_said_with_their_column_and_the_options(tmp_path):
    rows = {"model": [], "group": [], "item": [], "score": []}
    for model in "ab":
        for i in range(30):
            values = (model, "xyz"[i % 3], f"q{i}", int(i % (2 + (model == "b")) == 0))
            for column, value in zip(rows, values, strict=True):
                rows[column].append(value)
    path = tmp_path / "t.csv"
    path.write_text("\n".join([",".join(rows), *(",".join(map(str, row)) for row in zip(*rows.values(), strict=True))]))
    of_file = "3 clusters (from column 'group'), "
    typed = "collect 10 or more clusters; others: --cluster COLUMN; none, where items are unrelated: --cluster none)"
    called = "others: cluster='COLUMN'; none, where items are unrelated: cluster='none')"
    for scores, remedy in ((read(path), typed), (sb.read(path), called), (sb.Scores(rows), called[:37])):
        answers = [sb.estimate(scores)[0].answer, sb.compare(scores).answer, sb.compare_all(scores)[0].answer]
        for answer in answers:
            (said,) = [note.message for note in answer.notes if note.code == "few-clusters"]
            assert said.startswith(of_file)
            assert remedy in said
    (found,) = [one for one in sb.doctor(sb.read(path)).findings if one.code == "few-clusters"]
    assert "(from column 'group')" in found.message
    assert found.remedy.endswith("cluster='none'")
    assert "few-clusters" not in {note.code for note in sb.estimate(sb.read(path, cluster="none"))[0].answer.notes}
