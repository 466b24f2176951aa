"""Faults of the hostile server: more than a hundred, by kind."""

import gzip
import itertools
import json
import time
import zlib
from collections.abc import Iterator, Mapping
from typing import Any

from chat_server import Received, Reply
from hostile_server import Fault, honest

MEGABYTE = 2**20
LONG = 10**6
PACKED = {"Content-Encoding": "gzip"}
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
LIES: tuple[Any, ...] = (
    0,
    -1,
    -(10**15),
    10**15,
    10**30,
    1e15,
    "12",
    "",
    None,
    True,
    [],
    {},
    float("nan"),
    float("inf"),
)
REFUSED_FORMS = (
    "response_format", "json_schema", "max_tokens is not supported", "max_completion_tokens", "temperature",
    "reasoning_effort", "seed", "response_format max_tokens temperature seed reasoning_effort grammar",
)  # fmt: skip
WAITS = (
    "inf",
    "nan",
    "-1",
    "1e308",
    "0",
    "Fri, 31 Dec 9999 23:59:59 GMT",
    "Fri, 31 Dec 0001 00:00:00 GMT",
    "\xff",
    "9" * 400,
)
STATUSES = (
    204,
    206,
    301,
    302,
    307,
    308,
    400,
    401,
    402,
    403,
    404,
    408,
    409,
    413,
    418,
    422,
    425,
    429,
    451,
    500,
    502,
    503,
    504,
    524,
    599,
)
ENCODINGS = ("gzip", "br", "gzip, gzip", "zstd", "compress", "identity", "\xff")
CHARSETS = ("utf-16", "zlib", "bz2", "hex", "punycode", "idna", "undefined", "no-such")


def deep(depth: int) -> bytes:
    return b"[" * depth + b"]" * depth


BODIES: Mapping[str, bytes] = {
    "nothing": b"",
    "no JSON": b"<html>Welcome</html>",
    "half of it": b'{"choices": [{"message": {"content": "',
    "null": b"null",
    "a list": b"[]",
    "a number of 100,000 digits": b"7" * 100_000,
    "lists in lists": deep(100_000),
    "lists in lists that can be read": deep(900),
    "a million empty lists": b"[" + b"[]," * MEGABYTE + b"[]]",
    "a million empty objects": b"[" + b"{}," * MEGABYTE + b"{}]",
    "zeros": bytes(8 * MEGABYTE),
    "not UTF-8": b'{"choices": "\xff\xfe"}',
    "NaN": b"NaN",
    "no choices": b'{"choices": []}',
    "choices that are none": b'{"choices": [null, 7, "x", {}]}',
    "an object as choices": b'{"choices": {"0": {}}}',
    "a nested content": b'{"choices": [{"message": {"content": ' + deep(900) + b"}}]}",
    "parts that are no texts": b'{"choices": [{"message": {"content": [{"text": ' + deep(900) + b"}]}}]}",
    "a million letters": json.dumps({"choices": [{"message": {"content": "x" * LONG}}]}).encode(),
    "surrogates and controls": b'{"choices": [{"message": {"content": "\\ud800\\u0000\\u202e\\u001b[2J"}}]}',
    "an error within": b'{"error": {"message": "no", "code": 1e999}}',
    "an error with a long code": b'{"error": {"message": "no", "code": ' + b"9" * 4000 + b"}}",
    "a nested error": b'{"error":' * 900 + b"1" + b"}" * 900,
    "an error in a choice": b'{"choices": [{"error": {"message": ' + deep(900) + b"}}]}",
    "an error that costs": b'{"error": {"code": 500}, "usage": {"prompt_tokens": 7, "cost": 1e300}}',
}
ROWS: Mapping[str, Any] = {
    "none": [],
    "too few": [{"index": 0, "embedding": [1.0] * 32}],
    "too many": [{"index": row, "embedding": [1.0] * 32} for row in range(2000)],
    "null": None,
    "empty": [{"index": 0, "embedding": []}] * 3,
    "of zeros": [{"index": 0, "embedding": [0.0] * 32}] * 3,
    "of texts": [{"index": 0, "embedding": ["x"] * 32}] * 3,
    "of lists": [{"index": 0, "embedding": [[1.0]] * 32}] * 3,
    "that are a number": [{"index": 0, "embedding": 7}] * 3,
    "of another size": [{"index": 0, "embedding": [1.0] * 7}] * 3,
    "of different sizes": [{"index": row, "embedding": [1.0] * (row + 1)} for row in range(3)],
    "of a million numbers": [{"index": 0, "embedding": [1] * LONG}],
    "of huge numbers": [{"index": 0, "embedding": [1e308] * 32}] * 3,
    "that are not finite": [{"index": 0, "embedding": [float("nan")] * 32}] * 3,
    "with wild indexes": [{"index": -(10**30), "embedding": [1.0] * 32}] * 3,
}


def _constant(reply: Reply) -> Fault:
    return lambda _: reply


def _usage(**said: Any) -> Fault:
    def lie(request: Received) -> Reply:
        reply = honest(request)
        return Reply({**reply.body, "usage": {**reply.body["usage"], **said}})

    return lie


def _odd_vectors(rows: Any) -> Fault:
    """Answer with vectors, also where words are asked for."""
    return _constant(Reply({"data": rows, "choices": [{"message": {"content": "{}"}}]}))


def _refused(words: str) -> Fault:
    return _constant(Reply({"error": {"message": f"Unsupported: {words}"}}, 400))


