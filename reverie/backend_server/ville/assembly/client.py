"""Build clients of providers from settings: the layers between minds and the network."""

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from typing import Self

from ville.assembly.model_choice import ChatConfig, EmbeddingConfig, limit_in_dollars, prices_for
from ville.errors import BadSetting
from ville.llm.accounting.budget import Account, Budget, BudgetedClient, Limits
from ville.llm.accounting.common_budget import CommonBudget, CommonlyBudgetedClient, Payment, Purpose
from ville.llm.accounting.ledger import INTERVIEWS, Ledger
from ville.llm.accounting.prices import Price, Prices
from ville.llm.accounting.rates import ChatRates, EmbeddingRates, Rates
from ville.llm.accounting.wallet import Wallet, payment_to
from ville.llm.batching import BatchedEmbedder
from ville.llm.cache import CachedChat, CachedEmbedder, Numbering
from ville.llm.concurrency import LOCAL_CALLS, ConcurrencyLimiter, LimitedClient
from ville.llm.gateway import Chat, Client, Embedder, ReplyT, RequestT
from ville.llm.language import in_language
from ville.llm.monitor import CallMonitor
from ville.llm.recording import RecordingClient
from ville.llm.retry import RetryingClient, RetryPolicy
from ville.llm.shared import SharedAnswers, SharedVectors
from ville.llm.stacked_vectors import CheckedEmbeddings, VectorCheck
from ville.llm.wire.endpoint import Endpoint
from ville.llm.wire.openai_client import Connection, OpenAIChat, OpenAIEmbeddings
from ville.settings import Settings
from ville.storage.new_folder import name_of


@dataclass(frozen=True)
class SharedConnection:
    """Connection and concurrency limit shared by all clients of one endpoint."""

    connection: Connection
    limiter: ConcurrencyLimiter


