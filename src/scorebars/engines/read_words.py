r"""Sentences that name options of the command line, in the words of ``sb.read``: for those who read files in Python.

The sentences are written once, with options. Each option that ``sb.read`` has as an argument becomes that argument,
with its value as Python spells it; what a result is asked for later becomes the method or argument that does so.

>>> print(in_read("name it (--map 'item=Question Number'), or give the range (--range 0,2); --on-error wrong|drop"))
name it (columns={'item': 'Question Number'}), or give the range (range=(0, 2)); on_error='wrong' or 'drop'
>>> print(in_read("score them with --sql, or type\n  scorebars estimate 'a b.csv' --map item=nr --category yes=1,no=0"))
score them with sql, or type
  sb.read('a b.csv', columns={'item': 'nr'}, categories={'yes': 1, 'no': 0})
"""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING, Final

from scorebars.errors import Remedy, ScorebarsError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_QUOTED: Final = r"""'[^']*'(?:"'"'[^']*')*|"[^"]*\""""
_BARE: Final = r"""[^\s;()'"]*[^\s;()'",.:?]"""
_PAIRS: Final = rf"""(?:{_QUOTED}|[^\s;()'"=,]+={_BARE})"""
_PROSE: Final = (
    r"and|or|its|must|chooses|takes|says|names|reads|the|is|of|where|gives|does|to|in|with|it|if|can|decides|on|are|for|"
    r"out|only|at|as"
)
"""Words that go on with the sentence after an option that is only named."""
_NAME: Final = rf"(?:{_QUOTED}|(?!(?:{_PROSE})\b){_BARE})"
_CHOICES: Final = r"(?:wrong|drop|fail|first|last)(?:\|(?:wrong|drop|fail|first|last))*"
_TAKES: Final = {
    **dict.fromkeys(("map", "label"), _PAIRS),
    "category": rf"{_PAIRS}(?: …)?",
    "range": r"(?:[-+.\de]*\d|LOW),(?:[-+.\de]*\d|HIGH)",
    **dict.fromkeys(("on-error", "duplicates"), _CHOICES),
    "sql": rf"(?:{_QUOTED})",
    **dict.fromkeys(("metric", "variant", "cluster", "all-items", "normalize", "at", "dates", "split"), _NAME),
    **dict.fromkeys(("without", "by", "model", "task", "resample"), _NAME),
    **dict.fromkeys(("latest", "repeats-as-runs", "save-map", "force"), ""),
    **dict.fromkeys(("explain", "pool-tasks", "run-crosses-items", "cluster-crosses-tasks"), ""),
}
"""Option -> what may follow it in a sentence; "" where it takes nothing. Options of other tools stay as they are."""
_BARE_NAMES: Final = {"map": "columns", "label": "labels", "category": "categories", "all-items": "items"}
_METHODS: Final = {
    "pool-tasks": "pooled()",
    "explain": "explain()",
    "run-crosses-items": "with_options(run_crosses_items=True)",
    "cluster-crosses-tasks": "with_options(cluster_crosses_tasks=True)",
}
_ESTIMATOR: Final = "estimator"
"""Whose option chooses what is done with what was read."""
_DICTS: Final = frozenset({"map", "label", "category"})
_LISTS: Final = {"model": "select(model={})", "task": "select(task={})", "without": "without={}"}
"""Options that may be there several times."""
_OPTION: Final = re.compile(r"(?<![\w-])--([a-z]+(?:-[a-z]+)*)(?![\w-])")
_VALUES: Final = {name: re.compile(f" ({pattern})") for name, pattern in _TAKES.items() if pattern}
_COMMAND: Final = re.compile(rf"scorebars estimate((?: (?:{_QUOTED}|[^\s;()'\"]+))+)")

_PHRASES: Final = {
    "(estimate --by ": "(sb.estimate with --by ",
    "--effect outperforming:half, ties=Ties.HALF": "sb.ProbabilityOfOutperforming(ties=sb.Ties.HALF)",
}
"""What is said in other words in Python."""

Option = tuple[str, str | None]
"""An option's name and what it is given, as it is typed."""


def in_read(text: str) -> str:
    """The sentence with arguments of ``sb.read`` for options, and calls for commands."""
    if "--" not in text and "scorebars estimate " not in text:
        return text
    text = _COMMAND.sub(lambda found: _call(shlex.split(found[1])), text)
    for words, python in _PHRASES.items():
        text = text.replace(words, python)
    told, place = "", 0
    while (found := _OPTION.search(text, place)) is not None:
        options, end = _run(text, found)
        told += text[place : found.start()] + (_arguments(options) if options else text[found.start() : end])
        place = end
    return told + text[place:]


