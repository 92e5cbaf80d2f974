"""AlpacaEval ``annotations.json``: a judge's preference between a model's answer and a baseline's, one row a prompt.

The score of a prompt is the model's win against the baseline: preference − 1, which is 0 or 1 (version 1), a number
between (version 2, weighted by the judge's certainty) or 0.5 for a tie (1.5, or 0 in older files). Their mean × 100 is
the ``win_rate`` of AlpacaEval's leaderboard, and rows that the judge could not decide (null) are left out there too.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from scorebars.errors import ReadError
from scorebars.readers.document import Node, load, records
from scorebars.readers.files import shown
from scorebars.readers.records import Rows, each, refuse_mapping
from scorebars.readers.sniff import outline
from scorebars.readers.unclustered import available

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scorebars.contracts import FileHead, Part, Request

KEYS: Final = frozenset({"generator_1", "generator_2", "preference"})
_ANY_CLUSTER: Final = "--cluster dataset"
_MAPPING: Final = {
    "model": "generator_2",
    "item": "instruction",
    "metric": "win rate (ties half)",
    "variant": "the baseline (generator_1) and the annotator",
    "score": "preference - 1 (0 and 1.5, a tie, are .5)",
}


@dataclass(frozen=True, slots=True)
class AlpacaEvalReader:
    """Reads what ``alpaca_eval`` writes for each model."""

    @property
    def name(self) -> str:
        """As on the command line and in notes."""
        return "alpaca-eval"

    def claims(self, head: FileHead) -> bool:
        """A list of records with two generators and a preference."""
        keys = outline(head)
        return keys.is_list and keys.top >= KEYS

    def read(self, heads: Sequence[FileHead], request: Request) -> Iterator[Part]:
        """One part a file; the model's name comes from the content, since files have been copied under other names."""
        refuse_mapping(request, "AlpacaEval annotations", cluster=_ANY_CLUSTER)
        cluster = request.cluster or request.columns.get("cluster")
        return each(heads, lambda head: _part(head, cluster))


def _part(head: FileHead, cluster: str | None) -> Part:
    rows = Rows()
    found = records(load(head), shown(head.path))
    for record in found:
        rows.add(
            model=record.text("generator_2"),
            task="alpaca_eval",
            item=record.text("instruction"),
            metric="win_rate",
            variant=_variant(record),
            score=_win(record),
            cluster=None if cluster is None else record.text(cluster),
        )
    mapping = _MAPPING if cluster is None else _MAPPING | {"cluster": cluster}
    notes = available("instructions", ("dataset",), found) if cluster is None else ()
    return rows.part(head.path, "alpaca-eval", mapping, score_range=(0.0, 1.0), notes=[*notes])


def _variant(record: Node) -> str:
    """Wins against different baselines, or by different judges, are different measures."""
    judge = record.text("annotator", "")
    return f"vs {record.text('generator_1')}" + (f", by {judge}" if judge else "")


def _win(record: Node) -> float:
    preference = record.number("preference")
    if math.isnan(preference):
        return math.nan
    if preference == 0:
        return 0.5
    if not 1 <= preference <= 2:
        raise ReadError(
            f"{record.where}: the preference {preference:g} is outside AlpacaEval's scale "
            "(1 the baseline, 2 the model, 1.5 or 0 a tie, null undecided)"
        )
    return preference - 1
