"""Responding without a model: who puts things right, who leaves, and what is told of it."""

import re
from collections import Counter
from datetime import datetime, timedelta

import pytest

from ville.offline.incidents import ALARMING, as_told, known_trouble, trouble_of, troubles
from ville.offline.react_rules import LIKELY
from ville.offline.table import load
from ville.offline.talks.sayings import heard
from ville.persona.cognitive_modules.respond import PRESSING
from ville.persona.prompt_template.blanks import DialogueTurn, PlaceOptions, QuotedMemory
from ville.persona.prompt_template.converse_questions import AfterConversation, NextUtterance
from ville.persona.prompt_template.perceive_questions import HowImportant
from ville.persona.prompt_template.react_questions import HowToRespond
from ville.persona.prompt_template.talk_questions import Interview, Whispered

NOON = datetime(2023, 2, 13, 12)
CAFE = "Hobbs Cafe > cafe"
OWNER, GUESTS = "Isabella Rodriguez", ("Klaus Mueller", "Maria Lopez", "Adam Smith", "Giorgio Rossi")
SERVING, EATING = "standing behind the cafe counter (taking an order)", "having lunch at the cafe"
PLACES = {
    "Hobbs Cafe": {"cafe": ("piano", "stove")},
    "Home": {"main room": ("bed",)},
    "Johnson Park": {"park": ("park garden",)},
}


def responds(ask, who, *, doing=EATING, others=(), noticed="stove is burning", thing="stove", where=CAFE, seed=1):
    """Return the response of somebody, also with its fields checked by the question."""
    question = HowToRespond(
        who.identity(),
        who.name,
        NOON,
        noticed,
        where,
        thing,
        doing,
        "Home > main room",
        others,
        (),
        PlaceOptions(PLACES),
    )
    return ask(question, seed=seed)


def together(ask, cast, doings, **circumstances):
    """Return how each responds who notices something at the same time."""
    found = {}
    for name, doing in doings.items():
        others = tuple(f"{other}: {what}" for other, what in doings.items() if other != name)
        found[name] = responds(ask, cast[name], doing=doing, others=others, **circumstances)
    return found


def test_the_owner_puts_it_right(ask, cast):
    """Guests leave that to her: they leave, look, help or go on."""
    found = together(ask, cast, {OWNER: SERVING, **dict.fromkeys(GUESTS, EATING)})
    assert [name for name, response in found.items() if response.ends_it] == [OWNER]
    hers = found[OWNER]
    assert (hers.sector, hers.arena, hers.game_object) == ("Hobbs Cafe", "cafe", "stove")
    assert "stove" in hers.activity


def test_without_an_owner_one_of_the_guests_does(ask, cast):
    """Exactly one, who is not distracted then, and nobody else while somebody is at it."""
    found = together(ask, cast, dict.fromkeys(GUESTS, EATING))
    (mender,) = [name for name, response in found.items() if response.ends_it]
    others, busy = (f"{mender}: {found[mender].activity}",), found[mender].activity
    alarm = responds(ask, cast[mender], doing=busy, noticed="the fire alarm rings", thing="")
    assert alarm.choice == "carry on"
    assert not any(responds(ask, cast[name], others=others).ends_it for name in GUESTS if name != mender)


def test_children_do_not(ask, cast):
    """They leave it to others, even alone and at home."""
    who = cast[GUESTS[0]]
    for age, mends in (("34", True), ("9", False)):
        identity = re.sub(r"Age: \d+", f"Age: {age}", who.identity())
        home = ("bed is on fire", "Home > main room", "bed", "reading", "Home > main room")
        response = ask(HowToRespond(identity, who.name, NOON, *home, (), (), PlaceOptions(PLACES)))
        assert response.ends_it == mends


def test_people_differ(ask, cast):
    """Of many who do not see to it, some leave the place, some stay there, and few go on as before."""
    others = (f"{OWNER}: {SERVING}",)
    found = [responds(ask, cast[name], others=others, seed=seed) for name in GUESTS for seed in range(50)]
    where = Counter(response.sector for response in found)
    assert set(where) == {"", "Hobbs Cafe", "Johnson Park"}
    assert where[""] < 30
    assert where["Johnson Park"] > 20


def test_noise_wakes_nobody_and_an_alarm_does(ask, cast):
    """Who is asleep hears only what is alarming."""
    noise = [responds(ask, cast[name], doing="sleeping", noticed="a dog barks", thing="") for name in GUESTS]
    assert {response.choice for response in noise} == {"carry on"}
    alarm = [responds(ask, cast[name], doing="sleeping", noticed="the fire alarm rings", thing="") for name in GUESTS]
    assert "change" in {response.choice for response in alarm}


@pytest.mark.parametrize(
    ("whisper", "alarms"),
    [
        ("There is a fire alarm at Hobbs Cafe.", True),
        ("You hear the fire alarm", True),
        ("You see that the stove is on fire", True),
        ("The building is evacuated", True),
        ("Everybody has to leave", True),
        ("There is a fire alarm in Johnson Park", False),
        ("Your house is on fire", False),
        ("You are afraid of fire", False),
        ("There was a fire here last year", False),
        ("You want to run for mayor", False),
    ],
)
def test_a_whispered_alarm_changes_what_people_do(ask, cast, whisper, alarms):
    """Most of them, as the event does; not if it is elsewhere, over, or only feared."""
    who = cast[GUESTS[0]]
    thought = ask(Whispered(who.identity(), who.name, whisper))
    assert thought.poignancy >= PRESSING or not alarms
    found = [responds(ask, who, noticed=thought.text, thing="", seed=seed).choice for seed in range(20)]
    assert (found.count("change") > 10) == alarms
    assert alarms or "change" not in found


