"""Measure what a call costs beside the model: processor time of the engine per call, at several numbers of open calls.

A server in a process of its own answers each question after a fixed time, over real HTTP. All layers take part: cache,
retries, budget, limit, ledger and the SDK. `python benchmarks/gateway_cost.py` leaves nothing behind.
"""

import argparse
import asyncio
import cProfile
import json
import multiprocessing
import os
import pstats
import tempfile
import time
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

from ville.assembly.client import ClientFactory
from ville.assembly.model_choice import chat_config
from ville.llm.accounting.ledger import Ledger
from ville.llm.gateway import ChatMessage, ChatRequest
from ville.settings import load_settings

HEADER_END = b"\r\n\r\n"
PROMPT = "A day in the Ville has many hours, and people talk of what they do. " * 25
"""About as long as a question: 1,700 characters."""
SCHEMA = {
    "type": "object",
    "properties": {"activity": {"type": "string"}, "minutes": {"type": "integer"}},
    "required": ["activity", "minutes"],
}
ANSWER = '{"activity": "reading the paper in the kitchen", "minutes": 25}'


@dataclass(frozen=True)
class Cost:
    """Cost of calls."""

    open_calls: int
    most_open: int
    """Most calls that the server had open at once."""
    processor_ms: float
    """Of the engine, per call."""
    calls_per_second: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--open", type=int, nargs="+", default=[1, 64, 256], help="open calls")
    parser.add_argument("--calls", type=int, default=2000)
    parser.add_argument("--seconds", type=float, default=0.2, help="how long the server takes for an answer")
    parser.add_argument("--profile", action="store_true", help="print where the processor time goes")
    choice = parser.parse_args()
    for many in choice.open:
        calls = choice.calls if many > 1 else min(choice.calls, 200)
        print_cost(measured(many, calls, choice.seconds if many > 1 else 0.0, profile=choice.profile))


def print_cost(cost: Cost) -> None:
    print(
        f"{cost.open_calls:4} open calls ({cost.most_open} at once): {cost.processor_ms:.2f} ms of processor a call, "
        f"{cost.calls_per_second:,.0f} calls/s"
    )


def measured(many: int, calls: int, seconds: float, *, profile: bool = False) -> Cost:
    """Return the cost of `calls` calls with `many` open at a time, to a server that takes `seconds` for an answer."""
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=serve, args=(theirs, seconds), daemon=True)
    process.start()
    port = ours.recv()
    profiler = cProfile.Profile()
    with tempfile.TemporaryDirectory() as folder:
        if profile:
            profiler.enable()
        processor, wall = asyncio.run(_asked(Path(folder), port, many, calls))
        profiler.disable()
    ours.send("stop")
    most = ours.recv()
    process.join()
    if profile:
        pstats.Stats(profiler).sort_stats("cumtime").print_stats(90)
    return Cost(many, most, processor / calls * 1000, calls / wall)


async def _asked(folder: Path, port: int, many: int, calls: int) -> tuple[float, float]:
    """Ask all questions, and return processor time and wall time in seconds."""
    environment = {
        **os.environ, "VILLE_PROVIDER": "compatible", "VILLE_BASE_URL": f"http://127.0.0.1:{port}/v1",
        "VILLE_FAST_MODEL": "any", "VILLE_ADVANCED_MODEL": "any", "VILLE_MAX_CONCURRENCY": str(many),
    }  # fmt: skip
    settings = load_settings(environment=environment)
    ledger = Ledger.open(folder)
    factory = ClientFactory(settings, ledger)
    chat = factory.chat(chat_config(settings))
    ask = asyncio.Semaphore(many)

    async def one(number: int) -> None:
        async with ask:
            messages = (ChatMessage("system", "You are a person."), ChatMessage("user", f"{number} {PROMPT}"))
            person = f"Person {number % 1000}"
            await chat.complete(ChatRequest("plan/subtasks", {}, messages, SCHEMA, person, number, answer_tokens=200))

    await asyncio.gather(*(one(-1 - number) for number in range(many)))  # connections are open, modules are imported
    processor, wall = time.process_time(), time.perf_counter()
    await asyncio.gather(*(one(number) for number in range(calls)))
    spent = time.process_time() - processor, time.perf_counter() - wall
    await factory.close()
    return spent


def serve(pipe: Connection, seconds: float) -> None:
    """Answer questions until told to stop, and send back how many were open at once."""
    asyncio.run(_serve(pipe, seconds))


async def _serve(pipe: Connection, seconds: float) -> None:
    usage = {"prompt_tokens": 450, "completion_tokens": 20, "total_tokens": 470}
    choice = {"index": 0, "message": {"role": "assistant", "content": ANSWER}, "finish_reason": "stop"}
    body = json.dumps(
        {"id": "1", "object": "chat.completion", "created": 0, "model": "any", "choices": [choice], "usage": usage}
    ).encode()
    head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}".encode()
    now_open = most = 0

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal now_open, most
        while True:
            try:
                header = await reader.readuntil(HEADER_END)
            except (asyncio.IncompleteReadError, ConnectionError):
                break
            await reader.readexactly(_length(header))
            now_open += 1
            most = max(most, now_open)
            await asyncio.sleep(seconds)
            now_open -= 1
            writer.write(head + HEADER_END + body)
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    pipe.send(server.sockets[0].getsockname()[1])
    await asyncio.get_running_loop().run_in_executor(None, pipe.recv)
    pipe.send(most)
    server.close()


def _length(header: bytes) -> int:
    for line in header.lower().split(b"\r\n"):
        if line.startswith(b"content-length:"):
            return int(line.partition(b":")[2])
    return 0


if __name__ == "__main__":
    main()
