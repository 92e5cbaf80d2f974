"""lm-evaluation-harness: what each trap of real files becomes. The example files were written by lm-eval itself."""

from __future__ import annotations

import gzip
import json
import math
import re
import shlex
from pathlib import Path

import numpy as np
import pytest
from backports import zstd
from tests.readers.lm_eval_by_hand import STAMP, line, read_all, read_one, write_results, write_samples

from scorebars.errors import ReadError
from scorebars.readers.files import head_of
from scorebars.readers.lm_eval import LmEvalReader
from scorebars.readers.read import read

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples" / "lm_eval"
SHARED = ROOT.parent / "shared" / "data"
needs_shared = pytest.mark.skipif(not SHARED.is_dir(), reason="../shared/data is not here")


def means_of(folder):
    """(model, task, metric, filter) -> (mean, standard error with n − 1), from all samples of a folder."""
    parts, tables = read_all(*sorted(folder.glob("*.json*")))
    found = {}
    for rows in tables:
        keys = list(zip(rows["model"], rows["task"], rows["metric"], rows["variant"], strict=True))
        for key in dict.fromkeys(keys):
            scores = np.array([score for other, score in zip(keys, rows["score"], strict=True) if other == key])
            found[key] = (scores.mean(), scores.std(ddof=1) / math.sqrt(len(scores)))
    assert len(tables) == len(parts)
    return found


def own_numbers(folder):
    """The same from the results files."""
    found = {}
    for path in folder.glob("results_*.json"):
        content = json.loads(path.read_text())
        for task, values in content["results"].items():
            for key, value in values.items():
                metric, _, variant = key.partition(",")
                error = values.get(f"{metric}_stderr,{variant}")
                if variant and error is not None:
                    found[content["model_name"], task, metric, variant] = (value, error)
    return found


def agree(folder):
    """Compare the rows' numbers with lm-eval's own; how many there were."""
    own = own_numbers(folder)
    found = means_of(folder)
    for key, (mean, error) in found.items():
        assert (mean, error) == pytest.approx(own[key], abs=1e-12)
    return len(found)


@pytest.mark.parametrize("model", ["careful", "hasty"])
def test_means_and_standard_errors_are_lm_evals_own(model):
    assert agree(EXAMPLES / model) == 6


def test_roles_of_the_example():
    path = next((EXAMPLES / "careful").glob("samples_sums_written_*"))
    part, rows = read_one(path)

    assert set(rows["model"]) == {"careful"}
    assert set(rows["task"]) == {"sums_written"}
    assert set(rows["variant"]) == {"strict-match", "flexible-extract"}
    assert set(rows["metric"]) == {"exact_match"}
    assert len(rows["item"]) == 80
    assert rows["item"][0] == "0"
    assert part.score_range == (0.0, 1.0)
    assert part.notes == ()


def test_model_comes_from_the_results_file_of_the_same_date(tmp_path):
    write_results(tmp_path)
    write_results(tmp_path, model="another", stamp="2025-01-01T00-00-00.000000")
    part, rows = read_one(write_samples(tmp_path, [line(0, acc=1.0)]))

    assert set(rows["model"]) == {"EleutherAI/pythia-160m"}
    assert dict(part.mapping)["model"] == f"model_name in results_{STAMP}.json"


def test_model_is_the_folder_where_no_results_file_is(tmp_path):
    folder = tmp_path / "org__model"
    folder.mkdir()
    part, rows = read_one(write_samples(folder, [line(0, acc=1.0)]))

    assert set(rows["model"]) == {"org__model"}
    assert "folder's name" in dict(part.mapping)["model"]


def test_standard_input_has_no_folder_to_name_its_model(tmp_path):
    spool = tmp_path / "scorebars-input-x1"
    spool.mkdir()
    path = write_samples(spool, [line(0, acc=1.0)])
    path = path.rename(spool / "stdin")

    assert set(read_one(path)[1]["model"]) == {"standard input"}


@pytest.mark.parametrize(
    ("config", "model"),
    [
        ({"model": "hf", "model_args": "trust=1,pretrained=gpt2,dtype=float"}, "gpt2"),
        ({"model": "hf", "model_args": {"pretrained": "gpt2"}}, "gpt2"),
        ({"model": "hf", "model_args": ""}, "hf"),
    ],
)
def test_model_of_versions_before_model_name(tmp_path, config, model):
    write_results(tmp_path, model=None, config=config)

    assert set(read_one(write_samples(tmp_path, [line(0, acc=1.0)]))[1]["model"]) == {model}


