"""Lists of scores in a cell: the runs of an item or the items of a run, which is asked where it is open."""

from __future__ import annotations

import json
import re

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.readers.test_table import rows, write

from scorebars.engines.duckdb import Engine
from scorebars.errors import ReadError, Remedy
from scorebars.readers.read import read as read_all

SEEDS = [{"model": m, "seed": s, "correct": [(i + s) % 3 == 0 for i in range(6)]} for m in "AB" for s in (7, 8)]
"""Each list has an item's score a place."""


@pytest.fixture(scope="module")
def engine():
    with Engine() as made:
        yield made


def made(tmp_path, records, kind="lines"):
    path = tmp_path / f"a.{kind if kind in {'parquet', 'csv'} else 'json'}"
    if kind == "parquet":
        pq.write_table(pa.Table.from_pylist(records), path)
    elif kind == "csv":
        lines = [",".join(records[0])] + [
            ",".join(f'"{cell}"' if isinstance(cell, list) else str(cell) for cell in record.values())
            for record in records
        ]
        path.write_text("\n".join(lines) + "\n")
    else:
        path.write_text("\n".join(map(json.dumps, records)) if kind == "lines" else json.dumps(records))
    return path


def n_items(sample):
    return len(set(sample.item.tolist()))


def refused(path, **columns):
    with pytest.raises(ReadError) as caught:
        read_all(path, columns=columns)
    return caught.value


@pytest.mark.parametrize("kind", ["lines", "array", "parquet", "csv"])
def test_a_list_a_model_and_seed_may_be_items_and_both_answers_work(tmp_path, engine, kind):
    path = made(tmp_path, SEEDS, kind)
    said = str(refused(path))
    assert "'correct' holds lists of 6 numbers" in said
    assert "(--map item=position)" in said
    assert "(--map run=seed+position)" in said
    of_items = [
        (one["model"], str(place), str(one["seed"]), str(score).lower())
        for one in SEEDS
        for place, score in enumerate(one["correct"], start=1)
    ]
    found = rows(path, engine, {"item": "position"}, roles=("model", "item", "run", "score"))
    assert [(*row[:3], str(row[3]).lower()) for row in found] == of_items
    found = rows(path, engine, {"run": "seed+position"}, roles=("model", "run", "score"))
    assert [(*row[:2], str(row[2]).lower()) for row in found] == [
        (model, f"{seed}+{place}", score) for model, place, seed, score in of_items
    ]


@pytest.mark.parametrize("asked", [{}, {"score": "scores"}])
def test_a_list_a_model_is_no_average(tmp_path, asked):
    path = made(tmp_path, [{"model": "A", "scores": [1, 0, 1, 1]}, {"model": "B", "scores": [0, 0, 1, 0]}], "array")
    error = refused(path, **asked)
    assert "(--map run=position)" in str(error)
    assert "averages" not in str(error)
    remedy = next(note for note in error.__notes__ if isinstance(note, Remedy))
    assert "item=position" in remedy
    scores = read_all(path, columns=asked | {"item": "position"})
    assert [n_items(cut.sample) for cut in scores.cuts().cuts] == [4, 4]
    runs = read_all(path, columns=asked | {"run": "position"})
    assert [n_items(cut.sample) for cut in runs.cuts().cuts] == [1, 1]


def test_lists_of_tasks_are_told_apart_by_their_task(tmp_path, engine):
    records = [{"task": "a", "score": [1, 0]}, {"task": "b", "score": [0, 1, 1]}]
    path = made(tmp_path, records)
    assert "lists of 2 to 3 numbers" in str(refused(path))
    found = rows(path, engine, {"item": "position"}, roles=("task", "item", "score"))
    assert found == [("a", "1", "1"), ("a", "2", "0"), ("b", "1", "0"), ("b", "2", "1"), ("b", "3", "1")]


def test_lists_longer_than_a_model_has_rows_may_be_items(tmp_path, engine):
    records = [{"model": "A", "score": [n % 2 for n in range(start, start + 9)]} for start in range(3)]
    path = made(tmp_path, records)
    assert "lists of 9 numbers" in str(refused(path))
    found = rows(path, engine, {"run": "position"}, roles=("item", "run", "score"))
    assert found[:2] == [("1", "1", "0"), ("1", "2", "1")]
    assert len(found) == 27


