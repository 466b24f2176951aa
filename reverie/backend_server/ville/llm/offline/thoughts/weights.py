"""The table of importance: what happenings weigh, from a made bed to a break-up."""

import re

from ville.llm.offline.english.wordlist import words

WEIGHTS = (
    (10, (r"\b(?:died|dies|death of|funeral|proposed to|proposal|got married|admitted to|accepted (?:at|to"
          r"|by) the|had a baby|won the election)\b")),
    (9, (r"\b(?:broke up|broken up|break-?up|divorce\w*|fired|lost (?:his|her|the) job|accident|in hospital"
         r"|evicted|arrested)\b")),
    (8, r"\b(?:in love|engaged|expecting a baby|pregnant|crush on|betrayed|never told|secret)\b"),
    (7, (r"\b(?:run(?:ning|s)? for mayor|stand(?:ing|s)? for mayor|candida\w+|new job|won (?:a|the)"
         r"|first prize|moving away|solo show|published)\b")),
    (6, r"\b(?:invited|invitation|party|wedding|celebration|concert|exhibition|competition|exams?|diploma)\b"),
    (5, (r"\b(?:mayor\w*|election|quarrel\w*|argu(?:ed|ing) with|in love with|dislikes?|cannot stand"
         r"|strained|at war|complaints?|close friends?|thesis|matters a great deal|very important)\b")),
    (4, (r"\b(?:has told|heard from|found out|friends?|husband|wife|deadline|is your (?:son"
         r"|mother|father))\b")),
    (3, (r"\b(?:talk(?:ed|ing) (?:to|with)|noticed|liked the talk|guests?|welcoming|performance|neighbours?"
         r"|housemate|colleague|known? \w+ \w+|rehears\w+|finished)\b|^(?:You|[A-Z]\w+ [A-Z]\w+)\b.*\b(?:has"
         r"|have) (?:been|known|lived|come)\b|\b(?:regular|student|classmate|professor|customer) of\b"
         r"|\blove\b|\bloves\b")),
    (2, (r"\b(?:writing|painting|composing|studying|teaching|reading|solving|working|baking|planning"
         r"|photograph\w*|practising|serving|shopping|gardening|running|playing|streaming|is having)\b")),
)  # fmt: skip
"""Weight → what sounds like it; the first row that is found counts. Anything else weighs ORDINARY."""
ORDINARY = 1
MOMENTOUS = 8
"""From this weight on, a happening weighs as much wherever it is met with."""
TALK, NEW_TO_ONE = 3, 2
"""What it weighs that somebody is talking, and how much more if it is about something one has not yet in mind."""
SIGHT = 3
"""The most that an everyday sight weighs, somebody at the counter or at a party: one sees such things all day."""
THING = re.compile(
    r"is idle\b|^(?!.*[A-Z]\w+ [A-Z])[\w' ]+ is (?:being|covered|set|standing|running|heating|busy|lined|taken"
    r"|lying|full|warm)\b"
)
_DOING = re.compile(r"^(?:[A-Z][\w’'-]* ){1,4}is \w+ing\b")
_ROWS = tuple((weight, re.compile(pattern)) for weight, pattern in WEIGHTS)
_COMMON = words("""
    about after again around before every everybody everything evening morning night people other others their there
    these those which while would where with wants works goes takes makes keeps house during between because almost
    dinner wakes college still years until knows town reads writes
    """)


def weight_of(happening: str) -> int:
    """What a happening weighs for anybody to whom it is new. Talk is weighed by those who hear it."""
    if THING.search(happening):
        return ORDINARY
    return next((weight for weight, pattern in _ROWS if pattern.search(happening)), ORDINARY)


def is_sight(happening: str) -> bool:
    """Whether it is somebody seen at something, rather than something heard or thought."""
    return _DOING.match(happening) is not None


def concerns_in(text: str) -> frozenset[str]:
    """The words of an identity that its person would prick up the ears at."""
    return frozenset(word for word in re.findall(r"[a-z][a-z'-]{4,}", text) if word not in _COMMON)
