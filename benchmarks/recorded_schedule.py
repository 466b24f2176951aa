"""Calls and meetings of a run, step by step: recorded once by the rules, the basis of benchmarks/schedule.py.

Only what decides about time is kept: for each person and step the calls with their tokens, in rounds, the calls of each
talk, where everyone stands and how long it means to, and whom they newly perceive. Tokens are characters divided by
four, of messages and answers; a schema costs nothing, since local servers make a grammar of it.
"""

import asyncio
import gzip
import json
import tempfile
from collections.abc import Sequence
from contextvars import ContextVar
from dataclasses import asdict, dataclass, field, replace
from itertools import takewhile
from pathlib import Path
from shutil import copytree
from typing import NamedTuple, Self

from rounds import Rounds
from still_stage import keep_in_memory

from ville.assembly.run import open_simulation
from ville.llm.gateway import Chat, ChatReply, ChatRequest, Models
from ville.persona.cognitive_modules.conversing.converse import ConversationResult, converse
from ville.persona.cognitive_modules.mind import Mind, Moment
from ville.settings import load_settings
from ville.simulation.running.run_loop import StopRequest, run
from ville.simulation.simulation import Simulation
from ville.simulation.stepping.step import StepReport
from ville.world.address import Tile

CHARACTERS = 4
"""Characters of a token."""

_TALK: ContextVar[tuple[str, str] | None] = ContextVar("talk", default=None)
"""The pair whose talk is being computed in this task."""


class CallRow(NamedTuple):
    """A call to a model."""

    step: int
    people: tuple[int, ...]
    """Who waits for it: the person that thinks, or the two that talk."""
    round: int
    """Calls of the same people in the same step with the same number do not wait for each other."""
    question: str
    prompt: int
    """Tokens."""
    answer: int
    """Tokens."""


@dataclass
class ScheduleRecording:
    """A run of one town."""

    people: list[str]
    width: int
    height: int
    arenas: list[int]
    """Number of the arena of each tile, row by row."""
    walls: list[bool]
    sight: int
    """Radius of vision in tiles."""
    clock: int
    """Seconds of game time per step."""
    places: list[list[tuple[int, int]]] = field(default_factory=list)
    """Tile of each person before each step, and after the last one."""
    calls: list[CallRow] = field(default_factory=list)
    seen: list[tuple[int, int, int]] = field(default_factory=list)
    """Step, person, and whom this person newly perceives."""
    stays: list[list[int]] = field(default_factory=list)
    """Step until which each person means to stay where it is, before each step, and after the last one."""

    @property
    def steps(self) -> int:
        return len(self.places) - 1

    def write(self, path: Path) -> None:
        path.write_bytes(gzip.compress(json.dumps(asdict(self)).encode()))

    @classmethod
    def read(cls, path: Path) -> Self:
        values = json.loads(gzip.decompress(path.read_bytes()))
        calls = [CallRow(step, tuple(people), *rest) for step, people, *rest in values.pop("calls")]
        return cls(**values, calls=calls)


class _Recorder:
    """Chat that notes calls. Give it to a simulation as its model."""

    def __init__(self, chat: Chat, recording: ScheduleRecording) -> None:
        self._rounds, self._recording = Rounds(chat), recording
        self._numbers = {name: number for number, name in enumerate(recording.people)}

    async def complete(self, request: ChatRequest) -> ChatReply:
        reply = await self._rounds.complete(request)
        names = _TALK.get() or (request.persona,)
        people = tuple(self._numbers[name] for name in names)
        asked = sum(len(message.content) for message in request.messages)
        tokens = (asked // CHARACTERS, len(reply.text) // CHARACTERS)
        row = CallRow(request.step, people, len(self._rounds.sizes), request.question, *tokens)
        self._recording.calls.append(row)
        return reply

    def note(self, simulation: Simulation, report: StepReport) -> None:
        """Note who newly perceives whom, and where everyone is after a step."""
        recording = self._recording
        for name, persona in simulation.town.personas.items():
            newest = takewhile(lambda node: node.created == report.now, persona.mind.stream.newest("event"))
            others = {self._numbers[node.subject] for node in newest if node.subject in self._numbers}
            me = self._numbers[name]
            recording.seen += [(report.step, me, other) for other in sorted(others - {me}) if self._sees(me, other)]
        recording.places.append([tuple(simulation.town.tiles[name]) for name in recording.people])
        recording.stays.append([self._stays(simulation, name, report) for name in recording.people])

    def _stays(self, simulation: Simulation, name: str, report: StepReport) -> int:
        """Return the step until which a person stays where it is after a step, if nothing comes up."""
        seen = simulation.town.personas[name].as_seen(simulation.town.tiles[name])
        until = report.now if seen.walking else seen.until or report.now
        seconds = (until - report.now).total_seconds()
        return report.step + max(1, int(seconds) // self._recording.clock)

    def _sees(self, one: int, other: int) -> bool:
        """Return whether one stood in sight of another: sights that are rated later are remembered again elsewhere."""
        (x, y), (u, v) = (self._recording.places[-1][who] for who in (one, other))
        width, arenas = self._recording.width, self._recording.arenas
        near = max(abs(x - u), abs(y - v)) <= self._recording.sight
        return near and arenas[x + y * width] == arenas[u + v * width]


async def _noted_talk(first: tuple[Mind, Moment], second: tuple[Mind, Moment]) -> ConversationResult | None:
    """Converse as usual, and let all calls of this task count for both."""
    token = _TALK.set((first[0].name, second[0].name))
    try:
        return await converse(first, second)
    finally:
        _TALK.reset(token)


def record(base: str, steps: int, seed: int) -> ScheduleRecording:
    """Run a base simulation of the storage folder by the rules, in a temporary folder."""
    settings = load_settings()
    with tempfile.TemporaryDirectory() as folder:
        storage = Path(folder)
        copytree(settings.fs_storage / base, storage / base)
        settings = replace(settings, fs_storage=storage, seed=seed, fsync=False)
        simulation = open_simulation(settings, base, "recorded")
        return asyncio.run(_recorded(simulation, steps))


async def _recorded(simulation: Simulation, steps: int) -> ScheduleRecording:
    personas, models = simulation.town.personas, simulation.models
    recording = _nothing_yet(simulation)
    recorder = _Recorder(models.chat, recording)
    simulation.models = Models(recorder, models.embedder, models.seed)
    keep_in_memory(simulation)
    for persona in personas.values():
        persona.mind.modules = replace(persona.mind.modules, converse=_noted_talk)
    watch = lambda report: recorder.note(simulation, report)  # noqa: E731 - of one argument
    await run(simulation, steps, autosave=0, watch=watch, stop=StopRequest())
    await simulation.close()
    return recording


def _nothing_yet(simulation: Simulation) -> ScheduleRecording:
    maze, personas = simulation.town.maze, simulation.town.personas
    start = simulation.folder.starting_positions()
    return ScheduleRecording(
        people=list(personas),
        width=maze.width,
        height=maze.height,
        arenas=_numbered([maze.tile_path(tile, "arena") for tile in maze]),
        walls=[maze.is_wall(tile) for tile in maze],
        sight=max(persona.scratch.tuning.vision_r for persona in personas.values()),
        clock=simulation.clock.seconds_per_step,
        places=[[tuple(Tile(*start[name])) for name in personas]],
        stays=[[0] * len(personas)],
    )


def _numbered(words: Sequence[str]) -> list[int]:
    numbers: dict[str, int] = {}
    return [numbers.setdefault(word, len(numbers)) for word in words]
