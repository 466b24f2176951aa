"""Prompts in other words, and other names for people."""

import asyncio
import json

import pytest

from ville.llm.gateway import ChatMessage, ChatReply, ChatRequest
from ville.persona.prompt_template.question import TEMPLATES
from ville.persona.prompt_template.reworded import OtherNames, phrases, reworded_chat

PEOPLE = ("Sam Moore", "Jennifer Moore", "Klaus Mueller", "Isabella Rodriguez")
TEXT = "Klaus Mueller met Isabella at the Moore family's house. Sam, not Samuel, greeted Mrs. Moore in Johnson Park."


class Echo:
    """Answers with what it was asked."""

    def __init__(self):
        self.asked = None

    async def complete(self, request):
        self.asked = request
        return ChatReply(text=json.dumps({"said": request.messages[0].content}), model="echo")


def asked(chosen, text=TEXT, **fields):
    echo = Echo()
    request = ChatRequest(
        question="converse/next_utterance",
        fields=fields,
        messages=(ChatMessage("user", text),),
        schema={"properties": {"who": {"enum": ["Klaus Mueller", "Sam Moore"]}}},
        persona="Klaus Mueller",
        step=1,
    )
    reply = asyncio.run(reworded_chat(echo, chosen, PEOPLE).complete(request))
    return echo.asked, reply


def test_a_model_reads_other_names_and_its_answer_has_those_of_the_town():
    """In words, in choices and in what the rules read; a family keeps one name."""
    request, reply = asked("names", name="Klaus Mueller", told=("Sam likes Isabella Rodriguez",))
    read = f"{request.messages[0].content} {request.schema} {request.fields}"
    assert not [name for name in ("Klaus", "Isabella", "Jennifer", "Moore ", "Mueller") if name in read]
    assert {"Samuel", "Johnson Park"} <= {part for part in ("Samuel", "Johnson Park") if part in read}
    assert json.loads(reply.text)["said"] == TEXT
    assert request.persona == "Klaus Mueller"


def test_names_go_there_and_back():
    """Whatever the order of people, no two share a name that they did not share."""
    renaming = OtherNames.of(PEOPLE)
    told = [renaming.told(name) for name in PEOPLE]
    assert [renaming.heard(name) for name in told] == list(PEOPLE)
    assert len(set(told)) == len(PEOPLE)
    assert told[0].split()[1] == told[1].split()[1]
    assert not {part for name in told for part in name.split()} & {part for name in PEOPLE for part in name.split()}


@pytest.mark.parametrize("name", ["plain", "vivid"])
def test_each_phrase_is_one_of_the_templates(name):
    """Otherwise a rewording would leave prompts as they are."""
    texts = [path.read_text("utf-8") for path in TEMPLATES.rglob("*.txt")]
    for phrase, other in phrases(name).items():
        assert any(phrase in text for text in texts), phrase
        assert other != phrase
        request, _ = asked(name, f"{phrase} Yes.")
        assert request.messages[0].content == f"{other} Yes."


def test_without_a_choice_nothing_is_between():
    echo = Echo()
    assert reworded_chat(echo, "", PEOPLE) is echo
