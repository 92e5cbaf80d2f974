"""SWE-bench: reports of the harness, results of submissions, logs of instances; Multi-SWE-bench's reports too.

item = ``instance_id``, cluster = its repository, score = whether it was resolved. The model stands in the path. Errors,
empty patches and instances without a prediction have no verdict, and count as not resolved, as on the leaderboard.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from scorebars.errors import ReadError
from scorebars.notes import Note, note
from scorebars.readers import swe_bench_files as files
from scorebars.readers.files import head_of, shown
from scorebars.readers.naming import FROM_FOLDER, model_names
from scorebars.readers.records import Rows, each, refuse_mapping
from scorebars.readers.sources import NoScores
from scorebars.readers.swe_bench_items import Items, given, known_of, predicted_ids
from scorebars.readers.swe_bench_logs import Home, filled, home_of
from scorebars.readers.totals import disagreements
from scorebars.readers.versions import newer_version

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from scorebars.contracts import FileHead, Part, Request
    from scorebars.readers.swe_bench_files import Outcomes

NEWEST: Final = 2
"""Newest ``schema_version`` of a report that is known."""
ENDING: Final = r"(final_)?report|results"
BY_REPOSITORY: Final = "resolved_by_repo.json"
_METADATA: Final = "metadata.yaml"
_ATTEMPTS: Final = re.compile(r"^\s*attempts:\s*['\"]?(?P<attempts>[^'\"\s]+)", re.MULTILINE)
_REFUSED: Final = {
    files.COUNTS: "counts what was resolved of each repository or year; read the results.json beside it",
    files.PREDICTIONS: (
        "holds SWE-bench predictions, patches without outcomes; run the harness on them and read its report"
    ),
    files.SOLVERS: (
        "names for each instance the submissions that resolved it, and not those that tried: what a submission did not "
        "resolve cannot be told from what it never attempted; read the submissions' own results"
    ),
}


@dataclass(frozen=True, slots=True)
class SweBenchReader:
    """Reads what SWE-bench's harness writes, and what submissions to its leaderboard hold."""

    @property
    def name(self) -> str:
        """As on the command line and in notes."""
        return "swe-bench"

    def claims(self, head: FileHead) -> bool:
        """A report, the results of a submission, the log of an instance; others of its files, to say what to read."""
        return files.kind_of(head) != ""

    def read(self, heads: Sequence[FileHead], request: Request) -> Iterator[Part]:
        """One part a file; logs of a run that a report or a submission's results cover give none."""
        refuse_mapping(request, "a SWE-bench file")
        kinds = {head.path: files.kind_of(head) for head in heads}
        call = _Call(heads, kinds, request.options.items)
        yield from each(heads, call.part)
        yield from call.rest()


