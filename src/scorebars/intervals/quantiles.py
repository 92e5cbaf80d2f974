"""Deviates of the normal, t and Beta distributions, by tail area.

Everything is asked for by the *tail*, never by the level: 1 − 1e-17 is 1.0 in floating point, 1e-17 is not.
``scipy.special`` is imported only where a t or Beta quantile is needed.
"""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from statistics import NormalDist

_T_IS_NORMAL = 1e9
"""From this many degrees of freedom on, t and z differ by less than 1e-8."""


def normal_deviate(tail: float) -> float:
    """The z with P(Z > z) = ``tail``; infinite where ``tail`` is 0 (no such bound)."""
    return math.inf if tail <= 0.0 else -_normal().inv_cdf(tail)


@cache
def _normal() -> NormalDist:
    """The standard normal; its module brings fractions and decimals, which most starts can do without."""
    from statistics import NormalDist

    return NormalDist()


def normal_tail(deviate: float) -> float:
    """P(Z > ``deviate``), accurate far out."""
    return 0.5 * math.erfc(deviate / math.sqrt(2.0))


def t_deviate(tail: float, degrees: float) -> float:
    """The t with P(T > t) = ``tail`` at ``degrees`` (any positive real number) of freedom."""
    if tail <= 0.0:
        return math.inf
    if degrees >= _T_IS_NORMAL:
        return normal_deviate(tail)
    from scipy.special import stdtrit

    return -float(stdtrit(degrees, tail))


def t_tail(deviate: float, degrees: float) -> float:
    """P(T > ``deviate``) at ``degrees`` of freedom."""
    if degrees >= _T_IS_NORMAL:
        return normal_tail(deviate)
    from scipy.special import stdtr

    return float(stdtr(degrees, -deviate))


def beta_quantile(p: float, a: float, b: float) -> float:
    """The x with P(X ≤ x) = ``p`` for X ~ Beta(a, b)."""
    from scipy.special import betaincinv

    return float(betaincinv(a, b, p))
