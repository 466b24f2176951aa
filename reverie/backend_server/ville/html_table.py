"""Tables for notebooks. What they show may come from anywhere, so it is text and never HTML."""

from collections.abc import Iterable, Sequence
from html import escape

from ville.plain_text import one_line


def html_table(title: str, rows: Iterable[Sequence[object]], heading: Sequence[str] = ()) -> str:
    """Return a table; without a heading, the first cell of each row is what the others are about."""
    caption = f"<caption>{_text(title)}</caption>" if title else ""
    head = f"<thead>{_row(heading, 'th')}</thead>" if heading else ""
    body = "".join(_row(row, "td", "td" if heading else "th") for row in rows)
    return f"<table>{caption}{head}<tbody>{body}</tbody></table>"


def _row(cells: Sequence[object], kind: str, first: str = "") -> str:
    kinds = [first or kind, *[kind] * (len(cells) - 1)]
    shown = (f'<{one} style="text-align: left">{_text(cell)}</{one}>' for one, cell in zip(kinds, cells, strict=True))
    return f"<tr>{''.join(shown)}</tr>"


def _text(value: object) -> str:
    """Return a value as text in HTML; numbers with separators, None as a dash."""
    match value:
        case None:
            return "–"
        case bool():
            return "yes" if value else "no"
        case int() | float():
            return f"{value:,}"
        case _:
            return escape(one_line(str(value)))
