"""The commands from end to end, on small files written here."""

from __future__ import annotations

import csv
import gzip
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.cli.tables import HEADER, answers, trials, write
from tests.readers.formats import harbor_trial

# estimate


def test_estimate_prints_the_score_and_what_it_means(done, folder):
    out = done("estimate", answers("a.csv", "gpt", 124, 200))
    row = out.splitlines()[1]
    assert row.split()[:2] == ["gpt", "62.0"]
    assert "95 % interval" in out
    assert "question     What would the score be on other items of the same kind" in out
    assert "rests on     200 items, 1 run each" in out
    assert "dropped      nothing" in out
    assert out.isascii()


def test_show_is_estimate(done, folder):
    path = answers("a.csv", "gpt", 12, 20)
    assert done("show", path) == done("estimate", path)


def test_percentile_is_the_computed_one(results, folder):
    (found,) = results("estimate", answers("a.csv", "gpt", 124, 200), "--interval", "percentile")
    assert (found["low"], found["high"]) == (0.55, 0.685)
    assert found["distribution"] == "computed"


def test_drawn_when_asked_for(done, results, folder):
    path = answers("a.csv", "gpt", 124, 200)
    drawn = ("estimate", path, "--interval", "percentile", "--n-boot", "500", "--seed", "7")
    (found,) = results(*drawn)
    assert (found["distribution"], found["n_boot"]) == ("monte-carlo", 500)
    assert "seed 7" in done(*drawn)
    assert results(*drawn) == [found]
    assert "(the default)" in done("estimate", path, "--interval", "percentile", "--n-boot", "500")


@pytest.mark.parametrize(
    ("form", "start"), [("json", "{"), ("csv", "model,"), ("markdown", "| model"), ("latex", "% ")]
)
def test_formats(done, folder, form, start):
    assert done("estimate", answers("a.csv", "gpt", 12, 20), "--format", form).startswith(start)


def test_files_are_written_whole_and_kept(call, done, refused, folder):
    path = answers("a.csv", "gpt", 12, 20)
    assert done("estimate", path, "-o", "out.json") == ""
    assert json.loads(Path("out.json").read_text(encoding="utf-8"))["kind"] == "estimates"
    assert "exists and is kept" in refused("estimate", path, "-o", "out.json")
    assert done("estimate", path, "-o", "out.json", "--format", "csv", "--force") == ""
    assert Path("out.json").read_text(encoding="utf-8").startswith("model,")


def test_rows_by_task_macro_average_and_one_pot(results, folder):
    rows = [f"m,easy,q{i},0,1" for i in range(10)] + [f"m,hard,q{i},0,{i % 2}" for i in range(30)]
    path = write("a.csv", *rows)
    assert [(row["task"], row["value"]) for row in results("estimate", path, "--by", "task")] == [
        ("easy", 1.0),
        ("hard", 0.5),
    ]
    assert results("estimate", path)[0]["value"] == 0.75
    assert results("estimate", path, "--pool-tasks")[0]["value"] == 0.625
    assert results("estimate", path, "--task", "hard")[0]["n_items"] == 30


def test_runs(results, folder):
    path = trials()
    assert results("estimate", path)[0]["n_runs"] == {"min": 3, "max": 3}
    assert results("estimate", path, "--estimator", "pass^3")[0]["value"] == 0.25
    assert results("estimate", path, "--estimator", "pass@3")[0]["value"] == 1.0
    assert results("estimate", path, "--resample", "run")[0]["resample"] == ["run"]
    assert results("estimate", path, "--resample", "run,item")[0]["resample"] == ["item", "run"]


def test_all_questions(done, results, refused, folder):
    path = trials()
    assert [row["resample"] for row in results("estimate", path, "--questions", "all")] == [["item"], ["run"]]
    out = done("estimate", path, "--questions", "all")
    assert "redrawn" in out.splitlines()[0]
    assert "not-comparable" in out
    assert "leave --resample out" in refused("estimate", path, "--questions", "all", "--resample", "item")


def test_estimators_of_several_columns(done, results, refused, folder):
    header = "item,run,cost,resolved"
    rows = [f"q{i},{run},{1 + (i + run) % 4},{int((i + run) % 3 > 0)}" for i in range(12) for run in (1, 2)]
    a = write("a.csv", *rows, header=header)
    b = write("b.csv", *(row.replace(",1,1,", ",1,2,") for row in rows), header=header)
    ratio = ("--map", "score=cost+resolved", "--estimator", "ratio:cost/resolved")
    assert results("estimate", a, *ratio)[0]["value"] == 60 / 16
    assert [row["resample"] for row in results("estimate", a, *ratio, "--questions", "all")] == [["item"], ["run"]]
    compared = done("compare", a, b, *ratio)
    assert "paired on 12 shared" in compared
    assert "choose one (--metric 'cost')" in refused("estimate", a, "--map", "score=cost+resolved")
    assert "--map score=cost+resolved" in refused("estimate", a, "--map", "score=cost", *ratio[2:])


