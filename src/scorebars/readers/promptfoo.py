"""promptfoo: the JSON of ``promptfoo eval -o`` and ``promptfoo export`` (version 3, or an older table), lines, or CSV.

model = the provider's label or id, item = the test, variant = the prompt where a provider has several, metrics = score,
success and each of ``namedScores``. A result is an error by ``failureReason`` 2 alone: the text ``error`` is set for
failed assertions too. ``--repeat`` numbers repeats as further tests; those with the same content are runs of one item.
A named score is of the tests that ask for it alone. YAML, XML and JUnit are told apart, and refused.
"""

from __future__ import annotations

import json
import math
import re
from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from scorebars.errors import ReadError
from scorebars.readers.added_keys import AddedKeys, refuse_added
from scorebars.readers.document import Node, lines, load, node
from scorebars.readers.files import shown
from scorebars.readers.json_table import json_shape
from scorebars.readers.promptfoo_csv import BOTH, CSV, Result, from_csv, is_csv, spelled
from scorebars.readers.promptfoo_prompts import PROMPT, Prompts, provider_settings, with_variants
from scorebars.readers.records import Rows, each, in_unit, refuse_mapping
from scorebars.readers.repeats import Repeats, repeats
from scorebars.readers.sniff import outline
from scorebars.readers.sources import NoScores
from scorebars.readers.totals import Total, disagreements
from scorebars.readers.versions import newer_version

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from scorebars.contracts import FileHead, Part, Request, SettingsOf
    from scorebars.notes import Note

NEWEST: Final = 3
"""Newest version of the results that is known."""
ERROR: Final = 2
"""``failureReason``: 0 none, 1 an assertion, 2 an error."""
NOTHING_ASSERTED: Final = "No assertions"
"""The reason of a result that passed because nothing was asserted."""
NEW: Final = {
    "item": "testIdx",
    "status": "failureReason, where 2 is an error, and graderError, where all that failed is the judge",
}
"""What is said of version 3."""
OLD: Final = {
    "item": "the row of the table",
    "status": "the verdict: this version does not tell errors from failed assertions, and counts both as failures",
}
_UNSTABLE: Final = frozenset({"sessionId", "_conversation"})
"""Variables that promptfoo itself sets, anew for each attempt."""
_WRITTEN: Final = frozenset(
    {
        "cost",
        "error",
        "evalId",
        "failureReason",
        "gradingResult",
        "id",
        "latencyMs",
        "metadata",
        "namedScores",
        "prompt",
    }
    | {"promptId", "promptIdx", "provider", "response", "score", "success", "testCase", "testIdx", "tokenUsage", "vars"}
    | {"description", "createdAt", "updatedAt"}
)
"""The keys of a result."""
_RESULT: Final = frozenset({"testIdx", "promptIdx"})
_OTHERS: Final = (
    (re.compile(rb"evalId: "), "YAML"),
    (re.compile(rb"(<\?xml[^>]*>\s*)?<promptfoo>"), "XML"),
    (
        re.compile(rb'(<\?xml[^>]*>\s*)?<testsuites [^>]*name="promptfoo"'),
        "a JUnit report, in which repeats cannot be told from tests, nor scores from verdicts",
    ),
)
"""What else ``-o`` writes: how it begins, and what it is."""
_OLD: Final = re.compile(
    rb'(\xef\xbb\xbf)?\s*\{\s*("version"\s*:\s*\d+\s*,\s*)?("createdAt"\s*:\s*"[^"]*"\s*,\s*)?'
    rb'"results"\s*:\s*\{\s*"version"\s*:\s*[123]\b'
)
"""What a file begins with that has no id of an evaluation: older exports, and those with a version of their own."""


@dataclass(frozen=True, slots=True)
class PromptfooReader:
    """Reads what ``promptfoo eval`` and ``promptfoo export`` write."""

    @property
    def name(self) -> str:
        """As on the command line and in notes."""
        return "promptfoo"

    def claims(self, head: FileHead) -> bool:
        """An object with the id of an evaluation, or results of a version first, or lines of results; all of -o."""
        if is_csv(head) or _other(head):
            return True
        keys = outline(head)
        if keys.is_list:
            return False
        named = {"evalId", "results"} <= keys.top or keys.top >= _RESULT
        return named or _OLD.match(head.head) is not None

    def read(self, heads: Sequence[FileHead], request: Request) -> Iterator[Part]:
        """One part a file."""
        refuse_mapping(request, "a promptfoo results file")
        prompts: dict[Path, Prompts] = {}
        return iter(with_variants(list(each(heads, lambda head: _part(head, prompts))), prompts))


