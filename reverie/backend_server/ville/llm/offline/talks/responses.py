"""What is said to what was said: answers to questions, and how news is taken."""

import re
from collections.abc import Callable

from ville.llm.offline.english.grammar import capitalised, lower_first
from ville.llm.offline.english.wordlist import first_of
from ville.llm.offline.people.news import News, called_alike
from ville.llm.offline.people.opinions import feeling, shift_during, wants_to_go
from ville.llm.offline.people.ties import is_family
from ville.llm.offline.people.topics import SAID, at_in, known_about, of_another, sightings, spoken_time
from ville.llm.offline.talks.dialogue import ABOUT_CANDIDACY, ABOUT_PARTY, ABOUT_WORK, Talk, plain, told_whole
from ville.llm.offline.talks.phrases import ASKED_ABOUT, named_in, recogniser, subject_of

OFTEN, EVEN, SOMETIMES, SELDOM = 0.7, 0.5, 0.45, 0.25


def respond(talk: Talk) -> str:
    """What this person says to the other's last words; nothing if they ask for nothing."""
    told = talk.said[-1] if talk.said and talk.last else ()
    question = talk.question()
    if told:
        return " ".join(dict.fromkeys(taken(talk, item) for item in told[:2]))
    if question:
        return ANSWERS.get(question, answer_plainly)(talk)
    if at_in(talk.last):
        return _interested(talk)
    if answer := _to_yes_or_no(talk):
        return answer
    if any(recogniser(key).search(talk.last) for key in ("look back", "look back host", "look back guest")):
        return talk.say("reply look back")
    own = _OF_SELF.search(talk.last) and not talk.is_family
    return talk.say("reply self" if own else "reply") if talk.last.strip() else ""


_OF_SELF = re.compile(r"(?:^|[.!?;] )I(?:'m)? [^.!?]+[.!]$")
"""Who says something of oneself at the end."""


def _to_yes_or_no(talk: Talk) -> str:
    """What is said to somebody who has just accepted or declined an invitation; nothing, if that was not it."""
    occasions = [item for told in talk.said for item in told if item.is_occasion]
    if not occasions:
        return ""
    if any(recogniser(key).search(talk.last) for key in ("decline", "decline shift")):
        return talk.say("pity")
    if recogniser("accept").search(talk.last):
        return talk.say("they come to me" if occasions[0].who == talk.me.name else "they come")
    return ""


def _interested(talk: Talk) -> str:
    """A remark on what the other is at, and often a question about it."""
    if known_about(talk.texts, talk.other) == of_another(at_in(talk.last)):
        return f"{talk.say('knew work', '')} {talk.ask(('ask far',))}".strip()
    subject = subject_of(at_in(talk.last)) if talk.manner != "cool" else ""
    remark = talk.say(f"interest {subject}" if subject and talk.rng.random() < OFTEN else "interest")
    questions = ASKED_ABOUT[subject] if subject and talk.rng.random() < OFTEN else ABOUT_WORK
    return f"{remark} {talk.ask(questions) if talk.rng.random() < OFTEN else ''}".strip()


def taken(talk: Talk, item: News) -> str:
    """How an item of news is taken that the other has just told."""
    if called_alike(item.who or "-", talk.me.name):
        return _about_me(talk, item)
    if talk.mentioned(item, before=-1):
        return talk.say("accept" if item.is_occasion and _goes(talk, item) else "reply")
    return _invited(talk, item) if item.is_occasion else _informed(talk, item)


def _about_me(talk: Talk, item: News) -> str:
    """The other has heard of my own plans."""
    if item.is_occasion:
        return f"{talk.say('yes true')} And you are coming too, I hope?"
    return f"{talk.say('yes true')} {talk.say('ask town')}" if not talk.asked("ask town") else talk.say("yes true")


def _invited(talk: Talk, item: News) -> str:
    """Glad or not, and whether one will come."""
    goes = _goes(talk, item)
    answer = talk.say("accept") if goes else _decline(talk, item)
    if talk.knows(item):
        answer = f"{_knew(talk, item)} {answer}"
    elif not called_alike(item.who or "-", talk.other):
        answer = f"{talk.say('first heard', '')} {answer}"
    if not goes or talk.rng.random() > SOMETIMES:
        return answer
    host = called_alike(item.who or "-", talk.other)
    return f"{answer} {talk.ask(ABOUT_PARTY if host else ('ask together',))}".strip()


def _decline(talk: Talk, item: News) -> str:
    """With the reason, if it is work."""
    shift = shift_during(item, talk.me)
    return talk.say("decline shift", "", what=shift.what) if shift else talk.say("decline")


