"""Ask everyone at several hours of a day what time it is, where they are, what they do and what their plans are.

`python benchmarks/situated.py base_the_ville_n25` runs a day by the rules, asks twenty minutes after each of the hours,
and prints how many answers are true, question by question, and each that is not. `--saved my_town` asks the people of a
simulation as it was saved instead, and the model of the settings answers. Ends with exit code 1 if fewer than 98 % are
true.
"""

import argparse
import asyncio
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ville.assembly.run import open_simulation
from ville.persona.cognitive_modules.situated import HOME, situated_self
from ville.persona.prompt_template.answers.clock_times import in_24_hours
from ville.persona.prompt_template.ask import Tally
from ville.persona.prompt_template.blanks import SituatedSelf
from ville.settings import Settings, load_settings
from ville.simulation.running.run_loop import StopRequest, run
from ville.simulation.simulation import Simulation
from ville.simulation.stepping.step import moment_of
from ville.simulation.talks.interviews import Interviews

HOURS = (8, 11, 14, 18, 21)
STEPS_PER_HOUR, LATER = 360, 120
NEEDED = 0.98
STEM, LONG = 5, 4
"""Letters by which words are compared, and letters of words that say something."""


@dataclass(frozen=True)
class Truth:
    """Facts at the moment of a question."""

    now: SituatedSelf
    planned: str
    """The rest of the plan."""
    home: str
    """Sector of the home."""


def told_time(said: str, truth: Truth) -> bool:
    """Return whether an answer has the hour and the minute, on either clock."""
    now = truth.now.now
    named = {(int(hour) % 12, int(minute)) for hour, minute in re.findall(r"\b(\d{1,2}):(\d{2})", in_24_hours(said))}
    return (now.hour % 12, now.minute) in named or (
        not now.minute and bool(re.search(rf"\b{now.hour % 12 or 12}\b", said))
    )


def told_place(said: str, truth: Truth) -> bool:
    """Return whether an answer names the sector, or says that one is at home, outdoors or on the way."""
    sector = truth.now.here.removeprefix("at ").partition(" (")[0]
    names = [
        sector,
        *([truth.home, HOME] if sector == HOME else []),
        *(["street", "way"] if "street" in sector else []),
    ]
    names += [truth.now.heading.partition(" (")[0]] if truth.now.heading else []
    return any(name.casefold() in said.casefold() for name in names)


def told_action(said: str, truth: Truth) -> bool:
    """Return whether an answer shares a word with what is done."""
    return bool(_stems(said) & _stems(truth.now.doing)) or not _stems(truth.now.doing)


def told_plans(said: str, truth: Truth) -> bool:
    """Return whether an answer shares words with what is planned, if there is anything left of the plan."""
    return bool(_stems(said) & _stems(truth.planned)) or not _stems(truth.planned)


QUESTIONS: Mapping[str, Callable[[str, Truth], bool]] = {
    "What time is it?": told_time,
    "Where are you?": told_place,
    "What are you doing?": told_action,
    "What are your plans?": told_plans,
}


def _stems(text: str) -> set[str]:
    return {word[:STEM] for word in re.findall(r"[a-z]+", text.casefold()) if len(word) >= LONG}


@dataclass(frozen=True)
class Answered:
    """An answer and whether it is true."""

    name: str
    question: str
    said: str
    now: SituatedSelf
    is_true: bool


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("base", help="simulation in the storage")
    parser.add_argument("--hours", type=int, nargs="+", default=HOURS, help="hours at which people are asked")
    parser.add_argument("--saved", action="store_true", help="ask as it was saved, with the model of the settings")
    choice = parser.parse_args()
    environment = None if choice.saved else {"VILLE_PROVIDER": "offline", "VILLE_EMBEDDER": "hashing"}
    with tempfile.TemporaryDirectory() as storage:
        shutil.copytree(load_settings().fs_storage / choice.base, Path(storage) / choice.base)
        settings = replace(load_settings(environment=environment), fs_storage=Path(storage), seed=1, fsync=False)
        found = asyncio.run(_asked(settings, choice.base, () if choice.saved else choice.hours))
    for line in table(found):
        print(line)
    return int(sum(each.is_true for each in found) < NEEDED * len(found))


async def _asked(settings: Settings, base: str, hours: Sequence[int]) -> list[Answered]:
    """Return the answers at these hours; without hours, those in the first moment."""
    simulation, answered = open_simulation(settings, base, "situated"), list[Answered]()
    for hour in sorted(hours):
        steps = hour * STEPS_PER_HOUR + LATER - simulation.clock.step
        await run(simulation, steps, autosave=0, watch=lambda _: None, stop=StopRequest())
        answered += await _answers(simulation)
    answered += [] if hours else await _answers(simulation)
    simulation.revert()
    await simulation.close()
    return answered


async def _answers(simulation: Simulation) -> list[Answered]:
    interviews, answered = Interviews(simulation.town, simulation.services, lambda: simulation.models), list[Answered]()
    for name in simulation.town.personas:
        truth = _truth(simulation, name)
        for question, is_true in QUESTIONS.items():
            said = (await interviews.ask(name, question)).text
            answered.append(Answered(name, question, said, truth.now, is_true(said, truth)))
    return answered


def _truth(simulation: Simulation, name: str) -> Truth:
    persona, view = simulation.town.personas[name], simulation.town.view()
    breaker = simulation.services.breaker
    moment = moment_of(persona, view, Tally(), models=simulation.models, attempts=breaker.attempts)
    now = situated_self(persona.mind, moment)
    if now is None:
        raise ValueError("The questions of the paper have no situated self: set questions to situated.")
    minute = view.now.hour * 60 + view.now.minute
    left = (slot.activity.what for slot in persona.scratch.hourly_schedule.slots() if slot.end > minute)
    return Truth(now, " ".join(left), persona.scratch.identity.living_area.split(":")[1])


def table(found: list[Answered]) -> Iterator[str]:
    """Yield the answers that are not true, and the share of true ones."""
    for each in found:
        if not each.is_true:
            yield f"{each.now.now:%H:%M} {each.name}, {each.now.here}, {each.now.doing}. {each.question} {each.said}"
    for question in QUESTIONS:
        asked = [each for each in found if each.question == question]
        yield f"{question} {sum(each.is_true for each in asked)} of {len(asked)}"
    yield f"In all: {sum(each.is_true for each in found)} of {len(found)}"


if __name__ == "__main__":
    sys.exit(main())
