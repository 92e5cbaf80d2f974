"""The mapping that ``--save-map`` leaves beside a file, and that is used from then on: ``scores.csv.scorebars.toml``.

It holds which column is what, and the numbers of scores that are words. It is said in ``--explain``; a mapping that no
longer fits its file is an error that names both. It is written when all that was asked has been done.
"""

from __future__ import annotations

import json
import math
import os
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from scorebars.engines.file_runs import FILE
from scorebars.engines.headers import ALIASES
from scorebars.errors import ArgumentError, OutputError, ReadError, near_miss
from scorebars.readers.files import shown

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scorebars.contracts import Part

ENDING: Final = ".scorebars.toml"
PLAIN, WITH_WORDS = 1, 2
"""Versions of the file: with columns alone, and with categories too, which the first version does not know."""
_REMEDY: Final = "mend that file or delete it"


@dataclass(frozen=True, slots=True)
class Saved:
    """What is kept of how a file is read."""

    columns: Mapping[str, str] = field(default_factory=dict)
    """Role -> columns."""
    categories: Mapping[str, float] = field(default_factory=dict)
    """Word -> number."""

    def __bool__(self) -> bool:
        return bool(self.columns or self.categories)


def place(path: Path) -> Path:
    """Where the mapping of a file stands."""
    return path.with_name(path.name + ENDING)


def saved(path: Path) -> Saved:
    """The saved mapping of a file; empty if none was saved.

    Raises:
        ReadError: The mapping cannot be read.
    """
    file = place(path)
    try:
        data = file.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return Saved()
    except OSError as error:
        raise ReadError(f"{shown(file)} cannot be read: {(error.strerror or str(error)).lower()}") from error
    import tomllib

    try:
        value = tomllib.loads(data.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ReadError(f"{shown(file)} is no mapping that --save-map wrote ({error}); {_REMEDY}") from error
    return _checked(value, file)


def _checked(value: Mapping[str, Any], file: Path) -> Saved:
    version = value.get("version")
    if version not in (PLAIN, WITH_WORDS):
        known = f"{PLAIN} and {WITH_WORDS} are"
        raise ReadError(f"{shown(file)} is version {version!r} of a saved mapping; only {known} read; {_REMEDY}")
    columns, categories = value.get("columns"), value.get("categories", {})
    if not isinstance(columns, dict) or not all(isinstance(text, str) for text in columns.values()):
        raise ReadError(f"{shown(file)} has no table [columns] of texts; {_REMEDY}")
    if not isinstance(categories, dict) or not all(map(_is_number, categories.values())):
        raise ReadError(f"{shown(file)}: [categories] is no table of numbers; {_REMEDY}")
    for role in columns:
        if role not in ALIASES and role != FILE:
            raise ReadError(f"{shown(file)}: '{role}' is no role of a score table{near_miss(role, ALIASES)}; {_REMEDY}")
    return Saved(columns, {word: float(number) for word, number in categories.items()})


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def check_fits(columns: Mapping[str, str], path: Path, error: Exception) -> ReadError:
    """The error that a saved mapping no longer fits its file."""
    listed = ", ".join(f"{role}={text}" for role, text in columns.items())
    return ReadError(f"{shown(place(path))} no longer fits {path.name} ({listed}): {error}; {_REMEDY}")


@dataclass(frozen=True, slots=True)
class Saving:
    """Mappings that may be written beside their files, and what each will hold."""

    texts: Mapping[Path, str] = field(default_factory=dict)

    def write(self) -> None:
        """Write every file, each whole or not at all.

        Raises:
            OutputError: A folder cannot be written to.
        """
        for file, text in self.texts.items():
            _write(file, text)


def check_asked(columns: Mapping[str, str] | None, categories: Mapping[str, float] | None, sql: str | None) -> None:
    """Raise an ArgumentError where there is no mapping to save."""
    if not columns and not categories:
        raise ArgumentError("--save-map saves what --map and --category say; give it: --map item=COLUMN,score=COLUMN")
    if sql is not None:
        raise ArgumentError("--save-map saves the mapping of a file, not of a query; name the columns in the query")


def columns_typed(columns: Mapping[str, str] | None, cluster: str | None) -> dict[str, str]:
    """The columns of a mapping; that of the cluster, which has an option of its own, belongs to it."""
    return {**(columns or {}), **({} if cluster is None else {"cluster": cluster})}


def saving(parts: Sequence[Part], typed: Saved, *, force: bool) -> Saving:
    """What is to be written beside every table; what was typed of one kind alone leaves the other as it was saved.

    Args:
        parts: What was read.
        typed: The columns (with the cluster's) and the categories that were typed.
        force: Replace other mappings.

    Raises:
        ArgumentError: No file is a table, or one has no place beside it.
        OutputError: Another mapping is there.
    """
    tables = [part for part in parts if part.reader == "table"]
    if not tables:
        raise ArgumentError("--save-map does nothing for these files: none of them is a table")
    texts = {}
    for part in tables:
        if "#" in part.path.name and not part.path.exists():
            raise ArgumentError(f"--save-map: '{part.path}' is a part of a file; save it as a file of its own")
        if shown(part.path).startswith("<"):
            raise ArgumentError("--save-map: standard input has no place beside it; save the data in a file")
        text = _text(part.path, typed)
        file = place(part.path)
        if file.exists() and (not typed.columns or not typed.categories):
            old = saved(part.path)
            text = _text(part.path, Saved(typed.columns or old.columns, typed.categories or old.categories))
        if not file.exists():
            texts[file] = text
        elif file.read_text(encoding="utf-8", errors="replace") != text:
            if not force:
                raise OutputError(f"{shown(file)} holds another mapping; --force replaces it")
            texts[file] = text
    return Saving(texts)


def _write(file: Path, text: str) -> None:
    import tempfile

    try:
        handle, name = tempfile.mkstemp(prefix=".scorebars-", dir=file.parent)
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as target:
                target.write(text)
            Path(name).chmod(0o644)
            Path(name).replace(file)
        except BaseException:
            with suppress(OSError):
                Path(name).unlink()
            raise
    except OSError as error:
        raise OutputError(f"{shown(file)} cannot be written: {(error.strerror or str(error)).lower()}") from error


def _text(path: Path, kept: Saved) -> str:
    name = json.dumps(path.name, ensure_ascii=True)[1:-1]
    lines = [f"{role} = {_quoted(text)}" for role, text in kept.columns.items()]
    if kept.categories:
        lines += ["", "[categories]", *(f"{_quoted(word)} = {value!r}" for word, value in kept.categories.items())]
    return "\n".join(
        [
            f"# Which column of {name} is what, written by scorebars --save-map and used whenever that file is read.",
            "# Delete this file to undo it.",
            f"version = {WITH_WORDS if kept.categories else PLAIN}",
            "",
            "[columns]",
            *lines,
            "",
        ]
    )


def _quoted(text: str) -> str:
    """A text as TOML writes it: as JSON does, but that DEL is escaped too."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
