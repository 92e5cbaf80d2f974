"""MT-Bench judgments: the averages of FastChat's show_result.py, -1 and 'error' as no score, turns in clusters."""

from __future__ import annotations

import json

import pytest

from scorebars.errors import ReadError, ScoresError
from scorebars.readers.read import read

GRADES = {
    "a": [(81, 1, 9), (81, 2, 4), (82, 1, -1), (82, 2, 7.5), (83, 1, 10), (83, 2, 1)],
    "b": [(81, 1, 2), (81, 2, 3), (82, 1, 8), (82, 2, -1), (83, 1, 8), (83, 2, 6)],
}


def grade(model, question, turn, score, judge="gpt-4", **more):
    named = [judge, "single-v1" if turn == 1 else "single-v1-multi-turn"]
    said = {"user_prompt": "?", "judgment": f"[[{score}]]", "score": score, "turn": turn, "tstamp": 1.5}
    return {"question_id": question, "model": model, "judge": named, **said, **more}


def pair(question, turn, first, second, sides=("a", "base"), judge="gpt-4"):
    said = {f"{game}_{what}": "…" for game in ("g1", "g2") for what in ("user_prompt", "judgment")}
    return {
        "question_id": question,
        "model_1": sides[0],
        "model_2": sides[1],
        "g1_winner": first,
        "g2_winner": second,
        "judge": [judge, "pair-v2"],
        **said,
        "turn": turn,
        "tstamp": 1.5,
    }


def write(folder, rows, name="gpt-4_single.jsonl"):
    path = folder / name
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def single(folder, **more):
    return write(folder, [grade(model, *one, **more) for model, some in GRADES.items() for one in some])


def means(scores):
    return {cut.sample.model: pytest.approx(cut.sample.score.mean()) for cut in scores.cuts().cuts}


def test_the_average_is_that_of_show_result(tmp_path):
    scores = read(single(tmp_path))
    kept = {model: [score for *_, score in some if score != -1] for model, some in GRADES.items()}
    assert means(scores) == {model: sum(some) / len(some) for model, some in kept.items()}
    assert scores.variants == ("by gpt-4",)


def test_a_turn_is_an_item_and_its_question_the_cluster(tmp_path):
    (cut, _) = read(single(tmp_path)).cuts().cuts
    assert len(set(cut.sample.item.tolist())) == 5
    assert len(set(cut.sample.cluster.tolist())) == 3
    assert cut.sample.range == (1, 10)
    assert read(single(tmp_path), cluster="none").cuts().cuts[0].sample.cluster is None


def test_no_grade_is_no_score_of_minus_one(tmp_path):
    scores = read(single(tmp_path))
    tidy = scores.tidy()
    assert sum(status == "unscored" for status in tidy["status"]) == 2
    assert min(score for score in tidy["score"] if score == score) == 1  # noqa: PLR0124
    wrong = scores.with_options(on_error="wrong").cuts().cuts[0].sample.score
    assert sorted(wrong.tolist()) == [1, 1, 4, 7.5, 9, 10]  # the lowest grade


def test_scores_beyond_the_scale_have_no_known_range(tmp_path):
    path = write(tmp_path, [grade("a", q, 1, score) for q, score in ((1, 0), (2, 7), (3, 100))])
    assert read(path).cuts().cuts[0].sample.range is None


def test_two_judges_are_two_results(tmp_path):
    rows = [grade("a", q, 1, score, judge) for judge, score in (("gpt-4", 9), ("claude-v1", 5)) for q in (1, 2)]
    scores = read(write(tmp_path, rows))
    with pytest.raises(ScoresError, match=r"there are 2 variants: 'by claude-v1' .*, 'by gpt-4'"):
        scores.cuts()
    assert means(scores.select(variant="by gpt-4")) == {"a": 9}


def test_a_judgment_that_was_appended_again_is_a_run_of_its_turn(tmp_path):
    cuts = read(write(tmp_path, [grade("a", 1, 1, 3), grade("a", 1, 1, 4), grade("a", 2, 1, 8)])).cuts()
    assert "repeats-as-runs" in [note.code for note in cuts.notes]
    assert cuts.cuts[0].sample.item.tolist() == [0, 0, 1]


GAMES = [
    (81, 1, "model_1", "model_1"),
    (81, 2, "model_1", "model_2"),
    (82, 1, "tie", "tie"),
    (82, 2, "model_2", "model_2"),
    (83, 1, "tie", "model_1"),
    (83, 2, "error", "model_1"),
    (84, 1, "model_1", "model_1"),
]


def test_a_pair_is_won_by_who_wins_both_games(tmp_path):
    path = write(tmp_path, [pair(*one) for one in GAMES], "gpt-4_pair.jsonl")
    scores = read(path)
    win, loss, tie = 2, 1, 3
    adjusted = (win + 0.5 * tie) / (win + loss + tie)  # show_result.py's win_rate_adjusted
    assert means(scores.select(variant="vs base, by gpt-4")) == {"a": adjusted}
    assert means(scores.select(variant="vs a, by gpt-4")) == {"base": 1 - adjusted}
    assert scores.metrics == ("win_rate",)


def test_pairs_of_single_grades_have_no_turn(tmp_path):
    row = {key: value for key, value in pair(81, 1, "model_2", "model_2").items() if key != "turn"}
    scores = read(write(tmp_path, [row | {"m1_score": 3, "m2_score": 8}], "gpt-4_pair.jsonl"))
    assert means(scores.select(variant="vs base, by gpt-4")) == {"a": 0}


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"g1_winner": "A"}, "line 1: 'g1_winner' is 'A', which is none of model_1, model_2, tie, error"),
        ({"g2_winner": None}, "line 1: 'g2_winner' is null"),
        ({"model_2": "a"}, "line 1: 'a' meets itself"),
        ({"turn": "first"}, "line 1: 'turn'"),
    ],
)
def test_what_is_no_judgment_is_refused(tmp_path, change, sentence):
    path = write(tmp_path, [pair(*GAMES[0]) | change], "gpt-4_pair.jsonl")
    with pytest.raises(ReadError, match=sentence):
        read(path)


def test_the_first_turn_is_a_query(tmp_path):
    scores = read(single(tmp_path), sql="SELECT * FROM data WHERE turn = 1 AND score <> -1")
    first = {model: [s for _, turn, s in some if turn == 1 and s != -1] for model, some in GRADES.items()}
    assert means(scores) == {model: sum(some) / len(some) for model, some in first.items()}


def test_answers_and_questions_beside_it_are_no_scores(tmp_path):
    (tmp_path / "model_judgment").mkdir()
    (tmp_path / "model_answer").mkdir()
    single(tmp_path / "model_judgment")
    answer = {"question_id": 81, "answer_id": "x", "model_id": "a", "choices": [{"index": 0, "turns": ["…", "…"]}]}
    write(tmp_path / "model_answer", [answer | {"tstamp": 1.0}] * 3, "a.jsonl")
    write(tmp_path, [{"question_id": 81, "category": "writing", "turns": ["?", "?"]}] * 3, "question.jsonl")
    assert read(tmp_path).models == ("a", "b")