class _Call:
    """All files of one call: they lend each other names, instances and verdicts."""

    def __init__(self, heads: Sequence[FileHead], kinds: Mapping[Path, str], items: tuple[str, ...] | None) -> None:
        self._heads, self._kinds, self._items = heads, kinds, items
        self._names = model_names([head.path for head in self._of(files.REPORT)], ENDING)
        self._reports = {head.path: files.read_report(head) for head in self._of(files.REPORT)}
        self._listings = {head.path: files.read_listing(head) for head in self._of(files.LISTING)}
        self._homes = {head.path: home_of(head.path) for head in self._of(files.LOG)}
        self._seen: dict[Home, set[str]] = {}
        self._warned: set[str] = set()
        self._predicted = cache(lambda: predicted_ids(self._of(files.PREDICTIONS)))
        splits = {split_of(path) for path in self._listings}
        self._several = len(splits) > 1
        if items is not None and self._several:
            raise ReadError(
                f"the files are of several splits ({', '.join(sorted(splits))}), which have different instances; read "
                "one at a time, with its own --all-items"
            )
        self._given = None if items is None else given(items, (*self._reports.values(), *self._listings.values()))

    def _of(self, kind: str) -> list[FileHead]:
        return [head for head in self._heads if self._kinds[head.path] == kind]

    def part(self, head: FileHead) -> Part | None:
        """The part of one file; None where it only lends something, or where another file says the same."""
        kind = self._kinds[head.path]
        if kind == files.REPORT:
            return self._report(head)
        if kind == files.LISTING:
            return self._listing(head)
        if kind == files.LOG:
            return self._log(head)
        if kind != files.SOLVERS and (self._reports or self._listings or self._homes):
            return None
        raise NoScores(f"{shown(head.path)} {_REFUSED[kind]}")

    def _report(self, head: FileHead) -> Part:
        report = self._reports[head.path]
        items = self._given
        if items is None and report.total is None:
            items = _named_by(report, list(self._reports.values()))
        if items is None and not report.is_whole:
            whole = [one for one in self._reports.values() if one.is_whole and len(one.verdicts) == report.total]
            if not whole or not report.verdicts.keys() <= whole[0].verdicts.keys():
                raise ReadError(
                    f"{shown(head.path)} speaks of {report.total:,} instances and names {len(report.verdicts):,}; the "
                    "others count as not resolved, so give all ids: --all-items FILE, one a line"
                )
            items = Items(tuple(sorted(whole[0].verdicts)), f"the report {whole[0].path.name}")
        _check_total(report, items)
        model, origin = self._names[head.path]
        notes = [*_count_note(report)]
        if items is not None and items.assumed:
            notes.append(note("assumed-items", n=len(items.ids)))
        return _made(report, model, origin, items, notes)

    def _listing(self, head: FileHead) -> Part:
        listing, split = self._listings[head.path], split_of(head.path)
        alike = [one for path, one in self._listings.items() if split_of(path) == split]
        items = self._given or known_of(listing, list(self._reports.values()), alike, self._predicted)
        counts = _repositories(head.path)
        notes = [*_repository_notes(listing, items, counts)]
        confirmed = counts is not None and sum(total for _, total in counts.values()) == len(items.ids)
        if items.assumed and not confirmed and split not in self._warned:
            self._warned.add(split)
            notes.append(note("assumed-items", n=len(items.ids)))
        submission = submission_of(head.path)
        if attempts := _attempts(submission):
            notes.append(note("best-of-attempts", model=submission.name, attempts=attempts, path=_METADATA))
        return _made(
            listing, submission.name, "the submission's folder", items, notes, task=split if self._several else None
        )

    def _log(self, head: FileHead) -> Part | None:
        home = self._homes[head.path]
        if self._is_covered(home):
            return None
        log = files.read_log(head)
        if self._given is not None:
            given(self._given.ids, [log])
        self._seen.setdefault(home, set()).update(log.verdicts)
        return _made(log, home.model, FROM_FOLDER, None, [], run=home.run)

    def _is_covered(self, home: Home) -> bool:
        """Whether a report, or the results of the submission, say what these logs say."""
        reports = {path.name.partition(".json")[0] for path in self._reports}
        submissions = {submission_of(path) for path in self._listings}
        return f"{home.model}.{home.run}" in reports or home.folder.parent in submissions

    def rest(self) -> Iterator[Part]:
        """What has no log: instances that the harness started on and never judged, and all others there are."""
        for home, seen in self._seen.items():
            ids = self._given.ids if self._given else ()
            rows = filled(home, seen, ids)
            if len(rows):
                mapping = {"model": FROM_FOLDER, "item": "the instances without a report.json"}
                yield rows.part(home.folder, "swe-bench", mapping, on_error="wrong", score_range=(0.0, 1.0))


def submission_of(results: Path) -> Path:
    """The folder of a submission: that of its results.json, or the one above 'results'."""
    folder = results.absolute().parent
    return folder.parent if folder.name == "results" else folder


def split_of(results: Path) -> str:
    """'verified' of evaluation/verified/SUBMISSION/results/results.json; '' elsewhere."""
    split = submission_of(results).parent
    return split.name if split.parent.name == "evaluation" else ""


