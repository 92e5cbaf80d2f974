"""Every note code has its paragraph in docs/notes.md, and nothing else has."""

from __future__ import annotations

import re
from pathlib import Path

from scorebars.notes import TEMPLATES

PAGE = (Path(__file__).parents[2] / "docs/notes.md").read_text(encoding="utf-8")


def test_headings_are_the_codes_in_order():
    assert re.findall(r"^## `([^`]+)`$", PAGE, flags=re.MULTILINE) == sorted(TEMPLATES)


def test_no_paragraph_is_empty():
    paragraphs = re.split(r"^## `[^`]+`$", PAGE, flags=re.MULTILINE)[1:]
    assert min(len(paragraph.split()) for paragraph in paragraphs) >= 8


def test_every_note_is_made_somewhere():
    sources = (Path(__file__).parents[2] / "src/scorebars").rglob("*.py")
    code = "\n".join(path.read_text(encoding="utf-8") for path in sources if path.name != "notes.py")
    assert [name for name in TEMPLATES if f'"{name}"' not in code] == []
