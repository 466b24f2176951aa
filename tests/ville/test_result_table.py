"""Tables of results: the same rows for pandas, spreadsheets, papers and notebooks."""

import csv
import io

from hypothesis import given
from hypothesis import strategies as st

from ville.result_table import ResultTable

TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), max_size=12)
CELLS = st.none() | st.booleans() | st.integers(-99, 99) | st.floats(-1e9, 1e9) | TEXTS
ROWS = st.lists(st.fixed_dictionaries({"who": TEXTS, "how_many": CELLS}), max_size=4)


@given(ROWS)
def test_every_form_has_every_row(rows):
    """In order, and with the same columns also without rows."""
    table = ResultTable(("who", "how_many"), rows)
    assert table == rows
    assert list(table.to_frame().columns) == ["who", "how_many"]
    assert len(table.to_frame()) == len(rows)
    heading, *read = csv.reader(io.StringIO(table.to_csv(), newline=""))
    assert (heading, len(read)) == (["who", "how_many"], len(rows))
    assert table._repr_html_().count("<tr>") == len(rows) + 1
    assert len(table.to_latex().splitlines()) == len(rows) + 6


@given(TEXTS)
def test_whatever_a_text_has_is_no_command_of_latex(text):
    """Of braces, as many open as close; what begins a comment, a formula or a cell is escaped."""
    line = ResultTable(("a",), [{"a": text}]).to_latex().splitlines()[4].removesuffix(r" \\")
    plain = line.replace(r"\{", "").replace(r"\}", "")
    assert plain.count("{") == plain.count("}")
    for special in "%&$#_":
        assert line.count(special) == line.count(f"\\{special}") == text.count(special)


def test_numbers_of_a_paper_are_short():
    """Three digits, whole numbers as they are, and a dash where there is none; only the columns that are asked for."""
    row = {"a": 1.23456, "b": 12345, "c": None, "d": 2.5e-7, "e": "100 %", "f": 123456.7, "g": True}
    table = ResultTable(tuple(row), [row])
    cells = table.to_latex().splitlines()[4]
    assert cells == r"$1.23$ & $12345$ & -- & $2.5 \times 10^{-7}$ & 100 \% & $123457$ & yes \\"
    assert table.to_latex(("b", "e")).splitlines()[4] == r"$12345$ & 100 \% \\"
