"""Tables of every kind become the same rows; what is ambiguous or broken is refused with what to do."""

from __future__ import annotations

import csv
import gzip
import io
import json
import re

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scorebars.contracts import Request
from scorebars.engines.duckdb import Engine
from scorebars.errors import ArgumentError, ReadError, ScoresError
from scorebars.readers.files import head_of, stem, zstandard
from scorebars.readers.read import read as read_all
from scorebars.readers.table import TableReader
from scorebars.readers.table_rows import read_table

HEADERS = ("model", "task", "item", "run", "score")
ROWS = [
    ("A", "t1", "1.10", "0", "1"),
    ("A", "t1", "1.1", "0", "0"),
    ("A", "t2", "x", "0", "0.5"),
    ("B é", "t1", "1.10", "1", "85%"),
    ("B é", "t2", 'he said "x"', "1", "true"),
]


@pytest.fixture(scope="module")
def engine():
    with Engine() as made:
        yield made


def read(path, engine, columns=None, cluster=None):
    """The rows of the long way; where the file is read without the database too, that must say the same."""
    head, request = head_of(path), Request(columns or {}, cluster, engine)
    (part,) = TableReader().read([head], request)
    if isinstance(part.rows, str):
        return engine.query(part.rows), dict(part.mapping)
    long = read_table(head, request, stem(path))
    found = engine.query(long.rows)
    assert dict(part.mapping) == dict(long.mapping)
    assert {role: cells.tolist() for role, cells in part.rows.items()} == {
        role: found[role].tolist() for role in part.rows
    }
    return found, dict(long.mapping)


def rows(path, engine, columns=None, roles=HEADERS, cluster=None):
    found, _ = read(path, engine, columns, cluster)
    return [tuple(found[role][place] for role in roles) for place in range(len(found["score"]))]


def as_csv(table, delimiter=",", headers=HEADERS):
    text = io.StringIO()
    csv.writer(text, delimiter=delimiter).writerows([headers, *table])
    return text.getvalue().encode()


def as_lines(table):
    return "".join(json.dumps(dict(zip(HEADERS, row, strict=True))) + "\n" for row in table).encode()


def as_array(table):
    return json.dumps([dict(zip(HEADERS, row, strict=True)) for row in table], indent=1).encode()


def as_member(table):
    return json.dumps({"when": "now", "results": [dict(zip(HEADERS, row, strict=True)) for row in table]}).encode()


def as_columns(table):
    return json.dumps(dict(zip(HEADERS, zip(*table, strict=True), strict=True))).encode()


def as_parquet(table):
    target = io.BytesIO()
    columns = dict(zip(HEADERS, map(list, zip(*table, strict=True)), strict=True))
    pq.write_table(pa.table(columns), target, compression="zstd")
    return target.getvalue()


WRITERS = {
    "csv": as_csv,
    "tsv": lambda table: as_csv(table, "\t"),
    "semicolon.csv": lambda table: as_csv(table, ";"),
    "bar.psv": lambda table: as_csv(table, "|"),
    "crlf.csv": lambda table: as_csv(table).replace(b"\n", b"\r\n").replace(b"\r\r", b"\r"),
    "bom.csv": lambda table: b"\xef\xbb\xbf" + as_csv(table),
    "blank.csv": lambda table: b"\n\n" + as_csv(table) + b"\n\n",
    "jsonl": as_lines,
    "lines.json": as_lines,
    "json": as_array,
    "array.jsonl": as_array,
    "member.json": as_member,
    "columns.json": as_columns,
    "parquet": as_parquet,
}
PACKERS = {"": lambda data: data, ".gz": gzip.compress, ".zst": zstandard().compress}


@pytest.mark.parametrize("packing", PACKERS)
@pytest.mark.parametrize("kind", WRITERS)
def test_every_kind_gives_the_same_rows(tmp_path, engine, kind, packing):
    path = tmp_path / f"it's [a] é.{kind}{packing}"
    path.write_bytes(PACKERS[packing](WRITERS[kind](ROWS)))
    assert rows(path, engine) == ROWS


