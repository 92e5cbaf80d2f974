"""What is coloured: the codes of findings, and never a continued line that begins like one."""

from __future__ import annotations

import io
import re
import sys

import pytest

from scorebars.cli.colour import print_coloured

FOUND = """\
1 thing would change a conclusion

WOULD CHANGE A CONCLUSION
  identical-files  a.csv and b.csv
                   -> remove one
WORTH KNOWING
  one-cluster  all in one

WHAT YOU CAN DO WITH THIS
  scorebars estimate x.csv
"""
NARROW = """\
a 50.0

distribution none needed: the interval
  is a formula
note  few-items: 3 items
"""


@pytest.mark.parametrize(
    ("text", "yellow"),
    [(FOUND, ["  identical-files", "  one-cluster"]), (NARROW, ["note  few-items:"])],
)
def test_codes_alone_are_yellow(monkeypatch, text, yellow):
    stream = io.StringIO()
    monkeypatch.setattr(stream, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stdout", stream)
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    print_coloured(text, headline=True, width=80)
    out = stream.getvalue()
    assert re.findall(r"\x1b\[33m(.*?)\x1b\[0m", out) == yellow
    assert re.sub(r"\x1b\[[\d;]*m", "", out).strip() == text.strip()
