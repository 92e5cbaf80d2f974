"""The difference A − B."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Difference:
    """A minus B, in the unit of the scores.

    Example:
        >>> round(Difference().of(0.62, 0.60), 12)
        0.02
    """

    @property
    def name(self) -> str:
        """As printed."""
        return "difference"

    def of(self, a: float, b: float) -> float:
        """The effect from the two point values."""
        return a - b
