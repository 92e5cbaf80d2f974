"""Queries over the only file: attempts under ids of their own ('q7_run0') as runs of one item, and rows left out."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from scorebars.analysis.repeated_ids import rows_that_sum_up
from scorebars.engines.duckdb import literal, quote
from scorebars.engines.headers import ALIASES, is_unnamed, normal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorebars.analysis.id_families import Families
    from scorebars.contracts import Part

QUERIED: Final = frozenset({".csv", ".tsv", ".jsonl", ".ndjson", ".parquet", ".arrow", ".arrows", ".feather", ".xlsx"})
"""Endings of the files of rows whose columns a query sees as the table reader does."""
PACKED: Final = frozenset({".gz", ".zst"})
_COLUMN: Final = re.compile(r"column '(.+?)'(, as asked| \(no other column .+)?", re.DOTALL)
_MEANT: Final = re.compile(r"([.\\+*?()\[\]{}|^$])")


def joining_query(parts: tuple[Part, ...], families: Families, without: Sequence[str] = ()) -> str | None:
    """One SELECT over the only file after which attempts are runs of one item; None where none is known to do it.

    ``without``: items that it leaves out as well.
    """
    column = _item_column(parts)
    ending = _ending(families)
    if column is None or ending is None or not _is_kept_apart(families):
        return None
    name = quote(column)
    item = f"regexp_replace(CAST({name} AS VARCHAR), {literal(ending)}, '')"
    rest = f" WHERE {_other_than(column, without)}" if without else ""
    return f"SELECT * REPLACE ({item} AS {name}), {name} AS run FROM data{rest}"


def query_without(parts: tuple[Part, ...], items: Sequence[str]) -> str | None:
    """One SELECT over the only file that leaves these items out; None where none is known to do it."""
    listed = {one.column for one, rows in rows_that_sum_up(parts) if set(items) <= set(rows.values())}
    column = (min(listed) if _is_queried(parts) else None) if listed else _item_column(parts)
    if column is None or is_unnamed(column):  # a query has another name for a column without a header
        return None
    return f"SELECT * FROM data WHERE {_other_than(column, items)}"


def _other_than(column: str, items: Sequence[str]) -> str:
    name = column if normal(column) == column and column in ALIASES["item"] else quote(column)
    return f"{name} NOT IN ({', '.join(map(literal, items))})"


def _item_column(parts: tuple[Part, ...]) -> str | None:
    """The column of the only file, a table, that the items come from."""
    if not _is_queried(parts):
        return None
    match = _COLUMN.fullmatch(dict(parts[0].mapping).get("item", ""))
    return match[1] if match is not None else None


def _is_queried(parts: tuple[Part, ...]) -> bool:
    """Whether there is one file, a table of rows whose columns a query sees, and no query has made them already."""
    if len(parts) != 1 or parts[0].reader != "table" or dict(parts[0].mapping).get("rows", "").startswith("the query "):
        return False
    suffixes = [suffix.lower() for suffix in parts[0].path.suffixes if suffix.lower() not in PACKED]
    return bool(suffixes) and suffixes[-1] in QUERIED


def _ending(families: Families) -> str | None:
    """What the ids of attempts end in, as a regular expression; None where it does not part all ids as they are."""
    ending = families.example[-1][len(families.base) :]
    pattern = re.sub(r"[0-9]+", r"\\d+", _MEANT.sub(r"\\\1", ending)) + "$"
    bases: dict[str, int] = {}
    for label, family in families.of.items():
        if bases.setdefault(re.sub(pattern, "", label), family) != family:
            return None
    return pattern if len(bases) == len(set(families.of.values())) else None


def _is_kept_apart(families: Families) -> bool:
    """Whether ids that are numbers stay different when they are read as such: '1.1' and '1.10' do not."""
    with suppress(ValueError):
        return len({float(label) for label in families.of}) == len(families.of)
    return True
