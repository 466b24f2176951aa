"""Find servers of models on this machine, at the ports that Ollama, llama.cpp and LM Studio usually have.

Only 127.0.0.1 is asked, without a proxy and without a key, for its list of models. Other programs may use these ports:
what does not answer with such a list is none.
"""

import asyncio
from collections.abc import Mapping, Sequence
from typing import NamedTuple
from urllib.parse import urlsplit

import httpx2

from ville.llm.wire.bounded_body import ENCODINGS, bound_body, read_body
from ville.llm.wire.providers import PROVIDERS
from ville.plain_text import one_line

LOOKED_FOR = ("ollama", "llamacpp", "lmstudio")
PATIENCE = 2.0
"""Seconds for all that a server sends."""
MOST_MODELS, LONGEST_NAME = 100, 200
OK = 200


class FoundServer(NamedTuple):
    """A server that runs on this machine, and its models."""

    provider: str
    models: Sequence[str]


def usual_ports() -> dict[str, int]:
    """Return the ports of the providers that are looked for."""
    return {name: urlsplit(PROVIDERS[name].base_url).port or 0 for name in LOOKED_FOR}


async def found_servers(ports: Mapping[str, int]) -> list[FoundServer]:
    """Return the servers that answer at these ports, by provider. Takes PATIENCE at most."""
    async with httpx2.AsyncClient(
        trust_env=False,
        follow_redirects=False,
        headers={"Accept-Encoding": ENCODINGS},
        event_hooks={"response": [bound_body]},
        timeout=PATIENCE,
    ) as client:
        lists = await asyncio.gather(*(_models(client, port) for port in ports.values()))
    return [FoundServer(name, models) for name, models in zip(ports, lists, strict=True) if models is not None]


async def _models(client: httpx2.AsyncClient, port: int) -> list[str] | None:
    """Return the models of the server at a port; None if there is none."""
    try:
        async with asyncio.timeout(PATIENCE):
            response = await client.get(f"http://127.0.0.1:{port}/v1/models")
        return _names(read_body(response.content)) if response.status_code == OK else None
    except (httpx2.HTTPError, TimeoutError, ValueError, RecursionError):
        return None


def _names(body: object) -> list[str] | None:
    """Return the names in a list of models, as OpenAI words it; None if it is something else."""
    rows = body.get("data") if isinstance(body, dict) else None
    if not isinstance(rows, list):
        return None
    names = [one_line(row["id"]) for row in rows if isinstance(row, dict) and isinstance(row.get("id"), str)]
    return [name for name in dict.fromkeys(names) if 0 < len(name) <= LONGEST_NAME][:MOST_MODELS]
