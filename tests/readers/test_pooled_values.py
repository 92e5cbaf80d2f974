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
@pytest.mark.parametrize("header", ["version", "tool", "player", "arm", "treatment"])
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
