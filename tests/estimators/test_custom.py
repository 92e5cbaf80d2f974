"""Any function of an array: called at once or one by one, and what it may not return."""

import math

import numpy as np
import pytest
from tests.estimators.atari import needs_atari
from tests.estimators.atari import scores as atari
from tests.estimators.drawn_by_hand import drawn, problem, value

import scorebars as sb
from scorebars.errors import ArgumentError, MethodError

SCORES = {"item": list(range(6)), "score": [3.0, 1.0, 4.0, 1.5, 5.0, 9.0]}


def spread(x):
    return float(np.max(x) - np.min(x))


@pytest.mark.parametrize("custom", [sb.Custom(np.ptp), sb.Custom(spread), sb.Custom(np.ptp, vectorised=False)])
def test_both_ways_to_call_give_the_same(custom):
    resamples = [[1.0, 2.0, 5.0], [2.0], [0.5, 0.5], [3.0, 1.0, 1.0]]
    assert custom.statistic(drawn(*resamples)).tolist() == [4.0, 0.0, 0.0, 2.0]


def test_how_it_is_called_follows_from_the_function():
    assert sb.Custom(np.median).vectorised
    assert not sb.Custom(spread).vectorised
    assert (sb.Custom(spread).name, sb.Custom(lambda x: x[0]).name) == ("spread", "custom")
    assert sb.Custom(spread, name="range").name == "range"


@pytest.mark.parametrize("custom", [sb.Custom(np.median), sb.Custom(lambda x: np.median(x))])  # noqa: PLW0108
def test_a_custom_median_is_the_median(custom):
    plain = sb.Scores(SCORES)
    found = problem(plain, custom, "item").distribution(500)
    own = problem(plain, sb.Median(plain=True), "item").distribution(500)
    assert (found.mean, found.std) == pytest.approx((own.mean, own.std), abs=1e-12)


def test_the_textbook_bootstrap_takes_it():
    table = np.random.default_rng(1).random((5, 3))
    expected = sb.stratified_bootstrap_ci(table, np.median, 400)
    assert sb.stratified_bootstrap_ci(table, sb.Custom(np.median), 400) == pytest.approx(expected, abs=1e-12)
    assert sb.stratified_bootstrap_ci(table, sb.Median(plain=True), 400) == pytest.approx(expected, abs=1e-12)


def breaks_on_large(x):
    if x.sum() > 40:
        raise ZeroDivisionError("by hand")
    return x.mean()


def breaks_with_axis(x, axis):
    if x.sum() > 40:
        raise ZeroDivisionError("by hand")
    return x.mean(axis=axis)


@pytest.mark.parametrize("fn", [breaks_on_large, breaks_with_axis])
def test_an_exception_names_the_resample_and_its_input(fn):
    told = rf"{fn.__name__} raised ZeroDivisionError \(by hand\) for resample \d+, of 6 attempts: score = \[.*, …\]"
    with pytest.raises(MethodError, match=told):
        problem(sb.Scores(SCORES), sb.Custom(fn), "item").distribution(2000)


def test_the_number_of_the_resample_counts_through_all_blocks(monkeypatch):
    seen = []

    def log(x):
        seen.append(x)
        return math.nan if len(seen) == 150 else 1.0

    monkeypatch.setattr("scorebars.resample.draws.BLOCK", 60)
    with pytest.raises(MethodError, match=r"log returned nan for resample 150, of 6 attempts"):
        problem(sb.Scores(SCORES), sb.Custom(log), "item").distribution(500)


@pytest.mark.parametrize(
    ("custom", "message"),
    [
        (sb.Custom(lambda x, axis: np.where(x.mean(axis=axis) > 4, np.nan, 1.0)), "custom returned nan for resample"),
        (sb.Custom(lambda x: x), r"custom returned shape \(6,\), and must return one number, for resample 1"),
        (
            sb.Custom(lambda x, axis: x + 0 * axis),
            r"custom returned shape \(500, 6\) for 500 resamples of shape \(500, 6\)",
        ),
        (sb.Custom(lambda x: f"much of {x}"), r"custom raised ValueError"),
    ],
)
def test_what_it_may_not_return(custom, message):
    with pytest.raises(MethodError, match=message):
        problem(sb.Scores(SCORES), custom, "item").distribution(500)


