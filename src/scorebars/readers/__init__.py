"""Readers: one file format a module, tried in this order; each judges a file by its content, the name is a hint.

Adding a format is its module, its entry here, its page in the docs and its fixture in ``tests/readers/formats.py``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from scorebars.contracts import FileHead, Reader


@dataclass(frozen=True, slots=True)
class Entry:
    """One reader: where it lives, and what is known of it without importing it."""

    target: str
    """'module:Class'."""
    signs: tuple[tuple[bytes, ...], ...]
    """Alternatives: a file may be in this format if its first 64 KiB hold all byte strings of one of them.

    Cheap and never narrower than ``claims``, which is asked (and the module imported) only then.
    """
    what: str
    """What it takes, for ``scorebars formats``."""
    example: str
    """A command, for the same list."""
    official: str = field(kw_only=True)
    """What the official tool does with attempts without a score, a clause for ``--explain`` and the page."""
    on_error: str = "drop"
    """What is done with them here, 'wrong' or 'drop': the ``on_error`` of its parts."""
    start: bytes = b""
    """In place of signs: a pattern that the first bytes must match, for formats that are plain lines."""
    marks: bytes = b""
    """Bytes of which the first line has one where ``start`` matches: looked for before a pattern is compiled."""
    endings: frozenset[str] = frozenset()
    """Endings of names that are asked about whatever the content, to say that they are not what their name says."""
    owns_folder: bool = False
    """Whether its folders are full of other things (logs, artefacts), so that a table met there is none of scores."""
    results: frozenset[str] = frozenset()
    """Names of the files of results in those folders: an empty or damaged one is the reader's, whatever it holds."""
    beside: frozenset[str] = frozenset()
    """Names of files in those folders that it looks into itself, so that they are not said to be skipped."""
    options: frozenset[str] = frozenset()
    """The fields of ``ReadOptions`` that it honours."""


