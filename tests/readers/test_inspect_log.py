"""Inspect logs: what each trap of real logs becomes. The example logs were written by Inspect itself."""

from __future__ import annotations

import json
import math
import zipfile
from pathlib import Path

import numpy as np
import pytest
from tests.readers.inspect_by_hand import (
    read_all,
    read_one,
    sample,
    scores_of,
    to_zstandard,
    write_eval,
    write_json,
    write_pieces,
)

import scorebars as sb
from scorebars.cli.main import main
from scorebars.contracts import FileHead
from scorebars.errors import ReadError, ScoresError
from scorebars.readers.files import head_of
from scorebars.readers.inspect_log import InspectReader
from scorebars.readers.read import read
from scorebars.scores import Scores

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples" / "inspect"
SHARED = ROOT.parent / "shared" / "data"
needs_shared = pytest.mark.skipif(not SHARED.is_dir(), reason="../shared/data is not here")


def header_of(path):
    if path.suffix == ".json":
        return json.loads(path.read_text())
    read = zipfile.ZipFile if path.name != "sums_careful.eval" else None
    if read is None:
        from backports.zstd import zipfile as zstd_zipfile

        read = zstd_zipfile.ZipFile
    with read(path) as archive:
        return json.loads(archive.read("header.json"))


def epochs_reduced(part, metric):
    """Mean and standard error as Inspect has them: epochs averaged within an item first, items that have a score."""
    items = {}
    for (item, _), value in scores_of(part, metric).items():
        if not math.isnan(value):
            items.setdefault(item, []).append(value)
    means = np.array([np.mean(values) for values in items.values()])
    return means.mean(), means.std(ddof=1) / np.sqrt(len(means)) if len(means) > 1 else math.nan


def same_as_the_header(path):
    """Compare every metric of the header's results with what the rows give; how many were compared."""
    part = read_one(path)
    compared = 0
    for score in header_of(path)["results"]["scores"]:
        mean, error = epochs_reduced(part, score["name"])
        for name, metric in score["metrics"].items():
            if name in ("accuracy", "mean"):
                assert mean == pytest.approx(metric["value"], abs=1e-12)
                compared += 1
            elif name == "stderr" and not math.isnan(error):
                assert error == pytest.approx(metric["value"], abs=1e-12)
                compared += 1
    return compared


@pytest.mark.parametrize("name", ["sums_careful.eval", "sums_hasty.eval", "sums_guessing.json"])
def test_means_and_standard_errors_are_inspects_own(name):
    assert same_as_the_header(EXAMPLES / name) == 4


def test_example_log_in_zstandard_is_read_with_its_roles():
    part = read_one(EXAMPLES / "sums_careful.eval")

    assert set(part.rows["model"]) == {"mockllm/careful"}
    assert set(part.rows["task"]) == {"sums"}
    assert set(part.rows["metric"]) == {"match", "closeness"}
    assert set(part.rows["run"]) == {"1", "2", "3"}
    assert len(set(part.rows["item"])) == 12
    assert len(part.rows["score"]) == 72
    assert all(len(column) == 72 for column in part.rows.values())


def test_failed_sample_is_an_error_row_without_a_score_and_inspect_drops_it():
    part = read_one(EXAMPLES / "sums_hasty.eval")
    failed = [i for i, status in enumerate(part.rows["status"]) if status == "error"]

    assert part.on_error == "drop"
    assert {(part.rows["item"][i], part.rows["run"][i]) for i in failed} == {("sum-04", "2")}
    assert np.isnan(part.rows["score"][failed]).all()
    assert len(failed) == 2


def test_json_and_eval_give_the_same_rows(tmp_path):
    with zipfile.ZipFile(EXAMPLES / "sums_hasty.eval") as archive:
        samples = [json.loads(archive.read(name)) for name in archive.namelist() if name.startswith("samples/")]
        content = json.loads(archive.read("header.json")) | {"samples": samples}
    (tmp_path / "hasty.json").write_text(json.dumps(content))
    as_zip, as_json = read_one(EXAMPLES / "sums_hasty.eval"), read_one(tmp_path / "hasty.json")

    for role, column in as_zip.rows.items():
        np.testing.assert_array_equal(column, as_json.rows[role])
    assert as_zip.notes == as_json.notes


def test_folder_of_the_example_is_one_table_of_three_models():
    parts = read_all(*sorted(EXAMPLES.glob("sums_*")))

    assert [set(part.rows["model"]) for part in parts] == [{"mockllm/careful"}, {"mockllm/guessing"}, {"mockllm/hasty"}]


def test_cluster_comes_from_a_metadata_field():
    part = read_one(EXAMPLES / "sums_careful.eval", cluster="metadata.passage")

    assert set(part.rows["cluster"]) == {"market", "garden", "station", "kitchen"}
    assert ("cluster", "sample.metadata.passage") in part.mapping


@pytest.mark.parametrize("field", ["metadata.pasage", "pasage"])
def test_missing_cluster_field_names_the_near_miss(field):
    with pytest.raises(ReadError, match=r"no metadata field 'pasage'.*did you mean 'passage'"):
        read_one(EXAMPLES / "sums_careful.eval", cluster=field)


