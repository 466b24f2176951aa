"""The wallet: what this user has spent on this machine, by account, day and simulation.

It is one SQLite file for all checkouts and processes. It contains no key, only digests.
"""

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Literal

from platformdirs import user_state_path

from ville.errors import CorruptFile
from ville.storage.database_check import reading_uri, whole

FILE = "wallet.sqlite3"
Period = Literal["day", "all"]
UNIT = 1e-12
"""Dollars. Amounts are whole numbers of it, so that their sum does not depend on their order."""
SCHEMA = """
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
CREATE TABLE IF NOT EXISTS accounts (
    account TEXT PRIMARY KEY,   -- digest of a key, or of the address of a server without one
    title TEXT NOT NULL         -- provider and address, without secrets
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS spent (
    account TEXT NOT NULL,
    day TEXT NOT NULL,          -- UTC, 2026-11-24
    study TEXT NOT NULL,        -- empty: none
    simulation TEXT NOT NULL,
    purpose TEXT NOT NULL,      -- for example run, or interviews
    calls INTEGER NOT NULL,
    tokens INTEGER NOT NULL,
    cost INTEGER NOT NULL,      -- 10^-12 US dollars, without the calls whose price is unknown
    unpriced INTEGER NOT NULL,  -- calls whose price is unknown
    PRIMARY KEY (account, day, study, simulation, purpose)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS totals (
    account TEXT NOT NULL,      -- the sums of `spent`, so that each call need not add them up
    day TEXT NOT NULL,          -- empty: of all days
    calls INTEGER NOT NULL,
    tokens INTEGER NOT NULL,
    cost INTEGER NOT NULL,
    PRIMARY KEY (account, day)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS calls (
    id INTEGER PRIMARY KEY,     -- open calls
    process TEXT NOT NULL,      -- name of the lock that the process holds
    account TEXT NOT NULL,
    day TEXT NOT NULL,
    study TEXT NOT NULL,
    simulation TEXT NOT NULL,
    purpose TEXT NOT NULL,
    tokens INTEGER NOT NULL,    -- the most that it can use
    cost INTEGER NOT NULL,
    unpriced INTEGER NOT NULL
);
"""
AMOUNTS = whole("calls", "tokens", "cost", most=2**63 - 1)
RULES = {
    "spent": f"{AMOUNTS} AND {whole('unpriced')}",
    "totals": AMOUNTS,
    "calls": f"{whole('tokens', 'unpriced')} AND {whole('cost', most=2**63 - 1)}",
}
"""Conditions that every row meets."""
BOTH = """(
    SELECT account, day, study, simulation, purpose, calls, tokens, cost, unpriced FROM spent UNION ALL
    SELECT account, day, study, simulation, purpose, 1, tokens, cost, unpriced FROM calls
)"""
SPENDERS = f"""
SELECT account, study, simulation, purpose, total(calls), total(tokens), total(cost), total(unpriced) FROM {BOTH}
WHERE ? IN ('', day) GROUP BY 1, 2, 3, 4 ORDER BY total(cost) DESC, total(tokens) DESC, 2, 3, 4
"""  # noqa: S608 - names from this file


@dataclass(frozen=True)
class WalletLimits:
    """Limits of each account; None is unlimited."""

    cost: float | None = None
    """US dollars."""
    calls: int | None = None
    tokens: int | None = None
    per: Period = "all"
    """Whether that is for a day, which begins at midnight UTC, or for ever."""

    @property
    def any(self) -> bool:
        """Whether there is a limit."""
        return not (self.cost is self.calls is self.tokens is None)

    def minus(self, spent: "Spending") -> "WalletLimits":
        """Return what is left."""
        return WalletLimits(
            None if self.cost is None else max(0.0, self.cost - spent.cost),
            None if self.calls is None else max(0, self.calls - spent.calls),
            None if self.tokens is None else max(0, self.tokens - spent.tokens),
            self.per,
        )

    def since(self, now: datetime) -> str:
        """Return the day that counts; empty for all days."""
        return day_of(now) if self.per == "day" else ""

    def until(self, now: datetime) -> datetime | None:
        """Return when the limit begins anew; None: it never does."""
        midnight = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
        return midnight + timedelta(days=1) if self.per == "day" else None


@dataclass(frozen=True)
class Spending:
    """Calls, those included that are open with the most that they can use."""

    calls: int = 0
    tokens: int = 0
    cost: float = 0.0
    """US dollars, without the calls whose price is unknown."""
    unpriced: int = 0


@dataclass(frozen=True)
class Spender:
    """Spending of one simulation for one purpose."""

    study: str
    """Empty: it was not part of a study."""
    simulation: str
    purpose: str
    spent: Spending


@dataclass(frozen=True)
class WalletAccount:
    """Spending with one key."""

    account: str
    title: str
    spenders: tuple[Spender, ...]
    """Those who spent most first."""

    @property
    def spent(self) -> Spending:
        each = [spender.spent for spender in self.spenders]
        return Spending(
            sum(one.calls for one in each),
            sum(one.tokens for one in each),
            sum(round(one.cost / UNIT) for one in each) * UNIT,
            sum(one.unpriced for one in each),
        )


def default_file() -> Path:
    """Return where the wallet is unless a setting names another file: with the state of this user's programs."""
    return user_state_path("ville", appauthor=False) / FILE


def day_of(moment: datetime) -> str:
    """Return the day of a moment in UTC."""
    return moment.astimezone(UTC).date().isoformat()


def read_wallet(path: Path, day: str = "") -> list[WalletAccount]:
    """Return the accounts with what was spent on a day, or ever; none if there is no file. Raises CorruptFile."""
    if not path.exists():
        return []
    try:
        with closing(sqlite3.connect(reading_uri(path), uri=True, isolation_level=None)) as connection:
            titles: dict[str, str] = dict(connection.execute("SELECT account, title FROM accounts ORDER BY 2, 1"))
            rows = connection.execute(SPENDERS, (day,)).fetchall()
    except sqlite3.Error as fault:
        template = "%(file)s cannot be read as a wallet (%(reason)s). Restore it, or move it away to begin a new one."
        raise CorruptFile(template, file=path, reason=str(fault)) from fault
    found: dict[str, list[Spender]] = {account: [] for account in titles}
    for account, study, simulation, purpose, calls, tokens, cost, unpriced in rows:
        spent = Spending(int(calls), int(tokens), cost * UNIT, int(unpriced))
        found.setdefault(account, []).append(Spender(study, simulation, purpose, spent))
    return [WalletAccount(account, titles.get(account, ""), tuple(each)) for account, each in found.items()]