def test_one_sided(done, folder):
    path = answers("a.csv", "gpt", 12, 20)
    assert ">= " in done("estimate", path, "--side", "lower")
    assert "<= " in done("estimate", path, "--side", "upper")


def test_graded_scores_with_a_range(results, folder):
    path = write("a.csv", *(f"m,t,q{i},0,{1 + i % 10}" for i in range(40)))
    (found,) = results("estimate", path, "--range", "1,10")
    assert 1 <= found["low"] < found["value"] < found["high"] <= 10


def test_mapping_and_clusters(results, folder):
    rows = [f"a,b,{i},{i // 5},{int(i % 3 > 0)}" for i in range(40)]
    path = write("a.csv", *rows, header="agent,model,qid,passage,correct")
    (found,) = results("estimate", path, "--map", "model=agent+model")
    assert (found["n_clusters"], found["resample"]) == (8, ["cluster"])
    renamed = write("b.csv", *rows, header="agent,llm,number,text,correct")
    (other,) = results("estimate", renamed, "--map", "model=agent+llm,item=number", "--cluster", "text")
    assert (other["value"], other["low"], other["n_clusters"]) == (found["value"], found["low"], 8)


def test_errors_count_as_asked(results, refused, folder):
    path = write("a.csv", *(f"m,t,q{i},0,{'' if i < 2 else 1}" for i in range(10)))
    assert results("estimate", path)[0]["value"] == 1.0
    assert results("estimate", path, "--on-error", "wrong")[0]["value"] == 0.8
    refused("estimate", path, "--on-error", "fail")


def test_duplicates_are_refused_or_chosen(results, refused, folder):
    path = write("a.csv", "m,t,q0,0,1", "m,t,q0,0,0", *(f"m,t,q{i},0,1" for i in range(1, 9)))
    refused("estimate", path)
    assert results("estimate", path, "--duplicates", "first")[0]["value"] == 1.0
    assert results("estimate", path, "--duplicates", "last")[0]["value"] < 1.0


def test_models_and_labels(results, refused, folder):
    path = write("a.csv", *(f"{m},t,q{i},0,{i % 2}" for m in ("gpt-4", "claude") for i in range(10)))
    assert [row["model"] for row in results("estimate", path, "--model", "claude")] == ["claude"]
    assert "did you mean 'claude'" in refused("estimate", path, "--model", "clade")
    one = answers("one.csv", "m", 5, 10)
    assert results("estimate", one, "--label", "mine=one.csv")[0]["model"] == "mine"


def test_standard_input(run, folder):
    text = "\n".join(["item,score", *(f"{i},{i % 2}" for i in range(20))])
    done = run("estimate", "-", "--format", "json", input=text)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["results"][0]["value"] == 0.5


@pytest.mark.parametrize("name", ["a b.csv", "[x] (1).csv", "ärger–模型.csv"])
def test_names_of_files(results, folder, name):
    assert results("estimate", answers(name, "m", 5, 10))[0]["n_items"] == 10


def test_a_name_that_looks_like_an_option(done, folder):
    answers("-x.csv", "m", 5, 10)
    assert json.loads(done("estimate", "--format", "json", "--", "-x.csv"))["results"][0]["n_items"] == 10


def test_explain_says_how_each_file_was_read(call, folder):
    path = write("a.csv", "m,q0,1", "m,q1,", header="agent,question_id,correct")
    code, out, err = call("estimate", path, "--explain", "--format", "json", "--range", "0,1")
    assert code == 0
    assert json.loads(out)
    assert "a.csv" in err
    assert "table" in err
    assert "question_id" in err
    assert "correct" in err


def test_explain_says_once_what_holds_for_many_files(call, folder):
    for n in range(3):
        write(f"{'abc'[n]}.csv", f"{'abc'[n]},q0,{n % 2}", f"{'abc'[n]},q1,", header="agent,question_id,correct")
    write("d.csv", "d,q0,1", header="model,item,score")
    _, _, err = call("estimate", ".", "--explain")
    assert [line for line in err.splitlines() if "read by" in line] == [
        "a.csv and 2 more files: read by 'table'",
        "d.csv: read by 'table'",
    ]
    assert err.count("question_id") == 1
    assert "models: a, b, c, d" in err


