"""Berkeley Function-Calling Leaderboard: ``BFCL_<version>_<category>_score.json``, counts and then only the failures.

Which entries passed is not in the file. With the ids of the data set (``--all-items``) they can be told: those of the
category that did not fail, which must be as many as the file counted.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from scorebars.errors import ReadError
from scorebars.readers.document import Node, lines
from scorebars.readers.files import shown, stem
from scorebars.readers.records import Rows, each, refuse_mapping
from scorebars.readers.sniff import outline
from scorebars.readers.sources import NoScores
from scorebars.readers.totals import Total, disagreements

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from scorebars.contracts import FileHead, Part, Request

_HEADER: Final = frozenset({"accuracy", "correct_count", "total_count"})
_NAME: Final = re.compile(r"^(BFCL_v\d+_|gorilla_openfunctions_v\d+_test_)?(?P<category>.+?)_score$")
_GROUPS: Final = frozenset(
    {"non_live", "live", "multi_turn", "agentic", "memory", "kv", "vector", "rec_sum", "format_sensitivity"}
)
"""Folders between a model's and its files, since version 4."""
_SHARED: Final = ("web_search", "memory")
"""Ids of the data set that several categories are run over, each with its own name in their place."""
_REST: Final = r"_\d+(-\w+)*(:.*)?"
"""What follows the category in an id: '3-2-0', '0-customer-0', '0:ret_fmt=…:live_simple_23-5-1'."""


@dataclass(frozen=True, slots=True)
class BfclReader:
    """Reads score files of the leaderboard, given the ids of the data set."""

    @property
    def name(self) -> str:
        """As on the command line and in notes."""
        return "bfcl"

    def claims(self, head: FileHead) -> bool:
        """The first line holds an accuracy and two counts (the name has to do where it is cut short)."""
        keys = outline(head)
        return not keys.is_list and (keys.top == _HEADER or (head.head.startswith(b'{"accuracy"') and _is_named(head)))

    def read(self, heads: Sequence[FileHead], request: Request) -> Iterator[Part]:
        """One part a file."""
        refuse_mapping(request, "a BFCL score file")
        return each(heads, lambda head: _part(head, request.options.items))


def _is_named(head: FileHead) -> bool:
    found = _NAME.match(stem(head.path))
    return found is not None and found[1] is not None


def _part(head: FileHead, items: Sequence[str] | None) -> Part:
    header, *failures = lines(head)
    total, right = header.whole("total_count"), header.whole("correct_count")
    failed = {failure.text("id"): failure for failure in failures}  # an entry may be listed for two reasons
    category = _category(failures, head.path)
    if len(failed) != total - right:
        raise ReadError(
            f"{shown(head.path)} counts {total - right:,} failures of {total:,} and lists {len(failed):,}: "
            "truncated or edited; write it again"
        )
    if items is None:
        raise NoScores(
            f"{shown(head.path)} lists only the {len(failed):,} entries that failed of {total:,}, not those that "
            "passed; give the data set, or its ids, one a line (--all-items FILE)"
        )
    rows = Rows()
    model, source = _model(failures, head.path)
    for item in _universe(items, category, total, failed, shown(head.path)):
        rows.add(model=model, task=category, item=item, score=0.0 if item in failed else 1.0)
    mapping = {"model": source, "task": "test_category", "item": "id; those that are not listed passed (--all-items)"}
    share = right / total if total else math.nan
    notes = [*disagreements(shown(head.path), [Total("accuracy", header.value.get("accuracy"), share)])]
    mapping |= {"score": "0 where it is listed"}
    return rows.part(head.path, "bfcl", mapping, score_range=(0.0, 1.0), notes=notes)


def _category(failures: Sequence[Node], path: Path) -> str:
    named = {failure.text("test_category") for failure in failures if failure.has("test_category")}
    if len(named) > 1:
        raise ReadError(f"{shown(path)} has entries of several categories ({', '.join(sorted(named))})")
    found = _NAME.match(stem(path))
    return next(iter(named), found["category"] if found else stem(path))


def _model(failures: Sequence[Node], path: Path) -> tuple[str, str]:
    named = sorted({failure.text("model_name") for failure in failures if failure.has("model_name")})
    if len(named) > 1:
        raise ReadError(f"{shown(path)} has entries of several models ({', '.join(named)})")
    if named:
        return named[0], "model_name"
    folder = next(name for name in reversed(path.absolute().parent.parts) if name not in _GROUPS)
    return folder, "the folder's name (no entry failed, so that none names the model)"


def _of(category: str, items: Sequence[str]) -> list[str]:
    return [item for item in items if re.fullmatch(re.escape(category) + _REST, item)]


def _universe(
    items: Sequence[str], category: str, total: int, failed: dict[str, Node], where: str
) -> list[str]:  # fmt: skip
    """The ids of the file's category: those that begin with its name, or all if they are as many as it counts.

    Those of web search and memory begin with the part of its name that their categories share.
    """
    found = _of(category, items)
    base = next((base for base in _SHARED if category.startswith(f"{base}_")), None)
    if not found and base is not None:
        found = [category + item.removeprefix(base) for item in _of(base, items)]
    if len(found) != total and len(items) == total:
        found = list(items)
    if len(found) != total:
        raise ReadError(
            f"{where} counts {total:,} entries of the category '{category}', and the list of items has {len(found):,} "
            f"of it (ids such as {category}_0); give the ids of the same data set, or leave the file out "
            "(--without FILE)"
        )
    unknown = sorted(set(failed) - set(found))
    if unknown:
        raise ReadError(f"{where}: {unknown[0]!r} failed and is not in the list of items; they are of different data")
    return found
