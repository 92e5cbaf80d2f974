"""Files that are runs by their names: 'gpt_seed0', 'gpt_seed1', 'a/run1', 'a/run2', 'seed1', 'seed2', 'a/seed1/preds'.

``--map file=PATTERN`` takes model and run from such names; here is which pattern fits them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from scorebars.engines.headers import mapped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorebars.contracts import Part

FILE: Final = "file"
"""The key of a mapping behind which a pattern of files' names stands."""
WORDS: Final = (
    "run|rep|repeat|repetition|epoch|sample|attempt|trial|seed|try|iter|iteration|gen|generation|rollout|replica"
)
"""What a number is called that tells repeats apart."""
_RUNS: Final = re.sub(r"\|(epoch|iter|iteration|gen|generation)(?=\|)", "", WORDS)
"""Those that are no checkpoints of one training."""
_WORDED: Final = rf"(.*?)([\s._\-/#:@(\[]*(?:{_RUNS})s?[\s._\-#:=]*)(\d+)([)\]]?)"
_NUMBERED: Final = r"(.*?)([\s._\-/#:@(\[]*)(\d+)([)\]]?)"
_JOINS: Final = " ._-/#:@(["
_TRAINED: Final = frozenset({"tfevents", "tensorboard"})
"""Readers of which ``--map model=folder`` says that the files, or folders, of a folder are runs of one model."""
_TRAINED_NAME: Final = re.compile(r"the (?:run's folder|file's name) \('(.*)'\)", re.DOTALL)
_FOLDER_NAME: Final = re.compile(r"the folder's name \('(.*)'\)", re.DOTALL)
_LABEL: Final = re.compile(r"labelled '(.*)'", re.DOTALL)
_ASKED: Final = "the file's name, as asked"
_OWN_NAME: Final = re.compile(r"the file's name \('(.*)'\)", re.DOTALL)


_ANY_FILE: Final = frozenset(
    {
        *("results", "result", "scores", "score", "predictions", "outputs", "output", "responses", "answers"),
        *("samples", "eval", "evals", "evaluation", "metrics", "judgments", "judgements", "grades", "items"),
        *("data", "log", "test"),
    }
)
"""Words of names of files that say nothing of the model in them."""


def says_nothing(name: str) -> bool:
    """Whether the name of a file is made of such words.

    >>> says_nothing("eval_results"), says_nothing("gpt"), says_nothing("1")
    (True, False, False)
    """
    words = set(re.findall(r"[^\W\d_]+", name.lower()))
    return bool(words) and words <= _ANY_FILE


def folders_as_models(names: Sequence[str]) -> list[str] | None:
    """The folders' names, where all files have one name that says nothing ('gpt/results', 'claude/results').

    None where the folders are runs.

    >>> folders_as_models(["gpt-4o/results", "claude/results"]), folders_as_models(["maths/gpt", "law/gpt"])
    (['gpt-4o', 'claude'], None)
    >>> folders_as_models(["gpt/gsm8k/results", "gpt/math/results"])
    ['gpt/gsm8k', 'gpt/math']
    >>> folders_as_models(["seed_0/results", "seed_1/results"])
    """
    folders, n = without_tail(names)
    if not n or not says_nothing(names[0].rpartition("/")[2]):
        return None
    return None if run_pattern(names) is not None else folders


def are_paths(folders: Sequence[str]) -> bool:
    """Whether such names say more than a model each: folders in folders, or two texts crossed."""
    return any("/" in folder for folder in folders) or crossed_names(folders) is not None


def files_as_runs(parts: Sequence[Part]) -> tuple[str, tuple[str, ...]] | None:
    """The pattern by which tables are runs that count as models under their names, and the names; None for others."""
    names = own_names(parts)
    pattern = run_pattern(names) if names else None
    return None if pattern is None else (pattern, names)


def folders_as_runs(parts: Sequence[Part]) -> tuple[str, ...] | None:
    """The names of logs of training that look like runs of the folder above (``--map model=folder``); None for others.

    They count as models under the names of their folders or files, 'PPO/seed0', as TensorBoard's do.
    """
    if len(parts) < 2 or any(part.reader not in _TRAINED for part in parts):
        return None
    found = [_TRAINED_NAME.fullmatch(dict(part.mapping).get("model", "")) for part in parts]
    names = tuple(match[1] for match in found if match)
    pattern = run_pattern(names) if len(names) == len(parts) else None
    if pattern is None or pattern.endswith("*") or pattern.startswith("{model}/") != ("{model}" in pattern):
        return None
    return names


