"""Check the setup, and print one line for each check, with what to do if it fails.

  python validate_setup.py             Python, packages, settings, storage, maps, and a short question to each model

It loads the same settings as a run and changes nothing. With a provider it costs a fraction of a cent.
"""

import argparse
import asyncio
import os
import platform
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, closing, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from ville.assembly.idle_settings import idle_settings
from ville.assembly.model_choice import (
    ChatConfig,
    EmbeddingConfig,
    announcement,
    chat_config,
    check_prices,
    embedder_name,
    embedding_config,
    local_embedder,
    prices_for,
)
from ville.assembly.models import with_embedder
from ville.errors import Malformed, RateLimited, ReverieError, SetupError
from ville.llm.accounting.common_budget import CommonlyBudgetedClient
from ville.llm.accounting.prices import Prices
from ville.llm.accounting.rates import ChatRates, EmbeddingRates, Rates
from ville.llm.accounting.wallet import Wallet, payment_to
from ville.llm.gateway import Chat, Client, EmbeddingRequest, ReplyT, RequestT
from ville.llm.monitor import CallMonitor
from ville.llm.retry import RetryingClient, RetryPolicy
from ville.llm.stacked_vectors import CheckedEmbeddings, VectorCheck
from ville.llm.wire.endpoint import Endpoint
from ville.persona.prompt_template.ask import Caller, Tally, ask
from ville.persona.prompt_template.plan_questions import WakeUpHour
from ville.persona.prompt_template.question import check_templates
from ville.settings import Settings, load_settings
from ville.simulation.re_embed import stored_embedder
from ville.storage.folder.storage import find, simulations
from ville.world.maze_files import load_maze

if TYPE_CHECKING:
    from ville.llm.wire.openai_client import Connection


Verdict = Literal["ok", "note", "FAIL"]
DEADLINE = 30.0
"""Timeout of a call during these checks, in seconds."""
CHECK = "validate_setup.py"
"""Stands in the wallet for these checks."""
MAPS = "*/matrix/maze_meta_info.json"
QUESTION = WakeUpHour(
    identity="Name: Ada Stone\nAge: 30\nLifestyle: Ada goes to bed around 10pm and gets up around 6am.",
    first_name="Ada",
)
"""A short question with a short answer."""


@dataclass(frozen=True)
class Finding:
    """The result of one check."""

    verdict: Verdict
    what: str
    says: str


async def checkup(settings: Settings) -> AsyncIterator[Finding]:
    """Check the files, then the models."""
    for finding in check_files(settings):
        yield finding
    async for finding in check_models(settings):
        yield finding


def check_files(settings: Settings) -> Iterator[Finding]:
    """Check storage, prompts and maps."""
    yield _found("storage", lambda: _storage(settings.fs_storage))
    yield _found("temp storage", lambda: _writable(settings.fs_temp_storage))
    yield _found("prompts", lambda: f"{check_templates()} prompts, no unknown placeholders")
    maps = sorted(path.parents[1].name for path in settings.assets.glob(MAPS))
    for name in maps:
        yield _found(f"map {name}", partial(_map, settings.assets, name))
    if not maps:
        yield Finding("FAIL", "maps", f"no map in {settings.assets}. Set assets, or run build_town.py build.")


def _found(what: str, check: Callable[[], str]) -> Finding:
    try:
        return Finding("ok", what, check())
    except (ReverieError, OSError) as fault:
        return Finding("FAIL", what, str(fault))


def _storage(folder: Path) -> str:
    there = simulations(folder)
    if not there:
        raise SetupError(
            f"No simulation in {folder}. Copy the base_... folders there, or set fs_storage to their folder."
        )
    return f"{_writable(folder)}; {len(there)} simulations"


def _writable(folder: Path) -> str:
    nearest = next(place for place in (folder, *folder.parents) if place.exists())
    if not os.access(nearest, os.W_OK):
        raise SetupError(f"{nearest} is not writable. Change its permissions, or set another folder.")
    return f"{folder} is writable"


def _map(assets: Path, name: str) -> str:
    maze = load_maze(assets / name / "matrix", name)
    return f"{maze.width} × {maze.height} tiles, {len(maze.address_tiles)} addresses"


async def check_models(settings: Settings) -> AsyncIterator[Finding]:
    """Ask each model a short question, and the embedder for two vectors."""
    try:
        who, vectors = chat_config(settings), embedding_config(settings)
        yield Finding("ok", "minds", announcement(settings))
    except ReverieError as fault:
        yield Finding("FAIL", "minds", str(fault))
        return
    yield _prices(settings)
    for line in idle_settings(settings):
        yield Finding("note", "settings", line)
    said: set[str] = set()
    async for finding in _answers(settings, who, vectors):
        again = finding.verdict == "FAIL" and finding.says in said
        yield replace(finding, says="for the same reason") if again else finding
        said.add(finding.says)
    yield _stored(settings)


