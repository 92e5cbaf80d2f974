"""The rows: which work, on which data, against whom, and how many times faster it is to be."""

from __future__ import annotations

import functools

import data
from peers import Comparison, Side

FROM_ARRAYS, FROM_SCORES = "from arrays", "from a built Scores"


def _accuracy(n: int, goal: float) -> Comparison:
    slow = n > 100_000
    return Comparison(
        name=f"accuracy-{n}",
        what=f"one accuracy, n = {n:,}",
        data=functools.partial(data.binary, n),
        ours=Side(FROM_ARRAYS, "ours:binary_mean"),
        built=Side(FROM_SCORES, "ours:mean_scores"),
        peers=(
            Side("scipy.stats.bootstrap, 2,000, batch 200", "scipys:mean_2000", 2000, "", 1 if slow else 5, goal),
            Side("the one-liner below, with k = x.sum()", "numpys:counted_binomial", 2000, goal=1.0),
        ),
        step=1.0 / n,
    )


def _bounds(n: int) -> Comparison:
    """The interval alone, of so many right answers, against the quickest that one can write by hand."""
    return Comparison(
        name=f"bounds-{n}",
        what=f"the interval of k right answers of n = {n:,}",
        data=functools.partial(data.binary, n),
        ours=Side("from k and n", "ours:binary_bounds"),
        built=Side("from a Scores asked before", "ours:binary_bounds_scores"),
        peers=(Side("np.quantile(rng.binomial(n, k/n, 2000)/n, q)", "numpys:binomial", 2000, goal=1.0),),
        step=1.0 / n,
    )


def _difference(name: str, what: str, grades: int | None) -> Comparison:
    peers = [Side("scipy.stats.bootstrap, paired, 10,000", "scipys:paired_difference", 10_000, goal=50.0)]
    if grades is not None:
        peers.append(Side("rng.multinomial over the values, 10,000", "numpys:multinomial", 10_000, goal=1.0))
    return Comparison(
        name=name,
        what=what,
        data=functools.partial(data.graded_pair, 1000, grades),
        ours=Side(FROM_ARRAYS, "ours:difference"),
        built=Side(FROM_SCORES, "ours:difference_scores"),
        peers=tuple(peers),
        step=0.0 if grades is None else 1.0 / grades / 1000,
    )


def _levels(name: str, what: str, resamples: int, *, binary: bool = False, step: float = 0.0) -> Comparison:
    """A way of redrawing that nobody has a program for: against the loop that one would write."""
    work = name.removeprefix("redrawn-")
    return Comparison(
        name=name,
        what=f"50 tasks × 100 items × 3 runs: {what}, {resamples:,}",
        data=functools.partial(data.repeated, 50, 100, 3, binary=binary),
        ours=Side(FROM_ARRAYS, f"ours_levels:{work}", resamples),
        built=Side(FROM_SCORES, f"ours_levels:{work}_scores", resamples),
        peers=(Side("a NumPy loop over resamples", f"loops:{work}", resamples, repeat=3),),
        step=step,
    )


