"""An engine without a prompt: opens, hosts and closes simulations, one at a time, as requests of other programs ask."""

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import AsyncExitStack, contextmanager, suppress
from dataclasses import asdict

from ville.assembly.models import models_line
from ville.assembly.reading import read_for_interviews
from ville.assembly.run import open_at, steps_to_copy
from ville.assembly.undoing import undo
from ville.errors import BadArgument, CannotWrite, ReverieError, SetupError
from ville.jobs.background import BackgroundRuns
from ville.jobs.branch_spec import acknowledged, branch_spec
from ville.json_types import JsonObject
from ville.plain_text import quantity
from ville.service.actions import answered
from ville.service.after_crash import Restart, RunKeeper, step_in_progress
from ville.service.hosting import HostedSimulation
from ville.service.listener import INTERVAL, RequestTaker
from ville.service.model_report import answer_about_models
from ville.service.opening_plan import OpeningPlan
from ville.service.page_studies import PageStudies
from ville.settings import Settings, load_settings, settings_stamp
from ville.simulation.clock import UntilTalk
from ville.simulation.map_fit import map_notice
from ville.simulation.pacing.spans import steps_ahead
from ville.simulation.persona_names import find_persona
from ville.simulation.requests.engine_requests import (
    EngineBranch,
    EngineClose,
    EngineInterview,
    EngineModels,
    EngineOpen,
    EngineRequest,
    EngineStopBranch,
    EngineTestModels,
    EngineUndo,
    StudyRequest,
    parse_engine_request,
)
from ville.simulation.simulation import Simulation
from ville.simulation.stepping.step import StepReport
from ville.simulation.user_texts import checked_history
from ville.storage.compressed.compressed_folder import find_compressed
from ville.storage.compressed.unpacking import unpack_once
from ville.storage.dates import time_text
from ville.storage.exchange.inbox import Ack, Inbox, Received
from ville.storage.past.moments import split_moment
from ville.terminal.terminal import Terminal

NOTHING_OPEN = "No simulation is open."
TOO_OLD = "This was sent before the engine was started. Send it again if it is still wanted."


