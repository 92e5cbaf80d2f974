"""Model, task and run from the names of files: --map file={model}_seed{run}."""

import csv
import json
import re
from pathlib import Path

import pytest

import scorebars as sb
from scorebars.cli.main import main
from scorebars.engines.file_runs import crossed_names, run_pattern
from scorebars.errors import ArgumentError, ReadError, ScoresError
from scorebars.readers.file_names import by_name
from scorebars.readers.read import read

ITEMS = [f"q{number}" for number in range(12)]


def score_of(model, run, item):
    return (7 * len(model) + 5 * run + 3 * int(item[1:])) % 4 % 2


def folder_of(tmp_path, names, *, columns=("item", "score"), write=None):
    """A file for each (name, model, run), with the scores of that run."""
    for name, model, run in names:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        cells = [{"model": model, "item": item, "score": score_of(model, run, item)} for item in ITEMS]
        kept = [{column: row[column] for column in columns} for row in cells]
        (write or csv_of)(path, kept)
    return tmp_path


def csv_of(path, rows):
    with path.open("w", newline="", encoding="utf-8") as target:
        writer = csv.DictWriter(target, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def lines_of(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def attempts(scores):
    tidy = scores.tidy()
    ids = [tidy[name] for name in ("model", "task", "run", "item") if name in tidy]
    return dict(zip(zip(*ids, strict=True), tidy["score"], strict=True))


GRID = [(model, run) for model in ("gpt-4o", "llama_70b") for run in range(3)]


@pytest.mark.parametrize(
    ("name", "pattern"),
    [
        ("{model}_seed{run}.csv", "{model}_seed{run}"),
        ("{model}/run{run}.jsonl", "{model}/run{run}"),
        ("out/{model}/x/run-{run}.csv", "{model}/x/run-{run}"),
        ("out/{model}/x/run-{run}.csv", "{model}/*/*-{run}"),
        ("{run}/{model}.csv", "{run}/{model}"),
        ("{model}_{run}.csv", "{model}_{run}"),
    ],
)
def test_model_and_run_are_in_the_name(tmp_path, name, pattern):
    names = [(name.format(model=model, run=run), model, run) for model, run in GRID]
    folder_of(tmp_path, names, write=lines_of if name.endswith("l") else csv_of)

    found = attempts(read(tmp_path, columns={"file": pattern}))

    assert found == {(m, str(r), item): score_of(m, r, item) for m, r in GRID for item in ITEMS}


@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".json"])
def test_both_readers_take_names_alike(tmp_path, suffix, monkeypatch):
    polars = pytest.importorskip("polars")
    for model, run in GRID:
        frame = polars.DataFrame({"item": ITEMS, "score": [score_of(model, run, item) for item in ITEMS]})
        path = tmp_path / f"{model}_seed{run}{suffix}"
        {".csv": frame.write_csv, ".parquet": frame.write_parquet, ".json": frame.write_json}[suffix](path)
    columns = {"file": "{model}_seed{run}"}
    small = read(tmp_path, columns=columns)
    with monkeypatch.context() as patched:
        patched.setattr("scorebars.readers.small.small_part", lambda *_, **__: None)
        careful = read(tmp_path, columns=columns)

    assert attempts(small) == attempts(careful)
    assert attempts(small)[("llama_70b", "2", "q3")] == score_of("llama_70b", 2, "q3")
    assert ("run", "the file's name, as asked") in small.columns


def test_rows_with_a_repeat_are_told_by_the_database_too(tmp_path):
    for run in (1, 2):
        text = "item,score\n" + "".join(f"q{i},{(i + run + twice) % 2}\n" for i in range(4) for twice in (0, 1))
        (tmp_path / f"seed{run}.csv").write_text(text)

    with pytest.raises(ScoresError, match="run '1'"):  # both rows of an item say run 1
        read(tmp_path, columns={"file": "seed{run}"}).cuts()


def test_the_folder_names_the_model_of_files_that_are_runs(tmp_path):
    folder_of(tmp_path / "gpt", [(f"seed{run}.csv", "x", run) for run in (1, 2, 3)])

    scores = read(tmp_path / "gpt", columns={"file": "seed{run}"})

    assert scores.models == ("gpt",)
    assert len(attempts(scores)) == 3 * len(ITEMS)
    assert ("model", "the folder's name ('gpt')") in scores.columns


