"""Asking a model: render, call, validate, ask for a correction, and finally fall back."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, cast

from pydantic import ValidationError

from ville.errors import Malformed, TooLong
from ville.llm.gateway import Chat, ChatMessage, ChatReply, ChatRequest
from ville.persona.prompt_template.caps import EXCERPT
from ville.persona.prompt_template.question import AnswerT, Question, schema_of
from ville.plain_text import shortened

ATTEMPTS = 3
"""Malformed answers to one question before its fallback is used."""


@dataclass(frozen=True, order=True)
class AnswerVerdict:
    """Whether a model answered one question usably."""

    title: str
    wrong: str
    """Fault of the last answer; empty if it was usable."""
    model: str


@dataclass
class Tally:
    """Counts of questions, corrections and fallbacks of one persona in one step."""

    asked: int = 0
    corrected: int = 0
    cut: int = 0
    """Times that older memories were left out because a question was too long for the model."""
    fallbacks: list[str] = field(default_factory=list)
    """Titles of the questions whose fallback was used."""
    judged: list[AnswerVerdict] = field(default_factory=list)
    """In the order of the answers."""


def _always(_model: str) -> int:
    return ATTEMPTS


@dataclass(frozen=True)
class Caller:
    """Access to the model for one persona in one step."""

    chat: Chat
    persona: str
    step: int
    seed: int = 0
    tally: Tally = field(default_factory=Tally)
    attempts: Callable[[str], int] = _always
    """Malformed answers allowed per question, by model."""


async def ask(caller: Caller, question: Question[AnswerT]) -> AnswerT:
    """Return a valid answer of the model, or the fallback of the question. Raise a ModelError if the call fails."""
    caller.tally.asked += 1
    try:
        return await _answered(caller, question)
    except (Malformed, TooLong):
        caller.tally.fallbacks.append(question.title)
        return question.fallback()


async def _answered(caller: Caller, question: Question[AnswerT]) -> AnswerT:
    """Return a valid answer. Raise Malformed after too many malformed ones, or a ModelError."""
    request, attempts = _request(caller, question), 0
    while True:
        try:
            reply = await caller.chat.complete(request)
        except TooLong:
            if (shorter := question.shorter()) is None:
                raise
            caller.tally.cut += 1
            return await _answered(caller, shorter)
        try:
            answer = _read(question, reply)
        except ValueError as fault:
            attempts += 1
            caller.tally.corrected += 1
            if attempts >= caller.attempts(reply.model):
                caller.tally.judged.append(AnswerVerdict(question.title, str(fault), reply.model))
                raise Malformed(f"No valid answer to {question.title} in {attempts} attempts.") from fault
            request = _corrected(request, reply, fault)
        else:
            caller.tally.judged.append(AnswerVerdict(question.title, "", reply.model))
            return answer


def _read(question: Question[AnswerT], reply: ChatReply) -> AnswerT:
    if reply.fault:
        raise ValueError(reply.fault)
    return read_answer(question, reply.text)


def read_answer(question: Question[AnswerT], text: str) -> AnswerT:
    """Return the answer in the text of a model. Raise ValueError with a message for the model."""
    try:
        answer = cast("AnswerT", question.answer.model_validate(first_object(text)))
    except ValidationError as fault:
        raise ValueError("; ".join(_complaint(dict(error)) for error in fault.errors())) from fault
    question.check(answer)
    return answer


def first_object(text: str) -> Any:
    """Return the JSON object in a text, which may have fences, prose, thinking or trailing commas around it.

    Raise ValueError with a message for the model.
    """
    bare = re.split(r"</think(?:ing)?>", text)[-1]
    start, end = bare.find("{"), bare.rfind("}")
    if start < 0 or end < start:
        raise ValueError("there is no JSON object in the answer")
    mistake = ""
    for body in (bare[start : end + 1], *map(_braced, bare.split("```")[1::2])):
        for candidate in (body, re.sub(r",\s*([}\]])", r"\1", body)):
            try:
                return json.loads(candidate, strict=False)
            except json.JSONDecodeError as fault:
                mistake = mistake or f"the JSON is broken: {fault.msg} at character {fault.pos}"
            except RecursionError:
                mistake = mistake or "the JSON is nested too deeply"
    raise ValueError(mistake)


def _braced(text: str) -> str:
    """Return the text from the first brace to the last."""
    return text[text.find("{") : text.rfind("}") + 1]


def _request(caller: Caller, question: Question[AnswerT]) -> ChatRequest:
    return ChatRequest(
        question=question.title,
        fields=question.blanks(),
        messages=(ChatMessage("user", question.render()),),
        schema=schema_of(question.answer),
        persona=caller.persona,
        step=caller.step,
        seed=caller.seed,
        tier=question.tier,
        temperature=question.temperature,
    )


def _corrected(request: ChatRequest, reply: ChatReply, fault: ValueError) -> ChatRequest:
    """Return the request extended by the bad answer, if any, and its fault, both shortened."""
    wrong = shortened(str(fault), EXCERPT)
    correction = f"That answer cannot be used: {wrong}. Answer again, with one JSON object that fits the description."
    said = (ChatMessage("assistant", shortened(reply.text, EXCERPT)),) if reply.text.strip() else ()
    return replace(request, messages=(*request.messages, *said, ChatMessage("user", correction)))


def _complaint(error: dict[str, Any]) -> str:
    where = ".".join(str(part) for part in error["loc"])
    return f"{where}: {error['msg']}" if where else str(error["msg"])
