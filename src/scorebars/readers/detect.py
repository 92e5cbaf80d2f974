"""Which reader takes a file: judged by content, cheaply, in the order of the family's list.

The name is only a hint, used to say that a file is not the format its name says. Formats that are known but not read
yet, and files without one score an attempt, are named for what they are.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from scorebars.engines.headers import ALIASES, METRICS, SECOND_ITEMS, normal
from scorebars.errors import ReadError
from scorebars.notes import MORE_FILES
from scorebars.readers import READERS, candidates, load, plugins
from scorebars.readers.delimited import delimiter_of, rows_of
from scorebars.readers.document import load as load_json
from scorebars.readers.files import Found, head_of, is_text, leads_nowhere, shown, text_head
from scorebars.readers.saved_map import place as saved_place
from scorebars.readers.sniff import (
    ARROW_SUFFIXES,
    DELIMITED_SUFFIXES,
    EXCEL_SUFFIXES,
    HAVE_PARTS,
    JSON_SUFFIXES,
    PARQUET_SUFFIXES,
    SELF_DESCRIBED,
    TABLE_SUFFIXES,
    kind_of,
    outline,
)
from scorebars.readers.sources import NoScores, is_number

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from scorebars.contracts import FileHead

_HINT: Final = "make it a table with one row an attempt (columns model, item, score), as CSV or JSON Lines"

NO_DATA: Final = frozenset(
    {
        *(".py", ".ipynb", ".sh", ".r", ".js", ".ts", ".c", ".h", ".cpp", ".rs", ".go", ".java", ".pyc", ".so"),
        *(".yaml", ".yml", ".toml", ".ini", ".cfg", ".lock"),
        *(".md", ".rst", ".tex", ".bib", ".html", ".css", ".pdf", ".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp"),
    }
)
"""Endings of programs, settings and pages: in a folder or by a glob such files are not even opened."""
_KEYS: Final = 4
"""Keys of a file that is left out that are listed."""
GUESSED: Final = "?"
"""In place of a reader: a table of numbers whose headers say nothing of scores."""


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file that was met and not read."""

    path: Path
    reason: str
    """One clause, with its subject."""


@dataclass(frozen=True, slots=True)
class Assigned:
    """A file and the reader that takes it."""

    head: FileHead
    reader: str


def assign(argument: str, files: Sequence[Found], columns: Mapping[str, str]) -> tuple[list[Assigned], list[Skipped]]:
    """Give each file of one argument its reader; what nobody knows is skipped and said, or an error.

    Raises:
        ReadError: A file that the user named is not known, or none of a folder is.
    """
    taken: list[Assigned] = []
    guessed: list[FileHead] = []
    skipped: list[Skipped] = []
    for found in files:
        if not found.explicit and found.path.suffix.lower() in NO_DATA:
            continue
        if not is_text(found.path) and not found.explicit:
            skipped.append(Skipped(found.path, "its name is not UTF-8; rename it"))
            continue
        if leads_nowhere(found.path):
            skipped.append(Skipped(found.path, f"it is a link that leads to no file (to '{found.path.readlink()}')"))
            continue
        head = _head(found)
        reader, reason = judge(head, found, columns)
        if reader == GUESSED:
            guessed.append(head)
        elif reader:
            taken.append(Assigned(head, reader))
        elif found.explicit:
            raise ReadError(f"{shown(found.path)} {reason}")
        else:
            skipped.append(Skipped(head.path, f"it {reason}"))
    if taken:  # beside files whose headers speak of scores, one that only holds numbers is something else
        skipped += [Skipped(head.path, _unsaid(head)) for head in guessed]
    else:
        taken = [Assigned(head, "table") for head in guessed]
    if not taken:
        raise ReadError(_nothing(argument, len(files), skipped))
    return _without_bycatch(*_with_broken(taken, skipped, files))


