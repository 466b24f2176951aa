"""A day begun by rule, whose gaps are filled by one question: what is done, and where of the places that one knows."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, time
from itertools import groupby
from random import Random

from ville.llm.language import may_be_english
from ville.offline.day.day import DINNER, LUNCH, breakfast_of, meal_of, pastime_at
from ville.offline.day.hours import Span, day_in, spoken_hour, spoken_span
from ville.offline.day.place_rules import names_kind, names_place, place_in
from ville.offline.grammar import base_form, gerund, is_third, plain
from ville.offline.profile import Profile, profile_of
from ville.persona.cognitive_modules.mind import Mind, Moment, clean_phrase, quote_memories
from ville.persona.cognitive_modules.planning.day_frame import (
    GETTING_UP,
    HASTY,
    READY,
    DaySpan,
    Habits,
    WorkSpan,
    frame_of,
    habits_of,
    is_out_of_place,
    without_occasions,
)
from ville.persona.cognitive_modules.planning.place_choice import surroundings
from ville.persona.cognitive_modules.planning.work_hours import EATING, work_of
from ville.persona.memory_structures.action import SLEEP_WORD
from ville.persona.memory_structures.facts.commitment import Commitment
from ville.persona.memory_structures.identity import Identity
from ville.persona.memory_structures.schedule import MINUTES_PER_DAY, SLEEPING, Activity, Schedule
from ville.persona.memory_structures.stream.concept_node import ConceptNode
from ville.persona.prompt_template.answers.content import is_cut, without_open_end
from ville.persona.prompt_template.ask import answered_by_rules, ask_model
from ville.persona.prompt_template.blanks import ChanceMemories, Places
from ville.persona.prompt_template.day_questions import GAP, MEALS, DayLine, FilledGaps, FillTheDay, GapRow
from ville.world.address import Address

HOME = "home"
FREE = "relaxing at home"
"""Activity of a gap that is not filled, unless there is a duty at that time."""
LONGEST = 240
"""Most minutes of a day that a model's words for gaps take, but for those of work."""
MOST_PLACES = 7
ON_MIND = 3
"""Memories about the day ahead, and about recent days, that are told."""
LATELY = 8
"""Activities of the day before that are told."""
HOUR = 60
WORKDAY = range(9, 17)
"""Hours of the day of whose gaps half are for work, without duties that have hours."""
DOING, SHORT = re.compile(r"[^\W\d_]+ing\b"), 60
"""Beginning of what is said as an activity, and the most characters of an appointment that is."""
SAYS_NOTHING = re.compile(
    r"\b(?:something|anything|activity|gaps?)\b|^(?:talk|chat|speak|convers)\w* (?:to|with)\b"
    r"|^(?:being an?|loving|liking|wanting|knowing)\b",
    re.IGNORECASE,
)
"""Words of an answer that does not say what is done, says what one is like, or what one does not do alone: talks are
drawn.
"""
SHOWN = {GETTING_UP: "getting up", HASTY: "getting up", READY: "going to bed"}
"""Words in a question for some of the frame: small models copy longer ones into gaps."""
ELSEWHERE = re.compile(r"(?<=\w) (?:in|at) the .*$")
DWELLING = re.compile(r"\b(?:dorm|apartments?|flats?|co-living|общежитие)\b", re.IGNORECASE)


Filled = Sequence[tuple[DaySpan, str]]
"""Stretches of a day with what is done in them."""


