"""Planning without a model: days that hold what they must, and nobody else's."""

from datetime import date, datetime, time, timedelta
from itertools import combinations, pairwise

import pytest
from edges import edged
from hypothesis import given, settings
from hypothesis import strategies as st

from ville.offline.profile import profile_of
from ville.persona.cognitive_modules.planning.plan import hourly_schedule
from ville.persona.prompt_template.answers.meant import meant_text
from ville.persona.prompt_template.blanks import PlaceOptions, QuotedMemory, ScheduleEntry
from ville.persona.prompt_template.plan_questions import (
    DayPlan,
    HourlySchedule,
    Reschedule,
    ReviseIdentity,
    Subtasks,
    WakeUpHour,
    WhereAndHow,
)
from ville.plain_text import one_line

MONDAY, TUESDAY = date(2023, 2, 13), date(2023, 2, 14)
PARTY = "Isabella Rodriguez is giving a Valentine's Day party at Hobbs Cafe on February 14th, 2023, from 5pm to 7pm"
NAMES = st.from_regex(r"[A-Z][a-z]{1,8} (?:(?:van|de|O'|Mc) ?)?[A-Z][a-z]{1,10}", fullmatch=True)
TEXTS = st.one_of(
    st.text(max_size=80),
    st.sampled_from([
        "{name} is a lighthouse keeper who counts ships.", "{name} wakes up at 5 am.", "", "{name} herds goats.",
        "{name} is writing a letter to the sea, and paints boats.",
        "{name} mends nets from 6am to 2pm at the Old Pier.",
        "Every evening she sings at the Blue Heron.", "{name} sleeps from 11am to 6pm and works all night.",
    ]),
)  # fmt: skip
DOINGS = ("mending nets at the Old Pier", "herding goats", "having lunch", "sleeping", "counting ships from the tower")
PLACE = st.from_regex(r"[A-Za-z'][A-Za-z' ]{2,18}[a-z]", fullmatch=True)
MAPS = st.dictionaries(
    PLACE, st.dictionaries(PLACE, st.lists(PLACE, max_size=4, unique=True).map(tuple), min_size=1, max_size=3),
    min_size=1, max_size=4,
)  # fmt: skip


@st.composite
def foreigners(draw) -> tuple[str, str]:
    """Name and identity of somebody whom no table knows."""
    name = draw(NAMES)
    labels = ("Innate traits", "Learned traits", "Currently", "Lifestyle", "Daily plan requirement")
    lines = [f"{label}: {draw(TEXTS).replace('{name}', name)}" for label in labels]
    return name, "\n".join([f"Name: {name}", f"Age: {draw(edged(0, 120))}", *lines])


def day(ask, identity, first, today=MONDAY, *, memories=(), seed=1) -> list[str]:
    """Return the activity of each of the 24 hours, by way of the plan in broad strokes."""
    wakes = ask(WakeUpHour(identity, first)).wake_up_hour
    plans = ask(DayPlan(identity, first, today, wakes, memories), seed=seed).plans
    rows = ask(HourlySchedule(identity, first, today, wakes, tuple(plans)), seed=seed).activities
    schedule = hourly_schedule(rows, wakes, ())
    return [" | ".join(row.what for row in schedule.between(hour * 60, hour * 60 + 60)) for hour in range(24)]


@pytest.fixture(scope="session")
def days(ask, cast):
    """Everybody's Monday and Tuesday."""
    return {
        name: (day(ask, who.identity(), who.first), day(ask, who.identity(TUESDAY), who.first, TUESDAY, seed=2))
        for name, who in cast.items()
    }


def test_everybody_sleeps_eats_and_has_something_to_do(days):
    """Six hours of sleep or more, two meals or more, and six different things, for each of the cast on each day."""
    for name, both in days.items():
        for hours in both:
            assert sum("sleep" in hour for hour in hours) >= 6, name
            assert sum("lunch" in hour or "dinner" in hour or "breakfast" in hour for hour in hours) >= 2, name
            assert len(set(hours)) >= 6, (name, hours)


def test_people_keep_their_own_hours(ask, cast, days):
    """Who gets up at four is up at four, and nobody is awake in the hour before."""
    for name, (monday, _) in days.items():
        wakes = ask(WakeUpHour(cast[name].identity(), cast[name].first)).wake_up_hour
        assert "sleep" in monday[wakes - 1], name
        assert "sleep" not in monday[wakes], name


def test_nobody_copies_anybody(days):
    """No two of the cast have the same Monday, nor the same Tuesday; nobody's Tuesday is their Monday."""
    for number in (0, 1):
        for one, other in combinations(days, 2):
            assert days[one][number] != days[other][number], (one, other)
    assert [name for name, (monday, tuesday) in days.items() if monday == tuesday] == []


def test_plans_are_good_english(ask, cast, english):
    """No line of anybody's plan has a fault that a pattern can see."""
    for who in cast.values():
        wakes = ask(WakeUpHour(who.identity(), who.first)).wake_up_hour
        for line in ask(DayPlan(who.identity(), who.first, MONDAY, wakes, ())).plans:
            assert english(line) == [], line


