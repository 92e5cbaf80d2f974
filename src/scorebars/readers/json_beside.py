"""The members of an object that say which model or task the lists beside them are of."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from scorebars.engines.headers import ALIASES, names_role, normal
from scorebars.readers.aggregates import names_benchmark
from scorebars.readers.json_holders import SETTINGS
from scorebars.readers.json_values import Record, is_scalar

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from scorebars.readers.json_records import Shaped


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


def with_names_above(shaped: Shaped, above: Sequence[Record], what: str) -> Shaped:
    """Records with the model and the task that stand above or beside them, where neither they nor their keys name any.

    Args:
        shaped: The records.
        above: The objects on the way to them, outermost first.
        what: What they are, in what is said.
    """
    headers = {normal(name) for record in shaped.records for name in record}
    defaults, constants, said = dict(shaped.defaults), dict[str, Any](), list(shaped.said)
    for role in ("model", "task"):
        if headers & set(ALIASES[role]):
            continue
        found, where = _named_above(above, role)
        if not found or (role in defaults and not (role == "model" and "task" not in defaults)):
            continue
        if role in defaults:  # the keys are what is left to name
            defaults["task"] = defaults.pop(role)
        constants |= found
        said.append((role, f"'{where}' beside the {what}"))
    records = [constants | record for record in shaped.records] if constants else shaped.records
    return replace(shaped, records=records, defaults=defaults, said=tuple(said))


def _named_above(above: Sequence[Record], role: str) -> tuple[Record, str]:
    """The member that names it, of the nearest object or else of one of settings, and where it stands."""
    for members in reversed(above):
        key = next((key for key, inner in members.items() if names_role(role, key) and is_name(inner)), None)
        if key is not None:
            return {key: members[key]}, key
    settings = of_settings(above[0], role) if above else {}
    return {key: inner for (_, key), inner in settings.items()}, "".join(f"{where}.{key}" for where, key in settings)


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
