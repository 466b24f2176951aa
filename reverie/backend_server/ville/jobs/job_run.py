"""Carries out one run: makes or resumes its simulation, runs it, asks and measures.

A simulation of a study is refused if something else was done with it: that must not become a result.
"""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from platform import node
from typing import Any

from ville.analysis.named_measures import NamedMeasure, named_measure
from ville.analysis.run import Run, group_of
from ville.assembly.forking import Beginning
from ville.assembly.reading import read_for_interviews
from ville.assembly.run import open_at
from ville.errors import BadArgument, BudgetSpent, GivenUp, ReverieError, SimulationInUse
from ville.jobs.job_report import JobReport
from ville.jobs.run_spec import AskedOfRun, RunSpec
from ville.llm.accounting.common_budget import CommonBudget, Payment, SeveralBudgets
from ville.llm.accounting.ledger_schema import OF_STUDY
from ville.llm.accounting.ledgers import spend_of_study
from ville.llm.accounting.wallet import Wallet
from ville.llm.gateway import Usage
from ville.persona.cognitive_modules.mind import gather_all
from ville.reply_form import TEXT, reply_form
from ville.settings import load_settings
from ville.simulation.interventions.planned import Planned
from ville.simulation.persona_names import find_persona
from ville.simulation.running.heartbeat import cost_of
from ville.simulation.running.run_loop import StopRequest, run
from ville.simulation.simulation import ASKED, Simulation
from ville.simulation.stepping.step import StepReport
from ville.storage.dates import time_text
from ville.storage.exchange.background_files import STOPPED_UNMADE
from ville.storage.files import read_object_if_whole
from ville.storage.folder.branches import is_made_for, read_branch
from ville.storage.folder.simulation_folder import SimulationFolder
from ville.storage.folder.storage import find
from ville.storage.past.moments import NamedMoment
from ville.storage.records.intervention_log import LOG, RUN_FILE, read_rows
from ville.storage.records.meta import META
from ville.storage.studies.study_folder import JobResult, StudyAnswer

FIX = "Delete it, and type 'study.py retry' to run it again; for trials of your own, fork it under another name"


def check_untouched(root: Path, step: int, spec: RunSpec) -> None:
    """Raise BadArgument if a simulation was run further than its spec, or if there was another intervention."""
    if step > spec.until_step:
        raise BadArgument(f"{root.name} is at step {step:,}, but its run ends at {spec.until_step:,}. {FIX}.")
    branch, known = read_branch(root), spec.study.known if spec.study else ()
    for row in read_rows(root / "reverie" / LOG)[branch.rows if branch else 0 :]:
        if row["id"] not in known:
            raise BadArgument(
                f"{root.name} has a {row['kind']} at step {row['step']:,} that is not of the study. {FIX}."
            )


INTERVAL = 0.5
"""Seconds between two reports of progress."""
TRIES, PAUSE = 120, 0.5
"""How often, and after how many seconds, a simulation is opened again that a worker of an earlier program still has."""

Report = Callable[[JobReport], None]


def ignore_save() -> None:
    """No-op: saves are not reported."""