def test_each_metric_and_filter_is_a_row(tmp_path):
    lines = [line(0, filter="strict", acc=1.0, acc_norm=0.0), line(0, filter="loose", acc=0.0, acc_norm=True)]
    _, rows = read_one(write_samples(tmp_path, lines))

    found = dict(zip(zip(rows["metric"], rows["variant"], strict=True), rows["score"], strict=True))
    assert found == {("acc", "strict"): 1, ("acc", "loose"): 0, ("acc_norm", "strict"): 0, ("acc_norm", "loose"): 1}


def test_results_file_beside_its_samples_only_lends_names(tmp_path):
    results, samples = write_results(tmp_path), write_samples(tmp_path, [line(0, acc=1.0)])
    parts, _ = read_all(results, samples)

    assert [part.path for part in parts] == [samples]


def test_results_file_alone_is_refused(tmp_path):
    with pytest.raises(ReadError, match=r"averages of 1 task \(lm-eval 0\.4\.9\), no per-item scores.*--log_samples"):
        read_all(write_results(tmp_path))


def test_results_file_named_without_its_samples_points_at_them(tmp_path):
    results = write_results(tmp_path)
    write_samples(tmp_path, [line(0, acc=1.0)])

    with pytest.raises(ReadError, match="the samples are beside it: read 'samples_toy_"):
        read_all(results)


def test_averages_among_samples_of_other_runs_are_noted(tmp_path):
    results = write_results(tmp_path, stamp="2025-01-01T00-00-00.000000")
    parts, _ = read_all(results, write_samples(tmp_path, [line(0, acc=1.0)]))

    assert [remark.code for part in parts for remark in part.notes] == ["model-from-path", "skipped-file"]


def test_predict_only_is_refused(tmp_path):
    with pytest.raises(ReadError, match="--predict_only: it has answers and no scores"):
        read_one(write_samples(tmp_path, [line(0, bypass=None), line(1, bypass=None)]))


@pytest.mark.parametrize("value", [[-1.5, 12], {"gold": 1}])
def test_tuples_are_no_scores(tmp_path, value):
    path = write_samples(tmp_path, [line(0, word_perplexity=value), line(1, word_perplexity=value)])

    with pytest.raises(ReadError, match="metric 'word_perplexity': 2 of its values are lists or objects"):
        read_one(path)


def test_tuples_beside_a_score_are_left_out_with_the_reason(tmp_path):
    part, rows = read_one(write_samples(tmp_path, [line(0, acc=1.0, f1=[1, 0]), line(1, acc=0.0, f1=[0, 0])]))

    assert set(rows["metric"]) == {"acc"}
    assert part.unusable[0][0] == "f1"
    assert "lists or objects" in part.unusable[0][1]


def test_text_and_null_values_are_no_scores(tmp_path):
    part, _ = read_one(write_samples(tmp_path, [line(0, acc=1.0, judge="good", later=None)]))

    assert dict(part.unusable) == {
        "judge": "1 of its values are text, not numbers; write numbers, or read this file alone as a table, which "
        "takes '1' and words for right and wrong: --sql 'SELECT doc_id AS item, judge AS score FROM data'",
        "later": "it is null for every document",
    }


def test_null_and_nan_of_some_documents_are_missing(tmp_path):
    _, rows = read_one(write_samples(tmp_path, [line(0, acc=1.0), line(1, acc=None), line(2, acc=math.nan)]))

    assert rows["score"] == [1.0, None, None]
    assert rows["status"] == ["ok", "missing", "missing"]


def test_scores_keep_every_digit(tmp_path):
    values = [0.1, 1 / 3, 1e-17, -2.5, 12345678.875]
    part, rows = read_one(write_samples(tmp_path, [line(i, bleu=value) for i, value in enumerate(values)]))

    assert rows["score"] == values
    assert part.score_range is None


def test_bounded_metric_outside_its_bounds_has_no_range(tmp_path):
    part, _ = read_one(write_samples(tmp_path, [line(0, exact_match=100.0)]))

    assert part.score_range is None


def test_metric_that_only_later_lines_have_is_found(tmp_path):
    _, rows = read_one(write_samples(tmp_path, [line(0, acc=1.0), line(1, acc=0.0, acc_norm=1.0)]))

    found = dict(zip(zip(rows["metric"], rows["item"], strict=True), rows["score"], strict=True))
    assert found["acc_norm", "1"] == 1.0
    assert found["acc_norm", "0"] is None


def test_versions_that_do_not_list_their_metrics(tmp_path):
    old = line(0, acc=1.0, acc_norm=0.0)
    for key in ("metrics", "filter", "doc_hash", "prompt_hash", "target_hash"):
        del old[key]
    part, rows = read_one(write_samples(tmp_path, [old]))

    assert rows["metric"] == ["acc", "acc_norm"]
    assert "variant" not in rows
    assert "variant" not in dict(part.mapping)


