"""What a verb takes: objects of the right kind, or one sentence that shows how to spell them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scorebars.errors import ArgumentError
from scorebars.scores import Scores

if TYPE_CHECKING:
    from collections.abc import Callable

EXAMPLES = {
    "estimator": ("sb.PassHatK(3)", "item_values", "statistic"),
    "interval": ("sb.Wilson()", "bounds"),
    "effect": ("sb.Difference()", "null"),
    "test": ("sb.McNemar()", "p_value"),
    "resample": ('sb.Resample("item")', "levels"),
}
"""How an argument is written, and what an object that serves as one has (one of them)."""


def checked_scores(scores: object) -> Scores:
    """The score table, or an ArgumentError that says how to make one."""
    if isinstance(scores, Scores):
        return scores
    how = "sb.read(path)" if isinstance(scores, str | bytes) or hasattr(scores, "__fspath__") else "sb.Scores(frame)"
    raise ArgumentError(f"scores must be a Scores, and is a {type(scores).__name__}; make one with {how}")


def checked(name: str, value: Any, default: Callable[[], Any] | None = None) -> Any:
    """The object that was given for ``name``, the default for None, or an ArgumentError that shows the spelling."""
    if value is None:
        return None if default is None else default()
    example, *needed = EXAMPLES[name]
    if isinstance(value, type):
        example = _of_class(name, value) or example
        raise ArgumentError(f"{name}={value.__name__} is a class; pass an object of it, as in {name}={example}")
    if isinstance(value, str):
        from scorebars.analysis.spelled import as_object

        example = as_object(name, value) or example
    if not any(hasattr(value, attribute) for attribute in needed):
        raise ArgumentError(f"{name}={value!r}: must be an object, as in {name}={example}")
    return value


def _of_class(name: str, kind: type[Any]) -> str:
    """How an object of a class of the package is made; '' of other classes."""
    from scorebars.analysis.spelled import as_call

    return as_call(kind) if kind.__module__.startswith("scorebars.") and name != "resample" else ""
