"""HELM: ``per_instance_stats.json``, one record an instance (and train trial, and perturbation) with its statistics.

model and task come from ``run_spec.json`` beside it, item = ``instance_id``, run = ``train_trial_index``, variant = the
perturbation, metric = ``stats.name.name``, score = ``sum / count``. One split counts: test, if there is one. The other
files of a run lend names or hold averages; in ``stats.json`` ``count`` is the number of train trials, not of instances.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from scorebars.errors import ReadError, near_miss, typed
from scorebars.notes import note
from scorebars.readers.added_keys import AddedKeys, refuse_added
from scorebars.readers.document import Node, load, node, records
from scorebars.readers.files import head_of, shown
from scorebars.readers.naming import from_path
from scorebars.readers.other_settings import flat
from scorebars.readers.records import Rows, each, in_unit, refuse_mapping
from scorebars.readers.sniff import outline
from scorebars.readers.sources import NoScores
from scorebars.readers.totals import Total, disagreements, mean_of_items

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from scorebars.contracts import FileHead, Part, Request, SettingsOf
    from scorebars.notes import Note

SCORES: Final = "per_instance_stats.json"
SPEC: Final = "run_spec.json"
AVERAGES: Final = "stats.json"
ORIGINAL: Final = "original"
"""The variant of instances as they are, where a file has perturbed copies too."""
_WRITTEN: Final = frozenset({"instance_id", "train_trial_index", "perturbation", "stats"})
"""The keys of a record."""
NO_SCORE: Final = (
    (
        re.compile(r"num_\w+|finish_reason_\w+|\w+_cost|inference_\w*runtime\w*|batch_size|prompt_truncated"),
        "it is a count, a cost or a setting of the request, not a score of the answer",
    ),
    (
        re.compile(r"(max_prob|logprob|ref_logprob)(@\d+)?"),
        "it is a likelihood, which HELM only aggregates over all instances (perplexity, bits per byte, calibration)",
    ),
)
"""Names of statistics that stand beside the scores, and why they are none."""
_UNIT: Final = re.compile(r"\w*exact_match(@\d+)?|f1_score|bleu_\d|rouge_\w+|math_equiv\w*|\w*_correctness|\w*accuracy")
_INSTANCE: Final = re.compile(rb'(\xef\xbb\xbf)?\s*\[\s*\{\s*"instance_id"\s*:')
_MODEL: Final = re.compile(r"(?<=[:,])model(_deployment)?=([^,]*),?")
_SETTLED: Final = frozenset({"name", "robustness", "fairness", "computed_on", "seed"})
"""Keys of a perturbation that do not tell two kinds of one name apart."""
_OTHERS: Final = (
    (frozenset({"adapter_spec", "scenario_spec"}), "the specification of a HELM run", False),
    (frozenset({"adapter_spec", "request_states"}), "a HELM scenario state: prompts and answers, no scores", False),
    (frozenset({"name", "definition_path"}), "the description of a HELM scenario", False),
    (frozenset({"name", "sum_squared", "count"}), "HELM's averages over instances (count is the train trials)", True),
)
"""The other files of a run: the keys that show them, what they are, whether they are lists."""


@dataclass(frozen=True, slots=True)
class HelmReader:
    """Reads what ``helm-run`` writes."""

    @property
    def name(self) -> str:
        """As on the command line and in notes."""
        return "helm"

    def claims(self, head: FileHead) -> bool:
        """A list of instances with statistics, or another file of a run."""
        return _is_scores(head) or _other(head) is not None

    def read(self, heads: Sequence[FileHead], request: Request) -> Iterator[Part]:
        """One part a file of instances; the others lend to it, or are an error where they stand alone."""
        refuse_mapping(request, "HELM statistics")
        folders = {head.path.absolute().parent for head in heads if _is_scores(head)}

        def part(head: FileHead) -> Part | None:
            if _is_scores(head):
                return _part(head, request.options.split)
            if head.path.absolute().parent in folders:
                return None
            raise NoScores(f"{shown(head.path)} is {_other(head)}; {_remedy(head.path.with_name(SCORES))}")

        return each(heads, part)


def _remedy(scores: Path) -> str:
    """What to do about a file that holds no scores: those of its run stand beside it, are empty or are not there."""
    if not scores.is_file():
        return f"'{SCORES}' of the same run is needed"
    if not head_of(scores).head.strip():
        return f"'{scores.name}' beside it is empty, so that the run has no scores: copy it again, or run it again"
    return f"read '{scores.name}' beside it"


def _is_scores(head: FileHead) -> bool:
    return _INSTANCE.match(head.head) is not None and b'"stats"' in head.head


def _other(head: FileHead) -> str | None:
    keys = outline(head)
    return next((what for needed, what, is_list in _OTHERS if needed <= keys.top and keys.is_list == is_list), None)


@dataclass(frozen=True, slots=True)
class _Run:
    """What the file's run is called."""

    model: str
    task: str
    source: str
    settings: SettingsOf = ()
    """How its requests were made."""


