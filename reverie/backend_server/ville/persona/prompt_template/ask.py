"""How every question is asked: render, call, validate; show the model its mistake; in the end fall back, and say so."""

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
"""Malformed answers to one question before its fallback is taken."""


@dataclass(frozen=True, order=True)
class AnswerVerdict:
    """What became of one question to a model."""

    title: str
    wrong: str
    """What was wrong with the last answer; empty if it was usable."""
    model: str


@dataclass
class Tally:
    """How often the answers of one step had to be repaired or replaced."""

    asked: int = 0
    corrected: int = 0
    cut: int = 0
    """How often older memories were left out of a question because it was too long for the model."""
    fallbacks: list[str] = field(default_factory=list)
    """Titles of the questions whose fallback was taken."""
    judged: list[AnswerVerdict] = field(default_factory=list)
    """In the order in which the answers came."""


def _always(_model: str) -> int:
    return ATTEMPTS


@dataclass(frozen=True)
class Caller:
    """An open line to the model for one persona at one step."""

    chat: Chat
    persona: str
    step: int
    seed: int = 0
    tally: Tally = field(default_factory=Tally)
    attempts: Callable[[str], int] = _always
    """How many malformed answers a model may give to one question."""


async def ask(caller: Caller, question: Question[AnswerT]) -> AnswerT:
    """The model's answer, valid for this question, or the question's fallback. Raises what the telephone raises."""
    caller.tally.asked += 1
    try:
        return await _answered(caller, question)
    except (Malformed, TooLong):
        caller.tally.fallbacks.append(question.title)
        return question.fallback()


async def _answered(caller: Caller, question: Question[AnswerT]) -> AnswerT:
    """A valid answer. Raises Malformed, and whatever the telephone raises."""
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
    """The answer in a model's text. Raises ValueError, worded for the model."""
    try:
        answer = cast("AnswerT", question.answer.model_validate(first_object(text)))
    except ValidationError as fault:
        raise ValueError("; ".join(_complaint(dict(error)) for error in fault.errors())) from fault
    question.check(answer)
    return answer


def first_object(text: str) -> Any:
    """The JSON object in a text that may also hold fences, prose, thinking and trailing commas. Raises ValueError."""
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
    """What stands between the first brace and the last."""
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
    )


def _corrected(request: ChatRequest, reply: ChatReply, fault: ValueError) -> ChatRequest:
    """The same request, with the bad answer, if there was one, and what was wrong with it; of both the beginning."""
    wrong = shortened(str(fault), EXCERPT)
    correction = f"That answer cannot be used: {wrong}. Answer again, with one JSON object that fits the description."
    said = (ChatMessage("assistant", shortened(reply.text, EXCERPT)),) if reply.text.strip() else ()
    return replace(request, messages=(*request.messages, *said, ChatMessage("user", correction)))


def _complaint(error: dict[str, Any]) -> str:
    where = ".".join(str(part) for part in error["loc"])
    return f"{where}: {error['msg']}" if where else str(error["msg"])
