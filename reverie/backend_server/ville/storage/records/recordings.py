"""Recorded steps of personas in another simulation."""

from pathlib import Path

from ville.errors import CorruptFile
from ville.storage.files import read_object
from ville.storage.steps.frames import FrameRecord, valid_frame
from ville.storage.steps.step_files import movement_file


def recorded_step(storage: Path, simulation: str, step: int) -> dict[str, FrameRecord]:
    """Return what everyone did in a step, by name. Raises CorruptFile."""
    path = movement_file(storage / simulation, step)
    if not path.exists():
        template = "%(file)s is missing, which a pinned persona repeats. Restore it, or end the rule."
        raise CorruptFile(template, file=path)
    frame, found = valid_frame(read_object(path).get("persona"))
    if found:
        raise CorruptFile("%(what)s", what=found[0].of(str(path)))
    return frame
