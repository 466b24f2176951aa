"""Profile of the persona that a question is about, parsed from its identity text."""

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import blake2b

from ville.lifestyle_hours import BEDS, DAY, DINES, HOUR, WAKES, bed_minute, dinner_minute, waking_minute
from ville.offline.grammar import HE, SHE, Pronoun, first_of, predicates, pronoun_in, sentences
from ville.offline.table import load, shows

LABELS = {
    "name": "name", "age": "age", "innate traits": "innate", "learned traits": "learned", "currently": "currently",
    "lifestyle": "lifestyle", "daily plan requirement": "requirement", "current date": "date",
}  # fmt: skip
LINE = re.compile(rf"^({'|'.join(LABELS)})\s*:\s*", re.IGNORECASE)
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
        found = waking_minute(self.lifestyle)
        return WAKES if found is None else found

    @cached_property
    def beds(self) -> int:
        """Minutes after the midnight before; past 1,440 for those who go to bed after midnight."""
        found = bed_minute(self.lifestyle)
        bed = BEDS if found is None else found
        bed = bed if bed > LATEST_BED else bed + DAY
        return bed if bed > self.wakes + 6 * HOUR else bed + DAY

    @cached_property
    def dines(self) -> int:
        """Minutes after midnight."""
        found = dinner_minute(self.lifestyle)
        return DINES if found is None else found

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
