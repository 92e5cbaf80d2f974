"""Cluster-robust variances against dense matrices, statsmodels and the toy of Miller (2024)."""

from __future__ import annotations

import math

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from tests.intervals.interval_problems import clustered, make_units, unhurried, value_of

from scorebars.contracts import Side
from scorebars.intervals import ClusterRobust, Kind
from scorebars.intervals.sandwich import cluster_moments

TOY = ([1, 1, 0, 1, 0, 0, 1, 1, 1, 0], [0, 0, 0, 1, 1, 1, 2, 2, 3, 3])


def standard_error(values, clusters, kind, **options):
    return cluster_moments(make_units(values, unit=clusters, name="cluster", **options), kind).standard_error


def test_toy_of_miller():
    assert standard_error(*TOY, Kind.CR0) == pytest.approx(0.116619, abs=5e-7)
    assert standard_error(*TOY, Kind.CR1) == pytest.approx(0.134660, abs=5e-7)


def matrix_power(matrix, power):
    values, vectors = np.linalg.eigh(matrix)
    values = np.where(values > 1e-10, values, np.nan)
    return np.nan_to_num(vectors * values**power) @ vectors.T


def dense(values, clusters, strata, task_weights, weights, kind):
    """The definitions of Bell and McCaffrey (2002) and Pustejovsky and Tipton (2018), with n × n matrices.

    One column of X a stratum, working covariance I, contrast W. Returns value, variance, Satterthwaite ν.
    """
    clusters = np.asarray(clusters)
    y, stratum = np.asarray(values, float), np.asarray(strata)[clusters]
    X = (stratum[:, None] == np.arange(stratum.max() + 1)).astype(float)
    A = np.diag(np.asarray(weights, float))
    bread = np.linalg.inv(X.T @ A @ X)
    M = np.eye(len(y)) - X @ bread @ X.T @ A
    e = M @ y
    contrast = np.asarray(task_weights, float)
    variance, vectors = 0.0, []
    for g in np.unique(clusters):
        rows = np.flatnonzero(clusters == g)
        own = np.ix_(rows, rows)
        adjust = {
            Kind.CR0: lambda own=own: np.eye(len(own[0])),
            Kind.CR2: lambda own=own: matrix_power((M @ M.T)[own], -0.5),
            Kind.CR3: lambda own=own: np.linalg.inv(M[own]),
        }[kind]()
        weight = contrast @ bread @ X[rows].T @ A[own] @ adjust
        variance += float(weight @ e[rows]) ** 2
        vectors.append(weight @ M[rows])
    P = np.array(vectors) @ np.array(vectors).T
    return float(contrast @ bread @ X.T @ A @ y), variance, np.trace(P) ** 2 / np.trace(P @ P)


@st.composite
def designs(draw):
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n_strata = draw(st.integers(1, 3))
    sizes, strata = [], []
    for stratum in range(n_strata):
        count = draw(st.integers(2, 5))
        sizes += list(rng.integers(1, 6, count))
        strata += [stratum] * count
    clusters = np.repeat(np.arange(len(sizes)), sizes)
    W = rng.dirichlet(np.ones(n_strata))
    n = len(clusters)
    weights = np.ones(n) if draw(st.booleans()) else rng.choice([0.5, 1.0, 2.0, 3.0], n)
    return rng.normal(size=n), clusters, strata, W, weights


@pytest.mark.parametrize("kind", [Kind.CR0, Kind.CR2, Kind.CR3])
@settings(unhurried, max_examples=40)
@given(design=designs())
def test_closed_forms_equal_the_matrices(kind, design):
    values, clusters, strata, W, weights = design
    units = make_units(values, unit=clusters, stratum=strata, task_weights=W, weights=weights, name="cluster")
    ours = cluster_moments(units, kind)
    value, variance, degrees = dense(*design, kind)
    assert ours.value == pytest.approx(value, abs=1e-12)
    assert value_of(units) == pytest.approx(value, abs=1e-12)
    assert ours.variance == pytest.approx(variance, rel=1e-9)
    if kind is Kind.CR2:
        assert ours.degrees == pytest.approx(degrees, rel=1e-9)


