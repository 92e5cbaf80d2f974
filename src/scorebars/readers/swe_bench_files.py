"""What each kind of file of SWE-bench says: which instances were resolved, which failed, and which it knows of at all.

A report of the harness partitions all instances; the results of a submission (the experiments repository) name the
resolved ones and little else; the log of one instance holds its verdict.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from scorebars.errors import ReadError
from scorebars.readers.document import id_text, kind, load, node
from scorebars.readers.files import shown
from scorebars.readers.sniff import outline
from scorebars.readers.totals import Total

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from scorebars.contracts import FileHead
    from scorebars.readers.document import Node

REPORT: Final = "report"
LISTING: Final = "listing"
LOG: Final = "log"
COUNTS: Final = "counts"
PREDICTIONS: Final = "predictions"
SOLVERS: Final = "solvers"

_OLD_LISTS: Final = frozenset({"generated", "with_logs", "no_apply", "applied", "test_errored", "test_timeout"})
_LISTS: Final = _OLD_LISTS | {"resolved", "no_generation", "no_logs", "install_fail", "reset_failed"}
_RESOLVED_IDS: Final = re.compile(rb'"resolved"\s*:\s*\[\s*("|\])')
_COUNTS: Final = re.compile(
    rb'^\s*\{\s*"[^"]+"\s*:\s*\{\s*"(resolved|total)"\s*:\s*\d+\s*,\s*"(resolved|total)"\s*:\s*\d'
)
_NUMBER: Final = re.compile(r"(:pr)?-\d+$")
_INSTANCE: Final = re.compile(r"[\w.-]+(__|/)[\w.-]+?(:pr)?-\d+")
_VERDICT: Final = re.compile(
    rb'^\s*\{\s*"[\w.-]+(__|/)[\w.-]+?(:pr)?-\d+"\s*:\s*\{[^{}\[\]]*"(patch_is_None|resolved)"\s*:'
)
"""The start of an instance's log, whatever else it holds: an old or a thinned one has few keys."""
_START: Final = b"\xef\xbb\xbf \t\r\n"


def kind_of(head: FileHead) -> str:
    """Which kind of file of SWE-bench this is; '' for none."""
    data = head.head
    if not data.lstrip(_START).startswith((b"{", b"[")):
        return ""
    if (b'"patch_successfully_applied"' in data and b'"resolved"' in data) or _VERDICT.match(data.lstrip(_START)):
        return LOG
    if b'"resolved_submissions"' in data and b'"no_of_submissions"' in data:
        return SOLVERS
    if _COUNTS.match(data.lstrip(_START)):
        return COUNTS
    return _by_keys(head)


def _by_keys(head: FileHead) -> str:
    keys = outline(head)
    if {"instance_id", "model_patch"} <= keys.top:
        return PREDICTIONS
    if keys.is_list or "results" in keys.top:  # a run of Terminal-Bench, which has resolved_ids too
        return ""
    if "resolved_ids" in keys.top or {"total_instances", "resolved_instances"} <= keys.top:
        return REPORT
    named = "resolved" in keys.top and _RESOLVED_IDS.search(head.head) is not None
    if named and "total_instances" in keys.top:
        return REPORT
    is_listing = (named and keys.top <= _LISTS) or len(keys.top & _OLD_LISTS) > 1
    return LISTING if is_listing else ""


@dataclass(frozen=True, slots=True)
class Outcomes:
    """What one file says of instances."""

    path: Path
    verdicts: Mapping[str, tuple[float, str]]
    """Instance -> (score, status), of all that the file names."""
    total: int | None = None
    """How many instances there are, if the file says it; None: only those that it names are known."""
    totals: tuple[Total, ...] = ()
    """Counts that the file gives of its lists, to check."""
    version: int = 0
    """Of the file's format, where it says one."""

    @property
    def is_whole(self) -> bool:
        """Whether it names every instance that there is."""
        return self.total is not None and self.total <= len(self.verdicts)

    @property
    def resolved(self) -> int:
        """How many it says are resolved."""
        return sum(score == 1.0 for score, _ in self.verdicts.values())


def repository(instance: str) -> str:
    """'django__django' of 'django__django-11099', 'org/repo' of Multi-SWE's 'org/repo:pr-7'."""
    return _NUMBER.sub("", instance) or instance


def is_instance(name: str) -> bool:
    """Whether a name is that of an instance, 'django__django-11099'."""
    return _INSTANCE.fullmatch(name) is not None


