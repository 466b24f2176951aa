"""What is said to what was said: answers to questions, and how news is taken."""

import re
from collections.abc import Callable

from ville.llm.offline.contributions import EVEN, LOOKED_BACK, OFTEN, SOMETIMES, excuse_for, more_of, tell_own_day
from ville.llm.offline.dialogue import OF_WORK, Dialogue
from ville.llm.offline.grammar import called_alike, capitalised, lower_first
from ville.llm.offline.knowledge import shift_during, spoken_time
from ville.llm.offline.news import NewsItem
from ville.llm.offline.sayings import exists, keys, subject_of
from ville.llm.offline.verbs import first_of
from ville.llm.offline.work import of_another

ABOUT_WORK = ("ask hard", "ask finished", "ask far", "ask began", "ask enjoy")
ABOUT_CANDIDACY = ("ask first deed", "ask reason", "ask family", "ask afraid")
ABOUT_PARTY = ("ask bring", "ask friend", "ask help", "ask music")
_OF_SELF = re.compile(r"^I(?:'m)? [^.!?]+[.!]$")


def respond(talk: Dialogue) -> str:
    """Return what this persona says to the other's last words; nothing if they ask for nothing."""
    if not talk.last:
        return ""
    told, question = talk.told[-1], talk.question
    if told:
        return " ".join(dict.fromkeys(_taken(talk, item) for item in told[:2]))
    if question:
        answer = ANSWERS.get(question.key)
        return answer(talk) if answer else _plain_answer(talk, question.key)
    if any(said.key in OF_WORK for said in talk.last):
        return _interested(talk)
    return _to_yes_or_no(talk) or _to_remark(talk)


def _to_remark(talk: Dialogue) -> str:
    last = talk.last[-1]
    if last.key in LOOKED_BACK:
        return _to_looking_back(talk)
    of_self = last.key in {"tell own day", "tell thought"} or (not last.key and _OF_SELF.match(last.text))
    return talk.say("reply self" if of_self and not talk.is_family else "reply")


def _to_looking_back(talk: Dialogue, there: str = "reply look back", away: str = "reply not there") -> str:
    """Agree, if one was there; own up, if one had promised to be."""
    occasions = [item for item in talk.mind.heard if item.is_occasion and item.has_begun(talk.mind.now)]
    missed = next((item for item in occasions if talk.mind.broke_word(item)), None)
    if missed and not talk.asked("excuse"):
        return talk.say("excuse", "", what=missed.what, reason=excuse_for(talk, missed))
    return talk.say(there if any(talk.mind.attends(item) for item in occasions) else away)


def answer_there(talk: Dialogue) -> str:
    return _to_looking_back(talk, "answer there", "answer not there")


def _plain_answer(talk: Dialogue, question: str) -> str:
    """Return the saying that goes with the question."""
    answer = f"answer {re.sub(r'^(?:ask|thank|welcome) ', '', question)}"
    return talk.say(answer) if exists(answer) else talk.say("reply")


def _to_yes_or_no(talk: Dialogue) -> str:
    """What is said to somebody who has just accepted or declined an invitation; nothing, if that was not it."""
    occasion = next((item for told in talk.told for item in told if item.is_occasion), None)
    answers = {said.key for said in talk.last}
    if occasion is None or not answers & {"accept", "decline", "decline shift"}:
        return ""
    if "accept" not in answers:
        return talk.say("pity")
    return talk.say("they come to me" if occasion.who == talk.me.name else "they come")


def _interested(talk: Dialogue) -> str:
    """A remark on what the other is busy with, and often a question about it."""
    topic = next(said.blanks["topic"] for said in reversed(talk.last) if said.key in OF_WORK)
    if talk.mind.topic_of(talk.other) == of_another(topic):
        return f"{talk.say('knew work', '')} {talk.ask(('ask far',))}".strip()
    subject = subject_of(topic) if talk.manner != "cool" and talk.rng.random() < OFTEN else ""
    remark = talk.say(f"interest {subject}" if subject else "interest")
    questions = keys(f"ask {subject} ") if subject and talk.rng.random() < OFTEN else ABOUT_WORK
    return f"{remark} {talk.ask(questions) if talk.rng.random() < OFTEN else ''}".strip()


def _taken(talk: Dialogue, item: NewsItem) -> str:
    """How an item of news is taken that the other has just told."""
    if item.is_of(talk.me.name):
        return _about_me(talk, item)
    if talk.mentioned(item, before=-1):
        return talk.say("accept" if item.is_occasion and _goes(talk, item) else "reply")
    if item.is_occasion and item.has_begun(talk.mind.now):
        return talk.say("reply")
    return _invited(talk, item) if item.is_occasion else _informed(talk, item)


def _about_me(talk: Dialogue, item: NewsItem) -> str:
    """The other has heard of my own plans."""
    if item.is_occasion:
        return f"{talk.say('yes true')} {talk.ask(('ask coming',))}".strip()
    return f"{talk.say('yes true')} {talk.ask(('ask town',))}".strip()


