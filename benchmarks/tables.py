"""Tables of a gigabyte, and ten thousand tiny ones, next to DuckDB's own scan of the same columns.

Reading is from the call to the mean of each model, once the modules are imported and a small file has been read, and
so is the scan: each opens a connection of its own, and neither closes it within that time. The
whole command has the start of Python, the imports, the intervals and the notes as well, and the scan its own start.
The scan is told its columns and their types; beside it stands the one that finds them, as reading must.

A row is an answer of some 2 kB with its model, item and score, as evaluation programs write them. The lean rows have no
text, so that almost every byte matters and the scan has little to skip; nothing was promised of them.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from agreement import Disagreement
from processes import SCOREBARS, Program, in_turns
from table import Line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SCAN = """
import duckdb, json, sys, time
def scan(path):
    connection = duckdb.connect()
    connection.execute("SET enable_progress_bar = false")
    text = "VARCHAR"
    columns = {"model": text, "item": text, "score": "DOUBLE"}
    if sys.argv[3:]:
        rows = connection.sql("FROM '" + path + "'")
    elif path.endswith(".csv"):
        names = [name.strip() for name in open(path).readline().split(",")]
        rows = connection.read_csv(path, header=True, columns={name: columns.get(name, text) for name in names})
    else:
        rows = connection.read_json(path, columns=columns, format="newline_delimited")
    query = "SELECT model, avg(score), count(*), count(DISTINCT item) FROM rows GROUP BY model ORDER BY model"
    return connection, connection.sql(query).fetchall()
scan(sys.argv[2])
start = time.perf_counter()
kept, found = scan(sys.argv[1])
means = [[model, mean] for model, mean, *_ in found]
print(json.dumps({"means": means, "seconds": time.perf_counter() - start}))
"""
READ = """
import json, sys, time
import scorebars
def read(path):
    scores = scorebars.read(path)
    return scores, sorted([cut.sample.model, float(cut.sample.score.mean())] for cut in scores.cuts().cuts)
read(sys.argv[2])
start = time.perf_counter()
kept, means = read(sys.argv[1])
print(json.dumps({"means": means, "seconds": time.perf_counter() - start}))
"""
WARM_BYTES = 10**7
"""Of the small file, which is read by the same code as the large one."""
READ_ALL = """
import os, sys
print(sum(len(open(entry.path, "rb").read()) for entry in os.scandir(sys.argv[1])))
"""
SENTENCE = "Let us think about this question step by step. "
LEAST = 0.7
"""How many times DuckDB's own seconds were promised: at least so much of its rate."""
MOST_MB = 1500.0
TURNS = 7
"""Of each program: one in three meets something else at work on two CPUs."""
MODELS = 5


