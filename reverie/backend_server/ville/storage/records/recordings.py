"""Recorded steps of personas in another simulation."""

from pathlib import Path

from ville.errors import CorruptFile
from ville.storage.steps.frames import FrameRecord, valid_frame
from ville.storage.steps.step_store import StepStore


def recorded_step(storage: Path, simulation: str, step: int) -> dict[str, FrameRecord]:
    """Return what everyone did in a step, by name. Raises CorruptFile."""
    steps = StepStore(storage / simulation)
    path = steps.movement_file(step)
    if not steps.shows(step):
        template = "%(file)s is missing, which a pinned persona repeats. Restore it, or end the rule."
        raise CorruptFile(template, file=path)
    frame, found = valid_frame(steps.read_movement(step).get("persona"))
    if found:
        raise CorruptFile("%(what)s", what=found[0].of(str(path)))
    return frame
