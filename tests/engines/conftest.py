import numpy as np
import pytest

from scorebars.scores import Scores


@pytest.fixture
def table():
    """Scores from rows of (model, item, score) and columns by keyword, or from (model, item, run, score)."""

    def make(rows, names=("model", "item", "score"), **options):
        columns = {name: _objects([row[index] for row in rows]) for index, name in enumerate(names)}
        return Scores(columns, **options)

    return make


def _objects(cells):
    result = np.empty(len(cells), dtype=object)
    result[:] = cells
    return result
