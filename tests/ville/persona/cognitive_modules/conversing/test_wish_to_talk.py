"""Laws of the wish to talk."""

from dataclasses import replace
from datetime import timedelta

import pytest

from ville.persona.cognitive_modules.conversing.encounter import Encounter
from ville.persona.cognitive_modules.conversing.wish_to_talk import (
    may_depend_on_news,
    talks,
    untold,
    waits,
    wish_to_talk,
)
from ville.persona.cognitive_modules.mind import add_to_stream
from ville.persona.memory_structures.stream.concept_node import PLANS, talk, thought
from ville.world.address import Tile

ADA, BEN, CY = "Ada Stone", "Ben Reed", "Cy Doe"
SEEDS = 400


class Meeting:
    """Ada sits in the cafe and sees Ben at the counter, at noon."""

    def __init__(self, hamlet) -> None:
        hamlet.now = hamlet.now.replace(hour=12)
        self.hamlet = hamlet
        self.visitors: dict[str, str] = {}
        self.mind = hamlet.person(ADA, Tile(7, 2)).mind
        self.mind.scratch.begin(hamlet.action(ADA, "having tea", "the Town:Cafe:cafe:table"))
        hamlet.person(BEN, Tile(6, 2)).scratch.begin(hamlet.action(BEN, "serving", "the Town:Cafe:cafe:counter"))

    def encounter(self, **other) -> Encounter:
        seen = self.hamlet.view().people[BEN]
        return Encounter(self.mind.scratch, replace(seen, **other), self.hamlet.now)

    def wish(self, **other) -> float:
        moment = self.hamlet.moment()
        view = replace(moment.view, visitors=self.visitors)
        return wish_to_talk(self.mind, replace(moment, view=view), self.encounter(**other))

    def drawn(self, question) -> list[bool]:
        """Return what a question says with each seed."""
        moment = self.hamlet.moment()
        seeds = [replace(moment, caller=replace(moment.caller, seed=seed)) for seed in range(SEEDS)]
        return [question(self.mind, each, self.encounter()) for each in seeds]

    def share(self) -> float:
        """Return of how many times in a hundred they would talk."""
        return 100 * sum(self.drawn(talks)) / SEEDS

    def thinks(self, text="there is a fair on Sunday", *, poignancy=8, subject=ADA, predicate="knows") -> None:
        new = thought(self.hamlet.now, (subject, predicate, text), text, poignancy=poignancy)
        add_to_stream(self.mind, [(new, [1.0] * 13)])

    def talked(self, other=BEN) -> None:
        said = talk(
            self.hamlet.now, (ADA, "chat with", other), "conversing about soup", poignancy=3, keywords=(other,),
            transcript=((ADA, "Soup!"),),
        )  # fmt: skip
        add_to_stream(self.mind, [(said, [1.0] * 13)])


@pytest.fixture
def meeting(hamlet):
    return Meeting(hamlet)


def test_who_has_nothing_to_say_seldom_talks(meeting):
    """Most pass with a nod, however many everyday thoughts there are."""
    meeting.thinks("the tea is hot", poignancy=2)
    assert 0 < meeting.share() < 10


@pytest.mark.parametrize("poignancy", [6, 8, 10])
def test_where_news_may_decide_is_known_before_it_is_thought_of(meeting, poignancy):
    """So whoever goes on while it thinks about a talk is waited for there, and seldom elsewhere."""
    before, may = meeting.drawn(talks), meeting.drawn(may_depend_on_news)
    meeting.thinks(poignancy=poignancy)
    after = meeting.drawn(talks)
    assert all(might for had, might, has in zip(before, may, after, strict=True) if had != has)
    assert before != after
    assert not any(had and might for had, might in zip(before, may, strict=True))
    assert 0 < sum(may) < SEEDS / 2


def test_news_makes_a_talk_likely_until_there_was_occasion_to_tell_it(meeting):
    """It counts for each whom the persona has not met since, and for two days."""
    before = meeting.share()
    meeting.thinks()
    assert meeting.share() > 2 * before
    meeting.talked(CY)
    assert untold(meeting.mind, meeting.encounter().other.name, meeting.encounter().now)
    meeting.talked()
    assert not untold(meeting.mind, meeting.encounter().other.name, meeting.encounter().now)
    meeting.thinks()
    meeting.hamlet.now += timedelta(days=3)
    assert not untold(meeting.mind, meeting.encounter().other.name, meeting.encounter().now)


@pytest.mark.parametrize("poignancy", [6, 7, 8, 9])
def test_the_weightier_the_news_the_greater_the_wish(meeting, poignancy):
    meeting.thinks(poignancy=poignancy - 1)
    before = meeting.wish()
    meeting.thinks(poignancy=poignancy)
    assert meeting.wish() > before


def test_the_plan_of_a_day_is_no_news(meeting):
    """Nor is what was dropped."""
    meeting.thinks(poignancy=9, predicate=PLANS)
    meeting.thinks(poignancy=9)
    meeting.mind.stream.drop(meeting.mind.stream[2])
    assert untold(meeting.mind, meeting.encounter().other.name, meeting.encounter().now) == []


def test_people_talk_more_to_those_they_know(meeting):
    """And less so soon again after a talk."""
    strangers = meeting.wish()
    for number in range(3):
        meeting.thinks(f"{BEN} told joke {number}", poignancy=1, subject=BEN)
    known = meeting.wish()
    assert known > strangers
    meeting.talked()
    assert meeting.wish() < known
    meeting.hamlet.now += timedelta(days=1)
    assert meeting.wish() > known


def test_visitors_are_greeted_more_often_than_not_and_once(meeting):
    """Also by those who do not know them."""
    meeting.visitors = {BEN: "a painter"}
    assert meeting.wish() > 0.5
    assert meeting.wish(walking=True) < meeting.wish()
    meeting.talked()
    after = meeting.wish()
    meeting.visitors = {}
    assert meeting.wish() == after


def test_passers_by_talk_less_and_nobody_is_disturbed_in_private(meeting):
    """Whether one is in the bathroom oneself, or the other is."""
    assert meeting.wish(walking=True) < meeting.wish()
    assert meeting.wish(address="the Town:Ada's flat:bathroom:shower") == 0
    meeting.mind.scratch.begin(meeting.hamlet.action(ADA, "washing", "the Town:Ada's flat:bathroom:shower"))
    assert meeting.wish() == 0


def test_people_talk_less_at_night(meeting):
    """From ten on, and before seven."""
    by_day = meeting.wish()
    meeting.hamlet.now = meeting.hamlet.now.replace(hour=22)
    assert meeting.wish() < by_day


@pytest.mark.parametrize(
    ("thing", "minutes", "waited"), [("shower", 20, True), ("shower", 90, False), ("table", 20, False)]
)
def test_people_wait_for_what_only_one_can_use_if_it_is_not_for_long(meeting, thing, minutes, waited):
    hamlet = meeting.hamlet
    meeting.mind.scratch.begin(hamlet.action(ADA, "washing", f"the Town:Ada's flat:bathroom:{thing}"))
    assert waits(meeting.encounter(until=hamlet.now + timedelta(minutes=minutes))) is waited
