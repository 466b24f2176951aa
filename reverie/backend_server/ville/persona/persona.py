"""One persona, as the town knows it: it thinks once a step, and shows what can be seen of it."""

from typing import Self

from ville.llm.gateway import Embedder
from ville.persona.cognitive_modules.encounter import available_to_talk
from ville.persona.cognitive_modules.execute import execute, needs_path, take_step
from ville.persona.cognitive_modules.mind import Mind, Moment
from ville.persona.cognitive_modules.perceive import find_percepts, perceive
from ville.persona.cognitive_modules.plan import DayChange, day_change, plan
from ville.persona.cognitive_modules.react import react
from ville.persona.cognitive_modules.reflect import ending_conversation, reflect, reflection_due
from ville.persona.cognitive_modules.retrieve import Method, recall
from ville.persona.cognitive_modules.view import CarryOn, Intent, PersonaView, TownView
from ville.persona.memory_structures.scratch import Scratch
from ville.persona.prompt_template.ask import Caller
from ville.storage.simulation_folder import PersonaFiles, PersonaState
from ville.world.address import Tile


class Persona:
    """A mind in a town. What it remembers is written by its own thinking alone."""

    def __init__(self, mind: Mind) -> None:
        self.mind = mind
        self._last_seen: tuple[tuple[object, ...], PersonaView] | None = None

    @classmethod
    def load(cls, name: str, files: PersonaFiles, retrieval: Method = "paper") -> Self:
        """Raises CorruptFile naming the persona and what is wrong."""
        mind = Mind.load(name, files)
        mind.retrieval = retrieval
        return cls(mind)

    def state(self) -> PersonaState:
        """What is to be saved; call `saved` when that has succeeded."""
        return self.mind.state()

    def saved(self) -> None:
        self.mind.saved()

    @property
    def name(self) -> str:
        return self.mind.name

    @property
    def scratch(self) -> Scratch:
        return self.mind.scratch

    @property
    def available_to_talk(self) -> bool:
        """Whether somebody may go up to it now."""
        return available_to_talk(self.scratch)

    async def think(self, view: TownView, caller: Caller, embedder: Embedder) -> Intent:
        """One step of a mind: perceive, retrieve, plan, react, reflect, execute.

        Raises a ModelError if the telephone fails; then the step does not count as thought in, and what was left undone
        is done in the next one.
        """
        mind, moment = self.mind, Moment(view, caller, embedder)
        day, ending = day_change(mind.scratch, view.now), ending_conversation(mind.scratch, view)
        noticed = await perceive(mind, moment)
        recalled = recall(mind.stream, noticed)
        await plan(mind, moment, day)
        reaction = await react(mind, moment, recalled)
        await reflect(mind, moment, ending)
        intent = execute(mind, moment, reaction)
        self._live_through(view)
        return intent

    def routine_step(self, view: TownView) -> Intent | None:
        """What `think` would come to, without asking anybody; None if there is something to decide."""
        if self._something_to_decide(view):
            return None
        intent = self.carry_on(view)
        self._live_through(view)
        return intent

    def carry_on(self, view: TownView) -> Intent:
        """A step of the way there is, deciding nothing: for those whose telephone failed."""
        return take_step(self.mind, view.people[self.name].tile, CarryOn())

    def _something_to_decide(self, view: TownView) -> bool:
        scratch = self.scratch
        return bool(
            day_change(scratch, view.now) is not DayChange.SAME
            or not scratch.schedule
            or scratch.action_finished(view.now)
            or needs_path(scratch)
            or reflection_due(self.mind)
            or (scratch.conversation and ending_conversation(scratch, view))
            or find_percepts(self.mind, view)
        )

    def _live_through(self, view: TownView) -> None:
        """A step has passed."""
        scratch = self.scratch
        scratch.curr_time = view.now
        scratch.curr_tile = view.people[self.name].tile
        scratch.tick_cool_downs()

    def as_seen(self, tile: Tile) -> PersonaView:
        """What everybody can see of it, where it stands; the same object as long as nothing changes."""
        scratch = self.scratch
        action, talk, walking = scratch.action, scratch.conversation, bool(scratch.planned_path)
        key = (tile, action, talk, walking)
        if self._last_seen is None or self._last_seen[0] != key:
            neighbour = PersonaView(
                name=self.name,
                tile=tile,
                event=scratch.visible_event(),
                address=action.address if action else None,
                doing=action.description if action else None,
                asleep=bool(action and action.asleep),
                until=(talk.until if talk else None) or (action.ends if action else None),
                chatting_with=talk.partner if talk else None,
                walking=walking,
            )
            self._last_seen = (key, neighbour)
        return self._last_seen[1]
