"""What a provider's complaint means for the town: pure, from a status, a body and a header or two.

A complaint may come as an HTTP status or inside an answer that calls itself a success, as those of OpenRouter do.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from ville.errors import ModelError, RateLimited, Refused, RequestFate, TimedOut, TooLong, TransientError, Unreachable
from ville.llm.wire.masking import Mask

TOO_LONG = re.compile(
    r"context.{0,20}(length|window|size|limit)|too many tokens|prompt is too long|token count.{0,40}exceeds",
    re.IGNORECASE,
)
NO_ENDPOINT = "unexpected endpoint"
"""With this LM Studio answers what it does not offer, and calls it a success."""

NO_MASK = Mask()
REDIRECTS = range(300, 400)
BAD_REQUEST, UNAUTHORIZED, NO_CREDIT, FORBIDDEN, NOT_FOUND = 400, 401, 402, 403, 404
TIMEOUT, CONFLICT, TOO_LARGE, TOO_EARLY, TOO_MANY = 408, 409, 413, 425, 429
SERVER_ERROR = 500
GAVE_UP = {TIMEOUT, 502, 504, 524}
"""What a server says that has handed a question on and waited in vain: somebody may be answering it still."""


@dataclass(frozen=True)
class Complaint:
    """What a provider says is wrong."""

    status: int
    message: str
    code: str = ""
    retry_after: float | None = None
    """Seconds, if it says when to come back."""
    begun: bool = False
    """Whether it comes with a count of tokens, so that something was answered after all."""

    @property
    def fate(self) -> RequestFate:
        """Whether the question may have to be paid for: who complains at once charges nothing."""
        return "unknown" if self.begun or self.status in GAVE_UP else "rejected"

    @property
    def too_long(self) -> bool:
        """Whether the question is larger than what the model can read."""
        return self.status == TOO_LARGE or (
            self.status in {BAD_REQUEST, 422, SERVER_ERROR}
            and (self.code == "context_length_exceeded" or bool(TOO_LONG.search(self.message)))
        )

    @property
    def filtered(self) -> bool:
        """Whether the provider's filter objects to this one question."""
        return self.code in {"content_filter", "content_policy_violation"}

    def about(self, *words: str) -> bool:
        """Whether the message is about any of these."""
        message = self.message.lower()
        return any(word in message for word in words)


def complaint(status: int, body: object, headers: Mapping[str, str], mask: Mask = NO_MASK) -> Complaint:
    """Read whatever came: OpenAI's form, Gemini's list of one, a bare string, a page of HTML."""
    error = _innermost(body)
    message = error.get("message") or error.get("detail") or error.get("error") or ""
    raw = error.get("metadata", {}).get("raw", "") if isinstance(error.get("metadata"), dict) else ""
    code = error.get("code") or error.get("type") or ""
    said = " ".join(str(part) for part in (message, raw) if part)
    if NO_ENDPOINT in said.lower():
        status = NOT_FOUND
    return Complaint(status, mask.line(said), str(code), _retry_after(error, headers))


def fault_of(complaint: Complaint, *, who: str, model: str) -> ModelError:
    """The fault for the town, with its mend. `who` is the provider, by name and address."""
    said = f": {complaint.message}" if complaint.message else ""
    if complaint.too_long:
        return TooLong(f"{model} at {who} cannot read so much at once{said}.", fate=complaint.fate)
    return _passing(complaint, who, said) or Refused(_refusal(complaint, who, model), fate=complaint.fate)


def _passing(complaint: Complaint, who: str, said: str) -> TransientError | None:
    status, fate = complaint.status, complaint.fate
    if complaint.code == "insufficient_quota":
        return None
    if status == TOO_MANY:
        return RateLimited(f"{who} asks for fewer calls{said}.", complaint.retry_after, fate=fate)
    if status == TIMEOUT:
        return TimedOut(f"{who} took too long (HTTP {status}){said}.", fate=fate)
    if status >= SERVER_ERROR or status in {CONFLICT, TOO_EARLY}:
        return Unreachable(f"{who} is out of order (HTTP {status}){said}.", complaint.retry_after, fate=fate)
    return None


def _refusal(complaint: Complaint, who: str, model: str) -> str:
    said = f": {complaint.message}" if complaint.message else ""
    status = complaint.status
    if complaint.code == "insufficient_quota" or status == NO_CREDIT:
        return f"{who} has no credit left for this key{said}. Add some there, or choose another provider."
    if status == UNAUTHORIZED or complaint.about("api key", "api_key"):
        return f"{who} does not accept the key{said}. Set the right one; see .env.example."
    if status == FORBIDDEN:
        return f"{who} denies access (HTTP 403){said}. Look whether the key is right, and may use '{model}' from here."
    if _no_model(complaint):
        return f"{who} has no model '{model}'{said}. Set one that it has."
    return _at_the_address(status, who, said)


def _at_the_address(status: int, who: str, said: str) -> str:
    if status in REDIRECTS:
        return f"{who} sends its callers elsewhere (HTTP {status}), and nothing is sent there: mend base_url."
    if status == NOT_FOUND:
        return f"{who} has nothing at that address (HTTP 404){said}. Mostly base_url has to end in /v1."
    return f"{who} rejects the request (HTTP {status}){said}."


def _no_model(complaint: Complaint) -> bool:
    return complaint.code == "model_not_found" or (
        complaint.about("model") and complaint.about("not exist", "not found", "not a valid", "invalid model")
    )


def _innermost(body: object) -> dict[str, Any]:
    if isinstance(body, list) and body:
        return _innermost(body[0])
    if isinstance(body, dict):
        inner = body.get("error")
        return _innermost(inner) if isinstance(inner, dict | list) else body
    return {"message": body} if isinstance(body, str) and not body.lstrip().startswith("<") else {}


def _retry_after(error: Mapping[str, Any], headers: Mapping[str, str]) -> float | None:
    """Seconds, from the headers or from Gemini's details."""
    if (milliseconds := _number(headers.get("retry-after-ms", ""))) is not None:
        return milliseconds / 1000
    if after := headers.get("retry-after", ""):
        return _seconds_until(after) if _number(after) is None else _number(after)
    delays = [detail["retryDelay"] for detail in _dicts(error.get("details")) if "retryDelay" in detail]
    return _number(str(delays[0]).removesuffix("s")) if delays else None


def _dicts(values: object) -> list[dict[str, Any]]:
    return [value for value in values if isinstance(value, dict)] if isinstance(values, list) else []


def _number(text: str) -> float | None:
    try:
        return max(0.0, float(text))
    except ValueError:
        return None


def _seconds_until(date: str) -> float | None:
    """Until a date as HTTP writes it."""
    try:
        moment = parsedate_to_datetime(date)
    except (ValueError, OverflowError):
        return None
    known = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max(0.0, (known - datetime.now(UTC)).total_seconds())
