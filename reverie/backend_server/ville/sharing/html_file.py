"""One HTML file that holds everything it shows, and may load nothing: its policy allows its own script and style only.

Data are compressed (zlib) and in base64, so whatever people say, it cannot be markup.
"""

import base64
import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from html import escape

from ville.json_types import Json
from ville.version import VERSION

LEVEL = 9


@dataclass(frozen=True)
class HtmlFile:
    """Parts of a file."""

    title: str
    script: str
    """Empty for a page that needs none, and may have none."""
    style: str
    data: Mapping[str, Json]
    """Data by the id of their element."""
    pictures: Mapping[str, bytes]
    """WebP by the id of their element."""
    body: str = ""
    """Markup."""
    page: str = "viewer recording shared"
    """Classes of the page."""

    def text(self) -> str:
        """Return the whole file."""
        blocks = [
            f'<script type="text/plain" id="{name}">{packed(value)}</script>' for name, value in self.data.items()
        ]
        images = [
            f'<img id="{name}" alt="" hidden src="data:image/webp;base64,{base64.b64encode(content).decode()}">'
            for name, content in self.pictures.items()
        ]
        return "\n".join(
            [
                "<!doctype html>",
                '<html lang="en">',
                "<head>",
                '<meta charset="utf-8">',
                f'<meta http-equiv="Content-Security-Policy" content="{self._policy}">',
                '<meta name="viewport" content="width=device-width, initial-scale=1">',
                '<meta name="color-scheme" content="light dark">',
                '<meta name="referrer" content="no-referrer">',
                f'<meta name="generator" content="The Ville {VERSION}">',
                '<link rel="icon" href="data:,">',
                f"<title>{escape(self.title)}</title>",
                f"<style>{self.style}</style>",
                "</head>",
                f'<body class="{self.page}">',
                self.body,
                *images,
                *blocks,
                *([f"<script>{self.script}</script>"] if self.script else []),
                "</body>",
                "</html>",
                "",
            ]
        )

    @property
    def _policy(self) -> str:
        scripts = _hash(self.script) if self.script else "'none'"
        return (
            f"default-src 'none'; img-src data: blob:; style-src {_hash(self.style)}; "
            f"script-src {scripts}; base-uri 'none'; form-action 'none'"
        )


def packed(value: Json) -> str:
    """Return a value as compressed JSON in base64."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return base64.b64encode(zlib.compress(text.encode(), LEVEL)).decode()


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(sha256(text.encode()).digest()).decode()}'"
