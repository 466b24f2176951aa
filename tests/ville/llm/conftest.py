"""Fixtures for clients: connections to a server, a scripted provider, prices, a ledger."""

import asyncio
from collections import deque
from dataclasses import replace

import numpy as np
import pytest
from sample_requests import KEY
from waiting import PATIENCE

from ville.llm.accounting.ledger import Ledger
from ville.llm.accounting.prices import Price, Prices
from ville.llm.accounting.rates import ChatRates, EmbeddingRates
from ville.llm.cache import CachedChat, Numbering
from ville.llm.gateway import ChatMessage, ChatReply, ChatRequest, EmbeddingReply, EmbeddingRequest, Usage
from ville.llm.recording import RecordingClient
from ville.llm.wire.endpoint import Endpoint
from ville.llm.wire.openai_client import Connection, OpenAIChat, OpenAIEmbeddings
from ville.llm.wire.providers import PROVIDERS


@pytest.fixture
async def dial():
    """Connect to a server as a provider; connections are closed at the end."""
    connections = []

    def connect(url, provider="openai", *, deadline=PATIENCE, key=KEY, **changes):
        connections.append(Connection(Endpoint(replace(PROVIDERS[provider], **changes), url, key), deadline))
        return connections[-1]

    yield connect
    for connection in connections:
        await connection.close()


@pytest.fixture
def wire(server, dial):
    """A chat client that treats the server as OpenAI."""
    return OpenAIChat(dial(server.url), lambda _: "model-1", answer_tokens=500)


@pytest.fixture
def vectors(server, dial):
    return OpenAIEmbeddings(dial(server.url), "vectors-1")


@pytest.fixture
def request_of():
    """Make a request as `ask` sends it."""

    def make(text="When?", *, persona="Ada Stone", step=7, title="plan/wake_up_hour") -> ChatRequest:
        messages = (ChatMessage("user", text),)
        return ChatRequest(title, fields={}, messages=messages, schema={"type": "object"}, persona=persona, step=step)

    return make


class ScriptedProvider:
    """Provider that sends queued answers, then default ones; queued exceptions are raised.

    While `go` is not set, it receives requests but does not answer.
    """

    def __init__(self) -> None:
        self.queue: deque[object] = deque()
        self.requests: list[object] = []
        self.usage: Usage | None = None
        """Usage reported for embeddings; by default ten tokens for each text."""
        self.go = asyncio.Event()
        self.go.set()
        self.asked = asyncio.Event()
        """Set when the first request arrives."""

    async def complete(self, request: ChatRequest | EmbeddingRequest) -> ChatReply | EmbeddingReply:
        if isinstance(request, EmbeddingRequest):
            return await self._embed(request.texts)
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

    async def _embed(self, texts) -> EmbeddingReply:
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
    """Rates of a model with short answers."""
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
def live(provider, ledger, rates) -> CachedChat:
    """Cached and recorded chat client."""
    return CachedChat(RecordingClient(provider, ledger, rates), ledger, Numbering())