def test_a_model_column_goes_before_the_folder(tmp_path):
    names = [(f"seed{run}.csv", model, run) for model, run in [("gpt", 1), ("gpt", 2)]]
    folder_of(tmp_path, names, columns=("model", "item", "score"))

    with pytest.raises(ScoresError, match=r"as runs by their names \(--map 'file=\{run\}'\)"):
        read(tmp_path).cuts()
    assert read(tmp_path, columns={"file": "{run}"}).models == ("gpt",)
    estimate = sb.estimate(read(tmp_path, columns={"file": "{run}"}))[0]
    expected = sum(score_of("gpt", run, item) for run in (1, 2) for item in ITEMS) / (2 * len(ITEMS))
    assert estimate.value == pytest.approx(expected)


@pytest.mark.parametrize(
    ("names", "pattern"),
    [(("gsm8k", "math", "mmlu"), "{task}"), (("gsm8k/out", "math/out", "mmlu/out"), "{task}/*"),
     (("gsm8k.v1", "math.v1", "mmlu.v1"), "{task}")],
)  # fmt: skip
def test_tables_of_one_model_may_be_tasks_by_their_names(tmp_path, names, pattern):
    files = [(f"{name}.csv", "gpt", run) for run, name in enumerate(names)]
    folder_of(tmp_path, files, columns=("model", "item", "score"))

    with pytest.raises(ScoresError) as caught:
        read(tmp_path).cuts()
    said = str(caught.value)
    runs = pattern.replace("task", "run")
    assert f"say that their names are tasks (--map 'file={pattern}'), count them as runs by their names" in said
    assert f"(--map 'file={runs}'), or give one of them" in said
    scores = read(tmp_path, columns={"file": pattern})
    estimate = sb.estimate(scores)[0]
    every = [score_of("gpt", run, item) for run in range(3) for item in ITEMS]
    assert estimate.value == pytest.approx(sum(every) / len(every))
    assert (estimate.n_items, estimate.n_runs) == (3 * len(ITEMS), (1, 1))


@pytest.mark.parametrize("names", [("run1", "run2"), ("gpt_0", "gpt_1"), ("1", "2"), ("a/seed1", "a/seed2")])
def test_names_that_count_are_those_of_runs_alone(tmp_path, names):
    files = [(f"{name}.csv", "gpt", run) for run, name in enumerate(names)]
    folder_of(tmp_path, files, columns=("model", "item", "score"))
    with pytest.raises(ScoresError, match="as runs by their names") as caught:
        read(tmp_path).cuts()
    assert "task" not in str(caught.value)


def test_wide_tables_are_runs_too(tmp_path):
    for run in (1, 2):
        text = "item,gpt,llama\n" + "".join(f"q{i},{(i + run) % 2},{(i * run) % 2}\n" for i in range(6))
        (tmp_path / f"run{run}.csv").write_text(text)

    found = attempts(read(tmp_path, columns={"file": "run{run}"}))

    assert len(found) == 2 * 2 * 6
    assert found[("llama", "1", "q3")] == 1.0
    assert found[("llama", "2", "q3")] == 0.0


def test_tasks_of_names(tmp_path):
    folder_of(tmp_path, [(f"{model}_{task}.csv", model, 0) for model in ("a", "b") for task in ("mmlu", "gsm8k")])

    scores = read(tmp_path, columns={"file": "{model}_{task}"})

    assert (scores.models, scores.tasks) == (("a", "b"), ("gsm8k", "mmlu"))


def test_the_mapping_is_kept_beside_the_files(tmp_path):
    folder_of(tmp_path, [(f"gpt_seed{run}.csv", "gpt", run) for run in (1, 2)])
    typed = attempts(read(tmp_path, columns={"file": "{model}_seed{run}"}, save_map=True))

    assert attempts(read(tmp_path)) == typed
    assert set(typed) == {("gpt", run, item) for run in "12" for item in ITEMS}


