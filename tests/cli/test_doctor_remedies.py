"""What the doctor says to type is typed: its commands run, and each option of a remedy settles its finding."""

from __future__ import annotations

import json
import re
import shlex

import numpy as np
import pytest
from tests.analysis.checks.tables import answers, csv_of, luck, write
from tests.readers.lm_eval_by_hand import line, write_results, write_samples
from tests.readers.real import SHARED

OPTION = re.compile(r"""--[a-z][a-z-]*(?:[ =](?:"[^"]*"|'[^']*'|[^\s,;()'"])+)?(?:,-?[0-9.]+)?""")
"""An option in a sentence, with its value in quotes or without; ',5' belongs to a range."""
ALONE = frozenset({"--run-crosses-items", "--cluster-crosses-tasks", "--pool-tasks"})
REPORTED = frozenset({"missing-scores"})
"""Findings that stay because both answers are to be reported."""
BY_HAND = frozenset({"repeats-as-items", "unread"})
"""Findings whose options depend on what the user knows; the commands below them have them."""


def options(remedy):
    """The words of each option of a remedy that has a value of its own: not --label NAME=PATH; both of wrong|drop."""
    for text in OPTION.findall(remedy):
        name, *value = shlex.split(text)
        if name in ALONE:
            yield [name]
        elif value and not re.search(r"\b[A-Z]{4,}\b", value[0].partition("SELECT")[0]):
            choices = value[0].split("|") if re.fullmatch(r"[a-z|]+", value[0]) else value
            yield from ([name, one] for one in choices)


def long(folder, name="t.csv", **changes):
    return [csv_of(folder, name, answers() | changes).name]


def doubled(folder):
    columns = answers()
    columns = {name: column + column[:3] for name, column in columns.items()}
    columns["score"][-3:] = [0.25, 0.25, 0.25]
    return [csv_of(folder, "t.csv", columns).name]


def scales(folder):
    columns = answers(items=60)
    columns["score"] = [100 * s if m == "a" else s for m, s in zip(columns["model"], columns["score"], strict=True)]
    return [csv_of(folder, "t.csv", columns).name]


def with_scores(change, **asked):
    def made(folder):
        columns = answers(**asked)
        columns["score"] = [change(n, score) for n, score in enumerate(columns["score"])]
        return [csv_of(folder, "t.csv", columns).name]

    return made


def sums(folder, item="question_id", name="Average"):
    rows = [f"a,q{i},{i % 2}" for i in range(20)]
    write(folder, "t.csv", f"model,{item},score", *rows, f"a,{name},0.5")
    return ["t.csv"]


def without_items(folder):
    write(folder, "t.csv", "model,prompt,score", *(f"{m},p{i},{luck(m, i):g}" for m in "ab" for i in range(20)))
    return ["t.csv"]


def crossed(folder):
    share = (0.9, 0.5, 0.6, 0.4)
    rows = [f"a,q{i},{r},{luck(i, r, share=share[r] * (0.5 + i % 100 / 100)):g}" for i in range(300) for r in range(4)]
    write(folder, "t.csv", "model,item,run,score", *rows)
    return ["t.csv"]


def tasks(folder):
    keys = [
        (m, t, f"{t}{i}", p) for m in "ab" for t, n, p in (("long", 200, 0.2), ("short", 20, 0.9)) for i in range(n)
    ]
    write(folder, "t.csv", "model,task,item,score", *(f"{m},{t},{i},{luck(m, i, share=p):g}" for m, t, i, p in keys))
    return ["t.csv"]


def languages(folder):
    words = [
        "pear",
        "plum",
        "fig",
        "kiwi",
        "lime",
        "date",
        "nut",
        "corn",
        "rice",
        "bean",
        "leek",
        "chard",
        "beet",
        "kale",
        "dill",
        "sage",
        "mint",
        "cress",
        "okra",
        "yam",
    ]
    keys = [(m, t, word) for m in "ab" for t in ("english", "french") for word in words]
    write(folder, "t.csv", "model,task,item,score,cluster", *(f"{','.join(k)},{luck(*k):g},{k[2][0]}" for k in keys))
    return ["t.csv"]


def several(role):
    def made(folder):
        keys = [(m, f"q{i}", k) for m in "ab" for k in ("exact match", "f1") for i in range(40)]
        write(folder, "t.csv", f"model,item,{role},score", *(f"{','.join(key)},{luck(*key):g}" for key in keys))
        return ["t.csv"]

    return made


def missing(folder):
    write(
        folder,
        "t.csv",
        "model,item,score",
        *(f"{m},q{i},{'' if i < 4 else luck(m, i)}" for m in "ab" for i in range(40)),
    )
    return ["t.csv"]


