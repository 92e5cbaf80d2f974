"""Arrow files and workbooks give the rows that the same table as CSV gives; what is broken or unclear is a sentence."""

from __future__ import annotations

import gzip
import zipfile

import polars as pl
import pyarrow as pa
import pyarrow.feather
import pytest
from tests.readers.test_table import read, rows

from scorebars.engines import arrow_files
from scorebars.engines.duckdb import Engine
from scorebars.errors import ReadError
from scorebars.readers.read import read as read_all

TABLE = {
    "model": ["A", "A", "B é"],
    "id": [1, 2, None],
    "seed": [1.0, 2.0, 2.0],
    "correct": [True, False, None],
    "info": [{"user": "u"}, {"user": "v"}, None],
}


@pytest.fixture(scope="module")
def engine():
    with Engine() as made:
        yield made


def frame():
    return pa.table({**TABLE, "id": ["1", "2", "1.10"]})


WRITERS = {
    "a.feather": lambda path: pyarrow.feather.write_feather(frame(), str(path), compression="zstd"),
    "plain.arrow": lambda path: pyarrow.feather.write_feather(frame(), str(path), compression="uncompressed"),
    "old.feather": lambda path: pyarrow.feather.write_feather(frame().drop_columns(["info"]), str(path), version=1),
    "polars.ipc": lambda path: pl.from_arrow(frame()).write_ipc(path),
    "stream.arrows": lambda path: pl.from_arrow(frame()).write_ipc_stream(path),
    "stream.arrow": lambda path: pl.from_arrow(frame()).write_ipc_stream(path),
}


@pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::DeprecationWarning")
@pytest.mark.parametrize("name", WRITERS)
def test_arrow_files(tmp_path, engine, name):
    path = tmp_path / name
    try:
        WRITERS[name](path)
    except (ValueError, NotImplementedError, pa.ArrowException) as error:
        pytest.skip(f"this PyArrow no longer writes that version: {error}")
    expected = [("A", "1", "1", "true"), ("A", "2", "2", "false"), ("B é", "1.10", "2", None)]
    assert rows(path, engine, roles=("model", "item", "run", "score")) == expected
    packed = tmp_path / f"{name}.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert rows(packed, engine, roles=("model", "item", "run", "score")) == expected
    if "info" in frame().column_names and name != "old.feather":
        assert rows(path, engine, cluster="info.user", roles=("cluster",))[:2] == [("u",), ("v",)]


@pytest.mark.parametrize("name", ["a.feather", "stream.arrow", "stream.arrows", "polars.ipc"])
def test_arrow_files_by_polars_alone(tmp_path, engine, name, monkeypatch):
    WRITERS[name](tmp_path / name)
    known = arrow_files.find_spec
    monkeypatch.setattr(arrow_files, "find_spec", lambda package: None if package == "pyarrow" else known(package))
    assert rows(tmp_path / name, engine, roles=("model", "item", "score"))[2] == ("B é", "1.10", None)
    (tmp_path / name).write_bytes((tmp_path / name).read_bytes()[:200])
    with pytest.raises(ReadError, match="is damaged or truncated"):
        read(tmp_path / name, engine)


def test_without_a_package_the_error_says_what_to_install(tmp_path, engine, monkeypatch):
    WRITERS["a.feather"](tmp_path / "a.feather")
    monkeypatch.setattr(arrow_files, "find_spec", lambda _: None)
    with pytest.raises(ReadError, match=r"a\.feather is an Arrow file.*pip install pyarrow"):
        read(tmp_path / "a.feather", engine)


