"""Cuts against a plain dictionary of rows, and what they refuse."""

import re
from collections import defaultdict

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scorebars.errors import ScoresError
from scorebars.scores import Scores

FULL = ("model", "task", "cluster", "item", "run", "score")
ROWS = st.lists(
    st.tuples(*(st.sampled_from(names) for names in ("ab", ("t1", "t10", "t2"), "xy", "pqr", "123")), st.floats(0, 5)),
    min_size=1,
    max_size=60,
    unique_by=lambda row: row[:5],
)


def objects(cells):
    result = np.empty(len(cells), dtype=object)
    result[:] = list(cells)
    return result


def scores_of(rows, names=FULL, **options):
    return Scores(
        {name: objects(column) for name, column in zip(names, zip(*rows, strict=True), strict=True)}, **options
    )


@settings(deadline=None, max_examples=60)
@given(rows=ROWS, by=st.sampled_from([(), ("task",), ("cluster",), ("task", "cluster")]))
@example(rows=[("a", "t1", "y", "p", "1", 0.0), ("b", "t1", "x", "p", "1", 0.0)], by=())  # a cluster each: as asked
def test_cuts_are_the_rows_grouped_and_sorted_as_text(rows, by):
    expected = defaultdict(list)
    for row in rows:
        named = dict(zip(FULL, row, strict=True))
        expected[(tuple((role, named[role]) for role in by), named["model"])].append(row[1:])

    cuts = scores_of(rows, cluster="cluster").cuts(by)

    assert [(cut.group, cut.sample.model) for cut in cuts.cuts] == sorted(expected)
    for cut in cuts.cuts:
        wanted = sorted(expected[(cut.group, cut.sample.model)])
        sample = cut.sample
        found = [
            (*(texts[unit] for texts in cuts.item_keys), score)
            for unit, score in zip(sample.item, sample.score, strict=True)
        ]
        assert found == [(*row[:3], row[4]) for row in wanted]
        assert [sample.task_labels[code] for code in sample.task] == [row[0] for row in wanted]
        pairs = {(row[0], row[1]): code for row, code in zip(wanted, sample.cluster, strict=True)}
        assert len(set(pairs.values())) == len(pairs)


@given(rows=ROWS)
@example(rows=[("a", "t1", "y", "p", "1", 0.0), ("b", "t1", "x", "p", "1", 0.0)])
@settings(deadline=None, max_examples=30)
def test_clusters_that_cross_tasks_are_one(rows):
    cuts = scores_of(rows, cluster="cluster").with_options(cluster_crosses_tasks=True).cuts()

    for cut in cuts.cuts:
        clusters = [cuts.item_keys[1][unit] for unit in cut.sample.item]
        assert len({*zip(clusters, cut.sample.cluster.tolist(), strict=True)}) == len(set(clusters))
        assert cut.sample.cluster_crosses_tasks


def test_pooled_scores_have_one_stratum_and_the_same_units():
    rows = [("a", "t", "p", 1), ("a", "u", "p", 0), ("b", "u", "p", 1)]
    scores = scores_of(rows, ("model", "task", "item", "score"))

    a, b = (cut.sample for cut in scores.pooled().cuts().cuts)

    assert (a.task.tolist(), a.task_labels, a.item.tolist(), b.item.tolist()) == ([0, 0], ("",), [0, 1], [1])
    assert [cut.sample.task.tolist() for cut in scores.cuts().cuts] == [[0, 1], [1]]


def test_selected_tasks_are_the_only_ones_in_a_sample():
    rows = [("a", task, "p", 1) for task in ("t", "u", "v")]

    (cut,) = scores_of(rows, ("model", "task", "item", "score")).select(task=["v", "u"]).cuts().cuts

    assert cut.sample.task_labels == ("u", "v")
    assert cut.sample.task.tolist() == [0, 1]


