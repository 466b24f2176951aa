"""What several statements say together: habits, places, ties, concerns. Every insight knows what it follows from."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from llm.offline.english.grammar import FULL_NAME, capitalised
from llm.offline.english.wordlist import first_of
from llm.offline.people.news import OVERHEARD, merged, news_in
from llm.offline.people.opinions import feeling
from llm.offline.people.person import Person
from llm.offline.people.topics import FOUND_OUT, POLITICS
from llm.offline.rule import Answer

PURSUITS = {
    "learning": r"stud(?:y|ying)|textbook|exercise|problem|exam|lecture|class\b|notes",
    "writing": r"writing|rewriting|chapter|page of|poem|thesis|paper\b|dialogue|script",
    "making pictures": r"paint|easel|watercolou?r|sketch|photograph|animat|comic|drawing",
    "music": r"guitar|piano|harp|compos|beat\b|chords|melody|song",
    "the guests of the house": r"serving|brewing|behind the (?:bar|cafe)|pouring|guest|foaming|taking an order",
    "the customers": r"customer|prescription|store counter|grocery|product shelf|pharmacy",
    "teaching": r"podium|blackboard|giving a lecture|student's question|essays",
    "figures and proofs": r"proof|equation|formula|ledger|figures|receipt",
    "the app": r"\bcode\b|\bapp\b|bug\b",
    "games and the stream": r"stream|\bgame\b|console",
    "fresh air": r"walk|running a lap|bench|birds|flowers|park\b|garden|weeding|watering",
    "good company": r"talk(?:ing)? (?:to|with)|chat|conversing|shared? a table|laughing|regulars|sipping",
    "the household": r"cooking|washing|sweeping|dusting|laundry|chopping|baking|tidying",
}
"""What somebody gives time to → what it looks like when it is done."""
SPOTS = {
    "the cafe": r"\bcafe\b|coffee|menu", "the pub": r"\bbar\b|\bpub\b|beer|cider", "the park": r"\bpark\b",
    "the library": r"library|bookshelf", "the market": r"grocery|pharmacy|market", "the classroom": r"classroom|in"
                                                                                                    r" class|podium",
}  # fmt: skip
HABITS = (
    "{name} gives much of the day to {pursuit}, and seems content with it",
    "{name} comes back to {pursuit}, whatever else the day brings",
    "{name} is somebody who takes {pursuit} seriously",
)
PLACES = (
    "{name} feels at home in {spot} and goes there whenever there is time",
    "{spot_up} is where {name}'s day and other people's days cross",
)
NEAR = (
    "{name} and {other} keep crossing each other's way, and {name} likes it so",
    "{other} has become part of {name}'s days",
    "{name} knows {other} better than a chance acquaintance would",
)
LIKES = ("{name} values {other}, and it shows in what {name} remembers of {other_first}",
         "The friendship with {other} matters to {name}")  # fmt: skip
LOVES = ("{other} is never far from {name}'s thoughts", "{name} cares more for {other} than for almost anybody in town")
DISLIKES = (
    "{name} keeps a distance from {other} and has reasons for it",
    "{name} does not trust {other}, whatever {other_first} does",
)
CONCERNED = (
    "{other} puts a great deal of heart into {topic}",
    "{other} can be reached best by asking about {topic}",
)
OCCASION = (
    "{noun} is what people in town look forward to, and {name} hears of it from all sides",
    "{name} takes {noun} to be a chance to see everybody at once",
)
OWN_OCCASION = (
    "{name} cares a great deal that {noun} becomes a good evening",
    "Inviting people to {noun} brings {name} closer to the town",
)
CANDIDACY = (
    "{who} running for mayor is becoming the talk of the town, and {name} will have to take a view",
    "{name} notices that {who}'s candidacy divides those who speak of it",
)
OWN_CANDIDACY = ("{name} means the candidacy seriously and listens to what people say of it",)
POLITICAL = ("{name} cares about the election more than most and keeps asking about it",)
ENOUGH = 2
"""Statements from which on something is a pattern."""
_PLACE_NAMES = re.compile(r"\b(?:Cafe|Park|College|Pub|Market|Pharmacy|Store|House|Day|Library|Dorm|Hall|Oak|Crown"
                          r"|Ville|Monday|Tuesday"
                          r"|Wednesday|Thursday|Friday|Saturday|Sunday|February|January|March)\b")  # fmt: skip


@dataclass(frozen=True)
class Insight:
    text: str
    evidence: tuple[int, ...]
    subject: str
    predicate: str
    object: str
    poignancy: int

    def as_answer(self) -> Answer:
        return {
            "text": self.text, "because_of": list(self.evidence), "subject": self.subject,
            "predicate": self.predicate, "object": self.object, "poignancy": self.poignancy,
        }  # fmt: skip


@dataclass
class _Evidence:
    """The statements, and what can be said of whom."""

    name: str
    who: Person
    about: str
    statements: Sequence[Any]
    rng: Random
    found: list[Insight] = field(default_factory=list)

    def add(
        self, lines: Sequence[str], evidence: Sequence[int], *, triple: tuple[str, str, str], weight: int, **blanks: str
    ) -> None:
        names = {"name": self.name, "first": first_of(self.name)}
        texts = [capitalised(line.format_map(names | blanks)) for line in lines]
        known = {memory.text for memory in self.statements}
        fresh = [text for text in texts if text not in known]
        if fresh:
            self.found.append(Insight(self.rng.choice(fresh), tuple(evidence), *triple, weight))

    def own(self) -> list[tuple[int, str]]:
        """Number and text of what the statements say of this person itself; talk is no deed."""
        return [
            (number, memory.text)
            for number, memory in enumerate(self.statements)
            if memory.text.startswith(self.name) and OVERHEARD not in memory.text
        ]


def people_in(text: str, name: str) -> list[str]:
    """Other people whom a text names."""
    return [
        found for found in dict.fromkeys(FULL_NAME.findall(text)) if found != name and not _PLACE_NAMES.search(found)
    ]


def insights_from(name: str, who: Person, about: str, *, statements: Sequence[Any], rng: Random) -> list[Insight]:
    """Insights into the statements; those about the question's own subjects first."""
    evidence = _Evidence(name, who, about, statements, rng)
    for look in LOOKS:
        look(evidence)
    if not evidence.found and statements:
        everything = tuple(range(min(len(statements), 3)))
        evidence.add(("{name} takes the days as they come, and they come steadily",), everything,
                     triple=(name, "takes", "the days as they come"), weight=2)  # fmt: skip
    others = people_in(about, name)
    return sorted(evidence.found, key=lambda insight: not _answers(insight, others))


