"""Limit the size of responses while they arrive, and again while they are unpacked: few bytes can hide gigabytes."""

import zlib
from collections.abc import AsyncIterator

import httpx2

LARGEST = 64 * 2**20
"""Bytes of a response, packed or not: a full batch of the longest vectors in use takes less than half of that."""
ENCODINGS = "gzip"
"""What servers are told to send (Accept-Encoding). Without being asked, some send deflate."""
UNPACKED_FROM = {"gzip": zlib.MAX_WBITS | 32, "x-gzip": zlib.MAX_WBITS | 32, "deflate": zlib.MAX_WBITS | 32}
"""Names of encodings, with what zlib is told of their headers (32: gzip or zlib, whichever it finds)."""


class BadBody(httpx2.DecodingError):
    """A response is too large, damaged, or packed in an unknown way."""


class BoundedBody(httpx2.AsyncByteStream):
    """Body of a response: unpacked, and at most LARGEST bytes."""

    def __init__(self, body: httpx2.AsyncByteStream, encoding: str) -> None:
        self._body = body
        self._unpacker = zlib.decompressobj(UNPACKED_FROM[encoding]) if encoding else None

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Raises BadBody."""
        left = LARGEST
        async for chunk in self._body:
            plain = self._unpacked(chunk, left)
            left -= len(plain)
            if left < 0:
                raise BadBody(f"it has more than {LARGEST:,} bytes")
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
    """Bound the body of a response that has not been read yet. Raises BadBody for an unknown encoding."""
    encoding = response.headers.pop("content-encoding", "").strip().lower().replace("identity", "")
    if encoding and encoding not in UNPACKED_FROM:
        raise BadBody("it is packed in a way that was not asked for")
    body = response.stream
    if isinstance(body, httpx2.AsyncByteStream):
        response.stream = BoundedBody(body, encoding)
