"""One budget and one limit of open calls hold over all runs of a study, by the provider's own count."""

import asyncio
import json
import os
import re
import subprocess
import sys
import zipfile
from collections import Counter
from contextlib import closing
from dataclasses import replace

import pytest
from counting_provider import PRICES
from inline_engine import InlineEngine
from plausible_provider import PlausibleProvider

from ville.assembly.reading import read_for_interviews
from ville.cli.study_run import go_on_line, status_lines
from ville.errors import BudgetSpent
from ville.llm.accounting.budget import Limits
from ville.llm.accounting.common_budget import Payment
from ville.llm.accounting.ledger import INTERVIEWS, Ledger
from ville.llm.accounting.ledger_schema import OF_STUDY
from ville.llm.accounting.study_budget import StudyBudget
from ville.llm.gateway import Usage
from ville.settings import load_settings
from ville.storage.folder.simulation_folder import SimulationFolder
from ville.storage.wallet.wallet_file import read_wallet
from ville.studies.bundle.bundle_check import verify_bundle
from ville.studies.bundle.bundle_files import write_bundle

HERE = Payment("here", "", "", "", "run")
STUDY = """\
base: base
steps: 2
seeds: 2
settings: {max_concurrency: 4, autosave: 1}
arms: {one: {}, two: {settings: {retrieval: paper}}, three: {settings: {retrieval: released}}}
"""


@pytest.fixture
def paid(desk, server):
    """Return the desk with a provider that costs money."""
    provider = PlausibleProvider()
    server.chat, server.embed = provider.chat, provider.embed
    prices = desk.root / "prices.toml"
    prices.write_text(PRICES, "utf-8")
    model = {"provider": "compatible", "base_url": server.url, "api_key": "sk-1", "fast_model": "m", "prices": prices}
    vectors = {"embedder": "compatible", "embedding_model": "v", "answer_tokens": 500, "retry_for": 1.0}
    return replace(desk, given={**desk.given, **model, **vectors}), provider


def test_what_others_ask_is_no_cost_and_no_part_of_a_study(paid, tmp_path):
    """Not even when a question is added later: it asks the run again, and counts what is the study's own."""
    desk, _ = paid
    text = "base: base\nsteps: 1\nseeds: 1\narms: {one: {}}\nquestions:\n  - {ask: 'Who are you?', of: [Ada Stone]}\n"
    desk.run(text)
    first = desk.folder().job("one-s1").result
    asyncio.run(asked_privately(load_settings(desk.given), "Who are you? And what is your secret?"))
    desk.run(text + "  - {ask: 'Who is Ada?', of: [Ben Reed]}\n")
    second = desk.folder().job("one-s1").result
    with closing(Ledger.read(desk.root / "storage/study-one-s1/reverie", INTERVIEWS)) as interviews:
        private, own = (interviews.spend_for(purpose) for purpose in ("", OF_STUDY))
    assert private.cost > 0
    assert first.calls < second.calls < first.calls + own.calls
    assert (second.answers[0], len(second.answers)) == (first.answers[0], 2)
    out = tmp_path / "study.zip"
    write_bundle(desk.folder(), load_settings(desk.given), out)
    assert verify_bundle(out).faults == []
    with zipfile.ZipFile(out) as archive:
        lines = archive.read("ledgers/study-one-s1.jsonl").decode()
        job = json.loads(archive.read("study/jobs/one-s1.json"))
    assert len(lines.splitlines()) == second.calls
    assert "secret" not in lines
    assert job["provenance"]["settings"]["wallet_file"] == "wallet.sqlite3"


async def asked_privately(settings, question: str) -> None:
    interviews, close = await read_for_interviews(settings, "study-one-s1")
    await interviews.ask("Ada Stone", question)
    await close()


def test_a_budget_is_never_exceeded_and_nothing_is_asked_twice(paid):
    """Six runs at a time: all stop saved when the next call could exceed the budget; with a larger one they go
    on, and the provider is asked as often, and the same, as without any budget. Never are more calls open than may be.
    """
    desk, provider = paid
    desk.run(STUDY, "whole", engine=InlineEngine(threads=6))
    whole, provider.asked, cost = provider.asked, Counter(), provider.cost
    provider.calls, provider.cost, limit = 0, 0.0, cost / 2
    results = desk.run(STUDY + f"budget: ${limit:.6f}\n", engine=InlineEngine(threads=6))
    assert 0 < provider.cost <= limit
    states = {job.state for job in results.jobs}
    assert "stopped" in states
    assert states <= {"done", "stopped", "waiting"}
    stopped = [job for job in results.jobs if job.state == "stopped"]
    assert all("Raise it" in job.fault for job in stopped)
    storage = desk.root / "storage"
    assert all(SimulationFolder(storage / job.simulation).meta.step == job.step for job in stopped)
    assert f" {provider.calls:,} calls, " in next(status_lines(desk.folder(), results.jobs))
    assert re.search(r"budget of the study: .* Raise it to continue\. Then type the same", go_on_line(results.jobs))
    assert go_on_line([job.model_copy(update={"fault": ""}) for job in stopped]).startswith("To go on")
    results = desk.run(STUDY + f"budget: ${5 * cost:.6f}\n", engine=InlineEngine(threads=6))
    assert {job.state for job in results.jobs} == {"done"}
    assert provider.asked == whole
    assert provider.most_open <= 4
    assert sum(row["cost"] for row in results.runs) == pytest.approx(provider.cost, rel=0.05)


