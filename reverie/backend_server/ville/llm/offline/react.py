"""Answer what reacting asks: somebody is here; talk, wait, or carry on?"""

import re
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from random import Random

from ville.llm.offline.conditions import CONDITIONS
from ville.llm.offline.dialogue import Dialogue
from ville.llm.offline.hours import HOUR, day_in, span_in
from ville.llm.offline.knowledge import Knowledge
from ville.llm.offline.profile import profile_of
from ville.llm.offline.rule import Answer, Fields, Shelf
from ville.llm.offline.table import load
from ville.llm.offline.ties import tie
from ville.llm.offline.verbs import first_of

BASE = 0.025
"""How often people who have nothing in particular to say to each other talk when they meet."""
NEWS, INVITATION = 0.05, 0.1
"""How much likelier it gets with news for the other, and with an invitation or an excuse of one's own."""
LIKING, STRANGER = 0.03, -0.02
"""For each degree of liking, and for those who do not know each other."""
AGAIN_SOON, SOON = 0.15, timedelta(hours=3)
"""Who has talked to the other this recently seldom does it again."""
ABSORBED = 0.35
SELDOM, OFTEN = 0.01, 0.9
BUSY = re.compile(r"\b(?:teaching|lectur|class|exam|running|sprint|performance|prescription)")
"""Who does such a thing is seldom spoken to."""
ALONE = re.compile(r"\b(?:shower|toilet|bath|teeth|dressed|into bed|out of bed)\b|sleep")
"""Who does such a thing is left alone."""
SHARED = re.compile(r"\b(?:shower|toilet|sink|washing|teeth|cooking|heating|toaster|piano|computer)")
"""What only one can use at a time."""
REASONS = {
    "talk": ("There is something to tell {other}.", "It is a good moment for a word with {other}.",
             "One should not walk past {other} without a word.", "{name} wants to hear how {other} is."),
    "wait": ("{other} was first.", "There is room for one only.", "It will not take long."),
    "carry on": ("There is enough to do.", "{other} looks busy.", "They have talked often enough.", "Another time."),
}  # fmt: skip


def how_to_react(fields: Fields, rng: Random) -> Answer:
    choices, own, other = fields["choices"], fields["own_doing"], fields["other_doing"]
    chosen = "carry on" if "carry on" in choices else choices[0]
    alone = ALONE.search(f"{own} {other}")
    if "talk" in choices and not alone and rng.random() < wish_to_talk(fields, rng):
        chosen = "talk"
    elif "wait" in choices and SHARED.search(own) and SHARED.search(other):
        chosen = "wait"
    names = {"name": first_of(fields["name"]), "other": first_of(fields["other"])}
    return {"reason": rng.choice(REASONS[chosen]).format_map(names), "choice": chosen}


def wish_to_talk(fields: Fields, rng: Random) -> float:
    """Return how likely it is that this persona goes up to the other."""
    mind = Knowledge(profile_of(fields["identity"], fields["name"]), fields["memories"], fields["now"])
    talk = Dialogue(mind, fields["other"], (), rng, last_talk=fields["last_talk"])
    wish: float = BASE + sum(load("tempers.yaml")[temper].get("talks", 0) for temper in sorted(mind.me.tempers))
    wish += LIKING * talk.liking
    wish += 0.0 if tie(mind.me.name, talk.other, mind.texts) else STRANGER
    wish += _something_to_tell(talk)
    if recently(talk.last_talk, mind.now):
        wish *= AGAIN_SOON
    if BUSY.search(f"{fields['own_doing']} {fields['other_doing']}"):
        wish *= ABSORBED
    return max(SELDOM, min(OFTEN, wish))


def _something_to_tell(talk: Dialogue) -> float:
    """What the other should hear and has not been told by this persona."""
    if any(CONDITIONS["owes an excuse"](replace(talk, item=item)) for item in talk.mind.recent):
        return INVITATION
    news = [INVITATION if item.who == talk.me.name else NEWS for item in talk.mind.known if talk.will_tell(item)]
    return max(news, default=0.0)


def recently(last_talk: str, now: datetime) -> bool:
    """Return whether the two talked within the last hours, as far as the text says when."""
    ago = re.search(r"(\d+) (minute|hour|day)s? ago", last_talk)
    if ago:
        return timedelta(**{f"{ago[2]}s": int(ago[1])}) < SOON
    day, start = day_in(last_talk, now.date()), span_in(last_talk).start
    return day is not None and start is not None and now - _moment(day, start) < SOON


def _moment(day: date, minutes: int) -> datetime:
    return datetime.combine(day, time(minutes // HOUR % 24, minutes % HOUR))


RULES: Shelf = {"react/how_to_react": how_to_react}
