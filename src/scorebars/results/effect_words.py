"""How an effect reads: its sentence, the unit of its numbers, the heading of its row."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from scorebars.contracts import Reading
from scorebars.outputs import numbers

if TYPE_CHECKING:
    from scorebars.outputs.numbers import Scale
    from scorebars.results.comparison import Comparison

_PERCENT = frozenset({Reading.RELATIVE, Reading.PAIRS, Reading.PROBABILITY})


def effect_scale(comparison: Comparison) -> Scale:
    """The scale of the effect and its bounds: percent for shares, and for differences of fractions."""
    answer = comparison.answer
    return numbers.choose_scale([answer.half_width], percent=is_percent(comparison.reading, answer.score_range))


def is_percent(reading: Reading, effect_range: tuple[float, float] | None) -> bool:
    """Whether an effect is printed in percent: shares are, and differences of fractions."""
    return numbers.is_fraction_difference(effect_range) if reading is Reading.DIFFERENCE else reading in _PERCENT


def side_scale(comparison: Comparison, scale: Scale) -> Scale:
    """The scale of the two sides' own values: that of their difference, else by the range of the scores."""
    if comparison.reading is Reading.DIFFERENCE:
        return scale
    percent = numbers.is_fraction(comparison.side_range)
    return numbers.choose_scale([abs(comparison.value_a - comparison.value_b) / 10.0], percent=percent)


def unit(comparison: Comparison, scale: Scale) -> str:
    """' points' of a difference of fractions, ' %' of a share, nothing of anything else."""
    if comparison.reading is Reading.DIFFERENCE:
        return scale.points
    return " %" if scale.percent else ""


def heading(comparison: Comparison, scale: Scale) -> str:
    """'difference, points', 'relative difference, %', 'odds ratio'."""
    suffix = unit(comparison, scale)
    return f"{comparison.effect},{suffix}" if suffix else comparison.effect


def is_signed(comparison: Comparison) -> bool:
    """Whether the effect is printed with its sign: where 0 means no difference."""
    return comparison.null == 0.0


def sentence(comparison: Comparison, scale: Scale) -> str:
    """What A does against B: 'A scores 3.0 points higher than B', 'A beats B on 62 % of pairs'."""
    value = comparison.answer.value
    if math.isnan(value):
        return f"{comparison.a} and {comparison.b} cannot be compared"
    if comparison.reading in {Reading.DIFFERENCE, Reading.RELATIVE}:
        return _higher_or_lower(comparison, scale)
    number = f"{scale.number(value)}{unit(comparison, scale)}"
    if comparison.reading is Reading.ODDS:
        return f"the odds of success of {comparison.a} are {number} times those of {comparison.b}"
    if comparison.reading is Reading.PAIRS:
        return f"{comparison.a} beats {comparison.b} on {number} of pairs"
    return f"a run of {comparison.a} beats a run of {comparison.b} with a probability of {number}"


def verdict(comparison: Comparison) -> str:
    """'more than chance', 'could be chance'; 'less than chance' for a probability below its null value.

    A share of pairs says 'less than half': where ties count as losses, chance alone is below one half.
    """
    if not comparison.significant:
        return "could be chance"
    if comparison.answer.shown.high < comparison.null:
        return {Reading.PAIRS: "less than half", Reading.PROBABILITY: "less than chance"}.get(
            comparison.reading, "more than chance"
        )
    return "more than chance"


def _higher_or_lower(comparison: Comparison, scale: Scale) -> str:
    value = comparison.answer.value
    if value == 0.0:
        return f"{comparison.a} and {comparison.b} score the same"
    way = "higher" if value > 0 else "lower"
    return f"{comparison.a} scores {scale.number(abs(value))}{unit(comparison, scale)} {way} than {comparison.b}"
