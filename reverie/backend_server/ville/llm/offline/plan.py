"""Answers what planning asks: when to get up, what the day holds, how an activity is done, and where."""

from collections.abc import Sequence
from datetime import date
from random import Random
from typing import Any

from ville.llm.offline.days.agenda import SLEEPING, hours_of, lines_of
from ville.llm.offline.days.breakdown import steps_of
from ville.llm.offline.days.day import HOURS, day_of
from ville.llm.offline.days.identity import revised
from ville.llm.offline.days.places import Wish, choose
from ville.llm.offline.english.grammar import sentences
from ville.llm.offline.english.hours import HOUR
from ville.llm.offline.people.news import News, news_known
from ville.llm.offline.people.opinions import keeps_word, wants_to_go
from ville.llm.offline.people.person import Person, person
from ville.llm.offline.rule import Answer, Fields, Shelf


def wake_up_hour(fields: Fields, rng: Random) -> Answer:
    """By the lifestyle; the clock has no minutes here."""
    del rng
    return {"wake_up_hour": person(fields["identity"]).wakes // HOUR}


def revise_identity(fields: Fields, rng: Random) -> Answer:
    who = person(fields["identity"])
    was = fields["currently"], fields["daily_requirement"]
    currently, requirement = revised(who, fields["today"], memories=fields["memories"], was=was, rng=rng)
    return {"currently": currently, "daily_requirement": requirement}


def day_plan(fields: Fields, rng: Random) -> Answer:
    who, today = person(fields["identity"]), fields["today"]
    known = _occasions(who, today, fields["memories"])
    going = [item for item, goes in known if goes]
    missed = [item for item, goes in known if not goes]
    hours = day_of(who, today, wakes=fields["wake_up_hour"], going=going, missed=missed, rng=rng)
    return {"plans": lines_of(hours, who)}


def _occasions(who: Person, today: date, memories: Sequence[Any]) -> list[tuple[News, bool]]:
    """Today's occasions that the person knows of, each with whether the person will be there."""
    own = ((text, today) for text in (who.currently, who.requirement))
    known = news_known((*own, *((memory.text, memory.when.date()) for memory in memories)))
    texts = (*sentences(f"{who.currently}. {who.requirement}"), *(memory.text for memory in memories))
    return [
        (item, wants_to_go(who, item, texts, today) and keeps_word(who, item))
        for item in known if item.is_occasion and item.day == today
    ]  # fmt: skip


def hourly_schedule(fields: Fields, rng: Random) -> Answer:
    del rng
    return {"activities": hours_of(fields["day_plan"], person(fields["identity"]), fields["wake_up_hour"] % HOURS)}


def subtasks(fields: Fields, rng: Random) -> Answer:
    steps = (
        [(SLEEPING, fields["minutes"])]
        if "sleep" in fields["activity"]
        else steps_of(fields["activity"], max(1, fields["minutes"]), person(fields["identity"]), rng)
    )
    return {"subtasks": [{"what": what, "minutes": minutes} for what, minutes in steps]}


def where_and_how(fields: Fields, rng: Random) -> Answer:
    wish = Wish(
        person(fields["identity"], fields["name"]), fields["action"], fields["activity"],
        here=tuple(fields["here"].split(":")[1:]), home=tuple(fields["home"].split(":")[1:]),
    )  # fmt: skip
    spot = choose(wish, fields["options"].places, rng)
    verb, thing = _clause(fields["action"])
    return {
        "sector": spot.sector, "arena": spot.arena, "game_object": spot.object, "emoji": spot.deed.emoji,
        "predicate": verb, "object": thing, "object_state": spot.state,
    }  # fmt: skip


def _clause(action: str) -> tuple[str, str]:
    """Verb and object: `taking a shower` is `is taking`, `a shower`; a lone `sleeping` is `is`, `sleeping`."""
    verb, _, rest = action.strip().partition(" ")
    if verb.endswith("ing") and rest:
        return f"is {verb}", rest
    return "is", action.strip() or "here"


def reschedule(fields: Fields, rng: Random) -> Answer:
    """What was planned for the time after the interruption; what was cut off short is taken up again first."""
    del rng
    begins = fields["start"]
    over = fields["minutes"]
    left = [(spell.what, *_around(spell, begins, over)) for spell in fields["planned"]]
    kept = [(what, after) for what, _, after in left if after > 0]
    lost = max(((cut, what) for what, cut, after in left if cut > 0 and not after), default=None)
    if kept and lost and kept[0][1] >= 3 * RESUMED:
        kept[0] = (kept[0][0], kept[0][1] - RESUMED)
        kept.insert(0, (lost[1], RESUMED))
    return {"activities": [{"what": what, "minutes": minutes} for what, minutes in _fitted(kept, fields)]}


RESUMED = 10
"""Minutes for what the interruption swallowed, if there is room."""


def _around(spell: object, begins: object, over: int) -> tuple[int, int]:
    """Minutes of a planned spell that the interruption takes away, and minutes that lie after it."""
    start = int((spell.start - begins).total_seconds() // 60)  # type: ignore[attr-defined]
    end = start + spell.minutes  # type: ignore[attr-defined]
    return max(0, min(end, over) - max(start, 0)), max(0, end - max(start, over))


def _fitted(kept: list[tuple[str, int]], fields: Fields) -> list[tuple[str, int]]:
    """Bent to the minutes that remain."""
    remaining = fields["remaining"]
    planned = fields["planned"]
    last = planned[-1].what if planned else "relaxing at home"
    fitted: list[tuple[str, int]] = []
    for what, minutes in kept or [(last, remaining)]:
        room = remaining - sum(taken for _, taken in fitted)
        if room > 0:
            fitted.append((what, min(minutes, room)))
    missing = remaining - sum(taken for _, taken in fitted)
    what, minutes = fitted.pop() if fitted else (last, 0)
    return [*fitted, (what or "relaxing at home", minutes + missing)]


RULES: Shelf = {
    "plan/wake_up_hour": wake_up_hour,
    "plan/revise_identity": revise_identity,
    "plan/day_plan": day_plan,
    "plan/hourly_schedule": hourly_schedule,
    "plan/subtasks": subtasks,
    "plan/where_and_how": where_and_how,
    "plan/reschedule": reschedule,
}
