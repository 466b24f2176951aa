"""The budget of a study on one machine: a database that all its processes share.

A reservation of a process that was killed keeps its amount, because the call may have been charged; its place among the
open calls is free again.
"""

import asyncio
import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

from filelock import FileLock, Timeout

from ville.errors import BudgetSpent, LedgerError
from ville.llm.budget import Limits
from ville.llm.gateway import Usage
from ville.storage.study_calls import FILE, SCHEMA

PAUSE = 0.03
"""Seconds between two looks for room."""
BUSY = 60.0
"""Seconds to wait for other processes."""
SUMS = "SELECT count(*), coalesce(sum(tokens), 0), coalesce(sum(cost), 0.0) FROM calls"


class Used(NamedTuple):
    """Calls, tokens and dollars of all runs of a study."""

    calls: int
    tokens: int
    cost: float


class StudyBudget:
    """The budget as one process sees it."""

    def __init__(self, folder: Path, limits: Limits, concurrency: int) -> None:
        """`concurrency`: most calls open at a provider. Raises LedgerError."""
        self._folder, self._limits, self._concurrency = folder, limits, concurrency
        self._name = f"{os.getpid()}-{os.urandom(4).hex()}"
        self._lock = FileLock(folder / f".{self._name}.calls")
        self._lock.acquire()
        self._connection = sqlite3.connect(folder / FILE, timeout=BUSY, isolation_level=None, check_same_thread=False)
        with self._checked():
            self._connection.executescript(SCHEMA)

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> "StudyBudget":
        """Return the budget that a task describes."""
        return cls(Path(values["folder"]), Limits(**values["limits"]), values["concurrency"])

    @staticmethod
    def described(folder: Path, limits: Limits, concurrency: int) -> dict[str, Any]:
        """Return the description of a budget for a task."""
        return {"folder": str(folder), "limits": asdict(limits), "concurrency": concurrency}

    async def admit(self, provider: str, most: Usage) -> int:
        """Wait until a call may be sent, and return its number. Raises BudgetSpent if there is no room left."""
        while (number := self._try(provider, most)) is None:  # noqa: ASYNC110 - other processes make room
            await asyncio.sleep(PAUSE)
        return number

    async def settle(self, number: int, used: Usage | None) -> None:
        """Note that a call has ended, and what it used; None: it was not sent."""
        with self._transaction():
            if used is None:
                self._connection.execute("DELETE FROM calls WHERE id = ?", (number,))
            else:
                values = (used.tokens, used.cost or 0.0, number)
                self._connection.execute("UPDATE calls SET process = '', tokens = ?, cost = ? WHERE id = ?", values)

    def close(self) -> None:
        """Give back what this process holds."""
        self._connection.close()
        self._lock.release()
        with suppress(OSError):
            Path(self._lock.lock_file).unlink()

    def used(self) -> Used:
        """Return what was used so far, open calls included with the most that they can use."""
        return Used(*self._connection.execute(SUMS).fetchone())

    def _try(self, provider: str, most: Usage) -> int | None:
        """Return the number of a call that is admitted now; None if it has to wait. Raises BudgetSpent."""
        with self._transaction():
            self._forget_dead()
            query = "SELECT count(*), count(*) FILTER (WHERE provider = ?) FROM calls WHERE process <> ''"
            open_calls, there = self._connection.execute(query, (provider,)).fetchone()
            if there >= self._concurrency:
                return None
            if reason := self._exceeded(most):
                if open_calls:
                    return None
                raise BudgetSpent(reason)
            row = (self._name, provider, most.tokens, most.cost or 0.0)
            insert = "INSERT INTO calls (process, provider, tokens, cost) VALUES (?, ?, ?, ?)"
            return int(self._connection.execute(insert, row).lastrowid or 0)

    def _exceeded(self, most: Usage) -> str:
        """Return a message about the limit that a call could exceed; empty if it fits."""
        limits, used = self._limits, self.used()
        if limits.cost is not None and most.cost is None:
            return "budget of the study: the price of a model is unknown. Add it to the price list to continue."
        if limits.calls is not None and used.calls + 1 > limits.calls:
            return f"budget of the study: all {limits.calls:,} calls have been made. Raise it to continue."
        if limits.tokens is not None and used.tokens + most.tokens > limits.tokens:
            spent = f"{used.tokens:,} of {limits.tokens:,} tokens are used"
            return f"budget of the study: {spent}, and the next call may take {most.tokens:,}. Raise it to continue."
        if limits.cost is not None and used.cost + (most.cost or 0.0) > limits.cost:
            spent = f"{used.cost:.4f} of {limits.cost:.4f} dollars are spent"
            return (
                f"budget of the study: {spent}, and the next call may cost {most.cost or 0:.4f}. Raise it to continue."
            )
        return ""

    def _forget_dead(self) -> None:
        """Close the calls of processes that have ended; they keep their amounts."""
        query = "SELECT DISTINCT process FROM calls WHERE process NOT IN ('', ?)"
        for (name,) in self._connection.execute(query, (self._name,)).fetchall():
            if self._has_ended(name):
                self._connection.execute("UPDATE calls SET process = '' WHERE process = ?", (name,))

    def _has_ended(self, name: str) -> bool:
        path = self._folder / f".{name}.calls"
        if not path.exists():
            return True
        lock = FileLock(path, timeout=0)
        try:
            lock.acquire()
        except Timeout:
            return False
        lock.release()
        with suppress(OSError):
            path.unlink()
        return True

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with self._checked():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
            finally:  # a refused call has changed nothing but what is true of dead processes
                self._connection.execute("COMMIT")

    @contextmanager
    def _checked(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            path = self._folder / FILE
            raise LedgerError(f"{path} cannot be written: {error}. No calls are made without a budget.") from error
