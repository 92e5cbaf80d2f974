"""Which column of a frame plays which role."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scorebars.engines.arrays import factorised, joined
from scorebars.engines.coding import TEXT_ROLES
from scorebars.engines.frames import is_lazy, numpy_columns
from scorebars.engines.headers import ALIASES, BESIDE_METRIC, METRICS, claims, normal
from scorebars.errors import ArgumentError, ScoresError, near_miss
from scorebars.sample import Column

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from numpy.typing import NDArray


def role_mapping(
    available: list[str],
    named: Mapping[str, Any],
    constants: Mapping[str, str],
    taken: Collection[str] = (),
    *,
    frame: Any = None,
    indexed: bool = False,
) -> dict[str, tuple[str, ...]]:
    """Which columns each role is taken from.

    A role without a name falls back on a column of its own name, else on the one with a header that files know it by.
    Columns in ``taken`` are something else. Which of two items is proposed, the cells of the frame say, if it is given.

    Raises:
        ScoresError: A named column that is not there, no score, or two columns for one role.
        ArgumentError: A name that is no text, or several names where one column is meant.
    """
    _check_constants(named, constants)
    mapping: dict[str, tuple[str, ...]] = {}
    # Items do not cluster by what was named as something else; another role may well be of the same column.
    is_named = any(
        wanted == "cluster" or (isinstance(wanted, tuple | list) and "cluster" in wanted) for wanted in named.values()
    )
    for role, wanted in named.items():
        if wanted is None:
            if role in available and role not in constants and not (role == "cluster" and is_named):
                mapping[role] = (role,)
            continue
        if not isinstance(wanted, str | tuple | list):
            raise ArgumentError(f"{role}={wanted!r} names no column; give the column's name, or a tuple of names")
        names = (wanted,) if isinstance(wanted, str) else tuple(wanted)
        _check_number(role, names)
        for name in names:
            if name not in available:
                raise ScoresError(f"no column '{name}' for {role}{near_miss(str(name), available)}")
        mapping[role] = names
    mapping |= _by_alias(available, set(named) - set(mapping) - set(constants), {*taken, *_columns_of(mapping)}, frame)
    if "score" not in mapping:
        if frame is not None:
            from scorebars.engines.frame_wide import refuse_wide

            refuse_wide(frame, available, mapping, indexed=indexed)
        raise ScoresError(
            f"no column is called 'score'; name the column of the score, score=…{near_miss('score', available)}"
        )
    return mapping


def _check_number(role: str, names: tuple[Any, ...]) -> None:
    """Raise an ArgumentError for no column, or for several in a role whose texts cannot be joined."""
    if len(names) == 1 or (names and role in TEXT_ROLES):
        return
    if not names:
        raise ArgumentError(f"{role}={names!r} names no column; give the column's name")
    several = ""
    if role == "score":
        several = ", or give each a row of its own, with a column 'metric' that says which"
    raise ArgumentError(
        f"{role}={list(names)!r} names {len(names)} columns, and a {role} is one: "
        f"name one ({role}={names[0]!r}){several}"
    )


def _columns_of(mapping: Mapping[str, tuple[str, ...]]) -> set[str]:
    return {name for names in mapping.values() for name in names}


def _by_alias(
    available: list[str], roles: Collection[str], taken: Collection[str], frame: Any
) -> dict[str, tuple[str, ...]]:
    """The columns whose headers say their role, as in files; two for one role are an error, as in files.

    A status has no other name here: in a frame the column 'error' may hold anything.
    """
    free = [name for name in available if name not in taken]
    found: dict[str, tuple[str, ...]] = {}
    idle = _idle(free, roles, frame)
    for role in (role for role in ALIASES if role in roles and role != "status"):
        candidates = [name for name in claims(role, free) if name not in idle]
        if role == "score" and not candidates:
            candidates = _scores(free, beside_metric=bool(claims("metric", available)))
        if len(candidates) > 1:
            listed = ", ".join(f"'{name}'" for name in candidates)
            right = _repeating(candidates, frame) if role == "item" and frame is not None else candidates[0]
            key = f"; '{candidates[0]}' is another in every row, and '{right}' repeats" * (right != candidates[0])
            raise ScoresError(f"columns {listed} could each be the {role}: name the right one, {role}='{right}'{key}")
        if candidates:
            found[role] = (candidates[0],)
            free.remove(candidates[0])
    return found


def _scores(free: list[str], *, beside_metric: bool) -> list[str]:
    """Columns with the header of a metric; without one, the value beside a column that says which metric it is of."""
    known = [name for name in free if normal(name) in METRICS]
    return known or [name for name in free if beside_metric and normal(name) == BESIDE_METRIC]


def _idle(free: list[str], roles: Collection[str], frame: Any) -> Collection[str]:
    """Columns that claim the role of the model or task beside others, and say nothing that these do not say."""
    several = [role for role in ("model", "task") if role in roles and len(claims(role, free)) > 1]
    if frame is None or not several or is_lazy(frame):
        return ()
    from scorebars.engines.belonging import idle_claims
    from scorebars.engines.frame_claims import Counts

    has_role = {role: () for role in ("model", "task") if role not in roles}
    return idle_claims(free, has_role, Counts(frame))


def _repeating(candidates: list[str], frame: Any) -> str:
    """The one of several columns that is the item: the first, unless that is another in every row, and one repeats."""
    if is_lazy(frame):
        return candidates[0]
    from scorebars.engines.unknown_headers import names_document

    arrays = numpy_columns(frame, candidates)
    texts = {name: list(map(str, arrays[name].tolist())) for name in candidates}
    n, different = len(texts[candidates[0]]), {name: len(set(texts[name])) for name in candidates}
    repeat = [name for name in candidates[1:] if 2 < 2 * different[name] <= n and not names_document(name)]
    return repeat[0] if different[candidates[0]] == n and len(repeat) == 1 else candidates[0]


def _check_constants(named: Mapping[str, Any], constants: Mapping[str, str]) -> None:
    for role in constants:
        if role not in TEXT_ROLES:
            raise ArgumentError(f"constants={{'{role}': …}} names no role of text{near_miss(role, TEXT_ROLES)}")
        if named.get(role) is not None:
            raise ArgumentError(f"{role} is given twice, as the column {named[role]!r} and as a constant; give one")


def role_values(frame: Any, values: Mapping[str, str]) -> dict[str, NDArray[Any]]:
    """Value columns under their names."""
    arrays = numpy_columns(frame, list(dict.fromkeys(values.values())))
    return {name: arrays[column] for name, column in values.items()}


def role_columns(frame: Any, mapping: Mapping[str, tuple[str, ...]], constants: Mapping[str, str]) -> dict[str, Any]:
    """Columns under their roles; several are joined, constants are filled in."""
    wanted = list(dict.fromkeys(name for names in mapping.values() for name in names))
    arrays = numpy_columns(frame, wanted)
    columns: dict[str, Any] = {
        role: arrays[names[0]] if len(names) == 1 else joined([factorised(arrays[name], name) for name in names])
        for role, names in mapping.items()
    }
    n_rows = len(columns["score"])
    return columns | {role: Column.constant(str(text), n_rows) for role, text in constants.items()}
