"""What several statements say together: habits, places, ties, concerns. Every insight knows what it follows from."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache, lru_cache
from random import Random
from typing import Any

from ville.llm.offline.grammar import FULL_NAME, capitalised, in_first_person
from ville.llm.offline.knowledge import Knowledge, doing_in
from ville.llm.offline.news import NewsItem
from ville.llm.offline.profile import Profile
from ville.llm.offline.reading import news_in
from ville.llm.offline.records import record_of
from ville.llm.offline.rule import Answer
from ville.llm.offline.table import Value, load
from ville.llm.offline.ties import OVERHEARD, feeling, is_love
from ville.llm.offline.verbs import first_of
from ville.llm.offline.work import POLITICS, politics

MOST = 3
"""Insights into one question."""
ENOUGH, OFTEN = 2, 3
"""Statements from which on something is a pattern, and a habit."""
NOON_HOUR, EVENING_HOUR = 12, 17
TIES = {2: "loves", 1: "likes", 0: "meets", -1: "keeps away", -2: "distrusts"}
"""Feeling → which conclusion."""
OF_ONESELF = ("habit", "balance", "place", "day parts")
_NO_PERSON = re.compile(
    r"\b(?:Cafe|Park|College|Pub|Market|Pharmacy|Store|House|Day|Library|Dorm|Hall|Oak|Crown|Ville|Monday|Tuesday"
    r"|Wednesday|Thursday|Friday|Saturday|Sunday|February|January|March)\b"
)
_NEWS = re.compile(r"'s (?:candidacy|[\w' ]*(?:party|celebration|concert|exhibition|wedding|picnic|festival|quiz))\b")
_ANYTHING = "<anything>"


@cache
def _table() -> Value:
    return load("conclusions.yaml")


@cache
def _patterns(section: str) -> dict[str, re.Pattern[str]]:
    return {name: re.compile(words) for name, words in _table()[section].items()}


@lru_cache(maxsize=32768)
def _signs(section: str, text: str) -> frozenset[str]:
    """Return which pursuits or spots a text shows."""
    return frozenset(name for name, words in _patterns(section).items() if words.search(text))


def questions(of: str) -> list[str]:
    """Return the questions about `self`, `others` or `news`."""
    return list(_table()["questions"][of])


@lru_cache(maxsize=32768)
def _named_in(text: str) -> tuple[str, ...]:
    return tuple(found for found in dict.fromkeys(FULL_NAME.findall(text)) if not _NO_PERSON.search(found))


def people_in(text: str, name: str) -> list[str]:
    """Return the other people whom a text names."""
    return [found for found in _named_in(text) if found not in name]


def thoughts_of_oneself(name: str, texts: Sequence[str]) -> list[str]:
    """Return what somebody has concluded about itself, in the first person."""
    shapes = [shape for key in OF_ONESELF for shape in _shapes(key, name)]
    found = (text for text in texts if any(shape.fullmatch(text) for shape in shapes))
    return [in_first_person(text, name) for text in found]


@cache
def _shapes(key: str, name: str) -> tuple[re.Pattern[str], ...]:
    """What a conclusion of somebody looks like in any of its words."""
    told = (re.escape(line).replace(r"\{name\}", re.escape(name)) for line in _table()["conclusions"][key]["says"])
    return tuple(re.compile(re.sub(r"\\\{\w+\\\}", ".+?", line)) for line in told)


@dataclass
class Evidence:
    """The statements, and what has been concluded from them so far."""

    name: str
    about: str
    statements: Sequence[Any]
    rng: Random
    found: list[Answer] = field(default_factory=list)

    def add(self, key: str, numbers: Sequence[int], **blanks: str) -> None:
        """Conclude, unless the same has been concluded before, in whatever words."""
        row, names = _table()["conclusions"][key], {"name": self.name} | blanks
        names |= {f"{name}_up": capitalised(text) for name, text in blanks.items()}
        same = [line for like in (key, *row.get("like", ())) for line in _table()["conclusions"][like]["says"]]
        wild = names | {"doing": _ANYTHING}
        shapes = (re.escape(capitalised(line.format_map(wild))).replace(re.escape(_ANYTHING), ".+") for line in same)
        known = re.compile("|".join(shapes))
        if any(known.fullmatch(memory.text) for memory in self.statements if memory.kind == "thought"):
            return
        verb, thing = (part.format_map(names) for part in row["about"])
        text = capitalised(self.rng.choice(row["says"]).format_map(names))
        self.found.append({
            "text": text, "because_of": list(numbers[:5]), "subject": names[row.get("subject", "name")],
            "predicate": verb, "object": thing, "poignancy": row["weight"],
        })  # fmt: skip

    def doings(self, who: str) -> list[tuple[int, Any]]:
        """Return number and memory of what somebody was seen doing; talk does not count."""
        return [(number, memory) for number, memory in enumerate(self.statements)
                if memory.text.startswith(f"{who} is ") and OVERHEARD not in memory.text]  # fmt: skip

    def pursuits(self, who: str, section: str = "pursuits", hours: range = range(24)) -> list[tuple[str, list[int]]]:
        """Return what somebody was seen giving time to, with the numbers of the statements; the most frequent first."""
        counted: dict[str, list[int]] = {}
        for number, memory in self.doings(who):
            for what in _signs(section, memory.text) if memory.when.hour in hours else ():
                counted.setdefault(what, []).append(number)
        enough = [(what, counted[what]) for what in _table()[section] if len(counted.get(what, ())) >= ENOUGH]
        return sorted(enough, key=lambda item: -len(item[1]))


def insights_from(me: Profile, about: str, *, statements: Sequence[Any], rng: Random) -> list[Answer]:
    """Return what answers the question; if nothing new does, something else that the statements say, if anything."""
    evidence = Evidence(me.name, about, statements, rng)
    people = people_in(about, me.name)
    if _NEWS.search(about):
        _news(evidence, me)
    elif people:
        _ties(evidence, people)
        _shared(evidence, people)
    else:
        _of_oneself(evidence)
    if len(evidence.found) > MOST:
        evidence.found = rng.sample(evidence.found, MOST)
    return evidence.found or _aside(evidence)


def _aside(evidence: Evidence) -> list[Answer]:
    """One thing that the question did not ask for: of oneself, or of somebody whom the statements speak of."""
    named = (other for memory in evidence.statements for other in people_in(memory.text, evidence.name))
    others = list(dict.fromkeys(named))
    evidence.rng.shuffle(others)
    looks: list[Callable[[], None]] = [lambda: _of_oneself(evidence)]
    for other in others[:MOST]:
        looks += [lambda other=other: _shared(evidence, [other]), lambda other=other: _ties(evidence, [other])]  # type: ignore[misc]
    for look in looks:
        look()
        if evidence.found:
            break
    return evidence.found[:1]


def _of_oneself(evidence: Evidence) -> None:
    own = evidence.pursuits(evidence.name)
    if len(own) > 1:
        (what, numbers), (second, others) = own[:2]
        evidence.add("balance", [*numbers[:3], *others[:2]], pursuit=what, second=second)
    for what, numbers in own[:2]:
        if len(numbers) >= OFTEN:
            evidence.add("habit", numbers, pursuit=what)
    early = evidence.pursuits(evidence.name, hours=range(NOON_HOUR))[:1]
    late = evidence.pursuits(evidence.name, hours=range(EVENING_HOUR, 24))[:1]
    if early and late and early[0][0] != late[0][0]:
        evidence.add("day parts", [*early[0][1][:2], *late[0][1][:2]], pursuit=early[0][0], second=late[0][0])
    for spot, numbers in evidence.pursuits(evidence.name, "spots")[:1]:
        if len(numbers) >= OFTEN:
            evidence.add("place", numbers, spot=spot)
    _company(evidence)
    _politics(evidence)


def _company(evidence: Evidence) -> None:
    """Whom one has talked to lately."""
    met: dict[str, int] = {}
    for number, memory in enumerate(evidence.statements):
        if memory.kind == "thought" and memory.text.startswith(evidence.name) and "talk with" in memory.text:
            met |= dict.fromkeys(people_in(memory.text, evidence.name), number)
    if len(met) >= OFTEN:
        (one, first), (two, second) = list(met.items())[:2]
        evidence.add("company", [first, second], one=one, two=two)


def _politics(evidence: Evidence) -> None:
    """What one asks and says of one's own accord; news that one has passed on is no sign of it."""
    own = [(number, memory.text) for number, memory in enumerate(evidence.statements)
           if memory.text.startswith(evidence.name) and POLITICS.search(memory.text)]  # fmt: skip
    if len(own) >= ENOUGH and politics(text for _, text in own) > 0:
        evidence.add("politics", [number for number, _ in own])


