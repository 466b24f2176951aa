"""Answers what reacting asks: somebody is here; talk, wait, or carry on?"""

import re
from datetime import date, datetime, time, timedelta
from random import Random

from ville.llm.offline.english.hours import HOUR, day_in, span_in
from ville.llm.offline.english.wordlist import first_of
from ville.llm.offline.people.opinions import feeling
from ville.llm.offline.people.person import Person, person
from ville.llm.offline.people.ties import tie
from ville.llm.offline.rule import Answer, Fields, Shelf
from ville.llm.offline.talks.dialogue import Talk

BASE = 0.03
"""How often people who have nothing in particular to say to each other talk when they meet."""
TEMPER_MATTERS = {"outgoing": 0.03, "kind": 0.01, "witty": 0.01, "curious": 0.01, "shy": -0.02, "thoughtful": -0.01}
NEWS, INVITATION = 0.08, 0.15
"""How much likelier it gets with news for the other, and with an invitation of one's own."""
LIKING = 0.03
"""For each degree of liking, and as much less for each of dislike."""
STRANGER = -0.02
AGAIN_SOON, SOON = 0.15, timedelta(hours=3)
"""Who has talked to the other this recently seldom does it again."""
ABSORBED, BUSY = (
    0.35,
    re.compile(r"\b(?:teaching|lectur|class|exam|running|sprint|performance|prescription)"),
)
"""Who does such a thing is seldom spoken to."""
ALONE = re.compile(r"\b(?:shower|toilet|bath|teeth|dressed|into bed|out of bed)\b")
"""Who does such a thing is left alone."""
SHARED = re.compile(r"\b(?:shower|toilet|sink|washing|teeth|cooking|heating|toaster|piano|computer)")
"""What only one can use at a time."""
SELDOM, OFTEN = 0.01, 0.9

REASONS = {
    "talk": ("There is something to tell {other}.", "It is a good moment for a word with {other}.",
             "One should not walk past {other} without a word.", "{name} wants to hear how {other} is."),
    "wait": ("{other} was first.", "There is room for one only.", "It will not take long."),
    "carry on": ("There is enough to do.", "{other} looks busy.", "They have talked often enough.", "Another time."),
}  # fmt: skip


def how_to_react(fields: Fields, rng: Random) -> Answer:
    choices = fields["choices"]
    chosen = "carry on" if "carry on" in choices else choices[0]
    doings = f"{fields['own_doing']} {fields['other_doing']}"
    alone = "sleep" in doings or ALONE.search(doings)
    if "talk" in choices and not alone and rng.random() < wish_to_talk(fields, rng):
        chosen = "talk"
    elif "wait" in choices and SHARED.search(fields["own_doing"]) and SHARED.search(fields["other_doing"]):
        chosen = "wait"
    names = {"name": first_of(fields["name"]), "other": first_of(fields["other"])}
    return {"reason": rng.choice(REASONS[chosen]).format_map(names), "choice": chosen}


def wish_to_talk(fields: Fields, rng: Random) -> float:
    """How likely it is that this person goes up to the other."""
    who, other, now = person(fields["identity"], fields["name"]), fields["other"], fields["now"]
    texts = [memory.text for memory in fields["memories"]]
    wish = BASE + sum(weight for temper, weight in TEMPER_MATTERS.items() if temper in who.tempers)
    wish += LIKING * feeling(texts, other)
    wish += 0.0 if tie(who.name, other, texts) else STRANGER
    wish += _news_for(fields, who, rng)
    if recently(fields["last_talk"], now):
        wish *= AGAIN_SOON
    if BUSY.search(f"{fields['own_doing']} {fields['other_doing']}"):
        wish *= ABSORBED
    return max(SELDOM, min(OFTEN, wish))


def _news_for(fields: Fields, who: Person, rng: Random) -> float:
    """What the other should hear and has not been told by this person."""
    talk = Talk(
        who, fields["other"], fields["now"], "", "", "", fields["last_talk"], fields["memories"], transcript=(), rng=rng
    )
    worth = 0.0
    for item in talk.known:
        if talk.will_tell(item):
            worth = max(worth, INVITATION if item.who == who.name else NEWS)
    return worth


def recently(last_talk: str, now: datetime) -> bool:
    """Whether the two talked within the last hours, as far as the text says when."""
    ago = re.search(r"(\d+) (minute|hour|day)s? ago", last_talk)
    if ago:
        return timedelta(**{f"{ago[2]}s": int(ago[1])}) < SOON
    day, start = day_in(last_talk, now.date()), span_in(last_talk).start
    if day is None or start is None:
        return False
    return now - _moment(day, start) < SOON


def _moment(day: date, minutes: int) -> datetime:
    return datetime.combine(day, time(minutes // HOUR % 24, minutes % HOUR))


RULES: Shelf = {"react/how_to_react": how_to_react}
