"""Failures of real providers as behaviours of the chat server."""

import json
from base64 import b64encode
from collections.abc import Callable
from typing import Any

from chat_server import Received, Reply, completion, embeddings, refusal
from default_answers import answer_to

Behaviour = Callable[[Received], Reply]


def saying(text: str | None, *, finish: str = "stop", **more: object) -> Behaviour:
    """Answer with this text."""
    return lambda request: Reply(completion(text, request, finish=finish, **more))


def slowly(seconds: float) -> Behaviour:
    """Answer properly after a delay."""
    return lambda request: Reply(completion(answer_to(request.body), request), delay=seconds)


def rate_limited(retry_after: str = "") -> Behaviour:
    return lambda _: refusal(429, "Rate limit reached", "rate_limit_exceeded", **_after(retry_after))


def _after(seconds: str) -> dict[str, str]:
    return {"Retry_After": seconds} if seconds else {}


def no_quota(_: Received) -> Reply:
    return refusal(429, "You exceeded your current quota.", "insufficient_quota")


def no_credit(_: Received) -> Reply:
    return refusal(402, "Insufficient credits.")


def wrong_key(request: Received) -> Reply:
    """Reject the key and quote it, as some servers do."""
    return refusal(401, f"Incorrect API key provided: {request.headers.get('authorization')}")


class Quoting:
    """Quotes everything it received, plain and in base64: in an answer, a transient error, and a final error."""

    def __init__(self, key: str) -> None:
        self._key = key
        self._turns = iter((saying, self._passing, saying, self._final))

    def __call__(self, request: Received) -> Reply:
        heard = f"{request.path} {dict(request.headers)} {self._key} {b64encode(self._key.encode()).decode()}"
        turn = next(self._turns, self._final)
        return saying(heard)(request) if turn is saying else turn(heard)

    def _passing(self, heard: str) -> Reply:
        return refusal(500, heard)

    def _final(self, heard: str) -> Reply:
        return refusal(401, heard)


def unknown_model(request: Received) -> Reply:
    return refusal(404, f"The model `{request.body['model']}` does not exist.", "model_not_found")


def out_of_order(_: Received) -> Reply:
    return Reply(b"<html><h1>500 Internal Server Error</h1></html>", 500, content_type="text/html")


def overloaded(_: Received) -> Reply:
    return refusal(503, "The engine is currently overloaded.", None, Retry_After="0")


def too_long(_: Received) -> Reply:
    return refusal(400, "This model's maximum context length is 4096 tokens.", "context_length_exceeded")


def filtered(_: Received) -> Reply:
    return refusal(400, "The prompt was filtered.", "content_filter")


def error_in_success(code: int, message: str = "Provider returned error") -> Behaviour:
    """Send an error with status 200."""
    return lambda _: Reply({"error": {"code": code, "message": message}})


def error_in_choice(request: Received) -> Reply:
    """Send an error inside a choice, with status 200."""
    body = completion("", request, finish="error")
    body["choices"][0]["error"] = {"code": 502, "message": "Upstream error"}
    return Reply(body)


def web_page(_: Received) -> Reply:
    return Reply(b"<html><body>Welcome to our proxy</body></html>", content_type="text/html")


def broken_json(_: Received) -> Reply:
    return Reply(b'{"id": "chatcmpl-1", "choices": [{"mess')


def dropped(request: Received) -> Reply:
    """Close the connection in the middle of the answer."""
    return Reply(completion(answer_to(request.body), request), cut=True)


def dripping(request: Received) -> Reply:
    """Send single bytes, each within a read timeout, for minutes."""
    return Reply(completion(answer_to(request.body), request), drip=0.2)


def silent(_: Received) -> Reply:
    """Send nothing."""
    return Reply(delay=600.0)


def no_choices(request: Received) -> Reply:
    return Reply(completion("", request) | {"choices": []})


def null_choices(request: Received) -> Reply:
    return Reply(completion("", request) | {"choices": None})


def no_usage(request: Received) -> Reply:
    return Reply(completion(answer_to(request.body), request) | {"usage": None})


def endless_usage(request: Received) -> Reply:
    """Report more tokens than a database column can store."""
    usage = {"prompt_tokens": 10**30, "completion_tokens": 10**30}
    return Reply(completion(answer_to(request.body), request) | {"usage": usage})


def in_fences(request: Received) -> Reply:
    """Wrap a proper answer in prose, reasoning and a code fence, with a trailing comma."""
    text = answer_to(request.body)
    wrapped = f"<think>{{}} perhaps?</think>Gladly!\n```json\n{text[:-1]},}}\n```\nAnything else?"
    return Reply(completion(wrapped, request))


