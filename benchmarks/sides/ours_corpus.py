"""scorebars on metrics of a whole corpus: from arrays, and from a Scores that is there already."""

from __future__ import annotations

import scorebars as sb


def _row(answer):
    return [answer.value, answer.low, answer.high]


def _classified(data):
    return sb.Scores(
        {"item": range(len(data["label"])), **data},
        values={name: name for name in ("label", "prediction", "decision")},
        constants={"model": "A"},
    )


def _f1_and_auroc(scores):
    interval = sb.Percentile(n_boot=2000)
    wanted = (sb.F1(), sb.AUROC(score="decision"))
    return [_row(sb.estimate(scores, estimator=each, interval=interval, rng=1)[0].answer) for each in wanted]


def f1_and_auroc(data):
    return lambda: data, lambda arrays: _f1_and_auroc(_classified(arrays))


def f1_and_auroc_scores(data):
    return lambda: _classified(data), _f1_and_auroc