def write(path: Path, size: int, text: int) -> int:
    """Write a table of about ``size`` bytes with ``text`` bytes of answer in each row; the number of rows."""
    answer = (SENTENCE * (text // len(SENTENCE) + 1))[:text]
    rows = 0
    with path.open("w", buffering=1 << 20, encoding="utf-8") as file:
        if path.suffix == ".csv":
            file.write("model,item,score" + (",answer\n" if text else "\n"))
        while file.tell() < size:
            file.writelines(row(path.suffix, number, answer) for number in range(rows, rows + 1000))
            rows += 1000
    return rows


def row(suffix: str, number: int, answer: str) -> str:
    """One row, as its line."""
    item, model = divmod(number, MODELS)
    score = int(number * 2_654_435_761 % 10 < 6)
    if suffix == ".csv":
        return f"vendor/model-{model},question-{item},{score}" + (f',"{answer}"\n' if answer else "\n")
    record = {"model": f"vendor/model-{model}", "item": f"question-{item}", "score": score}
    return json.dumps(record | ({"answer": answer} if answer else {})) + "\n"


def large(suffix: str, text: int, goal: float, size: int = 10**9) -> Iterator[Line]:
    """Reading alone, and ``estimate`` on the file as a whole process, each next to the scan."""
    with tempfile.TemporaryDirectory() as folder:
        path, warm = Path(folder) / f"scores{suffix}", Path(folder) / f"warm{suffix}"
        rows = write(path, size, text)
        write(warm, WARM_BYTES, text)
        ours = Program("", [*SCOREBARS, "estimate", str(path), "--format", "json"], repeat=TURNS)
        reading = Program("", [sys.executable, "-c", READ, str(path), str(warm)], repeat=TURNS)
        theirs = Program(
            "DuckDB's own scan of the same columns", [sys.executable, "-c", SCAN, str(path), str(warm)], repeat=TURNS
        )
        finding = Program("the same, which finds the columns", [*theirs.command, "found"], repeat=TURNS)
        inside = in_turns_inside([reading, theirs, finding], ours)
    expected = json.loads(theirs.output)["means"]
    _agree([[each["model"], each["value"]] for each in json.loads(ours.output)["results"]], expected)
    for program in (reading, finding):
        _agree(json.loads(program.output)["means"], expected)
    if ours.peak_mb > MOST_MB:
        raise Disagreement(f"{ours.peak_mb:,.0f} MB at peak; {MOST_MB:,.0f} were promised")
    file = f"{suffix[1:].upper()} of {size / 1e9:g} GB, {rows:,} rows"
    name = suffix[1:] + ("" if text else "-lean")
    for what, took, least, program, peer in (
        ("reading", inside[:2], goal, reading, theirs),
        ("reading", [inside[0], inside[2]], 0.0, reading, finding),
        ("`estimate`, whole process", [ours.median, theirs.median], 0.0, ours, theirs),
    ):
        peaks = (program.peak_mb, peer.peak_mb)
        remark = " against ".join(f"{size / 1e6 / seconds:,.0f} MB/s" for seconds in took)
        yield Line(name, f"{what}, {file}", took[0], peer.label, took[1], least, peak_mb=peaks, remark=remark)


def in_turns_inside(programs: list[Program], other: Program) -> list[float]:
    """All in turn; the median of the seconds that each of the programs says it took inside."""
    said: list[list[float]] = [[] for _ in programs]
    for _ in range(max(program.repeat for program in programs)):
        other.turn()
        for program, seconds in zip(programs, said, strict=True):
            program.turn()
            seconds.append(json.loads(program.output)["seconds"])
    return [statistics.median(seconds) for seconds in said]


def _agree(ours: list[list[object]], theirs: list[list[object]]) -> None:
    found, expected = ({str(model): float(mean) for model, mean in each} for each in (ours, theirs))  # type: ignore[arg-type]
    if found.keys() != expected.keys() or any(abs(found[model] - expected[model]) > 1e-12 for model in found):
        raise Disagreement(f"means {found} against {expected}")


def tiny(files: int = 10_000) -> Iterator[Line]:
    """A folder of files of one row each, and a program that only reads their bytes."""
    with tempfile.TemporaryDirectory() as folder:
        for number in range(files):
            text = "model,item,score\n" + row(".csv", number, "")
            (Path(folder) / f"{number}.csv").write_text(text, encoding="utf-8")
        ours = Program("", [*SCOREBARS, "estimate", folder, "--format", "json"], repeat=3)
        theirs = Program("reading their bytes", [sys.executable, "-c", READ_ALL, folder], repeat=3)
        in_turns([ours, theirs])
    remark = f"{1000 * ours.median / files:.2f} ms a file"
    peaks = (ours.peak_mb, theirs.peak_mb)
    what = f"`estimate`, {files:,} CSV files of one row"
    yield Line("tiny-files", what, ours.median, theirs.label, theirs.median, peak_mb=peaks, remark=remark)


ROWS: dict[str, Callable[[Path], Iterator[Line]]] = {
    "csv": lambda _: large(".csv", 2000, LEAST),
    "jsonl": lambda _: large(".jsonl", 2000, LEAST),
    "csv-lean": lambda _: large(".csv", 0, 0.0),
    "jsonl-lean": lambda _: large(".jsonl", 0, 0.0),
    "tiny-files": lambda _: tiny(),
}
