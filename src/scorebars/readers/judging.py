"""Which reader takes a file, judged by its content, or why none does.

The name is only a hint, used to say that a file is not the format its name says. Formats that are known but not read
yet, and files without one score an attempt, are named for what they are.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from scorebars.engines.headers import ALIASES, METRICS, SECOND_ITEMS, normal
from scorebars.errors import ReadError
from scorebars.readers import candidates, load, plugins
from scorebars.readers.delimited import delimiter_of, rows_of
from scorebars.readers.files import HEAD, Found, shown, text_head
from scorebars.readers.saved_map import place as saved_place
from scorebars.readers.sniff import (
    ARROW_SUFFIXES,
    DELIMITED_SUFFIXES,
    EXCEL_SUFFIXES,
    JSON_SUFFIXES,
    PARQUET_SUFFIXES,
    SELF_DESCRIBED,
    TABLE_SUFFIXES,
    kind_of,
    outline,
)
from scorebars.readers.sources import NoScores, is_number

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from scorebars.contracts import FileHead

_HINT: Final = "make it a table with one row an attempt (columns model, item, score), as CSV or JSON Lines"
GUESSED: Final = "?"
"""In place of a reader: a table of numbers whose headers say nothing of scores."""
_BINARIES = {
    b":W&B": (
        "is a run as Weights & Biases keeps it, which is not read; upload it (wandb sync) and write its history as "
        "CSV: wandb.Api().run('ENTITY/PROJECT/RUN').history().to_csv('run.csv')"
    ),
}
"""What programs keep for themselves: bytes near the beginning -> what to read instead."""
_UNREAD = {
    "zip": f"is a zip archive that is no Inspect log; unpack it, or {_HINT}",
    "old excel": "is a workbook of Excel 2003 or before (.xls); save it as .xlsx or CSV",
    "binary": f"is binary, of no known format; {_HINT}",
    "pickle": f"is a pickle of Python objects, which could run any program when loaded, so it is never read; {_HINT}",
}
_PROMISES = {
    **dict.fromkeys(PARQUET_SUFFIXES, "parquet"),
    **dict.fromkeys(JSON_SUFFIXES, "json"),
    **dict.fromkeys(DELIMITED_SUFFIXES, "delimited"),
    **dict.fromkeys(ARROW_SUFFIXES, "arrow"),
    **dict.fromkeys(EXCEL_SUFFIXES, "excel"),
}
_NAMES = {
    "parquet": "Parquet",
    "json": "JSON",
    "delimited": "delimited text",
    "zip": "a zip archive",
    "arrow": "an Arrow file",
    "excel": "an Excel workbook",
    "old excel": "a workbook of Excel 2003",
    "sqlite": "an SQLite database",
    "duckdb": "a DuckDB database",
    "pickle": "a pickle of Python objects",
}
_SCORES = frozenset(normal(name) for name in (*ALIASES["score"], *METRICS))
_ITEMS = frozenset({*ALIASES["item"], *SECOND_ITEMS})


class Judged(NamedTuple):
    """Which reader takes a file."""

    reader: str
    """"" if none does."""
    reason: str
    """Why none does, as the rest of a sentence that starts with the path."""
    head: FileHead
    """What the reader is handed: the head by which it claims the file."""


def judge(head: FileHead, found: Found, columns: Mapping[str, str]) -> Judged:
    """Which reader takes a file, or why none does."""
    if found.member and kind_of(head) == "json":  # a list that the user names is a table, whatever lies around it
        return Judged("table", "", head)
    for one in _heads(head):
        for name in candidates(one):
            if _claims(name, one):
                return Judged(name, "", one)
    return Judged(*_judged(head, found, columns), head)


def _heads(head: FileHead) -> Iterator[FileHead]:
    """The head, and where nobody claims it, the one that shows the keys behind long texts and damaged records."""
    yield head
    wider = _wider(head)
    if wider is not head:
        yield wider


def _wider(head: FileHead) -> FileHead:
    """The head that shows the keys of its records, where there may be such."""
    if b"{" not in head.head:
        return head
    from scorebars.readers.wider_head import wider_head

    return wider_head(head)


def _claims(name: str, head: FileHead) -> bool:
    """Whether a reader takes a file; one of text takes no Parquet in whose bytes a sign of its format stands."""
    try:
        return load(name).claims(head)
    except ReadError:
        if kind_of(head) in SELF_DESCRIBED:
            return False
        raise


def _judged(head: FileHead, found: Found, columns: Mapping[str, str]) -> tuple[str, str]:
    """(reader, reason) of a file that no built-in reader but that of tables claims."""
    if not _is_plain_table(head, columns):
        name = plugins.claimant(head)
        if name:
            return name, ""
    doubtful = not found.explicit and not set(head.suffixes) & TABLE_SUFFIXES
    try:
        reason = _refusal(head)
    except NoScores as error:  # not the format that its name says
        if not found.explicit:
            return "", bare(clause(str(error), head.path))
        raise
    except ReadError as error:  # text in another encoding
        if doubtful:
            return "", "is not UTF-8 text"
        raise error from None
    if reason or found.explicit:
        return ("", reason) if reason else ("table", "")
    return _met(head, columns)


def _met(head: FileHead, columns: Mapping[str, str]) -> tuple[str, str]:
    """(reader, "") or ("", reason) for a table that was only met: its headers must say that it holds scores."""
    if _speaks_of_scores(_wider(head), columns) or saved_place(head.path).exists():
        return "table", ""
    return (GUESSED, "") if _all_numbers(head) else ("", _SUMMED_UP if _is_summed(head) else "names no score")


_SUMMED_UP: Final = "holds means with their errors ('±') and not the attempts behind them"


def _is_summed(head: FileHead) -> bool:
    """Whether cells of a table are numbers with their errors."""
    return re.search(rb"\d ?(?:\xc2\xb1|\+/-) ?\d", head.head) is not None


def clause(sentence: str, path: Path) -> str:
    """An error about a file as a clause beside its name."""
    rest = sentence.removeprefix(shown(path))
    if rest == sentence:
        return sentence
    return rest.removeprefix(": ") if rest.startswith(":") else f"it{rest}"


def bare(reason: str) -> str:
    """The clause without its subject and advice."""
    return reason.removeprefix("it ").partition(";")[0]


def _is_plain_table(head: FileHead, columns: Mapping[str, str]) -> bool:
    """Whether the reader of tables knows a file, so that no other package need be asked.

    Headers, or keys, speak of scores, or all are numbers; a JSON object is in one of the shapes that are read, too.
    """
    is_object = head.head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{")
    try:
        if not is_object or {".jsonl", ".ndjson"} & set(head.suffixes):
            return _speaks_of_scores(head, columns)
        return (_speaks_of_scores(head, columns) or _numbers_only(head)) and _has_shape(head)
    except ReadError:
        return False


def _has_shape(head: FileHead) -> bool:
    """Whether a JSON object holds records or scores in one of the shapes of tables; lines of objects are a list.

    A large one is not loaded for this where no package offers a reader.
    """
    from scorebars.readers.json_table import json_shape

    if json_shape(head) == "lines":
        return True
    if len(head.head) == HEAD and not plugins.names():
        return False
    from scorebars.readers.document import load as load_json
    from scorebars.readers.json_shapes import records_of
    from scorebars.readers.json_values import Number

    records_of(load_json(head, Number, unique=True), head)
    return True


def _refusal(head: FileHead) -> str:
    """Why this is no table, "" if it may be one.

    Raises:
        ReadError: The content is not the format that the file's name says, or no UTF-8.
    """
    if head.head.startswith(b"version https://git-lfs"):
        raise ReadError(f"{shown(head.path)} is a Git LFS pointer, not the data; fetch them: git lfs pull")
    kind = kind_of(head)
    if kind == "empty":
        return "is empty"
    if kind == "binary":
        _refuse_nul_bytes(head)
    _check_name(head, kind)
    if kind == "json" or kind in SELF_DESCRIBED:  # a DuckDB database starts with a checksum: any eight bytes
        return ""
    return (
        next((what for mark, what in _BINARIES.items() if mark in head.head[:64]), "")
        or _UNREAD.get(kind, "")
        or _guess(head)
    )


def _guess(head: FileHead) -> str:
    """What other text may be."""
    if head.head.lstrip().startswith(b"<"):
        return f"is XML or HTML, and no test report; {_HINT}"
    return f"is text of no known format; {_HINT}" if kind_of(head) == "text" else ""


def _check_name(head: FileHead, kind: str) -> None:
    """The name promises a format that the content is not."""
    for suffix in head.suffixes:
        if suffix in _PROMISES and kind != _PROMISES[suffix]:
            looks = _NAMES.get(kind, f"{kind}, beginning with {head.head[:16]!r}")
            raise NoScores(
                f"{shown(head.path)} is not the format its name says: '{suffix}' promises {_NAMES[_PROMISES[suffix]]}, "
                f"but it is {looks}; rename or write it again"
            )


def _refuse_nul_bytes(head: FileHead) -> None:
    """Raise a ReadError for text that is named so and whose first line is whole, for NUL bytes below it."""
    first, *below = head.head.split(b"\n", 1)
    if not below or b"\0" in first or not {_PROMISES.get(suffix) for suffix in head.suffixes} & {"delimited", "json"}:
        return
    try:
        first.decode("utf-8-sig")
    except UnicodeDecodeError:
        return
    from scorebars.readers.nul_bytes import refuse_nul_bytes

    refuse_nul_bytes(head)


def _speaks_of_scores(head: FileHead, columns: Mapping[str, str]) -> bool:
    """Whether a header or key is one of a score, or one of an item beside several columns of numbers."""
    kind = kind_of(head)
    if kind in SELF_DESCRIBED:
        return True
    asked = normal(columns.get("score", ""))
    wanted = _SCORES | {asked} if asked else _SCORES
    if kind == "json":
        return bool({normal(key) for key in outline(head).anywhere} & wanted) or _is_nested_numbers(head)
    rows = _first_rows(head)
    headers = {normal(cell) for cell in rows[0]} if rows else set()
    return bool(headers & wanted) or (bool(headers & _ITEMS) and _all_numbers(head))


def _all_numbers(head: FileHead) -> bool:
    """Whether a file holds what may be scores without saying so: several columns of numbers, or JSON of numbers."""
    if kind_of(head) == "json":
        return _numbers_only(head)
    return bool(set(head.suffixes) & DELIMITED_SUFFIXES) and _numeric_columns(_first_rows(head)) >= 2


def _first_rows(head: FileHead) -> list[list[str]]:
    text = text_head(head)
    return rows_of(text.lstrip("\r\n"), delimiter_of(text, head.suffixes), 50)


def _is_nested_numbers(head: FileHead) -> bool:
    """Whether it is {"model": {"item": 1}}: objects of numbers in an object."""
    return re.match(r'\s*\{\s*"[^"]*"\s*:\s*\{', text_head(head)) is not None and _numbers_only(head)


def _numbers_only(head: FileHead) -> bool:
    """Whether the values in a JSON head are numbers, not text: {"model": {"item": 1}}."""
    text = text_head(head)
    return text.count('": "') + text.count('":"') == 0 and any(sign.isdigit() for sign in text[:4096])


def _numeric_columns(rows: Sequence[Iterable[str]]) -> int:
    body = [list(row) for row in rows[1:]]
    if not body:
        return 0
    return sum(all(is_number(cell) for cell in column) for column in zip(*body, strict=False))