def _other(head: FileHead) -> str:
    """What it is of the things that promptfoo writes beside JSON and CSV; '' for none of them."""
    start = head.head.lstrip(b"\xef\xbb\xbf \t\r\n")
    return next((what for begins, what in _OTHERS if begins.match(start)), "")


def _part(head: FileHead, prompts: dict[Path, Prompts]) -> Part:
    known, results, totals, inner = True, [], list[Total](), None
    said: SettingsOf = ()
    if other := _other(head):
        raise NoScores(
            f"{shown(head.path)} is promptfoo's results as {other}; write them as JSON, now (promptfoo export eval ID "
            "-o results.json) or with the next evaluation (promptfoo eval -o results.json)"
        )
    if is_csv(head):
        return _rows(head, list(from_csv(head)), CSV, prompts)
    if json_shape(head) == "lines":
        listed = list(lines(head))
        results = [_result(line) for line in listed]
        _refuse_added(listed, results, head.path)
    else:
        top = node(load(head), shown(head.path))
        inner = top.node("results") if not isinstance(top.value.get("results"), list) else top
        listed = inner.nodes("results")
        if listed and "testIdx" not in listed[0].value:
            known, results = False, list(_from_table(inner))
        else:
            results = [_result(one) for one in listed]
            _refuse_added(listed, results, head.path)
            said = provider_settings(top.node("config").value.get("providers"), [one.model for one in results])
            totals = list(_totals(inner.node("stats") if inner.has("stats") else top.node("stats"), listed))
    if not results:
        raise NoScores(f"{shown(head.path)} holds no result; no scores are in it")
    results.sort(key=lambda one: int(one.test) if one.test.isdecimal() else 0)
    notes = [*_version(head, inner), *disagreements(shown(head.path), totals)] if inner else []
    return replace(_rows(head, results, NEW if known else OLD, prompts, notes), settings=said)


def _refuse_added(records: Sequence[Node], results: Sequence[Result], path: Path) -> None:
    """Refuse results of several models or settings beside those that promptfoo tells apart."""
    added = AddedKeys(_WRITTEN)
    for record in records:
        added.add(record)
    asked = (json.dumps([one.model, one.place, one.content or one.test], sort_keys=True) for one in results)
    refuse_added(added, list(asked), path)


def _version(head: FileHead, results: Node) -> Iterator[Note]:
    """A note on a version of promptfoo's results that is newer than those that are known."""
    if results.has("version"):
        version = results.whole("version")
        yield from newer_version(shown(head.path), version, str(NEWEST), "a results file of promptfoo")


def _totals(stats: Node, results: Sequence[Node]) -> Iterator[Total]:
    """The file's counts of verdicts; without a count of errors they are among the failures."""
    passed = sum(one.truth("success") == 1.0 for one in results)
    errors = sum(one.whole("failureReason", 0) == ERROR for one in results)
    failed = len(results) - passed - (errors if "errors" in stats.value else 0)
    for key, own in (("successes", passed), ("failures", failed), ("errors", errors)):
        yield Total(f"the number of {key}", stats.value.get(key), own)


def _rows(
    head: FileHead,
    results: Sequence[Result],
    known: Mapping[str, str],
    prompts: dict[Path, Prompts],
    notes: Sequence[Note] = (),
) -> Part:
    same = repeats((one.test, one.content) for one in results)
    prompts[head.path] = {(one.model, one.place): one.prompt for one in results}
    metrics = list(dict.fromkeys(metric for one in results for metric in one.values))
    asked = _asked_of(results, same)
    rows = Rows()
    for one in results:
        for metric in metrics:
            if metric not in asked[same.item(one.test)]:
                continue
            score = math.nan if one.failed else one.values.get(metric, math.nan)
            rows.add(
                model=one.model, item=same.item(one.test), run=same.run(one.test), metric=metric,
                variant=one.place, score=score, status="error" if one.failed else None,
            )  # fmt: skip
    mapping = {"model": "the provider's label, else its id", "item": known["item"]}
    if same.found:
        mapping["run"] = "tests with the same variables and assertions (--repeat)"
    mapping["metric"] = "score, success, namedScores"
    mapping["variant"] = known.get("variant", PROMPT)
    for metric in metrics:
        have = sum(metric in asked[same.item(one.test)] for one in results)
        if have < len(results):
            mapping[metric] = f"namedScores of {have:,} of {len(results):,} results: the other tests do not ask for it"
    mapping |= {role: text for role, text in known.items() if role != "variant"}
    free = sum(not one.asserted for one in results)
    if free:
        mapping["success"] = f"the verdict; {free:,} of {len(results):,} had no assertion, and passed as in promptfoo"
    return in_unit(rows.part(head.path, "promptfoo", mapping, on_error="wrong", notes=notes))


