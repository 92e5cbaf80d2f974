"""Rows of a frame without an item, or with one that only numbers them: what may an unknown column be?"""

from __future__ import annotations

import re
import zlib
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from scorebars.contracts import Listing
from scorebars.engines.coding import combined
from scorebars.engines.frame_cells import (
    APART,
    FIRST,
    SAMPLE,
    Cells,
    is_few,
    keys_of,
    n_different,
    repeat,
    shown_values,
    ways_of,
)
from scorebars.engines.headers import is_unnamed
from scorebars.engines.keys import keys_among, must_be_same
from scorebars.engines.row_numbers import LISTED, ROWS, UNIT, are_drawn, number_rows
from scorebars.engines.telling import (
    BALANCED,
    CROSSED,
    LONG,
    Pair,
    Repeated,
    TextColumn,
    item_of_attempts,
    question_of_attempts,
)
from scorebars.engines.unknown_headers import (
    Kind,
    kind_of,
    may_be_item,
    may_tell,
    names_document,
    names_item,
    names_question,
    names_rater,
    names_run,
)
from scorebars.errors import ScoresError, either

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from scorebars.sample import Column, IntArray, ScoreTable

PREFIXED: Final = 30_000
"""Rows up to which ids that are a text and the number of a row are looked at too."""
COLUMNS: Final = 10
"""Columns that are looked at."""
KEPT: Final = 1_000
"""Texts of a model that are kept, about."""
_IDS = re.compile(r"[A-Za-z]*[^A-Za-z0-9]?[0-9]+")


def refuse_graded(
    unknown: Sequence[str], mapping: Mapping[str, tuple[str, ...]], table: ScoreTable, cells: Cells
) -> None:
    """Raise a ScoresError where rows without an item are grades of documents by several raters."""
    likely = [name for name in unknown if may_tell(name) or names_run(name)]
    raters = [name for name in likely if names_rater(name)]
    documents = [*mapping.get("cluster", ()), *(name for name in likely if name not in raters and not names_run(name))]
    others = [name for name in likely if name not in raters and not names_document(name)]
    if not (raters or (others and any(map(names_document, documents)))):
        return
    pairs = [
        (rater, document)
        for rater in (*raters, *others)
        for document in documents[:COLUMNS]
        if rater != document and (names_rater(rater) or names_document(document))
    ]
    keys = keys_of(table, APART)
    found = [pair for names in pairs[: 2 * COLUMNS] if (pair := _pair(names, keys, cells)) and pair.are_grades]
    if not found:
        return
    best = max(found, key=lambda pair: (names_rater(pair.rater), pair.n, pair.apart))
    rater = cells.of(best.rater)
    if rater is not None:
        raise _graded(best, rater, mapping)


def _pair(names: tuple[str, str], keys: IntArray, cells: Cells) -> Pair | None:
    """How two columns stand together; None where one of them does not repeat."""
    if not all(is_few(name, cells) for name in names):
        return None
    rater, document = (cells.of(name) for name in names)
    if rater is None or document is None:
        return None
    n = len(keys)
    both = combined(combined(np.unique(keys, return_inverse=True)[1].astype(np.int64), rater.codes, rater.n_labels),
                    document.codes, document.n_labels)  # fmt: skip
    _, times = np.unique(both, return_counts=True)
    of_document, of_rater = n_different(keys, document), n_different(keys, rater)
    n_both, n_raters, n_documents = len(times), rater.n_labels, document.n_labels
    several = n_raters > 1 and n_documents > 2 and n_both >= 1.5 * max(of_document, of_rater)
    crossed = n_raters < n_documents and n_both >= CROSSED * of_document * n_raters
    return Pair(*names, n_documents, n_both == n, several, bool(times.max() == times.min()), crossed)


def _graded(pair: Pair, column: Column, mapping: Mapping[str, tuple[str, ...]]) -> ScoresError:
    rater, document = pair.rater, pair.document
    kind: Kind = "rater" if names_rater(rater) else kind_of(rater) or "rater"
    named = {"item": document}
    ways = [f"the run (run={rater!r}, item={document!r})"]
    if not names_run(rater):
        ways = ways_of(rater, kind, column, mapping, named, apart=True)
    may_be = [
        f"'{document}' is the item and '{rater}' {either(ways)}",
        f"each row is an item of its own (item={(document, rater)!r}, cluster={document!r})",
    ]
    if names_item(rater):
        may_be.reverse()
    return ScoresError(
        f"no column is known as the item, and each of the {pair.n:,} texts of '{document}' stands in rows of several "
        f"'{rater}' ({shown_values(column)}): {'; or '.join(may_be)}"
    )


