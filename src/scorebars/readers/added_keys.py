"""Keys that were added to the records of a format which does not write them: a model, or a setting.

Results of several models or temperatures are put into one file with a key that tells them apart. Where the records name
several models, each is a model; a setting that tells the records of an item apart is refused with what it may be, as in
tables (:mod:`scorebars.readers.told_apart`), since otherwise all would count as runs of one model.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from scorebars.engines.duckdb import quote
from scorebars.engines.telling import ROLES_OF, tells
from scorebars.engines.unknown_headers import kind_of, may_tell
from scorebars.errors import ReadError, either, typed
from scorebars.readers.document import id_text
from scorebars.readers.files import shown

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from pathlib import Path

    from scorebars.readers.document import Node
    from scorebars.readers.records import Rows

MODELS: Final = ("model", "model_name", "model_name_or_path", "model_id", "llm")
"""Keys of the model, the first that stands in the records."""
LONGEST: Final = 200
"""Characters up to which a text may be a name or a setting."""
SHOWN: Final = 3
RESERVED: Final = frozenset({"group", "order", "limit", "table", "column", "end", "case", "using", "check", "default"})
"""Words that no column of a query is called without quotes."""


@dataclass(slots=True)
class AddedKeys:
    """The short values under the keys that a format does not write, of each record."""

    known: Collection[str]
    """The keys of the format."""
    values: dict[str, dict[int, str]] = field(default_factory=dict)
    """Key -> number of the record -> value as text."""
    n: int = 0

    def add(self, record: Node) -> None:
        """Take one record."""
        for key in record.value.keys() - self.known:
            value = record.value[key]
            if isinstance(value, bool | int | float) or (isinstance(value, str) and 0 < len(value) <= LONGEST):
                self.values.setdefault(key, {})[self.n] = _text(value, f"{record.where}: '{key}'")
        self.n += 1

    def texts(self, key: str) -> list[str]:
        """The different values of a key."""
        return sorted(set(self.values[key].values()))

    def models(self, path: Path) -> tuple[str, list[str]] | None:
        """The key of the model and the model of each record, where they name several.

        Raises:
            ReadError: Some records name a model and others do not.
        """
        key = next((key for key in MODELS if key in self.values), None)
        if key is None:
            return None
        named = self.values[key]
        if len(named) < self.n:
            raise ReadError(
                f"{shown(path)} names a '{key}' in {len(named):,} of {self.n:,} records, and all would count as one "
                "model; write it in each, or in none"
            )
        return (key, [named[place] for place in range(self.n)]) if len(set(named.values())) > 1 else None


def told_by_records(
    added: AddedKeys, rows: Rows, path: Path, query: dict[str, str], *, numbered: bool = False
) -> dict[str, str]:
    """What the records of a file say of themselves: their model, where they name several, which the rows then have.

    Args:
        added: The keys that the format does not write, one record a row.
        rows: The rows of the file.
        path: The file.
        query: Item and score of the file's records, as SQL, and their run, where the format has one.
        numbered: The runs are the places among the records of an item, and so have to be those of its model.

    Returns:
        Where the model came from, for the mapping of the part; empty where the records do not say it.

    Raises:
        ReadError: Some name a model and others do not, or a setting tells the records of an item apart.
    """
    found = added.models(path)
    if found is not None:
        rows.cells["model"][:] = found[1]
        if numbered:
            _number(rows)
        query = {"model": found[0], **query}
    refuse_settings(added, list(zip(rows.cells["model"], rows.cells["item"], strict=True)), path, query)
    return {} if found is None else {"model": found[0]}


def _number(rows: Rows) -> None:
    """Number the runs of an item within its model."""
    count = Counter[tuple[str, str]]()
    for place, attempt in enumerate(zip(rows.cells["model"], rows.cells["item"], strict=True)):
        count[attempt] += 1
        rows.cells["run"][place] = str(count[attempt])


def refuse_settings(
    added: AddedKeys, attempts: Sequence[tuple[str, str]], path: Path, query: Mapping[str, str]
) -> None:
    """Raise a ReadError where a key that the format does not write tells the records of an item apart."""
    if (found := telling(added, attempts)) is not None:
        raise ReadError(_sentence(found[0], added.texts(found[0]), found[1], path, query))


def telling(added: AddedKeys, attempts: Sequence[tuple[str, str]]) -> tuple[str, bool] | None:
    """The key that tells the records of an attempt apart, and whether each value stands once in it."""
    if len(set(attempts)) == len(attempts):
        return None
    for key, values in added.values.items():
        kind = kind_of(key)
        different = set(values.values())
        may = key not in MODELS and may_tell(key) and (kind or not all(text.isdecimal() for text in different))
        if not may or len(values) < added.n or 2 * len(different) > added.n:
            continue
        one = _counted(attempts, [values[place] for place in range(added.n)])
        if tells(one, known=bool(kind)):
            return key, one["most"] == 1
    return None


def refuse_added(added: AddedKeys, items: Sequence[str], path: Path, *, kinds: Collection[str] | None = None) -> None:
    """Refuse a file of one model whose records name several, or have a key that tells those of an item apart.

    Args:
        added: The keys that the format does not write.
        items: The item of each record, and what else the format tells records apart by.
        path: The file.
        kinds: Which kinds of settings count, of those of :mod:`scorebars.engines.unknown_headers`; None: all.

    Raises:
        ReadError: What they would count as, and that each needs a file of its own.
    """
    if (found := added.models(path)) is not None:
        named = _listed(list(dict.fromkeys(found[1])))
        raise ReadError(
            f"{shown(path)} names several models ({named}), and all would count as one; write a file for each"
        )
    found_key = telling(added, [("", item) for item in items])
    if found_key is not None and (kinds is None or kind_of(found_key[0]) in kinds):
        key, apart = found_key
        tells_them = "tells them apart" if apart else "takes the same values in each"
        listed = _listed(added.texts(key))
        raise ReadError(
            f"{shown(path)} has several records of an item, and '{key}' ({listed}) {tells_them}: they would count as "
            "runs of one model; write a file for each"
        )


def _text(value: Any, where: str) -> str:
    return str(value).lower() if isinstance(value, bool) else id_text(value, where)


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - SHOWN:,} more" if len(names) > SHOWN else ""
    return ", ".join(f"'{name}'" for name in names[:SHOWN]) + more


def _counted(attempts: Sequence[tuple[str, str]], values: Sequence[str]) -> dict[str, float]:
    """How the values stand in the attempts, as :func:`scorebars.engines.telling.tells` asks."""
    of_attempt, of_value = Counter(attempts), Counter(values)
    pairs = Counter(zip(attempts, values, strict=True))
    in_attempts = Counter(value for _, value in pairs)
    return {
        "attempts": len(of_attempt),
        "pairs": sum(n * (n - 1) / 2 for n in of_attempt.values()),
        "n_pairs": len(pairs),
        "same": sum(n * (n - 1) / 2 for n in pairs.values()),
        "evenly": max(pairs.values()) == min(pairs.values()),
        "most": max(pairs.values()),
        "n_values": len(of_value),
        "common": max(in_attempts.values()),
        "alike": sum(n * n for n in of_value.values()) / len(values) ** 2,
    }


def _sentence(key: str, values: Sequence[str], apart: bool, path: Path, query: Mapping[str, str]) -> str:
    """The error on a key that tells the records of an item apart, with the queries that say what it is."""
    name = key if key.isidentifier() and key.lower() not in RESERVED else quote(key)
    model = f"concat({query['model']}, ' ', {name})" if "model" in query else name
    ways = {
        "model": ("the model", {"model": model, **{role: sql for role, sql in query.items() if role != "model"}}),
        "task": ("the task", {**query, "task": name}),
        "run": ("the run", {**query, "run": name}),
    }
    roles = [role for role in dict.fromkeys((*ROLES_OF[kind_of(key)], "model")) if role in ways]
    said = [
        f"{called} ({typed('--sql', f'SELECT {_columns(columns)} FROM data')})"
        for called, columns in (ways[role] for role in roles if role != "run" or (apart and "run" not in query))
    ]
    tells_them = "tells them apart" if apart else "takes the same values in each"
    return (
        f"{shown(path)} has several records of an item, and '{key}' ({_listed(values)}) {tells_them}: read it as a "
        f"table in which it is {either(said)}"
    )


def _columns(columns: Mapping[str, str]) -> str:
    return ", ".join(sql if sql == role else f"{sql} AS {role}" for role, sql in columns.items())
