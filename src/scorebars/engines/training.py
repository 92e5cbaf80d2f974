"""Columns that say how far a training had come: its points are no attempts at one thing, and no repeats.

An ``epoch`` is a repeat of one evaluation in some programs, and a pass over the training data in others; numbers that
go up in strides (100, 200 …) are no count of repeats. Where nothing in the rows says which of them it is, it is asked.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from scorebars.engines.headers import normal

if TYPE_CHECKING:
    from collections.abc import Sequence

EPOCHS: Final = frozenset({"epoch", "epochs", "iteration", "iterations", "iter", "iters"})
"""Headers of epochs, which may be repeats or not."""
_STEPS: Final = EPOCHS | {
    *("step", "steps", "timestep", "timesteps", "update", "updates", "checkpoint", "ckpt"),
}
"""Last words of headers that say how far a training had come."""
_FRAMES: Final = frozenset({"frame", "frames"})
"""Such words behind another one: a frame alone may be one of a video, which is an item."""
_BEFORE: Final = frozenset({"global", "train", "training", "env", "environment", "total", "time", "gradient", ""})
"""Words before them."""
_IN_STRIDES: Final = frozenset({"frame", "frames", "episode", "episodes"})
"""Headers of how far a training had come where their numbers go up in strides; one by one they are of items."""
FEWEST: Final = 3
"""Points of most curves from which on rows may be such; runs that crashed have fewer."""


def names_epoch(header: str) -> bool:
    """Whether a header is of epochs: of a training, or of an evaluation that is repeated.

    >>> names_epoch("Epoch"), names_epoch("iteration"), names_epoch("step")
    (True, True, False)
    """
    return normal(header) in EPOCHS


def names_step(header: str) -> bool:
    """Whether a header says how far a training had come.

    >>> names_step("global_step"), names_step("epoch"), names_step("agent_steps"), names_step("frame")
    (True, True, False, False)
    """
    *before, last = normal(header).split("_")
    return (last in _STEPS or (bool(before) and last in _FRAMES)) and set(before) <= _BEFORE


def names_stride(header: str) -> bool:
    """Whether a header says how far a training had come where its numbers go up in strides.

    >>> names_stride("Frames"), names_stride("episode"), names_stride("step")
    (True, True, False)
    """
    return normal(header) in _IN_STRIDES


def in_strides(texts: Sequence[str]) -> bool:
    """Whether numbers do not count one by one, as repeats do.

    >>> in_strides(["100", "200"]), in_strides(["0.5", "1.0"]), in_strides(["1", "2", "4"]), in_strides(["a", "b"])
    (True, True, False, False)
    """
    try:
        numbers = sorted({float(text) for text in texts})
    except ValueError:
        return False
    if len(numbers) < 2 or not all(map(math.isfinite, numbers)):
        return False
    gaps = [after - before for before, after in pairwise(numbers)]
    return any(not number.is_integer() for number in numbers) or min(gaps) > 1


def are_points(curves: int, long: int, *, rising: bool, graded: int) -> bool:
    """Whether rows without an item are the points of learning curves.

    Args:
        curves: Curves: models, tasks and runs.
        long: Those of so many points that they may be such.
        rising: Whether the steps of each curve only go up from row to row.
        graded: Scores other than 0 and 1, which a single attempt may have.
    """
    return rising and graded > 0 and 2 * long >= curves