READERS: Final[dict[str, Entry]] = {
    "inspect": Entry(
        "scorebars.readers.inspect_log:InspectReader",
        ((b"PK\x03\x04",), (b'"eval"',)),
        "Inspect AI logs, .eval and .json (Zstandard zips too): model, task, sample, epoch and scorer are taken from "
        "the log; --metric chooses a scorer, --cluster a field of the metadata, --category gives a word its number; of "
        "several logs of a model and task --latest takes the newest",
        "scorebars estimate logs/*.eval --metric match",
        endings=frozenset({".eval"}),
        options=frozenset({"categories", "latest", "repeats_as_runs"}),
        official="Inspect leaves samples in error, and those that a scorer left unscored, out of its metrics too",
    ),
    "lm-eval": Entry(
        "scorebars.readers.lm_eval:LmEvalReader",
        ((b'"doc_id"',), (b'"results"',)),
        "lm-evaluation-harness and lmms-eval, samples_*.jsonl with the results_*.json beside it, and evalchemy's "
        "results_*.json: --metric chooses a metric, --variant a filter; of several dates --latest takes the newest",
        "scorebars estimate output/model/ --metric acc --variant none",
        options=frozenset({"latest", "repeats_as_runs"}),
        official="lm-eval has none: a request that keeps failing stops its run",
    ),
    "promptfoo": Entry(
        "scorebars.readers.promptfoo:PromptfooReader",
        (
            *((b'"evalId"', b'"results"'), (b'"results"', b'"version"'), (b'"testIdx"', b'"promptIdx"')),
            *((b",Status,Score,Named Scores,",), (b"evalId: ",), (b"promptfoo", b"<")),
        ),
        "promptfoo results (.json of version 3 and older, .jsonl, .csv): --metric score, success or a named score, "
        "--variant a prompt where a provider has several; repeats are runs",
        "scorebars estimate results.json --metric success",
        official="promptfoo counts errors as not passed too, with the score 0",
        on_error="wrong",
    ),
    "deepeval": Entry(
        "scorebars.readers.deepeval:DeepEvalReader",
        ((b'"testCases"',), (b'"conversationalTestCases"',)),
        "DeepEval test runs (.latest_run_full.json, test_run_*.json): --metric NAME, or NAME.success for its verdict",
        "scorebars estimate test_run.json --metric Faithfulness",
        official="DeepEval leaves them out of the metric's mean too, but counts their test case as failed",
    ),
    "ragas": Entry(
        "scorebars.readers.ragas:RagasReader",
        ((b"user_input",), (b"question", b"answer"), (b"question", b"contexts"), (b"faithfulness",), (b"context_",)),
        "RAGAS tables (to_pandas() saved as CSV or JSON): --metric chooses a metric, --map item=COLUMN an id",
        "scorebars estimate ragas_results.csv --metric faithfulness",
        official="RAGAS leaves NaN out of its means too, without saying how many there are",
    ),
    "lighteval": Entry(
        "scorebars.readers.lighteval:LightevalReader",
        ((b"PAR1",), (b'"config_general"',)),
        "lighteval details (details_*.parquet of --save-details): --metric chooses a metric",
        "scorebars estimate out/details/ --metric em",
        options=frozenset({"latest", "repeats_as_runs"}),
        official="lighteval has none: it averages over all documents",
    ),
    "opencompass": Entry(
        "scorebars.readers.opencompass:OpenCompassReader",
        ((b'"details"',), (b"dataset,version,metric,mode,",)),
        "OpenCompass results with details (--dump-eval-details): the folder is the model, the file the task",
        "scorebars estimate outputs/default/20250101/results/",
        official="OpenCompass has none: it counts an empty prediction as wrong",
    ),
    "mmlu-pro": Entry(
        "scorebars.readers.mmlu_pro:MmluProReader",
        ((b'"question_id"', b'"pred"'), (b'"corr"', b'"wrong"', b'"acc"')),
        "MMLU-Pro lists of questions and extracted letters: none is no score, counted wrong; --cluster src or category",
        "scorebars estimate eval_results/gpt-4o/ --cluster category",
        official="MMLU-Pro's own script puts a random letter where none was found, right for about a tenth",
        on_error="wrong",
    ),
    "bfcl": Entry(
        "scorebars.readers.bfcl:BfclReader",
        ((b'"accuracy"',),),
        "BFCL score files, which list only the failures: --all-items gives the ids of the data set",
        "scorebars estimate BFCL_v3_simple_score.json --all-items ids.txt",
        options=frozenset({"items"}),
        official="BFCL has none: an error in inference is a failure there, and 0 here",
    ),
    "hal": Entry(
        "scorebars.readers.hal:HalReader",
        ((b'"agent_name"', b'"benchmark_name"'),),
        "HAL results (*_UPLOAD.json): agent, benchmark, run and the reward or success of each task",
        "scorebars estimate results/taubench_airline/",
        options=frozenset({"latest", "repeats_as_runs"}),
        official="HAL counts them as failed too",
        on_error="wrong",
    ),
    "simple-evals": Entry(
        "scorebars.readers.simple_evals:SimpleEvalsReader",
        ((b'"htmls"',), (b'"score:std"',)),
        "simple-evals runs (*_allresults.json) of the evals that record samples, such as HealthBench",
        "scorebars estimate healthbench_gpt-4.1_allresults.json",
        options=frozenset({"latest", "repeats_as_runs"}),
        official="simple-evals leaves them out of its mean too",
    ),
    "openai-evals": Entry(
        "scorebars.readers.openai_evals:OpenAiEvalsReader",
        ((b'"spec"',),),
        "OpenAI evals logs (JSONL): match events score as the metric match, metrics events as the numbers they record",
        "scorebars estimate log.jsonl --metric match",
        options=frozenset({"latest", "repeats_as_runs"}),
        official="oaieval leaves samples in error out of its accuracy too",
    ),
    "helm": Entry(
        "scorebars.readers.helm:HelmReader",
        (
            (b'"instance_id"', b'"stats"'),
            (b'"adapter_spec"',),
            (b'"definition_path"',),
            (b'"sum_squared"',),
        ),
        "HELM runs (per_instance_stats.json with the run_spec.json beside it): --metric chooses a statistic, --split "
        "a split (test, if there is one), --variant a perturbation",
        "scorebars estimate runs/v1/ --metric exact_match --split test",
        options=frozenset({"split"}),
        official="HELM has no error rows, as it stops where a request fails, and leaves instances without a "
        "value out of its averages too",
    ),
    "every-eval": Entry(
        "scorebars.readers.every_eval_ever:EveryEvalEverReader",
        ((b'"evaluation_id"',),),
        "every_eval_ever samples (*_samples.jsonl): --cluster takes a field of the metadata",
        "scorebars estimate data/gsm8k/ --cluster metadata.subject",
        official="Every Eval Ever has no rule of its own",
    ),
    "swe-bench": Entry(
        "scorebars.readers.swe_bench:SweBenchReader",
        (
            *((b'"resolved_ids"',), (b'"resolved_instances"',), (b'"resolved"',), (b'"generated"', b'"with_logs"')),
            *((b'"patch_is_None"',), (b'"resolved_submissions"',), (b'"model_patch"',)),
            (b'"patch_successfully_applied"',),
        ),
        "SWE-bench and Multi-SWE-bench: reports of the harness, results of submissions (--all-items names the "
        "instances that they do not), logs of instances; clusters are repositories",
        "scorebars estimate evaluation/verified/ --all-items verified_ids.txt",
        owns_folder=True,
        options=frozenset({"items"}),
        official="SWE-bench counts them as not resolved too",
        on_error="wrong",
    ),
    "humaneval": Entry(
        "scorebars.readers.humaneval:HumanEvalReader",
        ((b'"task_id"', b'"passed"'), (b'"pass@',)),
        "HumanEval results, a line a sample: the model stands in the file's name; several samples of a task are its "
        "runs",
        "scorebars estimate gpt-4.jsonl_results.jsonl --estimator pass@10",
        official="HumanEval has none: a sample that timed out or raised has not passed, there and here",
    ),
    "evalplus": Entry(
        "scorebars.readers.evalplus:EvalPlusReader",
        ((b'"eval"', b'"base_status"'), (b'"eval"', b'"nfiles"'), (b'"eval"', b'"dps_norm"')),
        "EvalPlus results of HumanEval+, MBPP+ and EvalPerf: --metric base or plus (dps, dps_norm, pass@1); the model "
        "stands in the path",
        "scorebars estimate gpt-4_temp_0.0_eval_results.json --metric plus",
        official="EvalPlus counts a status of null as not passed, and EvalPerf leaves tasks without dps out of its "
        "mean",
        on_error="wrong",
    ),
    "bigcodebench": Entry(
        "scorebars.readers.bigcodebench:BigCodeBenchReader",
        ((b'"eval"', b'"status"'), (b'"subset"', b'"split"', b'"pass@')),
        "BigCodeBench results, with the pass_at_k.json beside it that names the model; --variant instruct or complete",
        "scorebars estimate results/*_eval_results.json --variant instruct",
        official="BigCodeBench counts a status of null as not passed too",
        on_error="wrong",
    ),
    "livecodebench": Entry(
        "scorebars.readers.livecodebench:LiveCodeBenchReader",
        ((b'"question_id"', b'"contest_id"'), (b'"graded_list"',), (b'"pass@1"', b'"detail"')),
        "LiveCodeBench, …_eval_all.json: question, sample, contest (the cluster); --dates keeps a window of contests; "
        "the model is the folder's name",
        "scorebars estimate output/GPT-4o/*_eval_all.json --dates 2024-08..2025-01",
        options=frozenset({"dates"}),
        official="LiveCodeBench has none: a sample that does not compile or times out is a failure, there and here",
    ),
    "harbor": Entry(
        "scorebars.readers.harbor:HarborReader",
        (
            (b'"task_name"', b'"trial_name"', b'"task_checksum"'),
            (b'"task_name"', b'"trial_name"', b'"verifier_result"'),
            (b'"n_total_trials"', b'"stats"'),
        ),
        "Harbor jobs (Terminal-Bench 2, CHI-Bench), a result.json a trial: agent and model, task, trial and reward; a "
        "trial without a reward counts as 0",
        "scorebars estimate jobs/my_job/ --metric reward",
        owns_folder=True,
        results=frozenset({"result.json"}),
        beside=frozenset({"config.json"}),
        official="Harbor counts a missing reward as 0 too, but from version 0.26 on its averages are over trials "
        "with a valid reward only",
        on_error="wrong",
    ),
    "terminal-bench": Entry(
        "scorebars.readers.terminal_bench:TerminalBenchReader",
        ((b'"is_resolved"',), (b'"n_resolved"',), (b'"n_concurrent_trials"', b'"agent_name"')),
        "Terminal-Bench 1 runs, results.json with the run_metadata.json beside it: several files of one model are its "
        "runs; a trial without a verdict counts as not resolved",
        "scorebars estimate runs/ --estimator pass@5",
        owns_folder=True,
        results=frozenset({"results.json"}),
        beside=frozenset({"run_metadata.json"}),
        official="Terminal-Bench counts null as not resolved too",
        on_error="wrong",
    ),
    "tau-bench": Entry(
        "scorebars.readers.tau_bench:TauBenchReader",
        ((b'"task_id"', b'"reward"', b'"info"'),),
        "tau-bench results, a list of attempts: the model and the domain stand in the file's name; task, trial, reward "
        "and the user (the cluster) are taken from the records",
        "scorebars estimate gpt-4o-airline.json --estimator pass^4",
        official="tau-bench counts them as 0 too",
        on_error="wrong",
    ),
    "tau2-bench": Entry(
        "scorebars.readers.tau2_bench:Tau2BenchReader",
        ((b'"agent_info"', b'"user_info"'), (b'"termination_reason"',), (b'"submitting_organization"',)),
        "tau2-bench results, as one file or as results.json with a folder of simulations: model, domain, task, trial "
        "and reward are taken from the files",
        "scorebars estimate data/simulations/my_run/ --estimator pass^4",
        official="tau2-bench leaves attempts that ended in an infrastructure error out of its metrics too",
    ),
    "alpaca-eval": Entry(
        "scorebars.readers.alpaca_eval:AlpacaEvalReader",
        ((b'"generator_1"', b'"preference"'),),
        "AlpacaEval annotations.json, versions 1 and 2: the win of a model against the baseline, a prompt each",
        "scorebars estimate results/*/annotations.json",
        official="AlpacaEval leaves prompts that the judge could not decide out too",
    ),
    "arena": Entry(
        "scorebars.readers.arena:ArenaReader",
        ((b"model_a", b"model_b"), (b"model_1", b"model_2"), (b"model_left", b"model_right"), (b"PAR1",)),
        "battles of two models (Chatbot Arena; JSON, CSV, Parquet): win rates against one opponent, chosen by "
        "--variant",
        'scorebars estimate battles.json --variant "vs gpt-4"',
        official="FastChat has none: its compute_elo stops at a verdict that is none of the four",
    ),
    "arena-hard": Entry(
        "scorebars.readers.arena_hard:ArenaHardReader",
        ((b'"games"',),),
        "Arena-Hard model_judgment/*.jsonl: two games a question, sides swapped, against the baseline",
        "scorebars estimate model_judgment/gpt-4-1106-preview/",
        official="Arena-Hard leaves games without a verdict out too, and from version 2 on the question's other "
        "game with them",
    ),
    "mt-bench": Entry(
        "scorebars.readers.mt_bench:MtBenchReader",
        ((b'"judgment"', b'"turn"'), (b'"g1_winner"', b'"g2_winner"')),
        "MT-Bench judgments (FastChat), model_judgment/*_single.jsonl and *_pair.jsonl: a turn is an item, its "
        "question the cluster; --variant chooses the judge, and of pairs the opponent",
        "scorebars estimate model_judgment/gpt-4_single.jsonl",
        official="FastChat's show_result.py leaves grades of -1 and games that ended in an error out too",
    ),
    "mteb": Entry(
        "scorebars.readers.mteb:MtebReader",
        ((b'"dataset_revision"', b'"scores"'),),
        "MTEB results, a file a task: the main score of each subset; tasks can be redrawn, texts cannot",
        "scorebars estimate results/*/*/*.json --resample task",
        options=frozenset({"split"}),
        official="MTEB has no rule of its own: it writes a file for the tasks that ended",
    ),
    "trec-eval": Entry(
        "scorebars.readers.trec_eval:TrecEvalReader",
        (),
        "the output of trec_eval -q or ir_measures -q, or pytrec_eval's results as JSON: a measure of each query, "
        "chosen by --metric",
        "scorebars estimate run.eval --metric ndcg_cut_10",
        start=rb'(\xef\xbb\xbf)?\s*([^\s{\["]+ *\t\S|(map|ndcg|P_|num_|recip|recall|runid|set_|Rprec|bpref)\w* +\S|'
        rb'\{"query_id": |\{\s*"(\\.|[^"\\])*"\s*:\s*\{\s*"(map|ndcg|P_|num_|recip|recall|set_|Rprec|bpref))',
        marks=b" \t{",
        official="trec_eval leaves queries without results out of its averages unless it ran with -c, "
        "ir_measures counts them as 0",
    ),
    "trec-run": Entry(
        "scorebars.readers.trec_run:TrecRunReader",
        (),
        "TREC runs beside their judgements (qrels): measures computed by ir_measures (extra 'ir')",
        "scorebars estimate bm25.run qrels.txt --metric nDCG@10",
        start=rb"\s*\S+[ \t]+(Q0[ \t]|\S+[ \t]+\S+[ \t]+-?\d+[ \t]*\r?\n)",
        marks=b" \t",
        official="trec_eval leaves judged queries that a run lacks out unless it ran with -c, ir_measures counts them "
        "as 0, as here",
    ),
    "sacrebleu": Entry(
        "scorebars.readers.sacrebleu:SacrebleuReader",
        (),
        "one score a line, as sacrebleu --sentence-level writes them, with or without signatures",
        "scorebars estimate system.sentence_bleu.txt",
        start=rb'\s*(-?\d[\d.eE+-]*\s*\n|nan\s*\n|BLEU\||chrF|TER\||\[\s*\{\s*"system"|\[?\s*\{\s*"name"\s*:\s*"(BLEU|chrF|TER))',
        marks=b"0123456789nBFT[{",
        official="sacreBLEU has none: it gives every segment a score",
    ),
    "wmt-mqm": Entry(
        "scorebars.readers.wmt_mqm:WmtMqmReader",
        ((b"seg_id", b"mqm"),),
        "WMT MQM averages, a system and segment a line; segments that nobody rated are missing",
        "scorebars estimate mqm.avg_seg_scores.tsv",
        official="WMT averages over the rated segments too",
    ),
    "wmt-ratings": Entry(
        "scorebars.readers.wmt_ratings:WmtRatingsReader",
        ((b"system\tdoc\t", b"rater", b"severity"),),
        "WMT MQM ratings, an error a line: raters are runs, documents clusters",
        "scorebars estimate mqm_ted_ende.tsv",
        official="WMT averages over the rated segments too",
    ),
    "junit": Entry(
        "scorebars.readers.junit:JunitReader",
        ((b"<testsuite",),),
        "JUnit XML of pytest and others: passed, failed, or a property 'score'; properties or a pattern name the model",
        'scorebars estimate report.xml --map "model=[{model}-{item}]"',
        official="pytest and others count errors and skipped tests apart, and make no rate of them",
    ),
    "rl-runs": Entry(
        "scorebars.readers.rl_runs:RunsReader",
        (),
        "scores of reinforcement learning, game -> one score a run, as JSON; --normalize ale57, procgen-easy, "
        "procgen-hard, dmc or a file brings raw scores to one scale",
        "scorebars estimate DER.json SPR.json --normalize ale57 --estimator iqm",
        start=rb'(\xef\xbb\xbf)?\s*(\{\s*"(?:[^"\\]|\\.)*"\s*:\s*[\[{\d-]|\[\s*\{[^}]*"HNS")',
        marks=b"[{",
        options=frozenset({"normalize", "at"}),
        official="rliable has no rule of its own: its means and medians of NaN are NaN",
    ),
    "stable-baselines": Entry(
        "scorebars.readers.stable_baselines:StableBaselinesReader",
        ((b'#{"', b'"t_start"'), (b"PK\x03\x04", b"timesteps.npy")),
        "Stable-Baselines3: monitor.csv (episodes of training, parallel environments are one run) and evaluations.npz "
        "(the mean of each evaluation): --at chooses the point that is the score",
        "scorebars estimate a2c/Acrobot-v1_1/evaluations.npz --at final",
        options=frozenset({"normalize", "at"}),
        official="Stable-Baselines3 has no rule of its own: it writes what it measured",
    ),
    "rl-arrays": Entry(
        "scorebars.readers.rl_arrays:ArraysReader",
        ((b"\x93NUMPY",), (b"PK\x03\x04", b".npy")),
        "arrays of scores, .npz and .npy: algorithm -> runs x tasks, as rliable has them, or with the axes that --map "
        "names; pickled dictionaries are refused",
        "scorebars estimate scores.npz --map run=axis0,task=axis1 --estimator iqm",
        options=frozenset({"normalize", "at"}),
        official="rliable has no rule of its own: its means and medians of NaN are NaN",
    ),
    "dreamer": Entry(
        "scorebars.readers.dreamer:DreamerReader",
        ((b'"xs"',), (b'"step"', b'"episode/score"')),
        "learning curves, a JSON list of task, method, seed, xs and ys (DreamerV3), or its logs (scores.jsonl): --at "
        "chooses the point that is the score",
        "scorebars estimate atari100k-dreamerv3.json.gz --at final --normalize ale57",
        options=frozenset({"normalize", "at"}),
        official="DreamerV3 publishes curves and has no rule for runs that stopped",
    ),
    "dopamine": Entry(
        "scorebars.readers.dopamine:DopamineReader",
        ((b'"Iteration"', b'"Agent"'), (b"vega.github.io",)),
        "Dopamine's curves, a JSON list of Iteration, Value and Agent: runs are told apart by their order",
        "scorebars estimate pong.json --at mean:5",
        options=frozenset({"normalize", "at"}),
        official="Dopamine logs what was reached and has no rule for runs that stopped",
    ),
    "wandb": Entry(
        "scorebars.readers.wandb:WandbReader",
        ((b"_step",), (b"__MIN", b"__MAX")),
        "exports of Weights & Biases, the history of a run or the lines of a chart: --metric chooses a column, --at a "
        "point; a file is a run, --map model=folder makes the folder's name its model, --map model=COLUMN,run=COLUMN "
        "tells several runs of one file apart",
        "scorebars estimate wandb_export.csv --metric eval/return --at final",
        options=frozenset({"normalize", "at"}),
        official="Weights & Biases has no rule of its own: it shows what was logged",
    ),
    "tensorboard": Entry(
        "scorebars.readers.tensorboard:TensorBoardReader",
        (),
        "scalars downloaded from TensorBoard, CSV and JSON, a run and tag a file: --at chooses a point, --map "
        "model=folder makes the folder's name the model",
        "scorebars estimate ppo/ --map model=folder --at mean:10",
        start=rb"(\xef\xbb\xbf)?\s*(Wall time,Step,Value|\[\s*\[\s*1\d{9})",
        marks=b"W[",
        options=frozenset({"normalize", "at"}),
        official="TensorBoard has no rule of its own: it shows what was logged",
    ),
    "tfevents": Entry(
        "scorebars.readers.tfevents:TfEventsReader",
        ((b"brain.Event:",),),
        "event files of TensorBoard, a folder a run: --metric chooses a tag, --at a point; --map model=folder makes "
        "the folder above the run's the model, --map file=… takes both from the path",
        "scorebars estimate logs/ --map 'file={model}/{run}/*' --metric rollout/ep_rew_mean --at mean:10",
        options=frozenset({"normalize", "at"}),
        official="TensorBoard has no rule of its own: it shows what was logged",
    ),
    "drqv2": Entry(
        "scorebars.readers.drqv2:DrqV2Reader",
        ((b"seed",), (b"Seed",), (b"episode_length", b"total_time")),
        "learning curves as CSV, a row a logged value: seed, a step (frame, step, timesteps) and a return "
        "(episode_reward, episode_return), with task and agent if there are any",
        "scorebars estimate dmc_walker_walk.csv --at step:1e6",
        options=frozenset({"normalize", "at"}),
        official="DrQ-v2 publishes curves and has no rule for runs that stopped",
    ),
    "training-log": Entry(
        "scorebars.readers.training_log:TrainingLogReader",
        (),
        "logs of a training as CSV, a row an epoch or step and a column a metric (Keras, Lightning, fastai): --at "
        "chooses a point, --metric a column, and the names of the files say model and run (--map file=…)",
        "scorebars estimate logs/ --map 'file={model}/version_{run}/*' --metric val_acc --at final",
        start=rb"(\xef\xbb\xbf)?[^\n{\[]*([eE]poch|[sS]tep)",
        marks=b"p",
        options=frozenset({"normalize", "at"}),
        official="there is no official tool: each training writes its own log",
    ),
    "table": Entry(
        "scorebars.readers.table:TableReader",
        ((),),
        "CSV, TSV, JSON, JSONL, Parquet, Arrow, Excel, DuckDB and SQLite files, also .gz and .zst; long (a row an "
        "attempt) or wide (a column of scores a model); columns by the names below, by --map, or by --sql",
        "scorebars estimate results.csv --map item=qid,model=agent+model",
        options=frozenset({"categories", "normalize", "split"}),
        official="there is no official tool, and mean of pandas and avg of SQL leave empty cells out too",
    ),
}
"""The family, in the order of detection; tables come last, since every other format could be taken for one."""


