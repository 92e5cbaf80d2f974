"""Models one level down in JSON records are asked for, never pooled; what names one model only is left alone."""

from __future__ import annotations

import json

import pytest

import scorebars as sb
from scorebars.errors import ReadError
from scorebars.readers.read import read


def records(models=("gpt", "llama"), n=6):
    return [
        {"id": f"q{i}", "score": float(place == i % 2), "metadata": {"model": model, "source": "x"}, "note": "{"}
        for place, model in enumerate(models)
        for i in range(n)
    ]


@pytest.fixture(params=["lines", "array", "large"])
def write(tmp_path, request, monkeypatch):
    if request.param == "large":
        monkeypatch.setattr("scorebars.readers.small.LARGEST_TOGETHER", 0)
        monkeypatch.setattr("scorebars.readers.small.LARGEST", 0)
        monkeypatch.setattr("scorebars.readers.json_table.SAMPLED_FROM", 0)

    def made(rows):
        path = tmp_path / ("a.json" if request.param == "array" else "a.jsonl")
        path.write_text(json.dumps(rows) if request.param == "array" else "".join(json.dumps(r) + "\n" for r in rows))
        return path

    return made


def test_several_models_are_asked_for_and_the_answer_works(write):
    path = write(records())
    with pytest.raises(ReadError, match=r"'metadata\.model' holds several \('gpt', 'llama'\)") as refused:
        read(path)
    assert "--map model=metadata.model" in "\n".join([str(refused.value), *refused.value.__notes__])
    found = sb.estimate(read(path, columns={"model": "metadata.model"}))
    assert {one.model: one.value for one in found} == {"gpt": 0.5, "llama": 0.5}
    assert all(one.n_items == 6 for one in found)


def test_one_model_is_left_alone(write):
    assert read(write(records(models=("gpt",)))).models == ("a",)


def test_a_column_that_is_the_model_goes_before(write):
    named = [row | {"model": row["metadata"].pop("model")} for row in records()]
    rows = [row | {"judge": {"model": f"j{place % 2}"}} for place, row in enumerate(named)]
    assert read(write(rows)).models == ("gpt", "llama")


def test_who_judged_can_be_said(write):
    rows = [{"id": f"q{i}", "score": float(j), "judge": {"model": f"judge-{j}"}} for i in range(5) for j in range(2)]
    scores = read(write(rows), columns={"variant": "judge.model"})
    assert scores.models == ("a",)
    assert set(scores.variants) == {"judge-0", "judge-1"}


def test_scores_beside_what_was_measured(write):
    """Braintrust's export: scores, which are metrics whatever their names, and 'metrics' of tokens and seconds."""
    rows = [
        one | {"scores": {"Factuality": 0.25, "ExactMatch": one.pop("score")}, "metrics": {"tokens": 12, "start": 1e9}}
        for one in records()
    ]
    path = write(rows)
    with pytest.raises(ReadError, match=r"'metadata\.model' holds several"):
        read(path)
    scores = read(path, columns={"model": "metadata.model"})
    assert scores.metrics == ("ExactMatch", "Factuality")
    found = sb.estimate(scores.select(metric="ExactMatch"))
    assert [one.value for one in found] == [0.5, 0.5]


def test_what_is_asked_after_the_model_is_asked_with_it(write):
    path = write([one | {"judge": {"score": 1}, "human": {"score": one.pop("score")}} for one in records()])
    sentence = r"'metadata\.model' holds several .*; if so, 'judge\.score', 'human\.score' could"
    with pytest.raises(ReadError, match=sentence) as refused:
        read(path)
    (said,) = refused.value.__notes__
    assert said.options == {"--map": "model=metadata.model,score=judge.score"}
    assert read(path, columns={"model": "metadata.model", "score": "human.score"}).models == ("gpt", "llama")


def test_the_second_choice_is_not_asked_for_where_the_first_was_made(write):
    path = write([one | {"judge": {"score": 1}, "human": {"score": one.pop("score")}} for one in records()])
    with pytest.raises(ReadError, match="could each be the score") as refused:
        read(path, columns={"model": "metadata.model"})
    assert "if so" not in str(refused.value)
    assert refused.value.__notes__[0].options == {"--map": "model=metadata.model,score=judge.score"}


def test_the_item_is_what_the_models_share_and_no_id_of_an_answer(write):
    rows = [
        {
            "request": {"model": model, "messages": [{"role": "user", "content": f"Q{i}"}]},
            "response": {"id": f"chatcmpl-{model}-{i}"},
            "is_correct": (i + place) % 2 == 0,
        }
        for place, model in enumerate(("gpt", "llama"))
        for i in range(6)
    ]
    with pytest.raises(ReadError) as refused:
        read(path := write(rows))
    assert "--map model=request.model,item=request.messages" in refused.value.__notes__[0]
    scores = read(path, columns={"model": "request.model", "item": "request.messages"})
    assert sb.compare(scores).n_shared == 6
    shared_id = [row | {"response": {"id": f"r{i % 6}"}} for i, row in enumerate(rows)]
    with pytest.raises(ReadError) as refused:
        read(write(shared_id))
    assert "item=response.id" in refused.value.__notes__[0]