def test_work_is_done_where_it_belongs(days):
    """Whoever stands behind a counter by requirement does so on both days."""
    for name, what in {
        "Isabella Rodriguez": "cafe counter", "Tom Moreno": "grocery counter", "John Lin": "pharmacy counter",
        "Carmen Ortiz": "Supply Store", "Arthur Burton": "bar counter",
    }.items():  # fmt: skip
        for hours in days[name]:
            assert sum(what in hour for hour in hours) >= 4, (name, hours)


def test_the_host_is_at_her_party(ask, cast):
    """On the day, between five and seven, the host of an occasion is there to receive."""
    who = cast["Isabella Rodriguez"]
    hours = day(ask, who.identity(TUESDAY), who.first, TUESDAY)
    assert all("party" in hours[hour] for hour in (17, 18))


def test_who_has_said_no_is_not_seen_there(ask, cast):
    """At the hour of a party that one does not go to one eats and reads elsewhere, unless one works at its place."""
    for name, who in cast.items():
        if name == "Isabella Rodriguez":
            continue
        said = f"For {name}'s planning: {name} heard from Tom Moreno that {PARTY}, but {who.first} cannot go"
        memories = (QuotedMemory(datetime(2023, 2, 13, 12), said, "thought"),)
        for seed in range(3):
            hours = day(ask, who.identity(TUESDAY), who.first, TUESDAY, memories=memories, seed=seed)
            assert not any("Hobbs Cafe" in hours[hour] or "the cafe" in hours[hour] for hour in (17, 18)), (name, hours)


def test_who_means_to_go_goes_or_has_changed_their_mind(ask, cast):
    """Some of those who said yes go and some do not; who said no never goes; who knows nothing never goes."""
    going = []
    for name, who in cast.items():
        if name == "Isabella Rodriguez":
            continue
        heard = f"For {name}'s planning: {name} heard from Tom Moreno that {PARTY}"
        for said, must in (
            (f"{heard}, and {who.first} wants to go", None),
            (f"{heard}, but {who.first} cannot go", False),
        ):
            memories = (QuotedMemory(datetime(2023, 2, 13, 12), said, "thought"),)
            hours = day(ask, who.identity(TUESDAY), who.first, TUESDAY, memories=memories)
            goes = any("Valentine" in hour for hour in hours)
            assert must is None or goes is must, (name, said)
            going += [name] if goes else []
        assert not any("party" in hour for hour in day(ask, who.identity(TUESDAY), who.first, TUESDAY)), name
    assert 10 <= len(going) < 24


@settings(max_examples=60)
@given(who=foreigners(), seed=st.integers(0, 5), today=st.dates(date(1990, 1, 1), date(2060, 12, 31)))
def test_a_stranger_of_another_cast_gets_a_whole_day(ask, who, seed, today):
    """Whatever an identity says, there are 24 hours in the day, each with something in it, and a plan in words."""
    name, identity = who
    assert len(day(ask, identity, name.split()[0], today, seed=seed)) == 24


def visible(text):
    """Whether anything of it is left when it is read: it is no word for nothing."""
    return meant_text(one_line(text))


@settings(max_examples=60)
@given(
    who=foreigners(), activity=st.one_of(st.text(max_size=60).filter(visible), st.sampled_from(DOINGS)),
    minutes=edged(1, 720), seed=st.integers(0, 3),
)  # fmt: skip
def test_steps_add_up_to_the_activity(ask, who, activity, minutes, seed):
    """To the minute, each of them at least one minute, and no step twice in a row; all have a place."""
    name, identity = who
    options, home = PlaceOptions({"Pier": {"hut": ("bunk", "stove"), "jetty": ()}}), "Pier > hut"
    start = datetime(2023, 2, 13, 9)
    question = Subtasks(identity, name, options, home, home, (), activity, start, minutes)
    steps = ask(question, seed=seed).subtasks
    assert sum(step.minutes for step in steps) == minutes
    assert all(one.what != other.what for one, other in pairwise(steps))
    assert all(step.emoji and step.arena in options.places["Pier"] for step in steps)


@settings(max_examples=60)
@given(who=foreigners(), places=MAPS, action=TEXTS, data=st.data())
def test_every_choice_of_place_is_one_that_was_offered(ask, who, places, action, data):
    """Sector, arena and object are on the list, on any map; an emoji is always shown."""
    name, identity = who
    sector = data.draw(st.sampled_from(sorted(places)))
    arena = data.draw(st.sampled_from(sorted(places[sector])))
    home = f"{sector} > {arena}"
    question = WhereAndHow(
        identity, name, action, action, datetime(2023, 2, 13, 9), home, home, PlaceOptions(places)
    )  # fmt: skip
    assert ask(question).emoji


