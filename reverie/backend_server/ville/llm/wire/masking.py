"""Remove API keys and passwords from texts of providers and of what sends requests to them.

A server may quote a header that it received, plain or in base64; an exception may quote an address with its password.
"""

import re
from base64 import b64decode
from collections.abc import Iterator
from urllib.parse import quote, unquote

from ville.settings.server_urls import secrets_in

KEYLIKE = re.compile(r"\b(?:(?:sk|or|gsk)[-_*]|AIza)[\w*.-]{7,}")
"""Matches text that looks like a key, also with asterisks in its middle, as some providers quote it."""
BASE64 = re.compile(r"[\w+/-]{6,}={0,2}", re.ASCII)
MIN_SECRET = 4
"""Shorter secrets are not masked: they would be found in ordinary words."""
MAX_LINE = 300
"""Characters of a message that are kept."""
MASKED = "(the key)"


class Mask:
    """Replaces the secrets of one endpoint in texts."""

    def __init__(self, key: str = "", address: str = "") -> None:
        secrets = [text for text in (key, *secrets_in(address)) if len(text) >= MIN_SECRET]
        forms = {form for text in secrets for form in (text, unquote(text), quote(unquote(text), safe=""))}
        self._forms = sorted(forms, key=len, reverse=True)

    def text(self, text: str) -> str:
        """Return a text without the secrets, whether plain, URL-encoded or in base64."""
        for form in self._forms:
            text = text.replace(form, MASKED)
        return BASE64.sub(lambda found: MASKED if self._encodes(found[0]) else found[0], text) if self._forms else text

    def line(self, text: str) -> str:
        """Return a text as one short line without secrets, and without anything that looks like a key."""
        whole = text.encode("utf-8", "replace").decode()
        line = " ".join(KEYLIKE.sub("(a key)", self.text(whole)).split()).rstrip(".")
        return line if len(line) <= MAX_LINE else f"{line[:MAX_LINE]}…"

    def _encodes(self, word: str) -> bool:
        """Whether a word contains base64 of a secret, starting anywhere in it."""
        return any(form.encode() in decoded for decoded in _decoded(word) for form in self._forms)


def _decoded(word: str) -> Iterator[bytes]:
    """Yield what a word may decode to, at each of the four offsets, ignoring an incomplete end."""
    signs = word.rstrip("=").replace("-", "+").replace("_", "/")
    for start in range(4):
        whole = signs[start:]
        whole = whole[:-1] if len(whole) % 4 == 1 else whole
        yield b64decode(whole + "=" * (-len(whole) % 4))
