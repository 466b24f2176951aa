"""The tables of calls to models: each call, and the questions that had no usable answer."""

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from typing import Any

from ville.analysis.tables.column import STEP, TIME, Row, boolean, integer, number, text, time
from ville.analysis.tables.exported_run import ExportedRun
from ville.analysis.tables.table import Table
from ville.llm.accounting.ledger import FILE, INTERVIEWS, Ledger
from ville.llm.accounting.ledger_schema import ANSWERED, OPEN, SHARED

RUN = "run"
LEDGERS = {RUN: FILE, "interviews": INTERVIEWS}
CALLS = (
    "SELECT id, step, began, seconds, question, persona, repair, model, outcome, fault, prompt_tokens, cached_tokens, "
    "completion_tokens, cost, estimated, nullif(parameters, ''), nullif(served, ''), nullif(fingerprint, ''), "
    "nullif(finish_reason, ''), messages, schema, answer FROM calls WHERE step < ? ORDER BY id"
)
CALLS_BARE = CALLS.replace("messages, schema, answer", "NULL, NULL, NULL")
"""Reads no texts, which are most of a ledger."""
FALLBACKS = "SELECT step, persona, question FROM fallbacks WHERE step < ? ORDER BY step, persona, number"


def _calls(exported: ExportedRun) -> Iterator[Row]:
    """Yield the calls of the run; with what is private, those of interviews too."""
    for of, file in LEDGERS.items():
        folder = exported.whole.folder.side
        if (of == RUN or exported.private) and (folder / file).exists():
            with closing(Ledger.read(folder, file)) as ledger:
                query = CALLS if exported.private else CALLS_BARE
                for row in ledger.connection.execute(query, (exported.whole.steps,)):
                    yield _call_row(exported, of, row)


def _call_row(exported: ExportedRun, of: str, row: tuple[Any, ...]) -> Row:
    call, step, began, seconds, question, persona, repair, model, outcome, fault, *rest = row
    *used, estimated, parameters, served, fingerprint, ended, messages, schema, answer = rest
    moment = datetime.fromisoformat(began).astimezone(UTC).replace(tzinfo=None)
    asked = (question, persona or None, repair, model, outcome, fault or None)
    found = (call, of, step, exported.time(step), moment, seconds, *asked, *used, bool(estimated))
    return (*found, parameters, served, fingerprint, ended, messages, schema, answer)


def _fallbacks(exported: ExportedRun) -> Iterator[Row]:
    run = exported.whole
    if run.ledger is None:
        return
    with closing(Ledger.read(run.ledger)) as ledger:
        for step, persona, question in ledger.connection.execute(FALLBACKS, (run.steps,)):
            yield step, exported.time(step), persona, question


CALL_TABLE = Table(
    "calls",
    "A call to a model or an embedder. Runs by the offline rules have none.",
    (
        integer("call", "number of the call in its ledger"),
        text("ledger", f"'{RUN}', or 'interviews', which only private tables have"),
        STEP,
        TIME,
        time("began", "when it was sent", "UTC"),
        number("seconds", "until the answer or the error", "seconds"),
        text("question", "for example plan/day_plan; embedding for texts whose vectors were asked for"),
        text("person", "whose question it is; missing for embeddings, which serve all"),
        integer("corrections", "number of unusable answers that were sent back with it"),
        text("model", "as named in the request"),
        text(
            "outcome", f"{ANSWERED}, {OPEN}, cancelled, killed, {SHARED} (taken from another run: no call), or an error"
        ),
        text("fault", "message of the error, or why the answer is not complete"),
        integer("prompt_tokens", "of the prompt", "tokens"),
        integer("cached_tokens", "those of them that the provider had kept", "tokens"),
        integer("completion_tokens", "of the answer", "tokens"),
        number("cost", "missing if the price is unknown", "US dollars"),
        boolean("estimated", "whether tokens were not reported, and are the most that is possible"),
        text("parameters", "JSON: temperature, seed, most tokens and all else that was sent beside model and prompt"),
        text("served", "the model, as the provider names it in its answer"),
        text("fingerprint", "of the provider's system, if it sends one"),
        text("finish_reason", "why the answer ended, as the provider says"),
        text("messages", "the prompt, as JSON", private=True),
        text("schema", "form of the answer, as JSON", private=True),
        text("answer", "as received", private=True),
    ),
    _calls,
)
FALLBACK_TABLE = Table(
    "fallbacks",
    "A question that had no usable answer, so that the person carried on.",
    (STEP, TIME, text("person", "full name"), text("question", "for example plan/day_plan")),
    _fallbacks,
)
