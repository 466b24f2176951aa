"""Answer the question of reacting: talk to a nearby persona, wait, or carry on."""

import re
from dataclasses import replace
from datetime import timedelta
from random import Random

from ville.offline.answers.knowledge import Knowledge
from ville.offline.conditions import CONDITIONS
from ville.offline.grammar import first_of
from ville.offline.profile import profile_of
from ville.offline.respond import how_to_respond
from ville.offline.rule import Answer, Fields, Shelf
from ville.offline.table import load, shows
from ville.offline.talks.dialogue import Dialogue
from ville.offline.talks.ties import tie

BASE = 0.065
"""Probability of a talk when two meet without a reason."""
NEWS, INVITATION, INCIDENT = 0.1, 0.2, 0.2
"""Increase with news for the other, with one's own invitation or excuse, and with something alarming that happened."""
LIKING, STRANGER = 0.06, -0.02
"""Increase per degree of liking, and change for strangers."""
AGAIN_SOON, SOON = 0.15, timedelta(hours=3)
"""Factor after a recent talk, and what counts as recent."""
ABSORBED = 0.35
SELDOM, OFTEN = 0.02, 0.9
REASONS = {
    "talk": ("There is something to tell {other}.", "It is a good moment for a word with {other}.",
             "One should not walk past {other} without a word.", "{name} wants to hear how {other} is."),
    "wait": ("{other} was first.", "There is room for one only.", "It will not take long."),
    "carry on": ("There is enough to do.", "{other} looks busy.", "They have talked often enough.", "Another time."),
}  # fmt: skip


def how_to_react(fields: Fields, rng: Random) -> Answer:
    choices, own, other = fields["choices"], fields["own_doing"], fields["other_doing"]
    chosen = "carry on" if "carry on" in choices else choices[0]
    alone = shows("left alone", f"{own} {other}")
    if "talk" in choices and not alone and rng.random() < wish_to_talk(fields, rng):
        chosen = "talk"
    elif "wait" in choices and shows("used by one", own) and shows("used by one", other):
        chosen = "wait"
    names = {"name": first_of(fields["name"]), "other": first_of(fields["other"])}
    return {"reason": rng.choice(REASONS[chosen]).format_map(names), "choice": chosen}


def how_to_react_briefly(fields: Fields, rng: Random) -> Answer:
    return {"choice": how_to_react(fields, rng)["choice"]}


def wish_to_talk(fields: Fields, rng: Random) -> float:
    """Return the probability that this persona starts a conversation."""
    mind = Knowledge(profile_of(fields["identity"], fields["name"]), fields["memories"], fields["now"])
    talk = Dialogue(mind, fields["other"], (), rng, last_talk=fields["last_talk"])
    wish: float = BASE + sum(load("tempers.yaml")[temper].get("talks", 0) for temper in sorted(mind.me.tempers))
    wish += LIKING * talk.liking
    wish += 0.0 if tie(mind.me.name, talk.other, mind.texts) else STRANGER
    wish += _something_to_tell(talk)
    if recently(talk.last_talk):
        wish *= AGAIN_SOON
    if shows("busy", f"{fields['own_doing']} {fields['other_doing']}"):
        wish *= ABSORBED
    return max(SELDOM, min(OFTEN, wish))


def _something_to_tell(talk: Dialogue) -> float:
    """Return the increase for an incident, an excuse or news that the other has not heard."""
    if talk.incident:
        return INCIDENT
    if any(CONDITIONS["owes an excuse"](replace(talk, item=item)) for item in talk.mind.recent):
        return INVITATION
    news = [INVITATION if item.who == talk.me.name else NEWS for item in talk.mind.known if talk.will_tell(item)]
    return max(news, default=0.0)


def recently(last_talk: str) -> bool:
    """Return whether the two talked within the last hours."""
    ago = re.search(r"(\d+) minutes? ago", last_talk)
    return ago is not None and timedelta(minutes=int(ago[1])) < SOON


RULES: Shelf = {
    "react/how_to_react": how_to_react,
    "react/how_to_react_briefly": how_to_react_briefly,
    "react/how_to_respond": how_to_respond,
}
