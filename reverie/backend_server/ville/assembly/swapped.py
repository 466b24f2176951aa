"""Personas whose questions the offline rules answer, while a model answers those of the others."""

from ville.llm.gateway import Chat, ChatReply, ChatRequest
from ville.llm.wire.providers import OFFLINE
from ville.offline.rule_book import RuleBook


class SwappedChat:
    """Layer that answers by the rules the requests that ask for them; the others go on."""

    def __init__(self, chat: Chat, seed: int) -> None:
        self._chat, self._rules = chat, RuleBook(seed)

    async def complete(self, request: ChatRequest) -> ChatReply:
        return await (self._rules if request.model == OFFLINE else self._chat).complete(request)