class JobRun:
    """One run in this process."""

    def __init__(
        self,
        spec: RunSpec,
        report: Report,
        stop: StopRequest,
        budget: CommonBudget | None = None,
        *,
        saved: Callable[[], None] = ignore_save,
    ) -> None:
        """`budget` is that of a study; its calls draw on the wallet, too. `saved` is called between two steps if there
        was a save since the last call.
        """
        self._spec, self._report, self._stop, self._saved = spec, report, stop, saved
        self._settings = load_settings(spec.settings)
        self._wallet = Wallet.of(self._settings, study=Path(str(spec.budget["folder"])).name) if spec.budget else None
        self._budget = RefusableBudget(SeveralBudgets(budget, self._wallet)) if budget and self._wallet else None
        self._opening: asyncio.Future[Simulation] | None = None
        self._simulation: Simulation | None = None
        self._last = JobReport.beginning(spec)
        self._reported = 0.0

    def now(self) -> JobReport:
        """Return how far the run has come. May be called by another thread."""
        simulation = self._simulation
        return _with_progress(self._last, simulation) if simulation else self._last

    def stop(self) -> None:
        """Stop after the current step; while the simulation is being made, there will be none."""
        self._stop.request()
        if self._opening:
            self._opening.cancel()

    async def carry_out(self) -> JobReport:
        """Return the final report. It has the faults that a user can fix."""
        began = time.monotonic()
        work = asyncio.ensure_future(self._work())
        if self._budget:
            self._budget.stop = work.cancel
        try:
            result = await work
            self._note(state="done" if result else "stopped", result=result.as_json() if result else None)
        except asyncio.CancelledError:
            if self._budget and self._budget.refusal:
                self._note(state="spent", fault=str(self._budget.refusal))
            elif self._stop.requested:
                self._note(state="stopped", fault="" if self._is_made else STOPPED_UNMADE)
            else:
                raise
        except GivenUp:
            self._note(state="stopped")
        except ReverieError as error:
            self._note(state="failed", fault=str(error))
        finally:
            if self._wallet:
                self._wallet.close()
        step = self._last.step if self.saved_step is None else self.saved_step
        self._note(step=step, seconds=round(time.monotonic() - began, 3), host=node())
        return self._last

    async def _work(self) -> JobResult | None:
        """Run, ask and measure; return nothing if a stop was requested. Raises a ReverieError."""
        folder = Path(self._spec.study.folder if self._spec.study else "")
        measures = [named_measure(source, folder) for source in self._spec.measures]
        await self._run()
        if self._stop.requested:
            return None
        result = await self._result(measures)
        return None if self._stop.requested else result

    async def _run(self) -> None:
        """Run to the end, and save. Raises a ReverieError, after saving."""
        spec = self._spec
        if (step := self.saved_step) is not None and spec.study:
            check_untouched(self._root, step, spec)
        if step == spec.until_step or self._stop.requested:
            return
        self._opening = asyncio.ensure_future(self._opened())
        simulation = await self._opening
        self._opening = None
        try:
            self._begin(simulation)
            steps, autosave = simulation.steps_left, self._settings.autosave
            if not steps:
                await simulation.apply_due()
            await run(simulation, steps, autosave=autosave, watch=self._watching(simulation), stop=self._stop)
            simulation.save()
        finally:
            self._last, self._simulation = self.now(), None
            await simulation.close()

    def _begin(self, simulation: Simulation) -> None:
        spec = self._spec
        notes, steps = " ".join(simulation.notes), {"first_step": spec.first_step, "until_step": spec.until_step}
        self._note(state="running", notes=notes, **steps)
        simulation.control.go(spec.until_step, until_talk=spec.until_talk)
        self._simulation = simulation

    def _note(self, **changes: Any) -> None:
        self._last = replace(self._last, **changes)

    @property
    def _root(self) -> Path:
        return self._settings.fs_storage / self._spec.name

    @property
    def _is_made(self) -> bool:
        """Whether the simulation is there, and not another one of its name."""
        spec = self._spec
        ours = spec.study or spec.origin == spec.name  # what else a study meets there, its runner has refused
        return (self._root / META).exists() and bool(ours or is_made_for(self._root, spec.request))

    @property
    def saved_step(self) -> int | None:
        """The next step to compute, by the last save; None if there is none."""
        return SimulationFolder(self._root).meta.step if self._is_made else None

    async def _opened(self) -> Simulation:
        """Return the simulation, resumed or new."""
        for tries_left in reversed(range(TRIES if self._spec.study else 1)):
            try:
                return await self._open()
            except SimulationInUse:
                if not tries_left:
                    raise
                await asyncio.sleep(PAUSE)
        raise AssertionError

    async def _open(self) -> Simulation:
        spec, settings = self._spec, self._settings
        if self._is_made:
            return await open_at(settings, spec.name, spec.name, budget=self._budget)
        source = f"interventions of {spec.name}"
        added = [Planned.from_row(dict(row), source, logged=False) for row in spec.interventions]
        beginning = Beginning(title=spec.title, added=added, request=spec.request, links=spec.study is not None)
        return await open_at(
            settings, spec.origin, spec.name, beginning=beginning, watch=self._show_retraced, budget=self._budget
        )

    def _show_retraced(self, report: StepReport, left: int) -> None:
        self._note(step=self._spec.first_step - left, curr_time=time_text(report.now))

    def _watching(self, simulation: Simulation) -> Callable[[object], None]:
        last = simulation.folder.meta

        def watch(_report: object) -> None:
            nonlocal last
            if simulation.folder.meta is not last:
                last = simulation.folder.meta
                self._saved()
            if time.monotonic() - self._reported >= INTERVAL:
                self._reported = time.monotonic()
                self._report(self.now())

        return watch

    async def _result(self, measures: Sequence[NamedMeasure]) -> JobResult:
        """Ask and measure. Raises a ReverieError."""
        answers = [answer for asked in self._spec.questions for answer in await self._ask(asked)]
        asked, folder = [answer.as_json() for answer in answers], find(self._settings.fs_storage, self._spec.name)
        run = Run(folder, answers=asked, groups=self._groups)
        return self._spent({measure.name: _number(measure.of(run)) for measure in measures}, answers)

    @property
    def _groups(self) -> Mapping[str, Sequence[str]]:
        return self._spec.study.groups if self._spec.study else {}

    async def _ask(self, asked: AskedOfRun) -> Sequence[StudyAnswer]:
        if self._stop.requested:
            return []
        name, settings, form = self._spec.name, self._settings, reply_form(asked.form)
        wanted = None if form.kind == TEXT else form
        named = name if asked.step == self._spec.until_step else str(NamedMoment(name, str(asked.step)))
        interviews, close = await read_for_interviews(settings, named, budget=self._budget)
        if ledgers := interviews.services.ledgers:
            ledgers.open_interviews().purpose = OF_STUDY
        try:
            people = list(interviews.town.personas)
            names = [find_persona(each, people) for each in asked.of] or people
            replies = await gather_all(interviews.ask(each, asked.ask, role=asked.role, form=wanted) for each in names)
        finally:
            await close()
        return [
            StudyAnswer(
                **{key: getattr(asked, key) for key in ("ask", "when", "role", "name", "step")},
                who=who,
                answer=reply.text,
                form=form.words,
                value=form.read(reply.text),
                group=group_of(who, self._groups),
            )
            for who, reply in zip(names, replies, strict=True)
        ]

    def _spent(self, measures: Mapping[str, float | None], answers: Sequence[StudyAnswer]) -> JobResult:
        """Return the result with what the run and these questions used. Other interviews are no part of it."""
        reverie = self._settings.fs_storage / self._spec.name / "reverie"
        noted = read_object_if_whole(reverie / RUN_FILE) or {}
        spend = spend_of_study(reverie)
        return JobResult(
            measures=dict(measures),
            answers=list(answers),
            calls=spend.calls,
            tokens=spend.tokens,
            cost=round(spend.cost, 9),
            asked=asked if isinstance(asked := noted.get(ASKED), int) else 0,
        )


