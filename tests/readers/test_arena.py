"""Battles: a row for each side, the opponent as the variant; Arena-Hard's two games."""

from __future__ import annotations

import csv
import json
import shlex

import numpy as np
import pytest
from tests.readers.real import means

from scorebars.analysis.compare import compare
from scorebars.errors import ReadError, Remedy, ScoresError
from scorebars.readers import arena
from scorebars.readers.read import read

BATTLES = [
    {"question_id": 1, "model_a": "A", "model_b": "B", "winner": "model_a", "judge": "u1"},
    {"question_id": 2, "model_a": "B", "model_b": "A", "winner": "model_a", "judge": "u1"},
    {"question_id": 3, "model_a": "A", "model_b": "C", "winner": "tie (bothbad)", "judge": "u2"},
    {"question_id": 4, "model_a": "A", "model_b": "B", "winner": "tie", "judge": "u3"},
    {"question_id": 5, "model_a": "A", "model_b": "B", "winner": None, "judge": "u3"},
]


def write(folder, battles=BATTLES, name="battles.json"):
    path = folder / name
    path.write_text(json.dumps(battles))
    return path


def test_each_battle_is_an_attempt_of_both_sides(tmp_path):
    scores = read(write(tmp_path))
    assert scores.variants == ("vs A", "vs B", "vs C")
    assert means(scores.select(variant="vs A")) == {"B": (3, 0.5), "C": (1, 0.5)}
    assert means(scores.select(variant="vs B")) == {"A": (3, 0.5)}
    with pytest.raises(ScoresError, match="vs A"):  # a baseline must be chosen
        scores.cuts()


def test_battles_of_two_models_alone_are_estimated(tmp_path):
    scores = read(write(tmp_path, [one for one in BATTLES if "C" not in one.values()]))
    with pytest.raises(
        ScoresError, match=r"no two models can be compared here; `estimate` .*50 %.*\(estimate --by variant\)"
    ):
        scores.cuts()
    with pytest.raises(ScoresError, match=r"'A' has no scored attempt of variant 'vs A'.* of 'B'.*--variant 'vs A'"):
        compare(scores.select(variant="vs A"), "A", "B")
    with pytest.raises(ScoresError, match=r"'vs C' \(2 rows\); choose one"):
        read(write(tmp_path, [*BATTLES[:4], {**BATTLES[2], "model_a": "B"}])).cuts()


def test_judges_are_clusters_on_request(tmp_path):
    (cut,) = read(write(tmp_path), cluster="judge", variant="vs B").cuts().cuts
    assert len(set(cut.sample.cluster.tolist())) == 2  # the battle of u3 with a score, and u1's two


def test_without_ids_battles_are_numbered(tmp_path):
    path = write(tmp_path, [{key: one[key] for key in ("model_a", "model_b", "winner")} for one in BATTLES])
    assert list(read(path)._state.rows.counts("item")) == ["1", "2", "3", "4", "5"]


@pytest.mark.parametrize("first", [{"question_id": None}, {}])
def test_battles_of_which_some_have_no_id_are_refused(tmp_path, first):
    without = {key: value for key, value in BATTLES[1].items() if key != "question_id"} | first
    with pytest.raises(ReadError, match="record 2: its 'question_id' is null or missing, and the battles before it"):
        read(write(tmp_path, [BATTLES[0], without]))
    with pytest.raises(ReadError, match="record 2 has a 'question_id', and the first battle has none"):
        read(write(tmp_path, [without, BATTLES[0]]))


def test_judges_that_are_not_used_are_said_until_they_are(tmp_path):
    path = write(tmp_path)
    (said,) = read(path).parts[0].notes
    assert said.message.startswith("the battles have 3 different values of 'judge', which is not used")
    assert said.message.endswith("--cluster judge (--cluster none if they are unrelated)")
    for cluster in ("judge", "none"):
        assert read(path, cluster=cluster).parts[0].notes == ()
    for change in ({"judge": "u"}, {"judge": None}):  # one judge, or one who is not known: no clusters
        assert read(write(tmp_path, [BATTLES[0], BATTLES[1] | change])).parts[0].notes == ()
    users = [{key: one[key] for key in ("model_a", "model_b", "winner")} | {"user_id": "u"} for one in BATTLES]
    users[0]["user_id"] = 7
    (said,) = read(write(tmp_path, users)).parts[0].notes
    assert "2 different values of 'user_id'" in said.message


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"winner": "X"}, "record 1: the winner 'X' is none of model_a, model_b, A, B, tie"),
        ({"model_b": "A"}, "'A' meets itself"),
        ({"model_a": None}, "'model_a' is null"),
        ({"winner": 1}, "the winner '1' is none of"),
    ],
)
def test_what_is_no_battle_is_refused(tmp_path, change, sentence):
    with pytest.raises(ReadError, match=sentence):
        read(write(tmp_path, [BATTLES[0] | change]))


