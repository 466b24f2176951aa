"""Chat and embedding clients against a real server on loopback."""

import asyncio
import gzip
import json
import tracemalloc
import zlib
from contextlib import suppress
from dataclasses import replace
from urllib.parse import urlsplit

import faults
import httpx2
import openai
import pytest
from chat_server import SIZE, ChatServer, Reply, completion, refusal
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sample_requests import KEY, QUESTION, REQUEST, batch

from ville.errors import (
    BudgetSpent,
    ModelError,
    OtherForm,
    RateLimited,
    Refused,
    TimedOut,
    TooLong,
    TransientError,
    Unreachable,
    UnusableVectors,
)
from ville.llm.accounting.budget import Budget, BudgetedClient, Limits
from ville.llm.accounting.call_listing import export
from ville.llm.gateway import Usage
from ville.llm.monitor import CallMonitor
from ville.llm.recording import RecordingClient
from ville.llm.retry import RetryingClient, RetryPolicy
from ville.llm.stacked_vectors import CheckedEmbeddings, VectorCheck
from ville.llm.wire.bounded_body import LONGEST_VECTOR
from ville.llm.wire.endpoint import Endpoint
from ville.llm.wire.openai_client import Connection, OpenAIChat, OpenAIEmbeddings, RejectedError
from ville.llm.wire.providers import PROVIDERS
from ville.llm.wire.responses import MAX_LENGTH
from ville.llm.wire.schemas import instruction, strict_schema
from ville.persona.prompt_template.answers.no_words import BRIEFLY
from ville.persona.prompt_template.ask import Caller, ask, read_answer
from ville.plain_text import printable

SCHEMA = strict_schema(REQUEST.schema_text)
JSON_SCHEMA = {
    "type": "json_schema",
    "json_schema": {"name": "plan_wake_up_hour", "strict": True, "schema": SCHEMA},
}
PLAIN = QUESTION.render()
SPELLED_OUT = f"{PLAIN}\n\n{instruction(REQUEST.schema_text)}"
ATTRIBUTION = {"http-referer": "http://localhost:8000", "x-openrouter-title": "The Ville", "x-title": "The Ville"}


WIRES = {
    "openai": ("https://api.openai.com/v1", {"max_completion_tokens": 500, "seed": 0}, PLAIN, {}),
    "openrouter": ("https://openrouter.ai/api/v1", {"max_tokens": 500, "seed": 0}, SPELLED_OUT, ATTRIBUTION),
    "gemini": ("https://generativelanguage.googleapis.com/v1beta/openai", {"max_tokens": 500}, PLAIN, {}),
    "ollama": ("http://localhost:11434/v1", {"max_tokens": 500, "seed": 0}, SPELLED_OUT, {}),
}
"""Address, limit and seed, prompt, and headers of its own."""


@pytest.mark.parametrize("provider", WIRES)
async def test_each_provider_is_sent_exactly_what_it_expects(server, dial, provider):
    """Address, headers and body, for questions and texts; without a key, none is sent."""
    address, limit, prompt, headers = WIRES[provider]
    path = urlsplit(address).path
    key = KEY if PROVIDERS[provider].needs_key else ""
    connection = dial(server.url.removesuffix("/v1") + path, provider, key=key)
    await OpenAIChat(connection, lambda _: "model-1", answer_tokens=500).complete(REQUEST)
    await OpenAIEmbeddings(connection, "vectors-1").complete(batch("tea", "bread"))
    chat, vectors = server.requests
    assert PROVIDERS[provider].base_url == address
    assert [chat.path, vectors.path] == [f"{path}/chat/completions", f"{path}/embeddings"]
    messages = [{"role": "user", "content": prompt}]
    grammar = PROVIDERS[provider].grammar
    schema = {**JSON_SCHEMA["json_schema"], "schema": strict_schema(REQUEST.schema_text, grammar=grammar)}
    form = {"type": "json_schema", "json_schema": schema}
    assert chat.body == {"model": "model-1", "messages": messages, "response_format": form} | limit
    assert vectors.body == {"model": "vectors-1", "input": ["tea", "bread"], "encoding_format": "float"}
    for request in (chat, vectors):
        assert request.method == "POST"
        assert request.headers["authorization"] == f"Bearer {key or 'none'}"
        assert request.headers["content-type"] == "application/json"
        assert {name: value for name, value in request.headers.items() if name in ATTRIBUTION} == headers


