"""What is brought up unasked: news first, then what one is curious about, then what makes a conversation."""

import re
from collections.abc import Callable

from ville.llm.offline.dialogue import Dialogue, is_worth_telling, spoken_place
from ville.llm.offline.grammar import called_alike, capitalised, lower_first
from ville.llm.offline.insights import thoughts_of_oneself
from ville.llm.offline.knowledge import LITTLE_WHILE, Sighting, part_of_day, spoken_time
from ville.llm.offline.news import NewsItem
from ville.llm.offline.profile import lot
from ville.llm.offline.sayings import keys, lines
from ville.llm.offline.verbs import first_of
from ville.llm.offline.work import PREPARATIONS, to_listener

OFTEN, EVEN, SOMETIMES, SELDOM = 0.7, 0.5, 0.45, 0.25
HOME_QUESTIONS = {
    "morning": ("ask sleep", "ask back"), "afternoon": ("ask market", "ask dinner"),
    "evening": ("ask day", "ask dinner"),
}  # fmt: skip
"""What family asks at which part of the day."""
LUNCHTIME = range(11, 15)
ONE_DAY_AFTER = 1
LOOKED_BACK = ("look back", "look back host", "look back guest")
_AT_TABLE = re.compile(r"\b(?:eat|lunch|menu|soup|salad|sandwich)")
_PUBLIC = re.compile(r"\b(?:Cafe|Park|Pub|Market|Store|Library|Square|Inn|Tavern)\b")


def contribute(talk: Dialogue) -> str:
    """Return the next thing to bring up; every turn something else."""
    for first in (make_excuse, tell_news):
        if told := first(talk):
            return told
    choices = list(AMONG_GUESTS if talk.party else AT_HOME if talk.is_family else SUBJECTS)
    talk.rng.shuffle(choices)
    choices.insert(0, look_back)
    of_late = talk.worn("mayor") + talk.worn("election")
    if talk.mind.politics > 0 and not talk.is_family and talk.rng.random() < SELDOM / (1 + of_late):
        choices.insert(talk.rng.choice((0, 2)), ask_election)
    return next((said for choice in choices if (said := choice(talk))), "") or talk.say("small talk")


def tell_news(talk: Dialogue) -> str:
    """The first item that the other may not know, as an invitation, an announcement or hearsay."""
    for item in sorted(talk.mind.known, key=lambda item: item.who != talk.me.name):
        if talk.mentioned(item) or not talk.will_tell(item):
            continue
        averse = item.kind == "candidacy" and talk.mind.politics < 0 and item.who != talk.me.name
        if not averse or talk.rng.random() < SELDOM:
            return _worded(talk, item)
    return ""


def _worded(talk: Dialogue, item: NewsItem) -> str:
    mine = item.who == talk.me.name
    key = ("invite" if mine else "pass on") if item.is_occasion else "announce" if mine else "announce on"
    if item.is_of(talk.other):
        key = "about yourself"
    whole, teller = talk.whole(item), talk.teller_of(item)
    source = "told in person" if teller and called_alike(teller, item.who) else "told by" if teller else "told"
    told = talk.say(source, "", teller=teller)
    return talk.say(key, "", news=whole, news_low=lower_first(whole), told=told)


def make_excuse(talk: Dialogue) -> str:
    """Why one did not come, to the host of what one has promised to come to."""
    for item in talk.mind.heard:
        told = any(record.kind == "excused" and record.other == talk.other for record in talk.mind.records)
        if item.is_of(talk.other) and talk.mind.broke_word(item) and not talk.asked("excuse") and not told:
            return talk.say("excuse", "", what=item.what, reason=excuse_for(talk, item))
    return ""


def excuse_for(talk: Dialogue, item: NewsItem) -> str:
    """Return the reason that this persona gives to everyone."""
    reasons = lines("excuse reason")
    return lower_first(reasons[int(lot(talk.me.name, item.noun, "reason") * len(reasons))].rstrip("."))