def _made(
    outcomes: Outcomes,
    model: str,
    origin: str,
    items: Items | None,
    notes: Sequence[Note],
    *,
    task: str | None = None,
    run: str | None = None,
) -> Part:
    rows = Rows()
    unnamed = (math.nan, "missing") if outcomes.total is not None else (0.0, "ok")
    for instance in items.ids if items else outcomes.verdicts:
        score, status = outcomes.verdicts.get(instance, unnamed)
        cluster = files.repository(instance)
        rows.add(model=model, task=task, item=instance, run=run, score=score, status=status, cluster=cluster)
    mapping = {"model": origin, "item": "instance_id", "cluster": "the repository in instance_id"}
    mapping |= {"score": "the lists of instances"}
    mapping |= {"items": items.origin} if items else {}
    mapping |= {"task": "the split's folder"} if task else {}
    mapping |= {"run": "the folder of the run"} if run else {}
    return rows.part(outcomes.path, "swe-bench", mapping, on_error="wrong", score_range=(0.0, 1.0), notes=notes)


def _attempts(submission: Path) -> str:
    """'2+' where the metadata of a submission say that it had more than one attempt a task, else ''."""
    metadata = submission / _METADATA
    found = _ATTEMPTS.search(metadata.read_text(encoding="utf-8", errors="replace")) if metadata.is_file() else None
    return found["attempts"] if found and found["attempts"] != "1" else ""


def _repositories(results: Path) -> dict[str, tuple[int, int]] | None:
    counts = results.with_name(BY_REPOSITORY)
    return files.read_counts(head_of(counts)) if counts.is_file() else None


def _repository_notes(listing: Outcomes, items: Items, counts: Mapping[str, tuple[int, int]] | None) -> Iterator[Note]:
    """Notes where ``resolved_by_repo.json`` counts something else than the lists give."""
    if counts is None:
        return
    where = f"{shown(listing.path)}: {BY_REPOSITORY} beside it"
    own: dict[str, int] = {}
    for instance, (score, _) in listing.verdicts.items():
        repo = files.repository(instance)
        own[repo] = own.get(repo, 0) + int(score == 1.0)
    for repo in sorted(own.keys() | counts.keys()):
        said = counts.get(repo, (0, 0))[0]
        if said != own.get(repo, 0):
            detail = f"{where} counts {said} resolved of {repo}, the list has {own.get(repo, 0)}; the list is used"
            yield note("header-disagrees", detail=detail)
            return
    total = sum(total for _, total in counts.values())
    if total != len(items.ids):
        detail = f"{where} counts {total:,} instances, {len(items.ids):,} are known; give all ids with --all-items"
        yield note("header-disagrees", detail=detail)


def _check_total(report: Outcomes, items: Items | None) -> None:
    """Refuse a list of items that is of another split than the report: its own total is what to divide by."""
    if items is None or report.total is None or len(items.ids) == report.total:
        return
    raise ReadError(
        f"{shown(report.path)} is of {report.total:,} instances, and {len(items.ids):,} are given; give the ids of its "
        "own split, all of them (--all-items FILE, one a line)"
    )


def _named_by(report: Outcomes, reports: Sequence[Outcomes]) -> Items:
    """The instances of a report that does not say how many there are.

    Raises:
        ReadError: It names nothing but what was resolved, and no other report holds all.
    """
    for other in reports:
        if other.is_whole and report.verdicts.keys() <= other.verdicts.keys():
            return Items(tuple(sorted(other.verdicts)), f"the report {other.path.name}")
    if report.resolved == len(report.verdicts):
        raise ReadError(
            f"{shown(report.path)} names the {report.resolved:,} instances that were resolved and neither the others "
            "nor how many there are ('total_instances'), so that no share can be made of them; give all ids "
            "(--all-items FILE, one a line), or write the report again"
        )
    return Items(tuple(sorted(report.verdicts)), "what the report names", assumed=True)


def _count_note(report: Outcomes) -> Iterator[Note]:
    yield from newer_version(report.path.name, report.version, str(NEWEST), "a report of SWE-bench")
    yield from disagreements(shown(report.path), report.totals)
