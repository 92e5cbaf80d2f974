"""The mapping that ``--save-map`` leaves beside a file, and that is used from then on: ``scores.csv.scorebars.toml``.

It is said in ``--explain``; a mapping that no longer fits its file is an error that names both.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from scorebars.engines.headers import ALIASES
from scorebars.errors import ArgumentError, OutputError, ReadError, near_miss
from scorebars.readers.files import shown

if TYPE_CHECKING:
    from collections.abc import Mapping

ENDING: Final = ".scorebars.toml"
VERSION: Final = 1
_REMEDY: Final = "mend that file or delete it"


def place(path: Path) -> Path:
    """Where the mapping of a file stands."""
    return path.with_name(path.name + ENDING)


def saved(path: Path) -> dict[str, str]:
    """The saved mapping of a file, role -> columns; empty if none was saved.

    Raises:
        ReadError: The mapping cannot be read.
    """
    file = place(path)
    try:
        data = file.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as error:
        raise ReadError(f"{shown(file)} cannot be read: {(error.strerror or str(error)).lower()}") from error
    import tomllib

    try:
        value = tomllib.loads(data.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ReadError(f"{shown(file)} is no mapping that --save-map wrote ({error}); {_REMEDY}") from error
    return _checked(value, file)


def _checked(value: Mapping[str, Any], file: Path) -> dict[str, str]:
    version = value.get("version")
    if version != VERSION:
        raise ReadError(f"{shown(file)} is version {version!r} of a saved mapping; only {VERSION} is read; {_REMEDY}")
    columns = value.get("columns")
    if not isinstance(columns, dict) or not all(isinstance(text, str) for text in columns.values()):
        raise ReadError(f"{shown(file)} has no table [columns] of texts; {_REMEDY}")
    for role in columns:
        if role not in ALIASES:
            raise ReadError(f"{shown(file)}: '{role}' is no role of a score table{near_miss(role, ALIASES)}; {_REMEDY}")
    return dict(columns)


def check_fits(columns: Mapping[str, str], path: Path, error: Exception) -> ReadError:
    """The error that a saved mapping no longer fits its file."""
    listed = ", ".join(f"{role}={text}" for role, text in columns.items())
    return ReadError(f"{shown(place(path))} no longer fits {path.name} ({listed}): {error}; {_REMEDY}")


def save(path: Path, columns: Mapping[str, str], *, force: bool) -> Path:
    """Write the mapping of a file beside it, whole or not at all; another one there is kept unless forced.

    Raises:
        ArgumentError: There is nothing to save, or no place beside it.
        OutputError: Another mapping is there, or the folder cannot be written to.
    """
    if shown(path).startswith("<"):
        raise ArgumentError("--save-map: standard input has no place beside it; save the data in a file")
    file = place(path)
    text = _text(path, columns)
    if file.exists() and not force:
        if file.read_text(encoding="utf-8", errors="replace") == text:
            return file
        raise OutputError(f"{shown(file)} holds another mapping; --force replaces it")
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
    return file


def _text(path: Path, columns: Mapping[str, str]) -> str:
    name = json.dumps(path.name, ensure_ascii=True)[1:-1]
    lines = [f"{role} = {json.dumps(text, ensure_ascii=False)}" for role, text in columns.items()]
    return "\n".join(
        [
            f"# Which column of {name} is what, written by scorebars --save-map and used whenever that file is read.",
            "# Delete this file to undo it.",
            f"version = {VERSION}",
            "",
            "[columns]",
            *lines,
            "",
        ]
    )
