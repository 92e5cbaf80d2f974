"""The protocols. Start here to add an estimator, an effect, an interval, a test or a reader.

The families: ``estimators/`` (:class:`Estimator`), ``effects/`` (:class:`Effect`), ``intervals/`` (:class:`Interval`),
``significance/`` (:class:`SignificanceTest`), ``readers/`` (:class:`Reader`). Each family's ``__init__`` lists its
members by the spelling used on the command line.
"""

from scorebars.contracts.effects import (
    CountedEffect,
    Deciding,
    DrawnEffect,
    Effect,
    PairEffect,
    PartialEffect,
    RatioEffect,
    Reading,
    ValueEffect,
)
from scorebars.contracts.estimators import (
    CountedStatistic,
    Estimator,
    ItemMean,
    PartialStatistic,
    Statistic,
    SumRatio,
)
from scorebars.contracts.files import (
    FileHead,
    Listing,
    Part,
    Reader,
    ReadOptions,
    Request,
    Settings,
    SettingsOf,
    renamed,
    with_models,
)
from scorebars.contracts.problems import (
    Bounds,
    Distribution,
    How,
    Interval,
    Problem,
    Range,
    Side,
    SignificanceTest,
    Units,
)

__all__ = [
    "Bounds",
    "CountedEffect",
    "CountedStatistic",
    "Deciding",
    "Distribution",
    "DrawnEffect",
    "Effect",
    "Estimator",
    "FileHead",
    "How",
    "Interval",
    "ItemMean",
    "Listing",
    "PairEffect",
    "Part",
    "PartialEffect",
    "PartialStatistic",
    "Problem",
    "Range",
    "RatioEffect",
    "ReadOptions",
    "Reader",
    "Reading",
    "Request",
    "Settings",
    "SettingsOf",
    "Side",
    "SignificanceTest",
    "Statistic",
    "SumRatio",
    "Units",
    "ValueEffect",
    "renamed",
    "with_models",
]
