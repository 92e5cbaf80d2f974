"""Tables of a few rows, read without the database: what people type costs no start of one, nor do ten thousand files.

Only what is plain is read here: one known score column, an item in every row. Anything odd, an error too, is left to
the reader of large tables, so that there is one place for it.
"""

from __future__ import annotations

import csv
from codecs import BOM_UTF8
from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np

from scorebars.contracts import Part
from scorebars.engines.arms import are_arms, may_be_arms, of_columns
from scorebars.engines.file_runs import FILE
from scorebars.engines.headers import less_is_better, may_weigh, normal
from scorebars.engines.training import names_epoch
from scorebars.errors import ScorebarsError
from scorebars.kernels.distinct import distinct
from scorebars.readers.aggregates import is_error_header
from scorebars.readers.columns import arrange, explicit, split_column
from scorebars.readers.counts import is_part, may_be_counted
from scorebars.readers.files import opened
from scorebars.readers.filling import IDENTITY, OPTIONAL
from scorebars.readers.numbered import runs_among
from scorebars.readers.saved_map import place
from scorebars.readers.score_columns import GOLD_SCORE, SUMMED
from scorebars.readers.selection import FINE, JOINER
from scorebars.readers.small_cells import delimited_cells, json_cells
from scorebars.readers.sniff import kind_of
from scorebars.sample import Column

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from scorebars.contracts import FileHead, Listing, Request
    from scorebars.readers.columns import Layout
    from scorebars.readers.cut_cells import CutColumn
    from scorebars.readers.small_cells import Cells

LARGEST: Final = 16_384
"""Bytes of a file that is quicker to read here, once the database is open."""
LARGEST_TOGETHER: Final = 2 << 20
"""Bytes of all files that are quicker to read here than to open the database for."""
_FIRST_ROWS: Final = 50
_RARE: Final = {sign[:1]: [each for each in SUMMED if each[:1] == sign[:1]] for sign in SUMMED}
FEW_SCORES: Final = 1_000
"""Different scores up to which each is turned into a number once, not once a row."""
MANY_KEYS: Final = 1 << 30
"""More combinations of ids than this are numbered anew before another id is joined to them."""
_DRAWN: Final = 22
"""Letters of the shortest id that is drawn for each row."""
_UNIT: Final = "\x1f"
"""Between the texts of a row: no table has it."""


def largest(heads: Sequence[FileHead]) -> int:
    """Up to how many bytes each of these files is read here."""
    return LARGEST_TOGETHER if sum(head.size for head in heads) <= LARGEST_TOGETHER else LARGEST


def small_part(
    head: FileHead, request: Request, model: str, *, most: int = LARGEST, alone: bool = False
) -> Part | None:
    """The rows of a small and plain table; None for any other.

    Args:
        head: The file.
        request: What was asked.
        model: Its model, if no column says it.
        most: Bytes up to which a file is small.
        alone: Whether no other file is read, which could hold copies of its rows.
    """
    changed = request.options.categories or request.options.normalize or request.options.split
    if head.size > most or head.compression is not None or changed or head.member or place(head.path).exists():
        return None
    try:
        kind = kind_of(head)
        table = delimited_cells if kind == "delimited" else json_cells if kind == "json" else None
        found = table(head, _text(head)) if table else None
        if found is None:
            return None
        names, cells = found
        typed, where = request.columns, f"the file's name ('{model}')"
        if FILE in typed:
            from scorebars.readers.file_names import as_cells, by_name

            named_by_file = by_name(head.path, typed)
            cells = [*cells, *as_cells(named_by_file, cells)]
            names, typed = (*names, *named_by_file.texts), named_by_file.columns(typed)
            model, where = named_by_file.model(model)
        layout = arrange(names, explicit(typed, request.cluster, names), {})
    except (ScorebarsError, csv.Error, ValueError, RecursionError):
        return None
    asked_for = request.metric is not None and normal(request.metric) in map(normal, layout.ignored)
    models = [cells[names.index(name)] for name in layout.roles.get("model", ()) if name in names] or cells
    plain = not asked_for and _is_plain(layout, names) and not _has_objects(models)
    filled = _columns(layout, dict(zip(names, cells, strict=True)), model) if plain else None
    if filled is None or _is_doubtful(layout, names, cells, filled[1], alone=alone):
        return None
    if _may_be_answers(layout, dict(zip(names, cells, strict=True))) or _has_other_scores(layout, names, cells):
        return None
    columns, coded = filled
    pairs = tuple((columns[role], column) for role, column in coded.items())
    if not alone:
        columns["row_hash"] = _array([_UNIT.join(cell or "" for cell in row) for row in zip(*cells, strict=True)])
    listings = _listings(layout, dict(zip(names, cells, strict=True)), columns)
    return Part(head.path, "table", columns, _said(layout, where, columns), coded=pairs, listings=listings)


