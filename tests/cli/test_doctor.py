"""``scorebars doctor`` from end to end: what it prints, its exit codes, and that one bad file does not stop it."""

from __future__ import annotations

import csv
import io
import json
import os
from pathlib import Path

import pytest
from tests.cli.tables import answers, trials, write


def two_models(name="a.csv"):
    rows = [f"{m},t,q{i},0,{int((i * 7 + len(m)) % 5 > 1)}" for m in ("gpt", "llama3") for i in range(40)]
    return write(name, *rows)


def disjoint():
    rows = [f"{m},t,{'Q' if m == 'gpt' else 'q'}{i},0,{i % 2}" for m in ("gpt", "llama") for i in range(40)]
    return write("bad.csv", *rows)


def torn():
    Path("torn.json").write_text('[{"model": "a", "item": "q1", "score": 1}, {"mod', encoding="utf-8")


def test_nothing_found_is_0(done, folder):
    out = done("doctor", two_models())
    assert out.startswith("nothing found that would change a conclusion\n")
    assert "scorebars compare a.csv" in out
    assert out.isascii()


def test_what_would_change_a_conclusion_is_1(call, folder):
    code, out, err = call("doctor", disjoint())
    assert (code, err) == (1, "")
    assert "WOULD CHANGE A CONCLUSION\n  near-duplicate-items  40 items have several spellings" in out
    assert "'Q0', 'q0'" in out


def test_what_is_only_worth_knowing_is_0(call, folder):
    code, out, _ = call("doctor", answers("a.csv", "gpt", 3, 6))
    assert code == 0
    assert "WORTH KNOWING\n  few-items" in out


def test_nothing_that_can_be_read_is_2(refused, folder):
    torn()
    assert "torn.json" in refused("doctor", "torn.json")
    assert "no file or folder 'nowhere.csv'" in refused("doctor", "nowhere.csv")
    assert "no file given" in refused("doctor")


def test_a_file_that_cannot_be_read_does_not_stop_the_others(call, folder):
    good = two_models("good.csv")
    torn()
    for arguments in (["."], [good, "torn.json"], [good, "torn.json", "missing.csv"]):
        code, out, err = call("doctor", *arguments)
        assert (code, err) == (1, "")
        assert "unread                torn.json" in out
        assert "gpt         1     40" in out
    assert "no file or folder 'missing.csv'" in " ".join(out.split())


def spoiled(folder):
    """Three files of which none can be read, each for a reason of its own."""
    folder.mkdir()
    (folder / "torn.json").write_text('[{"model": "a", "item": "q1", "score": 1}, {"mod', encoding="utf-8")
    (folder / "open.csv").write_text('model,item,score\na,q1,"1\na,q2,0\n', encoding="utf-8")
    (folder / "noise.parquet").write_bytes(bytes(range(128, 256)) * 8)


@pytest.mark.parametrize("named", [["spoiled"], ["spoiled/torn.json", "spoiled/open.csv", "spoiled/noise.parquet"]])
def test_where_nothing_can_be_read_every_file_is_named(call, folder, named):
    spoiled(Path("spoiled"))
    code, out, err = call("doctor", *named)
    assert code == 2
    assert err.startswith("scorebars: not one of the 3 files can be read, such as: spoiled")
    assert err.count("\n") == 1
    for name in ("torn.json", "open.csv", "noise.parquet"):
        assert f"  unread                spoiled/{name}" in out
    code, out, _ = call("doctor", *named, "--format", "json")
    found = json.loads(out)["results"]
    assert code == 2
    assert [one["code"] for one in found] == ["unread"] * 3
    assert {one["data"]["path"] for one in found} == {
        f"spoiled/{x}" for x in ("torn.json", "open.csv", "noise.parquet")
    }
    reasons = {Path(one["data"]["path"]).name: one["message"] for one in found}
    assert "truncated" in reasons["torn.json"]
    assert "never closed" in reasons["open.csv"]
    assert "Parquet" in reasons["noise.parquet"] or "UTF-8" in reasons["noise.parquet"]


