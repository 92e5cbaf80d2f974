"""HumanEval, EvalPlus, BigCodeBench, LiveCodeBench: what each trap of real files becomes."""

from __future__ import annotations

import json
import math
import re
import shlex
from pathlib import Path

import numpy as np
import pytest
from tests.readers.formats import bigcode_results, code_sample, evalplus_results, evalplus_sample, live_question

import scorebars as sb
from scorebars.errors import ArgumentError, ReadError, ScoresError
from scorebars.readers.read import read

SHARED = Path(__file__).parents[3] / "shared" / "data"
needs_shared = pytest.mark.skipif(not SHARED.is_dir(), reason="../shared/data is not here")


def write(path, value):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value))
    return path


def write_lines(path, values):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(value) + "\n" for value in values))
    return path


def mean(scores, **options):
    (cut,) = scores.with_options(**options).cuts().cuts
    sample = cut.sample
    items, where = np.unique(sample.item, return_inverse=True)
    return float(np.mean([sample.score[where == item].mean() for item in range(len(items))]))


def notes(scores):
    return " ".join(str(note) for note in scores.cuts().notes)


class TestHumanEval:
    @needs_shared
    @pytest.mark.shared_data
    @pytest.mark.parametrize("model", ["codegemma_7b", "codellama_7b"])
    def test_real_files(self, model):
        path = SHARED / "humaneval" / f"{model}_results.jsonl"
        raw = [json.loads(line) for line in path.read_text().splitlines()]
        scores = read(path)
        assert (scores.models, scores.tasks) == ((model,), ("HumanEval",))
        assert sum(scores._state.rows.counts("item").values()) == len(raw) == 164
        assert mean(scores) == pytest.approx(sum(row["passed"] for row in raw) / 164)

    def test_samples_of_a_task_are_runs_and_pass_at_k_is_unbiased(self, tmp_path):
        passed = {"HumanEval/0": (1, 0, 0, 0), "HumanEval/1": (1, 1, 0, 0), "HumanEval/2": (0, 0, 0, 0)}
        lines = [code_sample(task, bool(values[n])) for n in range(4) for task, values in passed.items()]
        scores = read(write_lines(tmp_path / "m_results.jsonl", lines))
        assert scores._state.rows.counts("run") == {"1": 3, "2": 3, "3": 3, "4": 3}
        expected = np.mean([1 - math.comb(4 - sum(values), 2) / math.comb(4, 2) for values in passed.values()])
        assert sb.estimate(scores, estimator=sb.PassAtK(2))[0].value == pytest.approx(expected)

    @pytest.mark.parametrize("write_one", [True, False])
    def test_problems_that_are_not_there_are_said(self, tmp_path, write_one):
        def written(ids):
            if write_one:
                return write_lines(tmp_path / "m_results.jsonl", [code_sample(task, True) for task in ids])
            tasks = {task: [evalplus_sample(task, "pass", "pass")] for task in ids}
            return write(tmp_path / "m_eval_results.json", evalplus_results(tasks))

        whole = [f"HumanEval/{n}" for n in range(164)]
        metric = None if write_one else "base"
        assert notes(read(written(whole), metric=metric)) == ""
        said = notes(read(written(whole[:-2]), metric=metric))
        assert "has no sample of 2 of HumanEval's 164 problems (HumanEval/162, HumanEval/163)" in said
        said = notes(read(written(whole[:4]), metric=metric))
        assert "160 of HumanEval's 164 problems (HumanEval/4, HumanEval/5, HumanEval/6, …)" in said
        assert notes(read(written(["Python/0", "Python/1"]), metric=metric)) == ""  # another data set, of any size

    @pytest.mark.parametrize(
        ("name", "model"),
        [
            ("gpt-4.1.jsonl_results.jsonl", "gpt-4.1"),
            ("codellama_7b_results.jsonl", "codellama_7b"),
            ("my-model/samples.jsonl_results.jsonl", "my-model"),
            ("my-model/results.jsonl", "my-model"),
        ],
    )
    def test_the_model_is_in_the_path(self, tmp_path, name, model):
        assert read(write_lines(tmp_path / name, [code_sample("HumanEval/0", True)])).models == (model,)

    def test_files_of_one_name_are_two_models(self, tmp_path):
        for folder in "xy":
            write_lines(tmp_path / folder / "gpt_results.jsonl", [code_sample("HumanEval/0", True)])
        assert read(tmp_path).models == ("x/gpt_results", "y/gpt_results")

    def test_code_that_is_no_program_is_noted(self, tmp_path):
        broken = [code_sample(f"HumanEval/{n}", False, f"failed: unexpected indent (<string>, line {n})") for n in "12"]
        wrong = code_sample("HumanEval/3", False, "failed: name 'x' is not defined")
        scores = read(write_lines(tmp_path / "m_results.jsonl", [*broken, wrong, code_sample("HumanEval/4", True)]))
        assert "2 of 4 samples were no program that could be run" in notes(scores)
        found = sb.doctor(scores).findings
        assert [one.severity.name for one in found if one.code == "broken-code"] == ["CHANGES"]
        fine = read(write_lines(tmp_path / "n_results.jsonl", [wrong, code_sample("HumanEval/4", True)]))
        assert "broken-code" not in notes(fine)

    def test_other_numbers_are_named_and_not_scores(self, tmp_path):
        lines = [code_sample("HumanEval/0", True, style_score=0.5, completion_id=0)]
        scores = read(write_lines(tmp_path / "m_results.jsonl", lines))
        assert scores.metrics == ()
        assert [name for name, _ in scores.parts[0].unusable] == ["style_score"]
        with pytest.raises(ScoresError, match="HumanEval does not write it"):
            read(tmp_path / "m_results.jsonl", metric="style_score")

    def test_null_is_missing(self, tmp_path):
        lines = [code_sample("HumanEval/0", True), code_sample("HumanEval/1", None)]
        scores = read(write_lines(tmp_path / "m_results.jsonl", lines))
        assert (mean(scores), mean(scores, on_error="wrong")) == (1.0, 0.5)

    def test_averages_alone_are_refused(self, tmp_path):
        path = tmp_path / "m.json"
        path.write_text('{"pass@1": 0.47, "pass@10": 0.8}\n')
        with pytest.raises(ReadError, match=r"m.json holds averages \(pass@k\), without the samples"):
            read(path)

    def test_a_corrupted_line_is_named(self, tmp_path):
        path = write_lines(tmp_path / "m_results.jsonl", [code_sample(f"HumanEval/{n}", True) for n in range(3)])
        path.write_text(path.read_text().replace('"HumanEval/1"', "HumanEval/1"))
        with pytest.raises(ReadError, match=r"m_results.jsonl: line 2 is not valid JSON"):
            read(path)


