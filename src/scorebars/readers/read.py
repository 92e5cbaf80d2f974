"""``read``: files in, one score table out.

Paths become files, each file goes to the reader that knows its content, the parts that the readers hand back become one
:class:`~scorebars.scores.Scores`. What was skipped, relabelled and dropped is kept with it.
"""

from __future__ import annotations

import os
import weakref
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from scorebars.contracts import Part, Request, with_models
from scorebars.engines.duckdb import Engine, literal
from scorebars.engines.file_runs import FILE, files_as_runs
from scorebars.engines.headers import mapped
from scorebars.errors import ArgumentError, ReadError, ScoresError, near_miss
from scorebars.notes import Note, note
from scorebars.readers import READERS, load
from scorebars.readers.asked import asked, refuse_idle, unmet_words
from scorebars.readers.detect import Assigned, Skipped, assign, skipped_at_read
from scorebars.readers.files import Found, Spool, expand, shown
from scorebars.readers.saved_map import Saved, check_asked, columns_typed, saving
from scorebars.readers.unclustered import NO_CLUSTER, without_clusters
from scorebars.scores import Scores

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    PathLike = str | os.PathLike[str]
    Paths = PathLike | Sequence[PathLike]
    Progress = Callable[[int, int, Path], None]


@dataclass(frozen=True, slots=True)
class _Group:
    """The files that are read under one label (None: under their own models' names)."""

    label: str | None
    files: tuple[Assigned, ...]


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
    without: Sequence[PathLike] = (),
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
        without: Files that are not read although a path leads to them.
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
    arguments = _arguments(paths, labels)
    spool = Spool()
    try:
        groups, skipped = (
            ([], []) if sql is not None else _groups(arguments, dict(columns or {}), spool, _left_out(without))
        )
        taken = {file.reader: shown(file.head.path) for group in groups for file in group.files}
        tables = [file.head.path for group in groups for file in group.files if file.reader == "table"]
        refuse_idle(options, taken if sql is None else {"table": "the query"}, tables)
        engine = Engine()
        weakref.finalize(engine, spool.close)
    except BaseException:
        spool.close()
        raise
    clustered = None if cluster == NO_CLUSTER else cluster
    request = Request(dict(columns or {}), clustered, engine, options)
    if sql is not None:
        parts = [_queried(arguments, sql, request, spool)]
    else:
        parts = [part for group in groups for part in _labelled(group.label, _parts(group, request, progress), engine)]
        parts = _with_skipped(parts, skipped)
    if cluster == NO_CLUSTER:
        parts = [without_clusters(part, engine) for part in parts]
    unmet = None if options.categories is None else unmet_words(options, parts)
    try:
        scores = Scores.from_parts(parts, engine).with_options(on_error=on_error, range=range)
        scores = scores.with_options(duplicates=duplicates or "fail").select(metric=metric, variant=variant)
    except ScoresError:
        if unmet is not None and unmet.near:
            raise unmet from None
        raise
    if unmet is not None:
        unmet.scores = scores
        raise unmet
    if save_map:
        typed = Saved(columns_typed(columns, clustered), options.categories or {})
        saving(parts, typed, force=force).write()
    return scores


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


def _arguments(
    paths: Paths | Mapping[str, Paths], labels: Mapping[str, PathLike] | None
) -> list[tuple[str | None, PathLike]]:
    """(label, path) of each path that was given."""
    if isinstance(paths, Mapping):
        pairs: list[tuple[str | None, PathLike]] = [
            (str(label), path) for label, given in paths.items() for path in _listed(given)
        ]
    else:
        pairs = [(None, path) for path in _listed(paths)]
    for label, path in (labels or {}).items():
        same = [place for place, (_, given) in enumerate(pairs) if _same(given, path)]
        if not same:
            known = (os.fspath(given) for _, given in pairs)
            raise ArgumentError(
                f"label '{label}' names '{os.fspath(path)}', which is not among the paths"
                f"{near_miss(os.fspath(path), known)}"
            )
        for place in same:
            pairs[place] = (label, pairs[place][1])
    if not pairs:
        raise ArgumentError("no path was given; name a file, a folder, a glob, or - for standard input")
    return pairs


