"""Tables: CSV, TSV, JSON, JSON Lines, Parquet, plain or compressed, long (one attempt a row) or wide (item × model).

DuckDB does the work, so a file may be larger than memory (:mod:`scorebars.readers.table_rows`); what is small and plain
is read without it (:mod:`scorebars.readers.small`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from scorebars.contracts import Part
from scorebars.errors import ReadError
from scorebars.readers.columns import NoColumnError
from scorebars.readers.files import names_for, stem
from scorebars.readers.sniff import SELF_DESCRIBED, kind_of
from scorebars.readers.sources import NoScores

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from scorebars.contracts import FileHead, Request

_ELSEWHERE: Final = (
    "if only another file has it, keep the mapping beside that one "
    "(scorebars estimate FILE --map {role}=COLUMN --save-map) and leave it out here"
)


class TableReader:
    """The reader of generic tables; the last in the list, since every other format could be taken for one."""

    @property
    def name(self) -> str:
        """'table'."""
        return "table"

    def claims(self, head: FileHead) -> bool:
        """Whether the head is Parquet, JSON or delimited text."""
        return kind_of(head) in SELF_DESCRIBED | {"json", "delimited"}

    def read(self, heads: Sequence[FileHead], request: Request) -> Iterator[Part]:
        """One part a file; a file without a model column is one model, named by the file."""
        from scorebars.readers.small import largest, small_part

        names, most, alone = _names(heads, request.beside), largest(heads), len(heads) == 1
        folders = _folders(names) or _lone_folder(heads)
        for head in heads:
            try:
                folder, where = folders.get(head.path, ("", ""))
                model = head.member or folder or names[head.path]
                small = small_part(head, request, model, most=most, alone=alone)
                part = small or _in_full(head, request, model, alone=alone)
                yield _by_folder(part, folder, where) if folder and not head.member else part
            except NoColumnError as error:
                if not head.explicit and (reason := _no_scores_anyway(head, request, model)):
                    yield Part(head.path, "", {}, (), unusable=(("", reason),))
                    continue
                from scorebars.readers.file_names import names_asked

                meant = names_asked(request.columns, names)
                if len(heads) == 1 and not meant:
                    raise
                remedy = meant or _ELSEWHERE.format(role=error.role)
                raise NoColumnError(f"{error}; {remedy}", error.role) from error
            except NoScores as error:
                if head.explicit:
                    raise
                yield Part(head.path, "", {}, (), unusable=(("", str(error)),))


def _names(heads: Sequence[FileHead], beside: Sequence[Path]) -> dict[Path, str]:
    """The names of files by their paths; of those met in folders the same ones, whether others there have labels."""
    met = not any(head.explicit for head in heads)
    return names_for([*(head.path for head in heads), *(beside if met else ())])


def _folders(names: Mapping[Path, str]) -> dict[Path, tuple[str, str]]:
    """(model, where its name came from) of files that all have one name, in folders of their own; none for others."""
    if len(names) < 2 or not all("/" in name for name in names.values()):
        return {}
    from scorebars.engines.file_runs import are_paths, folders_as_models

    found = folders_as_models(list(names.values()))
    if found is None:
        return {}
    by_path = are_paths(found)
    return {
        path: (model, _own("file", name) if by_path else _own("folder", model))
        for (path, name), model in zip(names.items(), found, strict=True)
    }


def _own(what: str, name: str) -> str:
    return f"the {what}'s name ('{name}')"


def _lone_folder(heads: Sequence[FileHead]) -> dict[Path, tuple[str, str]]:
    """The same of the only file, which lies deeper in the folder that was named; of a run its name is kept."""
    (path, root), *others = ((head.path, head.root) for head in heads)
    if others or root is None or path.parent == root:
        return {}
    from scorebars.engines.file_runs import pattern_of, says_nothing

    name = stem(path)
    is_run = pattern_of(path.parent.relative_to(root).parts, name) is not None
    model = path.parent.name
    return {path: (model, _own("folder", model))} if says_nothing(name) and not is_run else {}


def _by_folder(part: Part, model: str, where: str) -> Part:
    """The part, which says where its model's name came from."""
    own, told = ("model", _own("file", model)), ("model", where)
    return replace(part, mapping=tuple(told if pair == own else pair for pair in part.mapping))


def _in_full(head: FileHead, request: Request, model: str, *, alone: bool = True) -> Part:
    """The rows of a table that is not small and plain; what that takes is not imported before."""
    from scorebars.readers.table_rows import read_table

    return read_table(head, request, model, alone=alone)


def _no_scores_anyway(head: FileHead, request: Request, model: str) -> str:
    """Why a file that was met holds no scores, whatever columns were asked for; "" where it may hold some."""
    try:
        _in_full(head, replace(request, columns={}, cluster=None), model)
    except NoScores as error:
        return str(error)
    except ReadError:
        return ""
    return ""
