"""Errors: one base class, one subclass a family; each message shows the value, the rule, the near miss, the remedy."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


class ScorebarsError(Exception):
    """Base of every error that scorebars raises on purpose. The command line prints it as one line, exit code 2."""


class ArgumentError(ScorebarsError, ValueError):
    """An argument is outside its rule (a level of 1.5, an unknown level name, n = 0)."""


class ReadError(ScorebarsError, ValueError):
    """A file cannot be read as scores: missing, truncated, not the format it claims, nothing known in it."""


class ScoresError(ScorebarsError, ValueError):
    """The rows are readable but do not form one score table: conflicts, mixed scales, a choice that is not made."""


class MethodError(ScorebarsError, ValueError):
    """An interval, estimator, effect or resampling cannot serve this problem; the message says which can."""


class UndefinedError(MethodError):
    """A statistic or an effect does not exist for some resample, so that it has no bootstrap interval."""


class OutputError(ScorebarsError, OSError):
    """A result cannot be written: the file exists, the folder does not, the disk is full."""


def near_miss(value: str, known: Iterable[str], *, limit: int = 12) -> str:
    """The phrase "; did you mean 'model'?" for the closest known name, or the list of names where none is close."""
    names = [str(name) for name in known]
    lowered = {name.lower(): name for name in names}
    from difflib import get_close_matches

    close = get_close_matches(value.lower(), list(lowered), n=1, cutoff=0.6)
    if close:
        return f"; did you mean '{lowered[close[0]]}'?"
    if not names:
        return ""
    shown = ", ".join(f"'{name}'" for name in names[:limit])
    more = f" and {len(names) - limit} more" if len(names) > limit else ""
    return f"; known: {shown}{more}"