class TestEvalPlus:
    @needs_shared
    @pytest.mark.shared_data
    def test_the_real_file_of_version_3(self):
        path = SHARED / "evalplus" / "rd_gene_1_1samples_eval_results.json"
        samples = [one for task in json.loads(path.read_text())["eval"].values() for one in task]
        base = [one["base_status"] == "pass" for one in samples]
        plus = [one["base_status"] == one["plus_status"] == "pass" for one in samples]
        assert mean(read(path, metric="base")) == pytest.approx(sum(base) / 164)
        assert mean(read(path, metric="plus")) == pytest.approx(sum(plus) / 164)
        assert read(path).models == ("rd_gene_1_1samples",)

    @needs_shared
    @pytest.mark.shared_data
    @pytest.mark.parametrize("metric", ["dps", "dps_norm", "pass@1"])
    def test_evalperf_gives_its_own_summary(self, metric):
        (path,) = (SHARED / "evalplus").glob("*evalperf_results.brief.json")
        scores = read(path, metric=metric)
        content = json.loads(path.read_text())
        assert sum(read(path)._state.rows.counts("item").values()) == 3 * len(content["eval"])
        assert sb.estimate(scores)[0].value == pytest.approx(content["summary"][metric], abs=1e-9)
        assert scores.models == ("o1-preview-2024-09-12_openai_temp_1.0-perf-instruct",)

    def test_plus_needs_base(self, tmp_path):
        words = ("pass", "fail")
        tasks = {"Mbpp/2": [evalplus_sample("Mbpp/2", base, plus) for base in words for plus in words]}
        path = write(tmp_path / "m_eval_results.json", evalplus_results(tasks))
        assert read(path).tasks == ("Mbpp",)
        assert (mean(read(path, metric="base")), mean(read(path, metric="plus"))) == (0.5, 0.25)

    def test_the_older_format_is_the_same(self, tmp_path):
        verdicts = {"base": [["success", []], ["failed", [True]]], "plus": [["failed", []]] * 2}
        old = {"HumanEval/0": {"nfiles": 2, **verdicts}}
        new = {"HumanEval/0": [evalplus_sample("HumanEval/0", base, "fail") for base in ("pass", "fail")]}
        for metric, value in (("base", 0.5), ("plus", 0.0)):
            for name, tasks in (("old", old), ("new", new)):
                path = write(tmp_path / f"{name}_eval_results.json", evalplus_results(tasks))
                assert mean(read(path, metric=metric)) == value

    def test_a_sample_that_lost_its_verdict_is_missing(self, tmp_path):
        tasks = {
            "HumanEval/0": [evalplus_sample("HumanEval/0", "pass", "pass")],
            "HumanEval/1": [evalplus_sample("HumanEval/1", "pass", None)],
            "HumanEval/2": [],
        }
        scores = read(write(tmp_path / "m_eval_results.json", evalplus_results(tasks)), metric="plus")
        (cut,) = scores.cuts().cuts
        assert cut.sample.score.tolist() == [1, 0, 0]
        [said] = [note.message for note in sb.estimate(scores)[0].notes if note.code == "missing-scores"]
        assert said.startswith("2 of 3 attempts without a score, counted wrong (33.3 % if counted wrong, 100.0 % if dr")
        # EvalPlus counts what is not "pass": that is no disagreement.
        own = {"pass_at_k": {"base": {"pass@1": 2 / 3}, "plus": {"pass@1": 1 / 3}}}
        scores = read(write(tmp_path / "o_eval_results.json", evalplus_results(tasks) | own), metric="plus")
        assert "header-disagrees" not in [note.code for note in scores.cuts().notes]

    def test_base_only_has_no_plus(self, tmp_path):
        tasks = {"HumanEval/0": [evalplus_sample("HumanEval/0", "pass", None)]}
        assert read(write(tmp_path / "m_eval_results.json", evalplus_results(tasks))).metrics == ("base",)
        old = {"HumanEval/0": {"nfiles": 1, "base": [["success", []]], "plus": []}}
        assert read(write(tmp_path / "o_eval_results.json", evalplus_results(old))).metrics == ("base",)

    def test_a_choice_of_tests_is_needed(self, tmp_path):
        tasks = {"HumanEval/0": [evalplus_sample("HumanEval/0", "pass", "fail")]}
        with pytest.raises(ScoresError, match=r"2 metrics: 'base' \(1 row\), 'plus' \(1 row\)"):
            read(write(tmp_path / "m_eval_results.json", evalplus_results(tasks))).cuts()

    def test_its_own_pass_at_1_is_checked(self, tmp_path):
        tasks = {"HumanEval/0": [evalplus_sample("HumanEval/0", "pass", "fail")]}
        for said, noted in ((1.0, False), (0.9, True)):
            block = {"base": {"pass@1": said}, "plus": {"pass@1": 0.0}}
            path = write(tmp_path / "m_eval_results.json", evalplus_results(tasks, pass_at_k=block))
            scores = read(path, metric="base")
            assert ("pass@1 of base is given as 0.9, and its rows give 1" in notes(scores)) is noted

    @pytest.mark.parametrize(
        ("tasks", "sentence"),
        [
            ({"H/0": [evalplus_sample("H/0", "passed", "fail")]}, "sample 1: 'base_status' is 'passed'; known are"),
            ({"H/0": [evalplus_sample("H/0", "pass", "fail"), 3]}, "'H/0': sample 2 is a number, not an object"),
            ({"H/0": {"nfiles": 2, "base": [["success", 0]] * 2, "plus": [["failed", 0]]}}, "2 samples in 'base'"),
        ],
    )
    def test_what_is_not_known_is_named(self, tmp_path, tasks, sentence):
        with pytest.raises(ReadError, match=sentence):
            read(write(tmp_path / "m_eval_results.json", evalplus_results(tasks)))

    def test_the_folder_names_the_model_where_the_file_does_not(self, tmp_path):
        tasks = {"HumanEval/0": [evalplus_sample("HumanEval/0", "pass", "fail")]}
        assert read(write(tmp_path / "gpt-4" / "eval_results.json", evalplus_results(tasks))).models == ("gpt-4",)


