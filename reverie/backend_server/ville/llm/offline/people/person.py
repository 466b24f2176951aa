"""Who is asked: the eight lines of an identity, read once and kept."""

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache

from ville.llm.offline.english.grammar import HE, SHE, Pronoun, predicates, pronoun_in, sentences
from ville.llm.offline.english.hours import DAY, HOUR, NOON, minutes_of, span_in
from ville.llm.offline.english.wordlist import first_of

LABELS = {
    "name": "name", "age": "age", "innate traits": "innate", "learned traits": "learned", "currently": "currently",
    "lifestyle": "lifestyle", "daily plan requirement": "requirement", "current date": "date",
}  # fmt: skip
LINE = re.compile(rf"^({'|'.join(LABELS)})\s*:\s*", re.IGNORECASE)

WAKES, BEDS, DINES = 7 * HOUR, 22 * HOUR + 30, 18 * HOUR
"""When nothing is said."""
OF_AGE = 18
LATEST_BED = 6 * HOUR
"""A bedtime up to here belongs to the day before."""

TEMPERS = {
    "outgoing": "outgoing friendly hospitable enthusiastic cheerful warm sociable talkative helpful loud charming"
    " lively",
    "shy": "shy quiet reserved introverted withdrawn timid solitary private",
    "blunt": "rude aggressive toxic grumpy arrogant blunt cynical",
    "curious": "curious inquisitive open-minded analytical imaginative intellectual",
    "kind": "kind warm nurturing friendly helpful generous patient hospitable caring gentle",
    "orderly": "organized organised logical reliable detail-oriented hardworking disciplined attentive tidy",
    "lively": "energetic outgoing enthusiastic passionate driven loud adventurous athletic",
    "thoughtful": "thoughtful reflective wise intellectual experienced philosophical calm",
    "witty": "humorous witty funny playful cheerful",
}
"""Temper → the traits that show it."""

SPEECH_HABIT = re.compile(
    r"\bends? (?:every|all|most of|his|her|their|your|my)\b[^.]*?\bsentences? with [\"“'](.+?)[\"”']"
)


HEARD = re.compile(r"\b(?:has heard that|means to go to|cannot go to)\b")
"""What a morning's revision adds of other people's doings."""


@dataclass(frozen=True)
class Person:
    """What an identity says; missing lines are empty."""

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
        """Everything the identity says in sentences."""
        return ". ".join(part.strip(" .") for part in (self.learned, self.currently, self.lifestyle, self.requirement))

    @cached_property
    def words(self) -> str:
        """The same in lower case, with the traits and without the news that the person has merely heard."""
        own = (sentence for sentence in sentences(self.about) if not HEARD.search(sentence))
        return f"{self.innate}. {'. '.join(own)}".lower()

    @cached_property
    def tempers(self) -> frozenset[str]:
        traits = set(re.findall(r"[\w-]+", self.innate.lower()))
        return frozenset(temper for temper, signs in TEMPERS.items() if traits & set(signs.split()))

    @cached_property
    def pronoun(self) -> Pronoun:
        return pronoun_in(re.sub(r"\b(?:whose|whom)\b[^.]*", "", self.about))

    @cached_property
    def wakes(self) -> int:
        """Minutes after midnight."""
        return _habit(self.lifestyle, r"(?:wakes?|awakes?|gets?|rises?|up) (?:up )?", WAKES) % DAY

    @cached_property
    def beds(self) -> int:
        """Minutes after the midnight before; past 1,440 for those who go to bed after midnight."""
        bed = _habit(
            self.lifestyle, r"(?:goes|go|gets|falls) (?:to (?:bed|sleep)|asleep)|bedtime|in bed|turns in", BEDS
        )
        bed = bed if bed > LATEST_BED else bed + DAY
        return bed if bed > self.wakes + 6 * HOUR else bed + DAY

    @cached_property
    def dines(self) -> int:
        """Minutes after midnight."""
        return _habit(
            self.lifestyle, r"(?:eats?|has|have|takes?) (?:(?:his|her|their|the) )?(?:dinner|supper)|dines", DINES
        )

    @cached_property
    def busy_with(self) -> tuple[str, ...]:
        """What `currently` and `learned` say that this person does, one predicate each."""
        told = (*sentences(self.currently), *sentences(self.learned))
        said = [sentence for sentence in told if not HEARD.search(sentence)]
        return tuple(piece for sentence in said for piece in predicates(sentence, self.name, self.pronoun))

    @cached_property
    def speech_habit(self) -> str:
        """A word that ends every sentence of this person."""
        found = SPEECH_HABIT.search(self.about)
        return found[1].strip(" .!?") if found else ""


_CLOCK_HALF = re.compile(r"\d\s*[ap]\.?m|noon|midnight|midday|morning|evening|night|:", re.IGNORECASE)
"""What tells morning and evening hours apart."""


def _habit(lifestyle: str, cue: str, default: int) -> int:
    """The time named after some words, as in `goes to bed around 11pm`."""
    found = re.search(rf"(?:{cue})([^,;.]*(?:[ap]\.m\.?)?)", lifestyle, re.IGNORECASE)
    if found is None:
        return default
    start = span_in(found[1]).start
    if start is not None:
        return start if _CLOCK_HALF.search(found[1]) else _nearest(start, default)
    bare = re.search(r"\b(?:at|around|about|by)\s+(\d{1,2}|\w+)\b", found[1])
    return _bare_hour(bare[1], default) if bare else default


def _bare_hour(said: str, default: int) -> int:
    """`goes to bed at eleven`: the hour of the day nearest to the usual one."""
    try:
        hour = minutes_of(said) % NOON
    except ValueError:
        return default
    return _nearest(hour, default) if hour else default


def _nearest(moment: int, usual: int) -> int:
    """That time in the morning or in the evening, whichever is nearer to the usual one."""
    return min((moment % NOON, moment % NOON + NOON), key=lambda other: abs(other - usual))


@lru_cache(maxsize=1024)
def person(identity: str, name: str = "") -> Person:
    """The person an identity text describes; `name` is used if the text names nobody."""
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
    return Person(name=called, age=int(age[0][:3]) if age else 0, **found)


def gender_word(who: Person) -> str:
    """`man`, `woman` or nothing, for rooms that are meant for one of them."""
    return {HE: "man", SHE: "woman"}.get(who.pronoun, "")