def test_everyone_uses_the_washroom_of_their_gender(ask, cast):
    """And sleeps at home."""
    places = {"Dorm": {"man's bathroom": ("toilet",), "woman's bathroom": ("toilet",)}}
    for name, who in cast.items():
        _, sector, arena = who.home.split(":")
        options = PlaceOptions({**places, sector: {arena: ("bed", "closet")}})
        home, night = f"{sector} > {arena}", datetime(2023, 2, 13, 23)
        spot = ask(WhereAndHow(who.identity(), name, "sleeping", "sleeping", night, "Dorm", home, options))
        assert (spot.sector, spot.arena) == (sector, arena), name
        spot = ask(WhereAndHow(who.identity(), name, "using the toilet", "a break", night, "Dorm", home, options))
        assert spot.arena in {f"{profile_of(who.identity()).gender_word or 'man'}'s bathroom", arena}, name


def test_an_actor_rehearses_at_a_table(ask, cast):
    """And not in bed, although neither desk nor table is in his room."""
    who = cast["Francisco Lopez"]
    _, sector, room = who.home.split(":")
    home, noon = f"{sector} > {room}", datetime(2023, 2, 13, 12)
    options = PlaceOptions({sector: {room: ("bed", "closet", "shelf"), "common room": ("table", "sofa")}})
    for step in ("rehearsing a monologue", "writing a scene for the script", "cutting a line that is not funny"):
        spot = ask(WhereAndHow(who.identity(), who.name, step, "rehearsing a scene", noon, home, home, options))
        assert spot.game_object == "table", step


@settings(max_examples=100)
@given(
    spells=st.lists(st.tuples(edged(1, 120), st.sampled_from(DOINGS)), min_size=1, max_size=6),
    cut=edged(0, 60), over=edged(1, 45),
)  # fmt: skip
def test_what_is_left_of_a_stretch_is_filled(ask, spells, cut, over):
    """After an interruption the rest of the stretch has exactly its minutes, none of them negative."""
    begin = datetime(2023, 2, 13, 9)
    planned, at = [], begin
    for minutes, what in spells:
        planned.append(ScheduleEntry(at, minutes, what))
        at += timedelta(minutes=minutes)
    whole = sum(minutes for minutes, _ in spells)
    start = begin + timedelta(minutes=min(cut, whole - 1))
    remaining = max(1, whole - min(cut, whole - 1) - over)
    question = Reschedule("Name: Ada Stone", "Ada Stone", tuple(planned), "a talk", start, over, remaining)
    spells_left = ask(question).activities
    assert sum(spell.minutes for spell in spells_left) == remaining
    assert all(spell.minutes >= 0 for spell in spells_left)


def test_a_new_morning_forgets_what_is_over_and_keeps_what_lies_ahead(ask, cast, sentences):
    """On the day after the party nobody still prepares it; who was told of the election has it in mind."""
    who = cast["Isabella Rodriguez"]
    heard = QuotedMemory(
        datetime(2023, 2, 14, 9), "Isabella Rodriguez heard from Tom Moreno that Sam Moore is running for mayor"
    )
    question = ReviseIdentity(
        who.identity(date(2023, 2, 15)), who.first, date(2023, 2, 15), who.scratch["currently"],
        who.scratch["daily_plan_req"] or "", (heard,),
    )  # fmt: skip
    revised = ask(question)
    assert "invite" not in revised.currently
    assert "Sam Moore is running for mayor" in revised.currently
    assert sentences(revised.currently) == []


def test_what_is_cancelled_is_over_from_the_next_morning_on(ask, cast):
    """The identity says so, and with nothing else in mind nobody goes there, gives it or prepares it."""
    off = "Isabella Rodriguez has cancelled the party"
    invited = (
        "Klaus Mueller was invited by Isabella Rodriguez to the Valentine's Day party at Hobbs Cafe on February 14th,"
        " 2023, from 5pm to 7pm, and Klaus wants to go"
    )
    for name, told in (
        ("Isabella Rodriguez", (off,)),
        ("Klaus Mueller", (invited, f"Klaus Mueller heard from Isabella Rodriguez that {off}")),
    ):
        who = cast[name]
        memories = tuple(QuotedMemory(datetime.combine(MONDAY, time(20)), text, "thought") for text in told)
        was = who.scratch["currently"], who.scratch["daily_plan_req"]
        if name != "Isabella Rodriguez":
            was = f"{was[0]} Klaus Mueller means to go to {invited.partition(' to ')[2].partition(', and')[0]}.", was[1]
        revised = ask(ReviseIdentity(who.identity(TUESDAY), who.first, TUESDAY, *was, memories))
        assert off in revised.currently
        assert "is giving" not in revised.currently + revised.daily_requirement
        assert "means to go" not in revised.currently + revised.daily_requirement
        identity = who.identity(TUESDAY, currently=revised.currently, daily_plan_req=revised.daily_requirement)
        for memory in ((), memories[:1]):
            hours = day(ask, identity, who.first, TUESDAY, memories=memory)
            assert not any("party" in hour for hour in hours), hours
