"""Commitments: made by talks, plans, whispers and identities, called off, kept and broken."""

from dataclasses import replace
from datetime import date, time, timedelta

import pytest

from ville.errors import CorruptFile
from ville.persona.cognitive_modules.committing.at_hand import with_what_is_off
from ville.persona.cognitive_modules.committing.commit import agreed_today, commit_by_memories, commit_by_talk
from ville.persona.cognitive_modules.committing.outcomes import settle
from ville.persona.memory_structures.facts.commitment import Commitment
from ville.persona.memory_structures.facts.kept_facts import KeptFacts
from ville.persona.memory_structures.scratch import Conversation
from ville.persona.memory_structures.stream.concept_node import thought
from ville.persona.prompt_template.conversation_answers import Appointment
from ville.world.address import Tile

ADA, BEN, CY = "Ada Stone", "Ben Reed", "Cy Doe"
TABLE, PARK = Tile(6, 1), Tile(9, 4)
TODAY = date(2023, 2, 13)


@pytest.fixture
def mind(hamlet):
    hamlet.person(BEN, PARK, doing="reading")
    hamlet.person(CY, PARK, doing="reading")
    return hamlet.person(ADA, PARK, doing="baking").mind


def remember(hamlet, mind, text):
    told = thought(hamlet.now, (ADA, "remembers", "it"), text, poignancy=5, keywords=(ADA,))
    node = mind.stream.add(told, [1.0] * 13)
    commit_by_memories(mind, hamlet.view(), [node])
    return node


def agree(hamlet, mind, *, said, what="dancing with Ben", hour=10, minutes=60):
    conversation = Conversation(BEN, ((BEN, said),), hamlet.now)
    return agreed_today(mind, hamlet.moment(), conversation, Appointment(what=what, hour=hour, minutes=minutes))


def outcomes(mind):
    return [(each.what, each.outcome) for each in mind.facts.commitments]


def test_a_memory_with_a_day_is_a_commitment(hamlet, mind):
    """With its hours, its place, and whom it names; it is ahead until it is over."""
    node = remember(hamlet, mind, "Ada Stone is giving a party for Ben at the Cafe on February 14th, from 5pm to 7pm.")
    (found,) = mind.facts.commitments.ahead(hamlet.now)
    assert found == Commitment(
        what="Ada Stone is giving a party for Ben at the Cafe", people=(BEN,), day=date(2023, 2, 14), at=time(17),
        minutes=120, place="Cafe", made=hamlet.now, source=node.node_id,
    )  # fmt: skip
    assert mind.facts.commitments.on(found.day) == mind.facts.commitments.with_person(BEN) == [found]
    assert mind.facts.commitments.ahead(hamlet.now + timedelta(days=2)) == []


@pytest.mark.parametrize(
    "text",
    [
        "Ada Stone heard that Ben is giving a party tomorrow at 5pm.",
        "Ada Stone can't go to the party tomorrow.",
        "Ada Stone has told Cy that Ben is giving a party tomorrow at 5pm, and Cy wants to go.",
    ],
)
def test_what_is_heard_or_declined_is_no_commitment(hamlet, mind, text):
    remember(hamlet, mind, text)
    assert len(mind.facts.commitments) == 0


def test_the_same_appointment_is_kept_once(hamlet, mind):
    """Told in other words, with another guest, it is completed."""
    remember(hamlet, mind, "Ada Stone is giving a Valentine party tomorrow at 17:00.")
    remember(
        hamlet, mind, "Ada Stone has invited Cy to the Valentine party at the Cafe tomorrow at 5pm, and Cy will come."
    )
    (found,) = mind.facts.commitments
    assert (found.people, found.place) == ((CY,), "Cafe")


def test_who_remembers_what_is_off_knows_that_it_is_off(hamlet, mind):
    """The cancellation comes to mind with it, once, and only then."""
    party = remember(hamlet, mind, "Ada Stone is giving a party at the Cafe on February 14th, from 5pm to 7pm.")
    bread = remember(hamlet, mind, "Ada Stone bakes bread.")
    assert with_what_is_off(mind, [party]) == [party]
    off = remember(hamlet, mind, "The party at the Cafe is cancelled.")
    assert with_what_is_off(mind, [party, bread]) == [party, bread, off]
    assert with_what_is_off(mind, [off, party]) == [off, party]
    assert with_what_is_off(mind, [bread]) == [bread]


