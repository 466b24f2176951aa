"""A walk through the house before anybody moves in: one finding a check, each with its mend. Nothing is changed."""

import os
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from ville.assembly.providers import (
    ChatConfig,
    EmbeddingConfig,
    Endpoint,
    announcement,
    chat_config,
    check_prices,
    embedder_name,
    embedding_config,
    local_embedder,
)
from ville.errors import Malformed, RateLimited, ReverieError, SetupError
from ville.llm.gateway import Chat
from ville.llm.vectors import CheckedSource, VectorCheck
from ville.persona.prompt_template.ask import Caller, Tally, ask
from ville.persona.prompt_template.plan import WakeUpHour
from ville.persona.prompt_template.question import check_templates
from ville.settings import Settings
from ville.simulation.re_embed import stored_embedder
from ville.storage.storage import find, simulations
from ville.world.load import load_maze

if TYPE_CHECKING:
    from ville.llm.wire.openai_wire import Connection

Verdict = Literal["ok", "note", "FAIL"]
DEADLINE = 30.0
"""Seconds that a call may take here."""
MAPS = "*/matrix/maze_meta_info.json"
QUESTION = WakeUpHour(
    identity="Name: Ada Stone\nAge: 30\nLifestyle: Ada goes to bed around 10pm and gets up around 6am.",
    first_name="Ada",
)
"""The cheapest question there is."""


@dataclass(frozen=True)
class Finding:
    """What one check found."""

    verdict: Verdict
    what: str
    says: str


async def checkup(settings: Settings) -> AsyncIterator[Finding]:
    """The house, then the telephone."""
    for finding in check_files(settings):
        yield finding
    async for finding in check_models(settings):
        yield finding


def check_files(settings: Settings) -> Iterator[Finding]:
    """What lies on disk."""
    yield _found("storage", lambda: _storage(settings.fs_storage))
    yield _found("temp storage", lambda: _writable(settings.fs_temp_storage))
    yield _found("prompts", lambda: f"{check_templates()} prompts, and nothing in them that nobody fills")
    maps = sorted(path.parents[1].name for path in settings.assets.glob(MAPS))
    for name in maps:
        yield _found(f"map {name}", partial(_map, settings.assets, name))
    if not maps:
        yield Finding("FAIL", "maps", f"there is none in {settings.assets}: set assets, or run build_town.py build.")


def _found(what: str, check: Callable[[], str]) -> Finding:
    try:
        return Finding("ok", what, check())
    except (ReverieError, OSError) as fault:
        return Finding("FAIL", what, str(fault))


def _storage(folder: Path) -> str:
    there = simulations(folder)
    if not there:
        raise SetupError(
            f"There is no simulation in {folder} to begin with: copy the base_ folders there, or set fs_storage to "
            "where they are."
        )
    return f"{_writable(folder)}; {len(there)} simulations"


def _writable(folder: Path) -> str:
    nearest = next(place for place in (folder, *folder.parents) if place.exists())
    if not os.access(nearest, os.W_OK):
        raise SetupError(f"{nearest} cannot be written: give yourself the right, or set another folder.")
    return f"{folder} can be written"


def _map(assets: Path, name: str) -> str:
    maze = load_maze(assets / name / "matrix", name)
    return f"{maze.width} × {maze.height} tiles, {len(maze.address_tiles)} addresses"


async def check_models(settings: Settings) -> AsyncIterator[Finding]:
    """Whoever answers is asked one cheap question by each model, and for the vectors of two words."""
    try:
        who, vectors = chat_config(settings), embedding_config(settings)
        yield Finding("ok", "minds", announcement(settings))
    except ReverieError as fault:
        yield Finding("FAIL", "minds", str(fault))
        return
    yield _prices(settings)
    said: set[str] = set()
    async for finding in _answers(settings, who, vectors):
        again = finding.verdict == "FAIL" and finding.says in said
        yield replace(finding, says="for the same reason") if again else finding
        said.add(finding.says)
    yield _stored(settings)