def documents(folder):
    scores = [float(i % 3 == 0) for i in range(30)]
    lines = [line(i, acc=s, doc_hash=f"h{i // 2 if i < 8 else i}") for i, s in enumerate(scores)]
    write_samples(folder, lines)
    write_results(folder)
    return ["."]


def report(folder):
    names = [(f"t[{m}-HumanEval/{i}]", (i + len(m)) % 3) for m in ("opus", "gpt_4") for i in range(12)]
    cases = "".join(f'<testcase name="{n}">{"" if right else "<failure />"}</testcase>' for n, right in names)
    (folder / "t.xml").write_text(f"<testsuite>{cases}</testsuite>")
    return ["t.xml"]


def suites(folder):
    def suite(name):
        failed = (i for i in range(12) if (i + len(name)) % 3)
        cases = "".join(f'<testcase name="t{i}">{"<failure />" if i in failed else ""}</testcase>' for i in range(12))
        return f'<testsuite name="{name}">{cases}</testsuite>'

    (folder / "t.xml").write_text(f"<testsuites>{suite('opus')}{suite('gpt_4')}</testsuites>")
    return ["t.xml"]


def attempts_as_items(folder):
    rows = [f"{m},q{i}_run{k},{(i * 7 + ord(m)) % 3 % 2}" for m in "ab" for i in range(30) for k in range(4)]
    write(folder, "t.csv", "model,item,score", *rows)
    return ["t.csv"]


def torn(folder):
    long(folder, "good.csv")
    write(folder, "torn.json", '[{"model": "c", "item": "q1", "score": 1}, {"mod')
    return ["."]


def curves(folder):
    rows = [f"{i},DQN,walk,{seed},{step},{10 * step + seed}" for i, (seed, step) in enumerate(np.ndindex(7, 20))]
    write(folder, "walk.csv", ",agent,task,seed,frame,episode_reward", *rows)
    return ["walk.csv"]


FAULTS = {
    "refused": doubled,
    "mixed-scale": scales,
    "sentinel-scores": with_scores(lambda n, s: -999 if n < 5 else 0.8 * s + 0.1, items=60),
    "stray-scores": with_scores(lambda n, s: 2.0 if n == 3 else s),
    "summary-rows": sums,
    "rows-as-items": without_items,
    "crossed-runs": crossed,
    "task-weights": tasks,
    "crossing-ids": languages,
    "several-metrics": several("metric"),
    "several-variants": several("variant"),
    "missing-scores": missing,
    "duplicate-documents": documents,
    "names-of-models": report,
    "suites-of-models": suites,
    "repeats-as-items": attempts_as_items,
    "unread": torn,
    "choice-needed": curves,
}


@pytest.fixture
def diagnosed(folder, call):
    def diagnosed(*words):
        code, out, err = call("doctor", *words, "--format", "json")
        assert code in (0, 1), err
        return json.loads(out)

    return diagnosed


@pytest.mark.parametrize("code", FAULTS)
def test_what_the_doctor_prints_can_be_typed(code, folder, done, diagnosed):
    paths = FAULTS[code](folder)
    found = diagnosed(*paths)
    remedies = [one["remedy"] for one in found["results"] if one["code"] == code]
    assert len(remedies) == 1
    for command in found["commands"]:
        assert shlex.split(command)[0] == "scorebars"
        done(*shlex.split(command)[1:])
    typed = list(options(remedies[0]))
    assert typed or code in BY_HAND
    for words in typed:
        done("estimate", *paths, *words)
        if words[0] != "--by":  # which only a result has
            assert code in REPORTED or code not in [one["code"] for one in diagnosed(*paths, *words)["results"]]


def test_the_commands_say_that_runs_seem_to_be_seeds(folder, call, diagnosed):
    """Of one file and of several: then what is redrawn is whole runs, and no pass^k is asked of them."""
    (path,) = crossed(folder)
    lines = (folder / path).read_text().splitlines()[1:]
    write(folder, "u.csv", "model,item,run,score", *(f"b{line[1:]}" for line in lines))
    assert diagnosed(path)["commands"] == ["scorebars estimate t.csv --run-crosses-items"]
    both = diagnosed(path, "u.csv")["commands"]
    assert [command.endswith("t.csv u.csv --run-crosses-items") for command in both] == [True, True]
    for command in (*both, "scorebars estimate t.csv --run-crosses-items"):
        _, out, _ = call(*shlex.split(command)[1:])
        assert "whole runs" in out
    assert diagnosed(path, "--run-crosses-items")["commands"] == ["scorebars estimate t.csv --run-crosses-items"]


def test_a_rule_that_only_the_doctor_chose_is_no_finding(folder, diagnosed):
    (path,) = scales(folder)
    assert "no-effect" not in [one["code"] for one in diagnosed(path)["results"]]
    assert "no-effect" in [one["code"] for one in diagnosed(path, "--duplicates", "first")["results"]]


