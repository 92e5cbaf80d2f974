"""Attempts without a score: how many of each model, and what counting them wrong or dropping them makes of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from scorebars.analysis.checks.evidence import NAMES, swaps
from scorebars.results.diagnosis import Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorebars.analysis.checks.evidence import Evidence, Model, Slice

CODES = ("error-rows", "missing-scores")
"""The notes of the samples that say so."""

_REMEDY: Final = "choose with --on-error wrong|drop, say which, and report both where they differ"
_WITHOUT_RANGE: Final = (
    "say that they were dropped (--on-error drop); how much they would cost as wrong can be told where the range of "
    "the scores is given (--range LOW,HIGH)"
)


@dataclass(frozen=True, slots=True)
class _Rates:
    """One model's mean under either policy."""

    model: Model
    wrong: float
    dropped: float
    n_errors: int


def missing_scores(evidence: Evidence) -> Iterator[Finding]:
    """One finding a slice, with the model that it concerns most; grave where the choice moves a conclusion."""
    for one in evidence.slices:
        rates = [_rates(model) for model in one.models]
        touched = [each for each in rates if each.model.n_missing]
        if touched:
            yield _finding(one, rates, touched, evidence.where(one))


def _rates(model: Model) -> _Rates:
    said = [note for note in model.cut.notes if note.code in CODES]
    errors = sum(int(str(note.data["n"])) for note in said if note.code == "error-rows")
    if not said:
        return _Rates(model, model.mean, model.mean, 0)
    wrong, dropped = (float(str(said[0].data[name])) for name in ("if_wrong", "if_dropped"))
    return _Rates(model, wrong, dropped, errors)


def _finding(one: Slice, rates: list[_Rates], touched: list[_Rates], where: tuple[str, ...]) -> Finding:
    most = max(touched, key=_share)
    wrong, dropped = (np.array([getattr(each, name) for each in rates]) for name in ("wrong", "dropped"))
    changed = swaps(dropped, wrong) if np.isfinite(wrong).all() else []
    moved = any(abs(each.wrong - each.dropped) > each.model.error for each in touched)
    others = sorted((each for each in touched if each is not most), key=_share, reverse=True)
    message = "; ".join([_message(most), *map(_short, others[: NAMES - 1])])
    if len(others) >= NAMES:
        message += f"; {len(others) - NAMES + 1:,} more have such attempts"
    if changed:
        better, worse = max(changed, key=lambda pair: dropped[pair[0]] - dropped[pair[1]])
        message += (
            f"; the choice reverses {_pairs(len(changed))}, such as '{one.models[better].name}' and "
            f"'{one.models[worse].name}'"
        )
    return Finding(
        "error-rows" if any(each.n_errors for each in touched) else "missing-scores",
        Severity.CHANGES if changed or moved else Severity.KNOW,
        message,
        _REMEDY if np.isfinite(wrong).all() else _WITHOUT_RANGE,
        where,
        {
            each.model.name: {"missing": each.model.n_missing, "if_wrong": each.wrong, "if_dropped": each.dropped}
            for each in touched
        },
    )


def _share(each: _Rates) -> float:
    return each.model.n_missing / each.model.n_total


def _short(each: _Rates) -> str:
    """The same of a further model: "'b' 3 of 225: 10.0 % or 10.1 %"."""
    model = each.model
    counted = "unknown" if np.isnan(each.wrong) else model.shown(each.wrong)
    return f"'{model.name}' {model.n_missing:,} of {model.n_total:,}: {counted} or {model.shown(each.dropped)}"


def _pairs(n: int) -> str:
    return "the order of two models" if n == 1 else f"{n:,} pairs of models"


def _message(each: _Rates) -> str:
    model, total = each.model, each.model.n_total
    how = "without a score" if not each.n_errors else "that ended in an error without a score"
    if 0 < each.n_errors < model.n_missing:
        how = f"without a score ({each.n_errors:,} ended in an error)"
    counted = "unknown" if np.isnan(each.wrong) else model.shown(each.wrong)
    return (
        f"'{model.name}' has {model.n_missing:,} of {total:,} attempts ({100 * model.n_missing / total:.1f} %) {how}: "
        f"{counted} if they count as wrong, {model.shown(each.dropped)} if dropped"
    )