@pytest.mark.parametrize(("kind", "correction"), [(Kind.CR0, False), (Kind.CR1, True)])
@pytest.mark.parametrize("weighted", [False, True])
def test_agrees_with_statsmodels(kind, correction, weighted):
    rng = np.random.default_rng(3)
    clusters = np.repeat(np.arange(9), rng.integers(1, 12, 9))
    values = rng.normal(size=len(clusters))
    weights = rng.uniform(0.5, 3, len(clusters)) if weighted else np.ones(len(clusters))
    fit = sm.WLS(values, np.ones(len(values)), weights).fit(
        cov_type="cluster", cov_kwds={"groups": clusters, "use_correction": correction}, use_t=True
    )
    problem = clustered(values, clusters, weights=weights)
    bounds = ClusterRobust(kind).bounds(problem, 0.9, Side.TWO)
    # statsmodels multiplies by G/(G−1) · (n−1)/(n−1).
    assert bounds.standard_error == pytest.approx(fit.bse[0], rel=1e-10)
    assert (bounds.low, bounds.high) == pytest.approx(tuple(fit.conf_int(0.1)[0]), rel=1e-9)
    assert ClusterRobust(kind).p_value(problem) == pytest.approx(fit.pvalues[0], rel=1e-8)


def test_equal_clusters_without_weights_are_the_classical_case():
    rng = np.random.default_rng(4)
    means = rng.normal(size=7)
    values = (means[:, None] + rng.normal(size=(7, 5))).ravel()
    moments = cluster_moments(make_units(values, unit=np.repeat(np.arange(7), 5), name="cluster"), Kind.CR2)
    assert moments.degrees == pytest.approx(6.0)
    assert moments.standard_error == pytest.approx(stats.sem(values.reshape(7, 5).mean(axis=1)))


def test_items_as_clusters_of_one_give_the_classical_standard_error():
    values = [0.2, 0.9, 0.4, 0.1, 0.7]
    moments = cluster_moments(make_units(values, name="cluster"), Kind.CR2)
    assert moments.standard_error == pytest.approx(stats.sem(values))
    assert moments.degrees == pytest.approx(4.0)


def test_unequal_clusters_cost_degrees_of_freedom():
    clusters = np.repeat(np.arange(6), [40, 1, 1, 2, 1, 1])
    moments = cluster_moments(make_units(np.arange(46.0) % 5, unit=clusters, name="cluster"), Kind.CR2)
    assert 0.0 < moments.degrees < 3.0


def test_few_clusters_are_said():
    bounds = ClusterRobust().bounds(clustered(*TOY), 0.95, Side.TWO)
    (note,) = bounds.notes
    assert note.code == "few-clusters"
    assert note.data["n"] == 4
    assert note.data["df"] == bounds.degrees


def test_one_cluster_has_no_interval():
    bounds = ClusterRobust().bounds(clustered([1, 0, 1], [0, 0, 0], (0, 1)), 0.95, Side.TWO)
    assert math.isnan(bounds.low)
    assert [note.code for note in bounds.notes] == ["one-cluster"]


def test_a_lone_cluster_in_a_task_is_not_counted_as_certain():
    values, clusters, strata = [1, 0, 1, 1, 0, 0, 1], [0, 0, 1, 1, 2, 2, 3], [0, 0, 0, 1]
    with_lone = cluster_moments(make_units(values, unit=clusters, stratum=strata, name="cluster"), Kind.CR2)
    first = cluster_moments(make_units(values[:6], unit=clusters[:6], name="cluster"), Kind.CR2)
    assert with_lone.variance > first.variance / 4
    assert with_lone.degrees >= 1.0


def test_all_clusters_alike_show_the_all_equal_rule_instead():
    bounds = ClusterRobust().bounds(clustered(np.ones(50), np.repeat(np.arange(10), 5), (0.0, 1.0)), 0.95, Side.TWO)
    assert (bounds.low, bounds.high) == (1.0, 1.0)
    assert round(bounds.instead.low, 4) == 0.6915
    assert bounds.instead.high == 1.0
    assert bounds.notes[0].code == "all-equal"