def test_a_column_joins_the_name(tmp_path):
    for run in (1, 2):
        text = "item,epoch,score\n" + "".join(f"q{i},{epoch},{(i + run) % 2}\n" for i in range(4) for epoch in (1, 2))
        (tmp_path / f"m_{run}.csv").write_text(text)

    found = attempts(read(tmp_path, columns={"file": "{model}_{run}", "run": "{run}+epoch"}))

    assert {key[1] for key in found} == {"1+1", "1+2", "2+1", "2+2"}
    with pytest.raises(ArgumentError, match=r"--map 'run=\{run\}\+epoch'"):
        read(tmp_path, columns={"file": "{model}_{run}", "run": "epoch"})


@pytest.mark.parametrize(
    ("pattern", "error", "words"),
    [
        ("seed", ArgumentError, r"say what the parts of the files' names are"),
        ("{modle}_{run}", ArgumentError, r"gives no 'modle'; did you mean 'model'\?"),
        ("{run}_{run}", ArgumentError, "twice"),
        ("{model}-{run}", ReadError, r"its name 'a_b_c' does not fit --map 'file=\{model\}-\{run\}'; mend"),
        ("{model}_{task}", ReadError, r"in two ways \(model 'a', task 'b_c' or model 'a_b', task 'c'\)"),
        ("{item}", ArgumentError, "gives no 'item'"),
    ],
)
def test_patterns_that_do_not_fit(tmp_path, pattern, error, words):
    folder_of(tmp_path, [("a_b_c.csv", "m", 0)])

    with pytest.raises(error, match=words):
        read(tmp_path, columns={"file": pattern})


def test_a_run_is_a_number_where_it_may_be():
    assert by_name(Path("/x/gpt_4o_1.csv"), {"file": "{model}_{run}"}).texts == {"{model}": "gpt_4o", "{run}": "1"}


@pytest.mark.parametrize(
    ("columns", "remedy"),
    [
        ({"run": "file"}, "file={model}_seed{run}"),
        ({"model": "folder", "run": "file"}, "file={model}/{run}"),
        ({"model": "folder"}, "file={model}/*"),
        ({"task": "filename"}, "file={task}"),
    ],
)
def test_file_as_a_column_says_the_pattern(tmp_path, columns, remedy):
    folder_of(tmp_path, [(f"{model}_seed{run}.csv", model, run) for model, run in GRID])

    with pytest.raises(ReadError) as raised:
        read(tmp_path, columns=columns)

    assert f"--map '{remedy}'" in str(raised.value)


def test_a_column_called_file_is_a_column(tmp_path):
    (tmp_path / "a.csv").write_text("file,item,score\nx,1,1\ny,1,0\nx,2,1\ny,2,1\n")

    assert read(tmp_path / "a.csv", columns={"run": "file"}).models == ("a",)


def test_repeats_as_runs_says_the_pattern(tmp_path):
    folder_of(tmp_path, [(f"{model}/run{run}.csv", model, run) for model, run in GRID])

    with pytest.raises(ArgumentError, match=r"--map 'file=\{model\}/run\{run\}'$"):
        read(tmp_path, repeats_as_runs=True)


def test_files_with_the_names_of_runs_are_noted(tmp_path):
    folder_of(tmp_path / "m", [(f"seed{run}.csv", "x", run) for run in (1, 2, 3)])

    said = [str(note) for note in read(tmp_path / "m").cuts().notes if note.code == "repeats-as-models"]
    found = sb.doctor(read(tmp_path / "m"), paths="m")

    assert len(said) == 1
    assert "--map 'file=seed{run}'" in said[0]
    assert [one.remedy for one in found.findings if one.code == "repeats-as-models"] == [
        "make them runs: --map 'file=seed{run}'"
    ]
    assert found.commands == ("scorebars estimate m --map 'file=seed{run}'",)
    asked = read(tmp_path / "m", columns={"file": "seed{run}"})
    assert "repeats-as-models" not in {note.code for note in asked.cuts().notes}


