"""The ledger of a simulation: every call that went over the wire, what it brought and what it cost.

It lies in `reverie/ledger.sqlite3` of the simulation. What was answered once can be read back instead of being asked
again: that is how a killed run goes on without paying twice, and how a recorded simulation is run again without calls.
Keys are no part of a request, so none can get in here. A row is on disk before its answer reaches anybody.
"""

import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import blake2b
from pathlib import Path
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from errors import CorruptFile, Malformed, ModelError, NotRecorded, TooLong
from llm.gateway import ChatReply, ChatRequest, Usage, Vectors

FILE = "ledger.sqlite3"
EMBEDDING = "embedding"
"""What stands in place of a question's title where texts were turned into vectors."""
ANSWERED, CANCELLED = "answered", "cancelled"
"""How a call ended; a failed one has the name of its fault instead."""
VERSION = 1
SCHEMA = f"""
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
CREATE TABLE IF NOT EXISTS calls (
    id INTEGER PRIMARY KEY,
    key BLOB NOT NULL,              -- digest of the request
    began TEXT NOT NULL,            -- UTC
    seconds REAL NOT NULL,          -- until the answer or the fault was there
    question TEXT NOT NULL,         -- as in plan/wake_up_hour, or '{EMBEDDING}'
    persona TEXT NOT NULL,          -- empty for embeddings: they serve everybody
    step INTEGER NOT NULL,
    repair INTEGER NOT NULL,        -- how many bad answers had been sent back before
    model TEXT NOT NULL,            -- as the provider calls it; empty if nobody answered
    messages TEXT NOT NULL,         -- JSON; the texts of an embedding batch
    schema TEXT NOT NULL,           -- JSON
    answer TEXT NOT NULL,           -- as it came
    outcome TEXT NOT NULL,          -- '{ANSWERED}', '{CANCELLED}' or the name of a fault
    fault TEXT NOT NULL,
    prompt_tokens INTEGER NOT NULL,
    cached_tokens INTEGER NOT NULL,
    completion_tokens INTEGER NOT NULL,
    cost REAL                       -- US dollars; NULL if nobody knows
);
CREATE INDEX IF NOT EXISTS calls_by_key ON calls (key);
CREATE TABLE IF NOT EXISTS failures (
    key BLOB PRIMARY KEY, kind TEXT NOT NULL, fault TEXT NOT NULL
) WITHOUT ROWID;                    -- what those were told who in the end got no answer
CREATE TABLE IF NOT EXISTS vectors (
    embedder TEXT NOT NULL, text BLOB NOT NULL, vector BLOB NOT NULL, PRIMARY KEY (embedder, text)
) WITHOUT ROWID;                    -- text: its digest; vector: little-endian float32
PRAGMA user_version = {VERSION};
"""
COLUMNS = (
    "key", "began", "seconds", "question", "persona", "step", "repair", "model", "messages", "schema", "answer",
    "outcome", "fault", "prompt_tokens", "cached_tokens", "completion_tokens", "cost",
)  # fmt: skip
INSERT = f"INSERT INTO calls ({', '.join(COLUMNS)}) VALUES ({', '.join('?' * len(COLUMNS))})"  # noqa: S608 - our own names
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
    """Answers of which nobody knows the price."""

    def plus(self, usage: Usage, *, answered: bool) -> "Spend":
        return Spend(
            self.calls + 1,
            self.tokens + usage.prompt_tokens + usage.completion_tokens,
            self.cost + (usage.cost or 0.0),
            self.unpriced + (answered and usage.cost is None),
        )


