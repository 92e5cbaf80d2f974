"""The distribution of −T*, read from that of T*."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scorebars.contracts import Distribution, How


@dataclass(frozen=True, eq=False)
class Mirrored:
    """The distribution of −T*."""

    of: Distribution

    @property
    def how(self) -> How:
        """As the mirrored one."""
        return self.of.how

    @property
    def step(self) -> str:
        """As the mirrored one."""
        return self.of.step

    @property
    def n_boot(self) -> int | None:
        """As the mirrored one."""
        return self.of.n_boot

    @property
    def error(self) -> float:
        """As the mirrored one."""
        return self.of.error

    @property
    def mean(self) -> float:
        """E[−T*]."""
        return -self.of.mean

    @property
    def std(self) -> float:
        """As the mirrored one."""
        return self.of.std

    def quantile(self, p: float, *, upper: bool = False) -> float:
        """Minus the quantile at 1 − p from the other side."""
        return 0.0 - self.of.quantile(1.0 - p, upper=not upper)

    def cdf(self, x: float) -> float:
        """P(−T* ≤ x) = 1 − P(T* < −x)."""
        return 1.0 - self.of.below(-x)

    def below(self, x: float) -> float:
        """P(−T* < x) = 1 − P(T* ≤ −x)."""
        return 1.0 - self.of.cdf(-x)
