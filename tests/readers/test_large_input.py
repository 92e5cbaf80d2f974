"""Input that is large, or much larger than it looks: an answer or one sentence, in bounded memory.

Peak memory is that of a child process, so that what other tests left does not count.
"""

from __future__ import annotations

import gzip
import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest
from tests.readers.formats import FIXTURES

from scorebars.errors import ScorebarsError
from scorebars.readers.read import read

ROOT = Path(__file__).parents[2]
JSON = [name for name, one in FIXTURES.items() if not one.lines and name not in {"inspect", "junit"}]
pytestmark = pytest.mark.slow


def child(*arguments):
    """(exit code, what was printed, MB at peak) of the command line."""
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(
        [sys.executable, "-m", "scorebars", *map(str, arguments)],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024


@pytest.mark.parametrize("name", JSON)
def test_a_json_value_of_200_megabytes(tmp_path, name):
    fixture = FIXTURES[name]
    path = fixture.write(tmp_path)
    value = json.loads(path.read_bytes())
    inner = value[0] if isinstance(value, list) else value
    inner["a_long_text"] = "x" * 200_000_000
    path.write_text(json.dumps(value))
    said = None
    try:
        models = read(path, **dict(fixture.options)).models
    except ScorebarsError as error:
        said = str(error)
    assert models == fixture.models if said is None else (path.name in said and "\n" not in said)


def test_a_small_file_that_unpacks_to_gigabytes_is_refused(tmp_path):
    path = tmp_path / "bomb.json.gz"
    start = FIXTURES["alpaca-eval"].write(tmp_path).read_bytes()[:-1]
    with gzip.open(path, "wb", compresslevel=1) as stream:
        stream.write(start + b', {"x": "')
        for _ in range(600):
            stream.write(b"y" * (1 << 20))
        stream.write(b'"}]')
    code, said, peak = child("estimate", path)
    assert (code, said.count("\n")) == (2, 1)
    assert "more than 512 MiB" in said
    assert peak < 2000


def test_ten_thousand_tiny_files(tmp_path):
    for place in range(10_000):
        (tmp_path / f"{place}.json").write_text(json.dumps([{"model": "m", "item": place, "score": place % 2}]))
    scores = read(tmp_path)
    assert sum(scores._state.rows.counts("model").values()) == 10_000
