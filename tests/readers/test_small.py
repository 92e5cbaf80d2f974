"""Small tables are read without the database, to the same rows; what is odd goes the long way."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.fresh import printed

from scorebars.contracts import Request
from scorebars.engines.duckdb import Engine
from scorebars.errors import ReadError, ScoresError
from scorebars.readers import small, small_cells
from scorebars.readers.files import head_of
from scorebars.readers.read import read
from scorebars.readers.small import largest, small_part
from scorebars.readers.table_rows import read_table
from scorebars.sample import Column


@pytest.fixture(scope="module")
def engine():
    with Engine() as made:
        yield made


HEADERS = ("model", "Question-ID", "seed", "correct", "error", "repo", "note", "agent", "acc", "stderr", "weight")
CELLS = st.sampled_from(
    ["", " ", "A", " b ", "1", "0.5", "1.0", "85%", "true", "None", "x,y", 'say "x"', "é", "[1]", "-"]
)
TABLES = st.lists(st.sampled_from(HEADERS), min_size=1, max_size=5, unique=True).flatmap(
    lambda names: st.tuples(st.just(names), st.lists(st.tuples(*[CELLS] * len(names)), max_size=5))
)


def as_csv(names, rows):
    quoted = [
        [f'"{cell.replace(chr(34), chr(34) * 2)}"' if set(cell) & set(',"') else cell for cell in row] for row in rows
    ]
    return "\n".join(",".join(row) for row in [names, *quoted]) + "\n"


def as_json(names, rows):
    return json.dumps([dict(zip(names, row, strict=True)) for row in rows], ensure_ascii=False)


def as_lines(names, rows):
    return "".join(json.dumps(dict(zip(names, row, strict=True))) + "\n" for row in rows)


def the_long_way(head, request):
    try:
        part = read_table(head, request, "m", alone=False)
    except ReadError as error:
        return str(error), None
    return {role: cells.tolist() for role, cells in request.engine.query(part.rows).items()}, dict(part.mapping)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(table=TABLES)
@pytest.mark.parametrize(
    "way",
    [("csv", as_csv, small_cells.CUT_AT_ONCE), ("csv", as_csv, 0), ("json", as_json, 0), ("jsonl", as_lines, 0)],
)
def test_the_same_rows_as_the_long_way(monkeypatch, tmp_path, engine, way, table):
    kind, writer, many = way
    monkeypatch.setattr(small_cells, "CUT_AT_ONCE", many)
    path = tmp_path / f"a.{kind}"
    path.write_text(writer(*table), encoding="utf-8")
    head, request = head_of(path), Request({}, None, engine)
    part = small_part(head, request, "m")
    if part is None:
        return
    expected, said = the_long_way(head, request)
    assert isinstance(expected, dict), expected
    found = {role: cells.tolist() for role, cells in part.rows.items()}
    del expected["rowid"]
    hashes = expected.pop("row_hash"), found.pop("row_hash")
    assert [(one == hashes[0][0]) for one in hashes[0]] == [(one == hashes[1][0]) for one in hashes[1]]
    assert {role: [cell or None for cell in cells] for role, cells in found.items()} == {
        role: [cell or None for cell in cells] for role, cells in expected.items()
    }
    assert dict(part.mapping) == said


@pytest.mark.parametrize(
    "text",
    [
        "model,item,score\nA,1,1\nA,2\n",
        'model,item,score\nA,"1,1\n',
        "model,item,score\nA,1,1\r\nA,2,1\r\n",
        "model,item,score\n",
        "1,2,3\n4,5,6\n",
        "model,item,score\nA,,1\n",
        "model,item,score,weight\nA,1,1,2\n",
        "item,A,B\n1,1,0\n",
        "model,item,score\nA,1,0.5 ± 0.1\n",
        "model,item,score\nA,1.0,1\n",
        "model,item,score\nA,1,[1]\n",
        "agent,model,item,score\nA,B,1,1\n",
    ],
)
def test_what_is_odd_goes_the_long_way(tmp_path, engine, text):
    path = tmp_path / "a.csv"
    path.write_bytes(text.encode())
    assert small_part(head_of(path), Request({}, None, engine), "m") is None


def test_many_small_files_of_several_kinds(tmp_path):
    for place in range(60):
        row = {"model": f"M{place % 3}", "item": f"q{place // 3}", "score": place % 2}
        if place % 4 == 3:
            row["seed"] = 1
        if place % 2:
            (tmp_path / f"{place:02}.json").write_text(json.dumps([row]))
        else:
            (tmp_path / f"{place:02}.csv").write_text(",".join(row) + "\n" + ",".join(map(str, row.values())) + "\n")
    scores = read(tmp_path)
    assert scores.models == ("M0", "M1", "M2")
    for cut in scores.cuts().cuts:
        expected = [place % 2 for place in range(60) if f"M{place % 3}" == cut.sample.model]
        assert cut.sample.score.tolist() == expected
        assert len(np.unique(cut.sample.item)) == 20


def test_an_error_in_one_of_many_names_its_file(tmp_path):
    for place in range(20):
        (tmp_path / f"{place:02}.csv").write_text(f"model,item,score\nA,{place},{'good' if place == 13 else 1}\n")
    with pytest.raises(Exception, match=r"score 'good' in row 1 of .*13\.csv"):
        read(tmp_path).cuts()


def test_an_attempt_in_two_files_is_refused(tmp_path):
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_text("model,item,score\nA,1,1\nA,2,0\n")
    with pytest.raises(ScoresError, match=r"a\.csv and .*b\.csv both have model 'A', item '1'"):
        read(tmp_path).cuts()


def test_copies_of_a_row_count_once_and_repeats_are_runs(tmp_path):
    (tmp_path / "a.csv").write_text("model,item,score,text\nA,1,1,x\nA,1,1,x\n")
    (tmp_path / "b.csv").write_text("model,item,score,text\nB,1,1,x\nB,1,1,x\n")
    assert [cut.sample.score.tolist() for cut in read(tmp_path).cuts().cuts] == [[1], [1]]
    (tmp_path / "b.csv").write_text("model,item,score,text\nB,1,1,x\nB,1,1,y\n")
    assert read(tmp_path / "b.csv").cuts().cuts[0].sample.score.tolist() == [1, 1]


@pytest.mark.slow
def test_ten_thousand_files_take_seconds(tmp_path):
    import time

    for place in range(10_000):
        (tmp_path / f"{place}.csv").write_text(f"model,item,score\nA,{place},{place % 2}\n")
    start = time.process_time()
    (cut,) = read(tmp_path).cuts().cuts
    assert len(cut.sample.score) == 10_000
    assert time.process_time() - start < 30


def test_the_database_is_not_even_imported_for_what_people_type(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("model,item,score\n" + "".join(f"M{n % 2},{n // 2},{n % 3 // 2}\n" for n in range(20_000)))
    code = (
        f"import sys, scorebars as sb; s = sb.read({str(path)!r}); s.cuts(); print(s.models, 'duckdb' in sys.modules)"
    )
    assert printed(code) == "('M0', 'M1') False\n"


@pytest.mark.parametrize("text", ["A,1,1\nA,1,1\n", "A,1,1\nA,1,0\n", 'A,1, "1"\n', "A,1,1\nA,é\ud800,1\n"])
def test_a_file_alone_goes_the_long_way_where_rows_repeat_or_quotes_are_loose(tmp_path, engine, text):
    path = tmp_path / "a.csv"
    path.write_bytes(("model,item,score\n" + text).encode("utf-8", "surrogatepass"))
    assert small_part(head_of(path), Request({}, None, engine), "m", alone=True) is None


def test_many_large_files_are_left_to_the_database(tmp_path):
    for name in "abc":
        (tmp_path / f"{name}.csv").write_text("model,item,score\n" + f"{name},1,1\n" * 150_000)
    heads = [head_of(path) for path in sorted(tmp_path.iterdir())]
    assert largest(heads[:1]) > heads[0].size > largest(heads)


@settings(max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(TABLES)
@pytest.mark.parametrize("many", [0, small_cells.CUT_AT_ONCE])
def test_codes_are_those_of_the_cells(monkeypatch, tmp_path, engine, many, table):
    monkeypatch.setattr(small_cells, "CUT_AT_ONCE", many)
    path = tmp_path / "a.csv"
    path.write_text(as_csv(*table), encoding="utf-8")
    part = small_part(head_of(path), Request({}, None, engine), "m", alone=True)
    for array, column in part.coded if part else ():
        texts = [None if code < 0 else column.labels[code] for code in column.codes.tolist()]
        assert texts == array.tolist()
        assert column.labels.tolist() == sorted({text for text in texts if text is not None})
        assert any(array is cells for cells in part.rows.values())


@pytest.mark.parametrize("scores", [["0", "1"], ["85%", "yes", "", "0.25"], [f"0.{number}" for number in range(2000)]])
def test_a_long_table_gives_the_same_scores_whichever_way_it_is_cut(monkeypatch, tmp_path, scores):
    path = tmp_path / "a.csv"
    rows = [
        f"{model},q{item:04d},{scores[(7 * item + len(model)) % len(scores)]}"
        for model in ("A", "BB", "CCC")
        for item in range(2500)
    ]
    path.write_text("\n".join(["model,item,score", *rows, ""]), encoding="utf-8")
    assert path.stat().st_size > small_cells.CUT_AT_ONCE
    cut = read(path)
    monkeypatch.setattr(small_cells, "CUT_AT_ONCE", 1 << 30)
    monkeypatch.setattr(small, "FEW_SCORES", 0)
    plain = read(path)
    assert cut.explain() == plain.explain()
    for one, other in zip(cut.cuts().cuts, plain.cuts().cuts, strict=True):
        assert one.sample.model == other.sample.model
        assert np.array_equal(one.sample.score, other.sample.score, equal_nan=True)
        assert np.array_equal(one.sample.item, other.sample.item)
    assert cut.cuts().notes == plain.cuts().notes


@pytest.mark.parametrize("again", [False, True])
@pytest.mark.parametrize("limit", [1, 1 << 30])
def test_a_repeat_is_found_among_many_combinations(monkeypatch, again, limit):
    monkeypatch.setattr(small, "MANY_KEYS", limit)
    rng = np.random.default_rng(1)
    rows = np.unique(rng.integers(0, 40, (300, 5)), axis=0)
    rows = np.vstack([rows, rows[7:8]]) if again else rows
    coded = {}
    for place, role in enumerate(("model", "task", "item", "metric", "run")):
        labels, codes = np.unique(rows[:, place], return_inverse=True)
        coded[role] = Column.of(codes.astype(np.int32) - (role in {"task", "metric"}), labels.astype(object))
    assert small._repeats(coded) is again
