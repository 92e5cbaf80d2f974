"""Known ids that only number the rows of a file: which other column says what stands in a row?

Written by a loop over the results ('id' 0, 1, 2 …), they are the same in two files whatever their order. Where the text
of another column differs from row to row, the text's number is kept, so that a comparison sees when the same questions
have other numbers on the other side (:mod:`scorebars.analysis.by_place`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from scorebars.contracts import Listing
from scorebars.engines.row_numbers import LISTED, ROWS, are_drawn, are_texts, number_rows, places_of
from scorebars.engines.unknown_headers import may_be_item

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from scorebars.readers.columns import Layout

    Cells = Sequence[str | None]

COLUMNS: Final = 10
"""Unknown columns that are looked at."""
_APART: Final = ("task", "metric", "variant")


def listings_of(layout: Layout, cells: Mapping[str, Cells], columns: Mapping[str, NDArray[Any]]) -> tuple[Listing, ...]:
    """The columns with another text in every row beside an item that numbers them, of a table in memory.

    Args:
        layout: Which column plays which role.
        cells: Header -> cells.
        columns: Role -> cells.
    """
    items = columns["item"].tolist()
    first = columns["model"][:ROWS].tolist()
    if not (number_rows(items[:ROWS], first, prefixed=True) or are_drawn(items[:ROWS])):
        return ()
    unknown = [name for name in layout.ignored if may_be_item(name)][:COLUMNS]
    listed = [name for name in unknown if are_texts(cells[name][:ROWS]) and None not in cells[name]]
    if not listed:
        return ()
    models = columns["model"].tolist()
    apart = [columns[role].tolist() for role in _APART if role in layout.roles and role in columns]
    tasks = ["/".join(text or "" for text in row) for row in zip(*apart, strict=True)] if apart else [""] * len(items)
    number = layout.roles["item"][0]
    found = (places_of(models, tasks, _questions(cells[name]), items) for name in listed)
    made = [(name, places) for name, places in zip(listed, found, strict=True) if places][:LISTED]
    return tuple(Listing(name, model, own, numbers=number) for name, places in made for model, own in places.items())


def _questions(cells: Cells) -> Cells:
    """The cells; of messages what is asked in them."""
    if not (cells[0] or "").lstrip().startswith("["):
        return cells
    from scorebars.readers.chats import asked_in

    return [asked_in(cell or "") for cell in cells]
