"""The wallet of this user on this machine: one account for each key, above all simulations.

Each account has its own limits. A reservation of a process that was killed is booked as spent, because the call may
have been charged. Without limits, spending is noted where it costs money, and a wallet that cannot be written
stops no run.
"""

import asyncio
import sqlite3
from collections.abc import Callable
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path

from ville.errors import BudgetSpent, CorruptFile, LedgerError
from ville.llm.accounting.budget import Limits, Used, shortage
from ville.llm.accounting.common_budget import Payment, Purpose
from ville.llm.accounting.process_calls import PAUSE, ProcessCalls
from ville.llm.gateway import Usage
from ville.llm.wire.endpoint import Endpoint
from ville.settings import Settings
from ville.settings.server_urls import origin_of
from ville.storage.wallet.wallet_file import RULES, SCHEMA, UNIT, WalletLimits, day_of

NOT_NOTED = 0
"""Number of calls that the wallet does not note."""
MOST_DOLLARS = 1e6
"""Largest amount that is booked for one call, of what a server reports for a model without a price."""
SETTINGS = {"cost": "VILLE_WALLET", "calls": "VILLE_WALLET_CALLS", "tokens": "VILLE_WALLET_TOKENS"}
"""Setting of each limit."""
LARGEST = 4 * 10**18
"""Largest amount in the unit of the file."""
USED = """
SELECT total(calls), total(tokens), total(cost) FROM (
    SELECT calls, tokens, cost FROM totals WHERE account = :account AND day = :day UNION ALL
    SELECT 1, tokens, cost FROM calls WHERE account = :account AND :day IN ('', day)
)"""
OPEN = "SELECT count(*) FROM calls WHERE account = :account AND :day IN ('', day)"
BEGIN = """
INSERT INTO calls (process, account, day, study, simulation, purpose, tokens, cost, unpriced)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
ADD = f"""
ON CONFLICT DO UPDATE SET
    calls = calls + excluded.calls,
    tokens = min(tokens + excluded.tokens, {LARGEST}),
    cost = min(cost + excluded.cost, {LARGEST})
