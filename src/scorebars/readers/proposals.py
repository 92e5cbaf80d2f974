"""What to type where the headers leave it open: the columns with an example each, and a whole command."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from scorebars.engines.headers import mapped, mapping_text
from scorebars.errors import ReadError, Remedy
from scorebars.readers.file_names import of_name
from scorebars.readers.files import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from scorebars.contracts import FileHead, Request
    from scorebars.engines.duckdb import Engine
    from scorebars.readers.columns import UnclearError
    from scorebars.readers.sources import Source

MOST_COLUMNS: Final = 24
ASKED_BYTES: Final = 8 << 20
"""Files up to this size are read again to say all that is to be chosen at once."""
_ROWS_OF: Final = re.compile(r"\bFROM data\b")
"""How a proposed query names the rows of a file."""
_WIDEST: Final = 44
_ROWS: Final = 50


def proposal(
    head: FileHead, source: Source, guess: Mapping[str, str], engine: Engine, options: Mapping[str, str]
) -> str:
    """Lines to print below an error: each column with its first value, and the command with the guessed mapping.

    Args:
        head: The file.
        source: Its columns.
        guess: Role -> columns.
        engine: What reads the cells.
        options: Option -> its text, of further ones; a query goes in the mapping's place.
    """
    names = [name for name in source.names if name and not of_name(name)][:MOST_COLUMNS]
    examples = _examples(names, source, engine)
    taken = {part: role for role, text in guess.items() for part in _parts(text, source.names)}
    width = max(map(len, names), default=0)
    lines = [f"  {name:<{width}}  {example:<{_WIDEST}}  {_as(taken, name)}".rstrip() for name, example in examples]
    if len(source.names) > len(names):
        lines.append(f"  … and {len(source.names) - len(names)} more columns")
    listed = "\n".join(["columns, each with its first value:", *lines])
    return _with_command(listed, head, guess, queried(options, source))


def queried(options: Mapping[str, str], source: Source) -> dict[str, str]:
    """The options, with a query that finds the rows where they stand in the file; without it where none can."""
    rows = source.queried
    return {
        option: _ROWS_OF.sub(lambda _: f"FROM {rows}", text) if option == "--sql" else text
        for option, text in options.items()
        if rows or option != "--sql"
    }


def asked_next(
    error: UnclearError, head: FileHead, request: Request, read: Callable[[Request], object]
) -> UnclearError:
    """The error with what would be asked next if what it proposes were typed, and the command that answers both.

    Args:
        error: What is asked, with its proposal.
        head: The file.
        request: What was said so far.
        read: Reads the file as another request says.
    """
    asked_more = set(error.guess) - set(request.columns)
    if "--sql" in error.options or not asked_more or head.size > ASKED_BYTES:
        return error
    try:
        read(replace(request, columns=dict(request.columns) | error.guess))
    except ReadError as other:
        notes = getattr(other, "__notes__", ())
        if any(isinstance(said, Remedy) and said.options for said in notes):
            sentence = str(other).removeprefix(f"{shown(head.path)}: ")
            asked = _without_lists(str(error), error.guess)
            both = type(error)(f"{asked}; if so, {_without_lists(sentence, {})}", error.guess)
            both.__notes__ = [_with_options(said, head, error) for said in notes]
            return both
    return error


def _without_lists(said: str, guess: Mapping[str, str]) -> str:
    """A sentence without the columns and headers that it lists, and with the proposed one: they stand below it."""
    proposed = guess.get("score", "COLUMN")
    named = said.replace("--map score=COLUMN", mapped({"score": proposed}))
    return re.sub(r"; columns: '.*?(?=; if so, |$)", "", named, flags=re.DOTALL)


def _with_options(said: str, head: FileHead, first: UnclearError) -> str:
    """What another proposal says, with what has to be chosen first; a query has no other options beside it.

    But for the mapping of columns that the query leaves as they are.
    """
    if not isinstance(said, Remedy):
        return said
    query = said.options.get("--sql", "")
    changed = query.partition(" FROM ")[0]
    if query.startswith("SELECT * ") and first.guess and not any(name in changed for name in first.guess.values()):
        return Remedy(said.lead, shown(head.path), {"--map": mapping_text(first.guess), **said.options})
    if query or not first.options:
        return said
    return Remedy(said.lead, shown(head.path), {**said.options, **first.options})


def _as(taken: Mapping[str, str], name: str) -> str:
    return f"{taken[name]}?" if name in taken else ""


def _parts(text: str, names: Sequence[str]) -> list[str]:
    return [text] if text in names else text.split("+")


def _examples(names: Sequence[str], source: Source, engine: Engine) -> list[tuple[str, str]]:
    """The first filled cell of each column, as one short line."""
    chosen = ", ".join(f"first(w{place}) FILTER (trim(w{place}) <> '') AS w{place}" for place in range(len(names)))
    found = engine.query(f"SELECT {chosen} FROM (SELECT * FROM ({source.scan(names)}) LIMIT {_ROWS})")
    return [(name, _short(found[f"w{place}"][0])) for place, name in enumerate(names)]


def _short(cell: object) -> str:
    if not isinstance(cell, str):
        return "(empty)"
    line = " ".join(cell.split())
    return line if len(line) <= _WIDEST else line[: _WIDEST - 1] + "…"


def _with_command(listed: str, head: FileHead, guess: Mapping[str, str], options: Mapping[str, str]) -> str:
    """The lines with the command to type below them, if any can be."""
    path = shown(head.path)
    if path.startswith("<") or ("--sql" not in options and not (guess or options)):
        return listed
    mapping = {} if "--sql" in options or not guess else {"--map": mapping_text(guess)}
    return Remedy(f"{listed}\nif that is what they are:", path, mapping | dict(options))
