"""Known ids that only number the rows of a file: which other column says what stands in a row?

Written by a loop over the results ('id' 0, 1, 2 …), they are the same in two files whatever their order. Where the text
of another column differs from row to row, the text's number is kept, so that a comparison sees when the same questions
have other numbers on the other side (:mod:`scorebars.analysis.by_place`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from scorebars.contracts import Listing
from scorebars.engines.keys import keys_among, must_be_same
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
    apart = [columns[role] for role in _APART if role in layout.roles and role in columns]
    others = keys_among(layout.ignored, unknown, COLUMNS)
    listed, keys = (
        [name for name in names if are_texts(cells[name][:ROWS]) and None not in cells[name]]
        for names in (unknown, others)
    )
    keys = [name for name in keys if _may_differ(cells[name], first, apart)]
    if not (listed or keys):
        return ()
    models = columns["model"].tolist()
    rows = zip(*(column.tolist() for column in apart), strict=True)
    tasks = ["/".join(text or "" for text in row) for row in rows] if apart else [""] * len(items)
    number = layout.roles["item"][0]
    made = []
    for name, places in (*_listed(listed, models, tasks, cells, items), *_listed(keys, models, tasks, cells, items)):
        same = must_be_same(name, numbers=False)
        made += [Listing(name, model, own, numbers=number, must_be_same=same) for model, own in places.items()]
    return tuple(made)


def _may_differ(cells: Cells, models: Sequence[str], apart: Sequence[NDArray[Any]]) -> bool:
    """Whether no text stands twice in the first rows of a model and task: of most categories that is told at once."""
    first = list(zip(models, cells, *(column[:ROWS].tolist() for column in apart), strict=False))
    return len(set(first)) == len(first)


def _listed(
    names: Sequence[str], models: Sequence[str], tasks: Sequence[str], cells: Mapping[str, Cells], items: Sequence[str]
) -> list[tuple[str, dict[str, dict[str, str]]]]:
    """The first columns that differ from row to row, with the number of each text by model."""
    found = ((name, places_of(models, tasks, _questions(cells[name]), items)) for name in names)
    return [(name, places) for name, places in found if places][:LISTED]


def _questions(cells: Cells) -> Cells:
    """The cells; of messages what is asked in them."""
    if not (cells[0] or "").lstrip().startswith("["):
        return cells
    from scorebars.readers.chats import asked_in

    return [asked_in(cell or "") for cell in cells]