def test_several_that_cannot_be_read_are_all_named_beside_the_rest(call, folder):
    spoiled(Path("spoiled"))
    two_models("spoiled/good.csv")
    code, out, _ = call("doctor", "spoiled", "--format", "json")
    found = json.loads(out)
    assert code == 1
    assert [file["path"] for file in found["files"]] == ["spoiled/good.csv"]
    said = {one["code"]: one["data"] for one in found["results"]}
    skipped = said.get("skipped-file", {"paths": [], "reasons": []})
    unread = {Path(one["data"]["path"]).name for one in found["results"] if one["code"] == "unread"}
    assert unread | set(skipped["paths"]) == {"torn.json", "open.csv", "noise.parquet"}
    assert len(skipped["reasons"]) == len(skipped["paths"])


def test_the_unreadable_can_be_left_out(done, folder):
    two_models("good.csv")
    torn()
    assert done("doctor", ".", "--without", "torn.json").startswith("nothing found")
    assert "gpt" in done("estimate", ".", "--without", "torn.json")


def test_the_commands_leave_out_what_cannot_be_read(call, done, folder):
    two_models("good.csv")
    torn()
    _, out, _ = call("doctor", ".")
    assert "scorebars estimate . --without torn.json\n" in out
    assert "gpt" in done("estimate", ".", "--without", "torn.json")
    _, out, _ = call("doctor", "good.csv", "torn.json")
    assert "scorebars estimate good.csv\n" in out


def test_files_that_cannot_be_read_together(call, folder):
    write("a.csv", *(f"x,q{i},c{i % 9},{i % 2}" for i in range(30)), header="model,item,cluster,score")
    write("b.csv", *(f"y,q{i},{i % 2}" for i in range(30)), header="model,item,score")
    code, out, _ = call("doctor", "a.csv", "b.csv")
    assert code == 1
    assert "refused               estimate refuses this: row 1 of b.csv has no cluster" in out
    assert "x          1     30" in out


def test_files_of_two_formats_that_form_no_table(call, done, folder):
    log = {"model": "x", "item": "q", "score": 1}
    Path("runs.json").write_text(json.dumps({"Pong": [1.0, 2.0, 3.0], "Alien": [4.0, 2.0, 1.0]}), encoding="utf-8")
    for name in ("a", "b"):
        lines = [json.dumps(log | {"model": name, "item": f"q{i}", "score": i % 2}) for i in range(30)]
        Path(f"{name}.jsonl").write_text("\n".join(lines), encoding="utf-8")
    code, out, _ = call("doctor", ".")
    assert code == 1
    assert "unread                files read as 'rl-runs' (1: runs.json) form no table with" in out
    assert "scorebars estimate . --without runs.json" in out
    done("estimate", ".", "--without", "runs.json")


def test_a_curve_is_looked_at_by_its_last_point(call, folder):
    rows = [f"{9 * seed + step},DQN,walk,{seed},{step},{10 * step + seed}" for seed in range(7) for step in range(9)]
    code, out, _ = call("doctor", write("walk.csv", *rows, header=",agent,task,seed,frame,episode_reward"))
    assert code == 1
    assert "choice-needed         walk.csv holds learning curves of 7 runs" in out
    assert "scorebars estimate walk.csv --at final" in out
    assert "choice-needed" not in call("doctor", "walk.csv", "--at", "final")[1]


def test_a_file_to_leave_out_must_exist(refused, folder):
    assert "there is no such file" in refused("estimate", two_models(), "--without", "tron.json")


def test_several_metrics_are_all_looked_at(call, folder):
    rows = [f"q{i},{i % 2},{i % 3 / 2}" for i in range(30)]
    code, out, _ = call("doctor", write("a.csv", *rows, header="item,acc,f1"))
    assert code == 0
    assert "there are 2 metrics: 'acc', 'f1'" in out
    assert "scorebars estimate a.csv --metric acc" in out
    code, out, _ = call("doctor", "a.csv", "--metric", "f1")
    assert "several-metrics" not in out
    assert "scorebars estimate a.csv --metric f1" in out


def test_what_estimate_refuses_is_a_finding(call, folder):
    rows = [f"gpt,t,q{i},0,{i % 2}" for i in range(30)] + ["gpt,t,q3,0,0"]
    code, out, _ = call("doctor", write("a.csv", *rows))
    assert code == 1
    assert "refused               estimate refuses this:" in out
    assert "--duplicates first|last" in " ".join(out.split())


def test_commands_keep_the_options_and_fit_the_table(call, folder):
    path = trials()
    _, out, _ = call("doctor", path, "--map", "model=model+task", "--range", "0,1")
    assert "scorebars estimate a.csv --map model=model+task --range 0,1 --estimator pass^3" in out
    two = write("b c.csv", *(f"{m},t,q{i},0,{i % 2}" for m in ("x", "y z") for i in range(30)))
    _, out, _ = call("doctor", two, "--model", "y z")
    assert "scorebars estimate 'b c.csv' --model 'y z'\n" in out


