"""MTEB: one main score a subset, runs that are experiments, splits that are not mixed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.readers.real import SHARED, means, read_real, real

from scorebars.errors import ReadError
from scorebars.readers.read import read

WRITTEN = Path(__file__).parents[1] / "fixtures" / "mteb" / "org__mine" / "rev1" / "MyCls.json"


def write(folder, splits, model="org__name", task="Banking77", revision="rev1", version="1.12"):
    path = folder / model / revision / f"{task}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"dataset_revision": "r", "task_name": task, "mteb_version": version, "scores": splits}))
    return path


def test_splits_are_not_mixed(tmp_path):
    path = write(tmp_path, {"train": [{"main_score": 0.9}], "test": [{"main_score": 0.5, "pearson": [0.5, 0.1]}]})
    scores = read(path)
    assert means(scores) == {"org/name": (1, 0.5)}
    assert scores.parts[0].dropped == (("of the split 'train'", 1),)
    [remark] = scores.parts[0].notes
    assert remark.code == "left-out"
    assert "1 main score of the split 'train' left out: the split 'test' counts" in remark.message
    assert means(read(path, split="train")) == {"org/name": (1, 0.9)}
    with pytest.raises(ReadError, match="no split 'tset'; did you mean 'test'"):
        read(path, split="tset")


def test_results_of_no_run_are_said_once_a_model(tmp_path):
    for task in ("A", "B"):
        write(tmp_path, {"test": [{"main_score": 0.5}]}, task=task, revision="external", version=None)
    (said,) = [one.message for one in read(tmp_path).cuts().notes if one.code == "external-results"]
    assert "results of model 'org/name' say no version of MTEB (mteb_version is null, in a folder 'external')" in said
    write(tmp_path / "own", {"test": [{"main_score": 0.5}]})
    assert read(tmp_path / "own").parts[0].notes == ()


def test_without_a_test_split_one_must_be_chosen(tmp_path):
    path = write(tmp_path, {"dev": [{"main_score": 0.9}], "validation": [{"main_score": 0.5}]})
    with pytest.raises(ReadError, match=r"2 splits \('dev', 'validation'\): choose one \(--split dev\)"):
        read(path)
    assert means(read(write(tmp_path, {"dev": [{"main_score": 0.9}]}))) == {"org/name": (1, 0.9)}


def test_experiments_are_runs(tmp_path):
    subset = {"hf_subset": "en", "main_score": 0.6, "scores_per_experiment": [{"main_score": 0.5}, {"main_score": 0.7}]}
    (cut,) = read(write(tmp_path, {"test": [subset]})).cuts().cuts
    assert cut.sample.score.tolist() == [0.5, 0.7]
    old = write(tmp_path, {"test": [subset | {"scores_per_experiment": [{"acc": 1}]}]})  # without main scores
    assert means(read(old)) == {"org/name": (1, 0.6)}


def test_experiments_whose_main_score_is_named_by_its_metric_alone_are_runs():
    """As MTEB 2 writes them: 'accuracy' is the main score, and so is weighted recall."""
    subsets = json.loads(WRITTEN.read_text())["scores"]["test"]
    (cut,) = read(WRITTEN).cuts().cuts
    said = {subset["hf_subset"]: [one["accuracy"] for one in subset["scores_per_experiment"]] for subset in subsets}
    assert cut.sample.score.tolist() == [*said["de"], *said["en"]]
    assert means(read(WRITTEN)) == {"org/mine": (10, pytest.approx((0.726667 + 0.6) / 2, abs=1e-6))}
    assert dict(read(WRITTEN).parts[0].mapping)["score"].endswith("which is 'accuracy' of the experiments")


@pytest.mark.parametrize(
    "experiments",
    [
        [{"acc": 0.5, "f1": 0.6}, {"acc": 0.7, "f1": 0.6}],  # two metrics have the mean 0.6, and are not the same
        [{"acc": 0.5}, {"acc": 0.5}],  # none has it
        [{"acc": 0.5}, {"f1": 0.7}],
        [{"acc": [0.5, 0.1]}, {"acc": 0.7}],
    ],
)
def test_a_main_score_that_no_metric_of_the_experiments_surely_is_stands_for_itself(tmp_path, experiments):
    subset = {"hf_subset": "en", "main_score": 0.6, "scores_per_experiment": experiments}
    assert means(read(write(tmp_path, {"test": [subset]}))) == {"org/name": (1, 0.6)}


def test_the_model_is_the_folder_that_is_named_like_one(tmp_path):
    path = write(tmp_path, {"test": [{"main_score": 0.5}]}, model="plain")
    assert read(path).models == ("rev1",)


class TestReal:
    pytestmark = real

    def test_main_scores_of_the_raw_files(self):
        scores = read_real("mteb")
        assert scores.models == ("BAAI/bge-small-en-v1.5", "intfloat/e5-small-v2")
        assert scores.tasks == ("Banking77Classification", "STSBenchmark", "SciFact")
        for model in scores.models:
            raw = []
            for path in sorted((SHARED / "mteb" / model.replace("/", "__")).glob("*.json")):
                (subset,) = json.loads(path.read_text())["scores"]["test"]
                raw.append(subset["main_score"])
            assert means(scores)[model] == (3, pytest.approx(sum(raw) / 3, abs=1e-12))
