"""The minds of a part of the town, which think and talk in a process of their own, on the town as it is shown to them.

A district is told what has changed about others, and tells what has changed about its own people. What a mind keeps
that is not saved stays behind when it moves: a resumed run does without it, too.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ville.errors import ModelError
from ville.llm.gateway import Models
from ville.persona.cognitive_modules.conversing.converse import ConversationResult
from ville.persona.cognitive_modules.mind import Mind, gather_all
from ville.persona.cognitive_modules.view import Intent, People, Talk, VisiblePersona
from ville.persona.memory_structures.common_sense import UsualPlace
from ville.persona.persona import Persona
from ville.persona.prompt_template.ask import Tally
from ville.simulation.clock import Clock
from ville.simulation.pacing.breaker import Breaker
from ville.simulation.services import RunServices
from ville.simulation.stepping.arrive import changed_tiles, show_events
from ville.simulation.stepping.step import Pair, StepContext, StepReport, free_to_talk, meet, move_of, think_all
from ville.simulation.town import Town
from ville.storage.steps.step_files import MoveRecord
from ville.world.address import Tile
from ville.world.maze import Layers, Maze
from ville.world.path_finder import PathFinder
from ville.world.rules import TownRules


def divided(homes: Mapping[str, Tile], count: int) -> list[list[str]]:
    """Return the people of each district, by where they live: areas of equally many people."""
    if count == 1:
        return [sorted(homes)]
    sides = [max(side) - min(side) for side in zip(*homes.values(), strict=True)] or [0, 0]
    across = sides.index(max(sides))
    names = sorted(homes, key=lambda name: (homes[name][across], homes[name], name))
    cut = len(names) * (count // 2) // count
    halves = ((names[:cut], count // 2), (names[cut:], count - count // 2))
    return [part for half, parts in halves for part in divided({name: homes[name] for name in half}, parts)]


@dataclass(frozen=True)
class DistrictTown:
    """The town, as a district has to know it before its first step."""

    minds: Mapping[str, Mind]
    """Those of its people."""
    people: Mapping[str, VisiblePersona]
    """Everyone, in order."""
    clock: Clock
    rules: TownRules
    visitors: Mapping[str, str]
    """Descriptions of earlier visitors."""
    common_sense: Mapping[str, UsualPlace]


@dataclass(frozen=True)
class StepNews:
    """Changes for a district since the last step."""

    seen: Mapping[str, VisiblePersona]
    """Those of other districts who have changed."""
    learned: Mapping[str, UsualPlace]
    """New common sense."""
    fallbacks: Mapping[str, Sequence[Sequence[int]]]
    """State of the breaker."""


@dataclass
class DistrictStep:
    """Result of a step in a district: only what has changed since it was last told."""

    seen: dict[str, VisiblePersona] = field(default_factory=dict)
    """As they will be seen in the next step."""
    moves: dict[str, tuple[MoveRecord, bool]] = field(default_factory=dict)
    """Their display, and whether they are asleep."""
    wishes: list[Intent] = field(default_factory=list)
    """Of those who want to talk."""
    tallies: dict[str, Tally] = field(default_factory=dict)
    failures: dict[str, ModelError] = field(default_factory=dict)
    learned: dict[str, dict[str, UsualPlace]] = field(default_factory=dict)
    talks: dict[Pair, ConversationResult] = field(default_factory=dict)

    def add(self, other: "DistrictStep") -> None:
        """Take over what another district, or the same one later in the step, has told."""
        self.seen |= other.seen
        self.moves |= other.moves
        self.wishes += other.wishes
        self.tallies |= other.tallies
        self.failures |= other.failures
        self.learned |= other.learned
        self.talks |= other.talks


@dataclass(frozen=True)
class Mover:
    """Somebody who moves to another district in the middle of a step, to talk with somebody there."""

    mind: Mind
    tally: Tally | None
    intent: Intent


class MindDistrict:
    """Minds of a part of the town. Its methods are called one after the other."""

    def __init__(self, layers: Layers, clock: Clock, models: Models) -> None:
        maze = Maze(layers)
        self._town = Town(maze=maze, paths=PathFinder(maze), personas={}, clock=clock)
        self._models, self._services = models, RunServices()
        self._thought = set[str]()
        """Who may have learned something in this step."""
        self._context: StepContext
        self._intents: dict[str, Intent] = {}
        """The last one of each; who rests has no other."""
        self._told = DistrictStep()
        """Its people, as they are known elsewhere."""

    async def settle(self, there: DistrictTown) -> None:
        """Take in people, before their first step."""
        town = self._town
        town.personas = {name: Persona(mind) for name, mind in there.minds.items()}
        town.clock, town.rules, town.common_sense = there.clock, there.rules, dict(there.common_sense)
        town.visitors.known = dict(there.visitors)
        self._told = DistrictStep()
        town.tiles = {name: there.people[name].tile for name in there.minds}
        self._put(People(there.people))

    def _put(self, people: People) -> None:
        """Put people on the map."""
        tiles = changed_tiles(self._town.shown_people, people)
        self._town.shown_people = people
        for tile in tiles:
            show_events(self._town, tile, people.on(tile))

    async def think(self, news: StepNews) -> DistrictStep:
        """Let its people think. Raise a ReverieError."""
        town = self._town
        self._forget_learned()
        town.common_sense |= news.learned
        own = ((each.name, each.as_seen(town.tiles[each.name])) for each in town.resting.awake(town.personas))
        if changed := {**news.seen, **{name: seen for name, seen in own if seen is not town.shown_people[name]}}:
            self._put(People({**town.shown_people, **changed}))
        self._context = StepContext(
            self._models,
            self._services,
            town.personas,
            view=town.view(town.shown_people),
            report=StepReport(town.clock.step, town.clock.now),
            attempts=Breaker(kept=news.fallbacks).attempts,
        )
        intents = await think_all(town, self._context, {})
        self._intents |= intents
        town.clock = town.clock.ticked()
        step = self._step_of(intents)
        step.wishes = [intent for intent in intents.values() if isinstance(intent.reaction, Talk)]
        return step

    async def free(self, wishes: Sequence[Intent]) -> tuple[set[str], dict[str, Tally]]:
        """Return who can be talked with, of those who wish to or are wished for; and what is noted about them."""
        report = self._context.report
        named = {name for wish in wishes if isinstance(wish.reaction, Talk) for name in (wish.name, wish.reaction.to)}
        free = free_to_talk(self._town.personas, wishes, report)
        return free & named, {name: report.tallies[name] for name in named if name in report.tallies}

    async def give(self, names: Sequence[str]) -> dict[str, Mover]:
        """Let people move out."""
        return {name: self._give(name) for name in names}

    def _give(self, name: str) -> Mover:
        persona, tallies = self._town.personas.pop(name), self._context.report.tallies
        for told in (self._told.seen, self._told.moves, self._town.tiles):
            told.pop(name, None)
        return Mover(persona.mind.to_move(), tallies.pop(name, None), self._intents.pop(name))

    async def talk(self, pairs: Sequence[Pair], movers: Mapping[str, Mover]) -> DistrictStep:
        """Let pairs talk, of whom some have just moved in. Raise a ReverieError."""
        town, context = self._town, self._context
        for name, mover in movers.items():
            town.personas[name] = Persona(mover.mind)
            town.tiles[name] = mover.intent.next_tile
            self._intents[name] = mover.intent
            if mover.tally:
                context.report.tallies[name] = mover.tally
        await gather_all(meet(town, context, pair) for pair in pairs)
        for name in (name for pair in pairs if pair in context.report.talks for name in pair):
            self._intents[name] = town.personas[name].carry_on(context.view)
        step = self._step_of({name for pair in pairs for name in pair})
        step.talks = {pair: context.report.talks[pair] for pair in pairs if pair in context.report.talks}
        return step

    def _step_of(self, names: Iterable[str]) -> DistrictStep:
        """Return what is new about its people, and note it as told."""
        town, told, report, step = self._town, self._told, self._context.report, DistrictStep()
        for name in names:
            persona, intent = town.personas[name], self._intents[name]
            town.tiles[name] = intent.next_tile
            move, seen = (move_of(persona, intent), intent.asleep), persona.as_seen(intent.next_tile)
            if told.moves.get(name) != move:
                step.moves[name] = move
            if told.seen.get(name) is not seen:
                step.seen[name] = seen
            if name in report.tallies:
                self._thought.add(name)
                step.tallies[name] = report.tallies[name]
                step.learned[name] = dict(persona.mind.learned)
            if name in report.failures:
                step.failures[name] = report.failures[name]
        told.add(DistrictStep(seen=step.seen, moves=step.moves))
        return step

    def _forget_learned(self) -> None:
        for name in self._thought:
            if name in self._town.personas:
                self._town.personas[name].mind.learned.clear()
        self._thought.clear()

    async def leave(self) -> dict[str, Mind]:
        """Let all people move out, between two steps."""
        self._forget_learned()
        self._town.look_at_all()
        minds = {name: persona.mind.to_move() for name, persona in self._town.personas.items()}
        self._town.personas, self._town.tiles, self._intents = {}, {}, {}
        return minds