def _number(value: float | None) -> float | None:
    return None if value is None else float(value)


def _with_progress(report: JobReport, simulation: Simulation) -> JobReport:
    clock, services = simulation.clock, simulation.services
    return replace(
        report, step=clock.step, curr_time=time_text(clock.now), models=services.models_line, cost=cost_of(services)
    )


class RefusableBudget:
    """The common budget for one run. Once a call is refused, no other is sent, and the run is stopped when those that
    are open have ended.
    """

    def __init__(self, budget: CommonBudget) -> None:
        self._budget = budget
        self._open = 0
        self.refusal: BudgetSpent | None = None
        """Why the run was stopped; None: it was not."""
        self.stop: Callable[[], object] = bool
        """Cancels the run."""

    async def admit(self, payment: Payment, most: Usage) -> int:
        """Wait until a call may be sent, and return its number; if none may, wait until the run is cancelled."""
        if self.refusal is None:
            try:
                number = await self._budget.admit(payment, most)
            except BudgetSpent as error:
                self.refusal = self.refusal or error
            else:
                if self.refusal is None:
                    self._open += 1
                    return number
                await self._budget.settle(number, None)
        self._stop_if_quiet()
        await asyncio.Event().wait()
        raise self.refusal

    async def settle(self, number: int, used: Usage | None) -> None:
        """Note that a call has ended, and what it used; None: it was not sent."""
        await self._budget.settle(number, used)
        self._open -= 1
        self._stop_if_quiet()

    def _stop_if_quiet(self) -> None:
        if self.refusal and not self._open:
            self.stop()
