"""Chat and embedding clients of OpenAI's API: the only file that sends requests to a provider.

Each request is sent once: if its form is rejected, the caller sends it again in another one, as a call of its own. A
call has a deadline as a whole (a timeout of a connection restarts with every byte), and responses have limits. Requests
are put together here: with the openai package, a call takes twice the processor time. This file is
imported only if a provider is configured.
"""

import asyncio
import json
import os
from base64 import b64encode
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from hashlib import blake2b
from typing import Literal, TypeVar
from urllib.parse import quote, unquote_to_bytes, urlencode, urlsplit
from urllib.request import getproxies, proxy_bypass

import httpx2

from ville.errors import ModelError, OtherForm, Refused, RequestFate, TimedOut, Unreachable, UnusableVectors
from ville.llm.gateway import AnswerTerms, ChatReply, ChatRequest, EmbeddingReply, EmbeddingRequest
from ville.llm.local.local_server import LocalServer
from ville.llm.wire.bounded_body import ENCODINGS, BadBody, bound_body, read_body, room_for_vectors
from ville.llm.wire.endpoint import Endpoint
from ville.llm.wire.error_responses import PROXY_TIMEOUTS, SERVER_ERROR, ErrorResponse, model_error, read_error
from ville.llm.wire.request_form import RequestForm, Temperature
from ville.llm.wire.responses import CUT_OFF, DECLINED, EMPTY, ChatCompletion, EmbeddingResponse, ProviderResponse
from ville.llm.wire.schemas import instruction, schema_name, strict_schema
from ville.version import VERSION

NO_KEY = "none"
"""Sent where no API key is needed: some servers want one."""
AGENT = f"Ville/{VERSION}"
NO_EMBEDDINGS = {404, 405, 501}
STATUSES = range(300, 600)
"""Those of errors."""
NOT_SENT = (
    httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout, httpx2.ProxyError, httpx2.UnsupportedProtocol,
    httpx2.LocalProtocolError, httpx2.InvalidURL,
)  # fmt: skip
"""Exceptions that occur before anything was sent."""
LONG_ANSWER = 1200
"""Tokens of an answer that has all of the deadline. One of few words has half of it: most of that is for the prompt."""
AZURE_VERSION = "2024-10-21"
ACCOUNT = {"OPENAI_ORG_ID": "OpenAI-Organization", "OPENAI_PROJECT_ID": "OpenAI-Project"}
"""Headers that name the account of a key, by environment variable: sent to OpenAI itself."""

SAID_ELSEWHERE = ("model", "messages", "priority")
"""Parts of a request that the ledger has in columns of their own, or that change no answer."""

ResponseT = TypeVar("ResponseT", bound=ProviderResponse)


Path = Literal["/chat/completions", "/embeddings"]


class RejectedError(Exception):
    """An error response, raised before it becomes a ModelError: the request may succeed in another form."""

    def __init__(self, response: ErrorResponse) -> None:
        super().__init__(response.message)
        self.response = response


