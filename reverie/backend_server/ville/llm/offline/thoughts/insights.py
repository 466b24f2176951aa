"""What several statements say together: habits, places, ties, concerns. Every insight knows what it follows from."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from ville.llm.offline.english.grammar import FULL_NAME, capitalised
from ville.llm.offline.english.wordlist import first_of
from ville.llm.offline.people.news import OVERHEARD, News, news_in, news_known
from ville.llm.offline.people.opinions import feeling
from ville.llm.offline.people.ties import is_love
from ville.llm.offline.people.topics import FOUND_OUT, POLITICS, doing_in, politics
from ville.llm.offline.rule import Answer
from ville.llm.offline.tables.conclusions import CONCLUSIONS

PURSUITS = {
    "learning": r"stud(?:y|ying)|textbook|exercise|problem|exam|lecture|class\b|notes",
    "writing": r"writing|rewriting|chapter|page of|poem|thesis|paper\b|dialogue|script",
    "making pictures": r"paint|easel|watercolou?r|sketch|photograph|animat|comic|drawing",
    "music": r"guitar|piano|harp|compos|beat\b|chords|melody|song",
    "the guests of the house": r"serving|brewing|behind the (?:bar|cafe)|pouring|guest at|foaming|taking an order",
    "the customers": r"customer|prescription|store counter|grocery|product shelf|pharmacy",
    "teaching": r"podium|blackboard|giving a lecture|student's question|essays",
    "figures and proofs": r"proof|equation|formula",
    "the accounts": r"ledger|figures|receipt|accounts",
    "the app": r"\bcode\b|\bapp\b|bug\b",
    "games and the stream": r"stream|\bgame\b|console",
    "fresh air": r"walk|running a lap|bench|birds|flowers|park\b|garden|weeding|watering",
    "good company": r"talk(?:ing)? (?:to|with)|chat|shared? a table|laughing|regulars|sipping",
    "the household": r"cooking|washing|sweeping|dusting|laundry|chopping|baking|tidying",
}
"""What somebody gives time to → what it looks like when it is done."""
SPOTS = {
    "the cafe": r"\bcafe\b|coffee|menu", "the pub": r"\bbar\b|\bpub\b|beer|cider", "the park": r"\bpark\b",
    "the library": r"library|bookshelf", "the market": r"grocery|pharmacy|market",
    "the classroom": r"classroom|in class|podium",
}  # fmt: skip
TIES = {
    2: ("loves", "cares for", 7), 1: ("likes", "values", 5), 0: ("meets", "keeps meeting", 4),
    -1: ("dislikes", "keeps away from", 5), -2: ("dislikes", "distrusts", 6),
}  # fmt: skip
"""Feeling → which conclusion, the verb of its triple, how much it weighs."""
MOST = 3
"""Insights into one question."""
ENOUGH, OFTEN = 2, 3
"""Statements from which on something is a pattern, and a habit."""
_LINES = {key: tuple(line.strip() for line in text.strip().splitlines()) for key, text in CONCLUSIONS.items()}
_PLACE_NAMES = re.compile(
    r"\b(?:Cafe|Park|College|Pub|Market|Pharmacy|Store|House|Day|Library|Dorm|Hall|Oak|Crown|Ville|Monday|Tuesday"
    r"|Wednesday|Thursday|Friday|Saturday|Sunday|February|January|March)\b"
)
WILL_COME = re.compile(r"has invited ([^,]+?) to .*\bwants to go$")
_CANNOT_COME = re.compile(r"has invited ([^,]+?) to .*\bcannot go$")
_SUPPORTED = re.compile(r"has told (.+?) that .*\bsupports it$")
_HEARD = re.compile(r"(?:heard from|was invited by) ([A-Z][\w’'-]+ [A-Z][\w’'-]+)")


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
    """The statements, and what has been concluded from them so far."""

    name: str
    about: str
    statements: Sequence[Any]
    rng: Random
    found: list[Insight] = field(default_factory=list)

    def add(
        self, key: str, numbers: Sequence[int], *, triple: tuple[str, str, str], weight: int, **blanks: str
    ) -> None:
        """Conclude, unless the same has been concluded before, in whatever words."""
        names = {"name": self.name} | blanks
        texts = [capitalised(line.format_map(names)) for line in _LINES[key]]
        if not any(shape.fullmatch(memory.text) for memory in self.statements for shape in _shapes(key, names)):
            self.found.append(Insight(self.rng.choice(texts), tuple(numbers[:5]), *triple, weight))

    def doings(self, who: str) -> list[tuple[int, str]]:
        """Number and text of what somebody was seen doing; talk is no deed."""
        return [
            (number, memory.text) for number, memory in enumerate(self.statements)
            if memory.text.startswith(f"{who} is ") and OVERHEARD not in memory.text
        ]  # fmt: skip

    def pursuits(self, who: str) -> list[tuple[str, list[int]]]:
        """What somebody was seen giving time to, with the numbers of the statements; the most frequent first."""
        seen = self.doings(who)
        counted = {
            what: [number for number, text in seen if re.search(pattern, text)] for what, pattern in PURSUITS.items()
        }
        enough = [(what, numbers) for what, numbers in counted.items() if len(numbers) >= ENOUGH]
        return sorted(enough, key=lambda item: -len(item[1]))


def _shapes(key: str, names: dict[str, str]) -> list[re.Pattern[str]]:
    """What a conclusion looks like in any of its words; what somebody was seen doing may have been something else."""
    wild = names | {"doing": _ANYTHING}
    lines = [line for same in SAME.get(key, (key,)) for line in _LINES[same]]
    told = (re.escape(capitalised(line.format_map(wild))) for line in lines)
    return [re.compile(line.replace(re.escape(_ANYTHING), ".+")) for line in told]


_ANYTHING = "<anything>"
SAME = {"meets": ("meets", "meets doing"), "meets doing": ("meets", "meets doing")}
"""Conclusions that say the same of somebody."""


def people_in(text: str, name: str) -> list[str]:
    """Other people whom a text names."""
    others = dict.fromkeys(FULL_NAME.findall(text))
    return [found for found in others if found not in name and not _PLACE_NAMES.search(found)]


def insights_from(name: str, about: str, *, statements: Sequence[Any], rng: Random) -> list[Insight]:
    """What answers the question; if nothing new does, what else the statements say, which may be nothing."""
    evidence = _Evidence(name, about, statements, rng)
    for look in _looks(about, name):
        look(evidence)
    return evidence.found[:MOST] or _aside(evidence)


def _aside(evidence: _Evidence) -> list[Insight]:
    """One thing that the question did not ask for: of oneself, or of somebody whom the statements speak of."""
    others = list(
        dict.fromkeys(other for memory in evidence.statements for other in people_in(memory.text, evidence.name))
    )
    evidence.rng.shuffle(others)
    for about, look in (
        (evidence.name, _habits),
        *((other, look) for other in others[:MOST] for look in (_shared, _ties)),
    ):
        evidence.about = about
        look(evidence)
        if evidence.found:
            break
    return evidence.found[:1]


def _looks(about: str, name: str) -> tuple[Callable[[_Evidence], None], ...]:
    """Which way to look for an answer."""
    if _NEWS.search(about):
        return (_news,)
    return (_ties, _shared) if people_in(about, name) else (_habits, _politics, _places)


_NEWS = re.compile(r"'s (?:candidacy|[\w' ]*(?:party|celebration|concert|exhibition|wedding|picnic|festival|quiz))\b")


def _habits(evidence: _Evidence) -> None:
    name, own = evidence.name, evidence.pursuits(evidence.name)
    if len(own) > 1:
        (what, numbers), (second, others) = own[:2]
        evidence.add("balance", [*numbers[:3], *others[:2]], triple=(name, "divides the day between", what), weight=4,
                     pursuit=what, second=second, pursuit_up=capitalised(what))  # fmt: skip
    for what, numbers in own[:2]:
        if len(numbers) >= OFTEN:
            evidence.add("habit", numbers, triple=(name, "gives time to", what), weight=4, pursuit=what)


def _places(evidence: _Evidence) -> None:
    for spot, pattern in SPOTS.items():
        numbers = [number for number, text in evidence.doings(evidence.name) if re.search(pattern, text)]
        if len(numbers) >= OFTEN:
            evidence.add("place", numbers, triple=(evidence.name, "feels at home in", spot), weight=3,
                         spot=spot, spot_up=capitalised(spot))  # fmt: skip
            return


def _politics(evidence: _Evidence) -> None:
    """What one asks and says of one's own accord; news that one has passed on are no sign of it."""
    own = [(number, memory.text) for number, memory in enumerate(evidence.statements)
           if memory.text.startswith(evidence.name) and POLITICS.search(memory.text)]  # fmt: skip
    if len(own) >= ENOUGH and politics(text for _, text in own) > 0:
        numbers = [number for number, _ in own]
        evidence.add("politics", numbers, triple=(evidence.name, "cares about", "the election"), weight=5)


