"""Columns that claim a role and of which all rows say that they add nothing are not asked about; others are."""

from __future__ import annotations

import pandas as pd
import pytest

from scorebars import Scores
from scorebars.errors import ReadError, ScoresError
from scorebars.readers import small
from scorebars.readers.read import read

TOPICS = ("dp", "graphs", "greedy")
MAKERS = {"gpt-4o": "OpenAI", "claude": "Anthropic"}
N = 30


def rows(n=N, models=tuple(MAKERS), **more):
    """gpt-4o is right on every second item, the other model on all but each third; more: name -> (model, k) -> cell."""
    return [
        {
            "model": model,
            "question_id": f"q{k:03}",
            "question": f"What is the {k}th thing?",
            **{name: make(model, k) for name, make in more.items()},
            "correct": int(k % 2 == 0 if model == models[0] else k % 3 > 0),
        }
        for model in models
        for k in range(n)
    ]


def topic(_, k):
    return TOPICS[k % 3]


EXPECTED = {"gpt-4o": 15 / 30, "claude": 20 / 30}


def means(scores):
    return {cut.sample.model: float(cut.sample.score.mean()) for cut in scores.cuts().cuts}


@pytest.fixture(params=["small", "large", "frame"])
def taken(request, tmp_path, monkeypatch):
    """Reads rows as a small file, as a large one, or as a frame."""
    if request.param == "large":
        monkeypatch.setattr(small, "largest", lambda _: 0)

    def take(records, **more):
        frame = pd.DataFrame(records)
        if request.param == "frame":
            return Scores(frame, **more)
        frame.to_csv(tmp_path / "a.csv", index=False)
        return read(tmp_path / "a.csv", columns=more)

    return take


ASKED = (ReadError, ScoresError)


@pytest.mark.parametrize("first", ["model", "model_name"])
def test_what_is_the_same_for_each_model_is_not_asked_about(taken, first):
    records = [
        {first if k == "model" else k: v for k, v in row.items()} for row in rows(provider=lambda m, _: MAKERS[m])
    ]
    assert means(taken(records)) == pytest.approx(EXPECTED)


def test_of_a_constant_model_and_an_agent_the_agent_is_the_model(tmp_path):
    pd.DataFrame([{**row, "agent": row["model"], "model": "gpt-5"} for row in rows()]).to_csv(tmp_path / "a.csv")
    assert means(read(tmp_path / "a.csv")) == pytest.approx(EXPECTED)


@pytest.mark.parametrize("blank", ["", " "])
@pytest.mark.parametrize("most", [0, 1 << 20])
def test_an_agent_that_only_some_rows_have_is_asked_about(tmp_path, monkeypatch, blank, most):
    """The rows without one are of the model alone, and not without a name."""
    monkeypatch.setattr(small, "largest", lambda _: most)
    agents = {"gpt-4o": "react", "claude": blank}
    records = [{**row, "agent": agents[row["model"]], "model": "gpt-5"} for row in rows()]
    pd.DataFrame(records).to_csv(tmp_path / "a.csv", index=False)
    with pytest.raises(ReadError, match="'model', 'agent' could each be the model: choose one"):
        read(tmp_path / "a.csv")


def test_an_agent_that_only_some_rows_have_is_a_part_of_the_model(tmp_path):
    agents = {"gpt-4o": "react", "claude": ""}
    records = [{**row, "agent": agents[row["model"]], "model": "gpt-5"} for row in rows()]
    pd.DataFrame(records).to_csv(tmp_path / "a.csv", index=False)
    with pytest.raises(ReadError) as told:
        read(tmp_path / "a.csv")
    (said,) = told.value.__notes__
    assert said.options == {"--map": "model=model+agent"}
    found = means(read(tmp_path / "a.csv", columns={"model": "model+agent"}))
    assert found == pytest.approx({"gpt-5+react": EXPECTED["gpt-4o"], "gpt-5": EXPECTED["claude"]})


def test_agents_of_which_one_model_has_several_are_asked_about(tmp_path):
    agents = {"gpt-4o": "ab", "claude": "cc"}
    records = rows(40, agent=lambda model, k: agents[model][k % 2])
    pd.DataFrame(records).to_csv(tmp_path / "a.csv", index=False)
    with pytest.raises(ReadError, match="'model', 'agent' could each be the model"):
        read(tmp_path / "a.csv")


def test_one_row_of_another_provider_is_enough_to_ask(taken):
    records = rows(40, provider=lambda m, _: MAKERS[m])
    records[-1] = {**records[-1], "provider": "Bedrock"}
    with pytest.raises(ASKED, match="'provider'"):
        taken(records)


