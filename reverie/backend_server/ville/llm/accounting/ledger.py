"""The ledger of a simulation: every call to a provider, its result and its cost.

It is the file `reverie/ledger.sqlite3` of the simulation. Recorded answers are read back instead of being asked again:
a killed run resumes without paying twice, and a recorded simulation can be replayed without calls. API keys are not
part of a request, so the ledger contains none.

A row is written before its call is sent, with the most that the call can cost; when the call ends, its actual usage
replaces that. A row that is still open when the ledger is next opened belonged to a killed run: it may have been
answered and charged, so it keeps its numbers.
"""

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import astuple, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

import numpy as np

from ville.errors import CorruptFile, LedgerError, Malformed, ModelError, ReverieError, TimedOut, TooLong, put_right
from ville.llm.accounting.ledger_schema import ANSWERED, OPEN, PURPOSE, SHARED, TERMS, check_ledger, prepare
from ville.llm.accounting.rates import MostUsage
from ville.llm.gateway import EMBEDDING, AnswerTerms, ChatReply, ChatRequest, EmbeddingRequest, Usage, Vector, digest
from ville.storage.database_check import check_files, reading_uri

FILE, INTERVIEWS = "ledger.sqlite3", "interviews.sqlite3"
"""Calls of the run, and calls of interviews, which no replay needs."""
COLUMNS = (
    "key", "began", "seconds", "question", "persona", "step", "repair", "model", "messages", "schema", PURPOSE,
    "answer", "outcome", "fault", "prompt_tokens", "cached_tokens", "completion_tokens", "cost", "estimated", "beyond",
    *TERMS,
)  # fmt: skip
RESULT_COLUMNS = COLUMNS[COLUMNS.index("answer") :]
"""Columns that are known when a call ends, beside `seconds`."""
INSERT = f"INSERT INTO calls ({', '.join(COLUMNS)}) VALUES ({', '.join('?' * len(COLUMNS))})"  # noqa: S608 - names from this file
UPDATE = f"UPDATE calls SET seconds = ?, {', '.join(f'{name} = ?' for name in RESULT_COLUMNS)} WHERE id = ?"  # noqa: S608 - names from this file
UNPRICED = "cost IS NULL AND prompt_tokens + completion_tokens > 0"
FLOAT = np.dtype("<f4")
REPLAYED: Mapping[str, type[ModelError]] = {"TooLong": TooLong, "TimedOut": TimedOut, "Malformed": Malformed}
"""Recorded errors that keep their type in a replay, because `ask` handles them."""
Row = tuple[Any, ...]
"""Columns, as the query names them."""


@dataclass(frozen=True)
class Spend:
    """Usage over the whole life of a simulation."""

    calls: int = 0
    tokens: int = 0
    cost: float = 0.0
    """US dollars, without the calls whose price is unknown."""
    unpriced: int = 0
    """Calls that used something whose price is unknown."""
    estimated: int = 0
    """Calls whose tokens were not reported."""
    beyond: int = 0
    """Calls that reported more than they can have used."""

    def __add__(self, other: "Spend") -> "Spend":
        return Spend(*(mine + theirs for mine, theirs in zip(astuple(self), astuple(other), strict=True)))

    def plus(self, result: "CallResult") -> "Spend":
        """Return the sum with one more call."""
        usage = result.usage
        return Spend(
            self.calls + 1,
            self.tokens + usage.tokens,
            self.cost + (usage.cost or 0.0),
            self.unpriced + (usage.cost is None and usage.tokens > 0),
            self.estimated + usage.estimated,
            self.beyond + usage.beyond,
        )


@dataclass(frozen=True)
class CallRecord:
    """One call before it is sent."""

    key: bytes
    question: str
    persona: str
    step: int
    repair: int
    """Number of bad answers that are sent back with it."""
    messages: str
    """JSON."""
    schema: str
    """JSON."""

    @classmethod
    def of(cls, request: ChatRequest | EmbeddingRequest) -> Self:
        if isinstance(request, EmbeddingRequest):
            return cls(request.key, EMBEDDING, "", request.step, 0, _json(request.texts), "{}")
        messages = [{"role": message.role, "content": message.content} for message in request.messages]
        repair = sum(message.role == "assistant" for message in request.messages)
        asked = (request.question, request.persona, request.step)
        return cls(request.key, *asked, repair, _json(messages), request.schema_text)


@dataclass(frozen=True)
class CallResult:
    """How one call ended: with an answer or an error."""

    seconds: float
    usage: Usage
    answer: str = ""
    outcome: str = ANSWERED
    fault: str = ""
    """Message of the error, or why the answer is not complete."""
    terms: AnswerTerms = field(default_factory=AnswerTerms)


