"""What is brought up unasked: news first, then what one is curious about, then what makes a conversation."""

import re
from collections.abc import Callable

from ville.llm.offline.english.grammar import capitalised, lower_first
from ville.llm.offline.english.wordlist import first_of
from ville.llm.offline.people.news import News, called_alike
from ville.llm.offline.people.ties import closeness
from ville.llm.offline.people.topics import (
    LITTLE_WHILE,
    at_in,
    known_about,
    own_words,
    part_of_day,
    sightings,
    spoken_time,
    to_listener,
)
from ville.llm.offline.talks.dialogue import (
    HOME_QUESTIONS,
    PARTY_QUESTIONS,
    Talk,
    is_worth_telling,
    spoken_place,
    told_whole,
)
from ville.llm.offline.talks.responses import EVEN, OFTEN, SELDOM, SOMETIMES, more_of


def contribute(talk: Talk) -> str:
    """The next thing to bring up; every turn something else."""
    told = tell_news(talk)
    if told:
        return told
    choices = list(AMONG_GUESTS if talk.party else AT_HOME if talk.is_family else SUBJECTS)
    talk.rng.shuffle(choices)
    choices.insert(0, look_back)
    if talk.politics > 0 and not talk.is_family and talk.rng.random() < SOMETIMES:
        choices.insert(talk.rng.choice((0, 0, 2)), ask_election)
    return next((said for choice in choices if (said := choice(talk))), "") or talk.say("small talk")


def tell_news(talk: Talk) -> str:
    """The first item that the other may not know."""
    own_first = sorted(talk.known, key=lambda item: item.who != talk.me.name)
    for item in own_first:
        if talk.mentioned(item) or not talk.will_tell(item):
            continue
        if item.kind == "candidacy" and talk.politics < 0 and item.who != talk.me.name and talk.rng.random() > SELDOM:
            continue
        return _worded(talk, item)
    return ""


def _worded(talk: Talk, item: News) -> str:
    """News as an invitation, an announcement, hearsay, or a question to the one it is about."""
    whole = told_whole(talk, item)
    mine, yours = item.who == talk.me.name, called_alike(item.who, talk.other)
    key = "about yourself" if yours else ("invite" if mine else "pass on") if item.is_occasion else (
        "announce" if mine else "announce on")  # fmt: skip
    teller = talk.teller_of(item)
    source = "told in person" if called_alike(teller or "-", item.who) else "told by"
    told = talk.say(source, "", teller=teller) if teller else talk.say("told")
    return talk.say(key, "", news=capitalised(whole), news_low=lower_first(whole), told=told)


def ask_election(talk: Talk) -> str:
    knows_candidate = any(item.kind == "candidacy" for told in (talk.known, *talk.said) for item in told)
    return "" if talk.politics <= 0 or talk.asked("ask election") or knows_candidate else talk.say("ask election")


def ask_town(talk: Talk) -> str:
    stands = any(item.kind == "candidacy" and item.who == talk.me.name for item in talk.known)
    return talk.say("ask town") if stands and not talk.asked("ask town") else ""


def ask_progress(talk: Talk) -> str:
    known = known_about(talk.texts, talk.other)
    topic = to_listener(known)
    said = to_listener(talk.everything_said)
    return talk.say("ask progress", topic=topic) if topic and topic not in said else ""


def saw_you(talk: Talk) -> str:
    seen = [sight for sight in sightings(talk.memories, talk.now) if sight.who == talk.other]
    current = talk.doing_of(talk.other)
    seen = [sight for sight in seen if sight.doing not in current and talk.now - sight.when > LITTLE_WHILE]
    if not seen or talk.asked("saw you"):
        return ""
    sight = talk.rng.choice(seen)
    when = spoken_time(sight.when, talk.now)
    return talk.say("saw you", doing=to_listener(sight.doing), when=when, when_up=capitalised(when))


def saw_other(talk: Talk) -> str:
    seen = [sight for sight in sightings(talk.memories, talk.now) if sight.who not in {talk.me.name, talk.other}]
    if not seen or talk.asked("saw other") or talk.rng.random() > SOMETIMES:
        return ""
    sight = talk.rng.choice(seen)
    when = spoken_time(sight.when, talk.now)
    return talk.say("saw other", who=sight.who, doing=sight.doing, when=when, when_up=capitalised(when))


def ask_work(talk: Talk) -> str:
    told = any(at_in(remark.said) for remark in talk.transcript if remark.speaker == talk.other)
    return "" if told or talk.asked("ask work") or talk.manner == "cool" else talk.say("ask work")


