"""TREC runs beside their judgements (qrels): the measures of each query, computed by ``ir_measures``.

A run alone is a ranking and no score; judgements alone say nothing of a system. Both together are read, whatever their
names: ``scorebars estimate run.txt qrels.txt --metric nDCG@10``. Queries that are judged and not in the run score 0, as
the measures define it.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from scorebars.errors import ReadError, counted
from scorebars.readers.files import names_for, shown, stem
from scorebars.readers.last_line import is_ended
from scorebars.readers.records import Rows, each, refuse_mapping
from scorebars.readers.sources import NoScores
from scorebars.readers.text_lines import text_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from scorebars.contracts import FileHead, Part, Request

MEASURES: Final = ("nDCG@10", "nDCG", "AP", "RR", "P@10", "R@100", "R@1000")
"""What is computed, by ir_measures' names."""
_RUN: Final = re.compile(rb"^\s*\S+\s+Q0\s+\S+\s+\d+\s+-?[\d.eE+-]+\s+\S+")
_QRELS: Final = re.compile(rb"^\s*\S+[ \t]+\S+[ \t]+\S+[ \t]+-?\d+[ \t]*\r?$")


@dataclass(frozen=True, slots=True)
class TrecRunReader:
    """Reads runs and qrels in TREC's format."""

    @property
    def name(self) -> str:
        """As on the command line and in notes."""
        return "trec-run"

    def claims(self, head: FileHead) -> bool:
        """Lines of six columns with Q0, or of four that end in a whole number."""
        return is_run(head) or is_qrels(head)

    def read(self, heads: Sequence[FileHead], request: Request) -> Iterator[Part]:
        """One part a run; the qrels only lend their judgements."""
        refuse_mapping(request, "a TREC run")
        runs = [head for head in heads if is_run(head)]
        judged = [head for head in heads if not is_run(head)]
        if len(judged) != 1 or not runs:
            yield from each(heads, lambda head: _alone(head, runs, judged))
            return
        qrels = _qrels(judged[0])
        names = _names(runs)
        yield from each(runs, lambda head: _part(head, names[head.path], qrels, judged[0].path))


def is_run(head: FileHead) -> bool:
    """Whether the first line is a ranked document."""
    return _RUN.match(head.head) is not None


def is_qrels(head: FileHead) -> bool:
    """Whether the first lines are judgements."""
    lines = head.head.splitlines()[:5]
    return len(lines) > 1 and all(_QRELS.match(line) for line in lines)


def _alone(head: FileHead, runs: Sequence[FileHead], judged: Sequence[FileHead]) -> Part:
    if not runs:
        raise NoScores(f"{shown(head.path)} holds relevance judgements (qrels), no scores; name the runs beside it")
    if not judged:
        raise NoScores(
            f"{shown(head.path)} is a TREC run, a ranking without scores of quality; name its judgements (qrels) "
            "beside it (to compare two runs, put both and the judgements in one folder), or read the output of "
            "trec_eval -q"
        )
    listed = ", ".join(f"'{each.path.name}'" for each in judged[:3])
    raise ReadError(f"{len(judged)} files of judgements were given ({listed}); name the one that counts")


def _names(runs: Sequence[FileHead]) -> dict[Path, str]:
    """The tag of each run; the files' names where a tag is used twice ('Anserini')."""
    tags = {head.path: next((row[5] for row, _ in _rows(head, 6)), stem(head.path)) for head in runs}
    if max(Counter(tags.values()).values()) > 1:
        return names_for(tags)
    return tags


def _rows(head: FileHead, width: int) -> Iterator[tuple[list[str], str]]:
    """(cells, where) of each line that is not blank; what stands behind the last column is dropped as TREC does."""
    for text, where in text_lines(head):
        cells = text.split()
        if cells and len(cells) < width:
            raise ReadError(f"{where} has {counted(len(cells), 'column')}, not {width}: truncated or damaged")
        if len(cells) > width and _is_two(cells, width):
            raise ReadError(
                f"{where} has {len(cells)} columns, not {width}, and a second '{cells[1]}' among them: the line break "
                "between two lines is gone; write the file again"
            )
        if cells:
            yield cells, where


def _is_two(cells: Sequence[str], width: int) -> bool:
    """Whether the second column stands there once more behind the last: a run's Q0, a whole line's 0 of judgements."""
    return cells[1] in cells[width:] and (cells[1] == "Q0" or len(cells) >= 2 * width - 1)


def _number(text: str, where: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ReadError(f"{where}: '{text}' is no number") from None


def _qrels(head: FileHead) -> list[Any]:
    measures = _library(head.path)
    return [
        measures.Qrel(cells[0], cells[2], int(_number(cells[3], where)), cells[1]) for cells, where in _rows(head, 4)
    ]


def _library(path: Path) -> Any:
    try:
        import ir_measures
    except ImportError:
        raise ReadError(
            f"{shown(path)}: measures of TREC runs are computed by ir_measures, which is not installed; "
            "pip install ir-measures, or read the output of trec_eval -q"
        ) from None
    return ir_measures


def _refuse_cut(lines: Sequence[tuple[list[str], str]], head: FileHead) -> None:
    """Raise a ReadError for a last line that stops inside the run's tag: whole queries may be missing below it."""
    (first, _), (last, where) = lines[0], lines[-1]
    if last[5] != first[5] and first[5].startswith(last[5]) and not is_ended(head):
        raise ReadError(f"{where} ends with '{last[5]}', the first with '{first[5]}': it is truncated; copy it again")


def _part(head: FileHead, model: str, qrels: list[Any], judged: Path) -> Part:
    library = _library(head.path)
    lines = list(_rows(head, 6))
    _refuse_cut(lines, head)
    run = [library.ScoredDoc(cells[0], cells[2], _number(cells[4], where)) for cells, where in lines]
    known = {one.query_id for one in qrels}
    unjudged = {one.query_id for one in run} - known
    if unjudged == {one.query_id for one in run}:
        none = "its only query is not" if len(unjudged) == 1 else f"none of its {len(unjudged)} queries is"
        raise ReadError(
            f"{shown(head.path)}: {none} judged in {shown(judged)} ('{min(unjudged)}' here, '{min(known)}' there)"
        )
    rows = Rows()
    wanted = [library.parse_measure(name) for name in MEASURES]
    for one in library.iter_calc(wanted, qrels, run):
        rows.add(model=model, item=one.query_id, metric=str(one.measure), score=float(one.value))
    mapping = {
        "model": "the run's tag, or the file's name where tags repeat",
        "item": "the query",
        "metric": "computed by ir_measures",
        "score": f"against {judged.name}",
    }
    dropped = {"queries without judgements": len(unjudged)}
    return rows.part(head.path, "trec-run", mapping, score_range=(0.0, 1.0), dropped=dropped)
