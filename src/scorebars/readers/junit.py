"""JUnit XML (pytest and most test runners): one ``testcase`` an attempt.

Passed is 1, failed is 0, a property ``score`` (or ``reward``) is the score itself. Skipped is missing, and so is a test
that was disabled or not run, or only planned (``test.todo`` of jest); an error (the test broke before it could judge)
is an error. A test that passed when it was run again has passed, as its runner counts it, and a note says so. The
counts of the suites are held against their tests. Properties ``model``, ``task``, ``item`` and ``run`` say what they
are; the model may also stand in the name of a parametrised test, as a pattern says: ``--map "model=[{model}-{item}]"``
(:mod:`scorebars.readers.junit_names`).

The file is parsed as a stream by the standard library's expat; a document type, and so every entity, is refused.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final
from xml.parsers import expat

from scorebars.errors import ReadError, counted
from scorebars.notes import Note, note
from scorebars.readers.files import names_for, plain_bytes, shown
from scorebars.readers.junit_names import Test, name_notes, patterns
from scorebars.readers.records import Rows, each
from scorebars.readers.totals import Total, disagreements

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scorebars.contracts import FileHead, Part, Request
    from scorebars.readers.junit_names import Patterns

SCORES: Final = ("score", "reward")
"""Properties that are the score."""
SUITES: Final = ("testsuite", "testsuites")
NOT_RUN: Final = {"status": ("notrun", "disabled", "skipped", "ignored"), "result": ("suppressed", "skipped")}
"""Attributes of a test case that say, without a child of it, that it was not run (googletest writes both)."""
TODO: Final = "todo"
"""The outcome of a test that is only planned; the property 'status' of such a test, where it is recorded."""
UNTIMED: Final = "0"
"""The duration that jest-junit gives to a test that was not run, or in less than a millisecond."""
TELLING: Final = "'module.exports = test => ({status: test.status})'"
"""What makes jest-junit record the status of each test."""
FLAKY: Final = ("flakyFailure", "flakyError")
"""Children of a test that failed, was run again and passed (surefire)."""
RERUN: Final = {"rerunFailure": "failed", "rerunError": "error"}
"""Children of a test that failed again each time; it has a failure or an error of its own too."""
COUNTED: Final = {"tests": "", "failures": "failure", "errors": "error", "skipped": "skipped", "skip": "skipped"}
"""Attributes of a suite, and the children of its tests that they count."""
PYTEST: Final = "pytest"
"""The name of pytest's suite, which counts subtests too, and those that passed leave nothing else in the report."""
ROLES: Final = ("model", "task", "item", "run")
"""Properties that say what a test is."""
_ROOT: Final = re.compile(rb"<testsuites?[\s>/]")
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
        said = patterns(request)
        names = names_for(head.path for head in heads)
        return each(heads, lambda head: _part(head, names[head.path], said))


@dataclass(slots=True)
class _Case:
    """A test case while its element is open."""

    where: str
    name: str
    group: str
    suite: str = ""
    """The names of the suites that it is in."""
    time: str = ""
    outcome: str = "passed"
    children: Counter[str] = field(default_factory=Counter)
    """How often each kind of verdict stands in it."""
    properties: dict[str, str] = field(default_factory=dict)


def _part(head: FileHead, model: str, said: Patterns) -> Part:
    rows = Rows()
    named = False
    report = _report(head)
    cases = report.cases
    planned = [*_todo(head, report)]
    if not cases:
        raise ReadError(f"{shown(head.path)} holds no test case; no scores are in it")
    names = _told_apart(cases, [_names(case, said) for case in cases])
    alone = "1" if "run" in said else None  # a test without repeats, beside others that have some
    for case, found in zip(cases, names, strict=True):
        named = named or "model" in found
        score = _score(case)
        status = (
            {"error": "error", "skipped": "missing", TODO: "missing"}.get(case.outcome, "ok")
            if math.isnan(score)
            else "ok"
        )
        rows.add(
            model=found.get("model", model),
            task=found.get("task"),
            item=found["item"],
            run=found.get("run", alone),
            score=score,
            status=status,
        )
    for role in said:
        if not any(role in found for found in names):
            raise ReadError(
                f"{shown(head.path)}: the pattern for the {role} fits no test, such as '{cases[0].name}'; "
                "write the text around it as it stands there"
            )
    mapping = {
        "model": "property 'model', or the pattern" if named else f"the file's name ('{model}')",
        "item": "property 'item', else classname and name (without the model)",
        "score": "property 'score', else passed = 1 and failed = 0",
        "status": "error, skipped, not run",
    }
    notes = [*planned, *_flaky(head, cases), *_totals(head, report.suites)]
    if any("run" in found for found in names):
        mapping["run"] = "property 'run', or the pattern"
    notes += name_notes(head.path, [_left(case, said) for case in cases], {role for found in names for role in found})
    return rows.part(head.path, "junit", mapping, notes=notes)


