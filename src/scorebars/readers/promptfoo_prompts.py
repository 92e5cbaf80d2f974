"""The prompts and settings of promptfoo's providers: variants where a provider has several prompts.

Prompts of one provider that stand in two files are as much two things as in one file: they are asked about, not pooled.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from scorebars.readers.other_settings import flat

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from scorebars.contracts import Part, SettingsOf

Prompts = dict[tuple[str, str], str]
"""(model, the prompt's place in the file) -> the prompt."""
DIGITS: Final = 8
"""Characters of a prompt's id (a hash of 64) that name it, where they tell the prompts apart."""
_HASH: Final = 64
PROMPT: Final = "promptId (its first 8 characters); '#' is promptIdx, where one provider has it twice"


def with_variants(parts: Sequence[Part], prompts: Mapping[Path, Prompts]) -> list[Part]:
    """The parts, whose variant is the prompt's place so far, with the prompt's name if a provider has several."""
    seen: defaultdict[str, set[str]] = defaultdict(set)
    for own in prompts.values():
        for (model, _), prompt in own.items():
            seen[model].add(prompt)
    names = shortened({prompt for found in seen.values() for prompt in found})
    made = {path: named(own, names) for path, own in prompts.items()}
    several = any(len(found) > 1 for found in seen.values()) or any(_repeats(own) for own in prompts.values())
    return [_named_part(part, made[part.path] if several else None) if part.path in made else part for part in parts]


def _repeats(own: Prompts) -> bool:
    """Whether a provider stands at several places of one file."""
    return len({model for model, _ in own}) < len(own)


def named(own: Prompts, names: Mapping[str, str]) -> dict[tuple[str, str], str]:
    """(model, place) -> variant; one provider twice, with other settings, has its prompts twice too."""
    by_model: defaultdict[str, list[str]] = defaultdict(list)
    for (model, _), prompt in own.items():
        by_model[model].append(prompt)
    return {
        (model, place): f"{names[prompt]}#{place}" if by_model[model].count(prompt) > 1 or not prompt else names[prompt]
        for (model, place), prompt in own.items()
    }


def shortened(prompts: Iterable[str]) -> dict[str, str]:
    """Prompts by the beginning of their ids, unless that is the same for two of them."""
    names = {prompt: prompt[:DIGITS] if len(prompt) == _HASH else prompt for prompt in prompts}
    return names if len(set(names.values())) == len(names) else {prompt: prompt for prompt in names}


def _named_part(part: Part, variants: Mapping[tuple[str, str], str] | None) -> Part:
    """The part with its variants; without any where no provider has several."""
    if isinstance(part.rows, str):  # no file of promptfoo is read so
        return part
    rows = dict(part.rows)
    places = rows.pop("variant")
    if variants is None:
        return replace(part, rows=rows, mapping=tuple(pair for pair in part.mapping if pair[0] != "variant"))
    column = np.empty(len(places), dtype=object)
    column[:] = [variants[model, place] for model, place in zip(rows["model"], places, strict=True)]
    return replace(part, rows={**rows, "variant": column})


def provider_settings(providers: Any, models: Iterable[str]) -> SettingsOf:
    """The settings of each model that stands among the providers once, by its label or id."""
    listed = [one for one in providers if isinstance(one, dict)] if isinstance(providers, list) else []
    found: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for one in listed:
        config = one.get("config")
        found[str(one.get("label") or one.get("id"))].append(config if isinstance(config, dict) else {})
    return tuple(((model,), flat(found[model][0])) for model in dict.fromkeys(models) if len(found[model]) == 1)