class Connection:
    """Connection to one provider. Converts what goes wrong to ModelError or RejectedError."""

    def __init__(self, endpoint: Endpoint, deadline: float = 120.0, run: str = "") -> None:
        """`deadline` is in seconds. `run` names the simulation: two of them may send the same request."""
        self.endpoint = endpoint
        self._deadline, self._run = deadline, run
        self._server = LocalServer(endpoint.served) if endpoint.served else None
        self._verified = httpx2.create_ssl_context()
        self._headers = {**_account(endpoint), **endpoint.provider.headers, "Accept": "application/json"}
        self._headers |= {"Accept-Encoding": ENCODINGS, "Content-Type": "application/json", "User-Agent": AGENT}
        self._addresses: dict[str, httpx2.URL] = {}
        self._lines: list[httpx2.AsyncHTTPTransport] = []
        self._idle: list[httpx2.AsyncHTTPTransport] = []
        """Lines that no call uses. Each has one connection: a pool looks at all its connections with each call."""
        self._rejections: Counter[str] = Counter()
        """Number of error responses to each request."""

    async def post(
        self, path: Path, kind: type[ResponseT], body: Mapping[str, object], question: str = "", *, share: float = 1.0
    ) -> ResponseT:
        """Make one call within the deadline. Raises a ModelError or RejectedError.

        `question` distinguishes calls with equal bodies. A call whose fate is unknown is repeated with the same
        idempotency key; after an error response it gets a new one. `share`: of the deadline.
        """
        text = json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
        once = blake2b(f"{self._run}\n{question}\n".encode() + text, digest_size=16).hexdigest()
        headers = {"Idempotency-Key": f"{once}-{self._rejections[once]}"} if self.endpoint.provider.idempotent else {}
        try:
            async with self._line() as (line, base, key):
                request = self._request(self._address(base, path, body), key, headers, text)
                with room_for_vectors(len(texts) if isinstance(texts := body.get("input"), list) else 0):
                    response = await self._sent(line, request, kind, self._deadline * share)
            self.check(response, response.error)
        except RejectedError as rejected:
            self._rejections[once] += rejected.response.status not in PROXY_TIMEOUTS
            raise
        return response

    @asynccontextmanager
    async def _line(self) -> AsyncIterator[tuple[httpx2.AsyncHTTPTransport, str, str]]:
        """Yield a line that no other call uses, with address and key. Wait until a model that is served beside the
        engine has a free slot: the deadline begins then.
        """
        line = self._idle.pop() if self._idle else self._opened()
        try:
            if self._server is None:
                yield line, self.endpoint.base_url, self.endpoint.key
                return
            async with self._server.slot() as address:
                yield line, *address
        finally:
            self._idle.append(line)

    def _opened(self) -> httpx2.AsyncHTTPTransport:
        proxy = None if self._server else proxy_for(self.endpoint.base_url)
        line = httpx2.AsyncHTTPTransport(verify=self._verified, proxy=httpx2.Proxy(proxy) if proxy else None)
        self._lines.append(line)
        return line

    def _address(self, base: str, path: Path, body: Mapping[str, object]) -> httpx2.URL:
        """Return where a request is sent to. Azure has an address for each model."""
        address = f"{base.rstrip('/')}{path}"
        if self.endpoint.provider.name == "azure":
            model, version = quote(str(body["model"]), safe=""), self.endpoint.api_version or AZURE_VERSION
            address = f"{base.rstrip('/')}/openai/deployments/{model}{path}?{urlencode({'api-version': version})}"
        if address not in self._addresses:
            self._addresses[address] = httpx2.URL(address)
        return self._addresses[address]

    def _request(self, address: httpx2.URL, key: str, headers: Mapping[str, str], text: bytes) -> httpx2.Request:
        """Return a complete request. Name and password in an address count more than a key."""
        name, value = "Authorization", f"Bearer {key or NO_KEY}"
        if address.userinfo:
            value = f"Basic {b64encode(unquote_to_bytes(address.userinfo)).decode()}"
        elif self.endpoint.provider.name == "azure":
            name, value = "api-key", key or NO_KEY
        return httpx2.Request("POST", address, headers={**self._headers, **headers, name: value}, content=text)

    async def _sent(
        self, line: httpx2.AsyncHTTPTransport, request: httpx2.Request, kind: type[ResponseT], deadline: float
    ) -> ResponseT:
        """Allow half of the deadline for connecting, so that a timeout tells whether anything was sent.

        Redirects are not followed, and nothing that a server sends is kept: cookies are not.
        """
        who = self.endpoint.title
        request.extensions["timeout"] = dict.fromkeys(("read", "write", "pool"), deadline) | {"connect": deadline / 2}
        try:
            async with asyncio.timeout(deadline):
                response = await _received(line, request)
                if not response.is_success:
                    raise RejectedError(read_error(*_error_in(response), response.headers, self.endpoint.mask))
                return kind.model_validate(read_body(response.content))
        except TimeoutError as error:
            raise self._late(deadline) from error
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            raise self.converted(error, deadline) from error
        except (ValueError, RecursionError) as error:
            raise Unreachable(f"Unexpected response from {who}. Check base_url: it usually ends in /v1.") from error

    def converted(self, error: httpx2.HTTPError | httpx2.InvalidURL, deadline: float) -> ModelError:
        """Convert what went wrong while a request was sent, and its response received."""
        who, fate = self.endpoint.title, _fate(error)
        if isinstance(error, httpx2.TimeoutException):
            return self._late(deadline, fate)
        if isinstance(error, BadBody):
            return Unreachable(f"Unexpected response from {who}: {error}.")
        said = self.endpoint.mask.line(str(error))
        return Unreachable(f"{who} cannot be reached{f': {said}' if said else ''}.", fate=fate)

    def _late(self, deadline: float, fate: RequestFate = "unknown") -> TimedOut:
        return TimedOut(f"{self.endpoint.title} did not answer within {deadline:g} s.", fate=fate)

    def check(self, response: ProviderResponse, error: object) -> None:
        """Raise RejectedError for an error in a response with status 200."""
        if error:
            code = error.get("code") if isinstance(error, Mapping) else None
            status = code if isinstance(code, int) and code in STATUSES else SERVER_ERROR
            found = read_error(status, {"error": error}, {}, self.endpoint.mask)
            usage = response.usage.usage()
            raise RejectedError(replace(found, charged=usage.tokens > 0 or bool(usage.cost)))

    async def close(self) -> None:
        for line in self._lines:
            await line.aclose()
        if self._server:
            await self._server.close()


def _fate(error: httpx2.HTTPError | httpx2.InvalidURL) -> RequestFate:
    return "not_sent" if isinstance(error, NOT_SENT) else "unknown"


def _error_in(response: httpx2.Response) -> tuple[int, object]:
    """Return the status of an error response and what it says: JSON, or any other text."""
    text = response.text.strip()
    try:
        return response.status_code, json.loads(text)
    except (ValueError, RecursionError):
        return response.status_code, text


async def _received(line: httpx2.AsyncHTTPTransport, request: httpx2.Request) -> httpx2.Response:
    """Send a request, and return the response with its whole, bounded body."""
    response = await line.handle_async_request(request)
    try:
        await bound_body(response)
        await response.aread()
    finally:
        await response.aclose()
    return response


def proxy_for(address: str) -> str:
    """Return the proxy that the environment of this program names for an address; empty if there is none."""
    parts, proxies = urlsplit(address), getproxies()
    proxy = proxies.get(parts.scheme) or proxies.get("all") or ""
    if not proxy or proxy_bypass(parts.netloc.rpartition("@")[2]):
        return ""
    return proxy if "://" in proxy else f"http://{proxy}"


def _account(endpoint: Endpoint) -> dict[str, str]:
    """Return the headers that name the account of a key: only settings decide what is sent elsewhere."""
    if endpoint.provider.name != "openai" or endpoint.base_url != endpoint.provider.base_url:
        return {}
    return {header: os.environ[name] for name, header in ACCOUNT.items() if os.environ.get(name)}


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
        strict = strict_schema(request.schema, grammar=form.grammar)
        spelled_out = provider.spelled_out or form.structure != "json_schema"
        messages = _messages(request, instruction(request.schema) if spelled_out else "")
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