ids = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), min_size=1, max_size=8).filter(
    lambda text: text == text.strip() and text
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(table=st.lists(st.tuples(ids, ids, ids, ids, st.sampled_from(["0", "1", "0.25"])), min_size=1, max_size=6))
@pytest.mark.parametrize("kind", ["csv", "semicolon.csv", "jsonl", "json", "parquet"])
def test_ids_survive_as_text(tmp_path, engine, kind, table):
    path = tmp_path / f"a.{kind}"
    path.write_bytes(WRITERS[kind](table))
    assert rows(path, engine) == table


def test_a_path_is_never_a_pattern(tmp_path, engine):
    (tmp_path / "[a]b.csv").write_bytes(as_csv(ROWS[:1]))
    (tmp_path / "ab.csv").write_bytes(as_csv(ROWS[1:]))
    (tmp_path / "a*.csv").write_bytes(as_csv(ROWS[2:]))
    assert rows(tmp_path / "[a]b.csv", engine) == ROWS[:1]
    assert rows(tmp_path / "a*.csv", engine) == ROWS[2:]


def test_folders_that_look_like_partitions_add_no_column(tmp_path, engine):
    (tmp_path / "model=X").mkdir()
    for name, data in (("a.csv", as_csv(ROWS)), ("a.parquet", as_parquet(ROWS))):
        (tmp_path / "model=X" / name).write_bytes(data)
        assert rows(tmp_path / "model=X" / name, engine) == ROWS


def test_typed_parquet_becomes_text(tmp_path, engine):
    pq.write_table(
        pa.table(
            {"item": pa.array([1, 2, 3]), "correct": pa.array([True, False, None]), "seed": pa.array([0.5, 1.0, 2.0])}
        ),
        tmp_path / "m.parquet",
    )
    found, mapping = read(tmp_path / "m.parquet", engine)
    assert found["item"].tolist() == ["1", "2", "3"]
    assert found["score"].tolist() == ["true", "false", None]
    assert found["run"].tolist() == ["0.5", "1.0", "2.0"]
    assert mapping["model"] == "the file's name ('m')"


# Which column is what.


def write(tmp_path, text, name="a.csv"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ("Model Name,Question-ID,Is_Correct", {"model": "Model Name", "item": "Question-ID", "score": "Is_Correct"}),
        ("agent,taskId,trial,reward", {"model": "agent", "item": "taskId", "run": "trial", "score": "reward"}),
        ("system,env,seed,Score", {"model": "system", "task": "env", "run": "seed", "score": "Score"}),
        ("provider,repo,instance_id,resolved", {"cluster": "repo", "item": "instance_id", "score": "resolved"}),
        ("model,doc_id,filter,scorer,acc", {"variant": "filter", "metric": "scorer", "score": "acc"}),
        ("model,benchmark,task_id,passed", {"task": "benchmark", "item": "task_id", "score": "passed"}),
    ],
)
def test_headers_are_recognised(tmp_path, engine, headers, expected):
    path = write(tmp_path, headers + "\n" + ",".join("1" for _ in headers.split(",")) + "\n")
    _, mapping = read(path, engine)
    for role, header in expected.items():
        assert f"'{header}'" in mapping[role]


def test_two_columns_for_a_role_are_an_error_that_proposes_the_mapping(tmp_path, engine):
    path = write(tmp_path, "agent,model,domain,task,reward\nx,y,d,t,1\nx,w,e,u,1\nz,y,d,t,1\n")
    with pytest.raises(ReadError) as caught:
        read(path, engine)
    text = str(caught.value)
    assert "a.csv: columns 'agent', 'model' could each be the model" in text
    assert "--map model=agent+model" in text
    assert "--map task=domain,item=task" in text


def test_an_id_beside_task_id_is_ambiguous(tmp_path, engine):
    path = write(tmp_path, "model,id,task_id,score\nA,1,2,1\n")
    with pytest.raises(ReadError, match=r"'id', 'task_id' could each be the item.*--map task=task_id"):
        read(path, engine)
    assert rows(path, engine, {"item": "id"}, ("item", "score")) == [("1", "1")]
    assert rows(path, engine, {"item": "id", "task": "task_id"}, ("task", "item")) == [("2", "1")]


def test_an_explicit_mapping_wins(tmp_path, engine):
    path = write(tmp_path, "agent,model,task,item,score,reward\nx,y,t,i,9,1\nx,,t,i,9,1\n")
    columns = {"model": "agent+model", "item": "task", "task": "item", "score": "reward"}
    assert rows(path, engine, columns, ("model", "item", "task", "score")) == [
        ("x+y", "t", "i", "1"),
        ("x", "t", "i", "1"),
    ]
    assert rows(path, engine, {"model": "agent+model", "score": "reward"}, ("item", "score"))[0] == ("i", "1")


