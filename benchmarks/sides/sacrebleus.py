"""What ``sacrebleu --paired-bs`` does once the n-grams are counted: the same resamples of both systems."""

from __future__ import annotations

import os

import numpy as np
from sacrebleu import significance
from sacrebleu.metrics import BLEU

os.environ["SACREBLEU_SEED"] = "12345"


def paired(data):
    references = [data["reference"].tolist()]
    metric = BLEU(references=references)
    counted = [metric._extract_corpus_statistics(data[name].tolist(), None) for name in ("a", "b")]  # noqa: SLF001
    values = [metric._aggregate_and_compute(counts).score for counts in counted]  # noqa: SLF001

    def run(_):
        drawn = [significance._bootstrap_resample(counts, metric, 1000)[1] for counts in counted]  # noqa: SLF001
        a, b = (np.array([each.score for each in scores]) for scores in drawn)
        found = [[*np.quantile(x, (0.025, 0.975))] for x in (a, b, a - b)]
        return np.column_stack([[*values, values[0] - values[1]], found])

    return lambda: None, run
