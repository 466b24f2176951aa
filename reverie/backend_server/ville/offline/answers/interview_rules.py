"""Answer questions of users, in interviews and in conversations, by the rows of data/interviews.yaml."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TypeVar

from ville.offline.answers.knowledge import spoken_time
from ville.offline.answers.likeness import Likeness, likest, meaning, names_in
from ville.offline.answers.own_answers import OF_ONESELF, listed
from ville.offline.answers.recollection import PLAN, Recollection
from ville.offline.day.hours import DAY, HOUR, Span, spoken_day, spoken_hour
from ville.offline.day.work import own_words
from ville.offline.grammar import (
    FULL_NAME,
    capitalised,
    first_of,
    in_first_person,
    plain,
)
from ville.offline.incidents import as_told
from ville.offline.news_reading import HEARSAY, news_in
from ville.offline.profile import lot
from ville.offline.reflect_rules import people_in
from ville.offline.table import load, rows
from ville.offline.talks.news import CANCELLATION, NewsItem, private, with_article
from ville.offline.talks.sayings import templates
from ville.offline.talks.ties import OVERHEARD, impression
from ville.offline.visitor_memories import told_of_visitor

ItemT = TypeVar("ItemT")
AT_ONCE, ALL_DAY = 4, 7
"""Activities of an answer: at most, and of a whole day."""
LONGEST = 160
"""Characters of a memory that is quoted whole."""
ON_THE_WAY = "on the way to "
GIVING = "I'm giving"
UNKNOWN = "unknown"
"""Section of answers that one cannot tell: the same to the same question every day."""
_TALKED = re.compile(
    rf"(?:has (?:told|invited)|heard from|invited by|found out that|the talk with(?: \w+ \w+)?) ({FULL_NAME.pattern})"
)
_BLANK = re.compile(r"\{([^}]+)\}")


@dataclass(frozen=True)
class InterviewRow:
    """A row of interviews.yaml."""

    means: re.Pattern[str]
    answers: tuple[str, ...]
    asker: re.Pattern[str] | None = None
    """Who asks, if the row is for certain roles only."""
    of_me: bool = False
    """Whether its answers are about oneself, and none to what another does, is or likes."""

    def fits(self, asked: Recollection, asker: str) -> bool:
        meant = self.means.search(asked.question) and not (self.of_me and asked.is_of_another)
        return bool(meant) and (self.asker is None or bool(self.asker.search(asker)))


@cache
def _rows() -> tuple[InterviewRow, ...]:
    return rows(load("interviews.yaml")["questions"], InterviewRow)


def answer_to(asked: Recollection, *, asker: str = "") -> str:
    """Return the first answer whose question this is and whose blanks can be filled."""
    answers = (answer for row in _rows() if row.fits(asked, asker) for answer in row.answers)
    return next((said for answer in answers if (said := _filled(answer, asked))), _blank("one of unknown", asked))


def _filled(answer: str, asked: Recollection) -> str:
    blanks = {name: _blank(name, asked) for name in _BLANK.findall(answer)}
    return _BLANK.sub(lambda found: blanks[found[1]], answer).strip() if all(blanks.values()) else ""


def _blank(name: str, asked: Recollection) -> str:
    kind, _, section = name.partition("one of ")
    if section == UNKNOWN and asked.own:
        lines = load("interviews.yaml")[section]
        return str(lines[int(lot(asked.me.name, asked.question) * len(lines))])
    return BLANKS[name](asked) if kind else str(asked.rng.choice(load("interviews.yaml")[section]))


def _ahead(asked: Recollection) -> str:
    return next((item.what for item in asked.mind.known if item.is_occasion and asked.mind.will_go(item)), "")


def _talked_to(asked: Recollection) -> str:
    met = [talk.partner for talk in asked.talks]
    told = (memory.text for memory in asked.memories if memory.kind == "thought" and memory.when.date() == asked.day)
    met += [found[1] for text in told for found in _TALKED.finditer(text) if found[1] != asked.me.name]
    return listed([name for name in dict.fromkeys(met) if asked.other in {"", name}])


def _nobody(asked: Recollection) -> str:
    """Return `nobody` if it is known that one has not talked today, and the question names nobody."""
    return "" if asked.other or asked.talks or not asked.knows_talks else "nobody"


def _unmet(asked: Recollection) -> str:
    """Return whom the question names, if it is known that one has not talked with them today."""
    met = [talk.partner for talk in asked.talks]
    return "" if asked.other in met or not asked.knows_talks else asked.other


def _talks(asked: Recollection) -> str:
    """Return with whom one has talked today and what about; only with the other, if the question names one."""
    talks = [talk for talk in asked.talks if asked.other in {"", talk.partner}]
    return listed([f"with {talk.partner} about {_subject(talk.about, asked)}" for talk in talks])


def _subject(about: str, asked: Recollection) -> str:
    """Return what a talk was about, in the first person."""
    told = in_first_person(f"about {about.rpartition(OVERHEARD)[2].strip()}", asked.me.name)
    return told.removeprefix("About ")


def _friends(asked: Recollection) -> str:
    about = (text for text in asked.mind.texts if "friend" in text)
    names = dict.fromkeys(name for text in about for name in people_in(text, asked.me.name))
    tied = ((name, impression(asked.me.name, name, asked.mind.texts, asked.rng)) for name in names)
    return listed([name for name, told in tied if "friends" in told])


def _candidates(asked: Recollection) -> str:
    return " ".join(_told_item(item, asked) for item in asked.mind.heard if item.kind == "candidacy")


def _why_i_stand(asked: Recollection) -> str:
    stands = any(item.kind == "candidacy" and item.who == asked.me.name for item in asked.mind.heard)
    return asked.rng.choice(templates("answer reason")) if stands else ""


def _occasions(asked: Recollection) -> str:
    return " ".join(_told_item(item, asked) for item in [item for item in asked.mind.heard if item.is_occasion][:2])


def _next_occasion(asked: Recollection) -> str:
    today = asked.mind.now.date()
    ahead = (item for item in asked.mind.known if item.is_occasion and item.day and item.day > today)
    return next((_told_item(item, asked) for item in ahead), "")


OF_ME = {"is": "I am ", "has": "I have "}
"""First words of an announcement about oneself."""


def _cancelled(asked: Recollection) -> str:
    return next((_told_item(item, asked) for item in asked.mind.known if item.kind == CANCELLATION), "")


def _told_item(item: NewsItem, asked: Recollection) -> str:
    """Return an item of news in one's own words, with who told it and whether one goes or went."""
    mind, mine, over = asked.mind, item.who == asked.me.name, item.is_occasion and item.is_over(asked.mind.now)
    whole = f"{with_article(item.what)} {item.when_and_where()}"
    if mine:
        giving = f"{'I gave' if over else GIVING} {whole}"
        own = giving if item.is_occasion else re.sub(r"^(is|has) ", lambda verb: OF_ME[verb[1]], item.what)
        return f"{own}. {_guests(asked, item)}".strip()
    if over:
        there = "I was there." if mind.attends(item) else "I was not there."
        promised = " I had promised to come, and I'm sorry about it." if mind.broke_word(item) else ""
        return f"{f'{item.who} gave' if item.who else 'There was'} {whole}. {there}{promised}"
    teller = mind.source(item)
    heard = f" {teller} told me." if teller and teller not in {item.who, asked.me.name} else ""
    goes = (" I want to go." if mind.will_go(item) else " But I can't go.") if item.is_occasion else ""
    return f"{capitalised(item.as_sentence())}.{heard}{goes}"


