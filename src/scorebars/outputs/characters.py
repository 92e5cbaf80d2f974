"""Characters that must not reach a terminal or a document as they are, whoever named a model or an item so."""

from __future__ import annotations

import re
from typing import Final

FORMULA: Final = ("=", "+", "-", "@")
"""First characters of what spreadsheets run as a formula (OWASP, CSV injection)."""


def visible(text: str) -> str:
    r"""The text with line breaks and control characters escaped (ESC is '\x1b'), so that a name cannot draw.

    >>> visible("a\x1b[31mb")
    'a\\x1b[31mb'
    """
    return text if text.isprintable() else "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def escaped_json(text: str) -> str:
    """JSON text with the control characters that JSON allows as they are (DEL, C1) escaped; it means the same."""
    return re.sub("[\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]", lambda found: f"\\u{ord(found[0]):04x}", text)


def inert(text: str) -> str:
    """A text cell that no spreadsheet runs: visible, and led by an apostrophe where it would be taken for a formula.

    >>> inert("=1+1"), inert("-3"), inert("gpt-4")
    ("'=1+1", '-3', 'gpt-4')
    """
    shown = visible(text)
    return f"'{shown}" if shown.lstrip().startswith(FORMULA) and not _is_number(shown) else shown


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
