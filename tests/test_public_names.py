from __future__ import annotations

import ast
import pkgutil
from pathlib import Path

import pytest
from tests.fresh import printed

import scorebars


@pytest.mark.parametrize("name", scorebars.__all__)
def test_every_public_name_resolves(name):
    assert getattr(scorebars, name).__name__ == name


def test_all_and_the_table_agree():
    assert sorted(scorebars.__all__) == sorted(scorebars._HOME_OF)
    assert set(scorebars.__all__) <= set(dir(scorebars))


def test_type_checkers_see_the_same_names():
    tree = ast.parse(Path(scorebars.__file__).read_text(encoding="utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    imported = {
        alias.name: node.module for node in block.body if isinstance(node, ast.ImportFrom) for alias in node.names
    }
    assert imported == scorebars._HOME_OF


def test_no_public_name_is_that_of_a_submodule():
    modules = {module.name for module in pkgutil.iter_modules(scorebars.__path__)}
    assert modules
    assert not modules & set(scorebars.__all__)


def test_every_interval_and_estimator_is_public():
    from scorebars.effects import SPELLINGS as EFFECTS
    from scorebars.estimators import SPELLINGS
    from scorebars.intervals import INTERVALS, interval_named
    from scorebars.significance import SPELLINGS as TESTS

    made = [*(each() for each in EFFECTS.values()), *(each() for each in TESTS.values())]
    assert {type(each).__name__ for each in made} <= set(scorebars.__all__)
    families = {interval_named(name).__name__ for name in INTERVALS} | {
        place.partition(":")[2] for place in SPELLINGS.values()
    }
    assert families <= set(scorebars.__all__)


def test_unknown_name():
    with pytest.raises(AttributeError, match="no attribute 'estimat'"):
        _ = scorebars.estimat


def test_version_is_text():
    assert isinstance(scorebars.__version__, str)


def test_importing_loads_nothing_else():
    code = "import scorebars, sys; print(sorted(m for m in sys.modules if m.partition('.')[0] in HEAVY))"
    heavy = "HEAVY = {'numpy', 'scipy', 'duckdb', 'narwhals', 'rich', 'click', 'pandas', 'polars'}; "
    assert printed(heavy + code) == "[]\n"
