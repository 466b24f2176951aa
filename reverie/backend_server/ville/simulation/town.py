"""The town: map, personas and clock. Only `arrive` and `commit` change it."""

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from ville.json_types import JsonObject
from ville.persona.cognitive_modules.protocols import MindModules
from ville.persona.cognitive_modules.view import Everyone, People, TownView
from ville.persona.memory_structures.common_sense import UsualPlace
from ville.persona.persona import Persona
from ville.simulation.clock import Clock
from ville.simulation.resting import Resting
from ville.simulation.visitors import Visitors
from ville.storage.steps.step_files import MoveRecord
from ville.world.address import Tile
from ville.world.maze import Maze
from ville.world.occurrences import EndedState, Occurrences
from ville.world.path_finder import PathFinder
from ville.world.rules import TownRules

VISITORS = "visitors"
RULES = "rules"
"""Sections of town.json."""


@dataclass
class Town:
    """The state of the town between two steps."""

    maze: Maze
    paths: PathFinder
    personas: dict[str, Persona]
    """Personas by name, in roster order (the order in meta.json)."""
    clock: Clock
    tiles: dict[str, Tile] = field(default_factory=dict)
    """Current tile of each persona."""
    newcomers: dict[str, Tile] = field(default_factory=dict)
    """Where personas stand who have moved in since the last step."""
    departed: dict[str, Persona] = field(default_factory=dict)
    """Personas who have moved away since the last save."""
    shown_people: People = field(default_factory=People)
    """Personas and visitors as they are on the map; whoever has changed is placed again."""
    occurrences: Occurrences = Occurrences()  # noqa: RUF009 - it is frozen
    """Lasting states of objects, and events at places."""
    shown_occurrences: Occurrences = Occurrences()  # noqa: RUF009 - it is frozen
    """The occurrences that are on the map."""
    ended: list[EndedState] = field(default_factory=list)
    """States of objects that have ended since the last step was computed."""

    visitors: Visitors = field(default_factory=Visitors)
    rules: TownRules = TownRules()  # noqa: RUF009 - it is frozen
    """Rules of a counterfactual."""
    modules: MindModules = MindModules()  # noqa: RUF009 - it is frozen
    """The parts of minds that are replaced."""
    common_sense: dict[str, UsualPlace] = field(default_factory=dict)
    """Where activities are usually done, by activity."""
    resting: Resting = field(default_factory=Resting)
    """Who is not looked at in each step."""
    moves: dict[str, MoveRecord] = field(default_factory=dict)
    """Display of each persona in the last step. Never changed: who rests shows the same in the next one."""
    asleep: frozenset[str] = frozenset()
    """Personas that were asleep in the last step."""

    def as_json(self) -> JsonObject:
        """Return the content of town.json: what does not follow from the personas. Empty if there is nothing."""
        visitors = self.visitors.as_json()
        sections = {VISITORS: visitors, RULES: self.rules.as_json()}
        return self.occurrences.as_json() | {name: section for name, section in sections.items() if section}

    def restore(self, values: Mapping[str, object]) -> None:
        """Return to the state in town.json. Raises CorruptFile."""
        self.occurrences = Occurrences.read(values)
        self.visitors = Visitors.read(values.get(VISITORS), self.maze, self.personas)
        self.rules = TownRules.read(values.get(RULES, {}))
        for name, persona in self.personas.items():
            conversation = persona.scratch.conversation
            if conversation and name not in self.visitors.talks:  # town.json was removed: it ends as any other does
                persona.scratch.conversation = replace(conversation, is_open=False)

    def move_in(self, persona: Persona, tile: Tile) -> None:
        """Add a persona, last in roster order."""
        self.look_at_all()
        persona.scratch.curr_tile = tile
        self.visitors.known.pop(persona.name, None)
        self.personas[persona.name] = persona
        self.tiles[persona.name] = self.newcomers[persona.name] = tile

    def move_away(self, name: str) -> None:
        """Remove a persona; it is kept until it is saved for the last time."""
        self.look_at_all()
        self.departed[name] = self.personas.pop(name)
        self.departed[name].stop_musing()
        self.tiles.pop(name)
        self.newcomers.pop(name, None)
        self.visitors.talks.pop(name, None)

    def look_at_all(self) -> None:
        """Let everybody be looked at in the next step."""
        self.resting.wake_all(self.personas)

    async def stop_musing(self) -> None:
        """End all thoughts of which nothing will come."""
        ended = [task for persona in self.personas.values() for task in persona.stop_musing()]
        await asyncio.gather(*ended, return_exceptions=True)

    def forget_left_talks(self) -> None:
        """Forget conversations with visitors that personas have broken off for something else."""
        for talk in list(self.visitors.talks.values()):
            conversation = self.personas[talk.persona].scratch.conversation
            if conversation is None or not conversation.is_open:
                self.visitors.close(talk)

    def learn(self, names: Iterable[str]) -> None:
        """Take over the common sense that personas have learned in this step, in this order: the first counts."""
        for name in names:
            learned = self.personas[name].mind.learned
            self.common_sense |= {text: each for text, each in learned.items() if text not in self.common_sense}
            learned.clear()

    def obey(self, rules: TownRules) -> None:
        """Replace the rules. Personas who are no longer pinned decide anew what to do."""
        for name in self.rules.pins.keys() - rules.pins.keys():
            if name in self.personas:
                self.personas[name].scratch.forget_action()
        self.rules = rules

    def seen(self) -> People:
        """Return everyone as others see them; what is on the map, unless somebody has changed since."""
        before = self.shown_people
        looked_at = {each.name: each.as_seen(self.tiles[each.name]) for each in self.resting.awake(self.personas)}
        visitors = self.visitors.as_seen(self.maze)
        if len(before) == len(self.personas) + len(visitors) and (looked_at | visitors).items() <= before.items():
            return before
        return People({name: looked_at.get(name) or before[name] for name in self.personas} | visitors)

    def view(self, people: Everyone | None = None) -> TownView:
        """Return the view that all personas share in this step; `people` are those who are seen, if that is known."""
        return TownView(
            maze=self.maze,
            paths=self.paths,
            step=self.clock.step,
            now=self.clock.now,
            seconds_per_step=self.clock.seconds_per_step,
            people=self.seen() if people is None else people,
            occurrences=self.occurrences,
            visitors=dict(self.visitors.known),
            rules=self.rules,
            common_sense=self.common_sense,
        )
