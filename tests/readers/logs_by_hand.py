"""What small logs of several formats hold, in the shape of the real thing; fixtures and a format's own tests use it."""

from __future__ import annotations

from typing import Any

OPENAI_EVALS: list[Any] = [
    {"spec": {"completion_fns": ["gpt-4"], "eval_name": "sums.dev.v0", "base_eval": "sums", "run_id": "r"}},
    {"final_report": {"accuracy": 0.5}},
    *(
        {"run_id": "r", "event_id": place, "sample_id": f"sums.dev.{place}", "type": "match"}
        | {"data": {"correct": bool(place % 2), "expected": "1", "picked": None}}
        for place in range(4)
    ),
]


def _stat(name: str, value: float, split: str = "test") -> dict[str, Any]:
    """As 0.5.16 writes it of one instance."""
    spread = {"min": value, "max": value, "mean": value, "variance": 0.0, "stddev": 0.0}
    return {"name": {"name": name, "split": split}, "count": 1, "sum": value, "sum_squared": value**2} | spread


HELM: list[Any] = [
    {"instance_id": f"id{place}", "train_trial_index": 0}
    | {"stats": [_stat("num_output_tokens", 7, split), _stat("exact_match", float(place % 2), split)]}
    for place, split in enumerate(("test", "test", "valid", "test"))
]
HELM_SPEC = {"name": "sums:level=1,model=openai_gpt2", "adapter_spec": {"model": "openai/gpt2"}, "scenario_spec": {}}

EVERY_EVAL_EVER: list[Any] = [
    {"schema_version": "0.3.0", "evaluation_id": "e", "model_id": "org/model", "evaluation_name": "sums"}
    | {"sample_id": f"s{place}", "interaction_type": "single_turn", "input": {"raw": "1 + 1", "reference": ["2"]}}
    | {"output": {"raw": ["2"]}, "evaluation": {"score": float(place % 2), "is_correct": place % 2 == 1}}
    for place in range(4)
]

RAGAS = (
    "user_input,retrieved_contexts,response,reference,faithfulness,answer_relevancy,context_precision\n"
    "Who?,\"['a', 'b']\",Ada,Ada,1.0,0.5,\n"
    "When?,\"['c']\",1843,1843,,0.25,\n"
    "Where?,\"['d']\",London,London,0.5,0.75,\n"
)


def deepeval_case(place: int, score: float | None, **more: Any) -> dict[str, Any]:
    """A test case with one metric, as 4.3.1 writes it; one that could not be computed has an error and no score."""
    metric = {"name": "Faithfulness", "threshold": 0.5, "success": score is not None and score >= 0.5}
    metric |= {"error": "ValueError: timeout"} if score is None else {"score": score, "reason": "because"}
    metric |= {"strictMode": False, "evaluationModel": "gpt-4.1", "flaky": False}
    case = {"name": f"test_case_{place}", "input": f"What is {place} + 1?", "actualOutput": "2", "flaky": False}
    return case | {"success": metric["success"], "metricsData": [metric], "runDuration": 0.04, "order": place} | more


DEEPEVAL: dict[str, Any] = {
    "testFile": "test_sums.py",
    "testCases": [deepeval_case(place, score) for place, score in enumerate((0.9, 0.4, None, 1.0))],
    "conversationalTestCases": [],
    "metricsScores": [{"metric": "Faithfulness", "scores": [0.9, 0.4, 1.0], "passes": 2, "fails": 1, "errors": 1}],
    "hyperparameters": {"temperature": "0"},
    "prompts": [],
    "testPassed": 2,
    "testFailed": 2,
    "runDuration": 0.14,
    "official": False,
}


