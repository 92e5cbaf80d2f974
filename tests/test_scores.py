import numpy as np
import pytest

from scorebars.errors import ScoresError
from scorebars.scores import Scores

COLUMNS = {"model": ["b", "a", "a", "b"], "item": [1, 2, 1, 2], "score": [1, 0, 1, 1]}


def by_model(scores, by=()):
    return {cut.sample.model: cut.sample for cut in scores.cuts(by).cuts}


def test_samples_are_sorted_and_share_their_unit_codes():
    samples = by_model(Scores(COLUMNS))

    assert list(samples) == ["a", "b"]
    np.testing.assert_array_equal(samples["a"].score, [1.0, 0.0])
    np.testing.assert_array_equal(samples["a"].item, samples["b"].item)
    assert samples["a"].range == (0.0, 1.0)


def test_an_unknown_model_is_refused_with_the_nearest():
    with pytest.raises(ScoresError, match="no model is called 'aa'"):
        Scores(COLUMNS).select(model="aa")
