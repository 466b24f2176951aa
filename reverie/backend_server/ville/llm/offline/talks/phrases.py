"""Sayings: one table out of five. A key may have twins: warm for friends, cool for others, home for husband and wife,
kin for parents and children.

{other} is who is spoken to, {name} the speaker; {news} is an item told whole, {news_low} the same within a sentence;
{who} and {teller} are people; {topic} is what somebody is at; {doing} what was going on; {when} a time of day.
"""

import re
from collections.abc import Iterator
from functools import cache

from ville.llm.offline.english.grammar import FULL_NAME
from ville.llm.offline.tables.chatter import CHATTER
from ville.llm.offline.tables.company import COMPANY
from ville.llm.offline.tables.courtesies import COURTESIES
from ville.llm.offline.tables.subjects import PATTERNS, QUESTIONS, SUBJECTS
from ville.llm.offline.tables.tidings import TIDINGS


def _questions(subject: str, text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """A key for each question of a subject, `ask book 1`, and one for its answers, `answer book 1`."""
    for number, block in enumerate(re.split(r"\n(?=\s*[^\s=])", text.strip()), start=1):
        question, *answers = (said.strip() for said in re.split(r"\n\s*= ", block))
        yield f"ask {subject} {number}", (question,)
        yield f"answer {subject} {number}", tuple(answers)


LINES: dict[str, tuple[str, ...]] = {
    key: tuple(line.strip() for line in text.strip().splitlines())
    for key, text in (COURTESIES | CHATTER | COMPANY | SUBJECTS | TIDINGS).items()
} | dict(pair for subject, text in QUESTIONS.items() for pair in _questions(subject, text))
ASKED_ABOUT = {subject: tuple(key for key in LINES if key.startswith(f"ask {subject} ")) for subject in QUESTIONS}
"""Subject → the keys of the questions about it."""
_SUBJECTS = tuple((key, re.compile(rf"\b(?:{pattern})", re.IGNORECASE)) for key, pattern in PATTERNS)
_BLANK = re.compile(r"\\\{\w+\\\}")
TWINS = ("", " warm", " cool", " home", " kin")


@cache
def recogniser(key: str) -> re.Pattern[str]:
    """What any line of a key and of its twins looks like once its blanks are filled."""
    lines = [line for twin in TWINS for line in LINES.get(f"{key}{twin}", ())]
    bare = (re.sub(r"^(?:And|But) (?=\S+ )", "", line) for line in lines)
    shapes = (_BLANK.sub(".+?", re.escape(line)) for line in bare)
    return re.compile("|".join(shapes), re.IGNORECASE)


@cache
def subject_of(topic: str) -> str:
    """Which subject of the table somebody's work belongs to, or nothing."""
    return next((key for key, pattern in _SUBJECTS if pattern.search(topic)), "")


def named_in(key: str, said: str) -> str:
    """Whom a line of a key names in place of {who}, in full; nobody, if none of the lines is said."""
    for line in LINES[key]:
        shape = re.escape(line).replace(re.escape("{who}"), f"({FULL_NAME.pattern})")
        if found := re.search(_BLANK.sub(".+?", shape), said):
            return found[1]
    return ""


def sayings(key: str, manner: str = "", **blanks: str) -> list[str]:
    """The lines of a key, or of its twin for this manner, filled in."""
    return [line.format_map(blanks) for line in LINES.get(f"{key} {manner}", LINES[key])]
