"""simple-evals: ``<eval>_<model>_<date>_allresults.json``, and the averages beside it, which are refused.

Samples are in ``metadata.example_level_metadata``, which only some evals fill (HealthBench): item = ``prompt_id``,
score = ``score``. Repeats of a prompt are runs. Task and model come from the file's name.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from scorebars.readers.added_keys import AddedKeys, refuse_added
from scorebars.readers.document import Node, load, node
from scorebars.readers.files import shown, stem
from scorebars.readers.records import Rows, each, refuse_mapping
from scorebars.readers.sniff import outline
from scorebars.readers.sources import NoScores
from scorebars.readers.totals import Total, disagreements, mean

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scorebars.contracts import FileHead, Part, Request

EVALS: Final = ("healthbench_hard", "healthbench_consensus", "healthbench_meta")
"""Names of evals with an underscore; any other ends at the first one, as in simple-evals itself."""
_WRITTEN: Final = frozenset({"score", "prompt_id", "prompt", "completion", "completion_id", "usage", "rubric_items"})
"""The keys of a sample."""
_DATE: Final = re.compile(r"_(\d{4})(\d{2})(\d{2})_(\d{2})(\d{2})(\d{2})")
_ALL: Final = frozenset({"score", "metrics", "htmls"})
_AVERAGES: Final = frozenset({"score", "score:std"})


@dataclass(frozen=True, slots=True)
class SimpleEvalsReader:
    """Reads what ``simple-evals`` saves."""

    @property
    def name(self) -> str:
        """As on the command line and in notes."""
        return "simple-evals"

    def claims(self, head: FileHead) -> bool:
        """An object of a score, metrics and pages, or of averages with their deviations."""
        keys = outline(head)
        return not keys.is_list and (keys.top >= _ALL or keys.top >= _AVERAGES)

    def read(self, heads: Sequence[FileHead], request: Request) -> Iterator[Part]:
        """One part a file of samples; averages are an error where no samples are read."""
        refuse_mapping(request, "simple-evals results")
        some = any(_is_all(head) for head in heads)

        def part(head: FileHead) -> Part | None:
            if _is_all(head):
                return _part(head)
            if some:
                return None
            raise NoScores(
                f"{shown(head.path)} holds averages of a simple-evals run, no score of a sample; read the "
                "*_allresults.json of the run"
            )

        return each(heads, part)


def _is_all(head: FileHead) -> bool:
    return outline(head).top >= _ALL


def _part(head: FileHead) -> Part:
    whole = node(load(head), shown(head.path))
    metadata = whole.node("metadata")
    listed: Any = metadata.value.get("example_level_metadata")
    if not isinstance(listed, list) or all(one is None for one in listed):
        what = "this eval fills no 'example_level_metadata' (HealthBench does)"
        raise NoScores(f"{shown(head.path)} has no score of a sample: {what}")
    nodes = [
        node({} if one is None else one, f"{metadata.where}: example {number}")
        for number, one in enumerate(listed, start=1)
    ]
    names = [one.text("prompt_id", str(number)) for number, one in enumerate(nodes, start=1)]
    added, items = AddedKeys(_WRITTEN), list[str]()
    for name, one in zip(names, nodes, strict=True):
        if one.value:
            added.add(one)
            items.append(name)
    refuse_added(added, items, head.path)
    repeated = len(set(names)) < len(names)
    task, model, created = _named(stem(head.path))
    seen: Counter[str] = Counter()
    rows = Rows()
    for name, one in zip(names, nodes, strict=True):
        seen[name] += 1
        rows.add(model=model, task=task, item=name, run=str(seen[name]) if repeated else None, score=_score(one))
    mapping = {"model": "the file's name", "task": "the file's name", "item": "prompt_id"}
    if repeated:
        mapping["run"] = "the how-many-th row of a prompt"
    own = mean(rows.cells["score"])
    own = own if math.isnan(own) else min(1.0, max(0.0, own))  # as HealthBench clips it; no other eval leaves 0 to 1
    notes = [*disagreements(shown(head.path), [Total("score", whole.value.get("score"), own)])]
    part = rows.part(head.path, "simple-evals", mapping | {"score": "score"}, on_error="drop", notes=notes)
    return replace(part, created=created)


def _score(example: Node) -> float:
    """The score of a sample; NaN for one of which the eval recorded nothing."""
    if example.value:
        example.get("score")
    return example.number("score")


def _named(name: str) -> tuple[str, str, str | None]:
    """Task, model and date: 'healthbench_hard_gpt-4.1_20250507_061412_allresults'."""
    found = _DATE.search(name)
    created = "{}-{}-{}T{}:{}:{}".format(*found.groups()) if found else None
    rest = (name[: found.start()] if found else name.removesuffix("_allresults")).removesuffix("_DEBUG")
    task = next((known for known in EVALS if rest.startswith(f"{known}_")), rest.partition("_")[0])
    return task, rest[len(task) + 1 :] or rest, created