ROWS = (
    _accuracy(200, 100.0),
    _accuracy(20_000, 1000.0),
    _accuracy(2_000_000, 1000.0),
    _bounds(200),
    _bounds(20_000),
    _bounds(2_000_000),
    _difference("difference", "paired difference, grades in tenths, n = 1,000", 10),
    _difference("difference-any", "paired difference, any grades, n = 1,000", None),
    Comparison(
        name="pairs-graded",
        what="30 models × 1,000 items, any grades: all 435 paired differences",
        data=functools.partial(data.graded_board, 30, 1000),
        ours=Side(FROM_ARRAYS, "ours:pairs"),
        built=Side(FROM_SCORES, "ours:pairs_scores"),
        peers=(Side("scipy.stats.bootstrap, paired, 10,000: one pair, × 435", "scipys:first_pair", 10_000, times=435),),
    ),
    Comparison(
        name="bca",
        what="BCa of a mean, n = 1,000",
        data=functools.partial(data.graded, 1000),
        ours=Side(FROM_ARRAYS, "ours:bca"),
        built=Side(FROM_SCORES, "ours:bca_scores"),
        peers=(Side("scipy.stats.bootstrap, BCa, 10,000", "scipys:bca", 10_000, goal=50.0),),
    ),
    Comparison(
        name="mean",
        what="percentile interval of a mean, n = 10,000",
        data=functools.partial(data.graded, 10_000),
        ours=Side(FROM_ARRAYS, "ours:mean"),
        built=Side(FROM_SCORES, "ours:mean_scores"),
        peers=(Side("arch IIDBootstrap, 10,000", "archs:mean", 10_000, "arch", goal=100.0),),
    ),
    Comparison(
        name="iqm",
        what="IQM, 100 runs × 26 tasks, 50,000 resamples",
        data=functools.partial(data.algorithms, 1, 100),
        ours=Side(FROM_ARRAYS, "ours_rl:iqm", 50_000),
        built=Side(FROM_SCORES, "ours_rl:iqm_scores", 50_000),
        peers=(Side("rliable", "rliables:iqm", 50_000, "rliable", 1, 25.0),),
    ),
    Comparison(
        name="aggregates",
        what="IQM, median, mean, optimality gap of 6 algorithms (10 × 26), 50,000 resamples",
        data=functools.partial(data.algorithms, 6, 10),
        ours=Side(FROM_ARRAYS, "ours_rl:aggregates", 50_000),
        built=Side(FROM_SCORES, "ours_rl:aggregates_scores", 50_000),
        peers=(Side("rliable", "rliables:aggregates", 50_000, "rliable", 1, 50.0),),
    ),
    Comparison(
        name="poi",
        what="probability of improvement, 10 × 26, 2,000 resamples",
        data=functools.partial(data.algorithms, 2, 10),
        ours=Side(FROM_ARRAYS, "ours_rl:improvement", 2000),
        built=Side(FROM_SCORES, "ours_rl:improvement_scores", 2000),
        peers=(Side("rliable", "rliables:improvement", 2000, "rliable", 1, 2000.0),),
        step=1.0 / 2600,
    ),
    Comparison(
        name="profiles",
        what="performance profiles of 6 algorithms (10 × 26), 81 thresholds; theirs 2,000 resamples",
        data=functools.partial(data.algorithms, 6, 10),
        ours=Side(FROM_ARRAYS, "ours_rl:profiles"),
        built=Side(FROM_SCORES, "ours_rl:profiles_scores"),
        peers=(Side("rliable", "rliables:profiles", 2000, "rliable", 1, 200.0),),
        step=1.0 / 260,
    ),
    Comparison(
        name="corpus",
        what="F1 and AUROC, n = 20,000, 2,000 resamples",
        data=functools.partial(data.classified, 20_000),
        ours=Side(FROM_ARRAYS, "ours_corpus:f1_and_auroc", 2000),
        built=Side(FROM_SCORES, "ours_corpus:f1_and_auroc_scores", 2000),
        peers=(
            Side("scikit-learn in a loop", "sklearns:f1_and_auroc", 2000, "scikit-learn", 1, 50.0),
            Side("torchmetrics BootStrapper", "torchmetric:f1_and_auroc", 2000, "torchmetrics", 1, 50.0),
        ),
    ),
    _levels("redrawn-tasks", "mean, tasks redrawn", 10_000),
    _levels("redrawn-levels", "mean, tasks, items and runs redrawn", 10_000),
    _levels("redrawn-passes", "pass@2, items and runs redrawn", 10_000, binary=True, step=1.0 / 15_000),
    _levels("redrawn-custom", "`Custom(np.median)`, items redrawn", 2_000),
    Comparison(
        name="bleu",
        what="paired bootstrap of corpus BLEU, two systems, 2,000 segments, 1,000 resamples",
        data=functools.partial(data.translations, 2000),
        ours=Side(FROM_ARRAYS, "ours_bleu:paired", 1000),
        built=Side(FROM_SCORES, "ours_bleu:paired_scores", 1000),
        peers=(Side("sacreBLEU --paired-bs", "sacrebleus:paired", 1000, "sacrebleu", 5, 1.0),),
    ),
)
