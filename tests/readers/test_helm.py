"""HELM: splits, perturbed copies, what is a score, and what lends."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import numpy as np
import pytest
from tests.readers.logs_by_hand import HELM, HELM_SPEC
from tests.readers.parts_by_hand import cells, part_of

import scorebars as sb
from scorebars.errors import ReadError, ScorebarsError
from scorebars.readers.read import read

SHARED = Path(__file__).parents[3] / "shared" / "data" / "helm"
needs_shared = pytest.mark.skipif(not SHARED.is_dir(), reason="../shared/data is not here")


def write(folder, instances=HELM, spec=HELM_SPEC):
    folder.mkdir(exist_ok=True)
    path = folder / "per_instance_stats.json"
    path.write_text(json.dumps(instances))
    if spec is not None:
        (folder / "run_spec.json").write_text(json.dumps(spec))
    return path


def changed(place, **fields):
    instances = copy.deepcopy(HELM)
    instances[place] |= fields
    return instances


def test_the_test_split_counts_and_the_other_is_said(tmp_path):
    part = part_of(write(tmp_path))
    assert cells(part, "item", "score") == [("id0", 0.0), ("id1", 1.0), ("id3", 1.0)]
    [remark] = part.notes
    assert remark.code == "left-out"
    assert "1 instance of the split 'valid' left out" in remark.message


def test_another_split_on_request(tmp_path):
    part = part_of(write(tmp_path), split="valid")
    assert cells(part, "item", "score") == [("id2", 0.0)]
    [remark] = part.notes
    assert (
        "3 instances of the split 'test' left out: the split 'valid' counts, and HELM averages each" in remark.message
    )


def test_a_split_that_is_not_there_is_an_error_that_lists_those_that_are(tmp_path):
    with pytest.raises(ReadError, match="no split 'vaild'; it has 'test', 'valid'; did you mean 'valid'"):
        read(write(tmp_path), split="vaild")


def test_of_several_splits_without_a_test_none_is_guessed(tmp_path):
    text = json.dumps(HELM).replace('"test"', '"train"')
    with pytest.raises(ReadError, match="'train', 'valid' and none is named test; choose one"):
        read(write(tmp_path, json.loads(text)))


def test_a_count_of_zero_is_missing_and_not_zero(tmp_path):
    instances = copy.deepcopy(HELM)
    instances[0]["stats"][1] |= {"count": 0, "sum": 0}
    del instances[0]["stats"][1]["mean"]
    part = part_of(write(tmp_path, instances))
    assert np.isnan(part.rows["score"][0])
    assert part.rows["status"].tolist() == ["missing", "ok", "ok"]


def test_a_sum_over_several_counts_is_their_mean(tmp_path):
    instances = copy.deepcopy(HELM)
    instances[1]["stats"][1] |= {"count": 4, "sum": 3.0}
    assert cells(part_of(write(tmp_path, instances)), "item", "score")[1] == ("id1", 0.75)


def test_costs_and_counts_are_no_scores(tmp_path):
    scores = read(write(tmp_path))
    assert dict(scores.parts[0].unusable).keys() == {"num_output_tokens"}
    with pytest.raises(ScorebarsError, match="'num_output_tokens' is no score: it is a count, a cost"):
        read(write(tmp_path), metric="num_output_tokens")


def test_perturbed_copies_are_variants_and_not_items(tmp_path):
    kind = {"name": "misspelling", "robustness": True, "fairness": False, "computed_on": "perturbed", "prob": 0.1}
    instances = HELM + changed(1, perturbation=kind)[1:2]
    scores = read(write(tmp_path, instances))
    assert scores.variants == ("misspelling(prob=0.1)", "original")
    assert cells(part_of(write(tmp_path, instances)), "item", "variant")[-1] == ("id1", "misspelling(prob=0.1)")
    with pytest.raises(ScorebarsError, match="variant"):
        sb.estimate(scores)


def test_seeds_of_a_perturbation_are_runs(tmp_path):
    twice = [changed(1, perturbation={"name": "dialect", "seed": seed})[1] for seed in (1, 2)]
    part = part_of(write(tmp_path, HELM + twice))
    assert part.rows["run"].tolist()[-2:] == ["0, seed 1", "0, seed 2"]


def test_train_trials_are_runs(tmp_path):
    part = part_of(write(tmp_path, HELM + changed(1, train_trial_index=1)[1:2]))
    assert part.rows["run"].tolist() == ["0", "0", "0", "1"]


def test_without_a_run_spec_the_folder_names_model_and_task(tmp_path):
    folder = tmp_path / "mmlu:subject=law,model=openai_gpt2,groups=x"
    scores = read(write(folder, spec=None))
    assert scores.models == ("openai_gpt2",)
    assert scores.tasks == ("mmlu:subject=law,groups=x",)
    assert "model-from-path" not in [one.code for one in scores.parts[0].notes]
    notes = read(write(tmp_path / "moved", spec=None)).parts[0].notes
    (said,) = [one.message for one in notes if one.code == "model-from-path"]
    assert said.startswith("model 'moved' is named after its folder, because no run_spec.json beside the file names it")


def test_the_range_is_known_where_every_metric_has_one(tmp_path):
    assert part_of(write(tmp_path)).score_range == (0.0, 1.0)
    instances = copy.deepcopy(HELM)
    for instance in instances:
        instance["stats"].append(instance["stats"][1] | {"name": {"name": "summac", "split": "test"}})
    assert part_of(write(tmp_path, instances)).score_range is None


def test_the_same_statistic_twice_is_refused(tmp_path):
    instances = copy.deepcopy(HELM)
    instances[0]["stats"].append(instances[0]["stats"][1])
    with pytest.raises(ReadError, match="record 1 has the statistic 'exact_match' twice"):
        read(write(tmp_path, instances))


def test_roles_are_fixed(tmp_path):
    with pytest.raises(ReadError, match="cannot be mapped in HELM statistics"):
        read(write(tmp_path), columns={"item": "id"})


@needs_shared
@pytest.mark.shared_data
def test_mmlu_is_one_ninth_over_the_test_split_only():
    folder = SHARED / "mmlu_philosophy_gpt2"
    scores = read(folder, metric="exact_match")
    [published] = [
        stat["mean"]
        for stat in json.loads((folder / "stats.json").read_text())
        if stat["name"] == {"name": "exact_match", "split": "test"}
    ]
    [estimate] = sb.estimate(scores)
    assert estimate.value == pytest.approx(published, abs=1e-12)
    assert (round(estimate.value, 3), estimate.n_items, scores.models) == (0.111, 9, ("openai/gpt2",))


@needs_shared
@pytest.mark.shared_data
@pytest.mark.parametrize(("run", "split"), [("mmlu_philosophy_gpt2", "test"), ("hellaswag_pythia-1b", "valid")])
def test_every_metric_has_helms_own_mean(run, split):
    scores = read(SHARED / run)
    own = {
        stat["name"]["name"]: stat["mean"]
        for stat in json.loads((SHARED / run / "stats.json").read_text())
        if stat["name"].get("split") == split and "perturbation" not in stat["name"] and stat["count"]
    }
    assert len(scores.metrics) == 8
    for metric in scores.metrics:
        [estimate] = sb.estimate(scores.select(metric=metric))
        assert estimate.value == pytest.approx(own[metric], abs=1e-12)


@needs_shared
@pytest.mark.shared_data
@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("stats.json", "HELM's averages over instances"),
        ("scenario.json", "description of a HELM scenario"),
        ("scenario_state.json", "prompts and answers, no scores"),
        ("run_spec.json", "specification of a HELM run"),
    ],
)
def test_the_other_files_are_refused_alone(name, sentence):
    with pytest.raises(ReadError, match=sentence + ".*; read 'per_instance_stats.json' beside it"):
        read(SHARED / "mmlu_philosophy_gpt2" / name)


def test_a_run_whose_scores_are_empty_says_so(tmp_path):
    write(tmp_path)
    (tmp_path / "per_instance_stats.json").write_text(" \n")
    with pytest.raises(ReadError, match=r"'per_instance_stats.json' beside it is empty, so that the run has no scores"):
        read(tmp_path)
