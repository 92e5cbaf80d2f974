"""Trial folders that hold no result: begun, and stopped before anything was written of how they ended.

A job or a run is a folder with a folder a trial. Only folders that the user asked for as a whole are looked into, so
that a trial that a pattern leaves out is not taken for one that never ended.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from scorebars.errors import ReadError
from scorebars.readers.document import Node, load, node
from scorebars.readers.files import head_of, shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from scorebars.contracts import FileHead


def is_blank(head: FileHead) -> bool:
    """Whether a file of results holds nothing, as one that was opened and never written."""
    return not head.head.strip()


def asked_for(folder: Path, root: Path | None) -> bool:
    """Whether all that lies in a folder was asked for: it is the folder that the user named, or lies below it."""
    whole = None if root is None else root.absolute()
    return whole is not None and (folder == whole or whole in folder.parents)


def folders_in(folder: Path) -> Iterator[Path]:
    """The folders in a folder, sorted, without hidden ones."""
    with os.scandir(folder) as entries:
        names = sorted(entry.name for entry in entries if not entry.name.startswith(".") and entry.is_dir())
    yield from (folder / name for name in names)


def without_result(folders: Iterable[Path], name: str) -> Iterator[Path]:
    """Those that have no file of that name."""
    return (folder for folder in folders if not (folder / name).exists())


def settings(path: Path) -> Node:
    """The JSON object of a file beside a result; an empty one where there is none, or where it is damaged too."""
    if not path.is_file():
        return Node({}, shown(path))
    try:
        return node(load(head_of(path)), shown(path))
    except ReadError:
        return Node({}, shown(path))


def named(names: list[str], most: int = 3) -> str:
    """'a__1, b__2 and 4 more'."""
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
