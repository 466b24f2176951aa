"""List, show and export the calls of a ledger."""

import csv
import io
import json
from collections.abc import Iterable, Iterator
from typing import Any

from ville.errors import BadArgument
from ville.llm.accounting.ledger import COLUMNS, Ledger
from ville.llm.accounting.ledger_schema import TERMS
from ville.llm.gateway import EMBEDDING

EXPORTED = ("id", *COLUMNS[1:])
"""Every column except the key, a digest of the others."""
JSON_COLUMNS = ("messages", "schema")
TITLES = dict(zip(TERMS, ("sent with it", "answered by", "system", "ended"), strict=True))
"""Names of the terms of an answer."""
MOST = 2**63 - 1
"""Greatest number of a call that a ledger can have."""
CallRow = dict[str, Any]
"""The exported columns of a call."""


def latest_calls(ledger: Ledger, count: int) -> str:
    """Return the last calls, one per line, newest last."""
    query = (
        "SELECT id, step, persona, question, model, outcome, estimated, prompt_tokens + completion_tokens, seconds "
        "FROM calls ORDER BY id DESC LIMIT ?"
    )
    rows = list(ledger.connection.execute(query, (min(count, MOST),)))[::-1]
    return "\n".join(
        f"{number:>6}  step {step}  {persona or '(everyone)'}  {question}  {model or '-'}  {outcome}  "
        f"{'at most ' * estimated}{tokens:,} tokens  {seconds:.2f} s"
        for number, step, persona, question, model, outcome, estimated, tokens, seconds in rows
    )


def call_details(ledger: Ledger, number: int) -> str:
    """Return one call with its prompt and its answer. Raises BadArgument."""
    row = next(_rows(ledger, "WHERE id = ?", number), None) if 0 < number <= MOST else None
    if row is None:
        raise BadArgument(f"{ledger.path} has no call {number}. List the last calls with --latest.")
    cost = "unknown" if row["cost"] is None else f"{row['cost']:.6f} dollars"
    tokens = f"{row['prompt_tokens']:,} prompt tokens ({row['cached_tokens']:,} of them cached)"
    head = [
        f"call {number}: {row['question']} of {row['persona'] or 'everyone'} at step {row['step']}",
        f"{row['began']}  {row['seconds']:.2f} s  {row['model'] or 'no model'}  {row['outcome']}",
        f"{tokens}, {row['completion_tokens']:,} completion tokens, cost: {cost}{', estimated' * row['estimated']}",
    ]
    named = (f"{TITLES[name]}: {row[name]}" for name in TERMS if row[name])
    faults = [f"fault: {row['fault']}"] if row["fault"] else []
    return "\n".join([*head, *named, *faults, *_messages(row), "", "--- answer", row["answer"]])


def _messages(row: CallRow) -> Iterable[str]:
    if row["question"] == EMBEDDING:
        return ["", "--- texts", *row["messages"]]
    return [line for message in row["messages"] for line in ("", f"--- {message['role']}", message["content"])]


def export(ledger: Ledger, form: str) -> Iterable[str]:
    """Yield pieces of a CSV or JSON file with every call, oldest first. Raises BadArgument."""
    if form not in {"csv", "json"}:
        raise BadArgument(f"Unknown format '{form}'. Choose csv or json.")
    rows = _rows(ledger, "ORDER BY id")
    return _csv(rows) if form == "csv" else _json(rows)


def _rows(ledger: Ledger, which: str, *values: object) -> Iterator[CallRow]:
    query = f"SELECT {', '.join(EXPORTED)} FROM calls {which}"  # noqa: S608 - names from this file
    for row in ledger.connection.execute(query, values):
        call = dict(zip(EXPORTED, row, strict=True))
        yield call | {name: json.loads(call[name]) for name in JSON_COLUMNS}


def _csv(rows: Iterable[CallRow]) -> Iterable[str]:
    buffer = io.StringIO(newline="")
    writer = csv.DictWriter(buffer, EXPORTED)
    writer.writeheader()
    for row in rows:
        writer.writerow(row | {name: json.dumps(row[name], ensure_ascii=False) for name in JSON_COLUMNS})
        yield buffer.getvalue()
        buffer.seek(0)
        buffer.truncate()
    yield buffer.getvalue()


def _json(rows: Iterable[CallRow]) -> Iterable[str]:
    yield "["
    for number, row in enumerate(rows):
        yield (",\n" if number else "\n") + json.dumps(row, ensure_ascii=False)
    yield "\n]\n"