@dataclass(frozen=True)
class Ending:
    """How one call went: answered, or the fault that it met."""

    began: datetime
    seconds: float
    answer: str = ""
    model: str = ""
    usage: Usage = field(default_factory=Usage)
    outcome: str = ANSWERED
    fault: str = ""
    """What the fault said; of an answer, why it is no whole one."""


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
        return cls._kept_in(folder / FILE, "rwc", SCHEMA)

    @classmethod
    def read(cls, folder: Path) -> Self:
        """The ledger in a folder, to be read only. Raises CorruptFile."""
        path = folder / FILE
        if not path.exists():
            raise CorruptFile(f"{path} is missing: only a simulation that was run with a language model has a ledger.")
        return cls._kept_in(path, "ro")

    @classmethod
    def _kept_in(cls, path: Path, mode: str, script: str = "") -> Self:
        """A file that is no ledger is let go of at once, so that it can be moved away."""
        with _in_order(path), ExitStack() as on_a_fault:
            connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode={mode}", uri=True, isolation_level=None)
            on_a_fault.callback(connection.close)
            _check_version(path, connection)
            connection.executescript(script)
            ledger = cls(path, connection)
            on_a_fault.pop_all()
            return ledger

    def close(self) -> None:
        self.connection.close()

    def price(self, costs: Callable[[str, Usage], float | None]) -> None:
        """Reckon anew what nobody knew the price of. `costs` tells dollars from model and usage. Raises NotRecorded."""
        query = (
            "SELECT id, model, prompt_tokens, cached_tokens, completion_tokens FROM calls "
            "WHERE cost IS NULL AND outcome = ?"
        )
        with self._writing():
            rows = self.connection.execute(query, (ANSWERED,)).fetchall()
            known = [(costs(model, Usage(*tokens)), number) for number, model, *tokens in rows]
            self.connection.executemany("UPDATE calls SET cost = ? WHERE id = ?", known)
        self.spend = Spend(*self._spent())

    def turn_to(self, step: int) -> None:
        """What is asked from now on belongs to this step."""
        self.step = step

    def record(self, request: ChatRequest, ending: Ending) -> None:
        """One call of a persona. Raises NotRecorded."""
        messages = [{"role": message.role, "content": message.content} for message in request.messages]
        who = (request.question, request.persona, request.step, _repairs(request))
        asked = (_json(messages), _json(request.schema))
        with self._writing():
            self._insert(key_of(request), who, asked, ending=ending)

    def record_batch(self, embedder: str, texts: Sequence[str], ending: Ending, vectors: Vectors | None = None) -> None:
        """One batch of texts with their vectors, if they came. Raises NotRecorded."""
        rows = [] if vectors is None else zip(texts, np.asarray(vectors, FLOAT), strict=True)
        with self._writing():
            self._insert(
                batch_key(self.step, texts), (EMBEDDING, "", self.step, 0), (_json(list(texts)), "{}"), ending=ending
            )
            self.connection.executemany(
                "INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)",
                [(embedder, _digest(text), vector.tobytes()) for text, vector in rows],
            )

    def record_failure(self, key: bytes, fault: ModelError) -> None:
        """Somebody was told in the end that there is no answer. Raises NotRecorded."""
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

    def vectors_of(self, embedder: str, texts: Sequence[str]) -> dict[str, npt.NDArray[np.float32]]:
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

    def _insert(
        self, key: bytes, who: tuple[str, str, int, int], asked: tuple[str, str], *, ending: Ending
    ) -> None:  # fmt: skip
        usage = ending.usage
        question, persona, step, repair = who
        values = (
            key, ending.began.isoformat(timespec="milliseconds"), round(ending.seconds, 4), question, persona, step,
            repair, ending.model, *asked, ending.answer, ending.outcome, ending.fault, usage.prompt_tokens,
            usage.cached_tokens, usage.completion_tokens, usage.cost,
        )  # fmt: skip
        self.connection.execute(INSERT, values)
        self.spend = self.spend.plus(usage, answered=ending.outcome == ANSWERED)

    def _spent(self) -> tuple[int, int, float, int]:
        calls, tokens, cost, unpriced = self._row(
            "SELECT count(*), total(prompt_tokens + completion_tokens), total(cost), "
            "total(cost IS NULL AND outcome = ?) FROM calls",
            ANSWERED,
        ) or (0, 0, 0, 0)
        return calls, int(tokens), cost, int(unpriced)

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
            raise NotRecorded(
                f"{self.path} cannot be written: {fault}. What was asked would be lost, so nothing more is asked."
            ) from fault


def _check_version(path: Path, connection: sqlite3.Connection) -> None:
    """Raises CorruptFile for a ledger that is not kept in this form."""
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version not in {0, VERSION}:
        raise CorruptFile(f"{path} is of another make (version {version}): move it away to begin a new one.")


def key_of(request: ChatRequest) -> bytes:
    """The same for the same question, asked by the same persona in the same step for the same time."""
    messages = [(message.role, message.content) for message in request.messages]
    asked = (request.persona, request.step, request.question, request.seed, request.occurrence)
    return _digest(_json([*asked, messages, request.schema]))


def batch_key(step: int, texts: Sequence[str]) -> bytes:
    """The same for the same texts in the same step."""
    return _digest(_json([EMBEDDING, step, *texts]))


def _repairs(request: ChatRequest) -> int:
    """Bad answers that are sent back with this request."""
    return sum(message.role == "assistant" for message in request.messages)


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
