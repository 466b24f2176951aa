"""Turn error responses of providers into errors of this project.

An error may come as an HTTP status, or inside a response with status 200, as OpenRouter sends it.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from ville.errors import ModelError, RateLimited, Refused, RequestFate, TimedOut, TooLong, TransientError, Unreachable
from ville.llm.wire.masking import Mask

TOO_LONG = re.compile(
    r"context.{0,20}(length|window|size|limit)|too many tokens|prompt is too long|token count.{0,40}exceeds",
    re.IGNORECASE,
)
NO_ENDPOINT = "unexpected endpoint"
"""LM Studio answers unknown paths with this text and status 200."""

NO_MASK = Mask()
REDIRECTS = range(300, 400)
BAD_REQUEST, UNAUTHORIZED, NO_CREDIT, FORBIDDEN, NOT_FOUND = 400, 401, 402, 403, 404
TIMEOUT, CONFLICT, TOO_LARGE, TOO_EARLY, TOO_MANY = 408, 409, 413, 425, 429
SERVER_ERROR = 500
PROXY_TIMEOUTS = {TIMEOUT, 502, 504, 524}
"""Timeouts of a proxy: the server behind it may still answer."""


@dataclass(frozen=True)
class ErrorResponse:
    """An error as the provider describes it."""

    status: int
    message: str
    code: str = ""
    retry_after: float | None = None
    """Seconds to wait before the next call, if the provider says so."""
    charged: bool = False
    """Whether it reports tokens, so that the call may be charged."""

    @property
    def fate(self) -> RequestFate:
        """Return what became of the request: errors are free unless something was generated."""
        return "unknown" if self.charged or self.status in PROXY_TIMEOUTS else "rejected"

    @property
    def too_long(self) -> bool:
        """Whether the request exceeds the context window of the model."""
        return self.status == TOO_LARGE or (
            self.status in {BAD_REQUEST, 422, SERVER_ERROR}
            and (self.code == "context_length_exceeded" or bool(TOO_LONG.search(self.message)))
        )

    @property
    def filtered(self) -> bool:
        """Whether a content filter rejected this request."""
        return self.code in {"content_filter", "content_policy_violation"}

    def mentions(self, *words: str) -> bool:
        """Whether the message contains any of these words."""
        message = self.message.lower()
        return any(word in message for word in words)


def read_error(status: int, body: object, headers: Mapping[str, str], mask: Mask = NO_MASK) -> ErrorResponse:
    """Read an error in any known form: OpenAI's object, Gemini's list of one, a string, or HTML."""
    error = _innermost(body)
    message = error.get("message") or error.get("detail") or error.get("error") or ""
    metadata = error.get("metadata")
    raw = metadata.get("raw", "") if isinstance(metadata, dict) else ""
    code = error.get("code") or error.get("type") or ""
    said = " ".join(str(part) for part in (message, raw) if part)
    if NO_ENDPOINT in said.lower():
        status = NOT_FOUND
    return ErrorResponse(status, mask.line(said), str(code), _retry_after(error, headers))


def model_error(error: ErrorResponse, *, who: str, model: str) -> ModelError:
    """Return the ModelError for an error response. `who` is name and address of the provider."""
    said = f": {error.message}" if error.message else ""
    if error.too_long:
        return TooLong(f"The request is too long for {model} at {who}{said}.", fate=error.fate)
    return _passing(error, who, said) or Refused(_refusal(error, who, model), fate=error.fate)


def _passing(error: ErrorResponse, who: str, said: str) -> TransientError | None:
    status, fate = error.status, error.fate
    if error.code == "insufficient_quota":
        return None
    if status == TOO_MANY:
        return RateLimited(f"{who} limits the rate of calls{said}.", error.retry_after, fate=fate)
    if status == TIMEOUT:
        return TimedOut(f"{who} timed out (HTTP {status}){said}.", fate=fate)
    if status >= SERVER_ERROR or status in {CONFLICT, TOO_EARLY}:
        return Unreachable(f"{who} is not available (HTTP {status}){said}.", error.retry_after, fate=fate)
    return None


def _refusal(error: ErrorResponse, who: str, model: str) -> str:
    said = f": {error.message}" if error.message else ""
    status = error.status
    if error.code == "insufficient_quota" or status == NO_CREDIT:
        return f"The account of this key at {who} has no credit left{said}. Add credit, or choose another provider."
    if status == UNAUTHORIZED or error.mentions("api key", "api_key"):
        return f"{who} does not accept the API key{said}. Correct it (see .env.example)."
    if status == FORBIDDEN:
        return (
            f"{who} denies access (HTTP 403){said}. Check that the API key is correct and may use '{model}' from here."
        )
    if _no_model(error):
        return f"{who} has no model '{model}'{said}. Choose one of its models."
    return _wrong_address(status, who, said)


def _wrong_address(status: int, who: str, said: str) -> str:
    if status in REDIRECTS:
        return f"{who} redirects to another address (HTTP {status}), which is not followed. Correct base_url."
    if status == NOT_FOUND:
        return f"{who} found nothing at this address (HTTP 404){said}. Check base_url: it usually ends in /v1."
    return f"{who} rejected the request (HTTP {status}){said}."


def _no_model(error: ErrorResponse) -> bool:
    return error.code == "model_not_found" or (
        error.mentions("model") and error.mentions("not exist", "not found", "not a valid", "invalid model")
    )


def _innermost(body: object) -> dict[str, object]:
    if isinstance(body, list) and body:
        return _innermost(body[0])
    if isinstance(body, dict):
        inner = body.get("error")
        return _innermost(inner) if isinstance(inner, dict | list) else body
    return {"message": body} if isinstance(body, str) and not body.lstrip().startswith("<") else {}


def _retry_after(error: Mapping[str, object], headers: Mapping[str, str]) -> float | None:
    """Return seconds from the headers, or from Gemini's details."""
    if (milliseconds := _number(headers.get("retry-after-ms", ""))) is not None:
        return milliseconds / 1000
    if after := headers.get("retry-after", ""):
        return _seconds_until(after) if _number(after) is None else _number(after)
    delays = [detail["retryDelay"] for detail in _dicts(error.get("details")) if "retryDelay" in detail]
    return _number(str(delays[0]).removesuffix("s")) if delays else None


def _dicts(values: object) -> list[dict[str, object]]:
    return [value for value in values if isinstance(value, dict)] if isinstance(values, list) else []


def _number(text: str) -> float | None:
    """Return a number of at least 0, or None for what is none: also for `inf` and `nan`."""
    try:
        number = float(text)
    except ValueError:
        return None
    return max(0.0, number) if math.isfinite(number) else None


def _seconds_until(date: str) -> float | None:
    """Return the seconds until an HTTP date."""
    try:
        moment = parsedate_to_datetime(date)
    except (ValueError, OverflowError):
        return None
    known = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max(0.0, (known - datetime.now(UTC)).total_seconds())
