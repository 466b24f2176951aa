"""The one place where keys are taken out of texts: whatever a provider or the SDK says passes through a `Mask`.

A server may quote the header it was sent, plain or as base64; an exception may quote an address with its password.
"""

import re
from base64 import b64decode
from collections.abc import Iterator
from urllib.parse import quote, unquote

from ville.settings.server_urls import secrets_in

KEYLIKE = re.compile(r"\b(?:(?:sk|or|gsk)[-_*]|AIza)[\w*.-]{7,}")
"""What looks like a key, also one with its middle starred out, as some providers quote it."""
BASE64 = re.compile(r"[\w+/-]{6,}={0,2}", re.ASCII)
SHORTEST = 4
"""Characters of a secret: what is shorter would be found in every other word."""
LONGEST = 300
"""Characters of a complaint that are passed on."""
MASKED = "(the key)"


class Mask:
    """Knows what must not be read by anybody, and takes it out of texts."""

    def __init__(self, key: str = "", address: str = "") -> None:
        secrets = [text for text in (key, *secrets_in(address)) if len(text) >= SHORTEST]
        forms = {form for text in secrets for form in (text, unquote(text), quote(unquote(text), safe=""))}
        self._forms = sorted(forms, key=len, reverse=True)

    def text(self, text: str) -> str:
        """The same text without the secrets in any of their forms."""
        for form in self._forms:
            text = text.replace(form, MASKED)
        return BASE64.sub(lambda found: MASKED if self._encodes(found[0]) else found[0], text) if self._forms else text

    def line(self, text: str) -> str:
        """One short line that can be shown anywhere; what only looks like a key is taken out, too."""
        whole = text.encode("utf-8", "replace").decode()
        line = " ".join(KEYLIKE.sub("(a key)", self.text(whole)).split()).rstrip(".")
        return line if len(line) <= LONGEST else f"{line[:LONGEST]}…"

    def _encodes(self, word: str) -> bool:
        """Whether a word is base64 of something with a secret in it, wherever in the word that begins."""
        return any(form.encode() in decoded for decoded in _decoded(word) for form in self._forms)


def _decoded(word: str) -> Iterator[bytes]:
    """The bytes that a word may stand for: a beginning or an end that was cut off is tolerated."""
    signs = word.rstrip("=").replace("-", "+").replace("_", "/")
    for start in range(4):
        whole = signs[start:]
        whole = whole[:-1] if len(whole) % 4 == 1 else whole
        yield b64decode(whole + "=" * (-len(whole) % 4))
