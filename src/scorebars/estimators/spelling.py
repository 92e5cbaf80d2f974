"""From the command line's spelling of an estimator's argument, after the colon, to its value."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from scorebars.errors import ArgumentError, near_miss

if TYPE_CHECKING:
    from collections.abc import Callable

_Made = TypeVar("_Made")


def no_argument(name: str, argument: str, make: Callable[[], _Made]) -> _Made:
    """What has no argument.

    Raises:
        ArgumentError: it was given one.
    """
    if argument:
        raise ArgumentError(f"estimator '{name}:{argument}': '{name}' takes no value; write '{name}'")
    return make()


def one_word(name: str, argument: str, word: str) -> bool:
    """Whether the only word that may stand there does.

    Raises:
        ArgumentError: another word stands there.
    """
    if argument and argument != word:
        raise ArgumentError(f"estimator '{name}:{argument}' is not known{near_miss(argument, [word])}")
    return bool(argument)


def number(name: str, argument: str, example: str) -> float:
    """The argument as a number.

    Raises:
        ArgumentError: it is none.
    """
    try:
        return float(argument)
    except ValueError:
        what = f"'{argument}' is no number" if argument else "a number is missing"
        raise ArgumentError(f"estimator '{name}': {what}; write for example '{name}:{example}'") from None


def two_names(name: str, argument: str, between: str, example: tuple[str, str]) -> tuple[str, str]:
    """The argument as two names of columns.

    Raises:
        ArgumentError: it is not two names.
    """
    first, found, second = argument.partition(between)
    if not (found and first and second) or between in second:
        raise ArgumentError(
            f"estimator '{name}': '{argument}' must name two columns with a '{between}' between them; "
            f"write for example '{name}:{between.join(example)}'"
        )
    return first, second


def whole_number(text: str, k: str, example: str) -> int:
    """The k of pass@k, a whole number.

    Raises:
        ArgumentError: it is none, or below 1.
    """
    if not k.isdecimal():
        raise ArgumentError(f"estimator '{text}': k must be a whole number from 1, as in '{example}'")
    return int(k)
