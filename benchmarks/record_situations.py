"""Record the situations for benchmarks/models.py: questions of twenty-five people over a day and a morning.

`python benchmarks/record_situations.py` runs them with the offline rules, interviews some of them at the end, and
replaces benchmarks/situations. The same code gives the same files.
"""

import argparse
import asyncio
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from hashlib import blake2b
from heapq import nsmallest
from pathlib import Path
from typing import Any

from situated import QUESTIONS
from situation_files import FOLDER, Situation, question_types, write
from truths import COMMENTS, INTERVIEWS

from ville.assembly.run import open_simulation
from ville.llm.gateway import Chat, ChatReply, ChatRequest
from ville.persona.cognitive_modules.planning.subtasks import at_minute, day_lines, needs_subtasks
from ville.persona.prompt_template.ask import Caller, ask
from ville.persona.prompt_template.day_questions import StepByStep, StepByStepBriefly, WhereUsually
from ville.persona.prompt_template.question import Wording
from ville.reply_form import reply_form
from ville.settings import Settings, load_settings
from ville.simulation.interventions.intervention import Source
from ville.simulation.interventions.kinds.event import Happening
from ville.simulation.interventions.kinds.object import ObjectState
from ville.simulation.interventions.kinds.whisper import Whisper
from ville.simulation.running.run_loop import StopRequest, run
from ville.simulation.simulation import Simulation
from ville.simulation.talks.whispers import load_history

BASE, HISTORY = "base_the_ville_n25", "the_ville/agent_history_init_n25.csv"
DAY = 8640
STEPS = DAY + 8 * 360
"""A day, and the next one until eight o'clock."""
CHEAPER: tuple[dict[str, Any], ...] = (
    {"social_memory": True, "reflections": "direct"},
    {"social_memory": True, "conversations": "whole"},
    {"prompts": "brief"},
    {"questions": "paper"},
    {"questions": "paper", "prompts": "brief"},
)
"""Settings with which other questions are asked."""
NUMBERS = {
    "plan/where_and_how": 40, "day/where_usually": 30, "day/step_by_step": 25, "perceive/how_important": 30,
    "plan/subtasks": 25, "talk/interview": 40, "react/how_to_react": 25, "converse/next_utterance": 20,
    "converse/relationship": 20, "plan/reschedule": 15, "talk/whispered": 10, "talk/anthropomorphising": 6,
}  # fmt: skip
TYPED: tuple[tuple[str, Any], ...] = (
    ("Have you heard of a Valentine's Day party?", {"choice": ["yes", "no"]}),
    ("Is there a party on Valentine's Day?", {"choice": ["yes", "no", "I don't know"]}),
    ("How well do you know Isabella Rodriguez?", {"scale": [1, 7], "labels": ["not at all", "very well"]}),
    ("How many people have you talked to today?", "number"),
    ("How old are you?", {"number": {"least": 0, "unit": "years"}}),
)
"""Questions whose answers are wanted in a form, and the form."""
RESPONSES, CHANGES = "react/how_to_respond", "talk/changed_today"
NOON = 12 * 60
"""Minutes after midnight."""
TROUBLES = (
    ObjectState(where="Hobbs Cafe > cooking area", state="burning"),
    Happening(where="Oak Hill College", words="the fire alarm rings", steps=60),
    ObjectState(where="Johnson Park > park garden", state="under water"),
    ObjectState(where="grocery store shelf", state="broken"),
    Happening(where="the Ville", words="a brass band plays in the street", steps=60),
)
"""Events at the end, one after the other."""
USUALLY = 12
"""Situations of each question; the numbers above are exceptions."""


Recorded = dict[tuple[Wording, str], dict[str, Situation]]
"""By set of questions and question, and by the text of its fields."""


class Recorder:
    """Chat that keeps what was asked and answered."""

    def __init__(self, chat: Chat, wording: Wording = "situated") -> None:
        self._chat, self._wording = chat, wording
        self.recorded: Recorded = {}

    async def complete(self, request: ChatRequest) -> ChatReply:
        reply = await self._chat.complete(request)
        question = question_types()[request.question](**request.fields)
        situation = Situation(request.persona, request.step, question, reply.text, self._wording)
        self.recorded.setdefault((self._wording, request.question), {}).setdefault(repr(question), situation)
        return reply


def chosen(recorded: Recorded) -> Iterator[Situation]:
    """Yield some situations of each question, as if at random, in order of time."""
    for (_, title), situations in recorded.items():
        few = nsmallest(NUMBERS.get(title.removesuffix("_briefly"), USUALLY), situations, key=_lot)
        yield from sorted((situations[each] for each in few), key=lambda each: (each.step, each.persona))