def test_nested_metadata_can_be_a_cluster(tmp_path):
    log = write_json(tmp_path / "a.json", [sample("1", metadata={"doc": {"id": 7}}, match="C")])

    assert read_one(log, cluster="metadata.doc.id").rows["cluster"].tolist() == ["7"]


def test_other_roles_cannot_be_mapped(tmp_path):
    log = write_json(tmp_path / "a.json", [sample("1", match="C")])

    with pytest.raises(ReadError, match="'item' cannot be mapped"):
        read_one(log, columns={"item": "qid"})


def test_values_become_numbers_by_inspects_rule(tmp_path):
    values = ["C", "P", "I", "N", "yes", "True", "no", "FALSE", "0.25", " 3 ", True, False, 0.5, 7]
    log = write_json(tmp_path / "a.json", [sample(i, s=value) for i, value in enumerate(values)])

    scores = list(scores_of(read_one(log), "s").values())
    assert scores == [1.0, 0.5, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.25, 3.0, 1.0, 0.0, 0.5, 7.0]


def test_nan_and_none_are_unscored(tmp_path):
    log = write_json(tmp_path / "a.json", [sample(1, s=math.nan, t=1), sample(2, s=1.0, t=None), sample(3, t=0)])
    part = read_one(log)
    status = dict(zip(zip(part.rows["metric"], part.rows["item"], strict=True), part.rows["status"], strict=True))

    assert scores_of(part, "s") == pytest.approx(
        {("1", "1"): math.nan, ("2", "1"): 1, ("3", "1"): math.nan}, nan_ok=True
    )
    assert [status["s", item] for item in "123"] == ["unscored", "ok", "unscored"]
    assert status["t", "2"] == "unscored"


def test_sample_that_no_scorer_saw_is_missing(tmp_path):
    part = read_one(write_json(tmp_path / "a.json", [sample(1, s=1), sample(2)]))

    assert part.rows["status"].tolist() == ["ok", "missing"]


def test_error_sample_that_was_scored_keeps_its_score(tmp_path):
    part = read_one(write_json(tmp_path / "a.json", [sample(1, error="boom", s="C"), sample(2, s="I")]))

    assert part.rows["status"].tolist() == ["error", "ok"]
    assert part.rows["score"].tolist() == [1.0, 0.0]


def test_error_samples_with_scores_are_said_with_every_way_of_counting(tmp_path):
    samples = [sample(1, s="C"), sample(2, error="boom", s="C"), sample(2, 2, s="I"), sample(3, error="x"), sample(4)]
    part = read_one(write_json(tmp_path / "a.json", samples))
    (said,) = [each for each in part.notes if each.code == "scored-errors"]

    # By item: 1, (1 + 0) / 2; then 1, 0; then 1, (0 + 0) / 2.
    assert "1 of 5 samples ended in an error and have a score for 's' all the same, which counts" in said.message
    assert "0.75; 0.5 without them, 0.5 if they count as wrong" in said.message
    clean = read_one(write_json(tmp_path / "b.json", [sample(1, s="C"), sample(2, error="boom")]))
    assert "scored-errors" not in [each.code for each in clean.notes]


def test_dict_and_list_values_are_metrics_of_their_own(tmp_path):
    log = write_json(
        tmp_path / "a.json", [sample(1, d={"a": 1, "b": None}, l=[1, "I"]), sample(2, d={"a": 0}, l=[0, "C"])]
    )
    part = read_one(log)

    assert list(dict.fromkeys(part.rows["metric"])) == ["d.a", "d.b", "l[0]", "l[1]"]
    assert scores_of(part, "d.a") == {("1", "1"): 1.0, ("2", "1"): 0.0}
    assert all(math.isnan(value) for value in scores_of(part, "d.b").values())
    assert scores_of(part, "l[1]") == {("1", "1"): 0.0, ("2", "1"): 1.0}


def test_categories_are_refused_with_their_counts(tmp_path):
    values = ["left", "right", "left", "both"]
    log = write_json(tmp_path / "a.json", [sample(i, bias=value) for i, value in enumerate(values)])

    with pytest.raises(ReadError, match=r"'bias' is no score.*'left' \(2\), 'right' \(1\), 'both' \(1\).*as 0"):
        read_one(log)


def test_one_category_among_marks_is_refused_too(tmp_path):
    log = write_json(tmp_path / "a.json", [sample(1, s="C"), sample(2, s="unsure")])

    with pytest.raises(ReadError, match=r"'unsure' \(1\)"):
        read_one(log)


def test_categories_beside_another_scorer_are_left_out_with_the_reason(tmp_path):
    part = read_one(write_json(tmp_path / "a.json", [sample(1, s="C", bias="left"), sample(2, s="I", bias="right")]))

    assert set(part.rows["metric"]) == {"s"}
    ((name, why),) = part.unusable
    assert name == "bias"
    assert "'left' (1)" in why


