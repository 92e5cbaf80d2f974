"""MMLU-Pro: letters that could not be extracted, and what the official script makes of them."""

from __future__ import annotations

import json
import random

import pytest
from tests.readers.logs_by_hand import MMLU_PRO, mmlu_pro_question
from tests.readers.parts_by_hand import cells, part_of

import scorebars as sb
from scorebars.errors import ReadError
from scorebars.readers.read import read


def write(folder, content, name="model_outputs_gpt-4o.json"):
    folder.mkdir(exist_ok=True, parents=True)
    path = folder / name
    path.write_text(json.dumps(content))
    return path


def official(questions):
    """The accuracy as ``save_res`` of evaluate_from_local.py computes it."""
    right = 0
    for question in questions:
        if not question["pred"]:
            random.seed(12345)
            right += random.randint(0, len(question["options"]) - 1) == question["answer_index"]
        else:
            right += question["pred"] == question["answer"]
    return right / len(questions)


def test_no_letter_is_no_score_and_counts_as_wrong(tmp_path):
    path = write(tmp_path, MMLU_PRO)
    assert cells(part_of(path), "item", "status") == [("70", "ok"), ("71", "ok"), ("72", "missing"), ("73", "ok")]
    scores = read(path)
    assert sb.estimate(scores)[0].value == pytest.approx(2 / 4)
    assert sb.estimate(scores.with_options(on_error="drop"))[0].value == pytest.approx(2 / 3)


@pytest.mark.parametrize("answers", ["AAAAAA", "BCDABC", "DDDDCC"])
def test_the_official_accuracy_is_named(tmp_path, answers):
    questions = [mmlu_pro_question(n, "B" if n % 2 else None, answer) for n, answer in enumerate(answers)]
    questions[0]["options"] = [str(n) for n in range(10)]
    said = dict(part_of(write(tmp_path, questions)).mapping)["status"]
    assert said.startswith("pred, null in 3 of 6; ")
    assert said.endswith(f"its accuracy is {official(questions):.4f}")


def test_without_the_options_the_rule_alone_is_named(tmp_path):
    questions = [{k: v for k, v in one.items() if k != "options"} for one in MMLU_PRO]
    assert dict(part_of(write(tmp_path, questions)).mapping)["status"].endswith(
        "draws a letter for each (random.seed(12345))"
    )


def test_the_cluster_is_a_field(tmp_path):
    path = write(tmp_path, MMLU_PRO)
    assert part_of(path, cluster="src").rows["cluster"].tolist() == ["s0", "s0", "s1", "s1"]
    with pytest.raises(ReadError, match="no field 'scr' to take the cluster from; did you mean 'src'"):
        read(path, cluster="scr")


@pytest.mark.parametrize(
    ("folder", "name", "model"),
    [
        ("gpt-4o", "math_result.json", "gpt-4o"),
        ("results/Llama-2-7b-hf/CoT/all", "math.json", "Llama-2-7b-hf"),
        ("x", "model_outputs_claude.json", "claude"),
    ],
)
def test_a_file_named_by_its_category_is_of_the_folders_model(tmp_path, folder, name, model):
    assert read(write(tmp_path / folder, MMLU_PRO, name)).models == (model,)


def test_a_list_with_its_own_scores_is_a_table(tmp_path):
    own = [one | {"correct": True} for one in MMLU_PRO]
    assert read(write(tmp_path, own)).parts[0].reader == "table"


def test_counts_are_skipped_beside_questions_and_refused_alone(tmp_path):
    counts = {"math": {"corr": 2.0, "wrong": 2.0, "acc": 0.5}, "total": {"corr": 2.0, "wrong": 2.0, "acc": 0.5}}
    write(tmp_path / "gpt-4o", MMLU_PRO, "math_result.json")
    path = write(tmp_path / "gpt-4o", counts, "math_summary.json")
    assert len(read(path.parent).parts) == 1
    with pytest.raises(ReadError, match="counts of right and wrong answers, no score of a question"):
        read(path)


def two(key, names=("A", "B")):
    """Questions of two models or settings, the first right in three of four, the second in one."""
    return [
        mmlu_pro_question(n, "B" if (n % 4 > 0) == (place == 0) else "C", "B") | {key: name}
        for place, name in enumerate(names)
        for n in range(12)
    ]


def test_models_that_the_questions_name_are_models(tmp_path):
    scores = read(write(tmp_path, two("model"), "all.json"))
    assert {one.model: one.value for one in sb.estimate(scores)} == {"A": 0.75, "B": 0.25}
    assert dict(scores.parts[0].mapping)["model"] == "model"


def test_a_setting_that_tells_questions_apart_is_asked_about(tmp_path):
    path = write(tmp_path, two("temperature", (0.2, 0.8)), "all.json")
    with pytest.raises(ReadError, match="several records of an item, and 'temperature'") as error:
        read(path)
    query = "SELECT temperature AS model, question_id AS item, CASE WHEN pred = answer THEN 1 ELSE 0 END AS score "
    query += "FROM data"
    assert f"--sql '{query}'" in str(error.value)
    assert {one.model: one.value for one in sb.estimate(read(path, sql=query))} == {"0.2": 0.75, "0.8": 0.25}
