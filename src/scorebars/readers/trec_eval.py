"""``trec_eval -q``: one line a measure and query, ``measure <tab> query <tab> value``; and what others print like it.

``ir_measures -q`` has the query first, as lines or as JSON Lines; pytrec_eval's results are an object of queries, each
with its measures, and its script prints lines aligned with blanks.

The lines of the query 'all' are averages and are left out; a file with nothing else was made without ``-q``. Counts
(``num_ret``) and the string of judgements (``relstring``) are no scores. A query without any result is missing in the
file unless trec_eval ran with ``-c``: it is missing here too, and its score would be 0.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from scorebars.errors import ReadError
from scorebars.readers.document import Node, lines, load, node
from scorebars.readers.files import shown
from scorebars.readers.last_line import is_ended, unended_note
from scorebars.readers.naming import from_path, model_names
from scorebars.readers.records import Rows, each, in_unit, refuse_mapping
from scorebars.readers.sources import NoScores
from scorebars.readers.text_lines import text_lines
from scorebars.readers.totals import TOLERANCE, Total, disagreements, mean

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scorebars.contracts import FileHead, Part, Request

ALL: Final = "all"
RUN: Final = "runid"
QUERIES: Final = "num_q"
COUNTS: Final = ("num_", "Num", "relstring", RUN)
NOT_MEAN: Final = ("gm_", "relstring", RUN)
"""Measures whose line of all queries is no sum and no mean: geometric means among them."""
_UNIT: Final = re.compile(
    r"(relative_)?(P|success|recall|unj)_\d+|(set_)?(relative_P|recall|P|F|F_[\d.]+|map)|infAP|binG|11pt_avg"
    r"|(map|ndcg|ndcg_rel|Rndcg|G|Rprec|bpref|recip_rank)(_cut_\d+|_mult_[\d.]+)?|iprec_at_recall_[\d.]+"
)
"""Measures that are 0 to 1 by their definition; others ('utility') are counts, or not known."""
_UNIT_TOO: Final = re.compile(
    r"(nDCG|AP|P|RR|R|Rprec|Success|Bpref|infAP|IPrec|Judged|Accuracy|RBP|Compat|Set(P|R|F|AP|RelP))"
    r"(\([^()]*\))?(@[\d.]+)?"
)
"""The same as ir_measures calls them."""
_LINE: Final = re.compile(r"^(\S+)\s*\t(\S+)\t(.*?)\s*$")
_ALIGNED: Final = re.compile(r"^(\S+) +(\S+) +(\S+)\s*$")
_KNOWN: Final = rb"(runid|num_\w+|map\w*|ndcg\w*|P_\d+|recip_rank|recall_\w+|set_\w+|Rprec|bpref)"
_START: Final = re.compile(rb"\s*" + _KNOWN + rb" *\t\S+\t")
_START_ALIGNED: Final = re.compile(rb"\s*" + _KNOWN + rb" +[^\s,]+ +-?\d+(\.\d+)?\s*\r?\n")
_FIRST: Final = (
    rb"(alpha_|n)?(nDCG|DCG|AP|P|RR|R|ERR|ERR_IA|Rprec|Success|Bpref|infAP|IPrec|Judged|RBP|NumQ|NumRet|NumRel|NumRelRet"
    rb"|Set[A-Z]\w*|Compat|INST|Accuracy)(\([^()\t]*\))?(@[\d.]+)?"
)
_QUERY_FIRST: Final = re.compile(rb"\s*\S+\t" + _FIRST + rb"\t-?\d")
_LINES_OF_JSON: Final = re.compile(rb'\s*\{"query_id": "(\\.|[^"\\])*", "measure": "' + _FIRST + rb'", "value": ')
_SUMMED: Final = re.compile(rb"\s*" + _FIRST + rb"\t-?\d[\d.]*\r?\n")
"""What ``ir_measures`` prints without ``-q``."""
_OBJECT: Final = re.compile(rb'\s*\{\s*"(\\.|[^"\\])*"\s*:\s*\{\s*"' + _KNOWN + rb'"\s*:\s*-?\d')


@dataclass(frozen=True, slots=True)
class TrecEvalReader:
    """Reads what ``trec_eval -q`` prints."""

    @property
    def name(self) -> str:
        """As on the command line and in notes."""
        return "trec-eval"

    def claims(self, head: FileHead) -> bool:
        """A measure that is known, a query and a value, in one of the shapes."""
        return _shape(head) is not None

    def read(self, heads: Sequence[FileHead], request: Request) -> Iterator[Part]:
        """One part a file; the system is the file's ``runid``, else its name."""
        refuse_mapping(request, "an output of trec_eval")
        names = model_names([head.path for head in heads], "")
        return each(heads, lambda head: _part(head, names[head.path]))


def _shape(head: FileHead) -> re.Pattern[bytes] | None:
    """How the first bytes show what it is."""
    return next((shape for shape in _SHAPES if shape.match(head.head.removeprefix(b"\xef\xbb\xbf"))), None)


_SHAPES: Final = (_START, _QUERY_FIRST, _LINES_OF_JSON, _OBJECT, _START_ALIGNED, _SUMMED)


