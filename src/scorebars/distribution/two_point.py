"""The distribution of n draws of two values, in closed form: the bootstrap of 0/1 scores."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

from scorebars.contracts import How
from scorebars.errors import ArgumentError
from scorebars.kernels import binomial, lattice


@dataclass(frozen=True, eq=False)
class TwoPoint:
    """n draws of two values: the binomial distribution in closed form."""

    n: int
    p: float
    """Probability of the larger value."""
    lattice: lattice.Lattice
    mean: float
    std: float
    step: str = "binomial"
    error: float = 0.0
    how: How = How.COMPUTED
    n_boot: None = None

    def quantile(self, p: float, *, upper: bool = False) -> float:
        """The smallest x with P(T* ≤ x) ≥ p, or with ``upper`` the largest x with P(T* ≥ x) ≥ 1 − p."""
        if not 0.0 < self.p < 1.0 or not 0.0 < p < 1.0:
            return self._value(binomial.quantile(p, self.n, self.p, upper=upper))
        return self._value(self._sums.quantile(p, upper=upper))

    @cached_property
    def _sums(self) -> binomial.Sums | binomial.Weights | binomial.Tails:
        return binomial.running_sums(self.n, self.p)

    def cdf(self, x: float) -> float:
        """P(T* ≤ x); a point that differs from x by rounding alone counts as x."""
        return binomial.cdf(math.floor(self._index(x) + 1e-3), self.n, self.p)

    def below(self, x: float) -> float:
        """P(T* < x)."""
        return binomial.cdf(math.ceil(self._index(x) - 1e-3) - 1, self.n, self.p)

    def _value(self, k: int) -> float:
        return self.lattice.point(k)

    def _index(self, x: float) -> float:
        return min(max(x / self.lattice.step - self.lattice.base, -1.0), self.n + 1.0)


def binomial_mean(successes: int, n: int) -> TwoPoint:
    """The bootstrap distribution of the mean of n scores of which ``successes`` are 1 and the others 0.

    Raises:
        ArgumentError: n below 1, or successes outside 0 to n.
    """
    if not 0 <= successes <= n or n < 1:
        raise ArgumentError(f"successes must lie between 0 and n, and n must be 1 or more; got {successes} of {n}")
    p = successes / n
    return TwoPoint(n, p, lattice.Lattice(0.0, 1.0 / n, n, 0.0), p, math.sqrt(p * (1.0 - p) / n))
