"""AlpacaEval: both versions' scales, and the leaderboard's own figures."""

from __future__ import annotations

import csv
import json

import numpy as np
import pytest
from tests.readers.real import SHARED, means, read_real, real

from scorebars.analysis.estimate import estimate
from scorebars.errors import ReadError
from scorebars.readers.read import read


def write(path, *preferences, **changes):
    texts = {"generator_1": "gpt-4", "generator_2": "mine", "dataset": "koala", "annotator": "judge"}
    rows = [texts | {"instruction": f"q{n}", "preference": value} | changes for n, value in enumerate(preferences)]
    path.write_text(json.dumps(rows))
    return path


@pytest.fixture
def path(tmp_path):
    return tmp_path / "annotations.json"


def test_preferences_of_both_versions(path):
    scores = read(write(path, 1, 2, 1.5, 0, 1.25, 2.0, None))
    (cut,) = scores.with_options(on_error="wrong").cuts().cuts
    assert cut.sample.score.tolist() == [0, 1, 0.5, 0.5, 0.25, 1, 0]
    assert scores.models == ("mine",)
    assert means(scores)["mine"] == (6, pytest.approx(3.25 / 6))


@pytest.mark.parametrize("value", [3, 0.5, -1, 2.01])
def test_a_preference_off_the_scale_is_refused(path, value):
    with pytest.raises(ReadError, match=r"record 2: the preference .* is outside AlpacaEval's scale"):
        read(write(path, 1, value))


def test_other_baselines_and_judges_are_other_measures(path, tmp_path):
    write(path, 1, 2)
    other = write(tmp_path / "other.json", 1, 1, generator_1="gpt-3")
    assert read([path, other]).variants == ("vs gpt-3, by judge", "vs gpt-4, by judge")


def test_data_sets_that_are_not_used_are_said(path):
    write(path, 2, 1, 2)
    content = json.loads(path.read_text())
    assert read(path).parts[0].notes == ()  # one data set is no clusters
    for place, record in enumerate(content):
        record["dataset"] = ("koala", "vicuna")[place % 2]
    path.write_text(json.dumps(content))
    (said,) = read(path).parts[0].notes
    assert said.message.startswith("the instructions have 2 different values of 'dataset', which is not used")
    assert [read(path, cluster=cluster).parts[0].notes for cluster in ("dataset", "none")] == [(), ()]


def test_the_cluster_is_a_field_on_request(path):
    (cut,) = read(write(path, 1, 2), cluster="dataset").cuts().cuts
    assert len(set(cut.sample.cluster.tolist())) == 1
    with pytest.raises(ReadError, match="'item' cannot be mapped in AlpacaEval annotations"):
        read(path, columns={"item": "dataset"})


@pytest.mark.parametrize("name", ["alpaca-7b", "falcon-40b-instruct", "falcon-7b-instruct"])
class TestReal:
    pytestmark = real

    def test_the_leaderboards_win_rate_and_standard_error(self, name):
        with (SHARED / "alpaca_eval" / "alpaca_eval_gpt4_leaderboard.csv").open() as lines:
            published = {row[""]: row for row in csv.DictReader(lines)}
        scores = read_real(f"alpaca_eval/{name}.alpaca_eval_gpt4.annotations.json")
        said = "falcon-40b-instruct" if "falcon" in name else name  # the file's content, not its name
        assert scores.models == (said,)
        n, mean = means(scores)[said]
        assert (n, 100 * mean) == (805, pytest.approx(float(published[name]["win_rate"]), abs=1e-9))
        (found,) = estimate(scores)
        assert 100 * found.standard_error == pytest.approx(float(published[name]["standard_error"]), abs=1e-9)

    def test_against_the_raw_file(self, name):
        rows = json.loads((SHARED / "alpaca_eval" / f"{name}.alpaca_eval_gpt4.annotations.json").read_text())
        raw = np.array([row["preference"] for row in rows], float)
        (cut,) = read_real(f"alpaca_eval/{name}.alpaca_eval_gpt4.annotations.json").cuts().cuts
        assert cut.sample.score.mean() == pytest.approx(np.where(raw == 0, 1.5, raw).mean() - 1)