@pytest.mark.parametrize(
    ("asked", "rule"),
    [
        ([], "counted wrong, unless --on-error says otherwise"),
        (["--on-error", "drop"], "dropped (--on-error drop; else they would be counted wrong)"),
    ],
)
def test_explain_says_what_the_official_tool_does_with_errors(call, folder, asked, rule):
    for n in range(1, 5):
        path = folder / "job" / f"t__{n}" / "result.json"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(harbor_trial(f"task{n}", None if n == 4 else {"reward": n % 2}, str(n))))
    code, _, err = call("estimate", "job", "--explain", *asked)
    assert code == 0, err
    told = "Harbor counts a missing reward as 0 too, but from version 0.26 on its averages are over"
    assert sum(line.startswith(f"  attempts without a score are {rule}; {told}") for line in err.splitlines()) == 1


# compare


def test_compare_two_files(done, folder):
    a = write("a.csv", *(f"A,t,q{i},0,{int(i < 124)}" for i in range(200)))
    b = write("b.csv", *(f"B,t,q{i},0,{int(6 <= i < 122 or i in (130, 131, 132, 133))}" for i in range(200)))
    out = done("compare", a, b)
    first = out.splitlines()[0]
    assert first.startswith("A scores 2.0 points higher than B, 95 % interval ")
    assert "could be chance" in out.split("\n\n")[0]
    assert "(paired on 200 shared items)" in out.split("\n\n")[0].replace("\n", " ")
    assert "unpaired it would be" in " ".join(out.split())


def test_compare_items(done, folder):
    a, b = answers("a.csv", "A", 12, 20), answers("b.csv", "B", 10, 20)
    listed = done("compare", a, b, "--items").split("\n\n")[-1].splitlines()
    assert [line.split() for line in listed[1:]] == [["t", "q10", "100.0", "0.0"], ["t", "q11", "100.0", "0.0"]]
    rows = list(csv.reader(done("compare", a, b, "--items", "--format", "csv").splitlines()))
    assert rows == [["task", "item", "a", "b"], ["t", "q10", "1.0", "0.0"], ["t", "q11", "1.0", "0.0"]]


def test_compare_one_file(results, refused, folder):
    models = ("gpt-4", "claude", "llama")
    path = write("a.csv", *(f"{m},t,q{i},0,{int(i < 10 + 2 * k)}" for k, m in enumerate(models) for i in range(20)))
    (found,) = results("compare", path, "--a", "llama", "--b", "gpt-4")
    assert (found["a"], found["b"], round(found["value"], 9)) == ("llama", "gpt-4", 0.2)
    assert "did you mean 'llama'" in refused("compare", path, "--a", "lama", "--b", "gpt-4")
    refused("compare", path)
    assert "--b MODEL" in refused("compare", path, "--a", "llama")
    (two,) = results("compare", path, "--model", "llama", "--model", "claude")
    assert (two["a"], two["b"]) == ("claude", "llama")


@pytest.mark.parametrize("side", ["lower", "upper"])
@pytest.mark.parametrize("kind", ["0/1", "graded", "runs", "unrelated"])
def test_one_sided_comparisons(done, results, folder, side, kind):
    rows = {
        "0/1": lambda m, i: f"{m},t,q{i},0,{(i * m) % 7 // 4}",
        "graded": lambda m, i: f"{m},t,q{i},0,{(i * m) % 7}",
        "runs": lambda m, i: f"{m},t,q{i // 4},{i % 4},{(i * m) % 7 // 4}",
        "unrelated": lambda m, i: f"{m},t,{m}-{i},0,{(i * m) % 7 // 4}",
    }[kind]
    path = write("a.csv", *(rows(m, i) for m in (2, 3) for i in range(60)))
    out = done("compare", path, "--side", side)
    assert f"95 % {side} bound" in out
    assert "inf" not in out
    assert "unpaired it would be" not in out
    (found,) = results("compare", path, "--side", side)
    assert found["missing"]["high" if side == "lower" else "low"] == "one-sided"


def test_the_monte_carlo_error_is_said_in_one_unit_and_is_no_less_than_a_step(done, folder):
    path = answers("a.csv", "gpt", 124, 200)
    out = " ".join(done("estimate", path, "--interval", "percentile", "--n-boot", "1000", "--seed", "2").split())
    assert "Monte Carlo error of each bound about +-0.50 points" in out
    assert "carry a Monte Carlo error of about +-0.50 points" in out