async def test_nothing_is_told_about_this_machine(server, dial):
    """Its system, its processor, its Python and its settings concern no provider."""
    await OpenAIChat(dial(server.url), lambda _: "m", answer_tokens=9).complete(REQUEST)
    needed = {"host", "accept", "accept-encoding", "connection", "content-length", "content-type", "user-agent"}
    assert set(server.chats[0].headers) == needed | {"authorization", "idempotency-key"}


async def test_an_answer_has_its_usage(server, wire):
    """Tokens, cached tokens, and dollars if the provider reports them, else None."""
    told = {
        "prompt_tokens": 90, "completion_tokens": 7, "total_tokens": 97, "cost": 0.0123,
        "prompt_tokens_details": {"cached_tokens": 64},
    }  # fmt: skip
    server.then(lambda request: Reply(completion('{"wake_up_hour": 6}', request) | {"usage": told}))
    reply = await wire.complete(REQUEST)
    assert (reply.text, reply.model, reply.fault) == ('{"wake_up_hour": 6}', "model-1", "")
    assert reply.usage == Usage(prompt_tokens=90, cached_tokens=64, completion_tokens=7, cost=0.0123)
    assert (await wire.complete(REQUEST)).usage.cost is None


async def test_the_ledger_keeps_the_terms_of_an_answer(server, wire, ledger, rates):
    """All that was sent beside the prompt, and what the provider says of itself; of a path only the file is kept."""
    said = {"model": "/models/model-1-0125.gguf", "system_fingerprint": "fp_7"}
    server.then(lambda request: Reply(completion('{"wake_up_hour": 6}', request) | said))
    await RecordingClient(wire, ledger, rates).complete(REQUEST)
    (row,) = json.loads("".join(export(ledger, "json")))
    sent = {name: value for name, value in server.chats[0].body.items() if name not in {"model", "messages"}}
    assert json.loads(row["parameters"]) == sent | {"response_format": "json_schema"}
    assert (row["served"], row["fingerprint"], row["finish_reason"]) == ("model-1-0125.gguf", "fp_7", "stop")
    assert ledger.answer_to(REQUEST).terms.served == row["served"]


@pytest.mark.parametrize("fault", faults.PASSING)
async def test_a_call_succeeds_after_a_transient_error(server, wire, fault):
    """On the same connection."""
    server.then(faults.PASSING[fault])
    with pytest.raises(TransientError):
        await wire.complete(REQUEST)
    assert read_answer(QUESTION, (await wire.complete(REQUEST)).text)


@pytest.mark.parametrize("fault", faults.FINAL)
async def test_a_final_error_does_not_show_the_key(server, wire, fault):
    """Also if the provider quotes it."""
    server.then(faults.FINAL[fault])
    with pytest.raises(Refused) as raised:
        await wire.complete(REQUEST)
    assert KEY not in str(raised.value)
    assert server.url in str(raised.value)


@pytest.mark.parametrize("fault", faults.MALFORMED)
async def test_an_incomplete_answer_is_corrected_like_any_other(server, wire, fault):
    """It is a reply, because it was paid for; the model is told what was wrong, or to be brief if it broke off."""
    server.then(faults.MALFORMED[fault])
    caller = Caller(chat=wire, persona="Ada Stone", step=0)
    assert (await ask(caller, QUESTION)).wake_up_hour in range(24)
    assert (caller.tally.corrected, caller.tally.fallbacks) == (1, [])
    said = server.chats[1].body["messages"][-1]["content"]
    assert BRIEFLY in said or "cannot be used" in said


@pytest.mark.parametrize("fault", faults.READABLE)
async def test_an_unusual_answer_is_read(server, wire, fault):
    """With code fences, reasoning, a trailing comma, without usage."""
    server.then(faults.READABLE[fault])
    assert read_answer(QUESTION, (await wire.complete(REQUEST)).text)


async def test_impossible_token_counts_are_ignored(server, wire):
    server.then(faults.endless_usage)
    reply = await wire.complete(REQUEST)
    assert read_answer(QUESTION, reply.text)
    assert reply.usage == Usage()


@pytest.mark.parametrize("fault", [faults.REFUSAL, faults.FILTERED_ANSWER, faults.half, faults.EMPTY, faults.filtered])
async def test_the_text_of_a_refusal_is_not_an_answer(server, wire, fault):
    server.then(fault)
    assert (await wire.complete(REQUEST)).fault


