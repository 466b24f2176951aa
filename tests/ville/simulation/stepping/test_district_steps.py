"""Minds in districts: the same files as when all are in one process, whoever lives where and meets whom."""

import pickle
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ville.assembly import run as assembly
from ville.llm.gateway import Models
from ville.simulation.interventions.kinds.object import ObjectState
from ville.simulation.interventions.kinds.whisper import Whisper
from ville.simulation.interventions.planned import Planned
from ville.simulation.running.run_loop import StopRequest, run
from ville.simulation.stepping.district import MindDistrict, divided
from ville.world.address import Tile

DOOR, PIANO = {"door": "file", "by": ""}, "the Town:Hill Cafe:cafe:piano"
STEPS = 240
"""Of a minute each, from half past five on: all are asleep before."""


class Posted:
    """A district whose messages are copied on their way, as between two machines; `sent` are their names."""

    def __init__(self, district):
        self._district, self.sent = district, []

    def __getattr__(self, name):
        async def call(*content):
            self.sent.append(name)
            told = await getattr(self._district, name)(*copied(content))
            return copied(told)

        return call


def copied(content):
    return pickle.loads(pickle.dumps(content))  # noqa: S301 - our own


@pytest.fixture
def live(new_townsfolk, monkeypatch):
    """Run a town until a step, and save it: `live(town, "new", districts=2)`; return its districts."""
    monkeypatch.setattr("ville.assembly.models.offline_chat", lambda *_: new_townsfolk())
    monkeypatch.setattr("ville.persona.cognitive_modules.react.talks", lambda *_: True)

    async def live_it(town, name, origin="base", *, until=STEPS, districts=0, **settings):
        autosave, planned = settings.pop("autosave", 0), settings.pop("planned", ())
        simulation = await assembly.open_at(replace(town.settings, **settings), origin, name)
        if planned:
            simulation.plan(planned)
        layers, own = simulation.town.maze.layers, simulation.models
        alike = [Models(new_townsfolk(), own.embedder, own.seed, own.language) for _ in range(districts)]
        simulation.districts = tuple(Posted(MindDistrict(*copied((layers, simulation.clock)), each)) for each in alike)
        steps = until - simulation.clock.step
        try:
            await run(simulation, steps, autosave=autosave, watch=lambda _: None, stop=StopRequest())
            simulation.save()
        finally:
            await simulation.close()
        return simulation.districts

    return live_it


def differing(files, wanted):
    """The names of files that differ: a comparison of thousands of files says nothing."""
    return sorted(name for name in {*files, *wanted} if files.get(name) != wanted.get(name))


@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 20))])
async def test_the_files_are_those_of_one_process(random_town, live, seed):
    """Whatever the town, whoever meets whom, and into however many districts it is divided."""
    town, settings = random_town(seed)
    await live(town, "whole", **settings)
    wanted, sent = town.files("whole"), list[str]()
    for districts in (1 + seed % 2, 3):
        there = await live(town, f"in-{districts}", districts=districts, **settings)
        assert differing(town.files(f"in-{districts}"), wanted) == []
        assert all(each.sent.count("think") == STEPS for each in there)
        sent += (name for each in there for name in each.sent)
    assert seed > 1 or {"talk", "give"} <= set(sent)  # in some towns nobody meets


async def test_saves_and_what_comes_from_outside_meet_everybody_at_home(random_town, live):
    """A whisper and a save bring minds home; while an object is on fire, nobody is away; a resumed run goes on."""
    town, settings = random_town(3)
    acts = [
        Planned(60, Whisper(who="Ada Stone", words="You want to see the piano."), {**DOOR, "id": "one"}),
        Planned(110, ObjectState(where=PIANO, state="on fire", until=125), {**DOOR, "id": "other"}),
    ]
    await live(town, "whole", planned=acts, **settings)
    await live(town, "parted", planned=acts, districts=2, autosave=40, until=130, **settings)
    (first, _) = await live(town, "parted", "parted", districts=2, autosave=40, **settings)
    assert first.sent.count("settle") == first.sent.count("leave") == 3
    differ = differing(town.files("parted"), town.files("whole"))
    assert [name for name in differ if "interventions" not in name] == []


async def test_a_district_that_is_lost_costs_what_was_not_saved(random_town, live, monkeypatch):
    """The run cannot be saved then, and goes on from its last save to the same files."""
    town, settings = random_town(2)
    await live(town, "whole", **settings)
    think, left = MindDistrict.think, iter(range(2 * 100 + 1))

    async def lost(district, news):
        if next(left, None) is None:
            raise LostError
        return await think(district, news)

    with monkeypatch.context() as patch:
        patch.setattr(MindDistrict, "think", lost)
        with pytest.raises(LostError):
            await live(town, "lost", districts=2, autosave=40, **settings)
    await live(town, "lost", "lost", districts=2, **settings)
    assert differing(town.files("lost"), town.files("whole")) == []


class LostError(Exception):
    """The machine of a district has failed."""


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 20)), min_size=1, max_size=60), st.integers(1, 9))
def test_everybody_lives_in_one_district_and_none_is_larger(homes, count):
    """Districts differ by one person at most, and which one somebody lives in follows from the homes alone."""
    people = {f"Person {number}": Tile(*home) for number, home in enumerate(homes)}
    parts = divided(people, count)
    assert sorted(name for part in parts for name in part) == sorted(people)
    assert max(map(len, parts)) - min(map(len, parts)) <= 1
    shuffled = dict(Random(1).sample(list(people.items()), len(people)))  # noqa: S311 - no secrets
    assert divided(shuffled, count) == parts
