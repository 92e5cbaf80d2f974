"""What ``sb.read`` says can be typed in Python: no option, arguments that exist, values as Python spells them.

The sentences are taken from the source, so that a new one is held to the same rule.
"""

from __future__ import annotations

import ast
import inspect
import re
from pathlib import Path

import pytest

import scorebars as sb
from scorebars.engines.read_words import in_read, say
from scorebars.errors import ReadError, ScorebarsError

SOURCE = Path(sb.__file__).parent
FOREIGN = {
    *("--completion", "--dump-eval-details", "--evaluate", "--limit", "--log", "--predict", "--repeat"),
    *("--save-details", "--sentence-level", "--bigcodebench-"),
}  # fmt: skip
"""Options of the programs that write the files."""
ARGUMENTS = {*inspect.signature(sb.read).parameters, "by"}
LATER = {"run_crosses_items", "cluster_crosses_tasks", "model", "task"}
"""Of ``with_options`` and ``select``."""


def texts(path):
    """The texts of a module that are no docstrings; what is put into them is written as it is in the code."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    bare = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    inner = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        if id(node) in bare | inner:
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        elif isinstance(node, ast.JoinedStr):
            said = "".join(part.value if isinstance(part, ast.Constant) else "7" for part in node.values)
            yield re.sub(r"(--[a-z-]+)7", r"\1 7", said)


SENTENCES = sorted({
    text
    for folder in ("readers", "engines", ".")
    for path in (SOURCE / folder).glob("*.py")
    if path.name not in {"read_words.py", "python_words.py", "saved_map.py"} and path != SOURCE / "readers/__init__.py"
    for text in texts(path)
    if re.search(r"--[a-z]", text) and " " in text.strip() and "\\" not in text
})  # fmt: skip


def spelled(text):
    """(name, value) of each argument in a sentence, the value as Python reads it."""
    for found in re.finditer(r"(?<![\w'\"{.])([a-z_]+)=(?=['\"{(\[]|True)", text):
        rest = text[found.end() :]
        for end in range(1, len(rest) + 1):
            try:
                yield found[1], ast.literal_eval(re.sub(r"\b[A-Z]+\b(?=[,)}])(?!')", "0", rest[:end]))
            except (SyntaxError, ValueError):
                continue
            break
        else:
            pytest.fail(f"cannot be typed: {text[found.start() :]}")


def test_there_are_sentences():
    assert len(SENTENCES) > 130


@pytest.mark.parametrize("text", SENTENCES)
def test_each_sentence_of_the_readers_names_arguments(text):
    said = in_read(text)
    assert not set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", said)) - FOREIGN
    for name, _ in spelled(said.replace("…", "0")):
        assert name in ARGUMENTS | LATER, said


@pytest.mark.parametrize(
    ("option", "argument"),
    [
        ("(--map 'item=Question Number')", "(columns={'item': 'Question Number'})"),
        ("--map task=COLUMN,run=COLUMN, or", "columns={'task': 'COLUMN', 'run': 'COLUMN'}, or"),
        ('(--map "score=it\'s"),', "(columns={'score': \"it's\"}),"),
        ("--map 'file={model}_seed{run}'", "columns={'file': '{model}_seed{run}'}"),
        ("(--sql \"SELECT * FROM data WHERE a = 'x'\")", "(sql=\"SELECT * FROM data WHERE a = 'x'\")"),
        ("--sql 'SELECT \"a b\" FROM data' --range 0,1", "sql='SELECT \"a b\" FROM data', range=(0, 1)"),
        ("score them with --sql where", "score them with sql where"),
        ("--category A=1,B=0,tie=0.5)", "categories={'A': 1, 'B': 0, 'tie': 0.5})"),
        ("--category left=1 --category right=0", "categories={'left': 1, 'right': 0}"),
        ("(--category good=NUMBER,bad=NUMBER …)", "(categories={'good': NUMBER, 'bad': NUMBER, …})"),
        ("--label NAME=-", "labels={'NAME': '-'}"),
        ("leave --map and --cluster out", "leave columns and cluster out"),
        ("--on-error wrong|drop|fail", "on_error='wrong' or 'drop' or 'fail'"),
        ("(--all-items FILE, one a line)", "(items='FILE', one a line)"),
        (
            "take the newest (--latest), or all (--repeats-as-runs)",
            "take the newest (latest=True), or all (repeats_as_runs=True)",
        ),
        ("leave it out (--without 'a b.csv')", "leave it out (without=['a b.csv'])"),
        ("--at must say which; --at mean:10 (the mean", "at must say which; at='mean:10' (the mean"),
        ("(--explain lists them)", "(explain() lists them)"),
        ("show each (estimate --by metric,variant)", "show each (sb.estimate with by=('metric', 'variant'))"),
        ("sacrebleu --sentence-level -b, --limit", "sacrebleu --sentence-level -b, --limit"),
        (
            "\n  scorebars estimate a.csv b.csv --map score=x --latest",
            "\n  sb.read(['a.csv', 'b.csv'], columns={'score': 'x'}, latest=True)",
        ),
        ("(--model m/x --model m/y), or --task 'a b'", "(select(model=['m/x', 'm/y'])), or select(task='a b')"),
        ("nothing to type", "nothing to type"),
    ],
)
def test_options_become_arguments_of_read(option, argument):
    assert in_read(option) == argument


FILES = {
    "question": "My Model,Question Number,score\n" + "".join(f"{m},Q {n},{n % 2}\n" for m in "AB" for n in range(8)),
    "no score": "My Model,Question Number,My Points\n" + "".join(f"{m},{n},{n % 2}\n" for m in "AB" for n in range(8)),
    "words": "model,item,score\n" + "".join(f"a,{n},{'good' if n % 3 else 'so so'}\n" for n in range(9)),
    "two models": "model name,agent,item,score\n" + "".join(f"x{n % 2},{m},Q {n},1\n" for m in "AB" for n in range(8)),
    "a curve": "_step,_runtime,_timestamp,acc\n0,1,1,.1\n5,2,2,.4\n",
    "runs": "_step,_runtime,_timestamp,acc,algo,name\n0,1,1,.1,p,a\n5,2,2,.4,p,a\n0,1,1,.1,p,b\n5,2,2,.4,p,b\n"
    "0,1,1,.1,q,c\n5,2,2,.4,q,c\n",
    "gold": "item,gold,prediction\n" + "".join(f"q{n},{'xyz'[n % 3]},{'xyz'[n % 2]}\n" for n in range(12)),
}  # fmt: skip
"""Files that are refused with something to type."""


@pytest.mark.parametrize("name", FILES)
def test_what_an_error_says_to_type_reads_the_file_or_asks_the_next_question(name, tmp_path):
    path = tmp_path / "my table.csv"
    path.write_text(FILES[name], encoding="utf-8")
    seen = []
    options = {}
    for _ in range(4):  # one answer may lead to another question
        try:
            scores = sb.read(path, **options)
            scores.cuts()
        except ScorebarsError as error:
            said = "\n".join([str(error), *map(str, getattr(error, "__notes__", []))])
            below = f"{error.__cause__} {error.__context__}"
        else:
            break
        assert "--" not in said + below
        assert said not in seen, said
        seen.append(said)
        found = dict(spelled(said.replace("NUMBER", "1").replace(", …", "")))
        assert set(found) <= ARGUMENTS
        new = {key: value for key, value in found.items() if options.get(key) != value}
        key, value = next(iter(new.items()))
        options[key] = options.get(key, {}) | value if isinstance(value, dict) else value
    assert seen
    assert scores.models


def test_the_class_of_an_error_and_the_path_in_it_stay(tmp_path):
    with pytest.raises(ReadError, match=r"no file or folder .*none.csv"):
        sb.read(tmp_path / "none.csv")
    with pytest.raises(sb.ArgumentError, match=r"latest=True and repeats_as_runs=True are two answers"):
        sb.read(tmp_path, latest=True, repeats_as_runs=True)


def test_notes_on_files_and_on_results_name_arguments(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("model,score\n" + "".join(f"a,{n * 0.7}\n" for n in range(5)), encoding="utf-8")
    scores = sb.read(path)
    told = [
        *scores.cuts().notes,
        *(note for cut in scores.cuts().cuts for note in cut.notes),
        *sb.estimate(scores)[0].notes,
    ]
    said = {note.code: note.message for note in told}
    assert "columns={'item': 'COLUMN'}" in said["rows-as-items"]
    assert "(range=(LOW, HIGH))" in said["few-items"]
    found = sb.doctor(scores)
    assert not [one for one in (*said.values(), *(f"{f.message} {f.remedy}" for f in found.findings)) if "--" in one]


def test_several_metrics_are_chosen_in_python(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("item,metric,score\n1,acc,1\n1,f1,0.5\n2,acc,0\n2,f1,0.25\n", encoding="utf-8")
    scores = sb.read(path)
    with pytest.raises(
        sb.ScoresError, match=r"choose one \(metric='acc'\) or show each \(sb.estimate with by='metric'\)"
    ):
        sb.estimate(scores)
    assert len(sb.read(path, metric="acc").models) == 1
    assert len(sb.estimate(scores, by="metric")) == 2


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.json", '[{"item": 1, "score": 1}, {"item": 2, "sc'),
        ("a.jsonl", '{"item": 1, "score": 1}\n{"item": 2, "sc\n'),
        ("a.json", '[{"item": 1, "score": 1}, null]'),
        ("a.json", '{"train": [{"item": 1, "score": 1}], "test": [{"item": 1, "score": 1}]}'),
    ],
)
def test_errors_that_go_round_in_a_circle_are_said_once(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    with pytest.raises(sb.ReadError, match=re.escape(name)):
        sb.read(tmp_path / name)
    one, other = sb.ReadError("name it (--map item=id)"), sb.ReadError("or so (--cluster none)")
    one.__cause__, other.__cause__ = other, one
    say(one)
    assert [str(one), str(other)] == ["name it (columns={'item': 'id'})", "or so (cluster='none')"]
