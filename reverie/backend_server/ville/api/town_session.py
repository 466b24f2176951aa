"""An open simulation as used from Python: run it, inspect its personas, talk to them.

Calls that may ask a model have an awaitable twin: `run` and `arun`, and so on.
"""

import asyncio
import threading
import warnings
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from typing import Self

from ville.api.persona_view import PersonaView, PersonaViews, check_text
from ville.api.session_loop import SessionLoop
from ville.api.talk_session import TalkSession
from ville.api.town_visitor import TownVisitor, Where, send
from ville.assembly.forking import Beginning
from ville.assembly.run import open_at
from ville.errors import BadArgument, SessionBusy
from ville.persona.cognitive_modules.conversing.interview import InterviewReply
from ville.settings import Settings
from ville.simulation.clock import Span, Steps, UntilMoment
from ville.simulation.interventions.addresses import objects_of, places_of
from ville.simulation.interventions.catalogue import parse_intervention
from ville.simulation.interventions.circumstances import Circumstances
from ville.simulation.interventions.intervention import API
from ville.simulation.interventions.intervention_file import planned_rows, read_interventions
from ville.simulation.interventions.prepare import check_planned
from ville.simulation.pacing.spans import read_span, steps_ahead
from ville.simulation.persona_names import find_persona
from ville.simulation.running.run_loop import StopRequest, run
from ville.simulation.running.run_summary import RunReport, Summary
from ville.simulation.simulation import Simulation
from ville.simulation.talks import whispers as talk
from ville.simulation.talks.open_user_talk import UserTalk
from ville.simulation.user_texts import VISITOR, checked_history


