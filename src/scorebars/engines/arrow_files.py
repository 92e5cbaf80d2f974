"""Arrow IPC files (Feather): read by PyArrow, which DuckDB scans without a copy, or else by Polars.

Neither is required; without both, the error says what to install.
"""

from __future__ import annotations

import json
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np

from scorebars.errors import ReadError

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from scorebars.engines.duckdb import Engine


def register_arrow(path: Path, name: str, engine: Engine) -> None:
    """Make the table of an Arrow file a relation of that name.

    Raises:
        ReadError: The file is damaged, or no package that reads it is installed.
    """
    if find_spec("pyarrow") is not None:
        engine.register_frame(name, _by_pyarrow(path))
    elif find_spec("polars") is not None:
        engine.register(name, _by_polars(path))
    else:
        raise ReadError(
            f"{path} is an Arrow file, which PyArrow or Polars reads, and neither is installed; "
            "install one: pip install pyarrow"
        )


def _by_pyarrow(path: Path) -> Any:
    """A table whose buffers are the file, mapped into memory."""
    import pyarrow as pa
    from pyarrow import feather

    try:
        with pa.memory_map(str(path)) as file:
            if file.read(4) == b"\xff\xff\xff\xff":  # a stream, which has no index at its end
                file.seek(0)
                return pa.ipc.open_stream(file).read_all()
        return feather.read_table(str(path), memory_map=True)
    except (pa.ArrowException, OSError, ValueError) as error:
        raise ReadError(f"{path} is damaged or truncated: {_first_line(error)}; copy or write it again") from error


def _by_polars(path: Path) -> dict[str, NDArray[Any]]:
    """Columns as objects; nested cells as the JSON text of them."""
    import polars as pl

    with path.open("rb") as file:
        is_stream = file.read(4) == b"\xff\xff\xff\xff"
    try:
        frame = pl.read_ipc_stream(path) if is_stream else pl.read_ipc(path)
    except (pl.exceptions.PolarsError, OSError, ValueError) as error:
        raise ReadError(f"{path} is damaged or truncated: {_first_line(error)}; copy or write it again") from error
    columns: dict[str, NDArray[Any]] = {}
    for series in frame.iter_columns():
        cells = series.to_list() if series.dtype.is_nested() else series.cast(pl.String).to_list()
        column = np.empty(len(cells), dtype=object)
        column[:] = [json.dumps(cell, default=str) if isinstance(cell, dict | list) else cell for cell in cells]
        columns[series.name] = column
    return columns


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0].rstrip(".")
