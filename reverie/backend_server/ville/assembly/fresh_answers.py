"""Fresh answers of a model in another way of a run: from a step on, a model answers instead of the ledger."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace

from ville.assembly.model_choice import ChatConfig, chat_config
from ville.assembly.models import configured_models, with_embedder
from ville.errors import BadArgument
from ville.llm.accounting.budget import Limits
from ville.llm.accounting.common_budget import CommonBudget, SeveralBudgets
from ville.llm.accounting.study_budget import StudyBudget
from ville.llm.accounting.wallet import Wallet
from ville.llm.concurrency import most_calls
from ville.llm.gateway import Chat, ChatReply, ChatRequest
from ville.settings import Settings
from ville.simulation.simulation import Simulation
from ville.storage.temporary import temporary_folder


class Afresh:
    """Layer that asks with another seed, so that a model which repeats its answers draws another one."""

    def __init__(self, chat: Chat, number: int) -> None:
        self._chat, self._number = chat, number
        self.asked = 0
        """Questions so far."""

    async def complete(self, request: ChatRequest) -> ChatReply:
        self.asked += 1
        return await self._chat.complete(replace(request, seed=request.seed + self._number + 1))


def model_of(settings: Settings) -> ChatConfig:
    """Return the model that answers afresh. Raises BadArgument if the settings have none: the rules would answer."""
    chat = chat_config(settings)
    if chat is None:
        raise BadArgument("The run was lived with a model, and the settings have none. Choose one for the test.")
    return chat


@contextmanager
def budget_of_all(settings: Settings) -> Iterator[CommonBudget]:
    """Yield what keeps the calls of all ways together within the limits of one run, and within the wallet. Raises
    BadArgument if the settings have no model.
    """
    model_of(settings)
    limits = Limits(calls=settings.max_calls, tokens=settings.max_tokens, cost=settings.max_cost)
    with (
        temporary_folder() as folder,
        closing(Wallet.of(settings)) as wallet,
        closing(StudyBudget(folder, limits, most_calls(settings.max_concurrency))) as budget,
    ):
        yield SeveralBudgets(budget, wallet)


async def answer_afresh(settings: Settings, simulation: Simulation, number: int, *, budget: CommonBudget) -> Afresh:
    """Let the model of the settings answer from the next step on; its calls are recorded beside the copy, which is
    temporary, and count towards the budget. Return what asks it. Raises a ReverieError.
    """
    await simulation.services.close()
    settings = replace(with_embedder(settings, simulation.folder), seed=simulation.models.seed)
    models, services = configured_models(settings, simulation.folder, simulation.town, budget=budget)
    afresh = Afresh(models.chat, number)
    simulation.models = replace(models, chat=afresh)
    kept = {name: getattr(simulation.services, name) for name in ("breaker", "looks", "storage", "set_up")}
    simulation.services = replace(services, **kept)
    return afresh
