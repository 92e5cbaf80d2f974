"""The family of estimators: one number from one sample. One file a method; nothing is imported until it is asked for.

Adding one is one file and one line in ``SPELLINGS``; how its value is spelt on the command line stands in
``parsing.py``.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from scorebars.estimators.auroc import AUROC
    from scorebars.estimators.custom import Custom
    from scorebars.estimators.difficulty_progress import DifficultyProgress
    from scorebars.estimators.f1 import F1
    from scorebars.estimators.iqm import IQM, Middle
    from scorebars.estimators.mean import Mean
    from scorebars.estimators.median import Median
    from scorebars.estimators.of_sums import OfSums
    from scorebars.estimators.optimality_gap import OptimalityGap
    from scorebars.estimators.parsing import parse
    from scorebars.estimators.pass_at_k import PassAtK
    from scorebars.estimators.pass_hat_k import PassHatK
    from scorebars.estimators.precision import Precision
    from scorebars.estimators.quantile import Quantile
    from scorebars.estimators.ratio import Ratio
    from scorebars.estimators.recall import Recall
    from scorebars.estimators.superhuman import SuperhumanProbability
    from scorebars.estimators.trimmed_mean import TrimmedMean

__all__ = [
    "AUROC",
    "F1",
    "IQM",
    "SPELLINGS",
    "Custom",
    "DifficultyProgress",
    "Mean",
    "Median",
    "Middle",
    "OfSums",
    "OptimalityGap",
    "PassAtK",
    "PassHatK",
    "Precision",
    "Quantile",
    "Ratio",
    "Recall",
    "SuperhumanProbability",
    "TrimmedMean",
    "parse",
]

SPELLINGS: Final[dict[str, str]] = {
    "mean": "mean:Mean",
    "pass@K": "pass_at_k:PassAtK",
    "pass^K": "pass_hat_k:PassHatK",
    "iqm": "iqm:IQM",
    "median": "median:Median",
    "trimmed-mean:P": "trimmed_mean:TrimmedMean",
    "quantile:Q": "quantile:Quantile",
    "optimality-gap": "optimality_gap:OptimalityGap",
    "superhuman": "superhuman:SuperhumanProbability",
    "difficulty-progress": "difficulty_progress:DifficultyProgress",
    "ratio:NUMERATOR/DENOMINATOR": "ratio:Ratio",
    "precision": "precision:Precision",
    "recall": "recall:Recall",
    "f1": "f1:F1",
    "auroc": "auroc:AUROC",
}
"""Command line spelling of each estimator -> "module:class" in this package.

A capital stands for a value, which comes after a colon (iqm:half). Where a spelling shows none, there is a default:
optimality-gap:2, superhuman:0.5, difficulty-progress:0.5, f1:LABEL,PREDICTION, auroc:LABEL,SCORE.
"""

_OTHERS: Final = {
    "Custom": "custom:Custom",
    "Middle": "iqm:Middle",
    "OfSums": "of_sums:OfSums",
    "parse": "parsing:parse",
}
_PLACES: Final = {place.partition(":")[2]: place for place in SPELLINGS.values()} | _OTHERS


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    module, _, attribute = _PLACES[name].partition(":")
    return getattr(import_module(f"{__name__}.{module}"), attribute)