def _goes(talk: Talk, item: News) -> bool:
    """Whom one loves one follows; otherwise it is a matter of temper."""
    return talk.liking > 1 or wants_to_go(talk.me, item, talk.texts, talk.now.date())


def _knew(talk: Talk, item: News) -> str:
    teller = talk.teller_of(item)
    if not teller:
        return talk.say("knew plain")
    return talk.say("knew", teller=first_of(teller), teller_low=first_of(teller))


def _informed(talk: Talk, item: News) -> str:
    """An opinion on an announcement, by what one thinks of the person it is about."""
    about_speaker = called_alike(item.who, talk.other)
    if talk.knows(item) and is_family(talk.me.name, item.who, talk.texts):
        return talk.say("knew family", "", who=first_of(item.who))
    liking = talk.liking if about_speaker else feeling(talk.texts, item.who)
    mood = "sceptical" if liking < 0 else "glad" if liking > 0 else "curious"
    if about_speaker and talk.is_family:
        return talk.say("told home", "")
    if item.kind == "candidacy" and talk.politics < 0:
        return talk.say("indifferent")
    opinion = talk.say(f"{mood} you" if about_speaker else mood, "", who=first_of(item.who))
    if talk.knows(item) and not about_speaker:
        opinion = f"{_knew(talk, item)} {opinion if mood != 'curious' else ''}".strip()
    return f"{opinion} {talk.ask(ABOUT_CANDIDACY)}".strip() if about_speaker and liking >= 0 else opinion


def answer_work(talk: Talk) -> str:
    """What one is at, and often the question back."""
    topics = talk.topics
    if not topics:
        own = " ".join(remark.said for remark in talk.transcript if remark.speaker == talk.me.name)
        return talk.say("answer told" if at_in(own) else "answer nothing")
    topic = topics[0] if talk.rng.random() < OFTEN else talk.rng.choice(topics)
    told = f"{talk.say('answer work', topic=topic)} {more_of(talk, topic)}".strip()
    back = talk.rng.random() < SOMETIMES and not SAID.search(talk.everything_said)
    return f"{told} {talk.say('reply back')}" if back else told


def more_of(talk: Talk, topic: str) -> str:
    """A second sentence about what one is at, if there is one to tell."""
    more = [fact.told for fact in talk.facts if fact.after == topic]
    return more[0] if more and talk.rng.random() < OFTEN else ""


def answer_election(talk: Talk) -> str:
    """The names of candidates, if one knows any."""
    if any(item.kind == "candidacy" and item.who == talk.me.name and talk.mentioned(item) for item in talk.known):
        return talk.say("that is me")
    if own := [item for item in talk.known if item.kind == "candidacy" and not talk.mentioned(item)]:
        item = own[0]
        if item.who == talk.me.name:
            return f"{talk.say('so ask me')} {told_whole(talk, item)}"
        return hearsay(talk, item)
    return talk.say("indifferent" if talk.politics < 0 else "answer election")


def hearsay(talk: Talk, item: News) -> str:
    """News that one has from others, with who told it."""
    whole = told_whole(talk, item)
    teller = talk.teller_of(item)
    if not teller:
        return whole
    source = "told in person" if called_alike(teller, item.who) else "told by"
    return f"{talk.say(source, teller=teller)} {lower_first(whole)}"


def answer_saw_other(talk: Talk) -> str:
    who = _third(talk)
    return talk.say("answer saw other", who=first_of(who)) if who else talk.say("reply")


def answer_seen(talk: Talk) -> str:
    """Where somebody was seen, if this person has seen them."""
    who = _third(talk)
    seen = [sight for sight in sightings(talk.memories, talk.now) if sight.who == who]
    if not seen:
        return talk.say("not seen", who=first_of(who)) if who else talk.say("reply")
    when = spoken_time(seen[-1].when, talk.now)
    return talk.say("answer seen", who=first_of(who), doing=seen[-1].doing, when=when, when_up=capitalised(when))


def _third(talk: Talk) -> str:
    """Whom the last remark says to have seen, or asks for."""
    return named_in("saw other", talk.last) or named_in("ask seen", talk.last) or named_in("ask seen", plain(talk.last))


def answer_plainly(talk: Talk) -> str:
    """The saying that goes with the question."""
    subject = talk.question().removeprefix("ask ").removeprefix("thank ").removeprefix("welcome ")
    return talk.say(f"answer {subject}")


ANSWERS: dict[str, Callable[[Talk], str]] = {
    "ask work": answer_work,
    "reply back": answer_work,
    "ask election": answer_election,
    "saw other": answer_saw_other,
    "ask seen": answer_seen,
}
"""Questions that take more than a saying."""
