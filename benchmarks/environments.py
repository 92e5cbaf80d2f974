"""Each peer in an environment of its own: some cannot live together, and none belongs into the project's."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

SOURCE = str(Path(__file__).parents[1] / "src")
OWN = os.environ | {"PYTHONPATH": SOURCE}
OWN.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed package is compiled, and so are SciPy and DuckDB here

REQUIREMENTS = {
    "arch": ("arch==8.0.0",),
    "errorbars": ("errorbars==0.2.4",),
    "evalstats": ("evalstats==0.3.3",),
    "inspect-ai": ("inspect-ai==0.3.285", "pandas==3.1.1", "pyarrow==26.0.1"),
    "rliable": ("rliable==1.2.0", "pandas<3"),  # with pandas 3 it installs and cannot be imported
    "sacrebleu": ("sacrebleu==2.6.0",),
    "scikit-learn": ("scikit-learn==1.9.1",),
    "torchmetrics": ("torchmetrics==1.9.0", "torch==2.13.0"),
}
"""Name of an environment -> what pip installs into it."""


LEFT_OUT: set[str] = set()
"""Peers that nobody wants to wait for, by ``--without``."""


@dataclass(frozen=True)
class Environment:
    """A Python to run with, or the reason why there is none."""

    python: str
    variables: dict[str, str]
    why_not: str = ""


def default_cache() -> Path:
    """Where environments stay between runs, unless ``--cache`` says otherwise."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "scorebars-benchmarks"


def environment(name: str, cache: Path) -> Environment:
    """The environment of a peer, made if it is not there yet; '' is scorebars' own."""
    if not name:
        return Environment(sys.executable, OWN)
    if name in LEFT_OUT:
        return Environment("", {}, f"{name} was left out")
    folder = cache / name
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    variables = {key: value for key, value in OWN.items() if key != "PYTHONPATH"}
    marker, wanted = folder / "requirements.txt", "\n".join(REQUIREMENTS[name])
    if marker.exists() and marker.read_text(encoding="utf-8") == wanted:
        return Environment(str(python), variables)
    print(f"setting up {name} in {folder}", file=sys.stderr, flush=True)
    for command in (
        [sys.executable, "-m", "venv", "--clear", str(folder)],
        [str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check", *REQUIREMENTS[name]],
    ):
        made = subprocess.run(command, check=False, capture_output=True, encoding="utf-8")
        if made.returncode:
            last = (made.stderr.strip().splitlines() or ["no reason given"])[-1]
            return Environment("", {}, f"{name} cannot be installed here: {last[:200]}")
    marker.write_text(wanted, encoding="utf-8")
    return Environment(str(python), variables)


def versions(python: str, name: str) -> str:
    """The peer's version and NumPy's in its environment."""
    code = (
        "import importlib.metadata as m, sys\n"
        "names = [n for n in sys.argv[1:] if any(d.metadata['Name'] == n for d in m.distributions())]\n"
        "print(', '.join(f'{n} {m.version(n)}' for n in names))"
    )
    packages = [requirement.partition("==")[0].partition("<")[0] for requirement in REQUIREMENTS[name]]
    found = subprocess.run(
        [python, "-c", code, *packages, "numpy"], check=True, stdout=subprocess.PIPE, encoding="utf-8"
    )
    return found.stdout.strip()
