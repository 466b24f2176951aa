"""Impressions that a persona has of others."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

UNKNOWN = "unknown"


@dataclass(frozen=True)
class SocialImpression:
    """Relationship to another persona and feeling about it."""

    relationship: str = UNKNOWN
    feeling: str = UNKNOWN

    @property
    def text(self) -> str:
        """Return the impression as quoted in prompts; empty if there is none."""
        if not self.known:
            return ""
        return self.relationship if self.feeling == UNKNOWN else f"{self.relationship} (feeling: {self.feeling})"

    @property
    def known(self) -> bool:
        return self.relationship != UNKNOWN

    def as_json(self) -> dict[str, str]:
        return asdict(self)


def read_impressions(values: Mapping[str, Any]) -> dict[str, SocialImpression]:
    """Return the impressions in `relationship` of scratch.json; missing and empty parts are unknown."""
    return {
        name: SocialImpression(_known(impression.get("relationship")), _known(impression.get("feeling")))
        for name, impression in values.items()
        if isinstance(impression, dict)
    }


def written_impressions(impressions: Mapping[str, SocialImpression], as_read: Mapping[str, Any]) -> dict[str, Any]:
    """Return `relationship` of scratch.json, with the keys of other engines as they were read."""
    before = {name: values for name, values in as_read.items() if isinstance(values, dict)}
    return {name: {**before.get(name, {}), **each.as_json()} for name, each in impressions.items()}


def _known(value: object) -> str:
    return value if isinstance(value, str) and value else UNKNOWN