def _invited(talk: Dialogue, item: NewsItem) -> str:
    """Glad or not, and whether one will come."""
    goes = _goes(talk, item)
    shift = shift_during(item, talk.me)
    no = talk.say("decline shift", "", what=shift.what) if shift and not goes else ""
    answer = talk.say("accept") if goes else no or talk.say("decline")
    host = item.is_of(talk.other)
    if talk.knows(item):
        answer = f"{_knew(talk, item)} {answer}"
    elif not host:
        answer = f"{talk.say('first heard', '')} {answer}"
    asks = goes and talk.rng.random() < SOMETIMES
    return f"{answer} {talk.ask(ABOUT_PARTY if host else ('ask together',)) if asks else ''}".strip()


def _goes(talk: Dialogue, item: NewsItem) -> bool:
    """Whom one loves one follows; otherwise it is a matter of temper."""
    decided = talk.mind.decision(item)
    return decided if decided is not None else talk.liking > 1 or talk.mind.will_go(item)


def _knew(talk: Dialogue, item: NewsItem) -> str:
    teller = talk.teller_of(item)
    return talk.say("knew", teller=first_of(teller)) if teller else talk.say("knew plain")


def _informed(talk: Dialogue, item: NewsItem) -> str:
    """An opinion on an announcement, by what one thinks of the one it is about."""
    about_speaker = item.is_of(talk.other)
    if talk.knows(item) and talk.mind.kin(item.who):
        return talk.say("knew family", "", who=first_of(item.who))
    liking = talk.liking if about_speaker else talk.mind.liking(item.who)
    mood = "sceptical" if liking < 0 else "glad" if liking > 0 else "curious"
    if about_speaker and talk.is_family:
        return talk.say("told home", "")
    if item.kind == "candidacy" and talk.mind.politics < 0:
        return talk.say("indifferent")
    opinion = talk.say(f"{mood} you" if about_speaker else mood, "", who=first_of(item.who))
    if talk.knows(item) and not about_speaker:
        opinion = f"{_knew(talk, item)} {opinion if mood != 'curious' else ''}".strip()
    return f"{opinion} {talk.ask(ABOUT_CANDIDACY)}".strip() if about_speaker and liking >= 0 else opinion


def answer_work(talk: Dialogue) -> str:
    """What one is busy with, and often the question back."""
    if not talk.topics:
        return talk.say("answer told" if talk.topic_told(talk.me.name) else "answer nothing")
    topic = talk.topics[0]
    worn = talk.worn(f"{talk.me.first} {of_another(topic)}")
    if talk.rng.random() < worn / (worn + 2):
        return tell_own_day(talk) or talk.say("answer nothing")
    told = f"{talk.say('answer work', topic=topic)} {more_of(talk, topic)}".strip()
    back = talk.rng.random() < SOMETIMES and not any(key in OF_WORK for key in talk.keys)
    return f"{told} {talk.say('reply back')}" if back else told


def answer_election(talk: Dialogue) -> str:
    """The names of candidates, if one knows any."""
    found = [item for item in talk.mind.known if item.kind == "candidacy"]
    if any(item.who == talk.me.name and talk.mentioned(item) for item in found):
        return talk.say("that is me")
    item = next((item for item in found if not talk.mentioned(item)), None)
    if item is None:
        return talk.say("indifferent" if talk.mind.politics < 0 else "answer election")
    if item.who == talk.me.name:
        return f"{talk.say('so ask me')} {capitalised(talk.whole(item))}"
    teller = talk.teller_of(item)
    if not teller:
        return capitalised(talk.whole(item))
    source = "told in person" if called_alike(teller, item.who) else "told by"
    return f"{talk.say(source, teller=teller)} {lower_first(talk.whole(item))}"


def answer_saw_other(talk: Dialogue) -> str:
    who = _third(talk)
    return talk.say("answer saw other", who=first_of(who)) if who else talk.say("reply")


def answer_seen(talk: Dialogue) -> str:
    """Where somebody was seen, if this persona has seen them."""
    who = _third(talk)
    seen = [sight for sight in talk.mind.sightings() if sight.who == who]
    if not seen:
        return talk.say("not seen", who=first_of(who)) if who else talk.say("reply")
    when = spoken_time(seen[-1].when, talk.mind.now)
    return talk.say("answer seen", who=first_of(who), doing=seen[-1].doing, when=when, when_up=capitalised(when))


def _third(talk: Dialogue) -> str:
    """Return whom the question is about."""
    return talk.question.blanks.get("who", "") if talk.question else ""


def answer_saw_you(talk: Dialogue) -> str:
    return (
        talk.say("answer saw you")
        if talk.rng.random() < OFTEN
        else f"{talk.say('answer saw you')} {_back(talk)}".strip()
    )


def _back(talk: Dialogue) -> str:
    return talk.ask(("ask how",)) if talk.rng.random() < EVEN else ""


ANSWERS: dict[str, Callable[[Dialogue], str]] = {
    "ask work": answer_work,
    "reply back": answer_work,
    "ask election": answer_election,
    "saw other": answer_saw_other,
    "saw you": answer_saw_you,
    "ask seen": answer_seen,
    "ask there": answer_there,
}
"""Questions that take more than a saying."""
