"""Interventions are recorded before they take effect, each once, in the order in which they are due."""

import pytest

from ville.errors import BadIntervention, CannotWrite, UnknownPersona
from ville.simulation.interventions.intervention import API, Source
from ville.simulation.interventions.kinds.memory_add import MemoryAdd
from ville.simulation.interventions.kinds.resident_out import ResidentOut
from ville.simulation.interventions.planned import Planned
from ville.storage.records.intervention_log import LOG, read_rows

ADA = "Ada Stone"


def thought(words, who=ADA):
    return MemoryAdd(who=who, words=words)


def ahead(step, words, identifier="", who=ADA):
    """Return a planned intervention."""
    return Planned(step, thought(words, who), {"door": "file", "by": "", "id": identifier or f"id of {words}"})


def thoughts(simulation):
    """Return the planted thoughts of Ada, in order."""
    stream = simulation.persona(ADA).mind.stream
    return [node.description for node in reversed(stream.newest("thought")) if len(node.description) == 1]


def rows(simulation):
    """Return what is in the log on disk: number, step and words of each row."""
    log = simulation.folder.root / "reverie" / LOG
    return [(row["n"], row["step"], row["words"]) for row in read_rows(log)]


@pytest.fixture
def simulation(opened):
    return opened("new")


@pytest.fixture
def full_disk(simulation):
    """A log that cannot be written until `full_disk()` is called."""
    log = simulation.folder.root / "reverie" / LOG
    log.mkdir()
    return log.rmdir


async def test_what_cannot_be_recorded_has_no_effect(simulation, full_disk):
    """Of what arrives and of what was planned: so a killed run never knows what its log does not. Both can be tried
    again.
    """
    simulation.plan([ahead(0, "p")])
    for attempt in (simulation.apply_due(), simulation.intervene(thought("a"), source=API)):
        with pytest.raises(CannotWrite):
            await attempt
    assert (thoughts(simulation), simulation.intake.applied) == ([], 0)
    full_disk()
    assert len(await simulation.intervene(thought("a"), source=API)) == 1
    assert (thoughts(simulation), simulation.intake.applied) == (["p", "a"], 2)
    assert rows(simulation) == [(1, 0, "p"), (2, 0, "a")]


async def test_a_new_simulation_whose_log_cannot_be_written_is_not_changed(simulation, full_disk):
    """By one that arrives when nothing is planned. A request for nothing writes nothing."""
    assert await simulation.intervene(source=API) == []
    with pytest.raises(CannotWrite):
        await simulation.intervene(thought("a"), thought("b"), source=API)
    assert (thoughts(simulation), simulation.intake.applied) == ([], 0)
    full_disk()


async def test_several_are_taken_all_or_none(simulation):
    """In their order, each with a row of its own. Some have to come alone."""
    with pytest.raises(UnknownPersona):
        await simulation.intervene(thought("a"), thought("b", "Zoe"), source=API)
    with pytest.raises(BadIntervention, match="a request of its own"):
        await simulation.intervene(thought("a"), ResidentOut(who="Ben Reed"), source=API)
    assert (thoughts(simulation), simulation.intake.applied, rows(simulation)) == ([], 0, [])
    done = await simulation.intervene(thought("a"), thought("b"), thought("c"), source=Source(door="page", id="x"))
    assert ([line[-1] for line in done], thoughts(simulation)) == (["a", "b", "c"], ["a", "b", "c"])
    assert rows(simulation) == [(1, 0, "a"), (2, 0, "b"), (3, 0, "c")]
    found = [simulation.intake.row_of(name) for name in ("x", "x+2", "x+3")]
    assert [(row["words"], row["door"]) for row in found] == [("a", "page"), ("b", "page"), ("c", "page")]
    await simulation.intervene(thought("d"), source=API)
    assert rows(simulation)[3:] == [(4, 0, "d")]


async def test_a_request_that_comes_twice_is_taken_once(simulation):
    """Also one that was planned by the same id. Requests without an id are all taken."""
    simulation.plan([ahead(5, "p", "planned")])
    for name in ("x", "x", "planned"):
        await simulation.intervene(thought("a"), source=Source(door="page", id=name))
    assert thoughts(simulation) == ["a"]
    simulation.plan([ahead(5, "p", "planned"), Planned(5, thought("q"), {"door": "file", "by": ""})])
    for _ in range(2):
        await simulation.intervene(thought("b"), source=API)
    identifiers = {row["id"] for row in read_rows(simulation.folder.root / "reverie" / LOG)}
    assert len(identifiers - {""}) == 3
    assert (thoughts(simulation), await simulation.intervene(source=API)) == (["a", "b", "b"], [])
    intake = simulation.intake
    assert [intake.knows(name) for name in ("x", "planned", "other")] == [True, True, False]
    assert [intake.plans(name) for name in ("x", "planned", "other")] == [False, True, False]
    assert (intake.row_of("x")["words"], intake.row_of("planned"), intake.row_of("other")) == ("a", None, None)


