"""One result under two names: two files with the same bytes, two models with the same scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from scorebars.analysis.checks.evidence import named
from scorebars.engines.same_bytes import same_bytes
from scorebars.results.diagnosis import Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorebars.analysis.checks.evidence import Evidence, Model, Slice

FEWEST: Final = 10
"""Items that must differ from the commonest score before equal scores are no chance."""


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
        where = evidence.where(one)
        for names in _same_scores(one):
            yield Finding(
                "identical-files",
                Severity.CHANGES,
                f"the models {named(names)} are the same, score for score",
                "check that they are different results; one result given twice counts twice in every ranking",
                where,
                {"models": names},
            )


def _same_scores(one: Slice) -> Iterator[list[str]]:
    """Models whose attempts all agree, where that is no chance."""
    groups: dict[bytes, list[str]] = {}
    for model in one.models:
        if _telling(model):
            sample = model.sample
            key = b"".join(np.ascontiguousarray(each).tobytes() for each in (sample.item, sample.run, sample.score))
            groups.setdefault(key, []).append(model.name)
    yield from (names for names in groups.values() if len(names) > 1)


def _telling(model: Model) -> bool:
    """Whether so many items differ from the commonest score that two models would hardly agree on all of them."""
    common = np.unique(model.values, return_counts=True)[1].max()
    return len(model.values) - int(common) >= FEWEST