@pytest.mark.parametrize(
    ("name", "pattern"),
    [("{model}/seed{run}/test.csv", "{model}/seed{run}/*"), ("seed{run}/{model}.csv", "seed{run}/{model}")],
)
def test_folders_of_runs_are_noted(tmp_path, name, pattern):
    folder_of(tmp_path / "m", [(name.format(model=model, run=run), model, run) for model, run in GRID])

    found = sb.doctor(read(tmp_path / "m"), paths="m")

    (note,) = (str(note) for note in read(tmp_path / "m").cuts().notes if note.code == "repeats-as-models")
    assert f"--map 'file={pattern}'" in note
    codes = [(one.code, one.remedy) for one in found.findings]
    assert ("repeats-as-models", f"make them runs: --map 'file={pattern}'") in codes
    assert "same-model-name" not in dict(codes)
    assert found.commands == (f"scorebars estimate m --map 'file={pattern}'",)
    asked = read(tmp_path / "m", columns={"file": pattern})
    assert attempts(asked) == {
        (model, str(run), item): score_of(model, run, item) for model, run in GRID for item in ITEMS
    }


@pytest.mark.parametrize(
    ("names", "pattern"),
    [
        (["a_seed1", "b_seed1"], None),
        (["gpt-4", "gpt-5"], None),
        (["a_seed1", "a_seed2", "b"], None),
        (["gpt_epoch1", "gpt_epoch2"], None),
        (["Seed 1", "Seed 2"], "Seed {run}"),
        (["x (run 1)", "x (run 2)"], "{model} (run {run})"),
        (["a/b/run1", "a/b/run2"], None),
        (["a/seed0/test", "a/seed1/test", "b/seed0/test"], "{model}/seed{run}/*"),
        (["run-1/out/test", "run-2/out/test"], "run-{run}/*/*"),
        (["seed0/a", "seed0/b", "seed1/a", "seed1/b"], "seed{run}/{model}"),
        (["a/x/test", "b/x/test"], None),
    ],
)
def test_names_of_runs(names, pattern):
    assert run_pattern(names) == pattern


@pytest.mark.parametrize(
    ("names", "found"),
    [
        (["a_x", "a_y", "b_x", "b_y"], ("_", ("a", "b"), ("x", "y"))),
        (["gpt-4o/x", "gpt-4o/y", "b/y", "b/x"], ("/", ("gpt-4o", "b"), ("x", "y"))),
        (["a_x", "a_y", "b_x"], None),
        (["a_x", "b_x"], None),
        (["a_b_x", "a_b_y", "b_x", "b_y"], None),
        (["gpt", "llama"], None),
    ],
)
def test_names_that_cross_two_texts(names, found):
    assert crossed_names(names) == found


def test_queries_name_their_columns_themselves(tmp_path):
    folder_of(tmp_path, [("a_1.csv", "a", 1)])

    with pytest.raises(ArgumentError, match="the query names"):
        read(tmp_path / "a_1.csv", columns={"file": "{model}_{run}"}, sql="SELECT * FROM data")


def test_files_are_no_runs_by_their_names_beside_a_format_that_fixes_its_roles(tmp_path):
    folder_of(tmp_path, [(f"run{run}.csv", "m", run) for run in (1, 2)], columns=("model", "item", "score"))
    with pytest.raises(ScoresError, match="as runs by their names"):
        read(tmp_path).cuts()
    row = {"task_id": "HumanEval/0", "completion": "pass", "result": "passed", "passed": True}
    (tmp_path / "gpt.jsonl_results.jsonl").write_text(json.dumps(row) + "\n")
    with pytest.raises(ScoresError, match=r"both have model 'm'.* else give one of them"):
        read(tmp_path).cuts()
    with pytest.raises(ReadError, match="cannot be mapped"):
        read(tmp_path, columns={"file": "run{run}"})


def test_files_of_one_result_each_are_runs(tmp_path):
    for place, (model, run) in enumerate(GRID):
        (tmp_path / "m" / model / f"seed-{run}").mkdir(parents=True)
        value = {"epoch": 3, "eval_accuracy": 0.5 + place / 16, "eval_loss": 0.4}
        (tmp_path / "m" / model / f"seed-{run}" / "eval.json").write_text(json.dumps(value))
    (tmp_path / "m" / "config.json").write_text('{"lr": 0.1, "layers": 3}')
    said = r"score=eval_accuracy,file=\{model\}/seed-\{run\}/\*'; else write a list"

    with pytest.raises(ReadError, match=said):
        read([tmp_path / "m" / "gpt-4o", tmp_path / "m" / "llama_70b"])
    scores = read(
        [tmp_path / "m" / "gpt-4o", tmp_path / "m" / "llama_70b"],
        columns={"score": "eval_accuracy", "file": "{model}/seed-{run}/*"},
    )

    assert {one.model: (one.value, one.n_items) for one in sb.estimate(scores)} == {
        "gpt-4o": (pytest.approx(0.5 + 1 / 16), 1),
        "llama_70b": (pytest.approx(0.5 + 4 / 16), 1),
    }
    with pytest.raises(ReadError, match=r"in no shape .*; write a list"):
        read(tmp_path / "m" / "config.json")


