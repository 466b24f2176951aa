"""Carries out requests of other programs between two steps: one method for each kind."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict
from typing import Any, Protocol

from ville.errors import BadArgument
from ville.json_types import JsonObject
from ville.persona.cognitive_modules.conversing.interview import InterviewReply
from ville.persona.cognitive_modules.retrieve import RetrievedMemory
from ville.simulation.clock import Span, UntilTalk
from ville.simulation.interventions.catalogue import parse_intervention
from ville.simulation.interventions.intervention import Source
from ville.simulation.pacing.spans import steps_ahead
from ville.simulation.persona_names import find_persona
from ville.simulation.requests.run_requests import (
    AnyRequest,
    RemoteIntervention,
    RemoteInterview,
    RemotePause,
    RemoteRequest,
    RemoteResidents,
    RemoteRun,
    RemoteSave,
    RemoteSaveAs,
    RemoteSay,
    RemoteSpeed,
    RemoteStop,
    RemoteUntil,
)
from ville.simulation.running.run_summary import saved_line
from ville.simulation.simulation import Simulation
from ville.simulation.talks.open_user_talk import UserTalk
from ville.simulation.user_texts import VISITOR, checked_history
from ville.storage.dates import time_text
from ville.storage.exchange.inbox import Ack

NO_RUN = "No run is in progress. Send 'run' with steps or until."
NOT_PAUSED = "No run is paused. Send 'run' with steps or until."


class Host(Protocol):
    """The session in which a simulation is open."""

    def notice(self, line: str) -> None:
        """Show what a request does."""
        ...

    def begin(self, until_step: int, *, until_talk: bool) -> None:
        """Begin a run; none is in progress."""
        ...

    def leave(self) -> None:
        """End the session soon. May be called more than once."""
        ...


class Actions:
    """Carries out requests. Use `carry_out` only between two steps; each method raises ReverieError."""

    def __init__(self, simulation: Simulation, host: Host) -> None:
        self._simulation = simulation
        self._host = host

    async def carry_out(self, request: AnyRequest) -> Ack:
        """Carry out any request but an interview or talk, and return its acknowledgement."""
        return {"id": request.id, "request": request.request, **await _ACTIONS[type(request)](self, request)}

    async def intervene(self, request: RemoteIntervention) -> Ack:
        """Apply an intervention, unless its row is in the log already."""
        intake = self._simulation.intake
        source = Source(door=request.door, by=request.by, id=request.id)
        said = "\n".join(await intake.take([parse_intervention(request.values)], source)).splitlines()
        for line in said:
            self._show(request, line)
        row = intake.row_of(request.id) or {}
        return {"result": "applied", "step": row.get("step"), "n": row.get("n"), "said": said}

    async def run(self, request: RemoteRun) -> Ack:
        control = self._simulation.control
        if request.span is not None:
            return self._run_for(request, request.span)
        if not control.paused or control.until_step is None:
            raise BadArgument(NOT_PAUSED)
        return self._run_to(request, control.until_step, until_talk=control.until_talk)

    async def until(self, request: RemoteUntil) -> Ack:
        if self._simulation.control.state == "waiting":
            raise BadArgument(NO_RUN)
        return self._run_for(request, request.span)

    def _run_for(self, request: RemoteRequest, span: Span) -> Ack:
        clock = self._simulation.clock
        until_step, until_talk = clock.step + steps_ahead(clock, span), isinstance(span, UntilTalk)
        return self._run_to(request, until_step, until_talk=until_talk)

    def _run_to(self, request: RemoteRequest, until_step: int, *, until_talk: bool) -> Ack:
        control = self._simulation.control
        most = "somebody begins to talk, at most until " if until_talk else ""
        self._show(request, f"Running until {most}step {until_step:,}.")
        if control.state == "waiting":
            self._host.begin(until_step, until_talk=until_talk)
        else:
            control.go(until_step, until_talk=until_talk)
        return {**self._done(), "until_step": until_step}

    async def pause(self, request: RemotePause) -> Ack:
        """Hold the run, and save once."""
        control, clock = self._simulation.control, self._simulation.clock
        if control.state == "waiting":
            raise BadArgument(NO_RUN)
        if not control.paused:
            await self._simulation.settle()
            self._simulation.save()
            control.hold()
            self._show(request, f"Paused and saved: {time_text(clock.now)}, step {clock.step:,}.")
        return self._done()

    async def set_speed(self, request: RemoteSpeed) -> Ack:
        self._simulation.control.set_speed(request.value)
        self._show(request, f"Speed: {request.value}.")
        return self._done()

    async def save(self, request: RemoteSave) -> Ack:
        await self._simulation.settle()
        self._simulation.save()
        self._show(request, saved_line(self._simulation))
        return self._done()

    async def save_as(self, request: RemoteSaveAs) -> Ack:
        """Save, and copy the save."""
        await self._simulation.save_as(request.name, request.title)
        self._show(request, f"{saved_line(self._simulation)} A copy is kept as {request.name}.")
        return {**self._done(), "name": request.name}

    async def stop(self, request: RemoteStop) -> Ack:
        """Save, and end the run; the listener then ends the session."""
        await self._simulation.settle()
        self._simulation.save()
        if self._simulation.control.until_step is not None:
            self._simulation.control.halt(self._simulation.clock.step)
        self._show(request, "Saving and leaving.")
        return self._done()

    async def answer(self, request: RemoteInterview | RemoteSay) -> Ack:
        """Carry out a request that a persona answers. Waits for the end of a step by itself."""
        return await (self.say(request) if isinstance(request, RemoteSay) else self.interview(request))

    async def interview(self, request: RemoteInterview) -> Ack:
        """Ask a persona, and return the acknowledgement."""
        simulation = self._simulation
        name = find_persona(request.who, list(simulation.town.personas))
        self._show(request, f"Interview with {name}.")
        history = checked_history(request.history)
        reply = await simulation.interviews.ask(name, request.question, role=request.role, history=history)
        return answered(request, simulation.clock.step, reply)

    async def say(self, request: RemoteSay) -> Ack:
        """Return what a persona answers in a conversation, and whether it ends it. The simulation does not change."""
        simulation = self._simulation
        name = find_persona(request.who, list(simulation.town.personas))
        talk = UserTalk(simulation, name, request.role or VISITOR, transcript=checked_history(request.history))
        self._show(request, f"Talk with {name}.")
        text = await talk.say(request.words)
        done = answered(request, simulation.clock.step, InterviewReply(text, talk.memories, by_rules=talk.by_rules))
        return {**done, "over": talk.over, "role": talk.role}

    async def residents(self, request: RemoteResidents) -> Ack:  # noqa: ARG002 - as for every action
        people = [persona.scratch.identity for persona in self._simulation.town.personas.values()]
        return {**self._done(), "residents": [asdict(identity) for identity in people]}

    def _done(self) -> Ack:
        return {"result": "done", "step": self._simulation.clock.step}

    def _show(self, request: RemoteRequest, line: str) -> None:
        door = f"{request.door}, {request.by}" if request.by else request.door
        self._host.notice(f"[{door}] {line}")


def answered(request: RemoteRequest, step: int, reply: InterviewReply) -> Ack:
    """Return the acknowledgement of a question to a persona, as of a step."""
    memories = [_memory(memory) for memory in reply.memories]
    about = {"id": request.id, "request": getattr(request, "request", ""), "result": "done", "step": step}
    return {**about, "text": reply.text, "by_rules": reply.by_rules, "memories": memories}


def _memory(memory: RetrievedMemory) -> JsonObject:
    scores = {"recency": memory.recency, "relevance": memory.relevance, "importance": memory.importance}
    return {"node": memory.node.node_id, "description": memory.node.description, **scores, "score": memory.score}


_ACTIONS: Mapping[type[RemoteRequest], Callable[[Actions, Any], Awaitable[Ack]]] = {
    RemoteIntervention: Actions.intervene,
    RemoteRun: Actions.run,
    RemoteUntil: Actions.until,
    RemotePause: Actions.pause,
    RemoteSpeed: Actions.set_speed,
    RemoteSave: Actions.save,
    RemoteSaveAs: Actions.save_as,
    RemoteStop: Actions.stop,
    RemoteResidents: Actions.residents,
}
