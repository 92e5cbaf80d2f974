"""From the command line's spelling of an estimator to the object."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from scorebars.errors import ArgumentError, near_miss
from scorebars.estimators import SPELLINGS
from scorebars.estimators.auroc import AUROC
from scorebars.estimators.difficulty_progress import DifficultyProgress
from scorebars.estimators.f1 import F1
from scorebars.estimators.iqm import IQM, Middle
from scorebars.estimators.mean import Mean
from scorebars.estimators.median import Median
from scorebars.estimators.optimality_gap import OptimalityGap
from scorebars.estimators.pass_at_k import PassAtK
from scorebars.estimators.pass_hat_k import PassHatK
from scorebars.estimators.precision import Precision
from scorebars.estimators.quantile import Quantile
from scorebars.estimators.ratio import Ratio
from scorebars.estimators.recall import Recall
from scorebars.estimators.spelling import no_argument, number, one_word, two_names, whole_number
from scorebars.estimators.superhuman import SuperhumanProbability
from scorebars.estimators.trimmed_mean import TrimmedMean

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from scorebars.contracts import Estimator

_LABELS: Final = ("label", "prediction")

_MAKERS: Final[Mapping[str, Callable[[str, str], Estimator]]] = {
    "mean": lambda name, argument: no_argument(name, argument, Mean),
    "iqm": lambda name, argument: IQM(Middle.HALF) if one_word(name, argument, "half") else IQM(),
    "median": lambda name, argument: Median(plain=one_word(name, argument, "plain")),
    "trimmed-mean": lambda name, argument: TrimmedMean(number(name, argument, "0.1")),
    "quantile": lambda name, argument: Quantile(number(name, argument, "0.9")),
    "optimality-gap": lambda name, argument: OptimalityGap(number(name, argument or "1", "2")),
    "superhuman": lambda name, argument: SuperhumanProbability(number(name, argument or "1", "2")),
    "difficulty-progress": lambda name, argument: DifficultyProgress(number(name, argument or "0.25", "0.5")),
    "ratio": lambda name, argument: Ratio(*two_names(name, argument, "/", ("cost", "resolved"))),
    "precision": lambda name, argument: Precision(*two_names(name, argument or "label,prediction", ",", _LABELS)),
    "recall": lambda name, argument: Recall(*two_names(name, argument or "label,prediction", ",", _LABELS)),
    "f1": lambda name, argument: F1(*two_names(name, argument or "label,prediction", ",", _LABELS)),
    "auroc": lambda name, argument: AUROC(*two_names(name, argument or "label,score", ",", ("label", "score"))),
}
"""What comes before the colon -> from it and what comes after to the estimator."""


def parse(text: str) -> Estimator:
    """The estimator that a spelling such as 'mean', 'pass@3', 'iqm' or 'quantile:0.9' means.

    Raises:
        ArgumentError: an unknown spelling, or a value that the estimator does not take.
    """
    for sign, family in (("@", PassAtK), ("^", PassHatK)):
        name, found, k = text.partition(sign)
        if found and name == "pass":
            return family(whole_number(text, k, f"pass{sign}3"))
    name, _, argument = text.partition(":")
    if name not in _MAKERS:
        raise ArgumentError(f"there is no estimator '{text}'{near_miss(text, SPELLINGS)}")
    return _MAKERS[name](name, argument)
