"""Many small problems: every sort of table, estimator, effect and resampling that an interval may be asked about."""

from dataclasses import replace
from functools import lru_cache

import numpy as np
from tests.conformance.members import all_effects, all_estimators, can_serve
from tests.conformance.tables import ALL_LEVELS, fresh, is_legal
from tests.resample.reference import plain, sample_of

from scorebars.contracts import PairEffect
from scorebars.errors import MethodError
from scorebars.estimators import Mean
from scorebars.problem import Setting, effect_problem, score_problem

UNIT = (0.0, 1.0)


def table(shape, draw):
    """{task: {cluster: {item: runs}}} from {task: [items of each cluster]} and K runs of ``draw(number)``."""
    number, out = 0, {}
    for task, clusters in shape.items():
        out[task] = {}
        for c, items in enumerate(clusters):
            name = f"c{c}" if len(clusters) > 1 else ""
            out[task][name] = {}
            for _ in range(items):
                out[task][name][f"i{number:02d}"] = [float(x) for x in draw(number)]
                number += 1
    return out


def _rounded(rng, k, digits=2):
    return rng.random(k).round(digits)


def _tables():
    """Name -> (table, options of the sample)."""
    rng = np.random.default_rng(5)
    grades = [0.1, 0.85, 0.4, 0.4, 0.95, 0.3, 0.72, 0.6, 0.0, 1.0, 0.55, 0.2]
    rates = [0.0, 1.0, 0.3, 0.6, 0.9, 0.5]

    def passes(number, k=3):
        return rng.random(k) < rates[number % len(rates)]

    return {
        "0/1": (plain(1, 0, 0, 1, 0, 1, 0, 0, 0, 1, 0, 0), {"range": UNIT}),
        "0/1, all 1": (plain(*[1] * 8), {"range": UNIT}),
        "graded, range known": (plain(*grades), {"range": UNIT}),
        "graded, range unknown": (plain(*(5 * g - 1 for g in grades)), {}),
        "all equal, range known": (plain(*[0.7] * 6), {"range": UNIT}),
        "all equal, range unknown": (plain(*[0.7] * 6), {}),
        "one item, range known": (plain(0.7), {"range": UNIT}),
        "one item, range unknown": (plain(0.7), {}),
        "two items": (plain(0.7, 0.2), {}),
        "0/1 with runs": (table({"t": [6]}, passes), {"range": UNIT}),
        "runs, all equal": (table({"t": [4]}, lambda _: [1, 1]), {"range": UNIT}),
        "graded with unequal runs": (table({"t": [5]}, lambda i: _rounded(rng, 1 + i % 3 + (i == 0))), {}),
        "graded with runs": (table({"t": [5]}, lambda _: _rounded(rng, 3)), {"range": UNIT}),
        "tasks": (table({"a": [4], "b": [3], "c": [5]}, lambda _: _rounded(rng, 1)), {"range": UNIT}),
        "tasks of 0/1 with runs": (table({"a": [3], "b": [2], "c": [4]}, passes), {"range": UNIT}),
        "tasks of one item": (table({"a": [1], "b": [1], "c": [5], "d": [1]}, lambda _: _rounded(rng, 1)), {}),
        "games with runs": (table({g: [1] for g in "abcdefg"}, lambda _: _rounded(rng, 4)), {}),
        "clusters, 0/1": (table({"t": [1, 3, 2, 2, 1, 4, 2]}, lambda i: passes(i, 1)), {"range": UNIT}),
        "clusters, graded": (table({"t": [2, 3, 1, 2]}, lambda _: _rounded(rng, 1)), {}),
        "clusters, all right": (table({"t": [2, 2, 2]}, lambda _: [1]), {"range": UNIT}),
        "two clusters with runs": (table({"t": [2, 2]}, lambda i: passes(i, 2)), {"range": UNIT}),
        "tasks with clusters": (table({"a": [2, 1, 2], "b": [2, 2]}, lambda _: _rounded(rng, 2)), {"range": UNIT}),
        "crossing clusters": (
            table({"a": [2, 1, 2, 1], "b": [1, 1, 2, 2]}, lambda _: _rounded(rng, 1)),
            {"range": UNIT, "cluster_crosses_tasks": True},
        ),
        "crossing runs": (table({"a": [3], "b": [2]}, lambda _: _rounded(rng, 4)), {"run_crosses_items": True}),
    }


TABLES = _tables()
WEIGHTED = "graded, range known, weighted"


def sample(name, model="A"):
    if name == WEIGHTED:
        made, options = TABLES["graded, range known"]
        return sample_of(made, model, weight=np.array([1.0, 2.0, 0.5] * 4), **options)
    made, options = TABLES[name]
    return sample_of(made, model, **options)


