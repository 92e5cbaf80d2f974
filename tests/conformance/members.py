"""The members of the families, made from their lists, and the plain definition of each.

A new member of ``intervals.INTERVALS`` is tested without a line here unless its class needs arguments. A new estimator
or effect needs one line: what it means in plain Python.
"""

from dataclasses import dataclass
from statistics import fmean

import numpy as np
from tests.conformance import plain

from scorebars import effects, estimators, intervals
from scorebars.errors import MethodError

PLAIN_ESTIMATORS = {
    "mean": ("mean", plain.item_average(fmean)),
    "pass@K": ("pass@2", plain.item_average(plain.share_of_subsets(2, any))),
    "pass^K": ("pass^2", plain.item_average(plain.share_of_subsets(2, all))),
    "iqm": ("iqm", plain.trimmed(0.25)),
    "median": ("median", plain.median_of_tasks),
    "trimmed-mean:P": ("trimmed-mean:0.2", plain.trimmed(0.2)),
    "quantile:Q": ("quantile:0.8", plain.quantile(0.8)),
    "optimality-gap": (
        "optimality-gap:0.6",
        plain.item_average(lambda runs: fmean(max(0.6 - score, 0.0) for score in runs)),
    ),
    "superhuman": ("superhuman:0.4", plain.item_average(lambda runs: fmean(float(score > 0.4) for score in runs))),
    "difficulty-progress": ("difficulty-progress:0.4", plain.lowest(0.4)),
}
"""Spelling in the family's list -> (the same with values, its plain definition)."""

MORE_ESTIMATORS = {
    "iqm:half": plain.middle_half,
    "median:plain": plain.median_of_attempts,
    "pass@1": plain.item_average(fmean),
    "pass^1": plain.item_average(fmean),
}
"""Choices of a member, by the spelling that ``estimators.parse`` reads."""

COLUMN_ESTIMATORS = {
    "ratio:NUMERATOR/DENOMINATOR": (
        lambda cls: cls("x", "y"),
        plain.ratio_of(lambda x, _: x, lambda _, y: y),
    ),
    "precision": (
        lambda cls: cls("x", "y", undefined=0.0),
        plain.ratio_of(lambda x, y: x * y, lambda _, y: y, otherwise=0.0),
    ),
    "recall": (
        lambda cls: cls("x", "y", undefined=0.0),
        plain.ratio_of(lambda x, y: x * y, lambda x, _: x, otherwise=0.0),
    ),
    "f1": (
        lambda cls: cls("x", "y", undefined=0.0),
        plain.ratio_of(lambda x, y: 2 * x * y, lambda x, y: x + y, otherwise=0.0),
    ),
    "auroc": (lambda cls: cls("x", "y"), plain.area_under_roc),
}
"""Members that need two columns, x and y: how one is made, and its plain definition (``test_columns``)."""

PLAIN_EFFECTS = {
    "difference": plain.of_values(lambda a, b: a - b),
    "relative": plain.of_values(lambda a, b: a / b - 1.0),
    "odds-ratio": plain.of_values(lambda a, b: a * (1.0 - b) / ((1.0 - a) * b)),
    "outperforming": lambda _: plain.matching_pairs,
    "improvement": lambda _: plain.all_pairs,
}
"""Spelling in the family's list -> from the estimator's plain definition to that of the effect."""

INTERVAL_ARGUMENTS = {}
"""Spelling of an interval whose class needs arguments -> how to make one: {"beta": lambda cls: cls(1.0, 1.0)}."""


@dataclass(frozen=True)
class Member:
    """A member of a family and its plain definition."""

    spelling: str
    made: object
    plain: object


def listed(family, definitions, where):
    """A sentence for each member of a family's list that has no plain definition."""
    return [
        f"'{spelling}' is in the list of {family} and has no plain definition: "
        f"add one to {where} (or COLUMN_ESTIMATORS) in tests/conformance/members.py"
        for spelling in family_list(family)
        if spelling not in definitions and spelling not in COLUMN_ESTIMATORS
    ]


def family_list(family):
    return {"estimators": estimators, "effects": effects}[family].SPELLINGS


def all_estimators():
    """Every estimator that has a plain definition, in the order of the family's list."""
    named = [PLAIN_ESTIMATORS[spelling] for spelling in estimators.SPELLINGS if spelling in PLAIN_ESTIMATORS]
    spelt = [Member(text, estimators.parse(text), value) for text, value in (*named, *MORE_ESTIMATORS.items())]
    return [*spelt, Member("custom", estimators.Custom(np.max), lambda drawn: plain.attempts(drawn)[-1])]


def column_estimators():
    """Every estimator of two columns."""
    found = []
    for spelling, (make, value) in COLUMN_ESTIMATORS.items():
        cls = getattr(estimators, estimators.SPELLINGS[spelling].partition(":")[2])
        found.append(Member(spelling, make(cls), value))
    return found


def all_effects():
    """Every effect that has a plain definition."""
    found = [(name, cls) for name, cls in effects.SPELLINGS.items() if name in PLAIN_EFFECTS]
    half = Member("outperforming:half", effects.ProbabilityOfOutperforming(ties=effects.Ties.HALF), _half_ties)
    return [*(Member(name, cls(), PLAIN_EFFECTS[name]) for name, cls in found), half]


def _half_ties(_):
    return lambda a, b: plain.matching_pairs(a, b, tie=0.5)


def make_interval(spelling):
    """The interval of this spelling, without arguments where its class needs none."""
    cls = intervals.interval_named(spelling)
    if spelling in INTERVAL_ARGUMENTS:
        return INTERVAL_ARGUMENTS[spelling](cls)
    try:
        return cls()
    except TypeError as error:
        raise AssertionError(
            f"{cls.__name__} cannot be made without arguments ({error}): say how in INTERVAL_ARGUMENTS of "
            "tests/conformance/members.py"
        ) from error


def can_serve(estimator, sample):
    """Whether the estimator takes this sample."""
    try:
        estimator.check(sample, str)
    except MethodError:
        return False
    return True