class ServedEngine:
    """Carries out the requests to the engine itself. `status` may be called by another thread."""

    def __init__(
        self,
        flags: Mapping[str, object],
        settings: Settings,
        terminal: Terminal,
        *,
        opening: str = "",
        lost: str | None = None,
    ) -> None:
        """Begin to listen. Raises CannotWrite.

        `flags` are those of the command line; the other settings are loaded anew for each simulation. `opening` is the
        name of the one that is opened first, `lost` of the one that was open in an engine that has ended unexpectedly.
        """
        self._flags = flags
        self._terminal = terminal
        self._taker = RequestTaker(Inbox(settings.fs_temp_storage, None, fsync=settings.fsync))
        self._background = BackgroundRuns(settings, terminal.say)
        self._studies = PageStudies(flags, terminal.say)
        self._runs = RunKeeper(settings.fs_temp_storage)
        self._hosted: HostedSimulation | None = None
        self._opening = opening
        """Name of the simulation that is being opened."""
        self._lost = lost
        """Status of the simulation to open again. It stays in the status until then: this engine may be killed before.
        """
        self._copying = 0
        """Number of steps that are being copied for it, if they are many."""
        self._computing = 0
        """Number of steps that still have to be computed again for it."""
        self._fault = ""
        self._restarted: Restart | None = None
        """Fate of the run after another engine crashed; None once it has ended."""
        self._models = ""
        self._settings_read = settings_stamp()
        self._last_request: int | None = None
        self._leaving = asyncio.Event()
        self._crash: BaseException | None = None
        """Error of a simulation that a user cannot fix."""
        try:
            self._models = models_line(settings)
        except SetupError as fault:
            self.note_fault(fault)

    def status(self) -> JsonObject:
        """Return the content of engine_status.json."""
        self._follow_settings()
        hosted = self._hosted
        hosts = hosted.simulation.name if hosted else self._lost
        return {
            "state": "opening" if self._opening else "open" if hosts else "idle",
            "sim_code": self._opening or hosts,
            "copying": self._copying,
            "computing": self._computing,
            "fault": self._fault,
            "restarted": asdict(self._restarted) if self._restarted else None,
            "models": self._models,
            "last_request": self._last_request,
            "hosts": hosts,
        }

    def _follow_settings(self) -> None:
        """Name the models of the settings as they are now: a page, a migration or an editor may have written them."""
        if self._settings_read != (now := settings_stamp()):
            self._settings_read = now
            with suppress(SetupError):  # said by what needs them
                self._models = models_line(load_settings(self._flags))

    def note_fault(self, fault: ReverieError) -> None:
        """Tell pages and terminal what went wrong."""
        self._fault = str(fault)
        self._terminal.say(self._fault)

    @contextmanager
    def noting_faults(self) -> Iterator[None]:
        """Inside this context, tell pages and terminal what goes wrong; the error goes on."""
        try:
            yield
        except ReverieError as fault:
            self.note_fault(fault)
            raise

    def leave(self) -> None:
        """Let `serve` end soon."""
        self._leaving.set()

    async def serve(self, *, take_early: bool) -> None:
        """Carry out requests until `leave` is called, then save and close. Raises the error of a simulation that
        crashes.

        `take_early`: whether to carry out what was sent before, rather than refuse it.
        """
        with suppress(ReverieError):  # a full disk; the next engine tries again
            self._background.tidy()
        listening = asyncio.create_task(self._listen(take_early=take_early))
        listening.add_done_callback(self._note_crash)
        await self._leaving.wait()
        listening.cancel()
        await asyncio.wait({listening})
        await self._taker.close()
        await asyncio.gather(self._background.close(), self._studies.close(), self._close_hosted())
        if self._crash:
            raise self._crash

    async def _listen(self, *, take_early: bool) -> None:
        taker = self._taker
        early = frozenset() if take_early else taker.early

        async def answer(received: Received) -> Ack | None:
            if received.number in early:
                raise BadArgument(TOO_OLD)
            return await self._answer(received)

        while True:
            with suppress(CannotWrite):  # then it stays due, and only its acknowledgement is written again
                for number in taker.due():
                    await taker.handle(number, answer)
                    self._last_request = taker.last
            self._last_request = taker.last
            await asyncio.sleep(INTERVAL)

    def _note_crash(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()):
            self._crash = error
            self.leave()

    async def _answer(self, received: Received) -> Ack | None:
        """Carry out a request and return its acknowledgement; None if it follows later. Raises ReverieError."""
        if received.fault:
            raise BadArgument(received.fault)
        request = parse_engine_request(received.values)
        match request:
            case EngineInterview():
                self._taker.answer_later(received, self._interview(request))
                return None
            case EngineModels() | EngineTestModels():
                self._taker.answer_later(received, self._about_models(request))
                return None
            case _ if isinstance(request, StudyRequest):
                self._taker.answer_later(received, self._studies.answer(request))
                return None
            case _:
                done = await self._carry_out(request)
        return {"id": request.id, "request": request.request, "result": "done", **done}

    async def _carry_out(self, request: EngineRequest) -> Ack:
        """Carry out a request that changes which simulations are open or there, and return what was done."""
        match request:
            case EngineClose():
                return await self._close()
            case EngineOpen():
                with self.noting_faults():
                    return await self.open(request)
            case EngineBranch():
                return await self._branch(request)
            case EngineStopBranch():
                self._background.stop(request.name)
                return {"sim_code": request.name}
            case EngineUndo():
                return await self._undo(request)
            case _:
                raise AssertionError(request)

    async def open_first(self, request: EngineOpen) -> None:
        """Open a simulation before requests are taken, unless `leave` is called meanwhile. Raises ReverieError."""
        opening, leaving = asyncio.create_task(self.open(request)), asyncio.create_task(self._leaving.wait())
        await asyncio.wait({opening, leaving}, return_when=asyncio.FIRST_COMPLETED)
        for task in (opening, leaving):
            if not task.done():
                task.cancel()
        with suppress(asyncio.CancelledError):
            await opening

    def end_reopening(self) -> None:
        """Note that what was open is open again, or cannot be."""
        self._opening, self._lost = "", None

    async def open_again(self, request: EngineOpen) -> None:
        """Open what was open in an engine that has ended unexpectedly; its run goes on. Raises ReverieError."""
        place = step_in_progress(load_settings(self._flags).fs_storage / request.name)
        await self.open_first(request)
        if self._hosted:
            self._restarted = self._runs.go_on(self._hosted, place)
            self._terminal.say(str(self._restarted))

    async def open(self, request: EngineOpen) -> Ack:
        """Open a simulation instead of the one that is open, which stays open if that fails. Raises ReverieError."""
        self._opening = request.name
        try:
            plan = OpeningPlan.of(request, self._flags)
            self._models = models_line(plan.settings)
            hosted = await self._open(plan)
        finally:
            self._opening, self._copying, self._computing = "", 0, 0
        self._fault, self._restarted = "", None
        self._begin(hosted, request)
        return {"sim_code": hosted.simulation.name, "step": hosted.simulation.clock.step}

    async def _open(self, plan: OpeningPlan) -> HostedSimulation:
        origin, name, hosted = plan.origin, plan.request.name, self._hosted
        if hosted and origin == name == hosted.simulation.name:
            await plan.prepare(hosted.simulation)
            return hosted
        if hosted and split_moment(origin).name == hosted.simulation.name:
            await hosted.save()
        self._copying, self._computing = steps_to_copy(plan.settings, origin, name)
        simulation = await open_at(
            plan.settings, origin, name, lambda _: None, beginning=plan.beginning, watch=self._note_computed
        )
        async with AsyncExitStack() as undo:
            undo.push_async_callback(_drop, simulation)
            await plan.prepare(simulation)
            if self._hosted:
                await self._hosted.save()  # the last thing that can fail
            undo.pop_all()
        await self._close_hosted()
        return await self._host(simulation, plan.settings)

    def _note_computed(self, _report: StepReport, left: int) -> None:
        self._computing = left

    async def _unpack(self, name: str) -> None:
        """Make a compressed simulation a saved one; what is open goes on meanwhile. Raises ReverieError."""
        settings = load_settings(self._flags)
        compressed = find_compressed(settings.replays, name)
        await asyncio.to_thread(unpack_once, compressed.root, settings.fs_storage / name, packs=settings.pack_steps)

    async def _branch(self, request: EngineBranch) -> Ack:
        """Begin a simulation in the background. Raises ReverieError; there is no new simulation then."""
        hosted = self._hosted
        told: JsonObject = {}
        if hosted and request.name == hosted.simulation.name:
            raise BadArgument(f"{request.name} is open. Close it, or give the branch another name.")
        if not self._background.has_done(request.id, request.name):
            if hosted and split_moment(request.origin).name == hosted.simulation.name:
                await hosted.save()
            if request.store == "compressed":
                await self._unpack(split_moment(request.origin).name)
            spec = branch_spec(request, self._flags)
            self._background.begin(spec)
            told = acknowledged(spec)
        return {"sim_code": request.name, **told}

    async def _undo(self, request: EngineUndo) -> Ack:
        """Undo the last intervention of a simulation, which is open again afterwards if it was. Raises ReverieError."""
        hosted = self._hosted
        if hosted is None or hosted.simulation.name != request.name:
            undone = await undo(load_settings(self._flags), request.name, request.number)
            return {"sim_code": request.name, "step": undone.step}
        again = EngineOpen(id=request.id, by=request.by, request="open", origin=request.name, name=request.name)
        await self._close()
        self._opening = self._lost = request.name
        try:
            await undo(load_settings(self._flags), request.name, request.number, watch=self._note_computed)
        finally:
            opened = await self.open(again)
            self.end_reopening()
        return opened

    async def _host(self, simulation: Simulation, settings: Settings) -> HostedSimulation:
        hosted = HostedSimulation(simulation, settings, self._terminal, on_end=self._note_end)
        self._runs.keep(simulation)
        await hosted.ready()
        self._hosted = hosted
        hosted.task.add_done_callback(self._note_closed)
        clock, people = simulation.clock, quantity(len(simulation.town.personas), "persona", "personas")
        self._terminal.say(f"Opened {simulation.name}: {people}, {time_text(clock.now)}, step {clock.step:,}.")
        if notice := [*map_notice(simulation), *simulation.notes]:
            simulation.said.add(*notice)
            self._terminal.say(*notice)
        return hosted

    def _note_end(self) -> None:
        if self._crash is None:
            self._restarted = None
            self._runs.forget()

    def _note_closed(self, task: asyncio.Task[None]) -> None:
        if self._hosted and self._hosted.task is task:
            self._hosted = None
        self._note_crash(task)

    def _begin(self, hosted: HostedSimulation, request: EngineOpen) -> None:
        """Begin the run that a request wants, if any."""
        if span := request.span:
            clock = hosted.simulation.clock
            hosted.begin(clock.step + steps_ahead(clock, span), until_talk=isinstance(span, UntilTalk))

    async def _close(self) -> Ack:
        """Save and close what is open. Raises BadArgument or CannotWrite; it stays open then."""
        hosted = self._hosted
        if hosted is None:
            raise BadArgument(NOTHING_OPEN)
        await hosted.save()
        await self._close_hosted()
        return {"sim_code": hosted.simulation.name, "step": hosted.simulation.clock.step}

    async def _close_hosted(self) -> None:
        if hosted := self._hosted:
            await hosted.close()
            self._hosted = None

    async def _interview(self, request: EngineInterview) -> Ack:
        """Ask a persona of a saved simulation. Raises ReverieError."""
        settings = load_settings(self._flags)
        history = checked_history(request.history)
        interviews, close = await read_for_interviews(
            settings, request.sim_code, compressed=request.store == "compressed"
        )
        try:
            who = find_persona(request.who, list(interviews.town.personas))
            reply = await interviews.ask(who, request.question, role=request.role, history=history)
        finally:
            await close()
        return answered(request, interviews.town.clock.step, reply)

    async def _about_models(self, request: EngineModels | EngineTestModels) -> Ack:
        """Tell of models, and let the status name them, too. Raises ReverieError."""
        self._follow_settings()
        return await answer_about_models(request, self._flags)


async def _drop(simulation: Simulation) -> None:
    """Close a simulation that was opened in vain; a new one is deleted."""
    if simulation.is_new:
        simulation.revert()
    await simulation.close()
