"""Results of every kind, filled by hand, for the outputs to print."""

from __future__ import annotations

import math
from dataclasses import replace

from scorebars.contracts import How, Side
from scorebars.notes import FEW_UNBOUNDED, note
from scorebars.results import (
    Answer,
    Bound,
    Comparison,
    Counts,
    Diagnosis,
    Estimate,
    Estimates,
    Finding,
    Holding,
    Severity,
)
from scorebars.results.later import Later

NAN = math.nan

ANSWER = Answer(
    value=0.62,
    low=0.5491,
    high=0.6849,
    level=0.95,
    side=Side.TWO,
    standard_error=0.0344081,
    n_items=200,
    n_runs=(1, 1),
    n_clusters=None,
    n_tasks=1,
    n_attempts=200,
    estimator="mean",
    resample=("item",),
    interval="Blaker",
    distribution=How.NONE,
    step="",
    n_boot=None,
    error=NAN,
    question="How would the score change with other items of the same kind, each attempted afresh?",
    redrawn="200 items",
    score_range=(0.0, 1.0),
)
COMPUTED = replace(
    ANSWER, low=0.55, high=0.685, interval="percentile", distribution=How.COMPUTED, step="binomial", error=0.0
)
MONTE_CARLO = replace(
    COMPUTED, distribution=How.MONTE_CARLO, step="monte-carlo", n_boot=10_000, error=0.0011, seed="seed 20211208"
)
ALL_EQUAL = replace(
    COMPUTED,
    value=1.0,
    low=1.0,
    high=1.0,
    n_items=50,
    n_attempts=50,
    redrawn="50 items",
    instead=Bound(0.9289, 1.0, "the all-equal rule"),
    notes=(note("all-equal", n=50, units="items", value=1.0, method="percentile", instead="the all-equal rule"),),
)
NO_INTERVAL = replace(
    ANSWER,
    value=0.5,
    low=NAN,
    high=NAN,
    standard_error=NAN,
    n_items=1,
    n_attempts=1,
    interval="",
    score_range=None,
    redrawn="nothing",
    resample=(),
    notes=(note("few-items", n=1, limit=10, rule=FEW_UNBOUNDED),),
)


def estimates() -> Estimates:
    """Two ordinary models."""
    other = replace(ANSWER, value=0.6, low=0.5296, high=0.6657, dropped=(("no score", 3),))
    return Estimates(
        (
            Estimate("model-a", ANSWER, task="algebra", metric="acc"),
            Estimate("model-b", other, task="algebra", metric="acc"),
        )
    )


def odd_estimates() -> Estimates:
    """One without width, one without an interval, one drawn, in groups with names that formats must escape."""
    return Estimates(
        (
            Estimate("50%_right & {safe}", ALL_EQUAL, group=(("task", "a|b"),), task="a|b"),
            Estimate("一番|_best_", MONTE_CARLO, group=(("task", "a|b"),), task="a|b"),
            Estimate("lonely", replace(NO_INTERVAL, score_range=(0.0, 1.0)), group=(("task", "c"),), task="c"),
        ),
        notes=(note("bars-overlap"),),
    )


def graded() -> Estimates:
    """A judge's grades, one-sided."""
    grades = replace(
        ANSWER,
        value=7.3512,
        low=7.1,
        high=math.inf,
        side=Side.LOWER,
        score_range=(1.0, 10.0),
        interval="Student t",
        degrees=49.0,
    )
    return Estimates((Estimate("judge me", grades),))


def comparison(**changes: object) -> Comparison:
    """Two points better, could be chance."""
    answer = replace(
        ANSWER,
        value=0.02,
        low=-0.005,
        high=0.05,
        interval="percentile",
        distribution=How.COMPUTED,
        step="lattice",
        error=0.0,
        score_range=(-1.0, 1.0),
    )
    made = Comparison(
        a="model-a",
        b="model-b",
        answer=answer,
        effect="difference",
        value_a=0.62,
        value_b=0.6,
        paired=True,
        n_shared=200,
        n_dropped=(3, 0),
        p_value=0.0434,
        unpaired=Later.known(0.191),
        disagreements=(("algebra", "q1", 1.0, 0.0), ("algebra", "q_2", 0.0, 1.0)),
    )
    return replace(made, **changes)  # type: ignore[arg-type]


def unrelated() -> Comparison:
    """Nothing shared."""
    return comparison(
        paired=False,
        n_shared=0,
        n_dropped=(200, 150),
        unpaired=Later.known(NAN),
        p_value=NAN,
        answer=replace(
            comparison().answer,
            low=-0.08,
            high=0.12,
            redrawn="200 and 150 items",
            each=(Counts(200), Counts(150)),
            notes=(note("nothing-shared", n_a="200 items such as 'q1'", n_b="150 items such as 'q_2'"),),
        ),
    )


def diagnosis() -> Diagnosis:
    """Findings of both severities, one of them said of two metrics, and more of a code than are printed."""
    holdings = tuple(
        Holding("gpt-x" if n % 2 else "llama_7b", metric, "", 1, 200, (1, 3), 590, 10 * (n % 2), 0.62, (0.0, 1.0))
        for n, metric in enumerate(("acc", "acc", "f1", "f1"))
    )
    clash = Finding(
        "identical-files",
        Severity.CHANGES,
        "the models 'gpt-x', 'llama_7b' are the same, score for score",
        "check both",
    )
    constant = [
        Finding("constant-scores", Severity.KNOW, f"in {n} tasks every score is the same", "look at them", ("acc",))
        for n in range(2, 8)
    ]
    return Diagnosis(
        findings=(replace(clash, where=("acc",)), replace(clash, where=("f1",)), *constant),
        holdings=holdings,
        files=(("a.csv", "table"), ("logs/b.eval", "inspect")),
        tasks=("algebra",),
        metrics=("acc", "f1"),
        commands=("scorebars estimate a.csv --metric acc",),
    )
