"""What readers get and give."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from scorebars.notes import Note
    from scorebars.sample import Column


@dataclass(frozen=True, slots=True)
class FileHead:
    """What detection looks at: never more than the first bytes, decompressed."""

    path: Path
    suffixes: tuple[str, ...]
    """Lower-case suffixes without the compression's, such as ('.jsonl',)."""
    head: bytes
    """First 64 KiB, decompressed if the file is .gz or .zst.

    Of JSON that no reader knows by these, as many with long texts shortened, and from the first record with keys on.
    """
    size: int
    compression: str | None
    """'gz', 'zst' or None."""
    explicit: bool = True
    """Named by the user; files met in a folder or by a glob may turn out to hold no scores."""
    member: str = ""
    """The sheet or table that the user named in it ('results.xlsx#Sheet1'); '' for the whole file."""
    root: Path | None = None
    """The folder that the user named, where the file was met below one; all that lies in it is asked for."""


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """Choices that only some formats need. One that no reader of the given files honours is an error, never ignored."""

    items: tuple[str, ...] | None = None
    """Ids of all items, where a file lists only those that were solved."""
    normalize: str | None = None
    """Name of a table of reference scores ('ale57'), or a path to one, that raw scores are normalised by."""
    at: str | None = None
    """Which point of a learning curve is the score: 'final', 'mean:10' (of the last ten), 'step:1e6'."""
    dates: tuple[str, str] | None = None
    """First and last day (ISO, inclusive; '' is open) of the items that count."""
    split: str | None = None
    """Which split of the data set ('test', 'valid'), where a file holds several."""
    categories: Mapping[str, float] | None = None
    """Numbers of scores that are words: ``{"partial": 0.5}``."""
    latest: bool = False
    """Of several logs of the same model and task, only the newest counts."""
    repeats_as_runs: bool = False
    """Several logs of the same model and task are further runs of it."""


@dataclass(frozen=True, slots=True)
class Request:
    """What the caller of ``read`` asked for, as far as a reader needs it."""

    columns: Mapping[str, str]
    """Explicit mapping, role -> column of the file, or several joined as 'agent+model'."""
    cluster: str | None
    """Column or metadata field (``metadata.passage``) to take the cluster from."""
    engine: Any
    """The ``engines.duckdb.Engine`` of this call; readers that answer with SQL run against it."""
    options: ReadOptions = field(default_factory=ReadOptions)
    """What only some formats ask: the item universe, normalisation, a split …"""
    no_clusters: bool = False
    """Whether the clusters that are read are left out in the end."""
    metric: str | None = None
    """The metric that was asked for: a column of that name is the score, known as one or not."""
    beside: tuple[Path, ...] = ()
    """Files of the same format that are read under labels: they are named no more, and others are as beside them."""


Settings = tuple[tuple[str, str], ...]
"""(name, value) of each setting that attempts were made with, as text."""
SettingsOf = tuple[tuple[tuple[str, ...], Settings], ...]
"""The settings of each model and task: ((model, task, …), settings)."""


_FEWEST: Final = 5
"""Numbers of two models from which on it is no chance that they are the same."""


@dataclass(frozen=True, slots=True, eq=False)
class Listing:
    """What may be the ids of a model's rows, in a table whose items are places, or ids that only number the rows."""

    column: str
    model: str
    places: Mapping[str, str]
    """Text of the column, after that of the task -> the item that its row was taken for. Of many rows a part, chosen by
    the text alone, so that it is the same in all tables."""

    is_unnamed: bool = False
    """Whether the column has no header ('column 1')."""
    numbers: str = ""
    """The column that is taken for the item and only numbers the rows, if there is one."""
    must_be_same: bool = False
    """Whether only all of its texts, most of them in other places, say something: numbers and times agree by chance."""

    @property
    def may_be_named(self) -> bool:
        """Whether the column is worth naming as the likely item where nothing speaks against the places of rows."""
        return not (self.is_unnamed or self.must_be_same)

    @property
    def counts_rows(self) -> bool:
        """Whether the column only numbers the rows, from whatever number on."""
        own = [text.rpartition("\x1f")[2] for text in self.places]
        if not all(text.isascii() and text.isdigit() for text in own):
            return False
        return len({int(text) - int(place) for text, place in zip(own, self.places.values(), strict=True)}) == 1

    def shared(self, other: Listing) -> list[str]:
        """The texts of both, where these are half of the smaller side or more; else none."""
        few, many = sorted((self.places, other.places), key=len)
        if self.must_be_same or other.must_be_same:
            return list(few) if len(few) >= _FEWEST and few.keys() == many.keys() else []
        both = [text for text in few if text in many]
        return both if 2 * len(both) >= len(few) else []

    def moved(self, other: Listing) -> int:
        """How many shared texts stand in different places, so that pairs by place are wrong; 0 if that may be chance.

        Where one side has texts that the other lacks, a few may be answers that two models gave to two questions.
        """
        both = self.shared(other)
        moved = sum(self.places[text] != other.places[text] for text in both)
        if self.must_be_same or other.must_be_same:
            return moved if 2 * moved >= len(both) else 0
        same = len(both) == len(self.places) == len(other.places)
        return moved if same or moved * 10 >= len(both) else 0


