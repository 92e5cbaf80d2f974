"""CSV: one row a result, full precision, the columns in a fixed order.

A number that does not exist is an empty cell; the column ``missing`` says why. A one-sided bound's other end is
``inf`` or ``-inf``. The columns ``low`` and ``high`` are the method's own bounds; ``instead_low``, ``instead_high`` and
``instead_method`` are shown in their place where the method gives no width. A text that a spreadsheet would run as a
formula is led by an apostrophe.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from scorebars.outputs.characters import inert

if TYPE_CHECKING:
    from scorebars.outputs.view import View


FINDING: Final = ("code", "severity", "changes_a_conclusion", "message", "remedy", "where", "data")
"""Columns of a diagnosis, which may have no row."""


def render(view: View) -> str:
    """The view's results as CSV; where items were asked for, those instead, one row an item."""
    if view.items is not None:
        return table(view.item_records, columns=("task", "item", "a", "b"))
    return table([flat(record) for record in view.records], columns=FINDING if view.kind == "diagnosis" else ())


def table(records: Sequence[Mapping[str, object]], columns: Sequence[str] = ()) -> str:
    """Flat records as CSV; columns in order of first appearance, after those named."""
    columns = list(dict.fromkeys([*columns, *(key for record in records for key in record)]))
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([inert(column) for column in columns])
    writer.writerows([_cell(record.get(column)) for column in columns] for record in records)
    return out.getvalue()


def flat(record: Mapping[str, object]) -> dict[str, object]:
    """A record without nesting: pairs become two columns, lists one text."""
    row: dict[str, object] = {}
    for key, value in record.items():
        row.update(_flat_value(key, value))
    return row


NESTED: Final = {
    "n_runs": ("min", "max"),
    "n_compared": ("a", "b"),
    "n_dropped": ("a", "b"),
    "variance_split": ("items", "runs"),
    "weights": ("min", "max"),
    "score_range": ("low", "high"),
    "instead": ("low", "high", "method"),
}
"""Parts of a record that become one column each, whether they are there or not."""


def _flat_value(key: str, value: object) -> dict[str, object]:
    if key in NESTED:
        parts = value if isinstance(value, Mapping) else {}
        return {f"{key}_{name}": parts.get(name) for name in NESTED[key]}
    if isinstance(value, Mapping):
        if key == "group":
            return {f"{key}_{name}": part for name, part in value.items()}
        return {key: "; ".join(f"{name}: {part}" for name, part in value.items())}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return {key: "; ".join(_note_code(part) for part in value)}
    return {key: value}


def _note_code(part: object) -> str:
    return str(part["code"]) if isinstance(part, Mapping) else str(part)


def _cell(value: object) -> object:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return repr(float(value))
    return inert(value) if isinstance(value, str) else value
