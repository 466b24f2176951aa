"""Servers of models on this machine: found by their lists of models, whatever else listens at their ports."""

import socket

import pytest
from chat_server import ChatServer, Reply
from waiting import PATIENCE

from ville.llm.wire import found_servers as searching
from ville.llm.wire.found_servers import FoundServer, found_servers, usual_ports


@pytest.fixture(autouse=True)
def patient(monkeypatch):
    """A server of a busy machine may take its time."""
    monkeypatch.setattr(searching, "PATIENCE", PATIENCE)


def port_of(server):
    return int(server.url.rpartition(":")[2].partition("/")[0])


async def found_at(server):
    return await found_servers({"ollama": port_of(server)})


def listing(reply):
    """A server that answers everything like this."""
    server = ChatServer()
    server.reply = lambda request: server.requests.append(request) or reply
    return server


async def test_those_that_run_are_found_with_their_models(free_port, monkeypatch):
    """They are asked once, without a key, and not through a proxy; where nothing listens there is none."""
    monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{free_port()}")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-not-for-them")
    with ChatServer(models=("llama3.2", "qwen")) as one, ChatServer() as empty:
        ports = {"ollama": port_of(one), "llamacpp": free_port(), "lmstudio": port_of(empty)}
        assert await found_servers(ports) == [FoundServer("ollama", ["llama3.2", "qwen"]), FoundServer("lmstudio", [])]
        assert [request.path for request in one.requests] == ["/v1/models"]
        assert "authorization" not in one.requests[0].headers


STRANGE = [
    Reply(b"<html>", content_type="text/html"),
    Reply({"data": 1}),
    Reply([1]),
    Reply({"data": [{"id": "m"}]}, status=404),
    Reply({"data": [{"id": "m"}]}, headers={"Content-Encoding": "br"}),
    Reply(b"[" * 100_000),
    Reply(status=302, headers={"Location": "http://127.0.0.1:1/v1/models"}),
    Reply({"data": []}, cut=True),
]


@pytest.mark.parametrize("reply", STRANGE, ids=range(len(STRANGE)))
async def test_what_answers_otherwise_is_none(reply):
    with listing(reply) as server:
        assert await found_at(server) == []
        assert len(server.requests) == 1


async def test_names_are_texts_of_one_line_and_not_too_many():
    """Other things in the list are left out."""
    rows = [
        {"id": "a\nb\x1b[31m"},
        {"id": ""},
        {"id": 7},
        "x",
        {"id": "y" * 999},
        *({"id": f"m{n}"} for n in range(500)),
    ]
    with listing(Reply({"data": rows})) as server:
        (only,) = await found_at(server)
    assert only.models[:2] == ["a b", "m0"]
    assert len(only.models) == searching.MOST_MODELS


async def test_a_server_that_never_ends_its_answer_is_not_waited_for(monkeypatch):
    """Each byte comes in time, the whole does not."""
    monkeypatch.setattr(searching, "PATIENCE", 0.3)
    with (
        listing(Reply({"data": [{"id": "m" * 200}]}, drip=0.2)) as server,
        socket.create_server(("127.0.0.1", 0)) as mute,
    ):
        assert await found_servers({"ollama": port_of(server), "lmstudio": mute.getsockname()[1]}) == []


def test_the_ports_are_those_of_the_providers():
    assert usual_ports() == {"ollama": 11434, "llamacpp": 8080, "lmstudio": 1234}