def _answers(insight: Insight, others: list[str]) -> bool:
    """Whether it says something of those whom the question names, or of oneself if it names nobody else."""
    if others:
        return any(other in f"{insight.subject} {insight.object}" for other in others)
    return insight.predicate in {"gives time to", "feels at home in"}


def _habits(evidence: _Evidence) -> None:
    own = [(number, text) for number, text in evidence.own() if text.startswith(f"{evidence.name} is ")]
    counted = {
        pursuit: [number for number, text in own if re.search(pattern, text)] for pursuit, pattern in PURSUITS.items()
    }
    for pursuit, numbers in Counter({pursuit: len(numbers) for pursuit, numbers in counted.items()}).most_common(2):
        if numbers >= ENOUGH:
            evidence.add(
                HABITS,
                counted[pursuit][:5],
                triple=(evidence.name, "gives time to", pursuit),
                weight=4,
                pursuit=pursuit,
            )


def _places(evidence: _Evidence) -> None:
    for spot, pattern in SPOTS.items():
        numbers = [number for number, text in evidence.own() if re.search(pattern, text)]
        if len(numbers) > ENOUGH:
            evidence.add(PLACES, numbers[:5], triple=(evidence.name, "feels at home in", spot), weight=3,
                         spot=spot, spot_up=spot.capitalize())  # fmt: skip
            return


def _ties(evidence: _Evidence) -> None:
    about: dict[str, list[int]] = defaultdict(list)
    for number, memory in enumerate(evidence.statements):
        people = people_in(memory.text, evidence.name)
        for other in people[:1] if OVERHEARD in memory.text else people:
            about[other].append(number)
    for other, numbers in sorted(about.items(), key=lambda item: -len(item[1]))[:3]:
        if len(numbers) >= ENOUGH:
            _tie(evidence, other, numbers)


def _tie(evidence: _Evidence, other: str, numbers: list[int]) -> None:
    texts = [evidence.statements[number].text for number in numbers]
    felt = feeling(texts, other)
    lines, verb, weight = {
        2: (LOVES, "cares for", 7), 1: (LIKES, "values", 5), 0: (NEAR, "keeps meeting", 4),
        -1: (DISLIKES, "keeps away from", 5), -2: (DISLIKES, "distrusts", 6),
    }[felt]  # fmt: skip
    names = {"other": other, "other_first": first_of(other)}
    evidence.add(lines, numbers[:5], triple=(evidence.name, verb, other), weight=weight, **names)
    topics = [
        found[2].strip()
        for text in texts
        for found in FOUND_OUT.finditer(text)
        if found[1] == other and "found out" in text
    ]
    if topics:
        told = [number for number in numbers if topics[0] in evidence.statements[number].text]
        evidence.add(CONCERNED, [*told, *(number for number in numbers if number not in told)][:4],
                     triple=(other, "cares about", topics[0]), weight=5, topic=topics[0], **names)  # fmt: skip


def _news(evidence: _Evidence) -> None:
    dated = [(number, memory.text, memory.when.date()) for number, memory in enumerate(evidence.statements)]
    for item in merged(item for _, text, day in dated for item in news_in(text, day) if item.who):
        numbers = [number for number, text, day in dated if any(item.is_same(other) for other in news_in(text, day))]
        mine = item.who == evidence.name
        noun = f"{item.who}'s {item.what}"
        if item.is_occasion:
            own = noun.replace(f"{evidence.name}'s", "the")
            evidence.add(OWN_OCCASION if mine else OCCASION, numbers[:5], weight=6, noun=own if mine else noun,
                         triple=(evidence.name, "cares about" if mine else "looks forward to", noun))  # fmt: skip
        elif item.kind == "candidacy":
            evidence.add(OWN_CANDIDACY if mine else CANDIDACY, numbers[:5], weight=6, who=item.who,
                         triple=(evidence.name, "thinks about", f"{item.who}'s candidacy"))  # fmt: skip


def _politics(evidence: _Evidence) -> None:
    numbers = [number for number, text in evidence.own() if POLITICS.search(text)]
    averse = any(re.search(r"does not (?:care|interest)", evidence.statements[number].text) for number in numbers)
    if len(numbers) >= ENOUGH and not averse:
        evidence.add(POLITICAL, numbers[:5], triple=(evidence.name, "cares about", "the election"), weight=5)


LOOKS: tuple[Callable[[_Evidence], None], ...] = (_ties, _news, _habits, _politics, _places)
