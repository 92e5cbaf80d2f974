"""A number that is worked out when somebody asks for it, once."""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


class Later:
    """A number from a function without arguments, which is called once at most. Copies and pickles hold the number.

    >>> later = Later(lambda: 0.5)
    >>> later.number
    0.5
    """

    def __init__(self, make: Callable[[], float]) -> None:
        self._make = make

    @cached_property
    def number(self) -> float:
        """The number."""
        return self._make()

    @classmethod
    def known(cls, number: float) -> Later:
        """One that is there already."""
        return cls(lambda: number)

    def __eq__(self, other: object) -> bool:
        """Whether the numbers are the same; two that do not exist are."""
        if not isinstance(other, Later):
            return NotImplemented
        return self.number == other.number or (math.isnan(self.number) and math.isnan(other.number))

    def __hash__(self) -> int:
        """That of the number."""
        return hash(self.number)

    def __reduce__(self) -> tuple[Callable[[float], Later], tuple[float]]:
        """The number, worked out."""
        return Later.known, (self.number,)


NOT_THERE = Later.known(math.nan)
