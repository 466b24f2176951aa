"""Activities, talks and waits of the personas of a saved run, in order."""

import re
from dataclasses import dataclass, replace

from ville.analysis.comparison.compared_run import ComparedRun
from ville.storage.steps.frames import FrameRecord
from ville.world.address import PERSONA

SUBTASK = re.compile(r"(?P<activity>.*\S) \((?P<subtask>.*)\)")
"""A subtask as it is shown: `preparing lunch (washing the salad)`."""
PLACE = " @ "
"""Separates activity and place in a movement file."""
WAITING = "waiting to start"


@dataclass(frozen=True)
class TaskSpan:
    """One activity, talk or wait of a persona."""

    first: int
    """First step."""
    steps: int
    text: str
    """As it was shown, without the place."""
    chat: tuple[tuple[str, str], ...]
    """Speakers and words, if it was a talk."""
    partner: str
    """With whom it talked; empty if it did not."""

    @property
    def activity(self) -> str:
        """Return the activity without the subtask."""
        found = SUBTASK.fullmatch(self.text)
        return found["activity"] if found else self.text

    @property
    def subtask(self) -> str:
        """The part of the activity, if it was split; otherwise empty."""
        found = SUBTASK.fullmatch(self.text)
        return found["subtask"] if found else ""

    @property
    def waits(self) -> bool:
        """Whether it waited for another persona to finish."""
        return self.text.startswith(WAITING)


def shown(name: str, record: FrameRecord) -> TaskSpan:
    """Return what a persona does by its record in a movement file, as if for no time."""
    description, chat = str(record["description"]), tuple((who, said) for who, said in record["chat"] or ())
    text, _, place = description.rpartition(PLACE)
    others = [place.removeprefix(PERSONA)] if place.startswith(PERSONA) else [who for who, _ in chat if who != name]
    return TaskSpan(0, 0, text or description, chat, others[0] if chat and others else "")


def activity_and_place(record: FrameRecord) -> tuple[str, str]:
    """Return what a persona does, and the address at which it does that."""
    activity, _, place = record["description"].rpartition(PLACE)
    return activity, place


def task_spans(run: ComparedRun) -> dict[str, list[TaskSpan]]:
    """Return what each persona did until the last save, in order of time. Reads all movement files."""
    found: dict[str, list[TaskSpan]] = {name: [] for name in run.people}
    open_ones: dict[str, TaskSpan] = {}
    for step in range(run.first, run.steps):
        frame = run.frame(step)
        for name in found.keys() & frame.keys():
            now, before = shown(name, frame[name]), open_ones.get(name)
            if before and replace(before, first=0, steps=0) == now:
                open_ones[name] = replace(before, steps=before.steps + 1)
                continue
            if before:
                found[name].append(before)
            open_ones[name] = replace(now, first=step, steps=1)
    for name, last in open_ones.items():
        found[name].append(last)
    return found