def _ties(evidence: _Evidence) -> None:
    for other in people_in(evidence.about, evidence.name):
        numbers = [number for number, memory in enumerate(evidence.statements) if _is_about(memory.text, other)]
        if len(numbers) >= ENOUGH:
            _tie(evidence, other, numbers)


def _is_about(text: str, other: str) -> bool:
    """Whether it says something of the other; what the other merely talks about does not."""
    return other in text and (OVERHEARD not in text or text.startswith(other))


def _tie(evidence: _Evidence, other: str, numbers: list[int]) -> None:
    texts = [evidence.statements[number].text for number in numbers]
    felt = feeling(texts, other)
    key, verb, weight = TIES[felt if felt <= 1 or is_love(evidence.name, other, texts) else 1]
    names = {"other": other, "other_first": first_of(other)}
    seen = [doing for text in texts if text.startswith(f"{other} is ") and (doing := doing_in(text))]
    if key == "meets" and seen:
        key, names = "meets doing", names | {"doing": seen[-1]}
    evidence.add(key, numbers, triple=(evidence.name, verb, other), weight=weight, **names)
    topics = [
        found[2].strip() for text in texts if "found out" in text
        for found in FOUND_OUT.finditer(text) if found[1] == other
    ]  # fmt: skip
    if topics:
        told = [number for number in numbers if topics[0] in evidence.statements[number].text]
        evidence.add("concerned", told, triple=(other, "cares about", topics[0]), weight=5, topic=topics[0], **names)


