"""Answer what planning asks: when to get up, what the day holds, how an activity is done, and where."""

from datetime import date, datetime, time
from random import Random
from typing import Any

from ville.llm.offline.agenda import SLEEPING, hours_of, lines_of
from ville.llm.offline.day import HOURS, day_of
from ville.llm.offline.hours import HOUR
from ville.llm.offline.knowledge import Knowledge
from ville.llm.offline.morning import revised
from ville.llm.offline.places import Wish, choose
from ville.llm.offline.profile import profile_of
from ville.llm.offline.rule import Answer, Fields, Shelf
from ville.llm.offline.steps import steps_of

RESUMED = 10
"""Minutes for what an interruption swallowed, if there is room."""


def wake_up_hour(fields: Fields, rng: Random) -> Answer:
    """By the lifestyle; the answer has no minutes."""
    del rng
    return {"wake_up_hour": profile_of(fields["identity"]).wakes // HOUR}


def revise_identity(fields: Fields, rng: Random) -> Answer:
    was = fields["currently"], fields["daily_requirement"]
    currently, requirement = revised(_this_morning(fields, fields["today"]), was=was, rng=rng)
    return {"currently": currently, "daily_requirement": requirement}


def _this_morning(fields: Fields, today: date) -> Knowledge:
    return Knowledge(profile_of(fields["identity"]), fields["memories"], datetime.combine(today, time()))


def day_plan(fields: Fields, rng: Random) -> Answer:
    """Today's occasions that the persona knows of are attended, or kept away from."""
    mind, today = _this_morning(fields, fields["today"]), fields["today"]
    todays = [item for item in mind.heard if item.is_occasion and item.day == today]
    hours = day_of(
        mind.me, today, wakes=fields["wake_up_hour"], rng=rng,
        going=[item for item in todays if mind.attends(item)],
        missed=[item for item in todays if not mind.attends(item)],
        ahead=any(item.is_of(mind.me.name) and item.day and item.day > today for item in mind.heard),
    )  # fmt: skip
    return {"plans": lines_of(hours, mind.me, rng)}


def hourly_schedule(fields: Fields, rng: Random) -> Answer:
    del rng
    return {"activities": hours_of(fields["day_plan"], profile_of(fields["identity"]), fields["wake_up_hour"] % HOURS)}


def subtasks(fields: Fields, rng: Random) -> Answer:
    activity, minutes = fields["activity"], fields["minutes"]
    asleep = "sleep" in activity
    steps = (
        [(SLEEPING, minutes)] if asleep else steps_of(activity, max(1, minutes), profile_of(fields["identity"]), rng)
    )
    return {"subtasks": [{"what": what, "minutes": length} for what, length in steps]}


def where_and_how(fields: Fields, rng: Random) -> Answer:
    wish = Wish(
        profile_of(fields["identity"], fields["name"]), fields["action"], fields["activity"],
        here=tuple(fields["here"].split(":")[1:]), home=tuple(fields["home"].split(":")[1:]),
    )  # fmt: skip
    spot = choose(wish, fields["options"].places, rng)
    verb, thing = _clause(fields["action"])
    return {
        "sector": spot.sector, "arena": spot.arena, "game_object": spot.object, "emoji": spot.emoji,
        "predicate": verb, "object": thing, "object_state": spot.state,
    }  # fmt: skip


def _clause(action: str) -> tuple[str, str]:
    """Verb and object: `taking a shower` is `is taking`, `a shower`; a lone `sleeping` is `is`, `sleeping`."""
    verb, _, rest = action.strip().partition(" ")
    return (f"is {verb}", rest) if verb.endswith("ing") and rest else ("is", action.strip() or "here")


def reschedule(fields: Fields, rng: Random) -> Answer:
    """What was planned for the time after the interruption; what was cut off short is taken up again first."""
    del rng
    begins, over = fields["start"], fields["minutes"]
    left = [(spell.what, *_around(spell, begins, over)) for spell in fields["planned"]]
    kept = [(what, after) for what, _, after in left if after > 0]
    lost = max(((cut, what) for what, cut, after in left if cut > 0 and not after), default=None)
    if kept and lost and kept[0][1] >= 3 * RESUMED:
        kept[0] = (kept[0][0], kept[0][1] - RESUMED)
        kept.insert(0, (lost[1], RESUMED))
    return {"activities": [{"what": what, "minutes": minutes} for what, minutes in _fitted(kept, fields)]}


def _around(spell: Any, begins: datetime, over: int) -> tuple[int, int]:
    """Minutes of a planned spell that the interruption takes away, and minutes that lie after it."""
    start = int((spell.start - begins).total_seconds() // 60)
    end = start + spell.minutes
    return max(0, min(end, over) - max(start, 0)), max(0, end - max(start, over))


def _fitted(kept: list[tuple[str, int]], fields: Fields) -> list[tuple[str, int]]:
    """Bent to the minutes that remain."""
    remaining, planned = fields["remaining"], fields["planned"]
    last = (planned[-1].what if planned else "") or "relaxing at home"
    fitted: list[tuple[str, int]] = []
    for what, minutes in kept or [(last, remaining)]:
        room = remaining - sum(taken for _, taken in fitted)
        if room > 0:
            fitted.append((what, min(minutes, room)))
    missing = remaining - sum(taken for _, taken in fitted)
    what, minutes = fitted.pop() if fitted else (last, 0)
    return [*fitted, (what or last, minutes + missing)]


RULES: Shelf = {
    "plan/wake_up_hour": wake_up_hour,
    "plan/revise_identity": revise_identity,
    "plan/day_plan": day_plan,
    "plan/hourly_schedule": hourly_schedule,
    "plan/subtasks": subtasks,
    "plan/where_and_how": where_and_how,
    "plan/reschedule": reschedule,
}
