"""Members of a JSON object one by one: the json module keeps all threads waiting while it reads a large value."""

import json
import re
from collections.abc import Iterator

from ville.json_types import Json

_SPACE = re.compile(r"[ \t\n\r]*")


def members(text: str, decoder: json.JSONDecoder) -> Iterator[tuple[str, Json]]:
    """Yield the members of a JSON object. Raises ValueError where the text turns out to be something else."""
    at = _after(text, 0, "{")
    is_more = not text.startswith("}", at)
    while is_more:
        if not text.startswith('"', at):
            raise ValueError("a name is missing")
        name, at = decoder.raw_decode(text, at)
        value, at = decoder.raw_decode(text, _after(text, at, ":"))
        yield name, value
        at = _space(text, at)
        is_more = text.startswith(",", at)
        at = _after(text, at, ",") if is_more else at
    if _after(text, at, "}") < len(text):
        raise ValueError("something follows the object")


def _after(text: str, at: int, sign: str) -> int:
    """Return where a text goes on after a sign, and the space around it. Raises ValueError if there is another."""
    at = _space(text, at)
    if not text.startswith(sign, at):
        raise ValueError(f"{sign} is missing")
    return _space(text, at + 1)


def _space(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at