def _unsaid(head: FileHead) -> str:
    """Why a file that only holds numbers is left out beside others, and how it is read all the same."""
    if kind_of(head) != "json":
        return "its headers name no score or item, as those of other files do; name it if its columns are models"
    import shlex

    keys, text = sorted(outline(head).top), text_head(head).lstrip()
    listed = ", ".join(f"'{key}'" for key in keys[:_KEYS]) + (", …" if len(keys) > _KEYS else "")
    if re.match(r'\{\s*"[^"]*"\s*:\s*\[', text):
        what, how = (
            f"a JSON object of lists of numbers under the keys {listed}",
            "to read each list as a model's scores",
        )
    elif text.startswith("["):
        what, how = "a JSON list of numbers", "to read them as scores"
    else:
        what, how = f"a JSON object of numbers under the keys {listed}", "if they are"
    return (
        f"it is {what}, and nothing in it says that they are scores, as other files do; name it {how} "
        f"(scorebars estimate {shlex.quote(shown(head.path))})"
    )


def _with_broken(
    taken: list[Assigned], skipped: list[Skipped], files: Sequence[Found]
) -> tuple[list[Assigned], list[Skipped]]:
    """Results of a format that is known by its folders, which are empty or damaged, are its reader's too.

    Nothing in such a file says what it is, and to pass over it would leave out its attempt without a word.
    """
    owned = {name: one.reader for one in taken if one.reader in READERS for name in READERS[one.reader].results}
    doubtful = [one.path for one in skipped] + [one.head.path for one in taken if one.reader == "table"]
    places = {path for path in doubtful if path.name in owned}
    heads = [_head(found) for found in files if found.path in places and not found.explicit]
    broken = {head.path: Assigned(head, owned[head.path.name]) for head in heads if _is_broken(head)}
    if not broken:
        return taken, skipped
    kept = [one for one in taken if one.head.path not in broken]
    return [*kept, *broken.values()], [one for one in skipped if one.path not in broken]


def _is_broken(head: FileHead) -> bool:
    """Whether a JSON file is blank or no JSON."""
    try:
        return not head.head.strip() or load_json(head) is None
    except ReadError:
        return True


def _without_bycatch(taken: list[Assigned], skipped: list[Skipped]) -> tuple[list[Assigned], list[Skipped]]:
    """Without the tables that were only met among the logs and artefacts of a format whose folders are full of them.

    Those and the tables are named once, not one by one: an agent leaves some behind in every attempt.
    """
    owners = [one.reader for one in taken if one.reader in READERS and READERS[one.reader].owns_folder]
    if not owners:
        return taken, skipped
    kept = [one for one in taken if one.reader != "table" or one.head.explicit]
    beside = {name for owner in owners for name in READERS[owner].beside}
    tables = [one.head.path for one in taken if one.reader == "table" and not one.head.explicit]
    others = [one.path for one in skipped]
    tables, others = ([path for path in paths if path.name not in beside] for paths in (tables, others))
    reason = f"it is a table met among files of {owners[0]}; name it to read it"
    return kept, [*_in_one(tables, reason), *_in_one(others, f"it is no file of {owners[0]}")]


def _in_one(paths: Sequence[Path], reason: str) -> list[Skipped]:
    """One remark on files that were skipped for one reason."""
    more = f"{MORE_FILES}{len(paths) - 1:,} more)" if len(paths) > 1 else ""
    return [Skipped(paths[0], reason + more)] if paths else []


def _head(found: Found) -> FileHead:
    """The head of a file that the user named, or that was met."""
    if not is_text(found.path):
        raise ReadError(f"{shown(found.path)}: its name is not UTF-8; rename it")
    head = replace(head_of(found.path), explicit=found.explicit, member=found.member, root=found.root)
    if found.member and kind_of(head) not in HAVE_PARTS | {"json"}:
        raise ReadError(f"{shown(found.path)} has no parts, so '#{found.member}' names nothing in it")
    return head


def _nothing(argument: str, n_files: int, reasons: Sequence[Skipped]) -> str:
    """The sentence for a folder or glob without a single known file."""
    if not n_files:
        return f"'{argument}' holds no file (hidden ones are left out)"
    if not reasons:
        return f"'{argument}' holds no data: programs, settings and pages ({n_files:,} seen) are not looked at"
    if len({_bare(one.reason) for one in reasons}) == 1:  # one advice for all
        seen = f"'{reasons[0].path.name}' {reasons[0].reason.removeprefix('it ')}"
        more = f" (and {len(reasons) - 1:,} more like it)" if len(reasons) > 1 else ""
    else:
        seen = "; ".join(f"'{one.path.name}' {_bare(one.reason)}" for one in reasons[:3])
        more = f"; and {len(reasons) - 3:,} more" if len(reasons) > 3 else ""
    return f"'{argument}' holds no file that can be read as scores ({len(reasons):,} seen): {seen}{more}"