def without_items(
    unknown: Sequence[str], mapping: Mapping[str, tuple[str, ...]], table: ScoreTable, cells: Cells
) -> tuple[Listing, ...]:
    """The columns that may hold the ids of rows; an error where one looks like the item of several attempts."""
    keys = keys_of(table, APART)
    unique: list[TextColumn] = []
    listed: list[Listing] = []
    found: list[Repeated] = []
    looked: list[str] = []
    for name in [name for name in unknown if may_be_item(name)][:COLUMNS]:
        column = cells.of(name)
        if column is None or not _may_be_ids(column):
            continue
        looked.append(name)
        seen = _seen(name, column)
        if n_different(keys, column) == table.n_rows:
            unique.append(seen)
            if len(unique) <= LISTED:
                listed += _listed(name, _texts(column), table)
        elif not is_unnamed(name):
            found.append(_repeated(seen, keys, column))
    _refuse_attempts(mapping, found, unique, listed)
    return (*listed, *_keys(keys_among(unknown, looked, COLUMNS), keys, table, cells))


def _keys(names: Sequence[str], keys: IntArray, table: ScoreTable, cells: Cells) -> list[Listing]:
    """The same of columns that may be keys by their values alone."""
    made: list[list[Listing]] = []
    for name in names:
        column = cells.of(name)
        if column is None or n_different(keys, column) < table.n_rows:
            continue
        same = must_be_same(name, numbers=all(_is_number(str(label)) for label in column.labels[:FIRST]))
        if not (same and table.n_rows > SAMPLE):
            made.append(_listed(name, _texts(column), table, same=same))
    return [one for listed in made[:LISTED] for one in listed]


def _texts(column: Column) -> list[str]:
    return [str(column.labels[code]) for code in column.codes.tolist()]


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _may_be_ids(column: Column) -> bool:
    """Whether no text is a number with a fraction."""
    texts = map(str, column.labels[:FIRST])
    return not any(_is_number(text) and not text.lstrip("-").isdigit() for text in texts)


def _seen(name: str, column: Column) -> TextColumn:
    texts = [str(column.labels[code]) for code in column.codes[:SAMPLE].tolist()]
    ids = 2 * sum(_IDS.fullmatch(text) is not None for text in texts) > len(texts)
    long = sum(map(len, texts)) >= LONG * len(texts) and sum(" " in text for text in texts) >= BALANCED * len(texts)
    return TextColumn(name, all(text.lstrip("-").isdigit() for text in texts), ids, long)


