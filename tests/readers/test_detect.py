"""Which reader takes a file, what is skipped, and what is refused by name."""

from __future__ import annotations

import gzip
import io
import json
import pickle
import re
import zipfile
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.readers.formats import swe_report

from scorebars.analysis.doctor import doctor
from scorebars.cli.main import main
from scorebars.contracts import FileHead
from scorebars.errors import ReadError
from scorebars.readers import READERS, candidates, load
from scorebars.readers.detect import assign
from scorebars.readers.files import Spool, expand
from scorebars.readers.read import read
from scorebars.results.diagnosis import Severity

SHARED = Path(__file__).parents[2].parent / "shared" / "data"
real = [
    pytest.mark.shared_data,
    pytest.mark.skipif(not SHARED.is_dir(), reason="the real result files of ../shared/data are not here"),
]
TABLE = "model,item,score\nA,1,1\n"


def assigned(path, columns=None):
    taken, skipped = assign(str(path), expand(path, Spool()), columns or {})
    return {one.head.path.name: one.reader for one in taken}, {one.path.name: one.reason for one in skipped}


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "a.csv").write_text(TABLE)
    return tmp_path


@pytest.mark.parametrize("name", [name for name, entry in READERS.items() if entry.start])
@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_no_beginning_that_a_pattern_takes_lacks_its_marks(name, data):
    entry = READERS[name]
    head = data.draw(st.from_regex(entry.start).filter(lambda text: re.match(entry.start, text)))
    assert name in candidates(FileHead(Path("a.txt"), (), head, len(head), None))


def test_every_reader_loads_and_has_the_name_it_is_listed_by():
    assert [load(name).name for name in READERS] == list(READERS)
    assert list(READERS)[-1] == "table"


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.csv", TABLE),
        ("a", TABLE),
        ("a.txt", TABLE.replace(",", "\t")),
        ("a.log", "score\n1\n0\n"),
        ("a.json", '[{"score": 1}]'),
        ("a.json", '{"A": [1, 0]}'),
        ("a", '{"id": 1, "score": 1}\n{"id": 2, "score": 1}\n'),
        ("a.json", '[{"score": 1}'),
    ],
)
def test_content_decides_that_it_is_a_table(tmp_path, name, data):
    (tmp_path / name).write_text(data)
    assert assigned(tmp_path / name) == ({name: "table"}, {})


def test_what_nobody_knows_is_skipped_in_a_folder_and_said(folder):
    (folder / "config.json").write_text('{"lr": "1e-3", "layers": "12"}')
    (folder / "names.csv").write_text("city,country\nOslo,Norway\n")
    (folder / "empty.csv").write_text("")
    (folder / "notes.txt").write_text("Three models, two of them good.\n")
    (folder / "model.bin").write_bytes(b"\x89BIN\r\n\x1a\n\x00\x00\x00\rIHDR")
    (folder / "old.txt").write_bytes("caf\xe9, th\xe9\n".encode("latin-1"))
    (folder / "broken.json").write_text("not json\n")
    taken, skipped = assigned(folder)
    assert taken == {"a.csv": "table"}
    assert {name: reason.partition(";")[0].partition(",")[0] for name, reason in skipped.items()} == {
        "config.json": "it names no score",
        "names.csv": "it names no score",
        "empty.csv": "it is empty",
        "notes.txt": "it is text of no known format",
        "model.bin": "it is binary",
        "old.txt": "it is not UTF-8 text",
        "broken.json": "it is not the format its name says: '.json' promises JSON",
    }


def archive():
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w") as made:
        made.writestr("a.npy", b"x" * 300)
    return kept.getvalue()