def test_json_array_of_the_first_versions(tmp_path):
    lines = [
        {key: value for key, value in line(i, acc=1.0).items() if key not in ("filter", "metrics")} for i in range(3)
    ]
    path = tmp_path / "pretrained=gpt2_toy_hard.jsonl"
    path.write_text(json.dumps(lines, indent=2))
    (tmp_path / "results.json").write_text(
        json.dumps(
            {"results": {"hard": {}, "toy_hard": {"acc_stderr,none": 1}}, "configs": {}, "config": {"model": "hf"}}
        )
    )
    _, rows = read_one(path)

    assert rows["score"] == [1.0] * 3
    assert set(rows["task"]) == {"toy_hard"}
    assert set(rows["model"]) == {"hf"}


def own_notes(part):
    """The notes but for the one that says that no results file names the model."""
    return [remark for remark in part.notes if remark.code != "model-from-path"]


def test_a_model_that_only_its_folder_names_is_said_until_it_has_a_name(tmp_path):
    folder = tmp_path / "somewhere"
    folder.mkdir()
    path = write_samples(folder, [line(0, acc=1.0)])
    said = "model 'somewhere' is named after its folder, because no results file of the same date names it"
    assert [remark.message.partition(";")[0] for remark in read(folder).cuts().notes] == [said]
    assert [remark.code for remark in read([path], labels={"m": path}).cuts().notes] == []
    write_results(folder)
    assert [remark.code for remark in read(folder).cuts().notes] == []


def test_duplicate_documents_are_noted(tmp_path):
    lines = [line(0, acc=1.0), line(1, acc=1.0, doc_hash="h0"), line(2, acc=0.0)]
    part, _ = read_one(write_samples(tmp_path, lines))

    (remark,) = own_notes(part)
    assert remark.code == "duplicate-documents"
    assert "1 of 3 documents" in remark.message


def test_several_filters_are_no_duplicate_documents(tmp_path):
    part, _ = read_one(write_samples(tmp_path, [line(0, filter=name, acc=1.0) for name in "ab"]))
    assert own_notes(part) == []


def test_limited_run_is_noted(tmp_path):
    write_results(tmp_path, counts={"toy": {"original": 5000, "effective": 2}})
    part, _ = read_one(write_samples(tmp_path, [line(0, acc=1.0), line(1, acc=0.0)]))

    (remark,) = part.notes
    assert remark.code == "partial-log"
    assert "2 of 5000 documents" in remark.message


def test_samples_that_are_fewer_than_the_results_count_are_noted(tmp_path):
    write_results(tmp_path, counts={"toy": {"original": 3, "effective": 3}})
    part, _ = read_one(write_samples(tmp_path, [line(0, acc=1.0)]))

    assert [remark.code for remark in part.notes] == ["header-disagrees"]


@pytest.mark.parametrize("field", ["doc.subject", "doc.about.subject", "doc_hash", "topic"])
def test_cluster_from_a_field(tmp_path, field):
    doc = {"subject": "law", "about": {"subject": "law"}}
    lines = [line(i, doc=doc, doc_hash="law", acc=1.0) | {"topic": "law"} for i in range(2)]
    for content in lines:
        content["metrics"] = ["acc"]
    _, rows = read_one(write_samples(tmp_path, lines), cluster=field)

    assert rows["cluster"] == ["law", "law"]


def test_missing_cluster_field_names_the_near_miss(tmp_path):
    path = write_samples(tmp_path, [line(0, doc={"subject": "law"}, acc=1.0)])

    with pytest.raises(ReadError, match=r"1 of 1 lines have no field 'doc\.subjet'.*did you mean 'doc\.subject'"):
        read_one(path, cluster="doc.subjet")


def test_other_roles_cannot_be_mapped(tmp_path):
    with pytest.raises(ReadError, match="'score' cannot be mapped"):
        read_one(write_samples(tmp_path, [line(0, acc=1.0)]), columns={"score": "acc"})


def test_folder_of_two_models_gives_each_its_name():
    parts, tables = read_all(*sorted(EXAMPLES.glob("[ch]*/*.json*")))

    assert len(parts) == 6
    assert {rows["model"][0] for rows in tables} == {"careful", "hasty"}


def test_path_with_spaces_brackets_and_accents(tmp_path):
    folder = tmp_path / "a [b] *é?"
    folder.mkdir()

    assert read_one(write_samples(folder, [line(0, acc=1.0)]))[1]["score"] == [1.0]


