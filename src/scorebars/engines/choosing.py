"""Choices that callers make on a score table: names that must be known, options, one metric out of several."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import numpy as np

from scorebars.engines.cutting import Rules
from scorebars.engines.headers import mapped, normal
from scorebars.errors import ArgumentError, ScoresError, counted, near_miss, typed
from scorebars.kernels.distinct import distinct

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from scorebars.contracts import Part
    from scorebars.notes import Note
    from scorebars.sample import Column, ScoreTable

_QUOTED: Final = re.compile(r"'([^']*)'")


class UnknownNameError(ScoresError):
    """A model, task, metric or variant that the data do not have."""


def refuse_unusable(metric: str, choices: Sequence[str], parts: Sequence[Part]) -> None:
    """A metric that some file has and none has as a score: the reader's reason is the error."""
    for part in parts:
        reason = dict(part.unusable).get(metric)
        if reason is not None and metric not in choices:
            raise ScoresError(f"{part.path}: metric '{metric}' is no score: {reason}")


def refuse_several(role: str, table: ScoreTable, parts: Sequence[Part], beside: Sequence[str] = ()) -> None:
    """Several metrics or variants without a choice: the result would mix them, or be a guess.

    Args:
        role: 'metric' or 'variant'.
        table: The rows.
        parts: The files.
        beside: What else there may be several of, so that each is shown by both alone.

    Raises:
        ScoresError: There are several.
    """
    column: Column | None = getattr(table, role)
    if column is None or column.n_labels == 1:
        return
    counts = np.bincount(column.codes, minlength=column.n_labels)
    used = np.flatnonzero(counts)
    if len(used) > 1:
        shown = ", ".join(f"{_told(column.labels[code])} ({counted(int(counts[code]), 'row')})" for code in used[:12])
        more = f" and {len(used) - 12} more" if len(used) > 12 else ""
        left_out = {name for part in parts for name, _ in part.unusable} if role == "metric" else set()
        unusable = f" (no scores: {', '.join(repr(name) for name in sorted(left_out))})" if left_out else ""
        example = _of_all_models(column, table)
        each = ",".join(sorted({role, *(other for other in beside if _has_several(getattr(table, other)))}))
        nameless = any(not column.labels[code] for code in used)
        typed_name = typed(example) if "'" in example else f"'{example}'"
        choice = f"--{role} {typed_name}" + (f", or --{role} '' for those without a name" if nameless else "")
        raise ScoresError(
            f"there are {len(used)} {role}s: {shown}{more}{unusable}; {_of_one_model(role, column, table)}"
            f"choose one ({choice}) or show each (estimate --by {each})"
        )


def _has_several(column: Column | None) -> bool:
    return column is not None and column.n_labels > 1 and len(distinct(column.codes)) > 1


