"""JUnit XML (pytest and most test runners): one ``testcase`` an attempt.

Passed is 1, failed is 0, a property ``score`` (or ``reward``) is the score itself. Skipped is missing, an error (the
test broke before it could judge) is an error. Properties ``model``, ``task``, ``item`` and ``run`` say what they are;
the model may also stand in the name of a parametrised test, as a pattern says: ``--map "model=[{model}-{item}]"``.

The file is parsed as a stream by the standard library's expat; a document type, and so every entity, is refused.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final
from xml.parsers import expat

from scorebars.errors import ReadError
from scorebars.readers.files import names_for, plain_bytes, shown
from scorebars.readers.records import Rows, each

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scorebars.contracts import FileHead, Part, Request

SCORES: Final = ("score", "reward")
"""Properties that are the score."""
ROLES: Final = ("model", "task", "item", "run")
"""Properties that say what a test is."""
_ROOT: Final = re.compile(rb"<testsuites?[\s>/]")
_FIELD: Final = re.compile(r"\\\{(model|item|run)\\\}")
_BLOCK: Final = 1 << 16
_DEEPEST: Final = 100


@dataclass(frozen=True, slots=True)
class JunitReader:
    """Reads test reports."""

    @property
    def name(self) -> str:
        """As on the command line and in notes."""
        return "junit"

    def claims(self, head: FileHead) -> bool:
        """XML whose root is a test suite."""
        start = head.head.lstrip(b"\xef\xbb\xbf \t\r\n")
        return start.startswith(b"<") and _ROOT.search(start) is not None

    def read(self, heads: Sequence[FileHead], request: Request) -> Iterator[Part]:
        """One part a report; without a model in it, the file's name is the model."""
        pattern = _pattern(request)
        names = names_for(head.path for head in heads)
        return each(heads, lambda head: _part(head, names[head.path], pattern))


def _pattern(request: Request) -> re.Pattern[str] | None:
    """What ``--map model=PATTERN`` says: text with ``{model}``, ``{item}`` and ``{run}`` in it."""
    others = sorted(set(request.columns) - {"model"}) + (["cluster"] if request.cluster else [])
    if others:
        raise ReadError(
            f"'{others[0]}' cannot be mapped in a JUnit report; write it as a property of the test, or cut the model "
            'from its name: --map "model=[{model}-{item}]"'
        )
    text = request.columns.get("model")
    if text is None:
        return None
    if "{model}" not in text or text.count("{model}") > 1:
        raise ReadError(f"the pattern '{text}' has no place for the model; write it as [{{model}}-{{item}}]")
    # The shortest model and the longest item: 'gpt-4o' needs its surroundings spelt out ('[{model}-HumanEval/{item}]').
    named = _FIELD.sub(lambda match: f"(?P<{match[1]}>.+{'' if match[1] == 'item' else '?'})", re.escape(text))
    return re.compile(named)


@dataclass(slots=True)
class _Case:
    """A test case while its element is open."""

    where: str
    name: str
    group: str
    outcome: str = "passed"
    properties: dict[str, str] = field(default_factory=dict)


def _part(head: FileHead, model: str, pattern: re.Pattern[str] | None) -> Part:
    rows = Rows()
    named = False
    cases = _cases(head)
    if not cases:
        raise ReadError(f"{shown(head.path)} holds no test case; no scores are in it")
    for case in cases:
        found = _names(case, pattern)
        named = named or "model" in found
        score = _score(case)
        status = {"error": "error", "skipped": "missing"}.get(case.outcome, "ok") if math.isnan(score) else "ok"
        rows.add(
            model=found.get("model", model),
            task=found.get("task"),
            item=found["item"],
            run=found.get("run"),
            score=score,
            status=status,
        )
    if pattern is not None and not named:
        raise ReadError(
            f"{shown(head.path)}: the pattern for the model fits no test, such as '{cases[0].name}'; "
            "write the text around it as it stands there"
        )
    mapping = {
        "model": "property 'model', or the pattern" if named else f"the file's name ('{model}')",
        "item": "property 'item', else classname and name (without the model)",
        "score": "property 'score', else passed = 1 and failed = 0",
        "status": "error, skipped",
    }
    return rows.part(head.path, "junit", mapping)


def _names(case: _Case, pattern: re.Pattern[str] | None) -> dict[str, str]:
    """What the test is: its properties, then the pattern, then its name without the model."""
    found = {role: case.properties[role] for role in ROLES if case.properties.get(role)}
    match = pattern.search(case.name) if pattern else None
    if match:
        found = match.groupdict() | found
    name = case.name
    if "model" in found:
        name = re.sub(
            rf"(?<=[\[-]){re.escape(found['model'])}-?|-{re.escape(found['model'])}(?=[\]-])", "", name, count=1
        )
    found.setdefault("item", f"{case.group}.{name}" if case.group else name)
    return found


def _score(case: _Case) -> float:
    text = next((case.properties[key] for key in SCORES if key in case.properties), None)
    if text is not None and case.outcome in ("passed", "failed"):
        try:
            score = float(text)
        except ValueError:
            raise ReadError(f"{case.where}: the score '{text}' is no number") from None
        if math.isinf(score):
            raise ReadError(f"{case.where}: the score '{text}' is infinite; a score is a finite number")
        return score
    return {"passed": 1.0, "failed": 0.0}.get(case.outcome, math.nan)


def _cases(head: FileHead) -> list[_Case]:
    """The test cases of a report, in order; the text of failures is not kept."""
    parser = expat.ParserCreate()
    cases: list[_Case] = []
    depth = 0

    def where() -> str:
        return f"{shown(head.path)}: line {parser.CurrentLineNumber}"

    def start(tag: str, given: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > _DEEPEST:
            raise ReadError(
                f"{shown(head.path)}: line {parser.CurrentLineNumber} is nested too deeply for a test report"
            )
        _open(tag, given, cases, f"{shown(head.path)}: line {parser.CurrentLineNumber}")

    def end(_tag: str) -> None:
        nonlocal depth
        depth -= 1

    def refuse(*_: Any) -> None:
        raise ReadError(f"{where()} declares a document type or an entity, which no test report needs: it is not read")

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    with plain_bytes(head) as stream:
        try:
            for block in iter(lambda: stream.read(_BLOCK), b""):
                parser.Parse(block, False)
            parser.Parse(b"", True)
        except expat.ExpatError as error:
            raise ReadError(_fault(error, head)) from error
    return cases


def _fault(error: expat.ExpatError, head: FileHead) -> str:
    said = expat.ErrorString(error.code)
    if error.code == expat.errors.codes["not well-formed (invalid token)"]:
        said += " (or a byte that is not UTF-8)"
    if error.code in (expat.errors.codes["no element found"], expat.errors.codes["unclosed token"]):
        said += ": it is truncated"
    return f"{shown(head.path)} is not valid XML: {said} in line {error.lineno}, column {error.offset + 1}"


def _open(tag: str, given: dict[str, str], cases: list[_Case], where: str) -> None:
    """Note what an element says of the test case that is open."""
    if tag == "testcase":
        cases.append(_Case(where, given.get("name", ""), given.get("classname", "")))
        if not given.get("name"):
            raise ReadError(f"{where}: a testcase without a name")
    elif cases and tag in ("failure", "error", "skipped"):
        outcome = "failed" if tag == "failure" else tag
        if cases[-1].outcome in ("passed", "failed"):
            cases[-1].outcome = outcome
    elif cases and tag == "property":
        cases[-1].properties[given.get("name", "")] = given.get("value", "")
