"""WMT's MQM ratings: a line an error that a rater marked, ``system doc doc_id seg_id rater … severity``.

A rater's score of a segment is minus the sum of the weights of its errors, as Freitag et al. (2021, *Experts, errors,
and context*, table 4) fix them: Major 5 (Non-translation 25), Minor 1 (Fluency/Punctuation 0.1), Neutral and No-error
0. The rater is the run, the document the cluster; the mean over raters is what the file of averages holds.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from scorebars.errors import ReadError, near_miss
from scorebars.readers.files import shown
from scorebars.readers.records import Rows, each, refuse_mapping
from scorebars.readers.text_lines import text_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scorebars.contracts import FileHead, Part, Request

COLUMNS: Final = ("system", "doc", "seg_id", "rater", "category", "severity")
WEIGHTS: Final = {"major": 5.0, "minor": 1.0, "neutral": 0.0, "no-error": 0.0}
"""Severity in lower case -> penalty."""
NON_TRANSLATION: Final = 25.0
MINOR_PUNCTUATION: Final = 0.1
_HEADER: Final = re.compile(rb"\s*system\tdoc\t[^\n]*\brater\t[^\n]*\bcategory\tseverity\b")


@dataclass(frozen=True, slots=True)
class WmtRatingsReader:
    """Reads the ratings of single raters."""

    @property
    def name(self) -> str:
        """As on the command line and in notes."""
        return "wmt-ratings"

    def claims(self, head: FileHead) -> bool:
        """The header of the file."""
        return _HEADER.match(head.head.removeprefix(b"\xef\xbb\xbf")) is not None

    def read(self, heads: Sequence[FileHead], request: Request) -> Iterator[Part]:
        """One part a file."""
        refuse_mapping(request, "a file of MQM ratings")
        return each(heads, _part)


def _part(head: FileHead) -> Part:
    penalties: dict[tuple[str, str, str, str], float] = {}
    for cells, where in _lines(head):
        key = (cells["system"], cells["doc"], cells["seg_id"], cells["rater"])
        penalties[key] = penalties.get(key, 0.0) + _penalty(cells["category"], cells["severity"], where)
    rows = Rows()
    for (system, document, segment, rater), penalty in penalties.items():
        rows.add(model=system, item=segment, run=rater, cluster=document, metric="mqm", score=0.0 - penalty)
    mapping = {
        "model": "system",
        "item": "seg_id",
        "run": "rater",
        "cluster": "doc",
        "metric": "mqm",
        "score": "minus the weights of the errors (Major 5, Minor 1, minor punctuation .1, Non-translation 25)",
    }
    return rows.part(head.path, "wmt-ratings", mapping)


def _lines(head: FileHead) -> Iterator[tuple[dict[str, str], str]]:
    """The cells that count of each line, and where it stands."""
    found = text_lines(head)
    names = next(found)[0].split("\t")
    lacking = [column for column in COLUMNS if column not in names]
    if lacking:
        raise ReadError(f"{shown(head.path)} has no column '{lacking[0]}'{near_miss(lacking[0], names)}")
    for line, where in found:
        cells = line.split("\t")
        if cells == [""]:
            continue
        if len(cells) < names.index("severity") + 1:
            raise ReadError(f"{where} has {len(cells)} cells, the header has {len(names)}: truncated or damaged")
        if any(cell.strip() for cell in cells[len(names) :]):
            raise ReadError(
                f"{where} has {len(cells)} cells, the header has {len(names)}: the line break between two lines is "
                "gone, or a tab stands in a text; write the file again"
            )
        named = dict(zip(names, cells, strict=False))
        yield {column: named[column].strip() for column in COLUMNS}, where


def _penalty(category: str, severity: str, where: str) -> float:
    weight = WEIGHTS.get(severity.lower())
    if weight is None:
        raise ReadError(f"{where}: the severity '{severity}' is none of Major, Minor, Neutral, No-error")
    if weight and category.lower().startswith("non-translation"):
        return NON_TRANSLATION
    if severity.lower() == "minor" and category.lower() == "fluency/punctuation":
        return MINOR_PUNCTUATION
    return weight
