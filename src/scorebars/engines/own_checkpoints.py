"""Checkpoints of training seeds: one a run, by its own name, so that a model of several of them is no pool."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from scorebars.engines.headers import normal

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST: Final = 1_000
"""Runs of all models that are looked at."""
_WORDS: Final = frozenset({"checkpoint", "ckpt", "checkpoints"})


def names_checkpoint(header: str) -> bool:
    """Whether a header is of a checkpoint.

    >>> names_checkpoint("ckpt_path"), names_checkpoint("config")
    (True, False)
    """
    return bool(_WORDS & set(normal(header).rpartition(".")[2].split("_")))


def are_of_runs(models: Sequence[str], runs: Sequence[str], values: Sequence[str]) -> bool:
    """Whether each run of a model has one checkpoint, no other run has it, and its name has the number of the run.

    All are of the different triples alone.

    >>> are_of_runs("aa", ["0", "1"], ["out/s0/step-500", "out/s1/step-600"])
    True
    >>> are_of_runs("aa", ["0", "1"], ["step-500", "step-600"])
    False
    """
    each = len(set(zip(models, runs, strict=True))) == len(set(zip(models, values, strict=True))) == len(runs)
    return each and all(
        run.isascii() and run.isdigit() and re.search(rf"(?<!\d)0*{run}(?!\d)", value)
        for run, value in zip(runs, values, strict=True)
    )