def test_items_are_counted_and_in_order(done, folder):
    a = write("a.csv", *(f"A,q{i},{int(i > 0)}" for i in (100, 10, 9, 2, 0)), header="model,item,score")
    b = write("b.csv", *(f"B,q{i},{int(i == 0)}" for i in (100, 10, 9, 2, 0)), header="model,item,score")
    out = done("compare", a, b, "--items")
    assert "A alone right on 4 items, B on 1 item" in out
    listed = out.split("\n\n")[-1].splitlines()
    assert listed[0].split() == ["item", "A", "B"]
    assert [line.split()[0] for line in listed[1:]] == ["q0", "q2", "q9", "q10", "q100"]
    csv_rows = done("compare", a, b, "--items", "--format", "csv").splitlines()
    assert csv_rows[:2] == ["task,item,a,b", ",q0,0.0,1.0"]
    graded = write("c.csv", *(f"C,q{i},0.5" for i in (100, 10, 9, 2, 0)), header="model,item,score")
    assert "A higher on 4 items, C on 1 item" in done("compare", a, graded, "--items")


def test_many_files_that_are_skipped_are_one_line(done, folder):
    answers("a.csv", "gpt", 12, 20)
    for name in ("x.txt", "y.txt", "z.txt"):
        Path(name).write_text("Three models.\n")
    out = done("estimate", "*.*")
    assert "note  skipped-file: 3 other files were skipped (--explain lists them)\n" in out
    told = json.loads(done("estimate", "*.*", "--format", "json"))["notes"]
    assert len([note for note in told if note["code"] == "skipped-file"]) == 3


def test_files_that_are_skipped_for_one_reason_are_all_counted(done, call, folder):
    for name in "ab":
        trial = Path("job") / name
        (trial / "logs").mkdir(parents=True)
        (trial / "result.json").write_text(json.dumps(harbor_trial(name, {"reward": 1.0}, reward_valid=True)))
        (trial / "table.csv").write_text("model,item,score\nA,1,0\n")
        (trial / "logs" / "trial.txt").write_text("Begun.\n")
    assert "note  skipped-file: 4 other files were skipped (--explain lists them)\n" in done("estimate", "job")
    _, out, _ = call("doctor", "job")
    assert "4 other files were skipped, such as 'table.csv' (it is a table met among files of harbor)" in " ".join(
        out.split()
    )


def test_notes_speak_of_the_chosen_tasks(done, folder):
    path = Path(__file__).parents[2] / "examples/lm_eval"
    both = done("estimate", path, "--metric", "acc")
    assert "in task 'sums_easy'" in both
    assert "in task 'sums_hard'" in both
    easy = done("estimate", path, "--metric", "acc", "--task", "sums_easy")
    assert "in task 'sums_easy'" in easy
    assert "sums_hard" not in easy


def test_a_label_renames_a_file_of_a_folder(results, refused, done, call, folder):
    """It is read once, under its label, and the others under their own names."""
    for name in ("gpt", "claude", "o3"):
        (folder / "r" / name).mkdir(parents=True)
        rows = "".join(f"q{i},{int(i % 7 < len(name))}\n" for i in range(14))
        (folder / "r" / name / "results.csv").write_text("item,score\n" + rows)
    for label in ("x=r/gpt/results.csv", "x=r/gpt", f"x={folder}/r/gpt/results.csv"):
        found = {row["model"]: row["value"] for row in results("estimate", "r", "--label", label)}
        assert found == {"claude": 6 / 7, "o3": 2 / 7, "x": 3 / 7}
    done("convert", "r", "--label", "x=r/gpt", "-o", "all.csv")
    assert len((folder / "all.csv").read_text().splitlines()) == 1 + 3 * 14
    (other,) = results("compare", "r", "--label", "x=r/gpt", "--without", "r/o3/results.csv")
    assert ({other["a"], other["b"]}, abs(other["value"])) == ({"claude", "x"}, pytest.approx(3 / 7))
    assert "x" in done("doctor", "r", "--label", "x=r/gpt")
    (folder / "r" / "gpt" / "torn.csv").write_text('item,score\n"q1,1')
    code, out, _ = call("doctor", "r", "--label", "x=r/gpt/results.csv")
    assert (code, "\nx " in out) == (1, True)
    assert "not among the paths" in refused("estimate", "r", "--label", "x=r/gtp")