async def test_a_request_that_is_planned_changes_nothing_when_it_comes(simulation):
    """Although it is due: it takes effect before the step."""
    simulation.plan([ahead(0, "p", "planned")])
    assert await simulation.intervene(thought("a"), source=Source(door="page", id="planned")) == []
    assert (thoughts(simulation), rows(simulation)) == ([], [])


async def test_planned_ones_take_effect_before_their_step(simulation, run_for):
    """In the order of steps, however they are given, and those of a step in the order given; one that arrives comes
    after those that are due.
    """
    simulation.plan([ahead(2, "c"), ahead(1, "a"), ahead(2, "d"), ahead(1, "b"), ahead(9, "e")])
    assert await simulation.apply_due() == []
    await run_for(simulation, 1)
    assert thoughts(simulation) == []
    await run_for(simulation, 1)
    assert thoughts(simulation) == ["a", "b"]
    await simulation.intervene(thought("x"), source=API)
    assert thoughts(simulation) == ["a", "b", "c", "d", "x"]
    assert rows(simulation) == [(1, 1, "a"), (2, 1, "b"), (3, 2, "c"), (4, 2, "d"), (5, 2, "x")]
    assert [each.step for each in simulation.intake.not_applied] == [9]
    assert (simulation.intake.applied, simulation.intake.applied_here) == (5, 3)


async def test_a_plan_is_checked(simulation, run_for):
    """A step that is over cannot be changed, and two that differ need names of their own. The same twice is one."""
    await run_for(simulation, 3)
    with pytest.raises(BadIntervention, match=r"memory_add\) is planned for step 2, but new is at step 3"):
        simulation.plan([ahead(4, "a"), ahead(2, "b")])
    for other in (ahead(5, "a", "x"), ahead(4, "b", "x")):
        with pytest.raises(BadIntervention, match=r"steps 4 and 5|steps 4 and 4"):
            simulation.plan([ahead(4, "a", "x"), other])
    simulation.plan([ahead(3, "a", "x"), ahead(3, "a", "x"), ahead(4, "b")])
    await simulation.apply_due()
    assert thoughts(simulation) == ["a"]
    simulation.plan([ahead(3, "a", "x"), ahead(4, "b")])
    assert [each.id for each in simulation.intake.ahead] == ["id of b"]


async def test_after_a_kill_what_was_recorded_is_done_again(opened, run_for):
    """Once, at its step, in the same rows. What arrives before has to wait; what is planned stays planned."""
    killed = opened("killed")
    killed.plan([ahead(1, "a"), ahead(4, "b"), ahead(6, "c")])
    await run_for(killed, 2)
    killed.save()
    await run_for(killed, 2)
    await killed.intervene(thought("x"), source=Source(door="page", id="x"))
    await killed.close()
    again = opened("killed", "killed")
    recorded = rows(again)
    assert (again.intake.applied, recorded) == (1, [(1, 1, "a"), (2, 4, "b"), (3, 4, "x")])
    assert [each.id for each in again.intake.not_applied] == ["id of b", "id of c"]
    again.plan([ahead(6, "c"), ahead(3, "d"), ahead(4, "b")])
    assert [each.id for each in again.intake.not_applied] == ["id of d", "id of b", "id of c"]
    again.plan([ahead(4, "b"), ahead(6, "c")])
    assert again.intake.catching_up
    with pytest.raises(BadIntervention, match="up to step 4"):
        await again.intervene(thought("y"), source=API)
    await run_for(again, 2)
    assert not again.intake.catching_up
    assert thoughts(again) == ["a"]
    again.save()
    await again.intake.apply_again()
    assert (thoughts(again), again.intake.applied, rows(again)) == (["a", "b", "x"], 3, recorded)
    assert [each.id for each in again.intake.not_applied] == ["id of c"]
    await again.intervene(thought("y"), source=API)
    assert rows(again) == [*recorded, (4, 4, "y")]


async def test_what_arrives_after_a_kill_waits_for_all_that_was_recorded(opened, run_for):
    """It is taken as soon as the last one is due, and after it."""
    killed = opened("killed")
    await run_for(killed, 2)
    killed.save()
    for words in ("x", "z"):
        await killed.intervene(thought(words), source=API)
        await run_for(killed, 1)
    await killed.close()
    again = opened("killed", "killed")
    assert again.intake.catching_up
    with pytest.raises(BadIntervention, match="up to step 3"):
        await again.intervene(thought("y"), source=API)
    await run_for(again, 1)
    assert not again.intake.catching_up
    await again.intervene(thought("y"), source=API)
    assert thoughts(again) == ["x", "z", "y"]


async def test_steps_that_are_computed_again_leave_alone_what_is_only_planned(simulation):
    """Although it is due."""
    simulation.plan([ahead(0, "a")])
    await simulation.intake.apply_again()
    assert (thoughts(simulation), [each.id for each in simulation.intake.ahead]) == ([], ["id of a"])
    assert await simulation.apply_due()
    assert thoughts(simulation) == ["a"]