@pytest.mark.parametrize("told", ["The party at the Cafe is cancelled.", "Ada Stone has called off the party."])
def test_a_cancellation_calls_it_off(hamlet, mind, told):
    """It is not ahead any more, and does not come back when it is read again."""
    invitation = "Ada Stone is giving a party at the Cafe tomorrow at 5pm."
    remember(hamlet, mind, invitation)
    remember(hamlet, mind, "Ada Stone studies with Ben in the Park tomorrow at 2pm.")
    remember(hamlet, mind, told)
    remember(hamlet, mind, invitation)
    assert [each.place for each in mind.facts.commitments.ahead(hamlet.now)] == ["Park"]
    assert [outcome for _, outcome in outcomes(mind)] == ["called off", "open"]


PARTY = "Ada Stone is giving a party at the Cafe tomorrow at 5pm."


@pytest.mark.parametrize(
    "told",
    [
        "The party is off.",
        "The party is off tomorrow.",
        "There will be no party.",
        "The party won't be happening.",
        "The party will not happen, since Ada is ill.",
        "Ada is not well and the party is cancelled.",
        "About the party: it has been cancelled.",
        "The party, planned for tomorrow at the Cafe, is cancelled.",
        "The party at 5 p.m. is cancelled.",
        "Ada does not want guests, but Ada will keep the Cafe open and has cancelled the party.",
    ],
)
def test_a_clause_that_cancels_it_calls_it_off(hamlet, mind, told):
    """However it is put; a negation of something else does not count."""
    remember(hamlet, mind, PARTY)
    remember(hamlet, mind, told)
    assert [outcome for _, outcome in outcomes(mind)] == ["called off"]


@pytest.mark.parametrize(
    "told",
    [
        "The party is not cancelled.",
        "The party won't be cancelled.",
        "Don't cancel the party!",
        "Tom did not cancel the party.",
        "Nobody has cancelled the party.",
        "Ben asked whether the party is cancelled.",
        "Sam cancelled his newspaper subscription; the party goes on.",
        "Sam cancelled his newspaper subscription and the party goes on.",
        "There will be no flowers at the party.",
        "The party is tomorrow, but Ben is off.",
        "Ben is off to the party.",
        "The party goes on. The concert is off.",
    ],
)
def test_a_clause_that_is_negated_or_about_something_else_does_not(hamlet, mind, told):
    remember(hamlet, mind, PARTY)
    remember(hamlet, mind, told)
    assert [outcome for _, outcome in outcomes(mind)] == ["open"]


def hear(hamlet, mind, text):
    told = thought(hamlet.now, (ADA, "remembers", "it"), text, poignancy=5, keywords=(ADA,))
    talk = Conversation(BEN, ((BEN, text),), hamlet.now)
    commit_by_talk(mind, hamlet.view(), talk, [mind.stream.add(told, [1.0] * 13)])


@pytest.mark.parametrize(
    ("told", "outcome"),
    [
        ("Ada Stone heard from a news reporter that a news reporter has cancelled the party.", "open"),
        ("Ben Reed told Ada Stone that the party is cancelled.", "open"),
        ("Ada Stone has told Ben Reed that the party is cancelled.", "called off"),
    ],
)
def test_hearsay_does_not_call_off_what_one_hosts(hamlet, mind, told, outcome):
    """Nor what is in the own plan; a whisper and one's own words do."""
    remember(hamlet, mind, PARTY)
    hear(hamlet, mind, told)
    assert [each for _, each in outcomes(mind)] == [outcome]
    remember(hamlet, mind, "The party is cancelled.")
    assert [each for _, each in outcomes(mind)] == ["called off"]


def test_what_one_has_heard_of_is_called_off_by_who_gives_it(hamlet, mind):
    """Though the words begin with one's own name, and say that somebody is giving it."""
    what = f"Ada Stone heard from Cy Doe that {BEN} is giving a party"
    mind.facts.commitments.note(
        Commitment(what=what, people=(BEN,), day=TODAY, at=time(20), made=hamlet.now, source="node_9")
    )
    hear(hamlet, mind, "Ben Reed told Ada Stone that the party is cancelled.")
    assert [each for _, each in outcomes(mind)] == ["called off"]


@pytest.mark.parametrize(
    ("source", "people", "outcome"),
    [
        ("plan", (CY,), "open"),
        ("identity", (), "open"),
        ("plan", (BEN,), "called off"),
        ("node_9", (CY,), "called off"),
    ],
)
def test_who_takes_part_may_call_off_what_was_planned(hamlet, mind, source, people, outcome):
    """And anybody what one is a guest of."""
    lunch = Commitment(what="having lunch", people=people, day=TODAY, at=time(20), made=hamlet.now, source=source)
    mind.facts.commitments.note(lunch)
    hear(hamlet, mind, "Ben Reed has cancelled the lunch.")
    assert [each for _, each in outcomes(mind)] == [outcome]


