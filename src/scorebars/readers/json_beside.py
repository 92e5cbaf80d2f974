"""The members of an object that say which model or task the lists beside them are of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scorebars.engines.headers import names_role, normal
from scorebars.readers.aggregates import names_benchmark
from scorebars.readers.json_holders import SETTINGS
from scorebars.readers.json_values import Record, is_scalar

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


def names_beside(value: Record, roles: Sequence[str]) -> dict[str, str]:
    """Role -> the member beside lists that says it for all of them."""
    named = [key for key, inner in reversed(value.items()) if is_name(inner)]  # the first one stands
    return {role: key for role in roles for key in named if names_role(role, key)}


def said_beside(beside: Mapping[str, str]) -> list[tuple[str, str]]:
    """What to say of such members."""
    return [(role, f"'{key}' beside the lists") for role, key in beside.items()]


def of_settings(whole: Record, role: str) -> dict[tuple[str, str], Any]:
    """The model or task that an object of settings beside the records names; none where two do, or two are named."""
    found = {
        (where, key): inner
        for where, members in whole.items()
        if normal(where) in SETTINGS and isinstance(members, dict)
        for key, inner in members.items()
        if names_role(role, key) and is_name(inner)
    }
    return found if len(found) == 1 else {}


def role_of_keys(keys: Iterable[str], open_roles: Sequence[str]) -> str:
    """What keys above lists are: tasks where one is a known benchmark, else the first role that nothing else says.

    >>> role_of_keys(["gsm8k", "my_questions"], ["model", "task"]), role_of_keys(["a", "b"], ["model", "task"])
    ('task', 'model')
    """
    if "task" in open_roles and any(map(names_benchmark, keys)):
        return "task"
    return next(iter(open_roles), "")


def is_name(value: Any) -> bool:
    """Whether a value can be the name of a model or task: text or a number."""
    return value is not None and is_scalar(value) and not isinstance(value, bool)
