"""An index of a ledger in memory, without its texts: calls are filtered, sorted and summed up at once.

A ledger has no indexes for this, and most of it is texts of prompts. The index reads a number of new calls whenever it
is asked, so that neither a long ledger nor one that grows keeps a request waiting. The ledger is only read.
"""

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from threading import RLock

from ville.errors import CorruptFile
from ville.llm.accounting.ledger import FILE
from ville.llm.accounting.ledger_schema import ANSWERED, FLAGS, OPEN, RULES, SCHEMA, SHARED, prepare
from ville.storage.database_check import check_files, check_layout, reading_uri

CHUNK = 1500
"""Calls that are read at once."""
PAGE = 50
"""Calls of a page."""
COLUMNS = (
    "id, step, persona, question, model, repair, outcome, prompt_tokens, completion_tokens, cost, estimated, seconds, "
    "began"
)
INDEXED = ("seconds", "cost", "repair", "persona", "step")
OF_QUESTION = "question, step, persona, model, outcome, repair, prompt_tokens, completion_tokens, cost, seconds"
"""Columns of an index that holds all that is summed up of a question, of which there are few with many calls."""
INDEX = f"""
CREATE TABLE calls (
    id INTEGER PRIMARY KEY, step, persona, question, model, repair, outcome, prompt_tokens, completion_tokens, cost,
    estimated, seconds, began
);
CREATE TABLE sums (
    by, name, calls, corrected, failed, tokens, cost, seconds, PRIMARY KEY (by, name)
) WITHOUT ROWID;                    -- of all calls that have ended
CREATE TABLE pulses (step INTEGER PRIMARY KEY, calls, tokens, cost);
CREATE TABLE fallbacks (step, persona, number, question, PRIMARY KEY (step, persona, number)) WITHOUT ROWID;
{"".join(f"CREATE INDEX by_{name} ON calls ({name});" for name in INDEXED)}
CREATE INDEX by_question ON calls ({OF_QUESTION});
"""
EVERYTHING = "DELETE FROM calls; DELETE FROM sums; DELETE FROM pulses; DELETE FROM fallbacks;"
ENDED = f"outcome NOT IN ('{OPEN}', '{SHARED}')"
"""Calls that count: answers of other runs were none."""
SUMS = (
    f"count(*) AS calls, total(repair > 0) AS corrected, total(outcome <> '{ANSWERED}') AS failed, "
    "total(prompt_tokens + completion_tokens) AS tokens, total(cost) AS cost, total(seconds) AS seconds"
)
PULSE = "count(*) AS calls, total(prompt_tokens + completion_tokens) AS tokens, total(cost) AS cost"
FELL_BACK = (
    "EXISTS (SELECT 1 FROM fallbacks f WHERE f.step = calls.step AND f.persona = calls.persona "
    "AND f.question = calls.question)"
)
"""Whether a question of this kind had no usable answer in this step, so that the persona carried on."""
CARRIED_ON = "SELECT c.id FROM fallbacks f CROSS JOIN calls c USING (step, persona, question)"
"""The calls of which that is true, found by the few that had none."""
ORDERS: Mapping[str, str] = {
    "latest": "id DESC",
    "slowest": "seconds DESC, id DESC",
    "dearest": "cost DESC NULLS LAST, prompt_tokens + completion_tokens DESC, id DESC",
    "corrected": "repair DESC, id DESC",
}
"""Orders of a list of calls, by name."""
GROUPS = ("question", "persona", "model")
SUM_COLUMNS = ("calls", "corrected", "failed", "tokens", "cost", "seconds")
ALL_SUMS = f"SELECT name, {', '.join(SUM_COLUMNS)} FROM sums WHERE by = ? ORDER BY calls DESC, name"  # noqa: S608 - as above


@dataclass(frozen=True)
class CallFilter:
    """Which calls are listed. An empty text stands for all."""

    persona: str = ""
    question: str = ""
    model: str = ""
    steps: tuple[int, int] | None = None
    """First step, and the one after the last."""
    carried_on: bool = False
    """Only those whose question had no usable answer."""

    def condition(self) -> tuple[str, list[object]]:
        """Return a condition in SQL with its values."""
        parts: list[tuple[str, list[object]]] = [
            (f"{name} = ?", [value]) for name in GROUPS if (value := getattr(self, name))
        ]
        parts += [("step >= ? AND step < ?", list(self.steps))] if self.steps else []
        parts += [(f"id IN ({CARRIED_ON})", [])] if self.carried_on else []
        return " AND ".join(text for text, _ in parts) or "1", [each for _, values in parts for each in values]


@dataclass(frozen=True)
class ListedCall:
    """A call of a list."""

    number: int
    step: int
    persona: str
    question: str
    model: str
    corrections: int
    outcome: str
    prompt_tokens: int
    completion_tokens: int
    cost: float | None
    """US dollars; None if the price is unknown."""
    estimated: int
    seconds: float
    began: str
    """UTC."""
    carried_on: int


