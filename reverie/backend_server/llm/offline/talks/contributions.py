"""What is brought up unasked: news first, then what one is curious about, then what makes a conversation."""

from collections.abc import Callable

from llm.offline.english.grammar import capitalised, lower_first
from llm.offline.people.news import News, called_alike
from llm.offline.people.topics import LITTLE_WHILE, known_about, sightings, spoken_time, to_listener, topics_of
from llm.offline.talks.dialogue import Talk, told_whole
from llm.offline.talks.responses import SELDOM, SOMETIMES


def contribute(talk: Talk) -> str:
    """The next thing to bring up; every turn something else."""
    told = tell_news(talk)
    if told:
        return told
    choices = list(SUBJECTS)
    talk.rng.shuffle(choices)
    if talk.politics > 0 and not talk.asked("ask election"):
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
    whole = told_whole(item, talk.me.name, talk.other, talk.now)
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
    return "" if talk.asked("ask work") or talk.manner == "cool" else talk.say("ask work")


def ask_how(talk: Talk) -> str:
    return "" if talk.asked("ask how") or talk.manner == "cool" else talk.say("ask how")


def tell_work(talk: Talk) -> str:
    topics = [topic for topic in topics_of(talk.me) if topic not in talk.everything_said]
    return talk.say("tell work", topic=talk.rng.choice(topics)) if topics else ""


def small_talk(talk: Talk) -> str:
    return talk.say("small talk") if talk.rng.random() < SOMETIMES else ""


SUBJECTS: tuple[Callable[[Talk], str], ...] = (
    ask_town, ask_progress, saw_you, saw_other, ask_work, ask_how, tell_work, tell_work, small_talk,
)  # fmt: skip
