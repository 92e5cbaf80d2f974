"""What every interval owes to every problem, whatever the method; each broken rule is one sentence."""

import math
import re

from tests.conformance.members import make_interval

from scorebars import intervals
from scorebars.contracts import How, Side
from scorebars.errors import MethodError, ScorebarsError
from scorebars.intervals import p_value

LEVEL = 0.95
LADDER = (0.5, 0.95, 0.999)
EXPLAINS = {
    "all-equal-no-range",
    "few-items",
    "nan-interval",
    "no-spread",
    "no-width",
    "nothing-to-redraw",
    "one-cluster",
    "one-run",
    "one-unit",
}
"""Notes that explain why bounds do not exist."""
TWO_TAILED = {
    "blaker": "its two-sided test shares the error between the tails as the data say (Blaker 2000)",
    "wild-cluster": "its two-sided test looks at |t|",
}
"""Intervals whose one-sided bounds are not the two-sided ones at the doubled error rate, and why."""
MAY_MISS = {
    "beta": "a posterior interval leaves out the end of the range that an estimate of 0 or 1 sits on",
    "jeffreys": "as beta",
    "independent-beta": "as beta",
    "percentile": "quantiles of a biased bootstrap (run-bias, order statistics of few)",
    "bias-corrected": "as percentile, shifted",
    "bca": "as percentile, shifted",
    "basic": "as percentile, mirrored",
    "expanded-percentile": "as percentile",
    "m-out-of-n": "as percentile",
}
"""Intervals that need not contain the estimate, and why."""
QUANTILES = {"percentile", "basic", "expanded-percentile"}
"""Those of MAY_MISS that do contain the estimate where it is a plain mean."""
METHODS = {type(made).__name__: made for made in map(make_interval, intervals.INTERVALS)}
"""What a refusal may name."""


def broken_rules(spelling, method, problem):
    """A sentence for each rule that the method breaks on this problem."""
    refusal = method.refuses(problem)
    if refusal is not None:
        return _refused(method, problem, refusal)
    try:
        found = method.bounds(problem, LEVEL, Side.TWO)
    except ScorebarsError as error:
        return _raised(problem, error)
    if not found.method:
        return ["the bounds name no method"]
    if math.isnan(found.low) or math.isnan(found.high):
        return _missing(found)
    return [
        *_in_order(spelling, found, problem),
        *_has_width(spelling, found, problem),
        *_one_sided(spelling, method, problem),
        *_nested(method, problem),
        *_tests_alike(method, problem, found),
    ]


def _refused(method, problem, refusal):
    wrong = []
    named = METHODS.keys() & set(re.findall(r"\w+", refusal))
    if not problem.top and (named or "nothing can be redrawn" not in refusal):
        wrong.append(f"nothing can be redrawn, and the refusal does not say so: '{refusal}'")
    if problem.top and not any(METHODS[name].refuses(problem) is None for name in named):
        wrong.append(f"the refusal names no method that serves this problem: '{refusal}'")
    try:
        found = method.bounds(problem, LEVEL, Side.TWO)
    except MethodError:
        return wrong
    if not (math.isnan(found.low) and math.isnan(found.high)):
        wrong.append(f"refuses ('{refusal}'), and yet gives {found.low}, {found.high}")
    return wrong + _missing(found)


def _raised(problem, error):
    # Some statistics do not exist in some resample, which only drawing shows; the message says so and what to use.
    return [] if "no bootstrap interval" in str(error) else [f"does not refuse, and raises: {error}"]


def _missing(found):
    codes = {note.code for note in found.notes}
    wrong = [] if codes & EXPLAINS else [f"bounds are missing and no note says why: {sorted(codes)}"]
    if not found.method:
        wrong.append("the bounds name no method")
    return wrong


