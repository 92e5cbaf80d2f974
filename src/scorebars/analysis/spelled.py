"""The object that a text or a class given in its place means: ``estimator="iqm"`` means ``sb.IQM()``."""

from __future__ import annotations

import re
from dataclasses import MISSING, fields, is_dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from scorebars.errors import ScorebarsError

if TYPE_CHECKING:
    from collections.abc import Callable

_LISTS: Final = {
    "estimator": ("scorebars.estimators", "SPELLINGS", "parse"),
    "interval": ("scorebars.intervals", "INTERVALS", "interval_named"),
    "effect": ("scorebars.effects", "SPELLINGS", "effect_named"),
    "test": ("scorebars.significance", "SPELLINGS", "test_named"),
}
"""Package of each family, its list of spellings, and what makes a member from a spelling."""
_LEVELS: Final = ("task", "cluster", "item", "run")


def as_object(name: str, text: str) -> str:
    """How the nearest object to a text is written ("sb.IQM()"), whatever its case and signs; '' where none is near."""
    if name not in _LISTS:
        return f'sb.Resample("{text.lower()}")' if text.lower() in _LEVELS else ""
    place, listed, maker = _LISTS[name]
    family = import_module(place)
    exactly = _made(getattr(family, maker), text.lower())
    if exactly:
        return exactly
    known: dict[str, str] = {}
    for spelling, member in getattr(family, listed).items():
        if not isinstance(member, type | str):  # a variant of another
            continue
        found = member.__name__ if isinstance(member, type) else member.partition(":")[2]
        known |= {_plain(spelling.partition(":")[0]): found, _plain(found): found}
    from difflib import get_close_matches

    [*close] = get_close_matches(_plain(text), list(known), n=1, cutoff=0.6)
    return as_call(getattr(family, known[close[0]])) if close else ""


def as_call(kind: type[Any]) -> str:
    """How an object of a class is made, where it needs nothing ("sb.IQM()"), or with the names of what it needs."""
    needed = [
        field.name
        for field in (fields(kind) if is_dataclass(kind) else ())
        if field.init and field.default is MISSING and field.default_factory is MISSING
    ]
    return f"sb.{kind.__name__}({', '.join(f'{name}=…' for name in needed)})"


def _made(maker: Callable[[str], Any], text: str) -> str:
    """What a spelling of the command line makes, with its values; '' where it is none."""
    try:
        made = maker(text)
    except ScorebarsError:
        return ""
    if isinstance(made, type):
        return as_call(made)
    values = [(field.name, getattr(made, field.name), field.default) for field in fields(made)]
    plain = [one for one in values if isinstance(one[1], int | float | str)]
    given = [(name, value) for name, value, default in plain if value != default]
    leading = [name for name, *_ in values[: len(given)]] == [name for name, _ in given]
    arguments = ", ".join(f"{value!r}" if leading else f"{name}={value!r}" for name, value in given)
    return f"sb.{type(made).__name__}({arguments})"


def _plain(name: str) -> str:
    """Without case and signs: 'Student-t' and 'StudentT' are one."""
    return re.sub(r"[^a-z0-9@^]", "", name.lower())
