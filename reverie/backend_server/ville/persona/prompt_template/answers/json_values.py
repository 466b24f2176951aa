"""JSON in the text of a model: between prose and fences, after thinking, in Python's notation, or cut off."""

import ast
import json
import re
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import islice

STARTS = 20
"""Brackets in a text from which a value is looked for."""
CUTS = 10
"""Places, from the end, at which a truncated value is closed."""
DEEPEST = 50
"""Objects and lists within each other. No answer needs more than five; the time to read them grows with the square."""
THOUGHTS = re.compile(r"</think(?:ing)?>")
SHORT = re.compile(r"[\w:./]{1,12}(?: [\w:./]{1,12}){0,2}")
"""An answer without any brackets: a number, a time or a choice."""
TOKENS = re.compile(r'"(?:\\.|[^"\\])*"?|[{}\[\],]|\b(?:true|false|null)\b', re.DOTALL)
"""Strings, of which the last may be unfinished, and what structures a value."""
COMMENTS = re.compile(r'("(?:\\.|[^"\\])*")|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)
TRAILING_COMMAS = re.compile(r",\s*([}\]])")
CLOSING = {"{": "}", "[": "]"}
COMPLETE = ']}"el'
"""Last characters of a value that cannot go on: not of a number, whose other digits may be missing."""
CONSTANTS = {"true": "True", "false": "False", "null": "None"}


def json_values(text: str) -> list[object]:
    """Return the objects and lists in a text, in order; a short text without any is itself the value.

    Raise ValueError with a message for the model.
    """
    bare = THOUGHTS.split(text)[-1].strip()
    if bare.startswith("{") and bare.count("{") + bare.count("[") <= DEEPEST:
        with suppress(ValueError):
            return [_json(bare)]
    found, mistake, position = [], "", 0
    for start in islice((match.start() for match in re.finditer(r"[{\[]", bare)), STARTS):
        if start < position:
            continue
        try:
            value, position = _value_at(bare, start)
            found.append(value)
        except ValueError as fault:
            mistake = mistake or str(fault)
    if not found and (mistake or not SHORT.fullmatch(bare)):
        raise ValueError(mistake or "there is no JSON object in the answer")
    return found or [bare]


def _value_at(text: str, start: int) -> tuple[object, int]:
    """Return the value that begins with a bracket, and where it ends. Raise ValueError."""
    opened: list[str] = []
    cuts: list[tuple[int, str]] = []
    for token in TOKENS.finditer(text, start):
        match token[0]:
            case "{" | "[":
                opened.append(CLOSING[token[0]])
                if len(opened) > DEEPEST:
                    raise ValueError("the JSON is nested too deeply")
            case "}" | "]":
                opened.pop()
                if not opened:
                    return _parsed(text[start : token.end()]), token.end()
        if token[0] == "," or (token[0] not in CLOSING and token[0][-1] in COMPLETE):
            cuts.append((token.end() - (token[0] == ","), "".join(reversed(opened))))
    return _completed(text, start, cuts), len(text)


def _completed(text: str, start: int, cuts: list[tuple[int, str]]) -> object:
    """Return a truncated value up to its last complete part. Raise ValueError."""
    mistake = "the JSON has no end"
    for end, closing in islice(reversed(cuts), CUTS):
        try:
            return _parsed(text[start:end] + closing)
        except ValueError as fault:
            mistake = str(fault)
    raise ValueError(mistake)


def _parsed(text: str) -> object:
    """Return the value of a text that is JSON, or nearly so. Raise ValueError."""
    mistake = ""
    for read in _readings():
        try:
            return read(text)
        except json.JSONDecodeError as fault:
            mistake = mistake or f"the JSON is broken: {fault.msg} at character {fault.pos}"
        except (RecursionError, MemoryError):
            mistake = mistake or "the JSON is nested too deeply"
        except (ValueError, TypeError, SyntaxError):
            continue
    raise ValueError(mistake or "the JSON is broken")


def _readings() -> Iterator[Callable[[str], object]]:
    """Yield ways to read a text, strictest first."""
    yield _json
    yield lambda text: _json(TRAILING_COMMAS.sub(r"\1", text))
    yield lambda text: _json(TRAILING_COMMAS.sub(r"\1", COMMENTS.sub(r"\1", text)))
    yield lambda text: _json(text.replace("“", '"').replace("”", '"'))
    yield _literal


def _json(text: str) -> object:
    return json.loads(text, strict=False)


def _literal(text: str) -> object:
    """Return the value of a Python literal that JSON could hold."""
    python = re.sub(r"(?<=[:\[,])(\s*)(true|false|null)\b", lambda found: found[1] + CONSTANTS[found[2]], text)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about escapes that Python does not know
        return _json(json.dumps(ast.literal_eval(python)))
