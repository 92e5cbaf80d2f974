"""Tables with typed columns: Parquet, Arrow files, sheets of workbooks; every cell becomes text as CSV has it."""

from __future__ import annotations

import shutil
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain
from typing import IO, TYPE_CHECKING, Final

from scorebars.engines.duckdb import quote
from scorebars.errors import ReadError
from scorebars.readers.chats import question
from scorebars.readers.files import plain_bytes, shown
from scorebars.readers.sources import NoScores, Source, field_of, file_literal, named, scanner

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path
    from typing import Any

    from numpy.typing import NDArray

    from scorebars.contracts import FileHead
    from scorebars.engines.duckdb import Engine
    from scorebars.readers.sources import Scratch


LARGE: Final = 32 << 20
"""Bytes of a file from which on its rows are kept on disk."""


def columnar_source(kind: str, head: FileHead, engine: Engine, scratch: Scratch) -> Source:
    """The columns of a 'parquet', 'arrow' or 'excel' file."""
    if kind == "excel":
        return excel_source(head, engine)
    return (parquet_source if kind == "parquet" else arrow_source)(head, engine, scratch)


def parquet_source(head: FileHead, engine: Engine, scratch: Scratch) -> Source:
    """Parquet, read column by column; a compressed copy of one is decompressed first."""
    relation = f"read_parquet({file_literal(_unpacked(head, scratch))}, hive_partitioning = false)"
    return relation_source(relation, head.path, engine)


def arrow_source(head: FileHead, engine: Engine, scratch: Scratch) -> Source:
    """An Arrow IPC file (Feather) or stream."""
    from scorebars.engines.arrow_files import register_arrow

    name = engine.fresh_name("arrow")
    register_arrow(_unpacked(head, scratch), name, engine)
    return relation_source(quote(name), head.path, engine)


def excel_source(head: FileHead, engine: Engine) -> Source:
    """A sheet of an Excel workbook: the one that was named, or the only one with cells.

    Raises:
        ReadError: A formula without a stored value, or a sheet that cannot be read.
    """
    from scorebars.engines.excel import sheet_columns, uncomputed, workbook

    with _whole(head) as stream, workbook(head.path, stream) as book:
        sheet, others = (head.member, "") if head.member else _only_sheet(book, head)
        headers, columns = sheet_columns(book, sheet, head.path)
    with _whole(head) as stream:
        place = uncomputed(head.path, stream, sheet)
    if place:
        raise ReadError(
            f"{shown(head.path)}: cell {place} of '{sheet}' is a formula whose value is not stored; "
            "open the workbook in a spreadsheet program and save it"
        )
    source = _two_lines(headers, columns, head, engine) or columns_source(headers, columns, head.path, engine)
    return replace(source, blank_lines=True, said=(("sheet", f"'{sheet}'{others}"), *source.said))


def _two_lines(
    headers: Sequence[str], columns: Mapping[str, NDArray[Any]], head: FileHead, engine: Engine
) -> Source | None:
    """The cells of a sheet below two header lines; None of one line."""
    from scorebars.readers.two_headers import has_two, two_headers

    def below(lines: int) -> str:
        name = engine.fresh_name("cells")
        engine.register(name, {column: cells[lines - 1 :] for column, cells in columns.items()})
        return quote(name)

    if not has_two(headers):
        return None
    first = zip(*(cells[:3] for cells in columns.values()), strict=True)
    return two_headers([headers, *([cell or "" for cell in row] for row in first)], head, below)


def _only_sheet(book: Any, head: FileHead) -> tuple[str, str]:
    """The only sheet with cells, or of which a column may be scores; and what is said of the others."""
    from scorebars.engines.excel import sheet_names

    sheets = sheet_names(book)
    if len(sheets) == 1:
        return sheets[0], ""
    path = shown(head.path)
    if not sheets:
        raise NoScores(f"{path} has no sheet with cells; no scores are in it")
    scored = [sheet for sheet in sheets if _may_hold_scores(book, sheet, head)]
    if len(scored) == 1:
        others = ", ".join(f"'{sheet}'" for sheet in sheets if sheet != scored[0])
        return scored[0], f"; no column of {others} holds numbers, or words for right and wrong"
    named = scored or sheets
    listed = ", ".join(f"'{sheet}'" for sheet in sheets)
    each = f", or name several, each of which is a model then ({_typed_all(path, named)})" if len(named) > 1 else ""
    raise NoScores(f"{path} has several sheets ({listed}): choose one ('{path}#{named[0]}'){each}")


def _typed_all(path: str, sheets: Sequence[str], most: int = 4) -> str:
    """The sheets as they are typed, a path each."""
    from shlex import quote as in_shell

    return " ".join(in_shell(f"{path}#{sheet}") for sheet in sheets[:most]) + (" …" if len(sheets) > most else "")


