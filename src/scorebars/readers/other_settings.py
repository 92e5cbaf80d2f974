"""What logs say of how their attempts were made, and the note where attempts of one model were made in two ways.

A log that was run again has the settings of the first: its attempts are repeats. One with another temperature or prompt
may be another thing that is scored, and its attempts would be pooled with the first without a word.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from scorebars.notes import note

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from scorebars.contracts import Part, Settings

HARMLESS: Final = frozenset(
    {"seed", "random_seed", "device", "device_map", "port", "base_url", "api_base", "api_key", "api_version", "timeout"}
    | {"attempt_timeout", "request_timeout", "max_retries", "num_retries", "max_connections", "adaptive_connections"}
    | {"num_concurrent", "concurrency", "batch_size", "max_batch_size", "batch", "cache", "cache_prompt", "verbose"}
    | {"gpu_memory_utilization", "tensor_parallel_size", "data_parallel_size", "pipeline_parallel_size", "parallelize"}
)
"""What a repeat of the same thing may have otherwise: seeds, where it ran, and how fast."""
MOST: Final = 3
"""Settings that a note names."""
WIDTH: Final = 40
"""Characters of a value that a note shows."""


APART: Final = "read their files or folders apart (--label NAME=PATH)"
"""What keeps attempts of two settings apart."""


def flat(named: Mapping[str, Any], leave: Collection[str] = ()) -> Settings:
    """Settings as (name, text), members of objects by dotted names; without what is null, harmless, or in ``leave``.

    >>> flat({"generate": {"temperature": 0.5, "seed": 3}, "limit": None})
    (('generate.temperature', '0.5'),)
    """
    found: list[tuple[str, str]] = []
    for name, value in named.items():
        if value is None or name in HARMLESS or name in leave:
            continue
        if isinstance(value, dict):
            found += [(f"{name}.{inner}", text) for inner, text in flat(value, leave)]
        else:
            found.append((name, value if isinstance(value, str) else json.dumps(value, sort_keys=True)))
    return tuple(sorted(found))


def with_other_settings(parts: Sequence[Part]) -> list[Part]:
    """The parts, the first of each model and task with a note where the logs of these say that settings differ."""
    first: dict[tuple[str, ...], int] = {}
    ways: dict[tuple[str, ...], dict[Settings, int]] = {}
    for place, part in enumerate(parts):
        for of, said in part.settings:
            first.setdefault(of, place)
            ways.setdefault(of, {}).setdefault(said, place)
    made = list(parts)
    for of, place in first.items():
        told = [dict(way) for way in ways[of]]
        if len(told) > 1:
            remedy = APART if len({*ways[of].values()}) > 1 else "write a file for each, and read these apart"
            text = differing(told)
            remark = note("other-settings", where=_where(of), n=len(told), detail=text, remedy=remedy)
            made[place] = replace(made[place], notes=(*made[place].notes, remark))
    return made


def _where(of: Sequence[str]) -> str:
    """'M' on task 'T', as a note has it."""
    model, *task = of
    return f"'{model}'" + (f" on task '{task[0]}'" if task and task[0] else "")


def differing(ways: Sequence[Mapping[str, str]]) -> str:
    """The first two ways by what differs between them: 'temperature 0, prompt a' and 'temperature 1, prompt b'."""
    one, other = ways[:2]
    names = [name for name in dict.fromkeys([*one, *other]) if one.get(name) != other.get(name)]
    told: list[list[str]] = [[], []]
    for name in names[:MOST]:
        values = [way.get(name) for way in (one, other)]
        start = max(0, _alike(*(value or "" for value in values)) - WIDTH // 2)
        for said, value in zip(told, values, strict=True):
            said.append(f"without {name}" if value is None else f"{name} {_cut(value, start)}")
    more = ", …" if len(names) > MOST else ""
    return " and ".join(f"({', '.join(said)}{more})" for said in told)


def _alike(one: str, other: str) -> int:
    """How many first characters two texts share."""
    differ = (place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b)
    return next(differ, min(len(one), len(other)))


def _cut(value: str, start: int) -> str:
    """The part of a long text where it differs."""
    text = " ".join(value[start : start + WIDTH].split())
    return f"{'…' if start else ''}{text}{'…' if len(value) > start + WIDTH else ''}"
