"""The format of ledgers, which must not change: recorded runs are found by it."""

import json
from hashlib import blake2b

import pytest
from sample_requests import batch

from ville.llm.accounting.ledger import key_of
from ville.llm.gateway import ChatMessage, ChatRequest

MESSAGES = (ChatMessage("user", "Née?"), ChatMessage("assistant", "eh"), ChatMessage("user", "Again."))
QUESTION = ChatRequest("plan/x", {"a": 1}, MESSAGES, {"type": "object"}, "Ada Stone", 7, seed=3, occurrence=2)
CHAT_VALUES = [
    "Ada Stone", 7, "plan/x", 3, 2, [["user", "Née?"], ["assistant", "eh"], ["user", "Again."]], {"type": "object"},
]  # fmt: skip
EMBEDDING_VALUES = ["embedding", 5, "tea", "Né"]


@pytest.mark.parametrize(
    ("request_", "values"), [(QUESTION, CHAT_VALUES), (batch("tea", "Né", step=5), EMBEDDING_VALUES)]
)
def test_keys_of_requests_stay_the_same(request_, values):
    """A key is a digest of these values; not of tier, fields, or the name of an embedder."""
    assert key_of(request_) == blake2b(json.dumps(values).encode(), digest_size=16).digest()
