"""Answer the questions of planning: wake-up hour, identity, day plan, schedule, steps, place, rescheduling."""

import re
from collections.abc import Iterable, Sequence
from datetime import date, datetime, time
from itertools import groupby
from random import Random
from typing import NamedTuple

from ville.offline.answers.knowledge import Knowledge
from ville.offline.day.day import HOURS, ROUTINE, SLEEP, day_of
from ville.offline.day.hours import DATE, DAY, HOUR, Span, day_in, span_in, spoken_hour, without_times
from ville.offline.day.place_rules import Wish, choose
from ville.offline.day.subtask_rules import steps_of
from ville.offline.day.whims import whims_of, with_a_whim
from ville.offline.grammar import gerund, lower_first, plain, sentences
from ville.offline.news_reading import news_in
from ville.offline.profile import Profile, profile_of
from ville.offline.rule_types import Answer, Fields, Shelf
from ville.offline.table import shows
from ville.offline.talks.news import CANCELLATION, NewsItem, moods, with_article, written
from ville.offline.talks.ties import KIN

SLEEPING = "sleeping"
IDLE = "relaxing at home"
QUARTER, QUARTERS = 15, 4
SHIFTS = (-30, -15, 0, 0, 0, 15, 15, 30, 30, 45)
"""Possible shifts in minutes of a block's start from the full hour."""
_BED_WORDS = ("go to bed", "going to bed", "sleep", "fall asleep", "turn in", "in bed")


class TimedActivity(NamedTuple):
    """An activity with the times at which it begins and ends."""

    start: str
    end: str
    what: str


def lines_of(hours: Sequence[str], person: Profile, rng: Random) -> list[str]:
    """Return the plan of a day, one line per block; sleep has no line."""
    blocks = [(what, HOUR * len(list(same))) for what, same in groupby(hours)]
    found, starts = [], _starts(blocks, person, rng)
    for (what, _), start, end in zip(blocks, starts, starts[1:], strict=False):
        if what == ROUTINE:
            found.append(f"{what} at {spoken_hour(start)}")
        elif what != SLEEP:
            found.append(f"{plain(what)} from {spoken_hour(start)} to {spoken_hour(end)}")
    return [*found, f"go to bed at {spoken_hour(person.beds)}"]


def _starts(blocks: Sequence[tuple[str, int]], person: Profile, rng: Random) -> list[int]:
    """Return the start minute of each block and the end of the day; every block lasts at least an hour."""
    starts = [sum(minutes for _, minutes in blocks[:number]) for number in range(len(blocks) + 1)]
    most = [0] * len(starts)
    for number in range(len(blocks) - 1, 0, -1):
        fixed = (
            any(shows("keeps its hours", what) for what, _ in blocks[number - 1 : number + 1])
            or blocks[number][0] == ROUTINE
        )
        most[number] = 0 if fixed else min(max(SHIFTS), most[number + 1] + blocks[number][1] - HOUR)
    shifted = [0]
    for number in range(1, len(blocks)):
        least = shifted[-1] - starts[number] + starts[number - 1] + HOUR
        fits = [shift for shift in SHIFTS if max(least, min(0, most[number])) <= shift <= most[number]]
        fits = [0] if most[number] == 0 else fits
        shifted.append(rng.choice(fits or [max(0, min(least, most[number]))]))
    found = [start + shift for start, shift in zip(starts, [*shifted, 0], strict=True)]
    if blocks[-1][0] == SLEEP and found[-2] < person.beds < DAY:
        found[-2] = person.beds // QUARTER * QUARTER
    return found


