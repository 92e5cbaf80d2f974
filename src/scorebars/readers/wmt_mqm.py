"""WMT's human MQM ratings: ``*.avg_seg_scores.tsv``, one line a system and segment with its average penalty.

Scores are negative, 0 is perfect, higher is better. 'None' is a segment that nobody rated: missing. The references
(``ref-A`` …) are listed among the systems. The header is separated by blanks, the rows by a tab and a blank.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from scorebars.errors import ReadError
from scorebars.notes import note
from scorebars.readers.files import shown
from scorebars.readers.last_line import is_ended, unended_note
from scorebars.readers.records import Rows, each, refuse_mapping
from scorebars.readers.text_lines import text_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scorebars.contracts import FileHead, Part, Request

_HEADER: Final = re.compile(rb"^\s*system\s+(\w*score)\s+(?:doc\s+)?seg_id\s*\r?\n")
_REFERENCE: Final = re.compile(r"ref(-?[A-Z])?$", re.IGNORECASE)
_MISSING: Final = frozenset({"None", "nan", "NaN"})


@dataclass(frozen=True, slots=True)
class WmtMqmReader:
    """Reads average segment scores."""

    @property
    def name(self) -> str:
        """As on the command line and in notes."""
        return "wmt-mqm"

    def claims(self, head: FileHead) -> bool:
        """The header of the file."""
        return _HEADER.match(head.head) is not None and b"mqm" in head.head[:200].lower()

    def read(self, heads: Sequence[FileHead], request: Request) -> Iterator[Part]:
        """One part a file."""
        refuse_mapping(request, "a file of MQM scores")
        return each(heads, _part)


def _part(head: FileHead) -> Part:
    rows = Rows()
    found = text_lines(head)
    header = next(found)[0].split()
    cut: list[str] = []
    for line, where in _ended(found, head, cut):
        cells = line.split()
        if not cells:
            continue
        if len(cells) != len(header):
            raise ReadError(f"{where} has {len(cells)} cells, the header has {len(header)}: truncated or damaged")
        named = dict(zip(header, cells, strict=True))
        rows.add(
            model=named["system"],
            item=named["seg_id"],
            metric="mqm",
            score=_score(named[header[1]], where),
            cluster=named.get("doc"),
        )
    mapping = {
        "model": "system",
        "item": "seg_id",
        "metric": "mqm",
        "score": f"{header[1]} (0 is perfect; None is missing)",
    }
    references = [name for name in dict.fromkeys(rows.cells["model"]) if _REFERENCE.match(name)]
    listed = ", ".join(f"'{name}'" for name in references)
    notes = [note("human-references", path=shown(head.path), names=listed)] if references else []
    notes += [unended_note(head, line) for line in cut]
    return rows.part(head.path, "wmt-mqm", mapping, notes=notes)


def _ended(lines: Iterator[tuple[str, str]], head: FileHead, cut: list[str]) -> Iterator[tuple[str, str]]:
    """The lines; a last one without a line break, whose segment may have lost digits, goes into ``cut``."""
    if is_ended(head):
        yield from lines
        return
    held = next(lines, None)
    for line in lines:
        if held is not None:
            yield held
        held = line
    if held is not None:
        cut.append(held[0])


def _score(text: str, where: str) -> float:
    if text in _MISSING:
        return float("nan")
    try:
        return float(text) + 0.0  # "-0.000000" is no penalty
    except ValueError:
        raise ReadError(f"{where}: the score '{text}' is no number") from None
