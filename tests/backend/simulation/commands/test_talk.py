"""The experimenter's own words."""

import pytest

from errors import CorruptFile, UnknownPersona
from simulation.commands.talk import interview, is_out_of_place, load_history, whisper


@pytest.fixture
def simulation(opened):
    return opened("new")


def thoughts(simulation, name):
    return [node.description for node in simulation.persona(name).mind.stream.newest("thought")]


async def test_a_whisper_becomes_a_thought_before_the_first_step(simulation):
    """Time does not pass, and nobody else hears it."""
    before = simulation.clock
    assert await whisper(simulation, "Ada Stone", ["You sing", " "]) == "Ada Stone heard: You sing"
    assert thoughts(simulation, "Ada Stone") == ["Ada Stone heard: You sing"]
    assert thoughts(simulation, "Ben Reed") == []
    assert simulation.clock == before


async def test_a_history_is_whispered_to_everybody_in_its_order(simulation, tmp_path):
    """Several rows of one person count together; strangers are left out, and it is said."""
    path = tmp_path / "history.csv"
    path.write_text('Name,Whisper\nAda Stone,"One; Two"\nZoe,"Three"\nBen Reed,"Four"\nAda Stone,Five, Six\n', "utf-8")
    told = (await load_history(simulation, path)).splitlines()
    heard = ["Ada Stone heard: Five, Six", "Ada Stone heard: Two", "Ada Stone heard: One"]
    assert thoughts(simulation, "Ada Stone") == heard
    assert "history.csv:5" in told[0]
    assert "'Zoe'" in told[1]
    assert told[2] == "4 whispers to 2 people."


@pytest.mark.parametrize(("text", "fault"), [(None, CorruptFile), ("Name,Whisper\nZoe,Hello\n", UnknownPersona)])
async def test_a_history_of_nobody_here_is_a_fault(simulation, tmp_path, text, fault):
    """Nothing has changed."""
    path = tmp_path / "history.csv"
    if text:
        path.write_text(text, "utf-8")
    with pytest.raises(fault, match="history.csv"):
        await load_history(simulation, path)
    assert thoughts(simulation, "Ada Stone") == []


async def test_an_interview_leaves_no_memory(simulation):
    """It is answered; afterwards the stream is as it was."""
    await whisper(simulation, "Ada Stone", ["You sing"])
    before = list(simulation.persona("Ada Stone").mind.stream)
    assert await interview(simulation, "Ada Stone", (("Interviewer", "Who are you?"),)) == "I am Ada Stone."
    assert list(simulation.persona("Ada Stone").mind.stream) == before


async def test_what_only_a_human_should_be_told_is_noticed(simulation):
    """By its score."""
    assert await is_out_of_place(simulation, "Ada Stone", "I love you")
    assert not await is_out_of_place(simulation, "Ada Stone", "What do you do?")