@pytest.mark.parametrize("row", troubles(), ids=lambda row: row.kind)
def test_every_kind_of_trouble_can_be_answered(row):
    """Each way has words, a picture and a reason; what can be mended takes time."""
    assert set(row.ways) <= set(LIKELY)
    assert bool(row.mend) == bool(row.minutes)
    for way in ("mend", *row.ways):
        assert load("reactions.yaml")["emoji"][way]
        assert load("reactions.yaml")["reasons"][way]


def test_what_people_do_and_use_is_no_trouble():
    """Neither activities nor the states of objects in use alarm anybody."""
    states = [row["state"] for row in load("looks.yaml") if row.get("state")]
    doings = ["lighting a fire in the fireplace", "watching a film about a flood", "conversing about the fire alarm"]
    seen = [f"stove {state}" for state in states] + [f"Klaus Mueller is {doing}" for doing in doings]
    assert [text for text in seen if (row := known_trouble(text)) and row.weight >= ALARMING] == []


def test_danger_is_important(ask, cast):
    """More than people passing by."""
    happenings = ("stove is burning", "the fire alarm rings", "Maria Lopez is walking by", "bed is being made")
    scores = ask(HowImportant(cast[OWNER].identity(), "Isabella", happenings)).scores
    assert min(scores[:2]) >= ALARMING > max(scores[2:])


@pytest.mark.parametrize(
    ("noticed", "told", "kind"),
    [
        ("stove is burning", "the stove was burning", "fire"),
        ("the fire alarm rings", "the fire alarm rang", "alarm"),
        ("Hobbs Cafe is flooded", "Hobbs Cafe was flooded", "water"),
        ("smoke comes out of the oven", "smoke came out of the oven", "fire"),
        ("bed is broken", "the bed was broken", "damage"),
        ("a swan reads the news", "a swan reads the news", "anything"),
        ("", "", "anything"),
    ],
)
def test_what_happened_is_told_in_the_past(noticed, told, kind):
    """As far as the rules know its verb."""
    assert (as_told(noticed), trouble_of(noticed).kind) == (told, kind)


def test_who_is_there_knows_what_is_happening(ask, cast):
    """Though it is not yet told as what has happened."""
    who, seen = cast["Maria Lopez"], QuotedMemory(NOON, "stove is burning", "event", 9)
    memories = (seen, QuotedMemory(NOON + timedelta(minutes=1), "table is being used"))
    asked = (DialogueTurn("Ada Byron", "What is happening here?"),)
    assert "The stove was burning" in ask(Interview(who.identity(), who.name, memories, asked)).utterance


def test_what_happened_is_told_and_remembered(ask, cast):
    """Once to each; not while it happens; both remember that, and who was there says so."""
    teller, listener = cast["Maria Lopez"], cast["Adam Smith"]

    def says(who, other, now, transcript=(), more=()):
        memories = (QuotedMemory(NOON, "stove is burning", "event", 9), *more)
        turn = NextUtterance(who.identity(), who.name, other.name, now, CAFE, "", "", "never", memories, transcript)
        return ask(turn, seed=1).utterance

    later = NOON + timedelta(hours=2)
    said = [says(teller, cast[name], later) for name in sorted(cast) if name != teller.name]
    telling = [text for text in said if "the stove was burning" in text]
    assert 0 < len(telling) < len(said)
    assert all(any(line.key == "tell incident" for line in heard(text)) for text in telling)
    assert "burning" not in says(teller, listener, NOON + timedelta(minutes=2))
    opening = (DialogueTurn(teller.name, telling[0]),)
    answers = [line.key for line in heard(says(listener, teller, later, opening))]
    assert "saw it too" in answers
    told = {
        who.name: ask(AfterConversation(who.identity(), who.name, other.name, later, opening)).memo.text
        for who, other in ((teller, listener), (listener, teller))
    }
    assert told == {
        teller.name: "Maria Lopez has told Adam Smith what happened: the stove was burning",
        listener.name: "Adam Smith was told by Maria Lopez what happened: the stove was burning",
    }
    asked = (DialogueTurn("Interviewer", "What has happened today?"),)
    for who, memory, answer in (
        (teller, QuotedMemory(NOON, "stove is burning", "event", 9), "The stove was burning"),
        (listener, QuotedMemory(NOON, told[listener.name], "thought", 6), "Maria told me that the stove was burning."),
    ):
        memories = (memory, QuotedMemory(later, "table is being used"))
        assert answer in ask(Interview(who.identity(), who.name, memories, asked)).utterance
    known = QuotedMemory(later, told[teller.name], "thought", 4)
    for name in sorted(cast):
        memory = QuotedMemory(later, known.text.replace(listener.name, name), "thought", 4)
        if name != teller.name:
            assert "the stove was burning" not in says(teller, cast[name], later, more=(memory,))