async def filled_day(
    mind: Mind,
    moment: Moment,
    identity: Identity,
    *,
    wake_up_hour: int,
    memories: tuple[Sequence[ConceptNode], Sequence[ConceptNode]],
    by_chance: ChanceMemories | None,
) -> tuple[tuple[str, ...], Schedule]:
    """Return the day in lines, and its schedule."""
    options, today = surroundings(mind, moment).options.places, moment.now.date()
    habits = habits_of(identity.lifestyle, wake_up_hour)
    randomness = moment.randomness(f"{mind.name} divides the day")
    ahead, behind = memories
    appointments = mind.facts.commitments.on(today)
    occasions = [*_hours_of(appointments), *_of_today(identity, [*ahead, *behind], today)]
    in_mind = [*occasions, *re.split(r"(?<=[.!?,;])\s", identity.daily_plan_req or "")]
    person, places = profile_of(identity.text(today), identity.name), _known_places(moment, identity, options)
    duties = without_occasions(work_of(person, options), occasions)
    frame = frame_of(habits, _fixed(appointments), in_mind, randomness, duties=duties)
    question = FillTheDay(
        identity=identity.text(today),
        first_name=identity.first_name,
        today=today,
        wake_up_hour=wake_up_hour,
        lines=tuple(map(_line, frame)),
        places=places,
        eating=(HOME, *(place for place in places if EATING.search(place))),
        mind=quote_memories([*ahead[:ON_MIND], *behind[:ON_MIND]], moment.now),
        appointments=tuple(each.text(moment.now) for each in appointments),
        yesterday=_lived(mind.scratch.schedule) if mind.scratch.curr_time else (),
        memories=quote_memories([*ahead, *behind], moment.now),
        by_chance=by_chance,
        parts_of_work=0 if duties else sum(map(_is_for_work, frame)) // 2,
    )
    said = await ask_model(moment.caller, question) if question.free else None
    answer = said or question.fallback()
    if not any(answer.meals.values()):
        answer = answer.model_copy(update=_meals(person, question, randomness))
    rows, work = iter(answer.gaps), work_of(person, options)
    filled = [
        (each, _words(each, _row(each, answer, rows), question.places, options) or _duty(each, work))
        for each in frame
    ]  # fmt: skip
    if said and not answered_by_rules(moment.caller) and may_be_english(moment.caller.language):
        filled = _varied(filled, person, work, randomness)
    return tuple(_intentions(filled, habits)), _schedule(filled, habits)


def _fixed(appointments: Sequence[Commitment]) -> Iterator[DaySpan]:
    """Yield appointments that have an hour and are said as something that one does."""
    for each in appointments:
        what = clean_phrase(each.what)
        if each.at is not None and DOING.match(what) and len(what) <= SHORT:
            start = each.at.hour * HOUR + each.at.minute
            yield DaySpan(start, min(start + each.minutes, MINUTES_PER_DAY), what, each.place)


def _hours_of(appointments: Sequence[Commitment]) -> Iterator[str]:
    """Yield the hours of appointments, in words."""
    for each in appointments:
        if each.at is not None:
            start = each.at.hour * HOUR + each.at.minute
            yield spoken_span(Span(start, start + each.minutes))


def _of_today(identity: Identity, memories: Sequence[ConceptNode], today: date) -> Iterator[str]:
    """Yield the sentences about today, which may name a time."""
    for text in (*re.split(r"(?<=[.!?])\s", identity.currently), *(node.description for node in memories)):
        if day_in(text, today) == today:
            yield text


def _known_places(moment: Moment, identity: Identity, options: Places) -> tuple[str, ...]:
    """Return the home, and known public places: those that the identity names first, then the nearest."""
    home = Address.parse(identity.living_area)
    about = identity.text(moment.now.date())
    public = [sector for sector in options if sector != home.sector and not _is_dwelling(sector, options[sector])]

    def rank(sector: str) -> tuple[bool, int]:
        return sector not in about, _distance(moment, home, sector)

    return (HOME, *sorted(public, key=rank)[: MOST_PLACES - 1])


def _is_dwelling(sector: str, arenas: Mapping[str, Sequence[str]]) -> bool:
    """Return whether people live in a sector: it is called so, or they sleep or wash there."""
    rooms = any(re.search(r"\bbath ?room\b", arena) or "bed" in objects for arena, objects in arenas.items())
    return rooms or bool(DWELLING.search(sector))


def _distance(moment: Moment, home: Address, sector: str) -> int:
    """Return how many tiles a sector is away from home, as the crow flies."""
    tiles = moment.view.maze.address_tiles
    here = min(tiles.get(str(home), ()), default=None)
    there = tiles.get(f"{home.world}:{sector}", ())
    return min((max(abs(each.x - here.x), abs(each.y - here.y)) for each in there), default=0) if here else 0


def _lived(schedule: Schedule) -> tuple[str, ...]:
    """Return the longest activities of the day before, in their order."""
    found: list[tuple[int, int, str]] = []
    for slot in schedule.slots():
        what = slot.activity.of or slot.activity.what
        if found and found[-1][2] == what:
            found[-1] = (found[-1][0], found[-1][1] + slot.activity.minutes, what)
        else:
            found.append((slot.start, slot.activity.minutes, what))
    awake = [each for each in found if SLEEP_WORD not in each[2]]
    longest = sorted(sorted(awake, key=lambda each: -each[1])[:LATELY])
    return tuple(f"{start // HOUR:02}:{start % HOUR:02}: {what}" for start, _, what in longest)


def _line(each: DaySpan) -> DayLine:
    return DayLine(_clock(each.start), _clock(each.end), SHOWN.get(each.what, each.what), each.where)


