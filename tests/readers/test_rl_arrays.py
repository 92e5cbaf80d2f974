"""Arrays in .npz and .npy: axes, and files that must not be trusted."""

from __future__ import annotations

import io
import pickle
import struct
import zipfile

import numpy as np
import pytest

import scorebars as sb
from scorebars.errors import ScorebarsError
from scorebars.readers.read import read

RNG = np.random.default_rng(7)
SCORES = {"A": RNG.random((5, 3)), "B": RNG.random((4, 3))}


@pytest.fixture
def npz(tmp_path):
    def save(arrays, name="scores.npz"):
        np.savez(tmp_path / name, **arrays)
        return tmp_path / name

    return save


def codes(scores):
    return [note.code for note in scores.cuts().notes]


def same(one, other):
    for first, second in zip(one.cuts().cuts, other.cuts().cuts, strict=True):
        for name in ("score", "task", "item", "run"):
            np.testing.assert_array_equal(getattr(first.sample, name), getattr(second.sample, name))
        assert first.sample.task_labels == second.sample.task_labels


def test_runs_by_tasks_as_in_memory(npz):
    scores = read(npz(SCORES))
    assert scores.models == ("A", "B")
    assert codes(scores) == ["array-axes"]
    assert "5 × 3 is read as runs × tasks" in scores.cuts().notes[0].message
    same(scores, sb.Scores.from_arrays(SCORES))


def test_axes_as_they_are_said_to_be(npz):
    turned = {name: array.T for name, array in SCORES.items()}
    scores = read(npz(turned), columns={"run": "axis1", "task": "axis0"})
    assert codes(scores) == []
    same(scores, sb.Scores.from_arrays(SCORES))
    items = read(npz({"A": np.array([1, 0, 1, 1])}), columns={"item": "axis0"})
    same(items, sb.Scores.from_arrays({"A": [1, 0, 1, 1]}, axes=("item",)))


def test_checkpoints_need_a_choice(npz):
    cube = RNG.random((5, 3, 4))
    with pytest.raises(ScorebarsError, match=r"learning curves of 15 runs, .*checkpoint"):
        read(npz({"A": cube}))
    same(read(npz({"A": cube}), at="final"), sb.Scores.from_arrays({"A": cube[..., -1]}))
    np.testing.assert_allclose(
        read(npz({"A": cube}), at="mean:2").cuts().cuts[0].sample.score.mean(), cube[..., -2:].mean()
    )
    with pytest.raises(ScorebarsError, match="have no steps, only an order; use --at final or --at mean:K"):
        read(npz({"A": cube}), at="step:3")


def test_checkpoints_by_seeds_in_a_file_of_one_array(tmp_path):
    array = RNG.random((32, 10))
    np.save(tmp_path / "cheetah.npy", array)
    scores = read(tmp_path / "cheetah.npy", columns={"run": "axis1"}, at="final")
    assert scores.models == ("cheetah",)
    np.testing.assert_array_equal(scores.cuts().cuts[0].sample.score, array[-1])
    np.savez(tmp_path / "walker.npz", array)
    assert read(tmp_path / "walker.npz").models == ("walker",)


def test_games_and_their_runs(npz):
    scores = read(npz({"Pong": [-20.7, 14.6], "MsPacman": [307.3, 6951.6, 307.3]}, "DER.npz"), normalize="ale57")
    assert (scores.models, scores.tasks) == (("DER",), ("MsPacman", "Pong"))
    np.testing.assert_allclose(scores.cuts().cuts[0].sample.score, [0, 1, 0, 0, 1], atol=1e-12)


@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.int64, np.uint8, bool, ">f8"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_types_and_orders(npz, dtype, order):
    array = np.array([[1, 0, 1], [1, 1, 0]], dtype=dtype, order=order)
    np.testing.assert_array_equal(read(npz({"A": array})).tidy()["score"], [1, 0, 1, 1, 1, 0])


@pytest.mark.parametrize(
    ("arrays", "options", "sentence"),
    [
        ({"A": np.array([[1, 2], None], object)}, {}, r"member 'A\.npy' holds pickled Python objects"),
        ({"A": np.array(["x"])}, {}, "holds <U1, not numbers"),
        ({"A": np.array([1 + 2j])}, {}, "holds complex128, not numbers"),
        ({"A": np.zeros(2, [("a", "f8")])}, {}, "not numbers"),
        ({"A": np.array(["2024-01-01"], "M8[D]")}, {}, "not numbers"),
        ({"A": np.float64(3)}, {}, "'A' is one number"),
        ({"A": np.zeros((0, 3))}, {}, "without a number"),
        ({"A": np.zeros(3)}, {}, "array of 3, and axis 0 may be anything; say what it is: --map run=axis0"),
        ({"A": np.zeros((2, 2, 2, 2))}, {}, "axis 0 may be anything"),
        ({"A": np.array([[np.inf, 1]])}, {}, "'inf' in row 1 of .* is infinite"),
        ({"A": np.zeros((2, 2))}, {"normalize": "ale57"}, "have no names to normalise them by"),
        ({"Pong": np.zeros(2)}, {"at": "mean:5"}, "there is no 'mean:5' in it; only --at final fits"),
        ({"Pong": np.zeros(2)}, {"columns": {"item": "axis0"}}, "leave --map and --cluster out"),
        ({"Pong": np.zeros(0)}, {}, "a game without a single run"),
        ({"A": np.zeros((2, 2))}, {"at": "final"}, "it is not said which of the two axes they are"),
        ({"A": np.zeros((2, 2))}, {"cluster": "x"}, "arrays have no clusters"),
    ],
)
def test_what_is_no_array_of_scores(npz, arrays, options, sentence):
    with pytest.raises(ScorebarsError, match=sentence):
        read(npz(arrays), **options).cuts()


