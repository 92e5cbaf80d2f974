"""What everything is held against: plain Python, written for tests alone, slow, and importing nothing that it judges.

A table is ``{task: {cluster: {item: [score of each run]}}}``. What a resample drew of one side is a list of tasks, a
task is a list of items, an item is ``(weight, [scores of its runs])``; the data themselves are such a list too.
"""

from itertools import combinations, product
from statistics import fmean, median

# ------------------------------------------------------------------ estimators: a function of what was drawn


def item_average(of_runs):
    """Weighted mean over items of ``of_runs(runs)``, then the plain mean over tasks."""

    def value(drawn):
        means = []
        for items in drawn:
            total = sum(weight for weight, _ in items)
            means.append(sum(weight * of_runs(runs) for weight, runs in items) / total)
        return fmean(means)

    return value


def attempts(drawn):
    """Scores of all attempts, smallest first."""
    return sorted(score for items in drawn for _, runs in items for score in runs)


def share_of_subsets(k, passes):
    """Share of the sets of k runs of an item for which ``passes`` (any, all) holds."""

    def of_runs(runs):
        sets = list(combinations(runs, k))
        return sum(passes(score == 1 for score in chosen) for chosen in sets) / len(sets)

    return of_runs


def trimmed(share):
    def value(drawn):
        scores = attempts(drawn)
        cut = int(share * len(scores))
        return fmean(scores[cut : len(scores) - cut])

    return value