def _may_hold_scores(book: Any, sheet: str, head: FileHead) -> bool:
    """Whether most filled cells of a column below the header are numbers, or words for right and wrong."""
    from scorebars.engines.excel import sheet_columns
    from scorebars.engines.score_text import is_verdict
    from scorebars.readers.sources import is_number

    _, columns = sheet_columns(book, sheet, head.path)
    for cells in columns.values():
        filled = [cell.strip() for cell in cells.tolist() if cell and cell.strip()]
        if filled and 2 * sum(is_number(cell.rstrip("% ")) or is_verdict(cell) for cell in filled) >= len(filled):
            return True
    return False


@contextmanager
def _whole(head: FileHead) -> Iterator[IO[bytes]]:
    """The bytes of a file that can be read at any place."""
    import io

    if head.compression is None:
        with head.path.open("rb") as stream:
            yield stream
    else:
        with plain_bytes(head) as stream:
            yield io.BytesIO(stream.read())


def _unpacked(head: FileHead, scratch: Scratch) -> Path:
    """The file, or a decompressed copy of it."""
    if head.compression is None:
        return head.path
    path = scratch.path("plain")
    with plain_bytes(head) as stream, path.open("wb") as target:
        shutil.copyfileobj(stream, target)
    return path


def columns_source(headers: Sequence[str], columns: Mapping[str, NDArray[Any]], path: Path, engine: Engine) -> Source:
    """Text columns c0, c1, … in memory under their headers.

    Raises:
        NoScores: No row.
    """
    if not columns or not len(next(iter(columns.values()))):
        raise NoScores(f"{shown(path)} has a header and no rows; no scores are in it")
    name = engine.fresh_name("cells")
    engine.register(name, columns)
    names = named(headers, path)
    return Source(names, scanner(quote(name), dict(zip(names, columns, strict=True))))


def blocks_source(blocks: Iterator[tuple[list[str], dict[str, NDArray[Any]]]], path: Path, engine: Engine) -> Source:
    """Text columns that come in blocks of rows: in memory where there is one block, else in a table of the engine.

    Raises:
        NoScores: No row.
    """
    headers, columns = next(blocks)
    more = next(blocks, None)
    if more is None:
        return columns_source(headers, columns, path, engine)
    table = (engine.storage(path.stat().st_size > LARGE) or "memory.") + engine.fresh_name("cells")
    block = engine.fresh_name("block")
    engine.execute(f"CREATE TABLE {table} ({', '.join(f'{column} VARCHAR' for column in columns)})")
    for part in chain((columns, more[1]), (later for _, later in blocks)):
        engine.register(block, part)
        engine.execute(f"INSERT INTO {table} SELECT * FROM {block}")
    engine.register(block, {column: cells[:0] for column, cells in columns.items()})
    names = named(headers, path)
    return Source(names, scanner(table, dict(zip(names, columns, strict=True))))


def relation_source(relation: str, path: Path, engine: Engine) -> Source:
    """Anything that DuckDB selects from, its cells cast to text; members of objects go by dotted names."""
    types = engine.columns(f"SELECT * FROM {relation}")
    names = named([_index_free(name) for name in types], path)
    expressions = {name: _text(column, types[column]) for name, column in zip(names, types, strict=True)}
    fields = _fields(types)
    members = {
        name: tuple(field_of(field, names)[1] for field in fields if field_of(field, names)[0] == name)
        for name in names
    }
    return Source(
        names,
        scanner(relation, expressions, fields),
        fields=lambda: {name: inner for name, inner in members.items() if inner},
    )


def _text(column: str, kind: str) -> str:
    """A column as text; a list of messages as what is asked in it."""
    if kind.startswith("STRUCT(") and kind.endswith(")[]"):
        inner = set(_struct_names(kind.removesuffix("[]")))
        if inner & {"role", "from"} and inner & {"content", "value"}:
            return question(f"CAST(to_json({quote(column)}) AS VARCHAR)")
    return f"CAST({quote(column)} AS VARCHAR)"


def _index_free(name: str) -> str:
    """A data frame's unnamed index is an unnamed column."""
    return "" if name.startswith("__index_level_") else name


def _fields(types: Mapping[str, str]) -> dict[str, str]:
    """Fields of nested columns: '__metric__.acc' -> SQL."""
    found: dict[str, str] = {}
    for column, kind in types.items():
        if kind.startswith("STRUCT("):
            for name in _struct_names(kind):
                found[f"{column}.{name}"] = f"CAST({quote(column)}.{quote(name)} AS VARCHAR)"
    return found


def _struct_names(kind: str) -> list[str]:
    """Names of the outermost fields of a STRUCT type."""
    names, depth, start = [], 0, 7
    body = kind[:-1]
    for place in range(7, len(body) + 1):
        character = body[place] if place < len(body) else ","
        depth += (character == "(") - (character == ")")
        if character == "," and depth == 0:
            part = body[start:place].strip()
            names.append(part[1:].split('"')[0] if part.startswith('"') else part.split(" ")[0])
            start = place + 1
    return names
