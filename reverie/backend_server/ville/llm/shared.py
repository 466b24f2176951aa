"""Answers that the simulation of which this one is a branch got to identical requests.

With them, two futures differ only where something in a prompt does.
"""

from collections.abc import Callable, Sequence

from ville.llm.accounting.ledger import Ledger
from ville.llm.gateway import ChatReply, ChatRequest, EmbeddingRequest, Vector

ModelOf = Callable[[ChatRequest], str]
"""Returns the name of the model that a request goes to."""


class SharedAnswers:
    """Looks answers up in the ledgers of earlier simulations, the nearest one first."""

    def __init__(self, ledgers: Sequence[Ledger], model_of: ModelOf) -> None:
        self._ledgers, self._model_of = ledgers, model_of

    def answer_to(self, request: ChatRequest) -> ChatReply | None:
        """Return the answer of the same model to an identical request, if any. Raises a recorded ModelError."""
        key, model = request.key, self._model_of(request)
        for ledger in self._ledgers:
            asked = ledger.models_asked(key)
            reply = ledger.answer_to(request)
            if reply and reply.model == model:
                return reply
            if not asked - {model} and (error := ledger.failure_of(key)):
                raise error
        return None


class SharedVectors:
    """Looks vectors up in the ledgers of earlier simulations."""

    def __init__(self, ledgers: Sequence[Ledger]) -> None:
        self._ledgers = ledgers

    def of(self, embedder: str, texts: Sequence[str], step: int) -> dict[str, Vector]:
        """Return text to vector, for texts whose vector is known. Raises a ModelError recorded in this step."""
        found: dict[str, Vector] = {}
        for ledger in self._ledgers:
            missing = [text for text in texts if text not in found]
            for text in missing:
                if error := ledger.failure_of(EmbeddingRequest((text,), embedder, step).key):
                    raise error
            found |= ledger.vectors_of(embedder, missing)
        return found