CROSSED = ["gpt_law", "gpt_maths", "o3_law", "o3_maths"]
TASKS = ("gsm", "mmlu")
FOLDERS = ["gpt-4o", "claude", "gpt-4", "gpt-5"]
NAMED = [
    (["gpt-4o/results.csv", "claude/results.csv"], ["claude", "gpt-4o"]),
    (["gpt-4/Eval_Results.csv", "gpt-5/Eval_Results.csv"], ["gpt-4", "gpt-5"]),
    (["gpt-4/2026-01/scores.jsonl", "gpt-5/2026-01/scores.jsonl"], ["gpt-4", "gpt-5"]),
    (["law/gpt.csv", "maths/gpt.csv"], ["law/gpt", "maths/gpt"]),
    (["gpt/results.csv", "claude/results.csv", "other.csv"], ["claude/results", "gpt/results", "other"]),
    (["a/seed0/results.csv", "a/seed1/results.csv"], ["seed0/results", "seed1/results"]),
    (["gpt_law/scores.csv", "gpt_maths/scores.csv", "o3_law/scores.csv", "o3_maths/scores.csv"], CROSSED),
]


@pytest.mark.parametrize(("paths", "models"), NAMED)
def test_the_folder_is_the_model_of_files_of_one_name_that_says_nothing(tmp_path, paths, models):
    for n, path in enumerate(paths):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        rows = [{"item": f"q{k}", "score": int(k < n)} for k in range(4)]
        text = "".join(json.dumps(row) + "\n" for row in rows)
        if path.endswith("csv"):
            text = "item,score\n" + "".join(f"{row['item']},{row['score']}\n" for row in rows)
        (tmp_path / path).write_text(text)
    scores = sb.read(tmp_path)
    expected = models or sorted(path.removesuffix(".csv") for path in paths)
    assert sorted(scores.models) == expected
    means = {one.model: one.value for one in sb.estimate(scores)}
    told = dict(
        zip(
            (str(part.path) for part in scores.parts),
            (dict(part.mapping)["model"] for part in scores.parts),
            strict=True,
        )
    )
    for n, path in enumerate(paths):
        name = next(name for name in expected if name in path)
        assert means[name] == n / 4
        of_folder = f"the folder's name ('{name}')"
        whole = path.rpartition(".")[0]
        of_file = f"the file's name ('{name if whole.endswith(name) else whole}')"
        assert told[str(tmp_path / path)] == (of_folder if name in FOLDERS else of_file)


def crossed_folder(folder, sign="/", tasks=("gsm", "mmlu"), models=("llama", "qwen")):
    """A file for each task and model, whose items have the same ids in both."""
    for t, task in enumerate(tasks):
        for m, model in enumerate(models):
            path = folder / f"{task}{sign}{model}.csv"
            path.parent.mkdir(parents=True, exist_ok=True)
            csv_of(path, [{"item": i, "score": int((3 * i + 5 * t + 7 * m) % 11 > 4)} for i in range(20)])
    return folder.name


