"""What ``read`` was asked beyond paths and columns, checked; a choice that would do nothing is an error.

The item list may be ids, or a file of them: one id a line, or JSON (a list of ids or of records, or records as lines).
"""

from __future__ import annotations

import os
import re
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from scorebars.contracts import ReadOptions
from scorebars.errors import ArgumentError, ReadError, near_miss
from scorebars.readers import READERS
from scorebars.readers.document import id_text, kind, lines, load
from scorebars.readers.files import bad_byte, head_of, plain_bytes, shown, text_head

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scorebars.contracts import Part
    from scorebars.scores import Scores

ITEM_KEYS: Final = ("instance_id", "item", "item_id", "id", "question_id", "task_id")
"""Keys of a record's id in a list of items."""
_DAY = re.compile(r"^\d{4}-\d{2}(-\d{2})?$")
_POINT = re.compile(r"^(final|mean:[1-9]\d*|step:\d+(\.\d+)?([eE][+]?\d+)?)$")
SPELLED: Final = {
    "items": "--all-items",
    "normalize": "--normalize",
    "at": "--at",
    "dates": "--dates",
    "split": "--split",
    "categories": "--category",
    "latest": "--latest",
    "repeats_as_runs": "--repeats-as-runs",
}
"""Field of ``ReadOptions`` -> how the command line spells it."""


def asked(
    *,
    items: str | os.PathLike[str] | Sequence[str] | None = None,
    normalize: str | None = None,
    at: str | None = None,
    dates: str | None = None,
    split: str | None = None,
    categories: Mapping[str, float] | None = None,
    latest: bool = False,
    repeats_as_runs: bool = False,
) -> ReadOptions:
    """The choices, checked.

    Raises:
        ArgumentError: A choice that is not of its form.
        ReadError: The list of items cannot be read.
    """
    if at is not None and not _POINT.match(at):
        raise ArgumentError(f"'{at}' is no point of a curve; it is final, mean:10 (of the last ten) or step:1e6")
    if latest and repeats_as_runs:
        raise ArgumentError("--latest and --repeats-as-runs are two answers to one question; choose one")
    return ReadOptions(
        items=None if items is None else _items(items),
        normalize=normalize,
        at=at,
        dates=None if dates is None else _dates(dates),
        split=split,
        categories=None if categories is None else {str(word): float(value) for word, value in categories.items()},
        latest=latest,
        repeats_as_runs=repeats_as_runs,
    )


def _dates(text: str) -> tuple[str, str]:
    first, found, last = text.partition("..")
    if not found or not (first or last) or any(day and not _DAY.match(day) for day in (first, last)):
        raise ArgumentError(
            f"'{text}' is no window of dates; it is FIRST..LAST, as 2024-05-01..2024-08-31 or 2024-05.."
        )
    if first and last and first > last:
        raise ArgumentError(f"the window of dates '{text}' ends before it begins")
    return first, last


def refuse_idle(options: ReadOptions, readers: Mapping[str, str], tables: Sequence[Path] = ()) -> None:
    """Raise an ArgumentError for a choice that none of these readers honours.

    Args:
        options: The choices.
        readers: Name of each reader that takes a file -> one of its files.
        tables: The files that are read as tables.
    """
    used = sorted(readers)
    honoured: set[str] = set()
    for name in used:
        if name not in READERS:  # another package's: it sees the choices, and only it knows
            return
        honoured |= READERS[name].options
    for one in fields(ReadOptions):
        given: Any = getattr(options, one.name)
        if given not in (None, False) and one.name not in honoured:
            takers = [name for name, entry in READERS.items() if one.name in entry.options]
            listed = ", ".join(f"'{name}', such as {readers[name]}" for name in used)
            meant = f"; it is for {', '.join(takers)}" if takers else ""
            remedy = _by_name(tables) if one.name == "repeats_as_runs" and tables else ""
            raise ArgumentError(f"{SPELLED[one.name]} does nothing for these files (read as {listed}){remedy or meant}")


