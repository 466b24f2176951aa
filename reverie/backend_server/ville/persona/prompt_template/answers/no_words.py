"""Texts that are no words of a person: signs without a word, lines of the question, and what surrounds an answer."""

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise
from unicodedata import category

from ville.llm.wire.schemas import ONLY_JSON

BRIEFLY = "Answer in as few words as possible."
AGAIN = "Answer again, with one JSON object that fits the description."
OWN_SENTENCES = (ONLY_JSON, BRIEFLY, AGAIN)
"""Sentences that models are told besides the questions."""
WRITTEN = {
    "utterance", "said", "text", "memo", "for_planning", "relationship", "feeling", "summary", "about", "what",
    "activity", "plans", "steps", "questions", "currently", "daily_requirement", "reason",
}  # fmt: skip
"""Fields in words of the model, unlike choices, hours, names, places and emoji."""
LEAST = 5
"""Words that a line has besides its blanks, to be known by them."""
MOST = 4
"""Words in a blank of a line that is known."""
BLANK = re.compile(r"\$\{?\w+\}?")
SENTENCE_END = re.compile(r"(?<=[.!?:])[\"”]?\s+|\n+")
CLOCK = r"\d{1,2}:\d\d"
AGE = rf"(?:(?:today|yesterday) {CLOCK}(?: [AP]M)?|\d+ days ago)"
AROUND = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"^\W*lorem ipsum\b",
        r"^#{1,6}\s+\S|```",
        r"^\W*(?:(?:sure|certainly|of course|okay|ok|absolutely)\W+)?here(?:['’]s| is| are)\b[^.!?]*\bJSON\b",
        (
            r"^\W*(?:(?:sure|certainly|of course|okay|ok|absolutely)\W+)?here(?:['’]s| is| are) (?:the|my|an?)"
            r" (?:\w+ )?(?:answer|response|output|object)\b[^.!?:]*:$"
        ),
        r"^\W*That answer cannot be used: ",
        r"^\W*(?:name|innate traits|learned traits|currently|lifestyle|daily plan requirement|current date): *\S",
        r"^\W*age: *\d",
        rf"^\W*next: {CLOCK}\b",
        r"^\W*feelings about [^.:]+: *\S",
        r"^\W*promised: to\b",
        rf"^\W*(?:seen|talk|thought|known) {AGE}: *\S",
    )
)
"""How placeholders, remarks on an answer, and lines of the situation and of memories look."""


def has_word(text: str) -> bool:
    """Return whether a text has a word: two letters, or one of a script without capitals, as Chinese."""
    return any(
        category(one)[0] == "L" and (category(one) == "Lo" or category(other)[0] in "LM")
        for one, other in pairwise(f"{text} ")
    )


def is_around_an_answer(text: str) -> bool:
    return any(pattern.search(text) for pattern in AROUND)


def is_filled_line(text: str, templates: Iterable[str]) -> bool:
    """Return whether a text has a sentence of a template, whatever is in its blanks."""
    patterns = [pattern for template in templates for pattern in _lines_of(template)]
    sentences = [_plain(sentence) for sentence in SENTENCE_END.split(text)]
    return any(pattern.fullmatch(sentence) for sentence in sentences for pattern in patterns)


@lru_cache(maxsize=200)
def _lines_of(template: str) -> tuple[re.Pattern[str], ...]:
    """Return the patterns of the sentences of a template, whole and from or to a blank."""
    return tuple(re.compile(pattern) for sentence in SENTENCE_END.split(template) for pattern in _parts_of(sentence))


def _parts_of(sentence: str) -> Iterable[str]:
    """Yield the patterns of the parts between blanks, each with those around it, that have enough words."""
    parts = [_plain(part) for part in BLANK.split(sentence)]
    blank = rf"\S+(?: \S+){{0,{MOST - 1}}}"
    for start in range(len(parts)):
        for end in range(start + 1, len(parts) + 1):
            within = parts[start:end]
            if sum(len(part.split()) for part in within) < LEAST:
                continue
            inner = f" {blank} ".join(map(re.escape, within)).strip()
            yield f"{f'{blank} ' if start else ''}{inner}{f' {blank}' if end < len(parts) else ''}".replace("  ", " ")


def _plain(text: str) -> str:
    """Return the words of a text, in small letters."""
    return " ".join(re.findall(r"\w+", text.casefold()))
