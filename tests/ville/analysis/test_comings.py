"""Those who come to live in a town and who move away are in its news, ties and story, and have causes."""

from dataclasses import replace

import pytest

from ville.analysis.comparison.compared_run import ComparedRun
from ville.analysis.measures import NewsTopic
from ville.analysis.news import news_of
from ville.analysis.story import ARRIVAL, DEPARTURE, story
from ville.analysis.ties import social_graph
from ville.api.town_session import TownSession
from ville.assembly.asking_why import find_act, trace
from ville.assembly.retraced_steps import RetracedSteps
from ville.storage.folder.storage import find

ADA, CLEO, DORA = "Ada Stone", "Cleo Adams Moor", "Дора Кузнецова"
COMES = {"kind": "resident_in", "name": DORA, "look": "visitor 1", "home": "the Town:Cleo's flat:main room"}
COMES |= {"age": 30} | dict.fromkeys(("innate", "learned", "currently", "lifestyle"), "calm")


@pytest.fixture(scope="module")
def town(write_small_town, tmp_path_factory):
    """A few steps: Cleo, who knows of a fair, moves away, and Дора comes, who knows of it, too."""
    small = write_small_town(tmp_path_factory.mktemp("comings"))
    settings = replace(small.settings, provider="offline", seed=1)
    with TownSession(settings, "base", "new") as town:
        town.run(steps=3)
        town.whisper(CLEO, "There is a fair on Sunday")
        town.run(steps=3)
        town.intervene({"kind": "resident_out", "who": CLEO})
        town.run(steps=3)
        town.intervene(COMES)
        town.whisper(DORA, "There is a fair on Sunday")
        town.run(steps=6)
    return settings


def test_people_who_come_and_go_are_in_all_that_is_found(town):
    run = ComparedRun(find(town.fs_storage, "new"))
    assert {CLEO, DORA} <= set(run.people)
    knowers = {each.who: each for each in news_of(run, NewsTopic.matching(r"\bfair\b")).knowers}
    assert {CLEO, DORA} <= knowers.keys()
    graph = social_graph(run)
    assert {CLEO, DORA} <= set(graph.people)
    chapters = [chapter for day in story(run).days for chapter in day.chapters]
    told = {moment.kind: moment.names for chapter in chapters for moment in (chapter.lead, *chapter.more)}
    assert (told[ARRIVAL], told[DEPARTURE]) == ((DORA,), (CLEO,))
    for who in (CLEO, DORA):
        found, act = find_act(town, "new", who)
        assert (act.who, act.words != "") == (who, True)
        assert trace(RetracedSteps(town, found), act).of_act.words
