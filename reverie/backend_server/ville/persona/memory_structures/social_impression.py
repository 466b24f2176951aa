"""What somebody is to a persona, and how it feels about them."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

UNKNOWN = "unknown"


@dataclass(frozen=True)
class SocialImpression:
    """Replaced after every conversation."""

    relationship: str = UNKNOWN
    feeling: str = UNKNOWN

    @property
    def known(self) -> bool:
        return self.relationship != UNKNOWN

    def as_json(self) -> dict[str, str]:
        return asdict(self)


def read_impressions(values: Mapping[str, Any]) -> dict[str, SocialImpression]:
    """From the last key of scratch.json; what is missing is unknown."""
    return {
        name: SocialImpression(impression.get("relationship", UNKNOWN), impression.get("feeling", UNKNOWN))
        for name, impression in values.items()
        if isinstance(impression, dict)
    }