@pytest.mark.parametrize("sign", ["/", "__", "_"])
def test_files_of_models_and_tasks_are_noted_and_both_mappings_read_them(tmp_path, sign, monkeypatch, capsys):
    folder = crossed_folder(tmp_path / "m", sign)
    monkeypatch.chdir(tmp_path)
    names = [f"{task}{sign}{model}" for task in ("gsm", "mmlu") for model in ("llama", "qwen")]
    verbs = (["estimate", folder], ["compare", folder, "--a", names[0], "--b", names[1]])
    for verb in verbs:
        assert main([*verb, "--format", "json"]) == 0
        found = json.loads(capsys.readouterr().out)
        (said,) = {one["message"] for one in noted(found) if one["code"] == "tasks-as-models"}
        assert said.startswith("the names of the 4 files are each of 'gsm' and 'mmlu' with each of 'llama' and 'qwen'")
    one, other = re.findall(r"--map '(\S+)'", said)
    for mapping, models in ((one, ("gsm", "mmlu")), (other, ("llama", "qwen"))):
        assert re.search(f"{re.escape(mapping)}' if '{models[0]}' and '{models[1]}' are", said)
        assert main(["compare", folder, "--map", mapping, "--a", models[0], "--b", models[1], "--format", "json"]) == 0
        result = json.loads(capsys.readouterr().out)
        assert [one["n_shared"] for one in result["results"]] == [40]
        assert "tasks-as-models" not in {one["code"] for one in noted(result)}


@pytest.mark.parametrize("below", ["results", "2026-01/scores"])
def test_files_of_one_name_in_folders_of_models_and_tasks_are_noted_and_both_mappings_read_them(
    tmp_path, below, monkeypatch, capsys
):
    for task in ("gsm", "mmlu"):
        for model in ("llama", "qwen"):
            path = tmp_path / "m" / model / task / f"{below}.csv"
            path.parent.mkdir(parents=True)
            csv_of(path, [{"item": i, "score": int(i < len(model + task))} for i in range(20)])
    monkeypatch.chdir(tmp_path)
    scores = read("m")
    assert scores.models == ("llama/gsm", "llama/mmlu", "qwen/gsm", "qwen/mmlu")
    assert [one.value for one in sb.estimate(scores)] == [8 / 20, 9 / 20, 7 / 20, 8 / 20]
    diagnosis = sb.doctor(scores, paths="m")
    assert diagnosis.commands == ("scorebars estimate m",)
    remedies = {one.code: one.remedy for one in diagnosis.findings}
    assert main(["estimate", "m", "--format", "json"]) == 0
    (said,) = {one["message"] for one in noted(json.loads(capsys.readouterr().out)) if "tasks-as" in one["code"]}
    patterns = re.findall(r"--map '(\S+)' if '(\w+)' and '(\w+)' are", said)
    assert patterns == re.findall(r"--map '(\S+)' if '(\w+)' and '(\w+)' are", remedies["tasks-as-models"])
    assert [models for _, *models in patterns] == [["llama", "qwen"], ["gsm", "mmlu"]]
    for mapping, *models in patterns:
        pattern = mapping.removeprefix("file=")
        assert list(read("m", columns={"file": pattern}).models) == models


LABELS = [{"GPT": "llama"}, {"openai/gpt": "llama", "B": "qwen"}]


