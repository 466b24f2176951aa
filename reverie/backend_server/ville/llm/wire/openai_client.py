"""Chat and embedding clients on top of the OpenAI SDK: the only file that sends requests to a provider.

Each request is sent once: if its form is rejected, the caller sends it again in another one, as a call of its own. This
file adds what the SDK lacks: a deadline for the whole call (the SDK's timeout restarts with every byte), limits of what
a server may send, errors in responses with status 200, and the meaning of exceptions. Importing the SDK takes half a
second, so this file is imported only if a provider is configured.
"""

import asyncio
import json
import os
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from functools import partial
from hashlib import blake2b
from http.cookiejar import CookieJar, DefaultCookiePolicy
from ssl import SSLContext
from typing import Literal, TypeVar
from urllib.request import getproxies

import httpx2
import openai
from openai import AsyncAzureOpenAI, AsyncOpenAI, DefaultAsyncHttpx2Client

from ville.errors import ModelError, OtherForm, Refused, RequestFate, TimedOut, Unreachable, UnusableVectors
from ville.llm.gateway import AnswerTerms, ChatReply, ChatRequest, EmbeddingReply, EmbeddingRequest
from ville.llm.local.local_server import LocalServer
from ville.llm.wire.bounded_body import ENCODINGS, BadBody, bound_body, read_body, room_for_vectors
from ville.llm.wire.endpoint import Endpoint
from ville.llm.wire.error_responses import PROXY_TIMEOUTS, SERVER_ERROR, ErrorResponse, model_error, read_error
from ville.llm.wire.request_form import RequestForm, Temperature
from ville.llm.wire.responses import CUT_OFF, DECLINED, EMPTY, ChatCompletion, EmbeddingResponse, ProviderResponse
from ville.llm.wire.schemas import instruction, schema_name, strict_schema
from ville.llm.wire.whole_requests import DirectTransport

NO_KEY = "none"
"""Sent where no API key is needed: the SDK requires one."""
NO_EMBEDDINGS = {404, 405, 501}
STATUSES = range(300, 600)
"""Those of errors."""
NOT_SENT = (
    httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout, httpx2.ProxyError, httpx2.UnsupportedProtocol,
    httpx2.LocalProtocolError,
)  # fmt: skip
"""Exceptions that occur before anything was sent."""
LONG_ANSWER = 1200
"""Tokens of an answer that has all of the deadline. One of few words has half of it: most of that is for the prompt."""
AZURE_VERSION = "2024-10-21"
AMBIENT = ("OPENAI_", "AZURE_OPENAI_")
"""Prefixes of environment variables that the SDK reads by itself and sends to any address."""
ACCOUNT = ("OPENAI_ORG_ID", "OPENAI_PROJECT_ID")
"""Those that name the account of a key, kept for OpenAI itself."""

UNTOLD: Mapping[str, openai.Omit] = dict.fromkeys(
    (
        "X-Stainless-Lang", "X-Stainless-Package-Version", "X-Stainless-OS", "X-Stainless-Arch", "X-Stainless-Runtime",
        "X-Stainless-Runtime-Version", "X-Stainless-Async", "X-Stainless-Retry-Count", "X-Stainless-Read-Timeout",
    ),
    openai.omit,
)  # fmt: skip
"""Headers in which the SDK describes this machine and its settings: no provider needs them, and each takes time."""
SOCKS = "a proxy of the environment speaks SOCKS (ALL_PROXY?). Type: pip install socksio, or unset that variable."
SAID_ELSEWHERE = ("model", "messages", "priority")
"""Parts of a request that the ledger has in columns of their own, or that change no answer."""

ResponseT = TypeVar("ResponseT", bound=ProviderResponse)


Path = Literal["/chat/completions", "/embeddings"]
Post = Callable[..., Awaitable[httpx2.Response]]
"""Sends a request that is complete but for its options."""


class RejectedError(Exception):
    """An error response, raised before it becomes a ModelError: the request may succeed in another form."""

    def __init__(self, response: ErrorResponse) -> None:
        super().__init__(response.message)
        self.response = response


