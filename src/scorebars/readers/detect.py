"""The files of a path and their readers: what is taken, what is skipped and said."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from scorebars.errors import ReadError
from scorebars.notes import MORE_FILES, is_lost
from scorebars.readers import READERS
from scorebars.readers.document import load as load_json
from scorebars.readers.files import Found, head_of, is_text, leads_nowhere, shown, text_head
from scorebars.readers.judging import GUESSED, bare, clause, judge
from scorebars.readers.sniff import HAVE_PARTS, kind_of, outline

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from scorebars.contracts import FileHead

NO_DATA: Final = frozenset(
    {
        *(".py", ".ipynb", ".sh", ".r", ".js", ".ts", ".c", ".h", ".cpp", ".rs", ".go", ".java", ".pyc", ".so"),
        *(".yaml", ".yml", ".toml", ".ini", ".cfg", ".lock"),
        *(".md", ".rst", ".tex", ".bib", ".html", ".css", ".pdf", ".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp"),
    }
)
"""Endings of programs, settings and pages: in a folder or by a glob such files are not even opened."""
EVENTS: Final = "tfevents"
EMPTY: Final = "it is empty"
NO_ROWS: Final = ("has no row below its header", "holds no attempt")
_KEYS: Final = 4
"""Keys of a file that is left out that are listed."""


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file that was met and not read."""

    path: Path
    reason: str
    """One clause, with its subject."""


@dataclass(frozen=True, slots=True)
class Assigned:
    """A file and the reader that takes it."""

    head: FileHead
    reader: str


def assign(argument: str, files: Sequence[Found], columns: Mapping[str, str]) -> tuple[list[Assigned], list[Skipped]]:
    """Give each file of one argument its reader; what nobody knows is skipped and said, or an error.

    Raises:
        ReadError: A file that the user named is not known, or none of a folder is.
    """
    taken: list[Assigned] = []
    guessed: list[FileHead] = []
    skipped: list[Skipped] = []
    for found in files:
        if not found.explicit and found.path.suffix.lower() in NO_DATA:
            continue
        if not is_text(found.path) and not found.explicit:
            skipped.append(Skipped(found.path, "its name is not UTF-8; rename it"))
            continue
        if leads_nowhere(found.path):
            skipped.append(Skipped(found.path, f"it is a link that leads to no file (to '{found.path.readlink()}')"))
            continue
        head = _head(found)
        reader, reason, head = judge(head, found, columns)
        if reader == GUESSED:
            guessed.append(head)
        elif reader:
            taken.append(Assigned(head, reader))
        elif found.explicit:
            raise ReadError(f"{shown(found.path)} {reason}")
        else:
            skipped.append(_met(head, f"it {reason}"))
    if taken:  # beside files whose headers speak of scores, one that only holds numbers is something else
        skipped += [_met(head, _unsaid(head)) for head in guessed]
    else:
        taken = [Assigned(head, "table") for head in guessed]
    if not taken:
        raise ReadError(_nothing(argument, len(files), skipped))
    return _without_bycatch(*_with_broken(taken, skipped, files))


def _met(head: FileHead, reason: str) -> Skipped:
    """A file that no reader takes; where it is damaged, that is the reason."""
    from scorebars.readers.damaged import damage

    said = "" if reason == EMPTY else damage(head)
    return Skipped(head.path, f"it {said}") if said else Skipped(head.path, reason)


def _unsaid(head: FileHead) -> str:
    """Why a file that only holds numbers is left out beside others, and how it is read all the same."""
    if kind_of(head) != "json":
        return "its headers name no score or item, as those of other files do; name it if its columns are models"
    import shlex

    keys, text = sorted(outline(head).top), text_head(head).lstrip()
    listed = ", ".join(f"'{key}'" for key in keys[:_KEYS]) + (", …" if len(keys) > _KEYS else "")
    if re.match(r'\{\s*"[^"]*"\s*:\s*\[', text):
        what, how = (
            f"a JSON object of lists of numbers under the keys {listed}",
            "to read each list as a model's scores",
        )
    elif text.startswith("["):
        what, how = "a JSON list of numbers", "to read them as scores"
    else:
        what, how = f"a JSON object of numbers under the keys {listed}", "if they are"
    return (
        f"it is {what}, and nothing in it says that they are scores, as other files do; name it {how} "
        f"(scorebars estimate {shlex.quote(shown(head.path))})"
    )


def _with_broken(
    taken: list[Assigned], skipped: list[Skipped], files: Sequence[Found]
) -> tuple[list[Assigned], list[Skipped]]:
    """Results of a format that is known by its folders, which are empty or damaged, are its reader's too.

    Nothing in such a file says what it is, and to pass over it would leave out its attempt without a word.
    """
    owned = {name: one.reader for one in taken if one.reader in READERS for name in READERS[one.reader].results}
    doubtful = [one.path for one in skipped] + [one.head.path for one in taken if one.reader == "table"]
    places = {path for path in doubtful if path.name in owned}
    heads = [_head(found) for found in files if found.path in places and not found.explicit]
    broken = {head.path: Assigned(head, owned[head.path.name]) for head in heads if _is_broken(head)}
    if not broken:
        return taken, skipped
    kept = [one for one in taken if one.head.path not in broken]
    return [*kept, *broken.values()], [one for one in skipped if one.path not in broken]


