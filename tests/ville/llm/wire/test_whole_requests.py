"""Connections on which a request leaves in one piece, against real sockets."""

import asyncio
import socket
import ssl
import sys
import threading
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx2
import pytest
from chat_server import ChatServer, Reply, completion
from sample_requests import REQUEST

from ville.errors import Refused, Unreachable
from ville.llm.wire.openai_client import OpenAIChat
from ville.llm.wire.whole_requests import DirectTransport

CERTIFICATE = Path(__file__).parents[3] / "servers" / "localhost.pem"
"""Of localhost, with its key; nothing but these tests believes it."""
ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"
PATIENCE = 60.0


class PlainServer:
    """Reads once from each connection, answers, and does something afterwards."""

    def __init__(self, afterwards) -> None:
        self.received = []
        self.read, self.done = threading.Event(), threading.Event()
        """Whether its answer has been read, and what comes afterwards has been done."""
        self._afterwards, self._connections = afterwards, []
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listening.getsockname()[1]}/"

    def serve(self) -> None:
        with suppress(OSError):  # until it is closed
            while True:
                connection, _ = self._listening.accept()
                self._connections.append(connection)
                self.received.append(connection.recv(2**20))
                connection.sendall(ANSWER)
                assert self.read.wait(PATIENCE)
                self._afterwards(connection)
                self.done.set()

    def close(self) -> None:
        self.read.set()
        self._listening.shutdown(socket.SHUT_RDWR)
        for each in (self._listening, *self._connections):
            each.close()


@contextmanager
def listening(afterwards=lambda _: None):
    server = PlainServer(afterwards)
    thread = threading.Thread(target=server.serve)
    thread.start()
    try:
        yield server
    finally:
        server.close()
        thread.join()


@pytest.fixture
async def client():
    async with httpx2.AsyncClient(transport=DirectTransport(httpx2.create_ssl_context())) as client:
        yield client


async def test_head_and_body_arrive_together(client):
    """So that a call costs one system call, and the server begins once."""
    with listening() as server:
        assert (await client.post(server.url, content=b"tea" * 1000)).json() == {}
    assert server.received[0].endswith(b"tea" * 1000)


@pytest.mark.parametrize(
    "afterwards",
    [socket.socket.close, lambda connection: connection.sendall(ANSWER)],
    ids=["closed", "answered without a question"],
)
@pytest.mark.parametrize("seen", [True, False])
async def test_what_a_server_did_meanwhile_is_not_taken_for_an_answer(client, afterwards, seen):
    """The next request goes over a new connection, also if the loop had no time to look at the old one."""
    with listening(afterwards) as server:
        await client.post(server.url, content=b"1")
        server.read.set()
        assert server.done.wait(PATIENCE)
        if seen:
            await _a_look_at_all_sockets()
        await client.post(server.url, content=b"2")
    assert [request[-1:] for request in server.received] == [b"1", b"2"]


async def test_a_client_may_call_another_server(client):
    """As after a server beside the engine has begun anew, at another port."""
    with listening() as server, listening() as other:
        for each in (server, other):
            await client.post(each.url, content=b"1")
        assert (len(server.received), len(other.received)) == (1, 1)


async def _a_look_at_all_sockets() -> None:
    """Let the loop take what has arrived: what this sends itself arrives after it."""
    mine, other = socket.socketpair()
    reader, writer = await asyncio.open_connection(sock=mine)
    other.send(b"!")
    await reader.read(1)
    writer.close()
    await writer.wait_closed()
    other.close()


@pytest.fixture
def secure():
    """A chat server with a certificate, whose answers are long."""
    with ChatServer(lambda request: Reply(completion("tea " * 200_000, request))) as server:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(CERTIFICATE)
        server._http.socket = context.wrap_socket(server._http.socket, server_side=True)
        yield server


async def test_an_encrypted_answer_arrives_whole(secure, dial):
    """If its server is known; else nothing is sent."""
    connection = dial(secure.url.replace("http:", "https:"))
    chat = OpenAIChat(connection, lambda _: "m", answer_tokens=9)
    with pytest.raises(Unreachable, match="(?i)certificate") as raised:
        await chat.complete(REQUEST)
    assert (raised.value.fate, secure.requests) == ("not_sent", [])
    connection._verified.load_verify_locations(CERTIFICATE)
    for _ in range(2):
        assert (await chat.complete(REQUEST)).text == ("tea " * 200_000)[:100_000]


@pytest.mark.parametrize("host", [f"{'a' * 70}.example", "nowhere.invalid"])
async def test_nothing_is_sent_to_a_host_that_is_none(dial, host):
    """So nothing is counted: a key in the place of a name is no name."""
    with pytest.raises(Unreachable, match="cannot be reached") as raised:
        await OpenAIChat(dial(f"https://{host}/v1"), lambda _: "m", answer_tokens=9).complete(REQUEST)
    assert raised.value.fate == "not_sent"


async def test_a_proxy_that_cannot_be_spoken_to_is_one_line(dial, monkeypatch):
    """SOCKS is spoken by a package of its own."""
    monkeypatch.setitem(sys.modules, "socksio", None)
    monkeypatch.setenv("ALL_PROXY", "socks5://127.0.0.1:9")
    with pytest.raises(Refused, match="pip install socksio") as raised:
        await OpenAIChat(dial("http://elsewhere.invalid/v1"), lambda _: "m", answer_tokens=9).complete(REQUEST)
    assert raised.value.fate == "not_sent"


@pytest.mark.parametrize("name", ["HTTP_PROXY", "ALL_PROXY"])
@pytest.mark.parametrize("without", [False, True])
async def test_the_proxy_of_the_environment_is_used(server, dial, monkeypatch, name, without):
    """Unless it says that none is to be."""
    for other in ("HTTP_PROXY", "ALL_PROXY", "NO_PROXY"):
        monkeypatch.delenv(other, raising=False)
        monkeypatch.delenv(other.lower(), raising=False)
    monkeypatch.setenv(name, server.url.removesuffix("/v1") if not without else "http://127.0.0.1:9")
    if without:
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    url = server.url if without else "http://elsewhere.invalid/v1"
    await OpenAIChat(dial(url), lambda _: "m", answer_tokens=9).complete(REQUEST)
    assert server.chats[0].path == ("/v1/chat/completions" if without else f"{url}/chat/completions")