def look_back(talk: Dialogue) -> str:
    """A word about an occasion of today or yesterday that is over, by those who were there."""
    today, asked = talk.mind.now.date(), any(map(talk.asked, (*LOOKED_BACK, "ask there")))
    over = (item for item in talk.mind.heard if item.day and item.is_over(talk.mind.now) and talk.mind.attends(item))
    item = next((item for item in over if item.day and (today - item.day).days <= ONE_DAY_AFTER), None)
    if item is None or asked or talk.rng.random() > OFTEN / (1 + talk.worn(item.kind)):
        return ""
    key = "look back host" if item.who == talk.me.name else "look back guest" if item.is_of(talk.other) else "look back"
    return talk.say("ask there" if not item.is_of(talk.other) and talk.rng.random() < EVEN else key, what=item.kind)


def ask_election(talk: Dialogue) -> str:
    known = any(item.kind == "candidacy" for told in (talk.mind.known, *talk.told) for item in told)
    return "" if talk.asked("ask election") or known or talk.mind.politics <= 0 else talk.say("ask election")


def ask_town(talk: Dialogue) -> str:
    stands = any(item.kind == "candidacy" and item.who == talk.me.name for item in talk.mind.known)
    return talk.say("ask town") if stands and not talk.asked("ask town") and talk.rng.random() < EVEN else ""


def ask_progress(talk: Dialogue) -> str:
    topic = to_listener(talk.mind.topic_of(talk.other))
    ahead = (item for item in talk.mind.known if item.is_occasion and not item.has_begun(talk.mind.now))
    if PREPARATIONS.search(topic) and not any(item.is_of(talk.other) for item in ahead):
        return ""
    worn = talk.worn(f"{first_of(talk.other)} {talk.mind.topic_of(talk.other)}")
    if not topic or topic in to_listener(talk.everything_said) or talk.rng.random() < worn * SOMETIMES:
        return ""
    return talk.say("ask progress", topic=topic)


def _seen(talk: Dialogue, *, of: str = "", but: tuple[str, ...] = ()) -> Sighting | None:
    """Return a sighting of one persona, or of any but some."""
    found = [sight for sight in talk.mind.sightings()
             if (sight.who == of if of else sight.who not in but) and sight.doing not in talk.doing_of(sight.who)
             and sight.doing not in talk.everything_said]  # fmt: skip
    return talk.rng.choice(found) if found else None


def _tell_sight(talk: Dialogue, key: str, sight: Sighting | None) -> str:
    if sight is None or talk.asked(key):
        return ""
    when = spoken_time(sight.when, talk.mind.now)
    doing = to_listener(sight.doing) if key == "saw you" else sight.doing
    return talk.say(key, who=sight.who, doing=doing, when=when, when_up=capitalised(when))


def saw_you(talk: Dialogue) -> str:
    sight = _seen(talk, of=talk.other)
    late = sight is not None and talk.mind.now - sight.when > LITTLE_WHILE
    return _tell_sight(talk, "saw you", sight) if late else ""


def saw_other(talk: Dialogue) -> str:
    sight = _seen(talk, but=(talk.me.name, talk.other))
    return _tell_sight(talk, "saw other", sight) if talk.rng.random() < SOMETIMES else ""


def tell_own_day(talk: Dialogue) -> str:
    """What one has done today or yesterday, as far as it comes to mind."""
    sight = _seen(talk, of=talk.me.name)
    return _tell_sight(talk, "tell own day", sight) if sight and is_worth_telling(sight.doing) else ""


def ask_seen(talk: Dialogue) -> str:
    """After a friend whom both may have seen."""
    friends = {sight.who for sight in talk.mind.sightings()} - {talk.me.name, talk.other}
    missed = sorted(name for name in friends if talk.mind.closeness(name) == 1)
    return talk.say("ask seen", who=talk.rng.choice(missed)) if missed and not talk.asked("ask seen") else ""


def ask_work(talk: Dialogue) -> str:
    known = talk.topic_told(talk.other) or (talk.mind.topic_of(talk.other) and talk.rng.random() < OFTEN)
    return "" if known or talk.asked("ask work") or talk.manner == "cool" else talk.say("ask work")