@pytest.mark.parametrize(("suffix", "compress"), [(".gz", gzip.compress), (".zst", zstd.compress)])
def test_compressed_samples(tmp_path, suffix, compress):
    write_results(tmp_path)
    plain = write_samples(tmp_path, [line(0, acc=1.0), line(1, acc=0.0)])
    packed = plain.with_name(plain.name + suffix)
    packed.write_bytes(compress(plain.read_bytes()))
    plain.unlink()
    _, rows = read_one(packed)

    assert rows["score"] == [1.0, 0.0]
    assert set(rows["task"]) == {"toy"}
    assert set(rows["model"]) == {"EleutherAI/pythia-160m"}


def test_long_line_is_read_with_a_larger_buffer(tmp_path, monkeypatch):
    monkeypatch.setattr("scorebars.readers.lm_eval_table.LINE_SIZES", (1_000, 1_000_000))
    path = write_samples(tmp_path, [line(0, acc=1.0), line(1, doc={"text": "x" * 200_000}, acc=0.0)])

    assert read_one(path)[1]["score"] == [1.0, 0.0]


@pytest.mark.parametrize("bad", [1, 37, 5000])
def test_truncated_line_is_named(tmp_path, bad):
    lines = [json.dumps(line(i, doc={"text": "x" * 300}, acc=1.0)) for i in range(5000)]
    lines[bad - 1] = lines[bad - 1][:80]
    path = tmp_path / f"samples_toy_{STAMP}.jsonl"
    path.write_text("\n".join(lines))

    with pytest.raises(ReadError, match=rf"line {bad:,} is not valid JSON"):
        read_one(path)


def test_truncated_compressed_file_is_refused(tmp_path):
    path = tmp_path / f"samples_toy_{STAMP}.jsonl.gz"
    whole = gzip.compress("".join(json.dumps(line(i, acc=1.0)) + "\n" for i in range(2000)).encode())
    path.write_bytes(whole[: len(whole) // 2])

    with pytest.raises(ReadError, match="truncated"):
        read_one(path)


def test_text_that_is_not_utf8_is_refused_with_the_byte(tmp_path):
    path = write_samples(tmp_path, [line(i, doc={"text": "cafe"}, acc=1.0) for i in range(3)])
    path.write_bytes(path.read_bytes().replace(b"cafe", b"caf\xe9", 2))

    with pytest.raises(ReadError, match="not UTF-8: byte 0xe9") as error:
        read_one(path)
    assert str(error.value).count(f"{path} is not UTF-8") == 1


def test_line_without_an_id_is_refused(tmp_path):
    path = write_samples(tmp_path, [line(0, acc=1.0), line(None, acc=1.0)])

    with pytest.raises(ReadError, match=r"'doc_id' is missing in 1 of 2 lines \(the first is line 2\): not lm-eval"):
        read_one(path)


@pytest.mark.parametrize(
    ("value", "what"), [("oops", "text, not numbers"), ([1], "lists or objects"), ({}, "lists or objects")]
)
def test_the_line_of_a_value_of_another_kind_is_named(tmp_path, value, what):
    lines = [line(place, acc=1.0) for place in range(9)]
    lines[6]["acc"] = value
    with pytest.raises(ReadError, match=rf"'acc': 1 of its values are {what}, the first in line 7"):
        read_one(write_samples(tmp_path, lines))
    path = write_samples(tmp_path, lines)
    path.write_text(json.dumps(lines))
    with pytest.raises(ReadError, match=rf"'acc': 1 of its values are {what}, the first in record 7"):
        read_one(path)


@pytest.mark.parametrize(("other", "what"), [('"Traceback"', "text"), ("7", "a number")])
def test_a_line_that_is_no_object_is_named(tmp_path, other, what):
    path = write_samples(tmp_path, [line(place, acc=1.0) for place in range(4)])
    whole = path.read_text().splitlines()
    for place in (0, 2):
        path.write_text("\n".join([*whole[:place], other, *whole[place:]]) + "\n")
        with pytest.raises(ReadError, match=f"line {place + 1} is {what}, not an object"):
            read(path).cuts()


@pytest.mark.parametrize("other", ["[1, 2]", "3", '{"doc_id": 1, "metrics": "acc"}'])
def test_line_of_another_shape_is_refused(tmp_path, other):
    path = write_samples(tmp_path, [line(0, acc=1.0)])
    path.write_text(path.read_text() + other)

    with pytest.raises(ReadError, match="line 2"):
        read_one(path)


def test_damaged_results_file_is_refused_by_name(tmp_path):
    results = write_results(tmp_path)
    results.write_text(results.read_text()[:-40])

    with pytest.raises(ReadError, match=r"results_.*not valid JSON"):
        read_one(write_samples(tmp_path, [line(0, acc=1.0)]))


def test_tables_are_not_claimed(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"doc_id": 1, "model": "a", "score": 1}\n')

    assert not LmEvalReader().claims(head_of(path))


@needs_shared
@pytest.mark.shared_data
def test_no_other_real_file_is_claimed():
    files = [path for path in SHARED.rglob("*") if path.is_file()]
    claimed = {path.relative_to(SHARED).parts[0] for path in files if LmEvalReader().claims(head_of(path))}

    assert claimed == {"lm_eval"}


@needs_shared
@pytest.mark.shared_data
def test_every_real_file_is_read_or_refused():
    folder = SHARED / "lm_eval"
    stamp = "2026-11-29T20-35-41.418846"
    own = own_numbers(folder)
    _, tables = read_all(*sorted(folder.glob(f"*{stamp}*")))
    compared = 0
    for rows in tables:
        for metric, variant in set(zip(rows["metric"], rows["variant"], strict=True)):
            pairs = zip(rows["metric"], rows["variant"], rows["score"], strict=True)
            scores = np.array([score for m, v, score in pairs if (m, v) == (metric, variant)])
            mean, error = own[rows["model"][0], rows["task"][0], metric, variant]
            assert scores.mean() == pytest.approx(mean, abs=1e-12)
            assert scores.std(ddof=1) / math.sqrt(len(scores)) == pytest.approx(error, abs=1e-12)
            compared += 1
    assert compared == 6


@needs_shared
@pytest.mark.shared_data
def test_real_samples_that_were_cut_down_are_noted():
    path = next((SHARED / "lm_eval").glob("samples_math_*"))
    part, rows = read_one(path)

    assert set(rows["model"]) == {"RylanSchaeffer/mem_Qwen3-93M_minerva_math_rep_0_sbst_1.0000_epch_1_ot_1"}
    assert rows["score"] == [0.0] * 10
    assert [remark.code for remark in part.notes] == ["header-disagrees"]


@needs_shared
@pytest.mark.shared_data
@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("v03_pythia-1.4b_step143000.json", r"averages of 87 tasks \(lm-eval 0\.3\)"),
        ("predict_only/samples_toy_gen_2026-11-29T20-36-20.397060.jsonl", "--predict_only"),
        ("results_2026-01-21T03-44-18.458309.json", "the samples are beside it"),
    ],
)
def test_real_files_without_scores_are_refused(name, sentence):
    with pytest.raises(ReadError, match=sentence):
        read_all(SHARED / "lm_eval" / name)


