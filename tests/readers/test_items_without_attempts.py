"""An item whose list of attempts is empty is missing; one that has no list at all is damaged. Neither is left out."""

from __future__ import annotations

import copy
import json

import numpy as np
import pytest
from tests.readers.formats import FIXTURES, evalplus_results
from tests.readers.logs_by_hand import HAL
from tests.readers.parts_by_hand import part_of

import scorebars as sb
from scorebars.errors import ReadError
from scorebars.readers.read import read

LISTS = {
    "evalplus": (("eval", "Mbpp/1"), "Mbpp/1"),
    "bigcodebench": (("eval", "BigCodeBench/1"), "BigCodeBench/1"),
    "livecodebench": ((1, "graded_list"), "abc1_b"),
    "arena-hard": ((1, "games"), "q2"),
    "opencompass": (("details", 1, "correct"), "q1"),
    "hal": (("raw_eval_results", "1"), "1"),
    "helm": ((1, "stats"), "id1"),
}
"""Where the list of one item's attempts stands (of its statistics, in HELM), and the item."""
RUNS = [{"example_abbr": f"q{n}", "pred": ["1"], "correct": [n < 2]} for n in range(4)]


@pytest.fixture(params=LISTS)
def name(request):
    return request.param


def written(name, folder, new):
    """The fixture with another value in place of one item's attempts."""
    fixture = FIXTURES[name]
    path = fixture.write(folder)
    lines = fixture.lines == "json"
    value = [json.loads(line) for line in path.read_text().splitlines()] if lines else json.loads(path.read_text())
    if name == "opencompass":
        value = {"accuracy": 50, "details": copy.deepcopy(RUNS)}
    holder = value
    *before, last = LISTS[name][0]
    for key in before:
        holder = holder[key]
    holder[last] = new
    path.write_text("".join(json.dumps(line) + "\n" for line in value) if lines else json.dumps(value))
    return path


def of_item(path, name):
    """The scores of the item in question, and the items that there are."""
    part = part_of(path)
    items = part.rows["item"].tolist()
    own = [score for item, score in zip(items, part.rows["score"], strict=True) if item == LISTS[name][1]]
    return own, set(items)


def test_an_empty_list_of_attempts_is_one_that_is_missing(name, tmp_path):
    _, before = (
        of_item(FIXTURES[name].write(tmp_path), name) if name != "opencompass" else ([], {"q0", "q1", "q2", "q3"})
    )
    (tmp_path / "again").mkdir()
    own, items = of_item(written(name, tmp_path / "again", []), name)
    assert items == before
    assert len(own) == (2 if name == "evalplus" else 1)  # base and plus
    assert np.isnan(own).all()


@pytest.mark.parametrize("value", [None, 7, "Traceback: boom", {}])
def test_no_list_of_attempts_is_damage(name, value, tmp_path):
    if (name, value) in (("opencompass", None), ("opencompass", 7)) or name == "hal":
        pytest.skip("a verdict or a result may stand there alone")
    path = written(name, tmp_path, value)
    with pytest.raises(ReadError) as error:
        read(path, **dict(FIXTURES[name].options)).cuts()
    where = LISTS[name][0]
    assert path.name in str(error.value)
    assert f"'{where[-1]}'" in str(error.value)


def test_a_task_of_hal_without_a_run_is_missing_where_no_list_names_it(tmp_path):
    value = copy.deepcopy(HAL) | {"results": {}}
    value["raw_eval_results"] = {"0": [], "1": [{"reward": 1.0}, {"reward": 0.0}], "2": [{"reward": 1.0}]}
    path = tmp_path / "a_UPLOAD.json"
    path.write_text(json.dumps(value))
    assert sb.estimate(read(path))[0].value == pytest.approx(1.5 / 3)
    assert sb.estimate(read(path, on_error="drop"))[0].value == pytest.approx(1.5 / 2)


def test_an_item_of_the_old_format_of_evalplus_without_samples_is_missing(tmp_path):
    done = {"nfiles": 1, "base": [["success", []]], "plus": [["failed", []]]}
    path = tmp_path / "gpt-4_eval_results.json"
    path.write_text(json.dumps(evalplus_results({"Mbpp/0": done, "Mbpp/1": {"nfiles": 0, "base": [], "plus": []}})))
    part = part_of(path)
    assert np.isnan(part.rows["score"][part.rows["item"] == "Mbpp/1"]).all()
    path.write_text(json.dumps(evalplus_results({"Mbpp/0": done, "Mbpp/1": {"nfiles": 0, "base": None}})))
    with pytest.raises(ReadError, match="'Mbpp/1': 'base' is not a list of"):
        read(path)


def test_a_subset_of_mteb_without_a_main_score_is_damage(tmp_path):
    path = FIXTURES["mteb"].write(tmp_path)
    value = json.loads(path.read_text())
    value["scores"]["test"][1] = {"hf_subset": "en"}
    path.write_text(json.dumps(value))
    with pytest.raises(ReadError, match="record 2 has no 'main_score'"):
        read(path)