def _of_all_models(column: Column, table: ScoreTable) -> str:
    """The first name that all models have scores of, else the first; '' where nothing has a name."""
    n_models = table.model.n_labels
    pairs = distinct(column.codes.astype(np.int64) * n_models + table.model.codes)
    models = np.bincount(pairs // n_models, minlength=column.n_labels)
    named = [code for code in np.flatnonzero(models).tolist() if column.labels[code]]
    every = [code for code in named if models[code] == len(distinct(table.model.codes))]
    return str(column.labels[(every or named)[0]]) if named else ""


def _of_one_model(role: str, column: Column, table: ScoreTable) -> str:
    """What there is to say where no two models share a name, as those of battles of two: each met the other alone."""
    pairs = np.unique(column.codes.astype(np.int64) * table.model.n_labels + table.model.codes)
    if len(np.unique(pairs % table.model.n_labels)) < 2 or len(np.unique(pairs // table.model.n_labels)) < len(pairs):
        return ""
    battles = all(label.startswith("vs ") for label in column.labels)
    if battles:
        return (
            "a battle counts once for each of its two sides, so no two models can be compared here; `estimate` of "
            "one side says whether its win rate differs from 50 %: "
        )
    return f"no {role} has two models to compare: "


def _told(label: str) -> str:
    """A name in quotes; what has none says so."""
    return f"'{label}'" if label else "none named"


def listed(names: str | Sequence[str]) -> list[str]:
    """One name or several, as a list of texts."""
    return [names] if isinstance(names, str) else [str(name) for name in names]


def known_names(
    role: str, wanted: Iterable[str], available: Sequence[str], parts: Sequence[Part] = ()
) -> tuple[str, ...]:
    """The wanted names, all of which must be available, and at least one.

    Raises:
        UnknownNameError: A name that is not there, with the nearest one.
        ArgumentError: No name.
    """
    names = tuple(wanted)
    for name in names:
        if name not in available and not any(available):
            raise UnknownNameError(
                f"no {role} is called '{name}': the files name no {role} at all; {_column_for(role, parts)}leave "
                f"--{role} out"
            )
        if name not in available:
            raise UnknownNameError(f"no {role} is called '{name}'{near_miss(name, available)}")
    if not names:
        raise ArgumentError(f"an empty selection of {role}s leaves nothing; name at least one")
    return names


def _column_for(role: str, parts: Sequence[Part]) -> str:
    """What to type where the header of an unused column is that of a task; '' where none is."""
    if role != "task":
        return ""
    from scorebars.engines.unknown_headers import kind_of

    name = next((name for name in unused_columns(parts) if kind_of(name) == "task"), "")
    return f"if column '{name}' does, {mapped({'task': name})}, else " if name else ""


def unused_columns(parts: Sequence[Part]) -> list[str]:
    """The columns of tables that play no role, each once."""
    said = (dict(part.mapping).get("ignored", "") for part in parts if part.reader == "table")
    return list(dict.fromkeys(name for text in said for name in _QUOTED.findall(text)))


def check_groups(groups: Sequence[str], known: Sequence[str], parts: Sequence[Part]) -> None:
    """Refuse what scores cannot be split on; a column of the files can be, once it has a role."""
    for name in groups:
        if name in known:
            continue
        column = {normal(other): other for other in unused_columns(parts)}.get(normal(str(name)))
        if column is not None:
            remedy = f"{mapped({'task': column})} --by task"
            raise ArgumentError(f"by='{name}' is a column without a role; make it the task: {remedy}")
        of = {said.removesuffix(", as asked"): role for part in parts for role, said in part.mapping if role in known}
        role = of.get(f"column '{name}'")
        if role is not None:
            raise ArgumentError(f"by='{name}' cannot be split on; it is the {role}: --by {role}")
        near = near_miss(str(name), (*known, *unused_columns(parts)))
        near = near if near.startswith("; did") else near_miss(str(name), known)
        raise ArgumentError(f"by='{name}' cannot be split on{near}")


def check_one_of(name: str, value: object, allowed: tuple[object, ...]) -> None:
    """Refuse a value that is none of the allowed ones."""
    if value not in allowed:
        raise ArgumentError(f"{name}={value!r} is none of {', '.join(str(each) for each in allowed)}")


def checked_range(given: tuple[float, float] | None) -> tuple[float, float] | None:
    """A range of two finite numbers, the lower first.

    Raises:
        ArgumentError: It is none.
    """
    if given is None:
        return None
    try:
        low, high = (float(bound) for bound in given)
    except (TypeError, ValueError):
        low = high = float("nan")
    if not (np.isfinite(low) and np.isfinite(high) and low < high):
        raise ArgumentError(f"range={given!r} is not a range; give the lowest and the highest possible score")
    return low, high


def joint_rules(a: Rules, b: Rules) -> Rules:
    """Rules for both sides: where only one side departs from the default, its rule holds for both.

    Raises:
        ScoresError: Both depart from the default, and differ.
    """
    plain, joint = Rules(), {}
    for name in Rules.__dataclass_fields__:
        one, other, default = getattr(a, name), getattr(b, name), getattr(plain, name)
        if one not in (other, default) and other != default:
            raise ScoresError(f"the two sides have different options, {name}={one!r} and {other!r}; give both the same")
        joint[name] = other if one == default else one
    return Rules(**joint)


def parts_of(parts: tuple[Part, ...], table: ScoreTable, total: int) -> tuple[Part, ...]:
    """The files that the rows are from, and those without rows; not those all of whose rows are of other models.

    Args:
        parts: The files of the whole table.
        table: The selected rows.
        total: Rows of the whole table.
    """
    sources = table.sources
    if table.row is None or [source.name for source in sources] != [str(part.path) for part in parts]:
        return parts
    first = np.array([source.first for source in sources], dtype=np.int64)
    inside = np.bincount(np.searchsorted(first, table.row, side="right") - 1, minlength=len(parts)) > 0
    empty = np.diff(np.append(first, total)) <= 0
    return tuple(part for part, kept in zip(parts, (inside | empty).tolist(), strict=True) if kept)


def concerns(note: Note, tasks: Sequence[str] | None, chosen: Mapping[str, str]) -> bool:
    """Whether a reader's note is about what was selected: one on another task or metric concerns nobody."""
    if tasks is not None and "task" in note.data and note.data["task"] not in tasks:
        return False
    return note.data.get("metric") in (None, chosen.get("metric", note.data.get("metric")))
