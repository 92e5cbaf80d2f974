"""Logs of instances: ``RUN/MODEL/INSTANCE/report.json`` of the harness, ``SUBMISSION/logs/INSTANCE/report.json``."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from scorebars.errors import ReadError
from scorebars.readers.files import head_of, shown
from scorebars.readers.records import Rows
from scorebars.readers.swe_bench_files import LOG, is_instance, kind_of, repository

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from pathlib import Path

RUNS: Final = "run_evaluation"
REPORT: Final = "report.json"
STARTED: Final = "run_instance.log"
_LOGS: Final = frozenset({"logs", "evaluation_outputs"})


@dataclass(frozen=True, slots=True)
class Home:
    """The folder that holds a folder for each instance."""

    folder: Path
    model: str
    run: str | None


def home_of(log: Path) -> Home:
    """Whose log it is. Of a file that lies in no such folder, its own folder's."""
    folder = log.absolute().parent.parent
    if folder.name in _LOGS:
        return Home(folder, folder.parent.name, None)
    run = folder.parent.name if folder.parent.parent.name == RUNS else None
    return Home(folder, folder.name, run)


def _is_unjudged(place: Path) -> bool:
    """Whether an instance was begun and has no verdict: no report, or an empty one, which the harness calls an error.

    Raises:
        ReadError: Its report is there, and nothing that says whether the instance was resolved.
    """
    report = place / REPORT
    if report.is_file() and report.stat().st_size > 0:
        if kind_of(head_of(report)) != LOG:
            raise ReadError(
                f"{shown(report)} says nothing of 'resolved', so that the instance has no verdict; evaluate it again, "
                "or empty the file, and it counts as an error"
            )
        return False
    return (place / STARTED).is_file() or (place.is_dir() and is_instance(place.name))


def filled(home: Home, seen: Collection[str], ids: Iterable[str]) -> Rows:
    """Rows without a verdict: an error where the harness started and wrote no report, else missing."""
    places = home.folder.iterdir() if home.folder.is_dir() else ()
    started = {place.name for place in places if place.name not in seen and _is_unjudged(place)}
    rows = Rows()
    for instance in sorted({*ids, *started} - set(seen)):
        status = "error" if instance in started else "missing"
        cluster = repository(instance)
        rows.add(model=home.model, item=instance, run=home.run, score=math.nan, cluster=cluster, status=status)
    return rows
