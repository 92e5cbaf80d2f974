"""From what people type to the objects that the verbs take. Strings end here."""

from __future__ import annotations

import dataclasses
import math
from pathlib import Path
from typing import TYPE_CHECKING

from scorebars.cli import guesses
from scorebars.errors import ArgumentError, near_miss

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from scorebars.contracts import Effect, Estimator, Interval, Side, SignificanceTest
    from scorebars.resample import Resample


def estimator(text: str | None) -> Estimator | None:
    """'mean', 'pass@3', 'pass^3'; None leaves it to the verb."""
    if text is None:
        return None
    from scorebars.estimators import parse

    return parse(text)


def effect(text: str | None) -> Effect | None:
    """'relative', 'outperforming'; None leaves it to the verb."""
    if text is None:
        return None
    from scorebars.effects import effect_named

    return effect_named(text)


def test(text: str | None) -> SignificanceTest | None:
    """'mcnemar', 'sign-flip'; None leaves the p-value to the interval."""
    if text is None:
        return None
    from scorebars.significance import test_named

    return test_named(text)


def resample(text: str | None, *, paired: bool) -> Resample | None:
    """'item', 'item,run'; ``paired`` alone means the runs."""
    if text is None and not paired:
        return None
    from scorebars.resample import Resample

    return Resample(*(part.strip() for part in ("run" if text is None else text).split(",")), paired=paired)


def interval(name: str | None, n_boot: int | None) -> Interval | None:
    """The interval of this name, drawn with ``n_boot`` resamples where that is asked for."""
    if name is None and n_boot is None:
        return None
    from scorebars.intervals import interval_named

    spelling = (name or "auto").lower()
    if spelling in guesses.INTERVALS:
        raise ArgumentError(f"no interval method '{name}'; did you mean '{guesses.INTERVALS[spelling]}'?")
    family = interval_named(spelling)
    if n_boot is None:
        made: Interval = family()
        return made
    if "n_boot" not in {field.name for field in dataclasses.fields(family)}:
        own = "chooses their number itself where it draws any" if spelling == "auto" else "draws no resamples"
        raise ArgumentError(
            f"--n-boot {n_boot}: '{spelling}' {own}; with --n-boot name a method that draws "
            "(--interval percentile, --interval studentized)"
        )
    drawn: Interval = family(n_boot=n_boot)
    return drawn


def side(text: str) -> Side:
    """'two', 'lower', 'upper'."""
    from scorebars.contracts import Side

    return Side(text)


def level(text: str | None) -> dict[str, float]:
    """'0.95' or '95%' as a keyword, which is left out where it was not given."""
    if text is None:
        return {}
    number, found, _ = text.partition("%")
    try:
        return {"level": float(number) / (100.0 if found else 1.0)}
    except ValueError:
        raise ArgumentError(f"--level {text}: give a confidence level such as 0.95 or 95%") from None


def score_range(text: str | None) -> tuple[float, float] | None:
    """'1,10' as (1.0, 10.0)."""
    if text is None:
        return None
    try:
        low, high = (float(part) for part in text.split(","))
    except ValueError:
        raise ArgumentError(f"--range {text}: give the lowest and highest possible score, as in --range 1,10") from None
    return low, high


def columns(texts: Iterable[str]) -> dict[str, str] | None:
    """'item=qid,model=agent+model' as a mapping from roles to columns."""
    mapping: dict[str, str] = {}
    for part in (part for text in texts for part in text.split(",") if part.strip()):
        role, found, column = (piece.strip() for piece in part.partition("="))
        if not (role and found and column):
            raise ArgumentError(f"--map {part}: say which column is what, as in --map item=qid,model=agent+model")
        if role in mapping:
            from scorebars.engines.headers import mapped

            joined = mapped({role: f"{mapping[role]}+{column}"})
            raise ArgumentError(f"--map gives '{role}' two columns; join them: {joined}")
        mapping[role] = column
    return mapping or None


def categories(texts: Iterable[str]) -> dict[str, float] | None:
    """'partial=0.5' as a mapping from words to numbers; several may stand in one text."""
    numbers: dict[str, float] = {}
    for part in (part for text in texts for part in text.split(",") if part.strip()):
        word, found, number = (piece.strip() for piece in part.rpartition("="))
        try:
            value = float(number)
        except ValueError:
            value = math.nan
        if not (word and found) or not math.isfinite(value):
            raise ArgumentError(f"--category {part}: give a word and its number, as in --category partial=0.5")
        if numbers.setdefault(word, value) != value:
            raise ArgumentError(f"--category gives '{word}' two numbers, {numbers[word]:g} and {value:g}")
    return numbers or None


def paths(given: Sequence[str], labelled: Iterable[str]) -> tuple[str, ...]:
    """The paths, and after them those files that a label alone names ('short=a.csv'), and that are in no folder."""
    named = [path for _, found, path in (text.partition("=") for text in labelled) if found]
    if not named:
        return tuple(given)
    from scorebars.readers.arguments import is_among

    return (*given, *dict.fromkeys(path for path in named if not is_among(path, given) and _is_there(path)))


def _is_below(path: str, paths: Sequence[str]) -> bool:
    from scorebars.readers.arguments import is_below

    return is_below(path, paths)


def _is_there(path: str) -> bool:
    """Whether a file is there, or one that the sheet or table after '#' may be in."""
    return Path(path).exists() or ("#" in path and Path(path.rpartition("#")[0]).is_file())


def labels_of(named: Mapping[str, str], paths: Sequence[str]) -> dict[str, str]:
    """The labels of these paths, and of files in them."""
    if not named:
        return {}
    from scorebars.readers.arguments import is_among

    return {name: path for name, path in named.items() if is_among(path, paths)}


def labels(texts: Iterable[str], paths: Sequence[str]) -> dict[str, str]:
    """'base=a.csv' as a mapping from names to paths; a path that is not read is an ArgumentError.

    It may be a file in a folder that is.
    """
    named: dict[str, str] = {}
    for text in texts:
        name, found, path = text.partition("=")
        if not (name and found and path):
            raise ArgumentError(f"--label {text}: give a name and one of the paths, as in --label base=a.csv")
        if path not in paths and not _is_below(path, paths):
            raise ArgumentError(f"--label {text}: '{path}' is not among the paths{near_miss(path, paths)}")
        if path in named.values():
            raise ArgumentError(f"--label {text}: '{path}' has a name already; give one")
        if name in named:
            raise ArgumentError(f"--label {text}: the name '{name}' is taken by '{named[name]}'; give another")
        named[name] = path
    return named