def middle_half(drawn):
    """Mean of exactly floor(N/2) scores in the middle; half a score at each end where they do not split evenly."""
    doubled = [score for score in attempts(drawn) for _ in range(2)]
    kept = 2 * max(len(doubled) // 4, 1)
    cut = (len(doubled) - kept) // 2
    return fmean(doubled[cut : cut + kept])


def quantile(q):
    def value(drawn):
        scores = attempts(drawn)
        place = q * (len(scores) - 1)
        low = min(int(place), len(scores) - 2) if len(scores) > 1 else 0
        high = min(low + 1, len(scores) - 1)
        return scores[low] + (place - low) * (scores[high] - scores[low])

    return value


def lowest(share):
    def value(drawn):
        scores = attempts(drawn)
        return fmean(scores[: max(int(share * len(scores)), 1)])

    return value


def median_of_tasks(drawn):
    mean = item_average(fmean)
    return median(mean([items]) for items in drawn)


def median_of_attempts(drawn):
    return median(attempts(drawn))


# ------------------------------------------------------------------ effects: a function of two sides


def of_values(function):
    """An effect of the two sides' estimates."""
    return lambda estimator: lambda a, b: function(estimator(a), estimator(b))


def all_pairs(a, b):
    """Every attempt of A against every attempt of B of the same task, ties half; the mean over tasks."""
    shares = []
    for items_a, items_b in zip(a, b, strict=True):
        pairs = list(product(attempts([items_a]), attempts([items_b])))
        shares.append(fmean((x > y) + 0.5 * (x == y) for x, y in pairs))
    return fmean(shares)


def matching_pairs(a, b, tie=0.0):
    """Attempts that belong together: the mean over an item's runs, over items, over tasks."""

    def share(runs, others):
        return [float(x > y) + tie * (x == y) for x, y in zip(runs, others, strict=True)]

    won = [
        [(weight, share(runs, others)) for (weight, runs), (_, others) in zip(items_a, items_b, strict=True)]
        for items_a, items_b in zip(a, b, strict=True)
    ]
    return item_average(fmean)(won)


# ------------------------------------------------------------------ the one rule, by listing every resample


def observed(table, weights=None):
    """The data as what was drawn."""
    return [
        [((weights or {}).get(item, 1.0), list(runs)) for items in table[task].values() for item, runs in items.items()]
        for task in sorted(table)
    ]


def picks(units, redrawn, draws=None):
    """(probability, units) of every way to draw as many units as there are (or ``draws``), with replacement."""
    if not redrawn:
        return [(1.0, tuple(units))]
    n = len(units) if draws is None else draws(len(units))
    return [(float(len(units)) ** -n, chosen) for chosen in product(units, repeat=n)]


def merged(outcomes):
    """The same outcomes once, with their probabilities added up."""
    total = {}
    for p, outcome in outcomes:
        total[outcome] = total.get(outcome, 0.0) + p
    return [(p, outcome) for outcome, p in total.items()]


def together(spaces):
    """Every combination of one outcome from each of several independent spaces, in a canonical order."""
    out = [(1.0, ())]
    for space in spaces:
        out = merged((p * q, tuple(sorted((*done, outcome)))) for p, done in out for q, outcome in space)
    return out


class Rule:
    """Every resample of one or more sides that share their items (``paired``) or do not."""

    def __init__(self, levels, draws=None, paired_runs=False):
        self.levels, self.draws, self.paired_runs = levels, draws, paired_runs
        self.top = next(level for level in ("task", "cluster", "item", "run") if level in levels)

    def pick(self, level, units):
        return picks(units, level in self.levels, self.draws if level == self.top else None)

    def item(self, weight, sides):
        """Outcomes (weight, runs of side A, runs of side B, …) of one item."""
        if self.paired_runs:
            drawn = self.pick("run", list(zip(*sides, strict=True)))
            return merged((p, (weight, *zip(*sorted(chosen), strict=True))) for p, chosen in drawn)
        spaces = [merged((p, tuple(sorted(chosen))) for p, chosen in self.pick("run", runs)) for runs in sides]
        out = []
        for parts in product(*spaces):
            probability = 1.0
            for p, _ in parts:
                probability *= p
            out.append((probability, (weight, *(runs for _, runs in parts))))
        return out

    def flat(self, spaces_of_units):
        """Outcomes of several units, each itself a tuple of items, laid side by side."""
        return merged((p, tuple(sorted(item for part in parts for item in part))) for p, parts in spaces_of_units)

    def items(self, items):
        spaces = [self.item(*item) for item in items]
        found = []
        for p, chosen in merged((p, tuple(sorted(c))) for p, c in self.pick("item", list(range(len(items))))):
            found += [(p * q, outcome) for q, outcome in together([spaces[i] for i in chosen])]
        return merged(found)

    def task(self, clusters):
        """Outcomes of one task, each a tuple of items."""
        if "cluster" not in self.levels:
            return self.items([item for items in clusters for item in items])
        spaces = [self.items(items) for items in clusters]
        found = []
        for p, chosen in merged((p, tuple(sorted(c))) for p, c in self.pick("cluster", list(range(len(clusters))))):
            found += self.flat((p * q, outcome) for q, outcome in together([spaces[i] for i in chosen]))
        return merged(found)

    def tasks(self, tasks):
        """Outcomes of all tasks; each task is a tuple of what was drawn of each of its blocks."""
        spaces = []
        for blocks in tasks:
            out = [(1.0, ())]
            for clusters in blocks:
                out = [(p * q, (*done, outcome)) for p, done in out for q, outcome in self.task(clusters)]
            spaces.append(out)
        found = []
        for p, chosen in merged((p, tuple(sorted(c))) for p, c in self.pick("task", list(range(len(tasks))))):
            found += [(p * q, outcome) for q, outcome in together([spaces[i] for i in chosen])]
        return merged(found)


def _with_weights(items, weights, others):
    return [
        ((weights or {}).get(name, 1.0), (runs, *(other[name] for other in others))) for name, runs in items.items()
    ]


def one_sample(table, levels, value, weights=None, draws=None):
    """[(probability, value)] of every resample of one side."""
    tasks = [[[_with_weights(items, weights, ()) for items in table[t].values()]] for t in sorted(table)]
    return [
        (p, value([[(w, runs) for w, runs in blocks[0]] for blocks in drawn]))
        for p, drawn in Rule(levels, draws).tasks(tasks)
    ]


def paired(a, b, levels, value, paired_runs=False):
    """[(probability, value(A, B))] where the sides have the same tasks, clusters and items."""
    tasks = [[[_with_weights(a[t][c], None, (b[t][c],)) for c in a[t]]] for t in sorted(a)]
    out = []
    for p, drawn in Rule(levels, paired_runs=paired_runs).tasks(tasks):
        sides = [[[(item[0], item[1 + side]) for item in blocks[0]] for blocks in drawn] for side in (0, 1)]
        out.append((p, value(*sides)))
    return out


def unpaired(a, b, levels, value):
    """[(probability, value(A, B))] where the sides have the same tasks and no item in common."""
    tasks = [[[_with_weights(i, None, ()) for i in side[t].values()] for side in (a, b)] for t in sorted(a)]
    out = []
    for p, drawn in Rule(levels).tasks(tasks):
        sides = [[[(w, runs) for w, runs in blocks[side]] for blocks in drawn] for side in (0, 1)]
        out.append((p, value(*sides)))
    return out


def crossed_clusters(table, value):
    """Clusters that occur in several tasks, redrawn whole; a task that loses all its items is left out."""
    names = sorted({cluster for clusters in table.values() for cluster in clusters})
    for p, chosen in picks(names, True):
        drawn = [
            [(1.0, runs) for cluster in chosen for runs in table[task].get(cluster, {}).values()]
            for task in sorted(table)
        ]
        yield p, value([items for items in drawn if items])


def crossed_runs(table, value):
    """Run k of every item is one training seed, redrawn whole; every item has every run."""
    first = next(iter(next(iter(next(iter(table.values())).values())).values()))
    for p, chosen in picks(range(len(first)), True):
        drawn = [
            [(1.0, [runs[k] for k in chosen]) for items in table[task].values() for runs in items.values()]
            for task in sorted(table)
        ]
        yield p, value(drawn)


# ------------------------------------------------------------------ statistics of two columns: a run is a pair (x, y)


def weighted_pairs(drawn):
    return [(weight, x, y) for items in drawn for weight, runs in items for x, y in runs]


def ratio_of(top, bottom, otherwise=None):
    """Σ weight · top(x, y) / Σ weight · bottom(x, y); ``otherwise`` where that is nothing of nothing."""

    def value(drawn):
        pairs = weighted_pairs(drawn)
        below = sum(weight * bottom(x, y) for weight, x, y in pairs)
        if below == 0 and otherwise is not None:
            return otherwise
        return sum(weight * top(x, y) for weight, x, y in pairs) / below

    return value


def area_under_roc(drawn):
    """Share of (positive, negative) pairs that are in order, ties half; x is the class, y the score."""
    pairs = weighted_pairs(drawn)
    positive, negative = ([(w, y) for w, x, y in pairs if x == label] for label in (1, 0))
    won = sum(v * w * ((a > b) + 0.5 * (a == b)) for v, a in positive for w, b in negative)
    return won / (sum(v for v, _ in positive) * sum(w for w, _ in negative))