NO_SPLIT: Final = "\0"
"""The split of an instance without statistics, which name it: it is missing in the one that counts."""
_NO_SETTING: Final = frozenset(
    {"model", "max_eval_instances", "num_train_trials", "num_trials", "sample_train", "random", "eval_splits"}
)
"""Parts of an adapter's specification that say what is asked, not how."""


def _run(path: Path) -> _Run:
    """From ``run_spec.json`` beside the file; without one, from the folder's name, which HELM makes of both."""
    beside = path.with_name(SPEC)
    if beside.is_file():
        spec = node(load(head_of(beside)), shown(beside))
        model = spec.node("adapter_spec").text("model", "") or spec.node("adapter_spec").text("model_deployment")
        task = _without_model(spec.text("name"))
        settings = flat(spec.node("adapter_spec").value, _NO_SETTING)
        return _Run(model, task, SPEC, (((model, task), settings),))
    folder = path.absolute().parent.name
    found = _MODEL.search(folder)
    model = found[2] if found else folder
    return _Run(model, _without_model(folder), "the folder's name (no run_spec.json beside the file)")


def _without_model(name: str) -> str:
    return _MODEL.sub("", name).rstrip(",:")


@dataclass(slots=True)
class _Instance:
    """One record: where it belongs and its numbers."""

    item: str
    run: str
    split: str
    task: str
    variant: str | None
    values: dict[str, float] = field(default_factory=dict)
    totals: list[Total] = field(default_factory=list)
    """The mean that each statistic is given with, beside its sum and count."""


def _part(head: FileHead, asked: str | None) -> Part:
    run = _run(head.path)
    listed = list(records(load(head), shown(head.path)))
    instances = [_instance(record, run.task) for record in listed]
    _refuse_added(listed, instances, head.path)
    if not instances:
        raise NoScores(f"{shown(head.path)} holds no instance; no scores are in it")
    split = _split(instances, asked, shown(head.path))
    kept = [instance for instance in instances if instance.split in {split, NO_SPLIT}]
    usable, unusable = _sorted_out(kept)
    if not usable:
        raise NoScores(f"{shown(head.path)}: none of its {len(unusable)} statistics is a score of the answer")
    rows = Rows()
    perturbed = any(instance.variant for instance in kept)
    for instance in kept:
        for metric in usable:
            rows.add(
                model=run.model, task=instance.task, item=instance.item, run=instance.run, metric=metric,
                variant=(instance.variant or ORIGINAL) if perturbed else None,
                score=instance.values.get(metric, math.nan),
            )  # fmt: skip
    dropped = Counter(f"split '{instance.split}'" for instance in instances if instance.split not in {split, NO_SPLIT})
    notes = [_left_out(head, split, dropped)] if dropped else []
    notes += disagreements(shown(head.path), (total for one in kept for total in one.totals))
    if run.source != SPEC and run.model == head.path.absolute().parent.name:  # which HELM did not make
        notes.append(from_path(run.model, "its folder", f"no {SPEC} beside the file names it"))
    notes += _averages(head.path.with_name(AVERAGES), kept, usable, split)
    part = rows.part(
        head.path, "helm", _mapping(run, split, perturbed=perturbed), unusable=unusable, dropped=dropped, notes=notes
    )  # fmt: skip
    part = replace(part, settings=run.settings)
    return in_unit(part) if all(_UNIT.fullmatch(metric) for metric in usable) else part


def _refuse_added(listed: Sequence[Node], instances: Sequence[_Instance], path: Path) -> None:
    """Refuse instances of several models or settings."""
    added = AddedKeys(_WRITTEN)
    for record in listed:
        added.add(record)
    refuse_added(added, [f"{one.item} {one.run} {one.variant} {one.split} {one.task}" for one in instances], path)


def _averages(path: Path, kept: Sequence[_Instance], metrics: Sequence[str], split: str) -> Iterator[Note]:
    """A note where the averages beside the file, of instances as they are, are not those of its instances.

    HELM averages within a train trial, then over trials.
    """
    if not path.is_file():
        return
    value = load(head_of(path))
    stats = records(value, shown(path)) if isinstance(value, list) else []
    said: dict[str, object] = {}
    for stat in stats:
        name = stat.node("name")
        if name.text("split", "") == split and not name.has("perturbation") and not name.has("sub_split"):
            said[name.text("name", "")] = stat.value.get("mean")
    own = [one for one in kept if one.variant is None]
    if not own or len({one.task for one in own}) > 1:
        return
    trials = [one.run for one in own]
    found = []
    for metric in metrics:
        values = [one.values.get(metric, math.nan) for one in own]
        found.append(Total(f"the mean of '{metric}'", said.get(metric), mean_of_items(trials, values)))
    yield from disagreements(shown(path), found)


