"""Tables of results: rows of texts and numbers, for pandas, for a file, for a paper, and for notebooks."""

import csv
import io
import re
from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Any

from ville.errors import MissingPackage
from ville.html_table import html_table
from ville.plain_text import csv_text, one_line

TableRow = dict[str, Any]
"""A row by its columns: texts and numbers, and what measures return."""
DIGITS = 3
"""Significant digits of a number in a paper, beside those of whole numbers."""
SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
}  # fmt: skip
"""Characters that mean something in LaTeX."""


class ResultTable(list[TableRow]):
    """Rows, each a dict, with the same columns. It is a list of them."""

    def __init__(self, columns: Sequence[str], rows: Iterable[TableRow]) -> None:
        super().__init__(rows)
        self.columns = tuple(columns)
        """Names of the columns."""

    def to_frame(self) -> Any:
        """Return a `pandas.DataFrame`, a row for each. Raises MissingPackage without pandas."""
        return pandas().DataFrame(list(self), columns=list(self.columns))

    def to_csv(self) -> str:
        """Return the text of a CSV file: a heading, and a line for each row."""
        text = io.StringIO(newline="")
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(map(csv_cell, self.columns))
        writer.writerows([csv_cell(row[name]) for name in self.columns] for row in self)
        return text.getvalue()

    def to_latex(self, columns: Sequence[str] = ()) -> str:
        """Return a LaTeX table for a paper, which needs the package booktabs; by default, of all columns."""
        shown = columns or self.columns
        kinds = "".join("l" if any(isinstance(row[name], str) for row in self) else "r" for name in shown)
        lines = [
            rf"\begin{{tabular}}{{{kinds}}}",
            r"\toprule",
            _latex_row(_latex_text(name.replace("_", " ")) for name in shown),
            r"\midrule",
            *(_latex_row(_latex(row[name]) for name in shown) for row in self),
            r"\bottomrule",
            r"\end{tabular}",
        ]
        return "\n".join(lines) + "\n"

    def _repr_html_(self) -> str:
        return html_table("", [[_shown(row[name]) for name in self.columns] for row in self], self.columns)


def pandas() -> Any:
    """Return the package pandas, which is optional. Raises MissingPackage."""
    try:
        return import_module("pandas")
    except ModuleNotFoundError:
        raise MissingPackage("Tables need pandas. In the project folder, type: pip install .[notebook]") from None


def csv_cell(value: object) -> object:
    """Return a number without a superfluous fraction, and a text that no spreadsheet program runs."""
    if isinstance(value, str):
        return csv_text(value)
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _shown(value: object) -> object:
    """Return a number as people read it."""
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value


def _latex(value: object) -> str:
    """Return a value as LaTeX; None is a dash."""
    match value:
        case None:
            return "--"
        case bool():
            return "yes" if value else "no"
        case int():
            return f"${value}$"
        case float():
            return f"${_latex_number(value)}$"
        case _:
            return _latex_text(str(value))


def _latex_number(value: float) -> str:
    """Return a number with three significant digits; large ones whole."""
    text = f"{value:.{DIGITS}g}"
    mantissa, _, power = text.partition("e")
    if not power:
        return text
    return f"{value:.0f}" if int(power) > 0 else rf"{mantissa} \times 10^{{{int(power)}}}"


def _latex_text(text: str) -> str:
    return re.sub(r"[\\{}&%$#_~^<>]", lambda found: SPECIAL[found[0]], one_line(text))


def _latex_row(cells: Iterable[str]) -> str:
    return " & ".join(cells) + r" \\"
