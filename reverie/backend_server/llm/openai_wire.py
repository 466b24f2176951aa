"""The wire: the one file that imports the OpenAI SDK, and the only one through which a question leaves this machine.

It asks once. What the SDK leaves open is settled here: a deadline by the clock (its own timeout counts anew with every
byte), successes that are none, and which of its exceptions means what. The SDK is imported with this file, and this
file only when a provider is chosen.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

import numpy as np
import openai
from openai import AsyncOpenAI
from openai.types import CreateEmbeddingResponse
from openai.types.chat import ChatCompletion
from openai.types.chat.chat_completion import Choice

from errors import ModelError, Refused, TimedOut, Unreachable
from llm.faults import SERVER_ERROR, Complaint, complaint, fault_of, without_key
from llm.gateway import ChatReply, ChatRequest, EmbeddingReply, Usage, Vectors
from llm.providers import LimitName, Provider, Structure
from llm.schemas import instruction, schema_name, strict_schema

NO_KEY = "none"
"""Sent where no key is needed: the SDK insists on one."""
SIMPLER: dict[Structure, Structure] = {"json_schema": "json_object", "json_object": "instruction"}
"""What is tried next with a provider that does not know a form."""
OTHER_NAME: dict[LimitName, LimitName] = {
    "max_tokens": "max_completion_tokens",
    "max_completion_tokens": "max_tokens",
}
NO_SUCH_SERVICE = {404, 405, 501}

EMPTY = "the answer is empty"
CUT_OFF = "the answer broke off because it is too long: answer more briefly"
DECLINED = "no answer was given: stay with what is asked"

Answer = TypeVar("Answer")


@dataclass(frozen=True)
class Access:
    """Where a provider is reached, and how long a single call may take."""

    provider: Provider
    base_url: str
    key: str
    deadline: float = 120.0
    """Seconds."""

    @property
    def who(self) -> str:
        """For messages: name and address, never the key."""
        return f"{self.provider.title} ({self.base_url})"

    def __repr__(self) -> str:
        return f"Access({self.who})"


class Rejected(Exception):  # noqa: N818 - a fault is named by what is wrong
    """A complaint of the provider, before it is a fault: the request may be worded differently."""

    def __init__(self, complaint: Complaint) -> None:
        super().__init__(complaint.message)
        self.complaint = complaint


class Connection:
    """A client of one provider. Every fault of the SDK leaves it as a ModelError or as a complaint."""

    def __init__(self, access: Access) -> None:
        self.access = access
        self.client = AsyncOpenAI(
            api_key=access.key or NO_KEY,
            base_url=access.base_url,
            default_headers=dict(access.provider.headers),
            timeout=access.deadline,
            max_retries=0,
        )

    async def make(self, call: Callable[[], Awaitable[Answer]]) -> Answer:
        """Make one call before the deadline. Raises a ModelError, or a Rejected."""
        try:
            async with asyncio.timeout(self.access.deadline):
                answer = await call()
        except TimeoutError as fault:
            raise self._late() from fault
        except openai.OpenAIError as fault:
            raise self.fault(fault) from fault
        except json.JSONDecodeError as fault:
            raise Unreachable(f"{self.access.who} sent an answer that breaks off or is no JSON.") from fault
        self._check_success(answer)
        return answer

    def fault(self, fault: openai.OpenAIError) -> ModelError | Rejected:
        """What an exception of the SDK means. Everything that has a status is a complaint."""
        match fault:
            case openai.APITimeoutError():
                return self._late()
            case openai.APIConnectionError():
                cause = without_key(str(fault.__cause__ or ""), self.access.key)
                return Unreachable(f"{self.access.who} cannot be reached{f': {cause}' if cause else ''}.")
            case openai.APIStatusError():
                return self._rejected(fault.status_code, fault.body, fault.response.headers)
            case openai.APIResponseValidationError():
                return Unreachable(f"{self.access.who} sent an answer in no known form.")
            case openai.APIError():
                return self._rejected(SERVER_ERROR, fault.body, {})
            case _:
                return Refused(f"{self.access.who}: {without_key(str(fault), self.access.key)}.")

    def _late(self) -> TimedOut:
        return TimedOut(f"{self.access.who} gave no answer within {self.access.deadline:g} s.")

    def _rejected(self, status: int, body: object, headers: Mapping[str, str]) -> Rejected:
        return Rejected(complaint(status, body, headers, self.access.key))

    def _check_success(self, answer: object) -> None:
        """Raises for a page of HTML, and for an error that travels as a success."""
        if isinstance(answer, str):
            raise Unreachable(f"{self.access.who} sent a web page: does base_url end in /v1, as it mostly has to?")
        self.check(answer)

    def check(self, answer: object) -> None:
        """Raises Rejected if an answer, or a part of one, holds an error."""
        error = (getattr(answer, "model_extra", None) or {}).get("error")
        if error:
            code = error.get("code") if isinstance(error, dict) else None
            raise self._rejected(code if isinstance(code, int) else SERVER_ERROR, {"error": error}, {})

    async def close(self) -> None:
        """Hang up."""
        await self.client.close()


@dataclass(frozen=True)
class Manner:
    """How a model wants to be asked, as far as is known."""

    structure: Structure
    limit: LimitName
    effort: str

    def reworded(self, complaint: Complaint, usual: "Manner") -> "Manner | None":
        """How to ask after a complaint; None if it is about something else."""
        if complaint.about("reasoning_effort", "reasoning effort") and self.effort:
            return replace(self, effort="")
        if complaint.about("max_tokens", "max_completion_tokens") and self.limit == usual.limit:
            return replace(self, limit=OTHER_NAME[self.limit])
        if complaint.about("response_format", "json_schema", "json_object", "schema", "grammar", "structured"):
            simpler = SIMPLER.get(self.structure)
            return replace(self, structure=simpler) if simpler else None
        return None


class OpenAIWire:
    """A Chat: one question, one request, one answer."""

    def __init__(
        self, connection: Connection, model_for: Callable[[ChatRequest], str], *, answer_tokens: int, effort: str = ""
    ) -> None:
        """`model_for` tells the model for a question. `answer_tokens` is the length at which an answer is cut off.

        `effort` is how much a reasoning model may think, in the provider's words; empty leaves it to the provider.
        """
        self._connection = connection
        self._model_for = model_for
        self._answer_tokens = answer_tokens
        provider = connection.access.provider
        self._usual = Manner(provider.structure, provider.limit, effort)
        self._manners: dict[str, Manner] = {}
        """Of the models that want to be asked in another manner than is usual there."""

    async def complete(self, request: ChatRequest) -> ChatReply:
        """Raises a ModelError. What is no whole answer comes back as a reply with a fault: it has been paid for."""
        model = self._model_for(request)
        while True:
            manner = self._manners.get(model, self._usual)
            try:
                answer = await self._connection.make(partial(self._create, model, request, manner))
                return self._reply(answer, model)
            except Rejected as rejected:
                if rejected.complaint.filtered:
                    return ChatReply("", model, fault=DECLINED)
                reworded = manner.reworded(rejected.complaint, self._usual)
                if reworded is None:
                    who = self._connection.access.who
                    raise fault_of(rejected.complaint, who=who, model=model) from rejected
                self._manners[model] = reworded

    async def _create(self, model: str, request: ChatRequest, manner: Manner) -> ChatCompletion:
        body: dict[str, Any] = {manner.limit: self._answer_tokens}
        if manner.effort:
            body["reasoning_effort"] = manner.effort
        if manner.structure == "json_schema":
            form = {"name": schema_name(request.question), "strict": True, "schema": strict_schema(request.schema)}
            body["response_format"] = {"type": "json_schema", "json_schema": form}
        elif manner.structure == "json_object":
            body["response_format"] = {"type": "json_object"}
        spelled_out = self._connection.access.provider.spelled_out or manner.structure != "json_schema"
        messages: list[Any] = _messages(request, instruction(request.schema) if spelled_out else "")
        create = self._connection.client.chat.completions.create
        answer: ChatCompletion = await create(model=model, messages=messages, **body)
        return answer

    def _reply(self, answer: ChatCompletion, model: str) -> ChatReply:
        usage = _usage(answer.usage)
        if not answer.choices:
            return ChatReply("", model, usage, EMPTY)
        choice = answer.choices[0]
        self._connection.check(choice)
        text = _text(choice)
        return ChatReply(text, model, usage, _shortcoming(choice, text))


class OpenAIEmbeddings:
    """An EmbeddingSource: one batch, one request."""

    def __init__(self, connection: Connection, model: str) -> None:
        self._connection = connection
        self._model = model

    @property
    def name(self) -> str:
        """Provider and model: the same model makes the same vectors wherever it is reached."""
        return f"{self._connection.access.provider.name}:{self._model}"

    async def embed(self, texts: Sequence[str]) -> EmbeddingReply:
        """Raises a ModelError; Refused if there are no embeddings to be had, or none of one vector a text."""
        who = self._connection.access.who
        try:
            answer = await self._connection.make(
                lambda: self._connection.client.embeddings.create(
                    model=self._model, input=list(texts), encoding_format="float"
                )
            )
        except Rejected as rejected:
            if rejected.complaint.status in NO_SUCH_SERVICE and not rejected.complaint.about(self._model.lower()):
                raise Refused(f"{who} offers no embeddings: set embedder to hashing, or to another provider.") from None
            raise fault_of(rejected.complaint, who=who, model=self._model) from rejected
        return EmbeddingReply(_vectors(answer, len(texts), who), self._model, _usage(answer.usage))


def _messages(request: ChatRequest, appended: str) -> list[dict[str, str]]:
    """What is appended stands at the end of the question, so that its beginning stays the same for a whole day."""
    messages = [{"role": message.role, "content": message.content} for message in request.messages]
    if appended:
        question = next(message for message in messages if message["role"] == "user")
        question["content"] += f"\n\n{appended}"
    return messages


def _text(choice: Choice) -> str:
    """The answer in words; some servers send it in parts, and a half of a character can be neither kept nor sent."""
    content: Any = choice.message.content if choice.message else ""
    if isinstance(content, list):
        content = "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return str(content or "").encode("utf-8", "replace").decode()


def _shortcoming(choice: Choice, text: str) -> str:
    """Why this is no whole answer; empty if it is one."""
    if choice.finish_reason == "content_filter" or (choice.message and choice.message.refusal):
        return DECLINED
    if choice.finish_reason == "length":
        return CUT_OFF
    return "" if text.strip() else EMPTY


def _usage(usage: Any) -> Usage:
    """What a provider reports; zeros where it reports nothing."""
    if usage is None:
        return Usage()
    details = getattr(usage, "prompt_tokens_details", None)
    cost = (usage.model_extra or {}).get("cost")
    return Usage(
        prompt_tokens=usage.prompt_tokens or 0,
        cached_tokens=getattr(details, "cached_tokens", None) or 0,
        completion_tokens=getattr(usage, "completion_tokens", None) or 0,
        cost=float(cost) if isinstance(cost, int | float) else None,
    )


def _vectors(answer: CreateEmbeddingResponse, count: int, who: str) -> Vectors:
    """Texts × size, in the order of the texts. Raises a ModelError for any other shape."""
    items = sorted(answer.data or (), key=lambda item: item.index or 0)
    if len(items) != count:
        raise Unreachable(f"{who} sent {len(items)} vectors for {count} texts.")
    try:
        vectors: Vectors = np.array([item.embedding for item in items], dtype=np.float32)
    except (TypeError, ValueError):
        vectors = np.zeros(0, dtype=np.float32)
    if vectors.ndim != 2 or not vectors.shape[1] or not np.isfinite(vectors).all():  # noqa: PLR2004
        raise Refused(
            f"{who} does not send one vector of numbers a text: start it with pooling, or set another embedder."
        )
    return vectors