class TownSession:
    """An open simulation. Only one process can have it open: close it, or use it in `with` or `async with`."""

    def __init__(self, settings: Settings, origin: str, name: str, *, title: str = "") -> None:
        """Fork `origin` to `name`, or resume it if both are the same. Raises ReverieError."""
        self._settings = settings
        self._running: StopRequest | None = None
        """Stops the run that is in progress, if any."""
        self._ended = threading.Event()
        """Set while no run is in progress."""
        self._ended.set()
        self._loop = SessionLoop(name)
        with ExitStack() as undo:
            undo.callback(self._loop.close)
            self._simulation = self._loop.wait(self._open(origin, name, title))
            undo.pop_all()
        for note in self._simulation.notes:
            warnings.warn(note, stacklevel=3)  # shown at the call of `ville.fork` or `ville.open`

    async def _open(self, origin: str, name: str, title: str) -> Simulation:
        """Open the simulation in the thread of the loop, because a ledger belongs to the thread that opens it."""
        return await open_at(self._settings, origin, name, beginning=Beginning(title=title))

    def __enter__(self) -> Self:
        self._loop.check_open()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self.__enter__()

    async def __aexit__(self, *_: object) -> None:
        await asyncio.to_thread(self.close)

    def _repr_html_(self) -> str:
        return self.personas.as_html(f"{self.name}: {self.now:%Y-%m-%d %H:%M:%S}, step {self.step:,}")

    def __repr__(self) -> str:
        return f"<{self.name}: {len(self.personas)} personas, {self.now:%Y-%m-%d %H:%M:%S}, step {self.step:,}>"

    @property
    def name(self) -> str:
        """Name of the simulation and of its folder."""
        return self._simulation.name

    @property
    def folder(self) -> Path:
        """Folder of the simulation; docs/storage.md describes its files."""
        return self._simulation.folder.root

    @property
    def step(self) -> int:
        """Number of the next step."""
        return self._simulation.clock.step

    @property
    def now(self) -> datetime:
        """Game time of the next step."""
        return self._simulation.clock.now

    @property
    def personas(self) -> PersonaViews:
        """All personas by name, in the order of meta.json."""
        return PersonaViews((name, PersonaView(self._simulation, name)) for name in self._simulation.town.personas)

    def run(self, steps: int | None = None, *, until: str | datetime | None = None) -> RunReport:
        """Run, then save. Ctrl-C finishes the current step and saves.

        Args:
            steps: number of steps. A step is `sec_per_step` seconds of game time (10 in the bases), a day 8,640 steps.
            until: game time instead: "18:00" (the next time the clock shows it), "February 14, 2023, 18:00:00", or a
                datetime.

        Raises:
            BadArgument: neither or both are given, they are malformed, or the time is in the past.
            SessionBusy: another run of this session is in progress. SessionClosed: it was closed.
            ModelError: the provider refuses, or the budget is used up. The simulation is saved first.
        """
        stop = StopRequest()
        running = self._loop.start(self._run(self._read_span(steps, until), stop))
        while True:
            try:
                return running.result()
            except KeyboardInterrupt:
                if stop.requested:
                    running.cancel()
                    raise
                stop.request()

    async def arun(self, steps: int | None = None, *, until: str | datetime | None = None) -> RunReport:
        """Awaitable twin of `run`."""
        return await self._loop.awaited(self._run(self._read_span(steps, until), StopRequest()))

    def interview(
        self, name: str, question: str, *, role: str = "", history: Iterable[tuple[str, str]] = ()
    ) -> InterviewReply:
        """Ask a persona a question, also while a run goes on. It does not remember the question, and the simulation
        does not change (paper, section 3.2).

        Args:
            name: full name of a persona, or a part that only one has.
            question: at most 2,000 characters.
            role: whom you speak as, for example `a news reporter` or the name of another persona.
            history: earlier turns of the interview, as pairs of speaker and words: `reply.transcript`.

        Raises:
            UnknownPersona: there is no such persona. BadArgument: a text cannot be used.
            ModelError: the model cannot be reached, or the budget is used up.
        """
        return self._loop.wait(self._interview(name, question, role, history=history))

    async def ainterview(
        self, name: str, question: str, *, role: str = "", history: Iterable[tuple[str, str]] = ()
    ) -> InterviewReply:
        """Awaitable twin of `interview`."""
        return await self._loop.awaited(self._interview(name, question, role, history=history))

    def talk(self, name: str, line: str, *, role: str = VISITOR) -> TalkSession:
        """Begin a conversation that the persona will remember, like one with another persona (paper, section 3.2).

        Args:
            name: full name of a persona, or a part that only one has.
            line: what you say first, at most 2,000 characters.
            role: whom you speak as, for example `a news reporter`. As another persona, you speak for it: it remembers,
                too.

        Returns:
            The conversation, with the first answer. The simulation changes when it ends.

        Raises:
            UnknownPersona: there is no such persona. BadArgument: the text cannot be used, or it is asleep or busy.
            ModelError: the model cannot be reached, or the budget is used up.
        """
        return self._loop.wait(self._talk(name, line, role))

    async def atalk(self, name: str, line: str, *, role: str = VISITOR) -> TalkSession:
        """Awaitable twin of `talk`."""
        return await self._loop.awaited(self._talk(name, line, role))

    def whisper(self, name: str, *thoughts: str) -> list[str]:
        """Give a persona thoughts that stay in its memory (paper, section 3.2.1: inner voice).

        Returns the thoughts as the persona remembers them. Raises UnknownPersona, BadArgument or ModelError; nothing is
        remembered then.
        """
        return self._loop.wait(self._whisper(name, thoughts))

    async def awhisper(self, name: str, *thoughts: str) -> list[str]:
        """Awaitable twin of `whisper`."""
        return await self._loop.awaited(self._whisper(name, thoughts))

    def intervene(self, intervention: Mapping[str, object]) -> str:
        """Change something from outside, before the coming step; return what was done.

        Args:
            intervention: an object with a `kind` and its fields (docs/interventions.md), for example
                `{"kind": "memory_drop", "who": "Klaus Mueller", "node": "node_12"}`.

        Raises UnknownPersona, BadIntervention or ModelError; nothing has changed then.
        """
        return self._loop.wait(self._intervene(intervention))

    async def aintervene(self, intervention: Mapping[str, object]) -> str:
        """Awaitable twin of `intervene`."""
        return await self._loop.awaited(self._intervene(intervention))

    def set_object(self, where: str, state: str, *, until: int | str | datetime | None = None) -> str:
        """Set the state of an object, before the coming step; return what was done.

        Args:
            where: the object: `the Ville:Hobbs Cafe:cafe:piano`, `hobbs cafe > piano`, or `piano` if there is one only.
            state: what goes after "is": "burning", "covered in mud". "idle" ends an earlier state.
            until: step before which the state ends, or game time as for `run`. Without it, someone has to end it.

        Raises BadArgument, or BadIntervention if it is not clear which object is meant; nothing has changed then.
        """
        return self._loop.wait(self._set_object(where, state, until))

    async def aset_object(self, where: str, state: str, *, until: int | str | datetime | None = None) -> str:
        """Awaitable twin of `set_object`."""
        return await self._loop.awaited(self._set_object(where, state, until))

    def happen(self, where: str, words: str, *, steps: int = 1) -> str:
        """Let everyone at a place perceive an event, from the coming step on; return what was done.

        Args:
            where: arena, sector or world: `the Ville:Hobbs Cafe:cafe`, `hobbs cafe`, `the Ville`.
            words: a sentence, such as "the fire alarm rings".
            steps: how long it lasts.

        Raises BadArgument, or BadIntervention if it is not clear which place is meant; nothing has changed then.
        """
        return self._loop.wait(self._happen(where, words, steps))

    async def ahappen(self, where: str, words: str, *, steps: int = 1) -> str:
        """Awaitable twin of `happen`."""
        return await self._loop.awaited(self._happen(where, words, steps))

    def places(self) -> list[str]:
        """Return the addresses of all sectors and arenas, for example `the Ville:Hobbs Cafe:cafe`."""
        return places_of(self._simulation.town.maze)

    def objects(self) -> list[str]:
        """Return the addresses of all objects, for example `the Ville:Hobbs Cafe:cafe:piano`."""
        return objects_of(self._simulation.town.maze)

    def plan(self, interventions: str | Path | Sequence[Mapping[str, object]]) -> int:
        """Plan interventions for later steps, instead of those planned before; return their number.

        Args:
            interventions: a file (JSON lines or YAML), or objects with the same keys, each with a `step` or a `time`
                (docs/interventions.md).

        Raises CorruptFile, or BadIntervention for one that is malformed, in the past, or cannot take place here.
        """
        return self._loop.wait(self._plan(interventions))

    def load_history(self, path: str | Path) -> str:
        """Whisper the lines of a history file to all personas; return a summary, with a warning for each malformed row.

        A relative path counts from the assets folder, for example `the_ville/agent_history_init_n3.csv`. Raises
        CorruptFile, UnknownPersona, BadArgument or ModelError; nothing is remembered then.
        """
        file = self._settings.assets / check_text("path", path if not isinstance(path, Path) else str(path))
        return self._loop.wait(talk.load_history(self._simulation, file, API))

    def visitor(
        self, name: str, *, look: str | None = None, about: str | None = None, at: Where | None = None
    ) -> TownVisitor:  # fmt: skip
        """Let a visitor arrive: a person without a mind, whom you move and speak for.

        Args:
            name: letters, blanks, hyphens and apostrophes; not that of a person in the town.
            look: name of a sprite, one of `ville.looks()`.
            about: a sentence about the visitor, as others know it: "a painter from the coast".
            at: column and row, a place such as "the Ville:Hobbs Cafe:cafe", or the name of a persona to go up to.
                Without it, the visitor of this name who is in the town already.

        Raises BadIntervention or BadArgument.
        """
        return self._loop.wait(send(self._simulation, self._loop, name, look=look, about=about, at=at))

    async def avisitor(
        self, name: str, *, look: str | None = None, about: str | None = None, at: Where | None = None
    ) -> TownVisitor:  # fmt: skip
        """Awaitable twin of `visitor`."""
        sent = send(self._simulation, self._loop, name, look=look, about=about, at=at)
        return await self._loop.awaited(sent)

    def save(self) -> None:
        """Save everything atomically. Raises CannotWrite; the previous save is then unchanged."""
        self._loop.wait(self._save())

    def close(self) -> None:
        """Close the simulation without saving; a run in progress finishes its step and saves first.

        `run` has saved; whispers after it need `save`.
        """
        if not self._loop.is_closed:
            if self._running:
                self._running.request()
            self._ended.wait()
            self._loop.wait(self._simulation.close())
            self._loop.close()

    async def _run(self, span: Span, stop: StopRequest) -> RunReport:
        if self._running:
            raise SessionBusy(f"{self.name} is already running. Wait for that run to end.")
        simulation, summary = self._simulation, Summary(self._simulation)
        self._running = stop
        self._ended.clear()
        try:
            steps = simulation.clock.steps_in(span)
            await run(simulation, steps, autosave=self._settings.autosave, watch=summary.count, stop=stop)
            simulation.save()
        finally:
            self._running = None
            self._ended.set()
        return summary.report()

    async def _interview(
        self, name: str, question: str, role: str, *, history: Iterable[tuple[str, str]]
    ) -> InterviewReply:
        line, speaker = check_text("question", question), check_text("role", role) if role != "" else ""
        turns = checked_history(history)
        return await self._simulation.interviews.ask(self._full_name(name), line, role=speaker, history=turns)

    async def _talk(self, name: str, line: str, role: str) -> TalkSession:
        conversation = UserTalk(self._simulation, self._full_name(name), check_text("role", role))
        await conversation.say(check_text("line", line))
        return TalkSession(conversation, self._loop)

    async def _whisper(self, name: str, thoughts: tuple[str, ...]) -> list[str]:
        whispers = [check_text("thought", thought) for thought in thoughts]
        return (await talk.whisper(self._simulation, self._full_name(name), whispers, API)).splitlines()

    async def _intervene(self, intervention: Mapping[str, object]) -> str:
        if not isinstance(intervention, Mapping):
            raise BadArgument(f"intervention={intervention!r:.60} is not an object. Give a dict with a kind.")
        return "\n".join(await self._simulation.intervene(parse_intervention(intervention), source=API))

    async def _set_object(self, where: str, state: str, until: int | str | datetime | None) -> str:
        if isinstance(until, str | datetime):
            clock = self._simulation.clock
            until = clock.step + steps_ahead(clock, _parse_until(until))
        fields = {"where": check_text("where", where), "state": check_text("state", state)}
        return await self._intervene({"kind": "object", **fields, "until": until})

    async def _happen(self, where: str, words: str, steps: int) -> str:
        fields = {"where": check_text("where", where), "words": check_text("words", words), "steps": steps}
        return await self._intervene({"kind": "event", **fields})

    async def _plan(self, interventions: str | Path | Sequence[Mapping[str, object]]) -> int:
        simulation = self._simulation
        if isinstance(interventions, str | Path):
            planned = read_interventions(Path(interventions), simulation.clock)
        else:
            planned = planned_rows(interventions, simulation.clock, "plan")
        check_planned(planned, Circumstances.of(simulation.target()))
        simulation.plan(planned)
        return len(simulation.intake.ahead)

    async def _save(self) -> None:
        await self._simulation.settle()
        self._simulation.save()

    def _read_span(self, steps: int | None, until: str | datetime | None) -> Span:
        if (steps is None) == (until is None):
            raise BadArgument("Give either steps or until, for example steps=100 or until='18:00'.")
        span = _parse_steps(steps) if until is None else _parse_until(until)
        steps_ahead(self._simulation.clock, span)
        return span

    def _full_name(self, name: str) -> str:
        return find_persona(check_text("name", name), list(self._simulation.town.personas))


def _parse_until(until: str | datetime) -> Span:
    """Return the span of an `until` argument. Raises BadArgument."""
    if isinstance(until, datetime):
        return UntilMoment(until.replace(tzinfo=None))
    return read_span(f"until {check_text('until', until)}")


def _parse_steps(steps: object) -> Span:
    """Return the span of a `steps` argument. Raises BadArgument."""
    if isinstance(steps, bool) or not isinstance(steps, int) or steps < 0:
        raise BadArgument(f"steps={steps!r} is not a number of steps. Give a whole number, 0 or more.")
    return Steps(steps)