VALUES = {"acc,none": 0.5, "acc_stderr,none": 0.5}


def averages(folder, lines, **changed):
    """Read a samples file beside a results file with these averages."""
    write_results(folder, results={"toy": {"alias": "toy", **VALUES, **changed}})
    return read_one(write_samples(folder, lines))[0]


def test_averages_of_the_results_file_are_checked(tmp_path):
    assert averages(tmp_path, [line(0, acc=1.0), line(1, acc=0.0)]).notes == ()


def test_other_averages_than_the_samples_are_noted(tmp_path):
    part = averages(tmp_path, [line(0, acc=1.0), line(1, acc=0.0)], **{"acc,none": 0.75, "acc_stderr,none": 0.25})

    (remark,) = part.notes
    assert remark.code == "header-disagrees"
    assert "acc is 0.75 there, and 0.5 by the samples" in remark.message
    assert "the standard error of acc is 0.25 there, and 0.5 by the samples" in remark.message


def test_averages_of_filters_and_missing_errors(tmp_path):
    values = {"acc,strict": 0.5, "acc,loose": 0.25, "acc_stderr,strict": "N/A", "acc_stderr,loose": math.nan}
    lines = [line(i, filter=name, acc=i) for i in range(2) for name in ("strict", "loose")]
    part = averages(tmp_path, lines, **values)

    assert [remark.message.partition("task ")[2] for remark in part.notes] == [
        "'toy': acc (loose) is 0.25 there, and 0.5 by the samples; the samples are used"
    ]


def test_aggregations_that_are_no_means_are_not_compared(tmp_path):
    configs = {"toy": {"metric_list": [{"metric": "ppl", "aggregation": "perplexity"}]}}
    write_results(tmp_path, results={"toy": {"alias": "toy", "ppl,none": 9.0}}, configs=configs)

    assert read_one(write_samples(tmp_path, [line(0, ppl=1.0), line(1, ppl=2.0)]))[0].notes == ()