HEADERS = ("question_id", "model_a", "model_b", "winner", "judge")


def table(folder, name="battles.csv", *, battles=BATTLES, headers=HEADERS, delimiter=","):
    path = folder / name
    cells = [[str("" if one[key] is None else one[key]) for key in HEADERS] for one in battles]
    path.write_text("".join(delimiter.join(row) + "\n" for row in (headers, *cells)))
    return path


@pytest.mark.parametrize(
    ("name", "headers", "delimiter"),
    [
        ("battles.csv", HEADERS, ","),
        ("battles.tsv", HEADERS, "\t"),
        ("battles.csv", ("prompt", "model_1", "model_2", "preferred", "judge"), ";"),
        ("battles.csv", ("id", "model_left", "model_right", "vote", "user_id"), ","),
    ],
)
def test_tables_of_battles_are_read_like_json(tmp_path, name, headers, delimiter):
    sides = dict(zip(("model_a", "model_b"), headers[1:3], strict=True))
    battles = [one | {"winner": sides.get(one["winner"], one["winner"])} for one in BATTLES]
    scores = read(table(tmp_path, name, battles=battles, headers=headers, delimiter=delimiter))
    expected = read(write(tmp_path))
    assert scores.variants == expected.variants
    for variant in expected.variants:
        assert means(scores.select(variant=variant)) == means(expected.select(variant=variant))
    assert list(scores._state.rows.counts("item")) == list(expected._state.rows.counts("item"))
    (cut,) = read(tmp_path / name, cluster=headers[4], variant="vs B").cuts().cuts
    assert len(set(cut.sample.cluster.tolist())) == 2


def parquet(path, battles):
    polars = pytest.importorskip("polars")
    polars.DataFrame(battles, infer_schema_length=None).write_parquet(path)
    return path


def test_parquet_of_battles(tmp_path):
    path = parquet(tmp_path / "b.parquet", BATTLES)
    assert means(read(path, variant="vs A")) == {"B": (3, 0.5), "C": (1, 0.5)}


