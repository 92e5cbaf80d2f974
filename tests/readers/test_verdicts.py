"""A column that says what was right, beside right answers and predictions: it goes before a query over these."""

from __future__ import annotations

import json

import pytest
from tests.readers.test_spread import obeyed, remedy
from tests.readers.test_table import write

from scorebars.errors import ReadError
from scorebars.readers.read import read

CITIES = ["Paris", "Rome", "Oslo", "Bern"]
GOLD = [CITIES[n % 4] for n in range(24)]
SAID = [CITIES[(n + n // 8) % 4] for n in range(24)]
LENIENT = [gold == said or n % 5 == 0 for n, (gold, said) in enumerate(zip(GOLD, SAID, strict=True))]
HARD = [n % 2 == 0 for n in range(24)]


def table(path, header, *columns):
    rows = [f"{n},{','.join(map(str, row))}" for n, row in enumerate(zip(*columns, strict=True))]
    return write(path, "\n".join([f"id,{header}", *rows, ""]))


def test_a_verdict_of_mathematics_goes_before_equal_texts(tmp_path):
    records = [
        {"unique_id": f"t/{n}", "prediction": "3", "answer": "3", "is_equiv": right} for n, right in enumerate(LENIENT)
    ]
    path = write(tmp_path, "".join(json.dumps(record) + "\n" for record in records), "math.jsonl")
    with pytest.raises(ReadError, match="'is_equiv' says whether these are right") as caught:
        read(path)
    assert remedy(caught.value) == {"--map": "score=is_equiv"}
    assert obeyed(path, caught.value).tidy()["score"].tolist() == [float(right) for right in LENIENT]


@pytest.mark.parametrize("spelled", [str, int, lambda right: "yes" if right else "no"])
@pytest.mark.parametrize("numbers", [False, True])
@pytest.mark.parametrize("header", ["is_equiv", "Match", "judged_ok", "ruled"])
def test_a_verdict_by_its_header_or_by_what_it_says(tmp_path, header, numbers, spelled):
    gold, said = ([CITIES.index(city) for city in some] if numbers else some for some in (GOLD, SAID))
    path = table(tmp_path, f"gold,prediction,{header}", gold, said, map(spelled, LENIENT))
    with pytest.raises(ReadError, match=f"'{header}' says whether these are right") as caught:
        read(path)
    assert obeyed(path, caught.value).tidy()["score"].tolist() == [float(right) for right in LENIENT]


@pytest.mark.parametrize("header", ["is_hard", "has_image", "needs_tool"])
def test_a_flag_of_the_item_is_no_verdict(tmp_path, header):
    path = table(tmp_path, f"gold,prediction,{header}", GOLD, SAID, HARD)
    with pytest.raises(ReadError, match="score them, with --sql") as caught:
        read(path)
    expected = [float(gold == said) for gold, said in zip(GOLD, SAID, strict=True)]
    assert obeyed(path, caught.value).tidy()["score"].tolist() == expected


def test_of_two_verdicts_one_is_chosen_by_the_user(tmp_path):
    path = table(tmp_path, "gold,prediction,is_equiv,format_match", GOLD, SAID, LENIENT, HARD)
    with pytest.raises(ReadError, match=r"'is_equiv', 'format_match' say .* choose the score \(--map score=is_equiv"):
        read(path)


def test_beside_a_column_that_looks_like_the_score_the_verdict_is_not_put_forward(tmp_path):
    path = table(tmp_path, "gold,prediction,is_equiv,judge_quality", GOLD, SAID, LENIENT, [n % 7 for n in range(24)])
    with pytest.raises(ReadError) as caught:
        read(path)
    assert "'is_equiv' says whether" not in str(caught.value)


IFEVAL = [{"key": 1000 + n, "prompt": f"Write {n}", "follow_all": n % 3 > 0, "response": "…"} for n in range(12)]


def test_ids_that_count_on_from_somewhere_are_no_scores(tmp_path):
    path = write(tmp_path, "".join(json.dumps(record) + "\n" for record in IFEVAL), "ifeval.jsonl")
    with pytest.raises(ReadError, match=r"--map score=follow_all") as caught:
        read(path)
    assert obeyed(path, caught.value).tidy()["score"].tolist() == [float(n % 3 > 0) for n in range(12)]


@pytest.mark.parametrize(("header", "step"), [("points_won", 1), ("key", 7)])
def test_numbers_that_no_header_calls_ids_or_that_skip_may_be_scores(tmp_path, header, step):
    rows = [f"{1000 + step * n},{n % 3 > 0}" for n in range(12)]
    path = write(tmp_path, "\n".join([f"{header},follow_all", *rows, ""]))
    with pytest.raises(ReadError, match=f"'{header}' numbers from 1000 to"):
        read(path)
