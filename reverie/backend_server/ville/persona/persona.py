"""A persona as the simulation uses it: one call per step, and what others see of it."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Self

from ville.llm.gateway import Embedder
from ville.persona.cognitive_modules.brakes import may_talk
from ville.persona.cognitive_modules.committing.commit import commit_by_events
from ville.persona.cognitive_modules.committing.outcomes import settle, settles_at
from ville.persona.cognitive_modules.conversing.encounter import available_to_talk
from ville.persona.cognitive_modules.execute import execute, needs_path, take_step
from ville.persona.cognitive_modules.importance import QUARTER, fresh_sights, quarter_of
from ville.persona.cognitive_modules.meanwhile import conclude
from ville.persona.cognitive_modules.mind import Mind, Moment
from ville.persona.cognitive_modules.mind_settings import MindSettings
from ville.persona.cognitive_modules.musing import ALL_MUSINGS, Musing
from ville.persona.cognitive_modules.perceive import find_percepts, perceive
from ville.persona.cognitive_modules.planning.plan import DayChange, day_change, plan
from ville.persona.cognitive_modules.protocols import MindModules
from ville.persona.cognitive_modules.react import react
from ville.persona.cognitive_modules.reflect import ending_conversation, reflect, reflection_due
from ville.persona.cognitive_modules.respond import end_conversation, is_left_alone, pressing_whispers
from ville.persona.cognitive_modules.retrieve import recall
from ville.persona.cognitive_modules.view import CarryOn, ChangeActivity, Intent, TownView, VisiblePersona
from ville.persona.memory_structures.action import Action
from ville.persona.memory_structures.schedule import Schedule
from ville.persona.memory_structures.scratch import Conversation, Scratch, tuned
from ville.persona.prompt_template.ask import Caller
from ville.storage.records.persona_files import PersonaFiles, PersonaState
from ville.world.address import Tile
from ville.world.certainty import certain
from ville.world.tile_event import Event

if TYPE_CHECKING:
    from collections.abc import Callable

DEFAULT = MindSettings()
OWN = MindModules()
"""No part of a mind is replaced."""


async def think(mind: Mind, moment: Moment) -> Intent:
    """Compute one step of a mind, with the parts of it that are replaced. Raise a ModelError."""
    own, view = mind.modules, moment.view
    await conclude(mind, moment, *(ALL_MUSINGS if day_change(mind.scratch, view.now) is DayChange.NEW else ()))
    if is_left_alone(mind.scratch, view):
        end_conversation(mind.scratch, view)
    day, ending = day_change(mind.scratch, view.now), ending_conversation(mind.scratch, view)
    noticed = await (own.perceive or perceive)(mind, moment)
    commit_by_events(mind, view, noticed)
    recalled = recall(mind.stream, noticed)
    await (own.plan or plan)(mind, moment, day)
    conversation = mind.scratch.conversation
    reaction = await (own.react or react)(mind, moment, recalled)
    broken_off = conversation if isinstance(reaction, ChangeActivity) else None
    await (own.reflect or reflect)(mind, moment, ending or broken_off)
    return await certain(lambda: execute(mind, moment, reaction))


@dataclass(frozen=True, slots=True)
class Rest:
    """A time in which a persona stays where it is, and has nothing to decide unless something changes."""

    since: datetime
    until: datetime
    """When it has to look again, because time has passed: the earliest moment at which anything is due."""
    me: VisiblePersona
    """Its public state: tile, action and conversation."""
    changes: int
    """Count of changes in sight."""
    memories: int
    """Number of its memories."""
    schedule: Schedule
    intent: Intent
    """Its decision for each step of that time."""

    def lasts(self, mind: Mind, view: TownView) -> bool:
        """Return whether nothing has changed since that may give the persona something to decide."""
        scratch = mind.scratch
        return (
            view.now < self.until
            and scratch.curr_time is not None
            and scratch.curr_time >= self.since
            and view.people[self.me.name] is self.me
            and view.maze.changes(self.me.tile, scratch.tuning.vision_r) == self.changes
            and len(mind.stream) == self.memories
            and scratch.schedule is self.schedule
            and scratch.path_set
            and scratch.importance_trigger_curr > 0
        )


class Persona:
    """A persona of the town. Its memories change only through its own methods."""

    def __init__(self, mind: Mind) -> None:
        self._mind = mind
        self.name = mind.name
        self._rest: Rest | None = None
        self.on_look: Callable[[Persona], None] | None = None
        """Called once, before others see or change its mind while it rests and is not looked at in each step."""
        self._last_seen: tuple[VisiblePersona, object, object] | None = None

    @classmethod
    def load(
        cls, name: str, files: PersonaFiles, settings: MindSettings = DEFAULT, *, modules: MindModules = OWN
    ) -> Self:  # fmt: skip
        """Return a persona read from its files. Raise CorruptFile, naming the persona and the fault."""
        mind = Mind.load(name, files)
        mind.settings, mind.modules = settings, modules
        mind.scratch.tuning = tuned(mind.scratch.tuning, settings.tuning)
        mind.stream.mask(settings.masked_memories.split())
        return cls(mind)

    def state(self) -> PersonaState:
        """Return what is to be saved. Call `saved` once it is on disk."""
        return self.mind.state()

    def saved(self) -> None:
        self.mind.saved()

    @property
    def mind(self) -> Mind:
        """Its mind, up to date."""
        if self.on_look:
            self.on_look(self)
        return self._mind

    @property
    def scratch(self) -> Scratch:
        return self.mind.scratch

    @property
    def musings(self) -> Sequence[Musing]:
        """Thoughts that take a while, for those who only look on."""
        return self._mind.musings

    def stop_musing(self) -> list[asyncio.Task[None]]:
        """Forget the musings; return the tasks that end with it."""
        tasks = [each.task for each in self._mind.musings if each.task and each.task.cancel()]
        self._mind.musings.clear()
        return tasks

    @property
    def action(self) -> Action | None:
        """Its current action, for those who only look on: also other threads."""
        return self._mind.scratch.action

    @property
    def conversation(self) -> Conversation | None:
        """The conversation that it is in, for those who only look on."""
        return self._mind.scratch.conversation

    @property
    def available_to_talk(self) -> bool:
        """Whether others can start a conversation with this persona now."""
        return available_to_talk(self._mind.scratch)

    def is_talked_out(self, now: datetime) -> bool:
        """Return whether this persona has had so many talks that others leave it alone for a while."""
        return not may_talk(self._mind, now)

    async def think(self, view: TownView, caller: Caller, embedder: Embedder) -> Intent:
        """Compute one step: perceive, retrieve, plan, react, reflect, execute (paper §4).

        Raise a ModelError if a call to a model fails. The step then counts as not computed: what is missing is done in
        the next one.
        """
        mind, moment = self._mind, Moment(view, caller, embedder)
        intent = await (mind.modules.persona or think)(mind, moment)
        await certain(lambda: settle(mind, view))
        self._end_step(view)
        return intent

    def routine_step(self, view: TownView) -> Intent | None:
        """Return what `think` would return, if that takes no call to a model; otherwise None.

        Raise NotYetCertain, having changed nothing that counts.
        """
        rest = self._rest
        if rest is None or not rest.lasts(self._mind, view):
            if self._mind.modules.think_always or self._has_decision(view):
                self._rest = None
                return None
            rest = self._rest = self._begin_rest(view)
        settle(self._mind, view)
        intent = rest.intent if rest else self.carry_on(view)
        self._end_step(view)
        return intent

    def _begin_rest(self, view: TownView) -> Rest | None:
        """Return the rest that begins now, if nothing is to be decided; None for one who walks or converses."""
        scratch, me = self._mind.scratch, view.people[self.name]
        if scratch.action is None or scratch.conversation or scratch.planned_path:
            return None
        return Rest(
            since=view.now,
            until=min(
                scratch.action.ends,
                quarter_of(view.now) + timedelta(minutes=QUARTER),
                *(musing.due for musing in self._mind.musings),
            ),
            me=me,
            changes=view.maze.changes(me.tile, scratch.tuning.vision_r),
            memories=len(self._mind.stream),
            schedule=scratch.schedule,
            intent=self.carry_on(view),
        )

    @property
    def rests_until(self) -> datetime | None:
        """When it has to be looked at again, unless something changes before; None if it does not rest."""
        return min(self._rest.until, settles_at(self._mind)) if self._rest else None

    @property
    def vision(self) -> int:
        """How far it sees, in tiles."""
        return self._mind.scratch.tuning.vision_r

    def puts_right(self, now: datetime) -> str | None:
        """Return the address of the object that it has just put in order, if any."""
        return self._mind.scratch.mended(now)

    def _used_object(self) -> Event | None:
        """Return the event of the object that it uses, once it has arrived."""
        scratch = self._mind.scratch
        event = None if scratch.planned_path else scratch.visible_object_event()
        return event if event and event.predicate is not None else None

    def let_pass(self, steps: int, now: datetime) -> None:
        """Let steps pass in which it rested, up to one at a time."""
        if steps > 0:
            self._mind.scratch.curr_time = now
            self._mind.scratch.tick_cool_downs(steps)

    def carry_on(self, view: TownView) -> Intent:
        """Return the next tile of the current path without any decision, for example after a failed call."""
        return take_step(self._mind, view.people[self.name].tile, CarryOn())

    def _has_decision(self, view: TownView) -> bool:
        scratch = self._mind.scratch
        return bool(
            day_change(scratch, view.now) is not DayChange.SAME
            or not scratch.schedule
            or scratch.action_finished(view.now)
            or needs_path(scratch)
            or self._mind.has_mused(view.now)
            or reflection_due(self._mind, view.now)
            or (scratch.conversation and (ending_conversation(scratch, view) or is_left_alone(scratch, view)))
            or pressing_whispers(self._mind, view.now)
            or (self._mind.settings.questions == "situated" and fresh_sights(self._mind, view.now))
            or find_percepts(self._mind, view)
        )

    def _end_step(self, view: TownView) -> None:
        scratch = self._mind.scratch
        scratch.curr_time = view.now
        scratch.curr_tile = view.people[scratch.identity.name].tile
        scratch.tick_cool_downs()

    def as_seen(self, tile: Tile) -> VisiblePersona:
        """Return what others see of this persona on a tile; the same object until something changes."""
        scratch = self._mind.scratch
        action, conversation, walking = scratch.action, scratch.conversation, bool(scratch.planned_path)
        last = self._last_seen
        same = last and last[1] is action and last[2] is conversation
        if last is None or not same or last[0].tile != tile or last[0].walking != walking:
            seen = VisiblePersona(
                name=self.name,
                tile=tile,
                event=scratch.visible_event(),
                address=action.address if action else None,
                doing=action.description if action else None,
                asleep=bool(action and action.asleep),
                until=(conversation.until if conversation else None) or (action.ends if action else None),
                chatting_with=conversation.partner if conversation else None,
                walking=walking,
                using=self._used_object(),
            )
            self._last_seen = last = (seen, action, conversation)
        return last[0]
