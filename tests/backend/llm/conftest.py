"""What the wire's tests share: a server, a line to it, and a question to ask."""

from dataclasses import replace

import pytest
from asking import KEY
from chat_server import ChatServer

from llm.openai_wire import Access, Connection, OpenAIEmbeddings, OpenAIWire
from llm.providers import PROVIDERS


@pytest.fixture
def server():
    with ChatServer() as server:
        yield server


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