def candidates(head: FileHead) -> list[str]:
    """The formats but tables that a file may be in, judged without importing any, in the order of detection.

    By content first: trec_eval's 'run.eval' is no Inspect log.
    """
    names = [name for name in READERS if name != "table"]
    first_line = head.head.removeprefix(b"\xef\xbb\xbf").lstrip().partition(b"\n")[0]
    quoted = b'"' in head.head and not head.head.startswith(b"PK\x03\x04")  # what is zipped has no words to look for
    by_content = [name for name in names if _has_signs(READERS[name], head.head, first_line, quoted=quoted)]
    ending = head.suffixes[-1:]
    by_name = [name for name in names if ending and READERS[name].endings.issuperset(ending)]
    return list(dict.fromkeys((*by_content, *by_name)))


def _has_signs(entry: Entry, head: bytes, first_line: bytes, *, quoted: bool) -> bool:
    """Whether the head may be in a format; ``quoted``: it has a quote, without which most signs are not looked for."""
    if entry.start:
        return any(mark in first_line for mark in entry.marks) and re.match(entry.start, head) is not None
    for words in entry.signs:  # plain loops: each of ten thousand files is asked for the signs of each format
        for word in words:
            if (not quoted and b'"' in word) or word not in head:
                break
        else:
            return True
    return False


