"""Event files of TensorBoard: scalars of every kind, runs by folder, damage."""

from __future__ import annotations

import base64
import struct

import pytest
from tests.readers.event_files import START, crc32c, event, events, message, record, simple, tensor, whole
from tests.readers.test_trackers import scores_of

import scorebars as sb
from scorebars.errors import ReadError, ScorebarsError
from scorebars.readers.read import read

NAME = "events.out.tfevents.1796050741.vm.8128.0"
WRITTEN = {
    "tensorboard 2, Writer.add_scalar": (
        b"NB{r;00000{*p+Y33vp{U1h`CK^hHWa$#w1E=6`_Zge^_QZ5QCbY*UHZ*pR9VRB?Hb9HTPVRCsccXDZTWpXZMc4cmKUuJ1+WnXu4"
        b"X>?_B)2&WKH2?qr00000*2P`s2{#GLU1h`CK`JT=C<+T@c42HUa%FUNa&AHj2mulRDg*!k06$6%3JD4ab7Ns_VRCaI0YaavA~yg4"
        b"000000O#n+SqTyi%Uxx|+CdNsDk=&n3JYa+VQepQWps6NZbAwO0TKWz1ONb_KS~V>2?_^uV_|Gza&sU7T6DnJHvj+t00000=jh5="
        b"2?!3$U1h`CK@b!wDhenH3uSg;Y%g+UbairWLJ9~05&$X$0002MN(~AL3I}szVQgV?b07f#OG1+"
    ),
    "tensorboardX 2, SummaryWriter.add_scalar and add_text": (
        b"7ytkO00000qkl^x2{#y^Yh}aQK^hHWa$#w1E=6`_Zge^_=#`Gv9{>OV00000QA<P^30hg8Yh}aQK`Imq5(*1tc42HUa%FUNa&8p>"
        b"002Ko>(3q`0000000001d+hcJ_FbTBWy9J*5DF?33K9wnWp-g~FLGscb#iVM005vrh!=JYApigX000000ekHB2_0jgYh}aQK@b!w"
        b"6bcdw3uSg;Y%g+UbairW6#xJLz$wF&XgdG^0000002(8#TnRyBplfBr+CeHX3N8u}Zf|sDFLY&ibYF9IZEaz4c|s2e2NDDl0tf*@"
        b"1!!e#Y;Q^k3I+-UbY*yS?=wFj"
    ),
}
"""Files that the tools wrote: eval/return .5, 1.25, -2 at the steps 0, 10, 20."""


def write(folder, data, name=NAME):
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_bytes(data)
    return path


def test_the_checksum_of_the_tests_is_the_known_one():
    assert crc32c(b"123456789") == 0xE3069283


@pytest.mark.parametrize("tool", WRITTEN)
def test_files_of_the_tools(tmp_path, tool):
    path = write(tmp_path / "PPO_1", base64.b85decode(WRITTEN[tool]))
    scores = read(path, at="final")
    assert (scores.metrics, scores.parts[0].reader) == (("eval/return",), "tfevents")
    assert scores_of(scores) == {"PPO_1": [-2.0]}
    assert scores_of(read(path, at="step:10")) == {"PPO_1": [1.25]}
    assert scores_of(read(path, at="mean:3")) == {"PPO_1": [pytest.approx(-0.25 / 3)]}
    with pytest.raises(ScorebarsError, match=r"choose the point: --at final .* at step 20\)"):
        read(path)


VALUES = [
    simple("r", 2.5),
    tensor("r", 1, message(4, struct.pack("<f", 2.5))),
    tensor("r", 1, message(5, struct.pack("<f", 2.5))),
    tensor("r", 1, bytes([5 << 3 | 5]) + struct.pack("<f", 2.5)),
    tensor("r", 2, message(6, struct.pack("<d", 2.5))),
    tensor("r", 19, message(4, struct.pack("<e", 2.5))),
    tensor("r", 19, whole(13, 0x4100)),
    tensor("r", 1, message(4, struct.pack("<f", 2.5)), plugin=""),
]


@pytest.mark.parametrize("value", VALUES)
def test_every_way_to_write_a_scalar(tmp_path, value):
    assert scores_of(read(write(tmp_path / "a", START + event(7, value)), at="final")) == {"a": [2.5]}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (tensor("r", 3, whole(7, 4)), 4),
        (tensor("r", 3, message(7, bytes([4]))), 4),
        (tensor("r", 9, whole(10, -4)), -4),
        (tensor("r", 9, message(4, struct.pack("<q", -4))), -4),
        (tensor("r", 1, b""), 0),
    ],
)
def test_whole_numbers_and_zero(tmp_path, value, expected):
    assert scores_of(read(write(tmp_path / "a", START + event(7, value)), at="final")) == {"a": [expected]}


def test_what_is_no_scalar_is_passed_over(tmp_path):
    others = [
        tensor("text", 7, message(8, b"hello"), plugin="text"),
        tensor("pr", 1, message(4, struct.pack("<2f", 1, 2)), shape=message(2, whole(1, 2))),
        tensor("h", 1, message(4, struct.pack("<f", 1)), plugin="histograms"),
        tensor("_hparams_/x", 1, message(4, struct.pack("<f", 1)), plugin=""),
        message(1, b"image") + message(4, bytes(9000)),
    ]
    path = write(tmp_path / "a", START + event(1, *others) + event(2, simple("r", 1.5), *others))
    assert (read(path, at="final").metrics, scores_of(read(path, at="final"))) == (("r",), {"a": [1.5]})
    with pytest.raises(ReadError, match="holds no scalar"):
        read(write(tmp_path / "b", START + event(1, *others)), at="final")