def _ties(evidence: Evidence, people: Sequence[str]) -> None:
    for other in people:
        numbers = [
            number for number, memory in enumerate(evidence.statements)
            if other in memory.text and (OVERHEARD not in memory.text or memory.text.startswith(other))
        ]  # fmt: skip
        if len(numbers) >= ENOUGH:
            _tie(evidence, other, numbers)


def _tie(evidence: Evidence, other: str, numbers: list[int]) -> None:
    texts = [evidence.statements[number].text for number in numbers]
    felt = feeling(texts, other)
    key, names = TIES[felt if felt <= 1 or is_love(evidence.name, other, texts) else 1], {}
    seen = [doing for text in texts if text.startswith(f"{other} is ") and (doing := doing_in(text))]
    if key == "meets" and seen:
        key, names = "meets doing", {"doing": evidence.rng.choice(seen)}
    evidence.add(key, numbers, other=other, other_first=first_of(other), **names)
    known = f" found out that {other} is "
    if told := [number for number in numbers if known in evidence.statements[number].text]:
        topic = evidence.statements[told[0]].text.partition(known)[2].rstrip(".")
        evidence.add("concerned", told[:1], other=other, topic=topic)


def _shared(evidence: Evidence, people: Sequence[str]) -> None:
    """What the other gives time to and where, and whether one does so oneself."""
    own = dict(evidence.pursuits(evidence.name))
    for other in people:
        for what, numbers in evidence.pursuits(other)[:1]:
            mine = next(iter(own), "")
            differs = mine and what not in own and evidence.rng.random() < 1 / 2
            key = "shares" if what in own else "differs" if differs else "seen"
            both = [*numbers[:3], *own.get(what, own[mine] if differs else [])[:2]]
            evidence.add(key, both, other=other, pursuit=what, second=mine)
        for spot, numbers in evidence.pursuits(other, "spots")[:1]:
            evidence.add("other day", numbers, other=other, spot=spot)