def test_a_pickled_dictionary_is_never_loaded(tmp_path):
    class Trap:
        def __reduce__(self):
            return (open, (str(tmp_path / "run"), "w"))

    path = tmp_path / "scores.npy"
    np.save(path, np.array({"A": Trap()}, dtype=object), allow_pickle=True)
    with pytest.raises(ScorebarsError, match=r"scores\.npy holds pickled Python objects .*: np\.savez"):
        read(path)
    path.write_bytes(pickle.dumps(Trap()))
    with pytest.raises(ScorebarsError, match=r"is a pickle of Python objects, .* so it is never read"):
        read(path)
    assert not (tmp_path / "run").exists()


def header(text):
    """A .npy file of version 1 with any header."""
    body = text.encode("latin1").ljust(118 - 1) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(body)) + body


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (header("{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000, 1000000)}"), "damaged or truncated"),
        (header("{'descr': '<f8', 'fortran_order': False, 'shape': (-1,)}"), "damaged or truncated|no array"),
        (header("{'descr': '<f8', 'fortran_order': False}"), "no array of NumPy, or a damaged one"),
        (header("__import__('os').getcwd()"), "no array of NumPy, or a damaged one"),
        (header("(" * 100), "no array of NumPy, or a damaged one"),
        (b"\x93NUMPY\x09\x00", "no array of NumPy, or a damaged one"),
        (b"\x93NUMPY", "no array of NumPy, or a damaged one"),
    ],
)
def test_headers_that_lie(tmp_path, data, sentence):
    path = tmp_path / "scores.npy"
    path.write_bytes(data)
    with pytest.raises(ScorebarsError, match=sentence) as caught:
        read(path)
    assert "scores.npy" in str(caught.value)
    with zipfile.ZipFile(tmp_path / "scores.npz", "w") as archive:
        archive.writestr("A.npy", data)
    with pytest.raises(ScorebarsError, match=sentence) as caught:
        read(tmp_path / "scores.npz")
    assert "member 'A.npy'" in str(caught.value)


def saved(array):
    stream = io.BytesIO()
    np.save(stream, array)
    return stream.getvalue()


def test_a_zip_bomb_is_refused_before_it_is_unpacked(tmp_path):
    path = tmp_path / "bomb.npz"
    big = saved(np.zeros(30_000_000))  # 240 MB of zeros in 240 kB
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in "ABC":
            archive.writestr(f"{name}.npy", big)
    assert path.stat().st_size < 2_000_000
    with pytest.raises(ScorebarsError, match=r"bomb\.npz claims to hold 720,\d+,\d+ bytes; at most"):
        read(path)


def test_names_in_the_archive_are_never_paths(tmp_path):
    path = tmp_path / "in" / "a.npz"
    path.parent.mkdir()
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("../out.npy", saved(np.ones((2, 2))))
        archive.writestr("B.npy", saved(np.ones((2, 2))))
    with pytest.raises(ScorebarsError, match=r"member '\.\./out\.npy' leads outside of the archive"):
        read(path)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["in"]


def test_other_members_and_damage(tmp_path, npz):
    path = tmp_path / "a.npz"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("A.npy", saved(np.ones((2, 2))))
        archive.writestr("notes.txt", "x")
    with pytest.raises(ScorebarsError, match=r"member 'notes\.txt' is no array"):
        read(path)
    path = npz(SCORES)
    data = bytearray(path.read_bytes())
    data[150] ^= 0xFF
    path.write_bytes(bytes(data))
    with pytest.raises(ScorebarsError, match=r"member 'A\.npy' is damaged"):
        read(path)


def test_checkpoints_taken_for_runs_are_said_with_what_reads_their_last_point(tmp_path):
    rng = np.random.default_rng(5)
    curve = np.linspace(0, 1, 32)[:, np.newaxis] + rng.normal(0, 0.02, size=(32, 10))
    np.save(tmp_path / "walker_walk_drq.npy", curve)
    path = tmp_path / "walker_walk_drq.npy"
    (found,) = sb.estimate(read(path))
    (said,) = [str(note) for note in found.answer.notes if note.code == "swapped-axes"]
    assert "--map run=axis1 --at final" in said
    (last,) = sb.estimate(read(path, columns={"run": "axis1"}, at="final"))
    assert last.answer.value == pytest.approx(curve[-1].mean())


@pytest.mark.parametrize("name", ["../../evil", "/evil", "a/../evil"])
def test_an_array_whose_name_leads_out_of_the_archive_is_refused(npz, name):
    path = npz(SCORES)
    array = io.BytesIO()
    np.save(array, SCORES["A"])
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr(f"{name}.npy", array.getvalue())
    with pytest.raises(ScorebarsError, match=rf"scores.npz: member '{name}.npy' leads outside of the archive"):
        read(path)