def group(folder, group_value, sizes=(4, 2)):
    """Two tasks of a group: what --explain says of the first one's task."""
    tasks = {"toy_a": [1.0, 1.0, 1.0, 0.0][: sizes[0]], "toy_b": [0.0, 0.0, 0.0, 1.0][: sizes[1]]}
    results = {
        task: {"alias": task, "acc,none": sum(scores) / len(scores), "acc_stderr,none": 0.2}
        for task, scores in tasks.items()
    }
    results["toy"] = {"alias": "toy", "acc,none": group_value, "acc_stderr,none": 0.1}
    counts = {task: {"original": len(scores), "effective": len(scores)} for task, scores in tasks.items()}
    write_results(folder, results=results, counts=counts, group_subtasks={"toy": ["toy_a", "toy_b"]})
    for task, scores in tasks.items():
        write_samples(folder, [line(i, acc=score) for i, score in enumerate(scores)], task=task)
    parts, _ = read_all(*sorted(folder.glob("samples_*")))
    return dict(parts[0].mapping)["task"]


@pytest.mark.parametrize(
    ("value", "sizes", "said"),
    [
        (0.5, (4, 2), "0.5000 is the average over its documents (--pool-tasks)"),
        (0.375, (4, 2), "0.3750 is the average over its tasks"),
        (0.5, (4, 4), "0.5000 is the average over its documents and over its tasks, which are equally large"),
        (0.9, (4, 2), "0.9000 is neither the average over its documents nor over its tasks"),
    ],
)
def test_group_is_told_with_its_kind_of_average(tmp_path, value, sizes, said):
    assert group(tmp_path, value, sizes) == f"the file's name; in group 'toy', whose acc {said}"


@pytest.mark.parametrize(
    ("value", "sizes", "noted"), [(0.5, (4, 2), True), (0.375, (4, 2), False), (0.5, (4, 4), False)]
)
def test_a_group_that_is_no_mean_over_its_tasks_is_said_once(tmp_path, value, sizes, noted):
    import scorebars as sb

    group(tmp_path, value, sizes)
    scores = sb.read(tmp_path)
    said = [remark.message for remark in scores.cuts().notes if remark.code == "group-average"]
    assert len(said) == noted
    if noted:
        # Tasks of means 3/4 (of 4) and 0 (of 2): 3/6 over documents, 3/8 over tasks.
        assert "group 'toy': acc is 0.5 there, the average over its documents, and 0.375 as the mean ov" in said[0]
        assert [one.value for one in (*sb.estimate(scores), *sb.estimate(scores.pooled()))] == [0.375, 0.5]
    part = read_all(next(tmp_path.glob("samples_toy_a*")))[0][0]
    assert "group-average" not in [remark.code for remark in part.notes]  # a part of the group is no group


def test_groups_of_groups_are_their_tasks(tmp_path):
    results = {"a": {"acc,none": 1.0}, "b": {"acc,none": 0.0}, "top": {"acc,none": 0.75}}
    counts = {"a": {"original": 3, "effective": 3}, "b": {"original": 1, "effective": 1}}
    groups = {"top": ["inner", "b"], "inner": ["a", "top"]}
    write_results(tmp_path, results=results, counts=counts, group_subtasks=groups)
    write_samples(tmp_path, [line(i, acc=1.0) for i in range(3)], task="a")
    write_samples(tmp_path, [line(0, acc=0.0)], task="b")
    parts, _ = read_all(*sorted(tmp_path.glob("samples_*")))
    assert ["group-average" in [one.code for one in part.notes] for part in parts] == [True, False]


def test_group_of_the_example_is_what_scorebars_says():
    import scorebars as sb

    content = json.loads(next((EXAMPLES / "careful").glob("results_*")).read_text())
    own = content["groups"]["sums"]
    scores = sb.read(EXAMPLES / "careful", metric="acc").select(task=content["group_subtasks"]["sums"])

    # Two tasks of 30 documents: over documents or over tasks is one number, and its standard error is lm-eval's own.
    (macro,) = sb.estimate(scores)
    (micro,) = sb.estimate(scores.pooled())
    assert macro.value == pytest.approx(own["acc,none"], abs=1e-12)
    assert micro.value == pytest.approx(own["acc,none"], abs=1e-12)
    assert macro.standard_error == pytest.approx(own["acc_stderr,none"], rel=1e-9)


def lmms(folder, lines, values):
    """The files of a run of lmms-eval, which names them by the date first, and leaves filter and metrics out."""
    stamp = "20250121_034418"
    results = {"results": {"mme": {"alias": "mme", **values}}, "configs": {"mme": {}}, "model_name": "org/model"}
    (folder / f"{stamp}_results.json").write_text(json.dumps(results, indent=2))
    path = folder / f"{stamp}_samples_mme_test.jsonl"
    path.write_text("".join(json.dumps(content) + "\n" for content in lines))
    return path


def lmms_line(doc_id, **metrics):
    content = {"doc_id": doc_id, "target": "Yes", "filtered_resps": ["Yes"], "doc_hash": f"h{doc_id}"}
    return content | metrics | {"input": "<image> Is it?", "token_counts": [{"output_tokens": 2}]}