def ask_how(talk: Talk) -> str:
    return "" if talk.asked("ask how") or talk.manner == "cool" else talk.say("ask how")


def tell_work(talk: Talk) -> str:
    if not talk.topics:
        return ""
    mine = " ".join(remark.said for remark in talk.transcript if remark.speaker == talk.me.name)
    topic = talk.rng.choice(talk.topics)
    return f"{talk.say('tell more' if at_in(mine) else 'tell work', topic=topic)} {more_of(talk, topic)}".strip()


def tell_fact(talk: Talk) -> str:
    """Something of oneself that is not one's work; nobody begins with that."""
    if not talk.transcript:
        return ""
    own = [fact.told for fact in talk.facts if not fact.after]
    return talk.rng.choice(own) if own and talk.rng.random() < EVEN else ""


def tell_own_day(talk: Talk) -> str:
    """What one has done today or yesterday, as far as it comes to mind."""
    current = talk.doing_of(talk.me.name)
    done = [sight for sight in sightings(talk.memories, talk.now)
            if sight.who == talk.me.name and sight.doing not in current and is_worth_telling(sight.doing)]  # fmt: skip
    if not done or talk.asked("tell own day"):
        return ""
    sight = talk.rng.choice(done)
    when = spoken_time(sight.when, talk.now)
    return talk.say("tell own day", doing=own_words(sight.doing, talk.me.pronoun), when=when, when_up=capitalised(when))


def look_back(talk: Talk) -> str:
    """A word about the party, when it is over."""
    item = talk.enjoyed
    keys = ("look back host", "look back guest", "look back")
    if item is None or any(talk.asked(key) for key in keys) or talk.rng.random() > OFTEN:
        return ""
    key = keys[0] if item.who == talk.me.name else keys[1] if called_alike(item.who or "-", talk.other) else keys[2]
    return talk.say(key, what=item.kind)


def small_talk(talk: Talk) -> str:
    """About the weather, or about the place, if it is one where people meet and not one's own."""
    if talk.rng.random() > SOMETIMES:
        return ""
    place = spoken_place(talk.place)
    visited = PUBLIC.search(place) and place not in f"{talk.me.requirement} {talk.me.learned}"
    return talk.say("small talk place" if visited and talk.rng.random() < EVEN else "small talk")


PUBLIC = re.compile(r"\b(?:Cafe|Park|Pub|Market|Store|Library|Square|Inn|Tavern)\b")


def ask_meal(talk: Talk) -> str:
    return talk.ask(("ask meal",)) if talk.now.hour in LUNCHTIME and not AT_TABLE.search(talk.situation) else ""


def ask_seen(talk: Talk) -> str:
    """After a friend whom both may have seen."""
    friends = {sight.who for sight in sightings(talk.memories, talk.now)} - {talk.me.name, talk.other}
    missed = sorted(name for name in friends if closeness(talk.me.name, name, talk.texts) == 1)
    return talk.say("ask seen", who=talk.rng.choice(missed)) if missed and not talk.asked("ask seen") else ""


def ask_at_home(talk: Talk) -> str:
    return talk.ask(HOME_QUESTIONS[part_of_day(talk.now)])


def tell_at_home(talk: Talk) -> str:
    return talk.say("tell home", "")


def ask_at_party(talk: Talk) -> str:
    return talk.ask(PARTY_QUESTIONS)


def tell_at_party(talk: Talk) -> str:
    """Thanks to the host, a welcome to the guest, or a word about the evening."""
    host = talk.party.who if talk.party else ""
    if host in {talk.me.name, talk.other}:
        key = "welcome guest" if host == talk.me.name else "thank host"
        return "" if talk.asked(key) else talk.say(key, "")
    return talk.say("tell party", "", host=first_of(host)) if host else ""


LUNCHTIME = range(11, 15)
AT_TABLE = re.compile(r"\b(?:eat|lunch|menu|soup|salad|sandwich)")
AT_HOME: tuple[Callable[[Talk], str], ...] = (
    ask_at_home, ask_at_home, tell_at_home, tell_own_day, saw_other, ask_town,
)  # fmt: skip
AMONG_GUESTS: tuple[Callable[[Talk], str], ...] = (
    ask_at_party, tell_at_party, tell_at_party, ask_how, ask_work, ask_town, saw_you, tell_fact,
)  # fmt: skip
SUBJECTS: tuple[Callable[[Talk], str], ...] = (
    ask_town, ask_progress, saw_you, saw_other, ask_work, ask_how, tell_work, tell_work, small_talk, ask_meal,
    ask_seen, tell_fact, tell_fact, tell_own_day,
)  # fmt: skip