LONG = json.dumps([{"step": f"s{n}", "text": "y" * 50} for n in range(2000)])
LAST = LONG[:-40].rindex('"') + 1
NPZ = archive()
DAMAGED = [
    ("a.json", b'{"eval": {"task": "sums"}, "stat', "it is not valid JSON: it is truncated in line 1, column 28"),
    ("b.json", b'{"a": "x",\n "b" "y"}', "it is not valid JSON: expecting ':' delimiter in line 2, column 6"),
    ("c.jsonl", b'{"a": "x"}\n{"a": "y"}\n{"a"', "it is not valid JSON: it is truncated in line 3, column 5"),
    ("d.json", LONG[:-40].encode(), f"it is not valid JSON: it is truncated in line 1, column {LAST}"),
    ("e.json", b'{"a": "x",' + bytes(20), "it is damaged: line 1 holds a NUL byte"),
    ("f.json", LONG[:-40].encode() + bytes(40), "it is damaged: line 1 holds a NUL byte"),
    ("g.csv", bytes(100), "it is damaged: line 1 holds a NUL byte"),
    ("h.csv", b"model,ite", "it looks truncated: its only line does not end, and no row stands below it"),
    ("i.json", b"[[1, 2], [3, 4", "it is not valid JSON: it is truncated in line 1, column 15"),
    (
        "j.npz",
        NPZ[:34],
        "it is truncated: it is a zip archive of 34 bytes without the list of its members at the end",
    ),
    ("k.npz", NPZ[:3], "it is damaged: its name ends in '.npz', and it begins with b'PK\\x03'"),
    ("l.parquet", bytes(100), "it is damaged: it begins with nothing but NUL bytes"),
    ("m.parquet", b"PAR", "it is damaged: its name ends in '.parquet', and it begins with b'PAR'"),
    ("n.xml", b'<?xml version="1.0"?>\n<testsui', "it is not valid XML: it is truncated in line 2, column 1"),
    ("o.xml", b"<a>" + b"<b/>\n" * 20_000 + b"<b", "it is truncated: it does not end with a tag"),
    ("events.out.tfevents.1.vm.0", b"\x18\x00\x01", "it is damaged: it is called an event file of TensorBoard"),
    ("p.json.gz", gzip.compress(LONG[:-40].encode()), "it is not valid JSON: it is truncated in line 1, column "),
]


@pytest.mark.parametrize(("name", "data", "reason"), DAMAGED, ids=[name for name, _, _ in DAMAGED])
def test_a_damaged_file_in_a_folder_is_said_to_be_damaged_with_its_place(folder, name, data, reason):
    (folder / name).write_bytes(data)
    assert assigned(folder)[0] == {"a.csv": "table"}
    assert assigned(folder)[1][name].startswith(reason)
    (finding,) = (one for one in doctor(read(folder)).findings if one.code == "skipped-file")
    assert finding.severity is Severity.CHANGES
    assert reason.removeprefix("it ") in finding.message


WHOLE = [
    ("a.json", b'{"lr": "1e-3"}'),
    ("b.json", b'{\n // a comment\n "lr": "x", /* one more */\n}\n'),
    ("c.json", b'{"lr": "x", "layers": ["y",],}'),
    ("d.json", b'{"lr": "x"}\n{"lr": "y"}\n'),
    ("e.json", b'{\n "lr": "x"\n}{\n "lr": "y"\n}'),
    ("f.json", b'{"lr": "x"}\nINFO: done\n'),
    ("g.json", LONG.encode()),
    ("h.json", LONG.encode() + b"\n \n"),
    ("i.txt", b"Three models"),
    ("j.csv", b"city,country\nOslo,Norway"),
    ("k.csv", b"city,country\n"),
    ("l.xml", b'<?xml version="1.0" encoding="latin-1"?><a>\xe9</a>'),
    ("m.xml", b"<a>" + b"<b/>\n" * 20_000 + b"</a>\n"),
    ("n.xml", b"<a><b></a>"),
    ("o.zip", NPZ.replace(b".npy", b".txt")),
    ("p.npz", NPZ.replace(b".npy", b".txt")),
    ("q.bin", bytes(100)),
    ("r.pt", NPZ[:34]),
    ("s.log", b'{"a": "x'),
    ("t.json", b"// made by hand\n{}"),
    ("LICENSE", b"Apache"),
]


@pytest.mark.parametrize(("name", "data"), WHOLE, ids=[name for name, _ in WHOLE])
def test_what_is_something_else_is_not_called_damaged(folder, name, data):
    (folder / name).write_bytes(data)
    assert list(assigned(folder)[1]) == [name]
    (finding,) = (one for one in doctor(read(folder)).findings if one.code == "skipped-file")
    assert finding.severity is Severity.KNOW


