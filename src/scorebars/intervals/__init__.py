"""Interval methods, one a file. This is the family's list: spelling on the command line -> class.

Adding a method is one file and one line here. Nothing is imported until a class is asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from scorebars.errors import MethodError, near_miss

if TYPE_CHECKING:
    from scorebars.intervals.agresti_coull import AgrestiCoull
    from scorebars.intervals.auto import Auto
    from scorebars.intervals.basic import Basic
    from scorebars.intervals.bca import BCa
    from scorebars.intervals.beta import Beta
    from scorebars.intervals.bias_corrected import BiasCorrected
    from scorebars.intervals.blaker import Blaker
    from scorebars.intervals.bonett_price import BonettPrice
    from scorebars.intervals.clopper_pearson import ClopperPearson
    from scorebars.intervals.cluster_robust import ClusterRobust
    from scorebars.intervals.expanded_percentile import ExpandedPercentile
    from scorebars.intervals.independent_beta import IndependentBeta
    from scorebars.intervals.inversion import p_value
    from scorebars.intervals.jeffreys import Jeffreys
    from scorebars.intervals.m_out_of_n import MOutOfN
    from scorebars.intervals.miller_clustered import MillerClustered
    from scorebars.intervals.mover import Mover
    from scorebars.intervals.newcombe import Newcombe
    from scorebars.intervals.normal import Normal
    from scorebars.intervals.odds_ratio_score import OddsRatioScore
    from scorebars.intervals.paired_bayes import PairedBayes
    from scorebars.intervals.paired_t import PairedT
    from scorebars.intervals.percentile import Draws, Percentile
    from scorebars.intervals.run_normal import RunNormal
    from scorebars.intervals.sandwich import Kind
    from scorebars.intervals.student_t import StudentT
    from scorebars.intervals.studentized import Studentized, share_without_spread
    from scorebars.intervals.tango import Tango
    from scorebars.intervals.wild_cluster import Weights, WildCluster
    from scorebars.intervals.wilson import Wilson

__all__ = [
    "INTERVALS",
    "AgrestiCoull",
    "Auto",
    "BCa",
    "Basic",
    "Beta",
    "BiasCorrected",
    "Blaker",
    "BonettPrice",
    "ClopperPearson",
    "ClusterRobust",
    "Draws",
    "ExpandedPercentile",
    "IndependentBeta",
    "Jeffreys",
    "Kind",
    "MOutOfN",
    "MillerClustered",
    "Mover",
    "Newcombe",
    "Normal",
    "OddsRatioScore",
    "PairedBayes",
    "PairedT",
    "Percentile",
    "RunNormal",
    "StudentT",
    "Studentized",
    "Tango",
    "Weights",
    "WildCluster",
    "Wilson",
    "interval_named",
    "p_value",
    "share_without_spread",
]

INTERVALS: Final[dict[str, str]] = {
    "auto": "auto:Auto",
    "percentile": "percentile:Percentile",
    "blaker": "blaker:Blaker",
    "wilson": "wilson:Wilson",
    "agresti-coull": "agresti_coull:AgrestiCoull",
    "clopper-pearson": "clopper_pearson:ClopperPearson",
    "jeffreys": "jeffreys:Jeffreys",
    "beta": "beta:Beta",
    "student-t": "student_t:StudentT",
    "normal": "normal:Normal",
    "cluster-robust": "cluster_robust:ClusterRobust",
    "paired-t": "paired_t:PairedT",
    "tango": "tango:Tango",
    "newcombe": "newcombe:Newcombe",
    "odds-ratio-score": "odds_ratio_score:OddsRatioScore",
    "mover": "mover:Mover",
    "run-normal": "run_normal:RunNormal",
    "basic": "basic:Basic",
    "bias-corrected": "bias_corrected:BiasCorrected",
    "bca": "bca:BCa",
    "expanded-percentile": "expanded_percentile:ExpandedPercentile",
    "bonett-price": "bonett_price:BonettPrice",
    "miller": "miller_clustered:MillerClustered",
    "independent-beta": "independent_beta:IndependentBeta",
    "studentized": "studentized:Studentized",
    "m-out-of-n": "m_out_of_n:MOutOfN",
    "wild-cluster": "wild_cluster:WildCluster",
    "paired-bayes": "paired_bayes:PairedBayes",
}
"""Spelling -> "module:class" within this package, in the order in which help lists them."""

_OTHERS: Final[dict[str, str]] = {
    "Weights": "wild_cluster:Weights",
    "Draws": "percentile:Draws",
    "Kind": "sandwich:Kind",
    "p_value": "inversion:p_value",
    "share_without_spread": "studentized:share_without_spread",
}
_PLACES: Final[dict[str, str]] = {place.partition(":")[2]: place for place in INTERVALS.values()} | _OTHERS


def interval_named(spelling: str) -> type[Any]:
    """The class with this spelling ('clopper-pearson'); a MethodError with the near miss if there is none."""
    if spelling not in INTERVALS:
        raise MethodError(f"no interval method '{spelling}'{near_miss(spelling, INTERVALS, limit=len(INTERVALS))}")
    method: type[Any] = _load(INTERVALS[spelling])
    return method


def _load(place: str) -> Any:
    module, _, name = place.partition(":")
    return getattr(import_module(f"{__name__}.{module}"), name)


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    found = globals()[name] = _load(_PLACES[name])  # the next time it is there
    return found