class Connection:
    """SDK client of one provider. Converts exceptions of the SDK to ModelError or RejectedError."""

    def __init__(self, endpoint: Endpoint, deadline: float = 120.0, run: str = "") -> None:
        """`deadline` is in seconds. `run` names the simulation: two of them may send the same request."""
        self.endpoint = endpoint
        self._deadline, self._run = deadline, run
        self._server = LocalServer(endpoint.served) if endpoint.served else None
        self._verified = httpx2.create_ssl_context()
        self._clients: list[AsyncOpenAI] = []
        self._idle: list[AsyncOpenAI] = []
        """Clients that no call uses. Each has one connection: a pool looks at all its connections with each call."""
        self._rejections: Counter[str] = Counter()
        """Number of error responses to each request."""

    async def post(
        self, path: Path, kind: type[ResponseT], body: Mapping[str, object], question: str = "", *, share: float = 1.0
    ) -> ResponseT:
        """Make one call within the deadline. Raises a ModelError or RejectedError.

        `question` distinguishes calls with equal bodies. A call whose fate is unknown is repeated with the same
        idempotency key; after an error response it gets a new one. `share`: of the deadline.
        """
        once, headers = "", dict[str, str | openai.Omit](UNTOLD)
        if self.endpoint.provider.idempotent:
            once = blake2b(json.dumps([self._run, question, body]).encode(), digest_size=16).hexdigest()
            headers["Idempotency-Key"] = f"{once}-{self._rejections[once]}"
        try:
            async with self._client() as client:
                with room_for_vectors(len(texts) if isinstance(texts := body.get("input"), list) else 0):
                    post = partial(client.post, path, cast_to=httpx2.Response, body=body)
                    response = await self._posted(post, headers, kind, self._deadline * share)
            self.check(response, response.error)
        except RejectedError as rejected:
            self._rejections[once] += rejected.response.status not in PROXY_TIMEOUTS
            raise
        return response

    @asynccontextmanager
    async def _client(self) -> AsyncIterator[AsyncOpenAI]:
        """Yield a client that no other call uses. Wait until a model that is served beside the engine has a free slot:
        the deadline begins then.
        """
        client = self._idle.pop() if self._idle else self._opened()
        try:
            if self._server is None:
                yield client
                return
            async with self._server.slot() as address:
                client.base_url, client.api_key = address
                yield client
        finally:
            self._idle.append(client)

    def _opened(self) -> AsyncOpenAI:
        try:
            with _environment_of(self.endpoint):
                client = _client(self.endpoint, self._deadline, self._verified)
        except ImportError as error:  # of what speaks SOCKS
            raise Refused(f"{self.endpoint.title}: {SOCKS}", fate="not_sent") from error
        self._clients.append(client)
        return client

    async def _posted(
        self, post: Post, headers: Mapping[str, str | openai.Omit], kind: type[ResponseT], deadline: float
    ) -> ResponseT:
        """Allow half of the deadline for connecting, so that a timeout tells whether anything was sent."""
        limits = openai.Timeout(None, connect=deadline / 2)
        options: openai.RequestOptions = {"headers": headers, "timeout": limits, "security": {"bearer_auth": True}}
        try:
            async with asyncio.timeout(deadline):
                response = await post(options=options)
                return kind.model_validate(read_body(response.content))
        except TimeoutError as error:
            raise self._late(deadline) from error
        except openai.OpenAIError as error:
            raise self.converted(error, deadline) from error
        except (ValueError, RecursionError) as error:
            who = self.endpoint.title
            raise Unreachable(f"Unexpected response from {who}. Check base_url: it usually ends in /v1.") from error

    def converted(self, error: openai.OpenAIError, deadline: float) -> ModelError | RejectedError:
        """Convert an exception of the SDK: those with a status to RejectedError."""
        match error:
            case openai.APITimeoutError():
                return self._late(deadline, _fate(error))
            case openai.APIConnectionError():
                return self._unreachable(error)
            case openai.APIStatusError():
                return self._rejected(error.status_code, error.body, error.response.headers)
            case openai.APIResponseValidationError():
                return Unreachable(f"Unexpected response from {self.endpoint.title}.")
            case openai.APIError():
                return self._rejected(SERVER_ERROR, error.body, {})
            case _:
                return Refused(f"{self.endpoint.title}: {self.endpoint.mask.line(str(error))}.")

    def _unreachable(self, error: openai.APIConnectionError) -> Unreachable:
        who, cause = self.endpoint.title, error.__cause__
        if isinstance(cause, BadBody):
            return Unreachable(f"Unexpected response from {who}: {cause}.")
        said = self.endpoint.mask.line(str(cause or ""))
        return Unreachable(f"{who} cannot be reached{f': {said}' if said else ''}.", fate=_fate(error))

    def _late(self, deadline: float, fate: RequestFate = "unknown") -> TimedOut:
        return TimedOut(f"{self.endpoint.title} did not answer within {deadline:g} s.", fate=fate)

    def _rejected(self, status: int, body: object, headers: Mapping[str, str]) -> RejectedError:
        return RejectedError(read_error(status, body, headers, self.endpoint.mask))

    def check(self, response: ProviderResponse, error: object) -> None:
        """Raise RejectedError for an error in a response with status 200."""
        if error:
            code = error.get("code") if isinstance(error, Mapping) else None
            status = code if isinstance(code, int) and code in STATUSES else SERVER_ERROR
            rejected = self._rejected(status, {"error": error}, {})
            usage = response.usage.usage()
            raise RejectedError(replace(rejected.response, charged=usage.tokens > 0 or bool(usage.cost)))

    async def close(self) -> None:
        for client in self._clients:
            await client.close()
        if self._server:
            await self._server.close()


