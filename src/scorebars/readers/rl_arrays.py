"""Arrays of scores in .npz and .npy files: rliable's {algorithm: runs × tasks}, or game -> runs.

A .npz names its models; a .npy holds the array of one, named by the file. Arrays of one dimension whose names are games
are the runs of these games. Files with pickled dictionaries, as ``np.save`` writes them, are refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scorebars.contracts import Part
from scorebars.errors import ReadError
from scorebars.readers.array_axes import array_part
from scorebars.readers.files import names_for, shown
from scorebars.readers.normalisation import on_one_scale, suite_of
from scorebars.readers.numpy_files import MAGIC, is_npz, load_npy, load_npz
from scorebars.readers.records import each
from scorebars.readers.rl_runs import TaskRuns, refuse_point, rows_of
from scorebars.readers.sources import NoScores

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from scorebars.contracts import FileHead, Request

_UNNAMED = "arr_0"
"""What ``np.savez`` calls an array that was given without a name."""


class ArraysReader:
    """Reads arrays of scores."""

    @property
    def name(self) -> str:
        """As on the command line and in notes."""
        return "rl-arrays"

    def claims(self, head: FileHead) -> bool:
        """The magic bytes of .npy, or a zip file of such."""
        return head.head.startswith(MAGIC) or is_npz(head)

    def read(self, heads: Sequence[FileHead], request: Request) -> Iterator[Part]:
        """One part a file."""
        names = names_for(head.path for head in heads)
        return each(heads, lambda head: self._part(head, request, names[head.path]))

    def _part(self, head: FileHead, request: Request, name: str) -> Part:
        if head.head.startswith(MAGIC):
            return array_part(head, self.name, {name: load_npy(head)}, request)
        arrays = load_npz(head)
        if not arrays:
            raise NoScores(f"{shown(head.path)} holds no array; no scores are in it")
        if list(arrays) == [_UNNAMED]:
            arrays = {name: arrays[_UNNAMED]}
        if all(array.ndim == 1 for array in arrays.values()) and suite_of(arrays):
            return self._games(head, arrays, request, name)
        return array_part(head, self.name, arrays, request)

    def _games(self, head: FileHead, arrays: Mapping[str, NDArray[Any]], request: Request, model: str) -> Part:
        """Game -> runs."""
        path = shown(head.path)
        if request.columns or request.cluster is not None:
            raise ReadError(f"{path} holds the runs of games; its roles are fixed, so leave --map and --cluster out")
        refuse_point(request, path)
        if not all(array.size for array in arrays.values()):
            raise ReadError(f"{path} has a game without a single run")
        rows = rows_of([TaskRuns(model, game, array.astype(float).tolist()) for game, array in arrays.items()])
        mapping = {"model": f"the file's name ('{model}')", "task": "the arrays' names", "run": "the position"}
        return on_one_scale(Part(head.path, self.name, rows, tuple(mapping.items())), request.options)
