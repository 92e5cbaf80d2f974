import os

import numpy as np
import pytest
from tests.fresh import printed

from scorebars.engines.duckdb import Engine, literal, quote
from scorebars.errors import ArgumentError, ReadError


@pytest.fixture
def engine():
    with Engine() as opened:
        yield opened


@pytest.mark.parametrize("text", ["plain", "it's", 'say "hi"', "a;b--c", "é ü 漢", "", "back\\slash", "new\nline"])
def test_quoted_identifiers_and_literals_survive_sql(engine, text):
    name = text or "empty"

    answer = engine.query(f"SELECT {literal(text)} AS {quote(name)}")

    assert {name: [text]} == {key: column.tolist() for key, column in answer.items()}


def test_null_is_nan_among_numbers_and_none_elsewhere(engine):
    answer = engine.query(
        "SELECT * FROM (VALUES (1, 1.5::DOUBLE, 'a', true), (NULL, NULL, NULL, NULL)) AS t(i, f, t, b)"
    )

    np.testing.assert_array_equal([1.0, np.nan], answer["i"])
    np.testing.assert_array_equal([1.5, np.nan], answer["f"])
    assert answer["t"].tolist() == ["a", None]
    assert answer["b"].tolist() == [True, None]


def test_registered_columns_come_back_as_they_were(engine):
    columns = {
        "text": np.array(["b", None, "a"], dtype=object),
        "fixed": np.array(["x", "yy", "zzz"]),
        "number": np.array([1.5, np.nan, -2.0]),
        "whole": np.array([3, 1, 2]),
    }

    engine.register("given", columns)
    answer = engine.query("SELECT * FROM given")

    assert answer["text"].tolist() == ["b", None, "a"]
    assert answer["fixed"].tolist() == ["x", "yy", "zzz"]
    np.testing.assert_array_equal(columns["number"], answer["number"])
    assert answer["whole"].tolist() == [3, 1, 2]
    assert engine.columns("SELECT * FROM given") == {
        "text": "VARCHAR",
        "fixed": "VARCHAR",
        "number": "DOUBLE",
        "whole": "BIGINT",
    }


def test_distinct_is_sorted_text_without_null(engine):
    assert engine.distinct("SELECT unnest([10, 2, NULL, 1, 2]) AS n", "n") == ["1", "10", "2"]


def test_a_variable_is_never_taken_for_a_table(engine):
    given = {"a": np.arange(3)}

    with pytest.raises(ReadError, match="given"):
        engine.query("SELECT * FROM given")
    assert len(given) == 1


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("SELECT nope FROM (SELECT 1 AS a)", "nope"),
        ("SELECT * FROM read_csv('/no/such/file.csv')", "/no/such/file.csv"),
        ("SELECT CAST('abc' AS DOUBLE)", "abc"),
        ("SELECT * FROM read_csv('https://example.org/a.csv')", "only local files"),
    ],
)
def test_errors_are_one_sentence_without_internals(engine, sql, said):
    with pytest.raises(ReadError, match=said) as caught:
        engine.query(sql)

    message = str(caught.value)
    assert "\n" not in message
    assert "LINE 1" not in message
    assert "INSTALL" not in message
    assert "Error:" not in message


def test_ctrl_c_ends_a_query_and_leaves_the_engine_usable(engine):
    import signal
    import threading

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            engine.query("SELECT count(*) FROM range(2000000000) AS t(a) WHERE hash(a) = 5")
    finally:
        timer.join()
        signal.signal(signal.SIGINT, before)

    assert engine.query("SELECT 1 AS one")["one"].tolist() == [1]


def test_too_little_memory_is_one_sentence():
    with Engine(memory_limit="30MB", threads=1) as engine:
        engine.execute("SET temp_directory = ''")
        with pytest.raises(ReadError, match="not enough memory"):
            engine.query("SELECT md5(range::VARCHAR) AS m FROM range(2000000) ORDER BY m")


def test_a_ragged_csv_names_its_line_and_no_options(engine, tmp_path):
    path = tmp_path / "ragged.csv"
    path.write_text("a,b\n" + "1,2\n" * 40 + "1\n", encoding="utf-8")

    with pytest.raises(ReadError, match="Line: 42") as caught:
        engine.query(
            f"SELECT * FROM read_csv({literal(str(path))}, columns={{'a': 'VARCHAR', 'b': 'VARCHAR'}}, delim=',', "
            "header=true, auto_detect=false)"
        )

    assert "strict_mode" not in str(caught.value)


def test_extensions_stay_off_and_threads_follow_the_environment(monkeypatch):
    monkeypatch.setenv("SCOREBARS_NUM_THREADS", "1")
    with Engine() as engine:
        settings = engine.query(
            "SELECT name, value FROM duckdb_settings() WHERE name IN "
            "('threads', 'autoinstall_known_extensions', 'autoload_known_extensions')"
        )

    assert dict(zip(settings["name"], settings["value"], strict=True)) == {
        "threads": "1",
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",
    }


@pytest.mark.parametrize("text", ["0", "-1", "two", "1.5", "²"])
def test_a_senseless_number_of_threads_is_refused(monkeypatch, text):
    monkeypatch.setenv("SCOREBARS_NUM_THREADS", text)

    with pytest.raises(ArgumentError, match="SCOREBARS_NUM_THREADS"):
        Engine()


def test_temporary_files_go_with_the_engine(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    engine = Engine(memory_limit="60MB", threads=1)

    engine.execute("CREATE TABLE big AS SELECT random() AS a, md5(range::VARCHAR) AS b FROM range(1500000)")
    spilled = sum(len(files) for _, _, files in os.walk(tmp_path))
    engine.close()
    engine.close()

    assert spilled > 0
    assert list(tmp_path.iterdir()) == []


def test_no_progress_bar_is_ever_printed():
    # DuckDB turns its bar on where the main module has no file, as under python -c.
    ask = "SELECT current_setting('enable_progress_bar') AS bar"
    script = f"from scorebars.engines.duckdb import Engine; print(Engine().query({ask!r})['bar'].tolist())"
    assert printed(script) == "[False]\n"


def test_many_cores_do_not_eat_the_memory(monkeypatch):
    monkeypatch.delenv("SCOREBARS_NUM_THREADS", raising=False)
    monkeypatch.setattr("os.cpu_count", lambda: 64)
    with Engine() as engine:
        assert engine.query("SELECT current_setting('threads') AS n")["n"].tolist() == [8]


def test_nothing_is_imported_or_opened_before_the_first_query():
    code = """
import sys
from scorebars.engines.duckdb import Engine
engine = Engine()
assert "duckdb" not in sys.modules
engine.close()
engine = Engine()
assert engine.storage(large=True) == "storage."
assert "duckdb" in sys.modules
engine.close()
"""
    printed(code)


def test_closed_engine_answers_no_more():
    engine = Engine()
    engine.close()
    with pytest.raises(ReadError, match="closed"):
        engine.query("SELECT 1")