def _listings(layout: Layout, cells: Mapping[str, Cells], columns: Mapping[str, NDArray[Any]]) -> tuple[Listing, ...]:
    """What may be the ids of rows whose known ids only number them, as they do from the first row on."""
    if not layout.ignored or "item" in layout.asked or not _may_be_numbers(columns["item"][0]):
        return ()
    from scorebars.readers.row_numbers import listings_of

    return listings_of(layout, cells, columns)


def _may_be_numbers(first: str) -> bool:
    """Whether the first id may be the number of its row, or one that was drawn for it."""
    return first[-1:].isdigit() or len(first) >= _DRAWN


def _said(layout: Layout, where: str, columns: Mapping[str, object]) -> tuple[tuple[str, str], ...]:
    """Where each role came from."""
    said = [pair for pair in layout.said if pair[0] in columns]
    if "model" not in layout.roles:
        said.append(("model", where))
    if layout.metric:
        said.append(("metric", f"the header '{layout.metric}'"))
    if not any(role == "score" for role, _ in said):
        said.append(("score", f"column '{layout.scores[0]}'"))
    if layout.ignored:
        said.append(("ignored", ", ".join(f"'{name}'" for name in layout.ignored)))
    return tuple(said)


def _text(head: FileHead) -> str:
    """The whole file; a ValueError where it is not UTF-8 to its end or holds what is not read here."""
    if len(head.head) == head.size:
        data = head.head
    else:
        with opened(head.path) as stream:
            data = stream.read(head.size + 1)
    if len(data) != head.size or b"\0" in data or _is_summed(data):
        raise ValueError("not read here")
    return data.removeprefix(BOM_UTF8).decode()


def _is_summed(data: bytes) -> bool:
    """Whether a cell may be a number with its error: a letter is sooner looked for than a sign."""
    signs = (sign for letter, beginning in _RARE.items() if letter in data for sign in beginning)
    return any(sign in data for sign in signs)


def _is_plain(layout: Layout, names: Sequence[str]) -> bool:
    used = {name for columns in (*layout.roles.values(), layout.scores, layout.statuses) for name in columns}
    return (
        len(layout.scores) == 1
        and "item" in layout.roles
        and "weight" not in layout.roles
        and used <= set(names)
        and not any(is_error_header(name) or may_weigh(name) for name in layout.ignored)
        and not split_column(layout)
        and not less_is_better(layout.scores[0])
        and not runs_among(layout.ignored)
        and not may_be_counted(layout.ignored)
    )


def _has_objects(columns: Sequence[Cells]) -> bool:
    """Whether a JSON object, which may name a model or be one, stands in the first rows."""
    return any(cell is not None and cell.startswith("{") for column in columns for cell in column[:_FIRST_ROWS])


def _columns(
    layout: Layout, cells: dict[str, Cells], model: str
) -> tuple[dict[str, NDArray[Any]], dict[str, Column]] | None:
    """Role -> cells, and -> codes of ids; None where a row lacks what it must have, or asks for a closer look."""
    score = cells[layout.scores[0]]
    found: dict[str, NDArray[Any]] = {}
    coded: dict[str, Column] = {}
    spellings: dict[str, int] = {}
    for role, names in layout.roles.items():
        found[role], coded[role], spellings[role] = _id(*(cells[name] for name in names))
    for role, text in (("model", "" if "model" in found else model), ("metric", layout.metric)):
        if text:
            found[role], coded[role] = np.full(len(score), text, object), Column.constant(text, len(score))
    numbers, different = _numbered(score)
    empty = {role for role in OPTIONAL if role in coded and not coded[role].n_labels}
    ids = [text for role in ("item", "run") if role in coded for text in coded[role].labels.tolist()]
    odd = (
        not score
        or any(np.any(coded[role].codes < 0) for role in ("model", "item"))
        or empty & layout.asked
        # Models of one column that differ only in blanks around them: of these a note is due.
        or (len(layout.roles.get("model", ())) == 1 and spellings["model"] > coded["model"].n_labels)
        or any(text.endswith(".0") or text.startswith("[") for text in ids)
        or any(cell and (cell.lstrip().startswith(("[", "{")) or "," in cell or is_part(cell)) for cell in different)
    )
    if odd:
        return None
    found["score"] = _array(different)[numbers]
    if len(different) <= FEW_SCORES:
        coded["score"] = _column(numbers, different)
    if layout.statuses:
        found["status"] = _array(
            [_status(each) for each in zip(*(cells[name] for name in layout.statuses), strict=True)]
        )
    for role in empty:
        del found[role], coded[role]
    return found, coded


