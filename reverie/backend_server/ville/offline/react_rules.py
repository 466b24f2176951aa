"""Answer what a persona does about others nearby and what happens: talk, wait, help, leave, look, or carry on."""

import re
from dataclasses import replace
from datetime import timedelta
from random import Random

from ville.offline.answers.knowledge import Knowledge
from ville.offline.conditions import CONDITIONS
from ville.offline.day.place_rules import may_enter
from ville.offline.grammar import first_of, sentences
from ville.offline.incidents import ALARMING, FILE, Trouble, is_alarm, is_remedy, trouble_of
from ville.offline.profile import Profile, lot, profile_of
from ville.offline.rule_types import Answer, Fields, Shelf
from ville.offline.table import Value, load, pattern, shows
from ville.offline.talks.dialogue import Dialogue
from ville.offline.talks.ties import tie

HANDS = 2
"""Number of persons in charge of a place who put something right together."""
STAY = "stay"
LIKELY = {"leave": {"shy", "orderly"}, "help": {"kind", "outgoing"}, "look": {"curious", "lively"}}
"""Tempers that show in each way to respond."""


def how_to_respond(fields: Fields, rng: Random) -> Answer:
    who, trouble = profile_of(fields["identity"], fields["name"]), trouble_of(fields["noticed"])
    way = _way(who, trouble, fields, rng=rng)
    reason = str(rng.choice(load(FILE)["reasons"][way]))
    if way == STAY:
        return {"reason": reason, "choice": "carry on"}
    sector, arena, thing = _site(who, way, fields)
    minutes = trouble.minutes if way == "mend" else load(FILE)["minutes"][way]
    return {
        "reason": reason, "choice": "change", "activity": _words(trouble, way, fields["thing"], rng=rng),
        "minutes": minutes, "sector": sector, "arena": arena, "game_object": thing,
        "emoji": str(load(FILE)["emoji"][way]), "ends_it": way == "mend",
    }  # fmt: skip


def _words(trouble: Trouble, way: str, thing: str, *, rng: Random) -> str:
    wordings = trouble.mend if way == "mend" else trouble.ways[way]
    return str(rng.choice(wordings)).format(thing=thing)


def _way(who: Profile, trouble: Trouble, fields: Fields, *, rng: Random) -> str:
    """Return `mend`, another way to respond, or `stay`."""
    doing = fields["own_doing"].removeprefix("on the way to ")
    if not _is_here(who, fields):
        return STAY
    if is_remedy(doing) or ("sleeping" in doing and trouble.weight < ALARMING):
        return STAY
    remedies = [line.format(thing=fields["thing"]) for line in trouble.mend]
    attended = any(remedy in other for other in fields["others"] for remedy in remedies)
    if fields["thing"] and trouble.mend and not attended and not who.is_child and _sees_to_it(who, fields):
        return "mend"
    if rng.random() * 100 < trouble.stays:
        return STAY
    ways = sorted(trouble.ways)
    return rng.choices(ways, [2 if who.tempers & LIKELY[way] else 1 for way in ways])[0] if ways else STAY


def _is_here(who: Profile, fields: Fields) -> bool:
    """Return whether it happens here and now: a thought may be about another place, or about no place."""
    noticed, here, home = fields["noticed"], fields["where"].partition(" > ")[0], fields["home"].partition(" > ")[0]
    if (who.name in noticed or trouble_of(noticed).weight >= ALARMING) and not is_alarm(noticed):
        return False
    named = [sector for sector in fields["options"].places if sector in noticed]
    named += [home] if pattern(load(FILE)["at home"]).search(noticed) else []
    return not named or here in named


def _sees_to_it(who: Profile, fields: Fields) -> bool:
    """Return whether it is for this persona to mend it: for those in charge, else for one of those who are there.

    All who notice it at the same time find the same.
    """
    sector = fields["where"].partition(" > ")[0]
    others = dict(other.split(": ", 1) for other in fields["others"])
    awake = [name for name, doing in others.items() if "sleeping" not in doing]
    staff = [name for name in awake if shows("a shift", others[name])]
    at_home = fields["home"].partition(" > ")[0] == sector
    in_charge = at_home or _works_at(who, sector, fields["own_doing"])
    if not in_charge and staff:
        return False
    peers = [who.name, *(awake if at_home or not in_charge else staff)]
    first = sorted(peers, key=lambda name: lot(name, fields["noticed"], f"{fields['now']:%j %H}"))
    return who.name in first[: HANDS if in_charge else 1]


def _works_at(who: Profile, sector: str, doing: str) -> bool:
    """Return whether a persona is at work there now, or belongs to the place."""
    about = [sentence for text in (who.learned, who.requirement) for sentence in sentences(text)]
    return shows("a shift", doing) or any(sector in sentence and shows("in charge", sentence) for sentence in about)


def _site(who: Profile, way: str, fields: Fields) -> tuple[str, str, str]:
    """Return where it is done: at the object or its arena, or in another sector for those who leave."""
    places: Value = fields["options"].places
    sector, _, arena = fields["where"].partition(" > ")
    if way == "mend":
        return sector, arena, fields["thing"]
    if way == "leave" or sector not in places:
        return _refuge(who, sector, fields)
    inside = arena if arena in places[sector] else next(iter(places[sector]))
    return sector, inside, ""


def _refuge(who: Profile, sector: str, fields: Fields) -> tuple[str, str, str]:
    """Return a place in another sector: outdoors if one is known, else home, else any."""
    home = tuple(fields["home"].split(" > "))
    sites = [(one, arena) for one, arenas in fields["options"].places.items() for arena in arenas
             if one != sector and may_enter(who, arena)]  # fmt: skip
    outdoors = [site for site in sites if pattern(load(FILE)["refuge"]).search(site[1])]
    ranked = [*outdoors, *(site for site in sites if site == home), *sites, home]
    return ranked[0][0], ranked[0][1], ""


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