def _prices(settings: Settings) -> Finding:
    """Without a price, no cost is shown and none can be limited."""
    try:
        warning = check_prices(settings)
    except ReverieError as fault:
        return Finding("FAIL", "prices", str(fault))
    return Finding("note", "prices", warning) if warning else Finding("ok", "prices", "every model has one")


def _stored(settings: Settings) -> Finding:
    """Vectors of two makes cannot be compared: who remembers with others than are made now."""
    make, what = embedder_name(settings), "stored vectors"
    try:
        makes = {name: stored_embedder(find(settings.fs_storage, name)) for name in simulations(settings.fs_storage)}
    except ReverieError as fault:
        return Finding("note", what, str(fault))
    others = [f"{name} ({known})" for name, known in makes.items() if known not in {None, make}]
    if not others:
        return Finding("ok", what, f"all simulations can go on with {make}")
    mend = "go on with those (set embedder and embedding_model), or say --re-embed when you open one"
    return Finding("note", what, f"not of {make} in {', '.join(others)}: {mend}.")


async def _answers(
    settings: Settings, who: ChatConfig | None, vectors: EmbeddingConfig | None
) -> AsyncIterator[Finding]:
    if who:
        for model in who.models.names:
            yield await _model(settings, who, model)
    yield await (_bought_vectors(settings, vectors) if vectors else _own_vectors(settings))


async def _model(settings: Settings, who: ChatConfig, model: str) -> Finding:
    from ville.llm.wire.openai_wire import OpenAIWire  # noqa: PLC0415 - not where the rules answer

    async with _connected(settings, who.endpoint) as connection:
        tokens, effort = settings.answer_tokens, settings.reasoning_effort
        wire = OpenAIWire(connection, lambda _: model, answer_tokens=tokens, effort=effort)
        return await _tried(f"model {model}", lambda: _asked(wire))


async def _asked(chat: Chat) -> str:
    """Raises Malformed if no answer was in the form that was asked for, and whatever the wire raises."""
    tally = Tally()
    answer = await ask(Caller(chat=chat, persona="Ada Stone", step=0, tally=tally), QUESTION)
    if tally.fallbacks:
        raise Malformed("It answers, but never in the form that is asked for: the people would live by fallbacks.")
    corrected = f", after {tally.corrected} corrections" if tally.corrected else ""
    return f"answers as it is asked to{corrected}: Ada gets up at {answer.wake_up_hour}"


async def _bought_vectors(settings: Settings, who: EmbeddingConfig) -> Finding:
    from ville.llm.wire.openai_wire import OpenAIEmbeddings  # noqa: PLC0415 - not where the rules answer

    async with _connected(settings, who.endpoint) as connection:

        async def embedded() -> str:
            source = CheckedSource(OpenAIEmbeddings(connection, who.model), VectorCheck())
            reply = await source.embed(["tea", "bread"])
            return f"vectors of {reply.vectors.shape[1]} numbers by {who.name}"

        return await _tried("memories", embedded)


async def _own_vectors(settings: Settings) -> Finding:
    async def embedded() -> str:
        embedder = local_embedder(settings)
        return f"vectors of {(await embedder.embed(['tea'])).shape[1]} numbers by {embedder.name}, made here"

    return await _tried("memories", embedded)


async def _tried(what: str, call: Callable[[], Awaitable[str]]) -> Finding:
    try:
        return Finding("ok", what, await call())
    except (RateLimited, Malformed) as fault:
        return Finding("note", what, str(fault))
    except ReverieError as fault:
        return Finding("FAIL", what, str(fault))


@asynccontextmanager
async def _connected(settings: Settings, endpoint: Endpoint) -> AsyncIterator["Connection"]:
    from ville.llm.wire.openai_wire import Access, Connection  # noqa: PLC0415 - not where the rules answer

    deadline = min(DEADLINE, settings.deadline)
    connection = Connection(Access(endpoint.provider, endpoint.base_url, endpoint.key, deadline, endpoint.api_version))
    try:
        yield connection
    finally:
        await connection.close()
