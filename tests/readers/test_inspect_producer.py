"""Logs written by Inspect AI here and now, against Inspect's own reading of them."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from tests.readers.inspect_by_hand import read_one, scores_of

pytestmark = [
    pytest.mark.producer,
    # Inspect and what it imports warn about their own dependencies.
    pytest.mark.filterwarnings("default"),
]

VALUES = ["C", "I", "P", "N", "yes", "no", "true", "0.25", 0.5, 3, True, math.nan, {"a": 1.0, "b": 0.0}, "I"]


@pytest.fixture(scope="module")
def inspect_ai():
    return pytest.importorskip("inspect_ai", reason="inspect-ai is not installed")


@pytest.fixture(scope="module")
def log(inspect_ai, tmp_path_factory):
    """Two epochs of a few items with two scorers; one attempt fails."""
    from inspect_ai import Task
    from inspect_ai import eval as run
    from inspect_ai.dataset import Sample
    from inspect_ai.model import ModelOutput, ModelUsage, get_model
    from inspect_ai.scorer import Score, match, mean, scorer, stderr
    from inspect_ai.solver import generate, solver

    @scorer(metrics=[mean(), stderr()])
    def graded():
        async def score(state, target):
            return Score(value=(int(state.sample_id) * 7 % 5 + state.epoch) / 8)

        return score

    @solver
    def breaks():
        async def solve(state, generate):
            if state.sample_id == 3 and state.epoch == 1:
                raise ValueError("broken")
            return state

        return solve

    def answer(messages, tools, choice, config):
        output = ModelOutput.from_content("m", "1" if len(messages[-1].text) % 3 else "0")
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return output

    task = Task(
        dataset=[Sample(id=i, input="x" * i, target="1", metadata={"half": i % 2}) for i in range(1, 9)],
        solver=[breaks(), generate()],
        scorer=[match(), graded()],
        epochs=2,
        name="producer",
        fail_on_error=False,
    )
    folder = str(tmp_path_factory.mktemp("logs"))
    model = get_model("mockllm/m", custom_outputs=answer, memoize=False)
    return run(task, model=model, log_dir=folder, display="none", tags=["nightly", "b"])[0]


@pytest.fixture(scope="module", params=["eval", "json"])
def written(request, log, tmp_path_factory):
    from inspect_ai.log import read_eval_log, write_eval_log

    path = tmp_path_factory.mktemp("written") / f"a.{request.param}"
    write_eval_log(read_eval_log(log.location), str(path), format=request.param)
    return path


def test_every_value_is_inspects(written):
    from inspect_ai.log import read_eval_log
    from inspect_ai.scorer import value_to_float

    to_float = value_to_float()
    expected = {
        (str(sample.id), str(sample.epoch), name): to_float(score.value)
        for sample in read_eval_log(str(written)).samples
        for name, score in (sample.scores or {}).items()
    }
    part = read_one(written)
    found = {
        (*key, metric): value
        for metric in ("match", "graded")
        for key, value in scores_of(part, metric).items()
        if not math.isnan(value)
    }

    assert found == expected
    assert len(found) == 30
    assert list(part.rows["status"]).count("error") == 2


def test_means_and_errors_are_in_the_results(written):
    from inspect_ai.log import read_eval_log
    from tests.readers.test_inspect_log import epochs_reduced

    part = read_one(written)
    for score in read_eval_log(str(written)).results.scores:
        mean, error = epochs_reduced(part, score.name)
        first, second = score.metrics.values()
        assert (mean, error) == pytest.approx((first.value, second.value), abs=1e-12)


def test_cluster_is_the_metadata(written):
    part = read_one(written, cluster="metadata.half")

    pairs = set(zip(part.rows["item"], part.rows["cluster"], strict=True))
    assert pairs == {(str(i), str(i % 2)) for i in range(1, 9)}


def test_values_are_converted_as_inspect_converts_them(inspect_ai):
    from inspect_ai.scorer import value_to_float

    from scorebars.readers.inspect_scores import MetricColumn

    for value in VALUES:
        column = MetricColumn()
        column.put(0, value)
        if isinstance(value, dict):
            assert column.unusable
        else:
            assert column.values[0] == pytest.approx(value_to_float()(value), nan_ok=True)


def test_header_is_what_inspect_reads_of_it(written):
    from inspect_ai.log import read_eval_log

    part = read_one(written, columns={"variant": "tags", "task": "eval.task+eval.config.epochs"})

    assert part.created == str(read_eval_log(str(written), header_only=True).eval.created)
    assert set(part.rows["variant"]) == {"b,nightly"}
    assert set(part.rows["task"]) == {"producer+2"}
    assert {remark.code for remark in part.notes} == {"converted"}


def test_rows_are_those_of_samples_df(log):
    pytest.importorskip("pandas", reason="samples_df needs pandas")
    pytest.importorskip("pyarrow", reason="samples_df needs pyarrow")
    from inspect_ai.analysis import samples_df

    table = samples_df(log.location, quiet=True)
    expected = {
        (str(item), str(epoch)): {"C": 1.0, "I": 0.0}[mark]
        for item, epoch, mark in zip(table["id"], table["epoch"], table["score_match"], strict=True)
        if isinstance(mark, str)
    }
    found = {
        key: value for key, value in scores_of(read_one(Path(log.location)), "match").items() if not math.isnan(value)
    }

    assert found == expected


def test_samples_in_pieces_give_the_same_rows(log, tmp_path):
    pieces = pytest.importorskip("inspect_ai.log._recorders.chunked", reason="this Inspect writes no samples in pieces")
    source = Path(log.location)
    pieces.convert_eval_logs_to_chunked(str(source), str(tmp_path), chunk_size=2)
    rows = [read_one(path, cluster="metadata.half").rows for path in (source, tmp_path / source.name)]

    order = [sorted(zip(*(each[role] for role in sorted(each)), strict=True), key=repr) for each in rows]
    assert repr(order[0]) == repr(order[1])
