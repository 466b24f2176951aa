"""The language is requested once, before everything else, and keeps names and keys."""

from dataclasses import replace

import pytest
from sample_requests import QUESTION, REQUEST

from ville.llm.gateway import ChatReply
from ville.llm.language import LanguageChat, language_name
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
def test_a_language_is_given_by_code_or_name(name, english):
    """An unknown code is passed on unchanged."""
    assert language_name(name) == english


async def test_the_instruction_comes_first_and_the_question_is_unchanged():
    """All questions begin with the same message, so that a provider can cache it; schema and fields stay."""
    listening = Listening()
    speaking = LanguageChat(listening, "ru")
    await speaking.complete(REQUEST)
    await speaking.complete(replace(REQUEST, question="plan/day_plan"))
    first, second = listening.requests
    assert first.messages[0] == second.messages[0]
    assert first.messages[0].role == "system"
    assert "Russian" in first.messages[0].content
    assert first.messages[1:] == REQUEST.messages
    assert replace(first, messages=REQUEST.messages) == REQUEST


async def test_a_correction_contains_the_instruction_once():
    listening = Listening("?")
    await ask(Caller(chat=LanguageChat(listening, "ru"), persona="Ada", step=0), QUESTION)
    roles = [message.role for message in listening.requests[-1].messages]
    assert roles.count("system") == 1


async def test_words_that_the_engine_recognises_stay_english():
    """The model is told to keep the word for sleep and the names of places."""
    listening = Listening()
    await LanguageChat(listening, "ru").complete(REQUEST)
    wish = listening.requests[0].messages[0].content
    for kept in ("sleeping", "list", "names", "keys", "quotation"):
        assert kept in wish
