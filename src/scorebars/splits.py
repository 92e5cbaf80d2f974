"""Out-of-bootstrap splits, and what averaging k trainings is worth (Bouthillier et al. 2021, sections 2 and 3, App. B).

The splits are for people who train models: each draws a training set with replacement, and validation and test items
from what is left, so that the noise of the data enters the score. They have nothing to do with redrawing scores.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from scorebars.errors import ArgumentError
from scorebars.notes import DEFAULT_SEED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorebars.sample import IntArray


@dataclass(frozen=True, slots=True)
class OutOfBootstrap:
    """Splits by the out-of-bootstrap scheme, usable as ``cv=`` in scikit-learn.

    The training items are drawn with replacement from all n, the validation items with replacement from those not in
    the training set, the test items with replacement from those in neither; the sizes are fixed. With ``stratify``
    this is done within each class of ``y``, and each class gets its share of every size.

    Args:
        n_splits: number of splits.
        train_size: items to draw, a whole number, or a share of n below 1.
        valid_size: the same for validation; 0 for none.
        test_size: the same for the test.
        stratify: whether each class of ``y`` is split on its own.
        seed: where the draws start; the same splits come out every time.

    Raises:
        ArgumentError: a size that is no positive number; from ``splits``, no item left to draw from.

    Example:
        >>> import numpy as np
        >>> train, test = next(OutOfBootstrap(n_splits=1).split(np.zeros((50, 2))))
        >>> len(train), len(test), len(set(train) & set(test))
        (40, 5, 0)
    """

    n_splits: int = 10
    train_size: float = 0.8
    valid_size: float = 0.1
    test_size: float = 0.1
    stratify: bool = False
    seed: int = DEFAULT_SEED

    def __post_init__(self) -> None:
        if self.n_splits < 1:
            raise ArgumentError(f"n_splits = {self.n_splits}: must be a whole number from 1")
        for name in ("train_size", "valid_size", "test_size"):
            size = getattr(self, name)
            least = 0 if name == "valid_size" else np.nextafter(0, 1)
            if not size >= least or (size > 1 and size != int(size)):
                raise ArgumentError(f"{name} = {size}: must be a share below 1 or a whole number of items")

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Number of splits, as scikit-learn asks for it."""
        del X, y, groups
        return self.n_splits

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[tuple[IntArray, IntArray]]:
        """(training, test) positions of each split; a training position may repeat, and so may a test position."""
        del groups
        for train, _, test in self.splits(X, y):
            yield train, test

    def splits(self, X: Any, y: Any = None) -> Iterator[tuple[IntArray, IntArray, IntArray]]:
        """(training, validation, test) positions of each split, each in drawn order within its class.

        Raises:
            ArgumentError: ``stratify`` without y.
        """
        n = X.shape[0] if hasattr(X, "shape") else len(X)
        if self.stratify and y is None:
            raise ArgumentError("stratify=True splits each class of y on its own, so y must be given")
        codes = np.unique(np.asarray(y), return_inverse=True)[1] if self.stratify else np.zeros(n, dtype=np.int64)
        classes = [np.flatnonzero(codes == code) for code in range(int(codes.max()) + 1)] if n else []
        rng = np.random.default_rng(self.seed)
        for _ in range(self.n_splits):
            drawn = [self._draw(items, rng, n) for items in classes]
            train, valid, test = (np.concatenate(part) for part in zip(*drawn, strict=True))
            yield train, valid, test

    def _draw(self, items: IntArray, rng: np.random.Generator, n: int) -> list[IntArray]:
        out = []
        left = items
        for name in ("train_size", "valid_size", "test_size"):
            size = _count(getattr(self, name), len(items), n)
            if size and not len(left):
                raise ArgumentError(
                    f"no item is left for {name} of {size}: all {len(items)} items of a class were drawn before; "
                    "draw fewer for training or bring more items"
                )
            out.append(left[rng.integers(0, len(left), size=size)] if size else left[:0])
            left = np.setdiff1d(left, out[-1])
        return out


def _count(size: float, n_class: int, n: int) -> int:
    """Items to draw for a class of ``n_class`` of the ``n`` items."""
    return round(size * n_class) if size < 1 else round(size * n_class / n)


def ideal_estimator_variance(variance: float, k: int) -> float:
    """Variance of the mean of k trainings that redraw every source of noise: σ²/k (Bouthillier et al. 2021, Eq. 6).

    Args:
        variance: σ², the variance of the score over independent trainings.
        k: number of trainings.

    Raises:
        ArgumentError: a negative variance, or k below 1.

    Example:
        >>> ideal_estimator_variance(0.04, 4)
        0.01
    """
    _check_k(k)
    _check_variance(variance)
    return variance / k


def biased_estimator_variance(variance: float, correlation: float, k: int) -> float:
    """Variance of the mean of k trainings that share what is not redrawn: V/k + (k − 1)/k · ρ · V (Eq. 7).

    Args:
        variance: V, the variance of the score given what is shared (one choice of hyperparameters, say).
        correlation: ρ, the correlation of two trainings that share it; the part that more trainings do not remove.
        k: number of trainings.

    Raises:
        ArgumentError: a negative variance, a correlation outside [−1, 1], or k below 1.

    Example:
        >>> round(biased_estimator_variance(0.04, 0.5, 4), 12)
        0.025
    """
    _check_k(k)
    _check_variance(variance)
    if not -1.0 <= correlation <= 1.0:
        raise ArgumentError(f"correlation = {correlation}: must lie between -1 and 1")
    return variance / k + (k - 1) / k * correlation * variance


def _check_k(k: int) -> None:
    if k < 1:
        raise ArgumentError(f"k = {k}: must be a whole number of trainings from 1")


def _check_variance(variance: float) -> None:
    if not variance >= 0.0:
        raise ArgumentError(f"variance = {variance}: must be 0 or more")
