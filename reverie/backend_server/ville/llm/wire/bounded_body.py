"""Limit responses while they arrive, while they are unpacked, and before they are parsed.

Few bytes can hide gigabytes: packed in gzip, named by an encoding that unpacks, or as millions of empty lists. So a
response has at most what its request can need.
"""

import json
import zlib
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

import httpx2

LARGEST_ANSWER = 4 * 2**20
"""Bytes of a response, packed or not: many times the longest answer with all of its reasoning."""
LARGEST_VECTOR = 2**18
"""Bytes that each text to embed adds: twice the longest vectors in use."""
LARGEST_ERROR = 2**20
"""Bytes of an error response."""
MOST_VALUES = 100_000
"""Values in the JSON of a response. Each takes a hundred bytes of memory, however short it is."""
LONGEST_VECTOR = 16_384
"""Values that each text to embed adds."""
ENCODINGS = "gzip"
"""Encoding to ask servers for (Accept-Encoding). Without it, some send deflate."""
UNPACKED_FROM = {"gzip": zlib.MAX_WBITS | 32, "x-gzip": zlib.MAX_WBITS | 32, "deflate": zlib.MAX_WBITS | 32}
"""Names of encodings, with what zlib is told of their headers (32: gzip or zlib, whichever it finds)."""

_texts: ContextVar[int] = ContextVar("texts", default=0)
"""Number of texts that the request of this task embeds."""


class BadBody(httpx2.DecodingError):
    """A response is too large, damaged, or packed in an unknown way."""


class BoundedBody(httpx2.AsyncByteStream):
    """Body of a response: unpacked, and at most `most` bytes before and after."""

    def __init__(self, body: httpx2.AsyncByteStream, encoding: str, most: int) -> None:
        self._body, self._most = body, most
        self._unpacker = zlib.decompressobj(UNPACKED_FROM[encoding]) if encoding else None

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Raises BadBody."""
        arrived = unpacked = 0
        async for chunk in self._body:
            plain = self._unpacked(chunk, self._most - unpacked)
            arrived, unpacked = arrived + len(chunk), unpacked + len(plain)
            if max(arrived, unpacked) > self._most:
                raise BadBody(f"it has more than {self._most:,} bytes")
            yield plain

    def _unpacked(self, chunk: bytes, most: int) -> bytes:
        """Return up to `most` bytes of a chunk, or one more than that if there are more."""
        if self._unpacker is None:
            return chunk
        try:
            return self._unpacker.decompress(chunk, most + 1)
        except zlib.error as error:
            raise BadBody("it is packed, and damaged") from error

    async def aclose(self) -> None:
        await self._body.aclose()


async def bound_body(response: httpx2.Response) -> None:
    """Bound the body of a response that has not been read yet. Raises BadBody for an unknown encoding.

    Its text is UTF-8, as JSON is: Python knows encodings that unpack (zlib), or take very long.
    """
    encoding = response.headers.pop("content-encoding", "").strip().lower().replace("identity", "")
    if encoding and encoding not in UNPACKED_FROM:
        raise BadBody("it is packed in a way that was not asked for")
    response.encoding = "utf-8"
    most = LARGEST_ANSWER + LARGEST_VECTOR * _texts.get() if response.is_success else LARGEST_ERROR
    body = response.stream
    if isinstance(body, httpx2.AsyncByteStream):
        response.stream = BoundedBody(body, encoding, most)


@contextmanager
def room_for_vectors(texts: int) -> Iterator[None]:
    """Expect the vectors of so many texts in the responses to requests inside this context."""
    token = _texts.set(texts)
    try:
        yield
    finally:
        _texts.reset(token)


def read_body(content: bytes) -> object:
    """Return the value of a JSON response to a request of this context. Raises ValueError and RecursionError.

    Every value is the first of an object or a list, or follows a comma or a colon: those are counted.
    """
    values = sum(content.count(sign) for sign in (b"[", b"{", b",", b":"))
    if values > MOST_VALUES + LONGEST_VECTOR * _texts.get():
        raise ValueError("it has too many values")
    return json.loads(content)