def test_categories_beside_another_scorer_are_said_once_for_all_logs(tmp_path):
    for name, bias in (("a", "left"), ("b", "right")):
        samples = [
            sample(i, s="CI"[i % 2], bias=("left", "right")[i % 2], why=f"text {i}, of {bias}") for i in range(4)
        ]
        write_json(tmp_path / f"{name}.json", samples, model=f"m/{name}")
    scores = read(tmp_path)
    left = "metric 'bias': its values left out: they are categories ('left', 'right'), not scores; "
    advice = (
        "give each its number (--category left=NUMBER,right=NUMBER), or score the log again with numbers or C and I"
    )
    assert [note.message for note in scores.cuts().notes if note.code == "left-out"] == [left + advice]
    assert not [note for note in scores.select(metric="s").cuts().notes if note.code == "left-out"]
    assert read(tmp_path, categories={"left": 1, "right": 0}).metrics == ("bias", "s")


def test_scorer_that_is_a_record_is_left_out_among_several(tmp_path):
    scores = [{"name": "match", "scorer": "match", "metrics": {"accuracy": {"value": 0.5}}}]
    samples = [sample(1, match="C", git_diff="C"), sample(2, match="I", git_diff="C")]
    part = read_one(write_json(tmp_path / "a.json", samples, scores=scores, total=2))

    assert set(part.rows["metric"]) == {"match"}
    assert part.unusable[0][0] == "git_diff"


def test_scorer_without_metrics_stays_when_it_is_the_only_one(tmp_path):
    part = read_one(write_json(tmp_path / "a.json", [sample(1, git_diff="C")], scores=[], total=1))

    assert scores_of(part, "git_diff") == {("1", "1"): 1.0}


def test_samples_are_the_authority_over_summaries_and_results(tmp_path):
    summaries = [{"id": 1, "epoch": 1, "scores": {"s": {"value": {"left": 1, "right": 0}}}}]
    scores = [{"name": "left", "scorer": "s", "metrics": {"mean": {"value": 1.0}}}]
    log = write_eval(
        tmp_path / "a.eval", [sample(1, s=0.25)], extra={"summaries.json": summaries}, scores=scores, total=1
    )

    part = read_one(log)
    assert scores_of(part, "s") == {("1", "1"): 0.25}
    (said,) = [each.message for each in part.notes if "summaries.json" in each.message]
    assert (
        "other scores than the samples for 1 sample of 1, first sample '1', epoch 1: 's' is none there and 0.25" in said
    )


@pytest.mark.parametrize(
    ("own", "said", "differ"),
    [
        ("C", "I", True),
        ("C", None, True),
        (1, 1.0, False),
        (float("nan"), float("nan"), False),
        (0.5, 0.25, True),
        ("Incorrect", "I", True),
        ("x" * 1500, "x" * 1000, False),
        ({"a": 1, "b": 2}, {"a": 1, "b": 3}, True),
    ],
)
def test_summaries_are_held_against_the_samples(tmp_path, own, said, differ):
    summaries = [{"id": 1, "epoch": 2, "scores": {"s": {"value": said}}}, {"id": 7, "scores": {"s": {"value": 1}}}]
    summaries += [{"id": 2, "epoch": 1, "scores": None}, {"id": 3, "epoch": 1, "scores": {"s": {"value": 0}}}, "odd"]
    samples = [sample(1, 2, s=own, n=1), sample(2, error="boom"), sample(3, s=0)]
    for each in summaries[:1]:
        each["scores"]["n"] = {"value": 1}
    part = read_one(write_eval(tmp_path / "a.eval", samples, extra={"summaries.json": summaries}))
    assert any("summaries.json" in each.message for each in part.notes) == differ


@pytest.mark.parametrize("content", ["[{", "null", '{"a": 1}', "[1, [], {}]"])
def test_odd_summaries_change_nothing(tmp_path, content):
    log = write_eval(tmp_path / "a.eval", [sample(1, s=1)], extra={"summaries.json": content})
    assert [each.code for each in read_one(log).notes] == []


def test_the_same_attempt_twice_offers_no_column_of_a_log(tmp_path):
    log = write_json(tmp_path / "a.json", [sample(1, s=1), sample(1, s=0)])
    with pytest.raises(
        ScoresError, match=r"twice with different scores, .* \(--duplicates first\|last\), or leave one"
    ):
        read(log).cuts()
    assert read(log, duplicates="last").cuts().cuts[0].sample.score.tolist() == [0.0]


def test_header_that_counts_more_samples_is_noted(tmp_path):
    part = read_one(write_eval(tmp_path / "a.eval", [sample(1, s=1)], total=790))

    (remark,) = part.notes
    assert remark.code == "header-disagrees"
    assert "790 samples, the log holds 1" in remark.message


def test_hand_made_header_that_counts_nothing_is_not_held_against_the_samples(tmp_path):
    assert read_one(write_eval(tmp_path / "a.eval", [sample(1, s=1)], total=0)).notes == ()


@pytest.mark.parametrize("status", ["error", "cancelled", "started"])
def test_status_that_is_no_success_is_noted(tmp_path, status):
    part = read_one(write_json(tmp_path / "a.json", [sample(1, s=1)], status=status))

    assert [remark.code for remark in part.notes] == ["partial-log"]
    assert status in part.notes[0].message


def test_crashed_log_gives_the_samples_it_has(tmp_path):
    part = read_one(write_eval(tmp_path / "a.eval", [sample(1, s=1)], start_only=True, ids=[1, 2, 3]))

    assert [remark.code for remark in part.notes] == ["partial-log", "header-disagrees"]
    assert "was to have 3 samples, the log holds 1" in part.notes[1].message


