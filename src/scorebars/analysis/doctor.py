"""What is wrong with this file, before anyone believes a number?"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final, cast

import numpy as np

from scorebars.analysis.arguments import checked_scores
from scorebars.analysis.by_place import are_places, moved, unequal
from scorebars.analysis.checks import CHECKS, load
from scorebars.analysis.checks.evidence import Evidence, slices_of
from scorebars.analysis.checks.repeats_as_items import suspicions
from scorebars.analysis.joined_repeats import joining_query, query_without
from scorebars.engines.cutting import Rules
from scorebars.engines.file_runs import FILE, crossed_files, files_as_runs, folders_as_runs
from scorebars.engines.headers import mapped
from scorebars.errors import ScoresError, typed
from scorebars.results.diagnosis import Diagnosis, Severity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorebars.analysis.checks.evidence import Model, Slice
    from scorebars.contracts.diagnoses import PublishedErrors, Unread, Waiting
    from scorebars.results.diagnosis import Finding
    from scorebars.scores import Scores

_NORMALIZING: Final = re.compile(r"--normalize [a-z0-9-]+(?=\))")
FEWEST_RUNS: Final = 3
"""Runs an item from which on reliability over repeated attempts is worth a look."""


def doctor(
    scores: Scores,
    *,
    unread: tuple[Unread, ...] = (),
    published: tuple[PublishedErrors, ...] = (),
    waiting: tuple[Waiting, ...] = (),
    paths: str = "",
) -> Diagnosis:
    """Look for what would change a conclusion, or is worth knowing, before the scores are estimated or compared.

    Every metric and variant is looked at, and so is a table that ``estimate`` would refuse. The checks are those of
    ``docs/doctor.md``; each says what it found, with numbers, and what to do.

    Args:
        scores: the score table.
        unread: files that gave no scores, to be reported too.
        published: standard errors of results files that cannot be right.
        waiting: choices that were made for the user, who has to make them.
        paths: the files and options as they would be typed, for the commands that are proposed.

    Returns:
        The findings, the gravest first; what the table holds; commands that fit it.

    Example:
        >>> import scorebars as sb
        >>> found = sb.doctor(sb.Scores({"item": ["Q1", "q1"], "model": ["a", "b"], "score": [1, 0]}))
        >>> [finding.code for finding in found.findings]
        ['near-duplicate-items', 'nothing-shared']
    """
    scores = checked_scores(scores)
    evidence = replace(_evidence(scores), unread=unread, published=published, waiting=waiting)
    found = [finding for name in CHECKS for finding in load(name)(evidence)]
    if not paths:
        say = scores.in_words
        found = [replace(one, message=say(one.message), remedy=say(one.remedy)) for one in found]
    found.sort(key=lambda finding: finding.severity is not Severity.CHANGES)
    return Diagnosis(
        findings=tuple(found),
        holdings=tuple(evidence.holdings()),
        files=tuple(dict.fromkeys((str(part.path), part.reader) for part in scores.parts)),
        tasks=scores.tasks,
        metrics=tuple(dict.fromkeys(one.metric for one in evidence.slices if one.metric)),
        variants=tuple(dict.fromkeys(one.variant for one in evidence.slices if one.variant)),
        commands=_of_runs(evidence, paths, _commands(evidence, paths, found)),
    )


def nothing_read(unread: tuple[Unread, ...]) -> Diagnosis:
    """The findings where not one of several files can be read."""
    return Diagnosis(tuple(load("unread")(Evidence(None, Rules(), unread=unread))))


def _evidence(scores: Scores) -> Evidence:
    try:
        table, rules = scores.whole()
        slices = slices_of(table, rules)
    except ScoresError as error:
        return Evidence(None, Rules(), (), scores.parts, refusal=str(error))
    return Evidence(table, rules, slices, scores.parts, listings=scores.listings)


def _commands(evidence: Evidence, paths: str, found: Sequence[Finding]) -> tuple[str, ...]:
    """What can be done with the first metric and variant that can be estimated at all."""
    fewest = 1 if folders_as_runs(evidence.parts) else 2  # of a model that is one run of several
    usable = [one for one in evidence.slices if any(model.sample.n_attempts >= fewest for model in one.models)]
    if not usable or (evidence.table is not None and evidence.table.values is not None):
        return ()
    several = [role for role in ("metric", "variant") if len({getattr(one, role) for one in evidence.slices}) > 1]
    one = next((one for one in usable if not one.refusals and all(getattr(one, role) for role in several)), None)
    if one is None:  # what estimate refuses, or cannot be asked for, is not proposed
        return ()
    query = _query(evidence, paths, found)
    if query is None:  # nothing that could be typed counts the rows as what they are
        return ()
    seeds = _are_seeds(evidence, one, found)
    if not paths:
        return _calls(evidence, one, alone=len(evidence.slices) == 1, seeds=seeds)
    naming = _naming(evidence, one)
    paths += f" {typed('--sql', query)}" if query else ""
    paths += naming + ("" if several else _normalizing(found))
    chosen = "".join(
        f" --{role} {_typed(text)}"
        for role, text in (("metric", one.metric), ("variant", one.variant))
        if role in several
    )
    chosen += " --run-crosses-items" if seeds and not evidence.rules.run_crosses_items else ""
    commands = [f"scorebars estimate {paths}{chosen}{_estimator(one, seeds=seeds)}"]
    # Two files of one model on two benchmarks are nothing to compare, and which these are is not known.
    if len(one.models) > 1 and crossed_files(evidence.parts) is None:
        best, second = _two_best(one)
        if not _share_a_task(best, second) or (not naming and not _pairs(evidence, one, best, second)):
            return tuple(commands)
        names = {model.name for each in evidence.slices for model in each.models}
        sides = "" if len(names) == 2 else f" --a {_typed(best.name)} --b {_typed(second.name)}"
        commands.append(f"scorebars compare {paths}{chosen}{sides}")
    return tuple(commands)


def _of_runs(evidence: Evidence, paths: str, commands: tuple[str, ...]) -> tuple[str, ...]:
    """The commands; of files that are runs by their names the one that counts them so, whose models they are not."""
    if not paths or not commands:
        return commands
    runs = files_as_runs(evidence.parts)
    if runs is None and folders_as_runs(evidence.parts) is None:
        return commands
    mapping = mapped({FILE: runs[0]} if runs else {"model": "folder"})
    start = f"scorebars estimate {paths}"
    return (f"{start} {mapping}{commands[0].removeprefix(start)}",)


def _query(evidence: Evidence, paths: str, found: Sequence[Finding]) -> str | None:
    """The SELECT after which rows count as what they are: "" where they do, None where it is not known."""
    attempts = next((one for one in suspicions(evidence) if one.are_attempts), None)
    sums = [
        item for one in found if one.code == "summary-rows" for item in cast("list[str]", one.data.get("items", []))
    ]
    if attempts is None and not sums:
        return ""
    if not paths or "--sql" in paths:
        return None
    if attempts is None:
        return query_without(evidence.parts, sums)
    has_runs = evidence.table is not None and evidence.table.run is not None
    return None if has_runs else joining_query(evidence.parts, attempts.families, sums)


def _normalizing(found: Sequence[Finding]) -> str:
    """What to type besides so that raw returns are on one scale; "" where they are, or where several tables may do."""
    known = {_NORMALIZING.search(one.remedy) for one in found if one.code == "raw-scores"}
    options = {match[0] for match in known if match is not None}
    return f" {options.pop()}" if len(options) == 1 else ""


def _naming(evidence: Evidence, one: Slice) -> str:
    """What to type besides so that models whose rows are not in one order pair; "" where nothing says that."""
    pairs = [(one.models[0].cut, other.cut) for other in one.models[1:]]
    found = None if one.cuts is None else moved(evidence.listings, one.cuts, pairs)
    option = "" if found is None else mapped({"item": found.column})
    return f" {option}" if option.startswith("--map") else ""


def _are_seeds(evidence: Evidence, one: Slice, found: Sequence[Finding]) -> bool:
    """Whether the runs of the metric and variant are seeds, each evaluated on every item, or seem to be."""
    return evidence.rules.run_crosses_items or any(
        each.code == "crossed-runs" and each.where == evidence.where(one) for each in found
    )


def _calls(evidence: Evidence, one: Slice, *, alone: bool, seeds: bool) -> tuple[str, ...]:
    """The same in Python, for scores that came from no file."""
    named = ((role, text) for role, text in (("metric", one.metric), ("variant", one.variant)) if text)
    chosen = "scores" if alone else f"scores.select({', '.join(f'{role}={text!r}' for role, text in named)})"
    chosen += ".with_options(run_crosses_items=True)" if seeds else ""
    spelled = _estimator(one, seeds=seeds)
    estimator = {"": "", " --estimator iqm": ", estimator=sb.IQM()"}.get(spelled, ", estimator=sb.PassHatK(3)")
    calls = [f"sb.estimate({chosen}{estimator})"]
    if len(one.models) > 1 and _share_a_task(*_two_best(one)) and _pairs(evidence, one, *_two_best(one)):
        best, second = _two_best(one)
        calls.append(f"sb.compare({chosen}, {best.name!r}, {second.name!r})")
    return tuple(calls)


def _pairs(evidence: Evidence, one: Slice, best: Model, second: Model) -> bool:
    """Whether ``compare`` takes the two: rows without ids of items must be equally many, and in one order."""
    said = () if one.cuts is None else one.cuts.notes
    if one.cuts is not None and moved(evidence.listings, one.cuts, [(best.cut, second.cut)]) is not None:
        return False
    return not are_places(evidence.parts, said) or unequal(best.cut, second.cut) is None


def _two_best(one: Slice) -> tuple[Model, Model]:
    """The best model of those with the most items, and the best of the others that shares most of them.

    Where that one shares no task with any other, the next one that does.
    """
    firsts = sorted(one.models, key=lambda model: (len(model.item), model.mean), reverse=True)
    pairs = ((first, _beside(first, one)) for first in firsts)
    return next((pair for pair in pairs if _share_a_task(*pair)), (firsts[0], _beside(firsts[0], one)))


def _beside(first: Model, one: Slice) -> Model:
    others = [model for model in one.models if model is not first]
    return max(
        others,
        key=lambda model: (int(np.isin(model.item, first.item).sum()), _share_a_task(first, model), model.mean),
    )


def _share_a_task(one: Model, other: Model) -> bool:
    """Whether ``compare`` takes the two: it refuses models that have no task in common."""
    tasks, others = (
        {str(model.sample.task_labels[code]) for code in set(model.task.tolist())} for model in (one, other)
    )
    return bool(tasks & others) or not (tasks - {""} and others - {""})


def _estimator(one: Slice, *, seeds: bool) -> str:
    """The estimator of the field: the IQM of runs over tasks, pass^k of repeated 0/1 attempts; not of seeds."""
    least = [int(model.count.min()) for model in one.models]
    if max(least) < FEWEST_RUNS:
        return ""
    if all(len(model.item) == len(np.unique(model.task)) for model in one.models):
        return " --estimator iqm" if len(one.models[0].item) > 1 else ""
    repeated = not seeds and min(least) >= FEWEST_RUNS and all(model.sample.is_binary for model in one.models)
    return f" --estimator pass^{FEWEST_RUNS}" if repeated else ""


def _typed(text: str) -> str:
    import shlex

    return shlex.quote(text)