def _by_name(tables: Sequence[Path]) -> str:
    from scorebars.readers.file_names import runs_by_name

    return runs_by_name(tables)


class UnmetWordError(ArgumentError):
    """A number was given to a word that no score is."""

    def __init__(self, sentence: str, words: frozenset[str], *, near: bool) -> None:
        super().__init__(sentence)
        self.words = words
        """The words that no score is."""
        self.near = near
        """Whether a score is a word so like it that it was meant."""
        self.scores: Scores | None = None
        """What was read all the same; another file that is compared with these may have the word."""


def unmet_words(options: ReadOptions, parts: Sequence[Part]) -> UnmetWordError | None:
    """The error that ``categories`` has a word that no score is, so that its number is idle; None if it is well.

    Raises:
        ReadError: A letter that counts as right or wrong stands beside letters that were given numbers.
    """
    categories = options.categories or {}
    _refuse_letters(categories, parts)
    if any(part.reader not in READERS for part in parts):  # another package's: only it knows
        return None
    met = dict.fromkeys(word for part in parts for word in part.words)
    unmet = [word for word in categories if word not in met]
    if not unmet:
        return None
    said = near_miss(unmet[0], [word for word in met if word not in categories] or met)
    near = said.startswith("; did")
    held = said.replace("; known: ", "; the words among them: ") or "; none of them is a word"
    return UnmetWordError(f"--category {unmet[0]}: no score is that word{held}", frozenset(unmet), near=near)


def _refuse_letters(categories: Mapping[str, float], parts: Sequence[Part]) -> None:
    """Raise a ReadError where one table has letters for right or wrong alone, and another their fellows as grades."""
    from scorebars.engines.score_text import letters_beside

    met = dict.fromkeys(word for part in parts if part.reader == "table" for word in part.words)
    if sentence := letters_beside(categories, met):
        raise ReadError(sentence)


def _items(given: str | os.PathLike[str] | Sequence[str]) -> tuple[str, ...]:
    """Ids, each once, in their order."""
    if not isinstance(given, str | os.PathLike):
        found = [str(item) for item in given]
        where = "the list of items"
    else:
        path = Path(given)
        if not path.is_file():
            raise ReadError(f"the list of items '{path}' is no file; give a file with one id a line")
        found, where = _listed(path), shown(path)
    if not found:
        raise ReadError(f"{where} holds no id; write one item id a line")
    return tuple(dict.fromkeys(found))


def _listed(path: Path) -> list[str]:
    head = head_of(path)
    if text_head(head).lstrip().startswith(("[", "{")):
        from scorebars.readers.json_table import json_shape

        if json_shape(head) == "lines":
            return [_id(line.value, line.where) for line in lines(head)]
        return _from_json(load(head), shown(path))
    with plain_bytes(head) as stream:
        data = stream.read()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ReadError(bad_byte(head) or f"{shown(path)} is not UTF-8") from error
    return [line.strip() for line in text.splitlines() if line.strip()]


def _from_json(value: Any, where: str) -> list[str]:
    if isinstance(value, dict):
        lists = [inner for inner in value.values() if isinstance(inner, list)]
        if len(lists) != 1:
            raise ReadError(f"{where} is an object with {len(lists)} lists; a list of item ids is needed")
        value = lists[0]
    if not isinstance(value, list):
        raise ReadError(f"{where} is {kind(value)}, not a list of item ids")
    return [_id(each, f"{where}: entry {number}") for number, each in enumerate(value, start=1)]


def _id(value: Any, where: str) -> str:
    if isinstance(value, dict):
        key = next((key for key in ITEM_KEYS if key in value), None)
        if key is None:
            raise ReadError(f"{where} has no id; one of the keys {', '.join(ITEM_KEYS)} is needed")
        value = value[key]
    return id_text(value, where)
