"""A file's own totals against its rows: one helper, and every format that carries any."""

from __future__ import annotations

import json

import pytest
from tests.readers.logs_by_hand import BFCL_IDS, DEEPEVAL, HAL, PROMPTFOO, SIMPLE_EVALS, mmlu_pro_question

import scorebars as sb
from scorebars.readers.read import read
from scorebars.readers.totals import Total, disagreements, equal


@pytest.mark.parametrize(
    ("said", "own", "digits", "same"),
    [
        (0.42, 0.42 + 1e-9, None, True),
        (0.42, 42 / 99, None, False),
        (0.424, 42 / 99, None, True),
        (0.425, 42 / 99, None, False),
        (0.42, 42 / 99, 2, True),
        (7, 7.0, None, True),
        (7, 6, None, False),
        (1, 0.9996, None, False),
        (75.0, 74.96, 1, True),
        (75.0, 74.9, 1, False),
    ],
)
def test_a_printed_number_is_the_same_to_its_digits(said, own, digits, same):
    assert equal(said, own, digits) is same


def test_what_is_no_number_or_not_known_is_not_compared():
    totals = [
        Total("x", said, own) for said, own in (("1", 2), (None, 2), (True, 2), (float("nan"), 2), (1, float("nan")))
    ]
    assert not list(disagreements("f", totals))
    [said] = disagreements("f", [Total(name, 1, 2) for name in "abcde"])
    assert said.message.startswith("f: a is given as 1, and its rows give 2; b is")
    assert "; and 2 more; the rows are used" in said.message


def told(path, **options):
    scores = read(path, **options)
    return " ".join(
        note.message for part in scores._state.view.parts for note in part.notes if "disagrees" in note.code
    )


def write(path, value):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    return path


def openai(accuracy):
    spec = {"completion_fns": ["gpt-4"], "eval_name": "e.dev.v0"}
    events = [
        {"run_id": "r", "event_id": n, "sample_id": f"s{n}", "type": "match", "data": {"correct": n == 0}}
        for n in range(3)
    ]
    return "\n".join(map(json.dumps, [{"spec": spec}, {"final_report": {"accuracy": accuracy}}, *events]))


def test_openai_evals(tmp_path):
    assert "'accuracy' of the final report is given as 0.5, and its rows give 0.333333" in told(
        write(tmp_path / "a.jsonl", openai(0.5))
    )
    assert not told(write(tmp_path / "b.jsonl", openai(1 / 3)))


def question(number, graded, said):
    ids = {"question_id": f"q{number}", "contest_id": "c", "contest_date": "2024-01-01"}
    return ids | {"graded_list": graded, "pass@1": said}


def test_livecodebench(tmp_path):
    path = tmp_path / "GPT" / "Scenario.codegeneration_2_0.2_eval_all.json"
    write(path, [question(1, [True, False], 0.5), question(2, [True, True], 0.75)])
    assert "pass@1 of question 'q2' is given as 0.75, and its rows give 1" in told(path)
    write(path, [question(1, [True, False], 0.5), question(2, [True, True], 1.0)])
    assert not told(path)
    write(path.with_name("Scenario.codegeneration_2_0.2_eval.json"), [{"pass@1": 0.8, "detail": {}}])
    assert "pass@1 is given as 0.8, and its rows give 0.75" in told(path)
    assert not told(path, dates="2024-01..2024-02")


def trec(mean, queries, returned=20):
    lines = ["runid\tall\tx"] + [f"{m}\tq{q}\t{v}" for q, v in ((1, 0.1), (2, 0.3334)) for m in ("map",)]
    lines += [f"num_ret\tq{q}\t10" for q in (1, 2)] + [f"num_ret\tall\t{returned}"]
    return "\n".join([*lines, f"num_q\tall\t{queries}", f"map\tall\t{mean}", "gm_map\tall\t0.9", "gm_map\tq1\t-2"])