@pytest.mark.parametrize("form", ["json", "csv", "markdown", "latex", "html"])
def test_formats_hold_every_finding(call, folder, form):
    code, out, _ = call("doctor", disjoint(), "--format", form)
    assert code == 1
    assert "near-duplicate-items" in out
    assert "nothing-shared" in out


def test_json_and_csv_are_whole(call, folder):
    _, out, _ = call("doctor", disjoint(), "--format", "json")
    found = json.loads(out)
    assert (found["kind"], found["changes_a_conclusion"]) == ("diagnosis", True)
    assert found["files"] == [{"path": "bad.csv", "reader": "table"}]
    assert [each["model"] for each in found["holds"]] == ["gpt", "llama"]
    assert found["holds"][0]["mean"] == 0.5
    assert {each["code"] for each in found["results"]} == {"near-duplicate-items", "nothing-shared"}
    assert all(each["remedy"] for each in found["results"])
    _, out, _ = call("doctor", disjoint(), "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [row["changes_a_conclusion"] for row in rows] == ["true", "true"]
    code, out, _ = call("doctor", two_models(), "--format", "csv")
    assert (code, out) == (0, "code,severity,changes_a_conclusion,message,remedy,where,data\n")


def test_written_to_a_file(call, folder):
    assert call("doctor", disjoint(), "-o", "found.md")[:2] == (1, "")
    page = Path("found.md").read_text(encoding="utf-8")
    assert page.startswith("**2 things found that would change a conclusion**")
    assert "$ scorebars estimate bad.csv" in page
    assert call("doctor", "bad.csv", "-o", "found.md")[0] == 2


def test_standard_input(run, folder):
    path = Path(two_models())
    done = run("doctor", "-", input=path.read_text(encoding="utf-8"))
    assert (done.returncode, done.stderr) == (0, "")
    assert "gpt         1     40" in done.stdout


def test_explain_says_how_files_were_read(call, folder):
    code, out, err = call("doctor", two_models(), "--explain")
    assert code == 0
    assert "a.csv: read by 'table'" in err
    assert "read by" not in out


def test_help_has_examples_and_exit_codes(done):
    out = done("doctor", "--help")
    assert out.startswith("Example: scorebars doctor results.csv")
    assert "More examples" in out
    assert "1 something would change a conclusion" in " ".join(out.split())


def test_completion_knows_it(run):
    env = {"COMP_WORDS": "scorebars doc", "COMP_CWORD": "1", "_SCOREBARS_COMPLETE": "bash_complete"}
    assert "doctor" in run(env=env).stdout


def test_a_narrow_terminal(call, folder, monkeypatch):
    monkeypatch.setenv("COLUMNS", "44")
    _, out, _ = call("doctor", disjoint())
    body = out.partition("WHAT YOU CAN DO")[0].split("\n", 1)[1]  # headline and commands stay whole, to be copied
    assert max(map(len, body.splitlines())) <= 44


def test_no_permission_is_a_finding(call, folder):
    two_models("good.csv")
    locked = Path(two_models("locked.csv"))
    locked.chmod(0)
    if os.access(locked, os.R_OK):
        pytest.skip("this user may read everything")
    code, out, _ = call("doctor", ".")
    assert code == 1
    assert "no permission" in out


def test_odd_names_print_on_one_line(call, folder):
    rows = [f'"a\nb",t,q{i},0,{i % 2}' for i in range(3)]
    code, out, _ = call("doctor", write("a.csv", *rows))
    assert code == 0
    assert "a\\nb" in out


def test_what_is_so_of_several_files_is_said_once(call, folder):
    for seed in range(3):
        (folder / "runs" / f"seed_{seed}").mkdir(parents=True)
        (folder / "runs" / f"seed_{seed}" / "m.json").write_text(f'{{"accuracy": 0.{seed}5, "loss": 1.5}}')
    _, out, _ = call("doctor", "runs")
    said = " ".join(out.split())
    assert said.count("in no shape") == 1
    assert "(2 more files alike) -> do what it says, or leave the files out" in said
    assert "--map 'score=accuracy,file={model}/seed_{run}/*'" in said
