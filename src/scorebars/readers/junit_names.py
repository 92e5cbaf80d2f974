"""What the names of the tests of a JUnit report say: the model or run that a pattern cuts out, and what they look like.

``--map "model=[{model}-{item}]"`` is text of the name around its parts; ``--map "run=[{run}-4]"`` takes the run out of
it and leaves the rest as the item; ``{suite}`` and ``{class}`` stand for the suite and the class of the test, and
``--map "run={repeat}"`` for the number of the repeat as pytest-repeat writes it, however many a test has.
"""

from __future__ import annotations

import re
from itertools import takewhile
from typing import TYPE_CHECKING, Final, NamedTuple

from scorebars.errors import ReadError, counted
from scorebars.notes import note
from scorebars.readers.files import shown

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from pathlib import Path

    from scorebars.contracts import Request
    from scorebars.notes import Note

WHOLE: Final = {"{suite}": "suites", "{class}": "classes"}
"""Patterns that are no text of the name, and what the sentence calls what they stand for."""
REPEAT: Final = "{repeat}"
"""The pattern of a run that stands in the name as pytest-repeat writes it."""
FEWEST: Final = 5
"""So many tests of one name in each suite are the same benchmark, and no habit of naming tests."""
ALIKE: Final = 0.8
"""Share of all their names that each suite holds."""
LISTED: Final = 4
_FIELD: Final = re.compile(r"\\\{(model|item|run)\\\}")
_BRACKETS: Final = re.compile(r"\[([^\[\]]+-[^\[\]]+)\]$")
_NUMBERED: Final = re.compile(r"(\w*[/:#_])?\d+")
_STEP: Final = re.compile(r"(.*[\[-])(\d+)-(\d+)\]")
"""What pytest-repeat ends a name with: the number of the repeat and how many there are."""


class Test(NamedTuple):
    """What a test is called."""

    name: str
    group: str
    """Its class."""
    suite: str


class Pattern(NamedTuple):
    """Where the model or the run stands."""

    text: str
    compiled: re.Pattern[str]

    def cut(self, test: Test, role: str) -> tuple[dict[str, str], str, str]:
        """What it finds in a test, and the name and class that are left."""
        if self.text in WHOLE:
            value = test.suite if self.text == "{suite}" else test.group
            left = "" if test.group in {value, test.suite} or self.text == "{class}" else test.group
            return ({role: value} if value else {}), test.name, left
        match = self.compiled.search(test.name)
        if match is None:
            return {}, test.name, test.group
        found = match.groupdict()
        if self.text == REPEAT:
            return {"run": match[2]}, match[1][:-1] + "]" * match[1].endswith("-"), test.group
        if role == "run":
            return {"run": found["run"]}, found["before"] + found["behind"], test.group
        return found, test.name, test.group


Patterns = dict[str, Pattern]
"""Role (model, run) -> its pattern."""


def patterns(request: Request) -> Patterns:
    """What ``--map model=PATTERN`` and ``--map run=PATTERN`` say.

    Raises:
        ReadError: A mapping of anything else.
    """
    others = sorted(set(request.columns) - {"model", "run"}) + (["cluster"] if request.cluster else [])
    if others:
        raise ReadError(
            f"'{others[0]}' cannot be mapped in a JUnit report; write it as a property of the test, or cut the model "
            'from its name: --map "model=[{model}-{item}]"'
        )
    return {role: _pattern(role, request.columns[role]) for role in ("model", "run") if role in request.columns}


def _pattern(role: str, text: str) -> Pattern:
    if text in WHOLE:
        return Pattern(text, re.compile(""))
    if role == "run" and text == REPEAT:
        return Pattern(text, re.compile(rf"^{_STEP.pattern}$"))
    place = f"{{{role}}}"
    if text.count(place) != 1:
        example = "[{model}-{item}]" if role == "model" else "[{run}-4]"
        raise ReadError(f"the pattern '{text}' has no place for the {role}; write it as {example}, or as {{suite}}")
    return Pattern(text, _compiled(text) if role == "model" else _cutting(text))


def _compiled(text: str) -> re.Pattern[str]:
    """The shortest model and the longest item: 'gpt-4o' needs its surroundings spelt out ('[{model}-HumanEval/…]')."""
    named = _FIELD.sub(lambda match: f"(?P<{match[1]}>.+{'' if match[1] == 'item' else '?'})", re.escape(text))
    return re.compile(named)


def _cutting(text: str) -> re.Pattern[str]:
    """The last place that fits, and what stands around it; the pattern's last bracket closes the others too."""
    before, behind = map(re.escape, text.split("{run}"))
    return re.compile(rf"^(?P<before>.*){before}(?P<run>[^\[\]-]+){behind}(?P<behind>.*)$")


def name_notes(path: Path, tests: Sequence[Test], known: Collection[str]) -> Iterator[Note]:
    """Notes where names, suites or classes look like models or repeats; ``known``: the roles that are said already."""
    repeats = [] if "run" in known else [*_repeats(path, tests)]
    yield from repeats
    if "model" not in known and not repeats:
        found = [*_models_in_names(path, tests)]
        yield from found or ([] if "run" in known else _suites(path, tests))