async def test_content_in_parts_is_joined(server, wire):
    parts = [{"type": "thinking"}, {"type": "text", "text": '{"wake_up_'}, {"type": "text", "text": 'hour": 6}'}]
    server.then(faults.saying(parts))
    assert (await wire.complete(REQUEST)).text == '{"wake_up_hour": 6}'


async def test_a_lone_surrogate_is_replaced(server, wire):
    """It could neither be stored nor sent; the rest of the text stays."""
    server.then(faults.saying("tea \ud83d and ☕"))
    assert (await wire.complete(REQUEST)).text == "tea ? and ☕"


async def test_a_rate_limit_has_its_retry_after(server, wire):
    server.then(faults.rate_limited("7"))
    with pytest.raises(RateLimited) as raised:
        await wire.complete(REQUEST)
    assert raised.value.retry_after == 7


async def test_a_question_that_is_too_long_is_reported(server, wire):
    """So that it can be shortened."""
    server.then(faults.too_long)
    with pytest.raises(TooLong):
        await wire.complete(REQUEST)


@pytest.mark.parametrize("fault", [faults.silent, faults.dripping])
async def test_no_call_outlasts_its_deadline(server, dial, fault):
    """Neither without a response nor with one byte at a time."""
    server.then(fault)
    with pytest.raises(TimedOut):
        await OpenAIChat(dial(server.url, deadline=0.5), lambda _: "m", answer_tokens=9).complete(REQUEST)


async def test_a_dead_host_is_unreachable(dial):
    with ChatServer() as server:
        url = server.url
    with pytest.raises(Unreachable, match="cannot be reached"):
        await OpenAIChat(dial(url), lambda _: "m", answer_tokens=9).complete(REQUEST)


def deadline(fault):
    """Short only where nothing comes, and long enough for a request to reach the server of a busy machine."""
    return 3.0 if fault is faults.silent else 300.0


def keys(server):
    return [request.headers.get("idempotency-key") for request in server.requests]


@pytest.mark.parametrize("fault", [faults.dropped, faults.silent, lambda _: refusal(504, "Gateway timeout")])
async def test_a_call_of_unknown_fate_is_repeated_with_the_same_idempotency_key(server, dial, fault):
    """Also by another process, on another connection."""
    for _ in range(2):
        server.then(fault)
        wire = OpenAIChat(dial(server.url, deadline=deadline(fault)), lambda _: "m", answer_tokens=9)
        with pytest.raises(TransientError):
            await wire.complete(REQUEST)
    await OpenAIChat(dial(server.url), lambda _: "m", answer_tokens=9).complete(REQUEST)
    assert len(keys(server)) == 3
    assert len(set(keys(server)) - {None}) == 1


async def test_other_calls_have_other_idempotency_keys(server, wire, vectors):
    """After an error response; for another question, step, text, model or simulation."""
    for fault in (faults.out_of_order, faults.rate_limited(), lambda _: Reply({"error": {"message": "busy"}})):
        server.then(fault)
        with pytest.raises(TransientError):
            await wire.complete(REQUEST)
    for _ in range(2):
        server.then(without_forms("json_object"))
        with pytest.raises(OtherForm):
            await wire.complete(REQUEST)
    for request in (REQUEST, replace(REQUEST, occurrence=1), replace(REQUEST, step=1), replace(REQUEST, persona="Ben")):
        await wire.complete(request)
    other = Connection(Endpoint(PROVIDERS["openai"], server.url, KEY), run="other")
    await OpenAIChat(other, lambda _: "model-1", answer_tokens=500).complete(REQUEST)
    await other.close()
    for texts in (["tea"], ["bread"]):
        await vectors.complete(batch(*texts))
    assert len(set(keys(server)) - {None}) == len(server.requests) > 10


@pytest.mark.parametrize("provider", sorted(set(PROVIDERS) - {"openai"}))
async def test_other_providers_get_no_idempotency_key(server, dial, provider):
    """They may reject unknown headers."""
    url = server.url.removesuffix("/v1") if provider == "azure" else server.url
    await OpenAIChat(dial(url, provider), lambda _: "m", answer_tokens=9).complete(REQUEST)
    assert keys(server) == [None]