def promptfoo_result(test: int, prompt: int = 0, score: float = 1.0, reason: int = 0, **more: Any) -> dict[str, Any]:
    """One result as 0.123.1 writes it; its text ``error`` is set for a failed assertion too, as promptfoo does."""
    passed, broken = score >= 0.5 and reason == 0, reason == 2
    said = None if passed else "API error: 500" if broken else "Expected output to equal 2"
    asserts = [{"type": "equals", "value": "2"}, {"type": "javascript", "value": "0.5", "metric": "tone"}]
    case = {"vars": {"n": test}, "assert": asserts, "options": {}, "metadata": {}}
    named = {} if broken else {"tone": score / 2}
    graded = {"pass": passed, "score": score, "reason": said or "All assertions passed", "namedScores": named}
    graded |= {"namedScoreWeights": dict.fromkeys(named, 1), "componentResults": [], "assertion": None}
    result = {"cost": 0, "error": said, "gradingResult": None if broken else graded, "id": f"{test}-{prompt}"}
    result |= {"latencyMs": 12, "namedScores": named, "prompt": {"raw": f"Say {test}", "label": "Say {{n}}"}}
    result |= {"promptId": f"{prompt:064x}", "promptIdx": prompt, "provider": {"id": "openai:gpt-4.1", "label": ""}}
    result |= {"response": {"error": said} if broken else {"output": f"Say {test}"}, "score": 0 if broken else score}
    result |= {"success": passed, "testCase": case, "testIdx": test, "tokenUsage": {"total": 0}, "vars": {"n": test}}
    return result | {"metadata": {}, "failureReason": reason} | more


def promptfoo_file(*results: dict[str, Any], **more: Any) -> dict[str, Any]:
    """The file of these results."""
    inner = {"version": 3, "timestamp": "2026-01-01T00:00:00.000Z", "prompts": [], "results": list(results)}
    errors, passed = (
        sum(one.get("failureReason") == 2 for one in results),
        sum(one.get("success") is True for one in results),
    )
    inner |= {"stats": {"successes": passed, "failures": len(results) - passed - errors, "errors": errors}}
    rest = {"config": {"description": "sums"}, "shareableUrl": None, "metadata": {"promptfooVersion": "0.123.1"}}
    return {"evalId": "eval-abc-2026-01-01T00:00:00", "results": inner} | rest | more


PROMPTFOO = promptfoo_file(
    promptfoo_result(2, score=0.0, reason=1),
    promptfoo_result(0),
    promptfoo_result(1, score=0.0, reason=2),
    promptfoo_result(3),
)

OPENCOMPASS: dict[str, Any] = {
    "accuracy": 75.0,
    "details": {
        "type": "GEN",
        **{
            str(place): {"prompt": "?", "origin_prediction": "2", "predictions": "2", "references": "2"}
            | {"correct": place != 1}
            for place in range(4)
        },
    },
}


def mmlu_pro_question(place: int, pred: str | None, answer: str = "B", **more: Any) -> dict[str, Any]:
    """One question of four options with the letter that was extracted from the model's output."""
    question = {"question_id": 70 + place, "question": "?", "options": ["w", "x", "y", "z"], "answer": answer}
    question |= {"answer_index": "ABCD".index(answer), "cot_content": "", "category": "math", "src": f"s{place // 2}"}
    return question | {"pred": pred, "model_outputs": "…"} | more


MMLU_PRO = [mmlu_pro_question(place, pred) for place, pred in enumerate(("B", "A", None, "B"))]

BFCL: list[dict[str, Any]] = [
    {"accuracy": 0.75, "correct_count": 3, "total_count": 4},
    {"id": "simple_2", "model_name": "gpt-4o-FC", "test_category": "simple", "valid": False, "error": ["wrong"]},
]
BFCL_IDS = tuple(f"simple_{place}" for place in range(4))

HAL: dict[str, Any] = {
    "config": {"agent_name": "Tool Calling (gpt-4o)", "benchmark_name": "taubench_airline", "date": "2025-01-02"}
    | {"run_id": "taubench_airline_1735800000", "agent_args": {"model_name": "gpt-4o"}},
    "results": {"accuracy": 0.5, "total_cost": 1.5, "successful_tasks": ["0", "2"], "failed_tasks": ["1", "3"]},
    "raw_eval_results": {
        "0": {"reward": 1.0, "taken_actions": []},
        "1": {"reward": 0.0, "taken_actions": []},
        "2": {"reward": 1.0, "taken_actions": []},
        "3": "Traceback: TimeoutError",
    },
    "raw_logging_results": [],
    "total_usage": {},
}

SIMPLE_EVALS: dict[str, Any] = {
    "score": 0.4,
    "metrics": {"overall_score": 0.4, "overall_score:n_samples": 4},
    "htmls": ["<p></p>"] * 4,
    "convos": [[]] * 4,
    "metadata": {
        "example_level_metadata": [
            {"score": score, "prompt_id": f"p{place}", "completion_id": "c", "rubric_items": []}
            for place, score in enumerate((0.5, -0.1, 0.2, 1.0))
        ]
    },
}
