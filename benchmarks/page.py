"""Put printed tables into docs/benchmarks.md: ``python benchmarks/page.py table < RUN.txt``, or ``limits``."""

from __future__ import annotations

import re
import sys
from pathlib import Path

PAGE = Path(__file__).parents[1] / "docs" / "benchmarks.md"
MARKS = {"table": ("<!-- table -->", "<!-- end -->"), "limits": ("<!-- limits -->", "<!-- end limits -->")}


def main() -> None:
    first, last = MARKS[sys.argv[1]]
    PAGE.write_text(between(PAGE.read_text(encoding="utf-8"), first, last, sys.stdin.read()), encoding="utf-8")


def between(page: str, first: str, last: str, text: str) -> str:
    """The page with the text between two marks in the place of what stood there."""
    pattern = re.escape(first) + ".*?" + re.escape(last)
    return re.sub(pattern, lambda _: f"{first}\n{text.strip()}\n{last}", page, count=1, flags=re.DOTALL)


if __name__ == "__main__":
    main()
