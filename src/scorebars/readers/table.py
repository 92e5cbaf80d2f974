"""Tables: CSV, TSV, JSON, JSON Lines, Parquet, plain or compressed, long (one attempt a row) or wide (item × model).

DuckDB does the work, so a file may be larger than memory: only the columns that play a role are kept, under our names.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from scorebars.contracts import Part
from scorebars.engines.arms import may_be_arms
from scorebars.engines.duckdb import MANY_ROWS
from scorebars.engines.file_runs import FILE
from scorebars.engines.headers import less_is_better, mapped
from scorebars.engines.score_text import letters_beside
from scorebars.errors import ReadError
from scorebars.notes import NAME_ITEM, note
from scorebars.readers.aggregates import one_number_a_group
from scorebars.readers.chats import with_questions
from scorebars.readers.columns import Layout, NoColumnError, UnclearError, arrange, check_levels, explicit, split_column
from scorebars.readers.counts import with_counts
from scorebars.readers.crossing import refuse_unnamed_model
from scorebars.readers.files import names_for
from scorebars.readers.filling import fill
from scorebars.readers.saved_map import Saved, check_fits, saved
from scorebars.readers.saved_map import place as saved_place
from scorebars.readers.score_columns import with_scores
from scorebars.readers.score_lists import with_position
from scorebars.readers.selection import numbered_words, words_of
from scorebars.readers.sniff import DATABASES, SELF_DESCRIBED, kind_of
from scorebars.readers.sources import (
    NoScores,
    Scratch,
    Source,
    delimited_source,
    located,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from scorebars.contracts import FileHead, Listing, Request
    from scorebars.engines.duckdb import Engine
    from scorebars.notes import Note
    from scorebars.readers.file_names import Named
    from scorebars.readers.filling import Filled

LARGE_BYTES: Final = 8 << 20
"""Files from this size on are kept in the engine's file, not in memory."""
PACKED: Final = 8
"""How many times larger a compressed file is than it looks."""
NUMBERED_BYTES: Final = 16 << 20
"""Files up to this size are looked through for other ids than the numbers of their rows."""
SPELLED_BYTES: Final = 2 << 20
"""Files up to this size are looked through again for models that differ only in blanks."""


_ELSEWHERE: Final = (
    "if only another file has it, keep the mapping beside that one "
    "(scorebars estimate FILE --map {role}=COLUMN --save-map) and leave it out here"
)


class TableReader:
    """The reader of generic tables; the last in the list, since every other format could be taken for one."""

    @property
    def name(self) -> str:
        """'table'."""
        return "table"

    def claims(self, head: FileHead) -> bool:
        """Whether the head is Parquet, JSON or delimited text."""
        return kind_of(head) in SELF_DESCRIBED | {"json", "delimited"}

    def read(self, heads: Sequence[FileHead], request: Request) -> Iterator[Part]:
        """One part a file; a file without a model column is one model, named by the file."""
        from scorebars.readers.small import largest, small_part

        names, most, alone = names_for(head.path for head in heads), largest(heads), len(heads) == 1
        for head in heads:
            try:
                model = head.member or names[head.path]
                small = small_part(head, request, model, most=most, alone=alone)
                yield small or read_table(head, request, model, alone=alone)
            except NoColumnError as error:
                if not head.explicit and (reason := _no_scores_anyway(head, request, model)):
                    yield Part(head.path, "", {}, (), unusable=(("", reason),))
                    continue
                from scorebars.readers.file_names import names_asked

                meant = names_asked(request.columns, names)
                if len(heads) == 1 and not meant:
                    raise
                remedy = meant or _ELSEWHERE.format(role=error.role)
                raise NoColumnError(f"{error}; {remedy}", error.role) from error
            except NoScores as error:
                if head.explicit:
                    raise
                yield Part(head.path, "", {}, (), unusable=(("", str(error)),))


def _no_scores_anyway(head: FileHead, request: Request, model: str) -> str:
    """Why a file that was met holds no scores, whatever columns were asked for; "" where it may hold some."""
    try:
        read_table(head, replace(request, columns={}, cluster=None), model)
    except NoScores as error:
        return str(error)
    except ReadError:
        return ""
    return ""


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