def other(first, seed=3):
    """Scores of another model on the same units: each score kept, or exchanged for another one of the table."""
    rng = np.random.default_rng(seed)
    score = first.score.copy()
    changed = rng.random(len(score)) < 0.6
    score[changed] = rng.permutation(score)[changed]
    return replace(first, model="B", values={"score": score})


def apart(second, first):
    """The same scores on units of their own."""
    return replace(second, item=second.item + first.item.max() + 1)


# Every table is asked for its mean under every legal resampling; the other estimators on what tells them apart.
OTHERS_ON = ("tasks of 0/1 with runs", "graded, range known", "graded with unequal runs", "all equal, range unknown")
COMPARED_ON = (
    "0/1",
    "graded, range known",
    "graded, range unknown",
    "graded with runs",
    "tasks of 0/1 with runs",
    "clusters, 0/1",
    "clusters, graded",
)

STAGED = (("item", "run"), ("cluster", "item"))
"""Two-stage resamplings that comparisons are asked about; single samples are asked about all of them."""


def _levels(one, most):
    return [levels for levels in ALL_LEVELS if len(levels) <= most and is_legal(one, levels)]


@lru_cache(maxsize=1)
def one_sample_problems():
    """Name -> problem."""
    found = {}
    for name in (*TABLES, WEIGHTED):
        one = sample(name)
        for levels in ((), *_levels(one, 4 if name == "tasks with clusters" else 2)):
            found[f"mean, {name}, {'+'.join(levels) or 'nothing'}"] = score_problem(one, Setting(Mean(), levels, fresh))
    for name in OTHERS_ON:
        one = sample(name)
        for member in all_estimators():
            if member.spelling != "mean" and can_serve(member.made, one):
                for levels in _levels(one, 2):
                    setting = Setting(member.made, levels, fresh)
                    found[f"{member.spelling}, {name}, {'+'.join(levels)}"] = score_problem(one, setting)
    return found


@lru_cache(maxsize=1)
def comparison_problems():
    """Name -> problem of A against B."""
    found, difference = {}, all_effects()[0].made
    for name in COMPARED_ON:
        a = sample(name)
        for member in all_effects():
            _add_both(found, f"{member.spelling}, {name}", a, member.made, Mean())
    for words, a, second in _edges():
        for levels in _levels(a, 1):
            _add(found, f"difference, {words}", a, second, difference, Setting(Mean(), levels, fresh))
    a = sample("tasks of 0/1 with runs")
    for member in all_estimators():
        _add_both(found, f"difference of {member.spelling}", a, difference, member.made)
    for words in ("tasks of 0/1 with runs", "graded with runs"):
        a = sample(words)
        for levels in (("run",), ("item", "run")):
            setting = Setting(Mean(), levels, fresh, paired_runs=True)
            _add(found, f"difference, {words}, runs paired", a, other(a), difference, setting)
    return found


def _add_both(found, name, a, effect, estimator):
    """The problem of A against B under every resampling of one level and some of two, paired and unpaired."""
    for words, b in (("paired", other(a)), ("unpaired", apart(other(a), a))):
        for levels in [levels for levels in _levels(a, 2) if len(levels) == 1 or levels in STAGED]:
            _add(found, f"{name}, {words}", a, b, effect, Setting(estimator, levels, fresh))


def _edges():
    """Comparisons at the edges."""
    ones, grades = sample("0/1, all 1"), sample("graded, range known")
    equal = sample("all equal, range unknown")
    lifted = replace(equal, model="B", values={"score": equal.score - 0.1})
    known = sample("all equal, range known")
    flat = replace(known, model="B", values={"score": known.score - 0.1})
    single = sample("one item, range known")
    return [
        ("all right against all right, paired", ones, replace(ones, model="B")),
        ("all right against all right, unpaired", ones, apart(replace(ones, model="B"), ones)),
        ("the same scores twice, paired", grades, replace(grades, model="B")),
        ("all differences equal, range unknown", equal, lifted),
        ("all differences equal, range known", known, flat),
        ("all equal, unpaired, range unknown", equal, apart(lifted, equal)),
        ("one item, paired", single, replace(single, model="B", values={"score": np.array([0.2])})),
        ("one item, unpaired", single, apart(replace(single, model="B", values={"score": np.array([0.2])}), single)),
    ]


def _add(found, name, a, b, effect, setting):
    is_pairs = isinstance(effect, PairEffect)
    if not (can_serve(setting.estimator, a) and can_serve(setting.estimator, b)) or (is_pairs and "unpaired" in name):
        return
    try:
        found[f"{name}, {'+'.join(setting.levels)}"] = effect_problem(a, b, effect, setting)
    except MethodError:
        return


def all_problems():
    return one_sample_problems() | comparison_problems()