def judge(head: FileHead, found: Found, columns: Mapping[str, str]) -> tuple[str, str]:
    """(reader, "") or ("", why none takes it, as the rest of a sentence that starts with the path)."""
    if found.member and kind_of(head) == "json":  # a list that the user names is a table, whatever lies around it
        return "table", ""
    return _judged(head, found, columns)


def _judged(head: FileHead, found: Found, columns: Mapping[str, str]) -> tuple[str, str]:
    """The same for a whole file."""
    for name in candidates(head):
        if load(name).claims(head):
            return name, ""
    if not _is_plain_table(head, columns):
        name = plugins.claimant(head)
        if name:
            return name, ""
    doubtful = not found.explicit and not set(head.suffixes) & TABLE_SUFFIXES
    try:
        reason = refusal(head)
    except NoScores as error:  # not the format that its name says
        if not found.explicit:
            return "", _bare(_clause(str(error), head.path))
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
    if _speaks_of_scores(head, columns) or saved_place(head.path).exists():
        return "table", ""
    return (GUESSED, "") if _all_numbers(head) else ("", "names no score")


def _clause(sentence: str, path: Path) -> str:
    """An error about a file as a clause beside its name."""
    rest = sentence.removeprefix(shown(path))
    if rest == sentence:
        return sentence
    return rest.removeprefix(": ") if rest.startswith(":") else f"it{rest}"


def _bare(reason: str) -> str:
    """The clause without its subject and advice."""
    return reason.removeprefix("it ").partition(";")[0]


def skipped_at_read(error: ReadError, path: Path) -> Skipped:
    """A file that turned out to hold no scores when it was read."""
    return Skipped(path, _clause(str(error), path))


def _is_plain_table(head: FileHead, columns: Mapping[str, str]) -> bool:
    """Whether headers, or the keys of a list of records, speak of scores, so that no other package need be asked."""
    if head.head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{") and not {".jsonl", ".ndjson"} & set(head.suffixes):
        return False
    try:
        return _speaks_of_scores(head, columns)
    except ReadError:
        return False


def refusal(head: FileHead) -> str:
    """Why this is no table, "" if it may be one.

    Raises:
        ReadError: The content is not the format that the file's name says, or no UTF-8.
    """
    if head.head.startswith(b"version https://git-lfs"):
        raise ReadError(f"{shown(head.path)} is a Git LFS pointer, not the data; fetch them: git lfs pull")
    kind = kind_of(head)
    if kind == "empty":
        return "is empty"
    _check_name(head, kind)
    if kind == "json" or kind in SELF_DESCRIBED:  # a DuckDB database starts with a checksum: any eight bytes
        return ""
    return (
        next((what for mark, what in _BINARIES.items() if mark in head.head[:64]), "")
        or _UNREAD.get(kind, "")
        or _guess(head)
    )


_BINARIES = {
    b"brain.Event:": (
        "is an event file of TensorBoard, which is not read; write its scalars as CSV with the columns seed, step, "
        "episode_return (tensorboard's EventAccumulator), or download them from its page"
    ),
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


def _guess(head: FileHead) -> str:
    """What other text may be."""
    if head.head.lstrip().startswith(b"<"):
        return f"is XML or HTML, and no test report; {_HINT}"
    return f"is text of no known format; {_HINT}" if kind_of(head) == "text" else ""


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


def _check_name(head: FileHead, kind: str) -> None:
    """The name promises a format that the content is not."""
    for suffix in head.suffixes:
        if suffix in _PROMISES and kind != _PROMISES[suffix]:
            looks = _NAMES.get(kind, f"{kind}, beginning with {head.head[:16]!r}")
            raise NoScores(
                f"{shown(head.path)} is not the format its name says: '{suffix}' promises {_NAMES[_PROMISES[suffix]]}, "
                f"but it is {looks}; rename or write it again"
            )


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


_SCORES = frozenset(normal(name) for name in (*ALIASES["score"], *METRICS))
_ITEMS = frozenset({*ALIASES["item"], *SECOND_ITEMS})


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
