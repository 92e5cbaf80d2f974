"""Score values of Inspect logs as numbers, one column a metric.

Inspect's own rule (``value_to_float``): C = 1, P = 0.5, I = N = 0; yes and true = 1, no and false = 0; numbers, also as
text, are themselves; NaN, also as text, is "not scored". It turns everything else into 0 with a warning; here such a
metric is no score, and the reason lists the values that were found.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from scorebars.engines.score_text import MOST_CATEGORIES, categories_of, is_verdict, is_word, letters_beside
from scorebars.errors import typed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

MARKS: Final = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
"""Correct, partial, incorrect, no answer; exactly these capitals, as in Inspect."""
WORDS: Final = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
SHOWN: Final = 6
"""Different values that a reason lists."""


@dataclass(slots=True)
class MetricColumn:
    """One metric's values, in the order of the samples; NaN where there is none."""

    given: Mapping[str, float] = field(default_factory=dict)
    """Numbers that the caller gives to words; they come before any other rule."""
    values: list[float] = field(default_factory=list)
    texts: Counter[str] = field(default_factory=Counter)
    """Marks and words that were read as numbers."""
    categories: Counter[str] = field(default_factory=Counter)
    """Values that are no number."""
    words: set[str] = field(default_factory=set)
    """Those of them that are text, so that the caller may give them one."""
    beyond: bool = False
    """Whether a word was given a number outside [0, 1]."""
    numbers: bool = False
    """Whether any value was a plain number, so that the marks do not fix the range."""

    def put(self, index: int, value: Any) -> None:
        """Set the value of sample ``index``; samples in between have none."""
        self.pad(index + 1)
        self.values[index] = self._number(value)

    def pad(self, length: int) -> None:
        """Fill up with NaN to ``length`` values."""
        self.values.extend([math.nan] * (length - len(self.values)))

    def _number(self, value: Any) -> float:
        if value is None:
            return math.nan
        if isinstance(value, bool):
            return float(value)
        if isinstance(value, int | float):
            self.numbers = self.numbers or not math.isnan(value)
            return float(value)
        if isinstance(value, str):
            return self._text(value)
        self.categories[_short(value)] += 1
        return math.nan

    def _text(self, text: str) -> float:
        number = self.given.get(text, MARKS.get(text, WORDS.get(text.lower())))
        if number is None:
            return self._number_text(text)
        self.texts[text] += 1
        self.beyond = self.beyond or not 0.0 <= number <= 1.0
        return number

    def _number_text(self, text: str) -> float:
        try:
            number = float(text)
        except ValueError:
            number = math.inf
        if math.isfinite(number):
            self.numbers = True
            return number
        if math.isnan(number):
            return math.nan
        self.categories[_short(text)] += 1
        self.words.add(_short(text))
        return math.nan

    @property
    def unusable(self) -> str | None:
        """Why this metric is no score; None if it is one."""
        if not self.categories:
            return letters_beside(self.given, self.texts) or None
        letters = self._letters
        found = Counter({letter: self.texts[letter] for letter in letters}) + self.categories
        shown = ", ".join(f"'{value}' ({count})" for value, count in found.most_common(SHOWN))
        more = f" and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
        each = "each of them" if not letters else f"all but {' and '.join(letters)}"
        return (
            f"its values are categories, not scores: {shown}{more}; Inspect's own accuracy counts {each} as 0; "
            f"{self._remedy}"
        )

    @property
    def words_left_out(self) -> str:
        """Why the values of a metric beside others do not count, where they are a few words; "" of any others."""
        found = sorted({*self.categories, *self._letters} if self.categories else ())
        if not found or len(found) > MOST_CATEGORIES or not all(map(is_word, found)):
            return ""
        return f"they are categories ({', '.join(map(repr, found))}), not scores; {self._remedy}"

    @property
    def _letters(self) -> list[str]:
        """Marks without a given number, which beside other words are categories too."""
        return sorted(text for text in self.texts if text in MARKS and text not in self.given)

    @property
    def _remedy(self) -> str:
        words = [word for word in self.words if is_word(word)]
        if not words:
            return "score the log again with a scorer that returns numbers or C and I"
        letters = [] if all(map(is_verdict, words)) else self._letters
        chosen = sorted((*words, *letters))[:MOST_CATEGORIES]
        given = {word: number for word, number in self.given.items() if word in self.texts}
        more = " …" if len(chosen) < len(words) + len(letters) else ""
        option = typed("--category", categories_of(chosen, given)) + more
        return f"give each its number ({option}), or score the log again with numbers or C and I"

    @property
    def marks_only(self) -> bool:
        """Whether every value was a mark, a word or a boolean, so that scores lie in [0, 1]."""
        return not self.numbers and not self.beyond

    @property
    def within_unit(self) -> bool:
        """Whether no value lies outside [0, 1]."""
        return all(not (value < 0.0 or value > 1.0) for value in self.values)


def flatten(scores: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """(metric, value) of one sample: ``scorer``, ``scorer.key`` of a dict value, ``scorer[0]`` … of a list value."""
    for scorer, score in scores.items():
        value = score.get("value") if isinstance(score, dict) else score
        if isinstance(value, dict):
            yield from ((f"{scorer}.{key}", part) for key, part in value.items())
        elif isinstance(value, list):
            yield from ((f"{scorer}[{index}]", part) for index, part in enumerate(value))
        else:
            yield scorer, value


def scorer_of(metric: str, scorers: set[str]) -> str:
    """The scorer that a metric's name starts with."""
    if metric in scorers:
        return metric
    owners = [name for name in scorers if metric.startswith((f"{name}.", f"{name}["))]
    return max(owners, key=len, default=metric)


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 40 else f"{text[:37]}..."
