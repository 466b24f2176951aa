"""An index of a ledger in memory, without its texts: calls are filtered, sorted and summed up at once.

A ledger has no indexes for this, and most of it is texts of prompts. The index reads a number of new calls whenever it
is asked, so that neither a long ledger nor one that grows keeps a request waiting. The ledger is only read.
"""

import json
import sqlite3
from collections import Counter
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ville.errors import CorruptFile
from ville.llm.accounting.ledger import FILE
from ville.llm.accounting.ledger_schema import ANSWERED, FLAGS, OPEN, RULES, SCHEMA, SHARED, prepare
from ville.storage.database_check import check_files, check_layout, reading_uri

CHUNK = 1000
"""Calls that are read at once."""
PAGE = 50
"""Calls of a page."""
COLUMNS = (
    "id, step, persona, question, model, repair, outcome, prompt_tokens, completion_tokens, cost, estimated, seconds"
)
FELL_BACK = (
    "EXISTS (SELECT 1 FROM fallbacks f WHERE f.step = calls.step AND f.persona = calls.persona "
    "AND f.question = calls.question)"
)
"""Whether a question of this kind had no usable answer in this step, so that the persona carried on."""
ROW = np.dtype(
    [
        ("number", "i8"), ("step", "i8"), ("persona", "i8"), ("question", "i8"), ("model", "i8"), ("corrections", "i8"),
        ("outcome", "i8"), ("prompt_tokens", "i8"), ("completion_tokens", "i8"), ("cost", "f8"), ("estimated", "?"),
        ("seconds", "f8"), ("began", "f8"), ("carried_on", "?"),
    ]
)  # fmt: skip
"""A call in memory. Texts are numbers, by the order in which they were first read; an unknown cost is NaN."""
LISTED = tuple(name for name in ROW.names or () if name != "began")
TEXTS = ("persona", "question", "model", "outcome")
GROUPS = ("question", "persona", "model")
ORDERS: Mapping[str, tuple[str, ...]] = {
    "latest": (),
    "slowest": ("seconds",),
    "dearest": ("cost", "tokens"),
    "corrected": ("corrections",),
}
"""Orders of a list of calls, by name: what comes first has most of this; among equals, the latest."""


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
    estimated: bool
    seconds: float
    carried_on: bool


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


class _Calls:
    """Some of the calls in memory, in the order of their numbers: `calls["step"]` has the step of each."""

    def __init__(self, columns: Mapping[str, NDArray[Any]], which: NDArray[np.bool_] | None = None) -> None:
        self._columns, self._which = columns, which

    def __getitem__(self, name: str) -> NDArray[Any]:
        column = self._columns[name]
        return column if self._which is None else column[self._which]

    def __len__(self) -> int:
        return len(self._columns["number"]) if self._which is None else int(self._which.sum())

    @property
    def tokens(self) -> NDArray[np.int64]:
        sums: NDArray[np.int64] = self["prompt_tokens"] + self["completion_tokens"]
        return sums

    @property
    def costs(self) -> NDArray[np.float64]:
        """Costs, where those that are not known are nothing."""
        costs: NDArray[np.float64] = np.nan_to_num(self["cost"])
        return costs

    def where(self, *conditions: NDArray[np.bool_]) -> "_Calls":
        """Return those that meet all conditions, each of which is about all calls."""
        kept = conditions if self._which is None else (self._which, *conditions)
        return _Calls(self._columns, np.logical_and.reduce(kept)) if conditions else self

    def whole(self, name: str) -> NDArray[Any]:
        """Return a column of all calls."""
        return self._columns[name]


