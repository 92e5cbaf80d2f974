"""Long tables of rows that a test writes down, in the three kinds of file that read alike, and their refusals."""

import pandas as pd
import pytest

from scorebars.errors import ReadError
from scorebars.readers.read import read

KINDS = ["csv", "jsonl", "parquet"]


def written(folder, rows, kind="csv", name="a"):
    """The path of a file of these rows."""
    path, frame = folder / f"{name}.{kind}", pd.DataFrame(rows)
    if kind == "csv":
        frame.to_csv(path, index=False)
    elif kind == "jsonl":
        frame.to_json(path, orient="records", lines=True)
    else:
        frame.to_parquet(path)
    return path


def refusal(path, **more):
    """The sentence of the error, and the command below it."""
    with pytest.raises(ReadError) as caught:
        read(path, **more).cuts()
    return str(caught.value), caught.value.__notes__[0].splitlines()[-1]