def _table(head: FileHead, request: Request, model: str, made: Source | None, *, alone: bool, sampled: bool) -> Part:
    engine = request.engine
    with Scratch() as scratch:
        try:
            kept = Saved() if made else saved(head.path)
            categories = _categories(request.options.categories or {}, kept.categories)
            named = None if made else _named(head, request, kept)
            source = made or with_questions(_source(head, request, kept, scratch, sampled=sampled), head)
            source = _with_asked(named.added(source) if named else source, head, request, kept)
            model, where = named.model(model) if named else (model, f"the file's name ('{model}')")
            layout = _with_fallbacks(_layout(source, head, _with(request, categories), kept.columns, named), where)
            split = split_column(layout)
            if split or request.options.split is not None:
                from scorebars.readers.table_splits import on_split

                layout, source = on_split(source, layout, split, head, request, alone=alone)
            listings = _listings(layout, source, head, request, model)
            table = engine.storage(_is_large(head, layout)) + engine.fresh_name("part")
            filled = fill(table, layout, source, model, head, engine, alone=alone)
            if sentence := one_number_a_group(layout, source, table, engine):
                raise NoScores(sentence)
            _refuse_told_apart(layout, filled, source, head, table, request)
            words = _words(table, categories, engine)
            spelled = _spelled_twice(layout, source, head, engine)
        except ReadError as error:
            raise located(error if made else _asked_next(error, head, request, model, alone=alone), head) from error
    said = [pair for pair in (*source.said, *_said(layout)) if pair[0] not in filled.empty]
    said += [(role, "whole numbers, written without '.0'") for role in filled.whole]
    if kept:
        said.insert(0, ("mapping", f"{saved_place(head.path).name}, as it was saved"))
    said += [("score", f"'{word}' as {value:g}") for word, value in categories.items() if word in words]
    changed = {role: f"left({role}, -2) AS {role}" for role in filled.whole} | {"score": numbered_words(categories)}
    notes = (*source.notes, *spelled, *_notes(layout, table, engine, listings))
    path = head.path.with_name(f"{head.path.name}#{head.member}") if head.member else head.path
    rows = f"SELECT {', '.join(changed.get(role, role) for role in filled.roles)}, rowid FROM {table}"
    codes = (rows, filled.numbered)
    part = Part(path, "table", rows, tuple(said), notes=notes, words=words, numbered=codes, listings=listings)
    if layout.roles.get("item", ()) == (("position",) if "position" in source.defaults.values() else ()):
        # Of long tables a note says the same, unless their rows are runs.
        part = replace(part, items_by_place=layout.wide or layout.has_item)
    returns = not layout.wide and not layout.has_item and ("run" in layout.roles or bool(layout.runs))
    if not returns and request.options.normalize is None:
        return part
    from scorebars.readers.normalisation.in_sql import table_on_one_scale

    return table_on_one_scale(part, request, filled.roles, returns=returns)


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


def _layout(source: Source, head: FileHead, request: Request, kept: Mapping[str, str], named: Named | None) -> Layout:
    """Which column plays which role; what is unclear is an error with a proposal below it.

    What the user says goes before the saved mapping, that before the headers.
    """
    own = {role: text for role, text in kept.items() if role not in request.columns}
    try:
        given = explicit(named.columns(own) if named else own, None, source.names)
    except ReadError as error:
        raise check_fits(own, head.path, error) from error
    columns = named.columns(request.columns) if named else request.columns
    given |= explicit(columns, request.cluster, source.names)
    arranged = None
    try:
        arranged = arrange(source.names, given, source.defaults)
        check_levels(arranged, source.levels)
        _refuse_crossed(arranged, source)
        if kind_of(head) == "json":
            from scorebars.readers.inner_models import refuse_inner_models

            refuse_inner_models(arranged, source, request.engine)
        decided = with_scores(arranged, source, head, request)
        refuse_unnamed_model(decided, source, request.engine)
    except UnclearError as error:
        if arranged is not None and not (arranged.scores or arranged.asked or arranged.spread):
            from scorebars.readers.unnamed_scores import as_long

            error = as_long(error, arranged, source, request.engine)
        if arranged is None and "item" in error.guess:
            from scorebars.readers.which_item import with_repeating

            error = with_repeating(error, source, {name for names in given.values() for name in names}, request.engine)
        raise _with_proposal(error, source, head, request) from None
    return decided


