"""``read``: files in, one score table out.

Paths become files, each file goes to the reader that knows its content, the parts that the readers hand back become one
:class:`~scorebars.scores.Scores`. What was skipped, relabelled and dropped is kept with it.
"""

from __future__ import annotations

import os
import weakref
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scorebars.contracts import Part, Request
from scorebars.engines.duckdb import Engine
from scorebars.engines.file_runs import FILE, crossed_files, files_as_runs, folders_as_runs
from scorebars.engines.headers import mapped
from scorebars.errors import ArgumentError, ReadError, ScoresError
from scorebars.notes import Note, note
from scorebars.readers import READERS, load, official
from scorebars.readers.arguments import grouped, labelled_paths, left_out
from scorebars.readers.asked import asked, refuse_idle, unmet_words
from scorebars.readers.detect import Skipped, skipped_at_read
from scorebars.readers.files import Spool, expand, shown
from scorebars.readers.saved_map import Saved, check_asked, columns_typed, saving
from scorebars.readers.unclustered import NO_CLUSTER, without_clusters
from scorebars.scores import Scores

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from scorebars.contracts import ReadOptions
    from scorebars.readers.arguments import Group, PathLike, Paths
    from scorebars.readers.detect import Assigned

    Progress = Callable[[int, int, Path], None]


def read(  # noqa: PLR0913 - one argument a choice
    paths: Paths | Mapping[str, Paths],
    *,
    metric: str | None = None,
    variant: str | None = None,
    columns: Mapping[str, str] | None = None,
    cluster: str | None = None,
    on_error: str | None = None,
    duplicates: str | None = None,
    labels: Mapping[str, PathLike] | None = None,
    range: tuple[float, float] | None = None,  # noqa: A002 - the word of this field, as in Scores(range=…)
    items: PathLike | Sequence[str] | None = None,
    normalize: str | None = None,
    at: str | None = None,
    dates: str | None = None,
    split: str | None = None,
    categories: Mapping[str, float] | None = None,
    latest: bool = False,
    repeats_as_runs: bool = False,
    without: Paths = (),
    sql: str | None = None,
    save_map: bool = False,
    force: bool = False,
    progress: Progress | None = None,
) -> Scores:
    r"""Read result files as one score table; the format of each is judged by its content.

    Args:
        paths: A file, a folder (all below it), a glob, ``"-"`` for standard input, or a list of these. A dict names
            the models: ``{"base": "a.eval", "cand": "b.eval"}``; a file with several models gives ``"base/MODEL"``.
        metric: Which metric, where the files have several.
        variant: Which variant (filter, prompt), where the files have several.
        columns: Role -> column, where the headers do not say it: ``{"item": "qid", "model": "agent+model"}``.
        cluster: The column, or field (``"metadata.passage"``), that says which items belong together; ``"none"``: items
            are unrelated, whatever clusters the files have.
        on_error: What becomes of attempts without a score: "wrong", "drop" or "fail"; None is the producer's rule.
        duplicates: Which of two rows for one attempt counts: "first", "last" or "fail".
        labels: Label -> path among ``paths``; the models of that path get the label as their name.
        range: Lowest and highest possible score.
        items: All item ids, or a file of them (one a line), where files list only the solved ones (SWE-bench).
        normalize: 'ale57', 'procgen-easy', 'procgen-hard', 'dmc' or a file of reference scores, for raw RL scores.
        at: Which point of a learning curve is the score: 'final', 'mean:10' (of the last ten) or 'step:1e6'.
        dates: Only items of these days, 'FIRST..LAST' (LiveCodeBench's contest dates).
        split: Which split of the data set counts, where a file has several (HELM, MTEB).
        categories: Numbers of scores that are words: ``{"partial": 0.5, "good": 1}``; a word that no score is, is an
            error.
        latest: Of several logs of the same model and task, only the newest counts.
        repeats_as_runs: Several logs of the same model and task are further runs of it.
        without: A file, or a list of files, that is not read although a path leads to it.
        sql: One SELECT whose rows are the table. Each file is a view by its stem, and ``data`` where there is one; the
            tables of a database file go by their names. Nothing but the named files is read, and nothing written.
        save_map: Leave ``columns``, ``cluster`` and ``categories`` beside each table (``scores.csv.scorebars.toml``),
            where they are used from then on.
        force: Replace a mapping that was saved before.
        progress: Called with (files done, files, path) before each file; silent without.

    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "scores.csv"
    >>> _ = path.write_text("model,item,score\nA,1,1\nA,2,0\n")
    >>> read(path).models
    ('A',)
    """
    options = asked(
        items=items,
        normalize=normalize,
        at=at,
        dates=dates,
        split=split,
        categories=categories,
        latest=latest,
        repeats_as_runs=repeats_as_runs,
    )
    if save_map:
        check_asked(columns, options.categories, sql)
    arguments, named = labelled_paths(paths, labels), dict(columns or {})
    spool = Spool()
    try:
        groups, skipped = ([], []) if sql is not None else grouped(arguments, named, spool, left_out(without))
        _refuse_idle(options, groups, queried=sql is not None)
        engine = Engine()
    except BaseException:
        spool.close()
        raise
    weakref.finalize(engine, spool.close)
    none = cluster == NO_CLUSTER
    request = Request(named, None if none else cluster, engine, options, no_clusters=none, metric=metric)
    if sql is None:
        parts = _with_skipped(_read(groups, request, progress), skipped)
    else:
        queried = _queried(arguments, sql, request, spool)
        parts = [replace(queried, official=_official(queried))]
    if none:
        parts = [without_clusters(part, engine) for part in parts]
    rules = {"on_error": on_error, "range": range, "duplicates": duplicates or "fail"}
    scores = _chosen(parts, request, rules, metric, variant)
    if save_map:
        typed = Saved(columns_typed(columns, request.cluster), options.categories or {})
        saving(parts, typed, force=force).write()
    return scores


