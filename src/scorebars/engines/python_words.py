"""Sentences that name an option of the command line, in the words of Python: for scores that came from no file.

The sentences are written once, with options; data that were handed over in memory are known by arguments instead.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

_ROLES: Final = frozenset(
    {"model", "task", "item", "run", "score", "cluster", "weight", "metric", "variant", "status"}
)  # fmt: skip
_MAP: Final = re.compile(r"--map ('[^']+'|\"[^\"]+\"|[^\s,;()'\"]+(?:,[a-z]+=[^\s,;()'\"]+)*)")
_RANGE: Final = re.compile(r"--range ([-+.\de]+|LOW),([-+.\de]+|HIGH)")
_CHOICE: Final = re.compile(r"--(on-error|duplicates) ([a-z]+(?:\|[a-z]+)*)")
_NAME: Final = r"(?:'[^']+'|\"[^\"]+\"|[^\s,;()'\"]+)"
_SELECTED: Final = re.compile(rf"--(metric|variant|model|task) ({_NAME})((?: --\1 {_NAME})*)")
_BY: Final = re.compile(r"estimate --by ([a-z]+(?:,[a-z]+)*)")
_FLAG: Final = re.compile(r"--(cluster-crosses-tasks|run-crosses-items)\b")
_BESIDE: Final = re.compile(r"(\)) (range=\()")
_NO_CLUSTER: Final = re.compile(r"--cluster none\b")
_CLUSTER: Final = re.compile(r"--cluster (\w+)")
_MODELS: Final = re.compile(r"--model ((?:'[^']+'|[^\s,;()']+)(?: --model (?:'[^']+'|[^\s,;()']+))*)(?=\))")
_CATEGORY: Final = re.compile(r"--category ('[^']+'|\"[^\"]+\"|[^\s;()]+)( …)?")


def in_python(text: str) -> str:
    """The sentence with arguments for options.

    >>> print(in_python("name the column with --map item=COLUMN, or the range (--range 0,2); --on-error wrong|drop"))
    name the column with item='COLUMN', or the range (range=(0, 2)); with_options(on_error='wrong' or 'drop')
    """
    if "--" not in text:
        return text
    for pattern, words in _WORDS.items():
        text = pattern.sub(words, text)
    return text


def _mapped(found: re.Match[str]) -> str:
    pairs = [pair.partition("=") for pair in found[1].strip("'\"").split(",")]
    if not all(role in _ROLES and column for role, _, column in pairs):
        return found[0]
    return ", ".join(f"{role}={_columns(column)}" for role, _, column in pairs)


def _columns(text: str) -> str:
    names = tuple(text.split("+"))
    return repr(names[0] if len(names) == 1 else names)


def _selected(found: re.Match[str]) -> str | list[str]:
    """One name, or those of an option that is there several times."""
    more = re.findall(rf" --{found[1]} ({_NAME})", found[3])
    return [_unquoted(word) for word in (found[2], *more)] if more else _unquoted(found[2])


def _unquoted(word: str) -> str:
    return word[1:-1] if word[0] in "'\"" else word


def _chosen(found: re.Match[str]) -> str:
    return f"with_options({found[1].replace('-', '_')}={' or '.join(map(repr, found[2].split('|')))})"


def _models(found: re.Match[str]) -> str:
    return f".select(model={[name.strip(chr(39)) for name in found[1].split(' --model ')]!r})"


_WORDS: Final[dict[re.Pattern[str], str | Callable[[re.Match[str]], str]]] = {
    re.compile(r" \(of an array: [^)]*\)"): "",  # a file of arrays; of an array in memory one takes the point itself
    _MAP: _mapped,
    _RANGE: r"range=(\1, \2)",
    _CHOICE: _chosen,
    _SELECTED: lambda found: f"select({found[1]}={_selected(found)!r})",
    _BY: lambda found: f"by={(found[1] if ',' not in found[1] else tuple(found[1].split(',')))!r}",
    re.compile(r"--by ([a-z]+)"): r"by='\1'",
    re.compile(r"--pool-tasks\b"): "pooled()",
    re.compile(r"--resample ([a-z]+)"): r"resample=sb.Resample('\1')",
    re.compile(r"--effect outperforming:half, ties=Ties.HALF"): "sb.ProbabilityOfOutperforming(ties=sb.Ties.HALF)",
    _FLAG: lambda found: f"with_options({found[1].replace('-', '_')}=True)",
    _NO_CLUSTER: "leave the column of clusters out of the frame",
    _CLUSTER: r"cluster='\1'",
    _BESIDE: r"\1, \2",
    _MODELS: _models,
    _CATEGORY: "numbers in their place in the frame",
}