def _guests(asked: Recollection, item: NewsItem) -> str:
    """Return who has accepted one's own invitation."""
    names = sorted({record.other for record in asked.mind.records_on(item)
                    if record.kind == "has invited" and record.answer == "yes"})  # fmt: skip
    wanted = "wanted" if item.is_over(asked.mind.now) else "want" if len(names) > 1 else "wants"
    return f"{listed(names)} {wanted} to come." if names else ""


def _known_of_them(asked: Recollection) -> str:
    """Return a lasting memory of the other and what is felt: neither news, nor talk, nor a conclusion.

    Empty if the question asks for more than the person.
    """
    name, today = asked.me.name, asked.mind.now.date()
    if meaning(asked.question) - names_in(asked.question, asked.memories):
        return ""
    about = tuple(text for text in asked.mind.texts if asked.other and asked.other in text)
    if not about:
        return ""
    lasting = next((text for text in about if text.startswith(name) and not private().search(text)
                    and not news_in(text, today) and not _TALKED.search(text)
                    and not text.startswith(f"{name} is ") and len(text) < LONGEST), "")  # fmt: skip
    felt = in_first_person(impression(name, asked.other, about, asked.rng), name)
    return f"{asked.own_words(lasting) if lasting else ''} {felt}".strip()


def _goes_to_bed(asked: Recollection) -> str:
    """Return when the plan of the day ends."""
    span = asked.plan[-1][0] if asked.plan else Span()
    ends = span.start if span.end in {None, DAY} else span.end
    return "" if ends is None else spoken_hour(ends)


