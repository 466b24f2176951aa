"""Protocols of classes that replace a part of a mind (docs/minds.md).

A class is made once for a run, without arguments, and serves all its people. It gets the mind of the one who thinks,
and the moment. What it keeps for later belongs into the mind, in `mind.scratch`, `mind.places` or `mind.stream`:
nothing else is saved. All people think at the same time, so a class must not share anything between them.

Units: times are game times, durations are minutes of game time, places are addresses (`world:sector:arena:object`), or
tiles. Vectors have the length of the embedder's. Random numbers come from `moment.randomness("what for")` with the name
in it, for example `moment.randomness(f"{mind.name} forgets")`, and from nowhere else: the same seed then gives the same
files.

Errors: a ModelError of a question passes through; the persona then carries on, and the next step tries again, so change
a mind only when all questions are answered. Any other error ends the run with one line that names class and method.
"""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from ville.persona.cognitive_modules.conversing.converse import ConversationResult
    from ville.persona.cognitive_modules.mind import Mind, Moment
    from ville.persona.cognitive_modules.planning.plan import DayChange
    from ville.persona.cognitive_modules.retrieve import RelatedMemories, RetrievedMemory
    from ville.persona.cognitive_modules.view import Intent, Reaction
    from ville.persona.memory_structures.scratch import Conversation
    from ville.persona.memory_structures.stream.concept_node import ConceptNode
    from ville.persona.memory_structures.stream.vectors import Vector


class Perceives(Protocol):
    """Perception (paper §4.1). The Ville's own: `cognitive_modules/perceive.py`."""

    async def perceive(self, mind: "Mind", moment: "Moment") -> "Sequence[ConceptNode]":
        """Remember what is new in sight, and return these memories, to which the persona may react.

        Also keeps the places in sight (`mind.places`), and what of it leads to a reflection
        (`mind.scratch.importance_trigger_curr`, in poignancy).
        """
        ...


class Retrieves(Protocol):
    """Retrieval by a focal point (paper §4.1). The Ville's own: `cognitive_modules/retrieve.py`."""

    def retrieve(
        self,
        mind: "Mind",
        moment: "Moment",
        focus: "Vector",
        *,
        count: int,
        about: Collection[str],
        found_before: Collection[str],
    ) -> "list[RetrievedMemory]":
        """Return at most `count` memories of the stream, best first. Called for planning, reacting, reflecting, talking
        and interviews; the mind must not change.

        `focus` is the vector of the focal point. `about` are the names of those whom the memories should concern, if
        any. `found_before` are the texts that earlier focal points of the same thought have found. Scores are shown to
        users, and decide nothing.
        """
        ...


class Plans(Protocol):
    """Planning (paper §4.3). The Ville's own: `cognitive_modules/planning/plan.py`."""

    async def plan(self, mind: "Mind", moment: "Moment", day: "DayChange") -> None:
        """See to it that there is a schedule of the whole day and an action that is not over.

        `mind.scratch.schedule` and `hourly_schedule` have 1,440 minutes; `mind.scratch.begin` begins an action. `day`
        says whether this is the first step of the persona, or of a day.
        """
        ...


class Reacts(Protocol):
    """Reaction (paper §4.3.1). The Ville's own: `cognitive_modules/react.py`."""

    async def react(
        self, mind: "Mind", moment: "Moment", recalled: "Mapping[str, RelatedMemories]"
    ) -> "Reaction":  # fmt: skip
        """Return `CarryOn()`, `Talk(name)` to go up to somebody in town, or `WaitUntil(time)` or
        `ChangeActivity(words)` after having begun that action.

        `recalled` has what was just perceived, by description, with the memories that share a keyword with it.
        """
        ...


class Converses(Protocol):
    """Conversation (paper §4.3.2). The Ville's own: `cognitive_modules/conversing/converse.py`."""

    async def converse(
        self, first: "tuple[Mind, Moment]", second: "tuple[Mind, Moment]"
    ) -> "ConversationResult | None":  # fmt: skip
        """Return the conversation that the first begins with the second; None if none takes place.

        The transcript has pairs of speaker and words, by these two only; `minutes` is how long it takes, at least 1.
        Each moment asks in the name of its own persona.
        """
        ...


class Reflects(Protocol):
    """Reflection (paper §4.2). The Ville's own: `cognitive_modules/reflect.py`."""

    async def reflect(self, mind: "Mind", moment: "Moment", ending: "Conversation | None") -> None:
        """Remember what follows from memories, if it is time, and from the conversation that ends in this step, if one
        does.
        """
        ...


class Thinks(Protocol):
    """A whole persona: all that it does in a step. The Ville's own: `Persona.think`."""

    async def think(self, mind: "Mind", moment: "Moment") -> "Intent":
        """Return what the persona is about to do: next tile, emoji, description and reaction. What others see of it is
        `mind.scratch.action`. `execute` of `cognitive_modules/execute.py` finds the way there.
        """
        ...


@dataclass(frozen=True)
class MindModules:
    """The parts of minds that are replaced, as functions that check what they return. None: the Ville's own."""

    perceive: "Callable[[Mind, Moment], Awaitable[Sequence[ConceptNode]]] | None" = None
    retrieve: "Callable[..., list[RetrievedMemory]] | None" = None
    plan: "Callable[[Mind, Moment, DayChange], Awaitable[None]] | None" = None
    react: "Callable[[Mind, Moment, Mapping[str, RelatedMemories]], Awaitable[Reaction]] | None" = None
    converse: "Callable[[tuple[Mind, Moment], tuple[Mind, Moment]], Awaitable[ConversationResult | None]] | None" = None
    reflect: "Callable[[Mind, Moment, Conversation | None], Awaitable[None]] | None" = None
    persona: "Callable[[Mind, Moment], Awaitable[Intent]] | None" = None
    record: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Record of them in a run, by part: class, and digest of the file that defines it."""

    @property
    def think_always(self) -> bool:
        """Whether no step may be left out because the Ville's own parts would have nothing to decide in it."""
        return any((self.perceive, self.plan, self.react, self.reflect, self.persona))


Method = Callable[..., Any]
"""A method of an object that replaces a part. Its protocol has the types; a user's code may have others."""
PROTOCOLS: Mapping[str, Method] = {
    "perceive": Perceives.perceive,
    "retrieve": Retrieves.retrieve,
    "plan": Plans.plan,
    "react": Reacts.react,
    "converse": Converses.converse,
    "reflect": Reflects.reflect,
    "persona": Thinks.think,
}
"""The method of each part."""