def test_a_label_names_a_file_to_read(results, refused, folder):
    a, b = answers("a.csv", "m", 12, 20), answers("b.csv", "m", 9, 20)
    (found,) = results("compare", "--label", f"short={a}", "--label", f"long={b}")
    assert (found["a"], found["b"]) == ("short", "long")
    assert results("compare", a, b, "--label", f"long={b}", "--label", f"short={a}") == [found]
    assert [row["model"] for row in results("estimate", a, "--label", f"long={b}")] == ["long", "m"]
    assert "not among the paths" in refused("estimate", a, "--label", "x=c.csv")


def test_notes_of_many_models_that_differ_in_numbers_are_one(done, folder):
    rows = [f"m{m},t,q{i},0,{'' if i < m else i % 2}" for m in range(6) for i in range(40)]
    out = " ".join(done("estimate", write("a.csv", *rows)).split())
    assert out.count("missing-scores") == 1
    assert "m1, m2, m3, m4 and 1 more: 1 to 5 of 40 attempts without a score, dropped" in out
    assert "50.0 % if counted wrong" in " ".join(done("estimate", "a.csv", "--model", "m1").split())


def test_metrics_of_two_units_stand_side_by_side(done, folder):
    rows = [f"m,q{i},{metric},{value}" for i in range(20) for metric, value in (("acc", i % 2), ("cost", 3 + i % 5))]
    out = done("estimate", write("a.csv", *rows, header="model,item,metric,score"), "--by", "metric")
    head, *lines = out.splitlines()
    assert head.split()[:3] == ["model", "metric", "mean"]
    assert head.count("metric") == 1
    assert "50.0 %" in lines[0]
    assert "5.00 " in lines[1]
    assert "%" not in lines[1]


@pytest.mark.parametrize("command", ["estimate", "compare"])
@pytest.mark.parametrize("name", ["out.xlsx", "out.parquet", "out.jsn"])
def test_an_unknown_ending_is_refused(refused, done, folder, command, name):
    path = write("a.csv", *(f"{m},t,q{i},0,{i % m}" for m in (2, 3) for i in range(20)))
    assert "is the ending of no format" in refused(command, path, "-o", name)
    assert done(command, path, "-o", name, "--format", "json") == ""
    assert Path(name).read_text(encoding="utf-8").startswith("{")


def test_the_verdict_is_one_line_in_a_pipe(done, folder):
    a, b = answers("a.csv", "m" * 60, 12, 20), answers("b.csv", "n" * 60, 9, 20)
    first = done("compare", a, b).splitlines()[0]
    assert len(first) > 100
    assert first.endswith("(paired on 20 shared items)")


