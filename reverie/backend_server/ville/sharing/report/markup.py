"""Markup of reports. What is not markup already is text, and is escaped."""

from collections.abc import Iterable, Sequence
from html import escape

from ville.plain_text import one_line, printable

MINUS = "\N{MINUS SIGN}"
DASH = "\N{EN DASH}"


class Html(str):
    """Markup, which is not escaped again."""

    __slots__ = ()


def markup(value: object) -> Html:
    """Return a value as markup: texts escaped, numbers with separators, None as a dash."""
    match value:
        case Html():
            return value
        case None:
            return Html(DASH)
        case bool():
            return Html("yes" if value else "no")
        case int():
            return Html(f"{value:,}".replace("-", MINUS))
        case _:
            return Html(escape(one_line(str(value))))


def element(name: str, *content: object, **attributes: str) -> Html:
    """Return an element; of attributes, `class_` is `class`, and `data_colour` is `data-colour`."""
    told = "".join(f' {key.rstrip("_").replace("_", "-")}="{escape(one)}"' for key, one in attributes.items() if one)
    return Html(f"<{name}{told}>{joined(content)}</{name}>")


def joined(parts: Iterable[object], between: str = "") -> Html:
    """Return parts as markup, one after the other."""
    return Html(between.join(map(markup, parts)))


def section(key: str, title: str, *parts: object) -> Html:
    """Return a part of a report; `key` is its anchor."""
    return element("section", element("h2", title), *parts, id=key)


def items(rows: Iterable[object]) -> Html:
    """Return a list; empty without rows."""
    found = [element("li", row) for row in rows]
    return element("ul", *found, class_="report-list") if found else Html()


def facts(given: Iterable[tuple[str, object]]) -> Html:
    """Return names with their values; what is empty is left out."""
    told = [(name, value) for name, value in given if value not in {None, ""}]
    rows = (element("div", element("dt", name), element("dd", value)) for name, value in told)
    return element("dl", *rows, class_="report-facts")


def block(text: str) -> Html:
    """Return a text as it is, in the letters of code."""
    return Html(f'<pre class="report-code">{escape(printable(text.strip()))}</pre>')


def table(heading: Sequence[object], *groups: tuple[object, Sequence[Sequence[object]]], words: int = 1) -> Html:
    """Return a table of groups of rows, each with its heading, if it has one. The first `words` columns are texts."""
    head = element("thead", element("tr", *(_cell("th", each, place < words) for place, each in enumerate(heading))))
    bodies = (element("tbody", *_group(title, rows, len(heading), words)) for title, rows in groups)
    whole = element("table", head, *bodies, class_="report-table")
    return element("div", whole, class_="wide-table report-wide", tabindex="0")


def _group(title: object, rows: Sequence[Sequence[object]], width: int, words: int) -> Iterable[Html]:
    if title:
        yield Html(f'<tr><th class="report-group" scope="rowgroup" colspan="{width}">{markup(title)}</th></tr>')
    for row in rows:
        cells = (_cell("td" if place else "th", each, place < words) for place, each in enumerate(row))
        yield element("tr", *cells)


def _cell(name: str, value: object, is_text: bool) -> Html:  # noqa: FBT001 - private
    return element(name, value, class_="" if is_text else "number")
