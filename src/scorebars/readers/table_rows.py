"""The rows of a table under our names: where its cells are, what plays which role, and the part that it becomes.

A file may be larger than memory: only the columns that play a role are kept.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from scorebars.contracts import Part
from scorebars.engines.duckdb import MANY_ROWS
from scorebars.engines.file_runs import FILE
from scorebars.engines.headers import may_weigh
from scorebars.engines.score_text import letters_beside
from scorebars.engines.training import names_epoch
from scorebars.errors import ReadError
from scorebars.readers.aggregates import one_number_a_group
from scorebars.readers.chats import with_questions
from scorebars.readers.columns import Layout, UnclearError, split_column
from scorebars.readers.counts import with_counts
from scorebars.readers.delimited import delimited_source
from scorebars.readers.faults import located
from scorebars.readers.filling import fill
from scorebars.readers.nul_bytes import refuse_nul_bytes
from scorebars.readers.saved_map import Saved, saved
from scorebars.readers.saved_map import place as saved_place
from scorebars.readers.score_lists import with_position
from scorebars.readers.selection import numbered_words, words_of
from scorebars.readers.sniff import DATABASES, kind_of
from scorebars.readers.sources import NoScores, Scratch, Source
from scorebars.readers.table_layout import layout_of, listings_of, refuse_told_apart_rows
from scorebars.readers.table_notes import notes_on, other_scores, said_of, spelled_twice, weighted, with_fallbacks

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scorebars.contracts import FileHead, Listing, Request
    from scorebars.engines.duckdb import Engine
    from scorebars.notes import Note
    from scorebars.readers.file_names import Named
    from scorebars.readers.filling import Filled

LARGE_BYTES: Final = 8 << 20
"""Files from this size on are kept in the engine's file, not in memory."""


def read_table(head: FileHead, request: Request, model: str, made: Source | None = None, *, alone: bool = True) -> Part:
    """The rows of one table under our names, as a temporary table of the request's engine.

    Large JSON lines are tried with the keys of their first records; whatever that cannot serve is read in full.

    Args:
        head: The file.
        request: What was asked.
        model: Its model, if no column says it.
        made: Where its cells are, if not in the file: the rows of a query. A mapping that was saved is of the file.
        alone: Whether no other file is read, which could hold copies of its rows.
    """
    if made is None and _keys_are_sampled(head):
        try:
            return _table(head, request, model, None, alone=alone, sampled=True)
        except ReadError:  # said better by the full reading, if it cannot serve either
            pass
    return _table(head, request, model, made, alone=alone, sampled=False)


def _keys_are_sampled(head: FileHead) -> bool:
    if kind_of(head) != "json":
        return False
    from scorebars.readers.json_table import keys_are_sampled

    return keys_are_sampled(head)


@dataclass(frozen=True, slots=True)
class _Taken:
    """A table whose rows stand under our names in the engine."""

    table: str
    source: Source
    layout: Layout
    filled: Filled
    listings: tuple[Listing, ...]
    kept: Saved
    categories: Mapping[str, float]
    words: tuple[str, ...]
    notes: tuple[Note, ...]


def _table(head: FileHead, request: Request, model: str, made: Source | None, *, alone: bool, sampled: bool) -> Part:
    with Scratch() as scratch:
        try:
            taken = _taken(head, request, model, made, scratch, alone=alone, sampled=sampled)
            _refuse_nul_bytes(head, made)
        except ReadError as error:
            _refuse_nul_bytes(head, made)  # which may be why
            raise located(error if made else _asked_next(error, head, request, model, alone=alone), head) from error
    return _on_one_scale(_part(head, taken, request.engine), taken, request)


def _refuse_nul_bytes(head: FileHead, made: Source | None) -> None:
    """Raise a ReadError where lines of delimited text were lost; when it was just read, it is in memory anyway."""
    if made is None and head.compression is None and kind_of(head) == "delimited":
        refuse_nul_bytes(head)


