"""scorebars on corpus BLEU, once the n-grams are counted: both systems' intervals, and that of their difference."""

from __future__ import annotations

import numpy as np
from data import COUNTS, counted

import scorebars as sb


def bleu(*sums):
    matches, totals, (length, reference) = sums[:4], sums[4:8], sums[8:]
    precision = np.mean([np.log(m / t) for m, t in zip(matches, totals, strict=True)], axis=0)
    return 100 * np.exp(precision + np.minimum(0, 1 - reference / length))


def _built(counts):
    n = len(counts["a"])
    columns = {name: np.concatenate([counts["a"][:, i], counts["b"][:, i]]) for i, name in enumerate(COUNTS)}
    frame = {"model": np.repeat(["a", "b"], n), "item": np.tile(np.arange(n), 2), **columns}
    return sb.Scores(frame, values={name: name for name in COUNTS})


def _run(scores):
    way = {"estimator": sb.OfSums(bleu, COUNTS, name="BLEU"), "interval": sb.Percentile(n_boot=1000), "rng": 1}
    answers = [each.answer for each in sb.estimate(scores, **way)] + [sb.compare(scores, "a", "b", **way).answer]
    return [[answer.value, answer.low, answer.high] for answer in answers]


def paired(data):
    counts = counted(data)
    return lambda: counts, lambda arrays: _run(_built(arrays))


def paired_scores(data):
    counts = counted(data)
    return lambda: _built(counts), _run
