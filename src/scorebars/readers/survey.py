"""Read what can be read: a file that cannot is reported and the others are read without it.

``read`` refuses as a whole, so that nothing half read passes for all. Whoever asks what is wrong with some files wants
the rest looked at as well.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from scorebars.contracts import Request
from scorebars.contracts.diagnoses import PublishedErrors, Unread, Waiting
from scorebars.engines.duckdb import Engine
from scorebars.errors import ReadError, Remedy, ScoresError
from scorebars.readers import load
from scorebars.readers.arguments import is_among
from scorebars.readers.asked import SPELLED
from scorebars.readers.asked import asked as checked
from scorebars.readers.detect import NO_DATA
from scorebars.readers.files import Found, Spool, expand, head_of, is_text, shown
from scorebars.readers.judging import GUESSED, judge
from scorebars.readers.published import published_errors
from scorebars.readers.read import read
from scorebars.readers.unclustered import NO_CLUSTER
from scorebars.scores import Scores

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from scorebars.contracts import ReadOptions


ONE_BY_ONE: Final = 20
"""Files that are left out one after the other, by the error that names them, before each is tried alone."""


@dataclass(frozen=True, slots=True)
class Survey:
    """What could be read, and what could not."""

    scores: Scores
    unread: tuple[Unread, ...] = ()
    published: tuple[PublishedErrors, ...] = ()
    waiting: tuple[Waiting, ...] = ()
    """Choices that were made so that the files can be looked at, and that ``read`` leaves to the user."""


class NothingReadError(ReadError):
    """Of several files not one can be read; its sentence is that of the first, and ``unread`` has all."""

    def __init__(self, sentence: str, unread: tuple[Unread, ...]) -> None:
        super().__init__(sentence)
        self.unread = unread


def survey(
    paths: Sequence[str],
    *,
    labels: Mapping[str, str] | None = None,
    progress: Callable[[int, int, Path], None] | None = None,
    **asked: Any,
) -> Survey:
    """Read the files as ``read`` does, without those that cannot be read.

    Args:
        paths: As for ``read``.
        labels: As for ``read``; those of files that cannot be read are left out.
        progress: As for ``read``.
        asked: What else ``read`` is asked.

    Raises:
        ReadError: Nothing can be read; the sentence is that of the first. A NothingReadError for several.
        ArgumentError: A choice that is wrong whatever the files hold.
    """
    spool = Spool()
    try:
        kept = [_regular(path, spool) for path in paths]
        copies = dict(zip(paths, kept, strict=True))
        named = {name: copies.get(path, path) for name, path in (labels or {}).items()}
        return _survey(kept, named, progress, asked, spool)
    finally:  # what was in the copies is in the engine's tables by now
        spool.close()


def _survey(
    paths: Sequence[str],
    labels: Mapping[str, str],
    progress: Callable[[int, int, Path], None] | None,
    asked: Mapping[str, Any],
    spool: Spool,
) -> Survey:
    published = _published(paths, spool)
    try:
        return Survey(read(paths, labels=labels or None, progress=progress, **asked), (), published)
    except (ReadError, ScoresError) as error:
        if (waiting := _waiting(str(error), asked)) is not None:
            made = _survey(paths, labels, progress, {**asked, **waiting.choice}, spool)
            return replace(made, waiting=(waiting, *made.waiting))
        scores, unread = _salvaged(paths, labels, asked, spool, _with_zeros(error, published))
        return Survey(scores, unread, published)


def _waiting(sentence: str, asked: Mapping[str, Any]) -> Waiting | None:
    """The choice that a refusal asks for, where one of its options is the plain one and nothing was chosen."""
    if asked.get("at") is None and "--at final" in sentence:
        return Waiting(sentence, "at", "final", "--at final")
    return None


def _with_zeros(error: Exception, published: Sequence[PublishedErrors]) -> Exception:
    """The error, with what is known of files that hold averages alone: standard errors of exactly 0."""
    total, zero = sum(file.total for file in published), sum(len(file.zero) for file in published)
    return ReadError(f"{error} ({zero:,} of {total:,} standard errors in it are exactly 0)") if zero else error


def _regular(path: str, spool: Spool) -> str:
    """The path, or that of a copy of what can be read only once."""
    if path == "-" or (Path(path).exists() and not Path(path).is_dir() and not Path(path).is_file()):
        return str(expand(path, spool)[0].path)
    return path


def _salvaged(
    paths: Sequence[str], labels: Mapping[str, str], asked: Mapping[str, Any], spool: Spool, whole: Exception
) -> tuple[Scores, tuple[Unread, ...]]:
    """What can be read without the files that errors name, and those errors; all of them where nothing is left."""
    last: Exception = whole
    unread: list[Unread] = []
    missing = {path for path in paths if not _files(path, spool, unread)}
    there = [path for path in paths if path not in missing]
    files = [file for path in there for file in _files(path, spool, [])]
    damaged: dict[str, Unread] = {}
    while len(damaged) < len(files):
        named = {name: path for name, path in labels.items() if is_among(path, there) and path not in damaged}
        left_out = {**asked, "without": [*asked.get("without", ()), *damaged]}
        try:
            return read(there, labels=named or None, **left_out), (*unread, *dict.fromkeys(damaged.values()))
        except (ReadError, ScoresError) as error:
            last, left = error, [file for file in files if str(file.path) not in damaged]
            more = _of_other_formats(left, error, asked) or _blamed(left, error, asked, len(damaged))
            if not more:
                break
            damaged |= more
    left = [file for file in files if str(file.path) not in damaged]
    failed = (*unread, *dict.fromkeys(damaged.values()), *_left(left, last, asked))
    if len(failed) < 2:
        raise whole
    raise NothingReadError(str(whole), failed) from whole


def _left(files: Sequence[Found], error: Exception, asked: Mapping[str, Any]) -> list[Unread]:
    """Why each of these gives nothing: its own reason as if it were named, or what is said of the others together."""
    with Engine() as engine:
        request = _request(asked, engine)
        reasons = {file: _reason(replace(file, explicit=True), request) for file in files}
    together = [shown(file.path) for file, reason in reasons.items() if reason is None]
    found = [reason for reason in reasons.values() if reason is not None]
    return [*found, Unread(together[0], str(error), tuple(together[1:]))] if together else found


def _of_other_formats(files: Sequence[Found], error: Exception, asked: Mapping[str, Any]) -> dict[str, Unread]:
    """All files but those of the commonest format, where files of several formats do not form one table."""
    if not isinstance(error, ScoresError):
        return {}
    formats: dict[str, list[Found]] = {}
    for file in files:
        try:
            reader = judge(head_of(file.path), file, asked.get("columns") or {}).reader
        except ReadError:
            continue
        formats.setdefault(reader, []).append(file)
    formats.pop("", None)
    if len(formats) < 2:
        return {}
    most = max(formats, key=lambda reader: len(formats[reader]))
    apart: dict[str, Unread] = {}
    for reader, alike in formats.items():
        if reader != most:
            names = ", ".join(shown(file.path) for file in alike[:2]) + (" …" if len(alike) > 2 else "")
            sentence = (
                f"files read as '{reader}' ({len(alike):,}: {names}) form no table with those read as '{most}': {error}"
            )
            told = Unread(shown(alike[0].path), sentence, tuple(shown(file.path) for file in alike[1:]))
            apart |= dict.fromkeys((str(file.path) for file in alike), told)
    return apart


def _blamed(left: Sequence[Found], error: Exception, asked: Mapping[str, Any], so_far: int) -> dict[str, Unread]:
    """The file that an error names; after many of these, or where it names none, all that cannot be read alone."""
    places = [(str(error).find(shown(file.path)), -len(str(file.path)), file) for file in left]
    named = [place for place in places if place[0] >= 0]
    if named and so_far < ONE_BY_ONE:
        odd = min(named, key=lambda place: place[:2])[2]  # the first; 'a.csv' is in 'a.csv.gz' too
        return {str(odd.path): Unread(shown(odd.path), str(error), typed=_typed(error))}
    with Engine() as engine:
        request = _request(asked, engine)
        return {str(file.path): reason for file in left if (reason := _reason(file, request)) is not None}


def _request(asked: Mapping[str, Any], engine: Engine) -> Request:
    cluster = asked.get("cluster")
    columns = dict(asked.get("columns") or {})
    none = cluster == NO_CLUSTER
    return Request(
        columns, None if none else cluster, engine, _options(asked), no_clusters=none, metric=asked.get("metric")
    )


def _options(asked: Mapping[str, Any]) -> ReadOptions:
    """The choices that only some formats need, checked."""
    given: dict[str, Any] = {name: asked[name] for name in SPELLED if name in asked}
    return checked(**given)


def _files(path: str, spool: Spool, unread: list[Unread]) -> list[Found]:
    """The files behind a path; none, with the reason noted, where there are none."""
    try:
        found = expand(path, spool)
    except ReadError as error:
        unread.append(Unread(path, str(error)))
        return []
    return [file for file in found if file.explicit or file.path.suffix.lower() not in NO_DATA]


def _reason(file: Found, request: Request) -> Unread | None:
    """Why a file cannot be read; None if it can, or if it holds no scores and was only met."""
    path = shown(file.path)
    if not is_text(file.path):
        return Unread(path, f"{path}: its name is not UTF-8; rename it") if file.explicit else None
    try:
        head = replace(head_of(file.path), explicit=file.explicit)
        reader, why, head = judge(head, file, request.columns)
        if not reader or reader == GUESSED:
            return Unread(path, f"{path} {why}") if file.explicit else None
        parts = [part for part in load(reader).read([head], request) if part.reader and len(part.rows)]
        if parts:
            Scores.from_parts(parts, request.engine)
    except (ReadError, ScoresError) as error:
        return Unread(path, str(error) if path in str(error) else f"{path}: {error}", typed=_typed(error))
    return None


def _typed(error: Exception) -> str:
    """The command that an error proposes for a file; a mapping is kept beside it, to be read with the others."""
    said = next((said for said in getattr(error, "__notes__", ()) if isinstance(said, Remedy)), None)
    if said is None:
        return ""
    return said.alone + (" --save-map" if "--map" in said.options and "--sql" not in said.options else "")


def _published(paths: Sequence[str], spool: Spool) -> tuple[PublishedErrors, ...]:
    """What the files, and the results files beside them, print as standard errors."""
    seen: dict[str, Path] = {}
    for path in paths:
        for file in _files(path, spool, []):
            if is_text(file.path):
                seen.setdefault(os.path.realpath(file.path), file.path)
    found = (published_errors(path) for path in seen.values())
    return tuple(errors for errors in found if errors is not None)
