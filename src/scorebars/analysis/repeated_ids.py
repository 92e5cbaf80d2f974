"""A glance at the ids of items, enough for most tables: may they be repeats of fewer items?

The note of ``estimate`` and ``compare`` begins here; what it and ``doctor`` say is in ``id_families``, which
is imported only where some ids leave it open.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np

from scorebars.notes import note

if TYPE_CHECKING:
    from scorebars.notes import Note
    from scorebars.sample import CodeArray, Cuts

WORDS: Final = (
    "run|rep|repeat|repetition|epoch|sample|attempt|trial|seed|try|iter|iteration|gen|generation|rollout|replica"
)
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


def repeats_noted(cuts: Cuts) -> Cuts:
    """The cuts, with the note ``repeats-as-items`` where the ids of a model's items look like repeats."""
    found = _noted(cuts)
    if found is None:
        return cuts
    return replace(cuts, notes=(*cuts.notes, found))


def _noted(cuts: Cuts) -> Note | None:
    sets = [] if cuts.numbered else _item_sets(cuts)
    if not sets:
        return None
    texts = cuts.item_keys[2]
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
