"""Usage of a call whose tokens are not reported."""

import pytest

from ville.llm.accounting.prices import Price, Prices
from ville.llm.accounting.rates import ChatRates
from ville.llm.gateway import ChatReply, Usage
from ville.llm.wire.responses import ChatCompletion

MOST = 100


@pytest.fixture
def booked(request_of):
    """Return the completion tokens that are booked for an answer without usage."""
    rates = ChatRates(Prices({"m": Price(1.0, 1.0, 1.0)}), lambda _: "m", MOST)

    def used(**reply):
        answer = ChatReply(model="m", usage=Usage(), **reply)
        return rates.used(answer, rates.most(request_of())).completion_tokens

    return used


def test_an_incomplete_answer_is_booked_at_its_limit(booked):
    """Cut off, with reasoning, or with characters removed: its length does not tell how much was written."""
    assert booked(text="tea") == 3
    assert booked(text="tea", fault="the answer broke off") == booked(text="tea", hidden=True) == MOST


@pytest.mark.parametrize(
    ("message", "hidden"),
    [
        ({"content": "tea"}, False),
        ({"content": "tea\u200b"}, True),
        ({"content": "tea", "reasoning_content": "hm"}, True),
        ({"content": "", "reasoning": "hm"}, True),
        ({"content": "tea", "reasoning_content": None}, False),
    ],
)
def test_reasoning_and_removed_characters_are_noticed(message, hidden):
    """Under each name that servers use for reasoning."""
    answer = ChatCompletion.model_validate({"choices": [{"message": message}]})
    assert answer.choices[0].message.hidden == hidden
