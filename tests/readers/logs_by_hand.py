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
    return {"name": {"name": name, "split": split}, "count": 1, "sum": value, "sum_squared": value**2, "mean": value}


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