def _lot(text: str) -> bytes:
    return blake2b(text.encode()).digest()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=FOLDER, help="folder to write to")
    parser.add_argument("--steps", type=int, default=STEPS, help="length of each run, at most that of a day for some")
    choice = parser.parse_args()
    with tempfile.TemporaryDirectory() as storage:
        shutil.copytree(load_settings().fs_storage / BASE, Path(storage) / BASE)
        environment = {"VILLE_PROVIDER": "offline", "VILLE_EMBEDDER": "hashing"}
        settings = replace(load_settings(environment=environment), fs_storage=Path(storage), seed=1, fsync=False)
        recorded = asyncio.run(_lived(settings, choice.steps))
        for number, cheaper in enumerate(CHEAPER):
            cheap = replace(settings, **cheaper)
            steps = choice.steps if cheaper == {"questions": "paper"} else min(DAY, choice.steps)
            asked = asyncio.run(_a_day(cheap, f"cheaper_{number}", steps))
            recorded = asked | recorded
    situations = list(chosen(recorded))
    write(situations, choice.folder)
    size = sum(path.stat().st_size for path in choice.folder.rglob("*.jsonl"))
    print(f"{len(situations)} situations, {size / 1000:,.0f} kB, are written to {choice.folder}.")


async def _a_day(settings: Settings, name: str, steps: int) -> Recorded:
    """Return what is asked on a day, and in interviews at its end."""
    simulation = open_simulation(settings, BASE, name)
    wording: Wording = "paper" if settings.questions == "paper" else "situated"
    recorder = Recorder(simulation.models.chat, wording)
    simulation.models = replace(simulation.models, chat=recorder)
    await load_history(simulation, settings.assets / HISTORY)
    await run(simulation, steps, autosave=0, watch=lambda _: None, stop=StopRequest())
    await _interviewed(simulation)
    simulation.revert()
    await simulation.close()
    return recorder.recorded


async def _lived(settings: Settings, steps: int) -> Recorded:
    simulation = open_simulation(settings, BASE, "recorded")
    rules = simulation.models.chat
    recorder = Recorder(rules)
    simulation.models = replace(simulation.models, chat=recorder)
    await load_history(simulation, settings.assets / HISTORY)
    await run(simulation, steps, autosave=0, watch=lambda _: None, stop=StopRequest())
    await _interviewed(simulation)
    await _common_sense(simulation, recorder)
    recorder.recorded["situated", CHANGES] = await _changes(simulation, rules)
    recorder.recorded["situated", RESPONSES] = await _responses(simulation, rules)
    simulation.revert()
    await simulation.close()
    return recorder.recorded


async def _responses(simulation: Simulation, rules: Chat) -> dict[str, Situation]:
    """Let things happen, and return what people were asked about them; nothing else of that time is kept."""
    recorder = Recorder(rules)
    simulation.models = replace(simulation.models, chat=recorder)
    for trouble in TROUBLES:
        await simulation.intervene(trouble, source=Source(door="api"))
        await run(simulation, 60, autosave=0, watch=lambda _: None, stop=StopRequest())
    return recorder.recorded.get(("situated", RESPONSES), {})


async def _common_sense(simulation: Simulation, recorder: Recorder) -> None:
    """Ask where everything of the day is done, and in which steps, also what the rules know by themselves."""
    today = simulation.town.view().now
    for name, persona in simulation.town.personas.items():
        caller, hourly = Caller(recorder, name, simulation.clock.step), persona.scratch.hourly_schedule
        day, identity = day_lines(hourly, today), persona.scratch.identity
        for number, slot in enumerate(hourly.slots()):
            await ask(caller, WhereUsually(doing=slot.activity.what))
            if needs_subtasks(slot.activity):
                start, around = at_minute(today, slot.start), day[max(number - 1, 0) : number + 2]
                for kind in (StepByStep, StepByStepBriefly):
                    await ask(
                        caller,
                        kind(
                            identity.character,
                            identity.first_name,
                            around,
                            slot.activity.what,
                            start,
                            slot.activity.minutes,
                        ),
                    )


async def _changes(simulation: Simulation, rules: Chat) -> dict[str, Situation]:
    """Whisper to everyone that something of the plan for today is off, and return what they were asked about it."""
    recorder = Recorder(rules)
    simulation.models = replace(simulation.models, chat=recorder)
    for number, (name, persona) in enumerate(simulation.town.personas.items()):
        planned = [slot.activity.what for slot in persona.scratch.hourly_schedule.slots() if slot.start >= NOON]
        if planned:
            words = f"{planned[number % len(planned)]} is cancelled today."
            await simulation.intervene(Whisper(who=name, words=words), source=Source(door="api"))
    return recorder.recorded.get(("situated", CHANGES), {})


async def _interviewed(simulation: Simulation) -> None:
    """Ask every fifth persona each question whose answer is known, and judge some lines."""
    names = list(simulation.town.personas)[::5]
    for name in names:
        for asked in (*(each.asked for each in INTERVIEWS), *QUESTIONS):
            await simulation.interviews.ask(name, asked)
        for asked, form in TYPED:
            await simulation.interviews.ask(name, asked, form=reply_form(form))
    for comment in COMMENTS:
        await simulation.interviews.treats_as_human(names[0], comment)


if __name__ == "__main__":
    main()
