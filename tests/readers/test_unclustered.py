"""Files with clusters beside files without: the remedy of the refusal works."""

from __future__ import annotations

import json
import re

import pytest
from tests.readers.formats import swe_report
from tests.readers.test_table import write

import scorebars as sb
from scorebars.errors import ReadError, ScoresError
from scorebars.readers.read import read

CLUSTERED = "model,item,passage,score\n" + "".join(f"A,{i},p{i // 3},{i % 2}\n" for i in range(9))
LINES = "".join(json.dumps({"model": "B", "id": str(i), "score": int(i > 3)}) + "\n" for i in range(9))


@pytest.fixture
def mixed(tmp_path):
    """A folder of two formats, of which one has clusters."""
    write(tmp_path, CLUSTERED, "a.csv")
    write(tmp_path, LINES, "b.jsonl")
    return tmp_path


def means(scores):
    return {cut.sample.model: cut.sample.score.mean() for cut in scores.cuts().cuts}


def test_the_refusal_names_a_remedy_that_works(mixed):
    with pytest.raises(ScoresError, match=r"row 1 of \S*b.jsonl has no cluster \(9 of 18 rows") as caught:
        read(mixed).cuts()
    (option, value) = re.search(r"\((--cluster) (\w+)\)", str(caught.value)).groups()
    assert option == "--cluster"
    scores = read(mixed, cluster=value)
    assert means(scores) == {"A": 4 / 9, "B": 5 / 9}
    assert all(cut.sample.cluster is None for cut in scores.cuts().cuts)
    assert ("cluster", "none, as asked") in scores.parts[0].mapping


def test_reports_whose_repositories_are_clusters_beside_a_table(tmp_path):
    ids = [f"org__repo{i % 2}-{i}" for i in range(6)]
    report = write(tmp_path, json.dumps(swe_report(resolved=ids[:2], unresolved=ids[2:])), "m.run.json")
    table = write(tmp_path, "model,instance_id,resolved\n" + "".join(f"T,{item},1\n" for item in ids), "t.csv")
    with pytest.raises(ScoresError, match="--cluster none"):
        read([report, table]).cuts()
    scores = read([report, table], cluster="none")
    assert len(scores.models) == 2
    assert means(scores)["T"] == 1.0


def test_files_without_clusters_are_told_apart_metric_by_metric(mixed):
    for name, metric in (("a.csv", "f1"), ("b.jsonl", "accuracy")):
        (mixed / name).write_text((mixed / name).read_text().replace("score", metric))
    alone = {cut.sample.model: cut.sample for name in ("a.csv", "b.jsonl") for cut in read(mixed / name).cuts().cuts}
    for metric, model in (("f1", "A"), ("accuracy", "B")):
        (cut,) = read(mixed, metric=metric).cuts().cuts
        assert cut.sample.model == model
        assert (cut.sample.cluster is None) == (model == "B")
        assert cut.sample.score.tolist() == alone[model].score.tolist()
    both = {cut.sample.model: cut.sample for cut in read(mixed).cuts("metric").cuts}
    pairs = set(zip(both["A"].cluster.tolist(), alone["A"].cluster.tolist(), strict=True))
    assert len(pairs) == len(set(alone["A"].cluster.tolist())) == 3
    assert both["B"].cluster is None
    found = {row.model: (row.low, row.high) for row in sb.estimate(read(mixed), by="metric")}
    for name in ("a.csv", "b.jsonl"):
        (row,) = sb.estimate(read(mixed / name))
        assert found[row.model] == (row.low, row.high)
    assert "split-items" not in {note.code for note in read(mixed).cuts("metric").notes}


def test_the_model_of_the_refusal_can_be_looked_at_alone(mixed):
    with pytest.raises(ScoresError, match=r"look at its model alone \(--model B\), or give every row") as caught:
        read(mixed).cuts()
    (cut,) = read(mixed).select(model="B").cuts().cuts
    assert cut.sample.model in str(caught.value)
    write(mixed, LINES.replace('"B"', '"A"').replace('"id": "', '"id": "x'), "b.jsonl")
    with pytest.raises(ScoresError, match=r"\(--cluster none\), or give every row"):
        read(mixed).cuts()


def test_models_and_tasks_of_one_kind_can_be_chosen(mixed):
    (cut,) = read(mixed).select(model="B").cuts().cuts
    assert cut.sample.cluster is None
    (cut,) = read(mixed).select(model="A").cuts().cuts
    assert len(set(cut.sample.cluster.tolist())) == 3


def test_doctor_looks_at_both(mixed):
    found = sb.doctor(read(mixed))
    (refused,) = [one for one in found.findings if one.code == "refused"]
    assert "has no cluster" in refused.message
    assert "--cluster none" in refused.remedy
    assert {one.model for one in found.holdings} == {"A", "B"}


def test_one_file_without_its_clusters(mixed):
    assert read(mixed / "a.csv").cuts().cuts[0].sample.cluster is not None
    assert read(mixed / "a.csv", cluster="none").cuts().cuts[0].sample.cluster is None
    assert means(read(mixed / "b.jsonl", cluster="none")) == {"B": 5 / 9}
    assert read(mixed / "a.csv", sql="SELECT * FROM a", cluster="none").cuts().cuts[0].sample.cluster is None


def test_a_column_of_that_name_is_mapped(mixed):
    path = write(mixed, CLUSTERED.replace("passage", "none"), "c.csv")
    assert read(path, columns={"cluster": "none"}).cuts().cuts[0].sample.cluster is not None


def test_a_saved_mapping_keeps_no_such_column(mixed):
    read(mixed / "a.csv", columns={"item": "item"}, cluster="none", save_map=True)
    assert read(mixed / "a.csv").cuts().cuts[0].sample.cluster is not None


def test_a_wrong_column_is_still_an_error(mixed):
    with pytest.raises(ReadError, match="no column 'nine'"):
        read(mixed / "a.csv", cluster="nine")


def test_a_table_of_results_beside_them_lacks_no_column(tmp_path):
    write(tmp_path, CLUSTERED.replace("passage", "text"), "a.csv")
    write(tmp_path, "model,win_rate,standard_error,n_total\nA,0.5,0.1,9\nB,0.6,0.1,9\n", "leaderboard.csv")
    scores = read(tmp_path, cluster="text")
    assert means(scores) == {"A": 4 / 9}
    assert [note.code for note in scores.cuts().notes if note.code == "skipped-file"]
    with pytest.raises(ReadError, match=r"leaderboard.csv: no column 'text'"):
        read(tmp_path / "leaderboard.csv", cluster="text")
    write(tmp_path, "model,item,score\nB,1,1\nB,2,0\n", "b.csv")
    with pytest.raises(ReadError, match=r"b.csv: no column 'text'"):
        read(tmp_path, cluster="text")