@pytest.mark.parametrize(
    "case",
    [
        ("item", "Average", "SELECT * FROM data WHERE item NOT IN ('Average')"),
        ("Question ID", "std", "SELECT * FROM data WHERE \"Question ID\" NOT IN ('std')"),
        ("qid", "All", "SELECT * FROM data WHERE qid NOT IN ('All')"),
    ],
)
def test_rows_that_sum_up_others_are_left_out_by_the_query(folder, call, diagnosed, case):
    item, name, query = case
    (path,) = sums(folder, item, name)
    asked = ("--map", f"item={item}")
    (remedy,) = [one["remedy"] for one in diagnosed(path, *asked)["results"] if one["code"] == "summary-rows"]
    assert list(options(remedy)) == [["--sql", query]]
    _, out, _ = call("estimate", path, *asked, "--sql", query, "--format", "json")
    (result,) = json.loads(out)["results"]
    assert (result["n_items"], result["value"]) == (20, 0.5)
    write(folder, "u.csv", "model,item,score", *(f"b,q{i},{i % 2}" for i in range(20)))
    found = diagnosed(path, "u.csv", "--map", f"item={item}")["results"] if item == "item" else []
    assert all("--sql" not in one["remedy"] for one in found)


def test_the_commands_leave_out_the_rows_that_sum_up_others(folder, call, diagnosed):
    rows = [f"q{i},{i % 2},{i % 3 // 2}" for i in range(60)]
    write(folder, "t.csv", "id,gpt-4o,llama-70b", *rows, f"Average,{30 / 60},{20 / 60}")
    commands = diagnosed("t.csv")["commands"]
    estimate, compare = (shlex.split(command)[1:] for command in commands)
    _, out, _ = call(*estimate, "--format", "json")
    assert [(one["n_items"], one["value"]) for one in json.loads(out)["results"]] == [(60, 1 / 2), (60, 1 / 3)]
    _, out, _ = call(*compare, "--format", "json")
    assert json.loads(out)["results"][0]["n_shared"] == 60


def test_the_commands_leave_such_rows_out_where_attempts_are_joined_too(folder, call, diagnosed):
    write(
        folder,
        "t.csv",
        "model,item,score",
        *(f"{m},q{i}_run{k},{luck(m, i)}" for m in "ab" for i in range(30) for k in range(4)),
    )
    lines = (folder / "t.csv").read_text().splitlines()
    means = {m: sum(luck(m, i) for i in range(30)) / 30 for m in "ab"}
    write(folder, "t.csv", *lines, *(f"{m},Average,{means[m]}" for m in "ab"))
    found = diagnosed("t.csv")
    assert {"summary-rows", "repeats-as-items"} <= {one["code"] for one in found["results"]}
    _, out, _ = call(*shlex.split(found["commands"][0])[1:], "--format", "json")
    assert [one["n_items"] for one in json.loads(out)["results"]] == [30, 30]


def test_no_command_is_proposed_where_no_option_leaves_such_rows_out(folder, diagnosed):
    sums(folder)
    write(folder, "u.csv", "model,question_id,score", *(f"b,q{i},{i % 2}" for i in range(20)), "b,Average,0.5")
    found = diagnosed("t.csv", "u.csv")
    assert "summary-rows" in [one["code"] for one in found["results"]]
    assert found["commands"] == []


def test_models_that_share_no_task_are_not_to_be_compared(folder, done, diagnosed):
    write(
        folder,
        "t.csv",
        "model,task,item,score",
        *(f"{m},{t},q{i},{luck(m, i)}" for m, t in ("ax", "by") for i in range(20)),
    )
    assert [command.split()[1] for command in diagnosed("t.csv")["commands"]] == ["estimate"]
    assert [command.split()[1] for command in diagnosed("t.csv", "--pool-tasks")["commands"]] == ["estimate", "compare"]
    more = (f"{m},{t},q{i},{luck(m, t, i)}" for m, t in ("ax", "by", "cy") for i in range(20))
    write(folder, "t.csv", "model,task,item,score", *more, "a,x,q20,1")
    compare = diagnosed("t.csv")["commands"][1]
    assert {compare.split()[-3], compare.split()[-1]} == {"b", "c"}
    done(*shlex.split(compare)[1:])


def test_an_estimator_that_one_model_has_too_few_runs_for_is_not_proposed(folder, done, diagnosed):
    rows = [f"{m},q{i},{k},{luck(m, i, k)}" for m, n in (("a", 4), ("b", 2)) for i in range(20) for k in range(n)]
    write(folder, "t.csv", "model,item,run,score", *rows)
    for command in diagnosed("t.csv")["commands"]:
        assert "pass^" not in command
        done(*shlex.split(command)[1:])