def test_a_damaged_report_among_those_of_swe_bench_is_said(tmp_path):
    for name in ("a", "b"):
        (tmp_path / f"{name}.run.json").write_text(json.dumps(swe_report(resolved=["o__r-1"], unresolved=["o__r-2"])))
    (tmp_path / "b.run.json").write_text('{"total_instances": 2, "comp')
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "trace.json").write_text('{"left by an agent')
    taken, skipped = assigned(tmp_path)
    assert taken == {"a.run.json": "swe-bench"}
    assert skipped == {
        "b.run.json": "it is not valid JSON: it is truncated in line 1, column 24",
        "trace.json": "it is no file of swe-bench",
    }


def test_a_table_whose_only_row_was_cut_is_said_to_be_cut(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "ppo.csv").write_text(
        "eval/return,_step,_runtime\n" + "".join(f"{n}.5,{n},{n}.1\n" for n in range(5))
    )
    (tmp_path / "ppo.csv").write_text("eval/return,_step,_runtime\n0.5,")
    (said,) = (one for part in read(tmp_path, at="final").parts for one in part.notes if one.code == "skipped-file")
    assert said.data["reason"] == "it looks truncated: it has no whole row, and its last line does not end"
    assert said.data["path"] == str(tmp_path / "ppo.csv")


def test_estimate_names_damaged_files_apart_from_others(folder, capsys):
    (folder / "b.json").write_text('{"eval": {"task"')
    for name in ("config.json", "more.json"):
        (folder / name).write_text('{"lr": "x"}')
    assert main(["estimate", str(folder)]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "b.json was skipped: it is not valid JSON: it is truncated in line 1, column 17" in said
    assert "2 other files were skipped (--explain lists them)" in said


def test_a_link_that_leads_to_no_file_is_said(folder):
    (folder / "b.csv").symlink_to(folder / "unfetched.csv")
    taken, skipped = assigned(folder)
    assert taken == {"a.csv": "table"}
    assert "it is a link that leads to no file" in skipped["b.csv"]


def test_programs_settings_and_pages_are_not_even_opened(folder):
    for name in ("make.py", "tasks.yaml", "README.md", "plot.png"):
        (folder / name).write_text("model,item,score\nB,1,1\n")
    assert assigned(folder) == ({"a.csv": "table"}, {})
    assert assigned(folder / "README.md") == ({"README.md": "table"}, {})


def test_a_folder_of_programs_holds_no_data(tmp_path):
    (tmp_path / "make.py").write_text("print(1)\n")
    with pytest.raises(ReadError, match=r"holds no data: programs, settings and pages \(1 seen\) are not looked at"):
        assigned(tmp_path)


LISTS = (
    "it is a JSON object of lists of numbers under the keys 'claude', 'gpt', and nothing in it says that they are "
    "scores, as other files do; name it to read each list as a model's scores (scorebars estimate "
)


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("other.csv", "a,b\n1,2\n", "its headers name no score or item, as those of other files do; name it"),
        ("curve.csv", "step,loss\n1,0.5\n2,0.25\n", "its headers name no score or item, as those of other files do"),
        ("config.json", "[1, 2, 3]", "it is a JSON list of numbers, and nothing in it says that they are scores"),
        ("config.json", '{"a": 1}', "it is a JSON object of numbers under the keys 'a', and nothing"),
        ("lists.json", '{"gpt": [1, 0], "claude": [0, 1]}', LISTS),
    ],
)
def test_numbers_without_a_word_of_scores_do_not_join_files_that_have_one(folder, name, data, reason):
    (folder / name).write_text(data)
    taken, skipped = assigned(folder)
    assert taken == {"a.csv": "table"}
    assert list(skipped) == [name]
    assert skipped[name].startswith(reason)
    (folder / "a.csv").unlink()
    assert assigned(folder)[0] == {name: "table"}  # alone it may be a wide table


def test_a_column_that_the_user_names_makes_a_table_plausible(folder):
    (folder / "b.csv").write_text("item,quality\nx,1\n")
    assert assigned(folder)[0] == {"a.csv": "table"}
    assert assigned(folder, {"score": "quality"})[0] == {"a.csv": "table", "b.csv": "table"}


