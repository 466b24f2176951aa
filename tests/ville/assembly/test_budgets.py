"""Limits hold against the provider's own count, whatever it reports, however many callers ask at once."""

import asyncio
from dataclasses import replace
from random import Random

import pytest
from counting_provider import PRICES, CountingProvider
from sample_requests import batch

from ville.assembly import client
from ville.assembly.client import ClientFactory
from ville.assembly.model_choice import chat_config, embedding_config
from ville.errors import BudgetSpent, ModelError
from ville.llm.accounting.ledger import Ledger
from ville.llm.accounting.prices import Prices
from ville.llm.accounting.rates import ChatRates, EmbeddingRates
from ville.llm.gateway import ChatMessage, ChatRequest
from ville.llm.retry import RetryPolicy
from ville.settings import Secret, Settings

CALLERS = 25
ANSWER_TOKENS = 60
ROUNDING = 1e-12
LONGEST, TEXTS = 30, 2
"""Words of a question, and texts that one caller has turned into vectors at once."""
LIMITS = {"max_cost": (0.004, 0.012), "max_tokens": (4000, 20_000), "max_calls": (30, 90)}


@pytest.fixture
def settings(tmp_path, server, monkeypatch):
    """Settings for a server with prices, high concurrency and short pauses."""
    monkeypatch.setattr(client, "RetryPolicy", lambda patience: RetryPolicy(patience, first=0.001))
    (tmp_path / "prices.toml").write_text(PRICES, "utf-8")
    return Settings(
        provider="llamacpp", base_url=server.url, fast_model="m", embedder="llamacpp", embedding_model="v",
        keys={"llamacpp": Secret("sk-1")}, prices=tmp_path / "prices.toml", max_concurrency=CALLERS, retry_for=1.0,
        answer_tokens=ANSWER_TOKENS,
    )  # fmt: skip


def question(persona, step, words):
    messages = (ChatMessage("user", "Where, née? " * words),)
    return ChatRequest("plan/x", {}, messages, {"type": "object"}, f"P{persona}", step)


async def ask_until_spent(settings, ledger, lot):
    """Let all callers ask for answers and embeddings until each gets BudgetSpent."""
    factory = ClientFactory(settings, ledger)
    chat, embedder = factory.chat(chat_config(settings)), factory.embedder(embedding_config(settings))

    async def caller(persona):
        for step in range(1000):
            try:
                if lot.randrange(4):
                    await chat.complete(question(persona, step, lot.randint(1, LONGEST)))
                else:
                    await embedder.embed([f"tea {persona} {step} {n}" for n in range(lot.randint(1, TEXTS))])
            except BudgetSpent:
                return
            except ModelError:
                continue
        pytest.fail("nothing stops this caller")

    try:
        await asyncio.gather(*map(caller, range(CALLERS)))
    finally:
        await factory.close()


def most(settings):
    """Return the most that one answer and one batch could use."""
    prices = Prices.load(settings.prices)
    answer = ChatRates(prices, lambda _: "m", ANSWER_TOKENS).most(question(0, 0, LONGEST)).usage
    vectors = EmbeddingRates(prices, "v").most(batch(*["tea 24 1000 1"] * CALLERS * TEXTS)).usage
    return {"max_cost": (answer.cost, vectors.cost), "max_tokens": (answer.tokens, vectors.tokens), "max_calls": (1, 1)}


@pytest.mark.parametrize("number", range(20))
async def test_no_limit_is_ever_exceeded(settings, server, tmp_path, number):
    """Test twenty random budgets with 25 callers, against a provider that may report usage or not, cut answers off, and
    make them as long as it likes. It counts no more than allowed, and the ledger counts at least as much. Calls stop
    only where the next one could exceed the limit.
    """
    lot = Random(number)  # noqa: S311 - a budget, no secret
    tells, breaks = lot.choice((True, False)), lot.choice((0, 7))
    texts = lot.choice((("{}",), ("{}", "", "word "), ("",)))
    provider = CountingProvider(tells, lambda count: bool(breaks) and count % breaks == 0, texts)
    server.chat, server.embed = provider.chat, provider.embed
    name = "max_cost" if number < 10 else lot.choice(sorted(LIMITS))
    limit = lot.uniform(*LIMITS[name]) if name == "max_cost" else lot.randrange(*LIMITS[name])
    ledger = Ledger.open(tmp_path)
    await ask_until_spent(replace(settings, **{name: limit}), ledger, lot)
    spend = ledger.spend
    counted = {"max_cost": provider.cost, "max_tokens": provider.tokens, "max_calls": provider.calls}[name]
    booked = {"max_cost": spend.cost, "max_tokens": spend.tokens, "max_calls": spend.calls}[name]
    assert counted <= booked + ROUNDING <= limit + 2 * ROUNDING
    assert bool(spend.estimated) == (not tells or bool(breaks and provider.calls >= breaks))
    assert limit - booked < max(most(settings)[name])
    if not spend.estimated:
        assert counted == pytest.approx(booked)
    ledger.close()