@dataclass(frozen=True, slots=True)
class Part:
    """The rows of one file under scorebars' own names, and how they were got.

    ``rows`` maps roles (model, task, item, run, metric, variant, score, status, cluster, weight) to equally long
    arrays (text roles: object arrays of str; scores: floats, or text that one place converts later; status: the text
    ok, error, missing or unscored), or is an SQL SELECT for the request's engine with the same column names, all
    text except weight. Roles that a file does not have are left out. Row order is file order.
    """

    path: Path
    reader: str
    rows: Mapping[str, NDArray[Any]] | str
    mapping: tuple[tuple[str, str], ...] = ()
    """(role, where it came from), for ``--explain``."""
    dropped: tuple[tuple[str, int], ...] = ()
    """(why, how many rows) were left out by the reader, for ``--explain`` and the result."""
    notes: tuple[Note, ...] = ()
    on_error: str = "drop"
    """The producer's own rule for rows without a score: 'wrong' or 'drop'."""
    score_range: tuple[float, float] | None = None
    """Where the format or the metric fixes it."""
    unusable: tuple[tuple[str, str], ...] = ()
    """(metric, why it is no score) of metrics that the file has and ``rows`` leaves out: tuples, categories, nulls.

    Asked for by name, the reason is the error; else it is listed beside the metrics that can be chosen.
    """
    created: str | None = None
    """When these results were made (ISO 8601), where the format says: tells several of one model and task apart."""
    words: tuple[str, ...] = ()
    """Words that scores are, where ``categories`` were given: those as the user spells them, and some others."""
    unfinished: str = ""
    """Why these are not the results of a whole run ("its status is 'cancelled'"); '' where they are, or if unknown."""
    own_scales: str = ""
    """Where each task's scores are raw, on a scale of its own: what brings them to one, for the note on their mean."""
    suite: str = ""
    """The benchmark that all tasks are of, as returns of games have one ('ale57', 'dmc'); "" for any other."""
    coded: tuple[tuple[NDArray[Any], Column], ...] = ()
    """Arrays of ``rows`` whose codes the reader has already, each with its codes; empty cells are −1."""
    numbered: tuple[str, Mapping[str, Column]] | None = None
    """A query of which the reader has numbered ids already, and their codes by role; of use while it is ``rows``."""
    items_by_place: bool = False
    """Whether an item is the number of its row, line or place in a list, so that files of two lengths do not pair."""
    listings: tuple[Listing, ...] = ()
    """Of a table without ids of items, or with numbers of its rows: what may be these, by column and model."""
    settings: SettingsOf = ()
    """How attempts were made, where a log says it, by model and task.

    Attempts of one model and task that were made with other settings may not be repeats of one thing, which is said.
    """
    official: str = ""
    """What the official tool does with rows without a score, for ``--explain``; ``read`` takes it from the reader."""


def with_models(part: Part, names: Mapping[str, str]) -> Part:
    """The part whose models have other names, old -> new, as far as it knows them without its rows."""
    return replace(part, listings=renamed(part.listings, names)) if part.listings else part


def renamed(listings: Iterable[Listing], names: Mapping[str, str]) -> tuple[Listing, ...]:
    """Listings whose models have other names, old -> new."""
    return tuple(replace(one, model=names.get(one.model, one.model)) for one in listings)


class Reader(Protocol):
    """One file format. A module a format; detected from content, in the order of the family's list."""

    @property
    def name(self) -> str:
        """'inspect', 'lm-eval', 'table'."""
        ...

    def claims(self, head: FileHead) -> bool:
        """Whether this file is in this format, judged from its head alone."""
        ...

    def read(self, heads: Sequence[FileHead], request: Request) -> Iterator[Part]:
        """Read the files that this reader claimed; a ReadError names the file and line or member.

        One part a file, in their order. A file that only lends something to the others (a model's name) gives none.
        A file that holds no score gives :func:`scorebars.readers.records.empty_part`, or an error if it was named.
        """
        ...