def test_csv_and_json_are_utf8_whatever_the_locale_says(folder, environment):
    Path("a.csv").write_text("model,item,score\nmodèle,q1,1\nmodèle,q2,0\n", encoding="utf-8")
    for form in ("csv", "json"):
        made = subprocess.run(
            [sys.executable, "-m", "scorebars", "estimate", "a.csv", "--format", form],
            env={**environment, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
            capture_output=True,
            check=True,
        )
        assert "modèle" in made.stdout.decode("utf-8")


def test_one_model_and_one_side_is_refused(refused, folder):
    refused("compare", answers("a.csv", "A", 5, 10))


def test_a_side_of_several_models_needs_a_choice(results, refused, folder):
    both = write("a.csv", *(f"{m},t,q{i},0,{i % 2}" for m in "XY" for i in range(10)))
    one = answers("b.csv", "B", 5, 10)
    assert "'a.csv' holds 2 models; choose one with --a MODEL ('X', 'Y')" in refused("compare", both, one)
    assert results("compare", both, one, "--a", "Y")[0]["a"] == "Y"
    other = write("c.csv", *(f"{m},t,q{i},0,{i % 3 % 2}" for m in "XY" for i in range(10)))
    assert "or the one of both sides with --model MODEL" in refused("compare", both, other)
    assert results("compare", both, other, "--model", "Y")[0]["n_shared"] == 10


def test_the_same_model_twice_is_labelled_by_path(results, folder):
    a, b = answers("a.csv", "gpt", 12, 20), answers("b.csv", "gpt", 10, 20)
    (found,) = results("compare", a, b)
    assert (found["a"], found["b"]) == ("a.csv", "b.csv")
    (found,) = results("compare", a, b, "--label", "new=a.csv", "--label", "old=b.csv")
    assert (found["a"], found["b"]) == ("new", "old")


def test_the_same_file_twice_is_answered_with_a_note(call, folder):
    path = answers("a.csv", "gpt", 12, 20)
    code, out, _ = call("compare", path, path)
    assert code == 0
    assert "identical-files" in out


def test_half_shared(results, folder):
    a, b = answers("a.csv", "A", 8, 20), answers("b.csv", "B", 8, 20, first=10)
    (found,) = results("compare", a, b)
    assert (found["paired"], found["n_shared"], found["n_dropped"]) == (True, 10, {"a": 10, "b": 10})
    assert "dropped-unpaired" in [note["code"] for note in found["notes"]]


def test_nothing_shared_is_said_in_the_first_line(done, folder):
    a, b = answers("a.csv", "A", 8, 20), answers("b.csv", "B", 8, 20, first=100)
    assert done("compare", a, b).startswith("nothing shared, compared as unrelated samples: A and B score the same")


def test_unrelated_samples_say_what_both_sides_rest_on(done, results, folder):
    a = answers("a.csv", "A", 8, 20)
    b = write("b.csv", *(f"B,t,q{i},{k},{i % 2}" for i in range(100, 130) for k in range(3)))
    out = " ".join(done("compare", a, b).split())
    assert "redrawn 20 and 30 items rests on 20 and 30 items, 1 to 3 runs each" in out
    assert "share no item (20 items such as 't/q0' against 30 items such as 't/q100')" in out
    (found,) = results("compare", a, b)
    assert found["n_compared"] == {"a": 20, "b": 30}
    assert results("compare", b, a)[0]["n_compared"] == {"a": 30, "b": 20}
    assert "rests on 30 and 20 items" in " ".join(done("compare", b, a).split())


def test_unrelated_clusters_are_counted_on_both_sides(done, folder):
    header = "model,item,cluster,score"
    a = write("a.csv", *(f"A,q{i},c{i // 2},{i % 2}" for i in range(40)), header=header)
    b = write("b.csv", *(f"B,r{i},d{i // 2},{i % 3}" for i in range(60)), header=header)
    out = " ".join(done("compare", a, b, "--range", "0,2").split())
    assert "redrawn 20 and 30 clusters" in out
    assert "rests on 40 and 60 items, 1 run each, 20 and 30 clusters" in out


# convert and formats


@pytest.mark.parametrize("name", ["s.csv", "s.jsonl", "s.parquet"])
def test_convert_round_trip(done, results, folder, name):
    path = trials()
    assert done("convert", path, "-o", name) == ""
    before, after = results("estimate", path)[0], results("estimate", name)[0]
    assert {key: before[key] for key in ("model", "task", "value", "low", "high", "n_runs")} == {
        key: after[key] for key in ("model", "task", "value", "low", "high", "n_runs")
    }


def test_scores_are_never_replaced_by_their_results(refused, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("model,item,score\nA,1,1\nA,2,0\n")
    for command in ("estimate", "convert"):
        assert "is one of the inputs" in refused(command, str(path), "-o", str(path), "--force")
    assert "is one of the inputs" in refused("convert", str(tmp_path), "-o", str(path), "--force")
    assert path.read_text().startswith("model,item")


def test_convert_refuses(refused, done, folder):
    path = trials()
    refused("convert", path, "-o", "s.xlsx")
    done("convert", path, "-o", "s.csv")
    assert "exists and is kept" in refused("convert", path, "-o", "s.csv")


def test_formats_lists_every_reader_and_role(done):
    from scorebars.engines.headers import ALIASES, METRICS, SECOND_ITEMS
    from scorebars.intervals import INTERVALS
    from scorebars.readers import READERS

    out = done("formats")
    assert all(f"  {name} " in out for name in (*READERS, *ALIASES))
    listed = set(out.partition("Column headers of tables")[2].replace(",", " ").replace(";", " ").split())
    assert {*SECOND_ITEMS, *METRICS, *(name for names in ALIASES.values() for name in names)} <= listed
    assert all(name in out for name in INTERVALS)
    assert all(f"  {entry.example}\n" in out for entry in READERS.values())
    assert max(len(line) for line in out.splitlines() if "scorebars " not in line) <= 80  # commands are not broken


def test_one_format_says_all_of_it(done):
    from scorebars.readers import READERS
    from scorebars.readers.asked import SPELLED

    pages = Path(__file__).parents[2] / "docs" / "formats"
    for name, entry in READERS.items():
        out = done("formats", name)
        said = " ".join(out.split())
        assert " ".join(entry.what.split()) in said
        assert f"  {entry.example}\n" in out
        assert f"; {entry.official} page " in said
        assert [option for option in SPELLED.values() if f" {option}" in said.partition("own options")[2]] == [
            SPELLED[field] for field in SPELLED if field in entry.options
        ]
        assert f"docs/formats/{name}.md" in said
        assert (pages / f"{name}.md").is_file()
        other = next(each for each in READERS if each != name)
        assert READERS[other].example not in out
    assert "question_id" in done("formats", "TABLE")
    assert 'by "resolved_ids", or "resolved_instances"' in done("formats", "swe-bench")


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("inspct", "there is no format 'inspct'; did you mean 'inspect'?"),
        ("Harbour", "did you mean 'harbor'?"),
        ("multi-swe-bench", "did you mean 'swe-bench'?"),
        ("parquet", "it is read by 'lighteval', 'arena' or 'table'"),
        ("qqqq", "known: 'inspect', 'lm-eval',"),
    ],
)
def test_an_unknown_format_is_answered_with_the_nearest(refused, name, sentence):
    assert sentence in refused("formats", name)