def test_an_empty_wallet_stops_a_study_as_its_budget_does(paid, monkeypatch):
    """All runs stop saved, and with more in it they go on, and ask as often, and the same, as without any limit."""
    desk, provider = paid
    monkeypatch.setenv("VILLE_WALLET_FILE", str(desk.root / "wallet.sqlite3"))
    desk.run(STUDY, "whole", engine=InlineEngine(threads=3))
    whole, provider.asked, cost = provider.asked, Counter(), provider.cost
    provider.cost = 0.0
    monkeypatch.setenv("VILLE_WALLET", str(1.5 * cost))
    results = desk.run(STUDY, engine=InlineEngine(threads=3))
    assert 0 < provider.cost <= 0.5 * cost
    assert "stopped" in {job.state for job in results.jobs} <= {"done", "stopped", "waiting"}
    assert all("VILLE_WALLET" in job.fault for job in results.jobs if job.state == "stopped")
    monkeypatch.setenv("VILLE_WALLET", str(10 * cost))
    assert {job.state for job in desk.run(STUDY, engine=InlineEngine(threads=3)).jobs} == {"done"}
    assert provider.asked == whole
    (account,) = read_wallet(desk.root / "wallet.sqlite3")
    assert {each.study for each in account.spenders} == {"whole", "study"}


def test_no_secret_is_kept(paid):
    """Not the key, nor the address, in any file of the study."""
    desk, _ = paid
    desk.run(STUDY.replace("seeds: 2", "seeds: 1"), engine=InlineEngine(threads=3))
    texts = [path.read_bytes() for path in desk.folder().root.rglob("*") if path.is_file()]
    assert not any(b"sk-1" in text or b"127.0.0.1" in text for text in texts if not text.startswith(b"SQLite"))


DYING = """
import asyncio, os, pathlib, sys
from ville.llm.accounting.ledger import INTERVIEWS, Ledger
from ville.llm.accounting.ledger_schema import OF_STUDY
from ville.llm.accounting.study_budget import StudyBudget
from ville.llm.accounting.budget import Limits
from ville.llm.accounting.common_budget import Payment
from ville.llm.gateway import Usage

budget = StudyBudget(pathlib.Path(sys.argv[1]), Limits(tokens=100), 1)
asyncio.run(budget.admit(Payment("here", "", "", "", "run"), Usage(60)))
os._exit(1)
"""


async def test_what_a_killed_process_had_open_is_spent_and_its_place_is_free(tmp_path):
    """It may have been charged; the study does not wait for it."""
    ended = subprocess.run([sys.executable, "-c", DYING, str(tmp_path)], env=dict(os.environ), check=False)  # noqa: ASYNC221 - nothing else goes on
    assert ended.returncode == 1
    budget = StudyBudget(tmp_path, Limits(tokens=100), 1)
    number = await budget.admit(HERE, Usage(40))
    assert budget.used().tokens == 100
    await budget.settle(number, Usage(10))
    with pytest.raises(BudgetSpent, match="70 of 100 tokens"):
        await budget.admit(HERE, Usage(31))
    budget.close()
    assert [path.name for path in tmp_path.iterdir() if path.name.endswith(".calls")] == []


async def test_a_call_waits_for_those_that_could_make_room(tmp_path):
    """It is refused only when no call is open whose actual usage may be less than what is reserved."""
    one, other = (StudyBudget(tmp_path, Limits(tokens=100), 8) for _ in range(2))
    number = await one.admit(HERE, Usage(90))
    waiting = asyncio.create_task(other.admit(HERE, Usage(50)))
    await asyncio.sleep(0.1)
    assert not waiting.done()
    await one.settle(number, Usage(20))
    await other.settle(await waiting, None)
    assert other.used() == (1, 20, 0.0)
    one.close()
    other.close()


def test_a_shared_beginning_stays_in_the_tables(paid):
    """Its cost counts for its runs, also when the study is run again and no run needs it any more."""
    desk, _ = paid
    text = """
base: base
steps: 62
seeds: 1
arms:
  plain: {}
  told: {interventions: [{step: 61, kind: whisper, who: Ada Stone, words: The zebra is closed}]}
"""
    desk.run(text)
    before = desk.table()
    results = desk.run(text)
    assert desk.table() == before
    assert sum(job.is_shared for job in results.jobs) == 1


def test_the_password_of_an_address_is_not_noted(paid):
    """The database of the budget names servers by host and port."""
    desk, _ = paid
    address = desk.given["base_url"].replace("://", "://user:pass-word@")
    desk.given["base_url"] = address
    desk.run("base: base\nsteps: 1\nseeds: 1\n")
    files = [path for path in desk.folder().root.rglob("*") if path.is_file()]
    assert not [path for path in files if b"pass-word" in path.read_bytes()]
