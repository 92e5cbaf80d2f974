"""The model's name where only the path has it: the file's name without what every such file ends in, else its folder's.

Where each file is a model, no two get one name: those that would are told apart by the folders above them.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final

from scorebars.notes import note
from scorebars.readers.files import names_for, shown, stem

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from scorebars.notes import Note

FROM_NAME: Final = "the file's name"
FROM_FOLDER: Final = "the folder's name"
NOWHERE: Final = "nothing in the input names it: --label NAME=-"


def from_path(model: str, where: str, lacks: str) -> Note:
    """The note where a format says its model, and these files do not: the same for all files of the model."""
    return note("model-from-path", model=model, where=where, lacks=lacks)


def model_names(
    paths: Iterable[Path], ending: str, *, folder: bool = False, apart: bool = True
) -> dict[Path, tuple[str, str]]:
    """(model, where its name came from) of each file.

    Args:
        paths: The files.
        ending: A regular expression; what it matches at the end of a file's stem is no part of the model's name.
        folder: The name is the folder's wherever the ending matches, as for tools that make a folder a model.
        apart: Files that would have one name get different ones; else they are of one model.
    """
    files = list(dict.fromkeys(paths))
    names = {path: _name(path, ending, folder=folder) for path in files}
    if not apart:
        return names
    counts = Counter(name for name, _ in names.values())
    alike = [path for path in files if counts[names[path][0]] > 1]
    paths_as_names = names_for(alike)
    return names | {path: (paths_as_names[path], "the file's path") for path in alike}


def _name(path: Path, ending: str, *, folder: bool) -> tuple[str, str]:
    if shown(path) != str(path):
        return "standard input", NOWHERE
    name = stem(path)
    bare = re.sub(f"(?:{ending})$", "", name)
    if not bare or (folder and bare != name):
        return path.absolute().parent.name or name, FROM_FOLDER
    return bare, FROM_NAME