class ClientFactory:
    """Makes the clients of one simulation, which share a ledger, a budget, and one connection per endpoint."""

    def __init__(
        self,
        settings: Settings,
        ledger: Ledger,
        account: Account | None = None,
        *,
        shared: Sequence[Ledger] = (),
        common: CommonBudget | None = None,
        purpose: Purpose = "run",
    ) -> None:
        """`account` knows what counts against the budget, if that is more than the calls in this ledger. `shared` are
        the ledgers of simulations whose answers to identical requests are taken. `common` is a budget that other
        simulations share, the wallet included; if it is not given, it is the wallet. `purpose` is that of calls in the
        ledger of a run.

        Raises BadSetting for an invalid price list, or for `max_cost` with earlier calls of unknown price.
        """
        self._settings = settings
        self._prices = Prices.load(settings.prices)
        self._ledger, self._from = ledger, shared
        ledger.price_calls(self._prices.cost)
        if settings.max_cost is not None and (unknown := ledger.unpriced_models()):
            raise BadSetting(
                f"Earlier calls of this simulation used {' and '.join(unknown)}, whose price is unknown, so max_cost "
                f"cannot be enforced. Add the price to {settings.prices}, or unset max_cost."
            )
        self._budget = Budget(Limits(settings.max_calls, settings.max_tokens, settings.max_cost), account or ledger)
        self._wallet = None if common else Wallet.of(settings)
        self._common = common or self._wallet
        self._purpose = purpose
        self._policy = RetryPolicy(patience=settings.retry_for)
        self._shared: list[SharedConnection] = []
        self.monitor = CallMonitor()
        self.numbering = Numbering()

    def recording_to(self, ledger: Ledger, shared: Sequence[Ledger] = ()) -> Self:
        """Return a factory with the same connections and budget, whose clients record to another ledger, take answers
        from the `shared` ones, and number their requests apart.
        """
        ledger.price_calls(self._prices.cost)
        other = copy(self)
        other.numbering = Numbering()
        other._ledger, other._from = ledger, shared  # noqa: SLF001 - of the same class
        return other

    def chat(self, config: ChatConfig) -> Chat:
        """Return a chat client: language, ledger cache, and the common layers."""
        shared, settings = self._shared_connection(config.endpoint), self._settings
        wire = OpenAIChat(
            shared.connection,
            config.models,
            answer_tokens=settings.answer_tokens,
            effort=settings.reasoning_effort,
            temperature=settings.temperature,
        )
        rates = ChatRates(prices_for(config.endpoint, self._prices), config.models, settings.answer_tokens)
        earlier = SharedAnswers(self._from, config.models)
        cached = CachedChat(self._layered(wire, rates, shared), self._ledger, self.numbering, shared=earlier)
        return in_language(cached, settings.language)

    def embedder(self, config: EmbeddingConfig, size: int = 0) -> Embedder:
        """Return an embedder: batching, ledger cache, the common layers, and the check of vectors.

        `size` is the size of the vectors that personas remember with; 0 if there are none.
        """
        shared = self._shared_connection(config.endpoint)
        check = VectorCheck(size or self._ledger.vector_size(config.name))
        wire = CheckedEmbeddings(OpenAIEmbeddings(shared.connection, config.model), check)
        rates = EmbeddingRates(prices_for(config.endpoint, self._prices), config.model)
        layered = self._layered(wire, rates, shared)
        earlier = SharedVectors(self._from)
        return BatchedEmbedder(CachedEmbedder(config.name, layered, self._ledger, check=check, shared=earlier))

    def _layered(
        self, wire: Client[RequestT, ReplyT], rates: Rates[RequestT, ReplyT], shared: SharedConnection
    ) -> Client[RequestT, ReplyT]:
        """Add the layers common to chat and embeddings; the last one is the first to see a request."""
        client: Client[RequestT, ReplyT] = RecordingClient(wire, self._ledger, rates)
        if self._common:
            client = CommonlyBudgetedClient(client, self._common, rates, self._payment(shared.connection.endpoint))
        client = LimitedClient(client, shared.limiter)
        client = BudgetedClient(client, self._budget, rates)
        return RetryingClient(client, self._policy, self.monitor)

    def check_model(self, endpoint: Endpoint, model: str) -> None:
        """Raise BadSetting if the price of a model is unknown, and there is a limit in dollars."""
        limit = limit_in_dollars(self._settings)
        if limit and self._price(endpoint, model) is None:
            raise BadSetting(
                f"The price of {model} is unknown, so {limit} cannot be enforced. Add it to {self._settings.prices}."
            )

    async def close(self) -> None:
        for shared in self._shared:
            await shared.connection.close()
        for ledger in (self._ledger, *self._from):
            ledger.close()
        if self._wallet:
            self._wallet.close()

    def _payment(self, endpoint: Endpoint) -> Payment:
        path = self._ledger.path
        return payment_to(
            endpoint, name_of(path.parents[1]), "interviews" if path.name == INTERVIEWS else self._purpose
        )

    def _price(self, endpoint: Endpoint, model: str) -> Price | None:
        return prices_for(endpoint, self._prices).of(model)

    def _shared_connection(self, endpoint: Endpoint) -> SharedConnection:
        """Return the connection to an endpoint, opened at first use."""
        for shared in self._shared:
            if shared.connection.endpoint == endpoint:
                return shared
        run = name_of(self._ledger.path.parents[1])
        connection = Connection(endpoint, self._settings.deadline, run)
        self._shared.append(SharedConnection(connection, self._limiter(endpoint)))
        return self._shared[-1]

    def _limiter(self, endpoint: Endpoint) -> ConcurrencyLimiter:
        most, served = self._settings.max_concurrency, endpoint.served
        if served:
            return ConcurrencyLimiter(min(most or served.slots, served.slots))
        if endpoint.provider.grammar:  # a server on a machine of one's own
            return ConcurrencyLimiter(most, first=LOCAL_CALLS, slow=self._settings.deadline / 4)
        return ConcurrencyLimiter(most)
