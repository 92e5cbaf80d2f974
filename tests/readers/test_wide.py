"""Wide tables: which columns are models, which are not, and when nobody can tell."""

from __future__ import annotations

import json

import pytest
from tests.readers.test_table import write

import scorebars as sb
from scorebars.errors import ReadError
from scorebars.readers.read import read

ROWS = range(12)
BITS = [f"{i % 2}" for i in ROWS]
OTHERS = [f"{i // 2 % 2}" for i in ROWS]
TRUTHS = ["True" if i % 3 else "False" for i in ROWS]


def wide(folder, name="wide.csv", **columns):
    lines = [",".join(columns), *(",".join(row) for row in zip(*columns.values(), strict=True))]
    return write(folder, "\n".join([*lines, ""]), name)


def items():
    return [f"q{i}" for i in ROWS]


def said(scores):
    (found,) = [note for note in scores.cuts().notes if note.code == "wide-models"]
    return found.message


@pytest.mark.parametrize("name", [
    "is_hard", "has_image", "n_words", "num_turns", "gpt_prob", "logprob", "wall_time", "prompt_tokens", "difficulty",
    "prompt length", "year", "word_count", "flagged", "answerLogprobs",
])  # fmt: skip
@pytest.mark.parametrize("cells", [BITS, TRUTHS, ["17"] * 12, [f"{i / 7}" for i in ROWS]])
def test_a_measurement_or_flag_is_no_model_and_the_note_says_so(tmp_path, name, cells):
    scores = read(wide(tmp_path, item=items(), gpt=BITS, claude=OTHERS, **{name: cells}))
    assert scores.models == ("claude", "gpt")
    assert (
        f"are taken for models: 'gpt', 'claude' (not '{name}'); if others are, name them (--map model=gpt+claude)"
        in (said(scores))
    )


@pytest.mark.parametrize(
    "cells", [(BITS, OTHERS), (TRUTHS, TRUTHS), (["0.5", "0.25"] * 6, [f"{i / 12}" for i in ROWS])]
)
def test_columns_of_one_kind_are_models_and_are_listed(tmp_path, cells):
    scores = read(wide(tmp_path, item=items(), gpt=cells[0], claude=cells[1]))
    assert scores.models == ("claude", "gpt")
    assert "models: 'gpt', 'claude'; if" in said(scores)


@pytest.mark.parametrize(("columns", "sentence"), [
    ({"gpt": BITS, "claude": OTHERS, "hard": TRUTHS}, "'gpt', 'claude' numbers from 0 to 1; 'hard' True and False"),
    ({"gpt": BITS, "claude": OTHERS, "level2": [f"{1 + i % 5}" for i in ROWS]},
     "'gpt', 'claude' 0 and 1; 'level2' numbers from 1 to 5"),
    ({"gpt": BITS, "claude": OTHERS, "sure": [f"{i / 12}" for i in ROWS]},
     "'gpt', 'claude' 0 and 1; 'sure' numbers from 0 to 0.916667"),
    ({"gpt": [f"{i / 12}" for i in ROWS], "claude": ["0.3"] * 11 + ["0.4"], "grade2": [f"{i % 6}" for i in ROWS]},
     "'gpt', 'claude' numbers from 0 to 0.916667; 'grade2' numbers from 0 to 5"),
    ({"gpt": [f"{1 + i % 5}" for i in ROWS], "claude": [f"{1 + i % 4}" for i in ROWS], "chars2": ["200", "31"] * 6},
     "'gpt', 'claude' numbers from 1 to 5; 'chars2' numbers from 31 to 200"),
    ({"gpt": [f"{1 + i % 5}" for i in ROWS], "claude": [f"{1 + i % 4}" for i in ROWS], "batch": ["7"] * 12},
     "'gpt', 'claude' numbers from 1 to 5; 'batch' 7 in every row"),
    ({"gpt": ["pass", "fail"] * 6, "claude": ["fail"] * 12, "seen": TRUTHS},
     "'gpt', 'claude' pass and fail; 'seen' True and False"),
])  # fmt: skip
def test_columns_of_different_kinds_are_refused_with_the_mapping_that_works(tmp_path, columns, sentence):
    path = wide(tmp_path, item=items(), **columns)
    with pytest.raises(ReadError) as caught:
        read(path)
    assert f"do not hold scores of one kind: {sentence}; name those that are models (--map model=gpt+claude)" in str(
        caught.value
    )
    assert caught.value.__notes__[0].endswith("--map model=gpt+claude")

    scores = read(path, columns={"model": "gpt+claude"})
    assert scores.models == ("claude", "gpt")
    assert "wide-models" not in [note.code for note in scores.cuts().notes]
    alone = read(path, columns={"score": "claude"}).tidy()
    assert len(alone["score"]) == 12


@pytest.mark.parametrize("missing", ["NaN", "nan", "NAN", "", "None", "null", "N/A", "-"])
def test_a_missing_cell_is_of_no_kind(tmp_path, missing):
    lines = [f"q{number},{number % 2},{missing if number == 6 else number % 2},{number % 2}" for number in range(20)]
    path = write(tmp_path, "\n".join(["item,gpt,claude,llama", *lines]), "wide.csv")
    found = {cut.sample.model: cut.sample.score for cut in read(path, on_error="drop").cuts().cuts}
    assert {model: (score.size, score.sum()) for model, score in found.items()} == {
        "gpt": (20, 10),
        "claude": (19, 10),
        "llama": (20, 10),
    }


def test_where_no_kind_is_the_common_one_no_mapping_is_proposed(tmp_path):
    path = wide(tmp_path, item=items(), gpt=BITS, hard=TRUTHS)
    with pytest.raises(ReadError, match=r"model=gpt\+hard\), or the only score \(--map score=gpt\)") as caught:
        read(path)
    assert "scorebars estimate" not in caught.value.__notes__[0]


