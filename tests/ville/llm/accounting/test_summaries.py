"""Summaries and listings of a ledger whose figures can be counted by hand."""

import csv
import io
import json
import sqlite3
from contextlib import closing
from datetime import datetime

import pytest
from sample_requests import batch

from ville.errors import BadArgument, CorruptFile, RateLimited
from ville.llm.accounting.call_listing import call_details, export, latest_calls
from ville.llm.accounting.ledger import FILE, Ledger
from ville.llm.accounting.summaries import Calendar, format_table, summarize, total
from ville.llm.recording import RecordingClient

LONG = "When? " * 200
"""The provider of these tests says that it read 1,000 tokens: here are as many bytes at least."""
CALENDAR = Calendar(datetime(2023, 2, 13), 60)  # noqa: DTZ001 - game time has no zone


@pytest.fixture
async def kept(provider, live, vector_rates, request_of):
    """Two personas, three questions, one error, one batch of texts, in two hours."""
    await live.complete(request_of(LONG, step=59))
    await live.complete(request_of(LONG, persona="Ben Reed", step=59))
    provider.queue.append(RateLimited("Slower.", fate="rejected"))
    with pytest.raises(RateLimited):
        await live.complete(request_of("Where, née Stone?", title="plan/where", step=60))
    live.ledger.step = 60
    await RecordingClient(provider, live.ledger, vector_rates).complete(batch("tea", "cake", step=60))
    return live.ledger


@pytest.mark.parametrize(
    ("by", "calls"),
    [
        ("question", {"plan/wake_up_hour": 2, "embedding": 1, "plan/where": 1}),
        ("persona", {"Ada Stone": 2, "Ben Reed": 1, "(everyone)": 1}),
        ("model", {"model-1": 3, "vectors-1": 1}),
        ("outcome", {"answered": 3, "RateLimited": 1}),
        ("hour", {"Feb 13, 00:00": 2, "Feb 13, 01:00": 2}),
    ],
)
async def test_groups_add_up_to_the_total(kept, by, calls):
    """And to the spend of the ledger."""
    parts = summarize(kept, by, CALENDAR)
    assert {part.name: part.calls for part in parts} == calls
    whole = total(parts)
    assert (whole.calls, whole.failed, whole.prompt_tokens, whole.completion_tokens) == (4, 1, 2020, 20)
    assert whole.cost == pytest.approx(2 * 0.0011 + 2e-6)
    assert (kept.spend.calls, kept.spend.tokens) == (whole.calls, whole.prompt_tokens + whole.completion_tokens)


async def test_a_table_has_a_line_for_each_group_and_the_total(kept):
    """The most expensive first, in aligned columns."""
    lines = format_table(summarize(kept, "question", CALENDAR)).splitlines()
    assert [line.split()[0] for line in lines[1:]] == ["plan/wake_up_hour", "embedding", "plan/where", "all"]
    assert len({len(line) for line in lines}) == 1


async def test_call_details_show_prompt_answer_and_error(kept):
    first, failed, batch = (call_details(kept, number) for number in (1, 3, 4))
    assert "plan/wake_up_hour of Ada Stone at step 59" in first
    assert first.endswith(f"--- user\n{LONG}\n\n--- answer\n{{}}")
    assert "fault: Slower." in failed
    assert "--- texts\ntea\ncake" in batch
    with pytest.raises(BadArgument, match="no call 5"):
        call_details(kept, 5)
    assert [line.split()[0] for line in latest_calls(kept, 2).splitlines()] == ["3", "4"]


async def test_csv_and_json_hold_every_call(kept):
    from_json = json.loads("".join(export(kept, "json")))
    from_csv = list(csv.DictReader(io.StringIO("".join(export(kept, "csv")), newline="")))
    assert [row["question"] for row in from_json] == [row["question"] for row in from_csv]
    assert [row["messages"] for row in from_json] == [json.loads(row["messages"]) for row in from_csv]
    assert from_json[2]["messages"] == [{"role": "user", "content": "Where, née Stone?"}]
    with pytest.raises(BadArgument):
        export(kept, "xml")


async def test_an_empty_ledger_can_be_read(ledger):
    """There are no calls, and no faults either."""
    assert format_table(summarize(ledger, "hour", CALENDAR)).splitlines()[-1].split()[:2] == ["all", "0"]
    assert json.loads("".join(export(ledger, "json"))) == []
    with pytest.raises(BadArgument, match="question, persona, model, outcome, hour"):
        summarize(ledger, "colour", CALENDAR)


def test_a_file_that_is_not_a_ledger_is_reported(tmp_path):
    """Also a missing one."""
    with pytest.raises(CorruptFile, match="is missing"):
        Ledger.read(tmp_path)
    (tmp_path / FILE).write_text("no database at all, but long enough to be taken for one" * 20, "utf-8")
    for opened in (Ledger.open, Ledger.read):
        with pytest.raises(CorruptFile, match="cannot be read as a ledger"):
            opened(tmp_path)


def test_a_refusal_names_no_folder_above_that_of_the_simulation(tmp_path):
    """Whatever is wrong with the file: it may be shown to others."""
    side = tmp_path / "secret" / "storage" / "run" / "reverie"
    side.mkdir(parents=True)

    def refusal(opened):
        with pytest.raises(CorruptFile) as raised:
            opened(side)
        return str(raised.value)

    said = [refusal(Ledger.read)]
    Ledger.open(side).close()
    with closing(sqlite3.connect(side / FILE)) as connection:
        connection.execute("CREATE TRIGGER free AFTER INSERT ON calls BEGIN SELECT 1; END")
    said.append(refusal(Ledger.open))
    (side / FILE).write_bytes(b"no database at all" * 90)
    said.append(refusal(Ledger.open))
    (side / FILE).unlink()
    (side / FILE).mkdir()
    said.append(refusal(Ledger.open))
    assert [text for text in said if f"run/reverie/{FILE}" not in text or "secret" in text] == []


def test_a_ledger_of_a_later_version_is_left_alone(ledger, tmp_path):
    """It is neither changed nor misread."""
    ledger.connection.execute("PRAGMA user_version = 99")
    for opened in (Ledger.open, Ledger.read):
        with pytest.raises(CorruptFile, match="version 99"):
            opened(tmp_path)