def _prices(settings: Settings) -> Finding:
    """Check that each model has a price: without one, its cost is neither shown nor limited."""
    try:
        warning = check_prices(settings)
    except ReverieError as fault:
        return Finding("FAIL", "prices", str(fault))
    return Finding("note", "prices", warning) if warning else Finding("ok", "prices", "every model has a price")


def _stored(settings: Settings) -> Finding:
    """List the simulations whose vectors are of another embedder: they cannot be compared with new ones."""
    present, what = embedder_name(settings), "stored vectors"
    try:
        folders = [find(settings.fs_storage, name) for name in simulations(settings.fs_storage)]
        known = [(each.name, stored_embedder(each), embedder_name(with_embedder(settings, each))) for each in folders]
    except ReverieError as fault:
        return Finding("note", what, str(fault))
    others = [f"{name} ({stored})" for name, stored, fitting in known if stored not in {None, fitting}]
    if not others:
        return Finding("ok", what, f"all simulations can continue; new ones get vectors of {present}")
    fork = f"A fork gets vectors of {present}."
    in_place = "To continue one in place, set embedder and embedding_model, or use --re-embed."
    return Finding("note", what, f"not by {present} in {', '.join(others)}. {fork} {in_place}")


async def _answers(
    settings: Settings, who: ChatConfig | None, vectors: EmbeddingConfig | None
) -> AsyncIterator[Finding]:
    if who:
        for model in who.models.names:
            yield await _model(settings, who, model)
    yield await (_bought_vectors(settings, vectors) if vectors else _own_vectors(settings))


async def _model(settings: Settings, who: ChatConfig, model: str) -> Finding:
    from ville.llm.wire.openai_client import OpenAIChat  # noqa: PLC0415 - not where the rules answer

    async with _connected(settings, who.endpoint) as connection:
        tokens, effort = settings.answer_tokens, settings.reasoning_effort
        wire = OpenAIChat(connection, lambda _: model, answer_tokens=tokens, effort=effort)
        rates = ChatRates(_prices_at(settings, who.endpoint), lambda _: model, tokens)
        with _paid(settings, who.endpoint, wire, rates) as paid:
            chat = RetryingClient(paid, RetryPolicy(patience=0), CallMonitor())
            return await _tried(f"model {model}", lambda: _asked(chat))


async def _asked(chat: Chat) -> str:
    """Ask the question. Raises Malformed if no answer had the required form, and the errors of the client."""
    tally = Tally()
    answer = await ask(Caller(chat=chat, persona="Ada Stone", step=0, tally=tally), QUESTION)
    if tally.fallbacks:
        raise Malformed(
            "It answers, but never in the required form: personas would live on fallbacks. Use another model."
        )
    corrected = f", after {tally.corrected} corrections" if tally.corrected else ""
    return f"answers in the required form{corrected}: Ada gets up at {answer.wake_up_hour}"


async def _bought_vectors(settings: Settings, who: EmbeddingConfig) -> Finding:
    from ville.llm.wire.openai_client import OpenAIEmbeddings  # noqa: PLC0415 - not where the rules answer

    async with _connected(settings, who.endpoint) as connection:

        async def embedded() -> str:
            wire = CheckedEmbeddings(OpenAIEmbeddings(connection, who.model), VectorCheck())
            rates = EmbeddingRates(_prices_at(settings, who.endpoint), who.model)
            with _paid(settings, who.endpoint, wire, rates) as client:
                reply = await client.complete(EmbeddingRequest(("tea", "bread"), who.name, step=0))
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


@contextmanager
def _paid(
    settings: Settings, endpoint: Endpoint, wire: Client[RequestT, ReplyT], rates: Rates[RequestT, ReplyT]
) -> Iterator[Client[RequestT, ReplyT]]:
    """Yield a client whose calls draw on the wallet."""
    with closing(Wallet.of(settings)) as wallet:
        yield CommonlyBudgetedClient(wire, wallet, rates, payment_to(endpoint, CHECK, "check"))


def _prices_at(settings: Settings, endpoint: Endpoint) -> Prices:
    return prices_for(endpoint, Prices.load(settings.prices))


@asynccontextmanager
async def _connected(settings: Settings, endpoint: Endpoint) -> AsyncIterator["Connection"]:
    from ville.llm.wire.openai_client import Connection  # noqa: PLC0415 - not where the rules answer

    deadline = min(DEADLINE, settings.deadline)
    connection = Connection(endpoint, deadline)
    try:
        yield connection
    finally:
        await connection.close()


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.parse_args(arguments)
    _say("ok", "Python", f"{platform.python_version()} in {sys.prefix}")
    return asyncio.run(_check())


async def _check() -> int:
    """Return the exit code."""
    try:
        settings = load_settings()
    except ReverieError as fault:
        _say("FAIL", "settings", str(fault))
        return 1
    failed = False
    async for finding in checkup(settings):
        _say(finding.verdict, finding.what, finding.says)
        failed = failed or finding.verdict == "FAIL"
    print("Fix the lines marked FAIL above first." if failed else "Everything is ready.")
    return int(failed)


def _say(verdict: str, what: str, says: str) -> None:
    print(f"{verdict:<5} {what:<14} {says}", flush=True)