def _is_doubtful(
    layout: Layout, names: Sequence[str], cells: Sequence[Cells], coded: dict[str, Column], *, alone: bool
) -> bool:
    """Whether rows may be something else than they look: several are of one attempt, or what was asked repeats."""
    if _is_asked_about(layout, coded):
        return True
    doubtful = alone or "model" not in layout.roles or layout.roles.get("item") != ("item",)
    if "run" in coded and "model" not in layout.roles:
        from scorebars.engines.unknown_headers import are_configurations

        if are_configurations(coded["run"].labels.tolist()):
            return True
    if layout.ignored and _may_be_compared(layout, dict(zip(names, cells, strict=True))):
        return True
    if not (doubtful or layout.ignored):
        return False
    if not _repeats(coded):
        return _may_repeat(layout, dict(zip(names, cells, strict=True)), coded["model"])
    return doubtful or _may_tell(layout, dict(zip(names, cells, strict=True)))


def _is_asked_about(layout: Layout, coded: Mapping[str, Column]) -> bool:
    """Whether the headers of the cluster or the run may mean something else here: arms, epochs of a training."""
    own = {role: layout.roles[role][0] for role in ("cluster", "run") if role in coded and role not in layout.asked}
    if "run" in own and names_epoch(own["run"]) and coded["run"].n_labels > 1:
        return True
    return "cluster" in own and may_be_arms(own["cluster"]) and bool(of_columns(own["cluster"], coded))


def _may_be_answers(layout: Layout, cells: Mapping[str, Cells]) -> bool:
    """Whether the score may hold the right answers: another column has the same texts, but for blanks and capitals."""
    if not layout.ignored or normal(layout.scores[0]) != GOLD_SCORE or "score" in layout.asked:
        return False
    texts = _spelled(cells[layout.scores[0]])
    return len(texts) > 1 and any(_spelled(cells[name]) == texts for name in layout.ignored)


def _has_other_scores(layout: Layout, names: Sequence[str], columns: Sequence[Cells]) -> bool:
    """Whether numbers of another column may be scores too, of which a note is due."""
    if not layout.ignored or not layout.metric:
        return False
    from scorebars.engines.other_scores import alike, may_be_score, may_have_others

    cells = dict(zip(names, columns, strict=True))
    if not may_have_others(layout.scores[0]) or (scale := _range(cells[layout.scores[0]])) is None:
        return False
    ranges = (_range(cells[name]) for name in layout.ignored if may_be_score(name))
    return any(alike(scale, other) for other in ranges if other is not None)


def _range(cells: Cells) -> tuple[float, float] | None:
    """The lowest and the highest number; None for 0 and 1 alone, and where the first cell, or none, is a number."""
    first = next((cell for cell in cells if cell), "")
    if _number(first) is None:
        return None
    numbers = {number for cell in set(cells) if cell and (number := _number(cell)) is not None}
    return None if numbers <= {0.0, 1.0} else (min(numbers), max(numbers))


def _number(cell: str) -> float | None:
    try:
        return float(cell.strip().rstrip("%")) / (100.0 if cell.endswith("%") else 1.0)
    except ValueError:
        return None


def _spelled(cells: Cells) -> set[str]:
    return {text.strip().lower() for text in set(cells) if text}


