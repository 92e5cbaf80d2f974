"""BFCL score files: only failures are listed, and the passes are told from the ids of the data set."""

from __future__ import annotations

import json

import pytest
from tests.readers.logs_by_hand import BFCL, BFCL_IDS
from tests.readers.parts_by_hand import cells, part_of

import scorebars as sb
from scorebars.errors import ReadError
from scorebars.readers.read import read

OTHERS = ("simple_python_0", "multi_turn_base_0", "simple_java_1")


def write(folder, *lines, name="BFCL_v3_simple_score.json"):
    folder.mkdir(exist_ok=True, parents=True)
    path = folder / name
    path.write_text("".join(json.dumps(line) + "\n" for line in lines or BFCL))
    return path


def test_without_the_ids_it_is_refused_with_what_is_missing(tmp_path):
    with pytest.raises(ReadError, match=r"only the 1 entries that failed of 4, not those that passed; .*--all-items"):
        read(write(tmp_path))


def test_with_the_ids_the_others_passed(tmp_path):
    path = write(tmp_path)
    part = part_of(path, items=[*BFCL_IDS, *OTHERS])
    assert cells(part, "model", "task", "item", "score") == [
        ("gpt-4o-FC", "simple", f"simple_{n}", 0.0 if n == 2 else 1.0) for n in range(4)
    ]
    assert sb.estimate(read(path, items=BFCL_IDS))[0].value == BFCL[0]["accuracy"]


def test_a_file_without_a_failure_is_named_by_its_path(tmp_path):
    header = {"accuracy": 1.0, "correct_count": 4, "total_count": 4}
    part = part_of(write(tmp_path / "gpt-4o-FC" / "non_live", header), items=BFCL_IDS)
    assert set(cells(part, "model", "task", "score")) == {("gpt-4o-FC", "simple", 1.0)}


def test_an_entry_that_is_listed_twice_failed_once(tmp_path):
    again = BFCL[1] | {"error": ["force-terminated"]}
    assert part_of(write(tmp_path, *BFCL, again), items=BFCL_IDS).rows["score"].sum() == 3


@pytest.mark.parametrize(
    ("category", "failed", "items"),
    [
        ("web_search_no_snippet", "web_search_no_snippet_1", ["web_search_0", "web_search_1"]),
        ("memory_rec_sum", "memory_rec_sum_1-student-0", ["memory_0-customer-0", "memory_1-student-0"]),
        ("memory_kv", "memory_kv_1-student-0", ["memory_kv_0-customer-0", "memory_kv_1-student-0"]),
        (
            "format_sensitivity",
            "format_sensitivity_1:a=b&c=d:simple_9",
            [f"format_sensitivity_{n}:a=b&c=d:simple_9" for n in (0, 1)],
        ),
    ],
)
def test_the_ids_of_the_agentic_categories_are_those_of_their_data_set(tmp_path, category, failed, items):
    """As bfcl-eval 2026.3.23 writes them: those of web search share one data set, so do those of memory."""
    header = {"accuracy": 0.5, "correct_count": 1, "total_count": 2}
    failure = {"id": failed, "model_name": "gpt-4o-FC", "test_category": category, "valid": False, "error": ["wrong"]}
    path = write(tmp_path, header, failure, name=f"BFCL_v4_{category}_score.json")
    part = part_of(path, items=[*items, *OTHERS])
    assert [score for _, score in cells(part, "item", "score")] == [1.0, 0.0]
    assert cells(part, "item", "score")[1] == (failed, 0.0)


def test_a_file_of_memory_without_a_failure_is_named_by_its_path(tmp_path):
    header = {"accuracy": 1.0, "correct_count": 1, "total_count": 1}
    folder = tmp_path / "gpt-4o-FC" / "agentic" / "memory" / "rec_sum"
    path = write(folder, header, name="BFCL_v4_memory_rec_sum_score.json")
    part = part_of(path, items=["memory_0-customer-0", *OTHERS])
    assert cells(part, "model", "task", "item") == [("gpt-4o-FC", "memory_rec_sum", "memory_rec_sum_0-customer-0")]


@pytest.mark.parametrize(
    ("lines", "items", "sentence"),
    [
        (BFCL[:1], BFCL_IDS, "counts 1 failures of 4 and lists 0: truncated or edited"),
        (BFCL, BFCL_IDS[:3], "counts 4 entries of the category 'simple', and the list of items has 3 .*--without FILE"),
        (BFCL, ("a", "b", "c", "d"), "'simple_2' failed and is not in the list of items"),
        ([*BFCL, BFCL[1] | {"id": "live_0", "test_category": "live"}], BFCL_IDS, "several categories"),
    ],
)
def test_what_does_not_fit_is_refused(tmp_path, lines, items, sentence):
    with pytest.raises(ReadError, match=sentence):
        read(write(tmp_path, *lines), items=items)