class Ledger:
    """One ledger file. One process may write while others read."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self.connection = connection
        self.step = 0
        """Current step, for calls that serve all personas."""
        self.purpose = ""
        """Kept with calls from now on: OF_STUDY, or nothing."""
        self._version = self._changes()
        self.spend = Spend(*self._spent())

    def up_to_date(self) -> Spend:
        """Return what was spent by calls that have ended, also by those of other programs that write to this file."""
        if (version := self._changes()) != self._version:
            self._version, self.spend = version, Spend(*self._spent())
        return self.spend

    def spend_for(self, purpose: str) -> Spend:
        """Return what was spent by calls for a purpose that have ended."""
        return Spend(*self._spent(f"{PURPOSE} = ?", purpose))

    def _changes(self) -> int:
        """Return a number that changes when another program writes to the file."""
        with _checked(self.path):
            return int(self.connection.execute("PRAGMA data_version").fetchone()[0])

    @classmethod
    def open(cls, folder: Path, file: str = FILE) -> Self:
        """Open the ledger in a folder, or create it. Raises CorruptFile."""
        path = folder / file
        return cls._connect(path, f"{path.resolve().as_uri()}?mode=rwc", writable=True)

    @classmethod
    def read(cls, folder: Path, file: str = FILE) -> Self:
        """Open the ledger in a folder read-only, also while a run writes to it. Raises CorruptFile."""
        path = folder / file
        if not path.exists():
            template = "%(file)s is missing. Only simulations that ran with a language model have a ledger."
            raise CorruptFile(template, file=_shown(path))
        return cls._connect(path, reading_uri(path), writable=False)

    @classmethod
    def _connect(cls, path: Path, address: str, *, writable: bool) -> Self:
        """Open a file, and close it again if it is not a ledger, so that it can be moved away."""
        with _checked(path), ExitStack() as on_error:
            check_files(path)
            connection = sqlite3.connect(address, uri=True, isolation_level=None)
            on_error.callback(connection.close)
            check_ledger(path, connection)
            prepare(path, connection, writable=writable)
            ledger = cls(path, connection)
            on_error.pop_all()
            return ledger

    def close(self) -> None:
        self.connection.close()

    def price_calls(self, costs: Callable[[str, Usage], float | None]) -> None:
        """Set the cost of calls whose price was unknown; `costs` returns US dollars. Raises LedgerError."""
        query = "SELECT id, model, prompt_tokens, cached_tokens, completion_tokens FROM calls WHERE cost IS NULL"
        with self._transaction():
            rows = self.connection.execute(query).fetchall()
            known = [(costs(model, Usage(*tokens)), number) for number, model, *tokens in rows]
            self.connection.executemany("UPDATE calls SET cost = ? WHERE id = ?", known)
        self.spend = Spend(*self._spent())

    def unpriced_models(self) -> list[str]:
        """Return the models in this ledger whose price is unknown."""
        query = f"SELECT DISTINCT model FROM calls WHERE {UNPRICED} ORDER BY 1"  # noqa: S608 - names from this file
        return [model for (model,) in self.connection.execute(query)]

    def set_step(self, step: int) -> None:
        """Assign calls from now on to this step."""
        self.step = step

    def begin(self, call: CallRecord, most: MostUsage, began: datetime) -> int:
        """Write the row of a call that is about to be sent, and return its number. Raises LedgerError."""
        result = CallResult(0.0, most.usage, outcome=OPEN)
        values = (
            call.key, began.isoformat(timespec="milliseconds"), 0.0, call.question, call.persona, call.step,
            call.repair, most.model, call.messages, call.schema, self.purpose, *_result_values(result),
        )  # fmt: skip
        with self._transaction():
            return int(self.connection.execute(INSERT, values).lastrowid or 0)

    def finish(self, number: int, result: CallResult, vectors: Iterable[tuple[str, str, Vector]] = ()) -> None:
        """Complete a row, and store vectors: embedder, text, numbers. Raises LedgerError."""
        rows = [(embedder, digest(text), np.asarray(vector, FLOAT).tobytes()) for embedder, text, vector in vectors]
        with self._transaction():
            self.connection.execute(UPDATE, (round(result.seconds, 4), *_result_values(result), number))
            self.connection.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", rows)
        self.spend = self.spend.plus(result)

    def adopt(self, request: ChatRequest, reply: ChatReply) -> None:
        """Keep an answer of another simulation, so that this one can be replayed by itself. Raises LedgerError."""
        call = CallRecord.of(request)
        result = CallResult(
            0.0, Usage(cost=0.0), answer=reply.text, outcome=SHARED, fault=reply.fault, terms=reply.terms
        )
        values = (
            call.key, datetime.now(UTC).isoformat(timespec="milliseconds"), 0.0, call.question, call.persona,
            call.step, call.repair, reply.model, call.messages, call.schema, self.purpose, *_result_values(result),
        )  # fmt: skip
        with self._transaction():
            self.connection.execute(INSERT, values)

    def adopt_vectors(self, embedder: str, vectors: Mapping[str, Vector]) -> None:
        """Keep vectors of another simulation, by text. Raises LedgerError."""
        if vectors:
            with self._transaction():
                rows = [(embedder, digest(text), np.asarray(each, FLOAT).tobytes()) for text, each in vectors.items()]
                self.connection.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", rows)

    def delete(self, number: int) -> None:
        """Delete the row of a call that was not sent. Raises LedgerError."""
        with self._transaction():
            self.connection.execute("DELETE FROM calls WHERE id = ?", (number,))

    def record_failure(self, key: bytes, error: ModelError) -> None:
        """Record that a request ended without an answer, for replays. Raises LedgerError."""
        with self._transaction():
            row = (key, type(error).__name__, str(error))
            self.connection.execute("INSERT OR REPLACE INTO failures VALUES (?, ?, ?)", row)

    def record_fallbacks(self, step: int, persona: str, questions: Sequence[str]) -> None:
        """Record the questions of a persona in a step that had no usable answer. Raises LedgerError."""
        rows = [(step, persona, number, question) for number, question in enumerate(questions)]
        with self._transaction():
            self.connection.executemany("INSERT OR REPLACE INTO fallbacks VALUES (?, ?, ?, ?)", rows)

    def forget_failures(self, keys: Iterable[bytes]) -> None:
        """Remove the errors of requests that were answered when they were repeated. Raises LedgerError."""
        if failed := [(key,) for key in keys if self.failure_of(key)]:
            with self._transaction():
                self.connection.executemany("DELETE FROM failures WHERE key = ?", failed)

    def answer_to(self, request: ChatRequest) -> ChatReply | None:
        """Return the recorded answer to an identical request."""
        columns = ", ".join(("answer", "model", "fault", *TERMS))
        query = f"SELECT {columns} FROM calls WHERE key = ? AND outcome IN (?, ?) ORDER BY id DESC"  # noqa: S608 - names from this file
        row = self._row(query, request.key, ANSWERED, SHARED)
        if row is None:
            return None
        text, model, fault, *terms = row
        return ChatReply(text, model, Usage(cost=0.0), fault, terms=AnswerTerms(*terms))

    def models_asked(self, key: bytes) -> set[str]:
        """Return the models to which a request was sent."""
        with _checked(self.path):
            return {model for (model,) in self.connection.execute("SELECT model FROM calls WHERE key = ?", (key,))}

    def failure_of(self, key: bytes) -> ModelError | None:
        """Return the recorded error of a request; errors that end a run are replaced by a plain ModelError."""
        row = self._row("SELECT kind, fault FROM failures WHERE key = ?", key)
        return REPLAYED.get(row[0], ModelError)(row[1]) if row else None

    def vectors_of(self, embedder: str, texts: Sequence[str]) -> dict[str, Vector]:
        """Return text to vector, for texts whose vector is stored."""
        known = {}
        for text in texts:
            row = self._row("SELECT vector FROM vectors WHERE embedder = ? AND text = ?", embedder, digest(text))
            if row:
                known[text] = np.frombuffer(row[0], FLOAT).astype(np.float32)
        return known

    def vector_size(self, embedder: str) -> int:
        """Return the size of most vectors of an embedder; 0 if there are none."""
        row = self._row(
            "SELECT length(vector) FROM vectors WHERE embedder = ? GROUP BY 1 ORDER BY count(*) DESC", embedder
        )
        return row[0] // FLOAT.itemsize if row else 0

    def _spent(self, condition: str = "TRUE", *values: object) -> Row:
        """Return the fields of Spend, summed over the calls that have ended and meet a condition."""
        sums = (
            "count(*), cast(total(prompt_tokens + completion_tokens) AS INTEGER), total(cost), "
            f"count(*) FILTER (WHERE {UNPRICED}), coalesce(sum(estimated), 0), coalesce(sum(beyond), 0)"
        )
        query = f"SELECT {sums} FROM calls WHERE outcome NOT IN (?, ?) AND {condition}"  # noqa: S608 - names from this file
        return self._row(query, OPEN, SHARED, *values) or ()

    def _row(self, query: str, *values: object) -> Row | None:
        with _checked(self.path):
            row: Row | None = self.connection.execute(query, values).fetchone()
            return row

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """Apply all changes of the context, or none. Raises LedgerError."""
        try:
            self.connection.execute("BEGIN IMMEDIATE")
            yield
            self.connection.execute("COMMIT")
        except sqlite3.Error as error:
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")
            raise LedgerError(
                f"{_shown(self.path)} cannot be written: {error}. No calls are made: their answers would be lost."
            ) from error


def _result_values(result: CallResult) -> Row:
    """Return the values of RESULT_COLUMNS."""
    usage = result.usage
    return (
        result.answer, result.outcome, result.fault, usage.prompt_tokens, usage.cached_tokens,
        usage.completion_tokens, usage.cost, usage.estimated, usage.beyond, *result.terms,
    )  # fmt: skip


def _json(value: Mapping[str, object] | Sequence[object]) -> str:
    return json.dumps(value)


@contextmanager
def _checked(path: Path) -> Iterator[None]:
    """Raise CorruptFile if the file is not a database. Errors name no folder above that of the simulation."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        template = "%(file)s cannot be read as a ledger: %(reason)s. Move it away to start a new one."
        raise CorruptFile(template, file=_shown(path), reason=error) from error
    except ReverieError as fault:
        put_right(fault, {str(path): _shown(path)})
        raise


def _shown(path: Path) -> str:
    """Return the name of a ledger for messages: its path from the folder of the simulation on."""
    return Path(*path.parts[-3:]).as_posix()