def test_lmms_eval_samples_are_read_with_scores_inside_objects(tmp_path):
    lines = [
        lmms_line(i, perception={"question_id": i, "category": "art", "score": 1.0 - i}, relaxed=i) for i in range(2)
    ]
    part, rows = read_one(lmms(tmp_path, lines, {"relaxed,none": 0.5}))

    assert set(rows["model"]) == {"org/model"}
    assert set(rows["task"]) == {"mme_test"}
    found = {(m, i): s for m, i, s in zip(rows["metric"], rows["item"], rows["score"], strict=True)}
    assert found == {
        ("perception.score", "0"): 1.0, ("perception.score", "1"): 0.0, ("relaxed", "0"): 0.0, ("relaxed", "1"): 1.0
    }  # fmt: skip
    said = "2 of its values are objects; the score in them is the metric 'perception.score'"
    assert part.unusable == (("perception", said),)
    assert part.created == "2025-01-21T03:44:18"


def test_lmms_eval_objects_without_a_score_are_refused(tmp_path):
    lines = [lmms_line(i, mmmu={"id": i, "answer": "A", "parsed_pred": "B"}) for i in range(2)]

    with pytest.raises(ReadError, match="metric 'mmmu': 2 of its values are lists or objects"):
        read_one(lmms(tmp_path, lines, {}))


def test_lmms_eval_results_alone_point_at_their_samples(tmp_path):
    path = lmms(tmp_path, [lmms_line(0, relaxed=1)], {"relaxed,none": 1.0, "relaxed_stderr,none": "N/A"})

    with pytest.raises(ReadError, match=r"the samples are beside it: read '20250121_034418_samples_mme_test\.jsonl'"):
        read_all(path.with_name("20250121_034418_results.json"))


@pytest.mark.parametrize(
    "results",
    [
        {"axb+exam": {"2022-07-15-11-47-34": {"acc": 0.5, "acc_stderr": 0.01, "prompt_name": "exam"}}},
        [{"task_name": "axb", "prompt_name": "exam", "acc": 0.5, "acc_stderr": 0.01}],
    ],
)
def test_results_of_bigsciences_fork_are_refused_with_the_reason(tmp_path, results):
    path = tmp_path / "bslmeval.json"
    path.write_text(json.dumps({"results": results, "versions": {"axb": 0}}, indent=4))

    with pytest.raises(ReadError, match=r"averages of 1 task \(lm-eval 0\.3, BigScience's fork\), no per-item scores"):
        read_all(path)


def evalchemy(folder, **benchmarks):
    path = folder / f"results_{STAMP}.json"
    path.write_text(json.dumps({"results": benchmarks, "config": {}, "model_name": "org/m"}, indent=2))
    return path


def answers(*given, right="2", solved=None, **more):
    """A benchmark of evalchemy: the answers of each repetition, and how many of each it found right."""
    examples = [
        {"id": i, "expected_answer": right, "model_outputs": list(runs), "model_answers": list(runs)}
        for i, runs in enumerate(given)
    ]
    n_right = solved or [sum(runs[k] == right for runs in given) for k in range(len(given[0]))]
    stats = [{"repetition": k, "num_total": len(given), "num_solved": n} for k, n in enumerate(n_right, start=1)]
    return {"examples": examples, "run_stats": stats, "num_repeat": len(given[0]), **more}


def test_answers_of_evalchemy_are_verdicts_where_as_many_are_equal_as_it_counts(tmp_path):
    path = evalchemy(tmp_path, AIME24=answers("22", "21", "31", accuracy_avg=0.5), GPQA=answers("2", "1"))
    (part,), _ = read_all(path)
    columns = {role: part.rows[role].tolist() for role in ("task", "item", "run", "score")}
    assert columns["task"] == ["AIME24"] * 6 + ["GPQA"] * 2
    assert columns["item"] == ["0", "0", "1", "1", "2", "2", "0", "1"]
    assert columns["run"] == ["1", "2"] * 3 + ["1", "1"]
    assert columns["score"] == [1, 1, 1, 0, 0, 0, 1, 0]
    assert (set(part.rows["model"]), part.notes) == ({"org/m"}, ())
    (said,) = read_all(evalchemy(tmp_path, AIME24=answers("22", "21", accuracy_avg=0.5)))[0][0].notes
    assert "accuracy_avg of 'AIME24' is given as 0.5, and its rows give 0.75" in said.message