def test_unknown_columns_and_roles_offer_the_nearest(tmp_path, engine):
    path = write(tmp_path, "model,qid,score\nA,1,1\n")
    with pytest.raises(ReadError, match=r"a\.csv: no column 'modle'; did you mean 'model'\?"):
        read(path, engine, {"model": "modle"})
    with pytest.raises(ArgumentError, match=r"'itme' is no role of a score table; did you mean 'item'\?"):
        read(path, engine, {"itme": "qid"})
    with pytest.raises(ReadError, match="no column 'pasage'"):
        read(path, engine, cluster="pasage")


def test_cluster_by_column_and_by_nested_field(tmp_path, engine):
    path = write(tmp_path, "model,item,topic,score\nA,1,math,1\n")
    assert rows(path, engine, cluster="topic", roles=("cluster", "score")) == [("math", "1")]
    record = {"model": "A", "item": 1, "score": 1, "info": {"task": {"user.id": 1, "user_id": "u"}}}
    for name, data in (
        ("a.jsonl", json.dumps(record)),
        ("b.json", json.dumps([record])),
        ("c.json", json.dumps({"r": [record]})),
    ):
        assert rows(write(tmp_path, data, name), engine, cluster="info.task.user_id", roles=("cluster",)) == [("u",)]
    pq.write_table(
        pa.table({"model": ["A"], "item": ["1"], "__metric__": [{"acc": 0.5, "f 1": 1.0}]}), tmp_path / "d.parquet"
    )
    assert rows(tmp_path / "d.parquet", engine, {"score": "__metric__.acc"}, ("score",)) == [("0.5",)]
    assert rows(tmp_path / "d.parquet", engine, {"score": "__metric__.f 1"}, ("score",)) == [("1.0",)]


def test_without_model_and_item_columns(tmp_path, engine):
    path = write(tmp_path, "score\n1\n0\n1\n", "gpt-4.1.csv")
    assert rows(path, engine, roles=("model", "item", "score")) == [
        ("gpt-4.1", "1", "1"),
        ("gpt-4.1", "2", "0"),
        ("gpt-4.1", "3", "1"),
    ]
    _, mapping = read(path, engine)
    assert mapping["model"] == "the file's name ('gpt-4.1')"
    assert "row's number" in mapping["item"]


def test_row_numbers_count_within_model_task_and_run(tmp_path, engine):
    path = write(tmp_path, "model,env,seed,score\nA,x,0,1\nB,x,0,2\nA,x,1,3\nA,y,0,4\nA,x,0,5\n")
    found = rows(path, engine, roles=("model", "task", "run", "item", "score"))
    assert [row[3] for row in found] == ["1", "1", "1", "1", "2"]
    assert [row[4] for row in found] == ["1", "2", "3", "4", "5"]


def test_several_score_columns_are_metrics(tmp_path, engine):
    path = write(tmp_path, "model,item,acc,F1,correct\nA,1,1,0.5,the answer\nA,2,0,0.25,another\n")
    assert rows(path, engine, roles=("item", "metric", "score")) == [
        ("1", "acc", "1"),
        ("1", "F1", "0.5"),
        ("2", "acc", "0"),
        ("2", "F1", "0.25"),
    ]
    _, mapping = read(path, engine)
    assert mapping["metric"] == "the headers of 'acc', 'F1'"
    assert mapping["ignored"] == "'correct'"


def test_several_score_columns_beside_a_metric_column(tmp_path, engine):
    path = write(tmp_path, "model,item,metric,score,acc\nA,1,m,1,0\n")
    with pytest.raises(ReadError, match=r"'score', 'acc' could each be the score.*--map score=score"):
        read(path, engine)


def test_status_only_where_the_error_column_is_filled(tmp_path, engine):
    text = "item,score,error,exception\n1,1,,\n2,,Timeout,\n3,0,none,\n4,,,ValueError\n5,,False,nan\n"
    found, _ = read(write(tmp_path, text), engine)
    assert found["status"].tolist() == ["ok", "error", "ok", "error", "ok"]
    lines = '{"item": 1, "score": 1, "error": null}\n{"item": 2, "score": null, "error": {"type": "Timeout"}}\n'
    found, _ = read(write(tmp_path, lines, "a.jsonl"), engine)
    assert found["status"].tolist() == ["ok", "error"]
    assert found["score"].tolist() == ["1", None]


def test_weights_are_numbers(tmp_path, engine):
    found, _ = read(write(tmp_path, "item,score,weight\n1,1,0.5\n2,0,2\n"), engine)
    assert found["weight"].tolist() == [0.5, 2.0]
    with pytest.raises(ReadError, match=r"a\.csv: .*heavy"):
        read(write(tmp_path, "item,score,weight\n1,1,heavy\n"), engine)


