"""Arrays of scores with axes, as files hold them: rliable's {algorithm: runs × tasks}, and others when told.

``--map run=axis1`` gives an axis its role; an axis without one is that of the checkpoints of a learning curve.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from scorebars.contracts import Part
from scorebars.engines.coding import numbered_labels
from scorebars.errors import ArgumentError, ReadError
from scorebars.notes import note
from scorebars.readers.curves import Curve, curve_part
from scorebars.readers.files import shown
from scorebars.readers.sources import NoScores

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from scorebars.contracts import FileHead, Request

ROLES: Final = ("run", "task", "item")
CURVE: Final = "curve"
_AXIS: Final = re.compile(r"axis ?(\d)")
_RLIABLE: Final = {2: ("run", "task"), 3: ("run", "task", CURVE)}
"""Number of axes -> their roles in rliable's dictionaries."""


@dataclass(frozen=True, slots=True, eq=False)
class _Named:
    """The array of a model, and the roles of its axes."""

    model: str
    array: NDArray[np.float64]
    roles: tuple[str, ...]


def axes_asked(request: Request) -> dict[str, int]:
    """Role -> axis, of ``--map run=axis1``.

    Raises:
        ArgumentError: A role that an axis cannot have, or no axis.
    """
    if request.cluster is not None or "cluster" in request.columns:
        raise ArgumentError("arrays have no clusters; leave --cluster out")
    asked: dict[str, int] = {}
    for role, text in request.columns.items():
        found = _AXIS.fullmatch(text.strip().lower())
        if role not in ROLES or found is None:
            raise ArgumentError(
                f"'{role}={text}' cannot be mapped in an array: its axes can be run, task or item "
                "(--map run=axis0,task=axis1)"
            )
        asked[role] = int(found[1])
    return asked


def array_part(head: FileHead, reader: str, arrays: Mapping[str, NDArray[Any]], request: Request) -> Part:
    """One part of all models' arrays, each with the axes that were asked for, or rliable's.

    Raises:
        NoScores: No number.
        ReadError: Scores are to be normalised, and tasks have no names.
    """
    asked = axes_asked(request)
    path = shown(head.path)
    if request.options.normalize is not None:
        raise ReadError(f"{path}: tasks along an axis have no names to normalise them by; save normalised scores")
    named = [
        _Named(model, _numbers(array, f"{path}: '{model}'"), _roles(array, asked, request, f"{path}: '{model}'"))
        for model, array in arrays.items()
    ]
    if sum(each.array.size for each in named) == 0:
        raise NoScores(f"{path} holds arrays without a number; no scores are in it")
    said = {"model": "the arrays' names"} | {
        role: f"axis {number}" for number, role in enumerate(named[0].roles) if role != CURVE
    }
    part = _curves(head, reader, named, request, said) if CURVE in named[0].roles else _flat(head, reader, named, said)
    if asked:
        return part
    return _with_note(part, named[0])


def _with_note(part: Part, named: _Named) -> Part:
    shape = " × ".join(str(length) for length in named.array.shape)
    axes = " × ".join("checkpoints" if role == CURVE else f"{role}s" for role in named.roles)
    said = note("array-axes", shape=shape, axes=axes, remedy="run=axis1,task=axis0")
    return replace(part, notes=(said, *part.notes))


def _roles(array: NDArray[Any], asked: Mapping[str, int], request: Request, where: str) -> tuple[str, ...]:
    """The role of each axis."""
    if not array.ndim:
        raise ReadError(f"{where} is one number, not an array of scores")
    if not asked and array.ndim in _RLIABLE:
        if CURVE not in _RLIABLE[array.ndim] and request.options.at is not None:
            raise ReadError(
                f"{where}: --at {request.options.at} takes a point of checkpoints, and it is not said which of the two "
                "axes they are; name the other one: --map run=axis1 (or axis0)"
            )
        return _RLIABLE[array.ndim]
    roles = [CURVE] * array.ndim
    for role, axis in asked.items():
        if axis >= array.ndim or roles[axis] != CURVE:
            what = f"has {array.ndim} axes" if axis >= array.ndim else "has one role for each axis"
            raise ReadError(f"{where} {what}, so '{role}=axis{axis}' does not fit; axes are counted from 0")
        roles[axis] = role
    free = [axis for axis, role in enumerate(roles) if role == CURVE]
    if len(free) > 1 or (free and request.options.at is None):
        raise ReadError(_unclear(array, free, where))
    return tuple(roles)


def _unclear(array: NDArray[Any], free: Sequence[int], where: str) -> str:
    shape = " × ".join(str(length) for length in array.shape)
    axis = free[0]
    return (
        f"{where} is an array of {shape}, and axis {axis} may be anything; say what it is: --map run=axis{axis} "
        f"(seeds), task=axis{axis}, item=axis{axis}, or --at final for checkpoints"
    )


def _numbers(array: NDArray[Any], where: str) -> NDArray[np.float64]:
    if array.dtype.kind not in "biuf":
        raise ReadError(f"{where} holds {array.dtype}, not numbers; scores are whole or decimal numbers")
    return array.astype(np.float64)


def _labels(named: Sequence[_Named], role: str, single: _Named) -> NDArray[np.object_]:
    """Numbers of an axis as text of equal width over all models."""
    longest = max(each.array.shape[each.roles.index(role)] for each in named)
    return numbered_labels(longest)[: single.array.shape[single.roles.index(role)]]


def _flat(head: FileHead, reader: str, named: Sequence[_Named], said: Mapping[str, str]) -> Part:
    pieces: dict[str, list[NDArray[Any]]] = {role: [] for role in ("model", *named[0].roles, "score")}
    for each in named:
        index = np.indices(each.array.shape).reshape(each.array.ndim, -1)
        for role, codes in zip(each.roles, index, strict=True):
            pieces[role].append(_labels(named, role, each)[codes])
        pieces["model"].append(np.full(each.array.size, each.model, dtype=object))
        pieces["score"].append(each.array.reshape(-1))
    rows = {role: np.concatenate(arrays) for role, arrays in pieces.items()}
    return Part(head.path, reader, rows, tuple(said.items()))


def _curves(head: FileHead, reader: str, named: Sequence[_Named], request: Request, said: Mapping[str, str]) -> Part:
    if (request.options.at or "").startswith("step"):
        raise ReadError(
            f"{shown(head.path)}: the checkpoints of an array have no steps, only an order; "
            "use --at final or --at mean:K"
        )
    curves: list[Curve] = []
    for each in named:
        ordered = np.moveaxis(each.array, each.roles.index(CURVE), -1)
        others = [role for role in each.roles if role != CURVE]
        steps = np.arange(ordered.shape[-1], dtype=np.float64)
        for place in np.ndindex(ordered.shape[:-1]):
            ids = {role: str(_labels(named, role, each)[at]) for role, at in zip(others, place, strict=True)}
            curves.append(
                Curve(each.model, ids.get("run", ""), steps, ordered[place], ids.get("task"), item=ids.get("item", ""))
            )
    return curve_part(head, reader, curves, request.options, said, unit="checkpoint")
