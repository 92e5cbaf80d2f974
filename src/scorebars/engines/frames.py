"""Frames that users bring -> NumPy columns: pandas, Polars (eager and lazy), PyArrow, a DuckDB relation and more.

narwhals is imported here alone, and only when a frame arrives that is not a dict.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from scorebars.errors import ScoresError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray


def column_names(frame: Any) -> list[str]:
    """Names of the columns of a dict of columns or of any frame that narwhals takes."""
    if isinstance(frame, dict):
        return [str(name) for name in frame]
    if _is_relation(frame):
        return [str(name) for name in frame.columns]
    _refuse_levels(frame)
    return [str(name) for name in _wrapped(frame).collect_schema().names()]


def _refuse_levels(frame: Any) -> None:
    """Raise a ScoresError where the columns of a frame have names of several levels, as those of a pivot have."""
    if not type(frame).__module__.startswith("pandas"):  # the columns of a lazy frame may have to be computed
        return
    levels = getattr(frame.columns, "nlevels", 1)
    if levels > 1:
        first = tuple(map(str, frame.columns[0]))
        raise ScoresError(
            f"the columns have names of {levels} levels, such as {first!r}: give those below one of them "
            f"(frame[{first[0]!r}]), or each column a name of its own "
            "(frame.columns = ['/'.join(map(str, name)) for name in frame.columns])"
        )


def numpy_columns(frame: Any, names: Sequence[str]) -> dict[str, NDArray[Any]]:
    """The named columns as NumPy arrays of equal length; only these are collected from a lazy frame."""
    if isinstance(frame, dict):
        return _equally_long({name: as_array(frame[name], name) for name in names})
    if _is_relation(frame):
        quoted = ", ".join('"' + name.replace('"', '""') + '"' for name in names)
        return {name: unmasked(column) for name, column in frame.project(quoted).fetchnumpy().items()}
    return _collected(frame, names)


def as_array(values: Any, name: str) -> NDArray[Any]:
    """A column of a dict: an array or a list; a single text or number is not one.

    Raises:
        ScoresError: A single text or number.
    """
    if isinstance(values, np.ndarray):
        plain: NDArray[Any] = unmasked(values)
        return plain
    if isinstance(values, str) or not hasattr(values, "__len__"):
        raise ScoresError(
            f"column '{name}' is {values!r}; a column is a list or an array (a constant: constants={{…}})"
        )
    if hasattr(values, "to_numpy"):
        converted: NDArray[Any] = values.to_numpy()
        return converted
    return _from_list(list(values))


def _from_list(values: list[Any]) -> NDArray[Any]:
    """Numbers stay numbers; anything else, also a mixture, becomes objects and keeps its cells as they are."""
    kinds = {type(value) for value in values}
    if kinds and kinds <= {int} and all(-(2**63) <= value < 2**63 for value in values):
        return np.array(values, dtype=np.int64)
    if kinds and kinds <= {float}:
        return np.array(values, dtype=np.float64)
    result = np.empty(len(values), dtype=object)
    result[:] = values
    return result


def _equally_long(columns: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    for name, column in columns.items():
        if column.ndim != 1:
            raise ScoresError(
                f"column '{name}' has {column.ndim} dimensions; for arrays with axes use Scores.from_arrays"
            )
    lengths = {name: len(column) for name, column in columns.items()}
    if len(set(lengths.values())) > 1:
        told = ", ".join(f"'{name}' {length}" for name, length in lengths.items())
        raise ScoresError(f"the columns are not equally long: {told}")
    return dict(columns)


def _is_relation(frame: Any) -> bool:
    """A DuckDB relation gives NumPy columns itself; narwhals would need PyArrow for it."""
    return hasattr(frame, "fetchnumpy") and hasattr(frame, "project")


def unmasked(values: Any) -> Any:
    """Masked cells become missing ones (None), in an array or in lists of arrays; anything else stays as it is."""
    if isinstance(values, list | tuple):
        return [unmasked(value) for value in values] if any(map(_may_be_masked, values)) else values
    if type(values) is np.ndarray:  # without a look at numpy.ma, which is imported when it is first named
        return values
    if values is np.ma.masked:
        return None
    if not isinstance(values, np.ma.MaskedArray):
        return values
    if not np.any(values.mask):
        return np.asarray(values.data)
    filled = values.data.astype(object)
    filled[values.mask] = None
    return filled


def _may_be_masked(value: Any) -> bool:
    return isinstance(value, list | tuple | np.ma.MaskedArray)


def _wrapped(frame: Any) -> Any:
    import narwhals as nw

    try:
        return nw.from_native(frame)
    except nw.exceptions.DuplicateError as error:
        told = " ".join(str(error).split())
        raise ScoresError(f"two columns have one name: {told}; give each column a name of its own") from None
    except TypeError:
        kind = f"{type(frame).__module__}.{type(frame).__qualname__}"
        raise ScoresError(
            f"a {kind} is not a table; give a dict of columns or a frame (pandas, Polars, PyArrow, DuckDB …), "
            "files with scorebars.read, arrays with Scores.from_arrays"
        ) from None


def _collected(frame: Any, names: Sequence[str]) -> dict[str, NDArray[Any]]:
    import narwhals as nw

    selected = _wrapped(frame).select(list(names))
    eager = selected.collect() if isinstance(selected, nw.LazyFrame) else selected
    return {name: _from_series(eager.get_column(name)) for name in names}


def _from_series(series: Any) -> NDArray[Any]:
    """Cells as they are: whole numbers with holes stay whole, where NumPy's conversion would make floats of them."""
    if series.dtype.is_integer() and series.null_count():
        return _from_list_of_objects(series.to_list())
    array: NDArray[Any] = series.to_numpy()
    return array if array.dtype.kind in "biuf" else _from_list_of_objects(series.to_list())


def _from_list_of_objects(values: list[Any]) -> NDArray[Any]:
    result = np.empty(len(values), dtype=object)
    result[:] = values
    return result


def is_lazy(frame: Any) -> bool:
    """Whether columns of a frame are computed anew each time they are asked for."""
    if isinstance(frame, dict):
        return False
    if _is_relation(frame):
        return True
    import narwhals as nw

    return isinstance(_wrapped(frame), nw.LazyFrame)
