"""Small tables, and the samples made of them."""

from dataclasses import replace
from itertools import combinations

import numpy as np
from tests.resample.reference import sample_of

from scorebars.errors import MethodError
from scorebars.resample import LEVELS, Resample

GRADED = {
    "tasks and runs": {"a": {"": {"1": [1.0, 0.25], "2": [0.0, 0.5]}}, "b": {"": {"3": [0.75, 0.5], "4": [0.5, 1.0]}}},
    "unequal runs": {"a": {"": {"1": [1.0, 0.5, 0.25], "2": [0.0], "3": [0.7, 0.1]}}},
    "unequal clusters": {"a": {"x": {"1": [1.0], "2": [0.0]}, "y": {"3": [0.25]}, "z": {"4": [0.6], "5": [0.7]}}},
    "tasks of clusters": {
        "a": {"x": {"1": [1.0, 0.3], "2": [0.25, 0.1]}, "y": {"3": [0.25, 0.8]}},
        "b": {"v": {"4": [0.2, 0.6]}, "w": {"5": [0.9, 0.4]}},
    },
    "one task": {"a": {"": {"1": [0.2], "2": [0.9], "3": [0.9], "4": [0.4], "5": [0.3]}}},
}
BINARY = {
    "passes": {"a": {"": {"1": [1.0, 0.0, 0.0], "2": [1.0, 1.0]}}, "b": {"": {"3": [0.0, 0.0, 1.0], "4": [0.0, 1.0]}}},
    "passes in clusters": {
        "a": {"x": {"1": [1.0, 0.0], "2": [1.0, 1.0]}, "y": {"3": [0.0, 0.0]}, "z": {"4": [1.0, 0.0]}}
    },
}
TABLES = GRADED | BINARY
COMPARED = {
    "two tasks": {"a": {"": {"1": [1.0, 0.25], "2": [0.0, 0.5]}}, "b": {"": {"3": [0.75, 0.5]}}},
    "clusters": {"a": {"x": {"1": [1.0], "2": [0.2]}, "y": {"3": [0.25]}}},
    "items": {"a": {"": {"1": [0.2], "2": [0.9], "3": [0.9], "4": [0.4]}}},
    "pass or not": {"a": {"": {"1": [1.0, 0.0], "2": [1.0, 1.0], "3": [0.0, 0.0]}}},
}
"""Smaller ones for two sides, which have as many outcomes as the product of both."""

ALL_LEVELS = [chosen for n in range(1, len(LEVELS) + 1) for chosen in combinations(LEVELS, n)]
"""Every combination of levels, by the list that the rule itself has."""


def is_legal(sample, levels):
    """Whether the verbs let these levels be redrawn for this sample."""
    from scorebars.analysis.answer import levels_for

    try:
        return levels_for(sample, Resample(*levels)) == levels
    except MethodError:
        return False


def sides(a, b, *, shared=True):
    """The samples of A and B; with ``shared`` the same item id is the same unit."""
    first, second = sample_of(a, "A"), sample_of(b, "B")
    return first, second if shared else replace(second, item=second.item + first.item.max() + 1)


def mapped(table, change):
    """The same table with each item's runs changed: ``change(runs, number of the item)``."""
    number = 0
    out = {}
    for task, clusters in table.items():
        out[task] = {}
        for cluster, items in clusters.items():
            out[task][cluster] = {}
            for item, runs in items.items():
                out[task][cluster][item] = [float(score) for score in change(runs, number)]
                number += 1
    return out


def other_side(table):
    """Scores of another model on the same units: its own scores from the table's back to front, runs turned round."""
    values = [runs for clusters in table.values() for items in clusters.values() for runs in items.values()]
    flat = [score for runs in values for score in runs][::-1]
    return mapped(table, lambda runs, number: [flat[(number * 2 + k) % len(flat)] for k in range(len(runs))])


def fresh():
    return np.random.default_rng(11)