def _may_repeat(layout: Layout, cells: Mapping[str, Cells], model: Column) -> bool:
    """Whether what was asked repeats in the rows of a model, whose ids may be of attempts."""
    if not layout.ignored or "item" in layout.asked:
        return False
    from scorebars.engines.unknown_headers import names_question

    asked = (cells[name] for name in layout.ignored if names_question(name))
    models = model.codes.tolist()
    return any(3 * len(set(zip(models, texts, strict=True))) <= 2 * len(models) for texts in asked)


def _may_be_compared(layout: Layout, cells: Mapping[str, Cells]) -> bool:
    """Whether a column of few values, without a role, may be what is compared, or what is set for several runs."""
    from scorebars.engines.unknown_headers import may_be_pooled, names_arm, names_configuration, names_setting

    def few(name: str) -> bool:
        return 1 < len(set(cells[name])) <= len(cells[name]) // 2

    if "model" not in layout.roles and any(few(name) for name in layout.ignored if may_be_pooled(name)):
        return True
    runs = "run" in layout.roles
    if any(few(name) for name in layout.ignored if names_configuration(name) or (runs and names_setting(name))):
        return True
    arms = (name for name in layout.ignored if names_arm(name))
    return any(few(name) and are_arms([text.strip() for text in set(cells[name]) if text]) for name in arms)


def _may_tell(layout: Layout, cells: Mapping[str, Cells]) -> bool:
    """Whether a column of few values, without a role, may tell rows of one attempt apart."""
    from scorebars.engines.unknown_headers import may_tell

    few = (name for name in layout.ignored if 1 < len(set(cells[name])) <= len(cells[name]) // 2)
    return any(may_tell(name) or names_epoch(name) for name in few)


def _repeats(coded: dict[str, Column]) -> bool:
    """Whether an attempt may stand in two rows: then copies have to be told from repeats."""
    keys, n_keys = np.zeros(len(coded["model"].codes), np.int64), 1
    for column in (coded[role] for role in (*IDENTITY, "run") if role in coded):
        if n_keys > MANY_KEYS:
            keys = np.unique(keys, return_inverse=True)[1]
            n_keys = len(keys)
        keys = keys * (column.n_labels + 1) + column.codes + 1
        n_keys *= column.n_labels + 1
    if n_keys <= 8 * len(keys):
        return bool(np.bincount(keys).max() > 1)
    return len(distinct(keys)) < len(keys)


def _id(*columns: Cells) -> tuple[NDArray[Any], Column, int]:
    """The trimmed text of each row, its code, and of how many texts; several columns are joined."""
    cells = columns[0] if len(columns) == 1 else [_joined(row) for row in zip(*columns, strict=True)]
    numbers, different = _numbered(cells)
    trimmed = [_joined((cell,)) for cell in different]
    n_spelled = sum(text is not None for text in trimmed)
    return _array(trimmed)[numbers], _column(numbers, trimmed), n_spelled


class _Numbers(dict["str | None", int]):
    """Texts and their numbers, in the order in which they are first asked for."""

    def __missing__(self, text: str | None) -> int:
        self[text] = number = len(self)
        return number


def _numbered(cells: Cells) -> tuple[NDArray[np.int32], list[str | None]]:
    """For each cell the number of its text, and the different texts; every cell is looked up once."""
    if not isinstance(cells, list | tuple):
        column = cast("CutColumn", cells)
        return column.numbers, column.texts
    numbers = _Numbers()
    return np.fromiter(map(numbers.__getitem__, cells), np.int32, len(cells)), list(numbers)


def _column(numbers: NDArray[np.int32], texts: Sequence[str | None]) -> Column:
    """The column whose cells have these of the texts."""
    labels = sorted({text for text in texts if text is not None})
    place = {text: code for code, text in enumerate(labels)}
    codes = np.array([-1 if text is None else place[text] for text in texts], np.int32)
    return Column.of(codes[numbers], _array(labels))


def _joined(cells: Sequence[str | None]) -> str | None:
    """One trimmed text; None only if every part is."""
    parts = [trimmed for cell in cells if cell and (trimmed := cell.strip(" "))]
    return JOINER.join(parts) if parts else None


def _status(cells: Iterable[str | None]) -> str:
    return "ok" if all((cell or "").strip(" ").lower() in FINE for cell in cells) else "error"


def _array(cells: Sequence[str | None]) -> NDArray[Any]:
    column = np.empty(len(cells), dtype=object)
    column[:] = cells
    return column