def _poured(*first: bytes, then: bytes = b"", pause: float = 0.0, reset: bool = False) -> Fault:
    """Send some bytes as they are, then others again and again, for as long as the client listens."""

    def pour(_: Received) -> Iterator[bytes]:
        if not reset:
            yield from first
        while then:
            time.sleep(pause)
            yield then

    return pour


def _quoting(request: Received) -> Reply:
    """Repeat all that was sent, the key included, in an answer and in an error."""
    heard = f"{request.path} {dict(request.headers)}"
    return Reply({"error": {"message": heard, "code": "invalid_api_key"}}, 400)


def _quoted(request: Received) -> Reply:
    reply = honest(request)
    if "messages" in request.body:
        reply.body["choices"][0]["message"]["content"] = json.dumps({"activity": str(dict(request.headers))})
    return reply


WIRE: Mapping[str, Fault] = {
    "a reset": _poured(reset=True),
    "an endless body": _poured(HEAD, b"\r\n", then=b" " * 65536),
    "an endless chunked body": _poured(
        HEAD, b"Transfer-Encoding: chunked\r\n\r\n", then=b"4000\r\n" + b" " * 0x4000 + b"\r\n"
    ),
    "endless headers": _poured(HEAD, then=b"X-Header: " + b"x" * 4000 + b"\r\n"),
    "an endless header": _poured(HEAD, b"X-Header: ", then=b"x" * 65536),
    "an endless status": _poured(b"HTTP/1.1 200 ", then=b"x" * 65536),
    "endless continues": _poured(then=b"HTTP/1.1 100 Continue\r\n\r\n"),
    "endless trailers": _poured(HEAD, b"Transfer-Encoding: chunked\r\n\r\n0\r\n", then=b"X: y\r\n"),
    "a slow drip": _poured(HEAD, b"\r\n", then=b" ", pause=0.2),
    "slow headers": _poured(HEAD, then=b"X: y\r\n", pause=0.2),
    "silence": _poured(HEAD, b"Content-Length: 9\r\n\r\n", then=b"", pause=0.0),
    "less than was said": _poured(HEAD, b"Content-Length: 999\r\n\r\n{}"),
    "a negative length": _poured(HEAD, b"Content-Length: -1\r\n\r\n{}"),
    "two lengths": _poured(HEAD, b"Content-Length: 2\r\nContent-Length: 9\r\n\r\n{}"),
    "no HTTP": _poured(b"SSH-2.0-OpenSSH_9.0\r\n"),
    "another protocol": _poured(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n"),
    "endless gzip": _poured(HEAD, b"Content-Encoding: gzip\r\n\r\n", gzip.compress(b"{}"), then=b"\0" * 65536),
    "endless zeros in gzip": _poured(HEAD, b"Content-Encoding: gzip\r\n\r\n", gzip.compress(bytes(64 * MEGABYTE))),
    "an endless name in gzip": _poured(
        HEAD, b"Content-Encoding: gzip\r\n\r\n\x1f\x8b\x08\x08" + b"\0" * 6, then=b"x" * 65536
    ),
    "cookies": _constant(Reply({}, 500, {"Set-Cookie": f"a={'x' * 4000}; Max-Age=99999"})),
}


def faults(other: str) -> list[tuple[str, Fault]]:
    """Return all faults with what they are an example of. Redirects lead to another address."""
    bomb, zipped = gzip.compress(bytes(64 * MEGABYTE)), gzip.compress(deep(100_000))
    found: list[tuple[str, Fault]] = [
        *(
            (f"lies about {name}", _usage(**{name: lie}))
            for name in ("prompt_tokens", "completion_tokens")
            for lie in LIES
        ),
        *(("lies about the cost", _usage(cost=lie)) for lie in LIES),
        *(("lies about the total", _usage(total_tokens=lie)) for lie in LIES[:4]),
        *(("lies about the total", _usage(prompt_tokens_details={"cached_tokens": lie})) for lie in LIES[:4]),
        *(("refuses a form", _refused(words)) for words in REFUSED_FORMS for _ in range(4)),
        *((f"sends {name}", _constant(Reply(body))) for name, body in BODIES.items()),
        *((f"fails with {name}", _constant(Reply(body, 500))) for name, body in BODIES.items()),
        *((f"sends vectors {name}", _odd_vectors(rows)) for name, rows in ROWS.items()),
        *(("says when to come again", _constant(Reply({}, 429, {"Retry-After": after}))) for after in WAITS),
        *(("answers with a status", _constant(Reply({}, status))) for status in STATUSES),
        *(("sends another encoding", _constant(Reply(b"{}", 200, {"Content-Encoding": each}))) for each in ENCODINGS),
        *(
            (
                "sends another charset",
                _constant(Reply(zlib.compress(bytes(MEGABYTE)), 400, {}, f"text/plain; charset={each}")),
            )
            for each in CHARSETS
        ),
        *(
            ("sends a bomb", _constant(Reply(packed, status, PACKED)))
            for packed in (bomb, zipped)
            for status in (200, 400)
        ),
        *(("redirects", _constant(Reply({}, status, {"Location": other}))) for status in (301, 302, 307, 308)),
        *((f"breaks the line: {name}", fault) for name, fault in WIRE.items()),
        *(("repeats the key", fault) for fault in (_quoting, _quoted) for _ in range(3)),
    ]
    return [fault for pair in itertools.zip_longest(found[::2], found[1::2][::-1]) for fault in pair if fault]
