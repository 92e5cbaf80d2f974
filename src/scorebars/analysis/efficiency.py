"""How does the score grow with the number of steps? (the sample-efficiency curves of Agarwal et al. 2021, Fig. 7)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scorebars.analysis.estimate import estimate
from scorebars.errors import ScoresError
from scorebars.results import Estimates

if TYPE_CHECKING:
    from scorebars.results import Estimate
    from scorebars.scores import Scores


def sample_efficiency(scores: Scores, **options: Any) -> Estimates:
    """The score of every model at each number of steps, each with its interval: one row a model and step.

    The variant of a score is its step: ``sb.Scores(frame, variant="step", …)``. Every step is an estimate of its own,
    with a pointwise interval; steps share their runs, so that neighbours move together.

    Args:
        scores: a score table whose variants are numbers of steps.
        options: as for ``estimate`` (estimator, resample, interval, level, side, rng).

    Returns:
        The estimates, by model and then by step as a number ('20000' before '100000').

    Raises:
        ScoresError: there are no variants, or one is not a number.

    Example:
        >>> import scorebars as sb
        >>> frame = {"model": ["A"] * 4, "item": ["1", "2"] * 2, "score": [1, 1, 1, 0]}
        >>> frame["step"] = ["100", "100", "20", "20"]
        >>> curve = sb.sample_efficiency(sb.Scores(frame, variant="step"))
        >>> [(dict(row.group)["variant"], row.value) for row in curve]
        [('20', 0.5), ('100', 1.0)]
    """
    if not scores.variants:
        raise ScoresError("there is no step: say which column counts the steps, Scores(frame, variant='step')")
    for name in scores.variants:
        _step(name)
    found = estimate(scores, by="variant", **options)
    rows = sorted(found, key=lambda row: (row.model, _step(_variant(row))))
    return Estimates(tuple(rows), found.notes)


def _variant(row: Estimate) -> str:
    return dict(row.group)["variant"]


def _step(name: str) -> float:
    try:
        return float(name)
    except ValueError:
        raise ScoresError(f"the variant '{name}' is not a number of steps; keep those that are, or rename it") from None