def test_trec_eval(tmp_path):
    assert not told(write(tmp_path / "a.eval", trec(0.2166, 2)), metric="map")
    said = told(write(tmp_path / "b.eval", trec(0.2500, 3, 30)), metric="map")
    assert "'num_q' of the query 'all' is given as 3, and its rows give 2" in said
    assert "'map' of the query 'all' is given as 0.25, and its rows give 0.2167" in said
    assert "'num_ret' of the query 'all' is given as 30, and its rows give 20" in said


def stat(name, total, mean, **more):
    named = {"name": name, "split": "test"} | more
    return {"name": named, "count": 1, "sum": total, "sum_squared": total, "min": total, "max": total, "mean": mean}


def test_helm(tmp_path):
    rows = [
        {"instance_id": f"id{n}", "train_trial_index": 0, "stats": [stat("exact_match", float(n == 0), float(n == 0))]}
        for n in range(4)
    ]
    path = write(tmp_path / "m:model=x" / "per_instance_stats.json", rows)
    write(
        path.with_name("stats.json"),
        [stat("exact_match", 0.25, 0.25), stat("exact_match", 9, 9, perturbation={"name": "p"})],
    )
    assert not told(path)
    write(path.with_name("stats.json"), [stat("exact_match", 0.5, 0.5)])
    assert "the mean of 'exact_match' is given as 0.5, and its rows give 0.25" in told(path)
    write(path, [*rows[:3], rows[3] | {"stats": [stat("exact_match", 0.0, 1.0)]}])
    assert "the mean of 'exact_match' of 'id3' is given as 1, and its rows give 0" in told(path)


def test_mteb(tmp_path):
    experiments = [{"main_score": 0.5}, {"main_score": 0.7}]
    for said, differs in ((0.6, False), (0.5, True)):
        subset = {"hf_subset": "de", "languages": [], "main_score": said, "scores_per_experiment": experiments}
        content = {"dataset_revision": "r", "task_name": "T", "mteb_version": "1", "scores": {"test": [subset]}}
        path = write(tmp_path / "org__m" / "r" / "T.json", content)
        assert ("main_score of 'de' is given as 0.5, and its rows give 0.6" in told(path)) is differs


def test_promptfoo(tmp_path):
    content = json.loads(json.dumps(PROMPTFOO))
    assert not told(write(tmp_path / "a.json", content), metric="success")
    content["results"]["stats"] |= {"successes": 3, "errors": 0}
    said = told(write(tmp_path / "a.json", content), metric="success")
    assert "the number of successes is given as 3, and its rows give 2" in said
    assert "the number of errors is given as 0, and its rows give 1" in said


def test_deepeval(tmp_path):
    said = told(write(tmp_path / "a.json", DEEPEVAL | {"testPassed": 3}), metric="success")
    assert "testPassed is given as 3, and its rows give 2" in said
    scores = [DEEPEVAL["metricsScores"][0] | {"fails": 4}]
    assert "fails of 'Faithfulness' is given as 4" in told(
        write(tmp_path / "a.json", DEEPEVAL | {"metricsScores": scores}), metric="success"
    )
    assert not told(write(tmp_path / "a.json", DEEPEVAL), metric="success")


def test_simple_evals(tmp_path):
    name = "healthbench_gpt-4.1_20250507_061412_allresults.json"
    assert not told(write(tmp_path / name, SIMPLE_EVALS))
    assert "score is given as 0.5, and its rows give 0.4" in told(write(tmp_path / name, SIMPLE_EVALS | {"score": 0.5}))


def test_hal(tmp_path):
    assert not told(write(tmp_path / "a_UPLOAD.json", HAL))
    other = HAL | {"results": HAL["results"] | {"accuracy": 0.9}}
    assert "accuracy is given as 0.9, and its rows give 0.5" in told(write(tmp_path / "a_UPLOAD.json", other))


