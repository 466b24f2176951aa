"""Carries out one job: makes or resumes its simulation, runs it, asks and measures."""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from platform import node

from ville.analysis.measures import SavedRun
from ville.analysis.named_measures import NamedMeasure, named_measure
from ville.assembly.forking import Beginning
from ville.assembly.reading import read_for_interviews
from ville.assembly.run import open_at
from ville.errors import ReverieError, SimulationInUse
from ville.jobs.pool import AskedOfRun, JobReport, JobTask
from ville.jobs.refusal import RefusableBudget
from ville.jobs.untouched import check_untouched
from ville.llm.accounting.common_budget import CommonBudget, SeveralBudgets
from ville.llm.accounting.ledgers import Ledgers
from ville.llm.accounting.wallet import Wallet
from ville.persona.cognitive_modules.mind import gather_all
from ville.settings import load_settings
from ville.simulation.interventions.intake import Planned
from ville.simulation.persona_names import find_persona
from ville.simulation.run import StopRequest, run
from ville.simulation.simulation import Simulation
from ville.storage.folder.simulation_folder import SimulationFolder
from ville.storage.folder.storage import find
from ville.storage.past.moments import NamedMoment
from ville.storage.records.meta import META
from ville.storage.studies.study_folder import JobResult, StudyAnswer

INTERVAL = 0.5
"""Seconds between two reports of progress."""
TRIES, PAUSE = 120, 0.5
"""How often, and after how many seconds, a simulation is opened again that a worker of an earlier program still has."""

Report = Callable[[JobReport], None]


def ignore_save() -> None:
    """No-op: saves are not reported."""


class JobRun:
    """One job in this process."""

    def __init__(
        self,
        task: JobTask,
        report: Report,
        stop: StopRequest,
        budget: CommonBudget | None = None,
        *,
        saved: Callable[[], None] = ignore_save,
    ) -> None:
        """`budget` is that of the study; calls draw on the wallet, too. `saved` is called between two steps if there
        was a save since the last call.
        """
        self._task, self._report, self._stop, self._saved = task, report, stop, saved
        self._settings = load_settings(task.settings)
        self._wallet = Wallet.of(self._settings, study=Path(task.budget.get("folder", "")).name)
        self._budget = RefusableBudget(SeveralBudgets(budget, self._wallet)) if budget else None
        self._reported = 0.0

    async def carry_out(self) -> JobReport:
        """Return the final report. It has the faults that a user can fix."""
        began = time.monotonic()
        work = asyncio.ensure_future(self._work())
        if self._budget:
            self._budget.stop = work.cancel
        report = JobReport(self._task.simulation, "stopped")
        try:
            if result := await work:
                report = replace(report, kind="done", result=result.as_json())
        except asyncio.CancelledError:
            if not (self._budget and self._budget.refusal):
                raise
            report = replace(report, kind="spent", fault=str(self._budget.refusal))
        except ReverieError as error:
            report = replace(report, kind="failed", fault=str(error))
        finally:
            self._wallet.close()
        step = self.saved_step or 0
        return replace(report, step=step, seconds=round(time.monotonic() - began, 3), host=node())

    async def _work(self) -> JobResult | None:
        """Run, ask and measure; return nothing if a stop was requested. Raises a ReverieError."""
        measures = [named_measure(source, Path(self._task.folder)) for source in self._task.measures]
        await self._run()
        if self._stop.requested:
            return None
        result = await self._result(measures) if self._task.measured else self._spent({}, [])
        return None if self._stop.requested else result

    async def _run(self) -> None:
        """Run to the end of the job, and save. Raises a ReverieError, after saving."""
        if (step := self.saved_step) is not None:
            check_untouched(self._root, step, self._task)
        if step == self._task.until_step:
            return
        simulation = await self._opened()
        try:
            steps, autosave = self._task.until_step - simulation.clock.step, self._settings.autosave
            await run(simulation, steps, autosave=autosave, watch=self._watching(simulation), stop=self._stop)
            simulation.save()
        finally:
            await simulation.close()

    @property
    def _root(self) -> Path:
        return self._settings.fs_storage / self._task.simulation

    @property
    def saved_step(self) -> int | None:
        """The next step to compute, by the last save; None if there is none."""
        root = self._root
        return SimulationFolder(root).meta.step if (root / META).exists() else None

    async def _opened(self) -> Simulation:
        """Return the simulation, resumed or new."""
        for tries_left in reversed(range(TRIES)):
            try:
                return await self._open()
            except SimulationInUse:
                if not tries_left:
                    raise
                await asyncio.sleep(PAUSE)
        raise AssertionError

    async def _open(self) -> Simulation:
        task, settings, root = self._task, self._settings, self._root
        if root.exists():
            return await open_at(settings, task.simulation, task.simulation, budget=self._budget)
        added = [Planned.from_row(dict(row), f"interventions of {task.simulation}", logged=False) for row in task.rows]
        beginning = Beginning(added=added, request=task.request)
        return await open_at(settings, task.origin, task.simulation, beginning=beginning, budget=self._budget)

    def _watching(self, simulation: Simulation) -> Callable[[object], None]:
        last = simulation.folder.meta

        def watch(_report: object) -> None:
            nonlocal last
            if simulation.folder.meta is not last:
                last = simulation.folder.meta
                self._saved()
            if time.monotonic() - self._reported >= INTERVAL:
                self._reported = time.monotonic()
                self._report(JobReport(self._task.simulation, "step", simulation.clock.step))

        return watch

    async def _result(self, measures: Sequence[NamedMeasure]) -> JobResult:
        """Ask and measure. Raises a ReverieError."""
        answers = [answer for asked in self._task.questions for answer in await self._ask(AskedOfRun(**asked))]
        run = SavedRun(find(self._settings.fs_storage, self._task.simulation))
        return self._spent({measure.name: _number(measure.of(run)) for measure in measures}, answers)

    async def _ask(self, asked: AskedOfRun) -> Sequence[StudyAnswer]:
        if self._stop.requested:
            return []
        name, settings = self._task.simulation, self._settings
        named = name if asked.step == self._task.until_step else str(NamedMoment(name, str(asked.step)))
        interviews, close = await read_for_interviews(settings, named, budget=self._budget)
        try:
            people = list(interviews.town.personas)
            names = [find_persona(each, people) for each in asked.of] or people
            replies = await gather_all(interviews.ask(each, asked.ask, role=asked.role) for each in names)
        finally:
            await close()
        return [
            StudyAnswer(ask=asked.ask, when=asked.when, role=asked.role, who=who, answer=reply.text)
            for who, reply in zip(names, replies, strict=True)
        ]

    def _spent(self, measures: Mapping[str, float | None], answers: Sequence[StudyAnswer]) -> JobResult:
        """Return the result with what was used."""
        ledgers = Ledgers(self._settings.fs_storage / self._task.simulation / "reverie", None)
        try:
            spend = ledgers.spend
        finally:
            ledgers.close()
        return JobResult(
            measures=dict(measures),
            answers=list(answers),
            calls=spend.calls,
            tokens=spend.tokens,
            cost=round(spend.cost, 9),
        )


def _number(value: float | None) -> float | None:
    return None if value is None else float(value)
