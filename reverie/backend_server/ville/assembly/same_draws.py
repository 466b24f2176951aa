"""The chance of a recorded run in another one: where both ask a persona the same in a step, the rules draw the same.

The rules draw anew for every wording of a question, so that any change would change an answer by chance. A test of a
cause holds the chance still: what differs then comes of what was taken away.
"""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from ville.llm.gateway import Chat, ChatReply, ChatRequest
from ville.offline.rule_book import RuleBook

Place = tuple[int, str, str, int]
"""Step, persona, question, and its number among those of the same name."""


class Asked(NamedTuple):
    """A question of the recorded run, with its answer."""

    request: ChatRequest
    reply: ChatReply


NOTHING_SAID = "Hm."
"""Stands for a line that is taken away: the talk goes on as if nothing had been said."""


class AskedInOrder:
    """Numbers the questions of a persona in a step."""

    def __init__(self) -> None:
        self._asked: Counter[tuple[int, str, str]] = Counter()

    def place(self, request: ChatRequest) -> Place:
        about = (request.step, request.persona, request.question)
        self._asked[about] += 1
        return (*about, self._asked[about])


class NotingChat:
    """Layer that notes the questions of a recorded run."""

    def __init__(self, chat: Chat, noted: dict[Place, Asked]) -> None:
        self._chat, self._noted, self._order = chat, noted, AskedInOrder()

    async def complete(self, request: ChatRequest) -> ChatReply:
        place = self._order.place(request)
        reply = await self._chat.complete(request)
        self._noted[place] = Asked(request, reply)
        return reply


class SameDraws:
    """Answers by the rules, with the chance of the noted questions where there are any."""

    def __init__(self, seed: int, noted: Mapping[Place, Asked]) -> None:
        self._rules, self._noted, self._order = RuleBook(seed), noted, AskedInOrder()

    async def complete(self, request: ChatRequest) -> ChatReply:
        noted = self._noted.get(self._order.place(request))
        return self._rules.answer(request, like=noted.request if noted else request)


class WithoutLines:
    """Layer that takes lines of speakers out of conversations."""

    def __init__(self, chat: Chat, lines: tuple[tuple[str, str], ...]) -> None:
        self._chat, self._lines = chat, lines

    async def complete(self, request: ChatRequest) -> ChatReply:
        reply = await self._chat.complete(request)
        text = reply.text
        for who, words in self._lines:
            if who == request.persona and request.question.startswith("converse/"):
                text = _without(text, words)
        return replace(reply, text=text)


def _without(answer: str, words: str) -> str:
    """Return an answer without a line: in JSON as in plain text."""
    for quoted in (json.dumps(words)[1:-1], json.dumps(words, ensure_ascii=False)[1:-1]):
        answer = answer.replace(quoted, NOTHING_SAID)
    return answer