def _refuse_crossed(layout: Layout, source: Source) -> None:
    """Raise an UnclearError where the keys that would be models look like items, and nothing was asked of them."""
    if source.crossed and not {"model", "item"} & layout.asked:
        as_is = mapped({"model": "key", "item": "inner_key"})
        sentence = f"{source.crossed}: which are the models? (If the outer ones are: {as_is})"
        raise UnclearError(sentence, {"model": "inner_key", "item": "key"})


def _refuse_told_apart(
    layout: Layout, filled: Filled, source: Source, head: FileHead, table: str, request: Request
) -> None:
    """Raise an error with a proposal where an unknown column tells the rows of an attempt, or of a model, apart.

    So do groups that nobody called clusters, where they are arms.
    """
    groups = () if "cluster" in layout.asked else layout.roles.get("cluster", ())
    arms = any(map(may_be_arms, groups))
    if not (layout.ignored or layout.no_models or "run" in layout.roles or arms):
        return
    from scorebars.readers.configurations import refuse_configurations

    try:
        if arms:
            from scorebars.readers.arms import refuse_arms

            refuse_arms(layout, filled, source, table, request.engine, no_clusters=request.no_clusters)
        if filled.repeats is not False:
            from scorebars.readers.told_apart import refuse_told_apart

            refuse_told_apart(layout, filled, source, table, request.engine)
        refuse_configurations(layout, source, request.engine)
    except UnclearError as error:
        raise _with_proposal(error, source, head, request) from None


def _with_proposal(error: UnclearError, source: Source, head: FileHead, request: Request) -> UnclearError:
    """The error with what may be typed below it."""
    from scorebars.readers.proposals import proposal

    guess = {role: text for role, text in request.columns.items() if role not in error.guess} | error.guess
    error.add_note(proposal(head, source, guess, request.engine, error.options))
    return error


def _asked_next(error: ReadError, head: FileHead, request: Request, model: str, *, alone: bool) -> ReadError:
    """The error with all that there is to choose, if its proposal leaves something open."""
    if not isinstance(error, UnclearError):
        return error
    from scorebars.readers.proposals import asked_next

    return asked_next(error, head, request, lambda other: _table(head, other, model, None, alone=alone, sampled=False))


def _listings(layout: Layout, source: Source, head: FileHead, request: Request, model: str) -> tuple[Listing, ...]:
    """What may be the ids of rows that have none; where they say that rows are attempts, an error with a proposal."""
    if (
        not layout.ignored
        or layout.items
        or layout.placed == "item"
        or (layout.has_item and not _may_number_rows(layout, head))
    ):
        return ()
    from scorebars.readers.unnamed_items import listings

    try:
        return listings(layout, source, model, request.engine, _n_rows(head))
    except UnclearError as error:
        raise _with_proposal(error, source, head, request) from None


def _n_rows(head: FileHead) -> int:
    """About how many rows a file has, by its first lines."""
    line = len(head.head) // max(1, head.head.count(b"\n"))
    return head.size // max(1, line) * (1 if head.compression is None else PACKED)