def test_crashed_log_without_samples_is_refused(tmp_path):
    with pytest.raises(ReadError, match="ended before the first sample"):
        read_one(write_eval(tmp_path / "a.eval", [], start_only=True))


def test_header_only_log_is_refused_alone_and_noted_beside_others(tmp_path):
    bare = write_json(tmp_path / "bare.json", None, total=3)
    full = write_json(tmp_path / "full.json", [sample(1, s=1)])

    with pytest.raises(ReadError, match=r"bare\.json: only the header"):
        read_one(bare)
    parts = read_all(bare, full)
    assert [len(part.rows["score"]) for part in parts] == [1, 0]
    assert [remark.code for remark in parts[1].notes] == ["header-only"]


def test_log_that_was_never_scored_is_refused(tmp_path):
    with pytest.raises(ReadError, match=r"1 sample and no scores.*inspect score a\.json"):
        read_one(write_json(tmp_path / "a.json", [sample(1)]))


def test_an_empty_log_is_called_empty(tmp_path):
    (tmp_path / "a.eval").write_bytes(b"")
    with pytest.raises(ReadError, match=r"a\.eval is empty: nothing of its run was written; run it again"):
        read_one(tmp_path / "a.eval")


def test_a_log_that_was_never_scored_is_refused_also_where_a_sample_failed(tmp_path):
    samples = [sample(1), sample(2, error="x"), sample(3)]
    with pytest.raises(ReadError, match=r"3 samples \(1 in error\) and no scores.*inspect score a\.json"):
        read_one(write_json(tmp_path / "a.json", samples))


def test_success_with_every_sample_errored_keeps_the_rows_and_says_so(tmp_path):
    samples = [sample(1, error="x"), sample(2, error="y")]
    part = read_one(write_json(tmp_path / "a.json", samples, scorers=["match"]))

    assert part.rows["metric"].tolist() == ["match", "match"]
    assert part.rows["status"].tolist() == ["error", "error"]
    assert any("every one of the 2 samples" in remark.message for remark in part.notes)


def test_ids_of_numbers_and_text_are_text(tmp_path):
    part = read_one(write_json(tmp_path / "a.json", [sample(1, s=1), sample("1.10", s=1), sample("ü\ud800", s=0)]))

    assert part.rows["item"].tolist() == ["1", "1.10", "ü\\ud800"]


def test_old_single_score_is_read(tmp_path):
    fields = sample(1)
    del fields["scores"]
    part = read_one(write_json(tmp_path / "a.json", [fields | {"score": {"value": "C"}}]))

    assert scores_of(part, "score") == {("1", "1"): 1.0}


def test_two_logs_of_one_model_are_two_parts(tmp_path):
    logs = [write_json(tmp_path / name, [sample(1, s=1)]) for name in ("a.json", "b.json")]

    assert [part.path.name for part in read_all(*logs)] == ["a.json", "b.json"]


def test_marks_fix_the_range_and_plain_numbers_do_not(tmp_path):
    marks = write_json(tmp_path / "a.json", [sample(1, s="P")])
    numbers = write_json(tmp_path / "b.json", [sample(1, s=0.5)])
    accuracy = write_json(
        tmp_path / "c.json", [sample(1, s=0.5)], scores=[{"scorer": "s", "metrics": {"accuracy": {}}}], total=1
    )

    assert [read_one(log).score_range for log in (marks, numbers, accuracy)] == [(0.0, 1.0), None, (0.0, 1.0)]


def test_converted_marks_are_said(tmp_path):
    part = read_one(write_json(tmp_path / "a.json", [sample(1, s="I"), sample(2, s="C"), sample(3, s="C")]))

    assert [remark.code for remark in part.notes] == ["converted"]
    assert "C as 1, P as 0.5, I as 0, N as 0" in part.notes[0].message


def test_number_text_needs_no_note_and_words_are_said(tmp_path):
    numbers = write_json(tmp_path / "a.json", [sample(1, s="0.5")])
    words = write_json(tmp_path / "b.json", [sample(1, s="Yes"), sample(2, s="no")])

    assert read_one(numbers).notes == ()
    assert "no as 0, yes as 1" in read_one(words).notes[0].message


@pytest.mark.parametrize("frames", [1, 3])
def test_zstandard_members_of_one_or_several_frames(tmp_path, frames):
    plain = write_eval(tmp_path / "a.eval", [sample(1, s="C"), sample(2, s="I")])
    packed = to_zstandard(plain, tmp_path / "b.eval", frames)

    with zipfile.ZipFile(packed) as archive:
        assert {info.compress_type for info in archive.infolist()} == {93}
    assert scores_of(read_one(packed), "s") == scores_of(read_one(plain), "s") == {("1", "1"): 1.0, ("2", "1"): 0.0}


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_member_written_twice_counts_as_its_last_copy(tmp_path):
    part = read_one(write_eval(tmp_path / "a.eval", [sample(1, s=0), sample(1, s=1)]))

    assert scores_of(part, "s") == {("1", "1"): 1.0}
    assert part.dropped == (("older copies of a sample", 1),)
    assert "a.eval: 1 older copy of a sample left out: the log holds it again" in part.notes[0].message


