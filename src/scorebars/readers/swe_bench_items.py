"""Which instances there are, where a submission's results name only those that it resolved.

By the list that was asked for, else by a report of the harness that is read too, else by all that any of the files
names, which is too few: what nobody resolved is then missing, and a note says so.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from scorebars.errors import ReadError
from scorebars.readers.document import lines, load, records
from scorebars.readers.files import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from scorebars.contracts import FileHead
    from scorebars.readers.swe_bench_files import Outcomes


@dataclass(frozen=True, slots=True)
class Items:
    """All instances, and how they are known."""

    ids: tuple[str, ...]
    origin: str
    assumed: bool = False
    """Whether they are only what the files happen to name."""


def given(ids: Sequence[str], outcomes: Iterable[Outcomes]) -> Items:
    """The instances of a list; a file that names others is of another data set.

    Raises:
        ReadError: A file that names others.
    """
    known = set(ids)
    for one in outcomes:
        others = sorted(one.verdicts.keys() - known)
        if others:
            raise ReadError(
                f"{shown(one.path)} names {len(others):,} instances that --all-items does not have, first "
                f"'{others[0]}': it is of another data set"
            )
    return Items(tuple(sorted(known)), "--all-items")


def known_of(
    listing: Outcomes,
    reports: Sequence[Outcomes],
    listings: Sequence[Outcomes],
    predicted: Callable[[], Collection[str]],
) -> Items:
    """The instances of a submission whose results do not name them all.

    Args:
        listing: Its results.
        reports: The reports that are read too.
        listings: All results of submissions to the same split.
        predicted: Instances of the predictions that are read too; asked only where nothing better is known.

    Raises:
        ReadError: It is the only file, and names nothing but what it resolved.
    """
    for report in reports:
        if report.is_whole and listing.verdicts.keys() <= report.verdicts.keys():
            return Items(tuple(sorted(report.verdicts)), f"the report {report.path.name}")
    ids = {instance for one in listings for instance in one.verdicts} | set(predicted())
    if (
        len(listings) == 1
        and not any(score == 0.0 for score, _ in listing.verdicts.values())
        and ids <= set(listing.verdicts)
    ):
        raise ReadError(
            f"{shown(listing.path)} names the {listing.resolved:,} instances that were resolved and not the others, so "
            "that no share can be made of them; give all ids (--all-items FILE, one a line), or read a report of the "
            "harness or other submissions with it"
        )
    return Items(tuple(sorted(ids)), "what any of the files names", assumed=True)


def predicted_ids(heads: Iterable[FileHead]) -> set[str]:
    """The instances of files of predictions."""
    found: set[str] = set()
    for head in heads:
        is_list = head.head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"[")
        entries = records(load(head), shown(head.path)) if is_list else lines(head)
        found |= {entry.text("instance_id") for entry in entries}
    return found
