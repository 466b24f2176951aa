"""Residents who move in and away during a run."""

import json

import pytest
from step_texts import shown_in

from ville.errors import BadIntervention, UnknownPersona
from ville.simulation.interventions.intervention import Source
from ville.simulation.interventions.kinds.resident_in import ResidentIn
from ville.simulation.interventions.kinds.resident_out import ResidentOut
from ville.storage.folder.storage import find

SOURCE = Source(door="api")
CLEO = "Cleo Adams Moor"
OUT = ResidentOut(who=CLEO)
IN = ResidentIn(
    name="Dora Quill",
    age=30,
    innate="calm",
    learned="Dora Quill binds books.",
    currently="Dora Quill has just arrived.",
    lifestyle="Dora Quill goes to bed around 10pm, wakes up around 6am and eats dinner around 6pm.",
    home="the Town:Cleo's flat:main room",
    look="Klaus Mueller",
)
LEAVES, COMES, STEPS = 40, 50, 90
"""Steps, of a minute each."""


@pytest.fixture
def live(opened, run_for):
    """Live through the change: `live("name", saves={435})` saves and opens again before these steps."""

    async def through(name, saves=(), *, reopen=True):
        simulation = opened(name)
        for step in sorted({LEAVES, COMES, STEPS, *saves}):
            await run_for(simulation, step - simulation.clock.step)
            if step == LEAVES:
                await simulation.intervene(OUT, source=SOURCE)
            if step == COMES:
                await simulation.intervene(IN, source=SOURCE)
            if step in saves:
                simulation.save()
                if reopen:
                    await simulation.close()
                    simulation = opened(name, name)
        return simulation

    return through


def state(town, name):
    """Everything but the log, whose rows have their own names and times."""
    return {file: data for file, data in town.files(name).items() if not file.endswith("interventions.jsonl")}


async def test_a_save_at_any_moment_changes_nothing(live, small_town):
    """Also in the very moment in which a resident leaves or comes, before the next step."""
    whole = await live("whole")
    whole.save()
    (await live("parts", {LEAVES, LEAVES + 3, COMES, COMES + 1})).save()
    assert state(small_town, "parts") == state(small_town, "whole")
    assert find(small_town.settings.fs_storage, "whole").meta.persona_names == ("Ada Stone", "Ben Reed", "Dora Quill")


async def test_a_resident_is_there_from_the_first_step_on(live, small_town):
    """Last in order, in bed at home; and plans the day like everybody."""
    dora = (await live("new")).town.personas["Dora Quill"]
    first = shown_in(small_town.root / "storage/new", COMES)
    before = shown_in(small_town.root / "storage/new", COMES - 1)
    assert list(before) == ["Ada Stone", "Ben Reed"]
    assert list(first) == ["Ada Stone", "Ben Reed", "Dora Quill"]
    x, y = first["Dora Quill"]["movement"]
    assert abs(x - 11) + abs(y - 2) <= 1
    assert dora.scratch.schedule.minutes == 1440
    assert dora.mind.places.tree["the Town"]["Cleo's flat"] == {"main room": ["bed", "closet"]}
    assert len(dora.mind.stream) > 0


async def test_nothing_is_lost_of_somebody_who_leaves(live, opened, run_for):
    """The memories are kept as they were, also in forks; the folder below personas/ goes, whenever the save stops."""
    lived = opened("lived")
    await run_for(lived, LEAVES)
    memories = lived.town.personas[CLEO].state()
    simulation = await live("new", {LEAVES + 3}, reopen=False)
    simulation.save()
    fork = opened("fork", "new")
    for folder in (simulation.folder, fork.folder):
        files = folder.read_persona(CLEO)
        assert files.scratch == json.loads(json.dumps(memories.scratch))
        assert files.nodes == json.loads(str(memories.nodes))
        assert files.embeddings.keys() == memories.new_embeddings.keys()
        assert not (folder.root / "personas" / CLEO).exists()
        folder.check_cast()