class CallIndex:
    """The calls of one ledger. Safe for several threads. Raises CorruptFile."""

    def __init__(self, folder: Path) -> None:
        """`folder` is reverie/ of the simulation."""
        self._path = folder / FILE
        self._lock = Lock()
        self._forget()

    def _forget(self) -> None:
        self._calls = _Calls({name: np.empty(0, ROW[name]) for name in ROW.names or ()})
        self._numbers: dict[str, dict[str, int]] = {column: {} for column in TEXTS}
        """The number of each text, by column."""
        self._fallbacks: dict[tuple[int, str, int], str] = {}
        """Questions without a usable answer, by step, persona and number."""
        self.read = self.known = 0
        """Number of the last call that is in the index, and of the last one in the ledger."""

    def catch_up(self) -> None:
        """Read the next calls, and those again that were open."""
        with self._lock, closing(self._opened()) as ledger:
            try:
                self._read_on(ledger)
            except sqlite3.Error as fault:
                raise _unreadable(self._path, fault) from fault

    def _read_on(self, ledger: sqlite3.Connection) -> None:
        (known,) = ledger.execute("SELECT coalesce(max(id), 0) FROM calls").fetchone()
        if known < self.read:  # another ledger has its place
            self._forget()
        self.known = known
        waits = self._calls["outcome"] == self._number("outcome", OPEN)
        waiting = json.dumps(self._calls["number"][waits].tolist())
        again = self._fetched(ledger, "id IN (SELECT value FROM json_each(?))", waiting) if waits.any() else []
        new = self._fetched(ledger, f"id > ? ORDER BY id LIMIT {CHUNK}", self.read)
        self.read = new[-1][0] if new else self.read
        (last,) = max(self._fallbacks, default=(-1,))[:1]
        query = "SELECT step, persona, number, question FROM fallbacks WHERE step >= ?"
        fallen = {(step, who, number): said for step, who, number, said in ledger.execute(query, [last])}
        if again or new or waits.any() or fallen.keys() - self._fallbacks.keys():
            self._fallbacks |= fallen
            self._add(np.array([*again, *new], ROW), ~waits)

    def _add(self, rows: NDArray[Any], kept: NDArray[np.bool_]) -> None:
        """Add calls, and leave out those that are not kept."""
        columns = {name: np.concatenate([self._calls[name][kept], rows[name]]) for name in ROW.names or ()}
        if not kept.all():
            order = np.argsort(columns["number"])
            columns = {name: column[order] for name, column in columns.items()}
        columns["carried_on"] = self._carried_on(columns)
        self._calls = _Calls(columns)

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

    def _fetched(self, ledger: sqlite3.Connection, which: str, value: object) -> list[tuple[Any, ...]]:
        """Return calls as rows of the index."""
        query = f"SELECT {COLUMNS}, began, ({RULES['calls']}) FROM calls WHERE {which}"  # noqa: S608 - names from our code
        return [self._row(*row) for row in ledger.execute(query, [value])]

    def _row(self, *row: Any) -> tuple[Any, ...]:
        """Return a row of the ledger as one of the index."""
        number, step, persona, question, model, repair, outcome, *used, cost, estimated, seconds, began, fits = row
        try:
            moment = datetime.fromisoformat(began).timestamp() if fits else None
        except ValueError:
            moment = None
        if moment is None:
            raise CorruptFile("%(file)s has calls with values that cannot be true. Move it away.", file=self._path)
        texts = (self._number(*each) for each in (("persona", persona), ("question", question), ("model", model)))
        price = np.nan if cost is None else cost
        end = self._number("outcome", outcome)
        return (number, step, *texts, repair, end, *used, price, bool(estimated), seconds, moment, False)

    def _number(self, column: str, text: str) -> int:
        """Return the number of a text, a new one if it has none."""
        numbers = self._numbers[column]
        return numbers.setdefault(text, len(numbers))

    def _carried_on(self, rows: Mapping[str, NDArray[Any]]) -> NDArray[np.bool_]:
        """Return of which calls the question had no usable answer in the end."""
        people, questions = self._numbers["persona"], self._numbers["question"]
        fallen = [
            (step * len(people) + people[who]) * len(questions) + questions[said]
            for (step, who, _), said in self._fallbacks.items()
            if who in people and said in questions
        ]
        keys = (rows["step"] * len(people) + rows["persona"]) * len(questions) + rows["question"]
        return np.isin(keys, np.array(fallen, np.int64))

    def _chosen(self, chosen: CallFilter) -> _Calls:
        calls = self._calls
        given = [(name, text) for name in GROUPS if (text := getattr(chosen, name))]
        conditions = [calls[name] == self._numbers[name].get(text, -1) for name, text in given]
        if chosen.steps:
            first, end = chosen.steps
            conditions.append((calls["step"] >= first) & (calls["step"] < end))
        if chosen.carried_on:
            conditions.append(calls["carried_on"])
        return calls.where(*conditions)

    def _ended(self, calls: _Calls) -> _Calls:
        """Return the calls that count: answers of other runs were none."""
        ends = calls.whole("outcome")
        return calls.where(*(ends != self._numbers["outcome"].get(each, -1) for each in (OPEN, SHARED)))

    def listed(self, chosen: CallFilter, order: str, page: int) -> list[ListedCall]:
        """Return a page of calls, from 0. `order` is one of ORDERS."""
        calls = self._chosen(chosen)
        values = {"cost": lambda: np.nan_to_num(calls["cost"], nan=-1.0), "tokens": lambda: calls.tokens}
        keys = [values.get(name, lambda name=name: calls[name])() for name in reversed(ORDERS[order])]
        places = np.lexsort(keys) if keys else np.arange(len(calls))
        shown = places[::-1][page * PAGE : (page + 1) * PAGE]
        rows = zip(*(calls[name][shown].tolist() for name in LISTED), strict=True)
        names = {column: list(numbers) for column, numbers in self._numbers.items()}
        return [self._listed(dict(zip(LISTED, row, strict=True)), names) for row in rows]

    def _listed(self, row: dict[str, Any], names: Mapping[str, list[str]]) -> ListedCall:
        texts = {column: names[column][row[column]] for column in TEXTS}
        price = None if np.isnan(row["cost"]) else row["cost"]
        return ListedCall(**row | texts | {"cost": price})

    def call(self, number: int) -> ListedCall | None:
        """Return a call from the ledger itself, whether it is in the index yet or not; None if there is none."""
        query = f"SELECT {COLUMNS}, {FELL_BACK} FROM calls WHERE id = ? AND {RULES['calls']}"  # noqa: S608 - names from our code
        with closing(self._opened()) as ledger:
            row = ledger.execute(query, [number]).fetchone()
        return ListedCall(*row) if row else None

    def later_attempts(self, call: ListedCall) -> list[int]:
        """Return the numbers of later calls of the person with the same question in the step, one correction on."""
        number = self._numbers["persona"].get(call.persona, -1), self._numbers["question"].get(call.question, -1)
        calls = self._calls
        same = (calls["persona"] == number[0]) & (calls["question"] == number[1]) & (calls["step"] == call.step)
        later = (calls["number"] > call.number) & (calls["corrections"] == call.corrections + 1)
        return [int(each) for each in calls["number"][same & later]]

    def count(self, chosen: CallFilter) -> int:
        return len(self._chosen(chosen))

    def sums(self, by: str, chosen: CallFilter) -> list[CallSums]:
        """Return sums by one of GROUPS over the calls that have ended, the group with most calls first."""
        calls, names = self._ended(self._chosen(chosen)), list(self._numbers[by])
        answered = self._numbers["outcome"].get(ANSWERED, -1)
        values = {
            "calls": None,
            "corrected": calls["corrections"] > 0,
            "failed": calls["outcome"] != answered,
            "tokens": calls.tokens,
            "cost": calls.costs,
            "seconds": calls["seconds"],
        }
        groups = calls[by]
        of = {name: np.bincount(groups, each, minlength=len(names)).tolist() for name, each in values.items()}
        carried = self._fallen(by, chosen)
        found = [
            CallSums(name, calls, int(corrected), int(failed), int(tokens), cost, seconds / calls, carried.get(name, 0))
            for name, calls, corrected, failed, tokens, cost, seconds in zip(names, *of.values(), strict=True)
            if calls
        ]
        return sorted(found, key=lambda each: (-each.calls, each.name))

    def _fallen(self, by: str, chosen: CallFilter) -> Counter[str]:
        """Return the number of questions without a usable answer; by model, that is not known."""
        fallen = (
            {"persona": who, "question": said}
            for (_, who, _), said in list(self._fallbacks.items())
            if chosen.persona in {"", who} and chosen.question in {"", said}
        )
        return Counter() if by == "model" else Counter(each[by] for each in fallen)

    def names(self, by: str) -> list[str]:
        """Return by what of one of GROUPS calls can be chosen, in order."""
        return sorted(name for name in self._numbers[by].copy() if name)

    def pulse(self, chosen: CallFilter, span: int) -> list[CallPulse]:
        """Return calls, tokens and cost in spans of so many steps, without empty ones."""
        ended = self._ended(self._chosen(chosen))
        if not len(ended):
            return []
        spans = ended["step"] // span
        first = int(spans.min())
        sums = [np.bincount(spans - first, each).tolist() for each in (None, ended.tokens, ended.costs)]
        return [
            CallPulse((first + place) * span, calls, int(tokens), cost)
            for place, (calls, tokens, cost) in enumerate(zip(*sums, strict=True))
            if calls
        ]

    def ends(self, chosen: CallFilter) -> tuple[int, int]:
        """Return the first and the last step with a call; zeros without calls."""
        steps = self._chosen(chosen)["step"]
        return (int(steps.min()), int(steps.max())) if len(steps) else (0, 0)

    def rate(self, last: int = 60) -> tuple[float, float] | None:
        """Return calls and dollars an hour over the last calls, by the clock; None if there are too few to tell."""
        ended = self._ended(self._calls)
        began, costs = ended["began"][-last:], ended.costs[-last:]
        hours = float(began[-1] - began[0]) / 3600 if len(began) else 0.0
        return (len(began) / hours, float(costs.sum()) / hours) if hours > 0 else None


def _unreadable(path: Path, fault: Exception) -> CorruptFile:
    return CorruptFile("%(file)s cannot be read (%(reason)s). Restore it from a copy.", file=path, reason=fault)
