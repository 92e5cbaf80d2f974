"""From the paths and labels that were given to the files that are read, each with its reader."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from scorebars.errors import ArgumentError, near_miss
from scorebars.readers.detect import Assigned, Skipped, assign
from scorebars.readers.files import Found, Spool, expand

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    PathLike = str | os.PathLike[str]
    Paths = PathLike | Sequence[PathLike]


@dataclass(frozen=True, slots=True)
class Group:
    """The files that are read under one label (None: under their own models' names)."""

    label: str | None
    files: tuple[Assigned, ...]


def labelled_paths(
    paths: Paths | Mapping[str, Paths], labels: Mapping[str, PathLike] | None
) -> list[tuple[str | None, PathLike]]:
    """(label, path) of each path that was given, and of each file in a given folder that has a label.

    Raises:
        ArgumentError: No path, or a label for one that was not given.
    """
    if isinstance(paths, Mapping):
        pairs: list[tuple[str | None, PathLike]] = [
            (str(label), path) for label, given in paths.items() for path in _listed(given)
        ]
    else:
        pairs = [(None, path) for path in _listed(paths)]
    for label, path in (labels or {}).items():
        same = [place for place, (_, given) in enumerate(pairs) if _same(given, path)]
        if not same and is_below(path, [given for _, given in pairs]):
            pairs.append((label, path))
        elif not same:
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


def is_among(path: str, paths: Sequence[str]) -> bool:
    """Whether a path is one of these, or lies in one of them."""
    return path in paths or is_below(path, paths)


def is_below(path: PathLike, folders: Iterable[PathLike]) -> bool:
    """Whether a file or folder lies in one of the folders; other paths may be among these."""
    if "#" in os.fspath(path) or not Path(path).exists():
        return False
    above = Path(path).resolve().parents
    return any(Path(folder).is_dir() and Path(folder).resolve() in above for folder in folders)


def _same(one: PathLike, other: PathLike) -> bool:
    return os.fspath(one) == os.fspath(other) or Path(one).absolute() == Path(other).absolute()


def grouped(
    arguments: Sequence[tuple[str | None, PathLike]],
    columns: Mapping[str, str],
    spool: Spool,
    without: frozenset[str],
) -> tuple[list[Group], list[Skipped]]:
    """The files of each label with their readers; a file that several paths of one label reach is read once.

    One that has a label is not read without it too, as a file of its folder.
    """
    files: dict[str | None, list[Assigned]] = {}
    skipped: list[Skipped] = []
    every = [(label, path, expand(path, spool)) for label, path in arguments]
    own = {_key(file) for label, _, met in every if label is not None for file in met}
    seen: set[tuple[str | None, str]] = {(None, key) for key in own}
    for label, path, met in every:
        fresh: list[Found] = []
        found = [file for file in met if not without or os.path.realpath(file.path) not in without]
        if met and not found:
            continue
        for file in found:
            key = (label, _key(file))
            if key not in seen:
                seen.add(key)
                fresh.append(file)
        if not found or fresh:
            taken, others = assign(os.fspath(path), fresh, columns)
            files.setdefault(label, []).extend(taken)
            skipped.extend(others)
    return [Group(label, tuple(assigned)) for label, assigned in files.items()], skipped


def _key(file: Found) -> str:
    return f"{os.path.realpath(file.path)}#{file.member}"


def left_out(without: Paths) -> frozenset[str]:
    """The files that are not to be read, one or several; one that does not exist may be misspelt: an ArgumentError."""
    named = _listed(without)
    for path in named:
        if not Path(path).exists():
            raise ArgumentError(f"'{os.fspath(path)}' is to be left out, and there is no such file")
    return frozenset(os.path.realpath(path) for path in named)