class TestBigCodeBench:
    NAME = "org--m--bigcodebench-hard-instruct--vllm-0-1-sanitized_calibrated"

    def test_statuses_runs_and_the_sibling(self, tmp_path):
        content = bigcode_results({"BigCodeBench/0": ["pass", "fail"], "BigCodeBench/1": ["timeout", "fail"]})
        path = write(tmp_path / f"{self.NAME}_eval_results.json", content)
        alone = read(path)
        assert (alone.models, mean(alone)) == (("org--m",), 0.25)
        averages = {"pass@1": 0.25, "model": "org/m", "split": "instruct", "subset": "hard", "calibrated": True}
        sibling = write(tmp_path / f"{self.NAME}_pass_at_k.json", averages)
        for scores in (read(path), read(tmp_path), read([path, sibling])):
            assert (scores.models, scores.variants, mean(scores)) == (("org/m",), ("instruct",), 0.25)

    def test_a_status_of_null_has_not_passed(self, tmp_path):
        content = bigcode_results({"BigCodeBench/0": ["pass", None], "BigCodeBench/1": ["pass"], "BigCodeBench/2": []})
        path = write(tmp_path / f"{self.NAME}_eval_results.json", content)
        assert mean(read(path)) == pytest.approx((0.5 + 1 + 0) / 3)
        assert mean(read(path, on_error="drop")) == 1

    def test_the_sibling_alone_is_refused(self, tmp_path):
        averages = {"pass@1": 0.25, "model": "m", "split": "instruct", "subset": "hard", "calibrated": True}
        path = write(tmp_path / f"{self.NAME}_pass_at_k.json", averages)
        for less in ({}, {"calibrated": None}):
            write(path, {key: value for key, value in averages.items() if key not in less})
            with pytest.raises(
                ReadError, match=r"holds averages .* an interval needs the verdict of each sample: the …"
            ):
                read(tmp_path)
        write(tmp_path / f"{self.NAME}_eval_results.json", bigcode_results({"BigCodeBench/0": ["pass"]}))
        with pytest.raises(ReadError, match=rf"without the samples; read '{self.NAME}_eval_results.json' beside it"):
            read(path)

    def test_two_splits_of_a_model_are_two_variants(self, tmp_path):
        for split in ("instruct", "complete"):
            name = f"m--bigcodebench-{split}--vllm-0-1_eval_results.json"
            write(tmp_path / name, bigcode_results({"BigCodeBench/0": ["pass"]}))
        assert (read(tmp_path).models, read(tmp_path).variants) == (("m",), ("complete", "instruct"))


