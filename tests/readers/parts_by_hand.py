"""The rows that a reader hands back, before anything is done with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scorebars.contracts import Request
from scorebars.engines.duckdb import Engine
from scorebars.readers import candidates, load
from scorebars.readers.asked import asked
from scorebars.readers.files import head_of

if TYPE_CHECKING:
    from pathlib import Path

    from scorebars.contracts import Part


def part_of(path: Path, columns: dict[str, str] | None = None, cluster: str | None = None, **options: Any) -> Part:
    """The part of the first reader that claims the file."""
    head = head_of(path)
    name = next(name for name in candidates(head) if load(name).claims(head))
    [part] = load(name).read([head], Request(columns or {}, cluster, Engine(), asked(**options)))
    return part


def cells(part: Part, *roles: str) -> list[tuple[Any, ...]]:
    """The rows of a part, as tuples of these roles."""
    assert not isinstance(part.rows, str)
    return list(zip(*(part.rows[role].tolist() for role in roles), strict=True))
