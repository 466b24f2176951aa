"""The telephone of a simulation, put together: who hears a question first, what stands between it and the wire."""

from dataclasses import dataclass

from ville.errors import BadSetting
from ville.llm.accounting.bounds import ChatRates, EmbeddingRates
from ville.llm.accounting.estimate import Terms
from ville.llm.accounting.ledger import Ledger
from ville.llm.accounting.prices import Price, Prices
from ville.llm.batched import Batched
from ville.llm.budgeted import Budget, Budgeted, BudgetedSource, Limits
from ville.llm.gateway import Chat, Embedder
from ville.llm.language import spoken
from ville.llm.ledgered import Ledgered, LedgeredEmbedder, Recorded, RecordedSource
from ville.llm.limited import Limited, LimitedSource, Lines
from ville.llm.retrying import Policy, Retrying, RetryingSource
from ville.llm.vectors import CheckedSource, VectorCheck
from ville.llm.waiting import Waiting
from ville.llm.wire.openai_wire import Access, Connection, OpenAIEmbeddings, OpenAIWire
from ville.settings import Settings
from ville.switchboard import Answering, Embedding, Party, prices_for


@dataclass(frozen=True)
class Trunk:
    """The lines to one party."""

    party: Party
    connection: Connection
    lines: Lines
    prices: Prices


class Exchange:
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
        self._trunks: list[Trunk] = []
        self.waiting = Waiting()

    def chat(self, who: Answering) -> Chat:
        """Asked in the town's language; from the ledger, or after patience, on a free line, within the budget."""
        trunk, settings = self._trunk(who.party), self._settings
        length, effort = settings.answer_tokens, settings.reasoning_effort
        wire = OpenAIWire(trunk.connection, who.models, answer_tokens=length, effort=effort)
        rates = ChatRates(trunk.prices, who.models, length)
        sent = Budgeted(Limited(Recorded(wire, self._ledger, rates), trunk.lines), self._budget, rates)
        chat = Ledgered(Retrying(sent, self._policy, self.waiting), self._ledger)
        return spoken(chat, settings.language)

    def embedder(self, who: Embedding, size: int = 0) -> Embedder:
        """The same for vectors; what is asked for at the same moment goes together.

        `size` is that of the vectors that are remembered already; 0 if there are none.
        """
        trunk = self._trunk(who.party)
        check = VectorCheck(size or self._ledger.vector_size(who.name))
        wire = CheckedSource(OpenAIEmbeddings(trunk.connection, who.model), check)
        rates = EmbeddingRates(trunk.prices, who.model)
        recorded = RecordedSource(wire, self._ledger, rates)
        sent = BudgetedSource(LimitedSource(recorded, trunk.lines), self._budget, rates)
        return Batched(LedgeredEmbedder(RetryingSource(sent, self._policy, self.waiting), self._ledger, check))

    def terms(self, who: Answering | None, vectors: Embedding | None) -> Terms:
        """On which it all is answered, as far as it can be known beforehand."""
        return Terms(
            lines=self._settings.max_concurrency,
            fast=self._price(who.party, who.models.fast) if who else None,
            advanced=self._price(who.party, who.models.advanced) if who else None,
            vectors=self._price(vectors.party, vectors.model) if vectors else None,
            buys_vectors=vectors is not None,
        )

    async def hang_up(self) -> None:
        for trunk in self._trunks:
            await trunk.connection.close()
        self._ledger.close()

    def _price(self, party: Party, model: str) -> Price | None:
        return prices_for(party, self._prices).of(model)

    def _trunk(self, party: Party) -> Trunk:
        """One for each party, however often it is called."""
        for trunk in self._trunks:
            if trunk.party == party:
                return trunk
        deadline, run = self._settings.deadline, self._ledger.path.parents[1].name
        access = Access(party.provider, party.base_url, party.key, deadline, party.api_version, run)
        trunk = Trunk(party, Connection(access), Lines(self._settings.max_concurrency), prices_for(party, self._prices))
        self._trunks.append(trunk)
        return trunk