def test_where_all_are_measurements_the_error_says_how_to_name_the_models(tmp_path):
    path = wide(tmp_path, item=items(), gpt_prob=["0.5"] * 12, claude_prob=["0.25"] * 12)
    with pytest.raises(ReadError, match=r"\(a column a model: --map model=gpt_prob\+claude_prob\)"):
        read(path)
    assert read(path, columns={"model": "gpt_prob+claude_prob"}).models == ("claude_prob", "gpt_prob")


def test_returns_of_games_have_a_scale_each(tmp_path):
    path = write(tmp_path, "game,random,dqn\nPong,-20,18\nQbert,163,13455\nBoxing,0.1,88\n", "games.csv")
    assert read(path).models == ("dqn", "random")


def test_joined_names_of_a_model_stay_joined(tmp_path):
    lines = [{"agent": i % 2, "llm": 3, "item": i // 2, "score": 1} for i in range(4)]
    path = write(tmp_path, "\n".join(map(json.dumps, lines)), "long.jsonl")
    assert read(path, columns={"model": "agent+llm"}).models == ("0+3", "1+3")


def test_the_model_columns_are_kept_in_a_saved_mapping(tmp_path):
    path = wide(tmp_path, item=items(), gpt=BITS, claude=OTHERS, hard=TRUTHS)
    read(path, columns={"model": "gpt+claude"}, save_map=True)
    assert read(path).models == ("claude", "gpt")


def test_a_column_that_numbers_the_rows_is_no_model(tmp_path):
    path = wide(tmp_path, nr=[str(i + 1) for i in ROWS], gpt=BITS, claude=OTHERS)
    assert read(path).models == ("claude", "gpt")
    assert "(not 'nr')" in said(read(path))
    alone = wide(tmp_path, "alone.csv", nr=[str(i) for i in ROWS], verdict=BITS)
    with pytest.raises(ReadError, match="no column is known to hold the score") as caught:
        read(alone)
    assert caught.value.__notes__[0].endswith("--map score=verdict,item=nr")


def test_settings_of_tracked_runs_are_no_models(tmp_path):
    path = tmp_path / "runs.csv"
    rows = [f"r{n},FINISHED,.1,{n},{0.5 + n / 100},.4,m{n % 2}" for n in range(10)]
    path.write_text("\n".join(["run_id,status,params.lr,params.seed,metrics.accuracy,metrics.f1,tags.model", *rows]))
    with pytest.raises(
        ReadError, match="no column is known to hold the score; name it with --map score=COLUMN"
    ) as caught:
        read(path)
    assert "--map model=" not in str(caught.value)
    mapping = {"score": "metrics.accuracy", "model": "tags.model", "run": "run_id"}
    assert caught.value.__notes__[0].endswith("--map " + ",".join(map("=".join, mapping.items())))
    scores = read(path, columns=mapping)
    assert not scores.cuts().notes
    cuts = scores.cuts().cuts
    assert [round(float(cut.sample.score.mean()), 9) for cut in cuts] == [0.54, 0.55]


def test_seeds_are_runs_and_their_rows_no_items(tmp_path):
    rows = [(0, 80.06, 80.62), (1, 79.62, 80.18), (2, 79.85, 81.37)]
    path = tmp_path / "seeds.csv"
    path.write_text("seed,baseline,ours\n" + "".join(f"{seed},{a},{b}\n" for seed, a, b in rows))
    tidy = read(path, columns={"model": "baseline+ours"}).tidy()
    found = set(zip(*(tidy[name].tolist() for name in ("model", "item", "run", "score")), strict=True))
    assert found == {
        (model, "1", str(seed), score)
        for seed, *both in rows
        for model, score in zip(("baseline", "ours"), both, strict=True)
    }
    long = tmp_path / "long.csv"
    lines = [
        f"{model},{row[0]},{score}\n"
        for row in rows
        for model, score in zip(("baseline", "ours"), row[1:], strict=True)
    ]
    long.write_text("model,seed,score\n" + "".join(lines))
    same = read(long).tidy()
    assert found == set(zip(*(same[name].tolist() for name in ("model", "item", "run", "score")), strict=True))


def test_rows_of_several_items_of_a_run_are_numbered_within_it(tmp_path):
    path = tmp_path / "runs.csv"
    path.write_text("run,A,B\n" + "".join(f"{run},{run},{item}\n" for run in (1, 0) for item in (0, 1, 1)))
    tidy = read(path, columns={"model": "A+B"}).tidy()
    found = sorted(zip(tidy["model"], tidy["run"], tidy["item"], tidy["score"], strict=True))
    assert [row[:3] for row in found] == [(m, r, i) for m in "AB" for r in "01" for i in "123"]
    assert [row[3] for row in found] == [0, 0, 0, 1, 1, 1, 0, 1, 1, 0, 1, 1]


def test_the_splits_of_a_grid_search_are_proposed_as_runs(tmp_path):
    path = tmp_path / "cv.csv"
    header = ",param_C,params,split0_test_score,split1_test_score,split2_test_score,mean_test_score,rank_test_score"
    rows = ["0,0.1,\"{'C': 0.1}\",0.8,0.7,0.9,0.8,2", "1,1,\"{'C': 1}\",0.9,0.8,1.0,0.9,1"]
    path.write_text("\n".join([header, *rows]) + "\n")
    with pytest.raises(ReadError, match=r"--map 'run=split\*_test_score,model=param_C'"):
        read(path)
    found = sb.estimate(read(path, columns={"run": "split*_test_score", "model": "param_C"}))
    assert {one.model: one.value for one in found} == {"0.1": pytest.approx(0.8), "1": pytest.approx(0.9)}