def test_equal_rows_share_their_identity(tmp_path, engine):
    text = "model,item,score,note\nA,1,1,x\nA,1,1,x\nA,1,1,y\n"
    for path in (
        write(tmp_path, text),
        write(tmp_path, '{"item":1,"score":1}\n{"item":1,"score":1}\n{"item":1,"score":0}\n', "a.jsonl"),
    ):
        found, _ = read(path, engine)
        one, two, three = found["row_hash"].tolist()
        assert one == two != three


# Wide tables.


def test_a_matrix_of_items_and_models(tmp_path, engine):
    path = write(tmp_path, "qid,prompt,gpt-4,claude (3),difficulty\nq1,hello,1,0,3\nq2,you,,True,1\n")
    assert rows(path, engine, roles=("item", "model", "score")) == [
        ("q1", "gpt-4", "1"),
        ("q1", "claude (3)", "0"),
        ("q2", "gpt-4", None),
        ("q2", "claude (3)", "True"),
    ]
    _, mapping = read(path, engine)
    assert mapping["model"] == "the headers of 'gpt-4', 'claude (3)'"
    assert mapping["ignored"] == "'prompt', 'difficulty'"


def test_a_matrix_without_ids_or_with_an_unnamed_index(tmp_path, engine):
    path = write(tmp_path, "a,b\n1,0\n0,0\n")
    assert rows(path, engine, roles=("item", "model", "score"))[2:] == [("2", "a", "0"), ("2", "b", "0")]
    path = write(tmp_path, ",a,b\nx,1,0\ny,0,0\n")
    assert rows(path, engine, roles=("item", "model", "score"))[2:] == [("y", "a", "0"), ("y", "b", "0")]


def test_a_wide_column_with_a_bad_cell_stays_in(tmp_path, engine):
    path = write(tmp_path, 'item,a,b\n1,1,0\n2,"1,234",0\n3,1,1\n')
    assert ("2", "a", "1,234") in rows(path, engine, roles=("item", "model", "score"))


@pytest.mark.parametrize(
    "text",
    [
        "model,item,quality\nA,1,1\n",
        "item,quality\n1,1\n",
        "game,seed,HNS,Max HNS\nx,0,1,2\n",
        "_step,loss,reward_mean\n0,1,2\n1,1,2\n",
    ],
)
def test_no_score_is_an_error_that_lists_the_columns(tmp_path, engine, text):
    with pytest.raises(ReadError, match=r"a\.csv: no column is known to hold the score; .*--map score=COLUMN"):
        read(write(tmp_path, text), engine)


def test_measures_are_no_models(tmp_path, engine):
    path = write(
        tmp_path, "item,a,b,prompt_tokens,latency (s),cost_usd,time-llm\n1,1,0,100,2.5,0.1,1\n2,0,0,100,2.5,0.1,1\n"
    )
    found, mapping = read(path, engine)
    assert set(found["model"]) == {"a", "b", "latency (s)", "time-llm"} - {"latency (s)"}
    assert "'prompt_tokens'" in mapping["ignored"]


def test_a_header_longer_than_what_is_looked_at_first(tmp_path, engine):
    models = [f"a-model-with-quite-a-long-name-indeed-{i:05}" for i in range(1500)]
    path = write(tmp_path, "item," + ",".join(models) + "\n" + "q" + ",1" * 1500 + "\n")
    assert path.stat().st_size > 1 << 16
    assert rows(path, engine, roles=("model", "score")) == [(model, "1") for model in models]


def test_separators_of_unicode_belong_to_their_cell(tmp_path, engine):
    path = write(tmp_path, "item,no\u2028te,score\nx\u2028y,z\x0c,1\n")
    assert rows(path, engine, roles=("item", "score")) == [("x\u2028y", "1")]


def test_columns_without_a_filled_cell_give_no_role(tmp_path, engine):
    path = write(tmp_path, "item,score,cluster,filter,task\n1,1,,,\n2,0,,,\n")
    found, mapping = read(path, engine)
    assert set(found) == {"model", "item", "score", "rowid"}
    assert not {"cluster", "variant", "task"} & set(mapping)
    with pytest.raises(ReadError, match=r"a\.csv: 'cluster', asked for as the cluster, is empty in every row"):
        read(path, engine, cluster="cluster")


