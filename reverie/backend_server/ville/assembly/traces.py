"""Questions and retrievals in steps of a run, which are computed again exactly and listened to: with the offline
rules, who keep no ledger, and from a ledger.
"""

import asyncio
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ville.analysis.comparison.compared_run import ComparedRun
from ville.analysis.comparison.prompts import AskedQuestion
from ville.analysis.why.heard import (
    DayEntry,
    DoingState,
    HeardQuestion,
    HeardRetrieval,
    HeardStep,
    ScoredMemory,
)
from ville.analysis.why.known import FIELDS
from ville.assembly.at_moment import DIVERGED, steps_again
from ville.assembly.same_draws import NotedQuestion, NotingChat, Place
from ville.errors import BadMoment
from ville.llm.gateway import Chat, ChatReply, ChatRequest, Embedder, Vectors
from ville.persona.cognitive_modules.mind import Mind, Moment
from ville.persona.cognitive_modules.retrieve import RELEASED_WEIGHTS, RetrievedMemory, score_memories
from ville.persona.memory_structures.stream.vectors import Vector
from ville.persona.prompt_template.blanks import blank_text
from ville.settings import Settings
from ville.simulation.simulation import Simulation

RUNNERS_UP = 5
"""Memories of a retrieval that were not taken, the best of them."""


class ListeningChat:
    """Layer that notes what is asked and answered."""

    def __init__(self, chat: Chat, heard: list[tuple[ChatRequest, ChatReply]]) -> None:
        self._chat, self._heard = chat, heard

    async def complete(self, request: ChatRequest) -> ChatReply:
        reply = await self._chat.complete(request)
        if not any(message.role == "assistant" for message in request.messages):
            self._heard.append((request, reply))
        return reply


class ListeningEmbedder:
    """Layer that remembers which text has which vector: a retrieval is told only the vector."""

    def __init__(self, embedder: Embedder, texts: dict[bytes, str]) -> None:
        self.name = embedder.name
        self._embedder, self._texts = embedder, texts

    async def embed(self, texts: Sequence[str], step: int | None = None, /) -> Vectors:
        vectors = await self._embedder.embed(texts, step)
        self._texts.update((vector.tobytes(), text) for text, vector in zip(texts, vectors, strict=True))
        return vectors


@dataclass
class StepListener:
    """Hears questions and retrievals of a simulation whose steps are computed again. It changes nothing."""

    simulation: Simulation | None = None
    heard: list[tuple[ChatRequest, ChatReply]] = field(default_factory=list)
    retrievals: list[tuple[int, HeardRetrieval]] = field(default_factory=list)
    """With the number of questions that were answered before."""
    texts: dict[bytes, str] = field(default_factory=dict)
    noted: dict[Place, NotedQuestion] = field(default_factory=dict)
    """All questions; they are not cleared."""

    def listen(self, simulation: Simulation) -> None:
        """Listen to a simulation from now on."""
        self.simulation = simulation
        models = simulation.models
        chat = ListeningChat(NotingChat(models.chat, self.noted), self.heard)
        embedder = ListeningEmbedder(models.embedder, self.texts)
        simulation.models = replace(models, chat=chat, embedder=embedder)
        for persona in simulation.town.personas.values():
            persona.mind.listener = self._retrieved

    def clear(self) -> None:
        for noted in (self.heard, self.retrievals, self.texts):
            noted.clear()

    def _retrieved(self, mind: Mind, moment: Moment, focus: Vector, found: Sequence[RetrievedMemory]) -> None:
        text = self.texts.get(np.asarray(focus).tobytes(), "")
        taken = tuple(map(_scored, found))
        self.retrievals.append(
            (len(self.heard), HeardRetrieval(mind.name, text, _weights(mind), taken, _left(mind, moment, focus, found)))
        )

    def step(self, number: int) -> HeardStep:
        """Return what was heard since the last `clear`."""
        questions = [self._question(place, *each) for place, each in enumerate(self.heard)]
        simulation = self.simulation
        people = simulation.town.personas.items() if simulation else ()
        states = {name: state for name, persona in people if simulation and (state := _state(simulation, persona.mind))}
        return HeardStep(number, tuple(sorted(questions, key=lambda each: each.persona)), states)

    def _question(self, place: int, request: ChatRequest, reply: ChatReply) -> HeardQuestion:
        prompt = "\n\n".join(message.content for message in request.messages)
        parts = tuple((name, blank_text(value)) for name, value in request.fields.items() if value not in (None, ""))
        texts = " ".join(text for _, text in parts)
        retrieved = [
            each
            for before, each in self.retrievals
            if before <= place and each.persona == request.persona and _is_told(each, texts)
        ]
        return HeardQuestion(
            request.step, request.persona, request.question, parts, prompt, reply.text, tuple(dict.fromkeys(retrieved))
        )