def _is_broken(head: FileHead) -> bool:
    """Whether a JSON file is blank or no JSON."""
    try:
        return not head.head.strip() or load_json(head) is None
    except ReadError:
        return True


def _without_bycatch(taken: list[Assigned], skipped: list[Skipped]) -> tuple[list[Assigned], list[Skipped]]:
    """Without the tables that were only met among the logs and artefacts of a format whose folders are full of them.

    Those and the tables are named once, not one by one: an agent leaves some behind in every attempt.
    """
    taken, skipped = _without_events(taken, skipped)
    owners = [one.reader for one in taken if one.reader in READERS and READERS[one.reader].owns_folder]
    if not owners:
        return taken, skipped
    kept = [one for one in taken if one.reader != "table" or one.head.explicit]
    lost = [one for one in skipped if is_lost(one.reason) and _is_beside(one.path, owners, kept)]
    skipped = [one for one in skipped if one not in lost]
    beside = {name for owner in owners for name in READERS[owner].beside}
    tables = [one.head.path for one in taken if one.reader == "table" and not one.head.explicit]
    others = [one.path for one in skipped]
    tables, others = ([path for path in paths if path.name not in beside] for paths in (tables, others))
    reason = f"it is a table met among files of {owners[0]}; name it to read it"
    return kept, [*lost, *_in_one(tables, reason), *_in_one(others, f"it is no file of {owners[0]}")]


def _is_beside(path: Path, owners: Sequence[str], taken: Sequence[Assigned]) -> bool:
    """Whether a file is called as one that is read, or stands with its ending beside one.

    The rest is what agents left behind. Formats that know their results by name see to them themselves.
    """
    if any(READERS[owner].results for owner in owners):
        return False
    read = [one.head.path for one in taken]
    return any(path.name == other.name or (path.parent, path.suffix) == (other.parent, other.suffix) for other in read)


def _without_events(taken: list[Assigned], skipped: list[Skipped]) -> tuple[list[Assigned], list[Skipped]]:
    """Without the event files of TensorBoard that were only met beside other logs, of which they are a second copy."""
    met = [one for one in taken if one.reader == EVENTS and not one.head.explicit]
    others = [one.reader for one in taken if one.reader != EVENTS]
    if not met or not others:
        return taken, skipped
    reason = f"it is an event file of TensorBoard, met beside files of {others[0]}; name it to read it"
    kept = [one for one in taken if one.reader != EVENTS or one.head.explicit]
    return kept, [*skipped, *_in_one([one.head.path for one in met], reason)]


def _in_one(paths: Sequence[Path], reason: str) -> list[Skipped]:
    """One remark on files that were skipped for one reason."""
    more = f"{MORE_FILES}{len(paths) - 1:,} more)" if len(paths) > 1 else ""
    return [Skipped(paths[0], reason + more)] if paths else []


def _head(found: Found) -> FileHead:
    """The head of a file that the user named, or that was met."""
    if not is_text(found.path):
        raise ReadError(f"{shown(found.path)}: its name is not UTF-8; rename it")
    head = replace(head_of(found.path), explicit=found.explicit, member=found.member, root=found.root)
    if found.member and kind_of(head) not in HAVE_PARTS | {"json"}:
        raise ReadError(f"{shown(found.path)} has no parts, so '#{found.member}' names nothing in it")
    return head


def _nothing(argument: str, n_files: int, reasons: Sequence[Skipped]) -> str:
    """The sentence for a folder or glob without a single known file."""
    if not n_files:
        return f"'{argument}' holds no file (hidden ones are left out)"
    if not reasons:
        return f"'{argument}' holds no data: programs, settings and pages ({n_files:,} seen) are not looked at"
    if len({bare(one.reason) for one in reasons}) == 1:  # one advice for all
        seen = f"'{reasons[0].path.name}' {reasons[0].reason.removeprefix('it ')}"
        more = f" (and {len(reasons) - 1:,} more like it)" if len(reasons) > 1 else ""
    else:
        seen = "; ".join(f"'{one.path.name}' {bare(one.reason)}" for one in reasons[:3])
        more = f"; and {len(reasons) - 3:,} more" if len(reasons) > 3 else ""
    return f"'{argument}' holds no file that can be read as scores ({len(reasons):,} seen): {seen}{more}"


def skipped_at_read(error: ReadError, path: Path) -> Skipped:
    """A file that turned out to hold no scores when it was read."""
    reason = clause(str(error), path)
    if reason.partition(";")[0].endswith(NO_ROWS):
        from scorebars.readers.damaged import is_cut

        if is_cut(path):
            reason = "it looks truncated: it has no whole row, and its last line does not end"
    return Skipped(path, reason)