def _left_out(head: FileHead, split: str, dropped: Mapping[str, int]) -> Note:
    rows = ", ".join(f"{n:,} {'instance' if n == 1 else 'instances'} of the {what}" for what, n in dropped.items())
    why = f"the split '{split}' counts, and HELM averages each split by itself; choose with --split NAME"
    return note("left-out", path=shown(head.path), rows=rows, why=why)


def _mapping(run: _Run, split: str, *, perturbed: bool) -> dict[str, str]:
    found = {"model": f"adapter_spec.model of {run.source}" if run.source == "run_spec.json" else run.source}
    found |= {"task": f"the run's name without the model, from {run.source}", "item": "instance_id"}
    found |= {"run": "train_trial_index", "metric": "stats.name.name", "score": "sum / count"}
    if perturbed:
        found["variant"] = f"the perturbation ('{ORIGINAL}': as it is)"
    return found | {"split": f"stats.name.split, '{split}'" if split else "nothing: the file names none"}


def _instance(record: Node, task: str) -> _Instance:
    stats = records(record.get("stats"), f"{record.where}: 'stats'")
    names = [stat.node("name") for stat in stats]
    first = names[0] if names else node({}, record.where)
    changed = record.node("perturbation") if record.has("perturbation") else first.node("perturbation")
    part = first.text("sub_split", "")
    found = _Instance(
        item=record.text("instance_id"),
        run=_attempt(record.text("train_trial_index", "0"), changed),
        split=first.text("split", "") if stats else NO_SPLIT,
        task=f"{task},sub_split={part}" if part else task,
        variant=_variant(changed),
    )
    for stat, name in zip(stats, names, strict=True):
        metric = name.text("name")
        if metric in found.values:
            raise ReadError(f"{record.where} has the statistic '{metric}' twice; which one counts is not known")
        found.values[metric] = _mean(stat)
        found.totals.append(Total(f"the mean of '{metric}' of '{found.item}'", stat.value.get("mean"), _mean(stat)))
    return found


def _attempt(trial: str, changed: Node) -> str:
    """The train trial; a perturbation that was drawn several times adds its seed."""
    return f"{trial}, seed {changed.text('seed')}" if changed.has("seed") else trial


def _variant(changed: Node) -> str | None:
    """The perturbation's name, with what tells it from others of that name."""
    if not changed.has("name"):
        return None
    rest = ", ".join(f"{key}={changed.value[key]}" for key in sorted(changed.value) if key not in _SETTLED)
    return changed.text("name") + (f"({rest})" if rest else "")


def _mean(stat: Node) -> float:
    """``sum / count``; NaN where nothing was counted (then HELM leaves out ``mean``)."""
    count = stat.number("count")
    if not count > 0:
        return math.nan
    return stat.number("sum") / count


def _split(instances: Sequence[_Instance], asked: str | None, where: str) -> str:
    """The split that counts: the asked one, else test, else the only one."""
    names = sorted({instance.split for instance in instances} - {NO_SPLIT}) or [""]
    listed = ", ".join(f"'{name}'" for name in names)
    if asked is not None:
        if asked not in names:
            raise NoScores(f"{where} has no split '{asked}'; it has {listed}{near_miss(asked, names)}")
        return asked
    if "test" in names or len(names) == 1:
        return "test" if "test" in names else names[0]
    raise ReadError(
        f"{where} has the splits {listed} and none is named test; choose one ({typed('--split', names[0])})"
    )


def _sorted_out(instances: Sequence[_Instance]) -> tuple[list[str], dict[str, str]]:
    """The metrics that are scores, and why each of the others is none."""
    seen: dict[str, Any] = {}
    for instance in instances:
        for metric, value in instance.values.items():
            seen[metric] = seen.get(metric, False) or not math.isnan(value)
    unusable = {metric: reason for metric in seen if (reason := _reason(metric, known=seen[metric]))}
    return [metric for metric in seen if metric not in unusable], unusable


def _reason(metric: str, *, known: bool) -> str | None:
    """Why a statistic is no score; None if it is one."""
    for pattern, reason in NO_SCORE:
        if pattern.fullmatch(metric):
            return reason
    return None if known else "nothing was counted for it (count is 0) in any instance"
