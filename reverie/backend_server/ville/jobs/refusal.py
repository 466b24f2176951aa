"""Stops a run when the common budget has no room left, as if it had been killed between two answers.

The step that is being computed is given up, so that it is computed as a whole when the budget has been raised. All
answers so far are in the ledger, and are not asked again.
"""

import asyncio
from typing import TYPE_CHECKING

from ville.errors import BudgetSpent
from ville.llm.accounting.common_budget import CommonBudget, Payment
from ville.llm.gateway import Usage

if TYPE_CHECKING:
    from collections.abc import Callable


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
