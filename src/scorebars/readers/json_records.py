"""What a JSON value is brought into: records, and what its shape says of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scorebars.notes import Note
    from scorebars.readers.json_values import Record


@dataclass(frozen=True, slots=True)
class Shaped:
    """Records, the roles that the shape gives, and what to say about it."""

    records: list[Record]
    """One row of a table each."""
    defaults: Mapping[str, str] = field(default_factory=dict)
    """Role -> column."""
    said: tuple[tuple[str, str], ...] = ()
    """What the user should know about how they were got, with the role or column concerned."""
    levels: tuple[str, ...] = ()
    """Columns of keys, each of which must have a role."""
    notes: tuple[Note, ...] = ()
    """What a result says of them too."""
    crossed: str = ""
    """Why keys that would be models may be items."""
    queried: str = ""
    """What stands for the records in a query over the file; '' where none does."""
