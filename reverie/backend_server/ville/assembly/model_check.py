"""Check the models that the settings name: a short question to each, two vectors, prices, and stored vectors."""

import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from dataclasses import dataclass, replace
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
from ville.errors import Malformed, RateLimited, ReverieError
from ville.llm.accounting.common_budget import CommonlyBudgetedClient
from ville.llm.accounting.prices import Prices
from ville.llm.accounting.rates import ChatRates, EmbeddingRates, Rates
from ville.llm.accounting.wallet import Wallet, payment_to
from ville.llm.gateway import Chat, ChatReply, ChatRequest, Client, EmbeddingRequest, ReplyT, RequestT
from ville.llm.monitor import CallMonitor
from ville.llm.retry import RetryingClient, RetryPolicy
from ville.llm.stacked_vectors import CheckedEmbeddings, VectorCheck
from ville.llm.wire.endpoint import Endpoint
from ville.persona.prompt_template.ask import Caller, Tally, ask
from ville.persona.prompt_template.plan_questions import WakeUpHour
from ville.settings import Settings
from ville.simulation.re_embed import stored_embedder
from ville.storage.folder.storage import find, simulations

if TYPE_CHECKING:
    from ville.llm.wire.openai_client import Connection


Verdict = Literal["ok", "note", "FAIL"]
DEADLINE = 30.0
"""Timeout of a call during these checks, in seconds. A server on this machine may have to load its model first."""
MINDS = "minds"
"""Name of the first check: what answers."""
CHECK = "validate_setup.py"
"""Stands in the wallet for these checks."""
QUESTION = WakeUpHour(
    identity="Name: Ada Stone\nAge: 30\nLifestyle: Ada goes to bed around 10pm and gets up around 6am.",
    first_name="Ada",
)
"""A short question with a short answer."""


@dataclass(frozen=True)
class CheckedAnswer:
    """The answer of a model to the question."""

    model: str
    hour: int
    """When Ada gets up."""
    corrections: int
    tokens: int
    """Of the question and its answers."""
    seconds: float

    @property
    def says(self) -> str:
        corrected = f", after {self.corrections} corrections" if self.corrections else ""
        spent = f"{self.tokens:,} tokens, {self.seconds:.1f} s"
        return f"answers in the required form{corrected}: Ada gets up at {self.hour} ({spent})"


@dataclass(frozen=True)
class Finding:
    """The result of one check."""

    verdict: Verdict
    what: str
    says: str
    answer: CheckedAnswer | None = None
    """The answer of a model, where one was asked and has answered."""


class CountedChat:
    """Layer that counts the tokens of its replies."""

    def __init__(self, chat: Chat) -> None:
        self._chat, self.tokens = chat, 0

    async def complete(self, request: ChatRequest) -> ChatReply:
        reply = await self._chat.complete(request)
        self.tokens += reply.usage.tokens
        return reply


async def check_models(settings: Settings) -> AsyncIterator[Finding]:
    """Ask the models, and look at the vectors that are stored."""
    failed = False
    async for finding in ask_models(settings):
        failed = failed or (finding.what, finding.verdict) == (MINDS, "FAIL")
        yield finding
    if not failed:
        yield _stored(settings)


async def ask_models(settings: Settings) -> AsyncIterator[Finding]:
    """Ask each model a short question, and the embedder for two vectors."""
    try:
        who, vectors = chat_config(settings), embedding_config(settings)
        yield Finding("ok", MINDS, announcement(settings))
    except ReverieError as fault:
        yield Finding("FAIL", MINDS, str(fault))
        return
    yield _prices(settings)
    for line in idle_settings(settings):
        yield Finding("note", "settings", line)
    said: set[str] = set()
    async for finding in _answers(settings, who, vectors):
        again = finding.verdict == "FAIL" and finding.says in said
        yield replace(finding, says="for the same reason") if again else finding
        said.add(finding.says)


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
    fork = f"When they are continued or forked, they get those of {present}, too."
    return Finding("note", what, f"not by {present} in {', '.join(others)}. {fork}")


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
            chat = CountedChat(RetryingClient(paid, RetryPolicy(patience=0), CallMonitor()))
            try:
                answer = await _asked(chat, model)
            except ReverieError as fault:
                return _failed(f"model {model}", fault)
            return Finding("ok", f"model {model}", answer.says, answer)


async def _asked(chat: CountedChat, model: str) -> CheckedAnswer:
    """Ask the question. Raises Malformed if no answer had the required form, and the errors of the client."""
    tally, began = Tally(), time.monotonic()
    answer = await ask(Caller(chat=chat, persona="Ada Stone", step=0, tally=tally), QUESTION)
    if tally.fallbacks:
        raise Malformed(
            "It answers, but never in the required form: personas would live on fallbacks. Use another model."
        )
    return CheckedAnswer(model, answer.wake_up_hour, tally.corrected, chat.tokens, time.monotonic() - began)


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
    except ReverieError as fault:
        return _failed(what, fault)


def _failed(what: str, fault: ReverieError) -> Finding:
    """Return what an error means: what may be better next time is a note."""
    return Finding("note" if isinstance(fault, RateLimited | Malformed) else "FAIL", what, str(fault))


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

    deadline = settings.deadline if endpoint.provider.grammar else min(DEADLINE, settings.deadline)
    connection = Connection(endpoint, deadline)
    try:
        yield connection
    finally:
        await connection.close()