def test_it_is_asked_where_another_file_may_have_another_provider(tmp_path):
    for name, maker in {"a": "OpenAI", "b": "Azure"}.items():
        pd.DataFrame(rows(models=("gpt-4o",), provider=lambda *_, maker=maker: maker)).to_csv(
            tmp_path / f"{name}.csv", index=False
        )
    with pytest.raises(ReadError, match="columns 'model', 'provider' could each be the model"):
        read([tmp_path / "a.csv", tmp_path / "b.csv"])


def test_a_constant_task_beside_another_is_not_asked_about(taken):
    scores = taken(rows(dataset=lambda *_: "mmlu", subject=topic))
    assert scores.tasks == TOPICS


def test_two_constant_tasks_are_one(taken):
    assert len(taken(rows(dataset=lambda *_: "mmlu", benchmark=lambda *_: "qa")).tasks) == 1


def test_two_tasks_that_differ_are_asked_about(taken):
    with pytest.raises(ASKED, match="'dataset', 'subject' could each be the task"):
        taken(rows(dataset=lambda _, k: "ab"[k % 2], subject=topic))


HEADERS = ["config", "algorithm", "system", "experiment", "prompt_template"]


@pytest.mark.parametrize("header", HEADERS)
def test_a_category_of_items_under_the_header_of_a_setting_is_not_asked_about(taken, header):
    scores = taken(rows(**{header: topic}))
    assert means(scores) == pytest.approx(EXPECTED)


def again(header):
    """Two settings in which each model has the same items."""
    return [{**row, header: value} for value in ("base", "other") for row in rows()]


def own_ids(header, ids):
    """The same with ids of their own."""
    return [{**row, "question_id": ids(row["question_id"], row[header])} for row in again(header)]


@pytest.mark.parametrize("header", HEADERS)
def test_settings_in_which_items_come_again_are_asked_about(taken, header):
    with pytest.raises(ASKED, match=f"'{header}'"):
        taken(again(header))


@pytest.mark.parametrize("header", HEADERS)
@pytest.mark.parametrize("ids", ["{value}-{item}", "{item}{value}", "{value}"])
def test_so_are_those_whose_items_have_other_ids_and_the_same_question(taken, header, ids):
    def made(item, value):
        return ids.format(item=item, value=value) if "item" in ids else f"q{int(item[1:]) + 100 * (value == 'base'):03}"

    with pytest.raises(ASKED, match=f"'{header}'"):
        taken(own_ids(header, made))


@pytest.mark.parametrize("header", ["config", "algorithm", "experiment"])
def test_without_a_question_it_is_asked_and_the_models_are_not_split(taken, header):
    records = [{k: v for k, v in row.items() if k != "question"} for row in rows(**{header: topic})]
    with pytest.raises(ASKED, match=r"each item stands in one alone: if .* is a category of items, .*model") as caught:
        taken(records)
    for said in getattr(caught.value, "__notes__", ()):
        assert said.splitlines()[-1].endswith("--map model=model")
    assert means(taken(records, model="model")) == pytest.approx(EXPECTED)


@pytest.mark.parametrize("header", ["config", "experiment"])
def test_numbers_that_start_again_in_each_value_are_asked_about(taken, header):
    """The texts differ, but may be the same question in two templates."""
    records = [
        {**row, "question": f"{row['question']} {row[header]}"}
        for row in own_ids(header, lambda item, value: f"{value}-{item}")
    ]
    with pytest.raises(ASKED, match=f"'{header}'"):
        taken(records)


@pytest.mark.parametrize("header", ["config", "algorithm"])
def test_values_of_items_that_one_model_alone_has_are_asked_about(taken, header):
    records = [row for row in rows(**{header: topic}) if row["model"] == "gpt-4o" or row[header] != "dp"]
    with pytest.raises(ASKED, match=f"'{header}'"):
        taken(records)


@pytest.mark.parametrize("header", ["llm", "base_model", "checkpoint", "backbone"])
def test_what_is_a_model_by_its_header_is_asked_about_all_the_same(taken, header):
    with pytest.raises(ASKED, match=f"'{header}'"):
        taken(rows(**{header: topic}))


@pytest.mark.parametrize("header", ["config", "algorithm"])
def test_without_a_model_it_is_asked_too(taken, header):
    records = [{k: v for k, v in row.items() if k != "model"} for row in rows(models=("gpt-4o",), **{header: topic})]
    with pytest.raises(ASKED, match=f"'{header}'"):
        taken(records)


@pytest.mark.parametrize("header", ["config", "algorithm"])
def test_numbers_of_questions_are_no_texts_that_show_that_these_differ(taken, header):
    records = [{**row, "question": row["question_id"]} for row in rows(**{header: topic})]
    with pytest.raises(ASKED, match="each item stands in one alone"):
        taken(records)