def _fate(error: openai.APIConnectionError) -> RequestFate:
    return "not_sent" if isinstance(error.__cause__, NOT_SENT) else "unknown"


def _client(endpoint: Endpoint, deadline: float, verified: SSLContext) -> AsyncOpenAI:
    """Return an SDK client with bounded responses, which keeps no cookies and follows no redirects: requests go to the
    configured address only, and carry nothing that a server has sent.
    """
    key = endpoint.key or NO_KEY
    trusts = endpoint.served is None  # no proxy between an engine and its own server
    direct = {} if trusts and "all" in getproxies() else {"all://": DirectTransport(verified)}
    http = DefaultAsyncHttpx2Client(
        verify=verified,
        follow_redirects=False,
        headers={"Accept-Encoding": ENCODINGS},
        cookies=CookieJar(DefaultCookiePolicy(allowed_domains=())),
        event_hooks={"response": [bound_body]},
        mounts=direct,  # of all, the last to be asked: what the environment says of proxies goes before it
        trust_env=trusts,
    )
    if endpoint.provider.name == "azure":
        return AsyncAzureOpenAI(
            azure_endpoint=endpoint.base_url,
            api_version=endpoint.api_version or AZURE_VERSION,
            api_key=key,
            timeout=deadline,
            max_retries=0,
            http_client=http,
        )
    return AsyncOpenAI(
        api_key=key,
        base_url=endpoint.base_url,
        default_headers=dict(endpoint.provider.headers),
        timeout=deadline,
        max_retries=0,
        http_client=http,
    )


@contextmanager
def _environment_of(endpoint: Endpoint) -> Iterator[None]:
    """Hide environment variables from the SDK for the duration of the context: only settings decide what is sent."""
    official = endpoint.provider.name == "openai" and endpoint.base_url == endpoint.provider.base_url
    kept = ACCOUNT if official else ()
    hidden = {name: value for name, value in os.environ.items() if name.startswith(AMBIENT) and name not in kept}
    for name in hidden:
        del os.environ[name]
    try:
        yield
    finally:
        os.environ.update(hidden)


