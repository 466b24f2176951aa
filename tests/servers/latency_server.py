"""A server in a process of its own that answers as the rules do, and takes as long for it as a model would.

Rules read the fields of a question, and a server only its text. So the engine computes the answer of the rules when it
asks, and tells it to the server beside the request.
"""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import IO, Any, NamedTuple, Self, cast

FORM = "Answer only with one JSON object"
"""Begins what is added to a question where it is sent."""
TOKEN = 4
"""Characters counted as one token."""
END = b"\r\n\r\n"
PIECE = 2**16


class Served(NamedTuple):
    """Calls that a server has answered."""

    calls: int
    seconds: float
    """Of all answers, one after another."""


class LatencyServer:
    """`with LatencyServer(latency) as server:` listens on `server.url`; `latency` is seconds per call, per token of the
    answer and per token of the prompt.
    """

    def __init__(self, latency: Sequence[float]) -> None:
        self._latency = latency

    def __enter__(self) -> Self:
        command = [sys.executable, str(Path(__file__)), *map(str, self._latency)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._lines, self._told = cast("IO[str]", self._process.stdout), cast("IO[str]", self._process.stdin)
        self.url = self._read()
        return self

    def _read(self) -> Any:
        return json.loads(self._lines.readline())

    def _tell(self, *line: object) -> None:
        print(json.dumps(line), file=self._told, flush=True)

    def answers(self, messages: Sequence[str], answer: str) -> None:
        """Tell what is to be answered to messages that are sent soon."""
        self._tell(key_of(messages), answer)

    def served(self) -> Served:
        """Return what was answered since this was asked before."""
        self._tell("", "")
        return Served(*self._read())

    def __exit__(self, *_: object) -> None:
        self._told.close()
        self._process.wait()


def key_of(messages: Sequence[str]) -> str:
    """Return what tells a question from others: its words, without the form of the answer."""
    return blake2b("\n".join(messages).partition(FORM)[0].strip().encode(), digest_size=16).hexdigest()


class _Answers:
    """Requests to be answered, and those that were."""

    def __init__(self, latency: Sequence[float]) -> None:
        self._call, self._answer, self._prompt = latency
        self._told: dict[str, str] = {}
        self._calls, self._seconds = 0, 0.0
        self._rest = b""
        """The beginning of a line."""

    def hear(self) -> None:
        """Take what the engine tells; end this process when it has nothing more to tell."""
        if not (read := os.read(sys.stdin.fileno(), PIECE)):
            asyncio.get_running_loop().stop()
        *lines, self._rest = (self._rest + read).split(b"\n")
        for line in lines:
            self._take(*json.loads(line))

    def _take(self, key: str, answer: str) -> None:
        if key:
            self._told[key] = answer
        else:
            _say([self._calls, self._seconds])
            self._calls, self._seconds = 0, 0.0

    async def to(self, body: Any) -> bytes:
        """Return the response to a request, after its time."""
        messages = [each["content"] for each in body["messages"]]
        key = key_of(messages)
        while key not in self._told:  # the request was faster
            self.hear()
        text = self._told[key]
        prompt, answer = sum(map(len, messages)) // TOKEN, len(text) // TOKEN
        seconds = self._call + self._answer * answer + self._prompt * prompt
        self._calls, self._seconds = self._calls + 1, self._seconds + seconds
        await asyncio.sleep(seconds)
        message = {"role": "assistant", "content": text}
        reply = {
            "id": "1", "object": "chat.completion", "created": 0, "model": body["model"],
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": prompt, "completion_tokens": answer, "total_tokens": prompt + answer},
        }  # fmt: skip
        return json.dumps(reply).encode()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the requests of a connection until it is closed."""
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                head = (await reader.readuntil(END)).lower()
                size = int(head.partition(b"content-length:")[2].partition(b"\r")[0])
                reply = await self.to(json.loads(await reader.readexactly(size)))
                form = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(reply)}"
                writer.write(form.encode() + END + reply)
                await writer.drain()


def _say(value: object) -> None:
    sys.stdout.write(f"{json.dumps(value)}\n")
    sys.stdout.flush()


async def _start(answers: _Answers) -> None:
    server = await asyncio.start_server(answers.serve, "127.0.0.1", 0, limit=2**20)
    _say(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1")
    asyncio.get_running_loop().add_reader(sys.stdin, answers.hear)


def main() -> None:
    answers, loop = _Answers([float(each) for each in sys.argv[1:]]), asyncio.new_event_loop()
    loop.run_until_complete(_start(answers))
    loop.run_forever()


if __name__ == "__main__":
    main()
