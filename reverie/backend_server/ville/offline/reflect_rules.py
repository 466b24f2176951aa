"""Answer the questions of reflecting: focal points, and insights with their evidence."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache, lru_cache
from itertools import pairwise
from random import Random

from ville.offline.answers.knowledge import Knowledge, doing_in
from ville.offline.day.work import politics
from ville.offline.grammar import FULL_NAME, capitalised, first_of, in_first_person
from ville.offline.news_reading import news_in, news_known
from ville.offline.profile import Profile, profile_of
from ville.offline.rule_types import Answer, Fields, Memory, Shelf
from ville.offline.table import Value, load, shows
from ville.offline.talks.news import NewsItem, record_of
from ville.offline.talks.ties import OVERHEARD, feeling, is_love

QUESTIONS = 3
"""Questions that insights answer if none is given."""
MOST = 3
"""Insights per question."""
ENOUGH, OFTEN = 2, 3
"""Memories that make a pattern, and a habit."""
NOON_HOUR, EVENING_HOUR = 12, 17
TIES = {2: "loves", 1: "likes", 0: "meets", -1: "keeps away", -2: "distrusts"}
"""Conclusions by feeling."""
OF_ONESELF = ("habit", "balance", "place", "day parts")
_NEWS = re.compile(r"'s (?:candidacy|[\w' ]*(?:party|celebration|concert|exhibition|wedding|picnic|festival|quiz))\b")


@cache
def _conclusions() -> Value:
    return load("conclusions.yaml")


@lru_cache(maxsize=32768)
def _signs(section: str, text: str) -> frozenset[str]:
    """Return the pursuits or spots that a text shows."""
    return frozenset(name for name, words in _conclusions()[section].items() if re.search(words, text))


def questions(of: str) -> list[str]:
    """Return the questions about `self`, `others` or `news`."""
    return list(_conclusions()["questions"][of])


@lru_cache(maxsize=32768)
def _named_in(text: str) -> tuple[str, ...]:
    return tuple(found for found in dict.fromkeys(FULL_NAME.findall(text)) if not shows("not a person", found))


def people_in(text: str, name: str) -> list[str]:
    """Return the other people whom a text names."""
    return [found for found in _named_in(text) if found not in name]


def thoughts_of_oneself(name: str, texts: Sequence[str]) -> list[str]:
    """Return the conclusions of a persona about itself, in the first person."""
    return [
        in_first_person(text, name) for text in texts if any(_shape(key, name).fullmatch(text) for key in OF_ONESELF)
    ]


@cache
def _shape(key: str, name: str, **blanks: str) -> re.Pattern[str]:
    """Return a pattern of a conclusion in any of its words, with any words in the blanks that are not given."""
    says = [line for like in (key, *_conclusions()["conclusions"][key].get("like", ()))
            for line in _conclusions()["conclusions"][like]["says"]]  # fmt: skip
    parts = (re.split(r"\{(\w+)\}", line) for line in says)
    known = {"name": name} | blanks
    return re.compile("|".join("".join(
        re.escape(known[part]) if number % 2 and part in known else ".+?" if number % 2 else re.escape(part)
        for number, part in enumerate(line)
    ) for line in parts), re.IGNORECASE)  # fmt: skip


@dataclass
class Evidence:
    """Numbered memories, and what has been concluded from them so far."""

    name: str
    about: str
    statements: Sequence[Memory]
    rng: Random
    found: list[Answer] = field(default_factory=list)

    def add(self, key: str, numbers: Sequence[int], **blanks: str) -> None:
        """Conclude, unless there are too few memories or the same was concluded before in other words."""
        row, names = _conclusions()["conclusions"][key], {"name": self.name} | blanks
        if len(numbers) < row.get("needs", 1):
            return
        thoughts = [memory.text for memory in self.statements if memory.kind == "thought"]
        given = {name: text for name, text in blanks.items() if name != "doing"}
        if thoughts and any(map(_shape(key, self.name, **given).fullmatch, thoughts)):
            return
        verb, thing = (part.format_map(names) for part in row["about"])
        text = capitalised(self.rng.choice(row["says"]).format_map(names))
        self.found.append({
            "text": text, "because_of": list(numbers[:5]), "subject": names[row.get("subject", "name")],
            "predicate": verb, "object": thing, "poignancy": row["weight"],
        })  # fmt: skip

    def pursuits(self, who: str, section: str = "pursuits", hours: range = range(24)) -> list[tuple[str, list[int]]]:
        """Return what a persona was seen giving time to, with the numbers of the memories; the most frequent first."""
        counted: dict[str, list[int]] = {}
        for number, memory in enumerate(self.statements):
            seen = memory.text.startswith(f"{who} is ") and OVERHEARD not in memory.text and memory.when.hour in hours
            for what in sorted(_signs(section, memory.text)) if seen else ():
                counted.setdefault(what, []).append(number)
        return sorted((item for item in counted.items() if len(item[1]) >= ENOUGH), key=lambda item: -len(item[1]))


def insights_from(me: Profile, about: str, *, statements: Sequence[Memory], rng: Random) -> list[Answer]:
    """Return conclusions that answer the question, or else one about something else."""
    evidence = Evidence(me.name, about, statements, rng)
    people = people_in(about, me.name)
    if _NEWS.search(about):
        _news(evidence)
    elif people:
        _about_people(evidence, people)
    else:
        _of_oneself(evidence)
    if len(evidence.found) > MOST:
        evidence.found = rng.sample(evidence.found, MOST)
    return evidence.found or _aside(evidence)


def _aside(evidence: Evidence) -> list[Answer]:
    """Return one conclusion about oneself, or else about a person in the memories."""
    named = (other for memory in evidence.statements for other in people_in(memory.text, evidence.name))
    others = list(dict.fromkeys(named))
    _of_oneself(evidence)
    for other in evidence.rng.sample(others, min(MOST, len(others))):
        if not evidence.found:
            _about_people(evidence, [other])
    return evidence.found[:1]


def _of_oneself(evidence: Evidence) -> None:
    own = evidence.pursuits(evidence.name)
    early = evidence.pursuits(evidence.name, hours=range(NOON_HOUR))[:1]
    late = evidence.pursuits(evidence.name, hours=range(EVENING_HOUR, 24))[:1]
    for (what, numbers), (second, others) in pairwise(own[:2]):
        evidence.add("balance", [*numbers[:3], *others[:2]], pursuit=what, second=second)
    for what, numbers in own[:2]:
        evidence.add("habit", numbers, pursuit=what)
    if early and late and early[0][0] != late[0][0]:
        evidence.add("day parts", [*early[0][1][:2], *late[0][1][:2]], pursuit=early[0][0], second=late[0][0])
    for spot, numbers in evidence.pursuits(evidence.name, "spots")[:1]:
        evidence.add("place", numbers, spot=spot)
    _company_and_politics(evidence)


def _company_and_politics(evidence: Evidence) -> None:
    """Conclude from the talks of a persona whom it meets and what it asks about."""
    own = [(number, memory) for number, memory in enumerate(evidence.statements)
           if memory.text.startswith(evidence.name)]  # fmt: skip
    met = {other: number for number, memory in own if memory.kind == "thought" and "talk with" in memory.text
           for other in people_in(memory.text, evidence.name)}  # fmt: skip
    if len(met) >= OFTEN:
        _pair(evidence, "company", met)
    political = [(number, memory.text) for number, memory in own if shows("politics", memory.text)]
    if politics(text for _, text in political) > 0:
        evidence.add("politics", [number for number, _ in political])


def _about_people(evidence: Evidence, people: Sequence[str]) -> None:
    for other in people:
        numbers = [
            number for number, memory in enumerate(evidence.statements)
            if other in memory.text and (OVERHEARD not in memory.text or memory.text.startswith(other))
        ]  # fmt: skip
        if len(numbers) >= ENOUGH:
            _tie(evidence, other, numbers)
        _pursuits_of(evidence, other)


def _tie(evidence: Evidence, other: str, numbers: list[int]) -> None:
    texts = [evidence.statements[number].text for number in numbers]
    felt = feeling(texts, other)
    key = TIES[felt if felt <= 1 or is_love(evidence.name, other, texts) else 1]
    seen = [doing for text in texts if text.startswith(f"{other} is ") and (doing := doing_in(text))]
    names = {"other": other, "other_first": first_of(other)}
    if key == "meets" and seen:
        evidence.add("meets doing", numbers, **names, doing=evidence.rng.choice(seen))
    else:
        evidence.add(key, numbers, **names)
    known = f" found out that {other} is "
    for number in [number for number in numbers if known in evidence.statements[number].text][:1]:
        topic = evidence.statements[number].text.partition(known)[2].rstrip(".")
        evidence.add("concerned", [number], other=other, topic=topic)


def _pursuits_of(evidence: Evidence, other: str) -> None:
    """Conclude what another persona gives time to and where, and whether one does so oneself."""
    own = dict(evidence.pursuits(evidence.name))
    for what, numbers in evidence.pursuits(other)[:1]:
        mine = next(iter(own), "")
        differs = mine and what not in own and evidence.rng.random() < 1 / 2
        key = "shares" if what in own else "differs" if differs else "seen"
        both = [*numbers[:3], *own.get(what, own[mine] if differs else [])[:2]]
        evidence.add(key, both, other=other, pursuit=what, second=mine)
    for spot, numbers in evidence.pursuits(other, "spots")[:1]:
        evidence.add("other day", numbers, other=other, spot=spot)


def _news(evidence: Evidence) -> None:
    now = max((memory.when for memory in evidence.statements), default=datetime.min)  # noqa: DTZ901 - game time
    mind = Knowledge(Profile(name=evidence.name), evidence.statements, now)
    for item in mind.heard:
        if item.noun in evidence.about or (item.is_occasion and item.what in evidence.about):
            _about_item(evidence, item, mind)


def _about_item(evidence: Evidence, item: NewsItem, mind: Knowledge) -> None:
    mine, over = item.who == evidence.name, item.has_begun(mind.now)
    noun = f"the {item.what}" if mine and item.is_occasion else item.noun
    texts = set(mind.texts_on(item))
    numbers = [number for number, memory in enumerate(evidence.statements) if memory.text in texts]
    if not item.is_occasion:
        key = "own candidacy" if mine else "candidacy"
    elif over:
        key = "missed it" if mind.broke_word(item) else "looks back"
    else:
        key = "hosts" if mine else "looks forward"
    evidence.add(key, numbers, noun=noun, who=item.who)
    if not mine:
        _pair(evidence, "heard twice", _told_by(evidence, item, "heard", "was invited"), noun=noun)
    elif not over:
        _pair(evidence, "will come", _told_by(evidence, item, "has invited", ending="wants to go"), noun=noun)
    for key, kinds, ending in (("cannot come", "has invited", "cannot go"), ("supported", "has told", "supports it"),
                               ("apology", "was missed", "")):  # fmt: skip
        for one, number in [*_told_by(evidence, item, kinds, ending=ending).items()][: 1 if mine else 0]:
            evidence.add(key, [number], one=one, noun=noun)


def _told_by(evidence: Evidence, item: NewsItem, *kinds: str, ending: str = "") -> dict[str, int]:
    """Return with whom one has talked about an item, and in which memory."""
    found: dict[str, int] = {}
    for number, memory in enumerate(evidence.statements):
        record = record_of(memory.text, memory.when.date())
        if record and record.kind in kinds and memory.text.endswith(ending) and record.other != evidence.name:
            news = record.news or next(iter(news_in(memory.text, memory.when.date())), None)
            if record.what or (news and item.is_same(news)):
                found[record.other] = number
    return found


def _pair(evidence: Evidence, key: str, told: dict[str, int], **blanks: str) -> None:
    """Conclude something about two people who did the same."""
    if len(told) >= ENOUGH:
        (one, first), (two, second) = sorted(told.items())[:2]
        evidence.add(key, [first, second], one=one, two=two, **blanks)


def focal_points(fields: Fields, rng: Random) -> Answer:
    """Ask about the people and news with the most important memories, and about oneself."""
    name, count = fields["name"], max(0, fields["count"])
    weights: Counter[str] = Counter()
    for memory in fields["memories"]:
        for other in people_in(memory.text, name):
            weights[other] += max(1, memory.poignancy)
    names = {"name": name, "first": first_of(name)}
    asked = [rng.choice(questions("others")).format(**names, other=other) for other, _ in weights.most_common(count)]
    told = news_known((memory.text, memory.when.date()) for memory in fields["memories"])
    about = [item.noun for item in told if item.is_occasion or item.kind == "candidacy"]
    asked[1:1] = [rng.choice(questions("news")).format(**names, noun=noun) for noun in about[:1]]
    own = [line.format(**names) for line in rng.sample(questions("self"), len(questions("self")))]
    asked[2:2] = own[:1]
    return {"questions": list(dict.fromkeys([*asked, *own]))[:count]}


def insights(fields: Fields, rng: Random) -> Answer:
    me = profile_of(fields["identity"], fields["name"])
    found = insights_from(me, fields["about"], statements=tuple(fields["statements"]), rng=rng)
    return {"insights": found[: max(0, fields["count"])]}


def direct_insights(fields: Fields, rng: Random) -> Answer:
    """Answer the questions that would have been asked, and keep the most important insights."""
    me, statements = profile_of(fields["identity"], fields["name"]), tuple(fields["statements"])
    asked = focal_points({"name": me.name, "memories": statements, "count": QUESTIONS}, rng)["questions"]
    found = [each for about in asked for each in insights_from(me, about, statements=statements, rng=rng)]
    known = {each["text"]: each for each in found}
    return {"insights": sorted(known.values(), key=lambda each: -each["poignancy"])[: max(0, fields["count"])]}


RULES: Shelf = {
    "reflect/focal_points": focal_points,
    "reflect/insights": insights,
    "reflect/direct_insights": direct_insights,
}
