"""The wire: the one file that imports the OpenAI SDK, and the only one through which a question leaves this machine.

It asks once. What the SDK leaves open is settled here: a deadline by the clock (its own timeout counts anew with every
byte), successes that are none, and which of its exceptions means what. The SDK is imported with this file, and this
file only when a provider is chosen.
"""

import asyncio
import json
import os
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import blake2b
from typing import Any, TypeVar

import httpx2
import openai
from openai import AsyncAzureOpenAI, AsyncOpenAI, DefaultAsyncHttpx2Client

from ville.errors import ModelError, Refused, RequestFate, TimedOut, Unreachable, UnusableVectors
from ville.llm.accounting.ledger import key_of
from ville.llm.gateway import ChatReply, ChatRequest, EmbeddingReply
from ville.llm.wire.answers import DECLINED, EMPTY, Answered, Completion, Embeddings
from ville.llm.wire.faults import GAVE_UP, SERVER_ERROR, Complaint, complaint, fault_of
from ville.llm.wire.masking import Mask
from ville.llm.wire.providers import LimitName, Provider, Structure
from ville.llm.wire.schemas import instruction, schema_name, strict_schema
from ville.settings.server_urls import shown

NO_KEY = "none"
"""Sent where no key is needed: the SDK insists on one."""
SIMPLER: dict[Structure, Structure] = {
    "json_schema": "schema_in_object",
    "schema_in_object": "json_object",
    "json_object": "instruction",
}
"""What is tried next with a provider that does not know a form."""
OTHER_NAME: dict[LimitName, LimitName] = {
    "max_tokens": "max_completion_tokens",
    "max_completion_tokens": "max_tokens",
}
NO_SUCH_SERVICE = {404, 405, 501}
NOT_SENT = (
    httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout, httpx2.ProxyError, httpx2.UnsupportedProtocol,
    httpx2.LocalProtocolError,
)  # fmt: skip
"""What the SDK meets before anything of a request has left this machine."""
AZURE_VERSION = "2024-10-21"
AMBIENT = ("OPENAI_", "AZURE_OPENAI_")
"""How variables begin that the SDK reads by itself, and sends to whomever it is told to call."""
ACCOUNT = ("OPENAI_ORG_ID", "OPENAI_PROJECT_ID")
"""Those of them that say which account of a key is meant: for OpenAI itself."""

AnswerT = TypeVar("AnswerT", bound=Answered)
Call = Callable[..., Awaitable[Any]]
"""A method of the SDK that gives the response as it came."""


@dataclass(frozen=True)
class Access:
    """Where a provider is reached, and how long a single call may take."""

    provider: Provider
    base_url: str
    key: str
    deadline: float = 120.0
    """Seconds."""
    api_version: str = ""
    """Azure's alone."""
    run: str = ""
    """The simulation that asks: two of them may ask the same, and each is answered."""

    @cached_property
    def mask(self) -> Mask:
        """Takes out of texts what opens this access."""
        return Mask(self.key, self.base_url)

    @property
    def who(self) -> str:
        """For messages: name and address, never the key."""
        return f"{self.provider.title} ({shown(self.base_url)})"

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
        with _environment_of(access):
            self.client = _client(access)
        self._answered: Counter[str] = Counter()
        """How often a call was answered by a complaint."""

    async def post(self, call: Call, known: type[AnswerT], body: Mapping[str, Any], question: str = "") -> AnswerT:
        """Make one call before the deadline. Raises a ModelError, or a Rejected.

        `question` tells calls with the same body apart. A call that is made again because nobody knows what became of
        it bears the same key; one that was answered, if only by a complaint, is over.
        """
        once = blake2b(json.dumps([self.access.run, question, body]).encode(), digest_size=16).hexdigest()
        headers = {"Idempotency-Key": f"{once}-{self._answered[once]}"} if self.access.provider.idempotent else {}
        try:
            answer = await self._posted(lambda limits: call(**body, extra_headers=headers, timeout=limits), known)
            self.check(answer, answer.error)
        except Rejected as rejected:
            self._answered[once] += rejected.complaint.status not in GAVE_UP
            raise
        return answer

    async def _posted(self, call: Callable[[openai.Timeout], Awaitable[Any]], known: type[AnswerT]) -> AnswerT:
        """A connection has to stand after half of the deadline: then it is known whether anything was sent."""
        who, deadline = self.access.who, self.access.deadline
        try:
            async with asyncio.timeout(deadline):
                answer = await call(openai.Timeout(deadline, connect=deadline / 2))
                return known.model_validate(json.loads(answer.content))
        except TimeoutError as fault:
            raise self._late() from fault
        except openai.OpenAIError as fault:
            raise self.fault(fault) from fault
        except (ValueError, RecursionError) as fault:
            raise Unreachable(f"{who} sent no answer in a known form. Mostly base_url has to end in /v1.") from fault

    def fault(self, fault: openai.OpenAIError) -> ModelError | Rejected:
        """What an exception of the SDK means. Everything that has a status is a complaint."""
        match fault:
            case openai.APITimeoutError():
                return self._late(_fate(fault))
            case openai.APIConnectionError():
                cause = self.access.mask.line(str(fault.__cause__ or ""))
                return Unreachable(
                    f"{self.access.who} cannot be reached{f': {cause}' if cause else ''}.", fate=_fate(fault)
                )
            case openai.APIStatusError():
                return self._rejected(fault.status_code, fault.body, fault.response.headers)
            case openai.APIResponseValidationError():
                return Unreachable(f"{self.access.who} sent an answer in no known form.")
            case openai.APIError():
                return self._rejected(SERVER_ERROR, fault.body, {})
            case _:
                return Refused(f"{self.access.who}: {self.access.mask.line(str(fault))}.")

    def _late(self, fate: RequestFate = "unknown") -> TimedOut:
        return TimedOut(f"{self.access.who} gave no answer within {self.access.deadline:g} s.", fate=fate)

    def _rejected(self, status: int, body: object, headers: Mapping[str, str]) -> Rejected:
        return Rejected(complaint(status, body, headers, self.access.mask))

    def check(self, answer: Answered, error: object) -> None:
        """Raises Rejected for an error that travels as a success."""
        if error:
            code = error.get("code") if isinstance(error, Mapping) else None
            rejected = self._rejected(code if isinstance(code, int) else SERVER_ERROR, {"error": error}, {})
            raise Rejected(replace(rejected.complaint, begun=answer.usage.usage().tokens > 0))

    async def close(self) -> None:
        """Hang up."""
        await self.client.close()


