"""Roles that the name of a file gives: ``--map file={model}_seed{run}`` for 'gpt-4o_seed0.csv', 'gpt-4o_seed1.csv'.

A pattern is the end of a path without the file's ending; ``{role}`` is any text without a slash, ``*`` any other. Each
role becomes a column of one text, '{run}', that a mapping gives it. Without ``{model}``, and without a column of
models, the folder names the model: files that are runs or tasks are not models too.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from scorebars.engines.duckdb import literal
from scorebars.engines.file_runs import FILE, run_pattern
from scorebars.engines.headers import mapped
from scorebars.errors import ArgumentError, ReadError, near_miss
from scorebars.readers.files import names_for, shown, stem

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from scorebars.readers.sources import Source

ROLES: Final = ("model", "task", "run", "metric", "variant", "cluster")
"""Roles that a name may give."""
MEANT: Final = frozenset({FILE, "folder", "filename", "file_name", "path", "stem", "dir", "directory"})
"""What people type as the column where they mean the name."""
_FOLDERS: Final = frozenset({"folder", "dir", "directory"})
_FIELD: Final = re.compile(r"\{([^{}]*)\}")


@dataclass(frozen=True, slots=True)
class Named:
    """What the name of one file says."""

    texts: Mapping[str, str] = field(default_factory=dict)
    """'{run}' -> its text."""
    folder: str = ""
    """The folder that names the model, where the name is asked for other roles alone."""

    def columns(self, typed: Mapping[str, str]) -> dict[str, str]:
        """A mapping with the columns that the name gives in place of its pattern.

        Raises:
            ArgumentError: A role is given by the name and by a column.
        """
        rest = {role: text for role, text in typed.items() if role != FILE}
        for name in self.texts if FILE in typed else ():
            role = name[1:-1]
            if name not in (given := rest.setdefault(role, name)).split("+"):
                joined = mapped({role: f"{name}+{given}"})
                raise ArgumentError(
                    f"--map gives '{role}' by the file's name and by '{given}'; give one, or join them: {joined}"
                )
        return rest

    def model(self, name: str) -> tuple[str, str]:
        """The model where no column says it, by the file's own name or its folder's; and where that is from."""
        return (self.folder, f"the folder's name ('{self.folder}')") if self.folder else (name, _own(name))

    def added(self, source: Source) -> Source:
        """The source with these columns."""
        if not self.texts:
            return source

        def scan(wanted: Sequence[str], *, hashed: bool = False) -> str:
            own = [name for name in wanted if name not in self.texts] or [next(filter(None, source.names))]
            chosen = [
                f"{literal(self.texts[name])} AS w{place}" if name in self.texts else f"w{own.index(name)} AS w{place}"
                for place, name in enumerate(wanted)
            ]
            chosen += ["row_hash"] if hashed else []
            return f"SELECT {', '.join(chosen)} FROM ({source.scan(own, hashed=hashed)})"

        return replace(source, names=(*source.names, *self.texts), scan=scan)


def _own(name: str) -> str:
    return f"the file's name ('{name}')"


def by_name(path: Path, typed: Mapping[str, str], kept: Mapping[str, str] | None = None) -> Named:
    """What the name of a file gives; nothing where nothing was asked of it.

    Args:
        path: The file.
        typed: The mapping that was typed.
        kept: The one that was saved beside the file.

    Raises:
        ArgumentError: The pattern is none.
        ReadError: The name does not fit it, or fits in two ways.
    """
    pattern = typed.get(FILE) or (kept or {}).get(FILE)
    if not pattern:
        return Named()
    fields = _fields(pattern)
    if shown(path) != str(path):
        raise ReadError(f"standard input has no name that --map {FILE}={pattern} could fit; save it as a file")
    depth = pattern.count("/")
    folders = path.absolute().parent.parts
    name = "/".join((*folders[len(folders) - depth :], stem(path)))
    first, last = _readings(pattern, name)
    if first is None or last is None:
        raise ReadError(
            f"{shown(path)}: its name '{name}' does not fit {mapped({FILE: pattern})}; mend the pattern, or leave the "
            "file out (--without PATH)"
        )
    if first.groups() != last.groups():
        two = " or ".join(_told(fields, match.groups()) for match in (first, last))
        raise ReadError(
            f"{shown(path)}: its name '{name}' fits {mapped({FILE: pattern})} in two ways ({two}); write more of the "
            "names' own text into the pattern, or put the files of a model into a folder of its name "
            f"({mapped({FILE: '{model}/*'})})"
        )
    folder = "" if "model" in fields else folders[max(0, len(folders) - depth - 1)]
    return Named({f"{{{role}}}": text for role, text in zip(fields, first.groups(), strict=True)}, folder)


def run_of(name: str, pattern: str, where: str) -> tuple[str, str]:
    """Model and run in the name of a run; without ``{model}`` in the pattern the model is "".

    Args:
        name: The name.
        pattern: ``{model}_seed{run}``.
        where: What the name is of, for messages.

    Raises:
        ArgumentError: The pattern is none of a model and a run.
        ReadError: The name does not fit it, or fits in two ways.
    """
    fields = _fields(pattern, "run")
    typed = mapped({"run": pattern})
    other = next((role for role in fields if role not in {"model", "run"}), "")
    if other or "run" not in fields:
        what = f"gives no '{other}'" if other else "must say which part is the run"
        raise ArgumentError(f"{typed}: a run's name {what}; it is a model and a run, as in '{{model}}_seed{{run}}'")
    first, last = _readings(pattern, name)
    if first is None or last is None:
        raise ReadError(f"{where}: the run's name '{name}' does not fit {typed}; mend the pattern")
    if first.groups() != last.groups():
        two = " or ".join(_told(fields, match.groups()) for match in (first, last))
        raise ReadError(
            f"{where}: the run's name '{name}' fits {typed} in two ways ({two}); write more of the names' own text "
            "into the pattern"
        )
    texts = dict(zip(fields, first.groups(), strict=True))
    return texts.get("model", ""), texts["run"]


def _told(fields: Sequence[str], texts: Sequence[str]) -> str:
    return ", ".join(f"{role} '{text}'" for role, text in zip(fields, texts, strict=True))


def _fields(pattern: str, key: str = FILE) -> list[str]:
    """The roles in a pattern, in their order."""
    fields = _FIELD.findall(pattern)
    if not fields:
        raise ArgumentError(
            f"--map {key}={pattern}: say what the parts of the files' names are, as in "
            f"{mapped({FILE: '{model}_seed{run}'})} or {mapped({FILE: '{model}/{task}'})}"
        )
    for role in fields:
        if role not in ROLES:
            raise ArgumentError(f"--map {key}={pattern}: a file's name gives no '{role}'{near_miss(role, ROLES)}")
        if fields.count(role) > 1:
            raise ArgumentError(f"--map {key}={pattern} has '{{{role}}}' twice; name each part once")
    return fields


def _readings(pattern: str, name: str) -> tuple[re.Match[str] | None, re.Match[str] | None]:
    """How the pattern fits where each role takes as little as it can, and as much; a run is a number if it may be."""
    found: tuple[re.Match[str] | None, re.Match[str] | None] = (None, None)
    for run in (r"[0-9]+", ""):
        few, many = (_expression(pattern, text, run or text) for text in ("[^/]+?", "[^/]+"))
        found = re.fullmatch(few, name, re.DOTALL), re.fullmatch(many, name, re.DOTALL)
        if found[0] is not None:
            break
    return found


def _expression(pattern: str, any_text: str, run: str) -> str:
    """The regular expression of a pattern: each role a group."""
    pieces = _FIELD.split(pattern)
    fixed = [re.escape(text).replace(r"\*", "[^/]*") for text in pieces[::2]]
    roles = [f"({run if role == 'run' else any_text})" for role in pieces[1::2]] + [""]
    return "".join(text for pair in zip(fixed, roles, strict=True) for text in pair)


def names_asked(columns: Mapping[str, str], paths: Iterable[Path]) -> str:
    """How to say that roles come from names, where 'file' or 'folder' was given as a column; '' for other columns."""
    meant = {role: text for role, text in columns.items() if text.lower() in MEANT and role in ROLES}
    if not meant:
        return ""
    named = names_for(paths)
    folders = [f"{{{role}}}" for role, text in meant.items() if text.lower() in _FOLDERS]
    files = [f"{{{role}}}" for role, text in meant.items() if text.lower() not in _FOLDERS]
    pattern = "/".join([*folders[:1], files[0] if files else "*"])
    if set(meant) == {"run"}:
        pattern = runs_of(list(named.values())) or pattern
    return f"names of files are taken by a pattern: {mapped({FILE: pattern})}"


def runs_by_name(paths: Sequence[Path]) -> str:
    """How to say that tables are runs, as a clause."""
    names = names_for(paths)
    pattern = runs_of(list(names.values())) if len(names) > 1 else None
    by = mapped({FILE: pattern or "{model}_{run}"})
    return f"; that tables are runs their names say: {by}{'' if pattern else ', or as the names are made'}"


def runs_of(names: Sequence[str]) -> str | None:
    """The pattern of files that are runs, by words such as 'seed' or by numbers alone."""
    return run_pattern(names) or run_pattern(names, worded=False)


def of_name(name: str) -> bool:
    """Whether a column is what a file's name gave."""
    return name.startswith("{") and name[1:-1] in ROLES


def as_cells(named: Named, columns: Sequence[Sequence[Any]]) -> list[list[Any]]:
    """The columns that the name gives, as long as those of the table."""
    return [[text] * len(columns[0]) for text in named.texts.values()] if columns else []