def load(name: str) -> Reader:
    """The reader of that name; its module is imported only now."""
    entry = READERS.get(name)
    if entry is None:
        from scorebars.readers.plugins import loaded

        return loaded(name)
    module, _, attribute = entry.target.partition(":")
    reader: Reader = getattr(import_module(module), attribute)()
    return reader


def official(name: str) -> str:
    """What the official tool of a format does with attempts without a score; "" where a reader does not say it."""
    entry = READERS.get(name)
    return entry.official if entry is not None else str(getattr(load(name), "official", ""))


def without_score(on_error: str, official: str, asked: str | None = None) -> str:
    """What becomes of attempts without a score, and what the official tool does with them.

    Args:
        on_error: The rule of the format, 'wrong' or 'drop'.
        official: The clause of its entry, or "".
        asked: The rule that was asked for instead, if one was.

    >>> print(without_score("wrong", "Harbor counts them as 0 too"))
    attempts without a score are counted wrong, unless --on-error says otherwise; Harbor counts them as 0 too
    """
    words = {"wrong": "counted wrong", "drop": "dropped", "fail": "refused"}
    rule = f"{words[on_error]}, unless --on-error says otherwise"
    if asked is not None:
        rule = f"{words[asked]} (--on-error {asked}; else they would be {words[on_error]})"
    return f"attempts without a score are {rule}" + (f"; {official}" if official else "")
