"""Rows of one question that stand beside several choices, contexts or images: other items, or attempts at one.

Rules on numbers that were counted elsewhere, in the cells of files (:mod:`scorebars.readers`) or of frames.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from scorebars.engines.headers import normal
from scorebars.engines.unknown_headers import GOLD, may_tell

if TYPE_CHECKING:
    from collections.abc import Sequence

    Columns = tuple[str, ...]

COLUMNS: Final = 10
"""Columns that are looked at."""
SHARED: Final = 0.9
"""Share of the pairs of a question and what stands beside it, of all models, from which on models share them."""
_GIVEN: Final = frozenset(
    {
        *(
            "choices",
            "options",
            "alternatives",
            "candidates",
            "context",
            "contexts",
            "passage",
            "passages",
            "paragraph",
        ),
        *("document", "documents", "article", "story", "dialogue", "conversation", "input", "inputs", "premise"),
        *("hypothesis", "image", "images", "video", "audio", "figure", "picture", "table", "code", "distractors"),
    }
)
"""Words of what is given beside a question, and by no model."""
_BESIDE: Final = frozenset({"id", "idx", "index", "no", "nr", "text", "name", "path", "url", "file", "hash", "answer"})
_OF_ONE: Final = frozenset({"choice", "option", "alternative", "distractor"})
"""Words of one of several columns of choices: 'choice_a', 'option 1'."""


@dataclass(frozen=True, slots=True)
class Beside:
    """How often a question stands beside a column, in all rows."""

    rows: int
    models: int
    """Models whose rows these are; of a wide table its columns."""
    questions: int
    """Pairs of a model and a question."""
    told: int
    """The same, with the value of the column."""
    own: int
    """Pairs of a question and the value, of all models together."""
    evenly: bool
    """Whether each model has equally many rows of each question."""

    def are_items(self, header: str) -> bool:
        """Whether rows of one question may be different items: what is beside it differs, and models share it.

        Of a header that says nothing of it, every row is told apart, in every model by the same values, and questions
        have unequally many rows, as no plan of attempts has.
        """
        if self.told == self.questions:
            return False
        if is_given(header):
            return self.told >= SHARED * self.own * self.models
        exactly = self.models > 1 and self.rows == self.told == self.own * self.models
        return exactly and (not self.evenly or normal(header) in GOLD)


def is_given(header: str) -> bool:
    """Whether a header is of what is given beside a question, or of one of its choices.

    >>> is_given("Choices"), is_given("image_path"), is_given("option A"), is_given("choice"), is_given("code_score")
    (True, True, True, False, False)
    """
    words = set(normal(header).replace(".", "_").split("_"))
    return (bool(words & _GIVEN) and words <= _GIVEN | _BESIDE) or is_one_choice(header)


def is_one_choice(header: str) -> bool:
    """Whether a header is a letter, or that of one of several choices."""
    *words, last = normal(header).replace(".", "_").split("_")
    return (len(last) == 1 or last.isdigit()) and (set(words) <= _OF_ONE if words else last in "abcdefgh")


def columns_beside(unknown: Sequence[str]) -> list[Columns]:
    """The columns that may say that rows of one question are different items; those of single choices together."""
    choices = tuple(name for name in unknown if is_one_choice(name))
    others = [name for name in unknown if name not in choices and _may_say(name)]
    others.sort(key=lambda name: not is_given(name))
    return [*([choices] if len(choices) > 1 else []), *((name,) for name in others)][:COLUMNS]


def _may_say(name: str) -> bool:
    return is_given(name) or may_tell(name) or normal(name) in GOLD
