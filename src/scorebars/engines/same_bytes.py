"""Files that are the same byte for byte."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence


def same_bytes(paths: Iterable[str]) -> list[tuple[str, ...]]:
    """Groups of two files or more with equal content, in the order given; only files of equal size are opened.

    Names of one file (links) are no two files; empty ones, and what is no file, are left out.
    """
    sizes: dict[Hashable, list[str]] = {}
    seen: set[tuple[int, int]] = set()
    for text in dict.fromkeys(paths):
        try:
            stat = Path(text).stat()
            if not Path(text).is_file() or (stat.st_dev, stat.st_ino) in seen:
                continue
        except (OSError, ValueError):
            continue
        seen.add((stat.st_dev, stat.st_ino))
        if stat.st_size:
            sizes.setdefault(stat.st_size, []).append(text)
    return [tuple(group) for alike in sizes.values() if len(alike) > 1 for group in _alike(alike)]


def _alike(paths: Sequence[str]) -> list[list[str]]:
    groups: dict[Hashable, list[str]] = {}
    for text in paths:
        try:
            with Path(text).open("rb") as stream:
                key = hashlib.file_digest(stream, "blake2b").digest()
        except OSError:
            continue
        groups.setdefault(key, []).append(text)
    return [group for group in groups.values() if len(group) > 1]
