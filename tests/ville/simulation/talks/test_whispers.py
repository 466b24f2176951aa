"""Whispers and histories."""

import asyncio
from dataclasses import replace

import numpy as np
import pytest

from ville.errors import BadArgument, BadEmbedding, CorruptFile, Refused, UnknownPersona
from ville.persona.prompt_template.caps import WHISPER
from ville.simulation.talks.whispers import load_history, whisper


@pytest.fixture
def simulation(opened):
    return opened("new")


def thoughts(simulation, name):
    return [node.description for node in simulation.persona(name).mind.stream.newest("thought")]


async def test_a_whisper_becomes_a_thought_before_the_first_step(simulation):
    """Game time does not pass, and no other persona remembers it."""
    before = simulation.clock
    assert await whisper(simulation, "Ada Stone", ["You sing", " "]) == "Ada Stone sings"
    assert thoughts(simulation, "Ada Stone") == ["Ada Stone sings"]
    assert thoughts(simulation, "Ben Reed") == []
    assert simulation.clock == before


async def test_a_history_is_whispered_in_its_order(simulation, tmp_path):
    """Rows of one persona are joined; unknown names are skipped with a warning."""
    path = tmp_path / "history.csv"
    path.write_text('Name,Whisper\nAda Stone,"One; Two"\nZoe,"Three"\nBen Reed,"Four"\nAda Stone,Five, Six\n', "utf-8")
    told = (await load_history(simulation, path)).splitlines()
    heard = ["Ada Stone heard: Five, Six", "Ada Stone heard: Two", "Ada Stone heard: One"]
    assert thoughts(simulation, "Ada Stone") == heard
    assert "history.csv:5" in told[0]
    assert "'Zoe'" in told[1]
    assert told[2] == "4 whispers to 2 personas."


@pytest.mark.parametrize(("text", "fault"), [(None, CorruptFile), ("Name,Whisper\nZoe,Hello\n", UnknownPersona)])
async def test_a_history_without_known_names_is_refused(simulation, tmp_path, text, fault):
    """Nothing changes."""
    path = tmp_path / "history.csv"
    if text:
        path.write_text(text, "utf-8")
    with pytest.raises(fault, match="history.csv"):
        await load_history(simulation, path)
    assert thoughts(simulation, "Ada Stone") == []


class Fickle:
    """Chat client that fails for one persona."""

    def __init__(self, line, fault):
        self._line, self._fault = line, fault
        self.name = getattr(line, "name", "")
        self.served = 0

    async def complete(self, request):
        return await self._serve(self._line.complete(request), fails=request.persona == "Ben Reed")

    async def embed(self, texts, _step=None):
        return await self._serve(self._line.embed(texts), fails="Ben" in texts[0])

    async def _serve(self, answer, *, fails):
        if fails:
            answer.close()
            await asyncio.sleep(0.05)  # the others come to their end
            if self._fault:
                raise self._fault
            return np.ones((1, 3))
        found = await answer
        self.served += 1
        return found


@pytest.mark.parametrize(
    ("what", "fault"), [("chat", Refused("No.")), ("embedder", Refused("No.")), ("embedder", None)]
)
async def test_a_history_is_whispered_to_all_or_to_none(simulation, tmp_path, what, fault):
    """If one persona cannot be asked, or has vectors of another embedder, no persona remembers anything."""
    await whisper(simulation, "Ben Reed", ["You dance"])
    path = tmp_path / "history.csv"
    path.write_text("Name,Whisper\nAda Stone,One\nBen Reed,Two\n", "utf-8")
    fickle = Fickle(getattr(simulation.models, what), fault)
    simulation.models = replace(simulation.models, **{what: fickle})
    with pytest.raises(type(fault) if fault else BadEmbedding):
        await load_history(simulation, path)
    assert fickle.served
    assert thoughts(simulation, "Ada Stone") == []
    assert thoughts(simulation, "Ben Reed") == ["Ben Reed dances"]


async def test_a_text_that_is_too_long_is_refused(simulation, tmp_path):
    """The message quotes its beginning and its length; no model is called. The longest allowed text is accepted."""
    longest = "You sing " * 99
    assert await whisper(simulation, "Ada Stone", [longest[:WHISPER]])
    path = tmp_path / "history.csv"
    path.write_text(f"Name,Whisper\nBen Reed,One; {longest}\n", "utf-8")
    with pytest.raises(BadArgument, match=r"words has 890 characters \('You sing You .*'\); at most 500"):
        await whisper(simulation, "Ada Stone", ["One", longest])
    with pytest.raises(BadArgument, match=r"history.csv: 'You sing .* 890 characters"):
        await load_history(simulation, path)
    assert (len(thoughts(simulation, "Ada Stone")), thoughts(simulation, "Ben Reed")) == (1, [])
