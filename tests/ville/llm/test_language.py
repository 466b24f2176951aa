"""The town's language is asked for once, before everything else, and changes nothing that has to be recognised."""

from dataclasses import replace

import pytest
from asking import QUESTION, REQUEST

from ville.llm.gateway import ChatReply
from ville.llm.language import Speaking, language_named
from ville.persona.prompt_template.ask import Caller, ask


class Listening:
    """Keeps what it is asked."""

    def __init__(self, answer='{"wake_up_hour": 7}') -> None:
        self.requests = []
        self.answer = answer

    async def complete(self, request) -> ChatReply:
        self.requests.append(request)
        return ChatReply(self.answer, "m")


@pytest.mark.parametrize(
    ("name", "english"), [("ru", "Russian"), ("RU", "Russian"), ("Russian", "Russian"), ("Esperanto", "Esperanto")]
)
def test_a_language_has_a_code_or_any_name(name, english):
    """What is no known code is passed on as it is written."""
    assert language_named(name) == english


async def test_the_wish_comes_first_and_the_question_stays_as_it_is():
    """The same sentence opens every question, so that a provider's cache of prefixes hits; schema and fields stay."""
    listening = Listening()
    speaking = Speaking(listening, "ru")
    await speaking.complete(REQUEST)
    await speaking.complete(replace(REQUEST, question="plan/day_plan"))
    first, second = listening.requests
    assert first.messages[0] == second.messages[0]
    assert first.messages[0].role == "system"
    assert "Russian" in first.messages[0].content
    assert first.messages[1:] == REQUEST.messages
    assert replace(first, messages=REQUEST.messages) == REQUEST


async def test_a_correction_says_it_only_once():
    """However often the model is corrected."""
    listening = Listening("?")
    await ask(Caller(chat=Speaking(listening, "ru"), persona="Ada", step=0), QUESTION)
    roles = [message.role for message in listening.requests[-1].messages]
    assert roles.count("system") == 1


async def test_what_the_engine_recognises_stays_english():
    """Who is asleep is told by a word, places by their names: the model is told to keep both."""
    listening = Listening()
    await Speaking(listening, "ru").complete(REQUEST)
    wish = listening.requests[0].messages[0].content
    for kept in ("sleeping", "list", "names", "keys", "quotation"):
        assert kept in wish
