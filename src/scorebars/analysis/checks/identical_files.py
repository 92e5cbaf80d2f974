"""One result under two names: two files with the same bytes, two models with the same scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from scorebars.analysis.checks.evidence import named
from scorebars.engines.same_bytes import same_bytes
from scorebars.results.diagnosis import Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scorebars.analysis.checks.evidence import Evidence, Model, Slice

FEWEST: Final = 10
"""Items that must differ from the commonest score before equal scores are looked at."""
RARE: Final = 1e-3
"""Below so many expected coincidences equal scores are no chance."""
EXPECTED: Final = 1.0
"""From so many on nothing is said, unless there are few models."""
FEW_MODELS: Final = 5
LEAST: Final = 0.75
"""Share of 0/1 attempts on which two models agree, at least: what is hard for one is hard for the other."""
UNKNOWN: Final = 0.9
"""The same where there is no third model to see it from."""
GRADES: Final = 10
"""More different scores than these are no grades, on which two models agree by chance."""
MOST_OTHERS: Final = 60


def identical_files(evidence: Evidence) -> Iterator[Finding]:
    """Groups of files that are the same byte for byte, and of models that are the same score for score."""
    paths = [str(part.path) for part in evidence.parts] + [file.path for file in evidence.unread]
    for group in same_bytes(paths):
        yield Finding(
            "identical-files",
            Severity.CHANGES,
            f"{len(group)} files are the same, byte for byte: {', '.join(group)}",
            "find out whose result it is, fetch the others again, and leave the copies out",
            data={"paths": list(group)},
        )
    for one in evidence.slices:
        yield from _same_scores(one, evidence.where(one))


def _same_scores(one: Slice, where: tuple[str, ...]) -> Iterator[Finding]:
    """Models whose attempts all agree: grave where that is no chance, silent where it is to be expected."""
    groups: dict[bytes, list[Model]] = {}
    for model in one.models:
        if _telling(model):
            sample = model.sample
            key = b"".join(np.ascontiguousarray(each).tobytes() for each in (sample.item, sample.run, sample.score))
            groups.setdefault(key, []).append(model)
    for alike in groups.values():
        chance = _coincidences(alike[0], one.models) if len(alike) > 1 else np.inf
        if chance < EXPECTED or (len(alike) > 1 and len(one.models) <= FEW_MODELS):
            names = [model.name for model in alike]
            grave = chance < RARE
            yield Finding(
                "identical-files",
                Severity.CHANGES if grave else Severity.KNOW,
                f"the models {named(names)} are the same, score for score"
                + ("" if grave else ", which models as alike as these may be by chance"),
                "check that they are different results; one result given twice counts twice in every ranking",
                where,
                {"models": names, "chance": chance},
            )


def _telling(model: Model) -> bool:
    """Whether so many items differ from the commonest score that two models would hardly agree on all of them."""
    common = np.unique(model.values, return_counts=True)[1].max()
    return len(model.values) - int(common) >= FEWEST


def _coincidences(model: Model, models: Sequence[Model]) -> float:
    """How many pairs of models would agree throughout by chance, from how often this one agrees with the others."""
    own = model.sample
    agreed = [
        float(np.mean(other.sample.score == own.score))
        for other in models[:MOST_OTHERS]
        if other.sample.n_attempts == own.n_attempts
        and np.array_equal(other.sample.item, own.item)
        and np.array_equal(other.sample.run, own.run)
    ]
    others = [share for share in agreed if share < 1.0]
    graded = len(np.unique(own.score)) > GRADES
    usual = float(np.mean(others)) if others else (0.5 if graded else UNKNOWN)
    n_pairs = len(models) * (len(models) - 1) // 2
    return float(n_pairs * max(usual, 0.0 if graded else LEAST) ** own.n_attempts)
