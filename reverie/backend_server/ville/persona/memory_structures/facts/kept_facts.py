"""Commitments and told facts of one persona, as they are saved in facts.json."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ville.errors import CorruptFile
from ville.json_types import JsonObject
from ville.persona.memory_structures.facts.commitment import Commitments
from ville.persona.memory_structures.facts.told_facts import ToldFacts


@dataclass
class KeptFacts:
    """Facts that one persona keeps beside its memory stream."""

    commitments: Commitments = field(default_factory=Commitments)
    told: ToldFacts = field(default_factory=ToldFacts)
    own: tuple[str, ...] = ()
    """Sentences about oneself that hold for good: age, home, work, family, habits, and what histories tell."""

    def as_json(self) -> JsonObject:
        """Return what is saved; nothing of what is empty."""
        kinds: JsonObject = {
            "commitments": self.commitments.as_json(),
            "told": self.told.as_json(),
            "own": list(self.own),
        }
        return {kind: entries for kind, entries in kinds.items() if entries}

    @classmethod
    def read(cls, owner: str, values: Mapping[str, Any]) -> "KeptFacts":
        """Return what was saved. Raise CorruptFile, naming the persona."""
        try:
            return cls(
                commitments=Commitments.read(values.get("commitments", [])),
                told=ToldFacts.read(values.get("told", [])),
                own=tuple(map(str, values.get("own", ()))),
            )
        except (TypeError, ValueError, KeyError, AttributeError, CorruptFile) as fault:
            raise CorruptFile(f"{owner}: facts.json is invalid ({fault}). Restore or remove it.") from None
