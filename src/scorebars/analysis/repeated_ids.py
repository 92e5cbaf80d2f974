"""A glance at the ids of items, enough for most tables: may they be repeats of fewer items, or sum up the others?

The notes of ``estimate`` and ``compare`` begin here; what they and ``doctor`` say is in ``id_families`` and
``summed_up``, which are imported only where some ids leave it open.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np

from scorebars.engines.file_runs import WORDS
from scorebars.engines.row_numbers import SUMS_SPELLED, UNIT
from scorebars.notes import note

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from scorebars.contracts import Listing, Part
    from scorebars.notes import Note
    from scorebars.sample import CodeArray, Cuts, TextArray
    from scorebars.scores import Scores

WORDED: Final = rf"^(.+?)[\s._\-/#:@(\[]+(?:{WORDS})s?[\s._\-#:=]*(\d+)[)\]]?$"
SUFFIX: Final = r"^(.+?)([._\-#/:@ ]\(?)(\d+)\)?$"
GLANCE: Final = 500
"""Ids that are looked at before all of them are."""
MOST_UNITS: Final = 20_000
"""Items up to which ``estimate`` and ``compare`` look; larger tables are left to ``doctor``, for the sake of time."""
COVERED: Final = 0.8
"""Share of the ids that must come in such groups."""
MOST_SETS: Final = 20
"""Different sets of ids that are looked at."""


def ids_noted(cuts: Cuts, scores: Scores) -> Cuts:
    """The cuts, with the notes on what the ids of a model's items give away: ``repeats-as-items``, ``summary-rows``.

    Raises:
        ScoresError: An item is the mean or sum of the others in every model.
    """
    parts = scores.parts
    sets = [] if cuts.numbered else _item_sets(cuts)
    listed = any(rows_that_sum_up(parts))
    few = (listed or not cuts.numbered) and all(_has_few(cut.sample.item) for cut in cuts.cuts)
    if not sets and not few:
        return cuts
    texts = cuts.item_keys[2]
    found = (_repeats(cuts, sets, texts), _summaries(cuts, texts, parts, listed=listed) if few else None)
    notes = tuple(replace(one, message=scores.in_words(one.message)) for one in found if one is not None)
    return replace(cuts, notes=(*cuts.notes, *notes)) if notes else cuts


def sums_up(labels: Iterable[object]) -> list[bool]:
    """Whether each item has the name of a statistic: 'Average', 'macro avg', '25%'."""
    return list(map(SUMS_SPELLED.__contains__, map(str.lower, map(str.strip, map(str, labels)))))


def rows_that_sum_up(parts: tuple[Part, ...]) -> Iterator[tuple[Listing, dict[tuple[str, str], str]]]:
    """Of unknown columns beside items without ids: the rows they call 'Total' and the like, (task, item) -> text."""
    for part in parts:
        for listing in part.listings:
            told = [text.rpartition(UNIT) for text in listing.places]
            names = [name for _, _, name in told]
            rows = zip(told, listing.places.values(), sums_up(names), strict=True)
            if found := {(task, place): name for (task, _, name), place, does in rows if does}:
                yield listing, found


def spelled_plainly(label: str) -> str:
    """Such a name as it is listed here."""
    return label.strip().lower().replace(" ", "_").replace("-", "_")


def _has_few(items: CodeArray) -> bool:
    """Whether the units up to the last of a model are few; they are sorted."""
    return int(items[-1]) < MOST_UNITS


def _summaries(cuts: Cuts, texts: TextArray, parts: tuple[Part, ...], *, listed: bool) -> Note | None:
    if not (listed or any(sums_up(texts.tolist()))) or any("score" not in c.sample.values for c in cuts.cuts):
        return None
    from scorebars.analysis.summed_up import summed_up

    found = summed_up([cuts], parts)
    if found is not None and found.proved:
        from scorebars.analysis.summed_up import refusal

        raise refusal(found, parts)
    return None if found is None else note("summary-rows", detail=found.message, remedy=found.remedy)


def _repeats(cuts: Cuts, sets: list[tuple[CodeArray, list[str]]], texts: TextArray) -> Note | None:
    n_models = len({cut.sample.model for cut in cuts.cuts})
    for items, models in sets:
        if not worth_a_look([str(text) for text in texts[items[:: step(len(items))]]]):
            continue
        from scorebars.analysis.id_families import by_group, families_of, suspicion, whose_of

        labels = list(dict.fromkeys(str(text) for text in texts[items].tolist()))
        families = families_of(labels)
        if families is not None:
            every = len(models) == n_models
            found = suspicion(families, len(labels), "" if every else whose_of(models), by_group(cuts), models)
            if found is not None:
                return note("repeats-as-items", detail=found.message, remedy=found.remedy)
    return None


def _item_sets(cuts: Cuts) -> list[tuple[CodeArray, list[str]]]:
    """(items, models) of each of the different sets of items that models have; none where it is too much or idle."""
    sets: list[tuple[CodeArray, list[str]]] = []
    for cut in cuts.cuts:
        sample = cut.sample
        if "score" not in sample.values or len(sample.item) > MOST_UNITS:
            return []
        if np.any(sample.item[1:] == sample.item[:-1]):  # its attempts are told apart
            continue
        alike = next((models for items, models in sets if np.array_equal(items, sample.item)), None)
        if alike is not None:
            alike.append(sample.model)
        elif len(sets) < MOST_SETS:
            sets.append((sample.item, [sample.model]))
    return sets


def step(n: int) -> int:
    """Every so many-th of n ids is looked at."""
    return max(1, n // GLANCE)


def worth_a_look(some: list[str], fewest: int = 3) -> bool:
    """Whether a selection of the ids leaves it open that they are repeats; of most tables it does not."""
    if dotted(some):
        return True
    if sum(not label.isalnum() for label in some) < COVERED * len(some):
        return False
    bases = {match[1] for label in some if (match := compiled(SUFFIX).match(label)) is not None}
    worded = any(compiled(WORDED).match(label) for label in some)
    return worded or len(bases) >= fewest  # 'q_1', 'q_2' … are one family


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """The pattern, in any case; compiled when it is first met."""
    return re.compile(pattern, re.IGNORECASE)


def dotted(labels: list[str]) -> bool:
    """Whether some of the first ids have a dot, as renamed headers do."""
    return any("." in label for label in labels[:GLANCE])
