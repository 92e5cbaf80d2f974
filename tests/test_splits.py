"""Out-of-bootstrap splits as the paper describes them, and the variances of averaged trainings."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorebars.errors import ArgumentError
from scorebars.splits import OutOfBootstrap, biased_estimator_variance, ideal_estimator_variance


@given(st.integers(30, 200), st.integers(0, 10_000))
def test_parts_never_overlap_and_have_their_sizes(n, seed):
    splitter = OutOfBootstrap(n_splits=3, seed=seed)
    for train, valid, test in splitter.splits(np.zeros((n, 1))):
        assert (len(train), len(valid), len(test)) == (round(0.8 * n), round(0.1 * n), round(0.1 * n))
        assert not set(train) & set(test)
        assert not set(train) & set(valid)
        assert not set(valid) & set(test)


def test_training_items_repeat_as_in_a_bootstrap():
    # n draws from n leave (1 − 1/n)ⁿ ≈ e⁻¹ of the items out; 2,000 items: SD of the share .0070, five of them .035
    [(train, _)] = OutOfBootstrap(n_splits=1, train_size=2000, valid_size=0, test_size=100).split(np.zeros(2000))
    assert len(set(train)) / 2000 == pytest.approx(1 - np.exp(-1), abs=0.035)


def test_classes_keep_their_shares():
    y = np.repeat(["cat", "dog", "owl"], [100, 200, 300])
    splitter = OutOfBootstrap(n_splits=2, train_size=300, valid_size=60, test_size=60, stratify=True)
    for parts in splitter.splits(np.zeros(600), y):
        counts = [np.unique(y[part], return_counts=True)[1].tolist() for part in parts]
        assert counts == [[50, 100, 150], [10, 20, 30], [10, 20, 30]]


def test_works_as_cv_of_scikit_learn():
    datasets = pytest.importorskip("sklearn.datasets")
    model_selection = pytest.importorskip("sklearn.model_selection")
    naive_bayes = pytest.importorskip("sklearn.naive_bayes")
    X, y = datasets.load_iris(return_X_y=True)
    splitter = OutOfBootstrap(n_splits=4, stratify=True)
    found = model_selection.cross_val_score(naive_bayes.GaussianNB(), X, y, cv=splitter)
    assert found.shape == (4,)
    assert 0.7 < found.mean() <= 1.0
    assert np.array_equal(found, model_selection.cross_val_score(naive_bayes.GaussianNB(), X, y, cv=splitter))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_splits": 0}, "n_splits = 0: must be a whole number from 1"),
        ({"train_size": 0}, "train_size = 0: must be a share below 1"),
        ({"train_size": 2.5}, "train_size = 2.5: must be a share below 1 or a whole number"),
        ({"test_size": -1}, "test_size = -1"),
        ({"valid_size": float("nan")}, "valid_size = nan"),
    ],
)
def test_bad_sizes_get_one_sentence(options, message):
    with pytest.raises(ArgumentError, match=message):
        OutOfBootstrap(**options)


def test_nothing_left_to_test_on_is_said():
    with pytest.raises(ArgumentError, match="no item is left for test_size of 1"):
        list(OutOfBootstrap(n_splits=1, train_size=50, valid_size=0, test_size=1).split(np.zeros(2)))


def test_stratify_needs_classes():
    with pytest.raises(ArgumentError, match="y must be given"):
        next(OutOfBootstrap(stratify=True).split(np.zeros(10)))


def test_variances_of_averaged_trainings():
    # k trainings with variance V and correlation ρ, drawn: 40,000 means, relative SD of a variance .7 %, five of them
    rng = np.random.default_rng(0)
    rho, variance, k = 0.3, 0.04, 5
    shared = rng.normal(0, np.sqrt(rho * variance), size=(40_000, 1))
    trainings = shared + rng.normal(0, np.sqrt((1 - rho) * variance), size=(40_000, k))
    assert trainings.mean(axis=1).var() == pytest.approx(biased_estimator_variance(variance, rho, k), rel=0.035)
    assert biased_estimator_variance(variance, 0.0, k) == ideal_estimator_variance(variance, k)
    assert biased_estimator_variance(variance, 1.0, k) == pytest.approx(variance)


@pytest.mark.parametrize("bad", [{"k": 0}, {"variance": -1.0}, {"correlation": 1.5}])
def test_bad_variances_get_one_sentence(bad):
    with pytest.raises(ArgumentError, match="must"):
        biased_estimator_variance(**({"variance": 0.04, "correlation": 0.5, "k": 3} | bad))
