"""The form of requests to a model: how the form of an answer is asked for, and which parameters are sent.

Models differ in what they accept. After a request whose form was rejected, the next one has another.
"""

from dataclasses import dataclass, replace
from typing import Literal

from ville.llm.gateway import ChatRequest
from ville.llm.wire.error_responses import ErrorResponse
from ville.llm.wire.providers import LimitName, Structure

SIMPLER: dict[Structure, Structure] = {
    "json_schema": "schema_in_object",
    "schema_in_object": "json_object",
    "json_object": "instruction",
}
"""Form to try next if a provider rejects one."""
OTHER_LIMIT: dict[LimitName, LimitName] = {
    "max_tokens": "max_completion_tokens",
    "max_completion_tokens": "max_tokens",
}
Temperature = float | Literal["question", "provider"]
"""For all requests, that of each request, or the provider's own."""


@dataclass(frozen=True)
class RequestForm:
    """Parameters that a model is known to accept."""

    structure: Structure
    limit: LimitName
    effort: str
    temperature: Temperature = "provider"
    seeded: bool = False
    grammar: bool = False
    """Whether the schema may have all choices and limits."""
    ordered: bool = False
    """Whether it is said which call is needed first."""
    thinks: bool = True
    """Whether the length of an answer includes thoughts, which are longer than what suits a question."""

    def options(self, request: ChatRequest) -> dict[str, object]:
        """Return the parameters of a request that models may reject."""
        temperature = request.temperature if self.temperature == "question" else self.temperature
        options = {
            "reasoning_effort": self.effort or None,
            "temperature": None if temperature == "provider" else temperature,
            "seed": request.seed if self.seeded else None,
            "priority": request.needed if self.ordered else None,
        }
        return {name: value for name, value in options.items() if value is not None}

    def after(self, error: ErrorResponse, default: "RequestForm") -> "RequestForm | None":
        """Return the form to try after an error; None if the error is not about the form."""
        if other := self._without_option(error):
            return other
        if error.mentions("max_tokens", "max_completion_tokens") and self.limit == default.limit:
            return replace(self, limit=OTHER_LIMIT[self.limit])
        if error.mentions("response_format", "json_schema", "json_object", "schema", "grammar", "structured"):
            return self._simpler()
        return None

    def _without_option(self, error: ErrorResponse) -> "RequestForm | None":
        """Return the form without the parameter that an error is about; None if it is about none that is sent."""
        if error.mentions("reasoning_effort", "reasoning effort") and self.effort:
            return replace(self, effort="")
        if error.mentions("temperature") and self.temperature != "provider":
            return replace(self, temperature="provider")
        if error.mentions("seed") and self.seeded:
            return replace(self, seeded=False)
        if error.mentions("priority") and self.ordered:  # vLLM takes one only with --scheduling-policy priority
            return replace(self, ordered=False)
        return None

    def _simpler(self) -> "RequestForm | None":
        """Return a form that asks for less structure; None if this one asks for none."""
        if self.grammar:
            return replace(self, grammar=False)
        simpler = SIMPLER.get(self.structure)
        return replace(self, structure=simpler) if simpler else None