def test_the_scores_themselves_are_named():
    with pytest.raises(MethodError, match="custom returned nan for the scores as they are, of 6 attempts"):
        value(SCORES, sb.Custom(lambda x: x.sum() * math.nan))


def test_weights_are_refused():
    with pytest.raises(MethodError, match="ptp counts every attempt"):
        value(SCORES | {"weight": [1, 2, 3, 4, 5, 6]}, sb.Custom(np.ptp))


@pytest.mark.parametrize(("fn", "columns"), [("median", ("score",)), (np.median, ()), (np.median, "score")])
def test_not_a_function_or_no_columns(fn, columns):
    with pytest.raises(ArgumentError):
        sb.Custom(fn, columns=columns)


def bleu(*columns, axis):
    """Corpus BLEU (Papineni et al. 2002) from sums over sentences: 4 matches, 4 totals, lengths of both sides."""
    sums = [column.sum(axis=axis) for column in columns]
    matches, totals, (own, reference) = sums[:4], sums[4:8], sums[8:]
    precision = np.mean([np.log(m / t) for m, t in zip(matches, totals, strict=True)], axis=0)
    return 100 * np.exp(precision + np.minimum(0.0, 1.0 - reference / own))


STATISTICS = (*(f"match{n}" for n in range(1, 5)), *(f"total{n}" for n in range(1, 5)), "own", "reference")


def sentences(pairs):
    """The sufficient statistics of each (hypothesis, reference), one column each."""

    def grams(words, n):
        found = {}
        for k in range(len(words) - n + 1):
            gram = tuple(words[k : k + n])
            found[gram] = found.get(gram, 0) + 1
        return found

    table = {name: [] for name in STATISTICS}
    for own, reference in ((a.split(), b.split()) for a, b in pairs):
        for n in range(1, 5):
            mine, theirs = grams(own, n), grams(reference, n)
            table[f"match{n}"].append(sum(min(count, theirs.get(gram, 0)) for gram, count in mine.items()))
            table[f"total{n}"].append(max(len(own) - n + 1, 0))
        table["own"].append(len(own))
        table["reference"].append(len(reference))
    return table


PAIRS = [
    ("the cat sat on the red mat", "the cat sat on the mat"),
    ("a small dog runs in the park today", "a small dog runs through the park"),
    ("he reads a book every single day", "he reads a book every day"),
    ("it rains in the north of the country", "it rains in the north of the land"),
]


def test_corpus_bleu_from_sufficient_statistics():
    table = sentences(PAIRS)
    scores = sb.Scores(table | {"item": list(range(4))}, values={name: name for name in STATISTICS})
    estimator = sb.Custom(bleu, columns=STATISTICS, name="BLEU")
    found = problem(scores, estimator, "item")
    sums = {name: sum(column) for name, column in table.items()}
    precision = math.prod(sums[f"match{n}"] / sums[f"total{n}"] for n in range(1, 5)) ** 0.25
    assert found.value == pytest.approx(100 * precision, abs=1e-10)  # longer than the references: no penalty
    index = np.random.default_rng(0).integers(0, 4, size=(300, 4))
    by_hand = bleu(*(np.array(table[name])[index] for name in STATISTICS), axis=-1)
    assert found.distribution(300).mean == pytest.approx(by_hand.mean(), abs=1e-10)  # the same draws


@pytest.mark.shared_data
@needs_atari
def test_a_custom_iqm_is_the_iqm():
    from scipy.stats import trim_mean

    def iqm(x, axis):
        return trim_mean(x, 0.25, axis=axis)

    table = atari("SPR")[:10]
    own, theirs = (sb.stratified_bootstrap_ci(table, each, 2000) for each in (sb.IQM(), sb.Custom(iqm)))
    assert own == pytest.approx(theirs, abs=1e-12)