async def test_a_folder_that_a_kill_left_behind_is_removed(live):
    """Killed right after the save was committed: the next program that opens the simulation cleans up."""
    simulation = await live("new")
    simulation.save()
    left = simulation.folder.root / "personas" / CLEO
    left.mkdir()
    simulation.folder.check_cast()
    simulation.folder.recover()
    assert not left.exists()


async def test_a_killed_run_is_made_again(live, opened, run_for, small_town):
    """Who came and left after the last save does so again, at the same steps."""
    whole = await live("whole")
    killed = await live("killed", {LEAVES - 5}, reopen=False)
    await killed.close()
    again = opened("killed", "killed")
    assert list(again.town.personas) == ["Ada Stone", "Ben Reed", CLEO]
    await run_for(again, STEPS - again.clock.step)
    for simulation in (whole, again):
        simulation.save()
    assert state(small_town, "killed") == state(small_town, "whole")


async def test_a_conversation_ends_when_the_partner_leaves(opened, run_for):
    """In the next step the other goes on with the day, and has a whole day planned."""
    simulation = opened("new")
    talking = []
    while not talking:
        await run_for(simulation, 1)
        talking = [name for name, each in simulation.town.personas.items() if each.scratch.conversation]
    await simulation.intervene(ResidentOut(who=talking[0]), source=SOURCE)
    left = simulation.town.personas[talking[1]].scratch
    await run_for(simulation, 2)
    assert left.conversation is None or left.conversation.partner != talking[0]
    assert left.schedule.minutes == 1440
    await run_for(simulation, 100)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"home": "the Town:Ada's flat:main room"}, r"no free bed. Free homes are: none"),
        ({"home": "the Town:Hill Cafe:cafe"}, "not a home with a bed"),
        ({"home": ":::::"}, "not an address"),
        ({"look": "nobody"}, r"no look 'nobody'. Choose one of: .*Klaus_Mueller"),
        ({"name": "Ada Stone"}, "Ada Stone is in town"),
        ({"name": "ADA STONE"}, "Ada Stone is in town"),
        ({"name": "Dora"}, "first and last name"),
        ({"name": "../../x y"}, "first and last name"),
        ({"name": f"{'ж' * 40} ж"}, "at most 60"),
    ],
)
async def test_what_is_not_possible_is_refused(opened, change, reason):
    """In one line that says what is possible; nothing changes."""
    simulation = opened("new")
    with pytest.raises(BadIntervention, match=reason) as refused:
        await simulation.intervene(IN.model_copy(update=change), source=SOURCE)
    assert "\n" not in str(refused.value)
    assert (list(simulation.town.personas), simulation.intake.applied) == (["Ada Stone", "Ben Reed", CLEO], 0)


async def test_names_are_given_once(opened):
    """A former resident's memories would be lost; the last resident stays."""
    simulation = opened("new")
    await simulation.intervene(OUT, source=SOURCE)
    for _ in range(2):
        with pytest.raises(BadIntervention, match="has lived here before"):
            await simulation.intervene(IN.model_copy(update={"name": CLEO}), source=SOURCE)
        simulation.save()
    await simulation.intervene(ResidentOut(who="Ben Reed"), source=SOURCE)
    with pytest.raises(UnknownPersona):
        await simulation.intervene(ResidentOut(who="Ben Reed"), source=SOURCE)
    with pytest.raises(BadIntervention, match="only resident"):
        await simulation.intervene(ResidentOut(who="Ada Stone"), source=SOURCE)


async def test_moving_is_a_request_of_its_own(opened):
    """Two at once might want the same bed or name, and others might concern a resident who is gone."""
    simulation = opened("new")
    with pytest.raises(BadIntervention, match="request of its own"):
        await simulation.intervene(OUT, IN, source=SOURCE)
    assert (len(simulation.town.personas), simulation.intake.applied) == (3, 0)