@dataclass(frozen=True)
class CallSums:
    """Sums over the calls of a group."""

    name: str
    calls: int
    corrected: int
    """Calls that sent back an unusable answer."""
    failed: int
    tokens: int
    cost: float
    seconds: float
    """Average."""
    carried_on: int
    """Questions without a usable answer."""


@dataclass(frozen=True)
class CallPulse:
    """Calls in a span of steps."""

    step: int
    """First step of the span."""
    calls: int
    tokens: int
    cost: float


class CallIndex:
    """The calls of one ledger. Safe for several threads. Raises CorruptFile."""

    def __init__(self, folder: Path) -> None:
        """`folder` is reverie/ of the simulation."""
        self._path = folder / FILE
        self._lock = RLock()
        self._calls = sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)
        self._calls.executescript(INDEX)
        self.read = self.known = 0
        """Number of the last call that is in the index, and of the last one in the ledger."""

    def catch_up(self) -> None:
        """Read the next calls, and those again that were open."""
        with self._lock, closing(self._opened()) as ledger:
            try:
                self.known = ledger.execute("SELECT coalesce(max(id), 0) FROM calls").fetchone()[0]
                if self.known < self.read:  # another ledger has its place
                    self._calls.executescript(EVERYTHING)
                    self.read = 0
                open_ones = [
                    number for (number,) in self._calls.execute("SELECT id FROM calls WHERE outcome = ?", [OPEN])
                ]
                for number in open_ones:
                    self._calls.execute("DELETE FROM calls WHERE id = ?", [number])
                    self._add(ledger, "id = ?", [number])
                self._add(ledger, "id > ?", [self.read])
                self._add_fallbacks(ledger)
            except sqlite3.Error as fault:
                raise _unreadable(self._path, fault) from fault

    def _opened(self) -> sqlite3.Connection:
        """Open the ledger read-only, also while a run writes to it."""
        check_files(self._path)
        try:
            connection = sqlite3.connect(reading_uri(self._path), uri=True, isolation_level=None)
        except sqlite3.Error as fault:
            raise _unreadable(self._path, fault) from fault
        try:
            check_layout(connection, self._path, SCHEMA, added=FLAGS)
            prepare(self._path, connection, writable=False)
        except sqlite3.Error as fault:
            connection.close()
            raise _unreadable(self._path, fault) from fault
        except CorruptFile:
            connection.close()
            raise
        return connection

    def _add(self, ledger: sqlite3.Connection, which: str, values: list[int]) -> None:
        query = f"SELECT {COLUMNS}, ({RULES['calls']}) FROM calls WHERE {which} ORDER BY id LIMIT {CHUNK}"  # noqa: S608 - names from our code
        rows = ledger.execute(query, values).fetchall()
        if not all(row[-1] for row in rows):
            raise CorruptFile("%(file)s has calls with values that cannot be true. Move it away.", file=self._path)
        blanks = ", ".join("?" * (len(COLUMNS.split(","))))
        self._calls.executemany(f"INSERT INTO calls VALUES ({blanks})", [row[:-1] for row in rows])  # noqa: S608 - as above
        if rows:
            self.read = max(self.read, rows[-1][0])
            self._sum_up(rows[0][0], rows[-1][0])

    def _sum_up(self, first: int, last: int) -> None:
        """Add calls, by their numbers, to the sums of all. Those that are open are added when they have ended."""
        which = f"FROM calls WHERE id BETWEEN ? AND ? AND {ENDED} GROUP BY"
        more = ", ".join(f"{name} = {name} + excluded.{name}" for name in SUM_COLUMNS)
        for by in GROUPS:
            query = f"INSERT INTO sums SELECT '{by}', {by}, {SUMS} {which} {by} ON CONFLICT DO UPDATE SET {more}"
            self._calls.execute(query, [first, last])
        more = ", ".join(f"{name} = {name} + excluded.{name}" for name in ("calls", "tokens", "cost"))
        query = f"INSERT INTO pulses SELECT step, {PULSE} {which} step ON CONFLICT DO UPDATE SET {more}"
        self._calls.execute(query, [first, last])

    def _add_fallbacks(self, ledger: sqlite3.Connection) -> None:
        (last,) = self._calls.execute("SELECT coalesce(max(step), -1) FROM fallbacks").fetchone()
        query = f"SELECT step, persona, number, question FROM fallbacks WHERE step >= ? LIMIT {CHUNK}"  # noqa: S608 - as above
        rows = ledger.execute(query, [last]).fetchall()
        self._calls.executemany("INSERT OR REPLACE INTO fallbacks VALUES (?, ?, ?, ?)", rows)

    def listed(self, chosen: CallFilter, order: str, page: int) -> list[ListedCall]:
        """Return a page of calls, from 0. `order` is one of ORDERS."""
        condition, values = chosen.condition()
        query = (
            f"SELECT {COLUMNS}, {FELL_BACK} FROM calls WHERE {condition} "  # noqa: S608 - names from our code
            f"ORDER BY {ORDERS[order]} LIMIT {PAGE} OFFSET ?"
        )
        with self._lock:
            return [ListedCall(*row) for row in self._calls.execute(query, [*values, page * PAGE])]

    def call(self, number: int) -> ListedCall | None:
        """Return a call from the ledger itself, whether it is in the index yet or not; None if there is none."""
        query = f"SELECT {COLUMNS}, {FELL_BACK} FROM calls WHERE id = ? AND {RULES['calls']}"  # noqa: S608 - names from our code
        with closing(self._opened()) as ledger:
            row = ledger.execute(query, [number]).fetchone()
        return ListedCall(*row) if row else None

    def count(self, chosen: CallFilter) -> int:
        condition, values = chosen.condition()
        with self._lock:
            found = self._calls.execute(f"SELECT count(*) FROM calls WHERE {condition}", values)  # noqa: S608 - as above
            return int(found.fetchone()[0])

    def sums(self, by: str, chosen: CallFilter) -> list[CallSums]:
        """Return sums by one of GROUPS over the calls that have ended, the group with most calls first."""
        condition, values = chosen.condition()
        query = f"SELECT {by}, {SUMS} FROM calls WHERE {ENDED} AND {condition} GROUP BY 1 ORDER BY calls DESC, 1"  # noqa: S608 - as above
        if chosen == CallFilter():
            query, values = ALL_SUMS, [by]
        with self._lock:
            rows = self._calls.execute(query, values).fetchall()
            carried = self._fallbacks(by, chosen)
        return [
            CallSums(name, calls, int(corrected), int(failed), int(tokens), cost, seconds / calls, carried.get(name, 0))
            for name, calls, corrected, failed, tokens, cost, seconds in rows
        ]

    def _fallbacks(self, by: str, chosen: CallFilter) -> dict[str, int]:
        """Return the number of questions without a usable answer; by model, that is not known."""
        if by == "model":
            return {}
        given = [(name, getattr(chosen, name)) for name in ("persona", "question") if getattr(chosen, name)]
        condition = " AND ".join(f"{name} = ?" for name, _ in given) or "1"
        query = f"SELECT {by}, count(*) FROM fallbacks WHERE {condition} GROUP BY 1"  # noqa: S608 - as above
        return dict(self._calls.execute(query, [value for _, value in given]))

    def pulse(self, chosen: CallFilter, span: int) -> list[CallPulse]:
        """Return calls, tokens and cost in spans of so many steps, without empty ones."""
        condition, values = chosen.condition()
        if chosen == CallFilter():
            steps = "SELECT step, calls, tokens, cost FROM pulses"
        else:
            steps = f"SELECT step, {PULSE} FROM calls WHERE {ENDED} AND {condition} GROUP BY 1"  # noqa: S608 - as above
        query = (
            f"SELECT step / ? * ? AS first, sum(calls), total(tokens), total(cost) FROM ({steps}) GROUP BY 1 ORDER BY 1"  # noqa: S608 - as above
        )
        with self._lock:
            rows = self._calls.execute(query, [span, span, *values]).fetchall()
        return [CallPulse(step, calls, int(tokens), cost) for step, calls, tokens, cost in rows]

    def ends(self, chosen: CallFilter) -> tuple[int, int]:
        """Return the first and the last step with a call; zeros without calls."""
        condition, values = chosen.condition()
        every = chosen == CallFilter()
        query = "SELECT min(step), max(step) FROM " + ("pulses" if every else f"calls WHERE {condition}")  # noqa: S608 - as above
        with self._lock:
            first, last = self._calls.execute(query, values).fetchone()
        return first or 0, last or 0

    def rate(self, last: int = 60) -> tuple[float, float] | None:
        """Return calls and dollars an hour over the last calls, by the clock; None if there are too few to tell."""
        query = "SELECT began, seconds, cost FROM calls WHERE outcome NOT IN (?, ?) ORDER BY id DESC LIMIT ?"
        with self._lock:
            rows = self._calls.execute(query, [OPEN, SHARED, last]).fetchall()
        if len(rows) < 2:  # noqa: PLR2004 - a time between two
            return None
        hours = (datetime.fromisoformat(rows[0][0]) - datetime.fromisoformat(rows[-1][0])).total_seconds() / 3600
        return (len(rows) / hours, sum(cost or 0 for *_, cost in rows) / hours) if hours > 0 else None


def _unreadable(path: Path, fault: Exception) -> CorruptFile:
    return CorruptFile("%(file)s cannot be read (%(reason)s). Restore it from a copy.", file=path, reason=fault)
