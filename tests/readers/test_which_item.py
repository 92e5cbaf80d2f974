"""Two columns that could each be the item: the key of a table is not proposed where the other one repeats."""

from __future__ import annotations

import gzip
import sqlite3

import pandas as pd
import pytest

import scorebars as sb
from scorebars.errors import ReadError, ScoresError
from scorebars.readers.read import read

COLUMNS = ("id", "model", "question_id", "attempt", "correct")
ROWS = [
    (1 + 20 * place + 5 * item + attempt, model, item, attempt, (item * 3 + attempt + place) % 4 % 2)
    for place, model in enumerate("ab") for item in range(4) for attempt in range(5)
]  # fmt: skip
MEAN = sum(row[4] for row in ROWS if row[1] == "a") / 20


def table(path, columns=COLUMNS, rows=ROWS):
    text = "\n".join([",".join(columns), *(",".join(map(str, row)) for row in rows), ""])
    if path.suffix == ".gz":
        path.write_bytes(gzip.compress(text.encode()))
    elif path.suffix == ".sqlite":
        with sqlite3.connect(path) as connection:
            connection.execute(f"CREATE TABLE results ({', '.join(columns)})")
            connection.executemany(f"INSERT INTO results VALUES ({', '.join('?' * len(columns))})", rows)
        connection.close()
    else:
        path.write_text(text)
    return path


@pytest.mark.parametrize("name", ["a.csv", "a.csv.gz", "a.sqlite"])
@pytest.mark.parametrize("item", ["question_id", "problem_id", "sample_id", "item"])
def test_the_column_that_repeats_is_proposed(tmp_path, name, item):
    path = table(tmp_path / name, [item if header == "question_id" else header for header in COLUMNS])
    with pytest.raises(ReadError) as caught:
        read(path)
    said, proposed = str(caught.value), "".join(caught.value.__notes__)
    assert f"columns 'id', '{item}' could each be the item" in said or f"columns '{item}', 'id'" in said
    assert f"choose one (--map item={item},run=attempt)" in said
    assert said.endswith(f"'id' is another in every row, and '{item}' repeats")
    assert proposed.endswith(f"--map item={item},run=attempt")
    found = sb.estimate(read(path, columns={"item": item, "run": "attempt"}))[0]
    assert (found.value, found.n_items, found.n_runs) == (pytest.approx(MEAN), 4, (5, 5))


def test_numbers_of_all_rows_are_no_runs(tmp_path):
    path = table(tmp_path / "a.csv", rows=[(*row[:3], n, row[4]) for n, row in enumerate(ROWS)])
    with pytest.raises(ReadError, match=r"choose one \(--map item=question_id\)"):
        read(path)


def test_the_key_is_proposed_where_nothing_speaks_for_the_other(tmp_path):
    unlike = [(*row[:2], 100 + row[0], *row[3:]) for row in ROWS]  # another in every row too
    same = [(*row[:2], 7, *row[3:]) for row in ROWS]
    again = [(row[0] % 20, *row[1:]) for row in ROWS]  # the ids of items that both models have
    for place, rows in enumerate((unlike, same, again)):
        with pytest.raises(ReadError, match=r"choose one \(--map item=id\)") as caught:
            read(table(tmp_path / f"{place}.csv", rows=rows))
        assert "repeats" not in str(caught.value).partition("if so")[0]
        with pytest.raises(ScoresError, match=r"name the right one, item='id'$"):
            sb.Scores(pd.DataFrame(rows, columns=list(COLUMNS)))
    document = ["doc_id" if header == "question_id" else header for header in COLUMNS]  # several questions on each
    with pytest.raises(ReadError, match=r"choose one \(--map item=id\)"):
        read(table(tmp_path / "document.csv", document))


def test_frames_are_told_the_same():
    frame = pd.DataFrame(ROWS, columns=list(COLUMNS))
    with pytest.raises(ScoresError) as caught:
        sb.Scores(frame)
    assert str(caught.value) == (
        "columns 'id', 'question_id' could each be the item: name the right one, item='question_id'; 'id' is another "
        "in every row, and 'question_id' repeats"
    )
    assert sb.estimate(sb.Scores(frame, item="question_id", run="attempt"))[0].value == pytest.approx(MEAN)