def test_unknown_fields_of_nested_columns(tmp_path, engine):
    path = write(tmp_path, '{"item": 1, "score": 1, "info": {"user": "u"}}', "a.jsonl")
    with pytest.raises(ReadError, match=r"'info\.usr', asked for as the cluster, is empty in every row"):
        read(path, engine, cluster="info.usr")
    pq.write_table(pa.table({"item": ["1"], "score": [1], "info": [{"user": "u"}]}), tmp_path / "a.parquet")
    with pytest.raises(ReadError, match=r"no field 'info\.usr'; did you mean 'info\.user'"):
        read(tmp_path / "a.parquet", engine, cluster="info.usr")


# JSON shapes.


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"A": {"q1": 1, "q2": 0.50}, "B": {"q1": True}}, [("A", "q1", "1"), ("A", "q2", "0.5"), ("B", "q1", "true")]),
        ({"A": [1, 0], "B": [1]}, [("A", "1", "1"), ("A", "2", "0"), ("B", "1", "1")]),
        ({"q1": {"score": 1, "x": 2}, "q2": {"score": None}}, [("a", "q1", "1"), ("a", "q2", None)]),
        (
            {"A": {"q1": {"correct": False}}, "B": {"q1": {"correct": True}}},
            [("A", "q1", "false"), ("B", "q1", "true")],
        ),
        ({"model": "M", "results": [{"id": 1, "score": 1}]}, [("M", "1", "1")]),
        ({"model": "M", "results": [{"id": 1, "model": "N", "score": 1}]}, [("N", "1", "1")]),
        ({"logs": [{"x": 1}], "samples": [{"id": 1, "score": 1}]}, [("a", "1", "1")]),
        ({"item": ["x", "y"], "score": [1, 0]}, [("a", "x", "1"), ("a", "y", "0")]),
        ([1, 0, True], [("a", "1", "1"), ("a", "2", "0"), ("a", "3", "true")]),
        ([{"Score": 1, "id": 7}, {"Score": 0, "id": 8, "error": "x"}], [("a", "7", "1"), ("a", "8", "0")]),
    ],
)
def test_shapes_of_json(tmp_path, engine, value, expected):
    path = write(tmp_path, json.dumps(value, indent=2), "a.json")
    assert rows(path, engine, roles=("model", "item", "score")) == expected


def test_the_keys_of_an_object_can_be_tasks(tmp_path, engine):
    path = write(tmp_path, '{"Alien": [1, 2], "Pong": [3, 4]}', "DER.json")
    found = rows(path, engine, {"task": "key", "run": "position"}, ("model", "task", "item", "run", "score"))
    assert found == [
        ("DER", "Alien", "1", "1", "1"),
        ("DER", "Alien", "1", "2", "2"),
        ("DER", "Pong", "1", "1", "3"),
        ("DER", "Pong", "1", "2", "4"),
    ]


def test_keys_that_only_later_records_have(tmp_path, engine):
    lines = [{"id": i, "score": 1} for i in range(3000)] + [{"id": 3000, "score": None, "error": "boom"}]
    path = write(tmp_path, "\n".join(map(json.dumps, lines)), "a.jsonl")
    found, _ = read(path, engine)
    assert found["status"].tolist() == ["ok"] * 3000 + ["error"]


def test_a_first_record_longer_than_the_head(tmp_path, engine):
    lines = [{"id": 1, "text": "x" * 100_000, "score": 1}, {"id": 2, "score": 0}]
    path = write(tmp_path, "\n".join(map(json.dumps, lines)), "a.json")
    assert rows(path, engine, roles=("item", "score")) == [("1", "1"), ("2", "0")]


def test_numbers_in_loaded_json_keep_their_text(tmp_path, engine):
    path = write(
        tmp_path, '{"rows": [{"id": 1.10, "score": 1e-3}, {"id": 12345678901234567890123, "score": NaN}]}', "a.json"
    )
    assert rows(path, engine, roles=("item", "score")) == [("1.10", "1e-3"), ("12345678901234567890123", "NaN")]


# Refused input.


