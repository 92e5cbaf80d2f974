"""Dopamine's published curves: a JSON list of {Iteration, Value, Agent}, without a column for the run.

Each (Agent, Iteration) occurs once a run, which looks like duplicates: the run is the order of appearance. The charts
beside them (Vega specifications) hold no values.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from scorebars.errors import ReadError
from scorebars.readers.curves import Curve, curve_part
from scorebars.readers.document import load, records
from scorebars.readers.files import names_for, shown
from scorebars.readers.normalisation import suite_of
from scorebars.readers.records import each, refuse_mapping
from scorebars.readers.sniff import outline
from scorebars.readers.sources import NoScores

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from scorebars.contracts import FileHead, Part, Request

KEYS: Final = frozenset({"Iteration", "Value", "Agent"})
_CHART: Final = b"https://vega.github.io/schema/"


class DopamineReader:
    """Reads Dopamine's curves, and says of its charts what they are."""

    @property
    def name(self) -> str:
        """As on the command line and in notes."""
        return "dopamine"

    def claims(self, head: FileHead) -> bool:
        """A list of records with the three keys, or a chart."""
        keys = outline(head)
        return (keys.is_list and keys.top >= KEYS) or ("$schema" in keys.top and _CHART in head.head)

    def read(self, heads: Sequence[FileHead], request: Request) -> Iterator[Part]:
        """One part a file, one score a run."""
        refuse_mapping(request, "a list of Dopamine's curves")
        names = names_for(head.path for head in heads)
        return each(heads, lambda head: self._part(head, request, names[head.path]))

    def _part(self, head: FileHead, request: Request, name: str) -> Part:
        value = load(head)
        if isinstance(value, dict):
            raise NoScores(_chart(value, head))
        task, variant = _game(name)
        curves = _curves(_values(value, head), task, variant, shown(head.path))
        mapping = {"model": "'Agent'", "task": f"the file's name ('{task}')", "run": "the order of appearance"}
        mapping |= {"variant": f"the file's name ('{variant}')"} if variant else {}
        return curve_part(
            head, self.name, curves, request.options, mapping | {"score": "'Value' over 'Iteration'"}, unit="iteration"
        )


def _chart(value: Mapping[str, Any], head: FileHead) -> str:
    data = value.get("data")
    address = data.get("url") if isinstance(data, dict) else None
    where = f"its values are in '{address}': read that file" if isinstance(address, str) else "read the data behind it"
    return f"{shown(head.path)} is a Vega chart, a drawing and not the data; {where}"


def _game(name: str) -> tuple[str, str | None]:
    """The game that a file's name begins with, and what follows it: 'pong_CNN' is Pong in the variant CNN."""
    for cut in range(len(name), 0, -1):
        if (cut == len(name) or name[cut] in "_-. ") and suite_of([name[:cut]]) == "ale57":
            return name[:cut], name[cut + 1 :] or None
    return name, None


def _values(value: object, head: FileHead) -> dict[str, dict[float, list[float]]]:
    """Agent -> iteration -> values, in their order."""
    found: dict[str, dict[float, list[float]]] = defaultdict(lambda: defaultdict(list))
    for record in records(value, shown(head.path)):
        iteration = record.number("Iteration")
        if np.isnan(iteration):
            raise ReadError(f"{record.where} has no 'Iteration'")
        found[record.text("Agent")][iteration].append(record.number("Value"))
    return found


def _curves(
    values: Mapping[str, Mapping[float, list[float]]], task: str, variant: str | None, where: str
) -> list[Curve]:
    curves: list[Curve] = []
    for agent, iterations in values.items():
        table = _table(agent, iterations, where)
        xs = np.array(sorted(iterations), dtype=np.float64)
        curves += [
            Curve(agent, str(run), xs, ys, task, variant=variant) for run, ys in enumerate(table.T)
        ]  # fmt: skip
    return curves


def _table(agent: str, iterations: Mapping[float, list[float]], where: str) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Values by iteration and run; where a run is missing, nobody can tell which."""
    ordered = [iterations[iteration] for iteration in sorted(iterations)]
    counts = [len(found) for found in ordered]
    if min(counts) < max(counts):
        place = int(np.argmin(counts))
        iteration = sorted(iterations)[place]
        raise ReadError(
            f"{where}: agent '{agent}' has {counts[place]} values at iteration {iteration:g} and {max(counts)} at "
            "others; without a column for the run nobody can tell which run is missing, so give each row its seed "
            "(a CSV with the columns agent, task, seed, step, episode_return)"
        )
    return np.array(ordered, dtype=np.float64)