def _news(evidence: Evidence, me: Profile) -> None:
    now = max((memory.when for memory in evidence.statements), default=datetime.min)  # noqa: DTZ901 - game time
    mind = Knowledge(Profile(name=me.name), evidence.statements, now)
    for item in mind.heard:
        if item.noun in evidence.about or (item.is_occasion and item.what in evidence.about):
            texts = set(mind.texts_on(item))
            numbers = [number for number, memory in enumerate(evidence.statements) if memory.text in texts]
            (_occasion if item.is_occasion else _candidacy)(evidence, item, numbers, mind)


def _occasion(evidence: Evidence, item: NewsItem, numbers: list[int], mind: Knowledge) -> None:
    mine = item.who == evidence.name
    noun = f"the {item.what}" if mine else item.noun
    if item.has_begun(mind.now):
        evidence.add("missed it" if mind.broke_word(item) else "looks back", numbers, noun=noun)
    else:
        evidence.add("hosts" if mine else "looks forward", numbers, noun=noun)
    if not mine:
        _pair(evidence, "heard twice", _told_by(evidence, item, "heard", "was invited"), noun=noun)
    elif not item.has_begun(mind.now):
        _pair(evidence, "will come", _told_by(evidence, item, "has invited", ending="wants to go"), noun=noun)
        for one, number in [*_told_by(evidence, item, "has invited", ending="cannot go").items()][:1]:
            evidence.add("cannot come", [number], one=one, noun=noun)
    for number, memory in enumerate(evidence.statements):
        record = record_of(memory.text, memory.when.date())
        if record and record.kind == "was missed":
            evidence.add("apology", [number], one=record.other)


def _candidacy(evidence: Evidence, item: NewsItem, numbers: list[int], mind: Knowledge) -> None:
    mine = item.who == mind.me.name
    evidence.add("own candidacy" if mine else "candidacy", numbers, who=item.who, noun=item.noun)
    if mine:
        for one, number in [*_told_by(evidence, item, "has told", ending="supports it").items()][:2]:
            evidence.add("supported", [number], one=one)
    else:
        _pair(evidence, "heard twice", _told_by(evidence, item, "heard"), noun=item.noun)


def _told_by(evidence: Evidence, item: NewsItem, *kinds: str, ending: str = "") -> dict[str, int]:
    """Return with whom one has talked about an item, and in which statement."""
    found: dict[str, int] = {}
    for number, memory in enumerate(evidence.statements):
        record = record_of(memory.text, memory.when.date())
        if record and record.kind in kinds and memory.text.endswith(ending) and record.other != evidence.name:
            news = record.news or next(iter(news_in(memory.text, memory.when.date())), None)
            if news and item.is_same(news):
                found[record.other] = number
    return found


def _pair(evidence: Evidence, key: str, told: dict[str, int], *, noun: str) -> None:
    """A conclusion about two people who said the same."""
    if len(told) >= ENOUGH:
        (one, first), (two, second) = sorted(told.items())[:2]
        evidence.add(key, [first, second], one=one, two=two, noun=noun)
