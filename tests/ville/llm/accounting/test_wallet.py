"""The wallet: one account for each key, for all processes of this user, above all simulations."""

import asyncio
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from waiting import PATIENCE

from ville.errors import BudgetSpent, LedgerError
from ville.llm.accounting.wallet import Wallet, payment_to
from ville.llm.gateway import Usage
from ville.llm.wire.endpoint import Endpoint
from ville.llm.wire.providers import PROVIDERS
from ville.storage.wallet.wallet_file import WalletLimits, read_wallet

URL = "https://api.test/v1"
SENT = Endpoint(PROVIDERS["openai"], URL, "sk-very-secret")
CALL = Usage(prompt_tokens=60, completion_tokens=40, cost=0.1)
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def pay(endpoint=SENT, simulation="sim", purpose="run"):
    return payment_to(endpoint, simulation, purpose)


@pytest.fixture
def file(tmp_path):
    return tmp_path / "state" / "wallet.sqlite3"


@pytest.fixture
def open_wallet(file):
    """Return the wallet as another simulation sees it."""
    opened = []

    def make(study="", now=lambda: NOON, **limits):
        opened.append(Wallet(file, WalletLimits(**limits), study, now))
        return opened[-1]

    yield make
    for wallet in opened:
        wallet.close()


async def spend(wallet, used=CALL, most=CALL, **payment):
    await wallet.settle(await wallet.admit(pay(**payment), most), used)


async def test_each_key_has_an_account_whoever_draws_on_it(open_wallet, file):
    """Simulations and interviews share it; another key, or a server without one, has its own."""
    one, other = open_wallet(cost=0.25), open_wallet(study="party", cost=0.25)
    await spend(one)
    await spend(other, simulation="party-1", purpose="interviews")
    for wallet in (one, other):
        with pytest.raises(BudgetSpent, match=r"OpenAI.*0\.2000 of 0\.2500 dollars are spent.*VILLE_WALLET") as refusal:
            await wallet.admit(pay(), CALL)
        assert "\n" not in str(refusal.value)
        assert refusal.value.fate == "not_sent"
    await spend(one, endpoint=replace(SENT, key="sk-other"))
    await spend(one, endpoint=replace(SENT, key=""))
    await spend(one, endpoint=replace(SENT, key="", base_url="https://other.test/v1"))
    accounts = read_wallet(file)
    assert sorted(round(account.spent.cost, 9) for account in accounts) == [0.1, 0.1, 0.1, 0.2]
    (shared,) = (account for account in accounts if account.spent.calls == 2)
    who = {(each.study, each.simulation, each.purpose): each.spent.tokens for each in shared.spenders}
    assert who == {("", "sim", "run"): 100, ("party", "party-1", "interviews"): 100}


async def test_a_wallet_is_not_disarmed_by_what_is_written_into_it(open_wallet, file):
    """Neither by numbers below zero, nor by a trigger."""
    await spend(open_wallet(cost=0.15))
    for change in (
        "UPDATE totals SET cost = -1",
        "CREATE TRIGGER t AFTER INSERT ON spent BEGIN DELETE FROM spent; END",
    ):
        with closing(sqlite3.connect(file)) as connection:
            connection.execute(change)
            connection.commit()
        with pytest.raises(LedgerError, match="wallet.sqlite3 is not as our programs write it"):
            await open_wallet(cost=0.15).admit(pay(), CALL)


@pytest.mark.parametrize("limits", [{"calls": 3}, {"tokens": 399}, {"cost": 0.399}])
async def test_every_limit_holds_over_all_that_is_open(open_wallet, limits):
    """A call waits as long as one that is open may make room, and is refused when none is."""
    one, other = open_wallet(**limits), open_wallet(**limits)
    first = await one.admit(pay(), CALL)
    for _ in range(2):
        await spend(other)
    waiting = asyncio.ensure_future(other.admit(pay(), CALL))
    await asyncio.sleep(0.1)
    assert not waiting.done()
    await one.settle(first, None)
    await other.settle(await waiting, CALL)
    with pytest.raises(BudgetSpent):
        await one.admit(pay(), CALL)


@pytest.mark.parametrize(
    ("limit", "setting"),
    [("cost", "VILLE_WALLET to"), ("calls", "VILLE_WALLET_CALLS to"), ("tokens", "VILLE_WALLET_TOKENS to")],
)
async def test_the_setting_to_raise_is_that_of_the_limit(open_wallet, limit, setting):
    """With nothing left of it."""
    wallet = open_wallet(**{limit: 1 if limit != "cost" else 1e-9})
    with pytest.raises(BudgetSpent, match=f"Raise {setting} continue"):
        for _ in range(2):
            await spend(wallet)


async def test_a_day_of_the_wallet_ends_at_midnight_in_utc(open_wallet, file):
    """A call counts for the day on which it was sent."""
    now = [datetime(2026, 3, 1, 23, 59, tzinfo=UTC)]
    wallet = open_wallet(now=lambda: now[0], cost=0.15, per="day")
    number = await wallet.admit(pay(), CALL)
    now[0] += timedelta(minutes=2)
    await spend(wallet)
    await wallet.settle(number, CALL)
    with pytest.raises(BudgetSpent, match="after 2026-03-03 00:00 UTC"):
        await wallet.admit(pay(), CALL)
    assert [len(read_wallet(file, day)[0].spenders) for day in ("2026-03-01", "2026-03-02", "2026-03-03")] == [1, 1, 0]


