"""A provider that counts calls, tokens and dollars itself, to be compared with the ledger."""

import json
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from chat_server import Received, Reply, completion, embeddings

INPUT, OUTPUT, VECTORS = 1.0, 10.0, 0.5
"""Dollars per million tokens."""
PRICES = f"""\
"m" = {{ input = {INPUT}, output = {OUTPUT} }}
"v" = {{ input = {VECTORS} }}
"""
"""The same prices as a price list."""
SHORTEST = 3
"""Bytes of a request counted as one token, fewer than a tokenizer would combine."""


@dataclass
class CountingProvider:
    """Answers chat and embedding requests, counts every answer that it begins, and may not report the counts."""

    tells: bool = True
    lost: Callable[[int], bool] = lambda _number: False
    """Which answers are cut off, by number; they are counted like the others."""
    texts: Sequence[str] = ("{}",)
    """Answers in turn; an empty text stands for the longest that the request allows."""
    calls: int = 0
    tokens: int = 0
    cost: float = 0.0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def chat(self, request: Received) -> Reply:
        limit = request.body.get("max_tokens") or request.body["max_completion_tokens"]
        text = self.texts[self.calls % len(self.texts)] or "word" * limit
        return self._counted(request, completion(text, request), min(limit, -(-len(text) // SHORTEST)))

    def embed(self, request: Received) -> Reply:
        return self._counted(request, embeddings(request), 0)

    def _counted(self, request: Received, body: dict[str, Any], answer: int) -> Reply:
        prompt = len(json.dumps(request.body.get("messages") or request.body["input"]).encode()) // SHORTEST
        prices = (INPUT, OUTPUT) if "messages" in request.body else (VECTORS, 0.0)
        with self._lock:
            self.calls += 1
            self.tokens += prompt + answer
            self.cost += (prompt * prices[0] + answer * prices[1]) / 1_000_000
            number = self.calls
        usage = {"prompt_tokens": prompt, "completion_tokens": answer, "total_tokens": prompt + answer}
        return Reply(body | {"usage": usage if self.tells else None}, cut=self.lost(number))