def retrying(wire):
    """Return the client as simulations use it: a request whose form is rejected is sent again in another one."""
    return RetryingClient(wire, RetryPolicy(patience=0), CallMonitor())


def without_forms(*known):
    """A server that knows only some response formats, and one name for the limit of tokens."""

    def chat(request):
        form = request.body.get("response_format", {}).get("type", "text")
        if form not in known:
            return refusal(400, f"Unsupported response_format: {form}")
        if "max_completion_tokens" in request.body:
            return refusal(400, "Unrecognized request argument: max_completion_tokens")
        return Reply(completion('{"wake_up_hour": 6}', request))

    return chat


@pytest.mark.parametrize("known", [("json_object", "text"), ("text",)])
async def test_a_server_that_rejects_a_form_is_asked_in_a_simpler_one(server, wire, known):
    """JSON mode, else an instruction in words; the form is remembered."""
    server.chat, wire = without_forms(*known), retrying(wire)
    assert (await wire.complete(REQUEST)).text == '{"wake_up_hour": 6}'
    learning = len(server.chats)
    await wire.complete(REQUEST)
    assert len(server.chats) == learning + 1
    body = server.chats[-1].body
    assert body["messages"][0]["content"] == SPELLED_OUT
    assert body.get("response_format", {}).get("type", "text") == known[0]
    assert body["max_tokens"] == 500


async def test_a_server_that_rejects_every_form_is_refused(server, wire):
    server.chat = without_forms()
    with pytest.raises(Refused, match="response_format"):
        await retrying(wire).complete(REQUEST)
    assert len(server.chats) == 4


async def test_each_form_that_is_tried_is_a_call_of_its_own(server, wire, ledger, rates):
    """It is reserved, recorded and counted before it is sent: a limit of calls holds for what leaves."""
    server.chat = without_forms()
    for allowed in (1, 2, 3):
        budget = Budget(Limits(calls=allowed), ledger)
        with pytest.raises(BudgetSpent):
            await retrying(BudgetedClient(RecordingClient(wire, ledger, rates), budget, rates)).complete(REQUEST)
        assert len(server.chats) == allowed == ledger.spend.calls


async def test_a_schema_is_sent_in_the_other_form_too(server, wire):
    """Some servers only know it as part of JSON mode."""
    straight = server.chat

    def llama(request):
        known = request.body["response_format"]["type"] == "json_object"
        return straight(request) if known else refusal(500, "response_format.type: Input should be 'json_object'")

    server.chat = llama
    for _ in range(2):
        await retrying(wire).complete(REQUEST)
    forms = [request.body["response_format"] for request in server.chats]
    assert [form["type"] for form in forms] == ["json_schema", "json_object", "json_object"]
    assert all(form["schema"] == forms[0]["json_schema"]["schema"] for form in forms[1:])


async def test_effort_is_dropped_for_models_that_do_not_reason(server, dial):
    wire = retrying(OpenAIChat(dial(server.url), lambda _: "m", answer_tokens=9, effort="low"))
    server.then(lambda _: refusal(400, "Unrecognized request argument supplied: reasoning_effort"))
    await wire.complete(REQUEST)
    assert [request.body.get("reasoning_effort") for request in server.chats] == ["low", None]


@pytest.mark.parametrize(("setting", "sent"), [("question", 0.8), (0.3, 0.3), (0.0, 0.0), ("provider", None)], ids=str)
async def test_the_temperature_is_that_of_the_question_or_of_the_settings(server, dial, setting, sent):
    """The provider's own is not sent at all."""
    wire = OpenAIChat(dial(server.url), lambda _: "m", answer_tokens=9, temperature=setting)
    await wire.complete(replace(REQUEST, temperature=0.8))
    assert server.chats[0].body.get("temperature") == sent


async def test_the_seed_of_the_run_is_passed_on(server, dial):
    """To providers that take one."""
    for seeded in (True, False):
        wire = OpenAIChat(dial(server.url, seeded=seeded), lambda _: "m", answer_tokens=9)
        await wire.complete(replace(REQUEST, seed=7))
    assert [request.body.get("seed") for request in server.chats] == [7, None]