def _part(head: FileHead, by_file: tuple[str, str]) -> Iterator[Part]:
    """The scores whose range is known, then the others: a part has one range."""
    found = [] if _shape(head) is _SUMMED else list(_lines(head))
    cut = found and _shape(head) not in (_OBJECT, _LINES_OF_JSON) and not is_ended(head)
    unended = [unended_note(head, "\t".join(found.pop()[:3]))] if cut else []
    averages = [measure for measure, query, _, _ in found if query == ALL]
    runs = list(dict.fromkeys(value for measure, _, value, _ in found if measure == RUN))
    if len(runs) > 1:
        raise ReadError(
            f"{shown(head.path)} holds the output of {len(runs)} runs ('{runs[0]}', '{runs[1]}'), and its lines do not "
            "say whose they are; keep a file a run"
        )
    named = runs[0] if runs else None
    tables = {True: Rows(), False: Rows()}  # shares, whose range is known, and others
    counts: dict[str, str] = {}
    for measure, query, value, where in found:
        if query == ALL:
            continue
        if measure.startswith(COUNTS):
            counts[measure] = (
                "a count, not a score" if measure != "relstring" else "the judgements of a query, not a score"
            )
            continue
        is_share = (_UNIT.fullmatch(measure) or _UNIT_TOO.fullmatch(measure)) is not None
        tables[is_share].add(model=named or by_file[0], item=query, metric=measure, score=_number(value, where))
    if not any(map(len, tables.values())):
        count = f" ({len(averages)} measures)" if averages else ""
        raise NoScores(
            f"{shown(head.path)} holds averages over all queries{count} and no query of its own; run it again with -q"
        )
    mapping = {
        "model": "runid" if named else f"{by_file[1]} (no runid line)",
        "item": "the query",
        "metric": "the measure",
        "score": "the value",
    }
    dropped = {"averages over all queries ('all')": len(averages)}
    notes = [*disagreements(shown(head.path), _totals(found)), *unended]
    if not named:
        notes.append(from_path(by_file[0], "its file", "no runid line names it"))
    shares, others = (tables[True], tables[False]) if len(tables[True]) else (tables[False], Rows())
    part = shares.part(head.path, "trec-eval", mapping, dropped=dropped, unusable=counts, notes=notes)
    yield in_unit(part) if len(tables[True]) else part
    if len(others):
        yield others.part(head.path, "trec-eval", mapping)


def _totals(found: Sequence[tuple[str, str, str, str]]) -> Iterator[Total]:
    """What the lines of the query 'all' say, and what those of the queries give: sums of counts, means of measures."""
    of_measure: dict[str, list[str]] = {}
    for measure, query, value, _ in found:
        if query != ALL:
            of_measure.setdefault(measure, []).append(value)
    queries = {query for _, query, _, _ in found if query != ALL}
    for measure, query, value, where in found:
        if query != ALL or measure.startswith(NOT_MEAN):
            continue
        what = f"'{measure}' of the query '{ALL}'"
        if measure == QUERIES:
            yield Total(what, int(_number(value, where)), len(queries))
        elif measure in of_measure:
            own = [_number(one, where) for one in of_measure[measure]]
            if measure.startswith(COUNTS):
                yield Total(what, int(_number(value, where)), math.fsum(own))
            else:  # rounded once in each line, and once more in the mean of all
                said, digits = _number(value, where), len(value.partition(".")[2])
                if not abs(mean(own) - said) <= 10.0**-digits + TOLERANCE:
                    yield Total(what, said, mean(own), digits)


def _lines(head: FileHead) -> Iterator[tuple[str, str, str, str]]:
    """(measure, query, value, where) of each value."""
    shape = _shape(head)
    if shape is _OBJECT:
        yield from _of_object(head)
    elif shape is _LINES_OF_JSON:
        for one in lines(head):
            yield one.text("measure"), one.text("query_id"), _text(one, "value"), one.where
    else:
        pattern = _ALIGNED if shape is _START_ALIGNED else _LINE
        between = "blanks" if shape is _START_ALIGNED else "tabs"
        for text, where in text_lines(head):
            if not text.strip():
                continue
            match = pattern.match(text)
            if match is None:
                raise ReadError(f"{where} is no measure, query and value between {between}: truncated or damaged")
            first, second, value = match.groups()
            yield (second, first, value, where) if shape is _QUERY_FIRST else (first, second, value, where)


def _of_object(head: FileHead) -> Iterator[tuple[str, str, str, str]]:
    """Of pytrec_eval's results: query -> measure -> value."""
    for query, measures in node(load(head, unique=True), shown(head.path)).members():
        for measure in measures.value:
            yield measure, query, _text(measures, measure), measures.where


def _text(record: Node, key: str) -> str:
    """A number as its text."""
    value = record.number(key)
    if math.isnan(value):
        raise ReadError(f"{record.where}: '{key}' is no number")
    return repr(value)


def _number(text: str, where: str) -> float:
    try:
        value = float(text)
    except ValueError:
        raise ReadError(f"{where}: the value '{text}' is no number") from None
    if math.isinf(value):
        raise ReadError(f"{where}: the value '{text}' is infinite; a score is a finite number")
    return value
