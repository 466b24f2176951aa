"""Elements of drawings in SVG, as text."""

import re
from typing import Any
from xml.sax.saxutils import escape, quoteattr

LETTER = 6.3
"""Average width of a letter of a text in size 12."""
MOST_LINES = 3
NO_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML does not know."""


def svg_tag(name: str, content: str = "", *, raw: bool = False, **attributes: Any) -> str:
    """Return an element; `raw`: its content is markup."""
    texts = {key: svg_number(value) if isinstance(value, float) else str(value) for key, value in attributes.items()}
    values = "".join(f" {key.rstrip('_').replace('_', '-')}={quoteattr(text)}" for key, text in texts.items())
    inner = content if raw else escape(content)
    made = f"<{name}{values}>{inner}</{name}>" if inner else f"<{name}{values}/>"
    return NO_XML.sub("\ufffd", made)


def svg_text(x: float, y: float, text: str, **attributes: Any) -> str:
    """Return a line of text."""
    return svg_tag("text", text, x=x, y=y, **attributes)


def svg_number(value: float) -> str:
    """Return a coordinate with one decimal at most."""
    return f"{value:.1f}".removesuffix(".0")


def text_lines(text: str, width: float, *, most: int = MOST_LINES) -> list[str]:
    """Return a text in lines of about this width, broken after spaces, hyphens and underscores."""
    room = max(4, int(width / LETTER))
    lines = [""]
    for part in re.findall(r"[^\s_-]*[\s_-]*", text):
        for piece in (part[place : place + room] for place in range(0, len(part), room)):
            if lines[-1] and len(lines[-1]) + len(piece.rstrip()) > room:
                lines.append("")
            lines[-1] += piece
    found = [line.strip() for line in lines]
    return found if len(found) <= most else [*found[: most - 1], f"{found[most - 1][: room - 1]}…"]