async def test_a_server_is_told_which_call_is_needed_first(server, dial):
    """By the step that waits for the answer, if it takes priorities; one that does not is not told again."""
    wire = retrying(OpenAIChat(dial(server.url, ordered=True), lambda _: "m", answer_tokens=9))
    for due in (None, REQUEST.step + 5):
        reply = await wire.complete(replace(REQUEST, due=due))
        assert "priority" not in reply.terms.parameters
    server.then(lambda _: refusal(400, "Got priority 3 but Priority scheduling is not enabled."))
    await wire.complete(REQUEST)
    await OpenAIChat(dial(server.url), lambda _: "m", answer_tokens=9).complete(REQUEST)
    sent = [request.body.get("priority") for request in server.chats]
    assert sent == [REQUEST.step, REQUEST.step + 5, REQUEST.step, None, None]


@pytest.mark.parametrize(
    ("option", "refused"),
    [
        ("temperature", "Unsupported value: 'temperature' does not support 0.8 with this model"),
        ("seed", "Unrecognized request argument supplied: seed"),
    ],
)
async def test_options_that_a_model_refuses_are_dropped(server, dial, option, refused):
    """The model is not sent them again; the others stay."""
    wire = retrying(OpenAIChat(dial(server.url), lambda _: "m", answer_tokens=9, temperature="question"))
    server.then(lambda _: refusal(400, refused))
    for _ in range(2):
        await wire.complete(replace(REQUEST, temperature=0.8, seed=7))
    assert [option in request.body for request in server.chats] == [True, False, False]
    assert all({"temperature", "seed"} - {option} <= request.body.keys() for request in server.chats)


FATES = {
    **dict.fromkeys(
        ("dropped", "broken JSON", "web page", "error in a choice", "error in a success", "silent"), "unknown"
    ),
    **dict.fromkeys(("rate limited", "out of order", "overloaded", "wrong key"), "rejected"),
}


@pytest.mark.parametrize("fault", FATES)
async def test_an_error_tells_whether_the_call_may_be_charged(server, dial, fault):
    """A request without a proper response may have been worked on; an error without tokens is free."""
    behaviour = (faults.PASSING | faults.FINAL | {"silent": faults.silent})[fault]
    wire = OpenAIChat(dial(server.url, deadline=deadline(behaviour)), lambda _: "m", answer_tokens=9)
    server.then(behaviour)
    with pytest.raises(ModelError) as raised:
        await wire.complete(REQUEST)
    assert raised.value.fate == FATES[fault]


@pytest.mark.parametrize("status", [408, 502, 504, 524])
async def test_a_proxy_timeout_may_be_charged(server, wire, status):
    """The server behind it may still answer."""
    server.then(lambda _: refusal(status, "Gateway timeout"))
    with pytest.raises(TransientError) as raised:
        await wire.complete(REQUEST)
    assert raised.value.fate == "unknown"


@pytest.mark.parametrize("url", ["http://127.0.0.1:{port}/v1", "http://nobody.invalid:{port}/v1"])
async def test_a_request_that_was_not_sent_is_known(dial, free_port, url):
    """The host does not exist or does not listen."""
    wire = OpenAIChat(dial(url.format(port=free_port())), lambda _: "m", answer_tokens=9)
    with pytest.raises(Unreachable) as raised:
        await wire.complete(REQUEST)
    assert raised.value.fate == "not_sent"


async def test_reasoning_is_paid_for_like_the_answer(server, wire):
    told = {"prompt_tokens": 90, "completion_tokens": 7, "total_tokens": 597}
    server.then(lambda request: Reply(completion('{"wake_up_hour": 6}', request) | {"usage": told}))
    assert (await wire.complete(REQUEST)).usage == Usage(prompt_tokens=90, completion_tokens=507)
    assert server.chats[0].body["max_completion_tokens"] == 500


async def test_many_calls_share_a_few_connections(server, wire):
    """Fifty concurrent calls are answered, and the next fifty open no new connection."""
    await asyncio.gather(*(wire.complete(REQUEST) for _ in range(50)))
    opened = server.connections
    await asyncio.gather(*(wire.complete(REQUEST) for _ in range(50)))
    assert (len(server.chats), server.connections) == (100, opened)


async def test_vectors_come_in_the_order_of_their_texts(server, vectors):
    """Whatever their order in the response."""
    reply = await vectors.complete(batch("tea", "bread and tea"))
    turned = await _embedded_turned(server, vectors, ["tea", "bread and tea"])
    assert (reply.vectors == turned.vectors).all()
    assert (reply.vectors.shape, reply.model) == ((2, 32), "vectors-1")
    assert reply.usage.prompt_tokens > 0


