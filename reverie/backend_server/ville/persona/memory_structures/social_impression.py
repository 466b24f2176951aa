"""Impressions that a persona has of others."""

from collections.abc import Mapping
from dataclasses import dataclass

from ville.json_types import JsonObject

UNKNOWN = "unknown"


@dataclass(frozen=True)
class SocialImpression:
    """Relationship to another persona and feeling about it; with social memory also what is known of it."""

    relationship: str = UNKNOWN
    feeling: str = UNKNOWN
    summary: str = ""
    """Knowledge of the persona about the other, and what they have in common."""
    memories: int = 0
    """How many memories of the other there were when the summary was written; 0 without one."""

    @property
    def text(self) -> str:
        """Return relationship and feeling as quoted in prompts; empty if there is none."""
        if not self.known:
            return ""
        return self.relationship if self.feeling == UNKNOWN else f"{self.relationship} (feeling: {self.feeling})"

    @property
    def whole_text(self) -> str:
        """Return the text and the summary in two lines."""
        return "\n".join(filter(None, (self.text, self.summary)))

    @property
    def known(self) -> bool:
        return self.relationship != UNKNOWN

    def as_json(self) -> dict[str, str | int]:
        said: dict[str, str | int] = {"relationship": self.relationship, "feeling": self.feeling}
        return {**said, "summary": self.summary, "memories": self.memories} if self.memories else said


def read_impressions(values: Mapping[str, object]) -> dict[str, SocialImpression]:
    """Return the impressions in `relationship` of scratch.json; missing and empty parts are unknown."""
    return {name: read_impression(impression) for name, impression in values.items() if isinstance(impression, dict)}


def read_impression(values: Mapping[str, object]) -> SocialImpression:
    """Return one impression. A summary counts only with the number of memories that it is of."""
    impression = SocialImpression(_known(values.get("relationship")), _known(values.get("feeling")))
    summary, memories = values.get("summary"), values.get("memories")
    if not isinstance(summary, str) or not isinstance(memories, int) or memories <= 0:
        return impression
    return SocialImpression(impression.relationship, impression.feeling, summary, memories)


def written_impressions(impressions: Mapping[str, SocialImpression], as_read: JsonObject) -> JsonObject:
    """Return `relationship` of scratch.json, with the keys of other engines as they were read."""
    before = {name: values for name, values in as_read.items() if isinstance(values, dict)}
    return {name: {**before.get(name, {}), **each.as_json()} for name, each in impressions.items()}


def _known(value: object) -> str:
    return value if isinstance(value, str) and value else UNKNOWN
