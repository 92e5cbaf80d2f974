"""Checks: one file a thing that can be wrong with a score table. ``CHECKS`` lists them in the order of the report.

A check is a function from the :class:`~scorebars.analysis.checks.evidence.Evidence` to its findings. It never raises on
data, says nothing where it is not sure, and is silent on a clean table.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from scorebars.analysis.checks.evidence import Evidence
    from scorebars.results.diagnosis import Finding

CHECKS: Final[dict[str, tuple[str, ...]]] = {
    "unread": ("unread", "choice-needed"),
    "identical_files": ("identical-files",),
    "refused": ("refused",),
    "mixed_scale": ("mixed-scale",),
    "sentinel_scores": ("sentinel-scores",),
    "stray_scores": ("stray-scores",),
    "swapped_axes": ("swapped-axes",),
    "repeats_as_items": ("repeats-as-items", "repeats-as-models", "tasks-as-models"),
    "summary_rows": ("summary-rows",),
    "rows_as_items": ("rows-as-items", "one-score-a-model", "one-score-a-task"),
    "near_duplicates": (
        "near-duplicate-models",
        "near-duplicate-tasks",
        "near-duplicate-clusters",
        "near-duplicate-items",
        "same-model-name",
    ),
    "item_sets": ("nothing-shared", "missing-tasks", "attrition"),
    "missing_scores": ("error-rows", "missing-scores"),
    "crossed_runs": ("crossed-runs",),
    "identical_runs": ("identical-runs", "copied-runs"),
    "unequal_runs": ("unequal-runs",),
    "few_units": ("few-items", "few-runs"),
    "clusters": ("one-cluster", "lone-clusters", "big-cluster", "few-clusters"),
    "crossing_ids": ("crossing-ids",),
    "task_weights": ("task-weights",),
    "constant_scores": ("constant-scores",),
    "published_errors": ("averages-as-items", "zero-stderr", "no-stderr"),
    "several_choices": ("several-metrics", "several-variants"),
    "reader_notes": (
        "header-disagrees",
        "header-only",
        "partial-log",
        "split-items",
        "raw-scores",
        "skipped-file",
        "duplicate-attempts",
        "duplicate-documents",
        "repeats-as-runs",
        "converted",
    ),
}
"""Module and function of each check -> the codes of its findings. The last one also passes on every other note."""


def load(name: str) -> Callable[[Evidence], Iterator[Finding]]:
    """The check of that name."""
    check: Any = getattr(import_module(f"{__name__}.{name}"), name)
    found: Callable[[Evidence], Iterator[Finding]] = check
    return found
