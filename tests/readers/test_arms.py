"""Groups that are arms of an experiment, or groups of models: an item belongs to one cluster, so they are none."""

from __future__ import annotations

import csv
import shlex

import pandas as pd
import pytest
from tests.readers.tables_by_hand import KINDS, refusal, written

import scorebars as sb
from scorebars import Scores
from scorebars.cli.main import main
from scorebars.engines import arms
from scorebars.errors import ScoresError
from scorebars.readers.read import read

ARMS = ("control", "treatment")
ITEMS = 20
LONG = 1_500
"""Items of a file that is not read as a small one, beside another."""


def crossed(header="group", arms=ARMS, n=ITEMS, **more):
    """Each item in each arm: of the first every second is right, of the others every fourth is wrong."""
    return [
        {"item": f"q{k}", header: arm, **more, "score": int(k % 2 == 0 if arm == arms[0] else k % 4 > 0)}
        for k in range(n)
        for arm in arms
    ]


def nested(header="group", n=10, size=4):
    """Ten groups of four items each."""
    return [{"item": f"q{k}", header: f"g{k // size}", "score": k % 2} for k in range(n * size)]


def apart(header, arms=ARMS):
    """Items of their own in each arm."""
    return [{"item": f"{arm}-{k}", header: arm, "score": k % 2} for arm in arms for k in range(ITEMS)]


def models(groups, header="group"):
    """Models of one group each, on the same items."""
    return [
        {"model": model, header: group, "item": f"q{k}", "score": (k + len(model)) % 2}
        for model, group in groups.items()
        for k in range(ITEMS)
    ]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n", [ITEMS, LONG])
def test_arms_that_each_item_stands_in_are_asked_about(tmp_path, kind, n):
    path = written(tmp_path, crossed(n=n), kind)
    said, command = refusal(path)
    assert "each item stands in each 'group' ('control', 'treatment'), and an item belongs to one cluster: " in said
    assert shlex.split(command)[1:] == ["estimate", str(path), "--map", "model=group"]
    found = {cut.sample.model: cut.sample for cut in read(path, columns={"model": "group"}).cuts().cuts}
    assert {model: sample.score.mean() for model, sample in found.items()} == {"control": 0.5, "treatment": 0.75}
    assert all(sample.cluster is None for sample in found.values())


@pytest.mark.parametrize("rows", [crossed(), crossed(model="A"), apart("group"), crossed(arms=("1", "2", "3"))])
def test_every_way_out_that_is_printed_works(tmp_path, capsys, rows):
    path = written(tmp_path, rows)
    said, command = refusal(path)
    ways = ["--map" + part.split(")")[0] for part in said.split("(--map")[1:]]
    ways.append("--map" + said.rpartition("--map")[2])
    assert len(ways) == 4
    for way in ways:
        assert main(["estimate", str(path), *shlex.split(way)]) == 0
    assert main(shlex.split(command)[1:]) == 0
    assert "belongs to one cluster" not in capsys.readouterr().err


def test_a_mapping_or_an_option_says_that_they_are_clusters(tmp_path):
    path = written(tmp_path, crossed())
    for more in ({"columns": {"cluster": "group"}}, {"cluster": "group"}):
        (cut,) = read(path, **more).cuts().cuts
        assert len(set(cut.sample.cluster.tolist())) == 2
    read(path, columns={"cluster": "group"}, save_map=True)
    assert len(read(path).models) == 1


def test_arms_are_not_pooled_where_clusters_are_left_out(tmp_path):
    path = written(tmp_path, crossed())
    said, command = refusal(path, cluster="none")
    assert "; if ids start again in each, --map item=group+item" in said
    assert "--map cluster=" not in said + command
    (cut,) = read(path, cluster="none", columns={"item": "group+item"}).cuts().cuts
    assert len(set(cut.sample.item.tolist())) == 2 * ITEMS


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("rows", [
    nested(),  # clusters of items
    nested("cluster"),
    crossed("passage", tuple("abc")),  # ids that start again in each passage
    crossed("cluster", tuple("abc")),
    crossed(arms=tuple("abcdefghijklmno")),  # fifteen groups of twenty items: ids start again
    models({"gpt": "x", "llama": "x"}),
    [{"model": f"m{k}", "group": f"g{k}", "item": f"q{k}-{n}", "score": n % 2} for k in range(3) for n in range(9)],
], ids=["nested", "cluster", "passage", "restart", "many", "one", "own items"])  # fmt: skip
def test_clusters_of_items_are_left_alone(tmp_path, kind, rows):
    scores = read(written(tmp_path, rows, kind))
    assert all(cut.sample.cluster is not None for cut in scores.cuts().cuts)
    assert len(Scores(pd.DataFrame(rows)).models) == len(scores.models)