@pytest.mark.parametrize("share", [0.02, 0.5, 0.9])
@pytest.mark.parametrize("name", ["a.feather", "stream.arrow"])
def test_truncated_arrow(tmp_path, engine, name, share):
    path = tmp_path / name
    WRITERS[name](path)
    path.write_bytes(path.read_bytes()[: int(share * path.stat().st_size)])
    with pytest.raises(ReadError) as caught:
        read(path, engine)
    assert name in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_name_that_promises_something_else(tmp_path):
    for name, what in (("a.feather", "an Arrow file"), ("a.xlsx", "an Excel workbook")):
        (tmp_path / name).write_text("item,score\n1,1\n")
        with pytest.raises(ReadError, match=f"promises {what}, but it is delimited text"):
            read_all(tmp_path / name)
    (tmp_path / "a.xls").write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\x00" * 600)
    with pytest.raises(ReadError, match=r"Excel 2003 or before \(\.xls\); save it as \.xlsx or CSV"):
        read_all(tmp_path / "a.xls")


TENS = [(f"e{n}", f"&e{n - 1};" * 10) for n in range(1, 11)]
BOMB = "".join(f'<!ENTITY {name} "{text}">' for name, text in [("e0", "boom"), *TENS, ("e", "&e10;" * 10)])
"""Ten to the eleventh copies of one word."""


class TestExcel:
    @pytest.fixture
    def book(self):
        return pytest.importorskip("openpyxl", reason="openpyxl is not installed").Workbook()

    def save(self, book, tmp_path, sheets):
        for name, cells in sheets.items():
            sheet = book.active if book.active.max_row == 1 and book.active["A1"].value is None else book.create_sheet()
            sheet.title = name
            for row in cells:
                sheet.append(row)
        book.save(tmp_path / "results.xlsx")
        return tmp_path / "results.xlsx"

    def test_the_only_sheet(self, tmp_path, engine, book):
        cells = [["model", "id", "correct"], ["A", 1, True], [], ["A", 2.0, 0.5], ["B", "1.10", "85%"], ["B", 3, None]]
        path = self.save(book, tmp_path, {"all": cells})
        book.create_sheet("empty")
        book.save(path)
        assert rows(path, engine, roles=("model", "item", "score")) == [
            ("A", "1", "true"),
            ("A", "2", "0.5"),
            ("B", "1.10", "85%"),
            ("B", "3", None),
        ]
        assert read(path, engine)[1]["sheet"] == "'all'"

    def test_a_table_that_does_not_begin_in_the_corner(self, tmp_path, engine, book):
        path = self.save(book, tmp_path, {"x": [[], [None, "id", "score"], [None, "q1", 1], [None, "q2", 0]]})
        assert rows(path, engine, roles=("item", "score")) == [("q1", "1"), ("q2", "0")]

    def test_several_sheets(self, tmp_path, book):
        path = self.save(book, tmp_path, {"gpt 4": [["id", "score"], [1, 1]], "claude": [["id", "score"], [1, 0]]})
        with pytest.raises(ReadError, match=r"several sheets \('gpt 4', 'claude'\): choose one \('.*xlsx#gpt 4'\)"):
            read_all(path)
        scores = read_all([f"{path}#gpt 4", f"{path}#claude"])
        assert {cut.sample.model: cut.sample.score.tolist() for cut in scores.cuts().cuts} == {
            "claude": [0],
            "gpt 4": [1],
        }
        with pytest.raises(ReadError, match=r"has no sheet 'gpt'; did you mean 'gpt 4'"):
            read_all(f"{path}#gpt")

    def test_formulas_without_their_values(self, tmp_path, book):
        book.active.title = "x"
        for row in (["id", "score"], [1, 1], [2, "=1-1"], [3, None]):
            book.active.append(row)
        book.save(tmp_path / "a.xlsx")
        with pytest.raises(ReadError, match="cell B3 of 'x' is a formula whose value is not stored"):
            read_all(tmp_path / "a.xlsx")

    def test_broken_workbooks(self, tmp_path, book):
        path = self.save(book, tmp_path, {"x": [["id", "score"], [1, 1]]})
        data = path.read_bytes()
        for cut in (data[:300], data[:-40], data.replace(b"xl/worksheets/sheet1.xml", b"xl/worksheets/sheet9.xml")):
            path.write_bytes(cut)
            with pytest.raises(ReadError, match=r"results\.xlsx") as caught:
                read_all(path)
            assert "\n" not in str(caught.value)

    @pytest.mark.parametrize(
        ("declared", "reason"),
        [
            (BOMB, "limit on input amplification factor"),
            ('<!ENTITY e SYSTEM "file:///etc/hostname">', "undefined entity"),
        ],
        ids=["a bomb", "another file"],
    )
    def test_entities_in_a_sheet_are_not_expanded(self, tmp_path, book, declared, reason):
        path = self.save(book, tmp_path, {"x": [["id", "score"], [1, 1], [2, 0]]})
        with zipfile.ZipFile(path) as archive:
            members = {name: archive.read(name) for name in archive.namelist()}
        sheet = members["xl/worksheets/sheet1.xml"].decode()
        assert "<v>0</v>" in sheet
        sheet = f"<!DOCTYPE w [{declared}]>{sheet.replace('<v>0</v>', '<v>&e;</v>')}"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in members.items():
                archive.writestr(name, sheet if name == "xl/worksheets/sheet1.xml" else data)
        with pytest.raises(ReadError, match=f"results.xlsx is damaged or truncated, or no Excel workbook: {reason}"):
            read_all(path)

    def test_a_member_that_leads_out_of_a_workbook_is_never_written(self, tmp_path, book):
        inner = tmp_path / "a" / "b"
        inner.mkdir(parents=True)
        path = self.save(book, inner, {"x": [["id", "score"], [1, 1], [2, 0]]})
        with zipfile.ZipFile(path, "a") as archive:
            archive.writestr("../../evil.xml", "<a/>")
            archive.writestr("xl/worksheets/../../../evil.xml", "<a/>")
        assert read_all(path).tidy()["score"].tolist() == [1, 0]
        assert [one.name for one in tmp_path.rglob("*") if one.is_file()] == ["results.xlsx"]

    def test_a_workbook_without_cells(self, tmp_path, book):
        book.save(tmp_path / "a.xlsx")
        with pytest.raises(ReadError, match="has no sheet with cells"):
            read_all(tmp_path / "a.xlsx")


