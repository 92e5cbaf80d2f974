"""A file's own totals, held against its rows: one place that says when two numbers are the same, and how they differ.

Counts must be equal. An average must be equal to the digits that it is printed with: a program that writes whole
floats writes 0.42 for 0.42 only, one that rounds says so by its digits.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from scorebars.notes import Note, note

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

TOLERANCE: Final = 1e-6
"""Of whole floats, relative and absolute: sums in another order differ by less."""
FEWEST: Final = 3
"""Decimals from which on a number may have been rounded to them; 0.5 and 0.25 are mostly exact."""
_SHOWN: Final = 3
"""Totals that are named in one note."""


@dataclass(frozen=True, slots=True)
class Total:
    """A number that a file gives of its rows, and the same of the rows themselves."""

    what: str
    """'accuracy', 'the number of failures'."""
    said: object
    """As the file has it; what is no number is not compared."""
    own: float
    """NaN where the rows do not say."""
    digits: int | None = None
    """Decimals to which the format rounds; None: as the number shows, if at all."""

    @property
    def differs(self) -> bool:
        """Whether both are known and not the same."""
        if isinstance(self.said, bool) or not isinstance(self.said, int | float):
            return False
        return not (math.isnan(self.said) or math.isnan(self.own) or equal(self.said, self.own, self.digits))

    @property
    def in_words(self) -> str:
        """'accuracy is given as 0.5, and its rows give 0.25'."""
        said, own = _number(self.said), _number(self.own)
        return f"{self.what} is given as {said}, and its rows give {own}"


def equal(said: float, own: float, digits: int | None = None) -> bool:
    """Whether a printed number is this one.

    >>> equal(0.333, 1 / 3), equal(0.33, 1 / 3), equal(0.33, 1 / 3, digits=2)
    (True, False, True)
    """
    if math.isclose(said, own, rel_tol=TOLERANCE, abs_tol=TOLERANCE):
        return True
    if isinstance(said, int) and digits is None:
        return False
    shown = _decimals(said) if digits is None else digits
    return (digits is not None or shown >= FEWEST) and abs(said - own) <= 0.5 * 10.0**-shown + TOLERANCE


def _decimals(value: float) -> int:
    """Digits after the point of a number as it is written; very many for one that has an exponent."""
    text = repr(float(value))
    return 99 if "e" in text else len(text.partition(".")[2])


def _number(value: object) -> str:
    whole = isinstance(value, int) or (isinstance(value, float) and value.is_integer())
    return f"{value:,.0f}" if whole and isinstance(value, int | float) else f"{value:.6g}"


def mean(values: Iterable[float]) -> float:
    """Their mean without those that are not known; NaN of none."""
    known = [value for value in values if not math.isnan(value)]
    return math.fsum(known) / len(known) if known else math.nan


def mean_of_items(items: Sequence[str], values: Sequence[float]) -> float:
    """The mean over items of the mean of each, without what is not known."""
    of_item: dict[str, list[float]] = {}
    for item, value in zip(items, values, strict=True):
        of_item.setdefault(item, []).append(value)
    return mean(mean(own) for own in of_item.values())


def disagreements(where: str, totals: Iterable[Total]) -> Iterator[Note]:
    """One note on the totals of a file that its rows do not give; nothing where all are the same."""
    wrong = [total.in_words for total in totals if total.differs]
    if wrong:
        more = f"; and {len(wrong) - _SHOWN:,} more" if len(wrong) > _SHOWN else ""
        yield note("header-disagrees", detail=f"{where}: {'; '.join(wrong[:_SHOWN])}{more}; the rows are used")