def _repeats(path: Path, tests: Sequence[Test]) -> Iterator[Note]:
    """A note where names end as pytest-repeat ends them, and each test has all its repeats."""
    families: dict[tuple[str, ...], list[tuple[int, str]]] = {}
    for test in tests:
        match = _STEP.fullmatch(test.name)
        if match is not None:
            families.setdefault((test.suite, test.group, match[1], match[3]), []).append((int(match[2]), test.name))
    whole = [sorted(step for step, _ in of) == [*range(1, int(key[3]) + 1)] for key, of in families.items()]
    if len(families) < 2 or not all(whole):
        return
    n = sum(map(len, families.values()))
    names = [name for _, name in sorted(next(iter(families.values())))]
    detail = (
        f"{shown(path)}: {n:,} tests have names of repeats, as pytest-repeat gives them to "
        f"{counted(len(families), 'test')} ({_listed(names)}), and each repeat counts as an item of its own, "
        "which makes the interval too narrow"
    )
    yield note("repeats-as-items", detail=detail, remedy=f"if they are attempts at one item: {_run_remedy(families)}")


def _run_remedy(families: Collection[tuple[str, ...]]) -> str:
    """The pattern of the runs: the text around them, where all tests have one."""
    around = {(base[-1], size) for *_, base, size in families}
    sign, size = around.pop()
    pattern = REPEAT if around else {"[": f"[{{run}}-{size}]", "-": f"-{{run}}-{size}"}[sign]
    return f'--map "run={pattern}"'


def _suites(path: Path, tests: Sequence[Test]) -> Iterator[Note]:
    """A note where several suites, or classes, hold the same tests: models that took one benchmark, or its repeats."""
    for pattern, called in WHOLE.items():
        inside: dict[str, set[tuple[str, str]]] = {}
        for test in tests:
            where = test.suite if pattern == "{suite}" else test.group
            group = "" if pattern == "{class}" or test.group == where else test.group
            inside.setdefault(where, set()).add((group, test.name))
        every = set().union(*inside.values())
        fewest = min(map(len, inside.values()))
        if "" not in inside and 2 <= len(inside) < fewest >= FEWEST and fewest >= ALIKE * len(every):
            remedy = f'--map "model={pattern}"; if they are repeats: --map "run={pattern}"'
            names = _listed([*inside])
            yield note(
                "suites-of-models",
                path=shown(path),
                n=len(inside),
                called=called,
                names=names,
                tests=len(every),
                remedy=remedy,
            )
            return


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f"'{name}'" for name in names[:LISTED]) + (", …" if len(names) > LISTED else "")


def _models_in_names(path: Path, tests: Sequence[Test]) -> Iterator[Note]:
    """A note where the texts in brackets are a few names combined with the same many: models with items, it seems."""
    inside = [match[1] for test in tests if (match := _BRACKETS.search(test.name))]
    if len(inside) < len(tests):
        return
    for cut in (str.rpartition, str.partition):
        for step in (2, -2):
            halves = [cut(text, "-")[::step] for text in inside]
            names, others = ({half[place] for half in halves} for place in (0, 1))
            if _may_be_models(names, others, first=step > 0) and len(set(halves)) == len(names) * len(others):
                pattern = f"[{{model}}-{_begun_alike(others)}{{item}}]" if step > 0 else "[{item}-{model}]"
                told = {"n": len(names), "names": ", ".join(f"'{name}'" for name in sorted(names)[:4])}
                cutting = _compiled(pattern)
                found = {match["model"] for text in inside if (match := cutting.search(f"[{text}]"))}
                remedy = f'--map "model={pattern}"'
                if found != names:  # a '-' in the names, so that no text around them tells where they end
                    remedy = "record each as the property 'model' of its test"
                yield note("names-of-models", path=shown(path), others=len(others), remedy=remedy, **told)
                return


def _may_be_models(names: Collection[str], items: Collection[str], *, first: bool) -> bool:
    """Whether names could be models with these items: fewer than they, and of equally many the ones written first.

    Texts that are numbered ('HumanEval/3', '3') are items beside texts that are not, however many.
    """
    if min(len(names), len(items)) < 2:
        return False
    numbered = [_are_numbered(texts) for texts in (names, items)]
    if numbered[0] != numbered[1]:
        return numbered[1]
    return len(names) < len(items) or (len(names) == len(items) and first)


def _are_numbered(texts: Collection[str]) -> bool:
    """Whether all are one text and a number; 'gpt-4' and 'gpt-5' are versions."""
    found = [_NUMBERED.fullmatch(text) for text in texts]
    return all(found) and len({match[1] for match in found if match}) == 1


def _begun_alike(texts: Collection[str]) -> str:
    """What all texts begin with, up to a mark: 'HumanEval/' of 'HumanEval/1' and 'HumanEval/12'."""
    pairs = zip(min(texts), max(texts), strict=False)
    same = "".join(one for one, _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    return same[: max(map(same.rfind, "/_:. ")) + 1]
