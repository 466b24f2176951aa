"""Ask recorded situations of a model, and judge its answers."""

import asyncio
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from situation_files import Situation
from truths import is_right

from ville.errors import ReverieError
from ville.llm.gateway import Chat, ChatMessage, ChatReply, ChatRequest, Usage
from ville.llm.wire.schemas import instruction
from ville.persona.prompt_template.answers.json_values import json_values
from ville.persona.prompt_template.ask import Caller, ask

CHARACTERS = 4
"""Characters of a token."""
CORRECTED = 0.1
"""Share of questions that are put again, for the estimate."""
HEADING = (
    f"{'':<28}{'asked':>6}{'first try':>11}{'corrected':>11}{'fallback':>10}{'right':>11}{'tokens in':>11}{'out':>6}"
    f"{'seconds':>9}"
)


@dataclass(frozen=True)
class SituationOutcome:
    """How one question was answered."""

    title: str
    corrections: int
    fell_back: bool
    right: bool | None
    """None if the truth is not known."""
    usage: Usage
    """Of all calls."""
    seconds: float


@dataclass(frozen=True)
class Asked:
    """Answers, and the error that ended the bench, if any."""

    outcomes: tuple[SituationOutcome, ...]
    error: ReverieError | None = None


class TimedChat:
    """Chat that keeps the replies to one question, and how long they took."""

    def __init__(self, chat: Chat) -> None:
        self._chat = chat
        self.replies: list[ChatReply] = []
        self.seconds = 0.0

    async def complete(self, request: ChatRequest) -> ChatReply:
        began = time.perf_counter()
        reply = await self._chat.complete(request)
        self.seconds += time.perf_counter() - began
        self.replies.append(reply)
        return reply


async def ask_all(situations: Iterable[Situation], chat: Chat, *, seed: int, max_concurrency: int) -> Asked:
    """Ask all situations, in their order. An error ends the bench; what was answered before it counts."""
    room, outcomes = asyncio.Semaphore(max_concurrency), list[SituationOutcome]()

    async def one(situation: Situation) -> None:
        async with room:
            outcomes.append(await _outcome(situation, chat, seed))

    try:
        async with asyncio.TaskGroup() as group:
            for situation in situations:
                group.create_task(one(situation))
    except ExceptionGroup as errors:
        (error,) = errors.exceptions[:1]
        if not isinstance(error, ReverieError):
            raise
        return Asked(tuple(outcomes), error)
    return Asked(tuple(outcomes))


async def _outcome(situation: Situation, chat: Chat, seed: int) -> SituationOutcome:
    timed = TimedChat(chat)
    caller = Caller(timed, situation.persona, situation.step, seed=seed, wording=situation.wording)
    answer = await ask(caller, situation.question)
    fell_back = bool(caller.tally.fallbacks)
    right = is_right(situation.question, answer, _read(timed.replies))
    return SituationOutcome(
        title=situation.question.title,
        corrections=caller.tally.corrected,
        fell_back=fell_back,
        right=right if right is None else right and not fell_back,
        usage=Usage(
            sum(reply.usage.prompt_tokens for reply in timed.replies),
            completion_tokens=sum(reply.usage.completion_tokens for reply in timed.replies),
        ),
        seconds=timed.seconds,
    )


def _read(replies: Sequence[ChatReply]) -> Any:
    """Return what the first answer contains, before it is checked; None if it cannot be read."""
    try:
        return json_values(replies[0].text) if replies else None
    except ValueError:
        return None


@dataclass(frozen=True)
class Forecast:
    """Estimate of the calls, tokens and cost of a bench."""

    calls: int
    prompt_tokens: int
    answer_tokens: int
    cost: float | None
    """US dollars; None if a price is not known."""


def forecast(situations: Sequence[Situation], cost_of: Callable[[ChatRequest, Usage], float | None]) -> Forecast:
    """Return the calls, tokens and dollars to expect; `cost_of` is the price of one call."""
    more = 1 + CORRECTED
    requests = [request_of(each) for each in situations]
    usages = [_expected(request, each.answer) for request, each in zip(requests, situations, strict=True)]
    costs = [cost_of(request, usage) for request, usage in zip(requests, usages, strict=True)]
    known = [cost for cost in costs if cost is not None]
    return Forecast(
        calls=round(more * len(situations)),
        prompt_tokens=round(more * sum(usage.prompt_tokens for usage in usages)),
        answer_tokens=round(more * sum(usage.completion_tokens for usage in usages)),
        cost=more * sum(known) if len(known) == len(costs) else None,
    )


def request_of(situation: Situation) -> ChatRequest:
    """Return the request that asks a situation."""
    asked = situation.question
    return ChatRequest(
        question=asked.title,
        fields={},
        messages=(ChatMessage("user", asked.render(situation.wording)),),
        schema=asked.schema_in(situation.wording),
        persona=situation.persona,
        step=situation.step,
        tier=asked.tier,
    )


def _expected(request: ChatRequest, answer: str) -> Usage:
    asked = len(request.messages[0].content) + len(instruction(request.schema_text))
    return Usage(asked // CHARACTERS, completion_tokens=len(answer) // CHARACTERS)


def table(outcomes: Sequence[SituationOutcome]) -> Iterator[str]:
    """Yield a line for each question, and one for all."""
    yield HEADING
    for title in sorted({outcome.title for outcome in outcomes}):
        yield _row(title, [outcome for outcome in outcomes if outcome.title == title])
    yield _row("all", outcomes)


def _row(title: str, outcomes: Sequence[SituationOutcome]) -> str:
    count = len(outcomes) or 1
    fell_back = sum(outcome.fell_back for outcome in outcomes)
    first = sum(not (outcome.corrections or outcome.fell_back) for outcome in outcomes)
    judged = [outcome.right for outcome in outcomes if outcome.right is not None]
    return (
        f"{title:<28}{len(outcomes):>6}{first / count:>11.0%}{(count - first - fell_back) / count:>11.0%}"
        f"{fell_back / count:>10.0%}{f'{sum(judged)} of {len(judged)}' if judged else '':>11}"
        f"{sum(outcome.usage.prompt_tokens for outcome in outcomes) / count:>11.0f}"
        f"{sum(outcome.usage.completion_tokens for outcome in outcomes) / count:>6.0f}"
        f"{sum(outcome.seconds for outcome in outcomes) / count:>9.2f}"
    )
