"""Ask many questions of the people of a saved run, or of the model itself. Nothing in the run changes."""

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from ville.analysis.asked_facts import AskedFacts, checked_answer, questions_for
from ville.analysis.comparison.compared_run import ComparedRun, find_run
from ville.assembly.cost_model import cost_model
from ville.assembly.model_choice import chat_config
from ville.assembly.reading import read_for_interviews
from ville.json_types import JsonObject
from ville.llm.gateway import ChatMessage, ChatRequest, Usage
from ville.persona.cognitive_modules.mind import gather_all
from ville.settings import Settings

ASKED = Usage(prompt_tokens=2_500, completion_tokens=200)
"""Tokens of a question and its answer, at most: thirty memories and a few sentences."""


def answers_of(settings: Settings, run: ComparedRun, name: str, asked: Sequence[tuple[str, str]]) -> list[str]:
    """Return the answers to questions, each of a person, in a run or at a moment of it, which `name` names.

    Raises a ReverieError.
    """

    async def ask() -> list[str]:
        interviews, close = await read_for_interviews(settings, name, compressed=run.compressed)
        try:
            replies = await gather_all(interviews.ask(who, text) for who, text in asked)
        finally:
            await close()
        return [reply.text for reply in replies]

    with ThreadPoolExecutor(1) as thread:  # notebooks have a running event loop in this one
        return thread.submit(asyncio.run, ask()).result()


def everyone_asked(settings: Settings, name: str) -> AskedFacts:
    """Return what everyone answers who is asked both facts, and of everyone else, in a run or at a moment of it.

    Raises a ReverieError.
    """
    run = find_run(settings.fs_storage, settings.replays, name)
    asked = questions_for(run.meta.persona_names)
    replies = answers_of(settings, run, name, [(each.who, each.text) for each in asked])
    checked = (checked_answer(run, each, reply) for each, reply in zip(asked, replies, strict=True))
    return AskedFacts(run.name, run.meta.persona_names, tuple(checked))


def answers_of_model(settings: Settings, run: ComparedRun, requests: Sequence[tuple[str, JsonObject]]) -> list[str]:
    """Return the answers of the configured model to texts, each with the schema of its answer.

    They go through the gateway and are recorded with the interviews of the run. Raises a ReverieError.
    """

    async def ask() -> list[str]:
        interviews, close = await read_for_interviews(settings, run.name, compressed=run.compressed)
        try:
            chat = interviews.models().chat
            replies = await gather_all(chat.complete(_request(run, text, schema)) for text, schema in requests)
        finally:
            await close()
        return [reply.text for reply in replies]

    with ThreadPoolExecutor(1) as thread:  # notebooks have a running event loop in this one
        return thread.submit(asyncio.run, ask()).result()


def _request(run: ComparedRun, text: str, schema: JsonObject) -> ChatRequest:
    return ChatRequest(
        question="talk/awareness",
        fields={},
        messages=(ChatMessage("user", text),),
        schema=schema,
        persona="",
        step=run.steps,
        tier="advanced",
        temperature=0.7,
        answer_tokens=400,
    )


def asking_cost(settings: Settings, count: int, of: Usage = ASKED) -> str:
    """Return how many questions there are and what they may cost at most, in a sentence. Raises SetupError."""
    price = cost_model(settings).advanced
    if chat_config(settings) is None:
        return f"{count:,} questions, answered by the rules: free."
    if price is None:
        return f"{count:,} questions to a model whose price is unknown."
    return f"{count:,} questions to a model, about {count * price.of(of):.2f} dollars at most."
