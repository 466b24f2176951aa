"""The table of pastimes: what people do with hours that nobody asks of them."""

import re
from dataclasses import dataclass
from functools import lru_cache
from zlib import crc32

from ville.llm.offline.english.wordlist import first_of
from ville.llm.offline.people.person import Person


@dataclass(frozen=True)
class Pastime:
    what: str
    """A phrase in base form."""
    first: int
    """Earliest hour of the day."""
    last: int
    """Latest hour at which it begins."""
    weight: float = 1.0
    signs: str = ""
    """Pattern that the identity must show; empty: anybody may."""
    tempers: str = ""
    """Tempers that like it twice as much."""
    at_home: bool = False


PASTIMES = (
    Pastime("have a coffee at the cafe", 9, 18, 3.0, tempers="outgoing curious lively"),
    Pastime("take a walk in the park", 6, 18, 2.6, tempers="thoughtful kind"),
    Pastime("sit in the sun in the park", 10, 16, 1.0, tempers="thoughtful shy"),
    Pastime("do the shopping for groceries at the market", 9, 16, 1.6, tempers="orderly kind"),
    Pastime("look round at the supply store", 9, 17, 0.7, tempers="orderly curious"),
    Pastime("have a drink at the pub", 18, 22, 3.0, tempers="outgoing lively blunt"),
    Pastime("spend the evening at the pub with friends", 19, 22, 1.6, tempers="outgoing witty"),
    Pastime("read a novel at home", 8, 23, 1.2, tempers="shy thoughtful curious", at_home=True),
    Pastime("read at the cafe", 9, 18, 1.0, tempers="thoughtful curious"),
    Pastime("tidy up at home", 8, 20, 0.7, tempers="orderly", at_home=True),
    Pastime("do the laundry at home", 8, 18, 0.5, tempers="orderly", at_home=True),
    Pastime("listen to records at home", 16, 23, 1.0, tempers="lively thoughtful", at_home=True),
    Pastime("write a letter at home", 9, 22, 0.3, tempers="kind shy", at_home=True),
    Pastime("read the news at the cafe", 8, 12, 1.0, r"politic|election|mayor|news"),
    Pastime("cook something special at home", 15, 19, 0.5, tempers="kind", at_home=True),
    Pastime(
        "spend the evening with the family", 18, 21, 5.0, r"\b(?:wife|husband|mother|father|daughter)\b", at_home=True
    ),
    Pastime("practise the guitar", 10, 22, 4.0, r"guitar"),
    Pastime("play the piano at the cafe", 9, 18, 3.0, r"piano"),
    Pastime("play the harp in the common room", 9, 19, 5.0, r"\bharp\b"),
    Pastime("make beats at the computer", 16, 23, 4.0, r"hip-hop|\bbeats?\b|drums"),
    Pastime("play a game on the console", 16, 24, 3.0, r"\bgam(?:e|es|ing|er)\b|streams?"),
    Pastime("play pool in the common room", 17, 22, 1.5, r"\b(?:studies \w+ at|dorm)\b"),
    Pastime("study at the cafe", 10, 18, 2.0, r"\bstudies \w+|a student at"),
    Pastime("work in the garden", 8, 17, 2.6, r"garden|flower|plants|cuttings"),
    Pastime("sketch in the park", 8, 17, 1.8, r"\b(?:paint|draws?\b|drawing|artist\b|animat|photograph|illustrat)"),
    Pastime("take photographs in the park", 6, 17, 2.4, r"photograph"),
    Pastime("go for a run in the park", 6, 18, 3.0, r"\b(?:athlete|for a run|running|trains?|training|jogs?)\b"),
    Pastime("lift weights", 16, 21, 2.0, r"\b(?:weights|athlete|gym)\b"),
    Pastime("write poems in the park", 9, 17, 2.4, r"\bpoe(?:t|m|ms|try)\b"),
    Pastime("count petals and patterns in the park", 9, 17, 2.4, r"mathemat|formula|patterns"),
    Pastime("read plays aloud in the park", 14, 18, 1.6, r"shakespeare|plays aloud|theatre|actor"),
    Pastime("try out jokes on the guests of the cafe", 10, 18, 2.4, r"comed|jokes|stranger laugh"),
    Pastime("draw up plans for a podcast at the cafe", 12, 18, 2.4, r"podcast"),
    Pastime("take the store's goods online", 19, 22, 2.0, r"\bonline\b"),
    Pastime("visit a neighbour's table at the cafe", 10, 17, 1.2, tempers="kind outgoing"),
    Pastime("talk to people in the park about the election", 9, 18, 9.0, r"run for (?:mayor|office)|candida"),
    Pastime("work on the app at the cafe", 11, 18, 2.4, r"software|\bapp\b"),
    Pastime("write a page of the novel at the cafe", 11, 18, 2.4, r"\bwriter\b|\bnovel"),
    Pastime("relax at home", 17, 23, 0.7, at_home=True),
)


@lru_cache(maxsize=1024)
def liking(person: Person) -> tuple[tuple[Pastime, float], ...]:
    """Every pastime that suits a person, with how much it is liked; no two people like quite the same."""
    liked = []
    for pastime in PASTIMES:
        if pastime.signs and not re.search(pastime.signs, person.words):
            continue
        if "pub" in pastime.what and person.is_child:
            continue
        weight = pastime.weight * (2.0 if person.tempers & set(pastime.tempers.split()) else 1.0)
        weight *= 2.0 if _named(pastime, person) else 1.0
        liked.append((pastime, weight * taste(person.name, pastime.what)))
    return tuple(liked)


def taste(name: str, thing: str) -> float:
    """Between a third and one and two thirds, always the same for this person and this thing."""
    return 0.33 + 1.34 * crc32(f"{name} {thing}".encode()) / 2**32


def _named(pastime: Pastime, person: Person) -> bool:
    """Whether the identity speaks of it: somebody who walks every day likes walking."""
    key = pastime.what.split()[-1]
    return key in person.words and f"{first_of(pastime.what)}s" in person.words