def _row(each: DaySpan, answer: FilledGaps, rows: Iterator[GapRow]) -> GapRow | None:
    """Return what fills a stretch; None if nothing is missing."""
    if not each.is_gap:
        return None
    meal = each.what.split(" ")[-1]
    return GapRow(what=each.what, where=answer.meals[meal]) if meal in MEALS else next(rows)


def _is_for_work(each: DaySpan) -> bool:
    """Return whether a stretch is a gap in the hours in which people usually work."""
    return each.is_gap and not each.what and not each.where and WORKDAY.start <= each.start // HOUR < WORKDAY.stop


def _meals(person: Profile, question: FillTheDay, rng: Random) -> Mapping[str, str]:
    """Return the places of meals by habit and taste: where one eats has a rate, of which models know nothing."""
    phrases = (
        breakfast_of(person, question.wake_up_hour, rng), meal_of(LUNCH, person, rng), meal_of(DINNER, person, rng),
    )  # fmt: skip
    return {meal: place_in(phrase, question.eating) for meal, phrase in zip(MEALS, phrases, strict=True)}


def _clock(minute: int) -> time:
    return time(minute // HOUR % 24, minute % HOUR)


def _words(each: DaySpan, row: GapRow | None, places: Sequence[str], options: Places) -> str:
    """Return the activity of a stretch, with its place unless its words name one; empty if nothing usable is said."""
    if row is None:
        return _placed(each.what, "" if each.where == HOME else each.where, options)
    if each.what:
        return _placed(each.what, row.where if row.where in places else HOME, options)
    where = each.where or (row.where if row.where in places else "")
    said = without_open_end(row.what) if is_cut(row.what, GAP) else row.what
    what = gerund(_in_base_form(clean_phrase(said).strip(" .,?")))
    if not what or is_out_of_place(what) or SAYS_NOTHING.search(what):
        return ""
    begun = what[:1].lower() + what[1:] if what[1:2].islower() else what
    return _placed(begun, where, options)


def _in_base_form(what: str) -> str:
    """`plays games` becomes `play games`; what begins with no verb in the third person stays as it is."""
    return base_form(what) if is_third(what.partition(" ")[0].lower()) else what


def _duty(each: DaySpan, work: Sequence[WorkSpan]) -> str:
    """Return what the daily requirement says of a time; without that, one is free."""
    middle = (each.start + each.end) // 2
    return next((duty.what for duty in work if duty.start <= middle < duty.end), FREE)


def _varied(filled: Filled, person: Profile, work: Sequence[WorkSpan], rng: Random) -> list[tuple[DaySpan, str]]:
    """Return a day in which no free activity takes most of it: small models fill every gap with the same words.

    What goes on for too long, is no activity, or is relaxing as nothing was said, becomes a pastime that suits the
    persona.
    """
    taken, varied = Counter[str](), list[tuple[DaySpan, str]]()
    duties = {duty.what for duty in work}
    for each, what in filled:
        said = what
        free = each.is_gap and not each.what and what not in duties
        unfit = what == FREE or not DOING.match(what)
        if free and (unfit or taken[what] + each.end - each.start > LONGEST):
            named = [done for _, done in (*filled, *varied)]
            pastime = pastime_at(person, each.start // HOUR, [plain(done) for done in named], rng)
            said = gerund(pastime) if pastime else what
        taken[said] += each.end - each.start
        varied.append((each, said))
    return varied


def _placed(what: str, where: str, options: Places) -> str:
    """Return an activity with its place, unless its words name one; not with a place that the persona does not know."""
    if names_place(what, options):
        return what
    known = ELSEWHERE.sub("", what) if names_kind(what) else what
    return f"{known} at {where}" if where else known


def _intentions(filled: Filled, habits: Habits) -> Iterator[str]:
    """Yield the lines of the day plan, as the released code has them."""
    for what, same in groupby(filled, key=lambda pair: pair[1]):
        stretches = [each for each, _ in same]
        start, end = stretches[0].start, stretches[-1].end
        if start == habits.wakes:
            yield f"{plain(what)} at {spoken_hour(start)}"
        else:
            yield f"{plain(what)} from {spoken_hour(start)} to {spoken_hour(end)}"
    yield f"go to bed at {spoken_hour(habits.beds)}"


def _schedule(filled: Filled, habits: Habits) -> Schedule:
    """Return the whole day, which begins and ends asleep."""
    rows = [(SLEEPING, habits.wakes), *((what, each.end - each.start) for each, what in filled)]
    merged = [(what, sum(minutes for _, minutes in same)) for what, same in groupby(rows, key=lambda row: row[0])]
    return Schedule.whole_day(Activity(what, minutes) for what, minutes in merged)