def test_truncated_zip_is_refused(tmp_path):
    whole = (EXAMPLES / "sums_careful.eval").read_bytes()
    (tmp_path / "cut.eval").write_bytes(whole[: len(whole) // 2])

    with pytest.raises(ReadError, match=r"cut\.eval: no complete zip file.*truncated"):
        read_one(tmp_path / "cut.eval")


@pytest.mark.parametrize("name", ["sums_careful.eval", "sums_hasty.eval"])
def test_damaged_member_is_refused_by_name(tmp_path, name):
    data = bytearray((EXAMPLES / name).read_bytes())
    with zipfile.ZipFile(EXAMPLES / name) as archive:
        victim = next(info for info in archive.infolist() if info.filename.startswith("samples/"))
    start = victim.header_offset + 30 + len(victim.filename)
    data[start + 60 : start + 90] = bytes(30)
    (tmp_path / name).write_bytes(data)

    with pytest.raises(ReadError, match=f"member '{victim.filename}' is damaged"):
        read_one(tmp_path / name)


def test_member_that_is_no_json_is_refused_by_name(tmp_path):
    log = write_eval(tmp_path / "a.eval", [sample(1, s=1)], extra={"samples/2_epoch_1.json": '{"id": 2, '})

    with pytest.raises(ReadError, match=r"member 'samples/2_epoch_1\.json': not valid JSON at line 1"):
        read_one(log)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"epoch": 1, "scores": {}}, "has no 'id'"),
        ({"id": None, "epoch": 1, "scores": {}}, "has an 'id' of null"),
        ({"id": 1, "epoch": 1, "scores": [1]}, "'scores' is a list"),
        ({"id": 1, "epoch": "one", "scores": {}}, "'epoch' is one, not a whole number"),
        ({"id": 1, "epoch": [1], "scores": {}}, r"'epoch' is \[1\], not a whole number"),
        ({"id": {"a": 1}, "epoch": 1, "scores": {}}, r"""'id' is \{"a": 1\}, not a text or a number"""),
        ([1], "is no JSON object"),
    ],
)
def test_sample_of_another_shape_is_refused(tmp_path, fields, sentence):
    with pytest.raises(ReadError, match=sentence):
        read_one(write_json(tmp_path / "a.json", [sample(1, s=1), fields]))


def test_zip_bomb_is_refused_by_its_size(tmp_path, monkeypatch):
    monkeypatch.setattr("scorebars.readers.zip_members.LARGEST", 10_000)
    log = write_eval(tmp_path / "a.eval", [], extra={"samples/1_epoch_1.json": json.dumps(sample(1, s="x" * 20_000))})

    with pytest.raises(ReadError, match="at most 10,000 are read"):
        read_one(log)


def test_truncated_json_log_is_refused_with_the_line(tmp_path):
    path = tmp_path / "cut.json"
    path.write_text((EXAMPLES / "sums_guessing.json").read_text()[:40_000])

    with pytest.raises(ReadError, match=r"cut\.json: not valid JSON at line \d+.*truncated"):
        read_one(path)


def test_text_that_is_not_utf8_is_refused(tmp_path):
    path = write_json(tmp_path / "a.json", [sample("cafe", s=1)])
    path.write_bytes(path.read_bytes().replace(b"cafe", b"caf\xe9"))

    with pytest.raises(ReadError, match="not UTF-8"):
        read_one(path)


def test_eval_that_is_something_else_is_refused(tmp_path):
    (tmp_path / "a.eval").write_text("model,item,score\n")

    assert InspectReader().claims(head_of(tmp_path / "a.eval"))
    with pytest.raises(ReadError, match="not an Inspect log"):
        read_one(tmp_path / "a.eval")


def test_other_zips_are_not_claimed(tmp_path):
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("xl/workbook.xml", "<x/>")

    assert not InspectReader().claims(head_of(path))


def test_claim_needs_no_name(tmp_path):
    for name in ("sums_careful.eval", "sums_guessing.json"):
        copy = tmp_path / f"{name}.bak"
        copy.write_bytes((EXAMPLES / name).read_bytes())
        assert InspectReader().claims(head_of(copy))
    assert not InspectReader().claims(
        FileHead(tmp_path / "x.json", (".json",), b'{"eval": {"HumanEval/0": []}}', 9, None)
    )


@needs_shared
@pytest.mark.shared_data
def test_streamed_log_has_the_known_mean_and_standard_error():
    mean, error = epochs_reduced(read_one(SHARED / "inspect" / "log_streaming.eval"), "match")

    assert (mean, error) == (0.75, 0.25)


AGREE = {
    "2025-02-11T15-18-04-05-00_popularity_mj7khqpMM4GBCfVQozKgzB.eval": 2,
    "2025-05-12T20-28-13-04-00_popularity.json": 2,
    "2025-05-12T20-28-26-04-00_security-guide.json": 2,
    "data_arc_qwen.json": 2,
    "data_arc_sonnet.json": 2,
    "log_streaming.eval": 2,
    "log_formats.eval": 1,
    "mmlu-summary-choices.eval": 1,
}
"""File -> numbers of its header that the rows must give (one sample alone has no standard error)."""


