"""Which column of a table plays which role; what is unclear is an error with a proposal below it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from scorebars.engines.arms import may_be_arms
from scorebars.engines.headers import mapped
from scorebars.engines.training import names_step, names_stride
from scorebars.errors import ReadError, Remedy
from scorebars.readers.columns import Layout, UnclearError, arrange, check_levels, explicit
from scorebars.readers.crossing import refuse_unnamed_model
from scorebars.readers.files import shown
from scorebars.readers.saved_map import check_fits
from scorebars.readers.score_columns import with_scores
from scorebars.readers.sniff import kind_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scorebars.contracts import FileHead, Listing, Request
    from scorebars.engines.duckdb import Engine
    from scorebars.readers.file_names import Named
    from scorebars.readers.filling import Filled
    from scorebars.readers.sources import Source

PACKED: Final = 8
"""How many times larger a compressed file is than it looks."""
PREFIXED_BYTES: Final = 2 << 20
"""Bytes up to which ids that are a text and the number of a row are looked at so too; most are those of data sets."""
NUMBERED_BYTES: Final = 16 << 20
"""Files up to this size are looked through for other ids than the numbers of their rows."""


def layout_of(
    source: Source, head: FileHead, request: Request, kept: Mapping[str, str], named: Named | None, *, alone: bool
) -> Layout:
    """Which column plays which role; what is unclear is an error with a proposal below it.

    What the user says goes before the saved mapping, that before the headers. What the rows of this file say of two
    columns for one role, those of another may deny, so that it counts where no other is read.
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
        arranged = _arranged(source, given, request.engine, alone=alone)
        check_levels(arranged, source.levels)
        _refuse_crossed(arranged, source)
        if kind_of(head) == "json":
            from scorebars.readers.inner_models import refuse_inner_models

            refuse_inner_models(arranged, source, head, request.engine)
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


def _arranged(source: Source, given: Mapping[str, tuple[str, ...]], engine: Engine, *, alone: bool) -> Layout:
    """The roles by the headers; of two columns for one role, that which the rows say adds nothing has none."""
    try:
        return arrange(source.names, given, source.defaults)
    except UnclearError:
        if not alone:
            raise
        from scorebars.engines.belonging import idle_claims
        from scorebars.readers.settled import Counts

        taken = {name for names in given.values() for name in names} | set(source.defaults.values())
        known = {role: (name,) for role, name in source.defaults.items()} | dict(given)
        free = [name for name in source.names if name and name not in taken]
        idle = idle_claims(free, known, Counts(source, engine))
        if not idle:
            raise
        return arrange(source.names, given, source.defaults, idle)


def _refuse_crossed(layout: Layout, source: Source) -> None:
    """Raise an UnclearError where the keys that would be models look like items, and nothing was asked of them."""
    if source.crossed and not {"model", "item"} & layout.asked:
        as_is = mapped({"model": "key", "item": "inner_key"})
        sentence = f"{source.crossed}: which are the models? (If the outer ones are: {as_is})"
        raise UnclearError(sentence, {"model": "inner_key", "item": "key"})


def refuse_told_apart_rows(
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
        if any(names_step(name) or names_stride(name) for name in (*layout.ignored, *layout.roles.get("run", ()))):
            from scorebars.readers.training_rows import refuse_training

            refuse_training(layout, source, table, request.engine)
        if filled.repeats is not False:
            from scorebars.readers.told_apart import refuse_told_apart

            refuse_told_apart(layout, filled, source, table, request.engine)
            from scorebars.readers.same_question import refuse_same_questions

            refuse_same_questions(layout, filled, source, table, request.engine)
        refuse_configurations(layout, source, request.engine)
        from scorebars.readers.partly_filled import refuse_partly_filled

        refuse_partly_filled(layout, source, request.engine)
        if not layout.has_item:
            from scorebars.readers.swept import refuse_swept

            refuse_swept(layout, source, filled.n, request.engine)
    except UnclearError as error:
        raise _with_proposal(error, source, head, request) from None


def listings_of(layout: Layout, source: Source, head: FileHead, request: Request, model: str) -> tuple[Listing, ...]:
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
        return listings(layout, source, model, request.engine, _n_rows(head), prefixed=_is_within(head, PREFIXED_BYTES))
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
    return plain and _is_within(head, NUMBERED_BYTES)


def _is_within(head: FileHead, size: int) -> bool:
    """Whether a file, decompressed, has about so many bytes at most."""
    return head.size <= (size if head.compression is None else size // 8)


def _with_proposal(error: UnclearError, source: Source, head: FileHead, request: Request) -> UnclearError:
    """The error with what may be typed below it."""
    from scorebars.readers.proposals import proposal

    guess = {role: text for role, text in request.columns.items() if role not in error.guess} | error.guess
    said = proposal(head, source, guess, request.engine, error.options)
    if "score" not in request.columns and not shown(head.path).startswith("<"):
        from scorebars.readers.classes import of_classes

        if found := of_classes(source, request.columns, request.engine):
            said = said if isinstance(said, Remedy) else Remedy(said, shown(head.path), {})
            said.instead = found
    error.add_note(said)
    return error
