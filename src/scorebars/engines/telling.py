"""What the cells of a column without a role say: that it tells repeated rows apart, or that its texts are items.

Rules on numbers that were counted elsewhere, in the cells of files (:mod:`scorebars.readers`) or of frames.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Final

from scorebars.engines.unknown_headers import Kind, names_document, names_item, names_rater

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

COMMON: Final = 0.6
"""Share of the attempts in which the most frequent value stands: all, where each has the same values."""
CROSSED: Final = 0.8
"""Share of all pairs of an attempt and a value (or of a rater and a document) from which on each has the same."""
BY_CHANCE: Final = 0.05
"""Share of the pairs that would coincide by chance, up to which they are the few that are copies."""
SURE: Final = 8.0
"""So many pairs would coincide by chance, and do not: it is none, whatever the column is called (e to the -8)."""
LIKELY: Final = 3.0
"""The same where each attempt has the same values."""
NAMED: Final = 5.0
"""The same where the header says what the column is of, and not one pair coincides."""
FEWER: Final = 3.0
"""Standard errors by which fewer pairs than by chance coincide, where values stand several times in each attempt."""
TOGETHER: Final = 5
"""Columns of which two or three are looked at together."""
ROLES_OF: Final[Mapping[Kind, tuple[str, ...]]] = {
    "metric": ("metric", "variant", "task", "run"),
    "split": ("split", "task", "variant", "run"),
    "task": ("task", "item", "variant", "run"),
    "setting": ("model", "variant", "task", "run"),
    "rater": ("run", "variant", "model"),
    "item": ("item",),
    "": ("variant", "task", "item", "metric", "model", "run"),
}
"""What a column of a kind may be, the best guess first."""
METHODS: Final = 20
"""So many different words may be models beside runs, whatever their header; more are items."""
MOST: Final = 4
"""Roles that the sentence names, of a column whose header says something."""
BALANCED: Final = 0.9
"""Share of the texts that stand equally often, where these may be attempts."""
LONG: Final = 20.0
"""Characters from which on texts with blanks are questions and no categories, on average."""
FEW_IDS: Final = 5
FEW_WORDS: Final = 10
"""So few different ids, or words, may be categories."""


def tells(one: Mapping[str, float], *, known: bool) -> bool:
    """Whether a column tells rows of an attempt apart, or is crossed with the attempts, and not by chance.

    A few rows may be missing: that each attempt has a value twice shows in how seldom two of its rows have the same.
    """
    shared = one["n_values"] > 1 and one["common"] >= COMMON * one["attempts"] and one["attempts"] > 1
    if not shared or one["n_pairs"] <= one["attempts"]:
        return False
    is_crossed = one["n_pairs"] >= CROSSED * one["attempts"] * one["n_values"]
    if one["evenly"] and one["most"] > 1:
        return known or (is_crossed and one["attempts"] >= SURE)
    chance = one["pairs"] * one["alike"]
    if one["same"] > BY_CHANCE * chance:
        spread = math.sqrt(chance * (1 - one["alike"]))
        return is_crossed and known and one["same"] < chance - FEWER * spread
    if known and not one["same"] and chance >= NAMED:
        return True
    return chance >= SURE or (is_crossed and (known or chance >= LIKELY))


def together(names: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Two columns, and three, that may tell rows apart where none of them does alone."""
    for size in (2, 3):
        yield from combinations(names[:TOGETHER], size)


@dataclass(frozen=True, slots=True)
class Pair:
    """How the values of a column of raters and of one of documents stand together, within model, task and run."""

    rater: str
    document: str
    n: int
    """Documents, of all models together."""
    apart: bool
    """Whether no document has two rows of one rater."""
    several: bool
    """Whether documents have rows of several raters."""
    evenly: bool
    """Whether each pair has as many rows."""
    crossed: bool
    """Whether (nearly) each rater has graded each document, and there are more documents."""

    @property
    def are_grades(self) -> bool:
        """Whether the rows are several grades of a document."""
        if not self.several:
            return False
        if names_rater(self.rater):
            return self.apart or (self.evenly and (names_document(self.document) or names_item(self.document)))
        if names_item(self.rater):
            return self.apart and names_document(self.document)
        return self.apart and self.crossed and names_document(self.document)


@dataclass(frozen=True, slots=True)
class TextColumn:
    """What the first rows of an unknown column hold."""

    name: str
    is_whole: bool
    """Whether all cells are whole numbers."""
    are_ids: bool
    """Whether most are a word and a number, or a number: 'q17', '17'."""
    are_texts: bool
    """Whether they are long and have blanks."""


@dataclass(frozen=True, slots=True)
class Repeated:
    """How often the texts of a column stand in the rows of a model."""

    column: TextColumn
    n: int
    """Different texts of a model, on average over the models and tasks."""
    times: int
    """How often most of them stand there."""
    evenly: bool
    """Whether nearly all stand there so often."""
    again: bool
    """Whether nearly all stand there more than once."""

    def counted_as(self, of: str) -> str:
        """What becomes of its texts where the rows (`` of a model``, or of all) are items, and what it is instead."""
        often = f"{'' if self.evenly else 'mostly '}{self.times:,} rows"
        return (
            f"each of the {self.n:,} texts of '{self.column.name}' stands in {often}{of}, which would count as so many "
            "items: it is the item with several attempts"
        )


def _are_attempts(one: Repeated) -> bool:
    """Whether the texts of a column may be items with several attempts, and no categories of items."""
    column, named = one.column, names_item(one.column.name)
    if one.times < 2 or not (one.evenly or named):
        return False
    many = one.n > one.times
    if column.are_texts or (named and column.are_ids):
        return one.n > 2 or many
    if named:
        return many
    return many and one.n >= (FEW_IDS if column.are_ids or column.is_whole else FEW_WORDS)


def item_of_attempts(found: Sequence[Repeated], ids: Sequence[TextColumn]) -> Repeated | None:
    """The column that looks most like the item of several attempts; none where an id says which item a row is."""
    if any(names_item(column.name) for column in ids):
        return None
    maybe = [one for one in found if _are_attempts(one) and (names_item(one.column.name) or not ids)]
    return max(maybe, key=lambda one: (names_item(one.column.name), one.column.are_texts, one.n), default=None)


def question_of_attempts(found: Sequence[Repeated]) -> Repeated | None:
    """The column that looks most like what was asked several times; None where none does."""
    maybe = filter(_are_questions, found)
    return max(maybe, key=lambda one: (one.column.are_texts, one.n), default=None)


def _are_questions(one: Repeated) -> bool:
    """Whether the texts under the header of a question may be items, beside ids that differ from row to row.

    A few short words may be categories of items, and a few texts templates of them.
    """
    column, many = one.column, one.n > one.times
    if one.times < 2 or not one.again:
        return False
    if column.are_texts or column.are_ids or column.is_whole:
        return one.n >= FEW_IDS or (many and one.n > 2)
    return one.evenly and many and one.n >= FEW_IDS
