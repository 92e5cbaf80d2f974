"""``read``: paths of every kind to one score table, with labels, choices and notes."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from tests.fresh import printed
from tests.peak import PEAK_MB

import scorebars as sb
from scorebars.errors import ArgumentError, ReadError, ScoresError
from scorebars.readers.read import read

SHARED = Path(__file__).parents[2].parent / "shared" / "data"
real = [
    pytest.mark.shared_data,
    pytest.mark.skipif(not SHARED.is_dir(), reason="the real result files of ../shared/data are not here"),
]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "A.csv").write_text("item,score\n1,1\n2,0\n")
    (tmp_path / "B.jsonl").write_text('{"item": 1, "score": 1}\n{"item": 2, "score": 1}\n')
    (tmp_path / "two.csv").write_text("model,item,score\nC,1,1\nC,2,1\nD,1,0\nD,2,0\n")
    return tmp_path


def means(scores):
    return {cut.sample.model: float(cut.sample.score.mean()) for cut in scores.cuts().cuts}


def notes(scores):
    cuts = scores.cuts()
    return [note.code for said in (cuts.notes, *(cut.notes for cut in cuts.cuts)) for note in said]


def test_a_file_a_list_a_folder_and_a_glob(folder):
    assert means(read(folder / "A.csv")) == {"A": 0.5}
    assert means(read([folder / "A.csv", str(folder / "B.jsonl")])) == {"A": 0.5, "B": 1.0}
    assert means(read(folder)) == {"A": 0.5, "B": 1.0, "C": 1.0, "D": 0.0}
    assert means(read(f"{folder}/*.csv")) == {"A": 0.5, "C": 1.0, "D": 0.0}
    assert means(read([folder, folder / "A.csv"])) == means(read(folder))


def test_a_dict_names_the_models(folder):
    scores = read({"base": folder / "A.csv", "cand": folder / "B.jsonl", "two": folder / "two.csv"})
    assert means(scores) == {"base": 0.5, "cand": 1.0, "two/C": 1.0, "two/D": 0.0}


def test_one_file_under_two_labels_is_two_models(folder):
    assert means(read({"x": folder / "A.csv", "y": folder / "A.csv"})) == {"x": 0.5, "y": 0.5}


def test_labels_beside_paths(folder):
    paths = [folder / "A.csv", folder / "B.jsonl"]
    assert means(read(paths, labels={"base": folder / "A.csv"})) == {"base": 0.5, "B": 1.0}
    with pytest.raises(
        ArgumentError, match=r"label 'base' names '.*C\.csv', which is not among the paths; did you mean"
    ):
        read(paths, labels={"base": folder / "C.csv"})


def test_files_of_one_name_in_several_folders_are_several_models(tmp_path):
    for model, score in (("gpt", 1), ("claude", 0)):
        (tmp_path / model).mkdir()
        (tmp_path / model / "scores.csv").write_text(f"item,score\n1,{score}\n2,1\n")
    assert means(read(tmp_path)) == {"claude": 0.5, "gpt": 1.0}


def test_no_path_at_all():
    for nothing in ([], {}):
        with pytest.raises(ArgumentError, match="no path was given"):
            read(nothing)


def test_several_metrics_need_a_choice(tmp_path):
    (tmp_path / "a.csv").write_text("item,acc,f1\n1,1,0.5\n2,0,0.25\n")
    with pytest.raises(ScoresError, match=r"'acc' .*'f1'"):
        read(tmp_path / "a.csv").cuts()
    assert means(read(tmp_path / "a.csv", metric="f1")) == {"a": 0.375}
    with pytest.raises(ScoresError, match="no metric is called 'f2'; known: 'acc', 'f1'"):
        read(tmp_path / "a.csv", metric="f2")


def test_options_reach_the_scores(tmp_path):
    (tmp_path / "a.csv").write_text("qid,score,run\n1,5,0\n1,7,0\n2,,0\n")
    scores = read(tmp_path / "a.csv", on_error="wrong", duplicates="last", range=(0, 10))
    assert means(scores) == {"a": 3.5}
    with pytest.raises(ArgumentError, match="on_error='wrnog'"):
        read(tmp_path / "a.csv", on_error="wrnog")


def test_skipped_files_are_said(folder):
    (folder / "notes.txt").write_text("Results\n")
    (folder / "config.json").write_text('{"score": 0.5}')
    said = [note.message for note in read(folder).cuts().notes]
    assert said[0].startswith(f"{folder / 'notes.txt'} was skipped: it is text of no known format")
    assert said[1].startswith(f"{folder / 'config.json'} was skipped: it is a JSON object (keys 'score') in no shape")


@pytest.mark.parametrize(
    "stray",
    ['{"a": 1}', '{"args": {"x": "y"}, "seed": 0}', '{"score": 0.5}', '{"accuracy": 0.5, "n": 100}', "not json"],
)
def test_a_stray_file_does_not_stop_its_folder(folder, stray):
    before = means(read(folder))
    (folder / "config.json").write_text(stray)
    assert means(read(folder)) == before
    assert notes(read(folder)) == ["skipped-file"]
    with pytest.raises(ReadError, match=r"config\.json"):
        read(folder / "config.json")


def test_a_folder_of_stray_files_says_what_is_wrong_with_the_first(tmp_path):
    (tmp_path / "config.json").write_text('{"score": 0.5}')
    with pytest.raises(ReadError, match=r"config\.json is a JSON object .* in no shape"):
        read(tmp_path)


def test_equal_rows_count_once_and_other_repeats_are_runs(tmp_path):
    (tmp_path / "a.csv").write_text("model,item,run,score\nA,1,0,1\nA,1,0,1\nA,2,0,0\n")
    scores = read(tmp_path / "a.csv")
    assert means(scores) == {"A": 0.5}
    assert "duplicate-attempts" in notes(scores)
    (tmp_path / "a.csv").write_text("model,item,score\nA,1,1\nA,1,0\nA,2,0\n")
    assert "repeats-as-runs" in notes(read(tmp_path / "a.csv"))


def test_explained_mapping(folder):
    scores = read(folder / "A.csv", cluster=None, columns={"score": "score"})
    assert ("model", "the file's name ('A')") in scores.columns
    assert ("score", "column 'score', as asked") in scores.columns
    assert scores.explain()["files"][0]["reader"] == "table"


def test_progress_is_told_and_silence_is_the_default(folder, capsys):
    seen = []
    read(folder, progress=lambda done, total, path: seen.append((done, total, path.name)))
    assert seen[0][:2] == (0, 3)
    assert seen[-1] == (3, 3, "two.csv")
    assert capsys.readouterr() == ("", "")


def test_standard_input_leaves_nothing_behind(monkeypatch, tmp_path):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b'{"id": 1, "score": 1}\n{"id": 2, "score": 0}\n')))
    scores = read("-")
    assert means(scores) == {"stdin": 0.5}
    assert [str(part.path) for part in scores.parts] == ["<standard input>"]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"nothing of use")))
    with pytest.raises(ReadError, match=r"^<standard input> is text of no known format"):
        read("-")
    del scores
    assert list(tmp_path.iterdir()) == []


def test_pipes_are_read(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen([sys.executable, "-c", f"open({str(pipe)!r}, 'w').write('item,score\\n1,1\\n')"]):
        assert means(read(pipe)) == {"pipe": 1.0}


@pytest.mark.parametrize(
    "name", ["with blank.csv", "[a].csv", "a*b?.csv", "é 数.csv", "it's.csv", 'say "x".csv', "-.csv"]
)
def test_names_of_every_kind(tmp_path, name):
    (tmp_path / name).write_text("item,score\n1,1\n2,0\n")
    (tmp_path / "a.csv").write_text("item,score\n1,1\n")
    assert means(read(tmp_path / name)) == {name.removesuffix(".csv"): 0.5}


def test_a_second_model_with_the_same_rows_is_refused_without_labels(tmp_path):
    for name in ("x.csv", "y.csv"):
        (tmp_path / name).write_text(f"model,item,run,score\nA,1,0,{int(name == 'x.csv')}\nA,2,0,1\n")
    with pytest.raises(ScoresError):
        read(tmp_path).cuts()
    assert means(read({"x": tmp_path / "x.csv", "y": tmp_path / "y.csv"})) == {"x": 1.0, "y": 0.5}


def test_a_table_loads_nothing_heavy(folder):
    script = (
        "import sys; from scorebars.readers.read import read; "
        f"read({str(folder / 'A.csv')!r}).cuts(); "
        "heavy = ('scipy', 'narwhals', 'rich', 'pandas', 'polars', 'pyarrow', 'click'); "
        "print([name for name in heavy if name in sys.modules])"
    )
    assert printed(script) == "[]\n"


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_a_file_of_300_megabytes_takes_bounded_memory(tmp_path, kind):
    path = tmp_path / f"big.{kind}"
    filler = "x" * 400
    with path.open("w") as target:
        if kind == "csv":
            target.write("model,item,answer,correct\n")
        for start in range(0, 740_000, 10_000):
            rows = ((f"m{i % 4}", f"q{i // 4}", i % 3 == 0) for i in range(start, start + 10_000))
            target.writelines(
                f"{model},{item},{filler},{int(right)}\n"
                if kind == "csv"
                else json.dumps({"model": model, "item": item, "answer": filler, "correct": right}) + "\n"
                for model, item, right in rows
            )
    assert path.stat().st_size > 300e6
    script = (
        f"{PEAK_MB}\nfrom scorebars.readers.read import read; "
        f"scores = read({str(path)!r}); print(sum(len(cut.sample.score) for cut in scores.cuts().cuts)); "
        "print(peak_mb())"
    )
    rows, peak = map(int, printed(script).split())
    assert rows == 740_000
    assert peak < 900, "megabytes"


class TestRealFiles:
    pytestmark = real

    def test_tau_bench_is_50_tasks_in_4_trials(self):
        scores = read(SHARED / "tau_bench" / "gpt-4o-airline.trimmed.json")
        (cut,) = scores.cuts().cuts
        successes = np.bincount(cut.sample.item, weights=cut.sample.score)
        assert (len(np.unique(cut.sample.item)), len(cut.sample.score)) == (50, 200)
        # pass^k = mean over tasks of C(c, k)/C(4, k), as published for this file.
        choose = {1: successes / 4, 4: (successes == 4) * 1.0}
        assert choose[1].mean() == pytest.approx(0.42)
        assert choose[4].mean() == pytest.approx(0.20)

    def test_tau_bench_clustered_by_its_users(self):
        scores = read(SHARED / "tau_bench" / "gpt-4o-airline.trimmed.json")
        (cut,) = scores.cuts().cuts
        assert 1 < len(np.unique(cut.sample.cluster)) < 50

    def test_chi_bench_with_its_mapping(self):
        columns = {"model": "agent+model", "item": "task", "task": "domain", "score": "reward"}
        scores = read(SHARED / "chi_bench" / "chi_bench_trials.csv", columns=columns, on_error="wrong")
        assert len(scores.models) == 46
        assert scores.tasks == ("cm", "pa_provider", "pa_um")
        pooled = means(scores.pooled())
        assert pooled["claude-code+anthropic/claude-opus-4-7"] == pytest.approx(0.2444, abs=5e-5)
        assert pooled["claude-code+anthropic/claude-haiku-4-5"] == pytest.approx(0.0622, abs=5e-5)

    def test_wide_tables(self):
        scores = read(SHARED / "small_tables" / "langchain_data_tool_use_FULL.csv")
        assert len(scores.models) == 9
        assert {len(cut.sample.score) for cut in scores.cuts().cuts} == {20}
        assert "llama-v2-70b-chat" in scores.models
        scores = read(SHARED / "small_tables" / "matharena_aime_II.csv")
        assert len(scores.models) == 19
        # 1, 1.1, 1.2 and 1.3 are four items: ids are text.
        assert {len(np.unique(cut.sample.item)) for cut in scores.cuts().cuts} == {60}

    def test_livebench_parquet(self):
        scores = read(SHARED / "small_tables" / "livebench_13012025.parquet")
        assert (len(scores.models), len(scores.tasks)) == (93, 18)
        assert sum(len(cut.sample.score) for cut in scores.cuts().cuts) == 93_624

    def test_humaneval_lines(self):
        scores = read(SHARED / "humaneval")
        assert means(scores) == {"codegemma_7b": 47 / 164, "codellama_7b": 47 / 164}

    @pytest.mark.parametrize(
        ("path", "sentence"),
        [
            ("wandb/ds-marl.wandb_export.csv", "holds learning curves of 1 run in 67 metrics"),
            ("drqv2/dmc_walker_walk.csv", "holds learning curves of 10 runs"),
        ],
    )
    def test_clear_refusals(self, path, sentence):
        with pytest.raises(ReadError) as caught:
            read(SHARED / path)
        assert sentence in str(caught.value)
        assert str(SHARED / path) in str(caught.value)

    def test_nested_scores_by_a_dotted_name(self):
        columns = {"item": "question", "score": "175b_verification.is_correct"}
        scores = read(SHARED / "wide" / "gsm8k_example_model_solutions.jsonl.gz", columns=columns)
        (mean,) = means(scores).values()
        assert 0.5 < mean < 0.65

    def test_inspect_and_lm_eval_logs_come_through_the_same_door(self):
        assert means(read({"x": SHARED / "inspect" / "log_streaming.eval"})) == {"x": 0.75}
        scores = read(SHARED / "lm_eval", metric="acc")
        assert scores.cuts().cuts


def test_rows_that_are_taken_as_items_are_noted(tmp_path):
    rows = "".join(f"{model},{score}\n" for model in "AB" for score in (1, 0, 1))
    (tmp_path / "noitem.csv").write_text("model,correct\n" + rows)
    scores = read(tmp_path / "noitem.csv")
    assert notes(scores) == ["rows-as-items"]
    assert "each of 6 rows is taken as an item" in str(scores.cuts().notes[0])
    comparison = sb.compare(scores, "A", "B")
    assert any("row by row: 3 items shared" in fact.text for fact in comparison.view().facts)


@pytest.mark.parametrize(
    "text", ["item,score\n1,1\n2,0\n", "gpt,claude\n1,0\n0,1\n", "game,seed,score\na,0,1\na,1,2\nb,0,3\nb,1,4\n"]
)
def test_rows_are_not_called_items_where_there_are_items_columns_or_runs(tmp_path, text):
    (tmp_path / "a.csv").write_text(text)
    assert "rows-as-items" not in notes(read(tmp_path / "a.csv"))


def test_a_header_that_names_a_metric_is_that_metric(tmp_path):
    for name, metric in (("a", "accuracy"), ("b", "f1")):
        rows = "".join(f"{name},{item},1\n" for item in range(3))
        (tmp_path / f"{name}.csv").write_text(f"model,item,{metric}\n{rows}")
    assert read(tmp_path / "a.csv").metrics == ("accuracy",)
    both = read(tmp_path)
    assert both.metrics == ("accuracy", "f1")
    with pytest.raises(ScoresError, match="one side is scored by 'accuracy', the other by 'f1'"):
        sb.Scores.concat(read(tmp_path / "a.csv"), read(tmp_path / "b.csv"))
    assert read(tmp_path / "a.csv", columns={"score": "accuracy"}).metrics == ()


def test_a_copied_file_is_said(tmp_path):
    for name in ("a", "b", "c"):
        (tmp_path / f"{name}.csv").write_text(f"item,score\n1,1\n2,{int(name == 'c')}\n")
    said = [str(note) for note in read(tmp_path).cuts().notes if note.code == "copied-files"]
    assert len(said) == 1
    assert f"2 files are the same, byte for byte ({tmp_path / 'a.csv'} and {tmp_path / 'b.csv'})" in said[0]
    for without in ([tmp_path / "b.csv"], tmp_path / "b.csv", str(tmp_path / "b.csv")):
        assert read(tmp_path, without=without).models == ("a", "c")
    with pytest.raises(ArgumentError, match=r"z\.csv' is to be left out, and there is no such file"):
        read(tmp_path, without=str(tmp_path / "z.csv"))
    (tmp_path / "b.csv").unlink()
    (tmp_path / "b.csv").symlink_to(tmp_path / "a.csv")
    assert "copied-files" not in {note.code for note in read(tmp_path).cuts().notes}
