"""Each kernel's loops, as they stand and compiled, against its plain version: equal to the last bit."""

import copy
import importlib.util
import sys
import textwrap

import numpy as np
import pytest
from tests.fresh import printed

from scorebars.errors import ArgumentError
from scorebars.kernels import counting, dispatch, levels, middle, ones, pairs, quantiles, sums
from scorebars.kernels.sequential import row_sums

needs_numba = pytest.mark.skipif(
    importlib.util.find_spec("numba") is None, reason="numba is not installed (the extra 'fast')"
)
N, UNITS = 14, 12


def counts_of(rng):
    return rng.multinomial(UNITS, np.full(UNITS, 1 / UNITS), size=N).astype(np.int64)


def count_case(rng):
    sizes = np.array([1, 4, 7])
    offset, bounds = np.repeat([1, 5], [4, 7]), np.repeat(sizes[1:], [4, 7]).astype(np.uint32)
    always = np.zeros(UNITS, dtype=np.int32)
    always[0] = 1
    words = rng.integers(0, 2**32, size=(N, 11), dtype=np.uint32)
    return counting.count, (words, bounds, offset, always)


def values(rng, n):
    """Numbers whose sum depends on the order in which they are added, zeros of both signs among them."""
    found = rng.normal(size=n) * 10.0 ** rng.integers(-8, 9, size=n)
    found[: n // 4] = rng.choice([0.0, -0.0], size=n // 4)
    return found


def middle_case(rng, *, halves=True):
    unit = rng.permutation(np.repeat(np.arange(UNITS), 2))
    cut = rng.integers(0, UNITS, size=N) + (0.5 if halves else 0.0)
    return middle.mean_between, (counts_of(rng), unit, np.sort(values(rng, len(unit))), cut, 2 * UNITS - cut * 0.5)


def quantile_case(rng):
    size = np.full(N, UNITS)
    unit = rng.permutation(UNITS)
    return quantiles.quantile, (counts_of(rng), unit, np.sort(values(rng, UNITS)), float(rng.random()), size)


def totals_case(rng):
    return sums.totals, (counts_of(rng), np.stack([values(rng, UNITS) for _ in range(3)], axis=1))


def groups_case(rng, start=(0, 4, 8, 12)):
    return sums.group_ratios, (counts_of(rng), values(rng, UNITS), rng.random(UNITS), np.array(start))


def running_case(rng):
    unit = rng.permutation(UNITS)
    return sums.running, (counts_of(rng), unit, rng.random(UNITS), np.array([0, 0, 3, 7, 7, 12]))


def one_group_case(rng, *, whole=False):
    parts = np.split(rng.permutation(UNITS), [5])
    weights = [np.ones(len(part)) if whole else rng.random(len(part)) for part in parts]
    sides = [(part, weight, np.array([0, len(part)])) for part, weight in zip(parts, weights, strict=True)]
    scores = [np.sort(rng.integers(0, 4, size=len(side[0]))) for side in sides]
    below, upto = (np.searchsorted(scores[1], scores[0], side=end) for end in ("left", "right"))
    return pairs.pairs_won, (counts_of(rng), *sides, below, upto)


def groups_of_pairs_case(rng):
    start_a, start_b = np.array([0, 2, 5]), np.array([0, 4, 7])
    a, b = rng.permutation(UNITS)[:5], rng.permutation(UNITS)[:7]
    below, upto = np.zeros((2, 5), dtype=np.int64)
    for group in range(2):
        mine, other = slice(*start_a[group : group + 2]), slice(*start_b[group : group + 2])
        x, y = (np.sort(rng.integers(0, 3, size=rows.stop - rows.start)) for rows in (mine, other))
        below[mine], upto[mine] = np.searchsorted(y, x), np.searchsorted(y, x, side="right")
    return pairs.pairs_won, (counts_of(rng), (a, np.ones(5), start_a), (b, np.ones(7), start_b), below, upto)


def words_of(rng, *shape):
    return rng.integers(0, 2**32, size=shape, dtype=np.uint32)


def levels_case(rng, *, redrawn=True, draws=3, table=False, sides=1):
    """Two tasks of 7 and 5 items, of 3 runs each, the one drawn 4 times and the other twice."""
    items, start = np.array([7, 5]), 3 * np.arange(UNITS * sides).reshape(sides, UNITS)
    scores = np.rint(rng.random(start.size * 3)) if table else values(rng, start.size * 3)
    tables = rng.random((sides, draws + 1)) if table else np.empty((sides, 0))
    each, sign = np.full(sides, 3), np.array([1.0, -1.0])[:sides]
    drawn = np.array([4, 3]) if redrawn else items
    begin = np.array([0, 4 * drawn[0] * (redrawn + sides * draws)])
    groups = np.stack((np.array([4, 2]), drawn, items, np.array([0, 7]), begin), axis=1)
    sides = levels.Sides(start, scores, each, np.full(sides, draws), tables, sign)
    return levels.means, (words_of(rng, 400), groups, sides, redrawn)


def refused_case(rng, *, few=False):
    counts, bounds = np.array([3, 0, 9, 2]), np.array([2**31 + 1, 7, 100, 3])
    words = np.ones(14, dtype=np.uint32)
    words[: 3 if few else 0] = words_of(rng, 3 if few else 0)
    return levels.refused, (words, counts, bounds)


def ones_case(rng, *, other=0.0):
    scores = (rng.random(UNITS) < 0.5) * 1.0
    scores[3] = other
    return ones.ones_beside_zeros, (scores.view(np.int64), np.empty(UNITS, dtype=np.bool_))


CASES = {
    "ones": ones_case,
    "ones, one other": lambda rng: ones_case(rng, other=0.5),
    "ones, one below zero": lambda rng: ones_case(rng, other=-0.0),
    "levels": levels_case,
    "levels, fewer runs": lambda rng: levels_case(rng, draws=2),
    "levels, items stay": lambda rng: levels_case(rng, redrawn=False),
    "levels, values looked up": lambda rng: levels_case(rng, table=True),
    "levels, two sides": lambda rng: levels_case(rng, sides=2),
    "levels, two sides looked up": lambda rng: levels_case(rng, sides=2, table=True),
    "refused words": lambda rng: refused_case(rng, few=True),
    "no refused words": refused_case,
    "count": count_case,
    "middle, halves": middle_case,
    "middle": lambda rng: middle_case(rng, halves=False),
    "quantile": quantile_case,
    "totals": totals_case,
    "totals of whole numbers": lambda rng: (
        sums.totals,
        (counts_of(rng), rng.integers(-9, 9, size=(UNITS, 3)).astype(np.float64)),
    ),
    "equal groups": groups_case,
    "groups of whole numbers": lambda rng: (
        sums.group_ratios,
        (counts_of(rng), values(rng, UNITS), np.ones(UNITS), np.array([0, 3, 3, 12])),
    ),
    "unequal groups, one empty": lambda rng: groups_case(rng, (0, 5, 5, 12)),
    "running": running_case,
    "pairs, one group": one_group_case,
    "pairs, one group, no weights": lambda rng: one_group_case(rng, whole=True),
    "pairs, two groups": groups_of_pairs_case,
}


def same(found, expected):
    """Equal to the last bit: signs of zeros and NaN too."""
    if np.asarray(expected).dtype.kind in "bi":
        return np.array_equal(found, expected)
    return np.asarray(found).tobytes() == np.ascontiguousarray(expected).tobytes()


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
@pytest.mark.parametrize("seed", range(5))
def test_loops_are_the_plain_version(case, seed):
    kernel, arrays = case(np.random.default_rng(seed))
    assert same(kernel.loops(*copy.deepcopy(arrays)), kernel.plain(*arrays))


@needs_numba
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_compiled_loops_are_the_plain_version(case):
    for seed in range(20):
        kernel, arrays = case(np.random.default_rng(seed))
        assert same(kernel(*copy.deepcopy(arrays), fast=True), kernel(*arrays, fast=False))
    assert kernel.is_ready


@pytest.mark.parametrize("times", [1, 3_000])
def test_tables_of_small_groups_are_the_pairs_one_by_one(times):
    for seed in range(20):
        kernel, (counts, *sides) = groups_of_pairs_case(np.random.default_rng(seed))
        many = counts * times  # sums beyond what 32 bits hold
        assert same(pairs.Tables.of(*sides).won(many), kernel.plain(many, *sides))
        assert same(pairs.Tables.of(*sides).won(counts.astype(np.uint8)), kernel.plain(counts, *sides))


def test_no_tables_of_weights_or_of_large_groups():
    rng = np.random.default_rng(0)
    assert pairs.Tables.of(*one_group_case(rng)[1][1:]) is None
    unit, place = np.arange(200), np.zeros(100, dtype=np.int64)
    a, b = ((part, np.ones(100), np.array([0, 100])) for part in np.split(unit, 2))
    assert pairs.Tables.of(a, b, place, place) is None


@pytest.mark.parametrize(("width", "draws"), [(2, 2), (10, 10), (10, 9), (16, 255)])
def test_counts_of_one_byte_are_the_counts(width, draws):
    strata, n = 7, 25
    words = np.random.default_rng(0).integers(0, 2**32, size=(n, strata * draws), dtype=np.uint32)
    edges = (np.arange(1, width, dtype=np.uint64) << np.uint64(32)) // np.uint64(width)
    words[0, : width - 1] = edges[: words.shape[1]]  # the last word of an index, and the first of the next
    words[1, : width - 1] = edges + np.uint64(1)
    words[2], words[3] = 0, 2**32 - 1
    offset = np.repeat(width * np.arange(strata, dtype=np.int32), draws)
    bounds, always = np.full(len(offset), width, dtype=np.uint32), np.zeros(strata * width, dtype=np.int32)
    expected = counting.count(words, bounds, offset, always, fast=False)
    found = counting.count_narrow(words.copy(), width, draws)
    assert found.dtype == np.uint8
    assert np.array_equal(found, expected)


@pytest.mark.parametrize(("n", "width"), [(1, 300), (2, 300), (12, 1), (40, 300), (5, 1)])
def test_rows_are_added_from_first_to_last(n, width):
    rng = np.random.default_rng(0)
    rows = np.stack([values(rng, width) for _ in range(n)])
    expected = []
    for row in rows.tolist():
        total = 0.0
        for x in row:
            total += x
        expected.append(total)
    assert row_sums(rows).tolist() == expected
    assert not np.signbit(row_sums(np.full((n, width), -0.0))).any()


def test_middle_and_quantile_are_numpys_of_the_drawn_values():
    rng = np.random.default_rng(1)
    counts, unit, numbers = counts_of(rng), np.arange(UNITS), np.sort(rng.normal(size=UNITS))
    drawn = np.array([np.repeat(numbers, times) for times in counts])
    found = middle.mean_between(counts, unit, numbers, np.full(N, 3.0), np.full(N, 9.0), fast=False)
    assert found == pytest.approx(drawn[:, 3:9].mean(axis=1), rel=1e-14)
    for q in (0.0, 0.1, 0.5, 0.77, 1.0):
        found = quantiles.quantile(counts, unit, numbers, q, np.full(N, UNITS), fast=False)
        assert found.tolist() == np.quantile(drawn, q, axis=1).tolist()


@pytest.fixture
def untouched(monkeypatch):
    monkeypatch.setattr(dispatch, "_spent", {})
    return dispatch.Kernel(lambda: None, lambda: None)


def test_without_numba_all_work_is_plain(untouched, monkeypatch):
    monkeypatch.setattr(dispatch, "has_compiler", lambda: False)
    assert not dispatch.choose([untouched], 1e12)


@pytest.fixture
def seconds(untouched, monkeypatch):
    """From seconds of plain work, and whether there is a cache, to the choice; numba is there and not imported."""
    monkeypatch.setattr(dispatch, "has_compiler", lambda: True)
    monkeypatch.delitem(sys.modules, "numba", raising=False)

    def chosen(duration, *, cached):
        monkeypatch.setattr(dispatch.Kernel, "is_cached", cached)
        return dispatch.choose([untouched], duration / dispatch.PLAIN_SECONDS)

    return chosen


def test_small_work_never_waits_for_a_compilation(seconds):
    assert not any(seconds(0.25, cached=False) for _ in range(1000))


def test_small_work_loads_what_is_cached_once_it_has_taken_as_long(seconds):
    assert [seconds(0.07, cached=True) for _ in range(10)] == [False] * 8 + [True] * 2


def test_large_work_waits_where_that_takes_less_than_it_has_cost(seconds):
    assert not seconds(0.4, cached=True)
    assert seconds(0.4, cached=True)
    assert not seconds(2.0, cached=False)
    assert seconds(2.0, cached=False)  # as much has been spent by now as a compilation takes
    assert seconds(10.0, cached=False)


def test_with_numba_imported_little_is_enough(seconds, monkeypatch):
    monkeypatch.setitem(sys.modules, "numba", object())
    assert seconds(0.02, cached=True)
    assert not seconds(0.02, cached=False)


def test_threads(monkeypatch):
    monkeypatch.setenv(dispatch.THREADS, "3")
    assert dispatch.n_threads() == 3
    monkeypatch.delenv(dispatch.THREADS)
    assert dispatch.n_threads() >= 1
    for bad in ("0", "two", "-1", "1.5"):
        monkeypatch.setenv(dispatch.THREADS, bad)
        with pytest.raises(ArgumentError, match="must be a whole number of threads"):
            dispatch.n_threads()


@needs_numba
@pytest.mark.slow
def test_all_kernels_can_be_prepared_and_drawing_needs_no_other_types(tmp_path):
    script = textwrap.dedent("""
        import importlib, pkgutil
        import numpy as np, scorebars as sb, scorebars.kernels as package
        from scorebars.kernels import dispatch, drawing, prepare, zeros_and_ones
        names = [module.name for module in pkgutil.iter_modules(package.__path__, "scorebars.kernels.")]
        modules = [importlib.import_module(name) for name in names]
        kernels = {k for module in modules for k in vars(module).values() if hasattr(k, "loops")}
        assert prepare.compile_all() == len(kernels)
        drawing.choose = dispatch.choose = lambda kernels, cells: True
        for writeable in (True, False):
            many = np.ones(zeros_and_ones.SHARED)
            many.flags.writeable = writeable
            assert zeros_and_ones.count_ones(many) == len(many)
        rng = np.random.default_rng(1)
        runs = sb.Scores.from_arrays({m: rng.random((4, 3)) for m in "ab"}, axes=("run", "task"))
        rest = {"resample": sb.Resample("run"), "interval": sb.Percentile(20)}
        for e in (sb.IQM(), sb.Quantile(0.3), sb.Median(), sb.TrimmedMean(0.1)):
            sb.estimate(runs, estimator=e, **rest)
            sb.stratified_bootstrap_ci(rng.random((4, 3)), e, 20)
        sb.compare(runs, "a", "b", effect=sb.ProbabilityOfImprovement(), **rest)
        sb.performance_profile(runs, [0.2, 0.5], resample=sb.Resample("run"), n_boot=20)
        table = {"item": range(300), "label": rng.integers(0, 2, 300), "prediction": rng.integers(0, 2, 300),
                 "score": rng.random(300)}
        for e in (sb.F1(), sb.AUROC(), sb.Ratio("score", "label"), sb.OfSums(np.divide, ("score", "label"))):
            sb.estimate(sb.Scores(table, values={c: c for c in e.columns}), estimator=e, interval=sb.Percentile(20))
            sb.estimate(sb.Scores(table, values={c: c for c in e.columns}), estimator=e, interval=sb.BCa(20))
        sb.estimate(sb.Scores(table), interval=sb.Percentile(20))
        axes = ("task", "item", "run")
        for cells in (rng.random((3, 4, 2)), rng.integers(0, 2, (3, 4, 2))):
            for below in (("item", "run"), axes):
                several = {"resample": sb.Resample(*below), "interval": sb.Percentile(n_boot=20)}
                sb.estimate(sb.Scores.from_arrays({"a": cells}, axes=axes), **several)
        assert all(len(k.compiled.signatures) == 1 for k in kernels), {k.loops: k.compiled.signatures for k in kernels}
    """)
    printed(script, NUMBA_CACHE_DIR=str(tmp_path))


@needs_numba
def test_where_nothing_can_be_cached_it_is_compiled_all_the_same():
    """In a process of its own: what it makes of numba is nothing for other tests to meet."""
    script = textwrap.dedent("""
        import numba, numpy as np
        from scorebars.kernels import dispatch, sums

        def without_cache(*, cache=False, njit=numba.njit, **options):
            if cache:
                raise RuntimeError("cannot cache function: no locator available")
            return njit(**options)

        numba.njit(lambda number: number + 1)(1)  # numba's own modules, loaded by the first compilation, use njit too
        numba.njit = without_cache
        kernel = dispatch.Kernel(sums.totals.plain, sums.totals.loops)
        arrays = (np.ones((2, 3), dtype=np.int64), np.ones((3, 1)))
        assert kernel(*arrays, fast=True).tolist() == [[3.0], [3.0]]
        assert not kernel.is_cached
    """)
    printed(script)


@needs_numba
def test_a_cache_is_found_again_and_where_there_can_be_none_it_works(tmp_path):
    script = textwrap.dedent("""
        import sys, numpy as np
        from scorebars.kernels.sums import totals
        assert totals.is_cached == (sys.argv[1] == "cached"), totals.is_cached
        print(totals(np.ones((2, 3), dtype=np.int64), np.ones((3, 1)), fast=True).tolist())
    """)

    def run(argument, folder):
        return printed(script, argument, NUMBA_CACHE_DIR=str(folder))

    assert run("new", tmp_path / "cache") == "[[3.0], [3.0]]\n"
    assert run("cached", tmp_path / "cache") == "[[3.0], [3.0]]\n"