class TestLiveCodeBench:
    QUESTIONS = (
        live_question("abc1_a", [True, False], "2024-07-31"),
        live_question("abc1_b", [True, True], "2024-07-31"),
        live_question("2810", [False, False], "2024-08-31"),
        live_question("2811", [True, False], "2024-09-01"),
    )

    def file(self, folder, questions=QUESTIONS, name="Scenario.codegeneration_10_0.2_eval_all.json"):
        return write(folder / name, list(questions))

    def test_mapping(self, tmp_path):
        scores = read(self.file(tmp_path / "GPT-4O"))
        assert (scores.models, mean(scores)) == (("GPT-4O",), 0.5)
        assert scores._state.rows.counts("cluster") == {"2810": 2, "2811": 2, "abc1": 4}
        assert scores._state.rows.counts("run") == {"1": 4, "2": 4}

    @pytest.mark.parametrize(
        ("dates", "value", "left_out"),
        [
            ("2024-08-01..2024-08-31", 0.0, 3),
            ("2024-08..2024-08", 0.0, 3),
            ("2024-08..", 0.25, 2),
            ("..2024-07", 0.75, 2),
            ("2024-07-31..2024-09-01", 0.5, 0),
        ],
    )
    def test_a_window_of_dates(self, tmp_path, dates, value, left_out):
        scores = read(self.file(tmp_path), dates=dates)
        assert mean(scores) == value
        assert sum(n for _, n in scores.parts[0].dropped) == left_out

    def test_a_window_without_questions_says_so(self, tmp_path):
        with pytest.raises(ReadError, match=r"none of its 4 questions is of 2030-01\.\."):
            read(self.file(tmp_path), dates="2030-01..")

    def test_a_window_is_for_no_other_format(self, tmp_path):
        path = write_lines(tmp_path / "m_results.jsonl", [code_sample("HumanEval/0", True)])
        with pytest.raises(ArgumentError, match=r"--dates does nothing .* it is for livecodebench"):
            read(path, dates="2024-08..")

    def test_several_tests_of_a_question_are_several_items(self, tmp_path):
        questions = [live_question("2810", [True], test_id=n) for n in (0, 1)]
        assert read(self.file(tmp_path, questions))._state.rows.counts("item") == {"2810/0": 1, "2810/1": 1}

    def test_one_sample_beside_ten(self, tmp_path):
        self.file(tmp_path / "ten", [live_question("1", [True] * 5 + [False] * 5), live_question("2", [False] * 10)])
        self.file(tmp_path / "one", [live_question("1", [True]), live_question("2", [False])])
        found = {one.model: one.value for one in sb.estimate(read(tmp_path))}
        assert found == {"one": 0.5, "ten": 0.25}

    @pytest.mark.parametrize(
        ("content", "sentence"),
        [
            ([{key: v for key, v in QUESTIONS[0].items() if key != "graded_list"}], "answers of LiveCodeBench that"),
            ([{"pass@1": 0.5, "detail": {"pass@1": {"0": 0.5}}}, {"0": [[True]]}], "holds averages of LiveCodeBench"),
            ([live_question("1", [True]), live_question("2", [1])], "record 2: 'graded_list', sample 1 is a number"),
            ([live_question("1", [True]), live_question("2", []) | {"graded_list": "yes"}], "'graded_list' is text"),
        ],
    )
    def test_what_holds_no_verdicts(self, tmp_path, content, sentence):
        with pytest.raises(ReadError, match=sentence):
            read(self.file(tmp_path, content))