def test_an_agreement_that_was_said_is_noted(hamlet, mind):
    assert agree(hamlet, mind, said="Let us go dancing!")
    assert outcomes(mind) == [("dancing with Ben", "open")]


@pytest.mark.parametrize(
    ("what", "hour", "said"),
    [("visiting an island", 11, "Let us go dancing!"), ("dancing with Ben", 6, "Dancing at six!"),
     ("chess with Ben", 10, "Chess at ten?")],
)  # fmt: skip
def test_what_does_not_fit_is_refused_with_a_reason(hamlet, mind, what, hour, said):
    """Invented, in sleep, or at the hour of another appointment."""
    mind.facts.commitments.note(
        Commitment(what="rehearsal", people=(CY,), day=TODAY, at=time(10), made=hamlet.now, source="talk")
    )
    hamlet.now = hamlet.now.replace(hour=5)
    assert not agree(hamlet, mind, said=said, what=what, hour=hour)
    refused = [each for each in mind.facts.commitments if each.outcome == "refused"]
    assert [each.what for each in refused] == [what]
    assert refused[0].reason


def test_the_appointments_of_a_day_are_limited(hamlet, mind):
    fits = [agree(hamlet, mind, said=f"Thing{hour} here", what=f"{name} together", hour=hour)
            for hour, name in enumerate(("dancing", "swimming", "painting", "cooking", "singing"), 12)]  # fmt: skip
    assert fits == [False] * 5
    fits = [agree(hamlet, mind, said=f"{name}!", what=f"{name} together", hour=hour)
            for hour, name in enumerate(("dancing", "swimming", "painting", "cooking", "singing"), 12)]  # fmt: skip
    assert fits == [True] * 4 + [False]


def test_the_minds_of_the_paper_keep_no_commitments(hamlet, mind):
    mind.settings = replace(mind.settings, questions="paper")
    remember(hamlet, mind, "Ada Stone is giving a party tomorrow at 5pm.")
    assert agree(hamlet, mind, said="anything")
    assert mind.facts.as_json() == {}


@pytest.mark.parametrize(("tile", "outcome"), [(TABLE, "kept"), (PARK, "broken")])
def test_who_is_there_in_time_keeps_it(hamlet, mind, tile, outcome):
    remember(hamlet, mind, "Ada Stone has lunch with Ben at the Cafe today at 12pm.")
    hamlet.tiles[ADA] = tile
    for minutes in (0, 300):
        hamlet.now = hamlet.now.replace(hour=12) + timedelta(minutes=minutes)
        settle(mind, hamlet.view())
    assert [each.outcome for each in mind.facts.commitments] == [outcome]


@pytest.mark.parametrize(
    ("told", "outcome"),
    [
        ("Ada Stone has apologised to Ben Reed for missing the party.", "broken"),
        ("For Ada Stone's planning: Ada Stone promised to come to the party and did not.", "broken"),
        ("Ada couldn't make it to the party.", "broken"),
        ("Ben Reed missed the party.", "kept"),
        ("Ada Stone heard from Ben Reed that Cy did not come to the party.", "kept"),
        ("Ada Stone would not have missed the party.", "kept"),
        ("Ada Stone missed Ben Reed.", "kept"),
        ("Ada Stone missed the bus.", "kept"),
    ],
)
def test_who_says_that_it_missed_an_appointment_has_not_kept_it(hamlet, mind, told, outcome):
    """Also if it passes by later; before it begins, nothing is missed."""
    remember(hamlet, mind, "Ada Stone goes to the party of Ben Reed at the Cafe today at 12pm.")
    remember(hamlet, mind, told)
    assert [each.outcome for each in mind.facts.commitments] == ["open"]
    hamlet.now = hamlet.now.replace(hour=12, minute=20)
    remember(hamlet, mind, told)
    hamlet.tiles[ADA] = TABLE
    settle(mind, hamlet.view())
    assert [each.outcome for each in mind.facts.commitments] == [outcome]


def test_what_is_saved_is_read_again(hamlet, mind):
    remember(hamlet, mind, "Ada Stone is giving a party at the Cafe tomorrow at 5pm.")
    mind.facts.told.note_told("Ada gives a party", BEN, hamlet.now, node="node_1")
    saved = mind.facts.as_json()
    assert saved
    assert KeptFacts.read(ADA, saved).as_json() == saved


@pytest.mark.parametrize(
    "broken", [{"commitments": [{"what": "x"}]}, {"told": 3}, {"told": [{"text": "x", "told": 1}]}, []]
)
def test_a_broken_file_is_one_clear_line(broken):
    with pytest.raises(CorruptFile, match=r"^Ada Stone: facts\.json is invalid \(.*\)\. Restore or remove it\.$"):
        KeptFacts.read(ADA, broken)
