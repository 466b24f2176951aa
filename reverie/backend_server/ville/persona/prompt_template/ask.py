"""Asking a model: render, call, validate, ask for a correction, and finally fall back."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import cast

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from ville.errors import Malformed, TimedOut, TooLong
from ville.llm.gateway import OFFLINE_RULES, Chat, ChatMessage, ChatReply, ChatRequest
from ville.llm.wire.responses import CUT_OFF
from ville.persona.prompt_template.answers.answer import LAST_ATTEMPT
from ville.persona.prompt_template.answers.answer_form import joined
from ville.persona.prompt_template.answers.content import Judge, judged
from ville.persona.prompt_template.answers.json_values import json_values
from ville.persona.prompt_template.answers.no_words import AGAIN, BRIEFLY
from ville.persona.prompt_template.caps import EXCERPT
from ville.persona.prompt_template.question import PAPER, AnswerT, Question, Wording, essential
from ville.plain_text import shortened
from ville.world.certainty import certain

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
    braked: list[str] = field(default_factory=list)
    """Deeds the persona left undone because it had done much of the kind: `talk`, `reflection`."""
    nods: list[str] = field(default_factory=list)
    """Whom the persona passed with a nod, because one of the two had nothing to say."""
    judged: list[AnswerVerdict] = field(default_factory=list)
    """In the order of the answers."""

    def add(self, other: "Tally") -> None:
        """Count what was counted elsewhere, too."""
        self.asked += other.asked
        self.corrected += other.corrected
        self.cut += other.cut
        self.fallbacks += other.fallbacks
        self.braked += other.braked
        self.nods += other.nods
        self.judged += other.judged


def always(_model: str) -> int:
    """Return the usual number of attempts, whatever a model has answered before."""
    return ATTEMPTS


@dataclass(frozen=True)
class Caller:
    """Access to the model for one persona in one step."""

    chat: Chat
    persona: str
    step: int
    seed: int = 0
    tally: Tally = field(default_factory=Tally)
    attempts: Callable[[str], int] = always
    """Malformed answers allowed per question, by model."""
    model: str = ""
    """Model of this persona alone; empty: that of the others."""
    language: str = ""
    """Language of the town, as `ru` or `Russian`; empty: that of its texts."""
    wording: Wording = "situated"
    """Words in which questions are asked."""
    due: int | None = None
    """Step at which the answers are needed; None: at once."""


async def ask(caller: Caller, question: Question[AnswerT]) -> AnswerT:
    """Return a valid answer of the model, or the fallback of the question. Raise a ModelError if the call fails."""
    return await ask_model(caller, question) or question.fallback()


def answered_by_rules(caller: Caller) -> bool:
    """Return whether the offline rules gave the last answer, and no model."""
    return caller.tally.judged[-1:] != [] and caller.tally.judged[-1].model == OFFLINE_RULES


async def ask_model(caller: Caller, question: Question[AnswerT]) -> AnswerT | None:
    """Return a valid answer of the model; None if the fallback has to be used. Raise a ModelError if the call fails."""
    caller.tally.asked += 1
    try:
        return await _answered(caller, question)
    except (Malformed, TooLong):
        caller.tally.fallbacks.append(question.title)
        return None


class _RanOnError(Exception):
    """An answer was cut off, and is not usable."""


async def _answered(caller: Caller, question: Question[AnswerT]) -> AnswerT:
    """Return a valid answer. Raise Malformed after too many malformed ones, or a ModelError.

    A question whose answer took too long, or ran on until it was cut off, would do so again: it is put briefly.
    """
    try:
        return await _in_form(caller, question, brief=False)
    except (TimedOut, _RanOnError):
        return await _in_form(caller, question.shorter() or question, brief=True)


async def _in_form(caller: Caller, question: Question[AnswerT], *, brief: bool) -> AnswerT:
    """Return a valid answer, after corrections if need be.

    Raise Malformed, a ModelError or, unless it is `brief`, _RanOnError.
    """
    request, replies = _request(caller, question, brief=brief), list[ChatReply]()
    while True:
        try:
            replies.append(await caller.chat.complete(request))
        except TooLong:
            if (shorter := question.shorter()) is None:
                raise
            caller.tally.cut += 1
            return await _in_form(caller, shorter, brief=brief)
        reply = replies[-1]
        try:
            answer = await _understood(question, replies, caller)
        except _BadReplyError as bad:
            caller.tally.corrected += 1
            if bad.last:
                caller.tally.judged.append(AnswerVerdict(question.title, str(bad), reply.model))
                raise Malformed(f"No valid answer to {question.title} in {len(replies)} attempts.") from bad
            request = _corrected(request, reply, bad, brief=brief)
        else:
            caller.tally.judged.append(AnswerVerdict(question.title, "", reply.model))
            return answer


class _BadReplyError(ValueError):
    """A reply has no answer."""

    def __init__(self, fault: str, *, last: bool) -> None:
        super().__init__(fault)
        self.last = last
        """Whether the model is not asked again."""


async def _understood(question: Question[AnswerT], replies: Sequence[ChatReply], caller: Caller) -> AnswerT:
    """Return the answer in the newest reply. Only one that needs it is read as the last: how often a model is asked
    depends on what it answered in all steps before, which may not be over. Raise _BadReplyError.
    """
    try:
        return _read(question, replies, last=False, caller=caller)
    except ValueError as fault:
        if len(replies) < await certain(lambda: caller.attempts(replies[-1].model)):
            raise _BadReplyError(str(fault), last=False) from fault
    try:
        return _read(question, replies, last=True, caller=caller)
    except ValueError as fault:
        raise _BadReplyError(str(fault), last=True) from fault


def _read(question: Question[AnswerT], replies: Sequence[ChatReply], *, last: bool, caller: Caller) -> AnswerT:
    """Return the answer in the newest reply, also if it broke off; on the last attempt, if need be, of an older one."""
    wrong = ""
    for reply in reversed(replies if last else replies[-1:]):
        try:
            return read_answer(question, reply.text, last=last, judge=_judge(question, reply, caller))
        except ValueError as fault:
            wrong = wrong or reply.fault or str(fault)
    raise ValueError(wrong)


def _judge(question: Question[AnswerT], reply: ChatReply, caller: Caller) -> Judge | None:
    """Return what judges the texts of a model. The rules write as they should, in English; and with the questions of
    the paper, what was kept before is kept.
    """
    judged_not = reply.model == OFFLINE_RULES or caller.wording == PAPER
    return None if judged_not else question.ground(caller.language).judge


def read_answer(
    question: Question[AnswerT], text: str, *, last: bool = False, judge: Judge | None = None
) -> AnswerT:  # fmt: skip
    """Return the answer in the text of a model. Raise ValueError with a message for the model.

    On the last attempt, an answer that nearly fits is bent, and of several different ones the last is taken. Its texts
    are judged if there is a `judge`.
    """
    answers, faults = [], []
    for value in joined(list(map(question.with_own_keys, json_values(text))), question.answer.model_fields):
        try:
            answers.append(_validated(question, value, last=last, judge=judge))
        except ValueError as fault:
            faults.append(fault)
    if not answers:
        raise faults[0]
    if not last and any(answer != answers[0] for answer in answers):
        raise ValueError("there are several different JSON objects in the answer")
    return answers[-1]


def _validated(question: Question[AnswerT], value: object, *, last: bool, judge: Judge | None) -> AnswerT:
    try:
        answer = cast("AnswerT", question.answer.model_validate(value, context=LAST_ATTEMPT if last else None))
    except ValidationError as fault:
        raise ValueError("; ".join(_complaint(error) for error in fault.errors())) from fault
    if judge:
        answer = judged(answer, judge, last=last, chosen=question.enumerated())
    answer = question.fitted(answer, last=last)
    question.check(answer)
    return answer


def _request(caller: Caller, question: Question[AnswerT], *, brief: bool) -> ChatRequest:
    """Return the request for an answer; `brief`: without its optional parts."""
    said, schema = question.render(caller.wording), question.schema_in(caller.wording)
    return ChatRequest(
        question=question.title,
        fields=question.blanks(),
        messages=(ChatMessage("user", f"{said}\n\n{BRIEFLY}" if brief else said),),
        schema=essential(schema) if brief else schema,
        persona=caller.persona,
        step=caller.step,
        seed=caller.seed,
        tier=question.tier,
        temperature=question.temperature,
        answer_tokens=question.answer_tokens,
        model=caller.model,
        due=caller.due,
    )


def _corrected(request: ChatRequest, reply: ChatReply, fault: ValueError, *, brief: bool) -> ChatRequest:
    """Return the request extended by the bad answer, if any, and its fault, both shortened. Raise _RanOnError."""
    if reply.fault == CUT_OFF and not brief:
        raise _RanOnError from fault
    wrong = shortened(str(fault), EXCERPT)
    correction = f"That answer cannot be used: {wrong}. {AGAIN}"
    said = (ChatMessage("assistant", shortened(reply.text, EXCERPT)),) if reply.text.strip() else ()
    return replace(request, messages=(*request.messages, *said, ChatMessage("user", correction)))


def _complaint(error: ErrorDetails) -> str:
    where = ".".join(str(part) for part in error["loc"])
    return f"{where}: {error['msg']}" if where else str(error["msg"])
