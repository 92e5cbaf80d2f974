"""What a head holds, judged from its bytes: the kind of file, and of JSON its outermost keys."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from scorebars.readers.columns import is_score
from scorebars.readers.delimited import delimiter_of, rows_of
from scorebars.readers.files import text_head

if TYPE_CHECKING:
    from scorebars.contracts import FileHead

DELIMITED_SUFFIXES: Final = frozenset({".csv", ".tsv", ".tab", ".psv"})
JSON_SUFFIXES: Final = frozenset({".json", ".jsonl", ".ndjson"})
PARQUET_SUFFIXES: Final = frozenset({".parquet", ".pq"})
ARROW_SUFFIXES: Final = frozenset({".arrow", ".arrows", ".feather", ".ipc"})
EXCEL_SUFFIXES: Final = frozenset({".xlsx", ".xlsm"})
DATABASE_SUFFIXES: Final = frozenset({".db", ".sqlite", ".sqlite3", ".duckdb", ".ddb"})
TABLE_SUFFIXES: Final = (
    DELIMITED_SUFFIXES | JSON_SUFFIXES | PARQUET_SUFFIXES | ARROW_SUFFIXES | EXCEL_SUFFIXES | DATABASE_SUFFIXES
)
SELF_DESCRIBED: Final = frozenset({"parquet", "arrow", "excel", "sqlite", "duckdb"})
"""Kinds of tables whose headers stand deeper than the first bytes."""
DATABASES: Final = frozenset({"sqlite", "duckdb"})
HAVE_PARTS: Final = DATABASES | {"excel"}
"""Kinds that hold several tables."""
_MAGIC: Final = (
    (b"PAR1", "parquet"),
    (b"PK\x03\x04", "zip"),
    (b"ARROW1", "arrow"),
    (b"FEA1", "arrow"),
    (b"SQLite format 3\x00", "sqlite"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "old excel"),
    *((b"\x80" + protocol, "pickle") for protocol in (b"\x02", b"\x03", b"\x04\x95", b"\x05\x95")),
)
_TOKEN = re.compile(r'"((?:[^"\\]|\\.)*)"|([{}\[\]:,])')


@lru_cache(maxsize=8)
def kind_of(head: FileHead) -> str:
    """'empty', 'json', 'delimited', 'text', 'zip', 'binary', 'old excel', 'pickle', or one of SELF_DESCRIBED.

    The last few answers are kept, as those of :func:`outline`: a reader is handed the head alone.

    Raises:
        ReadError: Text that is not UTF-8.
    """
    start = head.head
    if not start.strip(b"\xef\xbb\xbf\r\n\t "):
        return "empty"
    binary = _binary_kind(head)
    if binary:
        return binary
    text = text_head(head)
    if _starts_json(text):
        return "json"
    return "delimited" if _is_delimited(text, head) else "text"


def _binary_kind(head: FileHead) -> str:
    """The kind of a file that is no text, '' for text."""
    start, suffixes = head.head, set(head.suffixes)
    found = next((kind for magic, kind in _MAGIC if start.startswith(magic)), "")
    if found == "zip" and (b"xl/" in start or suffixes & EXCEL_SUFFIXES):
        return "excel"
    if start.startswith(b"\xff\xff\xff\xff") and suffixes & ARROW_SUFFIXES:
        return "arrow"
    if start[8:12] == b"DUCK":
        return "duckdb"
    if not found and b"\x00" in start[:4096] and not start.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "binary"
    return found


def _starts_json(text: str) -> bool:
    """Whether it starts with an object, or an array of anything that JSON knows ('[INFO] …' is a log)."""
    return bool(re.match(r'\s*(\{\s*("|\}|$)|\[\s*([\[{"\]\d-]|true|false|null|NaN|$))', text))


def _is_delimited(text: str, head: FileHead) -> bool:
    """A file that is named so, or rows of one width, at least two; or one column whose header is a score's."""
    if set(head.suffixes) & DELIMITED_SUFFIXES:
        return True
    rows = rows_of(text.lstrip("\r\n"), delimiter_of(text, head.suffixes), 20)
    if len(rows) < 2:
        return bool(rows) and any(is_score(cell) for cell in rows[0])
    if len(rows[0]) == 1:
        return is_score(rows[0][0])
    return all(len(row) == len(rows[0]) for row in rows)


@dataclass(frozen=True, slots=True)
class Outline:
    """The outermost keys of a JSON head."""

    top: frozenset[str]
    """Keys of the first (or only) object, or of the records of a list."""
    member: frozenset[str]
    """Keys of the first record of the first list inside it."""
    is_list: bool
    anywhere: frozenset[str]
    """All keys in the head."""


@lru_cache(maxsize=8)
def outline(head: FileHead) -> Outline:
    """Scan the head's tokens; it may be cut off anywhere.

    The last few answers are kept: some forty readers ask in turn whether a file is theirs, each handed the head alone.
    """
    depth, key = 0, ""
    top: set[str] = set()
    member: set[str] = set()
    anywhere: set[str] = set()
    text = text_head(head).lstrip()
    base = 2 if text.startswith("[") else 1
    stack = ""
    for match in _TOKEN.finditer(text):
        word, sign = match.group(1), match.group(2)
        if word is not None:
            key = word
        elif sign == ":":
            anywhere.add(key)
            if depth == base:
                top.add(key)
            elif depth == base + 2 and stack.endswith("[{") and len(stack) == depth:
                member.add(key)
        elif sign in "{[":
            depth, stack = depth + 1, stack + sign
        elif sign in "}]":
            depth, stack = depth - 1, stack[:-1]
            if depth == 0:
                break
    return Outline(frozenset(top), frozenset(member), base == 2, frozenset(anywhere))
