"""Rows without a known item that are several grades of one document: told apart by who graded it, they are no items.

A column of documents repeats as a category does, and is often called as one ('doc', 'article'), so that its texts alone
say nothing. Beside an annotator they do: where no document has two rows of one annotator, each row is one opinion of
the document. Counted one by one they would make the interval too narrow, and pair by their place.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Final

from scorebars.engines.duckdb import literal
from scorebars.engines.headers import mapped
from scorebars.engines.telling import CROSSED, Pair
from scorebars.engines.unknown_headers import (
    Kind,
    kind_of,
    may_tell,
    names_document,
    names_item,
    names_rater,
    names_run,
)
from scorebars.readers.cells import stacked, trimmed_cells
from scorebars.readers.columns import UnclearError
from scorebars.readers.told_apart import as_told, listed_values, told_of, ways

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorebars.engines.duckdb import Engine
    from scorebars.readers.columns import Layout
    from scorebars.readers.sources import Source

ROWS: Final = 20_000
"""Rows that say which columns repeat; how their values stand together, all rows say."""
RATERS: Final = 3
"""Columns that may say who graded a row, of which so many are looked at."""
DOCUMENTS: Final = 6
"""Columns that may say what was graded."""
_APART: Final = ("model", "task", "metric", "variant", "run")


def refuse_graded(layout: Layout, source: Source, engine: Engine) -> None:
    """Raise an UnclearError where rows without a known item are grades of documents by several raters.

    Args:
        layout: Which column plays which role.
        source: The cells of the file.
        engine: What reads them.
    """
    unknown = [name for name in (*layout.ignored, *layout.no_models) if may_tell(name) or names_run(name)]
    clusters = () if "cluster" in layout.asked else layout.roles.get("cluster", ())
    raters = [name for name in unknown if names_rater(name)]
    documents = [name for name in (*clusters, *unknown) if name not in raters and not names_run(name)]
    others = [name for name in unknown if name not in raters and not names_document(name)]
    if not (raters or (others and any(map(names_document, documents)))):
        return
    repeating = _repeating([*raters, *documents, *others], source, engine)
    raters = [name for name in (*raters, *others) if name in repeating][:RATERS]
    documents = [name for name in documents if name in repeating][:DOCUMENTS]
    wanted = [
        (rater, document)
        for rater, document in product(raters, documents)
        if rater != document and (names_rater(rater) or names_document(document))
    ]
    found = [pair for pair in _pairs(wanted, layout, source, engine) if pair.are_grades] if wanted else []
    if found:
        best = max(found, key=lambda pair: (names_rater(pair.rater), pair.n, pair.apart))
        raise _error(best, layout, source, engine)


def _repeating(names: Sequence[str], source: Source, engine: Engine) -> set[str]:
    """The columns whose first cells are all filled, no fractions, and repeat."""
    names = list(dict.fromkeys(names))
    found = engine.query(
        f"SELECT place FROM {stacked(names, source, ROWS)} GROUP BY place "
        "HAVING bool_and(cell <> '') AND 1 < count(DISTINCT cell) AND 1.5 * count(DISTINCT cell) <= count(*) "
        "AND bool_and(regexp_full_match(cell, '-?[0-9]+') OR try_cast(cell AS DOUBLE) IS NULL)"
    )
    return {names[place] for place in found["place"].tolist()}


def _pairs(wanted: Sequence[tuple[str, str]], layout: Layout, source: Source, engine: Engine) -> list[Pair]:
    """How the values of columns stand together, of all rows in one pass, and once more for those that may be grades."""
    known = [*dict.fromkeys(name for role in _APART for name in layout.roles.get(role, ()))]
    names = [*dict.fromkeys([*known, *(name for pair in wanted for name in pair)])]
    scanned = [*names, *(layout.only[:1] if layout.only else ())]
    cells = trimmed_cells(len(scanned))
    cell = dict(zip(names, cells, strict=False))
    kept = f" WHERE {cells[-1]} = {literal(layout.only[1])}" if layout.only else ""
    key = f"hash({', '.join(map(cell.__getitem__, known)) or literal('')})"
    rows = f"(SELECT {key} AS key, {', '.join(f'{cell[name]} AS {_as(name, names)}' for name in names)} FROM "
    rows += f"({source.scan(scanned)}){kept})"

    def different(*some: str) -> str:
        return f"count(DISTINCT hash({', '.join(_as(name, names) for name in some)}))"

    def inside(*some: str) -> str:
        return f"count(DISTINCT hash(key, {', '.join(_as(name, names) for name in some)}))"

    counts = [
        f"{inside(document)}, {inside(rater)}, {different(rater)}, {different(document)}, {inside(rater, document)}"
        for rater, document in wanted
    ]
    chosen = ", ".join(f"[{counted}] AS p{place}" for place, counted in enumerate(counts))
    found = engine.query(f"SELECT count(*) AS n, {chosen} FROM {rows}")
    made = []
    for place, (rater, document) in enumerate(wanted):
        n, (of_document, of_rater, n_raters, n_documents, both) = int(found["n"][0]), map(int, found[f"p{place}"][0])
        several = n_raters > 1 and n_documents > 2 and both >= 1.5 * max(of_document, of_rater)
        crossed = n_raters < n_documents and both >= CROSSED * of_document * n_raters
        apart = both == n
        evenly = several and not apart and n % both == 0
        if evenly:
            group = f"key, {_as(rater, names)}, {_as(document, names)}"
            most = engine.query(f"SELECT max(n) AS n FROM (SELECT count(*) AS n FROM {rows} GROUP BY {group})")
            evenly = int(most["n"][0]) == n // both
        made.append(Pair(rater, document, n_documents, apart, several, evenly, crossed))
    return made


def _error(pair: Pair, layout: Layout, source: Source, engine: Engine) -> UnclearError:
    """The error that says what the two columns may be."""
    rater, document = pair.rater, pair.document
    kind: Kind = "rater" if names_rater(rater) else kind_of(rater) or "rater"
    told = told_of(rater, kind, source, engine, apart=True)
    each = {"item": f"{document}+{rater}"} | ({} if "cluster" in layout.asked else {"cluster": document})
    one: list[tuple[str, dict[str, str], dict[str, str]]] = [("the run", {"run": rater}, {})]
    found = one if names_run(rater) else ways(told, "", layout, {})
    found = [(called, {"item": document} | guess, options) for called, guess, options in found if "item" not in guess]
    _, guess, options = found[0]
    may_be = [
        f"'{document}' is the item and '{rater}' {as_told(found)}",
        f"each row is an item of its own ({mapped(each)})",
    ]
    if names_item(rater):
        guess, options = each, {}
        may_be.reverse()
    return UnclearError(
        f"no column is known as the item, and each of the {pair.n:,} texts of '{document}' stands in rows of several "
        f"'{rater}' ({listed_values(told)}): {'; or '.join(may_be)}",
        guess,
        options=options,
    )


def _as(name: str, names: Sequence[str]) -> str:
    return f"v{names.index(name)}"
