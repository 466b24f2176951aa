"""Error responses of providers become errors of this project, without secrets."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ville.errors import ModelError, RateLimited, Refused, TimedOut, TooLong, Unreachable
from ville.llm.wire.error_responses import model_error, read_error
from ville.llm.wire.masking import Mask

KEY = "sk-proj-0123456789abcdef"


def fault(status, body, headers=None, key=KEY):
    return model_error(read_error(status, body, headers or {}, Mask(key)), who="OpenAI (address)", model="gpt-x")


def error(message, **more):
    return {"error": {"message": message, **more}}


GEMINI = [error("quota exceeded", status="RESOURCE_EXHAUSTED", details=[{"@type": "RetryInfo", "retryDelay": "23s"}])]


@pytest.mark.parametrize(
    ("status", "body", "kind", "says"),
    [
        (
            400,
            error("Its maximum context length is 8192 tokens.", code="context_length_exceeded"),
            TooLong,
            "",
        ),
        (400, error("Requested tokens (4500) exceed context window of 4096"), TooLong, "4096"),
        (400, error("The input token count (9) exceeds the maximum number of tokens allowed (8)."), TooLong, "gpt-x"),
        (413, {}, TooLong, ""),
        (400, error("Unknown parameter: 'foo'"), Refused, "rejected the request"),
        (400, [error("API key not valid. Please pass a valid API key.")], Refused, "does not accept the API key"),
        (400, error("openai/gpt-9 is not a valid model ID"), Refused, "no model 'gpt-x'"),
        (401, error("Incorrect API key provided"), Refused, "does not accept the API key"),
        (403, {}, Refused, "denies access"),
        (
            404,
            error("No models loaded.", code="model_not_found"),
            Refused,
            "No models loaded. Choose",
        ),
        (500, error("Unexpected endpoint or method. Returning 200 anyway"), Refused, "base_url"),
        (402, error("Insufficient credits"), Refused, "no credit left"),
        (429, error("You exceeded your current quota", code="insufficient_quota"), Refused, "no credit left"),
        (404, error("The model `gpt-x` does not exist", code="model_not_found"), Refused, "no model 'gpt-x'"),
        (404, error('model "gpt-x" not found, try pulling it first'), Refused, "no model 'gpt-x'"),
        (404, "<html>404</html>", Refused, "base_url"),
        (408, {}, TimedOut, ""),
        (409, {}, Unreachable, ""),
        (429, error("Rate limit reached"), RateLimited, "Rate limit reached"),
        (429, GEMINI, RateLimited, "quota exceeded"),
        (500, "<html>oops</html>", Unreachable, "HTTP 500"),
        (503, {"detail": "loading"}, Unreachable, "loading"),
        (529, error("overloaded"), Unreachable, "overloaded"),
    ],
)
def test_an_error_response_becomes_a_model_error(status, body, kind, says):
    """With the provider's message."""
    raised = fault(status, body)
    assert type(raised) is kind
    assert says in str(raised)


@pytest.mark.parametrize(
    ("headers", "body", "seconds"),
    [
        ({"retry-after": "7"}, {}, 7),
        ({"retry-after-ms": "1500", "retry-after": "7"}, {}, 1.5),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, {}, 0),
        ({"retry-after": "soon"}, {}, None),
        *(({name: text}, {}, None) for name in ("retry-after", "retry-after-ms") for text in ("inf", "-inf", "nan")),
        ({}, GEMINI, 23),
        ({}, {}, None),
    ],
)
def test_retry_after_is_read_in_every_form(headers, body, seconds):
    """Seconds, milliseconds, a date, Gemini's detail; anything else is ignored."""
    assert fault(429, body, headers).retry_after == seconds


@pytest.mark.parametrize(
    "message",
    [f"Incorrect API key provided: {KEY}", "Incorrect API key provided: sk-proj-****cdef.", f"Bearer {KEY} is unknown"],
)
def test_a_key_is_never_shown(message):
    """Also not with asterisks in its middle."""
    said = str(fault(401, error(message)))
    assert KEY not in said
    assert "cdef" not in said


def test_words_are_not_masked():
    message = "Your organization must be verified: skipping ordinary requests"
    assert message in str(fault(400, error(message)))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
        st.sampled_from(["error", "message", "code", "type", "details", "detail", "metadata", "retryDelay"]), inner
    ),
)  # fmt: skip


@given(st.integers(400, 599), json_values, st.dictionaries(st.sampled_from(["retry-after"]), st.text(max_size=30)))
def test_any_error_response_gives_a_message_of_one_line(status, body, headers):
    """Whatever its body and headers are."""
    raised = fault(status, body, headers)
    assert isinstance(raised, ModelError)
    assert "\n" not in str(raised)