def _asked_of(results: Sequence[Result], same: Repeats) -> dict[str, set[str]]:
    """Item -> its metrics: what its assertions name, and what any of its results has."""
    found: dict[str, set[str]] = defaultdict(set, {same.item(one.test): set(BOTH) for one in results})
    for one in results:
        found[same.item(one.test)] |= one.asked | one.values.keys()
    return found


def _result(record: Node) -> Result:
    provider = record.get("provider")
    model = provider if isinstance(provider, str) else _named(record.node("provider"))
    case = record.node("testCase")
    grading = record.node("gradingResult")
    return Result(
        model=model,
        prompt=record.text("promptId", "") or record.node("prompt").text("label", ""),
        place=record.text("promptIdx"),
        test=record.text("testIdx"),
        failed=record.whole("failureReason", 0) == ERROR or _judge_failed(grading),
        values=_values(record, "success"),
        asserted=grading.value.get("reason") != NOTHING_ASSERTED,
        content=_content(record.node("vars") if record.has("vars") else case.node("vars"), case),
        asked=frozenset(spelled(name) for name in _named_in(case.value.get("assert"))),
    )


def _named_in(assertions: Any) -> Iterator[str]:
    """The metrics that assertions name, those of a set too; a name with a variable in it is not known here."""
    for one in assertions if isinstance(assertions, list) else ():
        if isinstance(one, dict):
            if isinstance(name := one.get("metric"), str) and "{{" not in name:
                yield name
            yield from _named_in(one.get("assert"))


def _judge_failed(grading: Node) -> bool:
    """Whether all that failed is what the judge could not judge: a failed assertion by its reason, and no verdict."""
    failing = [part for part in grading.nodes("componentResults") if part.value.get("pass") is False]
    return bool(failing) and all(part.node("metadata").value.get("graderError") is True for part in failing)


def _named(provider: Node) -> str:
    return provider.text("label", "") or provider.text("id")


def _content(variables: Node, case: Node) -> Any:
    """What a test asks; nothing where the variables were stripped, since then all tests look the same."""
    asked = {key: value for key, value in variables.value.items() if key not in _UNSTABLE}
    if not asked and "vars" not in case.value:
        return None
    return [asked, *(case.value.get(key) for key in ("description", "assert", "metadata"))]


def _values(record: Node, passed: str) -> dict[str, float]:
    """The numbers of a result by metric; names that it shares with score and success are told apart."""
    found = {"score": record.number("score"), "success": record.truth(passed)}
    named = record.node("namedScores")
    return found | {spelled(key): named.number(key) for key in named.value}


def _from_table(results: Node) -> Iterator[Result]:
    """The results of version 2 and older: a row a test, an output a prompt and provider."""
    if not results.has("table"):
        raise ReadError(
            f"{results.where}: its results have no 'testIdx' and there is no 'table': not a version of promptfoo that "
            "is known; export it again (promptfoo export)"
        )
    table = results.node("table")
    prompts = table.node("head").nodes("prompts")
    for number, row in enumerate(table.nodes("body")):
        outputs = row.nodes("outputs")
        if len(outputs) != len(prompts):
            raise ReadError(f"{row.where} has {len(outputs)} outputs, and the table {len(prompts)} prompts")
        case = row.node("test")
        for place, (prompt, output) in enumerate(zip(prompts, outputs, strict=True)):
            yield Result(
                model=_provider(prompt, output),
                prompt=prompt.text("label", "") or prompt.text("display", "") or prompt.text("raw", ""),
                place=str(place),
                test=str(number),
                failed=output.whole("failureReason", 0) == ERROR,
                values=_values(output, "pass"),
                content=_content(case.node("vars"), case) or row.value.get("vars"),
            )


def _provider(prompt: Node, output: Node) -> str:
    """The provider of a column; in some versions it stands with the outputs."""
    if prompt.has("provider") or output.has("provider"):
        return (prompt if prompt.has("provider") else output).text("provider")
    raise ReadError(f"{prompt.where} has no 'provider', so that its model is not known; export it again")
