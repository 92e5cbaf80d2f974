"""Logs of trainings: one curve a file, whose points are no runs."""

from __future__ import annotations

import pytest

from scorebars.errors import ReadError, ScorebarsError
from scorebars.readers.read import read

ACCURACY = [0.5, 0.53, 0.56, 0.59, 0.625]
KERAS = "epoch,accuracy,loss,val_accuracy,val_loss\n" + "".join(
    f"{epoch},{value + 0.1:.3f},{1 / (epoch + 1):.3f},{value},.5\n" for epoch, value in enumerate(ACCURACY)
)


def lightning(values):
    rows = [f"{n},{100 * n},0.5,,\n{n},{100 * n + 99},,{value},0.4\n" for n, value in enumerate(values)]
    return "epoch,step,train_loss,val_acc,val_loss\n" + "".join(rows)


@pytest.fixture
def write(tmp_path):
    def write(name, text):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    return write


def test_epochs_are_one_curve_and_the_point_must_be_chosen(write):
    path = write("keras.csv", KERAS)
    with pytest.raises(ReadError, match=r"learning curves of 1 run in 4 metrics.*--at final .*at epoch 4"):
        read(path)
    scores = read(path, at="final")
    assert scores.metrics == ("accuracy", "loss", "val_accuracy", "val_loss")
    tidy = read(path, at="final", metric="val_accuracy").tidy()
    assert (tidy["model"].tolist(), tidy["score"].tolist()) == (["keras"], [ACCURACY[-1]])
    mean = read(path, at="mean:2", metric="val_accuracy").tidy()
    assert mean["score"].tolist() == [pytest.approx(sum(ACCURACY[-2:]) / 2)]


def test_the_folders_of_lightning_are_runs_of_a_model(write, tmp_path):
    last = {("base", "0"): 0.6, ("base", "1"): 0.61, ("ours", "0"): 0.65, ("ours", "1"): 0.66}
    for (model, run), value in last.items():
        write(f"{model}/version_{run}/metrics.csv", lightning([0.3, 0.4, value]))
    scores = read(tmp_path, at="final", columns={"file": "{model}/version_{run}/*"}, metric="val_acc")
    tidy = scores.tidy()
    ids = zip(tidy["model"].tolist(), tidy["run"].tolist(), strict=True)
    assert dict(zip(ids, tidy["score"].tolist(), strict=True)) == last
    assert {part.reader for part in scores.parts} == {"training-log"}
    assert read(tmp_path / "ours/version_0", at="step:150", metric="val_acc").tidy()["score"].tolist() == [0.3]


@pytest.mark.parametrize(
    "header", ["Epoch,train_acc,val_acc", "step,loss,eval_accuracy", "epoch,train_loss,valid_loss,accuracy,time"]
)
def test_headers_of_logs(header, write):
    width = header.count(",")
    rows = "".join(f"{n}" + ",0.5" * width + "\n" for n in range(4))
    assert {part.reader for part in read(write("log.csv", f"{header}\n{rows}"), at="final").parts} == {"training-log"}


@pytest.mark.parametrize(
    "text",
    [
        "id,epoch,accuracy,loss\n" + "".join(f"q{n},{e},1,0.5\n" for n in range(3) for e in range(2)),
        "epoch,correct,loss\n" + "".join(f"{e},{n % 2},0.5\n" for e in range(2) for n in range(9)),
        "seed,epoch,accuracy,loss\n" + "".join(f"{n},{e},1,0.5\n" for n in range(3) for e in range(2)),
        "epoch,answer,accuracy,loss\n0,yes,1,0.5\n1,no,0,0.5\n",
        "step,loss\n1,0.5\n2,0.25\n",
    ],
)
def test_tables_of_attempts_are_no_logs(text, write):
    with pytest.raises(ScorebarsError, match=r"--at does nothing|no column is known|could each be the run") as caught:
        read(write("a.csv", text), at="final")
    assert "learning curve" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "columns", "sentence"),
    [
        (KERAS, {"score": "accuracy"}, "'score' cannot be mapped in the log of a training: a file is one run, --at"),
        (KERAS + KERAS.partition("\n")[2], {}, "the epochs of .* go back from 4 to 0"),
        (KERAS.replace("0.625", "inf"), {}, "line 6: 'inf' is not a finite number, in the column 'val_accuracy'"),
    ],
)
def test_what_is_refused(text, columns, sentence, write):
    with pytest.raises(ReadError, match=sentence):
        read(write("keras.csv", text), at="final", columns=columns)