def _refuse_idle(options: ReadOptions, groups: Sequence[Group], *, queried: bool) -> None:
    """Refuse an option that none of the readers honours; the rows of a query are a table."""
    files = [file for group in groups for file in group.files]
    if files and all(file.head.head.strip() in {b"", b"[]", b"{}"} for file in files):
        return  # reading says that they are empty
    taken = {"table": "the query"} if queried else {file.reader: shown(file.head.path) for file in files}
    refuse_idle(options, taken, [file.head.path for file in files if file.reader == "table"])


def _read(groups: Sequence[Group], request: Request, progress: Progress | None) -> list[Part]:
    """The parts of all groups, under their labels."""
    made: list[Part] = []
    for group in groups:
        others = [file for other in groups if other.label is not None for file in other.files]
        parts = _parts(group, request, progress, others if group.label is None else ())
        if group.label is not None:
            from scorebars.readers.labelling import labelled

            parts = labelled(group.label, parts, request.engine)
        made += parts
    return made


def _parts(group: Group, request: Request, progress: Progress | None, others: Sequence[Assigned]) -> list[Part]:
    """The parts of a group in the order of its files, whichever reader made them; the others have labels."""
    order: dict[Path, int] = {}
    for place, assigned in enumerate(group.files):
        order.setdefault(assigned.head.path, place)
        order[assigned.head.path.with_name(f"{assigned.head.path.name}#{assigned.head.member}")] = place
    parts: list[Part] = []
    used = {assigned.reader for assigned in group.files}
    for name in (*(name for name in READERS if name in used), *sorted(used - READERS.keys())):
        heads = [assigned.head for assigned in group.files if assigned.reader == name]
        if progress:
            progress(len(parts), len(group.files), heads[0].path)
        beside = tuple(other.head.path for other in others if other.reader == name)
        for part in load(name).read(heads, replace(request, beside=beside) if beside else request):
            parts.append(part)
            if progress:
                progress(len(parts), len(group.files), part.path)
    parts.sort(key=lambda part: order.get(part.path, len(order)))
    if request.options.latest or request.options.repeats_as_runs:
        from scorebars.readers.repeated import as_runs, newest

        parts = (newest if request.options.latest else as_runs)(parts, request.engine)
    parts = _compared(parts)
    # Errors and --explain name standard input, not the temporary file that it is kept in.
    return [replace(part, path=Path(shown(part.path)), official=_official(part)) for part in parts]