def _may_number_rows(layout: Layout, head: FileHead) -> bool:
    """Whether a known item may be a mere number of the row, in a file small enough to be looked through again."""
    named = layout.roles["item"]
    plain = len(named) == 1 and "item" not in layout.asked
    return plain and head.size <= (NUMBERED_BYTES if head.compression is None else NUMBERED_BYTES // 8)


def _notes(layout: Layout, table: str, engine: Engine, listings: Sequence[Listing]) -> tuple[Note, ...]:
    """What to say of how the table was taken."""
    # The names of metrics are looked at where metrics are told apart.
    turned = () if layout.several else tuple(name for name in dict.fromkeys(layout.scores) if less_is_better(name))
    found: tuple[Note, ...] = (note("less-is-better", names=_listed(turned)),) if turned else ()
    if (
        layout.roles.get("model") == ("key",)
        and layout.roles.get("item") == ("position",)
        and "model" not in layout.asked
    ):
        found += (note("keys-as-models", names=_listed(engine.distinct(f"SELECT model FROM {table}", "model"))),)
    if layout.listed:
        from scorebars.readers.score_lists import remedy_of_runs

        found += (note("lists-as-runs", names=_listed(layout.listed), remedy=remedy_of_runs(layout)),)
    if layout.roles.get("item") == ("inner_key",) and not {"model", "item"} & layout.asked:
        found += _crossed(table, engine)
    if layout.wide:
        from scorebars.readers.wide import wide_notes

        return (*found, *wide_notes(layout))
    return found if layout.has_item else (*found, *_rows_as_items(table, engine, listings))


def _crossed(table: str, engine: Engine) -> tuple[Note, ...]:
    """The note that the keys taken for models may be items."""
    from scorebars.readers.json_keyed import may_be_crossed

    models, items = (engine.distinct(f"SELECT {role} FROM {table}", role) for role in ("model", "item"))
    if not may_be_crossed(models, items):
        return ()
    return (note("keys-crossed", n=len(models), names=_listed(models[:3]), inner=_listed(items[:3])),)


def _spelled_twice(layout: Layout, source: Source, head: FileHead, engine: Engine) -> tuple[Note, ...]:
    """``blanks-around`` where two models differ only in blanks around them, and so are one."""
    names = layout.roles.get("model", ())
    if len(names) != 1 or head.size > (SPELLED_BYTES if head.compression is None else SPELLED_BYTES // 8):
        return ()
    models = f"SELECT DISTINCT w0 AS text, trim(w0) AS bare FROM ({source.scan(names)}) WHERE trim(w0) <> ''"
    twice = "QUALIFY count(*) OVER (PARTITION BY bare) > 1 ORDER BY bare, text"
    found = engine.query(f"SELECT text, bare FROM ({models}) {twice}")
    texts: dict[str, list[str]] = {}
    for text, bare in zip(found["text"].tolist(), found["bare"].tolist(), strict=True):
        texts.setdefault(bare, []).append(text)
    return tuple(note("blanks-around", names=_listed(alike), model=bare) for bare, alike in texts.items())


def _rows_as_items(table: str, engine: Engine, listings: Sequence[Listing]) -> tuple[Note, ...]:
    """The note that rows are items; none where the rows of a model are told apart by their task and run."""
    found = engine.query(f"SELECT count(DISTINCT source_row) AS n, count(DISTINCT item) AS items FROM {table}")
    if found["items"][0] <= 1:
        return ()
    named = sorted((one for one in listings if not one.is_unnamed), key=lambda one: one.counts_rows)
    likely = next((one.column for one in named), None)
    remedy = f"if '{likely}' says which item a row is: {mapped({'item': likely})}" if likely else NAME_ITEM
    return (note("rows-as-items", n=int(found["n"][0]), remedy=remedy),)


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


def _with_fallbacks(layout: Layout, where: str) -> Layout:
    """Say where model and item come from when no column holds them."""
    said = list(layout.said)
    if "model" not in layout.roles and not layout.wide:
        said.append(("model", where))
    if not layout.has_item:
        is_row = layout.wide and "run" not in layout.roles
        said.append(("item", "the row's number" + ("" if is_row else " within its model, task and run")))
    if layout.several:
        said.append(("metric", "the headers of " + _listed(tuple(dict.fromkeys(layout.metrics)))))
    elif layout.metric:
        said += [("metric", f"the header '{layout.metric}'"), ("score", f"column '{layout.scores[0]}'")]
    elif layout.spread:
        said.append(("score", "the cells of these columns"))
    elif not layout.wide and not any(role == "score" for role, _ in said):
        said.append(("score", f"column '{layout.scores[0]}'"))
    return replace(layout, said=tuple(said))


def _said(layout: Layout) -> tuple[tuple[str, str], ...]:
    if not layout.ignored:
        return layout.said
    return (*layout.said, ("ignored", _listed(layout.ignored)))


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - 12} more" if len(names) > 12 else ""
    return ", ".join(f"'{name}'" for name in names[:12]) + more
