"""Record the situations for benchmarks/models.py: questions of twenty-five people over a day and a morning.

`python benchmarks/record_situations.py` runs them with the offline rules, interviews some of them at the end, and
replaces benchmarks/situations. The same code gives the same files.
"""

import asyncio
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from hashlib import blake2b
from heapq import nsmallest
from pathlib import Path

from situation_files import FOLDER, Situation, question_types, write
from truths import COMMENTS, INTERVIEWS

from ville.assembly.run import open_simulation
from ville.llm.gateway import Chat, ChatReply, ChatRequest
from ville.settings import Settings, load_settings
from ville.simulation.commands.talk import load_history
from ville.simulation.run import StopRequest, run
from ville.simulation.simulation import Simulation

BASE, HISTORY = "base_the_ville_n25", "the_ville/agent_history_init_n25.csv"
STEPS = 8640 + 8 * 360
"""A day, and the next one until eight o'clock."""
NUMBERS = {
    "plan/where_and_how": 40, "perceive/how_important": 30, "plan/subtasks": 25, "talk/interview": 30,
    "react/how_to_react": 25, "converse/next_utterance": 20, "converse/relationship": 20, "plan/reschedule": 15,
    "talk/whispered": 10, "talk/anthropomorphising": 6,
}  # fmt: skip
USUALLY = 12
"""Situations of each question; the numbers above are exceptions."""


class Recorder:
    """Chat that keeps what was asked and answered."""

    def __init__(self, chat: Chat) -> None:
        self._chat = chat
        self.recorded: dict[str, dict[str, Situation]] = {}
        """By question, and by the text of its fields."""

    async def complete(self, request: ChatRequest) -> ChatReply:
        reply = await self._chat.complete(request)
        question = question_types()[request.question](**request.fields)
        situation = Situation(request.persona, request.step, question, reply.text)
        self.recorded.setdefault(request.question, {}).setdefault(repr(question), situation)
        return reply

    def chosen(self) -> Iterator[Situation]:
        """Yield some situations of each question, as if at random, in order of time."""
        for title, situations in self.recorded.items():
            few = nsmallest(NUMBERS.get(title, USUALLY), situations, key=_lot)
            yield from sorted((situations[each] for each in few), key=lambda each: (each.step, each.persona))


def _lot(text: str) -> bytes:
    return blake2b(text.encode()).digest()


def main() -> None:
    with tempfile.TemporaryDirectory() as storage:
        shutil.copytree(load_settings().fs_storage / BASE, Path(storage) / BASE)
        environment = {"VILLE_PROVIDER": "offline", "VILLE_EMBEDDER": "hashing"}
        settings = replace(load_settings(environment=environment), fs_storage=Path(storage), seed=1, fsync=False)
        situations = asyncio.run(_lived(settings))
    write(situations)
    size = sum(path.stat().st_size for path in FOLDER.glob("*/*.jsonl"))
    print(f"{len(situations)} situations, {size / 1000:,.0f} kB, are written to {FOLDER}.")


async def _lived(settings: Settings) -> list[Situation]:
    simulation = open_simulation(settings, BASE, "recorded")
    recorder = Recorder(simulation.models.chat)
    simulation.models = replace(simulation.models, chat=recorder)
    await load_history(simulation, settings.assets / HISTORY)
    await run(simulation, STEPS, autosave=0, watch=lambda _: None, stop=StopRequest())
    await _interviewed(simulation)
    simulation.revert()
    await simulation.close()
    return list(recorder.chosen())


async def _interviewed(simulation: Simulation) -> None:
    """Ask every fifth persona each question whose answer is known, and judge some lines."""
    names = list(simulation.town.personas)[::5]
    for name in names:
        for each in INTERVIEWS:
            await simulation.interviews.ask(name, each.asked)
    for comment in COMMENTS:
        await simulation.interviews.treats_as_human(names[0], comment)


if __name__ == "__main__":
    main()