def _in_order(spelling, found, problem):
    wrong, value = [], problem.value
    slack = 1e-9 * max(1.0, abs(value))
    if found.low > found.high:
        wrong.append(f"low {found.low} is above high {found.high}")
    exact = problem.is_mean and problem.linear_in_runs and spelling in QUANTILES
    if (spelling not in MAY_MISS or exact) and not found.low - slack <= value <= found.high + slack:
        wrong.append(f"[{found.low}, {found.high}] does not contain the estimate {value}")
    if problem.range is not None and "past-range" not in {note.code for note in found.notes}:
        low, high = problem.range
        if found.low < low - slack or found.high > high + slack:
            wrong.append(f"[{found.low}, {found.high}] passes the range {problem.range} without the note")
    return wrong


def _has_width(spelling, found, problem):
    if found.high > found.low:
        return []
    codes = {note.code for note in found.notes}
    if spelling == "auto":
        return [f"Auto has no width: {found.low}"]
    if found.instead is None:
        return (
            []
            if codes & {"all-equal-no-range", "no-width"}
            else [f"no width, nothing instead, and no reason: {sorted(codes)}"]
        )
    shown = found.instead
    wrong = [] if shown.high > shown.low and shown.method else [f"shown instead: {shown.low}, {shown.high}"]
    if not shown.low <= problem.value + 1e-12 or not shown.high >= problem.value - 1e-12:
        wrong.append(f"what is shown instead, [{shown.low}, {shown.high}], misses the estimate {problem.value}")
    return wrong if "all-equal" in codes else [*wrong, "shown instead without the note all-equal"]


def close(a, b, scale):
    return a == b or abs(a - b) <= 1e-9 * max(scale, 1e-3)


def _one_sided(spelling, method, problem):
    two = method.bounds(problem, 1.0 - 2.0 * (1.0 - LEVEL), Side.TWO)
    low, high = method.bounds(problem, LEVEL, Side.LOWER), method.bounds(problem, LEVEL, Side.UPPER)
    wrong = []
    if not (low.high == math.inf and high.low == -math.inf):
        wrong.append(f"the side that was not asked for is {low.high}, {high.low}, not infinite")
    if spelling in TWO_TAILED or two.method == "Blaker":
        return wrong
    scale = abs(two.high - two.low)
    if math.isnan(scale):
        return wrong
    if not close(low.low, two.low, scale) or not close(high.high, two.high, scale):
        wrong.append(f"one-sided {low.low}, {high.high} against {two.low}, {two.high} at twice the error rate")
    return wrong


def _nested(method, problem):
    inner, wrong = None, []
    for level in LADDER:
        found = method.bounds(problem, level, Side.TWO)
        if math.isnan(found.low) or math.isnan(found.high):
            continue
        if inner is not None:
            slack = 1e-9 * max(1.0, abs(found.high - found.low))
            if found.low > inner.low + slack or found.high < inner.high - slack:
                wrong.append(f"at {level:g} [{found.low}, {found.high}] does not hold [{inner.low}, {inner.high}]")
        inner = found
    return wrong


def _tests_alike(method, problem, found):
    """The p-value is that of the interval: below 1 − level exactly where the interval excludes the null value."""
    p = p_value(method, problem)
    if math.isnan(p) or (problem.sides is None and problem.null == 0.0):
        return []
    if not 0.0 <= p <= 1.0:
        return [f"the p-value is {p}"]
    away = max(found.low - problem.null, problem.null - found.high)
    slack = 1e-9 * max(1.0, found.high - found.low)
    # Drawn bounds lie between two replicates, and a p-value counts them.
    near = 1e-6 if found.distribution is None or found.distribution.how is not How.MONTE_CARLO else 0.02
    clear = found.instead is None and abs(p - 1.0 + LEVEL) > near and abs(away) > slack
    if clear and (p < 1.0 - LEVEL) != (away > 0.0):
        return [f"p = {p}, and the interval is [{found.low}, {found.high}] with null {problem.null}"]
    return []
