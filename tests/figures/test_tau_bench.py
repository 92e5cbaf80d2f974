"""τ-bench, gpt-4o airline: the published pass^1 to pass^4, from the trials themselves."""

from pathlib import Path

import pytest

from scorebars.analysis.estimate import estimate
from scorebars.estimators import PassAtK, PassHatK
from scorebars.readers.read import read

TRIALS = Path(__file__).parents[3] / "shared/data/tau_bench/gpt-4o-airline.trimmed.json"

pytestmark = [
    pytest.mark.shared_data,
    pytest.mark.skipif(not TRIALS.exists(), reason="the τ-bench trials are not beside the project (shared/data)"),
]


@pytest.mark.parametrize(
    ("family", "expected"),
    [(PassHatK, (0.42, 0.2733333, 0.22, 0.20)), (PassAtK, (0.42, 0.5666667, 0.66, 0.72))],
)
def test_published_row(family, expected):
    scores = read(TRIALS)
    for k, value in enumerate(expected, start=1):
        [row] = estimate(scores, estimator=family(k))
        assert row.answer.value == pytest.approx(value, abs=5e-8)
        assert (row.answer.n_items, row.answer.n_runs) == (50, (4, 4))
        assert 0.0 < row.answer.low < value < row.answer.high < 1.0


def test_the_error_is_that_of_50_items_and_not_of_200_rows():
    [row] = estimate(read(TRIALS))
    assert row.answer.standard_error == pytest.approx(0.052, abs=5e-4)
