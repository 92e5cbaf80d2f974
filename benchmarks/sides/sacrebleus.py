"""``sacrebleu --paired-bs``, by its own class: tokenisation, counts, bootstrap."""

from __future__ import annotations

import os

from sacrebleu.metrics import BLEU
from sacrebleu.significance import PairedTest

os.environ["SACREBLEU_SEED"] = "12345"


def paired(data):
    systems = [(name, data[name].tolist()) for name in ("a", "b")]
    references = [data["reference"].tolist()]

    def run(_):
        test = PairedTest(
            systems, {"BLEU": BLEU(references=references)}, references=None, test_type="bs", n_samples=1000
        )
        results = test()[1]["BLEU"]
        # It tells the middle of the 95 % interval and half its width.
        return [[found.score, found.mean - found.ci, found.mean + found.ci] for found in results]

    return lambda: None, run
