"""Columns whose header names a model or a setting, and which belong to the items or only repeat what a model says.

A column that is the same in all rows of each model ('provider') adds nothing to it. One of which each item has one
value, while every model has the items of each ('config' of a data set, 'system' of organs), is a category of items: it
cannot tell models apart. That is only taken for sure where what was asked shows that the items of two values are not
the same ones under other ids; else it is asked about, as everything is that may be compared.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from scorebars.engines.headers import ALIASES, claims, normal
from scorebars.engines.unknown_headers import names_question

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Columns = tuple[str, ...]

SYSTEM: Final = "system"
"""The header of a model that may be one of a category of items too."""
TEXTS: Final = ("", "texts")
"""In place of columns: texts of questions, of three words or more; any other is ''."""
TEXTS_TOLD: Final = ("", "texts", "value")
NUMBERS: Final = ("", "numbers")
"""In place of columns: the digits of ids; an id without any is its own."""
NUMBERS_TOLD: Final = ("", "numbers", "value")
CROSSED: Final = 0.8
"""Share of all pairs of a model and an item from which on models have the same items."""
BY_CHANCE: Final = 1.05
"""How many times more texts there may be once the value is told beside them: a few are the same by chance."""
_MODELS: Final = frozenset(
    {"model", "models", "llm", "lm", "vlm", "backbone", "agent", "provider", "checkpoint", "ckpt"}
)
"""Words of headers that are of no item, whatever the rows are like."""
_NAMES: Final = frozenset({"model", "model_name", "model_id"})
"""Headers of the model itself, of which no cell may be empty."""
_NO_QUESTIONS: Final = frozenset(
    {
        *("prompt", "prompts", "input", "inputs", "instruction", "instructions"),
        *("id", "idx", "index", "no", "nr", "num", "number", "name", "hash"),
    }
)
"""Words of headers of texts that hold more than the question (a template, examples), and of ids."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How many different items, values, models and texts there are, and pairs of them."""

    items: int
    values: int
    models: int
    in_values: int
    """Pairs of an item and a value."""
    of_models: int
    """Pairs of an item and a model."""
    shared: int
    """Pairs of a value and a model."""
    texts: int
    """Different questions, '' for what is no text of a few words; 1 where no column has any."""
    texts_in_values: int
    numbers: int
    """Different digits of ids."""
    numbers_in_values: int

    @property
    def in_one_each(self) -> bool:
        """Whether each item stands in one value alone, and (nearly) every model has every item."""
        return (
            self.values > 1 < self.models
            and self.in_values == self.items >= 2 * self.values
            and self.of_models >= CROSSED * self.items * self.models
            and self.shared == self.values * self.models
        )

    @property
    def is_of_items(self) -> bool:
        """Whether the values are of items for sure: neither questions nor numbers of ids come again in another."""
        return (
            self.in_one_each
            and 1 < self.texts_in_values <= BY_CHANCE * self.texts
            and self.numbers_in_values <= BY_CHANCE * self.numbers
        )


def may_be_of_items(header: str) -> bool:
    """Whether a header may be of a category of items.

    >>> may_be_of_items("config"), may_be_of_items("System"), may_be_of_items("base_model")
    (True, True, False)
    """
    return not set(normal(header).rpartition(".")[2].split("_")) & _MODELS


def question_among(names: Sequence[str]) -> str:
    """The first column of what was asked, and of nothing beside it; '' where there is none.

    >>> question_among(["question_id", "prompt", "question"]), question_among(["prompt"])
    ('question', '')
    """
    found = (name for name in names if names_question(name) and not set(normal(name).split("_")) & _NO_QUESTIONS)
    return next(found, "")


@dataclass(frozen=True, slots=True)
class Told:
    """Of what else is counted: texts of questions and digits of ids, alone and beside the values of a column."""

    items: Columns
    name: str
    question: str
    """The column of what was asked; '' without one."""


class Count(Protocol):
    """Counts different values of sets of columns in all rows."""

    def __call__(self, sets: Sequence[Columns], told: Told | None = None) -> Mapping[Columns, int]:
        """The number of each set; and of texts and digits, where these are asked for."""
        ...

    def has_blanks(self, name: str) -> bool:
        """Whether a cell of a column is empty."""
        ...


def idle_claims(free: Sequence[str], given: Mapping[str, Columns], count: Count) -> frozenset[str]:
    """The columns that need no role, although their headers claim that of a model or a task as others do.

    Args:
        free: The columns that nobody gave a role.
        given: The roles that have their columns.
        count: What counts the cells.
    """
    items = given.get("item") or tuple(claims("item", free))
    tasks = given.get("task") or tuple(claims("task", free))
    models = [] if "model" in given else claims("model", free)
    left = _idle_models(models, items, tasks, free, count) if len(models) > 1 else set()
    if "task" not in given and len(tasks) > 1 and len(items) == 1:
        left |= _constant(tasks, count)
    return frozenset(left)


def _idle_models(models: Sequence[str], items: Columns, tasks: Columns, names: Sequence[str], count: Count) -> set[str]:
    """All but the one of which the others are the same in all of its rows; a category of items is no model."""
    others = [name for name in models if normal(name) != SYSTEM]
    kept = _finest(models, count)
    if kept:
        # An agent that only some rows have leaves the others without a name, which the model beside it has.
        nameless = normal(kept) not in _NAMES and count.has_blanks(kept)
        return set() if nameless else set(models) - {kept}
    kept = _finest(others, count) if others else ""
    if not kept or len(others) == len(models) or len(items) != 1:
        return set()
    of_items = (standing(name, (kept,), items, tasks, names, count) for name in models if name not in others)
    return set(models) - {kept} if all(one.is_of_items for one in of_items) else set()


def _finest(names: Sequence[str], count: Count) -> str:
    """The first column that varies, by the order of the aliases, if each value stands beside one of each other column.

    A provider of which a model has several, or an agent that runs several models, leaves a choice: '' then.
    """
    together = tuple(names)
    different = count([*((name,) for name in names), together])
    vary = [name for name in names if different[name,] > 1] or names
    first = min(vary, key=lambda name: ALIASES["model"].index(normal(name)))
    return first if different[first,] == different[together] else ""


def _constant(names: Sequence[str], count: Count) -> set[str]:
    """The columns with one text in all rows, but for the first where no other is left."""
    different = count([(name,) for name in names])
    constant = [name for name in names if different[name,] == 1]
    return set(constant[1:] if len(constant) == len(names) else constant)


def standing(
    name: str, models: Columns, items: Columns, tasks: Columns, names: Sequence[str], count: Count
) -> Standing:
    """How the values of a column stand beside items and models.

    Args:
        name: The column.
        models: Those of the model.
        items: Those of the item.
        tasks: Those of its task.
        names: All columns.
        count: What counts the cells.
    """
    item = (*tasks, *items)
    sets = [item, (name,), models, (*item, name), (*item, *models), (name, *models)]
    found = count(sets, Told(items, name, question_among(items) or question_among(names)))
    return Standing(*(found[some] for some in (*sets, TEXTS, TEXTS_TOLD, NUMBERS, NUMBERS_TOLD)))