@pytest.mark.parametrize(
    "records",
    [
        [{"id": n, "score": [1, 0, 1, 1, 0, 1]} for n in range(3)],  # an id
        [{"prompt": f"p{n}", "score": [1, 0, 1]} for n in range(12)],  # few in many rows
        [{"prompt": f"p{n}", "score": [1, 0] * 5} for n in range(12)],
    ],
)
def test_lists_of_an_item_are_runs_and_not_asked_about(tmp_path, records):
    sample = read_all(made(tmp_path, records)).cuts().cuts[0].sample
    assert (n_items(sample), len(sample.score)) == (len(records), sum(len(one["score"]) for one in records))


CRITERIA = [{"id": n, "score": [3 + n % 3, n % 2, 9 - n % 4]} for n in range(12)]


@pytest.mark.parametrize("kind", ["lines", "array", "parquet", "csv"])
def test_lists_of_criteria_on_different_scales_are_no_runs(tmp_path, kind):
    path = made(tmp_path, CRITERIA, kind)
    error = refused(path)
    assert "(number 2 from 0 to 1 and number 3 from 6 to 9)" in str(error)
    remedy = next(note for note in error.__notes__ if isinstance(note, Remedy))
    query = remedy.options["--sql"]
    scores = read_all(path, sql=query).cuts().cuts[0].sample.score.tolist()
    assert sorted(scores) == sorted(one["score"][2] for one in CRITERIA)
    assert len(read_all(path, columns={"run": "position"}).cuts().cuts[0].sample.score) == 36


@pytest.mark.parametrize(("odd", "shown"), [(1, "1"), ("boom", "boom")])
@pytest.mark.parametrize("place", [0, 5])
def test_a_cell_that_is_no_list_among_lists_is_named(tmp_path, place, odd, shown):
    records = [{"id": number, "correct": [number % 2, 1, 0]} for number in range(9)]
    records[place]["correct"] = odd
    path = write(tmp_path, json.dumps(records), "a.json")
    with pytest.raises(ReadError, match=f"'correct' holds lists of scores, and '{shown}' in row {place + 1} is none"):
        read_all(path)


@pytest.mark.parametrize("missing", [None, "nan", "N/A"])
def test_a_cell_without_a_list_may_be_missing(tmp_path, missing):
    records = [{"id": number, "correct": [number % 2, 1, 0]} for number in range(8)] + [{"id": 8, "correct": missing}]
    path = write(tmp_path, json.dumps(records), "a.json")
    (cut,) = read_all(path, on_error="drop").cuts().cuts
    assert cut.sample.score.size == 24
    assert cut.sample.score.sum() == 4 + 8


def test_the_place_in_lists_is_no_column_where_there_are_none(tmp_path):
    path = write(tmp_path, "id,score\n1,1\n2,0\n")
    assert "no column 'position'; known: 'id', 'score'" in str(refused(path, item="position"))
    own = write(tmp_path, "position,score\n1,1\n2,0\n", "own.csv")
    assert n_items(read_all(own, columns={"item": "position"}).cuts().cuts[0].sample) == 2


@pytest.mark.parametrize(("more", "asked"), [({}, "position"), ({"seed": 3}, "seed+position")])
def test_lists_that_are_taken_as_runs_say_so_until_it_is_said(tmp_path, more, asked):
    path = made(tmp_path, [{"id": n, **more, "score": [1, n % 2, 0]} for n in range(4)])
    scores = read_all(path).cuts()
    (said,) = (note for note in scores.notes if note.code == "lists-as-runs")
    assert f"if they are runs: --map run={asked}" in said.message
    same = read_all(path, columns={"run": asked}).cuts()
    assert "lists-as-runs" not in {note.code for note in same.notes}
    assert same.cuts[0].sample.score.tolist() == scores.cuts[0].sample.score.tolist()


def runs_of_steps(n=12):
    """Episodes of 2 to 5 steps, of which the last has a reward in every third."""
    return [[0.0] * (1 + i % 4) + [float(i % 3 == 0)] for i in range(n)]


EPISODES = [
    [{"id": i, "rewards": list(range(2 + i % 4))} for i in range(12)],  # of many lengths
    [{"episode": i, "rewards": list(range(9 + i))} for i in range(12)],
    [{"id": i, "score": [0, 0, 0, i % 2]} for i in range(12)],  # the last alone is other than 0
    [{"id": i, "score": [i % 3, 1], "actions": ["go", "stop"]} for i in range(4)],
    [{"id": i, "step_rewards": [i % 3, 1]} for i in range(4)],
]


