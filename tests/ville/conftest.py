"""Shared fixtures of the backend's tests: a model that answers from a queue, and a clock that stands still."""

import asyncio
import json
import shutil
from collections import deque
from dataclasses import replace
from datetime import datetime
from typing import Any

import numpy as np
import pytest

from ville.assembly import model_choice, models
from ville.assembly import run as assembly
from ville.llm.gateway import ChatReply, ChatRequest
from ville.persona.cognitive_modules import react
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

    async def embed(self, texts, _step=None):
        letters = [[text.lower().count(letter) for letter in "abcdefghijklmnopqrstuvwxyz"] for text in texts]
        return np.array(letters, dtype=np.float32)


def answered_by(patch, townsfolk):
    """Let them answer all questions, and letters be counted as vectors."""
    patch.setattr(model_choice, "local_embedder", lambda _settings: Letters())
    patch.setattr(model_choice, "embedder_name", lambda _settings: Letters.name)
    patch.setattr(models, "offline_chat", lambda *_: townsfolk)


@pytest.fixture
def opened(small_town, townsfolk, monkeypatch):
    """Open a simulation: `opened("new")`, `opened("new", "old", autosave=10)`."""
    answered_by(monkeypatch, townsfolk)

    def open_it(name, origin="base", notice=None, interventions=None, **settings):
        chosen = replace(small_town.settings, **settings)
        simulation = assembly.open_simulation(chosen, origin, name, notice, interventions=interventions)
        simulation.announce()
        return simulation

    return open_it


def let_all_talk(patch):
    """Let people who meet always want to talk."""
    patch.setattr(react, "talks", lambda *_: True)


@pytest.fixture
def talkative(monkeypatch):
    """Let every encounter become a talk that may become one; otherwise it is drawn."""
    let_all_talk(monkeypatch)


@pytest.fixture(scope="session")
def town_after(tmp_path_factory, write_small_town, new_townsfolk):
    """Return the small town after so many steps of a simulation `new`: run once, to be read and copied only."""
    towns = {}

    async def live(settings, steps):
        simulation = assembly.open_simulation(settings, "base", "new")
        await run(simulation, steps, autosave=0, watch=lambda _: None, stop=StopRequest())
        simulation.save()
        await simulation.close()

    def after(steps, *, talkative=False, **settings):
        key = steps, talkative, *settings.items()
        if key not in towns:
            town = towns[key] = write_small_town(tmp_path_factory.mktemp(f"after_{steps}"))
            with pytest.MonkeyPatch.context() as patch:
                answered_by(patch, new_townsfolk())
                if talkative:
                    let_all_talk(patch)
                asyncio.run(live(replace(town.settings, **settings), steps))
        return towns[key]

    return after


@pytest.fixture
def opened_after(opened, town_after, small_town):
    """Open the simulation `new` as it is after so many steps."""

    def open_it(steps, *, talkative=False):
        shutil.copytree(town_after(steps, talkative=talkative).root / "storage/new", small_town.root / "storage/new")
        return opened("new", "new")

    return open_it


@pytest.fixture
def run_for():
    """Run a number of steps and return the reports."""

    async def run_it(simulation, steps, autosave=0, stop=None):
        reports = []
        await run(simulation, steps, autosave=autosave, watch=reports.append, stop=stop or StopRequest())
        return reports

    return run_it
