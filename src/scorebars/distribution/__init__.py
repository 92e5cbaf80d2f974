"""Bootstrap distributions: computed from a law wherever that is possible, and Monte Carlo replicates.

:func:`compute` takes the law of a mean (``kernels.law``), :func:`ratio` sums and sizes of units, :func:`combine`
distributions of independent parts; none of them needs random numbers. :class:`MonteCarlo` holds drawn replicates.

    >>> from scorebars.kernels.law import redrawn
    >>> d = compute(redrawn([1, 1, 1, 0, 1, 1, 0, 1, 1, 1]))
    >>> d.step, d.quantile(0.025), d.quantile(0.975, upper=True)
    ('binomial', 0.5, 1.0)
"""

from scorebars.distribution.discrete import Discrete, point
from scorebars.distribution.mirrored import Mirrored
from scorebars.distribution.monte_carlo import MonteCarlo
from scorebars.distribution.partly_listed import PartlyListed
from scorebars.distribution.ratio_mean import RatioMean, ratio
from scorebars.distribution.smooth import Smooth
from scorebars.distribution.steps import compute
from scorebars.distribution.sums import combine
from scorebars.distribution.two_point import TwoPoint, binomial_mean

__all__ = [
    "Discrete",
    "Mirrored",
    "MonteCarlo",
    "PartlyListed",
    "RatioMean",
    "Smooth",
    "TwoPoint",
    "binomial_mean",
    "combine",
    "compute",
    "point",
    "ratio",
]
