"""An OpenAI-compatible server on loopback that does what a test tells it to: real HTTP, real sockets, scripted answers.

Without a script it gives plausible answers (default_answers.py), so that whole days can be run against it.
To start it by hand: `python tests/servers/chat_server.py 8001`, then set VILLE_BASE_URL=http://127.0.0.1:8001/v1 and
VILLE_FAST_MODEL=any.
"""

import json
import sys
import threading
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self
from zlib import crc32

from default_answers import answer_to

SIZE = 32
"""Size of an embedding."""
TOKEN = 4
"""Characters counted as one token."""


@dataclass(frozen=True)
class Received:
    """One request as received; header names are in lower case."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: Any = None


@dataclass(frozen=True)
class Reply:
    """Response to send: a JSON body, or raw bytes."""

    body: Any = field(default_factory=dict)
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    content_type: str = "application/json"
    delay: float = 0.0
    """Seconds before the response is sent; ends early when the server closes."""
    drip: float = 0.0
    """Seconds between bytes."""
    cut: bool = False
    """Whether the connection is closed in the middle of the body."""

    def bytes(self) -> bytes:
        return self.body if isinstance(self.body, bytes) else json.dumps(self.body).encode()


def completion(text: str | None, request: Received, *, finish: str = "stop", **more: Any) -> dict[str, Any]:
    """Return a chat completion with tokens estimated from characters; `more` is added to the message."""
    prompt = sum(len(str(message["content"])) for message in request.body["messages"]) // TOKEN
    answer = len(text or "") // TOKEN
    usage = {"prompt_tokens": prompt, "completion_tokens": answer, "total_tokens": prompt + answer}
    message = {"role": "assistant", "content": text, **more}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 0,
        "model": request.body["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        "usage": usage,
    }


def embeddings(request: Received) -> dict[str, Any]:
    """Return an embedding response whose vectors are equal for texts with the same words."""
    texts = request.body["input"]
    data = [{"object": "embedding", "index": row, "embedding": vector_of(text)} for row, text in enumerate(texts)]
    tokens = sum(map(len, texts)) // TOKEN
    usage = {"prompt_tokens": tokens, "total_tokens": tokens}
    return {"object": "list", "model": request.body["model"], "data": data, "usage": usage}


def vector_of(text: str) -> list[float]:
    vector = [0.0] * SIZE
    for word in text.lower().split():
        vector[crc32(word.encode()) % SIZE] += 1.0
    return vector


class ChatServer:
    """`with ChatServer() as server:` listens on `server.url`. Every request is kept in `server.requests`."""

    def __init__(
        self,
        chat: Callable[[Received], Reply] | None = None,
        *,
        key: str = "",
        models: tuple[str, ...] = (),
        embeds: bool = True,
        port: int = 0,
    ) -> None:
        """`key` and `models` are required in requests, unless empty. `embeds`: whether it offers embeddings."""
        self.chat = chat or (lambda request: Reply(completion(answer_to(request.body), request)))
        self.embed = lambda request: Reply(embeddings(request))
        self.key = key
        self.models = models
        self.embeds = embeds
        self.requests: list[Received] = []
        self.connections = 0
        self.script: deque[Callable[[Received], Reply]] = deque()
        """Behaviours for the next chat requests, used before `chat`."""
        self.closing = threading.Event()
        self._lock = threading.Lock()
        self._http = _Server(("127.0.0.1", port), _Handler, self)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_port}/v1"

    @property
    def chats(self) -> list[Received]:
        """Chat requests in order of arrival."""
        return [request for request in self.requests if request.path.endswith("/chat/completions")]

    def then(self, *behaviours: Callable[[Received], Reply]) -> "ChatServer":
        """Append behaviours for the next chat requests."""
        self.script.extend(behaviours)
        return self

    def __enter__(self) -> Self:
        threading.Thread(target=self._http.serve_forever, args=(0.005,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.closing.set()
        self._http.shutdown()
        self._http.server_close()

    def reply(self, request: Received) -> Reply:
        """Return the response to a request, by its path."""
        with self._lock:
            self.requests.append(request)
        if self.key and request.headers.get("authorization") != f"Bearer {self.key}":
            return refusal(401, "Incorrect API key provided.", "invalid_api_key")
        path = request.path.partition("?")[0]
        if path.endswith("/models"):
            return Reply({"object": "list", "data": [{"id": name, "object": "model"} for name in self.models]})
        if self.models and request.body["model"] not in self.models:
            return refusal(404, f"The model `{request.body['model']}` does not exist.", "model_not_found")
        if path.endswith("/embeddings"):
            return self.embed(request) if self.embeds else refusal(404, "404 page not found")
        if not path.endswith("/chat/completions"):
            return refusal(404, "404 page not found")
        with self._lock:
            behaviour = self.script.popleft() if self.script else self.chat
        return behaviour(request)


def refusal(status: int, message: str, code: str | None = None, **headers: str) -> Reply:
    """Return an error response in the form of OpenAI."""
    error = {"message": message, "type": "error", "param": None, "code": code}
    return Reply({"error": error}, status, {name.replace("_", "-"): value for name, value in headers.items()})


class _Server(ThreadingHTTPServer):
    request_queue_size = 128
    daemon_threads = True

    def __init__(self, address: tuple[str, int], handler: type[BaseHTTPRequestHandler], owner: ChatServer) -> None:
        super().__init__(address, handler)
        self.owner = owner

    def get_request(self) -> Any:
        self.owner.connections += 1
        return super().get_request()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore clients that disconnect."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1
    server: _Server

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length", 0))
        body = self.rfile.read(length)
        if len(body) < length:  # the client was killed while it sent the request
            self.close_connection = True
            return
        self._answer(json.loads(body) if body else None)

    def do_GET(self) -> None:
        self._answer(None)

    def _answer(self, body: Any) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        reply = self.server.owner.reply(Received(self.command, self.path, headers, body))
        if reply.delay and self.server.owner.closing.wait(reply.delay):
            self.close_connection = True
            return
        content = reply.bytes()
        self.send_response(reply.status)
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Type", reply.content_type)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if reply.drip:
            self._drip(content, reply.drip)
        elif reply.cut:
            self.wfile.write(content[: len(content) // 2])
            self.close_connection = True
        else:
            self.wfile.write(content)

    def _drip(self, content: bytes, seconds: float) -> None:
        for place in range(len(content)):
            self.wfile.write(content[place : place + 1])
            self.wfile.flush()
            if self.server.owner.closing.wait(seconds):
                self.close_connection = True
                return

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name is the standard library's
        """Write nothing to the console."""


if __name__ == "__main__":
    with ChatServer(port=int(sys.argv[1]) if len(sys.argv) > 1 else 0) as server:
        print(server.url, flush=True)  # noqa: T201
        threading.Event().wait()