def _fate(fault: openai.APIConnectionError) -> RequestFate:
    return "not_sent" if isinstance(fault.__cause__, NOT_SENT) else "unknown"


def _client(access: Access) -> AsyncOpenAI:
    """The SDK's client. It follows no redirect: what is asked is for the address that was set, and for no other."""
    key, timeout = access.key or NO_KEY, access.deadline
    straight = DefaultAsyncHttpx2Client(follow_redirects=False)
    if access.provider.name == "azure":
        return AsyncAzureOpenAI(
            azure_endpoint=access.base_url,
            api_version=access.api_version or AZURE_VERSION,
            api_key=key,
            timeout=timeout,
            max_retries=0,
            http_client=straight,
        )
    return AsyncOpenAI(
        api_key=key,
        base_url=access.base_url,
        default_headers=dict(access.provider.headers),
        timeout=timeout,
        max_retries=0,
        http_client=straight,
    )


@contextmanager
def _environment_of(access: Access) -> Iterator[None]:
    """Inside, the SDK finds nothing in the environment: what is sent is what the settings say."""
    itself = access.provider.name == "openai" and access.base_url == access.provider.base_url
    kept = ACCOUNT if itself else ()
    hidden = {name: value for name, value in os.environ.items() if name.startswith(AMBIENT) and name not in kept}
    for name in hidden:
        del os.environ[name]
    try:
        yield
    finally:
        os.environ.update(hidden)


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
                return await self._asked(request, model, manner)
            except Rejected as rejected:
                if rejected.complaint.filtered:
                    return ChatReply("", model, fault=DECLINED)
                reworded = manner.reworded(rejected.complaint, self._usual)
                if reworded is None:
                    who = self._connection.access.who
                    raise fault_of(rejected.complaint, who=who, model=model) from rejected
                self._manners[model] = reworded

    async def _asked(self, request: ChatRequest, model: str, manner: Manner) -> ChatReply:
        create = self._connection.client.chat.completions.with_raw_response.create
        body, question = self._body(request, model, manner), key_of(request).hex()
        answer = await self._connection.post(create, Completion, body, question)
        usage = answer.usage.usage()
        if not answer.choices:
            return ChatReply("", model, usage, EMPTY)
        choice = answer.choices[0]
        self._connection.check(answer, choice.error)
        content = self._connection.access.mask.text(choice.message.content)
        return ChatReply(content, model, usage, choice.shortcoming, hidden=choice.message.hidden)

    def _body(self, request: ChatRequest, model: str, manner: Manner) -> dict[str, Any]:
        spelled_out = self._connection.access.provider.spelled_out or manner.structure != "json_schema"
        messages = _messages(request, instruction(request.schema) if spelled_out else "")
        body: dict[str, Any] = {"model": model, "messages": messages, manner.limit: self._answer_tokens}
        if manner.effort:
            body["reasoning_effort"] = manner.effort
        if manner.structure == "json_schema":
            form = {"name": schema_name(request.question), "strict": True, "schema": strict_schema(request.schema)}
            body["response_format"] = {"type": "json_schema", "json_schema": form}
        elif manner.structure == "schema_in_object":
            body["response_format"] = {"type": "json_object", "schema": strict_schema(request.schema)}
        elif manner.structure == "json_object":
            body["response_format"] = {"type": "json_object"}
        return body


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
        """Raises a ModelError: Refused if there are no embeddings to be had, UnusableVectors if not one a text."""
        who = self._connection.access.who
        body = {"model": self._model, "input": list(texts), "encoding_format": "float"}
        try:
            create = self._connection.client.embeddings.with_raw_response.create
            answer = await self._connection.post(create, Embeddings, body)
        except Rejected as rejected:
            said = rejected.complaint
            no_service = said.status in NO_SUCH_SERVICE and not said.about(self._model.lower())
            if no_service or said.about("not support embeddings"):
                raise Refused(
                    f"{who} offers no embeddings: set embedder to hashing, or to another provider.", fate="rejected"
                ) from None
            raise fault_of(said, who=who, model=self._model) from rejected
        if len(answer.data or ()) != len(texts):
            raise UnusableVectors(f"{who} sent {len(answer.data or ())} vectors for {len(texts)} texts.")
        if (vectors := answer.vectors()) is None:
            raise UnusableVectors(
                f"{who} does not send one vector a text: start it with pooling, or set another embedder."
            )
        return EmbeddingReply(vectors, self._model, answer.usage.usage())


def _messages(request: ChatRequest, appended: str) -> list[dict[str, str]]:
    """What is appended stands at the end of the question, so that its beginning stays the same for a whole day."""
    messages = [{"role": message.role, "content": message.content} for message in request.messages]
    if appended:
        question = next(message for message in messages if message["role"] == "user")
        question["content"] += f"\n\n{appended}"
    return messages