def half(request: Received) -> Reply:
    """Send half of an answer, cut off by the token limit."""
    text = answer_to(request.body)
    return Reply(completion(text[: len(text) // 2], request, finish="length"))


def spoilt(change: Callable[[Any], Any]) -> Behaviour:
    """Change every text, number and list of a proper answer."""

    def spoil(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: spoil(each) for key, each in value.items()}
        if isinstance(value, list):
            return change([spoil(each) for each in value])
        return value if isinstance(value, bool) else change(value)

    return lambda request: Reply(completion(json.dumps(spoil(json.loads(answer_to(request.body)))), request))


def texts(change: Callable[[str], str]) -> Behaviour:
    """Change every text of a proper answer."""
    return spoilt(lambda value: change(value) if isinstance(value, str) else value)


def raw_control_characters(request: Received) -> Reply:
    """Put control characters into the JSON itself, unescaped, as some models do."""
    return Reply(completion(answer_to(request.body).replace(" ", "\x1b \x00\u2028"), request))


def vectors(change: Callable[[list[dict[str, Any]]], object]) -> Behaviour:
    """Change the data of an embedding response."""
    return lambda request: Reply((body := embeddings(request)) | {"data": change(body["data"])})


def each_vector(change: Callable[[list[float]], object]) -> Behaviour:
    """Change each vector of an embedding response."""
    return vectors(lambda data: [item | {"embedding": change(item["embedding"])} for item in data])


EMPTY = saying("")
NULL = saying(None)
PROSE = saying("As a language model I cannot have a plan for the day.")
REFUSAL = saying(None, refusal="I cannot help with that.")
FILTERED_ANSWER = saying("I", finish="content_filter")
OTHER_OBJECT = saying('{"something": "else"}')

PASSING: dict[str, Behaviour] = {
    "rate limited": rate_limited("0"),
    "out of order": out_of_order,
    "overloaded": overloaded,
    "error in a success": error_in_success(502),
    "rate limit in a success": error_in_success(429),
    "error in a choice": error_in_choice,
    "web page": web_page,
    "broken JSON": broken_json,
    "dropped": dropped,
}
"""Transient errors: a retry succeeds."""

MALFORMED: dict[str, Behaviour] = {
    "empty": EMPTY,
    "null": NULL,
    "prose": PROSE,
    "refusal": REFUSAL,
    "filtered answer": FILTERED_ANSWER,
    "filtered question": filtered,
    "other object": OTHER_OBJECT,
    "no choices": no_choices,
    "null choices": null_choices,
    "half": half,
}
"""Unusable answers, which are sent back to the model for correction."""

READABLE: dict[str, Behaviour] = {"in fences": in_fences, "no usage": no_usage}
"""Unusual but usable answers."""

ENDLESS = 307_320
"""Characters."""
TEXTS: dict[str, Behaviour] = {
    "endless texts": texts(lambda text: (text or "SPOILT ") * (ENDLESS // len(text or "SPOILT "))),
    "endless lists": spoilt(lambda value: value * 1000 if isinstance(value, list) else value),
    "endless answer": saying('{"text": "' + "SPOILT " * 200_000),
    "numbers beyond measure": spoilt(lambda value: 10**400 if isinstance(value, int) else value),
    "control characters": texts(lambda text: f"\x00{text}\x1b\x07\x9b"),
    "raw control characters": raw_control_characters,
    "turned text": texts(lambda text: f"\u202e{text}\u2066\u200b\U000e0041"),
    "half characters": texts(lambda text: f"{text}\ud83d"),
}
"""Answers in the right form with texts that are too long or contain forbidden characters."""

VECTORS: dict[str, Behaviour] = {
    "too few": vectors(lambda data: data[1:]),
    "no vectors": vectors(lambda _: []),
    "another size": each_vector(lambda vector: vector[:7]),
    "sizes of their own": vectors(
        lambda data: [item | {"embedding": item["embedding"][number % 2 :]} for number, item in enumerate(data)]
    ),
    "one vector a token": each_vector(lambda vector: [vector] * 4),
    "empty vectors": each_vector(lambda _: []),
    "words for numbers": each_vector(lambda vector: ["x"] * len(vector)),
    "not finite": each_vector(lambda vector: [1e39, float("nan"), *vector[2:]]),
    "zeros": each_vector(lambda vector: [0.0] * len(vector)),
}
"""Unusable vectors; a retry returns proper ones."""

FINAL: dict[str, Behaviour] = {
    "wrong key": wrong_key,
    "unknown model": unknown_model,
    "no quota": no_quota,
    "no credit": no_credit,
    "wrong key in a success": error_in_success(401),
}
"""Errors that end a run."""
