"""A ledger or a budget from elsewhere has our tables and numbers that can be true, or it is refused with one line."""

import os
import shutil
import sqlite3
from contextlib import closing

import pytest
from sample_requests import REQUEST

from ville.errors import CorruptFile
from ville.llm.accounting.budget import Limits
from ville.llm.accounting.common_budget import Payment
from ville.llm.accounting.ledger import INTERVIEWS, CallRecord, CallResult, Ledger
from ville.llm.accounting.ledger_schema import SCHEMA
from ville.llm.accounting.rates import MostUsage
from ville.llm.accounting.study_budget import StudyBudget
from ville.llm.accounting.wallet import utc_now
from ville.llm.gateway import Usage
from ville.storage.studies import study_calls

USED = Usage(10, 0, 5, cost=0.25)
HERE = Payment("here", "", "", "", "run")
ZERO = "BEGIN UPDATE calls SET cost = 0; END"
STRANGE = [
    f"CREATE TRIGGER t AFTER UPDATE ON calls {ZERO}",
    f"CREATE TRIGGER sqlit_ AFTER INSERT ON calls {ZERO}",
    "CREATE VIEW v AS SELECT * FROM calls",
    "ALTER TABLE calls RENAME TO c; CREATE VIEW calls AS SELECT * FROM c",
    "CREATE TABLE notes (text TEXT)",
    "CREATE VIRTUAL TABLE found USING fts5(text)",
    "CREATE INDEX i ON calls (lower(process))",
    "CREATE UNIQUE INDEX i ON calls (tokens)",
    "ALTER TABLE calls ADD COLUMN more TEXT",
    "ALTER TABLE calls ADD COLUMN more INTEGER AS (1) VIRTUAL",
]
"""Changes of the database of a study; with the columns of a ledger, of a ledger."""
COLUMNS = (("lower(process)", "lower(persona)"), ("(tokens)", "(step)"))
WRONG = [
    ("cost", -1000), ("cost", "9e999"), ("cost", 1e7), ("cost", "'little'"), ("cost", "x'00'"),
    ("tokens", -1), ("tokens", 10**15), ("tokens", 1.5), ("tokens", "'many'"),
]  # fmt: skip


@pytest.fixture
def folder(tmp_path):
    """Return a folder with a ledger of the run, one of interviews, and the database of a study, each with a call."""
    for file in ("ledger.sqlite3", INTERVIEWS):
        with closing(Ledger.open(tmp_path, file)) as ledger:
            number = ledger.begin(CallRecord.of(REQUEST), MostUsage("m", USED), utc_now())
            ledger.finish(number, CallResult(0.5, USED, answer="{}"), [("e", "tea", [0.5, 1.0])])
            ledger.record_fallbacks(3, "Ada Stone", ["plan/x"])
    budget = StudyBudget(tmp_path, Limits(), 1)
    budget._try("here", USED)
    budget.close()
    return tmp_path


def change(path, statements):
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(f"PRAGMA ignore_check_constraints = ON; {statements};")


def check_refused(folder, match="not as our programs write it"):
    """All ways to open the files refuse them with one line."""
    for opened in (Ledger.open, Ledger.read):
        for file in ("ledger.sqlite3", INTERVIEWS):
            with pytest.raises(CorruptFile, match=match) as refusal:
                opened(folder, file)
            assert "\n" not in str(refusal.value)
            assert file in str(refusal.value)
    with pytest.raises(CorruptFile, match=match):
        StudyBudget(folder, Limits(), 1)
    with pytest.raises(CorruptFile, match=match):
        study_calls.read_calls(folder, is_running=False)


def test_what_we_have_written_is_opened(folder):
    for file in ("ledger.sqlite3", INTERVIEWS):
        with closing(Ledger.read(folder, file)) as ledger:
            assert (ledger.spend.calls, ledger.spend.cost) == (1, 0.25) or ledger.spend.calls == 0
    assert study_calls.read_calls(folder, is_running=False).cost == 0.25


@pytest.mark.parametrize("statements", STRANGE)
def test_what_is_not_ours_is_refused(folder, statements):
    """Before anything in it is believed: it could change what is booked."""
    change(folder / study_calls.FILE, statements)
    for theirs, ours in COLUMNS:
        statements = statements.replace(theirs, ours)
    for file in ("ledger.sqlite3", INTERVIEWS):
        change(folder / file, statements)
    check_refused(folder)


@pytest.mark.parametrize(("column", "value"), WRONG)
def test_a_number_that_cannot_be_true_is_refused(folder, column, value):
    """Too small, too large, infinite, or no number at all."""
    change(folder / study_calls.FILE, f"UPDATE calls SET {column} = {value}")  # noqa: S608 - a test
    for file in ("ledger.sqlite3", INTERVIEWS):
        change(folder / file, f"UPDATE calls SET {column.replace('tokens', 'completion_tokens')} = {value}")  # noqa: S608 - a test
    check_refused(folder)


CONSTRAINT = [
    ("cost REAL", "cost REAL CHECK (cost = 0)"),
    ("step INTEGER NOT NULL", "step INTEGER NOT NULL UNIQUE ON CONFLICT REPLACE"),
    ("cost REAL", "cost REAL DEFAULT '--' CHECK (cost = 0)"),
    ("cost REAL", "cost REAL GENERATED ALWAYS AS (0.0)"),
    ("key BLOB NOT NULL", "key TEXT NOT NULL"),
]


@pytest.mark.parametrize(("ours", "theirs"), CONSTRAINT)
def test_a_table_with_another_definition_is_refused(tmp_path, ours, theirs):
    """It could throw rows away, or count nothing."""
    assert ours in SCHEMA
    change(tmp_path / "ledger.sqlite3", SCHEMA.replace(ours, theirs))
    for opened in (Ledger.open, Ledger.read):
        with pytest.raises(CorruptFile, match="not as our programs write it"):
            opened(tmp_path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes")
def test_links_and_pipes_are_refused_without_waiting(folder):
    """A link could lead to a ledger of another user."""
    for name in ("ledger.sqlite3", INTERVIEWS, study_calls.FILE):
        shutil.move(folder / name, folder / f"other-{name}")
        (folder / name).symlink_to(folder / f"other-{name}")
    check_refused(folder, "is a link")
    for name in ("ledger.sqlite3", INTERVIEWS, study_calls.FILE):
        (folder / name).unlink()
        os.mkfifo(folder / name)
    check_refused(folder, "a device or a pipe")
