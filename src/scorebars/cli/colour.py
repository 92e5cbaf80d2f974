"""Colours of a terminal, by rich, which is imported nowhere else but for progress."""

from __future__ import annotations

import re
from typing import Final

from rich.console import Console
from rich.text import Text

FACTS: Final = (
    "metric",
    "task",
    "pairing",
    "question",
    "redrawn",
    "rests on",
    "dropped",
    "interval",
    "instead",
    "distribution",
    "p-value",
    "files",
    "models",
    "tasks",
    "metrics",
    "variants",
    "attempts",
)
"""Names of facts, which are dimmed."""


_FINDINGS: Final = re.compile(r"^(?:WOULD CHANGE A CONCLUSION|WORTH KNOWING)\n(?:.+\n?)*", re.MULTILINE)
_CODE: Final = re.compile(r"^  [a-z-]+(?= {1,20}\S)", re.MULTILINE)


def print_coloured(text: str, *, headline: bool, width: int) -> None:
    """The rendered text with its headline bold, its bars blue, its notes and findings yellow, names of facts dim."""
    styled = Text(text.rstrip("\n"), no_wrap=True)
    blocks = text.split("\n\n")
    first = len(blocks[0]) if headline else text.find("\n")
    styled.stylize("bold", 0, first)
    styled.highlight_regex(r"[├◂●][─●┤▸]*", "blue")
    styled.highlight_regex(r"(?m)^note  \S+:", "yellow")
    styled.highlight_regex(rf"(?m)^({'|'.join(FACTS)}) ", "dim")
    styled.highlight_regex(r"(?m)^WOULD CHANGE A CONCLUSION$", "bold red")
    styled.highlight_regex(r"(?m)^(WORTH KNOWING|WHAT YOU CAN DO WITH THIS)$", "bold")
    for section in _FINDINGS.finditer(text):
        for found in _CODE.finditer(text, section.start(), section.end()):
            styled.stylize("yellow", *found.span())
    Console(width=width, highlight=False).print(styled, soft_wrap=True)