@needs_shared
@pytest.mark.shared_data
@pytest.mark.parametrize("name", AGREE)
def test_real_logs_give_the_headers_own_numbers(name):
    assert same_as_the_header(SHARED / "inspect" / name) == AGREE[name]


@needs_shared
@pytest.mark.shared_data
@pytest.mark.parametrize(
    ("name", "model", "rows", "mean", "noted"),
    [
        ("docent_log.eval", "openai/gpt-4o", 15, 0.6, "790"),
        ("docent_ctf.json", "anthropic/claude-3-5-sonnet-20241022", 2, 0.5, ""),
        ("data_cyse2_vuln_exploit_challenges.json", "mistral/mistral-large-latest", 1, 0.65, "2,340"),
    ],
)
def test_real_logs_that_kept_a_part_are_read_and_noted(name, model, rows, mean, noted):
    part = read_one(SHARED / "inspect" / name)

    assert set(part.rows["model"]) == {model}
    assert len(part.rows["score"]) == rows
    assert part.rows["score"].mean() == pytest.approx(mean)
    assert any("header-disagrees" in str(r) and noted in r.message for r in part.notes) == bool(noted)


@needs_shared
@pytest.mark.shared_data
@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("2025-02-11T15-17-00-05-00_popularity_dPiJifoWeEQBrfWsAopzWr.eval", "10 samples and no scores"),
        ("2025-05-12T20-28-13-04-00_no-samples.json", "only the header is there"),
        ("log_tool_call_error.json", "the only kept sample holds no score"),
    ],
)
def test_real_logs_without_scores_are_refused(name, sentence):
    with pytest.raises(ReadError, match=sentence):
        read_one(SHARED / "inspect" / name)


@needs_shared
@pytest.mark.shared_data
def test_no_other_real_file_is_claimed():
    files = [path for path in SHARED.rglob("*") if path.is_file()]
    claimed = {path.parent.name for path in files if InspectReader().claims(head_of(path))}

    assert claimed == {"inspect"}


def test_metric_that_is_no_score_is_refused_by_name_with_the_reason(tmp_path):
    samples = [sample(i, a=i % 2, b=1 - i % 2, bias="left" if i else "right") for i in range(4)]
    scores = Scores.from_parts([read_one(write_json(tmp_path / "a.json", samples))])

    with pytest.raises(ScoresError, match=r"metric 'bias' is no score: .*'left' \(3\), 'right' \(1\)"):
        scores.select(metric="bias")
    with pytest.raises(ScoresError, match=r"2 metrics: 'a' .*'b' .*no scores: 'bias'"):
        scores.cuts()
    with pytest.raises(ScoresError, match="no metric is called 'bia'"):
        scores.select(metric="bia")
    assert scores.select(metric="a").metrics == ("a",)
    assert scores.explain()["files"][0]["unusable"][0][0] == "bias"


def test_categories_with_numbers_are_scores_and_said(tmp_path):
    values = ["left", "right", "left", "both"]
    log = write_json(tmp_path / "a.json", [sample(i, bias=value) for i, value in enumerate(values)])
    part = read_one(log, categories={"left": 1.0, "right": 0.0, "both": 0.5, "centre": 0.5})

    assert list(scores_of(part, "bias").values()) == [1.0, 0.0, 1.0, 0.5]
    assert part.score_range == (0.0, 1.0)
    assert [remark.message for remark in part.notes] == [
        "score text was read as numbers: left as 1, right as 0, both as 0.5"
    ]


def test_category_without_a_number_is_refused_with_the_option(tmp_path):
    log = write_json(tmp_path / "a.json", [sample(i, bias=value) for i, value in enumerate(["left", "both"])])

    with pytest.raises(
        ReadError, match=r"'left' \(1\), 'both' \(1\).*give each its number \(--category both=NUMBER,left=NUMBER\)"
    ):
        read_one(log)
    with pytest.raises(ReadError, match=r"categories, not scores: 'both' \(1\);.*--category left=1,both=NUMBER\)"):
        read_one(log, categories={"left": 1.0})


def test_given_numbers_come_before_inspects_and_may_leave_the_unit(tmp_path):
    log = write_json(tmp_path / "a.json", [sample(1, s="P"), sample(2, s="C"), sample(3, s={"k": "good"}["k"])])
    part = read_one(log, categories={"P": 0.0, "C": 2.0, "good": 3.0})

    assert list(scores_of(part, "s").values()) == [0.0, 2.0, 3.0]
    assert part.score_range is None


def test_among_letter_grades_c_is_a_grade(tmp_path):
    log = write_json(tmp_path / "a.json", [sample(i, s="ABCD"[i % 4]) for i in range(8)])

    with pytest.raises(ReadError, match=r"'C' \(2\).*all but C as 0.*A=NUMBER,B=NUMBER,C=NUMBER,D=NUMBER\)"):
        read_one(log)
    with pytest.raises(ReadError, match=r"'C' beside 'A' is a category too.*--category A=4,B=3,D=1,C=NUMBER\)"):
        read_one(log, categories={"A": 4.0, "B": 3.0, "D": 1.0})
    part = read_one(log, categories={"A": 4.0, "B": 3.0, "C": 2.0, "D": 1.0})
    assert sum(scores_of(part, "s").values()) == 20.0


