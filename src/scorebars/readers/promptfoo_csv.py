"""promptfoo's CSV (``-o results.csv``): a row a test, and for each prompt and provider its output, verdict and scores.

Verdicts are whole; ``Score`` and ``Named Scores`` are rounded to two digits. The assertions are not in it, so rows of
the same variables are repeats (``--repeat``) only where each is there equally often.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from scorebars.errors import ReadError
from scorebars.readers.csv_rows import csv_rows, header_of, number_of
from scorebars.readers.document import node
from scorebars.readers.files import shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scorebars.contracts import FileHead

BOTH: Final = ("score", "success")
"""Metrics that every result has; named scores are of the tests that ask for them."""
CSV: Final = {
    "variant": "the prompt's label, in the header; '#' is its place, where one provider has it twice",
    "item": "the row; rows of the same variables are one item where all are there equally often (--repeat)",
    "score": "Score and Named Scores, which promptfoo rounds to two digits; 'success' is the Status",
    "status": "the Status ERROR",
}
"""What is said of such a file."""
VERDICTS: Final = {"PASS": 1.0, "FAIL": 0.0, "ERROR": math.nan}
_COLUMNS: Final = ("Status", "Score", "Named Scores")
"""What follows a column of outputs."""
_OUTPUT: Final = re.compile(r"\[(.+?)\] (.*)", re.DOTALL)
"""The header of a column of outputs."""
_HINT: Final = "write the results as JSON: promptfoo export eval ID -o results.json"


@dataclass(slots=True)
class Result:
    """One result: what was asked of whom, and its numbers."""

    model: str
    prompt: str
    place: str
    """The prompt's place, which tells providers of one name apart."""
    test: str
    failed: bool
    values: dict[str, float] = field(default_factory=dict)
    content: Any = None
    """What the test asks; empty if the file was written without it."""
    asserted: bool = True
    asked: frozenset[str] = frozenset()
    """The named scores that its test asks for."""


def spelled(name: str) -> str:
    """A named score as a metric."""
    return f"namedScores.{name}" if name in BOTH else name


def is_csv(head: FileHead) -> bool:
    """Whether the header has a verdict and scores after an output."""
    return b",Status,Score,Named Scores," in head.head and bool(_outputs(header_of(head)))


def from_csv(head: FileHead) -> Iterator[Result]:
    """The results of a file, with what was asked only where repeats can be told from tests.

    Raises:
        ReadError: A column of results without a provider.
    """
    path, rows = shown(head.path), csv_rows(head)
    _, header = next(rows)
    columns = {place: _OUTPUT.match(header[place]) for place in _outputs(header)}
    nameless = next((header[place] for place, found in columns.items() if found is None), None)
    if nameless is not None:
        raise ReadError(f"{path}: the column '{nameless}' names no provider ('[provider] prompt'); {_HINT}")
    tests = [(line, cells, cells[: min(columns)]) for line, cells in rows]
    repeated = len(set(Counter(tuple(content) for _, _, content in tests).values())) == 1
    for number, (line, cells, content) in enumerate(tests):
        for order, (place, named) in enumerate(columns.items()):
            if named and cells[place + 1]:  # a prompt that was not asked this has empty cells
                values = _values(cells[place + 1 : place + 4], f"{path}: line {line}")
                failed = math.isnan(values["success"])
                yield Result(
                    named[1], named[2], str(order), str(number), failed, values, content if repeated else None
                )  # fmt: skip


def _outputs(header: Sequence[str]) -> list[int]:
    """The places of the columns of outputs."""
    return [place for place in range(len(header)) if tuple(header[place + 1 : place + 4]) == _COLUMNS]


def _values(cells: Sequence[str], where: str) -> dict[str, float]:
    verdict, score, named = cells
    if verdict not in VERDICTS:
        raise ReadError(f"{where}: the Status '{verdict}' is none of {', '.join(VERDICTS)}")
    try:
        scores = node(json.loads(named or "{}"), f"{where}: 'Named Scores'")
    except (json.JSONDecodeError, RecursionError) as error:
        raise ReadError(f"{where}: 'Named Scores' is no JSON: '{named[:40]}'") from error
    values = {"score": number_of(score.removeprefix("'"), f"{where}: 'Score'"), "success": VERDICTS[verdict]}
    return values | {spelled(key): scores.number(key) for key in scores.value}