def test_wide_tables_in_a_folder_are_taken(folder):
    (folder / "b.csv").write_text("question,gpt,claude\nx,1,0\n")
    (folder / "c.json").write_text('{"gpt": {"x": 1}, "claude": {"x": 0}}')
    assert assigned(folder)[0] == {"a.csv": "table", "b.csv": "table", "c.json": "table"}


def test_a_folder_without_a_known_file_says_what_was_seen(tmp_path):
    with pytest.raises(ReadError, match="holds no file"):
        assigned(tmp_path)
    for number in range(5):
        (tmp_path / f"notes{number}.txt").write_text("Some words.\n")
    alike = r"as scores \(5 seen\): 'notes0.txt' is text of no known format; make it .* \(and 4 more like it\)"
    with pytest.raises(ReadError, match=alike):
        assigned(tmp_path)
    (tmp_path / "a.wandb").write_bytes(b":W&B" + bytes(20))
    with pytest.raises(ReadError, match=r"\(6 seen\): 'a.wandb.*; 'notes0.txt' is text.*; and 3 more"):
        assigned(tmp_path)
    for number in range(5):
        (tmp_path / f"notes{number}.txt").unlink()
    with pytest.raises(ReadError, match=r"is a run as Weights & Biases keeps it, .*; upload it"):
        assigned(tmp_path)


@pytest.mark.parametrize(
    ("name", "data", "sentence"),
    [
        ("a.parquet", TABLE.encode(), "'.parquet' promises Parquet, but it is delimited text"),
        ("a.csv", b"PAR1\x15\x00", "'.csv' promises delimited text, but it is Parquet"),
        ("a.csv", b'[{"score": 1}]', "'.csv' promises delimited text, but it is JSON"),
        ("a.json", TABLE.encode(), "'.json' promises JSON, but it is delimited text"),
        ("a.jsonl", b"Traceback (most recent call last):\n", "'.jsonl' promises JSON, but it is text"),
        ("a.csv", b"\x00\x01\x02" * 50, "'.csv' promises delimited text, but it is binary"),
        ("a.parquet", b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "git lfs pull"),
        ("log_199", pickle.dumps({"iteration_0": {}}), "is a pickle of Python objects, which could run any program"),
        ("a.pkl", pickle.dumps([1.0], protocol=2), "so it is never read; make it a table with one row an attempt"),
        ("a.csv", pickle.dumps([1.0]), "'.csv' promises delimited text, but it is a pickle"),
        ("a.csv", b"", "is empty"),
        ("a.csv", b"\xef\xbb\xbf\n", "is empty"),
        ("a.xml", b"<report/>", "is XML or HTML"),
        ("notes.txt", b"All models did well.\n", "is text of no known format"),
        ("run-8cwus3y9.wandb", b":W&B\xe1\xbe\0M\xc8q\x93M\0\x01\x08\x01", "is a run as Weights & Biases keeps it"),
        ("a.csv", "model,score\nA,1\n".encode("utf-16"), "is UTF-16"),
        ("a.csv", b"model,score\nA\xe9,1\n", "byte 0xe9 at position 13 (line 2)"),
    ],
)
def test_named_files_are_refused_with_a_reason(tmp_path, name, data, sentence):
    (tmp_path / name).write_bytes(data)
    with pytest.raises(ReadError) as caught:
        assigned(tmp_path / name)
    assert sentence in str(caught.value)
    assert str(caught.value).startswith(str(tmp_path / name))


