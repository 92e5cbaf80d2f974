"""SWE-bench: what each trap of real reports, submissions and logs becomes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.readers.formats import swe_report

import scorebars as sb
from scorebars.errors import ReadError
from scorebars.readers.read import read

SHARED = Path(__file__).parents[3] / "shared" / "data" / "swe_bench"
needs_shared = pytest.mark.skipif(not SHARED.is_dir(), reason="../shared/data is not here")
ALL = [f"{repo}-{number}" for repo in ("astropy__astropy", "django__django", "sympy__sympy") for number in range(1, 5)]


def write(path, value):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    return path


def submission(root, name, resolved, split="verified", **lists):
    """A submission as the experiments repository keeps it."""
    content = {"no_generation": [], "no_logs": [], "resolved": resolved} | lists
    return write(root / "evaluation" / split / name / "results" / "results.json", content)


def log(folder, instance, resolved):
    verdict = {"patch_is_None": False, "patch_exists": True, "patch_successfully_applied": True, "resolved": resolved}
    return write(folder / instance / "report.json", {instance: verdict | {"tests_status": {}}})


def means(scores, **options):
    found = sb.estimate(scores.with_options(**options), resample=sb.Resample("item"))
    return {one.model: round(one.value, 12) for one in found}


def notes(scores):
    return " ".join(str(note) for note in scores.cuts().notes)


class TestReports:
    def test_the_lists_part_all_instances(self, tmp_path):
        numbers = {"resolved": 384, "unresolved": 111, "error": 3, "empty_patch": 0, "incomplete": 2}
        ids = iter(f"django__django-{n}" for n in range(500))
        report = swe_report(**{key: [next(ids) for _ in range(n)] for key, n in numbers.items()})
        scores = read(write(tmp_path / "Agent_Selection.run.json", report))
        (cut,) = scores.cuts().cuts
        assert (report["total_instances"], len(cut.sample.score)) == (500, 500)
        assert means(scores) == {"Agent_Selection.run": 384 / 500}
        assert means(scores, on_error="drop") == {"Agent_Selection.run": round(384 / 495, 12)}
        said = " ".join(map(str, cut.notes))
        assert "3 attempts ended in an error without a score, counted wrong" in said
        assert "2 of 500 attempts without a score, counted wrong" in said

    def test_what_completed_and_was_not_resolved_is_not_resolved(self, tmp_path):
        report = {"resolved_ids": ALL[:3], "completed_ids": ALL[:8], "schema_version": 2}
        path = write(tmp_path / "a.json", report)
        scores = read(path)
        assert means(scores) == {"a": 3 / 8}
        assert "assumed-items" in notes(scores)  # the report does not say how many there are
        whole = read(write(tmp_path / "b.json", report | {"total_instances": 8, "completed_instances": 8}))
        assert means(whole) == {"b": 3 / 8}
        assert "assumed-items" not in notes(whole)
        assert means(read(path, items=ALL)) == {"a": 3 / 12}

    def test_the_resolved_alone_make_no_share(self, tmp_path):
        path = write(tmp_path / "a.json", {"resolved_instances": 3, "resolved_ids": ALL[:3], "schema_version": 1})
        with pytest.raises(ReadError, match=r"neither the others nor how many there are .* give all ids \(--all-items"):
            read(path)
        assert means(read(path, items=ALL)) == {"a": 3 / 12}
        whole = write(tmp_path / "whole.json", swe_report(resolved=ALL[:6], unresolved=ALL[6:]))
        assert means(read([path, whole])) == {"a": 3 / 12, "whole": 6 / 12}

    def test_the_repository_is_the_cluster(self, tmp_path):
        scores = read(write(tmp_path / "m.json", swe_report(resolved=ALL[:6], unresolved=ALL[6:])))
        assert scores._state.rows.counts("cluster") == {"astropy__astropy": 4, "django__django": 4, "sympy__sympy": 4}

    def test_a_broken_environment_is_no_verdict(self, tmp_path):
        report = swe_report(resolved=ALL[:6], unresolved=ALL[6:], infra_failure=ALL[10:], ambiguous_failure=[ALL[9]])
        scores = read(write(tmp_path / "m.json", report))
        assert means(scores) == {"m": 0.5}
        assert means(scores, on_error="drop") == {"m": 0.6}

    def test_two_runs_of_a_model_are_not_guessed_from_dots(self, tmp_path):
        for name in ("gpt-4.1.json", "gpt-4.2.json"):
            write(tmp_path / name, swe_report(resolved=ALL[:6], unresolved=ALL[6:]))
        assert read(tmp_path).models == ("gpt-4.1", "gpt-4.2")

    @pytest.mark.parametrize("given", [ALL[:6], [*ALL, "more__more-1"]])
    def test_a_list_of_another_split_than_the_report_is_refused(self, tmp_path, given):
        path = write(tmp_path / "m.json", swe_report(resolved=ALL[:3], unresolved=ALL[3:6]) | {"total_instances": 12})
        assert means(read(path, items=ALL)) == {"m": 0.25}
        with pytest.raises(ReadError, match=rf"is of 12 instances, and {len(given)} are given; .*--all-items FILE"):
            read(path, items=given)

    def test_multi_swe_counts_all_instances(self, tmp_path):
        report = {"total_instances": 3, "submitted_instances": 1, "resolved_instances": 1, "unstopped_instances": 0}
        path = write(tmp_path / "m.json", report | {"resolved": ["org/repo:pr-7"]})
        with pytest.raises(ReadError, match=r"speaks of 3 instances and names 1; .*--all-items"):
            read(path)
        scores = read(path, items=["org/repo:pr-7", "org/repo:pr-8", "org/repo:pr-9"])
        assert means(scores) == {"m": round(1 / 3, 12)}
        assert scores._state.rows.counts("cluster") == {"org/repo": 3}

    def test_multi_swe_lists_failed_ones_twice(self, tmp_path):
        report = swe_report(resolved=["o/r:pr-1"], error=["o/r:pr-2"], incomplete=["o/r:pr-2"])
        assert means(read(write(tmp_path / "m" / "final_report.json", report))) == {"m": 0.5}

    def test_another_whole_report_names_the_rest(self, tmp_path):
        write(tmp_path / "a.json", swe_report(resolved=ALL[:6], unresolved=ALL[6:]))
        write(tmp_path / "b.json", swe_report(resolved=ALL[:3]) | {"total_instances": 12})
        assert means(read(tmp_path)) == {"a": 0.5, "b": 0.25}

    def test_a_newer_version_is_said(self, tmp_path):
        report = swe_report(resolved=ALL[:6], unresolved=ALL[6:])
        path = write(tmp_path / "m.json", report | {"schema_version": 7})
        assert "m.json says that it is a report of SWE-bench of version 7, and up to 2 is known" in notes(read(path))
        assert "unknown-version" not in notes(read(write(path, report)))

    def test_resolved_and_unresolved_at_once_is_an_error(self, tmp_path):
        with pytest.raises(ReadError, match=r"'astropy__astropy-1' is resolved and unresolved at once"):
            read(write(tmp_path / "m.json", swe_report(resolved=ALL[:2], unresolved=ALL[:1])))

    def test_a_count_that_disagrees_is_noted(self, tmp_path):
        report = swe_report(resolved=ALL[:6], unresolved=ALL[6:]) | {"resolved_instances": 7}
        assert "resolved_instances is given as 7, and its rows give 6" in notes(
            read(write(tmp_path / "m.json", report))
        )

    def test_more_instances_than_there_are_is_an_error(self, tmp_path):
        report = swe_report(unresolved=ALL[4:], incomplete=ALL[:4]) | {"resolved_ids": [1, 2]}
        sentence = (
            r"'total_instances' is 12, and the lists name 14 instances, among them '1', which is no instance's name"
        )
        with pytest.raises(ReadError, match=sentence):
            read(write(tmp_path / "m.json", report))

    @pytest.mark.parametrize(
        ("damage", "sentence"),
        [
            ({"resolved_ids": "all"}, "'resolved_ids' is text, not a list of instances"),
            ({"error_ids": [None]}, "'error_ids', entry 1 is null; an id is text"),
            ({"total_instances": "500"}, "'total_instances' is text, not a whole number"),
        ],
    )
    def test_a_field_of_another_type_names_it(self, tmp_path, damage, sentence):
        with pytest.raises(ReadError, match=sentence):
            read(write(tmp_path / "m.json", swe_report(resolved=ALL[:2]) | damage))


class TestSubmissions:
    def test_one_alone_has_no_share(self, tmp_path):
        with pytest.raises(ReadError, match=r"names the 3 instances that were resolved .*--all-items FILE"):
            read(submission(tmp_path, "20240402_sweagent", ALL[:3]))

    def test_a_list_of_all_items(self, tmp_path):
        path = submission(tmp_path, "20240402_sweagent", ALL[:3], no_generation=[ALL[11]], no_logs=[ALL[10]])
        listed = write(tmp_path / "ids.txt", "\n".join(ALL))
        scores = read(path, items=listed)
        assert means(scores) == {"20240402_sweagent": 0.25}
        assert means(scores, on_error="drop") == {"20240402_sweagent": 0.3}

    def test_a_list_of_another_data_set_is_refused(self, tmp_path):
        path = submission(tmp_path, "a", ALL[:3])
        with pytest.raises(
            ReadError, match=r"names 1 instances that --all-items does not have, first 'astropy__astropy-1'"
        ):
            read(path, items=ALL[1:])

    def test_a_report_beside_it_names_all(self, tmp_path):
        submission(tmp_path, "a", ALL[:3])
        write(tmp_path / "b.json", swe_report(resolved=ALL[:6], unresolved=ALL[6:]))
        scores = read(tmp_path)
        assert means(scores) == {"a": 0.25, "b": 0.5}
        assert "assumed-items" not in notes(scores)

    def test_the_union_is_said_to_be_too_small(self, tmp_path):
        submission(tmp_path, "a", ALL[:3])
        submission(tmp_path, "b", ALL[2:10])
        scores = read(tmp_path)
        assert means(scores) == {"a": 0.3, "b": 0.8}
        assert "the 10 that any of them names are taken for all" in notes(scores)

    def test_predictions_beside_it_widen_the_union(self, tmp_path):
        path = submission(tmp_path, "a", ALL[:3])
        lines = [json.dumps({"instance_id": one, "model_patch": "", "model_name_or_path": "a"}) for one in ALL]
        write(path.parents[1] / "all_preds.jsonl", "\n".join(lines) + "\n")
        scores = read(tmp_path)
        assert means(scores) == {"a": 0.25}
        assert "assumed-items" in notes(scores)

    def test_counts_by_repository_confirm_or_contradict(self, tmp_path):
        path = submission(tmp_path, "a", ALL[:3])
        submission(tmp_path, "b", ALL[2:])
        counts = {repo: {"resolved": n, "total": 4} for repo, n in (("astropy/astropy", 3), ("django/django", 0))}
        write(path.with_name("resolved_by_repo.json"), counts | {"sympy/sympy": {"resolved": 0, "total": 4}})
        assert "header-disagrees" not in notes(read(tmp_path))
        write(path.with_name("resolved_by_repo.json"), counts | {"sympy/sympy": {"resolved": 1, "total": 4}})
        assert "counts 1 resolved of sympy__sympy, the list has 0" in notes(read(tmp_path))
        write(path.with_name("resolved_by_repo.json"), counts | {"sympy/sympy": {"resolved": 0, "total": 9}})
        assert "counts 17 instances, 12 are known" in notes(read(tmp_path))

    def test_two_splits_are_two_tasks(self, tmp_path):
        for name, resolved in (("a", ALL[:3]), ("b", ALL[3:])):
            submission(tmp_path, name, resolved, "verified")
            submission(tmp_path, name, resolved[:2], "lite")
        scores = read(tmp_path)
        assert (scores.models, scores.tasks) == (("a", "b"), ("lite", "verified"))
        assert notes(scores).count("assumed-items") == 2
        with pytest.raises(ReadError, match=r"of several splits \(lite, verified\)"):
            read(tmp_path, items=ALL)

    def test_the_old_lists_are_no_partition(self, tmp_path):
        lists = {"generated": ALL[:10], "with_logs": ALL[:9], "applied": ALL[:8], "no_apply": ALL[8:9], "no_logs": []}
        path = submission(tmp_path, "old", ALL[:3], **lists, no_generation=ALL[10:], install_fail=ALL[7:8])
        scores = read(path)
        assert means(scores) == {"old": 0.25}
        assert means(scores, on_error="drop") == {"old": round(3 / 9, 12)}

    def test_several_attempts_a_task_are_said(self, tmp_path):
        path = submission(tmp_path, "bo8", ALL[:3])
        write(path.parents[1] / "metadata.yaml", "info:\n  name: X\ntags:\n  system:\n    attempts: '2+'\n")
        said = [str(note) for note in read(path, items=ALL).parts[0].notes if note.code == "best-of-attempts"]
        assert len(said) == 1
        assert "'bo8' is the best or the chosen of 2+ attempts a task, as its metadata.yaml says" in said[0]
        diagnosis = sb.doctor(read(path, items=ALL))
        assert "best-of-attempts" in {found.code for found in diagnosis.findings if found.severity.name == "CHANGES"}
        write(path.parents[1] / "metadata.yaml", "tags:\n  system:\n    attempts: '1'\n")
        assert not read(path, items=ALL).parts[0].notes

    def test_a_list_of_the_solved_alone_changes_a_conclusion(self, tmp_path):
        submission(tmp_path, "a", ALL[:3])
        submission(tmp_path, "b", ALL[:4])
        diagnosis = sb.doctor(read(tmp_path))
        assert "assumed-items" in {found.code for found in diagnosis.findings if found.severity.name == "CHANGES"}


class TestLogs:
    def test_the_harness_tree(self, tmp_path):
        home = tmp_path / "logs" / "run_evaluation" / "try1" / "org__gpt"
        for instance in ALL[:4]:
            log(home, instance, instance in ALL[:3])
        write(home / ALL[4] / "run_instance.log", "crashed")
        write(home / ALL[5] / "run_instance.log", "crashed while it wrote")
        write(home / ALL[5] / "report.json", "")
        scores = read(tmp_path)
        assert (scores.models, set(scores._state.rows.counts("run"))) == (("org__gpt",), {"try1"})
        assert means(scores) == {"org__gpt": 0.5}
        assert means(scores, on_error="drop") == {"org__gpt": 0.75}
        assert means(read(tmp_path, items=ALL)) == {"org__gpt": 0.25}

    def test_runs_of_a_model_are_runs(self, tmp_path):
        for run in ("try1", "try2"):
            log(tmp_path / "run_evaluation" / run / "m", ALL[0], run == "try1")
        scores = read(tmp_path)
        assert (scores._state.rows.counts("run"), means(scores)) == ({"try1": 1, "try2": 1}, {"m": 0.5})

    def test_logs_of_a_submission_and_of_a_report_count_once(self, tmp_path):
        path = submission(tmp_path, "a", ALL[:3])
        log(path.parents[1] / "logs", ALL[0], True)
        assert sum(read(tmp_path, items=ALL)._state.rows.counts("item").values()) == 12
        other = tmp_path / "own"
        write(other / "m.try1.json", swe_report(resolved=ALL[:6], unresolved=ALL[6:]))
        log(other / "logs" / "run_evaluation" / "try1" / "m", ALL[0], True)
        assert read(other).models == ("m.try1",)

    def test_a_log_of_few_keys_is_a_log(self, tmp_path):
        home = tmp_path / "run_evaluation" / "try1" / "m"
        log(home, ALL[0], True)
        write(home / ALL[1] / "report.json", {ALL[1]: {"patch_is_None": True, "resolved": False}})
        write(home / ALL[2] / "report.json", {ALL[2]: {"resolved": False}})
        (home / ALL[3]).mkdir()
        (home / "notes").mkdir()
        assert means(read(tmp_path)) == {"m": 0.25}
        assert means(read(tmp_path), on_error="drop") == {"m": round(1 / 3, 12)}

    @pytest.mark.parametrize("content", ["{}", '{"a": {"resolv', '{"django__django-1": {"tests_status": {}}}'])
    def test_a_report_that_says_nothing_is_refused(self, tmp_path, content):
        log(tmp_path / "run_evaluation" / "try1" / "m", ALL[0], True)
        write(tmp_path / "run_evaluation" / "try1" / "m" / ALL[1] / "report.json", content)
        with pytest.raises(ReadError, match=rf"{ALL[1]}/report.json says nothing of 'resolved'"):
            read(tmp_path)
        write(tmp_path / "run_evaluation" / "try1" / "m" / ALL[1] / "report.json", "")
        assert means(read(tmp_path)) == {"m": 0.5}

    def test_a_log_without_a_verdict_is_an_error(self, tmp_path):
        log(tmp_path / "m", ALL[0], None)
        with pytest.raises(ReadError, match=r"'astropy__astropy-1' has no 'resolved'"):
            read(tmp_path)


@needs_shared
@pytest.mark.shared_data
@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("check-harness.jsonl", "holds SWE-bench predictions, patches without outcomes"),
        (
            "moatless_resolved_submissions.json",
            "names for each instance the submissions that resolved it, and not those",
        ),
        ("agentless_lite_classifications.csv", "it holds no scores"),
    ],
)
def test_the_real_files_hold_no_outcomes_of_a_system(name, sentence):
    with pytest.raises(ReadError, match=sentence):
        read(SHARED / name)


@pytest.mark.slow
def test_ten_thousand_logs_are_read(tmp_path):
    home = tmp_path / "logs" / "run_evaluation" / "r" / "m"
    for n in range(10_000):
        log(home, f"django__django-{n}", n % 4 == 0)
    (cut,) = read(tmp_path).cuts().cuts
    assert cut.sample.score.mean() == 0.25