# refusals


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--level", "0"], "level = 0"),
        (["--level", "1.5"], "level = 1.5"),
        (["--level", "95"], "did you mean 0.95"),
        (["--interval", "wilsn"], "no interval method 'wilsn'; did you mean 'wilson'?"),
        (["--interval", "wilson", "--n-boot", "100"], "draws no resamples; with --n-boot name a method that draws"),
        (["--n-boot", "100"], "'auto' chooses their number itself where it draws any; with --n-boot name"),
        (["--resample", "itm"], "did you mean 'item'"),
        (["--resample", "cluster"], "cluster"),
        (["--estimator", "pass@k"], "k must be a whole number"),
        (["--estimator", "pass^2"], "run"),
        (["--task", "tt"], "'t'"),
        (["--by", "tsk"], "did you mean 'task'"),
        (["--range", "5,1"], "5"),
        (["--metric", "nope"], "nope"),
        (["--map", "item=nope"], "nope"),
        (["--cluster", "nope"], "nope"),
    ],
)
def test_options_that_cannot_be(refused, folder, options, sentence):
    assert sentence in refused("estimate", answers("a.csv", "m", 5, 10), *options)


def broken_gzip() -> bytes:
    return gzip.compress(("\n".join([HEADER, *(f"m,t,q{i},0,{i % 2}" for i in range(5000))])).encode())[:-200]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("empty.csv", b""),
        ("header.csv", HEADER.encode() + b"\n"),
        ("short.csv.gz", broken_gzip()),
        ("latin.csv", b"model,item,score\nm\xe9,q,1\n"),
        ("not.parquet", b"model,item,score\nm,q,1\n"),
        ("zip.eval", b"PK\x03\x04 this is no archive"),
        ("cut.jsonl", b'{"item": "a", "score": 1}\n{"item": "b", "sco'),
        ("infinite.csv", b"model,item,score\nm,a,inf\nm,b,1\n"),
        ("none.csv", b"x,y\na,b\n"),
    ],
)
@pytest.mark.parametrize("command", [["estimate"], ["convert", "-o", "out.csv"]])
def test_files_that_cannot_be_read(refused, folder, name, content, command):
    Path(name).write_bytes(content)
    assert name in refused(*command, name)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"model,item,score\nm,a,good\nm,b,1\n", "'good'"),
        (b'model,item,score\nm,a,"1,234"\nm,b,1\n', "'1,234'"),
        (b"model,item,score\nm,a,\nm,b,\n", "none of the 2 attempts has a score"),
        (b"model,item,score\n" + b"".join(b"m,%d,%d\n" % (i, 100 if i % 2 else 1) for i in range(40)), "100"),
    ],
)
@pytest.mark.parametrize("command", [["estimate"], ["convert", "-o", "out.csv"]])
def test_scores_that_cannot_be(refused, folder, content, sentence, command):
    Path("a.csv").write_bytes(content)
    assert sentence in refused(*command, "a.csv")


def test_several_metrics_need_a_choice(refused, results, folder):
    path = write(
        "a.csv", *(f"m,q{i},{m},{i % 2}" for i in range(9) for m in ("acc", "f1")), header="model,item,metric,score"
    )
    sentence = refused("estimate", path)
    assert "'acc'" in sentence
    assert "'f1'" in sentence
    assert results("estimate", path, "--metric", "f1")[0]["n_items"] == 9


def test_paths_that_cannot_be_read(refused, folder):
    assert "no-such.csv" in refused("estimate", "no-such.csv")
    Path("empty").mkdir()
    assert "empty" in refused("estimate", "empty")
    assert "*.eval" in refused("estimate", "*.eval")
    assert "https" in refused("estimate", "https://example.org/a.csv")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission(refused, folder):
    path = answers("a.csv", "m", 5, 10)
    Path(path).chmod(0)
    assert "permission" in refused("estimate", path)


