"""Real conversations of users with personas have the consequences of any conversation."""

from dataclasses import replace

import pytest
from simulation_content import content_of

from ville.assembly.run import open_simulation
from ville.errors import BadArgument, BadIntervention, ModelError, UnknownPersona
from ville.simulation.interventions.catalogue import parse_intervention
from ville.simulation.interventions.intervention import Source
from ville.simulation.running.run_loop import StopRequest, run
from ville.simulation.talks.open_user_talk import UserTalk

ADA, BEN, ROLE = "Ada Stone", "Ben Reed", "a news reporter"
TEN_MINUTES = 600
NINE = 9 * 6
"""Steps until nine in the morning."""
API = Source(door="api")
LINES = ("What is new?", "Who told you?")


async def going(simulation, steps):
    await run(simulation, steps, autosave=0, watch=lambda _: None, stop=StopRequest())


@pytest.fixture
def town(write_small_town, tmp_path):
    """The small town in steps of ten minutes."""
    return write_small_town(tmp_path, TEN_MINUTES)


@pytest.fixture
def settings(town, server):
    return replace(
        town.settings, provider="llamacpp", base_url=server.url, fast_model="m", embedder="llamacpp",
        embedding_model="v",
    )  # fmt: skip


async def awake(simulation, *names):
    """Run until all of these can talk."""
    await going(simulation, NINE)
    while not all(simulation.persona(name).available_to_talk for name in names):
        await going(simulation, 1)


def saved(root):
    """Everything but ledgers, and when and through which door rows came."""
    others = (".sqlite3", "interventions.jsonl", "interventions_ahead.json")
    return {file: text for file, text in content_of(root).items() if not any(other in file for other in others)}


@pytest.mark.parametrize("role", [ROLE, BEN])
async def test_a_talk_is_remembered_by_all_who_took_part(settings, role):
    """As chat with its words, as the current action with a cool-down, as thoughts when it is over, and in the plan."""
    simulation = open_simulation(settings, "base", "new")
    names = [ADA, BEN] if role == BEN else [ADA]
    await awake(simulation, ADA, BEN)
    before = repr([persona.state() for persona in simulation.town.personas.values()])
    talk = UserTalk(simulation, ADA, role)
    answers = [await talk.say(line) for line in LINES if not talk.over]
    assert repr([persona.state() for persona in simulation.town.personas.values()]) == before
    transcript = talk.transcript
    assert f"{ADA} and {role} are conversing about" in await talk.end(API)
    assert [said for speaker, said in transcript if speaker == ADA] == answers
    for name, other in [(ADA, role), (BEN, ADA)][: len(names)]:
        scratch = simulation.persona(name).scratch
        assert (scratch.conversation.partner, scratch.conversation.transcript) == (other, transcript)
        assert scratch.cool_downs[other] > 0
        assert scratch.impression_of(other).text
        assert any("conversing about" in slot.activity.text for slot in scratch.schedule.slots())
    await going(simulation, 3)
    for name, other in [(ADA, role), (BEN, ADA)][: len(names)]:
        stream = simulation.persona(name).mind.stream
        chat = stream.last_chat_with(other)
        assert (chat.transcript, chat.poignancy > 0) == (transcript, True)
        assert [node.transcript for node in stream.newest("chat", 9)].count(transcript) == 1
        assert any(chat.node_id in (node.filling or ()) for node in stream.newest("thought"))
    await simulation.close()


async def test_a_row_makes_the_same_talk_again_without_a_call(settings, server, town):
    """Planned from the log of the first run, and in a replay; the files are the same."""
    simulation = open_simulation(settings, "base", "new")
    await awake(simulation, ADA)
    talk = UserTalk(simulation, ADA, ROLE)
    await talk.say(LINES[0])
    await talk.end(API)
    await going(simulation, 4)
    simulation.save()
    await simulation.close()
    made = len(server.requests)
    root, steps = simulation.folder.root, simulation.clock.step
    again = open_simulation(town.settings, "base", "again", recording="new")
    await going(again, steps)
    again.save()
    await again.close()
    assert len(server.requests) == made
    assert saved(again.folder.root) == saved(root)


async def test_lines_without_answers_are_answered(settings):
    """As if the persona had been asked one by one; the log then has them all."""
    simulation = open_simulation(settings, "base", "new")
    await awake(simulation, ADA)
    talk = {"kind": "talk", "who": "ada", "as": ROLE, "lines": [[ROLE, line] for line in LINES]}
    await simulation.intervene(parse_intervention(talk), source=API)
    lines = simulation.intake._log.rows[-1]["lines"]
    assert [speaker for speaker, _ in lines][:2] == [ROLE, ADA]
    assert lines == [list(turn) for turn in simulation.persona(ADA).scratch.conversation.transcript]
    await simulation.close()


async def test_who_cannot_talk_is_left_alone(settings):
    """No one talks asleep, in another conversation, with oneself, or through lines of a third; nothing is recorded."""
    simulation = open_simulation(settings, "base", "new")
    with pytest.raises(BadIntervention, match="has not begun the day"):
        UserTalk(simulation, ADA)
    await going(simulation, 2)
    with pytest.raises(BadIntervention, match="is asleep, and cannot talk now"):
        UserTalk(simulation, ADA)
    await awake(simulation, ADA)
    with pytest.raises(BadArgument, match="cannot be asked by"):
        UserTalk(simulation, ADA, ADA)
    line = {"kind": "talk", "who": ADA, "as": ROLE, "lines": [[ROLE, "Hi"]]}
    for wrong in ({"lines": [["Cleo", "Hi"]]}, {"as": "<b>"}, {"who": "Zoe"}):
        with pytest.raises((BadIntervention, UnknownPersona)):
            await simulation.intervene(parse_intervention(line | wrong), source=API)
    talk = UserTalk(simulation, ADA)
    await talk.say("Hi")
    await simulation.intervene(parse_intervention(line), source=API)
    with pytest.raises(BadIntervention, match="is talking with"):
        await talk.end(API)
    assert len(simulation.intake._log.rows) == 1
    await simulation.close()


async def test_a_failed_call_leaves_nothing(settings, server):
    """Neither in memory nor in the log."""
    simulation = open_simulation(replace(settings, retry_for=0), "base", "new")
    await awake(simulation, ADA)
    talk = UserTalk(simulation, ADA, ROLE)
    await talk.say("Hi")
    before = repr(simulation.persona(ADA).state())
    server.chat = lambda _: type(server.embed)  # no reply at all
    with pytest.raises(ModelError):
        await talk.end(API)
    assert (repr(simulation.persona(ADA).state()), simulation.intake._log.rows) == (before, [])
    assert talk.transcript
    await simulation.close()