@pytest.mark.parametrize("size", ["", "--large"])
def test_large_parquet_of_battles_is_known_by_its_footer(tmp_path, monkeypatch, size):
    monkeypatch.setattr(arena, "LARGE", 0 if size else 1 << 30)
    n = 30000
    text = [f"{i * 7919 % 100003}" * 9 for i in range(n)]
    winners = ["model_a", "model_b", "tie", None, "model_b"]
    battles = [
        {"text": text[i], "id": f"q{i}", "model_a": "A", "model_b": "BC"[i % 2], "winner": winners[i % 5]}
        for i in range(n)
    ]
    path = parquet(tmp_path / "b.parquet", battles)
    assert path.stat().st_size > 100_000
    found = means(read(path, variant="vs A"))
    assert found == {name: (n // 2 * 4 // 5, pytest.approx(2.5 / 4)) for name in "BC"}


TABLES = [
    BATTLES,
    [one | {"winner": one.get(one["winner"] or "", one["winner"])} for one in BATTLES],  # the model's name
    [one | {"winner": {"model_a": " A ", "tie": "TIE"}.get(one["winner"])} for one in BATTLES],
    [one | {"winner": {"model_a": "b", "tie": "a"}.get(one["winner"])} for one in BATTLES[:3]],
    [
        {"model_a": "model_b", "model_b": "tie", "winner": w}
        for w in ("model_b", "tie", "model_a", "both", "a", "B", "", "draw")
    ],
    [{"model_a": "a", "model_b": "X", "winner": w, "prompt": w} for w in ("a", "x", "X", "tie", "b", "model_a")],
    [{"model_a": "X", "model_b": "Y", "winner": w, "user_id": w} for w in ("A", "b", "a", "\ttie\n", " ", None)],
    [
        {"model_a": "X", "model_b": "Y"} | dict(zip(arena.ONE_HOT, marks, strict=True))
        for marks in ((1, 0, 0), (0, 1, 0), (0, 0, 1), (None, None, None), (1, None, None))
    ],
    [{"model_a": None, "model_b": None, "winner": None}, {"model_a": "X", "model_b": "Y", "winner": "X"}] * 2,
    # refused
    [*BATTLES, {**BATTLES[0], "winner": "nobody"}],
    [*BATTLES, {**BATTLES[0], "model_b": "A"}],
    [*BATTLES, {**BATTLES[0], "model_b": None}],
    [*BATTLES, {**BATTLES[0], "question_id": None}],
    [{**BATTLES[0], "question_id": None}, *BATTLES],
    [*BATTLES, {**BATTLES[0], "judge": None}],
    [{"model_a": "X", "model_b": "Y", "winner_model_a": a, "winner_model_b": 1, "winner_tie": 0} for a in (0, 1)],
    [{"model_a": "X", "model_b": "Y", "winner_model_a": a, "winner_model_b": 1, "winner_tie": 0} for a in (0, 2)],
]


SCORED = [
    {"question_id": f"q{n}", "model_a": a, "model_b": b, "score_a": x, "score_b": y, "judge": f"j{n % 2}"}
    for n, (a, b, x, y) in enumerate([("A", "B", 0.25, 1), ("B", "A", " 0.5", "True"), ("A", "B", None, "nan"),
                                      ("B", "A", "1e-1", ".5")])
]  # fmt: skip
TABLES += [
    SCORED,
    [*SCORED, {**SCORED[0], "question_id": "q4", "model_b": "C", "score_b": "+1."}],
    [*SCORED, {**SCORED[0], "question_id": "q4", "score_b": 7.5}],
    [{key: value for key, value in one.items() if key != "question_id"} | {"judge": None} for one in SCORED],
    [{**one, "score_a": None, "score_b": None} for one in SCORED],
    [{"model_1": "A", "model_2": "B", "grade_1": n, "grade_2": 9 - n, "prompt": f"p{n}"} for n in range(3)],
    # refused
    [*SCORED, {**SCORED[0], "question_id": "q4", "score_b": "good"}],
    [*SCORED, {**SCORED[0], "question_id": "q4", "score_b": "1e999"}],
    [*SCORED, {**SCORED[0], "question_id": "q4", "score_b": "-inf"}],
    [*SCORED, {**SCORED[0], "question_id": "q4", "model_b": "A"}],
    [*SCORED, {**SCORED[0], "question_id": None}],
    [*SCORED, {**SCORED[0], "question_id": "q4", "model_a": None}],
    # a number to Python and none to the database
    [*SCORED, {**SCORED[0], "question_id": "q4", "score_b": "1_0"}],
]


def outcome(path, **asked):
    """All rows, the mapping and the notes of a file; or what is said of it."""
    try:
        scores = read(path, **asked)
        parts = scores._state.view.parts
        return scores.tidy(), [(part.mapping, part.score_range, list(map(str, part.notes))) for part in parts]
    except (ReadError, ScoresError) as error:
        return str(error)


def test_scores_of_a_large_table_are_not_read_row_by_row(tmp_path, monkeypatch):
    path = parquet(tmp_path / "b.parquet", [{key: str(value) for key, value in one.items()} for one in SCORED[:2]])
    monkeypatch.setattr(arena, "LARGE", 0)
    monkeypatch.setattr(arena, "_battles", None)
    assert means(read(path)) == {"A": (2, 0.625), "B": (2, 0.75)}


@pytest.mark.parametrize("kind", ["csv", "parquet"])
@pytest.mark.parametrize("cluster", [None, "judge"])
@pytest.mark.parametrize("battles", TABLES)
def test_a_large_table_gives_what_a_small_one_does(tmp_path, monkeypatch, kind, cluster, battles):
    path = tmp_path / f"b.{kind}"
    if kind == "csv":
        with path.open("w", newline="") as stream:
            writer = csv.DictWriter(stream, battles[0])
            writer.writeheader()
            writer.writerows(battles)
    else:
        parquet(path, battles)
    expected = outcome(path, cluster=cluster)
    monkeypatch.setattr(arena, "LARGE", 0)
    found = outcome(path, cluster=cluster)
    if isinstance(expected, str):
        assert found == expected
    else:
        for key, values in expected[0].items():
            assert np.array_equal(np.asarray(found[0][key]), np.asarray(values), equal_nan=key == "score"), key
        assert found[1] == expected[1]


def test_small_parquet_whose_winner_is_marked_in_columns(tmp_path):
    polars = pytest.importorskip("polars")
    columns = {
        "id": ["1", "2", "3"],
        "model_a": ["A", "A", "B"],
        "model_b": ["B", "C", "C"],
        "winner_model_a": [1, 0, 0],
        "winner_model_b": [0, 1, 0],
        "winner_tie": [0, 0, 1],
    }
    frame = polars.DataFrame(columns)
    frame.write_parquet(tmp_path / "b.parquet")
    frame.write_csv(tmp_path / "b.csv")
    for name in ("b.parquet", "b.csv"):
        assert means(read(tmp_path / name, variant="vs C")) == {"A": (1, 0.0), "B": (1, 0.5)}


def test_the_winner_may_be_named_or_marked_in_columns(tmp_path):
    names = [
        one | {"winner": one.get(one["winner"] or "", one["winner"])} for one in BATTLES
    ]  # fmt: skip
    assert means(read(write(tmp_path, names), variant="vs A")) == {"B": (3, 0.5), "C": (1, 0.5)}
    path = tmp_path / "marked.csv"
    path.write_text(
        "id,model_a,model_b,prompt,winner_model_a,winner_model_b,winner_tie\n"
        '1,A,B,"a, b",1,0,0\n2,A,B,"c\nd",0,1,0\n3,B,A,e,1,0,0\n4,A,B,f,0,0,1\n5,A,B,g,,,\n'
    )
    (cut,) = read(path, variant="vs B").cuts().cuts
    assert cut.sample.score.tolist() == [1.0, 0.0, 0.0, 0.5]
    path.write_text("id,model_a,model_b,winner_model_a,winner_model_b,winner_tie\n1,A,B,1,1,0\n")
    with pytest.raises(ReadError, match=r"marked.csv: line 2: one of winner_model_a, .* not 1, 1, 0"):
        read(path)


def test_a_model_may_be_called_like_a_side(tmp_path):
    one = {"model_a": "model_b", "model_b": "tie", "winner": "tie", "question_id": 1}
    assert means(read(write(tmp_path, [one]), variant="vs model_b")) == {"tie": (1, 1.0)}


def judgments(folder, *lines):
    path = folder / "mine.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def test_arena_hards_games_are_seen_from_the_model(tmp_path):
    first = {"question_id": "q1", "model": "m", "judge": "j", "games": [{"score": "B>>A"}, {"score": "A>B"}]}
    second = {"question_id": "q2", "model": "m", "judge": "j", "games": [{"score": "A>B"}, {"score": "A=B"}]}
    third = {"question_id": "q3", "model": "m", "judge": "j", "games": [{"score": None}, None]}
    (cut,) = read(judgments(tmp_path, first, second, third)).with_options(on_error="wrong").cuts().cuts
    assert cut.sample.score.tolist() == [1, 1, 0, 0.5, 0, 0]


def test_arena_hard_of_version_two(tmp_path):
    line = {"uid": "u", "category": "hard_prompt", "judge": "j", "model": "m", "baseline": "o3", "games": []}
    games = [{"score": "B>A", "judgment": {}, "prompt": []}, {"score": "A>B", "judgment": {}, "prompt": []}]
    scores = read(judgments(tmp_path, line | {"games": games}))
    assert (scores.tasks, scores.variants, scores.models) == (("hard_prompt",), ("vs o3, by j",), ("m",))


@pytest.mark.parametrize("games", ["A>B", [{"score": "A"}], [["A>B"]], [{"score": 1}]])
def test_what_is_no_game_is_refused(tmp_path, games):
    with pytest.raises(ReadError, match="line 1"):
        read(judgments(tmp_path, {"question_id": "q", "model": "m", "games": games}))


GRADED = [("q1", "A", "B", 3, 5), ("q2", "B", "A", 4, 2), ("q3", "B", "A", 1, 5)]
"""A scores 3, 2 and 5, B 5, 4 and 1."""


@pytest.mark.parametrize("kind", ["csv", "jsonl"])
@pytest.mark.parametrize("ends", [("a", "b"), ("1", "2"), ("left", "right")])
@pytest.mark.parametrize("word", ["score", "rating"])
def test_scores_of_two_sides_are_those_of_the_models_on_them(tmp_path, kind, ends, word):
    headers = ["question_id", *(f"model_{end}" for end in ends), *(f"{word}_{end}" for end in ends)]
    path = tmp_path / f"sides.{kind}"
    records = [dict(zip(headers, row, strict=True)) for row in GRADED]
    lines = [",".join(headers), *(",".join(map(str, row)) for row in GRADED)]
    path.write_text("\n".join(lines if kind == "csv" else map(json.dumps, records)) + "\n")
    scores = read(path)
    assert means(scores) == {"A": (3, 10 / 3), "B": (3, 10 / 3)}
    first = {cut.sample.model: sorted(cut.sample.score.tolist()) for cut in scores.cuts().cuts}
    assert first == {"A": [2, 3, 5], "B": [1, 4, 5]}
    assert not scores.variants


def test_scores_of_more_than_two_models_are_told_apart_by_the_other_one(tmp_path):
    path = tmp_path / "sides.csv"
    path.write_text("id,model_a,model_b,score_a,score_b\n1,A,B,1,0\n1,C,A,0,0\n2,A,B,,1\n2,A,C,1,True\n")
    assert means(read(path, variant="vs A")) == {"B": (2, 0.5), "C": (2, 0.5)}
    assert means(read(path, variant="vs C")) == {"A": (2, 0.5)}
    path.write_text("id,model_a,model_b,score_a,score_b\n1,A,B,good,0\n")
    with pytest.raises(ReadError, match="line 2: 'score_a' is 'good', not a number"):
        read(path)


@pytest.mark.parametrize(
    ("sides", "words"),
    [(("model_a", "model_b"), ("A", "b")), (("model_1", "model_2"), ("1", "2")), (("model_left", "model_right"), None)],
)
def test_the_winner_may_be_the_last_word_of_its_side(tmp_path, sides, words):
    first, second = words or ("Left", "Right")
    battles = [
        {"id": place, sides[0]: "x", sides[1]: "y", "winner": winner}
        for place, winner in enumerate((first, first, second, "tie"))
    ]
    assert means(read(write(tmp_path, battles), variant="vs y")) == {"x": (4, 2.5 / 4)}


def test_a_model_that_is_called_like_a_side_goes_before(tmp_path):
    named = {"id": 1, "model_a": "B", "model_b": "A", "winner": "A"}
    assert means(read(write(tmp_path, [named]), variant="vs B")) == {"A": (1, 1.0)}
    with pytest.raises(ReadError, match="the winner 'A' is none of"):
        read(write(tmp_path, [named | {"model_a": "b", "model_b": "a"}]))


@pytest.mark.parametrize("header", ["winner", "Preferred", "choice"])
def test_sides_without_models_are_proposed_as_a_share(tmp_path, header):
    rows = [f"q{place},x,y,{won}" for place, won in enumerate(["A", "B", "tie", "A", "A", "B"])]
    path = tmp_path / "ab.csv"
    path.write_text("\n".join([f"prompt,response_a,response_b,{header}", *rows]) + "\n")
    with pytest.raises(ReadError, match=f"--map score={header} --category A=1,B=0,tie=0.5"):
        read(path)
    numbers = {"A": 1.0, "B": 0.0, "tie": 0.5}
    assert means(read(path, columns={"score": header}, categories=numbers)) == {"ab": (6, 3.5 / 6)}


@pytest.mark.parametrize(("words", "first"), [(("ours", "baseline"), "ours"), (("old", "v2"), "v2"), (("x", "y"), "x")])
def test_named_sides_of_a_preference_are_proposed_as_a_share(tmp_path, words, first):
    one, other = words
    grades = [(n, rater, (one, other, "tie")[(n * n + k) % 3]) for n in range(12) for k, rater in enumerate("ab")]
    path = tmp_path / "preferences.csv"
    path.write_text("item_id,annotator,preference\n" + "".join(f"{n},{rater},{won}\n" for n, rater, won in grades))
    with pytest.raises(ReadError, match=f"the share that '{first}' wins, ties half") as refused:
        read(path)
    (said,) = [said for said in refused.value.__notes__ if isinstance(said, Remedy)]
    typed = shlex.split(said.splitlines()[-1])
    columns = dict(pair.split("=") for pair in typed[typed.index("--map") + 1].split(","))
    numbers = {first: 1.0, "tie": 0.5, next(word for word in words if word != first): 0.0}
    assert columns == {"score": "preference", "run": "annotator"}
    expected = sum(numbers[won] for _, _, won in grades) / len(grades)
    assert means(read(path, columns=columns, categories=numbers)) == {"preferences": (24, pytest.approx(expected))}


@pytest.mark.parametrize("words", ["yes no", "red green blue", "good bad"])
def test_words_under_preference_that_are_no_two_sides(tmp_path, words):
    path = tmp_path / "preferences.csv"
    path.write_text("item_id,preference\n" + "".join(f"{n},{words.split()[n % 2]}\n" for n in range(12)) + "13,blue\n")
    with pytest.raises(ReadError) as refused:
        read(path)
    assert "the share that" not in str(refused.value)


def test_words_that_are_no_two_sides_are_no_share(tmp_path):
    path = tmp_path / "ab.csv"
    path.write_text("prompt,winner\n" + "".join(f"q{place},{'ABC'[place % 3]}\n" for place in range(9)))
    with pytest.raises(ReadError) as refused:
        read(path)
    assert "A=1" not in str(refused.value)
