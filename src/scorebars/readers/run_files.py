"""Formats in which a file is one training run, without its name inside: W&B's and TensorBoard's exports.

Each file is a model of its own, since several algorithms may lie in one folder; ``--map model=folder`` says that the
files of a folder are the runs of one algorithm, named by the folder.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from scorebars.engines.headers import mapped
from scorebars.errors import ReadError
from scorebars.readers.files import names_for, shown

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from scorebars.contracts import FileHead, Request

FOLDER = "folder"


@dataclass(frozen=True, slots=True)
class RunNames:
    """What the files' names say: model and run of each."""

    stems: dict[Path, str]
    is_by_folder: bool
    step: str | None
    """The column that was asked for as the step."""
    pattern: str | None = None
    """What parts of a run's name are, '{model}_seed{run}', where that was said."""
    columns: Mapping[str, str] = field(default_factory=dict)
    """Role -> column that says the model, run or task of each row, where that was said."""

    def of(self, path: Path, run: str | None = None) -> tuple[str, str]:
        """(model, run) of a file, or of a run that the file names."""
        name = run or self.stems[path]
        if self.pattern is not None:
            from scorebars.readers.file_names import run_of

            model, number = run_of(name, self.pattern, shown(path))
            return model or path.absolute().parent.name, number
        return (path.absolute().parent.name, name) if self.is_by_folder else (name, name)

    def told(self, path: Path, run: str | None = None) -> dict[str, str]:
        """Where model and run came from."""
        model, name = self.of(path, run)
        if self.pattern is not None:
            return dict.fromkeys(("model", "run"), "the run's name, as asked")
        return {"model": f"the folder's name ('{model}')" if self.is_by_folder else f"the file's name ('{model}')"} | {
            "run": f"the file's name ('{name}')"
        }


def run_names(
    heads: Sequence[FileHead], request: Request, what: str, *, steps: bool = False, by_row: bool = False
) -> RunNames:
    """The names of all files.

    Args:
        heads: The files.
        request: ``--map model=folder`` and, where it is offered, ``--map step=COLUMN``.
        what: The format with its article.
        steps: Whether the step can be mapped.
        by_row: Whether the names of runs can be taken apart, ``--map 'run={model}_seed{run}'``, and columns name model,
            run and task of each row, ``--map model=algo,run=name``.

    Raises:
        ReadError: Another role is mapped.
    """
    asked = dict(request.columns)
    step = asked.pop("step", None) if steps else None
    pattern = asked.pop("run") if by_row and "{" in asked.get("run", "") else None
    named = ("model", "run", "task") if by_row and pattern is None else ()
    columns = {role: asked.pop(role) for role in named if asked.get(role, FOLDER) != FOLDER}
    model = asked.pop("model", None)
    if pattern is not None and "{model}" in pattern and model is not None:
        raise ReadError(f"--map gives the model by the run's name and by '{model}'; give one")
    if asked or request.cluster is not None or model not in (None, FOLDER):
        other = next(iter(asked), "cluster" if request.cluster is not None else f"model={model}")
        column = " and the step by --map step=COLUMN" if steps else ""
        parts = (
            f" or by the run's name ({mapped({'run': '{model}_seed{run}'})}), model, run and task of rows by columns"
        )
        raise ReadError(
            f"'{other}' cannot be mapped in {what}: a file is one run; "
            f"its model can be named by the folder (--map model=folder){parts if by_row else ''}{column}"
        )
    return RunNames(names_for(head.path for head in heads), model == FOLDER, step, pattern, columns)
