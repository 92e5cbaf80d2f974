"""HAL (Holistic Agent Leaderboard): ``<run_id>_UPLOAD.json``, one object with the results of one agent on a benchmark.

model = ``config.agent_name``, task = ``config.benchmark_name``, run = ``config.run_id``. The score of a task is its
``reward`` or ``score`` in ``raw_eval_results`` where every one has it, else whether it is among
``results.successful_tasks`` or ``failed_tasks``, which each benchmark fills; where some have one and those lists do not
hold all tasks, neither says it all, which is an error. Text in a result's place is an error of its attempt.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from scorebars.errors import ReadError
from scorebars.readers.document import Node, id_text, load, node
from scorebars.readers.files import shown
from scorebars.readers.other_settings import flat
from scorebars.readers.records import Rows, each, in_unit, refuse_mapping
from scorebars.readers.repeated import date_text
from scorebars.readers.sniff import outline
from scorebars.readers.sources import NoScores
from scorebars.readers.totals import Total, disagreements, mean

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from scorebars.contracts import FileHead, Part, Request

SCORES: Final = ("reward", "score")

Attempt = tuple[str, str | None, float, bool]
"""Task, prompt variation, score, whether it ended in an error."""


@dataclass(frozen=True, slots=True)
class HalReader:
    """Reads what ``hal-eval`` saves."""

    @property
    def name(self) -> str:
        """As on the command line and in notes."""
        return "hal"

    def claims(self, head: FileHead) -> bool:
        """An object with the configuration, the results and the raw results of an agent."""
        keys = outline(head)
        named = {"agent_name", "benchmark_name"} <= keys.anywhere
        return named and not keys.is_list and {"config", "results"} <= keys.top

    def read(self, heads: Sequence[FileHead], request: Request) -> Iterator[Part]:
        """One part a file."""
        refuse_mapping(request, "a HAL result")
        return each(heads, _part)


def _part(head: FileHead) -> Part:
    top = node(load(head), shown(head.path))
    config = top.node("config")
    attempts, source = _attempts(top)
    rows = Rows()
    for item, variation, score, failed in attempts:
        rows.add(
            model=config.text("agent_name"), task=config.text("benchmark_name"), item=item,
            run=_run(config.text("run_id", ""), variation), score=score, status="error" if failed else None,
        )  # fmt: skip
    mapping = {"model": "config.agent_name", "task": "config.benchmark_name", "item": "the task's id"}
    mapping |= {"run": "config.run_id, and the variation of the prompt", "score": source}
    notes = [*disagreements(shown(head.path), _totals(top.node("results"), rows))]
    part = rows.part(head.path, "hal", mapping, on_error="wrong", notes=notes)
    of = (config.text("agent_name"), config.text("benchmark_name"))
    settings = flat(config.node("agent_args").value, {"benchmark_name"})
    return replace(in_unit(part), created=date_text(config.text("date", "")), settings=((of, settings),))


def _totals(results: Node, rows: Rows) -> Iterator[Total]:
    """The file's accuracy: the mean score, or the share of tasks that it lists as successful; no score is 0."""
    said = results.value.get("accuracy")
    own = mean(0.0 if math.isnan(score) else score for score in rows.cells["score"])
    listed = [len(_listed(results, key)) for key in ("successful_tasks", "failed_tasks")]
    others = [mean(rows.cells["score"]), listed[0] / sum(listed) if sum(listed) else math.nan]
    if not any(not Total("", said, other).differs for other in others if not math.isnan(other)):
        yield Total("accuracy", said, own)


def _run(run: str, variation: str | None) -> str | None:
    if variation is None:
        return run or None
    return f"{run}.{variation}" if run else variation


def _attempts(top: Node) -> tuple[list[Attempt], str]:
    """The attempts and where their scores stand."""
    results = top.node("results")
    listed = dict.fromkeys(_listed(results, "successful_tasks"), 1.0)
    for item in _listed(results, "failed_tasks"):
        if item in listed:
            raise ReadError(f"{results.where}: '{item}' is among the successful and the failed tasks")
        listed[item] = 0.0
    raw = _raw(top, listed.keys())
    if raw:
        known = {item for item, *_ in raw}
        missing: list[Attempt] = [(item, None, math.nan, False) for item in listed if item not in known]
        return [*raw, *missing], "raw_eval_results (reward or score)"
    if not listed:
        raise NoScores(
            f"{top.where} has neither a reward or score a task in 'raw_eval_results' nor lists of successful and "
            "failed tasks; no scores are in it"
        )
    return [(item, None, score, False) for item, score in listed.items()], "results.successful_tasks and failed_tasks"


def _listed(results: Node, key: str) -> list[str]:
    value = results.value.get(key)
    if value is None:
        return []
    if not isinstance(value, list):
        raise ReadError(f"{results.where}: '{key}' is no list of tasks")
    ids = (id_text(item, f"{results.where}: '{key}', entry {number}") for number, item in enumerate(value, start=1))
    return list(dict.fromkeys(ids))


def _raw(top: Node, listed: AbstractSet[str]) -> list[Attempt]:
    """The attempts of ``raw_eval_results``, if each of its members is a result with a score, or an error's text."""
    value = top.value.get("raw_eval_results")
    if not isinstance(value, dict):
        return []
    found: list[Attempt] = []
    without: list[str] = []
    for key, result in value.items():
        several = isinstance(result, list)
        if several and not result:  # a task without a run is missing, not absent
            found.append((key, None, math.nan, False))
        for place, one in enumerate(result if several else [result], start=1):
            attempt = _attempt(key, str(place) if several else None, one, f"{top.where}: '{key}'")
            if attempt is None:
                without.append(key)
            else:
                found.append(attempt)
    if all(math.isnan(score) for _, _, score, _ in found):
        return []
    if not without or not set(value) - listed:
        return [] if without else found
    raise ReadError(
        f"{top.where}: '{without[0]}' in 'raw_eval_results' has no reward or score as the other tasks have, and "
        "'successful_tasks' and 'failed_tasks' do not list them all; give it one (null if there is none)"
    )


def _attempt(key: str, variation: str | None, result: Any, where: str) -> Attempt | None:
    if isinstance(result, str):
        return key, variation, math.nan, True
    if not isinstance(result, dict):
        return None
    name = min((name for name in SCORES if name in result), key=lambda name: result[name] is None, default=None)
    return None if name is None else (key, variation, Node(result, where).number(name), False)