async def _embedded_turned(server, vectors, texts):
    straight = server.embed

    def turned(request):
        body = straight(request).body
        return Reply(body | {"data": body["data"][::-1]})

    server.embed = turned
    return await vectors.complete(batch(*texts))


@pytest.mark.parametrize("fault", faults.VECTORS)
async def test_unusable_vectors_are_a_transient_error(server, vectors, fault):
    """The next ones are accepted."""
    straight, checked = server.embed, CheckedEmbeddings(vectors, VectorCheck(SIZE))
    server.embed = faults.VECTORS[fault]
    with pytest.raises(UnusableVectors):
        await checked.complete(batch("tea", "bread"))
    server.embed = straight
    assert (await checked.complete(batch("tea", "bread"))).vectors.shape == (2, SIZE)


@pytest.mark.parametrize("fault", faults.TEXTS)
async def test_answers_are_shortened_and_printable(server, wire, fault):
    server.then(faults.TEXTS[fault])
    text = (await wire.complete(REQUEST)).text
    assert len(text) <= MAX_LENGTH
    assert printable(text) == text


async def test_an_endless_answer_counts_as_cut_off(server, wire):
    """Also if it ends in what looks like an answer."""
    server.then(faults.saying("x" * MAX_LENGTH + '{"wake_up_hour": 6}'))
    reply = await wire.complete(REQUEST)
    assert (len(reply.text), "too long" in reply.fault) == (MAX_LENGTH, True)


EMPTY_LISTS = b"[" + b"[]," * 2**20 + b"[]]"
PADDED = gzip.compress(b"{}") + bytes(2**26)
"""Nothing follows the end of what is packed, but much arrives."""
BOMBS = {
    "packed": (gzip.compress(bytes(2**26)), {"Content-Encoding": "gzip"}),
    "plain": (bytes(2**26), {}),
    "padded": (PADDED, {"Content-Encoding": "gzip"}),
    "empty lists": (EMPTY_LISTS, {}),
    "packed by its charset": (zlib.compress(bytes(2**26)), {}),
}


@pytest.mark.parametrize("bomb", BOMBS)
@pytest.mark.parametrize("status", [200, 500])
async def test_no_response_fills_the_memory(server, wire, vectors, *, bomb, status):
    """However small it is while it is packed; good ones are read afterwards, packed or not."""
    body, headers = BOMBS[bomb]
    content = "application/json; charset=zlib" if "charset" in bomb else "application/json"
    server.embed = lambda _: Reply(body, status, headers, content)
    server.then(server.embed)
    tracemalloc.start()
    try:
        for call in (wire.complete(REQUEST), vectors.complete(batch("tea", "bread"))):
            with pytest.raises(Unreachable):
                await call
        assert tracemalloc.get_traced_memory()[1] < 2**25
    finally:
        tracemalloc.stop()
    good = json.dumps(completion('{"wake_up_hour": 6}', server.chats[0])).encode()
    for packed in (gzip.compress(good), zlib.compress(good)):
        server.then(lambda _, packed=packed: Reply(packed, headers={"Content-Encoding": "deflate"}))
        assert (await wire.complete(REQUEST)).text == '{"wake_up_hour": 6}'


async def test_many_long_vectors_are_read(server, vectors):
    """The more texts are sent, the more may come back: 200 vectors with more numbers than any model gives."""
    long = [0.123456789] * LONGEST_VECTOR
    data = [{"index": row, "embedding": long} for row in range(200)]
    server.embed = lambda _: Reply({"data": data})
    assert (await vectors.complete(batch(*map(str, range(200))))).vectors.shape == (200, LONGEST_VECTOR)


async def test_a_server_is_told_nothing_that_it_has_sent(server, wire):
    """Cookies are not kept."""
    server.then(lambda request: Reply(completion("{}", request), headers={"Set-Cookie": "who=you; Path=/"}))
    for _ in range(2):
        await wire.complete(REQUEST)
    assert ["cookie" in request.headers for request in server.chats] == [False, False]


