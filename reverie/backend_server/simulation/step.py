"""One step of the town: all arrive, think on the same view, those who want to talk meet, and it is committed."""

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime

from archive.step_files import MoveRecord
from errors import ModelError
from llm.gateway import Chat, Embedder
from persona.cognitive_modules.converse import Conversed, begin_talks, converse
from persona.cognitive_modules.mind import Moment
from persona.cognitive_modules.view import Intent, TownView
from persona.persona import Persona
from persona.prompt_template.ask import Line, Tally
from simulation.arrive import arrive
from simulation.commit import commit
from simulation.meet import Pair, pair_up
from simulation.stage import Positions
from simulation.town import Town


@dataclass(frozen=True)
class Telephone:
    """What every mind thinks with; the same seed and the same answers give the same town."""

    chat: Chat
    embedder: Embedder
    seed: int
    busy: set[str] = field(default_factory=set)
    """Who is thinking at this moment, for those who look on."""

    @contextmanager
    def engaged(self, *names: str) -> Iterator[None]:
        """Inside, these people are thinking."""
        self.busy.update(names)
        try:
            yield
        finally:
            self.busy.difference_update(names)

    def moment(self, persona: str, view: TownView, tally: Tally) -> Moment:
        """A step of one persona, with a line of its own."""
        line = Line(chat=self.chat, persona=persona, step=view.step, seed=self.seed, tally=tally)
        return Moment(view=view, line=line, embedder=self.embedder)


@dataclass
class StepReport:
    """What happened in one step."""

    step: int
    now: datetime
    """Game time at which it was computed."""
    tallies: dict[str, Tally] = field(default_factory=dict)
    """Of those who had to think."""
    talks: dict[Pair, Conversed] = field(default_factory=dict)
    """The conversations that began."""
    failures: dict[str, ModelError] = field(default_factory=dict)
    """Whose telephone failed; they carry on with what they did."""
    moves: Mapping[str, MoveRecord] = field(default_factory=dict)


async def advance(town: Town, telephone: Telephone, positions: Positions) -> StepReport:
    """Advance the town by one step: think together, meet in pairs, commit alone."""
    report = StepReport(town.clock.step, town.clock.now)
    arrive(town, positions)
    view = town.view()
    moments = _Moments(telephone, view, report)
    intents = await _think(town, moments)
    pairs = pair_up(intents.values(), {name for name, persona in town.personas.items() if persona.open_to_talk})
    if pairs:
        await asyncio.gather(*(_meet(town, moments, pair) for pair in pairs))
        report.talks = {pair: report.talks[pair] for pair in pairs if pair in report.talks}
        intents |= {name: town.personas[name].carry_on(view) for pair in report.talks for name in pair}
    report.moves = commit(town, intents)
    return report


class _Moments:
    """A moment for everybody who thinks in a step, and what became of it."""

    def __init__(self, telephone: Telephone, view: TownView, report: StepReport) -> None:
        self.telephone = telephone
        self.view = view
        self.report = report

    def of(self, name: str) -> Moment:
        return self.telephone.moment(name, self.view, self.report.tallies.setdefault(name, Tally()))


async def _think(town: Town, moments: _Moments) -> dict[str, Intent]:
    """What everybody means to do. Most of them need not think about it, and nobody waits for the telephone then."""
    intents: dict[str, Intent] = {}
    thinking: list[Persona] = []
    for name, persona in town.personas.items():
        if (intent := persona.carries_on(moments.view)) is None:
            thinking.append(persona)
        else:
            intents[name] = intent
    if thinking:
        thoughts = await asyncio.gather(*(_guarded(persona, moments) for persona in thinking))
        intents |= {intent.name: intent for intent in thoughts}
        intents = {name: intents[name] for name in town.personas}
    return intents


async def _guarded(persona: Persona, moments: _Moments) -> Intent:
    """What one persona means to do; the same as before if its telephone fails."""
    moment = moments.of(persona.name)
    try:
        with moments.telephone.engaged(persona.name):
            return await persona.think(moment.view, moment.line, moment.embedder)
    except ModelError as fault:
        moments.report.failures[persona.name] = fault
        return persona.carry_on(moment.view)


async def _meet(town: Town, moments: _Moments, pair: Pair) -> None:
    """Two people talk, and plan their days round it. If the telephone fails them, nothing was said."""
    first, second = ((town.personas[name].mind, moments.of(name)) for name in pair)
    try:
        with moments.telephone.engaged(*pair):
            conversed = await converse(first, second)
            if conversed is not None:
                await begin_talks(first, second, conversed)
                moments.report.talks[pair] = conversed
    except ModelError as fault:
        moments.report.failures[pair[0]] = fault
