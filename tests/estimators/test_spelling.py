"""Spellings of the command line."""

import pytest

import scorebars as sb
from scorebars.errors import ArgumentError
from scorebars.estimators import SPELLINGS, parse

MEANT = {
    "mean": sb.Mean(),
    "pass@3": sb.PassAtK(3),
    "pass^2": sb.PassHatK(2),
    "iqm": sb.IQM(),
    "iqm:half": sb.IQM(sb.Middle.HALF),
    "median": sb.Median(),
    "median:plain": sb.Median(plain=True),
    "trimmed-mean:0.1": sb.TrimmedMean(0.1),
    "quantile:0.9": sb.Quantile(0.9),
    "optimality-gap": sb.OptimalityGap(),
    "optimality-gap:2": sb.OptimalityGap(2.0),
    "superhuman": sb.SuperhumanProbability(),
    "superhuman:0.5": sb.SuperhumanProbability(0.5),
    "difficulty-progress": sb.DifficultyProgress(),
    "difficulty-progress:0.5": sb.DifficultyProgress(0.5),
    "ratio:cost/resolved": sb.Ratio("cost", "resolved"),
    "precision": sb.Precision(),
    "recall": sb.Recall(),
    "f1": sb.F1(),
    "f1:gold,guess": sb.F1("gold", "guess"),
    "auroc": sb.AUROC(),
    "auroc:gold,p": sb.AUROC("gold", "p"),
}


@pytest.mark.parametrize("text", MEANT)
def test_what_each_spelling_means(text):
    assert parse(text) == MEANT[text]


def test_every_estimator_of_the_list_can_be_spelt():
    assert {type(each).__name__ for each in MEANT.values()} == {place.partition(":")[2] for place in SPELLINGS.values()}


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("maen", "did you mean 'mean'"),
        ("pass@x", "whole number"),
        ("pass^", "whole"),
        ("mean:3", "'mean' takes no value"),
        ("iqm:hlf", "did you mean 'half'"),
        ("trimmed-mean", "a number is missing; write for example 'trimmed-mean:0.1'"),
        ("quantile:high", "'high' is no number"),
        ("quantile:90", "did you mean 0.9"),
        ("ratio", "'' must name two columns with a '/' between them; write for example 'ratio:cost/resolved'"),
        ("f1:gold", "write for example 'f1:label,prediction'"),
        ("f1:a,b,c", "must name two columns"),
        ("optimality_gap", "did you mean 'optimality-gap'"),
    ],
)
def test_misspelt_estimators_get_a_hint(text, hint):
    with pytest.raises(ArgumentError, match=hint):
        parse(text)