def _taken(
    head: FileHead, request: Request, model: str, made: Source | None, scratch: Scratch, *, alone: bool, sampled: bool
) -> _Taken:
    """The rows under our names; an error that says what stands in the way, not yet in which file."""
    engine = request.engine
    kept = Saved() if made else saved(head.path)
    categories = _categories(request.options.categories or {}, kept.categories)
    named = None if made else _named(head, request, kept)
    source = made or with_questions(_source(head, request, kept, scratch, sampled=sampled), head)
    source = _with_asked(named.added(source) if named else source, head, request, kept)
    model, where = named.model(model) if named else (model, f"the file's name ('{model}')")
    layout = layout_of(source, head, _with(request, categories), kept.columns, named, alone=alone)
    split = split_column(layout)
    if split or request.options.split is not None:
        from scorebars.readers.table_splits import on_split

        layout, source = on_split(source, layout, split, head, request, alone=alone)
    layout = with_fallbacks(layout, where)
    listings = listings_of(layout, source, head, request, model)
    table = engine.storage(_is_large(head, layout)) + engine.fresh_name("part")
    filled = fill(table, layout, source, model, head, engine, alone=alone)
    if sampled:
        _refuse_holes(table, engine)
    if sentence := one_number_a_group(layout, source, table, engine):
        raise NoScores(sentence)
    refuse_told_apart_rows(layout, filled, source, head, table, request)
    if "weight" in filled.roles:
        from scorebars.readers.weights import refuse_bad_weights

        refuse_bad_weights(layout, source, head, table, engine)
    words = _words(table, categories, engine)
    notes = (*source.notes, *spelled_twice(layout, source, head, engine), *weighted(table, layout, engine))
    notes += other_scores(layout, source, engine)
    if any(map(may_weigh, layout.ignored)):
        from scorebars.readers.weights import unused_weights

        notes += unused_weights(layout, source, engine)
    if layout.ignored and "model" not in layout.roles:
        from scorebars.readers.configurations import pooled_values

        notes += pooled_values(layout, source, engine)
    if any(map(names_epoch, (*layout.ignored, *layout.roles.get("run", ())))):
        from scorebars.readers.training_rows import epochs_as_runs

        notes += epochs_as_runs(layout, filled, source, table, engine)
    if layout.ignored and not layout.has_item:
        from scorebars.readers.unlabelled_totals import refuse_unlabelled_total

        refuse_unlabelled_total(layout, source, head, table, filled.n, engine)
    return _Taken(table, source, layout, filled, listings, kept, categories, words, notes)


def _refuse_holes(table: str, engine: Engine) -> None:
    """Raise a ReadError where a score is missing: later records may hold it under a key that the first ones lack."""
    if len(engine.query(f"SELECT 1 AS n FROM {table} WHERE score IS NULL LIMIT 1")["n"]):
        raise ReadError("the keys of all records are needed")


def _part(head: FileHead, taken: _Taken, engine: Engine) -> Part:
    """The part of a file, with what to say of it."""
    filled, layout, categories = taken.filled, taken.layout, taken.categories
    said = [pair for pair in (*taken.source.said, *said_of(layout)) if pair[0] not in filled.empty]
    said += [(role, "whole numbers, written without '.0'") for role in filled.whole]
    if taken.kept:
        said.insert(0, ("mapping", f"{saved_place(head.path).name}, as it was saved"))
    said += [("score", f"'{word}' as {value:g}") for word, value in categories.items() if word in taken.words]
    changed = {role: f"left({role}, -2) AS {role}" for role in filled.whole} | {"score": numbered_words(categories)}
    rows = f"SELECT {', '.join(changed.get(role, role) for role in filled.roles)}, rowid FROM {taken.table}"
    notes = (*taken.notes, *notes_on(layout, taken.table, engine, taken.listings))
    path = head.path.with_name(f"{head.path.name}#{head.member}") if head.member else head.path
    codes = (rows, filled.numbered)
    part = Part(
        path, "table", rows, tuple(said), notes=notes, words=taken.words, numbered=codes, listings=taken.listings
    )
    if layout.roles.get("item", ()) == (("position",) if "position" in taken.source.defaults.values() else ()):
        # Of long tables a note says the same, unless their rows are runs.
        part = replace(part, items_by_place=layout.wide or layout.has_item)
    return part