def _left(case: _Case, said: Patterns) -> Test:
    """What a test is called without its run."""
    test = Test(case.name, case.group, case.suite)
    return test._replace(name=said["run"].cut(test, "run")[1]) if "run" in said else test


def _told_apart(cases: Sequence[_Case], names: list[dict[str, str]]) -> list[dict[str, str]]:
    """The names with the suite before each item, where that alone tells tests of one name apart.

    Node's runner gives every test the same class.
    """
    suites: dict[tuple[str | None, ...], set[str]] = {}
    for case, found in zip(cases, names, strict=True):
        suites.setdefault(tuple(map(found.get, ROLES)), set()).add(case.suite)
    if all(len(inside) == 1 for inside in suites.values()):
        return names
    return [
        found if "item" in case.properties else found | {"item": f"{case.suite}.{found['item']}"}
        for case, found in zip(cases, names, strict=True)
    ]


def _todo(head: FileHead, report: _Report) -> Iterator[Note]:
    """Take tests that are only planned for what they are, with a note.

    jest-junit writes a ``test.todo`` as a test that passed in no time, and does not count it: in a suite where as many
    passed in no time as the suite does not count, they are those. Where more did, nothing tells which they are.
    """
    among = 0
    for suite in report.suites:
        untimed = [case for case in suite.direct if case.outcome == "passed" and case.time == UNTIMED]
        said = suite.counts.get("tests", "")
        more = sum(case.outcome != TODO for case in suite.direct) - int(said) if said.isdecimal() else 0
        if suite.is_root or not 0 < more <= len(untimed):
            continue
        if more < len(untimed):
            suite.unknown, among = more, among + len(untimed)
            continue
        for case in untimed:
            case.outcome = TODO
    if n := sum(case.outcome == TODO for case in report.cases):
        yield note("todo-tests", path=shown(head.path), n=n, total=len(report.cases))
    if unknown := sum(suite.unknown for suite in report.suites):
        detail = (
            f"{shown(head.path)}: its suites do not count {unknown:,} of the {counted(among, 'test')} that passed in "
            "no time, as where jest-junit writes a test.todo, and nothing tells which they are: all count as passed; "
            f"write {TELLING} into junitTestCaseProperties.js and run the tests again"
        )
        yield note("header-disagrees", detail=detail)


def _flaky(head: FileHead, cases: Sequence[_Case]) -> Iterator[Note]:
    """A note where tests passed only when they were run again."""
    n = sum(case.outcome == "passed" and any(case.children[tag] for tag in FLAKY) for case in cases)
    if n:
        yield note("flaky-tests", path=shown(head.path), n=n, total=len(cases))


def _totals(head: FileHead, suites: Sequence[_Suite]) -> Iterator[Note]:
    """A note where the counts of a suite are not those of its tests.

    Runners differ in whether a suite counts those inside it, and a test with two failures twice: either is right.
    """
    found = []
    unknown = sum(suite.unknown for suite in suites)
    for suite in suites:
        for key, child in COUNTED.items():
            said = suite.counts.get(key, "")
            own = [_count(cases, child, times=times) for cases in (suite.all, suite.direct) for times in (False, True)]
            if not child:
                own = [n - (unknown if suite.is_root else suite.unknown) for n in own]
            more = suite.counts.get("name") == PYTEST and not child and said.isdecimal() and int(said) > max(own)
            if said.isdecimal() and int(said) not in own and not more:
                found.append(Total(f"{key} of the {suite.name}", int(said), own[0]))
    return disagreements(shown(head.path), found)


def _count(cases: Sequence[_Case], child: str, *, times: bool) -> int:
    """How many tests have a child of that kind, or how many such children there are; '': the tests, or their names.

    pytest writes a test that failed and then broke as two, and counts it once.
    """
    if not child:
        names = [(case.group, case.name) for case in cases if case.outcome != TODO]
        return len(set(names)) if times else len(names)
    if child == "skipped" and not times:  # also those that only an attribute calls so
        return sum(case.outcome == "skipped" for case in cases)
    found = [case.children[child] for case in cases]
    return sum(found) if times else sum(map(bool, found))


