"""Answer from the ledger what was answered before, and ask the rest.

A resumed run pays for nothing twice; `replay` answers from a ledger alone.
"""

import asyncio
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from copy import deepcopy
from dataclasses import dataclass, field, replace

from ville.errors import ModelError, UnusableVectors
from ville.llm.accounting.ledger import Ledger
from ville.llm.gateway import Chat, ChatReply, ChatRequest, EmbeddingClient, EmbeddingRequest, Vector, Vectors
from ville.llm.shared import SharedAnswers, SharedVectors
from ville.llm.stacked_vectors import VectorCheck, stacked

BATCH = 256
"""Largest number of texts in one call."""
SAMPLE, SAMPLES = "The Ville", 5
"""Text that is embedded to learn the size of vectors, and how often at most."""


@dataclass
class _AskedInStep:
    """Requests of a persona in a step."""

    needed: int
    """The last step that waits for one of them: until then, there may be more."""
    keys: Counter[bytes] = field(default_factory=Counter)


class Numbering:
    """Numbers identical requests of a persona within a step, in order of arrival."""

    def __init__(self) -> None:
        self._seen: dict[str, dict[int, _AskedInStep]] = {}
        """By persona and step; those of a step stay as long as there may be more of them."""

    def numbered(self, request: ChatRequest) -> ChatRequest:
        steps = self._seen.setdefault(request.persona, {})
        if request.step not in steps:
            for step in [step for step, asked in steps.items() if asked.needed < request.step]:
                del steps[step]
            steps[request.step] = _AskedInStep(request.needed)
        asked, key = steps[request.step], request.key
        asked.needed = max(asked.needed, request.needed)
        asked.keys[key] += 1
        occurrence = asked.keys[key] - 1
        return request if request.occurrence == occurrence else replace(request, occurrence=occurrence)

    @contextmanager
    def attempt(self) -> Iterator[None]:
        """If this context ends with an error, forget the requests in it: the next attempt has the same numbers."""
        with ExitStack() as on_error:
            on_error.callback(setattr, self, "_seen", deepcopy(self._seen))
            yield
            on_error.pop_all()


class CachedChat:
    """Layer that asks only what the ledger cannot answer."""

    def __init__(
        self, chat: Chat, ledger: Ledger, numbering: Numbering, *, shared: SharedAnswers | None = None
    ) -> None:  # fmt: skip
        """`shared` has the answers of the simulation that this one is a branch of."""
        self._chat, self.ledger = chat, ledger
        self._numbering, self._shared = numbering, shared

    async def complete(self, request: ChatRequest) -> ChatReply:
        request = self._numbering.numbered(request)
        if reply := self.ledger.answer_to(request):
            return reply
        try:
            if self._shared and (reply := self._shared.answer_to(request)):
                self.ledger.adopt(request, reply)
                return reply
            return await self._chat.complete(request)
        except ModelError as error:
            self.ledger.record_failure(request.key, error)
            raise


class CachedEmbedder:
    """Embedder that asks only for vectors that the ledger does not have, or that do not fit."""

    def __init__(
        self,
        name: str,
        client: EmbeddingClient,
        ledger: Ledger,
        *,
        check: VectorCheck,
        shared: SharedVectors | None = None,
    ) -> None:
        self.name = name
        self._client, self._ledger, self._check, self._shared = client, ledger, check, shared
        self._learning = asyncio.Lock()

    async def embed(self, texts: Sequence[str], step: int | None = None, /) -> Vectors:
        at = self._ledger.step if step is None else step
        stored = self._ledger.vectors_of(self.name, texts)
        stored |= self._adopted([text for text in dict.fromkeys(texts) if text not in stored], at)
        known = {text: vector for text, vector in stored.items() if self._check.fits(vector)}
        if missing := [text for text in dict.fromkeys(texts) if text not in known]:
            known |= zip(missing, await self._ask_all(missing, at), strict=True)
        return stacked([known[text] for text in texts])

    def _adopted(self, texts: Sequence[str], step: int) -> dict[str, Vector]:
        """Return the shared vectors of texts, and keep them. Raises a recorded ModelError."""
        if self._shared is None:
            return {}
        try:
            found = self._shared.of(self.name, texts, step)
        except ModelError as error:
            for text in texts:
                self._ledger.record_failure(self._request([text], step).key, error)
            raise
        self._ledger.adopt_vectors(self.name, found)
        return found

    async def _ask_all(self, texts: Sequence[str], step: int) -> list[Vector]:
        vectors: list[Vector] = []
        for start in range(0, len(texts), BATCH):
            vectors.extend(await self._ask_batch(texts[start : start + BATCH], step))
        return vectors

    async def _ask_batch(self, texts: Sequence[str], step: int) -> Vectors:
        keys = [self._request([text], step).key for text in texts]
        try:
            await self._learn_size(step)
            vectors = await self._ask(texts, step)
        except ModelError as error:
            for key in keys:
                self._ledger.record_failure(key, error)
            raise
        self._ledger.forget_failures(keys)
        return vectors

    async def _ask(self, texts: Sequence[str], step: int) -> Vectors:
        return (await self._client.complete(self._request(texts, step))).vectors

    def _request(self, texts: Sequence[str], step: int) -> EmbeddingRequest:
        return EmbeddingRequest(tuple(texts), self.name, step)

    async def _learn_size(self, step: int) -> None:
        """Accept a size once two vectors in a row have it, so that one bad reply does not decide for all later ones."""
        async with self._learning:
            before = 0
            for _ in range(SAMPLES):
                if self._check.size:
                    return
                size = (await self._ask([SAMPLE], step)).shape[1]
                self._check.size, before = (size if size == before else 0), size
            if not self._check.size:
                raise UnusableVectors(f"{self.name} sends vectors of another size each time. Set another embedder.")
