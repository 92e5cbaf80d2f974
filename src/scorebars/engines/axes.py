"""Arrays with axes -> score table: rliable's dictionaries, ragged lists, dictionaries of tasks.

Axes that have no names are numbered from 0 in text of equal width, so that units sorted as text stand in the order of
the array, and draws over them are draws over its rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from scorebars.engines.arrays import scores
from scorebars.engines.coding import NUMBERED, Coded, assemble, numbered_labels
from scorebars.engines.frames import unmasked
from scorebars.errors import ArgumentError, ScoresError, near_miss
from scorebars.sample import Column

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from scorebars.sample import CodeArray, FloatArray, ScoreTable

AXES: Final = ("task", "item", "run")
"""In the order in which units are sorted."""


@dataclass(frozen=True, slots=True, eq=False)
class _Block:
    """One model's scores, flat, with the index of each along each axis (axes in sorted order)."""

    score: FloatArray
    index: dict[str, CodeArray]
    names: tuple[str, ...] | None = None
    """Names of the tasks, where they have any."""


def from_axes(data: Mapping[str, Any], axes: Sequence[str]) -> ScoreTable:
    """A score table from one array a model; see :meth:`scorebars.Scores.from_arrays`.

    Raises:
        ArgumentError: Anything but a dictionary.
        ScoresError: No model in it.
    """
    order = _checked_axes(axes)
    if not isinstance(data, Mapping):
        raise ArgumentError(
            f"from_arrays takes a dictionary {{model: array}}, and was given a {type(data).__name__}; "
            "write {'A': scores_a, 'B': scores_b}"
        )
    if not data:
        raise ScoresError("there are no models; give a dictionary of arrays, such as {'A': scores_a, 'B': scores_b}")
    by_name = _by_name(data, "models")
    names = sorted(by_name)
    blocks = [_block(name, by_name[name], order) for name in names]
    lengths = [len(block.score) for block in blocks]
    columns = {role: _axis_column(role, blocks) for role in order}
    if len(names) > 1:
        codes = np.repeat(np.arange(len(names), dtype=np.int32), lengths)
        columns["model"] = Column.of(codes, np.array(names, dtype=object))
    else:
        columns["model"] = Column.constant(names[0], lengths[0])
    if "item" not in order:
        columns["item"] = Column.constant("", sum(lengths))
    score = blocks[0].score if len(blocks) == 1 else np.concatenate([block.score for block in blocks])
    return assemble(Coded(columns=columns, score=score))


def _by_name(data: Mapping[Any, Any], what: str) -> dict[str, Any]:
    """The same under text names; 1 and '1' would be one name."""
    named = {str(name): value for name, value in data.items()}
    if len(named) < len(data):
        texts = [str(name) for name in data]
        twice = next(text for text in texts if texts.count(text) > 1)
        raise ScoresError(f"two {what} are called '{twice}' as text; give each a name of its own")
    return named


def _checked_axes(axes: Sequence[str]) -> tuple[str, ...]:
    given = (axes,) if isinstance(axes, str) else tuple(axes)
    for axis in given:
        if axis not in AXES:
            raise ArgumentError(f"no axis is called '{axis}'{near_miss(str(axis), AXES)}")
    if not given or len(set(given)) < len(given):
        raise ArgumentError(f"axes={given!r} must name each axis of the arrays once, out of task, item and run")
    return given


def _block(model: str, values: Any, axes: tuple[str, ...]) -> _Block:
    if isinstance(values, dict):
        return _named_tasks(model, values, axes)
    values = unmasked(values)
    array = values if isinstance(values, np.ndarray) else _regular(values)
    return _ragged(model, values, axes) if array is None else _full(model, array, axes)


def _regular(values: Any) -> NDArray[Any] | None:
    """Nested lists as an array; None if they are ragged."""
    try:
        return np.asarray(values)
    except ValueError:
        return None