@pytest.mark.parametrize("kind", KINDS)
def test_groups_of_models_are_no_clusters_of_items(tmp_path, kind):
    rows = models({"gpt": "closed", "claude": "closed", "llama": "open"})
    path = written(tmp_path, rows, kind)
    said, command = refusal(path)
    assert "each model has one 'group' ('closed', 'open'), and the same items stand in several" in said
    assert shlex.split(command)[-2:] == ["--cluster", "none"]
    left = read(path, cluster="none")
    plain = Scores(pd.DataFrame(rows).drop(columns="group"))
    one, other = (sb.compare(scores, "gpt", "llama") for scores in (left, plain))
    assert (one.n_shared, one.low, one.high) == (ITEMS, other.low, other.high)
    with pytest.raises(ScoresError, match="groups of models and no clusters of items: leave the column out"):
        Scores(pd.DataFrame(rows))


@pytest.mark.parametrize("header", ["group", "cluster", "condition", "Treatment Group", "arm", "cohort"])
@pytest.mark.parametrize("names", [ARMS, ("baseline", "cot", "cot_long"), ("Control", "test")])
@pytest.mark.parametrize("kind", KINDS)
def test_names_of_arms_are_asked_about_where_each_has_items_of_its_own(tmp_path, header, names, kind):
    rows = apart(header, names)
    path = written(tmp_path, rows, kind)
    _, command = refusal(path)
    assert shlex.split(command)[-2:] == ["--map", f"model={header}"]
    assert read(path, columns={"model": header}).models == tuple(sorted(names))
    with pytest.raises(ScoresError, match=f"'{header}' is the model"):
        Scores(pd.DataFrame(rows))
    assert len(Scores(pd.DataFrame(rows), model=header).models) == len(names)


@pytest.mark.parametrize("header", ["condition", "cohort", "arm", "patient_group"])
@pytest.mark.parametrize(
    "names", [("diabetes", "asthma"), ("control", "algebra"), ("clean", "noisy"), ("left", "right")]
)
def test_other_conditions_of_items_are_left_alone(tmp_path, header, names):
    rows = apart(header, names)
    assert read(written(tmp_path, rows)).models == ("a",)
    assert len(Scores(pd.DataFrame(rows)).models) == 1


def test_frames_are_asked_as_files_are(tmp_path):
    rows = crossed(model="A")
    with pytest.raises(ScoresError) as caught:
        Scores(pd.DataFrame(rows))
    said = str(caught.value)
    assert said.startswith("each item stands in each 'group' ('control', 'treatment'), and an item belongs to one")
    assert "a part of the model (model=('model', 'group'))" in said
    assert Scores(pd.DataFrame(rows), model=("model", "group")).models == ("A+control", "A+treatment")
    variant = Scores(pd.DataFrame(rows), variant="group").select(variant="control")
    (row,) = sb.estimate(variant)
    assert row.value == 0.5
    assert len(Scores(pd.DataFrame(rows), cluster="group").models) == 1
    assert refusal(written(tmp_path, rows))[0].partition(": ")[2].partition(":")[0] == said.partition(":")[0]


def test_a_wide_table_has_no_further_model(tmp_path):
    rows = [{"item": f"q{k}", "group": arm, "gpt": k % 2, "llama": int(k % 3 > 0)} for arm in ARMS for k in range(20)]
    path = written(tmp_path, rows)
    said, command = refusal(path)
    assert "'group' is the variant (--map variant=group --variant control) or the task (--map task=group)" in said
    assert shlex.split(command)[-2:] == ["--variant", "control"]
    assert read(path, columns={"variant": "group"}, variant="control").models == ("gpt", "llama")


def test_two_files_of_one_arm_each_are_not_said_to_differ_in_spelling(tmp_path):
    paths = []
    for arm in ARMS:
        rows = [row for row in crossed() if row["group"] == arm]
        paths.append(tmp_path / f"{arm}.csv")
        with paths[-1].open("w", newline="") as file:
            writer = csv.DictWriter(file, rows[0])
            writer.writeheader()
            writer.writerows(rows)
    notes = {one.code: str(one) for one in sb.compare(*map(read, paths)).notes}
    assert "near-items" not in notes
    assert "leave clusters out if these are groups of models (--cluster none)" in notes["split-items"]
    assert sb.compare(*(read(path, cluster="none") for path in paths)).n_shared == ITEMS


@pytest.mark.parametrize(("counts", "kind"), [
    ((10, 5, 1, 50, 5), "crossed"),
    ((9, 5, 1, 45, 5), ""),  # not twice as many items as groups
    ((10, 5, 1, 40, 5), "crossed"),
    ((10, 5, 1, 39, 5), ""),
    ((10, 5, 5, 50, 5), "models"),
    ((10, 1, 1, 10, 1), ""),
])  # fmt: skip
def test_how_groups_must_stand_beside_items(counts, kind):
    assert arms.why_no_clusters("group", arms.Crossing(*counts), list("abcde")) == kind
    assert arms.why_no_clusters("cluster", arms.Crossing(*counts), list("abcde")) == kind * (kind == "models")