@pytest.mark.parametrize(
    ("name", "data", "sentence"),
    [
        ("a.csv", "model,item,score\n", "a header and no rows"),
        ("a.csv", "1,2\n3,4\n", "has no header"),
        ("a.csv", "model,score,score\nA,1,0\n", "has the header 'score' more than once"),
        ("a.csv", "model,item,score\nA,1,1\nA,2\n", "line 3 has 2 cells, the header has 3"),
        ("a.csv", "model,item,score\nA,1,1\nA,2,1,5\n", "line 3 has 4 cells, the header has 3"),
        ("a.csv", 'model,item,score\nA,"1,1\nA,2,0\n', "opens a quote that is never closed"),
        ("a.csv", "model,item,score\nA,1,1\nA,,1\n", "row 2 has no item"),
        ("a.csv", "model,item,score\n,1,1\n", "row 1 has no model"),
        ("a.json", "[]", "is an empty list"),
        ("a.json", "{}", "is an empty JSON object"),
        ("a.json", '{"a": 1, "b": 2}', "in no shape that holds one score an attempt"),
        ("a.json", '{"model": {"doc": {"field": {"f1": 1}}}}', "in no shape"),
        ("a.json", '{"item": [1, 2], "score": [1]}', "columns of unequal length ('item': 2, 'score': 1)"),
        ("a.json", "[[1, 2], [3, 4]]", "is a list of lists"),
        ("a.json", '{"A": {"q1": 1}', "it is truncated in line 1"),
        ("a.json", '[{"id": 1, "score": 1}, {"id": 2, "sc', "it is truncated in line 1"),
        ("a.json", '[{"id": 1, "score": 1},\n{"id": 2, "score": 0},\n', "it is truncated in line 3"),
        ("a.jsonl", '[{"id": 1, "score": 1},\n{"id": 2, "score": 0},' + " \n" * 2**20, "it is truncated in line 1"),
        ("a.json", '[{"id": 1, "score": 1}, 5]', "record 2 is no object"),
        ("a.json", '{"a": [{"x": 1}], "b": [{"y": 1}]}', "several lists of records ('a', 'b')"),
        ("a.jsonl", '{"id": 1, "score": 1}\n[1]\n', "line 2 is no object but a list"),
        ("a.jsonl", "{}\n{}\n", "holds no record"),
    ],
)
def test_refused(tmp_path, engine, name, data, sentence):
    path = write(tmp_path, data, name)
    with pytest.raises(ReadError) as caught:
        read(path, engine)
    assert sentence in str(caught.value)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_truncated_lines_name_the_line(tmp_path, engine):
    lines = "\n".join(json.dumps({"id": i, "score": 1}) for i in range(5000))
    with pytest.raises(ReadError, match=r"a\.jsonl: line 5000 is not valid JSON \(it is truncated at column 21\)"):
        read(write(tmp_path, lines[:-4], "a.jsonl"), engine)
    broken = lines.replace('"id": 2500', '"id" 2500')
    with pytest.raises(
        ReadError, match=r"a\.jsonl: line 2501 is not valid JSON \(expecting ':' delimiter at column 7\)"
    ):
        read(write(tmp_path, broken, "a.jsonl"), engine)


@pytest.mark.parametrize("name", ["a.csv", "a.jsonl"])
def test_a_byte_that_is_not_utf8_far_into_the_file(tmp_path, engine, name):
    writer = WRITERS[name.partition(".")[2]]
    data = writer([("A", "t", str(i), "0", "1") for i in range(20_000)] + [("XX", "t", "z", "0", "1")])
    assert len(data) > 1 << 18
    (tmp_path / name).write_bytes(data.replace(b"XX", b"X\xe9"))
    with pytest.raises(ReadError, match=r"is not UTF-8: byte 0xe9 at position [\d,]+ \(line 2000\d\)"):
        read(tmp_path / name, engine)


def test_truncated_parquet(tmp_path, engine):
    path = tmp_path / "a.parquet"
    path.write_bytes(as_parquet(ROWS)[:-20])
    with pytest.raises(
        ReadError, match=r"a\.parquet is damaged or truncated: No magic bytes found at end; copy or write it again"
    ):
        read(path, engine)


def test_long_cells_are_read(tmp_path, engine):
    path = write(tmp_path, "item,answer,score\n1," + "x" * 5_000_000 + ",1\n2,y,0\n")
    assert rows(path, engine, roles=("item", "score")) == [("1", "1"), ("2", "0")]


@pytest.mark.parametrize("place", ["first", "last"])
def test_mixed_line_ends(tmp_path, engine, place):
    text = "item,score\r\n1,1\n2,0\n" if place == "first" else "item,score\n1,1\r\n2,0\n"
    (tmp_path / "a.csv").write_bytes(text.encode())
    assert rows(tmp_path / "a.csv", engine, roles=("item", "score")) == [("1", "1"), ("2", "0")]


def test_rows_of_empty_cells_are_left_out(tmp_path, engine):
    path = write(tmp_path, "item,score,\n1,1,\n,,\n2,0,\n")
    assert rows(path, engine, roles=("item", "score")) == [("1", "1"), ("2", "0")]


