"""The telephone of a simulation, put together: who hears a question first, what stands between it and the wire."""

from dataclasses import dataclass

from ville.assembly.providers import ChatConfig, EmbeddingConfig, Endpoint, prices_for
from ville.errors import BadSetting
from ville.llm.accounting.bounds import ChatRates, EmbeddingRates
from ville.llm.accounting.estimate import CostModel
from ville.llm.accounting.ledger import Ledger
from ville.llm.accounting.prices import Price, Prices
from ville.llm.batched import Batched
from ville.llm.budgeted import Budget, Budgeted, BudgetedSource, Limits
from ville.llm.gateway import Chat, Embedder
from ville.llm.language import spoken
from ville.llm.ledgered import Ledgered, LedgeredEmbedder, Recorded, RecordedSource
from ville.llm.limited import ConcurrencyLimiter, Limited, LimitedSource
from ville.llm.monitor import CallMonitor
from ville.llm.retrying import Policy, Retrying, RetryingSource
from ville.llm.vectors import CheckedSource, VectorCheck
from ville.llm.wire.openai_wire import Access, Connection, OpenAIEmbeddings, OpenAIWire
from ville.settings import Settings


@dataclass(frozen=True)
class OpenEndpoint:
    """The lines to one endpoint."""

    endpoint: Endpoint
    connection: Connection
    limiter: ConcurrencyLimiter
    prices: Prices


class ClientFactory:
    """What all calls of a simulation share: a ledger, a budget, and the lines to whoever answers."""

    def __init__(self, settings: Settings, ledger: Ledger) -> None:
        """Raises BadSetting if the prices cannot be read, or money is limited and that of earlier calls is unknown."""
        self._settings = settings
        self._prices = Prices.load(settings.prices)
        self._ledger = ledger
        ledger.price(self._prices.cost)
        if settings.max_cost is not None and (unknown := ledger.unpriced()):
            raise BadSetting(
                f"Earlier calls of this simulation went to {' and '.join(unknown)}, at an unknown price, so max_cost "
                f"cannot be kept: add it to {settings.prices}, or set no max_cost."
            )
        self._budget = Budget(Limits(settings.max_calls, settings.max_tokens, settings.max_cost), ledger)
        self._policy = Policy(patience=settings.retry_for)
        self._open: list[OpenEndpoint] = []
        self.monitor = CallMonitor()

    def chat(self, who: ChatConfig) -> Chat:
        """Asked in the town's language; from the ledger, or after patience, on a free line, within the budget."""
        opened, settings = self._opened(who.endpoint), self._settings
        length, effort = settings.answer_tokens, settings.reasoning_effort
        wire = OpenAIWire(opened.connection, who.models, answer_tokens=length, effort=effort)
        rates = ChatRates(opened.prices, who.models, length)
        sent = Budgeted(Limited(Recorded(wire, self._ledger, rates), opened.limiter), self._budget, rates)
        chat = Ledgered(Retrying(sent, self._policy, self.monitor), self._ledger)
        return spoken(chat, settings.language)

    def embedder(self, who: EmbeddingConfig, size: int = 0) -> Embedder:
        """The same for vectors; what is asked for at the same moment goes together.

        `size` is that of the vectors that are remembered already; 0 if there are none.
        """
        opened = self._opened(who.endpoint)
        check = VectorCheck(size or self._ledger.vector_size(who.name))
        wire = CheckedSource(OpenAIEmbeddings(opened.connection, who.model), check)
        rates = EmbeddingRates(opened.prices, who.model)
        recorded = RecordedSource(wire, self._ledger, rates)
        sent = BudgetedSource(LimitedSource(recorded, opened.limiter), self._budget, rates)
        return Batched(LedgeredEmbedder(RetryingSource(sent, self._policy, self.monitor), self._ledger, check))

    def cost_model(self, who: ChatConfig | None, vectors: EmbeddingConfig | None) -> CostModel:
        """On which it all is answered, as far as it can be known beforehand."""
        return CostModel(
            max_concurrency=self._settings.max_concurrency,
            fast=self._price(who.endpoint, who.models.fast) if who else None,
            advanced=self._price(who.endpoint, who.models.advanced) if who else None,
            vectors=self._price(vectors.endpoint, vectors.model) if vectors else None,
            buys_vectors=vectors is not None,
        )

    async def close(self) -> None:
        for opened in self._open:
            await opened.connection.close()
        self._ledger.close()

    def _price(self, endpoint: Endpoint, model: str) -> Price | None:
        return prices_for(endpoint, self._prices).of(model)

    def _opened(self, endpoint: Endpoint) -> OpenEndpoint:
        """One for each endpoint, however often it is called."""
        for opened in self._open:
            if opened.endpoint == endpoint:
                return opened
        deadline, run = self._settings.deadline, self._ledger.path.parents[1].name
        access = Access(endpoint.provider, endpoint.base_url, endpoint.key, deadline, endpoint.api_version, run)
        limiter, prices = ConcurrencyLimiter(self._settings.max_concurrency), prices_for(endpoint, self._prices)
        self._open.append(OpenEndpoint(endpoint, Connection(access), limiter, prices))
        return self._open[-1]
