"""What the backend's tests share: a model that answers from a queue, and a clock that stands still."""

import json
from collections import deque
from datetime import datetime
from typing import Any

import pytest

from ville.llm.gateway import ChatReply, ChatRequest
from ville.persona.prompt_template.ask import Caller


class ScriptedChat:
    """Answers what was queued, in order, and remembers what it was asked."""

    def __init__(self) -> None:
        self.queue: deque[Any] = deque()
        self.history: list[ChatRequest] = []

    def enqueue(self, *answers: Any) -> None:
        """Texts and replies as they are, everything else as JSON, exceptions to be raised."""
        self.queue.extend(answers)

    async def complete(self, request: ChatRequest) -> ChatReply:
        self.history.append(request)
        answer = self.queue.popleft()
        if isinstance(answer, Exception):
            raise answer
        if isinstance(answer, ChatReply):
            return answer
        return ChatReply(text=answer if isinstance(answer, str) else json.dumps(answer), model="scripted")


@pytest.fixture
def chat() -> ScriptedChat:
    return ScriptedChat()


@pytest.fixture
def caller(chat) -> Caller:
    return Caller(chat=chat, persona="Ada Stone", step=7)


@pytest.fixture
def now() -> datetime:
    return datetime(2023, 2, 13, 8, 5)  # noqa: DTZ001 - game time has no zone