def test_file_order_is_kept(tmp_path, engine):
    table = [("A", "t", str(i * 7919 % 100_003), "0", "1") for i in range(100_003)]
    for kind in ("csv", "jsonl", "parquet"):
        (tmp_path / f"a.{kind}").write_bytes(WRITERS[kind](table))
        found, _ = read(tmp_path / f"a.{kind}", engine)
        assert np.array_equal(found["item"], np.array([row[2] for row in table], dtype=object))


# Categories.


def test_categories_are_refused_or_get_their_numbers(tmp_path):
    path = write(tmp_path, "item,score\n1,good\n2,Partial\n3,poor\n4,\n5,0.25\n")
    with pytest.raises(
        ScoresError, match=r"score 'good' in row 1 .* is not a score.*--category good=1,Partial=0.5,poor=0"
    ):
        read_all(path).cuts()
    with pytest.raises(ScoresError, match="score 'poor' in row 3"):
        read_all(path, categories={"good": 1, "partial": 0.5}).cuts()
    scores = read_all(path, categories={"GOOD": 1, "partial": 0.5, "poor": 0})
    (cut,) = scores.cuts().cuts
    assert cut.sample.score.tolist() == [1.0, 0.5, 0.0, 0.25]
    assert ("score", "'partial' as 0.5") in scores.parts[0].mapping


def test_among_letter_grades_c_is_a_grade(tmp_path):
    path = write(tmp_path, "item,score\n" + "".join(f"{i},{'ABCD'[i % 4]}\n" for i in range(8)))
    with pytest.raises(ScoresError, match="--category A=NUMBER,B=NUMBER,C=NUMBER,D=NUMBER"):
        read_all(path).cuts()
    with pytest.raises(ReadError, match=r"a\.csv: 'C' beside '[ABD]' is a category too.*A=4,B=3,D=1,C=NUMBER"):
        read_all(path, categories={"A": 4, "B": 3, "D": 1})
    (cut,) = read_all(path, categories={"A": 4, "B": 3, "c": 2, "D": 1}).cuts().cuts
    assert cut.sample.score.tolist() == [4.0, 3.0, 2.0, 1.0] * 2


def test_inspects_letters_in_a_table_count_as_in_a_log(tmp_path):
    path = write(tmp_path, "item,score\n1,C\n2,I\n3,P\n4,N\n")
    assert read_all(path).cuts().cuts[0].sample.score.tolist() == [1.0, 0.0, 0.5, 0.0]
    assert read_all(path, categories={"P": 0.25}).cuts().cuts[0].sample.score.tolist() == [1.0, 0.0, 0.25, 0.0]


def test_categories_make_a_column_a_score(tmp_path):
    path = write(tmp_path, "item,A,B\n1,good,poor\n2,poor,poor\n")
    with pytest.raises(ReadError, match="it holds no scores"):
        read_all(path)
    scores = read_all(path, categories={"good": 1, "poor": 0})
    assert {cut.sample.model: cut.sample.score.tolist() for cut in scores.cuts().cuts} == {"A": [1, 0], "B": [0, 0]}


@pytest.mark.parametrize("files", [
    {"a.csv": "item,A,B\n1,85%,0.5\n2,40%,62\n"},
    {"a.csv": "item,score\n1,85%\n2,40%\n", "b.csv": "item,score\n1,0.5\n2,62\n"},
    {"a.jsonl": '{"model": "A", "item": 1, "score": "85%"}\n{"model": "B", "item": 2, "score": 62}\n'},
])  # fmt: skip
def test_a_percent_sign_beside_a_plain_number_is_refused_with_both_places(tmp_path, files):
    for name, text in files.items():
        write(tmp_path, text, name)
    last = list(files)[-1]
    with pytest.raises(
        ScoresError, match=rf"'85%', which is 0.85, in row 1 of \S*a\.\w+ .*and 62 in row 2 of \S*{last}"
    ):
        read_all(str(tmp_path)).cuts()


@pytest.mark.parametrize(("name", "text"), [
    ("a.csv", "score\n1\n\n0\n\n\n"), ("a.csv", 'score\n1\n""\n0\n'),
    ("a.jsonl", '{"score": 1}\n{"score": null}\n{"score": 0}\n'),
    ("a.csv", "model,score\nM,1\nM,\nM,0\n"),
])  # fmt: skip
def test_a_row_without_its_score_keeps_its_place_where_nothing_else_names_items(tmp_path, name, text):
    (cut,) = read_all(write(tmp_path, text, name)).cuts().cuts
    assert (cut.sample.score.tolist(), cut.dropped) == ([1.0, 0.0], (("no score", 1),))
    found = read_all(write(tmp_path, text, name)).tidy()
    assert found["item"].tolist() == ["1", "2", "3"]