def test_a_log_spelled_in_words_and_marks_keeps_its_marks(tmp_path):
    log = write_json(tmp_path / "a.json", [sample(1, s="C"), sample(2, s="incorrect"), sample(3, s="I")])

    with pytest.raises(ReadError, match=r"\(--category incorrect=0\)"):
        read_one(log)
    assert list(scores_of(read_one(log, categories={"incorrect": 0.0}), "s").values()) == [1.0, 0.0, 0.0]


def test_nan_as_text_is_unscored_as_inspect_has_it(tmp_path):
    part = read_one(write_json(tmp_path / "a.json", [sample(1, s="C"), sample(2, s="NaN"), sample(3, s="nan")]))

    assert part.rows["status"].tolist() == ["ok", "unscored", "unscored"]


def test_lists_cannot_be_given_a_number(tmp_path):
    log = write_json(tmp_path / "a.json", [sample(1, s=[["a", "b"]])])

    with pytest.raises(ReadError, match=r"score the log again with a scorer that returns numbers"):
        read_one(log)


def test_header_fields_can_be_the_model_the_task_or_a_variant(tmp_path):
    options = {"task_args": {"prompt": "short", "shots": 5}, "tags": ["v2", "nightly"]}
    log = write_json(tmp_path / "a.json", [sample(1, s=1)], **options)
    columns = {"model": "eval.model+task_args.shots", "variant": "eval.task_args.prompt", "task": "eval.dataset.name"}
    rows = read_one(log, columns=columns).rows

    assert rows["model"].tolist() == ["openai/gpt-4o+5"]
    assert rows["variant"].tolist() == ["short"]
    assert rows["task"].tolist() == ["sums"]
    assert read_one(log, columns={"variant": "tags"}).rows["variant"].tolist() == ["nightly,v2"]
    assert ("variant", "tags") in read_one(log, columns={"variant": "tags"}).mapping


def test_log_without_tags_is_a_variant_too(tmp_path):
    log = write_json(tmp_path / "a.json", [sample(1, s=1)])

    assert read_one(log, columns={"variant": "tags"}).rows["variant"].tolist() == ["none"]


def test_header_field_that_is_missing_names_the_near_miss(tmp_path):
    log = write_json(tmp_path / "a.json", [sample(1, s=1)], task_args={"prompt": "short"})

    with pytest.raises(ReadError, match=r"the header has no 'eval\.task_args\.promt'.*did you mean 'prompt'"):
        read_one(log, columns={"variant": "eval.task_args.promt"})


def test_header_whose_average_is_not_that_of_the_samples_is_noted(tmp_path):
    scores = [{"name": "s", "scorer": "s", "metrics": {"accuracy": {"value": 0.75}, "stderr": {"value": 0.25}}}]
    agrees = [sample(1, s="C"), sample(1, 2, s="C"), sample(2, s="I"), sample(2, 2, s="C")]
    same = write_json(tmp_path / "a.json", agrees, scores=scores, total=4)
    other = write_json(tmp_path / "b.json", [*agrees[:3], sample(2, 2, s="I")], scores=scores, total=4)

    assert [remark.code for remark in read_one(same).notes] == ["converted"]
    remark = read_one(other).notes[-1]
    assert remark.code == "header-disagrees"
    assert "accuracy of 's' is 0.75 in the header, and 0.5 by its samples" in remark.message


def test_reducers_that_are_no_means_are_not_compared(tmp_path):
    scores = [{"name": "s", "scorer": "s", "reducer": "at_least_1", "metrics": {"accuracy": {"value": 1.0}}}]
    log = write_json(tmp_path / "a.json", [sample(1, s="C"), sample(1, 2, s="I")], scores=scores, total=2)

    assert [remark.code for remark in read_one(log).notes] == ["converted"]


def test_averages_of_the_keys_of_a_dict_are_compared(tmp_path):
    scores = [
        {"name": "a", "scorer": "d", "metrics": {"mean": {"value": 0.5}}},
        {"name": "b", "scorer": "d", "metrics": {"mean": {"value": math.nan}}},
    ]
    log = write_json(tmp_path / "a.json", [sample(i, d={"a": i, "b": None}) for i in range(2)], scores=scores, total=2)
    assert read_one(log).notes == ()
    scores[0]["metrics"]["mean"]["value"] = 0.25
    log = write_json(tmp_path / "a.json", [sample(i, d={"a": i, "b": None}) for i in range(2)], scores=scores, total=2)
    assert "mean of 'd.a' is 0.25 in the header, and 0.5 by" in read_one(log).notes[0].message


def test_samples_marked_invalid_count_and_are_said(tmp_path):
    marked = sample(2, s="I") | {"invalidation": {"author": "me", "reason": "leak"}}
    part = read_one(write_json(tmp_path / "a.json", [sample(1, s="C"), marked]))

    assert scores_of(part, "s") == {("1", "1"): 1.0, ("2", "1"): 0.0}
    assert "1 of 2 samples was marked invalid" in part.notes[-1].message
    assert part.notes[-1].code == "partial-log"
    path = write_json(tmp_path / "b.json", [sample(1, s="C")])
    path.write_text(json.dumps(json.loads(path.read_text()) | {"invalidated": True}))
    assert "the log was marked invalid" in read_one(path).notes[-1].message


