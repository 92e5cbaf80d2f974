"""Numbers as people read them. The only place that rounds.

The rules, decided once for a whole table (:func:`choose_scale`):

- Percent where every score lies in [0, 1] by its nature (0/1 scores, or a stated range), else the scores' own unit.
  The unit is never guessed from the data's own extremes.
- Digits: two significant digits of the narrowest half-width in the table, and at least one decimal for percent.
- Bounds are rounded to nearest, like everybody's, so that they can be compared with published ones; rounding moves
  a bound by at most 5 % of the half-width. JSON and CSV hold full precision.
- What is not zero is never printed as 0.0, and what is not 100 % never as 100.0: such numbers get more digits.
- No number is "–"; minus zero does not exist.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from scorebars.errors import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

NO_NUMBER: Final = "–"
MINUS: Final = "−"
MAX_DIGITS: Final = 6
"""More decimals than this are written with an exponent."""


@dataclass(frozen=True, slots=True)
class Scale:
    """How the numbers of one table are written."""

    percent: bool
    digits: int

    @property
    def unit(self) -> str:
        """Of a score: '%' or nothing."""
        return "%" if self.percent else ""

    @property
    def points(self) -> str:
        """Of a difference, as a word after its number: ' points' or nothing."""
        return " points" if self.percent else ""

    def number(self, x: float, *, signed: bool = False) -> str:
        """The number alone, without its unit."""
        if math.isnan(x):
            return NO_NUMBER
        text = self._magnitude(abs(x) * 100.0 if self.percent else abs(x))
        sign = MINUS if x < 0 else "+" if signed else ""
        return text if _is_zero(text) else f"{sign}{text}"

    def interval(self, low: float, high: float) -> str:
        """The bounds: '[55.0, 68.5]', or '≥ 55.0' and '≤ 68.5' where just one was asked for."""
        if math.isnan(low) or math.isnan(high):
            return NO_NUMBER
        if math.isinf(low) and math.isinf(high):
            return f"({MINUS}∞, ∞)"
        if math.isinf(low):
            return f"≤ {self.number(high)}"
        if math.isinf(high):
            return f"≥ {self.number(low)}"
        return f"[{self.number(low)}, {self.number(high)}]"

    def small(self, x: float) -> str:
        """An error or a width, with two significant digits and its unit."""
        if math.isnan(x):
            return NO_NUMBER
        scaled = abs(x) * 100.0 if self.percent else abs(x)
        return f"{_significant(scaled, 2)}{self.points}"

    def _magnitude(self, x: float) -> str:
        if math.isinf(x):
            return "∞"
        text = f"{x:.{self.digits}f}"
        if _is_zero(text):
            return text if x < self._noise else _significant(x, 1)
        if self.percent and float(text) == 100.0 and abs(x - 100.0) > self._noise:
            return f"{x:.{_first_digit(abs(x - 100.0))}f}"
        return text

    @property
    def _noise(self) -> float:
        """Below this a number is a rounding error of the arithmetic, not a small number."""
        return float(10.0 ** -(self.digits + 8))


def choose_scale(half_widths: Iterable[float], *, percent: bool) -> Scale:
    """The scale of a table from the half-widths of its intervals (those that are finite and not zero count)."""
    widths = [abs(h) * (100.0 if percent else 1.0) for h in half_widths if math.isfinite(h) and abs(h) > 1e-12]
    least = 1 if percent else 0
    if not widths:
        return Scale(percent, 1 if percent else 3)
    digits = 1 - math.floor(math.log10(min(widths)))
    return Scale(percent, max(least, min(digits, 12)))


def is_fraction(score_range: tuple[float, float] | None) -> bool:
    """Whether a score of this range is a fraction, to be printed in percent."""
    return score_range is not None and score_range[0] >= 0.0 and score_range[1] <= 1.0


def is_fraction_difference(difference_range: tuple[float, float] | None) -> bool:
    """Whether a difference of this range is one of fractions, to be printed in percentage points."""
    return difference_range is not None and difference_range[0] >= -1.0 and difference_range[1] <= 1.0


def p_value(p: float) -> str:
    """'p = .014', 'p < .001', or '–'."""
    if math.isnan(p):
        return NO_NUMBER
    if p < 0.001:
        return "p < .001"
    text = f"{p:.3f}" if p < 0.0995 else f"{p:.2f}"
    return f"p = {text.removeprefix('0')}" if float(text) < 1.0 else f"p = {text}"


def percent_text(level: float) -> str:
    """The level as '95 %' or '99.5 %'."""
    return f"{level * 100.0:.10g} %"


def share(part: float) -> str:
    """A share of a whole in whole percent: '71 %'."""
    return f"{part * 100.0:.0f} %"


def degrees(x: float) -> str:
    """'49 degrees of freedom', '12.3 degrees of freedom', '1 degree of freedom'."""
    shown = f"{x:,.1f}".removesuffix(".0")
    return f"{shown} degree{'' if shown == '1' else 's'} of freedom"


def count(n: int, word: str) -> str:
    """'1 item', '2,000 items'."""
    return counted(n, word)


def counts(ns: Sequence[int], word: str) -> str:
    """'200 items' of one sample, '150 and 200 items' of two."""
    *others, last = ns
    return "".join(f"{n:,} and " for n in others) + (count(last, word) if not others else f"{last:,} {word}s")


def span(low: int, high: int, word: str) -> str:
    """'3 runs', or '2 to 5 runs' where units differ."""
    return count(high, word) if low == high else f"{low:,} to {high:,} {word}s"


def axis_column(x: float, low: float, high: float, width: int) -> int:
    """Column 0 … width − 1 at which ``x`` is drawn on an axis from ``low`` to ``high``."""
    if high <= low:
        return width // 2
    share = (min(max(x, low), high) - low) / (high - low)
    return min(width - 1, math.floor(share * (width - 1) + 0.5))


def _significant(x: float, digits: int) -> str:
    """``x`` ≥ 0 with this many significant digits, without an exponent where that is readable."""
    if x == 0.0:
        return "0"
    decimals = _first_digit(x) + digits - 1
    return f"{x:.{max(decimals, 0)}f}" if decimals <= MAX_DIGITS else f"{x:.{digits - 1}e}".replace("e-0", "e-")


def _first_digit(x: float) -> int:
    """Decimals needed to show the first digit of ``x`` > 0, which rounding may push up by one place."""
    return -math.floor(math.log10(float(f"{x:.0e}")))


def _is_zero(text: str) -> bool:
    return not text.strip("0.")