@pytest.mark.parametrize("blank", [" ", "   ", "\u00a0", "\u3000", "\u2003 "])
@pytest.mark.parametrize("name", ["q", "é", "q é q", "問", "~", "!"])
def test_blanks_around_an_id_do_not_count_whatever_its_letters(tmp_path, engine, blank, name):
    path = tmp_path / "a.jsonl"
    items = [f"{blank}{name}", f"{name}2{blank}", f"{blank}{name}3{blank}", f"{name}{blank}4"]
    path.write_text("".join(json.dumps({"item": item, "score": 1}) + "\n" for item in items), encoding="utf-8")
    found = engine.query(read_table(head_of(path), Request({}, None, engine), "m").rows)
    assert found["item"].tolist() == [name, f"{name}2", f"{name}3", f"{name}{blank}4"]


@pytest.mark.parametrize(("answer", "large"), [("x" * 3000, False), ("x", True)])
@pytest.mark.parametrize("suffix", [".csv", ".jsonl"])
def test_few_long_rows_stay_in_memory_and_many_short_ones_do_not(tmp_path, monkeypatch, answer, large, suffix):
    monkeypatch.setattr("scorebars.readers.table_rows.LARGE_BYTES", 1000)
    monkeypatch.setattr("scorebars.readers.table_rows.MANY_ROWS", 90)
    path = tmp_path / f"a{suffix}"
    rows = [{"model": "é", "item": f"q{n}", "score": n % 2, "answer": answer} for n in range(100 if large else 80)]
    if suffix == ".csv":
        path.write_text("".join(",".join(map(str, row)) + "\n" for row in [rows[0], *(each.values() for each in rows)]))
    else:
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    with Engine() as engine:
        part = read_table(head_of(path), Request({}, None, engine), "m")
        assert ("FROM storage." in part.rows) is large
        assert engine.query(f"SELECT sum(score::INT) AS n FROM ({part.rows})")["n"][0] == len(rows) // 2


@pytest.mark.parametrize("ending", ["csv", "jsonl"])
@pytest.mark.parametrize("more", [0, 40_000])
def test_models_that_differ_only_in_blanks_are_one_and_named(tmp_path, ending, more):
    rows = [(model, item, item % 2) for model in ("A", "A ", "B") for item in range(10)]
    rows += [("C", item, item % 2) for item in range(more)]  # too many for the reader of small tables
    path = tmp_path / f"t.{ending}"
    keys = ("model", "item", "score")
    if ending == "csv":
        path.write_text("\n".join(",".join(map(str, row)) for row in [keys, *rows]))
    else:
        path.write_text("\n".join(json.dumps(dict(zip(keys, row, strict=True))) for row in rows))
    scores = read_all(path)
    assert scores.models == (("A", "B", "C") if more else ("A", "B"))
    (said,) = [one.message for one in scores.cuts().notes if one.code == "blanks-around"]
    assert said.startswith("'A', 'A ' differ only in blanks around the name and count as one model, 'A'; if they are")


def test_blanks_around_one_spelling_are_nothing_to_say(tmp_path):
    (tmp_path / "t.csv").write_text("model,item,score\nA ,1,1\nA ,2,0\n B,1,1\n B,2,1\n")
    scores = read_all(tmp_path / "t.csv")
    assert scores.models == ("A", "B")
    assert [one.code for one in scores.cuts().notes] == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.csv", "model,item,score\nA,1,1\nA,  ,0\nA,2,1\n"),
        ("a.jsonl", '{"item": "1", "score": 1}\n{"item": "", "score": 0}\n{"item": "2", "score": 1}\n'),
        ("b.jsonl", '{"item": 1, "score": 1}\n{"item": null, "score": 0}\n{"item": 2, "score": 1}\n'),
    ],
)
def test_the_query_without_rows_that_lack_an_item_works(tmp_path, engine, name, text):
    path = write(tmp_path, text, name)
    with pytest.raises(ReadError, match="row 2 has no item") as caught:
        read(path, engine)
    query = re.search(r"--sql '(.*)'\)", str(caught.value))[1]
    scores = read_all(path, sql=query)
    assert [cut.sample.score.tolist() for cut in scores.cuts().cuts] == [[1.0, 1.0]]
