"""The table of docs/intervals.md: which interval method serves which problem, asked of the methods themselves.

python tests/docs/interval_table.py        # prints it
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.resample.reference import plain, sample_of

from scorebars.effects import Difference
from scorebars.estimators import IQM, Mean
from scorebars.intervals import INTERVALS, interval_named
from scorebars.problem import Setting, effect_problem, score_problem

UNIT = (0.0, 1.0)
GRADED = [x / 12 for x in range(1, 13)]
BINARY = [1.0] * 8 + [0.0] * 4
CLUSTERS = {"t": {f"c{c}": {f"i{c}{i}": [float(i < c % 4)] for i in range(3)} for c in range(8)}}
RUNS = {"t": {"": {f"i{i}": [float(i % 2), 1.0, 0.5] for i in range(4)}}}
GAMES = {f"t{t}": {"": {"": [0.1 * t, 0.3, 0.2 * t]}} for t in range(4)}
WORSE = [0.0, 0.0, 0.0, 1.0] * 3
LOWER = [x**2 for x in GRADED]
PAIRS = {
    "paired 0/1": (BINARY, WORSE, True),
    "paired graded": (GRADED, LOWER, True),
    "unpaired 0/1": (BINARY, WORSE, False),
    "unpaired graded": (GRADED, LOWER, False),
}
"""Scores of A and of B, and whether they share their items."""


def _setting(*levels, estimator=None):
    return Setting(estimator or Mean(), levels, lambda: np.random.default_rng(0))


def _one(table, *levels, limits=UNIT, estimator=None):
    return score_problem(sample_of(table, range=limits), _setting(*levels, estimator=estimator))


def _two(a, b, *, paired):
    first, second = sample_of(plain(*a), range=UNIT), sample_of(plain(*b), "B", range=UNIT)
    if not paired:
        object.__setattr__(second, "item", second.item + 100)
    return effect_problem(first, second, Difference(), _setting("item"))


def problems():
    """Heading -> a problem of its kind."""
    return {
        "0/1": _one(plain(*BINARY), "item"),
        "graded, range": _one(plain(*GRADED), "item"),
        "graded": _one(plain(*GRADED), "item", limits=None),
        "clusters": _one(CLUSTERS, "cluster"),
        "runs": _one(RUNS, "run"),
        "IQM": _one(GAMES, "run", limits=None, estimator=IQM()),
    } | {kind: _two(a, b, paired=paired) for kind, (a, b, paired) in PAIRS.items()}


def sides_swapped():
    """The comparisons with A and B changed over."""
    return {kind: _two(b, a, paired=paired) for kind, (a, b, paired) in PAIRS.items()}


def table():
    """The Markdown table."""
    columns = problems()
    lines = ["| `--interval` | " + " | ".join(columns) + " |", "|---|" + ":-:|" * len(columns)]
    for spelling in INTERVALS:
        method = interval_named(spelling)()
        marks = ["●" if method.refuses(problem) is None else "" for problem in columns.values()]
        lines.append(f"| `{spelling}` | " + " | ".join(marks) + " |")
    return "\n".join(lines).replace("|  |", "| |").replace("|  |", "| |")


if __name__ == "__main__":
    print(table())