@pytest.mark.parametrize("code", [10**30, -1, True, 200])
async def test_an_error_code_that_is_no_status_counts_as_an_error_of_the_server(server, wire, code):
    """In a short line."""
    server.then(lambda _: Reply({"error": {"code": code, "message": "no"}}))
    with pytest.raises(Unreachable, match=r"\(HTTP 500\): no"):
        await wire.complete(REQUEST)


@pytest.mark.parametrize("encoding", ["gzip, gzip", "br", "gzip"])
async def test_a_response_that_cannot_be_unpacked_is_reported(server, wire, encoding):
    """Packed twice, in a way that was not asked for, or not packed at all."""
    server.then(lambda _: Reply(b"{}", headers={"Content-Encoding": encoding}))
    with pytest.raises(Unreachable, match="packed"):
        await wire.complete(REQUEST)


async def test_a_server_without_embeddings_is_reported(server, vectors):
    """With what to set instead."""
    server.embeds = False
    with pytest.raises(Refused, match="Set embedder to hashing"):
        await vectors.complete(batch("tea"))


numbers = st.none() | st.integers() | st.text(max_size=3) | st.floats(allow_nan=False)
junk = st.recursive(
    numbers | st.booleans(),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=4,
)
usages = junk | st.fixed_dictionaries(
    {},
    optional={"prompt_tokens": numbers, "completion_tokens": numbers, "cost": numbers, "prompt_tokens_details": junk},
)
messages = junk | st.fixed_dictionaries({}, optional={"content": junk, "refusal": junk, "role": junk})
choices = junk | st.fixed_dictionaries({}, optional={"message": messages, "finish_reason": junk, "error": junk})
bodies = junk | st.fixed_dictionaries(
    {}, optional={"choices": junk | st.lists(choices, max_size=2), "usage": usages, "error": junk, "data": junk}
)


@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(bodies, max_size=5))
def test_any_response_is_a_reply_or_a_model_error(bodies):
    """For any JSON, for chat and embeddings."""

    async def ask_all():
        with ChatServer() as server:
            connection = Connection(Endpoint(PROVIDERS["openai"], server.url, KEY))
            wire = OpenAIChat(connection, lambda _: "m", answer_tokens=9)
            for body in bodies:
                server.chat = server.embed = lambda _, body=body: Reply(body)
                with suppress(ModelError):
                    reply = await wire.complete(REQUEST)
                    assert isinstance(reply.text, str)
                    assert min(reply.usage.prompt_tokens, reply.usage.completion_tokens, reply.usage.cost or 0) >= 0
                with suppress(ModelError):
                    await OpenAIEmbeddings(connection, "v").complete(batch("tea"))
            await connection.close()

    asyncio.run(ask_all())


def sdk_exceptions(kind=openai.OpenAIError):
    for below in kind.__subclasses__():
        yield below
        yield from sdk_exceptions(below)


def an_instance(kind):
    """Return an instance of an exception class, however it is constructed."""
    request = httpx2.Request("POST", "http://localhost/v1/chat/completions")
    status = getattr(kind, "__annotations__", {}).get("status_code")
    response = httpx2.Response(getattr(status, "__args__", (500,))[0] if status else 500, request=request)
    if issubclass(kind, openai.APIStatusError):
        return kind.__new__(kind) if kind is openai.APIStatusError else _status_error(kind, response)
    if issubclass(kind, openai.APIConnectionError):
        return kind(request=request)
    if issubclass(kind, openai.APIResponseValidationError):
        return kind(response=response, body=None)
    if kind is openai.APIError:
        return kind("wrong", request, body=None)
    made = kind.__new__(kind)
    made.args = ("wrong",)
    return made


def _status_error(kind, response):
    try:
        return kind("wrong", response=response, body=None)
    except TypeError:
        return kind(response=response, body=None)


@pytest.mark.parametrize(
    "kind",
    sorted({kind for kind in sdk_exceptions() if kind is not openai.APIStatusError}, key=lambda kind: kind.__name__),
    ids=lambda kind: kind.__name__,
)
async def test_every_exception_of_the_sdk_is_converted(kind):
    connection = Connection(Endpoint(PROVIDERS["openai"], "http://localhost/v1", KEY))
    assert isinstance(connection.converted(an_instance(kind), 1.0), ModelError | RejectedError)
    await connection.close()


def test_an_endpoint_does_not_show_its_key():
    assert KEY not in repr(Endpoint(PROVIDERS["openai"], "http://localhost/v1", KEY))
