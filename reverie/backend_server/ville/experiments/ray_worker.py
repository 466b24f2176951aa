"""What runs on the nodes of a Ray cluster: a worker that carries out jobs, and the keeper of the budget of a study.

Ray is not imported here: the engine makes actors of these classes.
"""

import asyncio
from collections.abc import Mapping
from typing import Any

from ville.errors import BudgetSpent
from ville.experiments.engine import JobReport, JobTask
from ville.experiments.job_run import JobRun
from ville.experiments.study_budget import StudyBudget
from ville.llm.gateway import Usage
from ville.simulation.run import StopRequest


class BudgetKeeper:
    """Keeps the budget on the node of the program that runs the study, for the workers of all nodes."""

    def __init__(self, description: Mapping[str, Any]) -> None:
        self._description = description
        self._budgets: dict[str, StudyBudget] = {}

    async def admit(self, worker: str, provider: str, most: Usage) -> tuple[int, str]:
        """Return the number of a call, or why it is refused."""
        budget = self._budgets.get(worker) or StudyBudget.of(self._description)
        self._budgets[worker] = budget
        try:
            return await budget.admit(provider, most), ""
        except BudgetSpent as refusal:
            return 0, str(refusal)

    async def settle(self, worker: str, number: int, used: Usage | None) -> None:
        await self._budgets[worker].settle(number, used)

    async def forget(self, worker: str) -> None:
        """Close the open calls of a worker that has ended; they keep their amounts."""
        if budget := self._budgets.pop(worker, None):
            budget.close()


class KeptBudget:
    """The budget of a study as a worker on another node sees it."""

    def __init__(self, keeper: Any, worker: str) -> None:
        self._keeper, self._worker = keeper, worker

    async def admit(self, provider: str, most: Usage) -> int:
        """Wait until a call may be sent, and return its number. Raises BudgetSpent if there is no room left."""
        number, refusal = await self._keeper.admit.remote(self._worker, provider, most)
        if refusal:
            raise BudgetSpent(refusal)
        return int(number)

    async def settle(self, number: int, used: Usage | None) -> None:
        """Note that a call has ended, and what it used; None: it was not sent."""
        await self._keeper.settle.remote(self._worker, number, used)


class RayWorker:
    """Carries out one job at a time; the other methods are called meanwhile, from another thread."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._stop = StopRequest()
        self._last: JobReport | None = None

    def carry_out(self, task: Mapping[str, Any], keeper: Any) -> dict[str, Any]:
        """Return the final report."""
        self._stop, self._last = StopRequest(), None
        budget = KeptBudget(keeper, self._name) if keeper else None
        return asyncio.run(JobRun(JobTask(**task), self._note, self._stop, budget).carry_out()).as_json()

    def progress(self) -> dict[str, Any] | None:
        """Return the last report; None if there is none yet."""
        return self._last.as_json() if self._last else None

    def stop(self) -> None:
        """Save and stop after the current step."""
        self._stop.request()

    def _note(self, report: JobReport) -> None:
        self._last = report
