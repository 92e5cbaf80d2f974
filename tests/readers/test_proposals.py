"""Several questions about one table, asked at once."""

from __future__ import annotations

import pytest
from tests.readers.test_spread import obeyed, remedy
from tests.readers.test_table import write

from scorebars.errors import ReadError
from scorebars.readers.read import read

ROWS = [
    (model, f"u{n}", listener, (n + k) % 5 + 1) for model in "xy" for n in range(8) for k, listener in enumerate("abc")
]


def test_questions_that_follow_one_another_do_not_list_the_columns_again(tmp_path):
    rows = [",".join(map(str, row)) for row in ROWS]
    path = write(tmp_path, "\n".join(["system,utterance,panel,zeal", *rows, ""]))
    with pytest.raises(ReadError, match=r"name it with --map score=zeal; if so, ") as caught:
        read(path)
    assert "known headers" not in str(caught.value)
    assert "columns:" not in str(caught.value)
    assert remedy(caught.value)["--map"].startswith("score=zeal,item=utterance")


def test_one_question_lists_what_could_be_meant(tmp_path):
    path = write(
        tmp_path, "\n".join(["model,id,zeal", *(f"{model},{n},{n % 5}" for model in "xy" for n in range(8)), ""])
    )
    with pytest.raises(
        ReadError, match=r"--map score=COLUMN; columns: .*; known headers: .* names of metrics"
    ) as caught:
        read(path)
    assert len(obeyed(path, caught.value).tidy()["score"]) == 16
