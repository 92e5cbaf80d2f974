"""simple-evals: samples where an eval records them, averages else."""

from __future__ import annotations

import copy
import json

import pytest
from tests.readers.logs_by_hand import SIMPLE_EVALS
from tests.readers.parts_by_hand import cells, part_of

import scorebars as sb
from scorebars.errors import ReadError
from scorebars.readers.read import read

NAME = "healthbench_hard_gpt-4.1_20250507_061412_allresults.json"


def write(folder, content=SIMPLE_EVALS, name=NAME):
    path = folder / name
    path.write_text(json.dumps(content))
    return path


def examples(*listed):
    content = copy.deepcopy(SIMPLE_EVALS)
    content["metadata"]["example_level_metadata"] = list(listed)
    return content


def test_the_name_gives_eval_model_and_date(tmp_path):
    part = part_of(write(tmp_path))
    assert set(cells(part, "task", "model")) == {("healthbench_hard", "gpt-4.1")}
    assert part.created == "2025-05-07T06:14:12"
    assert read(write(tmp_path, name="gpqa_o1-mini_allresults.json")).tasks == ("gpqa",)


def test_the_mean_is_the_score_and_may_be_negative_for_a_sample(tmp_path):
    scores = read(write(tmp_path))
    assert sb.estimate(scores)[0].value == pytest.approx(SIMPLE_EVALS["score"])
    assert scores.parts[0].score_range is None


def test_repeats_of_a_prompt_are_runs(tmp_path):
    listed = [{"score": score, "prompt_id": "p"} for score in (0.5, 0.7)]
    assert cells(part_of(write(tmp_path, examples(*listed))), "item", "run") == [("p", "1"), ("p", "2")]


def test_a_sample_of_which_nothing_was_recorded_is_missing(tmp_path):
    part = part_of(write(tmp_path, examples({"score": 1.0, "prompt_id": "p"}, None)))
    assert cells(part, "item", "status") == [("p", "ok"), ("2", "missing")]


@pytest.mark.parametrize(
    ("content", "name", "sentence"),
    [
        (examples(None, None), NAME, "this eval fills no 'example_level_metadata'"),
        (SIMPLE_EVALS | {"metadata": None}, NAME, "this eval fills no 'example_level_metadata'"),
        (examples({"prompt_id": "p"}), NAME, "example 1 has no 'score'"),
        ({"score": 0.5, "score:std": 0.5, "chars": 9}, "mmlu_o1.json", "averages of a simple-evals run"),
    ],
)
def test_what_holds_no_sample_says_why(tmp_path, content, name, sentence):
    with pytest.raises(ReadError, match=sentence):
        read(write(tmp_path, content, name))


def test_several_models_in_one_file_are_refused(tmp_path):
    listed = [{"score": 0.5, "prompt_id": "p", "model": name} for name in "AB"]
    with pytest.raises(ReadError, match=r"names several models \('A', 'B'\)"):
        read(write(tmp_path, examples(*listed)))