def ask_how(talk: Dialogue) -> str:
    return "" if talk.asked("ask how") or talk.manner == "cool" else talk.say("ask how")


def tell_work(talk: Dialogue) -> str:
    """What one is busy with, seldomer the oftener one has told it."""
    topic = next(iter(talk.topics), "")
    if not topic or talk.rng.random() > 1 / (1 + talk.worn(f"{talk.me.first} {_bare(topic)}")):
        return ""
    told = talk.say("tell more" if talk.topic_told(talk.me.name) else "tell work", topic=topic)
    return f"{told} {more_of(talk, topic)}".strip()


def _bare(topic: str) -> str:
    return re.sub(r" (?:my|to|by|for|the) .*$", "", topic)


def more_of(talk: Dialogue, topic: str) -> str:
    """Return a second sentence about what one is busy with, if there is one to tell."""
    more = [fact.told for fact in talk.facts if fact.after == topic]
    return more[0] if more and talk.rng.random() < OFTEN else ""


def tell_fact(talk: Dialogue) -> str:
    """Something of oneself that is not one's work; no conversation begins with that."""
    own = [fact.told for fact in talk.facts if not fact.after]
    return talk.rng.choice(own) if own and talk.transcript and talk.rng.random() < SOMETIMES else ""


def tell_thought(talk: Dialogue) -> str:
    """What one has concluded about oneself."""
    found = thoughts_of_oneself(talk.me.name, tuple(memory.text for memory in talk.mind.memories))
    if not found or not talk.transcript or talk.asked("tell thought"):
        return ""
    thought = lower_first(talk.rng.choice(found))
    return talk.say("tell thought", doing=thought) if thought not in talk.everything_said else ""


def small_talk(talk: Dialogue) -> str:
    """About the time of year, or about the place, if it is one where people meet and not one's own."""
    place = spoken_place(talk.place)
    visited = _PUBLIC.search(place) and place not in f"{talk.me.requirement} {talk.me.learned}"
    key = "small talk place" if visited and talk.rng.random() < EVEN else "small talk"
    return "" if talk.asked(key) or talk.rng.random() > SOMETIMES else talk.say(key)


def ask_around(talk: Dialogue) -> str:
    """A question that goes with any company."""
    return talk.ask(keys("ask about ")) if talk.manner != "cool" else ""


def ask_meal(talk: Dialogue) -> str:
    return talk.ask(("ask meal",)) if talk.mind.now.hour in LUNCHTIME and not _AT_TABLE.search(talk.situation) else ""


def ask_at_home(talk: Dialogue) -> str:
    return talk.ask(HOME_QUESTIONS[part_of_day(talk.mind.now)])


def tell_at_home(talk: Dialogue) -> str:
    return talk.say("tell home", "")


def ask_at_party(talk: Dialogue) -> str:
    return talk.ask(("ask cake", "ask enjoying", "ask everybody"))


def tell_at_party(talk: Dialogue) -> str:
    """Thanks to the host, a welcome to the guest, or a word about the evening."""
    host = talk.party.who if talk.party else ""
    if host in {talk.me.name, talk.other}:
        key = "welcome guest" if host == talk.me.name else "thank host"
        return "" if talk.asked(key) else talk.say(key, "")
    return talk.say("tell party", "", host=first_of(host)) if host else ""


Contribution = Callable[[Dialogue], str]
AT_HOME: tuple[Contribution, ...] = (
    ask_at_home, ask_at_home, tell_at_home, tell_own_day, saw_other, ask_around, tell_thought,
)  # fmt: skip
AMONG_GUESTS: tuple[Contribution, ...] = (
    ask_at_party, tell_at_party, tell_at_party, ask_how, ask_work, saw_you, tell_fact, ask_around,
)  # fmt: skip
SUBJECTS: tuple[Contribution, ...] = (
    ask_town, ask_progress, saw_you, saw_other, ask_work, ask_how, tell_work, small_talk, ask_meal, ask_seen, tell_fact,
    saw_other, tell_own_day, tell_own_day, ask_around, tell_thought,
)  # fmt: skip