def _official(part: Part) -> str:
    """What its official tool does with attempts without a score; a file without scores has no reader to ask."""
    return part.official or (official(part.reader) if part.reader else "")


def _compared(parts: list[Part]) -> list[Part]:
    """The parts, with a note where logs of one model and task say that they were made with other settings."""
    if len(dict.fromkeys(one for part in parts for one in part.settings)) < 2:
        return parts
    from scorebars.readers.other_settings import with_other_settings

    return with_other_settings(parts)


def _with_skipped(parts: Sequence[Part], skipped: Sequence[Skipped]) -> list[Part]:
    """The parts that hold scores, with a note on each file that was skipped, now or when it was judged."""
    kept = [part for part in parts if part.reader]
    late = [skipped_at_read(ReadError(part.unusable[0][1]), part.path) for part in parts if not part.reader]
    if not kept and late:
        raise ReadError(next(part.unusable[0][1] for part in parts))
    said = [note("skipped-file", path=shown(one.path), reason=one.reason) for one in (*skipped, *late)]
    if len(kept) > 1:
        said += [*_copies(kept), *_runs(kept)]
    if kept:
        kept[0] = replace(kept[0], notes=(*said, *kept[0].notes))
    return kept


def _copies(parts: Sequence[Part]) -> list[Note]:
    """A note on files with the same bytes: each of them counts, and may be one result given twice."""
    from scorebars.engines.same_bytes import same_bytes

    groups = same_bytes(str(part.path) for part in parts)
    n = sum(map(len, groups))
    return [note("copied-files", n=n, names=" and ".join(groups[0][:2]) + (", …" if n > 2 else ""))] if groups else []


def _runs(parts: Sequence[Part]) -> list[Note]:
    """A note on tables that count as models, and whose names are those of runs."""
    tables, folders = files_as_runs(parts), folders_as_runs(parts)
    if tables is None and folders is None:
        return _tasks(parts)
    names = tables[1] if tables else folders or ()
    return [
        note(
            "repeats-as-models",
            n=len(names),
            what="tables" if tables else "logs",
            names=f"'{names[0]}', '{names[1]}'",
            remedy=mapped({FILE: tables[0]} if tables else {"model": "folder"}),
        )
    ]


def _tasks(parts: Sequence[Part]) -> list[Note]:
    """A note on tables that count as models, and whose names may be those of models and tasks.

    Where they are 'gpt_base' and 'gpt_chat' they are models as likely as not: those are left to ``doctor``.
    """
    found = crossed_files(parts)
    if found is None:
        return []
    if found.sign in "_-":
        from scorebars.readers.aggregates import names_benchmark

        if not any(map(names_benchmark, (*found.before, *found.behind))):
            return []
    return [note("tasks-as-models", fact=found.fact, remedy=found.remedy)]


def _queried(arguments: Sequence[tuple[str | None, PathLike]], sql: str, request: Request, spool: Spool) -> Part:
    """The rows of a query over all files that were named."""
    from scorebars.readers.sql import read_sql

    if FILE in request.columns:
        pattern = f"{FILE}={request.columns[FILE]}"
        raise ArgumentError(f"--map {pattern} is for files; with --sql the query names model, task and run")
    for label, path in arguments:
        if label is not None:
            raise ArgumentError(f"'{os.fspath(path)}' has the label '{label}'; with SQL the query names the models")
    files = [file for _, path in arguments for file in expand(path, spool)]
    return read_sql(list(dict.fromkeys(files)), sql, request)


def _chosen(
    parts: Sequence[Part], request: Request, rules: Mapping[str, Any], metric: str | None, variant: str | None
) -> Scores:
    """The table of the parts, under rules, with one metric and variant.

    Raises:
        ScoresError: No row meets the choices; or a word that the user gave a number is no score, which is said first
            where it is nearly one, and hands over the table else.
    """
    unmet = None if request.options.categories is None else unmet_words(request.options, parts)
    try:
        scores = Scores.from_parts(parts, request.engine).with_options(**rules).select(metric=metric, variant=variant)
    except ScoresError:
        if unmet is not None and unmet.near:
            raise unmet from None
        raise
    if unmet is not None:
        unmet.scores = scores
        raise unmet
    return scores
