"""Input that is large, or much larger than it looks: an answer or one sentence, in bounded memory.

Peak memory is that of a child process, so that what other tests left does not count.
"""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from tests.peak import PEAK_MB
from tests.readers.formats import FIXTURES
from tests.readers.inspect_by_hand import header

from scorebars.errors import ScorebarsError
from scorebars.readers.read import read

ROOT = Path(__file__).parents[2]
NO_JSON = {"inspect", "junit", "lighteval", "rl-arrays"}
JSON = [name for name, one in FIXTURES.items() if not one.lines and name not in NO_JSON]
pytestmark = pytest.mark.slow


def child(*arguments):
    """(exit code, what was printed, MB at peak) of the command line."""
    run = "import sys; from scorebars.cli.main import main; code = main(sys.argv[1:]); print(peak_mb(), code)"
    done = subprocess.run(
        [sys.executable, "-c", f"{PEAK_MB}\n{run}", *map(str, arguments)],
        env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=True,
    )
    *said, last = done.stdout.splitlines()
    peak, code = map(int, last.split())
    return code, "\n".join(said) + done.stderr, peak


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


@pytest.mark.parametrize("name", [*(name for name, one in FIXTURES.items() if one.lines == "json"), "table"])
def test_a_json_line_of_200_megabytes_is_named(tmp_path, name):
    fixture = FIXTURES[name]
    path = tmp_path / "scores.jsonl" if name == "table" else fixture.write(tmp_path)
    if name == "table":
        path.write_text("".join(json.dumps({"model": "A", "item": n, "score": n % 2}) + "\n" for n in range(4)))
    *above, last = path.read_text().splitlines()
    path.write_text("\n".join([*above, json.dumps(json.loads(last) | {"a_long_text": "x" * 200_000_000})]) + "\n")
    with pytest.raises(ScorebarsError) as caught:
        read(path, **dict(fixture.options))
    assert path.name in str(caught.value)
    assert "longer than" in str(caught.value)
    assert name == "lm-eval" or f"line {len(above) + 1} " in str(caught.value)


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


def test_lines_of_a_csv_as_long_as_they_may_be(tmp_path):
    """They stand across the ends of what is read at once; one that is longer is named."""
    path = tmp_path / "a.csv"
    lengths = [15_900_000 if n % 3 == 0 else 3_000_000 for n in range(12)]
    rows = [f"A,{n},{n % 2},{'x' * length}\n" for n, length in enumerate(lengths)]
    path.write_text("model,item,score,text\n" + "".join(rows))
    (cut,) = read(path).cuts().cuts
    assert cut.sample.score.tolist() == [0, 1] * 6
    path.write_text("model,item,score,text\n" + "".join(rows) + f"A,12,1,{'x' * 17_900_000}\n")
    with pytest.raises(ScorebarsError, match=r"a\.csv: line 14 is longer than 16 MiB"):
        read(path)


@pytest.mark.parametrize("layout", ["eval", "one line", "indented"])
def test_an_inspect_sample_of_millions_of_values(tmp_path, layout):
    """200 MB of one sample; built as Python objects it would be gigabytes."""
    fields = {"id": 1, "epoch": 1, "input": "?", "scores": {"s": {"value": "C"}}, "store": 0}
    before, after = json.dumps(fields)[:-2], "]}"
    block = ",".join(['{"a":1}'] * 1_000)
    top = header(total=1)
    path = tmp_path / ("a.eval" if layout == "eval" else "a.json")
    if layout == "eval":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            archive.writestr("header.json", json.dumps(top))
            with archive.open("samples/1_epoch_1.json", "w") as stream:
                stream.writelines(part.encode() for part in (before, "[", f"{block}," * 25_000, "0", after))
    else:
        space = "\n    " if layout == "indented" else ""
        text = json.dumps(top, indent=2 if space else None)[:-1].rstrip("\n")
        with path.open("w") as stream:
            stream.write(f'{text},{space[:3]}"samples": [{space}{before}[')
            stream.writelines(f"{block}," for _ in range(25_000))
            stream.write(f"0]{space}}}{space[:3]}]{space[:1]}}}")
    assert layout == "eval" or path.stat().st_size > 200_000_000
    code, said, peak = child("estimate", path, "--format", "json")
    assert (code, json.loads(said)["results"][0]["value"]) == (0, 1.0)
    assert peak < 200