TASKS = 12
PASSED = {"A": (1, 1, 1, 0), "B": (0, 0, 0, 1)}
"""Which of each four tasks a model passes."""


def told_in(sentence):
    """The queries that a sentence says to type."""
    return [words[1] for words in map(shlex.split, re.findall(r"--sql (?:'[^']*'|\"[^\"]*\")", sentence))]


class TestAddedKeys:
    def lines(self, key, names=("A", "B"), samples=1):
        return [
            code_sample(f"HumanEval/{n}", bool(passed[n % 4]), **{key: name})
            for name, passed in zip(names, PASSED.values(), strict=True)
            for _ in range(samples)
            for n in range(TASKS)
        ]

    @pytest.mark.parametrize("key", ["model", "model_name"])
    @pytest.mark.parametrize("samples", [1, 3])
    def test_models_that_the_lines_name_are_models(self, tmp_path, key, samples):
        scores = read(write_lines(tmp_path / "all_results.jsonl", self.lines(key, samples=samples)))
        assert scores.models == ("A", "B")
        assert {one.model: one.value for one in sb.estimate(scores)} == {"A": 0.75, "B": 0.25}
        assert scores._state.rows.counts("run") == {str(n + 1): 2 * TASKS for n in range(samples)}
        assert dict(scores.parts[0].mapping)["model"] == key
        lacking = [note.data["detail"] for note in scores.parts[0].notes if note.code == "partial-log"]
        assert [("by 'A'" in one, "by 'B'" in one) for one in lacking] == [(True, False), (False, True)]

    def test_one_model_in_the_lines_leaves_the_name_of_the_file(self, tmp_path):
        scores = read(write_lines(tmp_path / "gpt-4_results.jsonl", self.lines("model", ("A", "A"))))
        assert scores.models == ("gpt-4",)

    def test_a_model_in_some_lines_is_refused(self, tmp_path):
        path = write_lines(tmp_path / "r.jsonl", [*self.lines("model"), code_sample("HumanEval/0", True)])
        with pytest.raises(ReadError, match=r"names a 'model' in 24 of 25 records.*write it in each, or in none"):
            read(path)

    @pytest.mark.parametrize("key", ["temperature", "prompt_version"])
    def test_a_setting_that_tells_samples_apart_is_asked_about(self, tmp_path, key):
        names = (0.2, 0.8) if key == "temperature" else ("v1", "v2")
        path = write_lines(tmp_path / "r.jsonl", self.lines(key, names))
        with pytest.raises(ReadError, match=f"several records of an item, and '{key}'") as error:
            read(path)
        queries = told_in(str(error.value))
        assert len(queries) == 3
        found = [{one.model: one.value for one in sb.estimate(read(path, sql=query))} for query in queries]
        assert found[0] == {str(names[0]): 0.75, str(names[1]): 0.25}
        assert found[1] == found[2] == {"r": 0.5}

    def test_beside_models_the_setting_is_a_part_of_them(self, tmp_path):
        cold = [line | {"temperature": 0.2} for line in self.lines("model")]
        lines = [*cold, *(line | {"temperature": 0.8, "passed": not line["passed"]} for line in cold)]
        path = write_lines(tmp_path / "r.jsonl", lines)
        with pytest.raises(ReadError, match="'temperature'") as error:
            read(path)
        values = {one.model: one.value for one in sb.estimate(read(path, sql=told_in(str(error.value))[0]))}
        assert values == {"A 0.2": 0.75, "A 0.8": 0.25, "B 0.2": 0.25, "B 0.8": 0.75}

    @pytest.mark.parametrize(
        ("key", "names"), [("seed", (0, 1)), ("sample_id", (0, 1)), ("candidate", (0, 1)), ("lang", ("py", "py"))]
    )
    def test_numbers_of_samples_and_what_is_everywhere_alike_are_left_alone(self, tmp_path, key, names):
        assert len(read(write_lines(tmp_path / "m_results.jsonl", self.lines(key, names))).models) == 1

    def test_livecodebench(self, tmp_path):
        questions = [
            live_question(f"q{n}", [bool(passed[n % 4])] * 2, model=name)
            for name, passed in PASSED.items()
            for n in range(TASKS)
        ]
        scores = read(write(tmp_path / "codegeneration_2_0.2_eval_all.json", questions))
        assert {one.model: one.value for one in sb.estimate(scores)} == {"A": 0.75, "B": 0.25}
        assert scores._state.rows.counts("run") == {"1": 2 * TASKS, "2": 2 * TASKS}

    def test_settings_in_livecodebench(self, tmp_path):
        questions = [
            live_question(f"q{n}", [bool(passed[n % 4])] * 2, temperature=name)
            for name, passed in zip((0.2, 0.8), PASSED.values(), strict=True)
            for n in range(TASKS)
        ]
        path = write(tmp_path / "codegeneration_2_0.2_eval_all.json", questions)
        with pytest.raises(ReadError, match=r"'temperature' \('0.2', '0.8'\)") as error:
            read(path)
        query = told_in(str(error.value))[0]
        assert {one.model: one.value for one in sb.estimate(read(path, sql=query))} == {"0.2": 0.75, "0.8": 0.25}

    def test_evalplus_and_bigcodebench(self, tmp_path):
        sample = evalplus_sample("HumanEval/0", "pass", "pass")
        two = [sample | {"model": "A"}, sample | {"model": "B"}]
        with pytest.raises(ReadError, match=r"names several models \('A', 'B'\).*write a file for each"):
            read(write(tmp_path / "a_eval_results.json", evalplus_results({"HumanEval/0": two})))
        content = bigcode_results({"BigCodeBench/0": ["pass", "fail"]})
        for sample, name in zip(content["eval"]["BigCodeBench/0"], "AB", strict=True):
            sample["model"] = name
        with pytest.raises(ReadError, match=r"names several models \('A', 'B'\)"):
            read(write(tmp_path / "b_eval_results.json", content))