def hours_of(lines: Iterable[str], person: Profile, wakes: int) -> list[TimedActivity]:
    """Return the activities of a day with their times, to the quarter of an hour."""
    day: list[str | None] = [None] * (HOURS * QUARTERS)
    stretches = _stretches(lines)
    for number, (span, what) in enumerate(stretches):
        start = min((span.start or 0) // QUARTER, len(day) - 1)
        following = stretches[number + 1][0].start if number + 1 < len(stretches) else None
        end = _end(span, following, person, sleeps=what == SLEEPING)
        for quarter in range(start, max(start + 1, min(len(day), end))):
            if day[quarter] is None or what == SLEEPING:
                day[quarter] = what
    bed = min(len(day), person.beds // QUARTER)
    whole = [
        what or (SLEEPING if number < wakes * QUARTERS or number >= bed else IDLE) for number, what in enumerate(day)
    ]
    starts = [number for number, what in enumerate(whole) if number == 0 or whole[number - 1] != what]
    return [
        TimedActivity(_clock(start), _clock(end), whole[start])
        for start, end in zip(starts, [*starts[1:], len(whole)], strict=True)
    ]


def _clock(quarter: int) -> str:
    """Return the time at which a quarter of an hour begins: `13:15`."""
    return f"{quarter // QUARTERS}:{quarter % QUARTERS * QUARTER:02}"


def _end(span: Span, following: int | None, person: Profile, *, sleeps: bool) -> int:
    """Return the quarter hour at which a block ends."""
    if span.end is not None and not (span.start is not None and span.end <= span.start):
        return -(-span.end // QUARTER)
    if following is not None:
        return following // QUARTER
    return HOURS * QUARTERS if sleeps else person.beds // QUARTER


def _stretches(lines: Iterable[str]) -> list[tuple[Span, str]]:
    """Return span and activity of the lines that name a time, in order."""
    found = []
    for line in lines:
        span = span_in(line)
        span = Span(0, span.end) if span.start is None and span.end is not None else span
        what = without_times(line)
        asleep = what.lower().startswith(_BED_WORDS)
        if span.start is not None and what and not (asleep and span.start < DAY // 4):
            found.append((span, SLEEPING if asleep else gerund(what[:1].lower() + what[1:])))
    return sorted(found, key=lambda stretch: stretch[0].start or 0)


MOST_NEWS = 2
"""Maximum items of news in `currently`."""
LONGEST = 5
"""Maximum sentences of `currently`."""
_FAMILY = re.compile(rf"\b(?:his|her|their) (?:{KIN})\b")


def revised(mind: Knowledge, *, was: tuple[str, str], rng: Random) -> tuple[str, str]:
    """Return `currently` and the daily requirement for today; `was`: their previous texts."""
    today, who = mind.now.date(), mind.me
    currently, requirement = (text.removeprefix("Status: ") for text in was)
    kept = [sentence for sentence in still_true(currently, today) if not _is_off(sentence, mind)]
    fresh = [item for item in mind.heard if _is_news(item, who, kept, today)][:MOST_NEWS]
    told = [_on_the_mind(item, mind, rng) for item in fresh]
    if all(shows("heard of", sentence) for sentence in kept):
        kept = [*_afterwards(who, currently, today), *kept]
    kept.sort(key=lambda sentence: not _FAMILY.search(sentence))
    todays = [item for item in mind.heard if item.is_occasion and item.day == today and mind.will_go(item)]
    going = [intention(who, item, goes=True) for item in todays]
    asked = [sentence for sentence in still_true(requirement, today) if not _is_off(sentence, mind)]
    return _text([*kept[: max(1, LONGEST - len(told))], *told]), _text([*going, *asked])


def still_true(text: str, today: date) -> list[str]:
    """Return the sentences of a text that are not about past days or preparations for them."""
    kept, over = [], False
    for sentence in sentences(text):
        day = day_in(sentence, today) if DATE.search(sentence) or news_in(sentence, today) else None
        feast = day_in(sentence, today) if "Day" in sentence else None
        gone = any(found is not None and found < today for found in (day, feast))
        over = over or gone
        if not gone and not (over and shows("prepares", sentence)):
            kept.append(sentence)
    return kept


def _is_off(sentence: str, mind: Knowledge) -> bool:
    """Return whether a sentence is about a cancelled occasion, or about one's preparations for it."""
    told = news_in(sentence, mind.now.date(), mind.me.name)
    if any(item.is_same(other) for item in mind.cancelled for other in told):
        return True
    return any(item.is_of(mind.me.name) for item in mind.cancelled) and shows("prepares", sentence)


def _is_news(item: NewsItem, who: Profile, kept: list[str], today: date) -> bool:
    """Return whether news is still ahead and not yet in the kept sentences."""
    own = item.is_of(who.name) and not item.is_occasion and item.kind != CANCELLATION
    if own or (item.day is not None and item.day < today):
        return False
    return not any(item.is_same(other) for other in news_in(". ".join(kept), today))


def _on_the_mind(item: NewsItem, mind: Knowledge, rng: Random) -> str:
    if item.is_of(mind.me.name) and not item.is_occasion:
        return item.as_sentence()
    if not item.is_occasion:
        return f"{mind.me.name} has heard that {item.as_sentence()}"
    goes = mind.will_go(item)
    return intention(mind.me, item, goes=goes, mood=rng.choice(moods(goes=goes)))


def intention(who: Profile, item: NewsItem, *, goes: bool, mood: str = "") -> str:
    """Return a sentence about attending or missing an occasion, with day, hour and place."""
    if item.is_of(who.name):
        return f"{who.name} is giving {with_article(item.what)} {item.when_and_where(year=True)}"
    return written("goes" if goes else "stays", me=who.name, noun=lower_first(item.as_noun(year=True)), mood=mood)


def _afterwards(who: Profile, currently: str, today: date) -> list[str]:
    """Return sentences for when everything in `currently` is over."""
    over = next(iter(news_in(currently, today)), None)
    looking_back = f"{who.name} looks back on the {over.what}" if over else f"{who.name} takes the days as they come"
    return [looking_back, *sentences(who.learned)[:1]]


def _text(parts: list[str]) -> str:
    return " ".join(f"{part}." if not part.endswith((".", "!", "?")) else part for part in parts)


def wake_up_hour(fields: Fields, rng: Random) -> Answer:
    """Return the hour of waking stated in the lifestyle."""
    del rng
    return {"wake_up_hour": profile_of(fields["identity"]).wakes // HOUR}


def revise_identity(fields: Fields, rng: Random) -> Answer:
    was = fields["currently"], fields["daily_requirement"]
    currently, requirement = revised(_this_morning(fields, fields["today"]), was=was, rng=rng)
    return {"currently": currently, "daily_requirement": requirement}


def _this_morning(fields: Fields, today: date) -> Knowledge:
    return Knowledge(profile_of(fields["identity"]), fields["memories"], datetime.combine(today, time()))


def day_plan(fields: Fields, rng: Random) -> Answer:
    """Plan the day around the occasions of today that the persona attends or avoids."""
    mind, today = _this_morning(fields, fields["today"]), fields["today"]
    todays = [item for item in mind.heard if item.is_occasion and item.day == today]
    hours = day_of(
        mind.me, today, wakes=fields["wake_up_hour"], rng=rng,
        going=[item for item in todays if mind.attends(item)],
        missed=[item for item in todays if not mind.attends(item)],
        whims=whims_of(fields.get("by_chance"), mind.me),
        ahead=any(item.is_of(mind.me.name) and item.day and item.day > today for item in mind.heard),
    )  # fmt: skip
    return {"plans": lines_of(hours, mind.me, rng)}


def hourly_schedule(fields: Fields, rng: Random) -> Answer:
    del rng
    hours = hours_of(fields["day_plan"], profile_of(fields["identity"]), fields["wake_up_hour"] % HOURS)
    return {"activities": [{"from": start, "to": end, "activity": what} for start, end, what in hours]}


def subtasks(fields: Fields, rng: Random) -> Answer:
    """Divide an activity into steps, and choose a place for each as seen from that of the step before."""
    activity, minutes = fields["activity"], fields["minutes"]
    asleep = "sleep" in activity
    person = profile_of(fields["identity"])
    steps = [(SLEEPING, minutes)] if asleep else steps_of(activity, max(1, minutes), person, rng)
    steps = steps if asleep else with_a_whim(steps, whims_of(fields.get("by_chance"), person), rng)
    here, found = fields["here"], []
    for what, length in steps:
        place = _place(Wish(person, what, activity, _parts(here), _parts(fields["home"])), fields, rng)
        here = f"{place['sector']} > {place['arena']}"
        found.append({"what": what, "minutes": length, **place})
    return {"subtasks": found}


def where_and_how(fields: Fields, rng: Random) -> Answer:
    person = profile_of(fields["identity"], fields["name"])
    here, home = _parts(fields["here"]), _parts(fields["home"])
    return _place(Wish(person, fields["action"], fields["activity"], here, home), fields, rng)


def _place(wish: Wish, fields: Fields, rng: Random) -> Answer:
    spot = choose(wish, fields["options"].places, rng)
    return {
        "sector": spot.sector, "arena": spot.arena, "game_object": spot.object, "emoji": spot.emoji,
        "object_state": spot.state,
    }  # fmt: skip


def _parts(place: str) -> tuple[str, ...]:
    return tuple(place.split(" > "))


def reschedule(fields: Fields, rng: Random) -> Answer:
    """Keep what was planned for the time after the interruption, fitted to the minutes that remain."""
    del rng
    planned, left, begins = fields["planned"], fields["remaining"], fields["start"]
    kept = []
    for spell in planned:
        end = int((spell.start - begins).total_seconds() // 60) + spell.minutes
        minutes = min(left, end - fields["minutes"], spell.minutes)
        if minutes > 0:
            kept.append({"what": spell.what, "minutes": minutes})
            left -= minutes
    if not kept:
        kept = [{"what": (planned[-1].what if planned else "") or IDLE, "minutes": 0}]
    kept[-1]["minutes"] += left
    return {"activities": kept}


RULES: Shelf = {
    "plan/wake_up_hour": wake_up_hour,
    "plan/revise_identity": revise_identity,
    "plan/day_plan": day_plan,
    "plan/hourly_schedule": hourly_schedule,
    "plan/subtasks": subtasks,
    "plan/subtasks_briefly": subtasks,
    "plan/where_and_how": where_and_how,
    "plan/reschedule": reschedule,
}
