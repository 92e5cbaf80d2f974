"""The header of an Inspect log, and what was asked of it: which of its fields are the model, the task, a variant."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from scorebars.errors import ReadError, near_miss
from scorebars.readers.columns import NoColumnError
from scorebars.readers.files import shown
from scorebars.readers.other_settings import flat
from scorebars.readers.repeated import date_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scorebars.contracts import Request, Settings
    from scorebars.readers.inspect_samples import RawLog, RawSample

METADATA: Final = "metadata."
OPEN: Final = ("model", "task", "variant")
"""Roles that may be taken from other fields of the header than their own."""
FIXED: Final = ("eval.model", "eval.task")
"""Fields of the header that are texts."""
UNTAGGED: Final = "none"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the caller asked of every log."""

    cluster: str | None
    """Metadata field of the sample."""
    roles: Mapping[str, str]
    """Role -> fields of the header, joined by '+'."""
    categories: Mapping[str, float]
    """Numbers of scores that are words."""


def wanted_of(request: Request) -> Wanted:
    """The request, checked: items, runs and scores are fixed by the format.

    Raises:
        NoColumnError: A mapping of what is fixed.
    """
    others = sorted(set(request.columns) - {"cluster", *OPEN})
    if others:
        raise NoColumnError(
            f"'{others[0]}' cannot be mapped in an Inspect log: it is fixed by the format; open are the cluster "
            "(--cluster metadata.FIELD), and model, task and variant from the header "
            "(--map variant=eval.task_args.prompt)",
            others[0],
        )
    roles = {role: request.columns[role] for role in OPEN if role in request.columns}
    cluster = request.cluster or request.columns.get("cluster")
    return Wanted(cluster, roles, request.options.categories or {})


def role_text(log: RawLog, wanted: Wanted, role: str) -> str:
    """The model, task or variant of a log."""
    fields = wanted.roles.get(role, f"eval.{role}").split("+")
    return "+".join(_field_text(log, field.strip()) for field in fields)


def _field_text(log: RawLog, field: str) -> str:
    """One field of the header as text; without its block it is one of ``eval``."""
    if field in ("tags", "eval.tags"):
        return _tags(log)
    first, *_ = steps = field.split(".")
    value: Any = log.header if first in log.header else object_of(log.header, "eval")
    for step in steps:
        known = value if isinstance(value, dict) else {}
        if known.get(step) is None:
            raise ReadError(
                f"{shown(log.path)}: the header has no '{field}'{near_miss(step, known)}; "
                "not a complete Inspect log, or another field is meant"
            )
        value = known[step]
    if field in FIXED and not isinstance(value, str):
        raise ReadError(f"{shown(log.path)}: '{field}' in the header is {plain(value)[:60]}, not a text")
    return plain(value)


def _tags(log: RawLog) -> str:
    """The tags of the run, those that were added later too; sorted, since Inspect writes them in any order."""
    found = [*_listed(object_of(log.header, "eval").get("tags")), *_listed(log.header.get("tags"))]
    return ",".join(sorted({plain(tag) for tag in found})) or UNTAGGED


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def cluster_of(sample: RawSample, field: str, log: str) -> str:
    """The cluster of a sample, from its metadata; nested fields with dots.

    Raises:
        ReadError: The metadata have no such field.
    """
    metadata = object_of(sample.fields, "metadata")
    key = field.removeprefix(METADATA)
    value: Any = metadata.get(key)
    if value is None and "." in key:
        value = metadata
        for step in key.split("."):
            value = value.get(step) if isinstance(value, dict) else None
    if value is None:
        missing = f"{sample.where} has no metadata field '{key}' to take the cluster from"
        raise ReadError(f"{log}: {missing}{near_miss(key, metadata)}")
    return plain(value)


LIMITS: Final = ("message_limit", "token_limit", "cost_limit", "time_limit", "working_limit")
"""What ends a sample, and with it its score."""


def settings(log: RawLog) -> Settings:
    """How the samples were made: arguments of the task and model, generation, solvers, limits and other roles' models.

    What the command line gave goes before the task's own; Inspect keeps the first in ``eval``, the other in ``plan``.
    """
    block, plan = object_of(log.header, "eval"), object_of(log.header, "plan")
    config = object_of(block, "config")
    found: dict[str, Any] = {"task_version": block.get("task_version"), "task_args": object_of(block, "task_args")}
    found |= {"model_args": object_of(block, "model_args"), "model_roles": _roles(object_of(block, "model_roles"))}
    found |= {f"solver{place}": _solver(step) for place, step in enumerate(objects_of(plan, "steps"), start=1)}
    found |= {"generate": object_of(plan, "config") | _given(object_of(block, "model_generate_config"))}
    return flat(found | {name: config.get(name) for name in LIMITS})


def _given(block: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in block.items() if value is not None}


def _roles(roles: dict[str, Any]) -> dict[str, Any]:
    """The model of each role; its endpoint and the like are no settings."""
    return {role: said.get("model") if isinstance(said, dict) else said for role, said in roles.items()}


def _solver(step: dict[str, Any]) -> dict[str, Any]:
    return {"name": step.get("solver"), **object_of(step, "params")}


def created(log: RawLog) -> str | None:
    """When the run began."""
    return date_text(object_of(log.header, "eval").get("created"))


def scorers(log: RawLog) -> list[str]:
    """The scorers that the header announces."""
    found = objects_of(object_of(log.header, "eval"), "scorers")
    return [str(scorer["name"]) for scorer in found if "name" in scorer]


def results_of(log: RawLog) -> list[dict[str, Any]]:
    """The header's results, one object a score."""
    return objects_of(object_of(log.header, "results"), "scores")


def object_of(parent: dict[str, Any], key: str) -> dict[str, Any]:
    """The object under a key; an empty one where there is none."""
    value = parent.get(key)
    return value if isinstance(value, dict) else {}


def objects_of(parent: dict[str, Any], key: str) -> list[dict[str, Any]]:
    """The objects in the list under a key."""
    values = parent.get(key)
    return [value for value in values if isinstance(value, dict)] if isinstance(values, list) else []


def plain(value: Any) -> str:
    """An id as text; characters that no encoding holds are written out."""
    if type(value) is int:
        return str(value)
    text = value if isinstance(value, str) else json.dumps(value, sort_keys=True, ensure_ascii=False)
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode("utf-8")