def test_mmlu_pro(tmp_path):
    path = write(tmp_path / "gpt" / "math_result.json", [mmlu_pro_question(n, "B" if n else "A") for n in range(3)])
    summary = path.with_name("math_summary.json")
    for right, wrong, differs in ((2.0, 1.0, False), (3.0, 0.0, True), (2.0, 4.0, True)):
        write(summary, {"math": {"corr": right, "wrong": wrong, "acc": right / (right + wrong)}})
        assert bool(told(path)) is differs


def test_bfcl(tmp_path):
    header = {"accuracy": 0.9, "correct_count": 3, "total_count": 4}
    failure = {"id": "simple_1", "model_name": "m", "test_category": "simple", "valid": False}
    path = write(tmp_path / "BFCL_v3_simple_score.json", f"{json.dumps(header)}\n{json.dumps(failure)}\n")
    said = told(path, items=[f"simple_{n}" for n in range(4)])
    assert "accuracy is given as 0.9, and its rows give 0.75" in said
    assert BFCL_IDS


def test_bigcodebench(tmp_path):
    samples = {f"BigCodeBench/{n}": [{"task_id": f"BigCodeBench/{n}", "solution": "", "status": status}]
               for n, status in enumerate(("pass", "fail"))}  # fmt: skip
    path = write(tmp_path / "m--bigcodebench-instruct--x_eval_results.json", {"date": "2025-01-01", "eval": samples})
    beside = {"model": "m", "split": "instruct", "subset": "full", "calibrated": True, "pass@1": 0.7}
    write(path.with_name("m--bigcodebench-instruct--x_pass_at_k.json"), beside)
    assert "pass@1 is given as 0.7, and its rows give 0.5" in told(path)


def test_swe_bench(tmp_path):
    report = {"total_instances": 3, "submitted_instances": 3, "resolved_instances": 1, "unresolved_instances": 1}
    report |= {"resolved_ids": ["a-1"], "unresolved_ids": ["a-2", "a-3"], "error_ids": [], "error_instances": 0}
    said = told(write(tmp_path / "m.r.json", report))
    assert "unresolved_instances is given as 1, and its rows give 2" in said
    assert not told(write(tmp_path / "m.r.json", report | {"unresolved_instances": 2}))


def junit(inner, **counts):
    given = " ".join(f'{key}="{value}"' for key, value in counts.items())
    return f'<testsuites><testsuite name="s" {given}>{inner}</testsuite></testsuites>'


CASES = '<testcase name="a"/><testcase name="b"><failure/></testcase><testcase name="c"><skipped/></testcase>'


@pytest.mark.parametrize(
    ("counts", "sentence"),
    [
        ({"tests": 3, "failures": 1, "errors": 0, "skipped": 1}, ""),
        ({"tests": 4}, "tests of the testsuite 's' is given as 4, and its rows give 3"),
        ({"tests": 3, "failures": 0}, "failures of the testsuite 's' is given as 0, and its rows give 1"),
        ({"tests": 3, "errors": 2}, "errors of the testsuite 's' is given as 2, and its rows give 0"),
        ({"tests": 3, "skipped": 0}, "skipped of the testsuite 's' is given as 0, and its rows give 1"),
    ],
)
def test_junit(tmp_path, counts, sentence):
    said = told(write(tmp_path / "r.xml", junit(CASES, **counts)))
    assert sentence in said
    assert bool(said) is bool(sentence)


def test_junit_suites_in_suites(tmp_path):
    inner = f'<testsuite name="t" tests="3">{CASES}</testsuite><testcase name="d"/>'
    for total in (1, 4):  # its own, or those inside it too
        assert not told(write(tmp_path / "r.xml", junit(inner, tests=total)))
    assert told(write(tmp_path / "r.xml", junit(inner, tests=3)))


def test_the_doctor_lists_a_total_that_disagrees(tmp_path):
    path = write(tmp_path / "r.xml", junit(CASES, tests=99))
    found = [finding for finding in sb.doctor(read(path)).findings if finding.code == "header-disagrees"]
    assert len(found) == 1
    assert "tests of the testsuite 's' is given as 99" in found[0].message
