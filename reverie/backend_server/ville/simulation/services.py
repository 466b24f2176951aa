"""Services of a run besides its models: the ledger, the current status, and closing."""

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from ville.llm.accounting.estimate import CostModel
from ville.llm.accounting.ledger import Ledger, Spend
from ville.llm.accounting.ledgers import Ledgers
from ville.llm.cache import Numbering
from ville.llm.gateway import OFFLINE_RULES, Models
from ville.simulation.pacing.breaker import Breaker
from ville.storage.past.checkpoints import SetUp


def _ignore_step(_step: int) -> None:
    """No-op: without a ledger, calls are not assigned to steps."""


def _accept_model(_model: str) -> None:
    """No-op: recorded answers come from any model."""


async def _nothing_to_close() -> None:
    """No-op: the offline rules hold no connection."""


@dataclass(frozen=True)
class RunServices:
    """Ledger, status and cost model of a run; `close` ends its connections."""

    ledgers: Ledgers | None = None
    """Records of all calls; None if the run makes none."""
    begin_step: Callable[[int], None] = _ignore_step
    """Called with the number of each step before it is computed."""
    cost_model: CostModel = CostModel()  # noqa: RUF009 - it is frozen
    """Prices and concurrency, for estimates."""
    status: Callable[[], str] = str
    """Return what calls are waiting for, in one line; empty if there is nothing to report."""
    close: Callable[[], Awaitable[None]] = _nothing_to_close
    set_up: SetUp = field(default_factory=partial(SetUp, step=0))
    """Settings that the results depend on, to be noted with every checkpoint."""
    breaker: Breaker = field(default_factory=Breaker)
    """Counts unusable answers."""
    looks: tuple[str, ...] = ()
    """Names of the sprites that a newcomer can have."""
    thinking: set[str] = field(default_factory=set)
    """Names of the personas with questions in flight."""
    numbering: Numbering = field(default_factory=Numbering)
    """Numbers the requests of the run, which find their recorded answers by it."""
    interview_models: Callable[[], Models] | None = None
    """Return the models that interviews ask, which record and number calls of their own; None: those of the run."""

    models_line: str = OFFLINE_RULES
    """Source of answers: the offline rules, or models and their provider, in one line."""
    check_model: Callable[[str], None] = _accept_model
    """Raises BadSetting if a persona cannot have this model instead of the configured one."""
    storage: Path | None = None
    """Folder of all simulations, in which the recordings of pinned personas are; None if there are none."""
    cost_limit: float | None = None
    """Dollars after which the simulation stops; None for no limit."""

    @property
    def ledger(self) -> Ledger | None:
        """Record of the calls of the run; None if it makes none."""
        return self.ledgers.run if self.ledgers else None

    @property
    def spend(self) -> Spend | None:
        """Calls, tokens and cost of the simulation so far; None without a ledger."""
        return self.ledgers.spend if self.ledgers else None

    def record_fallbacks(self, step: int, fallbacks: Mapping[str, Sequence[str]]) -> None:
        """Record which questions of each persona had no usable answer, if there is a ledger. Raises LedgerError."""
        for name, questions in fallbacks.items():
            if self.ledger and questions:
                self.ledger.record_fallbacks(step, name, questions)

    @contextmanager
    def in_flight(self, *names: str) -> Iterator[None]:
        """List personas in `thinking` for the duration of the context."""
        self.thinking.update(names)
        try:
            yield
        finally:
            self.thinking.difference_update(names)
