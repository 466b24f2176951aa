"""The ledger of a simulation: every call that went over the wire, what it brought and what it cost.

It lies in `reverie/ledger.sqlite3` of the simulation. What was answered once can be read back instead of being asked
again: that is how a killed run goes on without paying twice, and how a recorded simulation is run again without calls.
Keys are no part of a request, so none can get in here.

A row is on disk before its call is sent, with the most that the call can cost; when the call ends, what it did cost
takes its place. A row that is still open when the ledger is next opened belonged to a run that was killed: it may have
been answered and paid for, so it keeps its numbers.
"""

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b
from pathlib import Path
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from ville.errors import CorruptFile, LedgerError, Malformed, ModelError, TooLong
from ville.llm.accounting.bounds import Most
from ville.llm.accounting.tables import ANSWERED, EMBEDDING, OPEN, prepare
from ville.llm.gateway import ChatReply, ChatRequest, Usage

Vector = npt.NDArray[np.float32]
FILE = "ledger.sqlite3"
COLUMNS = (
    "key", "began", "seconds", "question", "persona", "step", "repair", "model", "messages", "schema", "answer",
    "outcome", "fault", "prompt_tokens", "cached_tokens", "completion_tokens", "cost", "estimated", "beyond",
)  # fmt: skip
SETTLED = COLUMNS[COLUMNS.index("answer") :]
"""What is not known before a call has ended; how long it took, too."""
INSERT = f"INSERT INTO calls ({', '.join(COLUMNS)}) VALUES ({', '.join('?' * len(COLUMNS))})"  # noqa: S608 - our own names
UPDATE = f"UPDATE calls SET seconds = ?, {', '.join(f'{name} = ?' for name in SETTLED)} WHERE id = ?"  # noqa: S608 - our own names
UNPRICED = "cost IS NULL AND prompt_tokens + completion_tokens > 0"
FLOAT = np.dtype("<f4")
LOCAL: Mapping[str, type[ModelError]] = {"TooLong": TooLong, "Malformed": Malformed}
"""Faults that the asker deals with."""


@dataclass(frozen=True)
class Spend:
    """What a simulation has used since it was begun."""

    calls: int = 0
    tokens: int = 0
    cost: float = 0.0
    """US dollars, as far as prices are known."""
    unpriced: int = 0
    """Calls of which nobody knows the price."""
    estimated: int = 0
    """Calls whose tokens were not reported."""
    beyond: int = 0
    """Calls that used more than they were allowed to."""

    def plus(self, ending: "Ending") -> "Spend":
        usage = ending.usage
        return Spend(
            self.calls + 1,
            self.tokens + usage.tokens,
            self.cost + (usage.cost or 0.0),
            self.unpriced + (usage.cost is None),
            self.estimated + usage.estimated,
            self.beyond + ending.beyond,
        )


@dataclass(frozen=True)
class Asked:
    """One call as it is sent."""

    key: bytes
    question: str
    persona: str
    step: int
    repair: int
    """How many bad answers are sent back with it."""
    messages: str
    """JSON."""
    schema: str
    """JSON."""

    @classmethod
    def question_of(cls, request: ChatRequest) -> Self:
        messages = [{"role": message.role, "content": message.content} for message in request.messages]
        repair = sum(message.role == "assistant" for message in request.messages)
        who = (request.question, request.persona, request.step)
        return cls(key_of(request), *who, repair, _json(messages), _json(request.schema))

    @classmethod
    def batch_of(cls, step: int, texts: Sequence[str]) -> Self:
        return cls(batch_key(step, texts), EMBEDDING, "", step, 0, _json(list(texts)), "{}")


@dataclass(frozen=True)
class Ending:
    """How one call went: answered, or the fault that it met."""

    seconds: float
    usage: Usage
    answer: str = ""
    outcome: str = ANSWERED
    fault: str = ""
    """What the fault said; of an answer, why it is no whole one."""
    beyond: bool = False
    """Whether it used more than it was allowed to."""