def test_metrics_are_cut_apart_with_their_own_ranges_and_shared_units():
    rows = [
        ("a", "p", "acc", 1),
        ("a", "q", "acc", 0),
        ("a", "q", "len", 70),
        ("b", "q", "acc", 1),
        ("b", "q", "len", 30),
    ]

    cuts = scores_of(rows, ("model", "item", "metric", "score")).cuts("metric")

    found = [(cut.group[0][1], cut.sample.model, cut.sample.item.tolist(), cut.sample.range) for cut in cuts.cuts]
    assert found == [
        ("acc", "a", [0, 1], (0.0, 1.0)),
        ("acc", "b", [1], (0.0, 1.0)),
        ("len", "a", [1], None),
        ("len", "b", [1], None),
    ]


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        ([1, -1, 1], "weight -1 of model 'a', item 'q'"),
        ([1, None, 1], "a weight is a finite number"),
        ([1, np.inf, 1], "a weight is a finite number"),
        ([0, 0, 0], "all weights of model 'a' are 0"),
        ([1, 2, 3], r"weight 3 of model 'a', item 'q'.*another weight"),
    ],
)
def test_weights_that_are_none_are_refused(weights, said):
    rows = [("a", item, weight, 1) for item, weight in zip("pqq", weights, strict=True)]

    with pytest.raises(ScoresError, match=said):
        scores_of(rows, ("model", "item", "weight", "score")).cuts()


def test_weights_come_along():
    rows = [("a", "q", 2, 1), ("a", "p", 0, 1), ("a", "q", 2, 0)]

    (cut,) = scores_of(rows, ("model", "item", "weight", "score")).cuts().cuts

    assert cut.sample.weight.tolist() == [0.0, 2.0, 2.0]


def test_a_group_in_which_a_model_has_no_score_is_left_out():
    rows = [("a", "t", "p", 1), ("a", "u", "q", None), ("b", "u", "q", 1)]

    cuts = scores_of(rows, ("model", "task", "item", "score")).cuts("task")

    assert [(cut.group[0][1], cut.sample.model) for cut in cuts.cuts] == [("t", "a"), ("u", "b")]


def test_run_labels_are_shared_between_models_where_runs_have_ids():
    rows = [("a", "q", "s2", 1), ("b", "q", "s1", 1), ("b", "q", "s2", 0)]

    a, b = (cut.sample for cut in scores_of(rows, ("model", "item", "run", "score")).cuts().cuts)

    assert a.run[0] == b.run[1] != b.run[0]


def clustered(*models):
    """One row an item: (model, [(item, cluster), …])."""
    rows = [(model, item, cluster, i % 2) for model, pairs in models for i, (item, cluster) in enumerate(pairs)]
    columns = zip(*rows, strict=True)
    return Scores(dict(zip(("model", "item", "cluster", "score"), map(list, columns), strict=True)))


PAIRS = [(f"q{i}", f"c{i // 4}") for i in range(20)]


@pytest.mark.parametrize(
    ("models", "said"),
    [
        ([("a", PAIRS)], None),
        (
            [("a", [*PAIRS, ("q0", "c4")])],
            "1 item in more than one cluster, such as 'q0' ('c0', 'c4'): within one model",
        ),
        ([("a", PAIRS), ("b", [(item, "x" + cluster) for item, cluster in PAIRS])], "20 items in .* do not pair on it"),
        ([("a", [(f"q{i % 4}", cluster) for i, (_, cluster) in enumerate(PAIRS)])], None),
    ],
    ids=["one each", "a slip", "two spellings", "ids start again"],
)
def test_an_item_in_two_clusters_is_noted_unless_ids_start_again(models, said):
    found = [str(note) for note in clustered(*models).cuts().notes]
    assert len(found) == (said is not None)
    assert said is None or re.search(said.replace("(", r"\(").replace(")", r"\)"), found[0])


@pytest.mark.parametrize("role", ["metric", "variant"])
def test_a_role_that_the_data_lack_heads_no_group(role):
    assert [cut.group for cut in Scores({"item": [1, 2], "score": [0, 1]}).cuts(role).cuts] == [()]