def _on_one_scale(part: Part, taken: _Taken, request: Request) -> Part:
    """The part with its scores normalised where that is asked for; of returns, what is known of their scales."""
    layout = taken.layout
    returns = not layout.wide and not layout.has_item and ("run" in layout.roles or bool(layout.runs))
    if not returns and request.options.normalize is None:
        return part
    from scorebars.readers.normalisation.in_sql import table_on_one_scale

    return table_on_one_scale(part, request, taken.filled.roles, returns=returns)


def _with_asked(source: Source, head: FileHead, request: Request, kept: Saved) -> Source:
    """The source with the columns that it has only because a mapping names them."""
    placed = with_position(source, kept.columns, request.columns)
    return with_counts(placed, kept.columns, request.columns, head.path)


def _named(head: FileHead, request: Request, kept: Saved) -> Named | None:
    """What the file's name says, where it was asked."""
    if FILE not in request.columns and FILE not in kept.columns:
        return None
    from scorebars.readers.file_names import by_name

    return by_name(head.path, request.columns, kept.columns)


def _is_large(head: FileHead, layout: Layout) -> bool:
    """Whether what is kept of a file may not fit in memory. A compressed file is larger than it looks.

    Of long rows, such as answers with their scores, little is kept: their number is told from the first lines.
    """
    if head.size <= (LARGE_BYTES if head.compression is None else LARGE_BYTES // 8):
        return False
    several = layout.wide or layout.several or layout.lists
    if several or head.compression is not None or kind_of(head) not in {"json", "delimited"}:
        return True
    return head.size // (len(head.head) // max(1, head.head.count(b"\n"))) > MANY_ROWS


def _categories(typed: Mapping[str, float], kept: Mapping[str, float]) -> dict[str, float]:
    """The numbers of words: those that were saved, but for the words that are typed."""
    spelled = {word.strip().lower() for word in typed}
    return {word: number for word, number in kept.items() if word.strip().lower() not in spelled} | dict(typed)


def _words(table: str, categories: Mapping[str, float], engine: Engine) -> tuple[str, ...]:
    """The words of the scores, if some have numbers; a letter for right or wrong among other words needs one too."""
    words = words_of(table, categories, engine) if categories else ()
    if sentence := letters_beside(categories, words):
        raise ReadError(sentence)
    return words


def _with(request: Request, categories: Mapping[str, float]) -> Request:
    """The request with these numbers of words."""
    return replace(request, options=replace(request.options, categories=categories)) if categories else request


def _source(head: FileHead, request: Request, kept: Saved, scratch: Scratch, *, sampled: bool) -> Source:
    """Where the cells of a file are; what a CSV does not need is not even imported for one."""
    kind, engine = kind_of(head), request.engine
    if kind == "json":
        from scorebars.readers.json_table import json_source

        asked = request.columns.get("score") or kept.columns.get("score", "")
        return json_source(head, engine, sampled=sampled, asked=asked.split("+"))
    if kind in DATABASES:
        from scorebars.readers.database import database_source

        return database_source(head, engine)
    if kind in {"parquet", "arrow", "excel"}:
        from scorebars.readers.columnar import columnar_source

        return columnar_source(kind, head, engine, scratch)
    return delimited_source(head, scratch)


def _asked_next(error: ReadError, head: FileHead, request: Request, model: str, *, alone: bool) -> ReadError:
    """The error with all that there is to choose, if its proposal leaves something open."""
    if not isinstance(error, UnclearError):
        return error
    from scorebars.readers.proposals import asked_next

    return asked_next(error, head, request, lambda other: _table(head, other, model, None, alone=alone, sampled=False))