class Ledger:
    """Reads and writes one ledger. One writer at a time; anybody may read meanwhile."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self.connection = connection
        self.step = 0
        """The step the town is in, for what is not asked by anybody alone."""
        self.spend = Spend(*self._spent())

    @classmethod
    def open(cls, folder: Path) -> Self:
        """The ledger in a folder, begun if there is none. Raises CorruptFile."""
        return cls._kept_in(folder / FILE, "rwc")

    @classmethod
    def read(cls, folder: Path) -> Self:
        """The ledger in a folder, to be read only. Raises CorruptFile."""
        path = folder / FILE
        if not path.exists():
            raise CorruptFile(f"{path} is missing: only a simulation that was run with a language model has a ledger.")
        return cls._kept_in(path, "ro")

    @classmethod
    def _kept_in(cls, path: Path, mode: str) -> Self:
        """A file that is no ledger is let go of at once, so that it can be moved away."""
        with _in_order(path), ExitStack() as on_a_fault:
            connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode={mode}", uri=True, isolation_level=None)
            on_a_fault.callback(connection.close)
            prepare(path, connection, writable=mode != "ro")
            ledger = cls(path, connection)
            on_a_fault.pop_all()
            return ledger

    def close(self) -> None:
        self.connection.close()

    def price(self, costs: Callable[[str, Usage], float | None]) -> None:
        """Reckon anew what nobody knew the price of. `costs` tells dollars from model and usage. Raises LedgerError."""
        query = "SELECT id, model, prompt_tokens, cached_tokens, completion_tokens FROM calls WHERE cost IS NULL"
        with self._writing():
            rows = self.connection.execute(query).fetchall()
            known = [(costs(model, Usage(*tokens)), number) for number, model, *tokens in rows]
            self.connection.executemany("UPDATE calls SET cost = ? WHERE id = ?", known)
        self.spend = Spend(*self._spent())

    def unpriced(self) -> list[str]:
        """The models that were asked and of which nobody knows the price."""
        query = f"SELECT DISTINCT model FROM calls WHERE {UNPRICED} ORDER BY 1"  # noqa: S608 - our own words
        return [model for (model,) in self.connection.execute(query)]

    def set_step(self, step: int) -> None:
        """What is asked from now on belongs to this step."""
        self.step = step

    def begin(self, asked: Asked, most: Most, began: datetime) -> int:
        """Write down a call that is about to be sent, and return its number. Raises LedgerError."""
        ending = Ending(0.0, most.usage, outcome=OPEN)
        values = (
            asked.key, began.isoformat(timespec="milliseconds"), 0.0, asked.question, asked.persona, asked.step,
            asked.repair, most.model, asked.messages, asked.schema, *_settled(ending),
        )  # fmt: skip
        with self._writing():
            return int(self.connection.execute(INSERT, values).lastrowid or 0)

    def settle(self, number: int, ending: Ending, vectors: Iterable[tuple[str, str, Vector]] = ()) -> None:
        """Write down how a call ended, and the vectors that it brought: embedder, text, numbers. Raises LedgerError."""
        rows = [(embedder, _digest(text), np.asarray(vector, FLOAT).tobytes()) for embedder, text, vector in vectors]
        with self._writing():
            self.connection.execute(UPDATE, (round(ending.seconds, 4), *_settled(ending), number))
            self.connection.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", rows)
        self.spend = self.spend.plus(ending)

    def forget(self, number: int) -> None:
        """Strike out a call that never left this machine. Raises LedgerError."""
        with self._writing():
            self.connection.execute("DELETE FROM calls WHERE id = ?", (number,))

    def record_failure(self, key: bytes, fault: ModelError) -> None:
        """Somebody was told in the end that there is no answer. Raises LedgerError."""
        with self._writing():
            row = (key, type(fault).__name__, str(fault))
            self.connection.execute("INSERT OR REPLACE INTO failures VALUES (?, ?, ?)", row)

    def answer_to(self, request: ChatRequest) -> ChatReply | None:
        """What was answered to exactly this before."""
        query = "SELECT answer, model, fault FROM calls WHERE key = ? AND outcome = ? ORDER BY id DESC"
        row = self._row(query, key_of(request), ANSWERED)
        return ChatReply(text=row[0], model=row[1], usage=Usage(cost=0.0), fault=row[2]) if row else None

    def failure_of(self, key: bytes) -> ModelError | None:
        """What those were told who got no answer; nothing of it ends a run a second time."""
        row = self._row("SELECT kind, fault FROM failures WHERE key = ?", key)
        return LOCAL.get(row[0], ModelError)(row[1]) if row else None

    def vectors_of(self, embedder: str, texts: Sequence[str]) -> dict[str, Vector]:
        """Text to vector, for those that an embedder was given before."""
        known = {}
        for text in texts:
            row = self._row("SELECT vector FROM vectors WHERE embedder = ? AND text = ?", embedder, _digest(text))
            if row:
                known[text] = np.frombuffer(row[0], FLOAT).astype(np.float32)
        return known

    def vector_size(self, embedder: str) -> int:
        """How many numbers most vectors of an embedder have; 0 if there are none."""
        row = self._row(
            "SELECT length(vector) FROM vectors WHERE embedder = ? GROUP BY 1 ORDER BY count(*) DESC", embedder
        )
        return row[0] // FLOAT.itemsize if row else 0

    def _spent(self) -> tuple[Any, ...]:
        """Of the calls that have ended."""
        sums = (
            "count(*), cast(total(prompt_tokens + completion_tokens) AS INTEGER), total(cost), "
            f"count(*) FILTER (WHERE {UNPRICED}), coalesce(sum(estimated), 0), coalesce(sum(beyond), 0)"
        )
        return self._row(f"SELECT {sums} FROM calls WHERE outcome <> ?", OPEN) or ()  # noqa: S608 - our own words

    def _row(self, query: str, *values: object) -> tuple[Any, ...] | None:
        with _in_order(self.path):
            row: tuple[Any, ...] | None = self.connection.execute(query, values).fetchone()
            return row

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """All of it or nothing."""
        try:
            self.connection.execute("BEGIN IMMEDIATE")
            yield
            self.connection.execute("COMMIT")
        except sqlite3.Error as fault:
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")
            raise LedgerError(
                f"{self.path} cannot be written: {fault}. What was asked would be lost, so nothing more is asked."
            ) from fault


def key_of(request: ChatRequest) -> bytes:
    """The same for the same question, asked by the same persona in the same step for the same time."""
    messages = [(message.role, message.content) for message in request.messages]
    asked = (request.persona, request.step, request.question, request.seed, request.occurrence)
    return _digest(_json([*asked, messages, request.schema]))


def batch_key(step: int, texts: Sequence[str]) -> bytes:
    """The same for the same texts in the same step."""
    return _digest(_json([EMBEDDING, step, *texts]))


def _settled(ending: Ending) -> tuple[object, ...]:
    """The values of SETTLED."""
    usage = ending.usage
    return (
        ending.answer, ending.outcome, ending.fault, usage.prompt_tokens, usage.cached_tokens,
        usage.completion_tokens, usage.cost, usage.estimated, ending.beyond,
    )  # fmt: skip


def _digest(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _json(value: Mapping[str, object] | Sequence[object]) -> str:
    return json.dumps(value)


@contextmanager
def _in_order(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.DatabaseError as fault:
        raise CorruptFile(f"{path} is no ledger that can be read: {fault}. Move it away to begin a new one.") from fault