def _listed(paths: Paths) -> list[PathLike]:
    return [paths] if isinstance(paths, str | os.PathLike) else list(paths)


def _same(one: PathLike, other: PathLike) -> bool:
    return os.fspath(one) == os.fspath(other) or Path(one).absolute() == Path(other).absolute()


def _groups(
    arguments: Sequence[tuple[str | None, PathLike]],
    columns: Mapping[str, str],
    spool: Spool,
    left_out: frozenset[str],
) -> tuple[list[_Group], list[Skipped]]:
    """The files of each label with their readers; a file that several paths of one label reach is read once."""
    files: dict[str | None, list[Assigned]] = {}
    seen: set[tuple[str | None, str]] = set()
    skipped: list[Skipped] = []
    for label, path in arguments:
        fresh: list[Found] = []
        met = expand(path, spool)
        found = [file for file in met if not left_out or os.path.realpath(file.path) not in left_out]
        if met and not found:
            continue
        for file in found:
            key = (label, f"{os.path.realpath(file.path)}#{file.member}")
            if key not in seen:
                seen.add(key)
                fresh.append(file)
        if not found or fresh:
            taken, others = assign(os.fspath(path), fresh, columns)
            files.setdefault(label, []).extend(taken)
            skipped.extend(others)
    return [_Group(label, tuple(assigned)) for label, assigned in files.items()], skipped


def _left_out(without: Sequence[PathLike]) -> frozenset[str]:
    """The files that are not to be read; one that does not exist is an ArgumentError, for it may be misspelt."""
    for path in without:
        if not Path(path).exists():
            raise ArgumentError(f"'{os.fspath(path)}' is to be left out, and there is no such file")
    return frozenset(os.path.realpath(path) for path in without)


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
    found = files_as_runs(parts)
    if found is None:
        return []
    pattern, names = found
    return [
        note("repeats-as-models", n=len(names), names=f"'{names[0]}', '{names[1]}'", remedy=mapped({FILE: pattern}))
    ]


def _parts(group: _Group, request: Request, progress: Progress | None) -> list[Part]:
    """The parts of a group in the order of its files, whichever reader made them."""
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
        for part in load(name).read(heads, request):
            parts.append(part)
            if progress:
                progress(len(parts), len(group.files), part.path)
    parts.sort(key=lambda part: order.get(part.path, len(order)))
    if request.options.latest or request.options.repeats_as_runs:
        from scorebars.readers.repeated import as_runs, newest

        parts = (newest if request.options.latest else as_runs)(parts, request.engine)
    # Errors and --explain name standard input, not the temporary file that it is kept in.
    return [replace(part, path=Path(shown(part.path))) for part in parts]


def _labelled(label: str | None, parts: list[Part], engine: Engine) -> list[Part]:
    """The parts with the label as their model's name, or before it where the label holds several models."""
    if label is None:
        return parts
    models = {model for part in parts for model in _models(part, engine)}
    return [_renamed(part, label, alone=len(models) < 2) for part in parts]


def _models(part: Part, engine: Engine) -> list[str]:
    if isinstance(part.rows, str):
        return engine.distinct(part.rows, "model")
    return sorted({str(model) for model in part.rows.get("model", ())})


def _renamed(part: Part, label: str, *, alone: bool) -> Part:
    said = (*part.mapping, ("model", f"labelled '{label}'"))
    part = replace(part, notes=tuple(one for one in part.notes if one.code != "model-from-path"))
    part = with_models(part, {one.model: label if alone else f"{label}/{one.model}" for one in part.listings})
    if isinstance(part.rows, str):
        name = literal(label) if alone else f"{literal(label + '/')} || model"
        return replace(part, rows=f"SELECT * REPLACE ({name} AS model) FROM ({part.rows})", mapping=said)
    rows: dict[str, Any] = dict(part.rows)
    if "model" not in rows:  # a log without a single score: only its notes count
        return part
    names = np.empty(len(rows["model"]), dtype=object)
    names[:] = [label if alone else f"{label}/{model}" for model in rows["model"]]
    return replace(part, rows=rows | {"model": names}, mapping=said)
