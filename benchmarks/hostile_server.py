"""A server at its worst: lies, bombs, endless bodies, broken connections. It keeps its own count of what arrived.

The bill of an answer is what the server reports, where that is possible at all; else what its tokenizer counts, which
takes a token for every three bytes. Errors are free, unless the connection breaks or a proxy gives up before the answer
is there.
"""

import json
import socket
import threading
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from chat_server import Received, Reply, completion, embeddings
from default_answers import answer_to

INPUT, OUTPUT, VECTORS = 0.2, 2.0, 0.1
"""Dollars per million tokens."""
PRICES = f"""\
"m" = {{ input = {INPUT}, output = {OUTPUT} }}
"v" = {{ input = {VECTORS} }}
"""
"""The same prices as a price list."""
TOKEN = 3
"""Bytes of a request or answer counted as one token."""
CHARGED = {200, 408, 502, 504, 524}
"""States of a response after which the answer may have been charged."""

Fault = Callable[[Received], "Reply | Iterator[bytes]"]
"""Treatment of a request: a response, or bytes that are sent as they are, until the client hangs up."""


def honest(request: Received) -> Reply:
    if "messages" in request.body:
        return Reply(completion(answer_to(request.body), request))
    return Reply(embeddings(request))


class HostileServer:
    """`with HostileServer() as server:` listens on `server.url`, and on `server.other`, to which it redirects."""

    def __init__(self) -> None:
        self.faults: deque[tuple[str, Fault]] = deque()
        """Faults to come; every other request is answered honestly, so that there is always more to ask."""
        self.tried: Counter[str] = Counter()
        self.calls: Counter[str] = Counter()
        """Requests that arrived, by key."""
        self.dollars: Counter[str] = Counter()
        """Correct cost, by key."""
        self.strays = 0
        """Requests that arrived at the other address."""
        self._turn = 0
        self._lock = threading.Lock()
        self._servers = [_Server(("127.0.0.1", 0), _Handler, self) for _ in range(2)]

    @property
    def url(self) -> str:
        return self._url(0)

    @property
    def other(self) -> str:
        return self._url(1)

    def _url(self, number: int) -> str:
        return f"http://127.0.0.1:{self._servers[number].server_port}/v1"

    def then(self, faults: Sequence[tuple[str, Fault]]) -> None:
        self.faults = deque(faults)

    def __enter__(self) -> Self:
        for server in self._servers:
            threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        for server in self._servers:
            server.shutdown()
            server.server_close()

    def answer(self, request: Received, port: int) -> Reply | Iterator[bytes]:
        """Choose what to do with a request, and write it on the bill."""
        key = request.headers.get("authorization", "").removeprefix("Bearer ")
        with self._lock:
            self.strays += port != self._servers[0].server_port
            self._turn += 1
            name, fault = self.faults.popleft() if self.faults and self._turn % 2 else ("an honest answer", honest)
            self.tried[name] += 1
            reply = fault(request)
            self.calls[key] += 1
            self.dollars[key] += billed(request, reply)
            return reply


def billed(request: Received, reply: Reply | Iterator[bytes]) -> float:
    """Return what a request should cost, in dollars."""
    if isinstance(reply, Reply) and reply.status not in CHARGED:
        return 0.0
    chat = "messages" in request.body
    body = reply.body if isinstance(reply, Reply) and isinstance(reply.body, dict) else {}
    usage = body.get("usage") if isinstance(body.get("usage"), dict) else {}
    bounds = (_size(request.body), _answer_limit(request) if chat else 0)
    text = _text(body) if body else "x" * TOKEN * bounds[1]
    counted = (_size(request.body.get("messages") or request.body["input"]) // TOKEN, len(text.encode()) // TOKEN)
    names = ("prompt_tokens", "completion_tokens")
    tokens = [
        _told(usage.get(name), *pair) for name, pair in zip(names, zip(counted, bounds, strict=True), strict=True)
    ]
    prices = (INPUT, OUTPUT) if chat else (VECTORS, 0.0)
    listed = sum(number * price for number, price in zip(tokens, prices, strict=True)) / 1_000_000
    return float(_told(usage.get("cost"), listed, listed))


def _told(said: Any, counted: float, most: float) -> float:
    """Return a number of the bill: what was said, if that can be; else what was counted, if that can be."""
    believable = isinstance(said, int | float) and not isinstance(said, bool) and 0 < said <= most
    return said if believable else min(counted, most)


def _answer_limit(request: Received) -> int:
    return int(request.body.get("max_tokens") or request.body["max_completion_tokens"])


def _text(body: dict[str, Any]) -> str:
    with suppress(KeyError, IndexError, TypeError):
        return str(body["choices"][0]["message"]["content"] or "")
    return ""


def _size(value: Any) -> int:
    return len(json.dumps(value).encode())


class _Server(ThreadingHTTPServer):
    request_queue_size = 128
    daemon_threads = True

    def __init__(self, address: tuple[str, int], handler: type[BaseHTTPRequestHandler], owner: HostileServer) -> None:
        super().__init__(address, handler)
        self.owner = owner

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore clients that hang up."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length", 0))
        content = self.rfile.read(length)
        if len(content) < length:
            self.close_connection = True
            return
        headers = {name.lower(): value for name, value in self.headers.items()}
        request = Received(self.command, self.path, headers, json.loads(content))
        reply = self.server.owner.answer(request, self.server.server_port)
        if isinstance(reply, Reply):
            self._send(reply)
        else:
            self._pour(reply)

    def _send(self, reply: Reply) -> None:
        content = reply.bytes()
        self.send_response(reply.status)
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Type", reply.content_type)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def _pour(self, parts: Iterator[bytes]) -> None:
        """Send bytes until the client hangs up; nothing at all resets the connection."""
        self.close_connection = True
        sent = 0
        for part in parts:
            self.wfile.write(part)
            sent += len(part)
        if not sent:
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            self.connection.close()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name is the standard library's
        """Write nothing to the console."""