def _names(case: _Case, said: Patterns) -> dict[str, str]:
    """What the test is: its properties, then the patterns, then its name without the model and the run."""
    found = {role: case.properties[role] for role in ROLES if case.properties.get(role)}
    name, group = case.name, case.group
    for role, pattern in said.items():
        cut, name, group = pattern.cut(Test(name, group, case.suite), role)
        found = cut | found
    if "model" in found:
        name = re.sub(
            rf"(?<=[\[-]){re.escape(found['model'])}-?|-{re.escape(found['model'])}(?=[\]-])", "", name, count=1
        )
    found.setdefault("item", f"{group}.{name}" if group else name)
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


@dataclass(slots=True)
class _Suite:
    """A suite: what it counts, and the tests in it."""

    name: str
    counts: dict[str, str]
    is_root: bool
    """Whether it is the element around all suites."""
    all: list[_Case] = field(default_factory=list)
    direct: list[_Case] = field(default_factory=list)
    """Those that are in no suite inside it."""
    unknown: int = 0
    """How many of its tests were only planned, where nothing tells which."""


@dataclass(slots=True)
class _Report:
    """The tests and suites of a report, in order; the text of failures is not kept."""

    cases: list[_Case] = field(default_factory=list)
    suites: list[_Suite] = field(default_factory=list)
    open: list[str] = field(default_factory=list)
    """The elements that are open."""
    inside: list[_Suite] = field(default_factory=list)
    """The suites that are open."""

    def start(self, tag: str, given: dict[str, str], where: str) -> None:
        """Note what an element says, of its suite or of the test case that is open."""
        if len(self.open) >= _DEEPEST:
            raise ReadError(f"{where} is nested too deeply for a test report")
        self.open.append(tag)
        if tag in SUITES:
            suite = _Suite(f"{tag} '{given['name']}'" if given.get("name") else tag, given, tag == SUITES[1])
            self.suites.append(suite)
            self.inside.append(suite)
        elif tag == "testcase":
            self._case(given, where)
        elif self.cases and "testcase" in self.open:
            _child(self.cases[-1], tag, given)

    def end(self, tag: str) -> None:
        """Close an element."""
        self.open.pop()
        if tag in SUITES:
            self.inside.pop()

    def _case(self, given: dict[str, str], where: str) -> None:
        if not given.get("name"):
            raise ReadError(f"{where}: a testcase without a name")
        where_in = "/".join(inside.counts.get("name", "") for inside in self.inside if not inside.is_root)
        case = _Case(where, given["name"], given.get("classname", ""), where_in, given.get("time", ""))
        if any(given.get(key, "").lower() in words for key, words in NOT_RUN.items()):
            case.outcome = "skipped"
        self.cases.append(case)
        for suite in self.inside:
            suite.all.append(case)
        if self.inside:
            self.inside[-1].direct.append(case)


def _child(case: _Case, tag: str, given: dict[str, str]) -> None:
    """What an element in a test case says of it: the first error or skip counts, and before it any failure."""
    if tag == "property":
        case.properties[given.get("name", "")] = given.get("value", "")
        if case.outcome == "passed" and case.properties.get("status") == TODO:
            case.outcome = TODO
        return
    case.children[tag] += 1
    outcome = {"failure": "failed", "error": "error", "skipped": "skipped", **RERUN}.get(tag)
    again = tag in RERUN and case.outcome != "passed"
    if outcome and not again and case.outcome in ("passed", "failed"):
        case.outcome = outcome


def _report(head: FileHead) -> _Report:
    """Read a report as a stream."""
    parser = expat.ParserCreate()
    report = _Report()

    def where() -> str:
        return f"{shown(head.path)}: line {parser.CurrentLineNumber}"

    def start(tag: str, given: dict[str, str]) -> None:
        report.start(tag, given, where())

    def refuse(*_: Any) -> None:
        raise ReadError(f"{where()} declares a document type or an entity, which no test report needs: it is not read")

    parser.StartElementHandler = start
    parser.EndElementHandler = report.end
    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    with plain_bytes(head) as stream:
        try:
            for block in iter(lambda: stream.read(_BLOCK), b""):
                parser.Parse(block, False)
            parser.Parse(b"", True)
        except expat.ExpatError as error:
            raise ReadError(_fault(error, head)) from error
    return report


def _fault(error: expat.ExpatError, head: FileHead) -> str:
    said = expat.ErrorString(error.code)
    if error.code == expat.errors.codes["not well-formed (invalid token)"]:
        said += " (or a byte that is not UTF-8)"
    if error.code in (expat.errors.codes["no element found"], expat.errors.codes["unclosed token"]):
        said += ": it is truncated"
    return f"{shown(head.path)} is not valid XML: {said} in line {error.lineno}, column {error.offset + 1}"
