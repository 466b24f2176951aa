"""Profile of the persona that a question is about, parsed from its identity text."""

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import blake2b

from ville.offline.day.hours import DAY, HOUR, NOON, minutes_of, span_in
from ville.offline.grammar import HE, SHE, Pronoun, first_of, predicates, pronoun_in, sentences
from ville.offline.table import load, shows

LABELS = {
    "name": "name", "age": "age", "innate traits": "innate", "learned traits": "learned", "currently": "currently",
    "lifestyle": "lifestyle", "daily plan requirement": "requirement", "current date": "date",
}  # fmt: skip
LINE = re.compile(rf"^({'|'.join(LABELS)})\s*:\s*", re.IGNORECASE)
WAKES, BEDS, DINES = 7 * HOUR, 22 * HOUR + 30, 18 * HOUR
"""Default minutes after midnight."""
OF_AGE = 18
LATEST_BED = 6 * HOUR
"""Bedtimes up to this minute belong to the day before."""


@dataclass(frozen=True)
class Profile:
    """Fields of an identity text; missing ones are empty."""

    name: str = ""
    age: int = 0
    innate: str = ""
    learned: str = ""
    currently: str = ""
    lifestyle: str = ""
    requirement: str = ""

    @property
    def first(self) -> str:
        return first_of(self.name)

    @property
    def last(self) -> str:
        return self.name.split(" ")[-1]

    @property
    def is_child(self) -> bool:
        return 0 < self.age < OF_AGE

    @cached_property
    def about(self) -> str:
        """All sentences of the identity."""
        return ". ".join(part.strip(" .") for part in (self.learned, self.currently, self.lifestyle, self.requirement))

    @cached_property
    def words(self) -> str:
        """Traits and sentences in lower case, without news heard from others."""
        own = (sentence for sentence in sentences(self.about) if not shows("heard of", sentence))
        return f"{self.innate}. {'. '.join(own)}".lower()

    @cached_property
    def tempers(self) -> frozenset[str]:
        traits = set(re.findall(r"[\w-]+", self.innate.lower()))
        return frozenset(temper for temper, row in load("tempers.yaml").items() if traits & set(row["traits"].split()))

    @cached_property
    def pronoun(self) -> Pronoun:
        return pronoun_in(re.sub(r"\b(?:whose|whom)\b[^.]*", "", self.about))

    @property
    def gender_word(self) -> str:
        """`man`, `woman` or empty; decides which washrooms are open to the persona."""
        return {HE: "man", SHE: "woman"}.get(self.pronoun, "")

    @cached_property
    def wakes(self) -> int:
        """Minutes after midnight."""
        return _habit(self.lifestyle, r"(?:wakes?|awakes?|gets?|rises?|up) (?:up )?", WAKES) % DAY

    @cached_property
    def beds(self) -> int:
        """Minutes after the midnight before; past 1,440 for those who go to bed after midnight."""
        cue = r"(?:goes|go|gets|falls) (?:to (?:bed|sleep)|asleep)|bedtime|in bed|turns in"
        bed = _habit(self.lifestyle, cue, BEDS)
        bed = bed if bed > LATEST_BED else bed + DAY
        return bed if bed > self.wakes + 6 * HOUR else bed + DAY

    @cached_property
    def dines(self) -> int:
        """Minutes after midnight."""
        cue = r"(?:eats?|has|have|takes?) (?:(?:his|her|their|the) )?(?:dinner|supper)|dines"
        return _habit(self.lifestyle, cue, DINES)

    @cached_property
    def busy_with(self) -> tuple[str, ...]:
        """Predicates of `currently` and `learned`, one per activity."""
        told = (*sentences(self.currently), *sentences(self.learned))
        said = [sentence for sentence in told if not shows("heard of", sentence)]
        return tuple(piece for sentence in said for piece in predicates(sentence, self.name, self.pronoun))


def lot(*about: object) -> float:
    """Return a number from 0 up to 1, evenly distributed and always the same for the same words."""
    return int.from_bytes(blake2b(" ".join(map(str, about)).encode(), digest_size=4).digest()) / 2**32


def taste(name: str, thing: str) -> float:
    """Return how much a persona likes a thing: between a third and one and two thirds, always the same."""
    return 0.33 + 1.34 * lot(name, thing)


def _habit(lifestyle: str, cue: str, usual: int) -> int:
    """Return the time named after some words, as in `goes to bed around 11pm`."""
    found = re.search(rf"(?:{cue})([^,;.]*(?:[ap]\.m\.?)?)", lifestyle, re.IGNORECASE)
    if found is None:
        return usual
    start = span_in(found[1]).start
    if start is None:
        bare = re.search(r"\b(?:at|around|about|by)\s+(\d{1,2}|\w+)\b", found[1])
        start = minutes_of(bare[1]) % NOON if bare else 0
        return _nearest(start, usual) if start else usual
    return start if shows("morning or evening", found[1]) else _nearest(start, usual)


def _nearest(moment: int, usual: int) -> int:
    """Return the time of day, in the morning or in the evening, that is nearer to the usual one."""
    return min((moment % NOON, moment % NOON + NOON), key=lambda other: abs(other - usual))


@lru_cache(maxsize=1024)
def profile_of(identity: str, name: str = "") -> Profile:
    """Return the person an identity text describes; `name` is used if the text names none."""
    found: dict[str, str] = {}
    label = ""
    for line in identity.splitlines():
        if start := LINE.match(line):
            label = LABELS[start[1].lower()]
            found[label] = line[start.end() :].strip()
        elif label and line.strip():
            found[label] += f" {line.strip()}"
    found.pop("date", None)
    age = re.search(r"\d+", found.pop("age", ""))
    called = found.pop("name", "").strip() or name or "Somebody"
    return Profile(name=called, age=int(age[0][:3]) if age else 0, **found)