SPENDER = """
import asyncio, os, pathlib, random, sys
from ville.errors import BudgetSpent
from ville.llm.gateway import Usage
from ville.llm.accounting.wallet import Wallet, payment_to
from ville.llm.wire.endpoint import Endpoint
from ville.llm.wire.providers import PROVIDERS
from ville.storage.wallet.wallet_file import WalletLimits

file, name, limit, dies = pathlib.Path(sys.argv[1]), sys.argv[2], float(sys.argv[3]), sys.argv[4] == "dies"
lot = random.Random(name)
wallet = Wallet(file, WalletLimits(cost=limit))
payment = payment_to(Endpoint(PROVIDERS["openai"], "https://api.test/v1", "sk-very-secret"), name, "run")

async def caller(number):
    try:
        for _ in range(1000):
            cost = lot.randrange(1, 10**6) * 75 / 10**9
            opened = await wallet.admit(payment, Usage(10, cost=cost))
            if dies:
                print("open", repr(cost), flush=True)
                if number == 3:
                    os._exit(1)
            await asyncio.sleep(0)
            used = lot.choice((None, cost, cost / 4))
            await wallet.settle(opened, None if used is None else Usage(5, cost=used))
            if used is not None:
                print("paid", repr(used), flush=True)
    except BudgetSpent:
        pass

async def main():
    await asyncio.gather(*map(caller, range(4)))

asyncio.run(main())
wallet.close()
"""


def test_processes_never_spend_more_than_there_is_and_what_a_killed_one_had_open_counts(file, open_wallet):
    """To the last digit. The others do not wait for the killed one, and nothing is left of it."""
    command, pipe = [sys.executable, "-c", SPENDER, str(file)], subprocess.PIPE

    def start(name, fate):
        return subprocess.Popen([*command, name, "0.6", fate], env=dict(os.environ), stdout=pipe, text=True)

    killed = start("two", "dies")
    words = {"two": killed.communicate(timeout=PATIENCE)[0].split()}
    others = {name: start(name, "lives") for name in ("one", "three")}
    words |= {name: process.communicate(timeout=PATIENCE)[0].split() for name, process in others.items()}
    assert [process.returncode for process in (killed, *others.values())] == [1, 0, 0]
    assert words["two"][::2] == ["open"] * 4
    spent = sum(Decimal(amount) for each in words.values() for amount in each[1::2])
    assert Decimal("0.5") < spent <= Decimal("0.6")
    wallet = open_wallet(cost=10.0)
    asyncio.run(spend(wallet, used=None))
    wallet.close()
    (account,) = read_wallet(file)
    assert {each.simulation for each in account.spenders} == {name for name, each in words.items() if each}
    assert abs(Decimal(account.spent.cost) - spent) < Decimal("1e-9")
    assert [path.name for path in file.parent.iterdir() if path.name.endswith(".calls")] == []


KILLED = """
import os, pathlib, sys
from ville.llm.accounting.wallet import _opened

_opened(pathlib.Path(sys.argv[1]))
os._exit(1)
"""


def test_nothing_is_left_of_processes_that_were_killed_between_two_calls(file, open_wallet):
    """The next one that opens the wallet removes their locks, and leaves those of the living."""
    alive = open_wallet()
    asyncio.run(spend(alive))
    mine = {path.name for path in file.parent.glob(".*.calls")}
    assert subprocess.run([sys.executable, "-c", KILLED, str(file)], check=False).returncode == 1
    assert len(list(file.parent.glob(".*.calls"))) == 2
    asyncio.run(spend(open_wallet()))
    left = {path.name for path in file.parent.glob(".*.calls")}
    assert mine < left
    assert len(left) == 2


async def test_without_limits_nothing_is_refused_and_what_costs_money_is_noted(open_wallet, file):
    """Free calls are not noted; and the file has neither keys nor secrets of addresses."""
    wallet = open_wallet()
    await spend(wallet, most=replace(CALL, cost=0.0), used=replace(CALL, cost=0.0))
    assert not file.exists()
    await spend(wallet, endpoint=replace(SENT, base_url="https://user:pass-word@api.test/v1/s3cret"))
    await spend(wallet, most=replace(CALL, cost=None), used=replace(CALL, cost=None))
    await spend(wallet, most=replace(CALL, cost=None), used=replace(CALL, cost=1e300))
    (account,) = read_wallet(file)
    assert (account.spent.calls, account.spent.unpriced) == (3, 1)
    wallet.close()
    content = b"".join(path.read_bytes() for path in file.parent.iterdir())
    assert not any(secret in content for secret in (b"very-secret", b"pass-word", b"s3cret"))


async def test_a_wallet_that_cannot_be_written_stops_only_what_it_limits(open_wallet, file):
    """In one line."""
    file.parent.write_text("no folder", "utf-8")
    await spend(open_wallet())
    with pytest.raises(LedgerError, match="wallet.sqlite3 cannot be written"):
        await open_wallet(calls=3).admit(pay(), CALL)


async def test_a_model_without_a_price_is_not_asked_if_dollars_are_limited(open_wallet):
    """Its cost could not be counted."""
    with pytest.raises(BudgetSpent, match="price of a model is unknown"):
        await open_wallet(cost=5.0).admit(pay(), replace(CALL, cost=None))
