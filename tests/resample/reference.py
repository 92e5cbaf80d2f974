"""The one rule written plainly: every resample of a tiny table, by nested loops. Slow, and the truth for tests."""

from itertools import product

import numpy as np

from scorebars.sample import Sample


def combos(spaces, named):
    """All ways to draw the units (each a list of (outcome, probability)), with replacement if ``named``."""
    n = len(spaces)
    picks = product(range(n), repeat=n) if named else [tuple(range(n))]
    weight = float(n) ** -n if named else 1.0
    for pick in picks:
        for outcome in product(*(spaces[i] for i in pick)):
            yield [value for value, _ in outcome], weight * float(np.prod([p for _, p in outcome]))


def merged(pairs):
    """The same outcomes added up."""
    total = {}
    for value, p in pairs:
        key = tuple(round(v, 13) for v in value) if isinstance(value, tuple) else round(value, 13)
        total[key] = total.get(key, 0.0) + p
    return list(total.items())


def space(table, levels, item_value=lambda runs: sum(runs) / len(runs)):
    """(values, probabilities) of the redrawn macro mean; ``table`` is {task: {cluster: {item: [runs]}}}."""
    tasks = []
    for clusters in table.values():
        cluster_spaces, loose = [], []
        for items in clusters.values():
            item_spaces = [
                merged((item_value(drawn), p) for drawn, p in combos([[(x, 1.0)] for x in runs], "run" in levels))
                for runs in items.values()
            ]
            loose += item_spaces
            inner = combos(item_spaces, "item" in levels)
            cluster_spaces.append(merged(((sum(v), float(len(v))), p) for v, p in inner))
        if "cluster" in levels:
            drawn = combos(cluster_spaces, named=True)
            tasks.append(merged((sum(s for s, _ in v) / sum(n for _, n in v), p) for v, p in drawn))
        else:
            tasks.append(merged((sum(v) / len(v), p) for v, p in combos(loose, "item" in levels)))
    final = merged((sum(v) / len(v), p) for v, p in combos(tasks, "task" in levels))
    values, probs = (np.array(column) for column in zip(*sorted(final), strict=True))
    first = np.flatnonzero(np.diff(values, prepend=-np.inf) > 1e-9)  # equal but for rounding
    return values[first], np.add.reduceat(probs, first)


def sample_of(table, model="A", **options):
    """The Sample of the same table."""
    rows = [
        (task, cluster, item, run, score)
        for task, clusters in sorted(table.items())
        for cluster, items in sorted(clusters.items())
        for item, runs in sorted(items.items())
        for run, score in enumerate(runs)
    ]
    names = sorted(table)
    units = sorted({row[:3] for row in rows})
    clusters = sorted({row[1] for row in rows})
    return Sample(
        model=model,
        values={"score": np.array([row[4] for row in rows], dtype=float)},
        task=np.array([names.index(row[0]) for row in rows], dtype=np.int32),
        item=np.array([units.index(row[:3]) for row in rows], dtype=np.int32),
        run=np.array([row[3] for row in rows], dtype=np.int32),
        cluster=np.array([clusters.index(row[1]) for row in rows], dtype=np.int32) if len(clusters) > 1 else None,
        task_labels=tuple(names),
        **options,
    )


def plain(*scores):
    """One task, no clusters, one run an item."""
    return {"t": {"": {f"i{i:02d}": [float(x)] for i, x in enumerate(scores)}}}