def _full(model: str, array: NDArray[Any], axes: tuple[str, ...]) -> _Block:
    if array.ndim != len(axes):
        raise ScoresError(
            f"the array of model '{model}' has the shape {array.shape}, but axes={axes!r} name {len(axes)} "
            f"dimension{'s' if len(axes) > 1 else ''}; give the axes that it has"
        )
    present = [axis for axis in AXES if axis in axes]
    ordered = array.transpose([axes.index(axis) for axis in present])
    index: dict[str, CodeArray] = {}
    for position, axis in enumerate(present):
        inner = int(np.prod(ordered.shape[position + 1 :]))
        outer = int(np.prod(ordered.shape[:position]))
        index[axis] = np.tile(np.repeat(np.arange(ordered.shape[position], dtype=np.int32), inner), outer)
    return _Block(_numbers(ordered.reshape(-1)), index)


def _numbers(values: NDArray[Any]) -> FloatArray:
    """A copy: what the caller does to the array afterwards stays with the caller."""
    return scores(values)[0].copy()


def _ragged(model: str, values: Any, axes: tuple[str, ...]) -> _Block:
    """Nested lists of unequal length."""
    leaves: list[tuple[tuple[int, ...], Any]] = []
    _walk(model, values, len(axes), (), leaves)
    index = np.array([path for path, _ in leaves], dtype=np.int32).reshape(len(leaves), len(axes))
    cells = np.empty(len(leaves), dtype=object)
    cells[:] = [cell for _, cell in leaves]
    by_axis = {axis: index[:, axes.index(axis)] for axis in AXES if axis in axes}
    order = np.lexsort(tuple(reversed(by_axis.values())))
    return _Block(scores(cells)[0][order], {axis: codes[order] for axis, codes in by_axis.items()})


def _walk(
    model: str, values: Any, depth: int, path: tuple[int, ...], leaves: list[tuple[tuple[int, ...], Any]]
) -> None:
    is_nested = hasattr(values, "__len__") and not isinstance(values, str)
    if is_nested != (depth > 0):
        raise ScoresError(
            f"the lists of model '{model}' are nested {'deeper' if is_nested else 'less deeply'} than the axes say "
            f"at position {path}; give one level of lists for each axis"
        )
    if not is_nested:
        leaves.append((path, values))
        return
    for number, value in enumerate(values):
        _walk(model, value, depth - 1, (*path, number), leaves)


def _named_tasks(model: str, values: dict[Any, Any], axes: tuple[str, ...]) -> _Block:
    """{task: array over the other axes}."""
    if "task" not in axes:
        raise ScoresError(f"the scores of model '{model}' are a dictionary of tasks, but axes={axes!r} name no 'task'")
    rest = tuple(axis for axis in axes if axis != "task")
    by_name = _by_name(values, f"tasks of model '{model}'")
    names = sorted(by_name)
    blocks = [_block(model, np.atleast_1d(by_name[name]), rest or ("run",)) for name in names]
    if not blocks:
        raise ScoresError(f"model '{model}' has no task")
    index = {axis: np.concatenate([block.index[axis] for block in blocks]) for axis in rest}
    index["task"] = np.repeat(np.arange(len(blocks), dtype=np.int32), [len(block.score) for block in blocks])
    return _Block(np.concatenate([block.score for block in blocks]), index, tuple(names))


def _axis_column(axis: str, blocks: Sequence[_Block]) -> Column:
    """The column of an axis over all models."""
    if axis == "task" and any(block.names is not None for block in blocks):
        return _task_column(blocks)
    codes = blocks[0].index[axis] if len(blocks) == 1 else np.concatenate([block.index[axis] for block in blocks])
    n = int(codes.max(initial=-1)) + 1
    if n == 1 and axis != "run":
        return Column.constant("0", len(codes))
    return Column(
        codes.astype(np.int32, copy=False), n, lambda: numbered_labels(n), (NUMBERED, len(str(max(n - 1, 0))), 0)
    )


def _task_column(blocks: Sequence[_Block]) -> Column:
    """Tasks by name; a model that numbers its tasks takes part with the numbers as names."""
    names = [
        block.names
        if block.names is not None
        else tuple(str(task) for task in range(int(block.index["task"].max()) + 1))
        for block in blocks
    ]
    labels = sorted({name for each in names for name in each})
    position = {label: code for code, label in enumerate(labels)}
    codes = [
        np.array([position[name] for name in each], dtype=np.int32)[block.index["task"]]
        for each, block in zip(names, blocks, strict=True)
    ]
    result = np.empty(len(labels), dtype=object)
    result[:] = labels
    return Column.of(np.concatenate(codes), result)