"""
BOOK = (
    f"""
    INSERT INTO spent SELECT account, day, study, simulation, purpose, count(*), sum(tokens), sum(cost), sum(unpriced)
    FROM calls WHERE {{which}} GROUP BY 1, 2, 3, 4, 5 {ADD}, unpriced = unpriced + excluded.unpriced
    """,  # noqa: S608 - names from this file
    f"""
    INSERT INTO totals SELECT account, day, count(*), sum(tokens), sum(cost) FROM calls WHERE {{which}} GROUP BY 1, 2
    {ADD}
    """,  # noqa: S608 - names from this file
    f"""
    INSERT INTO totals SELECT account, '', count(*), sum(tokens), sum(cost) FROM calls WHERE {{which}} GROUP BY 1
    {ADD}
    """,  # noqa: S608 - names from this file
)
"""Add open calls to the sums that they belong to: `which` is a condition."""


def utc_now() -> datetime:
    """Return the present moment: days of the wallet are those of the world, not of the town."""
    return datetime.now(UTC)


class Wallet:
    """The wallet as one simulation sees it. Its file is opened at the first call."""

    def __init__(
        self, file: Path, limits: WalletLimits, study: str = "", now: Callable[[], datetime] = utc_now
    ) -> None:
        """`study` is the name of the study that a simulation belongs to."""
        self._file, self._limits, self._study, self._now = file, limits, study, now
        self._opened: ProcessCalls | None = None

    @classmethod
    def of(cls, settings: Settings, study: str = "") -> "Wallet":
        """Return the wallet that the settings describe."""
        return cls(settings.wallet_path, settings.wallet_limits, study)

    async def admit(self, payment: Payment, most: Usage) -> int:
        """Wait until a call may be sent, and return its number. Raises BudgetSpent if there is no room left."""
        if not self._limits.any and most.cost == 0.0:
            return NOT_NOTED
        while (number := self._try(payment, most)) is None:  # noqa: ASYNC110 - other processes make room
            await asyncio.sleep(PAUSE)
        return number

    async def settle(self, number: int, used: Usage | None) -> None:
        """Note that a call has ended, and what it used; None: it was not sent."""
        if number == NOT_NOTED or self._opened is None:
            return
        try:
            with self._opened.transaction() as connection:
                if used:
                    values = (used.tokens, _amount(used), used.cost is None, number)
                    connection.execute("UPDATE calls SET tokens = ?, cost = ?, unpriced = ? WHERE id = ?", values)
                    _book(connection, "id = ?", number)
                else:
                    connection.execute("DELETE FROM calls WHERE id = ?", (number,))
        except LedgerError:
            if self._limits.any:
                raise

    def close(self) -> None:
        if self._opened:
            self._opened.close()
            self._opened = None

    def _try(self, payment: Payment, most: Usage) -> int | None:
        """Return the number of a call that is admitted now; None if it has to wait. Raises BudgetSpent."""
        try:
            self._opened = self._opened or _opened(self._file)
            with self._opened.transaction() as connection:
                _book_ended(connection, self._opened)
                return self._reserved(connection, self._opened.process, payment, most=most)
        except LedgerError:
            if self._limits.any:
                raise
            return NOT_NOTED

    def _reserved(self, connection: sqlite3.Connection, process: str, payment: Payment, *, most: Usage) -> int | None:
        """Return the number of a call, if there is room for it; None if open calls may make room."""
        limits, now = self._limits, self._now()
        counted = {"account": payment.account, "day": limits.since(now)}
        calls, tokens, cost = connection.execute(USED, counted).fetchone()
        used = Used(int(calls), int(tokens), cost * UNIT)
        if missing := shortage(Limits(limits.calls, limits.tokens, limits.cost), used, most):
            if connection.execute(OPEN, counted).fetchone()[0]:
                return None
            raise BudgetSpent(
                f"wallet of {payment.title}: {missing.text}. {_advice(missing.limit, limits, now)}", fate="not_sent"
            )
        connection.execute("INSERT OR REPLACE INTO accounts VALUES (?, ?)", (payment.account, payment.title))
        spender = (payment.account, day_of(now), self._study, payment.simulation, payment.purpose)
        row = (process, *spender, most.tokens, _amount(most), most.cost is None)
        return int(connection.execute(BEGIN, row).lastrowid or 0)


def payment_to(endpoint: Endpoint, simulation: str, purpose: Purpose) -> Payment:
    """Return how calls of a simulation to an endpoint are paid for."""
    secret = endpoint.key or endpoint.base_url
    digest = blake2b(secret.encode("utf-8", "surrogatepass"), digest_size=8, person=b"ville wallet")
    return Payment(origin_of(endpoint.base_url), digest.hexdigest(), endpoint.title, simulation, purpose)


def _opened(file: Path) -> ProcessCalls:
    """Raises LedgerError."""
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        return ProcessCalls(file, SCHEMA, RULES)
    except OSError as fault:
        raise LedgerError(f"{file} cannot be written: {fault}. No calls are made without a wallet.") from fault
    except CorruptFile as fault:
        raise LedgerError(str(fault), fate="not_sent") from fault


def _book_ended(connection: sqlite3.Connection, calls: ProcessCalls) -> None:
    """Book the open calls of processes that have ended: they may have been charged."""
    for process in calls.ended():
        _book(connection, "process = ?", process)


def _book(connection: sqlite3.Connection, which: str, value: object) -> None:
    """Close open calls: what they have used is spent."""
    for statement in BOOK:
        connection.execute(statement.format(which=which), (value,))
    connection.execute(f"DELETE FROM calls WHERE {which}", (value,))  # noqa: S608 - from this file


def _amount(usage: Usage) -> int:
    """Return the cost in the unit of the file."""
    return round(min(usage.cost or 0.0, MOST_DOLLARS) / UNIT)


def _advice(limit: str, limits: WalletLimits, now: datetime) -> str:
    raise_it = f"Raise {SETTINGS[limit]}"
    until = limits.until(now)
    return f"{raise_it}, or go on after {until:%Y-%m-%d %H:%M} UTC." if until else f"{raise_it} to continue."
