"""Personas that repeat a recording: they move and show what they did there, and neither perceive nor think."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

from ville.errors import CorruptFile
from ville.persona.cognitive_modules.view import Intent
from ville.persona.memory_structures.action import Action
from ville.persona.memory_structures.scratch import Conversation, Scratch
from ville.persona.persona import Persona
from ville.simulation.town import Town
from ville.storage.records.recordings import recorded_step
from ville.storage.steps.frames import FrameRecord
from ville.world.address import Tile

BETWEEN = " @ "
"""Separates activity and place in a recorded description."""


def recorded_intents(town: Town, storage: Path | None) -> dict[str, Intent]:
    """Return what pinned personas do in this step, and show it to the others. Raises CorruptFile."""
    if not town.rules.pins:
        return {}
    step, intents = town.clock.step, dict[str, Intent]()
    frames: dict[str, Mapping[str, FrameRecord]] = {}
    for name, persona in town.personas.items():
        pin = town.rules.pin_of(name, step)
        if pin is None or storage is None:
            continue
        frame = frames.get(pin.recording) or recorded_step(storage, pin.recording, step)
        frames[pin.recording] = frame
        if name not in frame:
            raise CorruptFile(f"Step {step:,} of {pin.recording} has no {name}. End the rule 'pin', or restore it.")
        intents[name] = _repeated(persona, frame[name], town.clock.now)
    return intents


def _repeated(persona: Persona, record: FrameRecord, now: datetime) -> Intent:
    """Show what a record says, and return it as an intent."""
    scratch, emoji, description = persona.scratch, record["pronunciatio"], record["description"]
    what, _, where = description.rpartition(BETWEEN)
    shown = scratch.action and (scratch.action.description, scratch.action.address, scratch.action.minutes)
    if shown != (what, where, 0):
        event = (persona.name, "is", what)
        scratch.begin(Action(address=where, start=now, minutes=0, description=what, emoji=emoji, event=event))
    scratch.conversation = _conversation(scratch, record["chat"])
    scratch.path_set, scratch.planned_path = True, []
    asleep = bool(scratch.action and scratch.action.asleep)
    return Intent(persona.name, Tile(*record["movement"]), emoji, description, asleep=asleep)


def _conversation(scratch: Scratch, chat: Sequence[Sequence[str]] | None) -> Conversation | None:
    """Return a recorded conversation; the other side may not take part in it here."""
    if not chat:
        return None
    transcript = tuple((str(speaker), str(said)) for speaker, said in chat)
    partner = next((speaker for speaker, _ in transcript if speaker != scratch.name), scratch.name)
    return Conversation(partner, transcript, until=None)
