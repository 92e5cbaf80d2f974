"""What all results can do: become text, rows of a frame, a notebook cell."""

from __future__ import annotations

from abc import ABC, abstractmethod
from importlib import import_module
from typing import TYPE_CHECKING, Any

from scorebars.errors import OutputError
from scorebars.outputs import render_with

if TYPE_CHECKING:
    from scorebars.outputs.view import View


class Printed(ABC):
    """A result with a view. Everything below is made from the view."""

    __slots__ = ()

    @abstractmethod
    def view(self) -> View:
        """Everything that an output prints, in words and rounded numbers."""

    def to_dicts(self) -> list[dict[str, Any]]:
        """One flat dictionary a result, full precision; a number that does not exist is NaN, see ``missing``."""
        csv = import_module("scorebars.outputs.csv")
        return [csv.flat(record) for record in self.view().records]

    def to_polars(self) -> Any:
        """A Polars DataFrame of :meth:`to_dicts`."""
        return _frame_library("polars").DataFrame(self.to_dicts(), infer_schema_length=None)

    def to_pandas(self) -> Any:
        """A pandas DataFrame of :meth:`to_dicts`."""
        return _frame_library("pandas").DataFrame(self.to_dicts())

    def to_markdown(self) -> str:
        """A Markdown table with the facts and notes below it."""
        return render_with("markdown")(self.view())

    def to_latex(self) -> str:
        """A LaTeX table in booktabs style, the facts and notes as comments."""
        return render_with("latex")(self.view())

    def to_csv(self) -> str:
        """CSV, one row a result, full precision."""
        return render_with("csv")(self.view())

    def to_json(self) -> str:
        """JSON with its own ``format_version``, full precision."""
        return render_with("json")(self.view())

    def __str__(self) -> str:
        return render_with("table")(self.view()).rstrip("\n")

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return render_with("html")(self.view())


def _frame_library(name: str) -> Any:
    """The frame library, or a sentence that says how to get it."""
    try:
        return import_module(name)
    except ImportError as error:
        raise OutputError(
            f"{name} is not installed; install it with `pip install {name}`, or use to_dicts()"
        ) from error
