"""``sacrebleu --sentence-level``: one line a segment, a bare number (``-b``) or its signature and the score.

The line's number is the item, the file's name the system. The mean over segments is not the corpus score: BLEU pools
its counts (see the estimator ``bleu``); it is chrF's and TER's neighbour, not their equal.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, NoReturn

from scorebars.errors import ReadError
from scorebars.readers.files import names_for, shown, text_head
from scorebars.readers.last_line import cut_number, is_ended
from scorebars.readers.records import Rows, each, refuse_mapping
from scorebars.readers.sources import NoScores
from scorebars.readers.text_lines import text_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scorebars.contracts import FileHead, Part, Request

_NUMBER: Final = r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?"
_BARE: Final = re.compile(rf"^[ \t]*({_NUMBER}|nan|NaN)[ \t]*$")
_SIGNED: Final = re.compile(rf"^\s*(BLEU|chrF2?\+{{0,2}}|chrF\d\+{{0,2}}|TER)\|(\S*) = ({_NUMBER})(\s.*)?$")
_DIGITS: Final = re.compile(r"[\d.]*\d")
_COMPARISON: Final = re.compile(rb'\s*\[\s*\{\s*"system"\s*:\s*"[^"]*"\s*,\s*"(BLEU|chrF|TER)\w*\+*"\s*:\s*[{"\d]')
_CORPUS: Final = re.compile(rb'\s*\[?\s*\{\s*"name"\s*:\s*"(BLEU|chrF|TER)\w*\+*"\s*,\s*"score"\s*:[^{}]*"signature"')
_CORPUS_LINE: Final = "eff:no"
"""In the signature of a corpus BLEU; that of a sentence has the effective order, 'eff:yes'."""
UNNAMED: Final = "score"
"""The metric of lines without a signature: of which nothing is known, so that any number may be one."""
SHARES: Final = ("BLEU", "chrF")
_ROUNDING: Final = 1e-6
_BEFORE: Final = " "
"""What stands before a number that is the last of its line."""
LOOK: Final = 20
"""Lines that must be numbers for a file to be a list of scores."""


@dataclass(frozen=True, slots=True)
class SacrebleuReader:
    """Reads one score a line."""

    @property
    def name(self) -> str:
        """As on the command line and in notes."""
        return "sacrebleu"

    def claims(self, head: FileHead) -> bool:
        """Lines that are numbers, at least two, or sacreBLEU's signatures; also the JSON of its corpus scores."""
        if _sums_up(head):
            return True
        try:
            lines = [line for line in text_head(head).splitlines()[:LOOK] if line.strip()]
        except ReadError:
            return False
        if lines and _SIGNED.match(lines[0]):
            return True
        return len(lines) > 1 and all(_BARE.match(line) for line in lines)

    def read(self, heads: Sequence[FileHead], request: Request) -> Iterator[Part]:
        """One part a file."""
        refuse_mapping(request, "a list of scores, one a line")
        names = names_for(head.path for head in heads)
        return each(heads, lambda head: _part(head, names[head.path]))


def _sums_up(head: FileHead) -> str:
    """What a JSON file of corpus scores is, '' for any other; several systems are a table, or a comparison."""
    if _COMPARISON.match(head.head):
        return "the result of a sacreBLEU comparison, one number a system"
    return "a sacreBLEU score of a whole corpus, one number a metric" if _CORPUS.match(head.head) else ""


def _refuse(what: str, head: FileHead) -> NoReturn:
    raise NoScores(
        f"{shown(head.path)} is {what} and none a segment; score the segments (sacrebleu --sentence-level -b), a file "
        "a system"
    )


def _part(head: FileHead, model: str) -> Part:
    if what := _sums_up(head):
        _refuse(what, head)
    rows = Rows()
    signatures: set[str] = set()
    forms: Counter[str] = Counter()
    form = ""
    for number, line in enumerate(_lines(head), start=1):
        bare, signed = _BARE.match(line), _SIGNED.match(line)
        if bare is None and signed is None:
            said = f"'{line.strip()[:40]}'" if line.strip() else "empty"
            raise ReadError(f"{shown(head.path)}: line {number} is {said}, not a score; one score a line, no header")
        metric = signed[1] if signed else UNNAMED
        if signed:
            signatures.add(f"{signed[1]}|{signed[2]}")
            form = _form(signed)
            forms[form] += 1
            if _CORPUS_LINE in signed[2].split("|"):
                _refuse("a sacreBLEU score of a whole corpus ('eff:no' in its signature), one number", head)
        text = signed[3] if signed else line
        score = _possible(float(text), metric, f"{shown(head.path)}: line {number}")
        rows.add(model=model, item=f"{number}", metric=metric, score=score)
    if signatures and len(rows) == 1:
        _refuse("a single sacreBLEU score, of a corpus as it seems", head)
    if len(signatures) > 1:
        listed = " and ".join(sorted(signatures)[:2])
        raise ReadError(f"{shown(head.path)} mixes {listed}; write one signature a file")
    if forms[form] == 1 and len(forms) > 1 and not is_ended(head):
        _refuse_cut(head, len(rows))
    mapping = {
        "model": f"the file's name ('{model}')",
        "item": "the line's number",
        "metric": "the signature" if signatures else "none is named",
        "score": "the number of the line",
    }
    share = signatures and not any(signature.startswith("TER") for signature in signatures)
    score_range = (0.0, 100.0) if share else None
    part = rows.part(head.path, "sacrebleu", mapping, score_range=score_range, notes=cut_number(head, _BEFORE))
    return replace(part, items_by_place=True)


def _form(signed: re.Match[str]) -> str:
    """What a line with a signature has after it: the decimals of the score, and what follows without its numbers."""
    return f"{len(signed[3].partition('.')[2])}{_DIGITS.sub('0', signed[4] or '').rstrip()}"


def _refuse_cut(head: FileHead, number: int) -> NoReturn:
    """Refuse a last line without a line break that has another form than all lines before it.

    sacreBLEU ends every line, and gives all scores as many decimals: of '= 45.3 66.7/50.0 (BP = …)' a cut leaves '= 4'.
    """
    raise ReadError(
        f"{shown(head.path)}: line {number} has another form than those before it and no line break: it was cut short; "
        "write the file again, or take that line away"
    )


def _possible(value: float, metric: str, where: str) -> float:
    """The score, if its metric can have it: BLEU and chrF are between 0 and 100, TER is not negative."""
    if math.isinf(value):
        raise ReadError(f"{where} is infinite; a score is a finite number")
    if metric != UNNAMED and value < 0:
        raise ReadError(f"{where} has the score {value:g}; no {metric} is negative")
    if metric.startswith(SHARES) and value > 100 + _ROUNDING:
        raise ReadError(f"{where} has the score {value:g}; {metric} is between 0 and 100 (a TER may be larger)")
    return value


def _lines(head: FileHead) -> Iterator[str]:
    """Lines of the file, without blank ones at its end: a blank one before is a segment without a score."""
    held = 0
    for text, _ in text_lines(head):
        if not text.strip():
            held += 1
            continue
        yield from [""] * held
        held = 0
        yield text
