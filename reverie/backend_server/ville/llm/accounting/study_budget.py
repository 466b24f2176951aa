"""The budget of a study on one machine: a database that all its processes share.

A reservation of a process that was killed keeps its amount, because the call may have been charged; its place among the
open calls is free again.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ville.errors import BudgetSpent
from ville.json_types import Json
from ville.llm.accounting.budget import Limits, Used, shortage
from ville.llm.accounting.common_budget import Payment
from ville.llm.accounting.process_calls import PAUSE, ProcessCalls
from ville.llm.gateway import Usage
from ville.storage.studies.study_calls import FILE, RULES, SCHEMA

SUMS = "SELECT count(*), coalesce(sum(tokens), 0), coalesce(sum(cost), 0.0) FROM calls"


class StudyBudget:
    """The budget as one process sees it."""

    def __init__(self, folder: Path, limits: Limits, concurrency: int) -> None:
        """`concurrency`: most calls open at a provider. Raises LedgerError."""
        self._limits, self._concurrency = limits, concurrency
        self._calls = ProcessCalls(folder / FILE, SCHEMA, RULES)

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> "StudyBudget":
        """Return the budget that a task describes."""
        return cls(Path(values["folder"]), Limits(**values["limits"]), values["concurrency"])

    @staticmethod
    def described(folder: Path, limits: Limits, concurrency: int) -> dict[str, Json]:
        """Return the description of a budget for a task."""
        return {"folder": str(folder), "limits": asdict(limits), "concurrency": concurrency}

    async def admit(self, payment: Payment, most: Usage) -> int:
        """Wait until a call may be sent, and return its number. Raises BudgetSpent if there is no room left."""
        while (number := self._try(payment.server, most)) is None:  # noqa: ASYNC110 - other processes make room
            await asyncio.sleep(PAUSE)
        return number

    async def settle(self, number: int, used: Usage | None) -> None:
        """Note that a call has ended, and what it used; None: it was not sent."""
        with self._calls.transaction() as connection:
            if used is None:
                connection.execute("DELETE FROM calls WHERE id = ?", (number,))
            else:
                values = (used.tokens, used.cost or 0.0, number)
                connection.execute("UPDATE calls SET process = '', tokens = ?, cost = ? WHERE id = ?", values)

    def close(self) -> None:
        """Give back what this process holds."""
        self._calls.close()

    def used(self) -> Used:
        """Return what was used so far, open calls included with the most that they can use."""
        return Used(*self._calls.connection.execute(SUMS).fetchone())

    def _try(self, provider: str, most: Usage) -> int | None:
        """Return the number of a call that is admitted now; None if it has to wait. Raises BudgetSpent."""
        with self._calls.transaction() as connection:
            for name in self._calls.ended():  # their calls keep their amounts
                connection.execute("UPDATE calls SET process = '' WHERE process = ?", (name,))
            query = "SELECT count(*), count(*) FILTER (WHERE provider = ?) FROM calls WHERE process <> ''"
            open_calls, there = connection.execute(query, (provider,)).fetchone()
            if there >= self._concurrency:
                return None
            if missing := shortage(self._limits, self.used(), most):
                if open_calls:
                    return None
                raise BudgetSpent(f"budget of the study: {missing.text}. Raise it to continue.", fate="not_sent")
            row = (self._calls.process, provider, most.tokens, most.cost or 0.0)
            insert = "INSERT INTO calls (process, provider, tokens, cost) VALUES (?, ?, ?, ?)"
            return int(connection.execute(insert, row).lastrowid or 0)