def test_a_zip_that_is_no_log(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("a.csv", TABLE)
    with pytest.raises(ReadError, match="is a zip archive that is no Inspect log"):
        assigned(tmp_path / "a.zip")


def test_an_eval_file_that_is_no_zip(tmp_path):
    (tmp_path / "a.eval").write_text(TABLE)
    taken, _ = assigned(tmp_path / "a.eval")
    assert taken == {"a.eval": "inspect"}  # whose own error says what is wrong


class TestRealFiles:
    pytestmark = real

    @pytest.mark.parametrize(
        ("path", "reader"),
        [
            ("inspect/log_streaming.eval", "inspect"),
            ("inspect/data_arc_qwen.json", "inspect"),
            ("lm_eval/samples_toy_gen_2026-11-29T20-35-41.418846.jsonl", "lm-eval"),
            ("lm_eval/results_2026-11-29T20-35-41.418846.json", "lm-eval"),
            ("every_eval_ever/98ea850e-7019-4728-a558-8b1819ec47c2.json", "every-eval"),
            ("helm/mmlu_philosophy_gpt2/per_instance_stats.json", "helm"),
            ("helm/mmlu_philosophy_gpt2/run_spec.json", "helm"),
            ("helm/mmlu_philosophy_gpt2/scenario_state.json", "helm"),
            ("helm/mmlu_philosophy_gpt2/stats.json", "helm"),
            ("openai_evals/autogpt_test-match.jsonl", "openai-evals"),
            ("deepeval/test_run_sample.json", "deepeval"),
            ("ragas/pulsevent.ragas_results.csv", "ragas"),
            ("chi_bench/chi_bench_trials.csv", "table"),
            ("tau_bench/gpt-4o-airline.trimmed.json", "tau-bench"),
            ("tau2_bench/results.json", "tau2-bench"),
            ("swe_bench/check-harness.jsonl", "swe-bench"),
            ("evalplus/rd_gene_1_1samples_eval_results.json", "evalplus"),
            ("small_tables/livebench_13012025.parquet", "table"),
            ("alpaca_eval/falcon-7b-instruct.alpaca_eval_gpt4.annotations.json", "alpaca-eval"),
            ("junit/pytest_humaneval.junit.xml", "junit"),
            ("mteb/intfloat__e5-small-v2/SciFact.json", "mteb"),
            ("trec/out.test.aq", "trec-eval"),
            ("trec/run1", "trec-run"),
            ("sacrebleu/ted.sys1.sentence_bleu.txt", "sacrebleu"),
            ("wmt_mqm/mqm_ted_ende.avg_seg_scores.tsv", "wmt-mqm"),
            ("humaneval/codellama_7b_results.jsonl", "humaneval"),
            ("atari_100k/DER.json", "rl-runs"),
            ("dreamerv3/atari100k-dreamerv3.json.gz", "dreamer"),
            ("drqv2/dmc_cup_catch.csv", "drqv2"),
            ("sb3/0.monitor.csv", "stable-baselines"),
            ("sb3/evaluations.npz", "stable-baselines"),
            ("wandb/ds-marl.wandb_export.csv", "wandb"),
            ("dopamine/pong_CNN.json", "dopamine"),
            ("dopamine/airraid.vg.json", "dopamine"),
        ],
    )
    def test_taken(self, path, reader):
        assert list(assigned(SHARED / path)[0].values()) == [reader]


@pytest.mark.parametrize("ending", ["parquet", "feather"])
def test_columns_that_are_called_like_a_key_of_another_format_make_no_table_one(tmp_path, ending):
    # pandas writes the names of columns between quotes into the file, where they look like keys of JSON.
    words = {word for entry in READERS.values() for some in entry.signs for word in some}
    names = sorted({word.decode(errors="replace").strip('":[{ ,') for word in words} - {"", "item", "score"})
    assert "accuracy" in names
    for start in range(0, len(names), 5):
        columns = {name: [k % 2 for k in range(20)] for name in ["score", *names[start : start + 5]]}
        path = tmp_path / f"{start}.{ending}"
        frame = pd.DataFrame({"item": [f"q{k}" for k in range(20)], **columns})
        frame.to_parquet(path) if ending == "parquet" else frame.to_feather(path)
        assert assigned(path) == ({path.name: "table"}, {})


def test_words_inside_a_zip_name_no_format(tmp_path):
    path = tmp_path / "log.eval"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("header.json", '{"doc_id": 1, "results": [], "eval": {}, "task_id": "a", "pass@1": 1}')
    head = FileHead(path, (".eval",), path.read_bytes(), path.stat().st_size, None)
    assert b'"doc_id"' in head.head
    assert [name for name in candidates(head) if name != "npy"] == ["inspect"]
