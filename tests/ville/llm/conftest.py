"""What the telephone's tests share: a server and a line to it; a provider without a wire, and a ledger."""

import asyncio
from collections import deque
from dataclasses import replace

import numpy as np
import pytest
from asking import KEY

from ville.llm.accounting.bounds import ChatRates, EmbeddingRates
from ville.llm.accounting.ledger import Ledger
from ville.llm.accounting.prices import Price, Prices
from ville.llm.gateway import ChatMessage, ChatReply, ChatRequest, EmbeddingReply, Usage
from ville.llm.ledgered import Ledgered, Recorded
from ville.llm.wire.openai_wire import Access, Connection, OpenAIEmbeddings, OpenAIWire
from ville.llm.wire.providers import PROVIDERS


@pytest.fixture
async def dial():
    """Connects to a server as a provider; hangs up in the end."""
    connections = []

    def connect(url, provider="openai", *, deadline=20.0, key=KEY, **changes):
        connections.append(Connection(Access(replace(PROVIDERS[provider], **changes), url, key, deadline)))
        return connections[-1]

    yield connect
    for connection in connections:
        await connection.close()


@pytest.fixture
def wire(server, dial):
    """A wire to the server, which takes it for OpenAI."""
    return OpenAIWire(dial(server.url), lambda _: "model-1", answer_tokens=500)


@pytest.fixture
def vectors(server, dial):
    return OpenAIEmbeddings(dial(server.url), "vectors-1")


@pytest.fixture
def request_of():
    """Makes a question as `ask` would send it."""

    def make(text="When?", *, persona="Ada Stone", step=7, title="plan/wake_up_hour") -> ChatRequest:
        messages = (ChatMessage("user", text),)
        return ChatRequest(title, fields={}, messages=messages, schema={"type": "object"}, persona=persona, step=step)

    return make


class ScriptedProvider:
    """A provider of answers and vectors: queued answers first, then always the same; faults are raised.

    While `go` is not set, it takes in questions and answers none.
    """

    name = "letters-3"

    def __init__(self) -> None:
        self.queue: deque[object] = deque()
        self.requests: list[object] = []
        self.usage: Usage | None = None
        """What it reports for vectors, if not ten tokens a text."""
        self.go = asyncio.Event()
        self.go.set()
        self.asked = asyncio.Event()
        """Set as soon as there is a request."""

    async def complete(self, request: ChatRequest) -> ChatReply:
        self.requests.append(request)
        self.asked.set()
        await asyncio.sleep(0)
        await self.go.wait()
        answer = self.queue.popleft() if self.queue else "{}"
        if isinstance(answer, Exception):
            raise answer
        if isinstance(answer, ChatReply):
            return answer
        return ChatReply(str(answer), "model-1", Usage(prompt_tokens=1000, completion_tokens=10))

    async def embed(self, texts) -> EmbeddingReply:
        self.requests.append(list(texts))
        await asyncio.sleep(0)
        if self.queue and isinstance(fault := self.queue.popleft(), Exception):
            raise fault
        vectors = np.array([[len(text), text.count("a"), text.count("e")] for text in texts], np.float32)
        return EmbeddingReply(vectors, "vectors-1", self.usage or Usage(prompt_tokens=10 * len(texts)))


@pytest.fixture
def provider() -> ScriptedProvider:
    return ScriptedProvider()


@pytest.fixture
def prices() -> Prices:
    return Prices({"model-1": Price(1.0, 0.5, 10.0), "vectors-1": Price(0.1, 0.1, 0.0)})


@pytest.fixture
def rates(prices) -> ChatRates:
    """Of a model that is asked for short answers."""
    return ChatRates(prices, lambda _: "model-1", 50)


@pytest.fixture
def vector_rates(prices) -> EmbeddingRates:
    return EmbeddingRates(prices, "vectors-1")


@pytest.fixture
def ledger(tmp_path):
    ledger = Ledger.open(tmp_path)
    yield ledger
    ledger.close()


@pytest.fixture
def live(provider, ledger, rates) -> Ledgered:
    """A Chat that remembers, before one that writes down, before the wire."""
    return Ledgered(Recorded(provider, ledger, rates), ledger)