def _repeated(seen: TextColumn, keys: IntArray, column: Column) -> Repeated:
    groups = np.unique(keys, return_inverse=True)[1].astype(np.int64)
    _, times = np.unique(combined(groups, column.codes, column.n_labels), return_counts=True)
    usual, most = Counter(times.tolist()).most_common(1)[0]
    again = int(np.count_nonzero(times > 1)) >= BALANCED * len(times)
    return Repeated(seen, len(times) // (int(groups.max()) + 1), usual, most >= BALANCED * len(times), again)


def _refuse_attempts(
    mapping: Mapping[str, tuple[str, ...]],
    found: Sequence[Repeated],
    unique: Sequence[TextColumn],
    listed: Sequence[Listing],
) -> None:
    """Raise a ScoresError where one of the columns looks like the item of several attempts."""
    counting = {one.column for one in listed if one.counts_rows}
    ids = [column for column in unique if (column.are_ids or column.is_whole) and column.name not in counting]
    one = item_of_attempts(found, ids)
    if one is None:
        return
    name = one.column.name
    cluster = "" if "cluster" in mapping else f", or the cluster of different items (cluster={name!r})"
    raise ScoresError(
        f"no column is known as the item, and {one.counted_as(_rows_of(mapping))} (item={name!r}){cluster}"
    )


def _rows_of(mapping: Mapping[str, tuple[str, ...]]) -> str:
    return " of a model" if "model" in mapping else ""


def refuse_questions(
    unknown: Sequence[str], mapping: Mapping[str, tuple[str, ...]], table: ScoreTable, cells: Cells
) -> None:
    """Raise a ScoresError where known ids differ from row to row, and what was asked repeats: those are attempts."""
    item = mapping["item"]
    names = [name for name in unknown if names_question(name)]
    if not names or len(item) > 1 or names_question(item[0]) or not _differ(table):
        return
    keys = keys_of(table, ("model", "task", "metric", "variant"))
    shared = [name for name in unknown if names_document(name) or kind_of(name) == "task"][:COLUMNS]
    beside = [column for name in shared if (column := cells.of(name)) is not None]
    found: list[Repeated] = []
    for name in names:
        column = cells.of(name)
        if column is None or not _may_be_ids(column):
            continue
        n = n_different(keys, column)
        # What stands beside several documents or topics is asked anew of each.
        if all(n_different(keys, column, other) == n for other in beside):
            found.append(_repeated(_seen(name, column), keys, column))
    one = question_of_attempts(found)
    if one is None:
        return
    raise ScoresError(
        f"'{item[0]}' is another in every row, and {one.counted_as(_rows_of(mapping))} (item={one.column.name!r}), or "
        f"these are different items (item={item[0]!r})"
    )


def _differ(table: ScoreTable) -> bool:
    """Whether the item of each row is another, in its task or as one that numbers the rows of a model."""
    if not repeat(keys_of(table, ("item", "task", "metric", "variant"))):
        return True
    return _number_rows(table) and not repeat(keys_of(table, ("item", "model", "task", "metric", "variant")))


def _number_rows(table: ScoreTable, *, prefixed: bool = False) -> bool:
    """Whether the first ids number the rows, or are drawn for each."""
    items = [str(table.item.labels[code]) for code in table.item.codes[:ROWS].tolist()]
    return are_drawn(items) or number_rows(
        items, [str(code) for code in table.model.codes[:ROWS].tolist()], prefixed=prefixed
    )


def beside_numbers(
    unknown: Sequence[str], mapping: Mapping[str, tuple[str, ...]], table: ScoreTable, cells: Cells
) -> tuple[Listing, ...]:
    """The same beside a known item that only numbers the rows."""
    names = [name for name in unknown if may_be_item(name)][:COLUMNS]
    others = keys_among(unknown, names, COLUMNS)
    if not (names or others) or len(mapping["item"]) > 1:
        return ()
    if not _number_rows(table, prefixed=table.n_rows <= PREFIXED):
        return ()
    keys = keys_of(table, APART).tolist()
    likely, more = (
        [
            _listed(name, texts, table)
            for name in some
            if (texts := cells.texts(name)) is not None and len(set(zip(keys, texts, strict=True))) == table.n_rows
        ][:LISTED]
        for some in (names, others)
    )
    return tuple(replace(one, numbers=mapping["item"][0]) for listed in (*likely, *more) for one in listed)


def _listed(name: str, texts: Sequence[str], table: ScoreTable, *, same: bool | None = None) -> list[Listing]:
    """The places of the texts of a column, model by model; of many rows a part, told by the text alone."""
    same = must_be_same(name, numbers=False) if same is None else same
    every = 1
    while table.n_rows > every * KEPT * table.model.n_labels:
        every *= 2
    columns: list[Column | None] = [table.task, table.metric, table.variant]
    tasks = [_labels(column) for column in columns if column is not None and column.labels.tolist() != [""]]
    places: dict[str, dict[str, str]] = {str(label): {} for label in table.model.labels.tolist()}
    model, item = _labels(table.model), _labels(table.item)
    for row, text in enumerate(texts):
        if every == 1 or zlib.crc32(text.encode()) % every == 0:
            task = "/".join(label(row) for label in tasks)
            places[model(row)][f"{task}{UNIT}{text.strip(' ')}"] = item(row)
    return [Listing(name, model, own, is_unnamed(name), must_be_same=same) for model, own in places.items()]


def _labels(column: Column) -> Callable[[int], str]:
    """From a row to its text."""
    return lambda row: str(column.labels[column.codes[row]])