@pytest.mark.parametrize("below", ["", "/results"])
@pytest.mark.parametrize("labels", LABELS)
def test_labels_of_folders_leave_the_names_of_the_others_and_the_note_on_tasks(
    tmp_path, labels, below, monkeypatch, capsys
):
    for task in ("gsm", "mmlu"):
        for model in ("llama", "qwen"):
            path = tmp_path / "m" / model / f"{task}{below}.csv"
            path.parent.mkdir(parents=True, exist_ok=True)
            csv_of(path, [{"item": i, "score": int(i < len(model + task))} for i in range(20)])
    monkeypatch.chdir(tmp_path)
    of = {folder: label for label, folder in labels.items()}
    models = [of.get(folder, folder) for folder in ("llama", "qwen")]
    options = [text for label, folder in labels.items() for text in ("--label", f"{label}=m/{folder}")]
    assert main(["estimate", "m", *options, "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    values = {f"{name}/{task}": (n + len(task)) / 20 for name, n in zip(models, (5, 4), strict=True) for task in TASKS}
    assert {one["model"]: one["value"] for one in found["results"]} == values
    (said,) = {one["message"] for one in noted(found) if one["code"] == "tasks-as-models"}
    by_folder, by_file = re.findall(r"--map '(\S+)'( without the labels)? if '(.+?)' and '(.+?)' are", said)
    assert sorted(by_folder[2:]) == sorted(models)
    assert by_folder[1] == ""
    assert by_file[1:] == (" without the labels", *TASKS)
    for given, expected in ([*options, "--map", by_folder[0]], models), (["--map", by_file[0]], TASKS):
        assert main(["estimate", "m", *given, "--format", "json"]) == 0
        found = json.loads(capsys.readouterr().out)
        assert sorted(one["model"] for one in found["results"]) == sorted(expected)
        assert "tasks-as-models" not in {one["code"] for one in noted(found)}


NOT_CROSSED = [
    {"GPT": "m/llama/gsm.csv"},  # a file with a name of its own
    {"A": "m/llama", "B": "m/qwen/gsm.csv"},
]


@pytest.mark.parametrize("labels", NOT_CROSSED)
def test_labels_of_single_files_are_names_of_models(tmp_path, labels, monkeypatch):
    for path in ("llama/gsm", "llama/mmlu", "qwen/gsm", "qwen/mmlu"):
        (tmp_path / "m" / path).parent.mkdir(parents=True, exist_ok=True)
        csv_of(tmp_path / "m" / f"{path}.csv", [{"item": i, "score": int(i < 9)} for i in range(20)])
    monkeypatch.chdir(tmp_path)
    scores = read("m", labels=labels)
    assert "qwen/mmlu" in scores.models
    assert len(scores.models) == 4
    assert "tasks-as-models" not in {one.code for one in sb.estimate(scores).notes}


def test_a_file_that_was_named_keeps_its_short_name_beside_a_labelled_one(tmp_path):
    (tmp_path / "new").mkdir()
    for path in (tmp_path / "base.csv", tmp_path / "new" / "base.csv"):
        csv_of(path, [{"item": i, "score": int(i < 9)} for i in range(20)])
    scores = read([tmp_path / "base.csv", tmp_path / "new"], labels={"cand": tmp_path / "new"})
    assert sorted(scores.models) == ["base", "cand"]


def test_folders_of_runs_with_a_folder_a_model_are_runs_and_no_tasks(tmp_path):
    for path in ("seed0/gpt", "seed0/qwen", "seed1/gpt", "seed1/qwen"):
        (tmp_path / path).mkdir(parents=True)
        csv_of(tmp_path / path / "results.csv", [{"item": i, "score": int(i % 3 > 0)} for i in range(20)])
    notes = {one.code: one.message for one in sb.estimate(read(tmp_path)).notes}
    assert "--map 'file=seed{run}/{model}/*'" in notes["repeats-as-models"]
    assert "tasks-as-models" not in notes
    scores = read(tmp_path, columns={"file": "seed{run}/{model}/*"})
    assert scores.models == ("gpt", "qwen")


def test_one_file_name_in_folders_of_which_one_is_missing_hides_no_model(tmp_path):
    for path in ("gpt/law", "gpt/maths", "o3/law"):
        (tmp_path / path).mkdir(parents=True)
        csv_of(tmp_path / path / "results.csv", [{"item": i, "score": int(i % 3 > 0)} for i in range(20)])
    scores = read(tmp_path)
    assert scores.models == ("gpt/law", "maths", "o3/law")
    assert "same-model-name" not in {one.code for one in sb.doctor(scores).findings}


def noted(found):
    return [*found.get("notes", ()), *(one for row in found["results"] for one in row["notes"])]


def test_doctor_says_it_too_and_compares_no_model_with_itself(tmp_path, monkeypatch):
    crossed_folder(tmp_path / "m")
    monkeypatch.chdir(tmp_path)
    found = sb.doctor(read("m"), paths="m")
    remedies = {one.code: one.remedy for one in found.findings}
    assert "--map 'file={model}/{task}'" in remedies["tasks-as-models"]
    assert "--map 'file={task}/{model}'" in remedies["tasks-as-models"]
    assert "same-model-name" not in remedies  # one label for both would give each item two scores
    assert found.commands == ("scorebars estimate m",)


@pytest.mark.parametrize(
    "names", [("gpt-4", "gpt-5", "claude-4", "claude-5"), ("gpt_base", "gpt_chat", "qwen_base", "qwen_chat")]
)
def test_crossed_names_that_may_well_be_models_are_not_noted(tmp_path, names):
    folder_of(tmp_path / "m", [(f"{name}.csv", "x", k) for k, name in enumerate(names)])
    assert "tasks-as-models" not in {one.code for one in sb.estimate(read(tmp_path / "m")).notes}
