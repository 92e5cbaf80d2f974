"""One row a fold: models are paired by its number, in files and in frames."""

from __future__ import annotations

import pandas as pd
import pytest

import scorebars as sb
from scorebars.readers.read import read

LEVEL = [0.72, 0.75, 0.78, 0.81, 0.84, 0.87, 0.9, 0.65]
AHEAD = [0.02, 0.01, 0.03, 0.02, 0.0, 0.02, 0.015, 0.025]


def rows(header, order_of_b=range(8), *, without=((), ()), extra=None):
    """B's accuracies of eight folds are known, and A is ahead of it by a little on each."""
    of_model = {"A": (range(8), without[0]), "B": (order_of_b, without[1])}
    return [
        {"model": model, header: fold, **(extra or {}), "accuracy": LEVEL[fold] + (model == "A") * AHEAD[fold]}
        for model, (order, left_out) in of_model.items() for fold in order if fold not in left_out
    ]  # fmt: skip


def as_read(table, kind, folder):
    frame = pd.DataFrame(table)
    if kind == "frame":
        return sb.Scores(frame)
    frame.to_csv(folder / "folds.csv", index=False)
    return read(folder / "folds.csv")


@pytest.mark.parametrize("kind", ["file", "frame"])
@pytest.mark.parametrize("header", ["fold", "Fold", "split", "kfold", "cv_fold", "partition"])
def test_folds_are_paired_by_their_numbers(tmp_path, header, kind):
    """Each lacks another fold, and they stand in two orders: the mean of the six differences is known."""
    scores = as_read(rows(header, [3, 1, 0, 2, 7, 6, 5, 4], without=((0,), (7,))), kind, tmp_path)
    found = sb.compare(scores, "A", "B")
    assert found.n_shared == 6
    assert found.answer.value == pytest.approx(sum(AHEAD[1:7]) / 6, abs=1e-12)
    said = {note.code for one in sb.estimate(scores) for note in one.answer.notes} | {
        note.code for note in found.answer.notes
    }
    assert not said & {"rows-as-items", "pooled-splits"}


@pytest.mark.parametrize("kind", ["file", "frame"])
def test_so_are_those_of_several_seeds(tmp_path, kind):
    table = [row for seed in range(3) for row in rows("fold", without=((seed,), ()), extra={"seed": seed})]
    scores = as_read(table, kind, tmp_path)
    assert [one.answer.n_items for one in sb.estimate(scores)] == [8, 8]
    found = sb.compare(scores, "A", "B")
    assert found.n_shared == 8
    assert found.answer.value == pytest.approx(sum(AHEAD) / 8, abs=1e-12)


def test_so_are_those_of_two_files_and_of_wide_tables(tmp_path):
    frame = pd.DataFrame(rows("fold", [3, 1, 0, 2, 7, 6, 5, 4]))
    for model, own in frame.groupby("model"):
        own.drop(columns="model").to_csv(tmp_path / f"{model}.csv", index=False)
    found = sb.compare(read(tmp_path / "A.csv"), read(tmp_path / "B.csv"))
    assert found.answer.value == pytest.approx(sum(AHEAD) / 8, abs=1e-12)
    for number, order in enumerate(([0, 1, 2, 3, 4, 5, 6, 7], [3, 1, 0, 2, 7, 6, 5, 4])):
        wide = frame.pivot_table(index="fold", columns="model", values="accuracy").loc[order]
        wide.columns = [f"{model}{number}" for model in wide]
        wide.to_csv(tmp_path / f"wide{number}.csv")
    scores = read([tmp_path / "wide0.csv", tmp_path / "wide1.csv"])
    assert sb.compare(scores, "A0", "B1").answer.value == pytest.approx(sum(AHEAD) / 8, abs=1e-12)


@pytest.mark.parametrize("kind", ["file", "frame"])
def test_several_rows_a_fold_are_items_as_before(tmp_path, kind):
    table = [row for _ in range(2) for row in rows("fold")]
    assert [one.answer.n_items for one in sb.estimate(as_read(table, kind, tmp_path))] == [16, 16]


def test_train_and_test_of_each_fold_are_told_apart_by_the_split(tmp_path):
    """The note names the split, and with one chosen the folds are the items."""
    table = [row for split in ("train", "test") for row in rows("fold", without=((0,), ()), extra={"split": split})]
    pd.DataFrame(table).to_csv(tmp_path / "a.csv", index=False)
    (said,) = [note for note in read(tmp_path / "a.csv").parts[0].notes if note.code == "pooled-splits"]
    assert "--split test" in said.message
    assert sb.compare(read(tmp_path / "a.csv", split="test"), "A", "B").n_shared == 7


def test_one_row_a_split_is_paired_by_its_name_and_still_noted(tmp_path):
    table = [
        {"model": model, "split": split, "accuracy": score}
        for model, splits in (("A", {"train": 0.9, "test": 0.7}), ("B", {"test": 0.6, "train": 0.8}))
        for split, score in splits.items()
    ]
    pd.DataFrame(table).to_csv(tmp_path / "a.csv", index=False)
    scores = read(tmp_path / "a.csv")
    assert "pooled-splits" in {note.code for part in scores.parts for note in part.notes}
    assert sb.compare(scores, "A", "B").answer.value == pytest.approx(0.1, abs=1e-12)
