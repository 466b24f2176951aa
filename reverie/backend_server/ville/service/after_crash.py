"""Lets the run of a served engine that has ended unexpectedly go on, unless it has crashed at the same place before."""

from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Literal

from ville.errors import CannotWrite
from ville.service.hosting import HostedSimulation
from ville.simulation.pacing.spans import read_speed
from ville.simulation.simulation import Simulation
from ville.storage.exchange.asked_run import AskedRun, AskedRunFile
from ville.storage.steps.step_store import StepStore

RESTARTED = "The engine ended unexpectedly and was started again. "
WORDS = {
    "saved": RESTARTED + "{name} is as it was saved last; steps after that are gone.",
    "goes on": RESTARTED + "{name} goes on from step {step:,}, its last save, to step {until:,}.",
    "paused": RESTARTED + "{name} is paused at step {step:,}, its last save, on its way to step {until:,}.",
    "other models": RESTARTED + "{name} is paused at step {step:,}, its last save: since it began, the settings "
    "name another model ({models}). Press Run to go on to step {until:,}.",
    "stopped": "The engine ended unexpectedly twice at step {place:,} of {name}, so its run was stopped. "
    "It is saved at step {step:,}. The terminal says what went wrong; press Start to try again.",
}
"""Sentences by the fate of a run. Pages have the same sentences, in their language."""


Fate = Literal["saved", "goes on", "paused", "other models", "stopped"]


@dataclass(frozen=True)
class Restart:
    """Fate of a simulation and its run when another engine took over from one that had crashed."""

    fate: Fate
    name: str
    step: int
    """The last save."""
    until: int
    """The step at which the run is to end; 0 if none was in progress."""
    place: int
    """The step that was being computed."""
    models: str
    """Source of answers from now on: the settings may have changed since the run began."""

    def __str__(self) -> str:
        return WORDS[self.fate].format(**asdict(self))


def step_in_progress(simulation: Path) -> int:
    """Return the step that was being computed when the engine of a simulation ended. Ask before it is opened again."""
    return max(StepStore(simulation).shown(), default=-1) + 1


class RunKeeper:
    """Keeps on disk how far the open simulation was asked to run, and at which steps an engine crashed on the way."""

    def __init__(self, temp_storage: Path) -> None:
        self._file = AskedRunFile(temp_storage)
        self._crashes: list[int] = []

    def keep(self, simulation: Simulation) -> None:
        """Note the runs of a simulation from now on, before they are acknowledged."""
        simulation.control.noted = partial(self._note, simulation)

    def _note(self, simulation: Simulation) -> None:
        control = simulation.control
        if control.until_step is None:
            return
        asked = AskedRun(
            sim_code=simulation.name,
            until_step=control.until_step,
            until_talk=control.until_talk,
            paused=control.paused,
            speed=control.speed.as_json(),
            models=simulation.services.models_line,
            crashes=self._crashes,
        )
        with suppress(CannotWrite):  # the run itself notices a full disk
            self._file.write(asked)

    def forget(self) -> None:
        """Note that the run has ended."""
        self._crashes = []
        with suppress(CannotWrite):
            self._file.remove()

    def go_on(self, hosted: HostedSimulation, place: int) -> Restart:
        """Begin the run again that was in progress at a step when an engine crashed; return what became of it."""
        simulation, asked = hosted.simulation, self._file.read()
        name, step, models = simulation.name, simulation.clock.step, simulation.services.models_line
        if asked is None or asked.sim_code != name or asked.until_step <= step:
            self.forget()
            return Restart("saved", name, step, 0, place, models)
        if place in asked.crashes:
            self.forget()
            return Restart("stopped", name, step, asked.until_step, place, models)
        self._crashes = [*asked.crashes, place]
        simulation.control.speed = read_speed(str(asked.speed))
        hosted.begin(asked.until_step, until_talk=asked.until_talk)
        others = asked.models not in {"", models}
        if asked.paused or others:
            simulation.control.hold()
        fate: Fate = "other models" if others else "paused" if asked.paused else "goes on"
        return Restart(fate, name, step, asked.until_step, place, models)
