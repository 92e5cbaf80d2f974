"""Lists of records with something else among them: such a list would be taken for none, and its scores left out."""

from __future__ import annotations

from typing import Any, Final

from scorebars.errors import ReadError
from scorebars.readers.json_values import holds_inner_score, holds_score, kind

DEPTH: Final = 3
"""Objects inside objects that are looked into; below are records."""


def refuse_holes(value: Any, where: str = "", depth: int = DEPTH) -> None:
    """Raise a ReadError where a list of records with scores holds a member that is no object, with its number.

    Args:
        value: The JSON value.
        where: Its key, with those above it.
        depth: How many more objects are looked into.
    """
    if isinstance(value, dict) and depth:
        for key, inner in value.items():
            if isinstance(inner, dict | list):
                refuse_holes(inner, f"{where}.{key}" if where else str(key), depth - 1)
    elif isinstance(value, list):
        _refuse_hole(value, where)


def _refuse_hole(members: list[Any], where: str) -> None:
    records = [member for member in members if isinstance(member, dict)]
    if len(records) == len(members) or 2 * len(records) <= len(members):
        return
    if holds_score(records) or holds_inner_score(records):
        place = next(place for place, member in enumerate(members) if not isinstance(member, dict))
        of = f" of '{where}'" if where else ""
        raise ReadError(
            f"record {place + 1:,}{of} is no object but {kind(members[place])}, among {len(records):,} that are; mend "
            "it, or leave it out"
        )
