"""Known ids that only number the rows of a file: which other column says what stands in a row?

Written by a loop over the results ('id' 0, 1, 2 …), they are the same in two files whatever their order. Where the text
of another column differs from row to row, the text's number is kept, so that a comparison sees when the same questions
have other numbers on the other side (:mod:`scorebars.analysis.by_place`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from scorebars.contracts import Listing
from scorebars.engines.unknown_headers import may_be_item

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from scorebars.readers.columns import Layout

    Cells = Sequence[str | None]

ROWS: Final = 50
"""Rows that say whether ids only number them."""
COLUMNS: Final = 10
"""Unknown columns that are looked at."""
_APART: Final = ("task", "metric", "variant")
LISTED: Final = 3
"""Columns of which texts are kept."""
_SIGNS: Final = frozenset("+-.0123456789")
UNIT: Final = "\x1f"
"""Between a task and a text: no table has it."""


def number_rows(items: Sequence[str | None], models: Sequence[str | None]) -> bool:
    """Whether ids count up by one from row to row, from 0 or 1, in the file or in each model.

    >>> number_rows(["0", "1", "2"], "aab"), number_rows(["1", "2", "1"], "aab"), number_rows(["0", "2"], "aa")
    (True, True, False)
    """
    if not all(text and text.isascii() and text.isdigit() for text in items):
        return False
    numbers = [int(text or 0) for text in items]
    if len(numbers) < 2 or numbers[0] > 1:
        return False
    if numbers == list(range(numbers[0], numbers[0] + len(numbers))):
        return True
    due: dict[str | None, int] = {}
    for number, model in zip(numbers, models, strict=True):
        if number != due.get(model, numbers[0]):
            return False
        due[model] = number + 1
    return True


def listings_of(layout: Layout, cells: Mapping[str, Cells], columns: Mapping[str, NDArray[Any]]) -> tuple[Listing, ...]:
    """The columns with another text in every row beside an item that numbers them, of a table in memory.

    Args:
        layout: Which column plays which role.
        cells: Header -> cells.
        columns: Role -> cells.
    """
    items = columns["item"].tolist()
    first = columns["model"][:ROWS].tolist()
    if not number_rows(items[:ROWS], first):
        return ()
    unknown = [name for name in layout.ignored if may_be_item(name)][:COLUMNS]
    listed = [name for name in unknown if _are_texts(cells[name][:ROWS]) and None not in cells[name]]
    if not listed:
        return ()
    models = columns["model"].tolist()
    apart = [columns[role].tolist() for role in _APART if role in layout.roles and role in columns]
    tasks = ["/".join(text or "" for text in row) for row in zip(*apart, strict=True)] if apart else [""] * len(items)
    number = layout.roles["item"][0]
    found = (_places(models, tasks, _questions(cells[name]), items) for name in listed)
    made = [(name, places) for name, places in zip(listed, found, strict=True) if places][:LISTED]
    return tuple(Listing(name, model, own, numbers=number) for name, places in made for model, own in places.items())


def _are_texts(cells: Cells) -> bool:
    """Whether some of the first cells is no whole number, and none is a number with a fraction."""
    others = [cell or "" for cell in cells if not (cell or "").strip().lstrip("-").isdigit()]
    return bool(others) and not any(map(_is_number, others))


def _questions(cells: Cells) -> Cells:
    """The cells; of messages what is asked in them."""
    if not (cells[0] or "").lstrip().startswith("["):
        return cells
    from scorebars.readers.chats import asked_in

    return [asked_in(cell or "") for cell in cells]


def _is_number(cell: str) -> bool:
    if cell.strip()[:1] not in _SIGNS:  # told at once of most texts
        return False
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _places(
    models: Sequence[str], tasks: Sequence[str], cells: Cells, items: Sequence[str]
) -> dict[str, dict[str, str]]:
    """Model -> text, after that of the task -> number; nothing where a model has a text twice."""
    places: dict[str, dict[str, str]] = {}
    for model in dict.fromkeys(models):
        places[model] = {}
    for model, task, cell, item in zip(models, tasks, cells, items, strict=True):
        places[model][f"{task}{UNIT}{(cell or '').strip(' ')}"] = item
    return places if sum(map(len, places.values())) == len(items) else {}
