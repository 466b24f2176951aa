"""The command line that shows calls and their cost."""

import csv
import io
import json
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from scripts import run_to_end

from ville.llm.accounting.ledger import CallRecord, CallResult, Ledger
from ville.llm.accounting.rates import MostUsage
from ville.llm.gateway import ChatMessage, ChatRequest, Usage

SHELL = Path(__file__).resolve().parents[3] / "reverie" / "ledger.py"


@pytest.fixture
def shell(small_town):
    """Run the command line on the small town; its base has three calls: two at midnight, one an hour later."""
    ledger = Ledger.open(small_town.root / "storage/base/reverie")
    for number, step in enumerate((0, 0, 60)):
        request = ChatRequest("plan/x", {}, (ChatMessage("user", "Café?"),), {}, "Ada Stone", step, occurrence=number)
        usage = Usage(prompt_tokens=100, completion_tokens=10, cost=0.5)
        call = ledger.begin(CallRecord.of(request), MostUsage("m", usage), datetime.now(UTC))
        ledger.finish(call, CallResult(1.0, usage, answer="Yes, née."))
    ledger.close()

    def run(*arguments):
        command = [sys.executable, str(SHELL), *arguments, "--storage", str(small_town.root / "storage")]
        return run_to_end(command, small_town.root)

    return run


def test_totals_are_grouped(shell):
    """By question, or by hour of game time; the last line is the total."""
    assert shell("base").out.splitlines()[1].split()[:2] == ["plan/x", "3"]
    hours = shell("base", "--by", "hour").out.splitlines()
    assert [line.split("  ")[0] for line in hours[1:]] == ["Feb 13, 00:00", "Feb 13, 01:00", "all"]
    assert hours[-1].split()[-2] == "1.5000"


def test_the_file_has_the_numbers_of_the_text(shell, small_town):
    """Of each group and of all; it is not printed then."""
    out = small_town.root / "totals.json"
    for by in ("question", "hour"):
        assert shell("base", "--by", by, "--json", str(out), "--replace").out == ""
        found = json.loads(out.read_text("utf-8"))
        lines = shell("base", "--by", by).out.splitlines()[1:]
        assert found["by"] == by
        for line, part in zip(lines, [*found["groups"], found["all"]], strict=True):
            name, *numbers = part.values()
            assert line.startswith(name)
            assert [float(cell.replace(",", "")) for cell in line.removeprefix(name).split()] == numbers


def test_calls_can_be_listed_read_and_exported(shell, small_town):
    """The text is the same in the listing, the JSON and the CSV, printed or in a file."""
    assert len(shell("base", "--latest", "2").out.splitlines()) == 2
    assert shell("base", "--call", "3").out.endswith("--- user\nCafé?\n\n--- answer\nYes, née.\n")
    out = small_town.root / "calls.json"
    assert shell("base", "--export", "json", "--out", str(out)).out == ""
    from_csv = list(csv.DictReader(io.StringIO(shell("base", "--export", "csv").out, newline="")))
    assert [call["answer"] for call in json.loads(out.read_text("utf-8"))] == [row["answer"] for row in from_csv]


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (["nowhere"], "There are: base."),
        (["base", "--call", "4"], "no call 4"),
        (["base", "--export", "csv", "--out", f"{__file__}/calls.csv"], "is a file, so nothing can be put into it"),
    ],
)
def test_a_fault_is_one_line(shell, arguments, fault):
    """On standard error, with exit code 1."""
    outcome = shell(*arguments)
    assert outcome.code == 1
    assert fault in outcome.err
    assert len(outcome.err.splitlines()) == 1


def test_numbers_beyond_every_ledger_are_numbers(shell):
    """As many calls as there are, and no call of that number."""
    assert len(shell("base", "--latest", "9" * 21).out.splitlines()) == 3
    for number in ("9" * 21, f"-{'9' * 21}"):
        outcome = shell("base", f"--call={number}")
        assert (outcome.code, f"no call {number}" in outcome.err) == (1, True)
        assert len(outcome.err.splitlines()) == 1


@pytest.mark.parametrize("count", ["0", "-1", "all"])
def test_a_list_has_at_least_one_call(shell, count):
    """Any other number is refused."""
    outcome = shell("base", "--latest", count)
    assert (outcome.code, outcome.out, "1 or more" in outcome.err) == (2, "", True)


@pytest.mark.usefixtures("shell")
def test_a_closed_pipe_is_no_error(small_town):
    """An export into `head` ends without a message."""
    command = [sys.executable, str(SHELL), "base", "--export", "csv", "--storage", str(small_town.root / "storage")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        said = process.stderr.read()
    assert (process.returncode, said) == (0, b"")


def test_a_simulation_without_calls_has_no_ledger(shell, small_town):
    """The message says so."""
    for path in (small_town.root / "storage/base/reverie").glob("ledger.*"):
        path.unlink()
    assert "have a ledger" in shell("base").err