def _teller(asked: Recollection) -> str:
    """Return the memory of who told what is asked about."""
    told = (found for found in _like(asked) if HEARSAY.search(found.text))
    return next((_quoted(found, asked) for found in told), "")


def _done(asked: Recollection) -> str:
    """Return what one did on the day and in the hours asked about, in order."""
    own, first, last = f"{asked.me.name} is ", asked.window.start or 0, asked.window.end or DAY
    found = {
        memory.when: memory.text.removeprefix(own) for memory in asked.memories
        if memory.kind == "event" and memory.text.startswith(own) and OVERHEARD not in memory.text
        and memory.when.date() == asked.day and first <= memory.when.hour * HOUR + memory.when.minute < last
    }  # fmt: skip
    return ", ".join(f"at {spoken_hour(when.hour * HOUR + when.minute)} I was {what}"
                     for when, what in _spread(sorted(found.items()), AT_ONCE))  # fmt: skip


def _planned(asked: Recollection) -> str:
    most = ALL_DAY if asked.window == Span(0, DAY) else AT_ONCE
    return ", then to ".join(map(_bare, _spread(asked.ahead(), most)))


def _planned_for_it(asked: Recollection) -> str:
    """Return what of the plan shares words with the question."""
    wanted = meaning(asked.question)
    found = dict.fromkeys(_bare(what) for what in asked.ahead() if wanted & meaning(what))
    return ", then to ".join(_spread(list(found), AT_ONCE))


def _meant(asked: Recollection) -> str:
    return " and to ".join(map(_bare, asked.planned()[:2])) if asked.day == asked.mind.now.date() else ""


def _day(asked: Recollection) -> str:
    """Return the day as it was planned, with its hours."""
    items = [(span, what) for span, what in asked.plan if not what.startswith(("get ready", "go to bed"))]
    told = [f"{_bare(what, 'am')} at {spoken_hour(span.start or 0)}" for span, what in _spread(items, ALL_DAY)]
    return listed(told) if len(told) > 1 else ""


def _bare(what: str, being: str = "be") -> str:
    """Return an activity as a verb: `have lunch` for `having lunch`, and for unknown verbs `be having lunch`."""
    done = plain(what)
    return f"{being} {done}" if first_of(done).endswith("ing") else done


