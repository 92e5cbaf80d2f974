"""Ids that only number the rows, or are drawn for each: what id does each text of another column have?"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    Cells = Sequence[str | None]

ROWS: Final = 50
"""Rows that say whether ids only number them."""
LISTED: Final = 3
"""Columns of which texts are kept."""
_SIGNS: Final = frozenset("+-.0123456789")
_DRAWN: Final = re.compile(
    r"(?:[a-z]{1,12}[_-]){0,3}(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[0-9a-f]{24,64})|"
    r"(?:[a-z]{1,12}[_-]){1,3}(?=[a-z]*\d)(?=\d*[a-z])[0-9a-z]{20,40}",
    re.IGNORECASE,
)
"""A UUID or as many hexadecimal digits, with words before it ('batch_req_6f…'), or letters and digits behind a word."""
UNIT: Final = "\x1f"
"""Between a task and a text: no table has it."""
SUMMARIES: Final = frozenset(
    {"average", "avg", "mean", "median", "total", "overall", "sum", "std", "stddev", "stdev", "stderr", "min", "max"}
    | {"macro_avg", "micro_avg", "weighted_avg", "macro_average", "micro_average", "weighted_average", "aggregate"}
    | {"summary", "all", "count", "25%", "50%", "75%"}
    | {"totals", "grand_total", "total_score", "averages", "average_score", "mean_score", "final_score"}
    | {"pass_rate", "passrate", "success_rate", "accuracy", "percent_correct", "%_correct"}
)
"""What rows are called that sum up the others."""
SUMS_SPELLED: Final = frozenset(name.replace("_", sign) for name in SUMMARIES for sign in "_ -")
"""The same with underscores, blanks or hyphens between words."""


def number_rows(items: Sequence[str | None], models: Sequence[str | None], *, prefixed: bool = False) -> bool:
    """Whether ids count up by one from row to row, from any number, in the file or in each model.

    ``prefixed``: also behind one text in each model ('run3-0', 'run3-1'). Ids of data sets do so too ('gsm8k_0'), of
    which nothing is said, as another model has the same texts under the same.

    >>> number_rows(["0", "1", "2"], "aab"), number_rows(["41", "42", "41"], "aab"), number_rows(["0", "2"], "aa")
    (True, True, False)
    >>> number_rows(["q0", "q1"], "aa"), number_rows(["q0", "q1", "r0", "r1"], "aabb", prefixed=True)
    (False, True)
    """
    if prefixed:
        items = _without_prefix(items, models)
    if not all(text and text.isascii() and text.isdigit() for text in items):
        return False
    numbers = [int(text or 0) for text in items]
    if len(numbers) < 2:
        return False
    if numbers == list(range(numbers[0], numbers[0] + len(numbers))):
        return True
    due: dict[str | None, int] = {}
    for number, model in zip(numbers, models, strict=True):
        if number != due.get(model, numbers[0]):
            return False
        due[model] = number + 1
    return True


def _without_prefix(items: Sequence[str | None], models: Sequence[str | None]) -> Sequence[str | None]:
    """The numbers at the end of ids, where all of a model have the same text before them; else the ids."""
    cut = [(text or "").rstrip("0123456789") for text in items]
    if len(set(zip(models, cut, strict=True))) > len(set(models)):
        return items
    return [(text or "")[len(prefix) :] for text, prefix in zip(items, cut, strict=True)]


def are_drawn(items: Sequence[str | None]) -> bool:
    """Whether ids are drawn anew for each row, as UUIDs are, so that they say as little as numbers of rows.

    >>> are_drawn(["59a8eb0b-564f-9019-09bc-543c0416417a"]), are_drawn(["q1"]), are_drawn([])
    (True, False, False)
    """
    return bool(items) and all(text and _DRAWN.fullmatch(text) for text in items) and len(set(items)) == len(items)


def are_texts(cells: Cells) -> bool:
    """Whether some of the first cells is no whole number, and none is a number with a fraction."""
    others = [cell or "" for cell in cells if not (cell or "").strip().lstrip("-").isdigit()]
    return bool(others) and not any(map(_is_number, others))


def _is_number(cell: str) -> bool:
    if cell.strip()[:1] not in _SIGNS:  # told at once of most texts
        return False
    try:
        float(cell)
    except ValueError:
        return False
    return True


def places_of(
    models: Sequence[str], tasks: Sequence[str], cells: Cells, items: Sequence[str]
) -> dict[str, dict[str, str]]:
    """Model -> text, after that of the task -> number; nothing where a model has a text twice."""
    places: dict[str, dict[str, str]] = {}
    for model in dict.fromkeys(models):
        places[model] = {}
    for model, task, cell, item in zip(models, tasks, cells, items, strict=True):
        places[model][f"{task}{UNIT}{(cell or '').strip(' ')}"] = item
    return places if sum(map(len, places.values())) == len(items) else {}