def test_runs_are_folders_and_their_files_belong_together(tmp_path):
    for algorithm, shift in (("ppo", 0.0), ("dqn", 4.0)):
        for seed in (0, 1):
            folder = tmp_path / algorithm / f"seed{seed}"
            write(folder, events([(0, 0.5), (10, shift + seed)]), f"events.out.tfevents.1.{seed}")
    write(tmp_path / "ppo" / "seed1", events([(20, 9.0)]), "events.out.tfevents.2.1")  # went on
    by_run = read(tmp_path, at="final")
    assert scores_of(by_run) == {"dqn/seed0": [4], "dqn/seed1": [5], "ppo/seed0": [0], "ppo/seed1": [9]}
    for asked in ({"model": "folder"}, {"file": "{model}/{run}/*"}, {"file": "{model}/seed{run}/*"}):
        scores = read(tmp_path, at="final", columns=asked)
        assert scores_of(scores) == {"dqn": [4, 5], "ppo": [0, 9]}
        assert len(scores._state.rows.counts("run")) == (2 if "file" in asked else 4)
    with pytest.raises(ReadError, match="'item' cannot be mapped in an event file of TensorBoard"):
        read(tmp_path, at="final", columns={"item": "step"})


def test_a_run_that_began_again_is_refused(tmp_path):
    write(tmp_path / "a", events([(0, 1.0), (10, 2.0)]), "events.out.tfevents.1.x")
    write(tmp_path / "a", events([(0, 1.0), (10, 3.0)]), "events.out.tfevents.2.x")
    with pytest.raises(ScorebarsError, match="go back from 10 to 0"):
        read(tmp_path, at="final")


FILE = events([(0, 0.5), (10, 1.25), (20, -2.0)])


@pytest.mark.parametrize("place", range(len(START), len(FILE)))
def test_a_changed_byte_is_never_read(tmp_path, place):
    damaged = bytearray(FILE)
    damaged[place] ^= 0x10
    path = write(tmp_path / "a", bytes(damaged))
    with pytest.raises(
        ReadError, match=r"the record at byte [\d,]+ (is|has) .*: the file is damaged; copy it again"
    ) as caught:
        read(path, at="final")
    assert str(caught.value).startswith(str(path))


@pytest.mark.parametrize("length", range(len(START) + 1, len(FILE), 7))
def test_a_last_record_that_was_cut_short_is_left_out_and_said(tmp_path, length):
    path = write(tmp_path / "a", FILE[:length])
    each = len(event(0, simple("rollout/ep_rew_mean", 0.5)))
    whole_records, more = divmod(length - len(START), each)
    if not whole_records:
        with pytest.raises(ReadError, match="holds no scalar"):
            read(path, at="final")
        return
    scores = read(path, at="final")
    assert scores_of(scores) == {"a": [[0.5, 1.25, -2.0][whole_records - 1]]}
    said = [str(note) for part in scores.parts for note in part.notes if note.code == "left-out"]
    assert len(said) == bool(more)
    assert all(f"cut short at byte {len(START) + each * whole_records:,}" in one for one in said)


def test_a_record_that_is_no_event(tmp_path):
    with pytest.raises(ReadError, match="is no event: the file is damaged"):
        read(write(tmp_path / "a", START + record(b"\xff" * 30)), at="final")


def test_event_files_that_were_only_met_beside_other_logs_are_passed_over(tmp_path):
    path = write(tmp_path / "version_0", events([(1, 0.5), (2, 0.75)], "val_acc"))
    (tmp_path / "version_0" / "metrics.csv").write_text("epoch,step,val_acc,train_loss\n0,1,0.5,1\n1,2,0.75,1\n")
    scores = read(tmp_path, at="final", metric="val_acc")
    assert {part.reader for part in scores.parts if part.reader} == {"training-log"}
    (said,) = [str(note) for note in scores.select(metric="val_acc").cuts().notes if note.code == "skipped-file"]
    assert "met beside files of training-log; name it to read it" in said
    assert read(path, at="final").metrics == ("val_acc",)


@pytest.fixture
def seeds(tmp_path):
    """Two algorithms of three seeds each, a folder a run; the last values are 10, 11, 12 and 1, 2, 3."""
    for algorithm, last in (("PPO", 10.0), ("DQN", 1.0)):
        for seed in range(3):
            write(tmp_path / "tb" / algorithm / f"seed{seed}", events([(0, 0.0), (100, last + seed)]))
    return tmp_path / "tb"


def test_folders_of_seeds_are_said_to_be_runs(seeds):
    alone = read(seeds, at="final")
    (said,) = [one.message for one in alone.cuts().notes if one.code == "repeats-as-models"]
    assert said == (
        "the 6 logs have the names of runs ('DQN/seed0', 'DQN/seed1', …), and each counts as a model of its own; "
        "if they are runs: --map model=folder"
    )
    asked = read(seeds, at="final", columns={"model": "folder"})
    assert "repeats-as-models" not in {one.code for one in asked.cuts().notes}
    assert {row.model: (row.value, row.n_runs) for row in sb.estimate(asked)} == {
        "DQN": (2, (3, 3)),
        "PPO": (11, (3, 3)),
    }


def test_doctor_proposes_the_folder_as_the_model(seeds):
    found = sb.doctor(read(seeds, at="final"))
    remedies = {one.code: one.remedy for one in found.findings}
    assert remedies["repeats-as-models"] == "make them runs: --map model=folder"
    assert "same-model-name" not in remedies


def test_names_of_folders_that_are_no_runs_are_models(tmp_path):
    for name in ("ppo", "dqn", "sac"):
        write(tmp_path / "tb" / name, events([(0, 0.0), (100, 1.0)]))
    assert "repeats-as-models" not in {one.code for one in read(tmp_path / "tb", at="final").cuts().notes}
