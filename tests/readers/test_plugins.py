"""Readers of other packages: asked last, and never for a plain table."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest

from scorebars.cli.main import main
from scorebars.errors import ReadError
from scorebars.readers import plugins
from scorebars.readers.read import read
from scorebars.readers.survey import survey

PAGE = (Path(__file__).parents[2] / "docs" / "own-format.md").read_text()
READER = re.search(r"```python\n(.*?)```", PAGE, re.DOTALL)[1]
SETTINGS = tomllib.loads(re.search(r"```toml\n(.*?)```", PAGE, re.DOTALL)[1])
LOG = '{"quiz": "capitals", "player": "ada", "answers": {"q1": {"points": 1}, "q2": {"error": "timeout"}}}'
MODULE = f"""{READER}

class Broken:
    def __init__(self):
        raise RuntimeError("no licence")

class Telling(QuizReader):
    official = "Quizzer counts them as 0 too"

class Lacking:
    def claims(self, head):
        return True

class Claims(QuizReader):
    def claims(self, head):
        return 1 / 0

class Reads(QuizReader):
    def read(self, heads, request):
        return {{}}["answers"]

class Yields(QuizReader):
    def read(self, heads, request):
        yield from super().read(heads, request)
        raise ValueError("odd quiz")

class Gives(QuizReader):
    def read(self, heads, request):
        return ["rows"]

class Everything(QuizReader):
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


def test_the_page_shows_a_whole_reader_in_forty_lines():
    assert len(READER.strip().splitlines()) < 40
    assert SETTINGS["project"]["entry-points"] == {"scorebars.readers": {"quiz": "quiz_reader:QuizReader"}}
    assert LOG in PAGE


def test_another_package_reads_its_format(installed, tmp_path):
    installed("quiz", "QuizReader")
    path = tmp_path / "log.json"
    path.write_text(LOG)
    scores = read(path)
    assert (scores.models, scores.tasks, scores.parts[0].reader) == (("ada",), ("capitals",), "quiz")
    (cut,) = scores.with_options(on_error="wrong").cuts().cuts
    assert cut.sample.score.tolist() == [1, 0]


@pytest.mark.parametrize(("reader", "clause"), [("QuizReader", ""), ("Telling", "; Quizzer counts them as 0 too")])
def test_another_package_may_say_what_its_tool_does_with_errors(installed, tmp_path, capsys, reader, clause):
    installed("quiz", reader)
    (tmp_path / "log.json").write_text(LOG)
    assert main(["estimate", str(tmp_path / "log.json"), "--explain"]) == 0
    rule = "  attempts without a score are dropped, unless --on-error says otherwise"
    assert f"{rule}{clause}" in capsys.readouterr().err.splitlines()


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('"ada"', "null", "log.json: 'player' is null"),
        ('{"points": 1}', '{"points": "one"}', "'answers': 'q1': 'points' is text, not a number"),
        ('"answers"', '"questions"', "log.json holds no attempt"),
        ("}}}", "}", "log.json is not valid JSON: it is truncated"),
    ],
)
def test_its_damaged_files_give_one_sentence(installed, tmp_path, old, new, sentence):
    installed("quiz", "QuizReader")
    path = tmp_path / "log.json"
    path.write_text(LOG.replace(old, new))
    with pytest.raises(ReadError, match=sentence):
        read(path)


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
    path.write_text(LOG)
    with pytest.raises(ReadError, match=sentence):
        read(path)


@pytest.mark.parametrize(
    ("target", "what"),
    [
        ("Claims", "ZeroDivisionError: division by zero"),
        ("Reads", "KeyError: 'answers'"),
        ("Yields", "ValueError: odd quiz"),
        ("Gives", "TypeError: it gives a str where a Part is due"),
    ],
)
@pytest.mark.parametrize("command", ["estimate", "doctor"])
def test_a_failure_inside_a_package_is_said_of_it_and_not_of_scorebars(
    installed, tmp_path, capsys, target, what, command
):
    installed("quiz", target)
    path = tmp_path / "log.json"
    path.write_text(LOG)
    assert main([command, str(path)]) == 2
    said = capsys.readouterr().err
    assert f"log.json: the reader 'quiz' of the package quiz-reader failed ({what}); report it to that package" in said
    assert "bug in scorebars" not in said


def test_a_file_of_a_failing_package_does_not_keep_the_doctor_from_others(installed, tmp_path):
    installed("quiz", "Reads")
    data = tmp_path / "data"
    data.mkdir()
    (data / "log.json").write_text(LOG)
    (data / "a.csv").write_text("model,item,score\nA,1,1\nA,2,0\n")
    found = survey([str(data)])
    assert found.scores.models == ("A",)
    assert "of the package quiz-reader failed" in found.unread[0].reason


TABLES = [
    ("a.json", '{"results": [{"id": 1, "score": 1}, {"id": 2, "score": 0}]}'),
    ("a.json", '{"A": [1, 0], "B": [0, 1]}'),
    ("a.json", '{"A": {"q1": 1, "q2": 0}, "B": {"q1": 1, "q2": 1}}'),
    ("a.json", '{"q1": {"score": 1}, "q2": {"score": 0}}'),
    ("a.json", '[{"id": 1, "score": 1}, {"id": 2, "score": 0}]'),
    ("a.json", '{"id": 1, "score": 1}\n{"id": 2, "score": 0}\n'),
    ("a.jsonl", '{"id": 1, "score": 1}\n{"id": 2, "score": 0}\n'),
    ("a.csv", "id,score\n1,1\n2,0\n"),
    ("long.json", json.dumps({"results": [{"id": n, "score": n % 2, "text": "x" * 500} for n in range(200)]})),
]


@pytest.mark.parametrize(("name", "data"), TABLES, ids=[f"{n} {name}" for n, (name, _) in enumerate(TABLES)])
@pytest.mark.parametrize("target", ["Everything", "Claims"])
def test_what_the_reader_of_tables_knows_is_asked_of_no_package(installed, tmp_path, name, data, target):
    installed("quiz", target)
    (tmp_path / name).write_text(data)
    assert read(tmp_path / name).parts[0].reader == "table"


def test_packages_are_not_looked_up_for_a_file_that_is_known(monkeypatch, tmp_path):
    """Looking for entry points is a tenth of a start."""
    plugins.names.cache_clear()
    monkeypatch.setattr(plugins, "_offered", lambda: pytest.fail("looked up"))
    for name, data in TABLES:
        if len(data) < 2**16:
            (tmp_path / name).write_text(data)
            assert read(tmp_path / name).parts[0].reader == "table"
