"""The sentence for a JSON object in none of the shapes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from scorebars.engines.headers import less_is_better, mapped, normal
from scorebars.readers.columns import is_score
from scorebars.readers.files import shown, stem
from scorebars.readers.json_odd import only_odd_member
from scorebars.readers.json_values import Number, Record, is_scalar

if TYPE_CHECKING:
    from scorebars.contracts import FileHead


def unknown_shape(value: Record, head: FileHead) -> str:
    """What is wrong with an object in none of the shapes, and what to write instead."""
    keys = ", ".join(f"'{key}'" for key in list(value)[:6]) + (", …" if len(value) > 6 else "")
    empty = [key for key, inner in value.items() if inner in ([], {})]
    if empty and all(is_scalar(inner) or inner in ([], {}) for inner in value.values()):
        what = "list" if value[empty[0]] == [] else "object"
        return f"{shown(head.path)} has an empty {what} under '{empty[0]}'; no scores are in it"
    odd = f" ({found})" if (found := only_odd_member(value)) else ""
    return (
        f"{shown(head.path)} is a JSON object (keys {keys}) in no shape that holds one score an attempt{odd}; "
        f"{_of_one_run(value, head)}"
        'write a list of records such as {"model": …, "item": …, "score": …}, or JSON Lines'
    )


def _of_one_run(value: Record, head: FileHead) -> str:
    """What to type where an object may be the results of one of several runs, whose names say which it is."""
    from scorebars.engines.file_runs import FILE, pattern_of

    found = [key for key, inner in value.items() if isinstance(inner, Number) and _may_be_score(key)]
    pattern = pattern_of(head.path.absolute().parts[1:-1], stem(head.path)) if head.path.name[:1] != "<" else None
    if not found or pattern is None or not all(map(is_scalar, value.values())):
        return ""
    typed = mapped({"score": found[0], FILE: pattern})
    return f"if it is the result of one run, of files that hold one each: {typed}; else "


def _may_be_score(key: str) -> bool:
    """Whether a key, or a part of it, is the header of a score: 'eval_accuracy', 'test/f1'."""
    words = re.split(r"[_/.]", normal(key))
    parts = {"_".join(words[place:]) for place in range(len(words))}
    return any(map(is_score, parts)) and not less_is_better(key)