class OpenAIChat:
    """Chat client: one request for each question."""

    def __init__(
        self,
        connection: Connection,
        model_for: Callable[[ChatRequest], str],
        *,
        answer_tokens: int,
        effort: str = "",
        temperature: Temperature = "provider",
    ) -> None:
        """`model_for` returns the model for a question. `answer_tokens` is the length at which an answer is cut off.

        `effort` is the reasoning effort in the provider's terms; empty for the provider's default. `temperature` is a
        number, that of each question, or the provider's own.
        """
        self._connection = connection
        self._model_for = model_for
        self._answer_tokens = answer_tokens
        provider = connection.endpoint.provider
        self._default = RequestForm(
            provider.structure,
            provider.limit,
            effort,
            temperature,
            provider.seeded,
            grammar=provider.grammar,
            ordered=provider.ordered,
            thinks=not provider.grammar,
        )
        self._forms: dict[str, RequestForm] = {}
        """Form of each model that does not accept the default."""

    async def complete(self, request: ChatRequest) -> ChatReply:
        """Return the answer, with a `fault` if it is not complete. Raises a ModelError, OtherForm among them."""
        model = self._model_for(request)
        form = self._forms.get(model, self._default)
        try:
            return await self._sent(request, model, form)
        except RejectedError as rejected:
            response, who = rejected.response, self._connection.endpoint.title
            if response.filtered:
                return ChatReply("", model, fault=DECLINED)
            other = form.after(response, self._default)
            if other is None:
                raise model_error(response, who=who, model=model) from rejected
            if self._forms.get(model, self._default) == form:  # a call that ended meanwhile may know better
                self._forms[model] = other
            raise OtherForm(f"{who} rejects the form of the request: {response.message}", fate=response.fate) from None

    async def _sent(self, request: ChatRequest, model: str, form: RequestForm) -> ChatReply:
        body, question = self._body(request, model, form), request.key.hex()
        share = 1.0 if form.thinks else min(1.0, (1 + request.answer_tokens / LONG_ANSWER) / 2)
        response = await self._connection.post("/chat/completions", ChatCompletion, body, question, share=share)
        usage, terms = response.usage.usage(), self._terms(body, response)
        if not response.choices:
            return ChatReply("", model, usage, EMPTY, terms=terms)
        choice = response.choices[0]
        self._connection.check(response, choice.error)
        if choice.message.hidden and choice.fault == CUT_OFF:
            self._forms[model] = replace(form, thinks=True)
        content = self._connection.endpoint.mask.text(choice.message.content)
        return ChatReply(content, model, usage, choice.fault, hidden=choice.message.hidden, terms=terms)

    def _terms(self, body: Mapping[str, object], response: ChatCompletion) -> AnswerTerms:
        """Return how an answer was sampled: what was sent beside model and prompt, and what the provider says."""
        sent = {name: value for name, value in body.items() if name not in SAID_ELSEWHERE}
        if isinstance(structure := sent.get("response_format"), Mapping):
            sent["response_format"] = structure["type"]
        reason = response.choices[0].finish_reason if response.choices else ""
        named = (response.model, response.system_fingerprint, reason)
        return AnswerTerms(json.dumps(sent, sort_keys=True), *map(self._connection.endpoint.mask.text, named))

    def _body(self, request: ChatRequest, model: str, form: RequestForm) -> dict[str, object]:
        provider = self._connection.endpoint.provider
        strict = strict_schema(request.schema_text, grammar=form.grammar)
        spelled_out = provider.spelled_out or form.structure != "json_schema"
        messages = _messages(request, instruction(request.schema_text) if spelled_out else "")
        most = self._answer_tokens if form.thinks else min(self._answer_tokens, request.answer_tokens)
        body: dict[str, object] = {"model": model, "messages": messages, form.limit: most}
        body |= form.options(request)
        if form.structure == "json_schema":
            schema = {"name": schema_name(request.question), "strict": True, "schema": strict}
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
        elif form.structure == "schema_in_object":
            body["response_format"] = {"type": "json_object", "schema": strict}
        elif form.structure == "json_object":
            body["response_format"] = {"type": "json_object"}
        return body


class OpenAIEmbeddings:
    """Embedding client: one request for each batch."""

    def __init__(self, connection: Connection, model: str) -> None:
        self._connection = connection
        self._model = model

    async def complete(self, request: EmbeddingRequest) -> EmbeddingReply:
        """Raises a ModelError: Refused without embeddings, UnusableVectors without one vector for each text."""
        who = self._connection.endpoint.title
        body = {"model": self._model, "input": list(request.texts), "encoding_format": "float"}
        try:
            response = await self._connection.post("/embeddings", EmbeddingResponse, body)
        except RejectedError as rejected:
            error = rejected.response
            no_service = error.status in NO_EMBEDDINGS and not error.mentions(self._model.lower())
            if no_service or error.mentions("not support embeddings"):
                raise Refused(
                    f"{who} offers no embeddings. Set embedder to hashing, or to another provider.", fate="rejected"
                ) from None
            raise model_error(error, who=who, model=self._model) from rejected
        if (count := len(response.data or ())) != len(request.texts):
            raise UnusableVectors(f"{who} sent {count} vectors for {len(request.texts)} texts.")
        if (vectors := response.vectors()) is None:
            raise UnusableVectors(
                f"{who} does not send one vector for each text. Start it with pooling, or set another embedder."
            )
        served = self._connection.endpoint.mask.text(response.model)
        return EmbeddingReply(vectors, self._model, response.usage.usage(), AnswerTerms(served=served))


def _messages(request: ChatRequest, appended: str) -> list[dict[str, str]]:
    """Return messages as JSON, with a text appended to the question: its beginning can be cached by the provider."""
    messages = [{"role": message.role, "content": message.content} for message in request.messages]
    if appended:
        question = next(message for message in messages if message["role"] == "user")
        question["content"] += f"\n\n{appended}"
    return messages