def test_categories_on_the_command_line(tmp_path, capsys):
    log = write_json(tmp_path / "a.json", [sample(i, bias="left" if i % 4 else "right") for i in range(8)])
    command = ["estimate", str(log), "--format", "json"]

    assert main(command) == 2
    assert "--category left=NUMBER,right=NUMBER" in capsys.readouterr().err
    assert main([*command, "--category", "left=1", "--category", "right=0"]) == 0
    assert json.loads(capsys.readouterr().out)["results"][0]["value"] == 0.75


@pytest.mark.parametrize("item", ["q1", "a/b", "x_epoch_1/sample", 7])
def test_samples_in_pieces_are_read_from_their_shells(tmp_path, item):
    samples = [sample(item, epoch, s="CI"[epoch - 1], metadata={"p": epoch}) for epoch in (1, 2)]
    part = read_one(write_pieces(tmp_path / "a.eval", samples, total=2), cluster="metadata.p")

    assert scores_of(part, "s") == {(str(item), "1"): 1.0, (str(item), "2"): 0.0}
    assert part.rows["cluster"].tolist() == ["1", "2"]
    assert [remark.code for remark in part.notes] == ["converted"]


def test_one_log_may_hold_both_shapes(tmp_path):
    path = write_pieces(tmp_path / "a.eval", [sample("q1", s="C", metadata={"p": 1})])
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("samples/q2_epoch_1.json", json.dumps(sample("q2", s="I", metadata={"p": 2})))
    part = read_one(path, cluster="p")

    assert scores_of(part, "s") == {("q1", "1"): 1.0, ("q2", "1"): 0.0}
    assert part.rows["cluster"].tolist() == ["1", "2"]


def test_damaged_metadata_of_a_sample_in_pieces_is_named_where_it_is_wanted(tmp_path):
    path = write_pieces(tmp_path / "a.eval", [sample("q1", s="C")])
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("samples/q1_epoch_1/metadata.json", '{"p": ')

    assert len(read_one(path).rows["score"]) == 1
    with pytest.raises(ReadError, match=r"member 'samples/q1_epoch_1/metadata\.json': not valid JSON"):
        read_one(path, cluster="p")


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_header_written_twice_is_no_copy_of_a_sample(tmp_path):
    part = read_one(write_eval(tmp_path / "a.eval", [sample(1, s=1)], extra={"summaries.json": []}, total=1))
    path = write_eval(tmp_path / "b.eval", [sample(1, s=1)], total=1)
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("header.json", archive.read("header.json"))

    assert part.dropped == read_one(path).dropped == ()


@pytest.mark.parametrize("block", [{"model": ["x"]}, {"task": {"name": "x"}}, {"model": 5}])
def test_a_model_or_task_that_is_no_text_is_refused(tmp_path, block):
    (name,) = block
    with pytest.raises(ReadError, match=rf"'eval\.{name}' in the header is .*, not a text"):
        read_one(write_json(tmp_path / "a.json", [sample(1, s=1)], **block))


def test_an_epoch_of_null_is_the_first(tmp_path):
    part = read_one(write_json(tmp_path / "a.json", [sample(1, s=1), sample(2, epoch=None, s=1)]))
    assert part.rows["run"].tolist() == ["1", "1"]


def broken(n, **scores):
    return [sample(f"q{k}", error="no answer", **scores) for k in range(n)]


def test_a_log_of_errors_alone_has_the_metrics_of_its_task(tmp_path):
    """Its header names no scorer, so that its attempts would be of a metric that no other model has."""
    good = [sample(f"q{k}", match=int(k % 3 > 0), f1=k / 10) for k in range(9)]
    first = write_eval(tmp_path / "a.eval", broken(9), model="m/c", scores=None)
    logs = [write_eval(tmp_path / f"{m}.eval", good, model=f"m/{m}") for m in ("x", "y")]
    other = write_eval(tmp_path / "z.eval", broken(2), model="m/c", task="more", scores=None)
    *_, late, alone = read_all(first, *logs, other)
    assert (late.rows["metric"].tolist(), set(late.rows["status"])) == (["match"] * 9 + ["f1"] * 9, {"error"})
    assert alone.rows["metric"].tolist() == ["score"] * 2
    other.unlink()
    scores = read(tmp_path, metric="match")
    assert scores.models == ("m/c", "m/x", "m/y")
    assert [str(part.path.name) for part in scores.parts] == ["a.eval", "x.eval", "y.eval"]
    found = sb.compare(scores)
    assert {found.a, found.b} == {"m/x", "m/y"}
    (said,) = [one.message for one in found.notes if one.code == "models-left-out"]
    assert "'m/c' (9 attempts, of which all ended in an error)" in said
    with pytest.raises(ScoresError, match=r"9 attempts.* error\); leave the model out \(--model m/x --model m/y\), or"):
        sb.estimate(scores)
    worst = sb.compare(scores.with_options(on_error="wrong"), "m/c", "m/x")
    assert worst.value == pytest.approx(-6 / 9)
    assert "models-left-out" not in [one.code for one in worst.notes]
