"""What people type instead of the right word, and what to tell them."""

from __future__ import annotations

from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Final

from scorebars.errors import near_miss

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

OPTIONS: Final = {
    "--json": "--format json",
    "--csv": "--format csv",
    "--latex": "--format latex",
    "--tex": "--format latex",
    "--markdown": "--format markdown",
    "--md": "--format markdown",
    "--html": "--format html",
    "-f": "--format",
    "--out": "-o",
    "--output": "-o",
    "--overwrite": "--force",
    "-y": "--force",
    "--confidence": "--level",
    "--confidence-level": "--level",
    "--conf": "--level",
    "--ci": "--level",
    "--alpha": "--level (1 - alpha)",
    "--method": "--interval",
    "-n": "--n-boot",
    "--bootstrap": "--n-boot",
    "--n-resamples": "--n-boot",
    "--iterations": "--n-boot",
    "--rng": "--seed",
    "--columns": "--map",
    "--column": "--map",
    "--name": "--label",
    "--names": "--label",
    "--filter": "--variant",
    "--group-by": "--by",
    "--groupby": "--by",
    "--group": "--by",
    "--one-sided": "--side",
    "-v": "--explain",
    "--verbose": "--explain",
    "-m": "--model",
    "-t": "--task",
    "-help": "--help",
}
"""Guessed option -> the one that does it."""

COMMANDS: Final = {
    **dict.fromkeys(("check", "validate", "diagnose", "diagnosis", "lint", "verify", "audit", "doc"), "doctor"),
    **dict.fromkeys(("diff", "versus", "vs", "test"), "compare"),
    **dict.fromkeys(("score", "summary", "summarize", "mean", "ci", "interval"), "estimate"),
    **dict.fromkeys(("export", "table", "tidy"), "convert"),
}
"""Guessed command -> the one that does it."""

INTERVALS: Final = {
    "bootstrap": "percentile",
    "boot": "percentile",
    "quantile": "percentile",
    "t": "student-t",
    "t-test": "student-t",
    "exact": "clopper-pearson",
    "binomial": "clopper-pearson",
    "score": "wilson",
    "agresti": "agresti-coull",
    "wald": "normal",
    "clt": "normal",
    "z": "normal",
    "gaussian": "normal",
    "bayes": "jeffreys",
    "bayesian": "jeffreys",
    "clustered": "cluster-robust",
    "cluster": "cluster-robust",
    "bootstrap-t": "studentized",
}
"""Guessed interval -> a spelling of the family's list."""


def option(name: str, arguments: Sequence[str], known: Iterable[str], command: str) -> str:
    """The sentence for an unknown option: the one that was meant, else where they are listed."""
    # Of '-help' click reports '-e'.
    whole = [text for text in arguments if text[:1] == "-" != text[1:2] and len(text) > 2 and name[1:] in text]
    asked = whole[0] if whole and len(name) == 2 else name
    names = [*known, "--help", "-o"]
    meant = OPTIONS.get(asked, "")
    if meant.split(" ")[0] in names:
        return f"no option '{asked}'; did you mean '{meant}'?"
    near = near_miss(asked, names)
    return f"no option '{asked}'" + (near if near.startswith("; did") else f"; '{command} --help' lists them")


def command(arguments: Sequence[str], known: Iterable[str]) -> str:
    """The sentence for an unknown command; a file in its place is one to estimate, two are ones to compare."""
    name = arguments[0]
    if not name.startswith("-") and (Path(name).exists() or "/" in name or Path(name).suffix):
        paths = [text for text in arguments if Path(text).exists()] or [name]
        verb = "compare" if len(paths) == 2 else "estimate"
        return f"no command '{name}'; did you mean 'scorebars {verb} {' '.join(paths)}'?"
    if name.lower() in COMMANDS:
        return f"no command '{name}'; did you mean '{COMMANDS[name.lower()]}'?"
    kind = "option" if name.startswith("-") else "command"
    return f"no {kind} '{name}'{near_miss(name, known)}"


def several(role: str, wanted: str, available: Sequence[str]) -> str:
    """The sentence for one name that stands for several; '' where it does not."""
    names = [name for name in available if fnmatchcase(name, wanted)] if "*" in wanted or "?" in wanted else []
    parts = [part.strip() for part in wanted.split(",")]
    if len(parts) > 1 and all(part in available for part in parts):
        names = parts
    if not names:
        return ""
    spelled = " ".join(f"--{role} {name}" for name in names[:4]) + (" …" if len(names) > 4 else "")
    return f"no {role} is called '{wanted}'; repeat --{role}, once for each name: {spelled}"