def _spread(items: Sequence[ItemT], most: int) -> list[ItemT]:
    """Return at most so many items, from beginning to end."""
    if len(items) <= most:
        return list(items)
    return [items[number * (len(items) - 1) // (most - 1)] for number in range(most)]


def _remembered(asked: Recollection) -> str:
    """Return the memory that is about what was asked, if there is one; of another, only one of that other."""
    whom = first_of(asked.other) if asked.is_of_another else ""
    found = next((each for each in _like(asked) if each.sure and whom in each.text), None)
    return f"I remember: {_quoted(found, asked)}" if found else ""


def _nearest(asked: Recollection) -> str:
    """Return the memory that shares most with the question, if any shares something."""
    found = next(_like(asked), None)
    return _quoted(found, asked) if found else ""


def _memory_of_them(asked: Recollection) -> str:
    """Return the memory of the other that is nearest to the question, if that asks about the other."""
    of_them = (found for found in _like(asked) if asked.is_of_another and first_of(asked.other) in found.text)
    return next((_quoted(found, asked) for found in of_them), "")


def _like(asked: Recollection) -> Iterator[Likeness]:
    """Yield what comes to mind at the question, the best first; secrets only in an interview that asks for secrets."""
    open_to_all = asked.today is None or not private().search(asked.question)
    own = (asked.me.currently, asked.me.requirement, asked.me.learned)
    memories = [memory for memory in asked.memories if not PLAN.search(memory.text)]
    for found in likest(asked.question, memories, also=own, now=asked.mind.now):
        if not (open_to_all and private().search(found.text)):
            yield found


def _quoted(found: Likeness, asked: Recollection) -> str:
    """Return a memory in the first person. What was seen is told in the past; word for word stands what is said of
    another person and has pronouns that may mean oneself.
    """
    own, me = f"{asked.me.name} is ", asked.me
    if found.seen and found.text.startswith(own):
        return f"{capitalised(spoken_time(found.when, asked.mind.now))} I was {found.text.removeprefix(own)}."
    if found.seen:
        return f"{capitalised(as_told(found.text))}."
    unclear = re.search(rf"\b(?:{me.pronoun.subject}|{me.pronoun.object}|{me.pronoun.possessive})\b", found.text)
    if unclear and not found.text.startswith(me.name):
        return f'"{found.text}".'
    return capitalised(asked.own_words(found.text))


def _time(asked: Recollection) -> str:
    now = asked.today.now if asked.today else None
    return f"{spoken_hour(now.hour * HOUR + now.minute)} on {now:%A}, {spoken_day(now.date())}" if now else ""


def _place(asked: Recollection) -> str:
    """Return `at Hobbs Cafe`, or `in a street of the Ville`."""
    if not asked.today:
        return ""
    _, _, sector = asked.today.place.rpartition(" in ")
    return f"at {sector}" if sector[:1].isupper() else f"in {asked.today.place}"


def _doing(asked: Recollection) -> str:
    """Return what one is doing: of `painting (mixing paints)` the step."""
    told = asked.today.doing if asked.today else ""
    doing = re.sub(r"^.*\(|\).*$", "", told.removeprefix(ON_THE_WAY)).strip()
    if not first_of(doing).endswith("ing"):
        return ""
    walks = "on my way, and then I'm " if told.startswith(ON_THE_WAY) else ""
    return walks + own_words(doing, asked.me.pronoun)


def _happened(asked: Recollection) -> str:
    """Return what was noticed that alarmed people, or what was told of it."""
    for each in asked.mind.happenings:
        return f"{capitalised(each.what)} {spoken_time(each.when, asked.mind.now)}. I was there."
    told = (record for record in asked.mind.records if record.kind == "heard what")
    return next((f"{first_of(record.other)} told me that {record.what}." for record in told), "")


BLANKS: Mapping[str, Callable[[Recollection], str]] = {
    **OF_ONESELF,
    "topic": lambda asked: next(iter(asked.mind.topics), ""),
    "ahead": _ahead,
    "other": lambda asked: first_of(asked.other),
    "enemy": lambda asked: first_of(asked.other) if asked.mind.liking(asked.other) < 0 else "",
    "friend": lambda asked: first_of(asked.other) if asked.mind.closeness(asked.other) == 1 else "",
    "stranger": lambda asked: "" if any(asked.other in text for text in asked.mind.texts) else asked.other,
    "their work": lambda asked: asked.mind.topic_of(asked.other),
    "known of them": _known_of_them,
    "memory of them": _memory_of_them,
    "visitor": lambda asked: told_of_visitor(asked.me.name, asked.other, asked.mind.texts),
    "talked to": _talked_to,
    "talks": _talks,
    "nobody": _nobody,
    "unmet": _unmet,
    "time": _time,
    "place": _place,
    "doing": _doing,
    "friends": _friends,
    "candidates": _candidates,
    "why I stand": _why_i_stand,
    "occasions": _occasions,
    "next occasion": _next_occasion,
    "cancelled": _cancelled,
    "done": _done,
    "planned": _planned,
    "planned for it": _planned_for_it,
    "meant": _meant,
    "asleep": lambda asked: "asleep" if asked.plan and not asked.planned() else "",
    "day": _day,
    "gets up": lambda asked: spoken_hour(asked.plan[0][0].start or 0) if asked.plan else "",
    "goes to bed": _goes_to_bed,
    "teller": _teller,
    "happened": _happened,
    "remembered": _remembered,
    "nearest": _nearest,
}
