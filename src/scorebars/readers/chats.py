"""Chats as cells: a list of messages is known by what was asked, since each model's answers stand in it too.

Of a cell such as ``[{"role": "user", "content": "Q?"}, {"role": "assistant", "content": "A"}]`` the messages of the
user and of the system are its text, so that the same question is one text under all models: as the item that
``--map item=messages`` names, and where rows of one place are told from rows of one question.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from scorebars.engines.duckdb import literal
from scorebars.readers.sniff import kind_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from scorebars.contracts import FileHead
    from scorebars.readers.sources import Source

ASKING: Final = ("user", "human", "system", "developer")
"""Who asks; all others (assistant, gpt, tool) are the model's side."""
_ROLE, _TEXT = ("role", "from"), ("content", "value")
_KEY: Final = re.compile(r'"((?:[^"\\]|\\.){1,80})"\s*:\s*\[\s*\{\s*"(?:role|from|content|value)"\s*:')
"""The key of a list of messages in JSON."""
_CELL: Final = re.compile(r"""\s*\[\s*\{\s*["'](?:role|from|content|value)["']\s*:""")
_ANSWER: Final = r"""(?s),\s*\{\s*'(?:role|from)':\s*'(?:assistant|gpt|model|ai|bot)'.*$"""
"""The first answer and all behind it, as Python prints a list of messages."""
FIRST_ROWS: Final = 20


def with_questions(source: Source, head: FileHead) -> Source:
    """The source whose cells of messages are what was asked in them; itself where the head shows none."""
    if b"role" not in head.head and b"from" not in head.head:
        return source
    kind = kind_of(head)
    if kind == "json":
        keys = {match[1] for match in _KEY.finditer(head.head.decode("utf-8", errors="replace"))}
    else:
        keys = _columns_of_chats(head, source.names) if kind == "delimited" else set()
    if not keys:
        return source

    def asked(name: str) -> bool:
        return name in keys or (name not in source.names and name.rpartition(".")[2] in keys)

    return replace(source, scan=_scan(source, asked))


def _columns_of_chats(head: FileHead, names: Sequence[str]) -> set[str]:
    from scorebars.readers.delimited import delimiter_of, rows_of
    from scorebars.readers.files import text_head

    text = text_head(head).lstrip("\r\n")
    rows = rows_of(text, delimiter_of(text, head.suffixes), FIRST_ROWS + 1)[1:]
    return {
        name for place, name in enumerate(names) if any(_CELL.match(row[place]) for row in rows if place < len(row))
    }


def _scan(source: Source, asked: Callable[[str], bool]) -> Callable[..., str]:
    """The scan with these columns as their questions; the row's hash stays that of all that stands in it."""

    def scan(wanted: Sequence[str], *, hashed: bool = False) -> str:
        selected = source.scan(wanted, hashed=hashed)
        changed = [f"{question(f'w{place}')} AS w{place}" for place, name in enumerate(wanted) if asked(name)]
        return f"SELECT * REPLACE ({', '.join(changed)}) FROM ({selected})" if changed else selected

    return scan


def asked_in(cell: str) -> str:
    """What is asked in a cell of messages; the cell itself where nothing is, or where it holds something else.

    >>> asked_in('[{"role": "user", "content": "Q?"}, {"role": "assistant", "content": "A"}]')
    'Q?'
    """
    if not _CELL.match(cell):
        return cell
    try:
        messages = json.loads(cell)
    except ValueError:
        return re.sub(_ANSWER, "", cell)
    texts = [_said(each) for each in messages if isinstance(each, dict) and _first(each, _ROLE) in ASKING]
    return "\n\n".join(texts) or cell


def _said(message: dict[str, object]) -> str:
    found = _first(message, _TEXT)
    return found if isinstance(found, str) else json.dumps(found, ensure_ascii=False, separators=(",", ":"))


def _first(message: dict[str, object], names: Sequence[str]) -> object:
    return next((message[name] for name in names if message.get(name) is not None), "")


def question(cell: str) -> str:
    """SQL of what is asked in a cell of messages, a blank line between them; the cell itself where nothing is."""
    role, text = (
        f"coalesce({', '.join(f'json_extract_string(each, {literal(name)})' for name in names)}, '')"
        for names in (_ROLE, _TEXT)
    )
    asking = f"lambda each: {role} IN ({', '.join(map(literal, ASKING))})"
    messages = f"list_filter(json_extract(try_cast({cell} AS JSON), '$[*]'), {asking})"
    texts = f"array_to_string(list_transform({messages}, lambda each: {text}), chr(10) || chr(10))"
    return (
        f"CASE WHEN ltrim({cell})[1:1] <> '[' THEN {cell} WHEN json_valid({cell}) THEN "
        f"coalesce(nullif({texts}, ''), {cell}) ELSE regexp_replace({cell}, {literal(_ANSWER)}, '') END"
    )
