"""Readers of other packages: asked last, and never for a plain table."""

from __future__ import annotations

import pytest

from scorebars.errors import ReadError
from scorebars.readers import plugins
from scorebars.readers.read import read

MODULE = """
import json
from scorebars.readers.records import Rows, each

class Quiz:
    name = "quiz"

    def claims(self, head):
        return head.head.startswith(b'{"quiz"')

    def read(self, heads, request):
        return each(heads, self.part)

    def part(self, head):
        rows = Rows()
        for item, points in json.loads(head.path.read_text())["quiz"].items():
            rows.add(model=head.path.stem, item=item, score=points)
        return rows.part(head.path, self.name, {"item": "key"})

class Broken:
    def __init__(self):
        raise RuntimeError("no licence")

class Lacking:
    def claims(self, head):
        return True
"""


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """Install a package that offers readers: its module, and the metadata that pip would write."""
    plugins.names.cache_clear()
    plugins.loaded.cache_clear()
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "quiz_reader.py").write_text(MODULE)

    def offer(name, target):
        info = tmp_path / "quiz_reader-1.dist-info"
        info.mkdir(exist_ok=True)
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: quiz-reader\nVersion: 1\n")
        (info / "entry_points.txt").write_text(f"[scorebars.readers]\n{name} = quiz_reader:{target}\n")

    yield offer
    plugins.names.cache_clear()
    plugins.loaded.cache_clear()


def test_another_package_reads_its_format(installed, tmp_path):
    installed("quiz", "Quiz")
    path = tmp_path / "ada.json"
    path.write_text('{"quiz": {"q1": 1, "q2": 0}}')
    scores = read(path)
    assert (scores.models, scores.parts[0].reader) == (("ada",), "quiz")


def test_a_plain_table_never_asks_other_packages(installed, tmp_path):
    installed("broken", "Broken")
    path = tmp_path / "a.csv"
    path.write_text("model,item,score\nA,1,1\nA,2,0\n")
    assert read(path).models == ("A",)


@pytest.mark.parametrize(
    ("target", "sentence"),
    [
        ("Broken", r"'quiz' of the package quiz-reader cannot be loaded \(RuntimeError: no licence\)"),
        ("Missing", "cannot be loaded"),
        ("Lacking", "has no 'read'"),
    ],
)
def test_a_broken_package_is_named(installed, tmp_path, target, sentence):
    installed("quiz", target)
    path = tmp_path / "a.json"
    path.write_text('{"quiz": {}}')
    with pytest.raises(ReadError, match=sentence):
        read(path)