def test_verdicts_that_evalchemy_keeps_are_read(tmp_path):
    one = {"accuracy": 0.5, "examples": [{"correct": True, "model_outputs": ["x"]}, {"correct": False}]}
    last = {"examples": [{"content": "x", "correctness": n == 0} for n in range(2)], "num_repeat": 6}
    last["run_stats"] = [{"num_solved": 1}] * 6
    (part,), _ = read_all(evalchemy(tmp_path, MATH500=one, LiveCodeBench=last))
    assert part.rows["score"].tolist() == [1, 0, 1, 0]
    (said,) = part.notes
    assert "'LiveCodeBench': the verdicts of 1 of 6 repetitions are in the file" in said.message


@pytest.mark.parametrize(
    ("benchmark", "sentence"),
    [
        (
            answers("2", "3", solved=[2]),
            "in repetition 1 it counts 2 right of 2, and 1 are equal to the expected answer",
        ),
        (answers("2", "22"), "different numbers of answers"),
        ({"examples": [{"id": 1, "model_output": "x"}]}, "nothing in them says which are right"),
        (answers("2") | {"run_stats": None}, "does not say how many of each of 1 repetitions are right"),
        ({"examples": [], "run_stats": []}, "there is none"),
    ],
)
def test_answers_of_evalchemy_without_a_known_verdict_are_refused(tmp_path, benchmark, sentence):
    with pytest.raises(ReadError, match=f"of 'AIME24' evalchemy keeps the answers, and .*{sentence}"):
        read_all(evalchemy(tmp_path, AIME24=benchmark))
    (part,), _ = read_all(evalchemy(tmp_path, AIME24=benchmark, GPQA=answers("2", "1")))
    assert set(part.rows["task"]) == {"GPQA"}
    assert any(sentence in one.message for one in part.notes)


def test_same_ids_of_other_documents_are_noted(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    one = write_samples(tmp_path / "a", [line(i, acc=1.0) for i in range(4)])
    same = [line(i, filter=name, acc=1.0) for i in range(3) for name in ("strict", "loose")]
    other = write_samples(tmp_path / "b", [*same, line(3, doc_hash="another", acc=1.0), line(4, acc=1.0)])
    parts, _ = read_all(one, other)

    assert own_notes(parts[0]) == []
    (remark,) = own_notes(parts[1])
    assert remark.code == "different-documents"
    assert "1 of 4 shared documents have the same id and another text in" in remark.message


@pytest.mark.parametrize("filters", [("none",), ("strict", "flexible")])
def test_one_id_of_two_documents_in_a_file_is_refused(tmp_path, filters):
    one = [line(i, filter=name, doc_hash=f"arc{i}", acc=float(i < 1)) for i in range(2) for name in filters]
    two = [line(i, filter=name, doc_hash=f"gsm{i}", acc=float(i < 1)) for i in range(4) for name in filters]
    path = write_samples(tmp_path, [*one, *two])
    with pytest.raises(ReadError, match=r"2 of 4 ids \(such as doc_id 0\) stand for documents of different") as error:
        read(path)
    (query,) = [words[1] for words in map(shlex.split, re.findall(r"--sql '[^']*'", str(error.value)))]
    (cut,) = read(path, sql=query, variant=filters[0] if len(filters) > 1 else None).cuts().cuts
    assert (len(cut.sample.item), len(set(cut.sample.item.tolist())), cut.sample.score.mean()) == (6, 6, 2 / 6)


def test_repeats_of_one_document_are_no_other_documents(tmp_path):
    path = write_samples(tmp_path, [line(i, acc=1.0) for _ in range(2) for i in range(3)])
    assert read_one(path)[1]["item"] == ["0", "1", "2"] * 2


@pytest.mark.parametrize("key", ["model", "model_name"])
@pytest.mark.parametrize("listed", [None, []])
def test_models_that_the_lines_name_are_models(tmp_path, key, listed):
    names = {"A": (1.0, 1.0, 1.0, 0.0), "B": (0.0, 0.0, 0.0, 1.0)}
    lines = [
        line(i, acc=acc, listed=listed) | {key: name} for name, right in names.items() for i, acc in enumerate(right)
    ]
    scores = read(write_samples(tmp_path, lines))
    assert {cut.sample.model: cut.sample.score.mean() for cut in scores.cuts().cuts} == {"A": 0.75, "B": 0.25}
    assert dict(scores.parts[0].mapping)["model"] == f"'{key}' of the lines"
    assert scores.cuts().notes == ()
    path = write_samples(tmp_path, [*lines, line(9, acc=1.0)])
    with pytest.raises(ReadError, match=f"names a '{key}' in 8 of 9 lines; write it in each, or in none"):
        read(path)


def test_one_model_in_the_lines_leaves_the_name_of_the_folder(tmp_path):
    scores = read(write_samples(tmp_path, [line(i, acc=1.0) | {"model": "A"} for i in range(3)]))
    assert scores.models == (tmp_path.name,)
