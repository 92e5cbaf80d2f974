"""Items that are places (a row of a table, a line of a list): two sides pair by place only if both have as many.

And only in the same order: where an unknown column has the same texts on both sides in other places, it holds the ids.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from scorebars.contracts import Listing
from scorebars.engines.headers import mapped, normal
from scorebars.engines.unknown_headers import item_rank
from scorebars.errors import ScoresError, counted
from scorebars.kernels.distinct import distinct

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scorebars.contracts import Part
    from scorebars.notes import Note
    from scorebars.sample import Cut, Cuts
    from scorebars.scores import Scores


def are_places(parts: Sequence[Part], said: Sequence[Note]) -> bool:
    """Whether items are numbered by where they stand, in some file, and pair by it."""
    every = (*said, *(one for part in parts for one in part.notes))
    if any(one.code == "unrelated-rows" for one in every):
        return False
    return any(part.items_by_place for part in parts) or any(one.code == "rows-as-items" for one in every)


def unequal(a: Cut, b: Cut) -> tuple[int, int] | None:
    """Rows of both sides in the tasks that both have, where they differ; None where that is not sure.

    Rows without a score count, as they keep their place; of tasks that one side lacks they are not told apart.
    """
    tasks = [set(distinct(cut.sample.task).tolist()) for cut in (a, b)]
    shared = list(tasks[0] & tasks[1])
    dropped = [sum(n for _, n in cut.dropped) for cut in (a, b)]
    if tasks[0] != tasks[1] and any(dropped):
        return None
    n_a, n_b = (int(np.isin(cut.sample.task, shared).sum()) + n for cut, n in zip((a, b), dropped, strict=True))
    return (n_a, n_b) if n_a != n_b else None


@dataclass(frozen=True, slots=True)
class Moved:
    """A column without a known header whose texts two models share and have in different places."""

    column: str
    models: tuple[str, str]
    n: int
    """Texts in other places."""
    shared: int
    every: bool
    """Whether either model has no other text."""
    numbers: str = ""
    """The column that is taken for the item, and only numbers the rows."""
    drawn: bool = False
    """Whether its ids are no numbers, but drawn for each row."""
    shifted: bool = False
    """Whether the order is the same, and ids only begin at another number: 0 where rows are counted from 1."""

    @property
    def sentence(self) -> str:
        """What is so, without a remedy."""
        a, b = self.models
        which = "the same texts" if self.every else "mostly the same texts"
        if self.drawn:
            return (
                f"'{self.numbers}' is another in every row, and '{self.column}' has {which} in '{a}' and '{b}' under "
                f"other ids ({self.n:,} of {self.shared:,}), so that these say nothing of what is asked"
            )
        if self.numbers:
            return (
                f"'{self.numbers}' only numbers the rows, and '{self.column}' has {which} in '{a}' and '{b}' under "
                f"other numbers ({self.n:,} of {self.shared:,}), so that rows of one number are no pairs"
            )
        if self.shifted:
            return (
                f"'{self.column}' is not known as the item, and has {which} in '{a}' and '{b}', in the same order but "
                "counted from another number than the rows, so that rows of one number are no pairs"
            )
        return (
            f"no column is known as the item, and '{self.column}' has {which} in '{a}' and '{b}', in another order "
            f"({self.n:,} of {self.shared:,} stand in another place), so that rows of one place are no pairs"
        )

    @property
    def remedy(self) -> str:
        """What to type."""
        typed = mapped({"item": self.column})
        if self.numbers:
            ids = "ids" if self.drawn else "numbers"
            return f"pair by it ({typed}), or say that the {ids} are right ({mapped({'item': self.numbers})})"
        return f"name it ({typed})"


def moved(listed: Iterable[Listing], cuts: Cuts, pairs: Iterable[tuple[Cut, Cut]]) -> Moved | None:
    """The first column that says that a pair would be made of rows of different items; None if none does."""
    listings: dict[str, list[Listing]] = {}
    for one in listed:
        listings.setdefault(one.model, []).append(one)
    if not listings:
        return None
    for a, b in pairs:
        sides = [listings.get(cut.sample.model) or _known(cut, cuts) for cut in (a, b)]
        found = [_moved(one, other) for one in sides[0] for other in sides[1] if _is_same(one, other)]
        if worst := max((each for each in found if each is not None), key=lambda each: each.shared, default=None):
            return worst
    return None


def likely_item(parts: Sequence[Part]) -> str:
    """The first column that may hold the ids of rows in every file, "" if there is none."""
    named = [sorted((one for one in part.listings if one.may_be_named), key=_rank) for part in parts]
    columns = [[one.column for one in own] for own in named]
    return next((name for name in columns[0] if all(name in others for others in columns)), "") if columns else ""


def _rank(listing: Listing) -> int:
    return item_rank(listing.column, counts_rows=listing.counts_rows)


def _known(cut: Cut, cuts: Cuts) -> list[Listing]:
    """The ids of a model that has some, as a column whose texts are their own places."""
    task, _, item = cuts.item_keys
    units = distinct(cut.sample.item)
    return [
        Listing("", cut.sample.model, {f"{task[unit]}\x1f{item[unit]}": str(item[unit]) for unit in units.tolist()})
    ]


def _is_same(one: Listing, other: Listing) -> bool:
    """Whether two listings are of one column, or one of them of known ids."""
    return not (one.column and other.column) or normal(one.column) == normal(other.column)


def _moved(one: Listing, other: Listing) -> Moved | None:
    n, shared = one.moved(other), len(one.shared(other))
    every = shared == len(one.places) == len(other.places)
    column, numbers = one.column or other.column, one.numbers or other.numbers
    drawn = bool(numbers) and not all(place.isdigit() for place in one.places.values())
    shifted = bool(n) and bool(one.column) != bool(other.column) and _is_shifted(one, other)
    return Moved(column, (one.model, other.model), n, shared, every, numbers, drawn, shifted) if n else None


def _is_shifted(one: Listing, other: Listing) -> bool:
    """Whether all places of shared texts differ by the same number."""
    places = [(one.places[text], other.places[text]) for text in one.shared(other)]
    if not all(place.isdigit() for pair in places for place in pair):
        return False
    return len({int(first) - int(second) for first, second in places}) == 1


def refuse_misplaced(scores: Scores, said: Sequence[Note], cuts: Cuts, pairs: Sequence[tuple[Cut, Cut]]) -> None:
    """Raise a ScoresError where a pair would be made of rows of lists of two lengths, or in two orders."""
    if (misplaced := moved(scores.listings, cuts, pairs)) is not None:
        raise ScoresError(f"{misplaced.sentence}; {misplaced.remedy}")
    if not are_places(scores.parts, said):
        return
    for a, b in pairs:
        if (found := unequal(a, b)) is not None:
            raise ScoresError(
                f"'{a.sample.model}' has {counted(found[0], 'row')} and '{b.sample.model}' {found[1]:,}, and no column "
                "says which item a row is, so they cannot be paired by their place; give both a column of item ids "
                "(named item, or with --map item=COLUMN), or look at each alone (scorebars estimate)"
            )
