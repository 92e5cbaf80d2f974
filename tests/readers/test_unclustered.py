"""Files with clusters beside files without: the remedy of the refusal works."""

from __future__ import annotations

import json
import re

import pytest
from tests.readers.formats import swe_report
from tests.readers.test_table import write

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
        read(mixed)
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
        read([report, table])
    scores = read([report, table], cluster="none")
    assert len(scores.models) == 2
    assert means(scores)["T"] == 1.0


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