def say(error: BaseException | None) -> None:
    """Put an error, the lines below it and what it came from into these words; its class and what it carries stay.

    Errors that were raised while each other was handled may go round in a circle.
    """
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        if isinstance(error, ScorebarsError) and error.args and isinstance(error.args[0], str):
            error.args = (in_read(error.args[0]), *error.args[1:])
            below = getattr(error, "__notes__", [])
            below[:] = [line.said(in_read(line)) if isinstance(line, Remedy) else in_read(str(line)) for line in below]
        error = error.__cause__ or error.__context__


def _run(text: str, found: re.Match[str] | None) -> tuple[list[Option], int]:
    """The options that stand one after the other from here, and where they end; none if it is no option of ours."""
    options: list[Option] = []
    end = found.end() if found is not None else 0
    while found is not None and found[1] in _TAKES:
        name, end = found[1], found.end()
        value = _VALUES[name].match(text, end) if name in _VALUES else None
        options.append((name, value[1] if value else None))
        end = value.end() if value else end
        found = _OPTION.match(text, end + 1) if text[end : end + 1] == " " else None
    return options, end


def _call(words: Sequence[str]) -> str:
    """The call that reads what ``scorebars estimate`` with these words does."""
    paths: list[str] = []
    options: list[Option] = []
    rest = iter(words)
    for word in rest:
        name = word.removeprefix("--")
        if name == word:
            paths.append(word)
        else:
            options.append((name, next(rest, None) if name in _VALUES or name == _ESTIMATOR else None))
    named = repr(paths[0]) if len(paths) == 1 else repr(paths)
    estimator = dict(options).get(_ESTIMATOR)
    read = f"sb.read({', '.join([named, *_each([one for one in options if one[0] != _ESTIMATOR])])})"
    return read if estimator is None else f"sb.estimate({read}, estimator={_as_object(estimator)})"


def _as_object(spelled: str) -> str:
    """The estimator of two columns of classes that a command names, as Python makes it.

    >>> _as_object("auroc:y_true,y_score"), _as_object("f1")
    ("sb.AUROC('y_true', 'y_score')", 'sb.F1()')
    """
    name, _, columns = spelled.partition(":")
    of = name.upper() if name in {"auroc", "f1"} else name.capitalize()
    return f"sb.{of}({', '.join(map(repr, columns.split(',') if columns else ()))})"


def _arguments(options: Sequence[Option]) -> str:
    return ", ".join(_each([(name, None if value is None else _unquoted(value)) for name, value in options]))


def _each(options: Sequence[Option]) -> list[str]:
    """Each option as an argument; what one that is there several times says is put together."""
    pairs: dict[str, list[str]] = {}
    names: dict[str, list[str]] = {}
    told: dict[str, str] = {}
    for name, value in options:
        if name in _DICTS and value is not None:
            pairs.setdefault(name, []).extend(_pairs(name, value))
            told[name] = f"{_BARE_NAMES[name]}={{{', '.join(pairs[name])}}}"
        elif name in _LISTS and value is not None:
            names.setdefault(name, []).append(value)
            told[name] = _LISTS[name].format(names[name] if len(names[name]) > 1 or name == "without" else repr(value))
        else:
            told[name] = _argument(name, value)
    return list(told.values())


def _pairs(name: str, text: str) -> list[str]:
    """``'item': 'qid'`` of 'item=qid', ``'good': 1`` of a category."""
    if name == "category":
        words = [word.rpartition("=") for word in text.removesuffix(" …").split(",")]
        return [f"{word!r}: {number}" for word, _, number in words] + ["…"] * text.endswith(" …")
    split = [text] if name == "label" else text.split(",")
    return [f"{role!r}: {column!r}" for role, _, column in (pair.partition("=") for pair in split)]


def _argument(name: str, value: str | None) -> str:
    """An option as it is written in Python; a mere name, where a sentence gives it no value."""
    word = _BARE_NAMES.get(name, name.replace("-", "_"))
    if name in _METHODS or not _TAKES.get(name):
        return _METHODS.get(name, f"{word}=True")
    if value is None:
        return word
    written = _WRITTEN.get(name)
    return f"{word}={value!r}" if written is None else written(word, value)


def _by(word: str, value: str) -> str:
    roles = value.split(",")
    return f"{word}={(roles[0] if len(roles) == 1 else tuple(roles))!r}"


def _one_of(word: str, value: str) -> str:
    return f"{word}={' or '.join(map(repr, value.split('|')))}"


_WRITTEN: Final[dict[str, Callable[[str, str], str]]] = {
    "range": lambda word, value: f"{word}=({value.replace(',', ', ')})",
    "on-error": _one_of,
    "duplicates": _one_of,
    "by": _by,
    "resample": lambda word, value: f"{word}=sb.Resample({', '.join(map(repr, value.split(',')))})",
}
"""Options whose value is not simply the text."""


def _unquoted(value: str) -> str:
    """What a shell makes of a word; the '…' that may stand behind it stays."""
    if value[0] not in "'\"":
        return value
    word, more = (value.removesuffix(" …"), " …") if value.endswith(" …") else (value, "")
    return shlex.split(word)[0] + more