def test_the_same_attempts_in_two_files(refused, folder):
    a, b = answers("a.csv", "m", 5, 10), answers("b.csv", "m", 6, 10)
    sentence = refused("estimate", a, b)
    assert "--label" in sentence


# endings of a process of its own


def test_a_small_file_loads_nothing_that_it_does_not_need(folder, environment):
    code = (
        "import sys; from scorebars.cli.main import main; code = main(sys.argv[1:]); "
        "print([m for m in ('rich', 'narwhals', 'scipy.stats', 'pandas', 'polars', 'pyarrow') if m in sys.modules], "
        "file=sys.stderr); sys.exit(code)"
    )
    path = answers("a.csv", "gpt", 124, 200)
    command = [sys.executable, "-c", code, "estimate", path]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    assert done.stderr.strip() == "[]"


def test_a_reader_that_stops_is_no_error(folder, environment):
    path = write("a.csv", *(f"m{k},t,q{i},0,{i % 2}" for k in range(300) for i in range(4)))
    command = [sys.executable, "-m", "scorebars", "estimate", path, "--format", "json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment) as process:
        process.stdout.read(1)
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 0


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_interrupted_leaves_nothing_behind(folder, environment):
    spool = folder / "tmp"
    spool.mkdir()
    command = [sys.executable, "-m", "scorebars", "convert", "-", "-o", "out.csv"]
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**environment, "TMPDIR": str(spool)},
        start_new_session=True,
    ) as process:
        for _ in range(600):  # until it has begun to keep standard input, for whose end it then waits
            if any(spool.iterdir()):
                break
            time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=20) == 130
        assert process.stderr.read() == b"scorebars: interrupted\n"
    assert [path for path in folder.rglob("*") if path != spool] == []


def test_a_category_may_be_a_word_of_one_side(results, refused, folder):
    first = write("a.csv", *(f"A,t,q{i},0,{('partial', 1)[i % 2]}" for i in range(8)))
    second = write("b.csv", *(f"B,t,q{i},0,1" for i in range(8)))
    for paths in ((first, second), (second, first)):
        values = results("compare", *paths, "--category", "partial=0.5")[0]
        assert {values["value_a"], values["value_b"]} == {0.75, 1.0}
    assert "--category good: no score is that word" in refused(
        "compare", first, second, "--category", "partial=.5", "--category", "good=1"
    )


@pytest.mark.parametrize("command", ["estimate", "compare", "convert", "doctor"])
def test_a_mapping_is_saved_when_all_else_is_done(call, refused, folder, command):
    path = write("a.csv", *(f"{m},{i},{i * 7 % 3 % 2}" for m in "AB" for i in range(30)), header="who,n,verdict")
    asked = [command, path, "--map", "model=who,item=n,score=verdict", "--save-map"]
    refused(*asked, "--task", "nope", *(["-o", "out.csv"] if command == "convert" else []))
    assert call(*asked, *(["-o", "out.csv"] if command == "convert" else []))[0] < 2
    assert (folder / "a.csv.scorebars.toml").exists()
    assert call("estimate", path)[0] == 0


def test_a_mapping_that_would_be_refused_is_refused_before_anything_is_printed(call, folder):
    path = write("a.csv", *(f"A,{i},{i % 2}" for i in range(30)), header="who,n,verdict")
    asked = ["estimate", path, "--map", "model=who,item=n,score=verdict", "--save-map"]
    (folder / "a.csv.scorebars.toml").write_text("version = 1\n[columns]\nscore = 'verdict'\n")
    code, out, err = call(*asked)
    assert (code, out) == (2, "")
    assert "holds another mapping" in err


def test_names_never_act_on_a_terminal(call, folder):
    name = "\x1b[31mred\x9b2J\x07"
    path = write("a.csv", *(f"{m},t,q\x1b{i},0,{i % 2}" for m in (name, "B") for i in range(20)))
    out = []
    for arguments in (
        ["estimate", path, "--explain"],
        ["compare", path, "--items"],
        ["doctor", path],
        ["estimate", path, "--model", "nope"],
        ["compare", path, "--a", f"{name}x", "--b", "B"],
        ["estimate", f"{name}.csv"],
        ["estimate", path, "--by", name],
    ):
        code, printed, err = call(*arguments)
        assert code in (0, 1, 2)
        out.append(printed + err)
    assert not any(sign in text for text in out for sign in "\x1b\x9b\x07")
    assert all("\\x1b[31mred" in text for text in out)