def test_a_workbook_where_openpyxl_is_missing(tmp_path, monkeypatch):
    import zipfile

    from scorebars.engines import excel

    with zipfile.ZipFile(tmp_path / "a.xlsx", "w") as archive:
        archive.writestr("xl/workbook.xml", "<x/>")
    monkeypatch.setattr(excel, "find_spec", lambda _: None)
    with pytest.raises(ReadError, match=r"pip install openpyxl, or save the sheet as CSV"):
        read_all(tmp_path / "a.xlsx")


@pytest.mark.parametrize("share", [0.3, 0.6, 0.9])
@pytest.mark.parametrize("torn", [False, True])
def test_a_damaged_workbook_is_said_to_be_damaged(tmp_path, share, torn):
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in [("model", "item", "score"), *(("A", f"item {n * n}", n % 3 / 2) for n in range(2000))]:
        book.active.append(row)
    whole_path, path = tmp_path / "whole.xlsx", tmp_path / "broken.xlsx"
    book.save(whole_path)
    whole = whole_path.read_bytes()
    place = int(len(whole) * share)
    flipped = bytes(255 - byte for byte in whole[place : place + 400])
    path.write_bytes(whole[:place] if torn else whole[:place] + flipped + whole[place + 400 :])
    with pytest.raises(
        ReadError, match=r"broken\.xlsx is damaged or truncated, or no Excel workbook: .*; copy it again"
    ):
        read_all(path)


def test_a_workbook_that_would_not_fit_is_refused_before_it_is_read(tmp_path, monkeypatch):
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in [("model", "item", "score"), *(("A", f"q{place}", place % 2) for place in range(500))]:
        book.active.append(row)
    book.save(tmp_path / "a.xlsx")
    monkeypatch.setattr("scorebars.engines.excel.LARGEST", 10_000)
    with pytest.raises(ReadError, match=r"its member 'xl/worksheets/sheet1.xml' alone .* save the sheet as CSV"):
        read_all(tmp_path / "a.xlsx")
