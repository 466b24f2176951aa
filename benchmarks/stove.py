"""Let the stove of the cafe burn at noon, with twenty-five people under the rules, and see what they do about it.

`python benchmarks/stove.py` takes a minute, and half a minute more for each further seed (`--seeds 5`). It prints one
line for each seed, and ends with exit code 1 if no one set about putting it out within three steps, put it out,
remembers it, or talked about it by six o'clock.
"""

import argparse
import asyncio
import shutil
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from ville.assembly.run import open_simulation
from ville.settings import Settings, load_settings
from ville.simulation.interventions.intervention import Source
from ville.simulation.interventions.kinds.object import ObjectState
from ville.simulation.running.run_loop import StopRequest, run
from ville.simulation.simulation import Simulation
from ville.simulation.stepping.step import StepReport
from ville.simulation.talks.whispers import load_history

BASE, HISTORY = "base_the_ville_n25", "the_ville/agent_history_init_n25.csv"
NOON, SIX = 12 * 360, 18 * 360
STOVE = "Hobbs Cafe > cooking area"
SOON = 3
"""Steps within which those who see it have to react."""


@dataclass
class Reactions:
    """Reactions of people to it."""

    first: int = 0
    """Step after noon in which the first persona set about putting it out."""
    ended: int = 0
    """Step after noon in which it was put out; 0 if no one did."""
    witnesses: list[str] = field(default_factory=list)
    talks: int = 0
    mentions: int = 0

    @property
    def good(self) -> bool:
        return bool(0 < self.first <= SOON and self.ended and self.witnesses and self.mentions)

    def __str__(self) -> str:
        return (
            f"first reaction in step {self.first}, put out in step {self.ended}, remembered by {len(self.witnesses)}, "
            f"mentioned in {self.mentions} of {self.talks} talks"
        )


async def noon(settings: Settings) -> None:
    """Run a morning, and save it as `noon`."""
    simulation = open_simulation(settings, BASE, "noon")
    await load_history(simulation, settings.assets / HISTORY)
    await run(simulation, NOON, autosave=0, watch=lambda _: None, stop=StopRequest())
    simulation.save()
    await simulation.close()


async def afternoon(settings: Settings) -> Reactions:
    """Fork noon, let the stove burn, and run until six."""
    simulation = open_simulation(settings, "noon", f"afternoon_{settings.seed}")
    found = Reactions()
    await simulation.intervene(ObjectState(where=STOVE, state="burning"), source=Source(door="api"))
    (state,) = simulation.town.occurrences.objects

    def watch(report: StepReport) -> None:
        _look(simulation, report, found)

    await run(simulation, SIX - NOON, autosave=0, watch=watch, stop=StopRequest())
    people = simulation.town.personas.values()
    found.witnesses = [each.name for each in people if any(node.triple == state.event[:3] for node in each.mind.stream)]
    simulation.revert()
    await simulation.close()
    return found


def _look(simulation: Simulation, report: StepReport, found: Reactions) -> None:
    after = report.step - NOON + 1
    town = simulation.town
    if not found.first and any(each.scratch.action and each.scratch.action.mends for each in town.personas.values()):
        found.first = after
    if not found.ended and not town.occurrences:
        found.ended = after
    for talk in report.talks.values():
        found.talks += 1
        found.mentions += any("burning" in said for _, said in talk.transcript)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=1, metavar="N", help="how many seeds to try")
    choice = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as storage:
        shutil.copytree(load_settings().fs_storage / BASE, Path(storage) / BASE)
        environment = {"VILLE_PROVIDER": "offline", "VILLE_EMBEDDER": "hashing"}
        settings = replace(load_settings(environment=environment), fs_storage=Path(storage), seed=1, fsync=False)
        asyncio.run(noon(settings))
        found = []
        for seed in range(1, choice.seeds + 1):
            found.append(asyncio.run(afternoon(replace(settings, seed=seed))))
            print(f"{'ok  ' if found[-1].good else 'WRONG'} seed {seed}: {found[-1]}")
    return 0 if all(each.good for each in found) else 1


if __name__ == "__main__":
    sys.exit(main())