@pytest.mark.parametrize("kind", ["lines", "array", "parquet", "csv"])
@pytest.mark.parametrize("records", EPISODES)
def test_lists_of_steps_are_asked_about(tmp_path, records, kind):
    key = next(key for key in records[0] if key in ("rewards", "score", "step_rewards"))
    path = made(tmp_path, records, kind)
    asked = {"score": key} if key == "step_rewards" else {}
    error = refused(path, **asked)
    assert "rewards of the steps of one attempt" in str(error)
    total, last = re.findall(r"\(--sql '(.*?)'\)", str(error))
    for query, made_of in ((total, sum), (last, lambda rewards: rewards[-1])):
        sample = read_all(path, sql=query, columns=asked).cuts().cuts[0].sample
        assert sorted(sample.score.tolist()) == sorted(float(made_of(one[key])) for one in records)
    runs = read_all(path, columns={"run": "position", **asked}).cuts().cuts[0].sample
    assert len(runs.score) == sum(len(one[key]) for one in records)


@pytest.mark.parametrize(
    "records",
    [
        [{"id": i, "rewards": [i % 2, 1, 0, 0]} for i in range(12)],  # of one length
        [{"id": i, "rewards": [i % 2, 1, 0, 0][: 4 - (i == 3)]} for i in range(12)],  # a run is lacking
        [{"id": i, "scores": [i % 2, 1, 0, 0][: 2 + i % 3]} for i in range(12)],  # not called rewards
        [{"id": i, "rewards": [i % 2, 1, 0, 0][: 2 + i % 3], "completions": ["a"] * (2 + i % 3)} for i in range(12)],
        [{"id": i, "score": [0, 0, int(i < 2)]} for i in range(12)],  # two of three runs, as may be
    ],
)
def test_lists_of_runs_are_none_of_steps(tmp_path, records):
    assert len(read_all(made(tmp_path, records)).cuts().cuts[0].sample.score) > len(records)


@pytest.mark.parametrize("kind", ["lines", "array", "parquet"])
def test_records_of_steps_are_asked_about(tmp_path, kind):
    steps = runs_of_steps()
    records = [
        {"id": f"t{i}", "trajectory": [{"action": "x", "reward": one} for one in rewards]}
        for i, rewards in enumerate(steps)
    ]
    path = made(tmp_path, records, kind)
    error = refused(path)
    assert "'trajectory' holds the steps of one attempt with the reward of each" in str(error)
    assert next(note for note in error.__notes__ if isinstance(note, Remedy)).options["--sql"] in str(error)
    queries = re.findall(r"\(--sql '(.*?)'\)", str(error))
    assert len(queries) == 2
    for query in queries:
        sample = read_all(path, sql=query).cuts().cuts[0].sample
        assert sorted(sample.score.tolist()) == sorted(map(sum, steps))


STEPS = "model,episode,step,reward\n" + "".join(
    f"{model},{episode},{step},{float(step == episode)}\n" for model in "AB" for episode in (1, 2) for step in range(3)
)


@pytest.mark.parametrize("columns", [{}, {"item": "episode"}])
def test_rows_of_steps_are_no_items(tmp_path, columns):
    path = write(tmp_path, STEPS)
    error = refused(path, **columns)
    assert "'step' numbers the rows of each 'episode'" in str(error)
    remedy = next(note for note in error.__notes__ if isinstance(note, Remedy))
    sums = read_all(path, sql=remedy.options["--sql"]).cuts()
    assert {cut.sample.model: cut.sample.score.tolist() for cut in sums.cuts} == {"A": [1, 1], "B": [1, 1]}
    (cut, _) = read_all(path, columns={"item": "episode", "run": "step"}).cuts().cuts
    assert (n_items(cut.sample), len(cut.sample.score)) == (2, 6)


def test_episodes_beside_the_step_at_which_they_ended_are_items(tmp_path):
    path = write(tmp_path, "episode,step,reward\n1,10,1\n2,25,0\n3,31,1\n")
    assert n_items(read_all(path).cuts().cuts[0].sample) == 3
