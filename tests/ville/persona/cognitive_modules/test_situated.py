"""Laws of the situated self: it is true at its step, in few words, and tells times on a 24-hour clock."""

from dataclasses import replace
from datetime import timedelta

import pytest

from ville.persona.cognitive_modules.situated import AHEAD, situated_self
from ville.persona.memory_structures.action import ActionPlace
from ville.persona.memory_structures.schedule import Activity, Schedule
from ville.persona.memory_structures.scratch import Conversation
from ville.persona.memory_structures.social_impression import SocialImpression
from ville.persona.prompt_template.blanks import blank_text
from ville.world.address import Tile

ADA, BEN = "Ada Stone", "Ben Reed"
CAFE = "the Town:Cafe:cafe:table"


@pytest.fixture
def mind(hamlet):
    """Ada, in her flat at eight."""
    return hamlet.person(ADA, doing="baking").mind


def text(hamlet, mind, **towards):
    return blank_text(situated_self(mind, hamlet.moment(), **towards))


def test_time_place_action_and_its_end_are_told(hamlet, mind):
    """As they are in this step."""
    assert text(hamlet, mind).startswith(
        "It is Monday, February 13, 8:00. Ada is at home (main room): baking, until 9:00."
    )


def test_who_walks_is_on_the_way(hamlet, mind):
    """The action takes place where the way leads, not here."""
    mind.scratch.action = replace(mind.scratch.action, address=CAFE)
    mind.scratch.planned_path = [Tile(3, 3)]
    assert "Ada is at home (main room), on the way to Cafe (cafe): baking" in text(hamlet, mind)
    hamlet.tiles[ADA] = Tile(3, 3)
    assert "Ada is in the street, on the way to Cafe (cafe)" in text(hamlet, mind)
    mind.scratch.planned_path = []
    assert "on the way" not in text(hamlet, mind)


def test_the_next_entries_of_the_plan_are_told_with_places(hamlet, mind):
    """Three of those that begin later, each once and whole."""
    what = ["sleeping", "baking", "reading", "reading", "a long walk " + "and on " * 40, "tea", "supper"]
    mind.scratch.hourly_schedule = Schedule.whole_day(
        [Activity(each, minutes) for each, minutes in zip(what, [420, 120, 60, 60, 60, 60, 60], strict=True)]
    )
    mind.scratch.action_places = {"tea": ActionPlace("Cafe", "cafe")}
    told = situated_self(mind, hamlet.moment()).ahead
    assert [each.what for each in told] == ["reading", what[4], "tea"]
    assert [each.where for each in told] == ["", "", "Cafe"]
    assert len(told) == AHEAD
    assert f"Next: 9:00 reading; 11:00 {what[4]}; 12:00 tea, Cafe." in text(hamlet, mind)


def test_a_plan_of_yesterday_is_not_told(hamlet, mind):
    """The day is planned after midnight; before that nothing is ahead."""
    mind.scratch.curr_time = hamlet.now - timedelta(days=1)
    assert situated_self(mind, hamlet.moment()).ahead == ()


def test_a_talk_is_told_with_the_other(hamlet, mind):
    """Also with whom, until it ends."""
    talking = hamlet.action(ADA, "conversing about the fair")
    mind.scratch.begin(talking, Conversation(BEN, (), hamlet.now + timedelta(minutes=4)))
    assert f"talking with {BEN} about the fair, until 8:04" in text(hamlet, mind)


def test_feelings_are_those_for_whom_one_faces(hamlet, mind):
    """If there are any, and impressions are kept."""
    mind.scratch.note_impression(BEN, SocialImpression("a neighbor", "trust"))
    mind.scratch.note_impression("Cleo Vance", SocialImpression("a rival", "envy"))
    assert f"Feelings about {BEN}: trust." in text(hamlet, mind, facing=BEN)
    assert "Feelings" not in text(hamlet, mind)
    mind.settings = replace(mind.settings, impressions=False)
    assert "Feelings" not in text(hamlet, mind, facing=BEN)


def test_the_questions_of_the_paper_have_no_such_lines(hamlet, mind):
    """They stay as they were."""
    mind.settings = replace(mind.settings, questions="paper")
    assert situated_self(mind, hamlet.moment()) is None