def returns(folder, name, scores):
    (folder / name).write_text(json.dumps(scores))
    return name


def test_raw_returns_are_brought_to_one_scale_by_the_commands(folder, call, diagnosed):
    raw = {"Pong": [20.0, 18.0, 19.0], "Qbert": [1000.0, 900.0, 3000.0]}
    found = diagnosed(returns(folder, "DQN.json", raw))
    (command,) = found["commands"]
    assert "--normalize ale57" in command
    _, out, _ = call(*shlex.split(command)[1:], "--format", "json")
    human = [((score + 20.7) / 35.3, (other - 163.9) / 13291.1) for score, other in zip(*raw.values(), strict=True)]
    middle = sorted(score for pair in human for score in pair)[1:-1]  # one of six at either end
    assert json.loads(out)["results"][0]["value"] == pytest.approx(sum(middle) / 4)


def test_one_table_does_not_normalise_tasks_of_two_benchmarks(folder, done, diagnosed):
    keys = [("atari_pong", 20), ("atari_qbert", 1000), ("dmc_walker_walk", 900), ("dmc_cup_catch", 800)]
    curves = [
        {"task": task, "method": "d", "seed": str(seed), "xs": [1, 2], "ys": [0, top - seed]}
        for task, top in keys
        for seed in range(3)
    ]
    (folder / "a.json").write_text(json.dumps(curves[:6]))
    (folder / "b.json").write_text(json.dumps(curves[6:]))
    found = diagnosed("a.json", "b.json", "--at", "final")
    (remedy,) = [one["remedy"] for one in found["results"] if one["code"] == "raw-scores"]
    assert "--normalize ale57" not in remedy
    assert "--normalize FILE" in remedy
    write(folder, "low_high.csv", "task,low,high", *(f"{task},0,{top}" for task, top in keys))
    for command in found["commands"]:
        done(*shlex.split(command)[1:], "--normalize", "low_high.csv")


def test_attempts_are_not_to_count_as_wrong_where_nobody_knows_what_wrong_is(folder, done, diagnosed):
    write(
        folder, "t.csv", "model,item,score", *(f"{m},q{i},{'' if i < 4 else -i / 7}" for m in "ab" for i in range(40))
    )
    (remedy,) = [one["remedy"] for one in diagnosed("t.csv")["results"] if one["code"] == "missing-scores"]
    assert "--on-error wrong" not in remedy
    done("estimate", "t.csv", "--on-error", "drop")
    (remedy,) = [
        one["remedy"] for one in diagnosed("t.csv", "--range", "-6,0")["results"] if one["code"] == "missing-scores"
    ]
    assert "wrong|drop" in remedy


def test_a_metric_is_still_chosen_where_files_are_runs(folder, done, diagnosed):
    (folder / "s").mkdir()
    for run in (1, 2, 3):
        rows = (f"q{i},{k},{luck(run, i, k)}" for i in range(20) for k in ("em", "f1"))
        write(folder / "s", f"gpt_seed{run}.csv", "item,metric,score", *rows)
    (command,) = diagnosed("s")["commands"]
    assert command == "scorebars estimate s --map 'file={model}_seed{run}' --metric em"
    done(*shlex.split(command)[1:])


def test_variants_of_one_metric_of_several_are_shown_for_it(folder, done, diagnosed):
    keys = [(m, f"q{i}", k, v) for m in "ab" for k, vs in (("acc", "x"), ("em", "yz")) for v in vs for i in range(20)]
    write(folder, "t.csv", "model,item,metric,variant,score", *(f"{','.join(key)},{luck(*key):g}" for key in keys))
    (remedy,) = [one["remedy"] for one in diagnosed("t.csv")["results"] if one["code"] == "several-variants"]
    offered = re.findall(r"\(([^)]+)\)", remedy)
    assert len(offered) == 2
    for words in offered:
        typed = words.removeprefix("estimate ")
        assert typed.startswith("--metric em --")
        done("estimate", "t.csv", *shlex.split(typed))


def real_paths():
    """The folders of real files, and the files."""
    return sorted(path.relative_to(SHARED).as_posix() for path in SHARED.rglob("*")) if SHARED.is_dir() else []


@pytest.mark.slow
@pytest.mark.shared_data
@pytest.mark.parametrize("path", real_paths())
def test_the_commands_below_a_report_on_real_files_run(path, call, monkeypatch, folder):
    monkeypatch.chdir(SHARED)
    code, out, err = call("doctor", path, "--format", "json")
    assert code in (0, 1, 2), err
    for command in json.loads(out)["commands"] if out else ():
        assert call(*shlex.split(command)[1:])[0] == 0, command