def _is_told(retrieval: HeardRetrieval, prompt: str) -> bool:
    """Return whether most of what was retrieved is in a prompt."""
    told = sum(each.text in prompt for each in retrieval.taken)
    return told * 2 > len(retrieval.taken)


def _scored(found: RetrievedMemory) -> ScoredMemory:
    return ScoredMemory(
        found.node.node_id, found.node.description, found.recency, found.relevance, found.importance, found.score,
        found.reserved,
    )  # fmt: skip


def _weights(mind: Mind) -> tuple[float, float, float]:
    tuning = mind.scratch.tuning
    own = (tuning.recency_w, tuning.relevance_w, tuning.importance_w)
    factors = RELEASED_WEIGHTS if mind.settings.retrieval == "released" else (1.0, 1.0, 1.0)
    return own[0] * factors[0], own[1] * factors[1], own[2] * factors[2]


def _left(mind: Mind, moment: Moment, focus: Vector, found: Sequence[RetrievedMemory]) -> tuple[ScoredMemory, ...]:
    """Return the best memories that were not taken."""
    tuning, method = mind.scratch.tuning, mind.settings.retrieval
    scores = score_memories(mind.stream, focus, tuning=tuning, now=moment.now, method=method)
    taken = {each.node.embedding_key for each in found}
    left: list[ScoredMemory] = []
    for number in scores.numbers[np.argsort(-scores.score, kind="stable")].tolist():
        node = mind.stream[number]
        if len(left) == RUNNERS_UP:
            break
        if node.embedding_key not in taken:
            left.append(_scored(scores.of(node, reserved=False)))
            taken.add(node.embedding_key)
    return tuple(left)


def _state(simulation: Simulation, mind: Mind) -> DoingState | None:
    """Return what a persona does after a step, and the entry of its plan."""
    scratch, clock = mind.scratch, simulation.clock
    action = scratch.action
    if action is None:
        return None
    begun = clock.step - math.ceil((clock.now - action.start).total_seconds() / clock.seconds_per_step)
    minute = action.start.hour * 60 + action.start.minute
    parent = scratch.schedule.at(min(minute + (action.start.second > 0), 1439)) if scratch.schedule else None
    about = (parent.of or parent.what) if parent else ""
    entries = [DayEntry(*each[:2], each.activity.what) for each in scratch.hourly_schedule.slots()]
    there = [each for each in entries if each.start <= minute < each.end]
    named = [each for each in there if each.what == about] or [each for each in entries if each.what == about] or there
    identity = {name: str(getattr(scratch.identity, name) or "") for name in FIELDS}
    return DoingState(action.description, begun, named[0] if named else None, identity)


def heard_steps(
    settings: Settings, run: ComparedRun, steps: range, *, noted: dict[Place, NotedQuestion] | None = None
) -> Iterator[HeardStep]:
    """Yield what is heard in some steps of a saved run, as soon as each has been computed again. `noted` takes up the
    questions.

    Use it only in a thread without a running event loop. Raises BadMoment if the steps cannot be computed again.
    """
    listener = StepListener(noted={} if noted is None else noted)
    again = steps_again(settings, run.folder.root, steps, prepare=listener.listen)

    async def next_step() -> int | None:
        return await anext(again, None)

    with asyncio.Runner() as runner:  # which closes `again`, and its copy, however this ends
        try:
            while (step := runner.run(next_step())) is not None:
                if step >= steps.start:
                    yield listener.step(step)
                listener.clear()
        except DIVERGED as fault:
            raise BadMoment(str(fault)) from fault


def traced_questions(settings: Settings, run: ComparedRun, steps: range) -> Iterator[AskedQuestion]:
    """Yield what the rules were asked in some steps of a saved run. As `heard_steps`."""
    for heard in heard_steps(settings, run, steps):
        for each in heard.questions:
            yield AskedQuestion(each.step, each.persona, each.question, each.prompt, each.answer)
