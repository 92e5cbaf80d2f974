"""Error bars for benchmark scores: how sure is a score, is A really better than B, and what does the interval mean.

Names are imported when they are first used, so that ``import scorebars`` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from scorebars.analysis.compare import compare
    from scorebars.analysis.compare_all import compare_all
    from scorebars.analysis.doctor import doctor
    from scorebars.analysis.efficiency import sample_efficiency
    from scorebars.analysis.estimate import estimate
    from scorebars.analysis.profile import performance_profile
    from scorebars.contracts import Side
    from scorebars.effects import (
        Decision,
        DecisionRule,
        Difference,
        OddsRatio,
        ProbabilityOfImprovement,
        ProbabilityOfOutperforming,
        RelativeDifference,
        Ties,
        noether_sample_size,
    )
    from scorebars.errors import (
        ArgumentError,
        MethodError,
        OutputError,
        ReadError,
        ScorebarsError,
        ScoresError,
    )
    from scorebars.estimators import (
        AUROC,
        F1,
        IQM,
        Custom,
        DifficultyProgress,
        Mean,
        Median,
        Middle,
        OfSums,
        OptimalityGap,
        PassAtK,
        PassHatK,
        Precision,
        Quantile,
        Ratio,
        Recall,
        SuperhumanProbability,
        TrimmedMean,
    )
    from scorebars.intervals import (
        AgrestiCoull,
        Auto,
        Basic,
        BCa,
        Beta,
        BiasCorrected,
        Blaker,
        BonettPrice,
        ClopperPearson,
        ClusterRobust,
        Draws,
        ExpandedPercentile,
        IndependentBeta,
        Jeffreys,
        MillerClustered,
        MOutOfN,
        Mover,
        Newcombe,
        Normal,
        OddsRatioScore,
        PairedBayes,
        PairedT,
        Percentile,
        RunNormal,
        Studentized,
        StudentT,
        Tango,
        Weights,
        WildCluster,
        Wilson,
    )
    from scorebars.notes import Note
    from scorebars.readers.in_python import read
    from scorebars.resample import Resample
    from scorebars.results import (
        Comparison,
        Comparisons,
        Diagnosis,
        Estimate,
        Estimates,
        Finding,
        Profile,
        Profiles,
        Severity,
    )
    from scorebars.scores import Scores
    from scorebars.significance import (
        ApproximateRandomization,
        McNemar,
        McNemarPower,
        SignFlip,
        SignTest,
        Wilcoxon,
        mcnemar_power,
        minimum_detectable_difference,
        paired_sample_size,
    )
    from scorebars.splits import OutOfBootstrap, biased_estimator_variance, ideal_estimator_variance
    from scorebars.textbook import (
        bootstrap_ci,
        metric_summary,
        paired_bootstrap,
        paired_bootstrap_ci,
        significant,
        stratified_bootstrap_ci,
    )

__all__ = [
    "AUROC",
    "F1",
    "IQM",
    "AgrestiCoull",
    "ApproximateRandomization",
    "ArgumentError",
    "Auto",
    "BCa",
    "Basic",
    "Beta",
    "BiasCorrected",
    "Blaker",
    "BonettPrice",
    "ClopperPearson",
    "ClusterRobust",
    "Comparison",
    "Comparisons",
    "Custom",
    "Decision",
    "DecisionRule",
    "Diagnosis",
    "Difference",
    "DifficultyProgress",
    "Draws",
    "Estimate",
    "Estimates",
    "ExpandedPercentile",
    "Finding",
    "IndependentBeta",
    "Jeffreys",
    "MOutOfN",
    "McNemar",
    "McNemarPower",
    "Mean",
    "Median",
    "MethodError",
    "Middle",
    "MillerClustered",
    "Mover",
    "Newcombe",
    "Normal",
    "Note",
    "OddsRatio",
    "OddsRatioScore",
    "OfSums",
    "OptimalityGap",
    "OutOfBootstrap",
    "OutputError",
    "PairedBayes",
    "PairedT",
    "PassAtK",
    "PassHatK",
    "Percentile",
    "Precision",
    "ProbabilityOfImprovement",
    "ProbabilityOfOutperforming",
    "Profile",
    "Profiles",
    "Quantile",
    "Ratio",
    "ReadError",
    "Recall",
    "RelativeDifference",
    "Resample",
    "RunNormal",
    "ScorebarsError",
    "Scores",
    "ScoresError",
    "Severity",
    "Side",
    "SignFlip",
    "SignTest",
    "StudentT",
    "Studentized",
    "SuperhumanProbability",
    "Tango",
    "Ties",
    "TrimmedMean",
    "Weights",
    "Wilcoxon",
    "WildCluster",
    "Wilson",
    "biased_estimator_variance",
    "bootstrap_ci",
    "compare",
    "compare_all",
    "doctor",
    "estimate",
    "ideal_estimator_variance",
    "mcnemar_power",
    "metric_summary",
    "minimum_detectable_difference",
    "noether_sample_size",
    "paired_bootstrap",
    "paired_bootstrap_ci",
    "paired_sample_size",
    "performance_profile",
    "read",
    "sample_efficiency",
    "significant",
    "stratified_bootstrap_ci",
]

_HOMES: Final = {
    "scorebars.analysis.compare": ("compare",),
    "scorebars.analysis.compare_all": ("compare_all",),
    "scorebars.analysis.doctor": ("doctor",),
    "scorebars.analysis.efficiency": ("sample_efficiency",),
    "scorebars.analysis.estimate": ("estimate",),
    "scorebars.analysis.profile": ("performance_profile",),
    "scorebars.contracts": ("Side",),
    "scorebars.effects": (
        "Decision",
        "DecisionRule",
        "Difference",
        "OddsRatio",
        "ProbabilityOfImprovement",
        "ProbabilityOfOutperforming",
        "RelativeDifference",
        "Ties",
        "noether_sample_size",
    ),
    "scorebars.errors": (
        "ArgumentError",
        "MethodError",
        "OutputError",
        "ReadError",
        "ScorebarsError",
        "ScoresError",
    ),
    "scorebars.estimators": (
        "AUROC",
        "F1",
        "Custom",
        "Precision",
        "Ratio",
        "Recall",
        "IQM",
        "DifficultyProgress",
        "Mean",
        "Median",
        "Middle",
        "OfSums",
        "OptimalityGap",
        "PassAtK",
        "PassHatK",
        "Quantile",
        "SuperhumanProbability",
        "TrimmedMean",
    ),
    "scorebars.intervals": (
        "AgrestiCoull",
        "Auto",
        "Basic",
        "BCa",
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
        "MillerClustered",
        "MOutOfN",
        "Mover",
        "Newcombe",
        "Normal",
        "OddsRatioScore",
        "PairedBayes",
        "PairedT",
        "Percentile",
        "RunNormal",
        "Studentized",
        "StudentT",
        "Tango",
        "Weights",
        "WildCluster",
        "Wilson",
    ),
    "scorebars.notes": ("Note",),
    "scorebars.readers.in_python": ("read",),
    "scorebars.resample": ("Resample",),
    "scorebars.results": (
        "Comparison",
        "Comparisons",
        "Diagnosis",
        "Estimate",
        "Estimates",
        "Finding",
        "Profile",
        "Profiles",
        "Severity",
    ),
    "scorebars.scores": ("Scores",),
    "scorebars.significance": (
        "ApproximateRandomization",
        "McNemar",
        "McNemarPower",
        "SignFlip",
        "SignTest",
        "Wilcoxon",
        "mcnemar_power",
        "minimum_detectable_difference",
        "paired_sample_size",
    ),
    "scorebars.splits": ("OutOfBootstrap", "biased_estimator_variance", "ideal_estimator_variance"),
    "scorebars.textbook": (
        "bootstrap_ci",
        "metric_summary",
        "paired_bootstrap",
        "paired_bootstrap_ci",
        "significant",
        "stratified_bootstrap_ci",
    ),
}
"""Module -> the public names that live in it."""

_HOME_OF: Final = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    """Import a public name from its home; see PEP 562."""
    if name == "__version__":
        return _version()
    if name not in _HOME_OF:
        raise AttributeError(f"module 'scorebars' has no attribute '{name}'")
    value = getattr(import_module(_HOME_OF[name]), name)
    globals()[name] = value  # the next look-up does not come here
    return value


def __dir__() -> list[str]:
    return sorted({*_HOME_OF, "__version__"})


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("scorebars")
    except PackageNotFoundError:
        return "0+unknown"  # imported from a source tree that was never installed