def _shared(evidence: _Evidence) -> None:
    """What the other gives time to, and whether one does so oneself."""
    own = dict(evidence.pursuits(evidence.name))
    for other in people_in(evidence.about, evidence.name):
        for what, numbers in evidence.pursuits(other)[:1]:
            key, both = ("shares", [*numbers[:3], *own[what][:2]]) if what in own else ("seen", numbers)
            evidence.add(key, both, triple=(other, "gives time to", what), weight=4,
                         other=other, pursuit=what)  # fmt: skip


def _news(evidence: _Evidence) -> None:
    dated = [(number, memory.text, memory.when.date()) for number, memory in enumerate(evidence.statements)]
    for item in news_known((text, day) for _, text, day in dated):
        numbers = [number for number, text, day in dated if any(item.is_same(other) for other in news_in(text, day))]
        if item.is_occasion and item.what in evidence.about:
            _occasion(evidence, item, numbers)
        elif item.kind == "candidacy" and "candidacy" in evidence.about:
            _candidacy(evidence, item, numbers)


def _occasion(evidence: _Evidence, item: News, numbers: list[int]) -> None:
    name, mine = evidence.name, item.who == evidence.name
    noun = f"the {item.what}" if mine else item.noun
    triple = (name, "cares about" if mine else "looks forward to", noun)
    evidence.add("hosts" if mine else "looks forward", numbers, triple=triple, weight=6, noun=noun)
    if mine:
        _pair(evidence, "will come", _said(evidence, WILL_COME, numbers), triple, noun=noun)
        for one, number in list(_said(evidence, _CANNOT_COME, numbers).items())[:1]:
            evidence.add("cannot come", [number], triple=(one, "cannot come to", noun), weight=4, noun=noun, one=one)
    else:
        _pair(evidence, "heard twice", _said(evidence, _HEARD, numbers), triple, noun=noun)


def _candidacy(evidence: _Evidence, item: News, numbers: list[int]) -> None:
    name, mine = evidence.name, item.who == evidence.name
    triple = (name, "thinks about", f"{item.who}'s candidacy")
    evidence.add("own candidacy" if mine else "candidacy", numbers, triple=triple, weight=6, who=item.who)
    if mine:
        for one, number in list(_said(evidence, _SUPPORTED, numbers).items())[:2]:
            evidence.add("supported", [number], triple=(one, "supports", name), weight=6, one=one)
    else:
        _pair(evidence, "heard twice", _said(evidence, _HEARD, numbers), triple, noun=f"{item.who}'s candidacy")


def _said(evidence: _Evidence, pattern: re.Pattern[str], numbers: Sequence[int]) -> dict[str, int]:
    """Who is named by a pattern, and in which statement."""
    found = ((pattern.search(evidence.statements[number].text), number) for number in numbers)
    return {said[1]: number for said, number in found if said and said[1] != evidence.name}


def _pair(evidence: _Evidence, key: str, said: dict[str, int], triple: tuple[str, str, str], **blanks: str) -> None:
    """A conclusion about two people who said the same."""
    if len(said) >= ENOUGH:
        (one, first), (two, second) = sorted(said.items())[:2]
        evidence.add(key, [first, second], triple=triple, weight=5, one=one, two=two, **blanks)
