"""Calls as traces in the JSON form of the OpenTelemetry protocol: a trace for each step, a span for each call.

Names of attributes are those of the semantic conventions for generative AI, as far as there are any. Programs that show
traces import the file, for example by `otlpjsonfile` of the OpenTelemetry collector.
"""

import json
from datetime import datetime, timedelta
from hashlib import blake2b
from pathlib import Path

from ville.analysis.tables.column import Cell
from ville.analysis.tables.run_tables import RunTable, RunTables
from ville.json_types import Json, JsonObject
from ville.version import VERSION

CLIENT = 3
"""Kind of a span that waits for an answer from elsewhere."""
OK, ERROR = 1, 2
EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001 - times of tables have no zone
ATTRIBUTES = {
    "model": "gen_ai.request.model",
    "prompt_tokens": "gen_ai.usage.input_tokens",
    "completion_tokens": "gen_ai.usage.output_tokens",
    "messages": "gen_ai.input.messages",
    "answer": "gen_ai.output.messages",
}
"""Attributes that have a name of their own; the others begin with `ville.`."""


def write_traces(tables: RunTables, path: Path) -> dict[str, int]:
    """Write all calls on one line of JSON, as importers want it, and return their number."""
    calls, count = tables["calls"], 0
    head = {"resource": {"attributes": _attributes({"service.name": "the-ville", "ville.run": tables.run.name})}}
    scope = {"name": "ville", "version": VERSION}
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write(
            f'{{"resourceSpans": [{json.dumps(head)[:-1]}, "scopeSpans": [{{"scope": {json.dumps(scope)}, "spans": ['
        )
        for count, row in enumerate(calls.rows(), 1):
            file.write((", " if count > 1 else "") + json.dumps(_span(tables, calls, row), ensure_ascii=False))
        file.write("]}]}]}\n")
    return {calls.name: count}


def _span(tables: RunTables, calls: RunTable, row: tuple[Cell, ...]) -> JsonObject:
    call = dict(zip((column.name for column in calls.columns), row, strict=True))
    began = call["began"]
    begins = began - EPOCH if isinstance(began, datetime) else timedelta()
    ends = begins + timedelta(seconds=float(str(call["seconds"])))
    own = {
        ATTRIBUTES.get(name, f"ville.{name}"): cell for name, cell in call.items() if name not in {"began", "seconds"}
    }
    fault = call["fault"]
    return {
        "traceId": _digest(16, tables.run.name, call["step"]),
        "spanId": _digest(8, tables.run.name, call["ledger"], call["call"]),
        "name": str(call["question"]),
        "kind": CLIENT,
        "startTimeUnixNano": _nanoseconds(begins),
        "endTimeUnixNano": _nanoseconds(ends),
        "attributes": _attributes({"gen_ai.operation.name": "chat", **own}),
        "status": {"code": OK} if call["outcome"] == "answered" else {"code": ERROR, "message": str(fault or "")},
    }


def _digest(size: int, *parts: Cell) -> str:
    return blake2b(repr(parts).encode(), digest_size=size).hexdigest()


def _nanoseconds(time: timedelta) -> str:
    """Return a time as the protocol has it: a text, because numbers of JSON are too small for some readers."""
    return str(time // timedelta(microseconds=1) * 1000)


def _attributes(values: dict[str, Cell]) -> list[Json]:
    return [{"key": name, "value": _value(cell)} for name, cell in values.items() if cell is not None]


def _value(cell: Cell) -> Json:
    if isinstance(cell, bool):
        return {"boolValue": cell}
    if isinstance(cell, int):
        return {"intValue": str(cell)}
    if isinstance(cell, float):
        return {"doubleValue": cell}
    return {"stringValue": cell.isoformat() if isinstance(cell, datetime) else str(cell)}
