"""Shared fixtures of the backend's tests: a model that answers from a queue, and a clock that stands still."""

import json
from collections import deque
from dataclasses import replace
from datetime import datetime
from typing import Any

import numpy as np
import pytest

from ville.assembly import model_choice, models
from ville.assembly import run as assembly
from ville.llm.gateway import ChatReply, ChatRequest
from ville.persona.prompt_template.ask import Caller
from ville.simulation.running.run_loop import StopRequest, run


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


class Letters:
    """Embedder that counts letters."""

    name = "letters-26"

    async def embed(self, texts):
        letters = [[text.lower().count(letter) for letter in "abcdefghijklmnopqrstuvwxyz"] for text in texts]
        return np.array(letters, dtype=np.float32)


@pytest.fixture
def opened(small_town, townsfolk, monkeypatch):
    """Open a simulation: `opened("new")`, `opened("new", "old", autosave=10)`."""
    monkeypatch.setattr(model_choice, "local_embedder", lambda _settings: Letters())
    monkeypatch.setattr(model_choice, "embedder_name", lambda _settings: Letters.name)
    monkeypatch.setattr(models, "offline_chat", lambda *_: townsfolk)

    def open_it(name, origin="base", notice=None, interventions=None, **settings):
        chosen = replace(small_town.settings, **settings)
        simulation = assembly.open_simulation(chosen, origin, name, notice, interventions=interventions)
        simulation.announce()
        return simulation

    return open_it


@pytest.fixture
def run_for():
    """Run a number of steps and return the reports."""

    async def run_it(simulation, steps, autosave=0, stop=None):
        reports = []
        await run(simulation, steps, autosave=autosave, watch=reports.append, stop=stop or StopRequest())
        return reports

    return run_it
