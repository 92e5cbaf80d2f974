"""Models under headers that are no known ones, of which no item has two: asked about, or named in a note."""

from __future__ import annotations

import random
import shlex

import pandas as pd
import pytest
from tests.readers.tables_by_hand import KINDS, refusal, written

import scorebars as sb
from scorebars import Scores
from scorebars.cli.main import main
from scorebars.errors import ScoresError
from scorebars.readers.read import read

METHODS = ["method", "Method Name", "classifier", "approach", "policy", "retriever", "detector", "engine", "pipeline"]


def pooled(header, words=("new", "old"), **ids):
    """Ten rows of each word; those of the first are right, all others wrong, and no id stands beside two words."""
    return [
        {header: word, **dict.fromkeys(ids, f"{word[0]}{k}"), "score": int(place == 0)}
        for place, word in enumerate(words)
        for k in range(10)
    ]


def codes(scores):
    return [one.code for one in scores.cuts().notes]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("ids", [{}, {"id": 1}])
@pytest.mark.parametrize("header", METHODS)
def test_a_header_that_names_models_is_asked_about(tmp_path, capsys, kind, ids, header):
    rows = pooled(header, **ids)
    path = written(tmp_path, rows, kind)
    said, command = refusal(path)
    assert f"no column is the model, and rows have several '{header}' ('new', 'old'), which would be pooled" in said
    assert shlex.split(command)[-2:] == ["--map", f"model={header}"]
    assert main(shlex.split(command)[1:]) == 0, capsys.readouterr().err
    found = sb.estimate(read(path, columns={"model": header}))
    assert {row.model: row.value for row in found} == {"new": 1.0, "old": 0.0}
    with pytest.raises(ScoresError, match=f"rows have several '{header}' .*the model [(]model='{header}'[)]"):
        Scores(pd.DataFrame(rows))
    assert read(path, columns={"file": "{model}"}).models == ("a",)


@pytest.mark.parametrize("ids", [{}, {"id": 1}])
@pytest.mark.parametrize("header", ["version", "tool", "player", "arm", "condition"])
def test_other_words_are_named_in_a_note(tmp_path, header, ids):
    path = written(tmp_path, pooled(header, **ids))
    (said,) = [one.message for one in read(path).cuts().notes if one.code == "pooled-values"]
    assert said == (
        f"rows of 2 '{header}' ('new', 'old') are taken as items of one model; if each is a model: --map model={header}"
    )
    assert read(path, columns={"model": header}).models == ("new", "old")


@pytest.mark.parametrize("rows", [
    pooled("category", id=1), pooled("difficulty"), pooled("status", id=1), pooled("answer", "AB"),
    pooled("gold", "AB"), pooled("annotator", id=1), pooled("method", ["5", "7"], id=1), pooled("version", ["one"]),
    [{"id": k, "name": f"case {k}", "score": k % 2} for k in range(20)],
    [{"model": f"m{k % 2}", "id": k // 2, "tool": "xy"[k % 4 // 2], "score": k % 2} for k in range(20)],
])  # fmt: skip
def test_what_belongs_to_items_is_read_without_a_word(tmp_path, rows):
    assert "pooled-values" not in codes(read(written(tmp_path, rows)))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("header", ["classifier", "thing"])
@pytest.mark.parametrize("share", [0.9, 0.8, 0.6])
def test_models_that_lack_some_of_the_items_are_told_with_the_items(tmp_path, kind, header, share):
    """Each model has its own part of the samples: some stand beside one model alone, and no pair is there twice."""
    draw = random.Random(5)
    rows = [
        {header: word, "sample": k, "fold": k % 3, "correct": int(draw.random() < 0.7)}
        for word in ("logreg", "nb", "tree") for k in range(150) if draw.random() < share
    ]  # fmt: skip
    said, command = refusal(written(tmp_path, rows, kind))
    assert f"each 'sample' stands beside each '{header}', as items do beside models" in said
    assert shlex.split(command)[-2:] == ["--map", f"model={header},item=sample"]


def test_topics_whose_questions_are_numbered_anew_are_not(tmp_path):
    rows = [
        {"topic": topic, "number": k, "score": k % 2}
        for topic, n in (("law", 30), ("math", 11), ("bio", 52)) for k in range(n)
    ]  # fmt: skip
    assert sb.estimate(read(written(tmp_path, rows)))[0].n_items == 93


@pytest.mark.parametrize("header", ["llm", "method", "foo"])
def test_that_tells_repeats_apart_is_the_model_first(tmp_path, header):
    draw = random.Random(1)
    rows = [
        {header: word, "item": k, "correct": k % 2}
        for word in ("a", "b", "c") for k in range(40) if draw.random() < 0.7
    ]  # fmt: skip
    said, command = refusal(written(tmp_path, rows))
    assert f"it is the model (--map model={header}), the variant" in said
    assert shlex.split(command)[-2:] == ["--map", f"model={header}"]


def test_folds_are_no_model_and_one_item_with_their_seed(tmp_path):
    rows = [
        {"seed": seed, "fold": fold, "logreg": 0.9 + fold / 100, "nb": 0.8 + seed / 100, "tree": 0.5}
        for seed in range(3) for fold in range(4)
    ]  # fmt: skip
    said, command = refusal(written(tmp_path, rows))
    assert "fold+" not in said
    assert shlex.split(command)[-2:] == ["--map", "model=logreg+nb+tree,item=seed+fold"]
    found = sb.estimate(read(tmp_path / "a.csv", columns={"model": "logreg+nb+tree", "item": "seed+fold"}))
    assert [(row.n_items, row.value) for row in found] == [
        (12, pytest.approx(0.915)), (12, pytest.approx(0.81)), (12, pytest.approx(0.5)),
    ]  # fmt: skip


def test_a_frame_without_items_is_not_cut_to_one_row_a_run():
    rows = [
        {"classifier": word, "seed": 0, "fold": k % 3, "sample": k, "correct": int(k % 4 > 0)}
        for word in ("nb", "tree") for k in range(30)
    ]  # fmt: skip
    with pytest.raises(ScoresError, match=r"no column is known as the item: name it \(item='COLUMN'\)") as caught:
        sb.estimate(Scores(pd.DataFrame(rows), model="classifier"))
    assert "duplicates" not in str(caught.value)
    assert Scores(pd.DataFrame(rows), model="classifier", item="sample").models == ("nb", "tree")


def test_many_samples_of_a_frame_are_no_runs():
    rows = [{"classifier": word, "sample": k, "correct": k % 2} for word in ("nb", "tree") for k in range(30)]
    with pytest.raises(ScoresError, match="'classifier'") as caught:
        Scores(pd.DataFrame(rows))
    assert "run='sample'" not in str(caught.value)


def test_columns_of_two_levels_are_refused_with_a_way_that_works():
    rows = pd.DataFrame({"item": [1, 2, 1, 2], "model": list("aabb"), "score": [0, 1, 1, 1], "cost": [1, 2, 3, 4]})
    frame = rows.pivot_table(index="item", columns="model", values=["score", "cost"], sort=False)
    with pytest.raises(
        ScoresError, match=r"names of 2 levels, such as \('(score|cost)', 'a'\).*frame\['(score|cost)'\]"
    ):
        Scores(frame)
    with pytest.raises(ScoresError, match="may be models, an item a row"):
        Scores(frame["score"])
    frame.columns = ["/".join(map(str, name)) for name in frame.columns]
    assert Scores(frame.reset_index(), score="score/a", item="item").models
