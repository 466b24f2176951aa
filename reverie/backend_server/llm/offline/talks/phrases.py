"""Sayings: one table out of four. A key may have a warm, a cool and a home twin, for friends, others and family.

{other} is who is spoken to, {name} the speaker; {news} is an item told whole, {news_low} the same within a sentence;
{who} and {teller} are people; {topic} is what somebody is at; {doing} what was going on; {when} a time of day.
"""

import re
from functools import cache
from random import Random

from llm.offline.tables.chatter import CHATTER
from llm.offline.tables.company import COMPANY
from llm.offline.tables.courtesies import COURTESIES
from llm.offline.tables.tidings import TIDINGS

LINES: dict[str, tuple[str, ...]] = {
    key: tuple(line.strip() for line in text.strip().splitlines())
    for key, text in (COURTESIES | CHATTER | COMPANY | TIDINGS).items()
}


@cache
def recogniser(key: str) -> re.Pattern[str]:
    """What any line of a key and of its twins looks like once its blanks are filled."""
    lines = [line for twin in ("", " warm", " cool", " home") for line in LINES.get(f"{key}{twin}", ())]
    bare = (re.sub(r"^(?:And|But) (?=\S+ )", "", line) for line in lines)
    shapes = (re.sub(r"\\\{\w+\\\}", ".+?", re.escape(line)) for line in bare)
    return re.compile("|".join(shapes), re.IGNORECASE)


def say(key: str, rng: Random, manner: str = "", **blanks: str) -> str:
    """One line of a key, or of its twin for this manner, filled in."""
    lines = LINES.get(f"{key} {manner}", LINES[key])
    return rng.choice(lines).format_map(blanks)