def read_report(head: FileHead) -> Outcomes:
    """A report of the harness, of any version, or of Multi-SWE-bench.

    Resolved is 1 and unresolved 0; an error, an empty patch, an instance without a prediction or a broken environment
    has no verdict; one that completed and was not resolved is 0. What stands in several lists is what the first says.
    """
    whole = node(load(head), shown(head.path))
    resolved = _ids(whole, "resolved_ids" if "resolved_ids" in whole.value else "resolved")
    lists = {key: _ids(whole, f"{key}_ids") for key in ("unresolved", "empty_patch", "error", "incomplete")}
    broken = _ids(whole, "infra_failure_ids")
    for key, ids in lists.items():
        both = sorted(set(resolved) & set(ids))
        if both:
            raise ReadError(f"{whole.where}: '{both[0]}' is resolved and {key} at once; write the report again")
    verdicts: dict[str, tuple[float, str]] = {}
    for ids, verdict in (
        (resolved, (1.0, "ok")),
        (broken, (math.nan, "error")),
        (lists["error"], (math.nan, "error")),
        (lists["empty_patch"], (math.nan, "missing")),
        (lists["incomplete"], (math.nan, "missing")),
        (lists["unresolved"], (0.0, "ok")),
        (_ids(whole, "completed_ids"), (0.0, "ok")),
        (_ids(whole, "submitted_ids"), (math.nan, "missing")),
    ):
        for instance in ids:
            verdicts.setdefault(instance, verdict)
    total = whole.whole("total_instances") if whole.has("total_instances") else None
    if total is not None and len(verdicts) > total:
        raise ReadError(
            f"{whole.where}: 'total_instances' is {total:,}, and the lists name {len(verdicts):,} instances"
            f"{_odd(verdicts)}; write the report again"
        )
    named = {"resolved": resolved, "infra_failure": broken} | lists
    named |= {key: _ids(whole, f"{key}_ids") for key in ("submitted", "completed")}
    totals = [
        Total(f"{key}_instances", whole.whole(f"{key}_instances"), len(ids))
        for key, ids in named.items()
        if whole.has(f"{key}_instances") and (key == "resolved" or whole.has(f"{key}_ids"))
    ]
    return Outcomes(head.path, verdicts, total, tuple(totals), whole.whole("schema_version", 0))


def _odd(names: Iterable[str]) -> str:
    """The first name that is not spelt as instances are, as the likely culprit, in words."""
    odd = next((name for name in names if not is_instance(name)), None)
    return "" if odd is None else f", among them '{odd}', which is no instance's name"


def read_listing(head: FileHead) -> Outcomes:
    """The results of a submission: the resolved, and lists of those that were never judged."""
    whole = node(load(head), shown(head.path))
    verdicts: dict[str, tuple[float, str]] = dict.fromkeys(_ids(whole, "resolved"), (1.0, "ok"))
    for key, status in (
        ("no_generation", "missing"),
        ("no_logs", "error"),
        ("install_fail", "error"),
        ("reset_failed", "error"),
    ):
        for instance in _ids(whole, key):
            verdicts.setdefault(instance, (math.nan, status))
    for key in sorted(_OLD_LISTS):
        for instance in _ids(whole, key):
            verdicts.setdefault(instance, (0.0, "ok"))
    return Outcomes(head.path, verdicts)


def read_log(head: FileHead) -> Outcomes:
    """The verdict on one instance (or on several, each under its id).

    Raises:
        ReadError: An instance without a verdict.
    """
    whole = node(load(head), shown(head.path))
    found = {instance: verdict.truth("resolved") for instance, verdict in whole.members()}
    missing = [instance for instance, score in found.items() if math.isnan(score)]
    if missing:
        raise ReadError(f"{whole.where}: '{missing[0]}' has no 'resolved'; evaluate it again")
    return Outcomes(head.path, {instance: (score, "ok") for instance, score in found.items()})


def read_counts(head: FileHead) -> dict[str, tuple[int, int]]:
    """Repository -> (resolved, total) of ``resolved_by_repo.json``, spelt as instances spell it."""
    whole = node(load(head), shown(head.path))
    return {
        repo.replace("/", "__"): (counts.whole("resolved"), counts.whole("total")) for repo, counts in whole.members()
    }


def _ids(whole: Node, key: str) -> list[str]:
    """The instances of a list, each once; a missing or null list is empty."""
    value: Any = whole.value.get(key)
    if value is None:
        return []
    if not isinstance(value, list):
        raise ReadError(f"{whole.where}: '{key}' is {kind(value)}, not a list of instances")
    return list(dict.fromkeys(id_text(each, f"{whole.where}: '{key}', entry {n}") for n, each in enumerate(value, 1)))