def own_names(parts: Sequence[Part]) -> tuple[str, ...]:
    """The names of files that are tables and that name their models; none where others are among them."""
    if len(parts) < 2 or any(part.reader != "table" for part in parts):
        return ()
    found = [_OWN_NAME.fullmatch(dict(part.mapping).get("model", "")) for part in parts]
    names = tuple(match[1] for match in found if match)
    return names if len(names) == len(parts) else ()


def crossed_names(names: Sequence[str]) -> tuple[str, tuple[str, ...], tuple[str, ...]] | None:
    """(sign, what stands before it, what behind it) where each of the one stands with each of the other.

    >>> crossed_names(["gpt_mmlu", "gpt_math", "llama_mmlu", "llama_math"])
    ('_', ('gpt', 'llama'), ('mmlu', 'math'))
    """
    for sign in ("__", "/", "_", "-"):
        pairs = [tuple(name.split(sign)) for name in names]
        if any(len(pair) != 2 or not all(pair) for pair in pairs):
            continue
        before, behind = (tuple(dict.fromkeys(pair[place] for pair in pairs)) for place in (0, 1))
        if min(len(before), len(behind)) > 1 and len(set(pairs)) == len(pairs) == len(before) * len(behind):
            return sign, before, behind
    return None


@dataclass(frozen=True, slots=True)
class CrossedFiles:
    """Tables whose names are each of some texts with each of others, as those of models and tasks are."""

    sign: str
    before: tuple[str, ...]
    behind: tuple[str, ...]
    tail: str = ""
    """'/*' for each part that all have alike behind these."""
    labelled: bool = False
    """Whether some of the first are labels, which stand for folders."""

    @property
    def fact(self) -> str:
        """What their names are."""
        n = len(self.before) * len(self.behind)
        return f"the names of the {n} files are each of {_listed(self.before)} with each of {_listed(self.behind)}"

    @property
    def remedy(self) -> str:
        """Both ways to say which are the models."""
        pairs = (("{model}", "{task}"), ("{task}", "{model}"))
        one, other = (mapped({FILE: self.sign.join(pair) + self.tail}) for pair in pairs)
        other += " without the labels" if self.labelled else ""
        return f"{one} if {_listed(self.before)} are the models, {other} if {_listed(self.behind)} are"


def crossed_files(parts: Sequence[Part]) -> CrossedFiles | None:
    """How the names of tables that count as models are crossed; None where they are not, or are those of runs."""
    names = own_names(parts)
    if not names:
        return _crossed_under_labels(parts)
    if files_as_runs(parts):
        return None
    folders, n = without_tail(names)
    found = crossed_names(folders)
    if found is None or (n and found[0] == "/" and not says_nothing(names[0].rpartition("/")[2])):
        return None  # of 'maths/algebra/gpt' the file is the model
    return CrossedFiles(*found, tail="/*" * n)


def _crossed_under_labels(parts: Sequence[Part]) -> CrossedFiles | None:
    """The same of files some of whose folders have labels: each of these stands for one folder."""
    said = [[text for role, text in part.mapping if role == "model"] for part in parts]
    labels = [match[1] if (match := _LABEL.fullmatch(texts[-1])) else "" for texts in said if texts]
    paths = [_path_name(part, texts[0]) for part, texts in zip(parts, said, strict=True) if texts]
    if not any(labels) or not all(paths) or len(paths) < len(parts):
        return None
    folders, n = without_tail(paths)
    if n and not says_nothing(paths[0].rpartition("/")[2]):
        return None
    names = ["/".join(folder.split("/")[-2:]) for folder in folders]
    found = crossed_names(names) if run_pattern(names) is None else None
    if found is None or found[0] != "/":
        return None
    above = [name.partition("/")[0] for name in names]
    shown = dict(zip(above, (label or name for label, name in zip(labels, above, strict=True)), strict=True))
    if len(set(shown.values())) < len(shown) or len(set(zip(above, labels, strict=True))) > len(shown):
        return None
    before = tuple(shown[name] for name in found[1])
    return CrossedFiles("/", before, found[2], tail="/*" * n, labelled=True)


def _path_name(part: Part, told: str) -> str:
    """The whole path of a table that names its model, without its ending; '' of others."""
    own, folder = _OWN_NAME.fullmatch(told), _FOLDER_NAME.fullmatch(told)
    asked = any(text == _ASKED for _, text in part.mapping)
    name = own[1].rpartition("/")[2] if own else part.path.name.partition(".")[0]
    if part.reader != "table" or asked or not (own or folder) or not part.path.name.startswith(name):
        return ""
    return "/".join((*part.path.absolute().parts[1:-1], name))


def _listed(names: Sequence[str]) -> str:
    return " and ".join(f"'{name}'" for name in names[:2]) + (" …" if len(names) > 2 else "")


def run_pattern(names: Sequence[str], *, worded: bool = True) -> str | None:
    """The pattern by which files with these names are runs of fewer models; None where they do not say so.

    Args:
        names: The names without endings, with the folders that tell them apart.
        worded: A word such as 'seed' must stand before the number.

    >>> run_pattern(["gpt_seed0", "gpt_seed1"]), run_pattern(["a/run1", "a/run2"]), run_pattern(["seed1", "seed2"])
    ('{model}_seed{run}', '{model}/run{run}', 'seed{run}')
    >>> run_pattern(["a/seed0/test", "a/seed1/test"]), run_pattern(["seed0/a", "seed0/b", "seed1/a", "seed1/b"])
    ('{model}/seed{run}/*', 'seed{run}/{model}')
    >>> run_pattern(["seed0/a/test", "seed0/b/test", "seed1/a/test", "seed1/b/test"])
    'seed{run}/{model}/*'
    """
    folders, n = without_tail(names)
    if n:
        found = _pattern(folders, worded=worded) or _folders_of_runs(folders)
        return None if found is None else found + "/*" * n
    return _pattern(names, worded=worded) or _folders_of_runs(names)


def without_tail(names: Sequence[str]) -> tuple[list[str], int]:
    """Names without the last parts that all have alike, as files of one name in folders have, and how many these are.

    >>> without_tail(["a/seed0/test", "b/seed1/test"])
    (['a/seed0', 'b/seed1'], 1)
    """
    parts, n = [name.split("/") for name in names], 0
    while min(map(len, parts)) > n + 1 and len({part[-n - 1] for part in parts}) == 1 < len(parts):
        n += 1
    return ["/".join(part[: len(part) - n]) for part in parts], n


def pattern_of(folders: Sequence[str], name: str) -> str | None:
    """The pattern of a file that is a run by its own name or its folder's; None where neither says so.

    >>> pattern_of(["out", "gpt", "seed_0"], "metrics"), pattern_of(["out"], "gpt_seed0"), pattern_of(["out"], "gpt")
    ('{model}/seed_{run}/*', '{model}_seed{run}', None)
    """
    pattern = re.compile(_WORDED, re.IGNORECASE | re.DOTALL)
    own, folder = pattern.fullmatch(name), pattern.fullmatch(folders[-1] if folders else "")
    if own:
        return f"{'{model}' if own[1] else ''}{own[2]}{{run}}{own[4]}"
    if folder is None or len(folders) < 2 + bool(not folder[1]):
        return None
    return f"{'{model}' if folder[1] else '{model}/'}{folder[2]}{{run}}{folder[4]}/*"


def _folders_of_runs(names: Sequence[str]) -> str | None:
    """The pattern where the folders are the runs, and each holds the same files, one a model."""
    crossed = crossed_names(names)
    if crossed is None or crossed[0] != "/":
        return None
    found = _pattern(crossed[1], worded=True)
    return None if found is None or "{model}" in found else f"{found}/{{model}}"


def _pattern(names: Sequence[str], *, worded: bool) -> str | None:
    pattern = re.compile(_WORDED if worded else _NUMBERED, re.IGNORECASE | re.DOTALL)
    found = [pattern.fullmatch(name) for name in names]
    parts = [match.groups() for match in found if match]
    if len(parts) < max(2, len(names)) or len({(middle, end) for _, middle, _, end in parts}) > 1:
        return None
    bases = {base for base, *_ in parts}
    middle, end = parts[0][1], parts[0][3]
    if not len(bases) < len(set(names)) == len(parts) or any("/" in base for base in bases):
        return None
    if bases == {""}:
        return f"{middle.lstrip('/')}{{run}}{end}"
    if "" in bases or middle[:1] not in _JOINS or not middle:
        return None
    return f"{{model}}{middle}{{run}}{end}"
